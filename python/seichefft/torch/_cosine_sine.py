"""Cosine and sine transforms of tensors, with the meaning of `scipy.fft`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._arguments import cosine_or_sine

__all__ = ["dct", "dctn", "dst", "dstn", "idct", "idctn", "idst", "idstn"]


def dct(
    input: Any,
    type: int = 2,
    n: int | None = None,
    dim: int = -1,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
) -> Any:
    """The cosine transform along one axis, as `scipy.fft.dct`.

    Parameters
    ----------
    input : Tensor
        Real; of complex numbers both parts are transformed.
    type : {1, 2, 3, 4}, optional
        Which of the four.
    n : int, optional
        Length along `dim`: cropped or padded with zeros at its end.
    dim : int, optional
        The axis.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    orthogonalize : bool, optional
        Scale edge values so that the matrix is orthogonal up to a factor. Default: where `norm` is 'ortho'.

    Returns
    -------
    Tensor
        Of the type of `input`, halves too.

    Raises
    ------
    TypeError
        If the tensor is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft.torch, torch
    >>> seichefft.torch.dct(torch.ones(2, 4)).shape
    torch.Size([2, 4])
    """
    return cosine_or_sine("dct", False, input, type, n, dim, norm, orthogonalize, True)


def dctn(
    input: Any,
    type: int = 2,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
) -> Any:
    """The cosine transform along several axes, as `scipy.fft.dctn`.

    Parameters
    ----------
    input : Tensor
        Real; of complex numbers both parts are transformed.
    type : {1, 2, 3, 4}, optional
        Which of the four.
    s : sequence of int, optional
        Lengths along `dim`.
    dim : sequence of int, optional
        The axes. Default: all, or with `s` the last ones.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    orthogonalize : bool, optional
        Scale edge values so that the matrix is orthogonal up to a factor. Default: where `norm` is 'ortho'.

    Returns
    -------
    Tensor
        Of the type of `input`, halves too.

    Raises
    ------
    TypeError
        If the tensor is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft.torch, torch
    >>> seichefft.torch.dctn(torch.ones(2, 4)).shape
    torch.Size([2, 4])
    """
    return cosine_or_sine("dct", False, input, type, s, dim, norm, orthogonalize, False)


def idct(
    input: Any,
    type: int = 2,
    n: int | None = None,
    dim: int = -1,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
) -> Any:
    """The inverse cosine transform along one axis, as `scipy.fft.idct`.

    Parameters
    ----------
    input : Tensor
        Real; of complex numbers both parts are transformed.
    type : {1, 2, 3, 4}, optional
        Which of the four.
    n : int, optional
        Length along `dim`: cropped or padded with zeros at its end.
    dim : int, optional
        The axis.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    orthogonalize : bool, optional
        Scale edge values so that the matrix is orthogonal up to a factor. Default: where `norm` is 'ortho'.

    Returns
    -------
    Tensor
        Of the type of `input`, halves too.

    Raises
    ------
    TypeError
        If the tensor is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft.torch, torch
    >>> seichefft.torch.idct(torch.ones(2, 4)).shape
    torch.Size([2, 4])
    """
    return cosine_or_sine("dct", True, input, type, n, dim, norm, orthogonalize, True)


def idctn(
    input: Any,
    type: int = 2,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
) -> Any:
    """The inverse cosine transform along several axes, as `scipy.fft.idctn`.

    Parameters
    ----------
    input : Tensor
        Real; of complex numbers both parts are transformed.
    type : {1, 2, 3, 4}, optional
        Which of the four.
    s : sequence of int, optional
        Lengths along `dim`.
    dim : sequence of int, optional
        The axes. Default: all, or with `s` the last ones.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    orthogonalize : bool, optional
        Scale edge values so that the matrix is orthogonal up to a factor. Default: where `norm` is 'ortho'.

    Returns
    -------
    Tensor
        Of the type of `input`, halves too.

    Raises
    ------
    TypeError
        If the tensor is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft.torch, torch
    >>> seichefft.torch.idctn(torch.ones(2, 4)).shape
    torch.Size([2, 4])
    """
    return cosine_or_sine("dct", True, input, type, s, dim, norm, orthogonalize, False)


def dst(
    input: Any,
    type: int = 2,
    n: int | None = None,
    dim: int = -1,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
) -> Any:
    """The sine transform along one axis, as `scipy.fft.dst`.

    Parameters
    ----------
    input : Tensor
        Real; of complex numbers both parts are transformed.
    type : {1, 2, 3, 4}, optional
        Which of the four.
    n : int, optional
        Length along `dim`: cropped or padded with zeros at its end.
    dim : int, optional
        The axis.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    orthogonalize : bool, optional
        Scale edge values so that the matrix is orthogonal up to a factor. Default: where `norm` is 'ortho'.

    Returns
    -------
    Tensor
        Of the type of `input`, halves too.

    Raises
    ------
    TypeError
        If the tensor is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft.torch, torch
    >>> seichefft.torch.dst(torch.ones(2, 4)).shape
    torch.Size([2, 4])
    """
    return cosine_or_sine("dst", False, input, type, n, dim, norm, orthogonalize, True)


def dstn(
    input: Any,
    type: int = 2,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
) -> Any:
    """The sine transform along several axes, as `scipy.fft.dstn`.

    Parameters
    ----------
    input : Tensor
        Real; of complex numbers both parts are transformed.
    type : {1, 2, 3, 4}, optional
        Which of the four.
    s : sequence of int, optional
        Lengths along `dim`.
    dim : sequence of int, optional
        The axes. Default: all, or with `s` the last ones.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    orthogonalize : bool, optional
        Scale edge values so that the matrix is orthogonal up to a factor. Default: where `norm` is 'ortho'.

    Returns
    -------
    Tensor
        Of the type of `input`, halves too.

    Raises
    ------
    TypeError
        If the tensor is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft.torch, torch
    >>> seichefft.torch.dstn(torch.ones(2, 4)).shape
    torch.Size([2, 4])
    """
    return cosine_or_sine("dst", False, input, type, s, dim, norm, orthogonalize, False)


def idst(
    input: Any,
    type: int = 2,
    n: int | None = None,
    dim: int = -1,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
) -> Any:
    """The inverse sine transform along one axis, as `scipy.fft.idst`.

    Parameters
    ----------
    input : Tensor
        Real; of complex numbers both parts are transformed.
    type : {1, 2, 3, 4}, optional
        Which of the four.
    n : int, optional
        Length along `dim`: cropped or padded with zeros at its end.
    dim : int, optional
        The axis.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    orthogonalize : bool, optional
        Scale edge values so that the matrix is orthogonal up to a factor. Default: where `norm` is 'ortho'.

    Returns
    -------
    Tensor
        Of the type of `input`, halves too.

    Raises
    ------
    TypeError
        If the tensor is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft.torch, torch
    >>> seichefft.torch.idst(torch.ones(2, 4)).shape
    torch.Size([2, 4])
    """
    return cosine_or_sine("dst", True, input, type, n, dim, norm, orthogonalize, True)


def idstn(
    input: Any,
    type: int = 2,
    s: Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    orthogonalize: bool | None = None,
) -> Any:
    """The inverse sine transform along several axes, as `scipy.fft.idstn`.

    Parameters
    ----------
    input : Tensor
        Real; of complex numbers both parts are transformed.
    type : {1, 2, 3, 4}, optional
        Which of the four.
    s : sequence of int, optional
        Lengths along `dim`.
    dim : sequence of int, optional
        The axes. Default: all, or with `s` the last ones.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.
    orthogonalize : bool, optional
        Scale edge values so that the matrix is orthogonal up to a factor. Default: where `norm` is 'ortho'.

    Returns
    -------
    Tensor
        Of the type of `input`, halves too.

    Raises
    ------
    TypeError
        If the tensor is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    seichefft.Error
        If the device fails, or lacks what the transform needs.

    Examples
    --------
    >>> import seichefft.torch, torch
    >>> seichefft.torch.idstn(torch.ones(2, 4)).shape
    torch.Size([2, 4])
    """
    return cosine_or_sine("dst", True, input, type, s, dim, norm, orthogonalize, False)
