#!/usr/bin/env python3
"""FFTW's own test against Seiche's libfftw3: its bench program, driven by its check.pl.

FFTW's source comes from Debian's or Ubuntu's source archive into a work folder and stays there: it is under the GPL and
no part of this repository. bench is built against the library's fftw3.h and linked with the library.

Usage: fftw_check.py LIBRARY_FOLDER [--work FOLDER] [--whole] [--device NAME] [--precision f32|f64 ...]
                     [--threads N ...] [--count N] [--source TARBALL] [--options "..."]

Without --whole: random problems, `check.pl -r -c=COUNT`, about 15 of each kind for a count of 1. With it: `check.pl -a --validate-wisdom`, more than 7,000.
Nothing is forwarded to a real FFTW. Exit status 77: the source cannot be had, no compiler or no perl.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = 77
# What libbench2 is told about the system, which FFTW's configure would find out.
CONFIG = """
#define HAVE_SYS_TIME_H 1
#define HAVE_STDDEF_H 1
#define HAVE_STDLIB_H 1
#define HAVE_UNISTD_H 1
#define HAVE_MALLOC_H 1
#define HAVE_ALLOCA_H 1
#define HAVE_GETTIMEOFDAY 1
#define HAVE_BSDGETTIMEOFDAY 1
#define HAVE_DRAND48 1
#define HAVE_DECL_DRAND48 1
#define HAVE_DECL_SRAND48 1
#define HAVE_ISNAN 1
#define HAVE_SNPRINTF 1
#define HAVE_POSIX_MEMALIGN 1
#define HAVE_DECL_POSIX_MEMALIGN 1
#define HAVE_THREADS 1
"""
# The hooks of FFTW's bench look into its planner; here there is nothing to look at.
HOOK = "void install_hook(void) {}\nvoid uninstall_hook(void) {}\n"
PRECISIONS = {"f64": ("", []), "f32": ("f", ["-DBENCHFFT_SINGLE=1"])}


def skip(why):
    print(f"fftw_check: skipped: {why}")
    sys.exit(SKIPPED)


def source_lists():
    """The system's package lists as lists of sources, as (file name, text)."""
    made = []
    for path in [pathlib.Path("/etc/apt/sources.list"), *pathlib.Path("/etc/apt/sources.list.d").glob("*")]:
        if not path.is_file():
            continue
        text = path.read_text()
        if path.suffix == ".sources":
            text = re.sub(r"(?m)^Types:.*$", "Types: deb-src", text)
        else:
            text = re.sub(r"(?m)^deb ", "deb-src ", text)
        if re.search(r"/(debian|ubuntu)/?\s", text):
            made.append((path.name if path.suffix in (".sources", ".list") else path.name + ".list", text))
    return made


def download(work):
    """FFTW's tarball, by apt with lists of its own, so that nothing outside the work folder changes."""
    found = sorted(work.glob("fftw3_*.orig.tar.gz"))
    if found:
        return found[0]
    if shutil.which("apt-get") is None:
        skip("no apt-get, and no --source")
    parts = work / "apt" / "parts"
    for folder in (parts, work / "apt" / "lists" / "partial", work / "apt" / "cache" / "archives" / "partial"):
        folder.mkdir(parents=True, exist_ok=True)
    for name, text in source_lists():
        (parts / name).write_text(text)
    apt = ["apt-get", "-q"]
    for key, value in {
        "Dir::State::lists": work / "apt" / "lists",
        "Dir::Cache": work / "apt" / "cache",
        "Dir::Etc::SourceList": "/dev/null",
        "Dir::Etc::SourceParts": parts,
        "APT::Sandbox::User": "root",
        "Debug::NoLocking": "1",
    }.items():
        apt += ["-o", f"{key}={value}"]
    for command in (["update"], ["source", "--download-only", "fftw3"]):
        done = subprocess.run(apt + command, cwd=work, capture_output=True, text=True)
        if done.returncode != 0:
            skip(f"apt-get {command[0]}: {(done.stderr.strip().splitlines() or ['failed'])[-1]}")
    found = sorted(work.glob("fftw3_*.orig.tar.gz"))
    return found[0] if found else skip("apt-get brought no fftw3_*.orig.tar.gz")


def unpack(tarball, work):
    folder = work / "source"
    if not folder.is_dir():
        folder.mkdir(parents=True)
        subprocess.run(["tar", "xf", tarball, "-C", folder, "--strip-components=1"], check=True)
    return folder


def build(source, work, library, precision):
    suffix, defines = PRECISIONS[precision]
    folder = work / f"bench_{precision}"
    (folder / "api").mkdir(parents=True, exist_ok=True)
    shutil.copy(library / "include" / "fftw3.h", folder / "api" / "fftw3.h")
    (folder / "config.h").write_text(CONFIG)
    (folder / "hook.c").write_text(HOOK)
    program = folder / "bench"
    compile_ = ["cc", "-O1", "-w", *defines, f"-I{folder}", f"-I{source}", f"-I{source}/libbench2"]
    # An archive, since bench has functions of its own in place of some of libbench2's.
    archive = folder / "libbench2.a"
    subprocess.run([*compile_, "-c", *map(str, sorted((source / "libbench2").glob("*.c")))], check=True, cwd=folder)
    subprocess.run(["ar", "rc", str(archive), *map(str, sorted(folder.glob("*.o")))], check=True)
    own = [str(source / "tests" / name) for name in ("bench.c", "fftw-bench.c")]
    subprocess.run([*compile_, *own, str(folder / "hook.c"), str(archive), "-o", str(program), f"-L{library}",
                    f"-Wl,-rpath,{library}", f"-lfftw3{suffix}_threads", f"-lfftw3{suffix}", "-lm"], check=True)
    return program


def check(program, source, environment, options):
    """Runs check.pl; gives how many problems were verified, and the lines that say what failed."""
    command = ["perl", str(source / "tests" / "check.pl"), "-k", "-v", *options, str(program)]
    verified, failed = 0, []
    with subprocess.Popen(command, cwd=program.parent, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True) as done:
        for line in done.stdout:
            verified += bool(re.match(r"^\S+ +[-\d.e+]+ +[-\d.e+]+", line))
            # What neither library plans (one point of REDFT00) is a line of the log and no failure.
            if "Executing" in line or "no plan" in line:
                continue
            if re.search(r"FAILED|Found|error|abort|signal|seiche|ERROR|assert", line):
                failed.append(line.rstrip())
            if verified and verified % 1000 == 0:
                print(f"fftw_check: {verified} so far, {len(failed)} lines of failure", flush=True)
    if done.returncode != 0:
        failed.append(f"check.pl ended with {done.returncode}")
    return verified, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("build/fftw-check"))
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--device")
    parser.add_argument("--precision", nargs="*", choices=sorted(PRECISIONS), default=["f64", "f32"])
    parser.add_argument("--threads", nargs="*", type=int, default=[1, 2])
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--source", type=pathlib.Path)
    parser.add_argument("--options", default="")
    arguments = parser.parse_args()
    for tool in ("cc", "perl", "tar"):
        if shutil.which(tool) is None:
            skip(f"no {tool}")
    work = arguments.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    source = unpack(arguments.source or download(work), work)
    # On the device that was named, however small a problem is.
    environment = dict(os.environ, SEICHE_FFTW_REAL="none", SEICHE_FFTW_MIN_POINTS="0")
    if arguments.device:
        environment["SEICHE_DEVICE"] = arguments.device
    all_failed = 0
    for precision in arguments.precision:
        program = build(source, work, arguments.library.resolve(), precision)
        for threads in arguments.threads:
            options = ["-a", "--validate-wisdom"] if arguments.whole else ["-r", f"-c={arguments.count}"]
            options += [f"--nthreads={threads}"] if threads > 1 else []
            verified, failed = check(program, source, environment, options + arguments.options.split())
            for line in failed[:20]:
                print(line[:400])
            all_failed += len(failed)
            print(f"fftw_check: {precision}, {threads} threads, check.pl {' '.join(options)}: "
                  f"{verified} verified, {len(failed)} lines of failure", flush=True)
            if verified == 0:
                sys.exit("fftw_check: nothing was verified")
    sys.exit(all_failed != 0)


if __name__ == "__main__":
    main()
