#!/usr/bin/env python3
"""A drop-in library exports the functions of the list, each under the version node, and nothing else; its soname is its
file's name, and what it needs is Seiche and the C and C++ libraries.

Usage: exports_test.py NM LIBRARY LIST NODE [LIBRARY LIST NODE ...], NODE empty for a library without versions.
"""

import pathlib
import subprocess
import sys

ALLOWED = ("libseiche.so.", "libstdc++.so.", "libgcc_s.so.", "libc.so.", "libm.so.", "ld-linux")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def faults(nm, library, names, node):
    suffix = f"@@{node}" if node else ""
    wanted = {name + suffix for name in pathlib.Path(names).read_text().split()}
    got = {line.split()[-1] for line in run(nm, "-D", "--defined-only", library)} - {node}
    yield from (f"{library}: lacks {name}" for name in sorted(wanted - got))
    yield from (f"{library}: exports {name}, which is not on the list" for name in sorted(got - wanted))
    dynamic = [line for line in run("objdump", "-p", library) if line.split()]
    soname = [line.split()[1] for line in dynamic if line.split()[0] == "SONAME"]
    if soname != [pathlib.Path(library).name]:
        yield f"{library}: its soname is {soname}, expected its file's name"
    for line in dynamic:
        if line.split()[0] == "NEEDED" and not line.split()[1].startswith(ALLOWED):
            yield f"{library}: needs {line.split()[1]}, expected no library of a vendor"


def main():
    nm, *rest = sys.argv[1:]
    found = [fault for i in range(0, len(rest), 3) for fault in faults(nm, *rest[i : i + 3])]
    print("\n".join(found) or f"{len(rest) // 3} libraries export what they should")
    sys.exit(1 if found or not rest else 0)


main()
