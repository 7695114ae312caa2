#!/usr/bin/env python3
"""Plans every problem, convolution, operator, short-time transform and stage that a reference page shows, and expects it
to be taken or refused.

Usage: run_texts.py TOOL [PAGE...]: by default those of docs/reference

A block without a language is looked at if one of these comments, which readers do not see, stands before it:

    <!-- problems -->, <!-- convolutions -->, <!-- operators -->,
    <!-- short-time transforms -->                         each line is one
    <!-- load stages: WORDS [OPTION...] -->                each line is a stage of the problem WORDS; also store stages
    <!-- load stage: WORDS [OPTION...] -->                 the whole block is one
    <!-- refused problems --> and so on                    the tool refuses each, in one line
"""

import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs" / "reference").glob("*.md"))
BLOCK = re.compile(r"^<!-- *(refused )?(problems|convolutions|operators|short-time transforms|load stages?|store stages?)(?:: *(.*?))? *-->\n+"
                   r"```\n(.*?)^```$", re.M | re.S)


def commands_of(page):
    """What to run for each text of a page, and whether it is to be refused."""
    for refused, what, more, block in BLOCK.findall(page.read_text(encoding="utf-8")):
        texts = [block] if what.endswith("stage") else block.splitlines()
        words = shlex.split(more or "")
        options = words[next((i for i, word in enumerate(words) if word.startswith("--")), len(words)):]
        problem = " ".join(words[:len(words) - len(options)])
        for text in texts:
            is_stage = "stage" in what
            stage = [f"--{what.split()[0]}-stage", text, *options] if is_stage else []
            yield [problem if stage else text, *stage], bool(refused)


def fault(tool, arguments, is_refused):
    result = subprocess.run([tool, "plan", *arguments, "--profile", "h200"], capture_output=True, text=True)
    said = result.stderr.strip()
    if not is_refused:
        return said if result.returncode != 0 else ""
    if result.returncode == 0:
        return "is not refused"
    return "" if result.returncode == 2 and said.count("\n") == 0 else f"is not refused in one line: {said}"


def main():
    pages = [pathlib.Path(page) for page in sys.argv[2:]] or PAGES
    count, faults = 0, []
    for page in pages:
        for arguments, is_refused in commands_of(page):
            count += 1
            if said := fault(sys.argv[1], arguments, is_refused):
                faults.append(f"{page.name}: {shlex.join(arguments)}: {said}")
    print("\n".join(faults) if faults else f"{count} texts of {len(pages)} pages")
    return 1 if faults or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
