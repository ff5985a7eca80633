// All events in order of time, in step with the cursor. Only lines in view are elements; more are loaded at both ends.
import { element, fill } from './dom.js';
import { statedBy } from './text.js';
import { exactText } from './time.js';

const LINE = 22;
const PAGE = 200;
const MOST_OF_A_TIME = 500;
const MARGIN = 8;
const MOST_LINES = 20000;

/** @typedef {{ns: string, stream: string, type: string, text: string, row: number|null}} Listed
 * @typedef {{events: Listed[], is_first: boolean, is_last: boolean}} Answer */

/** @type {Listed} */ const GAP = { ns: '', stream: '', type: '', row: null, text: `more than ${MOST_OF_A_TIME} events have this time; the others are not listed` };

/** @typedef {{ns: string, stream: string, type: string, text: string}} Facts
 * @param {Facts|undefined} a @param {Facts|undefined} b */
export const isSame = (a, b) => a === b || (a !== undefined && b !== undefined && a.ns === b.ns && a.stream === b.stream && a.type === b.type && a.text === b.text);

export class EventList {
  /** @param {HTMLElement} root @param {import('./server.js').Server} server
   * @param {{whole: () => import('./store.js').Range, chosen: (event: Listed) => void, failed: (error: unknown) => void}} observer */
  constructor(root, server, observer) {
    this.root = root;
    this.server = server;
    this.observer = observer;
    this.content = element('div', { role: 'presentation' });
    root.append(this.content);
    /** @type {Listed[]} */ this.events = [];
    this.isFirst = true;
    this.isLast = true;
    this.active = -1;
    this.session = -1;
    this.generation = -1;
    this.turn = 0;
    this.isLoading = false;
    root.addEventListener('scroll', () => this.#scrolled());
    root.addEventListener('keydown', (event) => this.#key(event));
    root.addEventListener('click', (event) => this.#clicked(event));
    new ResizeObserver(() => this.#scrolled()).observe(root);
  }

  /** The events around a time; the one that is given, or else the first at or after it, becomes the active line.
   * @param {number} session @param {number} generation @param {bigint} ns @param {Facts|null} event */
  async show(session, generation, ns, event) {
    const isCurrent = session === this.session && generation === this.generation;
    if (!isCurrent || !this.#has(ns)) {
      const turn = ++this.turn;
      const answer = await this.#ask({ s: session, at: ns, before: PAGE, after: PAGE });
      if (!answer || turn !== this.turn) return;
      Object.assign(this, { events: answer.events, isFirst: answer.is_first, isLast: answer.is_last, session, generation });
    }
    const same = event ? this.events.findIndex((one) => isSame(one, event)) : -1;
    const after = this.events.findIndex((one) => one.ns && BigInt(one.ns) >= ns);
    this.#activate(same >= 0 ? same : after >= 0 ? after : this.events.length - 1);
  }

  /** @param {bigint} ns @returns {boolean} whether the lines around this time are loaded */
  #has(ns) {
    if (!this.events.length) return false;
    const [first, last] = [this.events[0], this.events[this.events.length - 1]];
    return (this.isFirst || BigInt(first.ns) < ns) && (this.isLast || BigInt(last.ns) > ns);
  }

  /** @param {Record<string, string|number|bigint>} query @returns {Promise<Answer|null>} */
  async #ask(query) {
    try {
      return await this.server.events(query);
    } catch (error) {
      this.observer.failed(error);
      return null;
    }
  }

  /** More lines at an end. Those that share the time of its last line are asked for again, as an answer may have begun among them.
   * @param {boolean} isBefore */
  async #more(isBefore) {
    if (this.isLoading || (isBefore ? this.isFirst : this.isLast) || !this.events.length) return;
    this.isLoading = true;
    const turn = this.turn;
    const edge = this.events[isBefore ? 0 : this.events.length - 1].ns;
    const kept = this.events.filter((one) => one.ns !== edge);
    const count = this.events.length - kept.length >= PAGE ? MOST_OF_A_TIME : PAGE;
    const at = BigInt(edge) + (isBefore ? 1n : 0n);
    const answer = await this.#ask({ s: this.session, at, before: isBefore ? count : 0, after: isBefore ? 0 : count });
    this.isLoading = false;
    if (!answer || turn !== this.turn) return;
    const { events } = answer;
    // A time with more events than an answer holds is passed over, with a line that names it.
    const isFull = events.length === count && events.every((one) => one.ns === edge) && count === MOST_OF_A_TIME && !(isBefore ? answer.is_first : answer.is_last);
    if (isFull) return this.#pass(isBefore, BigInt(edge), turn);
    if (isBefore) this.#grow([...events, ...kept], answer.is_first, this.isLast);
    else this.#grow([...kept, ...events], this.isFirst, answer.is_last);
  }

  /** @param {boolean} isBefore @param {bigint} ns @param {number} turn */
  async #pass(isBefore, ns, turn) {
    this.isLoading = true;
    const answer = await this.#ask({ s: this.session, at: isBefore ? ns : ns + 1n, before: isBefore ? PAGE : 0, after: isBefore ? 0 : PAGE });
    this.isLoading = false;
    if (!answer || turn !== this.turn) return;
    if (isBefore) this.#grow([...answer.events, GAP, ...this.events], answer.is_first, this.isLast);
    else this.#grow([...this.events, GAP, ...answer.events], this.isFirst, answer.is_last);
  }

  /** The lines in view keep their places.
   * @param {Listed[]} events @param {boolean} isFirst @param {boolean} isLast */
  #grow(events, isFirst, isLast) {
    const anchor = this.events[Math.floor(this.root.scrollTop / LINE)];
    const active = this.events[this.active];
    const at = (/** @type {Listed|undefined} */ event) => events.findIndex((one) => isSame(one, event));
    const before = this.root.scrollTop % LINE;
    const [line, now] = [at(anchor), at(active)];
    // What is far from the lines in view is let go.
    const first = Math.max(0, Math.min(line - MOST_LINES / 2, events.length - MOST_LINES));
    const kept = events.slice(first, first + MOST_LINES);
    Object.assign(this, { events: kept, isFirst: isFirst && first === 0, isLast: isLast && first + kept.length === events.length, active: now < 0 ? -1 : now - first });
    this.#size();
    if (line >= 0) this.root.scrollTop = (line - first) * LINE + before;
    this.#draw();
  }

  #size() {
    this.content.style.height = `${this.events.length * LINE}px`;
  }

  /** @param {number} line */
  #activate(line) {
    this.active = Math.max(0, Math.min(this.events.length - 1, line));
    this.#size();
    const { root } = this;
    const top = this.active * LINE;
    const isInView = top >= root.scrollTop && top + LINE <= root.scrollTop + root.clientHeight;
    if (!isInView) root.scrollTop = top - Math.floor((root.clientHeight - LINE) / 2 / LINE) * LINE;
    this.#scrolled();
  }

  #scrolled() {
    this.#draw();
    const first = this.root.scrollTop / LINE;
    if (first < MARGIN) this.#more(true);
    if (first + this.root.clientHeight / LINE > this.events.length - MARGIN) this.#more(false);
  }

  #draw() {
    const { root, events } = this;
    if (root.hidden) return;
    const first = Math.max(0, Math.floor(root.scrollTop / LINE) - 2);
    const last = Math.min(events.length, Math.ceil((root.scrollTop + root.clientHeight) / LINE) + 2);
    fill(this.content, ...events.slice(first, last).map((event, n) => this.#line(event, first + n)));
    const isActive = this.active >= first && this.active < last;
    if (isActive) root.setAttribute('aria-activedescendant', `event-${this.active}`);
    else root.removeAttribute('aria-activedescendant');
  }

  /** @param {Listed} event @param {number} n */
  #line(event, n) {
    const made = element('div', { role: 'option', id: `event-${n}`, class: 'listed', 'aria-selected': String(n === this.active), 'data-line': `${n}` },
      element('span', { class: 'at' }, event.ns && exactText(BigInt(event.ns))), element('span', {}, event.stream), element('b', {}, event.type), element('span', {}, statedBy(event)));
    made.style.top = `${n * LINE}px`;
    return made;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const page = Math.max(1, Math.floor(this.root.clientHeight / LINE) - 1);
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }[event.key];
    const { from, to } = this.observer.whole();
    if (by !== undefined) this.#activate(this.active + by);
    else if (event.key === 'Home' || event.key === 'End') this.show(this.session, this.generation, event.key === 'Home' ? from : to + 1n, null);
    else if (event.key === 'Enter' || event.key === ' ') this.#choose(this.active);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {Event} event */
  #clicked(event) {
    const line = event.target instanceof Element ? event.target.closest('[data-line]') : null;
    if (line instanceof HTMLElement) this.#choose(Number(line.dataset.line));
  }

  /** @param {number} line */
  #choose(line) {
    const event = this.events[line];
    if (!event?.ns) return;
    this.#activate(line);
    this.observer.chosen(event);
  }
}
