"""Statistics of GHC's programs as evt computes them from logs, beside what the runtime system says itself.

    collector.py BIN FOLDER

BIN has evt; the program is compiled, and run, in FOLDER. Collections and sparks are compared with +RTS -s, the heap with the
.hp file that -hT writes beside the log.
"""
import csv
import os
import re
import subprocess
import sys

from compare import compile_program

RUNS = {"usual": ["-N2"], "one_capability": [], "small_areas": ["-N2", "-A256k"], "nonmoving": ["-N2", "-xn"]}
#   Gen  0       147 colls,   147 par    0.129s   0.401s     0.0027s    0.0150s
GENERATION = re.compile(r"  Gen +(\d+) +(\d+) colls, +\d+ par +[\d.]+s +([\d.]+)s +[\d.]+s +([\d.]+)s")
SPARKS = re.compile(r"  SPARKS: (\d+) \((\d+) converted, (\d+) overflowed, (\d+) dud, (\d+) GC'd, (\d+) fizzled\)")


def table_of(evt, log, analysis, table, *options):
    said = subprocess.run([evt, "stats", analysis, "--table", table, "--csv", *options, log], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True)
    return list(csv.DictReader(said.stdout.splitlines()))


def run(program, folder, *options):
    """What +RTS -s says, and the log."""
    log = os.path.join(folder, "collector.eventlog")
    said = subprocess.run([program, "100", "+RTS", "-l", "-ol" + log, "-s/dev/stderr", *options], check=True,
                          cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return said.stderr, log


def collections_differ(said, evt, log):
    """Times are in ms there, the longest in tenths of one."""
    theirs = {m[1]: (int(m[2]), float(m[3]), float(m[4])) for m in GENERATION.finditer(said)}
    ours = {row["generation"]: (int(row["collections"]), int(row["sum_ns"]) / 1e9, int(row["max_ns"]) / 1e9)
            for row in table_of(evt, log, "gc", "pauses") if row["generation"] != "all"}
    same = theirs.keys() == ours.keys() and all(
        a[0] == b[0] and abs(a[1] - b[1]) <= 0.0011 and abs(a[2] - b[2]) <= 0.00011
        for a, b in ((theirs[each], ours[each]) for each in theirs))
    return None if theirs and same else f"+RTS -s {theirs}, evt {ours}: collections, seconds, longest"


def sparks_differ(said, evt, log):
    theirs = tuple(int(number) for number in SPARKS.search(said).groups())
    rows = [row for row in table_of(evt, log, "gc", "sparks") if row["stream"] == "all"]
    ours = tuple(int(rows[0][name]) for name in ("all", "converted", "overflowed", "dud", "collected", "fizzled"))
    return None if theirs == ours else f"+RTS -s {theirs}, evt {ours}: sparks"


def samples_of(path):
    """Bytes by name, of the samples of a .hp file that have any."""
    samples = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("BEGIN_SAMPLE"):
                samples.append({})
            elif "\t" in line:
                name, size = line.rstrip("\n").split("\t")
                samples[-1][name] = samples[-1].get(name, 0) + int(size)
    return [sample for sample in samples if sample]


def heap_differs(program, folder, evt):
    _, log = run(program, folder, "-N2", "-hT", "-i0.005")
    samples = samples_of(os.path.join(folder, os.path.basename(program) + ".hp"))
    theirs = {name: (sum(name in sample for sample in samples), *(f(sample.get(name, 0) for sample in samples) for f in (min, max)),
                     samples[-1].get(name, 0)) for sample in samples for name in sample}
    ours = {row["name"]: tuple(int(row[key]) for key in ("samples", "min_bytes", "max_bytes", "last_bytes"))
            for row in table_of(evt, log, "heap", "heap")}
    if samples and theirs == ours:
        print(f"ok    heap: {len(ours)} names in {len(samples)} samples")
        return None
    wrong = sorted(name for name in theirs.keys() | ours.keys() if theirs.get(name) != ours.get(name))
    return "\n".join(f".hp {theirs.get(name)}, evt {ours.get(name)}: {name}: samples, least, most, last" for name in wrong)


def main():
    evt, folder = os.path.join(os.path.abspath(sys.argv[1]), "evt"), os.path.abspath(sys.argv[2])
    os.makedirs(folder, exist_ok=True)
    program = compile_program("Threads", folder)
    failed = False
    for name, options in RUNS.items():
        said, log = run(program, folder, *options)
        wrong = list(filter(None, (collections_differ(said, evt, log), sparks_differ(said, evt, log))))
        print(f"WRONG {name}: {'; '.join(wrong)}" if wrong else f"ok    {name}")
        failed |= bool(wrong)
    if wrong := heap_differs(program, folder, evt):
        print(f"WRONG heap:\n{wrong}")
        failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
