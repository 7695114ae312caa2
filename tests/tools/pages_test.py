#!/usr/bin/env python3
"""check_pages finds long pages and long lines of prose, and takes tables, code and addresses.

Usage: pages_test.py CHECK_PAGES
"""

import pathlib
import subprocess
import sys
import tempfile

LONG = "word " * 24 + "end"  # 123 characters
WRONG = [LONG, f"- {LONG}", "> " + LONG, f"- an item\n  {LONG}", "é" * 121, "short\n" * 2600]
RIGHT = ["word " * 23 + "ended", f"| {LONG} |", f"```\n{LONG}\n```", f"  ~~~\n  {LONG}\n  ~~~", f"<!-- {LONG} -->",
         f"[a link](https://example.org/{'x' * 120})", f"It is at https://example.org/{'x' * 120} today.", "é" * 120]


def check(command, text, name="page.md"):
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "docs" / name
        page.parent.mkdir(parents=True)
        page.write_text(f"# A page\n\n{text}\n")
        ran = subprocess.run([command, folder], capture_output=True, text=True)
        return ran.returncode, ran.stdout


def main():
    command = sys.argv[1]
    failed = []
    for text in WRONG:
        status, said = check(command, text)
        if status != 1 or "expected at most" not in said:
            failed.append(text[:60])
    failed += [text[:60] for text in RIGHT if check(command, text)[0] != 0]
    failed += [text[:60] for text in WRONG if check(command, text, "lab/note.md")[0] != 0]
    print(f"not as expected: {failed}" if failed else f"{len(WRONG) + len(RIGHT)} pages")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
