#!/usr/bin/env python3
"""Traces that `evt view` shows on one timeline, and those that it does not.

usage: merged_answers_test.py EVT
"""
import json
import os
import subprocess
import tempfile
import unittest

from answers_case import EVT, TRACE, View
from evt_view import Served, make_trace


class MergedAnswers(unittest.TestCase):
    def test_several_traces_are_on_one_timeline_as_evt_merge_puts_them(self):
        view = View(TRACE, TRACE)
        self.addCleanup(view.close)
        merged = os.path.join(view.folder.name, "merged.evt")
        subprocess.run([EVT, "merge", *view.traces, "-o", merged], check=True, capture_output=True)
        # The second began 1 ns later.
        sessions = view.json("/v1/trace")["sessions"]
        self.assertEqual(sessions, [
            {"name": "app.evt, app2.evt", "start_utc": "1767225600000000000", "from": "1000", "to": "12001", "until": "12001", "events": "14", "lost": "0",
             "files": ["app.evt", "app2.evt"], "merged": True,
             "notes": ["app2.evt: aligned by wall clock (offset 1 ns); as accurate as the two clocks"], "warnings": [],
             "statistics": sessions[0]["statistics"]}])
        dumped = subprocess.run([EVT, "dump", "--json", merged], check=True, capture_output=True, text=True).stdout
        listed = view.json("/v1/events?s=0&at=0&before=0&after=500")["events"]
        self.assertEqual([(event["ns"], event["type"]) for event in listed],
                         [(str(event["ns"]), event["event"]) for event in map(json.loads, dumped.splitlines())])
        self.assertEqual([row["name"] for row in view.json("/v1/rows?s=0")["rows"] if row["kind"] == "cpu"],
                         ["cpu 0", "cpu 0"])
        self.assertTrue(view.json("/v1/stats?s=0&from=0&to=20000&of=cpu")["tables"])

    def test_many_parts_that_are_aligned_alike_are_one_note(self):
        with tempfile.TemporaryDirectory() as folder:
            traces = [make_trace(EVT, os.path.join(folder, f"part{n}.evt"), TRACE, start=5 * (n > 0)) for n in range(6)]
            view = Served(EVT, *traces)
            self.addCleanup(view.close)
            self.assertEqual(view.json("/v1/trace")["sessions"][0]["notes"],
                             ["part1.evt and 4 more parts: aligned by wall clock (offset 5 ns); as accurate as the two clocks"])

    def test_rows_of_a_part_are_beside_one_another(self):
        view = View(TRACE, TRACE)
        self.addCleanup(view.close)
        answer = view.json("/v1/rows?s=0")
        self.assertEqual([(row["kind"], row["name"], row["group"]) for row in answer["rows"]],
                         [("cpus", "all cpus", None)] +
                         [(kind, name, part) for part in range(2) for kind, name in (
                             ("cpu", "cpu 0"), ("thread", "thread 7"), ("span", ""), ("thread", "thread 8"), ("events", "worker"))] +
                         [("mark", "marks", None)])
        self.assertEqual(answer["groups"], [{"title": "app.evt"}, {"title": "app2.evt, clock exact"}, {"title": "Other threads"},
                                            {"title": "Recorder", "closed": True}])

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
        self.assertEqual(sessions[0]["warnings"], ["app.evt: left out: its session is in app.evt already"])
        self.assertEqual(len(sessions[0]["notes"]), 1)

    def test_what_is_missing_of_a_trace_that_is_merged_is_a_warning_with_its_name(self):
        view = View(TRACE, TRACE, without_bytes=100)
        self.addCleanup(view.close)
        dumped = subprocess.run([EVT, "dump", view.trace], capture_output=True, text=True, check=False)
        sentences = [line.removeprefix(f"evt dump: {view.trace}: ") for line in dumped.stderr.splitlines()]
        self.assertTrue(sentences)
        self.assertEqual(view.json("/v1/trace")["sessions"][0]["warnings"], [f"app.evt: {sentence}" for sentence in sentences])


if __name__ == "__main__":
    unittest.main()
