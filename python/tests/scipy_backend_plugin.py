"""A plugin of pytest that makes seichefft the global backend of scipy.fft and counts what it is asked.

    python -m pytest -p scipy_backend_plugin --pyargs scipy.fft.tests

A call that SciPy would have to answer itself counts as a fall-back; the last line of the run says how many there were.
"""

from __future__ import annotations

import multiprocessing
from typing import Any

import scipy.fft

import seichefft


class CountingBackend:
    """seichefft, counting."""

    __ua_domain__ = seichefft.__ua_domain__
    calls = 0
    fall_backs: list[str] = []

    @classmethod
    def __ua_function__(cls, method: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        cls.calls += 1
        result = seichefft.__ua_function__(method, args, kwargs)
        if result is NotImplemented:
            cls.fall_backs.append(method.__name__)
        return result


# When it is imported, so that processes which SciPy's tests start have the backend too: see the preload below.
scipy.fft.set_global_backend(CountingBackend, only=True)


def pytest_configure(config: Any) -> None:
    multiprocessing.set_forkserver_preload([__name__])


def pytest_sessionfinish(session: Any) -> None:
    if CountingBackend.fall_backs:
        session.exitstatus = 1


def pytest_terminal_summary(terminalreporter: Any) -> None:
    terminalreporter.write_line(
        f"seichefft: {CountingBackend.calls} calls, {len(CountingBackend.fall_backs)} fell back"
        + (f" ({sorted(set(CountingBackend.fall_backs))})" if CountingBackend.fall_backs else "")
    )
