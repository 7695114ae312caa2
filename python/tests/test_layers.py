"""What Fourier layers and their gradients are made of: against NumPy's transforms and finite differences."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import assert_near, random_array
from seichefft import SpectralPlan, _layers
from seichefft._layers import Axes

CASES = [
    ((32,), ((0, 7),)),
    ((15, 12), ((-4, 4), (0, 5))),
    ((16, 8), ((-8, 8), (0, 5))),
    ((16, 9), ((-8, -2), (1, 4))),
    ((8, 6, 10), ((-2, 3), (-1, 2), (0, 4))),
]
#: With each type; the middle bin is a wave number of a halved axis alone.
ALL = [
    (shape, kept, char) for shape, kept in CASES for char in "fdFD" if char in "fd" or 2 * (kept[-1][1] - 1) < shape[-1]
]
NAMES = {"f": "float32", "d": "float64", "F": "complex64", "D": "complex128"}


def kept_by_numpy(x, kept):
    """(batch, channels, modes...), in the order of weights."""
    axes = tuple(range(2, x.ndim))
    spectrum = np.fft.fftn(x, axes=axes) if np.iscomplexobj(x) else np.fft.rfftn(x, axes=axes)
    for axis, (begin, end) in zip(axes, kept):
        order = [*range(max(begin, 0), end), *range(begin, min(end, 0))]
        spectrum = np.take(spectrum, order, axis=axis)
    return spectrum


def inner(a, b):
    return float(np.vdot(a.astype("D"), b.astype("D")).real)


@pytest.mark.parametrize(("shape", "kept", "char"), ALL)
def test_kept_modes(rng, shape, kept, char):
    axes = Axes(shape, kept, NAMES[char])
    x = random_array(rng, (3, 2, *shape), char)
    modes = _layers.kept_modes(x, axes)
    assert modes.dtype == char.upper() and modes.shape == (3, 2, *axes.counts)
    assert_near(modes, kept_by_numpy(x.astype("D" if char in "FD" else "d"), kept), char, x.size, most=4)


@pytest.mark.parametrize(("shape", "kept", "char"), ALL)
def test_ways_back(rng, shape, kept, char):
    axes = Axes(shape, kept, NAMES[char])
    x, g = random_array(rng, (3, 2, *shape), char), random_array(rng, (3, 5, *shape), char)
    weights = random_array(rng, (2, 5, *axes.counts), char.upper())
    whole = _layers.layer(x, weights, axes)
    assert whole.dtype == char and whole.shape == g.shape
    assert_near(_layers.from_modes(_layers.kept_modes(x, axes), weights, axes), whole, char, x.size, most=4)
    # The adjoint layer, of weights as they lie and of such as it has in order.
    of_x = _layers.layer(g, weights, axes, adjoint=True)
    turned = np.ascontiguousarray(weights.conj().swapaxes(0, 1))
    assert_near(of_x, _layers.layer(g, turned, axes), char, x.size, most=4)
    assert_near(_layers.from_modes(_layers.kept_modes(g, axes), weights, axes, True), of_x, char, x.size, most=4)
    scale = np.linalg.norm(x) * np.linalg.norm(of_x)
    assert abs(inner(whole, g) - inner(x, of_x)) <= (1e-5 if char in "fF" else 1e-13) * scale


@pytest.mark.parametrize(("shape", "kept", "char"), ALL)
def test_gradient_of_the_weights(rng, shape, kept, char):
    axes = Axes(shape, kept, NAMES[char])
    x, g = random_array(rng, (3, 2, *shape), char), random_array(rng, (3, 5, *shape), char)
    got = _layers.gradient_of_weights(_layers.kept_modes(x, axes), _layers.kept_modes(g, axes), axes)
    assert got.dtype == char.upper()
    wide = "D" if char in "FD" else "d"
    exact = np.einsum(
        "bi...,bo...->io...", kept_by_numpy(x.astype(wide), kept).conj(), kept_by_numpy(g.astype(wide), kept)
    )
    assert_near(got, exact * np.array(axes.factors), char, x.size, most=8)


@pytest.mark.parametrize(("shape", "kept", "char"), [one for one in ALL if one[2] in "dD" and len(one[0]) == 2])
def test_finite_differences(rng, shape, kept, char):
    axes = Axes(shape, kept, NAMES[char])
    x, g = random_array(rng, (2, 1, *shape), char), random_array(rng, (2, 2, *shape), char)
    weights = random_array(rng, (1, 2, *axes.counts), "D")
    of_weights = _layers.gradient_of_weights(_layers.kept_modes(x, axes), _layers.kept_modes(g, axes), axes)
    of_x = _layers.layer(g, weights, axes, adjoint=True)
    loss = lambda x, weights: inner(_layers.layer(x, weights, axes), g)  # noqa: E731
    steps = (1e-3, 1e-3j)
    for place in [(0, 0, *[0] * len(shape)), (0, 1, *[count - 1 for count in axes.counts])]:
        for step in steps:
            moved = weights.copy()
            moved[place] += step
            part = of_weights[place].real if step.imag == 0 else of_weights[place].imag
            assert abs((loss(x, moved) - loss(x, weights)) / abs(step) - part) <= 1e-9 * np.abs(of_weights).max()
    for step in steps if char == "D" else steps[:1]:
        moved = x.copy()
        moved[1, 0, 3] += step
        part = of_x[1, 0, 3].sum()
        got = (loss(moved, weights) - loss(x, weights)) / abs(step)
        assert abs(got - (part.real if step.imag == 0 else part.imag)) <= 1e-9 * np.abs(of_x).max() * shape[-1]


@pytest.mark.parametrize(("shape", "kept", "char"), [one for one in ALL if one[2] in "dD"])
def test_spread_is_the_inverse(rng, shape, kept, char):
    axes = Axes(shape, kept, NAMES[char])
    modes = random_array(rng, (3, 2, *axes.counts), "D")
    points = _layers.spread(modes, axes)
    one = np.zeros((2, 2, *axes.counts), "D")
    one[0, 0] = one[1, 1] = 1
    assert points.dtype == char
    assert_near(points, _layers.from_modes(modes, one, axes), char, points.size, most=4)
    # Times n over the bins that a mode is, it is the transposed of `kept_modes`.
    x = random_array(rng, points.shape, char)
    right = inner(_layers.kept_modes(x, axes), modes * np.array(axes.factors))
    assert abs(inner(x, points) - right) <= 1e-13 * np.linalg.norm(x) * np.linalg.norm(points)


def test_parts_on_every_device(rng, device):
    how = {"kept": ((-4, 4), (0, 6)), "device": device}
    x, g = random_array(rng, (3, 2, 24, 20), "f"), random_array(rng, (3, 5, 24, 20), "f")
    forward = SpectralPlan((24, 20), "f", part="forward", batch=6, **how)
    assert forward.output_shape == (6, 8, 6) and forward.weight_shape == ()
    modes, of_output = (forward(one.reshape(-1, 24, 20)).reshape(3, -1, 8, 6) for one in (x, g))
    gradient = SpectralPlan((24, 20), "f", part="gradient", channels=(2, 5), batch=3, **how)
    assert gradient.input_shape == (3, 2, 8, 6) and gradient.weight_shape == (3, 5, 8, 6)
    assert gradient.output_shape == (2, 5, 8, 6)
    axes = Axes((24, 20), how["kept"], "float32")
    exact = np.einsum("bixy,boxy->ioxy", modes.astype("D").conj(), of_output.astype("D")) * np.array(axes.factors)
    for same in (gradient, SpectralPlan.load(gradient.save(), device)):
        assert_near(same(modes, weights=of_output), exact, "f", x.size, most=4)
    weights = random_array(rng, (2, 5, 8, 6), "F")
    inverse = SpectralPlan((24, 20), "f", part="inverse", channels=(5, 2), adjoint=True, batch=3, **how)
    assert inverse.input_shape == (3, 5, 8, 6) and inverse.weight_shape == weights.shape
    whole = SpectralPlan((24, 20), "f", channels=(5, 2), adjoint=True, batch=3, **how)
    assert_near(inverse(of_output, weights=weights), whole(g, weights=weights), "f", x.size, most=4)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: SpectralPlan(8, part="back"), ValueError, "part: expected"),
        (lambda: SpectralPlan(8, part="forward", channels=(2, 2)), ValueError, "spectral.channels: expected none"),
        (lambda: SpectralPlan(8, part="gradient"), ValueError, "spectral.channels: expected inputs and outputs"),
        (lambda: SpectralPlan(8, part="inverse", middle="return value;"), ValueError, "spectral.middle: expected no"),
        (
            lambda: SpectralPlan(8, part="gradient", channels=(1, 1))(
                np.zeros((1, 5), "D"), weights=np.zeros((2, 5), "D")
            ),
            ValueError,
            r"weights: expected shape \(1, 5\), got \(2, 5\)",
        ),
    ],
)
def test_mistakes(call, error, words):
    with pytest.raises(error, match=words):
        call()
