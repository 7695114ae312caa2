"""The fast Hankel transform of logarithmically spaced numbers (FFTLog).

A. J. S. Hamilton, "Uncorrelated modes of the non-linear power spectrum", MNRAS 312 (2000) 257, appendix B: with
L = n dln, the discrete Hankel transform multiplies the Fourier coefficients of the biased sequence by
u_m = (k_c r_c)^(-2 pi i m / L) U(q + 2 pi i m / L), where U(x) = 2^x Gamma((mu + 1 + x) / 2) / Gamma((mu + 1 - x) / 2).
"""

from __future__ import annotations

import math
import warnings
from typing import Any

from .._arrays import adapter_of
from ._arguments import axis_of
from ._one_axis import irfft, rfft

__all__ = ["fht", "fhtoffset", "ifht"]


def _special() -> Any:
    try:
        import scipy.special
    except ImportError:
        raise ImportError("the fast Hankel transform takes scipy.special: expected SciPy to be installed") from None
    return scipy.special


def _spacing(dln: Any) -> float:
    spacing = float(dln)
    if spacing == 0:
        raise ZeroDivisionError("dln: expected another spacing than 0, got 0")
    return spacing


def _coefficients(n: int, dln: float, mu: float, offset: float, bias: float, inverse: bool) -> Any:
    """u_0 ... u_(n/2); where the transform, or its inverse, is singular the first is replaced, with a warning."""
    import numpy as np

    special = _special()
    upper, lower = (mu + 1 + bias) / 2, (mu + 1 - bias) / 2
    angle = np.pi * np.arange(n // 2 + 1) / (n * dln)
    gammas = special.loggamma(upper + 1j * angle) - special.loggamma(lower - 1j * angle)
    with np.errstate(all="ignore"):
        u = np.exp(gammas + bias * math.log(2) + 2j * angle * (math.log(2) - offset))
    if n % 2 == 0:
        u[-1] = u[-1].real
    if not np.isfinite(u[0]):
        # A quotient of gamma functions that are both infinite may be finite.
        u[0] = 2.0**bias * special.poch(lower, upper - lower)
    if not inverse and np.isinf(u[0]):
        warnings.warn("singular transform; consider changing the bias", stacklevel=3)
        u[0] = 0
    elif inverse and u[0] == 0:
        warnings.warn("singular inverse transform; consider changing the bias", stacklevel=3)
        u[0] = np.inf
    return u


def _power_law(adapter: Any, x: Any, n: int, dln: float, bias: float, offset: float) -> Any:
    """exp(bias (ln k - ln k_c + offset)) as an array beside `x`."""
    import numpy as np

    return _beside(adapter, np.exp(bias * ((np.arange(n) - (n - 1) / 2) * dln + offset)), x)


def _beside(adapter: Any, factors: Any, x: Any) -> Any:
    """Factors along the last axis as an array that `x` is multiplied by."""
    import numpy as np

    if not getattr(adapter, "broadcasts", True):
        factors = np.broadcast_to(factors, (*x.shape[:-1], len(factors)))
    return adapter.from_host(factors, x)


def fht(a: Any, dln: float, mu: float, offset: float = 0.0, bias: float = 0.0) -> Any:
    """The fast Hankel transform, along the last axis, of numbers at logarithmically spaced points.

    Parameters
    ----------
    a : array_like (..., n)
        Real.
    dln : float
        Spacing of the points' logarithms.
    mu : float
        Order of the Bessel function, of either sign.
    offset : float, optional
        Logarithm of the product of the central points of input and output; see `fhtoffset`.
    bias : float, optional
        Exponent of a power law that is divided out before and multiplied in afterwards.

    Returns
    -------
    array (..., n)
        Real.

    Raises
    ------
    TypeError
        If `a` is complex.
    ImportError
        Without SciPy, whose gamma function it takes.

    Warns
    -----
    UserWarning
        If the transform is singular.

    Examples
    --------
    >>> import seichefft
    >>> a = seichefft.fft.fht([1.0, 2.0, 3.0, 4.0], dln=0.1, mu=0.5)
    >>> seichefft.fft.ifht(a, dln=0.1, mu=0.5).round(9).tolist()
    [1.0, 2.0, 3.0, 4.0]
    """
    dln, mu, offset, bias = _spacing(dln), float(mu), float(offset), float(bias)
    adapter = adapter_of(a)
    a = adapter.asarray(a)
    n = a.shape[axis_of(-1, len(a.shape))]
    if bias != 0:
        a = a * _power_law(adapter, a, n, dln, -bias, 0.0)
    u = _beside(adapter, _coefficients(n, dln, mu, offset, bias, inverse=False), a)
    spectrum = rfft(a)
    spectrum *= u  # in the precision of the array, as SciPy does
    result = adapter.flipped(irfft(spectrum, n))
    return result * _power_law(adapter, a, n, dln, -bias, offset) if bias != 0 else result


def ifht(A: Any, dln: float, mu: float, offset: float = 0.0, bias: float = 0.0) -> Any:
    """The inverse of `fht`, with the same arguments.

    Parameters
    ----------
    A : array_like (..., n)
        Real.
    dln, mu, offset, bias : float
        As for `fht`.

    Returns
    -------
    array (..., n)
        Real.

    Raises
    ------
    TypeError
        If `A` is complex.
    ImportError
        Without SciPy, whose gamma function it takes.

    Warns
    -----
    UserWarning
        If the inverse is singular.

    Examples
    --------
    >>> import seichefft
    >>> A = seichefft.fft.ifht([1.0, 2.0, 3.0, 4.0], dln=0.1, mu=0.5)
    >>> seichefft.fft.fht(A, dln=0.1, mu=0.5).round(9).tolist()
    [1.0, 2.0, 3.0, 4.0]
    """
    dln, mu, offset, bias = _spacing(dln), float(mu), float(offset), float(bias)
    adapter = adapter_of(A)
    A = adapter.asarray(A)
    n = A.shape[axis_of(-1, len(A.shape))]
    if bias != 0:
        A = A * _power_law(adapter, A, n, dln, bias, offset)
    u = _beside(adapter, _coefficients(n, dln, mu, offset, bias, inverse=True).conj(), A)
    spectrum = rfft(A)
    spectrum /= u
    result = adapter.flipped(irfft(spectrum, n))
    return result * _power_law(adapter, A, n, dln, bias, 0.0) if bias != 0 else result


def fhtoffset(dln: float, mu: float, initial: float = 0.0, bias: float = 0.0) -> float:
    """The offset nearest to `initial` for which `fht` rings least (Hamilton's low-ringing condition).

    Parameters
    ----------
    dln, mu, bias : float
        As for `fht`.
    initial : float, optional
        Where to look.

    Returns
    -------
    float
        For which u of half the sampling frequency is real.

    Raises
    ------
    ImportError
        Without SciPy, whose gamma function it takes.

    Examples
    --------
    >>> import seichefft
    >>> round(seichefft.fft.fhtoffset(dln=0.1, mu=2.0, initial=0.5), 6)
    0.545458
    """
    loggamma = _special().loggamma
    angle = math.pi / (2 * _spacing(dln))
    phase = (loggamma((mu + 1 + bias) / 2 + 1j * angle) + loggamma((mu + 1 - bias) / 2 + 1j * angle)).imag
    turns = (math.log(2) - initial) / dln + phase / math.pi
    return float(initial + (turns - round(turns)) * dln)
