// What the order by running time and the folding of empty rows need: of every row what is in view, not only of those on the screen.
import { inView } from './resample.js';

const MOST_ROWS = 2048;  // so that what is asked for has room in the cache

/** @typedef {import('./cache.js').Want} Want */

export class Arranging {
  /** @param {import('./store.js').Store} store @param {import('./cache.js').TileCache} cache */
  constructor(store, cache) {
    this.store = store;
    this.cache = cache;
    /** @type {import('./rows.js').Known} */ this.known = { shares: new Map(), empty: new Set() };
    this.key = '';
  }

  /** @returns {number[]} rows whose tiles are needed beside those on the screen */
  get #rows() {
    const { fold, order, rows, hidden } = this.store.state;
    return fold || order === 'share' ? rows.rows.filter((row) => !hidden.includes(row.id)).slice(0, MOST_ROWS).map((row) => row.id) : [];
  }

  /** @returns {{level: number, indexes: number[]}} */
  get #tiles() {
    const { view, rows } = this.store.state;
    const level = view.levels(rows.finest).rest;
    return { level, indexes: view.tiles(level) };
  }

  /** Behind what is on the screen.
   * @returns {Want[]} */
  wants() {
    const rows = this.#rows;
    const { level, indexes } = this.#tiles;
    return rows.length ? indexes.map((index) => ({ level, index, rows })) : [];
  }

  /** These rows are shown until the view changes.
   * @param {number[]} rows @returns {boolean} whether one was folded */
  unfold(rows) {
    return rows.filter((row) => this.known.empty.delete(row)).length > 0;
  }

  /** Looks at the view, which rests: whether rows change their places, and whether all tiles are there.
   * @param {Set<number>} kept rows that do not fold @returns {{isNew: boolean, isComplete: boolean}} */
  look(kept) {
    const { view, fold, order } = this.store.state;
    const { level, indexes } = this.#tiles;
    const shares = new Map();
    const empty = new Set();
    let isComplete = true;
    for (const row of this.#rows) {
      const entries = indexes.map((index) => this.cache.get(level, index, row));
      if (!entries.every(Boolean)) isComplete = false;
      const tiles = entries.flatMap((entry, n) => (entry ? [{ ...view.place(level, indexes[n]), content: entry.content }] : []));
      const facts = inView(tiles, view.width);
      shares.set(row, facts.share);
      if (facts.isEmpty && tiles.length === indexes.length && !kept.has(row)) empty.add(row);
    }
    const key = `${fold ? [...empty] : ''} ${order === 'share' ? [...shares].sort((a, b) => b[1] - a[1]).map(([row]) => row) : ''}`;
    const isNew = isComplete && key !== this.key;
    if (isComplete) {
      this.key = key;
      this.known = { shares, empty };
    }
    return { isNew, isComplete };
  }
}
