"""Spectral plans, and the operators on them against SciPy's, NumPy's and solutions that are known."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import scipy.fftpack
import scipy.ndimage
import scipy.signal

import seichefft
from conftest import assert_near, random_array
from seichefft import SpectralPlan, spectral

#: Shapes of one array: odd and even lengths, primes, a single point, several axes.
SHAPES = [(1,), (2,), (15,), (16,), (101,), (1009,), (5, 1), (9, 7), (8, 12), (4, 3, 10), (3, 4, 5)]


def frequencies(shape, is_complex):
    """The wave numbers of each axis of the spectrum, as arrays that broadcast."""
    axes = [np.fft.fftfreq(n, 1 / n) for n in shape]
    if not is_complex:
        axes[-1] = np.fft.rfftfreq(shape[-1], 1 / shape[-1])
    return np.meshgrid(*axes, indexing="ij", sparse=True)


def filtered(x, factor, axes=None):
    """By NumPy, in double precision."""
    axes = tuple(range(x.ndim)) if axes is None else axes
    if np.iscomplexobj(x):
        return np.fft.ifftn(np.fft.fftn(x.astype("D"), axes=axes) * factor, axes=axes)
    shape = [x.shape[axis] for axis in axes]
    return np.fft.irfftn(np.fft.rfftn(x.astype("d"), axes=axes) * factor, shape, axes=axes)


# --- plans -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("char", "fdFD")
@pytest.mark.parametrize("shape", SHAPES)
def test_plans_see_each_bin(rng, shape, char):
    x = random_array(rng, (3, *shape), char)
    sums = " + ".join(f"{i + 1} * k{i}" for i in range(len(shape)))
    plan = SpectralPlan(shape, x.dtype, middle=f"return value / (1 + abs({sums}));", batch=3, scale=0.5)
    waves = sum((i + 1) * k for i, k in enumerate(frequencies(shape, char in "FD")))
    exact = filtered(x, 0.5 / (1 + np.abs(waves)), tuple(range(1, x.ndim)))
    assert plan.input_shape == plan.output_shape == x.shape
    result = plan(x)
    assert result.dtype == x.dtype
    assert_near(result, exact, char, x.size, most=4)
    assert_near(plan(x[:1]), exact[:1], char, x.size, most=4)  # another batch
    assert plan(x[:0]).shape == (0, *shape)


def test_ranges_stages_and_arguments(rng, device):
    x, window = random_array(rng, (2, 7, 17), "f"), random_array(rng, (20,), "f")
    level = np.full((2, 12, 20), 7, "f")
    plan = SpectralPlan(
        (12, 20),
        "float32",
        input=[(0, 7), (3, 20)],
        output=[(5, 12), (0, 9)],
        load="return value * window[i1];",
        middle="return value * complex(gain, k0);",
        store="store level[batch * 240 + i0 * 20 + i1] = 2 * value; return value + 1;",
        batch=2,
        device=device,
        window="f32[20]",
        gain=1.0,
        level="f32[480]",
    )
    assert (plan.input_shape, plan.output_shape) == ((2, 7, 17), (2, 7, 9))
    whole = np.zeros((2, 12, 20))
    whole[:, :7, 3:] = x * window[3:].astype("d")
    exact = filtered(whole, 3 + 1j * frequencies((12, 20), False)[0], (1, 2))[:, 5:, :9]
    result = plan(x, window=window, level=level, gain=3.0)
    assert_near(result, exact + 1, "f", 240, most=4)
    np.testing.assert_allclose(level[:, 5:, :9], 2 * (result - 1), rtol=0, atol=1e-5)
    level[:, 5:, :9] = 7
    assert (level == 7).all()
    np.testing.assert_array_equal(plan(x, window=np.repeat(window, 2)[::2], level=level, gain=3.0), result)
    with pytest.raises(TypeError, match="window: expected f32\\[20\\], which the stages name, got nothing"):
        plan(x, level=level)


def test_analytic(rng, device):
    x = random_array(rng, (3, 21), "f")
    plan = SpectralPlan(21, "float32", numbers="analytic", middle="return k0 < 0 ? 0 : value;", batch=3, device=device)
    result = plan(x)
    assert result.dtype == np.complex64
    assert_near(result, np.fft.ifft(np.fft.fft(x.astype("d")) * (np.fft.fftfreq(21) >= 0)), "F", 21, most=4)


def test_out_and_memory(rng, device):
    x = random_array(rng, (4, 32), "f")
    plan = SpectralPlan(32, "float32", middle="return value / (1 + k0);", batch=2, device=device)
    exact = plan(np.ascontiguousarray(x[::2]))
    np.testing.assert_array_equal(plan(x[::2]), exact)  # with a copy
    out = np.empty((2, 32), "f")
    assert plan(x[::2], out) is out
    np.testing.assert_array_equal(out, exact)
    memory = x.copy()
    assert_near(plan(memory[:2], memory[1:3]), plan(x[:2]), "f", 32)  # out overlaps the input
    np.testing.assert_array_equal(memory[1:3], plan(x[:2]))
    wide = np.zeros((2, 64), "f")
    plan(x[::2], wide[:, ::2])
    np.testing.assert_array_equal(wide[:, ::2], exact)
    assert (wide[:, 1::2] == 0).all()


def test_half_storage(rng):
    x = random_array(rng, (40,), "f").astype(np.float16)
    result = SpectralPlan(40, "float16", middle="return value / (1 + k0 * k0);")(x)
    exact = filtered(x.astype("d"), 1 / (1 + np.arange(21) ** 2))
    assert result.dtype == np.float16
    np.testing.assert_allclose(result, exact, rtol=0, atol=2e-3)


def fourier_layer(x, weights, kept, rank):
    """By NumPy, in double precision: transform, matrix of each kept mode, zeros elsewhere, transform back."""
    is_complex = np.iscomplexobj(x)
    shape, axes = x.shape[-rank:], tuple(range(-rank, 0))
    spectrum = np.fft.fftn(x, axes=axes) if is_complex else np.fft.rfftn(x, axes=axes)
    counts = spectrum.shape[-rank:]
    indices = []
    for (begin, end), n in zip(kept, shape):
        waves = list(range(max(begin, 0), end)) + list(range(begin, min(end, 0)))
        indices.append([k % n for k in waves])
    places = (slice(None), slice(None), *np.ix_(*indices))
    mixed = np.einsum("bi...,io...->bo...", spectrum[places], weights)
    filled = np.zeros((x.shape[0], weights.shape[1], *counts), complex)
    filled[places] = mixed
    return np.fft.ifftn(filled, axes=axes) if is_complex else np.fft.irfftn(filled, shape, axes=axes)


@pytest.mark.parametrize("char", "fdFD")
@pytest.mark.parametrize(
    ("shape", "kept"),
    [
        ((32,), ((0, 7),)),
        ((15, 12), ((-4, 4), (0, 5))),
        ((16, 9), ((-8, -2), (1, 4))),
        ((8, 6, 10), ((-2, 3), (-1, 2), (0, 4))),
    ],
)
def test_fourier_layers(rng, shape, kept, char):
    x = random_array(rng, (3, 2, *shape), char)
    counts = [end - begin for begin, end in kept]
    weights = random_array(rng, (2, 5, *counts), char.upper())
    plan = SpectralPlan(shape, x.dtype, kept=kept, channels=(2, 5), batch=3)
    assert plan.input_shape == x.shape and plan.output_shape == (3, 5, *shape)
    assert plan.weight_shape == weights.shape
    exact = fourier_layer(x.astype(char.upper().replace("F", "D") if char in "FD" else "d"), weights, kept, len(shape))
    result = plan(x, weights=weights)
    assert result.dtype == x.dtype
    assert_near(result, exact, char, x.size, most=4)
    assert_near(plan(x[:1], weights=weights), exact[:1], char, x.size, most=4)  # another batch


def test_fourier_layers_on_every_device(rng, device):
    x = random_array(rng, (2, 24, 20), "f")
    weights = random_array(rng, (2, 3, 8, 6), "F")
    plan = SpectralPlan((24, 20), "f", kept=((-4, 4), (0, 6)), channels=(2, 3), device=device)
    exact = fourier_layer(x[None].astype("d"), weights, ((-4, 4), (0, 6)), 2)[0]
    for same in (plan, SpectralPlan.load(plan.save(), device)):
        assert_near(same(x, weights=weights), exact, "f", x.size, most=4)
    out = np.empty((3, 24, 20), "f")
    assert plan(x, out, weights=weights) is out
    assert_near(out, exact, "f", x.size, most=4)
    all_bins = SpectralPlan((24, 20), "f", channels=(2, 3), device=device)
    assert all_bins.weight_shape == (2, 3, 24, 11)
    assert SpectralPlan(24, "f", device=device).weight_shape == ()
    low = SpectralPlan((24, 20), "f", kept=((-4, 4), (0, 6)), device=device)  # without a matrix
    one = np.ones((1, 1, 8, 6))
    assert_near(low(x[0]), fourier_layer(x[None, :1].astype("d"), one, ((-4, 4), (0, 6)), 2)[0, 0], "f", 480, most=4)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (
            lambda: SpectralPlan(8, kept=((0, 6),)),
            ValueError,
            "spectral.kept\\[0\\]: expected begin below end, and wave",
        ),
        (lambda: SpectralPlan(8, kept=((0, 1, 2),)), ValueError, "kept\\[0\\]: expected \\(begin, end\\), got 3"),
        (lambda: SpectralPlan(8, channels=(2,)), ValueError, "channels: expected \\(inputs, outputs\\), got 1"),
        (lambda: SpectralPlan(8, channels=(2, 0)), ValueError, "channels\\[1\\]: expected"),
        (lambda: SpectralPlan(8, channels=(1, 1))(np.zeros((1, 8))), TypeError, "weights: expected an array of shape"),
        (
            lambda: SpectralPlan(8, channels=(1, 1))(np.zeros((1, 8)), weights=np.zeros((1, 1, 4), "D")),
            ValueError,
            "weights: expected shape \\(1, 1, 5\\), got \\(1, 1, 4\\)",
        ),
        (
            lambda: SpectralPlan(8, channels=(1, 1))(np.zeros((1, 8)), weights=np.zeros((1, 1, 5))),
            TypeError,
            "weights: expected elements complex f64, got real f64",
        ),
        (lambda: SpectralPlan(()), ValueError, "spectral.lengths: expected at least one, got none"),
        (lambda: SpectralPlan(8.5), TypeError, "lengths: expected a sequence, got 8.5"),
        (lambda: SpectralPlan(8, "int32"), TypeError, "dtype: expected one of"),
        (lambda: SpectralPlan(8, "longdouble"), ValueError, "spectral.precision: expected f32 or f64"),
        (
            lambda: SpectralPlan(8, "complex64", numbers="real"),
            ValueError,
            "numbers: expected 'complex', or a real dtype",
        ),
        (lambda: SpectralPlan(8, numbers="hermitian"), ValueError, "numbers: expected 'real', 'complex' or 'analytic'"),
        (lambda: SpectralPlan(8, input=[(0, 9)]), ValueError, "spectral.input\\[0\\]: expected begin below end"),
        (lambda: SpectralPlan(8, output=[(0, 9, 1)]), ValueError, "output\\[0\\]: expected \\(begin, end\\), got 3"),
        (lambda: SpectralPlan(8, scale="2"), TypeError, "scale: expected a number, got str"),
        (lambda: SpectralPlan(8, batch=-1), ValueError, "batch: expected 0 or more, got -1"),
        (lambda: SpectralPlan(8, gain=1.0), TypeError, "SpectralPlan\\(\\) got 'gain', which is no parameter"),
        (lambda: SpectralPlan(8, middle="return k1;"), ValueError, "spectral.middle: line 1, column 8: expected k0"),
        (lambda: SpectralPlan(8)(np.zeros(9)), ValueError, "x: expected shape \\(8,\\), got \\(9,\\)"),
        (lambda: SpectralPlan(8)(np.zeros(8, "f")), TypeError, "x: expected elements real f64, got real f32"),
        (lambda: SpectralPlan(8)(np.zeros(8), np.zeros(7)), ValueError, "out: expected shape \\(8,\\)"),
        (lambda: SpectralPlan(8)(np.zeros(8), gain=1), TypeError, "gain: expected one of the names of the stages"),
        (lambda: SpectralPlan.load(b"seichefft 1"), ValueError, "load: expected the bytes of a spectral plan"),
    ],
)
def test_mistakes_of_plans(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_saved_and_copied(rng, device):
    x = random_array(rng, (2, 24), "f")
    plan = SpectralPlan(24, "float32", middle="return k0 < 5 ? value : 0;", batch=2, device=device)
    exact = filtered(x, np.arange(13) < 5, (1,))
    assert_near(plan(x), exact, "f", 24, most=4)
    for same in (SpectralPlan.load(plan.save(), device), pickle.loads(pickle.dumps(plan)), copy.deepcopy(plan)):
        np.testing.assert_array_equal(same(x), plan(x))
        assert same.problem == plan.problem == "24 real f32 batch=2"
    named = SpectralPlan(24, middle="return value * gain;", gain=2.0, device="cpu")
    with pytest.raises(ValueError, match="save: expected stages that name nothing, got gain"):
        named.save()
    assert "<table" in plan._repr_html_()
    assert str(plan.report) and plan.workspace_bytes >= 0 and "24 real" in repr(plan)


# --- operators ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("char", "fdFD")
@pytest.mark.parametrize("shape", SHAPES)
def test_poisson_and_helmholtz(rng, shape, char):
    f = random_array(rng, shape, char)
    box = [1.5 + i for i in range(len(shape))]
    waves = frequencies(shape, char in "FD")
    squares = sum((2 * np.pi * k / length) ** 2 for k, length in zip(waves, box))
    with np.errstate(divide="ignore"):
        inverse = np.where(squares == 0, 0, 1 / squares)
    u = spectral.poisson(f, box)
    assert u.dtype == f.dtype and u.shape == shape
    exact = filtered(f, inverse)
    if np.prod(shape) > 1:
        assert_near(u, exact, char, f.size, most=6)
    assert abs(u.mean()) <= 1e-6 * max(abs(exact).max(), 1)
    assert_near(spectral.helmholtz(f, 0.7, box), filtered(f, 1 / (0.7 + squares)), char, f.size, most=6)


def test_poisson_of_a_solution_that_is_known():
    n, box = (21, 32), (2.0, 3.0)
    x, y = (np.arange(count)[:, None] * length / count for count, length in zip(n, box))
    u = np.sin(2 * np.pi * 2 * x / 2.0) * np.cos(2 * np.pi * 5 * y.T / 3.0)
    f = ((2 * np.pi * 2 / 2.0) ** 2 + (2 * np.pi * 5 / 3.0) ** 2) * u
    np.testing.assert_allclose(spectral.poisson(f + 4.0, box), u, rtol=0, atol=1e-14)
    np.testing.assert_allclose(spectral.helmholtz(f + 9.0 * u, 9.0, box), u, rtol=0, atol=1e-14)
    # Waves whose number is one of the box: what the operator does not reach is 0.
    assert np.isfinite(spectral.helmholtz(f, -((2 * np.pi) ** 2), 1.0)).all()


@pytest.mark.parametrize("char", "fdFD")
@pytest.mark.parametrize("shape", SHAPES)
def test_gaussian_filter(rng, shape, char):
    x = random_array(rng, shape, char)
    sigma = [0.5 + i for i in range(len(shape))]
    exact = np.fft.ifftn(scipy.ndimage.fourier_gaussian(np.fft.fftn(x.astype("D")), sigma))
    result = spectral.gaussian_filter(x, sigma)
    assert result.dtype == x.dtype
    assert_near(result, exact, char, x.size, most=4)


def test_gaussian_filter_is_scipys_where_that_wraps(rng):
    x = random_array(rng, (40, 33), "d")
    exact = scipy.ndimage.gaussian_filter(x, (2.5, 0), mode="wrap", truncate=8)
    np.testing.assert_allclose(spectral.gaussian_filter(x, 2.5, axes=0), exact, rtol=0, atol=1e-13)


@pytest.mark.parametrize("char", "fdFD")
@pytest.mark.parametrize("shape", [shape for shape in SHAPES if all(n % 2 for n in shape)])
def test_shifts_of_odd_lengths(rng, shape, char):
    x = random_array(rng, shape, char)
    shift = [2.3 - 3.1 * i for i in range(len(shape))]
    exact = np.fft.ifftn(scipy.ndimage.fourier_shift(np.fft.fftn(x.astype("D")), shift))
    result = spectral.fourier_shift(x, shift)
    assert result.dtype == x.dtype
    assert_near(result, exact, char, x.size, most=4)


@pytest.mark.parametrize("char", "fdFD")
@pytest.mark.parametrize("shape", SHAPES)
def test_whole_shifts_roll(rng, shape, char):
    x = random_array(rng, shape, char)
    shift = [100003 - 11 * i for i in range(len(shape))]
    assert_near(spectral.fourier_shift(x, shift), np.roll(x, shift, range(x.ndim)), char, x.size, most=4)


def test_shifts_of_even_lengths(rng):
    for n in (2, 8, 30):
        x = random_array(rng, (3, n), "d")
        exact = np.fft.irfft(scipy.ndimage.fourier_shift(np.fft.rfft(x), (0, 0.4), n=n), n)
        np.testing.assert_allclose(spectral.fourier_shift(x, 0.4, axes=-1), exact, rtol=0, atol=1e-14)
        complex_result = spectral.fourier_shift(x + 1j * x[::-1], 0.4, axes=-1)
        np.testing.assert_allclose(complex_result, exact + 1j * exact[::-1], rtol=0, atol=1e-14)
    x = random_array(rng, (6, 8), "d")  # along both axes as along one after the other
    one = spectral.fourier_shift(spectral.fourier_shift(x, 0.4, axes=0), 0.7, axes=1)
    np.testing.assert_allclose(spectral.fourier_shift(x, (0.4, 0.7)), one, rtol=0, atol=1e-14)
    np.testing.assert_allclose(spectral.fourier_shift(x + 0j, (0.4, 0.7)), one, rtol=0, atol=1e-14)


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5, -1, -2, 0])
@pytest.mark.parametrize("n", [1, 9, 16, 101])
def test_derivatives_of_whole_orders(rng, n, order):
    x = random_array(rng, (2, n, 3), "d")
    if n % 2 or order % 2:
        exact = np.apply_along_axis(lambda row: scipy.fftpack.diff(row, order, 2.5), 1, x)
    else:  # SciPy leaves out the frequency n/2, whose derivative of an even order is its own
        factor = np.zeros(n, complex)
        factor[0] = order == 0
        factor[1:] = (2j * np.pi * np.fft.fftfreq(n, 2.5 / n)[1:]) ** order
        exact = np.fft.ifft(np.fft.fft(x, axis=1) * factor[:, None], axis=1).real
    result = spectral.spectral_derivative(x, 1, order, 2.5)
    np.testing.assert_allclose(result, exact, rtol=0, atol=1e-13 * max(abs(exact).max(), 1))
    result = spectral.spectral_derivative(x + 2j * x, 1, order, 2.5)
    np.testing.assert_allclose(result, exact + 2j * exact, rtol=0, atol=1e-13 * max(abs(exact).max(), 1))


def test_derivatives_of_two_points():
    x = np.array([1.0, -1.0])  # cos(pi t), whose sine has no samples there
    np.testing.assert_array_equal(spectral.spectral_derivative(x, order=1, length=2), [0, 0])
    np.testing.assert_allclose(spectral.spectral_derivative(x, order=2, length=2), -(np.pi**2) * x, rtol=1e-15)


@pytest.mark.parametrize("char", "fdFD")
@pytest.mark.parametrize("n", [9, 16, 101])
def test_derivatives_of_fractional_orders(rng, n, char):
    x = random_array(rng, (4, n), char)
    for order in (0.5, 1.7, -0.5, 10):
        result = spectral.spectral_derivative(x, order=order, length=2 * np.pi)
        k = np.fft.fftfreq(n, 1 / n)
        factor = np.zeros(n, complex)
        factor[1:] = abs(k[1:]) ** order * np.exp(1j * np.pi / 2 * order * np.sign(k[1:]))
        if n % 2 == 0:
            factor[n // 2] = factor[n // 2].real
        exact = np.fft.ifft(np.fft.fft(x.astype("D")) * factor)
        assert result.dtype == x.dtype
        assert_near(result, exact, char, n, most=24)
    t = 2 * np.pi * np.arange(n) / n
    half = spectral.spectral_derivative(np.sin(3 * t), order=0.5, length=2 * np.pi)
    np.testing.assert_allclose(half, np.sqrt(3) * np.sin(3 * t + np.pi / 4), rtol=0, atol=4e-14)


@pytest.mark.parametrize("char", "fd")
@pytest.mark.parametrize("n", [1, 2, 3, 8, 15, 101])
def test_hilbert(rng, n, char):
    x = random_array(rng, (2, n, 3), char)
    result = spectral.hilbert(x, 1)
    assert result.dtype == np.result_type(x.dtype, np.complex64)
    assert_near(result, scipy.signal.hilbert(x.astype("d"), axis=1), char, n, most=4)
    assert_near(result.real, x, char, n, most=4)


@pytest.mark.parametrize("char", "fdFD")
@pytest.mark.parametrize("shape", SHAPES)
def test_transfer(rng, shape, char):
    x = random_array(rng, (2, *shape), char)
    axes = tuple(range(1, x.ndim))
    bins = shape if char in "FD" else (*shape[:-1], shape[-1] // 2 + 1)
    real, complex_ = random_array(rng, bins, "d"), random_array(rng, bins, "D")
    for response in (real, complex_):
        result = spectral.transfer(x, response, axes)
        assert result.dtype == x.dtype
        assert_near(result, filtered(x, response, axes), char, x.size, most=6)
    row = real[(0,) * (len(bins) - 1)]
    assert_near(spectral.transfer(x, row, axes), filtered(x, row, axes), char, x.size, most=6)  # broadcast


def test_axes_batches_and_types(rng):
    x = random_array(rng, (3, 8, 5), "f")
    exact = np.moveaxis(spectral.poisson(np.ascontiguousarray(np.moveaxis(x, 1, -1)), (1, 2), axes=(0, 2)), -1, 1)
    np.testing.assert_allclose(spectral.poisson(x, (1, 2), axes=(0, 1)), exact, rtol=0, atol=1e-6)
    swapped = spectral.poisson(x, (2, 1), axes=(1, -3))
    np.testing.assert_allclose(swapped, exact, rtol=0, atol=1e-6)
    assert spectral.gaussian_filter(np.arange(6), 1).dtype == np.float64
    assert spectral.gaussian_filter(x.astype(np.float16), 1).dtype == np.float32
    assert spectral.poisson(np.zeros((0, 4), "f"), axes=1).shape == (0, 4)
    assert spectral.hilbert(np.zeros((0, 4), "f")).dtype == np.complex64
    np.testing.assert_array_equal(spectral.hilbert([1.0, 2.0, 3.0]), spectral.hilbert(np.array([1.0, 2.0, 3.0])))


def test_plans_are_kept(rng):
    x = random_array(rng, (2, 36), "d")
    seichefft.config.clear_plan_cache()
    for length in (1.0, 2.0, 3.0):
        spectral.poisson(x, length, axes=1)
    assert seichefft.config.plan_cache_info()[:2] == (2, 1)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: spectral.poisson(np.zeros(4), 0), ValueError, "lengths: expected numbers above 0, got 0"),
        (
            lambda: spectral.poisson(np.zeros((4, 4)), (1, 2, 3)),
            ValueError,
            "lengths: expected a number, or one for each",
        ),
        (lambda: spectral.poisson(np.zeros((4, 0))), ValueError, "f: expected a point or more along the axes"),
        (lambda: spectral.poisson(3.0), ValueError, "f: expected an array with an axis"),
        (
            lambda: spectral.poisson(np.zeros((4, 4)), axes=(0, -2)),
            ValueError,
            "axes: expected one axis or more, each once",
        ),
        (lambda: spectral.poisson(np.zeros(4), axes=1), ValueError, "axes: expected -1 to 0, got 1"),
        (lambda: spectral.helmholtz(np.zeros(4), np.inf), ValueError, "shift: expected a finite number, got inf"),
        (lambda: spectral.gaussian_filter(np.zeros(4), -1), ValueError, "sigma: expected numbers of 0 or more, got -1"),
        (lambda: spectral.fourier_shift(np.zeros(4), "1"), TypeError, "shift"),
        (lambda: spectral.spectral_derivative(np.zeros(4), order=np.nan), ValueError, "order: expected finite numbers"),
        (lambda: spectral.spectral_derivative(np.zeros(4), length=-1), ValueError, "length: expected a number above 0"),
        (lambda: spectral.spectral_derivative(np.zeros(4), 2), ValueError, "axes: expected -1 to 0, got 2"),
        (
            lambda: spectral.hilbert(np.zeros(4, "D")),
            ValueError,
            "x: expected real numbers, got elements of complex128",
        ),
        (
            lambda: spectral.transfer(np.zeros(4), np.ones(4)),
            ValueError,
            "response: expected a shape that broadcasts to",
        ),
        (lambda: spectral.transfer(np.zeros(4), ["a"]), TypeError, "response: expected numbers, got elements of"),
    ],
)
def test_mistakes_of_operators(call, error, words):
    with pytest.raises(error, match=words):
        call()


# --- sums --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("char", "fdFD")
@pytest.mark.parametrize("shape", SHAPES)
def test_sums_are_over_the_whole_spectrum(rng, shape, char):
    x = random_array(rng, (3, *shape), char)
    text = "sum power = norm(value); sum moment = k0 * k0 * norm(value); sum bins = 1; return value;"
    plan = SpectralPlan(shape, x.dtype, middle=text, batch=3)
    assert plan.sum_names == ("power", "moment", "bins")
    result, sums = plan(x)
    assert_near(result, x, char, x.size, most=4)
    assert sums.dtype == x.real.dtype and sums.shape == (3, 3)
    axes = tuple(range(1, x.ndim))
    power = np.abs(np.fft.fftn(x.astype("D"), axes=axes)) ** 2
    waves = frequencies(shape, True)[0]
    count = np.full(3, x[0].size)
    exact = np.stack([power.sum(axes), (waves**2 * power).sum(axes), count], -1)
    np.testing.assert_allclose(sums, exact, 3e-6 if char in "fF" else 1e-14, atol=1e-30)
    assert np.array_equal(plan(x[1:2])[1], sums[1:2])  # the same bits, whatever the batch
    assert plan(x[:0])[1].shape == (0, 3)


def test_sums_in_doubles_of_floats(rng):
    x = random_array(rng, (40, 30), "f")
    plan = SpectralPlan((40, 30), x.dtype, middle="sum power = norm(value); return value;", sums_in_f64=True)
    assert plan.problem.endswith("sums=f64")
    out = np.empty_like(x)
    result, sums = plan(x, out)
    assert result is out and sums.dtype == np.float64 and sums.shape == (1,)
    assert abs(sums[0] / (1200 * np.sum(x.astype("d") ** 2)) - 1) < 3e-7
    again = SpectralPlan.load(plan.save())
    assert again.sum_names == ("power",) and np.array_equal(again(x)[1], sums)
    with pytest.raises(ValueError, match="expected a middle stage that sums, got none"):
        SpectralPlan(8, "float32", sums_in_f64=True)


@pytest.mark.parametrize("char", "fdFD")
def test_influence_gives_potential_and_energy(rng, char):
    density = random_array(rng, (2, 9, 8, 5), char)
    axes = (1, 2, 3)
    bins = (9, 8, 5 if char in "FD" else 3)
    waves = sum(k**2 for k in frequencies((9, 8, 5), char in "FD"))
    response = np.exp(-waves / 9) / np.where(waves == 0, np.inf, waves)
    assert response.shape == bins
    potential, energy = spectral.influence(density, response, axes)
    assert_near(potential, filtered(density, response, axes), char, density[0].size, most=4)
    assert energy.shape == (2,) and energy.dtype == np.float64
    exact = 0.5 * np.sum(density.conj() * filtered(density, response, axes), axis=axes).real
    np.testing.assert_allclose(energy, exact, 3e-6 if char in "fF" else 1e-13)
    assert spectral.influence(density[0], response)[1].shape == ()
    empty, none = spectral.influence(density[:0], response, axes)
    assert empty.shape == (0, 9, 8, 5) and none.shape == (0,)
    with pytest.raises(TypeError, match="expected real numbers, of which the energy is real"):
        spectral.influence(density, 1j * response, axes)
