"""Dual windows: what overlap and add needs so that a signal comes back from its short-time spectra."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._short_time_indices import is_integer

__all__ = ["closest_STFT_dual_window"]


def hop_sums(x: Any, hop: int) -> Any:
    """At each sample, the sum of `x` over all shifts by multiples of `hop`."""
    length = len(x)
    padded = np.zeros(-(-length // hop) * hop, x.dtype)
    padded[:length] = x
    sums = padded.reshape(-1, hop).sum(axis=0)
    return np.resize(sums, length)


def canonical_dual(win: Any, hop: int) -> Any:
    """The dual window of the least energy; raises ValueError where there is none."""
    if hop > len(win):
        raise ValueError(f"hop={hop!r} is larger than window length of {len(win)} => STFT not invertible!")
    if win.dtype.kind not in "fc":
        raise ValueError(
            f"Parameter 'win' cannot be of integer type, but win.dtype={win.dtype!r} => STFT not invertible!"
        )
    energies = hop_sums(win.real**2 + win.imag**2, hop)
    if not np.all(energies >= np.finfo(win.dtype).resolution * energies.max()):
        raise ValueError("Short-time Fourier Transform not invertible!")
    return win / energies


def closest_STFT_dual_window(
    win: Any, hop: int, desired_dual: Any = None, *, scaled: bool = True
) -> tuple[Any, float | complex]:
    """The dual window that is closest to a wanted one.

    Parameters
    ----------
    win : numpy.ndarray (m,)
        Real or complex.
    hop : int
        Samples from one slice to the next, 1 to m.
    desired_dual : numpy.ndarray (m,), optional
        Default: ones.
    scaled : bool, optional
        Whether it may be scaled to come closer.

    Returns
    -------
    dual_win : numpy.ndarray (m,)
        A dual window of ``alpha * win``.
    alpha : float or complex
        1 where not scaled.

    Raises
    ------
    ValueError
        For windows or hops that do not fit, or where there is no dual window.

    Examples
    --------
    >>> from seichefft import signal
    >>> dual, alpha = signal.closest_STFT_dual_window(signal.get_window("hann", 8), 4)
    >>> dual.round(9).tolist() == [round(alpha, 9)] * 8
    True
    """
    win = np.asarray(win)
    desired_dual = np.ones_like(win) if desired_dual is None else np.asarray(desired_dual)
    if win.ndim != 1 or win.shape != desired_dual.shape:
        raise ValueError(
            "Parameters `win` and `desired_dual` are not 1d arrays of equal length "
            f"(win.shape={win.shape}, desired_dual.shape={desired_dual.shape})!"
        )
    for name, window in (("win", win), ("desired_dual", desired_dual)):
        if not np.all(np.isfinite(window)):
            raise ValueError(f"Parameter {name} must have finite entries!")
    if not (is_integer(hop) and 1 <= hop <= len(win)):
        raise ValueError(f"Parameter hop={hop!r} is not an integer between 1 and len(win)={len(win)}!")
    canonical = canonical_dual(win, hop)
    # What of the wanted window the conditions of a dual one see; the rest of it is free.
    seen = canonical * hop_sums(win.conj() * desired_dual, hop)
    if not scaled:
        return canonical + desired_dual - seen, 1.0
    numerator, denominator = np.vdot(seen, canonical), np.vdot(seen, seen).real
    if not (abs(numerator) > 0 and denominator > np.finfo(canonical.dtype).resolution):
        raise ValueError(
            "Unable to calculate scaled closest dual window due to numerically unstable scaling factor! "
            "Try setting parameter `scaled` to False."
        )
    alpha = numerator / denominator
    return canonical + alpha * (desired_dual - seen), alpha
