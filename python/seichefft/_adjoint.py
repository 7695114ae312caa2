"""The conjugate transpose of each transform, in the words of no library: another transform, for some kinds with weights
on the values before it or after it."""

from __future__ import annotations

from typing import NamedTuple

from ._engine import Transform

_OTHER_NORM = {"backward": "forward", "forward": "backward", "ortho": "ortho"}
_OTHER_DIRECTION = {"forward": "inverse", "inverse": "forward"}
#: Kinds with a halved axis, and the kind of their adjoint.
_HALVED = {"r2c": "c2r", "c2r": "r2c", "hfft": "ihfft", "ihfft": "hfft"}
_TRANSPOSED = {"dct2": "dct3", "dct3": "dct2", "dst2": "dst3", "dst3": "dst2"}


class Weights(NamedTuple):
    """Real factors along an axis of `length` values: `edge` at some places, `inner` elsewhere."""

    axis: int
    length: int
    edges: tuple[int, ...]
    edge: float
    inner: float


class Adjoint(NamedTuple):
    """Weights, a transform, and weights."""

    before: tuple[Weights, ...]
    transform: Transform
    after: tuple[Weights, ...]


def adjoint_of(transform: Transform) -> Adjoint:
    """The conjugate transpose of the transform's matrix, over the real numbers where one side is real."""
    if transform.is_real_to_real:
        return _transposed(transform)
    other = transform._replace(direction=_OTHER_DIRECTION[transform.direction], norm=_OTHER_NORM[transform.norm])
    if transform.kind == "c2c":
        return Adjoint((), other, ())
    other = other._replace(kind=_HALVED[transform.kind])
    axis, length = transform.axes[-1], transform.lengths[-1]
    # Of a halved axis every value but those that are their own mirror image stands for two.
    own = (0,) if length % 2 else (0, length // 2)
    if transform.kind in ("r2c", "ihfft"):
        return Adjoint((Weights(axis, length // 2 + 1, own, 1.0, 0.5),), other, ())
    return Adjoint((), other, (Weights(axis, length // 2 + 1, own, 1.0, 2.0),))


def _edges(kind: str, length: int) -> tuple[int, ...]:
    if kind == "dct1":
        return (0, length - 1)
    return (0,) if kind.startswith("dct") else (length - 1,)


def _transposed(transform: Transform) -> Adjoint:
    """Of a cosine or sine transform. Orthogonalized, the matrix of each is the transpose of its inverse's, but for a
    factor; else the edges differ by factors of 2."""
    kind = transform.kind
    other = transform._replace(kind=_TRANSPOSED.get(kind, kind))
    if transform.orthogonalize:
        return Adjoint((), other, ())
    before = {"dct1": (1.0, 0.5), "dct2": (2.0, 1.0), "dst2": (2.0, 1.0)}.get(kind)
    after = {"dct1": (1.0, 2.0), "dct3": (0.5, 1.0), "dst3": (0.5, 1.0)}.get(kind)

    def weights(factors: tuple[float, float] | None) -> tuple[Weights, ...]:
        if factors is None:
            return ()
        places = zip(transform.axes, transform.lengths)
        return tuple(Weights(axis, length, _edges(kind, length), *factors) for axis, length in places)

    return Adjoint(weights(before), other, weights(after))
