"""`python -m seichefft.bench processor`: what people do with transforms, on the processor, beside SciPy.

Both have as many threads, the same arrays, and are called by turns in one process. Each result is compared with
SciPy's of the same numbers in double precision, before and after the timing; a wrong one gets no figure. A sample is a
loop of calls, 2 ms or more; every call makes its result anew, as SciPy's do. Beside the time that passes there is the
processors' own time of all threads, which counts where other programs keep them busy. Where SciPy has several ways, all
are timed, and the best is what Seiche's time is compared with.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import io
import math
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

__all__ = ["run"]

#: Kind, shapes and types.
CASES: list[tuple[str, tuple[tuple[int, ...], ...], tuple[str, ...]]] = [
    ("stft-power", ((16, 160000, 1024, 256), (16, 160000, 400, 160), (16, 160000, 512, 128)), ("f32", "f64")),
    ("stft-power", ((1, 16000, 400, 160), (1, 1000000, 2048, 512)), ("f32", "f64")),
    ("stft", ((16, 160000, 1024, 256), (16, 160000, 400, 160)), ("f32", "f64")),
    ("istft", ((16, 160000, 1024, 256), (16, 160000, 400, 160), (16, 160000, 512, 128)), ("f32", "f64")),
    ("spectrogram", ((16, 160000, 1024, 256), (16, 160000, 400, 160)), ("f64",)),
    ("gaussian", ((64, 256, 256), (1, 512, 512), (1, 1000, 700), (1, 2048, 2048)), ("f32", "f64")),
    ("transfer-function", ((64, 256, 256), (1, 512, 512), (1, 1000, 700), (1, 2048, 2048)), ("f32", "f64")),
    ("image-convolution", ((1024, 1024, 63, 63), (2048, 2048, 31, 31), (512, 512, 15, 15)), ("f32", "f64")),
    ("image-convolution", ((128, 128, 15, 15), (64, 64, 9, 9), (1000, 700, 21, 21)), ("f32", "f64")),
    ("long-convolution", ((1 << 20, 4095), (100000, 100000), (1 << 20, 127), (4096, 255)), ("f32", "f64")),
    ("hilbert", ((64, 16384), (1, 1 << 20), (1, 100000)), ("f32", "f64")),
    ("poisson", ((128, 128, 128), (64, 64, 64)), ("f32", "f64")),
    ("resample", ((64, 16000, 44100), (64, 44100, 16000), (1, 1000000, 500000)), ("f32", "f64")),
    ("shift", ((64, 16384), (1, 512, 512)), ("f32", "f64")),
]
#: The same in sizes of a test.
SMALL: list[tuple[str, tuple[tuple[int, ...], ...], tuple[str, ...]]] = [
    ("stft-power", ((2, 4000, 64, 16),), ("f32", "f64")),
    ("stft", ((2, 4000, 60, 16),), ("f32",)),
    ("istft", ((2, 4000, 64, 16),), ("f64",)),
    ("spectrogram", ((2, 4000, 64, 16),), ("f64",)),
    ("gaussian", ((2, 30, 24),), ("f32",)),
    ("transfer-function", ((2, 30, 24),), ("f32",)),
    ("image-convolution", ((40, 30, 5, 5),), ("f32",)),
    ("long-convolution", ((1000, 99),), ("f64",)),
    ("hilbert", ((2, 500),), ("f64",)),
    ("poisson", ((12, 12, 12),), ("f64",)),
    ("resample", ((2, 300, 200),), ("f64",)),
    ("shift", ((2, 120),), ("f64",)),
]
#: Relative L2 error that a result may have.
BOUNDS = {"f32": 2e-6, "f64": 1e-13}
COLUMNS = "workflow library median_ms least_ms lower_quartile_ms upper_quartile_ms processor_ms error".split()


class Workflow(NamedTuple):
    """Calls by their names, `seichefft` first, and arrays that they take, made of double precision."""

    arrays: list[Any]
    calls: Callable[[list[Any]], dict[str, Callable[[], Any]]]


def _random(shape: Sequence[int], seed: int) -> Any:
    return np.random.default_rng(seed).standard_normal(tuple(shape))


def _hann(n: int) -> Any:
    return 0.5 - 0.5 * np.cos(2 * math.pi * np.arange(n) / n)


def _short_time(kind: str, shape: Sequence[int]) -> Workflow:
    batch, samples, n, hop = shape
    frames = samples // hop + 1
    signals = _random((batch, samples), 1)

    def calls(arrays: list[Any]) -> dict[str, Callable[[], Any]]:
        import scipy.signal

        from seichefft import signal, spectral

        x, window = arrays
        theirs = scipy.signal.ShortTimeFFT(window, hop, 1.0, phase_shift=None)
        old = {"nperseg": n, "noverlap": n - hop}
        dtype = np.result_type(x, np.complex64)
        if kind == "istft":
            # ShortTimeFFT wants every frame that touches a sample, of which some begin before and behind.
            spectra, every = (
                theirs.stft(x, p0=0, p1=frames).astype(dtype),
                theirs.stft(x).astype(dtype),
            )
            scaled = spectra / window.sum()
            return {
                "seichefft": lambda: spectral.istft(spectra, window, hop, samples),
                "ShortTimeFFT": lambda: theirs.istft(every, k1=samples),
                "scipy.signal.istft": lambda: scipy.signal.istft(scaled, window=window, **old)[1],
            }
        if kind == "spectrogram":
            ours = signal.ShortTimeFFT(window, hop, 1.0, phase_shift=None)
            return {
                "seichefft": lambda: ours.spectrogram(x),
                "ShortTimeFFT": lambda: theirs.spectrogram(x),
            }
        if kind == "stft":
            return {
                "seichefft": lambda: spectral.stft(x, window, hop),
                "ShortTimeFFT": lambda: theirs.stft(x, p0=0, p1=frames),
                "scipy.signal.stft": lambda: scipy.signal.stft(x, window=window, padded=False, **old)[2],
            }
        return {
            "seichefft": lambda: spectral.stft(x, window, hop, value="power"),
            "ShortTimeFFT": lambda: theirs.spectrogram(x, p0=0, p1=frames),
            "scipy.signal.stft": lambda: abs(scipy.signal.stft(x, window=window, padded=False, **old)[2]) ** 2,
        }

    return Workflow([signals, _hann(n)], calls)


def _filter(kind: str, shape: Sequence[int]) -> Workflow:
    sigma = 2.5
    waves = np.fft.fftfreq(shape[1])[:, None] ** 2 + np.fft.rfftfreq(shape[2]) ** 2
    is_gaussian = kind == "gaussian"
    response = np.exp(-2 * (math.pi * sigma) ** 2 * waves) if is_gaussian else _random(waves.shape, 2)

    def calls(arrays: list[Any]) -> dict[str, Callable[[], Any]]:
        import scipy.fft
        import scipy.ndimage

        from seichefft import spectral

        x, factors = arrays
        lengths = x.shape[-2:]

        def by_hand() -> Any:
            return scipy.fft.irfft2(scipy.fft.rfft2(x) * factors, lengths, overwrite_x=True)

        if not is_gaussian:
            return {"seichefft": lambda: spectral.transfer(x, factors, (-2, -1)), "rfft2, irfft2": by_hand}

        def of_ndimage() -> Any:
            spectrum = scipy.ndimage.fourier_gaussian(scipy.fft.rfft2(x), (0, sigma, sigma), n=lengths[-1])
            return scipy.fft.irfft2(spectrum, lengths, overwrite_x=True)

        return {
            "seichefft": lambda: spectral.gaussian_filter(x, sigma, (-2, -1)),
            "rfft2, irfft2": by_hand,  # by a factor that was made before
            "fourier_gaussian": of_ndimage,
        }

    return Workflow([_random(shape, 1), response], calls)


def _convolution(shape: Sequence[int]) -> Workflow:
    half = len(shape) // 2

    def calls(arrays: list[Any]) -> dict[str, Callable[[], Any]]:
        import scipy.signal

        from seichefft import signal

        x, kernel = arrays
        return {
            "seichefft": lambda: signal.fftconvolve(x, kernel, "same"),
            "fftconvolve": lambda: scipy.signal.fftconvolve(x, kernel, "same"),
            "oaconvolve": lambda: scipy.signal.oaconvolve(x, kernel, "same"),
        }

    return Workflow([_random(shape[:half], 1), _random(shape[half:], 2)], calls)


def _hilbert(shape: Sequence[int]) -> Workflow:
    def calls(arrays: list[Any]) -> dict[str, Callable[[], Any]]:
        import scipy.signal

        from seichefft import spectral

        return {
            "seichefft": lambda: spectral.hilbert(arrays[0]),
            "scipy.signal.hilbert": lambda: scipy.signal.hilbert(arrays[0]),
        }

    return Workflow([_random(shape, 1)], calls)


def _poisson(shape: Sequence[int]) -> Workflow:
    waves = [np.fft.fftfreq(n) * n for n in shape[:-1]] + [np.fft.rfftfreq(shape[-1]) * shape[-1]]
    square = sum(wave**2 for wave in np.meshgrid(*waves, indexing="ij", sparse=True))
    with np.errstate(divide="ignore"):
        symbol = np.where(square == 0, 0, 1 / square)

    def calls(arrays: list[Any]) -> dict[str, Callable[[], Any]]:
        import scipy.fft

        from seichefft import spectral

        f, factors = arrays
        return {
            "seichefft": lambda: spectral.poisson(f, lengths=2 * math.pi),
            "rfftn, irfftn": lambda: scipy.fft.irfftn(scipy.fft.rfftn(f) * factors, f.shape, overwrite_x=True),
        }

    return Workflow([_random(shape, 1), symbol], calls)


def _resample(shape: Sequence[int]) -> Workflow:
    def calls(arrays: list[Any]) -> dict[str, Callable[[], Any]]:
        import scipy.signal

        from seichefft import signal

        return {
            "seichefft": lambda: signal.resample(arrays[0], shape[2], axis=-1),
            "scipy.signal.resample": lambda: scipy.signal.resample(arrays[0], shape[2], axis=-1),
        }

    return Workflow([_random(shape[:2], 1)], calls)


def _shift(shape: Sequence[int]) -> Workflow:
    axes = tuple(range(1, len(shape)))
    shifts = [0.25 + axis for axis in axes]
    turns: Any = 0.0
    for axis, shift in zip(axes, shifts):
        n = shape[axis]
        wave = (np.fft.rfftfreq if axis == axes[-1] else np.fft.fftfreq)(n)
        factor = np.exp(-2j * math.pi * shift * wave)
        if n % 2 == 0:
            factor[n // 2] = math.cos(math.pi * shift)
        turns = factor if axis == 1 else turns[:, None] * factor

    def calls(arrays: list[Any]) -> dict[str, Callable[[], Any]]:
        import scipy.fft

        from seichefft import spectral

        x, factors = arrays
        lengths = [x.shape[axis] for axis in axes]

        def by_hand() -> Any:
            return scipy.fft.irfftn(scipy.fft.rfftn(x, axes=axes) * factors, lengths, axes=axes, overwrite_x=True)

        return {"seichefft": lambda: spectral.fourier_shift(x, shifts, axes), "rfftn, irfftn": by_hand}

    return Workflow([_random(shape, 1), turns], calls)


def workflow_of(kind: str, shape: Sequence[int]) -> Workflow:
    if kind in ("stft", "stft-power", "istft", "spectrogram"):
        return _short_time(kind, shape)
    if kind in ("gaussian", "transfer-function"):
        return _filter(kind, shape)
    if kind in ("image-convolution", "long-convolution"):
        return _convolution(shape)
    return {"hilbert": _hilbert, "poisson": _poisson, "resample": _resample, "shift": _shift}[kind](shape)


def _narrowed(arrays: list[Any], precision: str) -> list[Any]:
    if precision == "f64":
        return [np.ascontiguousarray(one) for one in arrays]
    return [one.astype(np.complex64 if one.dtype.kind == "c" else np.float32) for one in arrays]


def _error(result: Any, expected: Any) -> float:
    """Relative, of the norms. A result is compared up to a factor where SciPy's older functions scale by the window's
    sum, and as far as both reach."""
    if result.shape != expected.shape:
        result = result[..., : expected.shape[-1]]
    a, b = result.ravel().astype(np.result_type(result, np.float64)), expected.ravel()
    return float(np.linalg.norm(a - b) / np.linalg.norm(b))


def _checked(kind: str, name: str, result: Any, expected: Any, window: Any) -> float:
    if name == "scipy.signal.stft":
        result = result * (window.sum() ** 2 if kind == "stft-power" else window.sum())
    return _error(result, expected)


def _count(call: Callable[[], Any]) -> int:
    """Calls of a sample."""
    start = time.perf_counter()
    call()
    return max(1, min(1000, math.ceil(2e-3 / (time.perf_counter() - start))))


def _milliseconds(call: Callable[[], Any], count: int) -> tuple[float, float]:
    """That pass, and of the processors."""
    call()
    start, own = time.perf_counter(), time.process_time()
    for _ in range(count):
        call()
    return (time.perf_counter() - start) * 1e3 / count, (time.process_time() - own) * 1e3 / count


def measured(kind: str, shape: Sequence[int], precision: str, repeat: int) -> list[dict[str, Any]]:
    """A row for each library. What is wrong is left out, with a line."""
    workflow = workflow_of(kind, shape)
    arrays = _narrowed(workflow.arrays, precision)
    doubles = [one.astype(np.complex128 if one.dtype.kind == "c" else np.float64) for one in arrays]
    title = f"{kind} {'x'.join(map(str, shape))} {precision}"
    expected = list(workflow.calls(doubles).items())[1][1]()
    calls = workflow.calls(arrays)

    def checked() -> dict[str, float]:
        errors = {}
        for name, call in list(calls.items()):
            error = _checked(kind, name, call(), expected, doubles[-1])
            if error <= BOUNDS[precision]:
                errors[name] = error
            else:
                print(f"{title}: {name}: wrong, off by {error:.3g}", file=sys.stderr)
                del calls[name]
        return errors

    errors = checked()
    counts = {name: _count(call) for name, call in calls.items()}
    samples: dict[str, list[tuple[float, float]]] = {name: [] for name in calls}
    for _ in range(repeat):
        for name, call in calls.items():
            samples[name].append(_milliseconds(call, counts[name]))
            time.sleep(1e-3)  # in which idle threads fall asleep
    again = checked()
    rows = []
    for name in again:
        passed, own = zip(*samples[name])
        quarters = statistics.quantiles(passed, n=4) if repeat > 1 else passed * 3
        times = (quarters[1], min(passed), quarters[0], quarters[2], statistics.median(own))
        rows.append(dict(zip(COLUMNS, [title, name, *(round(one, 5) for one in times), f"{errors[name]:.3g}"])))
    return rows


def _facts(device: Any, threads: int, words: Sequence[str], commit: str) -> dict[str, str]:
    import scipy

    import seichefft

    processor = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            processor = next(line for line in file if line.startswith("model name")).partition(":")[2].strip()
    except (OSError, StopIteration):
        pass
    libraries = f"Seiche {seichefft.__version__} on {device.name}, SciPy {scipy.__version__}, NumPy {np.__version__}"
    return {
        "machine": f"{processor}, {os.cpu_count()} processors, {threads} threads; {platform.system()}, Python "
        f"{platform.python_version()}; {libraries}",
        "date": datetime.date.today().isoformat(),
        "commit": commit or "not recorded",
        "command": " ".join(["python -m seichefft.bench processor", *words]),
    }


def _write(path: str, facts: dict[str, str], rows: list[dict[str, Any]]) -> None:
    text = io.StringIO()
    for name, value in facts.items():
        text.write(f"# {name}: {value}\n")
    table = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.getvalue())


def _summary(ratios: dict[str, tuple[float, ...]]) -> None:
    for place, word in enumerate(("medians", "least", "processors' time")):
        values = [one[place] for one in ratios.values()]
        below = [f"{name} {one[place]:.2f}" for name, one in ratios.items() if one[place] < 1]
        print(
            f"SciPy's best time over Seiche's, {word}: {math.exp(statistics.fmean(map(math.log, values))):.2f} in the "
            f"geometric mean of {len(values)}, {min(values):.2f} in the worst"
            + (": " + "; ".join(below) if below else "")
        )


def run(arguments: argparse.Namespace, words: Sequence[str]) -> None:
    """Times all cases, or those of some kinds."""
    try:
        import scipy.fft
    except ImportError:
        sys.exit("processor: expected SciPy to compare with, got a Python without it: pip install scipy")
    import seichefft

    device = seichefft.Device(arguments.device)
    seichefft.config.set_device(arguments.device)
    threads = arguments.threads or len(os.sched_getaffinity(0))
    seichefft.config.set_threads(threads)
    facts = _facts(device, threads, words, arguments.commit)
    for name, value in facts.items():
        print(f"{name}: {value}")
    rows: list[dict[str, Any]] = []
    ratios: dict[str, tuple[float, ...]] = {}
    with scipy.fft.set_workers(threads):
        for kind, shapes, precisions in SMALL if arguments.small else CASES:
            if arguments.only and kind not in arguments.only:
                continue
            for shape in shapes:
                for precision in precisions:
                    new = measured(kind, shape, precision, arguments.repeat)
                    rows += new
                    times = [f"{row['library']} {row['median_ms']:.4f} ({row['error']})" for row in new]
                    title = f"{kind} {'x'.join(map(str, shape))} {precision}"
                    if len(new) > 1 and new[0]["library"] == "seichefft":
                        of = [
                            min(row[name] for row in new[1:]) / new[0][name]
                            for name in ("median_ms", "least_ms", "processor_ms")
                        ]
                        ratios[title] = tuple(of)
                        times.append(f"ratio {of[0]:.2f}, of the least {of[1]:.2f}, processors' {of[2]:.2f}")
                    print(f"{title}: {', '.join(times)}", flush=True)
                    if arguments.csv:
                        _write(arguments.csv, facts, rows)
    if ratios:
        _summary(ratios)
