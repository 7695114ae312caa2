"""From an array and a transform to a plan and a result: layouts, the problem, the cache, the call.

Nothing here knows an array library; `_arrays` does. What SciPy's and NumPy's functions say of their arguments is in
`fft` and `numpy_fft`.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

from . import _native
from ._arrays import Arrays
from ._arrays._contract import Element, Memory
from ._cache import Ready, plans

#: Kinds whose input, and whose output, is complex; of one axis they have n/2 + 1 values then.
_REAL_INPUT = {"r2c", "ihfft"}
_REAL_OUTPUT = {"c2r", "hfft"}
_HALVED = _REAL_INPUT | _REAL_OUTPUT

_SCALES = {
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
    """An axis: a count of elements, and the strides of both arrays along it."""

    count: int
    input_stride: int
    output_stride: int


def merged(loops: list[Loop]) -> list[Loop]:
    """Neighbouring loops that walk both arrays evenly become one."""
    result: list[Loop] = []
    for loop in loops:
        if result:
            outer = result[-1]
            if (outer.input_stride, outer.output_stride) == (
                loop.count * loop.input_stride,
                loop.count * loop.output_stride,
            ):
                result[-1] = Loop(outer.count * loop.count, loop.input_stride, loop.output_stride)
                continue
        result.append(loop)
    return result


def _edge_stages(kind: str, names: list[str]) -> tuple[str, str]:
    """What `orthogonalize` does, as texts of a load and a store stage: edge values times the square root of 2 on the
    way in or out. `names` are the digits of the transformed axes in the stage language."""
    down, up = "0.70710678118654752440", "1.41421356237309504880"
    factors = {
        "dct1": ([f"i{a} == 0 || i{a} == n{a} - 1 ? {up} : 1.0" for a in names],
                 [f"i{a} == 0 || i{a} == n{a} - 1 ? {down} : 1.0" for a in names]),
        "dct2": ([], [f"i{a} == 0 ? {down} : 1.0" for a in names]),
        "dct3": ([f"i{a} == 0 ? {up} : 1.0" for a in names], []),
        "dst2": ([], [f"i{a} == n{a} - 1 ? {down} : 1.0" for a in names]),
        "dst3": ([f"i{a} == n{a} - 1 ? {up} : 1.0" for a in names], []),
    }
    load, store = factors.get(kind, ([], []))
    texts = ["return value" + "".join(f" * ({factor})" for factor in part) + ";" for part in (load, store)]
    return (texts[0] if load else "", texts[1] if store else "")


def _wide_edges(adapter: Any, x: Any, transform: Transform, after: bool) -> Any:
    """The same on long doubles, for which there are no stages."""
    places = {"dct1": (0, -1), "dct2": (0,), "dct3": (0,), "dst2": (-1,), "dst3": (-1,)}
    side = {"dct1": (2.0, 0.5), "dct2": (1.0, 0.5), "dct3": (2.0, 1.0), "dst2": (1.0, 0.5), "dst3": (2.0, 1.0)}
    factor = side.get(transform.kind, (1.0, 1.0))[after]
    if factor != 1.0:
        for place in places[transform.kind]:
            x = adapter.scaled(x, transform.axes, place, factor)
    return x


def _dense(loops: list[tuple[int, int]]) -> bool:
    """Whether no two elements of an array of these counts and strides share memory, by a look that may say no."""
    reach = 0
    for stride, count in sorted((stride, count) for count, stride in loops if count > 1):
        if stride <= reach:
            return False
        reach += (count - 1) * stride
    return True


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
        stages = {}
        if self.orthogonalize:
            load, store = _edge_stages(self.kind, [str(axis) for axis in self.axes])
            stages = {"forward_load": _native.Stage(load), "forward_store": _native.Stage(store)}
        return _native.Problem(
            list(self.lengths),
            axes=list(self.axes),
            batch=self.batch.count,
            kind=self.kind,
            halved_axis=self.halved,
            precision=self.element.precision,
            storage=self.element.storage,
            in_place=self.in_place,
            input=_native.Layout(list(self.input_strides), self.batch.input_stride),
            output=_native.Layout()
            if self.in_place
            else _native.Layout(list(self.output_strides), self.batch.output_stride),
            **{f"{self.direction}_scale": self.scale},
            **stages,
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
    if loops and loops[0].input_stride > 0:
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
        tuple(loop.count for loop in dimensions),
        tuple(range(first, first + len(axes))),
        halved,
        batch,
        tuple(loop.input_stride for loop in dimensions),
        tuple(loop.output_stride for loop in dimensions),
        in_place,
        _SCALES[transform.norm, transform.direction],
        transform.orthogonalize and source.element.precision != "f64x2",
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
    return adapter.empty(shape, element, x), False


def transform_array(
    adapter: Arrays,
    x: Any,
    transform: Transform,
    *,
    out: Any = None,
    overwrite: bool = False,
    key: Hashable = None,
    converted: Any = None,
) -> Any:
    """Transforms an array that the adapter has converted and that has the transform's input shape.

    With a `key` the call is remembered for the next array of the same signature; `converted` is the type that such
    an array is converted to first, if it is.
    """
    recorded = adapter.recorded(x, transform)
    if recorded is None:
        return transform_memory(adapter, x, transform, out=out, overwrite=overwrite, key=key, converted=converted)
    if out is not None:
        if not adapter.is_out(out):
            raise TypeError(f"out: expected None or an array that {adapter.name} lets one write into, got {type(out).__name__}")
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
    is_wide = transform.orthogonalize and element.precision == "f64x2"
    if is_wide:
        x = _wide_edges(adapter, x, transform, after=False)
    target, in_place = _target(adapter, x, source, shape, element, out, overwrite)
    logical = tuple(
        transform.lengths[transform.axes.index(axis)] if axis in transform.axes else count
        for axis, count in enumerate(shape)
    )
    problem = key_of(transform, logical, source, adapter.memory(target), in_place)
    device = adapter.device(x)
    entry = plans.entry(
        device, problem, lambda: _native.Plan.make(device, problem.problem(), directions=problem.direction)
    )
    call = _native.Call(entry.plan, problem.direction)
    if not adapter.run(call, x, target):
        x, key = adapter.contiguous(x), None
        if in_place or not adapter.run(call, x, target):
            return transform_memory(adapter, x, transform, out=out)
    if key is not None and target is not out and not in_place and element.precision != "f64x2":
        plans.keep_call(key, Ready(call, entry, shape, target.dtype, converted))
    if is_wide:
        target = _wide_edges(adapter, target, transform, after=True)
    return _finish(adapter, target, shape, out)


def _finish(adapter: Arrays, target: Any, shape: tuple[int, ...], out: Any) -> Any:
    if target is out:
        return out
    result = adapter.finish(target, shape)
    if out is None:
        return result
    adapter.copy_into(out, result)
    return out
