#!/usr/bin/env python3
"""What a libcufft returns for calls that make no sense, or that many libraries forget.

    error_codes.py LIBRARY                  prints the code of each case
    error_codes.py LIBRARY --table FILE     compares them with a table, which has case, code and where it is from
    error_codes.py LIBRARY --write FILE     writes them into the table, as measured with this library

LIBRARY is a file, or a soname such as libcufft.so.12. A case that ends the process is "crash"; one after which the
card has a fault, which no later call of the process survives, has "then a fault" behind its code. Without a card the
drop-in libraries take the host's memory for a card's where SEICHE_CUFFT_DEVICE is cpu or reference.
"""

from __future__ import annotations

import argparse
import csv
import ctypes
import os
import pathlib
import subprocess
import sys
from collections.abc import Callable

NAMES = {
    0: "SUCCESS", 1: "INVALID_PLAN", 2: "ALLOC_FAILED", 3: "INVALID_TYPE", 4: "INVALID_VALUE", 5: "INTERNAL_ERROR",
    6: "EXEC_FAILED", 7: "SETUP_FAILED", 8: "INVALID_SIZE", 9: "UNALIGNED_DATA", 10: "INCOMPLETE_PARAMETER_LIST",
    11: "INVALID_DEVICE", 12: "PARSE_ERROR", 13: "NO_WORKSPACE", 14: "NOT_IMPLEMENTED", 15: "LICENSE_ERROR",
    16: "NOT_SUPPORTED", 17: "MISSING_DEPENDENCY", 18: "NVRTC_FAILURE", 19: "NVJITLINK_FAILURE",
}  # fmt: skip
C2C, R2C, C2R, Z2Z, D2Z, Z2D = 0x29, 0x2A, 0x2C, 0x69, 0x6A, 0x6C
C32, C64, C16, R32, R64, R16, BF16 = 4, 5, 6, 0, 1, 2, 15
FORWARD, INVERSE = -1, 1
MOST = 2**31 - 1
GO_ON = 77  # exit status of a process that is to be followed by another
INT, LONG, SIZE = ctypes.c_int, ctypes.c_longlong, ctypes.c_size_t


class Library:
    """The functions by name, and device memory."""

    def __init__(self, path: str) -> None:
        self._library = ctypes.CDLL(path)
        self.is_host = bool(os.environ.get("SEICHE_CUFFT_DEVICE")) and hasattr(self._library, "cufftDebug")
        self._kept: list[object] = []
        self._driver = None
        if not self.is_host:
            try:
                self._driver = ctypes.CDLL("libcuda.so.1")
            except OSError as error:
                raise SystemExit(f"{error}: expected a card") from None
            context = ctypes.c_void_p()
            self._check(self._driver.cuInit(0))
            self._check(self._driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
            self._check(self._driver.cuCtxSetCurrent(context))
        self.size = SIZE(0)

    @staticmethod
    def _check(code: int) -> None:
        if code != 0:
            raise SystemExit(f"the CUDA driver returned {code}: expected a card")

    def __call__(self, name: str, *arguments: object) -> int:
        return int(getattr(self._library, "cufft" + name)(*arguments))

    def memory(self, count: int = 4096) -> ctypes.c_void_p:
        """Device memory of so many bytes, aligned to 256."""
        if self.is_host:
            block = (ctypes.c_char * (count + 256))()
            self._kept.append(block)
            return ctypes.c_void_p((ctypes.addressof(block) + 255) // 256 * 256)
        address = ctypes.c_ulonglong()
        self._check(self._driver.cuMemAlloc_v2(ctypes.byref(address), SIZE(count)))  # type: ignore[union-attr]
        self._check(self._driver.cuMemsetD8_v2(address, 0, SIZE(count)))  # type: ignore[union-attr]
        return ctypes.c_void_p(address.value)

    def has_fault(self) -> bool:
        """Waits for all work."""
        return self._driver is not None and self._driver.cuCtxSynchronize() != 0

    def created(self) -> int:
        plan = INT(-7)
        assert self("Create", ctypes.byref(plan)) == 0
        return plan.value

    def planned(self, n: int = 8, kind: int = C2C, batch: int = 1) -> int:
        plan = INT(-7)
        assert self("Plan1d", ctypes.byref(plan), n, kind, batch) == 0
        return plan.value

    def destroyed(self) -> int:
        plan = self.planned()
        assert self("Destroy", plan) == 0
        return plan

    def plan_many(
        self, n: list[int], inembed: list[int] | None, istride: int, idist: int, onembed: list[int] | None,
        ostride: int, odist: int, kind: int = C2C, batch: int = 1, rank: int | None = None,
    ) -> int:  # fmt: skip
        ints = [None if x is None else (INT * len(x))(*x) for x in (n, inembed, onembed)]
        return self("PlanMany", ctypes.byref(INT(-7)), len(n) if rank is None else rank, ints[0], ints[1], istride,
                    idist, ints[2], ostride, odist, kind, batch)  # fmt: skip

    def make_64(self, n: list[int], batch: int = 1, embed: list[int] | None = None, stride: int = 1, distance: int = 1,
                kind: int = C2C) -> int:  # fmt: skip
        longs = [None if x is None else (LONG * len(x))(*x) for x in (n, embed)]
        return self("MakePlanMany64", self.created(), len(n), longs[0], longs[1], LONG(stride), LONG(distance),
                    longs[1], LONG(stride), LONG(distance), kind, LONG(batch), ctypes.byref(self.size))  # fmt: skip

    def make_typed(self, n: list[int], types: tuple[int, int, int], plan: int | None = None) -> int:
        length = (LONG * len(n))(*n)
        return self("XtMakePlanMany", self.created() if plan is None else plan, len(n), length, None, LONG(1), LONG(1),
                    types[0], None, LONG(1), LONG(1), types[1], LONG(1), ctypes.byref(self.size), types[2])  # fmt: skip


Case = Callable[[Library], int]
CASES: dict[str, Case] = {}


def case(name: str) -> Callable[[Case], Case]:
    def add(function: Case) -> Case:
        CASES[name] = function
        return function

    return add


def _handles() -> None:
    for word, handle in (("-1", -1), ("0", 0), ("100000", 100000)):
        CASES[f"Destroy, handle {word}"] = lambda f, h=handle: f("Destroy", h)
        CASES[f"ExecC2C, handle {word}"] = lambda f, h=handle: f("ExecC2C", h, f.memory(), f.memory(), FORWARD)
    for name, arguments in {
        "Destroy": (),
        "SetStream": (None,),
        "SetAutoAllocation": (0,),
        "SetWorkArea": (None,),
    }.items():
        CASES[f"{name}, destroyed plan"] = lambda f, n=name, a=arguments: f(n, f.destroyed(), *a)
    CASES["ExecC2C, destroyed plan"] = lambda f: f("ExecC2C", f.destroyed(), f.memory(), f.memory(), FORWARD)
    CASES["MakePlan1d, destroyed plan"] = lambda f: f("MakePlan1d", f.destroyed(), 8, C2C, 1, ctypes.byref(f.size))
    CASES["GetSize, destroyed plan"] = lambda f: f("GetSize", f.destroyed(), ctypes.byref(f.size))
    CASES["GetSize, created plan"] = lambda f: f("GetSize", f.created(), ctypes.byref(f.size))
    CASES["GetSize, null"] = lambda f: f("GetSize", f.planned(), None)
    CASES["ExecC2C, created plan"] = lambda f: f("ExecC2C", f.created(), f.memory(), f.memory(), FORWARD)
    CASES["MakePlan1d, made plan"] = lambda f: f("MakePlan1d", f.planned(), 8, C2C, 1, ctypes.byref(f.size))
    CASES["SetAutoAllocation, made plan"] = lambda f: f("SetAutoAllocation", f.planned(), 0)
    CASES["SetWorkArea, null"] = lambda f: f("SetWorkArea", f.planned(), None)
    CASES["SetWorkArea, created plan"] = lambda f: f("SetWorkArea", f.created(), f.memory())


def _sizes() -> None:
    for word, n in (("0", 0), ("-1", -1), ("-2^31", -MOST - 1)):
        CASES[f"Plan1d, length {word}"] = lambda f, n=n: f("Plan1d", ctypes.byref(INT()), n, C2C, 1)
        CASES[f"Plan1d, batch {word}"] = lambda f, n=n: f("Plan1d", ctypes.byref(INT()), 8, C2C, n)
        CASES[f"Plan2d, second length {word}"] = lambda f, n=n: f("Plan2d", ctypes.byref(INT()), 8, n, C2C)
        CASES[f"Plan3d, first length {word}"] = lambda f, n=n: f("Plan3d", ctypes.byref(INT()), n, 8, 8, C2C)
        CASES[f"Estimate1d, length {word}"] = lambda f, n=n: f("Estimate1d", n, C2C, 1, ctypes.byref(f.size))
        CASES[f"Estimate1d, batch {word}"] = lambda f, n=n: f("Estimate1d", 8, C2C, n, ctypes.byref(f.size))
        CASES[f"GetSize1d, length {word}"] = lambda f, n=n: f("GetSize1d", f.created(), n, C2C, 1, ctypes.byref(f.size))
        CASES[f"PlanMany, rank {word}"] = lambda f, n=n: f.plan_many([8], None, 1, 8, None, 1, 8, rank=n)
    CASES["Plan1d, length 1"] = lambda f: f("Plan1d", ctypes.byref(INT()), 1, C2C, 1)
    CASES["Plan1d, length 1, r2c"] = lambda f: f("Plan1d", ctypes.byref(INT()), 1, R2C, 1)
    CASES["PlanMany, rank 4"] = lambda f: f.plan_many([4] * 4, None, 1, 256, None, 1, 256)
    CASES["MakePlanMany64, 2^62 points"] = lambda f: f.make_64([1 << 62])
    CASES["MakePlanMany64, 2^63-1 by 2^63-1 points"] = lambda f: f.make_64([(1 << 63) - 1] * 2)
    CASES["MakePlanMany64, batch of 2^62"] = lambda f: f.make_64([1024], batch=1 << 62)
    CASES["MakePlanMany64, strides beyond 64 bits"] = lambda f: f.make_64([4, 4], embed=[1 << 40] * 2, stride=1 << 40)
    CASES["Estimate3d, 1290 cubed, no workspace pointer"] = lambda f: f("Estimate3d", 1290, 1290, 1290, C2C, None)
    CASES["Plan3d, more than memory"] = lambda f: f("Plan3d", ctypes.byref(INT()), 1 << 14, 1 << 14, 1 << 13, Z2Z)


def _arguments() -> None:
    CASES["Create, null"] = lambda f: f("Create", None)
    CASES["Plan1d, null"] = lambda f: f("Plan1d", None, 8, C2C, 1)
    CASES["MakePlan1d, no work size"] = lambda f: f("MakePlan1d", f.created(), 8, C2C, 1, None)
    CASES["Plan1d, type 0"] = lambda f: f("Plan1d", ctypes.byref(INT()), 8, 0, 1)
    CASES["Plan1d, type 7"] = lambda f: f("Plan1d", ctypes.byref(INT()), 8, 7, 1)
    CASES["Estimate1d, type 7"] = lambda f: f("Estimate1d", 8, 7, 1, ctypes.byref(f.size))
    CASES["Estimate1d, null"] = lambda f: f("Estimate1d", 8, C2C, 1, None)
    CASES["GetVersion, null"] = lambda f: f("GetVersion", None)
    CASES["GetProperty, type 9"] = lambda f: f("GetProperty", 9, ctypes.byref(INT()))
    CASES["GetProperty, null"] = lambda f: f("GetProperty", 0, None)
    CASES["PlanMany, no lengths"] = lambda f: f(
        "PlanMany", ctypes.byref(INT()), 1, None, None, 1, 8, None, 1, 8, C2C, 1
    )
    many: dict[str, tuple[object, ...]] = {
        "input stride 0": ([4, 4], [4, 4], 0, 16, [4, 4], 1, 16),
        "input stride -1": ([4, 4], [4, 4], -1, 16, [4, 4], 1, 16),
        "output stride 0": ([4, 4], [4, 4], 1, 16, [4, 4], 0, 16),
        "input distance 0": ([4, 4], [4, 4], 1, 0, [4, 4], 1, 16, C2C, 2),
        "input distance -16": ([4, 4], [4, 4], 1, -16, [4, 4], 1, 16, C2C, 2),
        "output distance 0": ([4, 4], [4, 4], 1, 16, [4, 4], 1, 0, C2C, 2),
        "distances 0, batch 1": ([4, 4], [4, 4], 1, 0, [4, 4], 1, 0),
        "input distance 0, batch 1": ([4, 4], [4, 4], 1, 0, [4, 4], 1, 16),
        "output distance 0, batch 1": ([4, 4], [4, 4], 1, 16, [4, 4], 1, 0),
        "input embed 0": ([4, 4], [4, 0], 1, 16, [4, 4], 1, 16),
        "input embed below length": ([4, 4], [4, 3], 1, 16, [4, 4], 1, 16),
        "output embed below length": ([4, 4], [4, 4], 1, 16, [4, 3], 1, 16),
        "first embed 0": ([4, 4], [0, 4], 1, 16, [0, 4], 1, 16),
        "output distance too short": ([4, 4], [4, 4], 1, 16, [4, 4], 1, 8, C2C, 2),
        "one embed null": ([4, 4], None, 1, 16, [4, 4], 1, 16),
    }
    for name, arguments in many.items():
        CASES[f"PlanMany, {name}"] = lambda f, a=arguments: f.plan_many(*a)  # type: ignore[arg-type]


def _types() -> None:
    typed = {
        "c32 c32 c32": (C32, C32, C32), "r32 c32 c32": (R32, C32, C32), "c32 r32 c32": (C32, R32, C32),
        "r32 c32 r32": (R32, C32, R32), "c64 c64 c64": (C64, C64, C64), "c16 c16 c16": (C16, C16, C16),
        "r16 c16 c16": (R16, C16, C16), "bf16 bf16 bf16": (BF16, BF16, BF16), "c16 c32 c32": (C16, C32, C32),
        "c16 c16 c32": (C16, C16, C32), "c32 c64 c64": (C32, C64, C64), "c32 c32 c64": (C32, C32, C64),
        "r32 r32 r32": (R32, R32, R32), "r32 r32 c32": (R32, R32, C32), "r64 c32 c32": (R64, C32, C32),
        "99 c32 c32": (99, C32, C32),
    }  # fmt: skip
    for name, types in typed.items():
        CASES[f"XtMakePlanMany, {name}"] = lambda f, t=types: f.make_typed([16], t)
    CASES["XtMakePlanMany, c16, length 12"] = lambda f: f.make_typed([12], (C16, C16, C16))
    CASES["XtMakePlanMany, bf16, length 12"] = lambda f: f.make_typed([12], (BF16, BF16, BF16))
    CASES["XtMakePlanMany, r16, length 12"] = lambda f: f.make_typed([12], (R16, C16, C16))


def _executions() -> None:
    for name, arguments in {"ExecR2C": (), "ExecC2R": (), "ExecD2Z": (), "ExecZ2D": (), "ExecZ2Z": (FORWARD,)}.items():
        CASES[f"{name}, plan of C2C"] = lambda f, n=name, a=arguments: f(n, f.planned(), f.memory(), f.memory(), *a)
    CASES["ExecC2C, plan of R2C"] = lambda f: f("ExecC2C", f.planned(8, R2C), f.memory(), f.memory(), FORWARD)
    CASES["ExecC2R, plan of R2C"] = lambda f: f("ExecC2R", f.planned(8, R2C), f.memory(), f.memory())
    for word, direction in (("0", 0), ("2", 2), ("-5", -5)):
        CASES[f"ExecC2C, direction {word}"] = lambda f, d=direction: f(
            "ExecC2C", f.planned(), f.memory(), f.memory(), d
        )
        CASES[f"XtExec, direction {word}"] = lambda f, d=direction: f("XtExec", f.planned(), f.memory(), f.memory(), d)
    CASES["XtExec, R2C, direction 1"] = lambda f: f("XtExec", f.planned(8, R2C), f.memory(), f.memory(), INVERSE)
    CASES["XtExec, C2R, direction -1"] = lambda f: f("XtExec", f.planned(8, C2R), f.memory(), f.memory(), FORWARD)
    CASES["XtExec, R2C, direction 0"] = lambda f: f("XtExec", f.planned(8, R2C), f.memory(), f.memory(), 0)
    CASES["ExecC2C, no input"] = lambda f: f("ExecC2C", f.planned(), None, f.memory(), FORWARD)
    CASES["ExecC2C, no output"] = lambda f: f("ExecC2C", f.planned(), f.memory(), None, FORWARD)

    def at(f: Library, offset: int) -> ctypes.c_void_p:
        return ctypes.c_void_p((f.memory().value or 0) + offset)

    CASES["ExecC2C, input off by 4 bytes"] = lambda f: f("ExecC2C", f.planned(), at(f, 4), f.memory(), FORWARD)
    CASES["ExecC2C, output off by 4 bytes"] = lambda f: f("ExecC2C", f.planned(), f.memory(), at(f, 4), FORWARD)
    CASES["ExecR2C, input off by 4 bytes"] = lambda f: f("ExecR2C", f.planned(8, R2C), at(f, 4), f.memory())
    CASES["ExecC2C, input off by 1 byte"] = lambda f: f("ExecC2C", f.planned(), at(f, 1), f.memory(), FORWARD)

    def without_area(f: Library) -> int:
        plan = f.created()
        assert f("SetAutoAllocation", plan, 0) == 0
        assert f("MakePlan1d", plan, 1 << 18, C2C, 4, ctypes.byref(f.size)) == 0
        memory = f.memory(4 << 21)
        return f("ExecC2C", plan, memory, memory, FORWARD)

    CASES["ExecC2C, no work area, in place"] = without_area


def _extended() -> None:
    cards, two = (INT * 1)(0), (INT * 2)(0, 0)
    CASES["XtSetGPUs, one"] = lambda f: f("XtSetGPUs", f.created(), 1, cards)
    CASES["XtSetGPUs, none"] = lambda f: f("XtSetGPUs", f.created(), 0, cards)
    CASES["XtSetGPUs, null"] = lambda f: f("XtSetGPUs", f.created(), 1, None)
    CASES["XtSetGPUs, card 77"] = lambda f: f("XtSetGPUs", f.created(), 1, (INT * 1)(77))
    CASES["XtSetGPUs, one card twice"] = lambda f: f("XtSetGPUs", f.created(), 2, two)
    CASES["XtSetGPUs, made plan"] = lambda f: f("XtSetGPUs", f.planned(), 1, cards)
    CASES["XtMalloc, plan without cards"] = lambda f: f("XtMalloc", f.planned(), ctypes.byref(ctypes.c_void_p()), 0)
    CASES["XtMalloc, created plan"] = lambda f: f("XtMalloc", f.created(), ctypes.byref(ctypes.c_void_p()), 0)
    CASES["XtFree, null"] = lambda f: f("XtFree", None)
    CASES["XtExecDescriptorC2C, null"] = lambda f: f("XtExecDescriptorC2C", f.planned(), None, None, FORWARD)
    CASES["XtQueryPlan, plan without cards"] = lambda f: f("XtQueryPlan", f.planned(), f.memory() and (LONG * 32)(), 0)
    CASES["XtSetCallback"] = lambda f: f("XtSetCallback", f.planned(), (ctypes.c_void_p * 1)(16), 0, None)
    CASES["XtSetCallbackSharedSize"] = lambda f: f("XtSetCallbackSharedSize", f.planned(), 0, SIZE(64))
    name, code = ctypes.c_char_p(b"load"), ctypes.create_string_buffer(16)
    jit = {"made plan": ("planned", name, code, 16, 0), "no name": ("created", None, code, 16, 0)}
    jit |= {"no code": ("created", name, None, 16, 0), "code of no bytes": ("created", name, code, 0, 0)}
    jit |= {"type 8": ("created", name, code, 16, 8)}
    for word, (state, symbol, image, count, kind) in jit.items():
        CASES[f"XtSetJITCallback, {word}"] = lambda f, p=state, s=symbol, c=image, n=count, k=kind: f(
            "XtSetJITCallback", getattr(f, p)(), s, c, SIZE(n), k, None)  # fmt: skip

    def cleared(f: Library) -> int:
        plan = f.created()
        assert f("XtSetJITCallback", plan, name, code, SIZE(16), 0, None) == 0
        return f("XtClearCallback", plan, 0)

    CASES["XtClearCallback, callback that was set"] = cleared
    CASES["XtClearCallback, created plan"] = lambda f: f("XtClearCallback", f.created(), 0)
    CASES["XtClearCallback"] = lambda f: f("XtClearCallback", f.planned(), 0)
    for word, policy in (("minimal", 0), ("user", 1), ("performance", 2), ("9", 9)):
        CASES[f"XtSetWorkAreaPolicy, {word}, created plan"] = lambda f, p=policy: f(
            "XtSetWorkAreaPolicy", f.created(), p, ctypes.byref(SIZE(1 << 30)))  # fmt: skip
        CASES[f"XtSetWorkAreaPolicy, {word}, made plan"] = lambda f, p=policy: f(
            "XtSetWorkAreaPolicy", f.planned(), p, ctypes.byref(SIZE(1 << 30)))  # fmt: skip
    properties = {
        "1 to 1": (1, 1),
        "1 to 5": (1, 5),
        "1 to -1": (1, -1),
        "2 to 1": (2, 1),
        "2 to 0": (2, 0),
        "9 to 1": (9, 1),
    }
    for word, (name, value) in properties.items():
        CASES[f"SetPlanPropertyInt64, {word}"] = lambda f, n=name, v=value: f(
            "SetPlanPropertyInt64", f.created(), n, LONG(v))  # fmt: skip
    CASES["SetPlanPropertyInt64, made plan"] = lambda f: f("SetPlanPropertyInt64", f.planned(), 1, LONG(1))
    CASES["GetPlanPropertyInt64, 9"] = lambda f: f("GetPlanPropertyInt64", f.created(), 9, ctypes.byref(LONG()))
    CASES["GetPlanPropertyInt64, 2"] = lambda f: f("GetPlanPropertyInt64", f.created(), 2, ctypes.byref(LONG()))
    CASES["ResetPlanProperty, 2"] = lambda f: f("ResetPlanProperty", f.created(), 2)
    CASES["GetPlanPropertyInt64, null"] = lambda f: f("GetPlanPropertyInt64", f.created(), 1, None)
    CASES["ResetPlanProperty, 9"] = lambda f: f("ResetPlanProperty", f.created(), 9)


for add_cases in (_handles, _sizes, _arguments, _types, _executions, _extended):
    add_cases()


def measured(library: str) -> dict[str, str]:
    """The name of the code of each case. All run in one process; after one that ends it, another goes on."""
    names, results = list(CASES), {}
    while len(results) < len(names):
        first = len(results)
        command = [sys.executable, __file__, library, "--from", str(first)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
        for line in done.stdout.splitlines():
            name, code, *fault = line.split("\t")
            if name in CASES:
                results[name] = NAMES.get(int(code), code) + (", then a fault" if fault else "")
        if len(results) == first and "expected a card" in done.stderr:
            raise SystemExit(done.stderr.strip())
        if len(results) < len(names) and done.returncode != GO_ON:
            results[names[len(results)]] = "crash"
    return results


def version(library: str) -> str:
    number = INT(0)
    ctypes.CDLL(library).cufftGetVersion(ctypes.byref(number))
    return str(number.value)


def compare(results: dict[str, str], table: pathlib.Path) -> int:
    with table.open(newline="") as stream:
        rows = {row["case"]: row for row in csv.DictReader(stream)}
    faults = [f"{name}: not in the table" for name in results if name not in rows]
    faults += [f"{name}: no such case" for name in rows if name not in results]
    for name, code in results.items():
        wanted = rows[name]["ours"] or rows[name]["code"] if name in rows else code
        if code != wanted:
            faults.append(f"{name}: {code}, expected {wanted} ({rows[name]['from']})")
    print("\n".join(faults) or f"{len(results)} codes are as in the table")
    return 1 if faults else 0


def write(results: dict[str, str], table: pathlib.Path, source: str) -> None:
    """A measured code replaces what was there; what ours says on purpose otherwise stays."""
    rows = {}
    if table.exists():
        with table.open(newline="") as stream:
            rows = {row["case"]: row for row in csv.DictReader(stream)}
    with table.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, ["case", "code", "from", "ours", "why"], lineterminator="\n")
        writer.writeheader()
        for name, code in results.items():
            old = rows.get(name, {})
            differs = old.get("ours", "") not in ("", code)
            kept = {"ours": old["ours"], "why": old["why"]} if differs else {"ours": "", "why": ""}
            writer.writerow({"case": name, "code": code, "from": source, **kept})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--source", help="what the table says of where the codes are from")
    parser.add_argument("--from", type=int, dest="first", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.first is not None:
        functions = Library(options.library)
        for name in list(CASES)[options.first :]:
            try:
                code = CASES[name](functions)
            except (AssertionError, AttributeError):
                code = -1  # what the case begins with was refused, or there is no such function
            is_over = functions.has_fault()
            print(f"{name}\t{code}" + ("\tfault" if is_over else ""), flush=True)
            if is_over:
                return GO_ON
        return 0
    results = measured(options.library)
    if options.write:
        write(results, options.write, options.source or f"measured, version {version(options.library)}")
    elif options.table:
        return compare(results, options.table)
    else:
        print("\n".join(f"{name}\t{code}" for name, code in results.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
