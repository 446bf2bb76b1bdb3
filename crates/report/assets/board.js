// Boards: touching the cells of a move by mouse or keys, and marks on cells.

import { $, all, announce } from "./app.js";

const SVG = "http://www.w3.org/2000/svg";

/** The moves of a position, from the links of a page. */
export function movesOf(root) {
  return all("a[data-move]", root).map((link) => ({
    text: link.dataset.move,
    path: link.dataset.path ? link.dataset.path.split(" ").map(Number) : [],
    forced: Number(link.dataset.forced),
  }));
}

const begins = (path, touched) => touched.every((cell, n) => path[n] === cell);

/** A board on which somebody plays. `play` gets the text of a move. */
export class Board {
  constructor(root, play) {
    this.root = root;
    this.play = play;
    this.grid = $("svg.cells", root);
    this.moves = movesOf(root);
    this.touched = [];
    this.values = new Map();
    this.cells = new Map();
    if (!this.grid) return;
    for (const cell of all("[role=gridcell]", this.grid)) {
      this.cells.set(Number(cell.dataset.n), cell);
      $("a", cell)?.setAttribute("tabindex", "-1");
    }
    const first = $(".cell.begins", this.grid) ?? $(".cell", this.grid);
    first?.setAttribute("tabindex", "0");
    this.grid.addEventListener("click", (event) => {
      const cell = event.target.closest("[role=gridcell]");
      if (!cell || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.focus(cell);
      if (!this.enlarge(event)) this.touch(cell);
    });
    this.grid.addEventListener("keydown", (event) => this.key(event));
    this.grid.addEventListener("focusin", (event) => {
      const cell = event.target.closest("[role=gridcell]");
      if (cell) this.rove(cell);
    });
  }

  rove(cell) {
    all("[tabindex='0']", this.grid).forEach((one) => one.setAttribute("tabindex", "-1"));
    cell.setAttribute("tabindex", "0");
  }

  focus(cell) {
    this.rove(cell);
    cell.focus({ preventScroll: true });
  }

  /** Enlarges a wide board around the first tap of a finger; true if the tap did that. */
  enlarge(event) {
    const board = this.grid.parentElement;
    const is = "wide" in board.dataset && matchMedia("(pointer: coarse) and (max-width: 600px)").matches;
    if (!is || board.classList.contains("large")) return false;
    const box = board.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    board.classList.add("large");
    board.scrollTo(x * board.scrollWidth - board.clientWidth / 2, y * board.scrollHeight - board.clientHeight / 2);
    return true;
  }

  key(event) {
    const cell = event.target.closest("[role=gridcell]");
    if (!cell || event.ctrlKey || event.altKey || event.metaKey) return;
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (way) {
      const next = this.nearest(cell, way);
      if (next) this.focus(next);
    } else if (event.key === "Enter" || event.key === " ") this.touch(cell);
    else if (event.key === "Escape") this.clear();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The nearest cell in a direction; what lies aside counts double. */
  nearest(cell, [dx, dy]) {
    const at = (one) => [Number(one.dataset.x), Number(one.dataset.y)];
    const [x, y] = at(cell);
    let best = null;
    let least = Infinity;
    for (const one of this.cells.values()) {
      const [u, v] = [at(one)[0] - x, at(one)[1] - y];
      const [ahead, aside] = [u * dx + v * dy, Math.abs(u * dy) + Math.abs(v * dx)];
      if (ahead < 0.2 || aside > 2 * ahead) continue;
      const far = ahead + 2 * aside;
      if (far < least) [best, least] = [one, far];
    }
    return best;
  }

  touch(cell) {
    const n = Number(cell.dataset.n);
    const last = this.touched.at(-1);
    let touched = [...this.touched, n];
    let begun = this.moves.filter((move) => move.path.length && begins(move.path, touched));
    if (!begun.length && last === n) return this.clear();
    if (!begun.length) {
      touched = [n];
      begun = this.moves.filter((move) => move.path[0] === n);
    }
    if (!begun.length) {
      this.clear();
      if (this.moves.length) announce(`No move begins at ${cell.dataset.cell}.`);
      return;
    }
    const whole = begun.filter((move) => move.path.length === touched.length);
    const only = begun.length === 1 && begun[0];
    if (only && (whole.length || (touched.length > 1 && touched.length >= only.forced))) {
      this.clear();
      this.play(only.text);
      return;
    }
    this.touched = touched;
    this.mark();
    this.choose(whole, begun.length > whole.length);
    const where = touched.map((one) => this.cells.get(one).dataset.cell).join(" ");
    if (!whole.length) announce(`${where}: ${this.followers().size} cells can follow. Escape cancels.`);
  }

  /** Cells that can follow those that were touched. */
  followers() {
    const next = new Set();
    for (const move of this.moves)
      if (this.touched.length && begins(move.path, this.touched) && move.path.length > this.touched.length)
        next.add(move.path[this.touched.length]);
    return next;
  }

  /** Opens the menu of the moves that were meant, if there are several. */
  choose(moves, canGoOn) {
    const place = $("#choices", this.root);
    place.replaceChildren();
    place.hidden = !moves.length;
    if (!moves.length) return;
    place.append(canGoOn ? "Play this move, or touch the next cell:" : "Choose the move:");
    for (const move of moves) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = move.text;
      button.onclick = () => this.play(move.text);
      place.append(button);
    }
    place.onkeydown = (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      const cell = this.cells.get(this.touched.at(-1));
      this.clear();
      if (cell) this.focus(cell);
    };
    if (!canGoOn) $("button", place).focus();
    announce(`Choose among ${moves.map((move) => move.text).join(", ")}.`);
  }

  clear() {
    this.touched = [];
    this.mark();
    const place = $("#choices", this.root);
    place?.replaceChildren();
    if (place) place.hidden = true;
  }

  /** Shows what was touched, what can follow, and the values of the moves. */
  mark() {
    const next = this.followers();
    const best = new Map();
    for (const move of this.moves) {
      const value = this.values.get(move.text);
      if (!value || !begins(move.path, this.touched)) continue;
      const cell = move.path[this.touched.length];
      if (cell !== undefined && !(best.get(cell)?.rank >= value.rank)) best.set(cell, value);
    }
    for (const [n, cell] of this.cells) {
      cell.classList.toggle("touched", this.touched.includes(n));
      cell.classList.toggle("follows", next.has(n));
      $("text", cell)?.remove();
      const value = best.get(n);
      let words = (cell.dataset.words ??= cell.getAttribute("aria-label"));
      if (next.has(n)) words += ", next cell of the move";
      if (value) {
        words += `, ${value.words}`;
        const text = document.createElementNS(SVG, "text");
        const [x, y] = centre(cell);
        text.setAttribute("x", x);
        text.setAttribute("y", y + ($("circle", cell) ? 19 : 15));
        text.setAttribute("class", `mark ${value.kind}`);
        text.textContent = value.mark;
        cell.append(text);
      }
      cell.setAttribute("aria-label", words);
    }
  }

  /** Takes the values of the moves, the rows of a table of hints. */
  take(rows) {
    this.values.clear();
    rows.forEach((row, n) => {
      const { mark, class: kind } = row.dataset;
      this.values.set(row.dataset.move, { mark, kind, words: row.cells[1].textContent.trim(), rank: -n });
    });
    this.mark();
  }

  /** Marks cells, such as those of a move that is pointed at. */
  point(cells) {
    for (const [n, cell] of this.cells) cell.classList.toggle("marked", cells.includes(n));
  }
}

function centre(cell) {
  const shape = $("rect, circle", cell);
  const of = (name) => Number(shape.getAttribute(name));
  return shape.tagName === "circle" ? [of("cx"), of("cy")] : [of("x") + of("width") / 2, of("y") + of("height") / 2];
}
