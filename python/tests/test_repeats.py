"""A call of an operator that was made before checks nothing, builds no text and asks no planner; results stay right."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import seichefft
from seichefft import _layers, _native, _operand, _repeats, config, signal, spectral
from seichefft._dense import DenseCalls
from seichefft._layers import Axes

WINDOW = np.hanning(16)


def grid(rng):
    return rng.standard_normal((2, 6, 8)).astype("f")


def rows(rng):
    return rng.standard_normal((3, 64)).astype("f")


def spectra(rng):
    z = rng.standard_normal((3, 9, 17)) + 1j * rng.standard_normal((3, 9, 17))
    z[:, [0, -1]] = z[:, [0, -1]].real
    return z


def response(rng):
    return rng.random((6, 5))


def pulse(rng):
    return rng.standard_normal(16).astype("f")


#: Each with its arrays, which differ from call to call.
OPERATORS = {
    "poisson": (lambda f: spectral.poisson(f, [1.0, 2.0], (1, 2)), (grid,)),
    "boundaries": (lambda f: spectral.poisson(f, 2, (1, 2), ["neumann", "dirichlet"], "node", "difference"), (grid,)),
    "helmholtz": (lambda f: spectral.helmholtz(f, 2.5), (grid,)),
    "gaussian_filter": (lambda x: spectral.gaussian_filter(x, 1.5, -1), (grid,)),
    "fourier_shift": (lambda x: spectral.fourier_shift(x, (0.5, 1.0), (1, 2)), (grid,)),
    "spectral_derivative": (lambda x: spectral.spectral_derivative(x, order=2), (rows,)),
    "hilbert": (lambda x: spectral.hilbert(x), (rows,)),
    "transfer": (lambda x, h: spectral.transfer(x, h, (1, 2)), (grid, response)),
    "one factor": (lambda x, h: spectral.transfer(x, h[:1], (1, 2)), (grid, response)),
    "complex transfer": (lambda x, h: spectral.transfer(x, h, (1, 2)), (grid, lambda rng: response(rng) * (1 + 2j))),
    "influence": (lambda x, h: spectral.influence(x, h, (1, 2)), (grid, response)),
    "wiener": (lambda x, h: spectral.wiener(x, h, 0.1, -1), (rows, pulse)),
    "matched_filter": (lambda x, h: spectral.matched_filter(x, h, -1), (rows, pulse)),
    "complex matched_filter": (
        lambda x, h: spectral.matched_filter(x, h, -1),
        (lambda rng: rows(rng) * np.complex64(1 + 1j), lambda rng: pulse(rng) * np.complex64(1 - 2j)),
    ),
    "phase_correlation": (lambda a, b: spectral.phase_correlation(a, b), (grid, grid)),
    "real_cepstrum": (lambda x: spectral.real_cepstrum(x), (rows,)),
    "fftconvolve": (lambda x, h: signal.fftconvolve(x, h[None], axes=1), (rows, pulse)),
    "convolve same": (
        lambda x, h: signal.convolve(x[0], h, "same", "fft"),
        (lambda rng: rng.standard_normal((1, 64)), lambda rng: rng.standard_normal(16)),
    ),
    "convolve valid": (lambda x, h: signal.fftconvolve(h, x[0], "valid"), (rows, pulse)),
    "one signal": (lambda x, h: signal.fftconvolve(h[None], x, axes=1), (rows, pulse)),
    "stft": (lambda x: spectral.stft(x, WINDOW, 4), (rows,)),
    "istft": (lambda z: spectral.istft(z, WINDOW, 4, 64), (spectra,)),
}


def refused(*_, **__):
    raise AssertionError("expected the call that is remembered, got a step of a first call")


def flat(result):
    parts = result if isinstance(result, tuple) else (result,)
    return np.concatenate([np.ravel(np.asarray(part, complex)) for part in parts])


@pytest.mark.parametrize("name", OPERATORS)
def test_operators(name, rng, monkeypatch):
    operator, make = OPERATORS[name]
    config.clear_plan_cache()
    sets = [[one(rng) for one in make] for _ in range(3)]
    first = operator(*sets[0])
    with monkeypatch.context() as patch:
        patch.setattr(_operand.Operand, "__init__", refused)
        for kind in (_native.SpectralPlan, _native.ShortTimePlan, _native.ConvolutionPlan, _native.Plan):
            patch.setattr(kind, "make", refused)
        patch.setattr(DenseCalls, "_checked", refused)
        again = [operator(*arrays) for arrays in sets]
    assert np.array_equal(flat(again[0]), flat(first))
    config.clear_plan_cache()
    monkeypatch.setattr(_repeats.Repeat, "keep", lambda *_, **__: None)
    for arrays, got in zip(sets, again):
        want = operator(*arrays)
        assert np.allclose(flat(got), flat(want), rtol=1e-5, atol=1e-5 * np.abs(flat(want)).max())
        kinds = [[getattr(part, "dtype", float) for part in one] for one in (got, want) if isinstance(one, tuple)]
        assert kinds[:1] == kinds[1:] or got.dtype == want.dtype
    assert not np.array_equal(flat(again[0]), flat(again[1]))


def plans_of_every_kind():
    weights = np.full((3, 2, 4, 3), 1 + 1j)
    axes = Axes((8, 8), ((-2, 2), (0, 3)), "float64")
    two = "return value * gain + table[i0] + other[i0];"
    named = seichefft.SpectralPlan(8, middle=two, gain=2.0, table="f64[5]", other=np.ones(5))
    return {
        "spectral": (named, lambda plan, rng: plan(rng.standard_normal(8), gain=3.0, table=rng.random(5))),
        "sums": (
            seichefft.SpectralPlan(8, middle="sum energy = norm(value); return value;", batch=2),
            lambda plan, rng: plan(rng.standard_normal((2, 8))),
        ),
        "halves": (
            seichefft.SpectralPlan(8, "float16", middle="return 2 * value;"),
            lambda plan, rng: plan(rng.standard_normal(8).astype("e")),
        ),
        "layer": (None, lambda plan, rng: _layers.layer(rng.standard_normal((2, 3, 8, 8)), weights, axes)),
        "short time": (
            seichefft.ShortTimePlan(64, WINDOW, 4, value="power"),
            lambda plan, rng: plan(rng.standard_normal(64)),
        ),
        "convolution": (
            seichefft.ConvolutionPlan(40, 9, batch=2),
            lambda plan, rng: plan(rng.standard_normal((2, 40)), rng.standard_normal(9)),
        ),
        "another batch": (
            seichefft.ConvolutionPlan(40, 9, batch=2),
            lambda plan, rng: plan(rng.standard_normal((3, 40)), rng.standard_normal(9)),
        ),
    }


@pytest.mark.parametrize("name", plans_of_every_kind())
def test_plans(name, monkeypatch):
    plan, call = plans_of_every_kind()[name]
    first = call(plan, np.random.default_rng(1))
    with monkeypatch.context() as patch:
        patch.setattr(DenseCalls, "_checked", refused)
        again = [call(plan, np.random.default_rng(seed)) for seed in (1, 2)]
    assert np.array_equal(flat(first), flat(again[0])) and not np.array_equal(flat(first), flat(again[1]))
    monkeypatch.setattr(DenseCalls, "_keep_repeat", lambda *_, **__: None)
    config.clear_plan_cache()
    want = call(plans_of_every_kind()[name][0], np.random.default_rng(2))
    assert np.allclose(flat(again[1]), flat(want), rtol=1e-3 if name == "halves" else 1e-12)


def test_what_differs_is_no_repetition(rng):
    x = grid(rng)
    spectral.gaussian_filter(x, 1.0)
    assert np.allclose(spectral.gaussian_filter(x, 0.0), x, atol=1e-5)
    wide = spectral.gaussian_filter(x.astype("d"), 1.0)
    assert wide.dtype == "d"
    assert np.allclose(spectral.gaussian_filter(x[:, ::-1], 1.0)[:, ::-1], wide, atol=1e-5)
    assert np.allclose(spectral.gaussian_filter(x.swapaxes(0, 2), 1.0).swapaxes(0, 2), wide, atol=1e-5)
    assert np.allclose(spectral.gaussian_filter(x.tolist(), [1.0, 1, 1.0]), wide, atol=1e-5)
    spectral.stft(rows(rng), WINDOW, 4)
    with pytest.raises(TypeError, match="hop: expected an integer"):
        spectral.stft(rows(rng), WINDOW, 4.0)
    with pytest.raises(ValueError, match="response: expected a shape"):
        spectral.influence(x, np.ones((6, 4)), (1, 2))
    plan = seichefft.SpectralPlan(8, middle="return value * gain;", gain="f64")
    y = rng.standard_normal(8)
    assert np.allclose(plan(y, gain=1.0), y) and np.allclose(plan(y, gain=2.0), 2 * y)
    with pytest.raises(TypeError, match="gain: expected f64"):
        plan(y)
    with pytest.raises(TypeError, match="other: expected one of the names"):
        plan(y, gain=1.0, other=1.0)
    with pytest.raises(ValueError, match="x: expected shape"):
        plan(y[:4], gain=1.0)


def test_one_array_twice(rng):
    x, y = rng.standard_normal((2, 64))
    assert np.allclose(signal.fftconvolve(x, x), np.convolve(x, x))
    for _ in range(2):
        assert np.allclose(signal.fftconvolve(x, y), np.convolve(x, y))
        assert np.allclose(signal.fftconvolve(y, y), np.convolve(y, y))
    assert abs(spectral.phase_correlation(x, x)[0][0]) < 1e-6
    for _ in range(2):
        assert abs(spectral.phase_correlation(np.roll(x, 3), x)[0][0] - 3) < 1e-6
    small = rng.standard_normal((4, 2))
    own, other = np.ones((4, 2)), np.zeros((4, 2))
    spectral.transfer(own, own)
    assert np.allclose(spectral.transfer(small, own), small)
    assert np.allclose(spectral.transfer(small, other), 0)


def test_memory_that_does_not_serve_is_copied(rng):
    x = rng.standard_normal((4, 8)).astype("f")
    bytes_of = np.zeros(x.nbytes + 1, np.uint8)
    crooked = bytes_of[1:].view("f").reshape(x.shape)
    crooked[...] = x
    want = spectral.hilbert(x)
    for _ in range(2):
        assert np.allclose(spectral.hilbert(crooked), want) and np.allclose(spectral.hilbert(x), want)


def test_many_threads_and_no_memory_without_end(rng):
    config.clear_plan_cache()
    x = [rows(rng) for _ in range(4)]
    want = [spectral.spectral_derivative(one) for one in x]
    wrong = []

    def work(one, exact):
        for _ in range(50):
            if not np.array_equal(spectral.spectral_derivative(one), exact):
                wrong.append(one)

    threads = [threading.Thread(target=work, args=pair) for pair in zip(x, want)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    before = len(_repeats.plans.calls)
    for place in range(100):
        spectral.spectral_derivative(x[0], length=1.0 + place)
    assert len(_repeats.plans.calls) - before <= 64
    config.clear_plan_cache()
    assert not _repeats.plans.calls


def test_the_device_of_the_block_runs(rng, device):
    x = rows(rng)
    want = spectral.hilbert(x)
    with seichefft.Device(device):
        for _ in range(2):
            assert np.allclose(spectral.hilbert(x), want, atol=1e-4)
    assert np.array_equal(spectral.hilbert(x), want)
