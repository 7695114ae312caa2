#!/usr/bin/env python3
"""bench/issue_time.py counts a listing of a few instructions as by hand."""

import subprocess
import sys
import unittest

SCRIPT = sys.argv.pop(1)
NONE = 7


def line(place, text, stall, result=NONE, sources=NONE, waits=()):
    control = stall | result << 5 | sources << 8 | sum(1 << board for board in waits) << 11
    return (f"        /*{place:04x}*/                   {text} ;   /* 0x0000000000000001 */\n"
            f"{'':40}/* 0x{control << 41:016x} */\n")


LISTING = "".join([
    "\t.headerflags\t@\"EF_CUDA_SM90\"\n.text.kernel:\n",
    line(0x00, "LDG.E.64 R2, desc[UR4][R2.64]", 1, result=0),                   # a point: free
    line(0x10, "STS.64 [R4], R2", 2, sources=1, waits=[0]),
    line(0x20, "@!P0 LDG.E.64.CONSTANT R6, desc[UR4][R6.64]", 4, result=2),     # at 3, of a table
    line(0x30, "BAR.SYNC.DEFER_BLOCKING 0x0", 0, waits=[1]),                    # at 13: the store has read at 1 + 12
    line(0x40, "FFMA R2, R6, R7, R8", 5, waits=[2]),                            # at 103 and not 14
    line(0x50, "EXIT", 5),
    line(0x60, "NOP", 0)])


def run(listing, *arguments):
    return subprocess.run([SCRIPT, *arguments], input=listing, capture_output=True, text=True, check=False)


class IssueTime(unittest.TestCase):
    def test_counts_stalls_and_waits(self):
        self.assertEqual(run(LISTING, "--table-cycles", "100").stdout,
                         "6 instructions, 113 cycles, 95 of them waiting\n")
        self.assertEqual(run(LISTING, "--table-cycles", "300").stdout,
                         "6 instructions, 313 cycles, 295 of them waiting\n")

    def test_says_what_it_expects(self):
        refused = run("nothing\n")
        self.assertEqual(refused.returncode, 1)
        self.assertRegex(refused.stderr, "^issue_time: no instruction on standard input: expected [^\n]+\n$")


if __name__ == "__main__":
    unittest.main()
