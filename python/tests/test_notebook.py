"""The notebook runs from its first cell to its last."""

from __future__ import annotations

from pathlib import Path

import nbformat
from conftest import ROOT
from nbclient import NotebookClient


def test_the_first_hour_runs(tmp_path: Path) -> None:
    notebook = nbformat.read(ROOT / "docs/first_hour.ipynb", as_version=4)
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=60, kernel_name="python3", resources=resources).execute()
    shown = [output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])]
    assert sum("image/svg+xml" in data for data in shown) >= 2
    assert sum("text/html" in data for data in shown) >= 3
