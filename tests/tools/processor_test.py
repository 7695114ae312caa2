#!/usr/bin/env python3
"""bench/processor.py times small cases and keeps a record of them, names absent peers, and says what it expects."""

import csv
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT, LIBRARY = sys.argv.pop(1), sys.argv.pop(1)
CASE, REAL = "16 c2c f32 batch=4", "4x6 r2c f64 in-place"


@unittest.skipUnless(importlib.util.find_spec("numpy"), "no NumPy")
class Processor(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="seiche-test-")
        self.addCleanup(folder.cleanup)
        self.csv = os.path.join(folder.name, "figures.csv")

    def run_script(self, *arguments):
        return subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True, check=False)

    def measure(self, *arguments):
        return self.run_script("--library", LIBRARY, "--device", "reference", "--peers", "fftw,mkl", "--fftw-library",
                               "/nowhere", "--mkl-library", "/nowhere/libmkl_rt.so", "--repeat", "2", "--commit", "x",
                               "--csv", self.csv, *arguments)

    def rows(self):
        with open(self.csv, newline="", encoding="utf-8") as file:
            lines = file.read().splitlines()
        facts = [line for line in lines if line.startswith("# ")]
        self.assertTrue(any(line.startswith("# features: ") for line in facts))
        self.assertIn("# commit: x", facts)
        return list(csv.DictReader(line for line in lines if not line.startswith("#")))

    def test_measures_and_resumes(self):
        first = self.measure("--cases", CASE)
        self.assertEqual(first.returncode, 0, first.stderr)
        for peer in ("fftw", "mkl"):
            self.assertRegex(first.stdout, f"(?m)^{peer}: absent, left out: .+")
        row = self.rows()[0]
        self.assertEqual((row["case"], row["threads"], row["contender"], row["status"]), (CASE, "1", "seiche", "ok"))
        self.assertLess(float(row["error"]), 1e-6)
        self.assertLessEqual(float(row["lower_quartile_ms"]), float(row["median_ms"]))
        second = self.measure("--cases", CASE, REAL, "--resume")
        self.assertEqual(second.returncode, 0, second.stderr)
        rows = self.rows()
        self.assertEqual(rows[0], row)
        self.assertEqual((len(rows), rows[1]["case"], rows[1]["status"]), (2, REAL, "ok"))
        self.assertLess(float(rows[1]["error"]), 1e-14)

    def test_what_it_refuses(self):
        for arguments, said in (((), "--library: expected the path of libseiche.so, got none"),
                                (("--library", "/nowhere.so"), "got /nowhere.so"),
                                (("--peers", "fftw,spiral"), "some of fftw,ducc0,scipy,mkl,pocl, got 'spiral'"),
                                (("--threads", "0"), "--threads: expected a number from 1 to 1024, got '0'"),
                                (("--cases", "16 c2q"), "got 'c2q'"),
                                (("--cases", "1x"), "--cases: expected 'all' or a problem"),
                                (("--resume",), "--resume: expected --csv FILE to continue, got none"),
                                (("--library", LIBRARY, "--device", "abacus"), "got 'abacus'"),
                                (("--turbo",), "unrecognized arguments: --turbo")):
            refused = self.run_script(*arguments)
            self.assertEqual((refused.returncode, refused.stdout), (1, ""), arguments)
            self.assertRegex(refused.stderr, "^processor: [^\n]+\n$")
            self.assertIn(said, refused.stderr)


if __name__ == "__main__":
    unittest.main()
