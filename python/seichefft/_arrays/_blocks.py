"""Memory of the host for workspaces, kept from one call for the next.

The system clears each page that a program touches first, which takes longer than many a transform.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

__all__ = ["clear", "take_block"]

#: Bytes that are kept at most, of all threads together.
_MOST_BYTES = 256 << 20
_lock = threading.Lock()
_free: list[Any] = []  # the last one used is the last


class Block:
    """Bytes, which are for others again when nobody holds the block."""

    __slots__ = ("memory",)

    def __init__(self, memory: Any) -> None:
        self.memory = memory

    def __del__(self) -> None:
        # A collection of garbage may come while this thread has the lock; then the memory is let go of.
        if _lock is None or self.memory.nbytes > _MOST_BYTES or not _lock.acquire(blocking=False):
            return
        try:
            _free.append(self.memory)
            while sum(one.nbytes for one in _free) > _MOST_BYTES:
                del _free[0]
        finally:
            _lock.release()


def take_block(count: int) -> Block:
    """At least so many bytes, of unknown values. Much more than was asked for is left for others."""
    with _lock:
        for place in range(len(_free) - 1, -1, -1):
            if count <= _free[place].nbytes <= 2 * count + 4096:
                return Block(_free.pop(place))
    return Block(np.empty(count, np.uint8))


def clear() -> None:
    """Lets go of what is kept."""
    with _lock:
        _free.clear()
