// Workbench: changes without reload, forms, keys. Pages are complete for reading without it.

const policy = window.trustedTypes
  ? trustedTypes.createPolicy("treegauge", { createHTML: (html) => html })
  : { createHTML: (html) => html };

const $ = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const token = $("meta[name=treegauge]").content;

/** Announces a change, once. */
let said = "";
let fading = 0;
function announce(words) {
  if (!words || words === said) return;
  said = words;
  const place = $("#status");
  place.textContent = words;
  // It is seen for a while, and stays there for who cannot see it.
  place.classList.add("fresh");
  clearTimeout(fading);
  fading = setTimeout(() => place.classList.remove("fresh"), 6000);
}

/** Sends a change; the answer, or an error in the server's words. */
async function post(path, body, type = "application/json", { headers, signal } = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      method: "POST",
      headers: { "content-type": type, "x-treegauge": token, ...headers },
      signal,
      body: type === "application/json" ? JSON.stringify(body ?? {}) : body,
    });
  } catch {
    // Who gave up does not wait for an answer.
    throw signal?.aborted ? {} : { error: GONE };
  }
  const reply = await answer.json().catch(() => ({ error: `The workbench answered ${answer.status}.` }));
  if (!answer.ok) throw { ...reply, status: answer.status };
  return reply;
}

const send = (path, body, more) => post(path, body, "application/json", more);

/** An error in the server's words. */
const sentence = ({ error, hint }) => [error ?? GONE, hint].filter(Boolean).join(" ");

/** Parses a fragment that the server made. */
function parsed(html) {
  const template = document.createElement("template");
  template.innerHTML = policy.createHTML(html);
  return template.content;
}

// The server's life.

const GONE =
  "The workbench does not answer. Runs are kept; start `treegauge serve` again, and this page reconnects.";

function banner(words) {
  const place = $("#banner");
  if (place.textContent === words && place.hidden === !words) return;
  place.textContent = words;
  place.hidden = !words;
}

// One stream for all tabs: the tab that holds the lock listens and hands on what it hears.

const channel = new BroadcastChannel("treegauge");
const listeners = new Set();
let lastHeard = Date.now();

function heard(message) {
  lastHeard = Date.now();
  if (message.kind === "gone") banner(GONE);
  else banner("");
  if (message.kind === "change" || message.kind === "hello") listeners.forEach((listen) => listen(message));
}

channel.onmessage = (event) => heard(event.data);

/** Listens for all tabs; `wasGone` if this tab had listened, or another one. */
function lead(wasGone = false) {
  const source = new EventSource("/events");
  const tell = (message) => {
    heard(message);
    channel.postMessage(message);
  };
  source.addEventListener("hello", () => {
    tell({ kind: "hello", again: wasGone });
    wasGone = false;
  });
  source.addEventListener("change", (event) => tell({ kind: "change", ...JSON.parse(event.data) }));
  source.onerror = async () => {
    wasGone = true;
    // A closed stream is not tried again by the browser.
    const lost = source.readyState === EventSource.CLOSED;
    const alive = await fetch("/healthz").then((answer) => answer.ok).catch(() => false);
    if (!alive) tell({ kind: "gone" });
    if (lost) {
      source.close();
      setTimeout(lead, 1000, true);
    }
  };
  // Tells the tabs that follow that this one is there.
  addEventListener("pagehide", () => source.close());
}

// The modules of the page have added their listeners by then.
document.addEventListener("DOMContentLoaded", async () => {
  if (!navigator.locks) return lead();
  const keep = (begin, options) =>
    navigator.locks.request("treegauge-events", options, (lock) => {
      if (!lock) return false;
      begin();
      return new Promise(() => {});
    });
  await keep(lead, { ifAvailable: true });
  // Another tab listens; it said hello before this one could hear it.
  heard({ kind: "hello" });
  keep(() => lead(true), {});
});

const LIVE = "[data-state=queued], [data-state=running], [data-state=pausing]";

/** Whether a change may have come before this page listened: after a gap, or since a live run was written down. */
const mayLack = (message, place) => message.kind === "hello" && (message.again || place.matches(LIVE) || Boolean($(LIVE, place)));

// Pages of runs.

let wanted = false;
let fetching = false;

/** Replaces the changing part of the page of a run; the focus, folds and scroll positions stay. */
async function refresh() {
  const place = $("#run");
  if (!place) return;
  if (fetching) {
    wanted = true;
    return;
  }
  fetching = true;
  try {
    const query = new URLSearchParams(location.search);
    query.set("part", "run");
    const answer = await fetch(`${location.pathname}?${query}`);
    if (answer.status === 404) location.href = "/runs";
    if (answer.ok) {
      const next = parsed(await answer.text());
      const open = new Set(all("details[open] > summary", place).map((one) => one.textContent));
      all("details > summary", next).forEach((one) => {
        if (open.has(one.textContent)) one.parentElement.open = true;
      });
      const focus = document.activeElement;
      const name = place.contains(focus) ? focus.name || focus.getAttribute("href") : null;
      place.replaceChildren(next);
      enable(place);
      if (name) {
        const same = all("button, a", place).find((one) => one.name === name || one.getAttribute("href") === name);
        (same ?? $("button:not([hidden])", place))?.focus();
      }
    }
  } catch {
    // The banner says that the server is gone.
  } finally {
    fetching = false;
    if (wanted) {
      wanted = false;
      // A report is fetched up to once a second.
      setTimeout(refresh, 1000);
    }
  }
}

function changed(message) {
  if (message.change === "text") return;
  const id = message.run;
  const mine = $("#run [data-run]")?.dataset.run;
  if (message.kind === "hello") {
    if (mayLack(message, $("main"))) mine ? refresh() : reloadRows();
    return;
  }
  if (message.change === "progress") {
    all(`[data-run="${CSS.escape(id)}"]`).forEach((row) => {
      all("[data-progress]", row).forEach((place) => (place.textContent = message.words));
      const bar = $("progress[data-share]", row);
      if (bar && message.share !== null) bar.value = message.share;
    });
  } else if (mine) {
    if (mine === id) {
      announce(message.words);
      if (message.change === "deleted") location.href = "/runs";
      else refresh();
    }
  } else if (message.change !== "report") {
    announce(message.words);
    reloadRows();
  }
}
listeners.add(changed);

/** Renews the tables of runs of a page. */
async function reloadRows() {
  if (!$("table.runs") && document.querySelector("main").dataset.page !== "home") return;
  try {
    const answer = await fetch(location.href);
    if (!answer.ok) return;
    const next = new DOMParser().parseFromString(policy.createHTML(await answer.text()), "text/html");
    const [here, there] = [$("main"), $("main", next)];
    const tables = all("table.runs tbody", there);
    const mine = all("table.runs tbody", here);
    if (tables.length === mine.length) mine.forEach((table, n) => table.replaceWith(document.adoptNode(tables[n])));
    else if (!here.contains(document.activeElement)) {
      here.replaceChildren(...[...there.childNodes].map((node) => document.adoptNode(node)));
      enable(here);
    }
  } catch {
    // The banner says that the server is gone.
  }
}

// Buttons.

/** Shows and connects what needs scripts. */
function enable(root) {
  all("button[data-post], button[name=copy], form[data-upload]", root).forEach((one) => (one.hidden = false));
  all("form[data-live] [data-plain]", root).forEach((one) => (one.hidden = true));
  all("[data-board]", root).forEach((one) => boards.observe(one));
  quote(root);
}

/** Writes command lines for the shell that is chosen in this browser. */
function quote(root = document) {
  const isPowerShell = localStorage.getItem("treegauge-shell") === "powershell";
  for (const code of all("code[data-powershell]", root)) {
    code.dataset.posix ??= code.textContent;
    code.textContent = isPowerShell ? code.dataset.powershell : code.dataset.posix;
  }
}

/** Replaces the command of the page. */
function showCommand(next) {
  if (!next) return;
  $("main code[data-command]").replaceWith(next);
  quote();
}

// Boards of lists are fetched when they are seen, one after the other.

let drawing = Promise.resolve();
const boards = new IntersectionObserver(
  (entries) =>
    entries.filter((entry) => entry.isIntersecting).forEach(({ target }) => {
      boards.unobserve(target);
      drawing = drawing.then(() => draw(target)).catch(() => {});
    }),
  { rootMargin: "200px" },
);

async function draw(place) {
  const answer = await fetch(place.dataset.board);
  if (answer.ok) place.replaceChildren(parsed(await answer.text()));
}

/** Makes an element. */
function make(kind, fields, ...children) {
  const node = Object.assign(document.createElement(kind), fields);
  node.append(...children);
  return node;
}

/** Makes a bar of buttons, each with what it does. */
const bar = (buttons) =>
  make("div", { className: "bar" }, ...Object.entries(buttons).map(([textContent, onclick]) => make("button", { type: "button", textContent, onclick })));

/** Shows a dialog, which holds the focus and closes with Escape. */
function shown(onclose, ...children) {
  const box = make("dialog", {}, ...children);
  box.onclose = () => (box.remove(), onclose(box.returnValue));
  document.body.append(box);
  box.showModal();
  return box;
}

/** Asks for a yes. */
function confirmed(words) {
  return new Promise((resolve) => {
    const choices = bar({ Yes: () => box.close("yes"), No: () => box.close() });
    const box = shown((value) => resolve(value === "yes"), make("p", {}, words), choices);
    choices.lastChild.focus();
  });
}

/** Asks for a name; empty if none is given. */
function asked(words, value) {
  return new Promise((resolve) => {
    const input = make("input", { value, required: true });
    const choices = bar({ Cancel: () => box.close() });
    choices.prepend(make("button", { value: "save" }, "Save"));
    const form = make("form", { method: "dialog" }, make("label", {}, words, " ", input), choices);
    const box = shown((value) => resolve(value && input.value.trim()), form);
    input.select();
  });
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.name === "copy") {
    const place = button.dataset.copy;
    const text = (place ? $(place) : $("code[data-command]", button.parentElement)).textContent;
    const what = place ? "position" : "command";
    try {
      await navigator.clipboard.writeText(text);
      announce(`The ${what} was copied.`);
    } catch {
      announce(`The browser does not allow copying; select the ${what}.`);
    }
  } else if (button.dataset.post) {
    if (button.dataset.ask && !(await confirmed(button.dataset.ask))) return;
    button.disabled = true;
    try {
      await post(button.dataset.post);
      if (button.dataset.then) location.href = button.dataset.then;
      else refresh();
    } catch (refusal) {
      announce(refusal.error);
      button.disabled = false;
    }
  } else if (button.name === "start") {
    start(button);
  }
});

// Forms of runs.

const form = $("#task");

/** The fields that were filled in. */
function filled() {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value.trim()) query.append(name, value);
  return query;
}

function problem(field, words) {
  all(".field .problem", form).forEach((one) => (one.hidden = true));
  all("[aria-invalid]", form).forEach((one) => one.removeAttribute("aria-invalid"));
  const general = $("#problem", form);
  general.hidden = true;
  if (!words) return null;
  const place = field && $(`[data-field="${CSS.escape(field)}"]`, form);
  const at = place ? $(".problem", place) : general;
  at.textContent = words;
  at.hidden = false;
  const input = place && $("input, select, textarea", place);
  input?.setAttribute("aria-invalid", "true");
  if (input?.closest("details")) input.closest("details").open = true;
  return input;
}

let checking = null;

/** Checks the form, and shows the command that it is. */
async function check() {
  checking?.abort();
  checking = new AbortController();
  const query = filled();
  try {
    const answer = await fetch(`${location.pathname}.json?${query}`, { signal: checking.signal });
    const reply = await answer.json();
    history.replaceState(null, "", query.size ? `?${query}` : location.pathname);
    if (reply.line) {
      const command = make("code", {}, reply.line);
      Object.assign(command.dataset, { command: "", powershell: reply.powershell });
      showCommand(command);
    }
    const estimate = $("#estimate", form);
    if (estimate) estimate.textContent = reply.estimate ?? "";
    // A missing field is reported at the start, not while somebody types.
    const isEmpty = /required|names its|not provided/.test(reply.error ?? "");
    problem(reply.field, isEmpty ? null : reply.error);
    if (!reply.error) look(query, checking.signal);
  } catch {
    // A newer check runs, or the server is gone.
  }
}

/** Shows the size of a solve before it begins. */
async function look(query, signal) {
  const place = $("#outlook", form);
  if (!place || !query.get("game")) return;
  place.textContent = "Looking at the size of the game.";
  const answer = await fetch(`${location.pathname}?${query}&part=outlook&page=${page}-outlook`, { signal }).catch(() => null);
  if (signal?.aborted) return;
  place.textContent = answer?.ok ? await answer.text() : "";
}

/** Goes to the catalog with all that is filled in. */
function choose(link) {
  const query = filled();
  const title = $("[data-title]", form).value;
  if (title.trim()) query.set("run-title", title);
  const to = new URL(link.href);
  to.searchParams.set("with", query);
  link.href = to;
}

async function start(button) {
  button.disabled = true;
  try {
    const reply = await fetch(`${location.pathname}.json?${filled()}`).then((answer) => answer.json());
    const title = $("[data-title]", form).value;
    const run = await post("/api/runs", { task: reply.task, title });
    location.href = run.href;
  } catch (refusal) {
    const input = problem(refusal.field, sentence(refusal));
    announce(refusal.error ?? GONE);
    input?.focus();
    button.disabled = false;
  }
}

if (form) {
  $("button[name=start]", form).disabled = false;
  for (const kind of ["click", "auxclick"]) {
    form.addEventListener(kind, (event) => {
      const link = event.target.closest("a[data-choose]");
      if (link) choose(link);
    });
  }
  // What is defined below is there when this is done.
  setTimeout(() => look(filled()));
  let timer = 0;
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(check, 150);
  });
}

document.addEventListener("submit", async (event) => {
  const { target } = event;
  if (target.dataset.edit) {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(target));
    try {
      await post(target.dataset.edit, fields);
      announce("Saved.");
      refresh();
    } catch (refusal) {
      announce(refusal.error);
    }
  } else if (target.dataset.newText || target.dataset.send) {
    event.preventDefault();
    if (target.dataset.ask && !(await confirmed(target.dataset.ask))) return;
    const place = $(".problem", target);
    place.hidden = true;
    try {
      const { token: _, ...fields } = Object.fromEntries(new FormData(target));
      const made = await post(target.dataset.newText ?? target.dataset.send, fields);
      if (event.submitter?.name !== "keep") location.href = made.href;
      else {
        place.before(make("p", { className: "kept" }, "Kept as ", make("a", { href: made.href }, made.file), "."));
        announce(`Kept as ${made.file}.`);
      }
    } catch (refusal) {
      place.textContent = sentence(refusal);
      place.hidden = false;
      announce(refusal.error);
    }
  } else if (target.dataset.upload) {
    event.preventDefault();
    const file = target.elements.file.files[0];
    const place = $(".problem", target);
    place.hidden = true;
    try {
      const name = encodeURIComponent(file.name);
      await post(`${target.dataset.upload}?name=${name}`, file, "application/octet-stream");
      location.reload();
    } catch (refusal) {
      place.textContent = refusal.error;
      place.hidden = false;
      announce(refusal.error);
    }
  }
});

// Filters.

all("input[data-filter]").forEach((input) => {
  const filter = () => {
    const words = input.value.toLowerCase().trim();
    const rows = all(input.dataset.filter);
    rows.forEach((row) => (row.hidden = !row.dataset.text.includes(words)));
    const shown = rows.filter((row) => !row.hidden).length;
    if (words) announce(`${shown} of ${rows.length} shown.`);
  };
  input.addEventListener("input", filter);
  if (input.value) filter();
});

// Keys.

const keys = {
  "/": () => $("#filter")?.focus(),
  p: () => $("#run button[name=pause]:not([hidden]), #run button[name=resume]:not([hidden])")?.click(),
  c: () => $("code[data-command]")?.parentElement.querySelector("button[name=copy]")?.click(),
  "?": async () => {
    const words = await fragment("/help?part=keys").catch(() => null);
    if (!words) return void (location.href = "/help");
    const close = bar({ Close: () => box.close() });
    const box = shown(() => {}, make("h2", {}, "Keys"), words, make("p", {}, make("a", { href: "/help" }, "Help")), close);
    close.lastChild.focus();
  },
};

const setting = $("input[data-setting=keys]");
const areOn = () => localStorage.getItem("treegauge-keys") !== "off";
if (setting) {
  setting.checked = areOn();
  setting.addEventListener("change", () => localStorage.setItem("treegauge-keys", setting.checked ? "on" : "off"));
}

// Colours.

/** Makes the rules for dark screens hold always, never, or as the system says. */
function colour() {
  const chosen = localStorage.getItem("treegauge-colours") ?? "";
  document.documentElement.dataset.colours = chosen;
  const media = { "": "screen and (prefers-color-scheme: dark)", light: "not all", dark: "screen" };
  for (const rule of all("link[rel=stylesheet]").flatMap((link) => [...(link.sheet?.cssRules ?? [])])) {
    if (!(rule instanceof CSSMediaRule)) continue;
    rule.isDark ??= rule.media.mediaText.includes("prefers-color-scheme: dark");
    if (rule.isDark) rule.media.mediaText = media[chosen] ?? media[""];
  }
}
colour();

for (const [name, apply] of Object.entries({ colours: colour, shell: () => quote() })) {
  const choice = $(`select[data-setting=${name}]`);
  if (choice) {
    choice.value = localStorage.getItem(`treegauge-${name}`) ?? "";
    choice.addEventListener("change", () => {
      localStorage.setItem(`treegauge-${name}`, choice.value);
      apply();
    });
  }
  addEventListener("storage", apply);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || !areOn()) return;
  if (event.defaultPrevented || event.target.closest("input, select, textarea, dialog")) return;
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

enable(document);

/** Fetches a part of a page; its error is in the server's words. */
async function fragment(url, signal) {
  const answer = await fetch(url, { signal });
  const page = parsed(await answer.text());
  if (answer.ok) return page;
  throw { status: answer.status, error: $("h1", page)?.textContent ?? `The workbench answered ${answer.status}.` };
}

/** Tells of a failed request, unless it was given up or replaced by a newer one of the page. */
function failed(refusal, tell) {
  if (refusal.name === "AbortError" || refusal.status === 409) return;
  if (refusal.error || refusal instanceof Error) tell(refusal.error ?? GONE);
}

/** Shows and announces a problem; hides it without words. */
function problemAt(place, words = "") {
  if (place) place.textContent = words;
  if (place) place.hidden = !words;
  announce(words);
}

/** Name of this page in its requests. */
const page = crypto.getRandomValues(new Uint32Array(4)).join("-");

export {
  $, all, announce, asked, bar, enable, failed, fragment, keys, listeners, make, mayLack, page, parsed, post, problemAt, send,
  sentence, showCommand,
};
