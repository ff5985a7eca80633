#!/usr/bin/env python3
"""Whether emitting, reading and statistics need more instructions than in an earlier build, and what time some take.

usage: against.py BIN_FOLDER EARLIER_BIN_FOLDER
       against.py BIN_FOLDER --reference FILE COMPILER
       against.py BIN_FOLDER --write FILE COMPILER REVISION

--reference compares with the instructions in FILE, which --write counted in a build of REVISION by COMPILER. It exits with
status 3 if only a build of REVISION can decide: another compiler made FILE's build, or BIN_FOLDER needs more instructions.

Instructions decide: callgrind counts the same in each run, whatever else the machine does. A figure fails if an event needs
a tenth more. Times are printed beside, as they also have what instructions do not: caches and locks. They decide nothing, as
they depend on where a linker put a loop: of each figure and of its floor the least of all rounds, both builds in turn. A
floor is code of a build, too, and one that became faster must not make its figure slower: it is the less of both builds.
"""
import json
import os
import subprocess
import sys
import tempfile

TIMES = {"emit": ("EmitC", "Floor"), "count": ("ReadOrdered/8", "WalkRows"), "dump": ("ReadAsText/people", "WalkRows")}
ROUNDS = 5
ALLOWED = 1.10
UNDECIDED = 3


def run(folder, names, *options, under=()):
    command = [*under, os.path.join(folder, "evt_bench"), "--benchmark_format=json", *options,
               f"--benchmark_filter=^({'|'.join(names)})(/[a-z_]+(:[0-9]+)?)*$"]
    output = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    return json.loads(output)["benchmarks"]


def measure_times(folder, least):
    for each in run(folder, {name for pair in TIMES.values() for name in pair}, "--benchmark_min_time=0.02"):
        name = each["run_name"].replace("/process_time", "")
        time = each["cpu_time"] * {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[each["time_unit"]]
        least[name] = min(time, least.get(name, time))


def instructions_in(function, folder, benchmark, iterations=1):
    """Of one call of a function of a benchmark, by event; of the threads that call it."""
    with tempfile.TemporaryDirectory() as scratch:
        profile = os.path.join(scratch, "profile")
        callgrind = ["valgrind", "--tool=callgrind", f"--toggle-collect=*::{function}(*", f"--callgrind-out-file={profile}"]
        (of_benchmark,) = run(folder, {benchmark}, "--benchmark_min_time=0.001", under=callgrind)
        with open(profile) as lines:
            total = next(int(line.split()[1]) for line in lines if line.startswith("totals:"))
    if total == 0 or of_benchmark["iterations"] != iterations:
        sys.exit(f"against.py: {benchmark} has no single call of {function} to count: {total} instructions, "
                 f"{of_benchmark['iterations']} iterations")
    return total / iterations / of_benchmark["events"]


def instructions_of(command):
    """Of a whole process, all of its threads."""
    with tempfile.TemporaryDirectory() as scratch:
        profile = os.path.join(scratch, "profile")
        subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", *command],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        with open(profile) as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith("summary:"))


def instructions_by_size(command, make, sizes):
    """By event: what a command needs for a larger trace more than for a smaller one, so without its start and end."""
    with tempfile.TemporaryDirectory() as scratch:
        counts = []
        for size in sizes:
            path = os.path.join(scratch, f"{size}.evt")
            make(size, path)
            counts.append((instructions_of([*command, path]), events_of(command[0], path)))
    (fewer, few), (more, many) = counts
    return (more - fewer) / (many - few)


def events_of(evt, path):
    return int(subprocess.run([evt, "dump", "--count", path], stdout=subprocess.PIPE, check=True).stdout)


def measure_statistics(folder, makers):
    """Whole runs of evt, on traces of the schedule and of 1,000 slow streams that programs in `makers` write."""
    evt = os.path.join(folder, "evt")

    def statistics(analysis, *option):
        def make(events, path):
            subprocess.run([os.path.join(makers, "evt_schedule"), *option, str(events), path], check=True)

        return instructions_by_size([evt, "stats", analysis, "--no-checkpoints"], make, (100_000, 300_000))

    def slow_streams(minutes, path):
        subprocess.run([os.path.join(makers, "evt_slow_streams"), "1000", str(minutes), path], check=True,
                       stdout=subprocess.DEVNULL)

    return {"cpu": statistics("cpu"),
            "calls": statistics("calls", "--calls"),
            "complete calls": statistics("calls", "--complete"),
            "1,000 streams": instructions_by_size([evt, "dump", "--count"], slow_streams, (2, 5))}


def measure_instructions(folder, makers):
    """The benchmarks that read first make a trace in memory, each event emitted and flushed by the same thread."""
    emit = instructions_in("interleaved", folder, "ReadOrdered/8")
    return {"emit": emit,
            # By the thread that emits.
            "emit to a ring": instructions_in("emit_pairs_to", folder, "EmitToNewRing", iterations=5_000),
            "count": instructions_in("ReadOrdered", folder, "ReadOrdered/8") - emit,
            "dump": instructions_in("ReadAsText", folder, "ReadAsText/people") - emit,
            **measure_statistics(folder, makers)}


def compare(now, before):
    """Prints both; returns which need more than is allowed."""
    for what, count in now.items():
        print(f"{what:<14} {count:8.1f} instructions an event        "
              f"before {before[what]:8.1f}, now {count / before[what]:.3f} of that")
    return [what for what, count in now.items() if count > ALLOWED * before[what]]


def compare_with_reference(folder, file, compiler):
    with open(file) as lines:
        reference = json.load(lines)
    if reference["compiler"] != compiler:
        print(f"{file} is of {reference['compiler']}, this build is of {compiler}")
        return UNDECIDED
    more = compare(measure_instructions(folder, folder), reference["instructions"])
    if more:
        print(f"more instructions than a tenth above {file}: {', '.join(more)}")
    return UNDECIDED if more else 0


def write_reference(folder, file, compiler, revision):
    counts = {what: round(count, 1) for what, count in measure_instructions(folder, folder).items()}
    with open(file, "w") as to:
        json.dump({"revision": revision, "compiler": compiler, "instructions": counts}, to, indent=2)
        to.write("\n")
    return 0


def compare_builds(folder, earlier_folder):
    least, least_earlier = {}, {}
    for _ in range(ROUNDS):
        measure_times(folder, least)
        measure_times(earlier_folder, least_earlier)
    for what, (figure, floor) in TIMES.items():
        of_floor = min(least[floor], least_earlier[floor])
        print(f"{what:<14} {least[figure] / of_floor:8.2f} times the time of {floor:<9} "
              f"before {least_earlier[figure] / of_floor:8.2f}, now {least[figure] / least_earlier[figure]:.3f} of that")
    # An earlier program may not write what is measured today.
    more = compare(measure_instructions(folder, folder), measure_instructions(earlier_folder, folder))
    if more:
        print(f"more instructions than a tenth above the earlier build: {', '.join(more)}")
    return 1 if more else 0


def main(arguments):
    if len(arguments) == 2:
        return compare_builds(*arguments)
    if len(arguments) == 4 and arguments[1] == "--reference":
        return compare_with_reference(arguments[0], *arguments[2:])
    if len(arguments) == 5 and arguments[1] == "--write":
        return write_reference(arguments[0], *arguments[2:])
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
