"""NumPy's `numpy.fft`: its functions with its arguments, for the arrays of any library that seichefft knows.

They differ from those of `seichefft.fft` in their arguments, in what they say of wrong ones, and in that an axis may
be named more than once. ``out=`` takes what NumPy's takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .fft import _helpers
from .fft._helpers import fftshift, ifftshift
from .fft._numpy_arguments import many_axes, one_axis

__all__ = [
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]


def fft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
    """The discrete Fourier transform along one axis.

    Parameters
    ----------
    a : array_like
        Real or complex. A real array is transformed as a complex one.
    n : int, optional
        Length along `axis`: cropped or padded with zeros at its end. Default: that of `a`.
    axis : int, optional
        The axis; negative counts from the last.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    out : array, optional
        Where the result goes: of its shape, and of a type that the result can be cast to.

    Returns
    -------
    array
        Complex, of the shape of `a` but for n along `axis`. Its precision is that of `a`.

    Raises
    ------
    TypeError
        If the array, or `out`, is of a type that does not serve.
    ValueError
        If a length or `norm` makes no sense, or `out` has another shape.
    IndexError
        If there is no such axis.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.numpy_fft.fft([1.0, 2.0, 3.0, 4.0]).tolist()
    [(10+0j), (-2+2j), (-2+0j), (-2-2j)]
    """
    return one_axis("numpy.fft", "c2c", "forward", a, n, axis, norm, out)


def ifft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
    """The inverse of `fft` along one axis.

    Parameters
    ----------
    a : array_like
        Real or complex. A real array is transformed as a complex one.
    n : int, optional
        Length along `axis`: cropped or padded with zeros at its end. Default: that of `a`.
    axis : int, optional
        The axis; negative counts from the last.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    out : array, optional
        Where the result goes: of its shape, and of a type that the result can be cast to.

    Returns
    -------
    array
        Complex, of the shape of `a` but for n along `axis`. Its precision is that of `a`.

    Raises
    ------
    TypeError
        If the array, or `out`, is of a type that does not serve.
    ValueError
        If a length or `norm` makes no sense, or `out` has another shape.
    IndexError
        If there is no such axis.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.numpy_fft.ifft([10, -2 + 2j, -2, -2 - 2j]).real.tolist()
    [1.0, 2.0, 3.0, 4.0]
    """
    return one_axis("numpy.ifft", "c2c", "inverse", a, n, axis, norm, out)


def rfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
    """The discrete Fourier transform of real numbers along one axis.

    Parameters
    ----------
    a : array_like
        Real; a complex array is a TypeError.
    n : int, optional
        Length along `axis`: cropped or padded with zeros at its end. Default: that of `a`.
    axis : int, optional
        The axis; negative counts from the last.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    out : array, optional
        Where the result goes: of its shape, and of a type that the result can be cast to.

    Returns
    -------
    array
        Complex: the first n/2 + 1 values along `axis`, which determine the others. Its precision is that of
        `a`.

    Raises
    ------
    TypeError
        If the array, or `out`, is of a type that does not serve.
    ValueError
        If a length or `norm` makes no sense, or `out` has another shape.
    IndexError
        If there is no such axis.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.numpy_fft.rfft([1.0, 2.0, 3.0, 4.0]).real.tolist()
    [10.0, -2.0, -2.0]
    """
    return one_axis("numpy.rfft", "r2c", "forward", a, n, axis, norm, out)


def irfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
    """The inverse of `rfft` along one axis.

    Parameters
    ----------
    a : array_like
        The first n/2 + 1 values of a spectrum with Hermitian symmetry.
    n : int, optional
        Length of the *result* along `axis`, of whose spectrum n/2 + 1 values are taken. Default: 2 (m - 1)
        for m values, which is even.
    axis : int, optional
        The axis; negative counts from the last.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    out : array, optional
        Where the result goes: of its shape, and of a type that the result can be cast to.

    Returns
    -------
    array
        Real, with n values along `axis`. Its precision is that of `a`.

    Raises
    ------
    TypeError
        If the array, or `out`, is of a type that does not serve.
    ValueError
        If a length or `norm` makes no sense, or `out` has another shape.
    IndexError
        If there is no such axis.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.numpy_fft.irfft([10, -2 + 2j, -2]).tolist()
    [1.0, 2.0, 3.0, 4.0]
    """
    return one_axis("numpy.irfft", "c2r", "inverse", a, n, axis, norm, out)


def hfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
    """The discrete Fourier transform of a signal with Hermitian symmetry along one axis.

    Parameters
    ----------
    a : array_like
        The first n/2 + 1 values of a signal with Hermitian symmetry.
    n : int, optional
        Length of the *result* along `axis`, of which n/2 + 1 values are taken. Default: 2 (m - 1) for m
        values, which is even.
    axis : int, optional
        The axis; negative counts from the last.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    out : array, optional
        Where the result goes: of its shape, and of a type that the result can be cast to.

    Returns
    -------
    array
        Real, with n values along `axis`. Its precision is that of `a`.

    Raises
    ------
    TypeError
        If the array, or `out`, is of a type that does not serve.
    ValueError
        If a length or `norm` makes no sense, or `out` has another shape.
    IndexError
        If there is no such axis.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.numpy_fft.hfft([1.0, 2.0, 3.0]).tolist()
    [8.0, -2.0, 0.0, -2.0]
    """
    return one_axis("numpy.hfft", "hfft", "forward", a, n, axis, norm, out)


def ihfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
    """The inverse of `hfft` along one axis.

    Parameters
    ----------
    a : array_like
        Real; a complex array is a TypeError.
    n : int, optional
        Length along `axis`: cropped or padded with zeros at its end. Default: that of `a`.
    axis : int, optional
        The axis; negative counts from the last.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    out : array, optional
        Where the result goes: of its shape, and of a type that the result can be cast to.

    Returns
    -------
    array
        Complex: the first n/2 + 1 values along `axis`. Its precision is that of `a`.

    Raises
    ------
    TypeError
        If the array, or `out`, is of a type that does not serve.
    ValueError
        If a length or `norm` makes no sense, or `out` has another shape.
    IndexError
        If there is no such axis.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.numpy_fft.ihfft([8.0, -2.0, 0.0, -2.0]).real.tolist()
    [1.0, 2.0, 3.0]
    """
    return one_axis("numpy.ihfft", "ihfft", "inverse", a, n, axis, norm, out)


def fft2(
    a: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = (-2, -1),
    norm: str | None = None,
    out: Any = None,
) -> Any:
    """The discrete Fourier transform along two axes.

    Parameters
    ----------
    a : array_like
        Real or complex. A real array is transformed as a complex one.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends, -1 for that of `a`. Default: the
        shape of `a`.
    axes : sequence of int, optional
        The two axes; one that is named twice is transformed twice.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    out : array, optional
        Where the result goes: of its shape, and of a type that the result can be cast to.

    Returns
    -------
    array
        Complex, of the shape of `a` but for `s` along `axes`. Its precision is that of `a`.

    Raises
    ------
    TypeError
        If the array, or `out`, is of a type that does not serve.
    ValueError
        If a length or `norm` makes no sense, or `out` has another shape.
    IndexError
        If there is no such axis.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.numpy_fft.fft2([[1.0, 2.0], [3.0, 4.0]]).real.tolist()
    [[10.0, -2.0], [-4.0, 0.0]]
    """
    return many_axes("numpy.fft2", "c2c", "forward", a, s, axes, norm, out)


def ifft2(
    a: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = (-2, -1),
    norm: str | None = None,
    out: Any = None,
) -> Any:
    """The inverse of `fft2` along two axes.

    Parameters
    ----------
    a : array_like
        Real or complex. A real array is transformed as a complex one.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends, -1 for that of `a`. Default: the
        shape of `a`.
    axes : sequence of int, optional
        The two axes; one that is named twice is transformed twice.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    out : array, optional
        Where the result goes: of its shape, and of a type that the result can be cast to.

    Returns
    -------
    array
        Complex, of the shape of `a` but for `s` along `axes`. Its precision is that of `a`.

    Raises
    ------
    TypeError
        If the array, or `out`, is of a type that does not serve.
    ValueError
        If a length or `norm` makes no sense, or `out` has another shape.
    IndexError
        If there is no such axis.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.numpy_fft.ifft2([[10, -2], [-4, 0]]).real.tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    return many_axes("numpy.ifft2", "c2c", "inverse", a, s, axes, norm, out)


def rfft2(
    a: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = (-2, -1),
    norm: str | None = None,
    out: Any = None,
) -> Any:
    """The discrete Fourier transform of real numbers along two axes.

    Parameters
    ----------
    a : array_like
        Real; a complex array is a TypeError.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends, -1 for that of `a`. Default: the
        shape of `a`.
    axes : sequence of int, optional
        The two axes; one that is named twice is transformed twice.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    out : array, optional
        Where the result goes: of its shape, and of a type that the result can be cast to.

    Returns
    -------
    array
        Complex: the first n/2 + 1 values along the last of `axes`, which determine the others. Its precision
        is that of `a`.

    Raises
    ------
    TypeError
        If the array, or `out`, is of a type that does not serve.
    ValueError
        If a length or `norm` makes no sense, or `out` has another shape.
    IndexError
        If there is no such axis.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.numpy_fft.rfft2([[1.0, 2.0], [3.0, 4.0]]).real.tolist()
    [[10.0, -2.0], [-4.0, 0.0]]
    """
    return many_axes("numpy.rfft2", "r2c", "forward", a, s, axes, norm, out)


def irfft2(
    a: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = (-2, -1),
    norm: str | None = None,
    out: Any = None,
) -> Any:
    """The inverse of `rfft2` along two axes.

    Parameters
    ----------
    a : array_like
        The first n/2 + 1 values of a spectrum with Hermitian symmetry.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends, -1 for that of `a`. Default: the
        shape of `a` but for 2 (m - 1) along the last of `axes`, which is the length of the result there.
    axes : sequence of int, optional
        The two axes; one that is named twice is transformed twice.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    out : array, optional
        Where the result goes: of its shape, and of a type that the result can be cast to.

    Returns
    -------
    array
        Real, with n values along the last of `axes`. Its precision is that of `a`.

    Raises
    ------
    TypeError
        If the array, or `out`, is of a type that does not serve.
    ValueError
        If a length or `norm` makes no sense, or `out` has another shape.
    IndexError
        If there is no such axis.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.numpy_fft.irfft2([[10, -2], [-4, 0]]).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    return many_axes("numpy.irfft2", "c2r", "inverse", a, s, axes, norm, out)


def fftn(
    a: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
    out: Any = None,
) -> Any:
    """The discrete Fourier transform along several axes.

    Parameters
    ----------
    a : array_like
        Real or complex. A real array is transformed as a complex one.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends, -1 for that of `a`. Default: the
        shape of `a`.
    axes : sequence of int, optional
        The axes; default: all. One that is named twice is transformed twice.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    out : array, optional
        Where the result goes: of its shape, and of a type that the result can be cast to.

    Returns
    -------
    array
        Complex, of the shape of `a` but for `s` along `axes`. Its precision is that of `a`.

    Raises
    ------
    TypeError
        If the array, or `out`, is of a type that does not serve.
    ValueError
        If a length or `norm` makes no sense, or `out` has another shape.
    IndexError
        If there is no such axis.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.numpy_fft.fftn([[1.0, 2.0], [3.0, 4.0]]).real.tolist()
    [[10.0, -2.0], [-4.0, 0.0]]
    """
    return many_axes("numpy.fftn", "c2c", "forward", a, s, axes, norm, out)


def ifftn(
    a: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
    out: Any = None,
) -> Any:
    """The inverse of `fftn` along several axes.

    Parameters
    ----------
    a : array_like
        Real or complex. A real array is transformed as a complex one.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends, -1 for that of `a`. Default: the
        shape of `a`.
    axes : sequence of int, optional
        The axes; default: all. One that is named twice is transformed twice.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    out : array, optional
        Where the result goes: of its shape, and of a type that the result can be cast to.

    Returns
    -------
    array
        Complex, of the shape of `a` but for `s` along `axes`. Its precision is that of `a`.

    Raises
    ------
    TypeError
        If the array, or `out`, is of a type that does not serve.
    ValueError
        If a length or `norm` makes no sense, or `out` has another shape.
    IndexError
        If there is no such axis.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.numpy_fft.ifftn([[10, -2], [-4, 0]]).real.tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    return many_axes("numpy.ifftn", "c2c", "inverse", a, s, axes, norm, out)


def rfftn(
    a: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
    out: Any = None,
) -> Any:
    """The discrete Fourier transform of real numbers along several axes.

    Parameters
    ----------
    a : array_like
        Real; a complex array is a TypeError.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends, -1 for that of `a`. Default: the
        shape of `a`.
    axes : sequence of int, optional
        The axes; default: all. One that is named twice is transformed twice.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    out : array, optional
        Where the result goes: of its shape, and of a type that the result can be cast to.

    Returns
    -------
    array
        Complex: the first n/2 + 1 values along the last of `axes`, which determine the others. Its precision
        is that of `a`.

    Raises
    ------
    TypeError
        If the array, or `out`, is of a type that does not serve.
    ValueError
        If a length or `norm` makes no sense, or `out` has another shape.
    IndexError
        If there is no such axis.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.numpy_fft.rfftn([[1.0, 2.0], [3.0, 4.0]]).real.tolist()
    [[10.0, -2.0], [-4.0, 0.0]]
    """
    return many_axes("numpy.rfftn", "r2c", "forward", a, s, axes, norm, out)


def irfftn(
    a: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str | None = None,
    out: Any = None,
) -> Any:
    """The inverse of `rfftn` along several axes.

    Parameters
    ----------
    a : array_like
        The first n/2 + 1 values of a spectrum with Hermitian symmetry.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends, -1 for that of `a`. Default: the
        shape of `a` but for 2 (m - 1) along the last of `axes`, which is the length of the result there.
    axes : sequence of int, optional
        The axes; default: all. One that is named twice is transformed twice.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    out : array, optional
        Where the result goes: of its shape, and of a type that the result can be cast to.

    Returns
    -------
    array
        Real, with n values along the last of `axes`. Its precision is that of `a`.

    Raises
    ------
    TypeError
        If the array, or `out`, is of a type that does not serve.
    ValueError
        If a length or `norm` makes no sense, or `out` has another shape.
    IndexError
        If there is no such axis.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.numpy_fft.irfftn([[10, -2], [-4, 0]]).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    return many_axes("numpy.irfftn", "c2r", "inverse", a, s, axes, norm, out)


def fftfreq(n: int, d: float = 1.0, device: Any = None) -> Any:
    """The frequencies of the values that `fft` gives, as an array of NumPy.

    Parameters
    ----------
    n : int
        Length of the signal.
    d : float, optional
        Time between samples; frequencies are in its inverse unit.
    device : {None, 'cpu'}, optional
        As NumPy has it.

    Returns
    -------
    ndarray
        Frequencies over n d.

    Raises
    ------
    ValueError
        If `n` is no integer of at least 1.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.numpy_fft.fftfreq(4, 0.5).tolist()
    [0.0, 0.5, -1.0, -0.5]
    """
    return _helpers.fftfreq(n, d, device=device)


def rfftfreq(n: int, d: float = 1.0, device: Any = None) -> Any:
    """The frequencies of the values that `rfft` gives, as an array of NumPy.

    Parameters
    ----------
    n : int
        Length of the signal.
    d : float, optional
        Time between samples; frequencies are in its inverse unit.
    device : {None, 'cpu'}, optional
        As NumPy has it.

    Returns
    -------
    ndarray
        Frequencies over n d.

    Raises
    ------
    ValueError
        If `n` is no integer of at least 1.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.numpy_fft.rfftfreq(4, 0.5).tolist()
    [0.0, 0.5, 1.0]
    """
    return _helpers.rfftfreq(n, d, device=device)
