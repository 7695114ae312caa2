"""Calls of a plan: the arrays are checked, taken where they lie or brought to the device, and the result given back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from . import _checks, _native
from ._arrays import Arrays, adapter_of
from ._arrays._contract import Element, Memory, elements_before
from ._engine import real_bytes

if TYPE_CHECKING:
    from .plans import Plan


class Side(NamedTuple):
    """One of the two arrays of a plan, or each half of it where it is planar: what a call takes or gives."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    element: Element
    planar: bool

    def with_batch(self, batch: int | None) -> Side:
        return self if batch is None else self._replace(shape=(batch, *self.shape[1:]))

    def reach(self) -> int:
        """Elements from the first to the last, both included."""
        if 0 in self.shape:
            return 0
        return 1 + sum(abs(stride) * (count - 1) for stride, count in zip(self.strides, self.shape))

    def before(self) -> int:
        """Elements from the lowest to the first, behind which the others lie where no stride is below 0."""
        return 0 if 0 in self.shape else elements_before(self.shape, self.strides)

    def bytes_before(self) -> int:
        return self.before() * real_bytes(self.element) * (2 if self.element.is_complex else 1)

    def is_dense(self) -> bool:
        step = 1
        for count, stride in zip(reversed(self.shape), reversed(self.strides)):
            if count > 1 and stride != step:
                return False
            step *= count
        return True


def goes_back(layout: _native.Layout) -> bool:
    """Whether elements lie before the first one."""
    return layout.batch_distance < 0 or any(stride < 0 for stride in layout.strides)


def queue_of(device: _native.Device, stream: Any) -> _native.Queue:
    """Of the caller's stream or command queue, or the device's own."""
    return device.queue(None if stream is None else _checks.integer("stream", stream, 0, 2**64 - 1))


def check_device(device: _native.Device, adapter: Arrays, x: Any) -> None:
    """An array in the memory of a device is for plans on it."""
    if not adapter.is_on_host(x):
        own = adapter.device(x)
        if own.backend != device.backend:
            raise ValueError(
                f"x: expected an array of the host or of {device.info.name}, where the plan runs, got one of "
                f"{own.info.name}: Device.of(x) gives the device for a plan"
            )


class _Call:
    """One execution: what it runs on, what has to be kept until it has run, and what is brought back."""

    def __init__(self, plan: Plan, adapter: Arrays, like: Any) -> None:
        self.plan = plan
        self.adapter = adapter
        self.like = like
        self.batch: int | None = None
        self.device = plan._device
        #: An array of the host, and a device whose memory is another.
        self.is_staged = like is None or (adapter.is_on_host(like) and self.device.backend != "cpu")
        self.kept: list[Any] = []
        self._back: list[tuple[int, _native.Buffer, int]] = []

    # --- arrays ---------------------------------------------------------------------------------------------------

    def arrays(self, what: str, x: Any, side: Side) -> list[Any]:
        """The array, or both halves of a planar one, if it fits."""
        if not side.planar:
            return [self._checked(what, self.adapter.asarray(x), side)]
        if not isinstance(x, (tuple, list)) or len(x) != 2:
            raise TypeError(f"{what}: expected a pair of real arrays, as the plan is planar, got {type(x).__name__}")
        return [self._checked(what, self.adapter.asarray(half), side) for half in x]

    def _checked(self, what: str, x: Any, side: Side) -> Any:
        memory = self._memory(what, x, side)
        self._check_shape(what, memory.shape, side.shape)
        if memory.element != side.element:
            raise TypeError(f"{what}: expected elements {side.element}, got {memory.element}")
        if side.element.precision == "f64x2":
            x = self.adapter.convert(x, "number")
            memory = self.adapter.memory(x)
        if memory.strides is None:
            raise ValueError(
                f"{what}: expected strides of {side.strides} elements, got an array that is not aligned or has another "
                "byte order: give a copy of it"
            )
        if any(count > 1 and got != want for count, got, want in zip(memory.shape, memory.strides, side.strides)):
            raise ValueError(f"{what}: expected strides of {side.strides} elements, got {memory.strides}")
        return x

    def check_writable(self, what: str, arrays: list[Any]) -> None:
        for x in arrays:
            if not self.adapter.is_writable(x):
                raise ValueError(f"{what}: expected a writable array, got a read-only one")

    def overlap(self, sources: list[Any], targets: list[Any]) -> bool:
        """Whether a result cannot be written straight into the caller's arrays, because of the input's memory."""
        takes = self.adapter.takes_result
        return any(not takes(target, source) for target in targets for source in sources)

    def _memory(self, what: str, x: Any, side: Side) -> Memory:
        try:
            memory = self.adapter.memory(x)
        except (KeyError, AttributeError):
            got = getattr(x, "dtype", type(x).__name__)
            raise TypeError(f"{what}: expected an array of elements {side.element}, got {got}") from None
        element = side.element
        if element.is_complex and element.storage in ("f16", "bf16") and not memory.element.is_complex:
            # A library without such complex numbers has pairs of real ones along a last axis.
            if memory.shape[-1:] == (2,) and memory.strides is not None and memory.strides[-1] == 1:
                strides = tuple(stride // 2 for stride in memory.strides[:-1])
                return Memory(memory.shape[:-1], strides, memory.element._replace(is_complex=True))
        return memory

    def _check_shape(self, what: str, got: tuple[int, ...], expected: tuple[int, ...]) -> None:
        if not self.plan._has_batch:
            if got != expected:
                raise ValueError(f"{what}: expected shape {expected}, got {got}")
            return
        if len(got) != len(expected) or got[1:] != expected[1:]:
            named = ", ".join(["batch", *map(str, expected[1:])])
            raise ValueError(f"{what}: expected shape ({named}), got {got}")
        if self.batch not in (None, got[0]):
            raise ValueError(f"{what}: expected a batch of {self.batch}, as the input's, got {got[0]}")
        if got[0] not in (0, self.plan._problem.batch) and any(side.strides[0] < 0 for side in self.plan._sides):
            raise ValueError(
                f"{what}: expected a batch of {self.plan._problem.batch}, as the plan's arrays follow each other "
                f"backwards, got {got[0]}"
            )
        self.batch = got[0]

    def check_room(self, sources: list[Any]) -> None:
        """In place the result may reach further than the input."""
        before, after = (side.bytes_before() for side in self.plan._sides)
        if after > before:
            raise ValueError("x: expected a plan whose result reaches no lower than the input does, got another")
        needed = self.bytes_of(True, max(len(sources), 1)) - self.before(True)
        for source in sources:
            room = self.adapter.room(source)
            if room is not None and room < needed:
                raise ValueError(f"x: expected memory of {needed} bytes for the result in place, got {room}")

    def new_arrays(self, side: Side) -> list[Any]:
        side = side.with_batch(self.batch)
        count = 2 if side.planar else 1
        if side.is_dense():
            return [self.adapter.empty(side.shape, side.element, self.like) for _ in range(count)]
        # What lies between the elements is nobody's, and has a meaning all the same.
        spans = [self.adapter.zeros((side.reach(),), side.element, self.like) for _ in range(count)]
        first = side.before()
        return [self.adapter.alias(span[first:], side.shape, side.strides, side.element) for span in spans]

    def parts(self, what: str, x: Any, element: Element, sizes: list[int]) -> list[Any]:
        """The arrays that one in parts lies in: dense, of at least so many bytes."""
        if not isinstance(x, (tuple, list)) or len(x) != len(sizes):
            got = f"{len(x)}" if isinstance(x, (tuple, list)) else f"one {type(x).__name__}"
            raise TypeError(f"{what}: expected {len(sizes)} arrays, the parts of one, got {got}")
        arrays = []
        for number, (part, count) in enumerate(zip(x, sizes)):
            name = f"{what}[{number}]"
            array = self.adapter.asarray(part)
            memory = self._memory(name, array, Side((), (), element, False))
            if memory.element != element:
                raise TypeError(f"{name}: expected elements {element}, got {memory.element}")
            if memory.strides is None or not Side(memory.shape, memory.strides, element, False).is_dense():
                raise ValueError(f"{name}: expected a dense array, got strides {memory.strides}")
            if array.nbytes < count:
                raise ValueError(f"{name}: expected at least {count} bytes, got {array.nbytes}")
            arrays.append(array)
        return arrays

    def new_parts(self, element: Element, sizes: list[int]) -> list[Any]:
        unit = self.adapter.empty((1,), element, self.like).nbytes
        return [self.adapter.empty((count // unit,), element, self.like) for count in sizes]

    def place_parts(
        self, queue: _native.Queue, arrays: list[Any], sizes: list[int], comes_back: bool, before: int = 0
    ) -> list[Any]:
        return [self.place(queue, array, count, comes_back, before) for array, count in zip(arrays, sizes)]

    # --- memory ---------------------------------------------------------------------------------------------------

    def before(self, is_input: bool) -> int:
        """Bytes from where an array is bound to its first element."""
        problem = self.plan._problem
        one = problem.input if is_input else problem.output
        layouts = (problem.input, problem.output) if problem.in_place else (one,)
        return max(layout.byte_offset for layout in layouts) if any(map(goes_back, layouts)) else 0

    def bytes_of(self, is_input: bool, count: int) -> int:
        """Of one of so many arrays that lie together: one, or the halves of a planar one."""
        native = self.plan._plan
        both = native.input_bytes(self.batch) if is_input else native.output_bytes(self.batch)
        return (both + (count - 1) * self.before(is_input)) // count

    def place(self, queue: _native.Queue, x: Any, count: int, comes_back: bool, before: int = 0) -> Any:
        """The memory of an array for the execution: its address, or a buffer of the device with its bytes, of which
        so many lie before the first element."""
        address = self.adapter.address(x)
        if before:
            is_view = isinstance(address, _native.View)
            address = address.moved(-before) if is_view else address - before
        if not self.is_staged:
            return address
        if count == 0:
            return None
        buffer = self.device.allocate(count)
        queue.upload(buffer, address, count)
        if comes_back:
            self._back.append((address, buffer, count))
        return buffer

    def scratch(self, workspace: Any) -> Any:
        count = self.plan._plan.workspace_bytes(self.batch)
        if count == 0:
            return None
        if workspace is None:
            if self.is_staged:
                return self.device.allocate(count)
            keeper, address = self.adapter.workspace(count, self.like)
            self.kept.append(keeper)
            return address
        if isinstance(workspace, (_native.Buffer, _native.View)):
            return workspace
        if isinstance(workspace, int):
            return _checks.integer("workspace", workspace, 0, 2**64 - 1)
        adapter = adapter_of(workspace)
        array = adapter.asarray(workspace)
        if array.nbytes < count:
            raise ValueError(f"workspace: expected at least {count} bytes, got {array.nbytes}")
        if self.is_staged:
            return self.device.allocate(count)
        return adapter.address(array)

    def finish(self, queue: _native.Queue) -> None:
        for address, buffer, count in self._back:
            queue.download(address, buffer, count)
        if self.is_staged:
            queue.wait()


def _results(call: _Call, x: Any, out: Any, sources: list[Any], side: Side) -> list[Any]:
    """The arrays that the result is written into."""
    if not call.plan._problem.in_place:
        if out is None:
            return call.new_arrays(side)
        targets = call.arrays("out", out, side)
        if side.element.precision == "f64x2":
            return targets  # copies, of which the result is made
        call.check_writable("out", targets)
        return call.new_arrays(side) if call.overlap(sources, targets) else targets
    if out is not None and out is not x:
        raise ValueError("out: expected None or the input itself, because the plan is in place")
    if side.element.precision != "f64x2":
        call.check_writable("x", sources)
    return sources


def _given_back(call: _Call, x: Any, out: Any, targets: list[Any], side: Side) -> Any:
    """What the caller gets for the arrays that were written."""
    side = side.with_batch(call.batch)
    adapter = call.adapter
    in_place = call.plan._problem.in_place
    if side.element.precision == "f64x2":
        wide = [adapter.finish(target, side.shape) for target in targets]
        into = x if in_place else out
        if into is None:
            return wide[0] if len(wide) == 1 else tuple(wide)
        for array, result in zip(into if side.planar else [into], wide):
            adapter.copy_into(array, result)
        return into
    if in_place:
        if call.plan._sides[0] == call.plan._sides[1]:
            return x
        return adapter.alias(targets[0], side.shape, side.strides, side.element)
    if out is None:
        return tuple(targets) if side.planar else targets[0]
    for array, target in zip(out if side.planar else [out], targets):
        if array is not target:  # which the input's memory was in the way of
            adapter.copy_into(adapter.asarray(array), target)
    return out


def execute_in_parts(
    plan: Plan, x: Any, out: Any, direction: str | None, stream: int | None, workspace: Any, stages: tuple[Any, Any]
) -> Any:
    """The same, where an array of the plan lies in several."""
    word = _checks.word("direction", direction or plan._direction)
    native, problem, (source_side, target_side) = plan._plan, plan._problem, plan._sides
    if stages[0]:
        raise ValueError("stages: expected none that name arrays, because an array of the plan lies in parts")
    in_parts = problem.input.part_bytes != 0, problem.output.part_bytes != 0
    if problem.in_place:
        in_parts = (any(in_parts),) * 2
        if out is not None and out is not x:
            raise ValueError("out: expected None or the input itself, because the plan is in place")
    first = x[0] if isinstance(x, (tuple, list)) and len(x) else x
    adapter = adapter_of(first)
    call = _Call(plan, adapter, adapter.asarray(first))
    check_device(plan._device, adapter, call.like)
    sizes = [int(count) for count in native.input_part_bytes()], [int(count) for count in native.output_part_bytes()]

    def arrays(what: str, given: Any, side: Side, index: int) -> list[Any]:
        return (
            call.parts(what, given, side.element, sizes[index]) if in_parts[index] else call.arrays(what, given, side)
        )

    sources = arrays("x", x, source_side, 0)
    if problem.in_place:
        targets = sources
    elif out is not None:
        targets = arrays("out", out, target_side, 1)
    else:
        targets = call.new_parts(target_side.element, sizes[1]) if in_parts[1] else call.new_arrays(target_side)
    if problem.in_place or out is not None:
        call.check_writable("x" if problem.in_place else "out", targets)
    if out is not None and not problem.in_place and call.overlap(sources, targets):
        raise ValueError(
            "out: expected arrays apart from the input's memory, because an array of the plan lies in parts"
        )
    if call.batch not in (None, problem.batch):
        raise ValueError(f"x, out: expected a batch of {problem.batch}, as the plan's is in parts, got {call.batch}")
    if stream is None and not call.is_staged:
        stream = adapter.stream(call.like)
    queue = queue_of(plan._device, stream)
    if hasattr(adapter, "begin") and not call.is_staged:
        adapter.begin(queue, [*sources, *targets])
    counts = sizes[0] if in_parts[0] else [native.input_bytes()], sizes[1] if in_parts[1] else [native.output_bytes()]
    # What lies in parts is known by its memory, an array by its first element.
    before = [0 if in_parts[index] else call.before(index == 0) for index in range(2)]
    placed: Any = call.place_parts(queue, sources, counts[0], problem.in_place, before[0])
    placed_targets: Any = None if problem.in_place else call.place_parts(queue, targets, counts[1], True, before[1])
    if not in_parts[0]:
        placed = placed[0]
    if not in_parts[1] and placed_targets is not None:
        placed_targets = placed_targets[0]
    native.execute(
        queue,
        word,
        placed,
        placed_targets,
        call.scratch(workspace),
        None,
        {},
        stages[1],
    )
    if hasattr(adapter, "end") and not call.is_staged:
        adapter.end(queue, targets)
    call.finish(queue)
    if problem.in_place or out is not None:
        return x if problem.in_place else out
    return targets if in_parts[1] else targets[0]


def execute(
    plan: Plan, x: Any, out: Any, direction: str | None, stream: int | None, workspace: Any, stages: tuple[Any, Any]
) -> Any:
    """See `Plan.__call__`."""
    if plan._is_in_parts:
        return execute_in_parts(plan, x, out, direction, stream, workspace, stages)
    word = _checks.word("direction", direction or plan._direction)
    arrays, numbers = stages
    native, problem = plan._plan, plan._problem
    sides = plan._sides
    if x is None and native.input_bytes() != 0:
        raise TypeError("x: expected an array, got None")
    first = next(iter(arrays.values()), out) if x is None else x[0] if sides[0].planar else x
    adapter = adapter_of(first)
    call = _Call(plan, adapter, None if first is None else adapter.asarray(first))
    if first is not None:
        check_device(plan._device, adapter, call.like)
    sources = [] if x is None else call.arrays("x", x, sides[0])
    has_output = native.output_bytes() != 0 and (problem.in_place or call.like is not None)
    targets = _results(call, x, out, sources, sides[1]) if has_output else []
    if problem.in_place:
        call.check_room(sources)
    has_stream = stream is not None  # and not the one that the library copies on
    if stream is None and not call.is_staged:
        stream = adapter.stream(call.like)
    queue = queue_of(plan._device, stream)
    batch = call.batch
    if hasattr(adapter, "begin") and not call.is_staged:
        adapter.begin(queue, [*sources, *targets, *arrays.values()])
    placed = [
        call.place(queue, source, call.bytes_of(True, len(sources)), problem.in_place, call.before(True))
        for source in sources
    ]
    placed_targets = (
        []
        if problem.in_place
        else [
            call.place(queue, target, call.bytes_of(False, len(targets)), True, call.before(False))
            for target in targets
        ]
    )
    buffers = {
        name: (call.place(queue, array, array.nbytes, plan._stages.stores(name)), array.nbytes)
        for name, array in arrays.items()
    }
    padded = [*placed, None, None], [*placed_targets, None, None]
    native.execute(
        queue,
        word,
        padded[0][0],
        padded[1][0],
        call.scratch(workspace),
        batch,
        buffers,
        numbers,
        padded[0][1],
        padded[1][1],
    )
    if hasattr(adapter, "end") and not call.is_staged:
        stored = [array for name, array in arrays.items() if plan._stages.stores(name)]
        adapter.end(queue, [*targets, *stored])
    call.finish(queue)
    if has_stream and out is not None and not problem.in_place:
        given = out if sides[1].planar else [out]
        if any(array is not target for array, target in zip(given, targets)):
            queue.wait()
    return _given_back(call, x, out, targets, sides[1]) if has_output else None
