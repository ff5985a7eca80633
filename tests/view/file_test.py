#!/usr/bin/env python3
"""Stories of the page that `evt view -o x.html` makes, in a real browser, from disk, beside the page that `evt view` serves.

usage: file_test.py EVT [unittest options]      screenshots go to build/view/
"""
import base64
import json
import os
import re
import subprocess
import sys
import unittest
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from evt_view import SAMPLES, TYPES, busy_text  # noqa: E402
from evt_case import EVT, EvtCase  # noqa: E402
from story_case import exact  # noqa: E402

EMBEDDED = re.compile(r'<script id="embedded" type="application/json">(.*?)</script>', re.DOTALL)


def embedded(path):
    with open(path, encoding="utf-8") as file:
        return json.loads(EMBEDDED.search(file.read()).group(1))


def unpacked(text):
    return zlib.decompress(base64.b64decode(text))


def tiles_of(level):
    """Index and bytes of each."""
    index = level["first"]
    for part in level["parts"]:
        data, at = unpacked(part["data"]), 0
        for size in part["sizes"]:
            yield index, data[at:at + size]
            index, at = index + 1, at + size


class FileTest(EvtCase):
    SHOTS = "file-"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.busy = cls.trace("busy.evt", busy_text())
        cls.busy_page = cls.page("busy.html", cls.busy)

    @classmethod
    def page(cls, name, *words):
        path = os.path.join(cls.folder.name, name)
        subprocess.run([EVT, "view", "-o", path, *words], check=True)
        return path

    def open(self, path, fragment=""):
        self.browser.open(f"file://{path}#{fragment}")
        self.browser.ready()

    def test_opens_from_disk_and_asks_for_nothing_else(self):
        self.open(self.busy_page)
        self.figures()
        self.shot("busy")
        events = self.browser.take_events()
        asked = [url.split("#")[0] for url in self.asked(events)]
        self.assertEqual(asked, [f"file://{self.busy_page}"])
        self.assertEqual(self.errors(events), [])
        self.assertEqual(self.text("title"), "busy.evt")
        self.assertEqual(self.browser.js("location.protocol"), "file:")

    def test_has_the_pixels_of_the_served_page_at_each_level_that_it_has(self):
        served = self.served(self.busy)
        end = int(served.json("/v1/trace")["sessions"][0]["to"])
        finest = min(level["level"] for level in embedded(self.busy_page)["sessions"][0]["levels"])
        self.assertLessEqual(finest, 4)
        spans = [end * 11 // 10, end // 3, end // 40, 1600 << finest]
        for width, span in [(1600, span) for span in spans] + [(500, end), (380, end * 11 // 10)]:
            self.browser.size(width, 1000)
            low = (end - span) // 2
            fragment = f"from={low}&to={low + span}"
            self.open(self.busy_page, fragment)
            from_file = self.picture()
            words = self.fragment()
            self.browser.open(served.url + "&" + fragment)
            self.assertEqual((self.picture(), self.fragment()), (from_file, words), (width, span))

    def test_tiles_are_those_that_the_server_answers(self):
        served = self.served(self.busy)
        rows = len(served.json("/v1/rows?s=0")["rows"])
        levels = embedded(self.busy_page)["sessions"][0]["levels"]
        self.assertEqual([level["level"] for level in levels], sorted((level["level"] for level in levels), reverse=True))
        for level in levels[:6]:
            for index, tile in tiles_of(level):
                self.assertEqual(tile, served.get(f"/v1/tiles?s=0&l={level['level']}&i={index}&r=0-{rows - 1}")[1])

    def test_finer_than_its_finest_it_shows_what_it_has_and_how_to_see_more(self):
        small = self.page("small.html", "--detail", "165K", self.busy)
        finest = min(level["level"] for level in embedded(small)["sessions"][0]["levels"])
        self.assertGreater(finest, 4)
        self.open(small)
        length = {9: "512 ns", 10: "1.02 us", 11: "2.05 us", 12: "4.1 us", 13: "8.19 us"}[finest]
        self.assertEqual(self.browser.js("document.querySelector('#strip .note').firstChild.textContent"), f"Not in this file: detail finer than {length}; all of it: evt view busy.evt")
        self.open(small, f"from=700000&to={700000 + (100 << finest)}")
        colors = self.browser.js("""(() => { const canvas = document.getElementById('rows-canvas'); const found = new Set();
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          for (let at = 0; at < data.length; at += 4) found.add(data.slice(at, at + 3).join()); return [...found]; })()""")
        self.assertIn("37,113,71", colors)
        self.shot("finer-than-finest")

    def test_zoom_ends_at_single_events_as_the_server_has_them(self):
        served = self.served(self.busy)
        self.open(self.busy_page)
        self.assertNotIn("single events", self.text("strip"))
        self.browser.js("document.querySelectorAll('#tree .row')[0].focus()")
        seen = []
        for key in "..,.":
            self.browser.key(key)
            self.browser.ready()
            seen.append(self.text("event"))
        at = self.fragment()["at"]
        row = int(at.split("@")[0])
        events = []
        ns = -1
        for find in ("next", "next", "previous", "next"):
            event = served.json(f"/v1/event?s=0&row={row}&ns={ns}&find={find}")["event"]
            ns = event["ns"]
            events.append(event)
        self.assertEqual(at, f"{row}@{ns}")
        for text, event in zip(seen, events):
            self.assertTrue(text.startswith(event["type"]))
            for field in event["fields"]:
                self.assertIn(f"{field['name']}\t{field['value']}", text)
        self.shot("event")

    def test_events_of_each_row_are_those_of_the_server(self):
        served = self.served(self.busy)
        rows = served.json("/v1/rows?s=0")["rows"]
        lists = json.loads(unpacked(embedded(self.busy_page)["sessions"][0]["events"]))
        times, ns = [], 0
        for gap in lists["ns"]:
            ns += int(gap)
            times.append(ns)
        count = 0
        for row in rows:
            if row["kind"] == "span":
                continue  # its events are those of spans
            members, at = [], 0
            for gap in lists["members"][lists["groups"][row["id"]]]:
                at += gap
                members.append(at)
            for found in members[:1] + members[len(members) // 2:][:1] + members[-1:]:
                event = served.json(f"/v1/event?s=0&row={row['id']}&ns={times[found]}&find=at")["event"]
                last = max(one for one in members if times[one] == times[found])
                self.assertEqual((event["ns"], event["type"], event["stream"], [field["value"] for field in event["fields"]]),
                                 (str(times[last]), lists["types"][lists["type"][last]]["name"],
                                  lists["streams"][lists["stream"][last]], lists["values"][last]), row)
            count += len(members)
            begin = times[members[0]] if members else times[-1] + 1
            self.assertIsNone(served.json(f"/v1/event?s=0&row={row['id']}&ns={begin}&find=previous")["event"], row)
        self.assertGreater(count, len(times))

    def test_a_span_is_that_of_the_server(self):
        served = self.served(self.busy)
        self.open(self.busy_page)
        rows = [row["id"] for row in served.json("/v1/rows?s=0")["rows"] if row["kind"] == "span"]
        self.assertTrue(rows)
        for row in rows:
            spans = []
            event = served.json(f"/v1/event?s=0&row={row}&ns=-1&find=next")["event"]
            while event and len(spans) < 3:
                spans.append(event)
                event = served.json(f"/v1/event?s=0&row={row}&ns={event['span']['from']}&find=next")["event"]
            for event in spans:
                span = event["span"]
                low = int(span["from"]) - 1000
                self.open(self.busy_page, f"from={low}&to={int(span['to']) + 1000}&at={row}@{span['from']}&toggled=x{span['from']}")
                self.browser.until(f"document.querySelector('#event h2')?.textContent === '{span['name']}'")
                facts = dict(self.browser.js("[...document.querySelectorAll('#event tr')].map((one) => [...one.children].map((cell) => cell.textContent))"))
                length = int(span["to"]) - int(span["from"])
                self.assertEqual([facts[name] for name in ("start", "duration", "self time", "thread")],
                                 [exact(int(span["from"])), exact(length), exact(int(span["self"])), span["thread"]])

    def test_search_finds_texts_and_leaves_conditions_to_the_command(self):
        served = self.served(self.busy)
        self.open(self.busy_page, "from=0&to=100000")
        self.browser.key("/")
        self.browser.type("slice 120")
        self.browser.key("Enter")
        self.browser.until("!document.getElementById('event').hidden")
        found = served.json("/v1/find?s=0&q=slice%20120&from=0&dir=next")
        self.browser.ready()
        self.assertEqual(self.fragment()["at"], f"{found['row']}@{found['event']['ns']}")
        self.browser.js("document.getElementById('find').value = 'thread=7'")
        self.browser.key("Enter")
        self.browser.until("document.getElementById('find').getAttribute('aria-invalid') === 'true'")
        self.assertEqual(self.text("found"), "a file finds text only; for conditions too: evt view busy.evt")

    def test_figures_of_the_session_are_exact_and_others_are_a_command(self):
        served = self.served(self.busy)
        self.open(self.busy_page)
        self.figures()
        from_file = self.browser.js("document.getElementById('tables').innerText")
        words = self.fragment()
        self.browser.open(served.url)
        self.browser.ready()
        self.figures()
        self.assertEqual(from_file, self.browser.js("document.getElementById('tables').innerText"))
        self.assertIn("trimmed mean", from_file)
        self.open(self.busy_page, f"from={words['from']}&to={words['to']}&sel=500000..1500001&stat=threads")
        self.figures()
        self.assertEqual(self.text("tables"), "No statistics: this file has those of the whole session only; of this range: "
                                              "evt stats threads --from=500us --to=1.500001ms busy.evt")
        found = subprocess.run([EVT, "stats", "threads", "--from=500us", "--to=1.500001ms", self.busy], capture_output=True, check=False)
        self.assertEqual(found.returncode, 0)

    def boxes(self):
        """Of the flame graph: each name with where it is, in percent of the width."""
        return self.browser.js("""[...document.querySelectorAll('.boxes button')].map((box) => {
          const all = box.parentElement.getBoundingClientRect(), own = box.getBoundingClientRect();
          return `${box.textContent} ${Math.round(100 * (own.left - all.left) / all.width)}..${Math.round(100 * (own.right - all.left) / all.width)} ${(own.top - all.top) / 17}`; })""")

    def press(self, text):
        self.browser.js(f"[...document.querySelectorAll('.flame button')].find((one) => one.textContent === '{text}').click()")

    def test_a_flame_graph_zooms_is_searched_and_inverted(self):
        trace = self.trace("samples.evt", SAMPLES)
        served = self.served(trace)
        for address in (f"file://{self.page('samples.html', trace)}#", served.url):
            self.browser.open(address)
            self.browser.ready()
            self.browser.js("document.querySelector('[data-of=flame-samples]').click()")
            self.browser.until("document.querySelector('.boxes button')")
            self.assertEqual(self.boxes(), ["all 0..100 0", "thread 7 0..100 1", "main 0..100 2", "parse 0..67 3"])
            self.assertEqual(self.browser.js("document.querySelector('.boxes [data-n=\"2\"]').title"), "main\n45 ns, 100.0 %\nself 15 ns")
            self.press("parse")
            self.assertEqual(self.boxes(), ["all 0..100 0", "thread 7 0..100 1", "main 0..100 2", "parse 0..100 3"])
            for key, name in (("ArrowUp", "main"), ("ArrowDown", "parse"), ("ArrowLeft", "parse"), ("Escape", "all")):
                self.browser.key(key)
                self.assertEqual(self.browser.js("document.activeElement.textContent"), name)
            self.browser.js("document.querySelector('.flame input').focus()")
            self.browser.type("PAR")
            self.assertEqual(self.browser.js("document.querySelector('.flame output').textContent"), "66.7 % matched")
            self.assertEqual(self.browser.js("[...document.querySelectorAll('.boxes :not(.dim)')].map((one) => one.textContent)"), ["parse"])
            self.press("Inverted")
            self.assertEqual(self.boxes(), ["all 0..100 0", "main 0..33 1", "thread 7 0..33 2", "parse 33..100 1", "main 33..100 2", "thread 7 33..100 3"])
            self.shot("flame")
            self.press("Tree")
            self.assertEqual(self.browser.js("document.querySelector('.call-tree').innerText").split("\n"),
                             ["66.7 % 30 ns parse", "66.7 % 30 ns main", "66.7 % 30 ns thread 7", "33.3 % 15 ns main", "33.3 % 15 ns thread 7"])
            self.assertEqual(self.browser.js("document.querySelector('.hit').textContent"), "parse")
            self.assertEqual(self.errors(), [])

    def test_is_no_larger_than_detail_and_the_same_each_time(self):
        elsewhere = os.path.join(self.folder.name, "elsewhere")
        os.makedirs(elsewhere, exist_ok=True)
        copy = os.path.join(elsewhere, "busy.evt")
        with open(self.busy, "rb") as file, open(copy, "wb") as other:
            other.write(file.read())
        finest = []
        for size, most in (("160K", 160 << 10), ("200K", 200 << 10), ("1M", 1 << 20)):
            first = self.page("first.html", "--detail", size, self.busy)
            second = self.page("second.html", "--detail", size, copy)
            with open(first, "rb") as one, open(second, "rb") as two:
                data = one.read()
                self.assertEqual(data, two.read(), size)
            self.assertLessEqual(len(data), most)
            self.assertNotIn(self.folder.name.encode(), data)
            finest.append(min(level["level"] for level in embedded(first)["sessions"][0]["levels"]))
        self.assertGreater(finest[0], finest[2])
        self.assertEqual(finest, sorted(finest, reverse=True))

    def test_hostile_names_are_shown_escaped(self):
        name = "</script><img src=x onerror=alert(1)>\u202e"
        trace = self.trace("hostile.evt", TYPES + f'stream 1 "{name}"\n0.000001000 1 run thread=7 cpu=0\n0.000002000 1 in name="{name}"\n'
                           f'0.000003000 1 note message="{name}"\n0.000005000 1 out\n0.000009000 1 stop thread=7 cpu=0\n', program=name)
        page = self.page("hostile.html", trace)
        self.open(page, "toggled=events")
        self.figures()
        shown = "</script><img src=x onerror=alert(1)>\\u{202e}"
        self.assertEqual(self.browser.js("document.querySelectorAll('img').length"), 0)
        names = self.browser.js("[...document.querySelectorAll('#tree .row .name')].map((one) => one.textContent)")
        self.assertIn(shown, names)
        self.assertEqual(self.errors(), [])
        with open(page, encoding="utf-8") as file:
            self.assertEqual(file.read().count("onerror"), 0)
        self.shot("hostile")

    def test_several_traces_are_sessions_of_one_file(self):
        other = self.trace("other.evt", TYPES + 'stream 1 "alone"\n0.000001000 1 run thread=1 cpu=0\n0.000005000 1 stop thread=1 cpu=0\n', program="other")
        page = self.page("both.html", "--separate", self.busy, other)
        self.open(page, "s=1")
        self.assertEqual(self.browser.js("[...document.getElementById('sessions').options].map((one) => one.text)"), ["busy.evt: app", "other.evt: other"])
        self.assertEqual(self.text("title"), "busy.evt, other.evt")
        names = self.browser.js("[...document.querySelectorAll('#tree .row .name')].map((one) => one.textContent)")
        self.assertEqual(names[:2], ["cpu 0", "thread 1"])
        self.open(page, "s=1&sel=2000..3000&stat=threads")
        self.figures()
        self.assertTrue(self.text("tables").endswith("evt stats threads --from=2us --to=3us other.evt"), self.text("tables"))

    def test_sessions_without_events_and_without_length_have_their_page(self):
        empty = self.page("empty.html", self.trace("empty.evt", ""))
        self.open_without_rows(empty)
        self.assertEqual(self.text("notice"), "This session has no events.\nThere is nothing to draw.")
        short = self.page("short.html", self.trace("short.evt", TYPES + 'stream 1 "s"\n0.000001000 1 note message="only"\n'))
        self.open(short)
        self.figures()
        self.assertEqual((self.errors(), self.text("strip")), ([], ""))

    def open_without_rows(self, path):
        self.browser.open(f"file://{path}")
        self.browser.until("!document.getElementById('notice').hidden && document.getElementById('notice').innerText.includes('no events')")


if __name__ == "__main__":
    unittest.main()
