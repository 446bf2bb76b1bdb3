"""Pieces as bytes."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from typing import Mapping

from .. import _treegauge
from ._errors import PieceError

#: The greatest length of the first line of a piece.
_HEAD_MAX = 1_000


def digest_of(files: Mapping[str, bytes]) -> str:
    """16 hexadecimal digits of the SHA-256 of the names and contents of some files."""
    return hashlib.sha256(_joined(files)).hexdigest()[:16]


def pack(plan: str, piece: str, files: Mapping[str, bytes]) -> bytes:
    """A piece as a file: a line of JSON that names the plan, the piece and the SHA-256 of the rest,
    then an archive in the format tar; all compressed by zstd. Equal files give equal bytes."""
    body = _joined(files)
    head = {"plan": plan, "piece": piece, "sha256": hashlib.sha256(body).hexdigest()}
    line = json.dumps(head, sort_keys=True).encode() + b"\n"
    return _treegauge.compress(line + body)


def unpack(plan: str, piece: str, packed: bytes) -> dict[str, bytes]:
    """The files of a piece.

    Raises:
        PieceError: if the bytes are damaged, or are another piece or of another plan.
    """
    try:
        whole = _treegauge.decompress(packed)
        end = whole.index(b"\n", 0, _HEAD_MAX)
        head = json.loads(whole[:end])
        body = whole[end + 1 :]
        found = (head["plan"], head["piece"], head["sha256"])
    except (ValueError, KeyError, TypeError) as error:
        raise PieceError(f"{piece}: damaged: {error}") from error
    if found[0] != plan:
        raise PieceError(f"{piece}: belongs to the plan {found[0]}, not to {plan}")
    if found[1] != piece:
        raise PieceError(f"{piece}: holds the piece {found[1]}")
    if hashlib.sha256(body).hexdigest() != found[2]:
        raise PieceError(f"{piece}: damaged: its checksum is wrong")
    with tarfile.open(fileobj=io.BytesIO(body)) as archive:
        files = {}
        for member in archive:
            file = archive.extractfile(member)
            files[member.name] = b"" if file is None else file.read()
        return files


def _joined(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(files):
            member = tarfile.TarInfo(name)
            member.size = len(files[name])
            archive.addfile(member, io.BytesIO(files[name]))
    return out.getvalue()
