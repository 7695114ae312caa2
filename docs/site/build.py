#!/usr/bin/env python3
"""Builds the site of all pages and references: build.py FOLDER, with Sphinx of requirements.txt and Doxygen in PATH.

Why Sphinx: it is kept well, it alone has C's and C++'s declarations (Breathe, from Doxygen's XML), Python's and our
Markdown (MyST) in one index with one search, and that search works from files, without a server. Furo is a theme that
fits a telephone and loads nothing from elsewhere.

The pages are Markdown that GitHub shows as well. They are copied to FOLDER/source first, where the tables of contents
(from the lists of docs/index.md) and the pages of declarations are added, so that the repository holds neither.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
SECTION = re.compile(r"^## (.+?)\n(.*?)(?=^## |\Z)", re.M | re.S)

DOXYGEN = """
PROJECT_NAME = Seiche
INPUT = include/seiche
RECURSIVE = YES
FILE_PATTERNS = *.hpp *.h
EXTRACT_ALL = YES
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
OPTIMIZE_OUTPUT_FOR_C = NO
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = SEICHE_EXPORT= SEICHE_EXPORT_BEGIN= SEICHE_EXPORT_END=
EXCLUDE_SYMBOLS = seiche::exec seiche::detail
QUIET = YES
WARN_IF_UNDOCUMENTED = NO
"""
# The C headers' comments are plain C; these make Doxygen's of them: of the file, before a name, behind a member.
FILTER = r"""FILTER_PATTERNS = *.h="sed -e '1s|^/\*|/** @file\n *|' -e '/^ *\/\* ----/d' """ \
    r"""-e 's|^\( *\)/\* |\1/** |' -e 's|\([;,{}]  *\)/\* |\1/**< |'" """

CPP = ["problem.hpp", "plan.hpp", "device.hpp", "convolution.hpp", "spectral.hpp", "short_time.hpp", "stage.hpp",
       "tuning.hpp", "wisdom.hpp", "cache.hpp", "pack.hpp", "image.hpp", "half.hpp", "double_double.hpp", "inspect.hpp",
       "explain.hpp", "emit.hpp", "textbook.hpp", "error.hpp", "version.hpp"]
C = ["seiche.h", "c/core.h", "c/device.h", "c/problem.h", "c/plan.h", "c/convolution.h", "c/spectral.h",
     "c/short_time.h", "c/inspect.h", "c/emit.h"]
PYTHON = ["seichefft", "seichefft.config", "seichefft.fft",
          "seichefft.numpy_fft", "seichefft.array_api.fft", "seichefft.signal", "seichefft.spectral",
          "seichefft.distributed"]


def underlined(title, line="="):
    return f"{title}\n{line * len(title)}\n\n"


def interop(kind):
    return sorted(f"interop/{file.name}" for file in (ROOT / "include/seiche/interop").glob(f"*.{kind}"))


def write_headers(folder, title, headers):
    """A page for each header, and one that lists them."""
    listing = ""
    for header in headers:
        page = f"{folder.name}-{header.replace('/', '-').replace('.', '-')}"
        listing += f"   {page}\n"
        (folder.parent / f"{page}.rst").write_text(
            underlined(f"seiche/{header}") + f".. doxygenfile:: {pathlib.Path(header).name}\n")
    folder.with_suffix(".rst").write_text(underlined(title) + f".. toctree::\n   :maxdepth: 1\n\n{listing}")


def page_of_modules(title):
    page = underlined(title)
    for module in PYTHON:
        page += underlined(f"``{module}``", "-") + f".. automodule:: {module}\n   :members:\n"
        page += "   :imported-members:\n\n" if module.split(".")[-1] in ("fft", "signal") else "\n"
    return page


def stage_page(page, source):
    """Copies a page. Links to files beyond the pages become downloads of a copy, those to folders become words."""
    here = page.parent

    def link(match):
        mark, words, target = match.groups()
        if re.match(r"[a-z]+:|#", target):
            return match.group(0)
        path = target.partition("#")[0]
        file = (here / path).resolve()
        inside = file.relative_to(ROOT)
        if file.is_dir():
            return words
        if file.suffix != ".md":
            (source / inside).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, source / inside)
        elif not (str(inside).startswith("docs/") or str(inside) in OTHER_PAGES):
            return words
        return match.group(0)

    text = LINK.sub(link, page.read_text(encoding="utf-8"))
    place = source / page.relative_to(ROOT)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")


OTHER_PAGES = ["CHANGELOG.md"]


# What the lists of the start page do not have.
MORE = {"Reference": "reference/cpp-declarations\nreference/c-declarations\nreference/python-declarations\n"}
# Pages whose links to pages of their own folder are below them in the sidebar.
FOLDER_PAGES = ["reference/tool/index.md", "reference/backends/index.md", "lab/README.md", "study/README.md"]


def table_of_contents(index):
    """The lists of the start page, section by section, as the tables that the sidebar is made of."""
    text = index.read_text(encoding="utf-8")
    for title, body in SECTION.findall(text):
        entries = re.findall(r"^- \[([^\]]+)\]\(([^)#]+)\)", body, re.M)
        if entries:
            listing = "\n".join(f"{words} <{path}>" for words, path in entries)
            text += f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{listing}\n{MORE.get(title, '')}```\n"
    index.write_text(text, encoding="utf-8")


def table_of_folder(page):
    text = page.read_text(encoding="utf-8")
    names = dict.fromkeys(re.findall(r"\]\(([\w.-]+)\.md\)", text))
    page.write_text(f"{text}\n```{{toctree}}\n:hidden:\n\n" + "\n".join(names) + "\n```\n", encoding="utf-8")


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    source = folder / "source"
    shutil.rmtree(source, ignore_errors=True)
    shutil.rmtree(folder / "doctrees", ignore_errors=True)  # every page is read again, which what is kept slows down
    pages = sorted((ROOT / "docs").rglob("*.md")) + [ROOT / name for name in OTHER_PAGES]
    for page in pages:
        stage_page(page, source)
    references = source / "docs" / "reference"
    write_headers(references / "cpp-declarations", "C++: declarations", CPP + interop("hpp"))
    write_headers(references / "c-declarations", "C: declarations", C + interop("h"))
    (references / "python-declarations.rst").write_text(page_of_modules("Python: declarations"))
    table_of_contents(source / "docs" / "index.md")
    for page in FOLDER_PAGES:
        table_of_folder(source / "docs" / page)
    for name in ("conf.py", "site.css"):
        shutil.copyfile(ROOT / "docs" / "site" / name, source / name)

    doxygen = f"{DOXYGEN}{FILTER}\nOUTPUT_DIRECTORY = {folder}\n"
    subprocess.run(["doxygen", "-"], input=doxygen, text=True, cwd=ROOT, check=True)
    environment = dict(os.environ, SEICHE_DOXYGEN=str(folder / "xml"), PYTHONPATH=str(ROOT / "python"))
    sphinx = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-W", "--keep-going",
              "-d", str(folder / "doctrees"), str(source), str(folder / "html")]
    sys.exit(subprocess.run(sphinx, env=environment).returncode)


if __name__ == "__main__":
    main()
