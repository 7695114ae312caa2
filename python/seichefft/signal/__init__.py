"""SciPy's `scipy.signal`, what of it reaches Fourier transforms, for the arrays of any library that seichefft knows.

Functions and classes have SciPy's names, arguments and results. Convolutions are plans of the library, one for
transform, product and transform back. SciPy itself is needed for windows beyond the usual ones alone.
"""

from ._analytic import envelope, hilbert, hilbert2
from ._convolution import convolve, correlate, fftconvolve, oaconvolve
from ._czt import CZT, ZoomFFT, czt, czt_points, zoom_fft
from ._densities import coherence, csd, periodogram, welch
from ._dual_windows import closest_STFT_dual_window
from ._resample import resample
from ._short_time_fft import ShortTimeFFT
from ._stft import istft, spectrogram, stft
from ._windows import dbfs, enbw, get_window

__all__ = [
    "CZT",
    "ShortTimeFFT",
    "ZoomFFT",
    "closest_STFT_dual_window",
    "coherence",
    "convolve",
    "correlate",
    "csd",
    "czt",
    "czt_points",
    "dbfs",
    "enbw",
    "envelope",
    "fftconvolve",
    "get_window",
    "hilbert",
    "hilbert2",
    "istft",
    "oaconvolve",
    "periodogram",
    "resample",
    "spectrogram",
    "stft",
    "welch",
    "zoom_fft",
]
