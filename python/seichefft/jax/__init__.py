"""Fourier transforms of JAX's arrays, as calls of XLA's foreign function interface.

The functions have the names and arguments of `jax.numpy.fft`, `dct` and its kin those of `jax.scipy.fft`. They run
inside `jit`, and under `grad`, `vjp`, `jvp` and their kin any number of times; `vmap` makes one batch, not a loop.
An array that is sharded over several devices is refused. On a processor they run on the device ``cpu``, on NVIDIA's
cards on ``cuda``.
"""

from jax.numpy.fft import fftfreq, fftshift, ifftshift, rfftfreq

from . import _primitive as _primitive
from ._cosine_sine import dct, dctn, dst, dstn, idct, idctn, idst, idstn
from ._many_axes import fft2, fftn, hfft2, hfftn, ifft2, ifftn, ihfft2, ihfftn, irfft2, irfftn, rfft2, rfftn
from ._one_axis import fft, hfft, ifft, ihfft, irfft, rfft

__all__ = [
    "dct",
    "dctn",
    "dst",
    "dstn",
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "hfft2",
    "hfftn",
    "idct",
    "idctn",
    "idst",
    "idstn",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "ihfft2",
    "ihfftn",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]
