// Decoded tiles by level, number and row: the most recent 64 MB; and the requests for those that are wanted.
import { Unauthorized } from './server.js';

const MOST_BYTES = 64 << 20;
const MOST_REQUESTS = 4;
const MOST_ROWS = 64;

/** @typedef {import('./protocol.js').TileRow & {generation: number, bitmap: HTMLCanvasElement|null, look: string}} Entry
 * @typedef {{level: number, index: number, rows: number[]}} Want
 * @typedef {{keys: Set<string>, abort: AbortController}} Request */

/** @param {number} level @param {number} index @param {number} row */
const keyOf = (level, index, row) => `${level}/${index}/${row}`;

/** Row numbers as the server takes them: 1-64,70.
 * @param {number[]} rows */
export function ranged(rows) {
  /** @type {[number, number][]} */ const list = [];
  for (const row of [...rows].sort((a, b) => a - b)) {
    const last = list[list.length - 1];
    if (last && last[1] + 1 === row) last[1] = row;
    else list.push([row, row]);
  }
  return list.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}

export class TileCache {
  /** @param {import('./server.js').Server} server @param {{arrived: () => void, failed: (error: unknown) => void}} observer */
  constructor(server, observer) {
    this.server = server;
    this.observer = observer;
    /** @type {Map<string, Entry>} */ this.entries = new Map();
    /** @type {Set<Request>} */ this.requests = new Set();
    /** @type {Want[]} */ this.wants = [];
    this.bytes = 0;
    this.session = 0;
    this.generation = 0;
    /** A bit for each that a row has: states, what becomes of sparks, bands. */
    this.seen = { states: 0, sparks: 0, bands: 0 };
  }

  /** @param {number} session */
  reset(session) {
    this.session = session;
    for (const request of this.requests) request.abort.abort();
    this.entries.clear();
    this.wants = [];
    this.bytes = 0;
    this.seen = { states: 0, sparks: 0, bands: 0 };
  }

  /** @param {number} level @param {number} index @param {number} row @returns {Entry|undefined} */
  get(level, index, row) {
    const key = keyOf(level, index, row);
    const found = this.entries.get(key);
    if (found) {
      this.entries.delete(key);
      this.entries.set(key, found);
    }
    return found;
  }

  /** @param {number} level @param {number} index @param {number} row */
  isFresh(level, index, row) {
    const found = this.entries.get(keyOf(level, index, row));
    return found !== undefined && !(found.partial && found.generation < this.generation);
  }

  /** What is in view, the most urgent first; requests for anything else end.
   * @param {Want[]} wants */
  want(wants) {
    this.wants = wants;
    const keys = new Set(wants.flatMap((want) => want.rows.map((row) => keyOf(want.level, want.index, row))));
    for (const request of this.requests) if (![...request.keys].some((key) => keys.has(key))) request.abort.abort();
    this.#pump();
  }

  get isBusy() {
    return this.requests.size > 0;
  }

  /** @returns {Want|undefined} tiles of one place that no request is under way for */
  #next() {
    for (const { level, index, rows } of this.wants) {
      const missing = rows.filter((row) => !this.isFresh(level, index, row) && !this.#isAsked(keyOf(level, index, row)));
      if (missing.length) return { level, index, rows: missing.slice(0, MOST_ROWS) };
    }
  }

  /** @param {string} key */
  #isAsked(key) {
    for (const request of this.requests) if (request.keys.has(key)) return true;
    return false;
  }

  #pump() {
    while (this.requests.size < MOST_REQUESTS) {
      const want = this.#next();
      if (!want) return;
      this.#ask(want);
    }
  }

  /** @param {Want} want */
  async #ask(want) {
    const request = { keys: new Set(want.rows.map((row) => keyOf(want.level, want.index, row))), abort: new AbortController() };
    const asked = this.generation;
    this.requests.add(request);
    try {
      this.#keep(await this.server.tile({ s: this.session, l: want.level, i: want.index, r: ranged(want.rows) }, request.abort.signal), want, asked);
    } catch (error) {
      if (!request.abort.signal.aborted) this.#fail(error);
    }
    this.requests.delete(request);
    this.#pump();
    this.observer.arrived();
  }

  /** After an error nothing is asked until the view changes, so that a server that is gone is not asked in a loop.
   * @param {unknown} error */
  #fail(error) {
    this.wants = [];
    if (error instanceof Unauthorized) for (const request of this.requests) request.abort.abort();
    this.observer.failed(error);
  }

  /** @param {Entry} entry @param {HTMLCanvasElement} bitmap @param {string} look theme and height of the picture */
  keepBitmap(entry, bitmap, look) {
    if (!entry.bitmap) {
      entry.bytes += bitmap.width * bitmap.height * 4;
      this.bytes += bitmap.width * bitmap.height * 4;
    }
    entry.bitmap = bitmap;
    entry.look = look;
  }

  /** @param {import('./protocol.js').Tile} tile @param {Want} want @param {number} asked generation at the request */
  #keep(tile, want, asked) {
    if (tile.level !== want.level || tile.index !== want.index || tile.rows.length !== want.rows.length)
      throw new Error('the server answered with another tile than that asked for');
    this.generation = Math.max(this.generation, tile.generation);
    const generation = Math.max(asked, tile.generation);
    for (const row of tile.rows) this.#put(keyOf(tile.level, tile.index, row.row), { ...row, generation, bitmap: null, look: '' });
    for (const [key, entry] of this.entries) {
      if (this.bytes <= MOST_BYTES) break;
      this.bytes -= entry.bytes;
      this.entries.delete(key);
    }
  }

  /** @param {string} key @param {Entry} entry */
  #put(key, entry) {
    this.bytes += entry.bytes - (this.entries.get(key)?.bytes || 0);
    this.entries.delete(key);
    this.entries.set(key, entry);
    this.seen.states |= entry.states;
    this.seen.sparks |= entry.sparks;
    this.seen.bands |= entry.bands;
  }
}
