#!/usr/bin/env python3
"""bench/beside.py puts two runs side by side, and says what it cannot read."""

import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = sys.argv.pop(1)
HEAD = "problem,device,name,of_copy\n"


class Beside(unittest.TestCase):
    def run_on(self, files, names=("a", "b")):
        with tempfile.TemporaryDirectory() as folder:
            arguments = []
            for name, text in zip(names, files):
                path = os.path.join(folder, name + ".csv")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                arguments.append(f"{name}={path}")
            return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False)

    def test_two_runs(self):
        first = HEAD + '8 c2c,cuda:0,seiche,0.5\n8 c2c,cuda:0,cufft,0.4\n"16, odd",cuda:0,seiche,0.8\n9 c2c,cuda:0,seiche,1\n'
        second = HEAD + '"16, odd",cuda:0,seiche,0.2\n8 c2c,cuda:0,seiche,1\n'
        result = self.run_on([first, second])
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stdout.splitlines()
        self.assertEqual(lines[1].split(), ["8", "c2c", "0.500", "1.000", "2.000"])
        self.assertEqual(lines[2].split(), ["16,", "odd", "0.800", "0.200", "0.250"])
        self.assertEqual(lines[3], "b beside a: 2 problems, geometric mean 0.707 times as fast")

    def test_what_it_refuses(self):
        for files, said in (([HEAD], "expected NAME=FILE twice or more"), ([HEAD, "x,y\n"], "no column 'problem'"),
                            ([HEAD, HEAD], "expected a problem that all files have")):
            result = self.run_on(files)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(said, result.stderr)
            self.assertEqual(result.stderr.count("\n"), 1)
        missing = subprocess.run([SCRIPT, "a=/nowhere/a.csv", "b=/nowhere/b.csv"], capture_output=True, text=True, check=False)
        self.assertEqual(missing.stderr, "beside: /nowhere/a.csv: No such file or directory\n")


unittest.main()
