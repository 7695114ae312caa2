"""The transform as a primitive of JAX: a call of XLA's foreign function interface, its derivatives and its batches.

Every transform is linear, so that JAX needs its transpose alone for derivatives of any order. JAX pairs values with
cotangents without a conjugate: the transpose is the conjugate of the adjoint of the conjugate.
"""

from __future__ import annotations

import ctypes
import functools
import pathlib
import sys
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from .. import _native
from .._adjoint import Weights, adjoint_of
from .._arrays._contract import Element, Memory
from .._engine import Transform, key_of

_ELEMENTS = {
    "float16": Element("f32", "f16", False),
    "bfloat16": Element("f32", "bf16", False),
    "float32": Element("f32", "same", False),
    "float64": Element("f64", "same", False),
    "complex64": Element("f32", "same", True),
    "complex128": Element("f64", "same", True),
}
_OTHER_SIDE = {"float32": "complex64", "float64": "complex128", "complex64": "float32", "complex128": "float64"}
#: JAX's name of a platform, and the function of the library for it.
_TARGETS = {"cpu": "seichefft_xla_cpu", "CUDA": "seichefft_xla_cuda"}


def _register() -> None:
    """Makes the library's functions known to XLA."""
    suffix = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
    path = pathlib.Path(_native.__file__ or "").with_name(f"_xla{suffix}")
    if not path.exists():
        raise ImportError(
            "seichefft.jax: expected the library _xla beside seichefft._native, but this seichefft was built without "
            "JAX: build it where jaxlib is installed"
        )
    library = ctypes.CDLL(str(path))
    for platform, symbol in _TARGETS.items():
        capsule = jax.ffi.pycapsule(getattr(library, symbol))
        jax.ffi.register_ffi_target(symbol, capsule, platform=platform)


def _strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    steps, step = [], 1
    for length in reversed(shape):
        steps.append(step)
        step *= length
    return tuple(reversed(steps))


@functools.lru_cache(maxsize=1024)
def _attributes(shape: tuple[int, ...], dtype: str, transform: Transform) -> dict[str, str]:
    """What the library is told of the problem of a dense array of that shape."""
    target_shape = transform.output_shape(shape)
    element = _ELEMENTS[dtype]
    source = Memory(shape, _strides(shape), element)
    target = Memory(target_shape, _strides(target_shape), transform.output_element(element))
    logical = list(target_shape)
    for axis, length in zip(transform.axes, transform.lengths):
        logical[axis] = length
    key = key_of(transform, tuple(logical), source, target, in_place=False)
    return {"problem": str(key.problem()), "direction": key.direction}


_transform = Primitive("seichefft_transform")


def _abstract(x: Any, *, transform: Transform) -> Any:
    dtype = x.dtype.name
    if transform.output_element(_ELEMENTS[dtype]).is_complex != _ELEMENTS[dtype].is_complex:
        dtype = _OTHER_SIDE[dtype]
    return jax.core.ShapedArray(transform.output_shape(x.shape), np.dtype(dtype) if dtype != "bfloat16" else x.dtype)


@functools.lru_cache(maxsize=1024)
def _compiled(transform: Transform) -> Any:
    return jax.jit(functools.partial(_transform.bind, transform=transform))


def _lowered(symbol: str, context: Any, x: Any, *, transform: Transform) -> Any:
    axes = context.module_context.axis_context
    count = int(getattr(axes, "num_devices", 0) or getattr(getattr(axes, "mesh", None), "size", 1))
    if count > 1 and not getattr(axes, "manual_axes", None):
        raise NotImplementedError(
            f"seichefft.jax: expected an array on one device, got a computation over {count}: transform each part "
            "inside jax.shard_map, or gather the array first"
        )
    shaped = context.avals_in[0]
    attributes = _attributes(tuple(shaped.shape), shaped.dtype.name, transform)
    return jax.ffi.ffi_lowering(symbol)(context, x, **attributes)


def _transpose(cotangent: Any, x: Any, *, transform: Transform) -> tuple[Any]:
    if type(cotangent) is ad.Zero:
        return (ad.Zero(x.aval),)
    return (_conjugate(adjoint(_conjugate(cotangent), transform)),)


def _batched(arguments: Any, axes: Any, *, transform: Transform) -> tuple[Any, int]:
    x = jnp.moveaxis(arguments[0], axes[0], 0)
    moved = transform._replace(axes=tuple(axis + 1 for axis in transform.axes))
    return _transform.bind(x, transform=moved), 0


def _conjugate(x: Any) -> Any:
    return jnp.conj(x) if jnp.iscomplexobj(x) else x


def _weighted(x: Any, weights: Weights) -> Any:
    factors = np.full(weights.length, weights.inner, np.float32)
    factors[list(weights.edges)] = weights.edge
    shape = [1] * x.ndim
    shape[weights.axis] = -1
    real = x.real.dtype if jnp.iscomplexobj(x) else x.dtype
    return x * jnp.asarray(factors.reshape(shape), real)


def adjoint(x: Any, transform: Transform) -> Any:
    """The conjugate transpose of the transform's matrix, times `x`."""
    before, other, after = adjoint_of(transform)
    for weights in before:
        x = _weighted(x, weights)
    x = apply(x, other)
    for weights in after:
        x = _weighted(x, weights)
    return x


def apply(x: Any, transform: Transform) -> Any:
    """The transform of an array, traced or not, that has its type and shape. Axes are not negative."""
    shape = transform.output_shape(tuple(x.shape))
    if 0 in shape:
        shaped = _abstract(x, transform=transform)
        return jnp.zeros(shaped.shape, shaped.dtype)
    return _transform.bind(x, transform=transform)


_register()
_transform.def_impl(lambda x, *, transform: _compiled(transform)(x))
_transform.def_abstract_eval(_abstract)
ad.deflinear2(_transform, _transpose)
batching.primitive_batchers[_transform] = _batched
mlir.register_lowering(_transform, functools.partial(_lowered, _TARGETS["cpu"]), platform="cpu")
mlir.register_lowering(_transform, functools.partial(_lowered, _TARGETS["CUDA"]), platform="cuda")
