"""The script `seiche`: the command line tool that lies in the wheel, in place of this process."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys


def main() -> None:
    """Runs the tool with this script's arguments and gives its exit status."""
    name = "seiche.exe" if os.name == "nt" else "seiche"
    tool = pathlib.Path(__file__).parent / "bin" / name
    if not tool.exists():
        sys.exit("seiche: this build of seichefft has no command line tool: expected one built with SEICHE_BUILD_CLI")
    if os.name == "nt":
        sys.exit(subprocess.call([str(tool), *sys.argv[1:]]))
    os.execv(tool, ["seiche", *sys.argv[1:]])
