#!/usr/bin/env python3
"""What each pass of problems keeps busy, as Nsight Compute counts it.

    bench/counters.py build/release/seiche problems.txt counters.csv

problems.txt has one problem a line, as `seiche bench` takes it; counters.csv gets a line for each kernel that is launched
a second time (the first is verified), with all metrics, and the terminal a summary. Needs ncu, and the right to read
counters. CUDA_DEVICE names another device than cuda:0.
"""

import csv
import os
import shutil
import subprocess
import sys
import tempfile

SHOWN = {
    "us": ("gpu__time_duration.sum", 1e-3),
    "memory %": ("dram__throughput.avg.pct_of_peak_sustained_elapsed", 1),
    "second cache %": ("lts__throughput.avg.pct_of_peak_sustained_elapsed", 1),
    "wavefronts %": ("l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed", 1),
    "issued %": ("smsp__issue_active.avg.pct_of_peak_sustained_elapsed", 1),
    "warps %": ("sm__warps_active.avg.pct_of_peak_sustained_active", 1),
    "registers": ("launch__registers_per_thread", 1),
}
OTHERS = ["launch__block_size", "dram__bytes_read.sum", "dram__bytes_write.sum", "lts__t_sectors.sum", "smsp__inst_executed.sum"]
STALLS = ["barrier", "long_scoreboard", "short_scoreboard", "mio_throttle", "lg_throttle", "wait", "math_pipe_throttle",
          "not_selected"]


def metrics():
    stalls = [f"smsp__average_warps_issue_stalled_{name}_per_issue_active.ratio" for name in STALLS]
    return [name for name, _ in SHOWN.values()] + OTHERS + stalls


def number(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return float("nan")


def counted(ncu, seiche, problem, device):
    """One row for each kernel: ncu's, by the names of its columns."""
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log.csv")
        command = [ncu, "--csv", "--page", "raw", "--clock-control", "none", "--kernel-id", "::regex:forward|inverse:2",
                   "--metrics", ",".join(metrics()), "--log-file", log,
                   seiche, "bench", problem, "--repeat", "1", "--device", device]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode != 0 or not os.path.exists(log):
            sys.exit(f"counters: {problem}: expected figures of ncu, got: {(result.stderr or result.stdout)[-300:].strip()}")
        with open(log, newline="", encoding="utf-8") as file:
            lines = [line for line in file if not line.startswith("==")]
    return [row for row in csv.DictReader(lines) if row.get("Kernel Name")]


def main(arguments):
    if len(arguments) != 3:
        sys.exit("counters: expected SEICHE PROBLEMS.txt COUNTERS.csv, got " + (" ".join(arguments) or "nothing"))
    seiche, problems, output = arguments
    ncu = shutil.which("ncu") or "/usr/local/cuda/bin/ncu"
    if not os.path.exists(ncu):
        sys.exit("counters: expected ncu (Nsight Compute) in PATH or /usr/local/cuda/bin, found none")
    with open(problems, encoding="utf-8") as file:
        wanted = [line.strip() for line in file if line.strip()]
    device = os.environ.get("CUDA_DEVICE", "cuda:0")
    print(f"{'problem':40} {'kernel':20} " + " ".join(f"{name:>14}" for name in SHOWN))
    with open(output, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["problem", "kernel"] + metrics())
        for problem in wanted:
            for row in counted(ncu, seiche, problem, device):
                kernel = row["Kernel Name"].split("(")[0]
                table.writerow([problem, kernel] + [row.get(name, "") for name in metrics()])
                shown = [number(row.get(name, "")) * scale for name, scale in SHOWN.values()]
                print(f"{problem:40} {kernel:20} " + " ".join(f"{value:14.0f}" for value in shown), flush=True)
            file.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
