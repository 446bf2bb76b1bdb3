"""Checks of the generator's gallery, comparisons, recorded games, studies and strangers; `browser.py` runs them."""

import http.server
import json
import os
import re
import threading
import urllib.error
import urllib.request

from __main__ import CHROMIUM, FLAGS, Tabs, holds, text_of, until

# A run of the generator that takes a few seconds.
FEW = dict(
    {"from": ["tic_tac_toe", "isolation"]}, games=8, generation=4, best=2, iterations=40, gauge_games=6,
    glance_games=4, glance_iterations=20, model="none",
)


def prepare(bench):
    """Runs whose pages the checks of all routes look at, too."""
    runs = [
        bench.start(command="generate", **FEW),
        bench.start(command="match", game="tic_tac_toe", a="uct(iterations=20)", b="random", games=6, sprt="elo0=0,elo1=50"),
        bench.start(command="collect", games="achi", iterations=20, instances=2),
    ]
    for run in runs:
        bench.wait(run, "done")


def three_sizes_are_compared(browser, bench):
    """33: better, worse or not distinguishable, with games needed; back to the form with all options."""
    tabs = Tabs(browser, bench)
    tab = tabs.open("/new/compare")
    tab.fill("[name=names]", "connect_four(cols=5..7)")
    tab.fill("[name=games]", "6")
    tab.fill("[name=iterations]", "40")
    tab.fill("[name=seed]", "5")
    holds(tab, "document.querySelector('[data-command]').textContent.includes('--seed=5')")
    tab.click("button[name=start]")
    tab.wait_for_selector("[data-run][data-state=done]", timeout=90_000)
    rows = tab.locator("table", has_text="not distinguishable").first.inner_text()
    assert "draws" in rows and "games of each would show it" in rows, rows
    assert tab.locator("td.tone", has_text="not distinguishable").count() > 3
    assert len(tab.locator("table", has_text="not distinguishable").first.locator("th").all()) == 3
    tab.click("text=New run with these options")
    tab.wait_for_selector("#task")
    filled = {name: tab.input_value(f"[name={name}]") for name in ("names", "games", "iterations", "seed")}
    assert filled == {"names": "connect_four(cols=5..7)", "games": "6", "iterations": "40", "seed": "5"}, filled
    assert not tabs.messages, tabs.messages
    tabs.close()


def games_are_generated_and_one_is_edited(browser, bench):
    """39: the funnel grows; the gallery, a lineage, Keep, and Edit a copy, which opens a text that checks."""
    tabs = Tabs(browser, bench)
    query = "from=isolation%0Atic_tac_toe&generation=10&best=4&iterations=400&gauge_games=30&model=none"
    tab = tabs.open(f"/new/generate?{query}")
    tab.fill("[name=games]", "30")
    holds(tab, "document.querySelector('[data-command]').textContent.includes('--games=30')")
    tab.click("button[name=start]")
    tab.wait_for_url("**/runs/*")
    tab.evaluate("window.stays = true")
    seen = set()

    def is_over():
        texts = tab.evaluate("[...document.querySelectorAll('#run svg text')].map(one => one.textContent)")
        # "valid and new game: 16 of 27": the candidates that entered each gate.
        entered = [int(found[1]) for found in (re.search(r": \d+ of (\d+)", one) for one in texts) if found]
        if entered:
            seen.add(sum(entered))
        return tab.query_selector("[data-run][data-state=done]")

    until(is_over, "the games are made", 300)
    assert len(seen) >= 2, f"the funnel grows: {seen}"
    assert tab.evaluate("window.stays"), "the page was loaded again"
    tab.wait_for_selector("#gallery [data-game]")
    tab.wait_for_selector("#gallery .thumb svg")
    cards = tab.locator("#gallery [data-game]").count()
    tab.select_option("#gallery [name=order]", "number")
    holds(tab, "location.search.includes('order=number')")
    tab.wait_for_timeout(300)
    numbers = tab.evaluate("[...document.querySelectorAll('#gallery [data-game]')].map(one => +one.dataset.game)")
    assert len(numbers) == cards and numbers == sorted(numbers), numbers
    tab.click("#gallery [data-game] a")
    tab.wait_for_selector("main[data-page=made]")
    assert tab.locator("#lineage ins").count() > 0, tab.inner_text("#lineage")
    assert "start text" in tab.inner_text("#lineage")
    tab.fill("#copy-name", "kept.rules")
    tab.click("button[name=keep]")
    tab.wait_for_selector(".kept a")
    assert text_of(bench, "kept.rules").startswith("(game")
    tab.fill("#copy-name", "edited.rules")
    tab.click("button[name=edit]")
    tab.wait_for_url("**/texts/edited.rules")
    holds(tab, "document.querySelector('#checked').textContent.includes('No mistakes.')")
    tab.click("#moves summary")
    tab.fill("#rename-to", "renamed.rules")
    tab.click("#moves button:text('Rename')")
    tab.wait_for_url("**/texts/renamed.rules")
    tab.click("#moves summary")
    tab.click("#moves button:text('Delete')")
    tab.click("dialog button:text('Yes')")
    tab.wait_for_url("**/texts")
    assert not os.path.exists(bench.home + "/ws/renamed.rules")
    # The editor asks for a text that is being moved.
    messages = [words for words in tabs.messages if "404" not in words]
    assert not messages, messages
    tabs.close()


def recorded_games_are_walked_by_keys(browser, bench):
    """A recorded game move by move by keys; the games that show a gap follow the slider; the keys in a dialog."""
    run = bench.start(command="match", game="connect_four", a="uct(iterations=40)", b="random", games=10)
    bench.wait(run, "done")
    tabs = Tabs(browser, bench)
    tab = tabs.open(f"/runs/{run}")
    before = tab.inner_text("#power-result")
    tab.locator("#gap").focus()
    tab.keyboard.press("ArrowRight")
    until(lambda: tab.inner_text("#power-result") != before, "the games follow the gap")
    assert "gap=" in tab.url and tab.inner_text("output") == "4.5%", tab.url
    tab.click("text=Recorded games, move by move")
    tab.click("#games tbody a >> nth=0")
    tab.wait_for_selector("#recorded")
    plies = int(tab.get_attribute("#recorded [data-plies]", "data-plies"))
    tab.evaluate("window.stays = true")

    def at(ply):
        holds(tab, f"document.querySelector('#recorded [data-ply]').dataset.ply === '{ply}'")

    at(plies)
    for key, ply in (("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", plies)):
        tab.keyboard.press(key)
        at(ply)
        said = tab.inner_text("#recorded [data-said]")
        holds(tab, f"document.querySelector('#status').textContent === {json.dumps(said)}")
    tab.go_back()
    at(1)
    assert tab.evaluate("window.stays"), "the page was loaded again"
    tab.keyboard.press("?")
    tab.wait_for_selector("dialog[open] kbd")
    tab.keyboard.press("Escape")
    tab.wait_for_selector("dialog", state="detached")
    assert not tabs.messages, tabs.messages
    tabs.close()


def a_study_names_what_it_lacks(browser, bench):
    """40: missing instances named; an evaluation; tables to download."""
    run = bench.start(command="collect", games="achi,othello", iterations=200, instances=60)
    journal = f"{bench.home}/ws/runs/{run}/result/instances.jsonl"
    until(lambda: os.path.exists(journal) and sum(1 for _ in open(journal)) > 5, "some instances are played")
    bench.ask(f"/api/runs/{run}/pause", {})
    until(lambda: bench.run(run)["state"] in ("paused", "done"), "the collection pauses")
    tabs = Tabs(browser, bench)
    tab = tabs.open("/studies")
    tab.click(f"#datasets [data-dataset*='{run}'] a")
    tab.wait_for_selector("main[data-page=study]")
    assert "of othello" in tab.inner_text("#missing"), tab.inner_text("main")
    bench.ask(f"/api/runs/{run}/stop", {}) if bench.run(run)["state"] == "running" else None
    whole = bench.start(command="collect", games="all", iterations=6, instances=2)
    bench.wait(whole, "done")
    tab.goto(f"{bench.origin}/studies/runs/{whole}/result")
    assert not tab.query_selector("#missing")
    with tab.expect_download() as download:
        tab.click("#tables a:text('trees.csv')")
    with open(download.value.path()) as table:
        assert table.readline().startswith("game,"), "a table with a header"
    assert "read_parquet" in tab.inner_text("#code")
    tab.locator("ul.actions").get_by_text("Evaluate", exact=True).click()
    tab.wait_for_selector("#task")
    assert whole in tab.input_value("[name=datasets]")
    tab.fill("[name=permutations]", "0", force=True) if tab.is_visible("[name=permutations]") else None
    tab.click("button[name=start]")
    tab.wait_for_selector("[data-run][data-state=done]", timeout=180_000)
    assert "playable" in tab.inner_text(".report")
    evaluation = tab.get_attribute("[data-run]", "data-run")
    tab.goto(f"{bench.origin}/studies/runs/{whole}/result")
    assert tab.query_selector(f"#resting [data-run='{evaluation}']"), tab.inner_text("#resting")
    assert not tabs.messages, tabs.messages
    tabs.close()


class Evil(http.server.BaseHTTPRequestHandler):
    """A page of another origin that tries to use the workbench."""

    target = ""

    def do_GET(self):
        page = f"""<!DOCTYPE html><title>evil</title><body>
<iframe id=frame src="{self.target}/"></iframe>
<img id=image src="{self.target}/games/achi/play/board.svg">
<form id=form method=post enctype="text/plain" action="{self.target}/api/runs"><input name='{{"task":{{"command":"perft","game":"achi","depth":1}},"x":"' value='"}}'></form>"""
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(page.encode())

    def log_message(self, *_):
        pass


# Reads and changes that a page of another origin tries; what it gets.
TRIES = """async (target) => {
  const got = [];
  const attempt = async (name, path, options) => {
    try {
      const answer = await fetch(target + path, { credentials: "include", ...options });
      const text = await answer.text();
      if (answer.type !== "opaque" && text) got.push([name, answer.status, text.slice(0, 80)]);
    } catch {}
  };
  await attempt("read", "/runs.json", {});
  await attempt("read without CORS", "/runs.json", { mode: "no-cors" });
  const task = JSON.stringify({ task: { command: "perft", game: "achi", depth: 1 } });
  await attempt("start", "/api/runs", { method: "POST", body: task, headers: { "content-type": "application/json" } });
  await attempt("start without CORS", "/api/runs", { method: "POST", body: task, mode: "no-cors" });
  await new Promise((done) => setTimeout(done, 300));
  if (image.naturalWidth) got.push(["image", image.naturalWidth]);
  return got;
}"""


def strangers_read_and_change_nothing(browser, bench):
    """42: another port, another name that leads to the server, and a frame read and change nothing."""
    Evil.target = bench.origin
    evil = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Evil)
    threading.Thread(target=evil.serve_forever, daemon=True).start()
    runs = len(bench.ask("/runs.json")["runs"])
    tabs = Tabs(browser, bench)
    for host in ("127.0.0.1", "localhost"):
        tab = tabs.open()
        tab.goto(f"http://{host}:{evil.server_port}/")
        got = tab.evaluate(TRIES, bench.origin)
        assert got == [], f"a page of {host} at another port got {got}"
        framed = [frame.evaluate("document.documentElement.innerText") for frame in tab.frames[1:]]
        assert framed and not any("treegauge" in text for text in framed), framed
        tab.evaluate("form.submit()")
        tab.wait_for_timeout(500)
        tab.close()
    # A name of somebody else that leads to this machine, as after rebinding.
    flags = FLAGS + ["--host-resolver-rules=MAP evil.test 127.0.0.1"]
    other = browser.browser_type.launch(executable_path=CHROMIUM, args=flags)
    tab = other.new_page()
    answer = tab.goto(f"http://evil.test:{bench.port}/healthz")
    assert answer.status == 421, answer.status
    tab.goto(f"http://evil.test:{evil.server_port}/")
    assert tab.evaluate(TRIES, f"http://evil.test:{bench.port}") == []
    other.close()
    request = urllib.request.Request(bench.origin + "/runs.json", headers={"Host": f"evil.test:{bench.port}"})
    try:
        urllib.request.urlopen(request)
        raise AssertionError("a foreign name was answered")
    except urllib.error.HTTPError as error:
        assert error.code == 421, error.code
    assert len(bench.ask("/runs.json")["runs"]) == runs, "a stranger started a run"
    evil.shutdown()
    tabs.close()


CHECKS = [
    three_sizes_are_compared,
    games_are_generated_and_one_is_edited,
    recorded_games_are_walked_by_keys,
    a_study_names_what_it_lacks,
    strangers_read_and_change_nothing,
]

QUICK = [recorded_games_are_walked_by_keys, strangers_read_and_change_nothing]
