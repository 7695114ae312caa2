#!/usr/bin/env python3
"""bench/length_cliffs.py finds the lengths that are slow, and goes on where it was; bench/plan_times.py is hung by no
problem."""

import csv
import os
import subprocess
import sys
import tempfile
import unittest

SCRIPTS, SEICHE = sys.argv[1:3]
del sys.argv[1:3]

# Plans everything in 5 ms, "2000" in 3000; is hung by "13", and ends at "17".
FAKE = """#!/usr/bin/env python3
import sys, time
if sys.argv[1] == "check":
    print("\\n".join(f"{n} c2c f32" for n in (8, 13, 16, 17, 2000, 32)))
elif sys.argv[1] == "plan":
    print('{"kernels": [{"instructions": 7, "direction": "forward", "spec": "a kernel"}]}')
else:
    print("problem,plan_ms,kernels,instructions,error", flush=True)
    for line in sys.stdin:
        if line.startswith("13 "):
            time.sleep(100)
        if line.startswith("17 "):
            sys.exit("gone")
        ms = 3000 if line.startswith("2000 ") else 5
        print(f'"{line.strip()}",{ms},1,77,', flush=True)
"""


def run(script, *arguments):
    return subprocess.run([os.path.join(SCRIPTS, script), *arguments], capture_output=True, text=True, check=False, timeout=300)


class LengthCliffs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = lambda name: os.path.join(folder.name, name)

    def write(self, lengths, kind="c2c f64"):
        """A file of results: milliseconds a point by length."""
        with open(self.path("lengths.csv"), "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow("kind,n,batch,fastest_ms,median_ms,gb_per_s,plan_ms,kernels,instructions,recipe,error".split(","))
            for n, ms in lengths:
                moved = 8 * n + 16 * (n // 2 + 1) if kind == "r2c f64" else 32 * n
                batch = max(1, round((32 << 20) / moved))
                writer.writerow([kind, n, batch, ms * n * batch if ms else "", ms, 1, 9, 1, 7, "(some recipe)", "" if ms else "no"])

    def cliffs(self):
        with open(self.path("lengths.cliffs.csv"), newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_what_is_slow_among_its_class(self):
        # Lengths with a prime above 127 are all slow, so that they are no cliffs; 1024 is not slow enough.
        def slow(n):
            return 5.0 if any(n % p == 0 for p in range(128, n + 1) if all(p % q for q in range(2, 37))) else {
                1000: 2.0, 1024: 1.4}.get(n, 1.0)
        self.write([(n, slow(n)) for n in range(800, 1300)] + [(1300, None)])
        result = run("length_cliffs.py", "--report", self.path("lengths.csv"), "--kinds", "c2c f64")
        self.assertEqual(result.returncode, 0, result.stderr)
        found = {int(row["n"]): row for row in self.cliffs()}
        self.assertEqual(list(found), [1000])
        self.assertEqual([found[1000][name] for name in ("class", "ratio", "largest_prime", "recipe")],
                         ["<= 7", "2", "5", "(some recipe)"])
        self.assertIn("c2c f64: 501 lengths", result.stdout)
        self.assertIn("1 without a time", result.stdout)

    def test_odd_lengths_of_r2c_are_a_class(self):
        self.write([(n, 4.0 if n == 1105 else 2.0 if n % 2 else 1.0) for n in range(800, 1300)], "r2c f64")
        run("length_cliffs.py", "--report", self.path("lengths.csv"), "--kinds", "r2c f64")
        self.assertEqual([(row["n"], row["class"], row["ratio"]) for row in self.cliffs()], [("1105", "<= 31 odd", "2")])

    def test_what_it_refuses(self):
        for arguments, said in (([], "expected the tool, or --report"), ([SEICHE, "--kinds", "c2c f16"], "--kinds: expected some of"),
                                ([SEICHE, "--low", "9", "--high", "8"], "1 <= --low <= --high"),
                                ([SEICHE, "--moved", "0"], "--every and --moved of 1 or more"),
                                (["--report", self.path("nothing.csv")], "expected results of a sweep, got none")):
            result = run("length_cliffs.py", *arguments)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(said, result.stderr)
        self.write([(n, 1.0) for n in range(800, 810)])
        result = run("length_cliffs.py", "--report", self.path("lengths.csv"), "--moved", "64")
        self.assertIn("expected results of --moved 64, got a batch of 1311 for c2c f64 of 800", result.stderr)

    def sweep(self, *more):
        result = run("length_cliffs.py", SEICHE, "--device", "cpu", "--csv", self.path("lengths.csv"), "--kinds", "c2c f32",
                     "--low", "30", "--high", "40", "--processes", "2", *more)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.path("lengths.csv"), newline="", encoding="utf-8") as file:
            return result.stdout, list(csv.DictReader(file))

    def test_it_goes_on_where_it_was(self):
        said, rows = self.sweep("--every", "5", "--phase", "1")
        self.assertEqual([row["n"] for row in rows], ["31", "32", "36", "37"])
        self.assertIn("c2c f32: 4 of 4 lengths done", said)
        for row in rows:
            self.assertEqual([row["kind"], row["error"]], ["c2c f32", ""])
            self.assertGreater(float(row["fastest_ms"]), 0)
            self.assertGreater(float(row["plan_ms"]), 0)
            self.assertAlmostEqual(int(row["batch"]) * int(row["n"]) * 16, 32 << 20, delta=1000)
        with open(self.path("lengths.csv"), "a", encoding="utf-8") as file:
            file.write("c2c f32,30,56")  # cut short: done again
        said, more = self.sweep("--seconds", "0")
        self.assertIn("c2c f32: 4 of 11 lengths done, the time was up", said)
        self.assertEqual(more[:4], rows)
        said, more = self.sweep("--every", "5", "--phase", "2")
        self.assertEqual([row["n"] for row in more if row["error"] is not None], ["31", "32", "36", "37", "30"])

    def test_problems_that_hang_or_end_a_process(self):
        fake = self.path("seiche")
        with open(fake, "w", encoding="utf-8") as file:
            file.write(FAKE)
        os.chmod(fake, 0o755)
        result = run("plan_times.py", fake, "--limit", "1", "--processes", "2", "--csv", self.path("plans.csv"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("6 of 6 problems done", result.stdout)
        self.assertIn("4 of 6 problems: milliseconds in the median 5, 95 % below 3000, at most 3000", result.stdout)
        self.assertIn("2 without a plan, of which 2 took too long or ended their process", result.stdout)
        self.assertIn("3000      77 instructions  2000 c2c f32  | a kernel", result.stdout)
        self.assertIn("no answer within 1 s: 13 c2c f32", result.stdout)
        self.assertIn("ended with status 1: gone: 17 c2c f32", result.stdout)
        again = run("plan_times.py", "/nowhere/seiche", "--problems", self.path("plans.txt"), "--csv", self.path("plans.csv"))
        self.assertNotEqual(again.returncode, 0)

    def test_times_of_plans(self):
        with open(self.path("problems"), "w", encoding="utf-8") as file:
            file.write("# three\n64 f32\n17 r2c f64\n\n8 c2q\n")
        result = run("plan_times.py", SEICHE, "--problems", self.path("problems"), "--device", "cpu", "--csv", self.path("plans.csv"))
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.path("plans.csv"), newline="", encoding="utf-8") as file:
            rows = {row["problem"]: row for row in csv.DictReader(file)}
        self.assertGreater(float(rows["64 f32"]["plan_ms"]), 0)
        self.assertGreater(int(rows["17 r2c f64"]["instructions"]), 100)
        self.assertIn("c2q", rows["8 c2q"]["error"])
        result = run("plan_times.py", SEICHE, "--problems", self.path("problems"), "--profile", "h200", "--most-instructions", "300")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"\d+ instructions  17 r2c f64  \| .* \| PTX \d+ bytes")


unittest.main()
