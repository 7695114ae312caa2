"""Ranks: threads of this process, or processes of MPI, and how bytes go between their devices."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable, Sequence
from typing import Any

from .. import _checks, _distributed
from .._devices import Device, native_of
from .._distributed import AbsentRank, Communicator


def _milliseconds(time_limit: float) -> int:
    seconds = _checks.number("time_limit", time_limit)
    if not 0 < seconds <= 10**9:
        raise ValueError(f"time_limit: expected seconds above 0, got {seconds:g}")
    return max(1, round(seconds * 1000))


def thread_ranks(count: int, *, time_limit: float = 60.0, transport: str = "automatic") -> list[Communicator]:
    """Ranks that are threads of this process: give one to each thread.

    Parameters
    ----------
    count : int
    time_limit : float, optional
        Seconds that a call waits for the other ranks.
    transport : {'automatic', 'host', 'peer'}, optional
        How bytes go: by peer copies where all ranks' devices are CUDA's, else through the host's memory; or as said.

    Returns
    -------
    list of Communicator
        By rank. When one goes, the other ranks' calls raise `AbsentRank` at once.
    """
    number = _checks.integer("count", count, 1, 65536)
    return _distributed.thread_ranks(number, _milliseconds(time_limit), _checks.word("transport", transport))


def run_threads(
    function: Callable[[Communicator, Device], Any],
    devices: Sequence[Device | str],
    *,
    time_limit: float = 60.0,
    transport: str = "automatic",
) -> list[Any]:
    """Calls a function in a thread for each device, each of which is a rank.

    Parameters
    ----------
    function : callable
        Called with the rank's communicator and its device.
    devices : sequence of Device or str
        By rank, such as ``[f"cuda:{card}" for card in range(8)]``. One may be there several times.
    time_limit, transport : optional
        As `thread_ranks` has them.

    Returns
    -------
    list
        What the function returned, by rank.

    Raises
    ------
    Exception
        What the function raised on the first rank where that was not `AbsentRank`.

    Examples
    --------
    >>> import seichefft.distributed as several
    >>> several.run_threads(lambda ranks, device: (ranks.rank, ranks.size), ["reference", "reference"])
    [(0, 2), (1, 2)]
    """
    opened = [device if isinstance(device, Device) else Device(device) for device in devices]
    ranks = dict(enumerate(thread_ranks(len(opened), time_limit=time_limit, transport=transport)))
    results: list[Any] = [None] * len(opened)
    errors: dict[int, BaseException] = {}

    def run(rank: int) -> None:
        try:
            results[rank] = function(ranks.pop(rank), opened[rank])
        except BaseException as error:
            # What the frames hold of this rank goes, so that the others need not wait for it.
            traceback.clear_frames(error.__traceback__)
            errors[rank] = error

    threads = [threading.Thread(target=run, args=(rank,)) for rank in range(len(opened))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise min(errors.items(), key=lambda item: (isinstance(item[1], AbsentRank), item[0]))[1]
    return results


def mpi_ranks(comm: Any = None, *, time_limit: float = 60.0, reads_device_memory: bool = False) -> Communicator:
    """The processes of a communicator of mpi4py's, all of which call this: it makes a duplicate.

    Bytes go by the same MPI that mpi4py has loaded: MPICH and those with its ABI, Open MPI, or one with the standard
    ABI of MPI 5.0.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm, optional
        Default: ``MPI.COMM_WORLD``.
    time_limit : float, optional
        Seconds that the others of a call may take to come, and bytes to arrive.
    reads_device_memory : bool, optional
        MPI reads and writes memory of CUDA and HIP. Nothing finds out whether that is so: with an MPI that cannot, the
        process ends in a fault.

    Returns
    -------
    Communicator

    Raises
    ------
    ImportError
        Where there is no mpi4py.
    """
    from mpi4py import MPI

    comm = MPI.COMM_WORLD if comm is None else comm
    if not isinstance(comm, MPI.Comm):
        raise TypeError(f"comm: expected a communicator of mpi4py's, got {type(comm).__name__}")
    if comm == MPI.COMM_NULL:
        raise ValueError("comm: expected a communicator, got MPI.COMM_NULL")
    abi = getattr(MPI, "Get_abi_version", lambda: (-1, -1))()
    return _distributed.mpi_ranks(
        MPI.__file__, MPI._addressof(comm), MPI._sizeof(comm), abi[0] > 0, _milliseconds(time_limit),
        bool(reads_device_memory),
    )  # fmt: skip


def nccl_ranks(ranks: Communicator, device: Device | str | None = None, *, library: str = "") -> Communicator:
    """The same ranks, each with a card of CUDA's of its own, whose exchanges are NCCL's. All ranks call this.

    Parameters
    ----------
    ranks : Communicator
    device : Device or str, optional
        This rank's. Default: the one for arrays of the host.
    library : str, optional
        Default: ``'libnccl.so.2'``, wherever the system's loader finds it.

    Returns
    -------
    Communicator

    Raises
    ------
    seichefft.Unsupported
        Where there is no NCCL, or the device is not CUDA's.
    """
    return _distributed.nccl_ranks(ranks, native_of(device), _checks.word("library", library))


def ipc_ranks(ranks: Communicator, device: Device | str | None = None) -> Communicator:
    """The same ranks, processes of one machine, which copy from each other's device memory. All ranks call this.

    Arrays that are sent from must come from cudaMalloc and outlive the communicators of all ranks.

    Parameters
    ----------
    ranks : Communicator
    device : Device or str, optional
        This rank's. Default: the one for arrays of the host.

    Returns
    -------
    Communicator

    Raises
    ------
    seichefft.Unsupported
        Where the device has no such memory.
    """
    result = _distributed.ipc_ranks(ranks, native_of(device))
    vars(result)["kept"] = []  # others may have memory of plans open for as long as the communicator lives
    return result
