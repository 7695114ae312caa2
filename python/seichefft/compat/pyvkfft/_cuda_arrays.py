"""CuPy's and PyCUDA's arrays, as `_app` and `fft` take them. Neither is imported before an array of it comes."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np

from ... import _native
from ..._arrays._common import ELEMENTS, HALF, element_strides
from ..._arrays._contract import Element, Memory

has_cupy = importlib.util.find_spec("cupy") is not None
has_pycuda = importlib.util.find_spec("pycuda") is not None


class CuPyArrays:
    """CuPy's."""

    name = "cupy"

    def __init__(self) -> None:
        from ..._arrays._cupy import adapter

        self._adapter: Any = adapter

    def memory(self, x: Any) -> Memory:
        memory: Memory = self._adapter.memory(x)
        return memory

    def alias(self, x: Any, shape: Any, strides: Any, element: Element) -> Any:
        return self._adapter.alias(x, shape, strides, element)

    def address(self, x: Any) -> int:
        return int(x.data.ptr)

    def device(self) -> _native.Device:
        import cupy

        from ..._devices import open_native

        backend = "hip" if cupy.cuda.runtime.is_hip else "cuda"
        return open_native(f"{backend}:{cupy.cuda.runtime.getDevice()}")

    def current_stream(self) -> int:
        import cupy

        return int(cupy.cuda.get_current_stream().ptr)

    def context(self) -> Any:
        import cupy

        return cupy.cuda.runtime.getDevice()

    def scratch(self, count: int, stream: int) -> tuple[Any, int]:
        import cupy

        if stream == self.current_stream():
            memory = cupy.cuda.alloc(count)
        else:
            with cupy.cuda.ExternalStream(stream):
                memory = cupy.cuda.alloc(count)
        return memory, int(memory.ptr)

    def empty(self, like: Any, shape: Any, dtype: Any, order: str) -> Any:
        import cupy

        return cupy.empty(shape, dtype, order=order)


class PyCUDAArrays:
    """PyCUDA's, in the context that is current."""

    name = "pycuda"

    _ELEMENTS: dict[Any, Element] = {
        np.dtype("e"): HALF,
        **{np.dtype(char): element for char, element in ELEMENTS.items()},
    }
    _devices: dict[int, _native.Device] = {}

    def memory(self, x: Any) -> Memory:
        return Memory(tuple(x.shape), element_strides(x), self._ELEMENTS[x.dtype])

    def alias(self, x: Any, shape: Any, strides: Any, element: Element) -> Any:
        from pycuda import gpuarray

        dtype = next(dtype for dtype, one in self._ELEMENTS.items() if one == element)
        steps = tuple(stride * dtype.itemsize for stride in strides)
        return gpuarray.GPUArray(shape, dtype, allocator=x.allocator, base=x, gpudata=int(x.gpudata), strides=steps)

    def address(self, x: Any) -> int:
        return int(x.gpudata)

    def device(self) -> _native.Device:
        handle = int(self.context().handle)
        device = self._devices.get(handle)
        if device is None:
            device = self._devices[handle] = _native.Device.of_context("cuda", handle)
        return device

    def current_stream(self) -> int:
        return 0

    def context(self) -> Any:
        from pycuda import driver

        return driver.Context.get_current()

    def scratch(self, count: int, stream: int) -> tuple[Any, int]:
        from pycuda import driver

        memory = driver.mem_alloc(count)
        return memory, int(memory)

    def empty(self, like: Any, shape: Any, dtype: Any, order: str) -> Any:
        from pycuda import gpuarray

        return gpuarray.empty(shape, dtype, allocator=like.allocator, order=order)


_libraries: dict[str, Any] = {}


def library_of(x: Any) -> Any:
    """Of an array, None if it is neither's."""
    name = type(x).__module__.partition(".")[0]
    return library_named(name) if name in ("cupy", "pycuda") else None


def library_named(name: str) -> Any:
    if name not in _libraries:
        _libraries[name] = CuPyArrays() if name == "cupy" else PyCUDAArrays()
    return _libraries[name]


def stream_number(stream: Any) -> int | None:
    """Of a stream of CuPy or PyCUDA, its address, or None."""
    if stream is None or isinstance(stream, int):
        return stream
    return int(stream.handle if hasattr(stream, "handle") else stream.ptr)
