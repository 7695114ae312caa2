"""The arguments of SciPy's functions: checked as SciPy checks them, and turned into transforms."""

from __future__ import annotations

import contextlib
import contextvars
import operator
import os
from collections.abc import Hashable, Iterator
from numbers import Number
from typing import Any

from .._arrays import Arrays, adapter_of
from .._arrays import _by_type as adapters
from .._cache import plans
from .._engine import INVERSE_TYPES, Transform, transform_array

_calls = plans.calls
_workers: contextvars.ContextVar[int] = contextvars.ContextVar("seichefft.workers", default=1)
_cpu_count = os.cpu_count() or 1

_NORMS = {None: "backward", "backward": "backward", "ortho": "ortho", "forward": "forward"}
#: The domain of the input of a kind, for `Arrays.convert`.
DOMAINS = {"c2c": "complex", "c2r": "complex", "hfft": "complex", "r2c": "real", "ihfft": "real"}


def norm_of(norm: Any) -> str:
    try:
        return _NORMS[norm]
    except (KeyError, TypeError):
        raise ValueError(f'Invalid norm value {norm!r}, should be "backward", "ortho" or "forward"') from None


def axis_of(axis: Any, ndim: int) -> int:
    """The axis counted from the first; NumPy's own error, a ValueError and an IndexError, for one that is not there."""
    index: int = operator.index(axis)
    if -ndim <= index < ndim:
        return index % ndim
    import numpy

    raise getattr(numpy, "exceptions", numpy).AxisError(index, ndim)


def check_workers(workers: Any) -> int:
    """SciPy's rules: negative ones count from the processors, 0 is an error."""
    if workers is None:
        return _workers.get()
    count: int = operator.index(workers)
    if count < 0:
        if count >= -_cpu_count:
            return count + 1 + _cpu_count
        raise ValueError(f"workers value out of range; got {count}, must not be less than {-_cpu_count}")
    if count == 0:
        raise ValueError("workers must not be zero")
    return count


@contextlib.contextmanager
def set_workers(workers: int) -> Iterator[None]:
    """Set the default of ``workers`` inside a ``with`` block.

    The number is checked and kept, as SciPy's, and changes nothing else: transforms share one pool of threads,
    whose size is `seichefft.config.set_threads`.

    Parameters
    ----------
    workers : int
        Not 0; a negative one counts from the number of processors.

    Raises
    ------
    TypeError
        If it is no integer.
    ValueError
        If it is 0 or too small.

    Examples
    --------
    >>> import seichefft
    >>> with seichefft.fft.set_workers(2):
    ...     seichefft.fft.get_workers()
    2
    """
    token = _workers.set(check_workers(operator.index(workers)))
    try:
        yield
    finally:
        _workers.reset(token)


def get_workers() -> int:
    """The default of ``workers``.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.fft.get_workers()
    1
    """
    return _workers.get()


def _is_plain(numbers: Any) -> bool:
    """Whether a key may hold it: an integer, or a tuple of such. 8 and 8.0 are equal, and one of them is an error."""
    kind = type(numbers)
    return kind is int or (kind is tuple and all(type(number) is int for number in numbers))


#: Up to so many bytes a new array costs less than to find out whether the input may be written into.
_SMALL = 65536


def is_worth(overwrite: Any, x: Any) -> bool:
    """Whether the leave to overwrite `x` is made use of."""
    return bool(overwrite) and getattr(x, "nbytes", _SMALL) >= _SMALL


def recall(name: Hashable, x: Any, lengths: Any, axes: Any, norm: Any, out: Any = None) -> tuple[Arrays, Hashable, Any]:
    """The array's adapter; the key by which a call with these arguments is remembered, or None; and the result, where
    one is. `name` is the function's and all else that decides what it does."""
    adapter = adapters.get(type(x)) or adapter_of(x)
    if (
        (lengths is not None and not _is_plain(lengths))
        or (axes is not None and not _is_plain(axes))
        or (norm is not None and type(norm) is not str)
    ):
        return adapter, None, None
    signature = adapter.signature(x)
    if signature is None:
        return adapter, None, None
    key: Hashable = (name, signature, lengths, axes, norm)
    repeat_into = None if out is None else getattr(adapter, "repeat_into", None)
    if out is not None:
        if type(out) is not type(x) or repeat_into is None:
            return adapter, None, None
        key = (key, adapter.signature(out))
    ready = _calls.get(key)
    if ready is None:
        return adapter, key, None
    ready.entry.hits += 1
    return adapter, key, adapter.repeat(ready, x) if repeat_into is None else repeat_into(ready, x, out)


def _integers(numbers: Any, name: str) -> list[int]:
    if isinstance(numbers, Number):
        numbers = (numbers,)
    try:
        return [operator.index(number) for number in numbers]
    except TypeError:
        raise ValueError(f"{name} must be a scalar or iterable of integers") from None


def shape_and_axes(shape: tuple[int, ...], s: Any, axes: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Lengths and axes of a transform of several axes, with SciPy's defaults and errors."""
    ndim = len(shape)
    if axes is None:
        chosen = None
    else:
        chosen = [axis + ndim if axis < 0 else axis for axis in _integers(axes, "axes")]
        if any(axis < 0 or axis >= ndim for axis in chosen):
            raise ValueError("axes exceeds dimensionality of input")
        if len(set(chosen)) != len(chosen):
            raise ValueError("all axes must be unique")
    if s is not None:
        lengths = _integers(s, "shape")
        if chosen and len(chosen) != len(lengths):
            raise ValueError("when given, axes and shape arguments have to be of the same length")
        if chosen is None:
            if len(lengths) > ndim:
                raise ValueError("shape requires more axes than are present")
            chosen = list(range(ndim - len(lengths), ndim))
        lengths = [shape[axis] if length == -1 else length for length, axis in zip(lengths, chosen)]
    else:
        chosen = list(range(ndim)) if chosen is None else chosen
        lengths = [shape[axis] for axis in chosen]
    if any(length < 1 for length in lengths):
        raise ValueError(f"invalid number of data points ({lengths}) specified")
    return tuple(lengths), tuple(chosen)


def _sized(adapter: Arrays, x: Any, transform: Transform) -> tuple[Any, bool]:
    """The array cropped or padded to the transform, and whether it begins where `x` does."""
    shape = adapter.memory(x).shape
    wanted = transform.input_shape(shape)
    if wanted == shape:
        return x, True
    return adapter.resized(x, wanted), all(want <= have for want, have in zip(wanted, shape))


def run(
    adapter: Arrays,
    array: Any,
    transform: Transform,
    overwrite: Any,
    workers: Any,
    plan: Any,
    out: Any,
    key: Hashable,
) -> Any:
    """The rest of a call whose arguments were checked."""
    check_workers(workers)
    if plan is not None:
        _check_plan(plan)
    converted = adapter.convert(array, DOMAINS.get(transform.kind, "number"))
    sized, is_start = _sized(adapter, converted, transform)
    padded = None
    if not is_start and hasattr(adapter, "repeat_into"):
        padded, is_start = tuple(adapter.memory(sized).shape), True
    if plan is not None:
        return plan.run_transform(transform, sized, out, bool(overwrite))
    return transform_array(
        adapter,
        sized,
        transform,
        out=out,
        overwrite=bool(overwrite),
        key=key if is_start else None,
        converted=None if converted is array else getattr(converted, "dtype", None),
        padded=padded,
    )


def _check_plan(plan: Any) -> None:
    from ..plans import Plan

    if not isinstance(plan, Plan):
        raise NotImplementedError(f"plan: expected a precomputed plan of seichefft.Plan, got {type(plan).__name__}")


def one_axis(
    name: str,
    kind: str,
    direction: str,
    x: Any,
    n: Any,
    axis: Any,
    norm: Any,
    overwrite: Any,
    workers: Any,
    plan: Any,
    out: Any,
) -> Any:
    """A transform along one axis."""
    overwrite = is_worth(overwrite, x)
    is_plain = workers is None and plan is None and not overwrite
    adapter, key, result = recall(name, x, n, axis, norm, out) if is_plain else (adapter_of(x), None, None)
    if result is not None:
        return result
    word = norm_of(norm)
    array = adapter.asarray(x)
    shape = tuple(array.shape)
    index = axis_of(axis, len(shape))
    length = shape[index]
    if n is not None:
        length = operator.index(n)
    elif kind in ("c2r", "hfft"):
        length = 2 * (length - 1)
    if length < 1:
        word_of_error = "Invalid" if n is None and kind in ("c2r", "hfft") else "invalid"
        raise ValueError(f"{word_of_error} number of data points ({length}) specified")
    transform = Transform(kind, direction, (index,), (length,), word)
    return run(adapter, array, transform, overwrite, workers, plan, out, key)


def many_axes(
    name: str,
    kind: str,
    direction: str,
    x: Any,
    s: Any,
    axes: Any,
    norm: Any,
    overwrite: Any,
    workers: Any,
    plan: Any,
    out: Any,
) -> Any:
    """A transform along several axes."""
    overwrite = is_worth(overwrite, x)
    is_plain = workers is None and plan is None and not overwrite
    adapter, key, result = recall(name, x, s, axes, norm, out) if is_plain else (adapter_of(x), None, None)
    if result is not None:
        return result
    word = norm_of(norm)
    array = adapter.asarray(x)
    shape = tuple(array.shape)
    lengths, chosen = shape_and_axes(shape, s, axes)
    if kind in ("c2r", "hfft") and chosen and s is None:
        last = 2 * (shape[chosen[-1]] - 1)
        if last < 1:
            raise ValueError(f"Invalid number of data points ({last}) specified")
        lengths = (*lengths[:-1], last)
    if not chosen:
        if kind != "c2c" and not kind.startswith(("dct", "dst")):
            raise ValueError("at least 1 axis must be transformed")
        return _untransformed(adapter, x, kind, out)
    transform = Transform(kind, direction, chosen, lengths, word)
    return run(adapter, array, transform, overwrite, workers, plan, out, key)


def _untransformed(adapter: Arrays, x: Any, kind: str, out: Any) -> Any:
    """Along no axis at all: the input, in the type of the result."""
    array = adapter.convert(adapter.asarray(x), DOMAINS.get(kind, "number"))
    array = adapter.finish(array, adapter.memory(array).shape)
    if out is None:
        return array
    adapter.copy_into(out, array)
    return out


def cosine_or_sine(
    family: str,
    inverse: bool,
    x: Any,
    type_: Any,
    s: Any,
    axes: Any,
    norm: Any,
    overwrite: Any,
    workers: Any,
    orthogonalize: Any,
    out: Any,
    is_one_axis: bool,
) -> Any:
    """A cosine or sine transform of one of the four types."""
    overwrite = is_worth(overwrite, x)
    is_plain = workers is None and not overwrite and type(type_) is int
    name = (family, inverse, type_, is_one_axis, None if orthogonalize is None else bool(orthogonalize))
    adapter, key, result = recall(name, x, s, axes, norm, out) if is_plain else (adapter_of(x), None, None)
    if result is not None:
        return result
    word = norm_of(norm)
    if isinstance(type_, str) or operator.index(type_) not in INVERSE_TYPES:
        raise ValueError(f"type: expected 1, 2, 3 or 4, got {type_!r}")
    type_ = operator.index(type_)
    array = adapter.asarray(x)
    shape = tuple(array.shape)
    if is_one_axis:
        index = axis_of(axes, len(shape))
        length = shape[index] if s is None else operator.index(s)
        if length < 1:
            raise ValueError(f"invalid number of data points ({length}) specified")
        s, axes = (length,), (index,)
    lengths, chosen = shape_and_axes(shape, s, axes)
    if not chosen:
        return _untransformed(adapter, x, family, out)
    kind = f"{family}{INVERSE_TYPES[type_] if inverse else type_}"
    edges = word == "ortho" if orthogonalize is None else bool(orthogonalize)
    transform = Transform(kind, "inverse" if inverse else "forward", chosen, lengths, word, edges)
    return run(adapter, array, transform, overwrite, workers, None, out, key)
