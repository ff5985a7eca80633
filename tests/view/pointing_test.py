#!/usr/bin/env python3
"""Stories of the page of `evt view`: what is pointed at is what the command line has of it, at two sizes of screen, in both themes and at twice the size.

usage: pointing_test.py EVT [unittest options]      shop is beside EVT; screenshots go to build/view/
"""
import json
import os
import random
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from evt_case import EVT, EvtCase  # noqa: E402
from evt_view import ASYNC, TYPES, busy_text  # noqa: E402
from story_case import exact  # noqa: E402

# Width and height in CSS pixels, device pixels of one, theme.
SCREENS = [(1440, 900, 1, "light"), (1920, 1080, 1, "dark"), (720, 450, 2, "dark"), (960, 540, 2, "light")]


def words(text):
    return " ".join(text.split())


class Span:
    """A span or call of a stream, by the events of evt dump."""

    def __init__(self, name, begin, around, object_name):
        self.name, self.begin, self.end, self.around, self.inside, self.object_name = name, begin, None, around, 0, object_name

    @property
    def length(self):
        return self.end - self.begin


def spans_of(path):
    """By streams and depths."""
    dumped = subprocess.run([EVT, "dump", "--json", path], check=True, capture_output=True, text=True).stdout
    found, open_spans, objects = {}, {}, {}
    for event in map(json.loads, dumped.splitlines()):
        stack = open_spans.setdefault(event["stream"], [])
        fields = event["fields"] if "fields" in event else event
        if event["event"] == "object.name":
            objects[fields["object"]] = fields["name"]
        if event["event"] in ("span.begin", "call.begin"):
            stack.append(Span(fields.get("name", fields.get("function")), event["ns"], list(stack), objects.get(fields.get("object"))))
        elif event["event"] in ("span.end", "call.end"):
            span = stack.pop()
            span.end = event["ns"]
            if stack:
                stack[-1].inside += span.length
            found.setdefault((event["stream"], len(stack)), []).append(span)
    return found


class PointingTest(EvtCase):
    SHOTS = "pointing-"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shop = os.path.join(cls.folder.name, "shop.evt")
        subprocess.run([os.path.join(os.path.dirname(EVT), "shop"), cls.shop], check=True, capture_output=True)
        cls.spans = spans_of(cls.shop)
        cls.busy = cls.trace("busy.evt", busy_text())
        cls.asyncs = cls.trace("async.evt", ASYNC)

    def open(self, url, fragment=""):
        self.browser.open(f"{url}{'#' if url.startswith('file:') else '&'}{fragment}")
        self.browser.ready()

    def screens(self):
        for width, height, ratio, theme in SCREENS:
            self.browser.size(width, height, ratio)
            self.browser.media(prefers_color_scheme=theme)
            yield f"{width * ratio}x{height * ratio}-{ratio * 100}-{theme}"

    def place(self, thread, depth, ns):
        """Of the pointer, for a time of the row of spans at a depth below a thread, which is brought into view."""
        name = "spans" if depth == 0 else f"spans, depth {depth + 1}"
        return self.browser.js(f"""new Promise((done) => {{ const rows = [...document.querySelectorAll('#tree .row')]; const name = (row) => row.querySelector('.name').textContent;
          const first = rows.findIndex((row) => name(row) === {json.dumps(thread)}); const row = rows.find((one, n) => n > first && name(one) === {json.dumps(name)});
          row.scrollIntoView({{ block: 'center' }}); requestAnimationFrame(() => requestAnimationFrame(() => {{ const box = row.getBoundingClientRect();
            const canvas = document.getElementById('rows-canvas').getBoundingClientRect(); const view = new URLSearchParams(location.hash.slice(1));
            const [from, to] = [Number(view.get('from')), Number(view.get('to'))]; done([canvas.left + canvas.width * ({ns} - from) / (to - from), box.top + box.height / 2]); }})); }})""")

    def details(self):
        heading = self.browser.js("document.querySelector('#event h2')?.textContent")
        return heading, dict(self.browser.js("[...document.querySelectorAll('#event table[aria-label=facts] tr')].map((one) => [...one.children].map((cell) => cell.textContent))"))

    def clicked(self, x, y, name):
        self.browser.mouse("mouseMoved", x, y)
        self.browser.click(x, y)
        self.browser.until(f"document.querySelector('#event h2')?.textContent === {json.dumps(name)}")
        self.browser.ready()
        # What is around it has its length a little later.
        self.browser.until("[...document.querySelectorAll('#event li')].every((one) => one.textContent.includes(', self '))")
        return self.details()[1]

    def check_span(self, facts, span, thread):
        self.assertEqual([facts[name] for name in ("start", "duration", "self time", "thread")],
                         [exact(span.begin), exact(span.length), exact(span.length - span.inside), thread])
        self.assertEqual(facts.get("object"), span.object_name)

    def test_a_click_on_a_span_shows_that_span(self):
        served = self.served(self.shop)
        choice = random.Random(1)
        for screen in self.screens():
            self.open(served.url, "from=1500000000&to=1700000000")
            for stream, depth in (("worker 1", 0), ("worker 1", 1), ("worker 2", 1), ("worker 3", 2)):
                span = choice.choice([one for one in self.spans[stream, depth] if one.begin > 1_500_000_000 and one.end < 1_700_000_000 and one.length > 2_000_000])
                x, y = self.place(stream, depth, span.begin + span.length // 3)
                facts = self.clicked(x, y, span.name)
                self.check_span(facts, span, f"{stream} ({stream[-1]})")
                around = self.browser.js("[...document.querySelectorAll('#event li')].map((one) => one.textContent)")
                self.assertEqual(around, [f"{one.name} {exact(one.length)}, self {exact(one.length - one.inside)}, since {exact(one.begin)}" for one in reversed(span.around)])
                self.browser.until(f"document.getElementById('tooltip').innerText.includes({json.dumps(span.name)}) && /\\d [mun]?s$/.test(document.getElementById('tooltip').innerText.trim())")
                tooltip = self.text("tooltip").split("\n")
                self.assertEqual(tooltip[0], f"{stream}, {'spans' if depth == 0 else f'spans, depth {depth + 1}'}")
                self.assertEqual(tooltip[-2:], [span.name, f"{float(f'{span.length / 1e6:.3g}'):g} ms"])
                self.browser.key("r")
                self.browser.until(f"location.hash.includes('sel={span.begin}..{span.end}')")
                self.browser.key("Escape")
            self.shot(f"click-{screen}")
            # A span that is around it, by its name.
            if span.around:
                self.browser.js("document.querySelector('#event .link').click()")
                outer = span.around[-1]
                self.browser.until(f"document.querySelector('#event h2')?.textContent === {json.dumps(outer.name)}")
                self.check_span(self.details()[1], outer, f"{stream} ({stream[-1]})")

    def test_a_click_on_a_span_shows_why_and_the_path_of_its_causes(self):
        served = self.served(self.shop)
        printed = subprocess.run([EVT, "why", self.shop, "POST /checkout"], check=True, capture_output=True, text=True).stdout.splitlines()
        span = max((one for stream in ("worker 1", "worker 2", "worker 3", "worker 4") for one in self.spans[stream, 0] if one.name == "POST /checkout"),
                   key=lambda one: one.length)
        for screen in self.screens():
            self.open(served.url, f"from={span.begin - 5_000_000}&to={span.end + 5_000_000}")
            x, y = self.place("worker 1", 0, span.begin + 200_000)
            self.clicked(x, y, "POST /checkout")
            self.browser.until("document.querySelector('#event table[aria-label=why]') !== null")
            rows = self.browser.js("[...document.querySelectorAll('#event table[aria-label=why] tr')].map((one) => [...one.children].map((cell) => cell.textContent.trim()).join(' '))")
            self.assertEqual(rows, [words(line) for line in printed[2:]])
            self.shot(f"why-{screen}")
        # While worker 1 waits, the time belongs to worker 4: from the call of the lock to the wake-up.
        names = {row["id"]: row["name"] for row in served.json("/v1/rows?s=0")["rows"]}
        rows = [row for row, name in names.items() if name == "worker 1"]
        spans = next(row["id"] for row in served.json("/v1/rows?s=0")["rows"] if row["kind"] == "span" and row["parent"] in rows)
        path = served.json(f"/v1/why?s=0&row={spans}&from={span.begin}&to={span.end}")["path"]
        self.assertEqual([names[part["row"]] for part in path], ["worker 1", "worker 4", "worker 1"])
        self.assertEqual([path[0]["from"], path[-1]["to"]], [str(span.begin), str(span.end)])
        for before, after in zip(path, path[1:]):
            self.assertEqual(before["to"], after["from"])

    def test_a_trace_without_runs_and_waits_says_that_it_does_not_know_why(self):
        path = self.trace("plain.evt", TYPES + 'stream 1 "main"\n0.000001000 1 in name="plain"\n0.000011000 1 out\n')
        self.open(self.served(path).url)
        x, y = self.browser.js("(() => { const box = document.getElementById('rows-canvas').getBoundingClientRect(); const row = document.querySelector('#tree .row').getBoundingClientRect(); return [box.left + box.width / 2, row.top + row.height / 2]; })()")
        self.clicked(x, y, "plain")
        self.browser.until("document.querySelector('#why p') !== null")
        self.assertEqual(self.text("why"), "Why\n\nno event records when threads run or wait, so it is unknown what they waited for")

    def row_place(self, group, name, ns):
        """Of the pointer, for a time of the first row of this name behind the heading of a group."""
        y = self.browser.js(f"""new Promise((done) => {{ const lines = [...document.querySelectorAll('#tree [role=row]')]; const name = (line) => line.querySelector('.name')?.textContent;
          const first = lines.findIndex((line) => line.textContent.includes({json.dumps(group)})); const line = lines.find((one, n) => n > first && name(one) === {json.dumps(name)});
          line.scrollIntoView({{ block: 'center' }}); requestAnimationFrame(() => requestAnimationFrame(() => {{ const box = line.getBoundingClientRect(); done(box.top + box.height / 2); }})); }})""")
        low, high = self.view()
        left, width = self.browser.js("(() => { const box = document.getElementById('rows-canvas').getBoundingClientRect(); return [box.left, box.width]; })()")
        return left + width * (ns - low) / (high - low), y

    def stated(self, analysis, low, high, *options):
        """Rows of a table of the command line, by their first cell."""
        found = subprocess.run([EVT, "stats", analysis, "--json", f"--from={low}ns", f"--to={high}ns", *options, self.shop], capture_output=True, text=True, check=False)
        return json.loads(found.stdout)["sessions"][0][analysis][analysis if analysis == "threads" else "cpu"]

    def test_a_click_beside_spans_shows_what_the_thread_or_cpu_does(self):
        page = os.path.join(self.folder.name, "states.html")
        subprocess.run([EVT, "view", "-o", page, self.shop], check=True)
        seen = {}
        for url, (width, height, ratio, theme) in ((self.served(self.shop).url, SCREENS[0]), (f"file://{page}", SCREENS[2])):
            self.browser.size(width, height, ratio)
            self.browser.media(prefers_color_scheme=theme)
            self.open(url, "from=1500000000&to=1700000000")
            choice = random.Random(5)
            for group, row, thread in (("Threads", "worker 1", "worker 1 (1)"), ("Threads", "worker 3", "worker 3 (3)"), ("Cpus", "cpu 0", None), ("Cpus", "cpu 1", None)):
                for _ in range(3):
                    x, y = self.row_place(group, row, choice.randrange(1_510_000_000, 1_690_000_000))
                    self.browser.js("document.getElementById('event').hidden = true")
                    self.browser.click(x, y)
                    self.browser.until("!document.getElementById('event').hidden")
                    self.browser.ready()
                    heading, facts = self.details()
                    seen.setdefault(url.split(":")[0], []).append((heading, facts))
                    self.browser.key("r")
                    self.browser.until("location.hash.includes('sel=')")
                    low, high = map(int, self.fragment()["sel"].split(".."))
                    self.assertEqual((facts["start"], facts["duration"]), (exact(low), exact(high - low)))
                    self.check_state(heading, facts, thread, row, low, high)
                    self.browser.key("Escape")
                    self.browser.until("!location.hash.includes('sel=')")
            self.shot(f"state-{ratio * 100}-{theme}")
        self.assertEqual(seen["file"], seen["http"])

    def check_state(self, heading, facts, thread, row, low, high):
        """By the time that evt stats counts in the range, and in one that is larger by one nanosecond on both sides."""
        if thread is None:
            self.assertEqual(facts["cpu"], row.split()[1])
            runs = {f"{one['name']} ({one['thread']})": one["running_ns"] for one in self.stated("cpu", low, high, "--by", "cpu,thread")
                    if one["cpu"] == int(facts["cpu"]) and one["running_ns"]}
            self.assertEqual(runs, {facts["thread"]: high - low} if heading == "running" else {}, facts)
            return
        self.assertEqual(facts["thread"], thread)
        column = {"running": "running_ns", "waiting": "waiting_ns", "runnable": "runnable_ns"}[heading]
        for more in (0, 1):
            one = next(one for one in self.stated("threads", low - more, high + more) if one["name"] == row)
            self.assertEqual(one[column], high - low, (facts, more))

    def test_a_double_click_zooms_to_the_span_and_back_returns(self):
        self.open(self.served(self.shop).url, "from=1500000000&to=1700000000")
        before = self.view()
        span = next(one for one in self.spans["worker 1", 0] if one.begin > 1_500_000_000 and one.length > 30_000_000)
        x, y = self.place("worker 1", 0, span.begin + span.length // 2)
        for count in (1, 2):
            self.browser.mouse("mousePressed", x, y, button="left", clickCount=count)
            self.browser.mouse("mouseReleased", x, y, button="left", clickCount=count)
            self.browser.until(f"document.querySelector('#event h2')?.textContent === {json.dumps(span.name)}")
        self.browser.until("!location.hash.includes('from=1500000000&')")
        self.browser.ready()
        low, high = self.view()
        self.assertAlmostEqual(low, span.begin - span.length / 20, delta=2)
        self.assertAlmostEqual(high, span.end + span.length / 20, delta=2)
        zoomed = self.view()
        for way, expected in (("back", before), ("forward", zoomed), ("back", before)):
            self.browser.js(f"history.{way}()")
            self.browser.until(f"location.hash.includes('from={int(expected[0])}')")
            self.browser.ready()
            self.assertEqual(self.view(), expected)
        self.browser.key("z", False)
        self.browser.until("document.getElementById('live').innerText === 'no earlier view'")
        self.browser.key("Z", True)
        self.browser.until(f"location.hash.includes('from={int(zoomed[0])}')")

    def test_a_span_that_one_event_records_has_its_arguments(self):
        path = os.path.join(self.folder.name, "whole.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write('{"traceEvents":[{"ph":"X","pid":1,"tid":1,"ts":10,"dur":90,"name":"outer","args":{"file":"a.cc"}},{"ph":"X","pid":1,"tid":1,"ts":20,"dur":30,"name":"inner"}]}')
        # The first event is that of the inner one, at its end.
        self.open(self.served(path).url)
        self.assertEqual(self.view(), (0, 90_000))
        for depth, ns, heading, expected in ((0, 80_000, "outer", {"start": "0 ns", "duration": "90 us", "self time": "60 us", "file": '"a.cc"'}),
                                             (1, 25_000, "inner", {"start": "10 us", "duration": "30 us", "self time": "30 us"})):
            y = self.browser.js(f"(() => {{ const box = document.querySelectorAll('#tree .row')[{depth}].getBoundingClientRect(); return box.top + box.height / 2; }})()")
            x = self.browser.js(f"(() => {{ const box = document.getElementById('rows-canvas').getBoundingClientRect(); return box.left + box.width * {ns} / 90000; }})()")
            facts = self.clicked(x, y, heading)
            self.assertEqual({name: value for name, value in facts.items() if name not in ("UTC", "thread")}, expected)

    def test_edges_of_a_drag_are_where_spans_begin_and_end(self):
        self.open(self.served(self.shop).url, "from=1500000000&to=1700000000")
        spans = [one for one in self.spans["worker 2", 0] if one.begin > 1_500_000_000 and one.end < 1_700_000_000 and one.length > 2_000_000]
        for first, last in ((spans[0], spans[0]), (spans[0], spans[-1])):
            (x0, y), (x1, _) = self.place("worker 2", 0, first.begin), self.place("worker 2", 0, last.end)
            self.browser.drag(x0 + 3, y, x1 - 3, y)
            self.browser.until(f"location.hash.includes('sel={first.begin}..{last.end}')")
            self.browser.key("Escape")

    def test_arrows_move_the_picture_after_a_click_in_it(self):
        self.open(self.served(self.shop).url, "from=1500000000&to=1700000000")
        self.browser.js("document.querySelector('#tree .row').focus()")
        x, y = self.place("worker 2", 0, 1_600_000_000)
        self.browser.click(x, y)
        self.browser.ready()
        self.browser.key("ArrowRight")
        self.browser.until("!location.hash.includes('from=1500000000&')")
        self.browser.ready()
        low, high = self.view()
        self.assertAlmostEqual(low, 1_520_000_000, delta=200_000)
        self.browser.key("ArrowUp")
        self.browser.ready()
        self.browser.until(f"!location.hash.includes('to={high}')")
        self.browser.ready()
        self.assertAlmostEqual(self.view()[1] - self.view()[0], 150_000_000, delta=200_000)

    def tables(self):
        """What the page shows: lines of words, as the command prints them."""
        return self.browser.js("""[...document.querySelectorAll('#tables table')].map((table) => [...table.querySelectorAll('tr')].map((row) =>
          [...row.children].map((cell) => cell.textContent.trim()).filter((text) => text).join(' ')))""")

    def printed(self, command, low, high, path):
        found = subprocess.run([EVT, *command.split()[1:], f"--from={low}ns", f"--to={high}ns", path], capture_output=True, text=True, check=False)
        tables = [[words(line) for line in table.splitlines()] for table in found.stdout.split("\n\n") if table.strip()]
        return [[line for line in table if line] for table in tables]

    def check_tables(self, served, path, low, high):
        """Of each analysis that the page offers as tables."""
        offered = [one for one in served.json("/v1/trace")["sessions"][0]["statistics"] if one["command"].startswith("evt stats")]
        for one in offered:
            self.browser.js(f"document.querySelector('[data-of={one['name']}]').click()")
            self.browser.ready()
            self.browser.until(f"document.querySelector('[data-of={one['name']}]').ariaChecked === 'true'")
            self.figures()
            self.assertEqual(self.tables(), self.printed(one["command"], low, high, path), (one, low, high))
        return len(offered)

    def test_tables_of_a_selection_are_what_evt_stats_prints(self):
        choice = random.Random(7)
        served = self.served(self.shop)
        for screen in self.screens():
            low = choice.randrange(3_000_000_000)
            high = low + choice.randrange(1000, 900_000_000)
            self.open(served.url, f"sel={low}..{high}")
            self.assertEqual(self.check_tables(served, self.shop, low, high), 12)
            self.shot(f"tables-{screen}")
        for path in (self.busy, self.asyncs):
            served = self.served(path)
            self.open(served.url)
            whole = served.json("/v1/trace")["sessions"][0]
            self.assertGreaterEqual(self.check_tables(served, path, whole["from"], whole["to"]), 1)

    def test_a_table_is_copied_with_all_digits_as_csv_has_them(self):
        served = self.served(self.shop)
        low, high = 1_500_000_123, 1_700_000_321
        self.open(served.url, f"sel={low}..{high}&stat=threads")
        self.figures()
        self.browser.key("c")
        self.browser.until("document.getElementById('dialog').open")
        texts = dict(self.browser.js("[...document.querySelectorAll('#dialog .copy')].map((one) => [one.firstChild.textContent, one.lastChild.textContent])"))
        csv = subprocess.run([EVT, "stats", "threads", "--csv", f"--from={low}ns", f"--to={high}ns", self.shop], capture_output=True, text=True, check=True).stdout
        names, *rows = [line.split(",") for line in csv.split("\n\n")[0].splitlines()]
        copied_names, *copied = [line.split("\t") for line in texts["table threads (TSV)"].strip("\n").split("\n")]
        self.assertGreaterEqual(len(copied_names), 8)
        self.assertEqual(copied, [[row[names.index(name)] for name in copied_names] for row in rows])
        # The command beside it is the one that prints them.
        self.assertEqual(texts["evt stats threads"], f"evt stats threads --from={exact(low).replace(' ', '')} --to={exact(high).replace(' ', '')} shop.evt")

    def test_what_is_copied_is_no_formula(self):
        names = ["=cmd|calc!A0", "+1", "-2", "@sum", "plain"]
        events = "".join(f'0.00000{2 * n + 1}000 1 in name="{name}"\n0.00000{2 * n + 2}000 1 out\n' for n, name in enumerate(names[:4]))
        path = self.trace("formulas.evt", TYPES + f'stream 1 "main"\n{events}0.000010000 1 in name="plain"\n0.000011000 1 out\n')
        csv = subprocess.run([EVT, "stats", "spans", "--csv", "--table", "spans", path], capture_output=True, text=True, check=True).stdout
        expected = [line.split(",")[0] for line in csv.splitlines()]
        self.assertEqual(sorted(expected), sorted(["name", "\\x3dcmd|calc!A0", "\\x2b1", "\\x2d2", "\\x40sum", "plain"]))
        self.open(self.served(path).url, "stat=spans")
        self.figures()
        self.browser.key("c")
        self.browser.until("document.getElementById('dialog').open")
        whole = self.browser.js("[...document.querySelectorAll('#dialog .copy')].find((one) => one.textContent.startsWith('table spans')).lastChild.textContent")
        self.assertEqual([line.split("\t")[0] for line in whole.strip().split("\n")], expected)
        self.browser.key("Escape")
        # The same of what is marked by the pointer.
        marked = self.browser.js("""(() => { const table = document.querySelector('#tables table'); getSelection().selectAllChildren(table); const data = new DataTransfer();
          table.dispatchEvent(new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true })); return data.getData('text/plain'); })()""")
        self.assertEqual([line.split("\t")[0] for line in marked.split("\n")], expected)

    def matches(self, condition):
        counted = subprocess.run([EVT, "dump", "--json", "--where", condition, self.shop], capture_output=True, text=True, check=True).stdout
        return [json.loads(line) for line in counted.splitlines()]

    def search(self, text):
        self.browser.js("(() => { const box = document.getElementById('find'); box.value = ''; box.blur(); document.getElementById('found').textContent = ''; })()")
        self.browser.key("/")
        self.browser.type(text)
        self.browser.key("Enter")
        self.browser.until("/of|no/.test(document.getElementById('found').textContent)")
        self.browser.ready()

    def test_a_search_counts_moves_and_shows_where(self):
        served = self.served(self.shop)
        hits = self.matches('function="lock"')
        of = f"{len(hits):,}"
        for screen in self.screens():
            self.open(served.url, "from=1500000000&to=1600000000")
            self.search('function="lock"')
            place = next(n for n, hit in enumerate(hits) if hit["ns"] >= 1_500_000_000)
            self.assertEqual(self.text("found"), f"{place + 1} of {of}")
            for step in (1, 2, 3):
                self.browser.key("Enter")
                self.browser.until(f"document.getElementById('found').textContent === '{place + 1 + step} of {of}'")
            self.browser.key("Enter", shift=True)
            self.browser.until(f"document.getElementById('found').textContent === '{place + 3} of {of}'")
            hit = hits[place + 2]
            self.browser.until(f"location.hash.includes('%40{hit['ns']}')")
            self.browser.ready()
            # It is on a row of spans of its thread, and marked there.
            rows = {row["id"]: row for row in served.json("/v1/rows?s=0")["rows"]}
            row = rows[int(self.fragment()["at"].split("@")[0])]
            self.assertEqual((row["kind"], rows[row["parent"]]["name"]), ("span", hit["stream"]))
            self.assertEqual(self.details()[0], "lock")
            self.browser.until("""(() => { const canvas = document.getElementById('over-canvas'); const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
              const color = getComputedStyle(document.documentElement).getPropertyValue('--hit').trim(); const [r, g, b] = [1, 3, 5].map((n) => parseInt(color.slice(n, n + 2), 16));
              for (let at = 0; at < data.length; at += 4) if (data[at] === r && data[at + 1] === g && data[at + 2] === b) return true; return false; })()""")
            self.shot(f"search-{screen}")
        # It goes on at the other end, and moves in time.
        self.open(served.url, f"from=1500000000&to=1600000000&at=3@{hits[-1]['ns'] - 1}")
        self.search('function="lock"')
        self.assertEqual(self.text("found"), f"{of} of {of}")
        low, high = self.view()
        self.assertTrue(low <= hits[-1]["ns"] <= high)
        self.browser.key("Enter")
        self.browser.until(f"document.getElementById('found').textContent === '1 of {of}'")
        self.search("duration>50ms")
        self.assertEqual(self.text("found").split()[-1], str(len(self.matches("duration>50ms"))))
        self.search("nothing of this kind")
        self.assertEqual(self.text("found"), "no event matches")
        # A row that the filter leaves out is shown when it has the match.
        self.open(served.url, "filter=worker%202")
        self.search("span.begin")
        names = self.browser.js("[...document.querySelectorAll('#tree .name')].map((one) => one.textContent)")
        self.assertIn("worker 1", names)
        self.assertNotIn("filter", self.fragment())

    def test_a_file_of_the_page_has_the_same_spans_and_matches(self):
        served = self.served(self.shop)
        page = os.path.join(self.folder.name, "shop.html")
        subprocess.run([EVT, "view", "-o", page, self.shop], check=True)
        seen = {}
        for url in (served.url, f"file://{page}"):
            self.open(url, "from=1500000000&to=1700000000")
            found = []
            for stream, depth in (("worker 1", 0), ("worker 1", 1), ("worker 2", 2)):
                span = next(one for one in self.spans[stream, depth] if one.begin > 1_500_000_000 and one.end < 1_700_000_000 and one.length > 2_000_000)
                self.clicked(*self.place(stream, depth, span.begin + span.length // 3), span.name)
                found.append(self.text("facts"))  # why is not in a file
            self.search("lock")
            found += [self.text("found"), self.text("facts"), self.fragment()["at"]]
            self.browser.key("Enter")
            self.browser.until(f"document.getElementById('found').textContent !== {json.dumps(found[-3])} && document.getElementById('found').textContent !== 'searching…'")
            self.browser.ready()
            found.append(self.fragment()["at"])
            seen[url.split(":")[0]] = found
            self.assertEqual(self.errors(), [])
        self.assertEqual(seen["file"], seen["http"])

    def test_what_a_file_does_not_have_is_a_sentence(self):
        page = os.path.join(self.folder.name, "small.html")
        subprocess.run([EVT, "view", "-o", page, "--detail", "200K", self.shop], check=True)
        self.open(f"file://{page}")
        sentence = "events are not in this file; for conditions too: evt view shop.evt"
        self.search("lock")
        self.assertEqual(self.text("found"), sentence)
        self.browser.click(*self.place("worker 1", 0, 1_590_000_000))
        self.browser.until("document.getElementById('status').innerText === 'spans and events are not in this file; all of it: evt view shop.evt'")
        self.assertEqual(self.errors(), [])
        self.shot("small-file")

    def test_rows_are_filtered_by_their_names(self):
        self.open(self.served(self.shop).url)
        self.browser.key("b")
        self.browser.type("WORKER 2")
        self.browser.ready()
        names = "[...document.querySelectorAll('#tree .name')].map((one) => one.textContent)"
        self.assertEqual(self.browser.js(names), ["Threads", "worker 2", "spans", "spans, depth 2", "spans, depth 3", "Events", "worker 2"])
        self.assertEqual(self.fragment()["filter"], "WORKER 2")
        self.browser.type(" of none")
        self.browser.ready()
        self.assertEqual(self.text("no-rows"), "No row has \u201cWORKER 2 of none\u201d in its name.")
        self.browser.js("(() => { const box = document.getElementById('filter'); box.value = 'orders.log'; box.dispatchEvent(new Event('input')); })()")
        self.browser.ready()
        self.assertEqual(self.browser.js(names), ["Objects", "orders.log"])

    def test_no_click_or_key_is_an_uncaught_error(self):
        choice = random.Random(3)
        name = "=cmd|calc!A0</script><img src=x onerror=alert(1)>"
        hostile = self.trace("hostile.evt", TYPES + f'stream 1 "{name}"\n0.000001000 1 run thread=7 cpu=0\n0.000002000 1 in name="{name}"\n0.000003000 1 note message="{name}"\n'
                             f'0.000003000 1 depth name="{name}" value=3\n0.000005000 1 out\n0.000009000 1 stop thread=7 cpu=0\n', program=name)
        page = os.path.join(self.folder.name, "any.html")
        subprocess.run([EVT, "view", "-o", page, self.busy], check=True)
        for url in (self.served(self.shop).url, self.served(self.busy, self.asyncs, options=["--separate"]).url, self.served(hostile).url, f"file://{page}"):
            self.browser.size(1440, 900)
            self.open(url)
            self.browser.take_events()
            # Whatever can be clicked, from first to last, and what a click makes appear.
            clicked = self.browser.js("""(async () => { const done = new Set(); const all = () => [...document.querySelectorAll('button, a, select, summary, [role=option], [role=tab], [tabindex], canvas, #tree .row, #tables th, #strip div')];
              for (let one; done.size < 400 && (one = all().find((each) => !done.has(each) && each.checkVisibility())); ) {
                done.add(one); one.click(); await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
                if (document.getElementById('dialog').open && ![...document.querySelectorAll('#dialog button')].some((each) => !done.has(each))) document.getElementById('dialog').close(); }
              return done.size; })()""")
            self.assertGreater(clicked, 40)
            self.browser.js("document.getElementById('dialog').close()")
            for _ in range(150):
                x, y = choice.randrange(1440), choice.randrange(900)
                what = choice.randrange(8)
                if what < 3:
                    self.browser.mouse("mouseMoved", x, y)
                    self.browser.click(x, y)
                elif what == 3:
                    self.browser.drag(x, y, choice.randrange(1440), y)
                elif what == 4:
                    self.browser.mouse("mouseWheel", x, y, deltaX=choice.randrange(-50, 50), deltaY=choice.randrange(-99, 99))
                elif what == 5:
                    self.browser.key(choice.choice(("Escape", "Enter", "ArrowUp", "ArrowLeft", "Tab")))
                elif what == 6:
                    self.browser.js("(() => { const all = [...document.querySelectorAll('button, [role=option], #tree .row')].filter((one) => one.checkVisibility());"
                                    f"all[{choice.randrange(1 << 20)} % all.length]?.click(); }})()")
                else:
                    self.browser.key(choice.choice("wsadf0z.,[]rmnpkjhvleoct?b/"))
                self.browser.js("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'w' })); document.dispatchEvent(new Event('keydown'))")
            self.browser.js("new Promise((done) => setTimeout(done, 300))")
            found = [one for one in self.errors() if not re.search("clipboard|Throttling navigation", json.dumps(one))]
            self.assertEqual(found, [], url)


if __name__ == "__main__":
    unittest.main()
