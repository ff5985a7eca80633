"""A program that records, as a pipe of which the test says how much was written."""
import fcntl
import os
import struct

from evt_view import Served

EVENTS = 6
F_SETPIPE_SZ = 1031
PIPE_SIZE = 1 << 20


def ends_of_blocks(trace):
    """Where the blocks of events end."""
    ends, at = [], 0
    while at < len(trace):
        (kind,), (head,), (payload,) = (struct.unpack_from(form, trace, at + place) for form, place in (("<H", 8), ("<H", 12), ("<I", 16)))
        at += (head + payload + 7) // 8 * 8
        if kind == EVENTS:
            ends.append(at)
    return ends


class Grown(Served):
    """`evt view --follow -` of a trace: of its first blocks of events, then of more."""

    def __init__(self, evt, trace, blocks):
        with open(trace, "rb") as file:
            self.trace = file.read()
        self.blocks = ends_of_blocks(self.trace)
        self.written = 0
        reading, writing = os.pipe()
        fcntl.fcntl(writing, F_SETPIPE_SZ, PIPE_SIZE)
        self.pipe = os.fdopen(writing, "wb", buffering=0)
        self.grow(blocks)
        with os.fdopen(reading, "rb") as standard_input:
            super().__init__(evt, "-", options=["--follow"], standard_input=standard_input)

    def grow(self, blocks):
        """So many blocks of events are there."""
        self.write(self.blocks[blocks - 1])

    def end(self):
        """All was written."""
        self.write(len(self.trace))
        self.pipe.close()

    def write(self, to):
        self.pipe.write(self.trace[self.written:to])
        self.written = to

    def look(self, until):
        """Asks for more until the answer is so."""
        while True:
            answer = self.json("/v1/look")
            if until(answer):
                return answer

    def close(self):
        self.pipe.close()
        super().close()
