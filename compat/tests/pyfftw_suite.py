#!/usr/bin/env python3
"""pyFFTW's own test suite with Seiche's libraries preloaded in place of the FFTW in its wheel.

pyFFTW comes from the package index into an environment of its own, its tests from its source distribution.

Usage: pyfftw_suite.py LIBRARY_FOLDER [--work FOLDER] [--whole] [--device NAME] [--jobs N] [-- TESTS AND OPTIONS OF PYTEST]

Nothing is forwarded to a real FFTW. Exit status 77: pyFFTW cannot be had.
"""

import argparse
import os
import pathlib
import subprocess
import sys

SKIPPED = 77
VERSION = "0.15.1"
PACKAGES = [f"pyfftw=={VERSION}", "pytest", "pytest-xdist", "scipy", "numpy"]
LIBRARIES = [f"libfftw3{suffix}{companion}.so.3" for suffix in ("", "f") for companion in ("", "_threads", "_omp")]
SAMPLE = ["tests/test_pyfftw_wisdom.py", "tests/test_pyfftw_call.py", "tests/test_pyfftw_partial.py",
          "tests/test_pyfftw_class_misc.py", "tests/test_pyfftw_config.py", "tests/test_pyfftw_multithreaded.py"]


def skip(why):
    print(f"pyfftw_suite: skipped: {why}")
    sys.exit(SKIPPED)


def must(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        skip(f"{' '.join(map(str, command[:4]))}: {(done.stderr.strip().splitlines() or ['failed'])[-1]}")


def environment_of(work):
    """The Python of an environment with pyFFTW, and the folder with its tests."""
    python = work / "venv" / "bin" / "python"
    if not python.exists():
        must([sys.executable, "-m", "venv", str(work / "venv")])
    done = work / "installed"
    if not done.exists():
        must([python, "-m", "pip", "install", "-q", *PACKAGES])
        done.touch()
    tests = work / "source" / "tests"
    if not tests.is_dir():
        must([python, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", "pyfftw", f"pyfftw=={VERSION}"],
             cwd=work)
        (work / "source").mkdir(exist_ok=True)
        must(["tar", "xf", next(work.glob("pyfftw-*.tar.gz")), "-C", work / "source", "--strip-components=1",
              "--wildcards", "*/tests"])
    return python, work / "source"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("build/pyfftw-suite"))
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--device")
    parser.add_argument("--jobs", type=int, default=0)
    own, rest = sys.argv[1:], []
    if "--" in own:
        own, rest = own[:own.index("--")], own[own.index("--") + 1:]
    arguments = parser.parse_args(own)
    work = arguments.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    python, folder = environment_of(work)
    preload = ":".join(str(arguments.library.resolve() / name) for name in LIBRARIES)
    environment = dict(os.environ, SEICHE_FFTW_REAL="none", LD_PRELOAD=preload)
    if arguments.device:
        environment["SEICHE_DEVICE"] = arguments.device
    # That it is Seiche which computes, and not the FFTW of the wheel.
    probe = "import ctypes; assert b'seiche' in (ctypes.c_char * 21).in_dll(ctypes.CDLL(None), 'fftw_version').value"
    subprocess.run([python, "-c", probe], env=environment, check=True)
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore"]
    command += ["-n", str(arguments.jobs)] if arguments.jobs else []
    command += rest or (["tests"] if arguments.whole else SAMPLE)
    return subprocess.run(command, cwd=folder, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
