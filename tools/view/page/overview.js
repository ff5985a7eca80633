// The whole session in one picture, kept as a bitmap, with the view as a window that can be dragged and resized.
import { newCanvas, sized } from './dom.js';
import { shadeFrom } from './overlay.js';
import { Painter } from './painter.js';
import { Viewport } from './viewport.js';

const HANDLE = 6;

/** @typedef {import('./palette.js').Palette} Palette */

export class Overview {
  /** @param {HTMLCanvasElement} canvas @param {import('./cache.js').TileCache} cache */
  constructor(canvas, cache) {
    this.canvas = canvas;
    this.cache = cache;
    this.picture = newCanvas(1, 1);
    this.key = '';
  }

  /** The whole session over the width of the canvas.
   * @param {import('./store.js').Store} store @param {number} width */
  viewport(store, width) {
    const { from, to } = store.whole;
    return Viewport.of(from, to, width);
  }

  /** @param {import('./store.js').Store} store @param {number} row @param {number} width @returns {import('./cache.js').Want[]} */
  wants(store, row, width) {
    const view = this.viewport(store, width);
    const level = view.levels(store.state.rows.finest).rest;
    return view.tiles(level).map((index) => ({ level, index, rows: [row] }));
  }

  /** @param {import('./store.js').Store} store @param {import('./server.js').RowInfo|undefined} row @param {Palette} palette
   * @param {number} width @param {number} height @param {number} ratio @returns {boolean} whether all of it is there */
  draw(store, row, palette, width, height, ratio) {
    const context = sized(this.canvas, width, height);
    const wants = row ? this.wants(store, row.id, width) : [];
    const isComplete = wants.every((want) => this.cache.isFresh(want.level, want.index, want.rows[0]));
    this.#refresh(store, row, wants, palette, width, height, ratio);
    context.fillStyle = palette.css('--bg');
    context.fillRect(0, 0, width, height);
    context.drawImage(this.picture, 0, Math.round(5 * ratio));
    if (store.unread !== null) shadeFrom(context, this.viewport(store, width).x(store.unread), palette, width, height);
    this.#window(context, store, palette, width, height, ratio);
    return isComplete;
  }

  /** @param {import('./store.js').Store} store @param {import('./server.js').RowInfo|undefined} row @param {import('./cache.js').Want[]} wants
   * @param {Palette} palette @param {number} width @param {number} height @param {number} ratio */
  #refresh(store, row, wants, palette, width, height, ratio) {
    const view = this.viewport(store, width);
    const tiles = wants.flatMap((want) => {
      const entry = this.cache.get(want.level, want.index, want.rows[0]);
      return entry ? [{ entry, tile: { ...view.place(want.level, want.index), content: entry.content } }] : [];
    });
    const key = `${palette.id} ${width} ${height} ${row?.id} ${wants.map((want) => want.index)} ${tiles.map((one) => one.entry.generation)}`;
    if (key === this.key) return;
    this.key = key;
    const painter = new Painter(palette, ratio);
    painter.begin(width, Math.max(1, Math.round(height - 10 * ratio)));
    painter.row(row?.kind || '', tiles.map((one) => one.tile));
    this.picture = newCanvas(painter.width, painter.height);
    this.picture.getContext('2d')?.putImageData(painter.image, 0, 0);
  }

  /** @param {CanvasRenderingContext2D} context @param {import('./store.js').Store} store @param {Palette} palette
   * @param {number} width @param {number} height @param {number} ratio */
  #window(context, store, palette, width, height, ratio) {
    const [from, to] = this.edges(store, width);
    context.fillStyle = palette.css('--shade');
    context.fillRect(0, 0, from, height);
    context.fillRect(to, 0, width - to, height);
    context.strokeStyle = context.fillStyle = palette.css('--accent');
    context.lineWidth = 1.5 * ratio;
    context.strokeRect(from + ratio, ratio, Math.max(to - from - 2 * ratio, ratio), height - 2 * ratio);
    for (const x of [from, to - 3 * ratio]) context.fillRect(x, height / 2 - 8 * ratio, 3 * ratio, 16 * ratio);
  }

  /** @param {import('./store.js').Store} store @param {number} width @returns {[number, number]} the window's */
  edges(store, width) {
    const view = this.viewport(store, width);
    const { from, to } = store.state.view.range();
    return [Math.max(0, view.x(from)), Math.min(width, view.x(to))];
  }

  /** What the pointer holds.
   * @param {import('./store.js').Store} store @param {number} x @param {number} width @param {number} ratio @returns {'from'|'to'|'window'|'outside'} */
  part(store, x, width, ratio) {
    const [from, to] = this.edges(store, width);
    if (Math.abs(x - from) <= HANDLE * ratio) return 'from';
    if (Math.abs(x - to) <= HANDLE * ratio) return 'to';
    return x > from && x < to ? 'window' : 'outside';
  }
}
