#!/usr/bin/env python3
"""heFFTe's own tests, benchmarks and examples against Seiche's heffte.h.

heFFTe's source is a folder that you name, or is cloned from GitHub into the work folder; it is no part of this
repository. Each program is compiled as it is, with heffte.h in the place of heFFTe's and heffte_executors.hpp
before it, and runs as so many ranks as heFFTe's CMakeLists.txt says.

Usage: heffte_suite.py BUILD_FOLDER [--source FOLDER] [--work FOLDER] [--most-ranks N] [--device NAME]
                       [--mpicxx NAME] [--mpiexec "NAME OPTION..."] [--only NAME ...]

Exit status 77: no source, or no MPI.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

SKIPPED = 77
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
URL = "https://github.com/icl-utk-edu/heffte"
LIMIT = 600  # seconds a run

# Program, ranks, and arguments. What is left out looks into heFFTe itself: test_units_*, test_reshape3d, test_trace,
# test_c.c and the benchmark convolution.
PROGRAMS = [
    *(("test/test_fft3d_np%d.cpp" % ranks, [ranks], "") for ranks in (1, 2, 4, 6, 8, 12)),
    ("test/test_fft3d_r2c.cpp", [1, 2, 4, 6, 8, 12], ""),
    ("test/test_longlong.cpp", [4], ""),
    ("test/test_streams.cpp", [6], ""),
    ("test/test_subcomm.cpp", [8, 12], ""),
    ("test/test_cos.cpp", [1, 2, 4], ""),
    ("test/test_heffte_header.cpp", [1], ""),
    ("test/test_heffte_templates.cpp", [], ""),  # only compiled
    ("benchmarks/speed3d_c2c.cpp", [4], "stock double 32 32 32"),
    ("benchmarks/speed3d_r2c.cpp", [4], "stock float 32 48 32 -r2c_dir 2"),
    ("benchmarks/speed3d_r2r.cpp", [3], "stock-cos double 16 20 24 -batch 2"),
    ("examples/heffte_example_options.cpp", [4], ""),
    ("examples/heffte_example_r2c.cpp", [2], ""),
    ("examples/heffte_example_r2r.cpp", [4], ""),
    ("examples/heffte_example_vectors.cpp", [2], ""),
    ("examples/heffte_example_fftw.cpp", [2], ""),
]


def skip(why):
    print(f"heffte_suite: skipped: {why}")
    sys.exit(SKIPPED)


def get_source(work):
    folder = work / "heffte"
    if not folder.is_dir():
        if shutil.which("git") is None:
            skip("no git, and no --source")
        done = subprocess.run(["git", "clone", "-q", "--depth", "1", URL, str(folder)], capture_output=True, text=True)
        if done.returncode != 0:
            skip(f"git clone: {(done.stderr.strip().splitlines() or ['failed'])[-1]}")
    return folder


def compile_program(source, name, work, build, mpicxx):
    program = work / pathlib.Path(name).stem
    libraries = [build / "distributed", build / "src"]
    command = [mpicxx, "-std=c++17", "-O1", "-w", "-DOMPI_SKIP_MPICXX", "-include", "heffte_executors.hpp"]
    for folder in (HERE.parent / "heffte", HERE, ROOT / "distributed" / "include",
                   ROOT / "include", source / "test"):
        command.append(f"-I{folder}")
    command += [str(source / name), "-o", str(program)]
    for folder in libraries:
        command += [f"-L{folder}", f"-Wl,-rpath,{folder}"]
    done = subprocess.run([*command, "-lseiche_distributed", "-lseiche"], capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stderr[:4000])
        return None
    return program


def fault(done, name):
    """What is wrong with a run, or nothing."""
    if done.returncode != 0:
        return f"ended with {done.returncode}"
    if re.search(r"(?m)\bfail\s*$", done.stdout):
        return "says fail"
    # Benchmarks and examples say how far they are off, and fail by it themselves or not at all.
    for found in re.findall(r"(?i)error:\s+([-+.\dinfa]+(?:e[-+]?\d+)?)", done.stdout):
        if not float(found) < 1e-3:
            return f"an error of {found}"
    if name.startswith("test/") and "header" not in name and not re.search(r"(?m)\bpass\s*$", done.stdout):
        return "says neither pass nor fail"
    if name.startswith("benchmarks/") and "Max error" not in done.stdout:
        return "says no error"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--source", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("build/heffte-suite"))
    parser.add_argument("--most-ranks", type=int, default=12)
    parser.add_argument("--device")
    parser.add_argument("--mpicxx", default="mpicxx.openmpi")
    parser.add_argument("--mpiexec", default="mpiexec.openmpi --allow-run-as-root --oversubscribe")
    parser.add_argument("--only", nargs="*", default=[])
    arguments = parser.parse_args()
    for tool in (arguments.mpicxx, arguments.mpiexec.split()[0]):
        if shutil.which(tool) is None:
            skip(f"no {tool}")
    work = arguments.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    source = (arguments.source or get_source(work)).resolve()
    environment = dict(os.environ, SEICHE_DEVICE=arguments.device) if arguments.device else None
    failed = runs = 0
    for name, all_ranks, options in PROGRAMS:
        if arguments.only and not any(only in name for only in arguments.only):
            continue
        program = compile_program(source, name, work, arguments.build.resolve(), arguments.mpicxx)
        if program is None:
            failed += 1
            print(f"heffte_suite: {name} does not compile")
            continue
        for ranks in (ranks for ranks in all_ranks if ranks <= arguments.most_ranks):
            start = time.monotonic()
            done = subprocess.run([*arguments.mpiexec.split(), "-n", str(ranks), str(program), *options.split()],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment,
                                  timeout=LIMIT)
            why = fault(done, name)
            runs += 1
            failed += why is not None
            if why:
                print(done.stdout[-4000:])
            passed = len(re.findall(r"(?m)\bpass\s*$", done.stdout))
            print(f"heffte_suite: {name}, {ranks} ranks: {why or 'right'}, {passed} lines of pass, "
                  f"{time.monotonic() - start:.1f} s", flush=True)
    print(f"heffte_suite: {runs} runs, {failed} failures")
    sys.exit(failed != 0 or runs == 0)


if __name__ == "__main__":
    main()
