"""Games and players that are objects of Python."""

from __future__ import annotations

import pickle
import threading
from typing import Any, List, Optional

import pyspiel
import pytest

from heaps import Heap, HeapState

import treegauge as tg


def test_a_game_of_openspiel_is_ours() -> None:
    ours, theirs = tg.Game("connect_four"), tg.Game.external(pyspiel.load_game("connect_four"))
    assert theirs.perft(6) == ours.perft(6)
    assert theirs.num_distinct_actions() == 7
    import random

    choices = random.Random(3)
    for _ in range(200):
        here, there = ours.new_initial_state(), theirs.new_initial_state()
        while not here.is_terminal():
            assert here.legal_actions() == there.legal_actions()
            assert here.current_player() == there.current_player()
            action = choices.choice(here.legal_actions())
            here.apply_action(action)
            there.apply_action(action)
        assert there.is_terminal()
        assert here.returns() == there.returns()


@pytest.mark.parametrize(
    ("ours", "theirs", "depth"),
    [
        ("tic_tac_toe", "tic_tac_toe", 5),
        ("connect_four(cols=5,rows=4)", "connect_four(rows=4,columns=5)", 6),
        ("qubic", "gomoku(size=4,dims=3,connect=4)", 2),
        ("mnk(rows=5,cols=5,k=4)", "mnk(m=5,n=5,k=4)", 3),
        ("breakthrough", "breakthrough", 3),
        ("othello", "othello", 5),
        ("dots_and_boxes(cols=2,rows=2)", "dots_and_boxes(num_rows=2,num_cols=2)", 4),
        ("kalah", "mancala", 4),
        ("oware", "oware", 4),
        ("mnk(rows=10,cols=10,k=5)", "mnk(m=10,n=10,k=5)", 2),
    ],
)
def test_trees_of_moves_are_those_of_openspiel(ours: str, theirs: str, depth: int) -> None:
    assert tg.Game.external(pyspiel.load_game(theirs)).perft(depth) == tg.Game(ours).perft(depth)


def test_a_search_of_a_prototype_finds_the_win() -> None:
    game = tg.Game.external(Heap())
    assert game.family == "external"
    # 7 = 4 + 3, so taking 3 leaves a multiple of 4.
    assert tg.search(game, 2000).best == "3"
    state = game.new_initial_state(moves=["3", "1"])
    assert state.position == "3.1"
    assert game.new_initial_state("3.1") == state
    assert str(state).strip() == "3 left"
    assert state.moves() == ["1", "2", "3"]
    state.undo()
    assert str(state).strip() == "4 left"


def test_games_are_gauged_collected_and_play() -> None:
    game = tg.Game.external(Heap())
    report = tg.gauge(game, games=6, iterations=40, ladder=["1/2", "1"], model="none")
    assert report["canonical"] == game.canonical
    assert report["solved"] is None
    assert report["plies"]["n"] == 6
    for spiel in ["clobber(rows=3,columns=3)", "hex(board_size=3)"]:
        other = tg.Game.external(pyspiel.load_game(spiel))
        told = tg.gauge(other, games=2, iterations=20, ladder=["1"], model="none")
        assert told["draw_rate"]["mean"] == 0.0
    data = tg.collect([game], iterations=20, instances=2)
    assert len(data.instances) == 2
    played = tg.match(game, "uct(iterations=300)", "random", games=10)
    assert played["score"]["mean"] > 0.5
    games, plies, first, draws, second = game.playouts(100)
    assert (games, draws) == (100, 0)
    assert first + second == 100
    assert game.playouts(100) == (games, plies, first, draws, second)


def test_the_name_holds_the_rules() -> None:
    one, same, other = Heap(), Heap(), Heap(take=2)
    assert tg.Game.external(one).canonical == tg.Game.external(same).canonical
    assert tg.Game.external(one).canonical != tg.Game.external(other).canonical
    game = tg.Game.external(one)
    again = pickle.loads(pickle.dumps(game.new_initial_state(moves=["2"])))
    assert again == game.new_initial_state(moves=["2"])
    with pytest.raises(tg.UsageError, match="not in this process, or have changed"):
        tg.Game("external(name=Heap,digest=d0123456789abcdef)")


class Shared(HeapState):
    def clone(self) -> HeapState:
        return self


class Generous(HeapState):
    def returns(self) -> List[float]:
        return [float(self.player), 1.0]

    def clone(self) -> HeapState:
        return Generous(self.left, self.take, self.player)


class OfState:
    """A game whose states have another class."""

    def __init__(self, state: Any) -> None:
        self.state = state

    def new_initial_state(self) -> Any:
        return self.state(7, 3)


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (pyspiel.load_game("kuhn_poker"), "it has chance"),
        (pyspiel.load_game("phantom_ttt"), "players do not see the whole position"),
        (pyspiel.load_game("matrix_rps"), "both players move at the same time"),
        (pyspiel.load_game("chinese_checkers(players=3)"), "it has 3 players, not 2"),
        (OfState(Shared), r"clone\(\) shares its state"),
        (OfState(Generous), "one player's gain is not the other's loss"),
    ],
    ids=["chance", "hidden", "simultaneous", "three", "clone", "sum"],
)
def test_other_games_are_refused_with_the_reason(game: Any, reason: str) -> None:
    with pytest.raises(tg.UsageError, match=reason):
        tg.Game.external(game)


def test_what_needs_keys_is_refused() -> None:
    game = tg.Game.external(Heap())
    with pytest.raises(tg.UsageError, match="solve takes no games of other programs"):
        tg.solve(game)
    with pytest.raises(tg.UsageError, match="merge needs a game of this program"):
        tg.search(game, 10, merge="equal")
    with pytest.raises(tg.UsageError, match="solver needs a game of this program"):
        tg.search(game, 10, solver=True)
    with pytest.raises(tg.UsageError, match="a player with merge needs"):
        tg.match(game, "uct(iterations=10,merge=equal)", "random", games=2)


class Failing(HeapState):
    def apply_action(self, action: int) -> None:
        if OfState.is_broken:  # type: ignore[attr-defined]
            raise KeyError("lost")
        super().apply_action(action)

    def clone(self) -> HeapState:
        return Failing(self.left, self.take, self.player)


def test_an_exception_of_a_game_ends_the_call() -> None:
    OfState.is_broken = False  # type: ignore[attr-defined]
    game = tg.Game.external(OfState(Failing))
    OfState.is_broken = True  # type: ignore[attr-defined]
    with pytest.raises(tg.EngineError, match="the game raised KeyError: 'lost'"):
        tg.search(game, 100)
    OfState.is_broken = False  # type: ignore[attr-defined]
    assert tg.search(game, 100).best is not None


class Greedy:
    """Takes the last legal move, and remembers on which threads it was asked."""

    def __init__(self, fails_at: Optional[int] = None) -> None:
        self.threads: List[str] = []
        self.fails_at = fails_at

    def choose(self, state: tg.State) -> str:
        self.threads.append(threading.current_thread().name)
        if self.fails_at is not None and state.ply >= self.fails_at:
            raise RuntimeError("no idea")
        return state.moves()[-1]


def test_players_of_python_play_on_the_calling_thread() -> None:
    player = Greedy()
    report = tg.match("tic_tac_toe", player, "random", games=20)
    assert report["games"] == 20
    assert report["a"] == "external(name=Greedy)"
    assert report["faults"] == {"a": 0, "b": 0}
    assert set(player.threads) == {threading.current_thread().name}
    assert not report.reproducible
    assert tg.match("tic_tac_toe", "random", "random", games=2).reproducible


def test_a_player_of_python_plays_a_tournament_of_another_program() -> None:
    game = tg.Game.external(Heap())
    report = tg.tournament(game, players=[Greedy(), "random", "uct(iterations=50)"], games=2)
    assert len(report["encounters"]) == 3


class Wrong:
    def choose(self, state: tg.State) -> str:
        return "z9"


def test_an_exception_forfeits_or_ends_the_match() -> None:
    report = tg.match("tic_tac_toe", Greedy(fails_at=3), "random", games=4, opening_plies=0)
    assert report["faults"]["a"] == 4
    assert "RuntimeError: no idea" in str(report.to_json())
    with pytest.raises(RuntimeError, match="no idea"):
        tg.match("tic_tac_toe", Greedy(fails_at=3), "random", games=4, strict=True)
    wrong = tg.match("tic_tac_toe", Wrong(), "random", games=2)
    assert wrong["faults"]["a"] == 2
    with pytest.raises(TypeError, match="choose"):
        tg.match("tic_tac_toe", object(), "random", games=2)  # type: ignore[arg-type]


def test_a_call_with_a_new_player_of_the_same_class_goes_on() -> None:
    kept: Any = {"record": "games.jsonl", "opening_plies": 1}
    part = tg.match("tic_tac_toe", Greedy(), "random", games=4, **kept)
    whole = tg.match("tic_tac_toe", Greedy(), "random", games=10, strict=True, **kept)
    assert whole["a"] == part["a"] == "external(name=Greedy)" and whole["games"] == 10
    # Two objects of one call have two names, and one object has one.
    both = tg.match("tic_tac_toe", Greedy(), Greedy(), games=2)
    assert (both["a"], both["b"]) == ("external(name=Greedy)", "external(name=Greedy_2)")
    one = Greedy()
    assert tg.match("tic_tac_toe", one, one, games=2)["b"] == "external(name=Greedy)"


def test_a_player_of_python_plays_the_games_of_a_dataset() -> None:
    player = Greedy()
    small: Any = {"iterations": 10, "instances": 2}
    data = tg.collect(
        [tg.Game("tic_tac_toe"), "one_to_ten(target=5..6)"], players=[player, "random"], **small
    )
    rows = data.player_games.to_dicts()
    # Each of three games has two instances, and in each of them four pairs of seats.
    assert len(rows) == 3 * 2 * 4
    assert {row["first"] for row in rows} == {"external(name=Greedy)", "random"}
    assert set(player.threads) == {threading.current_thread().name}
    assert data.report is not None and not data.report.reproducible
    # A dataset has no forfeits: an exception or an illegal move ends the call.
    with pytest.raises(RuntimeError, match="no idea"):
        tg.collect("tic_tac_toe", players=[Greedy(fails_at=3), "random"], **small)
    with pytest.raises(tg.UsageError, match="z9"):
        tg.collect("tic_tac_toe", players=Wrong(), folder="data", **small)
    again = tg.collect("tic_tac_toe", players="random", folder="whole", **small)
    assert again.report is not None and again.report.reproducible
    assert len(again.player_games) == 2


def test_a_game_object_is_compared_on_one_thread() -> None:
    seen = set()

    class Watched(HeapState):
        def legal_actions(self) -> List[int]:
            seen.add(threading.get_ident())
            return super().legal_actions()

    class Game(Heap):
        def new_initial_state(self) -> HeapState:
            return Watched(self.left, self.take)

    heaps = [tg.Game.external(Game(left)) for left in (7, 9)]
    seen.clear()
    report = tg.compare(heaps, games=6, iterations=20)
    assert len(report.gauges) == 2 and len(seen) <= 2, "the pool has one thread beside the caller's"


def test_an_exception_of_a_game_object_is_one_of_the_state() -> None:
    class Mute(HeapState):
        is_broken = False

        def action_to_string(self, action: int) -> str:
            if self.is_broken:
                raise RuntimeError("no words")
            return f"take{action}"

    class Game(Heap):
        def new_initial_state(self) -> HeapState:
            return Mute(self.left, self.take)

    state = tg.Game.external(Game()).new_initial_state()
    assert state.moves()[0] == "take1"
    Mute.is_broken = True
    looks: List[Any] = [tg.State.moves, lambda one: one.action_to_string(1), lambda one: one.play("x")]
    for look in looks:
        with pytest.raises(tg.EngineError, match="RuntimeError: no words"):
            look(state)
    # Ctrl-C is not an error of the game.
    def stop(self: Mute, action: int) -> str:
        raise KeyboardInterrupt

    Mute.action_to_string = stop  # type: ignore[method-assign]
    for look in looks:
        with pytest.raises(KeyboardInterrupt):
            look(state)
