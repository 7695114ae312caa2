#!/usr/bin/env python3
"""Seiche's device for the processor beside other libraries: every case by all of them in turn, in one process.

    bench/processor.py --library build/release/src/libseiche.so --peers fftw,ducc0,scipy --threads 1,2 --csv FILE

Peers: FFTW and MKL through FFTW's interface (measured plans, 20 s at most each), ducc0 and SciPy through Python, and
`pocl`, which is Seiche itself on PoCL. A peer that is not there is named in one line and left out.

Each transform's output is filled with NaN and compared with NumPy's in double precision, before and after the timing;
a wrong result gets no figure. A sample is a loop of executions, as many for each contender, after one that is not
timed: 2 ms or more, less where results that replace their input would not stay finite. Between two contenders there
are 5 ms of rest, in which idle threads of the last one fall asleep. All work on the same arrays (PoCL on buffers of its
own, SciPy allocates its result).
"""

import argparse
import contextlib
import csv
import ctypes
import dataclasses
import datetime
import functools
import gc
import importlib
import io
import math
import os
import platform
import shlex
import statistics
import subprocess
import sys
import time
import timeit

try:
    import numpy
except ImportError:
    sys.exit("processor: expected NumPy for data and reference, got a Python without it: pip install numpy")

# As the command line of `seiche bench` names them. Single transforms only from 2^12 points on; shorter ones are batches
# of 2^16 points in all.
CASES = """
16 c2c f32 batch=4096; 32 c2c f64 batch=2048 in-place; 64 c2c f32 batch=1024; 128 c2c f64 batch=512;
256 c2c f32 batch=256 in-place; 512 c2c f64 batch=128; 1024 c2c f32 batch=64; 2048 c2c f64 batch=32 in-place;
4096 c2c f32; 4096 c2c f64 batch=16; 16384 c2c f64; 32768 c2c f32 in-place; 65536 c2c f32;
65536 c2c f64 in-place; 262144 c2c f32 in-place; 262144 c2c f64; 1048576 c2c f32; 1048576 c2c f64 in-place;
4194304 c2c f32; 16777216 c2c f32 in-place; 16777216 c2c f64;
1000 c2c f32 batch=66; 1536 c2c f64 batch=43 in-place; 3125 c2c f32 batch=21; 2401 c2c f64 batch=28;
1331 c2c f32 batch=50 in-place; 2197 c2c f64 batch=30; 15000 c2c f32; 100000 c2c f64; 1000000 c2c f32 in-place;
17 c2c f32 batch=3856; 31 c2c f64 batch=2115; 127 c2c f32 batch=517 in-place; 257 c2c f64 batch=256;
1009 c2c f32 batch=65; 10007 c2c f64;
1024 r2c f32 batch=64; 4096 r2c f64 batch=16 in-place; 65536 r2c f32; 1048576 r2c f64; 1000 c2r f32 batch=66;
65536 c2r f64; 1048576 c2r f32 in-place;
256 dct2 f32 batch=256; 4096 dct2 f64 batch=16; 262144 dct2 f32 in-place; 512x512 dct2 f64;
64x64 c2c f32 batch=16; 256x256 c2c f64; 512x512 c2c f32 in-place; 1000x1000 c2c f32; 1024x1024 c2c f64 in-place;
4096x4096 c2c f32; 1024x1024 r2c f32; 2048x2048 c2r f64;
32x32x32 c2c f32 batch=2; 64x64x64 c2c f64 in-place; 128x128x128 c2c f32; 100x100x100 r2c f64;
256x256x256 c2c f32
"""
CASES = [text.strip() for text in CASES.split(";")]
PEERS = ["fftw", "ducc0", "scipy", "mkl", "pocl"]
KINDS = ["c2c", "r2c", "c2r", "dct2"]
FEATURES = ["sse4_2", "avx2", "fma", "avx512f", "avx512bw", "avx512dq", "avx512vl"]
COLUMNS = ["case", "threads", "contender", "status", "median_ms", "lower_quartile_ms", "upper_quartile_ms",
           "fastest_ms", "samples", "executions", "error", "plan_ms"]
FREE_FACTS = ("date", "command", "load", "microseconds of a call", "environment")  # may differ where a record goes on
SAMPLE_SECONDS, REST_SECONDS, PLANNING_SECONDS = 2e-3, 5e-3, 20.0
SLOW, SLOW_BESIDE_POCL = 0.8, 0.97  # of a peer's speed: cases below are named


class Fault(Exception):
    """What the caller asked for cannot be; one line."""


class Missing(Exception):
    """A contender is not there or does not have a case; why."""


@dataclasses.dataclass(frozen=True)
class Case:
    text: str
    lengths: tuple
    kind: str
    is_double: bool
    batch: int
    in_place: bool

    @property
    def points(self):
        """Of one transform."""
        return math.prod(self.lengths)

    @property
    def axes(self):
        """Of arrays whose first axis is the batch."""
        return tuple(range(1, len(self.lengths) + 1))

    @property
    def error_bound(self):
        """Of the relative L2 error: 5 u sqrt(log2 N)."""
        return 5 * 2.0 ** (-53 if self.is_double else -24) * math.sqrt(max(1.0, math.log2(self.points)))

    @property
    def most_executions(self):
        """After which results that replace their input, and so grow each time, are finite still."""
        if not self.in_place and self.kind != "c2r":
            return 1 << 20
        return max(1, int((300 if self.is_double else 30) / math.log10(2 * math.sqrt(self.points))) - 2)


def parse_case(text):
    words = text.split()
    numbers = words[0].split("x") if words else []
    if not numbers or not all(n.isdecimal() and int(n) > 1 for n in numbers):
        raise Fault(f"--cases: expected 'all' or a problem such as '64x64 c2c f32 batch=16 in-place', got '{text}'")
    kind, is_double, batch, in_place = "c2c", False, 1, False
    for word in words[1:]:
        if word in KINDS:
            kind = word
        elif word in ("f32", "f64"):
            is_double = word == "f64"
        elif word.startswith("batch=") and word[6:].isdecimal() and int(word[6:]) > 0:
            batch = int(word[6:])
        elif word in ("in-place", "out-of-place"):
            in_place = word == "in-place"
        else:
            raise Fault(f"--cases: expected c2c, r2c, c2r, dct2, f32, f64, batch=N or in-place, got '{word}'")
    return Case(" ".join(words), tuple(map(int, numbers)), kind, is_double, batch, in_place)


def aligned(size):
    """Bytes from a multiple of 64 on."""
    memory = numpy.empty(size + 64, "u1")
    begin = -memory.ctypes.data % 64
    return memory[begin:begin + size]


def dct2(values, axis):
    """2 sum x[j] cos(pi (j + 1/2) k / n), by a transform of the even elements and the odd ones backwards (Makhoul, A
    fast cosine transform in one and two dimensions, 1980)."""
    values = numpy.moveaxis(values, axis, -1)
    n = values.shape[-1]
    order = numpy.concatenate([numpy.arange(0, n, 2), numpy.arange(1, n, 2)[::-1]])
    turned = numpy.fft.fft(values[..., order], axis=-1) * numpy.exp(-0.5j * math.pi / n * numpy.arange(n))
    return numpy.moveaxis(2 * turned.real, -1, axis)


class Arrays:
    """Input, output and what must come out: `input` and `output` are views of `input_memory` and `output_memory`, whose
    first axis is the batch. In place both are the same memory, with rows of real numbers padded as FFTW pads them."""

    def __init__(self, case, seed=1):
        self.case = case
        full = (case.batch, *case.lengths)
        half = (*full[:-1], full[-1] // 2 + 1)
        number, pair = map(numpy.dtype, ("f8", "c16") if case.is_double else ("f4", "c8"))
        forms = {"full": (full, pair), "half": (half, pair), "real": (full, number)}
        source, target = {"c2c": ("full", "full"), "r2c": ("real", "half"), "c2r": ("half", "real"),
                          "dct2": ("real", "real")}[case.kind]
        size = {name: math.prod(shape) * kind.itemsize for name, (shape, kind) in forms.items()}
        self.input_memory = aligned(max(size[source], size[target]) if case.in_place else size[source])
        self.output_memory = self.input_memory if case.in_place else aligned(size[target])

        def view(memory, form):
            shape, kind = forms[form]
            if form != "real" or case.kind == "dct2" or not case.in_place:
                return memory.view(kind).reshape(shape)
            return memory.view(kind).reshape(*half[:-1], 2 * half[-1])[..., :full[-1]]

        self.input, self.output = view(self.input_memory, source), view(self.output_memory, target)
        self._fill(numpy.random.default_rng(seed), *forms[source])

    def _fill(self, random, shape, kind):
        """Random data in [-1, 1), of c2r the spectrum of such, and NumPy's result in double precision."""
        case = self.case
        if case.kind == "c2c":
            exact = random.uniform(-1, 1, (*shape, 2)).view("c16")[..., 0]
        else:
            exact = random.uniform(-1, 1, (case.batch, *case.lengths))
        if case.kind == "c2r":
            exact = numpy.fft.rfftn(exact, axes=case.axes) / math.sqrt(case.points)
        self.data = exact.astype(kind)
        exact = self.data.astype("c16" if kind.kind == "c" else "f8")
        transform = {"c2c": lambda: numpy.fft.fftn(exact, axes=case.axes),
                     "r2c": lambda: numpy.fft.rfftn(exact, axes=case.axes),
                     "c2r": lambda: numpy.fft.irfftn(exact, s=case.lengths, axes=case.axes, norm="forward"),
                     "dct2": lambda: functools.reduce(dct2, case.axes, exact)}[case.kind]
        self.expected = transform()
        self.size_of_expected = float(numpy.linalg.norm(self.expected.ravel()))

    def load(self, poisons):
        """The data; `poisons`: all other bytes are NaN."""
        if poisons:
            self.output_memory.fill(0xff)
        self.input[...] = self.data

    def error(self):
        """Of `output`, relative to `expected` in the L2 norm; inf where it is not finite."""
        error = float(numpy.linalg.norm((self.output - self.expected).ravel())) / self.size_of_expected
        return error if math.isfinite(error) else math.inf


def nothing():
    pass


@dataclasses.dataclass
class Job:
    """A contender's transform of one case. `call` enqueues or makes it, `wait` waits for it; `checked` is a call that
    raises Missing where it fails and leaves its result in the arrays. `upload` and `download` move the arrays to memory
    of its own and back."""

    call: object
    checked: object
    wait: object = nothing
    upload: object = nothing
    download: object = nothing
    close: object = nothing


def load_library(names):
    """The first of these that the loader finds. All symbols are bound at once, so that libraries of the same interface
    that come later change nothing."""
    problem = ""
    for name in names:
        try:
            return ctypes.CDLL(name, mode=os.RTLD_NOW | os.RTLD_LOCAL)
        except OSError as error:
            problem = problem or str(error)
    raise Missing(problem)


class Execution(ctypes.Structure):
    """The members of seiche_execution up to the batch; the library supplies those behind."""

    _fields_ = [("struct_size", ctypes.c_size_t), ("direction", ctypes.c_int), ("reserved", ctypes.c_int),
                ("input", ctypes.c_void_p), ("input_offset", ctypes.c_uint64), ("output", ctypes.c_void_p),
                ("output_offset", ctypes.c_uint64), ("workspace", ctypes.c_void_p),
                ("workspace_offset", ctypes.c_uint64), ("batch", ctypes.c_uint64)]


class Seiche:
    """A device of Seiche through the C interface: the processor on the caller's arrays, others on their own buffers."""

    def __init__(self, library, name, device, fixed_threads=None):
        self.library, self.name, self.device = library, name, device
        self.is_processor = device.split(":")[0] == "cpu"
        self.fixed_threads = fixed_threads
        self.library.seiche_device_description.restype = ctypes.c_char_p
        handle = self.open()
        self.version = self.library.seiche_device_description(handle).decode()
        self.library.seiche_device_release(handle)

    def must(self, status):
        if status != 0:
            raise Missing(self.library.seiche_last_error().decode())

    def made(self, function, *arguments):
        """The handle that a function returns through its last argument."""
        handle = ctypes.c_void_p()
        self.must(getattr(self.library, function)(*arguments, ctypes.byref(handle)))
        return handle

    def open(self):
        return self.made("seiche_device_open", self.device.encode())

    def prepare(self, case, arrays, threads):
        if self.fixed_threads not in (None, threads):
            raise Missing(f"has {self.fixed_threads} threads for the whole process")
        if self.is_processor:
            self.must(self.library.seiche_cpu_set_threads(threads))
        with contextlib.ExitStack() as stack:
            job = self.job(case, arrays, stack)
            job.close = stack.pop_all().close
            return job

    def job(self, case, arrays, stack):
        library = self.library

        def keep(kind, handle):
            stack.callback(getattr(library, f"seiche_{kind}_release"), handle)
            return handle

        device = keep("device", self.open())
        queue = keep("queue", self.made("seiche_queue_create", device))
        plan = keep("plan", self.made("seiche_plan_create_from_text", device, case.text.encode(),
                                      2 if case.kind == "c2r" else 1))
        input_buffer = keep("buffer", self.buffer(device, arrays.input_memory))
        output_buffer = input_buffer
        if not case.in_place:
            output_buffer = keep("buffer", self.buffer(device, arrays.output_memory))
        execution = Execution(struct_size=ctypes.sizeof(Execution), direction=2, input=input_buffer.value,
                              output=output_buffer.value)
        size = ctypes.c_uint64()
        self.must(library.seiche_plan_workspace_bytes(plan, ctypes.c_uint64(0), ctypes.byref(size)))
        if size.value:
            execution.workspace = keep("buffer", self.made("seiche_buffer_create", device, size)).value

        call = functools.partial(library.seiche_execute, plan, queue, ctypes.byref(execution))
        wait = functools.partial(library.seiche_queue_wait, queue)

        def checked():
            self.must(call())
            self.must(wait())

        def upload():
            for buffer, memory in ((output_buffer, arrays.output_memory), (input_buffer, arrays.input_memory)):
                self.must(library.seiche_upload(queue, buffer, ctypes.c_uint64(0), ctypes.c_void_p(memory.ctypes.data),
                                                ctypes.c_size_t(memory.nbytes)))

        def download():
            self.must(library.seiche_download(queue, ctypes.c_void_p(arrays.output_memory.ctypes.data), output_buffer,
                                              ctypes.c_uint64(0), ctypes.c_size_t(arrays.output_memory.nbytes)))

        return Job(call, checked, wait) if self.is_processor else Job(call, checked, wait, upload, download)

    def buffer(self, device, memory):
        size = ctypes.c_uint64(memory.nbytes)
        if not self.is_processor:
            return self.made("seiche_buffer_create", device, size)
        return self.made("seiche_cpu_buffer", device, ctypes.c_void_p(memory.ctypes.data), size)


class Fftw:
    """FFTW's interface: its own libraries, or one that exports it for both precisions."""

    name = "fftw"
    thread_names = ("_threads", "_omp")

    def __init__(self, path):
        self.libraries = {letter: self.load(path, letter) for letter in ("f", "")}
        for letter in self.libraries:
            for name in ("plan_many_dft", "execute", "destroy_plan"):
                if self.find(letter, name) is None:
                    raise Missing(f"no fftw{letter}_{name} in its library")
            if start := self.find(letter, "init_threads", ctypes.c_int):
                start()
        self.version = self.version_text()

    def load(self, path, letter):
        """One precision's libraries: its own, and that of its threads if there is one."""
        if path and not os.path.isdir(path) and not os.path.basename(path).startswith("libfftw3"):
            return [load_library([path])]
        folder = path if path and os.path.isdir(path) else os.path.dirname(path or "")
        base = os.path.join(folder, f"libfftw3{letter}")
        found = [load_library([f"{base}.so.3", f"{base}.so"])]
        try:
            found.append(load_library([f"{base}{kind}.so{end}" for kind in self.thread_names for end in (".3", "")]))
        except Missing:
            pass
        return found

    def find(self, letter, name, result=None, arguments=None):
        for library in self.libraries[letter]:
            function = getattr(library, f"fftw{letter}_{name}", None)
            if function is not None:
                function.restype = result
                function.argtypes = arguments
                return function
        return None

    def version_text(self):
        text = ctypes.c_char.in_dll(self.libraries["f"][0], "fftwf_version")
        return ctypes.string_at(ctypes.addressof(text)).decode()

    def set_threads(self, letter, threads):
        if use := self.find(letter, "plan_with_nthreads", None, [ctypes.c_int]):
            use(threads)
        elif threads != 1:
            raise Missing("no library of its threads")

    def prepare(self, case, arrays, threads):
        letter = "" if case.is_double else "f"
        self.set_threads(letter, threads)
        if limit := self.find(letter, "set_timelimit", None, [ctypes.c_double]):
            limit(PLANNING_SECONDS)
        if forget := self.find(letter, "forget_wisdom"):
            forget()  # so that a figure does not depend on the cases before
        plan = self.plan(letter, case, arrays)
        if not plan:
            raise Missing("no plan")
        execute = self.find(letter, "execute", None, [ctypes.c_void_p])
        destroy = self.find(letter, "destroy_plan", None, [ctypes.c_void_p])
        plan = ctypes.c_void_p(plan)
        call = functools.partial(execute, plan)
        return Job(call, call, close=functools.partial(destroy, plan))

    def plan(self, letter, case, arrays):
        rank = len(case.lengths)
        numbers = ctypes.c_int * rank
        lengths = numbers(*case.lengths)
        sides = []  # of each array: pointer, embedding, stride and distance in elements
        for view in (arrays.input, arrays.output):
            sides += [ctypes.c_void_p(view.ctypes.data), None, 1, view.strides[0] // view.itemsize]
        name, tail = {"c2c": ("dft", [-1]), "r2c": ("dft_r2c", []), "c2r": ("dft_c2r", []),
                      "dct2": ("r2r", [numbers(*[5] * rank)])}[case.kind]
        make = self.find(letter, "plan_many_" + name, ctypes.c_void_p)
        if make is None:
            raise Missing(f"no fftw{letter}_plan_many_{name} in its library")
        return make(rank, lengths, case.batch, *sides, *tail, ctypes.c_uint(0))


class Mkl(Fftw):
    """FFTW's interface of MKL."""

    name = "mkl"

    def load(self, path, letter):
        names = [folder + f"libmkl_rt.so.{number}" for folder in ("", sys.prefix + "/lib/") for number in (3, 2, 1)]
        library = load_library([path] if path else names)
        if not hasattr(library, "MKL_Set_Num_Threads"):
            raise Missing("no MKL_Set_Num_Threads in its library")
        return [library]

    def version_text(self):
        text = ctypes.create_string_buffer(256)
        self.libraries["f"][0].MKL_Get_Version_String(text, 256)
        return text.value.decode().strip()

    def set_threads(self, letter, threads):
        self.libraries["f"][0].MKL_Set_Dynamic(0)
        self.libraries["f"][0].MKL_Set_Num_Threads(threads)
        super().set_threads(letter, threads)


class Ducc0:
    """The package ducc0."""

    name = "ducc0"

    def __init__(self):
        self.fft = import_peer("ducc0").fft
        self.version = import_peer("ducc0").__version__
        self.tiny = functools.partial(self.fft.c2c, numpy.ones(16, "c8"), out=numpy.empty(16, "c8"))

    def prepare(self, case, arrays, threads):
        if case.in_place and case.kind in ("r2c", "c2r"):
            raise Missing("no real transform in place")
        words = {"c2r": {"lastsize": case.lengths[-1], "forward": False}, "dct2": {"type": 2}}.get(case.kind, {})
        call = functools.partial(getattr(self.fft, case.kind.removesuffix("2")), arrays.input, axes=case.axes,
                                 out=arrays.output, nthreads=threads, **words)
        return Job(call, call)


class SciPy:
    """scipy.fft, which allocates its results except for complex transforms and DCTs in place."""

    name = "scipy"

    def __init__(self):
        self.fft = import_peer("scipy.fft")
        self.version = import_peer("scipy").__version__
        self.tiny = functools.partial(self.fft.fft, numpy.ones(16, "c8"))

    def prepare(self, case, arrays, threads):
        if case.in_place and case.kind in ("r2c", "c2r"):
            raise Missing("no real transform in place")
        has_one_axis = len(case.lengths) == 1
        name = {"c2c": "fft", "r2c": "rfft", "c2r": "irfft", "dct2": "dct"}[case.kind] + ("" if has_one_axis else "n")
        words = {"axis": -1} if has_one_axis else {"axes": case.axes}
        words.update(workers=threads, overwrite_x=case.in_place)
        if case.kind == "c2r":
            words.update(norm="forward", **({"n": case.lengths[0]} if has_one_axis else {"s": case.lengths}))
        call = functools.partial(getattr(self.fft, name), arrays.input, **words)
        return Job(call, lambda: numpy.copyto(arrays.output, call()))


def import_peer(name):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Missing(str(error)) from None


def seconds_of(job, executions):
    """Of one execution."""
    call = job.call
    begin = time.perf_counter_ns()
    for _ in range(executions):
        call()
    job.wait()
    return (time.perf_counter_ns() - begin) * 1e-9 / executions


def error_of(job, arrays):
    arrays.load(poisons=True)
    job.upload()
    job.checked()
    job.download()
    return arrays.error()


def prepared(contenders, case, arrays, threads, rows):
    """The jobs of those that have the case; what the others say goes to `rows`."""
    jobs = {}
    for contender in contenders:
        row = {"case": case.text, "threads": threads, "contender": contender.name}
        begin = time.perf_counter()
        try:
            jobs[contender.name] = contender.prepare(case, arrays, threads)
            row["plan_ms"] = f"{(time.perf_counter() - begin) * 1e3:.3f}"
            row["error"] = error_of(jobs[contender.name], arrays)
        except (Missing, MemoryError, RuntimeError, TypeError, ValueError) as why:
            if contender.name in jobs:
                jobs.pop(contender.name).close()
            row["status"] = "absent: " + " ".join(str(why).split())
        rows[contender.name] = row
    return jobs


def sampled(jobs, arrays, executions, repeat):
    """Seconds of an execution: `repeat` samples of each job, in turn."""
    samples = {name: [] for name in jobs}
    spoils = arrays.case.in_place or arrays.case.kind == "c2r"
    gc.disable()
    for _ in range(repeat):
        for name, job in jobs.items():
            if spoils:
                arrays.load(poisons=False)
                job.upload()
            time.sleep(REST_SECONDS)
            seconds_of(job, 1)
            samples[name].append(seconds_of(job, executions))
    gc.enable()
    return samples


def measure(contenders, case, arrays, threads, repeat):
    """A row of the record for each contender, by name."""
    rows = {}
    jobs = prepared(contenders, case, arrays, threads, rows)
    estimates = []
    for job in jobs.values():
        arrays.load(poisons=False)
        job.upload()
        estimates += [seconds_of(job, 1) for _ in range(min(3, case.most_executions))]
    executions = 1
    if estimates:
        executions = min(max(1, math.ceil(SAMPLE_SECONDS / min(estimates))), case.most_executions)
    samples = sampled(jobs, arrays, executions, repeat)
    for name, job in jobs.items():
        row = rows[name]
        error = max(row["error"], error_of(job, arrays))
        job.close()
        row.update(error=f"{error:.3g}", status="ok")
        if error > case.error_bound:
            row["status"] = f"wrong: error {error:.3g}, bound {case.error_bound:.3g}"
            continue
        names = ("fastest_ms", "lower_quartile_ms", "median_ms", "upper_quartile_ms")
        values = numpy.percentile(samples[name], [0, 25, 50, 75]) * 1e3
        row.update({column: f"{value:.6f}" for column, value in zip(names, values)}, samples=repeat,
                   executions=executions)
    return rows


def processor_facts():
    """Model name and which of FEATURES there are."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            pairs = (line.partition(":") for line in file)
            facts = {key.strip(): value.strip() for key, _, value in pairs}
    except OSError:
        facts = {}
    flags = facts.get("flags", "").split()
    return (facts.get("model name", platform.machine()),
            " ".join(name for name in FEATURES if name in flags) or "unknown")


def commit_of_checkout():
    command = ["git", "-C", os.path.dirname(os.path.abspath(__file__)), "describe", "--always", "--abbrev=12",
               "--dirty=-changed", "--exclude=*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def facts_of(options, library, contenders):
    model, features = processor_facts()
    library.seiche_version.restype = ctypes.c_char_p
    facts = {"machine": model, "features": features, "processors": str(len(os.sched_getaffinity(0))),
             "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
             "commit": options.commit or commit_of_checkout(),
             "command": "bench/processor.py " + shlex.join(sys.argv[1:]),
             "load": f"{os.getloadavg()[0]:.2f}",
             "seiche library": library.seiche_version().decode(), "python": platform.python_version(),
             "numpy": numpy.__version__, **{c.name: c.version for c in contenders}}
    calls = {"ctypes": library.seiche_version, **{c.name: c.tiny for c in contenders if hasattr(c, "tiny")}}
    facts["microseconds of a call"] = ", ".join(f"{name} {timeit.timeit(call, number=2000) * 500:.2f}"
                                                for name, call in calls.items())
    settings = [f"{name}={value}" for name, value in sorted(os.environ.items())
                if name.startswith(("SEICHE_", "POCL_MAX", "POCL_CPU", "MKL_", "OMP_", "KMP_"))]
    facts["environment"] = " ".join(settings) or "-"
    return facts


class Record:
    """Facts and rows, kept in a CSV file that is replaced as a whole after each case."""

    def __init__(self, path, facts, resumes):
        self.path, self.facts, self.rows = path, facts, {}
        if path and os.path.exists(path):
            if not resumes:
                raise Fault(f"--csv: expected a new file, or --resume to continue one, got {path}, which exists")
            self.read()
        if path and not os.path.isdir(os.path.dirname(os.path.abspath(path))):
            raise Fault(f"--csv: expected a folder that exists, got {path}")

    def read(self):
        with open(self.path, newline="", encoding="utf-8") as file:
            lines = file.read().splitlines()
        kept = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# ") and ": " in line)
        table = csv.DictReader(line for line in lines if not line.startswith("#"))
        if table.fieldnames != COLUMNS:
            raise Fault(f"--resume: expected a file that this script wrote, got {self.path}")
        for name in self.facts:
            if name not in FREE_FACTS and kept.get(name, self.facts[name]) != self.facts[name]:
                raise Fault(f"--resume: expected a record of the {name} '{self.facts[name]}', "
                            f"got '{kept.get(name)}' in {self.path}")
        for row in table:
            self.rows.setdefault((row["case"], row["threads"]), {})[row["contender"]] = row
        latest = self.facts
        self.facts = {**latest, **kept}
        self.facts[f"resumed {latest['date']}"] = f"{latest['command']} (load {latest['load']})"

    def has(self, case, threads, names):
        return set(names) <= set(self.rows.get((case.text, str(threads)), {}))

    def add(self, case, threads, rows):
        self.rows[(case.text, str(threads))] = {name: {column: str(row.get(column, "")) for column in COLUMNS}
                                                for name, row in rows.items()}
        if not self.path:
            return
        text = io.StringIO()
        for name, value in self.facts.items():
            text.write(f"# {name}: {value}\n")
        writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
        writer.writeheader()
        for group in self.rows.values():
            writer.writerows(group.values())
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            file.write(text.getvalue())
        os.replace(self.path + ".new", self.path)


def print_rows(rows, names, width):
    """One line of the table, and one for each result that is wrong or absent."""
    first = rows[names[0]]
    ours = float(first["median_ms"] or "nan")
    cells = [f"{first['case']:{width}} {first['threads']:>7} {ours:9.3f}"]
    for name in names[1:]:
        time_of_peer = float(rows[name]["median_ms"] or "nan") if name in rows else math.nan
        cells.append(f"{time_of_peer:9.3f} {time_of_peer / ours:6.2f}")
    errors = [float(rows[name]["error"]) for name in names[1:] if name in rows and rows[name]["error"]]
    cells.append(f"{first['error'] or '-':>9} {max(errors, default=math.nan):9.3g}")
    spreads = [(float(row["upper_quartile_ms"]) - float(row["lower_quartile_ms"])) / float(row["median_ms"])
               for row in rows.values() if row["median_ms"]]
    cells.append(f"{max(spreads, default=math.nan):7.1%}")
    print("  ".join(cells).replace("nan", "  -"))
    for name in names:
        if name in rows and rows[name]["status"] != "ok":
            print(f"    {name}: {rows[name]['status']}")
    sys.stdout.flush()


def summary(groups, title, peers, slow):
    """Geometric mean of the best of these peers' time over ours, and the cases that are slow."""
    ratios = {}
    for (case, threads), rows in groups.items():
        ours = rows.get("seiche", {}).get("median_ms")
        theirs = [float(rows[peer]["median_ms"]) for peer in peers if rows.get(peer, {}).get("median_ms")]
        if ours and theirs:
            ratios[f"{case} ({threads})"] = min(theirs) / float(ours)
    if not ratios:
        return
    mean = math.exp(statistics.fmean(map(math.log, ratios.values())))
    below = sorted((ratio, name) for name, ratio in ratios.items() if ratio < slow)
    print(f"{title}: {mean:.3f} in the geometric mean of {len(ratios)}, {len(below)} below {slow}"
          + (": " + "; ".join(f"{name} {ratio:.2f}" for ratio, name in below) if below else ""))


def print_summaries(record, cases, threads, peers):
    texts = {case.text for case in cases}
    for counts in [[count] for count in threads] + ([threads] if len(threads) > 1 else []):
        groups = {key: rows for key, rows in record.rows.items() if key[0] in texts and int(key[1]) in counts}
        label = " and ".join(map(str, counts)) + (" thread" if counts == [1] else " threads")
        for peer in peers:
            summary(groups, f"{label}, time of {peer} over ours", [peer], SLOW_BESIDE_POCL if peer == "pocl" else SLOW)
        if "fftw" in peers and "ducc0" in peers:
            summary(groups, f"{label}, time of the better of fftw and ducc0 over ours", ["fftw", "ducc0"], SLOW)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.error = lambda message: sys.exit(f"processor: {message}")  # one line
    parser.add_argument("--library", help="libseiche.so, built with Xbyak")
    parser.add_argument("--device", default="cpu", help="of Seiche (default: cpu)")
    parser.add_argument("--peers", default="fftw,ducc0,scipy",
                        help="of fftw, ducc0, scipy, mkl and pocl, or none (default: fftw,ducc0,scipy)")
    parser.add_argument("--threads", default="1", help="numbers of threads, such as 1,2 (default: 1). PoCL has the "
                        "largest, since its number is fixed for a process")
    parser.add_argument("--cases", nargs="+", default=["all"], metavar="CASE",
                        help="'all', or problems such as '1024 c2c f64 batch=64 in-place' (quoted)")
    parser.add_argument("--repeat", default="9", help="samples of each (default: 9)")
    parser.add_argument("--csv", metavar="FILE", help="keep facts and figures there, after each case")
    parser.add_argument("--resume", action="store_true", help="with --csv: time only what the file lacks")
    parser.add_argument("--commit", help="what the record says (default: that of this checkout)")
    parser.add_argument("--fftw-library", metavar="PATH", help="a folder with FFTW's libraries, or one of them")
    parser.add_argument("--mkl-library", metavar="PATH", help="libmkl_rt.so")
    options = parser.parse_args()
    options.peers = [peer for peer in options.peers.split(",") if peer and peer != "none"]
    for peer in options.peers:
        if peer not in PEERS:
            raise Fault(f"--peers: expected some of {','.join(PEERS)}, got '{peer}'")
    options.threads = [whole_number("--threads", word) for word in options.threads.split(",")]
    options.repeat = whole_number("--repeat", options.repeat)
    if options.resume and not options.csv:
        raise Fault("--resume: expected --csv FILE to continue, got none")
    return options


def whole_number(option, word):
    if not word.isdecimal() or not 1 <= int(word) <= 1024:
        raise Fault(f"{option}: expected a number from 1 to 1024, got '{word}'")
    return int(word)


def contenders_of(options, library):
    """Seiche and the peers that are there; FFTW before MKL, which exports the same names."""
    make = {"fftw": lambda: Fftw(options.fftw_library), "mkl": lambda: Mkl(options.mkl_library), "ducc0": Ducc0,
            "scipy": SciPy, "pocl": lambda: Seiche(library, "pocl", "opencl:pocl", max(options.threads))}
    try:
        contenders = [Seiche(library, "seiche", options.device)]
    except Missing as why:
        raise Fault(f"--device: expected one that is there, got '{options.device}': {why}") from None
    for peer in [peer for peer in PEERS if peer in options.peers]:
        try:
            contenders.append(make[peer]())
        except Missing as why:
            print(f"{peer}: absent, left out: {why}")
    return contenders


def open_seiche(options):
    if not options.library or not os.path.isfile(options.library):
        raise Fault(f"--library: expected the path of libseiche.so, got {options.library or 'none'}")
    try:
        library = load_library([os.path.abspath(options.library)])
        library.seiche_last_error.restype = ctypes.c_char_p
        if options.device.split(":")[0] == "cpu":
            library.seiche_cpu_buffer  # pylint: disable=pointless-statement
    except (Missing, AttributeError) as why:
        raise Fault(f"--library: expected Seiche with the processor's backend, got {options.library}: {why}") from None
    return library


def main():
    options = parse_options()
    cases = [parse_case(text) for text in (CASES if options.cases == ["all"] else options.cases)]
    os.environ.setdefault("KMP_BLOCKTIME", "1")  # ms that MKL's idle threads spin: else 200, into the next one's turn
    for name in ("POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT"):  # read when PoCL is loaded
        os.environ.setdefault(name, str(max(options.threads)))
    library = open_seiche(options)
    contenders = contenders_of(options, library)
    names = [contender.name for contender in contenders]
    record = Record(options.csv, facts_of(options, library, contenders), options.resume)
    for name, value in record.facts.items():
        print(f"{name}: {value}")
    if max(options.threads) > len(os.sched_getaffinity(0)):
        print(f"note: {max(options.threads)} threads on {len(os.sched_getaffinity(0))} processors")
    width = max(len(case.text) for case in cases)
    print("\nMedians in ms; ratio: a peer's time over Seiche's; error: relative L2, of Seiche and of the worst peer; "
          "spread: widest distance of quartiles, over the median")
    print("  ".join([f"{'case':{width}} threads {'seiche':>9}", *(f"{name:>9} {'ratio':>6}" for name in names[1:]),
                     f"{'error':>9} {'peers':>9}", f"{'spread':>7}"]))
    has_wrong = False
    for case in cases:
        arrays = None
        for threads in options.threads:
            if not record.has(case, threads, names):
                arrays = arrays or Arrays(case)
                record.add(case, threads, measure(contenders, case, arrays, threads, options.repeat))
            rows = record.rows[(case.text, str(threads))]
            print_rows(rows, names, width)
            has_wrong = has_wrong or any(row["status"].startswith("wrong") for row in rows.values())
    print()
    print_summaries(record, cases, options.threads, names[1:])
    return 1 if has_wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Fault as fault:
        sys.exit(f"processor: {fault}")
    except KeyboardInterrupt:
        sys.exit("processor: ended from the keyboard")
