// The pixels of one row: stacks of shares, bands of values, bars of counts, and hatching over what is missing.
import { classCounts, countInView, pixelCounts, placedRanges, stackShares, valueBands } from './resample.js';
import { isNamed } from './rows.js';
import { stackHeights } from './stack.js';

const BAR = 3;

/** @typedef {import('./palette.js').Palette} Palette
 * @typedef {import('./palette.js').Ink} Ink
 * @typedef {import('./resample.js').Placed} Placed
 * @typedef {{share: number, low: number, high: number}} Facts what the row's label shows: share of the first state, scale of values, number of marks */

/** Of a counter's row: its values and zero, so that heights are in proportion.
 * @param {{low: number, high: number}} facts */
export const scaleOf = ({ low, high }) => ({ low: Math.min(low, 0), high: Math.max(high, 0) });

export class Painter {
  /** @param {Palette} palette @param {number} unit device pixels of a CSS pixel */
  constructor(palette, unit) {
    this.palette = palette;
    this.unit = Math.max(1, Math.round(unit));
    this.width = 0;
    this.height = 0;
    this.image = new ImageData(1, 1);
    this.pixels = new Uint32Array(1);
  }

  /** An image of this size without anything in it.
   * @param {number} width @param {number} height */
  begin(width, height) {
    if (width !== this.width || height !== this.height) {
      this.image = new ImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
      this.width = width;
      this.height = height;
    }
    this.pixels.fill(0);
  }

  /** @param {string} kind of the row @param {Placed[]} tiles @returns {Facts} */
  row(kind, tiles) {
    const content = tiles.length ? tiles[0].content.kind : 'stack';
    const facts = content === 'values' ? this.#values(tiles) : content === 'counts' ? this.#counts(tiles, kind) : content === 'classes' ? this.#classes(tiles)
      : this.#stacks(tiles, isNamed(kind) ? this.palette.spans : this.palette.states);
    this.#bands(tiles);
    return facts;
  }

  /** @param {number} x @param {number} from rows from below @param {number} to @param {Ink} ink */
  #column(x, from, to, ink) {
    const { pixels, width, height, unit } = this;
    const end = ink.bar ? Math.min(to, from + BAR * unit) : to;
    for (let y = from, at = (height - 1 - from) * width + x; y < end; y++, at -= width)
      if (!ink.texture || ink.texture(x, y, unit)) pixels[at] = ink.pixel;
    // A texture has holes; what is lower than its pattern would vanish in them.
    if (ink.texture && end - from < 4 * unit && end > from) pixels[(height - 1 - from) * width + x] = ink.pixel;
  }

  /** @param {Placed[]} tiles @param {Ink[]} inks @returns {Facts} */
  #stacks(tiles, inks) {
    const keys = inks.length;
    const shares = stackShares(tiles, this.width, keys);
    const heights = new Int32Array(keys);
    let first = 0;
    for (let x = 0; x < this.width; x++) {
      this.#stack(shares, x, heights, inks);
      first += shares[x * keys];
    }
    return { share: first / this.width, low: NaN, high: NaN };
  }

  /** @param {Placed[]} tiles @returns {Facts} */
  #values(tiles) {
    const bands = valueBands(tiles, this.width);
    let low = Infinity;
    let high = -Infinity;
    for (let at = 0; at < bands.length; at += 4) {
      if (!bands[at + 3]) continue;
      low = Math.min(low, bands[at]);
      high = Math.max(high, bands[at + 1]);
    }
    const of = scaleOf({ low, high });
    const scale = (this.height - 1 - this.unit) / (of.high - of.low || 1);
    /** @param {number} value */ const y = (value) => Math.round((value - of.low) * scale);
    let before = -1;
    for (let x = 0; x < this.width; x++) {
      const at = x * 4;
      if (!bands[at + 3]) { before = -1; continue; }
      this.#column(x, y(bands[at]), y(bands[at + 1]) + 1, { pixel: this.palette.band, texture: null, bar: false });
      const mean = y(bands[at + 2]);
      const from = before < 0 ? mean : Math.min(before, mean);
      this.#column(x, from, Math.max(before, mean) + this.unit, { pixel: this.palette.line, texture: null, bar: false });
      before = mean;
    }
    return { share: NaN, low, high };
  }

  /** Marks over the full height; of amounts the height is the rate, of events its root, so that a single one is seen beside thousands.
   * @param {Placed[]} tiles @param {string} kind @returns {Facts} */
  #counts(tiles, kind) {
    const counts = pixelCounts(tiles, this.width);
    const most = counts.reduce((a, b) => Math.max(a, b), 0);
    const ink = { pixel: kind === 'mark' ? this.palette.line : this.palette.count, texture: null, bar: false };
    const height = (/** @type {number} */ part) => (kind === 'mark' ? 1 : kind === 'object' ? part : Math.sqrt(part));
    counts.forEach((count, x) => {
      if (count > 0) this.#column(x, 0, Math.max(1, Math.round(height(count / most) * this.height)), ink);
    });
    return { share: NaN, low: NaN, high: kind === 'mark' ? countInView(tiles, this.width) : most };
  }

  /** Rates of classes, one on the other; the highest sum of the view has the full height.
   * @param {Placed[]} tiles @returns {Facts} */
  #classes(tiles) {
    const inks = this.palette.classes;
    const keys = inks.length;
    const counts = classCounts(tiles, this.width, keys);
    const sum = (/** @type {number} */ x) => counts.subarray(x * keys, (x + 1) * keys).reduce((a, b) => a + b, 0);
    let most = 0;
    for (let x = 0; x < this.width; x++) most = Math.max(most, sum(x));
    const heights = new Int32Array(keys);
    for (let at = 0; at < counts.length; at++) counts[at] /= most || 1;
    for (let x = 0; x < this.width; x++) this.#stack(counts, x, heights, inks);
    return { share: NaN, low: NaN, high: most };
  }

  /** @param {Float64Array} shares @param {number} x @param {Int32Array} heights @param {Ink[]} inks */
  #stack(shares, x, heights, inks) {
    const keys = inks.length;
    stackHeights(shares, x * keys, keys, this.height, heights);
    for (let key = 0, y = 0; key < keys; y += heights[key++]) if (heights[key]) this.#column(x, y, Math.min(y + heights[key], this.height), inks[key]);
  }

  /** @param {Placed[]} tiles */
  #bands(tiles) {
    for (const band of placedRanges(tiles, (content) => content.bands, (one) => one.kind)) {
      const from = Math.max(0, Math.floor(band.from));
      const to = Math.min(this.width, Math.max(Math.ceil(band.to), from + 2 * this.unit));
      const ink = this.palette.bandInk(band.name);
      for (let x = from; x < to; x++) this.#column(x, 0, this.height, ink);
    }
  }
}
