#!/usr/bin/env python3
"""Stories of the page of `evt view` in a real browser, against synthetic traces.

usage: page_test.py [unittest options]      screenshots go to build/view/
"""
import os
import random
import re
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import synthetic  # noqa: E402
from browser import Picture  # noqa: E402
from page_case import PAGE_FOLDER, PageCase  # noqa: E402


class PageTest(PageCase):
    def test_opens_without_an_error_and_asks_no_other_host(self):
        server = self.open(synthetic.demo())
        self.shot("demo-light")
        port = server.server_address[1]
        events = self.browser.take_events()
        asked = {one["params"]["request"]["url"] for one in events if one["method"] == "Network.requestWillBeSent"}
        self.assertEqual({url for url in asked if url != "about:blank" and not url.startswith(f"http://127.0.0.1:{port}/")}, set())
        wrong = [one for one in events if one["method"] in ("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled")]
        self.assertEqual(wrong, [])
        self.assertEqual(self.text("title"), "qsort-lf-20.evt")

    def test_token_leaves_the_address_and_a_wrong_one_is_explained(self):
        server = self.open(synthetic.duty())
        self.assertNotIn("k=", self.browser.js("location.href"))
        self.browser.open(f"http://127.0.0.1:{server.server_address[1]}/#k=wrong")
        self.browser.until("!document.getElementById('notice').hidden && document.getElementById('notice').innerText.includes('token')")
        self.assertEqual(self.text("notice"), "This page has no valid token. Open the URL that evt view printed.")

    def test_keys_change_the_view_and_the_picture(self):
        self.open(synthetic.demo())
        before = self.view()
        pictures = {self.browser.png()}
        seen = []
        for key in "wwdsa0":
            self.browser.key(key)
            self.browser.ready()
            seen.append(self.view())
            pictures.add(self.browser.png())
        span = before[1] - before[0]
        for at, parts in ((0, 0.75), (1, 0.5625), (3, 0.75)):
            self.assertAlmostEqual((seen[at][1] - seen[at][0]) / span, parts, places=3)
        self.assertAlmostEqual((seen[2][0] - seen[1][0]) / (seen[1][1] - seen[1][0]), 0.1, places=2)
        self.assertEqual(seen[5], before)
        self.assertGreaterEqual(len(pictures), 5)

    def test_history_goes_back_to_views_that_rested(self):
        self.open(synthetic.demo())
        views = [self.view()]
        for key in "wd":
            self.browser.key(key)
            self.browser.ready()
            views.append(self.view())
        for key, shift, expected in (("z", False, 1), ("z", False, 0), ("Z", True, 1), ("Z", True, 2)):
            self.browser.key(key, shift)
            self.browser.ready()
            self.assertEqual(self.view(), views[expected])

    def test_heights_are_the_shares_at_any_zoom(self):
        self.open(synthetic.duty())
        choice = random.Random(3)
        for ratio in (1, 1.25, 2):
            self.browser.size(1200, 600, ratio)  # the header has one line: at each ratio the rows begin at a whole pixel
            for _ in range(4):
                middle, span = choice.uniform(2e7, 3e7), 10 ** choice.uniform(6.3, 7.2)
                self.open(synthetic.duty(), f"&from={int(middle - span / 2)}&to={int(middle + span / 2)}")
                for (_, ink), heights, share in zip(self.inks("cpu"), self.heights(3, ratio), (0.25, 0.5, 0.75)):
                    ink = round(ink * ratio)
                    # A pixel that ends within a period of 1 us has a little more or less than the share.
                    part = share * (1 - share) * 1000 * len(heights) / span
                    self.assertLessEqual(max(abs(height - share) * ink for height in heights[2:-2]), 1 + (part + 1 / 255) * ink, (ratio, span, share))
                    self.assertAlmostEqual(sum(heights) / len(heights) * ink, share * ink, delta=ink / 26)

    def test_a_microsecond_in_an_hour_has_its_pixel_all_the_way_in(self):
        at = 1_799_000_000_123
        for span in (3_600_000_000_000, 91_000_000_000, 1_700_000_000, 33_000_000, 510_000, 9_000):
            low = max(0, at - span * 2 // 5)
            self.open(synthetic.hour(), f"&from={low}&to={low + span}")
            heights = self.heights()[0]
            columns = [x for x, height in enumerate(heights) if height]
            scale = span / len(heights)
            first, last = (at - low) / scale, (at + 1000 - low) / scale
            self.assertTrue(columns, span)
            self.assertGreaterEqual(columns[0], int(first) - 1, span)
            self.assertLessEqual(columns[-1], int(last) + 1, span)
            if span == 9_000:
                self.assertEqual(heights[int(first) + 2:int(last) - 2], [1] * (int(last) - int(first) - 4))

    def test_moving_by_a_pixel_and_back_ends_in_the_same_picture(self):
        self.open(synthetic.demo(), "&from=100000001.5&to=137123457")
        left, top, width = self.rows_box()
        rows = {"x": left, "y": top, "width": width, "height": 500}
        before = self.browser.png(**rows)
        for delta in [1] * 30 + [-1] * 30:
            self.browser.mouse("mouseWheel", left + 300, top + 80, deltaX=delta, deltaY=0)
            self.browser.ready()
        self.browser.mouse("mouseMoved", 5, 5)
        self.browser.ready()
        self.assertEqual(self.fragment()["from"], "100000001.5")
        self.assertEqual(self.browser.png(**rows), before)

    def test_a_drag_selects_and_asks_for_exactly_that_range(self):
        server = self.open(synthetic.demo())
        self.browser.drag(600, 260, 900, 262)
        self.browser.until("document.querySelector('#panel-title strong')?.textContent === 'Selection'")
        self.browser.ready()
        self.figures()
        low, high = (int(text) for text in self.fragment()["sel"].split(".."))
        self.assertEqual(server.asked("/v1/stats")[-1], {"s": "0", "from": str(low), "to": str(high), "of": "cpu"})
        cpu = server.trace.sessions[0].contents[2]
        running = cpu.parts(low, high)[0]
        cells = self.browser.js("[...document.querySelectorAll('#tables tbody tr')[0].children].map((one) => one.textContent)")
        self.assertEqual(cells[:2], ["HEC 0", f"{running / 1e6:.3g} ms"])
        self.shot("selection")

    def test_a_table_of_very_many_rows_shows_some_until_all_are_wanted(self):
        session = synthetic.Session("many", 1_000_000)
        for number in range(600):
            session.add("cpu", f"cpu {number}", synthetic.Intervals([(number, number + 1000, 0, None)]))
        self.open(synthetic.Trace("many", [session]))
        self.figures()
        self.assertEqual(self.browser.js("document.querySelectorAll('#tables tbody tr').length"), 500)
        self.assertEqual(self.browser.js("document.querySelector('#tables caption').textContent"), "cpu Copy Show all 600 rows")
        self.browser.js("document.querySelectorAll('#tables caption button')[1].click()")
        self.assertEqual(self.browser.js("document.querySelectorAll('#tables tbody tr').length"), 600)
        self.assertEqual(self.browser.js("document.activeElement.id"), "tables")

    def test_edges_of_a_drag_are_times_of_events_of_the_row(self):
        server = self.open(synthetic.demo(), "&from=100000000&to=103000000")
        self.browser.drag(600, 260, 900, 262)
        self.browser.until("document.querySelector('#panel-title strong')?.textContent === 'Selection'")
        self.browser.ready()
        changes = server.trace.sessions[0].contents[2].events()
        left, _, width = self.rows_box()
        for edge, x in zip(self.fragment()["sel"].split(".."), (600, 900)):
            under = 100_000_000 + (x - left) * 3_000_000 / width
            near = min(changes, key=lambda one: abs(one - under))
            if abs(near - under) < 5 * 3_000_000 / width:
                self.assertIn(int(edge), changes)

    def test_a_reload_keeps_the_state(self):
        self.open(synthetic.demo(), "&from=200000000&to=300000000&sel=210000000..220000000&pin=3&hide=5&order=name&theme=dark&marks=215000000:a%2520b%252C")
        before = self.fragment()
        self.figures()
        # Not of the whole page: the browser draws round corners of buttons in two ways.
        picture = self.picture(), self.browser.js("document.body.innerText")
        self.browser.reload()
        self.browser.ready()
        self.figures()
        self.assertEqual({name: before[name] for name in ("from", "to", "sel", "pin", "hide", "order", "theme", "marks")},
                         {"from": "200000000", "to": "300000000", "sel": "210000000..220000000", "pin": "3", "hide": "5", "order": "name",
                          "theme": "dark", "marks": "215000000:a%20b%2C"})
        self.assertEqual(self.fragment(), before)
        self.assertEqual((self.picture(), self.browser.js("document.body.innerText")), picture)
        self.shot("reloaded-dark")

    def test_theme_follows_the_system_until_it_is_chosen(self):
        self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.open(synthetic.demo())
        background = "getComputedStyle(document.body).backgroundColor"
        self.assertEqual(self.browser.js(background), "rgb(16, 19, 23)")
        self.shot("demo-dark")
        self.browser.key("t")
        self.browser.ready()
        self.assertEqual(self.browser.js(background), "rgb(255, 255, 255)")
        self.assertEqual(self.fragment()["theme"], "light")

    def test_hostile_names_are_shown_escaped(self):
        self.open(synthetic.hostile())
        shown = "<img src=x onerror=alert(1)>\\u{202e}gnp.\\u{7}exe"
        self.assertEqual(self.text("title"), shown)
        self.assertEqual(self.browser.js("document.querySelector('#tree .row .name').textContent"), shown)
        self.assertEqual(self.browser.js("document.querySelectorAll('img').length"), 0)
        self.assertIn(shown, self.text("strip"))
        self.shot("hostile")

    def test_the_keyboard_alone_reaches_rows_events_and_help(self):
        server = self.open(synthetic.demo())
        self.browser.js("document.querySelector('#tree [tabindex=\"0\"]').focus()")
        self.browser.key("ArrowDown")
        self.browser.key(".")
        self.browser.until("location.hash.length > 0 && !document.getElementById('event').hidden")
        self.browser.ready()
        first = server.trace.sessions[0].contents[3].events()[0]
        self.assertEqual(self.fragment()["at"], f"3@{first}")
        self.assertIn("state.change", self.text("live"))
        self.browser.key("ArrowRight")
        self.browser.until(f"!location.hash.includes('{first}')")
        self.browser.ready()
        self.assertEqual(self.fragment()["at"], f"3@{server.trace.sessions[0].contents[3].events()[1]}")
        self.browser.key("?")
        self.browser.until("document.getElementById('dialog').open")
        self.assertIn("zoom in and out at the pointer", self.text("dialog"))
        self.shot("help")
        self.browser.key("Escape")
        self.browser.until("!document.getElementById('dialog').open")

    def test_pin_hide_and_groups(self):
        self.open(synthetic.demo())
        names = "[...document.querySelectorAll('#tree .name')].slice(0, 5).map((one) => one.textContent)"
        self.browser.js("document.querySelector('#tree .row').focus()")
        self.browser.key("p")
        self.browser.ready()
        self.assertEqual(self.browser.js(names), ["Pinned", "⚑ HEC 0", "Cpus", "⚑ HEC 0", "HEC 1"])
        self.browser.js("document.querySelectorAll('#tree .row')[2].focus()")
        self.browser.key("h")
        self.browser.ready()
        self.assertEqual(self.browser.js(names), ["Pinned", "⚑ HEC 0", "Cpus", "⚑ HEC 0", "HEC 2"])
        self.assertIn("1 row is hidden; shift+H shows all", self.text("strip"))
        self.browser.key("e")
        self.browser.ready()
        self.assertEqual(self.browser.js(names)[2:4], ["Cpus", "Threads · 33"])
        self.browser.key("H", shift=True)
        self.browser.ready()
        self.assertNotIn("hide", self.fragment())

    def test_search_goes_to_the_event_and_shows_an_error(self):
        server = self.open(synthetic.demo())
        self.browser.key("/")
        self.browser.type("worker")
        self.browser.key("Enter")
        self.browser.until("!document.getElementById('event').hidden")
        self.assertEqual(server.asked("/v1/find")[0]["q"], "worker")
        self.browser.js("document.getElementById('find').value = 'a('")
        self.browser.key("Enter")
        self.browser.until("document.getElementById('find').getAttribute('aria-invalid') === 'true'")
        self.assertEqual(self.text("found"), "a condition is open: ( has no )")

    def test_copy_offers_commands_with_the_exact_range(self):
        self.open(synthetic.demo(), "&sel=210000001..220000000")
        self.browser.until("document.querySelector('#tables table')")
        self.browser.key("c")
        self.browser.until("document.getElementById('dialog').open")
        codes = self.browser.js("[...document.querySelectorAll('#dialog code')].map((one) => one.textContent)")
        self.assertEqual(codes[2:4], ["evt dump --from=210.000001ms --to=220ms qsort-lf-20.evt",
                                      "evt cut -o part.evt --from=210.000001ms --to=220ms qsort-lf-20.evt"])
        self.assertEqual(codes[4], "evt stats cpu --by cpu,thread --from=210.000001ms --to=220ms qsort-lf-20.evt")
        self.assertEqual(codes[5].splitlines()[0], "cpu\trunning_ns\tcollecting_ns\tidle_ns")

    def copied(self, trace, selection):
        self.open(trace, f"&sel={selection}")
        self.browser.key("c")
        self.browser.until("document.getElementById('dialog').open")
        return self.browser.js("[...document.querySelectorAll('#dialog code')].map((one) => one.textContent)")[2]

    def test_copied_commands_are_on_what_is_shown(self):
        trace = synthetic.parts()
        session = trace.sessions[0]
        session.files, session.merged = ["a b.evt", "-", "-x.evt"], True
        self.assertEqual(self.copied(trace, "1000..220000000"),
                         "evt merge -o merged.evt 'a b.evt' - ./-x.evt; evt dump --from=1us --to=220ms merged.evt")
        session.files, session.merged = ["-"], False
        self.assertEqual(self.copied(trace, "-5000..220000000"), "evt dump --to=220ms -")

    def test_copied_commands_have_dates_for_times_before_the_start(self):
        trace = synthetic.demo()
        trace.sessions[0].begin = -2_000_000_000
        self.assertEqual(self.copied(trace, "-500000000..-1"),
                         "evt dump --from=2023-11-14T22:13:19.500000000Z --to=2023-11-14T22:13:19.999999999Z qsort-lf-20.evt")

    def test_facts_are_below_one_another(self):
        trace = synthetic.demo()
        trace.sessions[0].tables = [{"name": "pauses", "facts": True, "columns": [{"name": "total", "key": "total_ns"}, {"name": "why", "key": "why", "text": True}],
                                     "rows": [[["1.50 ms", "1500000"], "full"]]}]
        self.open(trace, "&stat=gc")
        self.browser.until("document.querySelector('#tables caption')?.textContent === 'pauses Copy'")
        self.assertEqual(self.browser.js("[...document.querySelectorAll('#tables tr')].map((one) => one.innerText)"), ["total\t1.50 ms", "why\tfull"])

    def test_a_header_sorts_its_table_and_what_is_copied(self):
        trace = synthetic.demo()
        trace.sessions[0].tables = [{"name": "pauses", "columns": [{"name": "name", "key": "name", "text": True}, {"name": "sum", "key": "sum_ns"}, {"name": "count", "key": "count"}],
                                     "rows": [["beta", ["1.20 ms", "1200000"], "9"], ["=cmd|calc!A0", ["900 us", "900001"], "10"], ["-x", None, "1"], ["alpha", ["1.10 s", "1100000000"], "2"]]}]
        self.open(trace, "&stat=gc")
        self.browser.until("document.querySelectorAll('#tables tbody tr').length === 4")
        first = "[...document.querySelectorAll('#tables tbody tr')].map((one) => one.firstChild.textContent)"
        for column, expected, direction in ((1, ["alpha", "beta", "=cmd|calc!A0", "-x"], "descending"), (1, ["=cmd|calc!A0", "beta", "alpha", "-x"], "ascending"),
                                            (0, ["-x", "=cmd|calc!A0", "alpha", "beta"], "ascending"), (2, ["=cmd|calc!A0", "beta", "alpha", "-x"], "descending")):
            self.browser.js(f"document.querySelectorAll('#tables thead button')[{column}].click()")
            self.assertEqual(self.browser.js(first), expected)
            self.assertEqual(self.browser.js("[...document.querySelectorAll('#tables [aria-sort]')].map((one) => one.ariaSort)"), [direction])
        self.browser.key("c")
        self.browser.until("document.getElementById('dialog').open")
        copied = self.browser.js("[...document.querySelectorAll('#dialog code')].pop().textContent")
        self.assertEqual(copied, "name\tsum_ns\tcount\nbeta\t1200000\t9\n\\x3dcmd|calc!A0\t900001\t10\n\\x2dx\t\t1\nalpha\t1100000000\t2\n")
        self.browser.key("Escape")
        self.browser.until("!document.getElementById('dialog').open")
        # What is selected is copied with whole figures, too.
        selected = self.browser.js("""(() => { const range = document.createRange(); range.selectNodeContents(document.querySelector('#tables tbody')); getSelection().removeAllRanges();
          getSelection().addRange(range); const data = new DataTransfer();
          document.getElementById('tables').dispatchEvent(new ClipboardEvent('copy', { clipboardData: data, bubbles: true })); return data.getData('text/plain'); })()""")
        self.assertEqual(sorted(selected.split("\n")), sorted(copied.split("\n")[1:-1]))

    def test_bookmarks_are_in_the_address(self):
        self.open(synthetic.demo(), "&at=2@500000000")
        self.browser.key("m")
        self.browser.until("document.getElementById('dialog').open")
        self.browser.type("slow: a, b")
        self.browser.key("Enter")
        self.browser.until("!document.getElementById('dialog').open")
        self.browser.ready()
        self.assertEqual(self.fragment()["marks"], "500000000:slow%3A%20a%2C%20b")

    def test_times_of_years_are_exact_to_the_nanosecond(self):
        end = 94_608_000_000_000_001
        self.open(synthetic.years(), f"&from={end - 16}&to={end}")
        heights = self.heights()[0]
        scale = len(heights) / 16
        running = [x for x, height in enumerate(heights) if height == 1]
        self.assertAlmostEqual(running[0], 5 * scale, delta=1)
        self.assertAlmostEqual(running[-1], 8 * scale - 1, delta=1)
        self.shot("years")

    def test_empty_and_reading_traces_have_a_sentence(self):
        self.open(synthetic.empty())
        self.assertEqual(self.text("notice"), "This session has no events.\n\nThere is nothing to draw.".replace("\n\n", "\n"))
        self.shot("empty")
        self.open(synthetic.reading())
        self.assertEqual(self.text("notice"), "Loading 41 %")
        self.shot("reading")

    def test_what_is_computed_says_so(self):
        trace = synthetic.demo()
        trace.answers.clear()

        def says(name):
            return f"getComputedStyle(document.getElementById('{name}'), '::before').content === '\"Computing…\"'"
        self.open(trace, ready=False)
        self.browser.until(says("tables"))
        trace.answers.set()
        self.figures()
        self.assertFalse(self.browser.js(says("tables")))
        left, top, width = self.rows_box()
        trace.answers.clear()
        self.browser.click(left + width / 2, top + 43)
        self.browser.until(says("event"))
        trace.answers.set()
        self.browser.until("document.getElementById('event').querySelector('h2')")
        self.assertFalse(self.browser.js(says("event")))

    def test_figures_and_flows_are_asked_for_once_while_the_trace_is_read(self):
        trace = synthetic.parts()
        trace.complete, trace.growths = False, 3
        server = self.open(trace)
        self.figures()
        self.browser.until("document.getElementById('flows').innerText")
        self.assertEqual(server.asked_too_early("/v1/flows"), [])
        self.assertEqual(trace.generation, 4)
        self.assertEqual(len(server.asked("/v1/flows")), 1)
        self.assertEqual(len(server.asked("/v1/stats")), 1)

    def test_flows_are_asked_for_once_though_the_answer_takes_long(self):
        trace = synthetic.parts()
        trace.delay = 1
        server = self.open(trace)
        for _ in range(10):
            self.browser.key("t")
            time.sleep(0.3)
        self.browser.until("document.getElementById('flows').innerText")
        self.assertEqual(len(server.asked("/v1/flows")), 1)

    def test_forced_colours_leave_textures(self):
        self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "forced-colors", "value": "active"}])
        self.open(synthetic.demo())
        self.shot("forced-colors")
        left, top, width = self.rows_box()
        picture = Picture(self.browser.png(x=left, y=top, width=width, height=60))
        colors = {picture.at(x, 45) for x in range(picture.width)}
        self.assertLessEqual(len(colors), 4)

    def test_twice_the_size_still_shows_rows(self):
        self.browser.size(800, 500, 2)
        self.open(synthetic.demo())
        self.shot("zoomed-200")
        self.assertGreater(self.browser.js("document.getElementById('rows-canvas').clientHeight"), 60)
        self.assertGreater(self.rows_box()[2], 500)


class SourceTest(unittest.TestCase):
    """What needs no browser."""

    def sources(self):
        for name in sorted(os.listdir(PAGE_FOLDER)):
            if name.endswith((".js", ".html")):
                with open(os.path.join(PAGE_FOLDER, name), encoding="utf-8") as file:
                    yield name, file.read()

    def test_no_text_becomes_markup_or_code(self):
        unsafe = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|DOMParser|srcdoc|\bstyle=|javascript:|\bon\w+=\"")
        self.assertEqual([(name, unsafe.findall(text)) for name, text in self.sources() if unsafe.search(text)], [])

    def test_without_esbuild_a_sentence_names_the_package(self):
        made = subprocess.run([sys.executable, "-B", os.path.join(PAGE_FOLDER, "bundle.py"), os.devnull], capture_output=True, text=True,
                              env={**os.environ, "PATH": "/nonexistent"})
        self.assertEqual((made.returncode, made.stderr), (1, "the page of evt view needs esbuild, which is not installed (Debian's package esbuild)\n"))

    def test_types_are_right(self):
        checked = subprocess.run(["tsc", "-p", PAGE_FOLDER], capture_output=True, text=True)
        self.assertEqual(checked.stdout, "")

    def test_decoder_given_random_bytes_throws_or_ends(self):
        run = subprocess.run(["node", "--input-type=module", "-e", DECODER_FUZZ.replace("PROTOCOL", os.path.join(PAGE_FOLDER, "protocol.js"))],
                             capture_output=True, text=True, timeout=60, input="")
        self.assertEqual(run.stderr, "")
        decoded, refused = (int(word) for word in run.stdout.split())
        self.assertEqual(decoded + refused, 20000)
        self.assertGreater(decoded, 0)
        self.assertGreater(refused, 10000)


# Bytes at random, and a tile with some of its bytes changed, so that errors behind the header are met too.
DECODER_FUZZ = """
import { readFileSync } from 'node:fs';
const text = readFileSync('PROTOCOL', 'utf8');
const { decodedTile, ProtocolError } = await import('data:text/javascript,' + encodeURIComponent(text));
let seed = 7;
const random = (most) => { seed = (Math.imul(seed, 1103515245) + 12345) >>> 0; return Math.floor(seed / 4294967296 * most); };
const good = [69, 86, 84, 84, 1, 10, 3, 1, 5, 0, 0, 17, 128, 4, 1, 0, 255, 128, 4, 2, 0, 100, 6, 155, 1, 0, 3, 8, 0,
  6, 3, 1, 5, 128, 8, 144, 78, 0, 7, 4, 0, 8, 128, 8, 2, 0, 5, 5, 3, 0];
let decoded = 0, refused = 0;
for (let n = 0; n < 20000; n++) {
  const bytes = n % 2 ? Uint8Array.from({ length: random(80) }, () => random(256)) : Uint8Array.from(good);
  for (let change = random(4); change > 0 && n % 2 === 0; change--) bytes[random(bytes.length)] = random(256);
  try { decodedTile(bytes.buffer); decoded++; } catch (error) { if (!(error instanceof ProtocolError)) throw error; refused++; }
}
console.log(decoded, refused);
"""

if __name__ == "__main__":
    unittest.main()
