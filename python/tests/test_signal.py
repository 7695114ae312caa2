"""`seichefft.signal`: results against sums and against SciPy's, types, errors, and arrays that stay where they are."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import scipy.signal

from seichefft import config, signal


@pytest.fixture
def rng():
    return np.random.default_rng(20261129)


def near(result, expected, dtype=None, units=64):
    expected = np.asarray(expected)
    dtype = np.asarray(result).dtype if dtype is None else np.dtype(dtype)
    assert np.asarray(result).dtype == dtype and np.asarray(result).shape == expected.shape
    bound = units * np.finfo(dtype).eps * max(float(np.abs(expected).max(initial=0)), 1e-30)
    np.testing.assert_allclose(result, expected, rtol=0, atol=bound)


# --- convolution ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("char", "fdFDg")
@pytest.mark.parametrize("lengths", [(40, 7), (7, 40), (1, 9), (16, 16)])
def test_convolution_is_the_sum(rng, lengths, char, mode):
    x, h = (rng.integers(-9, 9, n).astype(char) for n in lengths)
    if char in "FD":
        x = x * (1 + 2j)
    full = np.convolve(x, h)
    length = {"full": sum(lengths) - 1, "same": lengths[0], "valid": abs(lengths[0] - lengths[1]) + 1}[mode]
    start = (len(full) - length) // 2
    near(signal.fftconvolve(x, h, mode), full[start : start + length], char)
    near(signal.oaconvolve(x, h, mode), full[start : start + length], char)


SHAPES = [
    ((4, 3, 20), (1, 1, 5), (2,)),  # one kernel for all
    ((4, 3, 20), (4, 3, 5), (2,)),  # a kernel for each
    ((4, 3, 20), (4, 1, 5), (2,)),
    ((1, 3, 20), (4, 1, 5), (2,)),
    ((1, 1, 20), (4, 3, 5), (2,)),
    ((20, 3, 4), (5, 3, 1), (0,)),
    ((8, 3, 9), (5, 1, 4), (2, 0)),
]


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("shape1,shape2,axes", SHAPES)
def test_axes_that_are_not_convolved_are_broadcast(rng, shape1, shape2, axes, mode):
    x, h = rng.standard_normal(shape1), rng.standard_normal(shape2)
    near(signal.fftconvolve(x, h, mode, axes), scipy.signal.fftconvolve(x, h, mode, axes), units=256)


def test_a_long_convolution_goes_by_blocks_and_is_exact(rng):
    x, h = rng.integers(-99, 99, 100_000), rng.integers(-99, 99, 300)
    assert np.array_equal(np.round(signal.fftconvolve(x, h)), np.convolve(x, h))
    assert np.array_equal(signal.convolve(x, h, method="fft"), np.convolve(x, h))


def test_integers_beyond_a_double_are_summed():
    x = np.full(3, 2**60)
    assert signal.convolve(x, np.array([1, 1])).tolist() == [2**60, 2**61, 2**61, 2**60]


@pytest.mark.parametrize("method", ["fft", "direct"])
@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_correlation_conjugates_and_reverses(rng, mode, method):
    x = rng.standard_normal((6, 9)) + 1j * rng.standard_normal((6, 9))
    h = rng.standard_normal((3, 4)) + 1j * rng.standard_normal((3, 4))
    near(signal.correlate(x, h, mode, method), scipy.signal.correlate(x, h, mode, "direct"))


def test_plans_are_kept_among_all_plans(rng):
    x, h = rng.standard_normal(77), rng.standard_normal(5)
    config.clear_plan_cache()
    signal.fftconvolve(x, h)
    assert [problem for _, problem in config.plan_cache_problems() if problem.startswith("77 * 5 full")]
    before = config.plan_cache_info()
    signal.fftconvolve(x, h)
    after = config.plan_cache_info()
    assert (after.hits, after.misses, after.plans) == (before.hits + 1, before.misses, before.plans)
    config.clear_plan_cache()
    assert config.plan_cache_info().plans == 0
    near(signal.fftconvolve(x, h), np.convolve(x, h))


# --- spectra ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("detrend", [False, "constant", "linear", lambda x: x - x[..., :1]])
@pytest.mark.parametrize("char", "fdFD")
def test_short_time_spectra_are_scipys(rng, char, detrend):
    x = rng.standard_normal((2, 300)).astype(char)
    options = {"nperseg": 32, "noverlap": 20, "nfft": 40, "return_onesided": char in "fd", "detrend": detrend}
    for name in ("stft", "spectrogram"):
        pairs = zip(getattr(signal, name)(x, 8.0, **options), getattr(scipy.signal, name)(x, 8.0, **options))
        for got, expected in pairs:
            near(got, expected, expected.dtype)
    y = rng.standard_normal(300).astype(char)
    for got, expected in zip(signal.csd(x, y, 8.0, **options), scipy.signal.csd(x, y, 8.0, **options)):
        near(got, expected, expected.dtype)
    for got, expected in zip(signal.welch(x.T, axis=0, **options), scipy.signal.welch(x.T, axis=0, **options)):
        near(got, expected, expected.dtype)


@pytest.mark.parametrize("boundary", ["zeros", "even", "odd", "constant", None])
def test_stft_comes_back(rng, boundary):
    x = rng.standard_normal((3, 250)).astype("f")
    _, _, spectra = signal.stft(x, nperseg=30, noverlap=20, boundary=boundary)
    if boundary is None:
        with pytest.warns(UserWarning, match="NOLA"):
            _, back = signal.istft(spectra, nperseg=30, noverlap=20, boundary=False)
        near(back[:, 30:220], x[:, 30:220], "f")
    else:
        _, back = signal.istft(spectra, nperseg=30, noverlap=20)
        near(back[:, :250], x, "f")


def test_a_window_is_applied_by_the_transform(rng):
    """Of overlapping pieces and of dense ones; of a length once planned, no plan is made anew."""
    x, window = rng.standard_normal((2, 1000)), signal.get_window("hann", 100)
    for options in ({"detrend": False}, {"detrend": "constant"}, {"detrend": False, "axis": 0}):
        y = x.T.copy() if options.get("axis") == 0 else x
        config.clear_plan_cache()
        results = [signal.welch(y, window=window, **options)[1] for _ in range(2)]
        info = config.plan_cache_info()
        assert (info.misses, info.hits, info.plans) == (1, 1, 1)
        assert np.array_equal(*results)
        near(results[0], scipy.signal.welch(y, window=window, **options)[1])


def test_a_full_scale_sine_is_at_0_dbfs():
    x = np.sin(2 * np.pi * 100.25 * np.arange(1 << 14) / 1024)
    for name, options in (("welch", {"nperseg": 4096}), ("periodogram", {"window": "hann"})):
        _, power = getattr(signal, name)(x, 1024, scaling="spectrum", **options)
        assert signal.dbfs(power).max() == pytest.approx(0, abs=0.01)
    assert signal.dbfs([0.0, 0.5]).tolist() == [-np.inf, 0.0] and signal.dbfs([0.0], -120).tolist() == [-120]
    with pytest.raises(ValueError, match="power: expected squared magnitudes"):
        signal.dbfs([1j])


def test_noise_bandwidth_joins_density_and_spectrum(rng):
    x, window = rng.standard_normal(4096), signal.get_window("blackman", 256)
    _, density = signal.welch(x, 1000, window)
    _, power = signal.welch(x, 1000, window, scaling="spectrum")
    near(power, density * signal.enbw(window) * 1000 / 256)
    assert signal.enbw(np.ones(9)) == 1


def test_short_time_transform_is_scipys_and_comes_back(rng):
    window = np.hamming(24)
    for mode in ("onesided", "onesided2X", "twosided", "centered"):
        for shift in (None, 0, 5):
            options = {"fft_mode": mode, "mfft": 30, "scale_to": "psd", "phase_shift": shift}
            ours = signal.ShortTimeFFT(window, 7, 2.0, **options)
            assert window.flags.writeable
            theirs = scipy.signal.ShortTimeFFT(window.copy(), 7, 2.0, **options)
            x = rng.standard_normal((100, 2))
            spectra = ours.stft(x, axis=0, padding="odd")
            near(spectra, theirs.stft(x, axis=0, padding="odd"))
            near(ours.istft(spectra, k1=100, f_axis=0, t_axis=-1), x if ours.onesided_fft else x + 0j)


@pytest.mark.parametrize(
    "mode,char",
    [(mode, char) for mode in ("onesided", "onesided2X", "twosided", "centered") for char in "fd"]
    + [("twosided", "D"), ("centered", "D")],
)
@pytest.mark.parametrize("length", [16, 17])
def test_short_time_transform_windows_as_it_transforms(rng, length, mode, char):
    """Shifts by half a transform are signs; others, and complex signals or windows, go another way."""
    x = rng.standard_normal((2, 90)).astype(char)
    if char == "D":
        x = x * (1 - 2j)
    for shift in (None, 0, -(length // 2), 3):
        options = {"fft_mode": mode, "scale_to": "magnitude", "phase_shift": shift}
        for window in (np.hamming(length), np.hamming(length).astype("f")):
            ours, theirs = (
                cls(window.copy(), 5, 1.0, **options) for cls in (signal.ShortTimeFFT, scipy.signal.ShortTimeFFT)
            )
            units = 64 if window.dtype.char == "d" else 64 * 2**29  # of single precision
            near(ours.stft(x), theirs.stft(x), "D", units)
            near(ours.spectrogram(x, detr="constant"), theirs.spectrogram(x, detr="constant"), "d", units)


@pytest.mark.parametrize("hop", [1, 3, 8, 20])
def test_slices_are_scipys_whatever_zeros_the_window_has(rng, hop):
    for zeros in range(0, 9):
        window = np.ones(9)
        window[rng.permutation(9)[: min(zeros, 8)]] = 0
        ours, theirs = (cls(window, hop, 1.0) for cls in (signal.ShortTimeFFT, scipy.signal.ShortTimeFFT))
        for name in ("k_min", "p_min", "lower_border_end", "m_num_mid", "f_pts", "delta_f", "delta_t", "invertible"):
            assert getattr(ours, name) == getattr(theirs, name), name
        for n in (5, 9, 30):
            for name in ("k_max", "p_max", "p_num", "upper_border_begin", "extent"):
                assert getattr(ours, name)(n) == getattr(theirs, name)(n), name
            assert np.array_equal(ours.t(n), theirs.t(n))


# --- the rest ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("char", "fdF")
@pytest.mark.parametrize("n,num", [(12, 7), (12, 8), (11, 30), (12, 30), (12, 12)])
@pytest.mark.parametrize("window", [None, "hann"])
def test_resampling_is_scipys(rng, n, num, char, window):
    x = rng.standard_normal((n, 2)).astype(char)
    near(signal.resample(x, num, window=window), scipy.signal.resample(x, num, window=window), char)


@pytest.mark.parametrize("char", "fd")
def test_analytic_signals_and_envelopes_are_scipys(rng, char):
    x = rng.standard_normal((9, 12)).astype(char)
    near(signal.hilbert(x, 10, 0), scipy.signal.hilbert(x, 10, 0), char.upper())
    near(signal.hilbert2(x, (8, 7)), scipy.signal.hilbert2(x, (8, 7)), char.upper())
    for band in ((1, None), (2, 5), (None, 3), (None, None)):
        for residual in ("lowpass", "all", None):
            options = {"n_out": 20, "residual": residual}
            near(signal.envelope(x, band, **options), scipy.signal.envelope(x, band, **options), char)


@pytest.mark.parametrize("char", "fdFD")
def test_chirps_are_the_sums_in_the_precision_of_the_signal(rng, char):
    x = rng.standard_normal((2, 30)).astype(char)
    z = signal.czt_points(11, 0.99 * np.exp(-0.3j), np.exp(0.2j))
    expected = x.astype("D") @ z ** -np.arange(30)[:, np.newaxis]
    near(signal.czt(x, 11, 0.99 * np.exp(-0.3j), np.exp(0.2j)), expected, char.upper())
    zoomed = x.astype("D") @ np.exp(-2j * np.pi * np.outer(np.arange(30), np.linspace(0.1, 0.2, 7)))
    near(signal.zoom_fft(x.T, (0.1, 0.2), 7, fs=1, endpoint=True, axis=0), zoomed.T, char.upper())


def test_windows_without_scipy_are_scipys():
    from seichefft.signal import _windows

    cases = [
        ("hann", ()), ("hamming", ()), ("blackman", ()), ("boxcar", ()), ("kaiser", (8.0,)), ("gaussian", (3.0,)),
        ("tukey", (0.25,)), ("tukey", (0.0,)), ("tukey", (1.0,)),
    ]  # fmt: skip
    for name, arguments in cases:
        for n in (1, 2, 9, 16):
            for is_periodic in (True, False):
                expected = scipy.signal.get_window((name, *arguments) if arguments else name, n, is_periodic)
                np.testing.assert_allclose(_windows._own(name, arguments, n, is_periodic), expected, atol=1e-14)
    with pytest.raises(ValueError, match="window: expected one of boxcar, hann"):
        _windows._own("nuttall", (), 8, True)
    assert np.array_equal(signal.get_window("hann_symmetric", 8), signal.get_window("hann", 8, fftbins=False))


def test_scipy_is_not_needed_and_nothing_is_printed():
    code = (
        "import sys; sys.modules['scipy'] = None; import numpy as np; from seichefft import signal;"
        "x = np.arange(300.0);"
        "signal.welch(x); signal.stft(x); signal.spectrogram(x); signal.fftconvolve(x, x); signal.resample(x, 20);"
        "signal.ShortTimeFFT.from_window('hann', 1.0, 16, 8).stft(x); signal.czt(x); signal.envelope(x)"
    )
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("", "")


@pytest.mark.parametrize(
    "call,words",
    [
        (lambda x: signal.fftconvolve(x, x[:, None]), "same dimensionality, got 1 and 2"),
        (lambda x: signal.fftconvolve(x, x, "some"), "mode: acceptable mode flags"),
        (lambda x: signal.fftconvolve(x, x, axes=[]), "axes cannot be empty"),
        (lambda x: signal.convolve(x, x, method="quick"), "method: acceptable method flags"),
        (lambda x: signal.welch(x, nperseg=8, noverlap=8), "noverlap=8 must be less than nperseg=8"),
        (lambda x: signal.welch(x, window=np.ones(30)), "window"),
        (lambda x: signal.stft(x, nperseg=8, boundary="mirror"), "Unknown boundary option 'mirror'"),
        (lambda x: signal.istft(x), "at least 2d"),
        (lambda x: signal.resample(x, 0), "num: expected at least 1"),
        (lambda x: signal.hilbert(x + 0j), "x must be real"),
        (lambda x: signal.czt(x, 0), "Invalid number of CZT output points"),
        (lambda x: signal.enbw(x[:, None]), "window: expected one axis"),
    ],
)
def test_bad_input_gets_one_line(call, words):
    with pytest.raises(ValueError) as caught:
        call(np.arange(20.0))
    assert words in str(caught.value) and "\n" not in str(caught.value)


# --- arrays that are not NumPy's --------------------------------------------------------------------------------------


@pytest.fixture
def elsewhere(monkeypatch):
    """Makes arrays of array_api_strict on a device that is not the host's: NumPy refuses them, so that a copy that
    nobody asked for is an error."""
    strict = pytest.importorskip("array_api_strict")
    from seichefft import _arrays
    from seichefft._arrays._numpy import NumPy

    device = strict.Device("device1")

    def outside(x):
        return strict.asarray(x, device=device)

    class Strict(NumPy):
        """Its arrays hold NumPy's, which are taken out without a copy."""

        def asarray(self, x):
            return x

        def signature(self, x):
            return None

    def forwarded(name):
        method = getattr(NumPy, name)

        def call(self, *arguments):
            result = method(self, *[getattr(one, "_array", one) for one in arguments])
            return outside(result) if isinstance(result, np.ndarray) else result

        return call

    for name in (
        "convert", "memory", "resized", "contiguous", "empty", "zeros", "is_writable", "takes_result", "run", "finish",
        "address", "alias", "from_host", "flipped", "rolled", "stage_type", "workspace", "copy_into", "is_on_host",
    ):  # fmt: skip
        setattr(Strict, name, forwarded(name))
    monkeypatch.setitem(_arrays._by_type, type(outside(np.ones(1))), Strict())
    monkeypatch.setattr("seichefft.fft._arguments.adapters", _arrays._by_type)
    with pytest.raises(RuntimeError):
        np.asarray(outside(np.ones(1)))
    return outside


CALLS = {
    "fftconvolve": lambda s, x, h: s.fftconvolve(x, h),
    "fftconvolve axes": lambda s, x, h: s.fftconvolve(x[None, :], h[None, :], axes=1),
    "convolve": lambda s, x, h: s.convolve(x, h, "same"),
    "correlate": lambda s, x, h: s.correlate(x, h, method="fft"),
    "direct": lambda s, x, h: s.correlate(x, h, method="direct"),
    "hilbert": lambda s, x, h: s.hilbert(x),
    "envelope": lambda s, x, h: s.envelope(x, (2, 9)),
    "resample": lambda s, x, h: s.resample(x, 31),
    "resample complex": lambda s, x, h: s.resample(x + 0j, 300, window="hann"),
    "czt": lambda s, x, h: s.czt(x, 9),
    "periodogram": lambda s, x, h: s.periodogram(x)[1],
    "welch": lambda s, x, h: s.welch(x, nperseg=32, detrend="linear")[1],
    "median": lambda s, x, h: s.welch(x, nperseg=32, average="median")[1],
    "csd": lambda s, x, h: s.csd(x, h, nperseg=16)[1],
    "spectrogram": lambda s, x, h: s.spectrogram(x, nperseg=32, mode="phase")[2],
    "stft": lambda s, x, h: s.stft(x, nperseg=32, boundary="odd")[2],
    "istft": lambda s, x, h: s.istft(s.stft(x, nperseg=32)[2], nperseg=32)[1],
    "ShortTimeFFT": lambda s, x, h: s.ShortTimeFFT(np.hanning(16), 5, 1.0).stft(x, padding="even"),
    "inverse": lambda s, x, h: (lambda t: t.istft(t.stft(x)))(s.ShortTimeFFT(np.hamming(16), 5, 1.0)),
}


@pytest.mark.parametrize("name", CALLS)
def test_arrays_stay_where_they_are(rng, elsewhere, name):
    x, h = rng.standard_normal(200), rng.standard_normal(21)
    result = CALLS[name](signal, elsewhere(x), elsewhere(h))
    expected = CALLS[name](signal, x, h)
    assert type(result) is type(elsewhere(x))
    np.testing.assert_allclose(result._array, expected, rtol=0, atol=1e-11 * np.abs(expected).max())
    with pytest.raises(TypeError):
        CALLS["fftconvolve"](signal, elsewhere(x), h)
