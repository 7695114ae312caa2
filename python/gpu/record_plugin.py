"""A plugin of pytest: a line for each test's outcome as soon as it is known, and no test again that passed before.

SEICHEFFT_OUTCOMES names the file; SEICHEFFT_EVERY takes every N-th of the tests alone.
"""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any

_file = pathlib.Path(os.environ["SEICHEFFT_OUTCOMES"])
_every = int(os.environ.get("SEICHEFFT_EVERY", "1"))


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    done = set()
    if _file.exists() and "PYTEST_XDIST_WORKER" not in os.environ:
        done = {one["test"] for one in map(json.loads, _file.read_text().splitlines()) if one["outcome"] != "failed"}
    kept = [item for item in items[::_every] if item.nodeid not in done]
    items[:] = kept


def pytest_runtest_logreport(report: Any) -> None:
    if "PYTEST_XDIST_WORKER" in os.environ:
        return
    if report.when == "call" or (report.when == "setup" and report.outcome != "passed"):
        one = {"test": report.nodeid, "outcome": report.outcome}
        if report.outcome == "failed":
            one["why"] = str(report.longrepr)[-900:]
        with _file.open("a") as stream:
            stream.write(json.dumps(one) + "\n")
