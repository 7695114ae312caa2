"""The frames of a signal by a plan that pads, cuts and multiplies by the window as it reads.

Such a plan is made for one length of the signal, which takes a compilation; so a length is served by it from its second
call on, and signals of ever new lengths by transforms of frames that PyTorch has cut.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch

from .._arrays._torch import _transforms as is_transformed
from .._arrays._torch import adapter, is_recorded, stream_of
from .._devices import Device
from .._engine import Transform
from .._kept import kept
from ..plans import Plan
from ._operator import _has_numbers, adjoint

_TYPES = (torch.float32, torch.float64, torch.complex64, torch.complex128)
#: How sample p of the padded signal is found; `last` is the signal's last sample.
_PADDED = {
    None: "let k = p;",
    "constant": "let k = p;",
    "replicate": "let k = p;",
    "reflect": "let q = p < 0 ? -p : p; let k = q > last ? 2 * last - q : q;",
    "circular": "let k = p < 0 ? p + last + 1 : p > last ? p - last - 1 : p;",
}


class Frames(NamedTuple):
    """How a signal (batch, samples) is cut: frame t begins `half` samples before sample t * hop."""

    n_fft: int
    hop: int
    half: int
    pad_mode: str | None
    is_halved: bool
    norm: str

    def count(self, samples: int) -> int:
        return (samples + 2 * self.half - self.n_fft) // self.hop + 1

    def cut(self, signal: torch.Tensor) -> torch.Tensor:
        """(batch, frames, n_fft), by PyTorch."""
        if self.pad_mode is not None:
            padding = (self.half, self.half)
            signal = torch.nn.functional.pad(signal.unsqueeze(1), padding, mode=self.pad_mode).squeeze(1)
        return signal.unfold(-1, self.n_fft, self.hop)


#: Signatures that were met once.
_met: dict[Any, None] = {}


def _is_met(key: Any) -> bool:
    if key in _met:
        return True
    if len(_met) >= 1024:
        _met.clear()
    _met[key] = None
    return False


def _plan(device: Any, frames: Frames, batch: int, samples: int, dtype: torch.dtype, has_window: bool) -> Plan:
    last, is_complex = samples - 1, dtype.is_complex
    precision = "f64" if dtype.itemsize == (16 if is_complex else 8) else "f32"
    place = f"(i0 * {samples} + max(0, min(k, {last})))"
    value = f"complex(signal[2 * {place}], signal[2 * {place} + 1])" if is_complex else f"signal[{place}]"
    if frames.pad_mode == "constant":
        value = f"(p >= 0 && p <= {last} ? {value} : 0)"
    begin = f"let p = i1 * {frames.hop} + i2 - {frames.half}; {_PADDED[frames.pad_mode].replace('last', str(last))}"
    arrays: dict[str, Any] = {"signal": f"{precision}[{batch * samples * (2 if is_complex else 1)}]"}
    if has_window:
        value, arrays["window"] = f"{value} * window[i2]", f"{precision}[{frames.n_fft}]"
    return Plan(
        (batch, frames.count(samples), frames.n_fft),
        "float64" if precision == "f64" else "float32",
        kind="r2c" if frames.is_halved else "c2c",
        axes=(2,),
        direction="forward",
        norm=frames.norm,
        forward_load=f"{begin} return {value};",
        device=Device._of(device),
        **arrays,
    )


def _spectra(frames: Frames, signal: torch.Tensor, window: torch.Tensor | None) -> torch.Tensor:
    """(batch, frames, frequencies)."""
    device = adapter.device(signal)
    batch, samples = signal.shape
    dtype, has_window = signal.dtype, window is not None
    plan = kept(
        device,
        ("stft", frames, batch, samples, dtype, has_window),
        lambda: _plan(device, frames, batch, samples, dtype, has_window),
        lambda plan: plan.problem,
    )
    signal = signal.resolve_conj().resolve_neg().contiguous()
    arrays: dict[str, torch.Tensor] = {"signal": torch.view_as_real(signal) if dtype.is_complex else signal}
    if window is not None:
        arrays["window"] = window.resolve_neg().contiguous()
    index = signal.get_device()
    if index < 0:
        return plan(None, **arrays)  # type: ignore[no-any-return]
    bins = frames.n_fft // 2 + 1 if frames.is_halved else frames.n_fft
    out = torch.empty((batch, frames.count(samples), bins), dtype=dtype.to_complex(), device=signal.device)
    count = plan.workspace_bytes
    workspace = torch.empty(count, dtype=torch.uint8, device=signal.device) if count else None
    plan._plan.execute(
        device.queue(stream_of(index)),
        "forward",
        None,
        out.data_ptr(),
        None if workspace is None else workspace.data_ptr(),
        None,
        {name: (array.data_ptr(), array.nbytes) for name, array in arrays.items()},
        {},
        None,
        None,
    )
    return out


class _Recorded(torch.autograd.Function):
    """The same in a graph of derivatives."""

    @staticmethod
    def forward(ctx: Any, frames: Frames, signal: torch.Tensor, window: torch.Tensor | None) -> torch.Tensor:
        ctx.frames = frames
        ctx.save_for_backward(signal, window)
        return _spectra(frames, signal, window)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[Any, ...]:
        frames: Frames = ctx.frames
        signal, window = ctx.saved_tensors
        kind = "r2c" if frames.is_halved else "c2c"
        transform = Transform(kind, "forward", (2,), (frames.n_fft,), frames.norm, False)
        cut = adjoint(gradients[0], transform)
        wanted = [tensor for tensor, needs in zip((signal, window), ctx.needs_input_grad[1:]) if needs]
        is_differentiable = torch.is_grad_enabled()
        with torch.enable_grad():  # what PyTorch cuts and multiplies has derivatives of its own
            pieces = frames.cut(signal)
            pieces = pieces if window is None else pieces * window
            found = iter(torch.autograd.grad(pieces, wanted, cut, create_graph=is_differentiable))
        return (None, *(next(found) if needs else None for needs in ctx.needs_input_grad[1:]))


def spectra(frames: Frames, signal: torch.Tensor, window: torch.Tensor | None) -> torch.Tensor | None:
    """The spectra (batch, frames, frequencies) of a signal (batch, samples) by one plan; None where the caller has to
    cut the frames."""
    if torch.compiler.is_compiling() or not _has_numbers(signal) or is_transformed():
        return None
    real = signal.dtype.to_real() if signal.dtype.is_complex else signal.dtype
    if signal.dtype not in _TYPES or frames.is_halved == signal.dtype.is_complex or 0 in signal.shape:
        return None
    if window is not None and (window.dtype != real or window.device != signal.device or not _has_numbers(window)):
        return None
    # Beyond these PyTorch pads not, and says so.
    most = {"reflect": signal.shape[1] - 1, "circular": signal.shape[1]}.get(frames.pad_mode or "", frames.half)
    if frames.half > most or frames.pad_mode not in _PADDED or frames.count(signal.shape[1]) < 1:
        return None
    if torch.is_autocast_enabled(signal.device.type):
        return None
    if not _is_met((frames, tuple(signal.shape), signal.dtype, signal.get_device(), window is None)):
        return None
    if not is_recorded(signal) and (window is None or not is_recorded(window)):
        return _spectra(frames, signal, window)
    if torch.autograd.forward_ad._current_level >= 0:
        return None
    return _Recorded.apply(frames, signal, window)  # type: ignore[no-any-return, no-untyped-call]
