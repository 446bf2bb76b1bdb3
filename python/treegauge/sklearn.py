"""Attributes and predictions of games for scikit-learn: ``pip install 'treegauge[sklearn]'``.

>>> from sklearn.linear_model import LogisticRegression
>>> from sklearn.pipeline import make_pipeline
>>> from sklearn.preprocessing import StandardScaler
>>> from treegauge.sklearn import GameAttributes
>>> rate = make_pipeline(
...     GameAttributes(iterations=50, instances=3), StandardScaler(), LogisticRegression()
... )
>>> games = ["tic_tac_toe", "tic_tac_toe(k=2)", "connect_four", "connect_four(k=6)"]
>>> rate.fit(games, [1, 0, 1, 0]).predict(["achi"]).shape
(1,)
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Dict, Iterable, List, Literal, Optional, Sequence, Union

import numpy
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, check_memory

from . import aggregate, collect, train, vet
from ._call import lending
from ._games import Game
from ._tables import Table

#: Trees that an attribute covers, as ``aggregate`` takes it.
Split = Literal["none", "player", "both"]
#: Order in which a search tries moves.
Expansion = Literal["order", "random"]

#: Columns of a table of attributes that describe the data and not the game.
_ABOUT = ("game", "iterations", "instances", "trees")


def groups_of(games: Iterable[Union[str, Game]]) -> List[str]:
    """The family of each game, as the groups of ``LeaveOneGroupOut``. Games of one family are too
    alike to be on both sides of a test.

    >>> groups_of(["connect_four(k=6)", "achi", "rules(title=three,digest=0123456789abcdef)"])
    ['connect_four', 'achi', 'rules']
    """
    return [_family(game) for game in games]


def _family(game: Any) -> str:
    # Tables name a game of a rules text by its title, which does not tell where the text is.
    if str(game).startswith("rules("):
        return "rules"
    return _game(game).family


def _game(game: Any) -> Game:
    return game if isinstance(game, Game) else Game(str(game))


def _games(X: Any) -> List[Game]:
    """The games of an array of names: of one dimension, or of one column."""
    array = numpy.asarray(X, dtype=object)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise ValueError(f"expected an array of names of games, found the shape {array.shape}")
    if not len(array):
        raise ValueError("Found array with 0 sample(s): there is no game")
    return [_game(game) for game in array]


class GameAttributes(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Turns names of games into the attributes of their search trees and of their self-play.

    Nothing is learned: a game gets the same attributes in every array. They are those of
    :func:`treegauge.aggregate`.

    Args:
        iterations: iterations per move of UCT.
        instances: games of self-play for each game.
        seed: the seed of the study.
        split: ``none``, or a split of the trees as ``aggregate`` takes it.
        sources: ``trees``, ``play`` and others that ``aggregate(with_=)`` takes.
        expansion: the order in which a search tries moves.
        memory: a folder or a ``joblib.Memory`` that keeps the attributes of each game.
    """

    def __init__(
        self,
        iterations: int = 1_000,
        instances: int = 40,
        seed: int = 1,
        split: Split = "none",
        sources: Sequence[str] = ("trees", "play"),
        expansion: Expansion = "order",
        memory: Any = None,
    ) -> None:
        self.iterations = iterations
        self.instances = instances
        self.seed = seed
        self.split = split
        self.sources = sources
        self.expansion = expansion
        self.memory = memory

    def fit(self, X: Any, y: Any = None) -> GameAttributes:
        """Reads the names of the attributes from the first game."""
        games = _games(X)
        self.feature_names_ = list(self._rows(games[:1])[0])
        return self

    def transform(self, X: Any) -> Any:
        """A row of numbers for each game."""
        check_is_fitted(self, "feature_names_")
        rows = self._rows(_games(X))
        return numpy.array([[row[name] for name in self.feature_names_] for row in rows], float)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The names of the attributes."""
        check_is_fitted(self, "feature_names_")
        return numpy.asarray(self.feature_names_, dtype=object)

    def _rows(self, games: Sequence[Game]) -> List[Dict[str, float]]:
        settings: Dict[str, Any] = {
            "iterations": self.iterations,
            "instances": self.instances,
            "seed": self.seed,
            "split": self.split,
            "sources": tuple(self.sources),
            "expansion": self.expansion,
        }
        kept = check_memory(self.memory).cache(_attributes)
        if self.memory is not None:
            return [
                kept(game.canonical, game.text, dict(game.sources), **settings) for game in games
            ]
        first = {game.canonical: game for game in games}
        rows = dict(zip(first, _attributes_of(list(first.values()), **settings)))
        return [rows[game.canonical] for game in games]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        tags.requires_fit = True
        return tags


def _attributes(
    canonical: str, text: str, rules: Dict[str, str], **settings: Any
) -> Dict[str, float]:
    """The attributes of one game. `canonical` decides whether a memory knows it."""
    return _attributes_of([Game(text, rules=rules)], **settings)[0]


def _attributes_of(
    games: Sequence[Game],
    *,
    iterations: int,
    instances: int,
    seed: int,
    split: Split,
    sources: Sequence[str],
    expansion: Expansion,
) -> List[Dict[str, float]]:
    dataset = collect(
        list(games), iterations=iterations, instances=instances, seed=seed, expansion=expansion
    )
    further = [source for source in sources if source != "trees"]
    whole = aggregate(dataset, split=split, with_=further or None)
    left_out = set(_ABOUT)
    if "trees" not in sources:
        left_out |= set(aggregate(dataset, split=split)["columns"])
    columns = list(whole["columns"])
    rows = {row[0]: dict(zip(columns, row)) for row in whole["rows"]}
    return [
        {
            name: value
            for name, value in rows[game.canonical].items()
            if name not in left_out and not isinstance(value, str)
        }
        for game in games
    ]


class Vetter(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Predicts whether people would call a game playable, as :func:`treegauge.vet` does.

    Without :meth:`fit` it has the model of the program. `fit` trains one on labelled games. The
    classes are False, for unplayable, and True.

    >>> games = [f"mnk(rows=3,cols={cols},k={k})" for k in (3, 2) for cols in range(3, 13)]
    >>> vetter = Vetter(iterations=20, instances=2)
    >>> vetter.fit(games, [True] * 10 + [False] * 10, groups=2 * list(range(10))).predict(["achi"]).shape
    (1,)

    Args:
        model: the file of a model; that of the program unless given. `fit` does not use it.
        seed: the seed of the self-play.
        iterations: iterations per move of the self-play that :meth:`fit` learns from.
        instances: games of self-play of each game that :meth:`fit` learns from.
    """

    def __init__(
        self,
        model: Optional[str] = None,
        seed: int = 1,
        iterations: int = 1_000,
        instances: int = 40,
    ) -> None:
        self.model = model
        self.seed = seed
        self.iterations = iterations
        self.instances = instances

    def fit(self, X: Any, y: Any, groups: Any = None) -> Vetter:
        """Trains a model on games and whether each is playable. `groups` are games that are alike;
        the family of a game unless given.

        Raises:
            ValueError: if a game has both labels.
        """
        games = _games(X)
        labels = [bool(label) for label in y]
        kinds = groups_of(games) if groups is None else [str(group) for group in groups]
        if not len(games) == len(labels) == len(kinds):
            raise ValueError(f"{len(games)} games have {len(labels)} labels and {len(kinds)} groups")
        rows: Dict[str, Dict[str, Any]] = {}
        for game, label, group in zip(games, labels, kinds):
            row = {"game": game.canonical, "playable": label, "group": group}
            if rows.setdefault(game.canonical, row)["playable"] != label:
                raise ValueError(f"{game.canonical} has both labels")
        data = collect(
            list({game.canonical: game for game in games}.values()),
            iterations=self.iterations,
            instances=self.instances,
            seed=self.seed,
        )
        with tempfile.TemporaryDirectory(prefix="treegauge-") as folder:
            file = Path(folder) / "model.json"
            texts = {name: text for game in games for name, text in game.sources.items()}
            with lending(texts):
                train(data, labels=Table(list(rows.values())), output=file, seed=self.seed)
            self.model_ = file.read_bytes()
        return self

    @property
    def classes_(self) -> Any:
        """False and True."""
        return numpy.array([False, True])

    def predict_proba(self, X: Any) -> Any:
        """The probability of unplayable, and that of playable, for each game. Where the model says
        "cannot tell" this is its best estimate all the same. A game with a plain flaw, about which
        `vet` asks no model, is unplayable with the probability 1."""
        games = _games(X)
        once = list({game.canonical: game for game in games}.values())
        with tempfile.TemporaryDirectory(prefix="treegauge-") as folder:
            model: Optional[str] = self.model
            if hasattr(self, "model_"):
                file = Path(folder) / "model.json"
                file.write_bytes(self.model_)
                model = str(file)
            report = vet(once, model=model, seed=self.seed)
        found = {
            once[row["place"] - 1].canonical: 0.0
            if row.get("evidence")
            else row["playable"]["probability"]
            for row in report["rows"]
        }
        playable = numpy.array([found[game.canonical] for game in games], float)
        return numpy.column_stack([1.0 - playable, playable])

    def predict(self, X: Any) -> Any:
        """Whether each game is playable: a probability of one half or more."""
        return self.predict_proba(X)[:, 1] >= 0.5

    def __sklearn_is_fitted__(self) -> bool:
        return True


__all__ = ["GameAttributes", "Vetter", "groups_of"]
