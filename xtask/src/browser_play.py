"""Checks of play, analysis and search trees in a browser; `browser.py` runs them."""

import json
import os
import re
import subprocess
import sys
from urllib.parse import parse_qs, urlsplit

from __main__ import PROGRAM, Tabs, holds, until


def moves(tab):
    return parse_qs(urlsplit(tab.url).query).get("moves", [""])[0]


def treegauge(bench, *words):
    ran = subprocess.run([PROGRAM, *words], cwd=bench.home + "/ws", stdin=subprocess.DEVNULL, capture_output=True)
    return ran.stdout.decode()


def replied(tab, plies):
    """Waits until the game has a number of plies, and its page is at rest."""
    holds(tab, f"document.querySelector('#position').dataset.plies === '{plies}'")
    holds(tab, f"new URL(location).searchParams.get('moves')?.split(' ').length === {plies}")


def a_game_is_played_in_every_way(browser, bench):
    """29: by click, by arrows and Enter, by typed move: same address; reply of the command line; Back; permalink."""
    tabs = Tabs(browser, bench)
    said = treegauge(bench, "play", "connect_four", "--moves", "d", "--second", "uct(iterations=2000)", "--seed", "1")
    reply = re.search(r"the second player plays (\w)", said)[1]

    def by_click(tab):
        tab.click("[data-cell=d1]")

    def by_keys(tab):
        tab.locator(".cell[tabindex='0']").focus()
        for _ in range(20):
            at = tab.evaluate("document.activeElement.dataset.cell")
            if at[0] == "d":
                break
            tab.keyboard.press("ArrowRight" if at[0] < "d" else "ArrowLeft")
        while not tab.evaluate("document.activeElement.classList.contains('begins')"):
            tab.keyboard.press("ArrowDown")
        tab.keyboard.press("Enter")

    def by_typing(tab):
        tab.locator("body").press("m")
        tab.keyboard.type("D")
        tab.keyboard.press("Enter")

    addresses = set()
    for way in (by_click, by_keys, by_typing):
        tab = tabs.open("/games/connect_four/play")
        holds(tab, "document.querySelector('#status').textContent.includes('Your move')")
        tab.evaluate("window.stays = true")
        way(tab)
        replied(tab, 2)
        assert moves(tab) == f"d {reply}", (moves(tab), reply)
        holds(tab, f"document.querySelector('#status').textContent.startsWith('You played d. The second player answers {reply}.')")
        holds(tab, "document.querySelector('#status').textContent.includes('Your move')")
        holds(tab, "document.querySelector('#status').textContent.includes(' for the first player at 2,000 iterations')")
        holds(tab, "document.querySelector('#coach')?.textContent && document.querySelector('#coached').textContent === document.querySelector('#coach').textContent.trim()")
        assert tab.evaluate("window.stays"), "the page was loaded again"
        assert tab.evaluate("document.activeElement !== document.body"), f"{way.__name__}: the focus is lost"
        addresses.add(tab.url)
        last = tab
    assert len(addresses) == 1, addresses
    # Back is the position before the move.
    last.go_back()
    holds(last, "document.querySelector('#position').dataset.plies === '0'")
    last.go_forward()
    replied(last, 2)
    # The address gives the same page elsewhere.
    other = Tabs(browser, bench)
    tab = other.open(addresses.pop()[len(bench.origin):])
    holds(tab, "document.querySelectorAll('#history [data-ply]').length === 21")
    holds(last, "document.querySelectorAll('#history [data-ply]').length === 21")
    text = [one.inner_text("main") for one in (tab, last)]
    assert text[0] == text[1], text
    # A move of two cells, by clicks, and its reply; undo takes both back.
    tab = tabs.open("/games/breakthrough/play?second=random&history=off")
    before = tab.url
    tab.locator(".cell.begins").first.click()
    assert tab.locator(".cell.follows").count() > 0
    tab.keyboard.press("Escape")
    assert tab.locator(".cell.follows").count() == 0
    tab.locator(".cell.begins").first.click()
    tab.locator(".cell.follows").first.click()
    replied(tab, 2)
    tab.click("button[name=undo]")
    holds(tab, "document.querySelector('#position').dataset.plies === '0'")
    assert tab.url == before
    # Several moves at one cell: a menu.
    tab = tabs.open("/games/wild_tic_tac_toe/play?second=human&history=off")
    tab.click("[data-cell=b2]")
    tab.wait_for_selector("#choices:not([hidden]) button")
    tab.keyboard.press("Escape")
    tab.wait_for_selector("#choices", state="hidden")
    tab.click("[data-cell=b2]")
    tab.locator("#choices button").last.click()
    replied(tab, 1)
    # A whole game between two players.
    tab = tabs.open("/games/tic_tac_toe/play?first=random&second=uct(iterations%3D100)&history=off")
    tab.click("button[name=auto]")
    tab.wait_for_selector("#position[data-over]", timeout=30_000)
    assert "The game is over" in tab.inner_text(".turn")
    assert not tabs.messages and not other.messages, tabs.messages + other.messages
    tabs.close()
    other.close()


def hints_are_those_of_the_command_line(browser, bench):
    """30: hints equal `search` and `probe`; the history has a mark for each ply and move; hover marks the board."""
    tabs = Tabs(browser, bench)
    tab = tabs.open("/games/connect_four/play?moves=d+c+d&second=human")
    tab.locator("body").press("h")
    holds(tab, "document.querySelector('#hints [data-iterations]')?.dataset.iterations === '20000'")
    shown = {row.get_attribute("data-move"): row for row in tab.locator("#hints tr[data-move]").all()}
    words = "search connect_four --iterations 20000 --seed 1 --solver --json --moves"
    report = json.loads(treegauge(bench, *words.split(), "d c d"))
    assert len(shown) == 7
    for row in report["moves"]:
        at = shown[row["move"]]
        assert float(at.get_attribute("data-value")) == row["mean_score"], row
        assert int(at.get_attribute("data-visits")) == row["visits"], row
    assert tab.locator(".cell .mark").count() == 7
    holds(tab, "document.querySelectorAll('svg[data-history] [data-ply]').length === 28")
    tab.hover("svg[data-history] .other[data-ply='0'][data-at=a]")
    assert tab.locator(".cell.marked").count() == 1
    tab.click("svg[data-history] .other[data-ply='1'][data-at=a]")
    holds(tab, "new URL(location).searchParams.get('moves') === 'd a'")
    treegauge(bench, "solve", "tic_tac_toe", "-o", "tic_tac_toe.tgs")
    tab = tabs.open("/games/tic_tac_toe/play?moves=b2+a2&second=human&hints=on")
    tab.wait_for_selector("#hints tr[data-move]")
    report = json.loads(treegauge(bench, "probe", "tic_tac_toe.tgs", "--moves", "b2 a2", "--json"))
    for row in report["moves"]:
        at = tab.locator(f"#hints tr[data-move='{row['move']}']")
        value = {"win": 1, "lose": -1}.get(row["value"], 0)
        assert float(at.get_attribute("data-value")) == value, row
        assert at.get_attribute("data-plies") == str(row["remoteness"]), row
    tab.click("[data-cell=a1]")
    holds(tab, "/a1/.test(document.querySelector('#coach')?.textContent)")
    assert not tabs.messages, tabs.messages
    tabs.close()
    os.remove(bench.home + "/ws/tic_tac_toe.tgs")


def a_tree_is_walked_by_keys(browser, bench):
    """34: a tree of 100,000 iterations: expand, fold, 50 more, by keys; fewer than 2,000 elements."""
    tabs = Tabs(browser, bench)
    tab = tabs.open("/games/mnk(rows=15,cols=15,k=5)/tree")
    tab.wait_for_selector("[role=treeitem]")
    tab.fill("[name=iterations]", "100000")
    tab.click("button[name=search]")
    holds(tab, "document.querySelector('#status').textContent.startsWith('100,000 iterations')")

    def small():
        count = tab.evaluate("document.querySelectorAll('*').length")
        assert count < 2_000, count

    small()
    key = tab.keyboard.press
    row = lambda name: tab.evaluate(f"document.activeElement.getAttribute('{name}')")
    count = lambda: tab.locator("[role=treeitem]").count()
    tab.locator("[role=treeitem][tabindex='0']").focus()
    key("Home")
    if row("aria-expanded") == "true":
        key("ArrowLeft")
    closed = count()
    key("ArrowRight")
    until(lambda: count() > closed and row("aria-expanded") == "true", "the node opens")
    key("ArrowRight")
    assert row("aria-level") == "2"
    key("ArrowLeft")
    assert row("aria-level") == "1"
    key("ArrowLeft")
    assert row("aria-expanded") == "false" and count() == closed
    key("End")
    assert row("data-from") is not None, "the last row is a fold"
    for _ in range(3):
        key("End")
        before = count()
        key("Enter")
        until(lambda: count() != before and row("data-path") is not None, "more rows come")
        small()
    key("Enter")
    until(lambda: "node=" in tab.url, "the node is in the address")
    path = parse_qs(urlsplit(tab.url).query)["node"][0]
    until(lambda: tab.get_attribute("#node", "data-node") == path, "the board of the node")
    again = tabs.open(tab.url[len(bench.origin):])
    again.wait_for_selector(f"[role=treeitem][aria-selected=true][data-path='{path}']")
    again.click("button[name=grow]")
    holds(again, "document.querySelector('#status').textContent.startsWith('200,000 iterations')")
    assert not tabs.messages, tabs.messages
    tabs.close()


def a_board_is_used_on_a_phone(browser, bench):
    """28: at 360 pixels a tap moves, and a wide board enlarges at the first tap."""
    tabs = Tabs(browser, bench, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    tab = tabs.open("/games/connect_four/play?second=human&history=off")
    tab.tap("[data-cell=d1]")
    replied(tab, 1)
    tab = tabs.open("/games/othello/play?second=random&history=off")
    cell = tab.locator(".cell.begins").first
    box = cell.bounding_box()
    assert min(box["width"], box["height"]) >= 24, box
    cell.tap()
    replied(tab, 2)
    tab = tabs.open("/games/mnk(rows=15,cols=15,k=5)/play?second=human&history=off")
    tab.tap("[data-cell=h8]")
    tab.wait_for_selector(".cells-board.large")
    cell = tab.locator("[data-cell=h8]")
    box = cell.bounding_box()
    assert min(box["width"], box["height"]) >= 24, box
    cell.tap()
    replied(tab, 1)
    over = tab.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert over <= 0, f"{over} pixels too wide"
    assert not tabs.messages, tabs.messages
    tabs.close()


def a_game_is_played_without_scripts(browser, bench):
    """44: moves by links, by cells and by the form, hints and trees, all without scripts."""
    tabs = Tabs(browser, bench, java_script_enabled=False)
    tab = tabs.first
    tab.goto(bench.origin + "/games/connect_four/play")
    tab.click("ul.legal a[data-move=d]")
    assert len(moves(tab).split()) == 2, tab.url
    tab.locator(".cell.begins a").first.click()
    assert len(moves(tab).split()) == 4, tab.url
    tab.fill("#move", "c")
    tab.click("#type button")
    assert len(moves(tab).split()) == 6, tab.url
    tab.click("button[name=hints]")
    tab.click("#hints noscript a")
    assert tab.locator("#hints tr[data-move]").count() > 0
    tab.click("button[name=undo]")
    assert len(moves(tab).split()) == 4, tab.url
    tab.goto(bench.origin + "/games/connect_four/tree")
    tab.click("button[name=search]")
    tab.locator("[role=treeitem] a").first.click()
    assert "node=" in tab.url and tab.locator("[role=treeitem][aria-selected=true]").count() == 1
    tabs.close()


CHECKS = [
    a_game_is_played_in_every_way,
    hints_are_those_of_the_command_line,
    a_tree_is_walked_by_keys,
    a_board_is_used_on_a_phone,
    a_game_is_played_without_scripts,
]
