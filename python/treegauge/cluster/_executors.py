"""Executors: what hands the pieces to processors."""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from typing import Any, Callable, Optional, Protocol


class Submits(Protocol):
    """Anything that takes calls and returns futures of their results."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> "Future[Any]": ...


def processes(workers: Optional[int] = None) -> Callable[[], Executor]:
    """Fresh processes of this machine, as many as it has processors for us. The pool is made anew
    when a process dies."""

    count = workers if workers is not None else _processors()

    def make() -> Executor:
        return ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn"))

    return make


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

    @property
    def workers(self) -> int:
        """Processors of the cluster."""
        return int(self._ray.cluster_resources().get("CPU", 1))

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> "Future[Any]":
        reference = self._call.remote(fn, args)
        future: Future[Any] = reference.future()
        return future


def _call(fn: Callable[..., Any], args: Any) -> Any:
    return fn(*args)


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
