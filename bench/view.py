#!/usr/bin/env python3
"""What looking at a large trace costs: evt view as a page asks it, in a browser where chromium is there, and its files.

    view.py BIN_FOLDER [--events N] [--rounds N]

The trace is of a scheduler: 1,000 threads on 16 cpus. Each figure is the median of the rounds, with its quartiles. In a
round `evt stats threads` reads the same trace: reading all of it for the page is a ratio to that. A frame is what the
page takes between two pictures while a key is held, of a window of 1600 x 1000 pixels without a graphics processor.
"""
import http.client
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from figures import Unavailable, arguments_of, print_goals, seconds_of, usage_of

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests", "view"))
import browser  # noqa: E402

COLUMNS = 1024
MOST_ROWS = 64
SMALL = 2_000_000  # events


class Server:
    """evt view of a trace, asked over one connection as the page asks it."""

    def __init__(self, evt, trace, cache=""):
        """`cache`: a folder in which the timeline is kept; nothing is, without."""
        self.begin = time.monotonic()
        options = [] if cache else ["--no-cache"]
        environment = {**os.environ, "XDG_CACHE_HOME": cache} if cache else None
        self.process = subprocess.Popen([evt, "view", "--no-open", *options, trace], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
        self.url = self.process.stdout.readline().strip()
        address, token = re.match(r"http://([^/]+)/#k=(.*)", self.url).groups()
        self.connection = http.client.HTTPConnection(address)
        self.headers = {"X-Evt-Token": token}

    def get(self, path):
        self.connection.request("GET", path, headers=self.headers)
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            sys.exit(f"view: {path} is answered with status {answer.status}")
        return body

    def seconds(self, path):
        begin = time.monotonic()
        self.get(path)
        return time.monotonic() - begin

    def processor_seconds(self):
        with open(f"/proc/{self.process.pid}/stat", encoding="utf-8") as file:
            user, system = file.read().rsplit(")", 1)[1].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as file:
            return int(re.search(r"VmHWM:\s+(\d+) kB", file.read())[1]) * 1024

    def close(self):
        self.process.terminate()
        self.process.wait()


def tile(level, index, rows):
    return f"/v1/tiles?s=0&l={level}&i={index}&r={rows}"


def first_picture(server):
    """Milliseconds since the server's start; the session, and the level of the tile."""
    session = json.loads(server.get("/v1/trace"))["sessions"][0]
    rows = json.loads(server.get("/v1/rows?s=0"))["rows"]
    whole = max(0, (int(session["to"]) // COLUMNS).bit_length())
    server.get(tile(whole, 0, f"0-{min(len(rows), MOST_ROWS) - 1}"))
    return (time.monotonic() - server.begin) * 1e3, session, whole


def asked(evt, trace, events):
    """What the page's requests take, in the order in which it makes them."""
    server = Server(evt, trace)
    milliseconds, session, whole = first_picture(server)
    values = {"first picture, ms": milliseconds, "page, KB": len(server.get("/")) / 1e3}
    server.get("/v1/progress")
    values["reading, s"] = server.processor_seconds()
    rows = json.loads(server.get("/v1/rows?s=0"))["rows"]
    parts = [f"{low}-{min(low + MOST_ROWS, len(rows)) - 1}" for low in range(0, len(rows), MOST_ROWS)]
    times = [server.seconds(tile(whole + up, 0, part)) for up in range(3) for part in parts]
    values["a tile of 64 rows, p95, ms"] = statistics.quantiles(times, n=20)[-1] * 1e3
    middle = int(session["to"]) // 2
    # The finest level that is kept is answered at once; the one below it is read.
    below = whole
    seconds = 0.0
    while below > 0 and seconds < 0.05:
        below -= 1
        seconds = server.seconds(tile(below, middle >> below + 10, parts[0]))
    values["just below what is kept, ms"] = seconds * 1e3
    read = events * min(1.0, (1 << below + 10) / int(session["to"]))
    values["of a million events there, ms"] = seconds * 1e3 * 1e6 / read
    values["coarser, while that is read, ms"] = server.seconds(tile(below + 1, middle >> below + 11, parts[0])) * 1e3
    fine = max(0, below - 6)
    values["64 times finer, ms"] = server.seconds(tile(fine, middle >> fine + 10, parts[0])) * 1e3
    values["beside it, ms"] = server.seconds(tile(fine, (middle >> fine + 10) + 1, parts[0])) * 1e3
    values["memory, MB"] = server.memory() / 1e6
    server.close()
    return values


def opened_again(evt, trace, folder):
    """The first picture of a trace that was read before, which is all of it."""
    cache = os.path.join(folder, "cache")
    server = Server(evt, trace, cache)
    server.get("/v1/progress")
    server.close()
    server = Server(evt, trace, cache)
    milliseconds, _, _ = first_picture(server)
    if not json.loads(server.get("/v1/trace"))["complete"]:
        sys.exit("view: the timeline was not kept")
    server.close()
    shutil.rmtree(cache)
    return {"opened again, first picture, ms": milliseconds}


def by_checkpoints(evt, trace, folder):
    """The first picture of a trace that evt stats has read, and the page has not: of cpus it has all."""
    cache = os.path.join(folder, "cache")
    subprocess.run([evt, "stats", "cpu", "--at", "1ms", trace], env={**os.environ, "XDG_CACHE_HOME": cache}, stdout=subprocess.DEVNULL, check=True)
    server = Server(evt, trace, cache)
    milliseconds, _, _ = first_picture(server)
    server.close()
    shutil.rmtree(cache)
    return {"with checkpoints, first picture, ms": milliseconds}


def shown(evt, trace):
    """What a frame takes in a browser while the page moves, and what exact pixels take when it has come to rest."""
    server = Server(evt, trace)
    page = browser.Browser(1600, 1000)
    try:
        page.open(server.url)
        page.ready(300)
        for _ in range(4):
            page.key("w")
        page.ready(300)
        page.call("Performance.enable", timeDomain="threadTicks")
        before = script_seconds(page)
        times = page.js("""new Promise((done) => { const times = []; let last = 0;
          const step = (now) => { if (last) times.push(now - last); last = now;
            if (times.length === 120) return done(times);
            document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: times.length % 40 < 20 ? 'd' : 'a', bubbles: true }));
            requestAnimationFrame(step); }; requestAnimationFrame(step); })""")
        used = script_seconds(page) - before
        exact = exact_milliseconds(page)
        page.size(1600, 1000, 2)
        twice = exact_milliseconds(page)
    finally:
        page.close()
        server.close()
    return {"a frame while it moves, p95, ms": statistics.quantiles(times, n=20)[-1],
            "processor time of a frame, ms": used * 1e3 / len(times),
            "exact pixels, p95, ms": statistics.quantiles(exact, n=20)[-1],
            "exact pixels of 2 x 2, of those of 1": statistics.median(twice) / statistics.median(exact)}


def exact_milliseconds(page):
    """What the page takes to paint all exactly, after each of some moves."""
    found = []
    for move in range(20):
        page.js("performance.clearMeasures('exact')")
        page.key("d" if move % 2 else "a")
        page.ready(60)
        found.append(page.js("performance.getEntriesByName('exact').reduce((sum, one) => sum + one.duration, 0)"))
    return found


def script_seconds(page):
    return next(one["value"] for one in page.call("Performance.getMetrics")["metrics"] if one["name"] == "TaskDuration")


def written(evt, trace, folder):
    """Files that evt view makes of a trace of two million events: how large they are, and how long that takes."""
    values = {}
    for ending in ("svg", "pdf", "png", "html"):
        path = os.path.join(folder, "picture." + ending)
        rows = [] if ending == "html" else ["--rows", "cpus,cpu"]
        try:
            seconds, _ = seconds_of([evt, "view", "-o", path, *rows, trace])
        except Unavailable:
            continue
        values[ending + ", KB"] = os.path.getsize(path) / 1e3
        values[ending + ", s"] = seconds
    return values


def opened_file(folder):
    """From the file to all of its picture, without a server."""
    page = browser.Browser(1600, 1000)
    try:
        begin = time.monotonic()
        page.open("file://" + os.path.join(folder, "picture.html"))
        page.ready(60)
        return {"html opens, s": time.monotonic() - begin}
    finally:
        page.close()


def measure(bins, trace, small, events, folder):
    evt = os.path.join(bins, "evt")
    values = asked(evt, trace, events)
    values["evt stats threads, s"], _ = seconds_of([evt, "stats", "threads", trace])
    values["reading, of evt stats threads"] = values["reading, s"] / values["evt stats threads, s"]
    values.update(by_checkpoints(evt, trace, folder))
    values.update(opened_again(evt, trace, folder))
    values.update(written(evt, small, folder))
    if shutil.which("chromium"):
        values.update(opened_file(folder))
        values.update(shown(evt, trace))
    return values


# At most, on two processors with nothing else to do; of the sizes, anywhere.
GOALS = {"first picture, ms": 300, "page, KB": 60, "a tile of 64 rows, p95, ms": 5, "just below what is kept, ms": 1000,
         "of a million events there, ms": 100, "coarser, while that is read, ms": 50, "64 times finer, ms": 1000, "memory, MB": 200,
         "reading, of evt stats threads": 1.25, "opened again, first picture, ms": 1000,
         "with checkpoints, first picture, ms": 1000, "svg, KB": 200, "pdf, KB": 150,
         "svg, s": 0.5, "pdf, s": 0.5, "png, s": 0.5, "html, KB": 2000, "html opens, s": 1, "a frame while it moves, p95, ms": 17,
         "processor time of a frame, ms": 8, "exact pixels, p95, ms": 16, "exact pixels of 2 x 2, of those of 1": 4}


def main():
    arguments = arguments_of(__doc__, "bins", 3, events=8_000_000)
    with tempfile.TemporaryDirectory() as folder:
        trace, small = (os.path.join(folder, name) for name in ("schedule.evt", "small.evt"))
        for events, path in ((arguments.events, trace), (SMALL, small)):
            usage_of([os.path.join(arguments.bins, "evt_schedule"), str(events), path])
        rounds = [measure(arguments.bins, trace, small, arguments.events, folder) for _ in range(arguments.rounds)]
    print(f"evt view of {arguments.events:,} events; its files of {SMALL:,}")
    names = dict.fromkeys(name for values in rounds for name in values)
    left_out = {} if shutil.which("chromium") else {"frames": "chromium is not installed"}
    print_goals({name: (GOALS.get(name), "") for name in names}, ("",), rounds, left_out, arguments.json)


if __name__ == "__main__":
    main()
