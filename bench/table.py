#!/usr/bin/env python3
"""The benchmarks as one table: medians of several repetitions in one run, each beside its ratio to that run's floor.

usage: table.py EVT_BENCH [options of google-benchmark...]
"""

import json
import subprocess
import sys

REPETITIONS = 5


def run(program, options):
    command = [program, "--benchmark_format=json", f"--benchmark_repetitions={REPETITIONS}",
               "--benchmark_min_time=0.2", "--benchmark_report_aggregates_only=true",
               "--benchmark_enable_random_interleaving=true", *options]
    output = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    return json.loads(output)["benchmarks"]


def of_one_event(figure):
    """ns of an event: processor time, but wall time where several threads run at once."""
    time = figure["real_time"] if "real_time" in figure["run_name"] else figure["cpu_time"]
    scale = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[figure["time_unit"]]
    # Of several threads google-benchmark gives the time that they need together.
    return time * scale * figure.get("threads", 1) / figure.get("events", 1)


def row(figure, floor):
    name = figure["run_name"].split("/iterations")[0]
    quantiles = [f"{key} {figure[key]:.0f}" for key in figure if key.startswith("p") and key.endswith("_ns")]
    if quantiles:
        return f"{name:<28} {'':>8} {'':>7}  {', '.join(quantiles)} ns, longest {figure['max_us']:.0f} us"
    ns = of_one_event(figure)
    return f"{name:<28} {ns:>8.2f} {ns / floor:>7.2f}"


def main():
    figures = [f for f in run(sys.argv[1], sys.argv[2:]) if f.get("aggregate_name") == "median"]
    floors = [of_one_event(f) for f in figures if f["run_name"] == "Floor"]
    if not floors:
        sys.exit("table.py: the floor was left out: nothing to compare with")
    print(f"{'per event':<28} {'ns':>8} {'floor x':>7}  (medians of {REPETITIONS}; Floor: read the clock, store 16 bytes)")
    for figure in figures:
        print(row(figure, floors[0]))


if __name__ == "__main__":
    main()
