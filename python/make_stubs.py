"""Writes the type stubs of the native module: python/seichefft/_native.pyi, or the file that is named.

The exceptions are the package's, as their users name them; the stubs say what they are.
"""

from __future__ import annotations

import pathlib
import subprocess
import sys
import tempfile

_EXCEPTIONS = '''class Error(RuntimeError):
    """A device, driver or context failed, or is not there."""

class Unsupported(Error):
    """The problem is sound, but this device lacks what it needs."""
'''


def stubs() -> str:
    """The text, from the module that this Python finds."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "_native.pyi"
        command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "seichefft._native", "-o", str(file)]
        subprocess.run(command, check=True)
        lines = file.read_text().splitlines()
    ours = [line for line in lines if line.startswith("from seichefft import")]
    at = lines.index(ours[0])
    lines = [line for line in lines if line not in ours]
    lines.insert(at, _EXCEPTIONS)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "seichefft/_native.pyi")
    target.write_text(stubs())
