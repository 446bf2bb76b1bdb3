"""Random games of OpenSpiel's games and ours, move by move: legal moves, players and results."""

from __future__ import annotations

import random
import re
from typing import Callable, Dict, List, Tuple

import pyspiel
import pytest

import treegauge as tg


def cell(column: int, row: int) -> str:
    return f"{chr(ord('a') + column)}{row + 1}"


def of_pair(text: str) -> str:
    """``x(1,2)`` or ``1,2``: row and column from 0."""
    row, column = map(int, re.findall(r"\d+", text))
    return cell(column, row)


def of_column(text: str) -> str:
    return chr(ord("a") + int(text[1:]))


def of_breakthrough(text: str) -> str:
    """Black moves first and down the board."""
    columns, rows = re.findall("[a-h]", text), re.findall(r"\d", text)
    one, other = (f"{column}{9 - int(row)}" for column, row in zip(columns, rows))
    return f"{one}{'x' if text.endswith('*') else '-'}{other}"


def of_cube(text: str) -> str:
    level, row, column = (int(number) + 1 for number in text.split(","))
    return f"{column}{row}{level}"


def of_line(text: str) -> str:
    direction, row, column = re.findall(r"([hv]),(\d),(\d)", text)[0]
    return f"{direction}{int(row) + 1}{int(column) + 1}"


def of_clobber(text: str) -> str:
    """The board of 6 columns and 5 rows, seen from the other side."""
    turned = [f"{chr(ord('a') + ord('f') - ord(text[n]))}{6 - int(text[n + 1])}" for n in (0, 2)]
    return "x".join(turned)


def of_house(text: str) -> str:
    house = int(text)
    return str(house if house < 7 else house - 7)


def itself(text: str) -> str:
    return text


PAIRS: List[Tuple[str, str, Callable[[str], str]]] = [
    ("tic_tac_toe", "tic_tac_toe", of_pair),
    ("connect_four", "connect_four", of_column),
    ("mnk(rows=5,cols=5,k=4)", "mnk(m=5,n=5,k=4)", of_pair),
    ("mnk(rows=10,cols=10,k=5)", "gomoku(size=10,connect=5)", of_pair),
    ("qubic", "gomoku(size=4,dims=3,connect=4)", of_cube),
    ("breakthrough", "breakthrough", of_breakthrough),
    ("othello", "othello", itself),
    ("dots_and_boxes(rows=3,cols=3)", "dots_and_boxes(num_rows=3,num_cols=3)", of_line),
    ("clobber", "clobber", of_clobber),
    ("hex(size=5,pie=0)", "hex(board_size=5)", itself),
    ("kalah", "mancala", of_house),
]


@pytest.mark.parametrize(("ours", "theirs", "translated"), PAIRS, ids=[pair[0] for pair in PAIRS])
def test_random_games_are_those_of_openspiel(
    ours: str, theirs: str, translated: Callable[[str], str]
) -> None:
    game, other = tg.Game(ours), pyspiel.load_game(theirs)
    choices = random.Random(17)
    for _ in range(100):
        here, there = game.new_initial_state(), other.new_initial_state()
        while not there.is_terminal():
            player = there.current_player()
            assert (here.is_terminal(), here.current_player()) == (False, player), str(there)
            moves: Dict[str, int] = {}
            for action in there.legal_actions():
                moves[translated(there.action_to_string(player, action))] = action
            assert sorted(moves) == sorted(map(here.action_to_string, here.legal_actions())), str(there)
            move = choices.choice(sorted(moves))
            there.apply_action(moves[move])
            here.play(move)
        assert here.is_terminal() and here.returns() == there.returns(), str(there)
