#!/usr/bin/env python3
"""Times all lengths of a range, and lists those that are far slower than their neighbours.

    bench/length_cliffs.py build/release/seiche --device cuda:0 --csv lengths.csv --seconds 460
    bench/length_cliffs.py --report lengths.csv

Every length from 2 to 16384 is transformed in f64 and f32, c2c and r2c, as many at a time as move about 32 MiB, which
the cache of a large card holds; --moved 512 is beyond any, and some plans are others there. In turn, so many lengths are planned by several processes into a cache of kernels on disk, and then timed one after the other
from there by one process, while nothing else runs (`seiche bench --brief`). Results are appended to the CSV file, and a
run goes on where the last one stopped.

A cliff is a length whose time per point is over 1.5 times the median of the 20 nearest lengths of its class; classes
are by the largest prime factor: at most 7, 13, 31, 61, 127, 2000, or more; odd lengths of r2c are apart. 32 MiB are few
waves of blocks: of kernels with one resident block, a last wave that is nearly empty makes lengths up to 1.5 times as
slow as the next ones, which more bytes (--moved 512) even out. Those that a run finds are timed again, more
carefully, before they are listed."""

import argparse
import csv
import os
import shutil
import statistics
import sys
import tempfile
import time

from plan_times import Ended, Pool, Process, open_to_append

KINDS = ("c2c f64", "c2c f32", "r2c f64", "r2c f32")
CLASSES = (7, 13, 31, 61, 127, 2000)
NEIGHBOURS = 20
CLIFF = 1.5
SLOW_PLAN_MS = 1500
COLUMNS = ("kind", "n", "batch", "fastest_ms", "median_ms", "gb_per_s", "plan_ms", "kernels", "instructions", "recipe",
           "error")
CHUNK = 1024


def largest_prime(n):
    largest, p = 1, 2
    while p * p <= n:
        while n % p == 0:
            largest, n = p, n // p
        p += 1
    return max(largest, n)


def class_of(kind, n):
    """Real numbers of an odd length make no pairs, so that such lengths cost twice as much a point."""
    prime = largest_prime(n)
    name = next((f"<= {most}" for most in CLASSES if prime <= most), f"> {CLASSES[-1]}")
    return name + (" odd" if kind.startswith("r2c") and n % 2 else "")


def batch_of(kind, n, moved_mib):
    """How many transforms read and write so much, each byte once."""
    word, precision = kind.split()
    real = 8 if precision == "f64" else 4
    moved = 4 * real * n if word == "c2c" else real * n + 2 * real * (n // 2 + 1)
    return max(1, round((moved_mib << 20) / moved))


def problem_of(kind, n, moved_mib):
    batch = batch_of(kind, n, moved_mib)
    return f"{n} {kind}" + (f" batch={batch}" if batch > 1 else "")


def is_always_wanted(kind, n):
    """Lengths known for cliffs, which no sample leaves out."""
    return kind == "c2c f64" and 5000 <= n <= 12000 and any(n % prime == 0 for prime in (67, 71, 73, 79, 83))


def is_in_sample(n, every, phase):
    """Lengths are mixed before they are counted off: n modulo a number alone would leave out whole classes."""
    return (n * 2654435761 % 2**32 >> 8) % every == phase % every


def lengths_of(kind, arguments):
    return [n for n in range(arguments.low, arguments.high + 1)
            if is_in_sample(n, arguments.every, arguments.phase) or is_always_wanted(kind, n)]


class Results:
    def __init__(self, path, moved_mib):
        self.rows, self.path, self.moved_mib = {}, path, moved_mib
        if os.path.exists(path):
            with open(path, newline="", encoding="utf-8") as file:
                for row in csv.DictReader(file):
                    if None in row.values():  # a line that an end cut short
                        continue
                    kind, n = row["kind"], int(row["n"])
                    if int(row["batch"]) != batch_of(kind, n, moved_mib):
                        sys.exit(f"length_cliffs: {path}: expected results of --moved {moved_mib}, got a batch of "
                                 f"{row['batch']} for {kind} of {n}")
                    self.rows[kind, n] = row

    def open(self):
        self.file, self.writer = open_to_append(self.path, COLUMNS)

    def add(self, kind, n, answer, more=None):
        row = {**{name: answer.get(name, "") for name in COLUMNS}, **(more or {}), "kind": kind, "n": n,
               "batch": batch_of(kind, n, self.moved_mib)}
        self.rows[kind, n] = {name: str(value) for name, value in row.items()}
        self.writer.writerow(row)
        self.file.flush()


class Sweep:
    def __init__(self, arguments, results):
        self.arguments, self.results = arguments, results
        self.deadline = time.monotonic() + arguments.seconds
        self.folder = tempfile.mkdtemp(prefix="seiche-cliffs-")
        self.environment = {"SEICHE_CACHE_DIR": os.path.join(self.folder, "kernels"), "SEICHE_CACHE_MAX": "64G"}
        self.pool = Pool(arguments.seiche, arguments.device, arguments.processes, arguments.limit, self.environment)
        self.clock = None

    def end(self):
        self.pool.end()
        if self.clock is not None:
            self.clock.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def problem(self, kind, n):
        return problem_of(kind, n, self.arguments.moved)

    def clear_cache(self):
        kernels = self.environment["SEICHE_CACHE_DIR"]
        for entry in os.listdir(kernels) if os.path.isdir(kernels) else []:
            path = os.path.join(kernels, entry)
            shutil.rmtree(path, ignore_errors=True) if os.path.isdir(path) else os.unlink(path)

    def time(self, problems, repeat, jobs, take):
        """Calls take(answer) for each, in order; of one that ends the process take({"error": ...}). The process goes
        on to the next chunk, so that the card is opened once."""
        words = ["--jobs", str(jobs), "--repeat", str(repeat)]
        words += ["--device", self.arguments.device] if self.arguments.device else []
        if self.clock is None or self.clock_words != words:
            if self.clock is not None:
                self.clock.end()
            self.clock, self.clock_words = Process(self.arguments.seiche, words, self.environment), words
        self.clock.send(problems)
        for i in range(len(problems)):
            try:
                take(self.clock.answer(60))
            except Ended as error:
                take({"error": str(error)})
                self.clock.end()
                self.clock = None
                if i + 1 < len(problems):
                    self.time(problems[i + 1:], repeat, jobs, take)
                return

    def chunk(self, kind, lengths):
        """False: the time was up."""
        self.clear_cache()
        plans = {}
        began = time.monotonic()
        all_planned = self.pool.plan_all([self.problem(kind, n) for n in lengths],
                                         lambda row: plans.update({row["problem"]: row}), self.deadline)
        planned, wanted = time.monotonic(), []
        for n in lengths:
            plan = plans.get(self.problem(kind, n))
            if plan is None:
                continue
            if plan.get("error"):
                self.results.add(kind, n, {"error": plan["error"]})
            else:
                wanted.append(n)
        left, compiled = iter(wanted), 0

        def take(answer):
            nonlocal compiled
            n = next(left)
            compiled += int(answer.get("compiled") or 0)
            # Of making the plan from nothing; that of the process that times is from the cache.
            self.results.add(kind, n, answer, {"plan_ms": plans[self.problem(kind, n)]["plan_ms"]})
        self.time([self.problem(kind, n) for n in wanted], 5, os.cpu_count() or 1, take)
        print(f"{kind}: {lengths[0]} to {lengths[-1]}, {len(wanted)} timed; planned in {planned - began:.1f} s, timed in "
              f"{time.monotonic() - planned:.1f} s, {compiled} kernels compiled again", flush=True)
        return all_planned

    def run(self):
        for kind in self.arguments.kinds:
            missing = [n for n in lengths_of(kind, self.arguments) if (kind, n) not in self.results.rows]
            for first in range(0, len(missing), CHUNK):
                if time.monotonic() > self.deadline or not self.chunk(kind, missing[first:first + CHUNK]):
                    return

    def confirm(self, cliffs):
        """Times them again, one plan at a time; what is then no cliff is left out."""
        wanted, planned = cliffs[:400], set()
        self.clear_cache()
        self.pool.plan_all([self.problem(cliff["kind"], cliff["n"]) for cliff in wanted],
                           lambda row: row.get("error") or planned.add(row["problem"]), self.deadline)
        wanted = [cliff for cliff in wanted if self.problem(cliff["kind"], cliff["n"]) in planned]
        left = iter(wanted)

        def take(answer):
            cliff = next(left)
            if answer.get("fastest_ms"):
                points = cliff["n"] * batch_of(cliff["kind"], cliff["n"], self.arguments.moved)
                cliff["confirmed_ns"] = 1e6 * float(answer["fastest_ms"]) / points
        self.time([self.problem(cliff["kind"], cliff["n"]) for cliff in wanted], 15, 1, take)
        print(f"{len(wanted)} of {len(cliffs)} cliffs timed again", flush=True)


def cliffs_of(rows, kind):
    """Of one kind's rows."""
    timed = {}
    for row in rows:
        if row["kind"] == kind and row["fastest_ms"]:
            n = int(row["n"])
            timed.setdefault(class_of(kind, n), []).append((n, 1e6 * float(row["fastest_ms"]) / (n * int(row["batch"])), row))
    found = []
    for name, lengths in timed.items():
        lengths.sort(key=lambda one: one[0])
        for i, (n, nanoseconds, row) in enumerate(lengths):
            near = [one for one in lengths[max(0, i - NEIGHBOURS):i + NEIGHBOURS + 1] if one[0] != n]
            near = sorted(near, key=lambda one: abs(one[0] - n))[:NEIGHBOURS]
            if len(near) < NEIGHBOURS // 2:
                continue
            usual = statistics.median(one[1] for one in near)
            if nanoseconds > CLIFF * usual:
                found.append({"kind": kind, "n": n, "largest_prime": largest_prime(n), "class": name,
                              "ns_per_point": nanoseconds, "median_of_nearest": usual, "ratio": nanoseconds / usual,
                              "gb_per_s": row["gb_per_s"], "plan_ms": row["plan_ms"],
                              "instructions": row["instructions"], "recipe": row["recipe"]})
    return sorted(found, key=lambda cliff: -cliff["ratio"])


CLIFF_COLUMNS = ("kind", "n", "largest_prime", "class", "ratio", "ns_per_point", "confirmed_ns", "median_of_nearest",
                 "gb_per_s", "plan_ms", "instructions", "recipe")


def rounded(value):
    return f"{value:.4g}" if isinstance(value, float) else "" if value is None else value


def report(results, kinds, cliffs, path):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, CLIFF_COLUMNS)
        writer.writeheader()
        for cliff in cliffs:
            writer.writerow({name: rounded(cliff.get(name)) for name in CLIFF_COLUMNS})
    rows = list(results.rows.values())
    for kind in kinds:
        own = [row for row in rows if row["kind"] == kind]
        mine = [cliff for cliff in cliffs if cliff["kind"] == kind]
        if not own:
            continue
        plans = [float(row["plan_ms"]) for row in own if row["plan_ms"]]
        failed = [row for row in own if row["error"]]
        print(f"{kind}: {len(own)} lengths, {len(mine)} cliffs, {sum(ms > SLOW_PLAN_MS for ms in plans)} plans above "
              f"{SLOW_PLAN_MS} ms" + (f" (at most {max(plans):.0f})" if plans else "") + f", {len(failed)} without a time")
        names = [f"<= {most}" for most in CLASSES] + [f"> {CLASSES[-1]}"]
        for name in names + [f"{one} odd" for one in names]:
            if of_class := [cliff for cliff in mine if cliff["class"] == name]:
                worst = of_class[0]
                print(f"  largest prime {name:11} {len(of_class):5} cliffs, worst {worst['ratio']:.2f} at {worst['n']}")
        for cliff in mine[:15]:
            print(f"    {cliff['ratio']:5.2f}  {cliff['n']:6}  {cliff['ns_per_point']:.4g} ns a point, median of the nearest "
                  f"{cliff['median_of_nearest']:.4g}  {cliff['recipe']}")
        for row in failed[:10]:
            print(f"    {row['n']}: {row['error']}")
    print(f"{len(cliffs)} cliffs in {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seiche", nargs="?", help="the tool")
    parser.add_argument("--csv", default="lengths.csv", help="results, appended (default: lengths.csv)")
    parser.add_argument("--report", metavar="CSV", help="only list the cliffs among these results")
    parser.add_argument("--device", default="", help="default: as the tool chooses")
    parser.add_argument("--kinds", type=lambda text: text.split(","), default=list(KINDS),
                        help=f"in this order (default: {','.join(KINDS)})")
    parser.add_argument("--moved", type=int, default=32, metavar="MIB", help="to read and write (default: 32)")
    parser.add_argument("--low", type=int, default=2, help="the least length (default: 2)")
    parser.add_argument("--high", type=int, default=16384, help="the greatest length (default: 16384)")
    parser.add_argument("--every", type=int, default=1, help="a sample: one length of so many, mixed by a hash, and the "
                                                             "known cliffs of f64 (default: 1)")
    parser.add_argument("--phase", type=int, default=0, help="which of the EVERY samples (default: 0)")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="that plan (default: one per processor)")
    parser.add_argument("--limit", type=float, default=20, help="seconds for one plan (default: 20)")
    parser.add_argument("--seconds", type=float, default=1e9, help="plan nothing more after so many")
    arguments = parser.parse_args()
    if not arguments.report and not arguments.seiche:
        parser.error("expected the tool, or --report")
    if unknown := [kind for kind in arguments.kinds if kind not in KINDS]:
        parser.error(f"--kinds: expected some of {','.join(KINDS)}, got {unknown[0]}")
    if arguments.every < 1 or arguments.moved < 1 or not 1 <= arguments.low <= arguments.high:
        parser.error("expected --every and --moved of 1 or more, and 1 <= --low <= --high")
    results = Results(arguments.report or arguments.csv, arguments.moved)
    if arguments.report and not results.rows:
        sys.exit(f"length_cliffs: {arguments.report}: expected results of a sweep, got none")
    cliffs = []
    if arguments.report:
        for kind in arguments.kinds:
            cliffs += cliffs_of(results.rows.values(), kind)
    else:
        results.open()
        sweep = Sweep(arguments, results)
        try:
            sweep.run()
            for kind in arguments.kinds:
                cliffs += cliffs_of(results.rows.values(), kind)
            sweep.confirm(cliffs)
        finally:
            sweep.end()
        cliffs = [cliff for cliff in cliffs
                  if cliff.get("confirmed_ns", cliff["ns_per_point"]) > CLIFF * cliff["median_of_nearest"]]
        for kind in arguments.kinds:
            wanted = lengths_of(kind, arguments)
            done = sum((kind, n) in results.rows for n in wanted)
            print(f"{kind}: {done} of {len(wanted)} lengths done" + ("" if done == len(wanted) else ", the time was up"))
    report(results, arguments.kinds, cliffs, os.path.splitext(arguments.report or arguments.csv)[0] + ".cliffs.csv")


if __name__ == "__main__":
    main()
