"""Operators of `seichefft.spectral` on bands of plane waves, which are coefficients of the modes in a sphere."""

from __future__ import annotations

import hashlib
import math
from typing import Any

from ._arrays import adapter_of
from ._devices import Device
from ._kept import kept
from ._operand import dense, on_device, word_of
from .signal._space import space_of, type_name
from .spectral_plans import SpectralPlan


def plane_wave_potential(coefficients: Any, waves: Any, potential: Any) -> Any:
    """Bands of plane waves times a potential: coefficients to the grid, times V(r), back to coefficients.

    One plan for all bands: they are taken from their lists by the first transform and put back by the last, and columns
    and planes without a wave are neither computed nor moved. ``out[b, g]`` is the sum over the waves h of
    ``v[g - h] * coefficients[b, h]``, where v is ``numpy.fft.fftn(potential) / potential.size``.

    Parameters
    ----------
    coefficients : array_like
        Of shape (..., waves): complex, or taken as such.
    waves : array_like of int
        Of shape (waves, axes): the wave numbers of each coefficient, from -(n // 2) to (n - 1) // 2, each once.
    potential : array_like
        Real, on the grid.

    Returns
    -------
    array
        Complex, of the shape of `coefficients`.

    Raises
    ------
    ValueError
        For a potential that is not real, or waves that are not those of the coefficients, or not of the grid.

    Examples
    --------
    A cosine couples a wave to its neighbours:

    >>> import numpy as np
    >>> from seichefft import spectral
    >>> waves = [[-1], [0], [1]]
    >>> cosine = 2 * np.cos(2 * np.pi * np.arange(8) / 8)
    >>> bool(np.allclose(spectral.plane_wave_potential([0, 1, 0], waves, cosine), [1, 0, 1]))
    True
    """
    import numpy as np

    space = space_of(coefficients)
    x = space.floating(space.asarray(coefficients))
    x = space.astype(x, space.complex_type(x))
    values = on_device(space, potential, x, "potential")
    if space.is_complex(values) or values.ndim == 0:
        raise ValueError(f"potential: expected real numbers on a grid, got {values.dtype} of {tuple(values.shape)}")
    lengths = tuple(int(n) for n in values.shape)
    numbers = np.asarray(waves)
    if x.ndim == 0 or numbers.shape != (x.shape[-1], len(lengths)):
        raise ValueError(
            f"waves: expected {len(lengths)} wave numbers for each of the coefficients, whose shape is "
            f"{tuple(x.shape)}, got a shape of {tuple(numbers.shape)}"
        )
    batch = math.prod(int(n) for n in x.shape[:-1])
    if batch == 0:
        return x
    field = dense(space.astype(values, space.real_type(x)))
    dtype = type_name(x.dtype)
    device = adapter_of(x).device(x)
    place = "i0"
    for i in range(1, len(lengths)):
        place = f"({place} * n{i} + i{i})"

    def make() -> SpectralPlan:
        return SpectralPlan(
            lengths,
            dtype,
            middle=f"return value * potential[{place}];",
            begins_with="spectrum",
            packed=numbers,
            batch=batch,
            device=Device._of(device),
            potential=word_of(field, ""),
        )

    modes = hashlib.blake2b(np.ascontiguousarray(numbers).tobytes() + str(numbers.dtype).encode()).digest()
    plan: SpectralPlan = kept(device, ("plane waves", lengths, batch, dtype, modes), make, lambda made: made.problem)
    return plan(x.reshape((batch, x.shape[-1])), potential=field).reshape(x.shape)
