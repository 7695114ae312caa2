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


# Names of source files, and what the check answers.
SOURCES = {"pass.cpp": 0, "planner/pass.cpp": 0, "src/planner/pass.cpp": 0, "ass.cpp": 1, "lower/pass.cpp": 1,
           "pass.hpp": 1}


def check(command, link, source="pass.cpp"):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "docs" / "explanation").mkdir(parents=True)
        (root / "docs" / "explanation" / "page.md").write_text(f"# Start\n\nWords about `{source}`.\n")
        (root / "src" / "planner").mkdir(parents=True)
        (root / "src" / "planner" / "pass.cpp").write_text("")
        (root / "page.md").write_text(PAGE)
        (root / "other.md").write_text("# Start\n")
        (root / "index.md").write_text(f"# Start\n\nWords, `[code](nothing.md)` and [a link]({link}).\n")
        return subprocess.run([command, root], stdout=subprocess.DEVNULL).returncode


def main():
    failed = [link for link in RIGHT if check(sys.argv[1], link) != 0]
    failed += [link for link in WRONG if check(sys.argv[1], link) != 1]
    failed += [source for source, status in SOURCES.items() if check(sys.argv[1], "page.md", source) != status]
    print(f"not as expected: {failed}" if failed else f"{len(RIGHT) + len(WRONG) + len(SOURCES)} links")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
