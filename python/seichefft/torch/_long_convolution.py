"""Causal convolutions as long as their signals, of sequence models: FlashFFTConv's arguments, by convolution plans."""

from __future__ import annotations

from typing import Any

import torch

from .._arrays import adapter_of
from .._arrays._torch import is_recorded
from .._devices import Device
from .._kept import kept
from ..convolution import ConvolutionPlan

_HALVES = (torch.float16, torch.bfloat16)


def long_conv(
    u: torch.Tensor,
    k: torch.Tensor,
    in_gate: torch.Tensor | None = None,
    out_gate: torch.Tensor | None = None,
) -> torch.Tensor:
    """Causal convolutions of every channel with a kernel of its own: ``y[b, h, t]`` is the sum over ``s`` from 0 to
    ``t`` of ``k[h, s] * u[b, h, t - s]``.

    Differentiable any number of times by `u`, `k` and both gates. Nothing is padded in memory; in eager mode alone.

    Parameters
    ----------
    u : Tensor (batch, channels, samples)
        Halves are computed in float32.
    k : Tensor (channels, taps)
        Of at most as many taps as there are samples; real, float32 where `u` is a half or float32.
    in_gate, out_gate : Tensor, optional
        Factors of the signals before the convolution, and of its results.

    Returns
    -------
    Tensor (batch, channels, samples)
        Of the type of `u`.

    Raises
    ------
    ValueError
        If shapes do not fit.
    TypeError
        For numbers that are not real, or kernels of another type than the computation's.

    Examples
    --------
    >>> import seichefft.torch, torch
    >>> seichefft.torch.long_conv(torch.ones(1, 1, 4), torch.ones(1, 4))
    tensor([[[1., 2., 3., 4.]]])
    """
    if u.dim() != 3 or k.dim() != 2 or k.shape[0] != u.shape[1] or not 0 < k.shape[1] <= u.shape[2]:
        raise ValueError(
            "u, k: expected (batch, channels, samples) and (channels, taps) of at most as many taps, "
            f"got {tuple(u.shape)} and {tuple(k.shape)}"
        )
    if not u.dtype.is_floating_point:
        raise TypeError(f"u: expected real floating-point numbers, got {u.dtype}")
    computed = torch.float32 if u.dtype in _HALVES else u.dtype
    if k.dtype != computed:
        raise TypeError(f"k: expected {computed} for signals of {u.dtype}, got {k.dtype}")
    gated = u if in_gate is None else u * in_gate
    if gated.dtype is not computed:
        gated = gated.to(computed)
    y = _product(gated, k, "convolve")
    result: torch.Tensor = y if y.dtype is u.dtype else y.to(u.dtype)
    return result if out_gate is None else result * out_gate


def _convolved(signals: torch.Tensor, kernels: torch.Tensor, product: str) -> torch.Tensor:
    """Each channel with its kernel: (batch, channels, samples) and (channels, taps)."""
    batch, channels, samples = signals.shape
    taps = kernels.shape[1]
    device = adapter_of(signals).device(signals)
    dtype = str(signals.dtype).rpartition(".")[2]

    def make() -> ConvolutionPlan:
        how: dict[str, Any] = {"mode": "causal", "product": product, "batch": batch}
        if channels > 1:
            how |= {"inputs": channels, "outputs": channels, "channels": "diagonal"}
        return ConvolutionPlan(samples, taps, dtype, device=Device._of(device), **how)

    key = ("long_conv", batch, channels, samples, taps, dtype, product)
    plan: ConvolutionPlan = kept(device, key, make, lambda made: made.convolution)
    if channels == 1:
        result: torch.Tensor = plan(signals.reshape(batch, samples), kernels.reshape(taps))
        return result.reshape(batch, 1, samples)
    result = plan(signals.contiguous(), kernels.contiguous())
    return result


def _product(signals: torch.Tensor, kernels: torch.Tensor, product: str) -> torch.Tensor:
    """In a graph of derivatives where one is recorded; else the numbers, without the steps that a graph takes."""
    if is_recorded(signals) or is_recorded(kernels):
        result: torch.Tensor = _Product.apply(signals, kernels, product)  # type: ignore[no-untyped-call]
        return result
    return _convolved(signals, kernels, product)


class _Product(torch.autograd.Function):
    """Signals convolved or correlated with the kernels of their channels; derivatives are such products again."""

    @staticmethod
    def forward(ctx: Any, signals: torch.Tensor, kernels: torch.Tensor, product: str) -> torch.Tensor:
        ctx.save_for_backward(signals, kernels)
        ctx.product = product
        return _convolved(signals, kernels, product)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor | None, torch.Tensor | None, None]:
        (gradient,) = gradients
        signals, kernels = ctx.saved_tensors
        is_convolution = ctx.product == "convolve"
        by_signals = by_kernels = None
        if ctx.needs_input_grad[0]:
            by_signals = _Product.apply(gradient, kernels, "correlate" if is_convolution else "convolve")
        if ctx.needs_input_grad[1]:
            # Of every signal of the batch with its own, as so many channels.
            late, early = (gradient, signals) if is_convolution else (signals, gradient)
            batch, channels, samples = signals.shape
            rows = batch * channels
            lags = _Product.apply(late.reshape(1, rows, samples), early.reshape(rows, samples), "correlate")
            # The sum takes the lags that are wanted alone; of one signal it would be a copy.
            lags = lags.reshape(batch, channels, samples)[:, :, : kernels.shape[1]]
            by_kernels = lags[0] if batch == 1 else lags.sum(0)
        return by_signals, by_kernels, None
