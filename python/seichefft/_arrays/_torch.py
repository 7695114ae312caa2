"""PyTorch's tensors: of the processor, and of CUDA or ROCm on the current stream of their card.

Halves stay halves: `torch.half` is transformed to `torch.complex32`, stored as such and computed in float32. There are
no complex bfloat16 numbers, so that they become `torch.complex64`, but for real-to-real transforms.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import torch
from torch.autograd import forward_ad

from .. import _native
from .._cache import DenseReady, Ready, plans
from .._devices import host_device, open_native
from ._contract import Element, Memory

_ELEMENTS = {
    torch.float16: Element("f32", "f16", False),
    torch.bfloat16: Element("f32", "bf16", False),
    torch.float32: Element("f32", "same", False),
    torch.float64: Element("f64", "same", False),
    torch.complex32: Element("f32", "f16", True),
    torch.complex64: Element("f32", "same", True),
    torch.complex128: Element("f64", "same", True),
}
_DTYPES = {element: dtype for dtype, element in _ELEMENTS.items()}
_COMPLEX = {
    torch.float16: torch.complex32,
    torch.bfloat16: torch.complex64,
    torch.float32: torch.complex64,
    torch.float64: torch.complex128,
}
_STAGE_TYPES = {
    torch.float16: "f16", torch.float32: "f32", torch.float64: "f64", torch.int8: "i8", torch.uint8: "u8",
    torch.int16: "i16", torch.uint16: "u16", torch.int32: "i32", torch.uint32: "u32",
}  # fmt: skip
#: Bytes that an address on a card has to be a multiple of: those of a complex number.
_ALIGNMENT = {dtype: dtype.itemsize * (1 if dtype.is_complex else 2) for dtype in _ELEMENTS}

#: ROCm's tensors say "cuda" as well.
_BACKEND = "hip" if torch.version.hip else "cuda"
_HALVES = frozenset((torch.float16, torch.bfloat16, torch.complex32))
_PLAIN = (torch.Tensor, torch.nn.Parameter)
_Tensor = torch.Tensor
_empty = torch.empty
_empty_like = torch.empty_like
_calls = plans.calls
_grads = torch.is_grad_enabled
_transforms = getattr(torch._C, "_are_functorch_transforms_active", lambda: False)
_modes = getattr(torch._C, "_len_torch_dispatch_stack", lambda: 0)


def _public_stream(index: int) -> int:
    return int(torch.cuda.current_stream(index).cuda_stream)


#: The current stream of a card by its number: the call that the public one wraps in an object, where it is there.
stream_of = getattr(torch._C, "_cuda_getCurrentRawStream", _public_stream)

#: By a card's number.
_devices: dict[int, _native.Device] = {}


#: Tells PyTorch that a tensor's numbers have changed, which derivatives that kept them have to know.
_mark_written = getattr(getattr(torch.autograd, "graph", None), "increment_version", lambda x: None)
_is_batched = getattr(getattr(torch._C, "_functorch", None), "is_legacy_batchedtensor", lambda x: False)


def is_recorded(x: Any) -> bool:
    """Whether more than the numbers of `x` are asked for: a derivative, a batch of `vmap`, a graph that is traced."""
    return (
        (x.requires_grad and _grads())
        or type(x) not in _PLAIN
        or _transforms()
        or _modes() > 0
        or forward_ad._current_level >= 0
        or _is_batched(x)
    )


def wanted_type(dtype: torch.dtype, domain: str) -> torch.dtype:
    """The type that a tensor is transformed in; see `Arrays.convert`."""
    if domain == "real" and dtype.is_complex:
        raise TypeError("x must be a real sequence")
    if dtype not in _ELEMENTS:
        if dtype.is_floating_point or dtype.is_complex:
            raise TypeError(f"x: expected elements of one of {', '.join(map(str, _ELEMENTS))}, got {dtype}")
        dtype = torch.get_default_dtype()
    if domain == "complex":
        return _COMPLEX.get(dtype, dtype)
    if domain == "real" and dtype is torch.bfloat16:
        return torch.float32
    return dtype


def layout(x: Any) -> Hashable | None:
    """All that decides how the numbers of `x` are transformed but their address; None where a bit conjugates them."""
    dtype = x.dtype
    if (dtype.is_complex and x.is_conj()) or x.is_neg():
        return None
    index = x.get_device()
    strides = x.is_contiguous() or x.stride()
    return (x.shape, strides, dtype, index if index >= 0 else host_device())


def quick(name: Hashable, x: Any, lengths: Any, axes: Any, norm: Any) -> Any:
    """The result of a call that is remembered, with as few steps as serve; None where there is none. The same as
    `recall` of the functions, whose memory it shares."""
    if (
        type(x) is not _Tensor
        or x.requires_grad
        or _transforms()
        or _modes()
        or forward_ad._current_level >= 0
        or x.dtype in _HALVES  # which a region of autocast widens
        or (lengths is not None and type(lengths) is not int)
        or type(axes) is not int
    ):
        return None
    signature = layout(x)
    ready = _calls.get((name, signature, lengths, axes, norm))
    if ready is None or signature is None:
        return None
    ready.entry.hits += 1
    return adapter.repeat(ready, x)


def device_of(index: int) -> _native.Device:
    """The card of that number, in the context that PyTorch uses."""
    device = _devices.get(index)
    if device is None:
        device = _devices[index] = open_native(f"{_BACKEND}:{index}")
    return device


class Torch:
    """See `_contract.Arrays`."""

    name = "torch"

    def signature(self, x: Any) -> Hashable | None:
        if type(x) is not _Tensor or x.requires_grad or _transforms() or _modes() or forward_ad._current_level >= 0:
            return None
        return layout(x)

    def numbers_signature(self, x: Any) -> Hashable | None:
        return layout(x) if type(x) in _PLAIN and not _transforms() and not _modes() else None

    def asarray(self, x: Any) -> Any:
        if x.layout is not torch.strided:
            raise TypeError(f"x: expected a dense tensor, got one of layout {x.layout}")
        return x.resolve_conj().resolve_neg()

    def convert(self, x: Any, domain: str) -> Any:
        dtype = wanted_type(x.dtype, domain)
        return x if x.dtype is dtype else x.to(dtype, memory_format=torch.contiguous_format)

    def memory(self, x: Any) -> Memory:
        shape = tuple(x.shape)
        strides = tuple(1 if length == 1 else stride for length, stride in zip(shape, x.stride()))
        return Memory(shape, strides, _ELEMENTS[x.dtype])

    def resized(self, x: Any, shape: tuple[int, ...]) -> Any:
        x = x[tuple(slice(min(have, want)) for have, want in zip(x.shape, shape))]
        missing = [want - have for have, want in zip(x.shape, shape)]
        if not any(missing):
            return x
        return torch.nn.functional.pad(x, [number for count in reversed(missing) for number in (0, count)])

    def contiguous(self, x: Any) -> Any:
        return x.clone(memory_format=torch.contiguous_format)

    def empty(self, shape: tuple[int, ...], element: Element, like: Any) -> Any:
        return _empty(shape, dtype=_DTYPES[element], device=like.device)

    def result(self, shape: tuple[int, ...], element: Element, x: Any) -> Any:
        return self.empty(shape, element, x)

    def zeros(self, shape: tuple[int, ...], element: Element, like: Any) -> Any:
        return torch.zeros(shape, dtype=_DTYPES[element], device=like.device)

    def is_writable(self, x: Any) -> bool:
        return not x.requires_grad

    def is_out(self, out: Any) -> bool:
        if isinstance(out, torch.Tensor) and out.requires_grad and _grads():
            raise RuntimeError("out: expected a tensor that needs no grad, because its old values are overwritten")
        return isinstance(out, torch.Tensor)

    def takes_result(self, out: Any, x: Any) -> bool:
        if out.device != x.device:
            raise ValueError(f"out: expected a tensor on {x.device}, as the input, got one on {out.device}")
        if out.untyped_storage().data_ptr() == x.untyped_storage().data_ptr() or out.is_neg() or out.is_conj():
            return False
        if x.get_device() < 0:
            is_taken = bool(out.is_contiguous()) or host_device().backend == "cpu"
        else:
            is_taken = bool(out.data_ptr() % _ALIGNMENT[out.dtype] == 0)
        if is_taken:
            _mark_written(out)
        return is_taken

    def copy_into(self, out: Any, result: Any) -> None:
        out.copy_(result)

    def device(self, x: Any) -> _native.Device:
        index = x.get_device()
        if index >= 0 and x.is_cuda:
            return device_of(index)
        if x.device.type != "cpu":
            raise TypeError(f"x: expected a tensor on the processor or a card of CUDA or ROCm, got one on {x.device}")
        return host_device()

    def run(self, call: _native.Call, x: Any, out: Any) -> bool:
        source, target, index = x.data_ptr(), out.data_ptr(), x.get_device()
        if source == target:
            _mark_written(x)
        if index < 0:
            return call.host_addresses(source, target)
        if source % _ALIGNMENT[x.dtype] or target % _ALIGNMENT[out.dtype]:
            return False
        count = call.workspace_bytes
        if count:
            workspace = _empty(count, dtype=torch.uint8, device=x.device)
            call.enqueue(source, target, workspace.data_ptr(), stream_of(index))
        else:
            call.enqueue(source, target, 0, stream_of(index))
        return True

    def repeat(self, ready: Ready, x: Any) -> Any:
        if ready.note is None:
            ready.note = self._noted(ready, x)
        enqueue, count, alignment, is_like, device, index = ready.note
        if ready.extra is not None:
            x = x.to(ready.extra, memory_format=torch.contiguous_format)
        try:
            source = x.data_ptr()
        except RuntimeError:  # a tensor without memory, which a batch of derivatives has
            return None
        if source % alignment:
            return None
        out = _empty_like(x) if is_like else _empty(ready.shape, dtype=ready.dtype, device=device)
        if index < 0:
            return out if enqueue(source, out.data_ptr()) else None
        if count:
            workspace = _empty(count, dtype=torch.uint8, device=device)
            enqueue(source, out.data_ptr(), workspace.data_ptr(), stream_of(index))
        else:
            enqueue(source, out.data_ptr(), 0, stream_of(index))
        return out

    def _noted(self, ready: Ready, x: Any) -> tuple[Any, ...]:
        """What every repetition of the call has in common."""
        call, index, dtype = ready.call, x.get_device(), ready.extra or x.dtype
        is_like = tuple(x.shape) == tuple(ready.shape) and dtype is ready.dtype and x.is_contiguous()
        enqueue, alignment = (call.enqueue, _ALIGNMENT[dtype]) if index >= 0 else (call.host_addresses, 1)
        return enqueue, call.workspace_bytes, alignment, is_like, x.device, index

    def repeat_dense(self, ready: DenseReady, arrays: Sequence[Any], numbers: Sequence[float]) -> Any:
        try:
            inputs = [x.data_ptr() for x in arrays]
        except RuntimeError:  # a tensor without memory, which a batch of derivatives has
            return None
        device, index = arrays[0].device, arrays[0].get_device()
        out = _empty(ready.shape, dtype=ready.dtype, device=device)
        sums = None if ready.sums_shape is None else _empty(ready.sums_shape, dtype=ready.sums_dtype, device=device)
        outputs = (out.data_ptr(),) if sums is None else (out.data_ptr(), sums.data_ptr())
        count = ready.workspace_bytes
        if index < 0:
            for address in inputs:
                if address % ready.alignment:
                    return None
            ready.run(inputs, outputs, 0, None, numbers)
        elif count:
            workspace = _empty(count, dtype=torch.uint8, device=device)
            ready.run(inputs, outputs, workspace.data_ptr(), stream_of(index), numbers)
        else:
            ready.run(inputs, outputs, 0, stream_of(index), numbers)
        return out if sums is None else (out, sums)

    def finish(self, out: Any, shape: tuple[int, ...]) -> Any:
        return out

    def address(self, x: Any) -> int:
        return int(x.data_ptr())

    def room(self, x: Any) -> int | None:
        return int(x.untyped_storage().nbytes()) - int(x.storage_offset()) * int(x.dtype.itemsize)

    def stream(self, x: Any) -> int | None:
        index = x.get_device()
        return None if index < 0 else stream_of(index)

    def workspace(self, count: int, like: Any) -> tuple[Any, int]:
        memory = _empty(count + 63, dtype=torch.uint8, device=like.device)
        return memory, memory.data_ptr() + -memory.data_ptr() % 64

    def is_on_host(self, x: Any) -> bool:
        return bool(x.device.type == "cpu")

    def alias(self, x: Any, shape: tuple[int, ...], strides: tuple[int, ...], element: Element) -> Any:
        dtype = _DTYPES[element]
        offset = x.storage_offset() * x.dtype.itemsize // dtype.itemsize
        return _empty(0, dtype=dtype, device=x.device).set_(x.untyped_storage(), offset, shape, strides)

    def stage_type(self, x: Any) -> str:
        word = _STAGE_TYPES.get(x.dtype)
        if word is None:
            raise TypeError(f"expected elements of one of {', '.join(map(str, _STAGE_TYPES))}, got {x.dtype}")
        return word

    def from_host(self, x: Any, like: Any) -> Any:
        return torch.from_numpy(x).to(like.device)

    def flipped(self, x: Any) -> Any:
        return torch.flip(x, (-1,))

    def rolled(self, x: Any, shifts: tuple[int, ...], axes: tuple[int, ...]) -> Any:
        return torch.roll(x, shifts, axes)

    def recorded(self, x: Any, transform: Any) -> Any:
        """The transform as a part of the graph that `x` is in, or None where it is in none."""
        from ..torch import _operator

        return _operator.recorded(x, transform)


adapter = Torch()
