// The picture of the rows: bitmaps of tiles while the view moves, exact pixels 80 ms after its last movement.
import { newCanvas, sized } from './dom.js';
import { Painter, scaleOf } from './painter.js';
import { COLUMNS } from './protocol.js';
import { placedRanges } from './resample.js';
import { isNamed } from './rows.js';
import { ticksOf } from './ruler.js';
import { scaled, visible } from './text.js';

const REST_MS = 80;
const SLICE_MS = 8;
const COARSER = 8;

/** @typedef {import('./rows.js').RowLine} RowLine
 * @typedef {import('./resample.js').Placed} Placed
 * @typedef {import('./painter.js').Facts} Facts
 * @typedef {{lines: RowLine[], top: number, finest: number, names: string[], ratio: number, width: number, height: number}} Frame */

/** Rows of tiles that a view needs, the most urgent first: at rest, while it moves, and one tile on each side.
 * @param {import('./viewport.js').Viewport} view @param {number} finest @param {number[]} rows */
export function wanted(view, finest, rows) {
  const { rest, moving } = view.levels(finest);
  const at = view.tiles(rest);
  const list = view.tiles(moving).map((index) => ({ level: moving, index, rows }));
  list.push(...at.map((index) => ({ level: rest, index, rows })));
  list.push({ level: rest, index: at[0] - 1, rows }, { level: rest, index: at[at.length - 1] + 1, rows });
  return rows.length ? list : [];
}

export class Scene {
  /** @param {HTMLCanvasElement} canvas @param {import('./cache.js').TileCache} cache
   * @param {(facts: Map<number, Facts>) => void} painted called when all that is in view is exact */
  constructor(canvas, cache, painted) {
    this.canvas = canvas;
    this.cache = cache;
    this.painted = painted;
    /** @type {import('./palette.js').Palette|null} */ this.palette = null;
    /** @type {Frame|null} */ this.frame = null;
    /** @type {import('./viewport.js').Viewport|null} */ this.view = null;
    this.moved = 0;
    this.pending = 0;
    this.timer = 0;
    this.isExact = false;
    this.drawn = '';
    /** @type {RowLine[]} */ this.todo = [];
    /** @type {Map<number, Facts>} */ this.facts = new Map();
    this.scratch = newCanvas(1, 1);
  }

  /** @param {import('./viewport.js').Viewport} view @param {Frame} frame @param {import('./palette.js').Palette} palette */
  show(view, frame, palette) {
    const still = this.view !== null && view.equals(this.view) && palette === this.palette;
    this.view = view;
    this.frame = frame;
    if (palette !== this.palette || this.painter?.unit !== Math.max(1, Math.round(frame.ratio))) this.painter = new Painter(palette, frame.ratio);
    this.palette = palette;
    if (!still) this.moved = performance.now();
    this.changed();
  }

  /** Something in view is new: a tile, a theme, a size. */
  changed() {
    this.isExact = false;
    this.todo = [];
    if (!this.pending) this.pending = requestAnimationFrame(() => this.#step());
  }

  #step() {
    this.pending = 0;
    const { view, frame } = this;
    if (!view || !frame) return;
    if (this.todo.length) return this.#slice(view, frame);
    this.#coarse(view, frame);
    const wait = REST_MS - (performance.now() - this.moved);
    clearTimeout(this.timer);
    if (wait > 0) this.timer = setTimeout(() => this.changed(), wait);
    else if (this.#isComplete(view, frame)) this.#begin(view, frame);
  }

  /** @param {import('./viewport.js').Viewport} view @param {Frame} frame */
  #isComplete(view, frame) {
    const { rest } = view.levels(frame.finest);
    return view.tiles(rest).every((index) => frame.lines.every((line) => this.cache.isFresh(rest, index, line.row.id)));
  }

  /** @param {import('./viewport.js').Viewport} view @param {Frame} frame */
  #begin(view, frame) {
    this.todo = [...frame.lines];
    this.facts = new Map();
    this.#slice(view, frame);
  }

  /** @param {import('./viewport.js').Viewport} view @param {Frame} frame */
  #slice(view, frame) {
    const context = sized(this.canvas, frame.width, frame.height);
    const start = performance.now();
    while (this.todo.length && performance.now() < start + SLICE_MS) this.#exact(context, view, frame, /** @type {RowLine} */ (this.todo.shift()));
    performance.measure('exact', { start });
    if (this.todo.length) this.pending = requestAnimationFrame(() => this.#step());
    else {
      this.isExact = true;
      this.painted(this.facts);
    }
  }

  /** @param {Frame} frame @param {RowLine} line @returns {[number, number]} top and height of a row's ink, in device pixels */
  #place(frame, line) {
    return [Math.round((line.top + (line.height - line.ink) / 2 - frame.top) * frame.ratio), Math.max(1, Math.round(line.ink * frame.ratio))];
  }

  /** The tiles of a row at rest.
   * @param {import('./viewport.js').Viewport} view @param {Frame} frame @param {number} row @returns {Placed[]} */
  placed(view, frame, row) {
    const { rest } = view.levels(frame.finest);
    return view.tiles(rest).flatMap((index) => {
      const entry = this.cache.get(rest, index, row);
      return entry ? [{ ...view.place(rest, index), content: entry.content }] : [];
    });
  }

  /** @param {CanvasRenderingContext2D} context @param {import('./viewport.js').Viewport} view @param {Frame} frame @param {RowLine} line */
  #exact(context, view, frame, line) {
    const { painter } = this;
    if (!painter) return;
    const tiles = this.placed(view, frame, line.row.id);
    const [top, height] = this.#place(frame, line);
    painter.begin(frame.width, height);
    this.facts.set(line.row.id, painter.row(line.row.kind, tiles));
    this.#background(context, view, frame, top, height);
    context.drawImage(this.#bitmap(painter, this.scratch), 0, top);
    this.#axis(context, frame, line, top, height);
    this.#labels(context, frame, line, tiles, top, height);
  }

  /** @param {Painter} painter @param {HTMLCanvasElement} canvas */
  #bitmap(painter, canvas) {
    if (canvas.width !== painter.width || canvas.height !== painter.height) {
      canvas.width = painter.width;
      canvas.height = painter.height;
    }
    canvas.getContext('2d')?.putImageData(painter.image, 0, 0);
    return canvas;
  }

  /** The page's colour and the grid, which lies under the ink so that it changes no colour of it.
   * @param {CanvasRenderingContext2D} context @param {import('./viewport.js').Viewport} view @param {Frame} frame @param {number} top @param {number} height */
  #background(context, view, frame, top, height) {
    context.fillStyle = this.palette?.css('--bg') || '#fff';
    context.fillRect(0, top, frame.width, height);
    context.fillStyle = this.palette?.css('--grid') || '#eee';
    for (const { x } of ticksOf(view, frame.ratio).ticks) context.fillRect(Math.round(x), top, Math.max(1, Math.round(frame.ratio)), height);
  }

  /** @param {import('./viewport.js').Viewport} view @param {Frame} frame */
  #coarse(view, frame) {
    const context = sized(this.canvas, frame.width, frame.height);
    this.#background(context, view, frame, 0, frame.height);
    context.imageSmoothingEnabled = false;
    const { moving } = view.levels(frame.finest);
    const tiles = view.tiles(moving);
    for (const line of frame.lines) {
      const [top, height] = this.#place(frame, line);
      for (const index of tiles) this.#tile(context, view, line, moving, index, top, height);
      this.#axis(context, frame, line, top, height);
      this.#labels(context, frame, line, this.placed(view, frame, line.row.id), top, height);
    }
  }

  /** The bitmap of a tile, or its part of that of a coarser one.
   * @param {CanvasRenderingContext2D} context @param {import('./viewport.js').Viewport} view @param {RowLine} line
   * @param {number} level @param {number} index @param {number} top @param {number} height */
  #tile(context, view, line, level, index, top, height) {
    const { left, column } = view.place(level, index);
    for (let up = 0; up <= COARSER; up++) {
      const parent = Math.floor(index / 2 ** up);
      const entry = this.cache.get(level + up, parent, line.row.id);
      if (!entry) continue;
      const columns = COLUMNS / 2 ** up;
      context.drawImage(this.#pictureOf(entry, line, height), (index - parent * 2 ** up) * columns, 0, columns, height, left, top, COLUMNS * column, height);
      return;
    }
    context.fillStyle = this.palette?.css('--panel') || '#eee';
    context.fillRect(left, top, COLUMNS * column, height);
  }

  /** @param {import('./cache.js').Entry} entry @param {RowLine} line @param {number} height @returns {HTMLCanvasElement} */
  #pictureOf(entry, line, height) {
    const look = `${height} ${this.palette?.id}`;
    if (entry.bitmap && entry.look === look) return entry.bitmap;
    const painter = /** @type {Painter} */ (this.painter);
    painter.begin(COLUMNS, height);
    painter.row(line.row.kind, [{ left: 0, column: 1, content: entry.content }]);
    const bitmap = this.#bitmap(painter, newCanvas(COLUMNS, height));
    this.cache.keepBitmap(entry, bitmap, look);
    return bitmap;
  }

  /** Of a counter, as it was when it was exact last: the largest value, zero, and the least value where it has room.
   * @param {CanvasRenderingContext2D} context @param {Frame} frame @param {RowLine} line @param {number} top @param {number} height */
  #axis(context, frame, line, top, height) {
    const facts = this.facts.get(line.row.id);
    if (line.row.kind !== 'counter' || !facts || !Number.isFinite(facts.high)) return;
    const { low, high } = scaleOf(facts);
    const size = 10 * frame.ratio;
    context.font = `${size}px ${this.palette?.css('--font')}`;
    context.textBaseline = 'middle';
    /** @type {number[]} */ const taken = [];
    for (const value of [facts.high, 0, facts.low]) {
      const y = Math.round(top + height * (1 - (value - low) / (high - low || 1)));
      const middle = Math.min(Math.max(y, top + size / 2 + frame.ratio), top + height - size / 2 - frame.ratio);
      if (taken.some((other) => Math.abs(other - middle) < size * 1.3)) continue;
      taken.push(middle);
      context.fillStyle = this.palette?.css(value ? '--muted' : '--line') || '#888';
      context.fillRect(0, Math.min(y, top + height - frame.ratio), value ? 4 * frame.ratio : frame.width, Math.max(1, Math.round(frame.ratio / 2)));
      const text = scaled(value, value ? line.row.unit || '' : '');
      context.fillStyle = this.palette?.css('--pill') || '#fff';
      context.fillRect(4 * frame.ratio, middle - size / 2, context.measureText(text).width + 4 * frame.ratio, size);
      context.fillStyle = this.palette?.css('--muted') || '#888';
      context.fillText(text, 6 * frame.ratio, middle);
    }
  }

  /** @param {CanvasRenderingContext2D} context @param {Frame} frame @param {RowLine} line @param {Placed[]} tiles @param {number} top @param {number} height */
  #labels(context, frame, line, tiles, top, height) {
    const isSpan = isNamed(line.row.kind);
    context.font = `${(isSpan ? 11 : 10.5) * frame.ratio}px ${this.palette?.css('--font')}`;
    context.textBaseline = 'middle';
    const labels = placedRanges(tiles, (content) => content.labels, (one) => one.name);
    if (line.life) this.#shade(context, frame, labels.filter((label) => frame.names[label.name] === line.life), top, height);
    labels.sort((a, b) => a.from - b.from);
    for (let i = 0; i < labels.length; ++i) {
      const label = labels[i];
      if (line.life && frame.names[label.name] !== line.life) continue;
      const from = Math.max(label.from, 0);
      // Spans of one row may overlap, such as those of what tracing took; their names do not.
      const to = isSpan && i + 1 < labels.length ? Math.min(label.to, labels[i + 1].from) : label.to;
      const room = Math.min(to, frame.width) - from;
      if (room < 40 * frame.ratio) continue;
      const name = frame.names[label.name] ?? '?';
      // What the row itself is called would cover what is under it for nothing.
      if (!isSpan && name === line.row.name) continue;
      const text = fitted(context, visible(name), room - 8 * frame.ratio);
      // On states a name covers what is under it, so most of a life stays free of it; a span has one colour.
      const isPlain = isSpan && !this.palette?.isForced;
      if (isSpan || context.measureText(text).width < room * 0.5) this.#label(context, frame.ratio, text, from, top, height, isPlain);
    }
  }

  /** All but one life of a lane.
   * @param {CanvasRenderingContext2D} context @param {Frame} frame @param {{from: number, to: number}[]} kept @param {number} top @param {number} height */
  #shade(context, frame, kept, top, height) {
    context.fillStyle = this.palette?.css('--shade') || '#fffc';
    let from = 0;
    for (const range of [...kept].sort((a, b) => a.from - b.from)) {
      if (range.from > from) context.fillRect(from, top, range.from - from, height);
      from = Math.max(from, range.to);
    }
    if (from < frame.width) context.fillRect(from, top, frame.width - from, height);
  }

  /** @param {CanvasRenderingContext2D} context @param {number} ratio @param {string} text @param {number} from @param {number} top @param {number} height @param {boolean} isPlain on ink of one colour */
  #label(context, ratio, text, from, top, height, isPlain) {
    if (!text) return;
    if (!isPlain) {
      context.fillStyle = this.palette?.css('--pill') || '#fff';
      context.fillRect(from + ratio, top + ratio, context.measureText(text).width + 6 * ratio, height - 2 * ratio);
    }
    context.fillStyle = this.palette?.css(isPlain ? '--ontop' : '--text') || '#000';
    context.fillText(text, from + 4 * ratio, top + height / 2 + ratio / 2);
  }
}

/** @param {CanvasRenderingContext2D} context @param {string} text @param {number} room @returns {string} */
function fitted(context, text, room) {
  if (context.measureText(text).width <= room) return text;
  let least = 0;
  for (let most = text.length; least < most; ) {
    const middle = (least + most + 1) >> 1;
    if (context.measureText(text.slice(0, middle) + '…').width <= room) least = middle;
    else most = middle - 1;
  }
  return least > 1 ? text.slice(0, least) + '…' : '';
}
