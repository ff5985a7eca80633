// The names of the rows: a tree grid, which is also what a screen reader has of the picture. One row can have the focus.
import { element, fill } from './dom.js';
import { isNamed } from './rows.js';
import { scaled } from './text.js';

/** @typedef {import('./rows.js').Line} Line
 * @typedef {import('./painter.js').Facts} Facts */

/** @param {Facts|undefined} facts @param {string} kind @param {string} unit @returns {string} */
export function factText(facts, kind, unit) {
  if (!facts) return '';
  if (!Number.isNaN(facts.share)) return isNamed(kind) ? '' : facts.share > 0 && facts.share < 0.01 ? '<1 %' : `${Math.round(facts.share * 100)} %`;
  if (!Number.isFinite(facts.high)) return '';
  if (!Number.isNaN(facts.low)) return `${scaled(facts.low, unit)} – ${scaled(facts.high, unit)}`;
  if (kind === 'mark') return String(facts.high);
  return facts.high ? `peak ${scaled(Math.max(1, Math.round(facts.high)), unit)}` : '';
}

export class Tree {
  /** @param {HTMLElement} root @param {{toggle: (key: string) => void, focused: (key: string) => void}} observer */
  constructor(root, observer) {
    this.root = root;
    this.observer = observer;
    this.focus = '';
    /** @type {Line[]} */ this.lines = [];
    root.addEventListener('click', (event) => this.#clicked(event));
    root.addEventListener('focusin', (event) => this.#take(event));
    root.addEventListener('focusout', () => observer.focused(this.focus));
  }

  get hasFocus() {
    return this.root.contains(document.activeElement);
  }

  /** @param {Line[]} lines @param {number[]} pinned */
  show(lines, pinned) {
    this.lines = lines;
    const hadFocus = this.hasFocus;
    if (!lines.some((line) => line.key === this.focus)) this.focus = lines.find((line) => line.kind === 'row')?.key || lines[0]?.key || '';
    this.root.style.visibility = lines.length ? '' : 'hidden';
    fill(this.root, ...lines.map((line) => (line.kind === 'group' ? this.#group(line) : this.#row(line, pinned.includes(line.row.id)))));
    if (hadFocus) this.#element(this.focus)?.focus({ preventScroll: true });
  }

  /** @param {import('./rows.js').GroupLine} line */
  #group(line) {
    const name = element('span', { role: 'rowheader', class: 'name', title: line.title }, line.title);
    return this.#line(line, line.isPart ? 'group part' : 'group', line.level, line.open, name);
  }

  /** @param {import('./rows.js').RowLine} line @param {boolean} isPinned */
  #row(line, isPinned) {
    const title = line.life ? `${line.life}, of the row ${line.row.name}` : line.title;
    const name = element('span', { role: 'rowheader', class: 'name', title }, `${isPinned ? '⚑ ' : ''}${line.name || 'without a name'}`);
    name.style.paddingLeft = `${24 + Math.min(line.depth, 8) * 10}px`;
    const share = element('span', { role: 'gridcell', class: 'share', ...(line.row.kind === 'events' ? { title: 'most events in a pixel' } : {}) });
    return this.#line(line, `row${line.height >= 40 ? ' tall' : ''}${line.isPart ? ' first' : ''}`, line.level, line.children ? line.open : null, name, share);
  }

  /** @param {Line} line @param {string} kind @param {number} level @param {boolean|null} open @param {Node[]} cells */
  #line(line, kind, level, open, ...cells) {
    const made = element('div', { role: 'row', class: kind, 'data-key': line.key, 'aria-level': `${level}`, tabindex: line.key === this.focus ? '0' : '-1' }, ...cells);
    if (open !== null) made.setAttribute('aria-expanded', String(open));
    made.style.height = `${line.height}px`;
    return made;
  }

  /** @param {Map<number, Facts>} facts */
  facts(facts) {
    for (const line of this.lines) {
      if (line.kind !== 'row' || !facts.has(line.row.id)) continue;
      const cell = this.#element(line.key)?.querySelector('.share');
      if (cell) cell.textContent = factText(facts.get(line.row.id), line.row.kind, line.row.unit || '');
    }
  }

  /** @param {string} key @returns {HTMLElement|null} */
  #element(key) {
    return this.root.querySelector(`[data-key="${CSS.escape(key)}"]`);
  }

  /** @param {Event} event @returns {HTMLElement|null} */
  #lineOf(event) {
    return event.target instanceof Element ? event.target.closest('[data-key]') : null;
  }

  /** @param {Event} event */
  #clicked(event) {
    const line = this.#lineOf(event);
    line?.focus();
    if (line?.hasAttribute('aria-expanded')) this.observer.toggle(line.dataset.key || '');
  }

  /** @param {Event} event */
  #take(event) {
    const line = this.#lineOf(event);
    if (line) this.choose(line.dataset.key || '');
  }

  /** @param {string} key */
  choose(key) {
    if (key === this.focus) return;
    this.#element(this.focus)?.setAttribute('tabindex', '-1');
    this.#element(key)?.setAttribute('tabindex', '0');
    this.focus = key;
    this.observer.focused(key);
  }

  /** @param {string} key */
  focusOn(key) {
    this.#element(key)?.focus();
  }

  /** This row becomes the current one, wherever it is shown first; the keyboard stays where it is.
   * @param {number} row @returns {boolean} whether it is shown */
  reveal(row) {
    const line = this.lines.find((one) => one.kind === 'row' && one.row.id === row);
    if (!line) return false;
    this.choose(line.key);
    this.#element(line.key)?.scrollIntoView({ block: 'nearest' });
    return true;
  }

  /** @param {number} by */
  step(by) {
    const at = this.lines.findIndex((line) => line.key === this.focus);
    const next = this.lines[Math.max(0, Math.min(this.lines.length - 1, at + by))];
    if (next) this.focusOn(next.key);
  }

  /** @returns {Line|undefined} */
  get current() {
    return this.lines.find((line) => line.key === this.focus);
  }
}
