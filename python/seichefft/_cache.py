"""The plans that the functions keep: for each device the ones used lately, and the calls that were made of them."""

from __future__ import annotations

import copy
import os
import threading
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

from . import _native


class CacheInfo(NamedTuple):
    """What the cache of one device, or of all, holds and has done."""

    hits: int
    misses: int
    plans: int
    max_plans: int


class Entry:
    """A plan that is kept. Whoever uses it counts a hit, which gives it a second chance when room is made."""

    __slots__ = ("calls", "hits", "is_kept", "plan", "seen")

    def __init__(self, plan: _native.Plan) -> None:
        self.plan = plan
        self.hits = 0
        self.seen = 0
        self.is_kept = False
        self.calls: list[Hashable] = []


class Ready:
    """A call by a function's arguments: what runs it, and the result's shape and type."""

    __slots__ = ("call", "dtype", "entry", "extra", "host", "note", "padded", "shape")

    def __init__(
        self,
        call: _native.Call,
        entry: Entry,
        shape: tuple[int, ...],
        dtype: Any,
        extra: Any = None,
        padded: tuple[int, ...] | None = None,
    ) -> None:
        self.call = call
        self.host = call.host
        self.entry = entry
        self.shape = shape
        self.dtype = dtype
        #: The type that an array is converted to first, and the shape that it is padded to then, or None.
        self.extra = extra
        self.padded = padded
        #: What an adapter works out at the first repetition.
        self.note: Any = None


class DenseReady:
    """A call of a plan of dense arrays: what runs it, and the shapes and types of what it gives."""

    __slots__ = ("alignment", "dtype", "run", "shape", "sums_dtype", "sums_shape", "workspace_bytes")

    def __init__(self, call: Any, alignment: int, target: Any, sums: Any = None) -> None:
        self.run: Callable[..., None] = call.run
        self.workspace_bytes: int = call.workspace_bytes
        #: Of every address on the host.
        self.alignment = alignment
        self.shape, self.dtype = tuple(target.shape), target.dtype
        self.sums_shape = None if sums is None else tuple(sums.shape)
        self.sums_dtype = None if sums is None else sums.dtype

    def reshaped(self, shape: tuple[int, ...], sums_shape: tuple[int, ...] | None = None) -> DenseReady:
        """The same with results of other shapes."""
        other = copy.copy(self)
        other.shape, other.sums_shape = shape, sums_shape
        return other


class PlanCache:
    """Plans by device and problem. Threads may use it at once; reading a call takes no lock."""

    def __init__(self, max_plans: int = 128) -> None:
        self._lock = threading.Lock()
        self._devices: dict[_native.Device, dict[Hashable, Entry]] = {}
        self._max_plans = max_plans
        self._hits = 0
        self._misses = 0
        self.calls: dict[Hashable, Any] = {}
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._renew_lock)

    def _renew_lock(self) -> None:
        self._lock = threading.Lock()

    def entry(self, device: _native.Device, key: Hashable, make: Callable[[], _native.Plan]) -> Entry:
        """The plan of that key on the device; `make` is called, without the lock, where there is none."""
        with self._lock:
            entry = self._devices.setdefault(device, {}).get(key)
            if entry is not None:
                entry.hits += 1
                return entry
            self._misses += 1
        made = Entry(make())
        with self._lock:
            plans = self._devices.setdefault(device, {})
            entry = plans.setdefault(key, made)
            if entry is made:
                entry.is_kept = True
                self._make_room(plans)
            return entry

    def keep_call(self, key: Hashable, ready: Any) -> None:
        """Remembers a call as long as its plan is kept; of one plan, so many that a program may well use."""
        with self._lock:
            if ready.entry.is_kept and len(ready.entry.calls) < 64:
                ready.entry.calls.append(key)
                self.calls[key] = ready

    def _make_room(self, plans: dict[Hashable, Entry]) -> None:
        """Lets go of the oldest plans, but of one that was used since it was last looked at only the second time."""
        spared = len(plans)
        while len(plans) > self._max_plans:
            key = next(iter(plans))
            entry = plans.pop(key)
            if entry.hits != entry.seen and spared > 0:
                spared -= 1
                entry.seen = entry.hits
                plans[key] = entry
            else:
                self._forget(entry)

    def _forget(self, entry: Entry) -> None:
        self._hits += entry.hits
        entry.is_kept = False
        for key in entry.calls:
            self.calls.pop(key, None)
        entry.calls.clear()

    def _kept(self, device: _native.Device | None) -> list[tuple[_native.Device, Entry]]:
        return [
            (one, entry)
            for one, plans in self._devices.items()
            if device is None or one is device
            for entry in plans.values()
        ]

    def clear(self) -> None:
        with self._lock:
            for _, entry in self._kept(None):
                self._forget(entry)
            self._devices.clear()
            self.calls.clear()
            self._hits = self._misses = 0

    def forget_device(self, device: _native.Device) -> None:
        """Lets go of the plans of a device that is not used any more."""
        with self._lock:
            for entry in self._devices.pop(device, {}).values():
                self._forget(entry)

    def resize(self, max_plans: int) -> None:
        with self._lock:
            self._max_plans = max_plans
            for plans in self._devices.values():
                for entry in plans.values():
                    entry.seen = entry.hits
                self._make_room(plans)

    def max_plans(self) -> int:
        return self._max_plans

    def info(self, device: _native.Device | None = None) -> CacheInfo:
        with self._lock:
            kept = self._kept(device)
            hits = self._hits + sum(entry.hits for _, entry in kept)
            return CacheInfo(hits, self._misses, len(kept), self._max_plans)

    def problems(self, device: _native.Device | None = None) -> list[tuple[str, str]]:
        """(device, problem) of every plan that is kept, the oldest first."""
        with self._lock:
            kept = self._kept(device)
        return [(one.info.name, str(entry.plan.problem)) for one, entry in kept]


plans = PlanCache()
