"""The arguments of `torch.fft`'s functions. Calls go the way of all arrays; the compiler's to the operator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from .._arrays import _torch
from .._arrays._torch import adapter, quick, wanted_type
from .._engine import INVERSE_TYPES, Transform
from ..fft import _arguments as eager
from . import _operator

_is_compiling = torch.compiler.is_dynamo_compiling
_HALVES = (torch.float16, torch.bfloat16, torch.complex32)


def _checked(x: Any) -> torch.Tensor:
    """A tensor; in a region of autocast a half is widened, as sums of a transform soon pass the largest of them."""
    if not isinstance(x, torch.Tensor):
        raise TypeError(f"input: expected a torch.Tensor, got {type(x).__name__}")
    if x.dtype in _HALVES and torch.is_autocast_enabled(x.device.type):
        return x.to(torch.complex64 if x.dtype.is_complex else torch.float32)
    return x


def _traced(
    x: torch.Tensor,
    kind: str,
    direction: str,
    axes: list[int],
    lengths: list[Any],
    norm: str | None,
    orthogonalize: bool = False,
) -> torch.Tensor:
    """The operator on a tensor that the compiler traces: plain values alone, which it can follow."""
    dtype = wanted_type(x.dtype, eager.DOMAINS.get(kind, "number"))
    if x.dtype is not dtype:
        x = x.to(dtype)
    shape = list(x.shape)
    for axis, length in zip(axes, lengths):
        shape[axis] = length
    if kind in ("c2r", "hfft"):
        shape[axes[-1]] = lengths[-1] // 2 + 1
    x = adapter.resized(x, tuple(shape))
    word = eager.norm_of(norm)
    return torch.ops.seichefft.transform(x, kind, direction, axes, lengths, word, orthogonalize)  # type: ignore[no-any-return]


def one_axis(name: str, kind: str, direction: str, x: Any, n: int | None, dim: int, norm: str | None, out: Any) -> Any:
    """A transform along one axis."""
    if not _is_compiling():
        if out is None:
            result = quick(name, x, n, dim, norm)
            if result is not None:
                return result
        x = _checked(x)
        if out is None and _is_plainly_recorded(x):
            return _recorded(name, kind, direction, x, n, dim, norm)
        return eager.one_axis(name, kind, direction, x, n, dim, norm, False, None, None, out)
    x = _checked(x)
    _refuse_out(out)
    axis = dim + x.dim() if dim < 0 else dim
    length = x.shape[axis] if n is None else n
    if n is None and kind in ("c2r", "hfft"):
        length = 2 * (length - 1)
    return _traced(x, kind, direction, [axis], [length], norm)


def _is_plainly_recorded(x: torch.Tensor) -> bool:
    """Whether derivatives are all that is asked for besides the numbers."""
    return x.requires_grad and torch.is_grad_enabled() and type(x) in (torch.Tensor, torch.nn.Parameter)


def _recorded(name: str, kind: str, direction: str, x: Any, n: Any, dim: Any, norm: Any) -> Any:
    """A transform along one axis that is recorded, for the second time in few steps."""
    signature = _torch.layout(x)
    is_simple = signature is not None and (n is None or type(n) is int) and type(dim) is int
    key = (name, signature, n, dim, norm)
    if is_simple:
        result = _operator.quick(key, x)
        if result is not None:
            return result
    result = eager.one_axis(name, kind, direction, x, n, dim, norm, False, None, None, None)
    if is_simple and x.dtype is wanted_type(x.dtype, eager.DOMAINS[kind]):
        axis = dim % x.dim()
        length = result.shape[axis] if kind in ("c2c", "c2r", "hfft") else x.shape[axis] if n is None else n
        transform = Transform(kind, direction, (axis,), (length,), eager.norm_of(norm))
        if transform.input_shape(tuple(x.shape)) == tuple(x.shape):
            _operator.keep(key, transform)
    return result


def many_axes(
    name: str,
    kind: str,
    direction: str,
    x: Any,
    s: Sequence[int] | None,
    dim: int | Sequence[int] | None,
    norm: str | None,
    out: Any,
) -> Any:
    """A transform along several axes."""
    x = _checked(x)
    if not _is_compiling():
        s, dim = _plain(s), _plain(dim)
        return eager.many_axes(name, kind, direction, x, s, dim, norm, False, None, None, out)
    _refuse_out(out)
    lengths, axes = _lengths_and_axes(x, s, dim)
    if s is None and kind in ("c2r", "hfft"):
        lengths[-1] = 2 * (lengths[-1] - 1)
    return _traced(x, kind, direction, axes, lengths, norm)


def cosine_or_sine(
    family: str,
    inverse: bool,
    x: Any,
    type_: int,
    s: Any,
    dim: Any,
    norm: str | None,
    orthogonalize: bool | None,
    is_one_axis: bool,
) -> Any:
    """A cosine or sine transform."""
    x = _checked(x)
    if not _is_compiling():
        if not is_one_axis:
            s, dim = _plain(s), _plain(dim)
        return eager.cosine_or_sine(
            family, inverse, x, type_, s, dim, norm, False, None, orthogonalize, None, is_one_axis
        )
    lengths, axes = _lengths_and_axes(
        x, None if s is None else [s] if is_one_axis else s, [dim] if is_one_axis else dim
    )
    kind = f"{family}{INVERSE_TYPES[type_] if inverse else type_}"
    edges = norm == "ortho" if orthogonalize is None else orthogonalize
    return _traced(x, kind, "inverse" if inverse else "forward", axes, lengths, norm, edges)


def _refuse_out(out: Any) -> None:
    if out is not None:
        raise RuntimeError("out: expected None for a tensor that is differentiated or traced, got a tensor")


def _plain(numbers: Any) -> Any:
    """A list as a tuple, which the cache of calls can hold."""
    return tuple(numbers) if isinstance(numbers, (list, torch.Size)) else numbers


def _lengths_and_axes(x: torch.Tensor, s: Any, dim: Any) -> tuple[list[Any], list[int]]:
    """With the defaults of `torch.fft.fftn`, in words that the compiler follows."""
    ndim = x.dim()
    if isinstance(dim, int):
        dim = [dim]
    if isinstance(s, int):
        s = [s]
    if dim is not None:
        axes = [axis + ndim if axis < 0 else axis for axis in dim]
    else:
        axes = list(range(ndim)) if s is None else list(range(ndim - len(s), ndim))
    if s is None:
        return [x.shape[axis] for axis in axes], axes
    if len(s) != len(axes):
        raise ValueError("s: expected as many lengths as there are axes in dim")
    return [x.shape[axis] if length == -1 else length for length, axis in zip(s, axes)], axes
