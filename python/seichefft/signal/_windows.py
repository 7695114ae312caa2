"""Windows by name, and what is said of them: noise bandwidth and levels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ._space import space_of

__all__ = ["dbfs", "enbw", "get_window"]

#: Windows that are sums of cosines, by their coefficients.
_COSINES = {
    "boxcar": (1.0,),
    "hann": (0.5, 0.5),
    "hamming": (0.54, 0.46),
    "blackman": (0.42, 0.5, 0.08),
}
_OTHER_NAMES = {
    "rect": "boxcar", "rectangular": "boxcar", "ones": "boxcar", "box": "boxcar", "hanning": "hann", "han": "hann",
    "hamm": "hamming", "ham": "hamming", "black": "blackman", "blk": "blackman", "ksr": "kaiser", "gauss": "gaussian",
    "gss": "gaussian", "tuk": "tukey",
}  # fmt: skip


def _tukey(points: Any, last: float, alpha: float) -> Any:
    if alpha <= 0:
        return np.ones_like(points)
    width = min(alpha, 1.0) * last / 2
    edge = np.minimum(points, last - points)
    return np.where(edge < width, 0.5 * (1 - np.cos(np.pi * np.minimum(edge / max(width, 1e-300), 1))), 1.0)


def _own(name: str, arguments: tuple[Any, ...], length: int, is_periodic: bool) -> Any:
    if length <= 1:
        return np.ones(length)
    points, last = np.arange(length, dtype=np.float64), length - 1 + is_periodic
    if name in _COSINES and not arguments:
        return sum(
            (-1) ** k * weight * np.cos(2 * np.pi * k * points / last) for k, weight in enumerate(_COSINES[name])
        )
    if name == "kaiser" and len(arguments) == 1:
        beta = float(arguments[0])
        return np.i0(beta * np.sqrt(np.maximum(1 - (2 * points / last - 1) ** 2, 0))) / np.i0(beta)
    if name == "gaussian" and len(arguments) == 1:
        return np.exp(-0.5 * ((points - last / 2) / float(arguments[0])) ** 2)
    if name == "tukey" and len(arguments) <= 1:
        return _tukey(points, last, float(arguments[0]) if arguments else 0.5)
    known = ", ".join([*_COSINES, "kaiser", "gaussian", "tukey"])
    raise ValueError(f"window: expected one of {known} with its arguments, or SciPy installed, got {name!r}")


def get_window(window: Any, Nx: int, fftbins: bool = True) -> Any:
    """A window by its name: SciPy's where SciPy is installed, else one of hann, hamming, blackman, boxcar, kaiser,
    gaussian and tukey.

    Parameters
    ----------
    window : str, tuple or float
        A name, with ``_periodic`` or ``_symmetric`` behind it or not; a name and its arguments; or the beta of
        ``'kaiser'``.
    Nx : int
        Its length.
    fftbins : bool, optional
        Periodic, for transforms, or symmetric, for filters; the name's ending goes before.

    Returns
    -------
    numpy.ndarray (Nx,)
        float64.

    Raises
    ------
    ValueError
        For an unknown window.

    Examples
    --------
    >>> from seichefft import signal
    >>> signal.get_window("hann", 4).round(9).tolist()
    [0.0, 0.5, 1.0, 0.5]
    """
    arguments: tuple[Any, ...] = ()
    if isinstance(window, str):
        name = window
    elif isinstance(window, tuple):
        if not window or not isinstance(window[0], str):
            raise ValueError(f"window: expected a tuple that begins with a name, got {window!r}")
        name, arguments = window[0], window[1:]
    else:
        try:
            name, arguments = "kaiser", (float(window),)
        except (TypeError, ValueError):
            raise ValueError(f"{type(window)} as window type is not supported.") from None
    for ending, is_periodic in (("_periodic", True), ("_symmetric", False)):
        if name.endswith(ending):
            name, fftbins = name.removesuffix(ending), is_periodic
    try:
        from scipy.signal.windows import get_window as scipys
    except ImportError:
        return _own(_OTHER_NAMES.get(name, name), arguments, int(Nx), bool(fftbins))
    return scipys((name, *arguments) if arguments else name, Nx, fftbins=fftbins)


def enbw(window: Any) -> float:
    """The equivalent noise bandwidth of a window, in bins.

    Parameters
    ----------
    window : array_like (n,)
        Real or complex.

    Returns
    -------
    float
        1 for a rectangle, 1.5 for a Hann window; times fs / n it is in hertz.

    Raises
    ------
    ValueError
        If the window has not one axis, or its sum is 0.

    Examples
    --------
    >>> from seichefft import signal
    >>> round(signal.enbw(signal.get_window("hann", 64)), 6)
    1.5
    """
    window = np.asarray(window)
    if window.ndim != 1 or window.size == 0:
        raise ValueError(f"window: expected one axis, got shape {window.shape}")
    total = abs(window.sum()) ** 2
    if total == 0:
        raise ValueError("window: expected a sum other than 0")
    return float(window.size * np.sum(np.abs(window) ** 2) / total)


def dbfs(power: Any, floor: float = -math.inf) -> Any:
    """Levels in dBFS: a sine of amplitude 1 is at 0.

    Parameters
    ----------
    power : array_like
        Mean squares, as `welch` and `periodogram` give with ``scaling='spectrum'``: of a full-scale sine 0.5.
    floor : float, optional
        The lowest level that is given.

    Returns
    -------
    array
        10 log10(2 power), at least `floor`.

    Raises
    ------
    ValueError
        For complex values: a squared magnitude is wanted.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import signal
    >>> x = np.sin(2 * np.pi * 8 * np.arange(64) / 64)
    >>> frequencies, power = signal.periodogram(x, scaling="spectrum")
    >>> bool(abs(signal.dbfs(power)[8]) < 1e-9)
    True
    """
    space = space_of(power)
    power = space.floating(space.asarray(power))
    if space.is_complex(power):
        raise ValueError("power: expected squared magnitudes, which are real, got complex values")
    xp = space.xp
    is_silent = power <= 0
    levels = 10 * xp.log10(2 * xp.where(is_silent, xp.ones_like(power), power))
    levels = xp.where(is_silent, xp.full_like(levels, -math.inf), levels)
    return levels if floor == -math.inf else xp.where(levels < floor, xp.full_like(levels, floor), levels)
