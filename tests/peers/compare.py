"""GHC eventlogs as evt reads them, event by event beside what the library ghc-events reads.

    compare.py BIN FOLDER [LOG...]

BIN has evt; programs are compiled, and logs made, in FOLDER. Further logs are compared too. Events are sorted by time,
and by capability where times are equal, before they are compared: what a log does not say is not compared.
"""
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

# What the runtime system is reported to record, and how: each makes other events.
RUNS = {
    "usual": ["-N2", "-l"],
    "all": ["-N2", "-la"],
    "sparks": ["-N2", "-lf"],
    "one_capability": ["-l"],
    "four_capabilities": ["-N4", "-la"],
    "user_events": ["-N2", "-l-au"],
    "nothing": ["-N2", "-l-a"],
    "heap_profile": ["-N2", "-l", "-hT", "-i0.005"],
    "nonmoving": ["-N2", "-l", "-xn"],
    "small_areas": ["-N2", "-la", "-A256k"],
}

STOPS = ["none", "heap_overflow", "stack_overflow", "yielding", "blocked", "finished", "foreign_call", "mvar", "black_hole",
         "read", "write", "delay", "stm", "do_proc", "", "", "ccall", "interruptible_ccall", "throw_to", "migrating",
         "mvar_read", "io_completion"]
# Fields that the library has no name for.
NOT_COMPARED = {"info", "type", "more", "flags"}


def compile_program(name, folder):
    program = os.path.join(folder, name)
    objects = program + ".objects"
    os.makedirs(objects, exist_ok=True)
    subprocess.run(["ghc", "-v0", "-O", "-threaded", "-eventlog", "-rtsopts", "-outputdir", objects, "-o", program,
                    os.path.join(HERE, name + ".hs")], check=True)
    return program


def value_of(event, name, value):
    if name == "status":
        return str(STOPS.index(value) if value in STOPS else value)
    if isinstance(value, list):
        return " ".join(str(each) for each in value)
    return str(value).replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")


def events_of_evt(evt, log):
    dumped = subprocess.run([evt, "dump", "--json", log], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if dumped.returncode > 1:
        raise SystemExit(dumped.stderr.decode())
    for line in dumped.stdout.decode("utf-8", "surrogateescape").splitlines():
        event = json.loads(line)
        fields = " ".join(f"{name}={value_of(event['event'], name, value)}" for name, value in event["fields"].items()
                          if name not in NOT_COMPARED)
        yield event["ns"], event["stream"], event["event"], fields


def events_of_library(program, log):
    dumped = subprocess.run([program, log], stdout=subprocess.PIPE, check=True)
    for line in dumped.stdout.decode("utf-8", "surrogateescape").splitlines():
        ns, stream, name, fields = line.split("\t", 3)
        yield int(ns), stream, name, fields


def differences(ours, theirs):
    if len(ours) != len(theirs):
        yield f"{len(ours)} events, by ghc-events {len(theirs)}"
    for mine, other in zip(ours, theirs):
        # Of events whose fields the library does not show, time and capability are compared.
        length = 2 if other[2] == "?" else 4
        if mine[:length] != other[:length]:
            yield f"evt {mine}, ghc-events {other}"


def compare(evt, library, log):
    in_order = lambda event: (event[0], event[1])
    ours = list(events_of_evt(evt, log))
    if [event[0] for event in ours] != sorted(event[0] for event in ours):
        print(f"{os.path.basename(log)}: not in order of time")
        return False
    wrong = list(differences(sorted(ours, key=in_order), sorted(events_of_library(library, log), key=in_order)))
    print(f"{os.path.basename(log)}: {len(ours)} events, {'the same' if not wrong else str(len(wrong)) + ' differences'}")
    for each in wrong[:5]:
        print("  " + each)
    return not wrong


def statistics(evt, analysis, log):
    said = subprocess.run([evt, "stats", analysis, "--json", "--no-checkpoints", log], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout
    return json.loads(said)["sessions"][0][analysis]


def running_by_library(log):
    """Running time of each thread, as ghc-events profile threads says it; None where it gives up on the log."""
    said = subprocess.run(["ghc-events", "profile", "threads", log], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    text = said.stdout.decode("utf-8", "replace")
    if said.returncode != 0 or not text.startswith("Trace:") or "Error" in text or "(fail)" in text:
        return None
    running = {}
    for thread, ns in re.findall(r"\((\d+),\(ThreadRunning,\d+,(\d+)\)\)", text):
        running[int(thread)] = running.get(int(thread), 0) + int(ns)
    return running or None


def collecting_by_events(evt, log):
    """From GC_START to GC_END of each capability, added up."""
    dumped = subprocess.run([evt, "dump", "--json", "--event", "ghc.gc_start", "--event", "ghc.gc_end", log],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()
    began, times = {}, {}
    for event in map(json.loads, dumped.splitlines()):
        stream = event["stream"]
        if event["event"] == "ghc.gc_start":
            began[stream] = event["ns"]
        elif stream in began:
            times[stream] = times.get(stream, 0) + event["ns"] - began.pop(stream)
    return times, bool(began)


def compare_statistics(evt, log):
    name = os.path.basename(log)
    good = True
    theirs = running_by_library(log)
    if theirs is None:
        print(f"{name}: ghc-events does not profile it")
    else:
        ours = {row["thread"]: row["running_ns"] for row in statistics(evt, "cpu", log)["cpu"] if row["running_ns"] > 0}
        theirs = {thread: ns for thread, ns in theirs.items() if ns > 0}
        good = ours == theirs
        print(f"{name}: running time of {len(ours)} threads, {'the same' if good else 'not the same'}")
        for thread in sorted(set(ours) | set(theirs)):
            if ours.get(thread) != theirs.get(thread):
                print(f"  thread {thread}: evt {ours.get(thread)}, ghc-events {theirs.get(thread)}")
    times, unended = collecting_by_events(evt, log)
    said = statistics(evt, "gc", log).get("capabilities", [])
    ours = {row["name"]: row["collector_ns"] for row in said if row["collector_ns"] > 0}
    if not unended and ours != {stream: ns for stream, ns in times.items() if ns > 0}:
        print(f"{name}: time of collectors, evt {ours}, by events {times}")
        good = False
    return good


def main():
    evt = os.path.join(sys.argv[1], "evt")
    folder = sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    library = compile_program("DumpLog", folder)
    program = compile_program("Threads", folder)
    logs = list(sys.argv[3:])
    for name, options in RUNS.items():
        log = os.path.join(folder, name + ".eventlog")
        subprocess.run([program, "+RTS", *options, "-ol" + log], check=True, stdout=subprocess.DEVNULL, cwd=folder)
        logs.append(log)
    same = [compare(evt, library, log) for log in logs] + [compare_statistics(evt, log) for log in logs]
    if not all(same):
        sys.exit(1)


if __name__ == "__main__":
    main()
