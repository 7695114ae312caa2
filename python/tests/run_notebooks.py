"""Runs the notebooks of examples/notebooks, each in a kernel of its own; their last cells assert what they show.

    python run_notebooks.py [NAME...]

A notebook says in its metadata which packages it needs besides the usual ones (``seichefft.requires``); where one is
missing it is skipped, and the line says so. Notebooks are kept without results. The exit status is 0 if none failed.
"""

from __future__ import annotations

import importlib.util
import os
import pathlib
import re
import sys
import time
from typing import Any

import nbclient
import nbformat

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples" / "notebooks"
SECONDS = 120  # of one cell


def fault_of(notebook: Any) -> str:
    """What is wrong with a notebook as it is kept, or ''."""
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if any(cell.outputs or cell.execution_count is not None for cell in cells):
        return "it is kept with results: expected none"
    if not any("assert " in cell.source for cell in cells):
        return "it asserts nothing: expected what it shows"
    return ""


def run(path: pathlib.Path) -> bool:
    notebook = nbformat.read(path, as_version=4)
    fault = fault_of(notebook)
    if fault:
        print(f"{path.stem}: failed, {fault}", flush=True)
        return False
    needed = notebook.metadata.get("seichefft", {}).get("requires", [])
    missing = [name for name in needed if importlib.util.find_spec(name) is None]
    if missing:
        print(f"{path.stem}: skipped, {', '.join(missing)} is not installed", flush=True)
        return True
    start = time.monotonic()
    client = nbclient.NotebookClient(notebook, timeout=SECONDS, kernel_name="python3")
    try:
        client.execute(cwd=str(FOLDER))
    except nbclient.exceptions.CellExecutionError as error:
        text = re.sub(r"\x1b\[[0-9;]*m", "", error.traceback)
        print(f"{path.stem}: failed\n{text}", flush=True)
        return False
    print(f"{path.stem}: passed, {time.monotonic() - start:.1f} s", flush=True)
    return True


def main() -> int:
    os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    # Kernels start in the notebooks' folder.
    folders = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    os.environ["PYTHONPATH"] = os.pathsep.join(os.path.abspath(folder) for folder in folders if folder)
    wanted = sys.argv[1:]
    paths = sorted(path for path in FOLDER.glob("*.ipynb") if not wanted or path.stem in wanted)
    if not paths:
        print(f"no notebook in {FOLDER} of the names {wanted}")
        return 1
    results = [run(path) for path in paths]
    print(f"{sum(results)} of {len(results)} notebooks without a fault")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
