#!/usr/bin/env python3
"""The Python package evtrace, over traces that evt makes of their text form.

    reader_test.py EVT LIBRARY    the command, and libevtrace-reader.so
"""
import contextlib
import copy
import ctypes
import datetime
import gc
import gzip
import importlib.util
import lzma
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import unittest
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVT, LIBRARY = sys.argv[1:3] if __name__ == "__main__" else (os.environ["EVT"], os.environ["EVTRACE_READER"])
os.environ["EVTRACE_READER"] = LIBRARY
sys.path.insert(0, str(ROOT / "python"))
import evtrace  # noqa: E402

HAS_PANDAS = importlib.util.find_spec("pandas") is not None

ANALYSES = "summary,overview,cpu,threads,latency,gc,spans,calls,counts,share,usage,locks,stops,counters,heap,overhead,events"

TRACE = """evtrace text 1
session uuid=0x000102030405460788090a0b0c0d0e0f start=1767225600.000000000 program="app" pid=77
type 4 thread.run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)
type 5 thread.stop role=threadStop (thread u64 role=thread)
type 1024 app.job (id u32) (took tick_delta) (how enum8 labels=[1=disk 2=net]) (file text) (left u8 absent=255) (sizes u16[])
type 1025 heap role=counter (name text role=name) (bytes u64 role=value unit=bytes)
stream 1 "main" thread=70
0.000000010 1 app.job id=1 took=0.000000003 how=net file="a b" left=255 sizes=[1 2]
0.000000020 1 thread.run thread=9 cpu=1
0.000000030 1 app.job id=2 took=0.000000004 how=disk file="<b>" left=7 sizes=[]
0.000000040 1 heap name="live" bytes=5
0.000000050 1 thread.stop thread=9
0.000000060 1 app.job id=3 took=0.000000005 how=net file="" left=1 sizes=[3]
"""


SAMPLES = """evtrace text 1
session uuid=0x000102030405460788090a0b0c0d0e0f start=1767225600.000000000
type 1024 tick role=sample (thread u64 role=thread) (stack interned[] role=stack) (weight u64 role=weight unit=nanoseconds)
type 1025 wait role=sample (thread u64 role=thread) (stack interned[] role=stack) (waited u64 role=duration unit=nanoseconds)
string 1 "main"
string 2 "parse"
stream 1 "log"
0.000001000 1 tick thread=7 stack=["parse" "main"] weight=30
0.000002000 1 wait thread=7 stack=["main"] waited=500
"""


# Thread 1 waits for a lock of thread 2 from 2 to 5 us, inside the longer of two spans, and runs again at 6 us.
WAIT = """evtrace text 1
session uuid=0x000102030405460788090a0b0c0d0e0f start=1767225600.000000000
type 1024 run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)
type 1025 stop role=threadStop (thread u64 role=thread) (reason enum16 role=reason labels=[3=blocked]) (object u64 role=object)
type 1026 wake role=threadWake (thread u64 role=thread) (waker u64 role=waker)
type 1027 call role=callBegin (function text role=function) (object u64 role=object) (resource text role=resource)
type 1028 back role=callEnd
type 1029 span role=spanBegin (name text role=name)
type 1030 done role=spanEnd
stream 1 "main" thread=1
stream 2 "helper" thread=2
0.000000000 1 run thread=1 cpu=0
0.000000000 2 run thread=2 cpu=1
0.000001000 1 span name="job"
0.000002000 1 call function="lock" object=7 resource="lock"
0.000002000 1 stop thread=1 reason=blocked object=7
0.000005000 2 wake thread=1 waker=2
0.000006000 1 run thread=1 cpu=0
0.000006000 1 back
0.000007000 1 done
0.000007000 1 span name="job"
0.000008000 1 done
"""


class Traces(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def made(self, text=TRACE, name="x.evt"):
        """The path of the trace that the text describes."""
        path = self.folder / name
        subprocess.run([EVT, "convert", "-", "-o", path], input=text.encode(), check=True, stderr=subprocess.PIPE)
        return path

    def opened(self, text=TRACE, **options):
        trace = evtrace.open(self.made(text), **options)
        self.addCleanup(trace.close)
        return trace


class TraceTest(Traces):
    def test_states_of_itself_what_evt_shows(self):
        trace = self.opened()
        [session] = trace.sessions
        self.assertEqual((session.program, session.pid, session.events, session.closed, session.end), ("app", 77, 6, True, "closed"))
        self.assertEqual(session.start, datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc))
        self.assertEqual([(s.name, s.thread, s.events) for s in trace.streams], [("main", 70, 6)])
        self.assertEqual(trace.tables[9:], ["collections", "async_spans", "samples", "stacks", "frames", "app.job", "heap", "thread.run", "thread.stop"])
        self.assertEqual(trace.problems, [])

    def test_a_compressed_file_is_read_as_it_is(self):
        plain = self.made()
        expected = list(evtrace.open(plain).events())
        for module in (gzip, lzma):
            packed = self.folder / "packed"
            packed.write_bytes(module.compress(plain.read_bytes()))
            self.assertEqual(list(evtrace.open(packed).events()), expected)

    def test_events_are_objects_with_fields(self):
        events = list(self.opened().events())
        self.assertEqual([event.ns for event in events], [10, 20, 30, 40, 50, 60])
        self.assertEqual(events[0], evtrace.Event(10, 0, "main", "app.job", {
            "id": 1, "took": 3, "how": "net", "file": "a b", "left": None, "sizes": [1, 2]}))

    def test_events_of_a_type_are_rows(self):
        rows = list(self.opened().events("app.job"))
        self.assertEqual([row["file"] for row in rows], ["a b", "<b>", ""])
        self.assertEqual([row["left"] for row in rows], [None, 7, 1])
        self.assertEqual([row["sizes"] for row in rows], [[1, 2], [], [3]])
        self.assertEqual([row["how"] for row in rows], ["net", "disk", "net"])

    def test_ranges_are_times_in_words_numbers_and_timedeltas(self):
        trace = self.opened()
        ids = lambda start, end: [row["id"] for row in trace.events("app.job", start, end)]
        self.assertEqual(ids("30ns", None), [2, 3])
        self.assertEqual(ids(None, 30), [1, 2])
        self.assertEqual(ids("0.00000003s", datetime.timedelta(microseconds=1)), [2, 3])
        self.assertEqual([event.ns for event in trace.events(start=20, end=40)], [20, 30, 40])

    def test_a_range_that_is_none_is_an_error(self):
        trace = self.opened()
        with self.assertRaisesRegex(ValueError, "the range ends before it begins: 2s to 1s"):
            trace.events("app.job", "2s", "1s")
        with self.assertRaisesRegex(ValueError, "`soon` is no time: expected ns as a number"):
            trace.spans, trace.table("spans", "soon")

    def test_a_range_beyond_64_bits_is_an_error(self):
        trace = self.opened()
        for ns in (2**63, -2**63 - 1):
            with self.assertRaisesRegex(ValueError, f"{ns} is no time: expected ns that 64 bits hold"):
                trace.events("app.job", end=ns)

    def test_what_is_no_time_is_an_error(self):
        with self.assertRaisesRegex(TypeError, "expected a time as a whole number of ns, a timedelta or text, found float"):
            self.opened().events("app.job", start=1.5)

    def test_relations_are_tables_too(self):
        trace = self.opened()
        running = [row for row in trace.thread_states if row["state"] == "running"]
        self.assertEqual([(row["thread"], row["cpu"], row["from_ns"], row["to_ns"]) for row in running],
                         [(9, "1", 20, 50)])
        self.assertEqual([(row["name"], row["value"], row["unit"]) for row in trace.counters], [("live", 5.0, "B")])

    def test_columns_have_units_and_descriptions(self):
        columns = {column.name: column for column in self.opened().spans.columns}
        self.assertEqual((columns["self_ns"].kind, columns["self_ns"].unit), ("uint64", "ns"))
        self.assertEqual(columns["depth"].description, "number of enclosing spans and calls")

    def test_several_traces_are_one(self):
        first = self.made()
        second = self.made(TRACE.replace("0x0001", "0x1001"), "y.evt")
        with evtrace.open([first, second]) as trace:
            self.assertEqual([session.number for session in trace.sessions], [0, 1])
            self.assertEqual(len(list(trace.events("app.job"))), 6)

    def test_events_of_several_sessions_have_their_own_types(self):
        other = """evtrace text 1
session uuid=0x100102030405460788090a0b0c0d0e0f start=1767225600.000000000
type 1024 empty
type 1025 app.job (name text) (id u8)
stream 7 "other"
0.000000010 7 app.job name="x" id=9
0.000000020 7 empty
"""
        with evtrace.open([self.made(), self.made(other, "y.evt")]) as trace:
            events = list(trace.events())
        self.assertEqual(events[5].fields["id"], 3)
        self.assertEqual(events[6:], [evtrace.Event(10, 1, "other", "app.job", {"name": "x", "id": 9}),
                                      evtrace.Event(20, 1, "other", "empty", {})])

    def test_events_outlive_their_trace(self):
        trace = evtrace.open(self.made())
        events = iter(trace.events())
        first = next(events)
        trace.close()
        del trace
        gc.collect()
        self.assertEqual(first.fields["id"], 1)
        with self.assertRaisesRegex(ValueError, "the trace is closed"):
            list(events)

    def test_what_is_cut_is_a_warning(self):
        path = self.made()
        path.write_bytes(path.read_bytes()[:-40])
        with self.assertWarnsRegex(evtrace.EvtraceWarning, "the trace is not whole"):
            trace = evtrace.open(path)
        self.assertTrue(trace.problems)
        trace.close()
        with self.assertRaises(evtrace.Error):
            evtrace.open(path, strict=True)

    def test_a_file_that_cannot_be_opened_is_an_error(self):
        with self.assertRaisesRegex(evtrace.Error, "cannot open .*none.evt: No such file or directory"):
            evtrace.open(self.folder / "none.evt")
        with self.assertRaisesRegex(ValueError, "embedded null character"):
            evtrace.open(f"{self.made()}\0.evt")
        with self.assertRaisesRegex(evtrace.Error, "there is no table `tock`"):
            self.opened().events("tock")

    def test_a_closed_trace_is_an_error_and_what_was_read_stays(self):
        trace = evtrace.open(self.made())
        table = trace.events("app.job")
        rows = iter(table)
        first = next(rows)
        trace.close()
        with self.assertRaisesRegex(ValueError, "the trace is closed"):
            list(table)
        self.assertEqual(first["id"], 1)

    def test_a_trace_and_a_report_are_not_copied_or_pickled(self):
        trace = self.opened()
        for what, name in ((trace, "Trace"), (trace.stats.report("spans"), "Report")):
            for make in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaisesRegex(TypeError, f"a {name} cannot be copied or pickled"):
                    make(what)

    def test_html_escapes_what_a_trace_has(self):
        self.assertIn("<td>&lt;b&gt;</td>", self.opened().events("app.job")._repr_html_())

    def test_a_capsule_has_the_stream_of_rows(self):
        table = self.opened().events("app.job")
        capsule = table.__arrow_c_stream__()
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        from evtrace import _arrow
        stream = _arrow.Stream.from_address(pointer(capsule, b"arrow_array_stream"))
        array = _arrow.Array()
        self.assertEqual(stream.get_next(ctypes.byref(stream), ctypes.byref(array)), 0)
        self.assertEqual(array.length, 3)
        _arrow.released(array)
        # What is not taken is released with the capsule.
        before = len(_arrow._handed_over)
        del capsule
        gc.collect()
        self.assertEqual(len(_arrow._handed_over), before - 1)

    def test_agrees_with_evt_dump(self):
        import csv
        for path in sorted((ROOT / "testdata" / "v1").glob("kinds_of_*.evt")):
            with warnings.catch_warnings(), evtrace.open(path) as trace:
                warnings.simplefilter("ignore")
                shown = subprocess.run([EVT, "dump", "--csv", path], capture_output=True, check=False).stdout.decode()
                rows = list(csv.DictReader(shown.splitlines()))
                events = list(trace.events())
                self.assertEqual([int(row["ns"]) for row in rows], [event.ns for event in events], path)
                for row, event in zip(rows, events):
                    self.assertEqual(row["event"], event.type, path)
                    for name, value in event.fields.items():
                        if isinstance(value, int) and not isinstance(value, bool) and row[name].lstrip("-").isdigit():
                            self.assertEqual(int(row[name]), value, f"{path} {name}")


class StatsTest(Traces):
    def test_an_analysis_is_a_table(self):
        stats = self.opened().stats
        self.assertEqual([(row["thread"], row["running_ns"], row["slices"]) for row in stats.cpu()], [("9", 30, 1)])
        self.assertEqual([(row["cpu"], row["thread"]) for row in stats.cpu(by="cpu,thread")], [("1", "9")])
        self.assertEqual([(row["event"], row["events"]) for row in stats.events(start=30, end=40)],
                         [("app.job", 1), ("heap", 1)])
        self.assertEqual([row["running_ns"] for row in stats.cpu(at="30ns")], [10])
        columns = {column.name: column for column in stats.cpu().columns}
        self.assertEqual((columns["running_ns"].unit, columns["running_ns"].description),
                         ("ns", "time for which the thread ran (roles threadRun, threadStop)"))

    def test_stacks_of_waits_are_asked_for(self):
        stats = self.opened(SAMPLES).stats
        self.assertEqual([(row["name"], row["self_ns"]) for row in stats.stacks()], [("parse", 30), ("main", 0)])
        self.assertEqual([(row["name"], row["self_ns"]) for row in stats.stacks(waiting=True)], [("main", 500)])
        self.assertEqual([(row["stack"], row["self_ns"]) for row in stats.stacks(waiting=True, fold=True)], [("thread 7;main", 500)])

    def test_what_a_span_waited_for_is_a_table(self):
        stats = self.opened(WAIT).stats
        rows = [(row["level"], row["time_ns"], row["kind"], row["thread"], row["object"]) for row in stats.why("job")]
        self.assertEqual(rows, [(0, 3000, "waiting", "main", "7"), (1, 3000, "woke", "helper", None),
                                (2, 3000, "running", "helper", None), (0, 2000, "running", "main", None),
                                (0, 1000, "runnable", "main", None)])
        self.assertEqual([(row["what"], row["time_ns"]) for row in stats.why("job", nth=2)], [("running: job", 1000)])
        self.assertEqual(sum(row["time_ns"] for row in stats.why("job", at="6us") if row["level"] == 0), 6000)
        self.assertEqual([row["kind"] for row in stats.why(thread="helper")], ["running"])

    def test_why_is_what_evt_why_prints(self):
        import csv
        path = self.made(WAIT)
        printed = subprocess.run([EVT, "why", "--csv", path, "job"], capture_output=True, check=True).stdout.decode()
        wanted = list(csv.DictReader(printed.splitlines()))
        with evtrace.open(path) as trace:
            table = trace.stats.why("job")
            self.assertEqual([column.name for column in table.columns][1:], list(wanted[0]))
            self.assertEqual([row["what"] for row in table], [row["what"] for row in wanted])
            self.assertEqual([row["time_ns"] for row in table], [int(row["time_ns"]) for row in wanted])

    def test_why_without_an_answer_is_an_error(self):
        stats = self.opened(WAIT).stats
        for call, sentence in ((lambda: stats.why("jib"), "no span or call is called jib; did you mean job"),
                               (lambda: stats.why("job", nth=3), "there are 2 of job, found --nth 3"),
                               (lambda: stats.why("job", nth=2, percentile=50), "expected one of nth, at and percentile"),
                               (lambda: stats.why(percentile=50), "expected the name of a span or call with nth, at and"),
                               (lambda: stats.why("job", percentile=101), "percentile: expected 0 to 100, found 101")):
            with self.assertRaisesRegex(evtrace.Error, sentence):
                call()
        with self.assertRaisesRegex(ValueError, "nth: expected 1 or more, found 0"):
            stats.why("job", nth=0)

    def test_several_analyses_are_one_reading(self):
        report = self.opened().stats.report("events,cpu")
        self.assertEqual(list(report), ["cpu.cpu", "events.events"])
        self.assertEqual(report["events"].head(1)[0]["event"], "app.job")
        self.assertEqual(report.notes, [])
        with self.assertRaisesRegex(KeyError, "there is no table `gc`; there are cpu.cpu, events.events"):
            report["gc"]

    def test_what_is_doubtful_is_a_warning(self):
        with self.assertWarnsRegex(evtrace.EvtraceWarning, "no event records a garbage collection"):
            table = self.opened().stats.gc("pauses")
        self.assertEqual((list(table), len(table.columns)), ([], 10))

    def test_what_an_analysis_does_not_know_is_an_error(self):
        stats = self.opened().stats
        for call, sentence in ((lambda: stats.cpu(by="core"), "by: expected one of thread cpu .* for cpu, found core"),
                               (lambda: stats.report("spend"), "there is no analysis `spend`; did you mean spans"),
                               (lambda: stats.summary(every="1s"), "every: summary has no table over time"),
                               (lambda: stats.usage(limits="disk"), "limit: expected KIND=AMOUNT/s .* found disk")):
            with self.assertRaisesRegex((evtrace.Error, TypeError), sentence):
                call()
        with self.assertRaisesRegex(ValueError, "at excludes start and end"):
            stats.cpu(at=1, start=0)
        with self.assertRaisesRegex(ValueError, "every: expected a time like 10ms, found 0s"):
            stats.cpu(every="0s")

    def test_a_table_outlives_its_trace(self):
        trace = evtrace.open(self.made())
        table = trace.stats.cpu()
        trace.close()
        with self.assertRaisesRegex(ValueError, "the trace is closed"):
            trace.stats.cpu()
        del trace
        gc.collect()
        self.assertEqual([row["running_ns"] for row in table], [30])

    def test_html_is_what_evt_stats_prints(self):
        shown = self.opened()._repr_html_()
        for cell in ("app", "0.000000010", "50 ns", "50.0 %"):
            self.assertIn(f"<td>{cell}</td>", shown)

    def check_equal(self, path, key, of_evt, mine):
        self.assertEqual(len(of_evt), len(mine), f"{path} {key}")
        for row, own in zip(of_evt, mine):
            own = {name: value for name, value in own.items() if name != "session"}
            self.assertLessEqual(set(row), set(own), f"{path} {key}")
            for name, value in row.items():
                got = own[name]
                if isinstance(got, str):
                    got, value = (got, value.encode("utf-8", "replace").decode() if isinstance(value, str) else str(value))
                elif isinstance(got, float):
                    got, value = round(got, 3), round(value, 3)
                if (key, name) == ("overview.top", "more"):  # the command line knows what it was given
                    got = f"{got} {path}"
                self.assertEqual(got, value, f"{path} {key} {name}")

    def test_agrees_with_evt_stats(self):
        import json
        compared = 0
        for path in sorted((ROOT / "testdata").rglob("*.evt")):
            if path.stat().st_size > 300_000:
                continue
            shown = subprocess.run([EVT, "stats", "--no-checkpoints", "--json", ANALYSES, path], capture_output=True,
                                   check=False).stdout
            if not shown:
                continue
            with warnings.catch_warnings(), contextlib.ExitStack() as opened:
                warnings.simplefilter("ignore")
                trace = opened.enter_context(evtrace.open(path))
                report = trace.stats.report(ANALYSES)
                sessions = json.loads(shown.decode("utf-8", "replace"))["sessions"]
                wanted = {}
                for session in sessions:
                    for analysis, tables in session.items():
                        for name, rows in tables.items() if isinstance(tables, dict) else ():
                            if name != "notes":
                                wanted.setdefault(f"{analysis}.{name}", []).extend(
                                    [rows] if isinstance(rows, dict) else rows)
                self.assertEqual(set(report), set(wanted), path)
                for key, rows in wanted.items():
                    self.check_equal(path, key, rows, list(report[key]))
                    compared += len(rows)
        self.assertGreater(compared, 1000)


@unittest.skipUnless(HAS_PANDAS, "python3-pandas is not installed")
class FramesTest(Traces):
    def test_arrays_of_a_type(self):
        import numpy
        arrays = self.opened().events("app.job").to_numpy()
        self.assertEqual(arrays["id"].tolist(), [1, 2, 3])
        self.assertEqual(arrays["id"].dtype, numpy.uint64)
        self.assertEqual(arrays["time"][0], numpy.datetime64("2026-01-01T00:00:00.000000010"))
        self.assertEqual(arrays["left"].tolist(), [None, 7, 1])
        self.assertEqual(arrays["how"].tolist(), ["net", "disk", "net"])
        self.assertEqual(arrays["sizes"].tolist(), [[1, 2], [], [3]])

    def test_ranges_are_times_of_numpy_and_pandas(self):
        import numpy
        import pandas
        trace = self.opened()
        ids = lambda start: [row["id"] for row in trace.events("app.job", start)]
        for start in (numpy.int64(30), numpy.timedelta64(30, "ns"), pandas.Timedelta(30, "ns")):
            self.assertEqual(ids(start), [2, 3])

    def test_arrays_of_all_events(self):
        trace = self.opened()
        arrays = trace.events().to_numpy()
        self.assertEqual(arrays["ns"].tolist(), [10, 20, 30, 40, 50, 60])
        names = [row["name"] for row in trace.types]
        self.assertEqual([names[i] for i in arrays["type"]],
                         ["app.job", "thread.run", "app.job", "heap", "thread.stop", "app.job"])

    def test_a_frame_is_by_time(self):
        frame = self.opened().events("app.job").to_pandas()
        self.assertEqual(str(frame.index.dtype), "datetime64[ns, UTC]")
        self.assertEqual(frame["took"].sum(), 12)
        self.assertEqual(frame["left"].isna().tolist(), [True, False, False])
        self.assertEqual(frame.groupby("how")["id"].count().to_dict(), {"disk": 1, "net": 2})

    def test_a_table_without_rows_is_a_frame(self):
        self.assertEqual(len(self.opened().spans.to_pandas()), 0)

    def test_what_was_read_outlives_the_trace(self):
        trace = evtrace.open(self.made())
        arrays = trace.events("app.job").to_numpy()
        trace.close()
        del trace
        gc.collect()
        self.assertEqual(arrays["id"].sum(), 6)


@unittest.skipUnless(HAS_PANDAS and importlib.util.find_spec("matplotlib"), "python3-matplotlib is not installed")
class GuideTest(unittest.TestCase):
    def test_programs_of_the_guide_run(self):
        guide = (ROOT / "docs" / "guide" / "python.md").read_text()
        programs = [part.split("```")[0] for part in guide.split("```python\n")[1:]]
        self.assertTrue(programs)
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([pathlib.Path(EVT).resolve().parent / "mandelbrot", "m.evt"], cwd=folder, check=True, capture_output=True)
            for program in programs:
                environment = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "MPLBACKEND": "svg",
                               "EVTRACE_READER": str(pathlib.Path(LIBRARY).resolve())}
                ran = subprocess.run([sys.executable, "-B", "-c", program], cwd=folder, env=environment, capture_output=True)
                self.assertEqual((ran.returncode, ran.stderr.decode()), (0, ""))
            self.assertIn("<svg", (pathlib.Path(folder) / "tiles.svg").read_text())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
