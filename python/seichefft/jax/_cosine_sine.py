"""Cosine and sine transforms of JAX's arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp

from .. import fft as _functions

__all__ = ["dct", "dctn", "dst", "dstn", "idct", "idctn", "idst", "idstn"]


def dct(x: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The cosine transform along one axis, as `jax.scipy.fft.dct`.

    Parameters
    ----------
    x : array_like
        Real; of complex numbers both parts are transformed.
    type : {1, 2, 3, 4}, optional
        Which of the four.
    n : int, optional
        Length along `axis`.
    axis : int, optional
        The axis.
    norm : {'backward', 'ortho', 'forward'}, optional
        The scale; with 'ortho' the matrix is orthogonal.

    Returns
    -------
    jax.Array
        Of the type of `x`, halves too.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a type, a length, an axis or `norm` makes no sense.
    NotImplementedError
        If the array is sharded over several devices.

    Examples
    --------
    >>> import jax.numpy as jnp, seichefft.jax
    >>> seichefft.jax.dct(jnp.ones((2, 4))).shape
    (2, 4)
    """
    return _functions.dct(jnp.asarray(x), type, n, axis, norm)


def dctn(
    x: Any, type: int = 2, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None
) -> Any:
    """The cosine transform along several axes, as `jax.scipy.fft.dctn`.

    Parameters
    ----------
    x : array_like
        Real; of complex numbers both parts are transformed.
    type : {1, 2, 3, 4}, optional
        Which of the four.
    s : sequence of int, optional
        Lengths along `axes`.
    axes : sequence of int, optional
        The axes. Default: all.
    norm : {'backward', 'ortho', 'forward'}, optional
        The scale; with 'ortho' the matrix is orthogonal.

    Returns
    -------
    jax.Array
        Of the type of `x`, halves too.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a type, a length, an axis or `norm` makes no sense.
    NotImplementedError
        If the array is sharded over several devices.

    Examples
    --------
    >>> import jax.numpy as jnp, seichefft.jax
    >>> seichefft.jax.dctn(jnp.ones((2, 4))).shape
    (2, 4)
    """
    return _functions.dctn(jnp.asarray(x), type, s, axes, norm)


def idct(x: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The inverse cosine transform along one axis, as `jax.scipy.fft.idct`.

    Parameters
    ----------
    x : array_like
        Real; of complex numbers both parts are transformed.
    type : {1, 2, 3, 4}, optional
        Which of the four.
    n : int, optional
        Length along `axis`.
    axis : int, optional
        The axis.
    norm : {'backward', 'ortho', 'forward'}, optional
        The scale; with 'ortho' the matrix is orthogonal.

    Returns
    -------
    jax.Array
        Of the type of `x`, halves too.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a type, a length, an axis or `norm` makes no sense.
    NotImplementedError
        If the array is sharded over several devices.

    Examples
    --------
    >>> import jax.numpy as jnp, seichefft.jax
    >>> seichefft.jax.idct(jnp.ones((2, 4))).shape
    (2, 4)
    """
    return _functions.idct(jnp.asarray(x), type, n, axis, norm)


def idctn(
    x: Any, type: int = 2, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None
) -> Any:
    """The inverse cosine transform along several axes, as `jax.scipy.fft.idctn`.

    Parameters
    ----------
    x : array_like
        Real; of complex numbers both parts are transformed.
    type : {1, 2, 3, 4}, optional
        Which of the four.
    s : sequence of int, optional
        Lengths along `axes`.
    axes : sequence of int, optional
        The axes. Default: all.
    norm : {'backward', 'ortho', 'forward'}, optional
        The scale; with 'ortho' the matrix is orthogonal.

    Returns
    -------
    jax.Array
        Of the type of `x`, halves too.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a type, a length, an axis or `norm` makes no sense.
    NotImplementedError
        If the array is sharded over several devices.

    Examples
    --------
    >>> import jax.numpy as jnp, seichefft.jax
    >>> seichefft.jax.idctn(jnp.ones((2, 4))).shape
    (2, 4)
    """
    return _functions.idctn(jnp.asarray(x), type, s, axes, norm)


def dst(x: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The sine transform along one axis, as `scipy.fft.dst`.

    Parameters
    ----------
    x : array_like
        Real; of complex numbers both parts are transformed.
    type : {1, 2, 3, 4}, optional
        Which of the four.
    n : int, optional
        Length along `axis`.
    axis : int, optional
        The axis.
    norm : {'backward', 'ortho', 'forward'}, optional
        The scale; with 'ortho' the matrix is orthogonal.

    Returns
    -------
    jax.Array
        Of the type of `x`, halves too.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a type, a length, an axis or `norm` makes no sense.
    NotImplementedError
        If the array is sharded over several devices.

    Examples
    --------
    >>> import jax.numpy as jnp, seichefft.jax
    >>> seichefft.jax.dst(jnp.ones((2, 4))).shape
    (2, 4)
    """
    return _functions.dst(jnp.asarray(x), type, n, axis, norm)


def dstn(
    x: Any, type: int = 2, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None
) -> Any:
    """The sine transform along several axes, as `scipy.fft.dstn`.

    Parameters
    ----------
    x : array_like
        Real; of complex numbers both parts are transformed.
    type : {1, 2, 3, 4}, optional
        Which of the four.
    s : sequence of int, optional
        Lengths along `axes`.
    axes : sequence of int, optional
        The axes. Default: all.
    norm : {'backward', 'ortho', 'forward'}, optional
        The scale; with 'ortho' the matrix is orthogonal.

    Returns
    -------
    jax.Array
        Of the type of `x`, halves too.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a type, a length, an axis or `norm` makes no sense.
    NotImplementedError
        If the array is sharded over several devices.

    Examples
    --------
    >>> import jax.numpy as jnp, seichefft.jax
    >>> seichefft.jax.dstn(jnp.ones((2, 4))).shape
    (2, 4)
    """
    return _functions.dstn(jnp.asarray(x), type, s, axes, norm)


def idst(x: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Any:
    """The inverse sine transform along one axis, as `scipy.fft.idst`.

    Parameters
    ----------
    x : array_like
        Real; of complex numbers both parts are transformed.
    type : {1, 2, 3, 4}, optional
        Which of the four.
    n : int, optional
        Length along `axis`.
    axis : int, optional
        The axis.
    norm : {'backward', 'ortho', 'forward'}, optional
        The scale; with 'ortho' the matrix is orthogonal.

    Returns
    -------
    jax.Array
        Of the type of `x`, halves too.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a type, a length, an axis or `norm` makes no sense.
    NotImplementedError
        If the array is sharded over several devices.

    Examples
    --------
    >>> import jax.numpy as jnp, seichefft.jax
    >>> seichefft.jax.idst(jnp.ones((2, 4))).shape
    (2, 4)
    """
    return _functions.idst(jnp.asarray(x), type, n, axis, norm)


def idstn(
    x: Any, type: int = 2, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None
) -> Any:
    """The inverse sine transform along several axes, as `scipy.fft.idstn`.

    Parameters
    ----------
    x : array_like
        Real; of complex numbers both parts are transformed.
    type : {1, 2, 3, 4}, optional
        Which of the four.
    s : sequence of int, optional
        Lengths along `axes`.
    axes : sequence of int, optional
        The axes. Default: all.
    norm : {'backward', 'ortho', 'forward'}, optional
        The scale; with 'ortho' the matrix is orthogonal.

    Returns
    -------
    jax.Array
        Of the type of `x`, halves too.

    Raises
    ------
    TypeError
        If the array is of a type that does not serve.
    ValueError
        If a type, a length, an axis or `norm` makes no sense.
    NotImplementedError
        If the array is sharded over several devices.

    Examples
    --------
    >>> import jax.numpy as jnp, seichefft.jax
    >>> seichefft.jax.idstn(jnp.ones((2, 4))).shape
    (2, 4)
    """
    return _functions.idstn(jnp.asarray(x), type, s, axes, norm)
