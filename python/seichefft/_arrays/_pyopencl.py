"""PyOpenCL's arrays: on their own context and command queue, with memory from their allocator.

Work begins after the events of the arrays that it reads and writes, and its own event is added to what it wrote, so
that arrays of several queues stay in order. Types are those of NumPy's arrays, but that OpenCL has no long doubles, and
that `COMPLEX32`, pairs of halves, is complex32.
"""

from __future__ import annotations

import itertools
import math
import threading
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from .. import _native
from .._cache import DenseReady, Ready, plans
from ._common import COMPLEX, COMPLEX32, ELEMENTS, HALF, STAGE_TYPES, element_strides
from ._contract import Element, Memory, elements_before
from ._strided import copy_elements

_ELEMENTS = {
    **{np.dtype(char): element for char, element in ELEMENTS.items()},
    np.dtype("e"): HALF,
    COMPLEX32: Element("f32", "f16", True),
}
_DTYPES: dict[Element, Any] = {element: dtype for dtype, element in _ELEMENTS.items()}
#: Contexts whose devices are kept open; of more, those that were unused longest go, and their plans with them.
_MOST_CONTEXTS = 16

_lock = threading.Lock()
#: By the addresses of context and device: a device of ours holds its context, so that no other comes to that address.
_devices: OrderedDict[tuple[int, int], _native.Device] = OrderedDict()


def _open(key: tuple[int, int]) -> _native.Device:
    with _lock:
        device = _devices.get(key)
        if device is None:
            device = _devices[key] = _native.Device.of_context("opencl", *key)
            while len(_devices) > _MOST_CONTEXTS:
                _, oldest = _devices.popitem(last=False)
                plans.forget_device(oldest)
        return device


def device_of_queue(queue: Any) -> _native.Device:
    """Seiche's device for the context and device of a command queue."""
    key = (queue.context.int_ptr, queue.device.int_ptr)
    device = _devices.get(key)
    if device is None:
        return _open(key)
    if len(_devices) == _MOST_CONTEXTS:
        with _lock:
            if key in _devices:
                _devices.move_to_end(key)
    return device


def queue_of(x: Any) -> Any:
    """The command queue of an array; raises ValueError for an array without one."""
    if x.queue is None:
        raise ValueError("x: expected an array with a command queue, got one without: x.with_queue(queue)")
    return x.queue


def view_of(device: _native.Device, x: Any) -> _native.View:
    """Where an array begins, for the library."""
    base, offset = x.base_data, x.offset
    if isinstance(base, cl.MemoryObjectHolder):
        return _native.View(device.wrap(base.int_ptr, 0, "memory"), offset)
    return _native.View(device.wrap(base.svm_ptr, base.size, "svm"), offset)


def wait_list(arrays: Any) -> list[int]:
    """The events that work on these arrays has to wait for."""
    return [event.int_ptr for x in arrays for event in x.events]


def add_event(address: int, arrays: Any) -> None:
    """Says that arrays are written when an event, whose reference this takes over, is complete."""
    event = cl.Event.from_int_ptr(address, retain=False)
    for x in arrays:
        x.add_event(event)


def _alignment(dtype: Any) -> int:
    """Bytes that an offset has to be a multiple of: those of a complex number."""
    return int(dtype.itemsize) * (1 if dtype.kind in "cV" else 2)


def _extent(x: Any) -> tuple[int, int]:
    """The bytes of its memory that an array reaches, from and to."""
    low = sum(min(stride, 0) * (count - 1) for count, stride in zip(x.shape, x.strides))
    high = sum(max(stride, 0) * (count - 1) for count, stride in zip(x.shape, x.strides))
    return x.offset + low, x.offset + high + x.dtype.itemsize


class PyOpenCL:
    """See `_contract.Arrays`."""

    name = "pyopencl"
    #: Products of arrays of two shapes are refused.
    broadcasts = False

    def signature(self, x: Any) -> Hashable | None:
        return (x.shape, x.strides, x.dtype, device_of_queue(queue_of(x)))

    def numbers_signature(self, x: Any) -> Hashable | None:
        return None

    def asarray(self, x: Any) -> Any:
        if not isinstance(x, cla.Array):
            raise TypeError(f"x: expected an array of pyopencl.array, got {type(x).__name__}")
        queue_of(x)
        return x

    def convert(self, x: Any, domain: str) -> Any:
        if domain == "real" and (x.dtype.kind == "c" or x.dtype == COMPLEX32):
            raise TypeError("x must be a real sequence")
        dtype: Any = x.dtype
        if dtype.char == "e":
            dtype = np.dtype("f")
        elif dtype == COMPLEX32:
            dtype = np.dtype("F")
        elif dtype.kind in "biu":
            dtype = np.dtype("d")
        if domain == "complex":
            dtype = COMPLEX.get(dtype.char, dtype)
        if dtype not in _ELEMENTS or not x.dtype.isnative:
            raise TypeError(
                f"x: expected elements of float16, float32, float64, complex64 or complex128, got {x.dtype}"
            )
        return x if x.dtype == dtype else self._copied(x, dtype)

    def _new(self, shape: tuple[int, ...], dtype: Any, like: Any) -> Any:
        return cla.Array(like.queue, shape, dtype, allocator=like.allocator)

    def _copied(self, x: Any, dtype: Any) -> Any:
        result = self._new(x.shape, dtype, x)
        copy_elements(result, x)
        return result

    def memory(self, x: Any) -> Memory:
        element, strides = _ELEMENTS[x.dtype], element_strides(x)
        if strides is not None and not element.is_complex and elements_before(x.shape, strides) % 2:
            strides = None  # its lowest number is half of a pair, where no view of it may begin
        return Memory(x.shape, strides, element)

    def resized(self, x: Any, shape: tuple[int, ...]) -> Any:
        index = tuple(slice(min(have, want)) for have, want in zip(x.shape, shape))
        if all(want <= have for have, want in zip(x.shape, shape)):
            return x[index]
        result = self._zeros(shape, x.dtype, x)
        copy_elements(result[index], x[index])
        return result

    def contiguous(self, x: Any) -> Any:
        return self._copied(x, x.dtype)

    def empty(self, shape: tuple[int, ...], element: Element, like: Any) -> Any:
        return self._new(shape, _DTYPES[element], like)

    def _zeros(self, shape: tuple[int, ...], dtype: Any, like: Any) -> Any:
        result = self._new(shape, dtype, like)
        if result.nbytes:
            bytes_of = cla.Array(like.queue, (result.nbytes,), np.uint8, data=result.base_data, offset=result.offset)
            bytes_of.fill(0)
            result.events.extend(bytes_of.events)
        return result

    def result(self, shape: tuple[int, ...], element: Element, x: Any) -> Any:
        return self.empty(shape, element, x)

    def zeros(self, shape: tuple[int, ...], element: Element, like: Any) -> Any:
        return self._zeros(shape, _DTYPES[element], like)

    def is_writable(self, x: Any) -> bool:
        return True

    def is_out(self, out: Any) -> bool:
        return isinstance(out, cla.Array)

    def takes_result(self, out: Any, x: Any) -> bool:
        if out.base_data is None or x.base_data is None:
            return False
        if out.context is not None and x.context is not None and out.context != x.context:
            raise ValueError("out: expected an array of the input's context, got one of another")
        if out.base_data == x.base_data:
            (begin, end), (other_begin, other_end) = _extent(out), _extent(x)
            if begin < other_end and other_begin < end:
                return False
        return bool(out.offset % _alignment(out.dtype) == 0)

    def copy_into(self, out: Any, result: Any) -> None:
        copy_elements(out, result)

    def device(self, x: Any) -> _native.Device:
        return device_of_queue(queue_of(x))

    def run(self, call: _native.Call, x: Any, out: Any) -> bool:
        if x.offset % _alignment(x.dtype) or out.offset % _alignment(out.dtype):
            return False
        self.run_on(call, x, out, x.queue)
        return True

    def run_on(self, call: _native.Call, x: Any, out: Any, queue: Any) -> None:
        """Runs a call on a queue of the arrays' context."""
        device = device_of_queue(queue)
        source = view_of(device, x)
        target = source if out is x else view_of(device, out)
        keeper, workspace = self.workspace(call.workspace_bytes, x) if call.workspace_bytes else (None, None)
        arrays = (x,) if out is x else (x, out)
        event = call.enqueue_views(source, target, workspace, queue.int_ptr, wait_list(arrays))
        del keeper
        add_event(event, (out,))

    def repeat(self, ready: Ready, x: Any) -> Any:
        if ready.extra is not None:
            x = self._copied(x, ready.extra)
        out = self._new(ready.shape, ready.dtype, x)
        return out if self.run(ready.call, x, out) else None

    def repeat_dense(self, ready: DenseReady, arrays: Sequence[Any], numbers: Sequence[float]) -> Any:
        return None

    def finish(self, out: Any, shape: tuple[int, ...]) -> Any:
        return out

    def address(self, x: Any) -> Any:
        return view_of(self.device(x), x)

    def room(self, x: Any) -> int | None:
        return int(x.base_data.size) - int(x.offset)

    def stream(self, x: Any) -> int | None:
        return int(queue_of(x).int_ptr)

    def begin(self, queue: _native.Queue, arrays: list[Any]) -> None:
        queue.wait_for(wait_list(arrays))

    def end(self, queue: _native.Queue, arrays: list[Any]) -> None:
        add_event(queue.record(), arrays)

    def workspace(self, count: int, like: Any) -> tuple[Any, Any]:
        memory = cla.Array(like.queue, (count,), np.uint8, allocator=like.allocator)
        return memory, view_of(self.device(like), memory)

    def is_on_host(self, x: Any) -> bool:
        return False

    def alias(self, x: Any, shape: tuple[int, ...], strides: tuple[int, ...], element: Element) -> Any:
        dtype = _DTYPES[element]
        steps = tuple(stride * dtype.itemsize for stride in strides)
        return cla.Array(
            x.queue, shape, dtype, allocator=x.allocator, data=x.base_data, offset=x.offset, strides=steps,
            events=x.events,
        )  # fmt: skip

    def stage_type(self, x: Any) -> str:
        word = STAGE_TYPES.get(x.dtype.str[1:])
        if word is None or not x.dtype.isnative:
            raise TypeError(f"expected elements of one of {', '.join(STAGE_TYPES)}, in native order, got {x.dtype}")
        return word

    def from_host(self, x: Any, like: Any) -> Any:
        return cla.to_device(queue_of(like), np.ascontiguousarray(x), allocator=like.allocator)

    def flipped(self, x: Any) -> Any:
        # A copy, since PyOpenCL brings no array to the host that runs backwards.
        return self.contiguous(x[(slice(None),) * (x.ndim - 1) + (slice(None, None, -1),)])

    def rolled(self, x: Any, shifts: tuple[int, ...], axes: tuple[int, ...]) -> Any:
        total = [0] * x.ndim
        for shift, axis in zip(shifts, axes):
            total[axis] += shift
        result = self._new(x.shape, x.dtype, x)
        if math.prod(x.shape) == 0:
            return result
        pieces = []
        for shift, count in zip(total, x.shape):
            cut = count - shift % count
            pieces.append([(slice(cut), slice(count - cut, None)), (slice(cut, None), slice(count - cut))])
        for piece in itertools.product(*pieces):
            target, source = result[tuple(to for _, to in piece)], x[tuple(of for of, _ in piece)]
            copy_elements(target, source)
            result.events.extend(target.events[-1:])
        return result

    def recorded(self, x: Any, transform: Any) -> Any:
        return None


adapter = PyOpenCL()
