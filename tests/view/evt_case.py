"""A page that `evt` itself serves or writes, in a real browser, of traces made of text.

The first argument of the program is the path of evt.
"""
import os
import sys
import tempfile

from evt_view import Served, make_trace
from story_case import StoryCase

EVT = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "evt"


class EvtCase(StoryCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.folder.cleanup()

    @classmethod
    def trace(cls, name, text, **more):
        return make_trace(EVT, os.path.join(cls.folder.name, name), text, **more)

    def served(self, *traces, options=()):
        served = Served(EVT, *traces, options=options)
        self.addCleanup(served.close)
        return served

    def errors(self, events=None):
        return [one for one in (self.browser.take_events() if events is None else events)
                if one["method"] in ("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled")]

    def asked(self, events):
        """Addresses."""
        urls = [one["params"]["request"]["url"] for one in events if one["method"] == "Network.requestWillBeSent"]
        return [url for url in urls if url != "about:blank"]
