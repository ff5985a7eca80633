#!/usr/bin/env python3
"""Folders of Parquet that evt convert writes, as two readers of others have them: DuckDB and hyparquet.

    parquet_consumers_test.py EVT LIBRARY    the command, and libevtrace-reader.so

EVTRACE_DUCKDB names libduckdb.so; EVT_HYPARQUET and EVT_FZSTD the package.json of these packages of npm. What is not there is
skipped. The truth is what the module evtrace reads of the same traces, by Arrow.
"""
import collections
import glob
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVT, LIBRARY = (pathlib.Path(each).resolve() for each in sys.argv[1:3])
os.environ["EVTRACE_READER"] = str(LIBRARY)
sys.path.insert(0, str(ROOT / "python"))
import evtrace  # noqa: E402
from duckdb_library import DuckDb  # noqa: E402

DUCKDB = os.environ.get("EVTRACE_DUCKDB")
HYPARQUET = os.path.dirname(os.environ.get("EVT_HYPARQUET", ""))
FZSTD = os.path.dirname(os.environ.get("EVT_FZSTD", ""))


def whole_numbers(values):
    return [value for value in values if isinstance(value, int) and not isinstance(value, bool)]


class ParquetTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        place = pathlib.Path(cls.folder.name)
        traces = []
        for name in ("kinds_of_numbers", "kinds_of_texts", "arrays", "enumerations", "several_streams", "lost"):
            path = ROOT / "testdata" / "v1" / f"{name}.evt"
            if path.exists():
                traces.append(path)
        subprocess.run([EVT.parent / "mandelbrot", place / "m.evt"], check=True, stdout=subprocess.DEVNULL)
        lines = ["evtrace text 1", "session uuid=0x200102030405460788090a0b0c0d0e0f start=1767225600.000000000",
                 "type 1024 long.tick (n i32) (name text) (maybe u8 absent=0)", 'stream 1 "s"']
        lines += [f'{i // 10**9}.{i % 10**9:09} 1 long.tick n={i * 7919 % 100003 - 5000} name="n{i % 10}" maybe={i % 3}'
                  for i in range(300000)]
        (place / "long.txt").write_text("\n".join(lines) + "\n")
        subprocess.run([EVT, "convert", place / "long.txt", "-o", place / "long.evt"], check=True)
        traces += [place / "m.evt", place / "long.evt"]
        cls.out = place / "tables.parquet"
        cls.convert(traces, cls.out)
        cls.truth = cls.read(traces)

    @staticmethod
    def convert(traces, out):
        ran = subprocess.run([EVT, "convert", *traces, "-o", out], capture_output=True, text=True)
        assert ran.returncode in (0, 1), ran.stderr

    @staticmethod
    def read(traces):
        """Rows by table and session's uuid."""
        rows = collections.defaultdict(list)
        for path in traces:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                with evtrace.open(path) as trace:
                    uuids = {session.key: str(session.uuid) for session in trace.sessions}
                    for name in trace.tables:
                        for row in trace.table(name):
                            rows[name, uuids[row["session"]]].append(row)
        return rows

    def files(self):
        """(table, uuid): the file, of all that were written."""
        found = {}
        for path in glob.glob(f"{self.out}/table=*/date=*/host=*/*.parquet"):
            table = path.split("/table=")[1].split("/")[0]
            found[table, pathlib.Path(path).stem] = path
        return found

    def test_there_is_a_file_for_each_table_with_rows(self):
        self.assertEqual(sorted(self.files()), sorted(self.truth))

    @unittest.skipUnless(DUCKDB, "EVTRACE_DUCKDB names no library")
    def test_duckdb_reads_every_column(self):
        duckdb = DuckDb(DUCKDB)
        for key, path in self.files().items():
            rows = self.truth[key]
            for column in rows[0]:
                values = [row[column] for row in rows if row[column] is not None]
                with self.subTest(table=key[0], column=column):
                    [[count, of]] = duckdb.query(f"select count(*), count(\"{column}\") from '{path}'")
                    self.assertEqual((int(count), int(of)), (len(rows), len(values)))
                    numbers = whole_numbers(values)
                    if numbers and column not in ("time", "start"):
                        found = duckdb.query(f"select sum(\"{column}\"::hugeint), min(\"{column}\"), max(\"{column}\") from '{path}'")
                        self.assertEqual([int(each) for each in found[0]], [sum(numbers), min(numbers), max(numbers)])
                    if values and isinstance(values[0], str):
                        [[least, greatest]] = duckdb.query(f"select min(\"{column}\"), max(\"{column}\") from '{path}'")
                        in_bytes = sorted(value.encode() for value in values)
                        if b"\0" not in in_bytes[0] + in_bytes[-1]:
                            self.assertEqual((least.encode(), greatest.encode()), (in_bytes[0], in_bytes[-1]))

    @unittest.skipUnless(DUCKDB, "EVTRACE_DUCKDB names no library")
    def test_duckdb_has_times_to_the_nanosecond(self):
        duckdb = DuckDb(DUCKDB)
        for key, path in self.files().items():
            if "time" not in self.truth[key][0]:
                continue
            [[least]] = duckdb.query(f"select epoch_ns(min(time)) from '{path}'")
            self.assertEqual(int(least), min(row["time"] for row in self.truth[key]), key)

    @unittest.skipUnless(DUCKDB, "EVTRACE_DUCKDB names no library")
    def test_duckdb_reads_a_fleet_by_its_partitions(self):
        found = DuckDb(DUCKDB).query(
            f"select host, count(*), count(distinct session) from read_parquet('{self.out}/table=streams/**/*.parquet', "
            "hive_partitioning = true) group by host order by 1 nulls first")
        streams = [rows for (table, _), rows in self.truth.items() if table == "streams"]
        self.assertEqual(sum(int(row[1]) for row in found), sum(len(rows) for rows in streams))
        self.assertEqual(sum(int(row[2]) for row in found), len(streams))

    @unittest.skipUnless(DUCKDB, "EVTRACE_DUCKDB names no library")
    def test_row_groups_have_ranges_of_time_by_which_they_are_skipped(self):
        [path] = [path for (table, _), path in self.files().items() if table == "long.tick"]
        groups = DuckDb(DUCKDB).query(
            "select stats_min_value::bigint, stats_max_value::bigint, row_group_num_rows from "
            f"parquet_metadata('{path}') where path_in_schema = 'ns' order by row_group_id")
        self.assertEqual([int(group[2]) for group in groups], [122880, 122880, 54240])
        for before, behind in zip(groups, groups[1:]):
            self.assertLess(int(before[1]), int(behind[0]))

    @unittest.skipUnless(HYPARQUET and FZSTD, "EVT_HYPARQUET and EVT_FZSTD name no packages")
    def test_hyparquet_reads_every_column(self):
        files = self.files()
        keys = {path: key for key, path in files.items()}
        ran = subprocess.run(["node", ROOT / "tests" / "export" / "read_parquet.mjs", HYPARQUET, FZSTD, *keys],
                             capture_output=True, text=True, check=True)
        seen = 0
        for line in map(json.loads, ran.stdout.splitlines()):
            rows = self.truth[keys[line["file"]]]
            values = [row[line["name"]] for row in rows if row[line["name"]] is not None]
            with self.subTest(table=keys[line["file"]][0], column=line["name"]):
                self.assertEqual((line["rows"], line["count"]), (len(rows), len(values)))
                numbers = whole_numbers(values)
                if "sum" in line and line["name"] not in ("time", "start"):
                    self.assertEqual((int(line["sum"]), int(line["least"]), int(line["greatest"])),
                                     (sum(numbers), min(numbers), max(numbers)))
            seen += 1
        self.assertEqual(seen, sum(len(self.truth[key][0]) for key in files))

    def test_the_same_again_is_the_same_files(self):
        before = {path: pathlib.Path(path).read_bytes() for path in self.files().values()}
        place = pathlib.Path(self.folder.name)
        self.convert([place / "m.evt", place / "long.evt"], self.out)
        self.assertEqual(before, {path: pathlib.Path(path).read_bytes() for path in self.files().values()})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
