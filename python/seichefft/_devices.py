"""Devices: which there are, and which one an array of the host is transformed on."""

from __future__ import annotations

import contextvars
import os
import threading
from typing import Any

from . import _checks, _native

_lock = threading.Lock()
_opened: dict[str, _native.Device] = {}
_process_default: str | None = None
_chosen: contextvars.ContextVar[Device | None] = contextvars.ContextVar("seichefft.device", default=None)


def _renew_lock() -> None:
    """A child of fork may have been made while another thread held the lock."""
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)


def open_native(name: str) -> _native.Device:
    """The device of that name, opened once for the process."""
    device = _opened.get(name)
    if device is None:
        with _lock:
            device = _opened.get(name)
            if device is None:
                device = _native.Device.open(name)
                # Under both names, so that "cpu" and "cpu:0" share their plans.
                device = _opened.setdefault(device.info.name, device)
                _opened[name] = device
    return device


class Device:
    """A device that transforms: the processor, a GPU through one of its interfaces, or the interpreter.

    Opening one takes its driver; importing seichefft opens none. As a context manager it is the device
    for arrays of the host inside the ``with`` block, of this thread or task.

    Parameters
    ----------
    name : str, optional
        ``'cpu'``, ``'cuda:0'``, ``'hip:0'``, ``'vulkan:0'``, ``'opencl:pocl'`` (a part of its name),
        ``'reference'`` ... Default: the variable ``SEICHE_DEVICE``, else the first GPU, else the processor.

    Raises
    ------
    seichefft.Unsupported
        If there is no such device; the message says what would mend that.

    Examples
    --------
    >>> import seichefft
    >>> seichefft.Device("reference").name
    'reference'
    >>> with seichefft.Device("reference"):
    ...     seichefft.fft.fft([1.0, 0.0]).real.tolist()
    [1.0, 1.0]
    """

    def __init__(self, name: str = "") -> None:
        self._native = open_native(_checks.word("name", name))
        self._tokens: list[contextvars.Token[Device | None]] = []

    @classmethod
    def of(cls, x: Any) -> Device:
        """The device that transforms an array: of an array on a card its own, in its library's context.

        Parameters
        ----------
        x : array
            Of any library that `seichefft.fft` takes.

        Returns
        -------
        Device
            For `Plan(..., device=...)`, say, to run on such arrays.

        Raises
        ------
        TypeError, ValueError
            If it is no array, or one that says not where it lies.

        Examples
        --------
        >>> import numpy as np, seichefft
        >>> seichefft.Device.of(np.zeros(4)).name
        'cpu:0'
        """
        from ._arrays import adapter_of

        adapter = adapter_of(x)
        return cls._of(adapter.device(adapter.asarray(x)))

    @classmethod
    def _of(cls, native: _native.Device) -> Device:
        device = cls.__new__(cls)
        device._native = native
        device._tokens = []
        return device

    @property
    def name(self) -> str:
        """What opens it again, such as ``'cuda:0'``."""
        return self._native.info.name

    @property
    def description(self) -> str:
        """The driver's own name for it."""
        return self._native.info.description

    @property
    def backend(self) -> str:
        """The interface: ``'cpu'``, ``'cuda'``, ``'hip'``, ``'level_zero'``, ``'vulkan'``, ``'opencl'`` ..."""
        return self._native.backend

    @property
    def is_gpu(self) -> bool:
        return self._native.info.is_gpu

    @property
    def driver(self) -> str:
        """Versions of driver and compiler."""
        return self._native.info.driver

    @property
    def limits(self) -> dict[str, Any]:
        """What planning knows of it, by name."""
        return self._native.info.limits

    def __enter__(self) -> Device:
        self._tokens.append(_chosen.set(self))
        return self

    def __exit__(self, *_: object) -> None:
        _chosen.reset(self._tokens.pop())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and self._native is other._native

    def __hash__(self) -> int:
        return hash(id(self._native))

    def __copy__(self) -> Device:
        return self

    def __deepcopy__(self, _: Any) -> Device:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """By its name, which opens it in another process."""
        if _opened.get(self.name) is not self._native:
            raise TypeError(
                f"Device: expected one that was opened by name to pickle, got one of an array's on {self.name}"
            )
        return Device, (self.name,)

    def __repr__(self) -> str:
        return f"<seichefft.Device {self.name}: {self.description}>"


def devices() -> list[_native.DeviceInfo]:
    """Every device of every interface, then those that are not there, and why.

    Returns
    -------
    list
        Each has ``name``, ``description``, ``available``, ``is_gpu``, ``backend``, ``driver``, ``problem``,
        ``remedy`` and ``limits``.

    Examples
    --------
    >>> import seichefft
    >>> "reference" in [device.name for device in seichefft.devices() if device.available]
    True
    """
    return _native.devices()


def set_default(name: str | None) -> None:
    """The device of the process for arrays of the host where no ``with`` block says otherwise."""
    global _process_default
    if name is not None:
        open_native(_checks.word("name", name))
    _process_default = name


def default_name() -> str:
    """Of the device for arrays of the host: config's, SEICHE_DEVICE, the processor, what Seiche opens by itself."""
    global _process_default
    if _process_default is None:
        name = os.environ.get("SEICHE_DEVICE", "")
        if not name:
            try:
                name = open_native("cpu").info.name
            except _native.Error:
                name = open_native("").info.name
        _process_default = name
    return _process_default


def host_device() -> _native.Device:
    """The device on which an array of the host is transformed now."""
    chosen = _chosen.get()
    if chosen is not None:
        return chosen._native
    return open_native(_process_default or default_name())


def native_of(device: Device | str | None) -> _native.Device:
    """Of a `device` argument: a Device, its name, or None for the host's."""
    if device is None:
        return host_device()
    if isinstance(device, Device):
        return device._native
    if isinstance(device, str):
        return open_native(device)
    raise TypeError(f"device: expected a seichefft.Device, its name or None, got {type(device).__name__}")
