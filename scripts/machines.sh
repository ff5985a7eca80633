# shellcheck shell=bash
# Other machines, and what earlier builds rely on: ./dev machines, abi.

# On machines where numbers begin with their highest byte, and where addresses have 32 bits: what reads traces.
machines() {
  install_missing g++-s390x-linux-gnu g++-i686-linux-gnu g++-aarch64-linux-gnu qemu-user-static
  local machine
  for machine in s390x i386; do
    machine_libraries "$machine"
    build "$machine" format_tests core_tests edit_tests import_tests analyze_tests archive_tests
    run_tests "$machine" -R '^(format|core|edit|import|analyze|archive)\.'
  done
  for machine in aarch64 i386; do golden "$machine"; done
  machine_libraries arm64
  build arm64 evt evt_preload burning
  sampled_on_aarch64
}

# Samples of a program that knows its shares, by a signal: there are no perf events under qemu.
sampled_on_aarch64() {
  say "sampling on aarch64"
  if [ ! -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ]; then
    echo "left out: this system starts no programs of aarch64 (binfmt_misc)"
    return 0
  fi
  local bin=build/arm64/bin trace=build/arm64/sampled.evt
  export QEMU_LD_PREFIX=/usr/aarch64-linux-gnu
  "$bin/evt" run --quiet --samples-by signal --calls none -o "$trace" -- "$bin/burning" plain 2000
  "$bin/evt" stats stacks --csv "$trace" >"$trace.csv"
  cat "$trace.csv"
  awk -F, '{ share[$1] = $4 }
    END { exit !(share["half"] > 42 && share["half"] < 58 && share["outer"] > 90 && share["main"] > 95) }' "$trace.csv"
}

# The writer's objects in a folder, compiled as a program compiles them that has its sources among its own.
writer_objects() {  # FOLDER COMPILER [FLAG...]
  local folder=$1
  shift
  rm -rf "$folder"
  mkdir -p "$folder"
  printf '%s\n' "$PWD"/libtrace-write/src/*.cc "$PWD"/format-spec/src/{base,block,ring,row,session}/*.cc |
    (cd "$folder" && xargs -P "$(nproc)" -n 4 "$@" -std=c++20 -fno-exceptions -fno-rtti "${writer_includes[@]}" -c)
}
writer_includes=(-I"$PWD" -I"$PWD/format-spec/include" -I"$PWD/libtrace-write/include")

# What earlier headers were compiled into (docs/ABI.md) writes, with the writer of today, what its source does.
golden() {  # MACHINE
  local machine=$1
  local tools=${machine/i386/i686}-linux-gnu
  local folder=build/golden-$machine
  say "recording by an object of 1.0 on $machine"
  writer_objects "$folder" "$tools-g++" -O1
  "$tools-gcc" -std=c11 "${writer_includes[@]}" testdata/abi/golden.c "$folder"/*.o -pthread -o "$folder/golden"
  "$tools-gcc" "testdata/abi/golden-$machine.o" "$folder"/*.o -pthread -o "$folder/golden_object"
  "qemu-$machine-static" -L "/usr/$tools" "$folder/golden" "$folder/golden.evt"
  "qemu-$machine-static" -L "/usr/$tools" "$folder/golden_object" "$folder/golden_object.evt"
  cmp "$folder/golden.evt" "$folder/golden_object.evt"
}

# The library NAME of the objects in build/abi/NAME has the functions and structures of 1.0, or more functions.
same_abi() {  # NAME FOLDER
  local folder=build/abi/$1 before=testdata/abi/$1-x86_64.abi
  say "comparing functions and structures with $before"
  gcc -shared -Wl,-soname,"lib$1.so.1" -Wl,--version-script="$2/$1.map" "$folder"/*.o -pthread -o "$folder/lib$1.so"
  if [ ! -e "$before" ]; then
    abidw --drop-private-types --exported-interfaces-only --headers-dir "$2/include" --no-comp-dir-path \
      --headers-dir format-spec/include --no-corpus-path --no-show-locs --out-file "$before" "$folder/lib$1.so"
  fi
  abidiff --no-added-syms "$before" "$folder/lib$1.so"
}

abi() {
  install_missing abigail-tools
  local flags=(-O0 -g -fPIC -fvisibility=hidden -DEVT_EXPORT "-ffile-prefix-map=$PWD=.")
  writer_objects build/abi/evtrace-write g++ "${flags[@]}"
  same_abi evtrace-write libtrace-write
  # What the reader's functions call is not looked at.
  mkdir -p build/abi/evtrace-reader
  local room
  for room in core analyze edit text export report c; do flags+=("-I$PWD/libtrace-read/$room/include"); done
  printf '%s\n' "$PWD"/libtrace-read/c/src/*.cc | (cd build/abi/evtrace-reader && xargs -P "$(nproc)" -n 1 \
    g++ -std=c++20 "${flags[@]}" "${writer_includes[@]}" -DEVTR_VERSION='""' -c)
  same_abi evtrace-reader libtrace-read/c
}

# Debian's packages of the libraries, unpacked into build/: this machine itself gets no foreign packages.
machine_libraries() {  # MACHINE
  local machine=$1
  local root=$PWD/build/libraries-$machine
  [ ! -e "$root/complete" ] || return 0
  say "fetching libraries for $machine"
  rm -rf "$root"
  mkdir -p "$root"/apt/{lists,archives}/partial
  : >"$root/apt/status"
  local apt=(apt-get -qq -o APT::Architecture="$machine" -o APT::Architectures="$machine" -o APT::Sandbox::User=root
    -o Dir::State::lists="$root/apt/lists" -o Dir::Cache="$root/apt" -o Dir::State::status="$root/apt/status")
  # One archive of several that cannot be read matters only if the packages are not in the others.
  "${apt[@]}" update || true
  (cd "$root/apt/archives" && "${apt[@]}" download \
    libcapnp-dev libcapnp-0.9.2 libssl-dev libssl3 libzstd-dev libzstd1 zlib1g-dev zlib1g liblzma-dev liblzma5 libfmt-dev libfmt9 libcli11-dev libprotozero-dev rapidjson-dev libdw-dev libdw1 libelf-dev libelf1 libiberty-dev libgtest-dev libgmock-dev)
  local package
  for package in "$root"/apt/archives/*.deb; do dpkg -x "$package" "$root"; done
  touch "$root/complete"
}
