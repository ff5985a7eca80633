# shellcheck shell=bash
# What is installed: ./dev package, wheel, newcomer.

# The time that files of packages have, which is no build's: that of their changelog.
package_epoch() { date -d "$(sed -n 's/^ -- .*>  //p' cmake/templates/changelog.in)" +%s; }

package() {
  install_missing dpkg-dev lintian
  build_for_users
  say "Debian packages"
  rm -rf build/package
  SOURCE_DATE_EPOCH=$(package_epoch) cpack --config build/release/CPackConfig.cmake -B "$PWD/build/package" >build/package.log 2>&1 ||
    { cat build/package.log; exit 1; }
  local each
  for each in build/package/*.deb; do
    lintian --allow-root --fail-on error "$each"
    echo "$each"
  done
}

# The commit's packages, made twice in folders of different names: byte for byte the same.
package_twice() {
  local folder name different=0
  for folder in build/twice/first build/twice/the-second; do
    rm -rf "$folder"
    mkdir -p "$folder"
    git archive HEAD | tar x -C "$folder"
    (cd "$folder" && ./dev package)
  done
  say "comparing both"
  for folder in build/twice/first/build/package/*.deb; do
    name=${folder##*/}
    cmp "$folder" "build/twice/the-second/build/package/$name" && echo "$name: the same twice" || different=1
  done
  return $different
}

# A tarball of what needs a C library of 2.28 or later and nothing else, and it at work where there is no other library.
package_portable() {
  local folder=build/portable name newest each
  install_missing debootstrap
  build portable evt evt_manual evt_preload evt_preload_memory
  name=evtrace-$(sed -n 's/^#define EVT_VERSION "\(.*\)"/\1/p' libtrace-write/include/evt/evt.h)-x86_64-linux
  rm -rf "$folder/$name"
  cmake --install "$folder" --prefix "$folder/$name" --component tools --strip >"$folder/install.log"
  cp LICENSE "$folder/$name/"
  for each in "$folder/$name"/bin/evt "$folder/$name"/lib/evtrace/*.so; do
    newest=$(objdump -T "$each" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -1)
    [ "$(printf '%s\n' GLIBC_2.28 "$newest" | sort -V | tail -1)" = GLIBC_2.28 ] ||
      { echo "dev: $each needs $newest, expected GLIBC_2.28 at most" >&2; return 1; }
    if readelf -d "$each" | grep NEEDED | grep -v -E '\[(ld-linux-x86-64|lib(c|m|dl|rt|pthread))\.so\.[0-9]+\]'; then
      echo "dev: $each needs this library, expected those of the C library alone" >&2
      return 1
    fi
  done
  tar c -C "$folder" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(package_epoch)" "$name" | gzip -9n >"$folder/$name.tar.gz"
  portable_works "$folder/$name"
  echo "$folder/$name.tar.gz"
}

# In Debian 11, the oldest that Debian's archive still has: its C library is 2.31.
portable_works() {  # FOLDER
  local root=build/portable/debian-11
  if [ ! -e "$root/complete" ]; then
    as_root rm -rf "$root"
    if ! as_root debootstrap --variant=minbase bullseye "$root" "$(debian_mirror)" >build/portable/debootstrap.log 2>&1; then
      say "debootstrap failed: the tarball is not tried in Debian 11; see build/portable/debootstrap.log"
      return 0
    fi
    as_root touch "$root/complete"
  fi
  say "the tarball in Debian 11"
  as_root rm -rf "$root/opt/evtrace"
  as_root cp -r "$1" "$root/opt/evtrace"
  as_root tee "$root/tmp/try" >/dev/null <<'END'
set -e
mount -t proc proc /proc
cd /tmp
PATH=/opt/evtrace/bin:$PATH
evt --version
evt run -o ls.evt -- ls / >ls.txt 2>report
if grep 'not recorded' report; then exit 1; fi
tracedump --count ls.evt
evt check ls.evt
evt view ls.evt -o ls.svg
grep -c '<svg' ls.svg
for lacks in 'view ls.evt -o ls.pdf' 'view ls.evt -o ls.png' 'sql ls.evt "select 1"'; do
  if eval "evt $lacks" 2>sentence; then
    echo "evt $lacks: expected a sentence, as its library is not there; found status 0" >&2
    exit 1
  fi
  grep -E '^evt (view|sql): .*(librsvg|DuckDB)' sentence
done
END
  as_root unshare --mount chroot "$root" /bin/sh /tmp/try
}

# The Python package with a library of its own, and what that needs: into build/wheel.
wheel() {
  build release evt evt_reader
  say "a wheel of the Python package"
  rm -rf build/wheel
  python3 -B python/wheel.py build/release/libtrace-read/c/libevtrace-reader.so build/wheel
}

# The documents to the letter, in an empty Debian; what is downloaded stays in build/newcomer.
newcomer() {  # [SUITE]
  install_missing debootstrap
  say "a newcomer's way through README.md, the guide and the cookbook"
  as_root python3 -B tests/newcomer/newcomer.py . build/newcomer "$(debian_mirror)" "${1:-bookworm}"
}
