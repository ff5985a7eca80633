// Figures of the selection or of the view, as the server computed them, and the event at the cursor.
import { element, fill } from './dom.js';
import { grouped } from './text.js';
import { exactText, lengthText, utcText } from './time.js';

const PAUSE_MS = 200;
const MOST_ROWS = 500;  // of a table at first: a browser takes seconds for some ten thousand

/** @typedef {import('./server.js').Table} Table
 * @typedef {import('./server.js').TraceEvent} TraceEvent */

/** A table as text for a spreadsheet.
 * @param {Table} table */
export function tabSeparated(table) {
  const line = (/** @type {string[]} */ cells) => cells.map((cell) => cell.replace(/[\t\r\n]/g, ' ')).join('\t');
  return [line(table.columns.map((column) => column.name + (column.unit ? ` (${column.unit})` : ''))), ...table.rows.map(line)].join('\n') + '\n';
}

/** @param {string} text @param {string} unit */
function cellText(text, unit) {
  if (unit === 'ns' && /^-?\d+$/.test(text)) return exactText(BigInt(text));
  return unit === '%' ? `${text} %` : text;
}

/** @param {Table} table @param {number} most @returns {HTMLElement} */
function tableElement(table, most = MOST_ROWS) {
  const looks = table.columns.map((_, n) => ({ class: table.rows.some((row) => /^-?\d/.test(row[n] || '')) ? '' : 'words' }));
  const head = element('tr', {}, ...table.columns.map((column, n) => element('th', { scope: 'col', ...looks[n] }, column.name)));
  const rows = table.rows.slice(0, most).map((row) => element('tr', {}, ...row.map((text, n) => {
    const shown = cellText(text, table.columns[n]?.unit || '');
    return n ? element('td', looks[n], shown) : element('th', { scope: 'row' }, shown);
  })));
  const caption = element('caption', {}, table.title);
  const built = element('table', {}, caption, element('thead', {}, head), element('tbody', {}, ...rows));
  if (table.rows.length > most) {
    const all = element('button', { type: 'button' }, `Show all ${grouped(table.rows.length)} rows`);
    all.addEventListener('click', () => {
      built.parentElement?.focus();
      built.replaceWith(tableElement(table, table.rows.length));
    });
    caption.append(' ', all);
  }
  return built;
}

export class Panel {
  /** @param {import('./server.js').Server} server @param {{title: HTMLElement, tables: HTMLElement, event: HTMLElement}} places */
  constructor(server, places) {
    this.server = server;
    this.places = places;
    this.abort = new AbortController();
    this.timer = 0;
    this.asked = '';
    /** @type {Table[]} */ this.tables = [];
  }

  /** Asks for the figures of this range after a pause; a range that was left is asked no longer.
   * @param {number} session @param {import('./store.js').Range} range @param {boolean} isSelection @param {number} generation */
  show(session, range, isSelection, generation) {
    const key = `${session} ${range.from} ${range.to} ${isSelection} ${generation}`;
    if (key === this.asked) return;
    this.asked = key;
    const words = isSelection ? 'Selection' : 'In view';
    fill(this.places.title, element('h2', {}, element('strong', {}, words)), element('span', {}, lengthText(Number(range.to - range.from))),
      element('span', { class: 'muted' }, element('span', { class: 'whole' }, `${exactText(range.from)} to`), ' ', element('span', { class: 'whole' }, exactText(range.to))),
      ...(isSelection ? [] : [element('span', { class: 'muted' }, 'Drag across the rows for those of a part.')]));
    this.places.tables.setAttribute('aria-busy', 'true');
    this.abort.abort();
    this.abort = new AbortController();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#ask(session, range, this.abort.signal), PAUSE_MS);
  }

  /** @param {number} session @param {import('./store.js').Range} range @param {AbortSignal} signal */
  async #ask(session, range, signal) {
    try {
      this.tables = (await this.server.json('stats', { s: session, from: range.from, to: range.to }, signal)).tables;
      fill(this.places.tables, ...(this.tables.length ? this.tables.map((table) => tableElement(table)) : [element('p', {}, 'This trace has no figures for a range of time.')]));
    } catch (error) {
      if (signal.aborted) return;
      this.tables = [];
      fill(this.places.tables, element('p', { role: 'alert' }, `No figures: ${error instanceof Error ? error.message : error}`));
    }
    this.places.tables.setAttribute('aria-busy', 'false');
  }

  /** @param {TraceEvent|null} event @param {string|null} startUtc */
  event(event, startUtc) {
    this.places.event.hidden = !event;
    if (!event) return;
    /** @type {[string, string][]} */ const facts = [['time', exactText(BigInt(event.ns))]];
    if (startUtc) facts.push(['UTC', utcText(startUtc, BigInt(event.ns))]);
    facts.push(['stream', event.stream], ...event.fields.map((field) => /** @type {[string, string]} */ ([field.name, field.value])));
    const { async } = event;
    if (async) facts.push(['async span', async.name], ['id', async.id], ['began on', async.stream], ['from', exactText(BigInt(async.from))], ['to', async.open ? 'open' : exactText(BigInt(async.to))],
      ['duration', lengthText(Number(BigInt(async.to) - BigInt(async.from)))]);
    const { span } = event;
    if (span) facts.push(['span', span.name], ['from', exactText(BigInt(span.from))], ['to', exactText(BigInt(span.to))], ['self', exactText(BigInt(span.self))]);
    fill(this.places.event, element('h2', {}, event.type), element('p', {}, event.text),
      element('table', { 'aria-label': 'fields' }, element('tbody', {}, ...facts.map(([name, value]) => element('tr', {}, element('th', { scope: 'row' }, name), element('td', {}, value))))));
  }
}
