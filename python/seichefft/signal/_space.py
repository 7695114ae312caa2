"""The functions of an array's own library, by one name each, so that signals stay where they are.

Code of this package calls a `Space` for what is no transform: products, sums, moved axes. NumPy's names differ between
its versions and from the Array API's; the differences end here.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from .._arrays import adapter_of


@lru_cache(maxsize=64)
def _type_name(library: str, dtype: Any) -> str:
    return str(dtype).rpartition(".")[2]


def type_name(dtype: Any) -> str:
    """Of any library's type, ``'float32'`` say; NumPy works it out anew each time."""
    return _type_name(type(dtype).__module__, dtype)  # types of two libraries may not like to be compared


_KINDS = {"c": "complex", "f": "real", "i": "integer", "u": "integer", "b": "bool"}


class Space:
    """One array library: its namespace, and what its versions call differently."""

    def __init__(self, xp: Any) -> None:
        self.xp = xp
        self.is_numpy = xp is np
        self.library: str = xp.__name__.removeprefix("array_api_compat.").partition(".")[0]
        self._concat = getattr(xp, "concat", None) or xp.concatenate
        #: By a library's own types of elements, for libraries that take long to tell.
        self._kinds: dict[Any, str] = {}
        self._results: dict[Any, Any] = {}

    def asarray(self, x: Any) -> Any:
        return self.xp.asarray(x)

    def kind(self, x: Any) -> str:
        """``'complex'``, ``'real'``, ``'integer'``, ``'bool'``, or ``'other'`` for what is no number of a machine."""
        if hasattr(x.dtype, "kind"):
            return _KINDS.get(x.dtype.kind, "other")
        kind = self._kinds.get(x.dtype)
        if kind is None:
            kind = self._kinds[x.dtype] = self._kind_of(x)
        return kind

    def _kind_of(self, x: Any) -> str:
        for word, name in (("complex floating", "complex"), ("real floating", "real"), ("integral", "integer")):
            if self.xp.isdtype(x.dtype, word):
                return name
        return "bool"

    def is_complex(self, x: Any) -> bool:
        return self.kind(x) == "complex"

    def astype(self, x: Any, dtype: Any) -> Any:
        if x.dtype == dtype:
            return x
        return x.astype(dtype) if hasattr(x, "astype") else self.xp.astype(x, dtype)

    def result_type(self, *arrays: Any) -> Any:
        return self.xp.result_type(*[x if isinstance(x, type) else getattr(x, "dtype", x) for x in arrays])

    def floating(self, x: Any) -> Any:
        """In a type that is transformed: integers as doubles, half precision as single."""
        kind = self.kind(x)
        if kind == "other":
            raise TypeError(f"expected an array of numbers, got elements of {x.dtype}")
        if kind in ("integer", "bool"):
            return self.astype(x, self.xp.float64)
        is_half = type_name(x.dtype) in ("float16", "bfloat16")
        return self.astype(x, self.xp.float32) if is_half else x

    def complex_type(self, x: Any) -> Any:
        if hasattr(x.dtype, "kind"):
            return self.result_type(x, self.xp.complex64)
        result = self._results.get(x.dtype)
        if result is None:
            result = self._results[x.dtype] = self.result_type(x, self.xp.complex64)
        return result

    def real_type(self, x: Any) -> Any:
        """The type of the parts of `x`."""
        if self.is_numpy:
            return x.real.dtype
        # Types are compared, not looked up: CuPy's arrays have NumPy's dtype, which is no key like its scalar type.
        for of_elements, of_parts in ((self.xp.complex64, self.xp.float32), (self.xp.complex128, self.xp.float64)):
            if x.dtype == of_elements:
                return of_parts
        return x.dtype

    def conj(self, x: Any) -> Any:
        return self.xp.conj(x) if self.kind(x) in ("complex", "other") else x

    def real(self, x: Any) -> Any:
        return self.xp.real(x) if self.is_complex(x) else x

    def power(self, x: Any) -> Any:
        """The squared magnitude."""
        if not self.is_complex(x):
            return x * x
        if self.is_numpy:  # without a third array of that size
            result = np.square(x.real)
            result += np.square(x.imag)
            return result
        return self.xp.real(x) ** 2 + self.xp.imag(x) ** 2

    def from_host(self, x: Any, like: Any, dtype: Any = None) -> Any:
        """An array of NumPy's where `like` is, in that type. What is an array of the library already stays."""
        if self.is_numpy or not isinstance(x, np.ndarray):
            return x if dtype is None else self.astype(x, dtype)
        array = adapter_of(like).from_host(x, like)
        return array if dtype is None else self.astype(array, dtype)

    def weights(self, x: Any, like: Any) -> Any:
        """Real weights of the host for a product with `like`, in the precision of that."""
        return self.from_host(np.asarray(x, np.float64), like, self.real_type(like))

    def as_reals(self, x: Any) -> Any:
        """Real and imaginary parts side by side: of a dense array its own memory, where the library has such views."""
        if not self.is_complex(x):
            return x
        if self.library in ("numpy", "cupy"):
            return x.view(x.real.dtype)
        if self.library == "torch":
            import torch

            return torch.view_as_real(x.resolve_conj())
        return self.xp.stack([self.xp.real(x), self.xp.imag(x)], axis=-1)

    def zeros(self, shape: Sequence[int], like: Any, dtype: Any = None) -> Any:
        dtype = like.dtype if dtype is None else dtype
        if self.is_numpy:
            return np.zeros(shape, dtype)
        options = {"device": like.device} if self.xp.__name__.partition(".")[0] != "cupy" else {}
        return self.xp.zeros(tuple(shape), dtype=dtype, **options)

    def concat(self, arrays: Sequence[Any], axis: int = -1) -> Any:
        return self._concat(list(arrays), axis=axis)

    def padded(self, x: Any, before: int, after: int, axis: int = -1) -> Any:
        """With so many zeros at both ends of an axis."""
        before, after = max(before, 0), max(after, 0)
        if not (before or after):
            return x
        if self.library == "torch":
            import torch

            behind = [0] * (2 * (x.ndim - 1 - axis % x.ndim))  # of later axes, which `pad` takes first
            return torch.nn.functional.pad(x, [*behind, before, after])
        shape = list(x.shape)
        if self.library in ("numpy", "cupy"):
            n = shape[axis]
            shape[axis] += before + after
            result = self.zeros(shape, x)
            place: list[Any] = [slice(None)] * len(shape)
            place[axis] = slice(before, before + n)
            result[tuple(place)] = x
            return result
        parts = [x]
        for count, at in ((before, 0), (after, 2)):
            shape[axis] = count
            if count:
                parts.insert(at, self.zeros(shape, x))
        return self.concat(parts, axis)

    def moveaxis(self, x: Any, source: Any, destination: Any) -> Any:
        return x if source == destination else self.xp.moveaxis(x, source, destination)

    def frames(self, x: Any, length: int, hop: int, count: int) -> Any:
        """(..., count, length): pieces of the last axis, `hop` apart, as a view that must not be written into."""
        if self.is_numpy:
            if not count:
                return np.zeros((*x.shape[:-1], 0, length), x.dtype)
            step = x.strides[-1]
            shape, strides = (*x.shape[:-1], count, length), (*x.strides[:-1], hop * step, step)
            return np.lib.stride_tricks.as_strided(x, shape, strides, writeable=False)
        adapter = adapter_of(x)
        memory = adapter.memory(x)
        if memory.strides is None:
            x = adapter.contiguous(x)
            memory = adapter.memory(x)
        assert memory.strides is not None
        step = memory.strides[-1]
        strides = (*memory.strides[:-1], hop * step, step)
        return adapter.alias(x, (*memory.shape[:-1], count, length), strides, memory.element)


_numpy = Space(np)
_spaces: dict[str, Space] = {"numpy": _numpy}


def _namespace(x: Any) -> Any:
    library = type(x).__module__.partition(".")[0]
    if library == "torch":
        try:
            return importlib.import_module("array_api_compat.torch")
        except ImportError:
            raise TypeError(
                "x: tensors of torch need the package array-api-compat for seichefft.signal and seichefft.spectral"
            ) from None
    if library == "pyopencl":
        raise TypeError(
            "x: arrays of PyOpenCL have too few operations for seichefft.signal and seichefft.spectral: "
            "use seichefft.fft, ConvolutionPlan or SpectralPlan"
        )
    if hasattr(x, "__array_namespace__"):
        return x.__array_namespace__()
    return importlib.import_module("cupy") if library == "cupy" else None


def space_of(*arrays: Any) -> Space:
    """The space of arrays of one library; lists and numbers are NumPy's.

    Raises
    ------
    TypeError
        For arrays of two libraries.
    """
    found: Space | None = None
    for x in arrays:
        if x is None or isinstance(x, (np.ndarray, np.generic, list, tuple, int, float, complex)):
            is_array = isinstance(x, np.ndarray)
            space = _numpy if is_array else None
        else:
            library = type(x).__module__.partition(".")[0]
            space = _spaces.get(library)
            if space is None:
                xp = _namespace(x)
                space = _numpy if xp is None else _spaces.setdefault(library, Space(xp))
        if space is None:
            continue
        if found is not None and space is not found:
            raise TypeError(f"expected arrays of one library, got {found.xp.__name__} and {space.xp.__name__}")
        found = space
    return found or _numpy
