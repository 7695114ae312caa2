"""The functions on NumPy's arrays: values against sums in long double, layouts, types, `out`, errors."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest
import scipy.fft

import seichefft
from conftest import assert_near, exact_dft, random_array
from seichefft import Plan, fft, numpy_fft

LENGTHS = (1, 2, 3, 5, 8, 13, 17, 30, 37, 64, 97, 120, 251)


@pytest.mark.parametrize("char", "FDG")
@pytest.mark.parametrize("n", LENGTHS)
def test_complex_transforms_are_the_sums(rng, char, n):
    x = random_array(rng, (3, n), char)
    forward = fft.fft(x)
    assert forward.dtype == x.dtype
    assert_near(forward, exact_dft(x, 1), char, n)
    assert_near(fft.ifft(x) * n, exact_dft(x, 1, +1), char, n)


@pytest.mark.parametrize("char", "fdg")
@pytest.mark.parametrize("n", LENGTHS)
def test_real_transforms_are_the_sums(rng, char, n):
    x = random_array(rng, (3, n), char)
    exact = exact_dft(x, 1)
    spectrum = fft.rfft(x)
    assert spectrum.dtype == np.dtype(char.upper())
    assert_near(spectrum, exact[:, : n // 2 + 1], char, n)
    assert_near(fft.irfft(spectrum, n), x, char, n, most=6)
    assert_near(fft.hfft(spectrum, n) / n, np.roll(x[:, ::-1], 1, 1), char, n, most=6)
    assert_near(fft.ihfft(x) * n, exact.conj()[:, : n // 2 + 1], char, n)
    assert_near(fft.fft(x), exact, char, n)


@pytest.mark.parametrize("norm", [None, "backward", "ortho", "forward"])
@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
@pytest.mark.parametrize("suffix", ["", "2", "n"])
def test_functions_are_scipys(rng, name, suffix, norm):
    x = random_array(rng, (4, 6, 10), "d" if name in ("rfft", "ihfft") else "D")
    options = [{}]
    options += [{"n": 7}, {"n": 15, "axis": 0}] if suffix == "" else [{"s": (5, 12)}, {"axes": (2, 0)}]
    for keywords in options:
        expected = getattr(scipy.fft, name + suffix)(x, norm=norm, **keywords)
        result = getattr(fft, name + suffix)(x, norm=norm, **keywords)
        assert result.dtype == expected.dtype
        np.testing.assert_allclose(result, expected, rtol=0, atol=1e-14 * np.abs(expected).max())


@pytest.mark.parametrize("char", "fdgD")
@pytest.mark.parametrize("type_", [1, 2, 3, 4])
@pytest.mark.parametrize("name", ["dct", "idct", "dst", "idst"])
def test_cosine_and_sine_transforms_are_scipys(rng, name, type_, char):
    x = random_array(rng, (5, 9), char)
    tolerance = {"f": 1e-6, "d": 2e-15, "g": 1e-18, "D": 2e-15}[char]
    for norm in (None, "ortho", "forward"):
        # Of complex numbers SciPy 1.17 ignores `orthogonalize` along one axis.
        for orthogonalize in (None,) if char == "D" else (None, True, False):
            for suffix in ("", "n"):
                arguments = {"norm": norm, "orthogonalize": orthogonalize}
                expected = getattr(scipy.fft, name + suffix)(x, type_, **arguments)
                result = getattr(fft, name + suffix)(x, type_, **arguments)
                assert result.dtype == expected.dtype
                np.testing.assert_allclose(result, expected, rtol=0, atol=tolerance * np.abs(expected).max())


def test_orthogonalize_holds_for_both_parts_of_complex_numbers(rng):
    x = random_array(rng, (6,), "D")
    result = fft.dct(x, 1, orthogonalize=True)
    np.testing.assert_allclose(result.real, scipy.fft.dct(x.real, 1, orthogonalize=True), rtol=1e-13)
    np.testing.assert_allclose(result.imag, scipy.fft.dct(x.imag, 1, orthogonalize=True), rtol=1e-13)


def layouts(x):
    """Arrays of equal values that lie differently."""
    wide = np.zeros((*x.shape[:-1], 2 * x.shape[-1]), x.dtype)
    wide[..., ::2] = x
    unaligned = np.zeros(x.nbytes + 1, np.uint8)[1:].view(x.dtype).reshape(x.shape)
    unaligned[...] = x
    offset = np.zeros(x.size + 1, x.dtype).view(x.real.dtype)[1:-1] if x.dtype.kind == "c" else None
    yield "C", x
    yield "Fortran", np.asfortranarray(x)
    yield "every second", wide[..., ::2]
    yield "transposed", np.ascontiguousarray(x.T).T
    yield "reversed", np.ascontiguousarray(x[::-1, :, ::-1])[::-1, :, ::-1]
    yield "other byte order", x.astype(x.dtype.newbyteorder())
    yield "not aligned", unaligned
    if offset is not None:
        half = offset.view(x.dtype).reshape(x.shape)
        half[...] = x
        yield "aligned to a number alone", half
    yield "read-only", np.lib.stride_tricks.as_strided(x, writeable=False)


@pytest.mark.parametrize("char", "FDdg")
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_layouts(rng, char, axis):
    x = random_array(rng, (4, 6, 5), char)
    expected = fft.fft(x, axis=axis)
    for name, array in layouts(x):
        for _ in range(2):  # planned, and remembered
            result = fft.fft(array, axis=axis)
            assert result.flags.c_contiguous, name
            assert_near(result, expected, char, 6, most=2)
        np.testing.assert_array_equal(array, x)


def test_reversed_arrays_are_not_copied(rng, monkeypatch):
    from seichefft._arrays._numpy import NumPy

    copies = []
    contiguous = NumPy.contiguous
    monkeypatch.setattr(NumPy, "contiguous", lambda self, x: copies.append(x.strides) or contiguous(self, x))
    for char in "FDfd":
        x = random_array(rng, (4, 6, 5), char)
        for view in (x[::-1], x[:, ::-1], x[..., ::-1], x[::-1, ::-1, ::-1], x[::-2, :, 3::-2], x.T[::-1]):
            for axis in range(3):
                dense = np.ascontiguousarray(view)
                for _ in range(2):  # planned, and remembered
                    assert_near(fft.fft(view, axis=axis), fft.fft(dense, axis=axis), char, 6, most=2)
                if char in "fd":
                    assert_near(fft.rfft(view, axis=axis), fft.rfft(dense, axis=axis), char, 6, most=2)
                    assert_near(fft.dct(view, axis=axis), fft.dct(dense, axis=axis), char, 12, most=2)
                else:
                    assert_near(fft.irfft(view, axis=axis), fft.irfft(dense, axis=axis), char, 6, most=2)
                out = np.empty(view.shape, view.astype(char.upper()).dtype)[::-1, :, ::-1]
                assert fft.fft(view, axis=axis, out=out) is out
                assert_near(out, fft.fft(dense, axis=axis), char, 6, most=2)
        y = x.copy()
        assert_near(fft.fft2(y[::-1, :, ::-1], overwrite_x=True), fft.fft2(x[::-1, :, ::-1]), char, 30, most=2)
    assert not copies


def test_broadcast_and_overlapping_inputs(rng):
    row = random_array(rng, (8,), "D")
    many = np.broadcast_to(row, (5, 8))
    np.testing.assert_array_equal(fft.fft(many), np.broadcast_to(fft.fft(row), (5, 8)))
    windows = np.lib.stride_tricks.sliding_window_view(random_array(rng, (40,), "d"), 16)
    assert_near(fft.rfft(windows), exact_dft(windows, 1)[:, :9], "d", 16)
    constant = np.broadcast_to(np.float64(2), (6,))
    np.testing.assert_allclose(fft.fft(constant), [12, 0, 0, 0, 0, 0], atol=1e-15)


def test_results_are_the_same_wherever_a_transform_is(rng):
    x = random_array(rng, (64, 96), "F")
    whole = fft.fft(x)
    for count in (1, 3, 33):
        np.testing.assert_array_equal(fft.fft(x[:count]), whole[:count])
    for start in (1, 17):
        np.testing.assert_array_equal(fft.fft(x[start:]), whole[start:])


@pytest.mark.parametrize(
    "dtype, expected",
    [
        ("e", "F"),
        ("f", "F"),
        ("d", "D"),
        ("g", "G"),
        ("?", "D"),
        ("b", "D"),
        ("i", "D"),
        ("Q", "D"),
        ("F", "F"),
        ("O", "D"),
    ],
)
def test_types_are_scipys(dtype, expected):
    x = np.array([1, 0, 1, 1], dtype)
    assert fft.fft(x).dtype == expected
    assert fft.fft(x).dtype == expected
    np.testing.assert_allclose(fft.fft(x), [3, 0 + 1j, 1, 0 - 1j], atol=1e-6)


@pytest.mark.parametrize("name", ["irfft", "hfft"])
@pytest.mark.parametrize("dtype", ["e", None, "d"])
def test_real_results_of_halves_are_halves_for_numpy(name, dtype, rng):
    x = rng.standard_normal(8).astype("e")
    expected = getattr(np.fft, name)(x.astype("d")).astype(dtype or "e")
    out = None if dtype is None else np.empty(14, dtype)
    for _ in range(2):
        result = getattr(numpy_fft, name)(x, out=out)
        assert result.dtype == expected.dtype and (out is None or result is out)
        np.testing.assert_allclose(result, expected, rtol=2e-3, atol=2e-3)
    assert numpy_fft.irfft2(np.ones((4, 4), "e")).dtype == "f"


def test_lists_scalars_and_subclasses():
    assert fft.fft([1, 2]).tolist() == [3, -1]
    assert type(fft.fft(np.matrix([[1, 2]]))) is np.ndarray
    np.testing.assert_array_equal(fft.fft(np.ma.array([1.0, 2.0])), [3, -1])


class TestOut:
    def test_is_written_and_returned(self, rng):
        x = random_array(rng, (4, 6), "D")
        for out in (
            np.empty((4, 6), "D"),
            np.empty((6, 4), "D").T,
            np.empty((4, 12), "D")[:, ::2],
            np.empty((4, 6), "D")[::-1],
        ):
            assert fft.fft(x, out=out) is out
            np.testing.assert_allclose(out, fft.fft(x), atol=1e-14)

    def test_leaves_what_lies_between_alone(self, rng, device):
        x = random_array(rng, (3, 4), "D")
        memory = np.full((3, 8), 7.0 + 0j)
        with seichefft.Device(device):
            fft.fft(x, out=memory[:, ::2])
        assert (memory[:, 1::2] == 7).all()
        assert_near(memory[:, ::2], exact_dft(x, 1), "D", 4)

    def test_may_be_the_input(self, rng):
        x = random_array(rng, (20, 20), "D")
        expected = fft.fft(x)
        y = x.copy()
        assert fft.fft(y, out=y) is y
        np.testing.assert_allclose(y, expected, atol=1e-13)
        y = x.copy()
        fft.fft(y, out=y.T)
        np.testing.assert_allclose(y.T, expected, atol=1e-13)

    def test_of_long_doubles_and_real_results(self, rng):
        x = random_array(rng, (10,), "g")
        out = np.empty(6, "G")
        assert fft.rfft(x, out=out) is out
        back = np.empty(10, "g")
        assert fft.irfft(out, out=back) is back
        np.testing.assert_allclose(back, x, rtol=0, atol=1e-18)
        cosine = np.empty(10, "g")
        assert fft.dct(x, norm="ortho", out=cosine) is cosine

    @pytest.mark.parametrize(
        "out, error, words",
        [
            (np.empty(5, "D"), ValueError, "out: expected shape (4,), got (5,)"),
            (np.empty(4, "F"), TypeError, "out: expected elements of the result's type, complex f64, got complex64"),
            (np.empty(4, "O"), TypeError, "out: expected elements"),
            ([0] * 4, TypeError, "out: expected an array of numpy, got list"),
        ],
    )
    def test_that_does_not_serve(self, out, error, words):
        with pytest.raises(error) as raised:
            fft.fft(np.ones(4), out=out)
        assert str(raised.value).startswith(words)

    def test_read_only(self):
        out = np.empty(4, "D")
        out.flags.writeable = False
        with pytest.raises(ValueError, match="writable"):
            fft.fft(np.ones(4), out=out)


def test_overwrite_x_may_destroy_and_others_may_not(rng):
    x = random_array(rng, (6, 8), "D")
    expected, kept = fft.fft(x, axis=0), x.copy()
    np.testing.assert_array_equal(x, kept)
    np.testing.assert_allclose(fft.fft(x, axis=0, overwrite_x=True), expected, atol=1e-14)
    shared = np.broadcast_to(kept[0], (6, 8))
    fft.fft(shared, overwrite_x=True)
    np.testing.assert_array_equal(kept, np.vstack([kept[:1], kept[1:]]))


def test_empty_arrays():
    assert fft.fft(np.ones((0, 4))).shape == (0, 4)
    assert fft.rfftn(np.ones((0, 4)), axes=(1,)).shape == (0, 3)
    with pytest.raises(ValueError, match=r"invalid number of data points \(0\) specified"):
        fft.fft(np.ones((4, 0)))


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda: fft.fft([1, 2], norm="x"), ValueError, "Invalid norm value 'x'"),
        (lambda: fft.fft([1, 2], n=0), ValueError, "invalid number of data points (0) specified"),
        (lambda: fft.fft([1, 2], n=1.5), TypeError, "'float' object"),
        (lambda: fft.fft([1, 2], axis=1), IndexError, "axis 1 is out of bounds for array of dimension 1"),
        (lambda: fft.fft(3.0), IndexError, "axis -1 is out of bounds for array of dimension 0"),
        (lambda: fft.fftshift([1, 2], axes=1), IndexError, "axis 1 is out of bounds for array of dimension 1"),
        (lambda: fft.fft(None), TypeError, "x: expected an array or a sequence of numbers, got NoneType"),
        (lambda: fft.fft({1, 2}), TypeError, "x: expected an array or a sequence of numbers, got set"),
        (lambda: fft.fft(np.zeros(3, "M8[s]")), TypeError, "x: expected an array of numbers, got one of datetime64[s]"),
        (lambda: fft.rfft(np.zeros(3, "V4")), TypeError, "x: expected an array of numbers, got one of |V4"),
        (lambda: numpy_fft.fft(np.ones(3, object)), TypeError, "a: expected an array of numbers, got one of object"),
        (lambda: numpy_fft.rfft(np.array(["1"])), TypeError, "a: expected an array of numbers, got one of <U1"),
        (lambda: fft.fftfreq(4, 0), ZeroDivisionError, "d: expected another spacing than 0"),
        (lambda: fft.fht([1.0, 2.0], 0, 1), ZeroDivisionError, "dln: expected another spacing than 0"),
        (lambda: fft.dct([1.0, 2.0], type=2.0), TypeError, "'float' object"),
        (lambda: fft.fft([1, 2], workers=1.5), TypeError, "'float' object"),
        (lambda: fft.next_fast_len(2**70), ValueError, "target: expected 0 to 4611686018427387904, got 118"),
        (lambda: fft.rfft([1, 2j]), TypeError, "x must be a real sequence"),
        (lambda: fft.fftn(np.ones((2, 2)), axes=(0, 0)), ValueError, "all axes must be unique"),
        (lambda: fft.fftn(np.ones((2, 2)), axes=(2,)), ValueError, "axes exceeds dimensionality"),
        (lambda: fft.fftn(np.ones((2, 2)), s=(1, 2, 3)), ValueError, "shape requires more axes"),
        (lambda: fft.dct([1.0, 2.0], type=5), ValueError, "type: expected 1, 2, 3 or 4, got 5"),
        (lambda: fft.dct([1.0], type=1), ValueError, ""),
        (lambda: fft.fft([1, 2], workers=0), ValueError, "workers must not be zero"),
        (lambda: fft.fft(["a", "b"]), ValueError, ""),
        (lambda: fft.fft([1, 2], plan="x"), NotImplementedError, "plan: expected a precomputed plan"),
        (lambda: seichefft.Device("cuda:77"), seichefft.Error, "device 'cuda:77' is not available"),
        (lambda: seichefft.Device("nonsense"), seichefft.Error, ""),
    ],
)
def test_errors_are_one_line_of_the_right_type(call, error, words):
    with pytest.raises(error) as raised:
        call()
    assert str(raised.value).startswith(words)
    assert "\n" not in str(raised.value)
    assert "std::" not in str(raised.value) and "::" not in str(raised.value)


def test_wrong_arguments_are_wrong_the_second_time_too():
    x = np.ones(8)
    fft.fft(x, 8)
    for _ in range(2):
        with pytest.raises(TypeError):
            fft.fft(x, 8.0)


def test_what_one_namespace_remembers_is_not_the_others(rng):
    half = random_array(rng, 9, "f").astype("e")
    for _ in range(2):
        assert numpy_fft.irfft(half).dtype == np.float16
        assert fft.irfft(half).dtype == np.float32
    x = np.ones((3, 4))
    fft.fftn(x, s=(4,))
    for _ in range(2):  # NumPy warns of it at each call
        with pytest.warns(DeprecationWarning, match="`axes` should not be `None`"):
            numpy_fft.fftn(x, s=(4,))


def test_lengths_of_nothing():
    assert fft.next_fast_len(0) == fft.prev_fast_len(0) == 0


def test_devices_give_the_same(rng, device):
    x = random_array(rng, (3, 12, 10), "F")
    with seichefft.Device(device):
        assert_near(fft.fft(x), exact_dft(x, 2), "F", 10)
        assert_near(fft.fftn(x, axes=(1, 2)), exact_dft(exact_dft(x, 2), 1), "F", 120)
        assert_near(fft.irfft(fft.rfft(x.real, axis=1), 12, axis=1), x.real, "f", 12, most=6)
        assert_near(fft.idct(fft.dct(x.real, norm="ortho"), norm="ortho"), x.real, "f", 10, most=6)


def test_threads_share_plans(rng):
    arrays = [random_array(rng, (n % 7 + 1, 3 * n + 2), "D") for n in range(40)]
    expected = [np.fft.fft(x) for x in arrays]
    failures = []

    def work():
        for x, exact in zip(arrays, expected):
            if not np.allclose(fft.fft(x), exact, atol=1e-12):
                failures.append(x.shape)

    seichefft.config.clear_plan_cache()
    seichefft.config.set_max_plans(5)
    try:
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        seichefft.config.set_max_plans(128)
    assert not failures


def test_other_threads_go_on_meanwhile(rng):
    """The interpreter's lock is released: a thread that gives it back at once goes on while a long transform runs."""
    x = random_array(rng, (1 << 21,), "D")
    out = np.empty_like(x)
    call = Plan(1 << 21)
    call(x, out)
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        before = counted[0]
        call(x, out)
        during = counted[0] - before
    finally:
        stop.set()
        thread.join()
    assert during > 50


def test_helpers():
    for n in range(1, 40):
        np.testing.assert_allclose(fft.fftfreq(n, 0.3), scipy.fft.fftfreq(n, 0.3))
        np.testing.assert_allclose(fft.rfftfreq(n, 0.3), scipy.fft.rfftfreq(n, 0.3))
        x = np.arange(2 * n).reshape(2, n)
        for axes in (None, 1, (0,), (0, 1)):
            np.testing.assert_array_equal(fft.fftshift(x, axes), scipy.fft.fftshift(x, axes))
            np.testing.assert_array_equal(fft.ifftshift(x, axes), scipy.fft.ifftshift(x, axes))

    def is_fast(n):
        for prime in (2, 3, 5, 7, 11, 13):
            while n % prime == 0:
                n //= prime
        return n == 1

    for n in [*range(1, 500), 10**6, 2**31 - 1]:
        after, before = fft.next_fast_len(n), fft.prev_fast_len(n)
        assert before <= n <= after and is_fast(before) and is_fast(after)
        if n < 500:
            assert not any(is_fast(m) for m in range(before + 1, n + 1)) or before == n
            assert not any(is_fast(m) for m in range(n, after))


@pytest.mark.parametrize("n", [64, 63])
@pytest.mark.parametrize("bias", [0.0, 0.3, -0.3])
@pytest.mark.parametrize("offset", [0.0, 1.0])
def test_hankel_transforms_are_scipys(rng, n, bias, offset):
    a = rng.standard_normal((2, n)) + 3
    for name in ("fht", "ifht"):
        expected = getattr(scipy.fft, name)(a, 0.1, 1.5, offset=offset, bias=bias)
        result = getattr(fft, name)(a, 0.1, 1.5, offset=offset, bias=bias)
        np.testing.assert_allclose(result, expected, rtol=0, atol=1e-12 * np.abs(expected).max())
    assert fft.fhtoffset(0.1, 1.5, offset, bias) == pytest.approx(scipy.fft.fhtoffset(0.1, 1.5, offset, bias))


class TestRepeatedCalls:
    """A call that is remembered gives what the first one gave, whatever lies where."""

    def calls(self, x, **options):
        return [fft.fft(x, **options) for _ in range(3)]

    def test_out(self, rng):
        x, out = random_array(rng, (3, 8), "D"), np.empty((3, 8), "D")
        want = scipy.fft.fft(x)
        for _ in range(3):
            assert fft.fft(x, out=out) is out
            assert_near(out, want, "D", 8)
            out[...] = 0
        for _ in range(3):
            strided = np.zeros((3, 16), "D")
            fft.fft(x, out=strided[:, ::2])
            assert_near(strided[:, ::2], want, "D", 8)
            assert not strided[:, 1::2].any()
        real = np.arange(8.0)
        for _ in range(3):
            fft.fft(real, out=out[0])
            assert_near(out[0], scipy.fft.fft(real), "D", 8)

    def test_out_over_the_input(self, rng):
        memory = random_array(rng, (4, 8), "D")
        for rows in (slice(0, 3), slice(1, 4)):  # first apart, then over the input
            for _ in range(2):
                x = memory.copy()
                want = scipy.fft.fft(x[:3])
                target = x[rows] if rows.start else np.empty_like(x[:3])
                fft.fft(x[:3], out=target)
                assert_near(target, want, "D", 8)

    def test_out_that_is_read_only(self, rng):
        x, out = random_array(rng, (8,), "D"), np.empty(8, "D")
        fft.fft(x, out=out)
        fft.fft(x, out=out)
        out.flags.writeable = False
        with pytest.raises(ValueError, match="read-only"):
            fft.fft(x, out=out)

    @pytest.mark.parametrize("dtype", ["D", "d", "f", "i4", "g"])
    def test_padded(self, rng, dtype):
        x = (8 * random_array(rng, (3, 8), "D")).astype(dtype) if dtype == "D" else np.arange(24).reshape(3, 8)
        x = x.astype(dtype)
        for n in (11, 5):
            for result in self.calls(x, n=n):
                assert_near(result, scipy.fft.fft(x, n), result.dtype.char, n)
        for _ in range(3):
            result = fft.fftn(x, (4, 7))
            assert_near(result, scipy.fft.fftn(x, (4, 7)), result.dtype.char, 28)
            out = np.zeros((4, 7), result.dtype)
            fft.fftn(x, (4, 7), out=out)
            assert_near(out, result, result.dtype.char, 28)

    @pytest.mark.parametrize("rows", [3, 3000])
    def test_overwrite(self, rng, rows):
        x = random_array(rng, (rows, 16), "D")
        want = scipy.fft.fft(x)
        for _ in range(3):
            assert_near(fft.fft(x.copy(), overwrite_x=True), want, "D", 16)
