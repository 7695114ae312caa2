"""Runs the tests of the package, and of the libraries whose place it takes.

    python run_suites.py [--quick]

All of it: the tests in this folder, scipy.fft's with seichefft as the backend, those of numpy.fft and scipy.signal
with their functions replaced, a few of pyvkfft's (run_pyvkfft.py runs all of them, for hours), and the notebooks.
Quick: a sample of the first four, in a minute or two. The exit status is 0 if all passed and no call fell back.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).parent
#: Of each suite: its name, the arguments of pytest, and those that choose the sample.
SUITES = (
    (
        "seichefft",
        [str(FOLDER)],
        # Where nothing was compiled before, an OpenCL driver for the processor takes a second or more for each plan.
        [
            "-k",
            "(not sums or 64 or 37) and (not test_pyvkfft or refused or real_out)"
            " and (not test_pyopencl or refused or views or queues or plans)",
        ],
    ),
    (
        "scipy.fft with the backend",
        ["-p", "scipy_backend_plugin", "--pyargs", "scipy.fft.tests"],
        ["-k", "test_backend or test_fftlog or test_multithreading or Test1D or (dct and float64) or complex64"],
    ),
    ("numpy.fft with seichefft's functions", ["-p", "numpy_fft_plugin", "--pyargs", "numpy.fft.tests"], []),
    (
        "scipy.signal with seichefft's functions",
        ["-p", "scipy_signal_plugin", "--pyargs"]
        + [f"scipy.signal.tests.test_{name}" for name in ("signaltools", "spectral", "short_time_fft", "czt")]
        + ["-k", "not Lomb"],  # those reach no Fourier transform and take gigabytes
        ["-k", "czt or short_time_fft"],
    ),
)


#: What has a script of its own.
SCRIPTS = (
    ("pyvkfft's tests, a few cases, with seichefft.compat.pyvkfft", "run_pyvkfft.py", "--quick"),
    ("the notebooks", "run_notebooks.py"),
)


def run(name: str, arguments: list[str]) -> bool:
    print(f"\n== {name}", flush=True)
    path = os.pathsep.join([str(FOLDER), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore", *arguments]
    result = subprocess.run(command, env={**os.environ, "PYTHONPATH": path})
    return result.returncode == 0


def run_script(name: str, script: str, *arguments: str) -> bool:
    print(f"\n== {name}", flush=True)
    return subprocess.run([sys.executable, str(FOLDER / script), *arguments]).returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a sample")
    quick = parser.parse_args().quick
    failed = [name for name, all_of_it, sample in SUITES if not run(name, all_of_it + (sample if quick else []))]
    for name, script, *options in [] if quick else SCRIPTS:
        if not run_script(name, script, *options):
            failed.append(name)
    for name in failed:
        print(f"failed: {name}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
