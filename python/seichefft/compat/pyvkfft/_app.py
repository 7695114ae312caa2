"""What VkFFTApp of OpenCL and of CUDA have in common."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ... import _native
from ..._arrays._common import COMPLEX32
from ..._arrays._contract import Element, Memory
from ..._cache import Ready
from ..._engine import INVERSE_TYPES, Transform, ready_call
from ._geometry import Shape, dense_strides, geometry, integers

_REALS = {np.dtype("e"): 2, np.dtype("f"): 4, np.dtype("d"): 8}
_COMPLEXES = {COMPLEX32: 2, np.dtype("F"): 4, np.dtype("D"): 8}
_ELEMENTS = {2: ("f32", "f16"), 4: ("f32", "same"), 8: ("f64", "same")}
#: What VkFFT's compiler may be told; this library chooses by itself.
_HINTS = {
    "coalescedMemory", "numSharedBanks", "aimThreads", "performBandwidthBoost", "registerBoost", "registerBoostNonPow2",
    "registerBoost4Step", "warpSize", "groupedBatch", "useLUT", "forceCallbackVersionRealTransforms",
}  # fmt: skip
#: What would change the result or print, and is refused unless it is off.
_REFUSED = {
    "disableReorderFourStep": "a spectrum out of order has seichefft.Plan(order='pass')",
    "keepShaderCode": "the kernels' text is in seichefft.Plan(...).source()",
}


def _check_options(options: dict[str, Any]) -> None:
    for name, value in options.items():
        if name in _REFUSED:
            if value not in (None, 0, -1, False):
                raise RuntimeError(f"{name}: expected 0, got {value}; {_REFUSED[name]}")
        elif name not in _HINTS:
            raise TypeError(
                f"{name}: expected an option of pyvkfft, one of {', '.join(sorted(_HINTS | set(_REFUSED)))}"
            )


def _type_of(word: str, value: Any, other: Any) -> int:
    """The type of a cosine or sine transform, 0 for none."""
    number = 2 if value is True else integers(word, value)[0]
    if number not in (0, 1, 2, 3, 4):
        raise RuntimeError(f"{word}: expected False, True or a type from 1 to 4, got {value}")
    if number and other:
        raise RuntimeError(f"{word}: expected one of r2c, dct and dst alone")
    return number


def _has_large_prime(count: int) -> bool:
    """Whether a factor is a prime beyond 13."""
    for prime in (2, 3, 5, 7, 11, 13):
        while count % prime == 0:
            count //= prime
    return count > 1


class _Layouts(NamedTuple):
    """The arrays of one execution, as the engine has them."""

    source: Memory
    target: Memory


class VkFFTApp:
    """A transform made ready, on pyvkfft's terms; `opencl.VkFFTApp` and `cuda.VkFFTApp` are of this class.

    Parameters
    ----------
    shape : sequence of int
        Of the array that is transformed; for r2c the real one, with its padding in place.
    dtype : dtype
        Of the source: complex, or real with `r2c`, `dct` or `dst`; 16, 32 or 64 bits for each number.
    ndim : int, optional
        How many axes are transformed, beginning with the fastest. Default: all.
    inplace : bool
        The result overwrites the source.
    norm : {0, 1, 'ortho', 'backward'}
        0: no scale; 1: the inverse undoes the forward transform; 'ortho': both by 1/sqrt(N).
    r2c : bool
        Real to complex. The fast axis has n//2 + 1 complex values; in place the real array has 2 elements more along
        it, or 1 with `r2c_odd`.
    dct, dst : bool or {1, 2, 3, 4}
        A cosine or sine transform of that type, True for 2.
    axes : sequence of int, optional
        The axes to transform. Default: as `ndim` says.
    strides : sequence of int, optional
        Of the array, in bytes. Default: C order.
    r2c_odd : bool
        In place: the real length of the fast axis is odd.

    Raises
    ------
    RuntimeError
        If the transform makes no sense, or the device lacks what it needs.
    """

    def __init__(
        self,
        shape: Sequence[int],
        dtype: Any,
        ndim: int | None,
        inplace: bool,
        norm: Any,
        r2c: bool,
        dct: Any,
        dst: Any,
        axes: Any,
        strides: Sequence[int] | None,
        r2c_odd: bool,
        device: _native.Device,
        library: Any,
        options: dict[str, Any],
    ) -> None:
        _check_options(options)
        try:
            dtype = np.dtype(dtype)
        except TypeError:
            raise RuntimeError(f"dtype: expected a type of NumPy's, got {dtype!r}") from None
        self.r2c = bool(r2c)
        self.dct = _type_of("dct", dct, r2c)
        self.dst = _type_of("dst", dst, r2c or self.dct)
        is_real = self.r2c or bool(self.dct or self.dst)
        known = _REALS if is_real else _COMPLEXES
        if dtype not in known:
            words = ", ".join(str(one) for one in known)
            raise RuntimeError(f"dtype: expected one of {words} for this transform, got {dtype}")
        if norm not in (0, 1, "ortho", "backward"):
            raise RuntimeError(f"norm: expected 0, 1, 'ortho' or 'backward', got {norm!r}")
        self.precision = known[dtype]
        self.norm = 1 if norm == "backward" else norm
        self.inplace = bool(inplace)
        self.r2c_odd = bool(r2c_odd) and self.inplace
        self._geometry = geometry(shape, ndim, axes, strides, self.r2c, self.inplace, self.r2c_odd)
        self.shape0 = self._geometry.shape
        self.strides0 = None if strides is None else tuple(integers("strides", strides))
        self.axes0, self.fast_axis = list(self._geometry.axes), self._geometry.fast_axis
        self.ndim = len(self.axes0)
        self._device = device
        self._library = library
        word = _ELEMENTS[self.precision]
        self._real = Element(*word, False)
        self._complex = Element(*word, True)
        self._calls: dict[Any, Ready] = {}

    # --- layouts --------------------------------------------------------------------------------------------------

    def _dense(self, shape: Shape) -> Shape:
        return dense_strides(shape, self._geometry.is_fortran)

    def _default_strides(self) -> Shape:
        """Of the array of `shape0`, in elements."""
        if self.strides0 is None:
            return self._dense(self.shape0)
        size = self.precision * (1 if self.r2c or self.dct or self.dst else 2)
        if any(stride % size for stride in self.strides0):
            raise RuntimeError(f"strides: expected multiples of the {size} bytes of an element, got {self.strides0}")
        default = self._dense(self.shape0)
        return tuple(
            stride // size if count > 1 and stride > 0 else other
            for stride, count, other in zip(self.strides0, self.shape0, default)
        )

    def _array(self, what: str, x: Any, shape: Shape, strides: Shape, element: Element) -> Memory:
        """The layout of an array: its own where it has the shape, else the app's, on as many elements without gaps."""
        try:
            memory: Memory = self._library.memory(x)
        except (KeyError, AttributeError):
            raise RuntimeError(f"{what}: expected an array of elements {element}, got {type(x).__name__}") from None
        if memory.element != element:
            raise RuntimeError(f"{what}: expected elements {element}, got {memory.element}")
        if tuple(memory.shape) == shape:
            if memory.strides is None:
                raise RuntimeError(f"{what}: expected strides of whole elements, got {x.strides}")
            return Memory(shape, self._with_units(memory.strides, shape), element)
        if math.prod(memory.shape) == math.prod(shape) and x.flags.forc:
            return Memory(shape, strides, element)
        raise RuntimeError(f"{what}: expected shape {shape}, got {tuple(memory.shape)}")

    def _with_units(self, strides: Shape, shape: Shape) -> Shape:
        """Axes of one element have any stride; one that is a multiple of the others serves layouts in place."""
        default = self._dense(shape)
        return tuple(stride if count > 1 else other for stride, count, other in zip(strides, shape, default))

    def _in_place_layouts(self, x: Any) -> tuple[Memory, Memory]:
        """(real, complex) of a real transform in place, of an array that is either."""
        shape, fast = self._geometry, self._geometry.fast_axis
        is_complex = self._library.memory(x).element.is_complex
        if is_complex:
            given = self._array("src", x, shape.halved, self._dense(shape.halved), self._complex)
        else:
            given = self._array("src", x, shape.shape, self._default_strides(), self._real)
        assert given.strides is not None
        halved, whole = [], []
        for axis, stride in enumerate(given.strides):
            if axis != fast and not is_complex and stride % 2:
                raise RuntimeError(f"src: expected rows of even strides for a real transform in place, got {x.strides}")
            halved.append(1 if axis == fast else stride if is_complex else stride // 2)
            whole.append(1 if axis == fast else 2 * stride if is_complex else stride)
        if given.strides[fast] != 1 and given.shape[fast] > 1:
            raise RuntimeError(f"src: expected dense rows along the fast axis {fast}, got strides {x.strides}")
        return Memory(shape.logical, tuple(whole), self._real), Memory(shape.halved, tuple(halved), self._complex)

    def _layouts(self, is_forward: bool, src: Any, dest: Any) -> _Layouts:
        shape = self._geometry
        if self.r2c:
            if self.inplace:
                real, spectrum = self._in_place_layouts(src)
            else:
                x, y = (src, dest) if is_forward else (dest, src)
                words = ("src", "dest") if is_forward else ("dest", "src")
                real = self._array(words[0], x, shape.shape, self._default_strides(), self._real)
                spectrum = self._array(words[1], y, shape.halved, self._dense(shape.halved), self._complex)
            return _Layouts(real, spectrum) if is_forward else _Layouts(spectrum, real)
        element = self._real if self.dct or self.dst else self._complex
        strides = self._default_strides()
        source = self._array("src", src, shape.shape, strides, element)
        return _Layouts(source, source if self.inplace else self._array("dest", dest, shape.shape, strides, element))

    # --- running --------------------------------------------------------------------------------------------------

    def _transform(self, is_forward: bool) -> Transform:
        direction = "forward" if is_forward else "inverse"
        if self.norm == "ortho":
            norm = "ortho"
        elif self.norm == 1:
            norm = "backward"
        else:
            norm = "backward" if is_forward else "forward"  # neither is scaled
        if self.r2c:
            kind = "r2c" if is_forward else "c2r"
        elif self.dct or self.dst:
            number = self.dct or self.dst
            kind = ("dct" if self.dct else "dst") + str(number if is_forward else INVERSE_TYPES[number])
        else:
            kind = "c2c"
        return Transform(kind, direction, self._geometry.axes, self._geometry.lengths, norm)

    def _ready(self, is_forward: bool, layouts: _Layouts) -> Ready:
        key = (is_forward, layouts)
        ready = self._calls.get(key)
        if ready is None:
            try:
                transform = self._transform(is_forward)
                ready = ready_call(
                    self._device, transform, layouts.target.shape, layouts.source, layouts.target, self.inplace
                )
            except ValueError as error:
                raise RuntimeError(str(error)) from None
            self._calls[key] = ready
        return ready

    def _prepare(self) -> None:
        """Both directions for the layouts that the arguments name."""
        strides = self._default_strides()
        shape = self._geometry
        if not self.r2c:
            element = self._real if self.dct or self.dst else self._complex
            both = Memory(shape.shape, strides, element)
            pairs = [(True, _Layouts(both, both)), (False, _Layouts(both, both))]
        else:
            dense = self._dense(shape.halved)
            spectrum = Memory(shape.halved, dense, self._complex)
            real = Memory(shape.logical, strides, self._real)
            pairs = [(True, _Layouts(real, spectrum)), (False, _Layouts(spectrum, real))]
        for is_forward, layouts in pairs:
            self._ready(is_forward, layouts)

    def _check_places(self, src: Any, dest: Any) -> None:
        if self.inplace:
            if dest is not None and not self._is_same_memory(src, dest):
                raise RuntimeError("dest: expected None or the source, because the transform is in place")
        elif dest is None:
            raise RuntimeError("dest: expected an array, because the transform is out of place")
        elif self._is_same_memory(src, dest):
            raise RuntimeError("dest: expected other memory than the source's, because the transform is out of place")

    def _is_same_memory(self, x: Any, y: Any) -> bool:
        raise NotImplementedError

    def _run(self, is_forward: bool, src: Any, dest: Any, stream: Any) -> Any:
        self._check_places(src, dest)
        layouts = self._layouts(is_forward, src, dest)
        call = self._ready(is_forward, layouts).call
        try:
            self._enqueue(call, src, src if self.inplace else dest, stream)
        except ValueError as error:
            raise RuntimeError(str(error)) from None
        if not self.inplace:
            return dest
        target = layouts.target
        if not self.r2c or self._library.memory(src).element == target.element:
            return src
        shape = target.shape if is_forward else self._geometry.shape
        return self._library.alias(src, shape, target.strides, target.element)

    def _enqueue(self, call: _native.Call, src: Any, dest: Any, stream: Any) -> None:
        raise NotImplementedError

    # --- what it is -----------------------------------------------------------------------------------------------

    def _scale(self, factor: float) -> Any:
        return {2: np.float16, 4: np.float32, 8: np.float64}[self.precision](factor)

    def _gain(self) -> float:
        """By how much the transform without a scale multiplies the L2 norm of an array."""
        gain = math.sqrt(math.prod(self._geometry.lengths))
        kind = self.dct or self.dst
        if not kind:
            return gain
        if kind != 4:
            warnings.warn(
                "of cosine and sine transforms type 4 alone keeps the norm: the scale is about right", stacklevel=3
            )
        return gain * math.sqrt(2.0) ** self.ndim

    def get_fft_scale(self) -> Any:
        """What the result of `fft` is to be multiplied by, so that its L2 norm is the source's."""
        return self._scale(1.0 if self.norm == "ortho" else 1.0 / self._gain())

    def get_ifft_scale(self) -> Any:
        """The same of `ifft`."""
        if self.norm == "ortho":
            return self._scale(1.0)
        gain = self._gain()
        return self._scale(gain if self.norm == 1 else 1.0 / gain)

    def _plans(self) -> list[_native.Plan]:
        return [ready.call.plan for ready in self._calls.values()]

    def get_tmp_buffer_nbytes(self) -> int:
        """Bytes of scratch memory that one transform takes from the array's allocator."""
        return max((plan.workspace_bytes() for plan in self._plans()), default=0)

    def get_tmp_buffer_str(self) -> str:
        """The same for people."""
        count = float(self.get_tmp_buffer_nbytes())
        for unit in ("B", "kB", "MB"):
            if count < 1000:
                return f"{count:.4g}{unit}"
            count /= 1024
        return f"{count:.4g}GB"

    def _words(self) -> str:
        """Of each axis of the array: '-' if it is not transformed, else [r]adix, [R]ader or [B]luestein."""
        recipes = " ".join(plan.report.recipe for plan in self._plans())
        words = []
        for axis, count in enumerate(self._geometry.logical):
            if axis not in self._geometry.axes:
                words.append("-")
            elif not _has_large_prime(count):
                words.append("r")
            else:
                words.append("B" if "(bluestein " in recipes else "R")
        return "".join(words)

    def get_algo_str(self) -> str:
        """'r' for each axis that is transformed by radices, 'R' by Rader's, 'B' by Bluestein's way, '-' for others."""
        return self._words()

    def get_nb_upload(self, axis: int | None = None) -> Any:
        """How many times a transform reads and writes the array, shared by its axes: on each axis 1 or more, 0 where it
        is not transformed. For one axis, or a list of all."""
        first = self._plans()[:1]
        steps = max(1, sum(kernel.direction == "forward" for plan in first for kernel in plan.report.kernels))
        counts = [0] * len(self.shape0)
        for step in range(max(steps, self.ndim)):
            counts[self._geometry.axes[-1 - step % self.ndim]] += 1
        return counts if axis is None else counts[axis]

    def is_radix_transform(self, axis: int | None = None) -> Any:
        """Whether an axis is transformed by radices alone; or a list for all."""
        return self._is("r", axis)

    def is_rader_transform(self, axis: int | None = None) -> Any:
        """Whether an axis is transformed by Rader's way; or a list for all."""
        return self._is("R", axis)

    def is_bluestein_transform(self, axis: int | None = None) -> Any:
        """Whether an axis is transformed by Bluestein's way; or a list for all."""
        return self._is("B", axis)

    def _is(self, word: str, axis: int | None) -> Any:
        answers = [one == word for one in self._words()]
        return answers if axis is None else answers[axis]

    def get_shape_str(self) -> str:
        """The shape, with '+1' or '+2' for the padding of a real transform in place."""
        words = [
            str(logical) if logical == whole else f"{logical}+{whole - logical}"
            for logical, whole in zip(self._geometry.logical, self.shape0)
        ]
        return f"({','.join(words)})"

    def __str__(self) -> str:
        kind = f"DCT{self.dct}" if self.dct else f"DST{self.dst}" if self.dst else "R2C" if self.r2c else "C2C"
        size = {2: "h", 4: "s", 8: "d"}[self.precision]
        uploads = "".join(str(count) for count in self.get_nb_upload())
        return (
            f"VkFFTApp[seiche {self._device.info.name}]:{self.get_shape_str()} {kind}/{size}/"
            f"{'i' if self.inplace else 'o'} [{self.get_algo_str()}] [{uploads}] buf={self.get_tmp_buffer_str()}"
        )
