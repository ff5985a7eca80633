#!/usr/bin/env python3
"""Files of `evt convert`, as those programs read them that they are for: protoc, jq, gtkwave's converters, speedscope,
pprof, babeltrace2. And traces of other programs, as evt reads them.

usage: consumers_test.py EVT [unittest options]

EVT_SPEEDSCOPE: the folder of speedscope's page (npm speedscope, dist/release); EVT_CTF_TRACES: a folder of CTF traces. Who is not there is skipped, by its name. Truth of
figures is `evt stats`, which shares no code with exporters but the timeline.
"""
import base64
import fractions
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests/view"))
PROTO = os.path.join(ROOT, "tests/export")
EVT = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else os.path.join(ROOT, "build/release/bin/evt")

# Debian's bindings of babeltrace2 are for its own Python.
BINDINGS = ["/usr/bin/python3", "-B", os.path.join(ROOT, "tests/export/ctf_events.py")]
if subprocess.run(["/usr/bin/python3", "-c", "import bt2"], capture_output=True).returncode != 0:
    BINDINGS = []


SPEEDSCOPE = os.environ.get("EVT_SPEEDSCOPE") and shutil.which("chromium")


GO_PROGRAM = """package main

import (
	"fmt"
	"os"
	"runtime/pprof"
	"sort"
	"strings"
)

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func words() int {
	all := strings.Fields(strings.Repeat("b a c ", 50000))
	sort.Strings(all)
	return len(all)
}

func main() {
	file, _ := os.Create(os.Args[1])
	pprof.StartCPUProfile(file)
	sum := 0
	for i := 0; i < 20; i++ {
		sum += fib(30) + words()
	}
	pprof.StopCPUProfile()
	file.Close()
	fmt.Println(sum)
}
"""


def run(*command, status=(0,), **options):
    done = subprocess.run(command, capture_output=True, **options)
    assert done.returncode in status, (command, done.returncode, done.stderr.decode(errors="replace"))
    return done.stdout


def needs(program):
    return unittest.skipUnless(shutil.which(program), f"{program} is not there")


class Consumers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="evt-consumers-")
        beside = os.path.dirname(EVT)
        run(os.path.join(beside, "mandelbrot"), cls.path("mandelbrot.evt"))
        run(os.path.join(beside, "interpreter"), os.path.join(ROOT, "examples/interpreter/lists.asm"), cls.path("interpreter.evt"))
        run(os.path.join(beside, "parsort"), "-n", "200000", "-o", cls.path("parsort.evt"))
        cls.traces = [cls.path(f"{name}.evt") for name in ("mandelbrot", "interpreter", "parsort")]
        logs = os.path.join(ROOT, "testdata/eventlog")
        cls.traces += [os.path.join(logs, name) for name in sorted(os.listdir(logs)) if name.endswith(".eventlog")]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    def converted(self, trace, suffix, *options):
        output = self.path("out" + suffix)
        run(EVT, "convert", trace, "-o", output, *options, status=(0, 1))
        return output

    def rows(self, analysis, trace, *tables):
        """Of these tables of the analysis, in all sessions."""
        found = json.loads(run(EVT, "stats", analysis, "--json", trace, status=(0, 1)))
        return [row for session in found["sessions"] for table in tables for row in session.get(analysis, {}).get(table, [])]

    def spans(self, trace):
        return sum(row["count"] + (row["unfinished"] or 0) for row in self.rows("spans", trace, "spans", "calls"))

    def threads(self, trace, column):
        return sum(row[column] or 0 for row in self.rows("threads", trace, "threads"))

    @needs("protoc")
    def test_perfettos_schema_has_all_that_is_written(self):
        for trace in self.traces:
            with self.subTest(trace=os.path.basename(trace)), open(self.converted(trace, ".pftrace"), "rb") as file:
                text = run("protoc", "--decode=perfetto.protos.Trace", "-I", PROTO, "perfetto.proto", stdin=file).decode()
                self.assertIsNone(re.search(r"^\s*\d+[:{ ]", text, re.MULTILINE), "a field that the schema does not have")
                begins, ends = text.count("TYPE_SLICE_BEGIN"), text.count("TYPE_SLICE_END")
                self.assertEqual(begins, ends)
                self.assertGreaterEqual(begins, self.spans(trace))
                self.assertEqual(text.count("TASK_STATE_RUNNING"), self.threads(trace, "slices"))

    @needs("protoc")
    def test_perfettos_samples_have_the_stacks_and_the_time_that_evt_stats_has(self):
        """Of processes and threads, decoded by protoc; stacks are put together as Perfetto's reader does it."""
        trace = self.path("samples.folded")
        with open(trace, "w", encoding="utf-8") as file:
            file.write("main;run;parse;read 30\nmain;run 12\nworker;run;parse 5\nmain;run;parse;read 7\n")
        with open(self.converted(trace, ".pftrace"), "rb") as file:
            text = run("protoc", "--decode=perfetto.protos.Trace", "-I", PROTO, "perfetto.proto", stdin=file).decode()
        self.assertIsNone(re.search(r"^\s*\d+[:{ ]", text, re.MULTILINE), "a field that the schema does not have")
        functions = dict(re.findall(r'function_names {\s*iid: (\d+)\s*str: "(.*)"', text))
        frames = {iid: functions[name] for iid, name in re.findall(r"frames {\s*iid: (\d+)\s*function_name_id: (\d+)", text)}
        stacks = {iid: [frames[frame] for frame in re.findall(r"frame_ids: (\d+)", ids)]
                  for iid, ids in re.findall(r"callstacks {\s*iid: (\d+)((?:\s*frame_ids: \d+)+)", text)}
        before, lines = 0, {}
        for stack, count in re.findall(r"callstack_iid: (\d+)\s*cpu_mode: 2\s*timebase_count: (\d+)", text):
            line = ";".join(stacks[stack])
            lines[line] = lines.get(line, 0) + int(count) - before
            before = int(count)
        own = {}
        for line in run(EVT, "stats", "stacks", "--fold", trace).decode().splitlines():
            stack, ns = line.split(";", 1)[1].rsplit(" ", 1)
            own[stack] = own.get(stack, 0) + int(ns)
        self.assertEqual(lines, own)
        self.assertEqual(len(stacks), 3)

    @needs("jq")
    def test_chromes_events_are_json_whose_slices_nest(self):
        for trace in self.traces:
            with self.subTest(trace=os.path.basename(trace)):
                path = self.converted(trace, ".json")
                counts = json.loads(run("jq", "-c", "[.traceEvents[].ph]|group_by(.)|map({(.[0]):length})|add // {}", path))
                own = self.own_slices(path)
                spans = sum(own.get(category, 0) for category in ("span", "call"))
                self.assertEqual(spans, self.spans(trace))
                self.assertEqual(counts.get("B", 0), counts.get("E", 0))
                self.assertEqual(counts.get("b", 0), counts.get("e", 0))
                self.assertEqual(self.times_of_cpus(path), self.threads(trace, "running_ns"))

    def own_slices(self, path):
        """How many begin, by category; fails where one ends that is not the latest of its row."""
        begun, open_slices = {}, {}
        with open(path, encoding="utf-8") as file:
            for event in json.load(file)["traceEvents"]:
                row = (event.get("pid"), event.get("tid"))
                if event["ph"] in "Bb":
                    begun[event["cat"]] = begun.get(event["cat"], 0) + 1
                if event["ph"] == "B":
                    open_slices.setdefault(row, []).append(event["ts"])
                if event["ph"] == "E":
                    self.assertLessEqual(open_slices[row].pop(), event["ts"])
        self.assertFalse(any(open_slices.values()))
        return begun

    @staticmethod
    def times_of_cpus(path):
        """In ns, of all."""
        with open(path, encoding="utf-8") as file:
            events = json.load(file)["traceEvents"]
        return sum(round(event["dur"] * 1000) for event in events if event.get("cat") == "running")

    @needs("vcd2fst")
    def test_gtkwaves_programs_read_the_same_values_at_the_same_times(self):
        for trace in self.traces:
            with self.subTest(trace=os.path.basename(trace)):
                path = self.converted(trace, ".vcd")
                if not self.values_in(path):
                    continue  # of a log of marks alone: vcd2fst makes nothing of it
                run("vcd2fst", path, self.path("out.fst"))
                with open(self.path("again.vcd"), "wb") as file:
                    file.write(run("fst2vcd", self.path("out.fst")))
                self.assertEqual(self.values_in(self.path("again.vcd")), self.values_in(path))

    @staticmethod
    def values_in(path):
        """Of each variable: its times and values, without those that change nothing."""
        names, values, now = {}, {}, 0
        with open(path, encoding="utf-8") as file:
            scope = []
            for line in file:
                words = line.split()
                if not words:
                    continue
                if words[0] == "$scope":
                    scope.append(words[2])
                elif words[0] == "$upscope":
                    scope.pop()
                elif words[0] == "$var":
                    names[words[3]] = (*scope, words[4])
                elif line[0] == "#":
                    now = int(line[1:])
                elif line[0] in "br" or (line[0] in "01" and len(words) == 1):
                    code, value = (words[1], words[0][1:]) if line[0] in "br" else (words[0][1:], line[0])
                    value = value.lstrip("0") or "0" if line[0] != "r" else repr(float(value))
                    value = "z" if set(value) == {"z"} else value
                    course = values.setdefault(names[code], [])
                    if not course or course[-1][1] != value:
                        course.append((now, value))
        return values

    @unittest.skipUnless(BINDINGS, "python3-bt2 is not there")
    def test_babeltrace2_reads_the_same_events_with_the_same_fields(self):
        testdata = [os.path.join(ROOT, "testdata", folder, name) for folder in ("v1", "damaged", "future", "rings")
                    for name in sorted(os.listdir(os.path.join(ROOT, "testdata", folder))) if name.endswith(".evt")]
        compared = 0
        # What JSON has one value for, what nanoseconds of 64 bits since 1970 cannot hold, and fields without a byte.
        without_match = ("fields_of_one_name.evt", "times_beyond_64_bits.evt", "widths_of_0.evt")
        for trace in self.traces + testdata:
            if os.path.basename(trace) in without_match:
                continue
            with self.subTest(trace=os.path.relpath(trace, ROOT)):
                if subprocess.run([EVT, "dump", "--count", trace], capture_output=True).returncode > 1:
                    continue
                folder = self.converted(trace, ".ctf")
                if not os.listdir(folder):
                    continue  # no session
                events = [json.loads(line) for line in run(*BINDINGS, folder).splitlines()]
                expected = [json.loads(line, parse_float=str, parse_int=lambda text: text if text == "-0" else int(text)) for line in run(EVT, "convert", trace, "--format", "json", status=(0, 1)).splitlines()]
                self.compare(events, expected, [json.loads(line) for line in run(EVT, "dump", "--types", "--json", trace, status=(0, 1)).splitlines()])
                compared += len(events)
        self.assertGreater(compared, 1000)

    def compare(self, events, expected, types):
        lost = [(each["stream"], each["discarded"]) for each in events if "discarded" in each]
        self.assertEqual(sorted(lost), sorted((each["stream"], each["fields"]["count"]) for each in expected if "cause" in each["fields"]))
        # Within one time the order of streams is free.
        def place(each):
            return (each.get("session", 0), each["ns"], each["stream"], each["event"])
        declared = {(each.get("session", 0), each["name"]): each["fields"] for each in types}
        found = [{**each, "ns": each["ns"] - each["start"]} for each in events if "discarded" not in each]
        wanted = [each for each in expected if "cause" not in each["fields"] and each["event"] != "!jump"]
        self.assertEqual(sorted(map(place, found)), sorted(map(place, wanted)))
        for one, other in zip(sorted(found, key=place), sorted(wanted, key=place)):
            self.compare_fields(one, other, declared.get((other.get("session", 0), other["event"]), []))

    def compare_fields(self, event, expected, fields):
        values = {name: value for name, value in event["fields"].items() if not (name[0] == "_" and name.endswith("_length"))}
        if "rest" in expected:
            self.assertEqual("0x" + bytes(values.pop("rest")).hex(), expected["rest"])
        self.assertEqual([re.sub("[^0-9A-Za-z_]", "_", name) for name in expected["fields"]], list(values))
        for field, value, wanted in zip(fields, values.values(), expected["fields"].values()):
            self.assertTrue(self.is_same(field, value, wanted), (event, expected, field))

    def is_same(self, field, value, wanted):
        if isinstance(wanted, list):
            return len(value) == len(wanted) and all(self.is_same({**field, "kind": field["kind"].split("[")[0]}, *both) for both in zip(value, wanted))
        if wanted is None:
            return "absent" not in field or value % (1 << 8 * field["width"]) == field["absent"]
        if isinstance(value, dict):
            value = value["bytes"] if "length" in value or list(value) == ["bytes"] else value
        if field.get("flags"):
            bits = {label["text"]: label["value"] for label in field["labels"]}
            return value[0] == sum(bits[word] if word in bits else int(word, 0) for word in str(wanted).split("|"))
        if field["kind"].startswith(("enum", "bool")) and isinstance(value, list):
            return wanted in value or (isinstance(wanted, bool) and value[1:] == [str(wanted).lower()])
        if isinstance(value, list):
            return wanted in ("0x" + bytes(value).hex(), bytes(value).decode(errors="replace"))
        if field["kind"] in ("f32", "f64"):
            width = {"f32": "f", "f64": "d"}[field["kind"]]
            return struct.pack(width, float(value)) == struct.pack(width, float(wanted)) or value == "nan" and wanted in ("nan", "-nan")
        if isinstance(value, int):
            return fractions.Fraction(value) * fractions.Fraction(10) ** field.get("scale", 0) == fractions.Fraction(wanted)
        return value.encode(errors="surrogateescape").decode(errors="replace") == wanted

    def test_stacks_weigh_what_calls_take(self):
        for trace in self.traces:
            with self.subTest(trace=os.path.basename(trace)), open(self.converted(trace, ".folded", "--weight", "wall"), encoding="utf-8") as file:
                weight = sum(int(line.rsplit(" ", 1)[1]) for line in file)
                self.assertEqual(weight, sum(row["self_ns"] for row in self.rows("calls", trace, "calls")))

    def test_stacks_weigh_what_calls_have_of_the_time(self):
        for trace in self.traces:
            with self.subTest(trace=os.path.basename(trace)), open(self.converted(trace, ".folded", "--weight", "share"), encoding="utf-8") as file:
                weight = sum(int(line.rsplit(" ", 1)[1]) for line in file)
                rows = [row for row in self.rows("share", trace, "share") if row["kind"] in ("span", "call")]
                self.assertAlmostEqual(weight, sum(row["share_ns"] for row in rows), delta=len(rows))

    def test_chromes_json_is_the_same_trace_to_evt(self):
        for trace in self.traces:
            with self.subTest(trace=os.path.basename(trace)):
                path = self.converted(trace, ".json")
                self.assertEqual(self.spans(path), self.spans(trace))
                run(EVT, "check", path)

    @needs("clang++")
    def test_what_clang_did_is_a_trace(self):
        source = self.path("program.cc")
        with open(source, "w", encoding="ascii") as file:
            file.write("#include <map>\n#include <string>\nint main() { return std::map<std::string, int>().size(); }\n")
        run("clang++", "-ftime-trace", "-c", source, "-o", self.path("program.o"))
        path = self.path("program.json")
        with open(path, encoding="utf-8") as file:
            events = [event for event in json.load(file)["traceEvents"] if event["ph"] != "M"]
        self.assertEqual(int(run(EVT, "dump", "--count", path)), len(events))
        self.assertEqual(self.spans(path), len(events))
        self.assertIn("ExecuteCompiler", run(EVT, "view", "--text", path).decode())
        run(EVT, "stats", "cpu,threads", path, status=(1,))  # it has no events about when threads ran

    @unittest.skipUnless(os.environ.get("EVT_CTF_TRACES") and shutil.which("babeltrace2"), "EVT_CTF_TRACES or babeltrace2 is not there")
    def test_traces_of_kernels_have_threads_and_cpus(self):
        folder = os.environ["EVT_CTF_TRACES"]
        for trace in sorted(os.listdir(folder)):
            with self.subTest(trace=trace):
                path = os.path.join(folder, trace)
                self.same_as_babeltrace2(path)
                has_switches = b"sched_switch" in run(EVT, "dump", "--types", path)
                self.assertEqual(bool(self.rows("threads", path, "threads")), has_switches)
                run(EVT, "stats", "cpu,threads", path, status=(0, 1))
                self.assertTrue(run(EVT, "view", "--text", path, status=(0, 1)).strip())

    def same_as_babeltrace2(self, path):
        """Times, names and numbers of payloads, of which structures are flattened and labels are read as numbers."""
        def flat(fields, front=""):
            for name, value in fields.items():
                if isinstance(value, dict):
                    yield from flat(value, front + name + ".")
                elif isinstance(value, list) and len(value) > 1 and isinstance(value[1], str):
                    yield front + name, value[1:]  # a number with its labels
                elif isinstance(value, (int, str)) and not (name[0] == "_" and name.endswith("_length")):
                    yield front + name, value
        peers = [event for event in map(json.loads, run(*BINDINGS, path).splitlines()) if "discarded" not in event]
        ours = [event for event in map(json.loads, run(EVT, "dump", "--json", path, status=(0, 1)).splitlines()) if event["event"][0] != "!"]
        self.assertEqual(len(ours), len(peers))
        first = min(event["ns"] for event in peers)
        def place(event):
            return event["ns"], event["event"], json.dumps([value for name, value in sorted(event["fields"].items()) if name in ("tid", "next_tid", "fd", "intfield")])
        for one, other in zip(sorted(peers, key=place), sorted(ours, key=place)):
            self.assertEqual((one["ns"] - first, one["event"]), (other["ns"], other["event"]))
            for name, value in flat(one["fields"]):
                shown = other["fields"][name]
                if shown == "":
                    continue  # babeltrace2 2.0.4 has the text of an event before
                self.assertTrue(shown == value or (isinstance(value, list) and str(shown).split(".")[0] in value) or not isinstance(shown, type(value)), (name, value, shown))

    def shown_in_speedscope(self, path, picture):
        """Of the first profile on speedscope's page: what it is called, the weight of all rows in its table, in ns, and how many
        rows there are."""
        from browser import Browser  # noqa: PLC0415: it needs chromium
        with open(path, "rb") as file:
            content = file.read()
        script = self.path("profile.js")
        with open(script, "w", encoding="ascii") as file:
            file.write(f"speedscope.loadFileFromBase64('{os.path.basename(path)}', '{base64.b64encode(content).decode()}')")
        browser = Browser()
        try:
            page = os.path.join(os.environ["EVT_SPEEDSCOPE"], "index.html")
            browser.call("Page.navigate", url=f"file://{page}#localProfilePath={script}")
            browser.until("document.body.innerText.includes('Sandwich')")
            browser.js("[...document.querySelectorAll('div')].filter((one) => one.innerText === '🥪Sandwich').pop().click()")
            browser.until("document.body.innerText.includes('%)')")
            os.makedirs(os.path.join(ROOT, "build/export"), exist_ok=True)
            browser.shot(os.path.join(ROOT, "build/export", picture))
            # A row for each name: its total, its part of all, its self time, the part of that.
            scale = {"ms": 1e6, "µs": 1e3, "ns": 1, "s": 1e9}
            found = re.findall(r"([\d.]+)(ms|µs|ns|s)\s*\(", browser.js("document.body.innerText"))[1::2]
            return browser.js("document.body.innerText + document.title"), sum(float(value) * scale[unit] for value, unit in found), len(found)
        finally:
            browser.close()

    @unittest.skipUnless(SPEEDSCOPE, "speedscope (EVT_SPEEDSCOPE) or chromium is not there")
    def test_speedscopes_page_shows_profiles_and_their_weight(self):
        path = self.converted(self.path("mandelbrot.evt"), ".speedscope.json")
        title, weight, rows = self.shown_in_speedscope(path, "speedscope.png")
        with open(path, "rb") as file:
            first = json.load(file)["profiles"][0]
        self.assertIn(first["name"], title)
        self.assertAlmostEqual(weight, first["endValue"], delta=5_000 * rows)  # two digits are shown

    @unittest.skipUnless(SPEEDSCOPE, "speedscope (EVT_SPEEDSCOPE) or chromium is not there")
    def test_speedscopes_page_shows_samples_with_the_time_of_each_function(self):
        trace = self.path("profile.folded")
        with open(trace, "w", encoding="utf-8") as file:
            file.write("main;run;parse;read 30000000\nmain;run 12000000\nworker;run;parse 5000000\nmain;run;parse;read 7000000\n")
        text, weight, rows = self.shown_in_speedscope(self.converted(trace, ".speedscope.json"), "speedscope-samples.png")
        self.assertEqual((weight, rows), (49_000_000, 3))
        table = re.findall(r"([\d.]+[mn]s) .*\n\t([\d.]+[mn]s) .*\n\t(run|parse|read)", text)
        self.assertEqual(table, [("37.00ms", "37.00ms", "read"), ("49.00ms", "12.00ms", "run"), ("37.00ms", "0.00ns", "parse")])

    @unittest.skipUnless(SPEEDSCOPE, "speedscope (EVT_SPEEDSCOPE) or chromium is not there")
    def test_speedscopes_page_ends_slices_of_chromes_json_where_they_end(self):
        trace = self.path("mandelbrot.evt")
        title, weight, rows = self.shown_in_speedscope(self.converted(trace, ".json"), "speedscope-chrome.png")
        thread = re.search(r"pid \d+\), (.*) \(tid", title)[1]
        stacks = run(EVT, "convert", trace, "--format", "folded").decode().splitlines()
        own = sum(int(line.rsplit(" ", 1)[1]) for line in stacks if line.startswith(thread + ";"))
        self.assertAlmostEqual(weight, own, delta=5_000 * rows)

    @unittest.skipUnless(shutil.which("go"), "go is not there")
    def test_pprof_has_the_time_of_functions_that_evt_stats_has(self):
        trace = self.path("mandelbrot.evt")
        top = run("go", "tool", "pprof", "-top", "-unit=ns", "-nodecount=1000", "-nodefraction=0", self.converted(trace, ".pb.gz"), env={**os.environ, "HOME": self.folder.name}).decode()
        found = {line.split(maxsplit=5)[5]: round(float(line.split()[0].removesuffix("ns"))) for line in top.split("cum%\n")[1].splitlines()}
        rows = self.rows("calls", trace, "calls")
        self.assertGreater(len(rows), 3)
        self.assertEqual(found, {row["name"]: row["self_ns"] for row in rows if row["self_ns"] or row["sum_ns"]})

    @unittest.skipUnless(shutil.which("go"), "go is not there")
    def test_a_profile_of_go_has_the_time_of_functions_that_go_finds(self):
        """Written by runtime/pprof, with inlined calls; `go tool pprof` is the truth."""
        env = {**os.environ, "HOME": self.folder.name, "GOFLAGS": "-mod=mod", "GO111MODULE": "off"}
        with open(self.path("profiled.go"), "w", encoding="utf-8") as file:
            file.write(GO_PROGRAM)
        run("go", "run", self.path("profiled.go"), self.path("go.pb.gz"), env=env)
        top = run("go", "tool", "pprof", "-top", "-unit=ns", "-nodecount=100000", "-nodefraction=0", "-edgefraction=0", self.path("go.pb.gz"), env=env).decode()
        ns = lambda text: round(float(text.removesuffix("ns")))
        found = {}
        for line in top.split("cum%\n")[1].splitlines():
            own, _, _, all_, _, name = line.split(maxsplit=5)
            name = name.removesuffix(" (inline)").removesuffix(" (partial-inline)")
            found[name] = (ns(own), ns(all_))
        rows = self.rows("stacks", self.path("go.pb.gz"), "stacks")
        self.assertGreater(len(rows), 3)
        self.assertEqual(found, {row["name"]: (row["self_ns"], row["sum_ns"]) for row in rows})

    @needs("perf")
    def test_the_text_of_perf_script_has_the_periods_of_functions_that_perf_report_finds(self):
        """A real recording, where the kernel allows one."""
        data = self.path("perf.data")
        record = ["perf", "record", "-q", "-e", "cpu-clock:u", "-g", "-o", data, os.path.join(os.path.dirname(EVT), "mandelbrot"), self.path("again.evt")]
        if subprocess.run(record, capture_output=True).returncode != 0:
            self.skipTest("perf may not record here")
        with open(self.path("perf.txt"), "wb") as file:
            file.write(run("perf", "script", "-i", data))
        report = run("perf", "report", "-i", data, "--no-children", "-g", "none", "--stdio", "-F", "period,sym", "-t", "|").decode()
        found = {}
        for line in report.splitlines():
            if "|" in line and not line.startswith("#"):
                period, name = line.split("|", 1)
                name = name.strip().removeprefix("[.] ").removeprefix("[k] ")
                found[name] = found.get(name, 0) + int(period)
        own = {}
        for row in self.rows("stacks", self.path("perf.txt"), "stacks"):
            if row["self_ns"]:
                own[row["name"]] = row["self_ns"]
        # Without a symbol perf has an address, evt the file.
        known = {name: period for name, period in found.items() if not name.startswith("0x")}
        self.assertGreater(len(known), 1)
        self.assertEqual(known, {name: own.get(name) for name in known})
        self.assertEqual(sum(found.values()), sum(own.values()))


if __name__ == "__main__":
    unittest.main()
