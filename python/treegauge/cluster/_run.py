"""Handing pieces to an executor."""

from __future__ import annotations

import functools
import secrets
import statistics
import threading
import time
from collections import deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from dataclasses import dataclass
from queue import SimpleQueue
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Deque,
    Dict,
    List,
    Optional,
    Set,
    Tuple,
    TypeVar,
    Union,
)

from .._call import _listener
from .._errors import IncompleteError, UsageError
from ._errors import PieceError, named
from ._executors import Submits, end_calls, processes, workers_of
from ._plan import PLAN_FILE, Piece, Plan, differences, plan_of
from ._store import Store, StoreLike, open_store
from ._work import check_canary, end_run, make, write_reason

if TYPE_CHECKING:
    from .._call import Bar

#: Near the end, a piece that takes this many times the median is handed out once more.
SLOW = 3.0

#: The longest time, in seconds, between two looks at the futures.
_LOOK = 0.5

#: The longest time, in seconds, in which a wait for the executor does not notice Ctrl-C.
_SHORT = 0.2

#: The time, in seconds, in which a run that is ended early ends the pieces in flight.
_ENDING = 1.2

_T = TypeVar("_T")


@dataclass
class Done:
    """Progress of a run.

    Attributes:
        pieces: planned pieces.
        done: pieces in the store.
        failed: attempts that failed.
        cpu_seconds: CPU time of the pieces that this run made. A thread cannot tell its own time from
            that of the other threads of its process, so with threads pieces count several times.
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
    setup: Optional[Callable[[], object]] = None,
    progress: Union[bool, Bar, Callable[[Done], object], None] = None,
) -> Done:
    """Makes the pieces that a store lacks.

    Nothing but the store is state: called again after any end, with a plan of the same study, it goes
    on. The store keeps its own cuts. A piece whose worker dies, or that raises, is tried again,
    `attempts` times in all.

    Args:
        plan: the plan; a store has one, which :func:`stored_plan` returns.
        root: the store: a folder that all workers see, or an address for fsspec.
        executor: an object with ``submit(fn, *args)`` that returns a future, or a function that
            makes one, which is called again when the executor breaks. Processes of this machine
            unless given.
        workers: the number of pieces that the executor works on at once, if it does not tell. Twice
            as many are in flight.
        setup: called in each worker process before its first piece of the run. It makes games of other
            programs known there: ``Game.external(...)`` of the same rules.
        progress: called with :class:`Done` after each piece; or ``True``, or a bar of tqdm.

    Raises:
        IncompleteError: if pieces failed `attempts` times; all others are in the store.
        UsageError: if the store has a plan of another study, or an option is wrong.
        KeyboardInterrupt: on Ctrl-C, within two seconds. No further piece begins. Those in flight are
            ended, and none is written any more: tasks of Ray and Dask, threads, and processes that
            the run started. A process pool of the caller's makes the pieces that it has begun. The
            exception has the :class:`Done` as ``partial``, and a note with the number of missing
            pieces.
    """
    if attempts < 1:
        raise UsageError(f"attempts: {attempts} is not in the range 1 or more")
    if workers is not None and workers < 1:
        raise UsageError(f"workers: {workers} is not in the range 1 or more")
    store = open_store(root)
    plan = _claim(store, plan)
    there = set(store.names("pieces"))
    missing = [piece for piece in plan.pieces() if piece.name not in there]
    done = Done(pieces=len(plan), done=len(plan) - len(missing))
    if not missing:
        return done
    heard, close = _heard(progress)
    loop = _Loop(store, plan, executor, workers, attempts, setup, heard, done, deque(missing))
    try:
        loop.run()
    except BaseException as stopped:
        loop.end_early()
        if isinstance(stopped, KeyboardInterrupt):
            _explain(stopped, done, store.root)
        raise
    else:
        loop.end()
    finally:
        close()
    if loop.broken:
        raise IncompleteError(
            f"{len(loop.broken)} of {done.pieces} pieces failed {attempts} times: "
            f"{named(loop.broken)}; the reasons are in {store.root}/failed",
            loop.broken,
        )
    return done


def _explain(stopped: KeyboardInterrupt, done: Done, root: str) -> None:
    """Adds to an exception what is left, and the call that goes on."""
    stopped.partial = done  # type: ignore[attr-defined]
    note = (
        f"{done.pieces - done.done} of {done.pieces} pieces are missing; "
        f"cluster.run(plan, {root!r}) with the same plan makes them"
    )
    if hasattr(stopped, "add_note"):
        stopped.add_note(note)
    elif not stopped.args:
        stopped.args = (note,)


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


def _claim(store: Store, plan: Plan) -> Plan:
    """Writes the plan to a store that has none. A store that has a plan of the same study keeps it
    with its cuts, which depend on the time that games took when it was planned. Returns the plan that
    the store has."""
    try:
        store.read(PLAN_FILE)
    except FileNotFoundError:
        store.write(PLAN_FILE, plan.to_json().encode())
        return plan
    found = plan_of(store)
    others = differences(found, plan)
    if others:
        raise UsageError(
            f"{store.root}: has the plan {found.digest}, not {plan.digest}; they differ in "
            f"{named(others)}"
        )
    if found.canary != plan.canary:
        check_canary(found)
    return found


class _Aside:
    """A thread that speaks to the executor.

    Ctrl-C can interrupt the thread of the loop between any two of its steps: also after the executor
    took a piece, and before the loop knows its future. Such a piece could not be ended.
    """

    def __init__(self) -> None:
        self._calls: SimpleQueue[Optional[Tuple[Future[Any], Callable[[], Any]]]] = SimpleQueue()
        threading.Thread(target=self._work, name="treegauge-executor", daemon=True).start()

    def _work(self) -> None:
        while True:
            asked = self._calls.get()
            if asked is None:
                return
            answer, call = asked
            try:
                answer.set_result(call())
            except BaseException as error:
                answer.set_exception(error)

    def __call__(self, call: Callable[[], _T], timeout: Optional[float] = None) -> _T:
        """Calls a function after all that were passed before."""
        answer: Future[_T] = Future()
        self._calls.put((answer, call))
        until = None if timeout is None else time.monotonic() + timeout
        while not answer.done():
            # Python notices a signal that comes just before a wait only when the wait ends.
            left = _SHORT if until is None else min(_SHORT, until - time.monotonic())
            if left <= 0:
                break
            wait([answer], timeout=left)
        return answer.result(0)

    def close(self) -> None:
        """Ends the thread after the calls that were passed."""
        self._calls.put(None)


class _Loop:
    def __init__(
        self,
        store: Store,
        plan: Plan,
        executor: Union[Submits, Callable[[], Submits], None],
        workers: Optional[int],
        attempts: int,
        setup: Optional[Callable[[], object]],
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
        self.setup = setup
        self.progress = progress
        self.done = done
        self.there = done.done
        self.waiting = waiting
        self.aside = _Aside()
        #: Name of this run, by which the calls that it hands out are ended.
        self.name = secrets.token_hex(8)
        self.is_over = False
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
                self._again_if_slow()
            except BrokenExecutor as error:
                self._replace(error)

    def _is_awaited(self) -> bool:
        """Whether a piece in flight is not in the store yet. The first of two copies is enough: the
        other may hang."""
        return any(piece.name not in self.finished for piece in self.flying.values())

    def end(self) -> None:
        """Ends the executor. A copy of a piece that is there may hang, so nobody waits for it."""
        if self.flying:
            self._end_within(0.0)
        else:
            self.aside(functools.partial(self._end, 0.0))
            self.aside.close()

    def end_early(self) -> None:
        """Ends the executor and the pieces in flight, and counts those that are there."""
        self._end_within(_ENDING)
        for future, piece in list(self.flying.items()):
            if future.done() and not future.cancelled() and future.exception() is None:
                self.finished.add(piece.name)
        self.done.done = self.there + len(self.finished)

    def _end_within(self, seconds: float) -> None:
        self.is_over = True
        try:
            self.aside(functools.partial(self._end, seconds), 1.25 * _ENDING)
        except Exception:
            # A cluster that does not answer keeps no caller. The thread aside still waits for it.
            pass
        finally:
            self.aside.close()

    def _end(self, seconds: float) -> None:
        end_run(self.name)
        if self.executor is None:
            return
        is_ours = self.maker is not None
        if self.flying:
            everywhere = functools.partial(end_run, self.name)
            futures = list(self.flying)
            end_calls(self.executor, futures, seconds, is_ours=is_ours, everywhere=everywhere)
        shutdown = getattr(self.executor, "shutdown", None)
        if is_ours and shutdown is not None:
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
        limit = 2 * (self.workers or self.aside(lambda: workers_of(self.executor)))
        while self.waiting and len(self.flying) < limit:
            # The other copy of a piece may have been made since this one failed.
            if self.waiting[0].name not in self.finished:
                self._submit(self.waiting[0])
            self.waiting.popleft()

    def _submit(self, piece: Piece) -> None:
        self.aside(functools.partial(self._hand_out, piece))

    def _hand_out(self, piece: Piece) -> None:
        if self.is_over:
            return
        attempt = self.tries.get(piece.name, 0) + 1
        task = dict(piece.task)
        words = (self.store.root, self.digest, piece.name, task, attempt, self.name)
        # Not every executor can pass functions on.
        others = () if self.setup is None else (self.setup,)
        future = self.executor.submit(make, *words, *others)
        self.began[future] = time.monotonic()
        self.flying[future] = piece

    def _take(self, future: Future[Any]) -> None:
        # A cluster may cancel calls, for example those of a client that it takes for gone.
        error: Optional[BaseException] = CancelledError("the executor cancelled the call")
        if not future.cancelled():
            error = future.exception()
        if isinstance(error, BrokenExecutor):
            raise error
        piece = self.flying.pop(future)
        took = time.monotonic() - self.began.pop(future)
        if piece.name in self.finished:
            return
        if error is None:
            self._made(piece)
            self.times.append(took)
            self.done.cpu_seconds += future.result()[2]
        else:
            self._failed(piece, error)
        if self.progress is not None:
            self.progress(self.done)

    def _made(self, piece: Piece) -> None:
        self.finished.add(piece.name)
        if piece.name in self.broken:
            # Its other copy failed.
            self.broken.remove(piece.name)
        self.done.done += 1

    def _failed(self, piece: Piece, error: BaseException) -> None:
        self.done.failed += 1
        attempt = self.tries[piece.name] = self.tries.get(piece.name, 0) + 1
        # Ray has errors of its own, with the one of the call as their cause.
        if not isinstance(getattr(error, "cause", error), PieceError):
            # No worker wrote the reason.
            self.aside(lambda: write_reason(self.store, piece.name, attempt, error))
        if attempt >= self.attempts:
            if piece.name not in self.broken:
                self.broken.append(piece.name)
        else:
            self.waiting.append(piece)

    def _replace(self, error: BrokenExecutor) -> None:
        """Goes on with a new executor after the old one broke."""
        if self.maker is None:
            raise IncompleteError(
                f"the executor broke with {self.done.pieces - self.done.done} pieces left; `run` with "
                "another one goes on"
            )
        # Of a slow piece two copies may be in flight.
        flying = {piece.name: piece for piece in self.flying.values()}
        lost = [piece for name, piece in flying.items() if name not in self.finished]
        self.flying.clear()
        self.began.clear()
        self.executor = None
        there = set(self.store.names("pieces"))
        others = {piece.name for piece in (*self.waiting, *self.suspects)} | set(self.broken)
        for piece in lost:
            if piece.name in there:
                self._made(piece)
            elif len(lost) == 1:
                self._failed(piece, error)
            elif piece.name not in others:
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
