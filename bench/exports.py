#!/usr/bin/env python3
"""What it costs to convert traces to formats of other programs and back, beside goals and babeltrace2.

    exports.py BIN_FOLDER [--events N] [--rounds N]

The trace is of a scheduler (evt_schedule): threads that run, and calls of theirs. Its items are the packets that Perfetto's
form has of it; CTF has the events themselves. Rates are of processor time, user and system, of whole runs of a program: medians of the
rounds, with their quartiles. In every other round the order is the opposite one.
"""
import functools
import os
import shutil
import tempfile

from figures import arguments_of, measure_parts, print_goals, usage_of

# What is measured: the goal, whether that is a least or a most one, and the unit.
GOALS = {
    "to Perfetto": (2.0, "M items/s"),
    "to Perfetto, size": (25, "B an item"),
    "to Chrome's JSON": (1.5, "M items/s"),
    "to CTF": (5.0, "M events/s"),
    "to a waveform": (None, "M items/s"),
    "to folded stacks": (None, "M items/s"),
    "from CTF": (2.5, "M events/s"),
    "from CTF, memory": (64, "MiB"),
    "from Chrome's JSON": (1.0, "M events/s"),
    "from Chrome's JSON, memory": (64, "MiB"),
    "babeltrace2, CTF to nothing": (None, "M events/s"),
    "babeltrace2, CTF to text": (None, "M events/s"),
    "babeltrace2, CTF to CTF": (None, "M events/s"),
}
AT_MOST = ("B an item", "MiB")


def run(command, may_be=(0,)):
    """Processor seconds, and the largest resident memory in MiB, of the program and what it waited for."""
    usage = usage_of(command, may_be)
    return usage.processor, usage.memory / 2**20


class Inputs:
    """Files that are measured, and how much is in them."""

    def __init__(self, bins, folder, events):
        self.evt = os.path.join(bins, "evt")
        self.folder = folder
        self.schedule = self.path("schedule.evt")
        usage_of([os.path.join(bins, "evt_schedule"), "--calls", str(events), self.schedule])
        self.json = self.path("schedule.json")
        usage_of([self.evt, "convert", self.schedule, "-o", self.json], (0, 1))
        self.lines = self.lines_of(self.json)
        perfetto = self.path("schedule.pftrace")
        usage_of([self.evt, "convert", self.schedule, "-o", perfetto], (0, 1))
        self.items = self.packets_of(perfetto)
        os.remove(perfetto)
        usage_of([os.path.join(bins, "evt_same_events"), self.path("same"), "8", str(events)])
        self.ctf = self.path("same/ctf")
        self.events = events

    def path(self, name):
        return os.path.join(self.folder, name)

    @staticmethod
    def lines_of(path):
        """Each event of the JSON is a line; two lines are around them."""
        with open(path, "rb") as file:
            return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b"")) - 2


    @staticmethod
    def packets_of(path):
        """Of Perfetto's protobuf: each state, begin, end and value is one, field 1 of the whole."""
        with open(path, "rb") as file:
            whole = file.read()
        at = count = 0
        while at < len(whole):
            at += 1
            size = shift = 0
            while True:
                byte = whole[at]
                at += 1
                size |= (byte & 0x7F) << shift
                shift += 7
                if byte < 0x80:
                    break
            at += size
            count += 1
        return count


def converted(inputs, suffix, of):
    """Millions a second, and the bytes of what was written."""
    out = inputs.path("out" + suffix)
    seconds, _ = run([inputs.evt, "convert", inputs.schedule, "-o", out], (0, 1))
    size = 0 if os.path.isdir(out) else os.path.getsize(out)
    shutil.rmtree(out) if os.path.isdir(out) else os.remove(out)
    return of / seconds / 1e6, size


def exports(inputs):
    values = {}
    values["to Perfetto"], size = converted(inputs, ".pftrace", inputs.items)
    values["to Perfetto, size"] = size / inputs.items
    values["to Chrome's JSON"], _ = converted(inputs, ".json", inputs.lines)
    values["to a waveform"], _ = converted(inputs, ".vcd", inputs.items)
    values["to folded stacks"], _ = converted(inputs, ".folded", inputs.items)
    return values


def to_ctf(inputs):
    return {"to CTF": converted(inputs, ".ctf", inputs.events)[0]}


def imports(inputs):
    values = {}
    for name, path, count in (("from CTF", inputs.ctf, inputs.events), ("from Chrome's JSON", inputs.json, inputs.lines)):
        seconds, memory = run([inputs.evt, "dump", "--count", path], (0, 1))
        values[name] = count / seconds / 1e6
        values[name + ", memory"] = memory
    return values


def peers(inputs):
    values = {}
    for name, more in (("nothing", ["-o", "dummy"]), ("text", ["-o", "text", "-w", "/dev/null"]), ("CTF", ["-o", "ctf", "-w", inputs.path("peer")])):
        seconds, _ = run(["babeltrace2", inputs.ctf, *more])
        values["babeltrace2, CTF to " + name] = inputs.events / seconds / 1e6
    shutil.rmtree(inputs.path("peer"), ignore_errors=True)
    return values


def measure(inputs, is_reversed, left_out):
    parts = {part.__name__.replace("_", " "): functools.partial(part, inputs) for part in (exports, to_ctf, imports, peers)}
    return measure_parts(dict(reversed(parts.items())) if is_reversed else parts, left_out)


def main():
    arguments = arguments_of(__doc__, "bins", 5, events=2_000_000)
    left_out = {}
    with tempfile.TemporaryDirectory() as folder:
        inputs = Inputs(arguments.bins, folder, arguments.events)
        rounds = [measure(inputs, number % 2 == 1, left_out) for number in range(arguments.rounds)]
    print(f"conversions of {arguments.events:,} events, {inputs.items:,} items")
    print_goals(GOALS, AT_MOST, rounds, left_out, arguments.json)


if __name__ == "__main__":
    main()
