"""CuPy's arrays on a card: against cupy.fft and SciPy, as SciPy's backend, on streams and in graphs."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

cupy = pytest.importorskip("cupy")
numpy = pytest.importorskip("numpy")
if not cupy.cuda.is_available():
    pytest.skip("there is no card", allow_module_level=True)

import cupyx.scipy.fft  # noqa: E402

import seichefft  # noqa: E402

NAMES = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]


def numbers(shape: tuple[int, ...], dtype: str, seed: int = 1) -> Any:
    generator = numpy.random.default_rng(seed)
    x = generator.standard_normal(shape)
    if numpy.dtype(dtype).kind == "c":
        x = x + 1j * generator.standard_normal(shape)
    return cupy.asarray(x.astype(dtype))


def assert_near(got: Any, want: Any) -> None:
    assert isinstance(got, cupy.ndarray)
    assert got.shape == want.shape and got.dtype == want.dtype
    tolerance = 1e-12 if got.dtype.char in "dD" else 2e-6
    want = cupy.asarray(want)
    assert float(cupy.linalg.norm(got - want)) <= tolerance * float(cupy.linalg.norm(want)) + 1e-300


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("is_double", [True, False])
def test_as_scipy(name: str, is_double: bool) -> None:
    fft = pytest.importorskip("scipy.fft")
    real, complex_ = ("d", "D") if is_double else ("f", "F")
    dtype = real if name in ("rfft", "ihfft") else complex_
    for shape, n, axis, norm in [((9,), None, -1, None), ((4, 6, 8), 5, 1, "ortho"), ((3, 16), 20, -1, "forward")]:
        x = numbers(shape, dtype)
        want = getattr(fft, name)(x.get(), n, axis, norm)
        for _ in range(2):
            assert_near(getattr(seichefft.fft, name)(x, n, axis, norm), want)
        out = cupy.empty(want.shape, want.dtype)
        assert getattr(seichefft.fft, name)(x, n, axis, norm, out=out) is out
        assert_near(out, want)
    x = numbers((4, 6, 8), dtype)
    assert_near(getattr(seichefft.fft, name + "n")(x), getattr(fft, name + "n")(x.get()))
    with fft.set_backend(seichefft, only=True):
        assert_near(getattr(fft, name + "2")(x), getattr(seichefft.fft, name + "2")(x))


def test_cosines_and_sines() -> None:
    fft = pytest.importorskip("scipy.fft")
    x = numbers((3, 8), "d")
    for name, kind, norm in itertools.product(("dct", "idst", "dctn"), (1, 2, 3, 4), (None, "ortho")):
        assert_near(getattr(seichefft.fft, name)(x, kind, norm=norm), getattr(fft, name)(x.get(), kind, norm=norm))


def test_types() -> None:
    for dtype, expected in [("e", "F"), ("i4", "D"), ("?", "D"), ("u1", "D"), ("f", "F")]:
        x = cupy.arange(12).astype(dtype)
        for _ in range(2):
            assert_near(seichefft.fft.fft(x), cupy.fft.fft(x.astype(expected)))


def test_views() -> None:
    x = numbers((6, 8, 10), "F")
    views = [x.transpose(2, 0, 1), x[::2, ::-1], x[:, :, 3], cupy.broadcast_to(x[2:3], (4, 8, 10)), x.imag, x[::-1]]
    for view, axis in itertools.product(views, (0, -1)):
        for _ in range(2):
            assert_near(seichefft.fft.fft(view, axis=axis), cupy.fft.fft(cupy.ascontiguousarray(view), axis=axis))
    real = numbers((65,), "f")[1:]
    for _ in range(2):
        assert_near(seichefft.fft.rfft(real), cupy.fft.rfft(real.copy()))


def test_order_of_results() -> None:
    for dtype in "fFD":
        x = cupy.asfortranarray(cupy.random.random((3, 4, 5)).astype(dtype))
        for _ in range(2):
            result = seichefft.fft.fftn(x)
            assert result.flags.f_contiguous and not result.flags.c_contiguous
            assert_near(result, cupy.fft.fftn(x))
        assert seichefft.fft.fftn(x, (1, 4, 10)).flags.f_contiguous
        for view in (x[:, 1:], x[:, ::2]):
            for _ in range(2):
                assert_near(seichefft.fft.fft(view), cupy.fft.fft(cupy.ascontiguousarray(view)))
    real = cupy.asfortranarray(cupy.random.random((6, 8)).astype("f"))
    assert_near(seichefft.fft.rfft2(real), cupy.fft.rfft2(real))
    assert_near(seichefft.fft.dctn(real), cupyx.scipy.fft.dctn(real))


def test_overwrite_and_out_over_the_input() -> None:
    x = numbers((4, 8), "D")
    want = cupy.fft.fft(x)
    assert_near(seichefft.fft.fft(x.copy(), overwrite_x=True), want)
    seichefft.fft.fft(x, out=x)
    assert_near(x, want)


def test_current_stream() -> None:
    x = numbers((64, 4096), "F")
    want = cupy.fft.fft(x)
    stream = cupy.cuda.Stream(non_blocking=True)
    cupy.cuda.Device().synchronize()
    with stream:
        y = seichefft.fft.fft(x)
        z = y * 1
    stream.synchronize()
    assert_near(z, want)


def test_captured() -> None:
    x = numbers((8, 1000), "F")
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        y = cupy.empty_like(x)
        seichefft.fft.fft(x, out=y)
        stream.synchronize()
        stream.begin_capture()
        seichefft.fft.fft(x, out=y)
        graph = stream.end_capture()
        x[...] = numbers((8, 1000), "F", 3)
        graph.launch()
        stream.synchronize()
    assert_near(y, cupy.fft.fft(x))


def test_plans() -> None:
    x = numbers((4, 32), "F")
    plan = seichefft.Plan((32,), "complex64", batch=4, device="cuda:0")
    assert_near(plan(x), cupy.fft.fft(x))
    assert_near(seichefft.fft.fft(x, plan=plan), cupy.fft.fft(x))


class Foreign:
    """An array of a library that nobody knows."""

    def __init__(self, x: Any) -> None:
        self.__cuda_array_interface__ = x.__cuda_array_interface__


class ForeignPack:
    """The same, by DLPack."""

    def __init__(self, x: Any) -> None:
        self.x = x

    def __dlpack__(self, **options: Any) -> Any:
        return self.x.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.x.__dlpack_device__()


@pytest.mark.parametrize("kind", [Foreign, ForeignPack])
def test_arrays_of_other_libraries(kind: Any) -> None:
    x = numbers((4, 8), "F")
    assert_near(seichefft.fft.fft(kind(x)), cupy.fft.fft(x))
    assert_near(seichefft.fft.rfft(kind(x.real.copy()), 6), cupy.fft.rfft(x.real, 6))


def test_what_is_refused() -> None:
    x = numbers((4, 8), "F")
    with pytest.raises(TypeError, match="real"):
        seichefft.fft.rfft(x)
    with pytest.raises(TypeError, match="out: expected an array of cupy"):
        seichefft.fft.fft(x, out=numpy.empty((4, 8), "F"))
    with pytest.raises(ValueError, match="out: expected shape"):
        seichefft.fft.fft(x, out=cupy.empty((4, 7), "F"))
