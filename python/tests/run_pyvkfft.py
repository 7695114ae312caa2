"""Runs pyvkfft's own tests on seichefft.compat.pyvkfft, with PyOpenCL on whatever OpenCL device there is.

    python run_pyvkfft.py [--quick] [--part I/N] [--least N] [--most N] [--on cpu] [--sdist FILE] [--only NAME]

pyvkfft's tests come from its source distribution, which pip brings if no file is named. Its modules `fft`, `opencl`,
`cuda` and `config` are this package's; `base` (helpers that the tests use), `accuracy` and the tests are its own, but
that devices that are no GPU serve too, and the picture that SciPy would download is noise. All cases of a test run in
this process, one after the other; quick: a few of them. The last line counts; the exit status is 0 if all passed.

Most of the time was SciPy's reference in long double. So arrays of one shape and type get the same noise, neighbours
share their reference, that of single precision is computed in double, and norms of a difference are taken in double.

OpenCL's driver for the processor takes seconds for each plan, and all cases would take it a day. With ``--on cpu`` the
arrays are PyOpenCL's all the same, but each transform is the device `cpu`'s, on the buffers mapped into memory: all
that this package does with shapes, strides, norms and padding, in an hour or two; most of that are the 2,880 cases of
more than 2^21 elements, and the 30,908 of at most 2^16 take minutes.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import math
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest
import warnings
from typing import Any

VERSION = "2025.1.1"
OWN = {
    "__init__.py": "",
    "fft.py": "from seichefft.compat.pyvkfft.fft import *\n",
    "opencl.py": "from seichefft.compat.pyvkfft.opencl import *\nimport pyopencl.array as cla\n",
    "cuda.py": "from seichefft.compat.pyvkfft.cuda import *\n",
    "config.py": "import sys\nfrom seichefft.compat.pyvkfft import config\nsys.modules[__name__] = config\n",
}
THEIRS = ("base.py", "accuracy.py", "version.py", "test/__init__.py", "test/test_fft.py")
#: Of the cases of a test, every so many in the sample.
SAMPLE = 8001
#: Neighbours that are in one part of the whole, since they share references.
NEIGHBOURS = 48
#: Bytes of references that are kept, of two at least.
KEPT = 2**28


def find_sdist() -> pathlib.Path:
    """Kept in the environment. pip asks the package how it is built, which needs to know of a backend."""
    folder = pathlib.Path(sys.prefix) / "pyvkfft"
    kept = folder / f"pyvkfft-{VERSION}.tar.gz"
    if kept.exists():
        return kept
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", "pyvkfft"]
    environment = {**os.environ, "VKFFT_BACKEND": "opencl"}
    subprocess.run([*command, "-d", str(folder), f"pyvkfft=={VERSION}"], check=True, env=environment)
    return kept


def lay_out(sdist: pathlib.Path, folder: pathlib.Path) -> None:
    """The package `pyvkfft` in a folder: its tests, our modules."""
    package = folder / "pyvkfft"
    (package / "test").mkdir(parents=True)
    with tarfile.open(sdist) as archive:
        for member in archive.getmembers():
            name = member.name.partition("/pyvkfft/")[2]
            if name in THEIRS and member.isfile():
                text = archive.extractfile(member).read().decode()
                text = text.replace("cl.device_type.GPU", "cl.device_type.ALL")
                if name == "accuracy.py":
                    text = text.replace("default_rng(seed=None)", "default_rng(seed=1)")
                (package / name).write_text(text)
    for name, text in OWN.items():
        (package / name).write_text(text)


class SerialPool:
    """In place of a pool of processes."""

    def __init__(self, processes: int) -> None:
        pass

    def __enter__(self) -> SerialPool:
        return self

    def __exit__(self, *_: Any) -> None:
        pass

    def imap(self, function: Any, cases: Any) -> Any:
        for case in cases:
            Counted.ran += 1
            yield function(case)


class Counted:
    """The cases that ran, and all that the tests list."""

    ran = 0
    known = 0


def choose_cases(test: type, first: int, step: int, neighbours: int, least: int, most: int) -> None:
    """Of the cases that a test lists, those of so many elements; of the runs of neighbours among them, every `step`th
    runs from `first` on."""
    whole = test.run_fft_parallel

    def some(self: Any, cases: list[Any]) -> None:
        Counted.known += len(cases)
        cases = [case for case in cases if least <= math.prod(case["shape"]) <= most]
        whole(self, [case for place, case in enumerate(cases) if place // neighbours % step == first])

    test.run_fft_parallel = some
    test.nproc = 2  # which has it list its cases first
    test.verbose = False


def share_references(accuracy: Any) -> None:
    """Equal references are computed once, and norms of differences in double."""
    import numpy as np

    kept: list[tuple[Any, Any, Any]] = []

    def reference(function: Any, x: Any, arguments: dict[str, Any]) -> Any:
        single, double = (np.complex64, np.complex128) if np.iscomplexobj(x) else (np.float32, np.float64)
        is_single = np.array_equal(x.astype(single), x)
        return function(x.astype(double) if is_single else x, **arguments)

    def shared(function: Any) -> Any:
        def call(x: Any, **arguments: Any) -> Any:
            key = (function.__name__, x.dtype, str(sorted(arguments.items())))
            for known, array, result in kept:
                if known == key and np.array_equal(array, x):
                    return result
            result = reference(function, x, arguments)
            result.flags.writeable = False
            kept.append((key, x, result))
            while len(kept) > 2 and sum(array.nbytes + result.nbytes for _, array, result in kept) > KEPT:
                del kept[0]
            return result

        return call

    def squares(x: Any) -> Any:
        narrow = np.complex128 if np.iscomplexobj(x) else np.float64
        x = x.astype(narrow)
        return x.real**2 + x.imag**2 if np.iscomplexobj(x) else x**2

    def l2(a: Any, b: Any) -> Any:
        return np.sqrt(squares(a - b).sum() / squares(a).sum())

    def li(a: Any, b: Any) -> Any:
        return np.sqrt(squares(a - b).max() / squares(a).max())

    for name in ("fftn", "ifftn", "rfftn", "irfftn", "dctn", "idctn", "dstn", "idstn"):
        setattr(accuracy, name, shared(getattr(accuracy, name)))
    accuracy.l2, accuracy.li = l2, li


def run_on_processor() -> None:
    """VkFFTApp makes its plans for the device `cpu`, on the buffers mapped into memory."""
    import numpy as np
    import pyopencl as cl

    from seichefft._devices import open_native
    from seichefft.compat.pyvkfft import opencl

    def enqueue(self: Any, call: Any, src: Any, dest: Any, queue: Any) -> None:
        flags, mapped = cl.map_flags.READ | cl.map_flags.WRITE, {}
        for x in (src, dest):
            if x.base_data not in mapped:
                shape, events = (x.base_data.size,), x.events
                mapped[x.base_data], _ = cl.enqueue_map_buffer(
                    queue, x.base_data, flags, 0, shape, np.uint8, wait_for=events
                )
        assert call.host_addresses(*(mapped[x.base_data].ctypes.data + x.offset for x in (src, dest)))
        for array in mapped.values():
            array.base.release(queue)

    opencl.device_of_queue = lambda queue: open_native("cpu")
    opencl.VkFFTApp._enqueue = enqueue


def no_picture() -> Any:
    """The tests make noise then."""
    raise ImportError


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a few cases")
    parser.add_argument("--part", default="0/1", help=f"I/N: every Nth {NEIGHBOURS} cases from the Ith on")
    parser.add_argument("--least", type=int, default=0, help="cases of at least so many elements")
    parser.add_argument("--most", type=int, default=sys.maxsize, help="cases of at most so many elements")
    parser.add_argument("--on", choices=("opencl", "cpu"), default="opencl", help="what transforms")
    parser.add_argument("--sdist", type=pathlib.Path, help="pyvkfft's source distribution")
    parser.add_argument("--only", help="a part of the name of the tests to run")
    arguments = parser.parse_args()
    if importlib.util.find_spec("pyopencl") is None:
        print("skipped: pyopencl is not installed")
        return 0
    os.environ.setdefault("OCL_ICD_VENDORS", "/etc/OpenCL/vendors")
    first, step = (int(word) for word in arguments.part.split("/"))
    chosen = (3, SAMPLE, 1) if arguments.quick else (first, step, NEIGHBOURS)
    with tempfile.TemporaryDirectory() as folder:
        sdist = arguments.sdist or find_sdist()
        lay_out(sdist, pathlib.Path(folder) / "modules")
        sys.path.insert(0, str(pathlib.Path(folder) / "modules"))
        from pyvkfft import accuracy
        from pyvkfft.test import test_fft

        test_fft.multiprocessing.get_context = lambda _: type("Context", (), {"Pool": SerialPool})
        if arguments.on == "cpu":
            run_on_processor()
        test_fft.ascent0 = no_picture
        share_references(accuracy)
        choose_cases(test_fft.TestFFT, *chosen, arguments.least, arguments.most)
        suite = unittest.TestSuite(
            test
            for test in unittest.defaultTestLoader.loadTestsFromTestCase(test_fft.TestFFT)
            if arguments.only is None or arguments.only in test.id()
        )
        warnings.simplefilter("ignore")
        with contextlib.redirect_stdout(io.StringIO()):
            result = unittest.TextTestRunner(verbosity=1).run(suite)
    print(f"{Counted.ran} of {Counted.known} cases in {result.testsRun} tests, {len(result.skipped)} skipped, ", end="")
    print(f"{len(result.failures)} failed, {len(result.errors)} with errors")
    return 0 if result.wasSuccessful() and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main())
