"""Plans and redistributions over several ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from .. import _checks, _distributed, _native
from .._arrays import adapter_of
from .._arrays._contract import Element
from .._devices import Device, native_of
from .._distributed import Box, Communicator
from .._execution import check_device, queue_of
from ..plans import _PRECISIONS, _axis, _name_of, _scale, _scales

_REAL = {"dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4", "dht", "r2hc", "hc2r"}
_ELEMENT_TYPES = ("float32", "float64", "complex64", "complex128")


def _precision_of(dtype: Any) -> tuple[str, bool]:
    """The precision of a dtype, and whether its numbers are complex."""
    name = _name_of(dtype)
    if name not in _ELEMENT_TYPES:
        raise TypeError(f"dtype: expected one of {', '.join(_ELEMENT_TYPES)} over several ranks, got {dtype!r}")
    return _PRECISIONS[name][0], name.startswith("complex")


def _boxes(what: str, boxes: Any, ranks: Communicator) -> list[Box]:
    result = _checks.sequence(what, boxes)
    for place, box in enumerate(result):
        if not isinstance(box, Box):
            raise TypeError(f"{what}[{place}]: expected a Box, got {type(box).__name__}")
    if len(result) != ranks.size:
        raise ValueError(f"{what}: expected a box for each of {ranks.size} ranks, got {len(result)}")
    return result


class _Side:
    """One of the two arrays of a rank."""

    def __init__(self, box: Box, element: Element, batch: int | None) -> None:
        self.shape: tuple[int, ...] = box.shape if batch is None else (batch, *box.shape)
        self.element = element

    def check(self, what: str, adapter: Any, x: Any) -> Any:
        x = adapter.asarray(x)
        try:
            memory = adapter.memory(x)
        except (KeyError, AttributeError):
            got = getattr(x, "dtype", type(x).__name__)
            raise TypeError(f"{what}: expected an array of elements {self.element}, got {got}") from None
        if tuple(memory.shape) != self.shape:
            raise ValueError(f"{what}: expected shape {self.shape}, this rank's box, got {tuple(memory.shape)}")
        if memory.element != self.element:
            raise TypeError(f"{what}: expected elements {self.element}, got {memory.element}")
        dense = tuple(math.prod(self.shape[axis + 1 :]) for axis in range(len(self.shape)))
        if 0 not in self.shape and (
            memory.strides is None
            or any(count > 1 and got != want for count, got, want in zip(self.shape, memory.strides, dense))
        ):
            raise ValueError(f"{what}: expected a dense array in C order, got strides {memory.strides}")
        return x


class _Work:
    """A plan or a redistribution of one rank with the memory that it keeps, and its executions on arrays."""

    def __init__(self, native: Any, device: _native.Device, ranks: Communicator, source: _Side, target: _Side) -> None:
        self.native = native
        self.device = device
        self.source, self.target = source, target
        self._workspace = self.allocate(native.workspace_bytes)
        self._staged: tuple[Any, Any] | None = None
        self._kept = getattr(ranks, "kept", None)
        self._keep(self._workspace)

    def allocate(self, count: int) -> Any:
        return self.device.allocate(count) if count else None

    def _keep(self, buffer: Any) -> None:
        if self._kept is not None and buffer is not None:
            self._kept.append(buffer)

    def _view(self, buffer: Any) -> Any:
        return None if buffer is None else _native.View(buffer)

    def _wrapped(self, address: Any, count: int) -> Any:
        if count == 0:
            return None
        if isinstance(address, _native.View):
            return address
        return _native.View(self.device.wrap(address, count))

    def pointers(self, source: Any, target: Any, stream: int | None) -> None:
        """On addresses that the device reaches, enqueued on the stream."""
        queue = queue_of(self.device, stream)
        places = self._wrapped(source, self.native.input_bytes), self._wrapped(target, self.native.output_bytes)
        self.native.execute(queue, *places, self._view(self._workspace))
        if stream is None:
            queue.wait()

    def call(self, x: Any, out: Any, stream: int | None) -> Any:
        adapter: Any = adapter_of(x)
        x = self.source.check("x", adapter, x)
        check_device(self.device, adapter, x)
        if out is None:
            target = adapter.empty(self.target.shape, self.target.element, x)
        else:
            if not adapter.is_out(out):
                raise TypeError(f"out: expected an array of the same library as x, got {type(out).__name__}")
            target = self.target.check("out", adapter, out)
            if not adapter.is_writable(target):
                raise ValueError("out: expected a writable array, got a read-only one")
            if not adapter.takes_result(target, x):
                raise ValueError("out: expected memory apart from that of x")
        if adapter.is_on_host(x) and self.device.backend != "cpu":
            self._call_staged(adapter, x, target)
            return target
        stream = adapter.stream(x) if stream is None else stream
        queue = queue_of(self.device, stream)
        if hasattr(adapter, "begin"):
            adapter.begin(queue, [x, target])
        source = self._wrapped(adapter.address(x), self.native.input_bytes)
        place = self._wrapped(adapter.address(target), self.native.output_bytes)
        self.native.execute(queue, source, place, self._view(self._workspace))
        if hasattr(adapter, "end"):
            adapter.end(queue, [target])
        if stream is None:
            queue.wait()
        return target

    def _call_staged(self, adapter: Any, x: Any, target: Any) -> None:
        """Arrays of the host, by way of the device's memory."""
        if self._staged is None:
            self._staged = self.allocate(self.native.input_bytes), self.allocate(self.native.output_bytes)
            for buffer in self._staged:
                self._keep(buffer)
        source, place = self._staged
        queue = self.device.queue()
        if source is not None:
            queue.upload(source, adapter.address(x), self.native.input_bytes)
        self.native.execute(queue, self._view(source), self._view(place), self._view(self._workspace))
        if place is not None:
            queue.download(adapter.address(target), place, self.native.output_bytes)
        queue.wait()


class DistributedPlan:
    """One rank's part of a transform over all ranks of a communicator.

    All ranks make the plan, and call it, with the same arguments but for devices and arrays. `forward` goes from the
    input's boxes to the output's, `inverse` back.

    Parameters
    ----------
    shape : sequence of int
        Of the whole array, of the real one for r2c.
    dtype : dtype or str, optional
        Of the arrays, or of the real numbers in them: ``'complex64'``, ``'float64'`` ... Default: ``'complex128'``.
    boxes : (sequence of Box, sequence of Box)
        A box for each rank, of the array that `forward` reads and of the one that it writes. For r2c the second is
        of shape `half_shape` (shape). Equal boxes give the spectrum in natural order; an output that is cut along
        another axis takes an exchange less.
    ranks : Communicator
        Of this rank; the plan keeps it.
    kind : str, optional
        ``'c2c'`` (default), ``'r2c'``, whose inverse is c2r, or ``'dct1'`` ... ``'dct4'``, ``'dst1'`` ... ``'dst4'``,
        ``'dht'``, ``'r2hc'``, ``'hc2r'``.
    axes : sequence of int, optional
        The axes to transform; default: all.
    batch : int, optional
        So many such arrays, as a first axis of each rank's arrays. Default: no such axis.
    halved_axis : int, optional
        Of r2c: the axis with n/2 + 1 complex values. Default: the last of the axes.
    norm : {'backward', 'ortho', 'forward'}, optional
        As NumPy's. Default: as ``forward_scale`` and ``inverse_scale`` say.
    forward_scale, inverse_scale : float or {'1/n', '1/sqrt(n)'}, optional
        The factor of each direction. Default: 1.
    direction : {'both', 'forward', 'inverse'}, optional
        A plan of one direction compiles half as much.
    device : Device or str, optional
        This rank's. Default: the one for arrays of the host (`seichefft.config.device`).
    decomposition : {'any', 'slabs', 'pencils', 'four_step'}, optional
        How the array may be cut on its way. Default: what costs least. 'four_step': the longest axis too, whose
        length is a product; of c2c, and of r2c with one axis.
    order : {'natural', 'pass'}, optional
        Of the spectrum's elements along an axis that is cut, of c2c; 'pass' spares an exchange. See `spectrum_index`.
    pieces : int, optional
        Exchanges go in so many pieces at most, beside transforms. Default: as many as cost least.
    fabric : str, optional
        The text of a fabric, as ``seiche tune --fabric`` writes it, for whose speeds the two before are chosen.

    Raises
    ------
    TypeError, ValueError
        For a problem that makes no sense, and where the ranks disagree.
    seichefft.Unsupported
        Where the device lacks what the problem needs.
    AbsentRank
        Where a rank does not come in time.

    Examples
    --------
    >>> import numpy as np, seichefft.distributed as several
    >>> shape = (8, 6, 4)
    >>> x = np.arange(192.0).reshape(shape).astype(complex)
    >>> def transform(ranks, device):
    ...     boxes = several.slab(shape, 0, ranks.size), several.slab(shape, 1, ranks.size)
    ...     plan = several.DistributedPlan(shape, boxes=boxes, ranks=ranks, device=device)
    ...     spectrum = plan.forward(x[plan.input_box.slices].copy())
    ...     return np.allclose(spectrum, np.fft.fftn(x)[plan.output_box.slices])
    >>> several.run_threads(transform, ["reference", "reference"])
    [True, True]
    """

    def __init__(
        self,
        shape: Sequence[int],
        dtype: Any = "complex128",
        *,
        boxes: tuple[Sequence[Box], Sequence[Box]],
        ranks: Communicator,
        kind: str = "c2c",
        axes: Sequence[int] | None = None,
        batch: int | None = None,
        halved_axis: int | None = None,
        norm: str | None = None,
        forward_scale: Any = None,
        inverse_scale: Any = None,
        direction: str = "both",
        device: Device | str | None = None,
        decomposition: str = "any",
        order: str = "natural",
        pieces: int | None = None,
        fabric: str | None = None,
    ) -> None:
        kind = _checks.word("kind", kind)
        if kind not in {"c2c", "r2c", *_REAL}:
            raise ValueError(f"kind: expected 'c2c', 'r2c' or a real-to-real one over several ranks, got {kind!r}")
        if direction not in ("both", "forward", "inverse"):
            raise ValueError(f"direction: expected 'both', 'forward' or 'inverse', got {direction!r}")
        if not isinstance(ranks, Communicator):
            raise TypeError(f"ranks: expected a Communicator, got {type(ranks).__name__}")
        pair = _checks.sequence("boxes", boxes)
        if len(pair) != 2:
            raise ValueError(f"boxes: expected those of the input and those of the output, got {len(pair)}")
        both = _boxes("boxes[0]", pair[0], ranks), _boxes("boxes[1]", pair[1], ranks)
        precision, _ = _precision_of(dtype)
        scales = _scales(norm, forward_scale, inverse_scale)
        lengths = _checks.integers("shape", shape)
        words = dict(
            axes=[] if axes is None else [_axis("axes", axis) for axis in _checks.sequence("axes", axes)],
            batch=1 if batch is None else _checks.integer("batch", batch),
            halved_axis=None if halved_axis is None else _axis("halved_axis", halved_axis),
            precision=precision,
            spectrum_order=_checks.word("order", order),
            forward_scale=_scale("forward_scale", scales[0]),
            inverse_scale=_scale("inverse_scale", scales[1]),
        )
        self._ranks = ranks
        self._device = native_of(device)
        self._boxes = both[0][ranks.rank], both[1][ranks.rank]
        real = Element(precision, "same", False), Element(precision, "same", True)
        sides = (
            _Side(self._boxes[0], real[kind == "c2c"], batch),
            _Side(self._boxes[1], real[kind in ("c2c", "r2c")], batch),
        )
        how = _checks.word("decomposition", decomposition)
        count = None if pieces is None else _checks.integer("pieces", pieces, 1, 1024)
        text = None if fabric is None else _checks.word("fabric", fabric)
        self._works: dict[str, _Work] = {}
        for one in ("forward", "inverse"):
            if direction not in ("both", one):
                continue
            is_forward = one == "forward"
            step = 1 if is_forward else -1
            problem = _native.Problem(lengths, kind="c2r" if kind == "r2c" and not is_forward else kind, **words)
            source, target = both[::step]
            native = _distributed.Plan.make(self._device, problem, source, target, ranks, is_forward, how, count, text)
            self._works[one] = _Work(native, self._device, ranks, *sides[::step])

    def _work(self, direction: str) -> _Work:
        work = self._works.get(_checks.word("direction", direction))
        if work is None:
            raise ValueError(
                f"direction: expected {' or '.join(map(repr, self._works))}, as planned, got {direction!r}"
            )
        return work

    def execute(self, x: Any, out: Any = None, *, direction: str = "forward", stream: int | None = None) -> Any:
        """Transforms this rank's part of an array. All ranks call it.

        Parameters
        ----------
        x : array
            Dense, of this rank's box: `input_box` for the forward direction, `output_box` for the inverse. Of any
            library whose memory the device reaches; arrays of the host go to other devices and back.
        out : array, optional
            Where the result goes. Default: a new array.
        direction : {'forward', 'inverse'}, optional
        stream : int, optional
            The native stream. Default: the current one of the array's library.

        Returns
        -------
        array
            `out`, or a new one. On a device it is written when the stream has come so far.

        Raises
        ------
        TypeError, ValueError
            If an array does not fit. On that rank alone: the others wait for it.
        AbsentRank
            Where a rank does not come in time.
        """
        return self._work(direction).call(x, out, stream)

    def forward(self, x: Any, out: Any = None, *, stream: int | None = None) -> Any:
        """The forward transform; see `execute`."""
        return self._work("forward").call(x, out, stream)

    def inverse(self, x: Any, out: Any = None, *, stream: int | None = None) -> Any:
        """The inverse transform, from the output's boxes to the input's; see `execute`."""
        return self._work("inverse").call(x, out, stream)

    def execute_pointers(
        self, source: int, target: int, *, direction: str = "forward", stream: int | None = None
    ) -> None:
        """Transforms on addresses of the device's memory, which hold this rank's boxes, dense. All ranks call it.

        Parameters
        ----------
        source, target : int
            Addresses that the device reaches; 0 where the box is empty.
        direction : {'forward', 'inverse'}, optional
        stream : int, optional
            The native stream, on which it is enqueued. Default: one of its own, which is waited for.
        """
        source = _checks.integer("source", source, 0, 2**64 - 1)
        target = _checks.integer("target", target, 0, 2**64 - 1)
        self._work(direction).pointers(source, target, stream)

    @property
    def ranks(self) -> Communicator:
        return self._ranks

    @property
    def device(self) -> Device:
        return Device._of(self._device)

    @property
    def input_box(self) -> Box:
        """This rank's part of what `forward` reads."""
        return self._boxes[0]

    @property
    def output_box(self) -> Box:
        """This rank's part of what `forward` writes."""
        return self._boxes[1]

    def spectrum_index(self, axis: int, position: int) -> int:
        """The frequency at a position along an axis of the spectrum: the position itself but for order='pass'."""
        work = next(iter(self._works.values()))
        return int(
            work.native.spectrum_index(_checks.integer("axis", axis, 0, 63), _checks.integer("position", position))
        )

    def exchanges(self, direction: str = "forward") -> int:
        """How often all ranks exchange."""
        return int(self._work(direction).native.exchanges)

    def bytes_sent(self, direction: str = "forward") -> int:
        """Bytes that this rank sends to others in an execution."""
        return int(self._work(direction).native.bytes_sent)

    def describe(self, direction: str = "forward") -> str:
        """What is done step by step, a line each."""
        return str(self._work(direction).native.describe())

    def __repr__(self) -> str:
        return f"<seichefft.distributed.DistributedPlan, rank {self._ranks.rank} of {self._ranks.size}>"


class Redistribution:
    """Moves an array from any boxes to any others.

    Parameters
    ----------
    shape : sequence of int
        Of the whole array.
    dtype : dtype or str
        ``'float32'``, ``'float64'``, ``'complex64'`` or ``'complex128'``.
    source, target : sequence of Box
        A box for each rank, before and after.
    ranks : Communicator
        Of this rank. All ranks make the redistribution, and call it, with the same arguments.
    batch : int, optional
        So many such arrays, as a first axis of each rank's arrays. Default: no such axis.
    device : Device or str, optional
        This rank's. Default: the one for arrays of the host.
    """

    def __init__(
        self,
        shape: Sequence[int],
        dtype: Any,
        source: Sequence[Box],
        target: Sequence[Box],
        ranks: Communicator,
        *,
        batch: int | None = None,
        device: Device | str | None = None,
    ) -> None:
        if not isinstance(ranks, Communicator):
            raise TypeError(f"ranks: expected a Communicator, got {type(ranks).__name__}")
        precision, is_complex = _precision_of(dtype)
        both = _boxes("source", source, ranks), _boxes("target", target, ranks)
        where = native_of(device)
        count = 1 if batch is None else _checks.integer("batch", batch)
        lengths = _checks.integers("shape", shape)
        native = _distributed.Redistribution.make(where, precision, is_complex, lengths, *both, ranks, count)
        element = Element(precision, "same", is_complex)
        sides = [_Side(boxes[ranks.rank], element, batch) for boxes in both]
        self._work = _Work(native, where, ranks, *sides)

    def __call__(self, x: Any, out: Any = None, *, stream: int | None = None) -> Any:
        """Moves this rank's part; gives `out` or a new array. All ranks call it."""
        return self._work.call(x, out, stream)

    @property
    def bytes_sent(self) -> int:
        """Bytes that this rank sends to others in an execution."""
        return int(self._work.native.bytes_sent)
