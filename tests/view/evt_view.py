"""Traces made of text, and `evt view` serving traces."""
import http.client
import json
import os
import random
import subprocess

BEGIN = "evtrace text 1\nsession start=1767225600.{:09} program=\"{}\"\n"
TYPES = """type 1 run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)
type 2 stop role=threadStop (thread u64 role=thread) (cpu u32 role=cpu)
type 3 in role=spanBegin (name text role=name)
type 4 out role=spanEnd
type 5 note role=mark (message text role=message)
type 6 gc.start role=gcStart (generation u16 role=generation)
type 7 gc.end role=gcEnd
type 8 depth role=counter (name text role=name) (value i64 role=value)
"""


# Two requests overlap, and a third begins when the first has ended; it is open at the end. One end has no begin.
ASYNC = """type 1 began role=asyncBegin (id u64 role=spanId) (name text role=name)
type 2 ended role=asyncEnd (id u64 role=spanId)
stream 1 "client"
stream 2 "server"
0.000000010 1 began id=1 name="request"
0.000000020 1 began id=2 name="request"
0.000000030 1 began id=7 name="dns"
0.000000035 2 ended id=7
0.000000050 2 ended id=1
0.000000055 2 ended id=9
0.000000060 2 began id=3 name="request"
0.000000080 2 ended id=2
0.000000090 1 began id=8 name="dns"
0.000000099 2 ended id=8
"""

# Two samples of a thread, of 15 and of 30 ns.
SAMPLES = """type 1 sample role=sample (thread u64 role=thread) (stack interned[] role=stack) (weight u64 role=weight unit=nanoseconds)
string 1 "main"
string 2 "parse"
stream 1 "main"
0.001000000 1 sample thread=7 stack=["main"] weight=15
0.002000000 1 sample thread=7 stack=["parse" "main"] weight=30
"""


def make_trace(evt, path, text, program="app", without_bytes=0, start=0):
    """A trace of the text's declarations and events, which begins `start` nanoseconds later than others."""
    lines = os.path.splitext(path)[0] + ".txt"
    with open(lines, "w", encoding="utf-8") as file:
        file.write(BEGIN.format(start, program) + text)
    subprocess.run([evt, "convert", lines, "-o", path], check=True)
    os.truncate(path, os.path.getsize(path) - without_bytes)
    return path


def busy_text(slices=400, seed=5):
    """Three threads on two cpus with spans, marks, a counter, collections and a loss: `slices` runs on each cpu."""
    choice = random.Random(seed)
    events = []
    for cpu in range(2):
        now = 1000
        for n in range(slices):
            thread, length = choice.choice((7, 8, 9)) + 10 * cpu, choice.randrange(200, 9000)
            events += [(now, f"{cpu + 1} run thread={thread} cpu={cpu}"), (now + length, f"{cpu + 1} stop thread={thread} cpu={cpu}")]
            if n % 5 == 0:
                events += [(now + 20, f'{cpu + 1} in name="step {n % 7}"'), (now + length - 20, f"{cpu + 1} out")]
            if n % 40 == 0:
                events.append((now + 50, f'{cpu + 1} note message="slice {n}"'))
            if n % 10 == 0:
                events.append((now + 60, f'{cpu + 1} depth name="queue" value={choice.randrange(100)}'))
            if n % 50 == 49:
                events += [(now + length + 100, f"{cpu + 1} gc.start generation=0"), (now + length + 2500, f"{cpu + 1} gc.end")]
            now += length + 3000
    events.append((400_000, "2 !lost count=3 cause=ring_full duration=0.000030000"))
    streams = 'stream 1 "cpu 0"\nstream 2 "cpu 1"\n'
    return TYPES + streams + "".join(f"{ns // 10**9}.{ns % 10**9:09} {what}\n" for ns, what in sorted(events, key=lambda one: one[0]))


class Served:
    """A running `evt view` of traces. It keeps nothing, unless the environment has a folder for that (XDG_CACHE_HOME)."""

    def __init__(self, evt, *traces, options=(), environment=None, standard_input=None):
        options = ["--no-cache", *options] if not environment or "XDG_CACHE_HOME" not in environment else options
        self.process = subprocess.Popen([evt, "view", "--no-open", *options, *traces], stdin=standard_input, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                        env={**os.environ, **(environment or {})})
        self.url = self.process.stdout.readline().strip()
        address, self.token = self.url.split("/#k=")
        self.host = address.removeprefix("http://")

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()

    def get(self, path, token=True):
        connection = http.client.HTTPConnection(self.host)
        connection.request("GET", path, headers={"X-Evt-Token": self.token} if token else {})
        response = connection.getresponse()
        body = response.read()
        connection.close()
        return response.status, body

    def json(self, path):
        status, body = self.get(path)
        assert status == 200, (path, status, body)
        return json.loads(body)
