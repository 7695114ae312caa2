"""Arguments on their way to the library: of the right type and range, or an error of one line that names them."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

#: The integers that the library counts with.
LEAST, MOST = -(2**63), 2**63 - 1


def _power(number: int) -> str:
    return {LEAST: "-2^63", MOST: "2^63 - 1"}.get(number, str(number))


def integer(what: str, value: Any, least: int = 0, most: int = MOST) -> int:
    """`value` as an int; raises TypeError for what is none, ValueError for one out of range."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what}: expected an integer, got {_shown(value)}") from None
    if number < least and most == MOST:
        raise ValueError(f"{what}: expected {_power(least)} or more, got {number}")
    if not least <= number <= most:
        raise ValueError(f"{what}: expected {_power(least)} to {_power(most)}, got {number}")
    return number


def is_integer(value: Any) -> bool:
    """Whether it is one, and no sequence of such: NumPy's arrays of no dimension are."""
    try:
        operator.index(value)
    except TypeError:
        return False
    return True


def integers(what: str, values: Any, least: int = 0, most: int = MOST) -> list[int]:
    """The same of each of a sequence."""
    return [integer(f"{what}[{place}]", value, least, most) for place, value in enumerate(sequence(what, values))]


def sequence(what: str, values: Any) -> list[Any]:
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise TypeError(f"{what}: expected a sequence, got {_shown(values)}")
    return list(values)


def number(what: str, value: Any) -> float:
    """`value` as a float; raises TypeError for what is no real number, ValueError beyond a double's range."""
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{what}: expected a number, got {_shown(value)}")
    try:
        return float(value)
    except TypeError:
        raise TypeError(f"{what}: expected a real number, got {_shown(value)}") from None
    except OverflowError:
        raise ValueError(f"{what}: expected a number in the range of a double, got one beyond it") from None


def word(what: str, value: Any, *words: str) -> str:
    """`value`, if it is one of the words; of no words, any text."""
    if not isinstance(value, str):
        raise TypeError(f"{what}: expected text, got {_shown(value)}")
    if words and value not in words:
        raise ValueError(f"{what}: expected {', '.join(map(repr, words[:-1]))} or {words[-1]!r}, got {value!r}")
    return value


def content(what: str, data: Any) -> bytes:
    """The bytes of anything that is made of bytes."""
    try:
        return bytes(memoryview(data))
    except TypeError:
        raise TypeError(f"{what}: expected bytes, got {_shown(data)}") from None


def _shown(value: Any) -> str:
    return repr(value) if isinstance(value, (bool, int, float, complex)) or value is None else type(value).__name__
