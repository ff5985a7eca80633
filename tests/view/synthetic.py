"""Traces that never were: rows whose contents follow from a formula or a short list, so that a test knows what is right."""
import bisect
import math
import random
import struct
import threading
import time

COLUMNS = 1024
WORDS = {"states": ["running", "collecting", "collector waits for others", "collector idle", "runnable", "foreign call", "waiting", "unknown"],
         "bands": ["events lost", "process stopped", "uncertain", "not read yet"],
         "kinds": [{"kind": kind, "title": title} for kind, title in {
             "cpus": "All cpus", "cpu": "Cpus", "thread": "Threads", "span": "Spans", "counter": "Counters", "mark": "Marks", "events": "Events",
             "sparks": "Sparks", "object": "Objects", "tracer": "Tracer", "async": "Async spans", "samples": "Samples"}.items()]}
RUNNING, COLLECTING, WAITING_COLLECTOR, IDLE_COLLECTOR, COULD, OUTSIDE, WAITS, UNKNOWN = range(8)


def varint(value):
    out = bytearray()
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def zigzag(value):
    return varint(value * 2 if value >= 0 else -value * 2 - 1)


def shares_of(parts, width):
    """255ths of a column for {key: ns}: what is there has one at least, and a full column has 255."""
    shares = {key: max(1, ns * 255 // width) for key, ns in sorted(parts.items()) if ns > 0}
    whole = 255 * sum(parts.values()) // width
    if shares:
        largest = max(shares, key=shares.get)
        shares[largest] += max(whole, len(shares)) - sum(shares.values())
    return tuple(shares.items())


def run_lengths(items):
    runs = []
    for item in items:
        if runs and runs[-1][1] == item:
            runs[-1][0] += 1
        else:
            runs.append([1, item])
    return runs


class Intervals:
    """States or spans as a sorted list of (from, to, key, name), without overlaps."""

    def __init__(self, intervals, spans=False, bands=()):
        self.list = intervals
        self.ends = [one[1] for one in intervals]
        self.kind = 1 if spans else 0
        self.bands = bands

    def within(self, low, high):
        at = bisect.bisect_right(self.ends, low)
        while at < len(self.list) and self.list[at][0] < high:
            yield self.list[at]
            at += 1

    def parts(self, low, high):
        found = {}
        for start, end, key, _ in self.within(low, high):
            found[key] = found.get(key, 0) + min(end, high) - max(start, low)
        return found

    def events(self):
        return sorted({time for one in self.list for time in one[:2]})

    def payload(self, low, width, names):
        columns = [shares_of(self.parts(low + n * width, low + (n + 1) * width), width) for n in range(COLUMNS)]
        out = b"".join(varint(length) + bytes([len(shares)]) + bytes(byte for share in shares for byte in share)
                       for length, shares in run_lengths(columns))
        labels = [(span, names[one[3]]) for one in self.lives(low, low + COLUMNS * width)
                  for span in [column_range(one[0], one[1], low, width)] if span]
        bands = [(kind, span) for kind, start, end in self.bands for span in [column_range(start, end, low, width)] if span]
        out += varint(len(labels)) + b"".join(varint(first) + varint(count) + varint(name) for (first, count), name in labels)
        return out + varint(len(bands)) + b"".join(bytes([kind]) + varint(first) + varint(count) for kind, (first, count) in bands)

    def lives(self, low, high):
        """Neighbours of one name are one life."""
        lives = []
        for start, end, _, name in self.within(low, high):
            if lives and lives[-1][3] == name and lives[-1][1] == start:
                lives[-1] = (lives[-1][0], end, 0, name)
            elif name is not None:
                lives.append((start, end, 0, name))
        return [one for one in lives if one[1] - one[0] >= (high - low) // 50]


def column_range(start, end, low, width):
    first = max((start - low) // width, 0)
    last = min(-((low - end) // width), COLUMNS)
    return (first, last - first) if last > first else None


class Periodic(Intervals):
    """A pattern that is the same in each period: [(ns, key or None)]."""

    def __init__(self, pattern, end):
        super().__init__([])
        self.pattern, self.period, self.end = pattern, sum(ns for ns, _ in pattern), end

    def before(self, time):
        found = {}
        time = min(max(time, 0), self.end)
        rest = time % self.period
        for ns, key in self.pattern:
            if key is not None:
                found[key] = found.get(key, 0) + time // self.period * ns + min(max(rest, 0), ns)
            rest -= ns
        return found

    def parts(self, low, high):
        first = self.before(low)
        return {key: ns - first.get(key, 0) for key, ns in self.before(high).items()}


class Together(Intervals):
    """Several cpus as one row: each has its part of the height."""

    def __init__(self, rows):
        super().__init__([])
        self.rows = rows

    def parts(self, low, high):
        found = {}
        for row in self.rows:
            for key, ns in row.parts(low, high).items():
                found[key] = found.get(key, 0) + ns
        return {key: max(1, ns // len(self.rows)) for key, ns in found.items()}


class Values:
    kind = 2

    def __init__(self, value, end):
        self.value, self.end = value, end

    def events(self):
        return []

    def payload(self, low, width, _names):
        out = b""
        for n in range(COLUMNS):
            start = low + n * width
            if start < 0 or start >= self.end:
                out += varint(1) + b"\0"
                continue
            at = [self.value(start + width * part // 4) for part in range(5)]
            out += varint(1) + b"\1" + struct.pack("<3f", min(at), max(at), sum(at) / 5)
        return out + varint(0)


class Counts:
    kind = 3

    def __init__(self, times):
        self.times = sorted(times)

    def events(self):
        return self.times

    def payload(self, low, width, _names):
        edges = [bisect.bisect_left(self.times, low + n * width) for n in range(COLUMNS + 1)]
        return b"".join(varint(length) + varint(count) for length, count in run_lengths([b - a for a, b in zip(edges, edges[1:])])) + varint(0)


class Classes:
    """Events of several classes, as (time, class)."""
    kind = 4

    def __init__(self, events):
        self.list_of = sorted(events)
        self.times = [time for time, _ in self.list_of]

    def events(self):
        return self.times

    def counts(self, low, high):
        found = {}
        for _, key in self.list_of[bisect.bisect_left(self.times, low):bisect.bisect_left(self.times, high)]:
            found[key] = found.get(key, 0) + 1
        return tuple(sorted(found.items()))

    def payload(self, low, width, _names):
        columns = [self.counts(low + n * width, low + (n + 1) * width) for n in range(COLUMNS)]
        return b"".join(varint(length) + bytes([len(counts)]) + b"".join(bytes([key]) + varint(count) for key, count in counts)
                        for length, counts in run_lengths(columns)) + varint(0)


class Steady(Classes):
    """The same events in each microsecond, by a list of (from, to, {class: count})."""

    def __init__(self, rates):
        super().__init__([])
        self.rates = rates

    def counts(self, low, high):
        found = {}
        for start, end, classes in self.rates:
            for key, count in classes.items():
                microseconds = max(0, min(high, end) // 1000 - max(low, start) // 1000)
                if microseconds:
                    found[key] = found.get(key, 0) + microseconds * count
        return tuple(sorted(found.items()))


class Amounts(Counts):
    """Bytes at times, as (time, bytes)."""

    def __init__(self, amounts):
        super().__init__([time for time, _ in amounts])
        self.sums = [0]
        for _, amount in sorted(amounts):
            self.sums.append(self.sums[-1] + amount)

    def payload(self, low, width, _names):
        edges = [self.sums[bisect.bisect_left(self.times, low + n * width)] for n in range(COLUMNS + 1)]
        return b"".join(varint(length) + varint(count) for length, count in run_lengths([b - a for a, b in zip(edges, edges[1:])])) + varint(0)


class Session:
    def __init__(self, name, end, lost=0, warnings=(), finest=0):
        self.name, self.end, self.lost, self.warnings, self.finest = name, end, lost, list(warnings), finest
        self.notes = []
        self.rows, self.contents, self.names, self.groups = [], {}, [], []
        self.flows = []  # as the protocol has them
        self.begin = 0
        self.files, self.merged = [], False  # no files: the trace's title
        self.tables = []  # statistics of collections
        self.kept_events = None

    def add(self, kind, name, content, parent=None, group=None, **more):
        """`group`: the title of what it is of."""
        number = len(self.rows) + 1
        if group is not None:
            if group not in [one["title"] for one in self.groups]:
                self.groups.append({"title": group})
            more["group"] = [one["title"] for one in self.groups].index(group)
        self.rows.append({"id": number, "parent": parent, "kind": kind, "name": name, **more})
        self.contents[number] = content
        for one in getattr(content, "list", []):
            if one[3] is not None and one[3] not in self.names:
                self.names.append(one[3])
        return number

    @staticmethod
    def event(row, number, ns):
        """As the protocol has them: (ns, stream, type, text)."""
        return ns, row["name"], "mark" if row["kind"] == "mark" else "state.change", f"{row['name']} number {number}"

    def events(self):
        """All of them in order of time."""
        if self.kept_events is None:
            self.kept_events = sorted(self.event(row, n, time) for row in self.rows for n, time in enumerate(self.contents[row["id"]].events()))
        return self.kept_events

    def span_of(self, row, ns, find):
        """As the protocol has it: of a row of spans the last one from at or before a time on, the next, or the one before."""
        depths = [one["id"] for one in self.rows if one["kind"] == "span"]
        spans = self.contents[row].list
        begins = [one[0] for one in spans]
        at = {"next": bisect.bisect_right(begins, ns), "previous": bisect.bisect_left(begins, ns) - 1, "at": bisect.bisect_right(begins, ns) - 1}[find]
        if not 0 <= at < len(spans):
            return None
        start, end, _, name = spans[at]
        depth = depths.index(row)
        inside = sum(self.contents[depths[depth + 1]].parts(start, end).values()) if depth + 1 < len(depths) else 0
        around = [{"name": one[3], "from": str(one[0])} for outer in depths[:depth] for one in self.contents[outer].within(start, start + 1)]
        return {"ns": str(start), "stream": "stream", "type": "span.begin", "text": f'span.begin name="{name}"', "fields": [{"name": "name", "value": f'"{name}"'}],
                "span": {"name": name, "from": str(start), "to": str(end), "self": str(end - start - inside), "thread": "main (1)", "around": around}}

    def span_at(self, ns):
        """The innermost of the rows of spans, whose order is that of their depths."""
        rows = [self.contents[row["id"]] for row in self.rows if row["kind"] == "span"]
        found = [(depth, one) for depth, row in enumerate(rows) for one in row.within(ns, ns + 1)]
        if not found:
            return None
        depth, (start, end, _, name) = found[-1]
        inside = sum(rows[depth + 1].parts(start, end).values()) if depth + 1 < len(rows) else 0
        return {"name": name, "from": str(start), "to": str(end), "self": str(end - start - inside)}

    def tile(self, level, index, rows, generation, partial):
        out = b"EVTT" + bytes([1, level]) + zigzag(index) + varint(generation)
        names = {name: n for n, name in enumerate(self.names)}
        for row in rows:
            payload = self.contents[row].payload(index * COLUMNS << level, 1 << level, names)
            out += varint(row) + bytes([self.contents[row].kind, 1 if partial else 0]) + varint(len(payload)) + payload
        return out


class Trace:
    def __init__(self, title, sessions, complete=True, progress=1.0):
        self.title, self.sessions, self.complete, self.progress, self.generation = title, sessions, complete, progress, 1
        self.delay = 0  # s, before figures, flows and events are answered
        self.answers = threading.Event()  # they are answered while it is set
        self.answers.set()
        self.growths = 0  # until it is complete

    def await_answer(self):
        time.sleep(self.delay)
        self.answers.wait(60)


def busy_cpu(seed, end, share):
    """Runs of work, collections in between, and pauses."""
    choice = random.Random(seed)
    found, now = [], choice.randrange(100_000)
    while now < end:
        for key, longest in ((RUNNING, 900_000 * share), (COLLECTING, 350_000), (None, 300_000)):
            to = min(end, now + 1 + int(choice.random() ** 3 * longest))
            if key is not None and to > now:
                found.append((now, to, key, None))
            now = to
    return found


def lane(seed, end, first):
    """Threads one after the other, each with a life of several states."""
    choice = random.Random(seed)
    found, now, number = [], choice.randrange(60_000_000), first
    while now < end:
        name, life = f"thread {number}", now + choice.randrange(15_000_000, 110_000_000)
        while now < min(life, end):
            key = choice.choice((COULD, COULD, WAITS, RUNNING, COULD, WAITS))
            to = min(end, now + choice.randrange(200_000, 14_000_000 if key != RUNNING else 3_000_000))
            found.append((now, to, key, name))
            now = to
        now += choice.randrange(1_000_000, 30_000_000)
        number += choice.randrange(7, 40)
    return found


def calls(seed, end, depth):
    choice = random.Random(seed)
    found, now = [], choice.randrange(5_000_000)
    while now < end:
        to = min(end, now + choice.randrange(2_000_000, 90_000_000 // depth))
        hue = choice.randrange(12)
        found.append((now, to, hue, ("parse", "solve", "propagate", "branch", "simplify", "merge", "print", "hash", "sort", "read", "wait", "undo")[hue]))
        now = to + choice.randrange(100, 20_000_000)
    return found


def demo():
    end = 1_480_300_123
    session = Session("run 1", end, lost=1204, warnings=["Stream worker 3 was full between 702 ms and 731 ms."])
    cpus = [Intervals(busy_cpu(n, end, 1 - n * 0.22), bands=[(0, 702_000_000, 731_000_000)] if n == 3 else ()) for n in range(4)]
    parent = session.add("cpus", "All capabilities", Together(cpus), of=4)
    for n, cpu in enumerate(cpus):
        session.add("cpu", f"HEC {n}", cpu, parent=parent)
    for n in range(2, 5):
        session.add("thread", f"thread {n}", Intervals([(1_000_000, end, OUTSIDE, f"thread {n}")]))
    for n in range(30):
        session.add("thread", f"{20 + n * 7 % 25} threads", Intervals(lane(100 + n, end, 300 + n)))
    for depth in range(1, 4):
        session.add("span", f"main, depth {depth}", Intervals(calls(depth, end, depth), spans=True))
    session.add("counter", "heap in use", Values(lambda ns: 40e6 + 30e6 * math.sin(ns / 6e7) + (ns % 35_000_000) * 0.8, end), unit="B")
    choice = random.Random(5)
    session.add("mark", "marks", Counts([choice.randrange(end) for _ in range(25)]))
    session.add("events", "worker 1", Counts([int(choice.random() ** 1.5 * end) for _ in range(40_000)]))
    return Trace("qsort-lf-20.evt", [session])


def flow(kind, from_row, start, to_row, end):
    return {"kind": kind, "from_row": from_row, "from": str(start), "to_row": to_row, "to": str(end)}


def nested(seed, end):
    """Calls, and calls inside them."""
    choice = random.Random(seed)
    outer, inner = calls(seed, end, 1), []
    for start, stop, _, _ in outer:
        now = start + (stop - start) // 8
        while now + 1_000_000 < stop:
            to = min(stop, now + choice.randrange(500_000, 9_000_000))
            inner.append((now, to, choice.randrange(12), choice.choice(("lock", "copy", "hash", "send"))))
            now = to + choice.randrange(200_000, 6_000_000)
    return outer, inner


def parts():
    """Two merged parts with rows of every kind; three flows in all, and a thread that has nothing after the first tenth."""
    end = 400_000_000
    session = Session("client.evt and server.evt", end)
    for part, (name, bound) in enumerate((("server", "as recorded"), ("client", "\u00b1120 ns"))):
        group = f"{name}, {bound}"
        for n in range(2):
            session.add("cpu", f"{name} cpu {n}", Intervals(busy_cpu(40 + part * 2 + n, end, 0.9 - part * 0.3)), group=group)
        session.add("thread", f"{name} main", Intervals([(0, end, OUTSIDE if part else WAITS, f"{name} main")]), group=group)
        session.add("thread", f"{name} starter", Intervals([(1_000_000, 30_000_000, COULD, f"{name} starter")]), group=group)
        session.add("thread", "9 threads", Intervals(lane(50 + part, end, 10)), group=group)
    outer, inner = nested(3, end)
    session.add("span", "requests", Intervals(outer, spans=True), group="client, \u00b1120 ns")
    session.add("span", "requests, depth 2", Intervals(inner, spans=True), group="client, \u00b1120 ns")
    session.flows = [flow("wake", 3, 50_000_000, 8, 90_000_000), flow("steal", 1, 120_000_000, 2, 121_000_000),
                     flow("message", 8, 150_000_000, 3, 260_000_000)]
    session.add("counter", "heap in use", Values(lambda ns: 40e6 + 30e6 * math.sin(ns / 2e7), end), unit="B", group="client, \u00b1120 ns")
    return Trace("both.evt", [session])


def kinds():
    """A row of each kind that is drawn by itself: sparks, marks, events, an object and the tracer."""
    end = 200_000_000
    session = Session("kinds", end)
    choice = random.Random(21)
    session.add("cpu", "HEC 0", Intervals(busy_cpu(1, end, 1)))
    for hec in range(2):
        session.add("sparks", f"HEC {hec}", Classes([(int(choice.betavariate(2, 3) * end), choice.choices(range(6), (40, 28, 4, 6, 12, 10))[0])
                                                     for _ in range(3000)]))
    session.add("counter", "heap in use", Values(lambda ns: 40e6 + 30e6 * math.sin(ns / 1e7), end), unit="B")
    session.add("mark", "marks", Counts([20_000_000, 60_000_000, 61_000_000, 150_000_000]))
    session.add("events", "worker 1", Counts([int(choice.random() ** 1.5 * end) for _ in range(4000)]))
    session.add("tracer", "worker 1", Intervals([(30_000_000, 34_000_000, 2, "flush"), (90_000_000, 91_000_000, 2, "flush"),
                                                 (91_000_000, 103_000_000, 7, "wait for room")], spans=True))
    session.add("object", "/var/log/app.log", Amounts([(choice.randrange(end), choice.randrange(1, 65_536)) for _ in range(300)]), unit="B")
    return Trace("kinds.evt", [session])


def crowd():
    """Four hundred flows between two rows, ten of them of a third; and a hundred threads, of which all but five end in the first half."""
    end = 100_000_000
    session = Session("crowd", end)
    for n in range(3):
        session.add("cpu", f"cpu {n}", Intervals(busy_cpu(n, end, 1)))
    for n in range(100):
        start = n * 400_000
        session.add("thread", f"thread {n}", Intervals([(start, end if n % 20 == 7 else start + 300_000, RUNNING if n == 47 else COULD, f"thread {n}")]))
    session.flows = [flow("wake", 1 + n % 2, n * 240_000, 2 - n % 2, n * 240_000 + 50_000) for n in range(400)]
    session.flows += [flow("steal", 3, n * 9_000_000 + 1_000_000, 1, n * 9_000_000 + 1_500_000) for n in range(10)]
    session.flows.sort(key=lambda one: int(one["from"]))
    return Trace("crowd.evt", [session])


def sparks():
    """Sparks at half of the rate for 10 ms, all of them created; then at the full rate, half of them converted."""
    session = Session("sparks", 20_000_000)
    session.add("sparks", "HEC 0", Steady([(0, 10_000_000, {0: 2}), (10_000_000, 20_000_000, {0: 2, 1: 2})]))
    return Trace("sparks.evt", [session])


def coarse():
    """A clock that moves every millisecond: 450 events each, and once 700."""
    session = Session("coarse", 10_000_000)
    session.add("events", "worker", Counts([ms * 1_000_000 for ms in range(1, 9) for _ in range(700 if ms == 5 else 450)]))
    return Trace("coarse.evt", [session])


def duty():
    """A quarter, a half and three quarters of each microsecond running."""
    end = 50_000_000
    session = Session("duty", end)
    for percent in (25, 50, 75):
        session.add("cpu", f"{percent} %", Periodic([(percent * 10, RUNNING), (1000 - percent * 10, None)], end))
    return Trace("duty.evt", [session])


def hour():
    """One microsecond in an hour."""
    session = Session("hour", 3_600_000_000_000)
    session.add("cpu", "cpu 0", Intervals([(1_799_000_000_123, 1_799_000_001_123, RUNNING, None)]))
    return Trace("hour.evt", [session])


HOSTILE = "<img src=x onerror=alert(1)>\u202egnp.\u0007exe"


def hostile():
    session = Session(HOSTILE, 10_000_000, warnings=[HOSTILE])
    session.add("cpu", HOSTILE, Intervals([(0, 5_000_000, RUNNING, HOSTILE)]))
    session.add("thread", HOSTILE, Intervals([(0, 9_000_000, WAITS, HOSTILE)]))
    return Trace(HOSTILE, [session])


def empty():
    return Trace("empty.evt", [Session("nothing", 0)])


def reading():
    return Trace("large.evt", [Session("run", 60_000_000_000)], complete=False, progress=0.414)


def years():
    """Longer than doubles count nanoseconds: three years, and two states of 3 ns each near the end."""
    end = 94_608_000_000_000_001
    session = Session("years", end)
    session.add("cpu", "cpu 0", Intervals([(0, 1000, RUNNING, None), (end - 11, end - 8, RUNNING, None), (end - 5, end - 2, COLLECTING, None)]))
    return Trace("years.evt", [session])


TRACES = {make.__name__: make for make in (demo, parts, kinds, crowd, sparks, coarse, duty, hour, hostile, empty, reading, years)}
