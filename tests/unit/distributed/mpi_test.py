#!/usr/bin/env python3
"""Runs a program as ranks under an mpiexec, and checks what each of them reports.

Usage: mpi_test.py RANKS WHAT PROGRAM [ARGUMENT...] -- MPIEXEC [OPTION...]; WHAT is the program's first argument.
SEICHE_TEST_FOLDER is a fresh folder for it, where each rank writes a file with its number as the name.
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

LIMIT = 100  # seconds


def reports(folder, ranks):
    return {int(file.name): file.read_text().strip() for file in folder.iterdir() if file.name in map(str, ranks)}


def main():
    ranks, what, program = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    end = sys.argv.index("--")
    command = [*sys.argv[end + 1:], "-n", str(ranks), program, what, *sys.argv[4:end]]
    # Rank 1 ends itself in that test, and reports nothing.
    expected = [rank for rank in range(ranks) if what != "killed" or rank != 1]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        log = folder / "log"
        with log.open("w") as output:
            run = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
                                   env={**os.environ, "SEICHE_TEST_FOLDER": name})
            start = time.monotonic()
            while time.monotonic() - start < LIMIT and len(reports(folder, expected)) < len(expected):
                if run.poll() is not None and what != "killed":
                    break  # where a rank is killed, mpiexec may end before the others
                time.sleep(0.02)
            took = time.monotonic() - start
            try:
                run.wait(timeout=10)
            except subprocess.TimeoutExpired:
                os.killpg(run.pid, signal.SIGKILL)
                run.wait()
        said = reports(folder, range(ranks))
        for rank in expected:
            print(f"rank {rank}: {said.get(rank, 'nothing')}")
        print(f"{took:.1f} s")
        if said != {rank: "right" for rank in expected}:
            print(log.read_text(), end="")
            sys.exit("expected 'right' from each rank that is left")


if __name__ == "__main__":
    main()
