"""SciPy's `scipy.signal`, what of it reaches Fourier transforms, for the arrays of any library that seichefft knows."""

from ._convolution import convolve, correlate, fftconvolve, oaconvolve

__all__ = ["convolve", "correlate", "fftconvolve", "oaconvolve"]
