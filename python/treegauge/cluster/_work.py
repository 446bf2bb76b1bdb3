"""Making pieces."""

from __future__ import annotations

import contextlib
import functools
import json
import platform
import random
import secrets
import threading
import time
import traceback
from typing import Any, Callable, Mapping, Optional, Set, Tuple

from .._errors import IncompleteError, Stopped, UsageError
from .._treegauge import __version__
from . import _tasks
from ._errors import PieceError, named
from ._pack import digest_of, pack
from ._plan import Plan, file_digest, plan_of
from ._store import Store, StoreLike, open_store

#: What travels back from a worker: name of the piece, digest of its files, CPU seconds.
Made = Tuple[str, str, float]

#: The longest time, in seconds, for which a store is asked again to take the reason of a failure: it
#: may have refused the piece itself for minutes.
_PATIENCE = 10.0

#: Runs whose pieces this process no longer makes.
_ended: Set[str] = set()


def end_run(run: str) -> None:
    """Ends the calls of :func:`make` of a run in this process, those that are still to come too."""
    _ended.add(run)


def make(
    root: str,
    plan_digest: str,
    name: str,
    task: Mapping[str, Any],
    attempt: int = 1,
    run: str = "",
    setup: Optional[Callable[[], object]] = None,
) -> Made:
    """Makes one piece and writes it to the store. `run` names the run that asks for it, and `setup`
    is called before its first piece in this process.

    Raises:
        PieceError: if it could not be made. The file ``failed/NAME.ATTEMPT.json`` has the reason.
        Stopped: if :func:`end_run` ended the run. Nothing is written then.
    """

    def is_over() -> bool:
        return run in _ended

    store = open_store(root, is_over)
    try:
        if is_over():
            raise Stopped(f"{name}: the run was ended")
        set_up(setup, run)
        plan = _checked_plan(root, plan_digest)
        began = time.process_time()
        files = _tasks.result(task, plan.rules, is_over)
        seconds = time.process_time() - began
        if is_over():
            raise Stopped(f"{name}: the run was ended")
        store.write(name, pack(plan_digest, name, files))
    except (Exception, SystemExit) as error:
        if is_over():
            raise
        write_reason(store, name, attempt, error)
        raise PieceError(f"{name}: {type(error).__name__}: {error}") from None
    return (name, digest_of(files), seconds)


#: Functions that were called in this process, by the name of the run, module and name.
_called: Set[Tuple[str, str, str]] = set()

#: Held while one is called: no thread makes a piece before its end.
_calling = threading.Lock()


def set_up(setup: Optional[Callable[[], object]], run: str) -> None:
    """Calls a function, once for a run in this process."""
    if setup is None:
        return
    # Executors may pass a copy of the function with each piece.
    name = getattr(setup, "__qualname__", repr(setup))
    key = (run, getattr(setup, "__module__", ""), name)
    with _calling:
        if key not in _called:
            setup()
            _called.add(key)


def write_reason(store: Store, piece: str, attempt: int, error: BaseException) -> None:
    """Writes to the store why an attempt at a piece failed, if it takes it soon."""
    why = {
        "piece": piece,
        "attempt": attempt,
        "host": platform.node(),
        "error": f"{type(error).__name__}: {error}",
        "traceback": "".join(traceback.format_exception(type(error), error, error.__traceback__)),
    }
    with contextlib.suppress(OSError):
        store.write(failed_name(piece, attempt), json.dumps(why).encode(), _PATIENCE)


def failed_name(piece: str, attempt: int) -> str:
    """The file with the reason why an attempt at a piece failed."""
    short = piece[len("pieces/") :].replace("/", "-")
    return f"failed/{short}.{attempt}.json"


@functools.lru_cache(maxsize=4)
def _checked_plan(root: str, digest: str) -> Plan:
    """The plan of a store, after this process has shown that it computes as its maker did."""
    plan = plan_of(open_store(root))
    if plan.digest != digest:
        raise UsageError(f"{root}: has the plan {plan.digest}, not {digest}")
    check_canary(plan)
    return plan


def check_canary(plan: Plan) -> None:
    """Refuses a machine that does not compute what the maker of the plan did.

    Raises:
        UsageError: if the version, a file that the task names, the engine or the result of the canary
            differs.
    """
    if plan.version != __version__:
        raise UsageError(f"the plan is of treegauge {plan.version}; this is {__version__}")
    for path, digest in plan.files.items():
        try:
            found_digest = file_digest(path)
        except OSError as error:
            raise UsageError(f"the plan needs the file {path}: {error}") from None
        if found_digest != digest:
            raise UsageError(
                f"the plan was made with another file {path}: its digest is {digest}, and that of the "
                f"file here {found_digest}"
            )
    if not plan.canary:
        return
    found = _tasks.shown(plan.canary["task"], plan.rules)
    if found.get("engine") != plan.canary.get("engine"):
        raise UsageError(
            f"the plan was made with the engine {plan.canary.get('engine')}; this machine has "
            f"{found.get('engine')}"
        )
    if found["digest"] != plan.canary["digest"]:
        raise UsageError(
            f"this machine plays the canary of the plan differently: its digest is {found['digest']} "
            f"and not {plan.canary['digest']}; another version or engine, a changed rules text or a "
            "faulty processor"
        )


def work(
    root: StoreLike,
    index: int = 0,
    count: int = 1,
    *,
    attempts: int = 3,
    setup: Optional[Callable[[], object]] = None,
) -> int:
    """Makes pieces until none is missing, as one of `count` equal processes. Returns the number of
    pieces made.

    It makes its own share first, each `count`-th piece from `index`, counted from 0, and then
    whatever is missing, in random order. The same processes started again finish what these left.
    Two processes on one piece waste one piece, and nothing else. `setup` is called first, as that of
    :func:`run`.

    Raises:
        IncompleteError: if pieces failed `attempts` times.
        UsageError: if the store has no plan, this machine does not fit it, or an option is wrong.
    """
    if attempts < 1:
        raise UsageError(f"attempts: {attempts} is not in the range 1 or more")
    if not 0 <= index < count:
        raise UsageError(f"index: {index} is not in the range 0 to {count - 1}")
    store = open_store(root)
    plan = plan_of(store)
    set_up(setup, secrets.token_hex(8))
    check_canary(plan)
    pieces = list(plan.pieces())
    own = pieces[index::count]
    others = [piece for place, piece in enumerate(pieces) if place % count != index]
    random.shuffle(others)
    made = 0
    broken = []
    done = set(store.names("pieces"))
    for place, piece in enumerate(own + others):
        if piece.name in done:
            continue
        if place >= len(own) and place % 16 == 0:
            done = set(store.names("pieces"))
        if piece.name in done or (place >= len(own) and _is_there(store, piece.name)):
            continue
        for attempt in range(1, attempts + 1):
            try:
                make(store.root, plan.digest, piece.name, piece.task, attempt)
                made += 1
                break
            except PieceError:
                if attempt == attempts:
                    broken.append(piece.name)
    if broken:
        raise IncompleteError(
            f"{len(broken)} of {len(plan)} pieces failed {attempts} times: {named(broken)}; the "
            f"reasons are in {store.root}/failed",
            broken,
        )
    return made


def _is_there(store: Any, name: str) -> bool:
    try:
        store.read(name)
    except FileNotFoundError:
        return False
    return True
