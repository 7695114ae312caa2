"""What an adapter of an array library does. The engine calls these methods and knows nothing else of arrays.

An adapter is one object without state, `adapter` of its file. Shapes are tuples; strides are in elements of the
array, not in bytes; a precision is the library's word (``'f32'``, ``'f64'``, ``'f64x2'``) and a storage too
(``'same'``, ``'f16'``, ``'bf16'``).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple, Protocol

from .. import _native
from .._cache import DenseReady, Ready


class Element(NamedTuple):
    """What the elements of an array are: the arithmetic they ask for, how they are stored, whether complex."""

    precision: str
    storage: str
    is_complex: bool

    def __str__(self) -> str:
        stored = "" if self.storage == "same" else f" stored as {self.storage}"
        return f"{'complex' if self.is_complex else 'real'} {self.precision}{stored}"


def elements_before(shape: tuple[int, ...], strides: tuple[int, ...]) -> int:
    """How many elements lie before the first one of an array, by its strides below 0."""
    return sum(-stride * (count - 1) for count, stride in zip(shape, strides) if stride < 0 and count > 1)


class Memory(NamedTuple):
    """An array as the library takes it, from its first element on; strides below 0 lead to elements before that.
    Strides are None where it has to be copied first."""

    shape: tuple[int, ...]
    strides: tuple[int, ...] | None
    element: Element


class Arrays(Protocol):
    """One array library."""

    #: For messages.
    name: str

    def signature(self, x: Any) -> Hashable | None:
        """All that decides how an array is transformed but its address: shape, strides, type, device. Equal signatures
        have equal plans. None: such an array is not remembered."""

    def numbers_signature(self, x: Any) -> Hashable | None:
        """The same where the numbers alone are wanted, whatever graph the array's library records of them."""

    def asarray(self, x: Any) -> Any:
        """`x` as an array of the library; raises TypeError for what is none."""

    def convert(self, x: Any, domain: str) -> Any:
        """In a type that is transformed, a copy where that is another. `domain` is ``'complex'``, ``'real'`` (a complex
        array is a TypeError) or ``'number'`` (either)."""

    def memory(self, x: Any) -> Memory:
        """Of an array that `convert` gave."""

    def resized(self, x: Any, shape: tuple[int, ...]) -> Any:
        """Cropped to `shape` as a view, or padded with zeros in a copy, each axis by itself."""

    def contiguous(self, x: Any) -> Any:
        """A dense copy in C order."""

    def empty(self, shape: tuple[int, ...], element: Element, like: Any) -> Any:
        """A dense new array in C order, on the device of `like`."""

    def result(self, shape: tuple[int, ...], element: Element, x: Any) -> Any:
        """A new array for the result of a transform of `x`; in Fortran's order if `x` is and its library keeps that."""

    def zeros(self, shape: tuple[int, ...], element: Element, like: Any) -> Any:
        """The same, of zeros."""

    def is_writable(self, x: Any) -> bool:
        """Whether a result may be written into `x`."""

    def is_out(self, out: Any) -> bool:
        """Whether `out` is an array of the library that a result can be written into."""

    def takes_result(self, out: Any, x: Any) -> bool:
        """Whether the result of `x` may be written straight into `out`: they have no memory in common, and what lies
        between the elements of `out` stays as it is."""

    def copy_into(self, out: Any, result: Any) -> None:
        """Writes `result` into an `out` of its shape."""

    def device(self, x: Any) -> _native.Device:
        """Where `x` is transformed."""

    def run(self, call: _native.Call, x: Any, out: Any) -> bool:
        """Runs on the library's current stream, with workspace from its allocator. False, and nothing done, where the
        memory does not serve (its alignment), and `x` has to be copied first."""

    def repeat(self, ready: Ready, x: Any) -> Any:
        """Runs a call that is remembered on an array of the same signature, and gives the new result; None where `run`
        would say False."""

    def repeat_dense(self, ready: DenseReady, arrays: Sequence[Any], numbers: Sequence[float]) -> Any:
        """Runs a call of a dense plan that is remembered on arrays of the same signatures, and gives the new result,
        with its sums where it has such. None, and nothing done, where the memory does not serve."""

    def finish(self, out: Any, shape: tuple[int, ...]) -> Any:
        """What `empty` gave as the caller's array."""

    def address(self, x: Any) -> Any:
        """Where the first element lies: a number, or a `_native.View` of memory that has no address."""

    def room(self, x: Any) -> int | None:
        """Bytes from the first element of `x` to the end of the memory that it is a view of; None: not known."""

    def stream(self, x: Any) -> int | None:
        """The library's current stream or command queue for `x`; None: the device has no such thing."""

    def workspace(self, count: int, like: Any) -> tuple[Any, Any]:
        """`count` bytes from the library's allocator on the device of `like`: what keeps them, and their address, or a
        `_native.View`."""

    def is_on_host(self, x: Any) -> bool:
        """Whether `x` is in the memory of the host, whatever device transforms it."""

    def alias(self, x: Any, shape: tuple[int, ...], strides: tuple[int, ...], element: Element) -> Any:
        """Another array on the memory of `x`, of other elements."""

    def stage_type(self, x: Any) -> str:
        """The word of the stage language for the elements of `x`, such as ``'u8'``; raises TypeError for others."""

    def from_host(self, x: Any, like: Any) -> Any:
        """An array of NumPy's on the device of `like`."""

    def flipped(self, x: Any) -> Any:
        """Reversed along the last axis."""

    def rolled(self, x: Any, shifts: tuple[int, ...], axes: tuple[int, ...]) -> Any:
        """Rolled as `numpy.roll` does."""

    # An adapter with `broadcasts` False has a library that multiplies arrays of one shape alone.
    # An adapter with `repeat_into(ready, x, out)` repeats calls with `out` too, and pads arrays to `ready.padded`.
    # A library whose arrays are ordered by events has two methods more, and calls of plans use them if they are there:
    # `begin(queue, arrays)` before work on arrays is enqueued, `end(queue, arrays)` after, with those that it writes.

    def recorded(self, x: Any, transform: Any) -> Any:
        """The transform of `x`, an `_engine.Transform`, as a part of the graph that the library records of it, for
        derivatives say. None where there is no such graph, and the numbers alone are wanted."""
