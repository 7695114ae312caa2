#!/usr/bin/env python3
"""Compiles or runs every example of README.md, the tutorials and the how-to guides.

Usage: run_pages.py TOOL LIBRARY_FOLDER CXX CC [--distributed FOLDER] [--package FOLDER PYTHON] [PAGE...]

Blocks marked sh, cpp, c and python run, page by page and in their order, in a folder that has the files of ./dev demo.
Lines of HTML comments before a block, which readers do not see, say what else it needs:

    <!-- not run: WHY -->       leave this block out
    <!-- compiled only: WHY --> compile this block, do not run it
    <!-- file: NAME -->         write the block to that file as well
    <!-- before:                code that comes before a block which is no whole program
    CODE
    -->

FOLDER has libseiche_distributed.so; without it, pages that use it are left out.

A cpp or c block without a main is a function's body: each is one function of a program for its page. Its lines of
`#include` go to the top. A block that is written to a .hpp file is what others include.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import wave
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import demo  # noqa: E402

NOTE = r"(?:<!-- *(?:not run|compiled only|file|before)\b.*?-->\n+)"
BLOCK = re.compile(rf"({NOTE}*)^```(\w+)\n(.*?)^```$", re.M | re.S)
INCLUDES = {
    "cpp": "#include <seiche/seiche.hpp>\n#include <algorithm>\n#include <cmath>\n#include <complex>\n"
           "#include <cstdio>\n"
           "#include <fstream>\n#include <iterator>\n#include <string>\n#include <thread>\n#include <vector>\n",
    "c": "#include <seiche/seiche.h>\n#include <stdio.h>\n#include <stdlib.h>\n",
}


class Block:
    def __init__(self, notes, language, code, line):
        self.language, self.code, self.line = language, code, line
        self.skipped = "not run:" in notes
        self.compiled_only = "compiled only:" in notes
        file = re.search(r"<!-- *file: *(\S+) *-->", notes)
        self.file = file and file.group(1)
        self.before = "".join(re.findall(r"<!-- *before:\n(.*?)-->", notes, re.S))


def blocks_of(page):
    text = page.read_text(encoding="utf-8")
    found = [Block(*match.groups(), text[:match.start(2)].count("\n") + 1) for match in BLOCK.finditer(text)]
    return [block for block in found if block.language in ("sh", "cpp", "c", "python")]


class Page:
    """The blocks of a page, and a folder to run them in."""

    def __init__(self, page, options, files):
        self.name = page.relative_to(ROOT)
        self.blocks = [block for block in blocks_of(page) if not block.skipped]
        several = re.compile("<seiche/distributed|seichefft.distributed")
        if not options.distributed and any(several.search(block.code) for block in self.blocks):
            self.blocks = []
        self.options = options
        self.libraries = [options.library] + ([options.distributed] if options.distributed else [])
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"{page.stem}-"))
        shutil.copytree(files, self.folder, dirs_exist_ok=True)
        demo_folder = self.folder / "build" / "demo"
        demo_folder.mkdir(parents=True)
        shutil.copytree(files, demo_folder, dirs_exist_ok=True)
        (self.folder / "build" / "release").symlink_to(pathlib.Path(options.tool).resolve().parent)
        for data in ("profiles", "fabrics"):
            (self.folder / data).symlink_to(ROOT / data)
        self.faults = []

    def run(self, *command, **more):
        environment = dict(os.environ, HOME=str(self.folder), SEICHE_CACHE_DIR=str(self.folder / "cache"),
                           PKG_CONFIG_PATH=str(self.folder), LD_LIBRARY_PATH=":".join(self.libraries), MPLBACKEND="Agg")
        environment["PATH"] = f"{pathlib.Path(self.options.tool).parent}:{environment['PATH']}"
        if self.options.package:
            environment["PYTHONPATH"] = self.options.package[0]
        result = subprocess.run(command, cwd=self.folder, env=environment, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, errors="replace", **more)
        if result.returncode != 0:
            self.faults.append(f"{self.name}: {' '.join(map(str, command))[:100]}\n{result.stdout[-3000:]}")
        return result.returncode == 0

    def compile_and_run(self, name, language, source, run=True):
        source_file = self.folder / f"{name}.{language}"
        source_file.write_text(source)
        compiler, standard = (self.options.cxx, "c++17") if language == "cpp" else (self.options.cc, "c99")
        program = self.folder / name
        flags = [f"-std={standard}", "-Wall", "-Wno-unused", "-O0", f"-I{ROOT / 'include'}"]
        libraries = [f"-L{self.options.library}", "-lseiche", "-lm", "-pthread"]
        if "<seiche/distributed" in source or '"rank.hpp"' in source:
            flags.append(f"-I{ROOT / 'distributed' / 'include'}")
            libraries = [f"-L{self.options.distributed}", "-lseiche_distributed", *libraries]
        if self.run(compiler, *flags, source_file, "-o", program, *libraries) and run:
            self.run(program)

    def whole_programs(self):
        for number, block in enumerate(self.blocks):
            if block.file:
                (self.folder / block.file).write_text(block.code)
            if block.language in INCLUDES and "main(" in block.code:
                self.compile_and_run(f"program_{number}", block.language, block.code, not block.compiled_only)

    def fragments(self, language):
        top, functions, calls = INCLUDES[language], "", ""
        for block in self.blocks:
            if block.language != language or "main(" in block.code or (block.file or "").endswith(".hpp"):
                continue
            lines = (block.before + block.code).splitlines(keepends=True)
            top += "".join(line for line in lines if line.startswith("#include"))
            place = f'#line {block.line} "{self.name}"\n'
            body = "".join("\n" if line.startswith("#include") else line for line in lines)
            functions += f"static void block_{block.line}(void) {{\n{place}{body}}}\n\n"
            if not block.compiled_only:
                calls += f"    block_{block.line}();\n"
        if functions:
            main = f"int main(void) {{\n{calls}    return 0;\n}}\n"
            self.compile_and_run(f"fragments_of_{language}", language, f"{top}\n{functions}{main}")

    def scripts(self):
        script = "\n".join(block.code for block in self.blocks if block.language == "sh")
        if script:
            self.run("bash", "-e", "-x", "-c", script)

    def python(self):
        code = "\n".join(block.before + block.code for block in self.blocks if block.language == "python")
        if code and self.options.package:
            self.run(self.options.package[1], "-c", code)

    def check(self):
        self.whole_programs()
        self.scripts()
        self.fragments("cpp")
        self.fragments("c")
        self.python()
        shutil.rmtree(self.folder, ignore_errors=True)
        return self


def write_package(folder, library, distributed):
    """What pkg-config says of an installed library, for this one."""
    if distributed:
        (folder / "seiche_distributed.pc").write_text(
            "Name: seiche_distributed\nDescription: seiche_distributed\nVersion: 0\nRequires: seiche\n"
            f"Cflags: -I{ROOT / 'distributed' / 'include'}\nLibs: -L{distributed} -lseiche_distributed\n")
    (folder / "seiche.pc").write_text(f"Name: seiche\nDescription: seiche\nVersion: 0\nCflags: -I{ROOT / 'include'}\n"
                                      f"Libs: -L{library} -lseiche\n")


def write_files(folder):
    """What ./dev demo brings, with a made sound and picture in place of the recorded ones."""
    recorded = folder / "recorded.wav"
    with wave.open(str(recorded), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(48000)
        sound.writeframes(bytes((i * i // 7) % 251 for i in range(2 * 48000)))
    demo.bring_files(str(folder), str(recorded))
    pixels = bytes((x * y + x) % 256 for y in range(64) for x in range(288))
    (folder / "photograph.png").write_bytes(png(96, 64, pixels))


def png(width, height, pixels):
    def chunk(kind, data):
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 2, 0, 0, 0])  # 8 bits, red green blue
    rows = b"".join(b"\0" + pixels[3 * width * y:3 * width * (y + 1)] for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def main():
    parser = argparse.ArgumentParser()
    for name in ("tool", "library", "cxx", "cc"):
        parser.add_argument(name)
    parser.add_argument("--distributed")
    parser.add_argument("--package", nargs=2)
    parser.add_argument("pages", nargs="*")
    options = parser.parse_intermixed_args()
    pages = [pathlib.Path(page).resolve() for page in options.pages]
    if not pages:
        pages = [ROOT / "README.md"] + sorted((ROOT / "docs" / "tutorials").glob("*.md"))
        pages += sorted((ROOT / "docs" / "how-to").glob("*.md"))
    with tempfile.TemporaryDirectory() as folder:
        files = pathlib.Path(folder)
        write_files(files)
        write_package(files, options.library, options.distributed)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            done = list(pool.map(lambda page: Page(page, options, files).check(), pages))
    faults = [fault for page in done for fault in page.faults]
    print("\n".join(faults) if faults else
          f"{sum(len(page.blocks) for page in done)} examples of {len(done)} pages")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
