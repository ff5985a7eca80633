#!/usr/bin/env python3
"""What tracing costs whole programs: parfib and parsort, with tracing off and on in turn.

    overhead.py BIN_FOLDER [--pairs N]

Each pair is one run with tracing off and one with it on, next to each other in time, and every other pair begins with
the one that is on: so that what else the machine does, and how it warms up, falls on both alike. The confidence
interval is that of the mean of the differences within the pairs.
"""
import argparse
import math
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass

PAPER = "GHC, 2009: Jones, Marlow, Singh: Parallel Performance Tuning for Haskell"


@dataclass
class Program:
    command: list  # what makes about two million events
    pairs: int
    paper: str  # with how often there was an event, on which the difference depends


PROGRAMS = [
    Program(["parfib", "-n", "44", "-c", "16"], 50, "+10 to 25 %, about 2,000,000 events, one each 9 us"),
    Program(["parsort", "-c", "50", "-r", "285"], 100, "not noticeable, about 300,000 events, one each 50 us"),
]


@dataclass
class Run:
    seconds: float
    events: int
    bytes: int


def run(command, trace):
    """Runs the program once; `trace` is the file it traces to, or none."""
    outcome = subprocess.run([*command, "-o", trace], stdout=subprocess.PIPE, text=True)
    if outcome.returncode != 0:
        sys.exit(f"overhead: {os.path.basename(command[0])} ended with status {outcome.returncode}")
    line = re.search(r"^([0-9.]+) s, ([0-9]+) events recorded, trace opened and closed in ([0-9.]+) s$", outcome.stdout,
                     re.MULTILINE)
    if line is None:  # also when it says that events were lost: those cost less
        sys.exit(f"overhead: not what was expected of {os.path.basename(command[0])}: {outcome.stdout!r}")
    size = 0
    if trace != "none":
        size = os.path.getsize(trace)
        os.unlink(trace)  # or the system would write it to the disk while the next run, with tracing off, is timed
    # Opening and closing the trace is part of what tracing costs.
    return Run(float(line[1]) + float(line[3]), int(line[2]), size)


def run_pairs(command, pairs, folder):
    """The runs with tracing off, and those with it on."""
    trace = os.path.join(folder, "overhead.evt")
    off, on = [], []
    both = [(off, "none"), (on, trace)]
    for _, path in both:
        run(command, path)  # the first runs load the program: not counted
    for pair in range(pairs):
        for runs, path in both if pair % 2 == 0 else reversed(both):
            runs.append(run(command, path))
        if sys.stderr.isatty():
            print(f"\r  {pair + 1} of {pairs} pairs ", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    return off, on


def t_quantile(degrees):
    """The 97.5 % quantile of Student's t, by its expansion around the normal one; off by 1 % at 3 degrees of freedom."""
    z = statistics.NormalDist().inv_cdf(0.975)
    return (z + (z**3 + z) / (4 * degrees) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)
            + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * degrees**3))


def report(program, off, on):
    off_times = [r.seconds for r in off]
    on_times = [r.seconds for r in on]
    differences = [b - a for a, b in zip(off_times, on_times)]
    base = statistics.mean(off_times)
    mean = statistics.mean(differences)
    half = t_quantile(len(off) - 1) * statistics.stdev(differences) / math.sqrt(len(off))
    events = statistics.mean(r.events for r in on)
    size = statistics.mean(r.bytes for r in on)

    def percent(seconds):
        return f"{100 * seconds / base:+.2f}"

    print(f"\n{' '.join(program.command)}: {len(off)} pairs")
    print(f"  tracing off   {base:.4f} s  standard deviation {statistics.stdev(off_times):.4f} s")
    print(f"  tracing on    {statistics.mean(on_times):.4f} s  standard deviation {statistics.stdev(on_times):.4f} s")
    print(f"  difference    {percent(mean)} %  95 % confidence interval {percent(mean - half)} to {percent(mean + half)} %")
    print(f"  recorded      {events:,.0f} events in {size:,.0f} bytes a run")
    print(f"  per event     {1e9 * mean / events:+.1f} ns elapsed, one event coming each {1e9 * base / events:.0f} ns")
    print(f"  GHC, 2009     {program.paper}", flush=True)


def pair_count(text):
    pairs = int(text)
    if pairs < 4:
        raise argparse.ArgumentTypeError("at least 4 pairs, or there is no interval to speak of")
    return pairs


def main():
    parser = argparse.ArgumentParser(prog="overhead", description="what tracing costs parfib and parsort")
    parser.add_argument("bin", help="the folder of the programs")
    parser.add_argument("--pairs", type=pair_count, metavar="N", help="N pairs of each, instead of 50 and 100")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the folder goes then, too
    with tempfile.TemporaryDirectory(prefix="evt-overhead-") as folder:
        for program in PROGRAMS:
            command = [os.path.join(arguments.bin, program.command[0]), *program.command[1:]]
            report(program, *run_pairs(command, arguments.pairs or program.pairs, folder))
    print(f"\n{PAPER}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
