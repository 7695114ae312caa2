"""The arrays and numbers that a plan's stages name: declared from keyword arguments, and bound to a call."""

from __future__ import annotations

import re
from numbers import Integral, Real
from typing import Any, NamedTuple

from . import _checks, _native
from ._arrays import adapter_of

_DECLARED = re.compile(r"(f16|f32|f64|i8|u8|i16|u16|i32|u32)(?:\[(\d+)\])?$")
_SCALARS = ("f32", "f64", "i32", "u32")


class Declared(NamedTuple):
    """The type of a buffer's elements and how many there are; of a scalar the length is None."""

    type: str
    length: int | None

    def __str__(self) -> str:
        return self.type if self.length is None else f"{self.type}[{self.length}]"


def _number(name: str, value: Any, declared: Declared) -> float:
    """The value of a scalar of that type."""
    if declared.type == "i32":
        return _checks.integer(name, value, -(2**31), 2**31 - 1)
    if declared.type == "u32":
        return _checks.integer(name, value, 0, 2**32 - 1)
    return _checks.number(name, value)


def _count_of(x: Any) -> int:
    count = 1
    for length in x.shape:
        count *= length
    return count


def _declared(name: str, value: Any, precision: str) -> Declared:
    """What a keyword argument of a plan declares: a word, a number, or an array."""
    if isinstance(value, str):
        match = _DECLARED.match(value)
        if match is None or (match[2] is None and match[1] not in _SCALARS):
            raise ValueError(f"{name}: expected an array, a number or a word such as 'f32[1024]', got {value!r}")
        return Declared(match[1], None if match[2] is None else _checks.integer(name, int(match[2])))
    if isinstance(value, Integral):  # NumPy's scalars too, which have a shape
        return Declared("i32", None)
    if isinstance(value, Real):
        return Declared("f32" if precision in ("f32", "f16") else "f64", None)
    if not hasattr(value, "shape"):
        raise TypeError(
            f"{name}: expected an array, a number or a word such as 'f32[1024]', got {type(value).__name__}"
        )
    try:
        return Declared(adapter_of(value).stage_type(value), _count_of(value))
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from None


class StageArguments:
    """What the stages of a plan name, and the values that the plan was made with."""

    def __init__(self, texts: dict[str, str], precision: str, values: dict[str, Any], plan: str = "Plan") -> None:
        for place, text in texts.items():
            _checks.word(place, text)
        self.names = {name: _declared(name, value, precision) for name, value in values.items()}
        self._values = {name: value for name, value in values.items() if not isinstance(value, str)}
        for name, value in self._values.items():
            if self.names[name].length is None:
                _number(name, value, self.names[name])
        self._stored = {name for text in texts.values() for name in re.findall(r"\bstore\s+(\w+)\s*\[", text)}
        self.stages = {place: self._stage(text) for place, text in texts.items() if text}
        every = " ".join(texts.values())
        for name in values:
            if not re.search(rf"\b{re.escape(name)}\b", every):
                raise TypeError(f"{plan}() got {name!r}, which is no parameter and which no stage names")

    def _stage(self, text: str) -> _native.Stage:
        here = {name: one for name, one in self.names.items() if re.search(rf"\b{re.escape(name)}\b", text)}
        buffers = [(name, one.type, one.length) for name, one in here.items() if one.length is not None]
        scalars = [(name, one.type) for name, one in here.items() if one.length is None]
        return _native.Stage(text, buffers, scalars)

    def with_values(self, values: dict[str, Any]) -> tuple[dict[str, Any], dict[str, float]]:
        """(arrays, numbers) of one call; each as it was declared."""
        for name in values:
            if name not in self.names:
                raise TypeError(f"{name}: expected one of the names of the stages ({', '.join(self.names) or 'none'})")
        arrays: dict[str, Any] = {}
        numbers: dict[str, float] = {}
        for name, declared in self.names.items():
            value = values.get(name, self._values.get(name))
            if value is None:
                raise TypeError(f"{name}: expected {declared}, which the stages name, got nothing")
            if declared.length is None:
                numbers[name] = _number(name, value, declared)
            else:
                arrays[name] = self._array(name, value, declared)
        return arrays, numbers

    def given(self, values: dict[str, Any]) -> tuple[list[Any], list[float]] | None:
        """Arrays and numbers of one call in the order of `names`; arrays are not looked at. None where a name is
        missing or unknown."""
        arrays, numbers, used = [], [], 0
        for name, declared in self.names.items():
            value = values.get(name)
            if value is not None:
                used += 1
            else:
                value = self._values.get(name)
                if value is None:
                    return None
            if declared.length is None:
                numbers.append(_number(name, value, declared))
            else:
                arrays.append(value)
        return (arrays, numbers) if used == len(values) else None

    @property
    def has_stores(self) -> bool:
        return bool(self._stored)

    def _array(self, name: str, value: Any, declared: Declared) -> Any:
        adapter = adapter_of(value)
        array = adapter.asarray(value)
        try:
            got = Declared(adapter.stage_type(array), _count_of(array))
        except TypeError as error:
            raise TypeError(f"{name}: {error}") from None
        if got != declared:
            raise ValueError(f"{name}: expected {declared}, got {got}")
        if name in self._stored and not adapter.is_writable(array):
            raise ValueError(f"{name}: expected a writable array, because a stage stores to it, got a read-only one")
        is_dense = array.is_contiguous() if hasattr(array, "is_contiguous") else array.flags.c_contiguous
        if is_dense:
            return array
        if name in self._stored:
            raise ValueError(f"{name}: expected a dense array in C order, because a stage stores to it")
        return adapter.contiguous(array)

    def stores(self, name: str) -> bool:
        return name in self._stored
