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
    tab.click("[data-problem='1'] > a:not(.thumb)")
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
    assert not tabs.messages, tabs.messages
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


CHECKS = [
    chess_problems_are_pasted_rated_and_solved,
    an_engine_that_hangs_leaves_problems_unrated,
]
