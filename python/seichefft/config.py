"""What the functions of seichefft keep and where they run, for the whole process.

``device()`` and ``set_device`` are about arrays of the host; an array on a device is transformed there.
"""

from __future__ import annotations

from . import _checks, _native
from ._arrays import _blocks
from ._cache import CacheInfo, plans
from ._devices import Device, default_name, native_of, set_default

__all__ = [
    "CacheInfo",
    "clear_plan_cache",
    "device",
    "max_plans",
    "plan_cache_info",
    "plan_cache_problems",
    "set_device",
    "set_max_plans",
    "set_threads",
]


def device() -> Device:
    """The device for arrays of the host where no ``with Device(...)`` block says otherwise.

    It is the one that `set_device` set, else the variable ``SEICHE_DEVICE``'s, else the processor, else what
    Seiche opens by itself.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.config.device().name
    'cpu:0'
    """
    return Device(default_name())


def set_device(name: str | None) -> None:
    """Set the device for arrays of the host.

    Parameters
    ----------
    name : str or None
        As for `seichefft.Device`; None: as at the start.

    Raises
    ------
    seichefft.Unsupported
        If there is no such device.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.config.set_device("cpu")
    """
    set_default(name)


def set_threads(threads: int) -> None:
    """Set how many threads one transform on the processor may have, in the whole process.

    Parameters
    ----------
    threads : int
        1 to 1024; 0: as many as at the start (``SEICHE_CPU_THREADS``, or those that the process may use).

    Raises
    ------
    ValueError
        For another number.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.config.set_threads(0)
    """
    _native.set_cpu_threads(_checks.integer("threads", threads, 0, 1024))


def max_plans() -> int:
    """How many plans the functions keep on each device.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.config.max_plans()
    128
    """
    return plans.max_plans()


def set_max_plans(count: int) -> None:
    """Set how many plans the functions keep on each device; the plans beyond that are let go of.

    Parameters
    ----------
    count : int
        0 or more.

    Raises
    ------
    ValueError
        For a negative count.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.config.set_max_plans(128)
    """
    plans.resize(_checks.integer("count", count))


def plan_cache_info(device: Device | str | None = None) -> CacheInfo:
    """What the cache of plans holds.

    Parameters
    ----------
    device : Device or str, optional
        Of this device alone. Default: of all.

    Returns
    -------
    CacheInfo
        ``hits`` and ``misses`` of the process, ``plans`` held, ``max_plans`` of each device.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.config.clear_plan_cache()
    >>> _ = seichefft.fft.fft([1.0, 2.0])
    >>> seichefft.config.plan_cache_info().plans
    1
    """
    return plans.info(None if device is None else native_of(device))


def plan_cache_problems(device: Device | str | None = None) -> list[tuple[str, str]]:
    """The name of the device and the problem of every plan that is kept, the oldest first.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.config.clear_plan_cache()
    >>> _ = seichefft.fft.fft([1.0, 2.0])
    >>> seichefft.config.plan_cache_problems()
    [('cpu:0', '2 c2c f64')]
    """
    return plans.problems(None if device is None else native_of(device))


def clear_plan_cache() -> None:
    """Let go of every plan that the functions keep, and of the memory that calls on the processor work in.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.config.clear_plan_cache()
    >>> seichefft.config.plan_cache_info().plans
    0
    """
    plans.clear()
    _blocks.clear()
