#!/usr/bin/env python3
"""run_texts.py finds texts that the tool refuses and should not, or takes and should not.

Usage: run_texts_test.py TOOL
"""

import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
STAGES = "64 batch=2 --stage-buffer window=f32:64"
RIGHT = {
    "problems": "<!-- problems -->\n```\n64\n8x8 f64\n```\n",
    "refused problem": "<!-- refused problems -->\n```\n64 f33\n```\n",
    "convolution": "<!-- convolutions -->\n```\n64 * 3 same\n```\n",
    "operator": "<!-- operators -->\n```\n64x3 real batch=2\n```\n",
    "stage": f"<!-- load stages: {STAGES} -->\n```\nreturn window[i0] * value;\n```\n",
    "stage of two lines": "<!-- store stage: 64 -->\n```\nlet a = value;\nreturn a;\n```\n",
}
WRONG = {
    "no problem": "<!-- problems -->\n```\n64\n64 f33\n```\n",
    "problem taken": "<!-- refused problems -->\n```\n64\n```\n",
    "no convolution": "<!-- convolutions -->\n```\n64 3\n```\n",
    "no operator": "<!-- operators -->\n```\n64 real input=3\n```\n",
    "unused buffer": f"<!-- load stages: {STAGES} -->\n```\nreturn value;\n```\n",
    "stage taken": "<!-- refused load stages: 64 -->\n```\nreturn value;\n```\n",
    "nothing to look at": "Words alone.\n",
}


def main():
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        for texts, status in ((RIGHT, 0), (WRONG, 1)):
            for name, text in texts.items():
                page = pathlib.Path(folder) / "page.md"
                page.write_text(text)
                result = subprocess.run([HERE / "run_texts.py", *sys.argv[1:], page], capture_output=True, text=True)
                if result.returncode != status:
                    failed.append(f"{name}: expected status {status}, got {result.returncode}\n{result.stdout}")
    print("\n".join(failed) if failed else f"{len(RIGHT) + len(WRONG)} pages")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
