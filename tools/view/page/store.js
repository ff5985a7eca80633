// What the page shows, in one place; each part of the page draws itself again when something that it shows changes.
import { Viewport } from './viewport.js';

/** @typedef {{from: bigint, to: bigint}} Range
 * @typedef {{row: number, ns: bigint, event: import('./server.js').TraceEvent|null}} Cursor
 * @typedef {{ns: bigint, name: string}} Bookmark
 * @typedef {{row: number, name: string}} Pin name: of the one thread of a lane that is shown, '' for all of the row
 * @typedef {'start'|'share'|'name'} Order
 * @typedef {'light'|'dark'|''} Theme '' is that of the system
 * @typedef {{trace: import('./server.js').Trace|null, session: number, rows: import('./server.js').Rows, view: Viewport,
 *   selection: Range|null, cursor: Cursor|null, bookmarks: Bookmark[], pinned: Pin[], hidden: number[], toggled: string[],
 *   fold: boolean, filter: string, statistics: string, dismissed: string[], order: Order, theme: Theme, tab: 'events'|'', message: string, live: boolean}} State live: the end of a trace that grows stays in view; toggled: groups and rows that are not open or closed as they were at first
 * @typedef {(changed: Set<string>) => void} Listener */

export class Store {
  constructor() {
    /** @type {State} */
    this.state = { trace: null, session: 0, rows: { generation: 0, finest: 0, rows: [], groups: [], names: [] }, view: Viewport.of(0n, 1n, 1),
      selection: null, cursor: null, bookmarks: [], pinned: [], hidden: [], toggled: [], fold: false, filter: '', statistics: '', dismissed: [], order: 'start', theme: '', tab: '', message: '', live: false };
    /** @type {Listener[]} */ this.listeners = [];
  }

  /** @param {Listener} listener */
  watch(listener) {
    this.listeners.push(listener);
  }

  /** @param {Partial<State>} patch */
  set(patch) {
    Object.assign(this.state, patch);
    const changed = new Set(Object.keys(patch));
    for (const listener of this.listeners) listener(changed);
  }

  get session() {
    return this.state.trace?.sessions[this.state.session] || null;
  }

  /** The whole session; one of no length has a nanosecond.
   * @returns {Range} */
  get whole() {
    const from = BigInt(this.session?.from || 0);
    const to = BigInt(this.session?.to || 1);
    return { from, to: to > from ? to : from + 1n };
  }

  /** From when on the session was not read yet; null when all was.
   * @returns {bigint|null} */
  get unread() {
    return this.state.trace?.complete || !this.session?.until ? null : BigInt(this.session.until);
  }

  /** @param {Viewport} view */
  show(view) {
    const { from, to } = this.whole;
    const inside = view.inside(from, to);
    if (!inside.equals(this.state.view)) this.set({ view: inside });
  }

  /** @param {Range} range @param {number} margin part of the range on each side */
  showRange(range, margin = 0) {
    const more = BigInt(Math.round(Number(range.to - range.from) * margin));
    this.show(Viewport.of(range.from - more, range.to + more, this.state.view.width));
  }
}
