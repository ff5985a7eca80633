#!/usr/bin/env python3
"""What looking at a large trace costs: evt view as a page asks it, in a browser where chromium is there, and its files.

    view.py BIN_FOLDER [--events N] [--rounds N]

The trace is of a scheduler: 1,000 threads on 16 cpus. Each figure is the median of the rounds, with its quartiles. In a
round `evt stats threads` reads the same trace: reading all of it for the page is a ratio to that. A frame is what the
page takes between two pictures while a key is held, of a window of 1600 x 1000 pixels without a graphics processor.
"""
import argparse
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

from figures import Unavailable, quartiles, seconds_of, usage_of

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests", "view"))
import browser  # noqa: E402

COLUMNS = 1024
MOST_ROWS = 64


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
    values = {"first picture, ms": milliseconds}
    server.get("/v1/progress")
    values["reading, s"] = server.processor_seconds()
    rows = json.loads(server.get("/v1/rows?s=0"))["rows"]
    parts = [f"{low}-{min(low + MOST_ROWS, len(rows)) - 1}" for low in range(0, len(rows), MOST_ROWS)]
    begin = time.monotonic()
    times = [server.seconds(tile(whole, 0, part)) for part in parts]
    values["all rows of one tile, ms"] = (time.monotonic() - begin) * 1e3
    times += [server.seconds(tile(whole, 0, part)) for part in parts]
    values["a tile of 64 rows, p95, ms"] = statistics.quantiles(times, n=20)[-1] * 1e3
    middle = int(session["to"]) // 2
    first = parts[0]
    fine = max(0, whole - 8)
    values["just below what is kept, ms"] = server.seconds(tile(max(0, whole - 1), middle >> max(0, whole - 1) + 10, first)) * 1e3
    values["below what is kept, ms"] = server.seconds(tile(fine, middle >> fine + 10, first)) * 1e3
    values["beside it, ms"] = server.seconds(tile(fine, (middle >> fine + 10) + 1, first)) * 1e3
    values["memory, MB"] = server.memory() / 1e6
    server.close()
    values["of a million events below, ms"] = values["below what is kept, ms"] * 1e6 / events
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


def shown(evt, trace):
    """What a frame takes in a browser, while the page moves and when it has come to rest."""
    server = Server(evt, trace)
    page = browser.Browser(1600, 1000)
    try:
        page.open(server.url)
        page.ready()
        for _ in range(4):
            page.key("w")
        page.ready()
        page.call("Performance.enable", timeDomain="threadTicks")
        before = script_seconds(page)
        times = page.js("""new Promise((done) => { const times = []; let last = 0;
          const step = (now) => { if (last) times.push(now - last); last = now;
            if (times.length === 120) return done(times);
            document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: times.length % 40 < 20 ? 'd' : 'a', bubbles: true }));
            requestAnimationFrame(step); }; requestAnimationFrame(step); })""")
        used = script_seconds(page) - before
    finally:
        page.close()
        server.close()
    return {"a frame while it moves, p95, ms": statistics.quantiles(times, n=20)[-1],
            "processor time of a frame, ms": used * 1e3 / len(times)}


def script_seconds(page):
    return next(one["value"] for one in page.call("Performance.getMetrics")["metrics"] if one["name"] == "TaskDuration")


def written(evt, trace, folder):
    """Files that evt view makes: how large they are, and how long that takes."""
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


def measure(bins, trace, events, folder):
    evt = os.path.join(bins, "evt")
    values = asked(evt, trace, events)
    values["evt stats threads, s"], _ = seconds_of([evt, "stats", "threads", trace])
    values["reading, of evt stats threads"] = values["reading, s"] / values["evt stats threads, s"]
    values.update(opened_again(evt, trace, folder))
    values.update(written(evt, trace, folder))
    if shutil.which("chromium"):
        values.update(shown(evt, trace))
    return values


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bins")
    parser.add_argument("--events", type=int, default=8_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "schedule.evt")
        usage_of([os.path.join(arguments.bins, "evt_schedule"), str(arguments.events), trace])
        rounds = [measure(arguments.bins, trace, arguments.events, folder) for _ in range(arguments.rounds)]
    print(f"evt view of {arguments.events:,} events")
    print(f"  {'':<36}{'median':>10}{'quartiles':>20}")
    for name in rounds[0]:
        low, median, high = quartiles([values.get(name) for values in rounds])
        print(f"  {name:<36}{median:>10.2f}{low:>10.2f}{high:>10.2f}")
    if not shutil.which("chromium"):
        print("Left out: frames, as chromium is not installed.")


if __name__ == "__main__":
    main()
