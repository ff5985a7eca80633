#!/usr/bin/env python3
"""Whether emitting, counting and dumping need more instructions than in an earlier build, and what time both take.

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
               f"--benchmark_filter=^({'|'.join(names)})(/[a-z_]+)*$"]
    output = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    return json.loads(output)["benchmarks"]


def measure_times(folder, least):
    for each in run(folder, {name for pair in TIMES.values() for name in pair}, "--benchmark_min_time=0.02"):
        name = each["run_name"].replace("/process_time", "")
        time = each["cpu_time"] * {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[each["time_unit"]]
        least[name] = min(time, least.get(name, time))


def instructions_in(function, folder, benchmark):
    """Of one call of a function of a benchmark, by event."""
    with tempfile.TemporaryDirectory() as scratch:
        profile = os.path.join(scratch, "profile")
        callgrind = ["valgrind", "--tool=callgrind", f"--toggle-collect=*::{function}(*", f"--callgrind-out-file={profile}"]
        (of_benchmark,) = run(folder, {benchmark}, "--benchmark_min_time=0.001", under=callgrind)
        with open(profile) as lines:
            total = next(int(line.split()[1]) for line in lines if line.startswith("totals:"))
    if total == 0 or of_benchmark["iterations"] != 1:
        sys.exit(f"against.py: {benchmark} has no single call of {function} to count: {total} instructions, "
                 f"{of_benchmark['iterations']} iterations")
    return total / of_benchmark["events"]


def measure_instructions(folder):
    """The benchmarks that read first make a trace in memory, each event emitted and flushed by the same thread."""
    emit = instructions_in("interleaved", folder, "ReadOrdered/8")
    return {"emit": emit,
            "count": instructions_in("ReadOrdered", folder, "ReadOrdered/8") - emit,
            "dump": instructions_in("ReadAsText", folder, "ReadAsText/people") - emit}


def compare(now, before):
    """Prints both; returns which need more than is allowed."""
    for what, count in now.items():
        print(f"{what:<6} {count:8.1f} instructions an event        "
              f"before {before[what]:8.1f}, now {count / before[what]:.3f} of that")
    return [what for what, count in now.items() if count > ALLOWED * before[what]]


def compare_with_reference(folder, file, compiler):
    with open(file) as lines:
        reference = json.load(lines)
    if reference["compiler"] != compiler:
        print(f"{file} is of {reference['compiler']}, this build is of {compiler}")
        return UNDECIDED
    more = compare(measure_instructions(folder), reference["instructions"])
    if more:
        print(f"more instructions than a tenth above {file}: {', '.join(more)}")
    return UNDECIDED if more else 0


def write_reference(folder, file, compiler, revision):
    counts = {what: round(count, 1) for what, count in measure_instructions(folder).items()}
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
        print(f"{what:<6} {least[figure] / of_floor:8.2f} times the time of {floor:<9} "
              f"before {least_earlier[figure] / of_floor:8.2f}, now {least[figure] / least_earlier[figure]:.3f} of that")
    more = compare(measure_instructions(folder), measure_instructions(earlier_folder))
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
