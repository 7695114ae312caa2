"""Layers of Fourier neural operators: a few modes of every channel, a matrix of weights for each, and back.

Li et al., "Fourier Neural Operator for Parametric Partial Differential Equations", 2021. Parameters and weights are
those of neuraloperator's `SpectralConv` with dense weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from .. import _layers
from .._arrays._torch import is_recorded
from .._layers import Axes

__all__ = ["SpectralConv1d", "SpectralConv2d", "SpectralConv3d"]

_REAL = {
    torch.float32: "float32",
    torch.float64: "float64",
    torch.complex64: "complex64",
    torch.complex128: "complex128",
}


def _memory(x: torch.Tensor) -> torch.Tensor:
    """With memory of its own, in order; itself where it has."""
    return x.contiguous().resolve_conj()


def _kept(x: torch.Tensor, axes: Axes, kind: torch.dtype) -> torch.Tensor:
    if x.shape[0] == 0:
        return x.new_empty((*x.shape[:2], *axes.counts), dtype=kind)
    modes: torch.Tensor = _layers.kept_modes(_memory(x), axes)
    return modes


def _applied(x: torch.Tensor, weight: torch.Tensor, axes: Axes, adjoint: bool, is_modes: bool) -> torch.Tensor:
    """The layer, from points or from their modes."""
    if x.shape[0] == 0:
        kind = weight.dtype if axes.dtype.startswith("complex") else weight.dtype.to_real()
        return x.new_empty((0, weight.shape[0 if adjoint else 1], *axes.lengths), dtype=kind)
    function = _layers.from_modes if is_modes else _layers.layer
    result: torch.Tensor = function(_memory(x), _memory(weight), axes, adjoint)
    return result


class _Linear(torch.autograd.Function):
    """The layer by its input alone: weights are constants."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, weight: torch.Tensor, axes: Axes, adjoint: bool) -> torch.Tensor:
        ctx.save_for_backward(weight)
        ctx.axes, ctx.adjoint = axes, adjoint
        return _applied(x, weight, axes, adjoint, False)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor, None, None, None]:
        (weight,) = ctx.saved_tensors
        return _layer(gradients[0], weight, ctx.axes, not ctx.adjoint), None, None, None


class _Modes(torch.autograd.Function):
    """The kept modes of points, or the conjugate transpose of that. Second derivatives alone take it."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, axes: Axes, kind: torch.dtype, is_back: bool) -> torch.Tensor:
        ctx.axes, ctx.kind, ctx.is_back = axes, x.dtype, is_back
        if not is_back:
            return _kept(x, axes, kind)
        if x.shape[0] == 0:
            return x.new_empty((*x.shape[:2], *axes.lengths), dtype=kind)
        result: torch.Tensor = _layers.spread(_memory(x / _factors(x, axes)), axes)
        return result

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor, None, None, None]:
        of_x = _Modes.apply(gradients[0], ctx.axes, ctx.kind, not ctx.is_back)  # type: ignore[no-untyped-call]
        return of_x, None, None, None


def _factors(like: torch.Tensor, axes: Axes) -> torch.Tensor:
    return torch.tensor(axes.factors, dtype=like.dtype.to_real(), device=like.device)


class _Trained(torch.autograd.Function):
    """The layer by input and weights, and the modes of its input, which its gradients need in place of the input: they
    are a small part of it, and need not be made again.

    The transform back is the conjugate transpose of that there, but for factors of the modes. So the gradient of the
    input is a layer of the conjugate transposed weights, whose modes are those of the weights' gradient as well.
    """

    @staticmethod
    def forward(
        ctx: Any, x: torch.Tensor, weight: torch.Tensor, axes: Axes, adjoint: bool
    ) -> tuple[torch.Tensor, torch.Tensor]:
        ctx.axes, ctx.adjoint, ctx.kind = axes, adjoint, x.dtype
        ctx.set_materialize_grads(False)
        modes = _kept(x, axes, weight.dtype)
        ctx.save_for_backward(modes, weight)
        return _applied(modes, weight, axes, adjoint, True), modes

    @staticmethod
    def backward(
        ctx: Any, *gradients: torch.Tensor | None
    ) -> tuple[torch.Tensor | None, torch.Tensor | None, None, None]:
        modes, weight = ctx.saved_tensors
        of_output, of_modes = gradients
        of_x = of_weight = None
        if of_output is not None:
            function = _second if torch.is_grad_enabled() else _first
            of_x, of_weight = function(ctx, of_output, modes, weight)
        if of_modes is not None and ctx.needs_input_grad[0]:
            own = _Modes.apply(of_modes, ctx.axes, ctx.kind, True)  # type: ignore[no-untyped-call]
            of_x = own if of_x is None else of_x + own
        return of_x, of_weight, None, None


def _first(
    ctx: Any, of_output: torch.Tensor, modes: torch.Tensor, weight: torch.Tensor
) -> tuple[torch.Tensor | None, torch.Tensor | None]:
    """The gradients that are asked for."""
    axes, adjoint = ctx.axes, ctx.adjoint
    if not ctx.needs_input_grad[1]:
        return _applied(of_output, weight, axes, not adjoint, False), None
    own = _kept(of_output, axes, weight.dtype)
    of_x = _applied(own, weight, axes, not adjoint, True) if ctx.needs_input_grad[0] else None
    if modes.shape[0] == 0:
        return of_x, torch.zeros_like(weight)
    # For adjoint weights the conjugate is the gradient, which is the product the other way round.
    pair = (own, modes) if adjoint else (modes, own)
    return of_x, _layers.gradient_of_weights(_memory(pair[0]), _memory(pair[1]), axes)


def _second(
    ctx: Any, of_output: torch.Tensor, modes: torch.Tensor, weight: torch.Tensor
) -> tuple[torch.Tensor | None, torch.Tensor | None]:
    """The same with a graph, for derivatives of the gradients."""
    of_x = of_weight = None
    if ctx.needs_input_grad[0]:
        of_x = _layer(of_output, weight, ctx.axes, not ctx.adjoint)
    if ctx.needs_input_grad[1]:
        own = _Modes.apply(of_output, ctx.axes, weight.dtype, False)  # type: ignore[no-untyped-call]
        pair = (own, modes) if ctx.adjoint else (modes, own)
        product = torch.einsum("bi...,bo...->io...", pair[0].conj(), pair[1])
        of_weight = product * _factors(product, ctx.axes)
    return of_x, of_weight


def _layer(x: torch.Tensor, weight: torch.Tensor, axes: Axes, adjoint: bool) -> torch.Tensor:
    if torch.is_grad_enabled() and weight.requires_grad:
        trained: torch.Tensor = _Trained.apply(x, weight, axes, adjoint)[0]  # type: ignore[no-untyped-call]
        return trained
    if not is_recorded(x):  # the numbers alone are wanted, without the steps that a graph takes
        return _applied(x, weight, axes, adjoint, False)
    result: torch.Tensor = _Linear.apply(x, weight, axes, adjoint)  # type: ignore[no-untyped-call]
    return result


class _SpectralConv(torch.nn.Module):
    _rank = 1

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        n_modes: int | Sequence[int],
        complex_data: bool = False,
        bias: bool = True,
        init_std: float | str = "auto",
        fft_norm: str = "forward",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        modes = [n_modes] * self._rank if isinstance(n_modes, int) else list(n_modes)
        if len(modes) != self._rank or any(count < 1 for count in modes):
            raise ValueError(f"n_modes: expected {self._rank} numbers above 0, got {n_modes}")
        if fft_norm not in ("forward", "backward", "ortho"):
            raise ValueError(f"fft_norm: expected 'forward', 'backward' or 'ortho', got {fft_norm!r}")
        whole = modes if complex_data else modes[:-1]
        if any(count % 2 for count in whole):
            raise ValueError(f"n_modes: expected even numbers along axes with both signs, got {tuple(modes)}")
        self.in_channels, self.out_channels, self.complex_data = in_channels, out_channels, complex_data
        self.n_modes, self.fft_norm = tuple(modes), fft_norm
        self._modes = tuple((-(count // 2), count // 2) for count in whole)
        if not complex_data:
            self._modes += ((0, modes[-1] // 2 + 1),)
        std = (2 / (in_channels + out_channels)) ** 0.5 if init_std == "auto" else float(init_std)
        counts = [end - begin for begin, end in self._modes]
        real = torch.get_default_dtype() if dtype is None else dtype
        weight = torch.randn(in_channels, out_channels, *counts, dtype=real.to_complex(), device=device) * std
        self.weight = torch.nn.Parameter(weight)
        self.bias = None
        if bias:
            ones = [1] * self._rank
            kind = real.to_complex() if complex_data else real
            self.bias = torch.nn.Parameter(std * torch.randn(out_channels, *ones, dtype=kind, device=device))

    def _load_from_state_dict(self, state_dict: Any, prefix: str, *arguments: Any) -> None:
        """neuraloperator's dense weights are ``weight.tensor``, with wave numbers from the lowest to the highest."""
        weight = state_dict.pop(prefix + "weight.tensor", None)
        if weight is not None:
            axes = [axis for axis, (begin, _) in enumerate(self._modes, 2) if begin < 0]
            state_dict[prefix + "weight"] = torch.fft.ifftshift(weight, dim=axes) if axes else weight
        super()._load_from_state_dict(state_dict, prefix, *arguments)  # type: ignore[no-untyped-call]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Of a tensor (batch, in_channels, points...), real unless ``complex_data``."""
        if x.dim() != self._rank + 2 or x.shape[1] != self.in_channels:
            raise ValueError(
                f"x: expected (batch, {self.in_channels}) and {self._rank} axes of points, got shape {tuple(x.shape)}"
            )
        if x.dtype not in _REAL or x.dtype.is_complex != self.complex_data:
            kind = "complex" if self.complex_data else "real"
            raise TypeError(f"x: expected {kind} numbers in single or double precision, got {x.dtype}")
        kind = x.dtype if self.complex_data else x.dtype.to_complex()
        weight = self.weight if self.weight.dtype is kind else self.weight.to(kind)
        result = _layer(x, weight, Axes(tuple(x.shape[2:]), self._modes, _REAL[x.dtype]), False)
        return result if self.bias is None else result + self.bias

    def extra_repr(self) -> str:
        return f"{self.in_channels}, {self.out_channels}, n_modes={self.n_modes}"


class SpectralConv1d(_SpectralConv):
    """A layer of a Fourier neural operator along one axis; `SpectralConv2d` and `SpectralConv3d` along two and three.

    Parameters
    ----------
    in_channels, out_channels : int
    n_modes : int or sequence of int
        As neuraloperator counts them: along axes with both signs the wave numbers ``-n/2`` to ``n/2 - 1``, of an even
        ``n``; along the last axis of real data 0 to ``n // 2``.
    complex_data : bool, optional
        Complex in and out. Default: real.
    bias : bool, optional
        A number for each output channel is added. Default: True.
    init_std : float or 'auto', optional
        Of the first weights; 'auto' is ``sqrt(2 / (in_channels + out_channels))``.
    fft_norm : {'forward', 'backward', 'ortho'}, optional
        Where 1/n is. It is once on the way there and back, so that results are the same.
    device, dtype : optional
        Of the parameters; a real type. `x` may have the other precision.

    Notes
    -----
    ``weight`` is (in_channels, out_channels, modes...), along each axis with those from 0 on before the negative ones.
    `load_state_dict` takes neuraloperator's dense ``weight.tensor`` as well.

    Examples
    --------
    >>> import seichefft.torch, torch
    >>> layer = seichefft.torch.SpectralConv2d(3, 5, (16, 16))
    >>> layer(torch.ones(2, 3, 64, 64)).shape
    torch.Size([2, 5, 64, 64])
    """

    _rank = 1


class SpectralConv2d(_SpectralConv):
    """See `SpectralConv1d`, with two axes."""

    _rank = 2


class SpectralConv3d(_SpectralConv):
    """See `SpectralConv1d`, with three axes."""

    _rank = 3
