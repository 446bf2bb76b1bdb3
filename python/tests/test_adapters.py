"""Games for PettingZoo, for algorithms of OpenSpiel, and for scikit-learn."""

from __future__ import annotations

import csv
import pickle
import random
from pathlib import Path
from typing import Any, Callable, Dict, List

import numpy
import pytest
from conftest import ROOT
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import LeaveOneGroupOut, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import treegauge as tg
from treegauge import openspiel, pettingzoo
from treegauge import sklearn as of_sklearn

ENVIRONMENTS = [
    "tic_tac_toe",
    "connect_four",
    "othello(size=6)",
    "kalah",
    "breakthrough(cols=5,rows=5)",
]


@pytest.mark.parametrize("game", ENVIRONMENTS)
def test_environments_pass_the_tests_of_pettingzoo(game: str) -> None:
    from pettingzoo.test import api_test, seed_test

    api_test(pettingzoo.env(game), num_cycles=1000)
    seed_test(lambda: pettingzoo.env(game), num_cycles=100)


def test_a_game_in_the_environment_is_that_of_the_library() -> None:
    rng = random.Random(3)
    for game in ENVIRONMENTS:
        env = pettingzoo.raw_env(game)
        env.reset(seed=1)
        state = tg.Game(game).new_initial_state()
        total = {agent: 0.0 for agent in env.possible_agents}
        for agent in env.agent_iter():
            observation, reward, over, _, _ = env.last()
            total[agent] += reward
            if over:
                env.step(None)
                continue
            assert agent == f"player_{state.current_player()}"
            legal = [int(one) for one in numpy.flatnonzero(observation["action_mask"])]
            assert legal == state.legal_actions()
            assert (observation["observation"] == state.observation_tensor()).all()
            assert env.observation_space(agent).contains(observation)
            action = rng.choice(legal)
            env.step(action)
            state.apply_action(action)
        assert list(total.values()) == state.returns()


def test_an_illegal_action_ends_the_game() -> None:
    env = pettingzoo.env("connect_four(cols=4,rows=4)")
    env.reset()
    for _ in range(4):
        env.step(0)
    loser = env.agent_selection
    env.step(0)
    assert env.terminations[loser] and env.rewards[loser] == -1


def test_boards_are_shown_as_text_and_as_pictures() -> None:
    text = pettingzoo.env("tic_tac_toe", render_mode="ansi")
    text.reset()
    assert text.render() == str(tg.Game("tic_tac_toe").new_initial_state())
    picture = pettingzoo.env("tic_tac_toe", render_mode="svg")
    picture.reset()
    assert picture.render().startswith("<svg")
    with pytest.raises(tg.UsageError, match="render_mode"):
        pettingzoo.env("tic_tac_toe", render_mode="human")


def test_games_without_ids_are_refused() -> None:
    for make in (pettingzoo.env, openspiel.load_game):
        with pytest.raises(tg.UsageError, match="no ids"):
            make("checkers")


def test_an_environment_survives_a_pickle() -> None:
    env = pickle.loads(pickle.dumps(pettingzoo.raw_env("achi")))
    env.reset()
    assert env.observe("player_0")["action_mask"].sum() == 9


def minimax(state: Any, player: int) -> float:
    """Value by OpenSpiel's methods alone."""
    if state.is_terminal():
        return float(state.player_return(player))
    values = [minimax(state.child(action), player) for action in state.legal_actions()]
    return max(values) if state.current_player() == player else min(values)


def test_an_algorithm_for_openspiel_finds_the_values_of_the_solver() -> None:
    text = "connect_four(cols=3,rows=3,k=3)"
    game = openspiel.load_game(text)
    solution = tg.solve(text)
    value = {1.0: "win", 0.0: "tie", -1.0: "lose"}
    assert value[minimax(game.new_initial_state(), 0)] == solution.probe()["value"]


def test_openspiel_methods_agree_with_each_other() -> None:
    game = openspiel.load_game("connect_four")
    assert (game.num_players(), game.utility_sum(), game.max_chance_outcomes()) == (2, 0.0, 0)
    assert (game.min_utility(), game.max_utility()) == (-1.0, 1.0)
    assert game.observation_tensor_size() == 3 * 6 * 7
    rng = random.Random(5)
    state = game.new_initial_state()
    while not state.is_terminal():
        legal = state.legal_actions()
        mask = state.legal_actions_mask()
        assert [action for action, one in enumerate(mask) if one] == legal
        assert state.legal_actions(1 - state.current_player()) == []
        action = rng.choice(legal)
        assert state.string_to_action(state.action_to_string(action)) == action
        before = state.clone()
        state.apply_action(action)
        assert state.history() == [*before.history(), action]
        assert len(state.observation_tensor()) == game.observation_tensor_size()
    state.undo_action(0, state.history()[-1])
    assert not state.is_terminal()
    with pytest.raises(tg.UsageError, match="not the last"):
        state.undo_action(0, 99)


GAMES = [
    "tic_tac_toe",
    "tic_tac_toe(k=2)",
    "connect_four(cols=5,rows=4)",
    "connect_four(cols=5,rows=4,k=3)",
    "achi",
    "achi(size=4)",
]


def test_attributes_are_those_of_aggregate(tmp_path: Path) -> None:
    transformer = of_sklearn.GameAttributes(iterations=30, instances=3)
    found = transformer.fit_transform(GAMES)
    names = list(transformer.get_feature_names_out())
    assert found.shape == (len(GAMES), len(names))
    table = tg.collect(GAMES, iterations=30, instances=3).aggregate(split="none", with_="play")
    rows = {row[0]: dict(zip(table["columns"], row)) for row in table["rows"]}
    for text, row in zip(GAMES, found):
        expected = rows[tg.Game(text).canonical]
        assert dict(zip(names, row)) == {name: expected[name] for name in names}
    # A game has the same attributes in every array, and from the memory.
    again = transformer.transform([GAMES[2], GAMES[0], GAMES[2]])
    assert (again == found[[2, 0, 2]]).all()
    kept = of_sklearn.GameAttributes(iterations=30, instances=3, memory=str(tmp_path / "kept"))
    assert (kept.fit_transform(GAMES[:2]) == found[:2]).all()
    assert (kept.transform(GAMES[:2]) == found[:2]).all()
    assert clone(kept).get_params() == kept.get_params()


def test_attributes_in_a_pipeline_with_grouped_folds() -> None:
    games = numpy.array(GAMES)
    groups = of_sklearn.groups_of(games)
    assert groups == ["tic_tac_toe"] * 2 + ["connect_four"] * 2 + ["achi"] * 2
    pipeline = make_pipeline(
        of_sklearn.GameAttributes(iterations=30, instances=3),
        StandardScaler(),
        LogisticRegression(),
    )
    labels = [1, 0, 1, 0, 1, 0]
    found = cross_val_predict(
        pipeline, games, labels, groups=groups, cv=LeaveOneGroupOut(), method="predict_proba"
    )
    assert found.shape == (6, 2) and numpy.allclose(found.sum(axis=1), 1)


#: The learners of ``evaluate`` as scikit-learn has them, for a number of attributes.
LEARNERS: Dict[str, Callable[[int], Any]] = {
    "bayes": lambda _: GaussianNB(),
    "neighbours": lambda _: make_pipeline(StandardScaler(), KNeighborsClassifier(5)),
    "logistic": lambda _: make_pipeline(
        StandardScaler(), LogisticRegression(C=0.1, tol=1e-10, max_iter=10_000)
    ),
    "svm": lambda _: make_pipeline(StandardScaler(), SVC(kernel="linear", C=1.0, tol=1e-5)),
    "svm_gaussian": lambda n: make_pipeline(
        StandardScaler(), SVC(kernel="rbf", gamma=1 / n, C=1.0, tol=1e-5)
    ),
}


def test_learners_predict_as_those_of_scikit_learn() -> None:
    attributes = ROOT / "record/study/attributes-1000-2026-11-28.csv"
    with open(attributes, encoding="utf-8") as file:
        table = {row["game"]: row for row in csv.DictReader(file)}
    names = [name for name in table["achi"] if "." in name]
    of_both = [name for name in names if not name.startswith(("first.", "second."))]
    of_each = [name for name in names if name not in of_both]
    assert (len(of_both), len(of_each)) == (64, 128)
    report = tg.evaluate(attributes, permutations=0)
    found = {
        (row["split"], row["learner"], row["game"]): row["probability"]
        for row in report.predictions.to_dicts()
        if row["protocol"] == "grouped"
    }
    folds: Dict[str, List[Dict[str, Any]]] = {}
    for row in report.folds.to_dicts():
        if row["protocol"] == "grouped":
            folds.setdefault(row["split"], []).append(row)
    compared = 0
    for split, rows in folds.items():
        columns = of_both if split == "none" else of_each
        values = numpy.array([[float(table[row["game"]][name]) for name in columns] for row in rows])
        playable = numpy.array([row["playable"] for row in rows])
        of_fold = numpy.array([row["fold"] for row in rows])
        for learner, make in LEARNERS.items():
            for fold in set(of_fold):
                held_out = of_fold == fold
                model = make(len(columns)).fit(values[~held_out], playable[~held_out])
                if learner.startswith("svm"):
                    # Ours has no second fit for probabilities.
                    expected = 1 / (1 + numpy.exp(-model.decision_function(values[held_out])))
                else:
                    expected = model.predict_proba(values[held_out])[:, 1]
                games = [row["game"] for row, is_out in zip(rows, held_out) if is_out]
                ours = [found[split, learner, game] for game in games]
                # Ours stops at the tolerance of LIBSVM, a hundred times that of the model here.
                most = 0.005 if learner.startswith("svm") else 0.001
                assert numpy.abs(expected - ours).max() < most, (split, learner, fold)
                compared += len(games)
    assert compared == 2 * 5 * 28


@pytest.mark.parametrize("games", [[], [["achi", "alak"]], numpy.zeros((2, 2))])
def test_wrong_arrays_are_refused(games: List[Any]) -> None:
    with pytest.raises(ValueError):
        of_sklearn.GameAttributes().fit(games)


def test_probabilities_are_those_of_vet() -> None:
    games = ["connect_four(cols=5,rows=4)", "tic_tac_toe(k=2)"]
    vetter = of_sklearn.Vetter()
    found = vetter.predict_proba(games)
    report = tg.vet(games)
    assert [bool(row.get("evidence")) for row in report["rows"]] == [False, True]
    for row in report["rows"]:
        probability = 0.0 if row.get("evidence") else row["playable"]["probability"]
        assert found[row["place"] - 1, 1] == probability
    assert (vetter.predict(games) == (found[:, 1] >= 0.5)).all()
    assert list(vetter.classes_) == [False, True]


def test_a_vetter_learns_from_labelled_games() -> None:
    from sklearn.base import clone

    boards = [(rows, cols) for rows in (3, 4) for cols in range(3, 8)]
    games: List[Any] = [f"mnk(rows={rows},cols={cols},k={k})" for k in (3, 2) for rows, cols in boards]
    # A game of a text, without a file.
    games[0] = tg.Game.from_rules(tg.template("achi"), name="mine")
    labels, groups = [True] * 10 + [False] * 10, [str(n % 10) for n in range(20)]
    vetter = of_sklearn.Vetter(iterations=30, instances=4)
    fitted = clone(vetter).fit(games, labels, groups=groups)
    found = fitted.predict_proba([*games, games[0]])
    assert found.shape == (21, 2) and (found[0] == found[20]).all()
    assert (found != vetter.predict_proba([*games, games[0]])).any(), "the model is its own"
    with pytest.raises(ValueError, match="both labels"):
        vetter.fit([games[0]] * 2, [True, False])
    with pytest.raises(ValueError, match="20 games have 1 labels"):
        vetter.fit(games, [True])
