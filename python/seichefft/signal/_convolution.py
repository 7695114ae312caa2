"""Convolution and correlation, each by one plan of the library: transform, product and transform back, fused."""

from __future__ import annotations

import itertools
import math
import operator
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from .._arrays import adapter_of
from .._cache import Entry
from .._devices import Device
from .._kept import kept_entry
from .._repeats import Repeat
from ..convolution import ConvolutionPlan
from ._space import Space, space_of, type_name

__all__ = ["convolve", "correlate", "fftconvolve", "oaconvolve"]

_MODES = ("full", "same", "valid")


def _entry(
    device: Any, signal: tuple[int, ...], kernel: tuple[int, ...], dtype: str, mode: str, channels: int, batch: int
) -> Entry:
    """The plan, as the cache has it."""

    def make() -> ConvolutionPlan:
        return ConvolutionPlan(
            signal,
            kernel,
            dtype,
            mode=mode,
            inputs=channels,
            outputs=channels,
            channels="diagonal" if channels > 1 else "full",
            batch=batch,
            device=Device._of(device),
        )

    key = ("convolution", signal, kernel, dtype, mode, channels, batch)
    return kept_entry(device, key, make, lambda plan: plan.convolution)


def _is_swapped(mode: str, shape1: Sequence[int], shape2: Sequence[int], axes: Sequence[int]) -> bool:
    """Whether the second is the larger one, of which ``'valid'`` takes a part."""
    if mode != "valid":
        return False
    if all(shape1[axis] >= shape2[axis] for axis in axes):
        return False
    if all(shape2[axis] >= shape1[axis] for axis in axes):
        return True
    raise ValueError(
        "For 'valid' mode, one must be at least as large as the other in every dimension: "
        f"got shapes {tuple(shape1)} and {tuple(shape2)}"
    )


def _check_mode(mode: Any) -> None:
    if mode not in _MODES:
        raise ValueError(f"mode: acceptable mode flags are 'valid', 'same', or 'full', got {mode!r}")


def _centred(x: Any, shape: Sequence[int]) -> Any:
    """The middle of `x`."""
    starts = [(have - want) // 2 for have, want in zip(x.shape, shape)]
    return x[tuple(slice(start, start + want) for start, want in zip(starts, shape))]


def _cut(full: Any, mode: str, shape1: Sequence[int], shape2: Sequence[int], axes: Sequence[int]) -> Any:
    """A part of the full result."""
    if mode == "full":
        return full
    if mode == "same":
        return _centred(full, shape1)
    valid = [shape1[axis] - shape2[axis] + 1 if axis in axes else length for axis, length in enumerate(full.shape)]
    return _centred(full, valid)


def _axes_of(ndim: int, axes: Any) -> list[int]:
    if axes is None:
        return list(range(ndim))
    try:
        numbers = [operator.index(axis) for axis in ([axes] if np.ndim(axes) == 0 else axes)]
    except TypeError:
        raise ValueError("axes must be a scalar or iterable of integers") from None
    if not numbers:
        raise ValueError("when provided, axes cannot be empty")
    if any(not -ndim <= axis < ndim for axis in numbers):
        raise ValueError("axes exceeds dimensionality of input")
    chosen = [axis % ndim for axis in numbers]
    if len(set(chosen)) != len(chosen):
        raise ValueError("all axes must be unique")
    return chosen


def _run(space: Space, signal: Any, kernel: Any, mode: str, axes: list[int], repeat: Repeat) -> Any:
    """Convolves along the axes, where both are longer than 1; along others their lengths are equal, or one is 1.

    Axes where the kernel has length 1 become the plan's batch, others its channels, each with a kernel of its own.
    """
    ndim = len(signal.shape)
    axes = sorted(axes)
    others = [axis for axis in range(ndim) if axis not in axes]
    batch_axes = [axis for axis in others if kernel.shape[axis] == 1]
    channel_axes = [axis for axis in others if kernel.shape[axis] != 1]
    repeated = tuple(kernel.shape[axis] if axis in channel_axes else length for axis, length in enumerate(signal.shape))
    if repeated != tuple(signal.shape):
        signal = space.xp.broadcast_to(signal, repeated)
    order = [*batch_axes, *channel_axes, *axes]
    batch = math.prod(signal.shape[axis] for axis in batch_axes)
    channels = math.prod(signal.shape[axis] for axis in channel_axes)
    lengths = tuple(signal.shape[axis] for axis in axes)
    kernel_lengths = tuple(kernel.shape[axis] for axis in axes)
    first = (channels,) if channels > 1 else ()
    ordered = space.moveaxis(signal, order, list(range(ndim)))
    kernels = space.moveaxis(kernel, order, list(range(ndim)))
    dtype = type_name(signal.dtype)
    adapter = adapter_of(signal)
    entry = _entry(adapter.device(signal), lengths, kernel_lengths, dtype, mode, channels, batch)
    plan: ConvolutionPlan = entry.plan.plan  # type: ignore[attr-defined]
    ordered = space.xp.reshape(ordered, (batch, *first, *lengths))
    kernels = space.xp.reshape(kernels, (*first, *kernel_lengths))
    result = plan(ordered, kernels)
    if order == list(range(ndim)) and (mode != "same" or tuple(signal.shape) == repeat.shape_of_first()):
        ready = plan._repeat_of(adapter, ordered, kernels)
        shape = tuple(int(n) for n in (*signal.shape[: len(others)], *result.shape[1 + len(first) :]))
        repeat.keep(entry, ready and ready.reshaped(shape), [ordered, kernels], [])
    outer = [signal.shape[axis] for axis in (*batch_axes, *channel_axes)]
    result = space.xp.reshape(result, (*outer, *result.shape[1 + len(first) :]))
    return space.moveaxis(result, list(range(ndim)), order)


def _convolved(space: Space, in1: Any, in2: Any, mode: str, axes: Any, repeat: Repeat) -> Any:
    """By transforms; both are arrays with as many axes."""
    every = _axes_of(in1.ndim, axes)
    chosen = [axis for axis in every if in1.shape[axis] != 1 and in2.shape[axis] != 1]
    if any(
        a != b and a != 1 and b != 1 and axis not in chosen for axis, (a, b) in enumerate(zip(in1.shape, in2.shape))
    ):
        raise ValueError(f"incompatible shapes for in1 and in2: {tuple(in1.shape)} and {tuple(in2.shape)}")
    if _is_swapped(mode, in1.shape, in2.shape, chosen):
        in1, in2 = in2, in1
    _check_mode(mode)
    shapes = in1.shape, in2.shape
    if not chosen:
        return _cut(in1 * in2, mode, *shapes, chosen)
    in1, in2 = space.floating(in1), space.floating(in2)
    dtype = space.result_type(in1, in2)
    signal, kernel = space.astype(in1, dtype), space.astype(in2, dtype)
    others = [axis for axis in range(in1.ndim) if axis not in chosen]
    is_one_kernel = all(kernel.shape[axis] == 1 for axis in others)
    is_one_signal = all(signal.shape[axis] == 1 for axis in others)
    is_larger = math.prod(signal.shape) < math.prod(kernel.shape)
    if (is_one_signal and not is_one_kernel) or (is_one_signal and is_larger and mode == "full"):
        own = repeat if mode == "full" else Repeat.never()
        return _cut(_run(space, kernel, signal, "full", chosen, own), mode, *shapes, chosen)
    result = _run(space, signal, kernel, mode, chosen, repeat)
    return _centred(result, shapes[0]) if mode == "same" else result


def _pair(in1: Any, in2: Any, words: str = "in1 and in2") -> tuple[Space, Any, Any]:
    space = space_of(in1, in2)
    in1, in2 = space.asarray(in1), space.asarray(in2)
    if in1.ndim != in2.ndim:
        raise ValueError(f"{words} should have the same dimensionality, got {in1.ndim} and {in2.ndim} axes")
    return space, in1, in2


def fftconvolve(in1: Any, in2: Any, mode: str = "full", axes: Any = None) -> Any:
    """Convolution by Fourier transforms.

    One `seichefft.ConvolutionPlan` does it, fused, by blocks (overlap-save) where that is faster; plans are kept.

    Parameters
    ----------
    in1, in2 : array_like
        With equally many axes; real or complex.
    mode : {'full', 'same', 'valid'}, optional
        All of the result, its middle of the shape of `in1`, or what reads nothing beyond the edges.
    axes : int or sequence of int, optional
        Along these; along others the lengths are equal, or one is 1. Default: all.

    Returns
    -------
    array
        In the type of both, at least single precision; of integers, double.

    Raises
    ------
    ValueError
        For shapes that do not fit, or unknown words.

    Examples
    --------
    >>> from seichefft import signal
    >>> signal.fftconvolve([1.0, 2.0, 3.0], [1.0, -1.0]).round(9).tolist()
    [1.0, 1.0, 1.0, -3.0]
    """
    repeat = Repeat("fftconvolve", (in1, in2), mode, axes)
    again = repeat.again()
    if again is not None:
        return again
    space, in1, in2 = _pair(in1, in2)
    if in1.ndim == 0:
        return in1 * in2
    if math.prod(in1.shape) == 0 or math.prod(in2.shape) == 0:
        return space.zeros((0,), in1, space.xp.float64)
    return _convolved(space, in1, in2, mode, axes, repeat)


def oaconvolve(in1: Any, in2: Any, mode: str = "full", axes: Any = None) -> Any:
    """Convolution by blocks, for arrays of very different sizes.

    The library chooses the blocks' length for `fftconvolve` too, so that both do the same; the name is SciPy's.

    Parameters
    ----------
    in1, in2 : array_like
        With equally many axes; real or complex.
    mode : {'full', 'same', 'valid'}, optional
        As in `fftconvolve`.
    axes : int or sequence of int, optional
        As in `fftconvolve`.

    Returns
    -------
    array
        As of `fftconvolve`.

    Raises
    ------
    ValueError
        For shapes that do not fit, or unknown words.

    Examples
    --------
    >>> from seichefft import signal
    >>> signal.oaconvolve([1.0, 2.0, 3.0, 4.0], [1.0, 1.0], mode="valid").round(9).tolist()
    [3.0, 5.0, 7.0]
    """
    return fftconvolve(in1, in2, mode, axes)


def _direct(space: Space, in1: Any, in2: Any, mode: str) -> Any:
    """By the sums themselves, in the type of both, so that integers are exact."""
    dtype = space.result_type(in1, in2)
    axes = range(in1.ndim)
    if space.is_numpy and in1.ndim == 1:
        return np.array(_cut(np.convolve(in1, in2), mode, in1.shape, in2.shape, axes), dtype)
    small, large = (in2, in1) if math.prod(in2.shape) <= math.prod(in1.shape) else (in1, in2)
    full = space.zeros([a + b - 1 for a, b in zip(in1.shape, in2.shape)], in1, dtype)
    for place in itertools.product(*map(range, small.shape)):
        where = tuple(slice(start, start + length) for start, length in zip(place, large.shape))
        if space.kind(full) == "bool":
            full[where] |= large & small[place]
        else:
            full[where] += small[place] * large
    return _cut(full, mode, in1.shape, in2.shape, axes)


def _largest(space: Space, x: Any) -> int:
    """The largest magnitude, rounded up; raises OverflowError or ValueError for infinities and NaN."""
    if space.kind(x) == "bool":
        return 1
    if space.kind(x) == "integer":
        return max(abs(int(space.xp.max(x))), abs(int(space.xp.min(x))))
    return math.ceil(float(space.xp.max(abs(x))))


def _is_exact(space: Space, in1: Any, in2: Any) -> bool:
    """Whether a result is what sums would give, if integers are in it: a double holds every sum."""
    if "integer" not in (space.kind(in1), space.kind(in2)):
        return True
    try:
        largest = _largest(space, in1) * _largest(space, in2)
    except (OverflowError, ValueError):
        return False
    return bool(largest * min(math.prod(in1.shape), math.prod(in2.shape)) < 2**51)


def _method(space: Space, in1: Any, in2: Any, mode: str) -> str:
    """The faster way, by a rough count: a multiplication of the sums takes a third of a nanosecond in one dimension
    and one in several; transforms take 2 ns a point and doubling, and a call 60 microseconds."""
    kinds = {space.kind(in1), space.kind(in2)}
    if "other" in kinds or kinds == {"bool"} or not _is_exact(space, in1, in2):
        return "direct"
    full = math.prod(a + b - 1 for a, b in zip(in1.shape, in2.shape))
    small = min(math.prod(in1.shape), math.prod(in2.shape))
    direct = (0.3e-9 if in1.ndim == 1 else 1e-9) * small * full + (0 if in1.ndim == 1 else 2e-6 * small)
    transforms = 60e-6 + 2e-9 * full * math.log2(full + 1)
    return "fft" if transforms < direct else "direct"


def convolve(in1: Any, in2: Any, mode: str = "full", method: str = "auto") -> Any:
    """Convolution, by transforms or by sums.

    Parameters
    ----------
    in1, in2 : array_like
        With equally many axes, of any type of numbers.
    mode : {'full', 'same', 'valid'}, optional
        As in `fftconvolve`.
    method : {'auto', 'fft', 'direct'}, optional
        Transforms, the sums themselves, or the faster one; integers beyond what a double holds are summed.

    Returns
    -------
    array
        In the type of both; transforms of integers are rounded.

    Raises
    ------
    ValueError
        For shapes that do not fit, or unknown words.

    Warns
    -----
    RuntimeWarning
        Where transforms spread infinities or NaN over the result.

    Examples
    --------
    >>> from seichefft import signal
    >>> signal.convolve([1, 2, 3], [0, 1, 0.5], mode="same").tolist()
    [1.0, 2.5, 4.0]
    """
    space, in1, in2 = _pair(in1, in2, "volume and kernel")
    if in1.ndim == 0:
        return in1 * in2
    if _is_swapped(mode, in1.shape, in2.shape, range(in1.ndim)):
        in1, in2 = in2, in1
    if method not in ("auto", "fft", "direct"):
        raise ValueError(f"method: acceptable method flags are 'auto', 'direct', or 'fft', got {method!r}")
    _check_mode(mode)
    if method == "auto":
        method = _method(space, in1, in2, mode)
    if method == "direct":
        return _direct(space, in1, in2, mode)
    result = fftconvolve(in1, in2, mode)
    dtype = space.result_type(in1, in2)
    first = space.xp.reshape(result, (-1,))[:1]
    if not bool(space.xp.all(space.xp.isfinite(first))):
        warnings.warn(
            "Use of fft convolution on input with NAN or inf results in NAN or inf output. "
            "Consider using method='direct' instead.",
            RuntimeWarning,
            stacklevel=2,
        )
    if space.kind(in1) in ("integer", "bool") and space.kind(in2) in ("integer", "bool"):
        result = space.xp.round(result)
    return space.astype(result, dtype)


def correlate(in1: Any, in2: Any, mode: str = "full", method: str = "auto") -> Any:
    """Cross-correlation: the convolution with the conjugate of the second, reversed.

    Parameters
    ----------
    in1, in2 : array_like
        With equally many axes, of any type of numbers.
    mode : {'full', 'same', 'valid'}, optional
        As in `fftconvolve`.
    method : {'auto', 'fft', 'direct'}, optional
        As in `convolve`.

    Returns
    -------
    array
        In the type of both.

    Raises
    ------
    ValueError
        For shapes that do not fit, or unknown words.

    Examples
    --------
    >>> from seichefft import signal
    >>> signal.correlate([1, 2, 3], [0, 1, 0.5]).tolist()
    [0.5, 2.0, 3.5, 3.0, 0.0]
    """
    space, in1, in2 = _pair(in1, in2)
    if in1.ndim == 0:
        return in1 * space.conj(in2)
    _check_mode(mode)
    return convolve(in1, space.xp.flip(space.conj(in2)), mode, method)
