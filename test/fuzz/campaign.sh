#!/usr/bin/env bash
# Fuzzes entries up to a number of executions each, in shards that may be stopped at any time. Corpora, findings and a line
# for each shard lie in STATE, and the next call goes on from there. Ends with the table of what was run. Needs the build of
# the preset `fuzz`; fails when something was found.
#
#   test/fuzz/campaign.sh --state STATE                          every entry up to what entry.sh asks of it
#   test/fuzz/campaign.sh --state STATE ops=1000000 model        these two, one of them a million times
#   test/fuzz/campaign.sh --state STATE --shard 60 --seconds 600   shards of a minute, ten minutes in all
#   test/fuzz/campaign.sh --state STATE --table                  the table alone
#   test/fuzz/campaign.sh --state STATE --keep ENTRY FOLDER      a smallest corpus with the edges of STATE's into FOLDER
set -euo pipefail

cd "$(dirname "$0")/../.."
folder=build-fuzz
state=""
shard_s=120
seconds=0
table_only=no
keep=""
goals=""
while [ $# -gt 0 ]; do
  case "$1" in
    --folder) folder=$2; shift 2 ;;
    --state) state=$2; shift 2 ;;
    --shard) shard_s=$2; shift 2 ;;
    --seconds) seconds=$2; shift 2 ;;
    --table) table_only=yes; shift ;;
    --keep) keep="$2 $3"; shift 3 ;;
    -h|--help) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) goals="$goals $1"; shift ;;
  esac
done
[ -n "$state" ] || { echo "campaign.sh: error: --state FOLDER is missing" >&2; exit 2; }
source test/fuzz/entry.sh
timeout_s=60  # a campaign gives way to everything else on the machine
fuzzer=$folder/test/fuzz/onnx-hwest-fuzz
mkdir -p "$state/findings" "$state/logs"
touch "$state/shards"  # lines of: entry, executions, edges, inputs kept, seconds
[ -n "$goals" ] || goals=$(all_entries "$fuzzer")

executions_of() { awk -v entry="$1" '$1 == entry { sum += $2 } END { printf "%d\n", sum }' "$state/shards"; }
findings_of() { find "$state/findings" -type f -name "$1-*" | wc -l; }

# One shard of an entry; the number of shards before it is its seed.
shard() {
  local entry=$1 left=$2 began corpus=$state/corpus/$1 number log
  number=$(grep -c "^$entry " "$state/shards" || true)
  log=$state/logs/$entry.$number
  [ -d "$corpus" ] || seed "$entry" "$corpus"
  began=$SECONDS
  engine "$fuzzer" "$entry" -runs="$left" -max_total_time="$shard_s" -seed=$((number + 1)) \
    -artifact_prefix="$state/findings/$entry-" "$corpus" >"$log" 2>&1 || true
  read -r executions _ edges inputs < <(stats_of "$log")
  echo "$entry $executions $edges ${inputs%%/*} $((SECONDS - began))" >>"$state/shards"
  [ "$(findings_of "$entry")" -gt 0 ] || rm "$log"
}

print_table() {
  echo "| entry | executions | edges | inputs | findings | seconds |"
  echo "|---|--:|--:|--:|--:|--:|"
  cut -d' ' -f1 "$state/shards" | sort -u | while read -r entry; do
    awk -v entry="$entry" -v found="$(findings_of "$entry")" '
      $1 == entry { sum += $2; seconds += $5; if ($3 > edges) edges = $3; if ($4 != "-") inputs = $4 }
      END { printf "| %s | %d | %d | %s | %d | %d |\n", entry, sum, edges, inputs, found, seconds }' "$state/shards"
  done
  awk '{ sum += $2; seconds += $5 } END { printf "| all | %d | | | | %d |\n", sum, seconds }' "$state/shards"
}

if [ -n "$keep" ]; then
  read -r entry into <<<"$keep"
  mkdir -p "$into"
  engine "$fuzzer" "$entry" -set_cover_merge=1 -use_counters=0 "$into" "$state/corpus/$entry"
  exit
fi
stop=no
trap 'stop=yes' INT TERM  # a shard that is interrupted still counts what it ran
while [ "$table_only" = no ]; do
  ran=no
  for goal in $goals; do
    entry=${goal%%=*}
    wanted=$(goal_of "$entry")
    [ "$goal" = "$entry" ] || wanted=${goal#*=}
    left=$((wanted - $(executions_of "$entry")))
    [ "$left" -gt 0 ] || continue
    [ "$seconds" -eq 0 ] || [ "$SECONDS" -lt "$seconds" ] || break 2
    [ "$stop" = no ] || break 2
    shard "$entry" "$left"
    ran=yes
  done
  [ "$ran" = yes ] || break
done
print_table
[ -z "$(ls "$state/findings")" ]
