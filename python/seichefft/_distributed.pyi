"""The library behind seichefft.distributed."""

from collections.abc import Sequence

import seichefft._native
class AbsentRank(seichefft._native.Error):
    """A rank did not take part in time, or ended; `rank` is its number."""

    rank: int



class Box:
    """
    The elements `lower` to `upper` - 1 along each axis: a rank's part of an array.
    """

    def __init__(self, lower: Sequence[int], upper: Sequence[int]) -> None: ...

    @property
    def lower(self) -> tuple: ...

    @property
    def upper(self) -> tuple: ...

    @property
    def shape(self) -> tuple: ...

    @property
    def slices(self) -> tuple:
        """What indexes the whole array for this part of it."""

    def __eq__(self, arg: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

def grid(lengths: Sequence[int], parts: Sequence[int]) -> list[Box]: ...

def slab(lengths: Sequence[int], axis: int, ranks: int) -> list[Box]: ...

def pencils(lengths: Sequence[int], axes: Sequence[int], p: int, q: int) -> list[Box]: ...

def bricks(lengths: Sequence[int], axes: Sequence[int], p: int, q: int, r: int) -> list[Box]: ...

class Communicator:
    """One rank's end of a group of ranks; one thread uses it at a time."""

    @property
    def rank(self) -> int: ...

    @property
    def size(self) -> int: ...

    def barrier(self) -> None:
        """Returns when all ranks have called it."""

    def split(self, color: int, key: int = 0) -> Communicator | None:
        """
        The ranks that give the same color, in the order of their keys; None for a color below 0.
        """

    @property
    def transport(self) -> str:
        """
        How bytes went in the last exchange: 'peer copies', "the host's memory"; '' before the first.
        """

def thread_ranks(count: int, milliseconds: int, transport: str) -> list[Communicator]: ...

def mpi_ranks(library: str, handle: int, handle_bytes: int, is_standard: bool, milliseconds: int, reads_device_memory: bool) -> Communicator: ...

def nccl_ranks(ranks: Communicator, device: seichefft._native.Device, library: str) -> Communicator: ...

def ipc_ranks(ranks: Communicator, device: seichefft._native.Device) -> Communicator: ...

class Plan:
    """One rank's part of a transform in one direction."""

    @staticmethod
    def make(device: seichefft._native.Device, problem: seichefft._native.Problem, input: Sequence[Box], output: Sequence[Box], ranks: Communicator, is_forward: bool, decomposition: str, pieces: int | None, fabric: str | None) -> Plan: ...

    def execute(self, queue: seichefft._native.Queue, input: seichefft._native.View | None, output: seichefft._native.View | None, workspace: seichefft._native.View | None) -> None: ...

    @property
    def input_bytes(self) -> int: ...

    @property
    def output_bytes(self) -> int: ...

    @property
    def workspace_bytes(self) -> int: ...

    def spectrum_index(self, axis: int, position: int) -> int: ...

    @property
    def exchanges(self) -> int: ...

    @property
    def bytes_sent(self) -> int: ...

    @property
    def bytes_copied(self) -> int: ...

    def describe(self) -> str: ...

class Redistribution:
    """One rank's part of a move from boxes to others."""

    @staticmethod
    def make(device: seichefft._native.Device, precision: str, is_complex: bool, lengths: Sequence[int], source: Sequence[Box], target: Sequence[Box], ranks: Communicator, batch: int) -> Redistribution: ...

    def execute(self, queue: seichefft._native.Queue, input: seichefft._native.View | None, output: seichefft._native.View | None, workspace: seichefft._native.View | None) -> None: ...

    @property
    def input_bytes(self) -> int: ...

    @property
    def output_bytes(self) -> int: ...

    @property
    def workspace_bytes(self) -> int: ...

    @property
    def bytes_sent(self) -> int: ...
