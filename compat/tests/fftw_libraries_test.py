#!/usr/bin/env python3
"""The libraries' exports, sonames, header and pkg-config files. Usage: fftw_libraries_test.py FOLDER [ARGS of unittest]"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(sys.argv.pop(1)).resolve()
LISTS = pathlib.Path(__file__).resolve().parent.parent / "fftw"
THREADS_C = {"init_threads", "cleanup_threads", "plan_with_nthreads", "planner_nthreads", "make_planner_thread_safe",
             "threads_set_callback"}
THREADS_FORTRAN = {"init_threads", "cleanup_threads", "plan_with_nthreads", "planner_nthreads"}
PROGRAM = """
#include <complex.h>
#include <fftw3.h>
#include <stdio.h>
int main(void) {
    PREFIX(complex) in[8] = {0}, out[8];
    in[0] = 1;
    PREFIX(plan) p = PREFIX(plan_dft_1d)(8, in, out, FFTW_FORWARD, FFTW_MEASURE);
    in[0] = 1;
    for (int i = 1; i < 8; ++i) in[i] = 0;
    PREFIX(execute)(p);
    printf("%g %g %s\\n", (double)creal(out[5]), (double)cimag(out[5]), PREFIX(version));
    PREFIX(destroy_plan)(p);
    return 0;
}
"""

FORTRAN = """
program test
  use, intrinsic :: iso_c_binding
  implicit none
  include 'fftw3.f03'
  type(C_PTR) :: plan
  complex(C_DOUBLE_COMPLEX), dimension(4, 3) :: in, out
  in = (1d0, 0d0)
  plan = fftw_plan_dft_2d(3, 4, in, out, FFTW_FORWARD, FFTW_ESTIMATE)
  call fftw_execute_dft(plan, in, out)
  call fftw_destroy_plan(plan)
  print '(F6.1,F6.1)', real(out(1, 1)), abs(out(2, 2))
  in = spread((/ (1d0, 0d0), (-1d0, 0d0), (1d0, 0d0), (-1d0, 0d0) /), 2, 3)
  call dfftw_plan_dft_2d(plan, 4, 3, in, out, FFTW_FORWARD, FFTW_ESTIMATE)
  call dfftw_execute(plan)
  call dfftw_destroy_plan(plan)
  print '(F6.1)', -real(out(3, 1))
end program
"""

# Which way plans of so many points go.
WAYS = """
#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int count, char** lengths) {
    for (int i = 1; i < count; ++i) {
        const int n = atoi(lengths[i]);
        fftw_complex* data = fftw_alloc_complex(n);
        fftw_plan plan = fftw_plan_dft_1d(n, data, data, FFTW_FORWARD, FFTW_ESTIMATE);
        char* text = plan ? fftw_sprint_plan(plan) : NULL;
        if (!text) return 1;
        puts(strncmp(text, "(seiche", 7) == 0 ? "own" : "real");
        fftw_free(data);
    }
    return 0;
}
"""

# A plan that lives longer than main and its thread's own objects: FFTW lets a program use it still.
LATE = """
#include <fftw3.h>
#include <cstdio>
#include <cstring>
struct Late {
    fftw_plan plan = nullptr;
    fftw_complex* data = nullptr;
    void start() {
        std::memset(data, 0, 4096 * sizeof *data);
        data[0][0] = 1;
    }
    ~Late() {
        start();
        fftw_execute(plan);
        std::printf("%g", data[4095][0]);
        std::fflush(stdout);
        fftw_plan other = fftw_plan_dft_1d(300, data, data, FFTW_BACKWARD, FFTW_MEASURE);
        fftw_execute(other);
        fftw_destroy_plan(other);
        fftw_destroy_plan(plan);
        fftw_free(data);
        fftw_cleanup();
    }
};
static Late late;
int main() {
    late.data = fftw_alloc_complex(4096);
    late.plan = fftw_plan_dft_1d(4096, late.data, late.data, FFTW_FORWARD, FFTW_MEASURE);
    late.start();
    fftw_execute(late.plan);
}
"""


def names(c, fortran, suffix):
    prefix, fortran_prefix = ("fftwf_", "sfftw_") if suffix else ("fftw_", "dfftw_")
    return {prefix + name for name in c} | {f"{fortran_prefix}{name}{end}" for name in fortran for end in ("_", "__")}


def exports(library):
    done = subprocess.run(["nm", "-D", "--defined-only", str(library)], capture_output=True, text=True, check=True)
    return {line.split()[-1] for line in done.stdout.splitlines()}


class Libraries(unittest.TestCase):
    def test_exports_are_fftws(self):
        c = set((LISTS / "symbols_c.txt").read_text().split())
        fortran = set((LISTS / "symbols_fortran.txt").read_text().split())
        self.assertEqual((len(c), len(fortran)), (72 + 3, 50))
        for suffix in ("", "f"):
            self.assertEqual(exports(FOLDER / f"libfftw3{suffix}.so.3"), names(c, fortran, suffix))
            for companion in ("threads", "omp"):
                self.assertEqual(exports(FOLDER / f"libfftw3{suffix}_{companion}.so.3"),
                                 names(THREADS_C, THREADS_FORTRAN, suffix))

    def test_exports_for_mpi(self):
        if not (FOLDER / "libfftw3_mpi.so.3").exists():
            self.skipTest("no libfftw3_mpi in this build")
        c = (LISTS / "symbols_mpi.txt").read_text().split()
        self.assertEqual(len(c), 37)
        for suffix in ("", "f"):
            self.assertEqual(exports(FOLDER / f"libfftw3{suffix}_mpi.so.3"), names(c, [], suffix))

    def test_sonames(self):
        for name in ("fftw3", "fftw3f", "fftw3_threads", "fftw3_omp", "fftw3f_threads", "fftw3f_omp"):
            done = subprocess.run(["readelf", "-d", str(FOLDER / f"lib{name}.so")], capture_output=True, text=True,
                                  check=True)
            self.assertIn(f"soname: [lib{name}.so.3]", done.stdout)

    def test_an_untouched_source_builds_by_pkg_config(self):
        if not shutil.which("cc") or not shutil.which("pkg-config"):
            self.skipTest("no cc or no pkg-config")
        environment = dict(os.environ, PKG_CONFIG_PATH=str(FOLDER / "pkgconfig"), SEICHE_DEVICE="reference",
                           SEICHE_FFTW_REAL="none")
        for suffix in ("", "f"):
            found = subprocess.run(["pkg-config", "--cflags", "--libs", f"fftw3{suffix}"], env=environment,
                                   capture_output=True, text=True, check=True).stdout.split()
            with tempfile.TemporaryDirectory() as folder:
                source = pathlib.Path(folder) / "program.c"
                source.write_text(PROGRAM)
                program = str(source.with_suffix(""))
                subprocess.run(["cc", str(source), "-Wall", "-Werror", f"-DPREFIX(name)=fftw{suffix}_##name", "-o",
                                program, *found, f"-L{FOLDER.parents[2] / 'src'}"], check=True)
                done = subprocess.run([program], env=environment, capture_output=True, text=True, check=True)
            self.assertEqual(done.stdout, "1 0 fftw-3.3.10-seiche\n")
            self.assertEqual(done.stderr, "")

    def test_header_compiles_as_c_and_cpp(self):
        if not shutil.which("cc"):
            self.skipTest("no cc")
        for options in (["-x", "c", "-std=c99", "-pedantic-errors"], ["-x", "c++", "-std=c++11", "-pedantic-errors"]):
            subprocess.run(["cc", *options, "-Wall", "-Werror", "-fsyntax-only", "-"], input="#include <fftw3.h>\n",
                           text=True, check=True, env=dict(os.environ, CPATH=str(FOLDER / "include")))

    def test_the_measure_of_break_even_runs(self):
        if not shutil.which("cc"):
            self.skipTest("no cc")
        environment = dict(os.environ, SEICHE_DEVICE="reference", SEICHE_FFTW_REAL="none")
        library = str(FOLDER / "libfftw3.so.3")
        with tempfile.TemporaryDirectory() as folder:
            program = str(pathlib.Path(folder) / "measure_threshold")
            subprocess.run(["cc", "-O1", "-Wall", "-Werror", f"-I{FOLDER / 'include'}",
                            str(LISTS / "measure_threshold.c"), "-o", program, "-ldl", "-lm"], check=True)
            done = subprocess.run([program, library, library, "least=1024", "most=1024", "ranks=2b"], env=environment,
                                  capture_output=True, text=True)
            wrong = subprocess.run([program, library, library, "least=0"], env=environment, capture_output=True,
                                   text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = [line.split() for line in done.stdout.splitlines()]
        self.assertEqual([row[:3] for row in rows[1:5]], [[shape, "1024", kind] for shape in ("32x32", "1024*1")
                                                         for kind in ("c2c", "r2c")])
        self.assertEqual([row[:3] for row in rows[5:]], [["break-even", rank, kind] for rank in ("2-d", "batches")
                                                        for kind in ("c2c:", "r2c:")])
        self.assertEqual(wrong.returncode, 2)
        self.assertEqual(wrong.stderr, "measure_threshold: expected a number from 1 on, got 0\n")

    def test_small_plans_go_to_a_real_fftw_where_there_is_one(self):
        if not shutil.which("cc"):
            self.skipTest("no cc")
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "ways.c"
            source.write_text(WAYS)
            program = str(source.with_suffix(""))
            subprocess.run(["cc", str(source), "-Wall", "-Werror", "-o", program, f"-I{FOLDER / 'include'}", f"-L{FOLDER}",
                            f"-Wl,-rpath,{FOLDER}", "-lfftw3", f"-L{FOLDER.parents[2] / 'src'}"], check=True)

            def ways(device, *lengths):
                environment = {name: value for name, value in os.environ.items() if not name.startswith("SEICHE_FFTW_")}
                done = subprocess.run([program, *map(str, lengths)], capture_output=True, text=True,
                                      env=dict(environment, SEICHE_DEVICE=device))
                return done.stdout.split() if done.returncode == 0 else None

            if ways("cpu", 16) != ["real"]:
                self.skipTest("no real FFTW, or no processor as a device")
            # By the sizes that docs/lab/2026-11-29-fftw-threshold.md found.
            self.assertEqual(ways("cpu", 2047, 2048), ["real", "own"])
            self.assertEqual(ways("reference", 16), ["own"])
            copied_to = [device for device in ("opencl", "vulkan") if ways(device, 16)]
            for device in copied_to:
                self.assertEqual(ways(device, 65535, 65536), ["real", "own"], device)

    def test_fortran_is_made_from_the_header(self):
        subprocess.run([sys.executable, str(LISTS / "make_fortran.py"), "--check"], check=True)

    def test_a_fortran_program(self):
        if not shutil.which("gfortran"):
            self.skipTest("no gfortran")
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "program.f90"
            source.write_text(FORTRAN)
            program = str(source.with_suffix(""))
            subprocess.run(["gfortran", "-Werror", str(source), "-o", program, f"-I{FOLDER / 'include'}", f"-L{FOLDER}",
                            f"-Wl,-rpath,{FOLDER}", "-lfftw3", f"-L{FOLDER.parents[2] / 'src'}"], check=True)
            done = subprocess.run([program], capture_output=True, text=True, check=True,
                                  env=dict(os.environ, SEICHE_DEVICE="reference", SEICHE_FFTW_REAL="none"))
        self.assertEqual(done.stdout.split(), ["12.0", "0.0", "-12.0"])

    def test_plans_that_outlive_main(self):
        if not shutil.which("c++"):
            self.skipTest("no c++")
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "late.cpp"
            source.write_text(LATE)
            program = str(source.with_suffix(""))
            subprocess.run(["c++", str(source), "-o", program, f"-I{FOLDER / 'include'}", f"-L{FOLDER}",
                            f"-Wl,-rpath,{FOLDER}", "-lfftw3", f"-L{FOLDER.parents[2] / 'src'}"], check=True)
            for variables in ({"SEICHE_DEVICE": "reference", "SEICHE_FFTW_REAL": "none"}, {"SEICHE_FFTW_REAL": "none"},
                              {"SEICHE_FFTW_MIN_POINTS": "1000000000"}):
                done = subprocess.run([program], capture_output=True, text=True, env=dict(os.environ, **variables))
                self.assertEqual((done.stdout, done.stderr, done.returncode), ("1", "", 0), variables)


if __name__ == "__main__":
    unittest.main()
