"""SciPy's `scipy.fft`: its functions with its arguments, for the arrays of any library that seichefft knows.

The result is an array of the same library, on the same device. Arrays of NumPy are transformed on the device that
`seichefft.config.device` says, and have SciPy's types: ``float16`` gives ``complex64``, integers ``complex128``,
and ``longdouble`` is computed in double-double arithmetic, at least as exact as itself within the range of a double.
Every function takes ``out=`` besides.
"""

from ._arguments import get_workers, set_workers
from ._cosine_sine import dct, dctn, dst, dstn, idct, idctn, idst, idstn
from ._hankel import fht, fhtoffset, ifht
from ._helpers import fftfreq, fftshift, ifftshift, next_fast_len, prev_fast_len, rfftfreq
from ._many_axes import fftn, hfftn, ifftn, ihfftn, irfftn, rfftn
from ._one_axis import fft, hfft, ifft, ihfft, irfft, rfft
from ._two_axes import fft2, hfft2, ifft2, ihfft2, irfft2, rfft2

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
    "fht",
    "fhtoffset",
    "get_workers",
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
    "ifht",
    "ihfft",
    "ihfft2",
    "ihfftn",
    "irfft",
    "irfft2",
    "irfftn",
    "next_fast_len",
    "prev_fast_len",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
    "set_workers",
]
