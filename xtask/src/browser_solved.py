"""Checks of solved games and puzzles in a browser."""

import os

from __main__ import Tabs, holds, until

SOLVED = "connect_four(cols=5,rows=4)"


def solved(bench):
    """The path of the solution of a game, which a run makes once."""
    run = next((run for run in bench.ask("/runs.json")["runs"] if "solve" in run["id"]), None)
    if not run:
        run = {"id": bench.start(command="solve", game=SOLVED)}
    bench.wait(run["id"], "done")
    return f"runs/{run['id']}/output.tgs"


def puzzles(bench):
    """The name of a run of puzzles, which is made once."""
    run = next((run for run in bench.ask("/runs.json")["runs"] if "puzzles" in run["id"]), None)
    if not run:
        run = {"id": bench.start(command="puzzles", source="achi", mate_in="2..", top="2")}
    bench.wait(run["id"], "done")
    return run["id"]


def report(bench, run):
    return bench.ask(f"/runs/{run}.json")


def position_of(tab, landscape, link):
    """Follows a link of a landscape to a position. A page has 0.8 s to find one, which may be too little on a busy machine."""
    for _ in range(10):
        tab.goto(landscape)
        tab.click(link)
        tab.wait_for_selector("#explorer")
        if "in the time of a page" not in tab.inner_text("main"):
            return
    raise AssertionError(f"{link} finds no position")


def the_explorer_has_the_values_of_probe(browser, bench):
    """35: moves have the values of `probe`; a bar of the landscape opens a position of its remoteness."""
    path = "/solved/" + solved(bench)
    tabs = Tabs(browser, bench)
    tab = tabs.open(path)
    tab.evaluate("window.stays = true")

    def is_probed(moves):
        data = bench.ask(f"{path}.json?moves={'+'.join(moves)}")
        rows = tab.evaluate(
            "[...document.querySelectorAll('#moves-table tr[data-move]')].map(row => [row.dataset.move, row.dataset.plies, row.cells[1].innerText])"
        )
        expected = [[row["move"], row["remoteness"]] for row in data["moves"]]
        assert [[move, int(plies)] for move, plies, _ in rows] == expected, (rows, expected)
        for (_, _, words), row in zip(rows, data["moves"]):
            assert {"win": "wins", "lose": "loses", "tie": "tie", "draw": "endless"}[row["value"]] in words, words

    is_probed([])
    tab.click("[data-cell=b1]")
    holds(tab, "new URLSearchParams(location.search).get('moves') === 'b'")
    is_probed(["b"])
    assert len(tab.query_selector_all(".cell .mark")) == 5
    tab.locator("body").press("b")
    holds(tab, "new URLSearchParams(location.search).get('moves')?.split(' ').length === 2")
    moves = tab.evaluate("new URLSearchParams(location.search).get('moves').split(' ')")
    is_probed(moves)
    history = tab.evaluate("[...new Set([...document.querySelectorAll('svg[data-history] [data-ply]')].map(one => one.dataset.ply))].length")
    assert history == 3, history
    command = "document.querySelector('[data-command]').textContent"
    holds(tab, f"{command}.includes(' \\'--moves={' '.join(moves)}\\' ')")
    assert f"moves={'+'.join(moves)}" in tab.get_attribute("#data", "href")
    row = "document.querySelector('.cell[data-cell=b1]').getBoundingClientRect().top"
    top = tab.evaluate(row)
    tab.locator("body").press("f")
    holds(tab, f"location.search.includes('flip=true') && {row} < {top}")
    tab.locator("body").press("f")
    holds(tab, f"!location.search.includes('flip=true') && {row} === {top}")
    # On the board, arrows lead to other cells.
    tab.evaluate("document.activeElement.blur()")
    tab.keyboard.press("ArrowLeft")
    holds(tab, "new URLSearchParams(location.search).get('ply') === '1'")
    tab.locator("body").press("w")
    holds(tab, "!new URLSearchParams(location.search).has('ply')")
    tab.go_back()
    holds(tab, "document.querySelector('#explorer').dataset.ply === '1'")
    assert tab.evaluate("window.stays"), "the page was loaded again"
    tab.goto(bench.origin + path + "/landscape")
    table = bench.ask(path + "/landscape.json")
    assert "incomplete" not in table and sum(row["win"] + row["tie"] + row["lose"] for row in table["table"]) == table["positions"]
    for value, words in (("win", "wins in 9"), ("lose", "loses in 8")):
        bar = f"svg[data-landscape] a[data-value={value}][data-remoteness='{words.split()[-1]}']"
        position_of(tab, bench.origin + path + "/landscape", bar)
        assert words in tab.inner_text("[data-said]"), tab.inner_text("[data-said]")
        tab.go_back()
        tab.wait_for_selector("svg[data-landscape]")
    position_of(tab, bench.origin + path + "/landscape", "text=Longest win")
    longest = max(row["remoteness"] for row in table["table"] if row["win"])
    assert f"wins in {longest} " in tab.inner_text("[data-said]")
    position_of(tab, bench.origin + path + "/landscape", "text=An only move")
    winning = tab.evaluate("[...document.querySelectorAll('#moves-table tr[data-class=win]')].length")
    assert winning == 1, winning
    assert not tabs.messages, tabs.messages
    tabs.close()


def a_puzzle_is_solved_by_keyboard(browser, bench):
    """36: the solution is absent before it is earned; a wrong move shows its refutation; keys alone suffice."""
    run = puzzles(bench)
    puzzle = next(one for one in report(bench, run)["puzzles"] if one["mate_in"] == 3 and one["unique_first_move"])
    first = puzzle["solution"]["positions"][0]
    line = puzzle["main_line"]
    tabs = Tabs(browser, bench)
    bodies = []
    tabs.context.on("response", lambda answer: bodies.append(answer.text()) if "/puzzles/" in answer.url else None)
    tab = tabs.open(f"/puzzles/{run}/{puzzle['number']}")
    secrets = [" ".join(line), "is the right move", "The answer to it"]
    held = tab.content() + "".join(bodies)
    for secret in secrets:
        assert secret not in held, secret
    tab.fill("#solver", "Ann, \"A\"")
    tab.evaluate("window.stays = true")
    wrong = first["missteps"][0]["move"]
    tab.keyboard.press("Tab")
    tab.keyboard.press("m")
    tab.keyboard.type(wrong)
    tab.keyboard.press("Enter")
    tab.wait_for_selector("#problem[data-judgement=wrong]")
    said = tab.inner_text("[data-said]")
    assert wrong in said and "The answer to it is" in said, said
    assert f"lets the opponent win in {first['missteps'][0]['plies'] - 1} " in said, said
    assert tab.inner_text("#status").startswith(wrong), tab.inner_text("#status")
    assert tab.query_selector(".cell.last") and not tab.query_selector(".cell.begins")
    # The focus is on Retry.
    tab.keyboard.press("Enter")
    tab.wait_for_selector("#problem:not([data-judgement])")
    tab.keyboard.press("h")
    tab.wait_for_selector("#problem[data-hints='1']")
    assert line[0] not in tab.inner_text("[data-said]").split("begins at")[0]
    played = 0
    while not tab.query_selector("#problem[data-judgement=solved]"):
        # The best move is known from the report; the defence is the longest.
        moves = tab.get_attribute("#problem", "data-moves").split()
        here = first
        for move in moves:
            step = next(step for step in here["moves"] if step["move"] == move)
            here = puzzle["solution"]["positions"][step["then"]]
        cell = tab.evaluate(
            "move => document.querySelector(`ul.legal a[data-move=\"${move}\"]`).dataset.path.split(' ').map(Number)", here["moves"][0]["move"]
        )
        for n in cell:
            go_to_cell(tab, n)
            tab.keyboard.press("Enter")
        holds(tab, f"document.querySelector('#problem').dataset.moves.split(' ').filter(Boolean).length > {len(moves)}")
        played += 1
        assert played < 9, "the puzzle ends"
    assert tab.evaluate("document.activeElement.name") == "next"
    assert tab.evaluate("window.stays"), "the page was loaded again"
    table = f"{bench.home}/ws/.treegauge/attempts.csv"
    until(lambda: os.path.exists(table), "the attempt is kept")
    with open(table) as file:
        rows = file.read().splitlines()
    assert rows[0] == "time,problem,solver,result,tries,seconds,hints"
    assert f"{run}/{puzzle['number']},\"Ann, \"\"A\"\"\",solved,2," in rows[-1] and rows[-1].endswith(",1"), rows[-1]
    tab.keyboard.press("Enter")
    tab.wait_for_url(f"**/{puzzle['number'] + 1}*")
    assert tab.input_value("#solver") == "Ann, \"A\""
    slower(tabs, bench, run)
    assert "last by Ann" in tabs.open(f"/puzzles/{run}").inner_text("main")
    assert not tabs.messages, tabs.messages
    tabs.close()


# The focused cell, and the way from its centre to that of another one.
WAY = """n => {
  const centre = (cell) => { const box = cell.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  const here = document.activeElement;
  if (!here?.matches(".cell")) return null;
  const [from, to] = [here, document.querySelector(`.cell[data-n="${n}"]`)].map(centre);
  return [to[0] - from[0], to[1] - from[1]];
}"""


def go_to_cell(tab, n):
    """Puts the focus on a cell, with Tab and the arrows alone."""
    for _ in range(80):
        way = tab.evaluate(WAY, n)
        if way is None:
            tab.keyboard.press("Tab")
            continue
        x, y = way
        if abs(x) < 2 and abs(y) < 2:
            return
        across, down = ("ArrowLeft" if x < 0 else "ArrowRight"), ("ArrowUp" if y < 0 else "ArrowDown")
        tab.keyboard.press(across if abs(x) > abs(y) else down)
    raise AssertionError(f"the keys do not lead to cell {n}")


def slower(tabs, bench, run):
    """A slower winning move is told by how many plies; the solution comes when it is asked for."""
    for puzzle in report(bench, run)["puzzles"]:
        first = puzzle["solution"]["positions"][0]
        if not first.get("slower"):
            continue
        tab = tabs.open(f"/puzzles/{run}/{puzzle['number']}?moves={first['slower'][0]['move']}")
        more = first["slower"][0]["plies"] - puzzle["remoteness"]
        assert f"{more} pl" in tab.inner_text("[data-said]"), tab.inner_text("[data-said]")
    tab = tabs.open(f"/puzzles/{run}/1")
    assert not tab.query_selector("#solution")
    tab.click("button[name=solution]")
    tab.wait_for_selector("#solution a")
    line = report(bench, run)["puzzles"][0]["main_line"]
    shown = [words.split(". ")[1] for words in tab.locator("#solution a").all_inner_texts()]
    assert len(shown) == len(line), (shown, line)


def a_practice_file_works_without_a_server(browser, bench):
    """37: two puzzles of a practice file are solved from disk; a worksheet prints without navigation."""
    run = puzzles(bench)
    tabs = Tabs(browser, bench)
    tab = tabs.open(f"/puzzles/{run}")
    for number in (1, 2, 3):
        tab.check(f"input[name=n][value='{number}']")
    with tab.expect_download() as download:
        tab.click("text=Practice file")
    path = bench.home + "/practice.html"
    download.value.save_as(path)
    assert os.path.getsize(path) <= 2_000_000
    found = report(bench, run)["puzzles"]
    with open(path) as file:
        text = file.read()
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
    for puzzle in found[:3]:
        assert " ".join(puzzle["main_line"]) not in text and puzzle["position"] not in text
    context = browser.new_context(offline=True)
    messages = []
    page = context.new_page()
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.goto("file://" + path)
    assert len(page.query_selector_all("#list a")) == 3
    first = found[0]["solution"]["positions"][0]
    page.fill("#move", first["missteps"][0]["move"])
    page.keyboard.press("Enter")
    page.wait_for_selector("#problem[data-judgement=wrong]")
    assert "The answer to it is" in page.inner_text("[data-said]") or "ends" in page.inner_text("[data-said]")
    page.keyboard.press("Enter")
    page.wait_for_selector("#problem:not([data-judgement])")
    for puzzle in found[:2]:
        steps = 0
        while not page.query_selector("#problem[data-judgement=solved]"):
            here = puzzle["solution"]["positions"][0]
            moves = page.get_attribute("#problem", "data-moves").split()
            for move in moves:
                step = next(step for step in here["moves"] if step["move"] == move)
                here = puzzle["solution"]["positions"][step["then"]]
            page.fill("#move", here["moves"][0]["move"])
            page.keyboard.press("Enter")
            holds(page, f"document.querySelector('#problem').dataset.moves.split(' ').filter(Boolean).length > {len(moves)}")
            steps += 1
            assert steps < 9, "the puzzle ends"
        assert page.evaluate("document.activeElement.name") == "next"
        page.keyboard.press("Enter")
        holds(page, "!document.querySelector('#problem').dataset.judgement")
    assert page.inner_text("#list").count("✓") == 2
    rows = page.evaluate("document.querySelector('#results').textContent").splitlines()
    assert rows[1].startswith("1,solved,2,") and rows[2].startswith("2,solved,1,"), rows
    page.click("button[name=solution]")
    page.wait_for_selector("#solution a")
    assert not messages, messages
    context.close()
    # Boards of a worksheet lie within pages of print, and nothing leads elsewhere.
    sheet = tabs.open(f"/puzzles/{run}/worksheet?answers=true")
    sheet.emulate_media(media="print")
    assert sheet.query_selector_all("nav") == [] and not sheet.query_selector(".back").is_visible()
    assert sheet.evaluate("[...document.querySelectorAll('.puzzle')].every(one => getComputedStyle(one).breakInside === 'avoid')")
    assert len(sheet.query_selector_all(".puzzle svg")) == len(found)
    assert sheet.pdf(format="A4")[:4] == b"%PDF"
    plain = tabs.open(f"/puzzles/{run}/worksheet?n=1&n=3")
    assert len(plain.query_selector_all(".puzzle svg")) == 2 and not plain.query_selector(".solutions")
    assert not tabs.messages, tabs.messages
    tabs.close()


def a_teacher_makes_a_practice_file_of_ten_puzzles(browser, bench):
    """From the first page to a practice file with the ten puzzles that were chosen, of the form's own options."""
    tabs = Tabs(browser, bench)
    tab = tabs.open("/")
    tab.get_by_role("link", name="Find puzzles").click()
    tab.fill("[name=source]", "achi")

    def found():
        holds(tab, "document.querySelector('[data-command]').textContent.includes('achi')")
        tab.click("button[name=start]")
        tab.wait_for_selector("[data-run][data-state=done]", timeout=60_000)
        tab.click("text=Solve the puzzles")
        tab.wait_for_selector("main[data-page=puzzles]")
        return tab.locator("input[name=n]").count()

    assert found() < 10
    tab.click("text=Find more of each length")
    tab.wait_for_selector("[name=top]")
    assert tab.input_value("[name=top]") == "4"
    assert found() >= 10
    boxes = tab.locator("input[name=n]")
    for n in range(10):
        boxes.nth(n).check()
    with tab.expect_download() as download:
        tab.click("button:text('Practice file')")
    path = bench.home + "/ten.html"
    download.value.save_as(path)
    page = browser.new_context(offline=True).new_page()
    page.goto("file://" + path)
    assert page.locator("#list a").count() == 10
    page.click("#list a >> nth=9")
    holds(page, "document.querySelector('#title').textContent.length > 0")
    assert page.locator(".cell").count() == 9
    page.context.close()
    assert not tabs.messages, tabs.messages
    tabs.close()


def a_form_of_solve_shows_the_size_first(browser, bench):
    """The form of `solve` says how large a game is before hours are spent."""
    tabs = Tabs(browser, bench)
    tab = tabs.open("/new/solve?game=tic_tac_toe")
    holds(tab, "document.querySelector('#outlook').textContent.includes('5,478 positions')")
    tab.fill("[name=game]", "connect_four")
    holds(tab, "/positions (after|in|,)/.test(document.querySelector('#outlook').textContent) && !document.querySelector('#outlook').textContent.includes('5,478')")
    assert not tabs.messages, tabs.messages
    tabs.close()


CHECKS = [
    the_explorer_has_the_values_of_probe,
    a_puzzle_is_solved_by_keyboard,
    a_practice_file_works_without_a_server,
    a_teacher_makes_a_practice_file_of_ten_puzzles,
    a_form_of_solve_shows_the_size_first,
]
