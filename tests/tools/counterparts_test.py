#!/usr/bin/env python3
"""C has what C++ has: every public function, member and enumerator of the C++ headers has a line in c_counterparts.txt
with its counterpart in C or the reason why it has none, every counterpart is there, enumerators have the same numbers,
and C has nothing beside. Usage: counterparts_test.py CLANG [--missing], which prints lines to fill in."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
INCLUDE = ROOT / "include"
DISTRIBUTED = ROOT / "distributed" / "include"
TABLE = HERE / "c_counterparts.txt"
# The library's insides, and what `untyped` repeats of the namespaces around it.
INNER = {"runtime", "exec", "internal", "untyped"}
HANDLE_ONLY = re.compile(r"^seiche_\w+_(init|release)$|^seiche_\w+\.(struct_size|reserved)$")


def syntax_trees(clang, language, headers):
    """What clang's parser makes of the declarations named seiche..., for these headers."""
    support = ROOT / "tests" / "support"
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "all"
        file.write_text("".join(f'#include "{header}"\n' for header in headers))
        command = [clang, "-x", language, f"-std={'c99' if language == 'c' else 'c++17'}", "-fsyntax-only",
                   f"-I{INCLUDE}", f"-I{DISTRIBUTED}", f"-I{support}", f"-I{support / 'fake'}", "-Xclang", "-ast-dump=json", "-Xclang",
                   "-ast-dump-filter=seiche", str(file)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(run.stderr)
    text, decoder, at = run.stdout, json.JSONDecoder(), 0
    while (at := next((i for i in range(at, len(text)) if not text[i].isspace()), len(text))) < len(text):
        tree, at = decoder.raw_decode(text, at)
        yield tree


def inside(tree):
    return tree.get("inner", [])


def short_type(name):
    """`const seiche::Problem &` as `Problem`."""
    name = re.sub(r"\b(const|struct|class)\b|\b(seiche|std)::|&|\s", "", name)
    return name.removeprefix("::")


def signature(function):
    return "(" + ", ".join(short_type(p["type"]["qualType"]) for p in inside(function) if p["kind"] == "ParmVarDecl") + ")"


def enumerators(enumeration):
    number = -1
    for constant in inside(enumeration):
        if constant["kind"] != "EnumConstantDecl":
            continue
        values = [part["value"] for part in inside(constant) if "value" in part]
        number = int(values[0]) if values else number + 1
        yield constant["name"], number


def cpp_record(tree, name, names):
    public = tree.get("tagUsed") == "struct"
    for member in inside(tree):
        kind = member["kind"]
        if kind == "AccessSpecDecl":
            public = member["access"] == "public"
        if not public or member.get("isImplicit"):
            continue
        if kind == "FieldDecl":
            names[f"{name}::{member['name']}"] = None
        elif kind in ("CXXMethodDecl", "FunctionTemplateDecl") and not member["name"].startswith("operator"):
            function = member if kind == "CXXMethodDecl" else [m for m in inside(member) if "Method" in m["kind"]][0]
            names[f"{name}::{member['name']}{signature(function)}"] = None
        elif kind == "CXXConstructorDecl" and signature(member) not in ("()", f"({name.split('::')[-1]})"):
            names[f"{name}::{member['name']}{signature(member)}"] = None
        elif kind in ("CXXRecordDecl", "EnumDecl") and "name" in member:
            cpp_names(member, name, names)


def cpp_names(tree, scope, names):
    """Adds the public names below a declaration, enumerators with their numbers."""
    kind, name = tree["kind"], f"{scope}::{tree.get('name')}" if scope else tree.get("name")
    if kind == "NamespaceDecl" and tree.get("name") not in INNER:
        for part in inside(tree):
            cpp_names(part, name, names)
    elif kind == "FunctionTemplateDecl":
        cpp_names(next(part for part in inside(tree) if part["kind"] == "FunctionDecl"), scope, names)
    elif kind == "FunctionDecl" and not tree["name"].startswith("operator"):
        names[name + signature(tree)] = None
    elif kind == "EnumDecl":
        for constant, number in enumerators(tree):
            names[f"{name}::{constant}"] = number
    elif kind == "CXXRecordDecl" and tree.get("completeDefinition"):
        cpp_record(tree, name, names)


def c_names(trees):
    names = {}
    for tree in trees:
        if tree["kind"] == "FunctionDecl":
            names[tree["name"]] = None
        elif tree["kind"] == "EnumDecl":
            names.update(enumerators(tree))
        elif tree["kind"] == "RecordDecl" and tree.get("completeDefinition"):
            names.update({f"{tree['name']}.{field['name']}": None for field in inside(tree) if field["kind"] == "FieldDecl"})
    return names


def headers_of(suffix):
    interop = sorted(f"seiche/interop/{path.name}" for path in (INCLUDE / "seiche" / "interop").glob(f"*{suffix}"))
    distributed = ["seiche/distributed.h"]
    if suffix == ".hpp":  # without what takes MPI's own header
        distributed = sorted(f"seiche/distributed/{path.name}"
                             for path in (DISTRIBUTED / "seiche" / "distributed").glob("*.hpp") if path.name != "mpi.hpp")
    return [f"seiche/seiche{suffix}", *interop, *distributed]


def table():
    """Name in C++, or in C for what only C has -> counterparts (a list), reason (a text)."""
    rows = {}
    for number, line in enumerate(TABLE.read_text(encoding="utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        match = re.fullmatch(r"(\S.*?)(?: = (.+)| -- (.+))", line)
        if not match or match[1] in rows:
            sys.exit(f"{TABLE.name}:{number}: expected a new name with ' = COUNTERPARTS' or ' -- REASON', got '{line}'")
        rows[match[1]] = (match[2].split(", ") if match[2] else [], match[3] or "")
    return rows


def main():
    clang = sys.argv[1]
    cpp = {}
    for tree in syntax_trees(clang, "c++", headers_of(".hpp")):
        if tree["kind"] == "NamespaceDecl":  # interop/c.hpp includes the interface in C
            cpp_names(tree, "", cpp)
    c = c_names(syntax_trees(clang, "c", headers_of(".h")))
    rows, faults = table(), []
    missing = [name for name in cpp if name not in rows]
    if "--missing" in sys.argv:
        print("\n".join(missing))
        print("\n".join(sorted(set(c) - {other for row in rows.values() for other in row[0]})))
    faults += [f"public in C++ and not in {TABLE.name}: {name}" for name in missing]
    named = set()
    for name, (counterparts, _) in rows.items():
        if name not in cpp and name not in c:
            faults.append(f"in {TABLE.name} and nowhere else: {name}")
        named.update([name, *counterparts])
        for other in counterparts:
            if other not in c:
                faults.append(f"{name}: there is no {other} in C")
            elif cpp.get(name) is not None and c[other] != cpp[name]:
                faults.append(f"{name} is {cpp[name]} and {other} is {c[other]}")
    faults += [f"in C, and no counterpart of anything in {TABLE.name}: {name}"
               for name in c if name not in named and not HANDLE_ONLY.match(name)]
    print("\n".join(faults))
    print(f"{len(cpp)} names in C++, {len(c)} in C, {len(faults)} faults")
    sys.exit(1 if faults or not cpp or not c else 0)


if __name__ == "__main__":
    main()
