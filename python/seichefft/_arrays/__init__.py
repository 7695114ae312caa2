"""Adapters: what seichefft needs to know of each library's arrays, a file for each library.

`adapter_of` finds an array's adapter by the module of its type, so that no library is imported that the
caller does not use. `_contract.Arrays` says what an adapter does; one more library is one more file and a line here.
"""

from __future__ import annotations

import importlib
from typing import Any

from ._contract import Arrays

__all__ = ["LIBRARIES", "Arrays", "adapter_of"]

#: The first word of a type's module, and the file here that knows such arrays. All else is taken as NumPy takes it.
LIBRARIES = {
    "numpy": "_numpy",
    "cupy": "_cupy",
    "jax": "_jax",
    "jaxlib": "_jax",
    "pyopencl": "_pyopencl",
    "torch": "_torch",
}

_by_type: dict[type, Arrays] = {}


def adapter_of(x: Any) -> Arrays:
    """The adapter of an array, or NumPy's for whatever `numpy.asarray` takes."""
    adapter = _by_type.get(type(x))
    return adapter if adapter is not None else _find(x)


def _find(x: Any) -> Arrays:
    for base in type(x).__mro__:
        file = LIBRARIES.get(base.__module__.partition(".")[0])
        if file is not None:
            return _remember(type(x), file)
    if hasattr(type(x), "__dlpack_device__") or hasattr(x, "__cuda_array_interface__"):
        from ._exchange import adapter_for

        return adapter_for(x)
    return _remember(type(x), "_numpy")


def _remember(kind: type, file: str) -> Arrays:
    adapter: Arrays = importlib.import_module(f"{__name__}.{file}").adapter
    _by_type[kind] = adapter
    return adapter
