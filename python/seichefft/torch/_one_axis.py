"""The functions of `torch.fft` with its arguments, along one axis."""

from __future__ import annotations

from typing import Any

from ._arguments import one_axis

__all__ = ["fft", "hfft", "ifft", "ihfft", "irfft", "rfft"]


def fft(input: Any, n: int | None = None, dim: int = -1, norm: str | None = None, *, out: Any = None) -> Any:
    """The discrete Fourier transform along one axis, as `torch.fft.fft`.

    Parameters
    ----------
    input : Tensor
        Real or complex.
    n : int, optional
        Length along `dim`: cropped or padded with zeros at its end.
    dim : int, optional
        The axis; negative counts from the last.
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
    >>> seichefft.torch.fft(torch.ones(4)).shape
    torch.Size([4])
    """
    return one_axis("fft", "c2c", "forward", input, n, dim, norm, out)


def ifft(input: Any, n: int | None = None, dim: int = -1, norm: str | None = None, *, out: Any = None) -> Any:
    """The inverse of `fft` along one axis, as `torch.fft.ifft`.

    Parameters
    ----------
    input : Tensor
        Real or complex.
    n : int, optional
        Length along `dim`: cropped or padded with zeros at its end.
    dim : int, optional
        The axis; negative counts from the last.
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
    >>> seichefft.torch.ifft(torch.ones(4)).shape
    torch.Size([4])
    """
    return one_axis("ifft", "c2c", "inverse", input, n, dim, norm, out)


def rfft(input: Any, n: int | None = None, dim: int = -1, norm: str | None = None, *, out: Any = None) -> Any:
    """The discrete Fourier transform of real input along one axis, as `torch.fft.rfft`.

    Parameters
    ----------
    input : Tensor
        Real.
    n : int, optional
        Length along `dim`: cropped or padded with zeros at its end.
    dim : int, optional
        The axis; negative counts from the last.
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
    >>> seichefft.torch.rfft(torch.ones(4)).shape
    torch.Size([3])
    """
    return one_axis("rfft", "r2c", "forward", input, n, dim, norm, out)


def irfft(input: Any, n: int | None = None, dim: int = -1, norm: str | None = None, *, out: Any = None) -> Any:
    """The inverse of `rfft` along one axis, as `torch.fft.irfft`.

    Parameters
    ----------
    input : Tensor
        Complex: half of a Hermitian spectrum.
    n : int, optional
        Length along `dim`: cropped or padded with zeros at its end.
    dim : int, optional
        The axis; negative counts from the last.
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
    >>> seichefft.torch.irfft(torch.ones(4)).shape
    torch.Size([6])
    """
    return one_axis("irfft", "c2r", "inverse", input, n, dim, norm, out)


def hfft(input: Any, n: int | None = None, dim: int = -1, norm: str | None = None, *, out: Any = None) -> Any:
    """The transform of a signal with Hermitian symmetry along one axis, as `torch.fft.hfft`.

    Parameters
    ----------
    input : Tensor
        Complex: half of the signal.
    n : int, optional
        Length along `dim`: cropped or padded with zeros at its end.
    dim : int, optional
        The axis; negative counts from the last.
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
    >>> seichefft.torch.hfft(torch.ones(4)).shape
    torch.Size([6])
    """
    return one_axis("hfft", "hfft", "forward", input, n, dim, norm, out)


def ihfft(input: Any, n: int | None = None, dim: int = -1, norm: str | None = None, *, out: Any = None) -> Any:
    """The inverse of `hfft` along one axis, as `torch.fft.ihfft`.

    Parameters
    ----------
    input : Tensor
        Real.
    n : int, optional
        Length along `dim`: cropped or padded with zeros at its end.
    dim : int, optional
        The axis; negative counts from the last.
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
    >>> seichefft.torch.ihfft(torch.ones(4)).shape
    torch.Size([3])
    """
    return one_axis("ihfft", "ihfft", "inverse", input, n, dim, norm, out)
