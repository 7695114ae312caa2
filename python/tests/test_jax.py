"""JAX's arrays: against jax.numpy.fft, inside jit, under grad and vmap, and what is refused."""

from __future__ import annotations

import ctypes
import functools
import os
import pathlib
from typing import Any

import pytest

os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=2"
jax = pytest.importorskip("jax")
np = pytest.importorskip("numpy")
pytest.importorskip("seichefft.jax", exc_type=ImportError)

import jax.numpy as jnp  # noqa: E402

import seichefft  # noqa: E402
import seichefft.jax as sj  # noqa: E402

jax.config.update("jax_enable_x64", True)

ONE_AXIS = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
NORMS = [None, "ortho", "forward"]


def numbers(shape: tuple[int, ...], dtype: str, seed: int = 1) -> Any:
    generator = np.random.default_rng(seed)
    x = generator.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        x = x + 1j * generator.standard_normal(shape)
    return jnp.asarray(x.astype(dtype))


def input_of(name: str, shape: tuple[int, ...], is_double: bool = True) -> Any:
    real, complex_ = ("d", "D") if is_double else ("f", "F")
    return numbers(shape, real if name.startswith(("rfft", "ihfft")) else complex_)


def assert_near(got: Any, want: Any, tolerance: float | None = None) -> None:
    assert isinstance(got, jax.Array)
    assert got.shape == want.shape and got.dtype == want.dtype
    if tolerance is None:
        tolerance = 1e-12 if got.dtype.name in ("float64", "complex128") else 2e-6
    assert float(jnp.linalg.norm(got - want)) <= tolerance * float(jnp.linalg.norm(want)) + 1e-300


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("name", ONE_AXIS)
@pytest.mark.parametrize("is_double", [True, False])
def test_one_axis(name: str, norm: str | None, is_double: bool) -> None:
    for shape, n, axis in [((8,), None, -1), ((3, 15), None, 0), ((5, 6, 7), 9, 1), ((4, 6), 3, 0)]:
        x = input_of(name, shape, is_double)
        want = getattr(jnp.fft, name)(x, n, axis, norm)
        assert_near(getattr(sj, name)(x, n, axis, norm), want)
        assert_near(getattr(seichefft.fft, name)(x, n, axis, norm), want)
        assert_near(jax.jit(lambda x, n=n, axis=axis: getattr(sj, name)(x, n, axis, norm))(x), want)


@pytest.mark.parametrize("name", ["fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn"])
def test_many_axes(name: str) -> None:
    x = input_of(name, (3, 6, 8))
    for s, axes in [((4, 9), (0, 2)), (None, (-2, -1)), ((7, 6), (2, 1))]:
        assert_near(getattr(sj, name)(x, s, axes), getattr(jnp.fft, name)(x, s, axes))
    y = x[0] if name[-1] == "2" else x
    assert_near(getattr(sj, name)(y), getattr(jnp.fft, name)(y))


def test_cosines_and_sines() -> None:
    fft = pytest.importorskip("scipy.fft")
    x = numbers((3, 8), "d")
    for name in ("dct", "idct", "dst", "idst", "dctn", "idstn"):
        for kind in (1, 2, 3, 4):
            for norm in NORMS:
                want = jnp.asarray(getattr(fft, name)(np.asarray(x), kind, norm=norm))
                assert_near(getattr(sj, name)(x, kind, norm=norm), want)


def test_types() -> None:
    for dtype, expected in [
        ("float16", "complex64"),
        ("bfloat16", "complex64"),
        ("int32", "complex128"),
        ("bool", "complex128"),
    ]:
        x = jnp.arange(12).astype(dtype)
        assert_near(sj.fft(x), jnp.fft.fft(x.astype(expected)))
    half = numbers((4, 16), "f").astype("bfloat16")
    got = sj.dct(half)
    assert got.dtype == half.dtype
    assert jnp.abs(got.astype("f") - sj.dct(half.astype("f"))).max() < 0.1


@pytest.mark.parametrize("name", ONE_AXIS)
def test_derivatives(name: str) -> None:
    x = input_of(name, (2, 6))
    weights = numbers(getattr(jnp.fft, name)(x, 7).shape, "D", 2)

    def loss(module: Any) -> Any:
        return lambda x: (jnp.abs(getattr(module, name)(x, 7) * weights) ** 3).sum()

    assert_near(jax.grad(loss(sj))(x), jax.grad(loss(jnp.fft))(x))

    def again(f: Any) -> Any:
        return lambda x: (jnp.abs(jax.grad(f)(x)) ** 2).sum()

    assert_near(jax.grad(again(loss(sj)))(x), jax.grad(again(loss(jnp.fft)))(x), 1e-11)
    tangent = input_of(name, (2, 6)) * 2
    for ours, theirs in zip(jax.jvp(loss(sj), (x,), (tangent,)), jax.jvp(loss(jnp.fft), (x,), (tangent,))):
        assert_near(ours, theirs)


def test_derivatives_of_cosines_and_sines() -> None:
    from jax.test_util import check_grads

    x = numbers((3, 5), "d")
    for name in ("dct", "idctn", "dst", "idst"):
        for kind in (1, 2, 3, 4):
            for norm in (None, "ortho"):
                check_grads(functools.partial(getattr(sj, name), type=kind, norm=norm), (x,), order=2)


def test_batches() -> None:
    x = numbers((4, 3, 8), "d")
    for axis in (0, 1, 2):
        assert_near(jax.vmap(sj.rfft, in_axes=axis)(x), jax.vmap(jnp.fft.rfft, in_axes=axis)(x))
    assert_near(jax.vmap(jax.vmap(sj.fft))(x), jnp.fft.fft(x))
    text = jax.jit(jax.vmap(sj.fft)).lower(x).as_text()
    assert text.count("custom_call") == 1 and "while" not in text
    assert_near(jax.jacfwd(sj.rfft)(x[0, 0]), jax.jacfwd(jnp.fft.rfft)(x[0, 0]))


def test_empty() -> None:
    assert sj.fft(jnp.zeros((0, 4))).shape == (0, 4)


def test_what_is_refused() -> None:
    x = numbers((4, 8), "F")
    with pytest.raises(TypeError, match="real"):
        sj.rfft(x)
    with pytest.raises(TypeError, match="out: expected None"):
        seichefft.fft.fft(x, out=x)
    with pytest.raises(ValueError, match="norm"):
        sj.fft(x, norm="none")
    with pytest.raises(TypeError, match="x: expected an array whose memory can be written"):
        seichefft.Plan((8,), "complex64", batch=4)(x)


@pytest.mark.skipif(jax.device_count() < 2, reason="there is one device")
def test_sharded_arrays_are_refused() -> None:
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    mesh = Mesh(np.array(jax.devices()[:2]), ("i",))
    x = jax.device_put(numbers((4, 8), "D"), NamedSharding(mesh, PartitionSpec("i")))
    with pytest.raises(NotImplementedError, match="one device"):
        jax.jit(sj.fft)(x)
    with pytest.raises(NotImplementedError, match="one device"):
        sj.fft(x)
    parts = jax.jit(jax.shard_map(sj.fft, mesh=mesh, in_specs=PartitionSpec("i"), out_specs=PartitionSpec("i")))
    assert_near(parts(x), jnp.fft.fft(x))


def test_the_plans_that_are_kept_are_bounded() -> None:
    library = ctypes.CDLL(str(pathlib.Path(seichefft._native.__file__).with_name("_xla.so")))
    arrays = [np.arange(n).astype("F") for n in range(1, 135)]
    in_one = jax.jit(lambda many: [sj.fft(one) for one in many])
    for x, spectrum in zip(arrays, in_one(arrays)):
        assert np.allclose(spectrum, np.fft.fft(x), rtol=1e-5, atol=1e-2)
    assert library.seichefft_xla_plans() == 128
    assert np.allclose(sj.fft(arrays[1]), np.fft.fft(arrays[1]))  # which was let go of
