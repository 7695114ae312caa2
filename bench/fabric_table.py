#!/usr/bin/env python3
"""Prints the tables of docs/explanation/distributed-model.md: the model beside published times, and what it says of more
sizes and GPUs. Nothing is measured.

Usage: fabric_table.py SEICHE
"""

import json
import pathlib
import subprocess
import sys

FABRICS = pathlib.Path(__file__).resolve().parent.parent / "fabrics"
#: Side of the cube, GPUs, fabric, published milliseconds of cuFFTMp, c2c f32.
PUBLISHED = ((2048, 8, "dgx-a100", 78), (2048, 2048, "dgx-a100", 4), (16384, 4096, "dgx-a100", 513),
             (2048, 8, "dgx-h100", 40), (2048, 512, "dgx-h100", 3.7))
CARD_BYTES = 80e9


def plan(side, ranks, fabric, cut, storage=""):
    problem = f"{side}x{side}x{side} c2c f32{storage}"
    text = subprocess.run([sys.argv[1], "plan", problem, "--ranks", str(ranks), "--fabric",
                           str(FABRICS / f"{fabric}.txt"), "--cut", cut, "--json"],
                          check=True, capture_output=True, text=True).stdout
    return json.loads(text)["cuts"]


def time(milliseconds):
    return f"{milliseconds / 1000:.2f} s" if milliseconds >= 1000 else f"{milliseconds:.3g} ms"


def total(found):
    return found["seconds"] * 1000


def limit(found):
    by_limit = {}
    for step in found["steps"]:
        messages = step["message_seconds"]
        by_limit[step["limit"]] = by_limit.get(step["limit"], 0) + step["seconds"] - messages
        by_limit["messages"] = by_limit.get("messages", 0) + messages
    name, most = max(by_limit.items(), key=lambda item: item[1])
    return f"{name} {round(100 * most / found['seconds'])} %"


def fits(side, ranks, element):
    """Input, output and workspace of a size."""
    return 3 * side**3 * element / ranks <= CARD_BYTES


def check():
    print("| problem, c2c f32 | GPUs | published | model, slabs | apart | most time |\n|---|---|---|---|---|---|")
    for side, ranks, fabric, published in PUBLISHED:
        found = plan(side, ranks, fabric, "slabs")[0]
        model = total(found)
        print(f"| {side}³ | {ranks:,} {fabric[4:].upper()} | {published} ms | {time(model)} | "
              f"{100 * (model / published - 1):+.0f} % | {limit(found)} |")


def forecast():
    print("\n| cube | GPUs | slabs | pencils | most time of the faster | f16 storage |\n|---|---|---|---|---|---|")
    for side in (2048, 4096, 8192, 16384, 32768):
        for ranks in (8, 64, 512, 2048, 4096, 16384):
            if not fits(side, ranks, 8):
                continue
            cuts = plan(side, ranks, "dgx-h100", "best")
            slabs, pencils = (next(one for one in cuts if one["cut"].startswith(name)) for name in ("slabs", "pencils"))
            half = plan(side, ranks, "dgx-h100", "best", " storage=f16")[0]
            times = [time(total(one)) for one in (slabs, pencils)]
            times[0 if cuts[0] is slabs else 1] = f"**{times[0 if cuts[0] is slabs else 1]}**"
            print(f"| {side}³ | {ranks:,} | {times[0]} | {times[1]} | {limit(cuts[0])} | {time(total(half))} |")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    check()
    forecast()
