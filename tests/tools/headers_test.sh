#!/usr/bin/env bash
# Every public header must stand alone, without a warning, in C++17 (g++, clang++, nvcc) and seiche.h in C99;
# and a file that uses the library must compile within a second. Usage: headers_test.sh INCLUDE_FOLDER
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

# The processor's time, the least of five, so that other work on the machine does not count.
best=100000
TIMEFORMAT='%U %S'
for _ in 1 2 3 4 5; do
    { time g++ -std=c++17 -O2 -I "$include" -c "$scratch/user.cpp" -o "$scratch/user.o"; } 2>"$scratch/time"
    took=$(awk '{ printf "%d", ($1 + $2) * 1000 }' "$scratch/time")
    if ((took < best)); then
        best=$took
    fi
done
echo "$count headers; a file with seiche.hpp compiles in $best ms"
if ((best > 1000)); then
    echo "FAILED: expected at most 1000 ms"
    status=1
fi
exit $status
