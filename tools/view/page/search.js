// What the search box finds: which of how many, and where they are.
import { Later } from './later.js';

const PAUSE_MS = 150;

/** @typedef {{count: number, more?: boolean, error: string|null, place?: number, row?: number|null, event: import('./server.js').TraceEvent|null}} Found
 * @typedef {{ns: string[], rows: number[]}} Hits
 * @typedef {import('./store.js').Range} Range */

/** @type {Hits} */ const NONE = { ns: [], rows: [] };

export class Search {
  /** @param {import('./server.js').Server} server @param {HTMLInputElement} box @param {HTMLElement} output beside it
   * @param {{changed: () => void, failed: (error: unknown) => void}} observer */
  constructor(server, box, output, observer) {
    this.server = server;
    this.box = box;
    this.output = output;
    this.observer = observer;
    this.query = '';  // that was answered
    this.place = 0;
    this.count = 1;
    this.turn = 0;
    this.asked = '';
    this.later = new Later(PAUSE_MS);
    /** In view. */ this.hits = NONE;
  }

  /** The next or previous event that matches; of another query the first after a time, or the last before it.
   * @param {number} session @param {bigint} from @param {'next'|'previous'} dir @returns {Promise<Found|null>} null: there is none, or another was asked for meanwhile */
  async find(session, from, dir) {
    const q = this.box.value;
    if (!q) return null;
    const turn = ++this.turn;
    this.#say('searching…', false);
    const key = `${session} ${q}`;
    const found = await this.server.find({ s: session, q, ...(key === this.query ? { place: (this.place + (dir === 'next' ? 1 : this.count - 1)) % this.count } : { from, dir }) });
    if (turn !== this.turn) return null;
    if (this.query !== key) this.hits = NONE;
    this.query = found.error ? '' : key;
    this.place = found.place ?? 0;
    this.count = Math.max(1, found.count);
    const count = `${found.count.toLocaleString('en')}${found.more ? ' or more' : ''}`;
    this.#say(found.error ?? (found.event ? `${(this.place + 1).toLocaleString('en')} of ${count}` : 'no event matches'), Boolean(found.error));
    this.asked = '';
    this.observer.changed();
    return found.event ? found : null;
  }

  /** @param {string} words @param {boolean} isWrong */
  #say(words, isWrong) {
    this.box.setAttribute('aria-invalid', String(isWrong));
    this.output.textContent = words;
  }

  /** Nothing is looked for. */
  clear() {
    this.turn++;
    this.query = '';
    this.hits = NONE;
    this.#say('', false);
    this.observer.changed();
  }

  /** Asks for what is in view, after a pause.
   * @param {number} session @param {Range} range @param {bigint} step of those of one row that are nearer one is marked */
  look(session, range, step) {
    const key = `${this.query} ${range.from} ${range.to}`;
    if (key === this.asked) return;
    this.asked = key;
    if (!this.query) return this.later.drop();
    this.later.ask(async (signal) => {
      try {
        this.hits = await this.server.matches({ s: session, q: this.query.slice(this.query.indexOf(' ') + 1), from: range.from, to: range.to, step }, signal);
        this.observer.changed();
      } catch (error) {
        if (!signal.aborted) this.observer.failed(error);
      }
    });
  }
}
