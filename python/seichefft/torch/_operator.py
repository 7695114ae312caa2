"""The transform as an operator of PyTorch: its derivatives, its batches, and what the compiler has to know of it.

Every transform is linear. Its derivative forwards is itself, and backwards its adjoint, which is another transform, for
some kinds with weights at the edges. By PyTorch's convention the gradient of a complex input is the conjugate
Wirtinger derivative, so that the adjoint is the conjugate transpose.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from .._adjoint import Weights, adjoint_of
from .._arrays._torch import adapter, is_recorded
from .._engine import Transform, transform_memory


def execute(x: torch.Tensor, transform: Transform) -> torch.Tensor:
    """Runs on a tensor with memory of its own."""
    result: torch.Tensor = transform_memory(adapter, adapter.asarray(x), transform)
    return result


@torch.library.custom_op(
    "seichefft::transform",
    mutates_args=(),
    schema="(Tensor x, str kind, str direction, int[] axes, SymInt[] lengths, str norm, bool orthogonalize) -> Tensor",
)
def _transform(
    x: torch.Tensor,
    kind: str,
    direction: str,
    axes: Sequence[int],
    lengths: Sequence[int],
    norm: str,
    orthogonalize: bool,
) -> torch.Tensor:
    return execute(x, Transform(kind, direction, tuple(axes), tuple(lengths), norm, orthogonalize))


@_transform.register_fake
def _(
    x: torch.Tensor,
    kind: str,
    direction: str,
    axes: Sequence[int],
    lengths: Sequence[int],
    norm: str,
    orthogonalize: bool,
) -> torch.Tensor:
    shape = list(x.shape)
    for axis, length in zip(axes, lengths):
        shape[axis] = length
    dtype = x.dtype
    if kind in ("r2c", "ihfft"):
        shape[axes[-1]] = lengths[-1] // 2 + 1
        dtype = dtype.to_complex()
    elif kind in ("c2r", "hfft"):
        dtype = dtype.to_real()
    return x.new_empty(shape, dtype=dtype)


def _keep(ctx: Any, inputs: tuple[Any, ...], output: torch.Tensor) -> None:
    kind, direction, axes, lengths, norm, orthogonalize = inputs[1:]
    ctx.transform = Transform(kind, direction, tuple(axes), tuple(lengths), norm, orthogonalize)


def _gradient(ctx: Any, gradient: torch.Tensor) -> tuple[Any, ...]:
    return (adjoint(gradient, ctx.transform), None, None, None, None, None, None)


_transform.register_autograd(_gradient, setup_context=_keep)


@_transform.register_vmap
def _batched(
    info: Any,
    in_dims: tuple[int | None, ...],
    x: torch.Tensor,
    kind: str,
    direction: str,
    axes: Sequence[int],
    lengths: Sequence[int],
    norm: str,
    orthogonalize: bool,
) -> tuple[torch.Tensor, int]:
    assert in_dims[0] is not None
    x = x.movedim(in_dims[0], 0)
    return _transform(x, kind, direction, [axis + 1 for axis in axes], lengths, norm, orthogonalize), 0


class _Held:
    """A transform that PyTorch takes for a thing without parts."""

    __slots__ = ("transform",)

    def __init__(self, transform: Transform) -> None:
        self.transform = transform


class _Recorded(torch.autograd.Function):
    """The transform outside the compiler, where the function transforms of `torch.func` have to know it as well."""

    @staticmethod
    def forward(x: torch.Tensor, held: _Held) -> torch.Tensor:
        return execute(x, held.transform)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: torch.Tensor) -> None:
        ctx.transform = inputs[1].transform

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor, None]:
        return adjoint(gradients[0], ctx.transform), None

    @staticmethod
    def jvp(ctx: Any, *tangents: torch.Tensor) -> torch.Tensor:
        return apply(tangents[0], ctx.transform)

    @staticmethod
    def vmap(info: Any, in_dims: tuple[int | None, ...], x: torch.Tensor, held: _Held) -> tuple[torch.Tensor, Any]:
        if in_dims[0] is None:
            return apply(x, held.transform), None
        transform = held.transform
        moved = transform._replace(axes=tuple(axis + 1 for axis in transform.axes))
        return apply(x.movedim(in_dims[0], 0), moved), 0


def apply(x: torch.Tensor, transform: Transform) -> torch.Tensor:
    """The transform with its derivatives, of a tensor that has its type and shape. Axes are not negative."""
    if torch.compiler.is_compiling() or not _is_plain(x):
        return _transform(x, *transform)  # type: ignore[no-any-return]
    return _Recorded.apply(x, _Held(transform))  # type: ignore[no-any-return, no-untyped-call]


def _is_plain(x: torch.Tensor) -> bool:
    """Whether `x` has numbers, which a tensor that is traced has not."""
    is_seen = getattr(torch._C, "_len_torch_dispatch_stack", None)
    return type(x) in (torch.Tensor, torch.nn.Parameter) and x.device.type != "meta" and not (is_seen and is_seen())


def recorded(x: torch.Tensor, transform: Transform) -> torch.Tensor | None:
    """See `Arrays.recorded`."""
    return apply(x, transform) if is_recorded(x) or x.device.type == "meta" else None


def _weighted(x: torch.Tensor, weights: Weights) -> torch.Tensor:
    index = torch.arange(weights.count, device=x.device)
    is_edge = index == weights.edges[0]
    for place in weights.edges[1:]:
        is_edge = is_edge | (index == place)
    shape = [1] * x.dim()
    shape[weights.axis] = -1
    factors = torch.where(is_edge, weights.edge, weights.inner).reshape(shape)
    if x.dtype is torch.complex32:  # which not every device multiplies
        return torch.view_as_complex(torch.view_as_real(x) * factors.to(torch.float16).unsqueeze(-1))
    return x * factors.to(x.dtype.to_real() if x.dtype.is_complex else x.dtype)


def adjoint(x: torch.Tensor, transform: Transform) -> torch.Tensor:
    """The conjugate transpose of the transform's matrix, times `x`."""
    before, other, after = adjoint_of(transform)
    for weights in before:
        x = _weighted(x, weights)
    x = apply(x, other)
    for weights in after:
        x = _weighted(x, weights)
    return x
