// Statistics of the selection or of the view, as the server computed them: one analysis at a time.
import { element, fill } from './dom.js';
import { Flame } from './flame.js';
import { Later } from './later.js';
import { exactText, lengthText } from './time.js';

const PAUSE_MS = 200;
const RESTING = 'resting';

/** @typedef {import('./table.js').Table} Table
 * @typedef {{name: string, title: string, command: string}} Statistics
 * @typedef {{session: number, range: import('./store.js').Range, isSelection: boolean, all: Statistics[], chosen: string}} Shown */

export class Panel {
  /** @param {import('./server.js').Server} server @param {import('./table.js').Tables} tables
   * @param {{title: HTMLElement, kinds: HTMLElement, tables: HTMLElement}} places @param {(name: string) => void} choose */
  constructor(server, tables, places, choose) {
    this.server = server;
    this.builder = tables;
    this.places = places;
    this.choose = choose;
    this.flame = new Flame();
    this.later = new Later(PAUSE_MS);
    this.asked = '';
    this.listed = '';
    /** @type {Statistics|undefined} */ this.of = undefined;
    /** @type {Table[]} */ this.tables = [];
  }

  /** Asks for the statistics of this range after a pause; a range that was left is asked no longer.
   * @param {Shown} shown */
  show({ session, range, isSelection, all, chosen }) {
    const of = all.find((one) => one.name === chosen) || all[0];
    const key = `${session} ${range.from} ${range.to} ${isSelection} ${of?.name}`;
    if (key === this.asked || !of) return;
    this.asked = key;
    if (of !== this.of) fill(this.places.tables);
    this.of = of;
    this.#list(all, of);
    fill(this.places.title, element('h2', {}, element('strong', {}, isSelection ? 'Selection' : 'In view')), element('span', {}, lengthText(Number(range.to - range.from))),
      element('span', { class: 'muted' }, element('span', { class: 'whole' }, `${exactText(range.from)} to`), ' ', element('span', { class: 'whole' }, exactText(range.to))),
      ...(isSelection ? [] : [element('span', { class: 'muted' }, 'Drag to select a range.')]));
    this.places.tables.setAttribute('aria-busy', 'true');
    this.later.ask((signal) => this.#ask(session, range, of, signal));
  }

  /** The range changes all the time: nothing is asked. */
  rest() {
    if (this.asked === RESTING) return;
    this.asked = RESTING;
    this.later.drop();
    fill(this.places.title, element('h2', {}, element('strong', {}, 'Live')));
    fill(this.places.tables, element('p', { class: 'muted' }, 'Statistics are computed when the view holds still: click, drag or move it.'));
    this.places.tables.setAttribute('aria-busy', 'false');
  }

  /** What there is to choose from.
   * @param {Statistics[]} all @param {Statistics} of */
  #list(all, of) {
    const key = `${all.map((one) => one.name)} ${of.name}`;
    if (key === this.listed) return;
    this.listed = key;
    const hadFocus = this.places.kinds.contains(document.activeElement);
    fill(this.places.kinds, ...all.map((one, n) => {
      const made = element('button', { type: 'button', role: 'radio', 'aria-checked': String(one === of), tabindex: one === of ? '0' : '-1', title: one.command, 'data-of': one.name }, one.title);
      made.addEventListener('click', () => this.choose(one.name));
      made.addEventListener('keydown', (event) => {
        const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!by) return;
        event.preventDefault();
        event.stopPropagation();
        this.choose(all[(n + by + all.length) % all.length].name);
      });
      return made;
    }));
    if (hadFocus) /** @type {HTMLElement|null} */ (this.places.kinds.querySelector('[aria-checked=true]'))?.focus();
  }

  /** @param {number} session @param {import('./store.js').Range} range @param {Statistics} of @param {AbortSignal} signal */
  async #ask(session, range, of, signal) {
    try {
      const { tables = [], flame = [[]], notes = [], ...more } = await this.server.json('stats', { s: session, from: range.from, to: range.to, of: of.name }, signal);
      this.tables = tables;
      const hasFlame = flame[0].length > 0;
      fill(this.places.tables, ...(hasFlame ? [this.flame.element({ flame, ...more })] : []), ...this.tables.map((table) => this.builder.element(of.name, table)), ...notes.map((/** @type {string} */ note) => element('p', { class: 'muted' }, note)),
        ...(hasFlame || tables.length || notes.length ? [] : [element('p', { class: 'muted' }, 'Nothing in this range.')]));
    } catch (error) {
      if (signal.aborted) return;
      this.tables = [];
      fill(this.places.tables, element('p', { role: 'alert' }, `No statistics: ${error instanceof Error ? error.message : error}`));
    }
    this.places.tables.setAttribute('aria-busy', 'false');
  }
}
