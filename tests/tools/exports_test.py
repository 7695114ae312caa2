#!/usr/bin/env python3
"""The shared library exports what users link with, and nothing else: every function that is in no namespace named
after a folder of src/. Usage: exports_test.py NM ARCHIVE LIBRARY, a shared library or a DLL's import library."""
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "src"
FOLDERS = "|".join(sorted(folder.name for folder in SOURCE.iterdir() if folder.is_dir()))
# Before the arguments, which a public function may have of any type.
INTERNAL = re.compile(rf"^[^(]*\bseiche::({FOLDERS})::")
PUBLIC = re.compile(r"^(seiche_\w+$|seiche::)")
OURS = re.compile(r"^((typeinfo|typeinfo name|vtable) for )?seiche(::|_)")


VERSION = re.compile(r"@@?SEICHE_[0-9.]+$")


def symbols(nm, options, file):
    """Kind, demangled name with its version, and section of each symbol."""
    command = [nm, "-C", "-f", "sysv", "--defined-only", *options, file]
    for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines():
        fields = line.rsplit("|", 6)
        if len(fields) == 7:
            yield fields[2].strip(), fields[0].strip(), fields[6].strip()


def is_function_of_a_source(kind, section):
    """Not one of a header or of the compiler's own, which has a section to itself."""
    return kind == "T" and not section.startswith((".text$", ".text._Z"))


def main():
    nm, archive, library = sys.argv[1:]
    wanted = {
        name
        for kind, name, section in symbols(nm, [], archive)
        if is_function_of_a_source(kind, section) and PUBLIC.match(name) and not INTERNAL.match(name)
    }
    is_import_library = library.endswith(".a")
    # An import library has besides what the linker makes of it.
    exported = {
        name
        for kind, name, _ in symbols(nm, [] if is_import_library else ["-D"], library)
        if kind == "T" or not (is_import_library or name.startswith("SEICHE_"))
    }
    got = {VERSION.sub("", name) for name in exported}
    unversioned = [] if is_import_library else sorted(name for name in exported if not VERSION.search(name))
    for name in unversioned:
        print(f"exported without a version, expected {name}@@SEICHE_...")
    lacking = sorted(wanted - got)
    alien = sorted(name for name in got if INTERNAL.match(name) or not OURS.match(name))
    for name in lacking:
        print(f"not exported, expected in src/seiche.map: {name}")
    for name in alien:
        print(f"exported, but no part of the interface: {name}")
    print(f"{len(wanted)} functions of the interface, {len(got)} symbols exported")
    sys.exit(1 if lacking or alien or unversioned or not wanted else 0)


main()
