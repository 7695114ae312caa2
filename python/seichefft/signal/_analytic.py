"""Analytic signals and envelopes: `hilbert`, `hilbert2`, `envelope`."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .. import fft
from ._resample import real_resampled, resampled
from ._space import Space, space_of

__all__ = ["envelope", "hilbert", "hilbert2"]


def _real_signal(x: Any) -> tuple[Space, Any]:
    space = space_of(x)
    x = space.asarray(x)
    if space.is_complex(x):
        raise ValueError(f"x must be real, got elements of {x.dtype}.")
    return space, x


def _length(n: Any) -> int:
    n = operator.index(n)
    if n <= 0:
        raise ValueError(f"N must be positive, got {n}.")
    return int(n)


def hilbert(x: Any, N: int | None = None, axis: int = -1) -> Any:
    """The analytic signal, x + i H(x): its spectrum has no negative frequencies.

    Parameters
    ----------
    x : array_like
        Real signals.
    N : int, optional
        They are cropped or padded with zeros to this length.
    axis : int, optional
        The axis of time.

    Returns
    -------
    array
        Complex, in the precision of `x`.

    Raises
    ------
    ValueError
        If `x` is complex or `N` below 1.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import signal
    >>> z = signal.hilbert(np.cos(2 * np.pi * np.arange(8) / 8))
    >>> abs(z).round(9).tolist()
    [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    """
    space, x = _real_signal(x)
    N = x.shape[axis] if N is None else _length(N)
    if N <= 0:
        raise ValueError(f"N must be positive, got {N}.")
    weights = np.zeros(N)
    weights[0] = 1
    weights[1 : (N + 1) // 2] = 2
    if N % 2 == 0:
        weights[N // 2] = 1
    spectrum = fft.fft(x, N, axis)
    shape = [1] * len(spectrum.shape)
    shape[axis] = N
    return fft.ifft(spectrum * space.weights(weights.reshape(shape), spectrum), axis=axis)


def hilbert2(x: Any, N: Any = None, axes: tuple[int, int] = (-2, -1)) -> Any:
    """The analytic signal of two axes: of its spectrum, positive frequencies of both are left, four times in all.

    Parameters
    ----------
    x : array_like
        Real, with at least two axes.
    N : int or (int, int), optional
        The axes are cropped or padded with zeros to these lengths.
    axes : (int, int), optional
        Along these.

    Returns
    -------
    array
        Complex, in the precision of `x`.

    Raises
    ------
    ValueError
        If `x` is complex, a length below 1, or the axes not two.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import signal
    >>> signal.hilbert2(np.ones((4, 4))).real.round(9).max().item()
    1.0
    """
    space, x = _real_signal(x)
    while x.ndim < 2:
        x = x[None, ...]
    if len(axes) != 2:
        raise ValueError(f"axes must be a tuple of length 2, got {axes!r}")
    if axes[0] % x.ndim == axes[1] % x.ndim:
        raise ValueError(f"axes must contain 2 distinct axes, got {axes!r}")
    if N is None:
        lengths = (x.shape[axes[0]], x.shape[axes[1]])
    elif isinstance(N, (int, np.integer)):
        lengths = (_length(N), _length(N))
    else:
        if len(N) != 2 or any(n <= 0 for n in N):
            raise ValueError(f"When given as a tuple, N must hold exactly two positive integers, got {N!r}")
        lengths = (operator.index(N[0]), operator.index(N[1]))
    spectrum = fft.fft2(x, lengths, axes)
    for axis, length in zip(axes, lengths):
        positive = (length + 1) // 2
        weights = np.zeros(length)
        weights[0] = 1
        weights[1:positive] = 2
        shape = [1] * x.ndim
        shape[axis] = length
        spectrum = spectrum * space.weights(weights.reshape(shape), spectrum)
    return fft.ifft2(spectrum, axes=axes)


def _band(bp_in: Any, n: int) -> tuple[int, int]:
    if len(bp_in) != 2 or not all(edge is None or isinstance(edge, int) for edge in bp_in):
        raise ValueError(f"bp_in={bp_in!r} isn't a 2-tuple of type (int | None, int | None)!")
    start = -(n // 2) if bp_in[0] is None else bp_in[0]
    stop = (n + 1) // 2 if bp_in[1] is None else bp_in[1]
    if not -n // 2 <= start < stop <= (n + 1) // 2:
        raise ValueError(
            f"`-n//2 <= bp_in[0] < bp_in[1] <= (n+1)//2` does not hold for n=z.shape[axis]={n} and bp_in={bp_in!r}!"
        )
    return start, stop


def envelope(
    z: Any,
    bp_in: tuple[int | None, int | None] = (1, None),
    *,
    n_out: int | None = None,
    squared: bool = False,
    residual: str | None = "lowpass",
    axis: int = -1,
) -> Any:
    """The envelope of a band of a signal, and what the signal has besides.

    Parameters
    ----------
    z : array
        Real or complex signals.
    bp_in : (int or None, int or None), optional
        The band, as bins of the centred spectrum, the second not in it; None: up to the end.
    n_out : int, optional
        Samples of the result. Default: those of `z`.
    squared : bool, optional
        Whether the envelope is squared.
    residual : {'lowpass', 'all', None}, optional
        What is given besides: what lies below the band, all outside it, or nothing.
    axis : int, optional
        The axis of time.

    Returns
    -------
    array
        With a `residual`, two along a new first axis: the envelope and the residual; else the envelope.

    Raises
    ------
    ValueError
        For a band or a word that does not fit.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import signal
    >>> t = np.arange(32) / 32
    >>> envelope, rest = signal.envelope(3 + 2 * np.cos(2 * np.pi * 5 * t))
    >>> envelope.round(9)[:3].tolist(), rest.round(9)[:3].tolist()
    ([2.0, 2.0, 2.0], [3.0, 3.0, 3.0])
    """
    space = space_of(z)
    z = space.asarray(z)
    if not -z.ndim <= axis < z.ndim:
        raise ValueError(f"Invalid parameter axis={axis!r} for z.shape={tuple(z.shape)!r}!")
    n = z.shape[axis]
    if n < 1:
        raise ValueError(f"z.shape[axis] not > 0 for z.shape={tuple(z.shape)!r}, axis={axis!r}!")
    if n_out is not None and not (isinstance(n_out, int) and n_out > 0):
        raise ValueError(f"n_out={n_out!r} is not a positive integer or None!")
    if residual not in ("lowpass", "all", None):
        raise ValueError(f"residual={residual!r} not in ['lowpass', 'all', None]!")
    start, stop = _band(bp_in, n)
    n_out = n if n_out is None else n_out
    z = space.floating(space.moveaxis(z, axis, -1))
    is_complex = space.is_complex(z)
    bins = np.arange(-(n // 2), (n + 1) // 2)  # of the centred spectrum, which has -n/2 where n is even
    spectrum = fft.fftshift(fft.fft(z), -1)
    first = n // 2
    band = spectrum[..., start + first : stop + first]
    if not is_complex:
        factors = np.where(bins > 0, 2.0, np.where(bins == 0, 1.0, 0.0))
        if start > 0:
            factors[first:] = 2.0
        if stop <= 0:
            factors = np.where(bins == 0, 1.0, 0.0)
        if n % 2 == 0:
            factors[0] = 1.0  # the bin of both signs
        band = band * space.weights(factors[start + first : stop + first], band)
    baseband = fft.ifft(band, n_out) * (n_out / n)
    result = space.power(baseband) if squared else abs(baseband)
    result = space.moveaxis(result, -1, axis)
    if residual is None:
        return result
    is_kept = (bins < start) | ((bins >= stop) if residual == "all" else False)
    return space.xp.stack([result, space.moveaxis(_residual(space, z, is_kept, n_out), -1, axis)], axis=0)


def _residual(space: Space, z: Any, is_kept: Any, n_out: int) -> Any:
    """The bins of the centred spectrum that are kept, as a signal of `n_out` samples."""
    n = z.shape[-1]
    if space.is_complex(z):
        spectrum = fft.fft(z)
        kept = np.roll(np.where(is_kept, 1.0, 0.0), -(n // 2))
        return resampled(space, spectrum * space.weights(kept, spectrum), n_out)
    spectrum = fft.rfft(z)
    kept = np.roll(np.where(is_kept, 1.0, 0.0), -(n // 2))[: n // 2 + 1]
    return real_resampled(space, spectrum * space.weights(kept, spectrum), n, n_out)
