"""The Fourier transforms of SciPy's interface along one axis."""

from __future__ import annotations

from typing import Any

from ._arguments import one_axis

__all__ = ["fft", "hfft", "ifft", "ihfft", "irfft", "rfft"]


def fft(
    x: Any,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: Any = None,
    out: Any = None,
) -> Any:
    """The discrete Fourier transform along one axis.

    Parameters
    ----------
    x : array_like
        Real or complex. A real array is transformed as a complex one.
    n : int, optional
        Length along `axis`: cropped or padded with zeros at its end. Default: that of `x`.
    axis : int, optional
        The axis; negative counts from the last.
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
        Complex, of the shape of `x` but for n along `axis`. Its precision is that of `x`.

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
    >>> seichefft.fft.fft([1.0, 2.0, 3.0, 4.0]).tolist()
    [(10+0j), (-2+2j), (-2+0j), (-2-2j)]
    """
    return one_axis("fft", "c2c", "forward", x, n, axis, norm, overwrite_x, workers, plan, out)


def ifft(
    x: Any,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: Any = None,
    out: Any = None,
) -> Any:
    """The inverse of `fft` along one axis.

    Parameters
    ----------
    x : array_like
        Real or complex. A real array is transformed as a complex one.
    n : int, optional
        Length along `axis`: cropped or padded with zeros at its end. Default: that of `x`.
    axis : int, optional
        The axis; negative counts from the last.
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
        Complex, of the shape of `x` but for n along `axis`. Its precision is that of `x`.

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
    >>> seichefft.fft.ifft([10, -2 + 2j, -2, -2 - 2j]).real.tolist()
    [1.0, 2.0, 3.0, 4.0]
    """
    return one_axis("ifft", "c2c", "inverse", x, n, axis, norm, overwrite_x, workers, plan, out)


def rfft(
    x: Any,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: Any = None,
    out: Any = None,
) -> Any:
    """The discrete Fourier transform of real numbers along one axis.

    Parameters
    ----------
    x : array_like
        Real; a complex array is a TypeError.
    n : int, optional
        Length along `axis`: cropped or padded with zeros at its end. Default: that of `x`.
    axis : int, optional
        The axis; negative counts from the last.
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
        Complex: the first n/2 + 1 values along `axis`, which determine the others. Its precision is that of
        `x`.

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
    >>> seichefft.fft.rfft([1.0, 2.0, 3.0, 4.0]).real.tolist()
    [10.0, -2.0, -2.0]
    """
    return one_axis("rfft", "r2c", "forward", x, n, axis, norm, overwrite_x, workers, plan, out)


def irfft(
    x: Any,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: Any = None,
    out: Any = None,
) -> Any:
    """The inverse of `rfft` along one axis.

    Parameters
    ----------
    x : array_like
        The first n/2 + 1 values of a spectrum with Hermitian symmetry.
    n : int, optional
        Length of the *result* along `axis`, of whose spectrum n/2 + 1 values are taken. Default: 2 (m - 1)
        for m values, which is even.
    axis : int, optional
        The axis; negative counts from the last.
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
        Real, with n values along `axis`. Its precision is that of `x`.

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
    >>> seichefft.fft.irfft([10, -2 + 2j, -2]).tolist()
    [1.0, 2.0, 3.0, 4.0]
    """
    return one_axis("irfft", "c2r", "inverse", x, n, axis, norm, overwrite_x, workers, plan, out)


def hfft(
    x: Any,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: Any = None,
    out: Any = None,
) -> Any:
    """The discrete Fourier transform of a signal with Hermitian symmetry along one axis.

    Parameters
    ----------
    x : array_like
        The first n/2 + 1 values of a signal with Hermitian symmetry.
    n : int, optional
        Length of the *result* along `axis`, of which n/2 + 1 values are taken. Default: 2 (m - 1) for m
        values, which is even.
    axis : int, optional
        The axis; negative counts from the last.
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
        Real, with n values along `axis`. Its precision is that of `x`.

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
    >>> seichefft.fft.hfft([1.0, 2.0, 3.0]).tolist()
    [8.0, -2.0, 0.0, -2.0]
    """
    return one_axis("hfft", "hfft", "forward", x, n, axis, norm, overwrite_x, workers, plan, out)


def ihfft(
    x: Any,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: Any = None,
    out: Any = None,
) -> Any:
    """The inverse of `hfft` along one axis.

    Parameters
    ----------
    x : array_like
        Real; a complex array is a TypeError.
    n : int, optional
        Length along `axis`: cropped or padded with zeros at its end. Default: that of `x`.
    axis : int, optional
        The axis; negative counts from the last.
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
        Complex: the first n/2 + 1 values along `axis`. Its precision is that of `x`.

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
    >>> seichefft.fft.ihfft([8.0, -2.0, 0.0, -2.0]).real.tolist()
    [1.0, 2.0, 3.0]
    """
    return one_axis("ihfft", "ihfft", "inverse", x, n, axis, norm, overwrite_x, workers, plan, out)
