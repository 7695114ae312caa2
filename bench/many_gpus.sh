#!/usr/bin/env bash
# Times transforms over the cards of one machine, compares their results with one card's, and looks for races.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: bench/many_gpus.sh CARDS RESULTS [LIMIT]

CARDS    how many ranks, with a card each
RESULTS  folder for times.csv, log.txt and cases.txt; a second call goes on with what is not there yet
LIMIT    seconds after which nothing new begins and what runs is ended (default 3600)

Each problem runs as slabs and pencils, in transposed and natural order, with ranks that are threads (peer copies), and
with MPIEXEC as processes too (NCCL). cufftXt takes its turn where BUILD has seiche-cufft-cards. Then come random cases
on the first device, and compute-sanitizer's memcheck and racecheck of small problems. All outputs are compared with the
same transform on one card, cufftXt's in two bins; where memory is too small for that, the table says so.

Environment: BUILD (default build/release), DEVICES (default cuda:0,cuda:1,...; others are for trying the script),
MPIEXEC and MPI_LIBRARY (an MPI with the standard ABI, e.g. mpiexec.hydra and libmpi_abi.so.1), NCCL_LIBRARY,
CUFFT_LIBRARY, SHAPES, PRECISIONS, KINDS, REPEAT (default 20), CASES (default 40), COMMIT (where there is no git).
The status is 0 when all was right, 1 when something was wrong, 3 when time was up before the end.
TEXT
}

if [[ $# -lt 2 || $# -gt 3 || ! $1 =~ ^[1-9][0-9]*$ || ! ${3:-1} =~ ^[1-9][0-9]*$ ]]; then
    usage >&2
    exit 2
fi
called="bench/many_gpus.sh $*"
cards=$1 limit=${3:-3600}
mkdir -p "$2"
results=$(cd "$2" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${BUILD:-build/release}
devices=${DEVICES:-$(seq -s, -f 'cuda:%g' 0 $((cards - 1)))}
[[ $devices == cuda* ]] && is_cuda=1 || is_cuda=0
table=$results/times.csv log=$results/log.txt one=$results/one.txt
failed=0 left=0

head_of_table() {
    local machine commit
    machine=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -n "$cards" |
        sort | uniq -c | sed -E 's/^ *([0-9]+) (.*), (.*)/\1 x \2, driver \3/' | paste -sd';') || true
    commit=${COMMIT:-$(git log -1 --format=%h 2>/dev/null || true)}
    echo "# machine: ${machine:-$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), no card of CUDA}"
    echo "# date: $(date -u +%F)"
    echo "# commit: ${commit:-not recorded}"
    echo "# command: ${called/"$2"/RESULTS}, devices $devices"
    nvidia-smi topo -m 2>/dev/null |
        sed 's/\x1b\[[0-9;]*m//g; s/\t/ /g; /^$/Q; s/[[:space:]]*$//; s/^/# topology: /' || true
    cat <<'TEXT'
# Milliseconds from a barrier to a barrier of the ranks, cufftXt from the call until all cards are done, in place. A
# resumed run may be of several machines of a kind. Pieces: in how many each exchange went, with + between exchanges.
TEXT
    echo -n "problem,order,cut,ranks,program,exchanges_by,pieces,median_ms,fastest_ms,executions,one_card_ms,"
    echo "compared_with,relative_error,status"
}

seconds_left() { echo $((limit - SECONDS)); }

# runs NAME COMMAND...: into the log; 3 where no time is left
runs() {
    local name=$1 status=0 seconds
    shift
    seconds=$(seconds_left)
    if ((seconds < 2)); then
        left=$((left + 1))
        return 3
    fi
    timeout "$seconds" "$@" >"$one" 2>&1 || status=$?
    if ((status == 124 && $(seconds_left) < 2)); then
        left=$((left + 1))
        return 3
    fi
    { printf '== status %s: %s\n%s\n' "$status" "$name" "$*" && cat "$one"; } >>"$log"
    ((status == 0)) && return
    echo "$name: status $status, $(tail -n 1 "$one")" >&2
    failed=1
    return 1
}

of_output() { sed -nE "s/$1/\\1/p" "$one" | head -1; }

# row KEY COMPARED COMMAND...: a row of the table, unless it has one that was right
row() {
    local key=$1 compared=$2 status=0 pieces
    shift 2
    if grep -q "^$key,.*,right$" "$table"; then return; fi
    runs "$key" "$@" || status=$?
    ((status == 3)) && return
    pieces=$(sed -nE 's/^exchange .*, in ([0-9]+) pieces$/\1/p; t; s/^exchange .*/1/p' "$one" | paste -sd+)
    sed -i "/^$key,/d" "$table"
    printf '%s,%s,%s,%s,%s,%s,%s,%s,%s,%s\n' "$key" "$(of_output '^bytes went by (.*)$')" "$pieces" \
        "$(of_output '^median ([0-9.]+) ms.*')" "$(of_output '^median .*fastest ([0-9.]+) ms.*')" \
        "$(of_output '^median .* of ([0-9]+)$')" "$(of_output '^one device alone: median ([0-9.]+) ms.*')" \
        "$compared" "$(of_output '^relative error[^0-9]*([0-9.e+-]+),.*')" \
        "$( ((status == 0)) && echo right || echo wrong)" |
        tee -a "$table"
}

# Bytes of the transform's larger array, which is complex (of r2c half).
bytes_of() { # SHAPE KIND PRECISION
    local bytes=$(($([[ $3 == f64 ]] && echo 16 || echo 8) * ${1//x/ * }))
    [[ $2 == r2c ]] && bytes=$((bytes / 2))
    echo "$bytes"
}

# Each rank transforms the whole on its device: input, output, workspace; and holds it on the host, beside its input.
why_not_compared() { # SHAPE KIND PRECISION: empty where memory is enough
    local bytes card host free
    bytes=$(bytes_of "$@")
    card=$((3 * bytes)) host=$((2 * cards * bytes))
    free=$(nvidia-smi --query-gpu=memory.free --format=csv,noheader,nounits 2>/dev/null | sort -n | head -1 || true)
    ((is_cuda)) || host=$((host + cards * card))
    if ((is_cuda && card / 1048576 > ${free:-0})); then
        echo "nothing: a card needs $((card >> 30)) GiB"
    elif ((host / 1024 > $(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo))); then
        echo "nothing: the host needs $((host >> 30)) GiB"
    fi
}

problem() { # SHAPE KIND PRECISION
    local name="$1 $2 $3" order cut flags compared how=(--transport automatic) by_mpi=(--transport automatic) mpiexec
    compared=$(why_not_compared "$@")
    read -ra mpiexec <<<"${MPIEXEC:-}"
    if ((is_cuda)); then how=(--transport peer) by_mpi=(--transport nccl); fi
    [[ -z ${NCCL_LIBRARY:-} ]] || by_mpi+=(--nccl-library "$NCCL_LIBRARY")
    [[ -z ${MPI_LIBRARY:-} ]] || by_mpi+=(--mpi-library "$MPI_LIBRARY")
    for cut in slabs pencils; do
        for order in transposed natural; do
            flags=(--devices "$devices" --repeat "${REPEAT:-20}" --time-limit 300)
            [[ $cut == slabs ]] || flags+=(--pencils)
            [[ $order == transposed ]] || flags+=(--natural)
            [[ -z $compared ]] || flags+=(--no-check)
            row "$name,$order,$cut,$cards,threads" "${compared:-one card}" \
                "$build/seiche-ranks" "$name" --ranks "$cards" "${how[@]}" "${flags[@]}"
            [[ -z ${MPIEXEC:-} ]] || row "$name,$order,$cut,$cards,processes" "${compared:-one card}" \
                "${mpiexec[@]}" -n "$cards" "$build/seiche-ranks" "$name" --mpi "${by_mpi[@]}" "${flags[@]}"
            if ((!is_cuda || cards < 2)) || [[ $cut != slabs || $order != transposed ]]; then continue; fi
            [[ ! -x $build/seiche-cufft-cards ]] || row "$name,$order,$cut,$cards,cufftXt" "two bins" \
                "$build/seiche-cufft-cards" "$name" --cards "$cards" --repeat 5 \
                ${CUFFT_LIBRARY:+--cufft-library "$CUFFT_LIBRARY"}
        done
    done
}

# part NAME COMMAND...: a line of cases.txt, unless it has one that was right
part() {
    local name=$1 status=0
    shift
    if grep -qxF "right: $name" "$results/cases.txt"; then return; fi
    runs "$name" "$@" || status=$?
    ((status == 3)) || echo "$( ((status == 0)) && echo right || echo wrong): $name" | tee -a "$results/cases.txt"
}

sanitizers() {
    local tool small
    if ! ((is_cuda)) || ! command -v compute-sanitizer >/dev/null; then
        echo "no compute-sanitizer, or devices that it does not know: nothing is looked at" | tee -a "$log"
        return
    fi
    for tool in memcheck racecheck; do
        for small in "" --natural --pencils "--pencils --natural"; do
            # shellcheck disable=SC2086
            part "$tool 32x24x20 ${small:-slabs}" compute-sanitizer --tool "$tool" --error-exitcode 9 \
                "$build/seiche-ranks" "32x24x20 c2c f32" --ranks "$cards" --devices "$devices" --transport peer \
                --pieces 1,3 --repeat 2 $small
        done
    done
}

if [[ ! -f $table ]]; then head_of_table "$@" >"$table"; fi
touch "$results/cases.txt"
for shape in ${SHAPES:-256x256x256 512x512x512 1024x1024x1024 2048x1024x1024}; do
    for precision in ${PRECISIONS:-f32 f64}; do
        for kind in ${KINDS:-c2c r2c}; do problem "$shape" "$kind" "$precision"; done
    done
done
part "random cases on ${devices%%,*}" "$build/tests/unit/distributed/test_distributed_cases" --device "${devices%%,*}" \
    --count "${CASES:-40}"
sanitizers
rm -f "$one"
if ((left > 0)); then
    echo "time is up: at least $left runs are left, which a second call does" >&2
    ((failed == 0)) && exit 3
fi
exit "$failed"
