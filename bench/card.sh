#!/usr/bin/env bash
# Everything that docs/performance.md says of a CUDA card, part by part; figures go to RESULTS, and nothing is installed.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: bench/card.sh BUILD RESULTS PART...

BUILD    folder with the programs seiche, seiche-peers and seiche-overlap
RESULTS  folder for the figures; made if it is not there
PART     devices     the machine, its driver and what seiche sees of it
         sweep       accuracy of every length from 1 to 4096 in f32 and f64; goes on from RESULTS/sweep.txt
         random      accuracy of 400 random problems of up to 2^22 points
         speed       the suite h200 beside cuFFT
         movement    what data movement alone costs, at eight lengths
         overlap     copies to and from pinned memory beside transforms, on one queue, two and three
         plan        time to make a plan: cold, from the disk cache, again
         counters    Nsight Compute's counters of three lengths (needs ncu and the right to read counters)
         sanitizer   compute-sanitizer's memcheck and racecheck over small random problems
Environment: DEVICE (default cuda:0), LIMIT seconds that a part may take (default 900).
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

# 512 MiB of each, far beyond any cache.
batch_of() { echo $((536870912 / 8 / $1)); }
dense() { echo "$1 f32 batch=$(batch_of "$1")"; }

part_devices() {
    nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.sm,clocks.max.sm --format=csv,noheader || true
    "$seiche" devices
}

part_sweep() { timeout "$limit" "$seiche" check --sweep 1 4096 --device "$device" --resume "$results/sweep.txt"; }

part_random() { timeout "$limit" "$seiche" check --count 400 --points 4194304 --device "$device"; }

part_speed() { timeout "$limit" "$seiche" bench --suite h200 --vs cufft --device "$device" --csv "$results/speed.csv"; }

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

part_plan() {
    timeout "$limit" "$seiche" bench --plan-times --device "$device" \
        "$(dense 64)" "$(dense 1024)" "$(dense 4096)" "$(dense 1000)" "$(dense 1048576)" "1024x1024 f32 batch=64"
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

part_sanitizer() {
    local tool
    for tool in memcheck racecheck; do
        timeout "$limit" compute-sanitizer --tool "$tool" --error-exitcode 9 \
            "$seiche" check --count 6 --points 65536 --jobs 1 --device "$device" || return
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
