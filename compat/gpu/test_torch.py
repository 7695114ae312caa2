"""PyTorch's Fourier functions on a card: its own samples, derivatives, CUDA graphs, streams and stft, against the same
on the processor. Run once with cuFFT and once with Seiche preloaded."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")
if not torch.cuda.is_available():
    pytest.skip("there is no card", allow_module_level=True)
definitions = pytest.importorskip("torch.testing._internal.opinfo.definitions.fft")

DTYPES = ["float16", "complex32", "float32", "float64", "complex64", "complex128", "int64", "bool"]
OPERATORS = [one for one in definitions.op_db if "shift" not in one.name and "freq" not in one.name]
TOLERANCES = {"float16": 2e-2, "complex32": 2e-2, "float32": 5e-6, "complex64": 5e-6}


def expect_near(got: Any, want: Any, what: object = "") -> None:
    assert got.shape == want.shape and got.dtype == want.dtype, what
    tolerance = TOLERANCES.get(str(want.dtype).partition(".")[2], 1e-12)
    wide = torch.complex128 if want.dtype.is_complex else torch.float64
    got, want = got.detach().cpu().to(wide), want.detach().cpu().to(wide)
    assert (got - want).norm() <= tolerance * want.norm() + 1e-300, what


def on_processor(value: Any, dtype: Any = None) -> Any:
    """The same sample for the processor, halves in single precision, which it computes in."""
    if isinstance(value, torch.Tensor):
        wide = {torch.float16: torch.float32, torch.complex32: torch.complex64}.get(value.dtype, value.dtype)
        return value.detach().cpu().to(wide)
    return value


@pytest.mark.parametrize("word", DTYPES)
@pytest.mark.parametrize("operator", OPERATORS, ids=lambda one: one.name)
def test_samples(operator: Any, word: str) -> None:
    dtype = getattr(torch, word)
    if dtype not in operator.supported_dtypes("cuda"):
        pytest.skip("PyTorch has it not in this type")
    for sample in operator.sample_inputs("cuda", dtype):
        got = operator(sample.input, *sample.args, **sample.kwargs)
        want = operator(on_processor(sample.input), *map(on_processor, sample.args), **sample.kwargs)
        expect_near(got, want.to(got.dtype), sample)


@pytest.mark.parametrize("word", ["float64", "complex128"])
@pytest.mark.parametrize("operator", OPERATORS, ids=lambda one: one.name)
def test_derivatives(operator: Any, word: str) -> None:
    dtype = getattr(torch, word)
    if dtype not in operator.supported_dtypes("cuda"):
        pytest.skip("PyTorch has it not in this type")
    for sample in list(operator.sample_inputs("cuda", dtype, requires_grad=True))[:6]:
        if sample.input.numel() > 100:
            continue

        def function(x: Any, sample: Any = sample) -> Any:
            return operator(x, *sample.args, **sample.kwargs)

        assert torch.autograd.gradcheck(function, sample.input), sample
        assert torch.autograd.gradgradcheck(function, sample.input), sample


@pytest.mark.parametrize("shape", [(1024,), (32, 1000), (8, 64, 48), (4, 1009), (1 << 20,)])
@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "fft2", "irfft", "rfftn", "irfftn"])
def test_graphs(name: str, shape: tuple[int, ...]) -> None:
    """Captured once and launched with other inputs: exactly what the function gives by itself."""
    if name == "fft2" and len(shape) < 2:
        pytest.skip("needs two axes")
    function = getattr(torch.fft, name)
    real = name.startswith("rfft")
    x = torch.randn(shape, device="cuda", dtype=torch.float32 if real else torch.complex64)
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(3):
            function(x)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = function(x)
    for _ in range(3):
        x.copy_(torch.randn_like(x))
        graph.replay()
        torch.cuda.synchronize()
        assert torch.equal(y, function(x)), name
    expect_near(y, function(x.cpu()))


def test_streams_at_a_time() -> None:
    streams = [torch.cuda.Stream() for _ in range(6)]
    inputs = [torch.randn(64, 4096, device="cuda", dtype=torch.complex64) for _ in streams]
    outputs: list[Any] = [None] * len(streams)
    torch.cuda.synchronize()
    for _ in range(20):
        for index, stream in enumerate(streams):
            with torch.cuda.stream(stream):
                outputs[index] = torch.fft.ifft(torch.fft.fft(inputs[index]))
    torch.cuda.synchronize()
    for x, y in zip(inputs, outputs):
        expect_near(y, x)


@pytest.mark.parametrize("size", [400, 512, 1024])
@pytest.mark.parametrize("onesided", [True, False])
def test_stft(size: int, onesided: bool) -> None:
    x = torch.randn(3, 16000, device="cuda")
    window = torch.hann_window(size, device="cuda")
    options = {"n_fft": size, "hop_length": size // 4, "onesided": onesided}
    got = torch.stft(x, window=window, return_complex=True, **options)
    expect_near(got, torch.stft(x.cpu(), window=window.cpu(), return_complex=True, **options))
    expect_near(torch.istft(got, window=window, length=16000, **options), x)


def test_threads() -> None:
    import threading

    x = torch.randn(16, 1000, device="cuda", dtype=torch.complex64)
    want, wrong = torch.fft.fft(x), []

    def work() -> None:
        with torch.cuda.stream(torch.cuda.Stream()):
            for n in range(40):
                y = torch.fft.fft(x)
                torch.fft.rfft(torch.ones(n + 2, device="cuda"))
                torch.cuda.current_stream().synchronize()
                if not torch.equal(y, want):
                    wrong.append(n)

    torch.cuda.synchronize()
    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
