"""Programs that were built for cuFFT, run as they are: what of their tests passes with cuFFT and with Seiche.

A command is a line as for a shell, without a shell's signs: "./unit-tests-fft", "mpiexec -n 4 ./test_fft3d_np4". Of a
program that was built with GoogleTest each test counts; of others each line that ends with "pass" or "fail"; of all of
them the exit status.
"""

from __future__ import annotations

import collections
import pathlib
import re
import shlex
import shutil
import subprocess
import time
from typing import Any

OUTCOMES = {"OK": "passed", "FAILED": "failed", "SKIPPED": "skipped"}
GOOGLE = re.compile(r"^\[\s*(RUN|OK|FAILED|SKIPPED)\s*\] ([^\s,]+)(?:,.*)?(?: \(\d+ ms\))?\s*$", re.M)
LINE = re.compile(r"^\s*(\S.*?)\s+(pass|fail)\s*$", re.M)


def outcomes_of(log: str) -> dict[str, str]:
    """Of each test that the log names; one that began and did not end has failed."""
    outcomes: dict[str, str] = {}
    for word, test in GOOGLE.findall(log):
        outcomes[test] = OUTCOMES.get(word, "failed")
    seen: collections.Counter[str] = collections.Counter()
    for name, word in [] if outcomes else LINE.findall(log):
        test = re.sub(r"\s+", " ", name)
        seen[test] += 1
        outcomes[test + (f" #{seen[test]}" if seen[test] > 1 else "")] = "passed" if word == "pass" else "failed"
    return outcomes


def has_shards(command: list[str]) -> bool:
    """Whether it is a program of GoogleTest, whose tests may be shared between processes."""
    file = shutil.which(command[0])
    return file is not None and b"GTEST_TOTAL_SHARDS" in pathlib.Path(file).read_bytes()


def run_program(line: str, environment: dict[str, str], log: pathlib.Path, seconds: float, jobs: int) -> dict[str, Any]:
    """Its tests' outcomes, and its own as "exit"; "whole" says whether it ended in time, "why" how it failed."""
    command = shlex.split(line)
    shards = max(jobs, 1) if has_shards(command) else 1
    files = [log.with_suffix(f".{shard}.log") for shard in range(shards)]
    started: list[subprocess.Popen[bytes]] = []
    for shard, file in enumerate(files):
        share = {"GTEST_TOTAL_SHARDS": str(shards), "GTEST_SHARD_INDEX": str(shard)} if shards > 1 else {}
        with file.open("wb") as stream:
            try:
                started.append(subprocess.Popen(command, env={**environment, **share}, stdout=stream, stderr=stream))
            except OSError as error:
                why = f"{command[0]}: {error.strerror}"
                return {"outcomes": {"exit": "failed"}, "why": why, "whole": True, "log": ""}
    end = time.monotonic() + seconds
    is_whole = all([_ends(process, end) for process in started])
    texts = [file.read_text(errors="replace") for file in files]
    outcomes: dict[str, str] = {}
    for text in texts:
        outcomes.update(outcomes_of(text))
    wrong = [(process.returncode, text) for process, text in zip(started, texts) if process.returncode]
    outcomes["exit"] = "failed" if wrong else "passed"
    why = f"status {wrong[0][0]}: {wrong[0][1][-400:]}" if wrong else ""
    return {"outcomes": outcomes, "why": why, "whole": is_whole, "log": "\n".join(texts)}


def _ends(process: subprocess.Popen[bytes], end: float) -> bool:
    """Whether it ends by then; else it is stopped."""
    try:
        process.wait(max(0.0, end - time.monotonic()))
        return True
    except subprocess.TimeoutExpired:
        process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    return False
