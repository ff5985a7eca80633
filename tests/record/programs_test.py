#!/usr/bin/env python3
"""Stories of programs that people use, under evt run: their output and exit status are what they are without it.

usage: programs_test.py EVT [unittest options]

Each program runs by itself and in every way of recording that this evt has; one that is not installed is skipped by its
name. Servers are asked by clients that are recorded, and that are not.
"""
import contextlib
import csv
import glob
import http.server
import io
import os
import platform
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

EVT = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else "evt"
REFUSE_PERF = os.path.join(os.path.dirname(EVT), "refuse_perf")

# What is put before a program: in each the program is the same.
WAYS = {
    "typed": [EVT, "run", "--calls", "all", "-o", "t.evt", "--"],
    "typed without perf": [REFUSE_PERF, EVT, "run", "-o", "t.evt", "--"],
}
if platform.machine() == "x86_64":  # where functions are hooked
    WAYS["traced"] = [EVT, "run", "--all-calls", "-o", "t.evt", "--"]
    WAYS["counting"] = [EVT, "run", "--all-calls", "--count", "-o", "t.evt", "--"]
# The same function, by the system's name for it.
SYSTEM_NAMES = {"pread": "pread64", "pwrite": "pwrite64", "open": "openat", "openat": "openat"}


def read(path):
    with open(path, "rb") as file:
        return file.read()


class Programs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="evt-programs-")
        self.addCleanup(self.folder.cleanup)
        self.environment = dict(os.environ, LC_ALL="C", HOME=self.folder.name, TMPDIR=self.folder.name)
        shuffle = random.Random(1)
        words = [f"{shuffle.randrange(10**6):x}" for _ in range(2000)]
        self.write("text", "".join(" ".join(shuffle.choices(words, k=9)) + "\n" for _ in range(20_000)))

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def needs(self, *programs):
        for program in programs:
            if shutil.which(program) is None:
                self.skipTest(f"{program} is not installed")

    def run_it(self, before, words, text=b"", stderr=subprocess.DEVNULL):
        done = subprocess.run([*before, *words], input=text, stdout=subprocess.PIPE, stderr=stderr,
                              cwd=self.folder.name, env=self.environment, timeout=120)
        return done.returncode, done.stdout

    def same(self, words, text=b"", made=(), status=0):
        """The program's status, output and the files that it makes, in every way of recording."""
        self.needs(words[0])

        def outcome(before):
            for name in made:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(self.path(name))
            return *self.run_it(before, words, text), [read(self.path(name)) for name in made]

        plain = outcome([])
        self.assertEqual(plain[0], status, f"{words[0]} by itself")
        for way, before in WAYS.items():
            with self.subTest(way=way):
                self.assertEqual(outcome(before), plain)
                self.assertEqual(self.run_it([], [EVT, "check", "t.evt"])[0], 0)

    def calls(self):
        """Calls by function of the trace that was recorded last."""
        _, text = self.run_it([], [EVT, "stats", "usage", "--by", "function", "--csv", "t.evt"])
        counts = {}
        for row in csv.DictReader(io.StringIO(text.decode())):
            counts[row["function"]] = counts.get(row["function"], 0) + int(row["calls"])
        return counts

    def counted_as_strace_counts(self, words, functions, made=()):
        """Of programs with one thread, for functions that the C library does not call by itself."""
        self.needs("strace")
        if self.run_it([], ["strace", "-o", "s", "true"])[0] != 0:
            self.skipTest("strace cannot be run here")
        self.run_it([], ["strace", "-f", "-o", "s", *words])
        for name in made:
            os.unlink(self.path(name))
        self.run_it(WAYS["typed"], words)
        recorded = self.calls()
        traced = read(self.path("s")).decode(errors="replace")
        for function in functions:
            name = SYSTEM_NAMES.get(function, function)
            count = len(re.findall(rf"^\d+ +{name}\(", traced, re.MULTILINE))
            self.assertGreater(count, 0, function)
            self.assertEqual(recorded.get(function, 0), count, function)

    def test_xz(self):
        self.same(["xz", "-T1", "-k", "-c", "text"])
        self.same(["xz", "-T2", "-k", "-c", "text"])
        # The loader and the C library read and open files, too, but write none.
        self.counted_as_strace_counts(["xz", "-T1", "-k", "-f", "text"], ["write"])

    def test_pigz(self):
        self.same(["pigz", "-n", "-p2", "-k", "-c", "text"])

    def test_pbzip2(self):
        self.same(["pbzip2", "-p2", "-k", "-c", "text"])

    def test_zstd(self):
        self.same(["zstd", "-q", "-T2", "-c", "text"])

    def test_python3(self):
        program = "import hashlib, json, threading\ndone = []\n" \
                  "t = [threading.Thread(target=done.append, args=(1,)) for _ in range(4)]\n" \
                  "[x.start() for x in t]; [x.join() for x in t]; print(done)\n" \
                  "print(hashlib.sha256(open('text', 'rb').read()).hexdigest(), len(json.dumps(list(range(10000)))))"
        self.same([os.path.realpath(sys.executable), "-c", program])
        self.same([os.path.realpath(sys.executable), "-c", "import sys; sys.exit(3)"], status=3)

    def test_sqlite3(self):
        self.write("q.sql", "create table t(a integer primary key, b text);\n"
                   "insert into t with recursive c(x) as (select 1 union all select x+1 from c where x<20000)"
                   " select x, hex(x*7919) from c;\nselect count(*), max(b) from t;\n.quit\n")
        self.same(["sqlite3", "t.db", ".read q.sql"], made=["t.db"])
        self.counted_as_strace_counts(["sqlite3", "u.db", "create table t(a); insert into t values(1);"],
                                      ["pwrite", "fdatasync"], made=["u.db"])

    def test_git(self):
        self.needs("git")
        name = ["-c", "user.name=a", "-c", "user.email=a@b"]
        self.run_it([], ["git", "init", "-q", "r"])
        for n in range(20):
            self.write("r/file", str(n) * 1000)
            self.run_it([], ["git", "-C", "r", "add", "file"])
            self.run_it([], ["git", "-C", "r", *name, "commit", "-q", "-m", f"number {n}"])
        self.same(["git", "-C", "r", "log", "--stat", "-p"])
        self.same(["git", "-C", "r", "log", "nonesuch"], status=128)

    def test_compiler(self):
        self.write("a.cc", "#include <cstdio>\nint main() { std::puts(\"hello\"); }\n")
        self.same(["g++", "-O1", "-o", "a", "a.cc"], made=["a"])

    def test_sort(self):
        self.same(["sort", "text"])
        self.same(["sort", "-S", "100k", "--parallel=2", "text"])

    def test_a_pipe_of_two(self):
        self.same(["sh", "-c", "tar cf - --mtime=@0 --owner=0 --group=0 text | gzip -n -c"])

    def test_evt_under_a_preloaded_allocator(self):
        """As in images that preload one for all programs: the program's status and the summary."""
        program = ["sh", "-c", "i=0; while [ $i -lt 60 ]; do /bin/true; i=$((i+1)); done; exit 7"]
        found = 0
        for name in ["libjemalloc.so.2", "libtcmalloc_minimal.so.4", "libmimalloc.so.2.0"]:
            path = glob.glob(f"/usr/lib/*/{name}")
            if not path:
                continue
            found += 1
            for way, before in WAYS.items():
                with self.subTest(allocator=name, way=way):
                    environment = dict(self.environment, LD_PRELOAD=path[0])
                    done = subprocess.run([*before, *program], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                          cwd=self.folder.name, env=environment, timeout=120)
                    self.assertEqual((done.returncode, done.stdout), (7, b""))
                    self.assertIn(b"exit status 7", done.stderr)
                    self.assertIn(b"the trace is t.evt", done.stderr)
        if found == 0:
            self.skipTest("libjemalloc2, libtcmalloc-minimal4 and libmimalloc2.0 are not installed")

    def test_a_static_program(self):
        busybox = shutil.which("busybox", path="/bin:/usr/bin")
        if busybox is None or b"INTERP" in subprocess.run(["readelf", "-lW", busybox], stdout=subprocess.PIPE).stdout:
            self.skipTest("busybox-static is not installed")
        self.same([busybox, "sha1sum", "text"])
        _, err = self.summary([busybox, "sha1sum", "text"])
        self.assertIn("is statically linked: its calls are not recorded", err)

    def test_a_go_program(self):
        self.same(["fzf", "--filter", "abc"], text=read(self.path("text")))

    def summary(self, words):
        done = subprocess.run([EVT, "run", "-o", "t.evt", "--", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              cwd=self.folder.name, env=self.environment, timeout=120)
        return done.stdout, done.stderr.decode()

    def test_curl_of_a_server_here(self):
        folder = self.folder.name

        class Quiet(http.server.SimpleHTTPRequestHandler):
            def __init__(self, *arguments):
                super().__init__(*arguments, directory=folder)

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.same(["curl", "-sS", "--fail", f"http://127.0.0.1:{server.server_port}/text"])
        self.same(["curl", "-sS", "--fail", f"http://127.0.0.1:{server.server_port}/nonesuch"], status=22)

    @contextlib.contextmanager
    def server(self, before, words, port):
        """Recorded while it runs; asked to end by SIGTERM, as an administrator does."""
        process = subprocess.Popen([*before, *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, cwd=self.folder.name, env=self.environment)
        try:
            while process.poll() is None:
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                    break
                time.sleep(0.02)
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()

    def of_server(self, words, port, ask):
        """What `ask` has of it, and its status, in every way of recording."""
        self.needs(words[0])

        def outcome(before):
            with self.server(before, words, port) as process:
                answer = ask()
            return answer, process.returncode

        plain = outcome([])
        for way, before in WAYS.items():
            with self.subTest(way=way):
                self.assertEqual(outcome(before), plain)
                self.assertEqual(self.run_it([], [EVT, "check", "t.evt"])[0], 0)

    def test_redis(self):
        self.needs("redis-server", "redis-benchmark", "redis-cli")
        port = str(free_port())

        def ask():
            _, done = self.run_it([], ["redis-benchmark", "-p", port, "-t", "set,get", "-n", "4000", "-q", "--csv"])
            _, size = self.run_it([], ["redis-cli", "-p", port, "dbsize"])
            return len(done.splitlines()), size

        self.of_server(["redis-server", "--port", port, "--save", "", "--daemonize", "no"], int(port), ask)

    def test_nginx(self):
        port = free_port()
        self.write("n.conf", f"""daemon off; pid {self.path('n.pid')}; error_log {self.path('e.log')}; worker_processes 2;
events {{ worker_connections 64; }}
http {{ access_log off; client_body_temp_path {self.path('b')}; proxy_temp_path {self.path('p')};
  fastcgi_temp_path {self.path('f')}; uwsgi_temp_path {self.path('u')}; scgi_temp_path {self.path('s')};
  server {{ listen 127.0.0.1:{port}; root {self.folder.name}; }} }}
""")
        os.chmod(self.folder.name, 0o755)

        def ask():
            return [read_url(f"http://127.0.0.1:{port}/text") for _ in range(20)][-1]

        self.of_server(["nginx", "-c", self.path("n.conf")], port, ask)

    def test_memcached(self):
        port = free_port()

        def ask():
            with socket.create_connection(("127.0.0.1", port)) as one:
                for n in range(200):
                    one.sendall(b"set k%d 0 0 5\r\nhello\r\nget k%d\r\n" % (n, n))
                    answer = b""
                    while not answer.endswith(b"END\r\n"):
                        answer += one.recv(4096)
            return answer

        self.of_server(["memcached", "-p", str(port), "-l", "127.0.0.1", "-u", "nobody"], port, ask)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def read_url(url):
    import urllib.request
    with urllib.request.urlopen(url) as answer:
        return answer.read()


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
