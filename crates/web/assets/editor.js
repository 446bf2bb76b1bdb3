// Editor of the rules language: a textarea over marks.

import { $, all, announce, asked, bar, listeners, make, parsed, send, sentence } from "./app.js";

const form = $("#editor");
const area = $("#text");
const underlay = $("#underlay");
const list = $("#completions");
const { name, save: path, version, workspace } = form.dataset;
const page = crypto.randomUUID();

/** Tag and text of the file, as this page has seen it. */
let tag = form.dataset.tag;
let saved = version || $("#conflict") ? null : area.value;
let before = area.value;
let marks = [];
let pair = [];

all("button[hidden]", form).forEach((button) => (button.hidden = false));

// Places: lines and columns count from 1, columns in characters.

function rangeOf({ line, column, length }) {
  const text = area.value;
  const skip = (from, n) => from + [...text.slice(from, from + 2 * n)].slice(0, n).join("").length;
  let at = 0;
  for (let n = 1; n < line; n++) at = text.indexOf("\n", at) + 1;
  const from = skip(at, column - 1);
  return { from, to: skip(from, +length) };
}

/** Strings, comments and parentheses. */
const parts = () => area.value.matchAll(/"[^"\n]*"?|;.*|[()]/g);

/** Lists that are open at an offset; null within a string or a comment. */
function openAt(offset) {
  const open = [];
  for (const { 0: part, index } of parts()) {
    if (index >= offset) break;
    if (part === "(") open.push(index);
    else if (part === ")") open.pop();
    else if (offset < index + part.length + (part[0] === ";")) return null;
  }
  return open;
}

/** The parenthesis that closes a list. */
function closing(from) {
  let depth = 0;
  for (const { 0: part, index } of parts()) {
    if (index < from) continue;
    if (part === "(") depth++;
    if (part === ")" && --depth === 0) return index;
  }
  return -1;
}

/** The word around an offset. */
function wordAt(offset) {
  const head = area.value.slice(0, offset).match(/[\w<>=+-]*$/)[0];
  const word = head + area.value.slice(offset).match(/^[\w<>=+-]*/)[0];
  const from = offset - head.length;
  return { from, to: from + word.length, word };
}

// Marks.

function render(ranges = [...marks, ...pair]) {
  const text = area.value;
  const nodes = [];
  let at = 0;
  for (const { from, to, className } of ranges.sort((a, b) => a.from - b.from)) {
    if (from < at || from === to) continue;
    nodes.push(text.slice(at, from), make("mark", { className }, text.slice(from, to)));
    at = to;
  }
  underlay.replaceChildren(...nodes, text.slice(at) + "\n ");
  scroll();
}

const scroll = () => (underlay.scrollTop = area.scrollTop);
area.addEventListener("scroll", scroll);

/** Moves the marks with an edit; those within it go. */
function shift() {
  const now = area.value;
  const least = Math.min(before.length, now.length);
  let [head, tail] = [0, 0];
  while (head < least && before[head] === now[head]) head++;
  while (tail < least - head && before.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const by = now.length - before.length;
  const end = before.length - tail;
  marks = marks
    .filter(({ from, to }) => to < head || from > end)
    .map((mark) => (mark.from >= end ? { ...mark, from: mark.from + by, to: mark.to + by } : mark));
  before = now;
}

function select({ from, to }) {
  area.focus();
  area.setSelectionRange(from, to);
  render([{ from, to: to + 1 }]);
  area.scrollTop = $("mark", underlay).offsetTop - area.clientHeight / 3;
  render();
}

/** Replaces the selection; it can be undone. */
function insert(text) {
  area.focus();
  document.execCommand(text ? "insertText" : "delete", false, text);
}

function replaceAll(text) {
  const at = area.selectionStart;
  area.focus();
  area.select();
  insert(text);
  area.setSelectionRange(at, at);
}

// Checks: mistakes at once, the game after a pause.

let timer = 0;
let asking = new AbortController();

const ask = (stage, text) => send(form.dataset.check, { text, stage, page }, { signal: asking.signal });

async function check() {
  asking.abort();
  asking = new AbortController();
  const text = area.value;
  const found = await ask("mistakes", text).catch(failed);
  if (!found || area.value !== text) return;
  $("#checked").replaceChildren(parsed(found.problems));
  taken();
  const [first, second] = found.errors;
  announce(first ? `${second ? `${found.errors.length} mistakes` : "A mistake"}. Line ${first.line}: ${first.message}.` : "No mistakes.");
  const game = $("#game");
  $(".stale", game)?.remove();
  if (!first) timer = setTimeout(() => show(text), 300);
  else if (game.childElementCount) game.prepend(make("p", { className: "stale note" }, "This is the last text without mistakes."));
}

async function show(text) {
  const found = await ask("game", text).catch(failed);
  if (found?.game && area.value === text) $("#game").replaceChildren(parsed(found.game));
}

function failed(refusal) {
  if (!refusal.error || refusal.status === 409) return;
  $("#checked > .problem")?.remove();
  $("#checked").append(make("p", { className: "problem" }, sentence(refusal)));
  announce(refusal.error);
}

/** Takes the problems that are listed. */
function taken() {
  marks = all("#problems li").map((one) => ({ ...rangeOf(one.dataset), className: "wrong" }));
  all("#problems button").forEach((button) => (button.hidden = false));
  render();
}

document.addEventListener("click", (event) => {
  const place = event.target.closest("[data-line]");
  if (!place) return;
  const button = event.target.closest("button[data-replace]");
  if (button) {
    select(rangeOf(place.dataset));
    insert(button.dataset.replace);
  } else if (event.target.closest("a")) {
    event.preventDefault();
    select(rangeOf(place.dataset));
  }
});

function nextProblem() {
  const mistakes = all("#problems li");
  const places = mistakes[0] ? mistakes : all("#warnings li");
  const found = places.map((one) => ({ ...rangeOf(one.dataset), words: one.textContent }));
  if (!found[0]) return announce("There are no problems.");
  const next = found.find((one) => one.from > area.selectionStart) ?? found[0];
  select(next);
  announce(next.words);
}

// Words at the cursor, and completions.

const words = all("#words [data-word]").map((one) => ({
  word: one.dataset.word,
  of: one.dataset.of,
  pattern: $("dt", one).textContent,
  meaning: $("dd", one).textContent,
  node: one,
}));

/** Tests whether a word may stand in a list that begins with one of others. */
function fits(one, heads) {
  const asks = new RegExp(one.of === "CLAUSE" ? `\\[\\(${one.word} ` : one.of ? `[ [|(]${one.of}\\b` : "$.");
  return heads.some(({ word, pattern }) => one.of === word || asks.test(pattern));
}

/** Meanings of a word that may stand there, or all of them. */
function fitting(word, heads) {
  const all = words.filter((one) => one.word === word);
  const some = all.filter((one) => fits(one, heads));
  return some.length ? some : all;
}

/** Meanings of the first word of the list around a place; null in strings and comments. */
function headsAt(from) {
  const open = openAt(from);
  if (open?.at(-1) === from - 1) open.pop();
  return open && open.reduce((heads, at) => fitting(wordAt(at + 1).word, heads), [{ word: "", pattern: "" }]);
}

function atCursor() {
  const at = area.selectionStart;
  const lines = area.value.slice(0, at).split("\n");
  $("#place").textContent = `Line ${lines.length}, column ${[...lines.at(-1)].length + 1}`;
  const open = openAt(at)?.at(-1);
  const end = open === undefined ? -1 : closing(open);
  pair = end < 0 ? [] : [open, end].map((from) => ({ from, to: from + 1, className: "paren" }));
  render();
  const around = wordAt(at);
  const heads = headsAt(around.from);
  const shown = heads ? fitting(around.word, heads) : [];
  $("#word-box").hidden = !shown.length;
  $("#word").replaceChildren(...shown.flatMap((one) => [...one.node.cloneNode(true).children]));
}

let choices = [];
let chosen = 0;

function complete() {
  const at = area.selectionStart;
  const around = wordAt(at);
  const begin = area.value.slice(around.from, at);
  const heads = headsAt(around.from);
  if (!heads) return;
  const own = [...new Set(area.value.match(/[a-z][\w-]+/g))]
    .filter((word) => word !== around.word && !words.some((one) => one.word === word))
    .map((word) => ({ word, of: "KIND", pattern: word, meaning: "a name or a word of this text" }));
  const seen = new Set();
  choices = [...words, ...own]
    .filter((one) => one.word.startsWith(begin))
    .sort((a, b) => fits(b, heads) - fits(a, heads))
    .filter((one) => !seen.has(one.word) && seen.add(one.word))
    .slice(0, 8);
  chosen = 0;
  if (!choices.length) return close("There is no such word.");
  list.replaceChildren(
    ...choices.map(({ pattern, meaning }, n) =>
      make("li", { id: `choice-${n}`, role: "option" }, make("code", {}, pattern), " ", meaning),
    ),
  );
  list.hidden = false;
  choose(0);
}

function choose(by) {
  chosen = (chosen + by + choices.length) % choices.length;
  [...list.children].forEach((item, n) => item.setAttribute("aria-selected", n === chosen));
  list.children[chosen].scrollIntoView({ block: "nearest" });
  area.setAttribute("aria-activedescendant", `choice-${chosen}`);
  announce(`${choices[chosen].pattern}: ${choices[chosen].meaning}`);
}

function close(words) {
  list.hidden = true;
  area.removeAttribute("aria-activedescendant");
  if (words) announce(words);
}

function accept() {
  const { word } = choices[chosen];
  const around = wordAt(area.selectionStart);
  close();
  area.setSelectionRange(around.from, around.to);
  insert(word);
}

area.setAttribute("aria-autocomplete", "list");
area.setAttribute("aria-controls", "completions");
area.addEventListener("blur", () => close());
list.addEventListener("mousedown", (event) => {
  event.preventDefault();
  chosen = [...list.children].indexOf(event.target.closest("li"));
  if (chosen >= 0) accept();
});

area.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  const moves = { ArrowDown: () => choose(1), ArrowUp: () => choose(-1), Enter: accept, Tab: accept, Escape: () => close() };
  if (event.key === " " && event.ctrlKey) {
    event.preventDefault();
    complete();
  } else if (!list.hidden && moves[event.key]) {
    event.preventDefault();
    moves[event.key]();
  } else if (event.key === "Enter" && !event.ctrlKey && !event.shiftKey && !event.altKey) {
    // The next line begins below this one.
    event.preventDefault();
    const line = area.value.slice(0, area.selectionStart).split("\n").at(-1);
    insert("\n" + line.match(/^ */)[0]);
  }
});

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "s") {
    event.preventDefault();
    save();
  } else if (event.key === "F8") {
    event.preventDefault();
    nextProblem();
  }
});

document.addEventListener("selectionchange", () => {
  if (document.activeElement === area) atCursor();
});

// Saving. A file that has changed is not replaced without being asked.

/** Says something; each button ends it. */
function tell(words, buttons = {}, more = "") {
  const box = $("#message");
  for (const [label, act] of Object.entries(buttons)) buttons[label] = () => (tell(), act());
  box.replaceChildren(...(words ? [make("p", {}, words), bar(buttons), more] : []));
  box.hidden = !words;
  announce(words);
}

const told = (refusal) => tell(sentence(refusal), { Close: () => {} });

async function save() {
  const text = area.value;
  const headers = tag ? { "if-match": `"${tag}"` } : { "if-none-match": "*" };
  try {
    settled((await send(path, { text }, { headers })).tag, text);
    tell();
    announce("Saved.");
  } catch (refusal) {
    (refusal.html === undefined ? told : conflict)(refusal);
  }
}

/** The file has this text. */
async function settled(now, text) {
  [tag, saved] = [now, text];
  all("#opened, #conflict").forEach((one) => one.remove());
  if (location.search) history.replaceState(null, "", location.pathname);
  changed();
  const answer = await fetch(`${location.pathname}?part=saved`).catch(() => null);
  if (answer?.ok) {
    const isOpen = $("#versions")?.open;
    $("#saved").replaceChildren(parsed(await answer.text()));
    if (isOpen && $("#versions")) $("#versions").open = true;
  }
}

function load(now, text) {
  replaceAll(text);
  settled(now, area.value);
}

/** Offers what can be done about a file with another text, or about one that is gone. */
function conflict({ tag: now, text, html }) {
  if (!now) return tell(`${name} was removed since you opened it.`, { "Save it again": () => ((tag = ""), save()) });
  const fold = make("details", {}, make("summary", {}, "Compare: the text on disk, and yours"), parsed(html));
  const buttons = { "Keep mine": () => ((tag = now), save()), "Load that one": () => load(now, text) };
  tell(`${name} changed on disk since you opened it. Compare, keep yours, or load that one.`, buttons, fold);
}

/** Looks whether somebody else has changed the file. */
async function look() {
  if (!$("#message").hidden || !tag) return;
  const answer = await fetch(location.pathname, { method: "HEAD" }).catch(() => null);
  if (answer?.status === 404) return conflict({});
  const now = answer?.ok && answer.headers.get("etag")?.replaceAll('"', "");
  if (!now || now === tag) return;
  const text = area.value;
  const found = await send(form.dataset.differences, { file: name, text }).catch(() => null);
  if (!found || found.tag === tag) return;
  if (text === saved) {
    load(found.tag, found.text);
    announce(`${name} changed on disk and was loaded again.`);
  } else conflict(found);
}

addEventListener("focus", look);
listeners.add((message) => {
  if (message.change === "text" && message.file === name && message.tag !== tag) look();
});

async function saveAs() {
  const given = await asked("Name of the new text", name.replace(/(\.rules)?$/, "-2.rules"));
  if (!given) return;
  const file = given.endsWith(".rules") ? given : `${given}.rules`;
  const to = form.dataset.new + file.split("/").map(encodeURIComponent).join("/");
  const reply = await send(to, { text: area.value }, { headers: { "if-none-match": "*" } }).catch(told);
  if (!reply) return;
  drop();
  location.href = reply.href;
}

async function format() {
  const text = area.value;
  const reply = await send(form.dataset.check, { text, stage: "format" }).catch(told);
  if (!reply || area.value !== text) return;
  if (reply.formatted) replaceAll(reply.formatted);
  announce(reply.formatted ? "Formatted." : "The text cannot be formatted: its parentheses do not match.");
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  save();
});
$("[name=format]", form).onclick = format;
$("[name=save-as]", form).onclick = saveAs;
$("[name=next-problem]", form).onclick = nextProblem;

// Drafts stay in this browser until they are saved.

const key = `treegauge-draft ${workspace} ${name}`;
let keeping = 0;

function drop() {
  clearTimeout(keeping);
  localStorage.removeItem(key);
}

/** Notes whether the text is saved, and keeps one that is not. */
function changed() {
  const isSaved = area.value === saved;
  $("#unsaved").hidden = isSaved;
  clearTimeout(keeping);
  if (isSaved) return drop();
  keeping = setTimeout(() => {
    try {
      localStorage.setItem(key, JSON.stringify({ text: area.value, at: Date.now() }));
    } catch {
      announce("This browser keeps no draft; save your changes.");
    }
  }, 200);
}

area.addEventListener("input", () => {
  shift();
  render();
  changed();
  clearTimeout(timer);
  timer = setTimeout(check, 100);
  if (!list.hidden) complete();
});

const draft = JSON.parse(localStorage.getItem(key));
if (draft && draft.text !== area.value && !version) {
  tell(`Changes of ${new Date(draft.at).toLocaleString()} were not saved.`, { Restore: () => replaceAll(draft.text), Discard: drop });
} else changed();
taken();
if (!$("#problems li") && !("whole" in $("#game").dataset)) show(area.value);
