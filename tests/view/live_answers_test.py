#!/usr/bin/env python3
"""What `evt view --follow` answers while the trace grows, and when its program has ended.

usage: live_answers_test.py EVT [unittest options]
"""
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from evt_view import Served, busy_text, make_trace  # noqa: E402
from grown import Grown  # noqa: E402

EVT = sys.argv.pop(1) if len(sys.argv) > 1 else "evt"
BLOCKS = 4
LOST = ['3 events of stream 2 "cpu 1" lost: ring_full']


class LiveAnswersTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.trace = make_trace(EVT, os.path.join(cls.folder.name, "busy.evt"), busy_text(2000))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def grown(self, blocks):
        grown = Grown(EVT, self.trace, blocks)
        self.assertEqual(len(grown.blocks), BLOCKS)
        self.addCleanup(grown.close)
        return grown

    def read(self, served):
        """The trace, when all that there is was read."""
        served.get("/v1/progress")
        return served.json("/v1/trace")

    def test_has_what_comes_and_is_an_ordinary_one_at_the_end(self):
        live = self.grown(2)
        first = self.read(live)
        self.assertEqual((first["live"], first["late"], first["sessions"][0]["warnings"]), ("running", "0", LOST))
        rows = live.json("/v1/rows?s=0")["rows"]
        live.grow(BLOCKS)
        answer = live.look(lambda one: one["generation"] > first["generation"] and int(live.json("/v1/trace")["sessions"][0]["events"]) > int(first["sessions"][0]["events"]))
        self.assertEqual(answer["live"], "running")
        more = live.json("/v1/trace")["sessions"][0]
        self.assertGreater(int(more["to"]), int(first["sessions"][0]["to"]))
        known = {(row["kind"], row["name"]): row["id"] for row in live.json("/v1/rows?s=0")["rows"]}
        self.assertEqual({(row["kind"], row["name"]): row["id"] for row in rows}.items() - known.items(), set())
        live.end()
        live.look(lambda one: one["live"] == "ended")
        ordinary = Served(EVT, self.trace)
        self.addCleanup(ordinary.close)
        whole, ended = self.read(ordinary), live.json("/v1/trace")
        for each in (whole, ended):
            for name in ("live", "late", "generation", "title"):
                each.pop(name, None)
            each["sessions"][0]["files"] = each["sessions"][0]["name"] = None
        self.assertEqual(ended, whole)
        ids = [{row["name"]: row["id"] for row in served.json("/v1/rows?s=0")["rows"]} for served in (live, ordinary)]
        self.assertEqual(set(ids[0]), set(ids[1]))
        for path in ("event?s=0&row={}&ns=9000000&find=next", "events?s=0&at=5000000&before=3&after=3"):
            answers = [served.json("/v1/" + path.format(of["cpu 0"])) for served, of in zip((live, ordinary), ids)]
            for answer in answers:
                for event in answer.get("events", []):
                    event["row"] = None
            self.assertEqual(*answers)

    def test_tiles_are_partial_while_the_trace_grows(self):
        live = self.grown(2)
        self.read(live)
        path = "/v1/tiles?s=0&l=14&i=0&r=0"
        before = live.get(path)[1]
        live.grow(BLOCKS)
        generation = live.json("/v1/trace")["generation"]
        live.look(lambda one: one["generation"] > generation)
        live.end()
        live.look(lambda one: one["live"] == "ended")
        self.assertNotEqual(live.get(path)[1], before)

    def test_what_does_not_grow_has_no_more(self):
        ordinary = Served(EVT, self.trace)
        self.addCleanup(ordinary.close)
        self.assertEqual(ordinary.json("/v1/look")["live"], None)

    def test_goes_on_while_nobody_looks(self):
        live = self.grown(1)
        self.read(live)
        live.grow(BLOCKS)
        live.end()
        live.look(lambda one: one["live"] == "ended")
        self.assertEqual(live.json("/v1/trace")["sessions"][0]["warnings"], LOST)

    def test_a_truncated_pipe_is_reported_at_the_end(self):
        live = self.grown(3)
        live.pipe.close()
        live.look(lambda one: one["live"] == "ended")
        self.assertEqual(live.json("/v1/trace")["sessions"][0]["warnings"], [*LOST, "the session of app is truncated: its end is missing"])

    def test_is_for_one_trace_in_a_browser(self):
        for options, sentence in (
                (["-o", "a.html", self.trace], "--follow: works only with the page in a browser, because a file does not grow; evt snapshot -o copies what is there"),
                ([self.trace, self.trace + "2"], "--follow takes one trace"),
                (["--text", self.trace], "--text excludes --follow")):
            done = subprocess.run([EVT, "view", "--follow", *options], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"evt view: {sentence}\n"))


if __name__ == "__main__":
    unittest.main()
