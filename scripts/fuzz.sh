# shellcheck shell=bash
# The search for inputs that break something: ./dev fuzz.

fuzz() {
  local minutes=${1:-1} target failed=()
  build fuzz fuzz/all
  for target in build/fuzz/bin/fuzz_*; do
    say "$(basename "$target") for $minutes min"
    fuzz_for "$target" $((minutes * 60)) || failed+=("$(basename "$target")")
  done
  [ ${#failed[@]} -eq 0 ] && return
  say "found something: ${failed[*]}; the inputs are build/fuzz/found/fuzz_*-*"
  return 1
}

# Sessions of the writer are kept for ever: that looks like a leak to a search that goes on, and fills its memory. So it
# is the tests that look for leaks, and the search begins anew from what it has found, with its memory empty.
fuzz_for() {  # TARGET SECONDS
  local target=$1 name end=$((SECONDS + $2)) runs=-1
  name=$(basename "$target")
  case "$name" in
    fuzz_metadata | fuzz_text | fuzz_merge | fuzz_stats | fuzz_where) runs=20000 ;;
    fuzz_writer) runs=15000 ;;
  esac
  mkdir -p "build/fuzz/found/$name"
  # Most of what allocating costs here is to remember from where: a third of the time of targets that allocate much.
  local -x ASAN_OPTIONS=${ASAN_OPTIONS:-malloc_context_size=2:max_malloc_fill_size=0:quarantine_size_mb=16}
  while [ $SECONDS -lt $end ]; do
    # Weighing inputs by how rare what they reach is (entropic) takes up to half of the time, for no more reached.
    "$target" -max_total_time=$((end - SECONDS)) -runs="$runs" -max_len=4096 -timeout=30 -rss_limit_mb=2048 \
      -malloc_limit_mb=512 -detect_leaks=0 -entropic=0 -print_final_stats=1 \
      -artifact_prefix="build/fuzz/found/$name-" \
      "build/fuzz/found/$name" "fuzz/corpus/$name" || return
  done
}
