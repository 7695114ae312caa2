"""A stand-in for PyTorch, for machines without it: tensors of the processor on NumPy's arrays, as far as seichefft's
adapter and functions reach, without graphs. What runs on the real one is in test_torch.py."""

from __future__ import annotations

import sys
import types
from typing import Any

import numpy as np


class DType:
    def __init__(self, name: str, np_type: Any) -> None:
        self.name, self.np_type = name, np.dtype(np_type)
        self.itemsize = self.np_type.itemsize
        self.is_complex = self.np_type.kind == "c" or name == "complex32"
        self.is_floating_point = self.np_type.kind == "f" and not self.is_complex

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def to_real(self) -> DType:
        return TYPES[
            {"complex32": "float16", "complex64": "float32", "complex128": "float64"}.get(self.name, self.name)
        ]

    def to_complex(self) -> DType:
        return TYPES[
            {"float16": "complex32", "float32": "complex64", "float64": "complex128"}.get(self.name, self.name)
        ]


HALF_PAIR = np.dtype([("r", "f2"), ("i", "f2")])
TYPES = {
    name: DType(name, kind)
    for name, kind in {
        "float16": "f2", "bfloat16": "u2", "float32": "f4", "float64": "f8", "complex32": HALF_PAIR, "complex64": "F",
        "complex128": "D", "int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4",
        "int64": "i8", "bool": "?",
    }.items()
}  # fmt: skip
OF_NUMPY = {one.np_type: one for name, one in TYPES.items() if name not in ("bfloat16",)}


class Device:
    type = "cpu"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device)

    def __repr__(self) -> str:
        return "cpu"


class Size(tuple):  # type: ignore[type-arg]
    pass


class Storage:
    def __init__(self, address: int) -> None:
        self._address = address

    def data_ptr(self) -> int:
        return self._address


def array_of(x: Any) -> Any:
    return x.a if isinstance(x, Tensor) else x


class Tensor:
    requires_grad, is_cuda, layout, device = False, False, "strided", Device()

    def __init__(self, a: Any, dtype: DType | None = None) -> None:
        self.a = np.asarray(a)
        self.dtype = dtype or OF_NUMPY[self.a.dtype]

    shape = property(lambda self: Size(self.a.shape))

    def stride(self) -> tuple[int, ...]:
        return tuple(step // self.a.itemsize for step in self.a.strides)

    def dim(self) -> int:
        return self.a.ndim

    def data_ptr(self) -> int:
        return self.a.__array_interface__["data"][0]

    def untyped_storage(self) -> Storage:
        base = self.a
        while isinstance(base.base, np.ndarray):
            base = base.base
        return Storage(base.__array_interface__["data"][0])

    def is_conj(self) -> bool:
        return False

    is_neg = is_conj

    def get_device(self) -> int:
        return -1

    def resolve_conj(self) -> Tensor:
        return self

    resolve_neg = resolve_conj

    def to(self, dtype: DType, memory_format: Any = None) -> Tensor:
        return Tensor(self.a.astype(dtype.np_type), dtype)

    def is_contiguous(self) -> bool:
        return self.a.flags.c_contiguous

    def contiguous(self) -> Tensor:
        return Tensor(np.ascontiguousarray(self.a))

    def clone(self, memory_format: Any = None) -> Tensor:
        return Tensor(self.a.copy(order="C"))

    def new_empty(self, shape: Any, dtype: DType | None = None) -> Tensor:
        return Tensor(np.empty(shape, (dtype or self.dtype).np_type), dtype or self.dtype)

    def copy_(self, other: Tensor) -> None:
        self.a[...] = other.a

    def movedim(self, source: int, target: int) -> Tensor:
        return Tensor(np.moveaxis(self.a, source, target))

    def transpose(self, one: int, other: int) -> Tensor:
        return Tensor(np.swapaxes(self.a, one, other))

    def reshape(self, *shape: Any) -> Tensor:
        return Tensor(self.a.reshape(*shape))

    def unsqueeze(self, axis: int) -> Tensor:
        return Tensor(np.expand_dims(self.a, axis))

    def squeeze(self, axis: int) -> Tensor:
        return Tensor(np.squeeze(self.a, axis))

    def flatten(self, start: int, end: int = -1) -> Tensor:
        start, end = start % self.a.ndim, end % self.a.ndim
        return Tensor(self.a.reshape(*self.a.shape[:start], -1, *self.a.shape[end + 1 :]))

    def unflatten(self, axis: int, sizes: Any) -> Tensor:
        return Tensor(self.a.reshape(*self.a.shape[:axis], *sizes, *self.a.shape[axis + 1 :]))

    def expand(self, *shape: int) -> Tensor:
        return Tensor(np.broadcast_to(self.a, shape))

    def unfold(self, axis: int, size: int, step: int) -> Tensor:
        return Tensor(np.lib.stride_tricks.sliding_window_view(self.a, size, axis)[..., ::step, :])

    def narrow(self, axis: int, start: int, length: int) -> Tensor:
        return Tensor(self.a.take(range(start, start + length), axis))

    def conj(self) -> Tensor:
        return Tensor(self.a.conj())

    def abs(self) -> Tensor:
        return Tensor(np.abs(self.a))

    def any(self) -> bool:
        return bool(self.a.any())

    @property
    def nbytes(self) -> int:
        return int(self.a.nbytes)

    @property
    def real(self) -> Tensor:
        return Tensor(self.a.real)

    def __getitem__(self, index: Any) -> Tensor:
        return Tensor(self.a[index])

    def __mul__(self, other: Any) -> Tensor:
        return Tensor(self.a * array_of(other))

    def __add__(self, other: Any) -> Tensor:
        return Tensor(self.a + array_of(other))

    def __truediv__(self, other: Any) -> Tensor:
        return Tensor(self.a / array_of(other))

    def __lt__(self, other: Any) -> Tensor:
        return Tensor(self.a < other)

    def __eq__(self, other: Any) -> Any:
        return Tensor(self.a == array_of(other))

    def __or__(self, other: Any) -> Tensor:
        return Tensor(self.a | other.a)

    __hash__ = None  # type: ignore[assignment]


def pad(x: Tensor, widths: Any, mode: str = "constant") -> Tensor:
    pairs = [(0, 0)] * (x.a.ndim - len(widths) // 2) + [
        tuple(widths[i : i + 2]) for i in range(len(widths) - 2, -1, -2)
    ]
    return Tensor(np.pad(x.a, pairs, mode={"circular": "wrap", "replicate": "edge"}.get(mode, mode)))


def fold(x: Tensor, output_size: Any, kernel_size: Any, stride: Any) -> Tensor:
    batch, width, frames = x.a.shape
    result = np.zeros((batch, 1, 1, output_size[1]), x.a.dtype)
    for frame in range(frames):
        start = frame * stride[1]
        result[:, 0, 0, start : start + width] += x.a[:, :, frame]
    return Tensor(result)


class Operator:
    def __init__(self, function: Any) -> None:
        self.function = function

    def __call__(self, *arguments: Any) -> Any:
        return self.function(*arguments)

    def register_fake(self, function: Any) -> Any:
        return function

    register_vmap = register_fake

    def register_autograd(self, backward: Any, setup_context: Any) -> None:
        pass


class Context(types.SimpleNamespace):
    """What an operation keeps for its derivatives, of which all are asked for."""

    saved_tensors: tuple[Any, ...] = ()
    needs_input_grad = (True, True, False, False)

    def save_for_backward(self, *tensors: Any) -> None:
        self.saved_tensors = tensors

    def set_materialize_grads(self, value: bool) -> None:
        pass

    def of(self, *tensors: Any) -> Context:
        """The same with other tensors."""
        return Context(**{**vars(self), "saved_tensors": tensors})


class Function:
    context = Context

    @classmethod
    def apply(cls, *arguments: Any) -> Any:
        return cls.forward(Context(), *arguments)  # type: ignore[attr-defined]


def _module(name: str, **members: Any) -> types.ModuleType:
    module = types.ModuleType(name)
    vars(module).update(members)
    sys.modules[name] = module
    return module


def install() -> types.ModuleType:
    """Puts the stand-in where `import torch` finds it."""
    frequencies = {name: None for name in ("fftfreq", "fftshift", "ifftshift", "rfftfreq")}
    forward_ad = types.SimpleNamespace(_current_level=-1)
    einsum = lambda text, *tensors: Tensor(np.einsum(text, *[one.a for one in tensors]))  # noqa: E731
    torch = _module(
        "torch",
        **TYPES,
        Tensor=Tensor,
        Size=Size,
        strided="strided",
        contiguous_format=None,
        dtype=DType,
        empty=lambda shape, dtype, device=None: Tensor(np.empty(shape, dtype.np_type), dtype),
        zeros=lambda shape, dtype, device=None: Tensor(np.zeros(shape, dtype.np_type), dtype),
        ones=lambda shape, dtype, device=None: Tensor(np.ones(shape, dtype.np_type), dtype),
        arange=lambda count, device=None: Tensor(np.arange(count)),
        where=lambda which, one, other: Tensor(np.where(which.a, np.float32(one), np.float32(other))),
        einsum=einsum,
        cat=lambda parts, axis: Tensor(np.concatenate([part.a for part in parts], axis)),
        tensor=lambda numbers, dtype, device=None: Tensor(np.array(numbers, dtype.np_type)),
        view_as_real=lambda x: Tensor(np.stack([x.a.real, x.a.imag], -1)),
        flip=lambda x, axes: Tensor(np.flip(x.a, axes)),
        zeros_like=lambda x: Tensor(np.zeros_like(x.a), x.dtype),
        empty_like=lambda x: Tensor(np.empty_like(x.a), x.dtype),
        roll=lambda x, shifts, axes: Tensor(np.roll(x.a, shifts, axes)),
        from_numpy=Tensor,
        is_grad_enabled=lambda: True,
        is_autocast_enabled=lambda device: False,
        get_default_dtype=lambda: TYPES["float32"],
        version=types.SimpleNamespace(hip=None),
        cuda=types.SimpleNamespace(),
        _C=types.SimpleNamespace(),
        compiler=types.SimpleNamespace(is_compiling=lambda: False, is_dynamo_compiling=lambda: False),
        library=types.SimpleNamespace(custom_op=lambda name, mutates_args, schema: Operator),
    )
    functional = _module("torch.nn.functional", pad=pad, fold=fold)
    torch.nn = _module("torch.nn", functional=functional, Parameter=type("Parameter", (Tensor,), {}))  # type: ignore[attr-defined]
    torch.nn.Module = type("Module", (), {})
    torch.autograd = _module("torch.autograd", Function=Function, forward_ad=forward_ad)  # type: ignore[attr-defined]
    torch.fft = _module("torch.fft", **frequencies)  # type: ignore[attr-defined]
    Tensor.__module__ = "torch"
    return torch
