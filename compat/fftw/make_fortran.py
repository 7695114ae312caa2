#!/usr/bin/env python3
"""Writes the Fortran sides of fftw3.h beside it: fftw3.f03 with interfaces for Fortran 2003, fftw3.f with constants.

Usage: make_fortran.py [--check]     --check: writes nothing; the exit status says whether both are as they should be.

The kinds and attributes of arguments follow FFTW's manual, "Calling FFTW from Modern Fortran".
"""

import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent / "include"
HEADER = (FOLDER / "fftw3.h").read_text()
PRECISIONS = {"fftw_": ("C_DOUBLE", "C_DOUBLE_COMPLEX"), "fftwf_": ("C_FLOAT", "C_FLOAT_COMPLEX")}
LICENCE = "! Constants and functions of FFTW's interface, as Seiche's libfftw3 has them. Made from fftw3.h by make_fortran.py.\n"


def constants():
    found = [(name, int(value)) for name, value in re.findall(r"^    (FFTW_\w+) = (\d+)", HEADER, re.MULTILINE)]
    found += [(name, int(value)) for name, value in re.findall(r"^#define (FFTW_\w+) \(([+-]1)\)", HEADER, re.MULTILINE)]
    for name, value, shift in re.findall(r"^#define (FFTW_\w+) \((\d)U(?: << (\d+))?\)", HEADER, re.MULTILINE):
        found.append((name, int(value) << int(shift or 0)))
    return found


def functions():
    """(name, result, [(type, name)]) of every function in the macro that declares one precision's."""
    macro = HEADER[HEADER.index("#define SEICHE_FFTW_DECLARE"):HEADER.index("/* clang-format on */")].replace("\\\n", " ")
    for declaration in re.findall(r"extern (.*?);", macro):
        declaration = " ".join(declaration.split())
        if declaration.startswith("const char"):
            continue
        head, name, arguments = re.match(r"(.*?)X\((\w+)\)\((.*)\)$", declaration).groups()
        # A function as an argument has commas of its own.
        arguments = re.sub(r"void \(\*(\w+)\)\(.*?\), void", r"function \1, void", arguments)
        arguments = re.sub(r"function (\w+).*, void\* data$", r"function \1, void* data", arguments)
        made = []
        for argument in arguments.split(","):
            if argument.strip() == "void":
                continue
            kind, argument_name = re.match(r"(.*?)\s*\b(\w+)$", argument.strip()).groups()
            made.append((kind.replace("*", " *").replace("const ", "").replace("  ", " ").strip(), argument_name))
        yield name, head.strip().replace("*", " *"), made


def argument_type(kind, real, complex_, is_execution):
    intent = "inout" if is_execution else "out"
    prefix = "fftwf_" if real == "C_FLOAT" else "fftw_"
    return {
        "int": "integer(C_INT), value", "unsigned": "integer(C_INT), value", "size_t": "integer(C_SIZE_T), value",
        "int *": "integer(C_INT), dimension(*), intent(in)", "double": "real(C_DOUBLE), value",
        "double *": "real(C_DOUBLE), intent(out)", "char *": "character(C_CHAR), dimension(*), intent(in)",
        "R *": f"real({real}), dimension(*), intent({intent})",
        "C *": f"complex({complex_}), dimension(*), intent({intent})",
        "X(plan)": "type(C_PTR), value", "void *": "type(C_PTR), value", "FILE *": "type(C_PTR), value",
        "X(r2r_kind)": "integer(C_FFTW_R2R_KIND), value",
        "X(r2r_kind) *": "integer(C_FFTW_R2R_KIND), dimension(*), intent(in)",
        "X(iodim) *": f"type({prefix}iodim), dimension(*), intent(in)",
        "X(iodim64) *": f"type({prefix}iodim64), dimension(*), intent(in)",
        "X(write_char_func)": "type(C_FUNPTR), value", "X(read_char_func)": "type(C_FUNPTR), value",
        "function": "type(C_FUNPTR), value",
    }[kind]


RESULTS = {"void": None, "int": "integer(C_INT)", "double": "real(C_DOUBLE)"}


def interface(prefix, name, result, arguments):
    real, complex_ = PRECISIONS[prefix]
    result = RESULTS.get(result, "type(C_PTR)")
    head = "subroutine" if result is None else f"{result} function"
    names = [argument for _, argument in arguments]
    lines = [f"    {head} {prefix}{name}( &"] if names else [f"    {head} {prefix}{name}() &"]
    for i in range(0, len(names), 8):
        last = i + 8 >= len(names)
        lines.append("        " + ", ".join(names[i:i + 8]) + (") &" if last else ", &"))
    lines += [f"        bind(C, name='{prefix}{name}')", "      import"]
    for kind, argument in arguments:
        lines.append(f"      {argument_type(kind, real, complex_, name.startswith('execute'))} :: {argument}")
    lines.append("    end " + ("subroutine" if result is None else "function") + f" {prefix}{name}")
    return lines


def modern():
    lines = [LICENCE + "! Include it after `use, intrinsic :: iso_c_binding`."]
    lines += ["  integer, parameter :: C_FFTW_R2R_KIND = C_INT32_T"]
    for name, value in constants():
        kind = "C_FFTW_R2R_KIND" if re.match(r"FFTW_(R2HC|HC2R|DHT|R[EO]DFT\d\d)$", name) else "C_INT"
        lines.append(f"  integer({kind}), parameter :: {name} = {value}")
    lines.append("  real(C_DOUBLE), parameter :: FFTW_NO_TIMELIMIT = -1d0")
    for prefix in PRECISIONS:
        for kind, integer in (("iodim", "C_INT"), ("iodim64", "C_INTPTR_T")):
            lines += [f"  type, bind(C) :: {prefix}{kind}", f"    integer({integer}) n, is, os",
                      f"  end type {prefix}{kind}"]
        lines.append("  interface")
        for name, result, arguments in functions():
            lines += interface(prefix, name, result, arguments)
        lines.append("  end interface")
    return "\n".join(lines) + "\n"


def legacy():
    lines = [LICENCE.rstrip()]
    for name, value in constants():
        lines += [f"      INTEGER {name}", f"      PARAMETER ({name}={value})"]
    return "\n".join(lines) + "\n"


def main():
    wanted = {FOLDER / "fftw3.f03": modern(), FOLDER / "fftw3.f": legacy()}
    if "--check" in sys.argv:
        stale = [path.name for path, text in wanted.items() if not path.exists() or path.read_text() != text]
        sys.exit(f"run compat/fftw/make_fortran.py: {', '.join(stale)} differ from fftw3.h" if stale else 0)
    for path, text in wanted.items():
        path.write_text(text)


if __name__ == "__main__":
    main()
