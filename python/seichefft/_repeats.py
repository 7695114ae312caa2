"""Calls of operators that are repeated: on arrays of the same signatures, with the same other arguments.

The first call checks its arguments, finds its plan and may keep what it found; the next one makes a key, looks it up
and runs. No array of a caller is kept. What is kept goes with its plan, out of the cache of `seichefft.config`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from ._arrays import Arrays, _by_type
from ._cache import DenseReady, Entry, plans

#: Types of arguments that are values: equal ones of one type lead to the same call.
_VALUES = frozenset((bool, float, int, str, type(None), np.float64, np.int64))


class _Recipe:
    """How a call is repeated: what runs, on which of the caller's arrays and the operator's own, with what numbers."""

    __slots__ = ("entry", "numbers", "prepare", "ready", "sources")

    def __init__(
        self, entry: Entry, ready: DenseReady, sources: tuple[Any, ...], prepare: Any, numbers: list[float]
    ) -> None:
        self.entry = entry
        self.ready = ready
        #: Places among the caller's arrays, or arrays of the operator's; None: what `prepare` gives comes here.
        self.sources = sources
        self.prepare = prepare
        self.numbers = numbers


class Repeat:
    """One call of an operator: by its name, its arrays, and its other arguments."""

    __slots__ = ("adapter", "arrays", "key", "prepare")

    def __init__(self, name: str, arrays: tuple[Any, ...], *values: Any) -> None:
        self.arrays = arrays
        #: From the caller's arrays behind the first one to those of the stages, where these are not the caller's.
        self.prepare: Callable[..., Sequence[Any]] | None = None
        self.adapter: Arrays | None = _by_type.get(type(arrays[0]))
        self.key: Hashable = None if self.adapter is None else _key(self.adapter, name, arrays, values)

    @classmethod
    def never(cls) -> Repeat:
        """One that remembers nothing."""
        return cls("", (None,))

    def shape_of_first(self) -> tuple[int, ...]:
        return tuple(getattr(self.arrays[0], "shape", ()))

    def again(self) -> Any:
        """The result, or None where the call is not remembered."""
        recipe: _Recipe | None = plans.calls.get(self.key)
        if recipe is None or self.adapter is None:
            return None
        given = self.arrays
        if recipe.prepare is not None:
            inputs = [given[0], *recipe.prepare(*given[1:])]
        else:
            inputs = [given[one] if type(one) is int else one for one in recipe.sources]
        recipe.entry.hits += 1
        return self.adapter.repeat_dense(recipe.ready, inputs, recipe.numbers)

    def keep(
        self,
        entry: Entry,
        ready: DenseReady | None,
        used: Sequence[Any],
        numbers: list[float],
        own: Sequence[Any] = (),
    ) -> None:
        """Remembers the call, which ran on the arrays `used`, if each of them is one of the caller's as it lies, or one
        of the operator's `own`, or what `prepare` gives."""
        if self.key is None or self.adapter is None or ready is None:
            return
        sources = [_source(self.adapter, one, self.arrays, own) for one in used]
        addresses = [self.adapter.address(one) for one in self.arrays]
        is_twice = len(set(addresses)) < len(addresses)
        if is_twice and any(type(one) is int for one in sources[1:]):  # which of them is used is not to be told
            return
        is_prepared = any(one is None for one in sources)
        if sources[0] is None or (is_prepared and self.prepare is None):
            return
        prepare = self.prepare if is_prepared else None
        plans.keep_call(self.key, _Recipe(entry, ready, tuple(sources), prepare, numbers))


def _source(adapter: Arrays, used: Any, given: Sequence[Any], own: Sequence[Any]) -> Any:
    for one in own:
        if one is used:
            return one
    for place, one in enumerate(given):
        if one is used or (_count(one) == _count(used) and _is_same_memory(adapter, one, used)):
            return place
    return None


def _count(x: Any) -> int:
    count = 1
    for length in x.shape:
        count *= int(length)
    return count


def _is_same_memory(adapter: Arrays, given: Any, used: Any) -> bool:
    """Whether both are one array in C order, of whatever shapes."""
    try:
        one, other = adapter.memory(given), adapter.memory(used)
    except KeyError:  # elements that were converted
        return False
    if one.element != other.element or adapter.address(given) != adapter.address(used):
        return False
    return _is_dense(one.shape, one.strides) and _is_dense(other.shape, other.strides)


def _is_dense(shape: Sequence[int], strides: Sequence[int] | None) -> bool:
    step = 1
    for count, stride in zip(reversed(shape), reversed(strides or (0,) * len(shape))):
        if count > 1 and stride != step:
            return False
        step *= count
    return True


def _key(adapter: Arrays, name: str, arrays: tuple[Any, ...], values: tuple[Any, ...]) -> Hashable | None:
    parts: list[Any] = [name]
    for one in arrays:
        signature = adapter.signature(one) if _by_type.get(type(one)) is adapter else None
        if signature is None:
            return None
        parts.append(signature)
    for value in values:
        kind = type(value)
        if kind is tuple or kind is list:
            kinds = tuple(map(type, value))
            if not _VALUES.issuperset(kinds):
                return None
            parts += (kinds, tuple(value))
        elif kind in _VALUES or kind is bytes:
            parts += (kind, value)
        else:
            return None
    return tuple(parts)
