// The end of a trace that grows. It stays in view until the user looks elsewhere; then nothing moves, and nothing is asked.
import { byId } from './dom.js';
import { Viewport } from './viewport.js';

const SPAN_NS = 10_000_000_000n;  // in view at first
const AGAIN_MS = 500;

/** @typedef {import('./server.js').Growth} Growth */

export class Live {
  /** @param {import('./store.js').Store} store @param {import('./server.js').Server} server @param {import('./loader.js').Loader} loader */
  constructor(store, server, loader) {
    this.store = store;
    this.server = server;
    this.loader = loader;
    this.button = byId('end', HTMLButtonElement);
    this.button.addEventListener('click', () => this.goOn());
    document.addEventListener('visibilitychange', () => this.#wake());
    /** How much of the end is in view; null: the whole session.
     * @type {bigint|null} */ this.span = SPAN_NS;
    /** The view that was looked at last.
     * @type {import('./viewport.js').Viewport|null} */ this.seen = null;
    /** @type {() => void} */ this.wake = () => {};
  }

  get isRunning() {
    return this.store.state.trace?.live === 'running';
  }

  /** Whether the end is in view and stays there. */
  get isOn() {
    return this.store.state.live;
  }

  /** From now on the end is in view. */
  goOn() {
    if (!this.isRunning) return;
    this.store.set({ live: true });
    this.#toEnd();
    this.#wake();
  }

  hold() {
    if (this.isOn) this.store.set({ live: false });
  }

  /** What the user has in view now. */
  viewed() {
    const { view } = this.store.state;
    const { from, to } = this.store.whole;
    const isSame = !this.seen || (this.seen.from === view.from && this.seen.to === view.to);
    if (isSame || !this.isRunning) return;
    this.seen = view;
    const range = view.range();
    if (range.to < to) return this.hold();
    this.span = range.from <= from ? null : range.to - range.from;
    if (this.isOn) return;
    this.store.set({ live: true });
    this.#wake();
  }

  show() {
    this.button.hidden = !this.isRunning;
    this.button.setAttribute('aria-pressed', String(this.isOn));
    this.button.title = this.isOn ? 'the end stays in view until you look elsewhere' : 'go back to the end (End)';
  }

  /** Until the program has ended. */
  async run() {
    this.seen = this.store.state.view;
    while (this.isRunning) {
      if (!this.isOn || document.hidden) await new Promise((resolve) => { this.wake = () => resolve(undefined); });
      else await this.#look();
    }
  }

  async #look() {
    const begun = performance.now();
    /** @type {Growth} */ const growth = await this.server.json('look');
    const { trace } = this.store.state;
    if (!trace) return;
    if (!this.isOn && growth.live === trace.live) return; // what came meanwhile is shown when the user comes back
    if (growth.generation > this.store.state.rows.generation || growth.live !== trace.live) await this.loader.reload();
    else this.store.set({ trace: { ...trace, ...growth } });
    if (this.isOn) this.#toEnd();
    if (!this.isRunning) return this.hold();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, AGAIN_MS - (performance.now() - begun))));
  }

  #toEnd() {
    const { from, to } = this.store.whole;
    const span = this.span === null || this.span > to - from ? to - from : this.span;
    const { width } = this.store.state.view;
    this.seen = Viewport.of(to - span, to, width).inside(from, to);
    this.store.set({ view: this.seen });
  }

  #wake() {
    if (this.isOn && !document.hidden) this.wake();
  }
}
