#!/usr/bin/env bash
# What bench/records and docs/lab say of a CUDA card, part by part; figures go to RESULTS, and nothing is installed.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: bench/card.sh BUILD RESULTS PART...

BUILD    folder with the programs seiche, seiche-peers, seiche-overlap and seiche-issue
RESULTS  folder for the figures; made if it is not there
PART     devices     the machine, its driver and what seiche sees of it
         sweep       accuracy of every length from 1 to 4096 in f32 and f64; goes on from RESULTS/sweep.txt
         random      accuracy of 400 random problems of up to 2^22 points
         speed       the suite h200 beside cuFFT and its data movement alone; goes on from RESULTS/speed.json
         movement    what data movement alone costs, at eight lengths
         overlap     copies to and from pinned memory beside transforms, on one queue, two and three
         lone        the suite h200-lone, one transform at a time, beside cuFFT
         graphs      the suite h200-lone-shapes, launched as graphs, beside cuFFT
         issue       what the host spends to enqueue an execution, beside a launch of an empty kernel
         compilers   one-pass kernels as PTX for the driver's assembler beside NVRTC's, of copy
         plan        time to make a plan: cold, from the disk cache, again
         counters    Nsight Compute's counters of three lengths (needs ncu and the right to read counters)
         sanitizer   compute-sanitizer's memcheck, racecheck, initcheck and synccheck over a small problem of each kind of
                     kernel
Environment: DEVICE (default cuda:0), LIMIT seconds that a part may take (default 900), BYTES of a buffer (default
512 MiB, far beyond any cache; with 12 MiB the second cache holds both buffers, and memory no longer hides what a kernel
does beside it).
TEXT
}

if [[ $# -lt 3 ]]; then
    usage >&2
    exit 2
fi
build=$(cd "$1" && pwd)
mkdir -p "$2"
results=$(cd "$2" && pwd)
shift 2
device=${DEVICE:-cuda:0}
limit=${LIMIT:-900}
seiche=$build/seiche

bytes=${BYTES:-536870912}
batch_of() { echo $((bytes / 8 / $1)); }
dense() { echo "$1 f32 batch=$(batch_of "$1")"; }

part_devices() {
    nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.sm,clocks.max.sm --format=csv,noheader || true
    "$seiche" devices
}

part_sweep() { timeout "$limit" "$seiche" check --sweep 1 4096 --device "$device" --resume "$results/sweep.txt"; }

part_random() { timeout "$limit" "$seiche" check --count 400 --points 4194304 --device "$device"; }

# Goes on from RESULTS/speed.json, so that a table of 274 cases may take several calls.
part_speed() {
    timeout "$limit" "$seiche" bench --suite h200 --vs cufft --movement --device "$device" --resume "$results/speed.json" \
        --csv "$results/speed.csv"
}

part_movement() {
    local n problems=()
    for n in 64 1024 4096 8192 16384 65536 1048576 4194304; do problems+=("$(dense $n)"); done
    timeout "$limit" "$seiche" bench "${problems[@]}" --movement --device "$device" --csv "$results/movement.csv"
}

# 64 MiB a chunk: one transform of it is a fraction of its copies, 75 take about as long as they.
part_overlap() {
    local executions queues
    for executions in 1 75; do
        for queues in 2 3; do
            timeout "$limit" "$build/seiche-overlap" --executions "$executions" --queues "$queues" --device "$device" || return
        done
    done
}

part_issue() { timeout "$limit" "$build/seiche-issue" --device "$device"; }

part_plan() {
    timeout "$limit" "$seiche" bench --plan-times --device "$device" \
        "$(dense 64)" "$(dense 1024)" "$(dense 4096)" "$(dense 1000)" "$(dense 1048576)" "1024x1024 f32 batch=64"
}

# Of halves, floats, doubles, r2c and c2r.
part_compilers() {
    local n compiler problems=()
    for n in 31 37 49 343 1000 1331 2187 2401 3000 4000 4096 5000 6561 8192 9604 12288 16384; do problems+=("$(dense $n)"); done
    for n in 37 2187 4096 6561 8192; do problems+=("$n f64 batch=$(batch_of $((2 * n)))"); done
    for n in 32 100 1000 1536 2048 4096 8192 16384; do problems+=("$n f16 batch=$((2 * $(batch_of "$n")))"); done
    for n in 2048 4096 8192 16384; do problems+=("$n r2c batch=$((2 * $(batch_of "$n")))" "$n c2r batch=$((2 * $(batch_of "$n")))"); done
    for compiler in ptx nvrtc; do
        SEICHE_CUDA_COMPILER=$compiler timeout "$limit" "$seiche" bench "${problems[@]}" --device "$device" \
            --csv "$results/$compiler.csv" >"$results/$compiler.txt" || return
    done
    "$(dirname "$0")/beside.py" ptx="$results/ptx.csv" nvrtc="$results/nvrtc.csv"
}

part_counters() {
    local n metrics
    metrics=gpu__time_duration.sum,dram__bytes_read.sum,dram__bytes_write.sum
    metrics+=,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
    metrics+=,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum,l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
    metrics+=,smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct
    metrics+=,smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct
    metrics+=,l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum
    metrics+=,l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum
    metrics+=,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum
    metrics+=,smsp__inst_executed_op_shared_ld.sum,smsp__inst_executed_op_shared_st.sum
    metrics+=,launch__registers_per_thread,launch__occupancy_limit_registers,sm__warps_active.avg.pct_of_peak_sustained_active
    metrics+=,smsp__sass_inst_executed_op_local_ld.sum,smsp__sass_inst_executed_op_local_st.sum
    for n in 256 1024 4096; do
        timeout "$limit" ncu --clock-control none --launch-count 2 --kernel-name "regex:n$n" --metrics "$metrics" \
            "$seiche" bench "$(dense $n)" --repeat 1 --device "$device" || return
    done
}

part_lone() { timeout "$limit" "$seiche" bench --suite h200-lone --vs cufft --device "$device" --csv "$results/lone.csv"; }

part_graphs() {
    timeout "$limit" "$seiche" bench --suite h200-lone-shapes --graph --vs cufft --device "$device" \
        --csv "$results/graphs.csv"
}

# Whole sequences in threads, groups, lone groups, clusters, convolutions of primes, several passes, bins, planes, columns;
# passes that trail each other are for large batches, so they are asked for.
part_sanitizer() {
    local tool problems=('2 f32 batch=999' '48 f32 batch=333' '64 f32 batch=77' '16 f16 batch=99' '625 f32 batch=9' '4096 f32 batch=3'
        '16384 f32 batch=2' '32768 f32 batch=2' '65536 f32' '16384 f64 batch=2' '30000 f32' '61 f32 batch=99' '1009 f32 batch=9'
        '4093 f64 batch=2' '10007 f32' '4096 r2c f32 batch=3' '65536 r2c f32' '65536 c2r f32' '240x240 f32' '256x256 f32'
        '256x256 r2c f32' '64x64x64 f32')
    for tool in memcheck racecheck initcheck synccheck; do
        timeout "$limit" compute-sanitizer --tool "$tool" --error-exitcode 9 \
            "$seiche" check "${problems[@]}" --jobs 1 --device "$device" || return
        timeout "$limit" compute-sanitizer --tool "$tool" --error-exitcode 9 \
            "$seiche" bench '262144 f32 batch=2' '512x512 f32 batch=2' --trailing-passes --repeat 1 --device "$device" || return
        timeout "$limit" compute-sanitizer --tool "$tool" --error-exitcode 9 \
            "$seiche" bench '10007 f32 batch=9' --passes 320x64 --trailing-passes --repeat 1 --device "$device" || return
    done
}

failed=0
for part in "$@"; do
    if ! declare -F "part_$part" >/dev/null; then
        usage >&2
        exit 2
    fi
    echo "== $part"
    "part_$part" 2>&1 | tee "$results/$part.log" || { echo "part $part ended with status $?" >&2; failed=1; }
done
exit $failed
