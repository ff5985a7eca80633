"""A page of `evt view` in a real browser, against a trace of synthetic.py: what all stories need."""
import os
import subprocess
import sys
import unittest
import urllib.parse

from browser import Browser, Picture
from mock_server import MockServer

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE_FOLDER = os.path.join(ROOT, "tools/view/page")
OUT = os.path.join(ROOT, "build/view")
RUNNING = (0x25, 0x71, 0x47)


class PageCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(OUT, exist_ok=True)
        cls.page = os.path.join(OUT, "page.html")
        subprocess.run([sys.executable, "-B", os.path.join(PAGE_FOLDER, "bundle.py"), cls.page], check=True)
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def setUp(self):
        self.servers = []
        self.browser.call("Page.navigate", url="about:blank")
        self.browser.mouse("mouseMoved", 5, 5)
        self.browser.take_events()
        self.browser.size(1600, 1000)
        self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}])

    def tearDown(self):
        for server in self.servers:
            server.shutdown()
            server.server_close()

    def open(self, trace, more="", ready=True):
        server = MockServer(self.page, trace)
        self.servers.append(server)
        self.browser.open(server.url(more))
        if ready:
            self.browser.ready()
        return server

    def fragment(self):
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.browser.js("location.href")).fragment))

    def view(self):
        words = self.fragment()
        return float(words["from"]), float(words["to"])

    def text(self, name):
        return self.browser.js(f"document.getElementById('{name}').innerText")

    def shot(self, name):
        self.browser.shot(os.path.join(OUT, name + ".png"))

    def rows_box(self):
        return self.browser.js("(() => { const r = document.getElementById('rows-canvas').getBoundingClientRect(); return [r.left, r.top, r.width]; })()")

    def heights(self, rows=1, ratio=1):
        """Of each of the first rows of 26 pixels: pixels of running in each column, from the lowest up to the first that is another."""
        self.browser.mouse("mouseMoved", 5, 5)
        self.browser.ready()
        left, top, width = self.rows_box()
        picture = Picture(self.browser.png(x=left, y=top, width=width, height=26 + 34 * rows))
        return [[self.height(picture, x, round((26 + 34 * row + 30) * ratio)) for x in range(int(width * ratio))] for row in range(rows)]

    def height(self, picture, x, bottom):
        height = 0
        while picture.at(x, bottom - 1 - height) == RUNNING:
            height += 1
        return height

    def figures(self):
        """Waits for those of the panel."""
        self.browser.until("document.getElementById('tables').getAttribute('aria-busy') === 'false'")
