"""`seiche run`: programs that ask for cuFFT's or FFTW's libraries get Seiche's, and are started as they would be."""

import os
import sys
import unittest

import tool

# As a program that was linked, or that loads by soname, finds the library; an impulse's transform is 1 everywhere.
PROGRAM = """
import ctypes, sys
fft = ctypes.CDLL(sys.argv[1])
plan, data = ctypes.c_int(), (ctypes.c_float * 8)(1)
version = ctypes.c_int()
assert fft.cufftGetVersion(ctypes.byref(version)) == 0
assert fft.cufftPlan1d(ctypes.byref(plan), 4, 0x29, 1) == 0
address = (ctypes.addressof(data) + 15) // 16 * 16
assert fft.cufftExecC2C(plan, ctypes.c_void_p(address), ctypes.c_void_p(address), -1) == 0
print(version.value // 1000, list(data)[::2])
refused = fft.cufftXtSetCallback(plan, None, 0, None)
sys.exit(40 + refused)
"""

# The same of FFTW: 8 points in double precision, by threads as its companion has them.
FFTW_PROGRAM = """
import ctypes
fft, threads = ctypes.CDLL("libfftw3.so.3"), ctypes.CDLL("libfftw3_threads.so.3")
fft.fftw_plan_dft_1d.restype = fft.fftw_alloc_complex.restype = ctypes.c_void_p
assert threads.fftw_init_threads() != 0
memory = fft.fftw_alloc_complex(ctypes.c_size_t(8))
plan = fft.fftw_plan_dft_1d(8, ctypes.c_void_p(memory), ctypes.c_void_p(memory), -1, 64)
data = (ctypes.c_double * 16).from_address(memory)
data[:] = [1] + 15 * [0]
fft.fftw_execute(ctypes.c_void_p(plan))
print(ctypes.string_at(fft.fftw_version).decode(), data[:])
"""


@unittest.skipUnless(os.path.exists(os.path.join(os.path.dirname(tool.TOOL), "compat")), "no drop-in replacements")
class Run(tool.ToolTest):
    def run_program(self, library, *options):
        return self.run_tool("run", "--cufft", *options, sys.executable, "-c", PROGRAM, library,
                             env={"SEICHE_CUFFT_DEVICE": "reference"})

    def test_each_version_is_the_one_that_is_asked_for(self):
        for number in (11, 12):
            result = self.run_program(f"libcufft.so.{number}")
            self.assertEqual(result.stdout, f"{number} [1.0, 1.0, 1.0, 1.0]\n", result.stderr)
            self.assertEqual(result.returncode, 54)
            self.assertEqual(result.stderr, "")

    def test_a_report_says_what_went_through(self):
        result = self.run_program("libcufft.so.12", "--report")
        self.assertEqual(result.stderr, "seiche libcufft.so.12: 1 plan, 1 execution, 1 call refused: "
                                        "cufftXtSetCallback CUFFT_NOT_IMPLEMENTED 1\n")

    def test_a_log_has_a_line_for_each_refusal(self):
        result = self.run_program("libcufft.so.11", "--log")
        self.assertEqual(len(result.stderr.splitlines()), 1)
        self.assertTrue(result.stderr.startswith("seiche libcufft.so.11: cufftXtSetCallback returned "
                                                 "CUFFT_NOT_IMPLEMENTED: "), result.stderr)

    def test_fftw(self):
        result = self.run_tool("run", "--fftw", "--report", sys.executable, "-c", FFTW_PROGRAM,
                               env={"SEICHE_DEVICE": "reference", "SEICHE_FFTW_REAL": "none"})
        self.assertEqual(result.stdout, f"fftw-3.3.10-seiche {8 * [1.0, 0.0]}\n", result.stderr)
        self.assertIn("executions: 1, ", result.stderr)
        both = self.succeed("run", "--cufft", "--fftw", "printenv", "LD_PRELOAD").stdout
        for file in ("libcufft.so.11", "libfftw3f_omp.so.3"):
            self.assertIn(file, both)

    def test_arguments_are_the_programs(self):
        result = self.succeed("run", "--cufft", "echo", "--report", "--cufft", "--help", "a b")
        self.assertEqual(result.stdout, "--report --cufft --help a b\n")
        self.assertIn("libcufft.so.12", self.succeed("run", "--cufft", "printenv", "LD_PRELOAD").stdout)

    def test_what_is_refused(self):
        self.refuse("run", "--cufft", status=2, says="expected a program")
        self.refuse("run", "echo", "a", status=2, says="expected --cufft or --fftw")
        self.refuse("run", "--cuft", "echo", status=2, says="--cufft")
        self.refuse("run", "--cufft", "./no-such-program", says="cannot start ./no-such-program")
        self.assertIn("LD_PRELOAD", self.succeed("run", "--help").stdout)


if __name__ == "__main__":
    tool.main()
