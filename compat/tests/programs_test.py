#!/usr/bin/env python3
"""The suite of programs in run_suites.py, with scripts in the place of programs for a card."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SUITES = pathlib.Path(__file__).resolve().parent.parent / "gpu" / "run_suites.py"
sys.path.insert(0, str(SUITES.parent))
import programs  # noqa: E402

GOOGLE = """#!/bin/sh
# GTEST_TOTAL_SHARDS
[ "${GTEST_SHARD_INDEX:-0}" = 1 ] && name=B || name=A
echo "[ RUN      ] Fft/0.$name"
[ "$name" = B ] && [ -n "$LD_PRELOAD" ] && [ -n "$BREAKS" ] && exit 139
echo "[       OK ] Fft/0.$name (3 ms)"
[ -n "$LD_PRELOAD" ] && echo "seiche libcufft.so.12: 2 plans, 3 executions, 0 calls refused"
exit 0
"""
LINES = """#!/bin/sh
echo "  float   1D stuff   pass"
echo "  float   1D stuff   fail"
exit 1
"""


class Programs(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = pathlib.Path(kept.name)
        (self.folder / "cufft-12").mkdir()
        (self.folder / "cufft-12" / "libcufft.so.12").touch()
        for name, text in (("google", GOOGLE), ("lines", LINES)):
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o755)

    def run_suite(self, *commands, breaks="", seconds=60):
        arguments = [f"--program={command}" for command in commands]
        record = self.folder / "record.json"
        done = subprocess.run(
            [sys.executable, str(SUITES), "--record", str(record), "--suites", "programs", "--jobs", "2",
             "--seconds", str(seconds), "--libraries", str(self.folder), *arguments],
            capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", "BREAKS": breaks},
        )
        return done.returncode, json.loads(record.read_text())["programs"]

    def test_outcomes(self):
        log = ("[ RUN      ] A.b\n[  FAILED  ] A.b, where TypeParam = x<int, 2> (1 ms)\n[ RUN      ] A.c\n"
               "[  SKIPPED ] A.c (0 ms)\n[ RUN      ] A.d\n[  FAILED  ] 3 tests, listed below:\n")
        self.assertEqual(programs.outcomes_of(log), {"A.b": "failed", "A.c": "skipped", "A.d": "failed"})

    def test_what_passes_with_both_is_right(self):
        status, result = self.run_suite(str(self.folder / "google"), str(self.folder / "lines"))
        self.assertEqual((status, result["ok"], result["worse"]), (0, True, 0))
        self.assertEqual([result[who]["passed"] for who in ("cufft", "seiche")], [4, 4])
        self.assertEqual([result[who]["failed"] for who in ("cufft", "seiche")], [2, 2])
        self.assertEqual((result["seiche"]["plans"], result["seiche"]["executions"]), (4, 6))

    def test_a_crash_with_seiche_alone_is_worse(self):
        program = str(self.folder / "google")
        status, result = self.run_suite(program, breaks="1")
        self.assertEqual((status, result["ok"], result["worse"]), (1, False, 2))
        self.assertEqual(set(result["failures"]), {f"{program}: Fft/0.B", f"{program}: exit"})

    def test_a_program_that_is_not_there_is_not_right(self):
        status, result = self.run_suite("/nowhere/program")
        self.assertEqual((status, result["ok"], result["seiche"]["failed"]), (1, False, 1))

    def test_what_does_not_end_in_time_is_not_right(self):
        (self.folder / "slow").write_text("#!/bin/sh\nexec sleep 30\n")
        (self.folder / "slow").chmod(0o755)
        program = str(self.folder / "google")
        status, result = self.run_suite(str(self.folder / "slow"), program, seconds=1)
        self.assertEqual((status, result["ok"]), (1, False))
        self.assertEqual([result[who]["whole"] for who in ("cufft", "seiche")], [False, False])
        self.assertNotIn("passed", result["cufft"])

    def test_without_a_program_the_suite_is_left_out(self):
        self.assertEqual(self.run_suite()[1], {"left_out": "no program was given (--program)"})


if __name__ == "__main__":
    unittest.main()
