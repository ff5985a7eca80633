// The part of the session in view. Its edges are whole 1/1024 ns, so that moving by a pixel and back ends where it began.
const UNIT = 1024n;
const LEAST_SPAN = 16n * UNIT;

/** @param {bigint} low @param {bigint} value @param {bigint} high */
const clamped = (low, value, high) => (value < low ? low : value > high ? high : value);

/** @param {bigint} unit @returns {string} nanoseconds, with the fraction exact */
function decimal(unit) {
  const fraction = (Number(((unit % UNIT) + UNIT) % UNIT) / 1024).toFixed(10).slice(1).replace(/\.?0+$/, '');
  return `${unit >> 10n}${fraction}`;
}

/** @param {string} text @returns {bigint} */
function parsed(text) {
  const found = /^(-?\d+)(\.\d+)?$/.exec(text);
  if (!found) throw new RangeError(`no time: ${text}`);
  return BigInt(found[1]) * UNIT + BigInt(Math.round(Number(found[2] || 0) * 1024));
}

export class Viewport {
  /** @param {bigint} from @param {bigint} to in units of 1/1024 ns @param {number} width in device pixels */
  constructor(from, to, width) {
    this.from = from;
    this.to = to - from < LEAST_SPAN ? from + LEAST_SPAN : to;
    this.width = Math.max(width, 1);
    this.span = Number(this.to - this.from);
    /** Nanoseconds of one pixel. */
    this.scale = this.span / 1024 / this.width;
  }

  /** @param {bigint} from @param {bigint} to whole nanoseconds @param {number} width */
  static of(from, to, width) {
    return new Viewport(from * UNIT, to * UNIT, width);
  }

  /** @param {string} from @param {string} to @param {number} width */
  static parse(from, to, width) {
    return new Viewport(parsed(from), parsed(to), width);
  }

  texts() {
    return [decimal(this.from), decimal(this.to)];
  }

  /** The whole nanoseconds that have a part in view. */
  range() {
    return { from: this.from >> 10n, to: -(-this.to >> 10n) };
  }

  /** @param {bigint} ns @returns {number} the pixel's position, with its fraction */
  x(ns) {
    return (Number(ns * UNIT - this.from) * this.width) / this.span;
  }

  /** @param {number} x @returns {bigint} the nanosecond at this position */
  time(x) {
    return (this.from + BigInt(Math.round((x * this.span) / this.width))) >> 10n;
  }

  /** The same part on another number of pixels.
   * @param {number} width */
  resized(width) {
    return new Viewport(this.from, this.to, width);
  }

  /** @param {number} pixels */
  moved(pixels) {
    const by = BigInt(Math.round((pixels * this.span) / this.width));
    return new Viewport(this.from + by, this.to + by, this.width);
  }

  /** @param {number} factor below 1: a shorter part @param {number} x the pixel whose time keeps its place */
  zoomed(factor, x) {
    const span = BigInt(Math.round(this.span * factor));
    const longer = span < LEAST_SPAN ? LEAST_SPAN : span;
    const from = this.from + BigInt(Math.round((this.span - Number(longer)) * (x / this.width)));
    return new Viewport(from, from + longer, this.width);
  }

  /** Kept inside a session, with half of the view as margin.
   * @param {bigint} from @param {bigint} to */
  inside(from, to) {
    const whole = (to - from) * UNIT + 1n;
    const most = (whole * 11n) / 10n > LEAST_SPAN ? (whole * 11n) / 10n : LEAST_SPAN;
    const span = this.to - this.from < most ? this.to - this.from : most;
    const start = clamped(from * UNIT - span / 2n, this.from, to * UNIT - span / 2n);
    return new Viewport(start, start + span, this.width);
  }

  /** Level whose columns are at most a pixel wide, and that whose columns are at least one.
   * @param {number} finest */
  levels(finest) {
    const level = Math.log2(this.scale);
    return { rest: Math.max(finest, Math.floor(level)), moving: Math.max(finest, Math.ceil(level)) };
  }

  /** The numbers of the tiles of a level that have a part in view.
   * @param {number} level */
  tiles(level) {
    const bits = BigInt(level) + 20n;
    const last = Number((this.to - 1n) >> bits);
    const found = [];
    for (let index = Number(this.from >> bits); index <= last; index++) found.push(index);
    return found;
  }

  /** Where a tile begins, and the width of one of its columns, in pixels.
   * @param {number} level @param {number} index */
  place(level, index) {
    return { left: this.x(BigInt(index) << (BigInt(level) + 10n)), column: 2 ** level / this.scale };
  }

  /** @param {Viewport} other */
  equals(other) {
    return this.from === other.from && this.to === other.to && this.width === other.width;
  }
}
