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
from .._arrays._torch import _is_batched as is_batched
from .._arrays._torch import _modes as is_traced
from .._arrays._torch import _transforms as is_transformed
from .._arrays._torch import adapter, is_recorded, layout
from .._cache import plans
from .._engine import Transform, transform_memory


def execute(x: torch.Tensor, transform: Transform) -> torch.Tensor:
    """Runs on a tensor with memory of its own."""
    signature = layout(x)
    key = None if signature is None else (transform, signature)
    ready = None if key is None else plans.calls.get(key)
    if ready is not None:
        ready.entry.hits += 1
        again: torch.Tensor | None = adapter.repeat(ready, x)
        if again is not None:
            return again
    result: torch.Tensor = transform_memory(adapter, adapter.asarray(x), transform, key=key)
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
    """The transform in a graph of derivatives."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, held: _Held) -> torch.Tensor:
        ctx.transform = held.transform
        return execute(x, held.transform)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor, None]:
        return adjoint(gradients[0], ctx.transform), None

    @staticmethod
    def jvp(ctx: Any, *tangents: torch.Tensor) -> torch.Tensor:
        return apply(tangents[0], ctx.transform)


class _Transformed(torch.autograd.Function):
    """The same for the function transforms of `torch.func`, which ask for the context apart."""

    @staticmethod
    def forward(x: torch.Tensor, held: _Held) -> torch.Tensor:
        return execute(x, held.transform)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: torch.Tensor) -> None:
        ctx.transform = inputs[1].transform

    backward = staticmethod(_Recorded.backward)
    jvp = staticmethod(_Recorded.jvp)

    @staticmethod
    def vmap(info: Any, in_dims: tuple[int | None, ...], x: torch.Tensor, held: _Held) -> tuple[torch.Tensor, Any]:
        if in_dims[0] is None:
            return apply(x, held.transform), None
        transform = held.transform
        moved = transform._replace(axes=tuple(axis + 1 for axis in transform.axes))
        return apply(x.movedim(in_dims[0], 0), moved), 0


def apply(x: torch.Tensor, transform: Transform) -> torch.Tensor:
    """The transform with its derivatives, of a tensor that has its type and shape. Axes are not negative."""
    if torch.compiler.is_compiling() or not _has_numbers(x):
        return _transform(x, *transform)  # type: ignore[no-any-return]
    if is_transformed():
        return _Transformed.apply(x, _Held(transform))  # type: ignore[no-any-return, no-untyped-call]
    return _Recorded.apply(x, _Held(transform))  # type: ignore[no-any-return, no-untyped-call]


def _has_numbers(x: torch.Tensor) -> bool:
    """Whether `x` has memory, which a tensor that is traced, or a batch of derivatives, has not."""
    return (
        type(x) in (torch.Tensor, torch.nn.Parameter)
        and x.device.type != "meta"
        and not is_traced()
        and not is_batched(x)
    )


#: What was recorded lately, by function, layout and arguments, where the tensor is transformed as it is.
_held: dict[Any, _Held] = {}


def quick(key: Any, x: torch.Tensor) -> torch.Tensor | None:
    """Records a transform that was recorded before; None where there is none."""
    held = _held.get(key)
    if held is None or is_transformed() or is_traced() or is_batched(x):
        return None
    return _Recorded.apply(x, held)  # type: ignore[no-any-return, no-untyped-call]


def keep(key: Any, transform: Transform) -> None:
    if len(_held) >= 4096:
        _held.clear()
    _held[key] = _Held(transform)


def recorded(x: torch.Tensor, transform: Transform) -> torch.Tensor | None:
    """See `Arrays.recorded`."""
    return apply(x, transform) if is_recorded(x) or x.device.type == "meta" else None


def _weighted(x: torch.Tensor, weights: Weights) -> torch.Tensor:
    index = torch.arange(weights.length, device=x.device)
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
