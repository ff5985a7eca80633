#!/usr/bin/env python3
"""Stories of the page of `evt view`, served by `evt` itself, of traces that were recorded, imported, damaged and merged.

usage: real_page_test.py EVT [unittest options]      parsort is beside EVT; screenshots go to build/view/
"""
import os
import random
import struct
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from evt_view import ASYNC, TYPES, busy_text  # noqa: E402
from evt_case import EVT, EvtCase  # noqa: E402
from story_case import ROOT  # noqa: E402

TESTDATA = os.path.join(ROOT, "testdata")
DUTIES = (0.25, 0.5, 0.75)
PERIOD = 1000


def duty_text(periods):
    """Three cpus that run in the same part of each period of 1000 ns: a quarter, half, three quarters."""
    lines = []
    for period in range(periods):
        at = period * PERIOD
        lines += [f"0.{at:09} {cpu + 1} run thread={cpu} cpu={cpu}" for cpu in range(3)]
        lines += [f"0.{at + int(duty * PERIOD):09} {cpu + 1} stop thread={cpu} cpu={cpu}" for cpu, duty in enumerate(DUTIES)]
    return TYPES + "".join(f'stream {cpu + 1} "worker {cpu}"\n' for cpu in range(3)) + "\n".join(lines) + "\n"


# Of each of the first three rows of the page: pixels of running in each column, from the lowest up to the first that is another.
HEIGHTS = """(() => { const canvas = document.getElementById('rows-canvas'); const context = canvas.getContext('2d'); const found = [];
  for (let row = 0; row < 3; row++) { const bottom = Math.round((26 + 34 * row + 30) * devicePixelRatio); const top = Math.round((26 + 34 * row) * devicePixelRatio);
    const { data } = context.getImageData(0, top, canvas.width, bottom - top); const heights = [];
    for (let x = 0; x < canvas.width; x++) { let height = 0;
      for (let y = bottom - top - 1; y >= 0; y--) { const at = (y * canvas.width + x) * 4;
        if (data[at] !== 0x25 || data[at + 1] !== 0x71 || data[at + 2] !== 0x47) break; height++; }
      heights.push(height); }
    found.push(heights); }
  return found; })()"""


class RealPageTest(EvtCase):
    SHOTS = "real-"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.busy = cls.trace("busy.evt", busy_text())

    def open(self, served, fragment=""):
        self.browser.open(f"{served.url}&{fragment}")
        self.browser.ready()

    def view(self):
        words = self.fragment()
        return float(words["from"]), float(words["to"])

    def opens(self, name, *traces, has_rows=True, options=()):
        """The page of these traces opens, asks only its own server, and its picture is kept."""
        served = self.served(*traces, options=options)
        self.browser.take_events()
        self.browser.open(served.url)
        if has_rows:
            self.browser.ready()
            self.figures()
            self.browser.ready()
        else:
            self.browser.until("!document.getElementById('notice').hidden && document.getElementById('notice').innerText.includes('nothing to draw')")
        self.shot(name)
        events = self.browser.take_events()
        self.assertEqual(self.errors(events), [])
        self.assertEqual([url for url in self.asked(events) if not url.startswith(f"http://{served.host}/")], [])
        return served

    def rows(self):
        return self.browser.js("[...document.querySelectorAll('#tree .row .name')].map((one) => one.textContent)")

    def test_logs_of_ghc(self):
        for name, rows in (("threads", ["cap 0", "cap 1"]), ("heap", ["cap 0"]), ("user", [])):
            self.opens(f"ghc-{name}", os.path.join(TESTDATA, f"eventlog/{name}.eventlog"))
            self.assertEqual(self.rows()[:len(rows)], rows)
            self.assertEqual(self.text("title"), f"{name}.eventlog")

    def test_asynchronous_spans(self):
        self.opens("async", self.trace("async.evt", ASYNC))
        self.assertEqual(self.rows(), ["request", "lane 2", "dns"])
        groups = self.browser.js("[...document.querySelectorAll('#tree .group')].map((one) => one.textContent)")
        self.assertEqual(groups, ["Async spans", "Events"])
        # In lane 2, where the second request is open: it lasts from 20 to 80 of 10 to 99 ns.
        left, top, width = self.browser.js("(() => { const box = document.getElementById('rows-canvas').getBoundingClientRect(); return [box.x, box.y, box.width]; })()")
        self.browser.click(left + width * 40 / 89, top + 26 + 18 + 9)
        self.browser.until("document.querySelector('#event h2')?.innerText === 'request'")
        facts = self.browser.js("[...document.querySelectorAll('#event tr')].map((one) => [...one.children].map((cell) => cell.textContent).join(' '))")
        self.assertEqual(facts, ["start 20 ns", "duration 60 ns", "id 2", "began on client", "id 2", "UTC 2026-01-01T00:00:00.000000020Z"])

    def test_a_trace_that_lost_events(self):
        self.opens("lossy", self.busy)
        self.assertEqual(self.browser.js("[...document.querySelectorAll('#strip div')].map((one) => [one.className, one.firstChild.textContent])"),
                         [["warning", '3 events of stream 2 "cpu 1" lost: ring_full']])
        self.browser.js("document.querySelector('#strip button').click()")
        self.assertTrue(self.browser.js("document.getElementById('strip').hidden"))

    def test_a_damaged_trace(self):
        path = os.path.join(self.folder.name, "damaged.evt")
        with open(self.busy, "rb") as file:
            data = bytearray(file.read())
        for at in range(len(data) // 2, len(data) // 2 + 64):
            data[at] ^= 0x55
        with open(path, "wb") as file:
            file.write(data)
        served = self.opens("damaged", path)
        notes = served.json("/v1/trace")["sessions"][0]["warnings"]
        self.assertTrue(notes)
        for note in notes:
            self.assertIn(note, self.text("strip"))

    def test_a_truncated_trace(self):
        self.opens("truncated", self.trace("truncated.evt", busy_text(), without_bytes=3000))
        self.assertNotEqual(self.text("strip"), "")

    def test_a_program_that_was_killed(self):
        path, tally = os.path.join(self.folder.name, "killed.evt"), os.path.join(self.folder.name, "tally")
        program = subprocess.Popen([os.path.join(os.path.dirname(EVT), "parsort"), "-n", "100000", "-c", "2000", "-r", "0", "-w", "2", "-o", path, "-t", tally])
        done = 0
        while done < 2000 and program.poll() is None:
            try:
                with open(tally, "rb") as file:
                    done = sum(count for _, count in struct.iter_unpack("<QQ48x", file.read()))
            except FileNotFoundError:
                pass
        program.kill()
        self.assertEqual(program.wait(), -9)
        served = self.opens("killed", path)
        self.assertGreaterEqual(int(served.json("/v1/trace")["sessions"][0]["events"]), 2000)
        self.assertEqual(self.rows()[:2], ["worker 0", "worker 1"])

    def test_a_trace_without_events(self):
        self.opens("empty", self.trace("empty.evt", ""), has_rows=False)
        self.assertEqual(self.text("notice"), "This session has no events.\nThere is nothing to draw.")

    def test_a_merged_trace(self):
        other = self.trace("other.evt", TYPES + 'stream 1 "other"\n0.000001000 1 run thread=1 cpu=0\n0.002000000 1 stop thread=1 cpu=0\n', program="other")
        merged = os.path.join(self.folder.name, "merged.evt")
        subprocess.run([EVT, "merge", self.busy, other, "-o", merged], check=True, stderr=subprocess.DEVNULL)
        self.opens("merged", merged)
        parts = self.browser.js("[...document.querySelectorAll('#tree .part')].map((one) => one.textContent)")
        self.assertEqual([part.split(",")[0] for part in parts], ["busy.evt", "other.evt"])

    def test_several_files_are_on_one_timeline_part_by_part(self):
        other = self.trace("later.evt", TYPES + 'stream 1 "other"\n0.000001000 1 run thread=1 cpu=0\n0.000005000 1 stop thread=1 cpu=0\n', start=100_000)
        self.opens("one-timeline", self.busy, other)
        parts = self.browser.js("[...document.querySelectorAll('#tree .part')].map((one) => one.textContent)")
        self.assertEqual([part.split(",")[0] for part in parts], ["busy.evt", "later.evt"])
        self.assertIn("aligned by wall clock", self.text("strip"))

    def test_several_files_and_a_choice_between_them(self):
        alone = self.trace("alone.evt", TYPES + 'stream 1 "alone"\n0.000001000 1 run thread=1 cpu=0\n0.000005000 1 stop thread=1 cpu=0\n')
        self.opens("several", self.busy, alone, options=["--separate"])
        self.browser.js("(() => { const one = document.getElementById('sessions'); one.value = '1'; one.dispatchEvent(new Event('change')); })()")
        self.browser.until("document.querySelectorAll('#tree .row').length === 2")
        self.browser.ready()
        self.assertEqual(self.view(), (1000, 5000))

    def test_a_trace_of_no_length(self):
        self.opens("no-length", self.trace("point.evt", TYPES + 'stream 1 "s"\n0.000001000 1 note message="only"\n'))
        self.assertEqual(self.rows(), ["marks"])

    def test_hostile_names(self):
        name = "<img src=x onerror=alert(1)></script>\u202e"
        shown = "<img src=x onerror=alert(1)></script>\\u{202e}"
        path = self.trace("hostile.evt", TYPES + f'stream 1 "{name}"\n0.000001000 1 run thread=7 cpu=0\n0.000002000 1 in name="{name}"\n'
                          f'0.000003000 1 note message="{name}"\n0.000003000 1 depth name="{name}" value=3\n0.000005000 1 out\n'
                          '0.000009000 1 stop thread=7 cpu=0\n', program=name)
        self.opens("hostile", path)
        self.assertIn(shown, self.rows())
        self.assertEqual(self.browser.js("document.querySelectorAll('img, #tree script').length"), 0)

    def test_heights_are_the_duty_at_any_zoom_and_ratio(self):
        periods = 60_000
        served = self.served(self.trace("duty.evt", duty_text(periods)))
        choice = random.Random(11)
        for ratio, zooms in ((1, 8), (1.25, 6), (2, 6)):
            self.browser.size(400, 500, ratio)
            for _ in range(zooms):
                # A pixel has at least 40 periods, so that one that is cut by its edge is less than a pixel.
                span = choice.uniform(40, 100) * PERIOD * (400 - 212) * ratio
                low = choice.uniform(0.02, 0.98) * (periods * PERIOD - span)
                self.open(served, f"from={low:.3f}&to={low + span:.3f}")
                for heights, duty in zip(self.browser.js(HEIGHTS), DUTIES):
                    ink = round(26 * ratio)
                    self.assertLessEqual(max(abs(height - duty * ink) for height in heights[2:-2]), 1, (ratio, low, span, duty))

    def test_moving_by_a_pixel_a_hundred_times_and_back_ends_in_the_same_picture(self):
        self.open(self.served(self.busy), "from=400000.25&to=1837123")
        before, low = self.picture(), self.view()[0]
        width = self.browser.js("document.getElementById('rows-canvas').width")
        for delta in (1, -1):
            for _ in range(100):
                self.browser.mouse("mouseWheel", 700, 300, deltaX=delta, deltaY=0)
            self.browser.ready()
            expected = low + 100 * (1837123 - low) / width if delta > 0 else low
            self.assertAlmostEqual(self.view()[0], expected, delta=0.1)
        self.browser.mouse("mouseMoved", 5, 5)
        self.assertEqual(self.view()[0], 400000.25)
        self.assertEqual(self.picture(), before)

    def test_a_reload_keeps_the_state(self):
        self.open(self.served(self.busy), "from=400000&to=900000&sel=450000..500000&pin=4&hide=5&order=name&theme=dark&tab=events&marks=470000:here")
        self.figures()
        words, picture = self.fragment(), self.picture()
        self.assertEqual({name: words[name] for name in ("from", "to", "sel", "pin", "hide", "order", "theme", "tab", "marks")},
                         {"from": "400000", "to": "900000", "sel": "450000..500000", "pin": "4", "hide": "5", "order": "name", "theme": "dark", "tab": "events", "marks": "470000:here"})
        self.browser.reload()
        self.browser.ready()
        self.figures()
        self.assertEqual((self.fragment(), self.picture()), (words, picture))
        self.assertTrue(self.browser.js("document.getElementById('event-list').checkVisibility()"))
        self.shot("dark")

    def test_the_server_ends_when_the_page_asks_for_nothing(self):
        served = self.served(self.busy, options=("--idle", "6s"))
        self.open(served)
        self.assertEqual(served.process.wait(), 0)
        self.browser.key("w")
        self.browser.key("w")
        self.browser.until("document.getElementById('strip').innerText.includes('The server does not answer. Has evt view ended?')")
        self.shot("ended")


if __name__ == "__main__":
    unittest.main()
