"""Convolutions of neural networks through spectra: faster than sums of products where the kernels are long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.nn import functional

from ._many_axes import fftn, ifftn, irfftn, rfftn

_HALVES = (torch.float16, torch.bfloat16)


def fft_conv1d(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None = None,
    stride: int | Sequence[int] = 1,
    padding: int | str | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    groups: int = 1,
) -> torch.Tensor:
    """`torch.nn.functional.conv1d` through spectra.

    Parameters
    ----------
    input : Tensor (batch, channels, samples) or (channels, samples)
    weight : Tensor (outputs, channels / groups, taps)
        It is not mirrored: this is the cross-correlation, as PyTorch has it.
    bias : Tensor (outputs,), optional
    stride, dilation : int or sequence of int, optional
    padding : int, sequence of int, 'same' or 'valid', optional
        Zeros at both ends.
    groups : int, optional
        Channels in so many groups, each with outputs of its own.

    Returns
    -------
    Tensor (batch, outputs, samples)
        Of the type of `input`. Halves are computed in float32.

    Raises
    ------
    ValueError
        If shapes, or `padding`, `stride`, `dilation` and `groups`, do not fit.
    TypeError
        If `input` and `weight` are of different types.

    Examples
    --------
    >>> import seichefft.torch, torch
    >>> seichefft.torch.fft_conv1d(torch.ones(1, 1, 8), torch.ones(1, 1, 3)).shape
    torch.Size([1, 1, 6])
    """
    return _convolved(1, input, weight, bias, stride, padding, dilation, groups)


def fft_conv2d(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None = None,
    stride: int | Sequence[int] = 1,
    padding: int | str | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    groups: int = 1,
) -> torch.Tensor:
    """`torch.nn.functional.conv2d` through spectra; see `fft_conv1d`, with two axes in place of one.

    Examples
    --------
    >>> import seichefft.torch, torch
    >>> seichefft.torch.fft_conv2d(torch.ones(1, 2, 8, 8), torch.ones(3, 2, 3, 3), padding="same").shape
    torch.Size([1, 3, 8, 8])
    """
    return _convolved(2, input, weight, bias, stride, padding, dilation, groups)


def fft_conv3d(
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None = None,
    stride: int | Sequence[int] = 1,
    padding: int | str | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    groups: int = 1,
) -> torch.Tensor:
    """`torch.nn.functional.conv3d` through spectra; see `fft_conv1d`, with three axes in place of one.

    Examples
    --------
    >>> import seichefft.torch, torch
    >>> seichefft.torch.fft_conv3d(torch.ones(1, 1, 4, 4, 4), torch.ones(1, 1, 3, 3, 3), stride=2).shape
    torch.Size([1, 1, 1, 1, 1])
    """
    return _convolved(3, input, weight, bias, stride, padding, dilation, groups)


def _each(name: str, value: Any, rank: int, least: int) -> list[int]:
    """One number for each axis."""
    numbers = [value] * rank if isinstance(value, int) else list(value)
    if len(numbers) == 1:
        numbers = numbers * rank
    if len(numbers) != rank or any(number < least for number in numbers):
        raise ValueError(f"{name}: expected {rank} numbers of at least {least}, got {value!r}")
    return numbers


def _paddings(padding: Any, stride: list[int], reach: list[int]) -> list[tuple[int, int]]:
    """Zeros before and after each axis; `reach` is that of the kernel, without its first tap."""
    if padding == "valid":
        return [(0, 0)] * len(reach)
    if padding == "same":
        if any(step != 1 for step in stride):
            raise ValueError(f"padding: expected numbers where the stride is not 1 but {stride}, got 'same'")
        return [(count // 2, count - count // 2) for count in reach]
    if isinstance(padding, str):
        raise ValueError(f"padding: expected numbers, 'same' or 'valid', got {padding!r}")
    return [(count, count) for count in _each("padding", padding, len(reach), 0)]


def _check(rank: int, input: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, groups: int) -> None:
    if input.dim() not in (rank + 1, rank + 2) or weight.dim() != rank + 2:
        raise ValueError(
            f"input, weight: expected {rank + 1} or {rank + 2} axes, and {rank + 2}, "
            f"got {input.dim()} and {weight.dim()}"
        )
    if input.dtype != weight.dtype or (bias is not None and bias.dtype != input.dtype):
        got = weight.dtype if bias is None else f"{weight.dtype} and {bias.dtype}"
        raise TypeError(f"weight, bias: expected the input's type {input.dtype}, got {got}")
    if not (input.dtype.is_floating_point or input.dtype.is_complex):
        raise TypeError(f"input: expected real or complex floating-point numbers, got {input.dtype}")
    channels, outputs = input.shape[-rank - 1], weight.shape[0]
    if groups < 1 or channels % groups or outputs % groups:
        raise ValueError(f"groups: expected a divisor of {channels} channels and {outputs} outputs, got {groups}")
    if weight.shape[1] * groups != channels:
        raise ValueError(f"weight: expected {channels // groups} channels in each group, got {weight.shape[1]}")
    if bias is not None and tuple(bias.shape) != (outputs,):
        raise ValueError(f"bias: expected shape ({outputs},), got {tuple(bias.shape)}")


def _dilated(weight: torch.Tensor, dilation: list[int]) -> torch.Tensor:
    """The kernel with zeros between its taps."""
    first = weight.dim() - len(dilation)
    for axis, step in enumerate(dilation, first):
        if step == 1:
            continue
        taps = weight.shape[axis]
        spread = functional.pad(weight.movedim(axis, -1).unsqueeze(-1), (0, step - 1))
        weight = spread.flatten(-2)[..., : (taps - 1) * step + 1].movedim(-1, axis)
    return weight


def _smooth(length: int) -> int:
    """The next length with the factors 2, 3, 5 and 7 alone, found by steps that the compiler can follow."""
    while True:
        rest = length
        for factor in (2, 3, 5, 7):
            while rest % factor == 0:
                rest //= factor
        if rest == 1:
            return length
        length += 1


def _convolved(
    rank: int,
    input: torch.Tensor,
    weight: torch.Tensor,
    bias: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: int,
) -> torch.Tensor:
    _check(rank, input, weight, bias, groups)
    strides, dilations = _each("stride", stride, rank, 1), _each("dilation", dilation, rank, 1)
    reach = [step * (taps - 1) for step, taps in zip(dilations, weight.shape[2:])]
    around = _paddings(padding, strides, reach)
    dtype = input.dtype
    if dtype in _HALVES:
        input, weight = input.float(), weight.float()
    x = input if input.dim() == rank + 2 else input.unsqueeze(0)
    if any(before for before, _ in around):
        x = functional.pad(x, [count for before, _ in reversed(around) for count in (before, 0)])
    # The correlation around a circle: its first values are those of the line, as the circle is as long as the signal.
    lengths = [count + after for count, (_, after) in zip(x.shape[2:], around)]
    kept = [length - far for length, far in zip(lengths, reach)]
    if any(count < 1 for count in kept):
        raise ValueError(
            f"weight: expected a kernel no longer than the padded signal, {lengths}, got {[r + 1 for r in reach]}"
        )
    circle = [_smooth(length) for length in lengths]
    result = _correlated(rank, x, _dilated(weight, dilations), circle, groups)
    result = result[(slice(None), slice(None), *(slice(0, count, step) for count, step in zip(kept, strides)))]
    if dtype in _HALVES:
        result = result.to(dtype)
    if bias is not None:
        result = result + bias.reshape(-1, *[1] * rank)
    return result.contiguous() if input.dim() == rank + 2 else result.squeeze(0).contiguous()


def _correlated(rank: int, x: torch.Tensor, weight: torch.Tensor, lengths: list[int], groups: int) -> torch.Tensor:
    """Each output the sum over its group's channels of their correlations around a circle."""
    axes = list(range(-rank, 0))
    forward, back = (fftn, ifftn) if x.dtype.is_complex else (rfftn, irfftn)
    signal = forward(x, s=lengths, dim=axes)
    kernel = forward(weight.conj() if x.dtype.is_complex else weight, s=lengths, dim=axes)
    signal = signal.unflatten(1, (groups, -1))
    kernel = kernel.unflatten(0, (groups, -1))
    # conj(F(conj(w))) is the spectrum of the mirrored kernel: PyTorch's sums conjugate nothing.
    product = torch.einsum("bgi...,goi...->bgo...", signal, kernel.conj())
    return back(product.flatten(1, 2), s=lengths, dim=axes)  # type: ignore[no-any-return]
