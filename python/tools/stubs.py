"""Writes ``treegauge/_operations.py`` from the declarations of the tasks.

usage: stubs.py [--check]
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import keyword
import re
import sys
import textwrap
import types
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple


def extension() -> Any:
    """The extension module without the package around it, whose functions are to be written."""
    found = importlib.util.find_spec("treegauge")
    assert found is not None and found.submodule_search_locations
    package = types.ModuleType("treegauge")
    package.__path__ = list(found.submodule_search_locations)
    sys.modules["treegauge"] = package
    return importlib.import_module("treegauge._treegauge")


#: Classes of reports with typed attributes.
FIELDS = Path(__file__).resolve().parent.parent / "treegauge" / "_fields.py"

TARGET = Path(__file__).resolve().parent.parent / "treegauge" / "_operations.py"

#: Arguments that come before the others and may be given without a name.
FIRST = {"search": ["iterations"], "perft": ["depth"], "match": ["a", "b"], "generate": ["from"]}

#: What a function returns instead of its report.
RESULTS = {
    "search": "Search",
    "solve": "Solution",
    "collect": "Dataset",
    "train": "Model",
}

HEAD = '''"""One function for each command of the program. `cargo xtask stubs` writes this file."""

from __future__ import annotations

from typing import Any, Dict, Literal, Optional, Sequence, Type, Union

from . import _fields, _treegauge
from ._call import GameLike, Listed, Listener, PathLike, PlayerLike, Source, Stop, call
from ._reports import Report
from ._results import Dataset, Model, Search, Solution, whole


'''


def camel(text: str) -> str:
    return "".join(part.capitalize() for part in text.split("_"))


def name_of(field: str) -> str:
    return field + "_" if keyword.iskeyword(field) else field


def type_of(field: Dict[str, Any], command: str) -> str:
    takes, many = field["takes"], field["is_list"]
    if field["choices"] and not many:
        values = ", ".join(json.dumps(choice["value"]) for choice in field["choices"])
        return f"Literal[{values}]"
    if takes == "true or false":
        return "bool"
    if field["value"] == "PLAYER" and command != "search":
        return "Union[PlayerLike, Sequence[PlayerLike]]" if many else "PlayerLike"
    if (command, field["field"]) == ("collect", "players"):
        return "Union[PlayerLike, Sequence[PlayerLike]]"
    if command == "games" and field["option"] is None:
        return "Union[GameLike, Sequence[GameLike]]"
    if field["value"] and field["value"].startswith(("GAME", "LIST|FILE")):
        if field["value"] == "LIST|FILE":
            return "Union[GameLike, PathLike, Sequence[GameLike]]"
        if many:
            return "Union[GameLike, Sequence[GameLike]]"
        return "Union[GameLike, PathLike]" if "FILE" in field["value"] else "GameLike"
    if field["value"] and any(word in field["value"] for word in ("FILE", "DIR", "PATH")):
        if field["value"] == "PATH":
            return "PathLike"
        return "Union[Source, Sequence[Source]]" if many else "Source"
    if field["field"] == "model":
        return "PathLike"
    if (command, field["field"]) == ("generate", "from"):
        return "Union[GameLike, Sequence[GameLike]]"
    one = "str"
    if takes.startswith("a whole number") and "fraction" not in takes:
        one = "int"
    elif takes.startswith(("a number from", "a number of plies", "a share")):
        one = "float"
    elif takes.startswith(("a size", "a day")) or takes == "text":
        one = "str"
    if takes.startswith("a size"):
        one = "Union[int, str]"
    return f"Union[{one}, Sequence[{one}]]" if many else one


class Argument:
    def __init__(
        self, field: str, kind: str, words: str, required: bool = False, default: str = "None"
    ) -> None:
        self.field, self.kind, self.required, self.default = field, kind, required, default
        self.name = name_of(field)
        self.words = " ".join(words.split())

    def declared(self) -> str:
        if self.required:
            return f"{self.name}: {self.kind}"
        if self.default != "None":
            return f"{self.name}: {self.kind} = {self.default}"
        return f"{self.name}: Optional[{self.kind}] = None"


def field_argument(field: Dict[str, Any], command: str) -> Argument:
    words = field["help"]
    if field["default"] and field["takes"] != "true or false":
        words += f" [default: {', '.join(field['default'])}]"
    if field["takes"] != "text" and field["takes"] != "true or false" and not field["choices"]:
        words += f" ({field['takes']})"
    kind = type_of(field, command)
    default = "False" if kind == "bool" else "None"
    return Argument(field["field"], kind, words, field["is_required"], default)


def function(declared: Dict[str, Any]) -> str:
    task = declared["task"]
    command: str = task["command"]
    fields = {field["field"]: field_argument(field, command) for field in task["fields"]}
    placed = [f["field"] for f in task["fields"] if f["option"] is None]
    if command == "match":
        # Both players by their own names.
        placed = placed[:1]
    first = placed + [name for name in FIRST.get(command, []) if name not in placed]
    if command == "collect":
        first = ["games"]
    run = {field["field"]: field_argument(field, command) for field in declared["run"]}
    files: List[Argument] = []
    for file in declared["files"]:
        files.append(Argument(file["name"], "PathLike", file["help"], file["is_required"]))
    kept: Optional[Argument] = None
    if declared["kept"]:
        one = declared["kept"]
        name = "folder" if command == "collect" else one["name"]
        required = one["is_required"] and command != "collect"
        kept = Argument(name, "PathLike", one["help"], required)
    others: List[Argument] = []
    has_at = "position" in fields and "moves" in fields
    if has_at:
        words = "State of the game, instead of `position` and `moves`"
        others.append(Argument("at", "_treegauge.State", words))
    means: List[Argument] = []
    if kept is not None and declared["kept"]["is_checkpoint"]:
        words = "Minutes between two checkpoints; 0 writes one only when the work is ended early"
        means.append(Argument("checkpoint_minutes", "float", words, default="10.0"))
    if files or kept:
        means.append(
            Argument("force", "bool", "Replace files that are not treegauge's own", default="False")
        )
    if declared["threads"]:
        means.append(
            Argument(
                "threads",
                "int",
                "Worker threads, which never affect the result [default: one per core]",
            )
        )
    if declared["memory"]:
        means.append(
            Argument(
                "memory_max",
                "int",
                "Most bytes for positions [default: a quarter of the free memory]",
            )
        )
    if command == "merge":
        words = "Return the report although parts are missing, instead of an `IncompleteError`"
        means.append(Argument("partial", "bool", words, default="False"))
    kinds = [argument.kind for argument in fields.values()]
    if command != "collect" and any("PlayerLike" in kind for kind in kinds):
        words = "Let an exception of a player that is an object end the call; otherwise it forfeits"
        means.append(Argument("strict", "bool", words, default="False"))
    means.append(Argument("stop", "Stop", "Event or function that ends the work early"))
    means.append(Argument("progress", "Listener", "`True`, a bar, or a function of a `Progress`"))
    head = [fields[name] for name in first]
    needed = [
        a
        for a in [*fields.values(), *files, *([kept] if kept else [])]
        if a.required and a not in head
    ]
    rest = [
        a
        for a in [*others, *fields.values(), *run.values(), *files, *([kept] if kept else [])]
        if a not in head and a not in needed
    ]
    arguments: Dict[str, Argument] = {}
    for argument in [*head, *needed, *rest, *means]:
        arguments.setdefault(argument.name, argument)
    if head and not head[0].required and any(a.required for a in head[1:]):
        raise SystemExit(f"{command}: a needed argument follows an optional one")
    lines = [a.declared() for a in arguments.values() if a in head]
    lines.append("*")
    lines += [a.declared() for a in arguments.values() if a not in head]
    result = RESULTS.get(command, report_class(declared))
    text = f"def {command}(\n    " + ",\n    ".join(lines) + f",\n) -> {result}:\n"
    text += docstring(task["about"], list(arguments.values()), declared)
    pairs = []
    for argument in [*fields.values(), *run.values()]:
        value = argument.name
        if (command, argument.field) == ("collect", "games"):
            value = f"Listed({value})"
        pairs.append(f'"{argument.field}": {value}')
    text += (
        "    fields: Dict[str, Any] = {\n" + "".join(f"        {p},\n" for p in pairs) + "    }\n"
    )
    passed = []
    if has_at:
        passed.append("at=at")
    if files:
        inner = ", ".join(f'"{a.field}": {a.name}' for a in files)
        passed.append("files={" + inner + "}")
    if kept:
        passed.append(f"kept={kept.name}")
    passed += [f"{a.name}={a.name}" for a in means if a.name not in [*fields, "partial"]]
    line = ", ".join(passed)
    if command in RESULTS:
        options = ", ".join(passed)
        text += f"    return {RESULTS[command]}._run(fields, {options})\n"
    else:
        text += f'    report, _ = call("{command}", fields, {line})\n'
        ignored = "" if result == "Report" else "  # type: ignore[return-value]"
        returned = "whole(report, partial)" if command == "merge" else "report"
        text += f"    return {returned}{ignored}\n"
    return text


def docstring(about: str, arguments: List[Argument], declared: Dict[str, Any]) -> str:
    stop = "" if about.endswith("?") else "."
    lines = [f'    """{about}{stop}', ""]
    for argument in arguments:
        words = f"{argument.name}: {argument.words}"
        lines += textwrap.wrap(words, 96, initial_indent="    ", subsequent_indent="        ")
    lines += ['    """', ""]
    return "\n".join(line.replace("\\", "\\\\") for line in lines)


def report_class(declared: Dict[str, Any]) -> str:
    kinds = declared["reports"]
    return camel(declared["task"]["command"]) + "Report" if kinds else "Report"


def classes(all_declared: List[Dict[str, Any]]) -> Tuple[str, Dict[str, str]]:
    text, kinds = "", {}
    known = re.findall(r"^class (\w+Fields)", FIELDS.read_text(encoding="utf-8"), re.MULTILINE)
    for declared in all_declared:
        command = declared["task"]["command"]
        base = report_class(declared)
        names = []
        for n, kind in enumerate(declared["reports"]):
            if kind in kinds:
                continue
            kinds[kind] = base if n == 0 else camel(kind) + "Report"
            # The power of a match has none of its fields.
            names.append((kind, kinds[kind], "Report" if n == 0 or kind == "power" else base))
        for kind, name, parent in names:
            fields = f"{camel(kind)}Fields"
            if parent == "Report" and fields in known:
                parent = f"_fields.{fields}"
            text += f'class {name}({parent}):\n    """Report of `{command}`, of the kind `{kind}`."""\n\n'
            text += "    __slots__ = ()\n\n\n"
    return text, kinds


def written() -> str:
    all_declared: List[Dict[str, Any]] = json.loads(extension().declared())
    made, kinds = classes(all_declared)
    text = HEAD + made
    text += "#: The class of each kind of report.\nREPORTS: Dict[str, Type[Report]] = {\n"
    text += "".join(f'    "{kind}": {name},\n' for kind, name in kinds.items()) + "}\n\n\n"
    text += "\n\n".join(function(declared) for declared in all_declared)
    names = [declared["task"]["command"] for declared in all_declared]
    exported = [*names, *dict.fromkeys(kinds.values())]
    text += "\n\n__all__ = [\n" + "".join(f'    "{name}",\n' for name in exported) + "]\n"
    return text


def main() -> int:
    text = written()
    if "--check" in sys.argv[1:]:
        if TARGET.read_text(encoding="utf-8") != text:
            print(f"{TARGET.name} does not follow the declarations: run `cargo xtask stubs`")
            return 1
        return 0
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
