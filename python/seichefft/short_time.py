"""Short-time plans: frames of signals, windowed and transformed in one pass over memory, and the signals again."""

from __future__ import annotations

import re
from typing import Any

from . import _checks, _native
from ._arrays import Arrays, adapter_of
from ._arrays._contract import Element
from ._cache import DenseReady
from ._dense import DenseCalls
from ._devices import Device, native_of
from .plans import _PRECISIONS, _name_of

__all__ = ["ShortTimePlan"]


class ShortTimePlan(DenseCalls):
    """A short-time Fourier transform of real signals, or its inverse, made ready to run on a device.

    Immutable; threads may share it.

    Parameters
    ----------
    samples : int
        Of a signal.
    window : sequence of float
        What each frame is multiplied by; it has the length of the transforms, n.
    hop : int
        Samples from one frame to the next.
    dtype : dtype or str, optional
        Of the signals: ``'float32'`` or ``'float64'``. Default: ``'float64'``.
    inverse : bool, optional
        From spectra to signals, by least squares: the sum of frames times windows, over the sum of squared windows.
    padding : {'zeros', 'none', 'reflect'}, optional
        What lies beside the signal, so that frame t is around sample t * hop; with ``'none'`` it begins there.
    value : {'complex', 'power', 'decibels'}, optional
        What is stored of each bin. Of the inverse ``'complex'``.
    order : {'frames-first', 'frequencies-first'}, optional
        Spectra are (frames, n // 2 + 1), or (n // 2 + 1, frames) as PyTorch's and SciPy's.
    batch : int, optional
        So many signals, as a first axis. Default: no such axis.
    device : Device or str, optional
        Default: the one for arrays of the host (`seichefft.config.device`).
    tuning : str, optional
        What the library would choose by itself, such as ``transforms-per-group``.

    Raises
    ------
    TypeError, ValueError
        For a transform that makes no sense, or an inverse whose windows leave samples undetermined, in one line.

    Examples
    --------
    >>> import numpy as np, seichefft
    >>> x = np.cos(2 * np.pi * 3 / 16 * np.arange(64))
    >>> window = np.hanning(17)[:-1]
    >>> z = seichefft.ShortTimePlan(64, window, 4)(x)
    >>> z.shape
    (17, 9)
    >>> bool(np.allclose(seichefft.ShortTimePlan(64, window, 4, inverse=True)(z), x))
    True
    """

    def __init__(
        self,
        samples: int,
        window: Any,
        hop: int,
        dtype: Any = "float64",
        *,
        inverse: bool = False,
        padding: str = "zeros",
        value: str = "complex",
        order: str = "frames-first",
        batch: int | None = None,
        device: Device | str | None = None,
        tuning: str = "",
    ) -> None:
        name = _name_of(dtype)
        precision, storage = _PRECISIONS[name]
        if name.startswith("c") or storage != "same":
            raise ValueError(f"dtype: expected float32 or float64, got {dtype}")
        problem = _native.ShortTimeProblem.make(
            _checks.integer("samples", samples, 1),
            [_checks.number(f"window[{i}]", one) for i, one in enumerate(_checks.sequence("window", window))],
            _checks.integer("hop", hop, 1),
            direction="inverse" if inverse else "forward",
            padding=_checks.word("padding", padding, "zeros", "none", "reflect"),
            value=_checks.word("value", value, "complex", "power", "decibels"),
            order=_checks.word("order", order, "frames-first", "frequencies-first"),
            batch=1 if batch is None else _checks.integer("batch", batch, 1),
            precision=precision,
        )
        where = native_of(device)
        plan = _native.ShortTimePlan.make(where, problem, _checks.word("tuning", tuning))
        self._set(plan, where, batch is not None)

    def _set(self, plan: _native.ShortTimePlan, device: _native.Device, has_batch: bool) -> None:
        self._plan = plan
        self._device = device
        self._problem = problem = plan.problem
        self._has_batch = has_batch
        spectra = (problem.frames, problem.bins)
        shapes = ((problem.samples,), spectra if problem.order == "frames-first" else spectra[::-1])
        precision = problem.precision
        elements = (Element(precision, "same", False), Element(precision, "same", problem.value == "complex"))
        self._shapes = shapes[::-1] if problem.is_inverse else shapes
        self._elements = elements[::-1] if problem.is_inverse else elements
        self._repeats = {}

    def _shape(self, end: int) -> tuple[int, ...]:
        first = (self._problem.batch,) if self._has_batch else ()
        return (*first, *self._shapes[end])

    @property
    def input_shape(self) -> tuple[int, ...]:
        """Of the array that a call takes, with the batch."""
        return self._shape(0)

    @property
    def output_shape(self) -> tuple[int, ...]:
        """Of the result, with the batch."""
        return self._shape(1)

    @property
    def problem(self) -> str:
        """The transform as text."""
        return str(self._problem)

    @property
    def device(self) -> Device:
        """Where it runs."""
        return Device._of(self._device)

    @property
    def workspace_bytes(self) -> int:
        """Bytes of scratch memory that one call takes."""
        return self._plan.workspace_bytes()

    @property
    def report(self) -> _native.PlanReport:
        """Kernels and bytes moved; ``str()`` of it is for people."""
        return self._plan.report

    def __call__(self, x: Any, out: Any = None, *, stream: int | None = None) -> Any:
        """Transforms an array.

        Parameters
        ----------
        x : array
            Of `input_shape`.
        out : array, optional
            Where the result goes, of `output_shape`: dense and apart from `x`, or with a copy. Default: a new array.
        stream : int, optional
            The native stream or command queue. Default: the current one of the array's library.

        Returns
        -------
        array
            `out`, or a new one. On a device it is written when the stream has come so far.

        Raises
        ------
        TypeError, ValueError
            If an array does not fit the plan.
        """
        adapter = adapter_of(x)
        key = adapter.numbers_signature(x) if out is None and stream is None else None
        ready = self._repeats.get(key)
        if ready is not None:
            again = adapter.repeat_dense(ready, (x,), ())
            if again is not None:
                return again
        array = self._checked(adapter, "x", x, self._shape(0), self._elements[0])
        result = self._shape(1)
        target = self._target(adapter, array, out, result, self._elements[1])
        queue = self._execute(adapter, array, target, stream)
        if target is out:
            return out
        if out is not None and stream is not None:
            queue.wait()  # the library copies on another stream
        target = adapter.finish(target, result)
        if out is None:
            make = lambda: _native.ShortTimeCall(self._plan)  # noqa: E731
            self._keep_repeat(key, adapter, [(x, array)], make, self._elements[0], target)
            return target
        adapter.copy_into(out, target)
        return out

    def _repeat_of(self, adapter: Arrays, x: Any) -> DenseReady | None:
        """The call on arrays like `x`, if it is remembered."""
        return self._repeats.get(adapter.numbers_signature(x))

    def _execute(self, adapter: Arrays, x: Any, target: Any, stream: int | None) -> _native.Queue:
        queue = self._queue(adapter, x, stream)
        kept, workspace = self._scratch(adapter, x, self._plan.workspace_bytes())
        count = target.nbytes
        brought = self._device.allocate(count) if self._is_staged(adapter, x) and count else None
        source = self._memory(adapter, queue, x, x.nbytes)
        if hasattr(adapter, "begin"):
            adapter.begin(queue, [x, target])
        into = brought if brought is not None else adapter.address(target)
        self._plan.execute(queue, source, into, workspace)
        if hasattr(adapter, "end"):
            adapter.end(queue, [target])
        if brought is not None:
            queue.download(adapter.address(target), brought, count)
        del kept
        return queue

    def save(self) -> bytes:
        """The plan as bytes, with its window and its compiled kernels, for `load`."""
        return f"seichefft-short-time 1 {int(self._has_batch)}\n".encode() + self._plan.save()

    @classmethod
    def load(cls, data: bytes, device: Device | str | None = None) -> ShortTimePlan:
        """A plan from the bytes of `save`; load only what you trust, since kernels go to the driver as they are.

        Raises
        ------
        ValueError
            For bytes that are no plan, or damaged.
        """
        head, _, rest = _checks.content("load", data).partition(b"\n")
        match = re.match(rb"seichefft-short-time 1 ([01])$", head)
        if match is None:
            raise ValueError("load: expected the bytes of a short-time plan that seichefft saved")
        plan = cls.__new__(cls)
        where = native_of(device)
        plan._set(_native.ShortTimePlan.load(where, rest), where, match[1] == b"1")
        return plan

    def __reduce__(self) -> tuple[Any, ...]:
        """As `save` and `load` do it, for a process that has the same device."""
        return ShortTimePlan.load, (self.save(), self.device)

    def __copy__(self) -> ShortTimePlan:
        return self

    def __deepcopy__(self, _: Any) -> ShortTimePlan:
        return self

    def __repr__(self) -> str:
        return f"<seichefft.ShortTimePlan {self.problem!r} on {self._device.info.name}>"
