"""What plans of dense arrays share: the arrays of a call are checked, copied where they have to be, and placed."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from . import _native
from ._arrays import Arrays
from ._arrays._contract import Element
from ._cache import DenseReady
from ._engine import real_bytes
from ._execution import check_device, queue_of

#: Calls that one plan remembers.
_MOST_REPEATS = 64


class DenseCalls:
    """A plan on a device whose arrays are dense, in C order."""

    _device: _native.Device
    #: Calls by the signatures of their arrays.
    _repeats: dict[Hashable, DenseReady]

    def _keep_repeat(
        self,
        key: Hashable,
        adapter: Arrays,
        arrays: Sequence[tuple[Any, Any]],
        make: Callable[[], Any],
        element: Element,
        target: Any,
        sums: Any = None,
    ) -> None:
        """Remembers a call that took these arrays, pairs of what was given and what was used, where they lie."""
        if key is None or element.precision == "f64x2" or self._is_staged(adapter, target) or 0 in target.shape:
            return
        if any(adapter.address(given) != adapter.address(used) for given, used in arrays):
            return
        if len(self._repeats) >= _MOST_REPEATS:
            self._repeats.clear()
        self._repeats[key] = DenseReady(make(), real_bytes(element), target, sums)

    def _checked(self, adapter: Arrays, what: str, x: Any, shape: tuple[int, ...], element: Element) -> Any:
        array = adapter.asarray(x)
        check_device(self._device, adapter, array)
        try:
            memory = adapter.memory(array)
        except KeyError:
            raise TypeError(f"{what}: expected elements of {element.precision}, got {array.dtype}") from None
        if memory.element != element:
            raise TypeError(f"{what}: expected elements {element}, got {memory.element}")
        if memory.shape != shape:
            raise ValueError(f"{what}: expected shape {shape}, got {memory.shape}")
        if element.precision == "f64x2":
            array = adapter.convert(array, "number")
            memory = adapter.memory(array)
        dense = tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))
        strides = memory.strides
        if strides is None or any(count > 1 and got != want for count, got, want in zip(shape, strides, dense)):
            array = adapter.contiguous(array)
        return array

    def _memory(self, adapter: Arrays, queue: _native.Queue, x: Any, count: int) -> Any:
        """An address, or a buffer of a device with the bytes of an array of the host."""
        if not self._is_staged(adapter, x):
            return adapter.address(x)
        buffer = self._device.allocate(count)
        queue.upload(buffer, adapter.address(x), count)
        return buffer

    def _is_staged(self, adapter: Arrays, x: Any) -> bool:
        return adapter.is_on_host(x) and self._device.backend != "cpu"

    def _scratch(self, adapter: Arrays, like: Any, count: int) -> tuple[Any, Any]:
        if count == 0:
            return None, None
        if self._is_staged(adapter, like):
            return None, self._device.allocate(count)
        return adapter.workspace(count, like)

    def _queue(self, adapter: Arrays, x: Any, stream: int | None) -> _native.Queue:
        if stream is None and not self._is_staged(adapter, x):
            stream = adapter.stream(x)
        return queue_of(self._device, stream)

    def _target(self, adapter: Arrays, x: Any, out: Any, shape: tuple[int, ...], element: Element) -> Any:
        """What the result is written into: `out`, if it may be written straight into, else a new array."""
        if out is not None:
            if not adapter.is_out(out):
                raise TypeError(f"out: expected an array of {adapter.name}, got {type(out).__name__}")
            if not adapter.is_writable(out):
                raise ValueError("out: expected a writable array, got a read-only one")
            dense = self._checked(adapter, "out", out, shape, element)
            if dense is out and adapter.takes_result(out, x):
                return out
        return adapter.empty(shape, element, x)
