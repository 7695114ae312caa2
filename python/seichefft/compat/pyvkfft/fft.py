"""pyvkfft.fft: the eight functions, which keep the VkFFTApp that they made for arrays of a kind."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..._arrays._common import COMPLEX32 as complex32
from . import config
from ._cuda_arrays import has_cupy, has_pycuda, library_of, stream_number
from ._geometry import is_fortran_order
from .version import vkfft_version

try:
    from .opencl import VkFFTApp as _OpenCLApp

    has_opencl = True
except ImportError:
    has_opencl = False

__all__ = [
    "clear_vkfftapp_cache",
    "dctn",
    "dstn",
    "fftn",
    "has_cupy",
    "has_opencl",
    "has_pycuda",
    "idctn",
    "idstn",
    "ifftn",
    "irfftn",
    "rfftn",
    "vkfft_version",
]

_TO_COMPLEX = {np.dtype("e"): complex32, np.dtype("f"): np.dtype("F"), np.dtype("d"): np.dtype("D")}
_TO_REAL = {spectrum: real for real, spectrum in _TO_COMPLEX.items()}


class _Place(NamedTuple):
    """Where an array is transformed: its library, and its queue or stream and what it belongs to."""

    library: str
    stream: Any
    context: Any


def _place_of(x: Any, cuda_stream: Any, cl_queue: Any) -> _Place:
    library = library_of(x)
    if library is not None:
        stream = stream_number(cuda_stream)
        return _Place(library.name, library.current_stream() if stream is None else stream, library.context())
    if has_opencl and type(x).__module__.partition(".")[0] == "pyopencl":
        queue = x.queue if cl_queue is None else cl_queue
        if queue is None:
            raise RuntimeError("src: expected an array with a command queue, or cl_queue")
        return _Place("pyopencl", queue, queue.context)
    raise RuntimeError(f"src: expected an array of PyOpenCL, CuPy or PyCUDA, got {type(x).__name__}")


def _new_array(place: _Place, like: Any, shape: tuple[int, ...], dtype: Any) -> Any:
    order = "F" if is_fortran_order(like.strides) else "C"
    if place.library == "pyopencl":
        import pyopencl.array as cla

        return cla.empty(like.queue or place.stream, shape, dtype, allocator=like.allocator, order=order)
    return library_of(like).empty(like, shape, dtype, order)


def _is_same(place: _Place, x: Any, y: Any) -> bool:
    if place.library == "pyopencl":
        return bool(x.base_data == y.base_data and x.offset == y.offset)
    library = library_of(x)
    return bool(library.address(x) == library.address(y))


@lru_cache(maxsize=config.FFT_CACHE_NB)
def _app(
    place: _Place, shape: Any, dtype: Any, strides: Any, inplace: bool, options: tuple[tuple[str, Any], ...]
) -> Any:
    named = dict(options)
    if place.library == "pyopencl":
        return _OpenCLApp(shape, dtype, place.stream, inplace=inplace, strides=strides, is_lazy=True, **named)
    from .cuda import VkFFTApp as CudaApp

    named.update(is_lazy=True, library=place.library)
    return CudaApp(shape, dtype, inplace=inplace, stream=place.stream, strides=strides, **named)


def _run(
    is_forward: bool,
    src: Any,
    dest: Any,
    real: Any,
    place: _Place,
    return_scale: bool,
    **options: Any,
) -> Any:
    """Transforms `src` into `dest` with the app for an array like `real`, which is one of the two."""
    if options.get("axes") is not None:
        axes = options["axes"]
        options["axes"] = (axes,) if isinstance(axes, int) else tuple(axes)
    inplace = _is_same(place, src, dest)
    app = _app(place, tuple(real.shape), real.dtype, tuple(real.strides), inplace, tuple(sorted(options.items())))
    run = app.fft if is_forward else app.ifft
    target = None if inplace else dest
    result = run(src, target, queue=place.stream) if place.library == "pyopencl" else run(src, target)
    if not return_scale:
        return result
    return result, app.get_fft_scale() if is_forward else app.get_ifft_scale()


def fftn(
    src: Any,
    dest: Any = None,
    ndim: int | None = None,
    norm: Any = 1,
    axes: Any = None,
    cuda_stream: Any = None,
    cl_queue: Any = None,
    return_scale: bool = False,
    tune: bool = False,
) -> Any:
    """The Fourier transform of an array on a device.

    Parameters
    ----------
    src : array
        Complex, of PyOpenCL, CuPy or PyCUDA.
    dest : array, optional
        Where the result goes; `src` itself for a transform in place. Default: a new array.
    ndim : int, optional
        How many axes are transformed, beginning with the fastest. Default: all.
    norm : {0, 1, 'ortho', 'backward'}
        0: no scale; 1: the inverse undoes the forward transform; 'ortho': both by 1/sqrt(N).
    axes : sequence of int, optional
        The axes to transform. Default: as `ndim` says.
    cuda_stream : stream, optional
        CuPy's or PyCUDA's. Default: CuPy's current one, or PyCUDA's default.
    cl_queue : pyopencl.CommandQueue, optional
        Default: that of `src`.
    return_scale : bool
        Gives (result, scale) with the factor that keeps the L2 norm.
    tune : bool
        Accepted: plans of this library are chosen for the device anyway.

    Returns
    -------
    array
        `dest`, or a new one.

    Raises
    ------
    RuntimeError
        If the arrays do not fit the transform.

    Examples
    --------
    >>> from seichefft.compat.pyvkfft.fft import fftn  # doctest: +SKIP
    >>> fftn(x, ndim=2)  # doctest: +SKIP
    """
    place = _place_of(src, cuda_stream, cl_queue)
    if dest is None:
        dest = _new_array(place, src, tuple(src.shape), src.dtype)
    return _run(True, src, dest, src, place, return_scale, ndim=ndim, norm=norm, axes=axes)


def ifftn(
    src: Any,
    dest: Any = None,
    ndim: int | None = None,
    norm: Any = 1,
    axes: Any = None,
    cuda_stream: Any = None,
    cl_queue: Any = None,
    return_scale: bool = False,
    tune: bool = False,
) -> Any:
    """The inverse Fourier transform of an array on a device; see `fftn`.

    Examples
    --------
    >>> from seichefft.compat.pyvkfft.fft import ifftn  # doctest: +SKIP
    >>> ifftn(spectrum, ndim=2)  # doctest: +SKIP
    """
    place = _place_of(src, cuda_stream, cl_queue)
    if dest is None:
        dest = _new_array(place, src, tuple(src.shape), src.dtype)
    return _run(False, src, dest, src, place, return_scale, ndim=ndim, norm=norm, axes=axes)


def _fast_axis(x: Any) -> int:
    return 0 if is_fortran_order(x.strides) else len(x.shape) - 1


def rfftn(
    src: Any,
    dest: Any = None,
    ndim: int | None = None,
    norm: Any = 1,
    cuda_stream: Any = None,
    cl_queue: Any = None,
    return_scale: bool = False,
    tune: bool = False,
    r2c_odd: bool = False,
) -> Any:
    """The Fourier transform of a real array on a device.

    Parameters
    ----------
    src : array
        Real. In place its fast axis has 2 elements of padding, or 1 with `r2c_odd`.
    dest, ndim, norm, cuda_stream, cl_queue, return_scale, tune
        As of `fftn`; `dest` has n//2 + 1 elements along the fast axis.
    r2c_odd : bool
        In place: the length without the padding is odd.

    Returns
    -------
    array
        `dest`, or a new one, complex; in place a complex view of `src`.

    Raises
    ------
    RuntimeError
        If the arrays do not fit the transform.

    Examples
    --------
    >>> from seichefft.compat.pyvkfft.fft import rfftn  # doctest: +SKIP
    >>> rfftn(x)  # doctest: +SKIP
    """
    place = _place_of(src, cuda_stream, cl_queue)
    if src.dtype not in _TO_COMPLEX:
        raise RuntimeError(f"src: expected real elements of float16, float32 or float64, got {src.dtype}")
    if dest is None:
        shape = list(src.shape)
        shape[_fast_axis(src)] = shape[_fast_axis(src)] // 2 + 1
        dest = _new_array(place, src, tuple(shape), _TO_COMPLEX[src.dtype])
    return _run(True, src, dest, src, place, return_scale, ndim=ndim, norm=norm, r2c=True, r2c_odd=r2c_odd)


def irfftn(
    src: Any,
    dest: Any = None,
    ndim: int | None = None,
    norm: Any = 1,
    cuda_stream: Any = None,
    cl_queue: Any = None,
    return_scale: bool = False,
    tune: bool = False,
    r2c_odd: bool = False,
) -> Any:
    """The inverse of `rfftn`.

    Parameters
    ----------
    src : array
        Complex, with n//2 + 1 elements along the fast axis. Out of place it stays as it was.
    dest, ndim, norm, cuda_stream, cl_queue, return_scale, tune
        As of `fftn`.
    r2c_odd : bool
        The real length is odd, 2 m - 1 of m complex values; else 2 m - 2. Not asked where `dest` says it.

    Returns
    -------
    array
        `dest`, or a new one, real; in place a real view of `src`, with its padding.

    Raises
    ------
    RuntimeError
        If the arrays do not fit the transform.

    Examples
    --------
    >>> from seichefft.compat.pyvkfft.fft import irfftn  # doctest: +SKIP
    >>> irfftn(spectrum)  # doctest: +SKIP
    """
    place = _place_of(src, cuda_stream, cl_queue)
    if src.dtype not in _TO_REAL:
        raise RuntimeError(f"src: expected complex elements, got {src.dtype}")
    fast = _fast_axis(src)
    if dest is None:
        shape = list(src.shape)
        shape[fast] = 2 * (shape[fast] - 1) + (1 if r2c_odd else 0)
        dest = _new_array(place, src, tuple(shape), _TO_REAL[src.dtype])
    real = dest
    if _is_same(place, src, dest):
        real = _AsReal(src, fast, _TO_REAL[src.dtype])
    return _run(False, src, dest, real, place, return_scale, ndim=ndim, norm=norm, r2c=True, r2c_odd=r2c_odd)


class _AsReal:
    """Shape, type and strides of a complex array as the real one that it is made into in place."""

    def __init__(self, x: Any, fast: int, dtype: Any) -> None:
        self.dtype = dtype
        self.shape = tuple(2 * count if axis == fast else count for axis, count in enumerate(x.shape))
        self.strides = tuple(dtype.itemsize if axis == fast else step for axis, step in enumerate(x.strides))


def _real_to_real(
    family: str, is_forward: bool, src: Any, dest: Any, ndim: Any, norm: Any, kind: Any, cuda_stream: Any, cl_queue: Any
) -> Any:
    place = _place_of(src, cuda_stream, cl_queue)
    if dest is None:
        dest = _new_array(place, src, tuple(src.shape), src.dtype)
    return _run(is_forward, src, dest, src, place, False, ndim=ndim, norm=norm, **{family: kind})


def dctn(
    src: Any,
    dest: Any = None,
    ndim: int | None = None,
    norm: Any = 1,
    dct_type: int = 2,
    cuda_stream: Any = None,
    cl_queue: Any = None,
    tune: bool = False,
) -> Any:
    """The cosine transform of a real array on a device, as `scipy.fft.dctn` has it.

    Parameters
    ----------
    src : array
        Real.
    dest, ndim, norm, cuda_stream, cl_queue, tune
        As of `fftn`.
    dct_type : {1, 2, 3, 4}
        Its type.

    Returns
    -------
    array
        `dest`, or a new one.

    Raises
    ------
    RuntimeError
        If the arrays do not fit the transform.

    Examples
    --------
    >>> from seichefft.compat.pyvkfft.fft import dctn  # doctest: +SKIP
    >>> dctn(x, dct_type=3)  # doctest: +SKIP
    """
    return _real_to_real("dct", True, src, dest, ndim, norm, dct_type, cuda_stream, cl_queue)


def idctn(
    src: Any,
    dest: Any = None,
    ndim: int | None = None,
    norm: Any = 1,
    dct_type: int = 2,
    cuda_stream: Any = None,
    cl_queue: Any = None,
    tune: bool = False,
) -> Any:
    """The inverse of `dctn` of that type.

    Examples
    --------
    >>> from seichefft.compat.pyvkfft.fft import idctn  # doctest: +SKIP
    >>> idctn(x, dct_type=3)  # doctest: +SKIP
    """
    return _real_to_real("dct", False, src, dest, ndim, norm, dct_type, cuda_stream, cl_queue)


def dstn(
    src: Any,
    dest: Any = None,
    ndim: int | None = None,
    norm: Any = 1,
    dst_type: int = 2,
    cuda_stream: Any = None,
    cl_queue: Any = None,
    tune: bool = False,
) -> Any:
    """The sine transform of a real array on a device, as `scipy.fft.dstn` has it; see `dctn`.

    Examples
    --------
    >>> from seichefft.compat.pyvkfft.fft import dstn  # doctest: +SKIP
    >>> dstn(x, dst_type=1)  # doctest: +SKIP
    """
    return _real_to_real("dst", True, src, dest, ndim, norm, dst_type, cuda_stream, cl_queue)


def idstn(
    src: Any,
    dest: Any = None,
    ndim: int | None = None,
    norm: Any = 1,
    dst_type: int = 2,
    cuda_stream: Any = None,
    cl_queue: Any = None,
    tune: bool = False,
) -> Any:
    """The inverse of `dstn` of that type.

    Examples
    --------
    >>> from seichefft.compat.pyvkfft.fft import idstn  # doctest: +SKIP
    >>> idstn(x, dst_type=1)  # doctest: +SKIP
    """
    return _real_to_real("dst", False, src, dest, ndim, norm, dst_type, cuda_stream, cl_queue)


def clear_vkfftapp_cache() -> None:
    """Lets go of every VkFFTApp that the functions keep."""
    _app.cache_clear()
