"""The functions of `torch.fft` with its arguments, along two axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._arguments import many_axes

__all__ = ["fft2", "hfft2", "ifft2", "ihfft2", "irfft2", "rfft2"]


def fft2(
    input: Any,
    s: Sequence[int] | None = None,
    dim: Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """The discrete Fourier transform along two axes, as `torch.fft.fft2`.

    Parameters
    ----------
    input : Tensor
        Real or complex.
    s : sequence of int, optional
        Lengths along `dim`: cropped or padded with zeros at their ends; -1 is as it is.
    dim : sequence of int, optional
        The axes. Default: the last two.
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
    >>> seichefft.torch.fft2(torch.ones(2, 4)).shape
    torch.Size([2, 4])
    """
    return many_axes("fft2", "c2c", "forward", input, s, dim, norm, out)


def ifft2(
    input: Any,
    s: Sequence[int] | None = None,
    dim: Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """The inverse of `fft2` along two axes, as `torch.fft.ifft2`.

    Parameters
    ----------
    input : Tensor
        Real or complex.
    s : sequence of int, optional
        Lengths along `dim`: cropped or padded with zeros at their ends; -1 is as it is.
    dim : sequence of int, optional
        The axes. Default: the last two.
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
    >>> seichefft.torch.ifft2(torch.ones(2, 4)).shape
    torch.Size([2, 4])
    """
    return many_axes("ifft2", "c2c", "inverse", input, s, dim, norm, out)


def rfft2(
    input: Any,
    s: Sequence[int] | None = None,
    dim: Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """The discrete Fourier transform of real input along two axes, as `torch.fft.rfft2`.

    Parameters
    ----------
    input : Tensor
        Real.
    s : sequence of int, optional
        Lengths along `dim`: cropped or padded with zeros at their ends; -1 is as it is.
    dim : sequence of int, optional
        The axes. Default: the last two.
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
    >>> seichefft.torch.rfft2(torch.ones(2, 4)).shape
    torch.Size([2, 3])
    """
    return many_axes("rfft2", "r2c", "forward", input, s, dim, norm, out)


def irfft2(
    input: Any,
    s: Sequence[int] | None = None,
    dim: Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """The inverse of `rfft2` along two axes, as `torch.fft.irfft2`.

    Parameters
    ----------
    input : Tensor
        Complex: half of a Hermitian spectrum.
    s : sequence of int, optional
        Lengths along `dim`: cropped or padded with zeros at their ends; -1 is as it is.
    dim : sequence of int, optional
        The axes. Default: the last two.
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
    >>> seichefft.torch.irfft2(torch.ones(2, 4)).shape
    torch.Size([2, 6])
    """
    return many_axes("irfft2", "c2r", "inverse", input, s, dim, norm, out)


def hfft2(
    input: Any,
    s: Sequence[int] | None = None,
    dim: Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """The transform of a signal with Hermitian symmetry along two axes, as `torch.fft.hfft2`.

    Parameters
    ----------
    input : Tensor
        Complex: half of the signal.
    s : sequence of int, optional
        Lengths along `dim`: cropped or padded with zeros at their ends; -1 is as it is.
    dim : sequence of int, optional
        The axes. Default: the last two.
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
    >>> seichefft.torch.hfft2(torch.ones(2, 4)).shape
    torch.Size([2, 6])
    """
    return many_axes("hfft2", "hfft", "forward", input, s, dim, norm, out)


def ihfft2(
    input: Any,
    s: Sequence[int] | None = None,
    dim: Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """The inverse of `hfft2` along two axes, as `torch.fft.ihfft2`.

    Parameters
    ----------
    input : Tensor
        Real.
    s : sequence of int, optional
        Lengths along `dim`: cropped or padded with zeros at their ends; -1 is as it is.
    dim : sequence of int, optional
        The axes. Default: the last two.
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
    >>> seichefft.torch.ihfft2(torch.ones(2, 4)).shape
    torch.Size([2, 3])
    """
    return many_axes("ihfft2", "ihfft", "inverse", input, s, dim, norm, out)
