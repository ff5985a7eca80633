#!/usr/bin/env python3
"""What traces cost as tables: arrays of the C reader, Parquet and RowBinary; and in DuckDB and ClickHouse, beside CSV.

    tables.py BUILD_FOLDER [--events N] [--rounds N]

The traces are of a scheduler (evt_schedule): of threads that run and stop; and, for spans, of calls of theirs too. Rates of
evt and of the reader are of processor time. What engines take is time that passed, as they use all processors; a row there
is an event of a thread that runs, in the columns of its table, or in those of evt dump --csv. EVTRACE_DUCKDB names libduckdb.so;
ClickHouse is in build/cluster, from ./dev cluster. What is not there is left out.
"""
import glob
import os
import pathlib
import shutil
import sys
import tempfile
import time

from figures import Unavailable, arguments_of, measure_parts, print_goals, usage_of

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests" / "export"), str(ROOT / "tests" / "cluster")]

# What is measured: the goal, whether that is a least or a most one, and the unit.
GOALS = {
    "reader, arrays of events": (20, "M events/s"),
    "reader, Arrow, events of a type": (10, "M rows/s"),
    "reader, Arrow, states of threads": (None, "M rows/s"),
    "reader, Arrow, spans": (None, "M rows/s"),
    "to Parquet, all tables": (3, "M rows/s"),
    "to Parquet, size of run and stop": (9, "B a row"),
    "to RowBinary, events of a type": (13, "M rows/s"),
    "to RowBinary, states of threads": (None, "M rows/s"),
    "to RowBinary, spans": (None, "M rows/s"),
    "to CSV, events of a type": (None, "M rows/s"),
    "to CSV, size": (None, "B a row"),
    "DuckDB, load of Parquet": (None, "M rows/s"),
    "DuckDB, load of CSV": (None, "M rows/s"),
    "DuckDB, sums by cpu in Parquet": (None, "ms"),
    "DuckDB, sums by cpu in CSV": (None, "ms"),
    "DuckDB, a hundredth of the time": (20, "ms"),
    "DuckDB, row groups read of it": (None, "% of all"),
    "ClickHouse, load of RowBinary": (None, "M rows/s"),
    "ClickHouse, load of CSV": (None, "M rows/s"),
    "ClickHouse, size from RowBinary": (10, "B a row"),
    "ClickHouse, size from CSV": (None, "B a row"),
    "ClickHouse, sums by cpu": (None, "ms"),
}
AT_MOST = ("B a row", "ms")
RUN = "thread.run"
TABLES = (("events of a type", RUN), ("states of threads", "thread_states"), ("spans", "spans"))


def processor_seconds(command, output="/dev/null"):
    """Of the whole run of a program, which writes there."""
    return usage_of(["sh", "-c", 'exec "$@" >"$0"', output, *command], (0, 1)).processor


def elapsed(work):
    begin = time.monotonic()
    work()
    return time.monotonic() - begin


class Inputs:
    """The traces, their tables, and events as files for engines."""

    def __init__(self, build, folder, events):
        self.folder = folder
        self.evt = os.path.join(build, "bin", "evt")
        os.environ["EVTRACE_READER"] = os.path.join(build, "libtrace-read", "c", "libevtrace-reader.so")
        self.switches = self.path("switches.evt")
        self.calls = self.path("calls.evt")
        usage_of([os.path.join(build, "bin", "evt_schedule"), str(events), self.switches])
        usage_of([os.path.join(build, "bin", "evt_schedule"), "--calls", str(events), self.calls])
        self.parquet, self.csv, self.row_binary = map(self.path, ("tables.parquet", "run.csv", "run.rows"))
        import evtrace
        self.opened = {path: evtrace.open(path) for path in (self.switches, self.calls)}
        self.rows = {name: self.count(self.switches, name) for name in self.opened[self.switches].tables}
        self.rows["spans"] = self.count(self.calls, "spans")
        self.of = {RUN: self.switches, "thread_states": self.switches, "spans": self.calls}

    def path(self, name):
        return os.path.join(self.folder, name)

    def count(self, path, table):
        """By reading all Arrow arrays of the table."""
        return sum(array.length for _, array in self.opened[path].table(table)._batches())

    def all_rows(self):
        """Of all tables of the switches."""
        return sum(rows for name, rows in self.rows.items() if name != "spans")

    def files_of(self, table):
        return glob.glob(f"{self.parquet}/table={table}/*/*/*.parquet")

    def row_binary_of(self, table):
        return [self.evt, "convert", "--format", "rowbinary", "--table", table, self.of[table]]


def reader(inputs):
    """Batches as the library hands them out; nothing is copied."""
    from evtrace._library import _Batch, filled, library
    values = {}
    begin = time.process_time()
    events = inputs.opened[inputs.switches].events()
    handle = events._open()
    seen = 0
    while (batch := filled(library.evtr_next_batch_1, _Batch, handle)) is not None:
        seen += batch.size
    library.evtr_events_close(handle)
    values["reader, arrays of events"] = seen / (time.process_time() - begin) / 1e6
    for what, table in TABLES:
        begin = time.process_time()
        rows = inputs.count(inputs.of[table], table)
        values["reader, Arrow, " + what] = rows / (time.process_time() - begin) / 1e6
    return values


def files(inputs):
    values = {}
    shutil.rmtree(inputs.parquet, ignore_errors=True)
    seconds = processor_seconds([inputs.evt, "convert", inputs.switches, "-o", inputs.parquet])
    values["to Parquet, all tables"] = inputs.all_rows() / seconds / 1e6
    switches = (RUN, "thread.stop")
    size = sum(os.path.getsize(path) for table in switches for path in inputs.files_of(table))
    values["to Parquet, size of run and stop"] = size / sum(inputs.rows[table] for table in switches)
    for what, table in TABLES:
        seconds = processor_seconds(inputs.row_binary_of(table))
        values["to RowBinary, " + what] = inputs.rows[table] / seconds / 1e6
    processor_seconds(inputs.row_binary_of(RUN), inputs.row_binary)
    seconds = processor_seconds([inputs.evt, "dump", "--csv", "--event", RUN, inputs.switches], inputs.csv)
    values["to CSV, events of a type"] = inputs.rows[RUN] / seconds / 1e6
    values["to CSV, size"] = os.path.getsize(inputs.csv) / inputs.rows[RUN]
    return values


def duckdb(inputs):
    if not os.environ.get("EVTRACE_DUCKDB"):
        raise Unavailable("EVTRACE_DUCKDB names no library")
    from duckdb_library import DuckDb
    database = DuckDb(os.environ["EVTRACE_DUCKDB"])
    values = {}
    for name, source in (("Parquet", f"'{inputs.files_of(RUN)[0]}'"), ("CSV", f"read_csv('{inputs.csv}')")):
        seconds = elapsed(lambda: database.query(f"create or replace table t as select * from {source}"))
        values["DuckDB, load of " + name] = inputs.rows[RUN] / seconds / 1e6
        by_cpu = f"select cpu, count(*), sum(thread) from {source} group by cpu order by cpu"
        values["DuckDB, sums by cpu in " + name] = elapsed(lambda: database.query(by_cpu)) * 1e3
    [path] = inputs.files_of(RUN)
    [[least, greatest]] = database.query(f"select min(ns), max(ns) from '{path}'")
    length = int(greatest) - int(least)
    begin, end = int(least) + length // 2, int(least) + length // 2 + length // 100
    narrow = f"select count(*), sum(thread) from '{path}' where ns between {begin} and {end}"
    values["DuckDB, a hundredth of the time"] = elapsed(lambda: database.query(narrow)) * 1e3
    [[read, groups]] = database.query(
        f"select count(*) filter (stats_max_value::bigint >= {begin} and stats_min_value::bigint <= {end}), count(*) "
        f"from parquet_metadata('{path}') where path_in_schema = 'ns'")
    values["DuckDB, row groups read of it"] = 100 * int(read) / int(groups)
    return values


class ClickHouse:
    """One server of the cluster, with a table for the rows and one for the CSV."""

    def __init__(self, build, inputs):
        from cluster import Cluster
        folder = pathlib.Path(build).resolve().parent / "cluster"
        if not (folder / "complete").exists():
            raise Unavailable(f"{folder} has no packages of ClickHouse")
        self.cluster = Cluster(folder)
        self.cluster.start()
        self.inputs = inputs
        for statement in self.made("clickhouse-ddl").split(";\n"):
            if statement.strip():
                self.cluster.query(statement)
        self.insert = self.made("clickhouse-insert", "--table", RUN).rstrip("\n")
        self.cluster.query("create table csv (ns Int64, stream String, event LowCardinality(String), thread UInt64, cpu UInt32, "
                           "rest String) engine = MergeTree order by (stream, ns)")

    def made(self, form, *more):
        out = self.inputs.path("statements")
        processor_seconds([self.inputs.evt, "convert", "--format", form, *more, self.inputs.switches], out)
        return pathlib.Path(out).read_text()

    def load(self, table, statement, path):
        """Rows a second, and bytes a row on disk."""
        self.cluster.query(f"truncate table {table}")
        data = pathlib.Path(path).read_bytes()
        seconds = elapsed(lambda: self.cluster.query(statement, data=data))
        name = table.replace("`", "").split(".", 1)[-1]
        [[rows, size]] = self.cluster.rows(
            f"select sum(rows), sum(bytes_on_disk) from system.parts where active and table = '{name}'")
        assert int(rows) == self.inputs.rows[RUN], (rows, self.inputs.rows[RUN])
        return int(rows) / seconds / 1e6, int(size) / int(rows)

    def measure(self):
        values = {}
        values["ClickHouse, load of RowBinary"], values["ClickHouse, size from RowBinary"] = self.load(
            f"evt.`{RUN}`", self.insert, self.inputs.row_binary)
        values["ClickHouse, load of CSV"], values["ClickHouse, size from CSV"] = self.load(
            "csv", "insert into csv format CSVWithNames", self.inputs.csv)
        by_cpu = f"select cpu, count(*), sum(thread) from evt.`{RUN}` group by cpu order by cpu"
        values["ClickHouse, sums by cpu"] = elapsed(lambda: self.cluster.query(by_cpu)) * 1e3
        return values


def main():
    arguments = arguments_of(__doc__, "build", 5, events=8_000_000)
    left_out = {}
    clickhouse = None
    with tempfile.TemporaryDirectory() as folder:
        inputs = Inputs(arguments.build, folder, arguments.events)
        parts = {"the reader": lambda: reader(inputs), "files": lambda: files(inputs), "DuckDB": lambda: duckdb(inputs)}
        try:
            try:
                clickhouse = ClickHouse(arguments.build, inputs)
                parts["ClickHouse"] = clickhouse.measure
            except Unavailable as error:
                left_out["ClickHouse"] = str(error)
            rounds = [measure_parts(parts, left_out) for _ in range(arguments.rounds)]
        finally:
            if clickhouse is not None:
                clickhouse.cluster.stop()
    rows = ", ".join(f"{inputs.rows[table]:,} of {table}" for _, table in TABLES)
    print(f"tables of {arguments.events:,} events: {inputs.all_rows():,} rows, {rows}")
    print_goals(GOALS, AT_MOST, rounds, left_out, arguments.json)


if __name__ == "__main__":
    main()
