#!/usr/bin/env python3
"""The pages of other libraries' calls name every function that those libraries export.

Usage: calls_test.py [ROOT]: of the repository at ROOT, by default this one
"""

import ast
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def words(path, prefix=""):
    return [prefix + word for word in path.read_text(encoding="utf-8").split()]


def scipy_names(root):
    """`__all__` of our namespace of SciPy's names."""
    tree = ast.parse((root / "python/seichefft/fft/__init__.py").read_text(encoding="utf-8"))
    assigned = {target.id: node.value for node in tree.body if isinstance(node, ast.Assign) for target in node.targets
                if isinstance(target, ast.Name)}
    return [name for name in ast.literal_eval(assigned["__all__"]) if name.islower()]


def exported(root):
    compat = root / "compat"
    hipfft = [name.replace("hipfft", "cufft", 1) for name in words(compat / "cufft/exports-hipfft.txt")]
    only_hipfft = {"cufftExtPlanScaleFactor": "hipfftExtPlanScaleFactor",
                   "cufftSetCompatibilityMode": "hipfftSetCompatibilityMode"}
    return {"cufft": words(compat / "cufft/exports-12.txt") + [only_hipfft.get(name, name) for name in hipfft],
            "fftw": words(compat / "fftw/symbols_c.txt", "fftw_"), "scipy": scipy_names(root)}


def lacking(root, pages):
    """Page and name of each call that a page lacks. A name counts where it is code, whatever its arguments."""
    found = []
    for page, names in exported(root).items():
        text = (pages / f"{page}.md").read_text(encoding="utf-8")
        code = set(re.findall(r"\w+", " ".join(re.findall(r"`[^`]+`", text))))
        found += [f"{page}.md: {name}" for name in names if name not in code]
    return found


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) == 2 else ROOT
    pages = root / "docs/reference/calls"
    found = lacking(root, pages)
    with tempfile.TemporaryDirectory() as folder:  # it finds what is taken away
        for page in pages.glob("*.md"):
            text = page.read_text(encoding="utf-8")
            less = re.sub(r"cufftPlan2d|fftw_plan_dft_c2r_2d|\birfftn\b", "other", text)
            (pathlib.Path(folder) / page.name).write_text(less)
        missed = [line for line in lacking(root, pathlib.Path(folder)) if line not in found]
    expected = ["cufft.md: cufftPlan2d", "fftw.md: fftw_plan_dft_c2r_2d", "scipy.md: irfftn"]
    if sorted(set(missed)) != expected:
        found.append(f"expected to miss {expected} where they are taken away, got {sorted(set(missed))}")
    print("\n".join(found) if found else f"{sum(map(len, exported(root).values()))} calls")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
