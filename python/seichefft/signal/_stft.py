"""Short-time spectra with SciPy's older interface: `stft`, `istft`, `spectrogram`."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from .. import fft
from ._segments import (
    detrended,
    doubled,
    in_type_of,
    is_named,
    length_of,
    named_window,
    overlap_added,
    overlap_of,
    spectra,
    window_and_length,
)
from ._space import Space, space_of

__all__ = ["istft", "spectrogram", "stft"]

_BOUNDARIES = ("even", "odd", "constant", "zeros", None)


def _extended(space: Space, x: Any, count: int, boundary: str | None) -> Any:
    """With so many samples more at both ends of the last axis."""
    if boundary is None or count < 1:
        return x
    if boundary == "zeros":
        return space.padded(x, count, count)
    first, last = x[..., :1], x[..., -1:]
    if boundary == "constant":
        shape = (*x.shape[:-1], count)
        return space.concat([space.xp.broadcast_to(first, shape), x, space.xp.broadcast_to(last, shape)])
    n = x.shape[-1]
    if count > n - 1:
        raise ValueError(f"boundary: expected an extension of at most {n - 1} samples, one less than x, got {count}")
    left = space.xp.flip(x[..., 1 : count + 1], axis=-1)
    right = space.xp.flip(x[..., n - 1 - count : n - 1], axis=-1)
    if boundary == "odd":
        left, right = 2 * first - left, 2 * last - right
    return space.concat([left, x, right])


def _without_trend(space: Space, pieces: Any, detrend: Any, axis: int) -> Any:
    if not detrend:
        return pieces
    if not callable(detrend):
        return detrended(space, pieces, detrend)
    if axis == -1:
        return space.asarray(detrend(pieces))
    return space.moveaxis(space.asarray(detrend(space.moveaxis(pieces, -1, axis))), axis, -1)


def _sum_of(window: Any, fs: float, is_density: bool) -> Any:
    """What squared magnitudes are divided by, summed in the window's own precision and where it is."""
    space = space_of(window)
    window = space.floating(space.asarray(window))
    total = space.xp.sum(window * window) * float(fs) if is_density else space.xp.sum(window) ** 2
    return total.item() if space.is_numpy else total


def _is_onesided(space: Space, x: Any, return_onesided: bool) -> bool:
    if return_onesided and space.is_complex(x):
        warnings.warn("Input data is complex, switching to return_onesided=False", stacklevel=4)
        return False
    return bool(return_onesided)


def _short_time_spectra(
    x: Any,
    fs: float,
    window: Any,
    nperseg: int | None,
    noverlap: Any,
    nfft: int | None,
    detrend: Any,
    return_onesided: bool,
    scaling: str,
    axis: int,
    is_power: bool,
    boundary: str | None = None,
    padded: bool = False,
) -> tuple[Any, Any, Any]:
    """(frequencies, times, spectra or powers), frequencies along `axis` and times last. `noverlap` may be a function
    of the window's length."""
    if boundary not in _BOUNDARIES:
        raise ValueError(f"Unknown boundary option '{boundary}', must be one of: {list(_BOUNDARIES)}")
    space = space_of(x)
    x, axis = space.asarray(x), int(axis)
    dtype = space.result_type(x, space.xp.complex64)
    if math.prod(x.shape) == 0:
        empty = space.zeros(x.shape, x, space.xp.float64)
        return empty, empty, empty
    x = space.floating(space.moveaxis(x, axis, -1))
    if nperseg is not None and int(nperseg) < 1:
        raise ValueError(f"nperseg must be a positive integer, got {nperseg}")
    win, nperseg = window_and_length(space, window, None if nperseg is None else int(nperseg), x.shape[-1])
    nfft = length_of(nperseg, nfft)
    hop = nperseg - overlap_of(nperseg, noverlap(nperseg) if callable(noverlap) else noverlap)
    if scaling not in ("density", "spectrum"):
        raise ValueError(f"Unknown scaling: {scaling!r}")
    x = _extended(space, x, nperseg // 2, boundary)
    if padded:
        x = space.padded(x, 0, -(x.shape[-1] - nperseg) % hop % nperseg)
    is_onesided = _is_onesided(space, x, return_onesided)
    squares = _sum_of(win, fs, scaling == "density")
    win = in_type_of(space, win, x)
    count = (x.shape[-1] - nperseg) // hop + 1
    pieces = _without_trend(space, space.frames(x, nperseg, hop, count), detrend, axis)
    result = spectra(space, pieces, win, nfft, is_onesided)
    if is_power:
        result = space.power(result) / squares
        result = doubled(space, result, nfft) if is_onesided else result
        dtype = space.real_type(space.zeros((1,), x, dtype))
    else:
        result = result / squares**0.5
    times = np.arange(count) * (hop / float(fs))
    times += 0 if boundary is not None else nperseg / 2 / float(fs)
    frequencies = (fft.rfftfreq if is_onesided else fft.fftfreq)(nfft, 1 / fs)
    result = space.moveaxis(space.astype(result, dtype), -1, axis - 1 if axis < 0 else axis)
    return space.from_host(frequencies, result), space.from_host(times, result), result


def stft(
    x: Any,
    fs: float = 1.0,
    window: Any = "hann",
    nperseg: int | None = 256,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = False,
    return_onesided: bool = True,
    boundary: str | None = "zeros",
    padded: bool = True,
    axis: int = -1,
    scaling: str = "spectrum",
) -> tuple[Any, Any, Any]:
    """The short-time Fourier transform. New code uses `ShortTimeFFT`.

    Parameters
    ----------
    x : array_like
        Signals along `axis`.
    fs : float, optional
        Samples a second.
    window : str, tuple, float or array (nperseg,), optional
        See `get_window`.
    nperseg : int, optional
        Length of a segment.
    noverlap : int, optional
        Samples that neighbours have in common. Default: half.
    nfft : int, optional
        Length of a transform. Default: `nperseg`.
    detrend : {'constant', 'linear'}, callable or False, optional
        What is taken from each segment.
    return_onesided : bool, optional
        Of real signals, frequencies from 0 alone.
    boundary : {'zeros', 'even', 'odd', 'constant'} or None, optional
        How half a segment is added at both ends.
    padded : bool, optional
        Whether zeros fill the last segment.
    axis : int, optional
        The axis of time.
    scaling : {'spectrum', 'psd'}, optional
        So that squared magnitudes are powers, or powers per hertz.

    Returns
    -------
    f : array
        Frequencies, float64.
    t : array
        The segments' times, float64.
    Zxx : array
        Complex, in the precision of the signals; frequencies along `axis`, times last.

    Raises
    ------
    ValueError
        For lengths or words that do not fit.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import signal
    >>> f, t, Zxx = signal.stft(np.cos(2 * np.pi * np.arange(64) / 8), nperseg=16)
    >>> Zxx.shape, round(float(abs(Zxx[2, 4])), 6)
    ((9, 9), 0.5)
    """
    if scaling not in ("spectrum", "psd"):
        raise ValueError(f"Parameter scaling={scaling!r} not in ['spectrum', 'psd']!")
    word = "density" if scaling == "psd" else scaling
    return _short_time_spectra(
        x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, word, axis, False, boundary, padded
    )


def spectrogram(
    x: Any,
    fs: float = 1.0,
    window: Any = ("tukey", 0.25),
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
    mode: str = "psd",
) -> tuple[Any, Any, Any]:
    """Power, magnitude or phase of a signal's spectrum as it changes. New code uses `ShortTimeFFT`.

    Parameters
    ----------
    x : array_like
        Signals along `axis`.
    noverlap : int, optional
        Default: an eighth of `nperseg`.
    scaling : {'density', 'spectrum'}, optional
        Per hertz, or as it is.
    mode : {'psd', 'complex', 'magnitude', 'angle', 'phase'}, optional
        What is given; ``'phase'`` is unwrapped along time.
    fs, window, nperseg, nfft, detrend, return_onesided, axis
        As in `stft`.

    Returns
    -------
    f : array
        Frequencies, float64.
    t : array
        The segments' times, float64.
    Sxx : array
        In the precision of the signals; frequencies along `axis`, times last.

    Raises
    ------
    ValueError
        For lengths or words that do not fit.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import signal
    >>> f, t, Sxx = signal.spectrogram(np.cos(2 * np.pi * np.arange(64) / 8), window="hann", nperseg=16)
    >>> Sxx.shape, int(np.argmax(Sxx[:, 0]))
    ((9, 4), 2)
    """
    modes = ["psd", "complex", "magnitude", "angle", "phase"]
    if mode not in modes:
        raise ValueError(f"unknown value for mode {mode}, must be one of {modes}")
    overlap: Any = (lambda length: length // 8) if noverlap is None else noverlap
    options = (fs, window, nperseg, overlap, nfft, detrend, return_onesided, scaling, axis, mode == "psd")
    frequencies, times, Sxx = _short_time_spectra(x, *options)
    space = space_of(Sxx)
    if mode == "magnitude":
        Sxx = abs(Sxx)
    elif mode in ("angle", "phase"):
        Sxx = space.xp.atan2(space.xp.imag(Sxx), space.xp.real(Sxx)) if not space.is_numpy else np.angle(Sxx)
        Sxx = _unwrapped(space, Sxx, axis - 1 if axis < 0 else axis) if mode == "phase" else Sxx
    return frequencies, times, Sxx


def _unwrapped(space: Space, x: Any, axis: int) -> Any:
    if space.is_numpy:
        return np.unwrap(x, axis=axis)
    x = space.moveaxis(x, axis, -1)
    steps = x[..., 1:] - x[..., :-1]
    turns = space.xp.round(steps / (2 * math.pi)) * (2 * math.pi)
    sums = (getattr(space.xp, "cumulative_sum", None) or space.xp.cumsum)(turns, axis=-1)
    return space.moveaxis(space.concat([x[..., :1], x[..., 1:] - sums]), -1, axis)


def istft(
    Zxx: Any,
    fs: float = 1.0,
    window: Any = "hann",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    input_onesided: bool = True,
    boundary: bool = True,
    time_axis: int = -1,
    freq_axis: int = -2,
    scaling: str = "spectrum",
) -> tuple[Any, Any]:
    """The inverse of `stft`, by overlap and add.

    Parameters
    ----------
    Zxx : array_like
        What `stft` gives.
    nperseg, nfft : int, optional
        Default: what the number of frequencies says.
    input_onesided : bool, optional
        Whether `Zxx` has frequencies from 0 alone.
    boundary : bool, optional
        Whether the signal was extended at its ends.
    time_axis, freq_axis : int, optional
        Of `Zxx`.
    fs, window, noverlap, scaling
        As in `stft`.

    Returns
    -------
    t : array
        Times, float64.
    x : array
        In the precision of `Zxx`, real if one-sided.

    Raises
    ------
    ValueError
        For lengths, axes or words that do not fit.

    Warns
    -----
    UserWarning
        Where windows leave samples out, so that the signal is lost there.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import signal
    >>> x = np.arange(64.0)
    >>> f, t, Zxx = signal.stft(x, nperseg=16)
    >>> bool(np.allclose(signal.istft(Zxx)[1], x))
    True
    """
    space = space_of(Zxx)
    Zxx = space.floating(space.asarray(Zxx))
    Zxx = space.astype(Zxx, space.complex_type(Zxx))
    ndim, freq_axis, time_axis = len(Zxx.shape), int(freq_axis), int(time_axis)
    if ndim < 2:
        raise ValueError(f"Input stft must be at least 2d! Got {ndim}d.")
    freq_axis, time_axis = (axis + ndim if axis < 0 else axis for axis in (freq_axis, time_axis))
    if freq_axis == time_axis:
        raise ValueError(f"Must specify differing time and frequency axes! Got {freq_axis} for both.")
    bins = Zxx.shape[freq_axis]
    usual = 2 * (bins - 1) if input_onesided else bins
    nperseg = usual if nperseg is None else int(nperseg)
    if nperseg < 1:
        raise ValueError(f"nperseg must be a positive integer, got {nperseg}")
    if nfft is None:
        nfft = nperseg if input_onesided and nperseg == usual + 1 else usual
    nfft = length_of(nperseg, nfft)
    hop = nperseg - overlap_of(nperseg, noverlap)
    if is_named(window):
        win = named_window(window, nperseg)
    else:
        win = window if hasattr(window, "shape") else np.asarray(window)
        if len(win.shape) != 1:
            raise ValueError(f"window must be 1-D, got shape {tuple(win.shape)}")
        if win.shape[0] != nperseg:
            raise ValueError(f"window must have length of {nperseg}, got {win.shape[0]}")
    if scaling not in ("spectrum", "psd"):
        raise ValueError(f"Parameter scaling={scaling!r} not in ['spectrum', 'psd']!")
    pieces = space.moveaxis(Zxx, (freq_axis, time_axis), (-1, -2))
    pieces = (fft.irfft(pieces, nfft) if input_onesided else fft.ifft(pieces, nfft))[..., :nperseg]
    host = space_of(win)
    win = host.floating(host.asarray(win))
    factor = _sum_of(win, fs, scaling == "psd") ** 0.5
    x = overlap_added(space, pieces * in_type_of(space, win * factor, pieces), hop)
    squares = host.xp.broadcast_to(win * win, (pieces.shape[-2], nperseg))
    norm = overlap_added(host, squares, hop)
    if boundary:
        edge = nperseg // 2
        x, norm = x[..., edge:-edge], norm[edge:-edge]
    is_seen = host.real(norm) > 1e-10
    if not bool(host.xp.all(is_seen)):
        hint = "" if boundary else " Possibly due to missing boundary"
        warnings.warn(f"NOLA condition failed, STFT may not be invertible.{hint}", stacklevel=2)
    x = x / in_type_of(space, host.xp.where(is_seen, norm, host.xp.ones_like(norm)), x)
    if input_onesided:
        x = space.real(x)
    if x.ndim > 1 and time_axis != ndim - 1:
        x = space.moveaxis(x, -1, time_axis - 1 if freq_axis < time_axis else time_axis)
    return space.from_host(np.arange(x.shape[0]) / float(fs), x), x
