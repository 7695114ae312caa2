"""From an array and a transform to a plan and a result: layouts, the problem, the cache, the call.

Nothing here knows an array library; `_arrays` does. What SciPy's and NumPy's functions say of their arguments is in
`fft` and `numpy_fft`.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any, NamedTuple

from . import _native
from ._arrays import Arrays
from ._arrays._contract import Element, Memory, elements_before
from ._cache import Ready, plans

#: Kinds whose input, and whose output, is complex; of one axis they have n/2 + 1 values then.
_REAL_INPUT = {"r2c", "ihfft"}
_REAL_OUTPUT = {"c2r", "hfft"}
_HALVED = _REAL_INPUT | _REAL_OUTPUT

SCALES = {
    ("backward", "forward"): "none",
    ("backward", "inverse"): "1/n",
    ("ortho", "forward"): "1/sqrt(n)",
    ("ortho", "inverse"): "1/sqrt(n)",
    ("forward", "forward"): "1/n",
    ("forward", "inverse"): "none",
}

#: The kind of a cosine or sine transform's way back.
INVERSE_TYPES = {1: 1, 2: 3, 3: 2, 4: 4}


class Transform(NamedTuple):
    """What is done to an array: a kind of the library, a direction, and each axis with its logical length."""

    kind: str
    direction: str
    axes: tuple[int, ...]
    lengths: tuple[int, ...]
    norm: str = "backward"
    #: Of cosine and sine transforms: edge values scaled so that the matrix is orthogonal up to a factor.
    orthogonalize: bool = False

    @property
    def is_real_to_real(self) -> bool:
        return self.kind.startswith(("dct", "dst"))

    def input_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Of an array of `shape`, cropped or padded to the lengths."""
        return self._shape(shape, self.kind in _REAL_OUTPUT)

    def output_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        return self._shape(shape, self.kind in _REAL_INPUT)

    def _shape(self, shape: tuple[int, ...], halved: bool) -> tuple[int, ...]:
        result = list(shape)
        for axis, length in zip(self.axes, self.lengths):
            result[axis] = length
        if halved:
            result[self.axes[-1]] = self.lengths[-1] // 2 + 1
        return tuple(result)

    def output_element(self, element: Element) -> Element:
        if self.is_real_to_real:
            return element
        return element._replace(is_complex=self.kind not in _REAL_OUTPUT)


class Loop(NamedTuple):
    """An axis: its length, and the strides of both arrays along it."""

    length: int
    input_stride: int
    output_stride: int


def merged(loops: list[Loop]) -> list[Loop]:
    """Neighbouring loops that walk both arrays evenly become one."""
    result: list[Loop] = []
    for loop in loops:
        if result:
            outer = result[-1]
            if (outer.input_stride, outer.output_stride) == (
                loop.length * loop.input_stride,
                loop.length * loop.output_stride,
            ):
                result[-1] = Loop(outer.length * loop.length, loop.input_stride, loop.output_stride)
                continue
        result.append(loop)
    return result


def _dense(loops: list[tuple[int, int]]) -> bool:
    """Whether no two elements of an array of these counts and strides share memory, by a look that may say no."""
    reach = 0
    for stride, count in sorted((abs(stride), count) for count, stride in loops if count > 1):
        if stride <= reach:
            return False
        reach += (count - 1) * stride
    return True


#: Bytes of one real number by its storage, or of the arithmetic where that is the same.
_BYTES = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8, "f64x2": 16}


def real_bytes(element: Element) -> int:
    return _BYTES[element.precision if element.storage == "same" else element.storage]


def _layout(shape: tuple[int, ...] | None, strides: tuple[int, ...], distance: int, before: int) -> _native.Layout:
    """A layout in as few words as say it; `shape` None: with its strides. So many bytes lie before the first
    element."""
    if before:
        return _native.Layout(list(strides), distance, before)
    if shape is not None and all(stride == math.prod(shape[axis + 1 :]) for axis, stride in enumerate(strides)):
        strides = ()
        distance = 0 if distance == math.prod(shape) else distance
    return _native.Layout(list(strides), distance)


class Key(NamedTuple):
    """A problem as the plan cache knows it."""

    kind: str
    direction: str
    element: Element
    lengths: tuple[int, ...]
    axes: tuple[int, ...]
    halved: int | None
    batch: Loop
    input_strides: tuple[int, ...]
    output_strides: tuple[int, ...]
    in_place: bool
    scale: str
    orthogonalize: bool

    def problem(self) -> _native.Problem:
        is_forward = self.direction == "forward"
        shapes = Transform(self.kind, self.direction, self.axes, tuple(self.lengths[axis] for axis in self.axes))
        is_whole = len(self.axes) == len(self.lengths)
        is_last = self.halved is None or self.halved == self.axes[-1]
        input_shape, output_shape = shapes.input_shape(self.lengths), shapes.output_shape(self.lengths)
        batch = self.batch
        unit = real_bytes(self.element)
        before = unit * elements_before((batch.length, *input_shape), (batch.input_stride, *self.input_strides))
        after = unit * elements_before((batch.length, *output_shape), (batch.output_stride, *self.output_strides))
        is_complex = not shapes.is_real_to_real
        before *= 2 if is_complex and self.kind not in _REAL_INPUT else 1
        after *= 2 if is_complex and self.kind not in _REAL_OUTPUT else 1
        return _native.Problem(
            list(self.lengths),
            axes=[] if is_whole else list(self.axes),
            batch=self.batch.length,
            kind=self.kind,
            halved_axis=None if is_last else self.halved,
            precision=self.element.precision,
            storage=self.element.storage,
            in_place=self.in_place,
            input=_layout(input_shape if is_last else None, self.input_strides, batch.input_stride, before),
            output=_native.Layout()
            if self.in_place and self.kind not in _HALVED
            else _layout(output_shape if is_last else None, self.output_strides, batch.output_stride, after),
            forward_scale=self.scale if is_forward else None,
            inverse_scale=None if is_forward else self.scale,
            orthogonalize=self.orthogonalize,
        )


def key_of(transform: Transform, shape: tuple[int, ...], source: Memory, target: Memory, in_place: bool) -> Key:
    """The problem of a transform of an array of the logical `shape` from one memory to another."""
    factor = 2 if transform.is_real_to_real and source.element.is_complex else 1
    assert source.strides is not None and target.strides is not None
    loops, axes = [], []
    for axis, count in enumerate(shape):
        loop = Loop(count, factor * source.strides[axis], factor * target.strides[axis])
        if axis in transform.axes:
            axes.append((axis, loop))
        elif count > 1:
            loops.append(loop)
    if factor == 2:
        loops.append(Loop(2, 1, 1))
    loops = merged(loops)
    batch = Loop(1, 0, 0)
    if loops and loops[0].input_stride != 0:
        batch = loops.pop(0)
    dimensions = loops + [loop for _, loop in axes]
    order = [axis for axis, _ in axes]
    first = len(loops)
    halved = first + order.index(transform.axes[-1]) if transform.kind in _HALVED else None
    direction = "forward" if transform.is_real_to_real else transform.direction
    return Key(
        transform.kind,
        direction,
        source.element,
        tuple(loop.length for loop in dimensions),
        tuple(range(first, first + len(axes))),
        halved,
        batch,
        tuple(loop.input_stride for loop in dimensions),
        tuple(loop.output_stride for loop in dimensions),
        in_place,
        SCALES[transform.norm, transform.direction],
        transform.orthogonalize,
    )


def _check_out(adapter: Arrays, out: Any, shape: tuple[int, ...], element: Element) -> Memory:
    if not adapter.is_out(out):
        raise TypeError(f"out: expected an array of {adapter.name}, got {type(out).__name__}")
    if tuple(out.shape) != shape:
        raise ValueError(f"out: expected shape {shape}, got {tuple(out.shape)}")
    try:
        memory = adapter.memory(out)
    except KeyError:
        memory = None
    if memory is None or memory.element != element:
        raise TypeError(f"out: expected elements of the result's type, {element}, got {out.dtype}")
    if not adapter.is_writable(out):
        raise ValueError("out: expected a writable array, got a read-only one")
    return memory


def _target(
    adapter: Arrays, x: Any, source: Memory, shape: tuple[int, ...], element: Element, out: Any, overwrite: bool
) -> tuple[Any, bool]:
    """The array that the result is written into, and whether that is the input itself."""
    if out is not None:
        memory = _check_out(adapter, out, shape, element)
        is_dense = memory.strides is not None and 0 not in memory.strides
        if is_dense and _dense(list(zip(shape, memory.strides or ()))) and adapter.takes_result(out, x):
            return out, False
    elif overwrite and shape == source.shape and element == source.element and adapter.is_writable(x):
        if source.strides is not None and 0 not in source.strides and _dense(list(zip(shape, source.strides))):
            return x, True
    return adapter.result(shape, element, x), False


def ready_call(
    device: _native.Device,
    transform: Transform,
    shape: tuple[int, ...],
    source: Memory,
    target: Memory,
    in_place: bool,
) -> Ready:
    """The call of a transform from one memory to another: remembered, or of a plan that is, or of a new one."""
    key = (device, transform, source, target, in_place)
    ready: Ready | None = plans.calls.get(key)
    if ready is not None:
        ready.entry.hits += 1
        return ready
    logical = list(shape)
    for axis, length in zip(transform.axes, transform.lengths):
        logical[axis] = length
    problem = key_of(transform, tuple(logical), source, target, in_place)
    entry = plans.entry(
        device, problem, lambda: _native.Plan.make(device, problem.problem(), directions=problem.direction)
    )
    ready = Ready(_native.Call(entry.plan, problem.direction), entry, shape, None)
    plans.keep_call(key, ready)
    return ready


def transform_array(
    adapter: Arrays,
    x: Any,
    transform: Transform,
    *,
    out: Any = None,
    overwrite: bool = False,
    key: Hashable = None,
    converted: Any = None,
    padded: tuple[int, ...] | None = None,
) -> Any:
    """Transforms an array that the adapter has converted and that has the transform's input shape.

    With a `key` the call is remembered for the next array of the same signature; `converted` is the type that such
    an array is converted to first, if it is, and `padded` the shape that it is padded to, of libraries whose adapters
    do that.
    """
    recorded = adapter.recorded(x, transform)
    if recorded is None:
        return transform_memory(
            adapter, x, transform, out=out, overwrite=overwrite, key=key, converted=converted, padded=padded
        )
    if out is not None:
        if not adapter.is_out(out):
            raise TypeError(
                f"out: expected None or an array that {adapter.name} lets one write into, got {type(out).__name__}"
            )
        raise RuntimeError("out: expected None for an array that is differentiated or traced, got an array")
    return recorded


def transform_memory(
    adapter: Arrays,
    x: Any,
    transform: Transform,
    *,
    out: Any = None,
    overwrite: bool = False,
    key: Hashable = None,
    converted: Any = None,
    padded: tuple[int, ...] | None = None,
) -> Any:
    """The same of the numbers alone, whatever graph the array's library records of it."""
    source = adapter.memory(x)
    shape = transform.output_shape(source.shape)
    element = transform.output_element(source.element)
    if 0 in shape:
        return _finish(adapter, adapter.empty(shape, element, x), shape, out)
    if source.strides is None:
        x, key = adapter.contiguous(x), None
        source = adapter.memory(x)
    target, in_place = _target(adapter, x, source, shape, element, out, overwrite)
    ready = ready_call(adapter.device(x), transform, shape, source, adapter.memory(target), in_place)
    call = ready.call
    if not adapter.run(call, x, target):
        x, key = adapter.contiguous(x), None
        if in_place or not adapter.run(call, x, target):
            return transform_memory(adapter, x, transform, out=out)
    is_direct = out is None or target is out
    if key is not None and is_direct and not in_place and element.precision != "f64x2":
        plans.keep_call(key, Ready(call, ready.entry, shape, target.dtype, converted, padded))
    return _finish(adapter, target, shape, out)


def _finish(adapter: Arrays, target: Any, shape: tuple[int, ...], out: Any) -> Any:
    if target is out:
        return out
    result = adapter.finish(target, shape)
    if out is None:
        return result
    adapter.copy_into(out, result)
    return out
