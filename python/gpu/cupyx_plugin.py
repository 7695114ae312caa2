"""A plugin of pytest that puts seichefft's functions in the place of cupyx.scipy.fft's.

Tests of cuFFT's own plans are left out, since they ask for CuPy's machinery, not for a transform; and those that want
cosine and sine transforms of types 1 and 4 to fail, which CuPy has not.
"""

from __future__ import annotations

from typing import Any

import cupyx.scipy.fft

from seichefft import fft

for _name in cupyx.scipy.fft.__all__ if hasattr(cupyx.scipy.fft, "__all__") else dir(cupyx.scipy.fft):
    if _name in fft.__all__ and _name not in (
        "set_workers",
        "get_workers",
        "next_fast_len",
        "prev_fast_len",
        "fftfreq",
        "rfftfreq",
    ):
        setattr(cupyx.scipy.fft, _name, getattr(fft, _name))


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    items[:] = [item for item in items if not any(word in item.name.lower() for word in ("plan", "type=1", "type=4"))]
