"""pyvkfft.version: what is asked of VkFFT is answered for this library."""

from __future__ import annotations

from ... import _native

__all__ = ["vkfft_max_fft_dimensions", "vkfft_version"]


def vkfft_version() -> str:
    """The version of this library, which transforms in VkFFT's place."""
    return _native.version


def vkfft_max_fft_dimensions() -> int:
    """Axes that a transform may have after neighbours that are not transformed are merged."""
    return 8
