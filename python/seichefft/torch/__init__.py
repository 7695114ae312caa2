"""Fourier transforms of PyTorch's tensors, differentiable any number of times, and for the compiler one operator.

The functions have the names and arguments of `torch.fft`, `dct` and its kin those of `scipy.fft`, `stft` and `istft`
those of `torch`. They run on the tensor's device and current stream, under `vmap`, `torch.func` and forward-mode AD,
in CUDA graphs once a call has made the plan, and in ``torch.compile(fullgraph=True)``. In a region of autocast halves
are transformed in float32.
"""

from torch.fft import fftfreq, fftshift, ifftshift, rfftfreq

from . import _operator as _operator
from ._convolution import fft_conv1d, fft_conv2d, fft_conv3d
from ._cosine_sine import dct, dctn, dst, dstn, idct, idctn, idst, idstn
from ._frames import istft, stft
from ._long_convolution import long_conv
from ._many_axes import fftn, hfftn, ifftn, ihfftn, irfftn, rfftn
from ._one_axis import fft, hfft, ifft, ihfft, irfft, rfft
from ._spectral_conv import SpectralConv1d, SpectralConv2d, SpectralConv3d
from ._two_axes import fft2, hfft2, ifft2, ihfft2, irfft2, rfft2

__all__ = [
    "SpectralConv1d",
    "SpectralConv2d",
    "SpectralConv3d",
    "dct",
    "dctn",
    "dst",
    "dstn",
    "fft",
    "fft2",
    "fft_conv1d",
    "fft_conv2d",
    "fft_conv3d",
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
    "istft",
    "long_conv",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
    "stft",
]
