"""Runs everything that has to do with arrays on a card, and writes what came of it.

    python python/gpu/run_suites.py --record record.json [--cupy-tests FOLDER] [--every N] [--seconds S] [--jobs J]
        [--suites torch,cupy,jax,opinfo,doctests,cupy.fft,cupyx,overhead,speed]

Of each library that is not there the suite is left out, and the record says so. A second run with the same record goes
on where the first one ended: tests that passed are not run again. `--cupy-tests` names the folder `tests` of CuPy's
sources; the functions of cupy.fft and cupyx.scipy.fft that it tests are replaced by seichefft's for the run.
"""

from __future__ import annotations

import argparse
import collections
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import time
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent / "tests"
#: Suite: the library that it needs, its files, and plugins beside the one that records.
SUITES: dict[str, tuple[str, list[pathlib.Path], list[str]]] = {
    "torch": ("torch", [TESTS / "test_torch.py"], []),
    "opinfo": ("torch", [HERE / "test_opinfo.py"], []),
    "cupy": ("cupy", [TESTS / "test_cupy.py"], []),
    "jax": ("jax", [TESTS / "test_jax.py"], []),
    "doctests": ("torch", [], []),
    "cupy.fft": ("cupy", [], ["cupy_plugin"]),
    "cupyx": ("cupy", [], ["cupyx_plugin"]),
}
#: Where the tests of a suite lie below CuPy's own.
OF_CUPY = {
    "cupy.fft": "cupy_tests/fft_tests/test_fft.py",
    "cupyx": "cupyx_tests/scipy_tests/fft_tests",
}
MEASURED = {"overhead": "overhead", "speed": "speed"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", type=pathlib.Path, default=pathlib.Path("record.json"))
    parser.add_argument("--suites", default=",".join([*SUITES, *MEASURED]))
    parser.add_argument("--cupy-tests", type=pathlib.Path, help="folder of CuPy's tests")
    parser.add_argument("--every", type=int, default=1, help="of CuPy's tests, every N-th alone")
    parser.add_argument("--seconds", type=float, default=600, help="for one suite at most")
    parser.add_argument("--total", type=float, default=float("inf"), help="seconds for all suites together")
    parser.add_argument("--jobs", type=int, default=0, help="processes for a suite, with pytest-xdist")
    options = parser.parse_args()
    record = json.loads(options.record.read_text()) if options.record.exists() else {}
    record.setdefault("about", {}).update(_about())
    end, most = time.monotonic() + options.total, options.seconds
    for suite in options.suites.split(","):
        options.seconds = max(1.0, min(most, end - time.monotonic()))
        if suite in MEASURED:
            result = _measured(suite, options)
        elif suite in SUITES:
            result = _tested(suite, options)
        else:
            parser.error(f"--suites: expected some of {', '.join([*SUITES, *MEASURED])}, got {suite!r}")
        record[suite] = result
        options.record.write_text(json.dumps(record, indent=1))
        print(f"{suite}: {_summary(result)}", flush=True)
    return 0 if all(record[suite].get("ok", True) for suite in options.suites.split(",")) else 1


def _about() -> dict[str, Any]:
    import seichefft

    versions: dict[str, Any] = {"seichefft": seichefft.__version__, "python": sys.version.split()[0]}
    versions["devices"] = [
        f"{one.name}: {one.description} ({one.driver})" for one in seichefft.devices() if one.available
    ]
    for name in ("torch", "cupy", "jax", "numpy", "scipy"):
        if importlib.util.find_spec(name):
            versions[name] = importlib.import_module(name).__version__
    return versions


def _environment(options: argparse.Namespace, outcomes: pathlib.Path) -> dict[str, str]:
    environment = dict(os.environ)
    paths = [str(HERE), str(TESTS), environment.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    environment["SEICHEFFT_OUTCOMES"] = str(outcomes)
    environment["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    return environment


def _tested(suite: str, options: argparse.Namespace) -> dict[str, Any]:
    library, files, plugins = SUITES[suite]
    if not importlib.util.find_spec(library):
        return {"left_out": f"{library} is not installed"}
    if suite in OF_CUPY:
        if options.cupy_tests is None:
            return {"left_out": "no folder of CuPy's tests was given (--cupy-tests)"}
        files = [options.cupy_tests / OF_CUPY[suite]]
    if suite == "doctests":
        package = pathlib.Path(importlib.import_module("seichefft").__file__ or "").parent
        files = [package / "torch", package / "jax"]
    outcomes = options.record.resolve().with_suffix(f".{suite}.jsonl")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--no-header",
        "--tb=short",
        "-p",
        "record_plugin",
        "-p",
        "no:cacheprovider",
    ]
    command += ["--doctest-modules"] if suite == "doctests" else []
    command += [part for plugin in plugins for part in ("-p", plugin)]
    if options.jobs and importlib.util.find_spec("xdist"):
        command += ["-n", str(options.jobs)]
    environment = _environment(options, outcomes)
    environment["SEICHEFFT_EVERY"] = str(options.every if suite in OF_CUPY else 1)
    start, log, is_whole = time.monotonic(), options.record.resolve().with_suffix(f".{suite}.log"), True
    with log.open("w") as stream:
        process = subprocess.Popen([*command, *map(str, files)], env=environment, stdout=stream, stderr=stream)
        try:
            process.wait(options.seconds)
        except subprocess.TimeoutExpired:
            is_whole = False
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
    counts: collections.Counter[str] = collections.Counter()
    failed = {}
    for line in outcomes.read_text().splitlines() if outcomes.exists() else ():
        one = json.loads(line)
        failed.pop(one["test"], None)
        if one["outcome"] == "failed":
            failed[one["test"]] = one.get("why", "")
        else:
            counts[one["outcome"]] += 1
    result = {"seconds": round(time.monotonic() - start, 1), "whole": is_whole, **counts, "failed": len(failed)}
    result["failures"] = dict(list(failed.items())[:60])
    result["ok"] = is_whole and not failed and counts["passed"] > 0
    return result


def _measured(suite: str, options: argparse.Namespace) -> dict[str, Any]:
    outcomes = options.record.resolve().with_suffix(f".{suite}.json")
    command = [sys.executable, str(HERE / "speed.py"), MEASURED[suite], str(outcomes)]
    try:
        done = subprocess.run(
            command, env=_environment(options, outcomes), timeout=options.seconds, capture_output=True, text=True
        )
    except subprocess.TimeoutExpired:
        return {"ok": False, "error": f"took more than {options.seconds} seconds"}
    print(done.stdout, flush=True)
    if done.returncode != 0:
        return {"ok": False, "error": done.stderr[-2000:]}
    return {"ok": True, "rows": json.loads(outcomes.read_text())}


def _summary(result: dict[str, Any]) -> str:
    if "failures" not in result:
        return str(result.get("left_out") or result.get("error") or f"{len(result['rows'])} rows")
    lines = [", ".join(f"{key} {value}" for key, value in result.items() if key != "failures")]
    lines += [f"  {test}\n    {why[-700:]}" for test, why in list(result["failures"].items())[:25]]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
