#!/usr/bin/env python3
"""Fractions of copy of two or more runs of `seiche bench --csv`, side by side.

    bench/beside.py ptx=ptx.csv nvrtc=nvrtc.csv

One line per problem that all files have, in the first one's order: each run's fraction of copy, and how many times as
fast the last run is as the first; at the end the geometric mean of that.
"""

import csv
import math
import sys


def fractions(path):
    """Of copy, by problem."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.DictReader(file)
        for name in ("problem", "name", "of_copy"):
            if name not in (rows.fieldnames or []):
                sys.exit(f"beside: {path}: expected the figures of seiche bench --csv, got no column '{name}'")
        return {row["problem"]: float(row["of_copy"]) for row in rows if row["name"] == "seiche"}


def main(arguments):
    if len(arguments) < 2 or not all("=" in a for a in arguments):
        sys.exit("beside: expected NAME=FILE twice or more, got " + (" ".join(arguments) or "nothing"))
    names, paths = zip(*(a.split("=", 1) for a in arguments))
    try:
        runs = [fractions(path) for path in paths]
    except OSError as error:
        sys.exit(f"beside: {error.filename}: {error.strerror}")
    problems = [p for p in runs[0] if all(p in run for run in runs)]
    if not problems:
        sys.exit("beside: expected a problem that all files have, got none")
    width = max(map(len, problems))
    print(" " * width, *(f"{name:>8}" for name in names), "  faster")
    ratios = [runs[-1][p] / runs[0][p] for p in problems]
    for problem, ratio in zip(problems, ratios):
        print(f"{problem:{width}}", *(f"{run[problem]:8.3f}" for run in runs), f"{ratio:8.3f}")
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"{names[-1]} beside {names[0]}: {len(ratios)} problems, geometric mean {mean:.3f} times as fast")


main(sys.argv[1:])
