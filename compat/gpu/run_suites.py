#!/usr/bin/env python3
"""Runs programs written for cuFFT on a card, with cuFFT and with Seiche in its place, and records what differs.

    python compat/gpu/run_suites.py --record record.json [--suites errors,overhead,speed,hipfft,torch,jax,cupy]
        [--libraries FOLDER] [--cufft FILE] [--cupy FOLDER] [--every N] [--seconds S] [--total S] [--jobs J]
    python compat/gpu/run_suites.py --suites programs --program "./unit-tests-fft" --program "mpiexec -n 4 ./test_np4"

Suites: `errors` (codes of calls that make no sense), `overhead` (host time of a call), `speed` (time, work area and
values of 115 shapes), `hipfft` (values of some of them by hipFFT's names; `--hip-forward` forwards HIP to CUDA),
`torch`, `jax` and `cupy` (tests with those libraries; `--cupy` names the folder `tests` of CuPy's sources), `programs`
(whatever `--program` says, built for cuFFT; its GoogleTests, or its lines with "pass" or "fail", are compared). Of a
library that is not there the suite is left out, and the record says so. A second run with the same record goes on
where the first one ended. `--libraries` is the folder with cufft-12/libcufft.so.12, `--cufft` NVIDIA's
libcufft.so.12, both found by default.
"""

from __future__ import annotations

import argparse
import collections
import csv
import importlib.metadata
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import time
from typing import Any

import programs

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WHO = ("cufft", "seiche")
#: Suite: the library that it needs and its files; of CuPy's they are given.
TESTED: dict[str, tuple[str, list[pathlib.Path]]] = {
    "torch": ("torch", [HERE / "test_torch.py"]),
    "jax": ("jax", [HERE / "test_jax.py"]),
    "cupy": ("cupy", []),
}
MEASURED = ("errors", "overhead", "speed", "hipfft")
REPORT = re.compile(r"^seiche libcufft\S*: (\d+) plans?, (\d+) executions?, (\d+) calls? refused(?:: (.*))?$", re.M)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", type=pathlib.Path, default=pathlib.Path("record.json"))
    parser.add_argument("--suites", default=",".join([*MEASURED, *TESTED]))
    parser.add_argument("--libraries", type=pathlib.Path, default=ROOT / "build" / "release" / "compat")
    parser.add_argument("--cufft", type=pathlib.Path)
    parser.add_argument("--hip-forward", type=pathlib.Path, help="libhip_forward.so of the tests")
    parser.add_argument("--cupy", type=pathlib.Path, help="folder `tests` of CuPy's sources")
    parser.add_argument("--program", action="append", default=[], help="a command line of a program built for cuFFT")
    parser.add_argument("--every", type=int, default=1, help="of CuPy's tests, every N-th alone")
    parser.add_argument("--seconds", type=float, default=600, help="for one suite with one library at most")
    parser.add_argument("--total", type=float, default=float("inf"), help="seconds for all together")
    parser.add_argument("--jobs", type=int, default=0, help="processes for a suite, with pytest-xdist or GoogleTest")
    options = parser.parse_args()
    options.record = options.record.resolve()
    options.ours = (options.libraries / "cufft-12" / "libcufft.so.12").resolve()
    if not options.ours.exists():
        parser.error(f"--libraries: there is no {options.ours}")
    options.cufft = options.cufft or _find_cufft()
    if options.hip_forward is None:
        options.hip_forward = options.libraries.parent / "tests" / "hip_forward" / "libhip_forward.so"
    record = json.loads(options.record.read_text()) if options.record.exists() else {}
    record.setdefault("about", {}).update(_about(options))
    end, most = time.monotonic() + options.total, options.seconds
    is_right = True
    for suite in options.suites.split(","):
        if suite not in (*MEASURED, *TESTED, "programs"):
            parser.error(f"--suites: expected some of {', '.join([*MEASURED, *TESTED, 'programs'])}, got {suite!r}")
        options.seconds = max(1.0, min(most, end - time.monotonic()))
        run = _programs if suite == "programs" else _measured if suite in MEASURED else _tested
        result = record[suite] = run(suite, options)
        is_right = is_right and bool(result.get("ok", True))
        options.record.write_text(json.dumps(record, indent=1))
        print(f"{suite}: {_summary(result)}", flush=True)
    return 0 if is_right else 1


def _find_cufft() -> pathlib.Path | None:
    folders = [pathlib.Path(folder) for folder in sys.path if folder]
    found = [path for folder in folders for path in sorted((folder / "nvidia").glob("*/lib/libcufft.so.12"))]
    found += sorted(pathlib.Path("/usr/local").glob("cuda*/lib64/libcufft.so.12"))
    return found[0] if found else None


def _about(options: argparse.Namespace) -> dict[str, Any]:
    versions: dict[str, Any] = {"python": sys.version.split()[0], "cufft": str(options.cufft)}
    for name in ("torch", "cupy", "jax", "numpy", "scipy"):
        if importlib.util.find_spec(name):
            versions[name] = (
                importlib.metadata.version("cupy-cuda13x")
                if name == "cupy" and _has("cupy-cuda13x")
                else _version(name)
            )
    try:
        ask = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
        versions["card"] = subprocess.run(ask, capture_output=True, text=True, timeout=30).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        versions["card"] = "unknown"
    return versions


def _has(distribution: str) -> bool:
    try:
        importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def _version(name: str) -> str:
    return importlib.metadata.version(name) if _has(name) else "unknown"


def _environment(who: str, options: argparse.Namespace) -> dict[str, str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SEICHE_CUFFT_")}
    paths = [str(HERE), str(ROOT / "python" / "gpu"), environment.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    environment["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    if who == "seiche":
        environment["LD_PRELOAD"] = str(options.ours)
        environment["SEICHE_CUFFT_REPORT"] = "1"
    return environment


def _run(command: list[str], environment: dict[str, str], log: pathlib.Path, seconds: float) -> bool:
    """Whether it came to its end."""
    with log.open("w") as stream:
        process = subprocess.Popen(command, env=environment, stdout=stream, stderr=stream)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
            return False
    return True


def _outcomes(file: pathlib.Path) -> dict[str, dict[str, str]]:
    """The last of each test."""
    lines = file.read_text().splitlines() if file.exists() else []
    return {one["test"]: one for one in map(json.loads, lines)}


def _tested(suite: str, options: argparse.Namespace) -> dict[str, Any]:
    library, files = TESTED[suite]
    if not importlib.util.find_spec(library):
        return {"left_out": f"{library} is not installed"}
    if suite == "cupy":
        if options.cupy is None:
            return {"left_out": "no folder of CuPy's tests was given (--cupy)"}
        files = sorted(options.cupy.resolve().glob("**/fft_tests/test_*.py"))
        if not files:
            return {"ok": False, "error": f"there are no fft_tests below {options.cupy}"}
    result: dict[str, Any] = {}
    outcomes = {}
    for who in WHO:
        file = options.record.with_suffix(f".{suite}.{who}.jsonl")
        log = options.record.with_suffix(f".{suite}.{who}.log")
        command = [sys.executable, "-m", "pytest", "-q", "--no-header", "--tb=short", "-p", "record_plugin"]
        command += ["-p", "no:cacheprovider", "-o", "addopts="]
        if options.jobs and importlib.util.find_spec("xdist"):
            command += ["-n", str(options.jobs)]
        if suite == "cupy":  # legacy callbacks are compiled into modules with cuFFT's static library: no preload
            command += ["-k", "not legacy"]
        environment = _environment(who, options)
        environment["SEICHEFFT_OUTCOMES"] = str(file)
        environment["SEICHEFFT_EVERY"] = str(options.every if suite == "cupy" else 1)
        start = time.monotonic()
        is_whole = _run([*command, *map(str, files)], environment, log, options.seconds)
        outcomes[who] = _outcomes(file)
        counts = collections.Counter(one["outcome"] for one in outcomes[who].values())
        result[who] = {"seconds": round(time.monotonic() - start, 1), "whole": is_whole, **counts}
        if who == "seiche":
            result[who].update(_reported(log.read_text(errors="replace")))
    return _compared(result, outcomes)


def _programs(suite: str, options: argparse.Namespace) -> dict[str, Any]:
    if not options.program:
        return {"left_out": "no program was given (--program)"}
    result: dict[str, Any] = {}
    outcomes: dict[str, dict[str, dict[str, str]]] = {who: {} for who in WHO}
    for who in WHO:
        start, is_whole, logs = time.monotonic(), True, ""
        for index, line in enumerate(options.program):
            log = options.record.with_suffix(f".{suite}.{who}.{index}.log")
            seconds = start + options.seconds - time.monotonic()
            if seconds <= 0:
                is_whole = False
                break
            done = programs.run_program(line, _environment(who, options), log, seconds, options.jobs)
            is_whole = is_whole and done["whole"]
            logs += done["log"]
            for test, outcome in done["outcomes"].items():
                one = outcomes[who][f"{line}: {test}"] = {"outcome": outcome}
                if test == "exit" and done["why"]:
                    one["why"] = done["why"]
        counts = collections.Counter(one["outcome"] for one in outcomes[who].values())
        result[who] = {"seconds": round(time.monotonic() - start, 1), "whole": is_whole, **counts}
    result["seiche"].update(_reported(logs))
    return _compared(result, outcomes)


def _compared(result: dict[str, Any], outcomes: dict[str, dict[str, dict[str, str]]]) -> dict[str, Any]:
    """The result with what differs between the two libraries."""
    worse = {
        test: one.get("why", one["outcome"])
        for test, one in outcomes["seiche"].items()
        if one["outcome"] == "failed" and outcomes["cufft"].get(test, {}).get("outcome") == "passed"
    }
    lacking = [test for test in outcomes["cufft"] if test not in outcomes["seiche"]]
    result["worse"] = len(worse)
    result["better"] = sum(
        one["outcome"] == "passed" and outcomes["cufft"].get(test, {}).get("outcome") == "failed"
        for test, one in outcomes["seiche"].items()
    )
    result["not_run_with_seiche"] = len(lacking)
    result["failures"] = dict(list(worse.items())[:80])
    executions = result["seiche"].get("executions", 0)
    result["ok"] = not worse and not lacking and executions > 0 and all(result[who]["whole"] for who in WHO)
    return result


def _reported(log: str) -> dict[str, Any]:
    """What Seiche's library said at the end of each process that used it."""
    total: dict[str, Any] = {"plans": 0, "executions": 0, "refused": 0}
    calls: collections.Counter[str] = collections.Counter()
    for plans, executions, refused, which in REPORT.findall(log):
        total["plans"] += int(plans)
        total["executions"] += int(executions)
        total["refused"] += int(refused)
        for one in which.split(", ") if which else []:
            call, _, count = one.rpartition(" ")
            calls[call] += int(count)
    total["refused_calls"] = dict(calls)
    return total


def _measured(suite: str, options: argparse.Namespace) -> dict[str, Any]:
    if options.cufft is None:
        return {"ok": False, "error": "NVIDIA's libcufft.so.12 was not found: name it with --cufft"}
    if suite == "errors":
        return _error_codes(options)
    rows = options.record.with_suffix(f".{suite}.json")
    ours, environment = options.ours, _environment("cufft", options)
    if suite == "hipfft":
        if not options.hip_forward.exists():
            return {"left_out": f"there is no {options.hip_forward} (--hip-forward)"}
        ours = options.libraries.resolve() / "hipfft" / "libseiche_hipfft.so"
        environment["SEICHE_HIP_LIBRARY"] = str(options.hip_forward.resolve())
    command = [sys.executable, str(HERE / "measure.py"), suite, str(rows), str(options.cufft), str(ours)]
    log = options.record.with_suffix(f".{suite}.log")
    is_whole = _run(command, environment, log, options.seconds)
    print(log.read_text(errors="replace")[-3000:], flush=True)
    if not rows.exists():
        return {"ok": False, "error": log.read_text(errors="replace")[-2000:]}
    result = json.loads(rows.read_text())
    result["whole"] = is_whole and result.get("whole", True)
    result["ok"] = result["whole"] and result.get("ok", True)
    return result


def _error_codes(options: argparse.Namespace) -> dict[str, Any]:
    codes: dict[str, dict[str, str]] = {}
    for who, library in zip(WHO, (options.cufft, options.ours)):
        command = [sys.executable, str(ROOT / "compat" / "tests" / "error_codes.py"), str(library)]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=options.seconds, env=_environment("cufft", options)
        )
        if done.returncode != 0:
            return {"ok": False, "error": done.stderr[-2000:]}
        codes[who] = dict(line.rpartition("\t")[::2] for line in done.stdout.splitlines())
    with (ROOT / "compat" / "tests" / "error_codes.csv").open() as stream:
        on_purpose = {row["case"]: row["ours"] for row in csv.DictReader(stream) if row["ours"]}
    pairs = {case: [code, codes["seiche"].get(case, "")] for case, code in codes["cufft"].items()}
    result: dict[str, Any] = {"cases": len(pairs), "cufft": codes["cufft"]}
    result["on_purpose"] = sum(theirs != ours == on_purpose.get(case) for case, (theirs, ours) in pairs.items())
    result["differing"] = {
        case: [theirs, ours] for case, (theirs, ours) in pairs.items() if ours not in (theirs, on_purpose.get(case))
    }
    return {"ok": not result["differing"], **result}


def _summary(result: dict[str, Any]) -> str:
    if "left_out" in result or "error" in result:
        return str(result.get("left_out") or result.get("error"))
    shown = {
        key: value
        for key, value in result.items()
        if key not in ("failures", "rows", "cufft" if "cases" in result else "")
    }
    lines = [json.dumps(shown)]
    lines += [f"  {test}\n    {why[-500:]}" for test, why in list(result.get("failures", {}).items())[:25]]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
