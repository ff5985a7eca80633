#!/usr/bin/env python3
"""The figures of README.md: what recording and reading cost, beside programs that do the same.

usage: readme.py BIN_FOLDER [--rounds N] [--write README]

Prints a table in Markdown, or puts it into README between the two comments that mark its place. What cannot be measured
here is a dash, with a sentence on standard error. All figures are medians of N rounds (5) on one machine.
"""
import argparse
import datetime
import os
import platform
import struct
import subprocess
import sys
import tempfile
import time

import ghc
import programs
from figures import Figures, Unavailable, memory_of, quartiles
from lttng import Lttng

WORK = os.path.join("build", "bench")  # compiled peers
BEGIN, END = "<!-- by ./dev bench --readme -->\n", "<!-- end -->\n"
TALLY = struct.Struct("<QQ48x")  # EventTally of examples/work_stealing.h: events begun, events done
KILLS = 20


class Memory:
    """The most memory that a reader has while it counts two million events."""

    name = "memory"

    def __init__(self, commands):
        self.commands = commands

    def measure(self, _methods):
        return {name: memory_of(command) / 2**20 for name, command in self.commands.items()}


class Kills:
    """Programs that are killed with SIGKILL while two threads record: of how many events, how many are not read again."""

    name = "kills"

    def __init__(self, folder, bin_folder):
        self.folder, self.bin = folder, bin_folder

    def measure(self, _methods):
        recorded = lost = 0
        for _ in range(KILLS):
            done, found = self.kill()
            recorded += done
            lost += max(done - found, 0)
        return {"killed:events": recorded, "killed:lost": lost}

    def kill(self):
        trace, tally = (os.path.join(self.folder, name) for name in ("killed.evt", "tally"))
        for path in (trace, tally):
            if os.path.exists(path):
                os.unlink(path)
        program = subprocess.Popen([os.path.join(self.bin, "parsort"), "-n", "300000", "-c", "300", "-r", "0", "-w", "2",
                                    "-o", trace, "-t", tally], stdout=subprocess.DEVNULL)
        end = time.monotonic() + 30
        while events_done(tally) < 20000 and time.monotonic() < end:
            time.sleep(0.01)
        program.kill()
        program.wait()
        evt = os.path.join(self.bin, "evt")
        subprocess.run([evt, "check", "--recover", trace], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        return events_done(tally), int(subprocess.run([evt, "dump", "--count", trace], capture_output=True, text=True,
                                                      check=True).stdout)


def events_done(tally):
    try:
        with open(tally, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return 0
    return sum(done for _, done in TALLY.iter_unpack(data[:len(data) // TALLY.size * TALLY.size]))


def sources(bin_folder, logs):
    """Those that can be measured here."""
    evt = os.path.join(bin_folder, "evt")
    os.makedirs(WORK, exist_ok=True)
    programs.write_logs(os.path.join(bin_folder, "evt_same_events"), logs)
    ours = [evt, "dump", "--count", os.path.join(logs, "8", "rows.evt")]
    ctf = ["babeltrace2", os.path.join(logs, "8", "ctf"), "-c", "sink.utils.counter", "-p", "step=+0"]
    figures = "HotRows/1|RestsColumns/1"
    makers = [("evt_bench", lambda: programs.GoogleBenchmark(os.path.join(bin_folder, "evt_bench"),
                                                             [f"--benchmark_filter=^({figures})(/[a-z_]+(:[0-9]+)?)*$"])),
              ("evt dump", lambda: programs.ours(evt, logs)),
              ("kills", lambda: Kills(logs, bin_folder)),
              ("LTTng-UST", lambda: Lttng(os.path.abspath(WORK))),
              ("babeltrace2", lambda: programs.babeltrace2(logs)),
              ("memory", lambda: Memory({"evt count 8:MiB": ours})),
              ("memory of babeltrace2", lambda: Memory({"babeltrace2 count 8:MiB": ctf})),
              ("GHC's runtime", lambda: ghc.Runtime(WORK)), ("ghc-events", lambda: ghc.reader(WORK, logs)),
              ("memory of ghc-events", lambda: Memory({"ghc-events count 8:MiB": [
                  os.path.join(WORK, "GhcRead"), "sort", os.path.join(logs, "8", "ghc.eventlog")]}))]
    found = []
    for name, make in makers:
        try:
            found.append(make())
        except Unavailable as reason:
            print(f"readme: {name} is left out: {reason}", file=sys.stderr)
    return found


def measure(found, rounds):
    figures = Figures()
    for number in range(rounds):
        values = {}
        for source in list(found) if number % 2 == 0 else list(reversed(found)):
            try:
                values.update(source.measure(figures.methods))
            except Unavailable as reason:
                print(f"readme: {source.name} is left out: {reason}", file=sys.stderr)
                found.remove(source)
        figures.add_round(values)
    return figures


def table(figures, rounds):
    def cell(name, show):
        found = quartiles(figures.of(name))
        return "-" if found is None else show(found[1])

    def ns(name):
        return cell(name, lambda value: f"{value:.0f} ns")

    def size(name):
        return cell(name, lambda value: f"{value:.1f} B")

    def rate(name):
        return cell(name, lambda value: f"{1e3 / value:.1f} M/s")

    def memory(name):
        return cell(name, lambda value: f"{value:.0f} MiB")

    killed, lost = (sum(v or 0 for v in figures.of(name)) for name in ("killed:events", "killed:lost"))
    return "\n".join([
        "| | evtrace | LTTng-UST, babeltrace2 | GHC's runtime, ghc-events |", "|---|---|---|---|",
        f"| cost to the recording thread, per event | {ns('HotRows/1:hot_ns')} | {ns('lttng 1:hot_ns')} | - |",
        f"| total cpu time, per event | {ns('HotRows/1')} | {ns('lttng 1')} | {ns('ghc emit')} |",
        f"| bytes per event | {size('HotRows/1:bytes')} | {size('lttng 1:bytes')} | {size('ghc emit:bytes')} |",
        f"| bytes per event, compressed while recording | {size('RestsColumns/1:bytes')} | - | - |",
        f"| read speed, in time order | {rate('evt count 8')} | {rate('babeltrace2 count 8')} | "
        f"{rate('ghc-events count 8')} |",
        f"| memory to read 2 million events | {memory('evt count 8:MiB')} | {memory('babeltrace2 count 8:MiB')} | "
        f"{memory('ghc-events count 8:MiB')} |",
        f"| events lost when {KILLS * rounds} programs were killed | {lost:,.0f} of {killed:,.0f} | - | - |", "",
        f"By `./dev bench --readme` on {datetime.date.today()}: {'one round' if rounds == 1 else f'medians of {rounds} rounds'}, two processors "
        f"({platform.machine()}), Debian's versions of the other tools, with default settings. A dash means not measured.", ""])


def put_into(path, text):
    with open(path) as file:
        document = file.read()
    begin, end = document.index(BEGIN) + len(BEGIN), document.index(END)
    with open(path, "w") as file:
        file.write(document[:begin] + text + document[end:])


def main():
    parser = argparse.ArgumentParser(prog="readme", description="the figures of README.md")
    parser.add_argument("bin", help="the folder of the programs")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="N rounds instead of 5")
    parser.add_argument("--write", metavar="README", help="puts the table into this file")
    arguments = parser.parse_args()
    found = []
    with tempfile.TemporaryDirectory(prefix="evt-bench-") as logs:
        try:
            found = sources(arguments.bin, logs)
            figures = measure(list(found), max(arguments.rounds, 1))
        finally:
            for source in found:
                getattr(source, "close", lambda: None)()
    text = table(figures, max(arguments.rounds, 1))
    print(text)
    if arguments.write:
        put_into(arguments.write, text)


if __name__ == "__main__":
    main()
