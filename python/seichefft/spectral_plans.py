"""Spectral plans: forward transform, a stage for each bin, inverse transform, or the other way round, fused."""

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
from ._stages import StageArguments
from .plans import _PRECISIONS, _name_of

__all__ = ["SpectralPlan"]

_KINDS = ("periodic", *(f"{family}{number}" for family in ("dct", "dst") for number in (1, 2, 3, 4)))


def _ranges(what: str, ranges: Any) -> list[tuple[int, int]]:
    result = []
    for place, one in enumerate(() if ranges is None else _checks.sequence(what, ranges)):
        numbers = _checks.integers(f"{what}[{place}]", one)
        if len(numbers) != 2:
            raise ValueError(f"{what}[{place}]: expected (begin, end), got {len(numbers)} numbers")
        result.append((numbers[0], numbers[1]))
    return result


def _modes(modes: Any) -> list[tuple[int, int]]:
    most = 2**31
    result = []
    for place, one in enumerate(() if modes is None else _checks.sequence("kept", modes)):
        pair = _checks.sequence(f"kept[{place}]", one)
        if len(pair) != 2:
            raise ValueError(f"kept[{place}]: expected (begin, end), got {len(pair)} numbers")
        begin, end = (_checks.integer(f"kept[{place}][{i}]", number, -most, most) for i, number in enumerate(pair))
        result.append((begin, end))
    return result


def _channels(channels: Any) -> tuple[int, int]:
    numbers = _checks.integers("channels", channels)
    if len(numbers) != 2:
        raise ValueError(f"channels: expected (inputs, outputs), got {len(numbers)} numbers")
    return _checks.integer("channels[0]", numbers[0], 1, 65536), _checks.integer("channels[1]", numbers[1], 1, 65536)


def _kinds(kinds: Any) -> list[str]:
    if isinstance(kinds, str):
        raise TypeError(f"kinds: expected a kind for each axis, got a word alone, {kinds!r}")
    words = () if kinds is None else _checks.sequence("kinds", kinds)
    return [_checks.word(f"kinds[{place}]", one, *_KINDS) for place, one in enumerate(words)]


def _packed(modes: Any, rank: int) -> bytes:
    """Wave numbers, as the native module takes them."""
    if modes is None:
        return b""
    import numpy as np

    waves = np.asarray(modes)
    if waves.dtype.kind not in "iu" or waves.ndim != 2 or waves.shape[1] != rank or len(waves) == 0:
        raise ValueError(
            f"packed: expected whole numbers of a shape (modes, {rank}), got {waves.dtype} of {tuple(waves.shape)}"
        )
    return np.ascontiguousarray(waves, np.int64).tobytes()


class SpectralPlan(DenseCalls):
    """An operator of the spectrum made ready to run on a device: transform, a stage for each bin, transform back.

    Immutable; threads may share it.

    Parameters
    ----------
    lengths : int or sequence of int
        Of both transforms, slowest axis first; all axes are transformed.
    dtype : dtype or str, optional
        Of the input, or of the real numbers in it: of f32 or f64, or what is stored in 16 bits and computed in f32.
        Default: ``'float64'``.
    middle : str, optional
        The stage of each bin, in the stage language, between the transforms: of ``value``, its indices ``i0``, ``i1``
        ... in the spectrum and its wave numbers ``k0``, ``k1`` ..., which are `numpy.fft.fftfreq` times n. It returns
        what the bin becomes. It may sum real numbers over all bins, ``sum energy = norm(value);``: then calls return
        the sums as well.
    load, store : str, optional
        Stages of each point of the input and of the output.
    numbers : {'real', 'complex', 'analytic'}, optional
        Real in and out, where the last axis of the spectrum has n/2 + 1 bins; complex in and out; or real in and
        complex out, and all bins. Default: as ``dtype`` is.
    input, output : sequence of (begin, end), optional
        For each axis, which points the array has. What the input lacks counts as 0, and what the output lacks is not
        computed. Default: all.
    kept : sequence of (begin, end), optional
        For each axis, which modes are kept: the wave numbers ``begin`` to ``end - 1``, negative ones too. The others
        are 0, and are neither computed nor moved. Default: all.
    channels : (inputs, outputs), optional
        Arrays have channels, before their points, and each kept mode of an output is the sum over the inputs of theirs
        times a weight. Calls take the weights, of `weight_shape`.
    kinds : sequence of str, optional
        For each axis ``'periodic'``, or a real-to-real kind of the forward transform, ``'dct1'`` to ``'dct4'`` or
        ``'dst1'`` to ``'dst4'``, whose inverse the transform back is. Of ``numbers='real'`` alone; bins are real where
        no axis is periodic. Default: all periodic.
    begins_with : {'points', 'spectrum'}, optional
        With what the operator begins. With the spectrum, both arrays are spectra and ``numbers`` are complex: all bins
        as `numpy.fft.fftn` has them, or those of `kept` (wave numbers from 0 on before the negative ones), or of
        `packed`. The inverse transform comes first, then ``middle``, which sees each point of the grid and no wave
        numbers, then the forward transform.
    packed : array_like of int, (modes, axes), optional
        With the spectrum first, in place of `kept`: the wave numbers of each mode of an array, in the array's order.
        Arrays have the shape (modes,), after the batch.
    adjoint : bool, optional
        The weights of calls are those of the layer the other way, (outputs, inputs, modes), and used conjugated: the
        gradient of a layer's input is the layer of its output's gradient with these. Default: False.
    part : {'whole', 'forward', 'inverse', 'gradient'}, optional
        How much of the operator a plan is. Forward: from arrays to their kept modes, (batch, modes), without channels,
        which are a batch there. Inverse: from modes, (batch, inputs, modes) where there are channels, to arrays.
        Gradient: of the weights, from the modes of the input and, as a call's ``weights``, those of the output's
        gradient, (batch, outputs, modes). Default: 'whole', from arrays to arrays.
    scale : float, optional
        Of the output, beside 1/n of the transforms.
    sums_in_f64 : bool, optional
        Of f32: sums are added and returned in f64. Of f64 they are so anyway.
    batch : int, optional
        So many arrays, as a first axis. Default: no such axis.
    device : Device or str, optional
        Default: the one for arrays of the host (`seichefft.config.device`).
    tuning : str, optional
        What the library would choose by itself: ``vector-lanes``, ``threads``, ``transforms-per-group``.
    **arguments
        What the stages name, as for `seichefft.Plan`: an array, a number, or a word that says what a call will give,
        ``"f32[1024]"`` or ``"f32"``.

    Raises
    ------
    TypeError, ValueError
        For an operator that makes no sense, in one line.
    seichefft.Unsupported
        Where the device lacks what it needs.

    Examples
    --------
    A derivative, of a sine over one turn:

    >>> import numpy as np, seichefft
    >>> t = 2 * np.pi * np.arange(8) / 8
    >>> plan = seichefft.SpectralPlan(8, middle="return 2 * i0 == n0 ? 0 : value * complex(0, k0);")
    >>> bool(np.allclose(plan(np.sin(t)), np.cos(t)))
    True
    """

    def __init__(
        self,
        lengths: int | Sequence[int],
        dtype: Any = "float64",
        *,
        middle: str = "",
        load: str = "",
        store: str = "",
        numbers: str | None = None,
        input: Sequence[tuple[int, int]] | None = None,
        output: Sequence[tuple[int, int]] | None = None,
        kept: Sequence[tuple[int, int]] | None = None,
        channels: tuple[int, int] | None = None,
        kinds: Sequence[str] | None = None,
        begins_with: str = "points",
        packed: Any = None,
        adjoint: bool = False,
        part: str = "whole",
        scale: float = 1.0,
        sums_in_f64: bool = False,
        batch: int | None = None,
        device: Device | str | None = None,
        tuning: str = "",
        **arguments: Any,
    ) -> None:
        name = _name_of(dtype)
        precision, storage = _PRECISIONS[name]
        if numbers is None:
            numbers = "complex" if name.startswith("c") else "real"
        _checks.word("numbers", numbers, "real", "complex", "analytic")
        if name.startswith("c") and numbers != "complex":
            raise ValueError(f"numbers: expected 'complex', or a real dtype, got {numbers!r} and {name}")
        _checks.word("part", part, "whole", "forward", "inverse", "gradient")
        texts = {"load": load, "middle": middle, "store": store}
        self._stages = StageArguments(texts, precision, arguments, "SpectralPlan")
        _checks.word("begins_with", begins_with, "points", "spectrum")
        axes = _checks.integers("lengths", (lengths,) if _checks.is_integer(lengths) else lengths)
        problem = _native.SpectralProblem.make(
            axes,
            input=_ranges("input", input),
            output=_ranges("output", output),
            numbers=numbers,
            scale=_checks.number("scale", scale),
            batch=1 if batch is None else _checks.integer("batch", batch),
            precision=precision,
            storage=storage,
            kept=_modes(kept),
            channels=(0, 0) if channels is None else _channels(channels),
            kinds=_kinds(kinds),
            order=f"{begins_with}-first",
            packed=_packed(packed, len(axes)),
            sums_in_f64=bool(sums_in_f64),
            adjoint=bool(adjoint),
            part=part,
            **self._stages.stages,
        )
        where = native_of(device)
        plan = _native.SpectralPlan.make(where, problem, _checks.word("tuning", tuning))
        self._set(plan, where, batch is not None)

    def _set(self, plan: _native.SpectralPlan, device: _native.Device, has_batch: bool) -> None:
        self._plan = plan
        self._device = device
        self._problem = problem = plan.problem
        self._has_batch = has_batch
        element = Element(problem.precision, problem.storage, True)
        self._elements = (
            element._replace(is_complex=problem.numbers == "complex" or not self._has_signal(0)),
            element._replace(is_complex=problem.numbers != "real" or not self._has_signal(1)),
            Element(problem.precision, "same", True),
            Element("f64" if problem.sums_in_f64 else problem.precision, "same", False),
        )
        self._sum_names = tuple(plan.sum_names)
        self._has_channels = problem.channels != (0, 0)
        self._repeats = {}

    def _shape(self, side: int, batch: int | None = None) -> tuple[int, ...]:
        """Of the input (0) or the output (1)."""
        if side == 1 and self._problem.part == "gradient":
            return (*self._problem.channels, *self._modes())
        ranges: Sequence[tuple[int, int]] = (self._problem.input, self._problem.output)[side]
        if self._problem.order == "spectrum-first":
            count = self._problem.packed_count
            ranges = [(0, count)] if count else self._problem.kept
        points = [end - begin for begin, end in ranges] or list(self._problem.lengths)
        if not self._has_signal(side):
            points = self._modes()
        channels = self._problem.channels[side]
        return (*self._first(batch), *((channels,) if channels else ()), *points)

    def _first(self, batch: int | None) -> tuple[int, ...]:
        return (self._problem.batch if batch is None else batch,) if self._has_batch else ()

    def _has_signal(self, side: int) -> bool:
        """Whether the input (0) or the output (1) has points; else modes, or the gradient of weights."""
        return self._problem.part in ("whole", ("forward", "inverse")[side])

    def _modes(self) -> list[int]:
        """How many are kept along each axis."""
        problem = self._problem
        counts = [n // 2 + 1 if is_last and problem.numbers == "real" else n for n, is_last in self._axes()]
        return [end - begin for begin, end in problem.kept] or counts

    @property
    def input_shape(self) -> tuple[int, ...]:
        """Of the array that a call takes, for the plan's batch."""
        return self._shape(0)

    @property
    def output_shape(self) -> tuple[int, ...]:
        """Of the result, for the plan's batch."""
        return self._shape(1)

    @property
    def weight_shape(self) -> tuple[int, ...]:
        """Of the weights that a call takes: inputs, outputs and the kept modes of each axis, those of wave numbers from
        0 on before the negative ones. Empty without channels. Of a gradient the modes of its output's, for the plan's
        batch."""
        return self._shape_of_weights(None)

    def _shape_of_weights(self, batch: int | None) -> tuple[int, ...]:
        problem = self._problem
        if problem.channels == (0, 0):
            return ()
        inputs, outputs = problem.channels
        if problem.part == "gradient":
            return (*self._first(batch), outputs, *self._modes())
        channels = (outputs, inputs) if problem.adjoint else (inputs, outputs)
        return (*channels, *self._modes())

    @property
    def sum_names(self) -> tuple[str, ...]:
        """Names of the middle stage's sums, in the order of the last axis of the sums that a call returns."""
        return self._sum_names

    def _axes(self) -> list[tuple[int, bool]]:
        lengths = self._problem.lengths
        return [(n, place + 1 == len(lengths)) for place, n in enumerate(lengths)]

    @property
    def problem(self) -> str:
        """The operator as text, without its stages."""
        return str(self._problem)

    @property
    def device(self) -> Device:
        """Where it runs."""
        return Device._of(self._device)

    @property
    def workspace_bytes(self) -> int:
        """Bytes of scratch memory that one call takes, for the plan's batch."""
        return self._plan.workspace_bytes()

    @property
    def report(self) -> _native.PlanReport:
        """Kernels and bytes moved; ``str()`` of it is for people."""
        return self._plan.report

    # --- running ------------------------------------------------------------------------------------------------

    def __call__(
        self, x: Any, out: Any = None, *, weights: Any = None, stream: int | None = None, **arguments: Any
    ) -> Any:
        """Applies the operator to an array.

        Parameters
        ----------
        x : array
            Of `input_shape`; a first axis of another length than ``batch`` is another batch.
        out : array, optional
            Where the result goes, of `output_shape`: dense and apart from `x`, or with a copy. Default: a new array.
        weights : array, optional
            Of `weight_shape`, complex and of the plan's precision. A plan with channels needs them. Of a gradient,
            whose batch is that of `x`, the modes of the output's gradient.
        stream : int, optional
            The native stream or command queue. Default: the current one of the array's library.
        **arguments
            Other arrays and numbers for the stages than those that the plan was made with.

        Returns
        -------
        array or (array, array)
            `out`, or a new one. On a device it is written when the stream has come so far. Where the middle stage has
            sums they come second: of the shape of the batch and the sums, as `sum_names` has them.

        Raises
        ------
        TypeError, ValueError
            If an array does not fit the plan, or the stages name what is not given.
        """
        has_channels = self._has_channels
        if weights is not None and not has_channels:
            arguments["weights"] = weights  # as a stage may name one
        adapter = adapter_of(x)
        key: Any = None
        if out is None and stream is None and not self._stages.has_stores:
            key, arrays, values = self._signature(adapter, x, weights if has_channels else None, arguments)
            ready = self._repeats.get(key)
            again = None if ready is None else adapter.repeat_dense(ready, arrays, values)
            if again is not None:
                return again
        named, numbers = self._stages.with_values(arguments)
        shape = tuple(adapter.asarray(x).shape)
        batch = shape[0] if self._has_batch and shape else None
        matrix = self._weights(adapter, weights, self._shape_of_weights(batch)) if has_channels else None
        array = self._checked(adapter, "x", x, self._shape(0, batch), self._elements[0])
        result = self._shape(1, batch)
        target = self._target(adapter, array, out, result, self._elements[1])
        first = () if batch is None else (batch,)
        own = (*first, len(self._sum_names))
        sums = adapter.empty(own, self._elements[3], array) if self._sum_names else None
        queue = self._execute(adapter, array, target, matrix, sums, batch, stream, named, numbers)
        if target is not out:
            if out is not None and stream is not None:
                queue.wait()  # the library copies on another stream
            target = adapter.finish(target, result)
        if out is not None and target is not out:
            adapter.copy_into(out, target)
            target = out
        if key is not None:
            used = [array, *(() if matrix is None else (matrix,)), *named.values()]
            make = lambda: self._native_call(batch, named, numbers)  # noqa: E731
            self._keep_repeat(key, adapter, list(zip(arrays, used)), make, self._elements[0], target, sums)
        return target if sums is None else (target, adapter.finish(sums, own))

    def _signature(
        self, adapter: Arrays, x: Any, weights: Any, arguments: dict[str, Any]
    ) -> tuple[Any, list[Any], list[float]]:
        """What a call is remembered by, or None; its arrays and numbers, in the order of a native call's."""
        given = self._stages.given(arguments)
        if given is None:
            return None, [], []
        named, numbers = given
        arrays = [x, *(() if weights is None else (weights,)), *named]
        signature = adapter.numbers_signature
        key = []
        for one in arrays:
            part = signature(one) if one is x or adapter_of(one) is adapter else None
            if part is None:
                return None, arrays, numbers
            key.append(part)
        return tuple(key), arrays, numbers

    def _repeat_of(self, adapter: Arrays, x: Any, arguments: dict[str, Any]) -> DenseReady | None:
        """The call on arrays like these, if it is remembered."""
        return self._repeats.get(self._signature(adapter, x, None, arguments)[0])

    def _native_call(self, batch: int | None, named: dict[str, Any], numbers: dict[str, float]) -> _native.SpectralCall:
        return _native.SpectralCall(self._plan, batch, [(name, one.nbytes) for name, one in named.items()], [*numbers])

    def _weights(self, adapter: Arrays, weights: Any, shape: tuple[int, ...]) -> Any:
        if weights is None:
            raise TypeError(f"weights: expected an array of shape {shape}, got none")
        if adapter_of(weights) is not adapter:
            raise TypeError(f"weights: expected an array of {adapter.name}, as x is, got {type(weights).__name__}")
        return self._checked(adapter, "weights", weights, shape, self._elements[2])

    def _execute(
        self,
        adapter: Arrays,
        x: Any,
        target: Any,
        weights: Any,
        sums: Any,
        batch: int | None,
        stream: int | None,
        named: dict[str, Any],
        numbers: dict[str, float],
    ) -> _native.Queue:
        for name, one in named.items():
            if adapter_of(one) is not adapter:
                raise TypeError(f"{name}: expected an array of {adapter.name}, as x is, got {type(one).__name__}")
        queue = self._queue(adapter, x, stream)
        kept, workspace = self._scratch(adapter, x, self._plan.workspace_bytes(batch))
        count = self._plan.output_bytes(batch)
        brought = self._device.allocate(count) if self._is_staged(adapter, x) and count else None
        sum_count = self._plan.sum_bytes(batch)
        brought_sums = self._device.allocate(sum_count) if self._is_staged(adapter, x) and sum_count else None
        source = self._memory(adapter, queue, x, self._plan.input_bytes(batch))
        matrix = None if weights is None else self._memory(adapter, queue, weights, self._plan.weight_bytes(batch))
        if hasattr(adapter, "begin"):
            more = [one for one in (weights, sums) if one is not None]
            adapter.begin(queue, [x, target, *more, *named.values()])
        buffers = {name: (self._memory(adapter, queue, one, one.nbytes), one.nbytes) for name, one in named.items()}
        into = brought if brought is not None else adapter.address(target)
        summed = brought_sums if brought_sums is not None or sums is None else adapter.address(sums)
        self._plan.execute(queue, source, into, workspace, batch, buffers, numbers, matrix, summed)
        stored = {name: one for name, one in named.items() if self._stages.stores(name)}
        if hasattr(adapter, "end"):
            adapter.end(queue, [target, *(() if sums is None else (sums,)), *stored.values()])
        if brought_sums is not None:
            queue.download(adapter.address(sums), brought_sums, sum_count)
        if brought is not None:
            queue.download(adapter.address(target), brought, count)
            for name, one in stored.items():
                queue.download(adapter.address(one), buffers[name][0], one.nbytes)
        del kept
        return queue

    # --- keeping ------------------------------------------------------------------------------------------------

    def save(self) -> bytes:
        """The plan as bytes, with its compiled kernels, for `load`. Values of stages are not among them.

        Raises
        ------
        ValueError
            If a stage names buffers or scalars: what they are called with would be lost.
        """
        if self._stages.names:
            raise ValueError("save: expected stages that name nothing, got " + ", ".join(sorted(self._stages.names)))
        return f"seichefft-spectral 1 {int(self._has_batch)}\n".encode() + self._plan.save()

    @classmethod
    def load(cls, data: bytes, device: Device | str | None = None) -> SpectralPlan:
        """A plan from the bytes of `save`; load only what you trust, since kernels go to the driver as they are.

        Raises
        ------
        ValueError
            For bytes that are no plan, or damaged.
        """
        head, _, rest = _checks.content("load", data).partition(b"\n")
        match = re.match(rb"seichefft-spectral 1 ([01])$", head)
        if match is None:
            raise ValueError("load: expected the bytes of a spectral plan that seichefft saved")
        plan = cls.__new__(cls)
        plan._stages = StageArguments({}, "f32", {})
        where = native_of(device)
        plan._set(_native.SpectralPlan.load(where, rest), where, match[1] == b"1")
        return plan

    def __copy__(self) -> SpectralPlan:
        return self

    def __deepcopy__(self, _: Any) -> SpectralPlan:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """As `save` and `load` do it, for a process that has the same device."""
        return SpectralPlan.load, (self.save(), self.device)

    def __repr__(self) -> str:
        return f"<seichefft.SpectralPlan {self.problem!r} on {self._device.info.name}>"

    def _repr_html_(self) -> str:
        from ._html import table_page

        return table_page(self._plan.report, self._device)
