"""Writes the type stubs of the native modules beside their sources: python/seichefft/_native.pyi and _distributed.pyi,
the second where this build has that module.

The exceptions are the package's, as their users name them; the stubs say what they are.
"""

from __future__ import annotations

import importlib.util
import pathlib
import subprocess
import sys
import tempfile

_EXCEPTIONS = {
    "_native": '''class Error(RuntimeError):
    """A device, driver or context failed, or is not there."""

class Unsupported(Error):
    """The problem is sound, but this device lacks what it needs."""
''',
    "_distributed": '''class AbsentRank(seichefft._native.Error):
    """A rank did not take part in time, or ended; `rank` is its number."""

    rank: int
''',
}


def stubs(module: str = "_native") -> str:
    """The text, from the module that this Python finds."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / f"{module}.pyi"
        command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", f"seichefft.{module}", "-o", str(file)]
        subprocess.run(command, check=True)
        lines = file.read_text().splitlines()
    ours = [line for line in lines if line.startswith("from seichefft")]
    at = lines.index(ours[0])
    lines = [line for line in lines if line not in ours]
    lines.insert(at, _EXCEPTIONS[module])
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.path.pop(0)  # beside this are the sources, without modules
    for module in _EXCEPTIONS:
        if importlib.util.find_spec(f"seichefft.{module}") is not None:
            (pathlib.Path(__file__).parent / f"seichefft/{module}.pyi").write_text(stubs(module))
