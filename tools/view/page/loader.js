// The trace and its rows, and both again when the server has read more.
import { takeWords } from './palette.js';

/** @typedef {import('./store.js').Store} Store
 * @typedef {import('./server.js').Server} Server */

export class Loader {
  /** @param {Store} store @param {Server} server @param {import('./cache.js').TileCache} cache */
  constructor(store, server, cache) {
    this.store = store;
    this.server = server;
    this.cache = cache;
  }

  /** @param {number} session */
  async open(session) {
    const trace = await this.server.json('trace');
    if (trace.version !== 1) throw new Error(`this page reads version 1 of the protocol, and the server has ${trace.version}`);
    this.cache.reset(trace.sessions[session] ? session : 0);
    await this.#take(trace, this.cache.session);
  }

  /** @param {import('./server.js').Trace} trace @param {number} session */
  async #take(trace, session) {
    takeWords(trace);
    this.cache.generation = Math.max(this.cache.generation, trace.generation);
    const rows = trace.sessions.length ? await this.server.json('rows', { s: session }) : { generation: 0, finest: 0, rows: [], groups: [], names: [] };
    this.store.set({ trace, session, rows });
  }

  /** Follows the reading of the trace until it is complete.
   * @param {() => void} more */
  async follow(more) {
    await this.server.progress((progress) => {
      const { trace } = this.store.state;
      if (!trace) return;
      const isNew = progress.generation > this.cache.generation;
      this.store.set({ trace: { ...trace, ...progress } });
      if (isNew) this.reload().then(more);
    });
  }

  /** What the server has now. */
  async reload() {
    await this.#take(await this.server.json('trace'), this.store.state.session);
  }
}
