#!/usr/bin/env python3
"""FFTW's own test of its MPI interface against Seiche's libfftw3_mpi: its mpi-bench program, driven by its check.pl.

FFTW's source comes as fftw_check.py has it, and stays in the work folder. The MPI is that which the library was built
with.

Usage: fftw_mpi_check.py LIBRARY_FOLDER [--work FOLDER] [--source TARBALL] [--ranks N ...] [--precision f32|f64 ...]
                         [--count N] [--mpicc NAME] [--mpiexec "NAME OPTION..."] [--device NAME]

Random problems, `check.pl -r -c=COUNT --mpi`; some have transposed inputs or outputs. Exit status 77: the source cannot be had, no compiler, perl or MPI.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

import fftw_check

# By SIZES mpi-bench chooses MPI's type for a ptrdiff_t: those of Linux on 64 bits.
SIZES = "#define SIZEOF_INT 4\n#define SIZEOF_LONG 8\n#define SIZEOF_LONG_LONG 8\n#define SIZEOF_PTRDIFF_T 8\n"


def build(source, work, library, precision, mpicc):
    suffix, defines = fftw_check.PRECISIONS[precision]
    folder = work / f"mpi_bench_{precision}"
    (folder / "api").mkdir(parents=True, exist_ok=True)
    shutil.copy(library / "include" / "fftw3.h", folder / "api" / "fftw3.h")
    (folder / "config.h").write_text(fftw_check.CONFIG + SIZES)
    (folder / "hook.c").write_text(fftw_check.HOOK)
    program = folder / "mpi-bench"
    compile_ = [mpicc, "-O1", "-w", *defines, f"-I{folder}", f"-I{source}", f"-I{source}/libbench2",
                f"-I{library}/include"]
    archive = folder / "libbench2.a"
    subprocess.run([*compile_, "-c", *map(str, sorted((source / "libbench2").glob("*.c")))], check=True, cwd=folder)
    subprocess.run(["ar", "rc", str(archive), *map(str, sorted(folder.glob("*.o")))], check=True)
    # Its own directory comes first for a quoted include, where FFTW's header lies: a copy elsewhere takes ours.
    own = folder / "mpi-bench.c"
    shutil.copy(source / "mpi" / "mpi-bench.c", own)
    subprocess.run([*compile_, str(own), str(source / "tests" / "fftw-bench.c"), str(folder / "hook.c"), str(archive),
                    "-o", str(program), f"-L{library}", f"-Wl,-rpath,{library}", f"-lfftw3{suffix}_mpi",
                    f"-lfftw3{suffix}_threads", f"-lfftw3{suffix}", "-lm"], check=True)
    return program


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("build/fftw-check"))
    parser.add_argument("--source", type=pathlib.Path)
    parser.add_argument("--ranks", nargs="*", type=int, default=[1, 2, 3])
    parser.add_argument("--precision", nargs="*", choices=sorted(fftw_check.PRECISIONS), default=["f64", "f32"])
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--mpicc", default="mpicc")
    parser.add_argument("--mpiexec", default="mpiexec.openmpi --allow-run-as-root --oversubscribe")
    parser.add_argument("--device")
    arguments = parser.parse_args()
    for tool in (arguments.mpicc, arguments.mpiexec.split()[0], "perl", "tar"):
        if shutil.which(tool) is None:
            fftw_check.skip(f"no {tool}")
    if not list(arguments.library.glob("libfftw3_mpi.so*")):
        fftw_check.skip("no libfftw3_mpi in the folder")
    work = arguments.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    source = fftw_check.unpack(arguments.source or fftw_check.download(work), work)
    environment = dict(os.environ, SEICHE_FFTW_REAL="none", SEICHE_FFTW_MIN_POINTS="0")
    if arguments.device:
        environment["SEICHE_DEVICE"] = arguments.device
    all_failed = 0
    for precision in arguments.precision:
        program = build(source, work, arguments.library.resolve(), precision, arguments.mpicc)
        for ranks in arguments.ranks:
            options = ["-r", f"-c={arguments.count}", "--mpi"]
            script = program.parent / "ranks"
            script.write_text(f"#!/bin/sh\nexec {arguments.mpiexec} -n {ranks} {program} \"$@\"\n")
            script.chmod(0o755)
            verified, failed = fftw_check.check(script, source, environment, options)
            for line in failed[:20]:
                print(line[:400])
            all_failed += len(failed)
            print(f"fftw_mpi_check: {precision}, {ranks} ranks, check.pl {' '.join(options)}: {verified} verified, "
                  f"{len(failed)} lines of failure", flush=True)
            if verified == 0:
                sys.exit("fftw_mpi_check: nothing was verified")
    sys.exit(all_failed != 0)


if __name__ == "__main__":
    main()
