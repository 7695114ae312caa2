#!/usr/bin/env python3
"""check_words finds planted phrases, and takes their ordinary sense. Usage: words_test.py CHECK_WORDS"""

import pathlib
import subprocess
import sys
import tempfile

WRONG = ["It reaches 0.9 of copy.", "The trailing passes are two.", "Passes trail each other: passes trail in a launch.",
         "The array is bound piece by piece.", "Points are dealt to\nthreads.", "Bins meet in a thread.",
         "The columns meet in a block.", "An exchange has planes = 1.", "A bundle of lanes.",
         "The index is made anew.", "Values are put aside.", "Of a recording P is that of a level.",
         "First. Of the others one is read.", "- Of a plane it is the row.", "An empty slot is idle.",
         "All share the pitch.", "Rows cross to columns.", "Order is as ever.", "- One. Of\n  `two` three."]
RIGHT = ["It reaches 0.9 of copy bandwidth.", "`--trailing-passes` and `planes=1` are code.", "A CUDA block, a warp.",
         "A frame of an STFT.", "A half has 16 bits; half of the axis.", "The sound of a room, echoes of a room.",
         "A hall is a large room.", "It is one of a row.", "```\nbins meet, columns meet\n```", "A trail in the wood.",
         "There are other errors to deal with.", "A connection of two threads that never meets a barrier.",
         "They share the row pitch.", "A cross of two rows, a crossed cheque."]


def check(command, text, name="page.md"):
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "docs" / name
        page.parent.mkdir(parents=True)
        page.write_text(f"# A page\n\n{text}\n")
        ran = subprocess.run([command, folder], capture_output=True, text=True)
        return ran.returncode, ran.stdout


def main():
    command = sys.argv[1]
    failed = [text for text in WRONG if check(command, text)[0] != 1 or ":3: " not in check(command, text)[1]]
    failed += [text for text in RIGHT if check(command, text)[0] != 0]
    failed += [text for text in WRONG if check(command, text, "lab/note.md")[0] != 0]
    print(f"not as expected: {failed}" if failed else f"{len(WRONG) + len(RIGHT)} phrases")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
