"""JAX's Fourier functions on a card, against NumPy. Run once with cuFFT and once with Seiche preloaded."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax")
if jax.default_backend() != "gpu":
    pytest.skip("JAX has no card", allow_module_level=True)
jax.config.update("jax_enable_x64", True)
jnp = jax.numpy

SHAPES = [(64,), (1000,), (1009,), (5, 256), (12, 10, 14), (1 << 18,)]
COMPLEX = ["fft", "ifft", "fft2", "ifft2", "fftn", "ifftn", "irfft", "irfftn", "hfft"]
REAL = ["rfft", "rfft2", "rfftn", "ihfft"]


def data(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    generator = np.random.default_rng(3)
    values = generator.standard_normal(shape)
    if dtype.startswith("complex"):
        values = values + 1j * generator.standard_normal(shape)
    return values.astype(dtype)


@pytest.mark.parametrize("jitted", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("precision", ["single", "double"])
@pytest.mark.parametrize("name", COMPLEX + REAL)
def test_functions(name: str, precision: str, shape: tuple[int, ...], jitted: bool) -> None:
    if "2" in name and len(shape) < 2:
        pytest.skip("needs two axes")
    dtype = {"single": ("complex64", "float32"), "double": ("complex128", "float64")}[precision][name in REAL]
    x = data(shape, dtype)
    if name == "irfftn":  # of the spectrum of a real signal: of others libraries differ
        x = np.fft.rfftn(data(shape, "float64")).astype(dtype)
    function = getattr(jnp.fft, name)
    got = np.asarray((jax.jit(function) if jitted else function)(x))
    want = getattr(np.fft, name)(x.astype("complex128" if dtype.startswith("complex") else "float64"))
    assert got.shape == want.shape
    assert np.linalg.norm(got - want) <= (5e-6 if precision == "single" else 1e-13) * np.linalg.norm(want)


@pytest.mark.parametrize("shape", [(16,), (3, 30)])
def test_derivatives_and_batches(shape: tuple[int, ...]) -> None:
    x = data(shape, "float64")

    def energy(y: object) -> object:
        return jnp.sum(jnp.abs(jnp.fft.rfft(y)) ** 2)

    gradient = np.asarray(jax.grad(energy)(x))
    step = 1e-6
    flat = x.reshape(-1)
    for index in (0, flat.size // 2, flat.size - 1):
        moved = flat.copy()
        moved[index] += step
        slope = (float(energy(moved.reshape(shape))) - float(energy(x))) / step
        assert abs(slope - gradient.reshape(-1)[index]) <= 1e-3 * max(1.0, abs(slope))
    batch = np.stack([x, 2 * x])
    np.testing.assert_allclose(np.asarray(jax.vmap(jnp.fft.fft)(batch)), np.fft.fft(batch), rtol=1e-10, atol=1e-10)
