"""The command evt sql, and traces to ask: what all tests of it share.

The first word of the command line is the command; mandelbrot is beside it. EVTRACE_DUCKDB names libduckdb.so; without it
all is skipped.
"""
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

EVT = pathlib.Path(sys.argv[1]).resolve()
HAS_DUCKDB = bool(os.environ.get("EVTRACE_DUCKDB"))

SESSION = 'session uuid=0x00010203040506070000000000000000 start=1767225600.000000000 program="shop"\n'
# Two threads on two cpus, over two full minutes; a span in another.
MINUTES = f"""evtrace text 1
{SESSION}type 1024 run role=threadRun (thread u32 role=thread) (cpu u16 role=cpu)
type 1025 stop role=threadStop (thread u32 role=thread)
type 1026 begin role=spanBegin (thread u32 role=thread) (name text role=name)
type 1027 end role=spanEnd (thread u32 role=thread)
stream 1 "s"
0.000000000 1 run thread=7 cpu=0
10.000000000 1 run thread=8 cpu=1
10.000000000 1 begin thread=8 name="outer"
11.000000000 1 begin thread=7 name="other"
20.000000000 1 begin thread=8 name="inner"
30.000000000 1 end thread=8
40.000000000 1 end thread=8
61.000000000 1 end thread=7
70.000000000 1 stop thread=8
130.000000000 1 stop thread=7
"""
LOSSY = f"""evtrace text 1
{SESSION}type 1024 tick (n u8)
stream 1 "s"
0.000000001 1 tick n=1
0.000000002 1 !lost count=3 cause=ring_full duration=0.000000000
"""
HOSTILE = f"""evtrace text 1
{SESSION}type 1024 range (n u8)
type 1025 "App.Job" (a text) (A u32) (time u8)
type 1026 app.job (b u8)
type 1027 "quote\\"d" (l u8[])
type 1028 span_times (n u8)
stream 1 "s"
0.000000001 1 range n=3
0.000000002 1 "App.Job" a="\\x1b[31mred\\xe2\\x80\\xae" A=5 time=6
0.000000003 1 app.job b=1
0.000000004 1 "quote\\"d" l=[1 2 3]
0.000000005 1 span_times n=9
"""


def run(*words, text="", env=None):
    return subprocess.run([EVT, *words], input=text, capture_output=True, text=True, env={**os.environ, **(env or {})})


@unittest.skipUnless(HAS_DUCKDB, "EVTRACE_DUCKDB names no library")
class SqlTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.place = pathlib.Path(cls.folder.name)
        os.environ["XDG_CACHE_HOME"] = str(cls.place / "cache")
        cls.m = cls.place / "m.evt"
        subprocess.run([EVT.parent / "mandelbrot", cls.m], check=True, stdout=subprocess.DEVNULL)
        cls.minutes = cls.trace("minutes", MINUTES)
        cls.lossy = cls.trace("lossy", LOSSY)
        cls.hostile = cls.trace("hostile", HOSTILE)

    @classmethod
    def trace(cls, name, text):
        path = cls.place / f"{name}.evt"
        (cls.place / f"{name}.txt").write_text(text)
        subprocess.run([EVT, "convert", cls.place / f"{name}.txt", "-o", path], check=True)
        return path

    def ask(self, *words, status=0):
        """Rows of the query, as JSON has them."""
        ran = run("sql", "--json", *words)
        self.assertEqual((ran.returncode, ran.stderr), (status, ""), words)
        return json.loads(ran.stdout)

    def stats(self, analysis, *words, table=0):
        """Rows of one of the tables, as CSV has them."""
        out = subprocess.run([EVT, "stats", analysis, "--csv", *words], capture_output=True).stdout.decode()
        return list(csv.DictReader(io.StringIO(out.split("\r\n\r\n")[table])))
