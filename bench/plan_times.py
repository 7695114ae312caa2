#!/usr/bin/env python3
"""How long plans of many problems take from nothing, and which take too long.

    bench/plan_times.py build/release/seiche --count 2000 --device cuda:0 --csv plans.csv
    bench/plan_times.py build/release/seiche --count 20000 --profile h200 --csv kernels.csv [--ptxas ptxas]

Problems are those of `seiche check --kinds all`, by their seed, or those of a file, one a line. With a device each is
planned by `seiche bench --brief --plan-times`, in processes that have no cache of kernels; one that takes longer than
the limit is ended and listed, and hangs nobody. With a profile nothing is compiled: the figures are the instructions of
the longest kernel, and with --ptxas the time that the assembler takes for kernels of many instructions.
Results are appended to the CSV file; a run goes on where the last one stopped."""

import argparse
import concurrent.futures
import csv
import json
import os
import select
import statistics
import subprocess
import sys
import tempfile
import threading
import time

COLUMNS = ("problem", "plan_ms", "kernels", "instructions", "direction", "spec", "source_bytes", "assemble_ms", "error")
SLOW_MS = 1500
NO_CACHES = {"SEICHE_CACHE_MAX": "0", "CUDA_CACHE_DISABLE": "1", "POCL_KERNEL_CACHE": "0",
             "MESA_SHADER_CACHE_DISABLE": "true", "__GL_SHADER_DISK_CACHE": "0"}


class Ended(Exception):
    """The process has no answer: it took too long, or it ended."""


class Process:
    """`seiche bench --brief`, asked for one problem after the other."""

    def __init__(self, seiche, words, environment):
        self.process = subprocess.Popen([seiche, "bench", "--brief", "--problems", "-", "--quiet", *words],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env={**os.environ, **environment})
        self.rest = b""
        try:
            self.columns = next(csv.reader([self.line(60)]))
        except Ended:
            self.end()
            raise

    def line(self, limit):
        deadline = time.monotonic() + limit
        while b"\n" not in self.rest:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise Ended(f"no answer within {limit:g} s")
            read = os.read(self.process.stdout.fileno(), 1 << 16)
            if not read:
                status = self.process.wait()
                said = self.process.stderr.read().decode(errors="replace").strip().splitlines()
                raise Ended(f"ended with status {status}" + (f": {said[-1]}" if said else ""))
            self.rest += read
        line, self.rest = self.rest.split(b"\n", 1)
        return line.decode(errors="replace")

    def send(self, problems):
        try:
            self.process.stdin.write("".join(problem + "\n" for problem in problems).encode())
            self.process.stdin.flush()
        except OSError:
            pass  # who ended is said where the answer is read

    def answer(self, limit):
        return dict(zip(self.columns, next(csv.reader([self.line(limit)]))))

    def end(self):
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                pipe.close()
            except OSError:
                pass


class Pool:
    """Plans problems in several processes, each with a limit."""

    def __init__(self, seiche, device, count, limit, environment):
        self.seiche, self.count, self.limit, self.environment = seiche, count, limit, environment
        self.words = ["--plan-times", "--jobs", "1"] + (["--device", device] if device else [])
        self.threads = concurrent.futures.ThreadPoolExecutor(count)
        self.own = threading.local()
        self.processes, self.lock = [], threading.Lock()

    def process(self):
        if getattr(self.own, "process", None) is None:
            process = Process(self.seiche, self.words, self.environment)
            with self.lock:
                self.processes.append(process)
            self.own.process = process
            process.send(["3 f32"])  # loads the compiler
            process.answer(60)
        return self.own.process

    def plan(self, problem):
        """What is known of its plan; a dictionary of COLUMNS."""
        process = None
        try:
            process = self.process()
            process.send([problem])
            answer = process.answer(self.limit)
            return {**{name: answer.get(name, "") for name in COLUMNS}, "problem": problem}
        except Ended as error:
            if process is not None:
                process.end()
            self.own.process = None
            return {"problem": problem, "error": str(error)}

    def plan_all(self, problems, done, deadline):
        """Calls done(row) for each, one at a time, in any order; False: the time was up before the last."""
        rest, waiting = list(reversed(problems)), set()
        while waiting or (rest and time.monotonic() <= deadline):
            while rest and len(waiting) < 2 * self.count and time.monotonic() <= deadline:
                waiting.add(self.threads.submit(self.plan, rest.pop()))
            finished, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            for one in finished:
                done(one.result())
        return not rest

    def end(self):
        self.threads.shutdown(wait=True)
        for process in self.processes:
            process.end()


def run(*command, limit=120):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=limit)


def longest_kernel(seiche, problem, place):
    """The report of `seiche plan`: how many kernels, and the one of the most instructions. `place`: words for it."""
    result = run(seiche, "plan", problem, "--json", "--quiet", *place)
    if result.returncode != 0:
        return {"problem": problem, "error": (result.stderr.strip().splitlines() or ["seiche plan failed"])[-1]}
    kernels = json.loads(result.stdout)["kernels"]
    if not kernels:
        return {"problem": problem, "kernels": 0, "instructions": 0}
    longest = max(kernels, key=lambda kernel: kernel["instructions"])
    return {"problem": problem, "kernels": len(kernels), "instructions": longest["instructions"],
            "direction": longest["direction"], "spec": longest["spec"]}


def assemble(seiche, row, place, ptxas, limit):
    """Adds the size of the longest kernel's PTX, and with an assembler how long that takes."""
    with tempfile.TemporaryDirectory() as folder:
        inverse = ["--inverse"] if row.get("direction") == "inverse" else []
        run(seiche, "emit", row["problem"], "--dialect", "ptx", "--quiet", *place, *inverse, "-o", f"{folder}/k")
        files = [os.path.join(folder, name) for name in os.listdir(folder)]
        if not files:
            return
        longest = max(files, key=os.path.getsize)
        row["source_bytes"] = os.path.getsize(longest)
        if not ptxas:
            return
        start = time.monotonic()
        try:
            run(ptxas, "-arch=sm_90", "--compile-only", longest, "-o", f"{folder}/cubin", limit=limit)
            row["assemble_ms"] = round(1e3 * (time.monotonic() - start), 1)
        except subprocess.TimeoutExpired:
            row["error"] = f"ptxas: no answer within {limit:g} s"


def open_to_append(path, columns):
    """The file and a writer of its rows. A last line that an end cut short stays, on a line of its own."""
    file = open(path, "a+", newline="", encoding="utf-8")
    writer = csv.DictWriter(file, columns)
    file.seek(0)
    before = file.read()
    if not before:
        writer.writeheader()
    elif not before.endswith("\n"):
        file.write("\n")
    return file, writer


class Results:
    """Rows by problem, kept in a file that is appended to."""

    def __init__(self, path):
        self.rows, self.file = {}, None
        if path and os.path.exists(path):
            with open(path, newline="", encoding="utf-8") as file:
                self.rows = {row["problem"]: row for row in csv.DictReader(file) if None not in row.values()}
        if path:
            self.file, self.writer = open_to_append(path, COLUMNS)

    def add(self, row):
        self.rows[row["problem"]] = row
        if self.file:
            self.writer.writerow(row)
            self.file.flush()


def quantile(values, where):
    values = sorted(values)
    return values[min(len(values) - 1, int(where * len(values)))]


def print_report(rows, column, unit, most, place, seiche):
    planned = [row for row in rows if row.get(column) not in (None, "")]
    values = [float(row[column]) for row in planned]
    if values:
        print(f"{len(values)} of {len(rows)} problems: {unit} in the median {statistics.median(values):.4g}, "
              f"95 % below {quantile(values, 0.95):.4g}, at most {max(values):.4g}")
    refused = [row for row in rows if row.get("error")]
    over = [row for row in refused if "no answer within" in row["error"] or "ended with" in row["error"]]
    print(f"{len(refused)} without a plan, of which {len(over)} took too long or ended their process")
    above = sorted((row for row in planned if float(row[column]) > most), key=lambda row: -float(row[column]))
    print(f"{len(above)} above {most:g}:")
    for row in above[:200]:
        if not row.get("spec"):
            row = {**longest_kernel(seiche, row["problem"], place), **{k: v for k, v in row.items() if v}}
        print(f"  {float(row[column]):10.0f}  {row['instructions']:>6} instructions  {row['problem']}  | {row.get('spec', '')}"
              + (f"  | PTX {row['source_bytes']} bytes" if row.get("source_bytes") else "")
              + (f", ptxas {row['assemble_ms']} ms" if row.get("assemble_ms") else ""))
    for row in over:
        detail = longest_kernel(seiche, row["problem"], place)
        print(f"  {row['error']}: {row['problem']}  | {detail.get('instructions', '?')} instructions, {detail.get('spec', '')}")


def problems_of(arguments, place):
    if arguments.problems:
        with open(arguments.problems, encoding="utf-8") as file:
            return [line.strip() for line in file if line.strip() and not line.startswith("#")]
    where = ["--device", "reference"] if arguments.profile else place
    result = run(arguments.seiche, "check", "--list", "--kinds", "all", "--count", str(arguments.count), "--seed",
                 str(arguments.seed), "--points", str(arguments.points), "--quiet", *where)
    if result.returncode != 0:
        sys.exit("plan_times: " + result.stderr.strip())
    return result.stdout.splitlines()


def plan_with_profile(arguments, problems, place, results, deadline):
    def work(problem):
        row = longest_kernel(arguments.seiche, problem, place)
        if int(row.get("instructions") or 0) > arguments.most_instructions:
            assemble(arguments.seiche, row, place, arguments.ptxas, arguments.limit)
        return row
    with concurrent.futures.ThreadPoolExecutor(arguments.processes) as threads:
        for first in range(0, len(problems), 256):
            if time.monotonic() > deadline:
                return
            for row in threads.map(work, problems[first:first + 256]):
                results.add(row)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seiche", help="the tool")
    parser.add_argument("--count", type=int, default=2000, help="random problems (default: 2000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--points", type=int, default=1 << 20, help="of the largest random problem (default: 2^20)")
    parser.add_argument("--problems", help="a file of problems, one a line, instead of random ones")
    parser.add_argument("--device", default="", help="default: as the tool chooses")
    parser.add_argument("--profile", help="only count instructions, for this device, which need not be there")
    parser.add_argument("--ptxas", default="", help="with --profile: also assemble kernels of many instructions")
    parser.add_argument("--most-instructions", type=int, default=2500, help="which those are (default: 2500)")
    parser.add_argument("--processes", type=int, default=max(1, (os.cpu_count() or 2) // 2),
                        help="at a time (default: half of the processors, so that they do not slow each other down)")
    parser.add_argument("--limit", type=float, default=30, help="seconds for one problem (default: 30)")
    parser.add_argument("--seconds", type=float, default=1e9, help="start no problem after so many")
    parser.add_argument("--csv", help="results, appended; what is there is not done again")
    arguments = parser.parse_args()
    deadline = time.monotonic() + arguments.seconds
    place = ["--profile", arguments.profile] if arguments.profile else ["--device", arguments.device] if arguments.device else []
    problems = problems_of(arguments, place)
    results = Results(arguments.csv)
    missing = [problem for problem in problems if problem not in results.rows]
    if arguments.profile:
        plan_with_profile(arguments, missing, place, results, deadline)
    else:
        pool = Pool(arguments.seiche, arguments.device, arguments.processes, arguments.limit, NO_CACHES)
        try:
            pool.plan_all(missing, results.add, deadline)
        finally:
            pool.end()
    rows = [results.rows[problem] for problem in problems if problem in results.rows]
    print(f"{len(rows)} of {len(problems)} problems done" + ("" if len(rows) == len(problems) else ", the time was up"))
    if arguments.profile:
        print_report(rows, "instructions", "instructions of the longest kernel", arguments.most_instructions, place,
                     arguments.seiche)
    else:
        print_report(rows, "plan_ms", "milliseconds", SLOW_MS, place, arguments.seiche)


if __name__ == "__main__":
    main()
