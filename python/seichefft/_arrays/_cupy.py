"""CuPy's arrays: on the current stream of their card, with memory from CuPy's pool. Types are those of NumPy's arrays,
but that CuPy has no long doubles."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import cupy
import numpy as np

from .. import _native
from .._cache import DenseReady, Ready
from .._devices import open_native
from ._common import COMPLEX, ELEMENTS, HALF, STAGE_TYPES, element_strides
from ._contract import Element, Memory

_DTYPES = {element: np.dtype(char) for char, element in ELEMENTS.items()}
#: Bytes that an address has to be a multiple of: those of a complex number.
_ALIGNMENT = {"e": 4, "f": 8, "d": 16, "F": 8, "D": 16}
_BACKEND = "hip" if cupy.cuda.runtime.is_hip else "cuda"

_new = cupy.ndarray
_current_device = cupy.cuda.runtime.getDevice


def _public_stream() -> int:
    return int(cupy.cuda.get_current_stream().ptr)


def _quick_stream() -> Callable[[], int]:
    """The address of the current stream: the call that the public one wraps in an object, where it is there."""
    try:
        from cupy_backends.cuda.stream import get_current_stream_ptr
    except ImportError:
        return _public_stream
    return get_current_stream_ptr  # type: ignore[no-any-return]


_current_stream = _quick_stream()
#: By a card's number.
_devices: dict[int, _native.Device] = {}


def _order(x: Any) -> str:
    """That of a result: an array in Fortran's order gives one in that order, as CuPy's and NumPy's transforms do."""
    flags = x.flags
    return "F" if flags.f_contiguous and not flags.c_contiguous else "C"


class CuPy:
    """See `_contract.Arrays`."""

    name = "cupy"

    def signature(self, x: Any) -> Hashable | None:
        return (x.shape, x.strides, x.dtype, x.data.device_id)

    def numbers_signature(self, x: Any) -> Hashable | None:
        return self.signature(x)

    def asarray(self, x: Any) -> Any:
        return x

    def convert(self, x: Any, domain: str) -> Any:
        kind, char = x.dtype.kind, x.dtype.char
        if domain == "real" and kind == "c":
            raise TypeError("x must be a real sequence")
        dtype: Any
        if char == "e":
            dtype = np.dtype("f")
        elif kind not in "fc":
            dtype = np.dtype("d")
        else:
            dtype = x.dtype
        if domain == "complex":
            dtype = COMPLEX.get(dtype.char, dtype)
        if dtype.char not in ELEMENTS:
            raise TypeError(f"x: expected elements of float16, float32, float64, complex64 or complex128, got {dtype}")
        return x if x.dtype == dtype else self._on_its_device(x, lambda: x.astype(dtype, order="K"))

    def _on_its_device(self, x: Any, make: Callable[[], Any]) -> Any:
        """What CuPy makes, it makes on the current device."""
        if x.data.device_id == _current_device():
            return make()
        with x.device:
            return make()

    def memory(self, x: Any) -> Memory:
        element = HALF if x.dtype.char == "e" else ELEMENTS[x.dtype.char]
        return Memory(x.shape, element_strides(x), element)

    def resized(self, x: Any, shape: tuple[int, ...]) -> Any:
        index = tuple(slice(min(have, want)) for have, want in zip(x.shape, shape))
        if all(want <= have for have, want in zip(x.shape, shape)):
            return x[index]

        def padded() -> Any:
            result = cupy.zeros(shape, x.dtype, order=_order(x))
            result[index] = x[index]
            return result

        return self._on_its_device(x, padded)

    def contiguous(self, x: Any) -> Any:
        return self._on_its_device(x, lambda: x.copy(order="C"))

    def empty(self, shape: tuple[int, ...], element: Element, like: Any) -> Any:
        dtype = _DTYPES.get(element)
        if element.storage == "f16":
            shape, dtype = ((*shape, 2) if element.is_complex else shape), np.dtype("e")
        return self._on_its_device(like, lambda: _new(shape, dtype))

    def result(self, shape: tuple[int, ...], element: Element, x: Any) -> Any:
        if element.storage != "same" or _order(x) == "C":
            return self.empty(shape, element, x)
        return self._on_its_device(x, lambda: _new(shape, _DTYPES[element], None, None, "F"))

    def zeros(self, shape: tuple[int, ...], element: Element, like: Any) -> Any:
        result = self.empty(shape, element, like)
        result.fill(0)
        return result

    def is_writable(self, x: Any) -> bool:
        return True

    def is_out(self, out: Any) -> bool:
        return isinstance(out, cupy.ndarray)

    def takes_result(self, out: Any, x: Any) -> bool:
        if out.data.device_id != x.data.device_id:
            raise ValueError(
                f"out: expected an array on card {x.data.device_id}, as the input, got one on {out.data.device_id}"
            )
        return not cupy.may_share_memory(x, out) and out.data.ptr % _ALIGNMENT[out.dtype.char] == 0

    def copy_into(self, out: Any, result: Any) -> None:
        out[...] = result

    def device(self, x: Any) -> _native.Device:
        index = x.data.device_id
        device = _devices.get(index)
        if device is None:
            device = _devices[index] = open_native(f"{_BACKEND}:{index}")
        return device

    def run(self, call: _native.Call, x: Any, out: Any) -> bool:
        source, target, count = x.data.ptr, out.data.ptr, call.workspace_bytes
        if source % _ALIGNMENT[x.dtype.char] or target % _ALIGNMENT[out.dtype.char]:
            return False
        if x.data.device_id != _current_device():
            with x.device:
                return self._enqueued(call, source, target, count)
        return self._enqueued(call, source, target, count)

    def _enqueued(self, call: _native.Call, source: int, target: int, count: int) -> bool:
        if count:
            workspace = cupy.cuda.alloc(count)
            call.enqueue(source, target, workspace.ptr, _current_stream())
        else:
            call.enqueue(source, target, 0, _current_stream())
        return True

    def repeat(self, ready: Ready, x: Any) -> Any:
        if x.data.device_id != _current_device():
            with x.device:
                return self.repeat(ready, x)
        if ready.extra is not None:
            x = x.astype(ready.extra, order="K")
        if ready.note is None:
            ready.note = _order(x)
        out = _new(ready.shape, ready.dtype, None, None, ready.note)
        source = x.data.ptr
        if source & 15 and source % _ALIGNMENT[x.dtype.char]:
            return None
        self._enqueued(ready.call, source, out.data.ptr, ready.call.workspace_bytes)
        return out

    def repeat_dense(self, ready: DenseReady, arrays: Sequence[Any], numbers: Sequence[float]) -> Any:
        first = arrays[0]
        if first.data.device_id != _current_device():
            with first.device:
                return self.repeat_dense(ready, arrays, numbers)
        inputs = [x.data.ptr for x in arrays]
        out = _new(ready.shape, ready.dtype)
        sums = None if ready.sums_shape is None else _new(ready.sums_shape, ready.sums_dtype)
        outputs = (out.data.ptr,) if sums is None else (out.data.ptr, sums.data.ptr)
        count = ready.workspace_bytes
        workspace = cupy.cuda.alloc(count) if count else None
        ready.run(inputs, outputs, 0 if workspace is None else workspace.ptr, _current_stream(), numbers)
        return out if sums is None else (out, sums)

    def finish(self, out: Any, shape: tuple[int, ...]) -> Any:
        return out

    def address(self, x: Any) -> int:
        return int(x.data.ptr)

    def room(self, x: Any) -> int | None:
        return int(x.data.mem.ptr) + int(x.data.mem.size) - int(x.data.ptr)

    def stream(self, x: Any) -> int | None:
        return int(self._on_its_device(x, _current_stream))

    def workspace(self, count: int, like: Any) -> tuple[Any, int]:
        memory = self._on_its_device(like, lambda: cupy.cuda.alloc(count))
        return memory, int(memory.ptr)

    def is_on_host(self, x: Any) -> bool:
        return False

    def alias(self, x: Any, shape: tuple[int, ...], strides: tuple[int, ...], element: Element) -> Any:
        dtype = _DTYPES[element]
        return _new(shape, dtype, memptr=x.data, strides=tuple(stride * dtype.itemsize for stride in strides))

    def stage_type(self, x: Any) -> str:
        word = STAGE_TYPES.get(x.dtype.str[1:])
        if word is None:
            raise TypeError(f"expected elements of one of {', '.join(STAGE_TYPES)}, got {x.dtype}")
        return word

    def from_host(self, x: Any, like: Any) -> Any:
        return self._on_its_device(like, lambda: cupy.asarray(x))

    def flipped(self, x: Any) -> Any:
        return x[..., ::-1]

    def rolled(self, x: Any, shifts: tuple[int, ...], axes: tuple[int, ...]) -> Any:
        return self._on_its_device(x, lambda: cupy.roll(x, shifts, axes))

    def recorded(self, x: Any, transform: Any) -> Any:
        return None


adapter = CuPy()
