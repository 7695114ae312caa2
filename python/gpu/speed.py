"""What a small cached call costs, and how long transforms take, beside the library that the arrays come from.

    python speed.py overhead|speed RECORD.json

Times are medians. Of a timed transform the output is filled with NaN before each run, and compared at the end.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import pathlib
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

CALLS = 1000
#: Kind, type, shape, transformed axes.
TRANSFORMS: list[tuple[str, str, tuple[int, ...], tuple[int, ...]]] = [
    ("fft", "complex64", (65536, 256), (1,)),
    ("fft", "complex64", (16384, 1000), (1,)),
    ("fft", "complex64", (16384, 4096), (1,)),
    ("fft", "complex64", (4096, 4096), (0,)),
    ("fft", "complex64", (1024, 10007), (1,)),
    ("fft", "complex64", (512, 65536), (1,)),
    ("fft", "complex64", (16, 1 << 20), (1,)),
    ("fft", "complex64", (1, 1 << 24), (1,)),
    ("fft", "complex128", (8192, 4096), (1,)),
    ("rfft", "float32", (16384, 4096), (1,)),
    ("irfft", "complex64", (16384, 2049), (1,)),
    ("fft", "complex32", (16384, 4096), (1,)),
    ("fftn", "complex64", (16, 1024, 1024), (1, 2)),
    ("fftn", "complex64", (256, 256, 256), (0, 1, 2)),
    ("rfftn", "float32", (256, 256, 256), (0, 1, 2)),
]
#: Signals, samples, length of a frame, from frame to frame.
FRAMES = [(16, 1 << 20, 1024, 256), (64, 1 << 17, 400, 160), (1, 1 << 24, 2048, 512), (16, 1 << 16, 512, 128)]


def microseconds(calls: dict[str, Callable[[], Any]], wait: Callable[[], Any]) -> dict[str, float]:
    """Of one call of many, enqueued one after the other. The libraries take turns, since a machine's pace varies."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for call in calls.values():
        for _ in range(500):
            call()
    for _ in range(15):
        for name, call in calls.items():
            wait()
            start = time.perf_counter()
            for _ in range(CALLS):
                call()
            times[name].append((time.perf_counter() - start) / CALLS * 1e6)
    return {name: round(statistics.median(values), 2) for name, values in times.items()}


def overhead() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    import seichefft

    def measure(library: str, name: str, theirs: Any, wait: Any, others: dict[str, Any], x: Any) -> None:
        calls = {"theirs_us": lambda: theirs(x)} | {key: lambda call=call: call(x) for key, call in others.items()}
        row: dict[str, Any] = {"library": library, "call": name, **microseconds(calls, wait)}
        rows.append(row)
        print(row, flush=True)

    if importlib.util.find_spec("torch"):
        import torch

        import seichefft.torch as st

        for shape in ((64,), (32, 256)):
            x = torch.randn(shape, dtype=torch.complex64, device="cuda")
            others = {"seichefft.torch_us": st.fft, "seichefft.fft_us": seichefft.fft.fft}
            measure("torch", f"fft {shape}", torch.fft.fft, torch.cuda.synchronize, others, x)
        real = torch.randn(64, 64, device="cuda")
        others = {"seichefft.torch_us": st.rfft2, "seichefft.fft_us": seichefft.fft.rfft2}
        measure("torch", "rfft2 (64, 64)", torch.fft.rfft2, torch.cuda.synchronize, others, real)
        x.requires_grad_()
        measure("torch", "fft, recorded", torch.fft.fft, torch.cuda.synchronize, {"seichefft.torch_us": st.fft}, x)
    if importlib.util.find_spec("cupy"):
        import cupy
        import cupyx.scipy.fft

        y = cupy.ones((64,), "F")
        wait = cupy.cuda.Device().synchronize
        measure("cupy", "fft (64,)", cupy.fft.fft, wait, {"seichefft.fft_us": seichefft.fft.fft}, y)
        measure("cupyx", "fft (64,)", cupyx.scipy.fft.fft, wait, {"seichefft.fft_us": seichefft.fft.fft}, y)
        z = cupy.ones((64, 64), "f")
        measure("cupy", "rfft2 (64, 64)", cupy.fft.rfft2, wait, {"seichefft.fft_us": seichefft.fft.rfft2}, z)
    return rows


def speed() -> list[dict[str, Any]]:
    import torch

    import seichefft.torch as st

    rows = []
    for kind, dtype, shape, axes in TRANSFORMS:
        x = torch.randn(shape, device="cuda", dtype=torch.complex64 if dtype == "complex32" else getattr(torch, dtype))
        x = x.to(getattr(torch, dtype))
        if kind == "irfft":  # of a spectrum that is one: cuFFT and SciPy take the rest in two ways
            x = torch.fft.rfft(torch.fft.irfft(x))
        options: dict[str, Any] = {"dim": axes if kind.endswith("n") else axes[0]}
        calls = {}
        for who, module in (("torch", torch.fft), ("seichefft", st)):
            calls[who] = functools.partial(getattr(module, kind), x, **options)
        rows.append({"transform": kind, "dtype": dtype, "shape": shape, "axes": axes, **_compared(calls, True)})
        print(rows[-1], flush=True)
    for batch, samples, n_fft, hop in FRAMES:
        x = torch.randn(batch, samples, device="cuda")
        how = {"window": torch.hann_window(n_fft, device="cuda"), "return_complex": True}
        calls = {
            who: functools.partial(module.stft, x, n_fft, hop, **how)
            for who, module in (("torch", torch), ("seichefft", st))
        }
        shape = (batch, samples, n_fft, hop)
        rows.append({"transform": "stft", "dtype": "float32", "shape": shape, "axes": None, **_compared(calls, False)})
        print(rows[-1], flush=True)
    return rows


def _compared(calls: dict[str, Callable[..., Any]], takes_out: bool) -> dict[str, Any]:
    """Times and results of both libraries."""
    import torch

    times: dict[str, list[float]] = {}
    results, outs = {}, {}
    for who, call in calls.items():
        try:
            outs[who], times[who] = torch.empty_like(call()), []
        except RuntimeError as error:
            print(who, error, flush=True)
    for index in range(35):  # the libraries take turns
        for who, out in outs.items():
            out.fill_(float("nan"))
            start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            start.record()
            results[who] = calls[who](out=out) if takes_out else calls[who]()
            end.record()
            end.synchronize()
            if index >= 5:
                times[who].append(start.elapsed_time(end))
    row: dict[str, Any] = {}
    for who, values in times.items():
        low, middle, high = statistics.quantiles(values, n=4)
        row |= {f"{who}_ms": round(middle, 4), f"{who}_quartiles_ms": [round(low, 4), round(high, 4)]}
    if len(results) == 2:
        one, other = (results[who].to(torch.complex128) for who in ("seichefft", "torch"))
        row["difference"] = float((one - other).norm() / other.norm())
        row["speedup"] = round(row["torch_ms"] / row["seichefft_ms"], 3)
    results.clear()
    outs.clear()
    torch.cuda.empty_cache()
    return row


if __name__ == "__main__":
    measured = overhead() if sys.argv[1] == "overhead" else speed()
    pathlib.Path(sys.argv[2]).write_text(json.dumps(measured, indent=1))
