// A practice file: problems with their solutions, encoded. Has what pages of the workbench get from the server.

const $ = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const keys = {};
const enable = () => {};

/** Announces a change, once. */
let said = "";
function announce(words) {
  if (!words || words === said) return;
  said = words;
  $("#status").textContent = words;
}

/** Shows and announces a problem; hides it without words. */
function problemAt(place, words = "") {
  if (place) place.textContent = words;
  if (place) place.hidden = !words;
  announce(words);
}

const failed = (refusal, tell) => tell(String(refusal.message ?? refusal));

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
  if (event.target.closest("input")) return;
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

/*MODULES*/

/** Makes an element. Attributes without a value are left out. */
function make(kind, fields = {}, ...children) {
  const node = kind.startsWith("svg:")
    ? document.createElementNS("http://www.w3.org/2000/svg", kind.slice(4))
    : document.createElement(kind);
  for (const [name, value] of Object.entries(fields)) if (value !== undefined && value !== null) node.setAttribute(name, value);
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

const hidden = Uint8Array.from(atob($("#data").textContent), (c) => c.charCodeAt(0));
const data = JSON.parse(new TextDecoder().decode(hidden.map((byte, n) => byte ^ (n * 167 + 43))));
let number = Math.min(Math.max(Number(location.hash.slice(1)) || 1, 1), data.problems.length);
const problem = () => data.problems[number - 1];
const places = () => data.places[problem().place];

/** Parts of a board: a list, or its changes from the board of the problem. */
function parts(board, first) {
  if (board[0] !== -1) return board;
  const list = [...first];
  for (let n = 1; n < board.length; n += 2) list[board[n]] = board[n + 1];
  return list;
}

const picture = (board) => parts(board, problem().board).map((n) => data.lines[n]).join("\n");
const contents = (words) => parts(words, problem().words).map((n) => data.texts[n]);

const address = (moves, more = {}) => "?" + new URLSearchParams({ ...(moves.length ? { moves: moves.join(" ") } : {}), ...more });

/** The state after some moves of both sides. */
function walk(moves) {
  const state = { node: problem().nodes[0], moves: [], words: "", defences: [], after: 0, last: problem().last };
  let n = 0;
  while (n < moves.length) {
    const found = state.node?.moves.find((move) => move.text === moves[n]);
    if (!found) throw new Error(`${moves[n]} is not a legal move here.`);
    n += 1;
    state.moves.push(found.text);
    const [words, judgement] = [data.texts[found.words], found.judgement];
    Object.assign(state, { words, judgement, defences: [], last: found.last ?? found.path, board: found.board, contents: found.contents });
    if (judgement !== "go_on") {
      state.node = null;
      break;
    }
    let next = found;
    if (found.replies.length) {
      const chosen = found.replies.find((reply) => reply.moves.every((text, k) => moves[n + k] === text));
      if (!chosen && n < moves.length) throw new Error(`${moves[n]} is not a defence of this file.`);
      next = chosen ?? found.replies[0];
      Object.assign(state, { defences: found.replies, chosen: next, after: state.moves.length, last: next.last });
      state.words = [words, data.texts[next.words]].join(" ");
      state.moves.push(...next.moves);
      n += next.moves.length;
    }
    state.node = next.then === null ? null : problem().nodes[next.then];
    if (!state.node) Object.assign(state, { judgement: "solved", board: next.board, contents: next.contents });
  }
  if (state.node) Object.assign(state, { board: state.node.board, contents: state.node.contents });
  return state;
}

/** The rest of the main line. */
function line(state) {
  const moves = [];
  let node = state.node;
  while (node) {
    const best = node.moves[node.best];
    moves.push(best.text);
    const reply = best.replies?.[0];
    if (reply) moves.push(...reply.moves);
    const then = reply ? reply.then : best.then;
    node = then === null || then === undefined ? null : problem().nodes[then];
  }
  return moves;
}

function grid(state) {
  const words = contents(state.contents);
  const begins = new Set((state.node?.moves ?? []).map((move) => move.path[0]));
  const svg = make("svg:svg", { class: "cells", role: "grid", "aria-label": problem().label, viewBox: places().view });
  let [row, at] = [null, null];
  for (const n of places().order) {
    const [name, x, y, shape, ...size] = places().cells[n];
    if (!row || y !== at) svg.append((row = make("svg:g", { role: "row" })));
    at = y;
    const [can, last] = [begins.has(n), state.last.includes(n)];
    const label = [name, words[n], can && "can move", last && "last move"].filter(Boolean).join(", ");
    const names = shape ? ["x", "y", "width", "height"] : ["cx", "cy", "r"];
    const outline = make(shape ? "svg:rect" : "svg:circle", Object.fromEntries(names.map((one, k) => [one, size[k]])));
    const kind = ["cell", can && "begins", last && "last"].filter(Boolean).join(" ");
    const fields = { role: "gridcell", class: kind, "data-cell": name, "data-n": n, "data-x": x, "data-y": y, "aria-label": label, tabindex: -1 };
    row.append(make("svg:g", fields, outline));
  }
  return svg;
}

const button = (name, words, href) =>
  make("form", { class: "button", "data-href": href }, make("button", { type: "submit", name }, words));

/** The part of the page that changes, as `solve` expects it. */
function section(query) {
  const moves = (query.get("moves") ?? "").split(" ").filter(Boolean);
  const state = walk(moves);
  const best = state.node?.moves[state.node.best];
  const rest = query.get("show") === "solution" ? line(state) : [];
  let step = best ? Number(query.get("hint") ?? 0) : 0;
  if (step === 1 && !best.path.length) step = 2;
  const hint = step === 1 ? ` Hint: the move begins at ${places().cells[best.path[0]][0]}.` : step ? ` Hint: ${best.text}.` : "";
  const mark = { go_on: "✓ ", solved: "✓ ", slower: "↷ ", wrong: "✗ " }[state.judgement] ?? "";
  const words = state.words || `Your move as ${problem().solver}.`;
  const isRetry = state.judgement === "slower" || state.judgement === "wrong";
  const box = make("div", { class: "cells-board", "data-size": places().size, "data-wide": places().isWide ? "" : null });
  const holder = document.createElement("template");
  holder.innerHTML = picture(state.board);
  box.append(holder.content, grid(state));
  const legal = state.node?.moves ?? [];
  const to = (list, more) => address(list, more);
  const item = (attributes, text) => make("li", {}, make("a", attributes, text));
  return make(
    "section",
    {
      id: "problem", class: "play", "data-judgement": state.judgement, "data-hints": step,
      "data-hint": step === 1 ? best.path[0] : null, "data-shown": rest.length ? "" : null, "data-moves": state.moves.join(" "),
    },
    make(
      "div",
      { class: "left" },
      box,
      make("div", { id: "choices", class: "bar", hidden: "" }),
      make("p", { id: "move-problem", class: "problem", role: "alert", hidden: "" }),
    ),
    make(
      "div",
      { class: "right" },
      make(
        "div",
        { class: "judgement", "data-of": state.judgement },
        make(
          "p",
          {},
          make("span", { "aria-hidden": "true" }, mark),
          make("span", { "data-said": "" }, words + (state.judgement === "go_on" ? " Your move." : "") + hint),
        ),
      ),
      make(
        "nav",
        { class: "bar", "aria-label": "Help and next problem" },
        isRetry ? button("retry", "Retry", to(state.moves.slice(0, -1))) : state.moves.length ? button("retry", "From the beginning", to([])) : null,
        legal.length && !rest.length && step < 2 ? button("hints", step ? "Show the move" : "Hint", to(state.moves, { hint: step + 1 })) : null,
        legal.length && !rest.length ? button("solution", "Show solution", to(state.moves, { show: "solution" })) : null,
        number < data.problems.length ? make("button", { type: "button", name: "next" }, "Next") : null,
      ),
      legal.length
        ? make(
            "form",
            { id: "type", class: "bar" },
            make("label", { for: "move" }, "Move"),
            make("input", { id: "move", name: "move", autocomplete: "off", size: 10 }),
            make("button", { type: "submit" }, "Play"),
          )
        : null,
      legal.length
        ? make(
            "details",
            { class: "legal", ...(legal.every((move) => !move.path.length) ? { open: "" } : {}) },
            make("summary", {}, `${legal.length} legal moves`),
            make(
              "ul",
              { class: "legal" },
              ...legal.map((move) =>
                item({ "data-move": move.text, "data-path": move.path.join(" "), "data-forced": move.forced, href: to([...state.moves, move.text]) }, move.text),
              ),
            ),
          )
        : null,
      rest.length ? make("h2", {}, "Solution") : null,
      rest.length
        ? make(
            "ol",
            { class: "line", id: "solution" },
            ...rest.map((text, n) => item({ "data-go": "", href: to([...state.moves, ...rest.slice(0, n + 1)]) }, `${state.moves.length + n + 1}. ${text}`)),
          )
        : null,
      state.defences.length > 1 && state.judgement === "go_on"
        ? make(
            "details",
            { class: "defences" },
            make("summary", {}, "Other defences"),
            make(
              "ul",
              { class: "legal" },
              ...state.defences.map((reply) =>
                item(
                  { "data-go": "", "aria-current": reply === state.chosen ? "true" : null, href: to([...state.moves.slice(0, state.after), ...reply.moves]) },
                  `${reply.moves.join(" ")} (${reply.value})`,
                ),
              ),
            ),
          )
        : null,
      state.moves.length ? make("h2", {}, "Moves") : null,
      make(
        "ol",
        { class: "line" },
        ...state.moves.map((text, n) => item({ "data-go": "", href: to(state.moves.slice(0, n + 1)) }, `${n + 1}. ${text}`)),
      ),
    ),
  );
}

// The list of problems, and the results.

const results = data.problems.map(() => null);

function list() {
  const place = $("#list");
  place.replaceChildren(
    ...data.problems.map((one, n) => {
      const result = results[n];
      const words = !result ? "" : result.result === "solved" ? " ✓" : " (shown)";
      return make("li", {}, make("a", { href: `#${n + 1}`, "aria-current": n + 1 === number ? "true" : null }, `${n + 1}${words}`));
    }),
  );
  const rows = results.flatMap((one, n) => (one ? [`${n + 1},${one.result},${one.tries},${one.seconds},${one.hints}`] : []));
  $("#results").textContent = rows.length ? ["problem,result,tries,seconds,hints", ...rows].join("\n") : "Nothing is solved yet.";
}

const holder = () => {
  const parent = document.createDocumentFragment();
  return { with: (node) => (parent.append(node), parent) };
};

function show() {
  $("#title").textContent = problem().title;
  $("#task-words").textContent = problem().task;
  $("#problem").replaceWith(section(new URLSearchParams()));
  list();
}

show();
const go = solve({
  ask: async (href) => holder().with(section(new URLSearchParams(href.slice(1)))),
  remember() {},
  record(attempt) {
    results[number - 1] = attempt;
    list();
  },
});

function open(next) {
  number = next;
  history.replaceState(null, "", `#${next}`);
  $("#title").textContent = problem().title;
  $("#task-words").textContent = problem().task;
  go.again();
  go("?", true);
  list();
}

document.addEventListener("click", (event) => {
  if (event.target.closest("button[name=next]")) open(number + 1);
  const link = event.target.closest("#list a");
  if (!link) return;
  event.preventDefault();
  open(Number(link.getAttribute("href").slice(1)));
});
