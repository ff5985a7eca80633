# shellcheck shell=bash
# Measurements: ./dev bench.

bench() {  # [--OPTION] [options of the measurement...]
  local what=${1:-}
  install_missing libbenchmark-dev
  case "$what" in
    --overhead | --view | --run | --exports | --readme | --tables | --scale)
      shift
      "bench_${what#--}" "$@"
      ;;
    --quick)
      [ "${2:-}" = --against ] && [ $# -eq 3 ] || { echo "usage: ./dev bench --quick --against REVISION"; return 2; }
      bench_against "$3"
      ;;
    --reference)
      [ $# -eq 2 ] || { echo "usage: ./dev bench --reference REVISION"; return 2; }
      bench_set_reference "$2"
      ;;
    *) bench_table "$@" ;;
  esac
}

bench_table() {
  build release evt evt_bench evt_same_events evt_schedule evt_slow_streams evt_steady_load evt_synthetic
  [[ " $* " != *" --peers "* ]] || install_peers
  python3 -B bench/table.py build/release/bin "$@"
  say "the synthetic program of the paper on GHC's event log"
  # Of a run that loses events, as it may on a busy machine, it has no times: the table is there all the same.
  build/release/bin/evt_synthetic || true
  build/release/bin/evt_synthetic --compact || true
}

bench_overhead() {
  build release parfib parsort
  say "parfib and parsort with tracing off and on"
  python3 -B bench/overhead.py build/release/bin "$@"
}

bench_view() {
  build release evt evt_schedule
  python3 -B bench/view.py build/release/bin "$@"
}

bench_run() {
  build release evt evt_preload evt_calls
  install_peers xz-utils pigz pbzip2 zstd sqlite3 strace ltrace linux-perf uftrace
  say "what evt run costs"
  python3 -B bench/run.py build/release/bin "$@"
}

bench_exports() {
  build release evt evt_schedule evt_same_events
  install_peers babeltrace2
  say "conversions to formats of other programs, and back"
  python3 -B bench/exports.py build/release/bin "$@"
}

bench_readme() {
  build release evt evt_bench evt_same_events parsort
  install_peers
  say "the figures of README.md"
  python3 -B bench/readme.py build/release/bin --write README.md "$@"
}

bench_tables() {
  build release evt evt_reader evt_schedule
  (cluster_packages) || true
  say "traces as tables, and in engines of others"
  EVTRACE_DUCKDB=$(duckdb) python3 -B bench/tables.py build/release "$@"
}

bench_scale() {
  build release evt evt_schedule
  say "how cost grows with what a trace has"
  python3 -B bench/scale.py build/release/bin "$@"
}

bench_against() {  # REVISION: built from its own sources, beside ours
  local revision status=0
  revision=$(git rev-parse --verify --quiet "$1^{commit}") || { say "no revision $1 here: no earlier build to compare with"; return; }
  build release evt evt_bench evt_schedule evt_slow_streams
  install_missing valgrind
  build_earlier "$revision"
  say "emitting, reading and statistics, in instructions and as ratios to their floors, beside $1"
  python3 -B bench/against.py build/release/bin "$earlier/build/release/bin" || status=$?
  git worktree remove --force "$earlier"
  return "$status"
}

# The revision of bench/REFERENCE, whose instructions are there. It is built where these decide nothing.
bench_reference() {
  install_missing libbenchmark-dev valgrind
  build release evt evt_bench evt_schedule evt_slow_streams
  say "emitting, reading and statistics, in instructions, beside bench/REFERENCE"
  local status=0
  python3 -B bench/against.py build/release/bin --reference bench/REFERENCE "$(compiler)" || status=$?
  [ "$status" -eq 3 ] || return "$status"
  bench_against "$(python3 -c 'import json; print(json.load(open("bench/REFERENCE"))["revision"])')"
}

# Counts the instructions of a revision into bench/REFERENCE.
bench_set_reference() {  # REVISION
  local revision status=0
  revision=$(git rev-parse --verify "$1^{commit}")
  install_missing valgrind
  build_earlier "$revision"
  python3 -B bench/against.py "$earlier/build/release/bin" --write bench/REFERENCE "$(compiler)" "$revision" || status=$?
  git worktree remove --force "$earlier"
  return "$status"
}

compiler() { g++ --version | head -n 1; }

build_earlier() {  # REVISION: what is measured, of its own sources, in $earlier
  earlier=$PWD/build/earlier
  say "building what is measured of $1"
  rm -rf "$earlier"
  git worktree prune
  git worktree add --quiet --detach "$earlier" "$1"
  mkdir -p "$earlier/build"
  (cd "$earlier" && configure release && build_quietly release evt evt_bench evt_schedule evt_slow_streams)
}

# Programs to measure beside; without any named, those that trace. What cannot be had is left out of the table, by name.
install_peers() {  # [PACKAGES...]
  local each
  [ $# -gt 0 ] || set -- "lttng-tools liblttng-ust-dev" babeltrace2 "ghc libghc-ghc-events-dev"
  for each in "$@"; do
    # shellcheck disable=SC2086  # several packages
    (install_missing $each) || say "cannot install $each: the table does without"
  done
}
