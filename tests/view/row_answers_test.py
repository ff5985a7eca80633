#!/usr/bin/env python3
"""Which rows `evt view` answers to its page, and what is in their tiles.

usage: row_answers_test.py EVT
"""
import json
import subprocess
import unittest

from answers_case import CALLS, EVT, AnswersCase, View, counts_of
from evt_view import ASYNC


class RowAnswers(AnswersCase):
    def test_rows_are_those_of_cpus_threads_spans_marks_and_events(self):
        rows = self.view.json("/v1/rows?s=0")
        self.assertEqual([(row["kind"], row["name"], row.get("parent")) for row in rows["rows"]],
                         [("cpu", "cpu 0", None), ("thread", "thread 7", None), ("span", "", 1), ("thread", "thread 8", None),
                          ("mark", "marks", None), ("events", "worker", None)])
        self.assertEqual(sorted(rows["names"]), ["here", "load", "thread 7", "thread 8"])

    def test_spans_without_a_row_of_their_thread_are_below_the_first_of_them(self):
        view = View("""type 1 in role=spanBegin (name text role=name)
type 2 out role=spanEnd
stream 1 "zeta"
stream 2 "alpha"
0.000000010 1 in name="a"
0.000000020 1 in name="b"
0.000000030 1 in name="c"
0.000000040 2 in name="a"
0.000000050 2 in name="b"
0.000000060 2 out
""")
        self.addCleanup(view.close)
        rows = [row for row in view.json("/v1/rows?s=0")["rows"] if row["kind"] == "span"]
        self.assertEqual([(row["name"], row["parent"]) for row in rows],
                         [("zeta", None), ("", rows[0]["id"]), ("", rows[0]["id"]), ("alpha", None), ("", rows[3]["id"])])

    def test_a_tile_has_the_rows_that_were_asked_for(self):
        status, tile = self.view.get("/v1/tiles?s=0&l=4&i=0&r=0,4-5")
        self.assertEqual(status, 200)
        # Its header, and row 0: 62 columns of nothing; half of the next and the 500 that follow are running, ...
        self.assertEqual(tile[:8], b"EVTT\1\4\0\1")
        self.assertEqual(tile[8:11], b"\0\0\0")
        self.assertEqual(tile[12:22], bytes([62, 0, 1, 1, 0, 127]) + bytes([0xF3, 0x03, 1, 0]))

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

    def test_samples_have_a_row_below_their_thread_and_show_their_stack(self):
        view = View("""type 1 run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)
type 2 sample role=sample (thread u64 role=thread) (stack interned[] role=stack) (weight u64 role=weight unit=nanoseconds)
string 1 "main"
string 2 "parse"
stream 1 "samples"
0.000000010 1 run thread=7 cpu=0
0.000000020 1 sample thread=7 stack=["parse" "main"] weight=5
0.000000021 1 sample thread=7 stack=["main"] weight=5
0.000000030 1 sample thread=8 stack=["main"] weight=5
""")
        self.addCleanup(view.close)
        rows = view.json("/v1/rows?s=0")["rows"]
        names = {row["id"]: row["name"] for row in rows}
        samples = [row for row in rows if row["kind"] == "samples"]
        # Nothing else is known about thread 8.
        self.assertEqual([(row["name"], names.get(row["parent"])) for row in samples], [("", "thread 7"), ("thread 8", None)])
        self.assertEqual([row["name"] for row in rows if row["kind"] == "thread"], ["thread 7"])
        status, tile = view.get(f"/v1/tiles?s=0&l=0&i=0&r={samples[0]['id']}")
        # Kind 3: one in column 20, and one in column 21.
        self.assertEqual((status, tile[9], tile[12:20]), (200, 3, bytes([20, 0, 2, 1]) + bytes([0xEA, 0x07, 0]) + b"\0"))
        event = view.json(f"/v1/event?s=0&row={samples[0]['id']}&ns=20&find=at")["event"]
        self.assertEqual((event["ns"], event["fields"][1]), ("20", {"name": "stack", "value": "parse\nmain"}))

    def test_asynchronous_spans_have_rows_by_name_and_lanes_below_them(self):
        view = View(ASYNC)
        self.addCleanup(view.close)
        rows = view.json("/v1/rows?s=0")["rows"]
        self.assertEqual([(row["kind"], row["name"], row["parent"]) for row in rows],
                         [("async", "request", None), ("async", "", 0), ("async", "dns", None), ("events", "client", None), ("events", "server", None)])
        names = view.json("/v1/rows?s=0")["names"]

        def payload(row):
            status, tile = view.get(f"/v1/tiles?s=0&l=0&i=0&r={row}")
            self.assertEqual((status, tile[8:11], tile[11] < 128), (200, bytes([row, 1, 0]), True))
            return tile[12:]

        request, dns = payload(1)[4], payload(2)[4]
        # Kind 1: one colour for as long as a span lasts, nothing between them and behind; labels of those that are wide enough; no bands.
        self.assertEqual(payload(0), bytes([10, 0, 40, 1, request, 255, 10, 0, 39, 1, request, 255, 0x9D, 7, 0]) +
                         bytes([2, 10, 40, names.index("request"), 60, 39, names.index("request"), 0]))
        self.assertEqual(payload(1), bytes([20, 0, 60, 1, request, 255, 0xB0, 7, 0]) + bytes([1, 20, 60, names.index("request"), 0]))
        self.assertEqual(payload(2), bytes([30, 0, 5, 1, dns, 255, 55, 0, 9, 1, dns, 255, 0x9D, 7, 0]) + bytes([1, 90, 9, names.index("dns"), 0]))

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


if __name__ == "__main__":
    unittest.main()
