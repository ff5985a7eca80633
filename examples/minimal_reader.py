#!/usr/bin/env python3
"""Prints the events of an evtrace file in the order of its blocks, up to damage: minimal_reader.py FILE
Written from format-spec/FORMAT.md alone, to prove that it suffices; the sections named here are its sections.
Exit: 0 all was read, 1 something is truncated, damaged, newer or packed, 2 usage, 3 no trace, or not readable."""
import bisect, collections, functools, pathlib, re, signal, struct, sys, types
from minimal_columns import Cursor, need, packs, rows_of, unpacked  # beside this file
MAGIC, PADDING = re.compile(rb"\x89EV(.)\r\n\x1a\n", re.DOTALL), re.compile(rb"\0{0,7}")
problems, BEFORE = [], "a draft from before 1.0-candidate"  # problems make the exit code 1
Block = collections.namedtuple("Block", "at end header payload type codec must session number raw")
WIDTHS = {1: (1, 2, 4, 8), 2: (1, 2, 4, 8), 3: (4, 8), 4: (1,), 5: (1, 2, 4, 8), 8: (4,), 9: (4, 8), 10: (4, 8)}
TABLE = [functools.reduce(lambda n, _: n >> 1 ^ 0x82F63B78 * (n & 1), range(8), byte) for byte in range(256)]
def crc32c(data): return functools.reduce(lambda c, b: TABLE[(c ^ b) & 255] ^ c >> 8, data, 0xFFFFFFFF) ^ 0xFFFFFFFF
def say(at, message, problem=True):
    print(f"minimal_reader: offset {at}: {message}", file=sys.stderr) or problem and problems.append(message)
def attempt(at, function, *arguments):  # False if that fails, with a message unless `at` is None
    try: return function(*arguments)
    except ValueError as error: return at is not None and bool(say(at, error))
def seconds(ns): return f"{'-' * (ns < 0)}{abs(ns) // 10**9}.{abs(ns) % 10**9:09}"
def escaped(raw):
    text = raw.replace(b"\\", b"\\\\").replace(b'"', b'\\"').decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
def block_at(data, at):  # sections 5 and 11
    magic, c = MAGIC.match(data, at), Cursor(data, at + 8)
    need(magic and magic[1] == b"T", "newer format" if magic else "damage: no block starts here")
    kind, _, size, codec, must, stored, raw, session, number, payload_crc, crc = c.unpack("<HHHBBIIQQII")
    header = data[at:at + 48] + c.take(size - 48)
    need(size <= 1024 and size % 8 == 0 and crc32c(header[:44] + bytes(4) + header[48:]) == crc, "damage: header")
    need(stored <= (1 << 30 if kind >= 0x8000 else 1 << 24) and (codec or raw == stored), "damage: payload_size")
    payload = c.take(stored)
    need(kind not in range(1, 10) or crc32c(payload) == payload_crc, "damage: payload_crc")
    if codec == 1 and kind != 6 and packs(): payload, codec = unpacked(payload, raw), 0
    return Block(at, c.at, header, payload, kind, codec, must, session, number, raw)
def follow(c, pointers, index, tag):  # Cap'n Proto: goes where a pointer leads; returns its upper half, 0 for null
    c.at = pointers[index] if index < len(pointers) else 0
    low, high = c.unpack("<iI") if index < len(pointers) else (0, 0)
    c.at += 8 * (low >> 2)
    need(low == high == 0 or tag == (low & 3, high & 7 if low & 3 else 0), "damage: message")
    return high
def text(c, pointers, index): return c.take(follow(c, pointers, index, (1, 2)) >> 3)[:-1]
def structures(c, pointers, index):  # of each struct in a list: its first 8 bytes, and where its pointers are
    count, words, length = c.unpack("<IHH") if follow(c, pointers, index, (1, 7)) else (0, 0, 0)
    data, size = 8 * words, 8 * (words + length)
    places = range(c.at, c.at + len(c.take((count >> 2) * size)), size or 8)
    return [(int.from_bytes(c.data[at:at + data][:8], "little"), range(at + data, at + size, 8)) for at in places]
def fields_of(c):  # EventTypeInfo: (name, labels, kind, shape, width) of each field
    root = follow(c, [0], 0, (0, 0))
    pointers = range(c.at + 8 * (root & 0xFFFF), c.at + 8 * ((root & 0xFFFF) + (root >> 16)), 8)
    return [(text(c, p, 0), {v: text(c, q, 0) for v, q in structures(c, p, 1)}, n & 0xFFFF, n >> 16 & 0xFFFF, n >> 32)
            for n, p in structures(c, pointers, 0)[:1024]]
def learn_type(s, at, c):  # section 6.3
    number, _, *sizes = c.unpack("<IHHH2xI")
    name, _, info = map(c.take, sizes)
    fields = info and attempt(at, fields_of, Cursor(info)) or []
    s.types[number] = max(s.types.get(number, (name, [])), (name, fields), key=lambda known: len(known[1]))
def learn(s, block, c):  # section 6
    need(block.number in (s.next, 2**64 - 1), "damage: blocks are missing before this one")
    need(block.must < 128, "newer format: a block that ends this session for this reader")
    s.next, s.closed = block.number + 1, False
    if block.must or block.codec > 1: say(block.at, "not decodable: of a newer format", False)
    elif block.codec and block.type != 6: say(block.at, "compressed, and this Python has no zstd")
    elif block.type == 1:
        size, major, incompat, s.start_ns = Cursor(c.data, (c.data.index(b"\n") + 8) // 8 * 8).unpack("<HH4xQ32xq")
        draft = BEFORE if size < 72 and major == 1 else "a draft of 1.0" if incompat == 2**63 else ""
        need(major == 1 and incompat == 0 and size >= 72, draft or "newer format")
    elif block.type == 2 and (clock := c.unpack("<2xH4xQQq8xI")):
        s.clocks.setdefault(clock[0], ((clock[1], clock[4] or 1) if clock[1] else (10**9, 1), [clock[2:4]]))
    elif block.type == 3: [learn_type(s, block.at, Cursor(c.take(c.number(4) - 4))) for _ in range(c.number(4))]
    elif block.type == 5: [s.strings.setdefault(c.number(4), c.take(c.number(4))) for _ in range(c.number(4))]
    elif block.type == 6: s.events.append(block)
    elif block.type == 7 and (sync := c.unpack("<2xHH2xQq"))[1] & 2 == 0: s.syncs.append((sync[0], sync[2:]))
    elif block.type == 9: s.closed = c.unpack("<8xQ")[0] == block.end - s.at
def to_ns(rate, anchors, ticks):  # section 9
    between = 0 < (after := bisect.bisect_right(anchors, (ticks, 1 << 63))) < len(anchors)
    near, (a, b) = anchors[max(after - 1, 0)], anchors[after - 1:after + 1] if between else (anchors[0], anchors[-1])
    ticks_of, ns_of = (b[0] - a[0], b[1] - a[1]) if between or b[1] - a[1] >= 100_000_000 else (rate[0], 10**9 * rate[1])
    return near[1] + (ticks - near[0]) * ns_of // ticks_of
def field_text(row, s, ns, ticks, labels, kind, shape, width):  # section 8
    def shown(raw):
        if kind == 6 and shape in (1, 2, 4): return f'"{escaped(raw)}"'
        if width not in WIDTHS.get(kind, ()) or shape not in (0, 3 * (kind < 9)): return "0x" + raw.hex()
        n = int.from_bytes(raw, "little", signed=kind in (2, 10))
        return {3: lambda: str(struct.unpack("<f" if width == 4 else "<d", raw)[0]), 4: lambda: str(n > 0).lower(),
                5: lambda: escaped(labels[n]) if n in labels else str(n),
                9: lambda: seconds(ns(n if width > 4 else max(ticks - (ticks - n) % 2**32, n)) - s.start_ns),
                8: lambda: f'"{escaped(s.strings[n])}"' if n in s.strings else f"#{n}", 10: lambda: seconds(ns(ticks) - ns(ticks - n))}.get(kind, lambda: str(n))()
    need(shape in (1, 2, 4) or 8 <= shape < 32 or shape in (0, 3) and width, "the rest of the row is not known")
    values = [row.take(width if shape in (0, 3) else row.number(4 if shape == 2 or shape > 15 else 2))
              for _ in range(row.number(2) if shape in (3, 4) else 1)]
    return "[" + " ".join(map(shown, values)) + "]" if shape in (3, 4) else shown(values[0])
def event_text(kind, row, s, *context):
    name, fields = s.types.get(kind, (b"type#%d" % kind, []))
    line, at = escaped(name), row.at
    for field, *description in fields:
        if (value := attempt(None, field_text, row, s, *context, *description)) is False: break
        line, at = f"{line} {escaped(field)}={value}", row.at
    return line + (" +0x" + row.data[at:].hex() if at < len(row.data) else "")
def short_number(c, n=0, shift=0):  # section 6.6
    while (byte := c.number(1)) > 127 and shift < 63: n, shift = n | (byte & 127) << shift, shift + 7
    return n | byte << shift if shift < 63 or byte < 2 else need(False, "damage: a number of more than 64 bits")
def print_events(s, block, c):  # section 7
    stream, layout, clock, base, first, count, size, crc, bound = Cursor(block.header, 48).unpack("<IBxHQQ8x3I20xQ")
    need(layout < 4, f"{count} rows of an unknown layout")
    table_size, _, pieces, _ = c.unpack("<4I") if layout > 1 else (16, 0, 0, 0)
    table, rows = Cursor(c.take(table_size - 16)), c.data[c.at:]
    if block.codec: rows = unpacked(rows, block.raw - (layout > 1) * table_size)
    if layout % 2: rows = rows_of(Cursor(rows), count, size)
    need(crc32c(rows) == crc, "damage: rows_crc")
    c = Cursor(rows)
    if layout < 2: return print_rows(s, c, stream, clock, base, first, bound, count, size)
    for piece in (Cursor(table.take(short_number(table))) for _ in range(pieces)):
        stream, count, size, to, up = (short_number(piece) for _ in range(5))
        print_rows(s, Cursor(c.take(size)), stream, clock, base + (to >> 1 ^ -(to & 1)), first + up, bound, count, size)
def print_rows(s, c, stream, clock, base, ticks, bound, count, size):
    ns = functools.partial(to_ns, *s.clocks.get(clock, ((10**9, 1), [(0, 0)])))
    for _ in range(count):
        delta, kind, row_size = c.unpack("<IHH")
        row, wide = Cursor(c.take(row_size - 8 if row_size else c.number(4) - 12)), kind == 0xFF03
        if kind == 0xFF00: base = row.number(8)
        else: ticks = ticks if 0 < bound < base + delta else base + delta  # of the row before, if that is impossible
        if wide or kind < 0xFF00 or kind == 0xFF01:
            print(seconds(ns(ticks) - s.start_ns), stream, event_text(row.number(4) if wide else kind, row, s, ns, ticks))
    need(c.at == size == len(c.data), "damage: row_count")
LOST = b"!lost", [(b"count", {}, 1, 0, 8), (b"cause", {}, 1, 0, 2), (b"duration", {}, 10, 0, 8)]
def print_session(blocks):
    s = types.SimpleNamespace(at=blocks[0].at, next=blocks[0].number, start_ns=0, closed=False, clocks={}, syncs=[],
                              types={0xFF01: LOST}, strings={0: b""}, events=[])
    all(attempt(block.at, learn, s, block, Cursor(block.payload)) is not False for block in blocks)  # stops at damage
    for number, anchor in s.syncs:
        anchors = s.clocks.setdefault(number, ((10**9, 1), [anchor]))[1]
        if anchor[0] > anchors[-1][0] and anchor[1] > anchors[-1][1]: anchors.append(anchor)
    for block in s.events: attempt(block.at, print_events, s, block, Cursor(block.payload))
    if not s.closed or blocks[0].type != 1: say(s.at, "this session is truncated (or newer): no TRAILER or SESSION")
def main(path):
    data, at, sessions = pathlib.Path(path).read_bytes(), 0, collections.defaultdict(list)
    if not MAGIC.match(data): raise OSError("not a trace")
    while at < len(data) and (block := attempt(at, block_at, data, at)):
        sessions[block.session].append(block)
        at = PADDING.match(data, block.end).end()
    for blocks in sessions.values(): print_session(blocks)
    return 1 if problems else 0
if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try: sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else print(__doc__, file=sys.stderr) or 2)
    except OSError as error: sys.exit(say(0, error) or 3)
