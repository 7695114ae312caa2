"""pyvkfft.cuda: `VkFFTApp` for arrays of CuPy and PyCUDA."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from ... import _native
from ._app import VkFFTApp as _VkFFTApp
from ._cuda_arrays import has_cupy, has_pycuda, library_named, library_of, stream_number
from .version import vkfft_max_fft_dimensions, vkfft_version

if not has_cupy and not has_pycuda:
    raise ImportError("seichefft.compat.pyvkfft.cuda: expected CuPy or PyCUDA, and neither is installed")

__all__ = ["VkFFTApp", "has_cupy", "has_pycuda", "vkfft_max_fft_dimensions", "vkfft_version"]


class VkFFTApp(_VkFFTApp):
    """A transform of CuPy's or PyCUDA's arrays made ready on the current card or context.

    Parameters
    ----------
    shape, dtype, ndim, inplace, norm, r2c, dct, dst, axes, strides, r2c_odd
        As of `_app.VkFFTApp`.
    stream : cupy.cuda.Stream, pycuda.driver.Stream or int, optional
        Where it runs. Default: CuPy's current stream at each call, PyCUDA's default stream.
    tune_config : dict, optional
        Accepted: plans of this library are chosen for the device anyway.
    verbose : bool
        Prints a line about the transform.
    **kwargs
        Options of VkFFT's compiler, such as ``useLUT``: accepted and without effect, but for those that would change
        the result.

    Raises
    ------
    RuntimeError
        If the transform makes no sense, or the device lacks what it needs.
    """

    def __init__(
        self,
        shape: Sequence[int],
        dtype: Any,
        ndim: int | None = None,
        inplace: bool = True,
        stream: Any = None,
        norm: Any = 1,
        r2c: bool = False,
        dct: Any = False,
        dst: Any = False,
        axes: Any = None,
        strides: Sequence[int] | None = None,
        tune_config: dict[str, Any] | None = None,
        r2c_odd: bool = False,
        verbose: bool = False,
        **kwargs: Any,
    ) -> None:
        library = library_named(kwargs.pop("library", None) or _first_library(stream))
        is_lazy = kwargs.pop("is_lazy", False)  # of the functions in `fft`, which use one direction
        super().__init__(
            shape, dtype, ndim, inplace, norm, r2c, dct, dst, axes, strides, r2c_odd, library.device(), library, kwargs
        )
        self.stream = stream
        if not is_lazy:
            self._prepare()
        if verbose:
            print(self)

    def fft(self, src: Any, dest: Any = None) -> Any:
        """The forward transform.

        Parameters
        ----------
        src : cupy.ndarray or pycuda.gpuarray.GPUArray
            The array, real for r2c, dct and dst.
        dest : array, optional
            Where the result goes out of place; in place None or `src`.

        Returns
        -------
        array
            `dest`, or in place `src`; of r2c in place a complex view of `src`.

        Raises
        ------
        RuntimeError
            If an array does not fit the transform.
        """
        return self._run_on(True, src, dest)

    def ifft(self, src: Any, dest: Any = None) -> Any:
        """The inverse transform; of r2c complex to real. See `fft`; the source out of place stays as it was."""
        return self._run_on(False, src, dest)

    def _run_on(self, is_forward: bool, src: Any, dest: Any) -> Any:
        library = library_of(src)
        if library is None or (dest is not None and library_of(dest) is not library):
            raise RuntimeError(
                f"src, dest: expected arrays of CuPy or of PyCUDA, got {type(src).__name__} and {type(dest).__name__}"
            )
        if library is not self._library:  # an app is of either's arrays; its device is the one of the first
            if library.device().info.name != self._device.info.name:
                raise RuntimeError(f"src: expected an array of {self._library.name}, as the app's device is its")
            self._library, self._device = library, library.device()
            self._calls.clear()
        stream = stream_number(self.stream)
        return self._run(is_forward, src, dest, library.current_stream() if stream is None else stream)

    def _is_same_memory(self, x: Any, y: Any) -> bool:
        return bool(self._library.address(x) == self._library.address(y))

    def _enqueue(self, call: _native.Call, src: Any, dest: Any, stream: Any) -> None:
        count = call.workspace_bytes
        keeper, workspace = self._library.scratch(count, stream) if count else (None, 0)
        call.enqueue(self._library.address(src), self._library.address(dest), workspace, stream)
        del keeper


def _first_library(stream: Any) -> str:
    """Whose arrays an app is for before it has seen any: the stream's, else those of the library that is imported."""
    name = type(stream).__module__.partition(".")[0]
    if name in ("cupy", "pycuda"):
        return name
    for name in ("cupy", "pycuda"):
        if name in sys.modules:
            return name
    return "cupy" if has_cupy else "pycuda"
