"""Plans: every feature of the library, for whoever transforms the same thing more than once."""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Sequence
from typing import Any

from . import _checks, _native
from ._arrays import Arrays, adapter_of
from ._arrays._contract import Element
from ._cache import DenseReady, Entry, Ready
from ._devices import Device, native_of
from ._engine import SCALES, Transform, real_bytes
from ._execution import Side, execute, goes_back
from ._stages import StageArguments

__all__ = ["Plan"]

_PRECISIONS = {
    "float16": ("f32", "f16"),
    "complex32": ("f32", "f16"),
    "bfloat16": ("f32", "bf16"),
    "float32": ("f32", "same"),
    "complex64": ("f32", "same"),
    "float64": ("f64", "same"),
    "complex128": ("f64", "same"),
    "longdouble": ("f64x2", "same"),
    "clongdouble": ("f64x2", "same"),
    "float128": ("f64x2", "same"),
    "complex256": ("f64x2", "same"),
}
#: Parameters that a problem as text says, and what they are where they are not given.
_OF_A_SHAPE = {
    "dtype": "complex128", "kind": "c2c", "axes": None, "batch": None, "kinds": (), "halved_axis": None, "norm": None,
    "forward_scale": None, "inverse_scale": None, "orthonormal": False, "orthogonalize": False, "arithmetic": None,
    "in_place": False, "input_strides": (), "output_strides": (), "input_distance": 0, "output_distance": 0,
    "input_part_bytes": 0, "output_part_bytes": 0, "planar": False, "signal_zeros": (), "spectrum_zeros": (),
    "order": "natural", "overwrite_input": False,
}  # fmt: skip
#: Of a plan: so many layouts of arrays that its calls know.
_MOST_CALLS = 32
_REAL_INPUT = {"r2c", "ihfft"}
_REAL_OUTPUT = {"c2r", "hfft"}


def _name_of(dtype: Any) -> str:
    """The name of a dtype of any library, a scalar type, a name, or another of NumPy's words for one, such as 'c8'."""
    name = getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or str(dtype)
    name = {"float": "float64", "complex": "complex128"}.get(name, name.rpartition(".")[2])
    if name not in _PRECISIONS and isinstance(dtype, str):
        import numpy

        with contextlib.suppress(TypeError):
            name = numpy.dtype(dtype).name
    if name not in _PRECISIONS:
        raise TypeError(f"dtype: expected one of {', '.join(_PRECISIONS)}, got {dtype!r}")
    return name


def _scales(norm: str | None, forward: Any, inverse: Any) -> tuple[Any, Any]:
    if norm is None:
        return forward, inverse
    if forward is not None or inverse is not None:
        raise ValueError("norm: expected None where forward_scale or inverse_scale is given")
    word = _checks.word("norm", norm, "backward", "ortho", "forward")
    return {"backward": ("none", "1/n"), "ortho": ("1/sqrt(n)",) * 2, "forward": ("1/n", "none")}[word]


def _scale(what: str, scale: Any) -> Any:
    return scale if scale is None or isinstance(scale, str) else _checks.number(what, scale)


def _zeros(what: str, blocks: Any) -> list[tuple[int, int, int]]:
    result = []
    for place, block in enumerate(_checks.sequence(what, blocks)):
        numbers = _checks.sequence(f"{what}[{place}]", block)
        if len(numbers) != 3:
            raise ValueError(f"{what}[{place}]: expected (axis, begin, end), got {len(numbers)} numbers")
        axis = _axis(f"{what}[{place}].axis", numbers[0])
        begin, end = (_checks.integer(f"{what}[{place}].{name}", n) for name, n in zip(("begin", "end"), numbers[1:]))
        result.append((axis, begin, end))
    return result


def _axis(what: str, axis: Any) -> int:
    return _checks.integer(what, axis, -(2**31), 2**31 - 1)


def _dense(shape: Sequence[int]) -> tuple[int, ...]:
    return tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))


class Plan:
    """A transform made ready to run on a device.

    A plan is immutable and safe to use from many threads. Calling it transforms an array of any library whose
    memory the device reaches; arrays of the host go to other devices and back.

    Parameters
    ----------
    shape : int, sequence of int or str
        The shape of one array, of the real one where one of two is real. Or the problem as text, such as
        ``"1024x1024 r2c f32 batch=16"``; of the parameters below, ``direction``, ``device``, ``tuning`` and the stages
        serve then, and others are a TypeError.
    dtype : dtype or str, optional
        Of the arrays, ``'complex64'``, ``'c8'`` ... or of the real numbers in them. ``'float16'`` and ``'bfloat16'``
        are computed in f32; ``'longdouble'`` in double-double. Default: ``'complex128'``.
    kind : str, optional
        ``'c2c'`` (default), ``'r2c'``, ``'c2r'``, ``'hfft'``, ``'ihfft'``, ``'dct1'`` ... ``'dct4'``, ``'dst1'`` ...
        ``'dst4'``, ``'dht'``, ``'r2hc'``, ``'hc2r'``.
    axes : sequence of int, optional
        The axes to transform; default: all.
    batch : int, optional
        So many such arrays, as a first axis of the arrays that a call takes. Default: no such axis.
    kinds : sequence of str, optional
        Real-to-real: a kind for each of the axes.
    halved_axis : int, optional
        Of r2c and c2r: the axis with n/2 + 1 complex values. Default: the last of the axes.
    direction : {'both', 'forward', 'inverse'}, optional
        A plan of one direction compiles half as much.
    norm : {'backward', 'ortho', 'forward'}, optional
        As NumPy's. Default: as ``forward_scale`` and ``inverse_scale`` say.
    forward_scale, inverse_scale : float or {'1/n', '1/sqrt(n)'}, optional
        The factor of each direction. Default: 1.
    orthonormal : bool, optional
        Real-to-real: the matrix is orthogonal.
    orthogonalize : bool, optional
        Real-to-real: edge values are weighed so that it is, up to a factor, as SciPy has it.
    arithmetic : {'f32', 'f64', 'f64x2', 'f16'}, optional
        Of another precision than the numbers are stored in.
    in_place : bool, optional
        The result overwrites the input, whose memory must hold both arrays. Their strides may differ; of r2c and c2r
        the real array's rows are, if nothing else is said, padded to those of the complex one.
    input_strides, output_strides : sequence of int, optional
        In elements of the array, not bytes, one for each axis of `shape`; below 0 where elements lie before the first,
        as NumPy has it. Default: dense, in C order.
    input_distance, output_distance : int, optional
        Elements from one array of the batch to the next. Below 0 a call takes the plan's batch. Default: dense.
    input_part_bytes, output_part_bytes : int, optional
        The array lies in several, one after the other, each of so many bytes but the last, which may be shorter; at
        most 16 of them. A call takes and gives lists of dense arrays then. Default: 0, in one.
    planar : bool, optional
        Real and imaginary parts of complex arrays are arrays of their own: a call takes and gives pairs.
    signal_zeros, spectrum_zeros : sequence of (axis, begin, end), optional
        Blocks that are zero, or not wanted, and are neither read, computed nor written.
    order : {'natural', 'pass'}, optional
        Of the spectrum; see `spectrum_index`.
    overwrite_input : bool, optional
        Out of place the input may serve as workspace.
    forward_load, forward_store, inverse_load, inverse_store : str, optional
        Stages of your own, in the stage language.
    device : Device or str, optional
        Default: the one for arrays of the host (`seichefft.config.device`).
    tuning : str, optional
        What the library would choose by itself, as text: ``"passes=256x256"``.
    **arguments
        What the stages name: an array, whose elements are read or stored, or a number. A call may give another. Or a
        word that says only what a call will give: ``"f32[1024]"`` for a buffer, ``"f32"`` for a number.

    Raises
    ------
    TypeError, ValueError
        For a problem that makes no sense, in one line that names the field.
    seichefft.Unsupported
        Where the device lacks what the problem needs.

    Examples
    --------
    >>> import numpy as np, seichefft
    >>> plan = seichefft.Plan(4, "complex128", norm="backward")
    >>> spectrum = plan(np.array([1, 2, 3, 4], complex))
    >>> spectrum.tolist()
    [(10+0j), (-2+2j), (-2+0j), (-2-2j)]
    >>> plan.inverse(spectrum).real.tolist()
    [1.0, 2.0, 3.0, 4.0]

    A window on the way in, without a pass over memory of its own:

    >>> window = np.array([0.0, 0.5, 1.0, 0.5])
    >>> plan = seichefft.Plan(4, "float64", kind="r2c", forward_load="return value * window[i0];", window=window)
    >>> plan(np.ones(4)).real.tolist()
    [2.0, -1.0, 0.0]
    """

    def __init__(
        self,
        shape: int | Sequence[int] | str,
        dtype: Any = "complex128",
        *,
        kind: str = "c2c",
        axes: Sequence[int] | None = None,
        batch: int | None = None,
        kinds: Sequence[str] = (),
        halved_axis: int | None = None,
        direction: str = "both",
        norm: str | None = None,
        forward_scale: Any = None,
        inverse_scale: Any = None,
        orthonormal: bool = False,
        orthogonalize: bool = False,
        arithmetic: str | None = None,
        in_place: bool = False,
        input_strides: Sequence[int] = (),
        output_strides: Sequence[int] = (),
        input_distance: int = 0,
        output_distance: int = 0,
        input_part_bytes: int = 0,
        output_part_bytes: int = 0,
        planar: bool = False,
        signal_zeros: Sequence[tuple[int, int, int]] = (),
        spectrum_zeros: Sequence[tuple[int, int, int]] = (),
        order: str = "natural",
        overwrite_input: bool = False,
        forward_load: str = "",
        forward_store: str = "",
        inverse_load: str = "",
        inverse_store: str = "",
        device: Device | str | None = None,
        tuning: str = "",
        **arguments: Any,
    ) -> None:
        texts = {
            "forward_load": forward_load,
            "forward_store": forward_store,
            "inverse_load": inverse_load,
            "inverse_store": inverse_store,
        }
        if isinstance(shape, str):
            given = locals()
            for name, default in _OF_A_SHAPE.items():
                if type(given[name]) is not type(default) or given[name] != default:
                    raise TypeError(f"{name}: expected nothing besides a problem as text, which says it, got a value")
            problem = _native.Problem.parse(shape)
            batch = problem.batch if re.search(r"\bbatch=", shape) else None
            precision = problem.precision
        else:
            precision, storage = _PRECISIONS[_name_of(dtype)]
            if arithmetic is not None:
                storage = precision if arithmetic != precision and storage == "same" else storage
                storage = "same" if arithmetic == "f16" else storage
                precision = arithmetic
            scales = _scales(norm, forward_scale, inverse_scale)
            output = _layout_words("output", output_strides, output_distance, output_part_bytes)
            layouts = _layouts(
                kind, bool(planar), _layout_words("input", input_strides, input_distance, input_part_bytes), output
            )
            lengths = _checks.integers("shape", (shape,) if _checks.is_integer(shape) else shape)
            if axes is not None and len(_checks.sequence("axes", axes)) == 0:
                raise ValueError("axes: expected at least one, or None for all, got none")
            words = dict(
                axes=[] if axes is None else [_axis("axes", axis) for axis in axes],
                batch=1 if batch is None else _checks.integer("batch", batch),
                kind=_checks.word("kind", kind),
                axis_kinds=[_checks.word("kinds", one) for one in _checks.sequence("kinds", kinds)],
                halved_axis=None if halved_axis is None else _axis("halved_axis", halved_axis),
                orthonormal=bool(orthonormal),
                orthogonalize=bool(orthogonalize),
                precision=_checks.word("arithmetic", precision),
                storage=storage,
                in_place=bool(in_place),
                forward_scale=_scale("forward_scale", scales[0]),
                inverse_scale=_scale("inverse_scale", scales[1]),
                signal_zeros=_zeros("signal_zeros", signal_zeros),
                spectrum_zeros=_zeros("spectrum_zeros", spectrum_zeros),
                spectrum_order=_checks.word("order", order),
                overwrite_input=bool(overwrite_input),
            )
            both = layouts[0], layouts[1] if any(output) or not in_place else _native.Layout()
            problem = _native.Problem(lengths, input=both[0], output=both[1], **words)
            if any(map(goes_back, both)):
                before = _bytes_before(problem)
                both = _with_offset(both[0], before[0]), _with_offset(both[1], before[1])
                problem = _native.Problem(lengths, input=both[0], output=both[1], **words)
        _check_layouts(problem)
        self._stages = StageArguments(texts, precision, arguments)
        problem = problem.with_stages(**self._stages.stages)
        where = native_of(device)
        native = _native.Plan.make(where, problem, _checks.word("direction", direction), _checks.word("tuning", tuning))
        self._set(native, where, batch is not None, direction)

    def _set(self, plan: _native.Plan, device: _native.Device, has_batch: bool, direction: str) -> None:
        self._plan = plan
        self._device = device
        self._problem = problem = plan.problem
        self._has_batch = has_batch
        only = {"r2c": "forward", "hfft": "forward", "c2r": "inverse", "ihfft": "inverse"}
        self._direction = only.get(problem.kind, "forward" if direction == "both" else direction)
        self._workspace_bytes = plan.workspace_bytes()
        self._sides = source, target = _sides(problem, has_batch)
        self._is_in_parts = bool(problem.input.part_bytes or problem.output.part_bytes)
        #: What a call can do that repeats another, and the calls that can be repeated.
        self._is_plain = (
            not problem.in_place
            and not self._is_in_parts
            and not self._stages.names
            and target.is_dense()
            and not any(
                side.planar or side.element.precision == "f64x2" or side.element.storage != "same"
                for side in (source, target)
            )
            and 0 not in target.shape
        )
        self._calls: dict[Any, Ready] = {}
        self._repeats: dict[Any, DenseReady] = {}
        has_parts_or_order = self._is_in_parts or problem.in_place or any(side.planar for side in self._sides)
        self._has_repeats = (
            bool(self._stages.stages)
            and not (has_parts_or_order or self._stages.has_stores or goes_back(problem.input))
            and self._sides[1].is_dense()
            and problem.precision != "f64x2"
        )
        self._entry = Entry(plan)

    # --- running ------------------------------------------------------------------------------------------------

    def __call__(
        self,
        x: Any = None,
        out: Any = None,
        *,
        direction: str | None = None,
        stream: int | None = None,
        workspace: Any = None,
        **arguments: Any,
    ) -> Any:
        """Transforms an array.

        Parameters
        ----------
        x : array
            Of `input_shape`, of the plan's strides and type; planar, a pair of real arrays. A first axis of another
            length than ``batch`` is another batch. None, where the load stages read nothing of it.
        out : array, optional
            Where the result goes, of `output_shape`. It may overlap `x`, which costs a copy. Default: a new array; in
            place, `x`.
        direction : {'forward', 'inverse'}, optional
            Default: the plan's only one, or forward.
        stream : int, optional
            The native stream or command queue. Default: the current one of the array's library.
        workspace : array or int, optional
            At least `workspace_bytes` bytes that the device reaches, an array or their address. Default: from the
            library's allocator.
        **arguments
            Other arrays and numbers for the stages than those that the plan was made with.

        Returns
        -------
        array
            `out`, or a new one. On a device it is written when the stream has come so far.

        Raises
        ------
        TypeError, ValueError
            If an array does not fit the plan; the message says what it expects.
        seichefft.Error
            If the device fails.
        """
        if stream is not None or workspace is not None or arguments or not self._is_plain:
            if self._has_repeats and out is None and stream is None and workspace is None:
                return self._with_stages(x, direction, arguments)
            return execute(self, x, out, direction, stream, workspace, self._stages.with_values(arguments))
        adapter: Any = adapter_of(x)
        signature = adapter.signature(x) if x is not None and (out is None or type(out) is type(x)) else None
        key = (signature, direction, None if out is None else adapter.signature(out))
        ready = self._calls.get(key)
        if ready is not None:
            result = adapter.repeat(ready, x) if out is None else adapter.repeat_into(ready, x, out)
            if result is not None:
                return result
        result = execute(self, x, out, direction, stream, workspace, self._stages.with_values(arguments))
        if ready is None and signature is not None and (out is None or hasattr(adapter, "repeat_into")):
            self._remember(key, direction, result)
        return result

    def _with_stages(self, x: Any, direction: str | None, arguments: dict[str, Any]) -> Any:
        """The same with what the stages name. A call on arrays like an earlier one's is repeated."""
        key: Any = None
        given = self._stages.given(arguments)
        if given is not None:
            arrays = [*(() if x is None else (x,)), *given[0]]
            adapter = adapter_of(arrays[0]) if arrays else None
            if adapter is not None and all(adapter_of(one) is adapter for one in arrays):
                signatures = tuple(map(adapter.numbers_signature, arrays))
                key = None if None in signatures else (x is None, direction, signatures)
            ready = self._repeats.get(key)
            again = None if ready is None or adapter is None else adapter.repeat_dense(ready, arrays, given[1])
            if again is not None:
                return again
        named, numbers = self._stages.with_values(arguments)
        result = execute(self, x, None, direction, None, None, (named, numbers))
        reads_input = self._plan.input_bytes() != 0
        if key is None or adapter is None or result is None or reads_input == (x is None):
            return result
        if len(self._repeats) < _MOST_CALLS:
            self._remember_stages(key, direction, adapter, zip(arrays[-len(named) :], named.values()), numbers, result)
        return result

    def _remember_stages(
        self, key: Any, direction: str | None, adapter: Arrays, pairs: Any, numbers: Any, result: Any
    ) -> None:
        """What stages name has to lie as it was given; the first array may have any strides of the plan's."""
        named = [(given, used) for given, used in pairs if given is not None]
        if 0 in result.shape or (adapter.is_on_host(result) and self._device.backend != "cpu"):
            return
        if any(adapter.address(given) != adapter.address(used) for given, used in named):
            return
        names = [name for name, declared in self._stages.names.items() if declared.length is not None]
        buffers = [(name, used.nbytes) for name, (_, used) in zip(names, named)]
        batch = int(result.shape[0]) if self._has_batch else None
        word = direction or self._direction
        call = _native.PlanCall(self._plan, word, batch, buffers, [*numbers])
        self._repeats[key] = DenseReady(call, real_bytes(self._sides[0].element), result)

    def _remember(self, key: Any, direction: str | None, result: Any) -> None:
        """What `key` says of a call is all that one more like it needs to know."""
        if tuple(result.shape) != self.output_shape or len(self._calls) >= _MOST_CALLS:
            return  # another batch than the plan's, or a caller without an end of layouts
        call = _native.Call(self._plan, direction or self._direction)
        self._calls[key] = Ready(call, self._entry, tuple(result.shape), result.dtype)

    def forward(self, x: Any = None, out: Any = None, **options: Any) -> Any:
        """The forward transform; see `__call__`."""
        return self(x, out, direction="forward", **options)

    def inverse(self, x: Any = None, out: Any = None, **options: Any) -> Any:
        """The inverse transform; see `__call__`."""
        return self(x, out, direction="inverse", **options)

    def run_transform(self, transform: Transform, x: Any, out: Any, overwrite: bool) -> Any:
        """For the argument ``plan=`` of the functions: runs if this plan is that transform of such an array."""
        adapter: Arrays = adapter_of(x)
        if self._problem.in_place and not overwrite:
            x = adapter.contiguous(x)
        memory = adapter.memory(x)
        want = (transform.input_shape(memory.shape), transform.output_shape(memory.shape))
        kind = transform.kind
        axes = tuple(axis % len(self._problem.lengths) for axis in self._problem.axes) or tuple(
            range(len(self._problem.lengths))
        )
        shift = 1 if self._has_batch else 0
        if (
            (self.input_shape, self.output_shape) != want
            or self._problem.kind != kind
            or tuple(a + shift for a in axes) != transform.axes
        ):
            raise ValueError(f"plan: expected one for {kind} of shape {want[0]} along {transform.axes}, got {self!r}")
        scale = self._problem.forward_scale if transform.direction == "forward" else self._problem.inverse_scale
        if scale != SCALES[transform.norm, transform.direction]:
            raise ValueError(f"plan: expected one for norm={transform.norm!r}, got one that scales by {scale}")
        return self(x, out, direction=transform.direction)

    # --- what it is ---------------------------------------------------------------------------------------------

    @property
    def problem(self) -> str:
        """The problem as text."""
        return str(self._problem)

    @property
    def device(self) -> Device:
        """Where it runs."""
        return Device._of(self._device)

    @property
    def input_shape(self) -> tuple[int, ...]:
        """Of the array that a call takes, for the plan's batch."""
        return self._sides[0].shape

    @property
    def output_shape(self) -> tuple[int, ...]:
        """Of the result, for the plan's batch."""
        return self._sides[1].shape

    @property
    def workspace_bytes(self) -> int:
        """Bytes of scratch memory that one call takes, for the plan's batch."""
        return self._workspace_bytes

    @property
    def report(self) -> _native.PlanReport:
        """Recipe, kernels and bytes moved; ``str()`` of it is for people."""
        return self._plan.report

    def source(self, dialect: str | None = None, direction: str | None = None) -> list[dict[str, Any]]:
        """The kernels of a direction in a language.

        Parameters
        ----------
        dialect : str, optional
            ``'cuda'``, ``'hip'``, ``'opencl'``, ``'glsl'``, ``'ptx'`` ...; default: the device's own, of the processor
            ``'opencl'``.
        direction : {'forward', 'inverse'}, optional
            Default: the plan's only one, or forward.

        Returns
        -------
        list of dict
            ``name``, ``source`` (text), ``words`` (bytes, where the dialect is no text), ``groups``, ``group_size``,
            ``shared_bytes`` of each kernel, in order.
        """
        own = {"cuda": "cuda", "hip": "hip", "vulkan": "spirv", "opengl": "glsl", "level_zero": "spirv_opencl"}
        return self._plan.source(
            _checks.word("dialect", dialect or own.get(self._device.backend, "opencl")),
            _checks.word("direction", direction or self._direction),
        )

    def spectrum_index(self, axis: int, position: int) -> int:
        """The frequency at a position along an axis of the spectrum: the position itself but for order='pass'."""
        return self._plan.spectrum_index(
            _checks.integer("axis", axis, 0, 2**31 - 1), _checks.integer("position", position)
        )

    def save(self) -> bytes:
        """The plan as bytes, with its compiled kernels, for `load`. Values of stages are not among them.

        Raises
        ------
        ValueError
            If a stage names buffers or scalars: what they are called with would be lost.
        """
        if self._stages.names:
            raise ValueError("save: expected stages that name nothing, got " + ", ".join(sorted(self._stages.names)))
        prefix = f"seichefft 1 {int(self._has_batch)} {self._direction}\n"
        return prefix.encode() + self._plan.save()

    @classmethod
    def load(cls, data: bytes, device: Device | str | None = None) -> Plan:
        """A plan from the bytes of `save`; load only what you trust, since kernels go to the driver as they are.

        Raises
        ------
        ValueError
            For bytes that are no plan, or damaged.
        """
        head, _, rest = _checks.content("load", data).partition(b"\n")
        words = head.split()
        if len(words) != 4 or words[:2] != [b"seichefft", b"1"]:
            raise ValueError("load: expected the bytes of a plan that seichefft saved")
        plan = cls.__new__(cls)
        plan._stages = StageArguments({}, "f32", {})
        where = native_of(device)
        plan._set(_native.Plan.load(where, rest), where, words[2] == b"1", words[3].decode())
        return plan

    def __copy__(self) -> Plan:
        return self

    def __deepcopy__(self, _: Any) -> Plan:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """As `save` and `load` do it, for a process that has the same device."""
        if self._stages.stages:
            raise TypeError("Plan: expected one without stages to pickle, since their values are not saved")
        return Plan.load, (self.save(), self.device)

    def __repr__(self) -> str:
        return f"<seichefft.Plan {self.problem!r} on {self._device.info.name}>"

    def _repr_html_(self) -> str:
        from ._html import plan_page

        return plan_page(self._plan, self._device)


def _with_offset(layout: _native.Layout, count: int) -> _native.Layout:
    return _native.Layout(layout.strides, layout.batch_distance, count, layout.planar, layout.part_bytes)


def _bytes_before(problem: _native.Problem) -> tuple[int, int]:
    """What lies before the first element of each array; in place, where both begin with the same, of either."""
    source, target = _sides(problem, True)
    before, after = source.bytes_before(), target.bytes_before()
    if problem.in_place:
        pair = 2 * real_bytes(source.element)
        before = after = -(-max(before, after) // pair) * pair
    return before, after


def _check_layouts(problem: _native.Problem) -> None:
    """What the library has and this package has no arrays for."""
    both = problem.input, problem.output
    if any(map(goes_back, both)):
        for what, layout, count in zip(("input", "output"), both, _bytes_before(problem)):
            # An array is known by its first element, and nothing is said of the memory before its lowest one.
            if layout.byte_offset not in (count, 0 if problem.in_place else count):
                got = layout.byte_offset
                raise ValueError(f"{what} byte offset: expected {count}, the bytes before the first element, got {got}")
    if any(layout.is_image for layout in both):
        raise ValueError(
            "image: expected arrays in buffers; images are Vulkan's and OpenGL's alone, for programs in C and C++"
        )
    if any(layout.part_bytes and layout.planar for layout in both):
        raise ValueError("planar: expected False of an array in parts")
    if problem.precision == "f64x2" and any(layout.part_bytes for layout in both):
        raise ValueError("part_bytes: expected 0 in f64x2")


def _layout_words(what: str, strides: Any, distance: Any, part_bytes: Any) -> tuple[list[int], int, int]:
    return (
        _checks.integers(f"{what}_strides", strides, _checks.LEAST),
        _checks.integer(f"{what}_distance", distance, _checks.LEAST),
        _checks.integer(f"{what}_part_bytes", part_bytes),
    )


def _layouts(
    kind: str, planar: bool, source: tuple[list[int], int, int], target: tuple[list[int], int, int]
) -> tuple[_native.Layout, _native.Layout]:
    """Of (strides, distance, bytes of a part) of both arrays."""
    return (
        _native.Layout(source[0], source[1], 0, planar and kind not in _REAL_INPUT, source[2]),
        _native.Layout(target[0], target[1], 0, planar and kind not in _REAL_OUTPUT, target[2]),
    )


class _Array:
    """One of the two arrays of a problem: its shape and strides, the batch's axis apart."""

    def __init__(self, problem: _native.Problem, is_input: bool, element: Element, is_halved: bool) -> None:
        lengths = list(problem.lengths)
        axes = list(problem.axes) or [len(lengths) - 1]
        self.halved = (problem.halved_axis if problem.halved_axis is not None else axes[-1]) % len(lengths)
        self.is_complex = element.is_complex
        self.layout = problem.input if is_input else problem.output
        self.shape = list(lengths)
        self.rows = list(lengths)
        count = lengths[self.halved] // 2 + 1
        if is_halved and element.is_complex:
            self.shape[self.halved] = self.rows[self.halved] = count
        elif is_halved and problem.in_place:
            self.rows[self.halved] = 2 * count

    def strides(self, other: _Array, in_place: bool) -> tuple[int, ...]:
        if self.layout.strides:
            return tuple(self.layout.strides)
        if not in_place or not other.layout.strides:
            return _dense(self.rows)
        if self.is_complex == other.is_complex:
            return tuple(other.layout.strides)
        return tuple(
            1 if axis == self.halved else (stride // 2 if self.is_complex else 2 * stride)
            for axis, stride in enumerate(other.layout.strides)
        )

    def distance(self, strides: tuple[int, ...]) -> int:
        if self.layout.batch_distance:
            return self.layout.batch_distance
        reach = 1 + sum(abs(stride) * (count - 1) for stride, count in zip(strides, self.shape))
        return max([reach, *(abs(stride) * count for stride, count in zip(strides, self.rows))])


def _sides(problem: _native.Problem, has_batch: bool) -> tuple[Side, Side]:
    """(input, output) of the arrays that a call takes and gives."""
    has_complex = not problem.axis_kinds and problem.kind in {"c2c", *_REAL_INPUT, *_REAL_OUTPUT}
    is_halved = has_complex and problem.kind != "c2c"
    element = Element(problem.precision, problem.storage, has_complex)
    elements = (
        element._replace(is_complex=has_complex and problem.kind not in _REAL_INPUT),
        element._replace(is_complex=has_complex and problem.kind not in _REAL_OUTPUT),
    )
    arrays = [_Array(problem, is_input, one, is_halved) for is_input, one in zip((True, False), elements)]
    result = []
    for array, other in (arrays, arrays[::-1]):
        strides = array.strides(other, problem.in_place)
        shape = tuple(array.shape)
        if has_batch:
            strides, shape = (array.distance(strides), *strides), (problem.batch, *shape)
        planar = array.layout.planar
        own = element._replace(is_complex=array.is_complex and not planar)
        result.append(Side(shape, strides, own, planar))
    return result[0], result[1]
