"""pyvkfft's interface on this library: `fft` with its eight functions, `opencl` and `cuda` with their `VkFFTApp`.

Code that was written for pyvkfft imports `seichefft.compat.pyvkfft` in its place. Arguments, conventions and results
are pyvkfft's; docs/reference/python-frameworks.md says what differs.
"""

from . import config, fft

__all__ = ["config", "fft"]
