#!/usr/bin/env bash
# Installs a build for Windows below a scratch folder, makes programs with its DLL, and runs them under Wine.
# Usage: dll_test.sh SOURCE_FOLDER BUILD_FOLDER
set -euo pipefail

source=$1
build=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
version=$(sed -n 's/^  VERSION \(.*\)$/\1/p' "$source/CMakeLists.txt")

fail() {
    echo "FAILED: $*"
    exit 1
}
logged() { # logged COMMAND...: its output only if it fails
    "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" && fail "$1"; }
}
expect() { # expect NAME PROGRAM: it must run and print the version
    local got
    got=$(WINEPATH="Z:${prefix//\//\\}\\bin" "$source/tools/run_under_wine" "$2" | tr -d '\r') || fail "$1: $got"
    [[ $got == "$version"* ]] || fail "$1: expected '$version ...', got '$got'"
    echo "$1: $got"
}

logged cmake --install "$build" --prefix "$scratch/made"
prefix=$scratch/moved
mv "$scratch/made" "$prefix"
for file in bin/libseiche.dll lib/libseiche.dll.a lib/libseiche.a include/seiche/seiche.h; do
    [[ -f $prefix/$file ]] || fail "$file is not installed"
done
others=$(x86_64-w64-mingw32-objdump -p "$prefix/bin/libseiche.dll" | sed -n 's/^\tDLL Name: //p' |
    grep -viE '^(kernel32|msvcrt|advapi32|shell32|user32|ole32|ws2_32|ntdll|bcrypt)\.dll$' || true)
[[ -z $others ]] || fail "libseiche.dll needs these, which are not the system's: $others"

logged cmake -S "$here/consumer" -B "$scratch/build" -G Ninja -DOTHERS="$source/tests/install/consumer" \
    -DCMAKE_TOOLCHAIN_FILE="$source/cmake/mingw-w64.cmake" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_BUILD_TYPE=Release
logged cmake --build "$scratch/build"
for program in cpp_consumer c_consumer refused; do
    x86_64-w64-mingw32-objdump -p "$scratch/build/$program.exe" | grep 'DLL Name: libseiche.dll' >/dev/null ||
        fail "$program is not linked with the DLL"
done
expect "linked, C++17" "$scratch/build/cpp_consumer.exe"
expect "linked, C99" "$scratch/build/c_consumer.exe"
expect "an error caught" "$scratch/build/refused.exe"
expect "LoadLibrary, C99" "$scratch/build/loader.exe"
