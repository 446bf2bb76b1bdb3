// Search trees: growth in steps, and an outline that opens by mouse and keys.

import { $, all, announce, enable, failed, fragment, page, parsed, post, problemAt, showCommand } from "./app.js";

const ROWS_MAX = 200;
const tree = $("#tree");
let work = new AbortController();

/** The search of the page with a number of iterations, as the API takes it. */
function search(iterations) {
  const { game, position = "", moves, player, seed } = tree.dataset;
  return { game, position, moves, seed, player: player.replace(/iterations=\d+/, `iterations=${iterations}`), page };
}

const problem = (words) => problemAt($("#search-problem"), words);

function part(name) {
  const url = new URL(location.href);
  url.searchParams.delete("now");
  const more = { part: name, page: `${page}-part`, iterations: tree.dataset.iterations };
  for (const [key, value] of Object.entries(more)) url.searchParams.set(key, value);
  return fragment(url, work.signal);
}

/** Shows the tree, or its newest state. */
async function show() {
  const parts = await part("tree");
  const row = document.activeElement?.closest("[role=treeitem]")?.dataset.path;
  tree.replaceChildren(...$("#tree", parts).childNodes);
  enable(tree);
  showCommand($("code[data-command]", parts));
  $("main #data").href = $("#data", parts).href;
  rove($("[role=treeitem][aria-selected=true]", tree) ?? $("[role=treeitem]", tree));
  if (row !== undefined) all("[role=treeitem]", tree).find((one) => one.dataset.path === row)?.focus();
}

/** Grows the tree in steps, so that it can be seen growing. */
async function grow(wanted) {
  work.abort();
  work = new AbortController();
  const mine = work;
  problem();
  let shown = 0;
  try {
    for (let n = Math.min(wanted, 4000); ; n = Math.min(wanted, n * 4)) {
      const found = await post("/api/search", search(n), "application/json", { signal: mine.signal });
      if (mine !== work) return;
      $("#growth").textContent = `${found.words}${n < wanted && found.stopped === "iterations" ? ` Growing to ${wanted.toLocaleString("en")}.` : ""}`;
      const isLast = n === wanted || found.stopped !== "iterations";
      // A search that ended early does not go on when the page asks for a part of its tree.
      tree.dataset.iterations = found.iterations;
      if (isLast || performance.now() - shown > 1000) {
        await show();
        shown = performance.now();
      }
      if (isLast) {
        $("#growth").textContent = found.stopped === "time" ? found.words : "";
        announce(found.words);
        return;
      }
    }
  } catch (refusal) {
    if (mine === work) failed(refusal, problem);
  }
}

// The form.

$("#search").addEventListener("submit", (event) => {
  event.preventDefault();
  const url = new URL(location.pathname, location.href);
  for (const [name, value] of new FormData(event.target)) {
    const isDefault = { now: "yes", expansion: "order", merge: "none", backup: "single", counts: "node" }[name] === value;
    if (value.trim() && !isDefault) url.searchParams.set(name, value.trim());
  }
  if (url.searchParams.get("seed") === "1") url.searchParams.delete("seed");
  location.href = url;
});

const growing = $("button[name=grow]");
growing.hidden = false;
growing.addEventListener("click", () => {
  const wanted = Math.min(2 * Number($("#iterations").value.replace(/\D/g, "")), 2_000_000);
  $("#iterations").value = wanted;
  const url = new URL(location.href);
  url.searchParams.set("iterations", wanted);
  url.searchParams.delete("now");
  history.pushState(null, "", url);
  grow(wanted);
});

// The outline.

const rows = () => all("[role=treeitem]", tree);
const level = (row) => Number(row.getAttribute("aria-level"));
const isOpen = (row) => row.getAttribute("aria-expanded") === "true";

function rove(row) {
  if (!row) return;
  all("[role=treeitem][tabindex='0']", tree).forEach((one) => one.setAttribute("tabindex", "-1"));
  row.setAttribute("tabindex", "0");
}

function focus(row) {
  if (!row) return;
  rove(row);
  row.focus();
}

function close(row) {
  row.setAttribute("aria-expanded", "false");
  while (row.nextElementSibling && level(row.nextElementSibling) > level(row)) row.nextElementSibling.remove();
}

async function children(path, from) {
  return post("/api/children", { ...search(tree.dataset.iterations), page: "", path, from }, "application/json", { signal: work.signal });
}

async function open(row) {
  const found = await children(row.dataset.path, 0);
  if (isOpen(row) || !row.isConnected) return;
  row.setAttribute("aria-expanded", "true");
  row.after(parsed(found.html));
  prune(row);
  announce(`${row.dataset.path}: ${found.count} moves.`);
}

/** Opens the next children of a fold. */
async function more(fold) {
  const found = await children(fold.dataset.parent, Number(fold.dataset.from));
  if (!fold.isConnected) return;
  const had = document.activeElement === fold;
  const before = fold.previousElementSibling;
  fold.replaceWith(parsed(found.html));
  const first = before ? before.nextElementSibling : rows()[0];
  prune(first);
  if (had) focus(first);
  announce(`${found.rows.length} rows more.`);
}

/** Closes branches elsewhere while the outline has too many rows. */
function prune(row) {
  const path = row.dataset.path ?? row.dataset.parent;
  const isAbove = (other) => `${path} `.startsWith(`${other.dataset.path} `);
  while (rows().length > ROWS_MAX) {
    const other = rows().findLast((one) => isOpen(one) && !isAbove(one));
    if (!other) return;
    close(other);
  }
}

/** Chooses a node: its board, and its path in the address. */
async function choose(path) {
  const url = new URL(location.href);
  url.searchParams.delete("now");
  if (path) url.searchParams.set("node", path);
  else url.searchParams.delete("node");
  history.replaceState(null, "", url);
  all("[role=treeitem]", tree).forEach((row) => row.setAttribute("aria-selected", row.dataset.path === path));
  try {
    $("#node").replaceWith($("#node", await part("node")));
    announce(`${$("#node h2").textContent}. ${$("#node p")?.textContent ?? ""}`);
  } catch (refusal) {
    failed(refusal, problem);
  }
}

const act = (work) => work.catch((refusal) => failed(refusal, problem));

tree.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const bar = event.target.closest("rect[data-path]");
  if (bar) return act(reach(bar.dataset.path));
  const row = event.target.closest("[role=treeitem]");
  if (!row) return;
  event.preventDefault();
  focus(row);
  if (row.dataset.from !== undefined) return act(more(row));
  act(choose(row.dataset.path));
  if (row.hasAttribute("aria-expanded")) isOpen(row) ? close(row) : act(open(row));
});

/** Chooses a node of the overview and opens the way to it. */
async function reach(path) {
  await choose(path);
  await show();
  focus(rows().find((row) => row.dataset.path === path));
}

tree.addEventListener("mouseover", (event) => {
  const bar = event.target.closest("rect[data-path]");
  if (bar) $("#icicle-words").textContent = `${bar.dataset.path || "Root"}: ${bar.dataset.words}.`;
});

tree.addEventListener("keydown", (event) => {
  const row = event.target.closest("[role=treeitem]");
  if (!row || event.ctrlKey || event.altKey || event.metaKey) return;
  const all = rows();
  const n = all.indexOf(row);
  const isFold = row.dataset.from !== undefined;
  const canOpen = row.hasAttribute("aria-expanded");
  if (event.key === "ArrowDown") focus(all[n + 1]);
  else if (event.key === "ArrowUp") focus(all[n - 1]);
  else if (event.key === "Home") focus(all[0]);
  else if (event.key === "End") focus(all.at(-1));
  else if (event.key === "ArrowRight") {
    if (isFold) act(more(row));
    else if (canOpen && !isOpen(row)) act(open(row));
    else if (canOpen) focus(all[n + 1]);
  } else if (event.key === "ArrowLeft") {
    if (canOpen && isOpen(row)) close(row);
    else focus(all.slice(0, n).findLast((one) => level(one) < level(row)));
  } else if (event.key === "Enter" || event.key === " ") {
    if (isFold) act(more(row));
    else act(choose(row.dataset.path));
  } else return;
  event.preventDefault();
});

addEventListener("popstate", () => location.reload());

if ($("[data-waits]", tree)) grow(Number(tree.dataset.iterations));
else rove($("[role=treeitem][aria-selected=true]", tree) ?? $("[role=treeitem]", tree));
