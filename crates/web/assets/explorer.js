// A position of a solved game: moves without reload, with their values on the board.

import { $, all, announce, enable, failed, fragment, keys, problemAt, showCommand } from "./app.js";
import { Board } from "./board.js";

const section = () => $("#explorer");
let board = null;
let turn = 0; // number of the position; what belongs to an earlier one is dropped

function connect() {
  board = new Board(section(), play);
  board.take(all("#moves-table tr[data-move]"));
}

function play(text) {
  const link = all("a[data-move]", section()).find((one) => one.dataset.move === text);
  if (link) go(link.href);
}

/** Shows the position of an address. */
async function go(href, isBack = false) {
  const mine = ++turn;
  const url = new URL(href, location.href);
  url.searchParams.set("part", "explorer");
  try {
    const parts = await fragment(url);
    const next = $("#explorer", parts);
    if (mine !== turn || !next) return;
    const at = document.activeElement;
    const { cell, key } = at?.closest?.("[data-cell], [data-key]")?.dataset ?? {};
    const id = section().contains(at) ? at.id : "";
    section().replaceWith(next);
    enable(next);
    showCommand($("code[data-command]", parts));
    $("main #data").href = $("#data", parts).href;
    if (!isBack) history.pushState(null, "", href);
    connect();
    const wanted = [
      cell && `.cell[data-cell="${CSS.escape(cell)}"]`,
      key && `[data-key="${key}"]`,
      id && `#${CSS.escape(id)}`,
      ".cell[tabindex='0']",
    ].filter(Boolean);
    const again = at !== document.body && wanted.map((selector) => $(selector, next)).find(Boolean);
    if (again?.matches(".cell")) board.focus(again);
    else if (again) again.focus({ preventScroll: true });
    announce($("[data-said]", next).textContent.trim());
  } catch (refusal) {
    if (mine === turn) failed(refusal, (words) => problemAt($("#move-problem"), words));
  }
}

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const link = event.target.closest("#explorer a[href]");
  const url = link && new URL(link.href.baseVal ?? link.href, location.href);
  if (!url || url.pathname !== location.pathname) return;
  event.preventDefault();
  go(url.href);
});

document.addEventListener("submit", (event) => {
  if (event.target.id !== "type") return;
  event.preventDefault();
  const text = event.target.elements.move.value.trim();
  const found = board.moves.find((move) => move.text.toLowerCase() === text.toLowerCase());
  if (found) play(found.text);
  else problemAt($("#move-problem"), text ? `"${text}" is not a legal move here.` : "Type a move.");
});

// A move that is pointed at is marked on the board.

function point(event) {
  const mark = event.target.closest?.("[data-cells], tr[data-move]");
  const move = mark && board.moves.find((one) => one.text === mark.dataset.move);
  const cells = mark?.dataset.cells?.split(" ").filter(Boolean).map(Number) ?? move?.path ?? [];
  board.point(cells);
}
document.addEventListener("mouseover", point);
document.addEventListener("focusin", point);

addEventListener("popstate", () => go(location.href, true));

const press = (selector) => () => $(`#explorer ${selector}`)?.click();
Object.assign(keys, {
  b: press("[data-key=best]"),
  w: press("[data-key=worst]"),
  u: press("[data-key=back]"),
  f: press("[data-key=flip]"),
  m: () => $("#move")?.focus(),
  ArrowLeft: press("[data-key=back]"),
  ArrowRight: press("[data-key=on]"),
  Home: press("[data-key=start]"),
  End: press("[data-key=end]"),
});

connect();
