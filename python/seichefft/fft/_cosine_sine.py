"""The cosine and sine transforms of SciPy's interface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._arguments import cosine_or_sine

__all__ = ["dct", "dctn", "dst", "dstn", "idct", "idctn", "idst", "idstn"]


def dct(
    x: Any,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
    *,
    out: Any = None,
) -> Any:
    """The discrete cosine transform along one axis.

    Parameters
    ----------
    x : array_like
        Real; of a complex array both parts are transformed.
    type : {1, 2, 3, 4}, optional
        The type of the transform.
    n : int, optional
        Length along `axis`: cropped or padded with zeros at its end. Default: that of `x`.
    axis : int, optional
        The axis; negative counts from the last.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/N: the inverse (the default), both by 1/sqrt(N), or the forward one; N
        is 2 n, of type I 2 (n - 1) (cosine) or 2 (n + 1) (sine), along each axis.
    overwrite_x : bool, optional
        The contents of `x` may be destroyed; the result may then be `x` itself.
    workers : int, optional
        Checked as SciPy does, and without effect: see `set_workers`.
    orthogonalize : bool, optional
        Scale edge values by the square root of 2 so that the matrix is orthogonal up to a factor. Default:
        whether `norm` is 'ortho'.
    out : array, optional
        Where the result goes: an array of its shape and type, of the same library. Default: a new array.

    Returns
    -------
    array
        Of the shape of `x` but for the lengths that were given, and of its precision.

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
    >>> seichefft.fft.dct([1.0, 2.0, 3.0], type=1).tolist()
    [8.0, -2.0, 0.0]
    """
    return cosine_or_sine(
        "dct", False, x, type, n, axis, norm, overwrite_x, workers, orthogonalize, out, is_one_axis=True
    )


def idct(
    x: Any,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
    *,
    out: Any = None,
) -> Any:
    """The inverse of `dct` along one axis.

    Parameters
    ----------
    x : array_like
        Real; of a complex array both parts are transformed.
    type : {1, 2, 3, 4}, optional
        The type of the transform that this undoes.
    n : int, optional
        Length along `axis`: cropped or padded with zeros at its end. Default: that of `x`.
    axis : int, optional
        The axis; negative counts from the last.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/N: the inverse (the default), both by 1/sqrt(N), or the forward one; N
        is 2 n, of type I 2 (n - 1) (cosine) or 2 (n + 1) (sine), along each axis.
    overwrite_x : bool, optional
        The contents of `x` may be destroyed; the result may then be `x` itself.
    workers : int, optional
        Checked as SciPy does, and without effect: see `set_workers`.
    orthogonalize : bool, optional
        Scale edge values by the square root of 2 so that the matrix is orthogonal up to a factor. Default:
        whether `norm` is 'ortho'.
    out : array, optional
        Where the result goes: an array of its shape and type, of the same library. Default: a new array.

    Returns
    -------
    array
        Of the shape of `x` but for the lengths that were given, and of its precision.

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
    >>> seichefft.fft.idct([8.0, -2.0, 0.0], type=1).tolist()
    [1.0, 2.0, 3.0]
    """
    return cosine_or_sine(
        "dct", True, x, type, n, axis, norm, overwrite_x, workers, orthogonalize, out, is_one_axis=True
    )


def dst(
    x: Any,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
    *,
    out: Any = None,
) -> Any:
    """The discrete sine transform along one axis.

    Parameters
    ----------
    x : array_like
        Real; of a complex array both parts are transformed.
    type : {1, 2, 3, 4}, optional
        The type of the transform.
    n : int, optional
        Length along `axis`: cropped or padded with zeros at its end. Default: that of `x`.
    axis : int, optional
        The axis; negative counts from the last.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/N: the inverse (the default), both by 1/sqrt(N), or the forward one; N
        is 2 n, of type I 2 (n - 1) (cosine) or 2 (n + 1) (sine), along each axis.
    overwrite_x : bool, optional
        The contents of `x` may be destroyed; the result may then be `x` itself.
    workers : int, optional
        Checked as SciPy does, and without effect: see `set_workers`.
    orthogonalize : bool, optional
        Scale edge values by the square root of 2 so that the matrix is orthogonal up to a factor. Default:
        whether `norm` is 'ortho'.
    out : array, optional
        Where the result goes: an array of its shape and type, of the same library. Default: a new array.

    Returns
    -------
    array
        Of the shape of `x` but for the lengths that were given, and of its precision.

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
    >>> seichefft.fft.dst([1.0, 0.0, -1.0], type=2).round(9).tolist()
    [0.0, 3.464101615, 0.0]
    """
    return cosine_or_sine(
        "dst", False, x, type, n, axis, norm, overwrite_x, workers, orthogonalize, out, is_one_axis=True
    )


def idst(
    x: Any,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
    *,
    out: Any = None,
) -> Any:
    """The inverse of `dst` along one axis.

    Parameters
    ----------
    x : array_like
        Real; of a complex array both parts are transformed.
    type : {1, 2, 3, 4}, optional
        The type of the transform that this undoes.
    n : int, optional
        Length along `axis`: cropped or padded with zeros at its end. Default: that of `x`.
    axis : int, optional
        The axis; negative counts from the last.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/N: the inverse (the default), both by 1/sqrt(N), or the forward one; N
        is 2 n, of type I 2 (n - 1) (cosine) or 2 (n + 1) (sine), along each axis.
    overwrite_x : bool, optional
        The contents of `x` may be destroyed; the result may then be `x` itself.
    workers : int, optional
        Checked as SciPy does, and without effect: see `set_workers`.
    orthogonalize : bool, optional
        Scale edge values by the square root of 2 so that the matrix is orthogonal up to a factor. Default:
        whether `norm` is 'ortho'.
    out : array, optional
        Where the result goes: an array of its shape and type, of the same library. Default: a new array.

    Returns
    -------
    array
        Of the shape of `x` but for the lengths that were given, and of its precision.

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
    >>> seichefft.fft.idst(seichefft.fft.dst([1.0, 2.0, 4.0])).round(9).tolist()
    [1.0, 2.0, 4.0]
    """
    return cosine_or_sine(
        "dst", True, x, type, n, axis, norm, overwrite_x, workers, orthogonalize, out, is_one_axis=True
    )


def dctn(
    x: Any,
    type: int = 2,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = None,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    orthogonalize: bool | None = None,
    out: Any = None,
) -> Any:
    """The discrete cosine transform along several axes.

    Parameters
    ----------
    x : array_like
        Real; of a complex array both parts are transformed.
    type : {1, 2, 3, 4}, optional
        The type of the transform.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends. Default: those of `x`.
    axes : sequence of int, optional
        The axes; default: all, or with `s` the last len(s).
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/N: the inverse (the default), both by 1/sqrt(N), or the forward one; N
        is 2 n, of type I 2 (n - 1) (cosine) or 2 (n + 1) (sine), along each axis.
    overwrite_x : bool, optional
        The contents of `x` may be destroyed; the result may then be `x` itself.
    workers : int, optional
        Checked as SciPy does, and without effect: see `set_workers`.
    orthogonalize : bool, optional
        Scale edge values by the square root of 2 so that the matrix is orthogonal up to a factor. Default:
        whether `norm` is 'ortho'.
    out : array, optional
        Where the result goes: an array of its shape and type, of the same library. Default: a new array.

    Returns
    -------
    array
        Of the shape of `x` but for the lengths that were given, and of its precision.

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
    >>> seichefft.fft.dctn([[1.0, 2.0], [3.0, 4.0]], type=1).tolist()
    [[10.0, -2.0], [-4.0, 0.0]]
    """
    return cosine_or_sine(
        "dct", False, x, type, s, axes, norm, overwrite_x, workers, orthogonalize, out, is_one_axis=False
    )


def idctn(
    x: Any,
    type: int = 2,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = None,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
    *,
    out: Any = None,
) -> Any:
    """The inverse of `dctn` along several axes.

    Parameters
    ----------
    x : array_like
        Real; of a complex array both parts are transformed.
    type : {1, 2, 3, 4}, optional
        The type of the transform that this undoes.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends. Default: those of `x`.
    axes : sequence of int, optional
        The axes; default: all, or with `s` the last len(s).
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/N: the inverse (the default), both by 1/sqrt(N), or the forward one; N
        is 2 n, of type I 2 (n - 1) (cosine) or 2 (n + 1) (sine), along each axis.
    overwrite_x : bool, optional
        The contents of `x` may be destroyed; the result may then be `x` itself.
    workers : int, optional
        Checked as SciPy does, and without effect: see `set_workers`.
    orthogonalize : bool, optional
        Scale edge values by the square root of 2 so that the matrix is orthogonal up to a factor. Default:
        whether `norm` is 'ortho'.
    out : array, optional
        Where the result goes: an array of its shape and type, of the same library. Default: a new array.

    Returns
    -------
    array
        Of the shape of `x` but for the lengths that were given, and of its precision.

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
    >>> seichefft.fft.idctn([[10.0, -2.0], [-4.0, 0.0]], type=1).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    return cosine_or_sine(
        "dct", True, x, type, s, axes, norm, overwrite_x, workers, orthogonalize, out, is_one_axis=False
    )


def dstn(
    x: Any,
    type: int = 2,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = None,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
    *,
    out: Any = None,
) -> Any:
    """The discrete sine transform along several axes.

    Parameters
    ----------
    x : array_like
        Real; of a complex array both parts are transformed.
    type : {1, 2, 3, 4}, optional
        The type of the transform.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends. Default: those of `x`.
    axes : sequence of int, optional
        The axes; default: all, or with `s` the last len(s).
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/N: the inverse (the default), both by 1/sqrt(N), or the forward one; N
        is 2 n, of type I 2 (n - 1) (cosine) or 2 (n + 1) (sine), along each axis.
    overwrite_x : bool, optional
        The contents of `x` may be destroyed; the result may then be `x` itself.
    workers : int, optional
        Checked as SciPy does, and without effect: see `set_workers`.
    orthogonalize : bool, optional
        Scale edge values by the square root of 2 so that the matrix is orthogonal up to a factor. Default:
        whether `norm` is 'ortho'.
    out : array, optional
        Where the result goes: an array of its shape and type, of the same library. Default: a new array.

    Returns
    -------
    array
        Of the shape of `x` but for the lengths that were given, and of its precision.

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
    >>> seichefft.fft.dstn([[1.0, 0.0], [0.0, 0.0]], type=1).round(9).tolist()
    [[3.0, 3.0], [3.0, 3.0]]
    """
    return cosine_or_sine(
        "dst", False, x, type, s, axes, norm, overwrite_x, workers, orthogonalize, out, is_one_axis=False
    )


def idstn(
    x: Any,
    type: int = 2,
    s: int | Sequence[int] | None = None,
    axes: int | Sequence[int] | None = None,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
    *,
    out: Any = None,
) -> Any:
    """The inverse of `dstn` along several axes.

    Parameters
    ----------
    x : array_like
        Real; of a complex array both parts are transformed.
    type : {1, 2, 3, 4}, optional
        The type of the transform that this undoes.
    s : sequence of int, optional
        Lengths along `axes`: cropped or padded with zeros at their ends. Default: those of `x`.
    axes : sequence of int, optional
        The axes; default: all, or with `s` the last len(s).
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/N: the inverse (the default), both by 1/sqrt(N), or the forward one; N
        is 2 n, of type I 2 (n - 1) (cosine) or 2 (n + 1) (sine), along each axis.
    overwrite_x : bool, optional
        The contents of `x` may be destroyed; the result may then be `x` itself.
    workers : int, optional
        Checked as SciPy does, and without effect: see `set_workers`.
    orthogonalize : bool, optional
        Scale edge values by the square root of 2 so that the matrix is orthogonal up to a factor. Default:
        whether `norm` is 'ortho'.
    out : array, optional
        Where the result goes: an array of its shape and type, of the same library. Default: a new array.

    Returns
    -------
    array
        Of the shape of `x` but for the lengths that were given, and of its precision.

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
    >>> (seichefft.fft.idstn([[3.0, 3.0], [3.0, 3.0]], type=1).round(9) + 0.0).tolist()
    [[1.0, 0.0], [0.0, 0.0]]
    """
    return cosine_or_sine(
        "dst", True, x, type, s, axes, norm, overwrite_x, workers, orthogonalize, out, is_one_axis=False
    )
