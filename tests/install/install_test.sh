#!/usr/bin/env bash
# Installs a build below a scratch folder and makes programs with it, in C++17 and in C99, in every way that is
# offered: find_package (static, shared), pkg-config (static, shared), add_subdirectory.
# Usage: install_test.sh SOURCE_FOLDER BUILD_FOLDER
set -euo pipefail

source=$1
build=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix

expect() { # expect NAME PROGRAM: it must run and print the version
    local got
    got=$("$2")
    if [[ $got != "$version"* ]]; then
        echo "FAILED: $1: expected '$version ...', got '$got'"
        exit 1
    fi
    echo "$1: $got"
}

version=$(sed -n 's/^  VERSION \(.*\)$/\1/p' "$source/CMakeLists.txt")
cmake --install "$build" --prefix "$prefix" >"$scratch/install.log"
if grep -v '/seiche/fftw/' "$scratch/install.log" | grep -E '(fftw|seiche-peers|gtest)'; then
    echo "FAILED: something was installed that is for tests only"
    exit 1
fi
if [[ -x $prefix/bin/seiche ]]; then
    "$prefix/bin/seiche" plan "64 f32" --device-profile "$prefix/share/seiche/profiles/amd-cdna2-mi250.json" >/dev/null
    for file in man/man1/seiche.1 bash-completion/completions/seiche zsh/site-functions/_seiche \
        fish/vendor_completions.d/seiche.fish; do
        [[ -s $prefix/share/$file ]] || { echo "FAILED: there is no share/$file" && exit 1; }
    done
fi
# An installed tree is moved at times: nothing in it may know where it was made.
mv "$prefix" "$scratch/moved"
prefix=$scratch/moved
if grep -rIl -e "$source" -e "$build" "$prefix/lib" "$prefix/include"; then
    echo "FAILED: these installed files name the folder of the build"
    exit 1
fi

drop_in=$(find "$prefix" -name libcufft.so.12)
if [[ -n $drop_in ]]; then
    program='import ctypes; print(ctypes.CDLL("libcufft.so.12").cufftXtMakePlanGuru64())'
    got=$("$prefix/bin/seiche" run --cufft python3 -c "$program")
    [[ $got == 14 ]] || { echo "FAILED: the moved drop-in for cuFFT: expected the code 14, got '$got'" && exit 1; }
    echo "drop-in for cuFFT: found beside the tool"
fi

for kind in static shared; do
    cmake -S "$here/consumer" -B "$scratch/$kind" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DKIND=$kind \
        -DCMAKE_BUILD_TYPE=Release >"$scratch/$kind.log" || { cat "$scratch/$kind.log" && exit 1; }
    cmake --build "$scratch/$kind" >"$scratch/$kind.log" 2>&1 || { cat "$scratch/$kind.log" && exit 1; }
    expect "find_package, $kind, C++17" "$scratch/$kind/cpp_consumer"
    expect "find_package, $kind, C99" "$scratch/$kind/c_consumer"
done
if nm -DC --defined-only "$scratch/static/libplugin.so" | grep -v ' plugin_energy$' | grep seiche; then
    echo "FAILED: a plugin that takes the archive exports these"
    exit 1
fi
nm -D --defined-only "$scratch/static/libplugin.so" | grep -q ' plugin_energy$' || { echo "FAILED: no plugin_energy" && exit 1; }
# Without the linker's option of our package: what the archive itself leaves visible is the interface alone.
g++ -std=c++17 -shared -fPIC -I"$prefix/include" "$here/consumer/plugin.cpp" "$(find "$prefix" -name libseiche.a)" \
    -ldl -pthread -o "$scratch/bare_plugin.so"
folders=$(cd "$source/src" && printf '%s|' */ | tr -d /)
if nm -DC --defined-only "$scratch/bare_plugin.so" | cut -d' ' -f3- | grep -E "^((vtable|typeinfo|typeinfo name) for )?seiche::(${folders%|})::"; then
    echo "FAILED: the archive leaves these internal names visible"
    exit 1
fi
ldd "$scratch/shared/cpp_consumer" | grep libseiche >/dev/null || { echo "FAILED: shared consumer has no libseiche" && exit 1; }
if ldd "$scratch/static/cpp_consumer" | grep -E 'libseiche|OpenCL|cuda|nvrtc'; then
    echo "FAILED: static consumer is linked with these"
    exit 1
fi
if ldd "$prefix"/lib/*/libseiche.so "$prefix"/lib/libseiche.so 2>/dev/null |
    grep -vE 'libseiche|vdso|ld-linux|lib(stdc\+\+|m|c|dl|pthread|gcc_s)\.so|^$'; then
    echo "FAILED: the library is linked with these"
    exit 1
fi

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name seiche.pc)")
export PKG_CONFIG_PATH
[[ $(pkg-config --modversion seiche) == "$version" ]] || { echo "FAILED: version of seiche.pc" && exit 1; }
library=$(pkg-config --variable=libdir seiche)
# shellcheck disable=SC2046
g++ -std=c++17 "$here/consumer/consumer.cpp" $(pkg-config --cflags --libs seiche) -Wl,-rpath,"$library" -o "$scratch/pc"
expect "pkg-config, shared, C++17" "$scratch/pc"
# shellcheck disable=SC2046
gcc -std=c99 "$here/consumer/consumer.c" $(pkg-config --cflags --static --libs seiche) -Wl,-rpath,"$library" \
    -o "$scratch/pc_c"
expect "pkg-config, shared, C99" "$scratch/pc_c"
# shellcheck disable=SC2046
gcc -std=c99 "$here/consumer/consumer.c" $(pkg-config --cflags seiche) "$library/libseiche.a" \
    $(pkg-config --static --libs-only-l --libs-only-other seiche | sed 's/-lseiche//') -o "$scratch/pc_static"
expect "pkg-config, static, C99" "$scratch/pc_static"

if [[ -e $prefix/include/seiche/distributed.h ]]; then
    # shellcheck disable=SC2046
    gcc -std=c99 "$here/consumer/distributed_consumer.c" $(pkg-config --cflags --libs seiche_distributed) \
        -Wl,-rpath,"$library" -o "$scratch/pc_distributed"
    expect "pkg-config, seiche_distributed, C99" "$scratch/pc_distributed"
    if command -v gfortran >/dev/null; then
        gfortran -std=f2003 -J "$scratch" -c "$prefix/include/seiche/distributed/seiche_distributed.f90" \
            -o "$scratch/module.o"
        echo "module for Fortran: compiled"
    fi
fi

# heFFTe's interface, which is compiled against whatever MPI there is.
if [[ -e $prefix/include/seiche/heffte/heffte.h ]] && command -v mpicxx >/dev/null; then
    mpicxx -std=c++17 -DOMPI_SKIP_MPICXX -fsyntax-only -x c++ -include heffte.h -I"$prefix/include/seiche/heffte" \
        -I"$prefix/include" /dev/null
    echo "heffte.h: compiled"
fi

# A source that asks for FFTW, with Seiche in its place.
if [[ -d $prefix/lib/seiche/fftw ]]; then
    for precision in fftw3 fftw3f; do
        # shellcheck disable=SC2046
        PKG_CONFIG_PATH=$prefix/lib/seiche/fftw/pkgconfig && export PKG_CONFIG_PATH &&
            gcc -std=c99 "$here/consumer/fftw_consumer.c" -DPREFIX="${precision/3/}" \
                $(pkg-config --cflags --libs "$precision") -o "$scratch/$precision"
        got=$(SEICHE_DEVICE=reference SEICHE_FFTW_REAL=none "$scratch/$precision")
        [[ $got == "8 0 fftw-3.3.10-seiche" ]] || { echo "FAILED: $precision: $got" && exit 1; }
        echo "pkg-config, $precision: $got"
    done
fi

# Compiled as Seiche alone is: the objects of that build serve. Only the programs, the archive and what differs is made.
touch "$scratch/commands"
[[ ! -e $build/build.ninja ]] || ninja -C "$build" -t commands | tr -s ' ' | sed 's/^/ /; s/$/ /' >"$scratch/commands"
unity=$(sed -n 's/^SEICHE_UNITY_BUILD:BOOL=//p' "$build/CMakeCache.txt")
sub=$scratch/sub
cmake -S "$here/consumer" -B "$sub" -G Ninja -DSEICHE_SOURCE="$source" -DCMAKE_BUILD_TYPE=Release \
    -DSEICHE_UNITY_BUILD="$unity" -DCMAKE_CXX_COMPILER_LAUNCHER="$here/reuse;$build;$sub/seiche;$scratch/commands" \
    >"$scratch/sub.log" || { cat "$scratch/sub.log" && exit 1; }
cmake --build "$sub" >"$scratch/sub.log" 2>&1 || { cat "$scratch/sub.log" && exit 1; }
expect "add_subdirectory, C++17" "$sub/cpp_consumer"
cmake --install "$sub" --prefix "$scratch/parent" >"$scratch/parent.log" 2>&1 || { cat "$scratch/parent.log" && exit 1; }
grep -q 'seiche::seiche_static' "$scratch/parent/lib/cmake/filters/filtersTargets.cmake" ||
    { echo "FAILED: a parent's exported target does not name seiche::seiche_static" && exit 1; }
echo "add_subdirectory, exported target: installed"

# What was not built is not installed by halves.
cmake -S "$source" -B "$scratch/unbuilt" -G Ninja -DSEICHE_BUILD_TESTS=OFF -DSEICHE_BUILD_BENCH=OFF \
    -DSEICHE_BUILD_OCEAN=OFF -DSEICHE_BUILD_EXAMPLES=OFF >"$scratch/unbuilt.log"
if cmake --install "$scratch/unbuilt" --prefix "$scratch/half" >"$scratch/half.log" 2>&1; then
    echo "FAILED: a build without files was installed"
    exit 1
fi
grep -q 'not built yet' "$scratch/half.log" || { cat "$scratch/half.log" && exit 1; }
[[ ! -e $scratch/half ]] || { echo "FAILED: half of a build was installed" && exit 1; }
echo "not built: refused"
