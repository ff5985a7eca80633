#!/usr/bin/env python3
"""Which code took the time of programs that people use, under evt run: beside perf, and beside what a program does by its own clock.

usage: profiles_test.py EVT [unittest options]

A program or compiler that is not installed is skipped by its name.
"""
import collections
import csv
import io
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

EVT = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else "evt"
SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs")

# How to compile the program of known shares; {} is the name of the result.
COMPILERS = {
    "gcc, static": ["gcc", "-O2", "-static", "-o", "{}", "burning.c", "-lpthread"],
    "gcc, no frame pointers, not PIE": ["gcc", "-O2", "-fomit-frame-pointer", "-no-pie", "-o", "{}", "burning.c"],
    "clang": ["clang", "-O2", "-o", "{}", "burning.c"],
    "rustc": ["rustc", "-O", "-o", "{}", "burning.rs"],
    "go": ["go", "build", "-o", "{}", "burning.go"],
}
SHARES = {"half": 50, "third": 30, "little": 15, "tiny": 5}

WORK = """import random
random.seed(1)
words = [str(random.random()) for _ in range(300000)]
for _ in range(6):
    counts = {}
    for word in words:
        counts[word[:5]] = counts.get(word[:5], 0) + 1
    words.sort(key=lambda word: word[::-1])
"""
QUERY = """with recursive n(i) as (select 1 union all select i + 1 from n where i < 1500000)
select count(*), sum(length(hex(i) || 'x')), max(substr(i, 2)) from n where i % 7 <> 3;"""


def deviation(share, samples):
    """One standard deviation of a share that is estimated by so many samples: of a binomial."""
    return math.sqrt(share * (1 - share) / samples)


class Profiles(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="evt-profiles-")
        self.addCleanup(self.folder.cleanup)
        self.environment = dict(os.environ, LC_ALL="C", HOME=self.folder.name, TMPDIR=self.folder.name)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run_it(self, *words):
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder.name, env=self.environment,
                              timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stderr.decode(errors="replace")[-2000:])
        return done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")

    def needs(self, program):
        if shutil.which(program) is None:
            self.skipTest(f"{program} is not installed")

    def record(self, *words):
        _, report = self.run_it(EVT, "run", "--samples", "997", "--calls", "none", "-o", "t.evt", "--", *words)
        if "perf_event_open" in report:
            self.skipTest(report)

    def profile(self, *options):
        """Of each function: the samples that were in itself, and the share of those that were in what it calls, too."""
        text, _ = self.run_it(EVT, "stats", "stacks", "--csv", *options, "t.evt")
        rows = list(csv.DictReader(io.StringIO(text[text.rindex("\r\n\r\n") + 4:])))
        return {row["name"]: (int(row["samples"]), float(row["sum_percent"]) / 100) for row in rows}

    def test_shares_are_those_of_the_programs_own_clock_whatever_compiled_it(self):
        for name, words in COMPILERS.items():
            with self.subTest(compiler=name):
                if shutil.which(words[0]) is None:
                    self.skipTest(f"{words[0]} is not installed")
                program = self.path("burning")
                # rustc of rustup wants the user's own folder.
                subprocess.run([word.replace("{}", program) for word in words], cwd=SOURCES, check=True,
                               env=dict(os.environ, GOCACHE=self.path("go")))
                self.record(program, *(["plain"] if "burning.c" in words else []), "1000")
                profile = self.profile()
                samples = sum(count for count, _ in profile.values())
                found = {re.split(r"::|\.", function)[-1]: total for function, (_, total) in profile.items()}
                self.assertGreater(samples, 300, found)
                for function, percent in SHARES.items():
                    share = percent / 100
                    self.assertAlmostEqual(found[function], share, delta=3 * deviation(share, samples) + 0.01, msg=f"{function} of {found}")
                self.assertAlmostEqual(found["inner"], 0.8, delta=3 * deviation(0.8, samples) + 0.01)
                self.assertGreater(found["outer"], 0.97)

    def aliases(self, modules):
        """One name of those that symbols of a file give to one address; perf and evt may choose different ones."""
        chosen = {}
        for module in modules:
            notes = subprocess.run(["readelf", "-n", module], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout
            identity = re.search(r"Build ID: (..)([0-9a-f]+)", notes)
            debug = f"/usr/lib/debug/.build-id/{identity[1]}/{identity[2]}.debug" if identity else ""
            names = collections.defaultdict(set)
            for words in (["nm", module], ["nm", "-D", module], ["nm", debug]):
                text = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout
                for address, name in re.findall(r"^([0-9a-f]+) [A-Za-z] ([^@\n]+)", text, re.MULTILINE):
                    names[address].add(name)
            chosen.update((name, min(each)) for each in names.values() for name in each)
        return chosen

    def samples_of_perf(self, *words):
        """Samples by the function that ran, and how many; functions without a symbol count for their module."""
        self.needs("perf")
        self.run_it("perf", "record", "-q", "-e", "cpu-clock:u", "-F", "997", "--call-graph", "dwarf", "-o", "p.data", *words)
        text, _ = self.run_it("perf", "script", "--no-inline", "-i", "p.data", "-F", "ip,sym,dso")
        innermost = [block.strip().splitlines()[0] for block in text.split("\n\n") if block.strip()]
        found = [re.match(r"\s*[0-9a-f]+ (.+) \((.*)\)$", line).groups() for line in innermost]
        chosen = self.aliases({module for _, module in found if os.path.exists(module)})
        counts = collections.Counter(os.path.basename(module).strip("[]") if name == "[unknown]" else chosen.get(name, name)
                                     for name, module in found)
        return counts, chosen

    def agrees_with_perf(self, *words):
        """The functions that took most of the time have the shares that perf finds, of the same kind of sample in another run."""
        self.needs(words[0])
        theirs, ours = collections.Counter(), collections.Counter()
        for _ in range(4):  # by turns, as two runs of a program are not the same: samples of one are not independent
            counts, chosen = self.samples_of_perf(*words)
            theirs += counts
            self.record(*words)
            for name, (count, _) in self.profile().items():
                ours[name.split("+0x")[0].strip("[]") if "+0x" in name else chosen.get(name, name).strip("[]")] += count
        here, there = sum(ours.values()), sum(theirs.values())
        self.assertGreater(min(here, there), 600)
        for name, count in theirs.most_common(20):
            pooled = (count + ours[name]) / (here + there)
            allowed = 3 * math.sqrt(pooled * (1 - pooled) * (1 / here + 1 / there)) + 0.04
            self.assertAlmostEqual(ours[name] / here, count / there, delta=allowed, msg=f"{name}: {count} of {there} and {ours[name]} of {here}")

    def test_of_a_database_are_those_of_perf(self):
        self.agrees_with_perf("sqlite3", ":memory:", QUERY)

    def test_of_a_compressor_are_those_of_perf(self):
        text = " ".join(str(number * 7919 % 100_003) for number in range(500_000))
        with open(self.path("text"), "w", encoding="ascii") as file:
            file.write(text)
        self.agrees_with_perf("xz", "-6", "--keep", "--stdout", "text")

    def test_of_an_interpreter_are_those_of_perf(self):
        # Debian's, which has no debug information: evt would name functions that were inlined, and perf is asked not to.
        self.agrees_with_perf("/usr/bin/python3", "-c", WORK)


if __name__ == "__main__":
    del sys.argv[1:2]
    unittest.main(verbosity=2)
