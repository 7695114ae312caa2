"""The functions of `torch.fft` with its arguments, along several axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._arguments import many_axes

__all__ = ["fftn", "hfftn", "ifftn", "ihfftn", "irfftn", "rfftn"]


def fftn(
    input: Any,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """The discrete Fourier transform along several axes, as `torch.fft.fftn`.

    Parameters
    ----------
    input : Tensor
        Real or complex.
    s : sequence of int, optional
        Lengths along `dim`: cropped or padded with zeros at their ends; -1 is as it is.
    dim : sequence of int, optional
        The axes. Default: all, or with `s` the last ones.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    out : Tensor, optional
        Where the result goes: of its shape and type, on the same device. Not with a tensor that needs grad.

    Returns
    -------
    Tensor
        Complex. ``half`` gives ``complex32``, ``bfloat16`` ``complex64``.

    Raises
    ------
    TypeError
        If the tensor, or `out`, is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense, or `out` has another shape.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft.torch, torch
    >>> seichefft.torch.fftn(torch.ones(2, 4)).shape
    torch.Size([2, 4])
    """
    return many_axes("fftn", "c2c", "forward", input, s, dim, norm, out)


def ifftn(
    input: Any,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """The inverse of `fftn` along several axes, as `torch.fft.ifftn`.

    Parameters
    ----------
    input : Tensor
        Real or complex.
    s : sequence of int, optional
        Lengths along `dim`: cropped or padded with zeros at their ends; -1 is as it is.
    dim : sequence of int, optional
        The axes. Default: all, or with `s` the last ones.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    out : Tensor, optional
        Where the result goes: of its shape and type, on the same device. Not with a tensor that needs grad.

    Returns
    -------
    Tensor
        Complex. ``half`` gives ``complex32``, ``bfloat16`` ``complex64``.

    Raises
    ------
    TypeError
        If the tensor, or `out`, is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense, or `out` has another shape.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft.torch, torch
    >>> seichefft.torch.ifftn(torch.ones(2, 4)).shape
    torch.Size([2, 4])
    """
    return many_axes("ifftn", "c2c", "inverse", input, s, dim, norm, out)


def rfftn(
    input: Any,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """The discrete Fourier transform of real input along several axes, as `torch.fft.rfftn`.

    Parameters
    ----------
    input : Tensor
        Real.
    s : sequence of int, optional
        Lengths along `dim`: cropped or padded with zeros at their ends; -1 is as it is.
    dim : sequence of int, optional
        The axes. Default: all, or with `s` the last ones.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    out : Tensor, optional
        Where the result goes: of its shape and type, on the same device. Not with a tensor that needs grad.

    Returns
    -------
    Tensor
        Complex, n/2 + 1 long along the last axis. ``half`` gives ``complex32``, ``bfloat16`` ``complex64``.

    Raises
    ------
    TypeError
        If the tensor, or `out`, is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense, or `out` has another shape.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft.torch, torch
    >>> seichefft.torch.rfftn(torch.ones(2, 4)).shape
    torch.Size([2, 3])
    """
    return many_axes("rfftn", "r2c", "forward", input, s, dim, norm, out)


def irfftn(
    input: Any,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """The inverse of `rfftn` along several axes, as `torch.fft.irfftn`.

    Parameters
    ----------
    input : Tensor
        Complex: half of a Hermitian spectrum.
    s : sequence of int, optional
        Lengths along `dim`: cropped or padded with zeros at their ends; -1 is as it is.
    dim : sequence of int, optional
        The axes. Default: all, or with `s` the last ones.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    out : Tensor, optional
        Where the result goes: of its shape and type, on the same device. Not with a tensor that needs grad.

    Returns
    -------
    Tensor
        Real. ``half`` gives ``complex32``, ``bfloat16`` ``complex64``.

    Raises
    ------
    TypeError
        If the tensor, or `out`, is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense, or `out` has another shape.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft.torch, torch
    >>> seichefft.torch.irfftn(torch.ones(2, 4)).shape
    torch.Size([2, 6])
    """
    return many_axes("irfftn", "c2r", "inverse", input, s, dim, norm, out)


def hfftn(
    input: Any,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """The transform of a signal with Hermitian symmetry along several axes, as `torch.fft.hfftn`.

    Parameters
    ----------
    input : Tensor
        Complex: half of the signal.
    s : sequence of int, optional
        Lengths along `dim`: cropped or padded with zeros at their ends; -1 is as it is.
    dim : sequence of int, optional
        The axes. Default: all, or with `s` the last ones.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    out : Tensor, optional
        Where the result goes: of its shape and type, on the same device. Not with a tensor that needs grad.

    Returns
    -------
    Tensor
        Real. ``half`` gives ``complex32``, ``bfloat16`` ``complex64``.

    Raises
    ------
    TypeError
        If the tensor, or `out`, is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense, or `out` has another shape.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft.torch, torch
    >>> seichefft.torch.hfftn(torch.ones(2, 4)).shape
    torch.Size([2, 6])
    """
    return many_axes("hfftn", "hfft", "forward", input, s, dim, norm, out)


def ihfftn(
    input: Any,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """The inverse of `hfftn` along several axes, as `torch.fft.ihfftn`.

    Parameters
    ----------
    input : Tensor
        Real.
    s : sequence of int, optional
        Lengths along `dim`: cropped or padded with zeros at their ends; -1 is as it is.
    dim : sequence of int, optional
        The axes. Default: all, or with `s` the last ones.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    out : Tensor, optional
        Where the result goes: of its shape and type, on the same device. Not with a tensor that needs grad.

    Returns
    -------
    Tensor
        Complex, n/2 + 1 long along the last axis. ``half`` gives ``complex32``, ``bfloat16`` ``complex64``.

    Raises
    ------
    TypeError
        If the tensor, or `out`, is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense, or `out` has another shape.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft.torch, torch
    >>> seichefft.torch.ihfftn(torch.ones(2, 4)).shape
    torch.Size([2, 3])
    """
    return many_axes("ihfftn", "ihfft", "inverse", input, s, dim, norm, out)
