"""The shapes that time and work area are compared for: lengths, kind, type, batch."""

from __future__ import annotations

from typing import NamedTuple


class Shape(NamedTuple):
    n: tuple[int, ...]
    kind: str = "c2c"
    number: str = "f32"
    batch: int = 1
    in_place: bool = False

    def __str__(self) -> str:
        words = ["x".join(map(str, self.n)), self.kind, self.number, f"batch={self.batch}"]
        return " ".join([*words, "in-place"] if self.in_place else words)


def _points(*lengths: int, points: int = 1 << 24, **more: object) -> list[Shape]:
    """One axis, as many of them as make so many points."""
    return [Shape((n,), batch=max(1, points // n), **more) for n in lengths]  # type: ignore[arg-type]


SHAPES: list[Shape] = [
    *_points(
        16, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 1 << 15, 1 << 16, 1 << 17, 1 << 18, 1 << 20, 1 << 22
    ),
    *_points(100, 243, 360, 500, 625, 1000, 1250, 1920, 3000, 10000, 15625, 50000, 100000, 1000000),
    *_points(7, 13, 17, 31, 97, 127, 257, 509, 1009, 2003, 4099, 10007, 65537, 1000003),
    *_points(256, 1024, 4096, 1000, 65536, 1009, 1 << 20, number="f64", points=1 << 23),
    *_points(256, 1024, 4096, 16384, 1000, 1001, 1 << 20, kind="r2c"),
    *_points(256, 1024, 4096, 16384, 1000, 1001, 1 << 20, kind="c2r"),
    *_points(1024, 1 << 16, kind="r2c", number="f64", points=1 << 23),
    *_points(1024, 4096, 1 << 16, in_place=True),
    *_points(256, 4096, number="f16"),
    Shape((1024,)),
    Shape((1 << 20,)),
    Shape((1 << 24,)),
    Shape((1 << 24,), "r2c"),
    Shape((1 << 24,), "c2r"),
    *[Shape((n, n), batch=max(1, (1 << 22) // (n * n))) for n in (32, 64, 100, 128, 256, 512, 1000, 1024, 2048, 4096)],
    *[Shape((n, n), "r2c", batch=max(1, (1 << 22) // (n * n))) for n in (64, 256, 1000, 1024, 4096)],
    *[Shape((n, n), "c2r", batch=max(1, (1 << 22) // (n * n))) for n in (64, 256, 1000, 1024, 4096)],
    *[Shape((n, n, n), batch=max(1, (1 << 21) // n**3)) for n in (16, 32, 50, 64, 100, 128, 200, 256)],
    *[Shape((n, n, n), "r2c", batch=max(1, (1 << 21) // n**3)) for n in (32, 64, 128, 256)],
    *[Shape((n, n, n), "c2r", batch=max(1, (1 << 21) // n**3)) for n in (32, 64, 128, 256)],
    Shape((128, 128, 128), number="f64"),
    Shape((256, 256, 256), in_place=True),
]
