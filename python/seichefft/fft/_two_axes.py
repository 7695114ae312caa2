"""The Fourier transforms of SciPy's interface along two axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._arguments import many_axes

__all__ = ["fft2", "hfft2", "ifft2", "ihfft2", "irfft2", "rfft2"]


def fft2(
    x: Any,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = (-2, -1),
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: Any = None,
    out: Any = None,
) -> Any:
    """The discrete Fourier transform along two axes.

    Parameters
    ----------
    x : array_like
        Real or complex. A real array is transformed as a complex one.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends, -1 for that of `x`. Default: the
        shape of `x`.
    axes : sequence of int, optional
        The two axes.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    overwrite_x : bool, optional
        The contents of `x` may be destroyed; the result may then be `x` itself.
    workers : int, optional
        Checked as SciPy does, and without effect: see `set_workers`.
    plan : seichefft.Plan, optional
        A plan for exactly this transform, in place of the cache of plans.
    out : array, optional
        Where the result goes: an array of its shape and type, of the same library. Default: a new array.

    Returns
    -------
    array
        Complex, of the shape of `x` but for `s` along `axes`. Its precision is that of `x`.

    Raises
    ------
    TypeError
        If the array, or `out`, is of a type that does not serve.
    ValueError
        If a length, an axis, `norm` or `workers` makes no sense, or `out` has another shape.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.fft.fft2([[1.0, 2.0], [3.0, 4.0]]).real.tolist()
    [[10.0, -2.0], [-4.0, 0.0]]
    """
    return many_axes("fft2", "c2c", "forward", x, s, axes, norm, overwrite_x, workers, plan, out)


def ifft2(
    x: Any,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = (-2, -1),
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: Any = None,
    out: Any = None,
) -> Any:
    """The inverse of `fft2` along two axes.

    Parameters
    ----------
    x : array_like
        Real or complex. A real array is transformed as a complex one.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends, -1 for that of `x`. Default: the
        shape of `x`.
    axes : sequence of int, optional
        The two axes.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    overwrite_x : bool, optional
        The contents of `x` may be destroyed; the result may then be `x` itself.
    workers : int, optional
        Checked as SciPy does, and without effect: see `set_workers`.
    plan : seichefft.Plan, optional
        A plan for exactly this transform, in place of the cache of plans.
    out : array, optional
        Where the result goes: an array of its shape and type, of the same library. Default: a new array.

    Returns
    -------
    array
        Complex, of the shape of `x` but for `s` along `axes`. Its precision is that of `x`.

    Raises
    ------
    TypeError
        If the array, or `out`, is of a type that does not serve.
    ValueError
        If a length, an axis, `norm` or `workers` makes no sense, or `out` has another shape.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.fft.ifft2([[10, -2], [-4, 0]]).real.tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    return many_axes("ifft2", "c2c", "inverse", x, s, axes, norm, overwrite_x, workers, plan, out)


def rfft2(
    x: Any,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = (-2, -1),
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: Any = None,
    out: Any = None,
) -> Any:
    """The discrete Fourier transform of real numbers along two axes.

    Parameters
    ----------
    x : array_like
        Real; a complex array is a TypeError.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends, -1 for that of `x`. Default: the
        shape of `x`.
    axes : sequence of int, optional
        The two axes.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    overwrite_x : bool, optional
        The contents of `x` may be destroyed; the result may then be `x` itself.
    workers : int, optional
        Checked as SciPy does, and without effect: see `set_workers`.
    plan : seichefft.Plan, optional
        A plan for exactly this transform, in place of the cache of plans.
    out : array, optional
        Where the result goes: an array of its shape and type, of the same library. Default: a new array.

    Returns
    -------
    array
        Complex: the first n/2 + 1 values along the last of `axes`, which determine the others. Its precision
        is that of `x`.

    Raises
    ------
    TypeError
        If the array, or `out`, is of a type that does not serve.
    ValueError
        If a length, an axis, `norm` or `workers` makes no sense, or `out` has another shape.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.fft.rfft2([[1.0, 2.0], [3.0, 4.0]]).real.tolist()
    [[10.0, -2.0], [-4.0, 0.0]]
    """
    return many_axes("rfft2", "r2c", "forward", x, s, axes, norm, overwrite_x, workers, plan, out)


def irfft2(
    x: Any,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = (-2, -1),
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: Any = None,
    out: Any = None,
) -> Any:
    """The inverse of `rfft2` along two axes.

    Parameters
    ----------
    x : array_like
        The first n/2 + 1 values of a spectrum with Hermitian symmetry.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends, -1 for that of `x`. Default: the
        shape of `x` but for 2 (m - 1) along the last of `axes`, which is the length of the result there.
    axes : sequence of int, optional
        The two axes.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    overwrite_x : bool, optional
        The contents of `x` may be destroyed; the result may then be `x` itself.
    workers : int, optional
        Checked as SciPy does, and without effect: see `set_workers`.
    plan : seichefft.Plan, optional
        A plan for exactly this transform, in place of the cache of plans.
    out : array, optional
        Where the result goes: an array of its shape and type, of the same library. Default: a new array.

    Returns
    -------
    array
        Real, with n values along the last of `axes`. Its precision is that of `x`.

    Raises
    ------
    TypeError
        If the array, or `out`, is of a type that does not serve.
    ValueError
        If a length, an axis, `norm` or `workers` makes no sense, or `out` has another shape.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.fft.irfft2([[10, -2], [-4, 0]]).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    return many_axes("irfft2", "c2r", "inverse", x, s, axes, norm, overwrite_x, workers, plan, out)


def hfft2(
    x: Any,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = (-2, -1),
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: Any = None,
    out: Any = None,
) -> Any:
    """The discrete Fourier transform of a signal with Hermitian symmetry along two axes.

    Parameters
    ----------
    x : array_like
        The first n/2 + 1 values of a signal with Hermitian symmetry.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends, -1 for that of `x`. Default: the
        shape of `x` but for 2 (m - 1) along the last of `axes`, which is the length of the result there.
    axes : sequence of int, optional
        The two axes.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    overwrite_x : bool, optional
        The contents of `x` may be destroyed; the result may then be `x` itself.
    workers : int, optional
        Checked as SciPy does, and without effect: see `set_workers`.
    plan : seichefft.Plan, optional
        A plan for exactly this transform, in place of the cache of plans.
    out : array, optional
        Where the result goes: an array of its shape and type, of the same library. Default: a new array.

    Returns
    -------
    array
        Real, with n values along the last of `axes`. Its precision is that of `x`.

    Raises
    ------
    TypeError
        If the array, or `out`, is of a type that does not serve.
    ValueError
        If a length, an axis, `norm` or `workers` makes no sense, or `out` has another shape.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.fft.hfft2([[1.0, 2.0], [3.0, 4.0]]).tolist()
    [[10.0, -2.0], [-4.0, 0.0]]
    """
    return many_axes("hfft2", "hfft", "forward", x, s, axes, norm, overwrite_x, workers, plan, out)


def ihfft2(
    x: Any,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = (-2, -1),
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: Any = None,
    out: Any = None,
) -> Any:
    """The inverse of `hfft2` along two axes.

    Parameters
    ----------
    x : array_like
        Real; a complex array is a TypeError.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends, -1 for that of `x`. Default: the
        shape of `x`.
    axes : sequence of int, optional
        The two axes.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    overwrite_x : bool, optional
        The contents of `x` may be destroyed; the result may then be `x` itself.
    workers : int, optional
        Checked as SciPy does, and without effect: see `set_workers`.
    plan : seichefft.Plan, optional
        A plan for exactly this transform, in place of the cache of plans.
    out : array, optional
        Where the result goes: an array of its shape and type, of the same library. Default: a new array.

    Returns
    -------
    array
        Complex: the first n/2 + 1 values along the last of `axes`. Its precision is that of `x`.

    Raises
    ------
    TypeError
        If the array, or `out`, is of a type that does not serve.
    ValueError
        If a length, an axis, `norm` or `workers` makes no sense, or `out` has another shape.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.fft.ihfft2([[10.0, -2.0], [-4.0, 0.0]]).real.tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    return many_axes("ihfft2", "ihfft", "inverse", x, s, axes, norm, overwrite_x, workers, plan, out)
