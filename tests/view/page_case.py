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
