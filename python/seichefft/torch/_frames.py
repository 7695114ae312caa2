"""`torch.stft` and `torch.istft`: frames of a signal, their spectra, and the signal again."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional

from ._fused_frames import Frames
from ._fused_frames import spectra as fused_spectra
from ._one_axis import fft, ifft, irfft, rfft


def _window(window: Any, win_length: int, n_fft: int, like: torch.Tensor) -> torch.Tensor | None:
    """The window in the middle of n_fft values, zeros around it."""
    if window is None and win_length == n_fft:
        return None
    if window is None:
        dtype = like.dtype.to_real() if like.dtype.is_complex else like.dtype
        window = torch.ones(win_length, dtype=dtype, device=like.device)
    if window.dim() != 1 or window.shape[0] != win_length:
        raise ValueError(f"window: expected {win_length} values, got shape {tuple(window.shape)}")
    if win_length == n_fft:
        return window  # type: ignore[no-any-return]
    left = (n_fft - win_length) // 2
    padded: torch.Tensor = functional.pad(window, (left, n_fft - win_length - left))
    return padded


def _sizes(n_fft: int, hop_length: int | None, win_length: int | None) -> tuple[int, int]:
    hop = n_fft // 4 if hop_length is None else hop_length
    width = n_fft if win_length is None else win_length
    if n_fft < 1:
        raise ValueError(f"n_fft: expected at least 1, got {n_fft}")
    if hop < 1:
        raise ValueError(f"hop_length: expected at least 1, got {hop}")
    if not 1 <= width <= n_fft:
        raise ValueError(f"win_length: expected 1 to n_fft = {n_fft}, got {width}")
    return hop, width


def stft(
    input: torch.Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: torch.Tensor | None = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
    align_to_window: bool | None = None,
) -> torch.Tensor:
    """The short-time Fourier transform, as `torch.stft`.

    Parameters
    ----------
    input : Tensor (samples,) or (batch, samples)
        Real or complex.
    n_fft : int
        Length of a frame.
    hop_length : int, optional
        From one frame to the next. Default: n_fft // 4.
    win_length : int, optional
        Length of the window, in the middle of the frame. Default: n_fft.
    window : Tensor (win_length,), optional
        What each frame is multiplied by. Default: ones.
    center : bool, optional
        Frame t is around sample t * hop_length: n_fft // 2 samples are added at both ends.
    pad_mode : {'reflect', 'constant', 'replicate', 'circular'}, optional
        How they are added.
    normalized : bool, optional
        Scale by 1/sqrt(n_fft).
    onesided : bool, optional
        Frequencies 0 to n_fft // 2 alone. Default: where input and window are real.
    return_complex : bool, optional
        False: real and imaginary parts along a last axis. Has to be given for a real input.
    align_to_window : bool, optional
        None or False alone.

    Returns
    -------
    Tensor (batch, frequencies, frames)

    Raises
    ------
    ValueError
        If a length makes no sense, or the signal is shorter than a frame.
    NotImplementedError
        If `align_to_window` is True.

    Examples
    --------
    >>> import seichefft.torch, torch
    >>> seichefft.torch.stft(torch.ones(64), 16, return_complex=True).shape
    torch.Size([9, 17])
    """
    if align_to_window:
        raise NotImplementedError("align_to_window: expected None or False, got True")
    hop, width = _sizes(n_fft, hop_length, win_length)
    if input.dim() not in (1, 2):
        raise ValueError(f"input: expected shape (samples,) or (batch, samples), got {tuple(input.shape)}")
    is_complex = input.dtype.is_complex or (window is not None and window.dtype.is_complex)
    if return_complex is None and not is_complex:
        raise ValueError("return_complex: expected True or False for a real input, got None")
    if onesided and is_complex:
        raise ValueError("onesided: expected False or None for a complex input or window, got True")
    padded_window = _window(window, width, n_fft, input)
    signal = input if input.dim() == 2 else input.unsqueeze(0)
    half = n_fft // 2 if center else 0
    if signal.shape[-1] + 2 * half < n_fft:
        samples = signal.shape[-1] + 2 * half
        raise ValueError(f"n_fft: expected at most the {samples} samples of the signal, got {n_fft}")
    is_halved = not is_complex if onesided is None else onesided
    norm = "ortho" if normalized else "backward"
    how = Frames(n_fft, hop, half, pad_mode if center else None, is_halved, norm)
    spectra = fused_spectra(how, signal, padded_window)
    if spectra is None:
        frames = how.cut(signal)
        frames = frames if padded_window is None else frames * padded_window
        spectra = rfft(frames, norm=norm) if is_halved else fft(frames, norm=norm)
    spectra = spectra.transpose(-1, -2)
    result: torch.Tensor = spectra if input.dim() == 2 else spectra.squeeze(0)
    return torch.view_as_real(result) if return_complex is False else result


def istft(
    input: torch.Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: torch.Tensor | None = None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool | None = None,
    length: int | None = None,
    return_complex: bool = False,
) -> torch.Tensor:
    """The signal of a short-time Fourier transform, as `torch.istft`: the least-squares inverse of `stft`.

    Parameters
    ----------
    input : Tensor (frequencies, frames) or (batch, frequencies, frames)
        Complex.
    n_fft, hop_length, win_length, window, center, normalized, onesided
        As they were given to `stft`.
    length : int, optional
        Samples of the result. Default: all that the frames determine.
    return_complex : bool, optional
        The signal is complex, and the input has all n_fft frequencies.

    Returns
    -------
    Tensor (batch, samples)

    Raises
    ------
    ValueError
        If a length makes no sense.
    RuntimeError
        If the windows leave a sample out.

    Examples
    --------
    >>> import seichefft.torch, torch
    >>> spectra = seichefft.torch.stft(torch.ones(64), 16, return_complex=True)
    >>> seichefft.torch.istft(spectra, 16).shape
    torch.Size([64])
    """
    hop, width = _sizes(n_fft, hop_length, win_length)
    if not input.dtype.is_complex or input.dim() not in (2, 3):
        raise ValueError(
            f"input: expected complex spectra of shape (frequencies, frames) or (batch, frequencies, frames), "
            f"got {input.dtype} of shape {tuple(input.shape)}"
        )
    is_halved = input.shape[-2] != n_fft if onesided is None else onesided
    expected = n_fft // 2 + 1 if is_halved else n_fft
    if input.shape[-2] != expected:
        raise ValueError(f"input: expected {expected} frequencies, got {input.shape[-2]}")
    if return_complex and is_halved:
        raise ValueError("return_complex: expected False where the input has half of the frequencies, got True")
    real = input.dtype.to_real()
    padded = _window(window, width, n_fft, input)
    if padded is None:
        padded = torch.ones(n_fft, dtype=real, device=input.device)
    spectra = (input if input.dim() == 3 else input.unsqueeze(0)).transpose(-1, -2)
    norm = "ortho" if normalized else None
    if not is_halved and not return_complex:
        spectra = spectra[..., : n_fft // 2 + 1]
    frames = ifft(spectra, norm=norm) if return_complex else irfft(spectra, n=n_fft, norm=norm)
    frames = frames * padded
    count = n_fft + hop * (frames.shape[-2] - 1)
    summed = _overlapped(frames, count, n_fft, hop)
    squares = (padded * padded.conj()).real.expand(1, frames.shape[-2], n_fft)
    envelope = _overlapped(squares, count, n_fft, hop)
    start = n_fft // 2 if center else 0
    end = start + length if length is not None else count - (n_fft // 2 if center else 0)
    summed, envelope = summed[..., start:end], envelope[..., start:end]
    if not torch.compiler.is_compiling() and not _is_captured(input) and bool((envelope.abs() < 1e-11).any()):
        raise RuntimeError("window: expected windows that overlap over all samples, got some that none reaches")
    signal = summed / envelope
    if length is not None and signal.shape[-1] < length:
        signal = functional.pad(signal, (0, length - signal.shape[-1]))
    return signal if input.dim() == 3 else signal.squeeze(0)


def _is_captured(x: torch.Tensor) -> bool:
    """Whether a CUDA graph is being made, in which nothing can be looked at."""
    return bool(x.is_cuda and torch.cuda.is_current_stream_capturing())


def _overlapped(frames: torch.Tensor, count: int, n_fft: int, hop: int) -> torch.Tensor:
    """The sum of the frames, each `hop` after the one before."""
    columns = frames.transpose(-1, -2)
    summed = functional.fold(columns, output_size=(1, count), kernel_size=(1, n_fft), stride=(1, hop))
    return summed[:, 0, 0]
