"""Arrays of libraries that nobody knows, on the host, by DLPack."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import seichefft


class Foreign:
    def __init__(self, x: Any, place: int = 1) -> None:
        self.x = x
        self.place = place

    def __dlpack__(self, **options: Any) -> Any:
        return self.x.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (self.place, 0)


def test_on_the_host() -> None:
    x = np.random.default_rng(1).standard_normal((3, 8))
    for _ in range(2):
        result = seichefft.fft.fft(Foreign(x))
        assert isinstance(result, np.ndarray)
        np.testing.assert_allclose(result, np.fft.fft(x), atol=1e-12)
    np.testing.assert_allclose(
        seichefft.fft.rfftn(Foreign(x[:, ::2]), (4, 4)), np.fft.rfftn(x[:, ::2], (4, 4), (0, 1)), atol=1e-12
    )


def test_places_that_are_refused() -> None:
    with pytest.raises(TypeError, match="DLPack's device 7"):
        seichefft.fft.fft(Foreign(np.ones(4), 7))
