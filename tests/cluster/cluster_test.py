#!/usr/bin/env python3
"""Traces in a cluster of ClickHouse: two servers that replicate each other, and two that are shards.

    cluster_test.py EVT FOLDER    the command, and a folder as cluster.py has it

EVTRACE_DUCKDB names libduckdb.so; without it, nothing is compared with DuckDB. The cluster ends with the test.
"""
import collections
import csv
import functools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "export"))
from cluster import DEADLINE, NODES, Cluster, Refused, Unreachable, wait_until  # noqa: E402
from duckdb_library import DuckDb  # noqa: E402

EVT, FOLDER = (pathlib.Path(each).resolve() for each in sys.argv[1:3])
DUCKDB = os.environ.get("EVTRACE_DUCKDB")
SESSIONS = 100
MEANWHILE = 30  # of them, while a node is killed
EVENTS = 2000  # about, of each session
LOADED = ("thread_states", "spans")
# The same in SQL of ClickHouse and of DuckDB.
QUESTIONS = (
    "select count(*), count(distinct session), count(distinct thread) from {thread_states}",
    "select state, count(*), sum(to_ns - from_ns), max(to_ns - from_ns) from {thread_states} group by state order by state",
    "select name, count(*), sum(duration_ns), sum(self_ns), min(duration_ns), max(duration_ns) from {spans} "
    "where outcome = 'ended' group by name order by name",
)


def convert(form, traces, *more):
    ran = subprocess.run([EVT, "convert", "--format", form, *more, *traces], capture_output=True)
    assert ran.returncode in (0, 1), ran.stderr.decode()
    return ran.stdout


def insert_statement(traces, table, database):
    # The server puts a new line behind it itself.
    return convert("clickhouse-insert", traces, "--table", table, "--database", database).decode().rstrip("\n")


@functools.cache
def rows_of(trace, table):
    return convert("rowbinary", [trace], "--table", table)


def schedules(folder, count):
    """Traces of a scheduler, each of a session of its own."""
    traces = [pathlib.Path(folder) / f"{number}.evt" for number in range(count)]
    for trace in traces:
        subprocess.run([EVT.parent / "evt_schedule", "--calls", str(EVENTS), trace], check=True)
    return traces


def blocks(language):
    """Those of docs/FLEET.md that are fenced as this language."""
    return re.findall(f"```{language}\\n(.*?)```", (ROOT / "docs" / "FLEET.md").read_text(), re.DOTALL)


def asked(question, name_of):
    for table in LOADED:
        question = question.replace("{" + table + "}", name_of(table))
    return question


class Database:
    """A database of a cluster, with tables for traces."""

    def __init__(self, cluster, name, traces, cluster_name="evt"):
        self.cluster = cluster
        self.name = name
        self.inserts = {}  # by table
        statements = convert("clickhouse-ddl", traces, "--database", name, "--cluster", cluster_name).decode()
        for statement in statements.split(";\n"):
            if statement.strip():
                cluster.query(statement)

    def insert(self, trace, table, node=1):
        if table not in self.inserts:
            self.inserts[table] = insert_statement([trace], table, self.name)
        self.cluster.query(self.inserts[table], node, rows_of(trace, table))

    def load(self, trace, node=1):
        for table in LOADED:
            self.insert(trace, table, node)

    def answers(self, node=1):
        return [self.cluster.rows(asked(each, lambda table: f"`{self.name}`.`{table}`"), node) for each in QUESTIONS]

    def content(self, node, where="1"):
        """By table, how many rows the node has itself, and a sum of hashes of all their values."""
        found = {}
        for table in LOADED:
            own = f"`{self.name}_local`.`{table}`"
            columns = [row[0] for row in self.cluster.rows(f"describe table {own}", node) if row[2] != "ALIAS"]
            values = ", ".join(f"ifNull(toString(`{column}`), '-')" for column in columns)
            [found[table]] = self.cluster.rows(f"select count(), sum(cityHash64({values})) from {own} where {where}", node)
        return found

    def wait_until_equal(self):
        """Until both nodes have the same; returns it, and how many seconds that took."""
        begin = time.monotonic()
        wait_until(lambda: self.content(1) == self.content(2), "the nodes differ")
        return self.content(1), time.monotonic() - begin


class OneShard(unittest.TestCase):
    """Both nodes are replicas of all."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.cluster = Cluster(FOLDER)
        cls.addClassCleanup(cls.cluster.stop)
        cls.cluster.start()
        cls.traces = schedules(folder.name, SESSIONS)
        cls.fleet = Database(cls.cluster, "fleet", cls.traces[:1])
        for trace in cls.traces:
            cls.fleet.load(trace)
        cls.truth, _ = cls.fleet.wait_until_equal()

    def test_each_session_is_there_once(self):
        for table in LOADED:
            [[sessions]] = self.cluster.rows(f"select count(distinct session) from fleet.{table}")
            self.assertEqual(sessions, str(SESSIONS), table)

    def test_the_same_load_again_changes_nothing(self):
        for trace in self.traces:
            self.fleet.load(trace, 2)
        self.assertEqual((self.fleet.content(1), self.fleet.content(2)), (self.truth, self.truth))

    @unittest.skipUnless(DUCKDB, "EVTRACE_DUCKDB names no library")
    def test_answers_are_those_of_duckdb_over_parquet(self):
        out = self.folder / "fleet.parquet"
        subprocess.run([EVT, "convert", *self.traces, "-o", out], check=True)
        duckdb = DuckDb(DUCKDB)
        for question, answer in zip(QUESTIONS, self.fleet.answers()):
            with self.subTest(question=question):
                found = duckdb.query(asked(question, lambda table: f"read_parquet('{out}/table={table}/**/*.parquet')"))
                self.assertEqual(answer, found)
                self.assertGreater(len(answer), 0)

    def test_answers_are_those_of_evt_stats(self):
        calls = collections.defaultdict(lambda: [0, 0])
        running = 0
        for trace in self.traces:
            for row in self.stats("spans", trace, "function"):
                calls[row["function"]][0] += int(row["count"])
                calls[row["function"]][1] += int(row["self_ns"])
            running += sum(int(row["running_ns"]) for row in self.stats("threads", trace, "thread"))
        _, states, spans = self.fleet.answers()
        # Not the sum of durations, in which statistics count calls of a function inside of itself once.
        self.assertEqual({row[0]: [int(row[1]), int(row[3])] for row in spans}, dict(calls))
        self.assertEqual([int(row[2]) for row in states if row[0] == "running"], [running])

    @staticmethod
    def stats(analysis, trace, first):
        """The rows of the first table of the analysis that begins with this column."""
        ran = subprocess.run([EVT, "stats", analysis, "--csv", trace], check=True, capture_output=True, text=True)
        table = next(each for each in ran.stdout.split("\n\n") if each.startswith(first + ","))
        return list(csv.DictReader(table.splitlines()))

    def test_a_node_that_is_killed_while_rows_are_loaded_has_them_all_later(self):
        database = Database(self.cluster, "killed", self.traces[:1])
        loading = threading.Event()
        killer = threading.Thread(target=lambda: (loading.wait(), self.cluster.kill("node1")))
        killer.start()
        retried = 0
        for number, trace in enumerate(self.traces[:MEANWHILE]):
            if number == MEANWHILE // 3:
                loading.set()
            retried += self.load_somewhere(database, trace)
        killer.join()
        self.assertGreater(retried, 0)
        self.cluster.start_node(1)
        late = database.content(1)
        content, seconds = database.wait_until_equal()
        print(f"\nspans of node 1 when it is there again: {late['spans'][0]}; {seconds:.1f} s later: {content['spans'][0]}")
        loaded = f"session in (select session from {database.name}.spans)"
        self.assertEqual(content, self.fleet.content(1, loaded))
        self.assertEqual(self.cluster.rows("select count(distinct session) from killed.spans"), [[str(MEANWHILE)]])

    @staticmethod
    def load_somewhere(database, trace):
        """On the first node, or else on the other: what was loaded in part comes again. How often that failed."""
        end = time.monotonic() + DEADLINE
        attempts = 0
        while True:
            try:
                database.load(trace, NODES[attempts % 2])
                return attempts
            except (Refused, Unreachable):
                attempts += 1
                if time.monotonic() > end:
                    raise

    def test_values_of_all_columns_come_back_as_they_are(self):
        traces = [ROOT / "testdata" / "v1" / f"{name}.evt" for name in
                  ("arrays", "enumerations", "facts", "kinds_of_numbers", "kinds_of_texts", "lost", "meaning", "readme")]
        Database(self.cluster, "kinds", traces)
        self.cluster.query("create database kinds_copy")
        for [table] in self.cluster.rows("show tables from kinds"):
            with self.subTest(table=table):
                # Rows stay in their order in memory alone.
                self.cluster.query(f"create table kinds_copy.`{table}` as kinds.`{table}` engine = Memory")
                rows = convert("rowbinary", traces, "--table", table)
                self.cluster.query(insert_statement(traces, table, "kinds_copy"), data=rows)
                columns = ", ".join(f"`{row[0]}`" for row in self.cluster.rows(f"describe table kinds.`{table}`")
                                    if row[2] != "ALIAS")
                self.assertEqual(
                    self.cluster.query(f"select {columns} from kinds_copy.`{table}` format RowBinary"), rows)
                self.cluster.query(insert_statement(traces, table, "kinds"), data=rows)
                [[count, copied]] = self.cluster.rows(
                    f"select count(), (select count() from kinds_copy.`{table}`) from kinds.`{table}`")
                self.assertEqual(count, copied)

    def test_a_table_with_other_columns_is_refused(self):
        traces = []
        for number, kind in enumerate(("u8", "text")):
            text = self.folder / f"{kind}.txt"
            text.write_text("evtrace text 1\n"
                            f"session uuid=0x{number + 1:032x} start=1767225600.000000000\n"
                            f"type 1024 app.done (n {kind})\nstream 1 \"s\"\n")
            traces.append(text.with_suffix(".evt"))
            subprocess.run([EVT, "convert", text, "-o", traces[-1]], check=True)
        Database(self.cluster, "other", traces[:1])
        Database(self.cluster, "other", traces[:1])
        with self.assertRaisesRegex(Refused, "table app.done has other columns"):
            Database(self.cluster, "other", traces[1:])

    def test_commands_of_the_document_work(self):
        place = self.folder / "document"
        (place / "spool").mkdir(parents=True)
        for trace in self.traces[:3]:
            (place / "spool" / trace.name).symlink_to(trace)
        client = place / "clickhouse-client"
        client.write_text(f"#!/bin/sh\nLD_LIBRARY_PATH='{self.cluster.environment()['LD_LIBRARY_PATH']}' "
                          f"exec {' '.join(map(str, self.cluster.client()))} \"$@\"\n")
        client.chmod(0o755)
        [commands] = blocks("bash")
        ran = subprocess.run(["bash", "-euo", "pipefail", "-c", commands], capture_output=True, text=True, cwd=place,
                             env={**os.environ, "PATH": f"{place}:{EVT.parent}:{os.environ['PATH']}"})
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        [[sessions, spans]] = self.cluster.rows("select (select count() from evt.sessions), (select count() from evt.spans)")
        self.assertEqual(sessions, "3")
        self.assertGreater(int(spans), 0)

    @unittest.skipUnless(DUCKDB, "EVTRACE_DUCKDB names no library")
    def test_questions_of_the_document_have_answers(self):
        out = self.folder / "tables.parquet"
        subprocess.run([EVT, "convert", *self.traces[:3], "-o", out], check=True)
        [questions] = blocks("sql")
        duckdb = DuckDb(DUCKDB)
        for question in questions.replace("'tables.parquet", f"'{out}").replace("'rollup", f"'{self.folder}/rollup").split(";"):
            if question.strip():
                self.assertGreater(len(duckdb.query(question)), 0, question)
        self.assertEqual(duckdb.query(f"select count(distinct name) from '{self.folder}/rollup.parquet'"), [["24"]])


class TwoShards(unittest.TestCase):
    """Each node has its part of the sessions."""

    def test_the_rows_of_a_session_are_on_one_node(self):
        with tempfile.TemporaryDirectory() as folder:
            cluster = Cluster(FOLDER)
            self.addCleanup(cluster.stop)
            cluster.start(shards=True)
            traces = schedules(folder, 20)
            database = Database(cluster, "fleet", traces[:1], "evt_shards")
            for trace in traces:
                database.load(trace)
            everywhere = collections.Counter()
            for node in NODES:
                sessions = set()
                for table in LOADED:
                    sessions |= {row[0] for row in cluster.rows(f"select distinct session from fleet_local.`{table}`", node)}
                self.assertGreater(len(sessions), 0)
                everywhere.update(sessions)
            self.assertEqual((len(everywhere), set(everywhere.values())), (20, {1}))
            [[joined]] = cluster.rows("select count() from fleet.spans any inner join fleet_local.thread_states using session")
            [[all_spans]] = cluster.rows("select count() from fleet.spans")
            self.assertEqual(joined, all_spans)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
