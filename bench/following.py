"""What following a program costs, and receiving a trace at a socket."""
import os
import shutil
import socket
import subprocess
import threading
import time

from figures import Unavailable, quartiles

SECONDS = 6
SETTLED = 1.0  # before this, what was there when the reader came is printed


class Following:
    """evt dump --follow with a filter, of a program that emits a million events a second; one of 1000 is printed."""

    name = "evt dump --follow"

    def __init__(self, load, evt, folder):
        self.load, self.evt, self.path = load, evt, os.path.join(folder, "followed.evt")

    def measure(self, methods):
        values = {}
        for figure, rate in (("follow 1M", 1_000_000), ("follow 1k", 1000)):
            with subprocess.Popen([self.load, str(rate), str(SECONDS), self.path]) as program:
                time.sleep(0.5)
                with subprocess.Popen([self.evt, "dump", "--follow", "--event", "load.mark", "--format", "{sent}",
                                       self.path], stdout=subprocess.PIPE) as reader:
                    begin = time.monotonic()
                    delays = []
                    for line in reader.stdout:
                        now = time.monotonic()
                        if now > begin + SETTLED:
                            delays.append(now * 1e9 - int(line))
                    _, _, usage = os.wait4(reader.pid, 0)
                    reader.returncode = 0
                    elapsed = time.monotonic() - begin
                program.wait()
            os.remove(self.path)
            if not delays:
                raise Unavailable("nothing was printed")
            delays.sort()
            values[f"{figure}:core"] = 100 * (usage.ru_utime + usage.ru_stime) / elapsed
            values[f"{figure}:p99"] = delays[len(delays) * 99 // 100]
            values[f"{figure}:median"] = quartiles(delays)[1]
            methods[figure] = "processor time of the program by time that passed; from the emitting to the printed line"
        return values


class Collecting:
    """evt collect --listen of a session that comes as fast as it is read."""

    name = "evt collect"
    times = 5

    def __init__(self, evt, log, folder):
        self.evt, self.folder = evt, os.path.join(folder, "collect")
        with open(log, "rb") as file:
            self.bytes = file.read()

    def measure(self, methods):
        best = None
        for _ in range(self.times):
            os.makedirs(self.folder)
            best = min(filter(None, (best, self.receive())))
            shutil.rmtree(self.folder)
        methods["evt collect"] = "elapsed time of the fastest of five, by byte, to the last answer"
        return {"evt collect": best * 1e9 / len(self.bytes)}

    def receive(self):
        path = os.path.join(self.folder, "socket")
        with subprocess.Popen([self.evt, "collect", os.path.join(self.folder, "to"), "--listen", "unix:" + path]) as collector:
            with socket.socket(socket.AF_UNIX) as sender:
                while sender.connect_ex(path) != 0:
                    time.sleep(0.001)
                begin = time.monotonic()
                reading = threading.Thread(target=lambda: sender.recv(16))
                reading.start()
                sender.sendall(self.bytes)
                sender.shutdown(socket.SHUT_WR)
                reading.join()
                while sender.recv(16):
                    pass
                elapsed = time.monotonic() - begin
            collector.terminate()
        return elapsed
