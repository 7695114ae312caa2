#!/usr/bin/env python3
"""run_pages.py finds examples that do not compile, fail, or lack a file, and leaves out what is marked so."""

import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RIGHT = {
    "left out": "<!-- not run: it fails -->\n```sh\nfalse\n```\n",
    "code before": "<!-- before:\nint x = 0;\n-->\n```cpp\nx = 1;\n```\n",
    "whole program": "```c\nint main(void) { return 0; }\n```\n",
    "compiled only": "<!-- compiled only: it fails -->\n```cpp\nint main() { return 1; }\n```\n",
    "file": "<!-- file: two.c -->\n```c\nint main(void) { return 0; }\n```\n```sh\ntest -s two.c\n```\n",
}
WRONG = {
    "command fails": "```sh\nfalse\n```\n",
    "missing file": "```sh\ncat nothing.txt\n```\n",
    "no C++": "```cpp\nint x = ;\n```\n",
    "no name": "```cpp\nseiche::Nothing nothing;\n```\n",
    "throws": "```cpp\nseiche::Device::open(\"nowhere:0\");\n```\n",
    "program fails": "```c\nint main(void) { return 1; }\n```\n",
}


def main():
    failed = []
    with tempfile.TemporaryDirectory(dir=ROOT / "build" if (ROOT / "build").is_dir() else ROOT) as folder:
        for examples, status in ((RIGHT, 0), (WRONG, 1)):
            for name, text in examples.items():
                page = pathlib.Path(folder) / f"{name.replace(' ', '_')}.md"
                page.write_text(f"# A page\n\n{text}")
                result = subprocess.run([sys.executable, HERE / "run_pages.py", *sys.argv[1:], page],
                                        stdout=subprocess.PIPE, text=True)
                if result.returncode != status:
                    failed.append(f"{name}: expected status {status}, got {result.returncode}\n{result.stdout}")
    print("\n".join(failed) if failed else f"{len(RIGHT) + len(WRONG)} pages")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
