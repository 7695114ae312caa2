"""What of the Python array API standard Seiche implements: the extension `fft`."""

from . import fft

__all__ = ["fft"]
