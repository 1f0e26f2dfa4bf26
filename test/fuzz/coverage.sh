#!/usr/bin/env bash
# Prints which share of the lines of lib/import, lib/ir, lib/op and lib/pass the kept inputs of the entries run, with those
# of libonnx-testdata where it is installed. Builds the preset `coverage` for that.
#
#   test/fuzz/coverage.sh                 a line for each folder, and one for all
#   test/fuzz/coverage.sh --state STATE   with the corpora of a campaign as well
#   test/fuzz/coverage.sh --missing 20    and the twenty files with the most lines that nothing runs, and these lines
set -euo pipefail

cd "$(dirname "$0")/../.."
folder=build-coverage
state=""
missing=0
while [ $# -gt 0 ]; do
  case "$1" in
    --folder) folder=$2; shift 2 ;;
    --state) state=$2; shift 2 ;;
    --missing) missing=$2; shift 2 ;;
    -h|--help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "coverage.sh: error: unknown: $1" >&2; exit 2 ;;
  esac
done
source test/fuzz/entry.sh

cmake --preset coverage >/dev/null
cmake --build --preset coverage >/dev/null
replay=$folder/test/fuzz/onnx-hwest-mutate
inputs=$(mktemp -d)
trap 'rm -rf "$inputs"' EXIT
find "$folder" -name '*.gcda' -delete
for entry in $(all_entries "$replay --help"); do
  seed "$entry" "$inputs/$entry" 1
  [ -z "$state" ] || [ ! -d "$state/corpus/$entry" ] || cp -n "$state/corpus/$entry"/* "$inputs/$entry"
  "$replay" --entry "$entry" --input "$inputs/$entry"
done

cd "$folder"
find lib -name '*.gcda' -print0 | xargs -0 gcov --json-format --stdout 2>/dev/null |
  python3 ../test/fuzz/coverage.py --missing "$missing"
