// Drags over the rows: a new selection, or another edge of the one that is there; edges snap to changes of the row.
import { exactChange, nearestChange } from './snapping.js';

const RADIUS = 6;
const GRAB = 4;

/** @typedef {{ns: bigint, change: {ns: bigint, slack: bigint}|null}} Edge */

export class Selecting {
  /** @param {import('./store.js').Store} store @param {import('./server.js').Server} server @param {import('./surfaces.js').Surfaces} surfaces */
  constructor(store, server, surfaces) {
    this.store = store;
    this.server = server;
    this.surfaces = surfaces;
    /** @type {Edge|null} */ this.fixed = null;
    /** @type {Edge|null} */ this.moving = null;
    this.row = -1;
  }

  /** @param {number} x in device pixels @param {number} y in CSS pixels of the rows @param {boolean} free without snapping */
  begin(x, y, free) {
    this.row = this.surfaces.lines.at(y)?.row.id ?? -1;
    this.fixed = this.#grabbed(x) || this.#edge(x, free);
    this.moving = null;
  }

  /** The other edge, when the pointer is on one of the selection.
   * @param {number} x @returns {Edge|null} */
  #grabbed(x) {
    const { selection, view } = this.store.state;
    if (!selection) return null;
    const near = (/** @type {bigint} */ ns) => Math.abs(view.x(ns) - x) <= GRAB * this.surfaces.ratio;
    const other = near(selection.from) ? selection.to : near(selection.to) ? selection.from : null;
    return other === null ? null : { ns: other, change: null };
  }

  /** @param {number} x @param {boolean} free @returns {Edge} */
  #edge(x, free) {
    const { view, rows } = this.store.state;
    const level = view.levels(rows.finest).rest;
    const tiles = free || this.row < 0 ? [] : view.tiles(level).flatMap((index) => {
      const entry = this.surfaces.cache.get(level, index, this.row);
      return entry ? [{ level, index, starts: entry.content.starts }] : [];
    });
    const change = nearestChange(view, tiles, x, RADIUS * this.surfaces.ratio);
    return { ns: change ? change.ns : view.time(x), change };
  }

  /** @param {number} x @param {boolean} free */
  drag(x, free) {
    if (!this.fixed) return;
    this.moving = this.#edge(x, free);
    this.#show(this.fixed.ns, this.moving.ns);
  }

  /** @param {bigint} a @param {bigint} b */
  #show(a, b) {
    const [from, to] = a < b ? [a, b] : [b, a];
    this.store.set({ selection: { from, to: to > from ? to : from + 1n } });
  }

  /** The exact times of both edges, which tiles know to a column only. */
  async end() {
    const { fixed, moving, row } = this;
    this.fixed = this.moving = null;
    if (!fixed || !moving) return;
    const { session } = this.store.state;
    const exact = (/** @type {Edge} */ edge) => (edge.change ? exactChange(this.server, session, row, edge.change) : edge.ns);
    const [a, b] = await Promise.all([exact(fixed), exact(moving)]);
    if (!this.fixed) this.#show(a, b);
  }
}
