#!/usr/bin/env python3
"""Cycles in which one warp alone would issue a kernel's machine code, and how many of them it waits for loads.

    nvdisasm -hex -c kernel.cubin | bench/issue_time.py [--table-cycles 250]

The listing of cards from Volta on (sm_70 to sm_90) holds what the assembler decided of each instruction: how many
cycles the next one waits, which of six scoreboards a result takes and which are waited for (Jia, Maggioni, Staiger,
Scarpazza, Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking, 2018). Code is followed once from top to
bottom, branches and barriers cost nothing, and latencies are assumed: loads from global memory ahead of the first
store to shared memory are points, which every kernel waits for, and count nothing; those behind it are of tables. So it
compares two orders of the same instructions, and is no estimate of a kernel's time.
"""

import argparse
import re
import sys

SHARED_CYCLES, OTHER_CYCLES, READ_CYCLES = 30, 20, 12
FIRST_WORD = re.compile(r"\s*/\*[0-9a-f]{4,5}\*/\s+(.*?);?\s*/\* 0x[0-9a-f]{16} \*/")
SECOND_WORD = re.compile(r"\s*/\* (0x[0-9a-f]{16}) \*/")


def instructions(listing):
    """Of each: its name, cycles to the next one, scoreboards of its result and of its sources (7: none), and the set
    of those that it waits for."""
    text = None
    for line in listing:
        if match := FIRST_WORD.match(line):
            text = match.group(1)
        elif text is not None and (match := SECOND_WORD.match(line)):
            control = int(match.group(1), 16) >> 41
            name = re.sub(r"^@!?U?P\w+ ", "", text).split()[0].split(".")[0]
            waits = {board for board in range(6) if control >> 11 >> board & 1}
            yield name, max(control & 15, 1), control >> 5 & 7, control >> 8 & 7, waits
            text = None


def latency(name, has_stored, table_cycles):
    if name == "LDG":
        return table_cycles if has_stored else 0
    return {"LDS": SHARED_CYCLES, "STS": READ_CYCLES, "STG": READ_CYCLES}.get(name, OTHER_CYCLES)


def issue(listing, table_cycles):
    """The number of instructions, cycles until the last, and how many of these go by waiting for scoreboards."""
    count = time = waited = 0
    ready = [0] * 8
    has_stored = False
    for name, stall, result, sources, waits in instructions(listing):
        if name == "NOP":
            continue
        count += 1
        begin = max([time] + [ready[board] for board in waits])
        waited += begin - time
        has_stored = has_stored or name in ("STS", "ST")
        if result != 7:
            ready[result] = max(ready[result], begin + latency(name, has_stored, table_cycles))
        if sources != 7:
            ready[sources] = max(ready[sources], begin + READ_CYCLES)
        time = begin + stall
    return count, time, waited


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table-cycles", type=int, default=250, help="from a table's load to its value (default 250)")
    count, time, waited = issue(sys.stdin, parser.parse_args().table_cycles)
    if count == 0:
        sys.exit("issue_time: no instruction on standard input: expected what `nvdisasm -hex -c` prints of a cubin")
    print(f"{count} instructions, {time} cycles, {waited} of them waiting")


if __name__ == "__main__":
    main()
