"""`python -m seichefft.cufft`: who asks for cuFFT by its soname gets Seiche's, with the interpreter as a card."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from seichefft import cufft

PROGRAM = """
import ctypes, sys
fft = ctypes.CDLL("libcufft.so." + sys.argv[1])
plan, room = ctypes.c_int(), (ctypes.c_double * 16)()
address = (ctypes.addressof(room) + 15) // 16 * 16
data = (ctypes.c_double * 8).from_address(address)
data[0] = 1
assert fft.cufftPlan1d(ctypes.byref(plan), 4, 0x69, 1) == 0
assert fft.cufftExecZ2Z(plan, ctypes.c_void_p(address), ctypes.c_void_p(address), -1) == 0
print(list(data), sys.argv[2:])
"""

try:
    cufft.libraries()
except FileNotFoundError:
    pytest.skip("this build has no libraries in place of cuFFT", allow_module_level=True)


@pytest.mark.parametrize("version", ["11", "12"])
def test_a_program_gets_the_version_that_it_asks_for(version: str) -> None:
    command = [sys.executable, "-m", "seichefft.cufft", "--report", "-c", PROGRAM, version, "--report", "a b"]
    environment = {**os.environ, "SEICHE_CUFFT_DEVICE": "reference"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "[1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0] ['--report', 'a b']\n"
    assert done.stderr == f"seiche libcufft.so.{version}: 1 plan, 1 execution, 0 calls refused\n"


def test_the_environment_keeps_what_was_preloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_PRELOAD", "/other.so")
    variables = cufft.environment(log=True)
    assert variables["LD_PRELOAD"].split(":")[2:] == ["/other.so"]
    assert variables["SEICHE_CUFFT_LOG"] == "1" and "SEICHE_CUFFT_REPORT" not in variables


def test_without_a_program_it_says_how(monkeypatch: pytest.MonkeyPatch) -> None:
    done = subprocess.run([sys.executable, "-m", "seichefft.cufft"], capture_output=True, text=True)
    assert done.returncode == 1 and "PROGRAM ARGUMENTS" in done.stderr
