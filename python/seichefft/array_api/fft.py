"""The `fft` extension of the Python array API standard, for the arrays of any library that seichefft knows.

`x` is by position and all else by keyword, as the standard has it; a real array is transformed as a complex one of
its precision by `fft` and its like.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..fft import _helpers
from ..fft._arguments import many_axes, one_axis

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]


def fft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    """The discrete Fourier transform along one axis.

    Parameters
    ----------
    x : array
        Real or complex. A real array is transformed as a complex one.
    n : int, optional
        Length along `axis`: cropped or padded with zeros at its end. Default: that of `x`.
    axis : int, optional
        The axis; negative counts from the last.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.

    Returns
    -------
    array
        Complex, of the shape of `x` but for n along `axis`. Its precision is that of `x`.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import numpy, seichefft
    >>> seichefft.array_api.fft.fft(numpy.asarray([1.0, 2.0, 3.0, 4.0])).tolist()
    [(10+0j), (-2+2j), (-2+0j), (-2-2j)]
    """
    return one_axis("fft", "c2c", "forward", x, n, axis, norm, False, None, None, None)


def ifft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    """The inverse of `fft` along one axis.

    Parameters
    ----------
    x : array
        Real or complex. A real array is transformed as a complex one.
    n : int, optional
        Length along `axis`: cropped or padded with zeros at its end. Default: that of `x`.
    axis : int, optional
        The axis; negative counts from the last.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.

    Returns
    -------
    array
        Complex, of the shape of `x` but for n along `axis`. Its precision is that of `x`.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import numpy, seichefft
    >>> seichefft.array_api.fft.ifft(numpy.asarray([10, -2 + 2j, -2, -2 - 2j])).real.tolist()
    [1.0, 2.0, 3.0, 4.0]
    """
    return one_axis("ifft", "c2c", "inverse", x, n, axis, norm, False, None, None, None)


def rfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    """The discrete Fourier transform of real numbers along one axis.

    Parameters
    ----------
    x : array
        Real; a complex array is a TypeError.
    n : int, optional
        Length along `axis`: cropped or padded with zeros at its end. Default: that of `x`.
    axis : int, optional
        The axis; negative counts from the last.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.

    Returns
    -------
    array
        Complex: the first n/2 + 1 values along `axis`, which determine the others. Its precision is that of
        `x`.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import numpy, seichefft
    >>> seichefft.array_api.fft.rfft(numpy.asarray([1.0, 2.0, 3.0, 4.0])).real.tolist()
    [10.0, -2.0, -2.0]
    """
    return one_axis("rfft", "r2c", "forward", x, n, axis, norm, False, None, None, None)


def irfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    """The inverse of `rfft` along one axis.

    Parameters
    ----------
    x : array
        The first n/2 + 1 values of a spectrum with Hermitian symmetry.
    n : int, optional
        Length of the *result* along `axis`, of whose spectrum n/2 + 1 values are taken. Default: 2 (m - 1)
        for m values, which is even.
    axis : int, optional
        The axis; negative counts from the last.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.

    Returns
    -------
    array
        Real, with n values along `axis`. Its precision is that of `x`.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import numpy, seichefft
    >>> seichefft.array_api.fft.irfft(numpy.asarray([10, -2 + 2j, -2])).tolist()
    [1.0, 2.0, 3.0, 4.0]
    """
    return one_axis("irfft", "c2r", "inverse", x, n, axis, norm, False, None, None, None)


def hfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    """The discrete Fourier transform of a signal with Hermitian symmetry along one axis.

    Parameters
    ----------
    x : array
        The first n/2 + 1 values of a signal with Hermitian symmetry.
    n : int, optional
        Length of the *result* along `axis`, of which n/2 + 1 values are taken. Default: 2 (m - 1) for m
        values, which is even.
    axis : int, optional
        The axis; negative counts from the last.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.

    Returns
    -------
    array
        Real, with n values along `axis`. Its precision is that of `x`.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import numpy, seichefft
    >>> seichefft.array_api.fft.hfft(numpy.asarray([1.0, 2.0, 3.0])).tolist()
    [8.0, -2.0, 0.0, -2.0]
    """
    return one_axis("hfft", "hfft", "forward", x, n, axis, norm, False, None, None, None)


def ihfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
    """The inverse of `hfft` along one axis.

    Parameters
    ----------
    x : array
        Real; a complex array is a TypeError.
    n : int, optional
        Length along `axis`: cropped or padded with zeros at its end. Default: that of `x`.
    axis : int, optional
        The axis; negative counts from the last.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.

    Returns
    -------
    array
        Complex: the first n/2 + 1 values along `axis`. Its precision is that of `x`.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import numpy, seichefft
    >>> seichefft.array_api.fft.ihfft(numpy.asarray([8.0, -2.0, 0.0, -2.0])).real.tolist()
    [1.0, 2.0, 3.0]
    """
    return one_axis("ihfft", "ihfft", "inverse", x, n, axis, norm, False, None, None, None)


def fftn(
    x: Any, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str = "backward"
) -> Any:
    """The discrete Fourier transform along several axes.

    Parameters
    ----------
    x : array
        Real or complex. A real array is transformed as a complex one.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends, -1 for that of `x`. Default: the
        shape of `x`.
    axes : sequence of int, optional
        The axes; default: all, or with `s` the last len(s).
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.

    Returns
    -------
    array
        Complex, of the shape of `x` but for `s` along `axes`. Its precision is that of `x`.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import numpy, seichefft
    >>> seichefft.array_api.fft.fftn(numpy.asarray([[1.0, 2.0], [3.0, 4.0]])).real.tolist()
    [[10.0, -2.0], [-4.0, 0.0]]
    """
    return many_axes("fftn", "c2c", "forward", x, s, axes, norm, False, None, None, None)


def ifftn(
    x: Any, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str = "backward"
) -> Any:
    """The inverse of `fftn` along several axes.

    Parameters
    ----------
    x : array
        Real or complex. A real array is transformed as a complex one.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends, -1 for that of `x`. Default: the
        shape of `x`.
    axes : sequence of int, optional
        The axes; default: all, or with `s` the last len(s).
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.

    Returns
    -------
    array
        Complex, of the shape of `x` but for `s` along `axes`. Its precision is that of `x`.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import numpy, seichefft
    >>> seichefft.array_api.fft.ifftn(numpy.asarray([[10, -2], [-4, 0]])).real.tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    return many_axes("ifftn", "c2c", "inverse", x, s, axes, norm, False, None, None, None)


def rfftn(
    x: Any, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str = "backward"
) -> Any:
    """The discrete Fourier transform of real numbers along several axes.

    Parameters
    ----------
    x : array
        Real; a complex array is a TypeError.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends, -1 for that of `x`. Default: the
        shape of `x`.
    axes : sequence of int, optional
        The axes; default: all, or with `s` the last len(s).
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.

    Returns
    -------
    array
        Complex: the first n/2 + 1 values along the last of `axes`, which determine the others. Its precision
        is that of `x`.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import numpy, seichefft
    >>> seichefft.array_api.fft.rfftn(numpy.asarray([[1.0, 2.0], [3.0, 4.0]])).real.tolist()
    [[10.0, -2.0], [-4.0, 0.0]]
    """
    return many_axes("rfftn", "r2c", "forward", x, s, axes, norm, False, None, None, None)


def irfftn(
    x: Any, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str = "backward"
) -> Any:
    """The inverse of `rfftn` along several axes.

    Parameters
    ----------
    x : array
        The first n/2 + 1 values of a spectrum with Hermitian symmetry.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends, -1 for that of `x`. Default: the
        shape of `x` but for 2 (m - 1) along the last of `axes`, which is the length of the result there.
    axes : sequence of int, optional
        The axes; default: all, or with `s` the last len(s).
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.

    Returns
    -------
    array
        Real, with n values along the last of `axes`. Its precision is that of `x`.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import numpy, seichefft
    >>> seichefft.array_api.fft.irfftn(numpy.asarray([[10, -2], [-4, 0]])).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    return many_axes("irfftn", "c2r", "inverse", x, s, axes, norm, False, None, None, None)


def fftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies of the values that `fft` gives, as an array of NumPy.

    Parameters
    ----------
    n : int
        Length of the signal.
    d : float, optional
        Time between samples; frequencies are in its inverse unit.
    dtype : real dtype, optional
        Of the result; default: float64.
    device : {None, 'cpu'}, optional
        As NumPy has it.

    Returns
    -------
    ndarray
        Frequencies over n d.

    Raises
    ------
    ValueError
        If `n` is no integer of at least 1, or `dtype` is not real.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.array_api.fft.fftfreq(4, d=0.5).tolist()
    [0.0, 0.5, -1.0, -0.5]
    """
    return _as_type(_helpers.fftfreq(n, d, device=device), dtype)


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Any:
    """The frequencies of the values that `rfft` gives, as an array of NumPy.

    Parameters
    ----------
    n : int
        Length of the signal.
    d : float, optional
        Time between samples; frequencies are in its inverse unit.
    dtype : real dtype, optional
        Of the result; default: float64.
    device : {None, 'cpu'}, optional
        As NumPy has it.

    Returns
    -------
    ndarray
        Frequencies over n d.

    Raises
    ------
    ValueError
        If `n` is no integer of at least 1, or `dtype` is not real.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.array_api.fft.rfftfreq(4, d=0.5).tolist()
    [0.0, 0.5, 1.0]
    """
    return _as_type(_helpers.rfftfreq(n, d, device=device), dtype)


def fftshift(x: Any, /, *, axes: int | Sequence[int] | None = None) -> Any:
    """Moves frequency 0 to the middle.

    Parameters
    ----------
    x : array
        Of any type.
    axes : int or sequence of int, optional
        Along these; default: all.

    Returns
    -------
    array
        Of the shape and type of `x`.

    Raises
    ------
    IndexError
        If there is no such axis.

    Examples
    --------
    >>> import numpy, seichefft
    >>> seichefft.array_api.fft.fftshift(numpy.asarray([0, 1, 2, -2, -1])).tolist()
    [-2, -1, 0, 1, 2]
    """
    return _helpers.fftshift(x, axes)


def ifftshift(x: Any, /, *, axes: int | Sequence[int] | None = None) -> Any:
    """The inverse of `fftshift`.

    Parameters
    ----------
    x : array
        Of any type.
    axes : int or sequence of int, optional
        Along these; default: all.

    Returns
    -------
    array
        Of the shape and type of `x`.

    Raises
    ------
    IndexError
        If there is no such axis.

    Examples
    --------
    >>> import numpy, seichefft
    >>> seichefft.array_api.fft.ifftshift(numpy.asarray([-2, -1, 0, 1, 2])).tolist()
    [0, 1, 2, -2, -1]
    """
    return _helpers.ifftshift(x, axes)


def _as_type(frequencies: Any, dtype: Any) -> Any:
    if dtype is None:
        return frequencies
    if frequencies.astype(dtype).dtype.kind != "f":
        raise ValueError(f"dtype: expected a real floating-point type, got {dtype}")
    return frequencies.astype(dtype)
