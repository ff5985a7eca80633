// A flame graph of the stacks in a range, and the same as a tree: a click zooms, a search marks and adds up.
import { element, fill } from './dom.js';
import { lengthText } from './time.js';

const ROW_PX = 17;
const LEAST = 1 / 1500;  // of the width

/** `flame`: of each box its depth, name, time and time of its own; the callers below, and inverted.
 * @typedef {{flame: [number[], number[]], names: string[], hues: number[]}} Answer
 * @typedef {{depth: number, name: string, hue: number, from: number, sum: number, self: number, parent: number, end: number}} Box end: behind the last box that is on it */

/** @param {Answer} answer @param {boolean} isInverted @returns {Box[]} */
function boxesOf({ flame, names, hues }, isInverted) {
  const flat = flame[Number(isInverted)];
  /** @type {Box[]} */ const boxes = [];
  /** @type {number[]} */ const open = [];
  /** @type {number[]} */ const ends = [];  // of the box before, by depth
  for (let at = 0; at < flat.length; at += 4) {
    const [depth, name, sum, self] = flat.slice(at, at + 4);
    for (; open.length > depth; open.pop()) boxes[open[open.length - 1]].end = boxes.length;
    const parent = depth ? open[depth - 1] : -1;
    const from = ends[depth] ?? boxes[parent]?.from ?? 0;
    ends.splice(depth, ends.length, from + sum);
    open.push(boxes.length);
    boxes.push({ depth, name: names[name], hue: hues[name], from, sum, self, parent, end: flat.length / 4 });
  }
  return boxes;
}

/** @param {number} part @param {number} all */
const percent = (part, all) => `${(100 * part / all).toFixed(1)} %`;

export class Flame {
  constructor() {
    this.isInverted = false;
    this.isTree = false;
    this.query = '';
    /** Names from the outermost one to that which has the whole width.
     * @type {string[]} */ this.zoomed = [];
    this.found = element('output', { class: 'muted' });
    this.picture = element('div', {});
    /** @type {Box[]} */ this.boxes = [];
    this.zoom = 0;
  }

  /** @param {Answer} answer @returns {HTMLElement} */
  element(answer) {
    const search = element('input', { type: 'search', placeholder: 'Search names', 'aria-label': 'search names of the flame graph', spellcheck: 'false' });
    search.value = this.query;
    search.addEventListener('input', () => { this.query = search.value; this.#draw(); });
    search.addEventListener('keydown', (event) => event.stopPropagation());
    const again = () => {
      this.boxes = boxesOf(answer, this.isInverted);
      this.#findZoom();
      this.#draw();
    };
    const toggle = (/** @type {'isInverted'|'isTree'} */ which, /** @type {string} */ text, /** @type {string} */ title) => {
      const made = element('button', { type: 'button', role: 'switch', 'aria-checked': String(this[which]), title }, text);
      made.addEventListener('click', () => {
        this[which] = !this[which];
        made.setAttribute('aria-checked', String(this[which]));
        if (which === 'isInverted') this.zoomed = [];
        again();
      });
      return made;
    };
    const bar = element('p', {}, toggle('isInverted', 'Inverted', 'what ran on top, its callers below'), toggle('isTree', 'Tree', 'as a tree, the longest first'), search, this.found);
    again();
    return element('section', { class: 'flame', 'aria-label': 'flame graph' }, bar, this.picture);
  }

  /** The same names in another range, as far as they are there. */
  #findZoom() {
    this.zoom = 0;
    for (const name of this.zoomed) {
      const next = this.#inside(this.zoom).find((n) => this.boxes[n].name === name);
      if (next === undefined) break;
      this.zoom = next;
    }
  }

  /** @param {number} n @returns {number[]} the boxes directly on it */
  #inside(n) {
    const all = [];
    for (let at = n + 1; at < this.boxes[n].end; at = this.boxes[at].end) all.push(at);
    return all;
  }

  /** @param {Box} box */
  #matches(box) {
    return this.query !== '' && box.depth > 0 && box.name.toLowerCase().includes(this.query.toLowerCase());
  }

  #draw() {
    const all = this.boxes[0].sum;
    let matched = 0;
    for (let n = 0; n < this.boxes.length;) {
      const isMatch = this.#matches(this.boxes[n]);
      if (isMatch) matched += this.boxes[n].sum;
      n = isMatch ? this.boxes[n].end : n + 1;
    }
    fill(this.found, this.query ? `${percent(matched, all)} matched` : '');
    this.picture.className = this.isTree ? 'call-tree' : 'boxes';
    this.picture.style.height = this.isTree ? '' : `${ROW_PX * (1 + this.boxes.reduce((most, box) => Math.max(most, box.depth), 0))}px`;
    if (this.isTree) fill(this.picture, ...this.#inside(0).sort((a, b) => this.boxes[b].sum - this.boxes[a].sum).map((n) => this.#branch(n, true)));
    else this.#drawBoxes(all);
  }

  /** @param {number} all */
  #drawBoxes(all) {
    const root = this.boxes[this.zoom];
    const shown = [];
    for (let at = this.zoom; at >= 0; at = this.boxes[at].parent) shown.unshift(at);
    for (let at = this.zoom + 1; at < root.end; at++) if (this.boxes[at].sum >= root.sum * LEAST) shown.push(at);
    fill(this.picture, ...shown.map((n) => {
      const box = this.boxes[n];
      const isUnder = n <= this.zoom;
      const made = element('button', { type: 'button', 'data-n': String(n), tabindex: n === this.zoom ? '0' : '-1', title: `${box.name}\n${lengthText(box.sum)}, ${percent(box.sum, all)}${box.self ? `\nself ${lengthText(box.self)}` : ''}` }, box.name);
      made.classList.toggle('dim', this.query !== '' && !this.#matches(box));
      made.style.top = `${box.depth * ROW_PX}px`;
      made.style.left = isUnder ? '0' : `${100 * (box.from - root.from) / root.sum}%`;
      made.style.width = isUnder ? '100%' : `${100 * box.sum / root.sum}%`;
      if (box.depth) made.style.background = `var(--hue${box.hue})`;
      made.addEventListener('click', () => this.#zoomTo(n));
      made.addEventListener('keydown', (event) => this.#key(event, n));
      return made;
    }));
  }

  /** @param {number} n */
  #zoomTo(n) {
    this.zoom = n;
    this.zoomed = [];
    for (let at = n; at > 0; at = this.boxes[at].parent) this.zoomed.unshift(this.boxes[at].name);
    this.#draw();
    this.#focus(n);
  }

  /** @param {number|undefined} n */
  #focus(n) {
    /** @type {HTMLElement|null} */ (this.picture.querySelector(`[data-n="${n}"]`))?.focus();
  }

  /** @param {KeyboardEvent} event @param {number} n */
  #key(event, n) {
    const { parent } = this.boxes[n];
    const beside = parent < 0 ? [n] : this.#inside(parent);
    const to = { ArrowUp: parent, ArrowDown: this.#inside(n)[0], ArrowLeft: beside[beside.indexOf(n) - 1], ArrowRight: beside[beside.indexOf(n) + 1] };
    if (event.key !== 'Enter' && event.key !== 'Escape' && !(event.key in to)) return;
    event.stopPropagation();
    if (event.key === 'Escape') this.#zoomTo(0);
    if (!(event.key in to)) return;
    event.preventDefault();
    this.#focus(/** @type {Record<string, number>} */ (to)[event.key]);
  }

  /** @param {number} n @param {boolean} isHot where the most of the time goes, and so open @returns {HTMLElement} */
  #branch(n, isHot) {
    const box = this.boxes[n];
    const inside = this.#inside(n).sort((a, b) => this.boxes[b].sum - this.boxes[a].sum);
    const line = [element('b', {}, percent(box.sum, this.boxes[0].sum)), ' ', element('span', { class: 'muted', title: `self ${lengthText(box.self)}` }, lengthText(box.sum)), ' ', element('span', { class: this.#matches(box) ? 'hit' : '' }, box.name)];
    if (!inside.length) return element('div', {}, ...line);
    const made = element('details', {}, element('summary', {}, ...line));
    const grow = () => { if (made.children.length === 1) made.append(...inside.map((one, place) => this.#branch(one, isHot && !place && 2 * this.boxes[one].sum > box.sum))); };
    made.addEventListener('toggle', grow);
    if (isHot) {
      made.open = true;
      grow();
    }
    return made;
  }
}
