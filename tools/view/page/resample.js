// From columns of tiles to pixels of the screen: each pixel has the mean of what is in its time, by area.

/** @typedef {import('./protocol.js').Content} Content
 * @typedef {{left: number, column: number, content: Content}} Placed a tile's row, and where its columns are in pixels */

const LEAST = 1e-6;

/** The pixels that a run has a part of, with that part.
 * @param {number} from @param {number} to @param {number} width @param {(pixel: number, part: number) => void} each */
function eachPixel(from, to, width, each) {
  const end = Math.min(to, width);
  for (let x = Math.max(from, 0), pixel = Math.floor(x); x < end; x = ++pixel) {
    const part = Math.min(end, pixel + 1) - x;
    if (part > LEAST) each(pixel, part);
  }
}

/** Adds one share to the pixels of a run. Apart from eachPixel() because pictures at rest are made of it.
 * @param {Float64Array} shares @param {number} at key @param {number} keys @param {number} from @param {number} to @param {number} share */
function addShare(shares, at, keys, from, to, share) {
  const first = Math.floor(from);
  const last = Math.ceil(to) - 1;
  if (first >= last) {
    if (to - from > LEAST) shares[first * keys + at] += (to - from) * share;
    return;
  }
  if (first + 1 - from > LEAST) shares[first * keys + at] += (first + 1 - from) * share;
  for (let pixel = first + 1; pixel < last; pixel++) shares[pixel * keys + at] += share;
  if (to - last > LEAST) shares[last * keys + at] += (to - last) * share;
}

/** @param {Placed[]} tiles @param {number} width @param {number} keys @returns {Float64Array} shares of 1, by pixel and key */
export function stackShares(tiles, width, keys) {
  const shares = new Float64Array(width * keys);
  for (const { left, column, content } of tiles) {
    if (content.kind !== 'stack') continue;
    const { starts, offsets, parts } = content;
    for (let run = 0; run + 1 < starts.length; run++) {
      const from = Math.max(left + starts[run] * column, 0);
      const to = Math.min(left + starts[run + 1] * column, width);
      if (to <= from) continue;
      for (let at = offsets[run]; at < offsets[run + 1]; at += 2) addShare(shares, parts[at], keys, from, to, parts[at + 1] / 255);
    }
  }
  return shares;
}

/** @param {Placed[]} tiles @param {number} width
 * @returns {Float64Array} least, greatest, mean and weight by pixel; weight 0: nothing there */
export function valueBands(tiles, width) {
  const bands = new Float64Array(width * 4);
  for (const { left, column, content } of tiles) {
    if (content.kind !== 'values') continue;
    const { starts, values } = content;
    for (let run = 0; run + 1 < starts.length; run++) {
      if (Number.isNaN(values[run * 3])) continue;
      eachPixel(left + starts[run] * column, left + starts[run + 1] * column, width, (pixel, part) => addValue(bands, pixel * 4, values, run * 3, part));
    }
  }
  return bands;
}

/** @param {Float64Array} bands @param {number} to @param {Float32Array} values @param {number} from @param {number} part */
function addValue(bands, to, values, from, part) {
  const weight = bands[to + 3];
  bands[to] = weight ? Math.min(bands[to], values[from]) : values[from];
  bands[to + 1] = weight ? Math.max(bands[to + 1], values[from + 1]) : values[from + 1];
  bands[to + 2] = (bands[to + 2] * weight + values[from + 2] * part) / (weight + part);
  bands[to + 3] = weight + part;
}

/** @param {Placed[]} tiles @param {number} width @returns {Float64Array} number of events by pixel */
export function pixelCounts(tiles, width) {
  const counts = new Float64Array(width);
  for (const { left, column, content } of tiles) {
    if (content.kind !== 'counts') continue;
    content.counts.forEach((count, run) => {
      if (!count) return;
      eachPixel(left + content.starts[run] * column, left + content.starts[run + 1] * column, width, (pixel, part) => {
        counts[pixel] += (count * part) / column;
      });
    });
  }
  return counts;
}

/** Those of a column that is partly in view are all counted: where in it they are is not known.
 * @param {Placed[]} tiles @param {number} width @returns {number} of events in view */
export function countInView(tiles, width) {
  let sum = 0;
  for (const { left, column, content } of tiles) {
    if (content.kind !== 'counts') continue;
    const first = Math.floor(-left / column + LEAST);
    const end = Math.ceil((width - left) / column - LEAST);
    content.counts.forEach((count, run) => {
      sum += count * Math.max(0, Math.min(content.starts[run + 1], end) - Math.max(content.starts[run], first));
    });
  }
  return sum;
}

/** @param {Placed[]} tiles @param {number} width @param {number} keys @returns {Float64Array} number of events by pixel and class */
export function classCounts(tiles, width, keys) {
  const counts = new Float64Array(width * keys);
  for (const { left, column, content } of tiles) {
    if (content.kind !== 'classes') continue;
    const { starts, offsets } = content;
    for (let run = 0; run + 1 < starts.length; run++) {
      if (offsets[run] === offsets[run + 1]) continue;
      eachPixel(left + starts[run] * column, left + starts[run + 1] * column, width, (pixel, part) => {
        for (let at = offsets[run]; at < offsets[run + 1]; at += 2) counts[pixel * keys + content.counts[at]] += (content.counts[at + 1] * part) / column;
      });
    }
  }
  return counts;
}

/** Whether a run of a tile has anything.
 * @param {Content} content @param {number} run */
function hasInk(content, run) {
  if (content.kind === 'values') return !Number.isNaN(content.values[run * 3]);
  return content.kind === 'counts' ? content.counts[run] > 0 : content.offsets[run] < content.offsets[run + 1];
}

/** Of a row in view: the running part of the time, and whether there is nothing.
 * @param {Placed[]} tiles @param {number} width @returns {{share: number, isEmpty: boolean}} */
export function inView(tiles, width) {
  let share = 0;
  let isEmpty = !placedRanges(tiles, (content) => content.bands, (one) => one.kind).some((band) => band.to > 0 && band.from < width);
  for (const { left, column, content } of tiles) {
    for (let run = 0; run + 1 < content.starts.length; run++) {
      const pixels = Math.min(left + content.starts[run + 1] * column, width) - Math.max(left + content.starts[run] * column, 0);
      if (pixels <= 0 || !hasInk(content, run)) continue;
      isEmpty = false;
      if (content.kind !== 'stack') break;
      for (let at = content.offsets[run]; at < content.offsets[run + 1]; at += 2) if (!content.parts[at]) share += (pixels * content.parts[at + 1]) / 255;
    }
  }
  return { share: share / width, isEmpty };
}

/** Ranges of tiles in pixels; those of one name that meet at a tile's edge are one.
 * @template {{first: number, columns: number}} R
 * @param {Placed[]} tiles @param {(content: import('./protocol.js').Content) => R[]} rangesOf @param {(one: R) => number} nameOf
 * @returns {{from: number, to: number, name: number}[]} */
export function placedRanges(tiles, rangesOf, nameOf) {
  /** @type {{from: number, to: number, name: number}[]} */ const found = [];
  for (const { left, column, content } of tiles) {
    const before = found.filter((range) => Math.abs(range.to - left) < 0.01);
    for (const range of rangesOf(content)) {
      const placed = { from: left + range.first * column, to: left + (range.first + range.columns) * column, name: nameOf(range) };
      const same = range.first ? undefined : before.find((other) => other.name === placed.name);
      if (same) same.to = placed.to;
      else found.push(placed);
    }
  }
  return found;
}
