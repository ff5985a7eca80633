"""LTTng-UST at its defaults, with the session daemon that runs, or one that goes when the benchmark does."""
import glob
import os
import re
import shutil
import subprocess
import time

from figures import Unavailable, output_of, seconds_of
from programs import EVENTS

HERE = os.path.dirname(os.path.abspath(__file__))
PID_OF_DAEMON = "/var/run/lttng/lttng-sessiond.pid"  # that the system started


class Lttng:
    name = "LTTng-UST"

    def __init__(self, folder):
        self.folder = folder
        self.trace = os.path.join(folder, "lttng-trace")
        self.daemon = None
        self.pid = 0
        # Where it keeps what it knows, and for anybody but root its sockets.
        self.environment = {**os.environ, "LTTNG_HOME": folder}
        self.program = os.path.join(folder, "lttng_emit")
        peers = os.path.join(HERE, "peers")
        output_of(["gcc", "-O2", "-I" + peers, os.path.join(peers, "lttng_emit.c"), "-o", self.program, "-llttng-ust",
                   "-ldl", "-lpthread"])
        self.start_daemon()

    def start_daemon(self):
        if self.answers():
            self.pid = running_daemon()
            return
        try:
            self.daemon = subprocess.Popen(["lttng-sessiond", "--no-kernel", "--quiet"], stdin=subprocess.DEVNULL,
                                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment)
        except OSError as error:
            raise Unavailable(f"lttng-sessiond cannot be run: {error.strerror}") from error
        for _ in range(100):
            if self.daemon.poll() is not None:
                break
            if self.answers():
                self.pid = self.daemon.pid
                return
            time.sleep(0.1)
        self.close()
        raise Unavailable("LTTng's session daemon does not start here")

    def answers(self):
        return subprocess.run(["lttng", "--no-sessiond", "list"], stdout=subprocess.DEVNULL, env=self.environment,
                              stderr=subprocess.DEVNULL).returncode == 0

    def close(self):
        if self.daemon is not None and self.daemon.poll() is None:
            self.daemon.terminate()
            self.daemon.wait(30)

    def control(self, *words):
        return output_of(["lttng", "--no-sessiond", *words], self.environment)

    def measure(self, methods):
        values = {}
        for threads in (2, 1):  # the trace of one thread is what is read then
            values.update(self.record(threads, methods))
        processor, _ = seconds_of(["babeltrace2", self.trace, "-c", "sink.utils.counter", "-p", "step=+0"])
        values["babeltrace2 count lttng"] = processor * 1e9 / EVENTS
        methods["babeltrace2 count lttng"] = "processor time of a whole run of the program, by event of two million"
        return values

    def record(self, threads, methods):
        shutil.rmtree(self.trace, ignore_errors=True)
        self.control("create", "evt_bench", "--output=" + self.trace)
        try:
            self.control("enable-event", "--userspace", "sched:*")
            self.control("start")
            before = self.helpers_ns()
            reported = output_of([self.program, str(EVENTS // 2), str(threads)], self.environment).split()
            self.control("stop")
            helpers = (self.helpers_ns() - before) / EVENTS
        finally:
            self.control("destroy")
        name = f"lttng {threads}"
        methods[name] = "processor time of the emitting process and of LTTng's daemons meanwhile, by event"
        size = sum(os.path.getsize(f) for f in glob.glob(self.trace + "/**/*", recursive=True) if os.path.isfile(f))
        recorded = self.recorded()
        return {f"{name}:hot_ns": float(reported[0]), name: float(reported[1]) + helpers,
                f"{name}:lost": 100 * (EVENTS - recorded) / EVENTS, f"{name}:bytes": size / recorded}

    def recorded(self):
        counted = output_of(["babeltrace2", self.trace, "-c", "sink.utils.counter", "-p", "step=+0"])
        found = re.search(r"(\d+) Event messages", counted)
        if found is None or int(found[1]) == 0:
            raise Unavailable("LTTng-UST recorded nothing here")
        return int(found[1])

    def helpers_ns(self):
        """What the session daemon and its children have run for, by all of their threads that live."""
        total = 0
        for pid in family(self.pid):
            for file in glob.glob(f"/proc/{pid}/task/*/schedstat"):
                try:
                    with open(file) as stat:
                        total += int(stat.read().split()[0])
                except (OSError, IndexError, ValueError):
                    pass  # it ended meanwhile, or the kernel does not tell
        return total


def running_daemon():
    try:
        with open(PID_OF_DAEMON) as file:
            return int(file.read())
    except (OSError, ValueError) as error:
        raise Unavailable("a session daemon of LTTng runs already, and does not say which process it is") from error


def family(pid):
    """The process and its descendants."""
    pids = [pid]
    for file in glob.glob(f"/proc/{pid}/task/*/children"):
        try:
            with open(file) as children:
                for child in children.read().split():
                    pids += family(int(child))
        except OSError:
            pass  # it ended meanwhile
    return pids
