"""What differs on the processor: slices of a batch, stages on vectors, kept workspaces, and its benchmark."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from conftest import assert_near
from seichefft import Plan, SpectralPlan, bench, config, spectral
from seichefft._arrays import _blocks


def near(result, exact):
    """In the precision that the result has."""
    assert_near(result, np.asarray(exact), np.asarray(result).real.dtype.char, np.asarray(result).size, 6.0)


def random(shape, dtype):
    generator = np.random.default_rng(5)
    values = generator.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * generator.standard_normal(shape)
    return values.astype(dtype)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("shape", [(22050,), (100, 126)])
def test_an_array_of_a_batch_has_the_same_bits_alone(shape, dtype):
    batch = (6 << 20) // (np.prod(shape) * np.dtype(dtype).itemsize) + 3  # more than caches hold at once
    x = random((batch, *shape), dtype)
    plan = Plan(shape, dtype, batch=batch, direction="forward")
    together = plan(x)
    for i in (0, batch // 2, batch - 1):
        assert together[i : i + 1].tobytes() == plan(x[i : i + 1]).tobytes()
    near(together[-1], np.fft.fftn(x[-1]))
    in_place = x.copy()
    Plan(shape, dtype, batch=batch, direction="forward", in_place=True)(in_place)
    near(in_place, together)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(22050,), (100, 126)])
def test_real_arrays_of_a_batch(shape, dtype):
    batch = (6 << 20) // (np.prod(shape) * np.dtype(dtype).itemsize) + 3
    x = random((batch, *shape), dtype)
    spectra = Plan(shape, dtype, kind="r2c", batch=batch, direction="forward")(x)
    near(spectra, np.fft.rfftn(x, axes=tuple(range(1, x.ndim))))
    again = Plan(shape, dtype, kind="c2r", batch=batch, direction="inverse")(spectra)
    near(again / np.prod(shape).astype(dtype), x)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(15, 17), (128, 96)])
def test_an_operator_of_a_batch_works_in_slices(shape, dtype):
    batch = (12 << 20) // (np.prod(shape) * np.dtype(dtype).itemsize)
    x = random((batch, *shape), dtype)
    plan = SpectralPlan(shape, dtype, middle="return value * complex(1 + i0, i1);", batch=batch)
    together = plan(x)
    for i in (0, batch // 2, batch - 1):
        assert together[i : i + 1].tobytes() == plan(x[i : i + 1]).tobytes()
    factor = 1 + np.arange(shape[0])[:, None] + 1j * np.arange(shape[1] // 2 + 1)
    near(together[-1], np.fft.irfft2(np.fft.rfft2(x[-1].astype("d")) * factor, shape).astype(dtype))


def test_a_stage_that_names_the_batch_sees_all_of_it():
    x = random((900, 64, 48), "float64")
    plan = SpectralPlan((64, 48), "float64", middle="return value * (1 + batch);", batch=900)
    near(plan(x), x * np.arange(1, 901)[:, None, None])


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize(
    ("text", "factor"),
    [
        ("return value * 2.0 - value;", lambda i: 1 + 0 * i),
        ("return value * table[i0];", lambda i: 1 / (1 + i)),
        ("return i0 % 2 == 1 ? -value : value;", lambda i: 1 - 2 * (i % 2)),
        ("return value / (1 + i0);", lambda i: 1 / (1 + i)),
        ("return 2 * i0 < n0 ? 0 : value;", lambda i: np.where(2 * i < len(i), 0, 1)),
        ("return sqrt(table[i0]) * value;", lambda i: np.sqrt(1 / (1 + i))),
    ],
)
def test_stages_of_many_sequences(text, factor, dtype):
    n = 60
    x = random((37, n), dtype)
    table = {"table": (1 / (1 + np.arange(n))).astype(x.real.dtype)} if "table" in text else {}
    kind = "c2c" if x.dtype.kind == "c" else "r2c"
    plan = Plan(n, dtype, kind=kind, batch=37, direction="forward", forward_load=text, **table)
    expected = (np.fft.fft if kind == "c2c" else np.fft.rfft)(x * factor(np.arange(n)))
    near(plan(x), expected.astype(np.result_type(x, np.complex64)))


@pytest.mark.parametrize("padding", ["zeros", "reflect"])
@pytest.mark.parametrize(("n", "hop"), [(64, 16), (63, 17), (400, 160), (2, 1), (1, 1)])
def test_long_signals_are_padded_in_memory(n, hop, padding):
    x, window = random((3, 9001), "float64"), random((n,), "float64")
    padded = np.pad(x, ((0, 0), (n // 2, n // 2)), mode="reflect" if padding == "reflect" else "constant")
    frames = np.lib.stride_tricks.sliding_window_view(padded, n, axis=-1)[:, ::hop]
    expected = np.fft.rfft(frames * window).swapaxes(-1, -2)
    near(spectral.stft(x, window, hop, padding=padding), expected)
    power = spectral.stft(x, window, hop, padding=padding, value="power")
    near(power, abs(expected) ** 2)


def test_workspaces_are_kept_and_let_go_of():
    _blocks.clear()
    first = _blocks.take_block(1 << 20)
    memory = first.memory
    del first
    again, other = _blocks.take_block((1 << 20) - 100), _blocks.take_block(1 << 20)
    assert again.memory is memory
    assert other.memory is not memory
    del again, other
    assert sum(one.nbytes for one in _blocks._free) == 2 << 20
    assert _blocks.take_block(1 << 10).memory.nbytes == 1 << 10  # a large one is not for little
    config.clear_plan_cache()
    assert not _blocks._free


def test_the_benchmark_beside_scipy(tmp_path, capsys):
    table = tmp_path / "table.csv"
    bench.main(["processor", "--small", "--repeat", "2", "--csv", str(table)])
    captured = capsys.readouterr()
    assert captured.err == ""  # no result was wrong
    assert "in the geometric mean of 13" in captured.out
    lines = [line for line in table.read_text().splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(lines))
    assert {row["library"] for row in rows if row["workflow"].startswith("stft-power")} == {
        "seichefft", "ShortTimeFFT", "scipy.signal.stft"
    }  # fmt: skip
    assert all(float(row["least_ms"]) > 0 and float(row["error"]) < 2e-6 for row in rows)
