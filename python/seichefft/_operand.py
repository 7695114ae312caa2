"""What the operators of `seichefft.spectral` share: an array on its way to a spectral plan, and back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from . import _checks
from ._arrays import adapter_of
from ._devices import Device
from ._kept import kept_entry
from ._repeats import Repeat
from .signal._space import Space, space_of, type_name
from .spectral_plans import SpectralPlan

#: Factors of so many bins in all are kept with a call that is repeated.
_MOST_KEPT = 1 << 14


class Operand:
    """An array, the axes along which an operator works, and the way there and back: these axes last, one before."""

    def __init__(self, x: Any, axes: int | Sequence[int] | None, what: str = "x", repeat: Repeat | None = None) -> None:
        #: What remembers the operator's plan for the next call.
        self.repeat = repeat
        self.space: Space = space_of(x)
        x = numbers_of(self.space, what, x)
        if x.ndim == 0:
            raise ValueError(f"{what}: expected an array with an axis, got one of no dimension")
        wanted: Any = range(x.ndim) if axes is None else axes
        given = [wanted] if _checks.is_integer(wanted) else _checks.sequence("axes", wanted)
        self.axes = tuple(_checks.integer("axes", axis, -x.ndim, x.ndim - 1) % x.ndim for axis in given)
        if not self.axes or len(set(self.axes)) != len(self.axes):
            raise ValueError(f"axes: expected one axis or more, each once, got {tuple(given)}")
        self._last = tuple(range(x.ndim - len(self.axes), x.ndim))
        moved = self.space.moveaxis(x, self.axes, self._last)
        self.lengths = tuple(int(n) for n in moved.shape[-len(self.axes) :])
        self.rest = tuple(int(n) for n in moved.shape[: -len(self.axes)])
        self.batch = math.prod(self.rest)
        if 0 in self.lengths:
            raise ValueError(f"{what}: expected a point or more along the axes, got shape {tuple(x.shape)}")
        self.rows = moved.reshape((self.batch, *self.lengths))
        self.is_complex = self.space.is_complex(x)
        self.is_double = type_name(x.dtype) in ("float64", "complex128")

    def per_axis(self, what: str, values: Any) -> list[float]:
        """A number for each axis, of one for all or one each."""
        if hasattr(values, "__len__") and not (hasattr(values, "shape") and values.shape == ()):
            numbers = [_checks.number(f"{what}[{i}]", one) for i, one in enumerate(_checks.sequence(what, values))]
            if len(numbers) != len(self.axes):
                raise ValueError(
                    f"{what}: expected a number, or one for each of {len(self.axes)} axes, got {len(numbers)}"
                )
        else:
            numbers = [_checks.number(what, values)] * len(self.axes)
        for number in numbers:
            if not math.isfinite(number):
                raise ValueError(f"{what}: expected finite numbers, got {number}")
        return numbers

    def applied(
        self,
        middle: str,
        arguments: dict[str, Any],
        numbers: str | None = None,
        kinds: Sequence[str] | None = None,
        own: Sequence[Any] = (),
    ) -> Any:
        """The result of the stage, with numbers of the arrays' precision and arrays for what it names, of which the
        operator's `own` are the same for the next call."""
        return self._given_back(self._applied(middle, arguments, numbers, kinds, own=own))

    def applied_and_summed(self, middle: str, arguments: dict[str, Any]) -> tuple[Any, Any]:
        """The same of a stage with one sum in f64, which is of the shape of the batch."""
        if self.batch == 0:
            import numpy as np

            return self._given_back(self.rows), self.space.from_host(np.zeros(self.rest), self.rows)
        rows, sums = self._applied(middle, arguments, sums_in_f64=True)
        return self._given_back(rows), sums.reshape(self.rest)

    def _applied(
        self,
        middle: str,
        arguments: dict[str, Any],
        numbers: str | None = None,
        kinds: Sequence[str] | None = None,
        sums_in_f64: bool = False,
        own: Sequence[Any] = (),
    ) -> Any:
        if self.batch == 0:
            numbers_out = "complex" if numbers == "analytic" or self.is_complex else "real"
            dtype = self.space.complex_type(self.rows) if numbers_out == "complex" else self.rows.dtype
            return self.space.astype(self.rows, dtype)
        scalar = "f64" if self.is_double else "f32"
        words: dict[str, Any] = {name: word_of(value, scalar) for name, value in arguments.items()}
        dtype = type_name(self.rows.dtype)
        device = adapter_of(self.rows).device(self.rows)

        def make() -> SpectralPlan:
            return SpectralPlan(
                self.lengths,
                dtype,
                middle=middle,
                numbers=numbers,
                kinds=kinds,
                sums_in_f64=sums_in_f64,
                batch=self.batch,
                device=Device._of(device),
                **words,
            )

        key = ("spectral", self.lengths, self.batch, dtype, middle, numbers, tuple(kinds or ()), tuple(words.items()))
        entry = kept_entry(device, key, make, lambda made: made.problem)
        plan: SpectralPlan = entry.plan.plan  # type: ignore[attr-defined]
        result = plan(self.rows, **arguments)
        if self.repeat is not None and self.axes == self._last:
            ready = plan._repeat_of(adapter_of(self.rows), self.rows, arguments)
            shape = (*self.rest, *self.lengths)
            ready = ready and ready.reshaped(shape, self.rest if ready.sums_shape is not None else None)
            arrays = [one for one in arguments.values() if not isinstance(one, (int, float))]
            scalars = [float(one) for one in arguments.values() if isinstance(one, (int, float))]
            self.repeat.keep(entry, ready, [self.rows, *arrays], scalars, own)
        return result

    def is_on_processor(self) -> bool:
        """Whether the plan's device is no GPU, where an elementary function of a bin costs more than the transform."""
        return not adapter_of(self.rows).device(self.rows).info.is_gpu

    def multiplied(self, factors: Sequence[tuple[Any, Any]]) -> Any:
        """Each bin times a factor of its place on each axis: real and imaginary parts for all n of an axis, arrays of
        the host, or None for parts that are 0."""
        arguments: dict[str, Any] = {}
        terms = []
        for i, (n, parts) in enumerate(zip(self.lengths, factors)):
            is_halved = i + 1 == len(self.lengths) and not self.is_complex
            for name, part in zip(("real", "odd"), parts):
                if part is not None:
                    bins = part[: n // 2 + 1] if is_halved else part
                    arguments[f"{name}{i}"] = self.space.weights(bins, self.rows)
            is_real = parts[1] is None
            terms.append(f"real{i}[i{i}]" if is_real else f"complex(real{i}[i{i}], odd{i}[i{i}])")
        own = [*arguments.values()] if sum(self.lengths) <= _MOST_KEPT else ()
        return self.applied(f"return value * {' * '.join(terms)};", arguments, own=own)

    def _given_back(self, rows: Any) -> Any:
        return self.space.moveaxis(rows.reshape((*self.rest, *self.lengths)), self._last, self.axes)


def numbers_of(space: Space, what: str, x: Any) -> Any:
    """As an array of single or double precision, real or complex, in the machine's order of bytes."""
    x = space.floating(space.asarray(x))
    if space.is_numpy and not x.dtype.isnative:
        x = x.astype(x.dtype.newbyteorder("="))
    if type_name(x.dtype) not in ("float32", "float64", "complex64", "complex128"):
        raise TypeError(f"{what}: expected numbers of single or double precision, got {x.dtype}")
    return x


def word_of(value: Any, scalar: str) -> str:
    if isinstance(value, int):
        return "u32"
    return scalar if isinstance(value, float) else f"{adapter_of(value).stage_type(value)}[{math.prod(value.shape)}]"


def on_device(space: Space, response: Any, like: Any, what: str = "response") -> Any:
    """As an array of the library of `like`; one of the host goes there."""
    library = adapter_of(like)
    if adapter_of(response) is library and not space.is_numpy:
        return response
    import numpy as np

    values = np.asarray(response)
    if space.is_numpy and values.dtype.char in "fdFD" and values.dtype.isnative:
        return values
    if values.dtype.kind not in "fciub":
        raise TypeError(f"{what}: expected numbers, got elements of {values.dtype}")
    is_complex = values.dtype.kind == "c"
    return space.from_host(values.astype(np.complex128 if is_complex else np.float64), like)


def dense(x: Any) -> Any:
    """In C order: itself, or a copy."""
    adapter = adapter_of(x)
    memory = adapter.memory(x)
    step = 1
    for count, stride in zip(reversed(memory.shape), reversed(memory.strides or (0,) * len(memory.shape))):
        if count > 1 and stride != step:
            return adapter.contiguous(x)
        step *= count
    return x
