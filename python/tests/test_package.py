"""The package as a whole: what importing does, the cache, devices, fork, the backend of SciPy, the stubs, the docs."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import multiprocessing
import os
import pathlib
import pkgutil
import subprocess
import sys

import numpy as np
import pytest
import scipy.fft

import seichefft
from seichefft import array_api, config, fft, numpy_fft, spectral

FOLDER = pathlib.Path(seichefft._native.__file__).parent


def run_python(text: str, **variables: str) -> str:
    environment = {**os.environ, **variables}
    result = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, env=environment)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    return result.stdout


def test_import_is_quick_and_opens_nothing(tmp_path):
    # With bytecode, as an installed package has it, whatever the environment says of writing it.
    bytecode = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(tmp_path)}
    text = (
        "import time; start = time.process_time(); import seichefft; took = time.process_time() - start\n"
        "import sys; from seichefft import _devices\n"
        "print('numpy' in sys.modules, len(_devices._opened), took)"
    )
    # The least of some, in time of the processor: the machine may be busy with other things.
    runs = [run_python(text, **bytecode).split() for _ in range(5)]
    assert {(numpy, opened) for numpy, opened, _ in runs} == {("False", "0")}
    assert min(float(took) for _, _, took in runs) < 0.05


def test_the_device_is_the_variables():
    text = "import seichefft; print(seichefft.config.device().name)"
    assert run_python(text, SEICHE_DEVICE="reference").strip() == "reference"
    assert run_python("import seichefft; seichefft.fft.fft([1.0]); print(end='')", SEICHE_DEVICE="reference") == ""


@pytest.mark.parametrize("threads", (1, 5))
def test_the_end_while_daemon_threads_transform(threads):
    text = (
        "import threading, time, numpy as np\n"
        "from seichefft import fft\n"
        "x = np.ones((64, 1000), complex); fft.fft(x)\n"
        "def work():\n"
        "    while True: fft.fft(x)\n"
        f"for _ in range({threads}): threading.Thread(target=work, daemon=True).start()\n"
        "time.sleep(0.05); print('end')"
    )
    assert run_python(text).strip() == "end"  # and no abort


def test_devices():
    with seichefft.Device("reference") as device:
        assert device.backend == "reference" and not device.is_gpu
        with seichefft.Device("cpu"):
            fft.fft([1.0, 2.0, 5.0])
        fft.fft([1.0, 2.0])
    assert ("reference", "2 c2c f64") in config.plan_cache_problems()
    assert seichefft.Device("cpu") == seichefft.Device("cpu:0")
    assert device.limits["fp64"] is True


class TestCache:
    def setup_method(self):
        config.clear_plan_cache()

    def teardown_method(self):
        config.set_max_plans(128)
        config.clear_plan_cache()

    def test_counts(self):
        x = np.ones(8)
        for _ in range(3):
            fft.fft(x)
        fft.fft(np.ones(9))
        info = config.plan_cache_info()
        assert (info.hits, info.misses, info.plans) == (2, 2, 2)
        assert config.plan_cache_info("cpu").plans == 2

    def test_keeps_no_more_than_it_may_and_what_is_used(self):
        config.set_max_plans(3)
        hot = np.ones(5)
        fft.fft(hot)
        for n in range(10, 30):
            fft.fft(np.ones(n))
            fft.fft(hot)
        assert config.plan_cache_info().plans == 3
        assert ("cpu:0", "5 c2c f64") in config.plan_cache_problems()

    def test_of_none(self):
        config.set_max_plans(0)
        for _ in range(2):
            assert fft.fft(np.ones(2)).tolist() == [2, 0]
        assert config.plan_cache_info().plans == 0
        assert not seichefft._cache.plans.calls

    def test_with_no_calls_of_plans_that_went(self):
        fft.fft(np.ones(8))
        config.set_max_plans(0)
        assert not seichefft._cache.plans.calls
        with pytest.raises(ValueError, match="count: expected 0 or more, got -1"):
            config.set_max_plans(-1)


def _child(x):
    return fft.fft(x), fft.fft(np.ones(77))[0]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_child_of_fork_works():
    x = np.arange(2.0**15)
    expected = fft.fft(x)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        for result, count in pool.map(_child, [x] * 3):
            np.testing.assert_array_equal(result, expected)
            assert count == 77


class TestScipyBackend:
    def test_as_context_and_globally(self):
        calls = []

        class Spy:
            __ua_domain__ = seichefft.__ua_domain__

            @staticmethod
            def __ua_function__(method, args, kwargs):
                calls.append(method.__name__)
                return seichefft.__ua_function__(method, args, kwargs)

        with scipy.fft.set_backend(Spy, only=True):
            assert scipy.fft.fft([1.0, 2.0]).tolist() == [3, -1]
        with scipy.fft.set_backend(seichefft, only=True):
            assert scipy.fft.rfftn([[1.0, 2.0]]).tolist() == [[3, -1]]
            scipy.fft.dctn(np.ones((2, 3)), type=1)
        assert calls == ["fft"]

    def test_has_every_function(self):
        names = [name for name in scipy.fft.__all__ if "uarray" in repr(getattr(scipy.fft, name))]
        assert len(names) == 28
        assert all(callable(getattr(fft, name)) for name in names)

    def test_signatures(self):
        for name in fft.__all__:
            ours = list(inspect.signature(getattr(fft, name)).parameters.values())
            theirs = list(inspect.signature(getattr(scipy.fft, name)).parameters.values())
            assert [(p.name, p.default, p.kind) for p in theirs if p.name != "out"] == [
                (p.name, p.default, p.kind) for p in ours if p.name != "out"
            ], name


def test_signatures_of_numpys():
    for name in numpy_fft.__all__:
        ours = inspect.signature(getattr(numpy_fft, name)).parameters.values()
        theirs = inspect.signature(getattr(np.fft, name)).parameters.values()
        assert [(p.name, p.default) for p in ours] == [(p.name, p.default) for p in theirs], name
        assert getattr(numpy_fft, name).__name__ == name


def modules():
    names = [info.name for info in pkgutil.walk_packages(seichefft.__path__, "seichefft.")]
    return ["seichefft", *(name for name in names if name not in ("seichefft._native", "seichefft._xla"))]


@pytest.mark.parametrize("name", modules())
def test_examples_of_the_docstrings(name):
    words = name.replace("_", ".").split(".")
    needed = {"cuda": "cupy", "opencl": "pyopencl", "strided": "pyopencl"}
    for library in ("cupy", "jax", "torch", "pyopencl", *needed):
        if library in words and words[-1] != "arrays":
            pytest.importorskip(needed.get(library, library))
    module = importlib.import_module(name)
    config.clear_plan_cache()
    result = doctest.testmod(module)
    assert result.failed == 0


def test_every_public_function_has_an_example():
    for space in (seichefft, fft, numpy_fft, array_api.fft, config, spectral):
        for name in space.__all__:
            value = getattr(space, name)
            if callable(value) and not (inspect.isclass(value) and issubclass(value, (Exception, tuple))):
                text = inspect.getdoc(value)
                assert text, name
                shared = value in (fft.fftshift, fft.ifftshift)
                assert ">>>" in text or shared, f"{space.__name__}.{name}"


@pytest.mark.parametrize("module", ["_native", "_distributed"])
def test_stubs_are_the_modules(module):
    sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
    try:
        make_stubs = importlib.import_module("make_stubs")
    except ImportError:
        pytest.skip("the sources are not here")
    finally:
        sys.path.pop(0)
    pytest.importorskip("nanobind")
    if importlib.util.find_spec(f"seichefft.{module}") is None:
        pytest.skip(f"this build has no {module}")
    stated = pathlib.Path(__file__).parent.parent / "seichefft" / f"{module}.pyi"
    assert ast.dump(ast.parse(stated.read_text())) == ast.dump(ast.parse(make_stubs.stubs(module)))


def test_array_api_by_hand():
    """What the standard says of the extension `fft`, on NumPy's arrays."""
    x = np.asarray([1.0, 2.0, 3.0, 4.0, 5.0], np.float32)
    spectrum = array_api.fft.fft(x)
    assert spectrum.dtype == np.complex64 and spectrum.shape == (5,)
    for norm in ("backward", "ortho", "forward"):
        there = array_api.fft.fft(x, norm=norm)
        np.testing.assert_allclose(array_api.fft.ifft(there, norm=norm).real, x, rtol=1e-6)
        half = array_api.fft.rfft(x, norm=norm)
        assert half.shape == (3,)
        np.testing.assert_allclose(array_api.fft.irfft(half, n=5, norm=norm), x, rtol=1e-6)
        signal = array_api.fft.ihfft(x, norm=norm)
        np.testing.assert_allclose(array_api.fft.hfft(signal, n=5, norm=norm), x, rtol=1e-6)
        cube = np.arange(24.0).reshape(2, 3, 4)
        n = array_api.fft.fftn(cube, axes=(0, 2), norm=norm)
        np.testing.assert_allclose(array_api.fft.ifftn(n, axes=(0, 2), norm=norm).real, cube, atol=1e-12)
        real = array_api.fft.rfftn(cube, norm=norm)
        assert real.shape == (2, 3, 3)
        np.testing.assert_allclose(array_api.fft.irfftn(real, s=(2, 3, 4), norm=norm), cube, atol=1e-12)
    assert array_api.fft.fft(x, n=8).shape == (8,)
    assert array_api.fft.fftn(np.ones((4, 6)), s=(3, 8), axes=(0, 1)).shape == (3, 8)
    assert array_api.fft.fftfreq(5, dtype=np.float32).dtype == np.float32
    assert array_api.fft.rfftfreq(5).tolist() == [0, 0.2, 0.4]
    np.testing.assert_array_equal(array_api.fft.ifftshift(array_api.fft.fftshift(x)), x)
    with pytest.raises(TypeError):
        array_api.fft.fft(x, 8)
    with pytest.raises(TypeError):
        array_api.fft.rfft(spectrum)
    with pytest.raises(ValueError):
        array_api.fft.fftfreq(5, dtype=np.complex64)
