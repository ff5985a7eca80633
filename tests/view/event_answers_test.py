#!/usr/bin/env python3
"""Events, their spans and flows, as `evt view` answers to its page.

usage: event_answers_test.py EVT
"""
import json
import subprocess
import unittest

from answers_case import CALLS, EVT, FLOWS, SPANS, AnswersCase, View
from evt_view import ASYNC


class EventAnswers(AnswersCase):
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
            "events": [{"ns": "1000", "stream": "worker", "type": "run", "text": "run thread=7 cpu=0", "row": 1},
                       {"ns": "2000", "stream": "worker", "type": "in", "text": 'in name="load"', "row": 2}],
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
        self.assertEqual(event["span"], {"name": "endless", "from": "5000", "to": "9000", "self": "2000", "open": True, "around": []})

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

    def test_a_condition_or_a_text_finds_events(self):
        def find(query, **where):
            words = "&".join(f"{name}={value}" for name, value in (where or {"from": 0, "dir": "next"}).items())
            found = self.view.json(f"/v1/find?s=0&q={query}&{words}")
            return found["event"] and (found["event"]["ns"], found["row"]), found.get("place"), found["count"], found["error"]
        self.assertEqual(find("thread%3D8"), (("10000", 3), 0, 2, None))
        self.assertEqual(find("here"), (("3000", 4), 0, 1, None))
        self.assertEqual(find("load"), (("2000", 2), 0, 1, None))
        self.assertEqual(find("nowhere"), (None, None, 0, None))
        # From the last on the first, and back.
        runs = [("1000", 1), ("9000", 1), ("10000", 3), ("12000", 3)]
        self.assertEqual([find("cpu", place=n) for n in range(6)], [(runs[n % 4], n % 4, 4, None) for n in range(6)])
        for start, direction, place in ((9000, "next", 2), (9000, "previous", 0), (12000, "next", 0), (1000, "previous", 3), (9000, "at", 1)):
            self.assertEqual(find("cpu", **{"from": start, "dir": direction}), (runs[place], place, 4, None))
        event, _, count, error = find("thread%3D%3D%3D8")
        self.assertEqual((event, count), (None, 0))
        self.assertTrue(error)

    def test_matches_in_a_range_are_on_the_rows_that_show_them_best(self):
        self.assertEqual(self.view.json("/v1/matches?s=0&q=a&from=0&to=99999&step=1"),
                         {"ns": ["1000", "2000", "3000", "9000", "10000", "12000"], "rows": [1, 2, 4, 1, 3, 3]})
        self.assertEqual(self.view.json("/v1/matches?s=0&q=a&from=2000&to=11000&step=1"), {"ns": ["2000", "3000", "9000", "10000"], "rows": [2, 4, 1, 3]})
        # Of those of one row that are nearer than the step the first.
        self.assertEqual(self.view.json("/v1/matches?s=0&q=a&from=0&to=99999&step=8001"), {"ns": ["1000", "2000", "3000", "10000"], "rows": [1, 2, 4, 3]})

    def test_events_of_one_time_are_matches_of_their_own(self):
        view = View(SPANS.replace("0.000002300 1 plain n=3", "".join(f"0.000002300 1 plain n={n}\n" for n in (30, 31, 32)).rstrip()))
        self.addCleanup(view.close)
        texts = [view.json(f"/v1/find?s=0&q=plain&place={n}")["event"]["text"] for n in range(9)]
        self.assertEqual(texts, [f"plain n={n}" for n in (0, 1, 2, 30, 31, 32, 4, 5, 6)])

    def test_a_row_of_spans_has_the_span_at_a_time(self):
        view = View(SPANS)
        self.addCleanup(view.close)
        rows = view.json("/v1/rows?s=0")["rows"]
        spans = [row["id"] for row in rows if row["kind"] == "span"]

        def at(depth, ns, find="at"):
            event = view.json(f"/v1/event?s=0&row={spans[depth]}&ns={ns}&find={find}")["event"]
            return event and (event["text"], *(event["span"][name] for name in ("name", "from", "to", "self", "thread")), [one["name"] for one in event["span"]["around"]])
        outer = ('in name="outer"', "outer", "1000", "4500", "2500", "one (1)", [])
        read = ('enter function="read"', "read", "2000", "3000", "800", "one (1)", ["outer"])
        inner = ('in name="inner"', "inner", "2200", "2400", "200", "one (1)", ["outer", "read"])
        self.assertEqual([at(depth, 2300) for depth in range(3)], [outer, read, inner])
        self.assertEqual([at(depth, 4400) for depth in range(3)], [outer, read, inner])
        self.assertEqual([at(0, 999), at(0, 1000), at(0, 1000, "previous"), at(0, 999, "next"), at(0, 1000, "next"), at(2, 2200, "previous"), at(2, 0, "next")],
                         [None, outer, None, outer, None, None, inner])
        # One event records it as a whole, at its end.
        late = ('whole name="late" duration=1950', "late", "2050", "4000", "1950", "two (2)", [])
        self.assertEqual([at(3, 2050), at(3, 2049), at(3, 5000), at(3, 0, "next"), at(3, 2051, "previous")], [late, None, late, late, late])
        within = ('in name="within"', "within", "6000", "8000", "2000", "three (3)", ["endless"])
        self.assertEqual(at(5, 7000), within)

    def test_the_events_of_an_asynchronous_spans_row_are_those_of_its_lane(self):
        view = View(ASYNC)
        self.addCleanup(view.close)

        def at(row, ns, find="at"):
            event = view.json(f"/v1/event?s=0&row={row}&ns={ns}&find={find}")["event"]
            return event and (event["ns"], event["async"])
        first = {"name": "request", "id": "1", "stream": "client", "from": "10", "to": "50"}
        second = {"name": "request", "id": "2", "stream": "client", "from": "20", "to": "80"}
        third = {"name": "request", "id": "3", "stream": "server", "from": "60", "to": "99", "open": True}
        self.assertEqual(at(0, 5), None)
        self.assertEqual(at(0, 40), ("10", first))
        self.assertEqual(at(0, 55), ("50", first))
        self.assertEqual(at(0, 99), ("60", third))
        self.assertEqual(at(1, 70), ("20", second))
        self.assertEqual(at(1, 99), ("80", second))
        self.assertEqual(at(0, 10, "next"), ("50", first))
        event = view.json("/v1/event?s=0&row=4&ns=55&find=at")["event"]
        self.assertEqual((event["ns"], "async" in event), ("55", False))

    def test_a_call_has_the_object_that_it_is_about(self):
        view = View(CALLS)
        self.addCleanup(view.close)
        row = next(row["id"] for row in view.json("/v1/rows?s=0")["rows"] if row["kind"] == "span")
        found = [view.json(f"/v1/event?s=0&row={row}&ns={ns}&find=at")["event"]["span"] for ns in (3, 5, 16, 25)]
        self.assertEqual([(span["name"], span.get("object")) for span in found],
                         [("read", "/etc/hosts"), ("read", "/etc/hosts"), ("write", "object 4"), ("write", "/etc/hosts")])

    def test_a_row_of_a_thread_or_cpu_has_its_state(self):
        view = View(FLOWS)
        self.addCleanup(view.close)
        rows = {(row["kind"], row["name"]): row["id"] for row in view.json("/v1/rows?s=0")["rows"]}

        def state(kind, name, ns, find="at"):
            event = view.json(f"/v1/event?s=0&row={rows[kind, name]}&ns={ns}&find={find}")["event"]
            found = event and event.get("state")
            return found and tuple(found[each] for each in ("key", "from", "to", "reason", "thread", "cpu", "woken_by")) + (found.get("open", False),)
        running, runnable, waiting = 0, 4, 6
        one, two = ("thread", "thread 1"), ("thread", "thread 2")
        self.assertEqual([state(*two, ns) for ns in (20, 29)], [(running, "20", "30", "", "2", "1", "", False)] * 2)
        self.assertEqual(state(*two, 39), (waiting, "30", "40", "blocked", "2", "", "1", False))
        self.assertEqual(state(*two, 40), (runnable, "40", "50", "", "2", "", "1", False))
        self.assertEqual(state(*two, 75), (waiting, "60", "90", "blocked", "2", "", "1", False))
        self.assertEqual(state(*one, 15), (running, "10", "90", "", "1", "0", "", True))
        self.assertEqual(state("cpu", "cpu 1", 25), (running, "20", "30", "", "2", "1", "", False))
        self.assertEqual(state("cpu", "cpu 1", 45), (None, "30", "50", "", "", "1", "", False))
        self.assertEqual((state(*one, 5), state(*two, 20, "next")), (None, None))

    def test_statistics_of_a_range_have_the_lengths_of_asynchronous_spans(self):
        view = View(ASYNC)
        self.addCleanup(view.close)
        tables = view.json("/v1/stats?s=0&from=0&to=99&of=spans")["tables"]
        self.assertEqual([table["name"] for table in tables], ["async", "open", "extremes"])
        self.assertEqual([column["name"] for column in tables[0]["columns"]],
                         ["name", "count", "sum", "trimmed mean", "min", "median", "p90", "p95", "p99", "p99.9", "max",
                          "unfinished"])
        lengths = {"request": [100, 50, 40, 40, 60, 60, 60, 60, 60], "dns": [14, 7, 5, 5, 9, 9, 9, 9, 9]}
        self.assertEqual(tables[0]["rows"], [[name, "2", *([f"{ns} ns", str(ns)] for ns in lengths[name]), unfinished]
                                             for name, unfinished in (("request", "1"), ("dns", "0"))])

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
