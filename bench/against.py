#!/usr/bin/env python3
"""Whether emitting, counting and dumping became slower than an earlier build.

usage: against.py BIN_FOLDER EARLIER_BIN_FOLDER

Both builds run in turn. Of each figure the least of all rounds counts: what else the machine does only adds. Its floor is
the least that either build needed for that: a floor is code of a build, too, and one that became faster must not make its
figure slower. A figure fails if its ratio to the floor is more than a tenth above the earlier build's, after twice more
rounds.
"""
import json
import os
import subprocess
import sys

FIGURES = {"emit": ("EmitC", "Floor"), "count": ("ReadOrdered/8", "WalkRows"), "dump": ("ReadAsText/people", "WalkRows")}
ROUNDS = 5
ATTEMPTS = 3
ALLOWED = 1.10


def measure(folder, least):
    names = "|".join({name for pair in FIGURES.values() for name in pair})
    command = [os.path.join(folder, "evt_bench"), "--benchmark_format=json", "--benchmark_min_time=0.02",
               f"--benchmark_filter=^({names})(/[a-z_]+)*$"]
    output = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    for run in json.loads(output)["benchmarks"]:
        name = run["run_name"].replace("/process_time", "")
        time = run["cpu_time"] * {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[run["time_unit"]]
        least[name] = min(time, least.get(name, time))


def ratios(least, least_of_other):
    return {what: least[figure] / min(least[floor], least_of_other[floor]) for what, (figure, floor) in FIGURES.items()}


def main(folder, earlier_folder):
    least, least_earlier = {}, {}
    for attempt in range(ATTEMPTS):
        for _ in range(ROUNDS):
            measure(folder, least)
            measure(earlier_folder, least_earlier)
        now, before = ratios(least, least_earlier), ratios(least_earlier, least)
        slower = [what for what in FIGURES if now[what] > ALLOWED * before[what]]
        if not slower:
            break
        print(f"{', '.join(slower)} slower after {(attempt + 1) * ROUNDS} rounds", flush=True)
    for what, (figure, floor) in FIGURES.items():
        print(f"{what:<6} {figure:<18} {now[what]:8.3f} times {floor:<9} before {before[what]:8.3f}, "
              f"now {now[what] / before[what]:.3f} of that")
    return 1 if slower else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
