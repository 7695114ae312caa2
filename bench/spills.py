#!/usr/bin/env python3
"""Which kernels of a problem keep values outside registers, as NVIDIA's assembler says: without a card.

    bench/random_shapes.py 11 300 > shapes.txt
    bench/spills.py build/release/seiche shapes.txt --profile h200 > spills.csv

A line of CSV for each kernel with more than --least bytes of stores to local memory, the most first: bytes stored,
registers, resident blocks asked for, the problem, the kernel. The PTX is that of `seiche emit`, the assembler ptxas."""

import argparse
import concurrent.futures
import csv
import pathlib
import re
import subprocess
import sys
import tempfile

LIMIT = 120  # seconds for one kernel


def kernels_of(seiche, profile, problem, folder):
    """The PTX files that the tool writes for a problem; none, where it refuses it."""
    command = [seiche, "emit", "--dialect", "ptx", "--profile", profile, problem, "-o", f"{folder}/kernel.ptx"]
    subprocess.run(command, capture_output=True, check=False)
    return sorted(pathlib.Path(folder).glob("kernel*.ptx*"))


def assembled(ptxas, architecture, path):
    """(bytes stored, registers, text); None: the assembler refused it or took too long."""
    command = [ptxas, "-v", f"-arch={architecture}", str(path), "-o", "/dev/null"]
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False).stderr
    except subprocess.TimeoutExpired:
        return None
    stores = re.search(r"(\d+) bytes spill stores", said)
    registers = re.search(r"Used (\d+) registers", said)
    return (int(stores[1]), int(registers[1])) if stores and registers else None


def rows_of(arguments, problem):
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for path in kernels_of(arguments.seiche, arguments.profile, problem, folder):
            text = path.read_text()
            name = re.search(r"\.entry\s+(\w+)", text)
            blocks = re.search(r"\.minnctapersm\s+(\d+)", text)
            found = assembled(arguments.ptxas, arguments.architecture, path)
            row = [*(found or ("", "")), blocks[1] if blocks else "", problem, name[1] if name else path.name]
            if found is None or found[0] > arguments.least:
                rows.append(row)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seiche", help="the tool")
    parser.add_argument("problems", help="a file of problems, one a line")
    parser.add_argument("--profile", default="h200", help="the device that plans are for (default: h200)")
    parser.add_argument("--architecture", default="sm_90", help="what the assembler makes code for (default: sm_90)")
    parser.add_argument("--ptxas", default="ptxas", help="the assembler")
    parser.add_argument("--least", type=int, default=0, help="bytes up to which a kernel is not listed (default: 0)")
    parser.add_argument("--jobs", type=int, default=2, help="problems at a time (default: 2)")
    arguments = parser.parse_args()
    problems = [line for line in pathlib.Path(arguments.problems).read_text().splitlines() if line]
    rows = []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for found in pool.map(lambda problem: rows_of(arguments, problem), problems):
            rows += found
    rows.sort(key=lambda row: -(row[0] or 0))
    writer = csv.writer(sys.stdout)
    writer.writerow(["stored_bytes", "registers", "blocks", "problem", "kernel"])
    writer.writerows(rows)
    print(f"{len(problems)} problems, {len(rows)} kernels listed", file=sys.stderr)


if __name__ == "__main__":
    main()
