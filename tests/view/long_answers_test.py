#!/usr/bin/env python3
"""Traces that are long enough to be read from moments in their middle.

usage: long_answers_test.py EVT
"""
import random
import unittest

from answers_case import EVT, MOST_READ_AT_FIRST, TRACE, View, counts_of, flows_of, mixed_text, payload_of, rows_by_names
from evt_view import Served


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
        before, after = (view.json("/v1/trace") for view in (start, near))
        self.assertFalse(before["complete"])
        # Others say that they are computed.
        self.assertEqual((before["sessions"][0]["ahead"], "ahead" in after["sessions"][0]), (["events"], False))
        near_rows, start_rows = rows_by_names(near), rows_by_names(start)
        names = {row[0]: row for row in sorted(start_rows.keys() & near_rows.keys())}
        self.assertEqual(sorted(names), ["async", "cpu", "cpus", "events", "object", "span", "thread"])
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
        states = set()
        for kind in ("cpu", "thread") * 4:
            asked = f"ns={choice.randrange(MOST_READ_AT_FIRST * 100)}&find=at"
            state, expected = (view.json(f"/v1/event?s=0&row={rows[names[kind]]}&{asked}")["event"].get("state") for view, rows in ((near, near_rows), (start, start_rows)))
            self.assertEqual(state, expected, asked)
            states.add(state and state["key"])
        self.assertGreater(len(states), 1)


if __name__ == "__main__":
    unittest.main()
