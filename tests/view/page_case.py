"""A page of `evt view` in a real browser, against a trace of synthetic.py."""
import os
import subprocess
import sys

from browser import Picture
from mock_server import MockServer
from story_case import OUT, ROOT, StoryCase

PAGE_FOLDER = os.path.join(ROOT, "tools/view/page")
RUNNING = (0x25, 0x71, 0x47)


class PageCase(StoryCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page = os.path.join(OUT, "page.html")
        subprocess.run([sys.executable, "-B", os.path.join(PAGE_FOLDER, "bundle.py"), cls.page], check=True)

    def setUp(self):
        self.servers = []
        super().setUp()

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

    def rows_box(self):
        return self.browser.js("(() => { const r = document.getElementById('rows-canvas').getBoundingClientRect(); return [r.left, r.top, r.width]; })()")

    def inks(self, kind):
        """Of the rows of this kind that are more than 8 pixels high: where what is drawn in them begins, and how high it is."""
        boxes = self.browser.js(f"[...document.querySelectorAll('#tree .row[data-key^=\"{kind}.\"]')].map((one) => {{ const r = one.getBoundingClientRect(); return [r.top, r.height]; }})")
        return [(top + 4 - self.rows_box()[1], height - 8) for top, height in boxes]

    def heights(self, rows=1, ratio=1):
        """Of each of the first rows of cpus: pixels of running in each column, from the lowest up to the first that is another, as parts of the whole height."""
        self.browser.mouse("mouseMoved", 5, 5)
        self.browser.ready()
        left, top, width = self.rows_box()
        inks = self.inks("cpu")[:rows]
        picture = Picture(self.browser.png(x=left, y=top, width=width, height=sum(inks[-1]) + 4))
        return [[self.height(picture, x, round((at + ink) * ratio)) / round(ink * ratio) for x in range(int(width * ratio))] for at, ink in inks]

    def height(self, picture, x, bottom):
        height = 0
        while picture.at(x, bottom - 1 - height) == RUNNING:
            height += 1
        return height
