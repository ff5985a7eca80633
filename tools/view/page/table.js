// Tables of statistics, made of their description alone: sorted by their headers, shown with three digits, copied with all.
import { element } from './dom.js';
import { grouped } from './text.js';

const MOST_ROWS = 500;  // of a table at first: a browser takes seconds for some ten thousand

/** A cell is a text, a figure as it is shown and as it is, or nothing.
 * @typedef {string|[string, string]|null} Cell
 * @typedef {{name: string, key: string, text?: boolean, time?: boolean, means?: string}} Column
 * @typedef {{name: string, facts?: boolean, columns: Column[], rows: Cell[][]}} Table facts: one row, whose columns are shown below one another
 * @typedef {{column: number, up: boolean}} Sort */

/** @param {Cell} cell */
const wholeOf = (cell) => (Array.isArray(cell) ? cell[1] : cell ?? '');

/** Facts as a table of two columns.
 * @param {Table} table @returns {Table} */
function upright(table) {
  if (!table.facts) return table;
  return { ...table, columns: [{ name: '', key: 'name', text: true }, { name: '', key: 'value' }], rows: table.columns.map((column, n) => [column.name, table.rows[0][n]]) };
}

/** A text as a cell of a spreadsheet: one that begins as formulas do is none, as in CSV.
 * @param {string} text @returns {string} */
const harmless = (text) => text.replace(/[\t\r\n]/g, ' ').replace(/^[=+@-]/, (sign) => `\\x${sign.charCodeAt(0).toString(16)}`);

/** @param {Column} column @param {Cell} cell @returns {string} as it is copied */
const copied = (column, cell) => (column.text || !/^-?[\d.e+]+$/.test(wholeOf(cell)) ? harmless(wholeOf(cell)) : wholeOf(cell));

/** For a spreadsheet: columns have the names that they have in CSV, and figures all of their digits.
 * @param {Table} table @returns {string} */
export function tabSeparated(table) {
  const { columns, rows } = upright(table);
  return [columns.map((column) => harmless(column.key)), ...rows.map((row) => row.map((cell, n) => copied(columns[n], cell)))].map((cells) => cells.join('\t') + '\n').join('');
}

/** Rows in the order of a column: the largest numbers first, texts by the alphabet; what is empty is last.
 * @param {Table} table @param {Sort|undefined} sort */
function sorted({ columns, rows }, sort) {
  if (!sort || !columns[sort.column]) return rows;
  const { column, up } = sort;
  const isText = columns[column].text || rows.some((row) => Number.isNaN(Number(wholeOf(row[column]))));
  const by = isText ? (/** @type {string} */ a, /** @type {string} */ b) => a.localeCompare(b, 'en', { numeric: true }) : (/** @type {string} */ a, /** @type {string} */ b) => Number(b) - Number(a);
  return [...rows].sort((a, b) => {
    const [one, other] = [wholeOf(a[column]), wholeOf(b[column])];
    return one === '' || other === '' ? Number(one === '') - Number(other === '') : up ? by(other, one) : by(one, other);
  });
}

export class Tables {
  /** @param {HTMLElement} root @param {{go: (ns: bigint) => void, copied: (text: string, what: string) => void}} observer */
  constructor(root, observer) {
    this.root = root;
    this.observer = observer;
    /** By what the table is of and its name.
     * @type {Map<string, Sort>} */ this.sorts = new Map();
    root.addEventListener('copy', (event) => this.#copy(event));
    root.addEventListener('click', (event) => {
      const ns = event.target instanceof HTMLElement ? event.target.dataset.ns : undefined;
      if (ns) observer.go(BigInt(ns));
    });
  }

  /** @param {string} of @param {Table} table @param {number} [most] @returns {HTMLElement} */
  element(of, table, most = MOST_ROWS) {
    const key = `${of}/${table.name}`;
    const { facts } = table;
    const shown = upright(table);
    const rows = sorted(shown, this.sorts.get(key));
    // Numbers in their columns end below one another; names of things may be numbers.
    const areWords = shown.columns.map((column, n) => Boolean(column.text) || rows.some((row) => /^(?!-?[\d.e+]+$|-?inf$)./.test(wholeOf(row[n]))));
    const copy = element('button', { type: 'button', title: 'copy with all digits, for a spreadsheet' }, 'Copy');
    copy.addEventListener('click', () => this.observer.copied(tabSeparated({ ...shown, facts: false, rows }), `table ${table.name}`));
    const caption = element('caption', {}, `${table.name} `, copy);
    const built = element('table', {}, caption);
    const again = (/** @type {number} */ rowsShown) => {
      const other = this.element(of, table, rowsShown);
      built.replaceWith(other);
      return other;
    };
    if (!facts) built.append(element('thead', {}, element('tr', {}, ...shown.columns.map((column, n) => this.#head(key, column, n, areWords[n], () => again(most))))));
    built.append(element('tbody', {}, ...rows.slice(0, most).map((row) => element('tr', {}, ...row.map((cell, n) => cellElement(shown.columns[n], cell, n === 0, areWords[n] && !(facts && n)))))));
    if (rows.length > most) {
      const all = element('button', { type: 'button' }, `Show all ${grouped(rows.length)} rows`);
      all.addEventListener('click', () => { again(rows.length); this.root.focus(); });
      caption.append(' ', all);
    }
    return built;
  }

  /** @param {string} key @param {Column} column @param {number} n @param {boolean} isWord @param {() => HTMLElement} again */
  #head(key, column, n, isWord, again) {
    const sort = this.sorts.get(key);
    const isBy = sort?.column === n;
    const button = element('button', { type: 'button' }, column.name);
    const head = element('th', { scope: 'col', class: isWord ? 'words' : '', title: column.means || '' }, button);
    if (isBy) head.setAttribute('aria-sort', Boolean(sort?.up) === Boolean(column.text) ? 'descending' : 'ascending');
    button.addEventListener('click', () => {
      this.sorts.set(key, { column: n, up: isBy && !sort?.up });
      /** @type {HTMLElement|null} */ (again().querySelectorAll('th button')[n])?.focus();
    });
    return head;
  }

  /** What is selected is copied with all digits.
   * @param {ClipboardEvent} event */
  #copy(event) {
    const selection = getSelection();
    if (!selection || !event.clipboardData) return;
    const has = (/** @type {Element} */ one) => selection.containsNode(one, true);
    const lines = [...this.root.querySelectorAll('tr')].filter(has).map((row) => [...row.children].filter(has).map((cell) => /** @type {HTMLElement} */ (cell).dataset.whole ?? harmless(cell.textContent || '')));
    if (!lines.length) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', lines.map((cells) => cells.join('\t')).join('\n'));
  }
}

/** @param {Column} column @param {Cell} cell @param {boolean} isFirst @param {boolean} isWord */
function cellElement(column, cell, isFirst, isWord) {
  const text = Array.isArray(cell) ? cell[0] : cell ?? '-';
  /** @type {Record<string, string>} */ const attributes = { class: isWord ? 'words' : '', 'data-whole': copied(column, cell) };
  if (Array.isArray(cell)) attributes.title = cell[1];
  const isTime = column.time && Array.isArray(cell);
  const shown = isTime ? element('button', { type: 'button', 'data-ns': cell[1], title: 'go there' }, text) : text;
  return isFirst ? element('th', { scope: 'row', ...attributes }, shown) : element('td', attributes, shown);
}
