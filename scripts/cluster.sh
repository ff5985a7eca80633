# shellcheck shell=bash
# Traces in a cluster of ClickHouse: ./dev cluster.

# Debian's packages of ClickHouse and ZooKeeper, and what they need that is not installed, unpacked in build/cluster: this
# machine gets no service. Fails, with a sentence, if they cannot be had.
cluster_packages() {
  local folder=$PWD/build/cluster
  [ ! -e "$folder/complete" ] || return 0
  command -v java >/dev/null || (install_missing openjdk-17-jre-headless) || true
  say "fetching ClickHouse and ZooKeeper"
  rm -rf "$folder/root" "$folder/archives"
  mkdir -p "$folder"/root "$folder"/{lists,archives}/partial
  local packages=(clickhouse-server clickhouse-client libzookeeper-java)
  local apt=(apt-get -qq -y -o Debug::NoLocking=1 -o APT::Sandbox::User=root -o Dir::State::lists="$folder/lists" -o Dir::Cache="$folder")
  "${apt[@]}" update >"$folder/fetch.log" 2>&1 || true
  if ! "${apt[@]}" --no-install-recommends --download-only install "${packages[@]}" >>"$folder/fetch.log" 2>&1 || ! command -v java >/dev/null; then
    echo "dev: ${packages[*]} and java cannot be had; see $folder/fetch.log" >&2
    return 1
  fi
  local package
  for package in "$folder"/archives/*.deb; do dpkg -x "$package" "$folder/root" || return; done
  touch "$folder/complete"
}

# Traces in a cluster of ClickHouse; without its packages, a sentence.
in_cluster() {
  cluster_packages || { say "the test of a cluster is skipped"; return 0; }
  build release evt evt_schedule
  say "traces in a cluster of ClickHouse"
  (
    trap 'python3 -B tests/cluster/cluster.py stop build/cluster' EXIT
    EVTRACE_DUCKDB=$(duckdb) python3 -B tests/cluster/cluster_test.py build/release/bin/evt build/cluster
  )
}

cluster() {  # [start|stop|test]
  case "${1:-test}" in
    start)
      cluster_packages
      python3 -B tests/cluster/cluster.py start build/cluster
      ;;
    stop) python3 -B tests/cluster/cluster.py stop build/cluster ;;
    test) in_cluster ;;
    *) echo "dev: cluster knows start, stop and test, not $1" >&2; return 2 ;;
  esac
}
