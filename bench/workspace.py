#!/usr/bin/env python3
"""Workspace of plans beside cuFFT's work area and VkFFT's temporary buffer, for 100 shapes: a line of CSV each.

    bench/workspace.py build/release/seiche --peers build/release/seiche-peers --device cuda:0 > workspace.csv
    bench/workspace.py build/release/seiche --profile h200 > workspace.csv

Nothing is run: `seiche plan --json` says what Seiche's plans take, with and without overwrite-input, and the peers say
what theirs do once they are made. `arrays` are workspaces over the larger array in the arithmetic's precision. What a
peer overwrites beside its workspace (cuFFT a c2r's input, with several axes) is not in its column. A shape whose arrays
do not fit beside a peer's plan, or that it does not have, has an empty field there."""

import argparse
import csv
import json
import math
import subprocess
import sys

ONE = [1024, 44100, 65536, 262144, 525600, 1048576, 1 << 22, 1 << 24, 390625, 823543, 1000000, 12000000,
       104729, 1299709, 15625, 75600]
PLANES = [(512, 512), (1000, 1000), (4096, 4096), (1920, 1080), (127, 8192), (65536, 64), (3001, 3001)]
CUBES = [(64, 64, 64), (100, 100, 100), (144, 144, 144), (256, 256, 256), (512, 512, 512), (97, 97, 97), (60, 80, 3000)]


def problems():
    """100 of them: lists of lengths, kind, precision, batch."""
    shapes = [(n,) for n in ONE] + PLANES + CUBES
    listed = [(shape, kind, "f32", 1) for kind in ("c2c", "r2c", "c2r") for shape in shapes]
    listed += [((n,), "r2c", "f32", 100) for n in (44100, 65536, 75600, 350350)]
    listed += [((n,), kind, "f64", 1) for n in (65536, 1048576) for kind in ("c2c", "r2c", "c2r")]
    return listed


def bytes_of_array(shape, kind, precision, batch):
    """Of the larger one."""
    points = math.prod(shape) * batch
    complex_points = points // shape[-1] * (shape[-1] // 2 + 1) if kind != "c2c" else points
    return complex_points * (8 if precision == "f32" else 16)


def text_of(shape, kind, precision, batch):
    return f"{'x'.join(map(str, shape))} {kind} {precision}" + (f" batch={batch}" if batch > 1 else "")


def own_bytes(arguments, text):
    target = ["--profile", arguments.profile] if arguments.profile else ["--device", arguments.device]
    made = subprocess.run([arguments.seiche, "plan", "--json", "--quiet", *target, text], capture_output=True, text=True,
                          check=False)
    if made.returncode != 0:
        sys.exit(f"workspace.py: '{text}': {made.stderr.strip()}")
    return json.loads(made.stdout)["workspace_bytes"]


class Peers:
    """seiche-peers, which answers a line by a line (bench/peers.cpp)."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        reply = self.process.stdout.readline()
        if not reply:
            sys.exit(f"workspace.py: seiche-peers ended at '{line}'")
        return reply.split(maxsplit=1)

    def workspace(self, name, shape, kind, precision, batch):
        kinds = kind if kind == "c2c" else ",".join(["c2c"] * (len(shape) - 1) + [kind])
        case = f"{precision} {kinds} {'x'.join(map(str, shape))} {batch} out 0"
        word, *rest = self.ask(f"prepare {name} {case}")
        if word != "ready":
            print(f"workspace.py: {name}, {case}: {' '.join(rest).strip()}", file=sys.stderr)
            return None
        word, *rest = self.ask(f"workspace {name}")
        self.ask("release")
        return int(rest[0]) if word == "bytes" else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seiche", help="the tool")
    parser.add_argument("--device", default="cuda:0", help="the device that plans are for (default: cuda:0)")
    parser.add_argument("--profile", help="a well-known device instead, which need not be present")
    parser.add_argument("--peers", help="seiche-peers; without it there are no peers' columns")
    parser.add_argument("--vkfft", default="vkfft", help="which of its VkFFTs: vkfft (OpenCL) or vkfft-vulkan")
    arguments = parser.parse_args()
    peers = Peers(arguments.peers) if arguments.peers else None
    names = ["cufft", arguments.vkfft] if peers else []
    writer = csv.writer(sys.stdout)
    writer.writerow(["problem", "array_bytes", "seiche_bytes", "seiche_overwriting_bytes",
                     *(f"{name}_bytes" for name in names), "seiche_arrays", "seiche_overwriting_arrays",
                     *(f"{name}_arrays" for name in names)])
    for problem in problems():
        array, text = bytes_of_array(*problem), text_of(*problem)
        taken = [own_bytes(arguments, text), own_bytes(arguments, text + " overwrite-input")]
        taken += [peers.workspace(name, *problem) for name in names]
        known = ["" if taken_bytes is None else taken_bytes for taken_bytes in taken]
        writer.writerow([text, array, *known, *("" if b == "" else f"{b / array:.3f}" for b in known)])
        sys.stdout.flush()


if __name__ == "__main__":
    main()
