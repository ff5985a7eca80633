"""What is measured by running programs as users do: google-benchmark's, ours, and those that read other formats."""
import json
import os
import re
import shutil
import subprocess

from figures import Unavailable, memory_of, output_of, seconds_of
from rows import benchmarks

EVENTS = 2_000_000


class GoogleBenchmark:
    name = "evt_bench"

    def __init__(self, program, options):
        # Behind the name of one may stand how often and by which clock it runs.
        names = "|".join(benchmarks())
        self.command = [program, "--benchmark_format=json", "--benchmark_min_time=0.05",
                        "--benchmark_enable_random_interleaving=true",
                        f"--benchmark_filter=^({names})(/[a-z_]+(:[0-9]+)?)*$", *options]

    def measure(self, methods):
        output = output_of(self.command)
        if not output.startswith("{"):
            raise Unavailable("no benchmark has such a name")
        values = {}
        for run in json.loads(output)["benchmarks"]:
            # Names tell how often and by which clock, too: rows need not.
            name = re.sub(r"/(iterations:\d+|manual_time|real_time|process_time)", "", run["run_name"])
            if run.get("error_occurred"):
                continue
            values[name] = of_one_event(run)
            methods[name] = "google-benchmark, " + ("elapsed time" if "/real_time" in run["run_name"] else
                                                    "processor time") + " of an event"
            for key, value in run.items():
                if key not in NO_COUNTERS and isinstance(value, (int, float)):
                    values[f"{name}:{key}"] = value
        return values


NO_COUNTERS = {"family_index", "per_family_instance_index", "repetitions", "repetition_index", "threads", "iterations",
               "real_time", "cpu_time", "events", "items_per_second"}


def of_one_event(run):
    """ns of an event: processor time, but elapsed time where several threads run at once."""
    own_clock = "/real_time" in run["run_name"] or "/manual_time" in run["run_name"]
    time = run["real_time"] if own_clock else run["cpu_time"]
    scale = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[run["time_unit"]]
    # Of several threads google-benchmark gives the time that they need together.
    return time * scale * run.get("threads", 1) / run.get("events", 1)


class Commands:
    """Programs that read what evt_same_events wrote. Each is run once first, and must find all events."""

    method = "processor time of a whole run of the program, user and system, by event of two million"

    def __init__(self, name, counting, printing, converting=None):
        self.name = name
        self.counting = counting
        self.printing = printing
        self.converting = converting or {}
        for figure, command in counting.items():
            numbers = re.findall(r"\d+", output_of(command).replace("_", ""))
            if str(EVENTS) not in numbers:
                raise Unavailable(f"{figure} did not find {EVENTS} events")
        for figure, command in printing.items():
            if lines_of(command) < EVENTS:
                raise Unavailable(f"{figure} printed less than {EVENTS} lines")

    def measure(self, methods):
        values = {}
        for figure, command in {**self.counting, **self.printing, **self.converting}.items():
            processor, elapsed = seconds_of(command)
            values[figure] = processor * 1e9 / EVENTS
            values[figure + ":elapsed"] = elapsed * 1e9 / EVENTS
            methods[figure] = self.method
        return values


class SlowStreams:
    """Two simulated hours of a thousand streams with an event a second each."""

    name = "evt_slow_streams"
    streams, minutes = 1000, 120

    def __init__(self, program, evt, folder):
        self.program, self.evt, self.path = program, evt, os.path.join(folder, "slow.evt")

    def measure(self, methods):
        values = {"slow streams:row bytes/event": 16.0}
        for figure, options in (("slow streams", []), ("slow streams columns", ["--compact"])):
            output_of([self.program, *options, str(self.streams), str(self.minutes), self.path])
            values[f"{figure}:bytes/event"] = os.path.getsize(self.path) / (self.streams * self.minutes * 60)
            values[f"{figure}:reader MiB"] = memory_of([self.evt, "dump", "--count", self.path]) / 2**20
            os.remove(self.path)
            methods[figure] = "the size of a file; the largest resident memory of a whole run of the program"
        return values


class Statistics:
    """Analyses of a scheduler's trace, and later questions that checkpoints answer."""

    name = "evt stats"
    events = 8_000_000
    analyses = ("cpu", "threads", "events")
    analyses_of_calls = ("spans", "share", "usage", "overhead")

    def __init__(self, program, evt, folder):
        self.evt, self.path = evt, os.path.join(folder, "schedule.evt")
        self.calls = os.path.join(folder, "calls.evt")
        self.cache = os.path.join(folder, "cache")
        output_of([program, str(self.events), self.path])
        output_of([program, "--calls", str(self.events), self.calls])

    def measure(self, methods):
        values = {}
        count = [self.evt, "dump", "--count", self.path]
        # In no order, so that nothing can be guessed of the next event.
        commands = {"count": count, "count where": [*count, "--where", "thread>500"]}
        commands |= {analysis: [self.evt, "stats", analysis, "--no-checkpoints", self.path] for analysis in self.analyses}
        commands |= {analysis: [self.evt, "stats", analysis, self.calls] for analysis in self.analyses_of_calls}
        commands["overhead"] += ["--cost", "40"]
        for figure, command in commands.items():
            values[f"evt stats {figure}"] = seconds_of(command)[0] * 1e9 / self.events
            methods[f"evt stats {figure}"] = "processor time of a whole run of the program, user and system, by event"
        at = ["env", "XDG_CACHE_HOME=" + self.cache, self.evt, "stats", "cpu", "--at", "1.5", self.path]
        values["evt stats at, first"] = seconds_of(at)[1] * 1e9
        values["evt stats at, later"] = min(seconds_of(at)[1] for _ in range(5)) * 1e9
        values["evt stats at:from rows"] = seconds_of([*at, "--no-checkpoints"])[1] * 1e9
        values["evt stats indexed"] = min(seconds_of([self.evt, "stats", "events", self.path])[1] for _ in range(5)) * 1e9
        kept = list(os.scandir(os.path.join(self.cache, "evtrace")))
        # A row has a header of 8 bytes, and 12 or 18 of a run or a stop.
        values["evt stats state:bytes/event"] = sum(each.stat().st_size for each in kept) / self.events
        values["evt stats rows:bytes/event"] = 8 + (12 + 18) / 2
        shutil.rmtree(self.cache)
        return values


class Merging:
    """Eight traces into one, beside copying their bytes."""

    name = "evt merge"
    inputs, events = 8, 500_000

    def __init__(self, program, evt, folder):
        self.evt, self.folder = evt, os.path.join(folder, "merge")
        for i in range(self.inputs):
            output_of([program, os.path.join(self.folder, str(i)), "1", str(self.events)])

    def measure(self, methods):
        values = {}
        for kind in ("rows", "columns"):
            files = [os.path.join(self.folder, str(i), kind + ".evt") for i in range(self.inputs)]
            merged = os.path.join(self.folder, "merged.evt")
            merge = [self.evt, "merge", *files, "-o", merged]
            copy = ["sh", "-c", 'cat "$@" > ' + merged, "cat", *files]
            for figure, command in ((f"copy 8 {kind}", copy), (f"evt merge 8 {kind}", merge)):
                values[figure] = seconds_of(command)[0] * 1e9 / (self.inputs * self.events)
                methods[figure] = "processor time of a whole run of the program, user and system, by event of four million"
            values[f"evt merge 8 {kind}:MiB"] = memory_of(merge) / 2**20
            os.remove(merged)
        return values


def lines_of(command):
    lines = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        while piece := process.stdout.read(1 << 20):
            lines += piece.count(b"\n")
    return lines


def write_logs(program, folder):
    for streams in (1, 8, 64):
        output_of([program, os.path.join(folder, str(streams)), str(streams), str(EVENTS)])


def ours(evt, logs):
    def log(streams, kind):
        return os.path.join(logs, str(streams), kind + ".evt")

    return Commands("evt dump",
                    {"evt count 1": [evt, "dump", "--count", log(1, "rows")],
                     "evt count 8": [evt, "dump", "--count", log(8, "rows")],
                     "evt count 8 columns": [evt, "dump", "--count", log(8, "columns")],
                     "evt count 64": [evt, "dump", "--count", log(64, "rows")]},
                    {"evt text 8": [evt, "dump", log(8, "rows")],
                     "evt text 8 columns": [evt, "dump", log(8, "columns")]})


def ours_of_eventlogs(evt, logs):
    def log(streams):
        return os.path.join(logs, str(streams), "ghc.eventlog")

    return Commands("eventlogs",
                    {"evt eventlog count 8": [evt, "dump", "--count", log(8)]},
                    {"evt eventlog text 8": [evt, "dump", log(8)]},
                    {"evt eventlog convert 8": [evt, "convert", log(8), "-o", os.path.join(logs, "converted.evt")]})


def babeltrace2(logs):
    def count(streams):
        return ["babeltrace2", os.path.join(logs, str(streams), "ctf"), "-c", "sink.utils.counter", "-p", "step=+0"]

    return Commands("babeltrace2", {"babeltrace2 count 8": count(8), "babeltrace2 count 64": count(64)},
                    {"babeltrace2 text 8": ["babeltrace2", os.path.join(logs, "8", "ctf")]})
