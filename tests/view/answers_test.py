#!/usr/bin/env python3
"""What `evt view` answers to its page, over HTTP, beside what other commands find in the same trace.

usage: answers_test.py EVT
"""
import http.client
import json
import os
import subprocess
import sys
import tempfile
import unittest

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


class View:
    """A running `evt view` of a trace that is given as text."""

    def __init__(self, text, without_bytes=0):
        self.folder = tempfile.TemporaryDirectory()
        self.trace = os.path.join(self.folder.name, "app.evt")
        lines = os.path.join(self.folder.name, "app.txt")
        with open(lines, "w", encoding="utf-8") as file:
            file.write("evtrace text 1\nsession start=1767225600.000000000 program=\"app\"\n" + text)
        subprocess.run([EVT, "convert", lines, "-o", self.trace], check=True)
        os.truncate(self.trace, os.path.getsize(self.trace) - without_bytes)
        self.process = subprocess.Popen([EVT, "view", "--no-open", self.trace], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        address, self.token = self.process.stdout.readline().strip().split("/#k=")
        self.host = address.removeprefix("http://")

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()
        self.folder.cleanup()

    def get(self, path, token=True):
        connection = http.client.HTTPConnection(self.host)
        connection.request("GET", path, headers={"X-Evt-Token": self.token} if token else {})
        response = connection.getresponse()
        body = response.read()
        connection.close()
        return response.status, body

    def json(self, path):
        status, body = self.get(path)
        assert status == 200, (path, status, body)
        return json.loads(body)


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
            "sessions": [{"name": "app.evt: app", "start_utc": "1767225600000000000", "from": "1000", "to": "12000", "events": "7", "lost": "0", "notes": []}]})

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

    def test_an_event_has_its_fields(self):
        self.assertEqual(self.view.json("/v1/event?s=0&row=5&ns=1000&find=at")["event"], {
            "ns": "1000", "stream": "worker", "type": "run", "text": "run thread=7 cpu=0",
            "fields": [{"name": "thread", "value": "7"}, {"name": "cpu", "value": "0"}], "span": None})

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
                               ("/v1/event?s=0&row=0&ns=0&find=now", "find: expected at, next or previous")):
            status, body = self.view.get(path)
            self.assertEqual((status, body.decode().strip()), (400, sentence), path)

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


if __name__ == "__main__":
    unittest.main()
