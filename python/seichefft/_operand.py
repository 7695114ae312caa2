"""What the operators of `seichefft.spectral` share: an array on its way to a spectral plan, and back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from . import _checks
from ._arrays import adapter_of
from ._devices import Device
from ._kept import kept
from .signal._space import Space, space_of, type_name
from .spectral_plans import SpectralPlan


class Operand:
    """An array, the axes along which an operator works, and the way there and back: these axes last, one before."""

    def __init__(self, x: Any, axes: int | Sequence[int] | None, what: str = "x") -> None:
        self.space: Space = space_of(x)
        x = self.space.floating(self.space.asarray(x))
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

    def applied(self, middle: str, arguments: dict[str, Any], numbers: str | None = None) -> Any:
        """The result of the stage, with numbers of the arrays' precision and arrays for what it names."""
        return self._given_back(self._applied(middle, arguments, numbers))

    def applied_and_summed(self, middle: str, arguments: dict[str, Any]) -> tuple[Any, Any]:
        """The same of a stage with one sum in f64, which is of the shape of the batch."""
        if self.batch == 0:
            import numpy as np

            return self._given_back(self.rows), self.space.from_host(np.zeros(self.rest), self.rows)
        rows, sums = self._applied(middle, arguments, None, sums_in_f64=True)
        return self._given_back(rows), sums.reshape(self.rest)

    def _applied(
        self, middle: str, arguments: dict[str, Any], numbers: str | None, sums_in_f64: bool = False
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
                sums_in_f64=sums_in_f64,
                batch=self.batch,
                device=Device._of(device),
                **words,
            )

        key = ("spectral", self.lengths, self.batch, dtype, middle, numbers, tuple(words.items()))
        plan: SpectralPlan = kept(device, key, make, lambda made: made.problem)
        return plan(self.rows, **arguments)

    def _given_back(self, rows: Any) -> Any:
        return self.space.moveaxis(rows.reshape((*self.rest, *self.lengths)), self._last, self.axes)


def word_of(value: Any, scalar: str) -> str:
    if isinstance(value, int):
        return "u32"
    return scalar if isinstance(value, float) else f"{adapter_of(value).stage_type(value)}[{math.prod(value.shape)}]"


def on_device(space: Space, response: Any, like: Any) -> Any:
    """As an array of the library of `like`; one of the host goes there."""
    library = adapter_of(like)
    if adapter_of(response) is library and not space.is_numpy:
        return response
    import numpy as np

    values = np.asarray(response)
    if values.dtype.kind not in "fciub":
        raise TypeError(f"response: expected numbers, got elements of {values.dtype}")
    is_complex = values.dtype.kind == "c"
    return space.from_host(values.astype(np.complex128 if is_complex else np.float64), like)


def dense(x: Any) -> Any:
    return adapter_of(x).contiguous(x)
