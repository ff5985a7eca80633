#!/usr/bin/env python3
"""The site of ./dev docs in Chromium: site_test.py SITE PICTURES. Screenshots of some pages stay in PICTURES."""
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "view"))
from browser import Browser  # noqa: E402

WIDE, NARROW = (1280, 1600), (400, 1600)
# Pages that are looked at, as wide and narrow, light and dark pictures.
SHOWN = {"index.html": "front", "guide.html": "guide", "format.html": "format", "faults.html": "faults", "reference/index.html": "reference",
         "reference/evt/trace.h.html": "header", "reference/evt/emit.h.html": "c-header", "reference/python.html": "python",
         "source/examples/hello.c.html": "file"}
MISSING_PICTURES = "[...document.images].filter((image) => !image.naturalWidth).map((image) => image.src)"


class SiteTest(unittest.TestCase):
    site = pictures = browser = None

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser(*WIDE)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def open(self, page, size=WIDE, scheme="light"):
        self.browser.size(*size)
        self.browser.media(prefers_color_scheme=scheme)
        self.browser.take_events()
        self.browser.open(f"{self.site.as_uri()}/{page}")

    def search(self, text):
        self.browser.js("document.getElementById('search').focus()")
        self.browser.type(text)

    def test_each_page_loads_without_an_error_and_fits_its_screen(self):
        pages = sorted(path.relative_to(self.site).as_posix() for path in self.site.rglob("*.html"))
        # Of the pages of files one is as the other.
        for page in (page for page in pages if page in SHOWN or not page.startswith("source/")):
            for width, size in (("wide", WIDE), ("narrow", NARROW)):
                for scheme in ("light", "dark") if page in SHOWN else ("light",):
                    self.open(page, size, scheme)
                    if page in SHOWN:
                        self.browser.shot(self.pictures / f"{SHOWN[page]}-{width}-{scheme}.png")
                    errors = [event for event in self.browser.take_events() if event["method"] in ("Log.entryAdded", "Runtime.exceptionThrown")]
                    self.assertEqual(errors, [], page)
                    self.assertEqual(self.browser.js(MISSING_PICTURES), [], page)
                    self.assertLessEqual(self.browser.js("document.documentElement.scrollWidth"), size[0], f"{page} scrolls to the side")

    def test_a_search_for_a_name_leads_to_its_description(self):
        self.open("index.html")
        self.search("Trace::open")
        self.browser.until("document.querySelector('#found a b')?.textContent === 'Trace::open'")
        self.browser.key("Enter")
        self.browser.until("location.href.endsWith('reference/evt/trace.h.html#Trace::open') && document.querySelector(':target') !== null")

    def test_a_search_for_words_leads_to_a_section_that_has_them(self):
        self.open("reference/evt/trace.h.html")
        self.search("life of an event")
        self.browser.until("document.querySelector('#found a b')?.textContent === 'The life of an event'")
        self.browser.key("ArrowDown")
        self.browser.key("Enter")
        self.browser.until("location.href.endsWith('life-of-an-event.html#the-life-of-an-event')")

    def test_a_search_for_what_is_not_there_finds_nothing(self):
        self.open("index.html")
        self.search("xyzzyplugh")
        self.browser.until("document.getElementById('found').textContent === 'Nothing found'")

    def test_a_narrow_screen_has_the_navigation_behind_its_button(self):
        self.open("index.html", NARROW)
        shown = "getComputedStyle(document.getElementById('navigation')).display"
        self.assertEqual(self.browser.js(shown), "none")
        self.browser.js("document.getElementById('menu').click()")
        self.assertEqual(self.browser.js(shown), "block")
        self.browser.js("document.querySelector('#navigation a[href=\"guide.html\"]').click()")
        self.browser.until("location.href.endsWith('guide.html') && document.readyState === 'complete'")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    SiteTest.pictures = pathlib.Path(sys.argv.pop(2))
    SiteTest.site = pathlib.Path(sys.argv.pop(1)).absolute()
    SiteTest.pictures.mkdir(parents=True, exist_ok=True)
    unittest.main()
