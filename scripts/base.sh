# shellcheck shell=bash
# What every part of ./dev uses: packages from Debian and npm, and builds.

# What ./dev build makes: all that a user of the sources needs, and all that is installed.
for_users=(libtrace-write/all libtrace-read/all libtrace-record/all tools/all examples/all)

say() { printf '\n== %s\n' "$*"; }

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

# Waits while another process runs a command under this NAME, then runs COMMAND. What that starts does not inherit the lock.
in_turn() {  # NAME COMMAND...
  local name=$1
  shift
  (flock 9; "$@" 9>&-) 9>"build/$name.turn"
}

installed() { dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed; }

install_missing() { in_turn packages install_all_missing "$@"; }  # PACKAGE...

install_all_missing() {  # PACKAGE...
  local missing=()
  local package
  for package in "$@"; do installed "$package" || missing+=("$package"); done
  [ ${#missing[@]} -ne 0 ] || return 0
  say "installing ${missing[*]}"
  update_package_lists
  # Another apt may be at work, as after the start of a machine.
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends "${missing[@]}"
}

# apt waits for the lock of dpkg, but not for that of its lists.
update_package_lists() {
  local try errors
  for try in {1..120}; do
    if errors=$(as_root env LC_ALL=C apt-get update -qq 2>&1); then return; fi
    [[ $errors == *"Could not get lock"* ]] || break
    [ "$try" -gt 1 ] || say "waiting for another apt to end"
    sleep 5
  done
  echo "$errors" >&2
  return 1
}

# The mirror of Debian that this machine takes its packages from.
debian_mirror() {
  local mirror
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Component: main' | head -n 1)
  [ -n "$mirror" ] || { echo "dev: apt has no archive of Debian: apt-get update may help" >&2; return 1; }
  echo "$mirror"
}

configure() {  # PRESET
  cmake --preset "$1" >"build/$1.configure.log" 2>&1 || { cat "build/$1.configure.log"; exit 1; }
}

build() { in_turn "$1" build_preset "$@"; }  # PRESET [TARGET...]

build_preset() {  # PRESET [TARGET...]
  local preset=$1
  shift
  say "building $preset"
  configure "$preset"
  local targets=()
  [ $# -eq 0 ] || targets=(--target "$@")
  cmake --build --preset "$preset" "${targets[@]}"
}

build_for_users() { build release "${for_users[@]}"; }

build_quietly() {  # PRESET TARGET...: what a compiler prints is shown only if it fails
  local preset=$1
  shift
  configure "$preset"
  cmake --build --preset "$preset" --target "$@" >"build/$preset.build.log" 2>&1 || { cat "build/$preset.build.log"; exit 1; }
}

# An npm package, unpacked in build/npm/NAME. Prints the path of a file in it; prints nothing if npm cannot get the package.
npm_package() { mkdir -p build/npm && in_turn npm unpack_npm_package "$@"; }  # NAME VERSION PATH

unpack_npm_package() {  # NAME VERSION PATH
  local folder=build/npm/$1
  if [ ! -e "$folder/$3" ]; then
    command -v npm >/dev/null || (install_missing npm >&2) || true
    rm -rf "$folder"
    mkdir -p "$folder"
    (cd "$folder" && npm pack --silent "$1@$2" && tar xzf ./*.tgz --strip-components=1) >/dev/null 2>"$folder.log" ||
      echo "dev: npm cannot get $1 $2; see $folder.log" >&2
    rm -f "$folder"/*.tgz
  fi
  [ ! -e "$folder/$3" ] || echo "$PWD/$folder/$3"
}

# Prints the path of libduckdb.so; nothing, and a sentence, if it cannot be had.
duckdb() { npm_package @duckdb/node-bindings-linux-x64 1.5.6-r.1 libduckdb.so; }
