"""Boundary conditions of equations on a box: the transform of each axis, its wave numbers and its grid's spacing.

A solution is a sum of the Laplacian's eigenfunctions that satisfy the conditions, cos(pi k x / length) or
sin(pi k x / length), of which a real-to-real transform has the coefficients. Strang, "The discrete cosine transform",
SIAM Review 41 (1999), has the table of conditions, grids and kinds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from . import _checks
from ._operand import Operand

#: By grid and boundary: the forward transform, and the box's length in steps for n points, beside n.
_KINDS = {
    "cell": {
        "dirichlet": ("dst2", 0),
        "neumann": ("dct2", 0),
        "dirichlet-neumann": ("dst4", 0),
        "neumann-dirichlet": ("dct4", 0),
    },
    "node": {
        "dirichlet": ("dst1", 1),
        "neumann": ("dct1", -1),
        "dirichlet-neumann": ("dst3", 0),
        "neumann-dirichlet": ("dct3", 0),
    },
}
_BOUNDARIES = ("periodic", *_KINDS["cell"])


class _Axis(NamedTuple):
    kind: str
    steps: int  # of the box
    length: float

    @property
    def wave(self) -> float:
        """Of the wave number 1, in radians per unit of length."""
        return (2 if self.kind == "periodic" else 1) * math.pi / self.length


def _axes(operand: Operand, lengths: Any, boundary: Any, grid: str) -> list[_Axis]:
    words = [boundary] * len(operand.lengths) if isinstance(boundary, str) else _checks.sequence("boundary", boundary)
    if len(words) != len(operand.lengths):
        raise ValueError(f"boundary: expected a word, or one for each of {len(operand.lengths)} axes, got {len(words)}")
    kinds = _KINDS[_checks.word("grid", grid, *_KINDS)]
    result = []
    for i, (word, n, length) in enumerate(zip(words, operand.lengths, operand.per_axis("lengths", lengths))):
        what = "boundary" if isinstance(boundary, str) else f"boundary[{i}]"
        kind, more = {"periodic": ("periodic", 0), **kinds}[_checks.word(what, word, *_BOUNDARIES)]
        if length <= 0:
            raise ValueError(f"lengths: expected numbers above 0, got {lengths}")
        if n + more < 1:
            raise ValueError(
                f"f: expected 2 points or more along axis {operand.axes[i]}, whose ends are nodes, got {n}"
            )
        result.append(_Axis(kind, n + more, length))
    if operand.is_complex and any(axis.kind != "periodic" for axis in result):
        raise ValueError(f"f: expected real numbers with a boundary, got elements of {operand.rows.dtype}")
    return result


def inverted_laplace(
    operand: Operand, shift: float, lengths: Any, boundary: str | Sequence[str], grid: str, laplacian: str
) -> Any:
    """Of (shift - laplace) u = f, with bins that it does not reach as 0."""
    box = _axes(operand, lengths, boundary, grid)
    is_difference = _checks.word("laplacian", laplacian, "spectral", "difference") == "difference"
    arguments: dict[str, Any] = {"shift": float(shift)}
    waves = ""
    for i, axis in enumerate(box):
        if is_difference:
            # sin(q h / 2) 2 / h, of which the square is the second difference's eigenvalue.
            arguments[f"step{i}"] = 2 * axis.steps / axis.length
            per_step = axis.steps if axis.kind == "periodic" else 2 * axis.steps
            waves += f"let q{i} = step{i} * sinpi(k{i} / {per_step}); "
        else:
            arguments[f"step{i}"] = axis.wave
            waves += f"let q{i} = step{i} * k{i}; "
    squares = " + ".join(f"q{i} * q{i}" for i in range(len(box)))
    kinds = [axis.kind for axis in box]
    return operand.applied(
        f"{waves}let factor = shift + {squares}; return factor == 0 ? 0 : value / factor;",
        arguments,
        kinds=kinds if any(kind != "periodic" for kind in kinds) else None,
    )
