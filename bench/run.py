#!/usr/bin/env python3
"""What evt run costs programs, beside the goals, and beside other programs that record calls.

    run.py BIN_FOLDER [--rounds N]

In a round each case runs as it is and recorded, next to each other in time, every other round in the opposite order. A
figure is the difference, or the ratio, within a round: the median of the rounds with its quartiles, and the least.
Processor time of a recorded program has that of the recording inside of it, and not what evt run itself takes for
scheduling, merging and the summary: those are figures of their own. What cannot be run here is left out, and named.
"""
import argparse
import csv
import io
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

from figures import Unavailable, quartiles, usage_of

# Case of evt_calls: how often, what one is called, the goal for each way of recording.
CASES = {
    "syscall": (400_000, "a system call", {"typed": 90}),
    "lock": (2_000_000, "a pair on a free lock", {"typed": 3}),
    "buffered": (1_000_000, "ten bytes to a file's buffer", {"typed": None}),
    "function": (4_000_000, "a function of another object", {"counting": 7, "sampled": 7, "timed": 25, "traced": 30}),
}
# Ways of recording.
WAYS = {
    "typed": [],
    "counting": ["--count=calls"],
    "sampled": ["--count"],
    "timed": ["--count=exact"],
    "traced": ["--all-calls"],
}
RARE = 50_000  # calls a second: below, a program may cost 1.05 of what it costs by itself, else 1.15
PEERS = {
    "strace -c": ["strace", "-f", "-c", "-o", "/dev/null"],
    "perf trace -s": ["perf", "trace", "-s", "-o", "/dev/null"],
    "ltrace -c": ["ltrace", "-c", "-o", "/dev/null"],
    "uftrace record": ["uftrace", "record", "--force", "-d", "{folder}/uftrace"],
}


class Bench:
    def __init__(self, bins, folder):
        self.evt = os.path.join(bins, "evt")
        self.calls = os.path.join(bins, "evt_calls")
        self.folder = folder
        self.trace = os.path.join(folder, "run.evt")

    def run(self, options, command, output=subprocess.PIPE):
        """evt run of the command: its summary, and what it printed."""
        done = subprocess.run([self.evt, "run", "--json", *options, "-o", self.trace, "--", *command],
                              stdout=output, stderr=subprocess.PIPE, text=True, cwd=self.folder)
        if done.returncode != 0:
            raise Unavailable(f"evt run {command[0]} ended with status {done.returncode}: {done.stderr.strip()[-200:]}")
        return json.loads(done.stderr[done.stderr.index("{"):]), done.stdout

    def case(self, name, count, before=None):
        """Processor time and elapsed time of one, in ns; `before`: words that run it."""
        command = [self.calls, name, str(count)]
        if before is None:
            out = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
        elif before and before[0] != "evt":
            out = subprocess.run([*before, *command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        else:
            out = self.run(before[1:], command)[1]
        words = out.split()
        if len(words) < 6 or words[0] != name:
            raise Unavailable(f"{before[0]} does not run it here")
        return int(words[3]) / count, int(words[5]) / count


def in_turn(number, one, other):
    """Both, and in which order by the round's number."""
    if number % 2:
        second = other()
        return one(), second
    first = one()
    return first, other()


def calls(bench, number):
    """What a call costs more when it is recorded, in ns of its thread."""
    for name, (count, title, goals) in CASES.items():
        for way, goal in goals.items():
            plain, recorded = in_turn(number, lambda: bench.case(name, count),
                                      lambda: bench.case(name, count, ["evt", "--no-sched", *WAYS[way]]))
            yield f"{title}, {way}, ns", recorded[0] - plain[0], goal


def system(bench, number):
    """Processes and switches, as the system counts them."""
    plain, recorded = in_turn(number, lambda: bench.case("processes", 40), lambda: bench.case("processes", 40, ["evt"]))
    yield "start and end of a process, ms", (recorded[1] - plain[1]) / 1e6, 3
    yield "  its processor time, ms", (recorded[0] - plain[0]) / 1e6, None
    count = 100_000
    none = ["--calls", "none"]
    plain, recorded = in_turn(number, lambda: bench.case("switches", count),
                              lambda: bench.case("switches", count, ["evt", *none]))
    yield "a context switch, us", (recorded[0] - plain[0]) / 1e3, 1.5
    command = [bench.evt, "run", *none, "-o", bench.trace, "--", bench.calls]
    whole = cpu_of([*command, "switches", str(count)]) - cpu_of([*command, "none", "0"])
    yield "  with evt run, merge and summary, us", (whole * 1e9 / count - plain[0]) / 1e3, None


def cpu_of(command):
    return usage_of(command).processor


def threads(bench, _):
    """How far the cpu time of threads is from their own clocks and from the kernel's sums; the worst of four."""
    summary, out = bench.run(["--calls", "threads"], [bench.calls, "threads", "100"])
    if any("perf_event_open" in note for note in summary.get("notes", [])):
        raise Unavailable("cpu by thread: the system refuses records of scheduling")
    text = subprocess.run([bench.evt, "stats", "cpu", "--by", "thread", "--csv", bench.trace], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True).stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    recorded = {row["thread"].rpartition(":")[2]: int(row["running_ns"]) for row in rows}
    worst = {"clock": 0, "schedstat": 0}
    for line in out.splitlines():
        words = line.split()
        if words[0] != "thread":
            continue
        for by, true in (("clock", int(words[3])), ("schedstat", int(words[5]))):
            worst[by] = max(worst[by], abs(recorded.get(words[1], 0) - true) / true * 100)
    yield "cpu by thread beside its clock, %", worst["clock"], 2
    yield "cpu by thread beside schedstat, %", worst["schedstat"], 2


def programs(folder):
    """Programs of a second or so, with what they need in the folder."""
    shuffle = random.Random(1)
    with open(os.path.join(folder, "text"), "w", encoding="utf-8") as file:
        words = [f"{shuffle.randrange(10**6):x}" for _ in range(5000)]
        file.writelines(" ".join(shuffle.choices(words, k=9)) + "\n" for _ in range(160_000))
    with open(os.path.join(folder, "numbers"), "w", encoding="utf-8") as file:
        file.writelines(f"{shuffle.randrange(10**9)}\n" for _ in range(1_500_000))
    with open(os.path.join(folder, "table.sql"), "w", encoding="utf-8") as file:
        file.write("create table t(a integer primary key, b text);\n")
        file.write("insert into t with recursive c(x) as (select 1 union all select x+1 from c where x<400000)"
                   " select x, hex(x*7919) from c;\ncreate index i on t(b);\n"
                   "select count(*), max(b) from t where b like '%7%';\ndelete from t;\n")
    python = "import json\nfor n in range(60):\n  json.loads(json.dumps([{str(i): [i] * 9} for i in range(2500)]))\n"
    return {
        "xz": ["xz", "-T1", "-1", "-k", "-c", "text"],
        "pigz": ["pigz", "-p2", "-k", "-c", "text"],
        "pbzip2": ["pbzip2", "-p2", "-k", "-c", "text"],
        "zstd": ["zstd", "-q", "-9", "-c", "text"],
        "python3": [os.path.realpath(sys.executable), "-c", python],  # a script of that name may start it
        "sqlite3": ["sqlite3", "t.db", ".read table.sql"],
        "sort": ["sort", "numbers"],
    }


def program_of(name, command):
    def measure(bench, number):
        if shutil.which(command[0]) is None:
            raise Unavailable(f"{name} is not installed")

        def plain():
            begin = os.times()
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=bench.folder, check=True, env=env)
            end = os.times()
            clean(bench)
            return end.children_user + end.children_system - begin.children_user - begin.children_system

        def recorded(options):
            summary, _ = bench.run(options, command, subprocess.DEVNULL)
            clean(bench)
            return summary

        env = dict(os.environ, LC_ALL="C")
        os.environ["LC_ALL"] = "C"
        for way in ("typed", "counting", "sampled"):
            base, summary = in_turn(number, plain, lambda: recorded(WAYS[way]))
            rate = sum(row["calls"] for row in summary.get("calls", [])) / base
            goal = 1.3 if way != "typed" else 1.05 if rate < RARE else 1.15
            yield f"{name}, {way}", summary["facts"]["cpu_ns"] / 1e9 / base, goal
            if way == "typed":
                yield f"  thousand calls a second of {name}", rate / 1e3, None

    return measure


def clean(bench):
    path = os.path.join(bench.folder, "t.db")
    if os.path.exists(path):
        os.unlink(path)


def peer_of(name, words):
    def measure(bench, number):
        if words and shutil.which(words[0]) is None:
            raise Unavailable(f"{words[0]} is not installed")
        before = [word.format(folder=bench.folder) for word in words] if words else ["evt"]
        count = 100_000 if not words else 20_000
        plain, recorded = in_turn(number, lambda: bench.case("syscall", count), lambda: bench.case("syscall", count, before))
        yield f"a system call under {name}, elapsed ns", recorded[1] - plain[1], None

    return measure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bins")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="evt-run-") as folder:
        bench = Bench(os.path.abspath(arguments.bins), folder)
        sections = [calls, system, threads]
        sections += [program_of(name, command) for name, command in programs(folder).items()]
        sections += [peer_of(name, words) for name, words in {"evt run": [], **PEERS}.items()]
        values, goals, left_out = {}, {}, []
        for number in range(arguments.rounds):
            for measure in sections:
                try:
                    for title, value, goal in measure(bench, number):
                        values.setdefault(title, []).append(value)
                        goals[title] = goal
                except Unavailable as reason:
                    if str(reason) not in left_out:
                        left_out.append(str(reason))
    print(f"  {'':<44}{'goal':>8}{'median':>10}{'quartiles':>20}{'least':>10}")
    for title, of_rounds in values.items():
        low, median, high = quartiles(of_rounds)
        goal = f"{goals[title]:g}" if goals[title] is not None else ""
        print(f"  {title:<44}{goal:>8}{median:>10.2f}{low:>10.2f}{high:>10.2f}{min(of_rounds):>10.2f}")
    for reason in left_out:
        print(f"Left out: {reason}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
