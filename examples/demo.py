#!/usr/bin/env python3
"""Records a parallel program, finds out where its time went, kills another one, and shows that no event was lost.

    demo.py BIN_FOLDER FOLDER

BIN_FOLDER has evt, mandelbrot and parsort; the traces go to FOLDER. Exit status: 0, or 1 if a command failed or if the
trace of the killed program differs from the events that the program counted.
"""
import json
import os
import struct
import subprocess
import sys
import time

TALLY = struct.Struct("<QQ48x")  # EventTally of work_stealing.h: events begun, events done
ENOUGH_EVENTS = 5000


class Demo:
    def __init__(self, programs, folder):
        self.programs = programs
        self.folder = folder

    def output(self, *command, stderr=subprocess.DEVNULL):
        """What the command prints on standard output."""
        path = [os.path.join(self.programs, command[0]), *command[1:]]
        return subprocess.run(path, cwd=self.folder, stdout=subprocess.PIPE, stderr=stderr, text=True, check=True).stdout

    def show(self, *command):
        print(f"$ {' '.join(command)}")
        print(self.output(*command, stderr=subprocess.STDOUT), end="", flush=True)

    def record(self):
        print("Four threads render the frames of a fractal, and record what they do:")
        self.show("mandelbrot", "demo.evt")
        self.show("evt", "dump", "--relative", "--limit", "2", "demo.evt")
        self.show("evt", "stats", "threads", "--sort", "waiting", "--top", "3", "demo.evt")

    def explain(self):
        """One sentence, with figures from `evt stats`."""
        answer = json.loads(self.output("evt", "stats", "share,threads", "--json", "demo.evt"))
        session = answer["sessions"][0]
        time_of, threads = session["share"]["time"], session["threads"]
        running = sum(thread["running_ns"] for thread in threads["threads"])
        waits = max(threads["waiting"], key=lambda wait: wait["waiting_ns"])
        names = {thread["thread"]: thread["name"] for thread in threads["threads"]}
        print(f"\nFound out: {running / time_of['wall_ns']:.2f} of {len(threads['threads'])} threads ran on average; "
              f"for {seconds(time_of['serial_ns'])} of {seconds(time_of['wall_ns'])} only one ran.\n"
              f"{names[waits['thread']]} waited longest, {seconds(waits['waiting_ns'])} in all, "
              f"reason {waits['waits_for']}: for the slowest thread of each frame.")
        if len(os.sched_getaffinity(0)) < len(threads["threads"]):
            print("This machine has fewer cpus than threads: they took turns, and \"ran\" includes waiting for a cpu.")

    def view(self):
        """The timeline, as a page in a file."""
        print("\nThe same as a timeline, in a page to be opened in a browser:")
        self.show("evt", "view", "-o", "demo.html", "demo.evt")
        print(f"It is {os.path.join(self.folder, 'demo.html')}.")

    def kill(self, workers):
        """Whether the trace of a killed program has all events that the program had recorded."""
        command = ["parsort", "-n", "1000000", "-c", "5000", "-r", "0", "-w", str(workers), "-o", "killed.evt", "-t", "tally"]
        print(f"\nA parallel quicksort, which sorts until it is killed:\n$ {' '.join(command)} & sleep 1; kill -KILL $!", flush=True)
        tally = os.path.join(self.folder, "tally")
        for name in ("killed.evt", "tally"):
            if os.path.exists(os.path.join(self.folder, name)):
                os.unlink(os.path.join(self.folder, name))
        program = subprocess.Popen([os.path.join(self.programs, command[0]), *command[1:]], cwd=self.folder)
        begin = time.monotonic()
        while program.poll() is None and (time.monotonic() < begin + 1 or sum(done_of(tally)) < ENOUGH_EVENTS):
            time.sleep(0.01)
        program.kill()
        if program.wait() != -9:
            print(f"parsort ended by itself, with status {program.returncode}, before it was killed")
            return False
        self.show("evt", "check", "--recover", "killed.evt")
        recovered = int(self.output("evt", "dump", "--count", "killed.evt"))
        begun, done = (sum(counts) for counts in zip(*read_tally(tally)))
        in_the_making = begun - done  # each worker may have been killed between its event and its tally
        equal = done <= recovered <= begun
        print(f"Events recorded, by the program's own tally: {done}"
              + (f", and {in_the_making} in the making" if in_the_making else "")
              + f"\nEvents in the trace:                         {recovered}\n"
              + ("No event was lost." if equal else "These differ."))
        return equal


def read_tally(path):
    """(begun, done) of each worker so far."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return []
    return list(TALLY.iter_unpack(data))


def done_of(path):
    return [done for _, done in read_tally(path)]


def seconds(ns):
    return f"{ns / 1e9:.3f} s"


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: demo.py BIN_FOLDER FOLDER")
    demo = Demo(os.path.abspath(sys.argv[1]), sys.argv[2])
    try:
        demo.record()
        demo.explain()
        equal = demo.kill(workers=min(4, max(2, len(os.sched_getaffinity(0)))))
        demo.view()
    except subprocess.CalledProcessError as error:
        sys.exit(f"demo: {os.path.basename(error.cmd[0])} ended with status {error.returncode}")
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
