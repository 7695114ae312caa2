#!/usr/bin/env python3
"""Programs of Debian that use FFTW: each runs with FFTW, then with Seiche's libraries preloaded, and must give the same.

Usage: clients.py LIBRARY_FOLDER [--root FOLDER] [--device NAME] [--forward] [CLIENT ...]

--root: a folder that packages were unpacked into (dpkg -x), instead of the system. Clients that are not there are
skipped. Without --forward nothing goes to a real FFTW. Packages: minimodem, imagemagick-6.q16, libvips-tools, octave,
lammps.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

LIBRARIES = [f"libfftw3{suffix}{companion}.so.3" for suffix in ("", "f") for companion in ("", "_threads", "_omp")]
TEXT = "A seiche is a standing wave in a lake. 0123456789\n" * 4
# Charges on a lattice of salt, their energy by particle-particle particle-mesh: the mesh's part is FFTs.
LAMMPS = """
units real
atom_style charge
lattice custom 5.64 a1 1 0 0 a2 0 1 0 a3 0 0 1 basis 0 0 0 basis 0.5 0.5 0 basis 0.5 0 0.5 basis 0 0.5 0.5 &
    basis 0.5 0 0 basis 0 0.5 0 basis 0 0 0.5 basis 0.5 0.5 0.5
region box block 0 3 0 3 0 4
create_box 2 box
create_atoms 1 box basis 1 1 basis 2 1 basis 3 1 basis 4 1 basis 5 2 basis 6 2 basis 7 2 basis 8 2
set type 1 charge 1
set type 2 charge -1
mass 1 22.99
mass 2 35.45
displace_atoms all random 0.1 0.1 0.1 4711 units box
pair_style lj/cut/coul/long 7.0 7.0
pair_coeff 1 1 0.11 2.3
pair_coeff 2 2 0.10 3.6
kspace_style pppm 1e-5
thermo 5
thermo_style custom step pe ecoul elong
timestep 0.5
velocity all create 300 12345
fix 1 all nve
run 20
"""


class Client:
    """One program under one of the two libraries, in a folder of its own."""

    def __init__(self, arguments, folder, preload):
        self.root, self.folder = arguments.root, pathlib.Path(folder)
        self.environment = dict(os.environ, OMP_NUM_THREADS="1")
        if self.root:
            libraries = self.root / "usr" / "lib" / "x86_64-linux-gnu"
            paths = [libraries, self.root / "usr" / "lib", libraries / "lapack", libraries / "blas", libraries / "openblas-pthread",
                     *(libraries / "octave").glob("*")]
            self.environment.update(
                LD_LIBRARY_PATH=":".join(map(str, paths)), OCTAVE_HOME=str(self.root / "usr"), OPAL_PREFIX=str(self.root / "usr"),
                MAGICK_CONFIGURE_PATH=str(self.root / "etc" / "ImageMagick-6"),
                MAGICK_CODER_MODULE_PATH=str(next(libraries.glob("ImageMagick-6*/modules-*/coders"), "")))
        self.preload = preload
        self.executions = 0  # by Seiche's libraries, as they say at exit

    def run(self, *command, stdin=None):
        program = shutil.which(command[0], path=str(self.root / "usr" / "bin") if self.root else None)
        if program is None:
            raise FileNotFoundError(command[0])
        environment = dict(self.environment, **({"LD_PRELOAD": self.preload, "SEICHE_FFTW_REPORT": "1"} if self.preload else {}))
        done = subprocess.run([program, *map(str, command[1:])], cwd=self.folder, env=environment, input=stdin,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
        if done.returncode != 0:
            raise RuntimeError(f"{command[0]} ended with {done.returncode}: {(done.stdout + done.stderr).decode()[-400:]}")
        self.executions += sum(map(int, re.findall(rb"executions: (\d+)", done.stderr)))
        return done.stdout


def picture(path, size=48):
    """A grey picture of waves, as PGM."""
    import math
    rows = [[int(127 + 60 * math.sin(x / 3) + 60 * math.cos(y / 5 + x / 11)) for x in range(size)] for y in range(size)]
    path.write_text(f"P2\n{size} {size}\n255\n" + "\n".join(" ".join(map(str, row)) for row in rows) + "\n")


def minimodem(client):
    client.run("minimodem", "--tx", "-f", "tone.wav", "1200", stdin=TEXT.encode())
    text = client.run("minimodem", "--rx", "-q", "-f", "tone.wav", "1200").decode()
    if text != TEXT:
        raise RuntimeError("the text that came back is another")
    return [float(len(text))]


def imagemagick(client):
    picture(client.folder / "waves.pgm")
    client.run("convert-im6.q16", "waves.pgm", "-fft", "spectrum.miff")
    back = client.run("convert-im6.q16", "spectrum.miff", "-ift", "-compress", "none", "-depth", "8", "pgm:-")
    half = client.run("convert-im6.q16", "spectrum.miff[0]", "-compress", "none", "-depth", "16", "pgm:-")
    return [float(value) for data in (back, half) for value in data.split()[1:]]


def vips(client):
    picture(client.folder / "waves.pgm")
    client.run("vips", "fwfft", "waves.pgm", "spectrum.v")
    client.run("vips", "invfft", "spectrum.v", "back.v", "--real")
    client.run("vips", "cast", "back.v", "back.csv", "float")
    client.run("vips", "abs", "spectrum.v", "magnitude.csv")
    return [float(value) for name in ("back.csv", "magnitude.csv")
            for value in re.split(r"[\t\n]", (client.folder / name).read_text().strip())]


def octave(client):
    # Tests of functions that are compiled in are files of their own, those of others are in the function.
    share = (client.root or pathlib.Path("/")) / "usr" / "share" / "octave"
    tests = [str(path) for path in sorted(share.glob("*/etc/tests/**/fft*-tst"))]
    tests += ["fftconv", "fftfilt", "fftshift", "ifftshift", "freqz", "periodogram", "arma_rnd", "detrend"]
    script = "".join(f"[n, total] = test('{name}', 'quiet'); printf('count %d %d\\n', n, total);" for name in tests)
    said = client.run("octave-cli", "--norc", "--eval", script).decode()
    counts = [number for pair in re.findall(r"^count (\d+) (\d+)$", said, re.MULTILINE) for number in pair]
    values = [float(value) for value in counts]
    passed, total = sum(values[::2]), sum(values[1::2])
    if passed != total or total < 20:
        raise RuntimeError(f"{passed:g} of {total:g} of Octave's tests passed")
    print(f"  octave: {total:g} of its tests passed")
    data = "rand('seed', 1); x = rand(300, 41) + i * rand(300, 41); y = single(x);"
    data += "printf('%.15g ', real(fft(x)), imag(fft2(x)), abs(ifft(x, [], 2)));"
    values = client.run("octave-cli", "--norc", "--eval", data).decode().split()
    return [float(value) for value in values]


def lammps(client):
    (client.folder / "salt.in").write_text(LAMMPS)
    text = client.run("lmp", "-in", "salt.in", "-log", "none").decode()
    rows = re.findall(r"^\s+\d+\s+(-?[\d.e+-]+)\s+(-?[\d.e+-]+)\s+(-?[\d.e+-]+)\s*$", text, re.MULTILINE)
    if len(rows) < 5:
        raise RuntimeError(f"no energies in what LAMMPS says: {text[-400:]}")
    return [float(value) for row in rows for value in row]


CLIENTS = {"minimodem": minimodem, "imagemagick": imagemagick, "vips": vips, "octave": octave, "lammps": lammps}
#: Of the largest value: pictures of 8 and 16 bits may differ in the last of them, printed energies in the last digit.
TOLERANCES = {"minimodem": 0, "imagemagick": 1.1 / 65535, "vips": 2e-6, "octave": 1e-14, "lammps": 1e-7}


def compare(name, arguments, preload):
    results = []
    for library in ("", preload):
        with tempfile.TemporaryDirectory() as folder:
            client = Client(arguments, folder, library)
            results.append(CLIENTS[name](client))
    if client.executions == 0:
        raise RuntimeError("nothing was executed by Seiche's library")
    one, other = results
    if len(one) != len(other):
        raise RuntimeError(f"{len(one)} and {len(other)} values")
    largest = max(map(abs, one))
    error = max(abs(a - b) for a, b in zip(one, other)) / largest
    if not error <= TOLERANCES[name]:
        raise RuntimeError(f"results differ by {error:.2g} of the largest value, expected {TOLERANCES[name]:.2g} at most")
    return len(one), error, client.executions


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("--root", type=pathlib.Path)
    parser.add_argument("--device")
    parser.add_argument("--forward", action="store_true")
    parser.add_argument("clients", nargs="*", default=list(CLIENTS))
    arguments = parser.parse_intermixed_args()
    if arguments.root:
        arguments.root = arguments.root.resolve()
    if arguments.device:
        os.environ["SEICHE_DEVICE"] = arguments.device
    if not arguments.forward:
        os.environ["SEICHE_FFTW_REAL"] = "none"
    preload = ":".join(str(arguments.library.resolve() / name) for name in LIBRARIES)
    failed = 0
    for name in arguments.clients:
        try:
            count, error, executions = compare(name, arguments, preload)
            print(f"clients: {name}: {count} values, the same within {error:.2g} of the largest, "
                  f"{executions} executions", flush=True)
        except FileNotFoundError as error:
            print(f"clients: {name}: skipped, no {error}", flush=True)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f"clients: {name}: FAILED: {error}", flush=True)
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
