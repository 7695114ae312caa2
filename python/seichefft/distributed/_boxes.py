"""Boxes: which part of an array each rank holds."""

from __future__ import annotations

from collections.abc import Sequence

from .. import _checks, _distributed
from .._distributed import Box

_MOST_RANKS = 65536


def _axes(axes: Sequence[int], count: int) -> list[int]:
    numbers = _checks.integers("axes", axes, -64, 63)
    if len(numbers) != count:
        raise ValueError(f"axes: expected {count}, got {len(numbers)}")
    return numbers


def slab(shape: Sequence[int], axis: int, ranks: int) -> list[Box]:
    """Cuts an array along one axis into a slab for each rank.

    Of n elements in p parts, the first n mod p parts have one more than the others.

    Parameters
    ----------
    shape : sequence of int
    axis : int
    ranks : int

    Returns
    -------
    list of Box
        By rank.

    Examples
    --------
    >>> from seichefft.distributed import slab
    >>> [box.shape for box in slab((8, 5), 1, 3)]
    [(8, 2), (8, 2), (8, 1)]
    """
    axis = _checks.integer("axis", axis, -64, 63)
    return _distributed.slab(_checks.integers("shape", shape), axis, _checks.integer("ranks", ranks, 1, _MOST_RANKS))


def pencils(shape: Sequence[int], axes: Sequence[int], p: int, q: int) -> list[Box]:
    """Cuts an array along two axes into p x q pencils: of rank r, part r // q of the first and r % q of the second.

    Parameters
    ----------
    shape : sequence of int
    axes : (int, int)
    p, q : int

    Returns
    -------
    list of Box
        By rank.

    Examples
    --------
    >>> from seichefft.distributed import pencils
    >>> pencils((8, 8, 8), (0, 1), 2, 2)[3].slices
    (slice(4, 8, None), slice(4, 8, None), slice(0, 8, None))
    """
    parts = [_checks.integer(name, value, 1, _MOST_RANKS) for name, value in (("p", p), ("q", q))]
    return _distributed.pencils(_checks.integers("shape", shape), _axes(axes, 2), *parts)


def bricks(shape: Sequence[int], axes: Sequence[int], p: int, q: int, r: int) -> list[Box]:
    """Cuts an array along three axes into p x q x r bricks, the last part fastest.

    Parameters
    ----------
    shape : sequence of int
    axes : (int, int, int)
    p, q, r : int

    Returns
    -------
    list of Box
        By rank.
    """
    parts = [_checks.integer(name, value, 1, _MOST_RANKS) for name, value in (("p", p), ("q", q), ("r", r))]
    return _distributed.bricks(_checks.integers("shape", shape), _axes(axes, 3), *parts)


def grid(shape: Sequence[int], parts: Sequence[int]) -> list[Box]:
    """Cuts an array into ``parts[a]`` parts along each axis a, for ranks in row-major order.

    Parameters
    ----------
    shape, parts : sequence of int

    Returns
    -------
    list of Box
        By rank.
    """
    return _distributed.grid(_checks.integers("shape", shape), _checks.integers("parts", parts, 1, _MOST_RANKS))


def half_shape(shape: Sequence[int], axis: int = -1) -> tuple[int, ...]:
    """The shape of the spectrum of a real array, which has n // 2 + 1 elements along the halved axis.

    Parameters
    ----------
    shape : sequence of int
        Of the real array.
    axis : int, optional
        The halved axis. Default: the last.

    Returns
    -------
    tuple of int

    Examples
    --------
    >>> from seichefft.distributed import half_shape
    >>> half_shape((4, 6, 8))
    (4, 6, 5)
    """
    lengths = _checks.integers("shape", shape)
    axis = _checks.integer("axis", axis, -len(lengths), len(lengths) - 1)
    lengths[axis] = lengths[axis] // 2 + 1
    return tuple(lengths)
