// Which rows are shown, in which order and where: groups by kind, pinned rows first, children under their parents.

/** @typedef {import('./server.js').RowInfo} RowInfo
 * @typedef {{kind: 'group', key: string, title: string, open: boolean, top: number, height: number}} GroupLine
 * @typedef {{kind: 'row', row: RowInfo, key: string, group: string, depth: number, children: number, open: boolean, top: number, height: number, ink: number}} RowLine
 * @typedef {GroupLine|RowLine} Line */

const GROUP_HEIGHT = 26;
/** Height of a row and of what is drawn in it.
 * @type {Record<string, [number, number]>} */
const HEIGHTS = { cpus: [40, 32], cpu: [34, 26], thread: [22, 16], span: [18, 16], counter: [40, 32], mark: [22, 14], events: [30, 22] };
/** @type {Record<string, string>} */
const TITLES = { cpus: 'All cpus', cpu: 'Cpus', thread: 'Threads', span: 'Spans', counter: 'Counters', mark: 'Marks', events: 'Events' };

/** The row of the overview: all cpus together, else the events, else the first.
 * @param {RowInfo[]} rows */
export function overviewRow(rows) {
  return rows.find((row) => row.kind === 'cpus') || rows.find((row) => row.kind === 'events') || rows[0];
}

export class RowLines {
  /** @param {import('./store.js').State} state @param {Map<number, number>} shares of the view, for the order by share */
  constructor(state, shares) {
    this.state = state;
    this.shares = shares;
    /** @type {Line[]} */ this.lines = [];
    this.height = 0;
    const cpus = state.rows.rows.filter((row) => row.kind === 'cpus');
    const overview = cpus.length === 1 ? cpus[0].id : null;
    const shown = state.rows.rows.filter((row) => row.id !== overview && !state.hidden.includes(row.id));
    const ids = new Set(shown.map((row) => row.id));
    /** @type {Map<number|null, RowInfo[]>} */ this.children = new Map();
    for (const row of shown) {
      const parent = row.parent !== null && ids.has(row.parent) && row.parent !== row.id ? row.parent : null;
      this.children.set(parent, [...(this.children.get(parent) || []), row]);
    }
    this.#pinned(shown);
    this.#groups();
  }

  /** @param {RowInfo[]} shown */
  #pinned(shown) {
    const rows = this.state.pinned.flatMap((id) => shown.filter((row) => row.id === id));
    if (!rows.length || !this.#group('pinned', 'Pinned')) return;
    for (const row of rows) this.#add(row, 'pinned', 0, false);
  }

  #groups() {
    const top = this.children.get(null) || [];
    for (const kind of new Set(top.map((row) => row.kind))) {
      const rows = top.filter((row) => row.kind === kind);
      const title = `${TITLES[kind] || kind}${rows.length > 8 ? ` · ${rows.length}` : ''}`;
      if (this.#group(kind, title)) this.#rows(rows, kind, 0);
    }
  }

  /** @param {string} key @param {string} title @returns {boolean} whether it is open */
  #group(key, title) {
    const open = !this.state.closed.includes(key);
    this.lines.push({ kind: 'group', key, title, open, top: this.height, height: GROUP_HEIGHT });
    this.height += GROUP_HEIGHT;
    return open;
  }

  /** @param {RowInfo[]} rows @param {string} group @param {number} depth */
  #rows(rows, group, depth) {
    for (const row of this.#ordered(rows)) {
      const open = this.#add(row, group, depth, true);
      if (open && depth < 64) this.#rows(this.children.get(row.id) || [], group, depth + 1);
    }
  }

  /** @param {RowInfo} row @param {string} group @param {number} depth @param {boolean} nested @returns {boolean} */
  #add(row, group, depth, nested) {
    const [height, ink] = HEIGHTS[row.kind] || HEIGHTS.thread;
    const open = !this.state.closed.includes(String(row.id));
    const children = nested ? (this.children.get(row.id) || []).length : 0;
    this.lines.push({ kind: 'row', row, key: `${group}.${row.id}`, group, depth, children, open, top: this.height, height, ink });
    this.height += height;
    return open;
  }

  /** @param {RowInfo[]} rows */
  #ordered(rows) {
    const { order } = this.state;
    if (order === 'name') return [...rows].sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
    if (order === 'share') return [...rows].sort((a, b) => (this.shares.get(b.id) || 0) - (this.shares.get(a.id) || 0));
    return rows;
  }

  /** @param {number} top @param {number} height @returns {RowLine[]} those with a part in view */
  visible(top, height) {
    return this.rows().filter((line) => line.top + line.height > top && line.top < top + height);
  }

  /** @returns {RowLine[]} */
  rows() {
    return /** @type {RowLine[]} */ (this.lines.filter((line) => line.kind === 'row'));
  }

  /** @param {number} y @returns {RowLine|undefined} */
  at(y) {
    return this.rows().find((line) => line.top <= y && y < line.top + line.height);
  }
}
