"""The library behind seichefft: devices, problems, plans and reports."""

from collections.abc import Sequence
from typing import Annotated

from numpy.typing import NDArray

class Error(RuntimeError):
    """A device, driver or context failed, or is not there."""

class Unsupported(Error):
    """The problem is sound, but this device lacks what it needs."""



version: str = '0.2.0'

class DeviceInfo:
    """One line of the list of devices."""

    @property
    def name(self) -> str:
        """What `Device(name)` takes, such as 'cuda:0'."""

    @property
    def description(self) -> str:
        """The driver's own name."""

    @property
    def available(self) -> bool: ...

    @property
    def is_gpu(self) -> bool: ...

    @property
    def driver(self) -> str:
        """Versions of driver and compiler."""

    @property
    def problem(self) -> str:
        """Why it is not available, or ''."""

    @property
    def remedy(self) -> str:
        """What would mend that, or ''."""

    @property
    def backend(self) -> str: ...

    @property
    def limits(self) -> dict: ...

    def __repr__(self) -> str: ...

def devices() -> list[DeviceInfo]: ...

class Buffer:
    """Memory of a device, its own or wrapped."""

    @property
    def bytes(self) -> int: ...

class Queue:
    """An ordered sequence of work; one thread uses it at a time."""

    def upload(self, to: Buffer, source: int, bytes: int) -> None: ...

    def download(self, to: int, source: Buffer, bytes: int) -> None: ...

    def wait(self) -> None:
        """Returns when everything before it has run."""

    def wait_for(self, events: Sequence[int]) -> None:
        """
        OpenCL: what is enqueued from now on begins after these events, cl_event as numbers.
        """

    def record(self) -> int:
        """
        OpenCL: an event of all that was enqueued before; its release is the caller's.
        """

class View:
    """Memory of a device from an offset on."""

    def __init__(self, buffer: Buffer, byte_offset: int = 0) -> None: ...

    def moved(self, bytes: int) -> View:
        """
        A view from so many bytes further on, or before where they are below 0.
        """

    @property
    def byte_offset(self) -> int: ...

class Device:
    @staticmethod
    def open(name: str = '') -> Device: ...

    @staticmethod
    def of_context(backend: str, context: int, device: int = 0) -> Device: ...

    @property
    def info(self) -> DeviceInfo: ...

    @property
    def backend(self) -> str: ...

    def allocate(self, bytes: int) -> Buffer: ...

    def wrap(self, address: int, bytes: int, kind: str = 'pointer') -> Buffer: ...

    def address(self, buffer: Buffer) -> int: ...

    def queue(self, stream: int | None = None) -> Queue: ...

def set_cpu_threads(threads: int) -> None:
    """
    Threads that one execution on the processor may have, in the whole process; 0: as at the start.
    """

class Layout:
    """Where the elements of an array lie, in elements of it."""

    def __init__(self, strides: Sequence[int] = [], batch_distance: int = 0, byte_offset: int = 0, planar: bool = False, part_bytes: int = 0) -> None: ...

    @property
    def strides(self) -> list[int]: ...

    @property
    def batch_distance(self) -> int: ...

    @property
    def byte_offset(self) -> int: ...

    @property
    def planar(self) -> bool: ...

    @property
    def part_bytes(self) -> int: ...

    @property
    def is_image(self) -> bool: ...

class Stage:
    """A text of the stage language, and the buffers and scalars it names."""

    def __init__(self, text: str, buffers: Sequence[tuple[str, str, int]] = [], scalars: Sequence[tuple[str, str]] = []) -> None: ...

    @property
    def text(self) -> str: ...

class Problem:
    """What is to be transformed."""

    def __init__(self, lengths: Sequence[int], *, axes: Sequence[int] = [], batch: int = 1, kind: str = 'c2c', axis_kinds: Sequence[str] = [], halved_axis: int | None = None, orthonormal: bool = False, orthogonalize: bool = False, precision: str = 'f32', storage: str = 'same', in_place: bool = False, forward_scale: object | None = None, inverse_scale: object | None = None, input: Layout = ..., output: Layout = ..., signal_zeros: Sequence[tuple[int, int, int]] = [], spectrum_zeros: Sequence[tuple[int, int, int]] = [], spectrum_order: str = 'natural', overwrite_input: bool = False, forward_load: Stage = ..., forward_store: Stage = ..., inverse_load: Stage = ..., inverse_store: Stage = ...) -> None: ...

    @staticmethod
    def parse(text: str) -> Problem: ...

    def with_stages(self, forward_load: Stage = ..., forward_store: Stage = ..., inverse_load: Stage = ..., inverse_store: Stage = ...) -> Problem: ...

    def __str__(self) -> str: ...

    @property
    def lengths(self) -> list[int]: ...

    @property
    def axes(self) -> list[int]: ...

    @property
    def batch(self) -> int: ...

    @property
    def halved_axis(self) -> int | None: ...

    @property
    def orthonormal(self) -> bool: ...

    @property
    def orthogonalize(self) -> bool: ...

    @property
    def input(self) -> Layout: ...

    @property
    def output(self) -> Layout: ...

    @property
    def forward_scale(self) -> object: ...

    @property
    def inverse_scale(self) -> object: ...

    @property
    def kind(self) -> str: ...

    @property
    def axis_kinds(self) -> list[str]: ...

    @property
    def precision(self) -> str: ...

    @property
    def storage(self) -> str: ...

    @property
    def in_place(self) -> bool: ...

def next_fast_length(n: int) -> int: ...

def stored_bytes(precision: str, storage: str = 'same') -> int:
    """Bytes of one real number in memory."""

class KernelReport:
    """What one kernel launch is and does, for the problem's batch."""

    @property
    def name(self) -> str: ...

    @property
    def spec(self) -> str: ...

    @property
    def groups(self) -> int: ...

    @property
    def group_size(self) -> int: ...

    @property
    def shared_bytes(self) -> int: ...

    @property
    def bytes_read(self) -> int: ...

    @property
    def bytes_written(self) -> int: ...

    @property
    def table_bytes(self) -> int: ...

    @property
    def instructions(self) -> int: ...

    @property
    def direction(self) -> str: ...

class PlanReport:
    """What a plan is made of."""

    @property
    def problem(self) -> str: ...

    @property
    def recipe(self) -> str: ...

    @property
    def kernels(self) -> list[KernelReport]: ...

    @property
    def spectrum_digits(self) -> list[list[int]]: ...

    @property
    def workspace_bytes(self) -> int: ...

    @property
    def ideal_bytes(self) -> int:
        """Each input element read once, each output element written once."""

    @property
    def moved_bytes(self) -> int:
        """What one execution moves."""

    @property
    def plan_milliseconds(self) -> float: ...

    @property
    def compiled(self) -> int: ...

    @property
    def cached(self) -> int: ...

    @property
    def loaded(self) -> int: ...

    @property
    def replanned(self) -> str: ...

    def __str__(self) -> str: ...

def flow(problem: Problem, device: Device, tuning: str = '', most_lines: int = 64) -> dict:
    """The flow graph of what a plan does, as nested dictionaries."""

class Plan:
    """
    A problem made ready to run on a device. Immutable; threads may share it.
    """

    @staticmethod
    def make(device: Device, problem: Problem, directions: str = 'both', tuning: str = '') -> Plan: ...

    @staticmethod
    def load(device: Device, data: bytes) -> Plan: ...

    def execute(self, queue: Queue, direction: str | None, input: object | None, output: object | None, workspace: object | None = None, batch: int | None = None, buffers: dict = {}, scalars: dict = {}, input_imaginary: object | None = None, output_imaginary: object | None = None) -> None:
        """
        Enqueues the transform. Memory is a Buffer, a View or an address, of an array in parts a list of them; buffers are {name: (memory, bytes)}.
        """

    def workspace_bytes(self, batch: int | None = None) -> int: ...

    def input_bytes(self, batch: int | None = None) -> int: ...

    def output_bytes(self, batch: int | None = None) -> int: ...

    def input_part_bytes(self, batch: int | None = None) -> list[int]: ...

    def output_part_bytes(self, batch: int | None = None) -> list[int]: ...

    def spectrum_index(self, axis: int, position: int) -> int: ...

    def warm_up(self) -> None: ...

    def save(self) -> bytes: ...

    def source(self, dialect: str, direction: str | None = None) -> list[dict]: ...

    @property
    def problem(self) -> Problem: ...

    @property
    def device(self) -> Device: ...

    @property
    def report(self) -> PlanReport: ...

class Call:
    """
    A plan in one direction, ready for executions that differ in their memory alone. Memory is given by an array's first element, before which others lie where strides are below 0.
    """

    def __init__(self, plan: Plan, direction: str | None = None) -> None: ...

    def enqueue(self, input: int, output: int, workspace: int = 0, stream: int | None = None) -> None:
        """
        Runs on addresses of the device's memory, on a stream of the caller's or one of its own.
        """

    def enqueue_views(self, input: View, output: View | None, workspace: View | None, stream: int, events: Sequence[int]) -> int:
        """
        Runs on views of OpenCL's memory after these events, and gives the event that it is complete.
        """

    def host(self, x: Annotated[NDArray, dict(device='cpu', writable=False)], out: Annotated[NDArray, dict(device='cpu')]) -> bool:
        """
        Runs on arrays of the host that have the plan's layouts, and waits. False, and nothing done, where an array's numbers lie at no multiple of their size.
        """

    def host_addresses(self, input: int, output: int) -> bool:
        """The same on addresses."""

    @property
    def workspace_bytes(self) -> int: ...

    @property
    def plan(self) -> Plan: ...

class Convolution:
    """What is to be convolved."""

    @staticmethod
    def parse(text: str) -> Convolution: ...

    def __str__(self) -> str: ...

    @property
    def signal(self) -> list[int]: ...

    @property
    def kernel(self) -> list[int]: ...

    @property
    def complex(self) -> bool: ...

    @property
    def inputs(self) -> int: ...

    @property
    def outputs(self) -> int: ...

    @property
    def batch(self) -> int: ...

    @property
    def precision(self) -> str: ...

    @property
    def storage(self) -> str: ...

    @property
    def is_frequency(self) -> bool: ...

    @property
    def result_lengths(self) -> list[int]: ...

    @property
    def kernel_count(self) -> int: ...

class ConvolutionPlan:
    @staticmethod
    def make(device: Device, convolution: Convolution, tuning: str = '') -> ConvolutionPlan: ...

    @staticmethod
    def load(device: Device, data: bytes) -> ConvolutionPlan: ...

    def prepare(self, queue: Queue, kernels: object, spectrum: object, workspace: object | None = None) -> None: ...

    def execute(self, queue: Queue, input: object, spectrum: object, output: object, workspace: object | None = None, batch: int | None = None) -> None: ...

    def host(self, x: Annotated[NDArray, dict(device='cpu', writable=False)], kernels: Annotated[NDArray, dict(device='cpu', writable=False)], out: Annotated[NDArray, dict(device='cpu')], memory: int) -> None:
        """
        On the processor, on dense arrays of the host and `host_bytes` of its memory; waits.
        """

    def host_bytes(self) -> int: ...

    def run(self, input: int, kernels: int, output: int) -> None:
        """On addresses of the host; waits."""

    def save(self) -> bytes: ...

    def input_bytes(self, batch: int | None = None) -> int: ...

    def output_bytes(self, batch: int | None = None) -> int: ...

    def workspace_bytes(self, batch: int | None = None) -> int: ...

    def kernel_bytes(self) -> int: ...

    def spectrum_bytes(self) -> int: ...

    def preparation_bytes(self) -> int: ...

    @property
    def convolution(self) -> Convolution: ...

    @property
    def device(self) -> Device: ...

    @property
    def padded_lengths(self) -> list[int]: ...

    @property
    def report(self) -> PlanReport: ...

class SpectralProblem:
    """Forward transform, a stage for each bin, inverse transform."""

    @staticmethod
    def make(lengths: Sequence[int], *, input: Sequence[tuple[int, int]] = [], output: Sequence[tuple[int, int]] = [], numbers: str = 'real', load: Stage = ..., middle: Stage = ..., store: Stage = ..., scale: float = 1.0, batch: int = 1, precision: str = 'f32', storage: str = 'same', kept: Sequence[tuple[int, int]] = [], channels: tuple[int, int] = (0, 0), kinds: Sequence[str] = [], order: str = 'points-first', packed: bytes = ..., sums_in_f64: bool = False, adjoint: bool = False, part: str = 'whole') -> SpectralProblem:
        """`packed` has whole numbers of 64 bits."""

    def __str__(self) -> str: ...

    @property
    def lengths(self) -> list[int]: ...

    @property
    def input(self) -> list[tuple[int, int]]: ...

    @property
    def output(self) -> list[tuple[int, int]]: ...

    @property
    def kept(self) -> list[tuple[int, int]]: ...

    @property
    def channels(self) -> tuple[int, int]: ...

    @property
    def kinds(self) -> list[str]: ...

    @property
    def adjoint(self) -> bool: ...

    @property
    def part(self) -> str: ...

    @property
    def numbers(self) -> str: ...

    @property
    def order(self) -> str: ...

    @property
    def packed_count(self) -> int: ...

    @property
    def scale(self) -> float: ...

    @property
    def sums_in_f64(self) -> bool: ...

    @property
    def batch(self) -> int: ...

    @property
    def precision(self) -> str: ...

    @property
    def storage(self) -> str: ...

class SpectralPlan:
    @staticmethod
    def make(device: Device, problem: SpectralProblem, tuning: str = '') -> SpectralPlan: ...

    @staticmethod
    def load(device: Device, data: bytes) -> SpectralPlan: ...

    def execute(self, queue: Queue, input: object | None, output: object | None, workspace: object | None = None, batch: int | None = None, buffers: dict = {}, scalars: dict = {}, weights: object | None = None, sums: object | None = None) -> None:
        """
        Enqueues the operator. Memory is a Buffer, a View or an address; buffers are {name: (memory, bytes)}.
        """

    def save(self) -> bytes: ...

    def input_bytes(self, batch: int | None = None) -> int: ...

    def output_bytes(self, batch: int | None = None) -> int: ...

    def workspace_bytes(self, batch: int | None = None) -> int: ...

    def weight_bytes(self, batch: int | None = None) -> int: ...

    def sum_bytes(self, batch: int | None = None) -> int: ...

    @property
    def sum_names(self) -> list[str]: ...

    @property
    def problem(self) -> SpectralProblem: ...

    @property
    def device(self) -> Device: ...

    @property
    def report(self) -> PlanReport: ...

class ShortTimeProblem:
    """Frames of signals, and their spectra."""

    @staticmethod
    def make(samples: int, window: Sequence[float], hop: int, *, direction: str = 'forward', padding: str = 'zeros', value: str = 'complex', order: str = 'frames-first', batch: int = 1, precision: str = 'f32') -> ShortTimeProblem: ...

    def __str__(self) -> str: ...

    @staticmethod
    def parse(text: str, window: Sequence[float] = []) -> ShortTimeProblem: ...

    @property
    def samples(self) -> int: ...

    @property
    def window(self) -> list[float]: ...

    @property
    def hop(self) -> int: ...

    @property
    def batch(self) -> int: ...

    @property
    def frames(self) -> int: ...

    @property
    def bins(self) -> int: ...

    @property
    def is_inverse(self) -> bool: ...

    @property
    def padding(self) -> str: ...

    @property
    def value(self) -> str: ...

    @property
    def order(self) -> str: ...

    @property
    def precision(self) -> str: ...

class ShortTimePlan:
    @staticmethod
    def make(device: Device, problem: ShortTimeProblem, tuning: str = '') -> ShortTimePlan: ...

    @staticmethod
    def load(device: Device, data: bytes) -> ShortTimePlan: ...

    def save(self) -> bytes: ...

    def execute(self, queue: Queue, input: object | None, output: object | None, workspace: object | None = None, batch: int | None = None) -> None:
        """Enqueues the transform. Memory is a Buffer, a View or an address."""

    def input_bytes(self) -> int: ...

    def output_bytes(self) -> int: ...

    def workspace_bytes(self) -> int: ...

    @property
    def problem(self) -> ShortTimeProblem: ...

    @property
    def device(self) -> Device: ...

    @property
    def report(self) -> PlanReport: ...

class SpectralCall:
    """
    A spectral plan, ready for executions that differ in memory and numbers alone.
    """

    def __init__(self, plan: SpectralPlan, batch: int | None, buffers: Sequence[tuple[str, int]], scalars: Sequence[str]) -> None: ...

    def run(self, inputs: Sequence[int], outputs: Sequence[int], workspace: int = 0, stream: int | None = None, scalars: Sequence[float] = []) -> None:
        """
        Runs on addresses of the device's memory, on a stream of the caller's or one of its own.
        """

    @property
    def workspace_bytes(self) -> int: ...

class PlanCall:
    """The same of a plan with stages, in one direction."""

    def __init__(self, plan: Plan, direction: str, batch: int | None, buffers: Sequence[tuple[str, int]], scalars: Sequence[str]) -> None: ...

    def run(self, inputs: Sequence[int], outputs: Sequence[int], workspace: int = 0, stream: int | None = None, scalars: Sequence[float] = []) -> None:
        """
        Runs on addresses of the device's memory, on a stream of the caller's or one of its own.
        """

    @property
    def workspace_bytes(self) -> int: ...

class ShortTimeCall:
    """The same of a short-time plan."""

    def __init__(self, plan: ShortTimePlan) -> None: ...

    def run(self, inputs: Sequence[int], outputs: Sequence[int], workspace: int = 0, stream: int | None = None, scalars: Sequence[float] = []) -> None:
        """
        Runs on addresses of the device's memory, on a stream of the caller's or one of its own.
        """

    @property
    def workspace_bytes(self) -> int: ...

class ConvolutionCall:
    """The same of a convolution whose kernels change with each call."""

    def __init__(self, plan: ConvolutionPlan, batch: int | None) -> None: ...

    def run(self, inputs: Sequence[int], outputs: Sequence[int], workspace: int = 0, stream: int | None = None, scalars: Sequence[float] = []) -> None:
        """
        Runs on addresses of the device's memory, on a stream of the caller's or one of its own.
        """

    @property
    def workspace_bytes(self) -> int: ...
