"""Executors: what hands the pieces to processors."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, wait
from typing import Any, Callable, Dict, Optional, Protocol, Sequence


class Submits(Protocol):
    """Anything that takes calls and returns futures of their results."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> "Future[Any]": ...


def processes(workers: Optional[int] = None) -> Callable[[], Executor]:
    """Fresh processes of this machine, as many as it has processors for us. The pool is made anew
    when a process dies."""

    count = workers if workers is not None else _processors()

    def make() -> Executor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(count, mp_context=context, initializer=_leave_to_head)

    return make


def _leave_to_head() -> None:
    """Ignores Ctrl-C, which a terminal sends to all processes: the head ends this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def ray(**options: Any) -> Callable[[], Submits]:
    """Tasks of Ray, one processor each, on the cluster that `ray.init(**options)` finds or starts.
    Ray does not repeat them: :func:`run` does, and counts."""

    def make() -> Submits:
        return _Ray(options)

    return make


class _Ray:
    def __init__(self, options: Any) -> None:
        try:
            import ray
        except ImportError as error:
            raise ImportError("Ray is not installed: pip install 'treegauge[ray]'") from error
        self._ray = ray
        if not ray.is_initialized():
            ray.init(**options)
        self._call = ray.remote(num_cpus=1, max_retries=0)(_call)
        #: The tasks that have not ended.
        self._references: Dict[Future[Any], Any] = {}

    @property
    def workers(self) -> int:
        """Processors of the cluster."""
        return int(self._ray.cluster_resources().get("CPU", 1))

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> "Future[Any]":
        reference = self._call.remote(fn, args)
        future: Future[Any] = reference.future()
        self._references[future] = reference
        future.add_done_callback(lambda ended: self._references.pop(ended, None))
        return future

    def end(self, futures: Sequence[Future[Any]], seconds: float) -> None:
        """Cancels tasks and waits up to `seconds` for their ends.

        A task is interrupted as by Ctrl-C, so that it leaves no half of a file behind. The process of
        one that does not end within half of the time is killed.
        """
        # The last ones wait for a processor: cancelled first, they do not begin when others end.
        tasks = [self._references.get(future) for future in reversed(futures)]
        left = [task for task in tasks if task is not None]
        for is_forced in (False, True):
            for task in left:
                self._ray.cancel(task, force=is_forced)
            if not left or seconds <= 0:
                return
            _, left = self._ray.wait(
                left, num_returns=len(left), timeout=seconds / 2, fetch_local=False
            )


def _call(fn: Callable[..., Any], args: Any) -> Any:
    return fn(*args)


def end_calls(
    executor: Any,
    futures: Sequence[Future[Any]],
    seconds: float,
    *,
    is_ours: bool,
    everywhere: Callable[[], object],
) -> None:
    """Ends the calls that the executor can end, and waits for them for up to `seconds`.

    Tasks of Ray are cancelled. Processes of an executor that is ours are ended. Workers of Dask call
    `everywhere`, which asks calls in progress to stop. Of any other executor, calls that have not
    begun are cancelled.
    """
    if isinstance(executor, _Ray):
        executor.end(futures, seconds)
        return
    until = time.monotonic() + seconds
    client = getattr(executor, "_client", None)
    if client is not None:
        client.run(everywhere, on_error="ignore")
    begun = [future for future in reversed(futures) if not future.cancel()]
    workers = getattr(executor, "_processes", None) if is_ours else None
    if workers:
        ended = list(workers.values())
        for process in ended:
            process.terminate()
        for process in ended:
            process.join(max(0.0, until - time.monotonic()))
            if process.is_alive():
                process.kill()
    wait(begun, timeout=max(0.0, until - time.monotonic()))


def workers_of(executor: Any) -> int:
    """The number of calls that an executor works on at once, as far as it tells."""
    for name in ("workers", "_max_workers"):
        found = getattr(executor, name, None)
        if isinstance(found, int):
            return max(1, found)
    client = getattr(executor, "_client", None)
    if client is not None:
        return max(1, int(sum(client.nthreads().values())))
    return _processors()


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
