"""`ShortTimeFFT`: the short-time Fourier transform and its inverse, as an object."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import GenericAlias
from typing import Any

import numpy as np

from .. import fft
from ._dual_windows import canonical_dual
from ._segments import detrended, doubled, each_detrended, overlap_added, spectra
from ._short_time_indices import FFT_MODES, ShortTimeIndices, is_integer
from ._space import Space, space_of
from ._windows import get_window

__all__ = ["ShortTimeFFT"]

_PADDINGS = ("zeros", "edge", "even", "odd")
_PAD_OPTIONS: dict[str, dict[str, Any]] = {
    "edge": {"mode": "edge"},
    "even": {"mode": "reflect", "reflect_type": "even"},
    "odd": {"mode": "reflect", "reflect_type": "odd"},
}


def _window(name: str, win: Any) -> Any:
    """A read-only copy; the caller's array stays writable."""
    if not isinstance(win, np.ndarray):
        raise TypeError(f"{name}: expected an array of numpy, got {type(win).__name__}")
    win = win.copy()
    win.setflags(write=False)
    return win


def _check_window(name: str, win: Any) -> None:
    if not np.all(np.isfinite(win)):
        raise ValueError(f"Parameter {name} must have finite entries!")


class ShortTimeFFT(ShortTimeIndices):
    """A short-time Fourier transform made ready: window, hop, sampling frequency, scaling.

    Signals may be arrays of any library; results are of the same. Windows are NumPy's. Of NumPy's signals the results
    are in double precision, as SciPy's; of others in the signal's.

    Parameters
    ----------
    win : numpy.ndarray (m,)
        The window, real or complex.
    hop : int
        Samples from one slice to the next.
    fs : float
        Samples a second.
    fft_mode : {'onesided', 'onesided2X', 'twosided', 'centered'}, optional
        Which frequencies, and in which order; ``'onesided2X'`` gives those from 0 the power of both signs.
    mfft : int, optional
        Length of a transform, at least m. Default: m.
    dual_win : numpy.ndarray (m,), optional
        The window of the inverse. Default: the canonical dual window.
    scale_to : {'magnitude', 'psd'}, optional
        See `scale_to`.
    phase_shift : int or None, optional
        Samples that the phase's origin is moved from the window's centre; None: the slice's first sample.

    Raises
    ------
    TypeError
        For a window that is no array of NumPy.
    ValueError
        For parameters that do not fit.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import signal
    >>> transform = signal.ShortTimeFFT(signal.get_window("hann", 16), 8, fs=1.0, scale_to="magnitude")
    >>> x = np.cos(2 * np.pi * np.arange(64) / 8)
    >>> Sx = transform.stft(x)
    >>> Sx.shape, round(float(abs(Sx[2, 4])), 6)
    ((9, 9), 0.5)
    >>> bool(np.allclose(transform.istft(Sx, k1=64), x))
    True
    """

    _dual_win: Any = None
    _scaling: str | None = None
    _phase_shift: int | None

    __class_getitem__: Any = classmethod(GenericAlias)

    def __init__(
        self,
        win: Any,
        hop: int,
        fs: float,
        *,
        fft_mode: str = "onesided",
        mfft: int | None = None,
        dual_win: Any = None,
        scale_to: str | None = None,
        phase_shift: int | None = 0,
    ) -> None:
        win = _window("win", win)
        if win.ndim != 1 or win.size == 0:
            raise ValueError(f"Parameter win must be 1d, but win.shape={win.shape}!")
        _check_window("win", win)
        if not (is_integer(hop) and hop >= 1):
            raise ValueError(f"Parameter hop={hop!r} is not an integer >= 1!")
        self._win, self._hop, self._fft_mode = win, hop, "twosided"
        self.fs = fs
        self.mfft = len(win) if mfft is None else mfft
        if dual_win is not None:
            dual_win = _window("dual_win", dual_win)
            if dual_win.shape != win.shape:
                raise ValueError(f"dual_win.shape={dual_win.shape} must equal win.shape={win.shape}!")
            if not np.all(np.isfinite(dual_win)):
                raise ValueError("Parameter dual_win must be a finite array!")
        self._dual_win = dual_win
        if scale_to is not None:
            self.scale_to(scale_to)
        self.fft_mode, self.phase_shift = fft_mode, phase_shift

    @classmethod
    def from_dual(
        cls,
        dual_win: Any,
        hop: int,
        fs: float,
        *,
        fft_mode: str = "onesided",
        mfft: int | None = None,
        scale_to: str | None = None,
        phase_shift: int | None = 0,
    ) -> ShortTimeFFT:
        """The transform whose inverse has that window; its own is the canonical dual of it."""
        win = canonical_dual(dual_win, hop)
        return cls(
            win, hop, fs, fft_mode=fft_mode, mfft=mfft, dual_win=dual_win, scale_to=scale_to, phase_shift=phase_shift
        )

    @classmethod
    def from_window(
        cls,
        win_param: Any,
        fs: float,
        nperseg: int,
        noverlap: int,
        *,
        symmetric_win: bool = False,
        fft_mode: str = "onesided",
        mfft: int | None = None,
        scale_to: str | None = None,
        phase_shift: int | None = 0,
    ) -> ShortTimeFFT:
        """The transform with a window of `get_window`, and with segments as `stft` has them."""
        win = get_window(win_param, nperseg, fftbins=not symmetric_win)
        hop = nperseg - noverlap
        return cls(win, hop, fs, fft_mode=fft_mode, mfft=mfft, scale_to=scale_to, phase_shift=phase_shift)

    @classmethod
    def from_win_equals_dual(
        cls,
        desired_win: Any,
        hop: int,
        fs: float,
        *,
        fft_mode: str = "onesided",
        mfft: int | None = None,
        scale_to: str | None = None,
        phase_shift: int | None = 0,
    ) -> ShortTimeFFT:
        """The transform whose window, the closest to a wanted one, is its own dual window, but for the scale.

        With ``scale_to='unitary'`` slices keep their energy.

        Raises
        ------
        ValueError
            For parameters that do not fit, or where there is no such window.
        """
        desired_win = np.asarray(desired_win)
        if desired_win.ndim != 1 or desired_win.size == 0:
            raise ValueError(f"Parameter desired_win is not 1d, but desired_win.shape={desired_win.shape}!")
        if desired_win.dtype.kind not in "fc":
            raise ValueError(
                f"Parameter desired_win cannot be of integer type, but desired_win.dtype={desired_win.dtype!r} "
                "=> cast to float | complex "
            )
        _check_window("desired_win", desired_win)
        length = len(desired_win)
        if not (is_integer(hop) and 1 <= hop <= length):
            raise ValueError(f"Parameter hop={hop!r} is not an integer between 1 and len(desired_win)={length}!")
        if scale_to not in ("magnitude", "psd", "unitary", None):
            raise ValueError(f"Parameter scale_to={scale_to!r} not in ['magnitude', 'psd', 'unitary', None]!")
        mfft = length if mfft is None else mfft
        win = desired_win.copy()
        least = np.finfo(win.dtype).resolution * abs(win).max()
        for first in range(hop):
            norm = np.linalg.norm(desired_win[first::hop])
            if not norm > least:
                raise ValueError(f"Parameter desired_win does not have valid STFT dual window for hop={hop!r}!")
            win[first::hop] /= norm
        factor = math.sqrt(mfft) if scale_to == "unitary" else 1.0
        is_unitary = scale_to == "unitary"
        result = cls(
            win / factor,
            hop,
            fs,
            fft_mode=fft_mode,
            mfft=mfft,
            dual_win=win * factor,
            scale_to=None if is_unitary else scale_to,
            phase_shift=phase_shift,
        )
        if is_unitary:
            result._scaling = "unitary"
        return result

    # --- what may be set ------------------------------------------------------------------------------------------

    @property
    def fft_mode(self) -> str:
        """Which frequencies: 'onesided', 'onesided2X', 'twosided' or 'centered'."""
        return self._fft_mode

    @fft_mode.setter
    def fft_mode(self, t: str) -> None:
        if t not in FFT_MODES:
            raise ValueError(f"fft_mode='{t}' not in {FFT_MODES}!")
        if t in ("onesided", "onesided2X") and np.iscomplexobj(self._win):
            raise ValueError(f"One-sided spectra, i.e., fft_mode='{t}', are not allowed for complex-valued windows!")
        if t == "onesided2X" and self._scaling is None:
            raise ValueError(
                f"For scaling is None, fft_mode='{t}' is invalid! Do scale_to('psd') or scale_to('magnitude')!"
            )
        self._fft_mode = t

    @property
    def mfft(self) -> int:
        """Length of a transform; behind the window are zeros."""
        return self._mfft

    @mfft.setter
    def mfft(self, n_: int) -> None:
        if not n_ >= self.m_num:
            raise ValueError(f"Attribute mfft={n_} needs to be at least the window length m_num={self.m_num}!")
        self._mfft = n_

    @property
    def phase_shift(self) -> int | None:
        """Samples that the phase's origin is moved from the window's centre."""
        return self._phase_shift

    @phase_shift.setter
    def phase_shift(self, v: int | None) -> None:
        if v is not None and not is_integer(v):
            raise ValueError(f"phase_shift={v} has the unit samples. Hence it needs to be an int or it may be None!")
        if v is not None and not -self._mfft < v < self._mfft:
            raise ValueError(f"-mfft < phase_shift < mfft does not hold for mfft={self._mfft}, phase_shift={v}!")
        self._phase_shift = v

    @property
    def scaling(self) -> str | None:
        """How the window is scaled: 'magnitude', 'psd', 'unitary' or None."""
        return self._scaling

    def scale_to(self, scaling: str) -> None:
        """Scales the window, and the dual one inversely.

        Parameters
        ----------
        scaling : {'magnitude', 'psd'}
            So that a bin's magnitude is that of a sine there, or its square the power per hertz.

        Raises
        ------
        ValueError
            For another word.
        """
        if scaling not in ("magnitude", "psd"):
            raise ValueError(f"scaling={scaling!r} not in ['magnitude', 'psd']!")
        if self._scaling == scaling:
            return
        factor = self.fac_psd if scaling == "psd" else self.fac_magnitude
        self._win = _window("win", self._win * factor)
        if self._dual_win is not None:
            self._dual_win = _window("dual_win", self._dual_win / factor)
        self._scaling = scaling

    @property
    def _wide_win(self) -> Any:
        return self._win.astype(np.result_type(self._win.dtype, np.float64))

    @property
    def fac_magnitude(self) -> float:
        """What a value is multiplied with to be a magnitude."""
        return 1 if self._scaling == "magnitude" else float(1 / abs(self._wide_win.sum()))

    @property
    def fac_psd(self) -> float:
        """What a value is multiplied with so that its square is the power per hertz."""
        win = self._wide_win
        energy = np.sum(win.real**2 + win.imag**2)
        return 1 if self._scaling == "psd" else float(1 / np.sqrt(energy / self.T))

    @property
    def dual_win(self) -> Any:
        """The window of the inverse, a read-only array; ValueError where there is none."""
        if self._dual_win is None:
            self._dual_win = _window("dual_win", canonical_dual(self._win, self._hop))
        return self._dual_win

    @property
    def invertible(self) -> bool:
        """Whether there is an inverse."""
        try:
            return len(self.dual_win) > 0
        except ValueError:
            return False

    # --- the transform --------------------------------------------------------------------------------------------

    def _x_slices(self, x: Any, k_off: int, p0: int, p1: int, padding: str) -> Any:
        """(slices, ..., m_num) of signals (..., n)."""
        if padding not in _PADDINGS:
            raise ValueError(f"Parameter padding={padding!r} not in {_PADDINGS}!")
        space = space_of(x)
        n, count = x.shape[-1], p1 - p0
        first = p0 * self._hop - self.m_num_mid + k_off
        last = first + (count - 1) * self._hop + self.m_num
        inner = x[..., max(first, 0) : min(last, n)]
        widths = -min(first, 0), max(last - n, 0)
        is_plain = padding == "zeros" or widths == (0, 0)
        padded = space.padded(inner, *widths) if is_plain else _padded_like(space, inner, widths, padding)
        return space.moveaxis(space.frames(padded, self.m_num, self._hop, count), -2, 0)

    def stft(
        self,
        x: Any,
        p0: int | None = None,
        p1: int | None = None,
        *,
        k_offset: int = 0,
        padding: str = "zeros",
        axis: int = -1,
    ) -> Any:
        """The short-time Fourier transform.

        Parameters
        ----------
        x : array
            Signals along `axis`.
        p0, p1 : int, optional
            The first slice, and the one behind the last. Default: all.
        k_offset : int, optional
            The sample at time 0.
        padding : {'zeros', 'edge', 'even', 'odd'}, optional
            What lies beyond the signal's ends.
        axis : int, optional
            The axis of time.

        Returns
        -------
        array
            Complex; frequencies along `axis`, slices last.

        Raises
        ------
        ValueError
            For signals, slices or words that do not fit.
        """
        return self.stft_detrend(x, None, p0, p1, k_offset=k_offset, padding=padding, axis=axis)

    def stft_detrend(
        self,
        x: Any,
        detr: Callable[[Any], Any] | str | None,
        p0: int | None = None,
        p1: int | None = None,
        *,
        k_offset: int = 0,
        padding: str = "zeros",
        axis: int = -1,
    ) -> Any:
        """`stft` of slices without their trend.

        Parameters
        ----------
        x : array
            Signals along `axis`.
        detr : {'linear', 'constant'}, callable or None
            What is taken from each slice; a function has a slice of all signals, its samples along the last axis.
        p0, p1, k_offset, padding, axis
            As in `stft`.

        Returns
        -------
        array
            As of `stft`.

        Raises
        ------
        ValueError
            For signals, slices or words that do not fit.
        """
        space = space_of(x)
        x = space.asarray(x)
        if self.onesided_fft and space.is_complex(x):
            raise ValueError(
                f"Complex-valued `x` not allowed for self.fft_mode={self._fft_mode!r}! "
                "Set property `fft_mode` to 'twosided' or 'centered'."
            )
        if not (detr is None or isinstance(detr, str) or callable(detr)):
            raise ValueError(f"Parameter detr={detr!r} is not a str, function or None!")
        n, least = x.shape[axis], self.m_num - self.m_num_mid
        if not n >= least:
            what = f"len(x)={n}" if x.ndim == 1 else f"of axis={axis!r} of {tuple(x.shape)}"
            raise ValueError(f"{what} must be >= ceil(m_num/2) = {least}!")
        ndim = x.ndim
        x = space.floating(space.moveaxis(x, axis, -1))
        p0, p1 = self.p_range(n, p0, p1)
        slices = self._x_slices(x, k_offset, p0, p1, padding)
        if callable(detr):
            slices = space.moveaxis(each_detrended(space, space.moveaxis(slices, 0, -2), detr), -2, 0)
        elif detr is not None:
            slices = detrended(space, slices, detr)
        result = space.moveaxis(self._typed(space, self._windowed(space, slices), np.complex128), 0, -1)
        return space.moveaxis(result, -2, axis if axis >= 0 else axis - 1) if ndim > 1 else result

    def _windowed(self, space: Space, slices: Any) -> Any:
        """The spectra (..., f_pts) of slices, windowed by the transform where it may be: a shift by nothing, or by half
        of a transform, is a matter of signs."""
        win = self._window_for(space, slices, self._win.conj())
        shift = 0 if self._phase_shift is None else (self._phase_shift + self.m_num_mid) % self.m_num
        is_half = 2 * shift == self._mfft
        if self._mfft != self.m_num or not (shift == 0 or is_half) or win.dtype != slices.dtype:
            return self._fft_func(slices * win)
        return self._ordered(space, spectra(space, slices, win, self._mfft, self.onesided_fft, is_alternating=is_half))

    def _window_for(self, space: Space, like: Any, win: Any) -> Any:
        """A window where the signal is. NumPy's signals are computed in the window's precision, as SciPy's."""
        if space.is_numpy:
            return win
        dtype = space.complex_type(like) if np.iscomplexobj(win) else space.real_type(like)
        return space.from_host(win, like, dtype)

    def _typed(self, space: Space, x: Any, dtype: Any) -> Any:
        return space.astype(x, np.result_type(x.dtype, dtype)) if space.is_numpy else x

    def spectrogram(
        self,
        x: Any,
        y: Any = None,
        detr: Callable[[Any], Any] | str | None = None,
        *,
        p0: int | None = None,
        p1: int | None = None,
        k_offset: int = 0,
        padding: str = "zeros",
        axis: int = -1,
    ) -> Any:
        """Squared magnitudes of the transform, or of two signals the cross-spectrogram, Sx conj(Sy).

        Parameters
        ----------
        x : array
            Signals along `axis`.
        y : array, optional
            The second ones.
        detr, p0, p1, k_offset, padding, axis
            As in `stft_detrend`.

        Returns
        -------
        array
            Real, or complex of two signals; frequencies along `axis`, slices last.

        Raises
        ------
        ValueError
            For signals, slices or words that do not fit.
        """
        options: dict[str, Any] = {"k_offset": k_offset, "padding": padding, "axis": axis}
        Sx = self.stft_detrend(x, detr, p0, p1, **options)
        space = space_of(Sx)
        if y is None or y is x:
            return space.power(Sx)
        return Sx * space.conj(self.stft_detrend(y, detr, p0, p1, **options))

    def _fft_func(self, x: Any) -> Any:
        """The spectra of windowed slices, along the last axis."""
        self._check_mode()
        space = space_of(x)
        if self._phase_shift is not None:
            x = space.padded(x, 0, self._mfft - x.shape[-1])
            x = space.xp.roll(x, -((self._phase_shift + self.m_num_mid) % self.m_num), axis=-1)
        return self._ordered(space, (fft.rfft if self.onesided_fft else fft.fft)(x, self._mfft))

    def _ordered(self, space: Space, spectrum: Any) -> Any:
        """A transform's result as `fft_mode` has it."""
        if self._fft_mode == "onesided2X":
            return doubled(space, spectrum, self._mfft, self._double())
        return fft.fftshift(spectrum, -1) if self._fft_mode == "centered" else spectrum

    def _double(self) -> float:
        """Of one-sided spectra that stand for both signs."""
        return math.sqrt(2) if self._scaling == "psd" else 2.0

    def _ifft_func(self, X: Any) -> Any:
        """The inverse of `_fft_func`: (..., m_num)."""
        self._check_mode()
        space = space_of(X)
        if self.onesided_fft:
            X = doubled(space, X, self._mfft, 1 / self._double()) if self._fft_mode == "onesided2X" else X
            x = fft.irfft(X, self._mfft)
        else:
            x = fft.ifft(fft.ifftshift(X, -1) if self._fft_mode == "centered" else X, self._mfft)
        if self._phase_shift is not None:
            x = space.xp.roll(x, (self._phase_shift + self.m_num_mid) % self.m_num, axis=-1)
        return x[..., : self.m_num]

    def istft(self, S: Any, k0: int = 0, k1: int | None = None, *, f_axis: int = -2, t_axis: int = -1) -> Any:
        """The inverse: the signal of short-time spectra, by overlap and add with the dual window.

        Parameters
        ----------
        S : array
            What `stft` gives, from slice `p_min` on.
        k0, k1 : int, optional
            The first sample, and the one behind the last. Default: 0, and all.
        f_axis, t_axis : int, optional
            The axes of frequencies and of slices.

        Returns
        -------
        array
            Real if one-sided; time along `f_axis`.

        Raises
        ------
        ValueError
            For shapes or samples that do not fit, or where there is no inverse.
        """
        space = space_of(S)
        S = space.asarray(S)
        if f_axis == t_axis:
            raise ValueError(f"f_axis={f_axis!r} may not be equal to t_axis={t_axis!r}!")
        if S.shape[f_axis] != self.f_pts:
            raise ValueError(
                f"S.shape[f_axis]={S.shape[f_axis]} must be equal to self.f_pts={self.f_pts} "
                f"(S.shape={tuple(S.shape)})!"
            )
        least = self.m_num - self.m_num_mid
        if not S.shape[t_axis] >= self.p_num(least):
            raise ValueError(
                f"S.shape[t_axis]={S.shape[t_axis]} needs to have at least {self.p_num(least)} slices "
                f"(S.shape={tuple(S.shape)})!"
            )
        f_axis, t_axis = (axis + S.ndim if axis < 0 else axis for axis in (f_axis, t_axis))
        S = space.moveaxis(S, (t_axis, f_axis), (-2, -1))
        p_min, end = self.p_min, S.shape[-2] + self.p_min
        k_max = (end - 1) * self._hop + least
        k1 = k_max if k1 is None else k1
        if not self.k_min <= k0 < k1 <= k_max:
            raise ValueError(f"(self.k_min={self.k_min}) <= (k0={k0}) < (k1={k1}) <= (k_max={k_max}) is false!")
        if not k1 - k0 >= least:
            raise ValueError(
                f"(k1={k1}) - (k0={k0}) = {k1 - k0} has to be at least the half the window length {least}!"
            )
        first = k0 // self._hop + (p_min if k0 >= 0 else 0)
        first, last = max(first, p_min), min(self.p_max(k1), end)
        pieces = self._ifft_func(space.floating(S[..., first - p_min : last - p_min, :]))
        pieces = pieces * self._window_for(space, pieces, self.dual_win)
        x = overlap_added(space, pieces, self._hop)
        begin = first * self._hop - self.m_num_mid
        x = space.padded(x, max(begin - k0, 0), max(k1 - begin - x.shape[-1], 0))
        start = max(k0 - begin, 0)
        x = self._typed(space, x[..., start : start + k1 - k0], np.float64)
        return space.moveaxis(x, -1, f_axis if f_axis < x.ndim else t_axis) if x.ndim > 1 else x


def _padded_like(space: Space, x: Any, widths: tuple[int, int], padding: str) -> Any:
    """Beyond the ends of the last axis, its edges, or its mirror image."""
    if space.is_numpy:
        return np.pad(x, [(0, 0)] * (x.ndim - 1) + [widths], **_PAD_OPTIONS[padding])
    n = x.shape[-1]
    if padding == "odd" and max(widths) > n - 1:
        raise ValueError(f"padding: expected at most {n - 1} samples beyond an end with 'odd', got {max(widths)}")
    options = _PAD_OPTIONS["edge" if padding == "edge" else "even"]
    places_of_samples = np.pad(np.arange(n), widths, **options)
    left, right = places_of_samples[: widths[0]], places_of_samples[widths[0] + n :]
    parts = [space.xp.take(x, space.from_host(places, x), axis=-1) for places in (left, right)]
    if padding == "odd":
        parts = [2 * edge - part for edge, part in zip((x[..., :1], x[..., -1:]), parts)]
    return space.concat([parts[0], x, parts[1]])
