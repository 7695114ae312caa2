"""Fourier transforms on any GPU and on the processor, for the arrays of NumPy and other libraries.

`seichefft.fft` has SciPy's functions, `seichefft.numpy_fft` NumPy's, `seichefft.array_api.fft` those of the Array API
standard. `seichefft.spectral` has operators of periodic arrays, a Poisson equation's solution say. `seichefft.Plan`,
`seichefft.ConvolutionPlan`, `seichefft.SpectralPlan` and `seichefft.ShortTimePlan` reach all that the library does.
`seichefft.distributed` has plans over several devices and processes. The package is a backend for
`scipy.fft.set_backend`. `seichefft.torch` and `seichefft.jax` are for derivatives and compilers of PyTorch and JAX.
Importing the package opens no device.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from . import _native, fft
from ._devices import Device, devices
from ._native import Error, Unsupported

if TYPE_CHECKING:
    from . import array_api, config, numpy_fft, signal, spectral
    from .convolution import ConvolutionPlan
    from .plans import Plan
    from .short_time import ShortTimePlan
    from .spectral_plans import SpectralPlan

__all__ = [
    "ConvolutionPlan",
    "Device",
    "Error",
    "Plan",
    "ShortTimePlan",
    "SpectralPlan",
    "Unsupported",
    "array_api",
    "config",
    "devices",
    "fft",
    "numpy_fft",
    "signal",
    "spectral",
]

__version__: str = _native.version

#: What `import seichefft` leaves for later: a name, its module, and its name there.
_LATER = {
    "ConvolutionPlan": ("convolution", "ConvolutionPlan"),
    "Plan": ("plans", "Plan"),
    "ShortTimePlan": ("short_time", "ShortTimePlan"),
    "SpectralPlan": ("spectral_plans", "SpectralPlan"),
    "array_api": ("array_api", None),
    "compat": ("compat", None),
    "config": ("config", None),
    "distributed": ("distributed", None),
    "jax": ("jax", None),
    "numpy_fft": ("numpy_fft", None),
    "signal": ("signal", None),
    "spectral": ("spectral", None),
    "torch": ("torch", None),
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'seichefft' has no attribute {name!r}")
    file, attribute = _LATER[name]
    module = importlib.import_module(f"{__name__}.{file}")
    value = module if attribute is None else getattr(module, attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})


#: What SciPy calls instead of its own functions, by uarray's protocol, while this module is its backend.
__ua_domain__ = "numpy.scipy.fft"


def __ua_function__(method: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    function = getattr(fft, method.__name__, None)
    if function is None:
        return NotImplemented
    return function(*args, **kwargs)
