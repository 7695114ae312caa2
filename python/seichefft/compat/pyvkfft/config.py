"""The variables of pyvkfft.config that have a meaning here."""

#: Apps that the functions of `fft` keep; to be set before that module is imported.
FFT_CACHE_NB = 32
#: Whether a VkFFTApp warns when it runs on another queue than it was made for.
WARN_OPENCL_QUEUE_MISMATCH = True
#: Accepted; this library's tables are exact already.
USE_LUT = None
