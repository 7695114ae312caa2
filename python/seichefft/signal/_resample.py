"""`resample`: another number of samples by another length of the spectrum."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .. import fft
from ._space import Space, space_of
from ._windows import get_window

__all__ = ["resample"]


def _bin_weights(space: Space, window: Any, n: int, like: Any) -> Any:
    """Of the bins of a transform of length n, in its order; None without a window."""
    if window is None:
        return None
    if callable(window):
        return space.weights(np.asarray(window(fft.fftfreq(n))), like)
    if hasattr(window, "shape"):
        if tuple(window.shape) != (n,):
            raise ValueError(
                f"window.shape={tuple(window.shape)!r} != ({n},), i.e., window length "
                "is not equal to number of frequency bins!"
            )
        return space.from_host(window, like)
    return space.weights(fft.fftshift(get_window(window, n)), like)


def _real_weighted(space: Space, spectrum: Any, n: int, window: Any) -> Any:
    """A one-sided spectrum, of a signal of n samples, times a window."""
    weights = _bin_weights(space, window, n, spectrum)
    if weights is None:
        return spectrum
    # A real signal has one weight for both frequencies of a bin.
    mirrored = space.concat([weights[:1], space.xp.flip(weights[1:], axis=0)])
    return spectrum * ((weights + mirrored) / 2)[: spectrum.shape[-1]]


def real_resampled(space: Space, spectrum: Any, n: int, num: int) -> Any:
    """The signal of `num` samples of a one-sided spectrum of one of n samples."""
    least = min(num, n)
    spectrum = spectrum[..., : least // 2 + 1]
    factors = np.full(least // 2 + 1, num / n)
    if least % 2 == 0 and num != n:
        factors[-1] *= 2 if num < n else 0.5
    return fft.irfft(spectrum * space.weights(factors, spectrum), num)


def resampled(space: Space, spectrum: Any, num: int) -> Any:
    """The signal of `num` samples of a spectrum of another length."""
    n = spectrum.shape[-1]
    least = min(num, n)
    low, high = (least + 1) // 2, (least - 1) // 2
    parts = [spectrum[..., :low]]
    if least % 2 == 0:
        half = least // 2
        if num < n:
            parts.append(spectrum[..., half : half + 1] + spectrum[..., n - half : n - half + 1])
        elif num > n:
            edge = spectrum[..., half : half + 1] / 2
            parts += [edge, space.zeros((*spectrum.shape[:-1], num - n - 1), spectrum), edge]
        else:
            parts.append(spectrum[..., half : half + 1])
    else:
        parts.append(space.zeros((*spectrum.shape[:-1], num - least), spectrum))
    parts.append(spectrum[..., n - high :])
    return fft.ifft(space.concat(parts) * (num / n))


def resample(x: Any, num: int, t: Any = None, axis: int = 0, window: Any = None, domain: str = "time") -> Any:
    """A periodic signal with another number of samples.

    Parameters
    ----------
    x : array_like
        Signals, or their spectra.
    num : int
        Samples of the result.
    t : array_like, optional
        The samples' times, evenly spaced.
    axis : int, optional
        The axis of time.
    window : callable, array (n,), str, tuple or float, optional
        Weights of the bins: a function of `scipy.fft.fftfreq`'s frequencies, what they are in the order of the
        transform, or a window's name, centred on frequency 0.
    domain : {'time', 'freq'}, optional
        What `x` is.

    Returns
    -------
    array
        Or (array, times) where `t` was given.

    Raises
    ------
    ValueError
        If the window does not fit or the domain is unknown.

    Examples
    --------
    >>> from seichefft import signal
    >>> signal.resample([0.0, 1.0, 0.0, -1.0], 8).round(6).tolist()
    [0.0, 0.707107, 1.0, 0.707107, 0.0, -0.707107, -1.0, -0.707107]
    """
    if domain not in ("time", "freq"):
        raise ValueError(f"Parameter domain={domain!r} not in ('time', 'freq')!")
    space = space_of(x, t)
    x = space.floating(space.asarray(x))
    num = operator.index(num)
    if num < 1:
        raise ValueError(f"num: expected at least 1 sample, got {num}")
    x = space.moveaxis(x, axis, -1)
    n = x.shape[-1]
    if domain == "time" and not space.is_complex(x):
        result = real_resampled(space, _real_weighted(space, fft.rfft(x), n, window), n, num)
    else:
        spectrum = fft.fft(x) if domain == "time" else space.astype(x, space.complex_type(x))
        weights = _bin_weights(space, window, n, spectrum)
        result = resampled(space, spectrum if weights is None else spectrum * weights, num)
    result = space.moveaxis(result, -1, axis)
    if t is None:
        return result
    t = space.asarray(t)
    steps = space.from_host(np.arange(num) * (n / num), t if hasattr(t, "shape") else result)
    return result, t[0] + (t[1] - t[0]) * steps
