"""`python -m seichefft.bench layers`: modules of `seichefft.torch` with their gradients, beside the same of torch.fft.

Forward and backward are timed apart, by turns, and each one's peak of memory beyond what was allocated before.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

#: Kind, sizes (batch, channels, then points or samples), and modes as `SpectralConv2d` counts them.
LAYERS: list[tuple[str, tuple[int, ...], tuple[int, ...]]] = [
    ("fourier-layer", (16, 32, 256, 256), (64, 62)),
    ("fourier-layer", (16, 64, 128, 128), (32, 30)),
    ("long-convolution", (64, 768, 1024), ()),
    ("long-convolution", (8, 768, 8192), ()),
    ("long-convolution", (1, 64, 1 << 20), ()),
]
SMALL: list[tuple[str, tuple[int, ...], tuple[int, ...]]] = [
    ("fourier-layer", (2, 4, 32, 32), (8, 8)),
    ("long-convolution", (2, 8, 1024), ()),
]


def _fourier_layer(torch: Any, shape: Sequence[int], modes: Sequence[int], device: str) -> tuple[Any, Any, list[Any]]:
    import seichefft.torch

    batch, channels, *points = shape
    layer = seichefft.torch.SpectralConv2d(channels, channels, tuple(modes), bias=False, device=device)
    x = torch.randn(batch, channels, *points, device=device, requires_grad=True)
    rows, columns = modes[0] // 2, modes[1] // 2 + 1

    def theirs(x: Any, weight: Any) -> Any:
        """As neuraloperator has it: the spectrum is filled with zeros."""
        spectrum = torch.fft.rfft2(x)
        filled = torch.zeros_like(spectrum)
        for part in (slice(0, rows), slice(-rows, None)):
            kept = spectrum[:, :, part, :columns]
            filled[:, :, part, :columns] = torch.einsum("bixy,ioxy->boxy", kept, weight[:, :, part])
        return torch.fft.irfft2(filled, s=x.shape[-2:])

    return (lambda x, _: layer(x)), theirs, [x, layer.weight]


def _long_convolution(torch: Any, shape: Sequence[int], _: Sequence[int], device: str) -> tuple[Any, Any, list[Any]]:
    import seichefft.torch

    u = torch.randn(*shape, device=device, requires_grad=True)
    k = torch.randn(*shape[1:], device=device, requires_grad=True)

    def theirs(u: Any, k: Any) -> Any:
        n = u.shape[-1]
        return torch.fft.irfft(torch.fft.rfft(u, n=2 * n) * torch.fft.rfft(k, n=2 * n), n=2 * n)[..., :n]

    return seichefft.torch.long_conv, theirs, [u, k]


KINDS = {"fourier-layer": _fourier_layer, "long-convolution": _long_convolution}


def _timed(torch: Any, call: Callable[[], Any], is_card: bool) -> float:
    """Milliseconds."""
    if not is_card:
        start = time.perf_counter()
        call()
        return (time.perf_counter() - start) * 1e3
    before, after = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    before.record()
    call()
    after.record()
    after.synchronize()
    return float(before.elapsed_time(after))


def _peak(torch: Any, call: Callable[[], Any]) -> tuple[Any, float]:
    """What a call gives, and the megabytes that it had beyond what was there."""
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    result = call()
    torch.cuda.synchronize()
    return result, (torch.cuda.max_memory_allocated() - before) / 1e6


class _Timed:
    """A function of tensors, its forward and its backward pass."""

    def __init__(self, torch: Any, function: Callable[..., Any], inputs: list[Any], is_card: bool) -> None:
        self.torch, self.function, self.inputs, self.is_card = torch, function, inputs, is_card
        self.forward_ms: list[float] = []
        self.backward_ms: list[float] = []

    def gradients(self, y: Any, weights: Any) -> Any:
        return self.torch.autograd.grad(y, self.inputs, weights)

    def sample(self, weights: Any) -> None:
        kept: list[Any] = []
        self.forward_ms.append(_timed(self.torch, lambda: kept.append(self.function(*self.inputs)), self.is_card))
        self.backward_ms.append(_timed(self.torch, lambda: self.gradients(kept.pop(), weights), self.is_card))

    def peaks(self, weights: Any) -> tuple[float, float]:
        y, forward = _peak(self.torch, lambda: self.function(*self.inputs))
        _, backward = _peak(self.torch, lambda: self.gradients(y, weights))
        return forward, backward


def measured(torch: Any, kind: str, shape: Sequence[int], modes: Sequence[int], repeat: int) -> dict[str, Any]:
    """One row."""
    is_card = bool(torch.cuda.is_available())
    ours, theirs, inputs = KINDS[kind](torch, shape, modes, "cuda" if is_card else "cpu")
    text = "x".join(map(str, shape)) + (" modes " + "x".join(map(str, modes)) if modes else "")
    row: dict[str, Any] = {"layer": f"{kind} {text}"}
    both = {"seichefft": _Timed(torch, ours, inputs, is_card), "torch": _Timed(torch, theirs, inputs, is_card)}
    expected = theirs(*inputs)
    weights = torch.randn_like(expected)
    wanted = [expected.detach(), *torch.autograd.grad(expected, inputs, weights)]
    y = ours(*inputs)
    got = [y.detach(), *torch.autograd.grad(y, inputs, weights)]
    for name, one, other in zip(("result", "of_signal", "of_weights"), got, wanted):
        row[f"{name}_difference"] = f"{float((one - other).norm() / other.norm()):.3g}"
    del expected, y, wanted, got
    for _ in range(repeat + 2):
        for each in both.values():
            each.sample(weights)
    for name, each in both.items():
        forward, backward = (statistics.median(values[2:]) for values in (each.forward_ms, each.backward_ms))
        row |= {f"{name}_forward_ms": round(forward, 5), f"{name}_backward_ms": round(backward, 5)}
        row[f"{name}_backward_over_forward"] = round(backward / forward, 3)
        if is_card:
            row[f"{name}_forward_mb"], row[f"{name}_backward_mb"] = (round(mb, 1) for mb in each.peaks(weights))
    return row


def layers(
    only: Sequence[str] | None, is_small: bool, repeat: int, write: Callable[[list[dict[str, Any]]], None]
) -> None:
    """All rows, each printed as it is there."""
    try:
        import torch
    except ImportError:
        sys.exit("layers: expected PyTorch, which their modules are of, found none")
    rows = []
    for kind, shape, modes in SMALL if is_small or not torch.cuda.is_available() else LAYERS:
        if only and kind not in only:
            continue
        row = measured(torch, kind, shape, modes, repeat)
        rows.append(row)
        for name in ("seichefft", "torch"):
            memory = ""
            if f"{name}_forward_mb" in row:
                memory = f", peak {row[f'{name}_forward_mb']} MB and {row[f'{name}_backward_mb']} MB"
            print(
                f"{row['layer']}: {name}: forward {row[f'{name}_forward_ms']:.4f} ms, backward "
                f"{row[f'{name}_backward_ms']:.4f} ms ({row[f'{name}_backward_over_forward']:.2f}){memory}",
                flush=True,
            )
        write(rows)
