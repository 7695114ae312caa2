#!/usr/bin/env bash
# Every public header must stand alone, without a warning, in C++17 (g++, clang++, nvcc) and seiche.h in C99;
# and a file that uses the library must stay quick to compile. Usage: headers_test.sh INCLUDE_FOLDER
set -euo pipefail

include=$1
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
    # A wrapper of an API whose headers are not on this machine cannot be compiled here.
    if [[ $header == */interop/* ]]; then
        vendor=$(sed -n 's/^#include <\([A-Za-z_]*\/\?[a-z_]*\.h\)>$/\1/p' "$header" | head -n 1)
        if [[ $vendor ]] && ! echo "#include <$vendor>" | g++ -fsyntax-only -x c++ - 2>/dev/null; then
            echo "skipped ${header#"$include"/}: no <$vendor>"
            continue
        fi
    fi
    echo "#include \"${header#"$include"/}\"" >"$scratch/use.cpp"
    compile "$header with g++" g++ -std=c++17 -fsyntax-only "${warnings[@]}" -I "$include" "$scratch/use.cpp"
    compile "$header with clang++" "$clang" -std=c++17 -fsyntax-only "${warnings[@]}" -I "$include" "$scratch/use.cpp"
    count=$((count + 1))
done < <(find "$include" -name '*.hpp' | sort)

echo '#include "seiche/seiche.h"' >"$scratch/use.c"
compile "seiche.h with gcc" gcc -std=c99 -pedantic -fsyntax-only "${warnings[@]}" -I "$include" "$scratch/use.c"
compile "seiche.h with g++" g++ -std=c++17 -x c++ -fsyntax-only "${warnings[@]}" -I "$include" "$scratch/use.c"

cat >"$scratch/user.cpp" <<'CODE'
#include <seiche/seiche.hpp>
int main() { return seiche::version()[0] == '0' ? 0 : 1; }
CODE
if [[ $nvcc ]]; then
    cp "$scratch/user.cpp" "$scratch/user.cu"
    compile "seiche.hpp with nvcc" "$nvcc" -std=c++17 -I "$include" -c "$scratch/user.cu" -o "$scratch/user.cu.o"
fi

# What the preprocessor hands on stands for the time, which is no matter of a test; <complex> and <functional> are most.
most=56000
lines=$(g++ -std=c++17 -O2 -I "$include" -E -P "$scratch/user.cpp" | wc -l)
echo "$count headers; a file with seiche.hpp has $lines lines after the preprocessor"
if ((lines > most)); then
    echo "FAILED: expected at most $most lines"
    status=1
fi
exit $status
