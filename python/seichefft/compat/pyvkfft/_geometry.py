"""pyvkfft's conventions of shapes: which axes are transformed, which is the fast one, what a real transform halves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ... import _checks

Shape = tuple[int, ...]


def integers(what: str, values: Any) -> list[int]:
    """Of one or a sequence; RuntimeError, as pyvkfft's, for what has none or ones out of range."""
    try:
        return _checks.integers(what, values if isinstance(values, Iterable) else (values,), _checks.LEAST)
    except (TypeError, ValueError) as error:
        raise RuntimeError(str(error)) from None


def dense_strides(shape: Shape, is_fortran: bool) -> Shape:
    """In elements; in Fortran's order the first axis is the fast one."""
    if is_fortran:
        return tuple(math.prod(shape[:axis]) for axis in range(len(shape)))
    return tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))


def is_fortran_order(strides: Sequence[int] | None) -> bool:
    """Whether strides grow anywhere towards later axes; zeros, of axes of one element, say nothing."""
    known = [stride for stride in strides or () if stride != 0]
    return any(here < there for here, there in zip(known, known[1:]))


class Geometry(NamedTuple):
    """The arrays of a transform. Of a real one in place `shape` has the one or two elements of padding that the complex
    array needs, and `logical` has not."""

    shape: Shape
    #: The axes that are transformed, the fast one last if it is among them.
    axes: Shape
    fast_axis: int
    is_fortran: bool
    #: Of the array that is transformed, real or complex.
    logical: Shape
    #: Of the complex array of a real transform; else `shape`.
    halved: Shape

    @property
    def lengths(self) -> Shape:
        return tuple(self.logical[axis] for axis in self.axes)


def _axes(shape: Shape, axes: Any, ndim: int | None, is_fortran: bool) -> Shape:
    count = len(shape)
    if axes is None:
        if ndim is None:
            ndim = count
        (ndim,) = integers("ndim", ndim)
        if not 1 <= ndim <= count:
            raise RuntimeError(f"ndim: expected 1 to {count} for shape {shape}, got {ndim}")
        return tuple(range(ndim)) if is_fortran else tuple(range(count - ndim, count))
    chosen = integers("axes", axes)
    if ndim is not None and ndim != len(chosen):
        raise RuntimeError(f"ndim: expected {len(chosen)}, as there are axes, got {ndim}")
    if any(not -count <= axis < count for axis in chosen):
        raise RuntimeError(f"axes: expected axes of an array of {count} dimensions, got {chosen}")
    chosen = [axis % count for axis in chosen]
    if len(set(chosen)) != len(chosen):
        raise RuntimeError(f"axes: expected each axis once, got {chosen}")
    return tuple(chosen)


def geometry(
    shape: Sequence[int],
    ndim: int | None,
    axes: Any,
    strides: Sequence[int] | None,
    is_halved: bool,
    in_place: bool,
    is_odd: bool,
) -> Geometry:
    """Of an array of `shape`, with strides in bytes or None for C order; RuntimeError for what makes no sense."""
    shape = tuple(integers("shape", shape))
    strides = None if strides is None else tuple(integers("strides", strides))
    if not shape or any(count < 1 for count in shape):
        raise RuntimeError(f"shape: expected lengths of 1 or more, got {shape}")
    if strides is not None and len(strides) != len(shape):
        raise RuntimeError(f"strides: expected {len(shape)}, as the shape has, got {len(strides)}")
    is_fortran = is_fortran_order(strides)
    chosen = _axes(shape, axes, ndim, is_fortran)
    fast = 0 if is_fortran else len(shape) - 1
    if axes is not None and sum(count > 1 for count in shape) == 1:
        fast = chosen[-1]  # strides say nothing then
    if all(shape[axis] == 1 for axis in chosen):
        raise RuntimeError(f"axes: expected one with more than one element, got {chosen} of shape {shape}")
    logical, halved = list(shape), list(shape)
    if is_halved:
        if fast not in chosen:
            raise RuntimeError(f"axes: expected the fast axis {fast} among those of a real transform, got {chosen}")
        if in_place:
            if shape[fast] % 2:
                raise RuntimeError(
                    f"shape: expected an even length along the fast axis of a real transform in place, its 1 or 2 "
                    f"elements of padding included, got {shape}"
                )
            logical[fast] -= 1 if is_odd else 2
            if logical[fast] < 1:
                raise RuntimeError(f"shape: expected more than the padding along the fast axis, got {shape}")
        halved[fast] = logical[fast] // 2 + 1
    ordered = tuple(axis for axis in sorted(chosen) if axis != fast) + ((fast,) if fast in chosen else ())
    return Geometry(shape, ordered, fast, is_fortran, tuple(logical), tuple(halved))
