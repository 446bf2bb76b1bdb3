"""The store where the processes of a run meet."""

from __future__ import annotations

import contextlib
import errno
import os
import random
import time
from pathlib import Path
from typing import Any, Callable, Iterator, Optional, Protocol, TypeVar, Union

from .._errors import UsageError

#: The address of a store: a folder, or an address that fsspec opens.
StoreLike = Union[str, "os.PathLike[str]"]

#: The longest time, in seconds, for which a store that refuses is asked again.
PATIENCE = 300.0

#: Errors by which a folder refuses for a while: a file system of the network whose server does not
#: answer, and one that is full. On shared disks others free space all the time, and waiting costs
#: nothing, while a piece that is thrown away costs a minute of a processor.
_PASSING = frozenset(
    getattr(errno, name)
    for name in (
        "EAGAIN EBUSY EIO ENOLCK ESTALE ETIMEDOUT ENOSPC EDQUOT ENOTCONN ECONNABORTED ECONNREFUSED "
        "ECONNRESET EHOSTDOWN EHOSTUNREACH ENETDOWN ENETUNREACH EREMOTEIO"
    ).split()
    if hasattr(errno, name)
)

#: Whether the caller of a store no longer waits for it.
Over = Callable[[], object]

_T = TypeVar("_T")


class Store(Protocol):
    """Named files that are written whole or not at all."""

    root: str

    def read(self, name: str) -> bytes:
        """The contents of a file.

        Raises:
            FileNotFoundError: if there is none.
        """
        ...

    def write(self, name: str, contents: bytes, patience: Optional[float] = None) -> None:
        """Writes a file whole; one of this name is replaced. `patience` are the seconds for which a
        store that refuses is asked again, :data:`PATIENCE` unless given."""
        ...

    def names(self, below: str) -> list[str]:
        """The names of all files below a folder, sorted."""
        ...

    def remove(self, name: str) -> None:
        """Removes a file; that it is not there is no error."""
        ...


def open_store(root: StoreLike, over: Optional[Over] = None) -> Store:
    """Opens the store at an address. Once `over` returns true, a store that refuses is not asked again.

    Raises:
        ImportError: if the address has a scheme, and fsspec or its part for the scheme is not
            installed.
        UsageError: if fsspec does not know the scheme.
    """
    address = os.fspath(root)
    if "://" not in address:
        return _Folder(address, over)
    try:
        import fsspec  # type: ignore[import-untyped, unused-ignore]
    except ImportError as error:
        raise ImportError(
            f"{address}: stores with an address need fsspec: pip install 'treegauge[cluster]'"
        ) from error
    try:
        files, path = fsspec.core.url_to_fs(address)
    except ValueError as error:
        raise UsageError(f"{address}: {error}") from None
    return _Files(address, files, path.rstrip("/"), over)


class _Folder:
    def __init__(self, root: str, over: Optional[Over]) -> None:
        self.root = root
        self._path = Path(root)
        self._over = over

    def _patiently(self, ask: Callable[[], _T], patience: Optional[float] = None) -> _T:
        return patiently(ask, patience, refuses=_passes, over=self._over)

    def read(self, name: str) -> bytes:
        return self._patiently((self._path / name).read_bytes)

    def write(self, name: str, contents: bytes, patience: Optional[float] = None) -> None:
        self._patiently(lambda: _write(self._path / name, contents), patience)

    def names(self, below: str) -> list[str]:
        def refused(error: OSError) -> None:
            # A folder that is not there has no files.
            if not isinstance(error, FileNotFoundError):
                raise error

        def listed() -> list[str]:
            found = []
            for folder, _, files in os.walk(self._path / below, onerror=refused):
                inside = os.path.relpath(folder, self._path).replace(os.sep, "/")
                found += [f"{inside}/{name}" for name in files if not name.startswith(".")]
            return sorted(found)

        return self._patiently(listed)

    def remove(self, name: str) -> None:
        self._patiently(lambda: (self._path / name).unlink(missing_ok=True))


def _write(path: Path, contents: bytes) -> None:
    """Writes a file under a hidden name, and then gives it its own."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # The name of the process and a random number: two hosts may share the folder.
    hidden = path.with_name(f".{path.name}.{os.getpid()}.{random.getrandbits(64):x}")
    try:
        with open(hidden, "xb") as file:
            file.write(contents)
            file.flush()
            os.fsync(file.fileno())
        os.replace(hidden, path)
    except BaseException:
        # Its own error would hide the first one.
        with contextlib.suppress(OSError):
            hidden.unlink()
        raise


class _Files:
    """A store of fsspec. One PUT of an object store is atomic."""

    def __init__(self, root: str, files: Any, path: str, over: Optional[Over]) -> None:
        self.root = root
        self._files = files
        self._path = path
        self._over = over

    def _patiently(self, ask: Callable[[], _T], patience: Optional[float] = None) -> _T:
        try:
            return patiently(ask, patience, over=self._over)
        except OSError:
            raise
        except Exception as error:
            # Libraries of stores have errors of their own, of missing credentials for example.
            raise OSError(f"{self.root}: {type(error).__name__}: {error}") from error

    def _at(self, name: str) -> str:
        return f"{self._path}/{name}"

    def read(self, name: str) -> bytes:
        return self._patiently(lambda: bytes(self._files.cat_file(self._at(name))))

    def write(self, name: str, contents: bytes, patience: Optional[float] = None) -> None:
        path = self._at(name)

        def put() -> None:
            if not _is_object_store(self._files):
                self._files.makedirs(path.rsplit("/", 1)[0], exist_ok=True)
            self._files.pipe_file(path, contents)

        self._patiently(put, patience)

    def names(self, below: str) -> list[str]:
        def listed() -> list[str]:
            # What another process wrote meanwhile must be seen.
            self._files.invalidate_cache()
            try:
                return [str(name) for name in self._files.find(self._at(below))]
            except FileNotFoundError:
                return []

        start = len(self._path) + 1
        return sorted(name[start:] for name in self._patiently(listed))

    def remove(self, name: str) -> None:
        def rm() -> None:
            try:
                self._files.rm_file(self._at(name))
            except FileNotFoundError:
                pass

        self._patiently(rm)


def _is_object_store(files: Any) -> bool:
    protocol = files.protocol
    names = {protocol} if isinstance(protocol, str) else set(protocol)
    return bool(names & {"s3", "s3a", "gs", "gcs", "abfs", "az", "memory"})


def patiently(
    ask: Callable[[], _T],
    patience: Optional[float] = None,
    *,
    refuses: Optional[Callable[[OSError], bool]] = None,
    over: Optional[Over] = None,
) -> _T:
    """Asks a store again while it refuses, with growing waits, for `patience` seconds or until `over`
    returns true.

    `refuses` tells errors by which a store refuses for a while from answers. Unless it is given, only
    that a file is not there, or that somebody may not read it, is an answer.
    """
    until = time.monotonic() + (PATIENCE if patience is None else patience)
    wait = 0.1
    while True:
        try:
            return ask()
        except OSError as error:
            is_refusal = _is_no_answer(error) if refuses is None else refuses(error)
            if not is_refusal or time.monotonic() + wait > until:
                raise
            refused = error
        time.sleep(wait * random.uniform(0.5, 1.0))
        if over is not None and over():
            raise refused
        wait = min(2 * wait, 30.0)


def _is_no_answer(error: OSError) -> bool:
    """Tests whether a store of fsspec refused."""
    return not isinstance(error, (FileNotFoundError, PermissionError))


def _passes(error: OSError) -> bool:
    """Tests whether a folder refused."""
    return error.errno in _PASSING


def each_name(store: Store, below: str, ending: str) -> Iterator[str]:
    """The names of the files below a folder that have an ending."""
    return (name for name in store.names(below) if name.endswith(ending))
