"""The transforms of `jax.numpy.fft` along one axis."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from .. import fft as _functions

__all__ = ["fft", "hfft", "ifft", "ihfft", "irfft", "rfft"]


def fft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The discrete Fourier transform along one axis, as `jax.numpy.fft.fft`.

    Parameters
    ----------
    a : array_like
        Real or complex.
    n : int, optional
        Length along `axis`: cropped or padded with zeros at its end.
    axis : int, optional
        The axis.
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
    >>> seichefft.jax.fft(jnp.ones((2, 4))).shape
    (2, 4)
    """
    return _functions.fft(jnp.asarray(a), n, axis, norm)


def ifft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The inverse of `fft` along one axis, as `jax.numpy.fft.ifft`.

    Parameters
    ----------
    a : array_like
        Real or complex.
    n : int, optional
        Length along `axis`: cropped or padded with zeros at its end.
    axis : int, optional
        The axis.
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
    >>> seichefft.jax.ifft(jnp.ones((2, 4))).shape
    (2, 4)
    """
    return _functions.ifft(jnp.asarray(a), n, axis, norm)


def rfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The discrete Fourier transform of real input along one axis, as `jax.numpy.fft.rfft`.

    Parameters
    ----------
    a : array_like
        Real.
    n : int, optional
        Length along `axis`: cropped or padded with zeros at its end.
    axis : int, optional
        The axis.
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
    >>> seichefft.jax.rfft(jnp.ones((2, 4))).shape
    (2, 3)
    """
    return _functions.rfft(jnp.asarray(a), n, axis, norm)


def irfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The inverse of `rfft` along one axis, as `jax.numpy.fft.irfft`.

    Parameters
    ----------
    a : array_like
        Complex: half of a Hermitian array.
    n : int, optional
        Length along `axis`: cropped or padded with zeros at its end.
    axis : int, optional
        The axis.
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
    >>> seichefft.jax.irfft(jnp.ones((2, 4))).shape
    (2, 6)
    """
    return _functions.irfft(jnp.asarray(a), n, axis, norm)


def hfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The transform of a signal with Hermitian symmetry along one axis, as `jax.numpy.fft.hfft`.

    Parameters
    ----------
    a : array_like
        Complex: half of a Hermitian array.
    n : int, optional
        Length along `axis`: cropped or padded with zeros at its end.
    axis : int, optional
        The axis.
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
    >>> seichefft.jax.hfft(jnp.ones((2, 4))).shape
    (2, 6)
    """
    return _functions.hfft(jnp.asarray(a), n, axis, norm)


def ihfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The inverse of `hfft` along one axis, as `jax.numpy.fft.ihfft`.

    Parameters
    ----------
    a : array_like
        Real.
    n : int, optional
        Length along `axis`: cropped or padded with zeros at its end.
    axis : int, optional
        The axis.
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
    >>> seichefft.jax.ihfft(jnp.ones((2, 4))).shape
    (2, 3)
    """
    return _functions.ihfft(jnp.asarray(a), n, axis, norm)
