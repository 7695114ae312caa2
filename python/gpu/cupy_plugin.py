"""A plugin of pytest that puts seichefft's functions in the place of cupy.fft's.

Tests of cuFFT's own plans and of their choice are left out, since they ask for CuPy's machinery, not for a transform.
Lengths without axes, which NumPy warns of and CuPy does not, may warn.
"""

from __future__ import annotations

from typing import Any

import cupy.fft

from seichefft import numpy_fft

for _name in numpy_fft.__all__:
    if _name not in ("fftfreq", "rfftfreq"):
        setattr(cupy.fft, _name, getattr(numpy_fft, _name))


def pytest_configure(config: Any) -> None:
    for warning in ("`axes` should not be `None`", "Passing an array containing `None`"):
        config.addinivalue_line("filterwarnings", f"ignore:{warning}:DeprecationWarning")


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    items[:] = [item for item in items if not any(word in item.nodeid.lower() for word in ("plan", "multigpu"))]
