"""What stories of the page have in common: a browser, traces made of text, and what the page shows."""
import os
import sys
import tempfile
import unittest
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser  # noqa: E402
from evt_view import Served, make_trace  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OUT = os.path.join(ROOT, "build/view")
# The first argument of the program.
EVT = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "evt"


class EvtPageCase(unittest.TestCase):
    SHOTS = ""  # how names of screenshots begin

    @classmethod
    def setUpClass(cls):
        os.makedirs(OUT, exist_ok=True)
        cls.folder = tempfile.TemporaryDirectory()
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder.cleanup()

    def setUp(self):
        self.browser.call("Page.navigate", url="about:blank")
        self.browser.mouse("mouseMoved", 5, 5)
        self.browser.take_events()
        self.browser.size(1600, 1000)
        self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}])

    @classmethod
    def trace(cls, name, text, **more):
        return make_trace(EVT, os.path.join(cls.folder.name, name), text, **more)

    def served(self, *traces, options=()):
        served = Served(EVT, *traces, options=options)
        self.addCleanup(served.close)
        return served

    def shot(self, name):
        self.browser.shot(os.path.join(OUT, f"{self.SHOTS}-{name}.png"))

    def text(self, name):
        return self.browser.js(f"document.getElementById('{name}').innerText")

    def fragment(self):
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.browser.js("location.href")).fragment))

    def figures(self):
        """Waits for those of the panel."""
        self.browser.until("document.getElementById('tables').getAttribute('aria-busy') === 'false'")

    def picture(self):
        """Of overview, ruler and rows, as far down as they are in any page: what the strip states takes height from rows."""
        self.browser.ready()
        return self.browser.js("""['overview-canvas', 'ruler-canvas', 'rows-canvas'].map((name) => {
          const from = document.getElementById(name); const to = document.createElement('canvas');
          to.width = from.width; to.height = Math.min(from.height, 500); to.getContext('2d').drawImage(from, 0, 0); return to.toDataURL(); })""")

    def errors(self, events=None):
        return [one for one in (self.browser.take_events() if events is None else events)
                if one["method"] in ("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled")]

    def asked(self, events):
        """Addresses."""
        urls = [one["params"]["request"]["url"] for one in events if one["method"] == "Network.requestWillBeSent"]
        return [url for url in urls if url != "about:blank"]
