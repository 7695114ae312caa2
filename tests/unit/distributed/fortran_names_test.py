#!/usr/bin/env python3
"""The module for Fortran has every function of seiche/distributed.h with as many arguments, every member of its structs
in their order, and every number of its enumerations. Usage: fortran_names_test.py DISTRIBUTED_FOLDER."""
import pathlib
import re
import sys


def functions_of_c(text):
    for name, arguments in re.findall(r"^\w[\w\s*]*?\b(seiche_\w+)\(([^;{]*)\);", text, re.M):
        yield name, 0 if arguments == "void" else arguments.count(",") + 1


def structs_of_c(text):
    for body, name in re.findall(r"typedef struct \w+ \{(.*?)\n\} (\w+);", text, re.S):
        yield name, re.findall(r"\(\*(\w+)\)|(\w+);", body)


def numbers_of_c(text):
    return set(re.findall(r"(SEICHE_\w+) = (\d+)", text))


def main():
    folder = pathlib.Path(sys.argv[1])
    header = (folder / "include/seiche/distributed.h").read_text(encoding="utf-8")
    header = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    module = (folder / "fortran/seiche_distributed.f90").read_text(encoding="utf-8")
    module = re.sub(r"&\s*\n\s*", "", re.sub(r"!.*", "", module))
    bound = {name: len([one for one in arguments.split(",") if one.strip()])
             for name, arguments in re.findall(r"(?:function|subroutine) (\w+)\(([^)]*)\) bind\(c\)", module)}
    types = {name: re.findall(r"\w+", " ".join(re.findall(r":: (.*)", body)))
             for name, body in re.findall(r"type, bind\(c\) :: (\w+)\n(.*?)end type", module, re.S)}
    parameters = set(re.findall(r"(SEICHE_\w+) = (\d+)", module))
    functions, structs = dict(functions_of_c(header)), dict(structs_of_c(header))
    faults = [f"{name}: expected a function of {count} arguments, got {bound.get(name, 'none')}"
              for name, count in functions.items() if bound.get(name) != count]
    for name, members in structs.items():
        wanted = ["".join(member) for member in members]
        if types.get(name) != wanted:
            faults.append(f"{name}: expected the members {wanted}, got {types.get(name)}")
    faults += [f"{name}: expected the parameter {number}" for name, number in sorted(numbers_of_c(header) - parameters)]
    print("\n".join(faults))
    print(f"{len(functions)} functions, {len(structs)} structs, {len(faults)} faults")
    sys.exit(1 if faults or not functions or not structs else 0)


main()
