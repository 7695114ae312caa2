"""PyOpenCL's arrays: against SciPy, on their own context, queue and allocator, in order by events."""

from __future__ import annotations

import itertools
import os
from typing import Any

import numpy as np
import pytest

os.environ.setdefault("OCL_ICD_VENDORS", "/etc/OpenCL/vendors")
cl = pytest.importorskip("pyopencl")
cla = pytest.importorskip("pyopencl.array")
fft = pytest.importorskip("scipy.fft")

import seichefft  # noqa: E402


def _first_device() -> Any:
    try:
        return next(device for platform in cl.get_platforms() for device in platform.get_devices())
    except (cl.Error, StopIteration):
        pytest.skip("there is no OpenCL device", allow_module_level=True)


DEVICE = _first_device()
CONTEXT = cl.Context([DEVICE])
QUEUE = cl.CommandQueue(CONTEXT)
NAMES = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]


def numbers(shape: tuple[int, ...], dtype: str, seed: int = 1, queue: Any = QUEUE) -> Any:
    generator = np.random.default_rng(seed)
    x = generator.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * generator.standard_normal(shape)
    return cla.to_device(queue, x.astype(dtype))


def host(x: Any) -> Any:
    """Of an array of any strides, which PyOpenCL does not bring back by itself."""
    if x.flags.forc:
        return x.get()
    base = np.empty(x.base_data.size // x.dtype.itemsize, x.dtype)
    cl.enqueue_copy(x.queue, base, x.base_data, wait_for=x.events)
    return np.lib.stride_tricks.as_strided(base[x.offset // x.dtype.itemsize :], x.shape, x.strides).copy()


def assert_near(got: Any, want: Any) -> None:
    assert isinstance(got, cla.Array)
    assert got.shape == want.shape and got.dtype == want.dtype
    tolerance = 1e-12 if got.dtype.char in "dD" else 2e-6
    assert np.linalg.norm(host(got) - want) <= tolerance * np.linalg.norm(want) + 1e-300


@pytest.mark.parametrize(("name", "is_double"), [*((name, False) for name in NAMES), ("fft", True), ("irfft", True)])
def test_as_scipy(name: str, is_double: bool) -> None:
    real, complex_ = ("d", "D") if is_double else ("f", "F")
    dtype = real if name in ("rfft", "ihfft") else complex_
    for shape, n, axis, norm in [((9,), None, -1, None), ((4, 6, 8), 5, 1, "ortho"), ((3, 16), 20, -1, "forward")]:
        x = numbers(shape, dtype)
        before = x.get()
        want = getattr(fft, name)(before, n, axis, norm)
        for _ in range(2):
            assert_near(getattr(seichefft.fft, name)(x, n, axis, norm), want)
        out = cla.empty(QUEUE, want.shape, want.dtype)
        assert getattr(seichefft.fft, name)(x, n, axis, norm, out=out) is out
        assert_near(out, want)
        assert np.array_equal(x.get(), before)
    x = numbers((4, 6, 8), dtype)
    assert_near(getattr(seichefft.fft, name + "n")(x), getattr(fft, name + "n")(x.get()))
    with fft.set_backend(seichefft, only=True):
        assert_near(getattr(fft, name + "2")(x), getattr(seichefft.fft, name + "2")(x.get()))


def test_cosines_and_sines() -> None:
    x = numbers((3, 8), "f")
    for name, kind, norm in [("dct", 1, None), ("dct", 2, None), ("idst", 3, "ortho"), ("dctn", 4, None)]:
        assert_near(getattr(seichefft.fft, name)(x, kind, norm=norm), getattr(fft, name)(x.get(), kind, norm=norm))


@pytest.mark.parametrize("dtype", ["e", "b", "B", "h", "H", "i", "I", "l", "L", "?", "f", "d"])
def test_types(dtype: str) -> None:
    x = cla.to_device(QUEUE, np.arange(12).astype(dtype))
    for _ in range(2):
        result = seichefft.fft.fft(x)
        assert_near(result, fft.fft(x.get().astype("f" if dtype in "ef" else "d")))


def test_halves() -> None:
    from seichefft._arrays._pyopencl import COMPLEX32

    values = np.random.default_rng(2).standard_normal((6, 2)).astype(np.float16)
    x = cla.to_device(QUEUE, values.view(COMPLEX32)[:, 0].copy())
    want = fft.fft(values.astype("f")[:, 0] + 1j * values.astype("f")[:, 1])
    assert_near(seichefft.fft.fft(x), want.astype("F"))
    plan = seichefft.Plan(6, "complex32", device=seichefft.Device.of(x))
    result = plan(x)
    assert result.dtype == COMPLEX32
    got = result.get().view(np.float16).reshape(6, 2).astype("f")
    assert np.allclose(got[:, 0] + 1j * got[:, 1], want, atol=4e-3 * abs(want).max())


def test_views() -> None:
    x = numbers((6, 8, 10), "F")
    views = [x.transpose((2, 0, 1)), x[::2, ::-1], x[:, :, 3], x[::-1], x[1:, 2:], x[5], x[:, ::3]]
    for view, axis in itertools.product(views, (0, -1)):
        for _ in range(2):
            assert_near(seichefft.fft.fft(view, axis=axis), fft.fft(host(view), axis=axis))
    real = numbers((65,), "f")[1:]
    for _ in range(2):
        assert_near(seichefft.fft.rfft(real), fft.rfft(host(real)))


def test_out_of_any_strides() -> None:
    x = numbers((4, 8), "F")
    for make in (lambda big: big[:4, :8], lambda big: big[::-2, 1:9], lambda big: big[1:9, :4].T):
        big = cla.zeros(QUEUE, (9, 9), np.dtype("F"))
        out = make(big)
        if out.shape != (4, 8):
            out = out[:4, :8]
        assert seichefft.fft.fft(x, out=out) is out
        QUEUE.finish()
        assert_near(out, fft.fft(x.get()))
        whole = big.get()
        assert np.isclose(np.linalg.norm(whole), np.linalg.norm(fft.fft(x.get())), rtol=1e-5)


def test_overwrite_and_out_over_the_input() -> None:
    x = numbers((4, 8), "D")
    want = fft.fft(x.get())
    assert_near(seichefft.fft.fft(x.copy(), overwrite_x=True), want)
    seichefft.fft.fft(x, out=x)
    assert_near(x, want)
    pair = numbers((8, 8), "F")
    want = fft.fft(pair.get()[:4])
    seichefft.fft.fft(pair[:4], out=pair[2:6])  # which overlap
    assert_near(pair[2:6], want)


def test_helpers() -> None:
    x = numbers((5, 6), "f")
    assert np.array_equal(seichefft.fft.fftshift(x).get(), np.fft.fftshift(x.get()))
    assert np.array_equal(seichefft.fft.ifftshift(x, axes=0).get(), np.fft.ifftshift(x.get(), axes=0))


def test_queues_are_in_order_by_events() -> None:
    first, second = cl.CommandQueue(CONTEXT), cl.CommandQueue(CONTEXT)
    gate = cl.UserEvent(CONTEXT)
    x = numbers((16, 64), "F", queue=first)
    values = x.get()
    late = cla.zeros(first, x.shape, x.dtype)
    late.add_event(cl.enqueue_copy(second, late.base_data, x.base_data, wait_for=[gate]))
    result = seichefft.fft.fft(late)  # on the first queue, after the copy on the second
    shifted = result.with_queue(second) + 1
    gate.set_status(cl.command_execution_status.COMPLETE)
    assert_near(result, fft.fft(values))
    assert np.allclose(shifted.get(), fft.fft(values) + 1, atol=1e-4)


def test_allocator() -> None:
    class Counting:
        def __init__(self) -> None:
            self.calls: list[int] = []

        def __call__(self, count: int) -> Any:
            self.calls.append(count)
            return cl.Buffer(CONTEXT, cl.mem_flags.READ_WRITE, count)

    counting = Counting()
    x = cla.to_device(QUEUE, np.ones((3, 20011), "F"), allocator=counting)
    counting.calls.clear()
    result = seichefft.fft.fft(x)
    assert result.allocator is counting and result.queue is QUEUE
    assert result.nbytes in counting.calls
    pool = cl.tools.MemoryPool(cl.tools.ImmediateAllocator(QUEUE))
    x = cla.to_device(QUEUE, np.ones(1000, "F"), allocator=pool)
    for _ in range(3):
        assert_near(seichefft.fft.fft(x), fft.fft(np.ones(1000, "F")))


def test_shared_virtual_memory() -> None:
    if not DEVICE.svm_capabilities & cl.device_svm_capabilities.COARSE_GRAIN_BUFFER:
        pytest.skip("the device has no shared virtual memory")
    allocator = cl.tools.SVMAllocator(CONTEXT, alignment=0, queue=QUEUE)
    values = np.random.default_rng(3).standard_normal((4, 10)).astype("f")
    x = cla.to_device(QUEUE, values, allocator=allocator)
    assert_near(seichefft.fft.rfft(x), fft.rfft(values))
    assert_near(seichefft.fft.rfft(x[1:]), fft.rfft(values[1:]))


def test_plans() -> None:
    x = numbers((4, 32), "F")
    device = seichefft.Device.of(x)
    assert device.backend == "opencl" and device == seichefft.Device.of(numbers((2,), "f"))
    plan = seichefft.Plan((32,), "complex64", batch=4, device=device)
    assert_near(plan(x), fft.fft(x.get()))
    assert_near(plan(x[:2]), fft.fft(x.get()[:2]))
    assert_near(seichefft.fft.fft(x, plan=plan), fft.fft(x.get()))
    window = numbers((32,), "f", 5)
    plan = seichefft.Plan(32, "complex64", forward_load="return value * window[i0];", device=device, window=window)
    assert_near(plan(x[1]), fft.fft(x.get()[1] * window.get()))
    plan = seichefft.Plan(32, "float32", kind="r2c", in_place=True, device=device)
    real = numbers((34,), "f")
    want = fft.rfft(real.get()[:32])
    assert_near(plan(real[:32]), want)


def test_convolution() -> None:
    x, kernel = numbers((2, 50), "f"), numbers((7,), "f", 2)
    plan = seichefft.ConvolutionPlan(50, 7, "float32", batch=2, device=seichefft.Device.of(x))
    want = np.stack([np.convolve(row, kernel.get()) for row in x.get()])
    result = plan(x, kernel)
    assert np.allclose(result.get(), want, atol=1e-4)
    out = cla.empty(QUEUE, want.shape, np.dtype("f"))
    assert plan(x, plan.prepare(kernel), out=out) is out
    assert np.allclose(out.get(), want, atol=1e-4)
    with pytest.raises(TypeError, match="ConvolutionPlan"):
        seichefft.signal.fftconvolve(x[0], kernel)


def test_spectral_plan() -> None:
    x, weights = numbers((2, 50), "f"), numbers((26,), "f", 2)
    plan = seichefft.SpectralPlan(
        50,
        "float32",
        middle="return gain * weights[i0] * value;",
        store="store level[50 * batch + i0] = value * value; return value;",
        batch=2,
        device=seichefft.Device.of(x),
        weights=weights,
        gain=1.0,
        level="f32[100]",
    )
    level = cla.zeros(QUEUE, (2, 50), np.dtype("f"))
    want = np.fft.irfft(3 * weights.get() * np.fft.rfft(x.get().astype("d")), 50)
    result = plan(x, gain=3.0, level=level)
    assert isinstance(result, cla.Array) and np.allclose(result.get(), want, atol=1e-4)
    assert np.allclose(level.get(), want**2, atol=1e-3)
    out = cla.empty(QUEUE, (2, 50), np.dtype("f"))
    assert plan(x, out, gain=3.0, level=level) is out
    assert np.allclose(out.get(), want, atol=1e-4)
    with pytest.raises(TypeError, match="weights: expected an array of pyopencl, as x is, got ndarray"):
        plan(x, weights=weights.get(), gain=3.0, level=level)
    with pytest.raises(TypeError, match="SpectralPlan"):
        seichefft.spectral.poisson(x)


def test_contexts_are_let_go() -> None:
    from seichefft._arrays import _pyopencl

    for _ in range(_pyopencl._MOST_CONTEXTS + 3):
        queue = cl.CommandQueue(cl.Context([DEVICE]))
        assert_near(seichefft.fft.fft(numbers((4,), "F", queue=queue)), fft.fft(numbers((4,), "F").get()))
    assert len(_pyopencl._devices) == _pyopencl._MOST_CONTEXTS
    assert_near(seichefft.fft.fft(numbers((4,), "F")), fft.fft(numbers((4,), "F").get()))


def test_what_is_refused() -> None:
    x = numbers((4, 8), "F")
    with pytest.raises(TypeError, match="real"):
        seichefft.fft.rfft(x)
    with pytest.raises(TypeError, match="out: expected an array of pyopencl"):
        seichefft.fft.fft(x, out=np.empty((4, 8), "F"))
    with pytest.raises(ValueError, match="out: expected shape"):
        seichefft.fft.fft(x, out=cla.empty(QUEUE, (4, 7), np.dtype("F")))
    with pytest.raises(ValueError, match="command queue"):
        seichefft.fft.fft(x.with_queue(None))
    properties = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    out_of_order = cl.CommandQueue(CONTEXT, properties=properties)
    with pytest.raises(seichefft.Unsupported, match="in order"):
        seichefft.fft.fft(x.with_queue(out_of_order))
    other = cl.CommandQueue(cl.Context([DEVICE]))
    with pytest.raises(ValueError, match="context"):
        seichefft.fft.fft(x, out=cla.empty(other, (4, 8), np.dtype("F")))


def test_what_a_newcomer_gives():
    numbers = np.arange(12.0).reshape(3, 4)
    swapped = cla.to_device(QUEUE, numbers.astype(">f4"))
    with pytest.raises(TypeError, match="x: expected elements of float16, .*, got >f4"):
        seichefft.fft.fft(swapped)
    x = cla.to_device(QUEUE, numbers)
    np.testing.assert_allclose(seichefft.fft.fht(x, 0.1, 0.5).get(), seichefft.fft.fht(numbers, 0.1, 0.5), rtol=1e-12)
    for device in ("cpu", "reference"):
        with pytest.raises(ValueError, match="x: expected an array of the host or of .*, where the plan runs"):
            seichefft.Plan(4, "float64", kind="r2c", batch=3, device=device)(x)
    with pytest.raises(ValueError, match="x: expected an array of the host or of cpu:0|kernels: expected"):
        seichefft.ConvolutionPlan(4, 2, batch=3, device="cpu")(x, np.ones(2))
