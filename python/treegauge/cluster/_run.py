"""Handing pieces to an executor."""

from __future__ import annotations

import statistics
import time
from collections import deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Deque, Dict, List, Optional, Set, Tuple, Union

from .._call import _listener
from .._errors import IncompleteError, UsageError
from ._errors import named
from ._executors import Submits, processes, workers_of
from ._plan import PLAN_FILE, Piece, Plan
from ._store import Store, StoreLike, open_store
from ._work import make

if TYPE_CHECKING:
    from .._call import Bar

#: Near the end, a piece that takes this many times the median is handed out once more.
SLOW = 3.0

#: The longest time, in seconds, between two looks at the futures.
_LOOK = 0.5


@dataclass
class Done:
    """Progress of a run.

    Attributes:
        pieces: planned pieces.
        done: pieces in the store.
        failed: attempts that failed.
        cpu_seconds: CPU time of the pieces that this run made.
    """

    pieces: int
    done: int
    failed: int = 0
    cpu_seconds: float = 0.0


def run(
    plan: Plan,
    root: StoreLike,
    *,
    executor: Union[Submits, Callable[[], Submits], None] = None,
    workers: Optional[int] = None,
    attempts: int = 3,
    progress: Union[bool, Bar, Callable[[Done], object], None] = None,
) -> Done:
    """Makes the pieces that a store lacks.

    Nothing but the store is state: called again after any end, with the same plan, it goes on. A
    piece whose worker dies, or that raises, is tried again, `attempts` times in all.

    Args:
        plan: the plan; a store has one.
        root: the store: a folder that all workers see, or an address for fsspec.
        executor: an object with ``submit(fn, *args)`` that returns a future, or a function that
            makes one, which is called again when the executor breaks. Processes of this machine
            unless given.
        workers: the number of pieces that the executor works on at once, if it does not tell. Twice
            as many are in flight.
        progress: called with :class:`Done` after each piece; or ``True``, or a bar of tqdm.

    Raises:
        IncompleteError: if pieces failed `attempts` times; all others are in the store.
        UsageError: if the store has another plan.
        KeyboardInterrupt: on Ctrl-C. No further piece begins; a note says how many are left.
    """
    if attempts < 1:
        raise UsageError(f"attempts: {attempts} is not in the range 1 or more")
    store = open_store(root)
    _claim(store, plan)
    there = set(store.names("pieces"))
    missing = [piece for piece in plan.pieces() if piece.name not in there]
    done = Done(pieces=len(plan), done=len(plan) - len(missing))
    if not missing:
        return done
    heard, close = _heard(progress)
    loop = _Loop(store, plan, executor, workers, attempts, heard, done, deque(missing))
    try:
        loop.run()
    except KeyboardInterrupt as stopped:
        left = done.pieces - done.done
        note = f"{left} of {done.pieces} pieces are left; `run` with the same plan goes on"
        if hasattr(stopped, "add_note"):
            stopped.add_note(note)
        raise
    finally:
        loop.close()
        close()
    if loop.broken:
        raise IncompleteError(
            f"{len(loop.broken)} of {done.pieces} pieces failed {attempts} times: "
            f"{named(loop.broken)}; the reasons are in {store.root}/failed",
            loop.broken,
        )
    return done


def _heard(
    progress: Union[bool, Bar, Callable[[Done], object], None],
) -> Tuple[Optional[Callable[[Done], object]], Callable[[], None]]:
    """The function that hears of pieces, and the one to call at the end."""
    if callable(progress) and not hasattr(progress, "update"):
        return progress, lambda: None
    words, close = _listener(progress)  # type: ignore[arg-type]
    if words is None:
        return None, close
    return lambda done: words("pieces", done.done, done.pieces, None), close


def _claim(store: Store, plan: Plan) -> None:
    """Writes the plan to a store that has none."""
    text = plan.to_json()
    try:
        found = store.read(PLAN_FILE).decode()
    except FileNotFoundError:
        store.write(PLAN_FILE, text.encode())
        return
    if found != text:
        other = Plan.from_json(found).digest
        raise UsageError(f"{store.root}: has the plan {other}, not {plan.digest}")


class _Loop:
    def __init__(
        self,
        store: Store,
        plan: Plan,
        executor: Union[Submits, Callable[[], Submits], None],
        workers: Optional[int],
        attempts: int,
        progress: Optional[Callable[[Done], object]],
        done: Done,
        waiting: Deque[Piece],
    ) -> None:
        self.store = store
        self.plan = plan
        self.digest = plan.digest
        given: Any = processes() if executor is None else executor
        self.maker: Optional[Callable[[], Submits]] = None if hasattr(given, "submit") else given
        self.executor: Any = given if self.maker is None else None
        self.workers = workers
        self.attempts = attempts
        self.progress = progress
        self.done = done
        self.waiting = waiting
        #: Pieces that were in flight when the executor broke: one of them may have broken it, so
        #: they go one at a time.
        self.suspects: Deque[Piece] = deque()
        self.flying: Dict[Future[Any], Piece] = {}
        self.began: Dict[Future[Any], float] = {}
        self.twice: Set[str] = set()
        self.tries: Dict[str, int] = {}
        self.finished: Set[str] = set()
        self.times: List[float] = []
        self.broken: List[str] = []

    def run(self) -> None:
        while self.waiting or self.suspects or self._is_awaited():
            try:
                self._fill()
                over, _ = wait(list(self.flying), timeout=_LOOK, return_when=FIRST_COMPLETED)
                for future in over:
                    self._take(future)
            except BrokenExecutor:
                self._replace()
            self._again_if_slow()

    def _is_awaited(self) -> bool:
        """Whether a piece in flight is not in the store yet. The first of two copies is enough: the
        other may hang."""
        return any(piece.name not in self.finished for piece in self.flying.values())

    def close(self) -> None:
        for future in self.flying:
            future.cancel()
        if self.maker is not None and self.executor is not None:
            shutdown = getattr(self.executor, "shutdown", None)
            if shutdown is not None:
                # Pieces that are not done when a run is stopped are worth nothing.
                for process in list((getattr(self.executor, "_processes", None) or {}).values()):
                    if self.flying:
                        process.terminate()
                shutdown(wait=not self.flying)

    def _fill(self) -> None:
        if self.executor is None:
            assert self.maker is not None
            self.executor = self.maker()
        if self.suspects:
            if not self.flying:
                self._submit(self.suspects[0])
                self.suspects.popleft()
            return
        limit = 2 * (self.workers or workers_of(self.executor))
        while self.waiting and len(self.flying) < limit:
            # The other copy of a piece may have been made since this one failed.
            if self.waiting[0].name not in self.finished:
                self._submit(self.waiting[0])
            self.waiting.popleft()

    def _submit(self, piece: Piece) -> None:
        attempt = self.tries.get(piece.name, 0) + 1
        future = self.executor.submit(
            make, self.store.root, self.digest, piece.name, dict(piece.task), attempt
        )
        self.flying[future] = piece
        self.began[future] = time.monotonic()

    def _take(self, future: Future[Any]) -> None:
        error = future.exception()
        if isinstance(error, BrokenExecutor):
            raise error
        piece = self.flying.pop(future)
        took = time.monotonic() - self.began.pop(future)
        if piece.name in self.finished:
            return
        if error is None:
            self.finished.add(piece.name)
            if piece.name in self.broken:
                # Its other copy failed.
                self.broken.remove(piece.name)
            self.times.append(took)
            self.done.done += 1
            self.done.cpu_seconds += future.result()[2]
        else:
            self._failed(piece)
        if self.progress is not None:
            self.progress(self.done)

    def _failed(self, piece: Piece) -> None:
        self.done.failed += 1
        self.tries[piece.name] = self.tries.get(piece.name, 0) + 1
        if self.tries[piece.name] >= self.attempts:
            if piece.name not in self.broken:
                self.broken.append(piece.name)
        else:
            self.waiting.append(piece)

    def _replace(self) -> None:
        """Goes on with a new executor after the old one broke."""
        if self.maker is None:
            raise IncompleteError(
                f"the executor broke with {self.done.pieces - self.done.done} pieces left; `run` with "
                "another one goes on"
            )
        lost = [piece for piece in self.flying.values() if piece.name not in self.finished]
        self.flying.clear()
        self.began.clear()
        self.executor = None
        there = set(self.store.names("pieces"))
        alone = len(lost) == 1
        for piece in lost:
            if piece.name in there:
                self.finished.add(piece.name)
                self.done.done += 1
            elif alone:
                self._failed(piece)
            else:
                self.suspects.append(piece)

    def _again_if_slow(self) -> None:
        """Hands out once more the pieces that take far longer than others, when no others wait."""
        if self.waiting or self.suspects or len(self.times) < 3:
            return
        limit = SLOW * statistics.median(self.times)
        now = time.monotonic()
        for future, piece in list(self.flying.items()):
            if piece.name in self.twice or piece.name in self.finished:
                continue
            if now - self.began[future] > max(limit, 2 * _LOOK):
                self.twice.add(piece.name)
                self._submit(piece)
