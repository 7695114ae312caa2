"""Spectral plans of real-to-real kinds against SciPy's transforms, and equations between walls against matrices of the
second difference and solutions that are known."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.fft

from conftest import assert_near, random_array
from seichefft import SpectralPlan, spectral

KINDS = [f"{family}{number}" for family in ("dct", "dst") for number in (1, 2, 3, 4)]
SHIFTS = {"dct1": 0, "dct2": 0, "dst1": 1, "dst2": 1}
BOUNDARIES = ["dirichlet", "neumann", "dirichlet-neumann", "neumann-dirichlet"]


def by_scipy(x, kinds, factor):
    """Of the axes behind the first one, in double precision; `factor` is of the arrays of k."""
    periodic = [axis for axis, kind in enumerate(kinds, 1) if kind == "periodic"]
    waves = []
    spectrum = x.astype("d")
    for axis, kind in enumerate(kinds, 1):
        n = x.shape[axis]
        if kind == "periodic":
            waves.append(np.fft.rfftfreq(n, 1 / n) if axis == periodic[-1] else np.fft.fftfreq(n, 1 / n))
            continue
        waves.append(np.arange(n) + SHIFTS.get(kind, 0.5))
        spectrum = getattr(scipy.fft, kind[:3])(spectrum, int(kind[3]), axis=axis)
    if periodic:
        spectrum = np.fft.rfftn(spectrum, axes=periodic)
    spectrum = spectrum * factor(*np.meshgrid(*waves, indexing="ij", sparse=True))
    if periodic:
        spectrum = np.fft.irfftn(spectrum, [x.shape[axis] for axis in periodic], axes=periodic)
    for axis, kind in enumerate(kinds, 1):
        if kind != "periodic":
            spectrum = getattr(scipy.fft, "i" + kind[:3])(spectrum, int(kind[3]), axis=axis)
    return spectrum


@pytest.mark.parametrize("char", "fd")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [2, 9, 16, 101])
def test_each_kind_is_scipys(rng, kind, n, char):
    x = random_array(rng, (3, n), char)
    plan = SpectralPlan(n, x.dtype, middle="return value / (1 + k0);", kinds=[kind], batch=3)
    assert f"kinds={kind}" in plan.problem
    assert_near(plan(x), by_scipy(x, [kind], lambda k: 1 / (1 + k)), char, x.size, most=6)  # SciPy is no more exact


@pytest.mark.parametrize(
    "kinds",
    [
        ("dct2", "dct2"),
        ("dst1", "dct4"),
        ("periodic", "dst2"),
        ("dct1", "periodic"),
        ("dst3", "periodic", "dct3"),
        ("periodic", "dst4", "periodic"),
        ("dct2", "periodic", "periodic"),
    ],
)
@pytest.mark.parametrize("char", "fd")
def test_mixed_kinds_are_scipys(rng, device, kinds, char):
    if char == "d" and device != "cpu":
        pytest.skip("kernels of both precisions are the processor's")
    shape = (7, 10, 9)[: len(kinds)]
    x = random_array(rng, (2, *shape), char)
    sums = " + ".join(f"{i + 1} * k{i}" for i in range(len(kinds)))
    plan = SpectralPlan(
        shape, x.dtype, middle=f"return value / (1 + abs({sums}));", kinds=kinds, batch=2, scale=0.5, device=device
    )

    def factor(*waves):
        return 0.5 / (1 + np.abs(sum((i + 1) * k for i, k in enumerate(waves))))

    assert_near(plan(x), by_scipy(x, kinds, factor), char, x.size, most=6)
    loaded = SpectralPlan(shape, x.dtype, kinds=kinds, batch=2, device=device)
    again = SpectralPlan.load(loaded.save(), device)
    assert again.problem == loaded.problem
    np.testing.assert_array_equal(again(x), loaded(x))


def test_kinds_are_refused_in_one_line():
    with pytest.raises(TypeError, match="kinds: expected a kind for each axis, got a word alone, 'dct2'"):
        SpectralPlan(8, kinds="dct2")
    with pytest.raises(ValueError, match=r"kinds\[1\]: expected 'periodic', 'dct1', .* or 'dst4', got 'c2c'"):
        SpectralPlan((8, 8), kinds=["dct2", "c2c"])
    with pytest.raises(ValueError, match="kinds: expected a kind for each of 2 axes, or none, got 1"):
        SpectralPlan((8, 8), kinds=["dct2"])
    with pytest.raises(ValueError, match="numbers: expected real with real-to-real kinds, got complex"):
        SpectralPlan(8, "complex64", kinds=["dct2"])


# --- equations ---------------------------------------------------------------------------------------------------


def points(n, length, boundary, grid):
    """Where they are, and their distance."""
    j = np.arange(n)
    if boundary == "periodic":
        return j * length / n, length / n
    if grid == "cell":
        return (j + 0.5) * length / n, length / n
    steps = {"dirichlet": n + 1, "neumann": n - 1}.get(boundary, n)
    first = 0 if boundary.startswith("neumann") else 1
    return (j + first) * length / steps, length / steps


def second_difference(n, h, boundary, grid):
    """Minus it, with the points beyond the ends taken from the condition."""
    matrix = np.zeros((n, n))
    for j, step in itertools.product(range(n), (-1, 1)):
        matrix[j, j] += 1 / h**2
        beside = j + step
        if 0 <= beside < n:
            matrix[j, beside] -= 1 / h**2
        elif boundary == "periodic":
            matrix[j, beside % n] -= 1 / h**2
        else:
            end = boundary.split("-")[0 if step < 0 else -1]
            if grid == "cell":  # half a step outside: even or odd about it
                matrix[j, j] -= (1 if end == "neumann" else -1) / h**2
            elif end == "neumann":  # even about the last point
                matrix[j, j - step] -= 1 / h**2
    return matrix


def solved(f, shift, lengths, boundaries, grid):
    """By the matrix of all axes; what has no solution by least squares."""
    whole = np.zeros((f.size, f.size)) + shift * np.eye(f.size)
    for axis, (n, length, boundary) in enumerate(zip(f.shape, lengths, boundaries)):
        _, h = points(n, length, boundary, grid)
        before, behind = np.eye(int(np.prod(f.shape[:axis]))), np.eye(int(np.prod(f.shape[axis + 1 :])))
        whole += np.kron(np.kron(before, second_difference(n, h, boundary, grid)), behind)
    return np.linalg.solve(whole, f.ravel()).reshape(f.shape)


@pytest.mark.parametrize("grid", ["cell", "node"])
@pytest.mark.parametrize("boundary", BOUNDARIES)
@pytest.mark.parametrize("n", [2, 5, 8])
def test_difference_equations_are_solved(rng, boundary, grid, n):
    f = random_array(rng, (n, 4, 3), "d")
    boundaries = (boundary, "periodic", "dirichlet")
    u = spectral.poisson(f, (1.5, 2.0, 0.5), boundary=boundaries, grid=grid, laplacian="difference")
    np.testing.assert_allclose(u, solved(f, 0, (1.5, 2.0, 0.5), boundaries, grid), rtol=0, atol=1e-13)
    u = spectral.helmholtz(f[..., 0], 3.0, (1.5, 2.0), boundary=boundaries[:2], grid=grid, laplacian="difference")
    np.testing.assert_allclose(u, solved(f[..., 0], 3, (1.5, 2.0), boundaries[:2], grid), rtol=0, atol=1e-13)


@pytest.mark.parametrize("char", "fd")
@pytest.mark.parametrize("grid", ["cell", "node"])
@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_eigenfunctions_are_solved(boundary, grid, char):
    length, other = 3.0, 2.0
    x, _ = points(15, length, boundary, grid)
    y, _ = points(8, other, "periodic", grid)
    k = 2 if boundary in ("dirichlet", "neumann") else 2.5
    # Angles are rounded, so that their sines are no more exact than the result.
    wave = np.cos if boundary.startswith("neumann") else np.sin
    u = wave(np.pi * k * x / length)[:, None] * np.sin(2 * np.pi * 3 * y / other)
    factor = (np.pi * k / length) ** 2 + (2 * np.pi * 3 / other) ** 2
    result = spectral.poisson((factor * u).astype(char), (length, other), boundary=(boundary, "periodic"), grid=grid)
    assert result.dtype == np.dtype(char)
    assert_near(result, u, char, u.size, most=16)
    batch = np.stack([u, -2 * u]).astype(char)
    result = spectral.helmholtz(batch, 5.0, (other, length), axes=(2, 1), boundary=("periodic", boundary), grid=grid)
    assert_near(result, batch / (factor + 5), char, u.size, most=16)


@pytest.mark.parametrize("grid", ["cell", "node"])
def test_neumann_without_a_solution(rng, grid):
    f = random_array(rng, (9, 12), "d") + 3
    weights = np.ones(f.shape)
    if grid == "node":
        weights[[0, -1]] /= 2
        weights[:, [0, -1]] /= 2
    u = spectral.poisson(f, boundary="neumann", grid=grid, laplacian="difference")
    assert abs((weights * u).sum()) < 1e-12
    residual = f.copy()
    for axis, n in enumerate(f.shape):
        _, h = points(n, 1.0, "neumann", grid)
        residual -= np.moveaxis(
            np.tensordot(second_difference(n, h, "neumann", grid), np.moveaxis(u, axis, 0), 1), 0, axis
        )
    np.testing.assert_allclose(residual, (weights * f).sum() / weights.sum(), rtol=1e-10)


def test_wrong_boundaries_are_refused():
    f = np.ones((4, 3))
    for call, line in [
        (dict(boundary="wall"), "boundary: expected 'periodic', .* or 'neumann-dirichlet', got 'wall'"),
        (dict(boundary=["neumann", 3]), r"boundary\[1\]: expected text, got"),
        (dict(boundary=["neumann"]), "boundary: expected a word, or one for each of 2 axes, got 1"),
        (dict(grid="face"), "grid: expected 'cell' or 'node', got 'face'"),
        (dict(laplacian="exact"), "laplacian: expected 'spectral' or 'difference', got 'exact'"),
        (dict(lengths=-1, boundary="neumann"), "lengths: expected numbers above 0, got -1"),
    ]:
        with pytest.raises((TypeError, ValueError), match=line):
            spectral.poisson(f, **call)
    with pytest.raises(ValueError, match="f: expected real numbers with a boundary, got elements of complex128"):
        spectral.poisson(f + 0j, boundary="dirichlet")
    with pytest.raises(ValueError, match="f: expected 2 points or more along axis 0, whose ends are nodes, got 1"):
        spectral.poisson(f[:1], boundary="neumann", grid="node")
