"""seichefft.distributed: threads of this process, and processes under the MPI that mpi4py finds."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
import time
from typing import Any

import numpy as np
import pytest
import scipy.fft

import seichefft

several = pytest.importorskip("seichefft.distributed", exc_type=ImportError)
SHAPE = (12, 10, 9)
FABRIC = "ranks-per-node 2\nmemory 1000 GB/s\ninside 100 GB/s 1 us\nbetween 10 GB/s 5 us\n"


def whole(dtype: str, shape: tuple[int, ...] = SHAPE) -> Any:
    rng = np.random.default_rng(20261130)
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape) if dtype.startswith("c") else x).astype(dtype)


def assert_part(result: Any, exact: Any, box: Any) -> None:
    """Within some units of the last place of the largest number of the whole."""
    part = exact[(..., *box.slices)] if exact.ndim > len(box.shape) else exact[box.slices]
    assert result.shape == part.shape
    unit = np.finfo(result.dtype).eps
    assert np.abs(result - part).max(initial=0) <= 8 * unit * np.abs(exact).max()


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex(count: int, dtype: str) -> None:
    x = whole(dtype)

    def rank(ranks: Any, device: Any) -> None:
        boxes = several.slab(SHAPE, 0, ranks.size), several.slab(SHAPE, 1, ranks.size)
        plan = several.DistributedPlan(SHAPE, dtype, boxes=boxes, ranks=ranks, device=device, norm="ortho")
        own = x[plan.input_box.slices].copy()
        spectrum = plan.forward(own)
        assert_part(spectrum, scipy.fft.fftn(x, norm="ortho"), plan.output_box)
        assert plan.exchanges() == (1 if ranks.size > 1 else 0)
        kept = spectrum.copy()
        back = np.empty_like(own)
        assert plan.inverse(spectrum, back) is back
        assert_part(back, x, plan.input_box)
        np.testing.assert_array_equal(spectrum, kept)
        assert "transform axes" in plan.describe()

    # Two of the four are staged through buffers of their device.
    several.run_threads(rank, (["cpu", "reference"] * 2)[:count])


@pytest.mark.parametrize("cut", ["slabs", "pencils", "bricks"])
def test_real_and_batch(cut: str) -> None:
    x = whole("float64", (2, *SHAPE))
    half = several.half_shape(SHAPE)
    exact = scipy.fft.rfftn(x, axes=(1, 2, 3))

    def rank(ranks: Any, device: Any) -> None:
        boxes = {
            "slabs": lambda: (several.slab(SHAPE, 0, 4), several.slab(half, 1, 4)),
            "pencils": lambda: (several.pencils(SHAPE, (0, 1), 2, 2), several.pencils(half, (1, 2), 2, 2)),
            "bricks": lambda: (several.bricks(SHAPE, (0, 1, 2), 2, 1, 2), several.grid(half, (1, 4, 1))),
        }[cut]()
        plan = several.DistributedPlan(
            SHAPE, "float64", kind="r2c", boxes=boxes, ranks=ranks, device=device, batch=2, norm="backward",
            decomposition="pencils" if cut == "pencils" else "any",
            fabric=None if cut == "slabs" else FABRIC,
        )  # fmt: skip
        own = x[(slice(None), *plan.input_box.slices)].copy()
        spectrum = plan.execute(own)
        assert_part(spectrum, exact, plan.output_box)
        assert_part(plan.execute(spectrum, direction="inverse"), x, plan.input_box)

    several.run_threads(rank, ["cpu"] * 4)


def test_real_to_real_and_one_axis() -> None:
    x = whole("float64")

    def rank(ranks: Any, device: Any) -> None:
        boxes = (several.slab(SHAPE, 1, ranks.size),) * 2
        plan = several.DistributedPlan(
            SHAPE, "float64", kind="dct2", axes=(1,), boxes=boxes, ranks=ranks, device=device, direction="forward"
        )
        assert_part(plan.forward(x[plan.input_box.slices].copy()), scipy.fft.dct(x, axis=1), plan.output_box)
        with pytest.raises(ValueError, match="direction: expected 'forward', as planned, got 'inverse'"):
            plan.inverse(x)

    several.run_threads(rank, ["cpu"] * 3)


@pytest.mark.parametrize("order", ["natural", "pass"])
def test_one_axis_over_all_ranks(order: str) -> None:
    n = 1024
    x = whole("complex128", (n,))
    exact = scipy.fft.fft(x)

    def rank(ranks: Any, device: Any) -> None:
        boxes = (several.slab((n,), 0, ranks.size),) * 2
        plan = several.DistributedPlan(
            (n,), boxes=boxes, ranks=ranks, device=device, decomposition="four_step", order=order, norm="backward"
        )
        assert plan.exchanges() == (3 if order == "natural" else 2)
        own = x[plan.input_box.slices].copy()
        spectrum = plan.forward(own)
        places = [plan.spectrum_index(0, position) for position in range(n)]
        assert sorted(places) == list(range(n)) and (places == list(range(n))) == (order == "natural")
        np.testing.assert_allclose(spectrum, exact[places][plan.output_box.slices], rtol=0, atol=1e-12 * n)
        assert_part(plan.inverse(spectrum), x, plan.input_box)

    several.run_threads(rank, ["cpu"] * 4)


def test_one_real_axis_over_all_ranks() -> None:
    n = 1000
    x = whole("float32", (n,))
    exact = scipy.fft.rfft(x.astype(float))

    def rank(ranks: Any, device: Any) -> None:
        boxes = several.slab((n,), 0, ranks.size), several.slab(several.half_shape((n,)), 0, ranks.size)
        plan = several.DistributedPlan(
            (n,), "float32", kind="r2c", boxes=boxes, ranks=ranks, device=device, decomposition="four_step",
            norm="backward",
        )  # fmt: skip
        spectrum = plan.forward(x[plan.input_box.slices].copy())
        np.testing.assert_allclose(spectrum, exact[plan.output_box.slices], rtol=0, atol=1e-4)
        np.testing.assert_allclose(plan.inverse(spectrum), x[plan.input_box.slices], rtol=0, atol=1e-5)
        assert plan.exchanges() > 3 and plan.exchanges("inverse") > 3

    several.run_threads(rank, ["cpu"] * 3)


def test_pointers() -> None:
    x = whole("complex64")

    def rank(ranks: Any, device: Any) -> None:
        boxes = several.slab(SHAPE, 0, ranks.size), several.slab(SHAPE, 2, ranks.size)
        plan = several.DistributedPlan(SHAPE, "complex64", boxes=boxes, ranks=ranks, device=device, direction="forward")
        own = x[plan.input_box.slices].copy()
        result = np.empty(plan.output_box.shape, np.complex64)
        plan.execute_pointers(own.ctypes.data, result.ctypes.data)
        assert_part(result, scipy.fft.fftn(x), plan.output_box)

    several.run_threads(rank, ["cpu"] * 2)


def test_empty_boxes_and_redistribution() -> None:
    shape = (2, 7)
    x = np.arange(14, dtype=np.float32).reshape(shape)

    def rank(ranks: Any, device: Any) -> int:
        rows, columns = several.slab(shape, 0, ranks.size), several.slab(shape, 1, ranks.size)
        move = several.Redistribution(shape, "float32", rows, columns, ranks, device=device)
        moved = move(x[rows[ranks.rank].slices].copy())
        np.testing.assert_array_equal(moved, x[columns[ranks.rank].slices])
        part = ranks.split(ranks.rank % 2)
        assert part.size == (2 if ranks.rank % 2 == 0 else 1) and part.rank == ranks.rank // 2
        assert (ranks.split(-1 if ranks.rank == 2 else 0) is None) == (ranks.rank == 2)
        return move.bytes_sent

    sent = several.run_threads(rank, ["cpu", "reference", "cpu"])
    assert sent == [4 * 4, 4 * 5, 0]  # of 7 columns rank 0 keeps 3 of its row, rank 1 two


def test_boxes() -> None:
    box = several.slab((8, 5), 1, 3)[2]
    assert (box.lower, box.upper, box.shape) == ((0, 4), (8, 5), (8, 1))
    assert box == several.Box((0, 4), (8, 5)) and hash(box) == hash(several.Box((0, 4), (8, 5)))
    assert box != several.Box((0, 4), (8, 6)) and box != 3
    assert repr(box) == "<Box [0..8) x [4..5)>"
    with pytest.raises(ValueError, match="upper bound of 4 or more along axis 0, got 3"):
        several.Box((4,), (3,))
    with pytest.raises(ValueError, match="axes: expected 2, got 3"):
        several.pencils((8, 8, 8), (0, 1, 2), 2, 2)


def test_refusals() -> None:
    def rank(ranks: Any, device: Any) -> None:
        boxes = several.slab(SHAPE, 0, ranks.size), several.slab(SHAPE, 1, ranks.size)
        with pytest.raises(ValueError, match="boxes\\[0\\]: expected a box for each of 2 ranks, got 1"):
            several.DistributedPlan(SHAPE, boxes=(boxes[0][:1], boxes[1]), ranks=ranks, device=device)
        with pytest.raises(ValueError, match="kind: expected 'c2c', 'r2c' or a real-to-real one"):
            several.DistributedPlan(SHAPE, boxes=boxes, ranks=ranks, device=device, kind="c2r")
        with pytest.raises(TypeError, match="dtype: expected one of float32"):
            several.DistributedPlan(SHAPE, "longdouble", boxes=boxes, ranks=ranks, device=device)
        with pytest.raises(ValueError, match="output: expected boxes"):
            several.DistributedPlan(SHAPE, boxes=(boxes[0], several.slab((12, 9, 9), 1, 2)), ranks=ranks, device=device)
        with pytest.raises(ValueError, match="fabric, line 1: expected name, profile"):
            several.DistributedPlan(SHAPE, boxes=boxes, ranks=ranks, device=device, fabric="fast")
        # What ranks disagree about is said on all of them.
        dtype = "complex64" if ranks.rank else "complex128"
        with pytest.raises(ValueError, match="problem: expected the same on all ranks, got '12x10x9 c2c f64' on rank"):
            several.DistributedPlan(SHAPE, dtype, boxes=boxes, ranks=ranks, device=device)
        plan = several.DistributedPlan(SHAPE, boxes=boxes, ranks=ranks, device=device)
        with pytest.raises(ValueError, match="x: expected shape \\(6, 10, 9\\), this rank's box, got"):
            plan.forward(np.zeros((5, 10, 9), complex))
        with pytest.raises(TypeError, match="x: expected elements"):
            plan.forward(np.zeros(plan.input_box.shape, np.complex64))
        with pytest.raises(ValueError, match="x: expected a dense array in C order"):
            plan.forward(np.zeros(plan.input_box.shape, complex, order="F"))
        x = np.zeros(plan.input_box.shape, complex)
        with pytest.raises(ValueError, match="out: expected shape"):
            plan.forward(x, x)

    several.run_threads(rank, ["cpu"] * 2)


def test_a_rank_that_ends_or_does_not_come() -> None:
    def fails(ranks: Any, device: Any) -> None:
        boxes = several.slab(SHAPE, 0, ranks.size), several.slab(SHAPE, 1, ranks.size)
        plan = several.DistributedPlan(SHAPE, boxes=boxes, ranks=ranks, device=device)
        if ranks.rank == 1:
            raise KeyError("of rank 1")
        plan.forward(np.zeros(plan.input_box.shape, complex))

    start = time.monotonic()
    with pytest.raises(KeyError, match="of rank 1"):
        several.run_threads(fails, ["cpu"] * 3)
    assert time.monotonic() - start < 20  # and not after the time limit of a minute

    def waits(ranks: Any, device: Any) -> int | None:
        if ranks.rank == 0:
            time.sleep(1)
            return None
        with pytest.raises(several.AbsentRank, match="rank 0 of 2") as caught:
            ranks.barrier()
        assert isinstance(caught.value, seichefft.Error)
        return caught.value.rank

    assert several.run_threads(waits, ["reference"] * 2, time_limit=0.3) == [None, 0]


# --- processes ----------------------------------------------------------------------------------------------------

PROGRAM = """
import sys
import numpy as np
from mpi4py import MPI
import seichefft.distributed as several

ranks = several.mpi_ranks(MPI.COMM_WORLD.Split(0, -MPI.COMM_WORLD.rank), time_limit=60)
assert (ranks.rank, ranks.size) == (MPI.COMM_WORLD.size - 1 - MPI.COMM_WORLD.rank, MPI.COMM_WORLD.size)
shape, half = (12, 10, 9), several.half_shape((12, 10, 9))
x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
boxes = several.slab(shape, 0, ranks.size), several.slab(half, 1, ranks.size)
plan = several.DistributedPlan(shape, "float32", kind="r2c", boxes=boxes, ranks=ranks, norm="backward",
                               device=sys.argv[1])
own = x[plan.input_box.slices].copy()
spectrum = plan.forward(own)
exact = np.fft.rfftn(x)
assert np.abs(spectrum - exact[plan.output_box.slices]).max() < 1e-6 * np.abs(exact).max()
assert np.abs(plan.inverse(spectrum) - own).max() < 1e-5
if ranks.size == 2:
    try:
        several.DistributedPlan((4, 4), boxes=(several.slab((4, 4), 0, 2),) * 2, ranks=ranks,
                                axes=[ranks.rank], device=sys.argv[1])
    except ValueError as error:
        assert "problem: expected the same on all ranks" in str(error), error
    else:
        raise AssertionError("expected a refusal")
print("right", ranks.transport)
"""


def _mpich() -> list[str] | None:
    """mpiexec of PyPI's package mpich, whose library mpi4py loads."""
    mpiexec = pathlib.Path(sys.prefix) / "bin/mpiexec.hydra"
    return [str(mpiexec)] if mpiexec.exists() else None


def _open_mpi() -> list[str] | None:
    mpiexec = shutil.which("mpiexec.openmpi")
    return [mpiexec, "--allow-run-as-root", "--oversubscribe", "-x", "MPI4PY_MPIABI=openmpi"] if mpiexec else None


@pytest.mark.parametrize(
    ("mpi", "count", "device"), [(_mpich, 2, "cpu"), (_mpich, 4, "cpu"), (_open_mpi, 3, "reference")]
)
def test_processes(mpi: Any, count: int, device: str, tmp_path: pathlib.Path) -> None:
    pytest.importorskip("mpi4py")
    command = mpi()
    if command is None:
        pytest.skip(f"there is no {mpi.__name__[1:]} here")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    run = subprocess.run(
        [*command, "-n", str(count), sys.executable, str(program), device],
        capture_output=True, text=True, timeout=150, env=os.environ,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.count("right") == count, run.stdout + run.stderr
