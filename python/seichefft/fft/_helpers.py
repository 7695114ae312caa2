"""Sample frequencies, shifts of the spectrum, and lengths that are fast."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from .. import _checks, _native
from .._arrays import adapter_of
from ._arguments import axis_of

__all__ = ["fftfreq", "fftshift", "ifftshift", "next_fast_len", "prev_fast_len", "rfftfreq"]

#: A length whose prime factors are at most this is transformed directly.
_LARGEST_FACTOR = 13


def _length(n: Any) -> int:
    try:
        n = operator.index(n)
    except TypeError:
        raise ValueError("n should be an integer") from None
    if n < 1:
        raise ValueError(f"n: expected at least 1, got {n}")
    return int(n)


def _span(n: int, d: Any) -> Any:
    """n d; of numbers, other than 0, as Python divides, not as NumPy does."""
    if isinstance(d, (int, float)) and d == 0:
        raise ZeroDivisionError("d: expected another spacing than 0, got 0")
    return n * d


def _namespace(xp: Any) -> Any:
    if xp is not None:
        return xp
    import numpy

    return numpy


def fftfreq(n: int, d: float = 1.0, *, xp: Any = None, device: Any = None) -> Any:
    """The frequencies of the values that `fft` gives.

    Parameters
    ----------
    n : int
        Length.
    d : float, optional
        Time between samples; frequencies are in its inverse unit.
    xp : module, optional
        Where the array comes from, such as ``cupy``. Default: NumPy.
    device : optional
        For `xp`.

    Returns
    -------
    array (n,)
        0, 1, ..., then the negative ones, over n d.

    Raises
    ------
    ValueError
        If `n` is no integer of at least 1.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.fft.fftfreq(4, 0.5).tolist()
    [0.0, 0.5, -1.0, -0.5]
    """
    n, xp = _length(n), _namespace(xp)
    options = {} if device is None else {"device": device}
    numbers = xp.arange(n, dtype=xp.float64, **options)
    return (numbers - n * (numbers >= (n + 1) // 2)) / _span(n, d)


def rfftfreq(n: int, d: float = 1.0, *, xp: Any = None, device: Any = None) -> Any:
    """The frequencies of the values that `rfft` gives.

    Parameters
    ----------
    n : int
        Length of the signal.
    d : float, optional
        Time between samples; frequencies are in its inverse unit.
    xp : module, optional
        Where the array comes from, such as ``cupy``. Default: NumPy.
    device : optional
        For `xp`.

    Returns
    -------
    array (n/2 + 1,)
        0, 1, ..., over n d.

    Raises
    ------
    ValueError
        If `n` is no integer of at least 1.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.fft.rfftfreq(4, 0.5).tolist()
    [0.0, 0.5, 1.0]
    """
    n, xp = _length(n), _namespace(xp)
    options = {} if device is None else {"device": device}
    return xp.arange(n // 2 + 1, dtype=xp.float64, **options) / _span(n, d)


def _rolled(x: Any, axes: Any, shift: Any) -> Any:
    adapter = adapter_of(x)
    x = adapter.asarray(x)
    ndim = len(x.shape)
    if axes is None:
        chosen = list(range(ndim))
    elif isinstance(axes, int):
        chosen = [axis_of(axes, ndim)]
    else:
        chosen = [axis_of(axis, ndim) for axis in axes]
    if not chosen:
        return x
    return adapter.rolled(x, tuple(shift(x.shape[axis]) for axis in chosen), tuple(chosen))


def fftshift(x: Any, axes: int | Sequence[int] | None = None) -> Any:
    """Moves frequency 0 to the middle.

    Parameters
    ----------
    x : array_like
        Of any type.
    axes : int or sequence of int, optional
        Along these; default: all.

    Returns
    -------
    array
        Of the shape and type of `x`.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.fft.fftshift([0, 1, 2, -2, -1]).tolist()
    [-2, -1, 0, 1, 2]
    """
    return _rolled(x, axes, lambda length: length // 2)


def ifftshift(x: Any, axes: int | Sequence[int] | None = None) -> Any:
    """The inverse of `fftshift`.

    Parameters
    ----------
    x : array_like
        Of any type.
    axes : int or sequence of int, optional
        Along these; default: all.

    Returns
    -------
    array
        Of the shape and type of `x`.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.fft.ifftshift([-2, -1, 0, 1, 2]).tolist()
    [0, 1, 2, -2, -1]
    """
    return _rolled(x, axes, lambda length: -(length // 2))


def next_fast_len(target: int, real: bool = False) -> int:
    """The smallest length, at least `target`, that is transformed fastest: its prime factors are at most 13.

    Parameters
    ----------
    target : int
        0, which gives 0, or more.
    real : bool, optional
        For transforms of real numbers, which makes no difference here.

    Returns
    -------
    int

    Raises
    ------
    TypeError
        If `target` is no integer.
    ValueError
        If it is below 0 or beyond 2^62.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.fft.next_fast_len(1021)
    1024
    """
    target = _checks.integer("target", target, 0, 2**62)
    return _native.next_fast_length(target) if target else 0


def prev_fast_len(target: int, real: bool = False) -> int:
    """The largest length, at most `target`, that is transformed fastest: its prime factors are at most 13.

    Parameters
    ----------
    target : int
        0, which gives 0, or more.
    real : bool, optional
        For transforms of real numbers, which makes no difference here.

    Returns
    -------
    int

    Raises
    ------
    TypeError
        If `target` is no integer.
    ValueError
        If it is below 0 or beyond 2^62.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.fft.prev_fast_len(1021)
    1014
    """
    target = _checks.integer("target", target, 0, 2**62)
    return _largest_product(target, _LARGEST_FACTOR) if target else 0


def _largest_product(most: int, largest_factor: int) -> int:
    """The largest number, at most `most`, without a prime factor above `largest_factor`."""
    best = 1
    products = [1]
    for prime in [p for p in (13, 11, 7, 5, 3) if p <= largest_factor]:
        products = [
            product * prime**power
            for product in products
            for power in range(most.bit_length())
            if product * prime**power <= most
        ]
    for product in products:
        best = max(best, product << ((most // product).bit_length() - 1))
    return best
