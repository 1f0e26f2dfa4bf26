# What run.sh and campaign.sh know of an entry. Sourced by both, in the repository's root.

testdata=/usr/share/libonnx-testdata

# Every entry of the fuzzer.
all_entries() { $1 2>&1 | sed -n 's/^  \([a-z_]*\) .*/\1/p' || true; }

# The folder of seeds/ and findings/ that an entry reads.
kept_of() {
  case "$1" in reader|model|reports|rewrite) echo model ;; *) echo "$1" ;; esac
}

# seed ENTRY CORPUS [EVERY]: copies the kept inputs into CORPUS and, where they are installed, targets and every third
# small model, or EVERY. Models of other tests only for the entries that are quick with them.
seed() {
  local kept source corpus=$2 every=${3:-3}
  kept=$(kept_of "$1")
  mkdir -p "$corpus"
  case "$kept" in
    model)
      case "$1" in model|reader) cp test/fuzz/seeds/cases/* "$corpus" ;; esac
      if [ -d "$testdata" ]; then
        find -L "$testdata" -name model.onnx -size -2k | sort | awk -v every="$every" 'NR % every == 1 % every' | while read -r model; do
          cp "$model" "$corpus/$(echo "$model" | cksum | cut -d' ' -f1).onnx"
        done
      fi ;;
    target) cp lib/target/data/*.textproto "$corpus" ;;
    toolchain) cp lib/target/toolchain/*.textproto "$corpus" ;;
    workload) cp examples/workloads/*.textproto "$corpus" ;;
    budget) cp examples/ci/hwest.budget "$corpus" ;;
  esac
  for source in "test/fuzz/seeds/$kept" "test/fuzz/findings/$kept"; do
    [ ! -d "$source" ] || cp "$source"/* "$corpus"
  done
}

# Longest input: where time grows with length, many short inputs find more than few long ones.
max_len_of() {
  case "$1" in
    dims) echo 128 ;;
    literal|external) echo 256 ;;
    metadata|value) echo 512 ;;
    model|reports|rewrite|ops|op_rules|fusions|rules) echo 1024 ;;
    saved) echo 8192 ;;
    *) echo 2048 ;;
  esac
}

# What run.sh --sample runs.
sample_of() {
  case "$1" in
    metadata) echo 50000 ;;
    reader) echo 30000 ;;
    dims|rewrite) echo 4000 ;;
    model|ops) echo 2000 ;;
    reports) echo 200 ;;
    *) echo 5000 ;;
  esac
}

# What campaign.sh runs unless told otherwise: a million of each parser, fewer of what goes through many stages.
goal_of() {
  case "$1" in
    model|ops|rewrite) echo 300000 ;;
    reports) echo 50000 ;;
    *) echo 1000000 ;;
  esac
}

# engine FUZZER ENTRY ARGUMENTS..: libFuzzer with the bounds that every input has to keep. The time is that of the wall.
# What costs more than it finds is off: the entropic schedule walks the whole corpus for every feature of an execution
# (half of the time of `dims`), and leaks are looked for once, where the process ends.
engine() {
  local fuzzer=$1 entry=$2 fixed="" timeout=${timeout_s:-10}
  shift 2
  # Hash tables order by address: where the system allows it, addresses are the same in every run.
  ! setarch -R true 2>/dev/null || fixed="setarch -R"
  ASAN_OPTIONS="malloc_context_size=4:quarantine_size_mb=16:${ASAN_OPTIONS:-}" \
    $fixed "$fuzzer" --entry="$entry" -timeout="$timeout" -report_slow_units="$timeout" -rss_limit_mb=2048 \
    -max_len="$(max_len_of "$entry")" -dict=test/fuzz/onnx.dict -print_final_stats=1 -print_funcs=0 -reload=0 \
    -entropic=0 -detect_leaks=0 "$@"
}

# Executions, executions a second, edges and inputs kept, from a log of the engine.
stats_of() {
  awk '
    /stat::number_of_executed_units/ { executions = $2 }
    /stat::average_exec_per_sec/ { rate = $2 }
    / cov: / { for (i = 1; i < NF; ++i) { if ($i == "cov:") edges = $(i + 1); if ($i == "corp:") corpus = $(i + 1) } }
    END { printf "%d %d %d %s\n", executions, rate, edges, corpus == "" ? "-" : corpus }' "$1"
}
