"""What the table shows, a line for each row. A new benchmark needs one here and nothing else.

A figure is named as google-benchmark names it ("ReadOrdered/8"), with a counter behind a colon ("HotRows/1:bytes"), or
as programs.py, lttng.py and ghc.py name theirs ("evt count 8"). A row whose figure was not measured is left out.
"""
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    what: str
    figure: str
    floor: str = ""  # what nobody can go below: the ratio says how many times that it costs, the goal how many at most
    peer: str = ""  # another program: the ratio says how many times ours that one costs, the goal how many at least
    goal: float = 0
    # Goals without a floor, of the machine that they were set for: million events a second at least, on one processor;
    # or the figure itself at most, in its unit.
    rate: float = 0
    most: float = 0
    unit: float = 1  # of how many of what is measured the title speaks: ns, bytes, per cent


SECTIONS = [
    ("emitting, ns of an event", [
        Row("read the clock, store 16 bytes", "Floor"),
        Row("C++, to nowhere", "EmitCpp", floor="Floor"),
        Row("C, to nowhere", "EmitC", floor="Floor"),
        Row("to a file", "EmitToFile", floor="Floor"),
        Row("to a flight recorder", "EmitToFlight", floor="EmitToFile", goal=1.02),
        Row("off", "EmitOff", floor="Floor"),
        Row("two threads, elapsed", "EmitThreads/threads:2", floor="Floor"),
        Row("all processor time", "EmitAllCpu", floor="Floor"),
        Row("other work", "WorkAlone"),
        Row("other work with the floor in it", "WorkAndFloor", floor="WorkAlone"),
        Row("other work with an event in it", "WorkAndEmit", floor="WorkAndFloor"),
    ]),
    ("one event of 10 000 takes longer, ns", [
        Row("nothing", "QuantilesOfNothing:p99.99_ns"),
        Row("emit", "QuantilesOfEmit:p99.99_ns", floor="QuantilesOfNothing:p99.99_ns"),
        Row("emit, compacting", "QuantilesOfEmitCompacting:p99.99_ns", floor="QuantilesOfNothing:p99.99_ns"),
    ]),
    ("from opening to closing, processor ns", [
        Row("1 thread without a rest, floor", "HotBare/1"),
        Row("1 thread, rows", "HotRows/1", floor="HotBare/1"),
        Row("1 thread, rows, the thread's own", "HotRows/1:hot_ns", floor="HotBare/1:hot_ns"),
        Row("1 thread, columns", "HotColumns/1", floor="HotBare/1"),
        Row("2 threads with rests, floor", "RestsBare/2"),
        Row("2 threads with rests, rows", "RestsRows/2", floor="RestsBare/2"),
        Row("2 threads with rests, columns", "RestsColumns/2", floor="RestsBare/2", goal=2.4),
        Row("LTTng-UST, 1 thread, its own", "lttng 1:hot_ns", floor="HotBare/1:hot_ns"),
        Row("ours to that, rows, the thread's own", "HotRows/1:hot_ns", peer="lttng 1:hot_ns", goal=5),
        Row("ours to LTTng-UST, all", "HotRows/1", peer="lttng 1", goal=5),
        Row("ours to LTTng-UST, all, 2 threads", "HotRows/2", peer="lttng 2", goal=5),
        Row("ours to GHC's runtime, all", "HotRows/1", peer="ghc emit"),
    ]),
    ("events lost, per cent", [
        Row("LTTng-UST, 1 thread", "lttng 1:lost"),
        Row("LTTng-UST, 2 threads", "lttng 2:lost"),
    ]),
    ("size, bytes of an event", [
        Row("rows, start and stop", "CompactStartStop:rows bytes/event"),
        Row("columns, start and stop", "CompactStartStop:bytes/event", floor="CompactStartStop:rows bytes/event"),
        Row("rows, 20 types", "CompactMixed:rows bytes/event"),
        Row("columns, 20 types", "CompactMixed:bytes/event", floor="CompactMixed:rows bytes/event"),
        Row("2 threads with rests, columns", "RestsColumns/2:bytes", floor="RestsRows/2:bytes"),
        Row("1,000 slow streams, their events alone", "slow streams:row bytes/event"),
        Row("1,000 slow streams, the file", "slow streams:bytes/event", floor="slow streams:row bytes/event", goal=1.5),
        Row("1,000 slow streams, compressed", "slow streams columns:bytes/event", floor="slow streams:row bytes/event"),
        Row("rows to LTTng-UST's trace", "HotRows/1:bytes", peer="lttng 1:bytes"),
        Row("columns to LTTng-UST's trace", "RestsColumns/1:bytes", peer="lttng 1:bytes"),
        Row("columns to GHC's log", "RestsColumns/1:bytes", peer="ghc emit:bytes"),
    ]),
    ("compacting, ns of an event", [
        Row("rows to columns, start and stop", "CompactStartStop", floor="WalkRows"),
        Row("rows to columns, 20 types", "CompactMixed", floor="WalkRows"),
        Row("columns to rows, start and stop", "ExpandStartStop", floor="WalkRows"),
        Row("columns to rows, 20 types", "ExpandMixed", floor="WalkRows"),
    ]),
    ("reading in order of time, ns of an event", [
        Row("step over rows in memory", "WalkRows"),
        Row("1 stream", "ReadOrdered/1", floor="WalkRows"),
        Row("8 streams", "ReadOrdered/8", floor="WalkRows"),
        Row("64 streams", "ReadOrdered/64", floor="WalkRows"),
        Row("6 streams on 1 clock, merged", "ReadClocks/1", floor="WalkRows"),
        Row("6 streams on 3 clocks, merged", "ReadClocks/3", floor="WalkRows"),
        Row("8 streams, as arrays", "ReadBatches", floor="WalkRows"),
        Row("8 streams, as structures", "ReadTyped", floor="WalkRows"),
        Row("1 stream, columns", "ReadCompacted/1", floor="WalkRows"),
        Row("8 streams, columns", "ReadCompacted/8", floor="WalkRows"),
        Row("evt dump --count, 8 streams", "evt count 8", floor="WalkRows"),
        Row("evt dump --count, 8 streams, columns", "evt count 8 columns", floor="WalkRows"),
        Row("evt dump --count, 64 streams", "evt count 64", floor="WalkRows"),
        Row("ours to babeltrace2, 8 streams", "evt count 8", peer="babeltrace2 count 8", goal=20),
        Row("the same, elapsed", "evt count 8:elapsed", peer="babeltrace2 count 8:elapsed"),
        Row("ours to babeltrace2, 64 streams", "evt count 64", peer="babeltrace2 count 64", goal=20),
        Row("ours to babeltrace2, LTTng-UST's trace", "evt count 1", peer="babeltrace2 count lttng", goal=20),
        Row("ours to ghc-events, 8 streams", "evt count 8", peer="ghc-events count 8"),
        Row("ours to ghc-events, 64 streams", "evt count 64", peer="ghc-events count 64"),
    ]),
    ("reading with the time of each event, ns of an event", [
        Row("1 stream", "ReadTimes/1", floor="WalkRows", rate=80),
        Row("8 streams", "ReadTimes/8", floor="WalkRows", rate=80),
        Row("64 streams", "ReadTimes/64", floor="WalkRows", rate=80),
        Row("1 stream, columns", "ReadTimesCompacted/1", floor="WalkRows", rate=50),
        Row("8 streams, columns", "ReadTimesCompacted/8", floor="WalkRows", rate=50),
        Row("a timeline's items, of threads", "TimelineOfThreads", floor="WalkRows", rate=25),
        Row("a timeline's items, of threads and calls", "TimelineOfCalls", floor="WalkRows", rate=25),
    ]),
    ("GHC eventlogs, ns of an event", [
        Row("evt dump --count, 8 capabilities", "evt eventlog count 8", floor="WalkRows"),
        Row("evt convert", "evt eventlog convert 8", floor="WalkRows"),
        Row("evt dump", "evt eventlog text 8", floor="CopyLines"),
        Row("ours to ghc-events, count", "evt eventlog count 8", peer="ghc-events count 8"),
        Row("ours to ghc-events, text", "evt eventlog text 8", peer="ghc-events text 8", goal=5),
    ]),
    ("memory, MiB", [
        Row("evt dump --count, 1,000 slow streams", "slow streams:reader MiB"),
        Row("the same, compressed", "slow streams columns:reader MiB"),
    ]),
    ("opening a gigabyte and counting, ms", [
        Row("by index", "OpenByIndex/256", peer="OpenByHeaders/256", unit=1e6),
    ]),
    ("a snapshot of 64 MiB, ms", [
        Row("copying the bytes", "SnapshotCopy", unit=1e6),
        Row("rows", "SnapshotRows", floor="SnapshotCopy", unit=1e6, most=100),
        Row("columns", "SnapshotColumns", floor="SnapshotCopy", unit=1e6, most=100),
    ]),
    ("statistics of a scheduler's trace, ns of an event", [
        Row("reading alone", "evt stats count", floor="WalkRows"),
        Row("reading with --where of a number", "evt stats count where", floor="evt stats count", goal=1.3),
        Row("evt stats cpu", "evt stats cpu", floor="WalkRows", goal=20, rate=20),
        Row("evt stats threads", "evt stats threads", floor="WalkRows", goal=20, rate=20),
        Row("evt stats events", "evt stats events", floor="WalkRows", goal=20),
        Row("evt stats spans, of calls", "evt stats spans", floor="WalkRows", goal=20, rate=20),
        Row("evt stats share, of calls", "evt stats share", floor="WalkRows", goal=20, rate=12),
        Row("evt stats usage, of calls", "evt stats usage", floor="WalkRows", goal=20, rate=12),
        Row("evt stats overhead, of calls", "evt stats overhead", floor="WalkRows", goal=20),
    ]),
    ("the same at one moment, ms", [
        Row("evt stats cpu --at, first", "evt stats at, first", unit=1e6),
        Row("evt stats cpu --at, later", "evt stats at, later", unit=1e6),
        Row("its side file, bytes of an event", "evt stats state:bytes/event", floor="evt stats rows:bytes/event", goal=0.01),
    ]),
    ("the same from the index, ms", [
        Row("evt stats events", "evt stats indexed", unit=1e6, most=5),
    ]),
    ("following a program, per cent of a core", [
        Row("1 M events/s, evt dump --follow --event", "follow 1M:core", most=15),
        Row("1,000 events/s", "follow 1k:core"),
    ]),
    ("from an event to its printed line, 99 of 100, ms", [
        Row("1 M events/s", "follow 1M:p99", unit=1e6, most=300),
        Row("1,000 events/s", "follow 1k:p99", unit=1e6, most=300),
    ]),
    ("receiving at a socket, ns of a byte", [
        Row("evt collect --listen", "evt collect", most=2),
    ]),
    ("several traces into one, ns of an event", [
        Row("cat, 8 traces", "copy 8 rows"),
        Row("evt merge, 8 traces", "evt merge 8 rows", floor="copy 8 rows"),
        Row("evt merge, 8 traces, columns", "evt merge 8 columns", floor="copy 8 columns"),
    ]),
    ("several traces into one, MiB of memory", [
        Row("evt merge, 8 traces", "evt merge 8 rows:MiB"),
        Row("evt merge, 8 traces, columns", "evt merge 8 columns:MiB"),
    ]),
    ("text in order of time, ns of a byte", [
        Row("lines for people", "ReadAsText/people:s/byte", unit=1e-9),
        Row("JSON", "ReadAsText/json:s/byte", unit=1e-9),
        Row("CSV", "ReadAsText/csv:s/byte", unit=1e-9),
    ]),
    ("text in order of time, ns of an event", [
        Row("copy and write lines", "CopyLines"),
        Row("lines for people", "ReadAsText/people", floor="CopyLines"),
        Row("JSON", "ReadAsText/json", floor="CopyLines"),
        Row("CSV", "ReadAsText/csv", floor="CopyLines"),
        Row("evt dump, 8 streams", "evt text 8", floor="CopyLines"),
        Row("evt dump, 8 streams, columns", "evt text 8 columns", floor="CopyLines"),
        Row("ours to babeltrace2, 8 streams", "evt text 8", peer="babeltrace2 text 8", goal=8),
        Row("the same, elapsed", "evt text 8:elapsed", peer="babeltrace2 text 8:elapsed"),
        Row("ours to ghc-events, 8 streams", "evt text 8", peer="ghc-events text 8", goal=8),
    ]),
]


def benchmarks():
    """The names of what evt_bench is to measure."""
    names = {name.split(":")[0] for _, rows in SECTIONS for row in rows for name in (row.figure, row.floor, row.peer)}
    # A space is in the names of what programs do; the number of threads is no part of the name that is filtered by.
    return sorted(name.split("/threads")[0] for name in names if name and " " not in name)
