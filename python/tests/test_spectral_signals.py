"""Short-time spectra, filters by a known signal, filter banks and the cepstrum against SciPy's and sums."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import scipy.fft
import scipy.signal

import seichefft
from conftest import assert_near, random_array
from seichefft import spectral

LENGTHS = [1, 2, 15, 16, 101, 240, 1009]


# --- short-time spectra ------------------------------------------------------------------------------------------


def frames_of(x, window, hop, padding):
    half = len(window) // 2
    if padding != "none":
        ends = [(0, 0)] * (x.ndim - 1) + [(half, half)]
        x = np.pad(x, ends, mode="constant" if padding == "zeros" else "reflect")
    view = np.lib.stride_tricks.sliding_window_view(x, len(window), axis=-1)[..., ::hop, :]
    return view * window


@pytest.mark.parametrize("char", "fd")
@pytest.mark.parametrize("padding", ["zeros", "none", "reflect"])
@pytest.mark.parametrize("n, hop", [(16, 4), (30, 7), (37, 37), (64, 48)])
def test_stft_is_of_windowed_frames(rng, char, padding, n, hop):
    x = random_array(rng, (2, 3, 301), char)
    window = scipy.signal.get_window("hamming", n)
    exact = np.fft.rfft(frames_of(x.astype("d"), window, hop, padding))
    result = spectral.stft(x, window, hop, padding=padding)
    assert result.dtype == (np.complex64 if char == "f" else np.complex128)
    assert_near(result, np.moveaxis(exact, -1, -2), char, n, most=8)
    assert_near(spectral.stft(x, window, hop, padding=padding, frames_last=False), exact, char, n, most=8)
    power = spectral.stft(x, window, hop, padding=padding, value="power")
    assert_near(power, np.moveaxis(abs(exact) ** 2, -1, -2), char, n, most=16)


@pytest.mark.parametrize("char", "fd")
@pytest.mark.parametrize("padding", ["zeros", "reflect"])
@pytest.mark.parametrize("n, hop", [(16, 4), (30, 7), (37, 37), (66, 1)])
def test_istft_is_the_inverse(rng, char, padding, n, hop):
    x = random_array(rng, (3, 301), char)
    window = scipy.signal.get_window("hamming", n)
    for frames_last in (True, False):
        spectra = spectral.stft(x, window, hop, padding=padding, frames_last=frames_last)
        back = spectral.istft(spectra, window, hop, 301, padding=padding, frames_last=frames_last)
        assert back.dtype == x.dtype
        reached = min(301, (spectral.stft(x, window, hop).shape[-1] - 1) * hop + n - n // 2)
        assert_near(back[:, :reached], x[:, :reached], char, n, most=16)
        assert not back[:, reached:].any()


def test_istft_is_scipys_least_squares_solution(rng):
    window, hop = scipy.signal.get_window("hann", 32), 8
    spectra = rng.standard_normal((17, 40)) + 1j * rng.standard_normal((17, 40))
    samples = 39 * hop + 32 - 2 * 16
    _, exact = scipy.signal.istft(spectra, window=window / window.sum(), nperseg=32, noverlap=24)
    assert_near(spectral.istft(spectra, window, hop, samples), exact / window.sum(), "d", 32, most=16)


def test_a_dual_window_of_scipys_gives_the_same(rng):
    window, hop = scipy.signal.get_window("hann", 30), 10
    x = rng.standard_normal(300)
    transform = scipy.signal.ShortTimeFFT(window, hop, 1.0)
    theirs = transform.stft(x, 0, 31)
    ours = spectral.stft(x, window, hop)[:, :31]
    turns = np.exp(-2j * np.pi * np.arange(16) * 15 / 30)[:, None]  # their phases are those of the frame's middle
    assert_near(ours, theirs * turns if transform.phase_shift is None else ours, "d", 30, most=16)
    assert_near(np.abs(ours), np.abs(theirs), "d", 30, most=16)


def test_bad_windows_and_shapes_are_refused():
    window = np.hanning(16)
    with pytest.raises(ValueError, match="short_time.window: expected windows whose squares"):
        spectral.istft(np.zeros((9, 5), complex), window, 16, 64)
    with pytest.raises(ValueError, match="spectra: expected shape"):
        spectral.istft(np.zeros((9, 5), complex), window, 4, 64)
    with pytest.raises(ValueError, match="expected real numbers"):
        spectral.stft(np.zeros(64, complex), window, 4)
    with pytest.raises(ValueError, match="padding: expected 'zeros', 'none' or 'reflect'"):
        spectral.stft(np.zeros(64), window, 4, padding="even")
    with pytest.raises(ValueError, match="dtype: expected float32 or float64"):
        seichefft.ShortTimePlan(64, window, 4, "complex64")


def test_a_plan_writes_into_an_array_of_its_shape(rng):
    x = random_array(rng, (4, 200), "f")
    plan = seichefft.ShortTimePlan(200, np.hanning(20), 5, "float32", batch=4)
    assert (plan.input_shape, plan.output_shape) == ((4, 200), (4, 41, 11))
    out = np.zeros((4, 41, 11), "F")
    assert plan(x, out) is out
    with pytest.raises(ValueError, match=r"x: expected shape \(4, 200\)"):
        plan(x[:2])
    assert "frames=20/5" in plan.problem and len(plan.report.kernels) == 1


@pytest.mark.parametrize("inverse", [False, True])
def test_a_plan_comes_back_from_its_bytes(rng, device, inverse):
    window = scipy.signal.get_window("hamming", 20)
    options = {"inverse": inverse, "order": "frequencies-first", "padding": "reflect", "batch": 2, "device": device}
    plan = seichefft.ShortTimePlan(200, window, 5, "float32", **options)
    x = random_array(rng, plan.input_shape, "F" if inverse else "f")
    for again in (seichefft.ShortTimePlan.load(plan.save(), device), pickle.loads(pickle.dumps(plan))):
        assert (again.problem, again.input_shape, again.output_shape) == (
            plan.problem,
            plan.input_shape,
            plan.output_shape,
        )
        assert again.report.compiled == 0
        np.testing.assert_array_equal(again(x), plan(x))
    for data in (plan.save()[:-1], b"", b"seichefft-short-time 1 0\n", seichefft.SpectralPlan(8).save()):
        with pytest.raises(ValueError, match="load: expected|saved short-time plan: expected"):
            seichefft.ShortTimePlan.load(data, device)


@pytest.mark.parametrize("order", ["frames-first", "frequencies-first"])
@pytest.mark.parametrize("n, hop", [(64, 16), (45, 10)])
def test_every_device_goes_there_and_back(rng, device, order, n, hop):
    x, window = random_array(rng, (2, 500), "f"), scipy.signal.get_window("hamming", n)
    options = {"padding": "reflect", "order": order, "batch": 2, "device": device}
    spectra = seichefft.ShortTimePlan(500, window, hop, "float32", **options)(x)
    exact = np.fft.rfft(frames_of(x.astype("d"), window, hop, "reflect"))
    assert_near(spectra, exact if order == "frames-first" else np.moveaxis(exact, -1, -2), "f", n, most=8)
    back = seichefft.ShortTimePlan(500, window, hop, "float32", inverse=True, **options)(spectra)
    reached = min(500, 500 // hop * hop + n - n // 2)
    assert_near(back[:, :reached], x[:, :reached], "f", n, most=16)


def test_mel_filters_have_unit_area_and_mel_spectrograms_are_their_product(rng):
    filters = spectral.mel_filters(2048, 16000, 40, 100.0, 7000.0)
    assert filters.shape == (40, 1025)
    assert np.allclose(filters.sum(axis=1) * 16000 / 2048, 1, atol=0.06)
    assert not filters[:, :12].any() and not filters[:, 897:].any()  # bins of 7.8 Hz
    x = random_array(rng, (2, 4000), "f")
    window = np.hanning(400)
    power = spectral.stft(x, window, 160, value="power")
    result = spectral.mel_spectrogram(x, 16000, window, 160, count=40)
    assert result.dtype == np.float32
    assert np.allclose(result, spectral.mel_filters(400, 16000, 40) @ power, rtol=1e-5)


# --- filter banks ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("char", "fdFD")
@pytest.mark.parametrize("channels, folds, hop", [(8, 4, None), (15, 3, 15), (7, 2, 4), (16, 1, 4), (1, 3, 2)])
def test_polyphase_is_the_sum_over_all_taps(rng, char, channels, folds, hop):
    x = random_array(rng, (2, 240), char)
    taps = rng.standard_normal(channels * folds)
    step = channels if hop is None else hop
    frames = np.lib.stride_tricks.sliding_window_view(x.astype("D" if char in "FD" else "d"), len(taps), axis=-1)
    folded = (frames[:, ::step] * taps).reshape(2, -1, folds, channels).sum(axis=2)
    exact = np.fft.fft(folded) if char in "FD" else np.fft.rfft(folded)
    assert_near(spectral.polyphase(x, taps, channels, hop), exact, char, channels * folds, most=16)


# --- filters by a known signal -----------------------------------------------------------------------------------


@pytest.mark.parametrize("char", "fdFD")
@pytest.mark.parametrize("n", LENGTHS)
def test_filters_of_one_axis(rng, char, n):
    x, h = random_array(rng, (2, n), char), random_array(rng, (max(1, n // 3),), char)
    bins, reference = np.fft.fft(x.astype("D")), np.fft.fft(h.astype("D"), n)
    exact = np.fft.ifft(bins * reference.conj() / (abs(reference) ** 2 + 0.5))
    exact = exact if char in "FD" else exact.real
    assert_near(spectral.wiener(x, h, 0.5, axes=1), exact, char, n, most=16)
    matched = np.fft.ifft(bins * reference.conj())
    assert_near(spectral.matched_filter(x, h, axes=-1), matched if char in "FD" else matched.real, char, n, most=16)


def test_filters_of_two_axes(rng):
    x, h = random_array(rng, (3, 20, 15), "d"), random_array(rng, (4, 3), "d")
    reference = np.fft.fft2(h, (20, 15))
    exact = np.fft.ifft2(np.fft.fft2(x) * reference.conj() / (abs(reference) ** 2 + 0.1)).real
    assert_near(spectral.wiener(x, h, 0.1, axes=(1, 2)), exact, "d", 300, most=16)


def test_wiener_needs_noise_and_a_response_that_fits():
    with pytest.raises(ValueError, match="noise: expected a finite number above 0, got 0"):
        spectral.wiener(np.zeros(8), [1.0], 0)
    with pytest.raises(ValueError, match=r"response: expected a shape of at most \(8,\)"):
        spectral.wiener(np.zeros(8), np.ones(9), 1)
    with pytest.raises(ValueError, match="pulse: expected real numbers"):
        spectral.matched_filter(np.zeros(8), [1j])


@pytest.mark.parametrize("shape", [(64,), (31,), (32, 24), (25, 33), (15, 17, 19)])
@pytest.mark.parametrize("part", [0.0, 0.25, -0.4])
def test_phase_correlation_finds_parts_of_points(rng, shape, part):
    b = rng.standard_normal(shape)
    wanted = tuple(float(2 * i - 3) + part for i in range(len(shape)))
    shift, peak = spectral.phase_correlation(spectral.fourier_shift(b, wanted), b)
    assert np.allclose(shift, wanted, atol=0.03 if part else 1e-6), (shift, wanted)
    assert part or abs(peak - 1) < 1e-6
    with pytest.raises(ValueError, match="b: expected shape"):
        spectral.phase_correlation(b, np.zeros(3))


def test_range_doppler_is_a_correlation_and_a_transform(rng):
    x, pulse = random_array(rng, (2, 12, 45), "D"), random_array(rng, (9,), "D")
    window = np.hanning(12)
    matched = np.fft.ifft(np.fft.fft(x) * np.fft.fft(pulse, 45).conj())
    exact = np.fft.fft(matched * window[:, None], axis=-2)
    assert_near(spectral.range_doppler(x, pulse, window), exact, "D", 540, most=16)


@pytest.mark.parametrize("char", "fd")
@pytest.mark.parametrize("n", LENGTHS)
def test_the_cepstrum_is_the_inverse_of_the_logarithm(rng, char, n):
    x = random_array(rng, (3, n), char)
    exact = np.fft.irfft(np.log(abs(np.fft.rfft(x.astype("d")))), n)
    assert np.allclose(spectral.real_cepstrum(x), exact, atol=1e-4 if char == "f" else 1e-10)


def test_types_of_parts_are_compared() -> None:
    from seichefft.signal._space import Space

    space = Space(np)
    space.is_numpy = False  # as CuPy's, whose arrays have NumPy's dtype
    for of_elements, of_parts in (("complex64", "float32"), ("complex128", "float64"), ("float32", "float32")):
        assert np.dtype(space.real_type(np.zeros(1, of_elements))) == of_parts


# --- what a newcomer gives ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_arrays_of_another_byte_order_are_those_numbers(rng, dtype):
    x = random_array(rng, (4, 64), dtype)
    turned = x.astype(x.dtype.newbyteorder())
    window = np.hanning(17)[:-1]
    for operator in (
        lambda a: spectral.fourier_shift(a, 0.1, axes=-1),
        lambda a: spectral.transfer(a, np.ones(33, a.dtype), axes=-1),
        lambda a: spectral.stft(a, window, 4),
        lambda a: spectral.mel_spectrogram(a, 8000, window, 4, count=4),
        lambda a: spectral.polyphase(a, window, 4),
        seichefft.SpectralPlan(64, dtype, middle="return value / (1 + k0 * k0);", batch=4),
        seichefft.ShortTimePlan(64, window, 4, dtype, batch=4),
        lambda a: seichefft.ConvolutionPlan(64, 3, dtype, batch=4)(a, np.ones(3, a.dtype)),
    ):
        np.testing.assert_array_equal(operator(turned), operator(x))
    out = np.zeros((4, 64), turned.dtype)
    plan = seichefft.SpectralPlan(64, dtype, batch=4)
    assert plan(turned, out) is out and out.dtype == turned.dtype
    np.testing.assert_array_equal(out, plan(x))
    one = np.ones(1, turned.dtype)
    np.testing.assert_array_equal(seichefft.SpectralPlan(1, dtype)(one), np.ones(1))


def test_odd_arrays_have_the_same_results_or_one_line(rng):
    window, rows = np.hanning(17)[:-1], random_array(rng, (64, 3), "d").T
    dense = np.ascontiguousarray(rows)
    assert not rows.flags.c_contiguous
    np.testing.assert_array_equal(spectral.gaussian_filter(rows, 1, axes=1), spectral.gaussian_filter(dense, 1, axes=1))
    np.testing.assert_array_equal(spectral.stft(rows, window, 4), spectral.stft(dense, window, 4))
    y = dense[0].copy()
    assert seichefft.SpectralPlan(64, middle="return 2 * value;")(y, y) is y
    assert_near(y, 2 * dense[0], "d", 64)
    assert spectral.stft([3.0], [1.0], 1).tolist() == [[3.0]]
    assert spectral.istft(np.ones((1, 1)), [1.0], 1, 1).tolist() == [1.0]
    assert (spectral.poisson([3.0]).tolist(), spectral.fourier_shift([3.0], 0.3).tolist()) == ([0.0], [3.0])
    dense[1, 5] = np.nan
    assert np.isnan(spectral.gaussian_filter(dense, 1, axes=1)).any(axis=1).tolist() == [False, True, False]
    assert np.isnan(spectral.stft(dense, window, 4)).any(axis=1)[:, :].sum(axis=1).tolist() == [0, 4, 0]
    assert np.isnan(spectral.phase_correlation(dense[1], dense[0])[1])


@pytest.mark.parametrize(
    "call, says",
    [
        (lambda x: spectral.poisson(x.astype("g")), "f: expected numbers of single or double precision, got "),
        (lambda x: spectral.stft(x.astype("g"), [1.0], 1), "x: expected numbers of single or double precision, got "),
        (lambda x: spectral.stft(x.astype(object), [1.0], 1), "expected an array of numbers, got elements of object"),
        (lambda x: spectral.stft(x[:0], [1.0], 1), "x: expected a signal of a sample or more, got shape (0,)"),
        (lambda x: spectral.stft(x[0], [1.0], 1), "x: expected an axis or more, got shape ()"),
        (lambda x: spectral.istft(x, [1.0], 1, 64), "spectra: expected 2 axes or more, got shape (64,)"),
        (lambda x: spectral.stft(x, np.ones((2, 4)), 1), "window: expected one axis of real numbers"),
        (lambda x: spectral.stft(x, "hann", 1), "window: expected one axis of real numbers"),
        (lambda x: spectral.stft(x, [np.nan], 1), "short_time.window[0]: expected a finite number, got nan"),
        (lambda x: spectral.stft(x, np.ones(65), 1, padding="none"), "short_time.samples: expected at least a frame"),
        (lambda x: spectral.stft(x, [1.0], 0), "hop: expected 1 or more, got 0"),
        (
            lambda x: spectral.istft(np.ones((9, 2)), np.ones(16), 40, 64),
            "short_time.hop: expected at most the window's",
        ),
        (lambda x: spectral.mel_spectrogram(x, 0, [1.0], 1), "rate: expected a finite number above 0, got 0"),
        (lambda x: spectral.matched_filter(x, "abc"), "pulse: expected numbers, got elements of <U3"),
        (lambda x: spectral.range_doppler(np.ones((0, 8)), [1.0]), "x: expected a pulse or more, got shape (0, 8)"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(call, says):
    with pytest.raises((TypeError, ValueError)) as caught:
        call(np.ones(64))
    assert says in str(caught.value) and "\n" not in str(caught.value)
