"""seichefft.compat.pyvkfft.cuda without a card: its VkFFTApp and the functions, on arrays that stand for CuPy's."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import numpy as np
import pytest

import seichefft
from seichefft._arrays._numpy import adapter
from seichefft._devices import open_native
from seichefft.compat.pyvkfft import _cuda_arrays

fft = pytest.importorskip("scipy.fft")


class HostArrays:
    """What `_cuda_arrays` asks of a library, of NumPy's arrays on the processor, which has no streams."""

    name = "cupy"

    def __init__(self) -> None:
        self.scratched = 0

    memory, alias, address = adapter.memory, adapter.alias, adapter.address

    def device(self) -> Any:
        return open_native("cpu")

    def current_stream(self) -> None:
        return None

    def context(self) -> int:
        return 0

    def scratch(self, count: int, stream: Any) -> tuple[Any, int]:
        self.scratched += 1
        memory, address = adapter.workspace(count, None)
        return memory, address

    def empty(self, like: Any, shape: Any, dtype: Any, order: str) -> Any:
        return np.empty(shape, dtype, order=order)


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> HostArrays:
    arrays = HostArrays()
    for name in ("cuda", "fft"):
        monkeypatch.delitem(sys.modules, f"seichefft.compat.pyvkfft.{name}", raising=False)
    monkeypatch.setattr(_cuda_arrays, "has_cupy", True)
    monkeypatch.setattr(_cuda_arrays, "library_of", lambda x: arrays if isinstance(x, np.ndarray) else None)
    monkeypatch.setitem(_cuda_arrays._libraries, "cupy", arrays)
    return arrays


def module(name: str) -> Any:
    return importlib.import_module(f"seichefft.compat.pyvkfft.{name}")


def values(shape: tuple[int, ...], dtype: str) -> Any:
    generator = np.random.default_rng(7)
    return (generator.standard_normal(shape) + 1j * generator.standard_normal(shape)).astype(dtype)


def assert_near(got: Any, want: Any) -> None:
    assert got.shape == want.shape
    assert np.linalg.norm(got - want) <= 2e-6 * np.linalg.norm(want)


def test_the_app(library: HostArrays) -> None:
    x = values((3, 4, 5), "F")
    app = module("cuda").VkFFTApp(x.shape, x.dtype, ndim=2, inplace=False, stream=None, norm=0)
    spectrum, back = np.empty_like(x), np.empty_like(x)
    assert app.fft(x, spectrum) is spectrum
    assert_near(spectrum, fft.fftn(x, axes=(1, 2)))
    app.ifft(spectrum, back)
    assert_near(back, 20 * x)
    with pytest.raises(RuntimeError, match="CuPy or of PyCUDA"):
        app.fft([1.0], spectrum)
    app = module("cuda").VkFFTApp(x.shape, x.dtype)
    before = x.copy()
    assert app.ifft(app.fft(x)) is x
    assert_near(x, before)


@pytest.mark.parametrize("order", ["C", "F"])
def test_the_functions(library: HostArrays, order: str) -> None:
    vkfft = module("fft")
    x = np.asarray(values((4, 6), "F"), order=order)
    axes = (0, 1) if order == "C" else (1, 0)
    assert_near(vkfft.fftn(x), fft.fftn(x))
    assert_near(vkfft.ifftn(x, axes=[0], norm="ortho"), fft.ifft(x, axis=0, norm="ortho"))
    real = np.asarray(x.real, order=order)
    spectrum = vkfft.rfftn(real)
    assert_near(spectrum, fft.rfftn(real, axes=axes))
    assert_near(vkfft.irfftn(spectrum), real)
    assert_near(vkfft.dctn(real, dct_type=3), fft.dctn(real, 3))
    assert_near(vkfft.idstn(real, ndim=1), fft.idst(real, axis=1 if order == "C" else 0))
    in_place = np.asarray(values((6, 6), "F").real, order=order)
    index = (slice(None), slice(4)) if order == "C" else (slice(4), slice(None))
    want = fft.rfftn(in_place[index], axes=axes)
    assert_near(vkfft.rfftn(in_place, in_place), want)


def test_scratch_memory_is_the_librarys(library: HostArrays) -> None:
    x = values((20011,), "F")
    app = module("cuda").VkFFTApp(x.shape, x.dtype, inplace=False)
    app.fft(x, np.empty_like(x))
    assert library.scratched == (app.get_tmp_buffer_nbytes() > 0)
    assert seichefft.__version__ == module("cuda").vkfft_version()
