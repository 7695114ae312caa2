"""The adapter of PyTorch and seichefft.torch where PyTorch is not: on a stand-in, in a process of its own.

It shows that memory, types and arguments arrive, and that the adjoints are right; test_torch.py runs on the real one.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="the real one is here: see test_torch.py")
def test_on_a_stand_in() -> None:
    done = subprocess.run([sys.executable, __file__], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


def _near(got, want, tolerance=1e-12):  # type: ignore[no-untyped-def]
    import numpy as np

    assert got.a.shape == want.shape and got.a.dtype == want.dtype, (got.a.shape, want.shape, got.a.dtype, want.dtype)
    assert np.linalg.norm(got.a - want) <= tolerance * max(np.linalg.norm(want), 1e-30)


def _check_values(Tensor, st, fft):  # type: ignore[no-untyped-def]
    import numpy as np

    import seichefft

    generator = np.random.default_rng(1)
    x = generator.standard_normal((3, 4, 10))
    z = x + 1j * generator.standard_normal(x.shape)
    for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
        data = x if name in ("rfft", "ihfft") else z
        for n, dim, norm in [(None, -1, None), (7, 1, "ortho"), (12, 0, "forward")]:
            for _ in range(2):
                _near(getattr(st, name)(Tensor(data), n, dim, norm), getattr(fft, name)(data, n, dim, norm))
                _near(getattr(seichefft.fft, name)(Tensor(data), n, dim, norm), getattr(fft, name)(data, n, dim, norm))
        _near(getattr(st, name + "2")(Tensor(data[:, ::2])), getattr(fft, name + "2")(data[:, ::2]))
        _near(getattr(st, name + "n")(Tensor(data), [6, -1], [0, 2]), getattr(fft, name + "n")(data, [6, 10], [0, 2]))
    out = Tensor(np.zeros((3, 4, 20), "D")[..., ::2])
    assert st.fft(Tensor(z), out=out) is out
    _near(out, fft.fft(z))
    single = Tensor(np.arange(8))
    _near(st.fft(single), fft.fft(single.a.astype("f")), 1e-6)
    for kind in (1, 2, 3, 4):
        _near(st.idctn(Tensor(x), kind, norm="ortho"), fft.idctn(x, kind, norm="ortho"))
    half = st.rfft(Tensor(x.astype("e")))
    pairs = fft.rfft(x.astype("e"))
    assert half.dtype.name == "complex32"
    assert np.abs(half.a["r"] - pairs.real).max() < 0.02 and np.abs(half.a["i"] - pairs.imag).max() < 0.02


def _matrix(function, n):  # type: ignore[no-untyped-def]
    import numpy as np

    return np.stack([function(row) for row in np.eye(n)], axis=-1)


def _check_adjoints(Tensor):  # type: ignore[no-untyped-def]
    """<A x, y> = <x, A^H y>, of real inner products."""
    import itertools

    import numpy as np

    from seichefft._engine import Transform
    from seichefft.torch._operator import adjoint, execute

    generator = np.random.default_rng(2)

    def numbers(shape, is_complex):  # type: ignore[no-untyped-def]
        x = generator.standard_normal(shape)
        return x + 1j * generator.standard_normal(shape) if is_complex else x

    kinds = [("c2c", "forward"), ("c2c", "inverse"), ("r2c", "forward"), ("c2r", "inverse"), ("hfft", "forward")]
    kinds += [("ihfft", "inverse")] + [(f"{family}{kind}", way) for family in ("dct", "dst") for kind in (1, 2, 3, 4)
                                       for way in ("forward", "inverse")]  # fmt: skip
    shapes = [((3, 7), (1,)), ((3, 8), (1,)), ((4, 3, 6), (0, 2)), ((5, 2), (0,)), ((2, 3), (0, 1))]
    for (kind, way), norm, (shape, axes), edges in itertools.product(
        kinds, ("backward", "ortho", "forward"), shapes, (False, True)
    ):
        if edges and not kind.startswith("d"):
            continue
        transform = Transform(kind, way, axes, tuple(shape[axis] for axis in axes), norm, edges)
        x = Tensor(numbers(transform.input_shape(shape), kind in ("c2c", "c2r", "hfft")))
        forward = execute(x, transform)
        y = Tensor(numbers(forward.a.shape, np.iscomplexobj(forward.a)))
        back = adjoint(y, transform)
        assert back.a.shape == x.a.shape and back.a.dtype == x.a.dtype, transform
        one, other = np.vdot(forward.a, y.a).real, np.vdot(x.a, back.a).real
        assert abs(one - other) <= 1e-10 * (abs(one) + 1), (transform, one, other)


def _check_long_products(Tensor, generator):  # type: ignore[no-untyped-def]
    """Causal sums, and that each derivative of a product is the adjoint product."""
    import numpy as np

    from seichefft.torch._long_convolution import _convolved

    signals, kernels, weights = (generator.standard_normal(shape) for shape in ((2, 3, 40), (3, 25), (2, 3, 40)))
    want = np.stack([[np.convolve(x, h)[:40] for x, h in zip(one, kernels)] for one in signals])
    got = _convolved(Tensor(signals), Tensor(kernels), "convolve")
    _near(got, want)
    back = _convolved(Tensor(weights), Tensor(kernels), "correlate")
    assert abs(np.vdot(want, weights) - np.vdot(signals, back.a)) < 1e-9
    rows = Tensor(weights.reshape(1, 6, 40)), Tensor(signals.reshape(6, 40))
    lags = _convolved(*rows, "correlate").a.reshape(2, 3, 40).sum(0)[:, :25]
    assert abs(np.vdot(want, weights) - np.vdot(kernels, lags)) < 1e-9
    rows = Tensor(signals.reshape(1, 6, 40)), Tensor(weights.reshape(6, 40))
    lags = _convolved(*rows, "correlate").a.reshape(2, 3, 40).sum(0)[:, :25]
    correlated = _convolved(Tensor(signals), Tensor(kernels), "correlate").a
    assert abs(np.vdot(correlated, weights) - np.vdot(kernels, lags)) < 1e-9


def _check_repeats(Tensor):  # type: ignore[no-untyped-def]
    """Products and layers a second time: no graph and no step of a first call."""
    import numpy as np

    from seichefft._dense import DenseCalls
    from seichefft._layers import Axes
    from seichefft.torch import _long_convolution, _spectral_conv

    generator = np.random.default_rng(6)
    axes, weights = Axes((8, 8), ((-2, 2), (0, 3)), "float64"), Tensor(np.full((2, 3, 4, 3), 1 + 1j))
    own = DenseCalls._checked
    for calls in range(2):
        u, k, x = (Tensor(generator.standard_normal(shape)) for shape in ((2, 3, 40), (3, 40), (2, 2, 8, 8)))
        long = _long_convolution._product(u, k, "convolve")
        want = [[np.convolve(one, h)[:40] for one, h in zip(row, k.a)] for row in u.a]
        _near(long, np.array(want))
        layer = _spectral_conv._layer(x, weights, axes, False)
        spectrum = np.fft.rfft2(x.a).sum(1) * (1 + 1j)
        spectrum[:, 2:6] = spectrum[:, :, 3:] = 0
        _near(layer, np.repeat(np.fft.irfft2(spectrum)[:, None], 3, 1))
        if calls == 0:
            DenseCalls._checked = None  # type: ignore[method-assign, assignment]
            _long_convolution._Product.apply = _spectral_conv._Linear.apply = None
    DenseCalls._checked = own  # type: ignore[method-assign]
    del _long_convolution._Product.apply, _spectral_conv._Linear.apply


def _check_frames_and_convolutions(Tensor, st):  # type: ignore[no-untyped-def]
    import numpy as np

    generator = np.random.default_rng(3)
    x, window = generator.standard_normal((2, 60)), np.hanning(17)[:16]
    spectra = st.stft(Tensor(x), 16, 4, window=Tensor(window), return_complex=True)
    padded = np.pad(x, ((0, 0), (8, 8)), mode="reflect")
    want = np.stack([np.fft.rfft(padded[:, start : start + 16] * window) for start in range(0, 61, 4)], -1)
    _near(spectra, want)
    _near(st.istft(spectra, 16, 4, window=Tensor(window)), x)
    _check_long_products(Tensor, generator)
    for stride, padding, dilation, groups in [(1, 0, 1, 1), (2, 3, 1, 2), (1, "same", 2, 1), (3, 1, 2, 4)]:
        signal, kernel = generator.standard_normal((2, 4, 20)), generator.standard_normal((8, 4 // groups, 3))
        got = st.fft_conv1d(Tensor(signal), Tensor(kernel), None, stride, padding, dilation, groups)
        reach = 2 * dilation
        around = (reach // 2, reach - reach // 2) if padding == "same" else (padding, padding)
        line = np.pad(signal, ((0, 0), (0, 0), around))
        count = (line.shape[-1] - reach - 1) // stride + 1
        want = np.zeros((2, 8, count))
        for output in range(8):
            first = output // (8 // groups) * (4 // groups)
            for channel in range(4 // groups):
                for tap in range(3):
                    start = tap * dilation
                    part = line[:, first + channel, start : start + (count - 1) * stride + 1 : stride]
                    want[:, output] += kernel[output, channel, tap] * part
        _near(got, want)


def _check_spectral_plans(Tensor):  # type: ignore[no-untyped-def]
    import numpy as np

    import seichefft

    generator = np.random.default_rng(4)
    x, weights = generator.standard_normal((2, 3, 20)), generator.standard_normal(11)
    plan = seichefft.SpectralPlan(
        (3, 20), middle="return gain * weights[i1] * value;", batch=2, gain=1.0, weights=Tensor(weights)
    )
    want = np.fft.irfft2(3 * weights * np.fft.rfft2(x), (3, 20))
    _near(plan(Tensor(x), gain=3.0), want)
    out = Tensor(np.zeros((2, 3, 20)))
    assert plan(Tensor(x), out, gain=3.0) is out
    _near(out, want)


def _check_layers(Tensor):  # type: ignore[no-untyped-def]
    """<layer(x, w), y> = <x, gradient of x> = <w, gradient of w>, of real inner products, by each way that there is."""
    import numpy as np

    from seichefft._layers import Axes
    from seichefft.torch import _spectral_conv as module

    def inner(a, b):  # type: ignore[no-untyped-def]
        return np.vdot(a.a, b.a).real

    generator = np.random.default_rng(5)
    for shape, modes in [
        ((12,), ((0, 5),)),
        ((12,), ((2, 7),)),
        ((8, 9), ((-3, 2), (0, 4))),
        ((8, 9), ((1, 3), (0, 5))),
    ]:
        for is_complex, adjoint in [(False, False), (False, True), (True, False)]:
            if is_complex and (modes[-1][1] > 4 or len(shape) == 1):
                continue
            axes = Axes(shape, modes, "complex128" if is_complex else "float64")
            x, y = generator.standard_normal((4, 2, *shape)), generator.standard_normal((4, 3, *shape))
            channels = (3, 2) if adjoint else (2, 3)
            w = generator.standard_normal((*channels, *axes.counts, 2)) @ np.array([1, 1j])
            if is_complex:
                x, y = x + 1j * generator.standard_normal(x.shape), y + 1j * generator.standard_normal(y.shape)
            x, y, w = Tensor(x), Tensor(y), Tensor(w)
            w.requires_grad = True
            context = module._Trained.context()
            result, kept = module._Trained.forward(context, x, w, axes, adjoint)
            _near(module._applied(x, w, axes, adjoint, False), result.a)
            one = inner(result, y)
            for function in (module._first, module._second):
                of_x, of_w = function(context, y, kept, w)
                for other, own in ((of_x, x), (of_w, w)):
                    assert other.a.shape == own.a.shape and other.a.dtype == own.a.dtype
                    assert abs(one - inner(own, other)) <= 1e-10 * (abs(one) + 1), (axes, adjoint, function)
                for wanted in ((True, False), (False, True)):
                    context.needs_input_grad = (*wanted, False, False)
                    for got, want, is_wanted in zip(function(context, y, kept, w), (of_x, of_w), wanted):
                        assert (got is not None) == is_wanted
                        if is_wanted:
                            _near(got, want.a)
                context.needs_input_grad = (True, True, False, False)
            # Of second derivatives: the modes' own gradient adds what their transpose makes of it.
            alone = module._Trained.backward(context, None, kept)
            assert alone[1] is None
            assert abs(inner(alone[0], x) - inner(kept, kept)) <= 1e-10 * inner(kept, kept)
            both = module._Trained.backward(context, y, kept)
            _near(both[0], of_x.a + alone[0].a)
            (fixed, *_) = module._Linear.backward(context.of(w), y)
            _near(fixed, of_x.a)
            empty = module._Trained.forward(context, Tensor(x.a[:0]), w, axes, adjoint)
            assert empty[0].a.shape == (0, *y.a.shape[1:]) and empty[1].a.shape == (0, 2, *axes.counts)
            of_empty = module._first(context, Tensor(y.a[:0]), empty[1], w)
            assert of_empty[0].a.shape == (0, *x.a.shape[1:]) and not of_empty[1].a.any()


def main() -> None:
    import fake_torch

    fake_torch.install()
    import scipy.fft

    import seichefft.torch as st

    _check_values(fake_torch.Tensor, st, scipy.fft)
    _check_adjoints(fake_torch.Tensor)
    _check_frames_and_convolutions(fake_torch.Tensor, st)
    _check_spectral_plans(fake_torch.Tensor)
    _check_layers(fake_torch.Tensor)
    _check_repeats(fake_torch.Tensor)


if __name__ == "__main__":
    main()
