#!/usr/bin/env python3
"""docs/performance.md is what tools/make_performance makes of bench/records, and a change of either is noticed."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SUITE = pathlib.Path("bench/records/2026-11-30-suite-merged-h200.csv")
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
    faults = [("another figure", SUITE, ",2.4708,", ",992.4708,", "is not what the records say"),
              ("a record without a commit", SUITE, "# commit: ", "# comet: ", "expected a line '# commit: ...'"),
              ("a row that lacks a column", SUITE, "2,c2c,f32,0.257856,", "2,c2c,0.257856,", "a row of another length"),
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
