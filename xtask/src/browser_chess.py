"""Checks of chess problems in a browser; `browser.py` runs them."""

import os
import tempfile

from __main__ import Bench, Tabs, holds, until

BACK_RANK = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
TWO_MOVES = "5k2/8/8/8/8/8/8/RR5K w - - 0 1"
SCHOLAR = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
EVIL = "<img src=x onerror=window.hit=1>"
PGN = f'[Event "{EVIL}"]\n[SetUp "1"]\n[FEN "{SCHOLAR}"]\n\n1. Qxf7# {{mate}} (1. Qh3) 1-0\n'
TESTDATA = os.path.join(os.path.dirname(__file__), "..", "..", "testdata")


def messages_of(tabs):
    """Messages of the console, but for those about names of files that are taken."""
    return [words for words in tabs.messages if "409" not in words]


def pasted(tab, text, count, lines):
    """Pastes a text, and checks the number of its problems and the lines of its errors."""
    tab.fill("#pasted", text)
    holds(tab, f"document.querySelector('#understood [data-count]')?.dataset.count === '{count}'")
    holds(tab, f"[...document.querySelectorAll('#errors li')].map(e => e.dataset.line).join() === '{lines}'")


def started(tab, **options):
    tab.evaluate("document.querySelectorAll('#task details').forEach(one => one.open = true)")
    for name, value in options.items():
        tab.fill(f"#task [name={name}]", str(value))
    tab.click("button[name=start]")
    tab.wait_for_selector("#rated [data-state=done]", timeout=180_000)


def chess_problems_are_pasted_rated_and_solved(browser, bench):
    """38, 43: three FENs, a PGN, a wrong line with its number; rated with interval; one solved, reasons shown."""
    tabs = Tabs(browser, bench)
    tab = tabs.open("/chess")
    pasted(tab, PGN, 1, "")
    assert "Qxf7#" in tab.inner_text("#understood")
    assert tab.input_value("#name") == "problems.pgn"
    pasted(tab, f"{BACK_RANK}\n{TWO_MOVES}\nno position\n{SCHOLAR}\n", 3, "3")
    assert "Line 3:" in tab.inner_text("#errors")
    started(tab, depth=6)
    assert tab.locator("[data-problem][data-rating]").count() == 3
    words = tab.inner_text("[data-problem='1']")
    assert "easy" in words and " to " in words, words
    tab.fill("[name=near]", "3000")
    tab.click("form.bar button")
    near = tab.evaluate("[...document.querySelectorAll('[data-rating]')].map(e => Number(e.dataset.rating))")
    assert near == sorted(near, reverse=True), near

    # The solution is in no response before it is earned; the keyboard alone solves the problem.
    seen = []
    tab.on("response", lambda answer: seen.append(answer) if "/chess/" in answer.url else None)
    tab.click("[data-problem='1'] .choose a")
    tab.wait_for_selector("#problem")
    assert "Why it is hard" not in tab.content()
    tab.locator("#move").fill("Kf1")
    tab.keyboard.press("Enter")
    tab.wait_for_selector("#problem[data-judgement=slower]")
    assert tab.locator("#why").count() == 0 and tab.locator(":focus").get_attribute("name") == "retry"
    tab.keyboard.press("Enter")
    tab.wait_for_selector("#problem:not([data-judgement])")
    assert all("Why it is hard" not in answer.text() for answer in seen)
    tab.keyboard.press("m")
    tab.keyboard.type("d1d8")
    tab.keyboard.press("Enter")
    tab.wait_for_selector("#problem[data-judgement=solved]")
    assert tab.locator("#why .waterfall li").count() >= 2
    assert tab.locator("#why table tr").count() > 1 and tab.locator("#why .outline li").count() > 0
    until(lambda: os.path.exists(bench.home + "/ws/.treegauge/attempts.csv"), "the attempt is recorded")
    tab.click("#why summary:has-text('I disagree')")
    tab.fill("#own-rating", "850")
    tab.fill("#own-note", EVIL)
    tab.click("#why form button")
    holds(tab, "document.querySelector('#status').textContent === 'Saved.'")
    tab.goto(tab.url)
    assert tab.input_value("#own-rating") == "850"

    # By touching the cells of the board, seen from Black's side where Black is to move.
    tab.goto(tab.evaluate("document.querySelector('[name=next]').form.action"))
    tab.wait_for_selector("#problem .cell")
    tab.click("button[name=hints]")
    tab.wait_for_selector(".cell.marked")
    tab.click("button[name=solution]")
    tab.wait_for_selector("#solution li")

    tab.goto(bench.origin + "/chess")
    pasted(tab, PGN, 1, "")
    started(tab, depth=4)
    assert EVIL in tab.inner_text("[data-problem='1']")
    assert tab.evaluate("window.hit === undefined && !document.querySelector('img, main script')")
    assert not messages_of(tabs), messages_of(tabs)
    tabs.close()


def an_engine_that_hangs_leaves_problems_unrated(browser, bench):
    """38: a fake engine that hangs leaves `unrated` with its cause."""
    with tempfile.TemporaryDirectory() as home:
        other = Bench(home, options=["--engine", os.path.join(TESTDATA, "engines", "hangs.sh")])
        tabs = Tabs(browser, other)
        tab = tabs.open("/chess")
        pasted(tab, BACK_RANK, 1, "")
        # The engine has 60 s for its answer.
        started(tab)
        assert tab.locator("[data-problem][data-unrated]").count() == 1
        assert "is unrated: the engine did not answer" in tab.inner_text("main")
        tabs.close()
        other.kill()


# Two rooks, for White and for Black: a mate in two.
TWO_ROOKS = """[FEN "5k2/8/8/8/8/8/8/RR5K w - - 0 1"]

1. Ra7 Kg8 2. Rb8# 1-0

[FEN "rr5k/8/8/8/8/8/8/5K2 b - - 0 1"]

1... Ra2 2. Kg1 Rb1# 0-1
"""


def practised(page, moves):
    """Solves the problem that is shown: types moves until it is solved, each of which must be right."""
    for played in moves:
        page.fill("#move", played)
        page.keyboard.press("Enter")
        page.wait_for_selector("#problem[data-judgement=go_on], #problem[data-judgement=solved]")
    page.wait_for_selector("#problem[data-judgement=solved]")


def a_chess_practice_file_works_without_a_server(browser, bench):
    """37, 38: two chess problems solved from disk, the second from Black's side; a wrong move at any turn is answered."""
    tabs = Tabs(browser, bench)
    tab = tabs.open("/chess")
    pasted(tab, TWO_ROOKS, 2, "")
    started(tab, depth=6)
    tab.check("[data-problem='1'] input[name=n]")
    tab.check("[data-problem='2'] input[name=n]")
    with tab.expect_download() as download:
        tab.click("button:text('Practice file')")
    path = bench.home + "/chess-practice.html"
    download.value.save_as(path)
    with open(path) as file:
        text = file.read()
    assert "is the right move" not in text and "://" not in text.replace("http://www.w3.org/", ""), "encoded, and nothing outside"
    context = browser.new_context(offline=True)
    messages, page = [], context.new_page()
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.goto("file://" + path)
    first = page.inner_text("#task-words")
    for wrong_first in (True, False):
        is_white = "White" in page.inner_text("#task-words")
        rank = "7" if is_white else "2"
        top = page.evaluate("document.querySelector('.cell[role=gridcell]').dataset.cell")
        assert top == ("a8" if is_white else "h1"), f"the board of {top} is seen from the wrong side"
        if wrong_first:
            page.fill("#move", "Kg1" if is_white else "Kg8")
            page.keyboard.press("Enter")
            page.wait_for_selector("#problem[data-judgement=wrong], #problem[data-judgement=slower]")
            page.keyboard.press("Enter")
            page.wait_for_selector("#problem:not([data-judgement])")
        # The first move, and a wrong one after the opponent's answer.
        page.fill("#move", f"Ra{rank}")
        page.keyboard.press("Enter")
        page.wait_for_selector("#problem[data-judgement=go_on]")
        page.fill("#move", f"Ra{'6' if is_white else '3'}")
        page.keyboard.press("Enter")
        page.wait_for_selector("#problem[data-judgement=slower], #problem[data-judgement=wrong]")
        said = page.inner_text("[data-said]")
        assert "wins too" in said or "the answer is" in said, said
        page.click("button[name=retry]")
        page.wait_for_selector("#problem[data-judgement=go_on]")
        # The mate, however it is typed.
        mate = page.evaluate("[...document.querySelectorAll('a[data-move]')].map(e => e.dataset.move).find(e => e.endsWith('#'))")
        practised(page, [mate.rstrip("#").lower()])
        if wrong_first:
            page.keyboard.press("Enter")
            until(lambda: page.inner_text("#task-words") != first, "the next problem comes")
    rows = page.evaluate("document.querySelector('#results').textContent").splitlines()
    assert [row.split(",")[1] for row in rows[1:]] == ["solved", "solved"], rows
    assert not messages, messages
    context.close()
    assert not messages_of(tabs), messages_of(tabs)
    tabs.close()


# A training of a club: comments, variations, marks, a game of Chess960, a wrong move and a whole game.
TRAINING = f"""[Event "Club training"]
[FEN "{BACK_RANK}"]

1. Rd8# {{Back rank}} $1 (1. Rd7 $2 h6 (1... g6 2. Rd8+)) 1-0

[Event "Club training"]
[SetUp "1"]
[FEN "{SCHOLAR}"]

{{ White has a mate. }} 4. Qxf7# $3 ; a comment to the end of the line
1-0

[Event "Club training"]
[FEN "{TWO_MOVES}"]

1. Ra7! Ke8 2. Rb8# 1-0

[Event "Club training"]
[FEN "{BACK_RANK}"]

1. Rd9 1-0

[Event "Freestyle"]
[Variant "Chess960"]
[FEN "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"]

9. Nb3 *

[Event "A whole game"]

1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0
"""


def a_coach_makes_a_graded_worksheet(browser, bench):
    """38: from the first page to a worksheet with classes and solutions, of a PGN with everything in it."""
    tabs = Tabs(browser, bench)
    tab = tabs.open("/")
    tab.click("text=Rate and solve chess problems")
    pasted(tab, TRAINING, 3, "21,24,29")
    errors = tab.inner_text("#errors")
    assert "Rd9" in errors and "Chess960" in errors and "FEN" in errors, errors
    started(tab, depth=6)
    tab.click("text=Worksheet with answers")
    tab.wait_for_selector("main[data-page=sheet]")
    assert tab.locator("ol.sheet li").count() == 3
    words = tab.inner_text("main")
    assert "White to move, easy" not in words and "Qxf7#" in words and "Ra7 Ke8" in words, words
    tab.emulate_media(media="print")
    assert not tab.locator("body > header").is_visible() and not tab.locator(".command").is_visible()
    assert not messages_of(tabs), messages_of(tabs)
    tabs.close()


CHECKS = [
    a_chess_practice_file_works_without_a_server,
    a_coach_makes_a_graded_worksheet,
    chess_problems_are_pasted_rated_and_solved,
    an_engine_that_hangs_leaves_problems_unrated,
]
