// Solving mode: a problem on a board, answered move by move. Knows no server: `ask` fetches the page at an
// address, or its part `#problem`, which has the links to all that can be done next.

import { $, all, announce, enable, failed, keys, problemAt } from "./app.js";
import { Board } from "./board.js";

/**
 * Begins to solve the problem of the page. `remember` gets the address of each new state, `record` the attempt
 * when the problem is solved or its solution was asked for. Returns a function that goes to an address.
 */
export function solve({ ask, remember, record }) {
  let board = null;
  let turn = 0; // number of the state; what belongs to an earlier one is dropped
  let [tries, hints, isRecorded, begun] = [1, 0, false, Date.now()];
  const section = () => $("#problem");
  const press = (selector) => () => $(`#problem ${selector}`)?.click();

  function connect() {
    board = new Board(section(), play);
    const { hint } = section().dataset;
    if (hint !== undefined) board.point([Number(hint)]);
  }

  /** Plays a move of the position that is shown. */
  function play(text) {
    const link = all("a[data-move]", section()).find((one) => one.dataset.move === text);
    if (link) go(link.getAttribute("href"));
  }

  /** Shows the state at an address. */
  async function go(href, isBack = false) {
    const mine = ++turn;
    try {
      const next = $("#problem", await ask(href));
      if (mine !== turn || !next) return;
      const at = document.activeElement;
      const [cell, id] = [at?.closest?.("[data-cell]")?.dataset.cell, at?.id];
      section().replaceWith(next);
      enable(next);
      connect();
      if (!isBack) remember(href);
      settle(isBack, cell, id);
    } catch (refusal) {
      if (mine === turn) failed(refusal, (words) => problemAt($("#move-problem"), words));
    }
  }

  /** Says what happened, puts the focus where the keyboard goes on, and counts. */
  function settle(isBack, cell, id) {
    const { judgement, hints: step, shown } = section().dataset;
    announce($("[data-said]", section()).textContent.trim().replace(/\s+/g, " "));
    const isOver = judgement === "solved" || judgement === "slower" || judgement === "wrong";
    const wanted = [
      judgement === "solved" && "button[name=next]",
      isOver && "button[name=retry]",
      id && `#${CSS.escape(id)}`,
      cell && `.cell[data-cell="${CSS.escape(cell)}"]`,
      ".cell[tabindex='0']",
    ].filter(Boolean);
    const next = wanted.map((selector) => $(selector, section())).find(Boolean);
    if (next?.matches(".cell")) board.focus(next);
    else next?.focus({ preventScroll: true });
    if (isBack) return;
    if (judgement === "slower" || judgement === "wrong") tries += 1;
    if (step !== "0") hints += 1;
    const result = judgement === "solved" ? "solved" : shown !== undefined ? "shown" : "";
    if (!result || isRecorded) return;
    isRecorded = true;
    record({ result, tries, hints, seconds: Math.round((Date.now() - begun) / 1000) });
  }

  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const link = event.target.closest("#problem a[data-go], #problem a[data-move]");
    if (!link) return;
    event.preventDefault();
    go(link.getAttribute("href"));
  });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.closest("#problem")) return;
    if (form.id === "type") {
      event.preventDefault();
      const text = form.elements.move.value.trim();
      // As written, in small letters, and without the marks of check and mate.
      const found = [(move) => move.text, (move) => move.text.toLowerCase(), (move) => move.text.toLowerCase().replace(/[+#]+$/, "")].map((of) => board.moves.find((move) => of(move) === of({ text }))).find(Boolean);
      if (found) play(found.text);
      // The server may know other ways to write a move.
      else if ("reads" in form.dataset && text) go(`${form.getAttribute("action")}?${new URLSearchParams(new FormData(form))}`);
      else problemAt($("#move-problem"), text ? `"${text}" is not a legal move here.` : "Type a move.");
    } else if (form.dataset.href) {
      event.preventDefault();
      go(form.dataset.href);
    }
  });

  Object.assign(keys, {
    h: press("button[name=hints]"),
    u: press("button[name=retry]"),
    n: press("button[name=next]"),
    m: () => $("#move")?.focus(),
  });

  connect();
  return Object.assign(go, {
    /** Begins another problem on the same page. */
    again() {
      [tries, hints, isRecorded, begun] = [1, 0, false, Date.now()];
    },
  });
}
