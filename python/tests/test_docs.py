"""The examples of the documentation and of docstrings run."""

from __future__ import annotations

import doctest
import inspect
import re

from types import ModuleType

import pytest
from conftest import ROOT

import treegauge as tg
from treegauge import _games, cluster, openspiel, sklearn


def test_the_page_is_true() -> None:
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(blocks) >= 8
    # The blocks continue each other.
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "python.md", None, 0)
    runner = doctest.DocTestRunner()
    shown: list[str] = []
    runner.run(test, out=shown.append)
    assert runner.failures == 0, "".join(shown)


def test_the_page_names_every_function() -> None:
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    names = (name for name in dir(tg) if not name.startswith("_"))
    functions = [name for name in names if inspect.isfunction(getattr(tg, name))]
    blocks = "".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    # These need a file that is not made in a few lines.
    others = {"load", "ratings", "corridor"}
    lost = [name for name in functions if f"tg.{name}(" not in blocks and name not in others]
    assert len(functions) >= 40 and not lost, lost


@pytest.mark.parametrize("module", [_games, cluster, openspiel, sklearn])
def test_docstrings_are_true(module: ModuleType) -> None:
    found = doctest.testmod(module)
    assert found.attempted > 0 == found.failed
