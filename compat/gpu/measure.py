"""Times cuFFT and Seiche in its place by turns in one process, on the same arrays, through the same C functions.

    python measure.py overhead|speed|hipfft RECORD.json CUFFT SEICHE

The last two are files with cuFFT's functions; for `hipfft` the last one is libseiche_hipfft.so, whose results are
compared on some of the shapes (SEICHE_HIP_LIBRARY names a library that forwards HIP to CUDA). RECORD.json is written
after each row; a second run goes on behind the last one. Outputs are filled with NaN before each timed series, and the
two libraries' results are compared.
"""

from __future__ import annotations

import ctypes
import json
import math
import pathlib
import statistics
import sys
import time
from typing import Any

import numpy as np
from shapes import SHAPES, Shape

WHO = ("cufft", "seiche")
INT, LONG, SIZE, POINTER = ctypes.c_int, ctypes.c_longlong, ctypes.c_size_t, ctypes.c_void_p
#: cudaDataType of real and complex numbers, and NumPy's types of one real number.
TYPES = {"f32": (0, 4, np.float32), "f64": (1, 5, np.float64), "f16": (2, 6, np.float16)}
TOLERANCE = {"f32": 2e-6, "f64": 1e-14, "f16": 4e-3}
SERIES, SHORTEST_MS = 9, 2.0


class Driver:
    """A few of the CUDA driver's functions; each failure ends the program."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL("libcuda.so.1")
        context = POINTER()
        self("cuInit", 0)
        self("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self("cuCtxSetCurrent", context)
        self.stream = POINTER()
        self("cuStreamCreate", ctypes.byref(self.stream), 1)
        self.events = [POINTER(), POINTER()]
        for event in self.events:
            self("cuEventCreate", ctypes.byref(event), 0)

    def __call__(self, name: str, *arguments: Any) -> None:
        code = getattr(self._library, name)(*arguments)
        if code != 0:
            raise SystemExit(f"{name} failed with code {code}")

    def allocate(self, count: int) -> POINTER:
        address = ctypes.c_ulonglong()
        self("cuMemAlloc_v2", ctypes.byref(address), SIZE(count))
        return POINTER(address.value)

    def free(self, memory: POINTER) -> None:
        self("cuMemFree_v2", ctypes.c_ulonglong(memory.value))

    def upload(self, memory: POINTER, array: np.ndarray) -> None:
        self("cuMemcpyHtoD_v2", ctypes.c_ulonglong(memory.value), array.ctypes.data_as(POINTER), SIZE(array.nbytes))

    def download(self, memory: POINTER, count: int) -> np.ndarray:
        array = np.empty(count, np.uint8)
        self("cuMemcpyDtoH_v2", array.ctypes.data_as(POINTER), ctypes.c_ulonglong(memory.value), SIZE(count))
        return array

    def fill(self, memory: POINTER, count: int, value: int) -> None:
        self("cuMemsetD8_v2", ctypes.c_ulonglong(memory.value), value, SIZE(count))

    def wait(self) -> None:
        self("cuStreamSynchronize", self.stream)

    def milliseconds(self, work: Any) -> float:
        self("cuEventRecord", self.events[0], self.stream)
        work()
        self("cuEventRecord", self.events[1], self.stream)
        self("cuEventSynchronize", self.events[1])
        value = ctypes.c_float()
        self("cuEventElapsedTime", ctypes.byref(value), *self.events)
        return value.value


class Functions:
    """A library's functions by the names that cuFFT and hipFFT share."""

    def __init__(self, path: str, prefix: str) -> None:
        self._library, self._prefix = ctypes.CDLL(path), prefix
        # A handle of hipFFT's is a pointer. By C types, so that ctypes converts what is called most in the least time.
        self.handle = POINTER if prefix == "hipfft" else INT
        self.execute = getattr(self._library, prefix + "XtExec")
        self.execute.argtypes = [self.handle, POINTER, POINTER, INT]

    def __call__(self, name: str, *arguments: Any) -> None:
        code = getattr(self._library, self._prefix + name)(*arguments)
        if code != 0:
            raise RuntimeError(f"{self._prefix}{name} returned {code}")


class Transform:
    """A plan of one of the libraries, with its own work area."""

    def __init__(self, functions: Functions, driver: Driver, shape: Shape) -> None:
        self._functions, self._driver = functions, driver
        self.plan, size = functions.handle(), SIZE()
        real, complex_, _ = TYPES[shape.number]
        n = (LONG * len(shape.n))(*shape.n)
        functions("Create", ctypes.byref(self.plan))
        functions("SetAutoAllocation", self.plan, 0)
        start = time.perf_counter()
        functions(
            "XtMakePlanMany", self.plan, len(n), n, None, LONG(1), LONG(1), real if shape.kind == "r2c" else complex_,
            None, LONG(1), LONG(1), real if shape.kind == "c2r" else complex_, LONG(shape.batch), ctypes.byref(size),
            complex_,
        )  # fmt: skip
        self.plan_ms = (time.perf_counter() - start) * 1e3
        self.work_bytes = size.value
        self._area = driver.allocate(size.value) if size.value else POINTER()
        functions("SetWorkArea", self.plan, self._area)
        functions("SetStream", self.plan, driver.stream)

    def __call__(self, source: POINTER, target: POINTER, direction: int) -> None:
        code = self._functions.execute(self.plan, source, target, direction)
        if code != 0:
            raise RuntimeError(f"XtExec returned {code}")

    def free(self) -> None:
        self._driver.wait()
        self._functions("Destroy", self.plan)
        if self._area.value:
            self._driver.free(self._area)


def real_counts(shape: Shape) -> tuple[int, int]:
    """Real numbers of input and output."""
    points, half = math.prod(shape.n), math.prod(shape.n[:-1]) * (shape.n[-1] // 2 + 1) * 2
    before, after = {"c2c": (2 * points, 2 * points), "r2c": (points, half), "c2r": (half, points)}[shape.kind]
    return before * shape.batch, after * shape.batch


def random_input(shape: Shape) -> np.ndarray:
    number = TYPES[shape.number][2]
    count = real_counts(shape)[0]
    wide = np.float64 if shape.number == "f64" else np.float32
    block = np.random.default_rng(5).standard_normal(min(count, 1 << 22)).astype(wide)
    scale = 1 / math.sqrt(math.prod(shape.n)) if shape.number == "f16" else 1.0
    values = np.resize(block * wide(scale), count).astype(number)
    if shape.kind == "c2r":  # of one axis the ends are real; of several the libraries differ in what is none
        rows = values.reshape(-1, shape.n[-1] // 2 + 1, 2)
        if len(shape.n) > 1:
            signal = np.resize(block, (shape.batch, *shape.n)).astype(np.float64)
            spectrum = np.fft.rfftn(signal, axes=tuple(range(1, len(shape.n) + 1)))
            values = np.stack([spectrum.real, spectrum.imag], -1).astype(number).reshape(-1)
        else:
            rows[:, 0, 1] = 0
            if shape.n[-1] % 2 == 0:
                rows[:, -1, 1] = 0
    return np.ascontiguousarray(values)


def as_numbers(raw: np.ndarray, shape: Shape) -> np.ndarray:
    return raw.view(TYPES[shape.number][2]).astype(np.float64)


def measure(libraries: dict[str, Functions], driver: Driver, shape: Shape) -> dict[str, Any]:
    row: dict[str, Any] = {"shape": str(shape)}
    values, out_reals = random_input(shape), real_counts(shape)[1]
    in_bytes, out_bytes = values.nbytes, out_reals * values.itemsize
    source = driver.allocate(max(in_bytes, out_bytes))
    target = source if shape.in_place else driver.allocate(out_bytes)
    transforms: dict[str, Transform] = {}
    results = {}
    try:
        for who, library in libraries.items():
            try:
                transforms[who] = Transform(library, driver, shape)
            except RuntimeError as error:
                row[f"{who}_error"] = str(error)
                continue
            driver.upload(source, values)
            if not shape.in_place:
                driver.fill(target, out_bytes, 0xFF)
            transforms[who](source, target, direction_of(shape))
            driver.wait()
            results[who] = as_numbers(driver.download(target, out_bytes), shape)
            row[f"{who}_work_bytes"] = transforms[who].work_bytes
            row[f"{who}_plan_ms"] = round(transforms[who].plan_ms, 3)
        if len(results) == 2:
            difference = np.linalg.norm(results["seiche"] - results["cufft"])
            row["difference"] = float(difference / np.linalg.norm(results["cufft"]))
            row["values_agree"] = bool(row["difference"] <= TOLERANCE[shape.number])
        row.update(times(transforms, driver, shape, source, target, values))
    finally:
        for transform in transforms.values():
            transform.free()
        driver.free(source)
        if not shape.in_place:
            driver.free(target)
    return row


def direction_of(shape: Shape) -> int:
    return 1 if shape.kind == "c2r" else -1


def longest_series(shape: Shape) -> int:
    """Executions in place after which unscaled results of results still are numbers."""
    if not shape.in_place:
        return 200
    digits = {"f32": 34, "f64": 290, "f16": 3}[shape.number]
    return max(1, int(digits / max(0.5, math.log10(math.prod(shape.n)) / 2)))


def times(
    transforms: dict[str, Transform],
    driver: Driver,
    shape: Shape,
    source: POINTER,
    target: POINTER,
    values: np.ndarray,
) -> dict[str, Any]:
    """Medians of series by turns, each of as many executions as last for two milliseconds. Inputs that executions
    overwrite are written anew before each series."""
    counts, samples = {}, {who: [] for who in transforms}
    is_overwritten, direction = shape.in_place or shape.kind == "c2r", direction_of(shape)

    def series(who: str, count: int) -> float:
        def work() -> None:
            for _ in range(count):
                transforms[who](source, target, direction)

        if is_overwritten:
            driver.upload(source, values)
        return driver.milliseconds(work) / count

    for who in transforms:
        series(who, 3)
        counts[who] = max(1, min(longest_series(shape), int(SHORTEST_MS / max(series(who, 3), 1e-3))))
    for _ in range(SERIES):
        for who in transforms:
            samples[who].append(series(who, counts[who]))
    row = {f"{who}_ms": round(statistics.median(values), 5) for who, values in samples.items()}
    if len(row) == 2:
        row["speedup"] = round(row["cufft_ms"] / row["seiche_ms"], 4)
    return row


def summary_of_speed(rows: list[dict[str, Any]]) -> dict[str, Any]:
    both = [row for row in rows if "speedup" in row]
    areas = [row for row in rows if "cufft_work_bytes" in row and "seiche_work_bytes" in row]
    larger = {
        row["shape"]: [row["cufft_work_bytes"], row["seiche_work_bytes"]]
        for row in areas
        if row["seiche_work_bytes"] > max(1.1 * row["cufft_work_bytes"], row["cufft_work_bytes"] + (1 << 20))
    }
    ratios = [row["speedup"] for row in both]
    return {
        "shapes": len(rows),
        "timed_with_both": len(both),
        "geometric_mean_speedup": round(math.exp(statistics.fmean(map(math.log, ratios))), 4) if ratios else None,
        "slowest": {row["shape"]: row["speedup"] for row in sorted(both, key=lambda row: row["speedup"])[:8]},
        "larger_work_areas": larger,
        "values_differ": {row["shape"]: row["difference"] for row in rows if not row.get("values_agree", True)},
        "errors": {row["shape"]: row["seiche_error"] for row in rows if "seiche_error" in row},
    }


def speed(libraries: dict[str, Functions], driver: Driver, record: pathlib.Path, every: int = 1) -> None:
    result = json.loads(record.read_text()) if record.exists() else {"rows": []}
    done, shapes = {row["shape"] for row in result["rows"]}, SHAPES[::every]
    for shape in shapes:
        if str(shape) in done:
            continue
        row = measure(libraries, driver, shape)
        result["rows"].append(row)
        result.update(summary_of_speed(result["rows"]))
        result["whole"] = len(result["rows"]) == len(shapes)
        result["ok"] = not (result["values_differ"] or result["errors"] or result["larger_work_areas"])
        record.write_text(json.dumps(result, indent=1))
        print(json.dumps(row), flush=True)


def hipfft(libraries: dict[str, Functions], driver: Driver, record: pathlib.Path) -> None:
    speed(libraries, driver, record, every=6)
    result = json.loads(record.read_text())
    result["ok"] = not (result["values_differ"] or result["errors"])  # sizes and times are another card's plans
    record.write_text(json.dumps(result, indent=1))


def overhead(libraries: dict[str, Functions], driver: Driver, record: pathlib.Path) -> None:
    """Of the host's time of one call; the queue is never full. ctypes takes its own share of both."""
    rows, calls = [], 100
    for shape in (Shape((64,)), Shape((1024,)), Shape((256, 256)), Shape((64, 64, 64)), Shape((64, 64), "r2c")):
        source, target = (driver.allocate(8 * max(real_counts(shape))) for _ in range(2))
        row: dict[str, Any] = {"shape": str(shape)}
        transforms = {who: Transform(library, driver, shape) for who, library in libraries.items()}
        raw = {who: (libraries[who].execute, one.plan) for who, one in transforms.items()}
        samples: dict[str, list[float]] = {who: [] for who in WHO}
        for turn in range(41):
            for who, (execute, plan) in raw.items():
                driver.wait()
                start = time.perf_counter()
                for _ in range(calls):
                    execute(plan, source, target, -1)
                if turn:
                    samples[who].append((time.perf_counter() - start) / calls * 1e6)
        driver.wait()
        row |= {f"{who}_us": round(statistics.median(values), 3) for who, values in samples.items()}
        row["more_us"] = round(row["seiche_us"] - row["cufft_us"], 3)
        for transform in transforms.values():
            transform.free()
        rows.append(row)
        print(json.dumps(row), flush=True)
    most = max(row["more_us"] for row in rows)
    record.write_text(json.dumps({"rows": rows, "most_more_us": most, "ok": most <= 1.0}, indent=1))


def main() -> None:
    what, record, cufft, seiche = sys.argv[1:5]
    driver = Driver()
    libraries = {"cufft": Functions(cufft, "cufft")}
    libraries["seiche"] = Functions(seiche, "hipfft" if what == "hipfft" else "cufft")
    {"overhead": overhead, "speed": speed, "hipfft": hipfft}[what](libraries, driver, pathlib.Path(record))


if __name__ == "__main__":
    main()
