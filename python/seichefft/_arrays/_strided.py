"""A kernel that copies elements between PyOpenCL's arrays of any strides and types, which PyOpenCL has not."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyopencl as cl
from pyopencl.tools import first_arg_dependent_memoize

_TYPES = {
    "?": "uchar", "b": "char", "B": "uchar", "h": "short", "H": "ushort", "i": "int", "I": "uint", "l": "long",
    "L": "ulong", "q": "long", "Q": "ulong", "e": "half", "f": "float", "d": "double", "F": "float", "D": "double",
}  # fmt: skip
_TEXT = """{extension}
kernel void copy_elements(global const {source}* from, ulong a, global {target}* to, ulong b{parameters}) {{
    ulong i = get_global_id(0), k;
{walk}
{body}
}}
"""


def _word(dtype: Any) -> tuple[str, int]:
    """The type of the numbers of an element, and how many there are."""
    if dtype.kind == "V" and dtype.names == ("re", "im"):
        return "half", 2
    word = _TYPES.get(dtype.char)
    if word is None or not dtype.isnative:
        raise TypeError(f"expected elements of a number's type, in native byte order, got {dtype}")
    return word, 2 if dtype.kind == "c" else 1


def _read(word: str, place: str) -> str:
    return f"vload_half({place}, from)" if word == "half" else f"from[{place}]"


def _write(word: str, place: str, value: str) -> str:
    return f"vstore_half({value}, {place}, to);" if word == "half" else f"to[{place}] = ({word})({value});"


@first_arg_dependent_memoize
def _program(context: Any, source: tuple[str, int], target: tuple[str, int], axes: int) -> Any:
    walk = []
    for axis in reversed(range(axes)):
        walk.append(f"    k = i % n{axis}; i /= n{axis}; a += k * a{axis}; b += k * b{axis};")
    (read, parts), (write, target_parts) = source, target
    body = [_write(write, "b", _read(read, "a"))]
    if target_parts == 2:
        body.append(_write(write, "b + 1", _read(read, "a + 1") if parts == 2 else "0"))
    text = _TEXT.format(
        extension="#pragma OPENCL EXTENSION cl_khr_fp64 : enable" if "double" in (read, write) else "",
        source=read,
        target=write,
        parameters="".join(f", ulong n{axis}, long a{axis}, long b{axis}" for axis in range(axes)),
        walk="\n".join(walk),
        body="\n".join("    " + line for line in body),
    )
    return cl.Program(context, text).build()


def copy_elements(to: Any, source: Any) -> None:
    """Copies, converted, from one array to another of its shape, on the target's queue, in order with its events.

    Raises TypeError for elements that are no numbers, ValueError where strides are no multiples of the numbers."""
    count = math.prod(to.shape)
    if count == 0:
        return
    read, write = _word(source.dtype), _word(to.dtype)
    units = source.dtype.itemsize // read[1], to.dtype.itemsize // write[1]
    places: list[Any] = [np.uint64(source.offset // units[0]), np.uint64(to.offset // units[1])]
    numbers: list[Any] = []
    for length, stride, other in zip(to.shape, source.strides, to.strides):
        if length == 1:
            continue
        if stride % units[0] or other % units[1]:
            raise ValueError(f"strides: expected multiples of {units[0]} and {units[1]} bytes, got {stride}, {other}")
        numbers += [np.uint64(length), np.int64(stride // units[0]), np.int64(other // units[1])]
    queue = to.queue or source.queue
    kernel = cl.Kernel(_program(queue.context, read, write, len(numbers) // 3), "copy_elements")
    kernel.set_args(source.base_data, places[0], to.base_data, places[1], *numbers)
    events = [*source.events, *to.events]
    to.add_event(cl.enqueue_nd_range_kernel(queue, kernel, (count,), None, wait_for=events))
