// A page in solving mode: its states come from the server, and attempts go there.

import { $, announce, fragment, send } from "./app.js";
import { solve } from "./solving.js";

const name = $("#solver");
name.value = localStorage.getItem("treegauge-solver") ?? "";
name.addEventListener("input", () => localStorage.setItem("treegauge-solver", name.value.trim()));

const go = solve({
  ask(href) {
    const url = new URL(href, location.href);
    url.searchParams.set("part", "problem");
    return fragment(url);
  },
  remember(href) {
    history.pushState(null, "", href);
  },
  async record(attempt) {
    try {
      await send("/api/attempts", { problem: $("#solve").dataset.problem, solver: name.value.trim(), ...attempt });
    } catch (refusal) {
      announce(refusal.error);
    }
  },
});

addEventListener("popstate", () => go(location.href, true));
