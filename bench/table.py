#!/usr/bin/env python3
"""The benchmarks as one table: medians of several rounds, each with its ratio to a floor or a peer of the same rounds.

usage: table.py BIN_FOLDER [--rounds N] [--json FILE] [--peers] [options of google-benchmark...]

In a round everything is measured once, in every other round in the opposite order: so that what else the machine does
falls on all alike. The table is of rows.py; what it leaves out stands in the file.
"""
import argparse
import json
import os
import re
import signal
import sys
import tempfile

import ghc
import programs
from figures import Figures, Unavailable, quartiles
from following import Collecting, Following
from lttng import Lttng
from rows import SECTIONS

WORK = os.path.join("build", "bench")  # compiled peers


def digits(value):
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"


def spread(values, unit=1):
    low, median, high = (value / unit for value in values)
    return f"{digits(median):>8} {digits(low):>8} {digits(high):>8}"


def summary(row, figures):
    """What a row comes to; None when its figure was not measured."""
    found = quartiles(figures.of(row.figure))
    if found is None:
        return None
    result = {"what": row.what, "figure": row.figure, "method": figures.method(row.figure), "median": found[1],
              "quartiles": [found[0], found[2]], "unit": row.unit, "rounds": figures.of(row.figure)}
    if row.rate:
        result.update({"rate": 1e3 / found[1], "rate_goal": row.rate, "rate_reached": 1e3 / found[1] >= row.rate})
    if row.most:
        result.update({"most": row.most, "most_reached": found[1] <= row.most * row.unit})
    base = row.floor or row.peer
    ratios = figures.ratios(row.figure, base) if row.floor else figures.ratios(base, row.figure)
    if not base:
        return result
    found = quartiles(ratios)
    if found is None:
        return None if row.peer else result
    result.update({"floor" if row.floor else "peer": base, "ratio": found[1], "ratio_quartiles": [found[0], found[2]]})
    if row.goal:
        result["goal"] = f"{row.goal:g} at {'most' if row.floor else 'least'}"
        result["reached"] = found[1] <= row.goal if row.floor else found[1] >= row.goal
    return result


def line(result):
    low, high = result["quartiles"]
    text = f"  {result['what']:<39}" + spread([low, result["median"], high], result["unit"])
    if "ratio" in result:
        text += "  " + spread([result["ratio_quartiles"][0], result["ratio"], result["ratio_quartiles"][1]])
        text += f"  x {result['floor']}" if "floor" in result else f"  x less than {result['peer']}"
    if "goal" in result:
        text += f"  (goal: {result['goal']}{'' if result['reached'] else '; missed'})"
    if "rate" in result:
        missed = "" if result["rate_reached"] else "; missed"
        text += f"  {result['rate']:.0f} M/s (goal: {result['rate_goal']:g}{missed})"
    if "most" in result:
        text += f"  (goal: {result['most']:g} at most{'' if result['most_reached'] else '; missed'})"
    return text


def print_table(figures):
    """Prints it, and returns it for the file."""
    shown = []
    for title, rows in SECTIONS:
        results = [r for r in (summary(row, figures) for row in rows) if r is not None]
        if not results:
            continue
        print(f"\n{title:<41}{'median':>8} {'quartiles':>17}  {'ratio':>8} {'quartiles':>17}")
        for result in results:
            print(line(result))
        shown.append({"title": title, "rows": results})
    print_others(figures)
    return shown


def print_others(figures):
    """What an option had measured that no row tells of."""
    known = {name for _, rows in SECTIONS for row in rows for name in (row.figure, row.floor, row.peer)}
    families = {name.split(":")[0].split("/")[0] for name in known}
    others = [n for n in figures.names() if re.fullmatch(r"[A-Z]\w*(/\w+)*", n) and n.split("/")[0] not in families]
    if others:
        print(f"\n{'without a row, ns':<41}{'median':>8} {'quartiles':>17}")
    for name in others:
        print(f"  {name:<39}{spread(quartiles(figures.of(name)))}")


class Report:
    """What could not be measured."""

    def __init__(self):
        self.left_out = []

    def add(self, name, reason):
        self.left_out.append(f"{name} is left out: {reason}")
        print(self.left_out[-1], file=sys.stderr)


def make_sources(arguments, options, logs, report):
    sources = [programs.GoogleBenchmark(os.path.join(arguments.bin, "evt_bench"), options)]
    evt = os.path.join(arguments.bin, "evt")
    makers = [("evt dump", lambda: programs.ours(evt, logs)),
              ("eventlogs", lambda: programs.ours_of_eventlogs(evt, logs)),
              ("slow streams", lambda: programs.SlowStreams(os.path.join(arguments.bin, "evt_slow_streams"), evt, logs)),
              ("evt stats", lambda: programs.Statistics(os.path.join(arguments.bin, "evt_schedule"), evt, logs)),
              ("evt dump --follow", lambda: Following(os.path.join(arguments.bin, "evt_steady_load"), evt, logs)),
              ("evt collect", lambda: Collecting(evt, os.path.join(logs, "8", "rows.evt"), logs)),
              ("evt merge", lambda: programs.Merging(os.path.join(arguments.bin, "evt_same_events"), evt, logs))]
    if arguments.peers:
        os.makedirs(WORK, exist_ok=True)
        makers += [("LTTng-UST", lambda: Lttng(os.path.abspath(WORK))),
                   ("babeltrace2", lambda: programs.babeltrace2(logs)),
                   ("GHC's runtime", lambda: ghc.Runtime(WORK)), ("ghc-events", lambda: ghc.reader(WORK, logs))]
    programs.write_logs(os.path.join(arguments.bin, "evt_same_events"), logs)
    for name, make in makers:
        try:
            sources.append(make())
        except Unavailable as reason:
            report.add(name, reason)
    return sources


def measure(sources, rounds, report):
    figures = Figures()
    for number in range(rounds):
        values = {}
        for source in list(sources) if number % 2 == 0 else list(reversed(sources)):
            if sys.stderr.isatty():
                print(f"\r\033[K  round {number + 1} of {rounds}: {source.name} ", end="", file=sys.stderr, flush=True)
            try:
                values.update(source.measure(figures.methods))
            except Unavailable as reason:
                report.add(source.name, reason)
                sources.remove(source)
        figures.add_round(values)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    return figures


def write_json(path, rounds, shown, figures, report, load):
    rest = {name: {"median": quartiles(figures.of(name))[1], "rounds": figures.of(name)} for name in figures.names()}
    with open(path, "w") as file:
        json.dump({"rounds": rounds, "order": "all in each round, every other round backwards",
                   "events": programs.EVENTS, "processors": os.cpu_count(), "load_before": load,
                   "load_after": os.getloadavg()[0],
                   "left_out": report.left_out, "table": shown, "figures": rest}, file, indent=1)
        file.write("\n")


def main():
    parser = argparse.ArgumentParser(prog="bench", description="the benchmarks as one table")
    parser.add_argument("bin", help="the folder of the programs")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="N rounds instead of 5")
    parser.add_argument("--json", default=os.path.join("build", "bench.json"), metavar="FILE",
                        help="writes it there instead of build/bench.json")
    parser.add_argument("--peers", action="store_true", help="runs LTTng-UST, babeltrace2 and ghc-events, too")
    arguments, options = parser.parse_known_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that daemon and folder go then, too
    report, sources, load = Report(), [], os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="evt-bench-") as logs:
        try:
            sources = make_sources(arguments, options, logs, report)
            figures = measure(list(sources), max(arguments.rounds, 1), report)
        finally:
            for source in sources:
                getattr(source, "close", lambda: None)()
    shown = print_table(figures)
    write_json(arguments.json, arguments.rounds, shown, figures, report, load)
    print(f"\n{arguments.rounds} rounds; ratios are medians of the ratios of each round; all figures: {arguments.json}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
    except Unavailable as reason:
        sys.exit(f"bench: {reason}")
