"""Installs a wheel of seichefft into an empty environment without compilers, and uses it.

    python check_wheel.py WHEEL [PYTHON ...]

Each PYTHON, by default the one that runs this, gets an environment of its own; pip fetches what the wheel depends on.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

MOST_BYTES = 12 * 10**6
USE = """
import numpy as np, seichefft
x = np.arange(12.0).reshape(3, 4)
assert np.allclose(seichefft.fft.fft2(x), np.fft.fft2(x))
assert np.allclose(seichefft.fft.idct(seichefft.fft.dct(x, 3), 3), x)
assert seichefft.fft.rfft(x.astype(np.float32)).dtype == np.complex64
plan = seichefft.Plan((3, 4), "float64", kind="r2c", axes=(1,))
assert np.allclose(plan(x), np.fft.rfft(x))
kernel = np.array([1.0, -1.0])
assert np.allclose(seichefft.ConvolutionPlan(12, 2)(x.ravel(), kernel), np.convolve(x.ravel(), kernel))
print(seichefft.__version__, seichefft.config.device(), sep=" on ")
"""
USE_SEVERAL = """
import numpy as np, seichefft.distributed as several
x = np.arange(24.0).reshape(6, 4) + 0j

def transform(ranks, device):
    boxes = several.slab(x.shape, 0, 2), several.slab(x.shape, 1, 2)
    plan = several.DistributedPlan(x.shape, boxes=boxes, ranks=ranks, device=device)
    return np.allclose(plan.forward(x[plan.input_box.slices].copy()), np.fft.fft2(x)[plan.output_box.slices])

assert several.run_threads(transform, ["cpu", "cpu"]) == [True, True]
print("over two ranks")
"""
# A program that finds cuFFT by its soname: Seiche's stands in for it, with the processor in place of a card.
USE_AS_CUFFT = """
import ctypes
fft = ctypes.CDLL("libcufft.so.12")
plan, data = ctypes.c_int(), (ctypes.c_double * 16)()
address = (ctypes.addressof(data) + 15) // 16 * 16
impulse = (ctypes.c_double * 8).from_address(address)
impulse[0] = 1
assert fft.cufftPlan1d(ctypes.byref(plan), 4, 0x69, 1) == 0
assert fft.cufftExecZ2Z(plan, ctypes.c_void_p(address), ctypes.c_void_p(address), -1) == 0
assert list(impulse) == [1, 0] * 4, list(impulse)
print("in place of cuFFT")
"""


def check_contents(wheel: pathlib.Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert wheel.stat().st_size <= MOST_BYTES, f"{wheel.stat().st_size} bytes: expected at most {MOST_BYTES}"
    assert "abi3-manylinux" in wheel.name or sys.platform != "linux", f"{wheel.name}: expected a manylinux tag"
    for end in ("seichefft/_native.pyi", "seichefft/py.typed", "LICENSE"):
        assert any(name.endswith(end) for name in names), f"no {end} in {wheel.name}"


def check_use(wheel: pathlib.Path, python: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([python, "-m", "venv", f"{folder}/environment"], check=True)
        programs = pathlib.Path(folder) / "environment" / ("Scripts" if os.name == "nt" else "bin")
        own = str(programs / "python")
        subprocess.run([own, "-m", "pip", "install", "-q", "--disable-pip-version-check", str(wheel)], check=True)
        # Neither compilers nor the libraries of a build are to be found.
        kept = ("HOME", "LANG", "TMPDIR", "SYSTEMROOT")
        environment = {"PATH": str(programs), **{name: os.environ[name] for name in kept if name in os.environ}}
        options = {"env": environment, "cwd": folder, "check": True}
        subprocess.run([own, "-c", USE], **options)
        if sys.platform == "linux":
            subprocess.run([own, "-c", USE_SEVERAL], **options)
            on_host = {**options, "env": {**environment, "SEICHE_CUFFT_DEVICE": "reference"}}
            subprocess.run([own, "-m", "seichefft.cufft", "-c", USE_AS_CUFFT], **on_host)
        tool = subprocess.run([str(programs / "seiche"), "devices"], capture_output=True, text=True, **options)
        assert "reference" in tool.stdout


def main() -> None:
    wheel = pathlib.Path(sys.argv[1]).resolve()
    check_contents(wheel)
    for python in sys.argv[2:] or [sys.executable]:
        check_use(wheel, python)
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, installed and used")


if __name__ == "__main__":
    main()
