"""What all stories of a page of `evt view` need: a browser, what the page shows, screenshots in build/view/."""
import os
import sys
import unittest
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OUT = os.path.join(ROOT, "build/view")


def exact(ns):
    """A length or time as the page writes it with all digits."""
    unit, size = next((unit, size) for unit, size in (("s", 10**9), ("ms", 10**6), ("us", 1000), ("ns", 1)) if abs(ns) >= size or size == 1)
    fraction = f"{ns % size:0{len(str(size)) - 1}}".rstrip("0") if size > 1 else ""
    return f"{ns // size}{'.' if fraction else ''}{fraction} {unit}"


class StoryCase(unittest.TestCase):
    SHOTS = ""  # how names of screenshots begin

    @classmethod
    def setUpClass(cls):
        os.makedirs(OUT, exist_ok=True)
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def setUp(self):
        self.browser.call("Page.navigate", url="about:blank")
        self.browser.mouse("mouseMoved", 5, 5)
        self.browser.take_events()
        self.browser.size(1600, 1000)
        self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}])

    def shot(self, name):
        self.browser.shot(os.path.join(OUT, f"{self.SHOTS}{name}.png"))

    def text(self, name):
        return self.browser.js(f"document.getElementById('{name}').innerText")

    def fragment(self):
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.browser.js("location.href")).fragment))

    def view(self):
        words = self.fragment()
        return float(words["from"]), float(words["to"])

    def picture(self):
        """Of overview, ruler and rows, of one height in any page: what the strip states takes height from rows."""
        self.browser.js("document.querySelector('main').style.flex = '0 0 588px'")
        self.browser.ready()
        return self.browser.js("""['overview-canvas', 'ruler-canvas', 'rows-canvas'].map((name) => {
          const from = document.getElementById(name); const to = document.createElement('canvas');
          to.width = from.width; to.height = Math.min(from.height, 500); to.getContext('2d').drawImage(from, 0, 0); return to.toDataURL(); })""")

    def figures(self):
        """Waits for those of the panel."""
        self.browser.until("document.getElementById('tables').getAttribute('aria-busy') === 'false'")
