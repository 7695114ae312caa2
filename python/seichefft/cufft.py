"""Runs a Python program with Seiche in place of cuFFT, its CuPy, PyTorch or JAX unchanged.

    python -m seichefft.cufft [--report] [--log] PROGRAM ARGUMENTS...
    python -m seichefft.cufft [--report] [--log] -m MODULE ARGUMENTS...

The interpreter is started anew with `LD_PRELOAD` set. `--report` says at the end how many plans and executions there
were, and what was refused; `--log` writes a line for each call that is refused. For Linux. See
docs/how-to/replacing-cufft.md.
"""

from __future__ import annotations

import os
import pathlib
import sys

__all__ = ["environment", "libraries"]

_FILES = ("cufft-12/libcufft.so.12", "cufft-11/libcufft.so.11")


def libraries() -> list[str]:
    """The drop-in libraries for CUDA 13 and CUDA 12, for `LD_PRELOAD`.

    Returns
    -------
    list of str
        Their paths; a program that asks for one of the two never gets the other.

    Raises
    ------
    FileNotFoundError
        If this build has none, as on other systems than Linux.
    """
    package = pathlib.Path(__file__).parent
    for folder in (package / "drop_ins", package.parents[1] / "compat"):  # of a wheel; of a build folder
        found = [folder / name for name in _FILES]
        if all(path.exists() for path in found):
            return [str(path.resolve()) for path in found]
    raise FileNotFoundError("this build of seichefft has no libraries in place of cuFFT: expected one for Linux")


def environment(*, report: bool = False, log: bool = False) -> dict[str, str]:
    """The environment for another process that is to use Seiche in place of cuFFT.

    Parameters
    ----------
    report : bool, optional
        Say at the process's end how many plans and executions there were, and what was refused.
    log : bool, optional
        Write a line for each call that is refused.

    Returns
    -------
    dict of str
        This process's variables with `LD_PRELOAD` before what stood there.

    Raises
    ------
    FileNotFoundError
        As `libraries`.
    ValueError
        If the libraries' path has a space or a colon, which `LD_PRELOAD` does not take.
    """
    paths = libraries()
    if any(sign in path for path in paths for sign in " :"):
        raise ValueError(f"LD_PRELOAD takes no path with a space or a colon, got {paths[0]!r}")
    variables = dict(os.environ)
    others = [variables["LD_PRELOAD"]] if variables.get("LD_PRELOAD") else []
    variables["LD_PRELOAD"] = ":".join(paths + others)
    if report:
        variables["SEICHE_CUFFT_REPORT"] = "1"
    if log:
        variables["SEICHE_CUFFT_LOG"] = "1"
    return variables


def _main() -> None:
    arguments = sys.argv[1:]
    options = {"--report": False, "--log": False}
    while arguments and arguments[0] in options:
        options[arguments.pop(0)] = True
    if not arguments or arguments[0] in ("-h", "--help"):
        sys.exit(__doc__ if not arguments else print(__doc__))
    try:
        variables = environment(report=options["--report"], log=options["--log"])
    except (FileNotFoundError, ValueError) as error:
        sys.exit(f"seichefft.cufft: {error}")
    os.execve(sys.executable, [sys.executable, *arguments], variables)


if __name__ == "__main__":
    _main()
