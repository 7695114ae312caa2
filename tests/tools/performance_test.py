#!/usr/bin/env python3
"""docs/performance.md is what tools/make_performance makes of bench/records, and a change of either is noticed."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TOOL = (ROOT / "tools/make_performance").read_text(encoding="utf-8")
SUITE = pathlib.Path("bench/records", re.search('^SUITE = "(.*)"', TOOL, re.MULTILINE).group(1) + ".csv")
PAGE = pathlib.Path("docs/performance.md")
WORKFLOWS = pathlib.Path("docs/performance-workflows.md")


def check(root):
    """Exit status and words of `make_performance --check` in a tree."""
    ran = subprocess.run([sys.executable, root / "tools/make_performance", "--check"], capture_output=True, text=True)
    return ran.returncode, ran.stdout + ran.stderr


def changed(path, before, after):
    """Runs the check in a copy of the tree whose file has other words."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for part in ("bench/records", "docs/pictures", "tools"):
            shutil.copytree(ROOT / part, root / part)
        for page in (PAGE, WORKFLOWS):
            shutil.copy(ROOT / page, root / page)
        text = (root / path).read_text(encoding="utf-8")
        if before not in text:
            return 0, f"expected '{before}' in {path}"
        (root / path).write_text(text.replace(before, after, 1), encoding="utf-8")
        return check(root)


def main():
    status, words = check(ROOT)
    if status != 0:
        sys.exit(words)
    record = (ROOT / SUITE).read_text(encoding="utf-8").splitlines()
    shape, kind, precision, milliseconds, *_, ratio, _ = next(line for line in record if line[0].isdigit()).split(",")
    whole, short = f"{shape},{kind},{precision},{milliseconds},", f"{shape},{kind},{milliseconds},"
    faults = [("another figure", SUITE, f",{ratio},", f",99{ratio},", "is not what the records say"),
              ("a record without a commit", SUITE, "# commit: ", "# comet: ", "expected a line '# commit: ...'"),
              ("a row that lacks a column", SUITE, whole, short, "a row of another length"),
              ("another word on the page", PAGE, "Where we lose", "Where we win", "is not what the records say"),
              ("a word of the workflows", WORKFLOWS, "Speed-up over", "Slow-down by", "is not what the records say")]
    failed = 0
    for name, path, before, after, expected in faults:
        status, words = changed(path, before, after)
        if status == 0 or expected not in words:
            print(f"FAILED: {name}: expected '{expected}', got {status}: {words}")
            failed += 1
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
