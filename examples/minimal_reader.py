#!/usr/bin/env python3
"""Prints the events of an evtrace file in the order of its blocks: minimal_reader.py FILE
Written from format-spec/FORMAT.md and metadata.capnp alone, to prove that they suffice; sections named are FORMAT.md's.
Exit: 0 every session was closed, 1 something is cut, damaged or of a newer format, 2 usage, 3 not a trace."""
import bisect, collections, functools, pathlib, re, signal, struct, sys, types

MAGIC, PADDING = re.compile(rb"\x89EV(.)\r\n\x1a\n", re.DOTALL), re.compile(rb"\0{0,7}")
Block = collections.namedtuple("Block", "at end header payload type codec must session number")
WIDTHS = {1: (1, 2, 4, 8), 2: (1, 2, 4, 8), 3: (4, 8), 4: (1,), 5: (1, 2, 4, 8), 8: (4,), 9: (8,), 10: (8,)}
TABLE = [functools.reduce(lambda n, _: n >> 1 ^ 0x82F63B78 * (n & 1), range(8), byte) for byte in range(256)]
problems = []  # what makes the exit code 1

def crc32c(data):
    return functools.reduce(lambda crc, byte: TABLE[(crc ^ byte) & 255] ^ crc >> 8, data, 0xFFFFFFFF) ^ 0xFFFFFFFF

def say(at, message, problem=True):
    problems.extend([message] * problem)
    print(f"minimal_reader: offset {at}: {message}", file=sys.stderr)

def need(condition, message):
    if not condition: raise ValueError(message)

def attempt(at, function, *arguments):
    try: return function(*arguments)
    except ValueError as error: say(at, error)

def seconds(ns):
    return f"{'-' * (ns < 0)}{abs(ns) // 10**9}.{abs(ns) % 10**9:09}"

def escaped(raw):
    text = raw.replace(b"\\", b"\\\\").replace(b'"', b'\\"').decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)

class Cursor:
    def __init__(self, data, at=0):
        self.data, self.at, self.budget = data, at, 4 * len(data) + 512  # the budget of section 6, for messages
    def take(self, size):
        self.at, self.budget = self.at + size, self.budget - size
        need(0 <= self.at - size <= self.at <= len(self.data) and self.budget >= 0, "damage: something ends too early")
        return self.data[self.at - size:self.at]
    def number(self, size):
        return int.from_bytes(self.take(size), "little")
    def unpack(self, layout):
        return struct.unpack(layout, self.take(struct.calcsize(layout)))

def block_at(data, at):  # sections 5 and 11
    magic, c = MAGIC.match(data, at), Cursor(data, at + 8)
    need(magic and magic[1] == b"T", "newer format" if magic else "damage: no block starts here")
    kind, _, size, codec, must, stored, raw, session, number, payload_crc, crc = c.unpack("<HHHBBIIQQII")
    header = data[at:at + 48] + c.take(size - 48)
    need(size <= 1024 and size % 8 == 0 and crc32c(header[:44] + bytes(4) + header[48:]) == crc, "damage: header")
    need(stored <= (1 << 30 if kind >= 0x8000 else 1 << 24) and (codec or raw == stored), "damage: payload_size")
    payload = c.take(stored)
    need(kind not in range(1, 10) or crc32c(payload) == payload_crc, "damage: payload_crc")
    return Block(at, c.at, header, payload, kind, codec, must, session, number)

def follow(c, pointers, index, tag):  # Cap'n Proto: goes where a pointer leads; returns its upper half, 0 for null
    c.at = pointers[index] if index < len(pointers) else 0
    low, high = c.unpack("<iI") if index < len(pointers) else (0, 0)
    c.at += 8 * (low >> 2)
    need(low == high == 0 or tag == (low & 3, high & 7 if low & 3 else 0), "damage: message")
    return high

def text(c, pointers, index):
    return c.take(follow(c, pointers, index, (1, 2)) >> 3)[:-1]

def structures(c, pointers, index):  # of each struct in a list: its data section, and where its pointers are
    count, words, length = c.unpack("<IHH") if follow(c, pointers, index, (1, 7)) else (0, 0, 0)
    size = 8 * (words + length)
    starts = range(c.at, c.at + len(c.take((count >> 2) * size)), size or 8)
    return [(c.data[at:at + 8 * words].ljust(8, b"\0"), range(at + 8 * words, at + size, 8)) for at in starts]

def fields_of(c):  # EventTypeInfo: (name, labels, kind, shape, width) of each field
    root = follow(c, [0], 0, (0, 0))
    pointers = range(c.at + 8 * (root & 0xFFFF), c.at + 8 * (root & 0xFFFF) + 8 * (root >> 16), 8)
    return [(text(c, p, 0), {v[:8]: text(c, q, 0) for v, q in structures(c, p, 1)}, *struct.unpack_from("<HHI", data))
            for data, p in structures(c, pointers, 0)[:1024]]

def learn_type(s, block, c):  # section 6.3
    number, _, name, description, _, extension = c.unpack("<IHHHHI")
    name, _, info = c.take(name), c.take(description), c.take(extension)
    fields = attempt(block.at, fields_of, Cursor(info)) if info else []
    s.types[number] = max(s.types.get(number, (name, [])), (name, fields or []), key=lambda known: len(known[1]))

def learn(s, block, c):  # section 6
    if block.number not in (s.next, 2**64 - 1): say(block.at, "damage: blocks are missing before this one")
    s.next, s.closed, s.stopped = block.number + 1, False, s.stopped or block.must >= 128
    if s.stopped or block.must or block.codec:
        say(block.at, "newer format, or not decodable: this block is skipped", s.stopped)
    elif block.type == 1:
        c.at = (block.payload.index(b"\n") + 8) // 8 * 8
        major, incompat, s.start_ns = c.unpack("<2xH4xQ32xq")
        s.stopped = major > 1 or incompat > 0
    elif block.type == 2:
        number, hz, *anchor = c.unpack("<2xH4xQQq")
        s.clocks.setdefault(number, (hz or 10**9, [tuple(anchor)]))
    elif block.type == 3:
        for _ in range(c.number(4)): learn_type(s, block, Cursor(c.take(c.number(4) - 4)))
    elif block.type == 5:
        for _ in range(c.number(4)): s.strings.setdefault(c.number(4), c.take(c.number(4)))
    elif block.type == 6: s.events.append(block)
    elif block.type == 7: s.syncs.append(c.unpack("<2xH4xQq"))
    elif block.type == 9: s.closed = block.payload[8:16] == (block.end - s.at).to_bytes(8, "little")

def to_ns(hz, anchors, ticks):  # section 9
    after = bisect.bisect_right(anchors, (ticks, 1 << 63))
    between = 0 < after < len(anchors)
    near, (a, b) = anchors[max(after - 1, 0)], anchors[after - 1:after + 1] if between else (anchors[0], anchors[-1])
    nominal = not between and b[1] - a[1] < 100_000_000
    return near[1] + (ticks - near[0]) * (10**9 if nominal else b[1] - a[1]) // (hz if nominal else b[0] - a[0])

def field_text(field, row, s, ns, ticks):  # section 8
    _, labels, kind, shape, width = field
    def shown(raw):
        if kind == 6 and shape in (1, 2, 4): return f'"{escaped(raw)}"'
        if width not in WIDTHS.get(kind, ()) or shape not in (0, 3 * (kind < 9)): return "0x" + raw.hex()
        n = int.from_bytes(raw, "little", signed=kind in (2, 10))
        if kind == 3: return str(struct.unpack("<f" if width == 4 else "<d", raw)[0])
        if kind == 4: return "true" if n else "false"
        if kind == 5: return escaped(labels[raw.ljust(8, b"\0")]) if raw.ljust(8, b"\0") in labels else str(n)
        if kind == 8: return f'"{escaped(s.strings[n])}"' if n in s.strings else f"#{n}"
        if kind == 9: return seconds(ns(n) - s.start_ns)
        return seconds(ns(ticks) - ns(ticks - n)) if kind == 10 else str(n)
    need(shape in (1, 2, 4) or shape in (0, 3) and width, "the rest of the row is not known")
    values = [row.take(width if shape in (0, 3) else row.number(4 if shape == 2 else 2))
              for _ in range(row.number(2) if shape > 2 else 1)]
    return "[" + " ".join(map(shown, values)) + "]" if shape > 2 else shown(values[0])

def event_text(kind, row, s, *context):
    name, fields = s.types.get(kind, (b"type#%d" % kind, []))
    line, rest = escaped(name), row.data[row.at:].hex()
    try:
        for field in fields:
            line += f" {escaped(field[0])}={field_text(field, row, s, *context)}"
            rest = row.data[row.at:].hex()
    except ValueError: pass
    return line + (" +0x" + rest if rest else "")

def print_rows(s, block, c):  # section 7
    stream, layout, clock, base, count, size = Cursor(block.header, 48).unpack("<IBxHQ16xII")
    if layout: return say(block.at, f"{count} rows of an unknown layout are not decodable", False)
    ns = functools.partial(to_ns, *s.clocks.get(clock, (10**9, [(0, 0)])))
    for _ in range(count):
        delta, kind, row_size = c.unpack("<IHH")
        row, ticks = Cursor(c.take(row_size - 8 if row_size else c.number(4) - 12)), base + delta
        start = seconds(ns(ticks) - s.start_ns), stream
        if kind == 0xFF00: base = row.number(8)
        elif kind == 0xFF01: print(*start, "!lost count=%d cause=%d" % row.unpack("<QH"))
        elif kind == 0xFF03: print(*start, event_text(row.number(4), row, s, ns, ticks))
        elif kind < 0xFF00: print(*start, event_text(kind, row, s, ns, ticks))
    need(c.at == size == len(c.data), "damage: row_count")

def print_session(blocks):
    s = types.SimpleNamespace(at=blocks[0].at, next=blocks[0].number, start_ns=0, stopped=False, closed=False, clocks={},
                              syncs=[], types={}, strings={0: b""}, events=[])
    for block in blocks: attempt(block.at, learn, s, block, Cursor(block.payload))
    for number, *anchor in s.syncs:
        anchors = s.clocks.setdefault(number, (10**9, [tuple(anchor)]))[1]
        if anchor[0] > anchors[-1][0] and anchor[1] > anchors[-1][1]: anchors.append(tuple(anchor))
    for block in s.events: attempt(block.at, print_rows, s, block, Cursor(block.payload))
    if blocks[0].type != 1: say(s.at, "a session without SESSION")
    if not s.closed: say(s.at, "the session that begins here was cut")

def main(path):
    data, at, sessions = pathlib.Path(path).read_bytes(), 0, collections.defaultdict(list)
    if not MAGIC.search(data, 0, 1 << 20): raise OSError(f"{path} is not a trace")
    while at < len(data):
        block = attempt(at, block_at, data, at)
        if not block: break
        sessions[block.session].append(block)
        at = PADDING.match(data, block.end).end()
    for blocks in sessions.values(): print_session(blocks)
    return 1 if problems else 0

if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.stdout.reconfigure(encoding="utf-8")
    if len(sys.argv) != 2: sys.exit(print(__doc__, file=sys.stderr) or 2)
    try: sys.exit(main(sys.argv[1]))
    except OSError as error: sys.exit(say(0, error) or 3)
