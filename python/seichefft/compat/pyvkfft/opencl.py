"""pyvkfft.opencl: `VkFFTApp` for PyOpenCL's arrays."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import pyopencl as cl
import pyopencl.array as cla

from ... import _native
from ..._arrays._pyopencl import adapter, device_of_queue
from . import config
from ._app import VkFFTApp as _VkFFTApp
from .version import vkfft_max_fft_dimensions, vkfft_version

__all__ = ["VkFFTApp", "vkfft_max_fft_dimensions", "vkfft_version"]


class VkFFTApp(_VkFFTApp):
    """A transform of PyOpenCL's arrays made ready on a command queue.

    Parameters
    ----------
    shape, dtype, ndim, inplace, norm, r2c, dct, dst, axes, strides, r2c_odd
        As of `_app.VkFFTApp`.
    queue : pyopencl.CommandQueue
        In order; its context and device are the transform's.
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

    Examples
    --------
    >>> import numpy as np, pyopencl as cl, pyopencl.array as cla  # doctest: +SKIP
    >>> queue = cl.CommandQueue(cl.create_some_context())  # doctest: +SKIP
    >>> app = VkFFTApp((4, 8), np.complex64, queue, ndim=1)  # doctest: +SKIP
    >>> app.fft(cla.to_device(queue, np.ones((4, 8), np.complex64)))  # doctest: +SKIP
    """

    def __init__(
        self,
        shape: Sequence[int],
        dtype: Any,
        queue: Any,
        ndim: int | None = None,
        inplace: bool = True,
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
        if not isinstance(queue, cl.CommandQueue):
            raise RuntimeError(f"queue: expected a pyopencl.CommandQueue, got {type(queue).__name__}")
        is_lazy = kwargs.pop("is_lazy", False)  # of the functions in `fft`, which use one direction
        super().__init__(
            shape, dtype, ndim, inplace, norm, r2c, dct, dst, axes, strides, r2c_odd, device_of_queue(queue), adapter,
            kwargs,
        )  # fmt: skip
        self.queue = queue
        if not is_lazy:
            self._prepare()
        if verbose:
            print(self)

    def fft(self, src: Any, dest: Any = None, queue: Any = None) -> Any:
        """The forward transform.

        Parameters
        ----------
        src : pyopencl.array.Array
            The array, real for r2c, dct and dst.
        dest : pyopencl.array.Array, optional
            Where the result goes out of place; in place None or `src`.
        queue : pyopencl.CommandQueue, optional
            Where it runs. Default: the queue of the arrays.

        Returns
        -------
        pyopencl.array.Array
            `dest`, or in place `src`; of r2c in place a complex view of `src`.

        Raises
        ------
        RuntimeError
            If an array does not fit the transform, or source and destination have different queues and none is named.
        """
        return self._run(True, src, dest, self._queue(src, dest, queue))

    def ifft(self, src: Any, dest: Any = None, queue: Any = None) -> Any:
        """The inverse transform; of r2c complex to real. See `fft`; the source out of place stays as it was."""
        return self._run(False, src, dest, self._queue(src, dest, queue))

    def _queue(self, src: Any, dest: Any, queue: Any) -> Any:
        for what, x in (("src", src), ("dest", dest)):
            if not isinstance(x, cla.Array) and (x is not None or what == "src"):
                raise RuntimeError(f"{what}: expected a pyopencl.array.Array, got {type(x).__name__}")
        if queue is None:
            queues = [x.queue for x in (src, dest) if x is not None and x.queue is not None]
            if not queues:
                warnings.warn(
                    "neither the arrays nor the call have a queue: the app's is taken; use x.with_queue(queue)",
                    DeprecationWarning,
                    stacklevel=3,
                )
                queues = [self.queue]
            queue = queues[0]
            if any(other != queue for other in queues):
                raise RuntimeError("queue: expected one, because source and destination have different queues")
        if config.WARN_OPENCL_QUEUE_MISMATCH and queue != self.queue:
            warnings.warn(
                "the transform runs on another queue than the app was made for; "
                "config.WARN_OPENCL_QUEUE_MISMATCH = False silences this",
                UserWarning,
                stacklevel=3,
            )
        return queue

    def _is_same_memory(self, x: Any, y: Any) -> bool:
        return bool(x.base_data == y.base_data and x.offset == y.offset)

    def _enqueue(self, call: _native.Call, src: Any, dest: Any, stream: Any) -> None:
        adapter.run_on(call, src, dest, stream)
