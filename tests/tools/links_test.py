#!/usr/bin/env python3
"""check_links finds missing files and headings, and takes what is there. Usage: links_test.py CHECK_LINKS"""

import pathlib
import subprocess
import sys
import tempfile

PAGE = """# A page: of `code`, [a link](other.md)

## Twice

## Twice

<a id="mark"></a>

```
# No heading, [no link](nothing.md)
```
"""
RIGHT = ["page.md", "page.md#a-page-of-code-a-link", "page.md#twice", "page.md#twice-1", "page.md#mark", "#start",
         "docs/", "https://example.org/#x"]
WRONG = ["nothing.md", "page.md#no-heading-no-link", "page.md#twice-2", "page.md#Twice", "#nowhere", "docs/nothing/"]


def check(command, link):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "docs").mkdir()
        (root / "page.md").write_text(PAGE)
        (root / "other.md").write_text("# Start\n")
        (root / "index.md").write_text(f"# Start\n\nWords, `[code](nothing.md)` and [a link]({link}).\n")
        return subprocess.run([command, root], stdout=subprocess.DEVNULL).returncode


def main():
    failed = [link for link in RIGHT if check(sys.argv[1], link) != 0]
    failed += [link for link in WRONG if check(sys.argv[1], link) != 1]
    print(f"not as expected: {failed}" if failed else f"{len(RIGHT) + len(WRONG)} links")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
