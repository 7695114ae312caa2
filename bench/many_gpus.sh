#!/usr/bin/env bash
# Times transforms over the cards of one machine, and compares their results with one card's: many_gpus.sh CARDS [FOLDER]
# with the folder of seiche-ranks, build/release by default. What it prints is the record: keep it with the machine's name,
# the date, the commit and what `nvidia-smi topo -m` says.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cards=${1:?many_gpus.sh: expected the number of cards}
ranks=${2:-build/release}/seiche-ranks
devices=$(seq -s, -f 'cuda:%g' 0 $((cards - 1)))

git log -1 --format='commit %h, %cs'
date -u '+%F %T UTC'
nvidia-smi topo -m || echo "no nvidia-smi"
status=0
for shape in 256x256x256 512x512x512 1024x1024x1024 2048x1024x1024; do
    for kind in "c2c f32" "r2c f32" "c2c f64" "r2c f64"; do
        for cut in "" --natural --pencils "--pencils --natural"; do
            echo
            # shellcheck disable=SC2086
            "$ranks" "$shape $kind" --ranks "$cards" --devices "$devices" $cut || status=1
        done
    done
done
exit $status
