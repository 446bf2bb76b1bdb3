// Parts of pages that change without reload: forms whose result follows them, and games move by move.

import { $, announce, enable, failed, fragment, keys } from "./app.js";

let timer = 0;
let asking = null;

/** Fetches the result of a form, and makes the address that of the page that is shown. */
async function renew(form) {
  asking?.abort();
  asking = new AbortController();
  const query = new URLSearchParams(location.search);
  for (const [name, value] of new FormData(form)) query.set(name, value);
  history.replaceState(null, "", `?${query}`);
  query.set("part", form.dataset.part);
  try {
    const part = await fragment(`${location.pathname}?${query}`, asking.signal);
    const place = $(form.dataset.live);
    place?.replaceChildren(part);
    enable(place ?? document);
  } catch (refusal) {
    failed(refusal, announce);
  }
}

document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-live]");
  if (!form) return;
  const shown = $("[data-percent]", form);
  if (shown) shown.textContent = `${(100 * event.target.value).toFixed(1)}%`;
  clearTimeout(timer);
  timer = setTimeout(renew, 120, form);
});

// Recorded games.

const place = $("#recorded");

/** Shows the position of an address. */
async function show(href) {
  const url = new URL(href, location);
  url.searchParams.set("part", "position");
  try {
    const part = await fragment(url);
    const key = document.activeElement?.dataset?.step;
    place.replaceChildren(part);
    if (key) $(`[data-step=${key}]`, place)?.focus();
    announce($("[data-said]", place).textContent);
  } catch (refusal) {
    failed(refusal, announce);
  }
}

function go(href) {
  history.pushState(null, "", href);
  show(href);
}

if (place) {
  place.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-step]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(link.href);
  });
  addEventListener("popstate", () => show(location.href));
  const steps = { ArrowLeft: "back", ArrowRight: "on", Home: "start", End: "end", f: "flip" };
  for (const [key, step] of Object.entries(steps)) {
    keys[key] = () => {
      const link = $(`a[data-step=${step}]`, place);
      if (link) go(link.href);
    };
  }
}
