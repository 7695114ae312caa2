#!/usr/bin/env python3
"""mpi4py-fft's own tests with Seiche's libraries preloaded in place of the FFTW that it was built with.

mpi4py-fft is built from its source distribution on Debian's FFTW (libfftw3-dev) in an environment of its own, with
MPICH of the package index. Its programs run alone and as 2 and 4 ranks. Then an array of its own that is cut over the
ranks is transformed by seichefft.distributed beside it, where --package names the folder of that package.

Usage: mpi4py_fft_suite.py LIBRARY_FOLDER [--work FOLDER] [--device NAME] [--most-ranks N] [--limit SECONDS]
                           [--real] [--package FOLDER] [--programs NAME ...]

Nothing is forwarded to a real FFTW but what Seiche's libraries do not have, long double. --real preloads nothing, to
compare. The programs are those below, all by default. Exit status 77: mpi4py-fft cannot be had or built.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import time

SKIPPED = 77
VERSION = "2.0.6"
PACKAGES = ["cython", "mpi4py", "mpich==5.0.2", "nanobind-backend", "numpy", "scipy", "setuptools<80", "wheel"]
LIBRARIES = [f"libfftw3{suffix}{companion}.so.3" for suffix in ("", "f") for companion in ("", "_threads")]
# Programs of its tests, and as how many ranks they run. Not test_io, of files alone, nor spectral_dns_solver, which
# assigns to what is a tuple since NumPy 2.
PROGRAMS = {"test_fftw": [1], "test_libfft": [1], "test_darray": [1, 2, 4], "test_pencil": [2, 4],
            "test_mpifft": [2, 4]}
VERSION_TEXT = "(ctypes.c_char * 21).in_dll(ctypes.CDLL(None), 'fftw_version').value"
BESIDE = """
import numpy
from mpi4py import MPI
from mpi4py_fft import PFFT, newDistArray
from seichefft import distributed
comm, shape = MPI.COMM_WORLD, (12, 10, 8)
fft = PFFT(comm, shape, axes=(0, 1, 2), dtype=numpy.complex128)
there, back = newDistArray(fft, False), newDistArray(fft, True)
whole = numpy.random.default_rng(59).standard_normal((2, *shape))
there[:] = (whole[0] + 1j * whole[1])[there.local_slice()]
def box(array):
    slices = array.local_slice()
    return distributed.Box([part.start for part in slices], [part.stop for part in slices])
ranks = distributed.mpi_ranks(comm)
def boxes(array):
    own = box(array)
    return [distributed.Box(*ends) for ends in comm.allgather((list(own.lower), list(own.upper)))]
plan = distributed.DistributedPlan(shape, "complex128", boxes=(boxes(there), boxes(back)), ranks=ranks, device="cpu")
ours = plan.forward(numpy.array(there))
theirs = numpy.array(fft.forward(there, normalize=False))
assert numpy.allclose(ours, theirs, rtol=0, atol=1e-11), abs(ours - theirs).max()
print("beside it: right", there.local_slice(), back.local_slice())
"""


def skip(why):
    print(f"mpi4py_fft_suite: skipped: {why}")
    sys.exit(SKIPPED)


def must(command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        skip(f"{' '.join(map(str, command[:4]))}: {(done.stderr.strip().splitlines() or ['failed'])[-1]}")


def environment_of(work):
    """The Python of an environment with mpi4py-fft, and the folder of its sources, which it is built in."""
    python, source = work / "venv" / "bin" / "python", work / "source"
    if not python.exists():
        must([sys.executable, "-m", "venv", work / "venv"])
    done = work / "built"
    if not done.exists():
        must([python, "-m", "pip", "install", "-q", *PACKAGES])
        must([python, "-m", "pip", "download", "-q", "--no-deps", "--no-build-isolation", "--no-binary", "mpi4py-fft",
              f"mpi4py-fft=={VERSION}"], cwd=work)
        source.mkdir(exist_ok=True)
        must(["tar", "xf", next(work.glob("mpi4py?fft-*.tar.gz")), "-C", source, "--strip-components=1"])
        must([python, "setup.py", "build_ext", "--inplace"], cwd=source)
        done.touch()
    return python, source


def run(name, ranks, command, arguments, environment, folder):
    """Whether it succeeds within the limit."""
    start = time.monotonic()
    if ranks > 1:
        command = [str(arguments.python.parent / "mpiexec.hydra"), "-n", str(ranks), *command]
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True,
                              timeout=arguments.limit)
        why = "right" if done.returncode == 0 else f"status {done.returncode}"
        output = done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        why, output = f"not done within {arguments.limit} s", ""
    print(f"mpi4py_fft_suite: {name}, {ranks} ranks: {why}, {time.monotonic() - start:.0f} s", flush=True)
    if why != "right":
        print("\n".join(output.splitlines()[-30:]), flush=True)
    return why == "right"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("build/mpi4py-fft-suite"))
    parser.add_argument("--device")
    parser.add_argument("--most-ranks", type=int, default=4)
    parser.add_argument("--limit", type=int, default=1200)
    parser.add_argument("--real", action="store_true")
    parser.add_argument("--package", type=pathlib.Path)
    parser.add_argument("--programs", nargs="+", default=list(PROGRAMS), choices=PROGRAMS, metavar="NAME")
    arguments = parser.parse_args()
    work = arguments.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    arguments.python, source = environment_of(work)
    environment = dict(os.environ, PYTHONPATH=str(source))
    if not arguments.real:
        environment["SEICHE_FFTW_REAL"] = "none"
        environment["LD_PRELOAD"] = ":".join(str(arguments.library.resolve() / name) for name in LIBRARIES)
    if arguments.device:
        environment["SEICHE_DEVICE"] = arguments.device
    python = [str(arguments.python), "-W", "ignore"]
    # Which FFTW computes. The extension has to find it in the process.
    probe = f"import ctypes; import mpi4py_fft.fftw; assert (b'seiche' in {VERSION_TEXT}) == {not arguments.real}"
    if not arguments.real:
        subprocess.run([*python, "-c", probe], env=environment, check=True)
    results = [run(name, ranks, [*python, f"{name}.py"], arguments, environment, source / "tests")
               for name in arguments.programs for ranks in PROGRAMS[name] if ranks <= arguments.most_ranks]
    if arguments.package:
        beside = dict(environment, PYTHONPATH=f"{source}:{arguments.package.resolve()}")
        results += [run("seichefft.distributed beside it", ranks, [*python, "-c", BESIDE], arguments, beside, source)
                    for ranks in (2, 4) if ranks <= arguments.most_ranks]
    print(f"mpi4py_fft_suite: {len(results)} runs, {results.count(False)} failures")
    return 1 if False in results else 0


if __name__ == "__main__":
    sys.exit(main())
