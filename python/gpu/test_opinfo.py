"""PyTorch's own samples of its Fourier functions, on seichefft's: values, and derivatives by gradcheck."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")
fft_definitions = pytest.importorskip("torch.testing._internal.opinfo.definitions.fft")

import seichefft.torch as st  # noqa: E402

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
DTYPES = ["float32", "float64", "complex64", "complex128", "int64", "bool", "float16", "complex32"]
OPERATORS = [
    one
    for one in fft_definitions.op_db
    if one.name.startswith("fft.") and one.name[4:] in st.__all__ and "shift" not in one.name and "freq" not in one.name
]
TOLERANCES = {"complex32": 2e-2, "float16": 2e-2}


def samples(operator: Any, dtype: Any, needs_grad: bool = False) -> list[Any]:
    if dtype not in operator.supported_dtypes(DEVICE):
        pytest.skip("PyTorch has it not in this type")
    return list(operator.sample_inputs(DEVICE, dtype, requires_grad=needs_grad))


@pytest.mark.parametrize("word", DTYPES)
@pytest.mark.parametrize("operator", OPERATORS, ids=lambda one: one.name)
def test_values(operator: Any, word: str) -> None:
    ours = getattr(st, operator.name[4:])
    for sample in samples(operator, getattr(torch, word)):
        got = ours(sample.input, *sample.args, **sample.kwargs)
        want = operator(sample.input, *sample.args, **sample.kwargs)
        assert got.shape == want.shape and got.dtype == want.dtype, sample
        word_of_result = str(want.dtype).partition(".")[2]
        tolerance = TOLERANCES.get(word_of_result, 3e-6 if word_of_result in ("complex64", "float32") else 1e-12)
        wide = torch.complex128 if want.dtype.is_complex else torch.float64
        got, want = got.to(wide), want.to(wide)
        assert (got - want).norm() <= tolerance * want.norm() + 1e-300, sample


@pytest.mark.parametrize("word", ["float64", "complex128"])
@pytest.mark.parametrize("operator", OPERATORS, ids=lambda one: one.name)
def test_derivatives(operator: Any, word: str) -> None:
    ours = getattr(st, operator.name[4:])
    for sample in samples(operator, getattr(torch, word), needs_grad=True)[:6]:
        if sample.input.numel() > 100:
            continue

        def function(x: Any, sample: Any = sample) -> Any:
            return ours(x, *sample.args, **sample.kwargs)

        assert torch.autograd.gradcheck(function, sample.input), sample
        assert torch.autograd.gradgradcheck(function, sample.input), sample
