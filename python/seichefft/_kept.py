"""Plans of this package among those that `seichefft.config` counts, lists and lets go of."""

from __future__ import annotations

import atexit
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

from ._cache import Entry, plans

# The cache outlives the modules, and these plans are objects of classes of theirs.
atexit.register(plans.clear)


class _Kept(NamedTuple):
    """A plan as the cache lists it: with what it computes."""

    plan: Any
    problem: str


def kept(device: Any, key: Hashable, make: Callable[[], Any], problem: Callable[[Any], str]) -> Any:
    """The plan of that key on a device, made where there is none; `problem` says in words what it computes."""
    return kept_entry(device, key, make, problem).plan.plan  # type: ignore[attr-defined]


def kept_entry(device: Any, key: Hashable, make: Callable[[], Any], problem: Callable[[Any], str]) -> Entry:
    """The same as the cache has it, where `plan.plan` is the plan."""

    def entry() -> Any:
        plan = make()
        return _Kept(plan, problem(plan))

    return plans.entry(device, ("signal", key), entry)
