"""Plans: a study cut into pieces."""

from __future__ import annotations

import hashlib
import json
import math
import os
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Union,
)

from .._errors import Stopped, UsageError
from .._external import FAMILY
from .._games import Game
from .._operations import games as list_games
from .._treegauge import __version__
from . import _tasks
from ._puzzles import lines_of, read_puzzles
from ._store import Store, StoreLike, open_store

if TYPE_CHECKING:
    from os import PathLike

#: The file of a store that holds its plan.
PLAN_FILE = "plan.json"

#: The greatest number of parts of one task, as the program takes it.
PARTS_MAX = 65_536

#: The greatest number of iterations at which a game is timed.
_TIMED_MAX = 1_000

#: The time, in seconds, in which a small task of a study shows that workers can do it.
_PROBE = 1.0

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
        files: digests of files that the task names, such as a model. The files do not travel: each
            machine must have the same ones.
    """

    command: str
    task: Mapping[str, Any]
    cuts: Sequence[Mapping[str, Any]]
    rules: Mapping[str, str] = field(default_factory=dict)
    canary: Mapping[str, Any] = field(default_factory=dict)
    version: str = __version__
    files: Mapping[str, str] = field(default_factory=dict)

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
            "files": dict(self.files),
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
                files=whole["files"],
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
            replace(self, cuts=cuts)
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

    The first instance of each game is played, at the least number of iterations up to 1,000, to see
    how long it takes. The cuts depend on that, the results do not: :func:`run` keeps the cuts that a
    store has.

    Args:
        games: names of games, or games; a text may name several, as that of ``collect`` does.
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
    for strength in strengths:
        _read(dict(task, games=opened[0].text, iterations=strength), rules)
    timed = min(*strengths, _TIMED_MAX)
    # Seconds for each game and iteration.
    costs: List[float] = []
    canary: Dict[str, Any] = {}
    for game in opened:
        probe = dict(task, games=game.text, iterations=timed, instances=1)
        began = time.process_time()
        made = _canary(probe, rules)
        costs.append((time.process_time() - began) / timed)
        canary = canary or made
    cuts: List[Dict[str, Any]] = []
    for strength in strengths:
        for game, cost in zip(opened, costs):
            seconds = cost * strength
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
    return Plan("collect", task, cuts, rules, canary, files=_files_of(options))


def plan_vet(games: Union[GameLike, Iterable[GameLike]], **options: Any) -> Plan:
    """Plans judging games by a model, a piece for each game. Options are those of ``vet``. The file of
    a model does not travel: each machine must have the same one.

    Raises:
        UsageError: if an option is wrong, or a game is listed twice.
    """
    opened = _opened(games)
    rules = _rules_of(opened)
    task = _task("vet", options, games=[game.text for game in opened])
    canary = _probed({**task, "games": [opened[0].text]}, rules)
    cuts = [{"game": game.text, "canonical": game.canonical, "parts": 1} for game in opened]
    canary = canary or _search_canary(opened[0], rules)
    return Plan("vet", task, cuts, rules, canary, files=_files_of(options))


def plan_match(game: GameLike, a: str, b: str, *, games: int, pieces: int, **options: Any) -> Plan:
    """Plans a match in `pieces` pieces. Options are those of ``match``; a sequential test is
    applied to all pairs in order by :func:`finish`.

    Raises:
        UsageError: if an option or a player is wrong.
    """
    opened = _opened(game)
    task = _task("match", options, game=opened[0].text, a=a, b=b, games=games)
    return _sharded("match", task, opened, pieces, options)


def plan_tournament(
    game: GameLike, players: Sequence[str], *, games: int, pieces: int, **options: Any
) -> Plan:
    """Plans a tournament in `pieces` pieces. Options are those of ``tournament``.

    Raises:
        UsageError: if an option or a player is wrong.
    """
    opened = _opened(game)
    task = _task("tournament", options, game=opened[0].text, players=list(players), games=games)
    return _sharded("tournament", task, opened, pieces, options)


def plan_generate(
    start: Union[GameLike, Iterable[GameLike]], *, games: int, pieces: int, **options: Any
) -> Plan:
    """Plans the generation of games in `pieces` parts, each with an archive of its own. The number
    of pieces decides the result. Options are those of ``generate``.

    Raises:
        UsageError: if an option is wrong, or a game is listed twice.
    """
    opened = _opened(start)
    task = _task("generate", options, **{"from": [game.text for game in opened]}, games=games)
    return _sharded("generate", task, opened, pieces, options)


def plan_difficulty(
    puzzles: Union[str, "PathLike[str]"], *, block: int = 50, **options: Any
) -> Plan:
    """Plans rating the chess puzzles of a file, `block` puzzles a piece. Options are those of
    ``difficulty``. Every machine needs the engine, and a cut does not change what it answers. The
    files of models and networks do not travel: each machine must have the same ones.

    The engine rates the first puzzle at a small depth here, and on each machine before it makes its
    first piece: a machine whose engine has another name or version, or answers differently, is
    refused.

    Raises:
        DataError: if the file has no puzzles, or rows that are none.
        EngineError: if the engine cannot be started, or fails.
        UsageError: if an option is wrong.
    """
    if block < 1:
        raise UsageError(f"block: {block} is not in the range 1 or more")
    task = _task("difficulty", options, block=block)
    name, text, begins = read_puzzles(puzzles, bool(task.get("solver_first")))
    sources = {name: text}
    starts = begins[::block]
    end = len(lines_of(text))
    cut = {"source": name, "parts": len(starts), "lines": [*starts, end]}
    depth = task.get("depth", _CANARY_DEPTH)
    probe = {
        **{key: value for key, value in task.items() if key != "block"},
        **{"source": name, "head": begins[0], "lines": [begins[0], [*begins, end][1]]},
        # The program refuses what is no number.
        "depth": min(_CANARY_DEPTH, depth) if isinstance(depth, int) else depth,
    }
    canary = _canary(probe, sources)
    return Plan("difficulty", task, [cut], sources, canary, files=_files_of(options))


#: Options that name files. The canary tells one engine from another.
_FILES = ("model", "human_network", "solved", "again")

#: Options that a plan states for each piece.
_OF_PIECES = ("shard", "command", "file", "source", "head", "lines")


def _task(command: str, options: Mapping[str, Any], **fields: Any) -> Dict[str, Any]:
    """The task of a plan, which workers read as JSON."""
    for name in options:
        if name in _OF_PIECES or name in fields:
            raise UsageError(f"{name}: the plan decides this itself")
    task = {"command": command, **fields}
    for name, value in options.items():
        if isinstance(value, os.PathLike):
            value = os.fspath(value)
        if name == "players" and command == "collect" and isinstance(value, (list, tuple)):
            if all(isinstance(player, str) for player in value):
                value = ",".join(value)
        if value is not None and value is not False:
            task[name] = value
    for name, value in task.items():
        try:
            json.dumps(value)
        except TypeError:
            raise UsageError(
                f"{name}: a plan has texts, numbers and lists of them; other objects, such as players, "
                "stay in their process"
            ) from None
    return task


def _files_of(options: Mapping[str, Any]) -> Dict[str, str]:
    """Digests of the files that options name."""
    found: Dict[str, str] = {}
    for name in _FILES:
        value = options.get(name)
        for path in value if isinstance(value, (list, tuple)) else [value]:
            if isinstance(path, (str, os.PathLike)) and os.path.isfile(path):
                found[os.fspath(path)] = file_digest(path)
    return found


def file_digest(path: Union[str, "PathLike[str]"]) -> str:
    """16 hexadecimal digits of the SHA-256 of a file."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()[:16]


def _read(task: Mapping[str, Any], rules: Mapping[str, str]) -> None:
    """Refuses a task with an option that the program does not read. No work is done."""
    _begun(task, rules, lambda: True)


def _begun(
    task: Mapping[str, Any], rules: Mapping[str, str], stop: Callable[[], object]
) -> Optional[Dict[str, Any]]:
    """The canary of a task; `None` if it is stopped first."""
    try:
        return _canary(task, rules, stop)
    except Stopped:
        return None


def _sharded(
    command: str,
    task: Mapping[str, Any],
    games: Sequence[Game],
    pieces: int,
    options: Mapping[str, Any],
) -> Plan:
    if command != "generate" and len(games) > 1:
        raise UsageError(f"game: {command} takes one game, and these are {len(games)}")
    if not 1 <= pieces <= PARTS_MAX:
        raise UsageError(f"pieces: {pieces} is not in the range 1 to {PARTS_MAX:,}")
    rules = _rules_of(games)
    _read(task, rules)
    # Every player plays the others, once in each seat.
    canary = _probed({**task, "games": 1 if command == "generate" else 2}, rules)
    if canary is None or "sprt" in task or command == "generate" or not _repeats(task):
        canary = _search_canary(games[0], rules)
    return Plan(command, task, [{"parts": pieces}], rules, canary, files=_files_of(options))


def _opened(games: Union[GameLike, Iterable[GameLike]]) -> list[Game]:
    """The games of a list, of which each text may name several, as ``mnk(rows=3..4)`` does."""
    listed = [games] if isinstance(games, (str, os.PathLike, Game)) else list(games)
    opened: List[Game] = []
    for one in listed:
        if isinstance(one, Game):
            opened.append(one)
            continue
        text = os.fspath(one)
        is_external = text.startswith(f"{FAMILY}(name")
        rows = [] if is_external else list_games(names=text, canonical=True)["rows"]
        opened += [Game(row["game"]) for row in rows] or [Game(text)]
    if not opened:
        raise UsageError("games: there is none")
    (name, count) = Counter(game.canonical for game in opened).most_common(1)[0]
    if count > 1:
        raise UsageError(f"games: {name} is listed twice")
    return opened


def _rules_of(games: Iterable[Game]) -> dict[str, str]:
    rules: dict[str, str] = {}
    for game in games:
        for name, source in game.sources.items():
            if rules.setdefault(name, source) != source:
                raise UsageError(f"games: {name} names two different rules texts")
    return rules


def _canary(
    task: Mapping[str, Any],
    rules: Mapping[str, str],
    stop: Optional[Callable[[], object]] = None,
) -> Dict[str, Any]:
    return {"task": dict(task), **_tasks.shown(task, rules, stop)}


def _search_canary(game: Game, rules: Mapping[str, str]) -> Dict[str, Any]:
    """A canary for studies whose own tasks take long."""
    probe = {"command": "collect", "games": game.text, "iterations": 10, "instances": 1}
    return _canary(probe, rules)


def _repeats(task: Mapping[str, Any]) -> bool:
    """Whether the players of a match play the same game again: not those with a budget of time, or with
    threads of their own."""
    players = json.dumps([task.get(name) for name in ("a", "b", "players")])
    return "time_ms" not in players and "threads" not in players


def _probed(task: Mapping[str, Any], rules: Mapping[str, str]) -> Optional[Dict[str, Any]]:
    """Begins a small task of a study, so that one that no worker could do is refused here. It is the
    canary if it ends soon; else `None`."""
    until = time.monotonic() + _PROBE
    return _begun(task, rules, lambda: time.monotonic() > until)


def stored_plan(root: StoreLike) -> Plan:
    """The plan of a store, which goes on with ``run(stored_plan(root), root)``.

    Raises:
        UsageError: if the store has none, or the file is not a plan.
    """
    return plan_of(open_store(root))


def plan_of(store: Store) -> Plan:
    """The plan of an open store."""
    try:
        contents = store.read(PLAN_FILE)
    except FileNotFoundError:
        raise UsageError(f"{store.root}: no plan.json, so nothing was planned there") from None
    try:
        return Plan.from_json(contents.decode())
    except (UnicodeDecodeError, UsageError) as error:
        raise UsageError(f"{store.root}/{PLAN_FILE}: {error}") from None


def differences(one: Plan, other: Plan) -> List[str]:
    """The parts in which two plans differ; empty if they are of one study. The cuts of a study whose
    result does not depend on them may differ, and so may the canaries."""

    def names(left: Mapping[str, Any], right: Mapping[str, Any]) -> List[str]:
        return sorted(key for key in {*left, *right} if left.get(key) != right.get(key))

    def shares(plan: Plan) -> List[Dict[str, Any]]:
        # The parts of `generate` are part of its result.
        free = {"seconds"} if plan.command == "generate" else {"seconds", "parts"}
        return [{key: cut[key] for key in cut if key not in free} for cut in plan.cuts]

    found = [name for name in ("version", "command") if getattr(one, name) != getattr(other, name)]
    found += names(one.task, other.task) + names(one.rules, other.rules)
    found += names(one.files, other.files)
    return found + (["shares"] if shares(one) != shares(other) else [])
