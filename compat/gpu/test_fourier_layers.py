"""`seichefft.torch.SpectralConv1d` to `3d` on a card, or on the processor where there is none.

Values and derivatives against torch.fft, and neuraloperator's dense weights. `python -m seichefft.bench layers` has
their times."""

from __future__ import annotations

import sys
from typing import Any

import pytest

torch = pytest.importorskip("torch")
import seichefft.torch as st  # noqa: E402

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
LAYERS = {1: st.SpectralConv1d, 2: st.SpectralConv2d, 3: st.SpectralConv3d}
CASES = [((40,), (12,)), ((41,), (12,)), ((16, 18), (8, 10)), ((15, 16), (6, 16)), ((12, 8, 10), (4, 6, 6))]


def reference(x: Any, weight: Any, modes: Any) -> Any:
    """As neuraloperator has it: the spectrum is filled with zeros."""
    axes = tuple(range(2, x.dim()))
    spectrum = torch.fft.fftn(x, dim=axes) if x.is_complex() else torch.fft.rfftn(x, dim=axes)
    filled = torch.zeros(x.shape[0], weight.shape[1], *spectrum.shape[2:], dtype=weight.dtype, device=x.device)
    signs = [[slice(0, end)] if begin >= 0 else [slice(0, end), slice(begin, None)] for begin, end in modes]
    corners: list[list[Any]] = [[]]
    for one in signs:
        corners = [[*corner, part] for corner in corners for part in one]
    for corner in corners:
        at = (slice(None), slice(None), *corner)
        filled[at] = torch.einsum("bi...,io...->bo...", spectrum[at], weight[at])
    if x.is_complex():
        return torch.fft.ifftn(filled, dim=axes)
    return torch.fft.irfftn(filled, s=x.shape[2:], dim=axes)


def expect_near(got: Any, want: Any) -> None:
    assert got.shape == want.shape and got.dtype == want.dtype
    real = got.dtype.to_real() if got.dtype.is_complex else got.dtype
    tolerance = 2e-6 if real == torch.float32 else 1e-12
    assert (got - want).norm() <= tolerance * want.norm()


def made(shape: Any, modes: Any, is_complex: bool, dtype: Any) -> Any:
    torch.manual_seed(1)
    layer = LAYERS[len(shape)](3, 5, modes, is_complex, device=DEVICE, dtype=dtype)
    kind = dtype.to_complex() if is_complex else dtype
    return layer, torch.randn(4, 3, *shape, dtype=kind, device=DEVICE)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("is_complex", [False, True])
@pytest.mark.parametrize(("shape", "modes"), CASES)
def test_values_and_gradients(shape: Any, modes: Any, is_complex: bool, dtype: Any) -> None:
    layer, x = made(shape, modes, is_complex, dtype)
    results = []
    for function in (layer, lambda x: reference(x, layer.weight, layer._modes) + layer.bias):
        own = x.clone().requires_grad_()
        layer.zero_grad()
        y = function(own)
        y.backward(torch.linspace(0, 1, y.numel(), dtype=dtype, device=DEVICE).reshape(y.shape).to(y.dtype))
        results.append((y.detach(), own.grad, layer.weight.grad.clone(), layer.bias.grad.clone()))
    for got, want in zip(*results):
        expect_near(got, want)


@pytest.mark.parametrize("adjoint", [False, True])
@pytest.mark.parametrize(("shape", "modes"), [((10,), (6,)), ((6, 7), (4, 4)), ((6, 6), (4, 6))])
def test_second_derivatives(shape: Any, modes: Any, adjoint: bool) -> None:
    layer, x = made(shape, modes, False, torch.float64)
    x = x[:2].clone().requires_grad_()

    def function(x: Any, weight: Any) -> Any:
        from seichefft._layers import Axes
        from seichefft.torch._spectral_conv import _layer

        return _layer(x, weight, Axes(shape, layer._modes, "float64"), adjoint)

    own = layer.weight.detach()
    weight = (own.transpose(0, 1).contiguous() if adjoint else own.clone()).requires_grad_()
    assert torch.autograd.gradcheck(function, (x, weight))
    assert torch.autograd.gradgradcheck(function, (x, weight))
    fixed = weight.detach()
    assert torch.autograd.gradcheck(lambda x: function(x, fixed), (x,))
    assert torch.autograd.gradgradcheck(lambda x: function(x, fixed), (x,))
    assert torch.autograd.gradgradcheck(lambda weight: function(x.detach(), weight), (weight,))


@pytest.mark.parametrize("wanted", ["x", "weight", "both", "none"])
def test_only_what_is_asked_for(wanted: str) -> None:
    layer, x = made((16, 18), (8, 10), False, torch.float32)
    layer.weight.requires_grad_(wanted in ("weight", "both"))
    x.requires_grad_(wanted in ("x", "both"))
    layer.bias = None
    y = layer(x)
    assert y.requires_grad == (wanted != "none")
    if wanted == "none":
        return
    y.square().sum().backward()
    own, weight = x.detach().clone().requires_grad_(), layer.weight.detach().clone().requires_grad_()
    reference(own, weight, layer._modes).square().sum().backward()
    for got, want, is_asked in ((x, own, wanted != "weight"), (layer.weight, weight, wanted != "x")):
        assert (got.grad is not None) == is_asked
        if is_asked:
            expect_near(got.grad, want.grad)


def test_an_empty_batch() -> None:
    layer, x = made((16, 18), (8, 10), False, torch.float32)
    empty = x[:0].clone().requires_grad_()
    layer(empty).sum().backward()
    assert empty.grad.shape == empty.shape and not layer.weight.grad.any()


def test_weights_of_neuraloperator() -> None:
    layer, x = made((16, 18), (8, 10), False, torch.float32)
    state = layer.state_dict()
    theirs = {"weight.tensor": torch.fft.fftshift(state["weight"], dim=(2,)), "bias": state["bias"]}
    other = st.SpectralConv2d(3, 5, (8, 10), device=DEVICE)
    other.load_state_dict(theirs)
    expect_near(other(x), layer(x))


def test_mistakes() -> None:
    with pytest.raises(ValueError, match="n_modes: expected even numbers along axes with both signs"):
        st.SpectralConv2d(1, 1, (3, 4))
    with pytest.raises(ValueError, match="n_modes: expected 2 numbers above 0"):
        st.SpectralConv2d(1, 1, (4,))
    layer = st.SpectralConv1d(2, 2, 4, device=DEVICE)
    with pytest.raises(ValueError, match="x: expected"):
        layer(torch.zeros(1, 3, 8, device=DEVICE))
    with pytest.raises(TypeError, match="x: expected real numbers"):
        layer(torch.zeros(1, 2, 8, dtype=torch.complex64, device=DEVICE))


if __name__ == "__main__":
    sys.exit(pytest.main([__file__, "-q"]))
