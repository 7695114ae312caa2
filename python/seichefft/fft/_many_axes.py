"""The Fourier transforms of SciPy's interface along several axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._arguments import many_axes

__all__ = ["fftn", "hfftn", "ifftn", "ihfftn", "irfftn", "rfftn"]


def fftn(
    x: Any,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = None,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: Any = None,
    out: Any = None,
) -> Any:
    """The discrete Fourier transform along several axes.

    Parameters
    ----------
    x : array_like
        Real or complex. A real array is transformed as a complex one.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends, -1 for that of `x`. Default: the
        shape of `x`.
    axes : sequence of int, optional
        The axes; default: all, or with `s` the last len(s).
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
    >>> seichefft.fft.fftn([[1.0, 2.0], [3.0, 4.0]]).real.tolist()
    [[10.0, -2.0], [-4.0, 0.0]]
    """
    return many_axes("fftn", "c2c", "forward", x, s, axes, norm, overwrite_x, workers, plan, out)


def ifftn(
    x: Any,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = None,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: Any = None,
    out: Any = None,
) -> Any:
    """The inverse of `fftn` along several axes.

    Parameters
    ----------
    x : array_like
        Real or complex. A real array is transformed as a complex one.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends, -1 for that of `x`. Default: the
        shape of `x`.
    axes : sequence of int, optional
        The axes; default: all, or with `s` the last len(s).
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
    >>> seichefft.fft.ifftn([[10, -2], [-4, 0]]).real.tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    return many_axes("ifftn", "c2c", "inverse", x, s, axes, norm, overwrite_x, workers, plan, out)


def rfftn(
    x: Any,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = None,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: Any = None,
    out: Any = None,
) -> Any:
    """The discrete Fourier transform of real numbers along several axes.

    Parameters
    ----------
    x : array_like
        Real; a complex array is a TypeError.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends, -1 for that of `x`. Default: the
        shape of `x`.
    axes : sequence of int, optional
        The axes; default: all, or with `s` the last len(s).
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
    >>> seichefft.fft.rfftn([[1.0, 2.0], [3.0, 4.0]]).real.tolist()
    [[10.0, -2.0], [-4.0, 0.0]]
    """
    return many_axes("rfftn", "r2c", "forward", x, s, axes, norm, overwrite_x, workers, plan, out)


def irfftn(
    x: Any,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = None,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: Any = None,
    out: Any = None,
) -> Any:
    """The inverse of `rfftn` along several axes.

    Parameters
    ----------
    x : array_like
        The first n/2 + 1 values of a spectrum with Hermitian symmetry.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends, -1 for that of `x`. Default: the
        shape of `x` but for 2 (m - 1) along the last of `axes`, which is the length of the result there.
    axes : sequence of int, optional
        The axes; default: all, or with `s` the last len(s).
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
    >>> seichefft.fft.irfftn([[10, -2], [-4, 0]]).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    return many_axes("irfftn", "c2r", "inverse", x, s, axes, norm, overwrite_x, workers, plan, out)


def hfftn(
    x: Any,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = None,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: Any = None,
    out: Any = None,
) -> Any:
    """The discrete Fourier transform of a signal with Hermitian symmetry along several axes.

    Parameters
    ----------
    x : array_like
        The first n/2 + 1 values of a signal with Hermitian symmetry.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends, -1 for that of `x`. Default: the
        shape of `x` but for 2 (m - 1) along the last of `axes`, which is the length of the result there.
    axes : sequence of int, optional
        The axes; default: all, or with `s` the last len(s).
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
    >>> seichefft.fft.hfftn([[1.0, 2.0], [3.0, 4.0]]).tolist()
    [[10.0, -2.0], [-4.0, 0.0]]
    """
    return many_axes("hfftn", "hfft", "forward", x, s, axes, norm, overwrite_x, workers, plan, out)


def ihfftn(
    x: Any,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = None,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: Any = None,
    out: Any = None,
) -> Any:
    """The inverse of `hfftn` along several axes.

    Parameters
    ----------
    x : array_like
        Real; a complex array is a TypeError.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends, -1 for that of `x`. Default: the
        shape of `x`.
    axes : sequence of int, optional
        The axes; default: all, or with `s` the last len(s).
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
    >>> seichefft.fft.ihfftn([[10.0, -2.0], [-4.0, 0.0]]).real.tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    return many_axes("ihfftn", "ihfft", "inverse", x, s, axes, norm, overwrite_x, workers, plan, out)
