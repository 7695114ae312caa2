"""Which samples and slices a short-time transform touches: the index arithmetic of `ShortTimeFFT`.

Slice p of a window of m samples begins at sample p hop - m // 2. Slices that meet nothing but zeros of the window are
left out, as SciPy leaves them out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import fft

FFT_MODES = ("twosided", "centered", "onesided", "onesided2X")


def is_integer(x: Any) -> bool:
    return isinstance(x, (int, np.integer)) and not isinstance(x, bool)


class ShortTimeIndices:
    """Sizes, times and frequencies; see `ShortTimeFFT`."""

    _win: Any
    _hop: int
    _fs: float
    _fft_mode: str
    _mfft: int

    @property
    def win(self) -> Any:
        """The window, a read-only array."""
        return self._win

    @property
    def hop(self) -> int:
        """Samples from one slice to the next."""
        return self._hop

    @property
    def T(self) -> float:
        """Seconds between samples, ``1 / fs``."""
        return 1 / self._fs

    @T.setter
    def T(self, v: float) -> None:
        if not v > 0:
            raise ValueError(f"Sampling interval T={v} must be positive!")
        self._fs = 1 / v

    @property
    def fs(self) -> float:
        """Samples a second."""
        return self._fs

    @fs.setter
    def fs(self, v: float) -> None:
        if not v > 0:
            raise ValueError(f"Sampling frequency fs={v} must be positive!")
        self._fs = v

    @property
    def m_num(self) -> int:
        """Samples of the window."""
        return len(self._win)

    @property
    def m_num_mid(self) -> int:
        """The window's centre, ``m_num // 2``."""
        return self.m_num // 2

    @property
    def onesided_fft(self) -> bool:
        """Whether frequencies from 0 alone are computed."""
        return self._fft_mode in ("onesided", "onesided2X")

    @property
    def f_pts(self) -> int:
        """How many frequencies there are."""
        return self._mfft // 2 + 1 if self.onesided_fft else self._mfft

    @property
    def delta_f(self) -> float:
        """Hertz from one frequency to the next."""
        return 1 / (self._mfft * self.T)

    @property
    def delta_t(self) -> float:
        """Seconds from one slice to the next."""
        return self.T * self._hop

    @property
    def f(self) -> Any:
        """The frequencies, float64."""
        if self.onesided_fft:
            return fft.rfftfreq(self._mfft, self.T)
        frequencies = fft.fftfreq(self._mfft, self.T)
        self._check_mode()
        return fft.fftshift(frequencies) if self._fft_mode == "centered" else frequencies

    def _check_mode(self) -> None:
        if self._fft_mode not in FFT_MODES:
            raise RuntimeError(f"fft_mode: expected one of {FFT_MODES}, got {self._fft_mode!r}")

    def _check_hop(self) -> None:
        if self._hop < 1:
            raise RuntimeError(f"hop: expected at least 1, got {self._hop}")

    def _check_length(self, n: int) -> None:
        least = self.m_num - self.m_num_mid
        if not n >= least:
            raise ValueError(f"Parameter n must be >= ceil(m_num/2) = {least}!")

    def _is_zero(self, start: int | None, stop: int | None) -> bool:
        return not np.any(self._win[start:stop])

    def _first_slice(self) -> tuple[int, int]:
        """(sample, slice) of the first one."""
        self._check_hop()
        begin, slices = -self.m_num_mid, 0
        while True:
            before = begin - self._hop
            if before + self.m_num <= 0 or self._is_zero(before, None):
                return begin, -slices
            begin, slices = before, slices + 1

    def _post_padding(self, n: int) -> tuple[int, int]:
        """(sample, slice) behind the last one of a signal of `n` samples."""
        self._check_length(n)
        self._check_hop()
        index = n // self._hop
        begin = index * self._hop - self.m_num_mid
        while True:
            after = begin + self._hop
            if after >= n or self._is_zero(None, n - after):
                return begin + self.m_num, index + 1
            begin, index = after, index + 1

    @property
    def k_min(self) -> int:
        """The first sample that a slice touches, at most 0."""
        return self._first_slice()[0]

    @property
    def p_min(self) -> int:
        """The first slice, at most 0."""
        return self._first_slice()[1]

    def k_max(self, n: int) -> int:
        """The sample behind the last one that a slice of a signal of `n` samples touches."""
        return self._post_padding(n)[0]

    def p_max(self, n: int) -> int:
        """The slice behind the last one of a signal of `n` samples."""
        return self._post_padding(n)[1]

    def p_num(self, n: int) -> int:
        """How many slices a signal of `n` samples has."""
        return self.p_max(n) - self.p_min

    @property
    def lower_border_end(self) -> tuple[int, int]:
        """(sample, slice) from which on nothing before the signal is touched."""
        self._check_hop()
        begin = int(np.flatnonzero(self._win)[0]) - self.m_num_mid
        if begin > self._hop:
            return 0, max(self.p_min, 0)
        index = max(-(begin // self._hop) - 1, 0)
        return begin + index * self._hop + self.m_num, index + 1

    def upper_border_begin(self, n: int) -> tuple[int, int]:
        """(sample, slice) from which on something behind a signal of `n` samples is touched."""
        self._check_length(n)
        self._check_hop()
        for index in range(n // self._hop + 1, max((n - self.m_num) // self._hop - 1, -1), -1):
            end = index * self._hop + self.m_num - self.m_num_mid
            if end <= n or self._is_zero(n - end, None):
                return (index + 1) * self._hop - self.m_num_mid, index + 1
        return -self.m_num_mid, 0

    def p_range(self, n: int, p0: int | None = None, p1: int | None = None) -> tuple[int, int]:
        """Slices of a signal of `n` samples, checked; None: as many as there are.

        Raises
        ------
        ValueError
            Unless ``p_min <= p0 < p1 <= p_max(n)``.
        """
        first, last = self.p_min, self.p_max(n)
        begin, end = first if p0 is None else p0, last if p1 is None else p1
        if not first <= begin < end <= last:
            raise ValueError(
                f"Invalid Parameter p0={p0!r}, p1={p1!r}, i.e., self.p_min={first} <= p0 < p1 <= p_max={last} "
                f"does not hold for signal length n={n}!"
            )
        return begin, end

    def t(self, n: int, p0: int | None = None, p1: int | None = None, k_offset: int = 0) -> Any:
        """Times of the slices of a signal of `n` samples, in seconds, float64.

        Parameters
        ----------
        n : int
            Samples.
        p0, p1 : int, optional
            The first slice, and the one behind the last.
        k_offset : int, optional
            The sample at time 0.

        Raises
        ------
        ValueError
            For a length or slices that do not fit.
        """
        if not (is_integer(n) and n > 0):
            raise ValueError(f"Parameter n={n!r} is not a positive integer!")
        begin, end = self.p_range(n, p0, p1)
        return np.arange(begin, end) * self.delta_t + k_offset * self.T

    def nearest_k_p(self, k: int, left: bool = True) -> int:
        """The nearest sample, not above `k` or not below, at which a slice is centred."""
        return k // self._hop * self._hop if left else -(-k // self._hop) * self._hop

    def extent(self, n: int, axes_seq: str = "tf", center_bins: bool = False) -> tuple[float, float, float, float]:
        """Bounds of time and frequency, for ``matplotlib.pyplot.imshow``.

        Parameters
        ----------
        n : int
            Samples of the signal.
        axes_seq : {'tf', 'ft'}, optional
            Time first, or frequency.
        center_bins : bool, optional
            Whether values lie in the middle of their bins.

        Raises
        ------
        ValueError
            For another word, or for frequencies in the order of a two-sided transform.
        """
        if axes_seq not in ("tf", "ft"):
            raise ValueError(f"Parameter axes_seq={axes_seq!r} not in ['tf', 'ft']!")
        if self.onesided_fft:
            low, high = 0, self.f_pts
        elif self._fft_mode == "centered":
            low, high = -(self._mfft // 2), (self._mfft + 1) // 2
        else:
            raise ValueError(f"Attribute fft_mode={self._fft_mode} must be in ['centered', 'onesided', 'onesided2X']")
        shift = 0.5 if center_bins else 0
        t0, t1 = self.delta_t * (self.p_min - shift), self.delta_t * (self.p_max(n) - shift)
        f0, f1 = self.delta_f * (low - shift), self.delta_f * (high - shift)
        return (t0, t1, f0, f1) if axes_seq == "tf" else (f0, f1, t0, t1)
