#!/usr/bin/env python3
"""The page of `evt view` for those who use a keyboard, a screen reader, large text or few colours.

usage: page_access_test.py [unittest options]      EVT_AXE: path of axe.min.js, whose rules are checked too
"""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import synthetic  # noqa: E402
from page_case import PageCase  # noqa: E402

CONTROLS = {"button", "textbox", "searchbox", "combobox", "tab", "tabpanel", "switch", "listbox", "option", "splitter", "treegrid", "rowheader", "image", "img",
            "dialog", "region", "complementary", "table"}
# Of each text that is seen: what is too little contrast, as "text colour on colour: ratio".
CONTRAST = """(() => {
  const parsed = (css) => { const c = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true }); c.fillStyle = css; c.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = c.getImageData(0, 0, 1, 1).data; return [r, g, b, a / 255]; };
  const light = (color) => { const [r, g, b] = color.map((one) => { const c = one / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const over = (top, below) => [0, 1, 2].map((n) => top[n] * top[3] + below[n] * (1 - top[3]));
  const ground = (element) => { if (!element) return [255, 255, 255];
    const color = parsed(getComputedStyle(element).backgroundColor); return color[3] === 1 ? color.slice(0, 3) : over(color, ground(element.parentElement)); };
  const ratio = (a, b) => { const [high, low] = [light(a), light(b)].sort((x, y) => y - x); return (high + 0.05) / (low + 0.05); };
  const wrong = [];
  let looked = 0;
  for (const element of document.querySelectorAll('body *')) {
    const text = [...element.childNodes].filter((one) => one.nodeType === 3).map((one) => one.data.trim()).join('');
    const box = element.getBoundingClientRect();
    if (!text || !box.width || !element.checkVisibility({ checkVisibilityCSS: true })) continue;
    const below = ground(element);
    const found = ratio(over(parsed(getComputedStyle(element).color), below), below);
    looked++;
    if (found < 4.5) wrong.push(`${text.slice(0, 30)}: ${found.toFixed(2)}`);
  }
  const style = getComputedStyle(document.documentElement);
  for (const name of ['--bg', '--panel']) {
    const found = ratio(parsed(style.getPropertyValue('--accent')).slice(0, 3), parsed(style.getPropertyValue(name)).slice(0, 3));
    if (found < 3) wrong.push(`focus on ${name}: ${found.toFixed(2)}`);
  }
  return [looked, wrong];
})()"""
CURSOR = "&at=10@150000000&sel=210000000..220000000&pin=3&hide=5&marks=215000000:slow"


class AccessTest(PageCase):
    def nodes(self):
        """Of the tree that a screen reader has: (role, name, properties)."""
        found = []
        for node in self.browser.call("Accessibility.getFullAXTree")["nodes"]:
            if not node["ignored"]:
                more = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
                found.append((node["role"]["value"], node.get("name", {}).get("value", ""), more))
        return found

    def states(self):
        """The page in turn as it opens, with an event and a selection, with the list of events, and with each dialog."""
        self.open(synthetic.kinds(), "&toggled=object")
        self.figures()
        yield "rows of all kinds"
        self.open(synthetic.parts(), CURSOR)
        self.figures()
        yield "parts"
        self.browser.key("l")
        self.browser.until("document.querySelectorAll('.listed').length > 3")
        yield "events"
        for key in "?mcg":
            self.browser.key(key)
            self.browser.until("document.getElementById('dialog').open")
            yield f"dialog of {key}"
            self.browser.key("Escape")
            self.browser.until("!document.getElementById('dialog').open && !document.activeElement.closest('dialog')")
        self.open(synthetic.empty())
        yield "empty"

    def test_every_control_has_a_name(self):
        for state in self.states():
            found = [(role, name) for role, name, _ in self.nodes() if role in CONTROLS]
            self.assertGreaterEqual(len(found), 3, state)
            self.assertEqual([one for one in found if not one[1].strip()], [], state)

    def test_landmarks_and_headings_lead_through_the_page(self):
        self.open(synthetic.parts(), CURSOR)
        self.figures()
        nodes = self.nodes()
        self.assertCountEqual([role for role, _, _ in nodes if role in ("banner", "main", "contentinfo")], ["banner", "main", "contentinfo"])
        self.assertIn(("region", "statistics and events"), [one[:2] for one in nodes])
        headings = [(more["level"], name) for role, name, more in nodes if role == "heading"]
        self.assertCountEqual(headings, [(1, "evt view both.evt"), (2, "Selection"), (2, "state.change")])
        outside = self.browser.js("[...document.body.children].filter((one) => !['HEADER', 'MAIN', 'SECTION', 'FOOTER', 'SCRIPT', 'DIALOG'].includes(one.tagName) "
                                  "&& one.checkVisibility() && !one.role && !one.ariaLive).map((one) => one.id)")
        self.assertEqual(outside, [])

    def test_tab_goes_through_all_parts_in_their_order(self):
        self.open(synthetic.parts(), CURSOR)
        self.figures()
        order = []
        for _ in range(14):
            self.browser.key("Tab")
            order.append(self.browser.js("document.activeElement.id || document.activeElement.role || document.activeElement.tagName"))
        expected = ["find", "fold", "theme", "BUTTON", "filter", "row", "splitter", "tab-statistics", "radio", "tables", "BUTTON"]
        self.assertEqual(order[:len(expected)], expected)
        seen = "(() => { const style = getComputedStyle(document.activeElement); return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2; })()"
        for name in ("fold", "splitter", "tab-statistics", "tables", "help"):
            self.browser.js(f"document.getElementById('{name}').focus()")
            self.browser.key("Shift")
            self.assertTrue(self.browser.js(seen), name)

    def test_one_row_has_the_focus_and_arrows_move_it(self):
        self.open(synthetic.parts())
        self.browser.js("document.querySelector('#tree [tabindex=\"0\"]').focus()")
        current = "[document.querySelectorAll('#tree [tabindex=\"0\"]').length, document.activeElement.dataset.key]"
        keys = self.browser.js("[...document.querySelectorAll('#tree [data-key]')].map((one) => one.dataset.key)")
        for key, at in (("Home", 0), ("ArrowDown", 1), ("ArrowDown", 2), ("ArrowUp", 1), ("End", len(keys) - 1)):
            self.browser.key(key)
            self.assertEqual(self.browser.js(current), [1, keys[at]], key)
        self.assertEqual([more.get("level") for role, _, more in self.nodes() if role == "row"][:3], [1, 2, 3])

    def test_tabs_of_the_panel_go_by_arrows(self):
        self.open(synthetic.kinds())
        self.browser.js("document.getElementById('tab-statistics').focus()")
        for key, chosen, panel in (("ArrowRight", "tab-events", "events"), ("ArrowRight", "tab-statistics", "statistics"), ("ArrowLeft", "tab-events", "events")):
            self.browser.key(key)
            self.assertEqual(self.browser.js("document.activeElement.id"), chosen)
            self.assertEqual([name for role, name, more in self.nodes() if role == "tab" and more.get("selected")], [panel.capitalize()])
            self.assertTrue(self.browser.js(f"!document.getElementById('{panel}').hidden"))

    def test_what_changes_is_announced(self):
        self.open(synthetic.kinds())
        self.assertEqual(self.browser.js("document.getElementById('live').ariaLive"), "polite")
        for key, words in (("v", "rows with nothing in view fold away"), ("o", "rows ordered by running time in view"), ("[", "no earlier flow arrives at this row"),
                           ("p", "HEC 0 pinned"), ("Z", "no later view")):
            self.browser.key(key, key == "Z")
            self.browser.until(f"document.getElementById('live').innerText === '{words}'")

    def test_text_has_contrast_in_both_themes(self):
        for theme in ("light", "dark"):
            self.browser.media(prefers_color_scheme=theme)
            for state in self.states():
                looked, wrong = self.browser.js(CONTRAST)
                self.assertGreater(looked, 10)
                self.assertEqual(wrong, [], (theme, state))

    def test_forced_colours_keep_every_control_and_kind_of_row(self):
        self.browser.media(forced_colors="active")
        self.open(synthetic.kinds(), "&toggled=object")
        self.shot("forced-colors-kinds")
        for part in ("fold", "tab-statistics", "theme"):
            style = self.browser.js(f"(() => {{ const s = getComputedStyle(document.getElementById('{part}')); return [s.color, s.backgroundColor]; }})()")
            self.assertNotEqual(style[0], style[1])
        # Each kind of row still has ink in two colours at least.
        colors = self.browser.js("""(() => { const canvas = document.getElementById('rows-canvas'); const box = canvas.getBoundingClientRect();
          return [...document.querySelectorAll('#tree .row')].filter((one) => one.getBoundingClientRect().bottom < box.bottom).map((one) => { const row = one.getBoundingClientRect();
            const data = new Uint32Array(canvas.getContext('2d').getImageData(0, row.top - box.top, canvas.width, row.height).data.buffer); return new Set(data).size; }); })()""")
        self.assertGreater(len(colors), 5)
        self.assertGreaterEqual(min(colors), 2)

    def test_at_twice_the_size_nothing_is_lost(self):
        self.browser.size(640, 400, 2)
        self.open(synthetic.kinds())
        self.figures()
        self.shot("zoomed-200-kinds")
        lost = self.browser.js("""[...document.querySelectorAll('header *, #panel-side, footer button')].filter((one) => { const box = one.getBoundingClientRect();
          return one.checkVisibility() && (box.right > innerWidth + 1 || box.left < -1 || box.bottom + scrollY > document.documentElement.scrollHeight + 1); }).map((one) => one.id || one.textContent)""")
        self.assertEqual(lost, [])
        self.assertEqual(self.browser.js("getComputedStyle(document.getElementById('panel-side')).overflowY"), "auto")
        self.assertLessEqual(self.browser.js("document.documentElement.scrollWidth"), 640)
        self.assertEqual(self.browser.js("[...document.querySelectorAll('#legend li')].filter((one) => !one.checkVisibility()).length"), 0)
        self.assertGreater(self.browser.js("document.getElementById('rows-canvas').clientHeight"), 150)

    def test_nothing_moves_by_itself(self):
        self.browser.media(prefers_reduced_motion="reduce")
        self.open(synthetic.kinds())
        self.browser.key("w")
        self.assertEqual(self.browser.js("[document.getAnimations().length, [...document.querySelectorAll('*')].filter((one) => { const style = getComputedStyle(one);"
                                         "return style.animationName !== 'none' || parseFloat(style.transitionDuration) > 0; }).length]"), [0, 0])

    @unittest.skipUnless(os.environ.get("EVT_AXE"), "axe-core is not there (EVT_AXE)")
    def test_axe_finds_nothing(self):
        with open(os.environ["EVT_AXE"], encoding="utf-8") as file:
            axe = file.read()
        self.browser.call("Page.setBypassCSP", enabled=True)
        try:
            for theme in ("light", "dark"):
                self.browser.media(prefers_color_scheme=theme)
                for state in self.states():
                    self.browser.js(axe + "; 0")
                    found = self.browser.js("axe.run(document).then((all) => all.violations.map((one) => [one.id, one.nodes.map((node) => node.html)]))")
                    self.assertEqual(found, [], (theme, state))
        finally:
            self.browser.call("Page.setBypassCSP", enabled=False)


if __name__ == "__main__":
    unittest.main()
