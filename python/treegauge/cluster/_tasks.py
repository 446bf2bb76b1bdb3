"""The kinds of studies that are cut into pieces: their pieces, and how these are joined."""

from __future__ import annotations

import hashlib
import io
import tempfile
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Mapping,
    Optional,
    Set,
    Tuple,
)

from .. import run as run_task
from .._errors import EngineError
from ._pack import digest_of
from ._puzzles import lines_of

if TYPE_CHECKING:
    from .._reports import Report
    from ._plan import Piece, Plan

#: The file of a dataset that decides all others.
JOURNAL = "instances.jsonl"

#: Joins unpacked pieces into the files that one machine would have written.
Join = Callable[["Plan", Path, Path], List[Path]]


class Kind:
    """A kind of study."""

    def __init__(self, pieces: Callable[[Plan], Iterator[Piece]], join: Join) -> None:
        self.pieces = pieces
        self.join = join


def result(
    task: Mapping[str, Any], rules: Mapping[str, str], stop: Optional[Callable[[], object]] = None
) -> Dict[str, bytes]:
    """Runs a task on one thread, and returns the files that decide its result. It ends early once
    `stop` returns true, by :class:`Stopped`."""
    command = task["command"]
    with tempfile.TemporaryDirectory(prefix="treegauge-") as folder:
        place = Path(folder) / "result"
        if command == "collect":
            run_task(task, kept=place, threads=1, texts=rules, stop=stop)
            return {JOURNAL: (place / JOURNAL).read_bytes()}
        if command == "vet":
            run_task(task, kept=place, threads=1, texts=rules, stop=stop)
            journals = sorted(place.glob(f"*/{JOURNAL}"))
            return {f"{one.parent.name}/{JOURNAL}": one.read_bytes() for one in journals}
        if command in ("match", "tournament"):
            run_task(task, kept=place, threads=1, texts=rules, stop=stop)
            return {"record.jsonl": place.read_bytes()}
        if command == "generate":
            run_task(task, kept=place, threads=1, texts=rules, stop=stop)
            files = sorted(one for one in place.rglob("*") if one.is_file())
            return {one.relative_to(place).as_posix(): one.read_bytes() for one in files}
        if command == "difficulty":
            return _rated(task, rules, Path(folder), stop)[0]
    raise ValueError(f"no pieces of {command!r}")


def _rated(
    task: Mapping[str, Any],
    files: Mapping[str, str],
    folder: Path,
    stop: Optional[Callable[[], object]] = None,
) -> Tuple[Dict[str, bytes], Report]:
    """Rates a block of puzzles; the answers of the engine are the result."""
    name, head, (first, last) = task["source"], int(task["head"]), task["lines"]
    lines = lines_of(files[name])
    puzzles = folder / name
    puzzles.write_bytes("".join(lines[:head] + lines[first:last]).encode())
    answers = folder / "answers"
    rest = {key: value for key, value in task.items() if key not in ("source", "head", "lines")}
    # Several engines answer in any order, and equal pieces have equal bytes.
    rest["engines"] = 1
    report = run_task({**rest, "file": str(puzzles)}, kept=answers, stop=stop)
    if not answers.exists():
        raise EngineError(
            "no answers of an engine: install one or name it as `engine`, and leave out `no_cache`"
        )
    return {"answers": answers.read_bytes()}, report


def shown(
    task: Mapping[str, Any], rules: Mapping[str, str], stop: Optional[Callable[[], object]] = None
) -> Dict[str, str]:
    """The marks of a canary: the digest of the result of its task and, if an engine worked for it, the
    name of the engine with its version."""
    if task["command"] != "difficulty":
        return {"digest": digest_of(result(task, rules, stop))}
    with tempfile.TemporaryDirectory(prefix="treegauge-") as folder:
        files, report = _rated(task, rules, Path(folder), stop)
    engine = (report["measured"] or {}).get("engine", "")
    return {"digest": digest_of(files), "engine": engine}


def _name(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _dear_first(plan: Plan) -> List[Mapping[str, Any]]:
    return sorted(plan.cuts, key=lambda cut: -float(cut.get("seconds", 0)))


def _collect_pieces(plan: Plan) -> Iterator[Piece]:
    from ._plan import Piece

    for cut in _dear_first(plan):
        parts, strength = cut["parts"], cut["iterations"]
        folder = f"pieces/{strength}/{_name(cut['canonical'])}"
        for part in range(1, parts + 1):
            shard = {} if parts == 1 else {"shard": f"{part}/{parts}"}
            task = {**plan.task, "games": cut["game"], "iterations": strength, **shard}
            yield Piece(f"{folder}/{part}-of-{parts}.zst", task, float(cut["seconds"]))


def _vet_pieces(plan: Plan) -> Iterator[Piece]:
    from ._plan import Piece

    for cut in plan.cuts:
        task = {**plan.task, "games": [cut["game"]]}
        yield Piece(f"pieces/games/{_name(cut['canonical'])}.zst", task)


def _sharded_pieces(plan: Plan) -> Iterator[Piece]:
    from ._plan import Piece

    parts = int(plan.cuts[0]["parts"])
    # A sequential test looks at all pairs in order, so it waits for all of them.
    task = {key: value for key, value in plan.task.items() if key != "sprt"}
    for part in range(1, parts + 1):
        shard = {} if parts == 1 else {"shard": f"{part}/{parts}"}
        yield Piece(f"pieces/parts/{part}-of-{parts}.zst", {**task, **shard})


def _difficulty_pieces(plan: Plan) -> Iterator[Piece]:
    from ._plan import Piece

    cut = plan.cuts[0]
    places = cut["lines"]
    rest = {key: value for key, value in plan.task.items() if key != "block"}
    for part in range(int(cut["parts"])):
        block = {"source": cut["source"], "head": places[0], "lines": places[part : part + 2]}
        yield Piece(f"pieces/blocks/{part + 1}-of-{cut['parts']}.zst", {**rest, **block})


def _join_collect(plan: Plan, pieces: Path, target: Path) -> List[Path]:
    made = []
    for strength in plan.task["iterations"]:
        folders = sorted((pieces / str(strength)).glob("*/*"))
        place = target / str(strength)
        _merge(folders, place)
        made.append(place)
    return made


def _join_vet(plan: Plan, pieces: Path, target: Path) -> List[Path]:
    journals = sorted(pieces.glob(f"games/*/*/{JOURNAL}"))
    for strength in sorted({one.parent.name for one in journals}):
        folders = [one.parent for one in journals if one.parent.name == strength]
        _merge(folders, target / strength)
    run_task(plan.task, kept=target, texts=plan.rules)
    return [target]


def _join_records(plan: Plan, pieces: Path, target: Path) -> List[Path]:
    records = [str(one) for one in sorted(pieces.glob("parts/*/record.jsonl"))]
    task = {"command": "merge", "files": records}
    if "sprt" in plan.task:
        task["sprt"] = plan.task["sprt"]
    target.parent.mkdir(parents=True, exist_ok=True)
    run_task(task, kept=target)
    return [target]


def _join_generate(plan: Plan, pieces: Path, target: Path) -> List[Path]:
    _merge(sorted(pieces.glob("parts/*")), target)
    return [target]


def _join_difficulty(plan: Plan, pieces: Path, target: Path) -> List[Path]:
    answers = sorted(pieces.glob("blocks/*/answers"))
    target.mkdir(parents=True, exist_ok=True)
    _join_answers(answers, target / "answers")
    ((name, text),) = plan.rules.items()
    (target / name).write_bytes(text.encode())
    task = {key: value for key, value in plan.task.items() if key != "block"}
    report = run_task({**task, "file": str(target / name)}, kept=target / "answers")
    (target / "report.json").write_text(report.to_json() + "\n", encoding="utf-8")
    return [target]


def _join_answers(parts: List[Path], whole: Path) -> None:
    """Joins journals of answers: the header once, then all lines in the order of the parts. Puzzles
    of several parts may ask the same; one machine asks once."""
    out = io.BytesIO()
    asked: Set[bytes] = set()
    for part in parts:
        for line in part.read_bytes().splitlines(keepends=True):
            # The header, or the checksum and the key of an answer.
            key = line if line.startswith(b"treegauge") else line.split(b" ", 2)[1]
            if key not in asked:
                asked.add(key)
                out.write(line)
    whole.write_bytes(out.getvalue())


def _merge(folders: List[Path], place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    run_task({"command": "merge", "files": [str(one) for one in folders]}, kept=place)


KINDS: Dict[str, Kind] = {
    "collect": Kind(_collect_pieces, _join_collect),
    "vet": Kind(_vet_pieces, _join_vet),
    "match": Kind(_sharded_pieces, _join_records),
    "tournament": Kind(_sharded_pieces, _join_records),
    "generate": Kind(_sharded_pieces, _join_generate),
    "difficulty": Kind(_difficulty_pieces, _join_difficulty),
}
