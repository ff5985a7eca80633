#!/usr/bin/env python3
"""Stories of the page of `evt view`: kinds of rows, parts of merged traces, flows, the list of events, marks, what folds.

usage: page_rows_test.py [unittest options]      screenshots go to build/view/
"""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import synthetic  # noqa: E402
from browser import Picture  # noqa: E402
from page_case import RUNNING, PageCase  # noqa: E402

NAMES = "[...document.querySelectorAll('#tree .name')].map((one) => one.textContent)"
CREATED = (0xAA, 0xB1, 0xF7)


class RowsTest(PageCase):
    def names(self):
        return self.browser.js(NAMES)

    def share(self, name):
        """What the list of rows has beside a name."""
        return self.browser.js(f"[...document.querySelectorAll('#tree .row')].find((one) => one.textContent.includes('{name}')).querySelector('.share').textContent")

    def focus(self, name):
        """The list of rows has the keyboard, on the first row of this name."""
        self.browser.js(f"[...document.querySelectorAll('#tree [data-key]')].find((one) => one.textContent.startsWith('{name}')).focus()")

    def until_at(self, row, ns):
        self.browser.until(f"location.hash.includes('at={row}%40{ns}')")

    def middle(self, name):
        """The middle of a line of the list, in pixels of the page."""
        return self.browser.js(f"(() => {{ const r = [...document.querySelectorAll('#tree [data-key]')].find((one) => one.textContent.startsWith('{name}'))"
                               ".getBoundingClientRect(); return r.top + r.height / 2; })()")

    def over(self, x, y):
        """Whether something lies over the rows around this place, by its opacity."""
        left, top, _ = self.rows_box()
        return self.browser.js(f"document.getElementById('over-canvas').getContext('2d').getImageData({round(x - left)} - 1, {round(y - top)} - 1, 3, 3)"
                               ".data.filter((_, n) => n % 4 === 3).some((one) => one > 150)")

    def x(self, ns, end):
        left, _, width = self.rows_box()
        return left + width * ns / end

    # Kinds of rows.

    def test_sparks_are_stacked_by_class_to_the_pixel(self):
        self.open(synthetic.sparks())
        left, top, width = self.rows_box()
        (at, ink), *_ = self.inks("sparks")
        picture = Picture(self.browser.png(x=left, y=top, width=width, height=at + ink))
        for part, expected in ((0.25, {CREATED: ink // 2}), (0.75, {CREATED: ink // 2, RUNNING: ink // 2})):
            x = int(width * part)
            column = [picture.at(x, y) for y in range(round(at), round(at + ink))]
            for color in (CREATED, RUNNING):
                self.assertAlmostEqual(column.count(color), expected.get(color, 0), delta=ink / 20)
        legend = self.browser.js("[...document.querySelectorAll('#legend li')].map((one) => one.textContent)")
        self.assertEqual(legend[legend.index("Sparks:"):], ["Sparks:", "created", "converted"])
        self.browser.mouse("mouseMoved", left + width * 0.75, top + 50)
        self.browser.until("!document.getElementById('tooltip').hidden")
        words = self.browser.js("[...document.querySelectorAll('#tooltip div')].map((one) => one.innerText.split(/\\s+/)[0])")
        self.assertEqual(words, ["created", "converted"])
        self.shot("sparks")

    def test_each_kind_of_row_has_its_unit(self):
        self.open(synthetic.kinds())
        self.assertEqual(self.names(), ["Cpus", "HEC 0", "Sparks", "HEC 0", "HEC 1", "Counters", "heap in use", "Marks", "marks", "Events", "Tracer",
                                        "worker 1", "Objects"])
        self.assertEqual(self.share("heap in use"), "10 MB \u2013 70 MB")
        self.assertEqual(self.share("marks"), "4")
        self.focus("Objects")
        self.browser.key("Enter")
        self.browser.ready()
        self.assertEqual(self.fragment()["toggled"], "object")
        self.browser.js("document.getElementById('scroll').scrollTop = 999")
        self.browser.ready()
        self.assertRegex(self.share("/var/log/app.log"), r"^peak [\d.]+ kB$")
        self.shot("kinds-light")
        self.browser.media(prefers_color_scheme="dark")
        self.browser.ready()
        self.shot("kinds-dark")

    def test_marks_of_columns_at_the_edge_are_all_counted(self):
        time = (458 << 17) - 100  # at the end of a column of any level
        trace = synthetic.kinds()
        row = next(row for row in trace.sessions[0].rows if row["kind"] == "mark")
        trace.sessions[0].contents[row["id"]] = synthetic.Counts([time] * 3 + [time + 1_000_000])
        self.open(trace, f"&from={time - 100}&to={time + 50_000_000}")
        self.assertEqual(self.share("marks"), "4")

    def test_rows_of_spans_stay_with_the_first_of_their_lane(self):
        session = synthetic.Session("lanes", 100_000_000)
        for name in ("zeta", "alpha"):
            first = session.add("span", name, synthetic.Intervals([(0, 90_000_000, 1, "outer")], spans=True))
            for _ in range(2):
                session.add("span", "", synthetic.Intervals([(10_000_000, 20_000_000, 2, "inner")], spans=True), parent=first)
        self.open(synthetic.Trace("lanes.evt", [session]), "&order=name")
        self.assertEqual(self.names(), ["Spans", "alpha", "spans, depth 2", "spans, depth 3", "zeta", "spans, depth 2", "spans, depth 3"])

    def test_spans_of_the_tracer_have_names(self):
        self.open(synthetic.kinds())
        y = self.browser.js("(() => { const r = document.querySelector('[data-key^=\"tracer.\"]').getBoundingClientRect(); return r.top + r.height / 2; })()")
        self.browser.mouse("mouseMoved", self.x(97_000_000, 200_000_000), y)
        self.browser.until("document.getElementById('tooltip').innerText.includes('wait for room')")
        self.shot("tracer")

    def test_parts_of_a_merged_trace_have_headings_that_close(self):
        self.open(synthetic.parts())
        part = ["Cpus", "cpu 0", "cpu 1", "Threads", "main", "starter", "9 threads"]
        named = lambda who: [f"{who} {one}" if one in ("cpu 0", "cpu 1", "main", "starter") else one for one in part]  # noqa: E731
        client = named("client") + ["Spans", "requests", "requests, depth 2", "Counters", "heap in use"]
        self.assertEqual(self.names(), ["server, as recorded"] + named("server") + ["client, \u00b1120 ns"] + client)
        levels = self.browser.js("[...document.querySelectorAll('#tree [data-key]')].slice(0, 3).map((one) => one.ariaLevel)")
        self.assertEqual(levels, ["1", "2", "3"])
        self.shot("parts-light")
        self.focus("server, as")
        self.browser.key("Enter")
        self.browser.ready()
        self.assertEqual(self.names(), ["server, as recorded", "client, \u00b1120 ns"] + client)
        self.assertEqual(self.fragment()["toggled"], "part0")

    def test_a_process_of_one_thread_is_one_row_and_what_recording_did_is_closed(self):
        end = 100_000_000
        session = synthetic.Session("run", end)
        state = lambda name: synthetic.Intervals([(0, end // 2, 0, name), (end // 2, end, 6, name)])  # noqa: E731
        session.groups = [{"title": "bash 41: readlink", "process": True}, {"title": "bash 43: python3", "process": True}, {"title": "bash 45", "process": True},
                          {"title": "Recorder", "closed": True}]
        session.add("cpu", "cpu 0", state(None))
        first = session.add("thread", "readlink 41", state("readlink 41"), group="bash 41: readlink")
        session.add("span", "", synthetic.Intervals([(0, 20_000_000, 1, "read")], spans=True), parent=first, group="bash 41: readlink")
        session.add("events", "bash", synthetic.Counts([1]), group="bash 41: readlink")
        for name in ("python3 43", "python3 44"):
            session.add("thread", name, state(name), group="bash 43: python3")
        session.add("thread", "known_static 45", state("known_static 45"), group="bash 45")
        session.add("thread", "evt-flusher 47", state("evt-flusher 47"), group="Recorder")
        self.open(synthetic.Trace("run.evt", [session]))
        self.assertEqual(self.names(), ["Cpus", "cpu 0", "bash 41: readlink", "spans", "Events", "bash 43: python3", "python3 43", "python3 44", "bash 45: known_static", "Recorder"])
        levels = self.browser.js("[...document.querySelectorAll('#tree [data-key]')].map((one) => one.ariaLevel)")
        self.assertEqual(levels, ["1", "2", "1", "2", "2", "1", "2", "2", "1", "1"])
        self.shot("processes")
        self.focus("bash 41")
        self.browser.key("e")
        self.browser.ready()
        self.assertEqual(self.names()[2:4], ["bash 41: readlink", "bash 43: python3"])
        self.focus("Recorder")
        self.browser.key("Enter")
        self.browser.ready()
        self.assertEqual(self.names()[-2:], ["Recorder", "evt-flusher 47"])
        self.assertEqual(self.fragment()["toggled"], "2,part3")

    def test_rows_grow_into_free_room_and_no_further(self):
        session = synthetic.Session("two", 100_000_000)
        for n in range(2):
            session.add("cpu", f"cpu {n}", synthetic.Intervals([(0, 50_000_000, 0, None)]))
        boxes = "[...document.querySelectorAll('#tree [data-key]')].map((one) => one.getBoundingClientRect().height)"
        # In more room than they take they are twice as high, in less they have all of it, in too little what they need.
        self.open(synthetic.Trace("two.evt", [session]))
        self.assertEqual(self.browser.js(boxes), [26, 68, 68])
        for height, expected in ((100, [26, 37, 37]), (90, [26, 34, 34]), (300, [26, 68, 68])):
            self.browser.js(f"document.querySelector('main').style.flex = '0 0 {height + 88}px'")
            self.browser.until(f"JSON.stringify({boxes}) === '{str(expected).replace(' ', '')}'")

    def test_a_counter_has_an_axis_at_rest(self):
        session = synthetic.Session("counter", 100_000_000)
        session.add("counter", "level", synthetic.Values(lambda ns: 20 if ns < 50_000_000 else -20, 100_000_000), unit="Cel")
        self.open(synthetic.Trace("counter.evt", [session]))
        left, top, width = self.rows_box()
        (at, ink), *_ = self.inks("counter")
        picture = Picture(self.browser.png(x=left, y=top, width=width, height=at + ink))
        background = picture.at(int(width * 0.33), 5)
        at, ink, seen = round(at), round(ink), set()
        # A line at zero all along, ticks at both ends, and texts beside them.
        self.assertTrue(all(picture.at(x, at + ink // 2) != background for x in range(width)))
        self.assertEqual([picture.at(3, at + y) != background for y in (0, ink // 4, ink - 1)], [True, False, True])
        for y in (0, ink - 10):
            seen.add(sum(picture.at(x, at + y + n) != background for x in range(6, 40) for n in range(10)) > 20)
        self.assertEqual(seen, {True})
        self.assertEqual(self.share("level"), "-20 Cel \u2013 20 Cel")
        self.shot("axis")

    def test_rows_that_have_one_name_are_numbered(self):
        trace = synthetic.parts()
        for row in trace.sessions[0].rows:
            if row["kind"] == "thread":
                row["name"] = row["name"].replace("main", "worker").replace("starter", "worker")
        self.open(trace)
        self.assertEqual([name for name in self.names() if "worker" in name], ["server worker", "server worker \u00b7 2", "client worker", "client worker \u00b7 2"])

    def test_the_span_of_an_event_has_its_self_time(self):
        trace = synthetic.parts()
        rows = [trace.sessions[0].contents[row["id"]] for row in trace.sessions[0].rows if row["kind"] == "span"]
        start, end, _, name = rows[0].list[1]
        server = self.open(trace, f"&at=11@{start}")
        self.browser.until("!document.getElementById('event').hidden")
        facts = dict(self.browser.js("[...document.querySelectorAll('#event tr')].map((one) => [...one.children].map((cell) => cell.textContent))"))
        inside = sum(to - at for at, to, _, _ in rows[1].list if start <= at < end)
        millis = lambda ns: f"{ns // 1_000_000}.{ns % 1_000_000:06}".rstrip("0").rstrip(".") + " ms"  # noqa: E731
        self.assertEqual(self.browser.js("document.querySelector('#event h2').textContent"), name)
        self.assertEqual([facts[one] for one in ("start", "duration", "self time", "thread")], [millis(start), millis(end - start), millis(end - start - inside), "main (1)"])
        self.shot("span")
        self.browser.key("r")
        self.browser.ready()
        self.assertEqual(self.fragment()["sel"], f"{start}..{end}")
        self.browser.key("f")
        self.browser.ready()
        low, high = self.view()
        self.assertLess(high - low, 1.2 * (end - start))
        self.assertTrue(server.asked("/v1/event"))

    # Flows.

    def test_flows_lead_from_row_to_row(self):
        self.open(synthetic.parts())
        self.browser.until("document.getElementById('flows').innerText === '3 flows'")
        end = 400_000_000
        for at, ns in (("server main", 50_000_000), ("client main", 90_000_000), ("client main", 150_000_000), ("server main", 260_000_000)):
            self.assertTrue(self.over(self.x(ns, end), self.middle(at)), (at, ns))
        self.assertFalse(self.over(self.x(330_000_000, end), self.middle("server main")))
        self.assertTrue(self.over(self.x(70_000_000, end), (self.middle("server main") + self.middle("client main")) / 2))
        self.focus("client,")
        self.browser.key("Enter")
        self.browser.ready()
        self.assertTrue(self.over(self.x(90_000_000, end), self.middle("client,")), "a flow ends at what its row is closed in")

    def test_brackets_follow_flows_forwards_and_back(self):
        self.open(synthetic.parts(), "&at=3@50000000&row=thread.3")
        for key, row, ns, words in (("]", 8, 90_000_000, "wake, to client main, 90 ms, 40 ms long"),
                                    ("]", 3, 260_000_000, "message, to server main, 260 ms, 110 ms long"),
                                    ("[", 8, 150_000_000, "message, from client main, 150 ms, 110 ms long"),
                                    ("[", 3, 50_000_000, "wake, from server main, 50 ms, 40 ms long")):
            self.browser.key(key)
            self.until_at(row, ns)
            self.browser.until(f"document.getElementById('live').innerText === '{words}'")
        self.shot("flows-light")
        self.browser.media(prefers_color_scheme="dark")
        self.browser.ready()
        self.shot("flows-dark")
        self.browser.key("[")
        self.browser.until("document.getElementById('live').innerText === 'no earlier flow arrives at this row'")

    def test_a_flow_opens_what_its_row_is_hidden_in(self):
        self.open(synthetic.parts(), "&at=3@50000000&row=part0-thread.3&toggled=part1&hide=8")
        self.browser.key("]")
        self.until_at(8, 90_000_000)
        self.browser.ready()
        self.assertIn("client main", self.names())
        self.assertNotIn("hide", self.fragment())
        self.shot("flow-opened")
        self.assertEqual(self.browser.js("document.querySelector('#tree [tabindex=\"0\"]').textContent.slice(0, 11)"), "client main")

    def test_of_many_flows_those_of_one_row_are_drawn_and_the_others_counted(self):
        server = self.open(synthetic.crowd())
        self.browser.until("document.getElementById('flows').innerText === '410 flows: choose a row to see its own'")
        self.assertFalse(self.over(self.x(1_000_000, 100_000_000), self.middle("cpu 2")))
        self.browser.mouse("mouseMoved", self.x(60_000_000, 100_000_000), self.middle("cpu 2"))
        self.browser.until("document.getElementById('flows').innerText === '10 flows of cpu 2; 410 flows in all'")
        self.assertTrue(self.over(self.x(1_000_000, 100_000_000), self.middle("cpu 2")))
        self.browser.mouse("mouseMoved", self.x(60_000_000, 100_000_000), self.middle("cpu 0"))
        self.browser.until("document.getElementById('flows').innerText === '300 flows of cpu 0 and 110 more; 410 flows in all'")
        self.shot("flows-many")
        self.assertEqual({query["limit"] for query in server.asked("/v1/flows")}, {"300"})
        self.browser.drag(self.x(20_000_000, 100_000_000), 600, self.x(30_000_000, 100_000_000), 600)
        self.browser.until("/^\\d\\d flows$/.test(document.getElementById('flows').innerText)")

    # The list of events.

    def lines(self):
        return dict(self.browser.js("[...document.querySelectorAll('.listed')].map((one) => [Number(one.dataset.line), one.lastChild.textContent])"))

    def active(self):
        return self.browser.js("document.querySelector('.listed[aria-selected=\"true\"]')?.lastChild.textContent")

    def test_the_list_of_events_is_in_step_with_the_cursor(self):
        trace = synthetic.kinds()
        events = trace.sessions[0].events()
        self.open(trace, "&at=5@60000000&row=mark.5")
        self.browser.key("l")
        self.browser.until("document.querySelectorAll('.listed').length > 3")
        at = next(n for n, one in enumerate(events) if one[0] == 60_000_000)
        self.assertEqual(self.active(), events[at][3])
        self.assertLess(len(self.lines()), 30)
        self.browser.key(".")
        mark = next(one for one in events if one[0] == 61_000_000)
        self.browser.until(f"document.querySelector('.listed[aria-selected=\"true\"]')?.lastChild.textContent === '{mark[3]}'")
        self.shot("events-light")
        self.browser.js("document.getElementById('event-list').focus()")
        before = events.index(mark)
        for key, step in (("ArrowDown", 1), ("ArrowDown", 2), ("ArrowUp", 1)):
            self.browser.key(key)
            self.assertEqual(self.active(), events[before + step][3])
        self.browser.key("Enter")
        self.browser.until(f"location.hash.includes('%40{events[before + 1][0]}')")
        self.browser.key("End")
        self.browser.until(f"document.querySelector('.listed[aria-selected=\"true\"]')?.lastChild.textContent === '{events[-1][3]}'")
        self.browser.key("Home")
        self.browser.until(f"document.querySelector('.listed[aria-selected=\"true\"]')?.lastChild.textContent === '{events[0][3]}'")
        self.browser.media(prefers_color_scheme="dark")
        self.browser.ready()
        self.shot("events-dark")

    def test_a_click_in_the_list_is_the_cursor(self):
        self.open(synthetic.kinds(), "&at=5@60000000&row=mark.5")
        self.browser.js("document.getElementById('tab-events').click()")
        self.browser.until("document.querySelectorAll('.listed').length > 3")
        self.browser.js("document.querySelector('.listed[aria-selected=\"true\"]').nextSibling.click()")
        self.browser.until("!location.hash.includes('at=5%4060000000')")
        self.browser.until("document.querySelector('.listed[aria-selected=\"true\"] .at').textContent === document.querySelector('#event td').textContent")
        facts = self.browser.js("[...document.querySelectorAll('#event tr')].map((one) => one.lastChild.textContent).slice(3)")
        self.assertEqual(f"{facts[0]} number {facts[1]}", self.active())

    def scrolled(self):
        """The texts of all lines, from one end of the list to the other by scrolling."""
        found, top = {}, 0
        while True:
            top, height, size = self.browser.js(f"""new Promise((done) => {{ const list = document.getElementById('event-list'); list.scrollTop = {top};
              requestAnimationFrame(() => requestAnimationFrame(() => done([list.scrollTop, list.clientHeight, list.scrollHeight]))); }})""")
            found.update(self.lines())
            if top + height >= size - 1:
                return [found[n] for n in range(len(found))]
            top += height - 44

    def test_more_events_are_loaded_at_the_ends_of_the_list(self):
        trace = synthetic.coarse()
        expected = [one[3] for one in trace.sessions[0].events()]
        self.browser.size(1600, 4000)
        self.open(trace, "&at=1@3000000")
        self.browser.js("document.getElementById('panel').style.height = '1400px'")
        self.browser.key("l")
        self.browser.until("document.querySelectorAll('.listed').length > 3")
        for end, last in (("0", expected[0]), ("list.scrollHeight", expected[-1])):
            while last not in self.lines().values():
                self.browser.js("window.before = document.getElementById('event-list').scrollHeight")
                self.browser.js(f"(() => {{ const list = document.getElementById('event-list'); list.scrollTop = {end}; }})()")
                self.browser.until("document.getElementById('event-list').scrollHeight !== window.before "
                                   f"|| [...document.querySelectorAll('.listed')].some((one) => one.textContent.includes('{last}'))")
        shown = self.scrolled()
        gap = shown.index("more than 500 events have this time; the others are not listed")
        self.assertEqual((shown[:gap], shown[gap + 1:]), (expected[:gap], expected[-3 * 450:]))
        self.assertGreaterEqual(gap, 4 * 450)

    # Marks, pins and what folds.

    def test_n_goes_over_marks_and_bookmarks(self):
        self.open(synthetic.kinds(), "&marks=40000000:slow")
        for key, shift, ns in (("n", False, 20_000_000), ("n", False, 40_000_000), ("n", False, 60_000_000), ("n", False, 61_000_000), ("N", True, 60_000_000),
                               ("N", True, 40_000_000)):
            self.browser.key(key, shift)
            self.browser.until(f"location.hash.includes('%40{ns}')")
        self.assertEqual(self.text("live"), "slow, 40 ms")
        self.shot("marks")
        self.browser.key("n")
        self.until_at(5, 60_000_000)
        for ns in (61_000_000, 150_000_000):
            self.browser.key("n")
            self.until_at(5, ns)
        self.browser.key("n")
        self.browser.until("document.getElementById('live').innerText === 'no later mark or bookmark: M makes one'")

    def test_rows_with_nothing_in_view_fold_away(self):
        self.open(synthetic.crowd(), "&from=60000000&to=90000000")
        threads = [f"thread {n}" for n in (7, 27, 47, 67, 87)]
        self.browser.key("v")
        self.browser.ready()
        self.assertEqual(self.names(), ["Cpus", "cpu 0", "cpu 1", "cpu 2", "Threads \u00b7 5 of 100"] + threads)
        self.assertEqual(self.text("fold"), "Empty rows folded: 95")
        self.shot("folded-light")
        self.browser.key("0")
        self.browser.ready()
        self.assertEqual((len(self.names()), self.text("fold")), (105, "Empty rows folded: 0"))
        self.browser.js("document.getElementById('fold').click()")
        self.browser.ready()
        self.assertEqual((self.fragment().get("fold"), self.text("fold")), (None, "Fold empty rows"))

    def test_order_by_running_time_is_that_of_the_view_at_rest(self):
        server = self.open(synthetic.crowd(), "&from=40000000&to=41000000")
        self.browser.key("o")
        orders = set()
        for key in (None, "d", "d", "d"):
            if key:
                self.browser.key(key)
            self.browser.ready()
            low, high = (int(one) for one in self.view())
            running = [server.trace.sessions[0].contents[n + 1].parts(low, high).get(0, 0) for n in range(3)]
            expected = [f"cpu {n}" for n in sorted(range(3), key=lambda one: -running[one])]
            self.assertEqual(self.names()[1:4], expected)
            self.assertEqual(self.names()[5], "thread 47")
            orders.add(tuple(expected))
        self.shot("order")
        self.assertGreater(len(orders), 1)

    def test_p_takes_one_thread_out_of_its_lane(self):
        trace = synthetic.parts()
        start, end, _, name = trace.sessions[0].contents[5].lives(0, 400_000_000)[1]
        self.open(trace, f"&at=5@{(start + end) // 2}&row=part0-thread.5")
        self.browser.key("p")
        self.browser.ready()
        self.assertEqual(self.names()[:2], ["Pinned", f"\u2691 {name}"])
        self.assertEqual(self.fragment()["pin"], f"5:{name.replace(' ', '%20')}")
        self.shot("pinned-thread")
        self.browser.reload()
        self.browser.until(f"({NAMES})[1] === '\u2691 {name}'")
        self.browser.ready()
        self.browser.key("p")
        self.browser.ready()
        self.assertNotIn("pin", self.fragment())

    def test_a_filter_that_no_row_passes_leaves_time_as_it_is_and_escape_ends_it(self):
        places = "JSON.stringify(['overview-canvas', 'ruler-canvas', 'rows-canvas'].map((one) => document.getElementById(one)).map((one) => [one.getBoundingClientRect().left, one.getBoundingClientRect().width, one.width]))"
        self.open(synthetic.demo())
        before, names = self.browser.js(places), self.names()
        self.browser.key("b")
        self.browser.type("nowhere")
        self.browser.until("location.hash.includes('filter=nowhere')")
        self.browser.ready()
        self.assertEqual(self.text("no-rows"), "No row has \u201cnowhere\u201d in its name.")
        self.assertEqual(self.browser.js(places), before)
        self.shot("no-rows")
        self.browser.key("Escape")
        self.browser.until("!location.hash.includes('filter=')")
        self.browser.ready()
        self.assertEqual((self.names(), self.browser.js("document.getElementById('filter').value")), (names, ""))
        self.browser.key("/")
        self.browser.type("nowhere")
        self.browser.key("Enter")
        self.browser.until("document.getElementById('found').textContent === 'no event matches'")
        self.browser.key("Escape")
        self.browser.until("!document.getElementById('found').textContent && !document.getElementById('find').value")

    def test_rows_that_wait_until_all_is_read_say_so(self):
        trace = synthetic.kinds()
        trace.complete, trace.progress = False, 0.25
        self.open(trace)
        self.browser.js("""(() => { window.said = []; const over = document.getElementById('over-canvas').getContext('2d'); const draw = over.fillText.bind(over);
          over.fillText = (text, ...place) => { window.said.push(text); draw(text, ...place); }; })()""")
        self.browser.mouse("mouseMoved", 700, 400)
        self.browser.until("window.said.length")
        self.shot("computing")
        # Two rows of sparks, and one each of a counter, marks and the tracer.
        self.assertEqual(self.browser.js("window.said"), 5 * ["computing"])


if __name__ == "__main__":
    unittest.main()
