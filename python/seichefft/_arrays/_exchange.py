"""Arrays of any other library that tells where its memory lies: by `__cuda_array_interface__`, or by DLPack.

An array of the host is taken as NumPy's, one on a card as CuPy's or, without CuPy, as PyTorch's: on its memory, without
a copy, in the order of streams that the two protocols ask for. The result is an array of that library, which speaks
both protocols too.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Hashable
from typing import Any

import numpy as np

from ._contract import Arrays
from ._numpy import NumPy

#: DLPack's numbers of the devices whose memory the host reaches: the processor, CUDA's and ROCm's pinned memory.
_HOST = (1, 3, 11)
#: Those of CUDA, its managed memory, and ROCm.
_CARDS = (2, 13, 10)


class OnHost(NumPy):
    """See `_contract.Arrays`."""

    def signature(self, x: Any) -> Hashable | None:
        return None

    def numbers_signature(self, x: Any) -> Hashable | None:
        return None

    def asarray(self, x: Any) -> Any:
        return x if isinstance(x, np.ndarray) else np.from_dlpack(x)


_by_library: dict[str, Arrays] = {"numpy": OnHost()}


def _with_cupy() -> Any:
    import cupy

    from ._cupy import CuPy

    class OnCard(CuPy):
        def signature(self, x: Any) -> Hashable | None:
            return None

        def numbers_signature(self, x: Any) -> Hashable | None:
            return None

        def asarray(self, x: Any) -> Any:
            if isinstance(x, cupy.ndarray):
                return x
            return cupy.asarray(x) if hasattr(x, "__cuda_array_interface__") else cupy.from_dlpack(x)

    return OnCard()


def _with_torch() -> Any:
    import torch

    from ._torch import Torch

    class OnCard(Torch):
        def signature(self, x: Any) -> Hashable | None:
            return None

        def numbers_signature(self, x: Any) -> Hashable | None:
            return None

        def asarray(self, x: Any) -> Any:
            if isinstance(x, torch.Tensor):
                return x
            return torch.from_dlpack(x) if hasattr(x, "__dlpack__") else torch.as_tensor(x, device="cuda")

    return OnCard()


def adapter_for(x: Any) -> Arrays:
    """The adapter for the place where `x` lies, which its type alone does not tell."""
    if not hasattr(x, "__cuda_array_interface__"):
        place = int(x.__dlpack_device__()[0])
        if place in _HOST:
            return _by_library["numpy"]
        if place not in _CARDS:
            raise TypeError(
                f"x: expected an array of the host, CUDA or ROCm, got a {type(x).__name__} on DLPack's device {place}"
            )
    for library, make in (("cupy", _with_cupy), ("torch", _with_torch)):
        if library in _by_library:
            return _by_library[library]
        if importlib.util.find_spec(library) is not None:
            return _by_library.setdefault(library, make())
    raise TypeError(
        f"x: a {type(x).__name__} on a card is taken over by CuPy or PyTorch, and neither is installed: install one"
    )
