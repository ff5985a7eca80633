#!/usr/bin/env python3
"""Two ClickHouse servers and a ZooKeeper on loopback, of Debian's packages that are unpacked in a folder.

    cluster.py start FOLDER    starts them and prints how to reach them
    cluster.py stop FOLDER     ends them and removes their data

FOLDER/root has what is not installed of the packages; configurations, data and logs are in FOLDER/run.
Ports are free ones, chosen at the start. The cluster `evt` has one shard, of which both servers have a replica; the cluster
`evt_shards` has each server as a shard.
"""
import http.client
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import zipfile

NODES = (1, 2)
DEADLINE = 120  # seconds for a server to answer, on a busy machine

SERVER = """<?xml version="1.0"?>
<yandex>
  <logger><level>warning</level><log>{folder}/server.log</log><errorlog>{folder}/error.log</errorlog></logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>{http}</http_port><tcp_port>{tcp}</tcp_port>
  <interserver_http_port>{interserver}</interserver_http_port><interserver_http_host>127.0.0.1</interserver_http_host>
  <path>{folder}/data/</path><tmp_path>{folder}/tmp/</tmp_path>
  <users_config>{users}</users_config><default_profile>default</default_profile><default_database>default</default_database>
  <mark_cache_size>67108864</mark_cache_size><uncompressed_cache_size>0</uncompressed_cache_size>
  <compression><case><min_part_size>0</min_part_size><min_part_size_ratio>0</min_part_size_ratio>
    <method>zstd</method></case></compression>
  <zookeeper><node><host>127.0.0.1</host><port>{zookeeper}</port></node>
    <session_timeout_ms>10000</session_timeout_ms></zookeeper>
  <distributed_ddl><path>/clickhouse/task_queue/ddl</path></distributed_ddl>
  <macros><shard>{shard}</shard><replica>node{node}</replica></macros>
  <remote_servers>
    <evt><shard><internal_replication>true</internal_replication>{replicas}</shard></evt>
    <evt_shards>{shards}</evt_shards>
  </remote_servers>
</yandex>
"""

USERS = """<?xml version="1.0"?>
<yandex>
  <profiles><default><max_memory_usage>2000000000</max_memory_usage><max_threads>2</max_threads>
    <insert_distributed_sync>1</insert_distributed_sync><log_queries>0</log_queries>
    <allow_experimental_low_cardinality_type>1</allow_experimental_low_cardinality_type></default></profiles>
  <users><default><password></password><networks><ip>127.0.0.1</ip></networks>
    <profile>default</profile><quota>default</quota></default></users>
  <quotas><default></default></quotas>
</yandex>
"""

ZOOKEEPER = """tickTime=1000
dataDir={folder}
clientPort={port}
clientPortAddress=127.0.0.1
admin.enableServer=false
4lw.commands.whitelist=srvr
"""


class Refused(Exception):
    """What a server answered instead of rows."""


class Unreachable(Exception):
    """Whether a server did what it was asked is not known."""


def free_ports(count):
    """Ports that nothing listens on, below those that the system gives to connections: a node that was killed has its own again."""
    ports = set()
    while len(ports) < count:
        port = random.randrange(15000, 30000)
        with socket.socket() as free:
            try:
                free.bind(("127.0.0.1", port))
            except OSError:
                continue
        ports.add(port)
    return sorted(ports)


def wait_until(is_so, what):
    """Asks until it is so; an error behind the deadline."""
    end = time.monotonic() + DEADLINE
    while not is_so():
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {DEADLINE} s")
        time.sleep(0.1)


class Cluster:
    """The programs of a folder: of this process, or of an earlier one."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        self.root = self.folder / "root"
        self.run = self.folder / "run"
        self.ports = {}

    def client(self, node=1):
        """The command of clickhouse-client for a node."""
        return [self._file("usr/bin/clickhouse-client"), "--host", "127.0.0.1", "--port", str(self.ports[f"tcp{node}"])]

    def _file(self, path):
        """Of a package: unpacked, or installed."""
        return self.root / path if (self.root / path).exists() else pathlib.Path("/") / path

    def environment(self):
        """In which the programs find the libraries that are unpacked."""
        libraries = sorted({str(path.parent) for path in self.root.glob("usr/lib/*/*.so*")})
        return {**os.environ, "LD_LIBRARY_PATH": ":".join(libraries), "TZ": "UTC"}

    def start(self, shards=False):
        """From empty folders. With `shards`, replicas are of different shards: for the cluster `evt_shards`."""
        self.stop()
        names = ["zookeeper"] + [f"{kind}{node}" for node in NODES for kind in ("tcp", "http", "interserver")]
        self.ports = dict(zip(names, free_ports(len(names))))
        self.run.mkdir(parents=True)
        (self.run / "users.xml").write_text(USERS)
        replica = "<replica><host>127.0.0.1</host><port>{}</port></replica>"
        replicas = [replica.format(self.ports[f"tcp{node}"]) for node in NODES]
        for node in NODES:
            folder = self.run / f"node{node}"
            for each in ("data", "tmp"):
                (folder / each).mkdir(parents=True)
            (folder / "config.xml").write_text(SERVER.format(
                folder=folder, node=node, users=self.run / "users.xml", shard=node if shards else 1,
                zookeeper=self.ports["zookeeper"], replicas="".join(replicas),
                shards="".join(f"<shard>{each}</shard>" for each in replicas),
                **{kind: self.ports[f"{kind}{node}"] for kind in ("tcp", "http", "interserver")}))
        self._start_zookeeper()
        for node in NODES:
            self.start_node(node, wait=False)
        for node in NODES:
            self.wait_for(node)

    def _spawn(self, name, command):
        # The shell ends at once: what it starts is no child of this process, and may outlive it.
        shell = ["sh", "-c", '"$@" >>"$0" 2>&1 & echo $!', self.run / f"{name}.out", *command]
        pid = subprocess.run(shell, cwd=self.run, env=self.environment(), check=True, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, text=True, start_new_session=True).stdout
        (self.run / f"{name}.pid").write_text(pid)

    def _start_zookeeper(self):
        folder = self.run / "zookeeper"
        folder.mkdir()
        config = self.run / "zoo.cfg"
        config.write_text(ZOOKEEPER.format(folder=folder, port=self.ports["zookeeper"]))
        self._spawn("zookeeper", ["java", "-Xmx256m", "-cp", ":".join(self._class_path()),
                                  "org.apache.zookeeper.server.quorum.QuorumPeerMain", config])
        wait_until(self._zookeeper_answers, "ZooKeeper does not answer")

    def _class_path(self):
        """Of what ZooKeeper's archive names."""
        archive = self._file("usr/share/java/zookeeper.jar")
        manifest = zipfile.ZipFile(archive).read("META-INF/MANIFEST.MF").decode().replace("\r\n", "\n").replace("\n ", "")
        [line] = [line for line in manifest.splitlines() if line.startswith("Class-Path:")]
        return [str(archive)] + [str(self._file(path.lstrip("/"))) for path in line.split()[1:]]

    def _zookeeper_answers(self):
        try:
            with socket.create_connection(("127.0.0.1", self.ports["zookeeper"]), timeout=5) as connection:
                connection.sendall(b"srvr")
                return connection.recv(4) == b"Zook"  # or: This ZooKeeper is not currently serving requests
        except OSError:
            return False

    def start_node(self, node, wait=True):
        self._spawn(f"node{node}", [self._file("usr/sbin/clickhouse-server"),
                                    f"--config-file={self.run / f'node{node}' / 'config.xml'}"])
        if wait:
            self.wait_for(node)

    def wait_for(self, node):
        def answers():
            try:
                return self.query("select count() > 0 from system.zookeeper where path = '/'", node) == b"1\n"
            except (Refused, Unreachable):
                return False
        wait_until(answers, f"node {node} does not answer")

    def kill(self, name):
        """At once, as a machine that loses its power."""
        self._end(name, signal.SIGKILL)

    def _end(self, name, by):
        path = self.run / f"{name}.pid"
        if not path.exists():
            return
        pid = int(path.read_text())
        path.unlink()
        # The number may be another program's by now.
        if self._is_ours(pid):
            os.kill(pid, by)
            wait_until(lambda: not self._is_ours(pid), f"{name} does not end")

    def _is_ours(self, pid):
        try:
            return str(self.run).encode() in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            return False

    def stop(self):
        for name in [f"node{node}" for node in NODES] + ["zookeeper"]:
            self._end(name, signal.SIGKILL)
        shutil.rmtree(self.run, ignore_errors=True)

    def query(self, text, node=1, data=b""):
        """The bytes that the server answers; `data` are the rows of an insert."""
        url = f"http://127.0.0.1:{self.ports[f'http{node}']}/?{urllib.parse.urlencode({'query': text})}"
        try:
            with urllib.request.urlopen(urllib.request.Request(url, data=data), timeout=DEADLINE) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            raise Refused(error.read().decode(errors="replace").strip()) from error
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(f"node {node}: {error}") from error

    def rows(self, text, node=1):
        """Rows of texts."""
        return [line.split("\t") for line in self.query(text, node).decode().splitlines()]


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("start", "stop"):
        sys.exit(__doc__)
    cluster = Cluster(sys.argv[2])
    if sys.argv[1] == "stop":
        return cluster.stop()
    try:
        cluster.start()
    except BaseException:
        cluster.stop()
        raise
    library_path = cluster.environment()["LD_LIBRARY_PATH"]
    for node in NODES:
        print(f"node {node}: LD_LIBRARY_PATH={library_path} {' '.join(map(str, cluster.client(node)))}"
              f"    http://127.0.0.1:{cluster.ports[f'http{node}']}/")


if __name__ == "__main__":
    main()
