"""Operators of arrays by their spectra: equations on a box, filters, shifts and derivatives of periodic arrays.

Each is one plan, `seichefft.SpectralPlan`: transform, the operator's factor of each bin and the transform back are
fused, so that the last axis makes one trip through memory. Arrays of any library that the package knows are taken where
they are, in single or double precision (integers as doubles), real or complex; the result is of that precision, and
what is real stays real. Its relative error (L2) is a few units in the last place times sqrt(log2 n), as a transform's.

Spectra are as `numpy.fft` has them. At the frequency n/2 of an even length, which has no sign, a factor is the mean of
those of both signs. Trefethen, Spectral Methods in MATLAB (2000), has the methods.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from . import _checks
from ._boundaries import inverted_laplace
from ._correlations import matched_filter, phase_correlation, range_doppler, real_cepstrum, wiener
from ._frames import istft, mel_filters, mel_spectrogram, polyphase, stft
from ._operand import Operand, dense, on_device
from ._plane_waves import plane_wave_potential
from ._repeats import Repeat

__all__ = [
    "fourier_shift",
    "gaussian_filter",
    "helmholtz",
    "hilbert",
    "influence",
    "istft",
    "matched_filter",
    "mel_filters",
    "mel_spectrogram",
    "phase_correlation",
    "plane_wave_potential",
    "poisson",
    "polyphase",
    "range_doppler",
    "real_cepstrum",
    "spectral_derivative",
    "stft",
    "transfer",
    "wiener",
]


def _signless(lengths: Sequence[int], axis: int) -> str:
    """The condition that a bin is at n/2 of an even length, and a word of the language if none is."""
    return f"2 * i{axis} == n{axis}" if lengths[axis] % 2 == 0 else ""


def poisson(
    f: Any,
    lengths: Any = 1.0,
    axes: int | Sequence[int] | None = None,
    boundary: str | Sequence[str] = "periodic",
    grid: str = "cell",
    laplacian: str = "spectral",
) -> Any:
    """The solution of Poisson's equation on a box, -laplace(u) = f, of what boundary conditions along each axis.

    Parameters
    ----------
    f : array_like
        The right-hand side on a regular grid. Where all axes are periodic or Neumann's, its mean, which no `u` has, is
        left out, and the mean of `u` is 0. (On a grid of nodes Neumann's mean is the trapezoidal rule's.)
    lengths : float or sequence of float, optional
        Of the box along each axis, from boundary to boundary; of a periodic axis the period. Default: 1.
    axes : int or sequence of int, optional
        The axes of space; others are a batch. Default: all.
    boundary : str or sequence of str, optional
        For all axes or each one: ``'periodic'``; ``'dirichlet'``, u = 0 at both ends; ``'neumann'``, du/dx = 0 at both
        ends; ``'dirichlet-neumann'`` or ``'neumann-dirichlet'``, one at the first and the other at the last. With other
        than periodic ones `f` is real.
    grid : {'cell', 'node'}, optional
        Where the n points of an axis that is not periodic are. ``'cell'``: in the middle of n cells, half a step from
        the boundaries. ``'node'``: a boundary is a node; Neumann's is one of the points, Dirichlet's, where u is 0, is
        not, and is a step from the first or the last point.
    laplacian : {'spectral', 'difference'}, optional
        ``'spectral'``: the eigenvalues are those of the differential operator, q^2, which is as exact as the expansion
        of `f` in its eigenfunctions. ``'difference'``: those of the second difference over one step h,
        (2 sin(q h / 2) / h)^2, so that the difference equation is solved.

    Returns
    -------
    array
        `u`, of the shape of `f`, in units of `f` times those of `lengths` squared.

    Raises
    ------
    ValueError
        For a length that is not above 0, words that are none of these, a complex `f` with a boundary, or axes that are
        not there.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import spectral
    >>> x = np.arange(9) / 9
    >>> u = spectral.poisson(np.sin(2 * np.pi * x))
    >>> bool(np.allclose(u * (2 * np.pi) ** 2, np.sin(2 * np.pi * x)))
    True
    >>> x = np.arange(1, 8) / 8  # u is 0 at 0 and at 1
    >>> u = spectral.poisson(np.sin(np.pi * x), boundary="dirichlet", grid="node")
    >>> bool(np.allclose(u * np.pi**2, np.sin(np.pi * x)))
    True
    """
    repeat = Repeat("poisson", (f,), lengths, axes, boundary, grid, laplacian)
    result = repeat.again()
    if result is not None:
        return result
    return inverted_laplace(Operand(f, axes, "f", repeat), 0.0, lengths, boundary, grid, laplacian)


def helmholtz(
    f: Any,
    shift: float,
    lengths: Any = 1.0,
    axes: int | Sequence[int] | None = None,
    boundary: str | Sequence[str] = "periodic",
    grid: str = "cell",
    laplacian: str = "spectral",
) -> Any:
    """The solution of (shift - laplace) u = f on a box: of a screened Poisson equation, a diffusion step, or waves.

    Parameters
    ----------
    f : array_like
        The right-hand side on a regular grid.
    shift : float
        In units of 1/length^2; above 0 the solution is unique. Below 0, -k^2 for waves of wave number k, bins whose
        factor shift + |q|^2 is 0 are 0 in `u`, and close to 0 the solution is large, as the equation has it.
    lengths, axes, boundary, grid, laplacian
        As for `poisson`.

    Returns
    -------
    array
        `u`, of the shape of `f`.

    Raises
    ------
    ValueError
        For numbers that are not finite, a length that is not above 0, words that are none of `poisson`'s, or axes that
        are not there.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import spectral
    >>> spectral.helmholtz(np.full(4, 3.0), 2.0).tolist()
    [1.5, 1.5, 1.5, 1.5]
    """
    repeat = Repeat("helmholtz", (f,), shift, lengths, axes, boundary, grid, laplacian)
    result = repeat.again()
    if result is not None:
        return result
    number = _checks.number("shift", shift)
    if not math.isfinite(number):
        raise ValueError(f"shift: expected a finite number, got {number}")
    return inverted_laplace(Operand(f, axes, "f", repeat), number, lengths, boundary, grid, laplacian)


def _kept_if_short(make: Callable[[int, float], Any]) -> Callable[[int, float], Any]:
    """Factors of an axis are kept for the next call, where they take little memory."""
    longest = 1 << 14
    short = lru_cache(maxsize=16)(make)
    return lambda n, number: (short if n <= longest else make)(n, number)


def _waves(n: int) -> Any:
    return np.fft.fftfreq(n) * n


@_kept_if_short
def _gaussian(n: int, sigma: float) -> Any:
    with np.errstate(under="ignore"):
        return np.exp(-2 * (math.pi * sigma / n * _waves(n)) ** 2)


@_kept_if_short
def _turns(n: int, shift: float) -> tuple[Any, Any]:
    """exp(-2 pi i shift k / n), at n/2 the mean of both signs."""
    whole = round(shift)
    # Whole points turn by exact fractions of n, however many they are.
    angle = np.arange(n) * (whole % n) % n * (2 * math.pi / n) + 2 * math.pi * (shift - whole) / n * _waves(n)
    real, odd = np.cos(angle), -np.sin(angle)
    if n % 2 == 0:
        real[n // 2], odd[n // 2] = math.cos(math.pi * (shift - whole)) * (-1) ** (whole % 2), 0
    return real, odd


def gaussian_filter(x: Any, sigma: Any, axes: int | Sequence[int] | None = None) -> Any:
    """Smoothed by a Gaussian, with the array's ends joined: periodic, and without truncation.

    The factor is exp(-2 (pi sigma k / n)^2) along each axis, as `scipy.ndimage.fourier_gaussian` has it.

    Parameters
    ----------
    x : array_like
        Real or complex.
    sigma : float or sequence of float
        The standard deviation, in points; 0 along an axis leaves that as it is.
    axes : int or sequence of int, optional
        Along these. Default: all.

    Returns
    -------
    array
        Of the shape of `x`.

    Raises
    ------
    ValueError
        For a negative `sigma`, or axes that are not there.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import spectral
    >>> spectral.gaussian_filter([0.0, 0.0, 1.0, 0.0, 0.0, 0.0], 1.0).round(3).tolist()
    [0.053, 0.243, 0.398, 0.243, 0.053, 0.01]
    """
    repeat = Repeat("gaussian_filter", (x,), sigma, axes)
    result = repeat.again()
    if result is not None:
        return result
    operand = Operand(x, axes, "x", repeat)
    deviations = operand.per_axis("sigma", sigma)
    if any(one < 0 for one in deviations):
        raise ValueError(f"sigma: expected numbers of 0 or more, got {sigma}")
    if operand.is_on_processor():
        return operand.multiplied([(_gaussian(n, one), None) for n, one in zip(operand.lengths, deviations)])
    arguments = {
        f"step{i}": math.sqrt(2) * math.pi * one / n for i, (one, n) in enumerate(zip(deviations, operand.lengths))
    }
    waves = "".join(f"let q{i} = step{i} * k{i}; " for i in range(len(deviations)))
    squares = " + ".join(f"q{i} * q{i}" for i in range(len(deviations)))
    return operand.applied(f"{waves}return value * exp(-({squares}));", arguments)


def fourier_shift(x: Any, shift: Any, axes: int | Sequence[int] | None = None) -> Any:
    """Moved along its axes by any number of points, with the ends joined: y(t) = x(t - shift), by interpolation.

    Whole shifts are those of `numpy.roll`; the others those of `scipy.ndimage.fourier_shift`, but for the frequency n/2
    of an even length, whose factor here is cos(pi shift).

    Parameters
    ----------
    x : array_like
        Real or complex.
    shift : float or sequence of float
        In points, positive towards the end.
    axes : int or sequence of int, optional
        Along these. Default: all.

    Returns
    -------
    array
        Of the shape of `x`.

    Raises
    ------
    ValueError
        For a shift that is not finite, or axes that are not there.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import spectral
    >>> t = 2 * np.pi * np.arange(8) / 8
    >>> bool(np.allclose(spectral.fourier_shift(np.sin(t), 0.5), np.sin(t - np.pi / 8)))
    True
    """
    repeat = Repeat("fourier_shift", (x,), shift, axes)
    result = repeat.again()
    if result is not None:
        return result
    operand = Operand(x, axes, "x", repeat)
    shifts = operand.per_axis("shift", shift)
    if operand.is_on_processor():
        return operand.multiplied([_turns(n, one) for n, one in zip(operand.lengths, shifts)])
    arguments: dict[str, Any] = {}
    text, turns, factors = "", [], []
    for i, (one, n) in enumerate(zip(shifts, operand.lengths)):
        # Whole points turn by exact fractions of n, however many they are.
        whole = round(one)
        arguments[f"whole{i}"] = whole % n
        arguments[f"part{i}"] = 2 * (one - whole) / n
        text += f"let turn{i} = 2 * mod(i{i} * whole{i}, n{i}) / n{i} + part{i} * k{i}; "
        signless = _signless(operand.lengths, i)
        turns.append(f"({signless} ? 0.0 : turn{i})" if signless else f"turn{i}")
        if signless:
            factors.append(f"({signless} ? cospi(turn{i}) : 1.0)")
    text += f"let turn = {' + '.join(turns)}; return value * complex(cospi(turn), -sinpi(turn))"
    return operand.applied(f"{text} * {' * '.join(factors)};" if factors else f"{text};", arguments)


def _quarter_turns(order: float) -> tuple[float, float]:
    """i^order, exactly where that is."""
    if order == round(order):
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[round(order) % 4]
    return math.cos(math.pi / 2 * math.fmod(order, 4)), math.sin(math.pi / 2 * math.fmod(order, 4))


def spectral_derivative(x: Any, axis: int = -1, order: float = 1.0, length: float = 1.0) -> Any:
    """A derivative of a periodic array along an axis, of any real order.

    The factor is (i q)^order with q = 2 pi k / length, on the branch that is real for real arrays (Weyl's derivative).

    Parameters
    ----------
    x : array_like
        Samples of one period, real or complex.
    axis : int, optional
        Along this one.
    order : float, optional
        1 is the first derivative, 0.5 a half one. Below 0 integrals, whose mean is 0, as that of `x` is taken to be.
    length : float, optional
        The period: points times their spacing.

    Returns
    -------
    array
        Of the shape of `x`, in units of `x` over those of `length` to that order.

    Raises
    ------
    ValueError
        For numbers that are not finite, a length that is not above 0, or an axis that is not there.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import spectral
    >>> t = 2 * np.pi * np.arange(9) / 9
    >>> bool(np.allclose(spectral.spectral_derivative(np.sin(t), length=2 * np.pi), np.cos(t)))
    True
    """
    repeat = Repeat("spectral_derivative", (x,), axis, order, length)
    result = repeat.again()
    if result is not None:
        return result
    operand = Operand(x, _checks.integer("axis", axis, -(2**31), 2**31 - 1), "x", repeat)
    (order,) = operand.per_axis("order", _checks.number("order", order))
    (length,) = operand.per_axis("length", _checks.number("length", length))
    if length <= 0:
        raise ValueError(f"length: expected a number above 0, got {length}")
    real, imaginary = _quarter_turns(order)
    arguments: dict[str, Any] = {"step": 2 * math.pi / length, "even": real, "odd": imaginary}
    if order == round(order) and 0 < abs(order) <= 8:
        power = " * ".join(["q"] * abs(round(order)))
        power = power if order > 0 else f"1 / ({power})"
    else:
        power = "pow(q, order)"
        arguments["order"] = order
    at_zero = "1.0" if order == 0 else "0.0"
    sign = "k0 < 0 ? -odd : odd"
    signless = _signless(operand.lengths, 0)
    if signless:
        sign = f"{signless} ? 0.0 : {sign}"
    return operand.applied(
        f"let q = step * abs(k0); let size = k0 == 0 ? {at_zero} : {power}; "
        f"return value * complex(size * even, size * ({sign}));",
        arguments,
    )


def hilbert(x: Any, axis: int = -1) -> Any:
    """The analytic signal of real signals, x + i H(x), as `scipy.signal.hilbert`: without negative frequencies.

    Parameters
    ----------
    x : array_like
        Real.
    axis : int, optional
        The axis of time.

    Returns
    -------
    array
        Complex, of the shape of `x`. It is computed from the real array; no complex copy is made.

    Raises
    ------
    ValueError
        If `x` is complex, or the axis is not there.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import spectral
    >>> z = spectral.hilbert(np.cos(2 * np.pi * np.arange(8) / 8))
    >>> abs(z).round(9).tolist()
    [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    """
    repeat = Repeat("hilbert", (x,), axis)
    result = repeat.again()
    if result is not None:
        return result
    operand = Operand(x, _checks.integer("axis", axis, -(2**31), 2**31 - 1), "x", repeat)
    if operand.is_complex:
        raise ValueError(f"x: expected real numbers, got elements of {operand.rows.dtype}")
    both = "k0 == 0 || 2 * i0 == n0" if operand.lengths[0] % 2 == 0 else "k0 == 0"
    return operand.applied(f"return {both} ? value : k0 < 0 ? 0 : 2 * value;", {}, "analytic")


def transfer(x: Any, response: Any, axes: int | Sequence[int] | None = None) -> Any:
    """Filtered by a response of your own: each bin of the spectrum times its value.

    Parameters
    ----------
    x : array_like
        Real or complex.
    response : array_like
        Real or complex, of a shape that broadcasts to the bins: those of `numpy.fft.fftn` of complex arrays, of real
        ones those of `numpy.fft.rfftn`, with n/2 + 1 along the last of the axes. The same for the whole batch.
    axes : int or sequence of int, optional
        The axes of the spectrum, in the order of the response's; others are a batch. Default: all.

    Returns
    -------
    array
        Of the shape of `x`; of real arrays the real part, as `numpy.fft.irfftn` has it.

    Raises
    ------
    ValueError
        For a response of another shape, or axes that are not there.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import spectral
    >>> spectral.transfer([1.0, 2.0, 3.0, 6.0], [1, 0, 0]).tolist()
    [3.0, 3.0, 3.0, 3.0]
    """
    repeat = Repeat("transfer", (x, response), axes)
    result = repeat.again()
    if result is not None:
        return result
    operand = Operand(x, axes, "x", repeat)
    place, arrays = _response_of(operand, response)
    if len(arrays) == 1:
        return operand.applied(f"return value * response[{place}];", {"response": arrays[0]})
    return operand.applied(
        f"return value * complex(response[{place}], odd[{place}]);", {"response": arrays[0], "odd": arrays[1]}
    )


def _response_of(operand: Operand, response: Any) -> tuple[str, list[Any]]:
    """The index of a bin in a response, and the response as a real array, or two of its parts."""
    bins = list(operand.lengths)
    if not operand.is_complex:
        bins[-1] = bins[-1] // 2 + 1
    place = "i0"
    for i in range(1, len(bins)):
        place = f"({place} * {bins[i]} + i{i})"
    space, shape = operand.space, tuple(bins)
    real_type = space.real_type(operand.rows)
    values = on_device(space, response, operand.rows)
    arrays = _response_arrays(space, values, shape, real_type)
    if operand.repeat is not None:
        operand.repeat.prepare = lambda again: _response_arrays(space, again, shape, real_type)
    return place, arrays


def _response_arrays(space: Any, values: Any, bins: tuple[int, ...], real_type: Any) -> list[Any]:
    if tuple(values.shape) != bins:
        try:
            values = space.xp.broadcast_to(values, bins)
        except (ValueError, RuntimeError):
            raise ValueError(
                f"response: expected a shape that broadcasts to {bins}, got {tuple(values.shape)}"
            ) from None
    parts = [space.xp.real(values), space.xp.imag(values)] if space.is_complex(values) else [values]
    return [dense(space.astype(part, real_type)) for part in parts]


def influence(density: Any, response: Any, axes: int | Sequence[int] | None = None) -> tuple[Any, Any]:
    """The potential of a periodic density by an influence function, and its energy, in one plan.

    The reciprocal part of particle-mesh Ewald sums (Essmann et al., J. Chem. Phys. 103, 8577, 1995): charges on a grid
    are convolved with an influence function, which is given by its value at each wave vector. The energy is summed over
    the spectrum on the way, in double precision: no array is read again for it.

    Parameters
    ----------
    density : array_like
        Real or complex, on a regular grid that covers one period.
    response : array_like
        Real: the influence function, of a shape that broadcasts to the bins, as for `transfer`.
    axes : int or sequence of int, optional
        The axes of space, in the order of the response's; others are a batch. Default: all.

    Returns
    -------
    potential : array
        Of the shape of `density`: the inverse transform of response times spectrum.
    energy : array
        Of the shape of the batch, in double precision: half of the sum over the grid of conj(density) * potential.
        A grid's cell is 1 in it: multiply by its volume, or what your units ask for.

    Raises
    ------
    TypeError
        For a complex response, whose energy would not be real.
    ValueError
        For a response of another shape, or axes that are not there.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import spectral
    >>> density = np.array([1.0, -1.0, 2.0, 0.0, 0.5])
    >>> potential, energy = spectral.influence(density, [0.0, 1.0, 0.25])
    >>> bool(np.isclose(energy, 0.5 * np.sum(density * potential)))
    True
    """
    repeat = Repeat("influence", (density, response), axes)
    result: tuple[Any, Any] | None = repeat.again()
    if result is not None:
        return result
    operand = Operand(density, axes, "density", repeat)
    place, arrays = _response_of(operand, response)
    if len(arrays) > 1:
        raise TypeError("response: expected real numbers, of which the energy is real, got complex ones")
    return operand.applied_and_summed(
        f"let g = response[{place}]; sum energy = half * g * norm(value); return value * g;",
        {"response": arrays[0], "half": 0.5 / math.prod(operand.lengths)},
    )
