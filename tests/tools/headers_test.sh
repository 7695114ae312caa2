#!/usr/bin/env bash
# Every public header must stand alone, without a warning: those of C++ in C++17 (g++, clang++, nvcc), those of C in C99
# and in C++17 without exceptions and run-time types; and a file that uses the library must stay quick to compile.
# Usage: headers_test.sh INCLUDE_FOLDER [FOLDER], whose headers include those of the first. Those that include <mpi.h> are
# compiled with their tests.
set -euo pipefail

include=$1 more=${2:-$1}
support=$(cd "$(dirname "${BASH_SOURCE[0]}")/../support" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
warnings=(-Wall -Wextra -Wconversion -Werror)
status=0

compile() { # compile NAME COMMAND...: runs it, reports a failure and goes on
    local name=$1
    shift
    if ! "$@" >"$scratch/log" 2>&1; then
        echo "FAILED: $name"
        cat "$scratch/log"
        status=1
    fi
}

first_of() { # first_of COMMAND...: the first of these that exists
    local command
    for command in "$@"; do
        if command -v "$command"; then
            return
        fi
    done
}

clang=$(first_of clang++-14 clang++)
nvcc=$(PATH=$PATH:/usr/local/cuda/bin first_of nvcc)
[[ $clang ]] || {
    echo "clang++ is not installed"
    exit 1
}

count=0
while read -r header; do
    # A wrapper of an API whose headers are not on this machine is compiled with the tests' stand-in for them.
    vendor=() stand_ins=()
    if [[ $header == */interop/* ]]; then
        mapfile -t vendor < <(sed -n 's/^#include <\([A-Za-z_]*\/\?[a-z_]*\.hp\{0,2\}\)>$/\1/p' "$header" | head -n 1)
        if ((${#vendor[@]})) && ! echo "#include <${vendor[0]}>" | g++ -fsyntax-only -x c++ - 2>/dev/null; then
            stand_ins=(-I "$support" -I "$support/fake")
            if ! echo "#include <${vendor[0]}>" | g++ -fsyntax-only "${stand_ins[@]}" -x c++ - 2>/dev/null; then
                echo "skipped ${header#"$include"/}: no <${vendor[0]}>"
                continue
            fi
        fi
    fi
    file=${header#"$include"/}
    echo "#include \"${file#"$more"/}\"" >"$scratch/use.cpp"
    options=(-std=c++17 -fsyntax-only "${warnings[@]}" -I "$include" -I "$more" "${stand_ins[@]}")
    compile "$header with g++" g++ "${options[@]}" "$scratch/use.cpp"
    compile "$header with clang++" "$clang" "${options[@]}" "$scratch/use.cpp"
    count=$((count + 1))
done < <(find "$include" "$more" -name '*.hpp' ! -name mpi.hpp | sort -u)

while read -r header; do
    file=${header#"$include"/}
    printf '#include "%s"\nint used;\n' "${file#"$more"/}" >"$scratch/use.c"
    options=(-fsyntax-only -pedantic "${warnings[@]}" -I "$include" -I "$more" "$scratch/use.c")
    compile "$header with gcc" gcc -std=c99 "${options[@]}"
    compile "$header with g++" g++ -std=c++17 -fno-exceptions -fno-rtti -x c++ "${options[@]}"
    compile "$header with clang++" "$clang" -std=c++17 -fno-exceptions -fno-rtti -x c++ "${options[@]}"
    count=$((count + 1))
done < <(find "$include" "$more" -name '*.h' ! -name mpi.h | sort -u)

cat >"$scratch/user.cpp" <<'CODE'
#include <seiche/seiche.hpp>
int main() { return seiche::version()[0] == '0' ? 0 : 1; }
CODE
if [[ $nvcc ]]; then
    cp "$scratch/user.cpp" "$scratch/user.cu"
    compile "seiche.hpp with nvcc" "$nvcc" -std=c++17 -I "$include" -c "$scratch/user.cu" -o "$scratch/user.cu.o"
fi

# The arguments of an execution, a problem and their like as lists of their first members, or of some by name.
cat >"$scratch/lists.cpp" <<'CODE'
#include <seiche/seiche.hpp>
using namespace seiche;
void use(const Device& device, Plan& plan, ConvolutionPlan& convolution, Queue& queue, Buffer in, Buffer out) {
    plan.execute(queue, {Direction::forward, in, out});
    plan.execute(queue, {{}, in});
    convolution.prepare(queue, {in, out});
    convolution.execute(queue, {in, out, in});
    const Plan other(device, Problem{{64, 64}, {0}}, PlanOptions{Directions::forward});
    StageBufferArgument buffer{"window", in};
    StageScalarArgument scalar{"gain"};
    Convolution lengths{{64}, {5}};
    Layout layout{{64, 1}};
    Block block{1};
    HostArray array{nullptr};
#if __cplusplus >= 202002L
    plan.execute(queue, {.input = in, .output = out});
    const Plan named(device, {.lengths = {64}, .batch = 4, .kind = Kind::r2c}, {.directions = Directions::forward});
    convolution.execute(queue, {.input = in, .spectrum = out, .output = in});
    const ConvolutionPlan conv(device, {.signal = {64}, .kernel = {5}, .mode = ConvolutionMode::same});
#endif
    (void)buffer, (void)scalar, (void)lengths, (void)layout, (void)block, (void)array;
}
CODE
for standard in c++17 c++20; do
    for compiler in g++ "$clang"; do
        compile "lists of members with $compiler in $standard" "$compiler" -std=$standard -fsyntax-only \
            "${warnings[@]}" -I "$include" "$scratch/lists.cpp"
    done
done

# What the preprocessor hands on stands for the time, which is no matter of a test; <complex> and <functional> are most.
most=56000
lines=$(g++ -std=c++17 -O2 -I "$include" -E -P "$scratch/user.cpp" | wc -l)
echo "$count headers; a file with seiche.hpp has $lines lines after the preprocessor"
if ((lines > most)); then
    echo "FAILED: expected at most $most lines"
    status=1
fi
exit $status
