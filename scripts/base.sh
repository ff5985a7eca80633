# shellcheck shell=bash
# What every part of ./dev uses: packages of Debian and of npm, and builds.

say() { printf '\n== %s\n' "$*"; }

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

installed() { dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed; }

install_missing() {  # PACKAGE...
  local missing=()
  local package
  for package in "$@"; do installed "$package" || missing+=("$package"); done
  [ ${#missing[@]} -eq 0 ] && return
  say "installing ${missing[*]}"
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

configure() {  # PRESET
  cmake --preset "$1" >"build/$1.configure.log" 2>&1 || { cat "build/$1.configure.log"; exit 1; }
}

build() {  # PRESET [TARGET...]
  local preset=$1
  shift
  say "building $preset"
  configure "$preset"
  local targets=()
  [ $# -eq 0 ] || targets=(--target "$@")
  cmake --build --preset "$preset" "${targets[@]}"
}

build_quietly() {  # PRESET TARGET...: what a compiler prints is shown only if it fails
  local preset=$1
  shift
  configure "$preset"
  cmake --build --preset "$preset" --target "$@" >"build/$preset.build.log" 2>&1 || { cat "build/$preset.build.log"; exit 1; }
}

# A package of npm's registry, unpacked in build/npm/NAME; nothing, and a sentence, if the registry is not there. Prints a
# path in it if that is there.
npm_package() {  # NAME VERSION PATH
  local folder=build/npm/$1
  if [ ! -e "$folder/$3" ]; then
    mkdir -p "$folder"
    python3 -c 'import sys, urllib.request as u; sys.stdout.buffer.write(u.urlopen(sys.argv[1], timeout=60).read())' \
      "https://registry.npmjs.org/$1/-/${1##*/}-$2.tgz" 2>/dev/null | tar xzf - -C "$folder" --strip-components=1 2>/dev/null ||
      echo "dev: $1 $2 of npm's registry cannot be had" >&2
  fi
  [ ! -e "$folder/$3" ] || echo "$PWD/$folder/$3"
}

# Prints the path of libduckdb.so; nothing, and a sentence, if it cannot be had.
duckdb() { npm_package @duckdb/node-bindings-linux-x64 1.5.6-r.1 libduckdb.so; }
