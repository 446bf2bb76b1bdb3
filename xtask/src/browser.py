"""Checks of the workbench in a browser: `cargo xtask browser` runs this with the program and Chromium."""

import importlib.resources
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

from playwright.sync_api import sync_playwright

PROGRAM, CHROMIUM = map(os.path.abspath, sys.argv[1:3])
QUICK = "--quick" in sys.argv
# The program is a build for tests, on a machine that may do much else.
SLACK = 3
# Names of the checks that are run; all if there are none.
ONLY = [word for word in sys.argv[3:] if word != "--quick"]
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()


class Bench:
    """A server on a workspace of its own."""

    def __init__(self, home, port=0, options=()):
        self.home = home
        os.makedirs(home + "/ws", exist_ok=True)
        env = dict(os.environ, XDG_STATE_HOME=home + "/state", HOME=home)
        words = [PROGRAM, "serve", home + "/ws", "--port", str(port), "--no-open", "--json", *options]
        self.process = subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.serving = json.loads(self.process.stdout.readline())
        self.origin = self.serving["origin"]
        self.port = int(self.origin.rsplit(":", 1)[1])

    def ask(self, path, body=None):
        head = {"Authorization": "Bearer " + self.serving["key"], "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.origin + path, data, head)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read())

    def start(self, **task):
        return self.ask("/api/runs", {"task": task})["id"]

    def run(self, id):
        return next(run for run in self.ask("/runs.json")["runs"] if run["id"] == id)

    def wait(self, id, state):
        until(lambda: self.run(id)["state"] == state, f"{id} becomes {state}")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def until(holds, what, seconds=60):
    end = time.time() + seconds
    while not holds():
        assert time.time() < end, what
        time.sleep(0.05)


def holds(tab, expression):
    """Waits until an expression holds. The policy of the pages forbids Playwright's own way."""
    until(lambda: tab.evaluate(expression), expression)


class Tabs:
    """Tabs of one browser session, whose messages are kept."""

    def __init__(self, browser, bench, **options):
        self.bench, self.messages, self.requests = bench, [], []
        self.context = browser.new_context(**options)
        # The other checks leave little of the processor to the page and to the server.
        self.context.set_default_timeout(120_000)
        self.context.on("request", lambda request: self.requests.append(request.url))
        first = self.open()
        first.goto(bench.origin + "/open?code=" + bench.ask("/api/codes", {})["code"])
        self.first = first

    def open(self, path=None):
        tab = self.context.new_page()
        tab.on("console", lambda message: self.messages.append(message.text))
        tab.on("pageerror", lambda error: self.messages.append(str(error)))
        if path:
            tab.goto(self.bench.origin + path)
        return tab

    def close(self):
        self.context.close()


def paths(bench):
    asked = bench.ask("/api/routes")["routes"]
    skipped = ("/open", "/events", "/assets/")
    return [one["path"] for one in asked if one["method"] == "GET" and not one["path"].startswith(skipped)]


def is_page(path):
    files = (".json", ".html", ".txt", ".svg", ".csv", ".dot", "/log")
    return not path.endswith(files) and not path.startswith(("/files/", "/api/", "/healthz"))


def pages_are_quiet_and_fit(browser, bench):
    """26, 28: empty console, no outside request, nothing scrolls sideways at 360 pixels or at 200%."""
    looks = [(scheme, width) for scheme in ("light", "dark") for width in (1200, 600, 360)]
    for scheme, width in [("light", 360), ("dark", 1200)] if QUICK else looks:
        tabs = Tabs(browser, bench, color_scheme=scheme, viewport={"width": width, "height": 800})
        for path in filter(is_page, paths(bench)):
            tabs.first.goto(bench.origin + path)
            tabs.first.wait_for_selector("main[data-page]")
            over = tabs.first.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert over <= 0, f"{path} at {width}: {over} pixels too wide"
            small = tabs.first.evaluate(
                "[...document.querySelectorAll('button, input, select, textarea')]"
                ".filter(e => e.checkVisibility() && Math.min(e.offsetWidth, e.offsetHeight) < 24)"
                ".map(e => e.outerHTML)"
            )
            assert not small, f"{path}: {small}"
        assert not tabs.messages, tabs.messages
        outside = [url for url in tabs.requests if not url.startswith((bench.origin, "data:"))]
        assert not outside, outside
        tabs.close()


AXE = (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text()


def serious(tab):
    """Violations in a page that axe-core calls serious or critical."""
    tab.evaluate(AXE)
    found = tab.evaluate("axe.run().then(found => found.violations.map(one => [one.impact, one.id, one.nodes[0].html.slice(0, 200)]))")
    return [one for one in found if one[0] in ("serious", "critical")]


def axe_finds_nothing_serious(browser, bench):
    """27: axe-core finds no serious violation in either theme, nor on a phone, nor at 200%."""
    looks = [(scheme, width) for width in (1280, 360, 640) for scheme in ("light", "dark")]
    for scheme, width in looks[:1] if QUICK else looks:
        tabs = Tabs(browser, bench, color_scheme=scheme, viewport={"width": width, "height": 800})
        for path in filter(is_page, paths(bench)):
            tabs.first.goto(bench.origin + path)
            found = serious(tabs.first)
            assert not found, f"{path}, {scheme}, {width}: {found}"
        tabs.close()


def practice_files_fit_and_are_accessible(browser, bench):
    """27, 28, 37: a practice file from disk, in either theme, on a screen and on a phone."""
    files = [path for path in paths(bench) if path.endswith("practice.html")]
    assert len(files) == 2, files
    for n, path in enumerate(files):
        head = {"Authorization": "Bearer " + bench.serving["key"]}
        file = f"{bench.home}/practice-{n}.html"
        with urllib.request.urlopen(urllib.request.Request(bench.origin + path, None, head)) as answer, open(file, "wb") as written:
            written.write(answer.read())
        for scheme in ("light", "dark"):
            for width in (1280, 360):
                context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 800}, offline=True)
                page = context.new_page()
                page.goto("file://" + file)
                page.wait_for_selector(".cell")
                over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                assert over <= 0, f"{path} at {width}: {over} pixels too wide"
                found = serious(page)
                assert not found, f"{path}, {scheme}, {width}: {found}"
                context.close()


def a_run_is_live_in_two_tabs(browser, bench):
    """32: verdict and progress change in two tabs without reload; pause, resume and stop by mouse and key."""
    tabs = Tabs(browser, bench)
    form = tabs.open("/new/gauge")
    form.fill("[name=game]", "othello")
    form.fill("[name=games]", "300")
    form.fill("[name=iterations]", "100")
    holds(form, "document.querySelector('[data-command]').textContent.includes('--games=300')")
    form.click("button[name=start]")
    form.wait_for_url("**/runs/*")
    path = form.url[len(bench.origin):]
    other = tabs.open(path)
    for tab in (form, other):
        tab.evaluate("window.stays = true")
        tab.wait_for_selector("[data-run][data-state=running]")
        holds(tab, "document.querySelector('[data-progress]')?.textContent.includes('games')")
        tab.wait_for_selector("#verdict[data-verdict]", timeout=60_000)
    before = other.inner_text("[data-progress]")
    until(lambda: other.inner_text("[data-progress]") != before, "progress changes")
    reports = [tab.inner_text("section.report") for tab in (form, other)]
    for tab, before in zip((form, other), reports):
        until(lambda: tab.inner_text("section.report") != before, "the report of the work until now changes")
    form.click("button[name=pause]")
    for tab in (form, other):
        tab.wait_for_selector("[data-run][data-state=paused]")
        holds(tab, "document.querySelector('#status').textContent.includes('paused')")
    other.locator("body").press("p")
    for tab in (form, other):
        tab.wait_for_selector("[data-run][data-state=running]")
    form.locator("button[name=stop]").focus()
    form.keyboard.press("Enter")
    for tab in (form, other):
        tab.wait_for_selector("[data-run][data-state=stopped]")
        assert tab.evaluate("window.stays"), "the page was loaded again"
    streams = [url for url in tabs.requests if url.endswith("/events")]
    assert len(streams) < 6, streams
    assert not tabs.messages, tabs.messages
    tabs.close()


def a_run_that_ends_before_its_page_listens_is_seen(browser, bench):
    """32: a page catches up with what changed between its HTML and its stream, alone and behind another tab."""
    for held, is_alone in (("**/events", True), ("**/app.js", False)):
        tabs = Tabs(browser, bench)
        if is_alone:
            tabs.first.close()
        run = bench.start(command="match", game="othello", a="uct(iterations=300)", b="random", games=40)

        def hold(route):
            bench.wait(run, "done")
            route.continue_()

        tab = tabs.open()
        tab.route(held, hold)
        begun = tab.goto(f"{bench.origin}/runs/{run}", wait_until="commit")
        assert 'data-state="running"' in begun.text() or 'data-state="queued"' in begun.text()
        tab.wait_for_selector("[data-run][data-state=done]")
        assert not tabs.messages, tabs.messages
        tabs.close()


def a_wrong_field_is_named(browser, bench):
    """A problem stands at its field, and the form keeps what was filled in."""
    tabs = Tabs(browser, bench)
    form = tabs.open("/new/gauge?game=achi")
    form.fill("[name=games]", "0")
    form.wait_for_selector("[data-field=games] .problem:not([hidden])")
    assert form.get_attribute("[name=games]", "aria-invalid") == "true"
    assert form.input_value("[name=game]") == "achi"
    tabs.close()


def colours_can_be_chosen(browser, bench):
    """The switch of the colours wins over the system, on all pages."""
    tabs = Tabs(browser, bench, color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = tabs.open("/help").evaluate(ground)
    help = tabs.open("/help")
    help.select_option("[data-setting=colours]", "light")
    assert help.evaluate(ground) != dark
    assert tabs.open("/runs").evaluate(ground) != dark
    help.select_option("[data-setting=colours]", "")
    assert help.evaluate(ground) == dark
    tabs.close()


def command_lines_are_for_the_chosen_shell(browser, bench):
    """4: command lines are quoted for PowerShell where that is chosen, also those that a form renews."""
    tabs = Tabs(browser, bench)
    help = tabs.open("/help")
    form = tabs.open("/new/match?game=achi&a=random&b=random&sprt=elo0%3D0%2Celo1%3D50")
    command = "document.querySelector('[data-command]').textContent"
    assert " --sprt=elo0=0,elo1=50 " in form.evaluate(command), form.evaluate(command)
    help.select_option("[data-setting=shell]", "powershell")
    holds(form, f"{command}.includes(\" '--sprt=elo0=0,elo1=50' \")")
    form.fill("[name=games]", "8")
    holds(form, f"{command}.includes(' --games=8 ') && {command}.includes(\" '--sprt=elo0=0,elo1=50' \")")
    form.reload()
    holds(form, f"{command}.includes(\" '--sprt=elo0=0,elo1=50' \")")
    help.select_option("[data-setting=shell]", "")
    holds(form, f"{command}.includes(' --sprt=elo0=0,elo1=50 ')")
    assert not tabs.messages, tabs.messages
    tabs.close()


def a_game_is_chosen_by_the_board(browser, bench):
    """7: what was filled in stays while a game is chosen from the catalog."""
    tabs = Tabs(browser, bench)
    form = tabs.open("/new/gauge")
    form.fill("[name=games]", "8")
    holds(form, "location.search.includes('games=8')")
    form.click("text=Choose by the board")
    form.wait_for_url("**/games?**")
    form.fill("#filter", "achi")
    form.click("#catalog li:visible a")
    form.wait_for_url("**/new/gauge?**")
    assert form.input_value("[name=games]") == "8" and form.input_value("[name=game]") == "achi"
    form.goto(bench.origin + "/new/compare?names=nim")
    form.click("text=Add by the board")
    form.wait_for_url("**/games?**")
    form.click("#catalog li:has(b:text-is('kalah')) a")
    form.wait_for_url("**/new/compare?**")
    assert form.input_value("[name=names]") == "nim\nkalah", form.input_value("[name=names]")
    assert not tabs.messages, tabs.messages
    tabs.close()


def ten_tabs_share_one_stream(browser, bench):
    """41: ten tabs hold one stream; the eleventh page loads; a leader that is closed has a successor."""
    tabs = Tabs(browser, bench)
    many = [tabs.open("/runs") for _ in range(10)]

    def streams():
        # Playwright hears of requests while it waits for a tab.
        many[0].wait_for_timeout(100)
        return len([url for url in tabs.requests if url.endswith("/events")])

    many[0].wait_for_timeout(500)
    assert streams() == 1
    begun = time.time()
    tabs.open("/").wait_for_selector("main")
    assert time.time() - begun < 1 * SLACK, f"the eleventh page took {time.time() - begun:.1f} s"
    tabs.first.close()
    until(lambda: streams() == 2, "another tab listens", 2 * SLACK)
    many[0].close()
    tabs.close()


def hostile_names_are_text(browser, bench):
    """43: titles, file names and names of games are shown as text."""
    evil = "<img src=x onerror=\"window.hit=1\"><script>window.hit=1</script>"
    with open(bench.home + "/ws/<img src=x onerror=window.hit=1>.txt", "w") as file:
        file.write(evil)
    run = bench.ask("/api/runs", {"task": {"command": "gauge", "game": evil}, "title": evil})["id"]
    bench.wait(run, "failed")
    bench.ask(f"/api/runs/{run}/edit", {"note": evil})
    tabs = Tabs(browser, bench)
    with open(bench.home + "/ws/<img src=x onerror=window.hit=1>.rules", "w") as file:
        file.write(f"(game \"{evil.replace(chr(34), '')}\" (about \"</textarea>{evil.replace(chr(34), '')}\")\n (board {evil}")
    hostile_text = "/texts/%3Cimg%20src%3Dx%20onerror%3Dwindow.hit%3D1%3E.rules"
    for path in ("/", "/texts", hostile_text, "/runs", f"/runs/{run}", "/files", "/new/gauge?game=%3Cimg%20src%3Dx%20onerror%3D%22window.hit%3D1%22%3E"):
        tab = tabs.open(path)
        assert tab.evaluate("window.hit === undefined && !document.querySelector('img, main script')"), path
        tab.close()
    assert not tabs.messages, tabs.messages
    tabs.close()


def pages_are_complete_without_scripts(browser, bench):
    """44: pages can be read, options of games and lists chosen, and texts saved, without scripts."""
    tabs = Tabs(browser, bench, java_script_enabled=False)
    for path in filter(is_page, paths(bench)):
        tabs.first.goto(bench.origin + path)
        assert len(tabs.first.inner_text("main")) > 60, path
    tabs.first.goto(bench.origin + "/games/mnk")
    tabs.first.fill("[name=rows]", "5")
    tabs.first.click("main form button[type=submit]")
    assert "rows=5" in tabs.first.inner_text("h1"), tabs.first.url
    tabs.first.goto(bench.origin + "/texts")
    tabs.first.fill("[name=name]", "plain.rules")
    tabs.first.click("text=Create and edit")
    assert tabs.first.url.endswith("/texts/plain.rules"), tabs.first.inner_text("main")
    tabs.first.fill("#text", text_of(bench, "plain.rules") + "; by a form\n")
    tabs.first.click("button[name=save]")
    assert text_of(bench, "plain.rules").endswith("; by a form\n"), tabs.first.inner_text("main")
    tabs.close()


def a_page_survives_the_server(browser, bench):
    """45: a banner when the server is gone; the page goes on without reload when it is back."""
    tabs = Tabs(browser, bench)
    run = bench.start(command="match", game="othello", a="uct(iterations=300)", b="random", games=200)
    tab = tabs.open(f"/runs/{run}")
    tab.wait_for_selector("[data-run][data-state=running]")
    tab.evaluate("window.stays = true")
    bench.kill()
    tab.wait_for_selector("#banner:not([hidden])", timeout=5_000)
    assert "treegauge serve" in tab.inner_text("#banner")
    again = Bench(bench.home, bench.port)
    tab.wait_for_selector("#banner", state="hidden", timeout=20_000)
    tab.wait_for_selector("[data-run][data-state=interrupted]", timeout=20_000)
    tab.click("button[name=resume]")
    tab.wait_for_selector("[data-run][data-state=running]")
    tab.click("button[name=stop]")
    tab.wait_for_selector("[data-run][data-state=stopped]")
    assert tab.evaluate("window.stays"), "the page was loaded again"
    tabs.close()
    again.kill()


def text_of(bench, name):
    with open(f"{bench.home}/ws/{name}") as file:
        return file.read()


def put_cursor(tab, before):
    """Puts the cursor behind a part of the text."""
    tab.focus("#text")
    script = "before => { const at = text.value.indexOf(before) + before.length; text.setSelectionRange(at, at) }"
    tab.evaluate(script, before)


def underlined(tab):
    return tab.evaluate("[...document.querySelectorAll('#underlay mark.wrong')].map(one => one.textContent)")


# Times from a key to a new underline, which the page takes itself.
KEY_TO_UNDERLINE = """async (times) => {
  const wait = () => new Promise(requestAnimationFrame);
  const wrong = () => document.querySelectorAll('#underlay mark.wrong').length;
  const taken = [];
  for (let n = 0; n < times; n++) {
    const at = text.value.indexOf('forward', text.value.length / 2);
    text.focus();
    text.setSelectionRange(at + 3, at + 3);
    const begun = performance.now();
    document.execCommand('insertText', false, 'x');
    while (!wrong()) await wait();
    taken.push(performance.now() - begun);
    document.execCommand('delete');
    while (wrong()) await wait();
  }
  return taken.sort((a, b) => a - b);
}"""


def a_designer_makes_a_game_and_gauges_it(browser, bench):
    """31: from a built-in text to a verdict: a wrong word is underlined and repaired by its button."""
    tabs = Tabs(browser, bench)
    begun, actions = time.time(), 0

    def act(work, *words):
        nonlocal actions
        actions += 1
        return work(*words)

    tab = tabs.open("/")
    act(tab.click, "text=Write a game of your own")
    act(tab.select_option, "[name=from]", "breakthrough")
    act(tab.click, "text=Create and edit")
    tab.wait_for_selector("main[data-page=text]")
    act(put_cursor, tab, "(step man for")
    act(tab.keyboard.press, "Backspace")
    typed = time.time()
    until(lambda: underlined(tab) == ["foward"], "the wrong word is underlined")
    waited = time.time() - typed
    assert waited < 0.4 * SLACK, f"underlined after {waited:.2f} s"
    item = tab.locator("#problems li")
    places = [item.get_attribute("data-" + name) for name in ("line", "column", "length")]
    assert places == ["6", "23", "6"], places
    assert "board" in tab.inner_text("#game").lower() and tab.is_visible("#game .stale")
    act(tab.click, "#problems button[data-replace=forward]")
    holds(tab, "!document.querySelector('#problems li') && !document.querySelector('.stale')")
    assert underlined(tab) == [] and "(step man forward)" in tab.input_value("#text")
    act(tab.keyboard.press, "Control+s")
    holds(tab, "document.querySelector('#status').textContent.includes('Saved')")
    act(tab.locator("#saved").get_by_text("Play", exact=True).click)
    holds(tab, "document.querySelector('#position')?.dataset.plies === '0'")
    act(tab.click, "details.legal summary")
    act(tab.click, "a[data-move='a2-a3']")
    holds(tab, "document.querySelector('#position').dataset.plies === '2'")
    act(tab.click, "a[data-move='h2-h3']")
    holds(tab, "document.querySelector('#position').dataset.plies === '4'")
    act(tab.goto, bench.origin + "/texts/mygame.rules")
    act(tab.locator("#saved").get_by_text("Gauge", exact=True).click)
    tab.wait_for_selector("[name=budget]")
    assert "digest=" in tab.input_value("[name=game]")
    act(tab.select_option, "[name=budget]", "quick")
    act(tab.click, "button[name=start]")
    tab.wait_for_selector("#verdict[data-verdict]", timeout=90_000)
    tab.wait_for_selector("[data-run][data-state=done]", timeout=90_000)
    assert actions <= 15, actions
    assert time.time() - begun < 90 * SLACK, time.time() - begun
    assert not tabs.messages, tabs.messages
    tabs.close()


def the_editor_completes_words_and_finds_problems(browser, bench):
    """Words at the cursor, completion, the next problem and formatting, by keys alone."""
    bench.ask("/api/texts", {"name": "words.rules", "from": "breakthrough"})
    tabs = Tabs(browser, bench)
    tab = tabs.open("/texts/words.rules")
    put_cursor(tab, "(step man forward-dia")
    tab.keyboard.press("ArrowRight")
    holds(tab, "document.querySelector('#word').textContent.includes('forward and aside')")
    assert tab.evaluate("document.querySelectorAll('#underlay mark.paren').length") == 2
    put_cursor(tab, "(grid 8")
    tab.keyboard.press("Backspace")
    tab.keyboard.type("6")
    holds(tab, "document.querySelector('#game').textContent.includes('16 moves')")
    assert tab.is_visible("#unsaved")
    tab.keyboard.press("Control+s")
    holds(tab, "document.querySelector('#unsaved').hidden")
    assert "(grid 6 8)" in text_of(bench, "words.rules")
    put_cursor(tab, "(play (or (st")
    tab.keyboard.press("Control+Space")
    tab.wait_for_selector("#completions:not([hidden]) [aria-selected=true]")
    assert tab.inner_text("#completions [aria-selected=true] code").startswith("(step "), tab.inner_text("#completions")
    tab.keyboard.press("Enter")
    assert "(or (step man forward)" in tab.input_value("#text")
    put_cursor(tab, "(if (none")
    tab.keyboard.type("x")
    put_cursor(tab, "(board (grid")
    tab.keyboard.type("x")
    holds(tab, "document.querySelectorAll('#problems li').length === 2")
    tab.keyboard.press("F8")
    assert tab.evaluate("text.value.slice(text.selectionStart, text.selectionEnd)") == "nonex"
    tab.keyboard.press("F8")
    assert tab.evaluate("text.value.slice(text.selectionStart, text.selectionEnd)") == "gridx"
    tab.keyboard.type("grid")
    tab.keyboard.press("F8")
    tab.keyboard.type("none")
    holds(tab, "!document.querySelector('#problems li')")
    tab.keyboard.press("Control+End")
    tab.keyboard.type("\n\n\n")
    tab.click("button[name=format]")
    holds(tab, "!text.value.endsWith('\\n\\n')")
    tab.focus("#text")
    tab.keyboard.press("Control+z")
    holds(tab, "text.value.endsWith('\\n\\n')")
    assert not tabs.messages, tabs.messages
    tabs.close()


def no_writer_loses_a_text(browser, bench):
    """Drafts come back; a file that changed meanwhile is compared before it is replaced."""
    bench.ask("/api/texts", {"name": "shared.rules", "from": "achi"})
    tabs = Tabs(browser, bench)
    one = tabs.open("/texts/shared.rules")
    put_cursor(one, "(game ")
    one.keyboard.type("; draft\n")
    one.wait_for_timeout(500)
    one.close()
    one = tabs.open("/texts/shared.rules")
    assert "; draft" not in one.input_value("#text")
    one.click("#message button:text('Restore')")
    assert "; draft" in one.input_value("#text")
    path = bench.home + "/ws/shared.rules"
    theirs = text_of(bench, "shared.rules").replace("(game", "; theirs\n(game")
    with open(path, "w") as file:
        file.write(theirs)
    one.keyboard.press("Control+s")
    one.wait_for_selector("#message details")
    assert text_of(bench, "shared.rules") == theirs, "the file is unchanged"
    one.click("#message summary")
    shown = one.inner_text("#message")
    assert "theirs" in shown and "draft" in shown and one.is_visible("#message del"), shown
    one.click("#message button:text('Keep mine')")
    until(lambda: "; draft" in text_of(bench, "shared.rules"), "mine is saved")
    holds(one, "document.querySelector('#versions')?.textContent.includes('(3)')")
    # A tab without changes of its own follows the file.
    other = tabs.open("/texts/shared.rules")
    put_cursor(one, "; draft")
    one.keyboard.type(" two")
    one.keyboard.press("Control+s")
    holds(other, "text.value.includes('; draft two')")
    one.click("button[name=save-as]")
    one.fill("dialog input", "copy")
    one.keyboard.press("Enter")
    one.wait_for_url("**/texts/copy.rules")
    assert "; draft two" in text_of(bench, "copy.rules")
    messages = [words for words in tabs.messages if "409" not in words]
    assert not messages, messages
    tabs.close()


def a_key_is_answered_soon(browser, bench):
    """23: from a key to the underline, in a text of 10 kB."""
    text = text_of(bench, "words.rules").replace("(pieces", "(about \"" + "a text of many words, " * 40 + "\")\n  (pieces")
    steps = "\n            ".join("(step man forward (only-if (some (and theirs (next to all)))))" for _ in range(57))
    steps = steps.replace("(step man forward (", "(step man forward-diagonal (", 20)
    text = text.replace("(play (or ", f"(play (or {steps}\n            ")
    text += "; a comment\n" * ((10_000 - len(text)) // 12)
    with open(bench.home + "/ws/long.rules", "w") as file:
        file.write(text)
    tabs = Tabs(browser, bench)
    tab = tabs.open("/texts/long.rules")
    assert 9_900 < len(tab.input_value("#text")) < 10_500, len(text)
    assert not tab.query_selector("#problems li"), tab.inner_text("#problems")
    tab.wait_for_timeout(1_000)
    times = tab.evaluate(KEY_TO_UNDERLINE, 40)
    p95 = times[int(0.95 * len(times))]
    print(f"key to underline of {len(text):,} bytes: median {times[len(times) // 2]:.0f} ms, p95 {p95:.0f} ms")
    assert p95 < 250 * 3, times
    assert not tabs.messages, tabs.messages
    tabs.close()


def pages_are_small_and_soon_painted(browser, bench):
    """Section 10 and the decisions: bytes of scripts, requests and first paint."""
    tabs = Tabs(browser, bench)
    for path in filter(is_page, paths(bench)):
        tabs.first.goto(bench.origin + path)
        scripts = "performance.getEntriesByType('resource').filter(one => one.name.endsWith('.js')).map(one => one.decodedBodySize)"
        loaded = sum(tabs.first.evaluate(scripts))
        assert 0 < loaded <= 60_000 or "worksheet" in path, f"{path} loads {loaded} bytes of scripts"
    # A browser that has nothing of the workbench yet.
    fresh = Tabs(browser, bench)
    tab = fresh.first
    holds(tab, "performance.getEntriesByType('paint').length > 0")
    paint = tab.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    print(f"first paint of /: {paint:.0f} ms")
    assert paint < 500 * SLACK, paint
    loaded = tab.evaluate("performance.getEntriesByType('resource').map(one => one.name)")
    loaded = [name for name in loaded if not name.endswith("/events")]
    assert len(loaded) < 5, loaded
    fresh.close()
    tabs.close()


CHECKS = [
    pages_are_quiet_and_fit,
    axe_finds_nothing_serious,
    practice_files_fit_and_are_accessible,
    pages_are_small_and_soon_painted,
    a_wrong_field_is_named,
    colours_can_be_chosen,
    command_lines_are_for_the_chosen_shell,
    a_game_is_chosen_by_the_board,
    a_run_is_live_in_two_tabs,
    a_run_that_ends_before_its_page_listens_is_seen,
    ten_tabs_share_one_stream,
    hostile_names_are_text,
    pages_are_complete_without_scripts,
    a_designer_makes_a_game_and_gauges_it,
    the_editor_completes_words_and_finds_problems,
    no_writer_loses_a_text,
    a_key_is_answered_soon,
    a_page_survives_the_server,
]

QUICK_CHECKS = [
    pages_are_quiet_and_fit,
    axe_finds_nothing_serious,
    a_wrong_field_is_named,
    colours_can_be_chosen,
    command_lines_are_for_the_chosen_shell,
    a_game_is_chosen_by_the_board,
    a_run_is_live_in_two_tabs,
    a_run_that_ends_before_its_page_listens_is_seen,
    hostile_names_are_text,
    pages_are_complete_without_scripts,
    the_editor_completes_words_and_finds_problems,
    no_writer_loses_a_text,
]


def main():
    import browser_chess
    import browser_gallery
    import browser_play
    import browser_solved

    failed = 0
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as home:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        bench = Bench(home)
        with open(home + "/ws/a.txt", "w") as file:
            file.write("text")
        bench.ask("/api/texts", {"name": "first.rules", "from": "oware"})
        with open(home + "/ws/two.epd", "w") as file:
            file.write("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#;\n8/8/8/8/8/5k2/6q1/7K w - -\n")
        chess = bench.start(command="difficulty", file="two.epd", depth=4)
        bench.wait(chess, "done")
        run = bench.start(command="gauge", game="connect_four", games=8, iterations=60)
        bench.wait(run, "done")
        # Their pages are looked at, too.
        browser_solved.solved(bench)
        browser_solved.puzzles(bench)
        browser_gallery.prepare(bench)
        quick = QUICK_CHECKS + browser_solved.CHECKS + browser_gallery.QUICK
        whole = browser_play.CHECKS + browser_solved.CHECKS + browser_chess.CHECKS + CHECKS
        for check in quick if QUICK else browser_gallery.CHECKS + whole:
            if ONLY and check.__name__ not in ONLY:
                continue
            begun = time.time()
            try:
                check(browser, bench)
                said = "passed"
            except Exception as error:
                failed += 1
                said = f"FAILED: {error}"
            print(f"{check.__name__}: {said} ({time.time() - begun:.1f} s)", flush=True)
        browser.close()
        bench.process.kill()
    sys.exit(1 if failed else 0)


main()
