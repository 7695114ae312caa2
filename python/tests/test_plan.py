"""Plans: features of a problem, stages, saving, errors, what a notebook shows."""

from __future__ import annotations

import copy
import pickle
import xml.etree.ElementTree

import numpy as np
import pytest
import scipy.signal

import seichefft
from conftest import assert_near, exact_dft, random_array
from seichefft import ConvolutionPlan, Plan


def test_both_directions(rng, device):
    x = random_array(rng, (5, 12), "F")
    plan = Plan(12, "complex64", batch=3, norm="backward", device=device)
    assert plan.input_shape == plan.output_shape == (3, 12)
    spectrum = plan(x)  # another batch than the plan's
    assert_near(spectrum, exact_dft(x, 1), "F", 12)
    assert_near(plan.inverse(spectrum), x, "F", 12, most=6)
    out = np.empty_like(x)
    assert plan(x, out) is out
    np.testing.assert_array_equal(out, spectrum)


def test_text(rng):
    plan = Plan("6x10 r2c f64 batch=2 axes=1")
    x = random_array(rng, (2, 6, 10), "d")
    assert_near(plan(x), np.fft.rfft(x), "d", 10)
    assert Plan(plan.problem).problem == plan.problem


def test_axes_strides_and_real_kinds(rng, device):
    memory = random_array(rng, (6, 16), "f")
    plan = Plan((6, 8), "float32", kind="dct2", axes=(0,), input_strides=(16, 2), output_strides=(1, 6), device=device)
    result = plan(memory[:, ::2])
    assert result.strides == (4, 24)
    import scipy.fft

    assert_near(result, scipy.fft.dct(memory[:, ::2].astype("d"), axis=0), "f", 6)
    mixed = Plan((6, 8), "float64", kinds=("dct2", "dst3"), kind="dct2", device=device) if device == "cpu" else None
    if mixed is not None:
        x = random_array(rng, (6, 8), "d")
        assert_near(mixed(x), scipy.fft.dst(scipy.fft.dct(x, axis=0), 3, axis=1), "d", 48)


def test_in_place(rng, device):
    x = random_array(rng, (4, 10), "D")
    expected = exact_dft(x, 1)
    if device == "vulkan":
        x = x.astype("F")
    plan = Plan((4, 10), x.dtype, axes=(1,), in_place=True, device=device)
    assert plan(x) is x
    assert_near(x, expected, x.dtype.char, 10)


def test_real_in_place_gives_the_same_memory_as_complex_numbers(rng, device):
    memory = np.zeros((4, 12), "f")
    memory[:, :10] = random_array(rng, (4, 10), "f")
    expected = np.fft.rfft(memory[:, :10].astype("d"))
    spectrum = Plan((4, 10), "float32", kind="r2c", axes=(1,), in_place=True, device=device)(memory[:, :10])
    assert spectrum.shape == (4, 6) and np.shares_memory(spectrum, memory)
    assert_near(spectrum, expected, "f", 10)


def test_in_place_the_memory_must_hold_the_result():
    memory = np.zeros(62, "f")
    rows = np.lib.stride_tricks.as_strided(memory, (8, 6), (32, 4))
    plan = Plan((8, 6), "float32", kind="r2c", axes=(1,), in_place=True)
    with pytest.raises(ValueError, match="x: expected memory of 256 bytes for the result in place, got 248"):
        plan(rows)


def test_in_place_with_two_layouts(rng):
    memory = np.zeros((4, 16), "D")
    memory[:, :8] = random_array(rng, (4, 8), "D")
    expected = exact_dft(memory[:, :8], 1)
    plan = Plan((4, 8), axes=(1,), in_place=True, input_strides=(16, 1), output_strides=(1, 4))
    result = plan(memory[:, :8])
    assert result.strides == (16, 64) and np.shares_memory(result, memory)
    assert_near(result, expected, "D", 8)


def test_planar(rng, device):
    real, imaginary = random_array(rng, (2, 3, 9), "f")
    plan = Plan(9, "complex64", batch=3, planar=True, device=device)
    result = plan((real, imaginary))
    assert_near(result[0] + 1j * result[1], exact_dft(real + 1j * imaginary, 1), "f", 9)
    with pytest.raises(TypeError, match="x: expected a pair of real arrays"):
        plan(real + 1j * imaginary)


def test_pruning(rng):
    x = random_array(rng, (16,), "D")
    x[10:] = np.nan
    padded = np.where(np.arange(16) < 10, x, 0)
    plan = Plan(16, signal_zeros=[(0, 10, 16)], spectrum_zeros=[(0, 4, 16)])
    assert_near(plan(x)[:4], exact_dft(padded, 0)[:4], "D", 16, most=6)


def test_pass_order(rng):
    n = 2**16
    x = random_array(rng, (n,), "F")
    plan = Plan(n, "complex64", order="pass", in_place=True, tuning="passes=256x256")
    exact = np.fft.fft(x.astype("D"))
    spectrum = plan(x)
    places = [plan.spectrum_index(0, position) for position in (0, 1, 2, 300, 4097)]
    assert places != [0, 1, 2, 300, 4097]
    np.testing.assert_allclose(spectrum[[0, 1, 2, 300, 4097]], exact[places], atol=2e-3)


def test_longdouble(rng):
    x = random_array(rng, (12,), "G")
    assert_near(Plan(12, "clongdouble")(x), exact_dft(x, 0), "G", 12)


def test_half_storage(rng, device):
    x = rng.standard_normal(16).astype(np.float16)
    result = Plan(16, "float16", kind="r2c", device=device)(x)
    assert result.dtype == np.float16 and result.shape == (9, 2)
    np.testing.assert_allclose(result[:, 0] + 1j * result[:, 1], np.fft.rfft(x.astype("d")), atol=1e-2)


class TestStages:
    def test_load_and_store_with_arrays_and_numbers(self, rng, device):
        x, window = random_array(rng, (3, 16), "f"), np.hanning(16).astype("f")
        level = np.zeros((3, 9), "f")
        plan = Plan(
            16,
            "float32",
            kind="r2c",
            batch=3,
            forward_load="return value * window[i0] * gain;",
            forward_store="store level[batch * 9 + i0] = norm(value); return value;",
            window=window,
            gain=2.0,
            level="f32[27]",
            device=device,
        )
        expected = np.fft.rfft(x * window * 2.0)
        assert_near(plan(x, level=level), expected, "f", 16, most=6)
        np.testing.assert_allclose(level, np.abs(expected) ** 2, rtol=1e-4, atol=1e-5)
        assert_near(plan(x, gain=1.0, level=level), expected / 2, "f", 16, most=6)

    def test_input_from_a_buffer_alone(self):
        samples = np.array([0, 255, 128, 7], np.uint8)
        plan = Plan(4, "float64", kind="r2c", forward_load="return samples[i0] - 128;", samples=samples)
        np.testing.assert_allclose(plan(), np.fft.rfft(samples.astype(float) - 128), atol=1e-12)

    @pytest.mark.parametrize(
        "make, error, words",
        [
            (lambda: Plan(4, foo=1), TypeError, "Plan() got 'foo', which is no parameter and which no stage names"),
            (lambda: Plan(4, forward_load="return value * w[i0];", w=np.ones(3)), ValueError, "forward_load: line 1"),
            (lambda: Plan(4, forward_load="return value * w[i0];", w="f12"), ValueError, "w: expected an array"),
            (
                lambda: Plan(4, forward_load="return value * w[i0];", w=np.ones(4, "D")),
                TypeError,
                "w: expected elements",
            ),
            (
                lambda: Plan(4, forward_load="return value * w[i0];", w="f32[4]")(np.ones(4, "D")),
                TypeError,
                "w: expected f32[4]",
            ),
            (
                lambda: Plan(4, forward_load="return value * g;", g=1.0)(np.ones(4, "D"), h=2),
                TypeError,
                "h: expected one of",
            ),
        ],
    )
    def test_errors(self, make, error, words):
        with pytest.raises(error) as raised:
            make()
        assert str(raised.value).startswith(words)


def test_saved(rng, device):
    x = random_array(rng, (2, 24), "F")
    plan = Plan(24, "complex64", batch=2, norm="ortho", device=device)
    again = Plan.load(plan.save(), device)
    np.testing.assert_array_equal(again(x), plan(x))
    assert again.input_shape == (2, 24)
    with pytest.raises(ValueError):
        Plan.load(plan.save()[:-7], device)
    with pytest.raises(ValueError, match="load: expected the bytes of a plan"):
        Plan.load(b"nonsense", device)


def test_workspace_of_the_callers(rng):
    n = 2**20
    x = random_array(rng, (n,), "F")
    plan = Plan(n, "complex64", tuning="passes=1024x1024")
    if plan.workspace_bytes:
        room = np.empty(plan.workspace_bytes, np.uint8)
        np.testing.assert_array_equal(plan(x, workspace=room), plan(x))
        with pytest.raises(ValueError, match="workspace: expected at least"):
            plan(x, workspace=room[:-1])


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda: Plan(4)(np.ones(5, "D")), ValueError, "x: expected shape (4,), got (5,)"),
        (lambda: Plan(4)(np.ones(4)), TypeError, "x: expected elements complex f64, got real f64"),
        (lambda: Plan(4)(np.ones(8, "D")[::2]), ValueError, "x: expected strides of (1,) elements, got (2,)"),
        (lambda: Plan(4)(np.ones(4, "D"), np.ones(3, "D")), ValueError, "out: expected shape (4,), got (3,)"),
        (lambda: Plan(4)(), TypeError, "x: expected an array, got None"),
        (lambda: Plan(4, batch=2)(np.ones((3, 5), "D")), ValueError, "x: expected shape (batch, 4), got (3, 5)"),
        (lambda: Plan(0), ValueError, "lengths[0]: expected at least 1"),
        (lambda: Plan(4, "int32"), TypeError, "dtype: expected one of"),
        (lambda: Plan(4, kind="c2x"), ValueError, "kind: expected one of c2c"),
        (lambda: Plan(4, norm="ortho", forward_scale=2.0), ValueError, "norm: expected None"),
        (lambda: Plan(4, device=3), TypeError, "device: expected a seichefft.Device"),
        (lambda: Plan(4)(np.ones(4, "D"), direction="up"), ValueError, "direction: expected"),
        (lambda: Plan("4 c2c f33"), ValueError, ""),
    ],
)
def test_errors(call, error, words):
    with pytest.raises(error) as raised:
        call()
    assert str(raised.value).startswith(words)
    assert "\n" not in str(raised.value)


C = np.ones(8, complex)
LOAD = "return value * g;"


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda: Plan(-1), ValueError, "shape[0]: expected 0 or more, got -1"),
        (lambda: Plan(2**70), ValueError, "shape[0]: expected 0 to 2^63 - 1, got 1180591620717411303424"),
        (lambda: Plan(2.5), TypeError, "shape: expected a sequence, got 2.5"),
        (lambda: Plan((2.5,)), TypeError, "shape[0]: expected an integer, got 2.5"),
        (lambda: Plan(8, norm=[1]), TypeError, "norm: expected text, got list"),
        (lambda: Plan(8)(C, direction=3), TypeError, "direction: expected text, got 3"),
        (lambda: Plan(8).source(3), TypeError, "dialect: expected text, got 3"),
        (lambda: Plan(8).spectrum_index(2**40, 0), ValueError, "axis: expected 0 to 2147483647"),
        (lambda: Plan(8, forward_load=LOAD, g=f"f32[{10**30}]"), ValueError, "g: expected 0 to 2^63 - 1"),
        (lambda: Plan(8, forward_load="return value * g[i0];", g="f32[8]")(C, g=3), TypeError, "g: expected elements"),
        (lambda: Plan(8, batch=-1), ValueError, "batch: expected 0 or more, got -1"),
        (lambda: Plan(8, axes=()), ValueError, "axes: expected at least one, or None for all, got none"),
        (lambda: Plan(8, axes="0"), TypeError, "axes: expected a sequence, got str"),
        (lambda: Plan((8, 8), axes=(2**70,)), ValueError, "axes: expected -2147483648 to 2147483647"),
        (lambda: Plan(8, kind="r2c", dtype="f", halved_axis="x"), TypeError, ""),
        (lambda: Plan(8, kind=3), TypeError, "kind: expected text, got 3"),
        (lambda: Plan(8, input_strides=3), TypeError, "input_strides: expected a sequence, got 3"),
        (lambda: Plan(8, input_strides=(2**70,)), ValueError, "input_strides[0]: expected -2^63 to 2^63 - 1"),
        (lambda: Plan(8, signal_zeros=[(0, 1)]), ValueError, "signal_zeros[0]: expected (axis, begin, end), got 2"),
        (lambda: Plan(8, signal_zeros=[(0, -1, 2)]), ValueError, "signal_zeros[0].begin: expected 0 or more, got -1"),
        (lambda: Plan(8, forward_scale=1j), TypeError, "forward_scale: expected a real number, got 1j"),
        (lambda: Plan(8, forward_scale=2**2000), ValueError, "forward_scale: expected a number in the range"),
        (lambda: Plan(8, forward_load=3), TypeError, "forward_load: expected text, got 3"),
        (lambda: Plan(8, forward_load=LOAD, g=2**40), ValueError, "g: expected -2147483648 to 2147483647"),
        (lambda: Plan(8, forward_load=LOAD, g=1.0)(C, g="a"), TypeError, "g: expected a number, got str"),
        (lambda: Plan(8, forward_load=LOAD, g=1.0)(C, g=1j), TypeError, "g: expected a real number, got 1j"),
        (lambda: Plan(8, forward_load=LOAD, g=1)(C, g=1.5), TypeError, "g: expected an integer, got 1.5"),
        (lambda: Plan(8)(C, stream="a"), TypeError, "stream: expected an integer, got str"),
        (lambda: Plan(8)(C[::-1]), ValueError, "x: expected strides of (1,) elements, got (-1,)"),
        (lambda: Plan(8)(C.astype(">c16")), ValueError, "x: expected strides of (1,) elements, got an array that is"),
        (lambda: Plan(8).spectrum_index(0, -1), ValueError, "position: expected 0 or more, got -1"),
        (lambda: Plan.load("abc"), TypeError, "load: expected bytes, got str"),
        (lambda: Plan("8 c2c f32", batch=4), TypeError, "batch: expected nothing besides a problem as text"),
        (lambda: seichefft.Device(3), TypeError, "name: expected text, got 3"),
        (lambda: seichefft.config.set_threads(2**70), ValueError, "threads: expected 0 to 1024, got 118"),
        (lambda: seichefft.config.set_threads(1.5), TypeError, "threads: expected an integer, got 1.5"),
        (lambda: seichefft.ConvolutionPlan(8, 3, mode="full batch=3"), ValueError, "mode: expected 'full', 'same'"),
        (lambda: seichefft.ConvolutionPlan(8.5, 3), TypeError, "signal: expected a sequence, got 8.5"),
        (lambda: seichefft.ConvolutionPlan(8, 3, batch=-1), ValueError, "batch: expected 0 or more, got -1"),
        (lambda: seichefft.ConvolutionPlan("8 * 3 full f64", batch=2), TypeError, "signal: expected nothing besides"),
        (lambda: seichefft.ConvolutionPlan.load(3), TypeError, "load: expected bytes, got 3"),
    ],
)
def test_arguments_of_wrong_types_and_ranges(call, error, words):
    with pytest.raises(error) as raised:
        call()
    assert str(raised.value).startswith(words)
    assert "\n" not in str(raised.value) and "std::" not in str(raised.value)


@pytest.mark.parametrize("planar", (False, True))
def test_strides_below_zero(rng, device, planar):
    x, out = random_array(rng, (3, 6, 8), "F"), np.empty((3, 6, 8), "F")
    exact = np.fft.fft2(x[::-1, :, ::-1])
    plan = Plan(
        (6, 8), "complex64", batch=3, input_strides=(8, -1), input_distance=-48, output_strides=(-8, 1),
        planar=planar, device=device,
    )  # fmt: skip
    if planar:
        parts = [np.ascontiguousarray(part)[::-1, :, ::-1] for part in (x.real, x.imag)]
        into = [np.empty((3, 6, 8), "f")[:, ::-1] for _ in range(2)]
        got = plan(tuple(parts), tuple(into))
        assert got[0] is into[0]
        assert_near(got[0] + 1j * got[1], exact, "F", 48)
        return
    for _ in range(2):
        assert_near(plan(x[::-1, :, ::-1], out[:, ::-1]), exact, "F", 48)
    result = plan(x[::-1, :, ::-1])
    assert result.strides == (6 * 64, -64, 8)
    assert_near(result, exact, "F", 48)
    with pytest.raises(ValueError, match="x: expected a batch of 3, as the plan's arrays follow each other backwards"):
        plan(x[1::-1, :, ::-1])
    y = x.copy()
    in_place = Plan((6, 8), "complex64", batch=3, in_place=True, input_strides=(-8, -1), device=device)
    assert_near(in_place(y[:, ::-1, ::-1]), np.fft.fft2(x[:, ::-1, ::-1]), "F", 48)
    assert_near(y[:, ::-1, ::-1], np.fft.fft2(x[:, ::-1, ::-1]), "F", 48)
    memory = np.zeros((6, 10), "f")
    memory[:, :8] = x[0].real
    spectrum = Plan((6, 8), "f4", kind="r2c", in_place=True, output_strides=(-5, 1), device=device)(memory[::-1, :8])
    assert_near(spectrum, np.fft.rfft2(x[0].real[::-1]), "F", 48)
    assert_near(memory.view("F")[::-1], np.fft.rfft2(x[0].real[::-1]), "F", 48)
    in_parts = Plan(8, "F", input_part_bytes=32, input_strides=(-1,), output_strides=(-1,), device=device)
    row = x[0, 0].copy()
    assert_near(in_parts([row[:4], row[4:]]), np.fft.fft(row[::-1]), "F", 8)
    with pytest.raises(ValueError, match="input byte offset: expected 56, the bytes before the first element, got 64"):
        Plan("8 istrides=-1 ioffset=64")


def test_flags_and_numbers_of_numpy_are_taken():
    x = np.ones((2, 8), complex)
    strides = np.array(x.strides) // x.itemsize
    plan = Plan(
        np.int64(8), batch=np.int32(2), in_place=np.True_, forward_scale=np.float32(2), output_strides=strides[1:]
    )
    assert plan(x) is x and x[1, 0] == 16
    assert Plan(np.array(8), "c8").problem == Plan(8, "F").problem == Plan(8, np.complex64).problem == "8 c2c f32"
    assert seichefft.ConvolutionPlan(8, 3, "F").convolution == seichefft.ConvolutionPlan(8, 3, "complex64").convolution
    plan = Plan(8, forward_load=LOAD, g=np.float32(3))
    assert plan(C)[0] == 24 and plan(C, g=np.array(2.0))[0] == 16


def test_read_only_memory_stays_as_it_is():
    x, out = np.ones(8, complex), np.zeros(8, complex)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="out: expected a writable array"):
        Plan(8)(x, out=out)
    with pytest.raises(ValueError, match="x: expected a writable array"):
        Plan(8, in_place=True)(out)
    stored = np.zeros(8)
    stored.flags.writeable = False
    plan = Plan(8, forward_store="store kept[i0] = norm(value); return value;", kept="f64[8]")
    with pytest.raises(ValueError, match="kept: expected a writable array"):
        plan(x, kept=stored)
    parts = Plan(8, output_part_bytes=64)
    with pytest.raises(ValueError, match="out: expected a writable array"):
        parts(x, out=[out[:4], out[4:]])
    assert not out.any()


def test_convolutions_write_where_they_are_told(rng, device):
    plan = ConvolutionPlan(64, 5, "float32", device=device)
    x, kernel = random_array(rng, 64, "f"), random_array(rng, 5, "f")
    expected = plan(x, kernel)
    memory = np.full((68, 2), 7, np.float32)
    for out in (np.empty(68, np.float32), memory[:, 0], np.empty(68, np.float32)[::-1]):
        assert plan(x, kernel, out=out) is out
        np.testing.assert_array_equal(out, expected)
    assert (memory[:, 1] == 7).all()
    memory = np.zeros(70, np.float32)
    memory[:64] = x
    plan(memory[:64], kernel, out=memory[2:])
    np.testing.assert_array_equal(memory[2:], expected)
    memory.flags.writeable = False
    with pytest.raises(ValueError, match="out: expected a writable array"):
        plan(x, kernel, out=memory[2:])
    with pytest.raises(TypeError, match="out: expected an array of numpy, got list"):
        plan(x, kernel, out=[0.0] * 68)


@pytest.mark.parametrize("n", (8, 1 << 17))  # of one pass, and of several
def test_out_may_overlap_the_input(rng, device, n):
    x = random_array(rng, n, "F")
    plan = Plan(n, "complex64", device=device)
    expected = plan(x)
    memory = np.zeros(n + 5, np.complex64)
    memory[:n] = x
    out = memory[5:]
    assert plan(memory[:n], out=out) is out
    np.testing.assert_array_equal(out, expected)
    assert plan(x, out=x) is x
    np.testing.assert_array_equal(x, expected)
    halves = Plan(n, "complex64", device=device, planar=True)
    pair = expected.real.copy(), expected.imag.copy()
    transformed = halves(pair)
    assert halves(pair, out=pair) is pair
    np.testing.assert_array_equal(pair[0], transformed[0])


def test_a_plan_in_place_keeps_what_the_function_has_to_keep(rng):
    x = random_array(rng, 8, "D")
    kept = x.copy()
    plan = Plan(8, in_place=True)
    np.testing.assert_allclose(seichefft.fft.fft(x, plan=plan), np.fft.fft(kept))
    np.testing.assert_array_equal(x, kept)


def test_plans_and_devices_go_to_other_processes(rng, device):
    x = random_array(rng, (3, 12), "F")
    plan = Plan(12, "complex64", batch=3, norm="ortho", device=device)
    again = pickle.loads(pickle.dumps(plan))
    assert (again.problem, again.device) == (plan.problem, plan.device)
    np.testing.assert_array_equal(again(x), plan(x))
    convolution = ConvolutionPlan(12, 3, "complex64", batch=3, device=device)
    kernel = random_array(rng, 3, "F")
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(convolution))(x, kernel), convolution(x, kernel))
    assert copy.copy(plan) is copy.deepcopy(plan) is plan and copy.deepcopy(convolution) is convolution
    assert copy.deepcopy({"on": plan.device}) == {"on": plan.device}
    with pytest.raises(TypeError, match="Plan: expected one without stages to pickle"):
        pickle.dumps(Plan(8, forward_load=LOAD, g=1.0))


def test_report_source_and_page():
    plan = Plan(16, "complex64")
    assert plan.report.kernels[0].bytes_read == 128
    assert "16 c2c f32" in str(plan.report)
    assert "__kernel" in plan.source("opencl")[0]["source"]
    page = plan._repr_html_()
    assert page.count("<svg") == 1
    root = xml.etree.ElementTree.fromstring(page)
    assert len(root.findall(".//{http://www.w3.org/2000/svg}line")) >= 64
    assert "<svg" not in Plan(4096, "complex64")._repr_html_()


def test_of_the_functions_argument(rng):
    x = random_array(rng, (16,), "D")
    plan = Plan(16)
    np.testing.assert_array_equal(seichefft.fft.fft(x, plan=plan), plan(x))
    with pytest.raises(ValueError, match="plan: expected one for c2c of shape"):
        seichefft.fft.fft(x[:8], plan=plan)
    with pytest.raises(ValueError, match="norm"):
        seichefft.fft.fft(x, plan=plan, norm="ortho")


class TestConvolution:
    @pytest.mark.parametrize("mode", ["full", "same", "valid"])
    def test_is_scipys(self, rng, mode, device):
        x, kernel = rng.standard_normal((3, 12, 10)), rng.standard_normal((4, 3))
        if device == "vulkan":
            x, kernel = x.astype("f"), kernel.astype("f")
        plan = ConvolutionPlan((12, 10), (4, 3), x.dtype, mode=mode, batch=2, device=device)
        expected = [scipy.signal.convolve(one, kernel, mode) for one in x]
        np.testing.assert_allclose(plan(x, kernel), expected, atol=1e-5 if device == "vulkan" else 1e-12)

    def test_prepared_once(self, rng):
        x, kernel = rng.standard_normal((2, 100)), rng.standard_normal(9)
        plan = ConvolutionPlan.load(ConvolutionPlan(100, 9, batch=2, product="correlate").save())
        spectrum = plan.prepare(kernel)
        out = np.empty(plan.output_shape)
        assert plan(x, spectrum, out) is out
        np.testing.assert_allclose(out[1], scipy.signal.correlate(x[1], kernel), atol=1e-12)
        with pytest.raises(ValueError, match="another plan"):
            ConvolutionPlan(100, 9, batch=2)(x, spectrum)

    def test_channels_complex_and_long_double(self, rng):
        x, kernels = random_array(rng, (2, 40), "F"), random_array(rng, (6, 5), "F")
        plan = ConvolutionPlan(40, 5, "complex64", inputs=2, outputs=3)
        assert (plan.input_shape, plan.kernel_shape, plan.output_shape) == ((2, 40), (6, 5), (3, 44))
        expected = np.convolve(x[0], kernels[2]) + np.convolve(x[1], kernels[3])
        np.testing.assert_allclose(plan(x, kernels)[1], expected, atol=1e-5)
        long = random_array(rng, (20,), "g")
        np.testing.assert_allclose(
            ConvolutionPlan(20, 3, "longdouble")(long, long[:3]), np.convolve(long, long[:3]), rtol=0, atol=1e-17
        )

    def test_errors(self):
        plan = ConvolutionPlan(8, 3)
        with pytest.raises(ValueError, match=r"x: expected shape \(8,\), got \(7,\)"):
            plan(np.ones(7), np.ones(3))
        with pytest.raises(TypeError, match="kernels: expected elements real f64, got real f32"):
            plan(np.ones(8), np.ones(3, "f"))
        with pytest.raises(ValueError, match="kernel: expected a shape"):
            ConvolutionPlan(8)


def test_a_call_that_repeats_another(device, rng):
    plan = seichefft.Plan(16, "complex64", batch=2, device=device, norm="backward")
    for _ in range(3):
        x = random_array(rng, (2, 16), "F")
        assert_near(plan(x), np.fft.fft(x), "F", 16)
        assert_near(plan.inverse(x), np.fft.ifft(x), "F", 16)
        assert_near(plan(x[:1]), np.fft.fft(x[:1]), "F", 16)  # another batch
        out = np.empty((2, 16), "F")
        assert plan(x, out=out) is out
        assert_near(out, np.fft.fft(x), "F", 16)
    for _ in range(2):
        x = random_array(rng, (2, 16), "F")
        want = np.fft.fft(x)
        with pytest.raises((TypeError, ValueError)):
            plan(x.astype("D"))
        with pytest.raises(ValueError):
            plan(x[:, ::2])
        assert_near(plan(x), want, "F", 16)


class TestArraysInParts:
    def test_both(self, device, rng):
        x = random_array(rng, (4, 512), "F")
        plan = Plan(512, "complex64", batch=4, input_part_bytes=4096, output_part_bytes=8192, device=device)
        source = [x[k].copy() for k in range(4)]
        result = plan(source)
        assert [part.shape for part in result] == [(1024,), (1024,)]
        assert_near(np.concatenate(result).reshape(4, 512), np.fft.fft(x), "F", 512)
        out = [np.empty((2, 512), "F") for _ in range(2)]
        assert plan.inverse([half[k : k + 512] for half in result for k in (0, 512)], out=out) is out
        assert_near(np.concatenate(out) / 512, x, "F", 512)

    def test_one(self, device, rng):
        x = random_array(rng, (3, 64), "f")
        plan = Plan(64, "float32", kind="r2c", batch=3, output_part_bytes=512, device=device)
        result = plan(x)
        assert [part.nbytes for part in result] == [512, 280]
        assert_near(np.concatenate(result).reshape(3, 33), np.fft.rfft(x), "F", 64)

    def test_in_place(self, rng):
        x = random_array(rng, (64,), "D")
        plan = Plan("64 c2c f64 in-place parts=512", device="cpu")
        parts = [x[:32].copy(), x[32:].copy()]
        assert plan(parts) is parts
        assert_near(np.concatenate(parts), np.fft.fft(x), "D", 64)

    def test_what_is_refused(self):
        plan = Plan(64, "complex64", input_part_bytes=256, device="cpu")
        part = np.zeros(32, "F")
        with pytest.raises(TypeError, match="x: expected 2 arrays, the parts of one"):
            plan(np.zeros(64, "F"))
        with pytest.raises(TypeError, match="expected 2 arrays.*got 3"):
            plan([part] * 3)
        with pytest.raises(ValueError, match=r"x\[1\]: expected at least 256 bytes, got 248"):
            plan([part, part[:31]])
        with pytest.raises(ValueError, match="dense"):
            plan([part, np.zeros(64, "F")[::2]])
        with pytest.raises(TypeError, match=r"x\[0\]: expected elements complex f32"):
            plan([np.zeros(64, "f"), part])
        with pytest.raises(ValueError, match="planar"):
            Plan(64, "complex64", input_part_bytes=256, planar=True, device="cpu")
        with pytest.raises(ValueError, match="image"):
            Plan("16x16 c2c f32 iimage=rg32f", device="cpu")
