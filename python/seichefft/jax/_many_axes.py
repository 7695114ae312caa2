"""The transforms of `jax.numpy.fft` along several axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp

from .. import fft as _functions

__all__ = ["fft2", "fftn", "hfft2", "hfftn", "ifft2", "ifftn", "ihfft2", "ihfftn", "irfft2", "irfftn", "rfft2", "rfftn"]


def fft2(a: Any, s: Sequence[int] | None = None, axes: Sequence[int] = (-2, -1), norm: str | None = None) -> Any:
    """The discrete Fourier transform along two axes, as `jax.numpy.fft.fft2`.

    Parameters
    ----------
    a : array_like
        Real or complex.
    s : sequence of int, optional
        Lengths along `axes`.
    axes : sequence of int, optional
        The axes. Default: the last two.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.

    Returns
    -------
    jax.Array
        Complex; halves give ``complex64``.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    NotImplementedError
        If the array is sharded over several devices.

    Examples
    --------
    >>> import jax.numpy as jnp, seichefft.jax
    >>> seichefft.jax.fft2(jnp.ones((2, 4))).shape
    (2, 4)
    """
    return _functions.fft2(jnp.asarray(a), s, axes, norm)


def ifft2(a: Any, s: Sequence[int] | None = None, axes: Sequence[int] = (-2, -1), norm: str | None = None) -> Any:
    """The inverse of `fft2` along two axes, as `jax.numpy.fft.ifft2`.

    Parameters
    ----------
    a : array_like
        Real or complex.
    s : sequence of int, optional
        Lengths along `axes`.
    axes : sequence of int, optional
        The axes. Default: the last two.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.

    Returns
    -------
    jax.Array
        Complex; halves give ``complex64``.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    NotImplementedError
        If the array is sharded over several devices.

    Examples
    --------
    >>> import jax.numpy as jnp, seichefft.jax
    >>> seichefft.jax.ifft2(jnp.ones((2, 4))).shape
    (2, 4)
    """
    return _functions.ifft2(jnp.asarray(a), s, axes, norm)


def rfft2(a: Any, s: Sequence[int] | None = None, axes: Sequence[int] = (-2, -1), norm: str | None = None) -> Any:
    """The discrete Fourier transform of real input along two axes, as `jax.numpy.fft.rfft2`.

    Parameters
    ----------
    a : array_like
        Real.
    s : sequence of int, optional
        Lengths along `axes`.
    axes : sequence of int, optional
        The axes. Default: the last two.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.

    Returns
    -------
    jax.Array
        Complex; halves give ``complex64``.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    NotImplementedError
        If the array is sharded over several devices.

    Examples
    --------
    >>> import jax.numpy as jnp, seichefft.jax
    >>> seichefft.jax.rfft2(jnp.ones((2, 4))).shape
    (2, 3)
    """
    return _functions.rfft2(jnp.asarray(a), s, axes, norm)


def irfft2(a: Any, s: Sequence[int] | None = None, axes: Sequence[int] = (-2, -1), norm: str | None = None) -> Any:
    """The inverse of `rfft2` along two axes, as `jax.numpy.fft.irfft2`.

    Parameters
    ----------
    a : array_like
        Complex: half of a Hermitian array.
    s : sequence of int, optional
        Lengths along `axes`.
    axes : sequence of int, optional
        The axes. Default: the last two.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.

    Returns
    -------
    jax.Array
        Real.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    NotImplementedError
        If the array is sharded over several devices.

    Examples
    --------
    >>> import jax.numpy as jnp, seichefft.jax
    >>> seichefft.jax.irfft2(jnp.ones((2, 4))).shape
    (2, 6)
    """
    return _functions.irfft2(jnp.asarray(a), s, axes, norm)


def hfft2(a: Any, s: Sequence[int] | None = None, axes: Sequence[int] = (-2, -1), norm: str | None = None) -> Any:
    """The transform of a signal with Hermitian symmetry along two axes, as `scipy.fft.hfft2`.

    Parameters
    ----------
    a : array_like
        Complex: half of a Hermitian array.
    s : sequence of int, optional
        Lengths along `axes`.
    axes : sequence of int, optional
        The axes. Default: the last two.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.

    Returns
    -------
    jax.Array
        Real.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    NotImplementedError
        If the array is sharded over several devices.

    Examples
    --------
    >>> import jax.numpy as jnp, seichefft.jax
    >>> seichefft.jax.hfft2(jnp.ones((2, 4))).shape
    (2, 6)
    """
    return _functions.hfft2(jnp.asarray(a), s, axes, norm)


def ihfft2(a: Any, s: Sequence[int] | None = None, axes: Sequence[int] = (-2, -1), norm: str | None = None) -> Any:
    """The inverse of `hfft2` along two axes, as `scipy.fft.ihfft2`.

    Parameters
    ----------
    a : array_like
        Real.
    s : sequence of int, optional
        Lengths along `axes`.
    axes : sequence of int, optional
        The axes. Default: the last two.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.

    Returns
    -------
    jax.Array
        Complex; halves give ``complex64``.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    NotImplementedError
        If the array is sharded over several devices.

    Examples
    --------
    >>> import jax.numpy as jnp, seichefft.jax
    >>> seichefft.jax.ihfft2(jnp.ones((2, 4))).shape
    (2, 3)
    """
    return _functions.ihfft2(jnp.asarray(a), s, axes, norm)


def fftn(a: Any, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None) -> Any:
    """The discrete Fourier transform along several axes, as `jax.numpy.fft.fftn`.

    Parameters
    ----------
    a : array_like
        Real or complex.
    s : sequence of int, optional
        Lengths along `axes`.
    axes : sequence of int, optional
        The axes. Default: all, or with `s` the last ones.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.

    Returns
    -------
    jax.Array
        Complex; halves give ``complex64``.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    NotImplementedError
        If the array is sharded over several devices.

    Examples
    --------
    >>> import jax.numpy as jnp, seichefft.jax
    >>> seichefft.jax.fftn(jnp.ones((2, 4))).shape
    (2, 4)
    """
    return _functions.fftn(jnp.asarray(a), s, axes, norm)


def ifftn(a: Any, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None) -> Any:
    """The inverse of `fftn` along several axes, as `jax.numpy.fft.ifftn`.

    Parameters
    ----------
    a : array_like
        Real or complex.
    s : sequence of int, optional
        Lengths along `axes`.
    axes : sequence of int, optional
        The axes. Default: all, or with `s` the last ones.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.

    Returns
    -------
    jax.Array
        Complex; halves give ``complex64``.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    NotImplementedError
        If the array is sharded over several devices.

    Examples
    --------
    >>> import jax.numpy as jnp, seichefft.jax
    >>> seichefft.jax.ifftn(jnp.ones((2, 4))).shape
    (2, 4)
    """
    return _functions.ifftn(jnp.asarray(a), s, axes, norm)


def rfftn(a: Any, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None) -> Any:
    """The discrete Fourier transform of real input along several axes, as `jax.numpy.fft.rfftn`.

    Parameters
    ----------
    a : array_like
        Real.
    s : sequence of int, optional
        Lengths along `axes`.
    axes : sequence of int, optional
        The axes. Default: all, or with `s` the last ones.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.

    Returns
    -------
    jax.Array
        Complex; halves give ``complex64``.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    NotImplementedError
        If the array is sharded over several devices.

    Examples
    --------
    >>> import jax.numpy as jnp, seichefft.jax
    >>> seichefft.jax.rfftn(jnp.ones((2, 4))).shape
    (2, 3)
    """
    return _functions.rfftn(jnp.asarray(a), s, axes, norm)


def irfftn(a: Any, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None) -> Any:
    """The inverse of `rfftn` along several axes, as `jax.numpy.fft.irfftn`.

    Parameters
    ----------
    a : array_like
        Complex: half of a Hermitian array.
    s : sequence of int, optional
        Lengths along `axes`.
    axes : sequence of int, optional
        The axes. Default: all, or with `s` the last ones.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.

    Returns
    -------
    jax.Array
        Real.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    NotImplementedError
        If the array is sharded over several devices.

    Examples
    --------
    >>> import jax.numpy as jnp, seichefft.jax
    >>> seichefft.jax.irfftn(jnp.ones((2, 4))).shape
    (2, 6)
    """
    return _functions.irfftn(jnp.asarray(a), s, axes, norm)


def hfftn(a: Any, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None) -> Any:
    """The transform of a signal with Hermitian symmetry along several axes, as `scipy.fft.hfftn`.

    Parameters
    ----------
    a : array_like
        Complex: half of a Hermitian array.
    s : sequence of int, optional
        Lengths along `axes`.
    axes : sequence of int, optional
        The axes. Default: all, or with `s` the last ones.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.

    Returns
    -------
    jax.Array
        Real.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    NotImplementedError
        If the array is sharded over several devices.

    Examples
    --------
    >>> import jax.numpy as jnp, seichefft.jax
    >>> seichefft.jax.hfftn(jnp.ones((2, 4))).shape
    (2, 6)
    """
    return _functions.hfftn(jnp.asarray(a), s, axes, norm)


def ihfftn(a: Any, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None) -> Any:
    """The inverse of `hfftn` along several axes, as `scipy.fft.ihfftn`.

    Parameters
    ----------
    a : array_like
        Real.
    s : sequence of int, optional
        Lengths along `axes`.
    axes : sequence of int, optional
        The axes. Default: all, or with `s` the last ones.
    norm : {'backward', 'ortho', 'forward'}, optional
        Which direction is scaled by 1/n: the inverse (the default), both by 1/sqrt(n), or the forward one.

    Returns
    -------
    jax.Array
        Complex; halves give ``complex64``.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a length, an axis or `norm` makes no sense.
    NotImplementedError
        If the array is sharded over several devices.

    Examples
    --------
    >>> import jax.numpy as jnp, seichefft.jax
    >>> seichefft.jax.ihfftn(jnp.ones((2, 4))).shape
    (2, 3)
    """
    return _functions.ihfftn(jnp.asarray(a), s, axes, norm)
