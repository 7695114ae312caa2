"""What layers of Fourier neural operators and their gradients are made of, for arrays of any library.

A layer keeps a few modes of every channel and multiplies them by weights. It is linear in its input and in its weights,
so its gradients are made of the same steps: the kept modes of an array, the way back from modes by way of weights or of
their conjugate transpose, and the products of two arrays' modes, summed over the batch. Modes are those of
`SpectralPlan.weight_shape`, (batch, channels, modes...); weights are (inputs, outputs, modes...).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ._arrays import adapter_of
from ._devices import Device
from ._kept import kept as kept_plan
from .spectral_plans import SpectralPlan


class Axes(NamedTuple):
    """What the arrays of a layer are: along their last axes, and the type of their points."""

    lengths: tuple[int, ...]
    modes: tuple[tuple[int, int], ...]  #: Which are kept, as `SpectralPlan` has them.
    dtype: str  #: Of the points, real or complex: "float32" ...

    @property
    def counts(self) -> tuple[int, ...]:
        """Modes along each axis."""
        return tuple(end - begin for begin, end in self.modes)

    @property
    def factors(self) -> list[float]:
        """For each mode of the last axis: of how many bins the whole spectrum has it, over the number of points."""
        points = math.prod(self.lengths)
        if self.dtype.startswith("complex"):
            return [1 / points] * self.counts[-1]
        begin, end = self.modes[-1]
        return [(1 if k == 0 or 2 * k == self.lengths[-1] else 2) / points for k in range(begin, end)]


def _plan(x: Any, axes: Axes, batch: int, channels: tuple[int, int] | None, part: str, adjoint: bool) -> SpectralPlan:
    device = adapter_of(x).device(x)

    def make() -> SpectralPlan:
        where = Device._of(device)
        lengths, modes, dtype = axes
        return SpectralPlan(
            lengths, dtype, kept=modes, channels=channels, adjoint=adjoint, part=part, batch=batch, device=where
        )

    plan: SpectralPlan = kept_plan(device, ("layer", axes, batch, channels, part, adjoint), make, lambda p: p.problem)
    return plan


def _channels(weights: Any, adjoint: bool) -> tuple[int, int]:
    """Of the layer: inputs and outputs."""
    inputs, outputs = int(weights.shape[0]), int(weights.shape[1])
    return (outputs, inputs) if adjoint else (inputs, outputs)


def layer(x: Any, weights: Any, axes: Axes, adjoint: bool = False) -> Any:
    """(batch, inputs, points...) to (batch, outputs, points...); of the adjoint the other way."""
    return _plan(x, axes, int(x.shape[0]), _channels(weights, adjoint), "whole", adjoint)(x, weights=weights)


def kept_modes(x: Any, axes: Axes) -> Any:
    """(batch, channels, points...) to (batch, channels, modes...)."""
    batch, channels = int(x.shape[0]), int(x.shape[1])
    plan = _plan(x, axes, batch * channels, None, "forward", False)
    return plan(x.reshape((batch * channels, *axes.lengths))).reshape((batch, channels, *axes.counts))


def from_modes(modes: Any, weights: Any, axes: Axes, adjoint: bool = False) -> Any:
    """The layer behind `kept_modes`."""
    channels = _channels(weights, adjoint)
    return _plan(modes, axes, int(modes.shape[0]), channels, "inverse", adjoint)(modes, weights=weights)


def spread(modes: Any, axes: Axes) -> Any:
    """The inverse transform of modes, all others 0: (batch, channels, modes...) to (batch, channels, points...)."""
    batch, channels = int(modes.shape[0]), int(modes.shape[1])
    plan = _plan(modes, axes, batch * channels, None, "inverse", False)
    return plan(modes.reshape((batch * channels, *axes.counts))).reshape((batch, channels, *axes.lengths))


def gradient_of_weights(modes: Any, of_output: Any, axes: Axes) -> Any:
    """From the modes of a layer's input and of its output's gradient."""
    channels = int(modes.shape[1]), int(of_output.shape[1])
    return _plan(modes, axes, int(modes.shape[0]), channels, "gradient", False)(modes, weights=of_output)
