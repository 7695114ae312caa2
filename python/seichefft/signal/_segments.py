"""Pieces of signals, their trends and their windowed spectra: what all short-time spectra are made of."""

from __future__ import annotations

import warnings
from functools import lru_cache
from typing import Any

import numpy as np

from .. import fft
from .._arrays import adapter_of
from .._devices import Device
from .._kept import kept
from ..plans import Plan
from ._space import Space, type_name
from ._windows import get_window

#: The most axes of a plan with a window: two of signals, pieces, samples.
_MOST_AXES = 4

_TRENDS = {"linear": "linear", "l": "linear", "constant": "constant", "c": "constant"}


def detrended(space: Space, x: Any, trend: Any) -> Any:
    """Without the mean, or the straight line of least squares, along the last axis."""
    word = _TRENDS.get(trend) if isinstance(trend, str) else None
    if word is None:
        raise ValueError(f"Trend type must be 'linear' or 'constant', got {trend!r}.")
    x = space.floating(x)
    x = x - space.xp.mean(x, axis=-1, keepdims=True)
    n = x.shape[-1]
    if word == "constant" or n < 2:
        return x
    ramp = np.arange(n) - (n - 1) / 2
    slope = space.xp.sum(x * space.weights(ramp, x), axis=-1, keepdims=True) / float(np.sum(ramp**2))
    return x - slope * space.weights(ramp, x)


def each_detrended(space: Space, pieces: Any, trend: Any) -> Any:
    """(..., count, length): `trend` is a word, a function of one piece of all signals (..., length), or None."""
    if trend is None or trend is False:
        return pieces
    if not callable(trend):
        return detrended(space, pieces, trend)
    results = [space.asarray(trend(pieces[..., index, :])) for index in range(pieces.shape[-2])]
    return space.xp.stack(results, axis=-2) if results else pieces


def _plan(
    device: Any,
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    dtype: str,
    window: str,
    kind: str,
    is_alternating: bool,
) -> Plan:
    last = len(shape) - 1

    def make() -> Plan:
        return Plan(
            shape,
            dtype,
            kind=kind,
            axes=(last,),
            input_strides=strides,
            direction="forward",
            forward_load=f"return value * window[i{last}];",
            forward_store=f"return i{last} % 2 == 1 ? -value : value;" if is_alternating else "",
            window=f"{window}[{shape[-1]}]",
            device=Device._of(device),
        )

    key = ("window", shape, strides, dtype, window, kind, is_alternating)
    plan: Plan = kept(device, key, make, lambda plan: plan.problem)
    return plan


def _fused(space: Space, pieces: Any, window: Any, is_onesided: bool, is_alternating: bool) -> Any:
    """The spectra by a plan that reads overlapping pieces where they lie and multiplies on the way in; None where a
    plan does not take them so."""
    if space.is_complex(window) or space.is_complex(pieces) == is_onesided or pieces.ndim > _MOST_AXES:
        return None
    if not (hasattr(window, "flags") or hasattr(window, "is_contiguous")):  # by which a plan sees how it lies
        return None
    adapter = adapter_of(pieces)
    memory = adapter.memory(pieces)
    element = memory.element
    if element.precision == "f64x2" or element.storage != "same" or memory.strides is None:
        return None
    if any(n == 0 or (n > 1 and stride == 0) for n, stride in zip(memory.shape, memory.strides)):
        return None
    strides = tuple(stride or 1 for stride in memory.strides)
    dtype = type_name(pieces.dtype)
    kind = "r2c" if is_onesided else "c2c"
    plan = _plan(adapter.device(pieces), memory.shape, strides, dtype, element.precision, kind, is_alternating)
    return plan(pieces, window=window)


def spectra(
    space: Space, pieces: Any, window: Any, nfft: int, is_onesided: bool, *, is_alternating: bool = False
) -> Any:
    """(..., bins) of pieces times a window in their precision. Where `is_alternating`, odd bins change their sign,
    which is a shift of time by half of `nfft`."""
    if nfft == pieces.shape[-1]:
        result = _fused(space, pieces, window, is_onesided, is_alternating)
        if result is not None:
            return result
    windowed = pieces * window
    result = fft.rfft(space.real(windowed), nfft) if is_onesided else fft.fft(windowed, nfft)
    if not is_alternating:
        return result
    return result * space.weights(np.where(np.arange(result.shape[-1]) % 2, -1.0, 1.0), result)


def doubled(space: Space, x: Any, nfft: int, factor: float = 2.0) -> Any:
    """One-sided spectra (..., bins) whose bins stand for two frequencies, but the first and the unpaired last one."""
    weights = np.full(x.shape[-1], factor)
    weights[0] = 1
    if nfft % 2 == 0:
        weights[-1] = 1
    return x * space.weights(weights, x)


def overlap_added(space: Space, pieces: Any, hop: int) -> Any:
    """(..., length + (count - 1) hop): the sum of pieces (..., count, length), each `hop` later than the last."""
    count, length = pieces.shape[-2:]
    parts = -(-length // hop)
    pieces = space.padded(pieces, 0, parts * hop - length)
    outer = tuple(pieces.shape[:-2])
    pieces = space.xp.reshape(pieces, (*outer, count, parts, hop))
    total = None
    for part in range(parts):
        shifted = space.padded(pieces[..., part, :], part, parts - 1 - part, axis=-2)
        total = shifted if total is None else total + shifted
    assert total is not None
    return space.xp.reshape(total, (*outer, (count + parts - 1) * hop))[..., : length + (count - 1) * hop]


def is_named(window: Any) -> bool:
    return isinstance(window, (str, tuple)) or np.ndim(window) == 0


@lru_cache(maxsize=32)
def _kept_window(window: Any, nperseg: int) -> Any:
    return get_window(window, nperseg)


def named_window(window: Any, nperseg: int) -> Any:
    """`get_window`, of which the last ones are kept."""
    is_short = nperseg <= 1 << 16
    if is_short and (isinstance(window, str) or (isinstance(window, tuple) and set(map(type, window)) <= {str, float})):
        return _kept_window(window, nperseg).copy()
    return get_window(window, nperseg)


def window_and_length(space: Space, window: Any, nperseg: int | None, n: int) -> tuple[Any, int]:
    """The window of `stft` and `spectrogram` on the host or where it is, and its length."""
    if is_named(window):
        nperseg = 256 if nperseg is None else nperseg
        if nperseg > n:
            warnings.warn(
                f"nperseg = {nperseg:d} is greater than input length  = {n:d}, using nperseg = {n:d}", stacklevel=4
            )
            nperseg = n
        return named_window(window, nperseg), nperseg
    window = window if hasattr(window, "shape") else np.asarray(window)
    if len(window.shape) != 1:
        raise ValueError(f"window must be 1-D, got shape {tuple(window.shape)}")
    length = window.shape[0]
    if n < length:
        raise ValueError(f"window is longer than input signal: {length} and {n} samples")
    if nperseg is not None and nperseg != length:
        raise ValueError(f"value specified for nperseg is different from length of window: {nperseg} and {length}")
    return window, length


def in_type_of(space: Space, window: Any, like: Any) -> Any:
    """A window in the precision of the signal `like`."""
    window = space.from_host(window if hasattr(window, "shape") else np.asarray(window), like)
    if space.is_complex(window):
        return space.astype(window, space.complex_type(like))
    return space.astype(window, space.real_type(like))


def overlap_of(nperseg: int, noverlap: int | None) -> int:
    noverlap = nperseg // 2 if noverlap is None else int(noverlap)
    if noverlap >= nperseg:
        raise ValueError(f"noverlap must be less than nperseg: got {noverlap} and {nperseg}")
    return noverlap


def length_of(nperseg: int, nfft: int | None) -> int:
    if nfft is None:
        return nperseg
    if nfft < nperseg:
        raise ValueError(f"nfft must be greater than or equal to nperseg: got {nfft} and {nperseg}")
    return int(nfft)
