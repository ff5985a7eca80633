"""GHC's runtime, which records events, and the library ghc-events, which reads them."""
import os

from figures import Unavailable, output_of, seconds_of
from programs import EVENTS, Commands

HERE = os.path.dirname(os.path.abspath(__file__))


def compile_program(name, folder):
    program = os.path.join(folder, name)
    objects = program + ".objects"
    os.makedirs(objects, exist_ok=True)
    output_of(["ghc", "-v0", "-O2", "-eventlog", "-rtsopts", "-outputdir", objects, "-o", program,
               os.path.join(HERE, "peers", name + ".hs")])
    return program


class Runtime:
    """What recording adds to a program whose thread gives way again and again: runs with and without it, in turn."""

    name = "GHC's runtime"

    def __init__(self, folder):
        self.log = os.path.join(folder, "emit.eventlog")
        self.command = [compile_program("GhcEmit", folder), str(EVENTS // 2), "+RTS"]

    def measure(self, methods):
        off, _ = seconds_of([*self.command, "-RTS"])
        on, _ = seconds_of([*self.command, "-l", "-ol" + self.log])
        if not os.path.exists(self.log):
            raise Unavailable("GHC's runtime wrote no event log")
        size = os.path.getsize(self.log)
        os.unlink(self.log)
        methods["ghc emit"] = "processor time of a program that records less that of the same that does not, by event"
        return {"ghc emit": (on - off) * 1e9 / EVENTS, "ghc emit:bytes": size / EVENTS}


def reader(folder, logs):
    program = compile_program("GhcRead", folder)

    def read(what, streams):
        return [program, what, os.path.join(logs, str(streams), "ghc.eventlog")]

    return Commands("ghc-events", {"ghc-events count 8": read("sort", 8), "ghc-events count 64": read("sort", 64)},
                    {"ghc-events text 8": read("text", 8)})
