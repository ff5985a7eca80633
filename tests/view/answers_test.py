#!/usr/bin/env python3
"""What `evt view` answers to its page, over HTTP, beside what other commands find in the same trace.

usage: answers_test.py EVT
"""
import json
import subprocess
import unittest

import synthetic
from answers_case import EVT, TRACE, AnswersCase, View
from evt_view import SAMPLES


class Answers(AnswersCase):
    def test_the_trace_has_its_sessions(self):
        self.assertEqual(self.view.json("/v1/trace"), {
            "version": 1, "title": "app.evt", **synthetic.WORDS, "complete": True, "progress": 1, "generation": 1, "live": None,
            "sessions": [{"name": "app.evt: app", "start_utc": "1767225600000000000", "from": "1000", "to": "12000", "until": "12000", "events": "7", "lost": "0",
                          "files": ["app.evt"], "merged": False, "notes": [], "warnings": [], "statistics": [
                              {"name": "spans", "title": "Spans and calls", "command": "evt stats spans"},
                              {"name": "flame-spans", "title": "Flame graph of spans", "command": "evt view --flame=spans -o flame.svg"},
                              {"name": "threads", "title": "Threads", "command": "evt stats threads"},
                              {"name": "latency", "title": "Scheduling delays", "command": "evt stats latency"},
                              {"name": "cpu", "title": "Cpus", "command": "evt stats cpu --by cpu,thread"},
                              {"name": "share", "title": "Share", "command": "evt stats share"},
                              {"name": "calls", "title": "Callers", "command": "evt stats calls"},
                              {"name": "events", "title": "Event types", "command": "evt stats events"}]}]})

    def test_statistics_of_a_range_are_those_of_evt_stats(self):
        tables = {table["name"]: table for table in self.view.json("/v1/stats?s=0&from=4000&to=11000&of=threads")["tables"]}
        found = subprocess.run([EVT, "stats", "threads", "--from", "4us", "--to", "11us", "--json", self.view.trace],
                               check=True, capture_output=True, text=True)
        rows = json.loads(found.stdout)["sessions"][0]["threads"]["threads"]
        names = [column["name"] for column in tables["threads"]["columns"]]
        running = names.index("running")
        self.assertEqual(tables["threads"]["columns"][running], {"name": "running", "key": "running_ns", "means": "time for which it ran"})
        self.assertEqual([row[running][1] for row in tables["threads"]["rows"]], [str(row["running_ns"]) for row in rows])
        self.assertEqual([row[running] for row in tables["threads"]["rows"]], [["5.00 us", "5000"], ["1.00 us", "1000"]])

    def test_a_flame_graph_has_boxes_with_their_time_and_inverted_ones(self):
        view = View(SAMPLES)
        self.addCleanup(view.close)
        self.assertEqual(view.json("/v1/stats?s=0&from=0&to=2000000&of=flame-samples"), {
            "flame": [[0, 0, 45, 0, 1, 1, 45, 0, 2, 2, 45, 15, 3, 3, 30, 30],
                      [0, 0, 45, 0, 1, 2, 15, 0, 2, 1, 15, 15, 1, 3, 30, 0, 2, 2, 30, 0, 3, 1, 30, 30]],
            "names": ["all", "thread 7", "main", "parse"], "hues": [9, 8, 4, 7]})
        self.assertEqual(view.json("/v1/stats?s=0&from=3000000&to=4000000&of=flame-samples"),
                         {"flame": [[], []], "names": [], "hues": [], "notes": ["nothing counted here lies in the requested time"]})

    def test_what_cannot_be_answered_is_a_sentence(self):
        for path, sentence in (("/v1/rows?s=1", "s: expected a session below 1"),
                               ("/v1/rows", "s: expected a whole number"),
                               ("/v1/tiles?s=0&l=60&i=0&r=0", "l, i: expected a tile within the range of times"),
                               ("/v1/tiles?s=0&l=4&i=0&r=0-64", "r: expected up to 64 rows, such as 1-3,7"),
                               ("/v1/tiles?s=0&l=4&i=0&r=6", "expected a row below 6"),
                               ("/v1/stats?s=0&from=5&to=4&of=spans", "to: expected no time before from"),
                               ("/v1/stats?s=0&from=4&to=5", "of: missing"),
                               ("/v1/stats?s=0&from=4&to=5&of=gc", "of: expected statistics that the session has"),
                               ("/v1/find?s=0&q=x&place=-1", "place: expected a whole number"),
                               ("/v1/matches?s=0&q=x&from=5&to=4&step=1", "to: expected no time before from"),
                               ("/v1/event?s=0&row=0&ns=0&find=now", "find: expected at, next or previous"),
                               ("/v1/flows?s=0&from=1&to=0&limit=1", "to: expected no time before from"),
                               ("/v1/flows?s=0&from=0&to=1&limit=10001", "limit: expected up to 10000, found 10001"),
                               ("/v1/flows?s=0&from=0&to=1&limit=1&row=6", "expected a row below 6"),
                               ("/v1/flows?s=0&from=0&to=1&limit=1&row=x", "row: expected a whole number"),
                               ("/v1/why?s=0&row=0&from=1&to=0", "to: expected no time before from"),
                               ("/v1/why?s=0&row=6&from=0&to=1", "expected a row below 6"),
                               ("/v1/events?s=0&at=0&before=501&after=0", "before: expected up to 500, found 501"),
                               ("/v1/events?s=0&at=0&before=0&after=501", "after: expected up to 500, found 501"),
                               ("/v1/events?s=0&at=0&before=-1&after=0", "before: expected a whole number"),
                               ("/v1/events?s=0&at=0&before=1", "after: expected a whole number"),
                               ("/v1/events?s=0&before=1&after=1", "at: expected a whole number")):
            status, body = self.view.get(path)
            self.assertEqual((status, body.decode().strip()), (400, sentence), path)

    def test_what_is_missing_of_a_trace_is_a_warning(self):
        view = View(TRACE, without_bytes=100)
        self.addCleanup(view.close)
        dumped = subprocess.run([EVT, "dump", view.trace], capture_output=True, text=True, check=False)
        self.assertEqual(dumped.returncode, 1)
        sentences = [line.removeprefix(f"evt dump: {view.trace}: ") for line in dumped.stderr.splitlines()]
        self.assertTrue(sentences)
        self.assertEqual(view.json("/v1/trace")["sessions"][0]["warnings"], sentences)

    def test_the_page_needs_no_token_and_all_else_does(self):
        self.assertEqual(self.view.get("/", token=False)[0], 200)
        self.assertEqual(self.view.get("/v1/trace", token=False)[0], 401)


if __name__ == "__main__":
    unittest.main()
