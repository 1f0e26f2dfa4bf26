#!/usr/bin/env bash
# Fuzzes every entry, or those named, for SECONDS each and prints what was reached. Fails when an entry found something;
# what it found lies in FOLDER/fuzz-findings/. Needs the build of the preset `fuzz`. campaign.sh runs millions.
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
source test/fuzz/entry.sh
fuzzer=$folder/test/fuzz/onnx-hwest-fuzz
corpora=$folder/fuzz-corpora
findings=$folder/fuzz-findings
[ -n "$entries" ] || entries=$(all_entries "$fuzzer")
mkdir -p "$findings"

fuzz() {
  local entry=$1 limit=-max_total_time=$seconds corpus=$corpora/$1
  if [ "$sample" = yes ]; then
    limit=-runs=$(sample_of "$entry")
    corpus=-seed_inputs=@$corpora/$entry.seeds
    find "$corpora/$entry" -type f | LC_ALL=C sort | paste -sd, >"$corpora/$entry.seeds"
  fi
  engine "$fuzzer" "$entry" "$limit" -seed="$seed" -artifact_prefix="$findings/$entry-" "$corpus" \
    >"$corpora/$entry.log" 2>&1 || echo "found" >"$corpora/$entry.found"
}

export fuzzer seed seconds sample corpora findings
export -f fuzz engine sample_of max_len_of
rm -f "$corpora"/*.found
for entry in $entries; do seed "$entry" "$corpora/$entry"; done
printf '%s\n' $entries | xargs -P "$jobs" -I{} bash -euo pipefail -c 'fuzz {}'

failed=0
for entry in $entries; do
  printf '%-12s %10d executions %8d/s %7d edges  corpus %s\n' "$entry" $(stats_of "$corpora/$entry.log")
  if [ -f "$corpora/$entry.found" ]; then
    failed=1
    grep -a -m 12 -E 'ERROR|broken promise|SUMMARY|runtime error|Test unit written|#[0-9]+ 0x.* in hwest' "$corpora/$entry.log"
  fi
done
exit $failed
