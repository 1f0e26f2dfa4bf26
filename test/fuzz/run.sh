#!/usr/bin/env bash
# Fuzzes every entry, or those named, for SECONDS each and prints what was reached. Fails when an entry found something;
# what it found lies in FOLDER/fuzz-findings/. Needs the build of the preset `fuzz`.
#
#   test/fuzz/run.sh                          each entry for 60 s, two at a time
#   test/fuzz/run.sh --seconds 600 ops model  these two for ten minutes
#   test/fuzz/run.sh --sample                 each entry for a fixed number of executions from sorted seeds: about twenty
#                                             seconds, and on every machine very nearly the same inputs
set -euo pipefail

cd "$(dirname "$0")/../.."
folder=build-fuzz
seconds=60
jobs=2
seed=1
sample=no
entries=""
while [ $# -gt 0 ]; do
  case "$1" in
    --folder) folder=$2; shift 2 ;;
    --seconds) seconds=$2; shift 2 ;;
    --sample) sample=yes; shift ;;
    --jobs) jobs=$2; shift 2 ;;
    --seed) seed=$2; shift 2 ;;
    -h|--help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) entries="$entries $1"; shift ;;
  esac
done
[ -n "$entries" ] || entries=$("$folder/test/fuzz/onnx-hwest-fuzz" 2>&1 | sed -n 's/^  \([a-z_]*\) .*/\1/p' || true)
fuzzer=$folder/test/fuzz/onnx-hwest-fuzz
testdata=/usr/share/libonnx-testdata
corpora=$folder/fuzz-corpora
findings=$folder/fuzz-findings
mkdir -p "$findings"

# Seeds of an entry: the kept ones and, where they are installed, small models and targets.
seed() {
  local entry=$1 kept=$1 corpus=$corpora/$1
  mkdir -p "$corpus"
  case "$entry" in
    reader|model|reports|rewrite)
      kept=model
      if [ -d "$testdata" ]; then
        find -L "$testdata" -name model.onnx -size -2k | sort | awk 'NR % 3 == 1' | while read -r model; do
          cp "$model" "$corpus/$(echo "$model" | cksum | cut -d' ' -f1).onnx"
        done
      fi ;;
    target) cp lib/target/data/*.textproto "$corpus" ;;
    toolchain) cp lib/target/toolchain/*.textproto "$corpus" ;;
    workload) cp examples/workloads/*.textproto "$corpus" ;;
    budget) cp examples/ci/hwest.budget "$corpus" ;;
  esac
  local source
  for source in "test/fuzz/seeds/$kept" "test/fuzz/findings/$kept"; do
    [ ! -d "$source" ] || cp "$source"/* "$corpus"
  done
}

# What --sample runs of an entry.
executions() {
  case "$1" in
    metadata|reader) echo 100000 ;;
    dims|rewrite) echo 8000 ;;
    model|ops) echo 2000 ;;
    reports) echo 200 ;;
    *) echo 5000 ;;
  esac
}

fuzz() {
  local entry=$1 max_len=4096 limit corpus=$corpora/$1
  case "$entry" in model) max_len=1024 ;; target|toolchain|saved) max_len=16384 ;; esac
  limit=-max_total_time=$seconds
  if [ "$sample" = yes ]; then
    limit=-runs=$(executions "$entry")
    corpus=-seed_inputs=@$corpora/$entry.seeds
    find "$corpora/$entry" -type f | LC_ALL=C sort | paste -sd, >"$corpora/$entry.seeds"
  fi
  # Hash tables order by address: where the system allows it, addresses are the same in every run.
  local fixed=""
  ! setarch -R true 2>/dev/null || fixed="setarch -R"
  $fixed "$fuzzer" --entry="$entry" "$limit" -timeout=10 -rss_limit_mb=2048 -max_len="$max_len" \
    -seed="$seed" -dict=test/fuzz/onnx.dict -artifact_prefix="$findings/$entry-" -print_final_stats=1 \
    -detect_leaks=1 "$corpus" >"$corpora/$entry.log" 2>&1 || echo "found" >"$corpora/$entry.found"
}

# One line: executions, their rate, edges covered, inputs kept.
report() {
  local entry=$1 log=$corpora/$1.log
  awk -v entry="$entry" '
    /stat::number_of_executed_units/ { executions = $2 }
    /stat::average_exec_per_sec/ { rate = $2 }
    / cov: / { for (i = 1; i < NF; ++i) { if ($i == "cov:") edges = $(i + 1); if ($i == "corp:") corpus = $(i + 1) } }
    END { printf "%-12s %10d executions %8d/s %7d edges  corpus %s\n", entry, executions, rate, edges, corpus }' "$log"
}

export fuzzer seed seconds sample corpora findings
export -f fuzz executions
rm -f "$corpora"/*.found
for entry in $entries; do seed "$entry"; done
printf '%s\n' $entries | xargs -P "$jobs" -I{} bash -euo pipefail -c 'fuzz {}'

failed=0
for entry in $entries; do
  report "$entry"
  if [ -f "$corpora/$entry.found" ]; then
    failed=1
    grep -a -m 12 -E 'ERROR|broken promise|SUMMARY|runtime error|Test unit written|#[0-9]+ 0x.* in hwest' "$corpora/$entry.log"
  fi
done
exit $failed
