#!/usr/bin/env python3
"""Stories of the page of `evt view --follow`: it shows the end of a trace that grows, until the user looks elsewhere.

usage: live_page_test.py EVT [unittest options]      screenshots go to build/view/
"""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from evt_view import busy_text  # noqa: E402
from evt_case import EVT, EvtCase  # noqa: E402
from grown import Grown  # noqa: E402

BLOCKS = 4
RUNS = "document.getElementById('end').hidden === false"
IS_LIVE = "document.getElementById('end').getAttribute('aria-pressed') === 'true'"
EVENTS = "document.getElementById('total').innerText"
LABEL = "document.getElementById('rows-canvas').getAttribute('aria-label')"


class LivePageTest(EvtCase):
    SHOTS = "live-"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.busy = cls.trace("busy.evt", busy_text(2000))

    def open(self, blocks, fragment=""):
        grown = Grown(EVT, self.busy, blocks)
        self.addCleanup(grown.close)
        self.browser.open(f"{grown.url}&{fragment}")
        self.browser.until(RUNS)
        self.browser.ready()
        return grown

    def more(self, grown, blocks):
        """Until the page has them."""
        events = self.browser.js(EVENTS)
        grown.grow(blocks)
        self.browser.until(f"{EVENTS} !== '{events}'")
        self.browser.ready()

    def ended(self):
        self.browser.until("document.getElementById('strip').innerText.includes('The program has ended.')")
        self.browser.ready()

    def test_shows_what_comes(self):
        grown = self.open(2)
        self.assertTrue(self.browser.js(IS_LIVE))
        self.shot("light")
        before = self.browser.js(LABEL)
        self.more(grown, BLOCKS)
        self.assertNotEqual(self.browser.js(LABEL), before)
        self.assertEqual(self.text("tables"), "Statistics are computed when the view holds still: click, drag or move it.")
        self.assertNotIn("from", self.fragment())
        self.assertEqual(self.errors(), [])

    def test_holds_still_while_the_user_looks_elsewhere(self):
        grown = self.open(2)
        for key in "wwa":
            self.browser.key(key)
        self.browser.until(f"!({IS_LIVE})")
        self.browser.ready()
        self.figures()
        self.assertIn("step 5", self.text("tables"))
        view, events = self.view(), self.browser.js(EVENTS)
        self.browser.take_events()
        grown.grow(BLOCKS)
        self.browser.key("t")
        self.browser.ready()
        self.shot("held-dark")
        self.assertEqual((self.view(), self.browser.js(EVENTS)), (view, events))
        self.browser.key("t")
        left, top = self.browser.js("(() => { const r = document.getElementById('end').getBoundingClientRect(); return [r.left, r.top]; })()")
        self.browser.click(left + 10, top + 10)
        self.browser.until(IS_LIVE)
        self.browser.until(f"{EVENTS} !== '{events}'")
        self.assertEqual(self.errors(), [])

    def test_a_click_on_an_event_holds_it_and_the_end_key_goes_on(self):
        self.open(2)
        left, top, width = self.browser.js("(() => { const r = document.getElementById('rows-canvas').getBoundingClientRect(); return [r.left, r.top, r.width]; })()")
        self.browser.click(left + width / 2, top + 60)
        self.browser.until(f"!({IS_LIVE})")
        self.browser.key("End")
        self.browser.until(IS_LIVE)

    def test_a_view_in_the_address_is_held(self):
        self.open(2, "from=1000&to=90000")
        self.assertFalse(self.browser.js(IS_LIVE))
        self.assertEqual(self.view(), (1000, 90000))

    def test_is_an_ordinary_page_when_the_program_has_ended(self):
        grown = self.open(2)
        grown.grow(BLOCKS)
        grown.end()
        self.ended()
        self.assertTrue(self.browser.js("document.getElementById('end').hidden"))
        self.figures()
        self.assertIn("step 5", self.text("tables"))
        self.browser.key("t")
        self.browser.ready()
        self.shot("ended-dark")
        pictures = [self.picture()]
        served = self.served(self.busy)
        words = self.fragment()
        self.browser.open(f"{served.url}&from={words['from']}&to={words['to']}&theme=dark")
        self.browser.ready()
        pictures.append(self.picture())
        self.assertEqual(*pictures)
        self.assertEqual(self.errors(), [])


if __name__ == "__main__":
    unittest.main()
