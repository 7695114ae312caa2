"""What arrays with NumPy's types, shapes and strides in bytes have in common, whoever's they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._contract import Element

#: NumPy has no complex numbers of halves: the fields are their real and imaginary parts.
COMPLEX32 = np.dtype([("re", np.float16), ("im", np.float16)])
HALF = Element("f32", "f16", False)
#: By the character of the type.
ELEMENTS = {
    "f": Element("f32", "same", False),
    "d": Element("f64", "same", False),
    "F": Element("f32", "same", True),
    "D": Element("f64", "same", True),
}
COMPLEX = {"f": np.dtype("F"), "d": np.dtype("D")}
STAGE_TYPES = {
    "f2": "f16", "f4": "f32", "f8": "f64", "i1": "i8", "u1": "u8", "i2": "i16", "u2": "u16", "i4": "i32", "u4": "u32",
}  # fmt: skip


def element_strides(x: Any) -> tuple[int, ...] | None:
    """None for an array that the library cannot walk as it lies. An axis of one element may have any stride."""
    size = x.dtype.itemsize
    result = []
    for length, stride in zip(x.shape, x.strides):
        if length == 1:
            stride = size
        if stride % size:
            return None
        result.append(stride // size)
    return tuple(result)
