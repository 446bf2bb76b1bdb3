"""Plans: a study cut into pieces."""

from __future__ import annotations

import hashlib
import json
import math
import time
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Sequence, TYPE_CHECKING, Union

from .._errors import DataError, UsageError
from .._games import Game
from .._treegauge import __version__
from . import _tasks
from ._store import Store

if TYPE_CHECKING:
    from os import PathLike

#: The file of a store that holds its plan.
PLAN_FILE = "plan.json"

#: The greatest number of parts of one task, as the program takes it.
PARTS_MAX = 65_536

#: The depth, in plies, at which an engine shows that it is the same: about half a second.
_CANARY_DEPTH = 3

GameLike = Union[str, Game]


@dataclass(frozen=True)
class Piece:
    """A piece of a study: a task whose result is one file of the store.

    Attributes:
        name: the name of the file in the store.
        task: the task that makes it.
        seconds: the seconds that it is expected to take on one core; 0 if nobody knows.
    """

    name: str
    task: Mapping[str, Any]
    seconds: float = 0.0


@dataclass(frozen=True)
class Plan:
    """A study and its cuts.

    Two plans with the same :attr:`digest` have the same pieces with the same contents.

    Attributes:
        command: ``collect``, ``vet``, ``match``, ``tournament``, ``generate`` or ``difficulty``.
        task: the task of the whole.
        cuts: for each independent share of the study, the number of its parts.
        rules: sources of the rules texts, by file name.
        canary: a small task, and the digest of its result where the plan was made.
        version: the version of treegauge that made the plan.
    """

    command: str
    task: Mapping[str, Any]
    cuts: Sequence[Mapping[str, Any]]
    rules: Mapping[str, str] = field(default_factory=dict)
    canary: Mapping[str, Any] = field(default_factory=dict)
    version: str = __version__

    def pieces(self) -> Iterator[Piece]:
        """All pieces, the dearest first."""
        return _tasks.KINDS[self.command].pieces(self)

    def __len__(self) -> int:
        return sum(int(cut["parts"]) for cut in self.cuts)

    @property
    def digest(self) -> str:
        """16 hexadecimal digits of the SHA-256 of everything that decides the results."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()[:16]

    def to_json(self) -> str:
        """The plan as JSON, as `plan.json` in a store holds it."""
        whole = {
            "schema": 1,
            "kind": "plan",
            "version": self.version,
            "command": self.command,
            "task": dict(self.task),
            "cuts": [dict(cut) for cut in self.cuts],
            "rules": dict(self.rules),
            "canary": dict(self.canary),
        }
        return json.dumps(whole, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """Reads a plan.

        Raises:
            UsageError: if the text is not a plan that this version reads.
        """
        try:
            whole = json.loads(text)
            if whole["kind"] != "plan" or whole["schema"] != 1:
                raise KeyError("kind")
            return cls(
                command=whole["command"],
                task=whole["task"],
                cuts=whole["cuts"],
                rules=whole["rules"],
                canary=whole["canary"],
                version=whole["version"],
            )
        except (ValueError, KeyError, TypeError) as error:
            raise UsageError(f"not a plan of a run on many machines: {error}") from error

    def split(self, count: int) -> list[Plan]:
        """Divides the plan among `count` heads, by its shares: by game where it has several.

        The plans have stores of their own; :func:`finish` takes all of these stores together.
        """
        if count < 1:
            raise UsageError(f"count: {count} is not in the range 1 or more")
        return [
            Plan(self.command, self.task, cuts, self.rules, self.canary, self.version)
            for cuts in (self.cuts[n::count] for n in range(count))
            if cuts
        ]


def plan(
    games: Union[GameLike, Iterable[GameLike]],
    *,
    iterations: Union[int, Iterable[int]] = 1_000,
    instances: int = 100,
    seed: int = 1,
    piece_seconds: float = 60.0,
    **options: Any,
) -> Plan:
    """Plans a collection of search trees from self-play, as :func:`treegauge.collect` makes it.

    The first instance of each game is played to see how long it takes. The cuts depend on that,
    the results do not.

    Args:
        games: names of games, or games.
        iterations: iterations per move; several make several datasets.
        instances: games of self-play for each game.
        seed: the seed of the study.
        piece_seconds: the seconds that a piece should take on one core.
        options: further options of ``collect``.

    Raises:
        UsageError: if an option is wrong, or a game is listed twice.
    """
    if piece_seconds <= 0:
        raise UsageError(f"piece_seconds: {piece_seconds} is not above 0")
    opened = _opened(games)
    strengths = [iterations] if isinstance(iterations, int) else list(iterations)
    if not strengths or len(set(strengths)) < len(strengths):
        raise UsageError("iterations: name each number of iterations once")
    rules = _rules_of(opened)
    task = _task(
        "collect",
        options,
        games=[game.text for game in opened],
        iterations=strengths,
        instances=instances,
        seed=seed,
    )
    cuts: List[Dict[str, Any]] = []
    for strength in strengths:
        for game in opened:
            first = dict(task, games=game.text, iterations=strength, instances=1)
            seconds = _seconds_of(first, rules)
            each = max(1, min(instances, int(piece_seconds / max(seconds, 1e-6))))
            parts = min(math.ceil(instances / each), PARTS_MAX)
            cuts.append(
                {
                    "game": game.text,
                    "canonical": game.canonical,
                    "iterations": strength,
                    "parts": parts,
                    "seconds": round(seconds * instances / parts, 3),
                }
            )
    cheapest = min(cuts, key=lambda cut: float(cut["seconds"]) * int(cut["parts"]))
    probe = dict(task, games=cheapest["game"], iterations=cheapest["iterations"], instances=1)
    return Plan("collect", task, cuts, rules, _canary(probe, rules))


def plan_vet(games: Union[GameLike, Iterable[GameLike]], **options: Any) -> Plan:
    """Plans judging games by a model, a piece for each game. Options are those of ``vet``."""
    opened = _opened(games)
    rules = _rules_of(opened)
    task = _task("vet", options, games=[game.text for game in opened])
    cuts = [{"game": game.text, "canonical": game.canonical, "parts": 1} for game in opened]
    probe = {"command": "collect", "games": opened[0].text, "iterations": 10, "instances": 1}
    return Plan("vet", task, cuts, rules, _canary(probe, rules))


def plan_match(game: GameLike, a: str, b: str, *, games: int, pieces: int, **options: Any) -> Plan:
    """Plans a match in `pieces` pieces. Options are those of ``match``; a sequential test is
    applied to all pairs in order by :func:`finish`."""
    opened = _opened(game)
    task = _task("match", options, game=opened[0].text, a=a, b=b, games=games)
    return _sharded("match", task, opened, pieces)


def plan_tournament(
    game: GameLike, players: Sequence[str], *, games: int, pieces: int, **options: Any
) -> Plan:
    """Plans a tournament in `pieces` pieces. Options are those of ``tournament``."""
    opened = _opened(game)
    task = _task(
        "tournament", options, game=opened[0].text, players=list(players), games=games
    )
    return _sharded("tournament", task, opened, pieces)


def plan_generate(
    start: Union[GameLike, Iterable[GameLike]], *, games: int, pieces: int, **options: Any
) -> Plan:
    """Plans the generation of games in `pieces` parts, each with an archive of its own. The number
    of pieces decides the result. Options are those of ``generate``."""
    opened = _opened(start)
    task = _task("generate", {**options, "from": [game.text for game in opened]}, games=games)
    return _sharded("generate", task, opened, pieces)


def plan_difficulty(
    puzzles: Union[str, "PathLike[str]"], *, block: int = 50, **options: Any
) -> Plan:
    """Plans rating the chess puzzles of a file, `block` puzzles a piece. Options are those of
    ``difficulty``. Every machine needs the engine, and a cut does not change what it answers.

    The engine rates the first puzzle at a small depth here, and on each machine before it makes its
    first piece: a machine whose engine has another name or version, or answers differently, is
    refused.

    Raises:
        EngineError: if the engine cannot be started, or fails.
        UsageError: if an option is wrong, or the file has no puzzles.
    """
    if block < 1:
        raise UsageError(f"block: {block} is not in the range 1 or more")
    with open(puzzles, encoding="utf-8-sig", newline="") as file:
        text = file.read()
    lines = text.splitlines(keepends=True)
    head = _tasks.head_of(lines)
    rows = len(lines) - head
    if rows < 1:
        raise UsageError(f"{puzzles}: no puzzles")
    parts = math.ceil(rows / block)
    task = _task("difficulty", options, block=block)
    name = "puzzles.csv" if head else "puzzles.txt"
    sources = {name: text}
    canary = _engine_canary({**task, "source": name}, sources, min(block, rows))
    return Plan("difficulty", task, [{"source": name, "parts": parts}], sources, canary)


def _engine_canary(
    task: Mapping[str, Any], sources: Mapping[str, str], rows: int
) -> Mapping[str, Any]:
    """A canary of the first puzzle of the first `rows`; empty if there is none."""
    depth = min(_CANARY_DEPTH, int(task.get("depth") or _CANARY_DEPTH))
    for row in range(rows):
        probe = {**task, "block": 1, "part": row, "depth": depth}
        try:
            return _canary(probe, sources)
        except DataError:
            # The row has no puzzle that can be read.
            continue
    return {}


def _task(command: str, options: Mapping[str, Any], **fields: Any) -> Dict[str, Any]:
    """The task of a plan, which workers read as JSON."""
    task = {"command": command, **fields, **options}
    for name, value in task.items():
        try:
            json.dumps(value)
        except TypeError:
            raise UsageError(
                f"{name}: a plan has texts, numbers and lists of them; other objects, such as players, "
                "stay in their process"
            ) from None
    return task


def _sharded(command: str, task: Mapping[str, Any], games: Sequence[Game], pieces: int) -> Plan:
    if not 1 <= pieces <= PARTS_MAX:
        raise UsageError(f"pieces: {pieces} is not in the range 1 to {PARTS_MAX:,}")
    rules = _rules_of(games)
    probe = {"command": "collect", "games": games[0].text, "iterations": 10, "instances": 1}
    return Plan(command, task, [{"parts": pieces}], rules, _canary(probe, rules))


def _opened(games: Union[GameLike, Iterable[GameLike]]) -> list[Game]:
    listed = [games] if isinstance(games, (str, Game)) else list(games)
    if not listed:
        raise UsageError("games: there is none")
    opened = [game if isinstance(game, Game) else Game(game) for game in listed]
    names = [game.canonical for game in opened]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"games: {name} is listed twice")
    return opened


def _rules_of(games: Iterable[Game]) -> dict[str, str]:
    rules: dict[str, str] = {}
    for game in games:
        for name, source in game.sources.items():
            if rules.setdefault(name, source) != source:
                raise UsageError(f"games: {name} names two different rules texts")
    return rules


def _seconds_of(task: Mapping[str, Any], rules: Mapping[str, str]) -> float:
    began = time.process_time()
    _tasks.result(task, rules)
    return time.process_time() - began


def _canary(task: Mapping[str, Any], rules: Mapping[str, str]) -> dict[str, Any]:
    return {"task": dict(task), **_tasks.shown(task, rules)}


def stored_plan(store: Store) -> Plan:
    """The plan of a store.

    Raises:
        UsageError: if the store has none.
    """
    try:
        text = store.read(PLAN_FILE).decode()
    except FileNotFoundError:
        raise UsageError(f"{store.root}: no plan.json, so nothing was planned there") from None
    return Plan.from_json(text)
