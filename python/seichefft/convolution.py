"""Convolution and correlation in one plan: transform, product and transform back, fused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from . import _checks, _native
from ._arrays import Arrays, adapter_of
from ._arrays._contract import Element
from ._cache import DenseReady
from ._dense import DenseCalls
from ._devices import Device, native_of
from .plans import _PRECISIONS, _name_of

__all__ = ["ConvolutionPlan", "Spectrum"]


#: The parameters that a convolution as text says, where they are not given.
_OF_A_SHAPE = (None, "float64", "full", "convolve", "time", 1, 1, "full", None, 0)


class Spectrum:
    """Kernels that a ConvolutionPlan has transformed once for all its calls: what `ConvolutionPlan.prepare` gives."""

    def __init__(self, plan: ConvolutionPlan, memory: Any, keeper: Any) -> None:
        self.plan = plan
        self.memory = memory
        self._keeper = keeper


def _lengths(what: str, lengths: Any) -> str:
    numbers = _checks.integers(what, (lengths,) if _checks.is_integer(lengths) else lengths)
    if not numbers:
        raise ValueError(f"{what}: expected at least one axis, got none")
    return "x".join(map(str, numbers))


class ConvolutionPlan(DenseCalls):
    """A convolution or correlation made ready to run on a device. Immutable; threads may share it.

    Parameters
    ----------
    signal : int, sequence of int or str
        The shape of one signal. Or the convolution as text, ``"512x512 * 31x31 same f32 batch=4"``; of the parameters
        below, ``device`` and ``tuning`` serve then, and others are a TypeError.
    kernel : int, sequence of int or None
        The shape of one kernel; None where ``domain`` is ``'frequency'``.
    dtype : dtype or str, optional
        Of signal, kernels and result. Default: ``'float64'``.
    mode : {'full', 'same', 'valid', 'circular', 'causal'}, optional
        Which part of the result, as SciPy has them.
    product : {'convolve', 'correlate', 'phase'}, optional
        What is computed; ``'phase'`` is phase correlation, circular.
    domain : {'time', 'frequency'}, optional
        Kernels by their values, or by their spectra (circular).
    inputs, outputs : int, optional
        Channels, as an axis before the signal's in input and output. Default: 1, and no such axes.
    channels : {'full', 'symmetric', 'diagonal'}, optional
        Which kernel leads from which input channel to which output channel.
    batch : int, optional
        So many signals, as a first axis. Default: no such axis.
    block : int, optional
        Points of a block of overlap-save; 0: chosen, 1: never.
    device : Device or str, optional
        Default: the one for arrays of the host (`seichefft.config.device`).
    tuning : str, optional
        What the library would choose by itself.

    Raises
    ------
    TypeError, ValueError
        For a convolution that makes no sense.
    seichefft.Unsupported
        Where the device lacks what it needs.

    Examples
    --------
    >>> import numpy as np, seichefft
    >>> plan = seichefft.ConvolutionPlan(4, 2)
    >>> plan(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, -1.0])).round(9).tolist()
    [1.0, 1.0, 1.0, 1.0, -4.0]
    """

    def __init__(
        self,
        signal: int | Sequence[int] | str,
        kernel: int | Sequence[int] | None = None,
        dtype: Any = "float64",
        *,
        mode: str = "full",
        product: str = "convolve",
        domain: str = "time",
        inputs: int = 1,
        outputs: int = 1,
        channels: str = "full",
        batch: int | None = None,
        block: int = 0,
        device: Device | str | None = None,
        tuning: str = "",
    ) -> None:
        if isinstance(signal, str):
            text = signal
            rest = (kernel, dtype, mode, product, domain, inputs, outputs, channels, batch, block)
            if rest != _OF_A_SHAPE:
                raise TypeError("signal: expected nothing besides a convolution as text but device and tuning")
        else:
            _checks.word("domain", domain, "time", "frequency")
            if (kernel is None) != (domain == "frequency"):
                raise ValueError("kernel: expected a shape, or None with domain='frequency'")
            text = _text(signal, kernel, dtype, mode, product, inputs, outputs, channels, batch, block)
        words = text.split()
        convolution = _native.Convolution.parse(text)
        where = native_of(device)
        plan = _native.ConvolutionPlan.make(where, convolution, _checks.word("tuning", tuning))
        has_batch = any(word.startswith("batch=") for word in words)
        self._set(plan, where, has_batch)

    def _set(self, plan: _native.ConvolutionPlan, device: _native.Device, has_batch: bool) -> None:
        self._plan = plan
        self._device = device
        self._convolution = convolution = plan.convolution
        self._has_batch = has_batch
        self._has_channels = convolution.inputs > 1 or convolution.outputs > 1
        self._element = Element(convolution.precision, convolution.storage, convolution.complex)
        self._host_bytes = plan.host_bytes()
        self._repeats = {}

    def _shape(self, channels: int, lengths: Sequence[int], batch: int | None = None) -> tuple[int, ...]:
        first = (self._convolution.batch if batch is None else batch,) if self._has_batch else ()
        return (*first, *((channels,) if self._has_channels else ()), *lengths)

    @property
    def input_shape(self) -> tuple[int, ...]:
        """Of the signals, for the plan's batch: `(batch, inputs, *signal)`, without axes that were not asked for."""
        return self._shape(self._convolution.inputs, self._convolution.signal)

    @property
    def output_shape(self) -> tuple[int, ...]:
        """Of the result, for the plan's batch: `(batch, outputs, *result)`."""
        return self._shape(self._convolution.outputs, self._convolution.result_lengths)

    @property
    def kernel_shape(self) -> tuple[int, ...]:
        """Of the kernels: `(count, *kernel)` where there are channels, else that of the one kernel."""
        lengths = list(self._convolution.kernel)
        if self._convolution.is_frequency:
            lengths = list(self._convolution.signal)
            if not self._convolution.complex:
                lengths[-1] = lengths[-1] // 2 + 1
        return (*((self._convolution.kernel_count,) if self._has_channels else ()), *lengths)

    @property
    def convolution(self) -> str:
        """The convolution as text."""
        return str(self._convolution)

    @property
    def device(self) -> Device:
        """Where it runs."""
        return Device._of(self._device)

    @property
    def padded_lengths(self) -> list[int]:
        """Points that each axis is padded to; of overlap-save those of a block."""
        return list(self._plan.padded_lengths)

    @property
    def workspace_bytes(self) -> int:
        """Bytes of scratch memory that one call takes, for the plan's batch."""
        return self._plan.workspace_bytes()

    @property
    def report(self) -> _native.PlanReport:
        """Kernels and bytes moved; ``str()`` of it is for people."""
        return self._plan.report

    # --- running ------------------------------------------------------------------------------------------------

    def prepare(self, kernels: Any, *, stream: int | None = None) -> Spectrum:
        """Transforms the kernels once, for as many calls as are wanted.

        Parameters
        ----------
        kernels : array
            Of `kernel_shape`, and of the plan's type; in frequency complex.
        stream : int, optional
            As for a call.

        Returns
        -------
        Spectrum
            What a call takes in place of the kernels.

        Raises
        ------
        TypeError, ValueError
            If the kernels do not fit the plan.
        """
        adapter = adapter_of(kernels)
        array = self._checked(adapter, "kernels", kernels, self.kernel_shape, self._kernel_element())
        queue = self._queue(adapter, array, stream)
        keeper, spectrum = self._scratch(adapter, array, self._plan.spectrum_bytes())
        kept, workspace = self._scratch(adapter, array, self._plan.preparation_bytes())
        if hasattr(adapter, "begin"):
            adapter.begin(queue, [array])
        memory = self._memory(adapter, queue, array, self._plan.kernel_bytes())
        self._plan.prepare(queue, memory, spectrum, workspace)
        queue.wait()
        del kept
        return Spectrum(self, spectrum, keeper)

    def __call__(self, x: Any, kernels: Any, out: Any = None, *, stream: int | None = None) -> Any:
        """Convolves signals with kernels.

        Parameters
        ----------
        x : array
            Of `input_shape`; a first axis of another length than ``batch`` is another batch.
        kernels : array or Spectrum
            Of `kernel_shape`, or what `prepare` made of such.
        out : array, optional
            Where the result goes, of `output_shape`: dense and apart from `x`, or with a copy. Default: a new array.
        stream : int, optional
            The native stream or command queue. Default: the current one of the array's library.

        Returns
        -------
        array
            `out`, or a new one.

        Raises
        ------
        TypeError, ValueError
            If an array does not fit the plan.
        """
        key: Any = None
        if out is None and stream is None and not isinstance(kernels, Spectrum):
            adapter = adapter_of(x)
            if adapter_of(kernels) is adapter:
                signatures = adapter.numbers_signature(x), adapter.numbers_signature(kernels)
                key = None if None in signatures else signatures
            ready = self._repeats.get(key)
            again = None if ready is None else adapter.repeat_dense(ready, (x, kernels), ())
            if again is not None:
                return again
            result = self._on_host(x, kernels)
            if result is not None:
                own = self._convolution.batch if self._has_batch else None
                self._keep_repeat(
                    key, adapter, [], lambda: _native.ConvolutionCall(self._plan, own), self._element, result
                )
                return result
        spectrum = kernels if isinstance(kernels, Spectrum) else self.prepare(kernels, stream=stream)
        if spectrum.plan is not self:
            raise ValueError("kernels: expected a spectrum that this plan prepared, got another plan's")
        adapter = adapter_of(x)
        shape = tuple(adapter.asarray(x).shape)
        batch = shape[0] if self._has_batch and shape else None
        convolution = self._convolution
        array = self._checked(
            adapter, "x", x, self._shape(convolution.inputs, convolution.signal, batch), self._element
        )
        result = self._shape(convolution.outputs, convolution.result_lengths, batch)
        target = self._target(adapter, array, out, result, self._element)
        queue = self._queue(adapter, array, stream)
        kept, workspace = self._scratch(adapter, array, self._plan.workspace_bytes(batch))
        count = self._plan.output_bytes(batch)
        staged = self._is_staged(adapter, array)
        brought = self._device.allocate(count) if staged and count else None
        source = self._memory(adapter, queue, array, self._plan.input_bytes(batch))
        if hasattr(adapter, "begin"):
            adapter.begin(queue, [array, target])
        self._plan.execute(queue, source, spectrum.memory, brought or adapter.address(target), workspace, batch)
        if hasattr(adapter, "end"):
            adapter.end(queue, [target])
        if brought is not None:
            queue.download(adapter.address(target), brought, count)
        del kept
        if target is out:
            return out
        if out is not None and stream is not None:
            queue.wait()  # the library copies on another stream
        target = adapter.finish(target, result)
        if out is None:
            if key is not None:
                kernels_used = self._checked(adapter, "kernels", kernels, self.kernel_shape, self._kernel_element())
                make = lambda: _native.ConvolutionCall(self._plan, batch)  # noqa: E731
                pairs = [(x, array), (kernels, kernels_used)]
                self._keep_repeat(key, adapter, pairs, make, self._element, target)
            return target
        adapter.copy_into(out, target)
        return out

    def _repeat_of(self, adapter: Arrays, x: Any, kernels: Any) -> DenseReady | None:
        """The call on arrays like these, if it is remembered."""
        return self._repeats.get((adapter.numbers_signature(x), adapter.numbers_signature(kernels)))

    def _kernel_element(self) -> Element:
        is_complex = self._convolution.complex or self._convolution.is_frequency
        return self._element._replace(is_complex=is_complex)

    def _on_host(self, x: Any, kernels: Any) -> Any:
        """The result of arrays of NumPy's that have the plan's shapes and types and lie as it wants them; else None."""
        native, element = self._plan, self._element
        if self._device.backend != "cpu" or type(x) is not type(kernels) or element.precision == "f64x2":
            return None
        adapter = adapter_of(x)
        if (
            adapter.name != "numpy"
            or not adapter.is_out(x)
            or element.storage != "same"
            or self._convolution.is_frequency
        ):
            return None
        if x.shape != self.input_shape or kernels.shape != self.kernel_shape:
            return None
        out = adapter.empty(self.output_shape, element, x)
        if x.dtype != out.dtype or kernels.dtype != out.dtype:
            return None
        if not all(one.flags.c_contiguous and one.flags.aligned for one in (x, kernels)):
            return None
        keeper, memory = adapter.workspace(self._host_bytes, x)
        native.host(x, kernels, out, memory)
        del keeper
        return out

    def save(self) -> bytes:
        """The plan as bytes, with its compiled kernels, for `load`; spectra of kernels are not among them."""
        return f"seichefft-convolution 1 {int(self._has_batch)}\n".encode() + self._plan.save()

    @classmethod
    def load(cls, data: bytes, device: Device | str | None = None) -> ConvolutionPlan:
        """A plan from the bytes of `save`; load only what you trust, since kernels go to the driver as they are.

        Raises
        ------
        ValueError
            For bytes that are no plan, or damaged.
        """
        head, _, rest = _checks.content("load", data).partition(b"\n")
        match = re.match(rb"seichefft-convolution 1 ([01])$", head)
        if match is None:
            raise ValueError("load: expected the bytes of a convolution plan that seichefft saved")
        plan = cls.__new__(cls)
        where = native_of(device)
        plan._set(_native.ConvolutionPlan.load(where, rest), where, match[1] == b"1")
        return plan

    def __copy__(self) -> ConvolutionPlan:
        return self

    def __deepcopy__(self, _: Any) -> ConvolutionPlan:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """As `save` and `load` do it, for a process that has the same device."""
        return ConvolutionPlan.load, (self.save(), self.device)

    def __repr__(self) -> str:
        return f"<seichefft.ConvolutionPlan {self.convolution!r} on {self._device.info.name}>"

    def _repr_html_(self) -> str:
        from ._html import table_page

        return table_page(self._plan.report, self._device)


def _text(
    signal: Any,
    kernel: Any,
    dtype: Any,
    mode: str,
    product: str,
    inputs: int,
    outputs: int,
    channels: str,
    batch: int | None,
    block: int,
) -> str:
    name = _name_of(dtype)
    precision, storage = _PRECISIONS[name]
    words = [_lengths("signal", signal), "*", "spectrum" if kernel is None else _lengths("kernel", kernel)]
    words.append(_checks.word("mode", mode, "full", "same", "valid", "circular", "causal"))
    words.append(_checks.word("product", product, "convolve", "correlate", "phase"))
    words.append(precision)
    words.append("complex" if name.startswith("c") else "real")
    words += [] if storage == "same" else [f"storage={storage}"]
    words.append(f"inputs={_checks.integer('inputs', inputs)}")
    words.append(f"outputs={_checks.integer('outputs', outputs)}")
    words += [] if batch is None else [f"batch={_checks.integer('batch', batch)}"]
    words += [f"block={_checks.integer('block', block)}"] if block else []
    if _checks.word("channels", channels, "full", "symmetric", "diagonal") != "full":
        words.append(f"channels={channels}")
    return " ".join(words)
