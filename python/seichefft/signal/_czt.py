"""The chirp z-transform and zoomed spectra."""

from __future__ import annotations

import cmath
import math
import numbers
from typing import Any

import numpy as np

from .. import fft
from ._space import Space, space_of

__all__ = ["CZT", "ZoomFFT", "czt", "czt_points", "zoom_fft"]


def _points(n: Any, m: Any) -> int:
    """Of the result: `m`, or `n` where that is None."""
    if not isinstance(n, numbers.Integral) or n < 1:
        raise ValueError(f"Invalid number of CZT data points ({n}) specified. n must be positive and integer type.")
    if m is None:
        return int(n)
    if not isinstance(m, numbers.Integral) or m < 1:
        raise ValueError(f"Invalid number of CZT output points ({m}) specified. m must be positive and integer type.")
    return int(m)


def czt_points(m: int, w: complex | None = None, a: complex = 1 + 0j) -> Any:
    """Where in the complex plane a chirp z-transform is taken: a w**-k.

    Parameters
    ----------
    m : int
        How many.
    w : complex, optional
        The ratio of neighbours. Default: once around the unit circle.
    a : complex, optional
        The first one.

    Returns
    -------
    numpy.ndarray (m,)

    Raises
    ------
    ValueError
        If `m` is no positive integer.

    Examples
    --------
    >>> from seichefft import signal
    >>> signal.czt_points(4).round(9).real.tolist()
    [1.0, 0.0, -1.0, -0.0]
    """
    m = _points(1, m)
    k = np.arange(m)
    return 1.0 * a * (np.exp(2j * np.pi * k / m) if w is None else (1.0 * w) ** (-k))


class _Chirps:
    """The weights of a transform on the arrays of one library in one precision."""

    def __init__(self, space: Space, like: Any, before: Any, kernel: Any, after: Any, length: int) -> None:
        dtype = space.complex_type(like)
        self.before = space.from_host(before, like, dtype)
        self.after = space.from_host(after, like, dtype)
        spectrum = fft.fft(kernel, length)
        self.spectrum = space.from_host(spectrum, like, dtype)


class CZT:
    """A chirp z-transform, made ready for signals of one length.

    Parameters
    ----------
    n : int
        Samples of a signal.
    m : int, optional
        Points of the result. Default: `n`.
    w : complex, optional
        The ratio of neighbouring points. Default: once around the unit circle.
    a : complex, optional
        The first point.

    Raises
    ------
    ValueError
        If `n` or `m` is no positive integer.

    Examples
    --------
    >>> from seichefft import signal
    >>> transform = signal.CZT(4)
    >>> abs(transform([1.0, 1.0, 1.0, 1.0])).round(9).tolist()
    [4.0, 0.0, 0.0, 0.0]
    """

    def __init__(self, n: int, m: int | None = None, w: complex | None = None, a: complex = 1 + 0j) -> None:
        m = _points(n, m)
        k = np.arange(max(m, n))
        a = 1.0 * a
        if w is None:
            w = cmath.exp(-2j * math.pi / m)
            chirp = np.exp(-1j * np.pi * ((k.astype(object) ** 2 % (2 * m)).astype(np.float64)) / m)
        else:
            w = 1.0 * w
            chirp = w ** (k.astype(np.float64) ** 2 / 2)
        self._set(n, m, w, a, a ** (-k[:n].astype(np.float64)), chirp)

    def _set(self, n: int, m: int, w: Any, a: Any, start: Any, chirp: Any) -> None:
        self.n, self.m, self.w, self.a = int(n), m, w, a
        self._length = fft.next_fast_len(self.n + m - 1)
        self._before = start * chirp[:n]
        self._kernel = 1 / np.concatenate([chirp[n - 1 : 0 : -1], chirp[:m]])
        self._after = chirp[:m]
        self._chirps: dict[Any, _Chirps] = {}

    def _chirps_for(self, space: Space, x: Any) -> _Chirps:
        key = (space.xp.__name__, str(x.dtype), str(getattr(x, "device", "")))
        chirps = self._chirps.get(key)
        if chirps is None:
            chirps = _Chirps(space, x, self._before, self._kernel, self._after, self._length)
            self._chirps[key] = chirps
        return chirps

    def __call__(self, x: Any, *, axis: int = -1) -> Any:
        """The transform of signals.

        Parameters
        ----------
        x : array_like
            With `n` samples along `axis`.
        axis : int, optional
            The axis of time.

        Returns
        -------
        array
            Complex, in the precision of `x`, with `m` points along `axis`.

        Raises
        ------
        ValueError
            For another length.
        """
        space = space_of(x)
        x = space.asarray(x)
        if x.shape[axis] != self.n:
            raise ValueError(f"CZT defined for length {self.n}, not {x.shape[axis]}")
        x = space.floating(space.moveaxis(x, axis, -1))
        chirps = self._chirps_for(space, x)
        spectrum = fft.fft(x * chirps.before, self._length) * chirps.spectrum
        result = fft.ifft(spectrum)[..., self.n - 1 : self.n + self.m - 1] * chirps.after
        return space.moveaxis(result, -1, axis)

    def points(self) -> Any:
        """Where the transform is taken: `czt_points` of its arguments."""
        return czt_points(self.m, self.w, self.a)


class ZoomFFT(CZT):
    """The spectrum in a range of frequencies, made ready for signals of one length.

    Parameters
    ----------
    n : int
        Samples of a signal.
    fn : float or (float, float)
        The last frequency, or the first and the last.
    m : int, optional
        Points of the result. Default: `n`.
    fs : float, optional
        Samples a second.
    endpoint : bool, optional
        Whether the last frequency is among them.

    Raises
    ------
    ValueError
        If `n` or `m` is no positive integer, or `fn` not one or two numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import signal
    >>> zoom = signal.ZoomFFT(64, (10, 14), m=41, fs=64, endpoint=True)
    >>> spectrum = zoom(np.cos(2 * np.pi * 12.1 * np.arange(64) / 64))
    >>> round(10 + 0.1 * int(np.argmax(abs(spectrum))), 6)
    12.1
    """

    def __init__(self, n: int, fn: Any, m: int | None = None, *, fs: float = 2, endpoint: bool = False) -> None:
        m = _points(n, m)
        edges = np.ravel(fn)
        if edges.size not in (1, 2):
            raise ValueError(f"fn must be a scalar or 2-length sequence, got {edges.size} numbers")
        f1, f2 = (0.0, fn) if np.size(fn) == 1 else fn
        self.f1, self.f2, self.fs = f1, f2, fs
        step = (f2 - f1) / fs
        if endpoint and m > 1:
            step *= m / (m - 1)
        k = np.arange(max(m, n), dtype=np.float64)
        chirp = np.exp(-1j * np.pi * step * k**2 / m)
        start = np.exp(-2j * np.pi * f1 / fs * k[:n])
        w, a = cmath.exp(-2j * math.pi / m * step), cmath.exp(2j * math.pi * f1 / fs)
        self._set(n, m, w, a, start, chirp)


def czt(x: Any, m: int | None = None, w: complex | None = None, a: complex = 1 + 0j, *, axis: int = -1) -> Any:
    """The chirp z-transform: the z-transform on a spiral.

    Parameters
    ----------
    x : array_like
        Signals along `axis`.
    m, w, a
        As of `CZT`.
    axis : int, optional
        The axis of time.

    Returns
    -------
    array
        Complex, in the precision of `x`, with `m` points along `axis`.

    Raises
    ------
    ValueError
        If `m` is no positive integer or the signal is empty.

    Examples
    --------
    >>> from seichefft import signal
    >>> signal.czt([1.0, 2.0, 3.0], m=1).real.round(9).tolist()
    [6.0]
    """
    x = space_of(x).asarray(x)
    return CZT(x.shape[axis], m, w, a)(x, axis=axis)


def zoom_fft(x: Any, fn: Any, m: int | None = None, *, fs: float = 2, endpoint: bool = False, axis: int = -1) -> Any:
    """The spectrum in a range of frequencies.

    Parameters
    ----------
    x : array_like
        Signals along `axis`.
    fn, m, fs, endpoint
        As of `ZoomFFT`.
    axis : int, optional
        The axis of time.

    Returns
    -------
    array
        Complex, in the precision of `x`, with `m` points along `axis`.

    Raises
    ------
    ValueError
        As of `ZoomFFT`, or if the signal is empty.

    Examples
    --------
    >>> from seichefft import signal
    >>> abs(signal.zoom_fft([1.0, 1.0, 1.0, 1.0], 1.0, fs=2)).round(6).tolist()[0]
    4.0
    """
    x = space_of(x).asarray(x)
    return ZoomFFT(x.shape[axis], fn, m, fs=fs, endpoint=endpoint)(x, axis=axis)
