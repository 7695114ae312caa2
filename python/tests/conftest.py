"""What the tests share: devices of this machine, random arrays, errors in units of the last place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import seichefft

PRECISIONS = {"f": 2.0**-24, "d": 2.0**-53, "g": float(np.finfo(np.longdouble).eps) / 2}


def _available(name: str) -> bool:
    return any(device.available and device.name.startswith(name) for device in seichefft.devices())


DEVICES = [name for name in ("cpu", "opencl", "vulkan", "reference") if _available(name)]


@pytest.fixture(params=DEVICES)
def device(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20261129)


def random_array(rng: np.random.Generator, shape: Any, char: str) -> Any:
    """Normal numbers of a type: 'f', 'd', 'g' or their complex 'F', 'D', 'G'."""
    numbers = rng.standard_normal(shape)
    if char in "FDG":
        numbers = numbers + 1j * rng.standard_normal(shape)
    return numbers.astype(char)


def assert_near(result: Any, exact: Any, char: str, points: int, most: float = 3.0) -> None:
    """The relative L2 error is within `most` units of u sqrt(log2 n), as the library's contract has it."""
    exact = np.asarray(exact)
    if char in "gG":
        most *= 2  # what it is compared with is no more exact
    error = np.sqrt(np.sum(np.abs(result - exact) ** 2) / max(np.sum(np.abs(exact) ** 2), 1e-300))
    bound = most * PRECISIONS[char.lower()] * np.sqrt(max(np.log2(max(points, 2)), 1.0))
    assert error <= bound, f"relative error {error:.3g}, expected at most {bound:.3g}"


def exact_dft(x: Any, axis: int, sign: int = -1) -> Any:
    """The sum itself, in long double."""
    n = x.shape[axis]
    k = np.arange(n)
    turns = (np.outer(k, k) % n).astype(np.longdouble) / n
    pi = np.longdouble("3.14159265358979323846264338327950288")
    matrix = np.cos(2 * pi * turns) + sign * 1j * np.sin(2 * pi * turns)
    return np.moveaxis(np.tensordot(matrix, np.moveaxis(x, axis, 0).astype(np.clongdouble), 1), 0, axis)
