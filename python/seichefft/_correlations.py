"""Filters by a known signal of `seichefft.spectral`: matched and Wiener's, registration, radar, and the cepstrum."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _checks, fft
from ._arrays import adapter_of
from ._operand import Operand, dense, numbers_of, on_device
from ._repeats import Repeat
from .signal._space import Space, space_of


def _spectrum(operand: Operand, reference: Any, what: str) -> tuple[dict[str, Any], str]:
    """The bins of a reference of the operand's lengths, or shorter ones with zeros behind, as an array of a stage; and
    the text that reads one."""
    space: Space = operand.space
    values = on_device(space, reference, operand.rows, what)
    count = len(operand.lengths)
    if values.ndim != count or any(n > most or not n for n, most in zip(values.shape, operand.lengths)):
        raise ValueError(
            f"{what}: expected a shape of at most {operand.lengths}, as x along its axes, got {tuple(values.shape)}"
        )
    if space.is_complex(values) and not operand.is_complex:
        raise ValueError(f"{what}: expected real numbers, as x has, got elements of {values.dtype}")
    dtype = operand.rows.dtype if operand.is_complex else space.real_type(operand.rows)
    lengths, transform = operand.lengths, fft.fftn if operand.is_complex else fft.rfftn

    def bins_of(again: Any) -> list[Any]:
        # Real and imaginary parts stay side by side, as the transform leaves them: a stage reads either.
        again = space.astype(again, dtype)
        if tuple(again.shape) != lengths:
            again = adapter_of(again).resized(again, lengths)
        return [space.as_reals(dense(transform(again)))]

    if operand.repeat is not None:
        operand.repeat.prepare = bins_of
    place = "i0"
    for i in range(1, count):
        n = lengths[i] if operand.is_complex or i + 1 < count else lengths[i] // 2 + 1
        place = f"({place} * {n} + i{i})"
    return {"bins": bins_of(values)[0]}, f"complex(bins[2 * {place}], bins[2 * {place} + 1])"


def wiener(x: Any, response: Any, noise: float, axes: int | Sequence[int] | None = None) -> Any:
    """Deconvolved by Wiener's filter: bins times conj(H) / (|H|^2 + noise), with the array's ends joined.

    Parameters
    ----------
    x : array_like
        What a system made of a signal, with noise: real or complex.
    response : array_like
        Its impulse response along the axes, element 0 first; shorter than `x` with zeros behind.
    noise : float
        Power of the noise over that of the signal, above 0: the larger, the smoother.
    axes : int or sequence of int, optional
        Along these, in the order of the response's. Default: all.

    Returns
    -------
    array
        Of the shape of `x`.

    Raises
    ------
    ValueError
        For a response of another shape, or noise that is not above 0.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import spectral
    >>> x, h = np.zeros(16), [1.0, 0.5, 0.25]
    >>> x[3] = 1
    >>> blurred = np.fft.irfft(np.fft.rfft(x) * np.fft.rfft(h, 16))
    >>> bool(np.allclose(spectral.wiener(blurred, h, 1e-12), x))
    True
    """
    repeat = Repeat("wiener", (x, response), noise, axes)
    result = repeat.again()
    if result is not None:
        return result
    operand = Operand(x, axes, "x", repeat)
    power = _checks.number("noise", noise)
    if not (power > 0 and math.isfinite(power)):
        raise ValueError(f"noise: expected a finite number above 0, got {noise}")
    arrays, bin_text = _spectrum(operand, response, "response")
    arguments = {**arrays, "noise": power}
    return operand.applied(f"let h = {bin_text}; return value * conj(h) / (norm(h) + noise);", arguments)


def matched_filter(x: Any, pulse: Any, axes: int | Sequence[int] | None = None) -> Any:
    """Correlated with a pulse, with the array's ends joined: y[t] is the sum over j of x[t + j] conj(pulse[j]).

    In white noise no linear filter has more signal over noise where the pulse begins. Give `x` as many zeros behind as
    the pulse has elements, if its ends are not to be joined, or use `seichefft.signal.correlate`.

    Parameters
    ----------
    x : array_like
        Real or complex.
    pulse : array_like
        Along the axes, element 0 first; shorter than `x` with zeros behind.
    axes : int or sequence of int, optional
        Along these, in the order of the pulse's. Default: all.

    Returns
    -------
    array
        Of the shape of `x`.

    Raises
    ------
    ValueError
        For a pulse of another shape.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import spectral
    >>> x = np.zeros(32)
    >>> x[9:13] = [1, -1, 1, 1]
    >>> int(spectral.matched_filter(x, [1.0, -1.0, 1.0, 1.0]).argmax())
    9
    """
    repeat = Repeat("matched_filter", (x, pulse), axes)
    result = repeat.again()
    if result is not None:
        return result
    operand = Operand(x, axes, "x", repeat)
    arrays, bin_text = _spectrum(operand, pulse, "pulse")
    return operand.applied(f"return value * conj({bin_text});", arrays)


def range_doppler(x: Any, pulse: Any, window: Any = None) -> Any:
    """The range-Doppler map of a pulse train: a matched filter along range, then a transform over the pulses.

    Parameters
    ----------
    x : array_like (..., pulses, samples)
        Complex echoes, a row for each pulse.
    pulse : array_like (samples or fewer,)
        What was sent, complex.
    window : array_like (pulses,), optional
        Over the pulses, against sidelobes.

    Returns
    -------
    array (..., pulses, samples)
        Complex. Doppler bin k is `numpy.fft.fftfreq(pulses)[k]` cycles a pulse, and range bin t an echo that begins
        with sample t. Ranges join at their ends.

    Raises
    ------
    ValueError
        For a pulse or a window of another shape.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import spectral
    >>> chirp = np.exp(1j * np.pi * np.arange(16) ** 2 / 16)
    >>> x = np.zeros((8, 64), complex)
    >>> x[:, 20:36] = np.exp(2j * np.pi * 3 / 8 * np.arange(8))[:, None] * chirp
    >>> spot = abs(spectral.range_doppler(x, chirp)).argmax()
    >>> divmod(int(spot), 64)
    (3, 20)
    """
    operand = Operand(x, -1)
    space = operand.space
    if len(operand.rest) < 1:
        raise ValueError(f"x: expected (..., pulses, samples), got shape {operand.lengths}")
    if not operand.batch:
        raise ValueError(f"x: expected a pulse or more, got shape {tuple(space.asarray(x).shape)}")
    rows = numbers_of(space, "x", x)
    rows = space.astype(rows, space.complex_type(rows))
    filtered = matched_filter(rows, pulse, -1)
    if window is not None:
        pulses = operand.rest[-1]
        weights = space.weights(window, filtered)
        if tuple(weights.shape) != (pulses,):
            raise ValueError(f"window: expected shape ({pulses},), got {tuple(weights.shape)}")
        filtered = filtered * weights[:, None]
    return fft.fft(filtered, axis=-2)


def _neighbour(value: float, before: float, after: float) -> float:
    """Where a peak between samples lies, from its two neighbours: Foroosh, Zerubia & Berthod, "Extension of phase
    correlation to subpixel registration", 2002."""
    side, sign = (after, 1.0) if after > before else (before, -1.0)
    return sign * side / (side + value) if side > 0 and value > 0 else 0.0


def phase_correlation(a: Any, b: Any) -> tuple[tuple[float, ...], float]:
    """By how much `a` is moved against `b`, to a fraction of a point, by the phases of their spectra.

    ``fourier_shift(b, shift)`` is `a` where they differ by a shift alone, with their ends joined. The correlation is
    one spectral plan; its peak is between the largest value and the larger neighbour along each axis (Foroosh, Zerubia
    & Berthod, 2002).

    Parameters
    ----------
    a, b : array_like
        Real or complex, of one shape and of any number of axes.

    Returns
    -------
    shift : tuple of float
        Along each axis, from -n/2 to n/2.
    peak : float
        The largest value of the correlation, at most about 1, which a whole shift without noise has. NaN where an
        array has one.

    Raises
    ------
    ValueError
        For arrays of different shapes.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import spectral
    >>> b = np.random.default_rng(1).standard_normal((32, 24))
    >>> shift, peak = spectral.phase_correlation(np.roll(b, (3, -5), (0, 1)), b)
    >>> [round(one, 6) for one in shift], round(peak, 6)
    ([3.0, -5.0], 1.0)
    """
    repeat = Repeat("phase_correlation", (a, b))
    surface = repeat.again()
    if surface is None:
        operand = Operand(a, None, "a", repeat)
        other = on_device(operand.space, b, operand.rows, "b")
        if tuple(other.shape) != operand.lengths:
            raise ValueError(f"b: expected shape {operand.lengths}, as a has, got {tuple(other.shape)}")
        arrays, bin_text = _spectrum(operand, other, "b")
        # A NaN stays one.
        text = f"let p = value * conj({bin_text}); let size = abs(p); return size > 0 ? p / size : p;"
        surface = operand.applied(text, arrays)
    space = space_of(surface)
    return _peak(space, space.real(surface))


def _peak(space: Space, surface: Any) -> tuple[tuple[float, ...], float]:
    """Where the largest value is, between the neighbours, and itself. The values come from the device all at once."""
    lengths = tuple(int(n) for n in surface.shape)
    flat = surface.reshape((-1,))
    first = int(flat.argmax())
    steps = [math.prod(lengths[axis + 1 :]) for axis in range(len(lengths))]
    place = [first // step % n for step, n in zip(steps, lengths)]
    wanted = [first]
    for at, step, n in zip(place, steps, lengths):
        wanted += [first + ((at + move) % n - at) * step for move in (-1, 1)]
    peak, *beside = map(float, flat[space.from_host(np.array(wanted), flat)].tolist())
    shift = []
    for axis, n in enumerate(lengths):
        part = _neighbour(peak, *beside[2 * axis : 2 * axis + 2]) if n > 2 else 0.0
        where = place[axis] + part
        shift.append(where - n if where > n / 2 else where)
    return tuple(shift), peak


def real_cepstrum(x: Any, axis: int = -1) -> Any:
    """The real cepstrum: the inverse transform of the logarithm of the spectrum's magnitude.

    Parameters
    ----------
    x : array_like
        Real.
    axis : int, optional
        The axis of time.

    Returns
    -------
    array
        Of the shape of `x`, by quefrency. Magnitudes below 1e-30 count as that.

    Raises
    ------
    ValueError
        If `x` is complex, or the axis is not there.

    Examples
    --------
    >>> import numpy as np
    >>> from seichefft import spectral
    >>> x = np.random.default_rng(1).standard_normal(64)
    >>> exact = np.fft.irfft(np.log(abs(np.fft.rfft(x))))
    >>> bool(np.allclose(spectral.real_cepstrum(x), exact))
    True
    """
    repeat = Repeat("real_cepstrum", (x,), axis)
    result = repeat.again()
    if result is not None:
        return result
    operand = Operand(x, _checks.integer("axis", axis, -(2**31), 2**31 - 1), "x", repeat)
    if operand.is_complex:
        raise ValueError(f"x: expected real numbers, got elements of {operand.rows.dtype}")
    return operand.applied("return log(max(abs(value), 1e-30));", {})
