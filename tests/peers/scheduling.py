"""Delays of scheduling beside perf sched latency, of one recording.

    scheduling.py EVT

Records what the machine does for half a second, with as many programs as compete for its processors, and asks both. Where
perf is missing or may not record, that is said and nothing is compared.
"""
import csv
import os
import re
import subprocess
import sys
import tempfile

EVT = os.path.abspath(sys.argv[1])
TYPES = """evtrace text 1
session uuid=0x000102030405460788090a0b0c0d0e0f start=0.000000000
type 4 thread.run role=threadRun (thread u64 role=thread) (cpu u32 role=cpu)
type 5 thread.stop role=threadStop (thread u64 role=thread) (reason enum16 role=reason labels=[1=preempted 3=blocked])
type 6 thread.wake role=threadWake (thread u64 role=thread)
stream 1 "kernel"
"""
# The number of a thread that has ended is -1.
LINE = re.compile(r"\s*-?\d+ \[(\d+)\] +(\d+)\.(\d{9}): +sched:(\w+): (.*)")
SWITCH = re.compile(r".* prev_pid=(\d+) .*prev_state=(\S+) ==> .* next_pid=(\d+) ")
WAKE = re.compile(r".* pid=(\d+) prio=")
# Task, switches, average and longest delay in ms.
LATENCY = re.compile(r"\s+.*:(\d+) +\|[^|]*\| +(\d+) \| avg: +([\d.]+) ms \| max: +([\d.]+) ms")


def output_of(*words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def recorded(folder):
    """None: perf is not there, or may not."""
    path = os.path.join(folder, "perf.data")
    busy = "for i in 1 2 3 4; do (while :; do :; done) & done; sleep 0.5; kill $(jobs -p)"
    try:
        # What perf sched record asks for, but for sched_waking, which perf sched latency passes over in some versions.
        events = [f"--event=sched:sched_{name}" for name in ("switch", "wakeup", "wakeup_new", "migrate_task")]
        subprocess.run(["perf", "record", "-q", "-a", "-R", "-c", "1", "-m", "1024", *events, "-o", path, "bash", "-c", busy],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError):
        return None
    return path


def events_in(script):
    """The events of perf script as those of evt's text form. Number 0 is what processors run that have nothing to do."""
    for line in script.splitlines():
        found = LINE.match(line)
        if not found:
            continue
        cpu, second, ns, event, fields = found.groups()
        at = f"{second}.{ns} 1"
        if event == "sched_switch":
            before, state, after = SWITCH.match(fields).groups()
            if before != "0":
                # Of R+, preempted inside the kernel, perf sched latency takes it that the thread sleeps.
                yield f"{at} thread.stop thread={before} reason={'preempted' if state == 'R' else 'blocked'}"
            if after != "0":
                yield f"{at} thread.run thread={after} cpu={int(cpu)}"
        elif event in ("sched_wakeup", "sched_wakeup_new"):
            yield f"{at} thread.wake thread={WAKE.match(fields).group(1)}"


def lacking_switches(script):
    """Threads that stop without having run, or run twice: while perf begins and ends, it misses some processors."""
    running, lacking = {}, set()
    for event in events_in(script):
        _, _, kind, word = event.split()[:4]
        thread = int(word.removeprefix("thread="))
        if kind != "thread.wake" and running.get(thread) == (kind == "thread.run"):
            lacking.add(thread)
        running[thread] = kind == "thread.run" if kind != "thread.wake" else running.get(thread, False)
    return lacking


def delays_of_perf(path):
    found = (LATENCY.match(line) for line in output_of("perf", "sched", "-i", path, "latency", "-p").splitlines())
    return {int(m[1]): (int(m[2]), float(m[3]), float(m[4])) for m in found if m and m[1] != "0"}


def delays_of_evt(script, folder):
    text, trace = os.path.join(folder, "t.txt"), os.path.join(folder, "t.evt")
    with open(text, "w", encoding="utf-8") as to:
        to.write(TYPES + "".join(event + "\n" for event in events_in(script)))
    subprocess.run([EVT, "convert", text, "-o", trace], check=True)
    rows = csv.DictReader(output_of(EVT, "stats", "latency", "--table", "threads", "--csv", trace).splitlines())
    return {int(row["thread"]): (int(row["count"]), int(row["sum_ns"]) / 1e6, int(row["max_ns"]) / 1e6)
            for row in rows if row["delays"] == "all" and row["count"] != "0"}


def differ(perf, evt):
    """perf prints microseconds. To perf, a thread that runs when it is seen first, or anew, has waited for 0 ms."""
    count, mean, longest = perf or (0, 0, 0)
    of_evt, total, longest_of_evt = evt or (0, 0, 0)
    return not 0 <= count - of_evt <= 2 or abs(count * mean - total) > 0.001 * count or abs(longest - longest_of_evt) > 0.001


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = recorded(folder)
        if path is None:
            print("perf sched record is not there, or not allowed: delays are not compared")
            return 0
        script = output_of("perf", "script", "-i", path, "--ns", "-F", "tid,cpu,time,event,trace")
        theirs, ours, lacking = delays_of_perf(path), delays_of_evt(script, folder), lacking_switches(script)
    wrong = [thread for thread in sorted((theirs.keys() | ours.keys()) - lacking)
             if differ(theirs.get(thread), ours.get(thread))]
    for thread in wrong:
        print(f"WRONG thread {thread}: perf {theirs.get(thread)}, evt {ours.get(thread)}: count, mean ms or sum ms, longest ms")
    compared = theirs.keys() - lacking
    print(f"{sum(theirs[thread][0] for thread in compared)} delays of {len(compared)} threads beside perf sched latency; "
          f"of {len(lacking)} threads perf missed switches")
    return 1 if wrong or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
