// A game in progress: moves and replies without reload, hints that improve, values ply by ply.

import { $, all, announce, enable, failed, fragment, keys, page, post, problemAt, showCommand } from "./app.js";
import { Board } from "./board.js";

const STEPS = [256, 2000, 6000, 20000];
const section = () => $("#position");

let board = null;
let turn = 0; // number of the position; what belongs to an earlier one is dropped
let work = new AbortController();
let isAuto = false;

/** The address without what only forms and links without scripts need. */
function clean(href) {
  const url = new URL(href, location.href);
  ["answer", "part", "page", "iterations", "move", "touch"].forEach((name) => url.searchParams.delete(name));
  for (const [name, value] of [...url.searchParams]) if (!value) url.searchParams.delete(name);
  return url;
}

const isOfGame = (url) => url.origin === location.origin && url.pathname === location.pathname;

/** The moves of an address up to the position that it shows. */
function movesAt(url) {
  const moves = (url.searchParams.get("moves") ?? "").split(/\s+/).filter(Boolean);
  const ply = url.searchParams.get("ply");
  return ply === null ? moves : moves.slice(0, Number(ply));
}

/** The address after one more move. */
function after(text) {
  const url = clean(location.href);
  url.searchParams.set("moves", [...movesAt(url), text].join(" "));
  url.searchParams.delete("ply");
  return url;
}

function get(url, more) {
  const asked = new URL(url);
  for (const [name, value] of Object.entries(more)) asked.searchParams.set(name, value);
  return fragment(asked, work.signal);
}

const problem = (words) => problemAt($("#move-problem"), words);

/** Remembers the focus, to put it back after parts of the page were replaced. */
function focused() {
  const at = document.activeElement ?? document.body;
  const { id, name, dataset } = at;
  const { cell, key, ply, move } = dataset;
  const wanted = [
    cell && at.closest("svg.cells") && `.cell[data-cell="${CSS.escape(cell)}"]`,
    id && `#${CSS.escape(id)}`,
    name && `#position button[name="${name}"]:not(:disabled)`,
    key && `[data-key="${key}"]`,
    ply && `#history .played[data-ply="${ply}"]`,
    move !== undefined && "ul.legal a",
    at.closest("#position") && ".cell[tabindex='0'], #position a, #position button",
  ].filter(Boolean);
  return () => {
    const next = at !== document.body && wanted.map((selector) => $(selector)).find(Boolean);
    if (!next || document.activeElement === next) return;
    if (next.matches(".cell")) board.focus(next);
    else next.focus({ preventScroll: true });
  };
}

/** Replaces the parts of the page that are in a fragment. */
function swap(parts) {
  const refocus = focused();
  for (const next of all("section[id]", parts)) {
    const here = document.getElementById(next.id);
    if (!here) continue;
    // The values of the moves before stay until the new ones are there.
    if (next.id === "history" && $("[data-waits]", next) && $("svg", here)) {
      here.dataset.stale = "";
      continue;
    }
    // Folds stay as they are.
    const open = new Set(all("details[open] > summary", here).map((one) => one.textContent.replace(/\d+/g, "")));
    all("details > summary", next).forEach((one) => {
      if (open.has(one.textContent.replace(/\d+/g, ""))) one.parentElement.open = true;
    });
    here.replaceWith(next);
    enable(next);
  }
  showCommand($("code[data-command]", parts));
  const data = $("#data", parts);
  if (data) $("main #data").href = data.href;
  connect();
  refocus();
}

function connect() {
  if (board?.root === section()) return;
  board = new Board(section(), play);
  const auto = $("button[name=auto]");
  if (auto) {
    auto.hidden = false;
    auto.setAttribute("aria-pressed", isAuto);
    auto.textContent = isAuto ? "Stop" : "Play to the end";
  }
}

/** Shows the position of an address. */
async function go(href, { push = true, said = "" } = {}) {
  const url = clean(href);
  turn += 1;
  const mine = turn;
  work.abort();
  work = new AbortController();
  try {
    const parts = await get(url, { part: "position" });
    if (mine !== turn) return;
    if (push) history.pushState(null, "", url);
    else history.replaceState(null, "", url);
    swap(parts);
  } catch (refusal) {
    if (mine === turn) failed(refusal, problem);
    return;
  }
  await settle(mine, said);
}

function state() {
  return $(".turn [data-said]", section()).textContent.trim();
}

/** Has the player to move answer, or begins the hints. */
async function settle(mine, said) {
  const { player, over, ply, plies } = section().dataset;
  const isLast = ply === plies;
  const other = $("button[name=auto]");
  if (player && over === undefined && isLast && (!other || isAuto)) {
    const url = clean(location.href);
    const begun = performance.now();
    const slow = setTimeout(() => mine === turn && announce(`${said} ${state()} It is thinking.`.trim()), 700);
    try {
      const reply = await post(
        "/api/reply",
        {
          game: $("#play").dataset.game,
          position: url.searchParams.get("position") ?? "",
          moves: movesAt(url).join(" "),
          seed: url.searchParams.get("seed") ?? "1",
          player,
          page,
        },
        "application/json",
        { signal: work.signal },
      );
      clearTimeout(slow);
      if (mine !== turn) return;
      const words = `The ${reply.player} player answers ${reply.move}. ${reply.words}`;
      // Two players that play on leave time to see each move.
      if (other) await new Promise((done) => setTimeout(done, Math.max(0, 350 - (performance.now() - begun))));
      if (mine !== turn) return;
      await go(after(reply.move), { push: false, said: `${said} ${words}`.trim() });
    } catch (refusal) {
      clearTimeout(slow);
      if (mine === turn) failed(refusal, problem);
    }
    return;
  }
  announce(`${said} ${state()}`.trim());
  await assist(mine);
}

/** Fetches hints, which improve, and the values ply by ply. */
async function assist(mine) {
  const hasHints = $("#hints") && !$("#hints").hidden;
  const isExact = $("#hints")?.dataset.solution !== undefined;
  try {
    if (hasHints) await hint(mine, STEPS[0]);
    while (mine === turn && $("#history [data-waits], #history [data-incomplete], #history[data-stale]")) {
      const part = await get(clean(location.href), { part: "history", page: `${page}-values` });
      if (mine !== turn) return;
      swap(part);
    }
    if (mine === turn) coach();
    if (!hasHints || isExact) return;
    for (const iterations of STEPS.slice(1)) if (mine !== turn || !(await hint(mine, iterations))) return;
  } catch (refusal) {
    if (mine === turn) failed(refusal, (words) => all("[data-waits]").forEach((place) => (place.textContent = words)));
  }
}

/** Announces the sentence about the last move, beside what was said about the move itself. */
function coach() {
  const words = $("#coach")?.textContent.trim() ?? "";
  const place = $("#coached");
  if (place.textContent !== words) place.textContent = words;
}

/** Fetches the hints after some iterations; false if more would not change them. */
async function hint(mine, iterations) {
  const part = await get(clean(location.href), { part: "hints", iterations, page: `${page}-values` });
  if (mine !== turn) return false;
  swap(part);
  board.take(all("#hints tr[data-move]"));
  return Number($("#hints [data-iterations]")?.dataset.iterations ?? 0) >= iterations;
}

/** Plays a move of the position that is shown. */
function play(text) {
  const { player, turn: mover, ply, plies } = section().dataset;
  const isOthers = player !== undefined;
  // A second click does not move for the player who is about to answer.
  if (isOthers && ply === plies && !$("button[name=auto]")) {
    announce(state());
    return Promise.resolve();
  }
  return go(after(text), { said: isOthers ? `The ${mover} player plays ${text}.` : `You played ${text}.` });
}

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const auto = event.target.closest("button[name=auto]");
  if (auto) {
    isAuto = !isAuto;
    auto.setAttribute("aria-pressed", isAuto);
    auto.textContent = isAuto ? "Stop" : "Play to the end";
    if (isAuto) settle(turn, "");
    return;
  }
  const link = event.target.closest("a[href]");
  if (!link || !link.closest("#play")) return;
  const href = link.href.baseVal ?? link.href;
  const url = clean(href);
  if (!isOfGame(url) || link.closest(".downloads")) return;
  event.preventDefault();
  if (link.id === "answer") {
    // One move, also between two players.
    const was = isAuto;
    isAuto = true;
    settle(turn, "");
    isAuto = was;
  } else if (link.dataset.move !== undefined) play(link.dataset.move);
  else go(url);
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.closest("#play")) return;
  if (form.id === "type") {
    event.preventDefault();
    const text = form.elements.move.value.trim();
    const found = board.moves.find((move) => move.text.toLowerCase() === text.toLowerCase());
    if (found) play(found.text).then(() => $("#move")?.focus());
    else if (!text) problem("Type a move.");
    else problem(`"${text}" is not a legal move here; legal is, for example, ${board.moves[0].text}.`);
  } else if (form.dataset.href) {
    event.preventDefault();
    go(form.dataset.href);
  }
});

// A move that is pointed at is marked on the board.

function point(event) {
  const mark = event.target.closest?.("[data-cells], tr[data-move]");
  if (!mark) {
    if (event.type === "focusin" || event.type === "mouseover") board?.point([]);
    return;
  }
  const move = board.moves.find((one) => one.text === mark.dataset.move);
  const cells = mark.dataset.cells !== undefined ? mark.dataset.cells.split(" ").filter(Boolean).map(Number) : move?.path;
  board.point(cells ?? []);
}
document.addEventListener("mouseover", point);
document.addEventListener("focusin", point);

addEventListener("popstate", () => go(location.href, { push: false }));

const press = (selector) => () => $(`#position ${selector}`)?.click();
Object.assign(keys, {
  h: press("button[name=hints]"),
  u: press("button[name=undo]"),
  n: press("button[name=new]"),
  f: press("button[name=flip]"),
  m: () => $("#move")?.focus(),
  ArrowLeft: press("[data-key=back]"),
  ArrowRight: press("[data-key=on]"),
  Home: press("[data-key=start]"),
  End: press("[data-key=end]"),
});

connect();
const shown = clean(location.href);
if (shown.href !== location.href) history.replaceState(null, "", shown);
if ($("#hints tr[data-move]")) board.take(all("#hints tr[data-move]"));
settle(turn, "");
