// What a user can do, whether by key, pointer or button.
import { isSame } from './event_list.js';
import { onRange } from './commands.js';
import { extentOf } from './details.js';
import { isNamed } from './rows.js';
import { tabSeparated } from './table.js';
import { exactText, lengthText, parsedTime, utcText } from './time.js';

/** @typedef {import('./server.js').TraceEvent} TraceEvent
 * @typedef {{store: import('./store.js').Store, server: import('./server.js').Server, flows: import('./flows.js').Flows,
 *   tree: import('./tree.js').Tree, panel: import('./panel.js').Panel,
 *   history: import('./view_history.js').ViewHistory, dialogs: import('./dialogs.js').Dialogs, announce: (text: string) => void,
 *   pointer: () => number|null, describe: (row: number, ns: bigint) => string, lifeAt: (row: number, ns: bigint) => string,
 *   arranging: import('./arranging.js').Arranging, closedIn: (row: number) => string|undefined, tabs: () => import('./tabs.js').Tabs,
 *   search: import('./search.js').Search, filter: HTMLInputElement, live: () => import('./live.js').Live}} Parts */

const NEAR_PX = 2n;  // so far beside a span a click means it still
const STATE_PX = 4;  // that are longer can be pointed at

export class Actions {
  /** @param {Parts} parts */
  constructor(parts) {
    this.parts = parts;
    this.store = parts.store;
  }

  get state() {
    return this.store.state;
  }

  /** @param {number} factor */
  zoom(factor) {
    const { view } = this.state;
    this.store.show(view.zoomed(factor, this.state.live ? view.width : this.parts.pointer() ?? view.width / 2));
  }

  /** @param {number} part of the view's width */
  move(part) {
    this.store.show(this.state.view.moved(Math.round(this.state.view.width * part)));
  }

  fit() {
    this.store.showRange(this.store.whole);
  }

  /** To the selection or the span of the event; when that is in view already, to the whole trace. */
  focus() {
    const range = this.state.selection || extentOf(this.state.cursor?.event);
    const before = this.state.view;
    if (range) this.store.showRange(range, 0.05);
    if (!range || before.equals(this.state.view)) this.fit();
  }

  /** @param {1|-1} by */
  back(by) {
    if (!this.parts.history.step(by)) this.parts.announce(by < 0 ? 'no earlier view' : 'no later view');
  }

  /** @returns {import('./rows.js').RowLine|null} */
  get row() {
    const line = this.parts.tree.current;
    return line?.kind === 'row' ? line : null;
  }

  /** To the next or previous span or event of the focused row.
   * @param {'next'|'previous'} find */
  async step(find) {
    const row = this.row?.row.id;
    if (row === undefined) return this.parts.announce('no row has the focus');
    const { cursor, view } = this.state;
    const from = cursor?.row === row ? (find === 'previous' && this.#startOf(row, cursor.event)) || cursor.ns : find === 'next' ? view.range().from - 1n : view.range().to;
    await this.at(row, from, find);
  }

  /** @param {number} row */
  #kindOf(row) {
    return this.state.rows.rows.find((one) => one.id === row)?.kind || '';
  }

  /** When what a row of spans shows began; null on other rows.
   * @param {number} row @param {TraceEvent|null} event @returns {bigint|null} */
  #startOf(row, event) {
    return event?.span && this.#kindOf(row) === 'span' ? BigInt(event.span.from) : null;
  }

  /** @param {number} row @param {bigint} ns @param {'at'|'next'|'previous'} find @param {AbortSignal} [signal] @returns {Promise<TraceEvent|null>} */
  async #ask(row, ns, find, signal) {
    return (await this.parts.server.json('event', { s: this.state.session, row, ns, find }, signal)).event;
  }

  /** The event of a row at or beside a time becomes the cursor; of a row of spans that of the span.
   * @param {number} row @param {bigint} ns @param {'at'|'next'|'previous'} find */
  async at(row, ns, find) {
    const event = await this.#ask(row, ns, find);
    if (find === 'at') this.store.set({ cursor: { row, ns, event } });
    else if (event) this.#meet(row, event);
    else this.parts.announce(`nothing ${find === 'next' ? 'later' : 'earlier'} on this row`);
  }

  /** The span of a row that is at a time, or as near as a pointer can tell; null if there is none, or the row has no spans.
   * @param {number} row @param {bigint} ns @param {AbortSignal} [signal] @returns {Promise<TraceEvent|null>} */
  async spanAt(row, ns, signal) {
    if (!isNamed(this.#kindOf(row))) return null;
    const near = BigInt(Math.ceil(this.state.view.scale)) * NEAR_PX;
    for (const find of /** @type {const} */ (['at', 'next'])) {
      const event = await this.#ask(row, ns, find, signal);
      const extent = extentOf(event);
      if (extent && extent.from <= ns + near && extent.to >= ns - near) return event;
    }
    return null;
  }

  /** What is under the pointer becomes the cursor: a span or, on other rows, the latest event.
   * @param {number} row @param {bigint} ns */
  async clicked(row, ns) {
    const isOfSpans = isNamed(this.#kindOf(row));
    const event = isOfSpans ? await this.spanAt(row, ns) : await this.#ask(row, ns, 'at');
    this.store.set({ cursor: { row, ns, event } });
    if (!event) this.parts.announce(isOfSpans ? 'no span here' : 'no event before this on the row');
  }

  /** The row of the spans around the one at the cursor that have this depth.
   * @param {number} depth @returns {number|undefined} */
  #outerRow(depth) {
    const { rows } = this.state.rows;
    const row = rows.find((one) => one.id === this.state.cursor?.row);
    const first = row && (row.parent ?? row.id);
    return row?.kind === 'span' ? rows.filter((one) => one.kind === 'span' && (one.parent === first || one.id === first))[depth]?.id : undefined;
  }

  /** @param {number} depth @param {bigint} ns @param {AbortSignal} signal */
  async outerAt(depth, ns, signal) {
    const row = this.#outerRow(depth);
    return row === undefined ? null : this.#ask(row, ns, 'at', signal);
  }

  /** To a span that is around the one at the cursor, by its depth.
   * @param {number} depth @param {bigint} ns */
  async outer(depth, ns) {
    const row = this.#outerRow(depth);
    if (row === undefined) return;
    this.#show(row);
    await this.at(row, ns, 'at');
    this.reveal(ns);
  }

  /** After a click on it: the span or the state of the cursor fills the view. A state that is too short to be pointed at, and all else, is magnified.
   * @param {number} x */
  zoomToSpan(x) {
    const { cursor, view } = this.state;
    const extent = cursor && extentOf(cursor.event);
    const isThere = extent && (isNamed(this.#kindOf(cursor.row)) || (cursor.event?.state && Number(extent.to - extent.from) > STATE_PX * view.scale));
    if (isThere) this.store.showRange(extent, 0.05);
    else this.store.show(view.zoomed(0.25, x));
  }

  /** @param {number} row @param {TraceEvent} event */
  #meet(row, event) {
    const ns = this.#startOf(row, event) ?? BigInt(event.ns);
    this.store.set({ cursor: { row, ns, event } });
    this.reveal(ns);
    this.parts.announce([event.span && this.#startOf(row, event) !== null ? event.span.name : event.type, exactText(ns), this.parts.describe(row, ns)].filter(Boolean).join(', '));
  }

  /** An event of the list becomes the cursor, on the row that shows it best.
   * @param {import('./event_list.js').Listed} listed */
  async choose(listed) {
    const ns = BigInt(listed.ns);
    const { row } = listed;
    const event = row === null ? null : await this.#ask(row, ns, 'at');
    const found = event && isSame(event, listed) ? { ...event, state: undefined } : { ...listed, fields: [], span: null };
    this.store.set({ cursor: { row: row ?? -1, ns, event: found } });
    if (row !== null) this.#show(row);
    this.reveal(ns);
  }

  /** Along a flow of the cursor's row to its other end.
   * @param {1|-1} by */
  async follow(by) {
    const { cursor, session, view } = this.state;
    const row = cursor && cursor.row >= 0 ? cursor.row : this.row?.row.id;
    if (row === undefined) return this.parts.announce('no row has the focus');
    const flow = await this.parts.flows.along(session, row, this.here, by, this.store.whole, BigInt(Math.ceil(view.span / 65536)));
    if (!flow) return this.parts.announce(by > 0 ? 'no later flow leaves this row' : 'no earlier flow arrives at this row');
    const [end, ns] = by > 0 ? [flow.to_row, BigInt(flow.to)] : [flow.from_row, BigInt(flow.from)];
    this.#show(end);
    await this.at(end, ns, 'at');
    this.reveal(ns);
    const name = this.state.rows.rows.find((one) => one.id === end)?.name || 'a row without a name';
    this.parts.announce(`${flow.kind}, ${by > 0 ? 'to' : 'from'} ${name}, ${exactText(ns)}, ${lengthText(Number(BigInt(flow.to) - BigInt(flow.from)))} long`);
  }

  /** A row is shown and becomes the current one, whatever it was hidden or closed in, or filtered by.
   * @param {number} id */
  #show(id) {
    this.#open(id);
    if (this.parts.tree.reveal(id) || !this.state.filter) return;
    this.parts.filter.value = '';
    this.store.set({ filter: '' });
    this.#open(id);
    this.parts.tree.reveal(id);
  }

  /** @param {number} id */
  #open(id) {
    const { hidden, rows } = this.state;
    /** @type {number[]} */ const parents = [];
    for (let row = rows.rows.find((one) => one.id === id); row && !parents.includes(row.id); row = rows.rows.find((one) => one.id === row?.parent)) parents.push(row.id);
    if (parents.some((row) => hidden.includes(row))) this.store.set({ hidden: hidden.filter((one) => !parents.includes(one)) });
    if (this.parts.arranging.unfold(parents)) this.store.set({ fold: this.state.fold });
    for (let key = this.parts.closedIn(id); key !== undefined; key = this.parts.closedIn(id)) this.toggle(key);
  }

  /** @param {bigint} ns in the middle of the view, if it is outside */
  reveal(ns) {
    const { view } = this.state;
    const x = view.x(ns);
    if (x < 0 || x >= view.width) this.store.show(view.moved(Math.round(x - view.width / 2)));
  }

  readOut() {
    const { cursor, view } = this.state;
    const row = this.row;
    if (!row) return;
    const ns = cursor?.row === row.row.id ? cursor.ns : view.time(view.width / 2);
    this.parts.announce([row.row.name, exactText(ns), this.parts.describe(row.row.id, ns)].filter(Boolean).join(', '));
    this.at(row.row.id, ns, 'at');
  }

  /** @param {'next'|'previous'} dir */
  async find(dir) {
    const { cursor, view, session } = this.state;
    const found = await this.parts.search.find(session, cursor?.ns ?? view.range().from - 1n, dir);
    if (!found?.event) return;
    const row = found.row ?? -1;
    const ns = BigInt(found.event.ns);
    this.#show(row);
    this.store.set({ cursor: { row, ns, event: found.event } });
    this.reveal(ns);
  }

  /** @param {bigint} ns */
  goTo(ns) {
    this.store.set({ cursor: { row: this.state.cursor?.row ?? this.row?.row.id ?? -1, ns, event: null } });
    this.reveal(ns);
  }

  /** Selects the span of the event at the cursor, or from it to the next event of its row. */
  async range() {
    const { cursor } = this.state;
    if (!cursor) return this.parts.announce('nothing is chosen: click on a span, or go along a row with . and ,');
    const extent = extentOf(cursor.event);
    if (extent) return this.store.set({ selection: { from: extent.from, to: extent.to } });
    const event = await this.#ask(cursor.row, cursor.ns, 'next');
    if (event) this.store.set({ selection: { from: cursor.ns, to: BigInt(event.ns) } });
    else this.parts.announce('nothing later on this row');
  }

  /** Where a bookmark goes and what is copied.
   * @returns {bigint} */
  get here() {
    const { cursor, view } = this.state;
    return cursor?.ns ?? view.time(this.parts.pointer() ?? view.width / 2);
  }

  async bookmark() {
    const ns = this.here;
    const name = await this.parts.dialogs.ask('Bookmark', `at ${exactText(ns)}; it is kept in the address`, `mark ${this.state.bookmarks.length + 1}`);
    if (name) this.store.set({ bookmarks: [...this.state.bookmarks.filter((mark) => mark.ns !== ns), { ns, name }] });
  }

  /** To the nearest of the bookmarks and of the events of rows of marks.
   * @param {1|-1} by */
  async nextMark(by) {
    const { cursor, view, session, rows } = this.state;
    const here = cursor?.ns ?? (by > 0 ? view.range().from - 1n : view.range().to);
    const isNearer = (/** @type {bigint} */ a, /** @type {bigint} */ b) => (by > 0 ? a < b : a > b);
    /** @type {{row: number, ns: bigint, name: string, event: TraceEvent|null}[]} */
    const found = this.state.bookmarks.filter((mark) => isNearer(here, mark.ns)).map((mark) => ({ row: cursor?.row ?? -1, ...mark, event: null }));
    await Promise.all(rows.rows.filter((row) => row.kind === 'mark').map(async ({ id }) => {
      const { event } = await this.parts.server.json('event', { s: session, row: id, ns: here, find: by > 0 ? 'next' : 'previous' });
      if (event) found.push({ row: id, ns: BigInt(event.ns), name: event.text, event });
    }));
    if (!found.length) return this.parts.announce(`no ${by > 0 ? 'later' : 'earlier'} mark or bookmark: M makes one`);
    const next = found.reduce((a, b) => (isNearer(b.ns, a.ns) ? b : a));
    this.store.set({ cursor: { row: next.row, ns: next.ns, event: next.event } });
    this.reveal(next.ns);
    this.parts.announce(`${next.name}, ${exactText(next.ns)}`);
  }

  async go() {
    const text = await this.parts.dialogs.ask('Go to time', 'since the start: 1.5 (seconds), 200ms, 3us, 12ns');
    if (text === null) return;
    const ns = parsedTime(text);
    if (ns === null) return this.parts.announce(`no time: ${text}`);
    this.goTo(ns);
  }

  /** The row; of a lane of threads the one at the cursor, or else at the pointer. Again: no longer pinned. */
  pin() {
    const line = this.row;
    if (!line) return;
    const { row } = line;
    const { pinned, cursor } = this.state;
    const ns = cursor?.row === row.id ? cursor.ns : this.here;
    const life = row.kind === 'thread' ? this.parts.lifeAt(row.id, ns) : '';
    const name = life === row.name ? '' : life;
    const before = pinned.find((pin) => pin.row === row.id);
    const isSame = before && (line.group === 'pinned' || before.name === name);
    const others = pinned.filter((pin) => pin !== before);
    this.store.set({ pinned: isSame ? others : [...others, { row: row.id, name }] });
    this.parts.announce(`${name || row.name} ${isSame ? 'no longer pinned' : 'pinned'}`);
  }

  fold() {
    const fold = !this.state.fold;
    this.store.set({ fold });
    this.parts.announce(fold ? 'rows with nothing in view fold away' : 'all rows are shown');
  }

  hide() {
    const row = this.row;
    if (!row) return;
    this.parts.tree.step(1);
    this.store.set({ hidden: [...this.state.hidden, row.row.id] });
    this.parts.announce(`${row.row.name} hidden; shift+H shows all rows`);
  }

  showAll() {
    this.store.set({ hidden: [] });
  }

  /** A pinned row up or down.
   * @param {1|-1} by */
  shift(by) {
    const pinned = [...this.state.pinned];
    const at = pinned.findIndex((pin) => pin.row === this.row?.row.id);
    if (at < 0 || !(at + by in pinned)) return this.parts.announce('only pinned rows move: P pins a row');
    pinned.splice(at + by, 0, ...pinned.splice(at, 1));
    this.store.set({ pinned });
  }

  /** @param {string} key of a line: a group, or group.row */
  toggle(key) {
    const name = key.includes('.') ? key.slice(key.indexOf('.') + 1) : key;
    const { toggled } = this.state;
    this.store.set({ toggled: toggled.includes(name) ? toggled.filter((one) => one !== name) : [...toggled, name] });
  }

  toggleCurrent() {
    const line = this.parts.tree.current;
    if (line) this.toggle(line.kind === 'row' && !line.children ? line.group : line.key);
  }

  order() {
    const next = /** @type {const} */ ({ start: 'share', share: 'name', name: 'start' })[this.state.order];
    this.store.set({ order: next });
    this.parts.announce(`rows ordered by ${next === 'share' ? 'running time in view' : next}`);
  }

  theme() {
    const isDark = this.state.theme ? this.state.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    this.store.set({ theme: isDark ? 'light' : 'dark' });
  }

  escape() {
    if (this.state.selection) this.store.set({ selection: null });
    else this.store.set({ cursor: null });
  }

  /** @param {string} text @param {string} what it is */
  async copied(text, what) {
    try {
      await navigator.clipboard.writeText(text);
      this.parts.announce(`${what} copied`);
    } catch {
      this.parts.announce('the browser does not let this page write to the clipboard');
    }
  }

  copy() {
    const { selection, view } = this.state;
    const { session } = this.store;
    const range = selection || view.range();
    /** @type {(name: string, command: string) => {name: string, text: string}[]} */
    const ofRange = (name, command) => (session ? [{ name, text: onRange(session, range, command) }] : []);
    const list = [
      { name: 'time', text: exactText(this.here) },
      ...ofRange('evt dump', 'evt dump'),
      ...ofRange('evt cut', 'evt cut -o part.evt'),
      ...(this.parts.panel.of ? ofRange(this.parts.panel.of.command, this.parts.panel.of.command) : []),
      ...this.parts.panel.tables.map((table) => ({ name: `table ${table.name} (TSV)`, text: tabSeparated(table) })),
    ];
    const start = this.store.session?.start_utc;
    if (start) list.splice(1, 0, { name: 'UTC', text: utcText(start, this.here) });
    this.parts.dialogs.copy(list, (text, name) => this.copied(text, name));
  }
}
