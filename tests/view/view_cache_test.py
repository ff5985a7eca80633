#!/usr/bin/env python3
"""What `evt view` keeps of a large trace for another time.

usage: view_cache_test.py EVT
"""
import contextlib
import json
import os
import shutil
import tempfile
import unittest

from answers_case import EVT, MOST_READ_AT_FIRST, mixed_text
from evt_view import Served, make_trace


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


if __name__ == "__main__":
    unittest.main()
