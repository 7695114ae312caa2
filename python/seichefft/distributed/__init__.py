"""One transform of an array that several ranks hold together: threads with a device each, or processes of MPI.

Every rank makes the same calls in the same order, and holds one box of the array that is read and one of the array that
is written. `DistributedPlan` transforms, `Redistribution` moves an array to other boxes. `slab`, `pencils`, `bricks`
and `grid` make boxes; `run_threads` and `mpi_ranks` make ranks. The module is part of builds for Linux with
``SEICHE_BUILD_DISTRIBUTED``.
"""

from __future__ import annotations

try:
    from .._distributed import AbsentRank, Box, Communicator
except ModuleNotFoundError as error:
    if error.name != "seichefft._distributed":
        raise
    raise ImportError(
        "seichefft.distributed: expected a build for Linux with -DSEICHE_BUILD_DISTRIBUTED=ON, got one without"
    ) from None
from ._boxes import bricks, grid, half_shape, pencils, slab
from ._plans import DistributedPlan, Redistribution
from ._ranks import ipc_ranks, mpi_ranks, nccl_ranks, run_threads, thread_ranks

__all__ = [
    "AbsentRank",
    "Box",
    "Communicator",
    "DistributedPlan",
    "Redistribution",
    "bricks",
    "grid",
    "half_shape",
    "ipc_ranks",
    "mpi_ranks",
    "nccl_ranks",
    "pencils",
    "run_threads",
    "slab",
    "thread_ranks",
]
