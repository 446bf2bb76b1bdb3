// Chess problems: pasted texts are read while somebody types, saved and rated.

import { $, announce, enable, fragment, listeners, mayLack, parsed, post, problemAt, send, sentence } from "./app.js";

const TEXT_MAX = 512 * 1024;
const EXAMPLE = `6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id "back rank";
r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; id "scholar's mate";
5k2/8/8/8/8/8/8/RR5K w - - id "two rooks";
`;
const paste = $("#paste");

/** The page for new problems. */
function pasting() {
  const [text, file, name, place, task] = ["#pasted", "#file", "#name", "#understood", "#task"].map((id) => $(id));
  const start = $("button[name=start]", task);
  const problem = $("#problem", task);
  const suggested = /^(problems(-\d+)?\.\w+)?$/;
  let saved = paste.dataset.saved;
  let reading = null;
  let timer = 0;
  $("#upload").hidden = false;
  const example = $("button[name=example]", paste);
  example.hidden = false;
  example.addEventListener("click", () => {
    text.value = EXAMPLE;
    saved = "";
    read();
  });

  async function read() {
    reading?.abort();
    reading = new AbortController();
    if (!text.value.trim()) return place.replaceChildren();
    try {
      const reply = await send("/api/problems", { text: text.value }, { signal: reading.signal });
      place.replaceChildren(parsed(reply.html));
      if (suggested.test(name.value)) name.value = `problems.${reply.ending}`;
      const errors = reply.bad_rows.length;
      announce(`${reply.problems.length} problems${errors ? `, ${errors} errors` : ""}.`);
      start.disabled = !reply.problems.length;
    } catch (refusal) {
      if (!refusal.error) return;
      const words = document.createElement("p");
      words.className = "problem";
      words.textContent = sentence(refusal);
      place.replaceChildren(words);
      announce(words.textContent);
      start.disabled = true;
    }
  }

  /** Saves the text or a file under a free name. */
  async function save(content) {
    const [, stem, ending] = (name.value.trim() || "problems.epd").match(/^(.*?)(\.\w+)?$/);
    for (let n = 1; ; n++) {
      const free = n === 1 ? stem + (ending ?? "") : `${stem}-${n}${ending ?? ""}`;
      try {
        const path = `${paste.dataset.uploads}?name=${encodeURIComponent(free)}`;
        await post(path, content, "application/octet-stream");
        return free;
      } catch (refusal) {
        if (refusal.status !== 409 || n === 99) throw refusal;
      }
    }
  }

  text.addEventListener("input", () => {
    saved = "";
    clearTimeout(timer);
    timer = setTimeout(read, 300);
  });
  paste.addEventListener("submit", (event) => {
    event.preventDefault();
    read();
  });
  file.addEventListener("change", async () => {
    const [chosen] = file.files;
    if (!chosen) return;
    name.value = chosen.name;
    problemAt(problem);
    try {
      if (chosen.size > TEXT_MAX) location.href = `/chess?file=${encodeURIComponent(await save(chosen))}`;
      else {
        text.value = await chosen.text();
        saved = "";
        read();
      }
    } catch (refusal) {
      problemAt(problem, sentence(refusal));
    }
  });
  // The button starts the run of a file only when the text is one.
  start.addEventListener("click", async (event) => {
    event.stopPropagation();
    start.disabled = true;
    problemAt(problem);
    try {
      if (text.value.trim() && !saved) saved = await save(text.value);
      if (!saved) throw { error: "Paste problems, or choose a file." };
      task.elements.file.value = saved;
      const query = new URLSearchParams();
      for (const [field, value] of new FormData(task)) if (value.trim()) query.append(field, value);
      const form = await fetch(`/chess.json?${query}`).then((answer) => answer.json());
      if (form.error) throw form;
      const run = await send("/api/runs", { task: form.task, title: $("[data-title]", task).value });
      location.href = `/chess/${encodeURIComponent(run.id)}`;
    } catch (refusal) {
      problemAt(problem, sentence(refusal));
      start.disabled = false;
    }
  });
  if (text.value.trim() && !saved) read();
  else start.disabled = false;
}

/** The list of a run, which grows while it works. */
function rating(place) {
  let timer = 0;
  async function refresh() {
    timer = 0;
    const query = new URLSearchParams(location.search);
    query.set("part", "list");
    try {
      const next = await fragment(`${location.pathname}?${query}`);
      if (!place.contains(document.activeElement)) place.replaceChildren(next);
      enable(place);
    } catch {
      // The banner says that the server is gone.
    }
  }
  listeners.add((message) => {
    const mine = message.run === place.dataset.run && message.change !== "progress";
    if (mine || mayLack(message, place)) timer ||= setTimeout(refresh, 300);
  });
}

if (paste) pasting();
if ($("#rated")) rating($("#rated"));
