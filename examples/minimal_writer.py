#!/usr/bin/env python3
"""Writes an evtrace file of some jobs: minimal_writer.py FILE
Written from format-spec/FORMAT.md alone, as examples/minimal_reader.py is; the sections named here are its sections.
For programs that write traces without a library: copy Writer, and check what it writes with `evt check --strict`."""
import functools, struct, sys, time, uuid
TABLE = [functools.reduce(lambda n, _: n >> 1 ^ 0x82F63B78 * (n & 1), range(8), byte) for byte in range(256)]
UNSIGNED, TEXT, INTERNED = (1, 0, 8), (6, 1, 0), (8, 0, 4)  # kind, shape, width: section 8
SPAN_BEGIN, SPAN_END, NAME = 1, 2, 26  # roles: REGISTRY.md

def crc32c(data):
    return functools.reduce(lambda crc, byte: TABLE[(crc ^ byte) & 255] ^ crc >> 8, data, 0xFFFFFFFF) ^ 0xFFFFFFFF

def padded(data): return data + bytes(-len(data) % 8)

def counted(text): return struct.pack("<H", len(text.encode())) + text.encode()

def message(root):
    """Cap'n Proto, appendix D. A struct is (its data, its pointers); a pointer is None, a text or a list of structs."""
    words = bytearray(8)
    def place(data, pointers):  # a struct, whose pointers are filled in later: where they are
        words.extend(padded(data) + bytes(8 * len(pointers)))
        return len(words) - 8 * len(pointers)
    def fill(at, pointers):
        for number, to in enumerate(pointers):
            if to: point(at + 8 * number, to)
    def point(at, to):
        offset = (len(words) - at) // 8 - 1
        if isinstance(to, str):
            words[at:at + 8] = struct.pack("<II", offset << 2 | 1, (len(to.encode()) + 1) << 3 | 2)
            return words.extend(padded(to.encode() + b"\0"))
        data, pointers = len(padded(to[0][0])) // 8, len(to[0][1])
        words[at:at + 8] = struct.pack("<II", offset << 2 | 1, len(to) * (data + pointers) << 3 | 7)
        words.extend(struct.pack("<IHH", len(to) << 2, data, pointers))  # the tag
        for of, places in [(each[1], place(*each)) for each in to]: fill(places, of)
    begin = place(*root)
    words[:8] = struct.pack("<IHH", 0, (begin - 8) // 8, len(root[1]))
    fill(begin, root[1])
    return bytes(words)

class Writer:
    """One session, whose clock counts nanoseconds. Its streams write blocks of their own."""
    def __init__(self, file, program):
        self.file, self.start = file, time.monotonic_ns()
        self.uuid, self.blocks, self.size, self.rows, self.lost = uuid.uuid4().bytes, 0, 0, 0, 0
        self.repeated, self.synced, self.synced_at = 0, 0, self.start
        self.metadata, self.numbers, self.strings, self.streams = [], 1024, {}, []
        line = padded(f"evtrace trace, format 1.0, written by {program}; described in FORMAT.md\n".encode())
        info = message((bytes(16), [program] + [None] * 9))
        self.describe(1, line + struct.pack("<HHHHQQ16sqqIIHHI", 72, 1, 0, 0, 0, 0, self.uuid, time.time_ns(),
                                            self.start, len(info), 0, 1, 0, 0) + info)
        self.describe(2, struct.pack("<HHB3xQQqQII", 48, 1, 1, 10**9, self.start, self.start, 0, 1, 0))
    def block(self, kind, payload, flags=0, more=b""):  # section 5
        header = bytearray(struct.pack("<8sHHHBBII8sQII", b"\x89EVT\r\n\x1a\n", kind, flags, 48 + len(more), 0, 0,
                                       len(payload), len(payload), self.uuid[8:], self.blocks, crc32c(payload), 0))
        header += more
        header[44:48] = struct.pack("<I", crc32c(header))
        self.size += self.file.write(bytes(header) + padded(payload))
        self.blocks += 1
    def describe(self, kind, payload):  # section 6: what is described is repeated
        self.metadata.append((kind, payload))
        self.block(kind, payload)
    def repeat(self):
        for kind, payload in self.metadata: self.block(kind, payload)
        self.repeated = self.size
    def type(self, name, fields, role=0, description=""):
        """`fields`: (name, (kind, shape, width), role) of each. Its number, for Stream.emit."""
        number, self.numbers = self.numbers, self.numbers + 1
        infos = [(struct.pack("<HHIHHHHQ", *kind, means, 0, 0, 0, 0), [of] + [None] * 4) for of, kind, means in fields]
        name, description = name.encode(), description.encode()
        info = message((struct.pack("<H", role), [infos] + [None] * 4))
        record = struct.pack("<IHHHHI", number, 0xFFFF, len(name), len(description), 0, len(info))
        record += name + description + info
        self.describe(3, struct.pack("<II", 1, len(record) + 4) + record)
        return number
    def intern(self, text):
        if text not in self.strings:
            self.strings[text] = len(self.strings) + 1
            self.describe(5, struct.pack("<III", 1, self.strings[text], len(text.encode())) + text.encode())
        return struct.pack("<I", self.strings[text])
    def stream(self, name):
        self.streams.append(Stream(self, len(self.streams) + 1))
        info = message((bytes(16), [name]))
        self.describe(4, struct.pack("<III", 1, len(info) + 8, len(self.streams)) + info)
        return self.streams[-1]
    def sync(self):  # section 6.4
        now = time.monotonic_ns()
        self.block(7, struct.pack("<HHHHQqqQQQ", 56, 1, 0, 0, now, now, time.time_ns(), self.rows, self.lost, 0))
        self.synced, self.synced_at = self.size, now
    def prepare(self):
        """What is due before rows."""
        large = 8 * sum(len(payload) for _, payload in self.metadata)
        if self.size - self.repeated >= max(64 << 20, large): self.repeat()
        if self.size - self.synced >= 16 << 20 or time.monotonic_ns() - self.synced_at >= 10**9: self.sync()
    def close(self):
        for stream in self.streams: stream.flush()
        if self.size >= 512 << 10: self.repeat()
        self.sync()
        self.block(9, struct.pack("<HHIQQQQ", 40, 0, 0, self.size + 88, 0, self.rows, self.lost))

class Stream:
    def __init__(self, writer, number):
        self.writer, self.number, self.blocks, self.ordinal, self.lost, self.told = writer, number, 0, 0, 0, 0
        self.base, self.times, self.rows = 0, [], b""
    def emit(self, number, payload=b"", at=None):
        """An event of type `number` now, or at a time of the clock that is not before the stream's last one."""
        at, size = time.monotonic_ns() if at is None else at, len(payload) + 8
        if len(self.rows) > 60000 or self.times and at - self.base >= 1 << 32: self.flush()
        if not self.times: self.base = at
        self.times.append(at)
        head = struct.pack("<IHH", at - self.base, number, size if size < 65536 else 0)
        self.rows += head + (b"" if size < 65536 else struct.pack("<I", size + 4)) + payload
    def lose(self, count, cause=1):
        """Some events could not be recorded: section 7.1."""
        self.emit(0xFF01, struct.pack("<QHQ", count, cause, 0))
        self.lost += count
    def flush(self):  # section 7
        if not self.times: return
        writer, count = self.writer, len(self.times)
        writer.prepare()
        writer.block(6, self.rows, 0, struct.pack(
            "<IBBHQQQIIIIQQQ", self.number, 0, 0, 1, self.base, self.times[0], self.times[-1], count, len(self.rows),
            crc32c(self.rows), self.blocks, self.ordinal, self.lost, 0))
        writer.rows, writer.lost = writer.rows + count, writer.lost + self.lost - self.told
        self.blocks, self.ordinal, self.told = self.blocks + 1, self.ordinal + count, self.lost
        self.times, self.rows = [], b""

if __name__ == "__main__":
    if len(sys.argv) != 2: sys.exit(print(__doc__, file=sys.stderr) or 2)
    with open(sys.argv[1], "wb") as out:
        trace = Writer(out, "minimal_writer.py")
        begin = trace.type("job", [("name", INTERNED, NAME), ("number", UNSIGNED, 0)], SPAN_BEGIN, "a job begins")
        end, note = trace.type("job.end", [], SPAN_END), trace.type("note", [("text", TEXT, 0)])
        worker = trace.stream("worker")
        for number in range(10):
            worker.emit(begin, trace.intern(("fetch", "store")[number % 2]) + struct.pack("<Q", number))
            worker.emit(note, counted(f"job {number}"))
            worker.emit(end)
        trace.close()
