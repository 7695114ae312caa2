#!/usr/bin/env python3
"""Problems as applications have them, one a line, for `seiche bench`, about 256 MiB of each array:

    bench/application_shapes.py 1 > shapes.txt; mapfile -t shapes < shapes.txt
    seiche bench "${shapes[@]}" --vs cufft,vkfft-cuda

Fifteen families of so many shapes each: particle-mesh grids, boxes of plane waves, images of electron microscopes and of
magnetic resonance, short-time spectra, pictures, turbulence, calendars, lengths with a large prime inside, radar pulses,
columns, halves, doubles, arrays in place, and one transform at a time."""

import argparse
import math
import random

BYTES = 1 << 28
PRIMES = [p for p in range(17, 1000) if all(p % q for q in range(2, p))]


def smooth(least, most, primes=(2, 3, 5, 7), multiple=1):
    """A number in the range of these primes alone that `multiple` divides."""
    numbers = [n for n in range(least, most + 1) if n % multiple == 0 and is_smooth(n, primes)]
    return random.choice(numbers)


def is_smooth(n, primes):
    for p in primes:
        while n % p == 0:
            n //= p
    return n == 1


def text(shape, kind="c2c", precision="f32", batch=None, more=""):
    element = {"f16": 4, "f32": 8, "f64": 16}[precision] / (1 if kind == "c2c" else 2)
    if batch is None:
        batch = max(1, int(BYTES / (math.prod(shape) * element)))
    words = ["x".join(map(str, shape)), kind, precision] + ([f"batch={batch}"] if batch > 1 else [])
    return " ".join(words + ([more] if more else []))


def particle_mesh():
    return text([smooth(48, 200, (2, 3, 5), 2) for _ in range(3)], "r2c", random.choice(["f32", "f32", "f64"]))


def plane_waves():
    return text([smooth(36, 160, (2, 3, 5), 4)] * 3, "c2c", "f64")


def microscope():
    n = smooth(128, 720, (2, 3, 5, 7), 2)
    return text([n, n], "r2c", "f32")


def resonance():
    return text([smooth(128, 512, (2, 3, 5), 2), smooth(96, 384, (2, 3, 5), 2)], "c2c", "f32")


def short_time():
    return text([random.choice([256, 400, 441, 480, 512, 551, 640, 800, 882, 960, 1024, 1102, 1200, 1536, 2048, 4096])],
                "r2c", "f32")


def pictures():
    sizes = [(480, 640), (576, 720), (720, 1280), (768, 1024), (1080, 1920), (1200, 1600), (1440, 2560), (2160, 3840)]
    return text(random.choice(sizes), random.choice(["r2c", "c2c"]), "f32")


def turbulence():
    n = random.choice([128, 192, 240, 256, 288, 320, 384, 432, 480, 512])
    return text([n, n, n], "r2c", random.choice(["f32", "f64"]))


def calendars():
    n = random.choice([365, 366, 720, 730, 732, 1095, 1440, 1460, 1461, 1464, 2190, 2920, 3650, 4380, 8760, 8784, 17520,
                       35040, 44100, 52560, 525600])
    return text([n], random.choice(["r2c", "c2c"]), random.choice(["f32", "f32", "f64"]))


def prime_inside():
    return text([random.choice(PRIMES) * smooth(2, 16, (2, 3, 5))], random.choice(["c2c", "c2c", "r2c"]),
                random.choice(["f32", "f32", "f64"]))


def pulses():
    return text([smooth(128, 1024, (2, 3, 5), 2), smooth(512, 8192, (2, 3, 5), 4)], "c2c", "f32")


def columns():
    return text([smooth(64, 2048, (2, 3, 5)), smooth(64, 1024, (2, 3), 4)], "c2c", "f32", more="axes=0")


def halves():
    return text([1 << random.randint(5, 15)], "c2c", "f16")


def doubles():
    return text([smooth(64, 12000, (2, 3, 5, 7, 11, 13))], random.choice(["c2c", "r2c"]), "f64")


def in_place():
    if random.random() < 0.5:
        return text([smooth(64, 8192, (2, 3, 5, 7))], "c2c", "f32", more="in-place")
    return text([smooth(64, 1024), smooth(64, 1024)], "c2c", "f32", more="in-place")


def alone():
    shape = random.choice([[smooth(64, 1 << 18, (2, 3, 5))], [smooth(64, 1024), smooth(64, 1024)],
                           [smooth(32, 144, (2, 3, 5), 2)] * 3])
    return text(shape, random.choice(["c2c", "r2c"]), "f32", batch=1)


FAMILIES = (particle_mesh, plane_waves, microscope, resonance, short_time, pictures, turbulence, calendars, prime_inside,
            pulses, columns, halves, doubles, in_place, alone)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed", type=int)
    parser.add_argument("--each", type=int, default=10, help="shapes of each family (default: 10)")
    arguments = parser.parse_args()
    random.seed(arguments.seed)
    seen = set()
    for family in FAMILIES:
        for _ in range(arguments.each):
            problem = family()
            if problem not in seen:
                print(problem)
            seen.add(problem)


if __name__ == "__main__":
    main()
