"""JAX's arrays and what it traces: every transform is a primitive of JAX, which decides where and when it runs.

JAX has no complex halves: they become ``complex64``. Of real-to-real transforms halves stay halves.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NoReturn

import jax.numpy as jnp

from .._cache import DenseReady
from ._contract import Element, Memory

_ELEMENTS = {
    "float16": Element("f32", "f16", False),
    "bfloat16": Element("f32", "bf16", False),
    "float32": Element("f32", "same", False),
    "float64": Element("f64", "same", False),
    "complex64": Element("f32", "same", True),
    "complex128": Element("f64", "same", True),
}
_COMPLEX = {"float32": "complex64", "float64": "complex128"}


class Jax:
    """See `_contract.Arrays`. What only a plan asks for is refused: it writes into memory, and JAX's is read-only."""

    name = "jax"

    def signature(self, x: Any) -> Hashable | None:
        return None

    def numbers_signature(self, x: Any) -> Hashable | None:
        return None

    def asarray(self, x: Any) -> Any:
        return jnp.asarray(x)

    def convert(self, x: Any, domain: str) -> Any:
        word = x.dtype.name
        if domain == "real" and jnp.iscomplexobj(x):
            raise TypeError("x must be a real sequence")
        if jnp.issubdtype(x.dtype, jnp.integer) or word == "bool":
            word = jnp.result_type(float).name
        if word not in _ELEMENTS:
            raise TypeError(f"x: expected elements of one of {', '.join(_ELEMENTS)}, got {word}")
        if domain != "number" and word in ("float16", "bfloat16"):
            word = "float32"
        if domain == "complex":
            word = _COMPLEX.get(word, word)
        return x if x.dtype.name == word else x.astype(word)

    def memory(self, x: Any) -> Memory:
        return Memory(tuple(x.shape), None, _ELEMENTS[x.dtype.name])

    def resized(self, x: Any, shape: tuple[int, ...]) -> Any:
        x = x[tuple(slice(min(have, want)) for have, want in zip(x.shape, shape))]
        return jnp.pad(x, [(0, want - have) for have, want in zip(x.shape, shape)])

    def is_out(self, out: Any) -> bool:
        return False

    def repeat_dense(self, ready: DenseReady, arrays: Sequence[Any], numbers: Sequence[float]) -> Any:
        return None

    def finish(self, out: Any, shape: tuple[int, ...]) -> Any:
        return out

    def from_host(self, x: Any, like: Any) -> Any:
        return jnp.asarray(x)

    def flipped(self, x: Any) -> Any:
        return jnp.flip(x, -1)

    def rolled(self, x: Any, shifts: tuple[int, ...], axes: tuple[int, ...]) -> Any:
        return jnp.roll(x, shifts, axes)

    def recorded(self, x: Any, transform: Any) -> Any:
        from ..jax import _primitive

        return _primitive.apply(x, transform)

    def _refuse(self, *_: Any) -> NoReturn:
        raise TypeError(
            "x: expected an array whose memory can be written, got one of JAX: use the functions of seichefft.jax, or "
            "bring it to NumPy or to CuPy"
        )

    contiguous = empty = result = zeros = is_writable = takes_result = copy_into = device = run = repeat = _refuse
    address = room = stream = workspace = is_on_host = alias = stage_type = _refuse


adapter: Any = Jax()
