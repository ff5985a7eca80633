// Tiles of the server, protocol v1. Bytes that do not follow it are an error, and never more work than their number.
export const COLUMNS = 1024;
const STACK_KEYS = [8, 12];
const CLASSES = 6;
const MAGIC = 0x54545645;

/** What a row has in the columns of a tile. Runs begin at starts[n] and end at starts[n + 1].
 * @typedef {{first: number, columns: number, name: number}} Label
 * @typedef {{kind: number, first: number, columns: number}} Band
 * @typedef {{kind: 'stack', starts: Uint16Array, offsets: Uint32Array, parts: Uint8Array, labels?: Label[]}} Stack
 * @typedef {{kind: 'values', starts: Uint16Array, values: Float32Array}} Values
 * @typedef {{kind: 'counts', starts: Uint16Array, counts: Float64Array}} Counts
 * @typedef {{kind: 'classes', starts: Uint16Array, offsets: Uint32Array, counts: Float64Array}} Classes pairs of class and count
 * @typedef {(Stack|Values|Counts|Classes) & {labels: Label[], bands: Band[]}} Content
 * @typedef {{row: number, partial: boolean, bytes: number, states: number, sparks: number, bands: number, content: Content}} TileRow states, sparks, bands: a bit for each that occurs
 * @typedef {{level: number, index: number, generation: number, rows: TileRow[]}} Tile */

export class ProtocolError extends Error {}

class Bytes {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  get end() {
    return this.at >= this.bytes.length;
  }
  u8() {
    if (this.end) throw new ProtocolError('a tile is truncated');
    return this.bytes[this.at++];
  }
  f32() {
    if (this.at + 4 > this.bytes.length) throw new ProtocolError('a tile is truncated');
    this.at += 4;
    return this.view.getFloat32(this.at - 4, true);
  }
  varint() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.u8();
      value += (byte & 127) * scale;
      if (value > Number.MAX_SAFE_INTEGER || scale > 2 ** 56) throw new ProtocolError('a number of a tile is too large');
      if (byte < 128) return value;
    }
  }
  zigzag() {
    const value = this.varint();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }
  /** @param {number} size */
  part(size) {
    if (size > this.bytes.length - this.at) throw new ProtocolError('a tile is truncated');
    this.at += size;
    return new Bytes(this.bytes.subarray(this.at - size, this.at));
  }
}

/** @param {Bytes} bytes @param {(columns: number) => void} run */
function eachRun(bytes, run) {
  for (let column = 0; column < COLUMNS; ) {
    const columns = bytes.varint();
    if (!columns || columns > COLUMNS - column) throw new ProtocolError('a run of a tile has a wrong length');
    run(column);
    column += columns;
  }
}

/** @param {Bytes} bytes @param {number} keys @param {number[]} parts */
function readShares(bytes, keys, parts) {
  let sum = 0;
  for (let n = bytes.u8(); n > 0; n--) {
    const key = bytes.u8();
    const share = bytes.u8();
    sum += share;
    if (key >= keys || !share || sum > 255) throw new ProtocolError('shares of a tile are wrong');
    parts.push(key, share);
  }
}

/** @template T @param {Bytes} bytes @param {(first: number, columns: number) => T} one */
function ranges(bytes, one) {
  const list = [];
  for (let n = bytes.varint(); n > 0; n--) {
    const first = bytes.varint();
    const columns = bytes.varint();
    if (!columns || first + columns > COLUMNS) throw new ProtocolError('a range of a tile is outside it');
    list.push(one(first, columns));
  }
  return list;
}

/** @param {Bytes} bytes @returns {Band} */
function readBand(bytes) {
  const kind = bytes.u8();
  const first = bytes.varint();
  const columns = bytes.varint();
  if (kind > 3 || !columns || first + columns > COLUMNS) throw new ProtocolError('a band of a tile is wrong');
  return { kind, first, columns };
}

/** @param {Bytes} bytes @param {number} keys @returns {Stack} */
function readStack(bytes, keys) {
  /** @type {number[]} */ const starts = [];
  /** @type {number[]} */ const offsets = [];
  /** @type {number[]} */ const parts = [];
  eachRun(bytes, (column) => {
    starts.push(column);
    offsets.push(parts.length);
    readShares(bytes, keys, parts);
  });
  const labels = ranges(bytes, (first, columns) => ({ first, columns, name: bytes.varint() }));
  return { kind: 'stack', starts: Uint16Array.from([...starts, COLUMNS]), offsets: Uint32Array.from([...offsets, parts.length]),
    parts: Uint8Array.from(parts), labels };
}

/** @param {Bytes} bytes @returns {Values} */
function readValues(bytes) {
  /** @type {number[]} */ const starts = [];
  /** @type {number[]} */ const values = [];
  eachRun(bytes, (column) => {
    starts.push(column);
    if (bytes.u8()) values.push(bytes.f32(), bytes.f32(), bytes.f32());
    else values.push(NaN, NaN, NaN);
  });
  return { kind: 'values', starts: Uint16Array.from([...starts, COLUMNS]), values: Float32Array.from(values) };
}

/** @param {Bytes} bytes @returns {Counts} */
function readCounts(bytes) {
  /** @type {number[]} */ const starts = [];
  /** @type {number[]} */ const counts = [];
  eachRun(bytes, (column) => {
    starts.push(column);
    counts.push(bytes.varint());
  });
  return { kind: 'counts', starts: Uint16Array.from([...starts, COLUMNS]), counts: Float64Array.from(counts) };
}

/** @param {Bytes} bytes @returns {Classes} */
function readClasses(bytes) {
  /** @type {number[]} */ const starts = [];
  /** @type {number[]} */ const offsets = [];
  /** @type {number[]} */ const counts = [];
  eachRun(bytes, (column) => {
    starts.push(column);
    offsets.push(counts.length);
    for (let n = bytes.u8(); n > 0; n--) {
      const key = bytes.u8();
      if (key >= CLASSES) throw new ProtocolError('a class of a tile is unknown');
      counts.push(key, bytes.varint());
    }
  });
  return { kind: 'classes', starts: Uint16Array.from([...starts, COLUMNS]), offsets: Uint32Array.from([...offsets, counts.length]),
    counts: Float64Array.from(counts) };
}

/** @param {number} kind @param {Bytes} bytes @returns {Stack|Values|Counts|Classes} */
function readKind(kind, bytes) {
  if (kind === 2) return readValues(bytes);
  if (kind === 3) return readCounts(bytes);
  if (kind === 4) return readClasses(bytes);
  if (kind > 4) throw new ProtocolError('a row of a tile has an unknown kind');
  return readStack(bytes, STACK_KEYS[kind]);
}

/** @param {number} kind @param {Bytes} bytes @returns {Content} */
function readContent(kind, bytes) {
  const content = readKind(kind, bytes);
  const bands = [];
  for (let n = bytes.varint(); n > 0; n--) bands.push(readBand(bytes));
  if (!bytes.end) throw new ProtocolError('a row of a tile is longer than its content');
  return { labels: [], ...content, bands };
}

/** @param {Bytes} bytes @returns {TileRow} */
function readRow(bytes) {
  const row = bytes.varint();
  const kind = bytes.u8();
  const flags = bytes.u8();
  const size = bytes.varint();
  const content = readContent(kind, bytes.part(size));
  return { row, partial: (flags & 1) === 1, bytes: size * 2 + 200, states: kind || content.kind !== 'stack' ? 0 : keysIn(content.parts),
    sparks: content.kind === 'classes' ? keysIn(content.counts) : 0, bands: content.bands.reduce((bits, band) => bits | 1 << band.kind, 0), content };
}

/** @param {Uint8Array|Float64Array} pairs of key and how much of it */
function keysIn(pairs) {
  let bits = 0;
  for (let at = 0; at < pairs.length; at += 2) bits |= 1 << pairs[at];
  return bits;
}

/** @param {ArrayBuffer} buffer @returns {Tile} */
export function decodedTile(buffer) {
  const bytes = new Bytes(new Uint8Array(buffer));
  if (bytes.bytes.length < 6 || bytes.view.getUint32(0, true) !== MAGIC) throw new ProtocolError('the answer is no tile');
  bytes.at = 4;
  if (bytes.u8() !== 1) throw new ProtocolError('the tile is of another version');
  const tile = { level: bytes.u8(), index: bytes.zigzag(), generation: bytes.varint(), rows: /** @type {TileRow[]} */ ([]) };
  while (!bytes.end) tile.rows.push(readRow(bytes));
  return tile;
}
