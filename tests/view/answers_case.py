"""What tests of the answers of `evt view` need: traces, a server of them, what is in tiles. The first argument of the program is the path of evt."""
import os
import random
import sys
import tempfile
import unittest

from evt_view import Served, make_trace

EVT = sys.argv.pop(1) if len(sys.argv) > 1 else "evt"

TRACE = """type 1 run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)
type 2 stop role=threadStop (thread u64 role=thread) (cpu u32 role=cpu)
type 3 in role=spanBegin (name text role=name)
type 4 out role=spanEnd
type 5 note role=mark (message text role=message)
stream 1 "worker"
0.000001000 1 run thread=7 cpu=0
0.000002000 1 in name="load"
0.000003000 1 note message="here"
0.000005000 1 out
0.000009000 1 stop thread=7 cpu=0
0.000010000 1 run thread=8 cpu=0
0.000012000 1 stop thread=8 cpu=0
"""

# Thread 1 wakes thread 2 twice; the second time it does not run. Stream 2 sends a message to stream 3.
FLOWS = """type 1 run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)
type 2 stop role=threadStop (thread u64 role=thread) (reason enum16 role=reason labels=[3=blocked])
type 3 wake role=threadWake (thread u64 role=thread) (waker u64 role=waker)
type 4 send role=messageSend (id u64 role=flow)
type 5 receive role=messageReceive (id u64 role=flow)
stream 1 "scheduler"
stream 2 "left"
stream 3 "right"
0.000000010 1 run thread=1 cpu=0
0.000000020 1 run thread=2 cpu=1
0.000000030 1 stop thread=2 reason=blocked
0.000000040 1 wake thread=2 waker=1
0.000000050 1 run thread=2 cpu=1
0.000000060 1 stop thread=2 reason=blocked
0.000000070 2 send id=9
0.000000080 3 receive id=9
0.000000090 1 wake thread=2 waker=1
"""

# On thread 1 spans and calls inside of one another, on thread 2 one that is recorded when it is over, on thread 3 what
# does not end.
SPANS = """type 1 in role=spanBegin (name text role=name)
type 2 out role=spanEnd
type 3 enter role=callBegin (function text role=function)
type 4 leave role=callEnd
type 5 whole role=span (name text role=name) (duration u64 role=duration unit=nanoseconds)
type 6 plain (n u64)
stream 1 "one" thread=1
stream 2 "two" thread=2
stream 3 "three" thread=3
0.000000100 1 plain n=0
0.000001000 1 in name="outer"
0.000001500 1 plain n=1
0.000002000 1 enter function="read"
0.000002100 2 plain n=2
0.000002200 1 in name="inner"
0.000002300 1 plain n=3
0.000002400 1 out
0.000003000 1 leave
0.000003500 1 plain n=4
0.000004000 2 whole name="late" duration=1950
0.000004500 1 out
0.000004600 1 plain n=5
0.000005000 3 in name="endless"
0.000006000 3 in name="within"
0.000007000 3 plain n=6
0.000008000 3 out
0.000009000 3 plain n=7
"""

# Calls for a file with a name and for an object that nothing is known of.
CALLS = """type 1 open role=objectOpen (fd u64 role=object) (kind text role=resource)
type 2 named role=objectName (fd u64 role=object) (path text role=name)
type 3 enter role=callBegin (function text role=function) (fd u64 role=object) (asked u64 role=amount)
type 4 leave role=callEnd (got i64 role=amount)
type 5 whole role=call (function text role=function) (fd u64 role=object) (done u64 role=amount) (ns u64 role=duration unit=nanoseconds)
stream 1 "main" thread=1
0.000000001 1 open fd=3 kind="file"
0.000000002 1 named fd=3 path="/etc/hosts"
0.000000003 1 enter function="read" fd=3 asked=100
0.000000004 1 leave got=60
0.000000005 1 enter function="read" fd=3 asked=100
0.000000006 1 leave got=-1
0.000000020 1 whole function="write" fd=4 done=500 ns=5
0.000000025 1 whole function="write" fd=3 done=7 ns=1
"""


def counts_of(payload):
    """The sum of the counts of all 1024 columns."""
    total, columns, at = 0, 0, 0

    def varint():
        nonlocal at
        number, shift = 0, 0
        while True:
            byte = payload[at]
            at += 1
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number
    while columns < 1024:
        run = varint()
        columns += run
        total += run * varint()
    return total


def payload_of(tile):
    """Of a tile of one row."""
    at = 6
    numbers = 0
    while numbers < 3:  # index, generation, the row's id
        numbers += tile[at] < 128
        at += 1
    at += 2
    while tile[at] >= 128:  # size
        at += 1
    return tile[at + 1:]


class View(Served):
    """A running `evt view` of traces that are given as texts: app.evt, app2.evt and so on."""

    def __init__(self, *texts, without_bytes=0, options=(), environment=None):
        self.folder = tempfile.TemporaryDirectory()
        self.traces = [make_trace(EVT, os.path.join(self.folder.name, f"app{number if number > 1 else ''}.evt"), text, start=number - 1)
                       for number, text in enumerate(texts, 1)]
        self.trace = self.traces[0]
        os.truncate(self.trace, os.path.getsize(self.trace) - without_bytes)
        super().__init__(EVT, *self.traces, options=options, environment=environment)

    def close(self):
        super().close()
        self.folder.cleanup()


class AnswersCase(unittest.TestCase):
    """Of TRACE."""

    @classmethod
    def setUpClass(cls):
        cls.view = View(TRACE)

    @classmethod
    def tearDownClass(cls):
        cls.view.close()


# Items of this many events are more than are read before the first answer.
MOST_READ_AT_FIRST = 900_000


def mixed_text(events, seed=3):
    """Spans that are long and short, asynchronous ones, calls of objects, wake-ups and messages, by chance."""
    choice = random.Random(seed)
    types = """type 1 run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)
type 2 stop role=threadStop (thread u64 role=thread) (reason enum16 role=reason labels=[3=blocked])
type 3 wake role=threadWake (thread u64 role=thread) (waker u64 role=waker)
type 4 in role=spanBegin (name text role=name)
type 5 out role=spanEnd (name text role=name)
type 6 read role=call (function text role=function) (fd u64 role=object) (bytes u64 role=amount) (ns u64 role=duration unit=nanoseconds)
type 7 send role=messageSend (id u64 role=flow)
type 8 receive role=messageReceive (id u64 role=flow)
type 9 began role=asyncBegin (id u64 role=spanId) (name text role=name)
type 10 ended role=asyncEnd (id u64 role=spanId)
stream 1 "one" thread=1
stream 2 "two" thread=2
"""
    kinds = [lambda: f"run thread={choice.randrange(1, 9)} cpu={choice.randrange(3)}", lambda: f"stop thread={choice.randrange(1, 9)} reason=blocked",
             lambda: f"wake thread={choice.randrange(1, 9)} waker={choice.randrange(1, 9)}", lambda: f'in name="n{choice.randrange(5)}"',
             lambda: f'out name="n{choice.randrange(5)}"', lambda: f'out name="n{choice.randrange(5)}"',
             lambda: f'read function="read" fd={(fd := choice.randrange(1, 5))} bytes={fd * 1000} ns={choice.randrange(90)}',
             lambda: f"send id={choice.randrange(300)}", lambda: f"receive id={choice.randrange(300)}",
             lambda: f'began id={choice.randrange(6)} name="job"', lambda: f"ended id={choice.randrange(6)}", lambda: f"ended id={choice.randrange(6)}"]
    always = {0: 'in name="long"', 80_000: 'out name="long"'}
    return types + "".join(f"0.{n * 100 + choice.randrange(100):09} {choice.choice((1, 2))} {always.get(n % 100_000) or choice.choice(kinds)()}\n"
                           for n in range(events))


def rows_by_names(view):
    """Ids of rows: those of spans are known by their thread and by how many are above."""
    rows = view.json("/v1/rows?s=0")["rows"]
    names = {row["id"]: row["name"] for row in rows}
    ids = {}
    for row in rows:
        above = sum(other["parent"] == row["parent"] and other["id"] < row["id"] for other in rows) if row["kind"] in ("span", "async") else 0
        ids[(row["kind"], row["name"], names.get(row["parent"], ""), above)] = row["id"]
    return ids


def flows_of(answer, ids):
    names = {number: name for name, number in ids.items()}
    return [(flow["kind"], names[flow["from_row"]], flow["from"], names[flow["to_row"]], flow["to"]) for flow in answer["flows"]], answer["more"]
