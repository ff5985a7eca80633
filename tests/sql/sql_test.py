#!/usr/bin/env python3
"""What evt sql answers, beside the figures of evt stats and the values of evt dump.

    sql_test.py EVT    as sql_case.py has it
"""
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from sql_case import EVT, SqlTest, run

ROOT = pathlib.Path(__file__).resolve().parents[2]



def message(*fields):
    """Of protobuf, all numbers and sizes below 128."""
    return b"".join(bytes([tag << 3, value]) if isinstance(value, int) else bytes([tag << 3 | 2, len(value)]) + value for tag, value in fields)


# A profile of pprof: `append` waited for 30 ns below `place_order`, and for 12 ns in itself.
WAITS = message((1, message((1, 1), (2, 2))), (1, message((1, 3), (2, 4))), *((6, text) for text in (
    b"", b"contentions", b"count", b"delay", b"nanoseconds", b"append", b"place_order")),
    (5, message((1, 1), (2, 5))), (5, message((1, 2), (2, 6))), (4, message((1, 1), (4, message((1, 1))))),
    (4, message((1, 2), (4, message((1, 2))))), (2, message((1, bytes([1, 2])), (2, bytes([1, 30])))),
    (2, message((1, bytes([1])), (2, bytes([1, 12])))))


class Queries(SqlTest):
    def test_rows_are_shown_in_columns(self):
        ran = run("sql", self.minutes, "select name, depth, duration_ns from spans order by depth, name")
        self.assertEqual((ran.returncode, ran.stdout), (0, (
            "name   depth  duration_ns\n"
            "other      0  50000000000\n"
            "outer      0  30000000000\n"
            "inner      1  10000000000\n")))

    def test_null_is_a_dash_in_columns_nothing_in_csv_and_null_in_json(self):
        query = "select null as a, 'x,\"y\"' as b, true as c, 1.5 as d"
        self.assertEqual(run("sql", query).stdout, 'a  b      c       d\n-  x,"y"  true  1.5\n')
        self.assertEqual(subprocess.run([EVT, "sql", "--csv", query], capture_output=True).stdout, b'a,b,c,d\r\n,"x,""y""",true,1.5\r\n')
        self.assertEqual(run("sql", "--json", query).stdout, '[{"a":null,"b":"x,\\"y\\"","c":true,"d":1.5}]\n')

    def test_each_kind_of_value_is_json(self):
        [row] = self.ask("select 1::hugeint a, 2.50::decimal(5,2) b, [1,2] c, {'x': 'y'} d, date '2026-01-02' e, 'nan'::double f, "
                         "1e300 g, -5::tinyint h, 18446744073709551615 i, make_timestamp_ns(1) j, '\\xff'::blob k, 1 l, 2 l")
        self.assertEqual(row, {"a": 1, "b": 2.5, "c": [1, 2], "d": {"x": "y"}, "e": "2026-01-02", "f": "nan", "g": 1e300, "h": -5,
                               "i": 18446744073709551615, "j": "1970-01-01 00:00:00.000000001", "k": "\\xFF", "l": 1, "l_2": 2})

    def test_each_type_has_a_table_with_all_its_events(self):
        counts = {row["name"]: row["events"] for row in self.ask(self.m, "select type as name, count(*) as events from events group by type")}
        for name, events in counts.items():
            self.assertEqual(self.ask(self.m, f'select count(*) n, count(time) t from "{name}"'), [{"n": events, "t": events}], name)
        dumped = collections.Counter(json.loads(line)["event"] for line in run("dump", "--json", self.m).stdout.splitlines())
        self.assertEqual(counts, {name: count for name, count in dumped.items() if not name.startswith("!")})

    def test_values_are_those_of_dump(self):
        for name in ("kinds_of_numbers", "arrays", "kinds_of_texts", "enumerations"):
            trace = ROOT / "testdata" / "v1" / f"{name}.evt"
            tables = [row["name"] for row in self.ask(trace, "select distinct name from types")]
            for table in tables:
                rows = self.ask(trace, f'select * from "{table}"')
                self.assertEqual(len(rows), self.ask(trace, f'select count(*) n from "{table}"')[0]["n"])
        [row] = self.ask(ROOT / "testdata/v1/kinds_of_numbers.evt", "select * from number where a = 255")
        self.assertEqual([row[c] for c in "abcdefgh"], [255, 65535, 2**32 - 1, 2**64 - 1, 127, 32767, 2**31 - 1, 2**63 - 1])

    def test_a_part_of_the_time_is_read(self):
        everything = self.ask(self.m, "select count(*) n from counter")[0]["n"]
        [[start, stop]] = [[row["a"], row["b"]] for row in self.ask(self.m, "select quantile_disc(ns, 0.3) a, quantile_disc(ns, 0.6) b from counter")]
        inside = self.ask(self.m, f"select count(*) n from counter where ns between {start} and {stop}")[0]["n"]
        by_function = self.ask(self.m, f"select count(*) n from counter(start := '{start}ns', stop := '{stop}ns')")[0]["n"]
        by_option = self.ask("--from", f"{start}ns", "--to", f"{stop}ns", self.m, "select count(*) n from counter")[0]["n"]
        self.assertEqual((by_function, by_option), (inside, inside))
        self.assertLess(inside, everything)

    def test_moments_of_functions_are_inside_of_the_options(self):
        [row] = self.ask("--from", "15s", self.minutes, "select min(begin_ns) a, count(*) n from spans(start := '1s', stop := '25s')")
        self.assertEqual(row["n"], 3)
        [row] = self.ask("--from", "15s", self.minutes, "select count(*) n from begin(start := '1s', stop := '25s')")
        self.assertEqual(row["n"], 1)

    def test_tables_of_several_traces_are_joined_by_session(self):
        rows = self.ask(self.m, self.minutes, "select program, count(*) n from spans join sessions using (session) group by 1 order by 1")
        self.assertEqual([row["program"] for row in rows], ["mandelbrot", "shop"])

    def test_two_tables_of_one_trace_are_read_at_once(self):
        [row] = self.ask(self.m, 'select count(*) n from "span.begin" b join "span.end" e on b.session = e.session and e.ns > b.ns '
                                 "where b.ns = (select min(ns) from \"span.begin\")")
        self.assertGreater(row["n"], 0)

    def test_no_trace_is_needed(self):
        self.assertEqual(self.ask("select 6 * 7 as n"), [{"n": 42}])

    def test_several_statements_are_answered_one_after_another(self):
        self.assertEqual(run("sql", "create table t as select 1 as a; insert into t values (2); select * from t; select 3 as b").stdout,
                         "a\n1\n2\n\nb\n3\n")

    def test_a_wrong_query_is_one_sentence(self):
        for query, sentence in (("select 1 +", "Parser Error: syntax error at end of input"),
                                ("select nam from spans", 'Binder Error: Referenced column "nam" not found in FROM clause!'),
                                ("select * from spens", "Catalog Error: Table with name spens does not exist!"),
                                ("select * from spans(start := 'soon')", "start: expected a time like 1.5, 200ms"),
                                ("select 'a'::int", "Conversion Error: Could not convert string 'a' to INT32")):
            ran = run("sql", self.minutes, query)
            self.assertEqual((ran.returncode, ran.stdout), (2, ""), ran)
            self.assertIn(sentence, ran.stderr)
            self.assertTrue(ran.stderr.startswith("evt sql: ") and ran.stderr.count("\n") == 1, ran.stderr)

    def test_a_file_that_is_not_there_is_no_answer(self):
        ran = run("sql", self.minutes, "from read_csv('/nowhere/x.csv')")
        self.assertEqual((ran.returncode, ran.stdout), (3, ""))
        self.assertIn("IO Error: No files found", ran.stderr)

    def test_a_damaged_trace_is_answered_and_reported(self):
        seen = set()
        for path in sorted((ROOT / "testdata" / "damaged").glob("*.evt")):
            dumped = run("dump", path)
            ran = run("sql", path, "select count(*) from events")
            self.assertEqual((ran.returncode, ran.stderr.replace("evt sql", "evt dump")), (dumped.returncode, dumped.stderr), path)
            seen.add(ran.returncode)
        self.assertEqual(seen, {0, 1, 3})

    def test_nothing_in_the_range_is_reported(self):
        ran = run("sql", "--from", "1000s", self.minutes, "select count(*) from spans")
        self.assertEqual((ran.returncode, ran.stderr), (1, "evt sql: --from 1000s is after the end: the trace is from 0.000000000 to 130.000000000\n"))


class Names(SqlTest):
    def test_types_with_names_of_others_have_tables(self):
        self.assertEqual(self.ask(self.hostile, 'select n from "range"'), [{"n": 3}])
        self.assertEqual(self.ask(self.hostile, "select n from \"event.range\"(start := '0s')"), [{"n": 3}])
        self.assertEqual(self.ask(self.hostile, 'select "A_2", field_time from "App.Job"'), [{"A_2": 5, "field_time": 6}])
        self.assertEqual(self.ask(self.hostile, 'select b from "event.app.job"'), [{"b": 1}])
        self.assertEqual(self.ask(self.hostile, 'select l from "quote""d"(start := 0)'), [{"l": [1, 2, 3]}])
        self.assertEqual(self.ask(self.hostile, 'select n from "event.span_times"'), [{"n": 9}])
        self.assertEqual(self.ask(self.hostile, "select count(*) n from span_times"), [{"n": 0}])
        self.assertEqual(self.ask(self.hostile, "select max(a) n from (select unnest(range(3)) a)"), [{"n": 2}])

    def test_text_does_nothing_to_a_terminal(self):
        query = 'select a, [a] as l from "App.Job"'
        self.assertEqual(run("sql", self.hostile, query).stdout, "a                        l\n"
                         "\\x1b[31mred\\xe2\\x80\\xae  ['\\x1b[31mred\\xe2\\x80\\xae']\n")
        for form in ("--csv", "--json"):
            out = run("sql", form, self.hostile, query).stdout
            self.assertNotIn("\x1b", out)
            self.assertNotIn("\u202e", out)
        [row] = self.ask(self.hostile, query)
        self.assertEqual(row, {"a": "\x1b[31mred\u202e", "l": ["\x1b[31mred\u202e"]})


class Outputs(SqlTest):
    def test_rows_go_into_a_file_of_parquet(self):
        out = self.place / "spans.parquet"
        ran = run("sql", self.m, "-o", out, "select * from spans;")
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, "", ""))
        same = ("select (select count(*) from (from spans except all from read_parquet('{0}'))) a, "
                "(select count(*) from (from read_parquet('{0}') except all from spans)) b, count(*) n from spans").format(out)
        [row] = self.ask(self.m, same)
        self.assertEqual((row["a"], row["b"]), (0, 0))
        self.assertGreater(row["n"], 100)

    def test_rows_go_into_files_of_csv_and_json(self):
        query = "select name, begin_ns from spans order by begin_ns"
        for suffix, form in (("csv", "--csv"), ("json", "--json"), ("jsonl", "--json")):
            out = self.place / f"rows.{suffix}"
            self.assertEqual(run("sql", self.m, "-o", out, query).returncode, 0)
            self.assertEqual(out.read_bytes(), subprocess.run([EVT, "sql", self.m, form, query], capture_output=True).stdout)

    def test_a_file_has_the_rows_of_one_query(self):
        two = "create table t as select 1 as a; select a from t; select 2 as b"
        for suffix, form in (("json", "JSON"), ("parquet", "Parquet")):
            ran = run("sql", "-o", self.place / f"two.{suffix}", two)
            self.assertEqual((ran.returncode, ran.stderr), (2, f"evt sql: a {form} file holds the rows of one query, found two\n"))
        self.assertEqual(list(self.place.glob("two*")), [])
        csv = self.place / "two.csv"
        self.assertEqual(run("sql", "-o", csv, two).returncode, 0)
        self.assertEqual(csv.read_bytes().decode(), "a\r\n1\r\n\r\nb\r\n2\r\n")

    def test_numbers_below_0_are_numbers_in_csv(self):
        ran = run("sql", "--csv", "select -5 as a, -1.5::double as b, '-5' as c")
        self.assertEqual((ran.returncode, ran.stdout), (0, "a,b,c\n-5,-1.5,\\x2d5\n"))

    def test_a_wrong_query_makes_no_file(self):
        for suffix in ("parquet", "csv", "json"):
            out = self.place / f"wrong.{suffix}"
            self.assertEqual(run("sql", "-o", out, "select x").returncode, 2)
            self.assertEqual(list(self.place.glob("wrong*")), [])

    def test_parquet_is_made_of_a_query(self):
        ran = run("sql", "-o", self.place / "no.parquet", "create table t (a int)")
        self.assertEqual((ran.returncode, ran.stderr), (2, "evt sql: a Parquet file needs a query, found another statement\n"))

    def test_many_rows_are_not_kept(self):
        """Three million rows in the memory of a thousand."""
        def most_memory(rows):
            code = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True); "
                    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
            return int(subprocess.run([sys.executable, "-c", code, EVT, "sql", "--csv", f"select range as n, 'x' || range from range({rows})"],
                                      capture_output=True, text=True, check=True).stdout)
        self.assertLess(most_memory(3_000_000), most_memory(1000) + 60_000)


    def test_what_has_no_room_in_memory_goes_into_the_cache_folder_for_a_while(self):
        cache = self.place / "deep" / "cache"
        query = ("set memory_limit = '60MB'; select count(*) as n from (select range, md5(range::varchar) as m from range(2000000) "
                 "order by m desc limit 1500000)")
        nowhere = run("sql", query, env={"XDG_CACHE_HOME": "", "HOME": ""})
        self.assertEqual((nowhere.returncode, nowhere.stdout), (3, ""))
        self.assertIn("Out of Memory Error", nowhere.stderr)
        ran = run("sql", "--csv", query, env={"XDG_CACHE_HOME": str(cache)})
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, "n\n1500000\n", ""))
        self.assertEqual([path.relative_to(cache).as_posix() for path in cache.rglob("*")], ["evtrace"])
        self.assertEqual((cache / "evtrace").stat().st_mode & 0o777, 0o700)


    def test_an_output_is_for_those_who_may_read_the_traces(self):
        trace = self.place / "of_owner.evt"
        trace.write_bytes(pathlib.Path(self.minutes).read_bytes())
        for mode in (0o600, 0o640):
            trace.chmod(mode)
            for name in ("made.csv", "made.parquet"):
                made = self.place / name
                made.unlink(missing_ok=True)
                ran = run("sql", str(trace), "select 1 as one", "-o", str(made))
                self.assertEqual((ran.returncode, made.stat().st_mode & 0o777), (0, mode), name)

    def test_what_a_killed_query_left_is_removed_by_the_next(self):
        cache = self.place / "killed"
        env = {"XDG_CACHE_HOME": str(cache)}
        killed = subprocess.Popen([EVT, "sql", "select 'run' || 'ning' as now from range(100000000000)"],
                                  stdout=subprocess.PIPE, env={**os.environ, **env})
        killed.stdout.read(1)
        spill = [path.name for path in (cache / "evtrace").iterdir()]
        self.assertEqual(len(spill), 1)
        # What a living one has stays.
        self.assertEqual(run("sql", "select 1", env=env).returncode, 0)
        self.assertEqual([path.name for path in (cache / "evtrace").iterdir()], spill)
        killed.kill()
        killed.stdout.close()
        killed.wait()
        self.assertEqual(run("sql", "select 1", env=env).returncode, 0)
        self.assertEqual(list((cache / "evtrace").iterdir()), [])


class Views(SqlTest):
    def near(self, found, expected):
        """The percentiles of evt stats are right to 1/256."""
        self.assertLessEqual(abs(int(found) - int(expected)), int(expected) / 128 + 1)

    def test_span_times_are_those_of_stats(self):
        expected = {row["name"]: row for row in self.stats("spans", self.m)}
        rows = self.ask(self.m, "select * from span_times where kind = 'span'")
        self.assertEqual(sorted(row["name"] for row in rows), sorted(expected))
        for row in rows:
            of = expected[row["name"]]
            for column in ("count", "self_ns", "min_ns", "max_ns"):
                self.assertEqual(row[column], int(of[column]), (row["name"], column))
            self.assertEqual(row["sum_ns"], int(of["sum_ns"]))
            for column in ("median_ns", "p90_ns", "p99_ns"):
                self.near(row[column], of[column])

    def test_cpu_by_minute_has_the_time_that_threads_ran(self):
        rows = self.ask(self.minutes, "select minute, cpu, threads, running_ns / 1e9 as s from cpu_by_minute order by minute, cpu")
        self.assertEqual([tuple(row.values()) for row in rows],
                         [("2026-01-01 00:00:00", "0", 1, 60), ("2026-01-01 00:00:00", "1", 1, 50),
                          ("2026-01-01 00:01:00", "0", 1, 60), ("2026-01-01 00:01:00", "1", 1, 10),
                          ("2026-01-01 00:02:00", "0", 1, 10)])
        for trace in (self.m, self.minutes):
            expected = sum(int(row["running_ns"]) for row in self.stats("cpu", trace))
            self.assertEqual(self.ask(trace, "select sum(running_ns) as ns from cpu_by_minute"), [{"ns": expected}])

    def test_event_rates_are_those_of_stats(self):
        expected = {row["event"]: row for row in self.stats("summary", self.m, table=1)}
        rows = self.ask(self.m, "select type, events, per_second from event_rates where events > 0")
        self.assertEqual({row["type"]: row["events"] for row in rows}, {name: int(row["events"]) for name, row in expected.items()})
        for row in rows:
            self.assertAlmostEqual(row["per_second"], float(expected[row["type"]]["rate_per_second"]), places=4)

    def test_stream_losses_are_those_of_stats(self):
        for trace in (self.lossy, ROOT / "testdata/v1/index.evt", self.m):
            ran = run("sql", "--json", trace, "select stream, lost, missing from stream_losses order by stream")
            expected = [{"stream": int(row["stream"]), "lost": int(row["lost"]), "missing": int(row["missing"])}
                        for row in self.stats("summary", trace, table=2)]
            self.assertEqual(json.loads(ran.stdout), expected, trace)
        ran = run("sql", "--csv", self.lossy, "select lost, missing from stream_losses")
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, "lost,missing\n3,0\n", f'evt sql: {self.lossy}: 3 events of stream 1 "s" lost: ring_full\n'))

    def test_slowest_spans_are_those_of_stats(self):
        longest = self.stats("spans", "--longest", "20", self.m, table=-1)
        rows = self.ask(self.m, "select name, duration_ns, begin_ns, self_ns, thread_name from slowest_spans")
        self.assertEqual([(row["name"], row["duration_ns"], row["begin_ns"], row["self_ns"], row["thread_name"]) for row in rows],
                         [(row["name"], int(row["length_ns"]), int(row["began_ns"]), int(row["self_ns"]), row["thread_name"]) for row in longest])

    def test_slowest_spans_have_what_ran_beside_them(self):
        rows = self.ask(self.minutes, "select name, beside from slowest_spans")
        self.assertEqual(rows, [
            {"name": "other", "beside": [{"thread": None, "name": "outer", "ns": 29 * 10**9}, {"thread": None, "name": "inner", "ns": 10 * 10**9}]},
            {"name": "outer", "beside": [{"thread": None, "name": "other", "ns": 29 * 10**9}]},
            {"name": "inner", "beside": [{"thread": None, "name": "other", "ns": 10 * 10**9}]}])

    def test_code_is_that_of_stats(self):
        sampled = self.place / "sampled.folded"
        sampled.write_text("main;run;parse;read 30\nmain;run;run 12\nworker;run;parse 5\n")
        subprocess.run([EVT, "convert", "-q", sampled, "-o", self.place / "sampled.evt"], check=True)
        waited = self.place / "waited.pb"
        waited.write_bytes(WAITS)
        for trace, which, options in ((self.place / "sampled.evt", "not waiting", []), (waited, "waiting", ["--waiting"])):
            columns = ("name", "samples", "sum_ns", "self_ns")
            rows = self.ask(trace, f"select {', '.join(columns)} from code where {which} order by name")
            expected = sorted(({column: row[column] if column == "name" else int(row[column]) if row[column] else None for column in columns}
                               for row in self.stats("stacks", *options, trace, table=1)), key=lambda row: row["name"])
            self.assertGreater(len(rows), 1)
            self.assertEqual(rows, expected)
        self.assertEqual(self.ask(waited, "select waited_ns, weight_ns from samples order by ns"),
                         [{"waited_ns": 30, "weight_ns": None}, {"waited_ns": 12, "weight_ns": None}])

    def test_why_is_what_evt_why_prints(self):
        columns = "time_ns, share_percent, what, level, kind, thread, name, object, resource, cpu, other_thread"
        for words, arguments in ((["outer"], "span := 'outer'"), (["*", "--nth", "2"], "span := '*', nth := 2"),
                                 (["*", "--thread", "7"], "span := '*', thread := '7'"),
                                 (["--thread", "8", "--from", "5", "--to", "30"], "thread := '8', start := '5s', stop := '30s'")):
            printed = json.loads(subprocess.run([EVT, "why", "--json", self.minutes, *words], capture_output=True).stdout)
            rows = self.ask(self.minutes, f"select {columns} from why({arguments})")
            self.assertGreater(len(rows), 0)
            self.assertEqual([(row["what"], row["time_ns"]) for row in rows],
                             [(row["what"], row["time_ns"]) for row in printed["sessions"][0]["causes"]])

    def test_why_without_an_answer_is_refused(self):
        for arguments, sentence in (("span := 'otter'", "no span or call is called otter; did you mean outer"),
                                    ("span := 'outer', nth := 'x'", "nth: expected a number, found x"),
                                    ("nth := 2", "expected the name of a span or call with nth, at and percentile"),
                                    ("at := 'noon'", "at: expected a time like")):
            ran = run("sql", self.minutes, f"select * from why({arguments})")
            self.assertIn(sentence, ran.stderr)
            self.assertNotEqual(ran.returncode, 0)

    def built(self, name, number, build, seconds):
        fact = f'fact 0.000000000 session service.version "{build}"\n' if build else ""
        spans = "".join(f'{i}.000000000 1 begin name="job"\n{i}.{tenths}00000000 1 end\n' for i, tenths in enumerate(seconds))
        return self.trace(name, "evtrace text 1\n"
                          f"session uuid=0x0{number}000000000000000000000000000000 start=1767225600.000000000\n{fact}"
                          "type 1024 begin role=spanBegin (name text role=name)\ntype 1025 end role=spanEnd\n" + 'stream 1 "s"\n' + spans)

    def test_builds_are_compared_by_their_versions(self):
        a, b = self.built("a", 1, "1.0", (1, 2, 3)), self.built("b", 2, "1.1", (2, 4, 6))
        c = self.built("c", 3, "1.1", (4,))
        rows = self.ask(a, b, c, "select * from build_differences")
        self.assertEqual(rows, [{"kind": "span", "name": "job", "before": "1.0", "after": "1.1", "count_before": 3, "count_after": 4,
                                 "median_before_ns": 2 * 10**8, "median_after_ns": 4 * 10**8, "p99_before_ns": 3 * 10**8,
                                 "p99_after_ns": 6 * 10**8, "self_before_ns": 6 * 10**8, "self_after_ns": 16 * 10**8,
                                 "median_percent": 100.0}])

    def test_builds_without_versions_are_traces(self):
        a, b = self.built("d", 4, "", (1, 2, 3)), self.built("e", 5, "", (1, 1, 3))
        [row] = self.ask(a, b, "select before, after, median_percent from build_differences")
        self.assertEqual(row, {"before": "trace 0", "after": "trace 1", "median_percent": -50.0})


class Document(SqlTest):
    def test_queries_of_the_document_have_its_output(self):
        text = (ROOT / "docs" / "SQL.md").read_text()
        blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
        self.assertGreaterEqual(len(blocks), 5)
        folder = self.place / "document"
        folder.mkdir()
        shutil.copy(self.minutes, folder / "app.evt")
        for block in blocks:
            lines = block.splitlines(keepends=True)
            command = "".join(line[2:] for line in lines if line.startswith(("$ ", "> ")))
            output = "".join(line for line in lines if not line.startswith(("$ ", "> ")))
            ran = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True,
                                 env={**os.environ, "PATH": f"{EVT.parent}:{os.environ['PATH']}"})
            self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, output, ""), command)

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
