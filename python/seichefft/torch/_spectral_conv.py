"""Layers of Fourier neural operators: a few modes of every channel, a matrix of weights for each, and back.

Li et al., "Fourier Neural Operator for Parametric Partial Differential Equations", 2021. Parameters and weights are
those of neuraloperator's `SpectralConv` with dense weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from .._arrays import adapter_of
from .._devices import Device
from .._kept import kept as kept_plan
from ..spectral_plans import SpectralPlan
from ._many_axes import fftn, rfftn

__all__ = ["SpectralConv1d", "SpectralConv2d", "SpectralConv3d"]

_REAL = {
    torch.float32: "float32",
    torch.float64: "float64",
    torch.complex64: "complex64",
    torch.complex128: "complex128",
}


def _applied(x: torch.Tensor, weight: torch.Tensor, modes: tuple[tuple[int, int], ...]) -> torch.Tensor:
    """The layer on tensors with memory of their own."""
    x, weight = x.contiguous(), weight.contiguous().resolve_conj()
    lengths, channels = tuple(x.shape[2:]), (int(weight.shape[0]), int(weight.shape[1]))
    dtype, batch = _REAL[x.dtype], int(x.shape[0])
    if batch == 0:
        return x.new_empty((0, channels[1], *lengths))
    device = adapter_of(x).device(x)

    def make() -> SpectralPlan:
        where = Device._of(device)
        return SpectralPlan(lengths, dtype, kept=modes, channels=channels, batch=batch, device=where)

    plan: SpectralPlan = kept_plan(device, ("layer", lengths, dtype, modes, channels, batch), make, lambda p: p.problem)
    result: torch.Tensor = plan(x, weights=weight)
    return result


def _kept_modes(x: torch.Tensor, modes: tuple[tuple[int, int], ...]) -> torch.Tensor:
    """Of a spectrum's axes behind the first two, in the order in which weights have them."""
    axes = tuple(range(2, x.dim()))
    spectrum: torch.Tensor = fftn(x, dim=axes) if x.dtype.is_complex else rfftn(x, dim=axes)
    for axis, (begin, end) in enumerate(modes, 2):
        parts = [spectrum.narrow(axis, max(begin, 0), end - max(begin, 0))] if end > 0 else []
        if begin < 0:
            parts.append(spectrum.narrow(axis, spectrum.shape[axis] + begin, min(end, 0) - begin))
        spectrum = torch.cat(parts, axis) if len(parts) > 1 else parts[0]
    return spectrum


class _Layer(torch.autograd.Function):
    """The transform back is the conjugate transpose of that there, but for 1/n and for bins that stand for their
    mirrors too. So the gradient of the input is a layer, of the conjugate transposed weights."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, weight: torch.Tensor, modes: tuple[tuple[int, int], ...]) -> torch.Tensor:
        ctx.save_for_backward(x, weight)
        ctx.modes = modes
        return _applied(x, weight, modes)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor | None, torch.Tensor | None, None]:
        x, weight = ctx.saved_tensors
        gradient = gradients[0]
        of_x = of_weight = None
        if ctx.needs_input_grad[0]:
            of_x = _Layer.apply(gradient, weight.conj().transpose(0, 1), ctx.modes)  # type: ignore[no-untyped-call]
        if ctx.needs_input_grad[1]:
            of_weight = _gradient_of_weight(x, gradient, ctx.modes)
        return of_x, of_weight, None


def _gradient_of_weight(x: torch.Tensor, gradient: torch.Tensor, modes: tuple[tuple[int, int], ...]) -> torch.Tensor:
    points = 1
    for length in x.shape[2:]:
        points *= int(length)
    product = torch.einsum("bi...,bo...->io...", _kept_modes(x, modes).conj(), _kept_modes(gradient, modes))
    if not x.dtype.is_complex:
        begin, end = modes[-1]
        factors = [1.0 if k == 0 or 2 * k == int(x.shape[-1]) else 2.0 for k in range(begin, end)]
        product = product * torch.tensor(factors, dtype=x.dtype, device=x.device)
    return product / points


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
        weight = self.weight.to(x.dtype if self.complex_data else x.dtype.to_complex())
        result: torch.Tensor = _Layer.apply(x, weight, self._modes)  # type: ignore[no-untyped-call]
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
