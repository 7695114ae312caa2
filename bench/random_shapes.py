#!/usr/bin/env python3
"""Problems of random shapes, one a line, for `seiche bench`, about 256 MiB of each array:

    bench/random_shapes.py 11 300 > shapes.txt; mapfile -t shapes < shapes.txt; seiche bench "${shapes[@]}" --vs cufft

Lengths are even over their logarithms: three in five are products of 2 (three times as likely), 3, 5 and 7, one in five
of primes to 13, one in five is any number. 30 % have one axis, 30 % two, 20 % three, 10 % are columns, and 10 % are one
transform or few."""

import argparse
import math
import random

BYTES = 1 << 28
MOST_BYTES = 1 << 31
EVEN = (2, 2, 2, 3, 5, 7)
TO_13 = (2, 2, 3, 5, 7, 11, 13)


def smooth_length(least, most, primes=EVEN):
    while True:
        length = 1
        wanted = math.exp(random.uniform(math.log(least), math.log(most)))
        while length < wanted:
            length *= random.choice(primes)
        if least <= length <= most:
            return length


def length(least, most):
    chance = random.random()
    if chance < 0.6:
        return smooth_length(least, most)
    if chance < 0.8:
        return smooth_length(least, most, TO_13)
    return int(math.exp(random.uniform(math.log(least), math.log(most))))


def lengths(chance):
    if chance < 0.3:
        return [length(2, 1 << 22)]
    if chance < 0.6:
        return [length(4, 2000), length(4, 2000)]
    if chance < 0.8:
        return [length(4, 300) for _ in range(3)]
    if chance < 0.9:
        return [length(8, 2000), smooth_length(16, 2000)]
    few = [[length(2, 1 << 20)], [length(8, 1000), length(8, 1000)], [length(8, 128) for _ in range(3)]]
    return random.choice(few)


def problem():
    """A problem's text; None: one transform is more than MOST_BYTES."""
    chance = random.random()
    kind = random.choice(["c2c", "c2c", "r2c", "c2r"])
    precision = random.choice(["f32", "f32", "f64"])
    shape = lengths(chance)
    element = (8 if precision == "f32" else 16) / (1 if kind == "c2c" else 2)
    bytes_of_one = math.prod(shape) * element
    if bytes_of_one > MOST_BYTES:
        return None
    are_columns = 0.8 <= chance < 0.9
    batch = max(1, int(BYTES / bytes_of_one)) if chance < 0.9 else random.choice([1, 1, 1, 4, 16])
    words = ["x".join(map(str, shape))]
    words += [kind] if kind != "c2c" and not are_columns else []
    words += [precision] if precision != "f32" else []
    words += ["axes=0"] if are_columns else []
    words += [f"batch={batch}"] if batch > 1 else []
    return " ".join(words)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int)
    arguments = parser.parse_args()
    random.seed(arguments.seed)
    for _ in range(arguments.count):
        if text := problem():
            print(text)


if __name__ == "__main__":
    main()
