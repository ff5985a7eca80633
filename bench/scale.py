#!/usr/bin/env python3
"""How cost grows with what a trace has: events, streams, threads, cpus, types and names.

    scale.py BIN_FOLDER [--most EVENTS]

Traces are of a scheduler (evt_schedule), and one of their numbers is changed at a time. Each command is run once, as the
largest take minutes: its processor time, user and system, and the largest memory that it had. Prints Markdown.
"""
import argparse
import os
import tempfile

from figures import Unavailable, usage_of

EVENTS = 2_000_000  # where another number changes


class Scale:
    """A table: a line for each size, a column for each command."""

    def __init__(self, bins, folder):
        self.bins = bins
        self.trace = os.path.join(folder, "scale.evt")
        # Where checkpoints go; so that none is there from before.
        os.environ["XDG_CACHE_HOME"] = os.path.join(folder, "cache")

    def make(self, events, options):
        usage_of([os.path.join(self.bins, "evt_schedule"), *options, str(events), self.trace])
        return os.path.getsize(self.trace)

    def run(self, command):
        """What it took, with a star where the answer is a partial one."""
        line, star = [os.path.join(self.bins, "evt"), *command, self.trace], ""
        try:
            usage = usage_of(line)
        except Unavailable:
            usage, star = usage_of(line, (1,)), " *"
        return f"{usage.processor:.2f} s, {usage.memory / 2**20:,.0f} MiB{star}"

    def table(self, what, sizes, commands, options=lambda size: [], events=lambda size: EVENTS):
        print(f"\n| {what} | trace | " + " | ".join(f"`evt {' '.join(command)}`" for command in commands) + " |")
        print("|--:|--:|" + "--:|" * len(commands))
        for size in sizes:
            made = self.make(events(size), options(size))
            cells = [f"{size:,}", f"{made / 1e6:,.0f} MB"]
            cells += [self.run(command) for command in commands]
            print("| " + " | ".join(cells) + " |", flush=True)
            os.remove(self.trace)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bins")
    parser.add_argument("--most", type=int, default=100_000_000, help="events of the largest trace")
    arguments = parser.parse_args()
    count, dump = ["dump", "--count"], ["dump"]
    with tempfile.TemporaryDirectory() as folder:
        scale = Scale(arguments.bins, folder)
        sizes = [size for size in (10 ** n for n in range(5, 12)) if size <= arguments.most]
        scale.table("events", sizes, [count, ["check", "-q"], ["stats", "events"], ["stats", "cpu"]], events=lambda size: size)
        scale.table("events of calls", sizes[:-1], [["stats", "calls"], ["stats", "spans"], ["why"]],
                    lambda size: ["--calls"], lambda size: size)
        scale.table("streams", [10 ** n for n in range(1, 6)], [count, dump, ["stats", "events", "--session"]],
                    lambda size: ["--streams", str(size), "--cpus", str(size), "--threads", str(size + 1000)])
        scale.table("threads", [10 ** n for n in range(2, 7)], [["stats", "threads"], ["stats", "share"]],
                    lambda size: ["--threads", str(size)])
        scale.table("cpus", [4, 64, 1024], [["stats", "cpu", "--by", "cpu"], ["stats", "threads"]],
                    lambda size: ["--cpus", str(size), "--threads", "3000", "--streams", "4"])
        scale.table("types", [10, 1000, 60_000], [count, dump, ["stats", "events"]],
                    lambda size: ["--types", str(size)])
        scale.table("names", [10 ** n for n in range(2, 7)], [count, dump, ["stats", "calls"]],
                    lambda size: ["--calls", "--names", str(size)])


if __name__ == "__main__":
    main()
