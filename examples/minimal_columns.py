"""What minimal_reader.py needs for compressed blocks and for columns: sections 5 and 7.2 of format-spec/FORMAT.md.
zstd is one of the modules compression.zstd (Python 3.14), zstandard or pyzstd; without them blocks stay packed."""
import functools, importlib, itertools, struct
LATER = "not decodable: columns of a newer format"
PACKED = "this Python has no zstd: install zstandard, or make rows, by evt convert --rows FILE -o ROWS.evt"
def need(condition, message):
    if not condition: raise ValueError(message)
class Cursor:
    def __init__(self, data, at=0):
        self.data, self.at, self.budget = data, at, 4 * len(data) + 512  # the budget of section 6, for messages
    def take(self, size):
        start, self.at, self.budget = self.at, self.at + size, self.budget - size
        need(0 <= start <= self.at <= len(self.data) and self.budget >= 0, "damage: something ends too early")
        return self.data[start:self.at]
    def number(self, size): return int.from_bytes(self.take(size), "little")
    def unpack(self, layout): return struct.unpack(layout, self.take(struct.calcsize(layout)))
@functools.cache
def packs():  # makes a decompressor of one frame, or None
    for module, name in (("compression.zstd", "ZstdDecompressor"), ("pyzstd", "ZstdDecompressor"), ("zstandard", "")):
        try: found = importlib.import_module(module)
        except ImportError: continue
        return getattr(found, name) if name else lambda: found.ZstdDecompressor().decompressobj()
def unpacked(data, size):
    stream, out = packs(), b""
    need(stream, PACKED)
    while data and len(out) <= size <= 1 << 24:  # frames, one behind the other
        need(data[:4] == b"\x28\xb5\x2f\xfd", "damage: no zstd frame")
        frame = stream()
        try: out += frame.decompress(data)
        except Exception as error: raise ValueError(f"damage: {error}") from error
        need(frame.eof, "damage: a zstd frame ends too early")
        data = frame.unused_data
    need(len(out) == size, "damage: raw_size")
    return out
def column(c, width, transform):  # its first value, and of each plane the byte that is all of it, or None
    first, planes = c.number(width) if transform else None, c.number(1)
    return width, first, [None if planes >> k & 1 else c.number(1) for k in range(width)]
def sums(first, steps, width): return itertools.accumulate(steps, lambda n, d: (n + d) % 256**width, initial=first)
def values(c, column, count):
    width, first, constants = column
    planes = [c.take(count) if constant is None else bytes([constant]) * count for constant in constants]
    numbers = [int.from_bytes(one, "little") for one in zip(*planes)]
    return numbers if first is None else list(sums(first, [n >> 1 ^ -(n & 1) for n in numbers[1:]], width))
def item(c):  # kind, width, bytes of what its column has, the column or None
    kind, transform, width = c.unpack("<BBH")
    need(kind < 4 and transform < 2, LATER)
    wide = (width, 2, 4, 4)[kind]
    return kind, width, wide, column(c, wide, transform) if wide in (1, 2, 4, 8) else None
def contents(c, item, count):  # the bytes of an item in each row
    kind, width, wide, column = item
    if column is None: return [c.take(width) for _ in range(count)]
    numbers = [(n, n.to_bytes(wide, "little")) for n in values(c, column, count)]
    return [(number if kind < 3 else b"") + (c.take(n * width) if kind else b"") for n, number in numbers]
def rows_of(c, count, size):  # columns as the rows of section 7.1
    need(8 * count <= size <= 1 << 24, "damage: more rows than fit")
    shape_count, delta = c.unpack("<H2xI")
    steps, shapes = column(c, 4, 0), []
    for _ in range(shape_count):
        rows, kind, flags, items = c.unpack("<IHBB")
        need(flags < 2, LATER)
        shapes.append((rows, kind, flags, [item(c) for _ in range(items)]))
    need(sum(shape[0] for shape in shapes) == count, "damage: rows of shapes")
    low, high = (c.take(count) if shape_count > most else bytes(count) for most in (1, 256))
    deltas = sums(delta, values(c, steps, count)[1:], 4)
    payloads = [map(b"".join, zip(*[contents(c, each, rows) for each in items])) if items else iter([b""] * rows)
                for rows, _, _, items in shapes]
    out = bytearray()
    for delta, *which in zip(deltas, low, high):
        number = which[0] | which[1] << 8
        payload = next(payloads[number], None) if number < shape_count else None
        need(payload is not None and len(out) <= size, "damage: shapes of rows")
        _, kind, wide, _ = shapes[number]
        head = struct.pack("<IHHI", delta, kind, 0, 12 + len(payload)) if wide else None
        out += (head or struct.pack("<IHH", delta, kind, min(8 + len(payload), 0xFFFF))) + payload
    return bytes(out)
