"""`python -m seichefft.bench workflows`: what people do with transforms, beside PyTorch and CuPy, as each writes it.
`python -m seichefft.bench layers`: modules of PyTorch, forward and backward, with their memory.

PyTorch, eager and compiled, and CuPy are timed where they are installed and see a card; else NumPy on the processor.
All run on the same numbers; a result is compared with that of the first library in double precision. Times are medians
on the device, by turns.
"""

from __future__ import annotations

import argparse
import csv
import functools
import importlib
import importlib.util
import math
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["main"]

#: Kind, and the sizes of a card's work and of a processor's.
WORKFLOWS: list[tuple[str, tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]] = [
    (
        "long-convolution",
        ((64, 768, 1024), (8, 768, 8192), (2, 768, 32768), (1, 256, 1 << 17), (1, 64, 1 << 20)),
        ((2, 8, 1024),),
    ),
    ("poisson", ((256, 256, 256), (512, 512, 512)), ((32, 32, 32),)),
    ("influence", ((96, 96, 96),), ((24, 24, 24),)),
    ("phase-correlation", ((128, 512, 512),), ((4, 64, 64),)),
    ("stft-power", ((64, 480000, 1024, 256),), ((2, 8000, 256, 64),)),
    ("istft", ((64, 480000, 1024, 256),), ((2, 8000, 256, 64),)),
    ("image-convolution", ((32, 1024, 1024, 63, 63), (32, 2048, 2048, 31, 31)), ((2, 128, 128, 15, 15),)),
    ("transfer-function", ((2048, 256, 256),), ((8, 64, 64),)),
    ("matched-filter", ((4096, 8192),), ((16, 1024),)),
]


class Library:
    """One that has arrays and `fft` as NumPy has them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.xp = importlib.import_module(name)
        self.fft = self.xp.fft
        self.is_torch = name == "torch"
        self.along = "dim" if self.is_torch else "axes"

    def random(self, shape: Sequence[int], seed: int, is_complex: bool = False) -> Any:
        import numpy

        generator = numpy.random.default_rng(seed)
        values = generator.standard_normal(tuple(shape), dtype=numpy.float32)
        if is_complex:
            values = values + 1j * generator.standard_normal(tuple(shape), dtype=numpy.float32)
        return self.brought(values)

    def brought(self, values: Any) -> Any:
        if self.is_torch:
            return self.xp.from_numpy(values).cuda()
        return self.xp.asarray(values)

    def doubled(self, values: Any) -> Any:
        wide = "complex128" if "complex" in str(values.dtype) else "float64"
        return values.to(getattr(self.xp, wide)) if self.is_torch else values.astype(wide)

    def milliseconds(self, call: Callable[[], Any]) -> float:
        if self.is_torch or self.name == "cupy":
            new: Any = self.xp.cuda.Event(enable_timing=True) if self.is_torch else None
            before, after = (new, self.xp.cuda.Event(enable_timing=True)) if self.is_torch else self._cupy_events()
            before.record()
            call()
            after.record()
            after.synchronize()
            return float(before.elapsed_time(after) if self.is_torch else self.xp.cuda.get_elapsed_time(before, after))
        start = time.perf_counter()
        call()
        return (time.perf_counter() - start) * 1e3

    def _cupy_events(self) -> tuple[Any, Any]:
        return self.xp.cuda.Event(), self.xp.cuda.Event()

    # n-dimensional transforms under one name
    def rfftn(self, x: Any, axes: Sequence[int], s: Any = None) -> Any:
        return self.fft.rfftn(x, s=s, **{self.along: tuple(axes)})

    def irfftn(self, x: Any, axes: Sequence[int], s: Any) -> Any:
        return self.fft.irfftn(x, s=s, **{self.along: tuple(axes)})


def available() -> list[Library]:
    """PyTorch and CuPy with a card, else NumPy; a line for each that is missing."""
    found = []
    for name in ("torch", "cupy"):
        if importlib.util.find_spec(name) is None:
            print(f"{name}: not installed, not timed", file=sys.stderr)
            continue
        try:
            library = Library(name)
            is_there = library.xp.cuda.is_available()
        except Exception as error:
            print(f"{name}: not timed: {error}", file=sys.stderr)
            continue
        if is_there:
            found.append(library)
        else:
            print(f"{name}: sees no card, not timed", file=sys.stderr)
    return found or [Library("numpy")]


def hann(n: int) -> Any:
    """A periodic window, as torch.hann_window."""
    import numpy

    return (0.5 - 0.5 * numpy.cos(2 * math.pi * numpy.arange(n) / n)).astype("float32")


def inputs_of(library: Library, kind: str, shape: Sequence[int]) -> list[Any]:
    if kind == "long-convolution":
        return [library.random(shape, 1), library.random(shape[1:], 2)]
    if kind == "phase-correlation":
        return [library.random(shape, 1), library.random(shape, 2)]
    if kind == "stft-power":
        return [library.random(shape[:2], 1), library.brought(hann(shape[2]))]
    if kind == "istft":
        batch, samples, n, hop = shape
        spectra = library.random((batch, n // 2 + 1, samples // hop + 1), 1, True)
        spectra[:, 0].imag[:] = 0  # as spectra of real numbers have it
        spectra[:, n // 2].imag[:] = 0
        return [spectra, library.brought(hann(n))]
    if kind == "image-convolution":
        return [library.random(shape[:3], 1), library.random(shape[3:], 2)]
    if kind == "matched-filter":
        return [library.random(shape, 1, True), library.random(shape[1:], 2, True)]
    if kind == "transfer-function":
        return [library.random(shape, 1), library.brought(_even_factors(shape[1:]))]
    if kind == "influence":
        return [library.random(shape, 1), library.brought(_even_factors(shape))]
    return [library.random(shape, 1), library.brought(_poisson_symbol(shape))]


def _even_factors(shape: Sequence[int]) -> Any:
    """Random factors of a one-sided spectrum that leave it one of real numbers.

    Without the evenness in columns 0 and n/2 the inverse is cuFFT's own matter, and differs from NumPy's.
    """
    import numpy

    factors = numpy.random.default_rng(2).standard_normal((*shape[:-1], shape[-1] // 2 + 1), dtype=numpy.float32)
    axes = tuple(range(len(shape) - 1))
    for column in (0, shape[-1] // 2) if shape[-1] % 2 == 0 else (0,):
        half = factors[..., column]
        mirrored = numpy.roll(numpy.flip(half, axes), 1, axes)
        factors[..., column] = (half + mirrored) / 2
    return factors


def _poisson_symbol(shape: Sequence[int]) -> Any:
    import numpy

    waves = [numpy.fft.fftfreq(n) * n for n in shape[:-1]] + [numpy.fft.rfftfreq(shape[-1]) * shape[-1]]
    square = sum(wave**2 for wave in numpy.meshgrid(*waves, indexing="ij", sparse=True))
    with numpy.errstate(divide="ignore"):
        return numpy.where(square == 0, 0, 1 / square).astype("float32")


def theirs(library: Library, kind: str, shape: Sequence[int]) -> Callable[..., Any]:
    """As somebody writes it with the library's own transforms."""
    fft = library.fft

    def long_convolution(x: Any, k: Any) -> Any:
        n = x.shape[-1]
        return fft.irfft(fft.rfft(x, n=2 * n) * fft.rfft(k, n=2 * n), n=2 * n)[..., :n]

    def grid(x: Any, g: Any) -> Any:
        return library.irfftn(library.rfftn(x, (-3, -2, -1)) * g, (-3, -2, -1), x.shape)

    def pictures(x: Any, g: Any) -> Any:
        return library.irfftn(library.rfftn(x, (-2, -1)) * g, (-2, -1), x.shape[-2:])

    def phase(a: Any, b: Any) -> Any:
        product = library.rfftn(a, (-2, -1)) * library.rfftn(b, (-2, -1)).conj()
        return library.irfftn(product / (abs(product) + 1e-12), (-2, -1), a.shape[-2:])

    def image(x: Any, k: Any) -> Any:
        (h, w), (p, q) = x.shape[-2:], k.shape
        s = (h + p - 1, w + q - 1)
        whole = library.irfftn(library.rfftn(x, (-2, -1), s) * library.rfftn(k, (-2, -1), s), (-2, -1), s)
        return whole[..., (p - 1) // 2 : (p - 1) // 2 + h, (q - 1) // 2 : (q - 1) // 2 + w]

    def matched(x: Any, h: Any) -> Any:
        return fft.ifft(fft.fft(x) * h)

    def stft(x: Any, window: Any) -> Any:
        n, hop = shape[2], shape[3]
        if library.is_torch:
            spectrum = library.xp.stft(x, n, hop, window=window, return_complex=True)
            return spectrum.abs().square()
        padded = library.xp.pad(x, ((0, 0), (n // 2, n // 2)), mode="reflect")
        frames = library.xp.lib.stride_tricks.sliding_window_view(padded, n, axis=-1)[:, ::hop]
        return (abs(fft.rfft(frames * window)) ** 2).swapaxes(-1, -2)

    def istft(spectra: Any, window: Any) -> Any:
        _, samples, n, hop = shape
        if library.is_torch:
            return library.xp.istft(spectra, n, hop, window=window, length=samples)
        frames = fft.irfft(spectra.swapaxes(-1, -2), n=n) * window
        count, parts = frames.shape[-2], n // hop  # a frame is so many hops long
        total = library.xp.zeros((frames.shape[0], (count + parts - 1) * hop), frames.dtype)
        weight = library.xp.zeros(total.shape[-1], frames.dtype)
        for part in range(parts):
            columns = slice(part * hop, (part + count) * hop)
            total[:, columns] += frames[..., part * hop : (part + 1) * hop].reshape(frames.shape[0], -1)
            weight[columns] += library.xp.tile(window[part * hop : (part + 1) * hop] ** 2, count)
        inside = slice(n // 2, n // 2 + samples)
        return total[:, inside] / weight[inside]

    return {
        "long-convolution": long_convolution,
        "poisson": grid,
        "influence": grid,
        "phase-correlation": phase,
        "stft-power": stft,
        "istft": istft,
        "image-convolution": image,
        "transfer-function": pictures,
        "matched-filter": matched,
    }[kind]


def ours(library: Library, kind: str, shape: Sequence[int]) -> Callable[..., Any]:
    """The same by this package. Plans are made here, as a program makes them once."""
    import seichefft
    from seichefft import spectral

    device: Any = "cuda:0" if library.name != "numpy" else None
    if kind == "long-convolution":
        batch, channels, n = shape
        how: dict[str, Any] = {"mode": "causal", "batch": batch, "device": device}
        if channels > 1:
            how |= {"inputs": channels, "outputs": channels, "channels": "diagonal"}
        return seichefft.ConvolutionPlan(n, n, "float32", **how)
    if kind == "phase-correlation":
        count, *picture = shape
        return seichefft.ConvolutionPlan(
            picture, picture, "float32", mode="circular", product="phase", inputs=count, outputs=count,
            channels="diagonal", device=device,
        )  # fmt: skip
    if kind == "image-convolution":
        return seichefft.ConvolutionPlan(shape[1:3], shape[3:], "float32", mode="same", batch=shape[0], device=device)
    if kind == "poisson":
        period = 2 * math.pi
        return lambda x, _: spectral.poisson(x, lengths=period)
    if kind == "influence":
        return spectral.transfer
    if kind == "transfer-function":
        return functools.partial(spectral.transfer, axes=(-2, -1))
    if kind == "matched-filter":
        return functools.partial(spectral.transfer, axes=-1)
    samples, n, hop = shape[1:]
    window = hann(n)  # on the host: its values are part of the plan
    if kind == "istft":
        return lambda spectra, _: spectral.istft(spectra, window, hop, samples)
    assert kind == "stft-power"
    return lambda x, _: spectral.stft(x, window, hop, padding="reflect", value="power")


def difference(library: Library, result: Any, expected: Any) -> float:
    """Relative, of the norms."""
    a, b = library.doubled(result), expected
    norm = library.xp.linalg.norm
    return float(norm((a - b).reshape(-1)) / norm(b.reshape(-1)))


def measured(library: Library, kind: str, shape: Sequence[int], repeat: int, compiles: bool) -> dict[str, Any]:
    """One row. A call that fails is left out, with its reason."""
    inputs = inputs_of(library, kind, shape)
    own = theirs(library, kind, shape)
    calls: dict[str, Callable[..., Any]] = {"seichefft": ours(library, kind, shape), library.name: own}
    if library.is_torch and compiles:
        calls["compiled"] = library.xp.compile(own)
    row: dict[str, Any] = {"workflow": f"{kind} {'x'.join(map(str, shape))}", "library": library.name}
    expected = own(*(library.doubled(one) for one in inputs))
    ready: dict[str, Callable[[], Any]] = {}
    for name, call in calls.items():
        try:
            row[f"{name}_difference"] = f"{difference(library, call(*inputs), expected):.3g}"
        except Exception as error:
            print(f"{row['workflow']}: {name}: {str(error).splitlines()[0]}", file=sys.stderr)
            continue
        ready[name] = functools.partial(call, *inputs)
    del expected
    samples: dict[str, list[float]] = {name: [] for name in ready}
    for _ in range(repeat + 2):
        for name, again in ready.items():
            samples[name].append(library.milliseconds(again))
    for name, values in samples.items():
        quarter = statistics.quantiles(values[2:], n=4) if repeat > 1 else [values[-1]] * 3
        row[f"{name}_ms"] = round(quarter[1], 5)
        row[f"{name}_quartiles_ms"] = f"{quarter[0]:.5f}-{quarter[2]:.5f}"
    return row


def workflows(arguments: argparse.Namespace) -> None:
    rows = []
    for library in available():
        is_host = library.name == "numpy"
        for kind, large, small in WORKFLOWS:
            if arguments.only and kind not in arguments.only:
                continue
            for shape in small if arguments.small or is_host else large:
                row = measured(library, kind, shape, arguments.repeat, arguments.compile)
                rows.append(row)
                times = [
                    f"{name} {row[f'{name}_ms']:.4f} ms (off by {row[f'{name}_difference']})"
                    for name in ("seichefft", library.name, "compiled")
                    if f"{name}_ms" in row
                ]
                print(f"{row['workflow']}: {', '.join(times)}", flush=True)
                if arguments.csv:
                    write(arguments.csv, rows)


def write(path: str, rows: list[dict[str, Any]]) -> None:
    names = list(dict.fromkeys(name for row in rows for name in row))
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, names)
        table.writeheader()
        table.writerows(rows)


def main(words: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m seichefft.bench", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument(
        "suite",
        choices=["workflows", "processor", "layers"],
        help="on a card, on the processor beside SciPy, or layers of PyTorch with their gradients",
    )
    parser.add_argument("--small", action="store_true", help="sizes of a processor's work on a card too")
    parser.add_argument("--only", nargs="*", metavar="KIND", help="these kinds alone")
    parser.add_argument("--repeat", type=int, default=11, help="samples of each (default: 11)")
    parser.add_argument("--no-compile", dest="compile", action="store_false", help="without torch.compile")
    parser.add_argument("--csv", help="also write the table to this file, after each row")
    parser.add_argument("--device", default="cpu", help="of `processor` (default: cpu)")
    parser.add_argument("--threads", type=int, default=0, help="of `processor`, for both (default: one a processor)")
    parser.add_argument("--commit", default="", help="of `processor`: what the table says of the tree")
    words = sys.argv[1:] if words is None else words
    arguments = parser.parse_args(words)
    if arguments.repeat < 1:
        parser.error(f"--repeat: expected a number above 0, got {arguments.repeat}")
    if arguments.threads < 0:
        parser.error(f"--threads: expected a number of 0 or more, got {arguments.threads}")
    if arguments.suite == "processor":
        from ._bench_processor import run

        run(arguments, words[1:])
        return
    if arguments.suite == "workflows":
        workflows(arguments)
        return
    from ._bench_layers import layers

    def keep(rows: list[dict[str, Any]]) -> None:
        if arguments.csv:
            write(arguments.csv, rows)

    layers(arguments.only, arguments.small, arguments.repeat, keep)


if __name__ == "__main__":
    main()
