"""Tensors of PyTorch on the processor and on a card: against torch.fft, derivatives, vmap, the compiler, graphs."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import seichefft  # noqa: E402
import seichefft.torch as st  # noqa: E402

DEVICES = ["cpu"] + (["cuda"] if torch.cuda.is_available() else [])
ONE_AXIS = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
NORMS = [None, "ortho", "forward"]
on_card = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no card")


@pytest.fixture(params=DEVICES)
def device(request: Any) -> str:
    return request.param


def numbers(shape: tuple[int, ...], dtype: Any, device: str, seed: int = 1) -> Any:
    generator = torch.Generator().manual_seed(seed)
    wide = torch.complex128 if dtype.is_complex else torch.float64
    return torch.randn(shape, dtype=wide, generator=generator).to(device=device, dtype=dtype)


def input_of(name: str, shape: tuple[int, ...], device: str, is_double: bool = True) -> Any:
    is_real = name.startswith(("rfft", "ihfft", "dct", "idct", "dst", "idst"))
    real, complex_ = (torch.float64, torch.complex128) if is_double else (torch.float32, torch.complex64)
    return numbers(shape, real if is_real else complex_, device)


def assert_near(got: Any, want: Any, tolerance: float | None = None) -> None:
    assert got.shape == want.shape and got.dtype == want.dtype and got.device == want.device
    if tolerance is None:
        tolerance = {8: 1e-12, 4: 2e-6, 2: 4e-3}[
            got.dtype.to_real().itemsize if got.dtype.is_complex else got.dtype.itemsize
        ]
    wide = torch.complex128 if got.dtype.is_complex else torch.float64
    got, want = got.to(wide), want.to(wide)
    assert (got - want).norm() <= tolerance * want.norm() + 1e-300


# --- values -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("name", ONE_AXIS)
@pytest.mark.parametrize("is_double", [True, False])
def test_one_axis_as_torch(name: str, norm: str | None, is_double: bool, device: str) -> None:
    for shape, n, dim in [((8,), None, -1), ((3, 15), None, -1), ((5, 6, 7), 9, 1), ((4, 6), 3, 0)]:
        x = input_of(name, shape, device, is_double)
        want = getattr(torch.fft, name)(x, n, dim, norm)
        for _ in range(2):  # the second call is the cached one
            assert_near(getattr(st, name)(x, n, dim, norm), want)
        assert_near(getattr(seichefft.fft, name)(x, n, dim, norm), want)
        out = torch.empty_like(want)
        assert getattr(st, name)(x, n, dim, norm, out=out) is out
        assert_near(out, want)


@pytest.mark.parametrize("suffix", ["2", "n"])
@pytest.mark.parametrize("name", ONE_AXIS)
def test_many_axes_as_torch(name: str, suffix: str, device: str) -> None:
    for s, dim, norm in [(None, (-2, -1), None), ((4, 9), (0, 2), "ortho"), ((7, 5), [2, 1], "forward")]:
        x = input_of(name, (3, 6, 8), device)
        assert_near(getattr(st, name + suffix)(x, s, dim, norm), getattr(torch.fft, name + suffix)(x, s, dim, norm))
    x = input_of(name, (3, 4, 8), device)
    assert_near(getattr(st, name + suffix)(x), getattr(torch.fft, name + suffix)(x))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "complex32", "int32", "bool", "float32", "float64"])
def test_types_of_results(dtype: str, device: str) -> None:
    kind = getattr(torch, dtype)
    x = (
        numbers((4, 12), torch.float32, device).to(kind)
        if kind is not torch.complex32
        else numbers((4, 12), kind, device)
    )
    got = st.fft(x)
    expected = {"float16": "complex32", "complex32": "complex32", "float64": "complex128"}.get(dtype, "complex64")
    assert got.dtype is getattr(torch, expected)
    want = torch.fft.fft(x.to(torch.complex128))
    assert_near(got, want.to(got.dtype), 4e-3 if expected == "complex32" else 2e-6)


def test_half_of_any_length(device: str) -> None:
    for n in (12, 17, 45, 64):
        x = numbers((3, n), torch.float16, device)
        got = st.rfft(x)
        assert got.dtype is torch.complex32
        assert_near(got, torch.fft.rfft(x.double()).to(torch.complex32), 4e-3)
        back = st.irfft(got, n)
        assert back.dtype is torch.float16
        assert_near(back, x, 4e-3)


def test_bfloat16_of_real_transforms(device: str) -> None:
    x = numbers((3, 16), torch.bfloat16, device)
    got = st.dct(x)
    assert got.dtype is torch.bfloat16
    assert_near(got, st.dct(x.double()).to(torch.bfloat16), 3e-2)
    assert st.rfft(x).dtype is torch.complex64


def test_strides_and_views(device: str) -> None:
    x = numbers((6, 8, 10), torch.complex64, device)
    views = [x.transpose(0, 2), x[::2, 1::3], x[:, :, 3], x[2:3].expand(4, 8, 10), x.conj(), x.permute(1, 0, 2)[1:]]
    views += [torch.view_as_real(x)[..., 1], x.imag, x.conj().imag]
    for view, dim in itertools.product(views, (0, -1)):
        assert_near(st.fft(view, dim=dim), torch.fft.fft(view, dim=dim))
    real = numbers((65,), torch.float32, device)[1:]  # four bytes from a complex number's place
    assert_near(st.rfft(real), torch.fft.rfft(real))
    assert_near(st.rfft(real), torch.fft.rfft(real))


def test_out_into_views_and_over_the_input(device: str) -> None:
    x = numbers((4, 8), torch.complex128, device)
    want = torch.fft.fft(x)
    wide = torch.zeros(4, 16, dtype=torch.complex128, device=device)
    st.fft(x, out=wide[:, ::2])
    assert_near(wide[:, ::2], want)
    assert not wide[:, 1::2].any()
    st.fft(x, out=x)
    assert_near(x, want)


def test_written_tensors_are_known_to_derivatives(device: str) -> None:
    x = numbers((8,), torch.complex128, device)
    kept = numbers((8,), torch.complex128, device, 2)
    weight = numbers((8,), torch.complex128, device, 3).requires_grad_()
    y = (weight * kept).abs().sum()
    st.fft(x, out=kept)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_empty_batch(device: str) -> None:
    assert st.fft(torch.empty(0, 4, device=device)).shape == (0, 4)


@pytest.mark.parametrize("name", ["dct", "idct", "dst", "idst"])
def test_cosines_and_sines_as_scipy(name: str, device: str) -> None:
    scipy_fft = pytest.importorskip("scipy.fft")
    for kind, norm in itertools.product((1, 2, 3, 4), NORMS):
        x = numbers((3, 8), torch.float64, device)
        want = torch.from_numpy(getattr(scipy_fft, name)(x.cpu().numpy(), kind, norm=norm)).to(device)
        assert_near(getattr(st, name)(x, kind, norm=norm), want)
        want = torch.from_numpy(getattr(scipy_fft, name + "n")(x.cpu().numpy(), kind, norm=norm)).to(device)
        assert_near(getattr(st, name + "n")(x, kind, norm=norm), want)


# --- derivatives ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("name", ONE_AXIS)
def test_gradients(name: str, norm: str | None, device: str) -> None:
    for n in (None, 4, 7):
        x = input_of(name, (2, 5), device).requires_grad_()
        function = functools.partial(getattr(st, name), n=n, norm=norm)
        assert torch.autograd.gradcheck(function, x, check_forward_ad=True, check_batched_grad=True)
        assert torch.autograd.gradgradcheck(function, x)


@pytest.mark.parametrize("name", [name + "n" for name in ONE_AXIS])
def test_gradients_of_many_axes(name: str, device: str) -> None:
    x = input_of(name, (2, 3, 4), device).requires_grad_()
    for dim in (None, (0, 2)):
        function = functools.partial(getattr(st, name), dim=dim)
        assert torch.autograd.gradcheck(function, x)
        assert torch.autograd.gradgradcheck(function, x)
        want = getattr(torch.fft, name)(x, None, dim)
        weights = numbers(tuple(want.shape), want.dtype, device, 3)
        (ours,) = torch.autograd.grad((function(x) * weights).abs().sum(), x)
        (theirs,) = torch.autograd.grad((want * weights).abs().sum(), x)
        assert_near(ours, theirs)


@pytest.mark.parametrize("orthogonalize", [False, True])
@pytest.mark.parametrize("kind", [1, 2, 3, 4])
@pytest.mark.parametrize("name", ["dct", "idct", "dst", "idstn", "dctn"])
def test_gradients_of_cosines_and_sines(name: str, kind: int, orthogonalize: bool, device: str) -> None:
    x = numbers((3, 5), torch.float64, device).requires_grad_()
    for norm in NORMS:
        function = functools.partial(getattr(st, name), type=kind, norm=norm, orthogonalize=orthogonalize)
        assert torch.autograd.gradcheck(function, x)
    assert torch.autograd.gradgradcheck(function, x)


def test_third_derivative(device: str) -> None:
    x = numbers((6,), torch.float64, device).requires_grad_()
    results = []
    for fft in (st.rfft, torch.fft.rfft):
        value = fft(x).abs().pow(4).sum()
        for _ in range(3):
            (gradient,) = torch.autograd.grad(value, x, create_graph=True)
            value = gradient.pow(2).sum()
        results.append(value.detach())
    assert_near(results[0], results[1], 1e-10)


def test_functions_of_scipy_are_recorded_too(device: str) -> None:
    x = numbers((8,), torch.float64, device).requires_grad_()
    seichefft.fft.rfft(x).abs().sum().backward()
    ours, x.grad = x.grad, None
    torch.fft.rfft(x).abs().sum().backward()
    assert_near(ours, x.grad)


def test_out_and_gradients_are_refused(device: str) -> None:
    x = numbers((8,), torch.complex64, device).requires_grad_()
    with pytest.raises(RuntimeError, match="out: expected None"):
        st.fft(x, out=torch.empty(8, dtype=torch.complex64, device=device))


def test_function_transforms(device: str) -> None:
    x = numbers((5, 3, 8), torch.float64, device)
    assert_near(torch.vmap(st.rfft, in_dims=1)(x), torch.fft.rfft(x).movedim(1, 0))
    assert_near(torch.vmap(torch.vmap(st.fft))(x), torch.fft.fft(x))

    def loss(fft: Any) -> Any:
        return lambda x: fft(x).abs().pow(3).sum()

    for transform in (torch.func.grad, torch.func.hessian, lambda f: torch.vmap(torch.func.grad(f))):
        assert_near(transform(loss(st.rfft))(x), transform(loss(torch.fft.rfft))(x))
    tangent = numbers((5, 3, 8), torch.float64, device, 2)
    for ours, theirs in zip(
        torch.func.jvp(st.rfft, (x,), (tangent,)), torch.func.jvp(torch.fft.rfft, (x,), (tangent,))
    ):
        assert_near(ours, theirs)
    one = x[0, 0]
    assert_near(
        torch.func.jacfwd(lambda x: st.rfft(x).abs())(one), torch.func.jacfwd(lambda x: torch.fft.rfft(x).abs())(one)
    )
    assert_near(torch.func.jacrev(loss(st.rfft))(one), torch.func.jacrev(loss(torch.fft.rfft))(one))


# --- compiler, graphs, streams, autocast ------------------------------------------------------------------------------


def test_operator_is_well_formed(device: str) -> None:
    x = numbers((3, 8), torch.complex128, device).requires_grad_()
    arguments = (x, "c2c", "forward", [1], [8], "ortho", False)
    torch.library.opcheck(torch.ops.seichefft.transform.default, arguments)
    real = numbers((3, 8), torch.float64, device).requires_grad_()
    torch.library.opcheck(torch.ops.seichefft.transform.default, (real, "r2c", "forward", [1], [8], "backward", False))


@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_compiled_without_a_break(backend: str, device: str) -> None:
    if backend == "inductor" and device == "cpu":
        pytest.skip("the compiler's own compiler is not what is tested")

    def function(x: Any) -> Any:
        y = st.rfft2(x * 2, norm="ortho")
        z = st.ifftn(st.fft(y, n=12, dim=1) * 2, dim=(1, 2))
        return st.irfft(z, 10).sin() + st.dct(x, 2)[..., :10].sum(1, keepdim=True)

    x = numbers((2, 6, 10), torch.float64, device).requires_grad_()
    compiled = torch.compile(function, fullgraph=True, backend=backend)
    want = function(x)
    got = compiled(x)
    assert_near(got, want)
    (ours,) = torch.autograd.grad(got.pow(2).sum(), x)
    (theirs,) = torch.autograd.grad(want.pow(2).sum(), x)
    assert_near(ours, theirs)


def test_compiled_frames_and_convolutions(device: str) -> None:
    window = torch.hann_window(16, device=device, dtype=torch.float64)
    x = numbers((2, 100), torch.float64, device)
    frames = torch.compile(
        lambda x: st.stft(x, 16, 4, window=window, return_complex=True), fullgraph=True, backend="aot_eager"
    )
    assert_near(frames(x), torch.stft(x, 16, 4, window=window, return_complex=True))
    weight = numbers((3, 1, 9), torch.float64, device, 2)
    convolve = torch.compile(lambda x, w: st.fft_conv1d(x, w, padding=4), fullgraph=True, backend="aot_eager")
    assert_near(convolve(x[:, None], weight), torch.nn.functional.conv1d(x[:, None], weight, padding=4))


@on_card
def test_cuda_graph() -> None:
    x = numbers((4, 1000), torch.complex64, "cuda")
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(2):
            st.ifft(st.fft(x) * 2)
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = st.ifft(st.fft(x) * 2)
    for seed in (5, 6):
        x.copy_(numbers((4, 1000), torch.complex64, "cuda", seed))
        graph.replay()
        assert_near(y, x * 2)


@on_card
def test_current_stream() -> None:
    x = numbers((64, 4096), torch.complex64, "cuda")
    want = torch.fft.fft(x * 3)
    stream = torch.cuda.Stream()
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(20_000_000)
        y = st.fft(x * 3)
        z = y * 1
    stream.synchronize()
    assert_near(z, want)


def test_autocast(device: str) -> None:
    x = numbers((4, 16), torch.float16, device) * 3000
    with torch.autocast(device, dtype=torch.bfloat16 if device == "cpu" else torch.float16):
        got = st.rfft(x)
    assert got.dtype is torch.complex64
    assert_near(got, torch.fft.rfft(x.float()))


# --- frames and convolutions ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("normalized", [True, False])
def test_frames(center: bool, normalized: bool, device: str) -> None:
    x = numbers((2, 120), torch.float64, device)
    for n_fft, hop, width, onesided in [(16, 4, None, None), (15, 5, 12, True), (16, 8, 16, False)]:
        window = torch.hamming_window(width or n_fft, dtype=torch.float64, device=device)
        shared = {
            "win_length": width,
            "window": window,
            "center": center,
            "normalized": normalized,
            "onesided": onesided,
        }
        want = torch.stft(x, n_fft, hop, return_complex=True, **shared)
        got = st.stft(x, n_fft, hop, return_complex=True, **shared)
        assert_near(got, want)
        assert_near(st.stft(x[0], n_fft, hop, return_complex=False, **shared), torch.view_as_real(want[0]))
        if width is None or center:
            assert_near(st.istft(got, n_fft, hop, **shared), torch.istft(want, n_fft, hop, **shared), 1e-10)
            length = 100
            assert_near(
                st.istft(got, n_fft, hop, length=length, **shared),
                torch.istft(want, n_fft, hop, length=length, **shared),
                1e-10,
            )


def test_frames_of_complex_signals(device: str) -> None:
    x = numbers((90,), torch.complex128, device)
    for mode in ("constant", "reflect", "circular"):
        assert_near(st.stft(x, 20, pad_mode=mode), torch.stft(x, 20, pad_mode=mode, return_complex=True))
    assert torch.autograd.gradcheck(lambda x: st.stft(x, 8, 4), x[:20].requires_grad_())


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.complex64, torch.complex128])
@pytest.mark.parametrize("mode", ["reflect", "constant", "replicate", "circular", None])
def test_frames_again(mode: str | None, dtype: torch.dtype, device: str) -> None:
    real = dtype.to_real() if dtype.is_complex else dtype
    x = numbers((3, 157), dtype, device)
    for n_fft, hop, width in [(32, 8, 32), (27, 10, 20), (64, 1, 64)]:
        window = torch.hann_window(width, dtype=real, device=device)
        shared: dict[str, Any] = {"win_length": width, "window": window, "return_complex": True}
        shared |= {"center": False} if mode is None else {"pad_mode": mode}
        want = torch.stft(x, n_fft, hop, **shared)
        results = [st.stft(x, n_fft, hop, **shared) for _ in range(3)]
        for result in results:  # the first by frames that PyTorch cuts, the others by one plan
            assert_near(result, want)
        assert torch.equal(results[1], results[2])
        weights = numbers(tuple(want.shape), want.dtype, device, 2)
        derivatives = [
            _derivatives_of_frames(frames, x, window, weights, n_fft, hop, shared) for frames in (st.stft, torch.stft)
        ]
        for got, wanted in zip(*derivatives):
            assert_near(got.detach(), wanted.detach(), 1e-10 if real is torch.float64 else 2e-4)


def _derivatives_of_frames(
    frames: Any, x: Any, window: Any, weights: Any, n_fft: int, hop: int, shared: dict[str, Any]
) -> list[Any]:
    signal, used = x.clone().requires_grad_(), window.clone().requires_grad_()
    spectra = frames(signal, n_fft, hop, **(shared | {"window": used}))
    loss = (spectra * weights).abs().pow(2).sum()
    first = torch.autograd.grad(loss, [signal, used], create_graph=True)
    return [*first, *torch.autograd.grad(sum(one.abs().pow(2).sum() for one in first), [signal, used])]


def test_frames_that_do_not_fit(device: str) -> None:
    x = numbers((20,), torch.float64, device)
    for _ in range(3):
        with pytest.raises(RuntimeError, match="[Pp]adding"):
            st.stft(x, 64, return_complex=True)
        with pytest.raises(ValueError, match="n_fft: expected at most the 20 samples of the signal, got 64"):
            st.stft(x, 64, center=False, return_complex=True)


@pytest.mark.parametrize("taps", [40, 64])
@pytest.mark.parametrize("channels", [1, 3])
def test_long_convolutions(channels: int, taps: int, device: str) -> None:
    u = numbers((2, channels, 64), torch.float64, device).requires_grad_()
    k = numbers((channels, taps), torch.float64, device, 2).requires_grad_()
    gates = [numbers((2, channels, 64), torch.float64, device, seed).requires_grad_() for seed in (3, 4)]

    def sums(u: torch.Tensor, k: torch.Tensor, in_gate: torch.Tensor, out_gate: torch.Tensor) -> torch.Tensor:
        x = torch.nn.functional.pad(u * in_gate, (taps - 1, 0))
        return torch.nn.functional.conv1d(x, k.flip(-1)[:, None], groups=channels) * out_gate

    assert_near(st.long_conv(u, k), sums(u, k, torch.ones_like(u), torch.ones_like(u)), 1e-12)
    assert_near(st.long_conv(u, k, *gates), sums(u, k, *gates), 1e-12)
    both = [torch.autograd.grad(f(u, k, *gates).pow(2).sum(), (u, k, *gates)) for f in (st.long_conv, sums)]
    for one, other in zip(*both):
        assert_near(one, other, 1e-11)
    half = st.long_conv(u.detach().half(), k.detach().float())
    assert half.dtype == torch.float16
    ones = torch.ones_like(u)
    assert_near(half.double(), sums(u.detach().half().double(), k, ones, ones).detach(), 1e-3)
    with pytest.raises(TypeError, match="k: expected torch.float32"):
        st.long_conv(u.half(), k)
    with pytest.raises(ValueError, match="u, k: expected"):
        st.long_conv(u, k[:, :0])


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_convolutions(rank: int, device: str) -> None:
    ours = getattr(st, f"fft_conv{rank}d")
    theirs = getattr(torch.nn.functional, f"conv{rank}d")
    spatial = (11, 9, 8)[:rank]
    taps = (4, 3, 2)[:rank]
    for stride, padding, dilation, groups in [
        (1, 0, 1, 1),
        (2, 3, 1, 2),
        (1, "same", 2, 1),
        (3, 1, 2, 4),
        (1, "valid", 1, 2),
    ]:
        x = numbers((2, 4, *spatial), torch.float64, device).requires_grad_()
        weight = numbers((8, 4 // groups, *taps), torch.float64, device, 2).requires_grad_()
        bias = numbers((8,), torch.float64, device, 3).requires_grad_()
        got = ours(x, weight, bias, stride, padding, dilation, groups)
        want = theirs(x, weight, bias, stride, padding, dilation, groups)
        assert_near(got, want)
        grads = zip(
            torch.autograd.grad(got.pow(2).sum(), (x, weight, bias)),
            torch.autograd.grad(want.pow(2).sum(), (x, weight, bias)),
        )
        for one, other in grads:
            assert_near(one, other, 1e-11)
        assert_near(
            ours(x[0], weight, None, stride, padding, dilation, groups),
            theirs(x[0], weight, None, stride, padding, dilation, groups),
        )
    x, weight = numbers((1, 2, *spatial), torch.complex128, device), numbers((3, 2, *taps), torch.complex128, device, 2)
    assert_near(ours(x, weight), theirs(x, weight))


# --- bad input --------------------------------------------------------------------------------------------------------


def test_numbers_alone_take_no_graph(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What asks for no derivatives is run as it is, and a second time without the steps of a first one."""
    from seichefft._dense import DenseCalls
    from seichefft.torch import _long_convolution, _spectral_conv

    def refused(*_: object, **__: object) -> None:
        raise AssertionError("expected the call that is remembered, got a step of a first call")

    u, k = (torch.randn(shape, device=device) for shape in ((2, 3, 40), (3, 40)))
    x = torch.randn(2, 3, 16, 16, device=device)
    layer = st.SpectralConv2d(3, 4, (8, 8), device=device)
    wanted = st.long_conv(u.requires_grad_(), k).detach(), layer(x).detach()
    u = u.detach()
    with torch.no_grad():
        for _ in range(2):
            assert_near(st.long_conv(u, k), wanted[0], 1e-5)
            assert_near(layer(x), wanted[1], 1e-5)
            monkeypatch.setattr(_long_convolution._Product, "apply", refused)
            monkeypatch.setattr(_spectral_conv._Linear, "apply", refused)
            monkeypatch.setattr(DenseCalls, "_checked", refused)


def test_what_is_refused(device: str) -> None:
    x = numbers((4, 8), torch.complex64, device)
    with pytest.raises(TypeError, match="input: expected a torch.Tensor"):
        st.fft([1.0, 2.0])
    with pytest.raises(TypeError, match="real"):
        st.rfft(x)
    with pytest.raises(ValueError, match="norm"):
        st.fft(x, norm="none")
    with pytest.raises(ValueError, match="out: expected shape"):
        st.fft(x, out=torch.empty(3, dtype=torch.complex64, device=device))
    with pytest.raises(TypeError, match="out: expected elements"):
        st.fft(x, out=torch.empty(4, 8, device=device))
    with pytest.raises(TypeError, match="layout"):
        seichefft.fft.fft(torch.eye(3, device=device).to_sparse())
    with pytest.raises(ValueError, match="weight: expected"):
        st.fft_conv1d(torch.ones(1, 4, 8, device=device), torch.ones(1, 3, 3, device=device))
    if device == "cuda":
        with pytest.raises(ValueError, match="out: expected a tensor on cuda"):
            st.fft(x, out=torch.empty(4, 8, dtype=torch.complex64))
