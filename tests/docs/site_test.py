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
SHOWN = {"README.html": "front", "docs/GUIDE.html": "guide", "format-spec/FORMAT.html": "format", "docs/FAULTS.html": "faults",
         "reference/headers.html": "reference", "reference/evt/trace.h.html": "header", "reference/evt/emit.h.html": "c-header",
         "reference/python.html": "python"}
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
        """Returns where the first that is found leads."""
        self.open("README.html")
        self.browser.js("document.querySelector('.sidebar-search').focus()")
        self.browser.type(text)
        self.browser.key("Enter")
        self.browser.until("document.querySelector('#search-results p')?.textContent.match(/^(Search finished|Your search did not)/)")
        self.browser.js("localStorage.clear()")  # the next page would mark the words
        return self.browser.js("document.querySelector('#search-results li a')?.getAttribute('href')")

    def test_each_page_loads_without_an_error_and_fits_its_screen(self):
        for page in sorted(path.relative_to(self.site).as_posix() for path in self.site.rglob("*.html")):
            for width, size in (("wide", WIDE), ("narrow", NARROW)):
                for scheme in ("light", "dark") if page in SHOWN else ("light",):
                    self.open(page, size, scheme)
                    if page in SHOWN:
                        self.browser.shot(self.pictures / f"{SHOWN[page]}-{width}-{scheme}.png")
                    errors = [event for event in self.browser.take_events() if event["method"] in ("Log.entryAdded", "Runtime.exceptionThrown")]
                    self.assertEqual(errors, [], page)
                    self.assertEqual(self.browser.js(MISSING_PICTURES), [], page)
                    self.assertLessEqual(self.browser.js("document.documentElement.scrollWidth"), size[0], f"{page} scrolls to the side")

    def test_a_dark_system_has_dark_pages(self):
        for scheme, color in (("light", "rgb(255, 255, 255)"), ("dark", "rgb(19, 20, 22)")):
            self.open("README.html", scheme=scheme)
            self.assertEqual(self.browser.js("getComputedStyle(document.body).backgroundColor"), color)

    def test_a_search_for_a_name_leads_to_its_description(self):
        self.assertRegex(self.search("Events::next_batch"), r"^reference/evt/trace\.h\.html.*#_CPPv4\w*next_batch")

    def test_a_search_for_words_leads_to_a_document_that_has_them(self):
        self.assertRegex(self.search("life of an event"), r"^docs/LIFE-OF-AN-EVENT\.html")

    def test_a_search_for_what_is_not_there_finds_nothing(self):
        self.assertIsNone(self.search("xyzzyplugh"))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    SiteTest.pictures = pathlib.Path(sys.argv.pop(2))
    SiteTest.site = pathlib.Path(sys.argv.pop(1)).absolute()
    SiteTest.pictures.mkdir(parents=True, exist_ok=True)
    unittest.main()
