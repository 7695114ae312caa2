#!/usr/bin/env python3
"""tools/check_layers must find each kind of fault in a small made-up tree, and nothing in a clean one."""

import pathlib
import subprocess
import sys
import tempfile


def fields(count):
    return "".join(f"    std::map<int, int> m{i}{{}};\n" for i in range(count))


CLEAN = {
    "include/seiche/problem.hpp": "#pragma once\n",
    "src/support/primes.hpp": "#include <vector>\n",
    "src/ir/kernel.hpp": '#include "support/primes.hpp"\n',
    "src/ir/fold.hpp": "// helps CUDA and cuInit(0), says the comment\n",
    "src/ir/fold.cpp": '#include "ir/fold.hpp"\n#include "seiche/problem.hpp"\n',
    "src/planner/recipe.hpp": "",
    "src/kernels/contract/spec.hpp": f"struct A {{\n    A(int a, int b = {{}}) : m0(a) {{ f(b); }}\n{fields(16)}"
    "    bool operator==(const A&) const = default;\n    bool f() const { bool a, b, c, d; return a; }\n"
    "    static constexpr int most = 3;\n    enum class Kind { a, b };\n    struct Inner { bool a, b, c; };\n};\n",
    "src/runtime/cuda/backend.hpp": "",
    "src/runtime/cuda/backend.cpp": "int cuInit(unsigned);\n",
    "src/runtime/system_posix.cpp": "#include <dlfcn.h>\n",
    "src/runtime/system_windows.cpp": "#include <windows.h>\n",
    "cli/main.cpp": '#include "cli/io/a.hpp"\n#include "seiche/problem.hpp"\n',
    "cli/io/a.hpp": '#include "cli/text/a.hpp"\n',
    "cli/text/a.hpp": "",
    "distributed/include/seiche/distributed/mpi.hpp": "#include <mpi.h>\n",
    "distributed/include/seiche/distributed/mpi.h": "#include <mpi.h>\n",
    "distributed/src/a.cpp": '#include "b.hpp"\n#include "seiche/problem.hpp"\n#include "seiche/distributed/mpi.hpp"\n',
    "distributed/src/b.hpp": "",
}

# What is added to the clean tree -> a part of the message expected.
FAULTS = [
    ({"src/support/a.cpp": '#include "ir/kernel.hpp"\n'}, "support may not include ir"),
    ({"src/kernels/a.cpp": '#include "planner/recipe.hpp"\n'}, "kernels may not include planner"),
    ({"src/emit/a.cpp": '#include "kernels/contract/spec.hpp"\n'}, "emit may not include kernels"),
    ({"src/emit/a.cpp": '#include "ir/fold.hpp"\n'}, "not a contract header of ir"),
    ({"src/ir/a.cpp": '#include "kernel.hpp"\n'}, "write paths from src/"),
    ({"src/runtime/opencl/a.cpp": '#include "runtime/cuda/backend.hpp"\n'}, "(runtime/opencl) includes another"),
    ({"src/runtime/cuda/a.cpp": '#include "ir/kernel.hpp"\n'}, "runtime may not include ir"),
    ({"src/planner/a.cpp": "bool nvidia = true;\n"}, "vendor name 'nvidia'"),
    ({"src/exec/a.cpp": "int e = cuInit(0);\n"}, "vendor name 'cuInit('"),
    ({"src/exec/a.cpp": "#include <CL/cl.h>\n"}, "vendor header CL/cl.h"),
    ({"src/exec/a.cpp": "#if SEICHE_HAVE_CUDA\n#endif\n"}, "backend conditions"),
    ({"include/seiche/a.hpp": '#include "ir/kernel.hpp"\n'}, "a public header includes"),
    ({"cli/a.cpp": '#include "ir/kernel.hpp"\n'}, "only include/seiche is for programs"),
    ({"cli/text/a.cpp": '#include "cli/io/a.hpp"\n'}, "cli/text may not include cli/io"),
    ({"cli/io/a.cpp": '#include "cli/main.hpp"\n', "cli/main.hpp": ""}, "cli/io may not include cli/main.hpp"),
    ({"cli/io/a.cpp": '#include "cli/a.hpp"\n'}, "there is no cli/a.hpp"),
    ({"distributed/src/c.cpp": '#include "support/primes.hpp"\n'}, "only include/seiche is for programs"),
    ({"distributed/src/c.cpp": '#include "seiche/inner.hpp"\n'}, "no public header or neighbour seiche/inner.hpp"),
    ({"distributed/src/c.cpp": "#include <mpi.h>\n"}, "mpi.h: expected in headers that users compile only"),
    ({"cli/other/a.cpp": ""}, "not in one of the folders text, system"),
    ({"src/ir/a.cpp": "#include <unistd.h>\n"}, "unistd.h: operating systems are called by"),
    ({"src/runtime/a.cpp": "#include <windows.h>\n"}, "windows.h: operating systems are called by"),
    ({"cli/a.cpp": 'auto path = std::getenv("PATH");\n'}, "getenv: variables are read by environment()"),
    ({"src/runtime/a.cpp": 'auto path = secure_getenv("PATH");\n'}, "getenv: variables are read by environment()"),
    ({"src/ir/a.cpp": "\n" * 801}, "801 lines"),
    ({"src/planner/a.cpp": "\n" * 601}, "601 lines: 600 is the end in planner"),
    ({"src/kernels/a.hpp": f"struct A {{\n{fields(17)}}};\n"}, "A has 17 members, 0 of them bools"),
    ({"src/kernels/a.hpp": "class B {\n    bool a = false, b = true;\n    bool c, d;\n};\n"}, "B has 4 members, 4 of them bools"),
    ({"src/utils/a.cpp": ""}, "a folder named utils"),
    ({"src/other/a.cpp": ""}, "not in one of the folders"),
    ({"tests/unit/runtime/cuda/a.cpp": ""}, "more than 3 folders deep"),
]


def run(checker, files):
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            file = pathlib.Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        result = subprocess.run([checker, folder], capture_output=True, text=True, check=False)
        return result.returncode, result.stdout


def main():
    checker = sys.argv[1]
    wrong = []
    status, output = run(checker, CLEAN)
    if status != 0:
        wrong.append(f"clean tree: status {status}\n{output}")
    for files, expected in FAULTS:
        status, output = run(checker, {**CLEAN, **files})
        if status != 1 or expected not in output:
            wrong.append(f"expected '{expected}', got status {status}\n{output}")
    print("\n".join(wrong) if wrong else f"{len(FAULTS)} kinds of fault found")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
