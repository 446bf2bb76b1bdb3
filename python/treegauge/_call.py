"""Calls of the library: arguments in, reports out."""

from __future__ import annotations

import json
import os
import sys
from contextlib import closing, contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    Union,
)

from . import _external, _treegauge
from ._errors import DataError, UsageError
from ._games import Game
from ._reports import Report

if TYPE_CHECKING:
    from typing import Protocol

    from ._external import Player

    class Event(Protocol):
        """Anything that can be set, such as ``threading.Event``."""

        def is_set(self) -> bool: ...

    class Bar(Protocol):
        """A bar of tqdm."""

        total: Any

        def update(self, n: Any) -> Any: ...

    class Tabular(Protocol):
        """A table of any library with Arrow."""

        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


#: A game as text, or as an object.
GameLike = Union[str, Game]
#: A player as text, or as an object with `choose(state)`.
PlayerLike = Union[str, "Player"]
#: A path of a file or a folder.
PathLike = Union[str, "os.PathLike[str]"]
#: A path, or a table: of this package, pandas, polars or any other library with Arrow.
Source = Union[str, "os.PathLike[str]", "Tabular"]
#: What ends a call early: an event, or a function that returns true.
Stop = Union["Event", Callable[[], object], None]


class Progress(NamedTuple):
    """Progress of a phase of the work: ``done`` of ``known``, and finished and planned games.

    ``partial`` is a new report on the work so far, at most one a second, of a command that can judge
    unfinished work.
    """

    phase: str
    done: int
    known: int
    games: Optional[Tuple[int, int]]
    partial: Optional[Report] = None


#: The kind and the JSON of a report on unfinished work.
_Partial = Optional[Tuple[str, str]]


#: Who hears of progress.
Listener = Union[bool, "Bar", Callable[[Progress], object], None]


#: Texts of games that calls find, by file name, while an object lends them.
_lent_texts: ContextVar[Mapping[str, str]] = ContextVar("treegauge_texts", default={})


@contextmanager
def lending(texts: Mapping[str, str]) -> Iterator[None]:
    """Lends texts of games to calls."""
    before = _lent_texts.set({**_lent_texts.get(), **texts})
    try:
        yield
    finally:
        _lent_texts.reset(before)


def call(
    command: str,
    fields: Dict[str, Any],
    *,
    at: Optional[_treegauge.State] = None,
    texts: Optional[Mapping[str, str]] = None,
    files: Optional[Dict[str, Optional[PathLike]]] = None,
    kept: Optional[PathLike] = None,
    checkpoint_minutes: float = 10.0,
    force: bool = False,
    threads: Optional[int] = None,
    memory_max: Union[int, None] = None,
    strict: bool = False,
    stop: Stop = None,
    progress: Listener = None,
) -> Tuple[Report, _treegauge.Done]:
    """Does a task and returns its report, with what it left besides."""
    sources: Dict[str, str] = {**_lent_texts.get(), **(texts or {})}
    if at is not None:
        if fields.get("position") is not None or fields.get("moves") is not None:
            raise UsageError("`at` says the position, and so do `position` and `moves`")
        fields = {**fields, **_place(at)}
    # A dataset with a forfeit would be none.
    is_strict = strict or command == "collect"
    with closing(_external.Players(is_strict)) as players, closing(_Lent()) as lent:
        fields = _with_players(command, fields, sources, players)
        given = ((key, value) for key, value in fields.items() if value is not None)
        plain = {key: _plain(value, sources, lent) for key, value in given if value is not False}
        named = [plain.get(key) for key in ("game", "games", "names", "source")]
        is_external = _external.FAMILY + "(name" in str(named)
        if is_external:
            _external.check(command, plain)
        if is_external or players:
            # Only one thread of Python runs at a time.
            threads = 1
        if isinstance(plain.get("engine"), str):
            import shutil

            plain["engine"] = shutil.which(plain["engine"]) or plain["engine"]
        listener, close = _listener(progress, sources)
        hears_partial = callable(progress) and not hasattr(progress, "update")
        try:
            done = _treegauge.run(
                json.dumps({"command": command, **plain}),
                sources,
                {name: os.fspath(path) for name, path in (files or {}).items() if path is not None},
                kept=None if kept is None else os.fspath(kept),
                checkpoint_minutes=checkpoint_minutes,
                force=force,
                engine=_installed() if command == "difficulty" else None,
                threads=threads,
                memory_max=memory_max,
                stop=_asked(stop),
                progress=listener,
                hears_partial=hears_partial,
            )
        except BaseException as error:
            _explain(error, sources, command, kept)
            if lent.hide_from(error) and type(error) is DataError:
                # To the caller the table is an argument.
                raise lent.usage_of(error) from None
            raise
        finally:
            close()
    if done.notes:
        import logging

        for note in done.notes:
            logging.getLogger("treegauge").info(note)
    report = report_of(done, sources)
    report._record = os.fspath(kept) if command == "match" and kept is not None else None
    return report, done


def _with_players(
    command: str, fields: Dict[str, Any], sources: Dict[str, str], players: _external.Players
) -> Dict[str, Any]:
    """The fields with the texts of players that are objects."""
    games: List[Game] = []
    places = [key for key in ("a", "b", "players", "player") if key in fields]
    changed = dict(fields)

    def text_of(player: Any) -> Any:
        if player is None or isinstance(player, str):
            return player
        games[:] = games or _games_of(fields, sources)
        return players.register(player, games)

    for key in places:
        value = fields[key]
        is_list = isinstance(value, Sequence) and not isinstance(value, str)
        changed[key] = [text_of(one) for one in value] if is_list else text_of(value)
        if is_list and command == "collect":
            changed[key] = ",".join(map(str, changed[key]))
    return changed


def _games_of(fields: Mapping[str, Any], sources: Mapping[str, str]) -> List[Game]:
    """The games of a call."""
    if "game" in fields:
        game = fields["game"]
        return [game if isinstance(game, Game) else Game(game, rules=dict(sources))]
    from ._operations import games

    found: List[Game] = []
    for one in fields["games"].games:
        if isinstance(one, Game):
            found.append(one)
            continue
        with lending(sources):
            rows = games(names=os.fspath(one), canonical=True)["rows"]
        found += [Game(row["game"], rules=dict(sources)) for row in rows]
    return found


class _Lent:
    """Files of tables that a call reads."""

    def __init__(self) -> None:
        self.folder: Any = None
        self.count = 0

    def path_of(self, table: Any) -> str:
        """The file of a table, as comma-separated values."""
        import tempfile

        if self.folder is None:
            self.folder = tempfile.TemporaryDirectory(prefix="treegauge-")
        self.count += 1
        path = os.path.join(self.folder.name, f"table{self.count}.csv")
        if hasattr(table, "write_csv"):
            table.write_csv(path)
        elif hasattr(table, "to_csv"):
            table.to_csv(path, index=False)
        else:
            import pyarrow
            import pyarrow.csv

            pyarrow.csv.write_csv(pyarrow.table(table), path)
        return path

    def hide_from(self, error: BaseException) -> bool:
        """Names the tables in a message by their numbers: nobody knows their files. Returns whether
        it names one."""
        if self.folder is None or not error.args or not isinstance(error.args[0], str):
            return False
        message = error.args[0]
        for number in range(1, self.count + 1):
            path = os.path.join(self.folder.name, f"table{number}.csv")
            message = message.replace(path, f"table {number} of the call")
        is_named = bool(message != error.args[0])
        error.args = (message, *error.args[1:])
        return is_named

    @staticmethod
    def usage_of(error: DataError) -> UsageError:
        """An error in a table as one in an argument, with the nearest title."""
        usage = UsageError(*error.args)
        usage.nearest = error.nearest
        return usage

    def close(self) -> None:
        if self.folder is not None:
            self.folder.cleanup()


def report_of(done: _treegauge.Done, sources: Mapping[str, str]) -> Report:
    """The report of what was done, as one of its kind."""
    from ._operations import REPORTS

    made = REPORTS.get(done.kind, Report)
    return made(done.json, done.text, sources, done.ending, done.words, tuple(done.notes))


def _explain(
    error: BaseException, sources: Mapping[str, str], command: str, kept: Optional[PathLike]
) -> None:
    """Adds the unfinished report to an exception that ended the work, and the call that goes on."""
    done = getattr(error, "_done", None)
    if not isinstance(done, _treegauge.Done):
        return
    del error._done  # type: ignore[attr-defined]
    done.take_search(), done.take_solution()
    report = report_of(done, sources)
    error.partial = report  # type: ignore[attr-defined]
    if not report.incomplete:
        return
    if kept is None:
        note = (
            f"the same call of treegauge.{command} with record=, output= or folder= continues kept work"
        )
    else:
        note = f"the same call of treegauge.{command} continues the work in {os.fspath(kept)}"
    if hasattr(error, "add_note"):
        error.add_note(note)
    elif not error.args:
        # Versions before 3.11 have no notes.
        error.args = (note,)


def _place(at: _treegauge.State) -> Dict[str, str]:
    """A position as the options of a command."""
    start = at.start
    moves = at.history_str()
    if any(len(move.split()) != 1 for move in moves):
        return {"position": at.position}
    place = {} if start == at.game.new_initial_state().position else {"position": start}
    return {**place, "moves": " ".join(moves)} if moves else place


def _plain(value: Any, sources: Dict[str, str], lent: _Lent) -> Any:
    """A value as JSON. The texts of games go to ``sources``, tables to files that are ``lent``."""
    if isinstance(value, _treegauge.Game):
        for file, text in value.sources.items():
            if sources.setdefault(file, text) != text:
                raise UsageError(f"two games of one call have different texts called {file!r}")
        return value.text
    if isinstance(value, (str, bool, int, float)) or value is None:
        return value
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "__arrow_c_stream__"):
        return lent.path_of(value)
    if isinstance(value, Listed):
        return ",".join(str(_plain(game, sources, lent)) for game in value.games)
    if isinstance(value, Sequence):
        return [_plain(one, sources, lent) for one in value]
    raise TypeError(f"expected a text, a number or a list, found {type(value).__name__}")


class Listed:
    """Games that an option takes as one text: names separated by commas."""

    def __init__(self, games: Union[GameLike, PathLike, Sequence[GameLike]]) -> None:
        is_list = isinstance(games, Sequence) and not isinstance(games, str)
        self.games: Sequence[Any] = games if is_list else [games]  # type: ignore[assignment]


def _asked(stop: Stop) -> Optional[Callable[[], object]]:
    if stop is None:
        return None
    is_set = getattr(stop, "is_set", None)
    if is_set is not None:
        return is_set  # type: ignore[no-any-return]
    if callable(stop):
        return stop
    raise TypeError("stop takes an event or a function")


def _installed() -> Optional[str]:
    """The chess engine of the machine."""
    import shutil

    usual = "/usr/games/stockfish"
    return shutil.which("stockfish") or (usual if os.path.isfile(usual) else None)


def _nothing() -> None:
    pass


def _listener(
    progress: Listener, sources: Mapping[str, str] = MappingProxyType({})
) -> Tuple[Optional[Callable[..., object]], Callable[[], None]]:
    """The function that hears of progress, and the one to call at the end."""
    if progress is None or progress is False:
        return None, _nothing
    if progress is True:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return _line, _line_end
        bar = tqdm()
        return _bar(bar), bar.close
    if hasattr(progress, "update"):
        return _bar(progress), _nothing
    if callable(progress):
        heard: Any = progress
        return lambda *words: heard(_progress(*words, sources=sources)), _nothing
    raise TypeError("progress takes True, a bar with total and update(n), or a function")


def _progress(*words: Any, sources: Mapping[str, str]) -> Progress:
    """Progress as the library tells it, with the report that it may have."""
    from ._operations import REPORTS

    phase, done, known, games, partial = words
    if partial is None:
        return Progress(phase, done, known, games)
    kind, text = partial
    report = REPORTS.get(kind, Report)(text, sources=sources, ending="incomplete")
    return Progress(phase, done, known, games, report)


def _bar(bar: Any) -> Callable[..., object]:
    last: List[Any] = ["", 0]

    def heard(
        phase: str, done: int, known: int, games: Optional[Tuple[int, int]], _: _Partial = None
    ) -> None:
        if games is not None:
            done, known = games
        if phase != last[0]:
            last[:] = [phase, 0]
            if hasattr(bar, "reset"):
                bar.reset()
            if hasattr(bar, "set_description"):
                bar.set_description(phase)
        bar.total = known
        bar.update(done - last[1])
        last[1] = done

    return heard


def _line(
    phase: str, done: int, known: int, games: Optional[Tuple[int, int]], _: _Partial = None
) -> None:
    if games is not None:
        done, known = games
    sys.stderr.write(f"\r{phase}: {done} of {known} ")
    sys.stderr.flush()


def _line_end() -> None:
    sys.stderr.write("\n")
