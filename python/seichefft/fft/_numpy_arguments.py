"""The arguments of NumPy's functions: checked as NumPy checks them, and turned into transforms."""

from __future__ import annotations

import operator
import warnings
from typing import Any

from .._arrays import Arrays, adapter_of
from .._engine import Transform
from ._arguments import axis_of, recall, run

_NORMS = {None: "backward", "backward": "backward", "ortho": "ortho", "forward": "forward"}
_HALVES = ("c2r", "hfft")


def _norm_of(norm: Any) -> str:
    try:
        return _NORMS[norm]
    except (KeyError, TypeError):
        raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".') from None


def _numbers(adapter: Arrays, a: Any) -> Any:
    """An array of numbers: objects, text and spans of time are none to NumPy's functions, and are to SciPy's."""
    array = adapter.asarray(a)
    if adapter.name == "numpy" and array.dtype.kind in "OSUTm":
        raise TypeError(f"a: expected an array of numbers, got one of {array.dtype}")
    return array


def _length_of(n: Any) -> int:
    length = operator.index(n)
    if length < 1:
        raise ValueError(f"Invalid number of FFT data points ({length}) specified.")
    return length


def _into(adapter: Arrays, array: Any, transform: Transform, out: Any, key: Any) -> Any:
    """Runs a transform, and writes its result into an `out` that NumPy would take."""
    # A real result of NumPy's has the precision of its input, but where complex numbers are under way.
    is_real = transform.kind in _HALVES and len(transform.axes) == 1
    is_narrowed = is_real and adapter.name in ("numpy", "cupy") and array.dtype.char == "e"
    if is_narrowed and out is None:
        return run(adapter, array, transform, False, None, None, None, None).astype("e")
    if out is None or adapter.name != "numpy":
        return run(adapter, array, transform, False, None, None, out, key)
    import numpy as np

    if not isinstance(out, np.ndarray):
        raise TypeError("return arrays must be of ArrayType")
    shape = transform.output_shape(array.shape)
    if out.shape != shape:
        raise ValueError("output array has wrong shape.")
    kind = np.result_type(array.dtype if array.dtype.kind in "fc" else np.float64, np.float32)
    result = np.result_type(kind, 1j) if transform.kind not in _HALVES else np.zeros(0, kind).real.dtype
    result = np.dtype("e") if is_narrowed else result
    if not np.can_cast(result, out.dtype, "same_kind"):
        raise TypeError(f"Cannot cast the result from {result!r} to {out.dtype!r} with casting rule 'same_kind'")
    if out.dtype == result and not is_narrowed:
        return run(adapter, array, transform, False, None, None, out, key)
    out[...] = run(adapter, array, transform, False, None, None, None, None)
    return out


def one_axis(name: str, kind: str, direction: str, a: Any, n: Any, axis: Any, norm: Any, out: Any) -> Any:
    """A transform along one axis."""
    adapter, key, result = recall(name, a, n, axis, norm, out)
    if result is not None:
        return result
    array = _numbers(adapter, a)
    shape = tuple(array.shape)
    index = axis_of(axis, len(shape))
    if n is None:
        n = 2 * (shape[index] - 1) if kind in _HALVES else shape[index]
    length = _length_of(n)
    word = _norm_of(norm)
    transform = Transform(kind, direction, (index,), (length,), word)
    return _into(adapter, array, transform, out, key)


def many_axes(name: str, kind: str, direction: str, a: Any, s: Any, axes: Any, norm: Any, out: Any) -> Any:
    """A transform along several axes; one that is named twice is transformed twice."""
    if s is not None and axes is None:  # which NumPy warns of at each call
        adapter, key, result = adapter_of(a), None, None
    else:
        adapter, key, result = recall(name, a, s, axes, norm, out)
    if result is not None:
        return result
    array = _numbers(adapter, a)
    lengths, chosen = _lengths_and_axes(tuple(array.shape), kind, s, axes)
    word = _norm_of(norm)
    if not chosen:
        if kind != "c2c":
            raise IndexError("axes: expected at least one axis, got none")
        return _along_none(adapter, array, kind, out)
    if len(set(chosen)) == len(chosen):
        transform = Transform(kind, direction, chosen, tuple(_length_of(n) for n in lengths), word)
        return _into(adapter, array, transform, out, key)
    return _one_by_one(adapter, array, kind, direction, chosen, lengths, word, out)


def _along_none(adapter: Arrays, array: Any, kind: str, out: Any) -> Any:
    if out is None:
        return array
    adapter.copy_into(out, array)
    return out


def _one_by_one(
    adapter: Arrays,
    array: Any,
    kind: str,
    direction: str,
    axes: tuple[int, ...],
    lengths: tuple[int, ...],
    norm: str,
    out: Any,
) -> Any:
    """The last axis first, but the halved one of a c2r last."""
    order = range(len(axes)) if kind in _HALVES else reversed(range(len(axes)))
    for step in order:
        is_halved = step == len(axes) - 1
        one = kind if is_halved else "c2c"
        transform = Transform(one, direction, (axes[step],), (_length_of(lengths[step]),), norm)
        array = run(adapter, array, transform, False, None, None, None, None)
    if out is None:
        return array
    adapter.copy_into(out, array)
    return out


def _lengths_and_axes(shape: tuple[int, ...], kind: str, s: Any, axes: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Lengths and axes as NumPy has them, with its warnings."""
    ndim = len(shape)
    if axes is None:
        if s is not None:
            warnings.warn(
                "`axes` should not be `None` if `s` is not `None` (Deprecated in NumPy 2.0): pass a sequence "
                "[0, ..., k-1] to `axes` for an array of dimension k.",
                DeprecationWarning,
                stacklevel=4,
            )
        count = ndim if s is None else len(s)
        axes = range(-count, 0)
    chosen = tuple(axis_of(axis, ndim) for axis in axes)
    lengths = [shape[axis] for axis in chosen] if s is None else list(s)
    if len(lengths) != len(chosen):
        raise ValueError("Shape and axes have different lengths.")
    if s is None and kind in _HALVES and chosen:
        lengths[-1] = 2 * (lengths[-1] - 1)
    if None in lengths:
        warnings.warn(
            "Passing an array containing `None` values to `s` is deprecated in NumPy 2.0: "
            "pass the length, or omit `s`.",
            DeprecationWarning,
            stacklevel=4,
        )
    for place, (length, axis) in enumerate(zip(lengths, chosen)):
        if length is None:
            is_halved = kind in _HALVES and place == len(chosen) - 1
            lengths[place] = 2 * (shape[axis] - 1) if is_halved else shape[axis]
        elif length == -1:
            lengths[place] = shape[axis]
    return tuple(lengths), chosen


__all__ = ["many_axes", "one_axis"]
