#!/usr/bin/env python3
"""check_spelling finds planted faults, and takes names, code and the project's words.

Usage: spelling_test.py CHECK_SPELLING
"""

import pathlib
import subprocess
import sys
import tempfile

WRONG = ["A transfrom of an axis.", "Its color is red.", "One recieves it.", "A [link with a falt](page.md).",
         "| a table | with a falt |", "The centre's falt.", "An on-chip transpos."]
RIGHT = ["A transform of an axis, normalised; its colour and centre.", "Bluestein's algorithm, Vulkan and a texel.",
         "`falt` is code.", "```\nfalt\n```", "<!-- falt -->", "[A link](falt.md).", "See https://falt.example/falt.",
         "CamelCaze, snake_caze, FLT and f32x.", "A file falt.cpp, docs/falt, a variable $FALT.", "Don’t, isn't, one's."]


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
        if status != 1 or ":3: " not in said:
            failed.append(text)
    failed += [text for text in RIGHT if check(command, text)[0] != 0]
    failed += [text for text in WRONG if check(command, text, "lab/note.md")[0] != 0]
    print(f"not as expected: {failed}" if failed else f"{len(WRONG) + len(RIGHT)} texts")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
