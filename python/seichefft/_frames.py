"""Short-time spectra, mel spectrograms and polyphase filter banks of `seichefft.spectral`."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from . import _checks
from ._arrays import adapter_of
from ._cache import Entry
from ._devices import Device
from ._kept import kept, kept_entry
from ._operand import dense, numbers_of
from ._repeats import Repeat
from .plans import Plan
from .short_time import ShortTimePlan
from .signal._space import space_of, type_name

#: Mel filters of so many numbers in all are kept for the next call.
_MOST_KEPT = 1 << 18


def _window(window: Any) -> Any:
    values = np.asarray(window)
    if values.ndim != 1 or values.dtype.kind not in "fiu" or not values.size:
        raise ValueError(f"window: expected one axis of real numbers, got {values.dtype} of shape {values.shape}")
    return values.astype(np.float64)


def _rows(what: str, x: Any, axes: int) -> tuple[Any, tuple[int, ...]]:
    """(batch, ...) of the last axes, and what the batch was."""
    if x.ndim < axes:
        raise ValueError(f"{what}: expected {('an axis', '2 axes')[axes - 1]} or more, got shape {tuple(x.shape)}")
    rest = tuple(int(n) for n in x.shape[: x.ndim - axes])
    return x.reshape((math.prod(rest), *x.shape[x.ndim - axes :])), rest


def _entry(x: Any, samples: int, values: Any, hop: int, options: dict[str, Any]) -> Entry:
    """The plan for the batch of `x`, as the cache has it."""
    hop = _checks.integer("hop", hop, 1)
    is_double = type_name(x.dtype) in ("float64", "complex128")
    device = adapter_of(x).device(x)
    batch = int(x.shape[0])

    def make() -> ShortTimePlan:
        dtype = "float64" if is_double else "float32"
        return ShortTimePlan(samples, values.tolist(), hop, dtype, batch=batch, device=Device._of(device), **options)

    key = ("short-time", samples, values.tobytes(), hop, is_double, batch, tuple(options.items()))
    return kept_entry(device, key, make, lambda made: made.problem)


def _transformed(entry: Entry, rows: Any, rest: tuple[int, ...], repeat: Repeat) -> Any:
    """The result of the plan, which the next call may repeat."""
    plan: ShortTimePlan = entry.plan.plan  # type: ignore[attr-defined]
    result = plan(rows)
    shape = (*rest, *(int(n) for n in result.shape[1:]))
    ready = plan._repeat_of(adapter_of(rows), rows)
    repeat.keep(entry, ready and ready.reshaped(shape), [rows], [])
    return result.reshape(shape)


def stft(
    x: Any, window: Any, hop: int, *, padding: str = "zeros", value: str = "complex", frames_last: bool = True
) -> Any:
    """Short-time Fourier transforms of real signals: windowed frames, unscaled, in one pass over memory.

    `torch.stft(x, n, hop, window=window, center=True, pad_mode="reflect")` is this with ``padding="reflect"``, its
    ``pad_mode="constant"`` ``"zeros"``, and ``center=False`` ``"none"``.

    Parameters
    ----------
    x : array_like (..., samples)
        Real.
    window : array_like (n,)
        Of a frame, on the host: its values are part of the plan.
    hop : int
        Samples from one frame to the next.
    padding : {'zeros', 'none', 'reflect'}, optional
        What lies beside the signal, so that frame t is around sample t * hop; with ``'none'`` it begins there.
    value : {'complex', 'power', 'decibels'}, optional
        Of each bin: itself, its squared magnitude, or ten times the logarithm of that, from -100 on.
    frames_last : bool, optional
        (..., n // 2 + 1, frames), or else (..., frames, n // 2 + 1).

    Returns
    -------
    array
        In the precision of `x`.

    Raises
    ------
    ValueError
        For a complex array, or lengths that do not fit.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import spectral
    >>> power = spectral.stft(np.cos(2 * np.pi * np.arange(64) / 8), np.hanning(16), 4, value="power")
    >>> power.shape, int(power[:, 8].argmax())
    ((9, 17), 2)
    """
    values = _window(window)
    repeat = Repeat("stft", (x,), values.tobytes(), hop, padding, value, frames_last)
    again = repeat.again()
    if again is not None:
        return again
    space = space_of(x)
    x = numbers_of(space, "x", x)
    if space.is_complex(x):
        raise ValueError(f"x: expected real numbers, got elements of {x.dtype}")
    rows, rest = _rows("x", x, 1)
    options = {"padding": padding, "value": value, "order": "frequencies-first" if frames_last else "frames-first"}
    if 0 in rows.shape:
        raise ValueError(f"x: expected a signal of a sample or more, got shape {tuple(x.shape)}")
    return _transformed(_entry(rows, int(rows.shape[-1]), values, hop, options), rows, rest, repeat)


def istft(
    spectra: Any, window: Any, hop: int, samples: int, *, padding: str = "zeros", frames_last: bool = True
) -> Any:
    """The signals of short-time spectra, by least squares, as `torch.istft`.

    It is the sum of frames times windows over that of squared windows. On a GPU one kernel does it all: a group of
    threads transforms neighbouring frames into its shared memory and adds them there.

    Parameters
    ----------
    spectra : array_like (..., n // 2 + 1, frames)
        Complex. As many frames as `stft` makes of `samples`.
    window, hop, padding, frames_last
        As for `stft`.
    samples : int
        Of a signal.

    Returns
    -------
    array (..., samples)
        Real, in the precision of `spectra`. Samples behind the last frame are 0.

    Raises
    ------
    ValueError
        For spectra of another shape, or windows that leave samples undetermined.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import spectral
    >>> x = np.arange(50.0)
    >>> z = spectral.stft(x, np.hanning(16), 4)
    >>> bool(np.allclose(spectral.istft(z, np.hanning(16), 4, 50), x))
    True
    """
    values = _window(window)
    repeat = Repeat("istft", (spectra,), values.tobytes(), hop, samples, padding, frames_last)
    again = repeat.again()
    if again is not None:
        return again
    space = space_of(spectra)
    spectra = numbers_of(space, "spectra", spectra)
    spectra = space.astype(spectra, space.complex_type(spectra))
    rows, rest = _rows("spectra", spectra, 2)
    if not rows.shape[0]:
        raise ValueError(f"spectra: expected those of a signal or more, got shape {tuple(spectra.shape)}")
    samples = _checks.integer("samples", samples, 1)
    options = {
        "padding": padding,
        "order": "frequencies-first" if frames_last else "frames-first",
        "inverse": True,
    }
    entry = _entry(rows, samples, values, hop, options)
    plan: ShortTimePlan = entry.plan.plan  # type: ignore[attr-defined]
    if tuple(rows.shape[1:]) != plan.input_shape[1:]:
        raise ValueError(
            f"spectra: expected shape (..., {', '.join(map(str, plan.input_shape[1:]))}) for {samples} "
            f"samples, got {tuple(spectra.shape)}"
        )
    return _transformed(entry, rows, rest, repeat)


def _mel(hertz: Any) -> Any:
    """Slaney's scale: even to 1000 Hz, logarithmic above."""
    hertz = np.asarray(hertz, np.float64)
    return np.where(hertz < 1000, hertz * 3 / 200, 15 + 27 * np.log(np.maximum(hertz, 1000) / 1000) / np.log(6.4))


def _hertz(mel: Any) -> Any:
    return np.where(mel < 15, mel * 200 / 3, 1000 * np.exp(np.log(6.4) / 27 * (np.maximum(mel, 15) - 15)))


def _mel_filters(n: Any, rate: Any, count: Any, low: Any, high: Any) -> Any:
    """The same, which others hold as well."""
    n, count = _checks.integer("n", n, 1), _checks.integer("count", count, 1)
    rate, low = _checks.number("rate", rate), _checks.number("low", low)
    if not (rate > 0 and math.isfinite(rate)):
        raise ValueError(f"rate: expected a finite number above 0, got {rate}")
    high = rate / 2 if high is None else _checks.number("high", high)
    if not 0 <= low < high <= rate / 2:
        raise ValueError(f"low, high: expected 0 <= low < high <= rate / 2 = {rate / 2}, got {low} and {high}")
    make = _kept_filters if n * count <= _MOST_KEPT else _kept_filters.__wrapped__
    return make(n, rate, count, low, high)


@lru_cache(maxsize=8)
def _kept_filters(n: int, rate: float, count: int, low: float, high: float) -> Any:
    edges = _hertz(np.linspace(_mel(low), _mel(high), count + 2))[:, None]
    frequencies = np.arange(n // 2 + 1) * (rate / n)
    rising = (frequencies - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - frequencies) / (edges[2:] - edges[1:-1])
    return np.maximum(0, np.minimum(rising, falling)) * (2 / (edges[2:] - edges[:-2]))


def mel_filters(n: int, rate: float, count: int = 128, low: float = 0.0, high: float | None = None) -> Any:
    """Triangular filters on Slaney's mel scale, each of unit area, as `librosa.filters.mel`.

    Parameters
    ----------
    n : int
        Length of the transforms.
    rate : float
        Samples a second.
    count : int, optional
        Of the filters.
    low, high : float, optional
        Frequencies in hertz between which they lie. Default of `high`: half of the rate.

    Returns
    -------
    numpy.ndarray (count, n // 2 + 1)
        float64.

    Raises
    ------
    ValueError
        For numbers that make no sense.

    Examples
    --------
    >>> from seichefft import spectral
    >>> spectral.mel_filters(512, 16000, 40).shape
    (40, 257)
    """
    return _mel_filters(n, rate, count, low, high).copy()


def mel_spectrogram(
    x: Any,
    rate: float,
    window: Any,
    hop: int,
    *,
    count: int = 128,
    low: float = 0.0,
    high: float | None = None,
    padding: str = "zeros",
) -> Any:
    """The power of mel bands over time: `mel_filters` times the power of `stft`.

    The spectra are this library's, one pass over memory; the product is a matrix product of the array's own library.

    Parameters
    ----------
    x : array_like (..., samples)
        Real.
    rate : float
        Samples a second.
    window, hop, padding
        As for `stft`.
    count, low, high
        As for `mel_filters`.

    Returns
    -------
    array (..., count, frames)
        In the precision of `x`.

    Raises
    ------
    ValueError
        As `stft` and `mel_filters`.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import spectral
    >>> spectral.mel_spectrogram(np.ones(4000), 16000, np.hanning(400), 160, count=40).shape
    (40, 26)
    """
    power = stft(x, window, hop, padding=padding, value="power")
    space = space_of(power)
    filters = _mel_filters(len(_window(window)), rate, count, low, high)
    return space.xp.matmul(space.weights(filters, power), power)


def polyphase(x: Any, taps: Any, channels: int, hop: int | None = None) -> Any:
    """A polyphase filter bank: frames of all taps, folded to `channels` samples as they are loaded, and transformed.

    Channel k of frame t is the sum over m of ``x[t * hop + m] * taps[m] * exp(-2j * pi * k * m / channels)``. With as
    many taps as channels it is a short-time transform without padding.

    Parameters
    ----------
    x : array_like (..., samples)
        Real or complex.
    taps : array_like (taps,)
        The prototype filter, real: a whole number of times `channels`, at most 64.
    channels : int
        Length of the transforms.
    hop : int, optional
        Samples from one frame to the next. Default: `channels`, critically sampled.

    Returns
    -------
    array (..., frames, channels), of real signals (..., frames, channels // 2 + 1)
        Complex, in the precision of `x`.

    Raises
    ------
    ValueError
        For lengths that do not fit.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import spectral
    >>> x = np.exp(2j * np.pi * 3 / 8 * np.arange(256))
    >>> bands = spectral.polyphase(x, np.sinc(np.arange(-16, 16) / 8) * np.hamming(32), 8)
    >>> bands.shape, int(abs(bands[5]).argmax())
    ((29, 8), 3)
    """
    space = space_of(x)
    x = numbers_of(space, "x", x)
    channels = _checks.integer("channels", channels, 1)
    hop = channels if hop is None else _checks.integer("hop", hop, 1)
    values = np.asarray(taps)
    if values.ndim != 1 or values.dtype.kind not in "fiu":
        raise ValueError(f"taps: expected one axis of real numbers, got {values.dtype} of shape {values.shape}")
    folds, rest_of_taps = divmod(len(values), channels)
    if rest_of_taps or not 1 <= folds <= 64:
        raise ValueError(f"taps: expected 1 to 64 times {channels} of them, got {len(values)}")
    rows, rest = _rows("x", x, 1)
    rows = dense(rows)
    batch, samples = (int(n) for n in rows.shape)
    if samples < len(values) or not batch:
        raise ValueError(f"x: expected {len(values)} samples or more, got shape {tuple(x.shape)}")
    frames = (samples - len(values)) // hop + 1
    is_complex, is_double = space.is_complex(x), type_name(x.dtype) in ("float64", "complex128")
    number, parts = "f64" if is_double else "f32", 2 if is_complex else 1
    device = adapter_of(rows).device(rows)

    def make() -> Plan:
        terms = []
        for fold in range(folds):
            at = f"(i0 * {samples} + i1 * {hop} + i2 + {fold * channels})"
            sample = f"complex(signal[2 * {at}], signal[2 * {at} + 1])" if is_complex else f"signal[{at}]"
            terms.append(f"{sample} * taps[i2 + {fold * channels}]")
        return Plan(
            (batch, frames, channels),
            ("complex128" if is_double else "complex64") if is_complex else ("float64" if is_double else "float32"),
            kind="c2c" if is_complex else "r2c",
            axes=(2,),
            direction="forward",
            forward_load=f"return {' + '.join(terms)};",
            device=Device._of(device),
            signal=f"{number}[{batch * samples * parts}]",
            taps=f"{number}[{len(values)}]",
        )

    key = ("polyphase", batch, samples, channels, folds, hop, is_complex, is_double)
    plan: Plan = kept(device, key, make, lambda made: made.problem)
    weights = dense(space.weights(values, rows))
    result = plan(None, signal=space.as_reals(rows).reshape((batch, -1)), taps=weights)
    return result.reshape((*rest, frames, result.shape[-1]))
