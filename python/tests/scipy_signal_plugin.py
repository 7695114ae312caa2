"""A plugin of pytest that puts seichefft.signal's functions in the place of scipy.signal's.

    python -m pytest -p scipy_signal_plugin --pyargs scipy.signal.tests.test_czt

All modules of SciPy that hold one of the functions, its tests among them, get ours. The last line of the run says how
often each was called.
"""

from __future__ import annotations

import collections
import functools
from typing import Any

import scipy.signal
from scipy._lib._array_api import xp_capabilities_table
from scipy.signal import _czt, _short_time_fft, _signaltools, _spectral_py

from seichefft import signal

calls: collections.Counter[str] = collections.Counter()
_HOMES = (scipy.signal, _czt, _short_time_fft, _signaltools, _spectral_py)


def _counted(name: str, value: Any) -> Any:
    if isinstance(value, type):
        return value

    @functools.wraps(value)
    def call(*args: Any, **options: Any) -> Any:
        calls[name] += 1
        return value(*args, **options)

    return call


for _name in signal.__all__:
    if hasattr(scipy.signal, _name) and _name != "get_window":  # which is SciPy's own
        _original = getattr(scipy.signal, _name)
        _value = _counted(_name, getattr(signal, _name))
        if _original in xp_capabilities_table:
            xp_capabilities_table[_value] = xp_capabilities_table[_original]
        for _module in _HOMES:
            if hasattr(_module, _name):
                setattr(_module, _name, _value)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    terminalreporter.write_line(f"seichefft: {sum(calls.values())} calls, {dict(sorted(calls.items()))}")
