"""seichefft.compat.pyvkfft on PyOpenCL's arrays, against SciPy; its conventions. The own tests: run_pyvkfft.py."""

from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np
import pytest

os.environ.setdefault("OCL_ICD_VENDORS", "/etc/OpenCL/vendors")
cl = pytest.importorskip("pyopencl")
cla = pytest.importorskip("pyopencl.array")
fft = pytest.importorskip("scipy.fft")
try:
    DEVICE = next(device for platform in cl.get_platforms() for device in platform.get_devices())
except (cl.Error, StopIteration):
    pytest.skip("there is no OpenCL device", allow_module_level=True)

import seichefft.compat.pyvkfft.fft as vkfft  # noqa: E402
from seichefft.compat.pyvkfft import config  # noqa: E402
from seichefft.compat.pyvkfft._geometry import geometry  # noqa: E402
from seichefft.compat.pyvkfft.opencl import VkFFTApp  # noqa: E402

QUEUE = cl.CommandQueue(cl.Context([DEVICE]))


def values(shape: tuple[int, ...], dtype: str, order: str = "C") -> Any:
    generator = np.random.default_rng(7)
    x = generator.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * generator.standard_normal(shape)
    return np.asarray(x.astype(dtype), order=order)


def assert_near(got: Any, want: Any) -> None:
    got = got.get() if isinstance(got, cla.Array) else got
    assert got.shape == want.shape
    assert np.linalg.norm(got - want) <= 2e-6 * np.linalg.norm(want)


def test_norms_and_scales() -> None:
    x = values((4, 6), "F")
    for norm, forward, inverse in [(0, 1, 24), (1, 1, 1), ("backward", 1, 1), ("ortho", 24**-0.5, 24**0.5)]:
        source = cla.to_device(QUEUE, x)
        spectrum, scale = vkfft.fftn(source, norm=norm, return_scale=True)
        assert_near(spectrum, fft.fftn(x) * forward)
        assert np.isclose(np.linalg.norm(spectrum.get()) * scale, np.linalg.norm(x), rtol=1e-5)
        back, scale = vkfft.ifftn(source, norm=norm, return_scale=True)
        assert_near(back, fft.ifftn(x) * inverse)
        assert np.isclose(np.linalg.norm(back.get()) * scale, np.linalg.norm(x), rtol=1e-5)
        assert scale.dtype == np.float32
        assert np.array_equal(source.get(), x)


def test_axes_and_ndim_begin_with_the_fast_axis() -> None:
    x = values((2, 3, 4), "F")
    source = cla.to_device(QUEUE, x)
    assert_near(vkfft.fftn(source, ndim=2), fft.fftn(x, axes=(1, 2)))
    assert_near(vkfft.fftn(source, axes=[0, -1]), fft.fftn(x, axes=(0, 2)))
    x = values((2, 3, 4), "F", order="F")
    result = vkfft.fftn(cla.to_device(QUEUE, x), ndim=1)
    assert result.flags.f_contiguous
    assert_near(result, fft.fft(x, axis=0))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("odd", [False, True])
def test_real_in_place_has_padding(order: str, odd: bool) -> None:
    shape, fast = ((3, 6), 1) if order == "C" else ((6, 3), 0)
    x = values(shape, "f", order)
    axes = (0, 1) if order == "C" else (1, 0)
    index = tuple(slice(shape[axis] - (1 if odd else 2)) if axis == fast else slice(None) for axis in (0, 1))
    want = fft.rfftn(x[index], axes=axes)
    source = cla.to_device(QUEUE, x)
    spectrum = vkfft.rfftn(source, source, r2c_odd=odd)
    assert spectrum.dtype == np.complex64 and spectrum.base_data == source.base_data
    assert_near(spectrum, want)
    back = vkfft.irfftn(spectrum, spectrum, r2c_odd=odd)
    assert back.dtype == np.float32 and back.shape == shape
    assert_near(back.get()[index], x[index])
    app = VkFFTApp(shape, np.float32, QUEUE, r2c=True, strides=x.strides, r2c_odd=odd)
    assert_near(app.ifft(app.fft(source)).get()[index], x[index])
    assert app.get_shape_str() == {"C": "(3,4+2)", "F": "(4+2,3)"}[order].replace("4+2", "5+1" if odd else "4+2")


def test_real_out_of_place() -> None:
    x = values((3, 5), "f")
    spectrum = vkfft.rfftn(cla.to_device(QUEUE, x))
    assert_near(spectrum, fft.rfftn(x))
    before = spectrum.get()
    assert_near(vkfft.irfftn(spectrum, r2c_odd=True), x)
    assert np.array_equal(spectrum.get(), before)  # which VkFFT destroys
    assert_near(vkfft.irfftn(spectrum), fft.irfftn(before, (3, 4)))


def test_cosines_and_sines() -> None:
    x = values((3, 8), "f")
    source = cla.to_device(QUEUE, x)
    assert_near(vkfft.dctn(source, dct_type=3), fft.dctn(x, 3))
    assert_near(vkfft.idctn(source, ndim=1), fft.idct(x, 2))
    assert_near(vkfft.dstn(source, norm=0, dst_type=1), fft.dstn(x, 1))
    assert_near(vkfft.idstn(source, norm=0, dst_type=1), fft.idstn(x, 1, norm="forward"))
    assert_near(vkfft.dstn(source, source), fft.dstn(x, 2))


def test_half_precision() -> None:
    x = values((6, 2), "e")
    source = cla.to_device(QUEUE, x.view(vkfft.complex32)[:, 0].copy())
    want = fft.fft(x[:, 0].astype("f") + 1j * x[:, 1].astype("f"))
    result = vkfft.fftn(source).get().view(np.float16).reshape(6, 2).astype("f")
    assert np.allclose(result[:, 0] + 1j * result[:, 1], want, atol=4e-3 * abs(want).max())


def test_queues() -> None:
    other = cl.CommandQueue(QUEUE.context)
    x = values((4, 4), "F")
    app = VkFFTApp(x.shape, x.dtype, QUEUE, inplace=False)
    source, target = cla.to_device(QUEUE, x), cla.empty(other, x.shape, x.dtype)
    with pytest.raises(RuntimeError, match="different queues"):
        app.fft(source, target)
    with pytest.warns(UserWarning, match="another queue"):
        app.fft(source, target, queue=other)
    assert_near(target, fft.fftn(x))
    config.WARN_OPENCL_QUEUE_MISMATCH = False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            app.ifft(source, target, queue=other)
    finally:
        config.WARN_OPENCL_QUEUE_MISMATCH = True
    assert_near(target, fft.ifftn(x))
    with pytest.warns(DeprecationWarning, match="neither"):
        app.fft(source.with_queue(None), target.with_queue(None))


def test_what_an_app_says_of_itself(capsys: pytest.CaptureFixture[str]) -> None:
    app = VkFFTApp((2, 3, 17), np.complex64, QUEUE, ndim=1, verbose=True, useLUT=1, tune_config={"backend": "pyopencl"})
    assert app.get_algo_str()[:2] == "--" and app.get_algo_str()[2] in "RB"
    assert app.is_radix_transform() == [False] * 3 and app.is_bluestein_transform(0) is False
    assert app.get_nb_upload(0) == 0 and app.get_nb_upload()[2] >= 1
    assert app.get_tmp_buffer_nbytes() >= 0 and app.get_tmp_buffer_str().endswith("B")
    assert "(2,3,17) C2C/s/i" in capsys.readouterr().out
    assert (app.shape0, app.inplace, app.norm, app.r2c, app.fast_axis) == ((2, 3, 17), True, 1, False, 2)


def test_what_is_refused() -> None:
    x = cla.to_device(QUEUE, values((4, 4), "F"))
    for options, word in [
        ({"r2c": True}, "dtype"),
        ({"norm": 2}, "norm"),
        ({"ndim": 3}, "ndim"),
        ({"axes": (0, 0)}, "axes"),
        ({"axes": (5,)}, "axes"),
        ({"disableReorderFourStep": 1}, "order='pass'"),
        ({"keepShaderCode": 1}, "source"),
        ({"strides": (3, 1)}, "strides"),
        ({"strides": (2**70, 8)}, r"strides\[0\]: expected -2\^63 to"),
        ({"axes": "a"}, r"axes: expected a sequence, got str|axes\[0\]: expected an integer"),
        ({"ndim": "a"}, "ndim"),
        ({"shape": (2**70,)}, r"shape\[0\]: expected -2\^63 to"),
        ({"shape": (4.5,)}, r"shape\[0\]: expected an integer, got 4.5"),
        ({"dtype": "nope"}, "dtype: expected a type of NumPy's, got 'nope'"),
        ({"queue": None}, "queue: expected a pyopencl.CommandQueue, got NoneType"),
        ({"dtype": "f", "dct": 2.5}, "expected an integer, got 2.5"),
    ]:
        with pytest.raises(RuntimeError, match=word) as raised:
            VkFFTApp(**{"shape": (4, 4), "dtype": np.complex64, "queue": QUEUE, **options})
        assert "\n" not in str(raised.value)
    with pytest.raises(TypeError, match="warpsize"):
        VkFFTApp((4, 4), np.complex64, QUEUE, warpsize=32)
    with pytest.raises(RuntimeError, match="even length"):
        VkFFTApp((4, 5), np.float32, QUEUE, r2c=True)
    with pytest.raises(RuntimeError, match="alone"):
        VkFFTApp((4, 4), np.float32, QUEUE, r2c=True, dct=2)
    with pytest.raises(RuntimeError, match="type from 1 to 4"):
        VkFFTApp((4, 4), np.float32, QUEUE, dct=5)
    with pytest.raises(RuntimeError, match="fast axis"):
        VkFFTApp((4, 4), np.float32, QUEUE, r2c=True, axes=(0,))
    in_place = VkFFTApp((4, 4), np.complex64, QUEUE)
    with pytest.raises(RuntimeError, match="in place"):
        in_place.fft(x, x.copy())
    with pytest.raises(RuntimeError, match="expected elements"):
        in_place.fft(cla.to_device(QUEUE, values((4, 4), "f")))
    with pytest.raises(RuntimeError, match="expected shape"):
        in_place.fft(cla.to_device(QUEUE, values((4, 5), "F")))
    out_of_place = VkFFTApp((4, 4), np.complex64, QUEUE, inplace=False)
    with pytest.raises(RuntimeError, match="out of place"):
        out_of_place.fft(x)
    with pytest.raises(RuntimeError, match="out of place"):
        out_of_place.fft(x, x)
    for array in (None, np.zeros((4, 4), "F")):
        with pytest.raises(RuntimeError, match="src: expected a pyopencl.array.Array, got"):
            in_place.fft(array)
    with pytest.raises(RuntimeError, match="PyOpenCL, CuPy or PyCUDA"):
        vkfft.fftn(np.zeros(4, "F"))


def test_dense_arrays_of_another_shape_serve() -> None:
    x = values((2, 8), "F")
    app = VkFFTApp((2, 8), np.complex64, QUEUE, ndim=1)
    assert_near(app.fft(cla.to_device(QUEUE, x.reshape(16))).reshape(2, 8), fft.fft(x))


def test_geometry() -> None:
    assert geometry((2, 3), None, None, None, False, True, False).axes == (0, 1)
    fortran = geometry((6, 3), None, (0, 1), (4, 24), True, True, False)
    assert (fortran.axes, fortran.logical, fortran.halved) == ((1, 0), (4, 3), (3, 3))
    ambiguous = geometry((3, 1), None, (-1, -2), (4, 4), True, False, False)
    assert (ambiguous.fast_axis, ambiguous.halved) == (0, (2, 1))
    with pytest.raises(RuntimeError, match="more than one element"):
        geometry((3, 1), 1, None, None, False, True, False)


def test_the_cache_of_apps() -> None:
    x = cla.to_device(QUEUE, values((8,), "F"))
    vkfft.fftn(x)
    vkfft.fftn(x)
    assert vkfft._app.cache_info().hits >= 1
    vkfft.clear_vkfftapp_cache()
    assert vkfft._app.cache_info().currsize == 0
