"""NumPy's arrays, and whatever `numpy.asarray` takes. They are transformed on the device for arrays of the host."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from .. import _native
from .._cache import DenseReady, Ready
from .._devices import host_device
from ._blocks import take_block
from ._common import COMPLEX, ELEMENTS, HALF, STAGE_TYPES, element_strides
from ._contract import Element, Memory

_ELEMENTS = {**ELEMENTS, "g": Element("f64x2", "same", False), "G": Element("f64x2", "same", True)}
_DTYPES = {(element.precision, element.is_complex): np.dtype(char) for char, element in _ELEMENTS.items()}
_COMPLEX = {**COMPLEX, "g": np.dtype("G")}


#: Types of elements that are no numbers, though NumPy makes some of them; SciPy takes text and spans of time for such.
_NO_NUMBERS = (np.void, np.datetime64)


class Wide:
    """An array of long doubles as the library takes it: each number the sum of two doubles, along a last axis of 2, of
    complex ones of 4. That holds all 64 bits of a long double of x86, and 106 of any other; beyond the doubles'
    range, 1.8e308, a number is infinite."""

    __slots__ = ("parts",)

    def __init__(self, parts: Any) -> None:
        self.parts = parts

    @classmethod
    def of(cls, x: Any) -> Wide:
        numbers = np.stack([x.real, x.imag], axis=-1) if x.dtype.kind == "c" else x[..., np.newaxis]
        parts = np.empty((*numbers.shape, 2), np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            parts[..., 0] = numbers
            parts[..., 1] = numbers - parts[..., 0]
        parts[..., 1][~np.isfinite(parts[..., 0])] = 0
        return cls(parts.reshape(*x.shape, 2 * numbers.shape[-1]))

    @property
    def is_complex(self) -> bool:
        return bool(self.parts.shape[-1] == 4)

    def narrowed(self) -> Any:
        """The long doubles again."""
        numbers = self.parts.reshape(*self.parts.shape[:-1], -1, 2).astype(np.longdouble)
        high, low = numbers[..., 0], numbers[..., 1]
        with np.errstate(invalid="ignore"):
            sums = np.where(np.isfinite(high), high + low, high)
        if not self.is_complex:
            return sums[..., 0]
        result = np.empty(sums.shape[:-1], np.clongdouble)
        result.real = sums[..., 0]
        result.imag = sums[..., 1]
        return result


class _Alias:
    """What NumPy makes an array on the memory of another of; that one lives as long."""

    def __init__(self, x: Any, shape: tuple[int, ...], strides: tuple[int, ...], typestr: str) -> None:
        self._x = x
        data = (x.__array_interface__["data"][0], False)
        self.__array_interface__ = {"data": data, "shape": shape, "strides": strides, "typestr": typestr, "version": 3}


def _byte_bounds(x: Any) -> tuple[int, int]:
    """The addresses of the first byte of an array's memory and of the one behind the last."""
    low = high = x.__array_interface__["data"][0]
    if x.size == 0:
        return low, high
    for count, stride in zip(x.shape, x.strides):
        low += min(stride, 0) * (count - 1)
        high += max(stride, 0) * (count - 1)
    return low, high + x.itemsize


class NumPy:
    """See `_contract.Arrays`."""

    name = "numpy"

    def signature(self, x: Any) -> Hashable | None:
        if not isinstance(x, np.ndarray):
            return None
        return (x.shape, x.strides, x.dtype, host_device())

    def numbers_signature(self, x: Any) -> Hashable | None:
        return self.signature(x)

    def asarray(self, x: Any) -> Any:
        array = np.asarray(x)
        if array.ndim == 0 and array.dtype.kind in "OSUT":  # what NumPy makes of anything that is no sequence
            raise TypeError(f"x: expected an array or a sequence of numbers, got {type(x).__name__}")
        return array

    def convert(self, x: Any, domain: str) -> Any:
        kind, char = x.dtype.kind, x.dtype.char
        if domain == "real" and kind == "c":
            raise TypeError("x must be a real sequence")
        dtype: Any
        if char == "e":
            dtype = np.dtype("f")
        elif kind not in "fc":
            if kind not in "biuO" and issubclass(x.dtype.type, _NO_NUMBERS):
                raise TypeError(f"x: expected an array of numbers, got one of {x.dtype}")
            dtype = np.dtype("d")
        else:
            dtype = x.dtype.newbyteorder("=")
        if domain == "complex":
            dtype = _COMPLEX.get(dtype.char, dtype)
        if x.dtype != dtype or not x.flags.aligned:
            x = x.astype(dtype, order="C")
        return Wide.of(x) if dtype.char in "gG" else x

    def memory(self, x: Any) -> Memory:
        if isinstance(x, Wide):
            parts = x.parts
            unit = parts.shape[-1] * 8
            strides = tuple(stride // unit for stride in parts.strides[:-1])
            return Memory(parts.shape[:-1], strides, Element("f64x2", "same", x.is_complex))
        element = HALF if x.dtype.char == "e" else _ELEMENTS[x.dtype.char]
        if element.precision == "f64x2" or not (x.flags.aligned and x.dtype.isnative):
            return Memory(x.shape, None, element)
        return Memory(x.shape, element_strides(x), element)

    def resized(self, x: Any, shape: tuple[int, ...]) -> Any:
        if isinstance(x, Wide):
            return Wide(np.ascontiguousarray(self.resized(x.parts, (*shape, x.parts.shape[-1]))))
        index = tuple(slice(min(have, want)) for have, want in zip(x.shape, shape))
        if all(want <= have for have, want in zip(x.shape, shape)):
            return x[index]
        padded = np.zeros(shape, x.dtype)
        padded[index] = x[index]
        return padded

    def contiguous(self, x: Any) -> Any:
        if isinstance(x, Wide):
            return Wide(np.ascontiguousarray(x.parts))
        return x.astype(x.dtype.newbyteorder("="), order="C")  # a copy, aligned and in the machine's order of bytes

    def empty(self, shape: tuple[int, ...], element: Element, like: Any) -> Any:
        if element.precision == "f64x2":
            return Wide(np.empty((*shape, 4 if element.is_complex else 2)))
        if element.storage == "f16":
            return np.empty((*shape, 2) if element.is_complex else shape, np.float16)
        return np.empty(shape, _DTYPES[element.precision, element.is_complex])

    def result(self, shape: tuple[int, ...], element: Element, x: Any) -> Any:
        return self.empty(shape, element, x)

    def zeros(self, shape: tuple[int, ...], element: Element, like: Any) -> Any:
        result = self.empty(shape, element, like)
        (result.parts if isinstance(result, Wide) else result)[...] = 0
        return result

    def is_writable(self, x: Any) -> bool:
        return not isinstance(x, Wide) and bool(x.flags.writeable)

    def is_out(self, out: Any) -> bool:
        return isinstance(out, np.ndarray)

    def takes_result(self, out: Any, x: Any) -> bool:
        if isinstance(x, Wide) or np.may_share_memory(x, out):
            return False
        # Other devices give the host an array back whole, with zeros between its elements.
        return bool(out.flags.c_contiguous) or host_device().backend == "cpu"

    def copy_into(self, out: Any, result: Any) -> None:
        out[...] = result

    def device(self, x: Any) -> _native.Device:
        return host_device()

    def run(self, call: _native.Call, x: Any, out: Any) -> bool:
        if isinstance(x, Wide):
            return call.host(x.parts, out.parts)
        return call.host(x, out)

    def repeat(self, ready: Ready, x: Any) -> Any:
        if ready.extra is not None:
            x = x.astype(ready.extra, order="C")
        if ready.padded is not None:
            x = self.resized(x, ready.padded)
        out = np.empty(ready.shape, ready.dtype)
        return out if ready.host(x, out) else None

    def repeat_into(self, ready: Ready, x: Any, out: Any) -> Any:
        if not out.flags.writeable:
            return None
        if ready.extra is not None or ready.padded is not None:
            if ready.extra is not None:
                x = x.astype(ready.extra, order="C")
            if ready.padded is not None:
                x = self.resized(x, ready.padded)
        elif np.may_share_memory(x, out):
            return None
        return out if ready.host(x, out) else None

    def repeat_dense(self, ready: DenseReady, arrays: Sequence[Any], numbers: Sequence[float]) -> Any:
        inputs = [x.__array_interface__["data"][0] for x in arrays]
        for address in inputs:
            if address % ready.alignment:
                return None
        out = np.empty(ready.shape, ready.dtype)
        if ready.sums_shape is None:
            ready.run(inputs, (out.__array_interface__["data"][0],), 0, None, numbers)
            return out
        sums = np.empty(ready.sums_shape, ready.sums_dtype)
        outputs = (out.__array_interface__["data"][0], sums.__array_interface__["data"][0])
        ready.run(inputs, outputs, 0, None, numbers)
        return out, sums

    def finish(self, out: Any, shape: tuple[int, ...]) -> Any:
        return out.narrowed() if isinstance(out, Wide) else out

    def address(self, x: Any) -> int:
        parts = x.parts if isinstance(x, Wide) else x
        return int(parts.__array_interface__["data"][0])

    def room(self, x: Any) -> int | None:
        if isinstance(x, Wide):
            return int(x.parts.nbytes)
        base = x
        while isinstance(base.base, np.ndarray):
            base = base.base
        return _byte_bounds(base)[1] - self.address(x)

    def stream(self, x: Any) -> int | None:
        return None

    def workspace(self, count: int, like: Any) -> tuple[Any, int]:
        block = take_block(count + 63)
        address = self.address(block.memory)
        return block, address + -address % 64

    def is_on_host(self, x: Any) -> bool:
        return True

    def alias(self, x: Any, shape: tuple[int, ...], strides: tuple[int, ...], element: Element) -> Any:
        dtype = _DTYPES[element.precision, element.is_complex]
        return np.asarray(_Alias(x, shape, tuple(stride * dtype.itemsize for stride in strides), dtype.str))

    def stage_type(self, x: Any) -> str:
        word = STAGE_TYPES.get(x.dtype.str[1:])
        if word is None or not x.dtype.isnative:
            raise TypeError(f"expected elements of one of {', '.join(STAGE_TYPES)}, in native order, got {x.dtype}")
        return word

    def from_host(self, x: Any, like: Any) -> Any:
        return x

    def flipped(self, x: Any) -> Any:
        return x[..., ::-1]

    def rolled(self, x: Any, shifts: tuple[int, ...], axes: tuple[int, ...]) -> Any:
        return np.roll(x, shifts, axes)

    def recorded(self, x: Any, transform: Any) -> Any:
        return None


adapter = NumPy()
