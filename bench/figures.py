"""Figures: what is measured once in each round, and what becomes of the rounds."""
import argparse
import dataclasses
import json
import os
import statistics
import subprocess
import sys


class Unavailable(Exception):
    """Something that cannot be measured here; says why in one sentence."""


class Figures:
    """By name, the values of all rounds; None where a round has none."""

    def __init__(self):
        self.rounds = []
        self.methods = {}

    def add_round(self, values):
        self.rounds.append(values)

    def of(self, name):
        return [values.get(name) for values in self.rounds]

    def ratios(self, name, base):
        """Of each round by itself: what else the machine did in that time is in both."""
        pairs = zip(self.of(name), self.of(base))
        return [a / b if a is not None and b else None for a, b in pairs]

    def names(self):
        return sorted({name for values in self.rounds for name in values})

    def method(self, name):
        return self.methods.get(name) or self.methods.get(name.rpartition(":")[0], "")


def quartiles(values):
    """The lower one, the median, the upper one; None when there is nothing."""
    known = sorted(v for v in values if v is not None)
    if not known:
        return None
    if len(known) == 1:
        return known * 3
    return statistics.quantiles(known, n=4, method="inclusive")


def seconds_of(command, may_be=(0,)):
    """Runs it: the processor time of it and of what it waited for, user and system, and the time that passed. `may_be`:
    the statuses that it may end with."""
    usage = usage_of(command, may_be)
    return usage.processor, usage.passed


def memory_of(command):
    """Runs it: the largest resident memory, in bytes."""
    return usage_of(command).memory


@dataclasses.dataclass
class Usage:
    """What a command and what it waited for took: seconds, and the largest resident memory of a process in bytes."""
    passed: float
    user: float
    system: float
    memory: int

    @property
    def processor(self):
        return self.user + self.system


def usage_of(command, may_be=(0,)):
    meter = os.path.join(os.path.dirname(os.path.abspath(__file__)), "usage.py")
    said = subprocess.run([sys.executable, "-S", meter, *command], stdout=subprocess.PIPE, text=True, check=True).stdout
    try:
        status, passed, user, system, kib = said.split()
        status = int(status)
    except ValueError:
        raise Unavailable(f"{os.path.basename(command[0])} cannot be run: {said.strip()}") from None
    if status not in may_be:
        raise Unavailable(f"{os.path.basename(command[0])} ended with status {status}")
    return Usage(float(passed), float(user), float(system), int(kib) * 1024)


def output_of(command, environment=None):
    """What it prints, or Unavailable."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
                              timeout=300)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"{os.path.basename(command[0])} cannot be run: {error}") from error
    if done.returncode != 0:
        said = (done.stderr.strip().splitlines() or ["without a sentence"])[-1]
        raise Unavailable(f"{os.path.basename(command[0])} ended with status {done.returncode}: {said}")
    return done.stdout


def measure_parts(parts, left_out):
    """The figures of functions by their names, but of those that cannot be measured here: `left_out` gets why."""
    values = {}
    for name, part in parts.items():
        try:
            values.update(part())
        except Unavailable as error:
            left_out[name] = str(error)
    return values


def arguments_of(about, place, rounds, **more):
    """Of a program that takes a folder, --rounds, and numbers that `more` has by name, with what they are if they are not given."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(place)
    for name, usual in {"rounds": rounds, **more}.items():
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--json", help="where all figures go")
    return parser.parse_args()


def print_goals(goals, at_most, rounds, left_out, file=None):
    """Of each figure that some round has: its median, its quartiles, and its goal, which is a least one but for units in
    `at_most`. `goals`: (goal or None, unit) by name. All figures go to `file` as JSON, if it has a name."""
    print(f"  {'':<36}{'median':>10}{'quartiles':>20}")
    for name, (goal, unit) in goals.items():
        found = quartiles([one.get(name) for one in rounds])
        if found is None:
            continue
        low, median, high = found
        text = f"  {name:<36}{median:>10.2f}{low:>10.2f}{high:>10.2f}  {unit}"
        if goal is not None:
            is_reached = median <= goal if unit in at_most else median >= goal
            text += f"  (goal: {goal:g} at {'most' if unit in at_most else 'least'}{'' if is_reached else '; missed'})"
        print(text)
    for name, reason in left_out.items():
        print(f"Left out: {name}: {reason}")
    if file:
        with open(file, "w", encoding="utf-8") as out:
            json.dump({"rounds": rounds, "left_out": left_out}, out, indent=1)
