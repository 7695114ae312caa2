"""Causal convolutions as long as their signals, of sequence models: FlashFFTConv's arguments, by convolution plans."""

from __future__ import annotations

from typing import Any

import torch

from .._arrays import adapter_of
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

    Once differentiable by `u`, `k` and both gates. Nothing is padded in memory; in eager mode alone.

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
    y = _LongConvolution.apply(gated.to(computed), k)
    result: torch.Tensor = y.to(u.dtype)
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


class _LongConvolution(torch.autograd.Function):
    """Its derivatives are correlations: by the signals with the kernels, by the kernels with the signals."""

    @staticmethod
    def forward(ctx: Any, u: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(u, k)
        return _convolved(u, k, "convolve")

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor | None, torch.Tensor | None]:
        u, k = ctx.saved_tensors
        by_signal = _convolved(gradient, k, "correlate") if ctx.needs_input_grad[0] else None
        by_kernel = None
        if ctx.needs_input_grad[1]:
            batch, channels, samples = u.shape
            rows = (1, batch * channels, samples)
            lags = _convolved(gradient.reshape(rows), u.reshape(rows[1:]), "correlate")
            by_kernel = lags.reshape(u.shape).sum(0)[:, : k.shape[1]]
        return by_signal, by_kernel
