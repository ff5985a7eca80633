#!/usr/bin/env python3
"""What `evt view` answers to its page, over HTTP, beside what other commands find in the same trace.

usage: answers_test.py EVT
"""
import contextlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from evt_view import Served, make_trace  # noqa: E402

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


class Answers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.view = View(TRACE)

    @classmethod
    def tearDownClass(cls):
        cls.view.close()

    def test_the_trace_has_its_sessions(self):
        self.assertEqual(self.view.json("/v1/trace"), {
            "version": 1, "title": "app.evt", "complete": True, "progress": 1, "generation": 1,
            "sessions": [{"name": "app.evt: app", "start_utc": "1767225600000000000", "from": "1000", "to": "12000", "until": "12000", "events": "7", "lost": "0", "notes": []}]})

    def test_rows_are_those_of_cpus_threads_spans_marks_and_events(self):
        rows = self.view.json("/v1/rows?s=0")
        self.assertEqual([(row["kind"], row["name"], row.get("parent")) for row in rows["rows"]],
                         [("cpu", "cpu 0", None), ("thread", "thread 7", None), ("span", "", 1), ("thread", "thread 8", None),
                          ("mark", "marks", None), ("events", "worker", None)])
        self.assertEqual(sorted(rows["names"]), ["here", "load", "thread 7", "thread 8"])

    def test_a_tile_has_the_rows_that_were_asked_for(self):
        status, tile = self.view.get("/v1/tiles?s=0&l=4&i=0&r=0,4-5")
        self.assertEqual(status, 200)
        # Its header, and row 0: 62 columns of nothing; half of the next and the 500 that follow are running, ...
        self.assertEqual(tile[:8], b"EVTT\1\4\0\1")
        self.assertEqual(tile[8:11], b"\0\0\0")
        self.assertEqual(tile[12:22], bytes([62, 0, 1, 1, 0, 127]) + bytes([0xF3, 0x03, 1, 0]))

    def test_statistics_of_a_range_are_those_of_evt_stats(self):
        tables = {table["title"]: table for table in self.view.json("/v1/stats?s=0&from=4000&to=11000")["tables"]}
        found = subprocess.run([EVT, "stats", "threads", "--from", "4us", "--to", "11us", "--json", self.view.trace],
                               check=True, capture_output=True, text=True)
        rows = json.loads(found.stdout)["sessions"][0]["threads"]["threads"]
        names = [column["name"] for column in tables["threads"]["columns"]]
        running = names.index("running")
        self.assertEqual([row[running] for row in tables["threads"]["rows"]], [str(row["running_ns"]) for row in rows])
        self.assertEqual([row[running] for row in tables["threads"]["rows"]], ["5000", "1000"])

    def test_events_of_a_row_are_found_near_a_time(self):
        def at(find, ns, row=5):
            event = self.view.json(f"/v1/event?s=0&row={row}&ns={ns}&find={find}")["event"]
            return event and (event["ns"], event["type"])
        self.assertEqual(at("at", 5000), ("5000", "out"))
        self.assertEqual(at("previous", 5000), ("3000", "note"))
        self.assertEqual(at("next", 5000), ("9000", "stop"))
        self.assertEqual(at("next", 5000, row=4), None)
        self.assertEqual(at("next", 12000), None)
        self.assertEqual(at("at", 999), None)
        self.assertEqual(at("at", 20000, row=1), ("9000", "stop"))
        self.assertEqual(at("at", 20000, row=3), ("12000", "stop"))
        self.assertEqual(at("at", 11000, row=3), ("10000", "run"))

    def test_events_around_a_moment_are_those_of_evt_dump(self):
        dumped = subprocess.run([EVT, "dump", "--json", self.view.trace], check=True, capture_output=True, text=True).stdout
        every = [json.loads(line) for line in dumped.splitlines()]
        for at in (-5, 0, 1000, 2500, 3000, 5001, 12000, 12001, 90000):
            for before, after in ((0, 0), (0, 2), (2, 0), (2, 3), (500, 500)):
                earlier = [event for event in every if event["ns"] < at]
                later = [event for event in every if event["ns"] >= at]
                listed = earlier[len(earlier) - min(before, len(earlier)):] + later[:after]
                found = self.view.json(f"/v1/events?s=0&at={at}&before={before}&after={after}")
                self.assertEqual([(event["ns"], event["stream"], event["type"]) for event in found["events"]],
                                 [(str(event["ns"]), event["stream"], event["event"]) for event in listed], (at, before, after))
                self.assertEqual((found["is_first"], found["is_last"]), (before >= len(earlier), after >= len(later)), (at, before, after))

    def test_an_event_of_a_list_has_its_text(self):
        self.assertEqual(self.view.json("/v1/events?s=0&at=2000&before=1&after=1"), {
            "events": [{"ns": "1000", "stream": "worker", "type": "run", "text": "run thread=7 cpu=0"},
                       {"ns": "2000", "stream": "worker", "type": "in", "text": 'in name="load"'}],
            "is_first": True, "is_last": False})

    def test_an_event_has_its_fields(self):
        self.assertEqual(self.view.json("/v1/event?s=0&row=5&ns=1000&find=at")["event"], {
            "ns": "1000", "stream": "worker", "type": "run", "text": "run thread=7 cpu=0",
            "fields": [{"name": "thread", "value": "7"}, {"name": "cpu", "value": "0"}], "span": None})

    def test_an_event_has_the_innermost_span_that_it_is_in(self):
        view = View(SPANS)
        self.addCleanup(view.close)

        def span(query):
            found = view.json(f"/v1/find?s=0&q={query}&from=0&dir=next")["event"]["span"]
            return found and (found["name"], found["from"], found["to"], found["self"])
        # 3.5 us, without 1 us of the call; which has 0.2 us of what is in it.
        outer, read, inner = ("outer", "1000", "4500", "2500"), ("read", "2000", "3000", "800"), ("inner", "2200", "2400", "200")
        self.assertEqual([span(f"n%3D{n}") for n in range(6)], [None, outer, ("late", "2050", "4000", "1950"), inner, outer, None])
        self.assertEqual([span(name) for name in ("outer", "enter", "inner", "leave", "whole")],
                         [outer, read, inner, read, ("late", "2050", "4000", "1950")])

    def test_self_times_of_spans_are_those_of_evt_stats(self):
        view = View(SPANS)
        self.addCleanup(view.close)
        stats = subprocess.run([EVT, "stats", "spans", "--json", view.trace], check=True, capture_output=True, text=True)
        tables = json.loads(stats.stdout)["sessions"][0]["spans"]
        wanted = {row["name"]: str(row["self_ns"]) for row in tables["spans"] if row["count"] > 0}
        wanted |= {row["function"]: str(row["self_ns"]) for row in tables["calls"]}
        self.assertEqual(sorted(wanted), ["inner", "late", "outer", "read", "within"])
        found = {}
        for event in view.json("/v1/events?s=0&at=0&before=0&after=500")["events"]:
            at = view.json(f"/v1/find?s=0&q={event['type']}&from={int(event['ns']) - 1}&dir=next")["event"]
            if at["span"] and not at["span"].get("open"):
                found[at["span"]["name"]] = at["span"]["self"]
        self.assertEqual(found, wanted)

    def test_a_span_that_does_not_end_is_open_to_the_end(self):
        view = View(SPANS)
        self.addCleanup(view.close)
        event = view.json("/v1/find?s=0&q=n%3D7&from=0&dir=next")["event"]
        self.assertEqual(event["span"], {"name": "endless", "from": "5000", "to": "9000", "self": "2000", "open": True})

    def test_flows_lead_from_row_to_row(self):
        view = View(FLOWS)
        self.addCleanup(view.close)
        rows = [row["name"] for row in view.json("/v1/rows?s=0")["rows"]]

        def flows(query):
            found = view.json(f"/v1/flows?s=0&{query}")
            return [(flow["kind"], rows[flow["from_row"]], flow["from"], rows[flow["to_row"]], flow["to"]) for flow in found["flows"]], found["more"]
        first = ("wake", "thread 1", "40", "thread 2", "50")
        message = ("message", "left", "70", "right", "80")
        second = ("wake", "thread 1", "90", "thread 2", "90")
        self.assertEqual(flows("from=0&to=100&limit=300"), ([first, message, second], 0))
        self.assertEqual(flows("from=0&to=100&limit=2"), ([first, message], 1))
        self.assertEqual(flows("from=0&to=100&limit=0"), ([], 3))
        self.assertEqual(flows("from=51&to=75&limit=300"), ([message], 0))
        self.assertEqual(flows(f"from=0&to=100&limit=300&row={rows.index('right')}"), ([message], 0))
        self.assertEqual(flows(f"from=0&to=100&limit=300&row={rows.index('thread 2')}"), ([first, second], 0))

    def test_cpus_are_the_same_ones_in_all_answers(self):
        # The collector of cap 1 works before any thread runs.
        view = View("""type 1 run role=threadRun (thread u64 role=thread)
type 2 collect role=gcStart
type 3 collected role=gcEnd
type 4 steal role=sparkSteal (victim_cap u16)
stream 2 "cap 0"
stream 3 "cap 1"
0.000000010 3 collect
0.000000020 3 collected
0.000000030 2 run thread=1
0.000000040 3 run thread=2
0.000000050 2 steal victim_cap=1
""")
        self.addCleanup(view.close)
        rows = [row["name"] for row in view.json("/v1/rows?s=0")["rows"]]
        self.assertEqual(rows[:5], ["all cpus", "cap 0", "cap 1", "cap 0", "thread 1"])
        flow, = view.json("/v1/flows?s=0&from=0&to=100&limit=300")["flows"]
        self.assertEqual((flow["kind"], rows[flow["from_row"]], flow["from_row"], flow["to_row"]), ("steal", "cap 1", 2, 1))
        event = view.json("/v1/event?s=0&row=2&ns=100&find=at")["event"]
        self.assertEqual((event["stream"], event["type"]), ("cap 1", "run"))

    def test_sparks_objects_and_the_tracer_have_rows(self):
        view = View("""type 1 create role=sparkCreate
type 2 cost role=overhead (why text role=reason) (ns u64 role=duration unit=nanoseconds)
type 3 read role=call (function text role=function) (fd u64 role=object) (bytes u64 role=amount) (ns u64 role=duration unit=nanoseconds)
stream 1 "main"
0.000000001 1 create
0.000000003 1 create
0.000000020 1 cost why="flush" ns=10
0.000000030 1 read function="read" fd=3 bytes=300 ns=5
""")
        self.addCleanup(view.close)
        rows = view.json("/v1/rows?s=0")["rows"]
        found = {row["kind"]: row for row in rows}
        self.assertEqual([(row["kind"], row["name"], row["unit"]) for row in rows if row["kind"] in ("sparks", "tracer", "object")],
                         [("sparks", "main", None), ("tracer", "tracer", None), ("object", "object 3", "B")])
        self.assertEqual(rows[-1]["kind"], "object")
        self.assertEqual([name in view.json("/v1/rows?s=0")["names"] for name in ("flush", "read")], [True, True])

        def payload(kind, level=0):
            status, tile = view.get(f"/v1/tiles?s=0&l={level}&i=0&r={found[kind]['id']}")
            self.assertEqual((status, tile[8], tile[10]), (200, found[kind]["id"], 0))
            return tile[9], tile[12:] if tile[11] < 128 else tile[13:]
        # Kind 4: one column of nothing, one with 1 of class 0, one of nothing, one with 1 of class 0, and 1020 of nothing; no bands.
        self.assertEqual(payload("sparks"), (4, bytes([1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1]) + bytes([0xFC, 0x07, 0]) + b"\0"))
        # Kind 3: 300 in column 30.
        self.assertEqual(payload("object"), (3, bytes([30, 0, 1, 0xAC, 2]) + bytes([0xE1, 0x07, 0]) + b"\0"))
        kind, spans = payload("tracer")
        self.assertEqual((kind, spans[:3], spans[4:6]), (1, bytes([10, 0, 10]), bytes([spans[4], 255])))

    def test_amounts_of_objects_are_those_of_evt_stats(self):
        view = View(CALLS)
        self.addCleanup(view.close)
        stats = subprocess.run([EVT, "stats", "usage", "--json", view.trace], check=True, capture_output=True, text=True)
        wanted = {row["object"]: row["amount"] for row in json.loads(stats.stdout)["sessions"][0]["usage"]["objects"]}
        self.assertEqual(wanted, {"4": 500, "/etc/hosts": 67})
        found = {}
        for row in view.json("/v1/rows?s=0")["rows"]:
            if row["kind"] != "object":
                continue
            tile = view.get(f"/v1/tiles?s=0&l=0&i=0&r={row['id']}")[1]
            self.assertLess(tile[11], 128)
            found[row["name"].removeprefix("object ")] = counts_of(tile[12:])
        self.assertEqual(found, wanted)

    def test_a_condition_or_a_text_finds_events(self):
        found = self.view.json("/v1/find?s=0&q=thread%3D8&from=0&dir=next")
        self.assertEqual((found["event"]["ns"], found["row"], found["error"]), ("10000", 5, None))
        found = self.view.json("/v1/find?s=0&q=here&from=0&dir=next")
        self.assertEqual(found["event"]["ns"], "3000")
        found = self.view.json("/v1/find?s=0&q=nowhere&from=0&dir=next")
        self.assertEqual((found["event"], found["row"], found["error"]), (None, None, None))
        found = self.view.json("/v1/find?s=0&q=thread%3D%3D%3D8&from=0&dir=next")
        self.assertIsNone(found["event"])
        self.assertTrue(found["error"])

    def test_what_cannot_be_answered_is_a_sentence(self):
        for path, sentence in (("/v1/rows?s=1", "s: expected a session below 1"),
                               ("/v1/rows", "s: expected a whole number"),
                               ("/v1/tiles?s=0&l=60&i=0&r=0", "l, i: expected a tile within the range of times"),
                               ("/v1/tiles?s=0&l=4&i=0&r=0-64", "r: expected up to 64 rows, such as 1-3,7"),
                               ("/v1/tiles?s=0&l=4&i=0&r=6", "expected a row below 6"),
                               ("/v1/stats?s=0&from=5&to=4", "to: expected no time before from"),
                               ("/v1/event?s=0&row=0&ns=0&find=now", "find: expected at, next or previous"),
                               ("/v1/flows?s=0&from=1&to=0&limit=1", "to: expected no time before from"),
                               ("/v1/flows?s=0&from=0&to=1&limit=10001", "limit: expected up to 10000, found 10001"),
                               ("/v1/flows?s=0&from=0&to=1&limit=1&row=6", "expected a row below 6"),
                               ("/v1/flows?s=0&from=0&to=1&limit=1&row=x", "row: expected a whole number"),
                               ("/v1/events?s=0&at=0&before=501&after=0", "before: expected up to 500, found 501"),
                               ("/v1/events?s=0&at=0&before=0&after=501", "after: expected up to 500, found 501"),
                               ("/v1/events?s=0&at=0&before=-1&after=0", "before: expected a whole number"),
                               ("/v1/events?s=0&at=0&before=1", "after: expected a whole number"),
                               ("/v1/events?s=0&before=1&after=1", "at: expected a whole number")):
            status, body = self.view.get(path)
            self.assertEqual((status, body.decode().strip()), (400, sentence), path)

    def test_several_traces_are_on_one_timeline_as_evt_merge_puts_them(self):
        view = View(TRACE, TRACE)
        self.addCleanup(view.close)
        merged = os.path.join(view.folder.name, "merged.evt")
        subprocess.run([EVT, "merge", *view.traces, "-o", merged], check=True, capture_output=True)
        # The second began 1 ns later.
        self.assertEqual(view.json("/v1/trace")["sessions"], [
            {"name": "app.evt, app2.evt", "start_utc": "1767225600000000000", "from": "1000", "to": "12001", "until": "12001", "events": "14", "lost": "0",
             "notes": ["app2.evt: aligned by UTC: offset 0.000000001 s; exact if both UTC clocks were"]}])
        dumped = subprocess.run([EVT, "dump", "--json", merged], check=True, capture_output=True, text=True).stdout
        listed = view.json("/v1/events?s=0&at=0&before=0&after=500")["events"]
        self.assertEqual([(event["ns"], event["type"]) for event in listed],
                         [(str(event["ns"]), event["event"]) for event in map(json.loads, dumped.splitlines())])
        self.assertEqual([row["name"] for row in view.json("/v1/rows?s=0")["rows"] if row["kind"] == "cpu"],
                         ["cpu 0 (app.evt)", "cpu 0 (app2.evt)"])
        self.assertTrue(view.json("/v1/stats?s=0&from=0&to=20000")["tables"])

    def test_many_parts_that_are_aligned_alike_are_one_note(self):
        with tempfile.TemporaryDirectory() as folder:
            traces = [make_trace(EVT, os.path.join(folder, f"part{n}.evt"), TRACE, start=5 * (n > 0)) for n in range(6)]
            view = Served(EVT, *traces)
            self.addCleanup(view.close)
            self.assertEqual(view.json("/v1/trace")["sessions"][0]["notes"],
                             ["part1.evt and 4 more parts: aligned by UTC: offset 0.000000005 s; exact if both UTC clocks were"])

    def test_rows_of_a_part_are_beside_one_another(self):
        view = View(TRACE, TRACE)
        self.addCleanup(view.close)
        rows = view.json("/v1/rows?s=0")["rows"]
        second = "app2.evt, exact"
        self.assertEqual([(row["kind"], row["name"], row["group"]) for row in rows],
                         [("cpus", "all cpus", None),
                          ("cpu", "cpu 0 (app.evt)", "app.evt"), ("thread", "thread 7 (app.evt)", "app.evt"), ("span", "", "app.evt"),
                          ("thread", "thread 8 (app.evt)", "app.evt"), ("events", "worker", "app.evt"),
                          ("cpu", "cpu 0 (app2.evt)", second), ("thread", "thread 7 (app2.evt)", second), ("span", "", second),
                          ("thread", "thread 8 (app2.evt)", second), ("events", "worker", second), ("mark", "marks", None)])

    def test_rows_have_the_units_of_their_values(self):
        view = View("""type 1 heap role=counter (name text role=name) (size u64 role=value unit=bytes)
type 2 queue role=counter (name text role=name) (length u64 role=value)
type 3 heat role=counter (name text role=name) (degrees u64 role=value unit_text="Cel")
stream 1 "main"
0.000000001 1 heap name="heap" size=4096
0.000000002 1 queue name="queue" length=3
0.000000003 1 heat name="heat" degrees=40
""")
        self.addCleanup(view.close)
        self.assertEqual([(row["name"], row["unit"], row["group"]) for row in view.json("/v1/rows?s=0")["rows"]],
                         [("heap", "B", None), ("heat", "Cel", None), ("queue", None, None), ("main", None, None)])

    def test_sessions_are_on_timelines_of_their_own_where_that_is_wanted(self):
        view = View(TRACE, TRACE, options=["--separate"])
        self.addCleanup(view.close)
        self.assertEqual([(session["name"], session["notes"]) for session in view.json("/v1/trace")["sessions"]],
                         [("app.evt: app", []), ("app2.evt: app", [])])

    def test_what_cannot_be_merged_is_on_timelines_of_its_own(self):
        view = View(TRACE, TRACE, environment={"TMPDIR": "/nowhere"})
        self.addCleanup(view.close)
        note = "not on one timeline: cannot make a temporary file in /nowhere: No such file or directory"
        self.assertEqual([(session["name"], session["notes"]) for session in view.json("/v1/trace")["sessions"]],
                         [("app.evt: app", [note]), ("app2.evt: app", [note])])

    def test_a_session_that_is_there_twice_is_shown_once(self):
        view = View(TRACE, options=[])
        self.addCleanup(view.close)
        twice = View(TRACE, options=[view.trace, view.trace])
        self.addCleanup(twice.close)
        sessions = twice.json("/v1/trace")["sessions"]
        self.assertEqual([session["events"] for session in sessions], ["14"])
        self.assertEqual(len(sessions[0]["notes"]), 2)
        self.assertEqual(sessions[0]["notes"][0], "app.evt: left out: its session is in app.evt already")

    def test_what_is_missing_of_a_trace_that_is_merged_is_a_note_with_its_name(self):
        view = View(TRACE, TRACE, without_bytes=100)
        self.addCleanup(view.close)
        dumped = subprocess.run([EVT, "dump", view.trace], capture_output=True, text=True, check=False)
        sentences = [line.removeprefix(f"evt dump: {view.trace}: ") for line in dumped.stderr.splitlines()]
        self.assertTrue(sentences)
        self.assertEqual(view.json("/v1/trace")["sessions"][0]["notes"][:-1], [f"app.evt: {sentence}" for sentence in sentences])

    def test_what_is_missing_of_a_trace_is_a_note(self):
        view = View(TRACE, without_bytes=100)
        self.addCleanup(view.close)
        dumped = subprocess.run([EVT, "dump", view.trace], capture_output=True, text=True, check=False)
        self.assertEqual(dumped.returncode, 1)
        sentences = [line.removeprefix(f"evt dump: {view.trace}: ") for line in dumped.stderr.splitlines()]
        self.assertTrue(sentences)
        self.assertEqual(view.json("/v1/trace")["sessions"][0]["notes"], sentences)

    def test_the_page_needs_no_token_and_all_else_does(self):
        self.assertEqual(self.view.get("/", token=False)[0], 200)
        self.assertEqual(self.view.get("/v1/trace", token=False)[0], 401)


LONG = 150_000


class LongTrace(unittest.TestCase):
    """Of one thread that runs and stops again and again: long enough to be read from moments in its middle."""

    @classmethod
    def setUpClass(cls):
        declarations = "".join(line + "\n" for line in TRACE.splitlines() if line.startswith(("type 1 ", "type 2 "))) + 'stream 1 "worker"\n'
        cls.view = View(declarations + "".join(f"0.{n * 10:09} 1 {'stop' if n % 2 else 'run'} thread=7 cpu=0\n" for n in range(LONG)))
        cls.view.get("/v1/progress")

    @classmethod
    def tearDownClass(cls):
        cls.view.close()

    def listed(self, number, before, after):
        answer = self.view.json(f"/v1/events?s=0&at={number * 10}&before={before}&after={after}")
        return [int(event["ns"]) // 10 for event in answer["events"]], answer["is_first"], answer["is_last"]

    def test_the_list_has_the_events_around_any_moment(self):
        for number in (0, 3, 1_000, 65_535, 65_600, 87_381, 100_000, 149_000, LONG - 1):
            first, end = max(0, number - 400), min(LONG, number + 300)
            self.assertEqual(self.listed(number, 400, 300), (list(range(first, end)), first == 0, end == LONG))

    def test_tiles_of_its_middle_have_what_was_there(self):
        # 1024 columns of 8 ns around event 140,000: the thread runs in 10 of each 20 ns.
        thread = next(row["id"] for row in self.view.json("/v1/rows?s=0")["rows"] if row["kind"] == "thread")
        events = next(row["id"] for row in self.view.json("/v1/rows?s=0")["rows"] if row["kind"] == "events")
        index = 1_400_000 // 8192
        status, tile = self.view.get(f"/v1/tiles?s=0&l=3&i={index}&r={events}")
        self.assertEqual(status, 200)
        first, end = -(-index * 8192 // 10), -(-(index + 1) * 8192 // 10)
        self.assertEqual(counts_of(payload_of(tile)), end - first)
        self.assertGreater(len(self.view.get(f"/v1/tiles?s=0&l=3&i={index}&r={thread}")[1]), 1000)

    def test_what_is_found_backwards_may_be_far_away(self):
        thread = next(row["id"] for row in self.view.json("/v1/rows?s=0")["rows"] if row["kind"] == "thread")

        def found(query):
            event = self.view.json(f"/v1/{query}")["event"]
            return event and int(event["ns"]) // 10
        last = (LONG - 1) * 10
        self.assertEqual(found(f"event?s=0&row={thread}&ns={last}&find=previous"), LONG - 2)
        self.assertEqual(found(f"event?s=0&row={thread}&ns={last}&find=at"), LONG - 1)
        self.assertEqual(found(f"find?s=0&q=stop&from={last - 5}&dir=previous"), LONG - 3)
        self.assertEqual(found(f"find?s=0&q=cpu%3D1&from={last}&dir=previous"), None)


# Items of this many events are more than are read before the first answer.
MOST_READ_AT_FIRST = 900_000


def mixed_text(events, seed=3):
    """Spans that are long and short, calls of objects, wake-ups and messages, by chance."""
    choice = random.Random(seed)
    types = """type 1 run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)
type 2 stop role=threadStop (thread u64 role=thread) (reason enum16 role=reason labels=[3=blocked])
type 3 wake role=threadWake (thread u64 role=thread) (waker u64 role=waker)
type 4 in role=spanBegin (name text role=name)
type 5 out role=spanEnd (name text role=name)
type 6 read role=call (function text role=function) (fd u64 role=object) (bytes u64 role=amount) (ns u64 role=duration unit=nanoseconds)
type 7 send role=messageSend (id u64 role=flow)
type 8 receive role=messageReceive (id u64 role=flow)
stream 1 "one" thread=1
stream 2 "two" thread=2
"""
    kinds = [lambda: f"run thread={choice.randrange(1, 9)} cpu={choice.randrange(3)}", lambda: f"stop thread={choice.randrange(1, 9)} reason=blocked",
             lambda: f"wake thread={choice.randrange(1, 9)} waker={choice.randrange(1, 9)}", lambda: f'in name="n{choice.randrange(5)}"',
             lambda: f'out name="n{choice.randrange(5)}"', lambda: f'out name="n{choice.randrange(5)}"',
             lambda: f'read function="read" fd={(fd := choice.randrange(1, 5))} bytes={fd * 1000} ns={choice.randrange(90)}',
             lambda: f"send id={choice.randrange(300)}", lambda: f"receive id={choice.randrange(300)}"]
    always = {0: 'in name="long"', 80_000: 'out name="long"'}
    return types + "".join(f"0.{n * 100 + choice.randrange(100):09} {choice.choice((1, 2))} {always.get(n % 100_000) or choice.choice(kinds)()}\n"
                           for n in range(events))


def rows_by_names(view):
    """Ids of rows: those of spans are known by their thread and by how many are above."""
    rows = view.json("/v1/rows?s=0")["rows"]
    names = {row["id"]: row["name"] for row in rows}
    ids = {}
    for row in rows:
        above = sum(other["parent"] == row["parent"] and other["id"] < row["id"] for other in rows) if row["kind"] == "span" else 0
        ids[(row["kind"], row["name"], names.get(row["parent"], ""), above)] = row["id"]
    return ids


def flows_of(answer, ids):
    names = {number: name for name, number in ids.items()}
    return [(flow["kind"], names[flow["from_row"]], flow["from"], names[flow["to_row"]], flow["to"]) for flow in answer["flows"]], answer["more"]


def answers_of(view, levels=3):
    """All kinds of answers of a session that was read: of rows, of tiles from the whole to finer ones, of events."""
    trace = view.get("/v1/trace")[1]
    session = json.loads(trace)["sessions"][0]
    rows = view.get("/v1/rows?s=0")[1]
    most = min(len(json.loads(rows)["rows"]), 64) - 1
    whole = (int(session["to"]) // 1024).bit_length()
    middle = int(session["to"]) // 2
    paths = [f"tiles?s=0&l={level}&i={middle >> (level + 10)}&r=0-{most}" for level in range(whole + 2, whole - levels, -1)]
    paths += [f"stats?s=0&from=0&to={middle}", f"event?s=0&row=1&ns={middle}&find=previous", f"find?s=0&q=n3&from={middle}&dir=next",
              f"events?s=0&at={middle}&before=3&after=3", f"flows?s=0&from={middle}&to={middle + 5000}&limit=30"]
    return [trace, rows] + [view.get("/v1/" + path)[1] for path in paths]


class Cache(unittest.TestCase):
    """A large trace that is opened again."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.trace = make_trace(EVT, os.path.join(cls.folder.name, "large.evt"), mixed_text(MOST_READ_AT_FIRST))
        cls.home = os.path.join(cls.folder.name, "cache")
        with cls.opened() as view:
            view.get("/v1/progress")
            cls.answers = answers_of(view)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    @contextlib.contextmanager
    def opened(cls, *options):
        view = Served(EVT, cls.trace, options=options, environment={"XDG_CACHE_HOME": cls.home})
        try:
            yield view
        finally:
            view.close()

    def kept(self):
        folder = os.path.join(self.home, "evtrace")
        return [os.path.join(folder, name) for name in os.listdir(folder)]

    def is_complete_at_once(self, *options):
        with self.opened(*options) as view:
            return view.json("/v1/trace")["complete"]

    def read_again(self):
        with self.opened() as view:
            view.get("/v1/progress")

    def test_it_is_complete_at_once_and_its_answers_are_the_same(self):
        with self.opened() as view:
            self.assertTrue(view.json("/v1/trace")["complete"])
            self.assertEqual(answers_of(view), self.answers)

    def test_what_is_kept_is_the_users_alone(self):
        path, = self.kept()
        self.assertEqual(os.stat(os.path.dirname(path)).st_mode & 0o777, 0o700)
        self.assertRegex(os.path.basename(path), r"^[0-9a-f]{32}-[0-9a-f]{16}\.view$")

    def test_nothing_is_read_or_kept_without_the_cache(self):
        self.assertFalse(self.is_complete_at_once("--no-cache"))

    def test_what_is_damaged_is_ignored_and_made_again(self):
        path, = self.kept()
        with open(path, "rb") as file:
            whole = file.read()
        for damage in (lambda: whole[:-1], lambda: whole[:len(whole) // 2] + bytes([whole[len(whole) // 2] ^ 1]) + whole[len(whole) // 2 + 1:], lambda: b""):
            with open(path, "wb") as file:
                file.write(damage())
            self.assertFalse(self.is_complete_at_once())
        self.read_again()
        with open(path, "rb") as file:
            self.assertEqual(file.read(), whole)

    def test_a_folder_in_which_others_may_write_is_not_used(self):
        folder = os.path.join(self.home, "evtrace")
        os.chmod(folder, 0o770)
        try:
            self.assertFalse(self.is_complete_at_once())
        finally:
            os.chmod(folder, 0o700)
        self.assertTrue(self.is_complete_at_once())

    def test_of_a_damaged_trace_nothing_is_kept(self):
        damaged = os.path.join(self.folder.name, "damaged.evt")
        shutil.copyfile(self.trace, damaged)
        os.truncate(damaged, os.path.getsize(damaged) - 100_000)
        view = Served(EVT, damaged, environment={"XDG_CACHE_HOME": self.home})
        self.addCleanup(view.close)
        view.get("/v1/progress")
        self.assertTrue(view.json("/v1/trace")["complete"])
        self.assertEqual(len(self.kept()), 1)

    def test_a_trace_that_has_changed_is_read_again(self):
        before = os.stat(self.trace)
        os.utime(self.trace, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
        try:
            self.assertFalse(self.is_complete_at_once())
        finally:
            os.utime(self.trace, ns=(before.st_atime_ns, before.st_mtime_ns))
        self.assertTrue(self.is_complete_at_once())


class Marks(unittest.TestCase):
    """What is read from a moment near a place is what is read from the start."""

    def test_answers_are_the_same_from_marks_and_from_the_start(self):
        text = mixed_text(MOST_READ_AT_FIRST)
        near = View(text)
        self.addCleanup(near.close)
        near.get("/v1/progress")
        self.assertTrue(near.json("/v1/trace")["complete"])
        start = Served(EVT, near.trace)
        self.addCleanup(start.close)
        self.assertFalse(start.json("/v1/trace")["complete"])
        near_rows, start_rows = rows_by_names(near), rows_by_names(start)
        names = {row[0]: row for row in sorted(start_rows.keys() & near_rows.keys())}
        self.assertEqual(sorted(names), ["cpu", "cpus", "events", "object", "span", "thread"])
        choice = random.Random(1)
        found = 0
        for name in names.values():
            for find in choice.sample(("at", "next", "previous"), 2):
                ns = choice.randrange(MOST_READ_AT_FIRST * 100)
                self.assertEqual(near.json(f"/v1/event?s=0&row={near_rows[name]}&ns={ns}&find={find}"),
                                 start.json(f"/v1/event?s=0&row={start_rows[name]}&ns={ns}&find={find}"), (name, ns, find))
                query = f"q={choice.choice(('n3', 'fd%3D2', 'out', 'long'))}&from={ns}&dir={'next' if find == 'at' else find}"
                event, expected = (view.json(f"/v1/find?s=0&{query}") for view in (near, start))
                self.assertEqual(event["event"], expected["event"], query)
                flows, expected = (flows_of(view.json(f"/v1/flows?s=0&from={ns}&to={ns + 9000}&limit=20"), rows)
                                   for view, rows in ((near, near_rows), (start, start_rows)))
                self.assertEqual(flows, expected, ns)
                found += event["event"] is not None and len(flows[0]) > 5
        self.assertGreater(found, 8)

    def test_the_events_of_an_objects_row_are_its_calls(self):
        view = View(CALLS)
        self.addCleanup(view.close)
        rows = {row["name"]: row["id"] for row in view.json("/v1/rows?s=0")["rows"] if row["kind"] == "object"}
        self.assertEqual(sorted(rows), ["/etc/hosts", "object 4"])

        def at(name, ns, find):
            event = view.json(f"/v1/event?s=0&row={rows[name]}&ns={ns}&find={find}")["event"]
            return event and (event["ns"], event["text"])
        # One of them failed, so that nothing was read.
        self.assertEqual(at("/etc/hosts", 0, "next"), ("4", "leave got=60"))
        self.assertEqual(at("/etc/hosts", 4, "next"), ("25", 'whole function="write" fd=3 done=7 ns=1'))
        self.assertEqual(at("/etc/hosts", 25, "next"), None)
        self.assertEqual(at("object 4", 99, "at"), ("20", 'whole function="write" fd=4 done=500 ns=5'))
        self.assertEqual(at("object 4", 20, "previous"), None)


if __name__ == "__main__":
    unittest.main()
