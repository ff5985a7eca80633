# shellcheck shell=bash
# The tests: ./dev test, coverage, archive, kills, damage, format.

sources() { git ls-files -co --exclude-standard -- '*.h' '*.cc' '*.c'; }

format_check() {
  say "checking the format of sources"
  sources | xargs clang-format --dry-run --Werror
}

run_tests() {  # PRESET [ctest options...]
  local preset=$1
  shift
  say "testing $preset"
  # One more than there are processors, as many tests wait for something.
  GTEST_BRIEF=1 ctest --preset "$preset" -j "$(($(nproc) + 1))" "$@" || say_what_failed "$preset"
}

# The end of what each failed test printed, behind everything else: a log of CI is often kept by its end.
say_what_failed() {  # PRESET
  say "failed in $1"
  awk '/^[0-9]+\/[0-9]+ Test: / { printed = 0 }
       { printed++; line[printed % 60] = $0 }
       /^Test Failed\.$/ { for (i = printed > 60 ? printed - 59 : 1; i <= printed; i++) print line[i % 60] }' \
    "build/$1/Testing/Temporary/LastTest.log"
  return 1
}

test_usual() {
  format_check
  build release
  run_tests release -LE outside
  build asan fuzz/all tests/all
  run_tests asan
  build tsan write_tests parfib parsort
  # A signal handler that fills a buffer with `flush_inline` flushes it, which may allocate: what the ring is for.
  TSAN_OPTIONS=report_signal_unsafe=0 run_tests tsan -R '^write\.'
  say "parfib and parsort under the thread sanitizer"
  local trace
  for trace in none build/tsan/example.evt; do
    build/tsan/bin/parfib -n 22 -c 12 -w 4 -o "$trace"
    build/tsan/bin/parsort -n 20000 -c 100 -w 4 -o "$trace"
  done
}

# What meets others. These stages share nothing but the build, and run beside each other, the longest first. After them come
# those that measure the time of programs, which other work would change.
outside_together=(packages page page_of_programs site bench_reference programs consumers sql python_package parquet)
outside_alone=(profiles)

test_outside() {  # [STAGE]
  if [ $# -gt 0 ]; then
    [[ " ${outside_together[*]} ${outside_alone[*]} " == *" $1 "* ]] ||
      { echo "dev: test --outside knows ${outside_together[*]} ${outside_alone[*]}, not $1" >&2; exit 2; }
    "$1"
    return
  fi
  install_missing libbenchmark-dev
  build release all bench/all make_archive
  local status=0 stage
  rm -rf build/outside
  mkdir build/outside
  # What each prints is shown when it ends.
  printf '%s\n' "${outside_together[@]}" | xargs -P "$(nproc)" -n 1 bash -c \
    'if ./dev test --outside "$0" &>"build/outside/$0"; then cat "build/outside/$0"; else mv "build/outside/$0"{,.failed}; exit 1; fi' || status=1
  for stage in "${outside_alone[@]}"; do ./dev test --outside "$stage" || status=1; done
  # What failed is shown behind everything else: a log of CI is often kept by its end.
  [ "$status" -eq 0 ] || find build/outside -name '*.failed' -exec cat {} +
  return "$status"
}

# Packages in every shape, each from an empty prefix.
packages() {
  package
  build release evt evt_reader package_tests make_archive
  EVT_DEBS=$PWD/build/package run_tests release -L outside
}

test_all() {
  test_usual
  test_outside
  install_missing clang-tidy
  build clang-release
  run_tests clang-release -LE outside
  say "clang-tidy"
  git ls-files 'format-spec/*.cc' 'libtrace-*/*.cc' 'tools/*.cc' | xargs -P "$(nproc)" -n 4 clang-tidy --quiet -p build/clang-release
  machines
  abi
  in_cluster
  coverage
  newcomer
}

# Programs that are recorded; those that cannot be had are skipped by their names.
install_what_people_use() {
  local each
  for each in xz-utils pigz pbzip2 zstd sqlite3 git curl redis-server redis-tools nginx-light memcached busybox-static fzf strace \
    libjemalloc2 libtcmalloc-minimal4 libmimalloc2.0 linux-perf golang-go rustc; do
    command -v "$each" >/dev/null || (install_missing "$each") || say "cannot install $each: its test is skipped"
  done
}

programs() {
  install_what_people_use
  build release evt evt_preload refuse_perf
  say "programs under evt run"
  python3 -B tests/record/programs_test.py build/release/bin/evt
}

profiles() {
  install_what_people_use
  build release evt evt_preload refuse_perf
  say "which code took their time"
  python3 -B tests/record/profiles_test.py build/release/bin/evt
  say "how long their threads waited for a cpu, beside perf sched"
  python3 -B tests/peers/scheduling.py build/release/bin/evt
}

# The page of evt view in a browser; its screenshots stay in build/view.
page() {
  install_missing chromium nodejs node-typescript
  build release evt
  say "the page of evt view in a browser"
  EVT_AXE=$(npm_package axe-core 4.10.3 axe.min.js) python3 -B -m unittest discover --start-directory tests/view --pattern 'page*_test.py' --verbose
}

# The same of traces that programs record meanwhile, of files that are mailed, and of what is pointed at.
page_of_programs() {
  install_missing chromium nodejs node-typescript
  build release evt parsort shop
  say "the page of evt view in a browser, of programs and files"
  python3 -B tests/view/real_page_test.py build/release/bin/evt
  python3 -B tests/view/live_page_test.py build/release/bin/evt
  python3 -B tests/view/file_test.py build/release/bin/evt
  python3 -B tests/view/pointing_test.py build/release/bin/evt
}

# Files for other programs, as those read them; a screenshot of speedscope stays in build/export.
consumers() {
  install_missing chromium protobuf-compiler jq gtkwave clang babeltrace2 python3-bt2
  build release evt mandelbrot interpreter parsort
  say "files for other programs"
  EVT_SPEEDSCOPE=$(npm_package speedscope 1.25.0 dist/release) python3 -B tests/export/consumers_test.py build/release/bin/evt --verbose
}

# Files of Parquet, as two readers of others have them.
parquet() {
  install_missing nodejs
  build release evt evt_reader mandelbrot
  say "files of Parquet"
  EVTRACE_DUCKDB=$(duckdb) EVT_HYPARQUET=$(npm_package hyparquet 1.33.0 package.json) \
    EVT_FZSTD=$(npm_package fzstd 0.1.1 package.json) \
    python3 -B tests/export/parquet_consumers_test.py build/release/bin/evt build/release/libtrace-read/c/libevtrace-reader.so
}

# Traces as tables of DuckDB.
sql() {
  build release evt mandelbrot
  say "evt sql"
  local duckdb file
  duckdb=$(duckdb)
  for file in sql_test shell_test; do
    EVTRACE_DUCKDB=$duckdb python3 -B "tests/sql/$file.py" build/release/bin/evt --verbose
  done
}

# The Python package with numpy and pandas, which are Debian's.
python_package() {
  install_missing python3-numpy python3-pandas python3-matplotlib python3-venv
  build release evt evt_reader mandelbrot
  say "the Python package, with numpy and pandas"
  /usr/bin/python3 -B tests/python/reader_test.py build/release/bin/evt build/release/libtrace-read/c/libevtrace-reader.so
  wheel
  /usr/bin/python3 -B tests/python/wheel_test.py build/release/bin/evt build/wheel/*.whl
}

# Logs that GHC writes, as we read them and as ghc-events does.
peers() {
  install_missing ghc libghc-ghc-events-dev
  build release evt
  say "eventlogs beside ghc-events"
  python3 -B tests/peers/compare.py build/release/bin "$PWD/build/peers"
  say "collections, sparks and heaps beside GHC's own statistics"
  python3 -B tests/peers/collector.py build/release/bin "$PWD/build/peers"
}

corpus() {  # FOLDER
  install_missing zstd
  build release evt
  say "eventlogs of $1 beside their table"
  python3 -B tests/peers/corpus.py build/release/bin "$1"
}

coverage() {
  build coverage
  say "coverage"
  rm -rf build/coverage/profiles
  LLVM_PROFILE_FILE="$PWD/build/coverage/profiles/%p.profraw" ctest --test-dir build/coverage -j "$(nproc)" --output-on-failure
  # Of programs that were killed the profile may be half written.
  llvm-profdata-14 merge -failure-mode=all -o build/coverage/all.profdata build/coverage/profiles/*.profraw 2>/dev/null
  rm -rf build/coverage/profiles
  local objects=() program
  for program in build/coverage/bin/{*_tests,fuzz_*,drop_half,interpreter}; do objects+=(-object "$program"); done
  llvm-cov-14 report build/coverage/bin/evt "${objects[@]}" -instr-profile build/coverage/all.profdata \
    format-spec libtrace-write libtrace-read
}

archive() {
  build release evt make_archive archive_tests
  say "adding to testdata/ what is not there yet, and writing anew what evt says of each trace"
  build/release/bin/make_archive testdata
  EVT_ARCHIVE=write build/release/bin/archive_tests --gtest_brief=1
  local kind
  for kind in v1 future damaged; do
    python3 -B format-spec/conformance/expect.py "testdata/$kind" build/release/bin/evt >"format-spec/conformance/$kind.jsonl"
  done
  git status --short -- testdata format-spec/conformance
}

kills() {
  build release write_tests tools_tests
  say "killing ${1:-1000} programs with 1 thread, as many with 4"
  EVT_KILLS=${1:-1000} build/release/bin/write_tests --gtest_filter='*Killed*'
  EVT_KILLS=${1:-1000} build/release/bin/tools_tests --gtest_filter='*KilledWith*:InterruptedRecovery.*'
}

damage() {
  build release core_tests
  say "breaking a trace of 64 KiB at every byte"
  EVT_EVERY_BYTE=1 build/release/bin/core_tests --gtest_filter='BrokenCopyOf*'
}
