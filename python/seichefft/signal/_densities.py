"""Power spectra by averages of short-time spectra: `periodogram`, `welch`, `csd`, `coherence`."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from .. import fft
from ._segments import doubled, each_detrended, in_type_of, is_named, named_window, spectra
from ._space import Space, space_of

__all__ = ["coherence", "csd", "periodogram", "welch"]


def _window_of(window: Any, nperseg: Any, n: int) -> tuple[Any, int]:
    if is_named(window):
        nperseg = 256 if nperseg is None else int(nperseg)
        if nperseg < 1:
            raise ValueError(f"Parameter nperseg={nperseg} is not a positive integer!")
        if n < nperseg:
            warnings.warn(
                f"nperseg={nperseg} is greater than signal length max(len(x), len(y)) = {n}, using nperseg = {n}",
                stacklevel=4,
            )
            nperseg = n
        return named_window(window, nperseg), nperseg
    window = window if hasattr(window, "shape") else np.asarray(window)
    if len(window.shape) != 1:
        raise ValueError(f"window: expected one axis, got shape {tuple(window.shape)}")
    nperseg = window.shape[0] if nperseg is None else nperseg
    if nperseg != window.shape[0]:
        raise ValueError(f"nperseg={nperseg} does not equal len(win)={window.shape[0]}")
    return window, int(nperseg)


def _factor(window: Any, fs: float, scaling: str) -> Any:
    """What makes a squared magnitude a power, or a density of it: summed where the window is."""
    if scaling not in ("spectrum", "density"):
        raise ValueError(f"Parameter scaling={scaling!r} not in ['spectrum', 'density']!")
    space = space_of(window)
    window = space.floating(window)
    if scaling == "density":
        return 1 / (space.xp.sum(space.power(window)) * float(fs))
    return 1 / abs(space.xp.sum(window)) ** 2


def _median(space: Space, x: Any) -> Any:
    """Along the last axis, over its bias."""
    count = x.shape[-1]
    twice = 2 * np.arange(1.0, (count - 1) // 2 + 1)
    bias = 1 + float(np.sum(1 / (twice + 1) - 1 / twice))

    def middle(part: Any) -> Any:
        ordered = space.xp.sort(part, axis=-1)
        return (ordered[..., (count - 1) // 2] + ordered[..., count // 2]) / (2 * bias)

    if not space.is_complex(x):
        return middle(x)
    return middle(space.xp.real(x)) + 1j * middle(space.xp.imag(x))


def _averaged(space: Space, x: Any, average: str) -> Any:
    """(..., count) to (...)."""
    if average not in ("mean", "median"):
        raise ValueError(f"Parameter average={average!r} must be 'median' or 'mean'!")
    if x.shape[-1] == 1:
        return x[..., 0]
    return space.xp.mean(x, axis=-1) if average == "mean" else _median(space, x)


def _empty(space: Space, x: Any, y: Any, axis: int) -> Any:
    outer = [list(one.shape) for one in (x, y)]
    lengths = [shape.pop(axis) for shape in outer]
    shape = (*np.broadcast_shapes(*map(tuple, outer)), min(lengths))
    return space.moveaxis(space.zeros(shape, x, space.xp.float64), -1, axis)


def _cross_spectrum(
    x: Any,
    y: Any,
    fs: float,
    window: Any,
    nperseg: int | None,
    noverlap: int | None,
    nfft: int | None,
    detrend: Any,
    return_onesided: bool,
    scaling: str,
    axis: int,
    average: str,
) -> tuple[Any, Any]:
    is_same, axis = y is x, int(axis)
    space = space_of(x) if is_same else space_of(x, y)
    x = space.asarray(x)
    y = x if is_same else space.asarray(y)
    if not is_same:
        outer = [[n for place, n in enumerate(one.shape) if place != axis % one.ndim] for one in (x, y)]
        try:
            np.broadcast_shapes(*map(tuple, outer))
        except ValueError:
            raise ValueError(
                f"x and y cannot be broadcast together: got shapes {tuple(x.shape)} and {tuple(y.shape)}"
            ) from None
    if 0 in x.shape or 0 in y.shape:
        empty = space.zeros(x.shape, x, space.xp.float64) if is_same else _empty(space, x, y, axis)
        return empty, empty
    dtype = space.result_type(x, y, space.xp.complex64)
    n = max(x.shape[axis], y.shape[axis])
    win, nperseg = _window_of(window, nperseg, n)
    nfft = nperseg if nfft is None else int(nfft)
    if nfft < nperseg:
        raise ValueError(f"nfft={nfft} must be greater than or equal to nperseg={nperseg}!")
    noverlap = nperseg // 2 if noverlap is None else int(noverlap)
    if noverlap >= nperseg:
        raise ValueError(f"noverlap={noverlap} must be less than nperseg={nperseg}!")
    is_onesided = bool(return_onesided) and not (space.is_complex(x) or space.is_complex(y))
    hop = nperseg - noverlap
    count = (n - noverlap) // hop
    if count < 1:
        raise ValueError(f"window: expected at most the signal's {n} samples, got {nperseg}")
    win = win if hasattr(win, "shape") else np.asarray(win)
    if is_onesided and space_of(win).is_complex(win):
        raise ValueError("One-sided spectra are not allowed for complex-valued windows!")

    def spectrum(one: Any) -> Any:
        one = space.floating(space.padded(space.moveaxis(one, axis, -1), 0, n - one.shape[axis]))
        mine = space.conj(in_type_of(space, win, one))
        pieces = each_detrended(space, space.frames(one, nperseg, hop, count), detrend)
        return spectra(space, pieces, mine, nfft, is_onesided)

    factor = _factor(win, fs, scaling)
    Sx = spectrum(x)
    product = space.power(Sx) if is_same else space.conj(Sx) * spectrum(y)
    product = product * (float(factor) if isinstance(factor, np.generic) else factor)
    if is_onesided:
        product = doubled(space, product, nfft)
    product = _averaged(space, space.moveaxis(product, -1, -2), average)
    product = space.moveaxis(product, -1, axis)
    if is_same:
        dtype = space.real_type(space.zeros((1,), x, dtype))
    frequencies = (fft.rfftfreq if is_onesided else fft.fftfreq)(nfft, 1 / fs)
    return space.from_host(frequencies, product), space.astype(product, dtype)


def csd(
    x: Any,
    y: Any,
    fs: float = 1.0,
    window: Any = "hann",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
    average: str = "mean",
) -> tuple[Any, Any]:
    """The cross power spectrum by Welch's method: averages of conj(X) Y over segments.

    Parameters
    ----------
    x, y : array_like
        Signals along `axis`; the shorter is padded with zeros, other axes are broadcast.
    fs : float, optional
        Samples a second.
    window : str, tuple, float or array (nperseg,), optional
        See `get_window`.
    nperseg : int, optional
        Length of a segment. Default: 256, or that of the window.
    noverlap : int, optional
        Samples that neighbours have in common. Default: half.
    nfft : int, optional
        Length of a transform. Default: `nperseg`.
    detrend : {'constant', 'linear'}, callable or False, optional
        What is taken from each segment; a function has segments along the last axis.
    return_onesided : bool, optional
        Of real signals, frequencies from 0 alone.
    scaling : {'density', 'spectrum'}, optional
        Per hertz, or as it is.
    axis : int, optional
        The axis of time.
    average : {'mean', 'median'}, optional
        Over segments.

    Returns
    -------
    f : array
        Frequencies, float64.
    Pxy : array
        Complex, in the precision of the signals; frequencies along `axis`.

    Raises
    ------
    ValueError
        For lengths or words that do not fit.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import signal
    >>> x = np.cos(2 * np.pi * np.arange(64) / 8)
    >>> f, Pxy = signal.csd(x, np.roll(x, 1), nperseg=16)
    >>> int(np.argmax(abs(Pxy))), round(float(np.angle(Pxy[2])), 6)
    (2, -0.785398)
    """
    return _cross_spectrum(x, y, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average)


def welch(
    x: Any,
    fs: float = 1.0,
    window: Any = "hann",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
    average: str = "mean",
) -> tuple[Any, Any]:
    """The power spectrum by Welch's method: averages of squared spectra of overlapping segments.

    Parameters
    ----------
    x : array_like
        Signals along `axis`.
    fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average
        As in `csd`.

    Returns
    -------
    f : array
        Frequencies, float64.
    Pxx : array
        Real, in the precision of the signals; frequencies along `axis`.

    Raises
    ------
    ValueError
        For lengths or words that do not fit.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import signal
    >>> f, Pxx = signal.welch(np.cos(2 * np.pi * np.arange(64) / 8), nperseg=16, scaling="spectrum")
    >>> float(f[2]), round(float(Pxx[2]), 6)
    (0.125, 0.5)
    """
    return _cross_spectrum(x, x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average)


def periodogram(
    x: Any,
    fs: float = 1.0,
    window: Any = "boxcar",
    nfft: int | None = None,
    detrend: Any = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
) -> tuple[Any, Any]:
    """The power spectrum of whole signals.

    Parameters
    ----------
    x : array_like
        Signals along `axis`.
    window : str, tuple, float or array, optional
        As long as the signal.
    nfft : int, optional
        Length of the transform; a smaller one crops the signal.
    fs, detrend, return_onesided, scaling, axis
        As in `csd`.

    Returns
    -------
    f : array
        Frequencies, float64.
    Pxx : array
        Real, in the precision of the signals; frequencies along `axis`.

    Raises
    ------
    ValueError
        For lengths or words that do not fit.

    Examples
    --------
    >>> from seichefft import signal
    >>> f, Pxx = signal.periodogram([1.0, -1.0, 1.0, -1.0])
    >>> f.tolist(), Pxx.round(9).tolist()
    ([0.0, 0.25, 0.5], [0.0, 0.0, 4.0])
    """
    space = space_of(x)
    x = space.asarray(x)
    if math.prod(x.shape) == 0:
        empty = space.zeros(x.shape, x, space.xp.float64)
        return empty, empty
    length = x.shape[axis]
    if nfft is not None and nfft < length:
        x, nfft = space.moveaxis(space.moveaxis(x, axis, -1)[..., :nfft], -1, axis), None
        length = x.shape[axis]
    window = "boxcar" if window is None else window
    if hasattr(window, "shape") and tuple(window.shape) != (length,):
        raise ValueError(
            "the size of the window must be the same size of the input on the specified axis: "
            f"got {tuple(window.shape)} and {length}"
        )
    return _cross_spectrum(x, x, fs, window, length, 0, nfft, detrend, return_onesided, scaling, axis, "mean")


def coherence(
    x: Any,
    y: Any,
    fs: float = 1.0,
    window: Any = "hann",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = "constant",
    axis: int = -1,
) -> tuple[Any, Any]:
    """The squared magnitude of the coherence, abs(Pxy)**2 / (Pxx Pyy).

    Parameters
    ----------
    x, y, fs, window, nperseg, noverlap, nfft, detrend, axis
        As in `csd`.

    Returns
    -------
    f : array
        Frequencies, float64.
    Cxy : array
        Between 0 and 1, in the precision of the signals.

    Raises
    ------
    ValueError
        For lengths or words that do not fit.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import signal
    >>> x = np.random.default_rng(0).standard_normal(256)
    >>> signal.coherence(x, 3 * x, nperseg=32)[1].round(9)[:2].tolist()
    [1.0, 1.0]
    """
    options = (fs, window, nperseg, noverlap, nfft, detrend)
    frequencies, Pxx = welch(x, *options, axis=axis)
    _, Pyy = welch(y, *options, axis=axis)
    _, Pxy = csd(x, y, *options, axis=axis)
    return frequencies, abs(Pxy) ** 2 / Pxx / Pyy
