#!/usr/bin/env python3
"""check_constants finds constants without a note, and too many elsewhere. Usage: constants_test.py CHECK_CONSTANTS"""

import pathlib
import subprocess
import sys
import tempfile

MODEL = "namespace a {\n/// Threads of a block. [LAB-0001]\ninline constexpr int wanted = 256;\n"
OTHERS = "".join(f"constexpr int a{i} = 1, b{i} = f(2);\n" for i in range(60))
# Sources -> a part of the message expected; empty: no fault.
CASES = [
    ({}, ""),
    ({"model/b.hpp": "inline constexpr int few = 3;  // [no note]\n"}, ""),
    ({"model/b.hpp": "/// Both. [LAB-0001]\ninline constexpr B<int> b{1, 2};\n"}, ""),
    ({"model/b.hpp": "inline constexpr int few = 3;\n"}, "b.hpp:1: few: expected its note"),
    ({"model/b.hpp": "/// Two. [LAB-0001]\ninline constexpr int a = 1;\ninline constexpr int b = 2;\n"}, ":3: b: expected"),
    ({"model/b.hpp": "/// Threads. [LAB-0002]\ninline constexpr B<int> b{1, 2};\n"}, "docs/lab has no LAB-0002"),
    ({"shape/a.cpp": OTHERS + "constexpr int f(int a) { return a; }\n"}, ""),
    ({"shape/a.cpp": OTHERS, "b.hpp": "inline constexpr std::uint64_t c = 1;\n"}, "121 named constants outside"),
]


def check(command, sources):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        files = {"docs/lab/README.md": "| question | [LAB-0001](a.md) |\n"}
        files |= {"src/planner/" + path: text for path, text in ({"model/a.hpp": MODEL} | sources).items()}
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        ran = subprocess.run([command, folder], capture_output=True, text=True)
        return ran.returncode, ran.stdout


def main():
    failed = []
    for sources, expected in CASES:
        code, output = check(sys.argv[1], sources)
        if code != (1 if expected else 0) or expected not in output:
            failed.append((sources if len(str(sources)) < 200 else "many", output))
    print(f"not as expected: {failed}" if failed else f"{len(CASES)} trees")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
