"""The program beside the package, and the folders of the checkout."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from pathlib import Path
from typing import Any, Callable, List

import pytest

ROOT = Path(__file__).resolve().parents[2]
TESTDATA = ROOT / "testdata"
#: Members that differ between two equal runs.
MASKED = re.compile(r'"(cpu_s|peak_memory_bytes|elapsed_ms|elapsed_s|memory_bytes)":[^,}]+')


def pytest_configure() -> None:
    # A shell that starts the tests in the background has them, and what they start, ignore Ctrl-C.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def masked(text: str) -> str:
    """JSON without times and memory."""
    return MASKED.sub(r'"\1":0', text.strip())


Program = Callable[[List[str]], "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def program() -> Program:
    """Runs the program with some words."""
    path = os.environ.get("TREEGAUGE_PROGRAM")
    if not path or not os.path.exists(path):
        pytest.fail("TREEGAUGE_PROGRAM names the program to compare with")

    def run(words: List[str]) -> "subprocess.CompletedProcess[str]":
        # The width of a terminal would wrap tables.
        env = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        return subprocess.run([path, *words], capture_output=True, text=True, check=False, env=env)

    return run


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test works in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def plain(value: Any) -> Any:
    """A read-only value as JSON has it."""
    return json.loads(json.dumps(value, default=dict))
