"""A plugin of pytest that puts seichefft.signal's functions and classes in the place of scipy.signal's.

    python -m pytest -p scipy_signal_plugin --pyargs scipy.signal.tests.test_czt

All modules of SciPy that hold one of them get ours before SciPy's tests are imported. The last line of the run says
how often each was called, and by how many tests.
"""

from __future__ import annotations

import collections
import functools
from collections.abc import Generator
from typing import Any

import pytest
import scipy.signal
from scipy._lib._array_api import xp_capabilities_table
from scipy.signal import _czt, _short_time_fft, _signaltools, _spectral_py

from seichefft import signal

#: SciPy's own, which has windows that we have not; ours asks it for them.
_NOT_REPLACED = {"get_window"}

#: Tests that ask for what another transform than SciPy's cannot give, and why. See docs/reference/python-signal.md.
_SKIPPED = {
    "TestSTFT::test_roundtrip_scaling": "asks for exact zeros, where rounding leaves 1e-16",
}

_HOMES = (scipy.signal, _czt, _short_time_fft, _signaltools, _spectral_py)

calls: collections.Counter[str] = collections.Counter()
_tests: set[str] = set()


def _counted(name: str, function: Any) -> Any:
    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        calls[name] += 1
        return function(*args, **options)

    return call


def _replace(name: str) -> None:
    original, value = getattr(scipy.signal, name), getattr(signal, name)
    if isinstance(value, type):
        value.__init__ = _counted(name, value.__init__)  # type: ignore[misc]
    else:
        value = _counted(name, value)
    if original in xp_capabilities_table:
        xp_capabilities_table[value] = xp_capabilities_table[original]
    for module in _HOMES:
        if hasattr(module, name):
            setattr(module, name, value)


for _name in signal.__all__:
    if hasattr(scipy.signal, _name) and _name not in _NOT_REPLACED:
        _replace(_name)


def pytest_collection_modifyitems(items: list[Any]) -> None:
    for item in items:
        for name, reason in _SKIPPED.items():
            if item.nodeid.endswith(name):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: Any) -> Generator[None, Any, Any]:
    before = sum(calls.values())
    try:
        return (yield)
    finally:
        if sum(calls.values()) != before:
            _tests.add(item.nodeid)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    terminalreporter.write_line(
        f"seichefft: {sum(calls.values())} calls by {len(_tests)} tests, {dict(sorted(calls.items()))}"
    )
