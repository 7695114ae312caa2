"""Spectral plans that begin with a spectrum, and bands of plane waves, against NumPy in double precision."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import assert_near, random_array
from seichefft import SpectralPlan, spectral

#: Shapes of a grid: odd and even lengths, primes, a single point, several axes.
SHAPES = [(1,), (2,), (15,), (101,), (5, 1), (9, 7), (8, 12), (4, 3, 10), (9, 10, 8)]


def place_of(shape):
    place = "i0"
    for i in range(1, len(shape)):
        place = f"({place} * n{i} + i{i})"
    return place


def applied(coefficients, bins, potential):
    """By NumPy: `bins` has the places of the modes in the grid."""
    axes = tuple(range(1, 1 + potential.ndim))
    grid = np.zeros((len(coefficients), potential.size), "D")
    grid[:, bins] = coefficients
    grid = grid.reshape((-1, *potential.shape))
    after = np.fft.fftn(np.fft.ifftn(grid, axes=axes) * potential.astype("d"), axes=axes)
    return after.reshape((len(coefficients), potential.size))[:, bins]


def sphere(shape, rng, radius):
    """The wave numbers in a sphere, in any order, and their bins."""
    axes = np.meshgrid(*[np.rint(np.fft.fftfreq(n, 1 / n)).astype(int) for n in shape], indexing="ij")
    waves = np.stack([axis.ravel() for axis in axes], axis=1)
    bins = rng.permutation(np.flatnonzero((waves**2).sum(axis=1) <= radius**2))
    return waves[bins], bins


@pytest.mark.parametrize("char", "FD")
@pytest.mark.parametrize("shape", SHAPES)
def test_all_bins_of_a_spectrum(rng, shape, char):
    x, v = random_array(rng, (3, *shape), char), random_array(rng, shape, char.lower())
    plan = SpectralPlan(
        shape, x.dtype, middle=f"return value * v[{place_of(shape)}];", begins_with="spectrum", batch=3, v=v
    )
    assert plan.input_shape == plan.output_shape == x.shape
    exact = applied(x.reshape(3, -1), np.arange(v.size), v).reshape(x.shape)
    assert_near(plan(x), exact, char, x.size, most=4)
    assert_near(plan(x[:1]), exact[:1], char, x.size, most=4)  # another batch


@pytest.mark.parametrize(
    "shape, kept", [((21,), [(-6, 4)]), ((12, 15), [(-3, 3), (0, 5)]), ((9, 10, 8), [(-2, 3)] * 3)]
)
def test_boxes_of_modes(rng, shape, kept):
    v = random_array(rng, shape, "d")
    inside = [np.isin(np.fft.fftfreq(n, 1 / n), range(*ends)) for n, ends in zip(shape, kept)]
    bins = np.flatnonzero(np.prod(np.meshgrid(*inside, indexing="ij"), axis=0))
    counts = tuple(end - begin for begin, end in kept)
    x = random_array(rng, (2, *counts), "D")
    plan = SpectralPlan(
        shape, "D", middle=f"return value * v[{place_of(shape)}];", begins_with="spectrum", kept=kept, batch=2, v=v
    )
    assert plan.input_shape == plan.output_shape == x.shape
    assert_near(plan(x), applied(x.reshape(2, -1), bins, v).reshape(x.shape), "D", v.size, most=4)


@pytest.mark.parametrize("char", "FD")
@pytest.mark.parametrize("shape, radius", [((15,), 4), ((9, 7), 2.5), ((9, 10, 8), 3), ((16, 15, 12), 4)])
def test_bands_of_plane_waves(rng, shape, radius, char):
    waves, bins = sphere(shape, rng, radius)
    v = random_array(rng, shape, char.lower())
    x = random_array(rng, (2, 3, len(waves)), char)
    result = spectral.plane_wave_potential(x, waves, v)
    assert result.dtype == x.dtype
    assert result.shape == x.shape
    exact = applied(x.reshape(6, -1), bins, v)
    assert_near(result.reshape(6, -1), exact, char, v.size, most=4)
    assert_near(spectral.plane_wave_potential(x[0, 0], waves.tolist(), v), exact[0], char, v.size, most=4)
    assert spectral.plane_wave_potential(x[:0], waves, v).shape == (0, 3, len(waves))
    # Another potential of the same plan, and the modes in another order.
    assert_near(spectral.plane_wave_potential(x, waves, 2 * v).reshape(6, -1), 2 * exact, char, v.size, most=4)
    assert_near(spectral.plane_wave_potential(x[0, 0, ::-1], waves[::-1], v)[::-1], exact[0], char, v.size, most=4)


def test_plans_with_packed_modes_are_kept(rng):
    waves, bins = sphere((9, 8), rng, 3)
    plan = SpectralPlan((9, 8), "D", begins_with="spectrum", packed=waves, scale=0.5)
    x = random_array(rng, (len(waves),), "D")
    assert plan.input_shape == (len(waves),)
    assert plan.problem == f"9x8 complex f64 scale=0.5 spectrum-first packed={len(waves)}"
    assert_near(SpectralPlan.load(plan.save())(x), 0.5 * x, "D", 72, most=4)


def test_what_is_refused(rng):
    plan = {"begins_with": "spectrum"}
    with pytest.raises(ValueError, match=r"packed: expected whole numbers of a shape \(modes, 2\), got float64"):
        SpectralPlan((8, 6), "D", packed=[[0.0, 1.0]], **plan)
    with pytest.raises(
        ValueError, match=r"packed: expected whole numbers of a shape \(modes, 2\), got int64 of \(2,\)"
    ):
        SpectralPlan((8, 6), "D", packed=[0, 1], **plan)
    with pytest.raises(ValueError, match="spectral.packed: expected each mode once, got mode 1 again, which is 0"):
        SpectralPlan((8, 6), "D", packed=[[0, 1], [0, 1]], **plan)
    with pytest.raises(ValueError, match="spectral.numbers: expected complex with the order spectrum-first, got real"):
        SpectralPlan((8, 6), **plan)
    with pytest.raises(ValueError, match="begins_with: expected"):
        SpectralPlan((8, 6), "D", begins_with="inverse")
    v = random_array(rng, (8, 6), "d")
    with pytest.raises(ValueError, match="potential: expected real numbers on a grid, got complex128"):
        spectral.plane_wave_potential([1], [[0, 0]], v + 0j)
    with pytest.raises(ValueError, match="waves: expected 2 wave numbers for each of the coefficients"):
        spectral.plane_wave_potential([1, 2], [[0, 0]], v)
    with pytest.raises(ValueError, match="got 4 in mode 0"):
        spectral.plane_wave_potential([1], [[4, 0]], v)
