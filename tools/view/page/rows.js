// Which rows are shown, in which order and where: pinned rows first, processes of a merged trace, groups by kind, children under their parents.

/** @typedef {import('./server.js').RowInfo} RowInfo
 * @typedef {{kind: 'group', key: string, title: string, level: number, isPart: boolean, open: boolean, top: number, height: number}} GroupLine
 * @typedef {{kind: 'row', row: RowInfo, name: string, title: string, life: string, key: string, group: string, depth: number, level: number, children: number, open: boolean, isPart: boolean, top: number,
 *   height: number, ink: number}} RowLine title: with that of the row above it; life: the one thread of a lane that is shown, '' if all are
 * @typedef {GroupLine|RowLine} Line
 * @typedef {{shares: Map<number, number>, empty: Set<number>}} Known of the rows in view: running parts of the time, and those without anything
 * @typedef {{group: string, level: number, depth: number}} Place */

const GROUP_HEIGHT = 26;
const INNER_HEIGHT = 20;  // of a kind in a group
/** Height of a row and of what is drawn in it.
 * @type {Record<string, [number, number]>} */
const HEIGHTS = { cpus: [40, 32], cpu: [34, 26], thread: [22, 16], span: [18, 16], async: [18, 16], counter: [40, 32], sparks: [40, 32],
  mark: [22, 14], events: [30, 22], object: [30, 22], tracer: [22, 16], samples: [18, 14] };
/** Rows grow into free room, to twice their height at most, or this much.
 * @type {Record<string, number>} */
const MOST_GROWTH = { span: 1.4, async: 1.4, mark: 1.4, tracer: 1.4 };
const CLOSED_AT_FIRST = ['object', 'closed'];

/** Whether what a row has are ranges with names, each with a colour of its own.
 * @param {string} kind */
export const isNamed = (kind) => kind === 'span' || kind === 'async' || kind === 'tracer';

/** How rows of spans and samples are called that have no name of their own: those below their threads, or below the first of them, and further lanes of
 * asynchronous ones.
 * @param {RowInfo[]} rows @returns {Map<number, string>} by their ids */
function namesOfSpans(rows) {
  const kinds = new Map(rows.map((row) => [row.id, row.kind]));
  /** @type {Map<number, number>} */ const depths = new Map();
  /** @type {Map<number, string>} */ const names = new Map();
  for (const row of rows) {
    if (row.kind === 'samples' && row.parent !== null) names.set(row.id, 'samples');
    if (!['span', 'async'].includes(row.kind) || row.parent === null) continue;
    const depth = depths.get(row.parent) ?? (kinds.get(row.parent) === row.kind ? 2 : 1);
    depths.set(row.parent, depth + 1);
    names.set(row.id, row.kind === 'async' ? `lane ${depth}` : depth > 1 ? `spans, depth ${depth}` : 'spans');
  }
  return names;
}

/** Of rows that have their kind, part and name from others too, which of them they are: the second is · 2.
 * @param {RowInfo[]} rows @returns {Map<number, string>} by their ids */
function numbered(rows) {
  /** @type {Map<string, RowInfo[]>} */ const alike = new Map();
  for (const row of rows) {
    const key = JSON.stringify([row.kind, row.group, row.name]);
    if (row.name) alike.set(key, [...(alike.get(key) || []), row]);
  }
  return new Map([...alike.values()].flatMap((same) => same.slice(1).map((row, n) => /** @type {[number, string]} */ ([row.id, ` · ${n + 2}`]))));
}

/** The row of a process of one thread: the title, and what the thread is called if that is something else.
 * @param {string} title @param {string} thread */
function processName(title, thread) {
  const name = thread.replace(/ \d+$/, '');
  return title.includes(name) || name === 'thread' ? title : `${title}: ${name}`;
}

/** The rows whose name, group or kind has a text, with those that they are below and those below them; null without a text.
 * @param {string} text @param {RowInfo[]} rows @param {(row: RowInfo) => string[]} wordsOf @returns {Set<number>|null} */
function wantedBy(text, rows, wordsOf) {
  const words = text.trim().toLowerCase();
  if (!words) return null;
  const byId = new Map(rows.map((row) => [row.id, row]));
  const above = (/** @type {RowInfo} */ row) => (row.parent === null ? undefined : byId.get(row.parent));
  const isNamedSo = (/** @type {RowInfo} */ row) => [row.name, ...wordsOf(row)].some((name) => name.toLowerCase().includes(words));
  const wanted = new Set(rows.filter((row) => isNamedSo(row) || isNamedSo(above(row) || row)).map((row) => row.id));
  for (const row of rows) {
    const parent = above(row);
    if (parent && wanted.has(row.id)) wanted.add(parent.id);
  }
  return wanted;
}

/** The row of the overview: all cpus together, or the only one that runs threads, else the events, else the first.
 * @param {RowInfo[]} rows */
export function overviewRow(rows) {
  return rows.find((row) => row.kind === 'cpus') || rows.find((row) => row.kind === 'cpu' && row.of !== 0) || rows.find((row) => row.kind === 'events') || rows[0];
}

export class RowLines {
  /** @param {import('./store.js').State} state @param {Known} known @param {number} [growth] of rows */
  constructor(state, known, growth = 1) {
    this.state = state;
    this.known = known;
    this.growth = growth;
    /** @type {Line[]} */ this.lines = [];
    this.height = 0;
    this.folded = 0;
    /** The middle of each row, or of what it is closed in.
     * @type {Map<number, number>} */ this.places = new Map();
    /** What each row that is not shown is closed in.
     * @type {Map<number, string>} */ this.closedIn = new Map();
    /** Those whose place is that of the pinned row.
     * @type {Set<number>} */ this.atPin = new Set();
    this.titles = new Map(state.trace?.kinds.map(({ kind, title }) => [kind, title]));
    this.numbers = numbered(state.rows.rows);
    this.spans = namesOfSpans(state.rows.rows);
    this.byId = new Map(state.rows.rows.map((row) => [row.id, row]));
    const cpus = state.rows.rows.filter((row) => row.kind === 'cpus');
    const overview = cpus.length === 1 ? cpus[0].id : null;
    this.hasOthers = state.rows.rows.some((row) => row.kind !== 'events');
    const wanted = wantedBy(state.filter, state.rows.rows, (row) => [this.groupOf(row), this.titles.get(row.kind) || '']);
    const shown = state.rows.rows.filter((row) => row.id !== overview && !state.hidden.includes(row.id) && (!wanted || wanted.has(row.id)));
    this.isFiltered = wanted !== null;
    const ids = new Set(shown.map((row) => row.id));
    /** @type {Map<number|null, RowInfo[]>} */ this.children = new Map();
    for (const row of shown) {
      const parent = row.parent !== null && ids.has(row.parent) && row.parent !== row.id ? row.parent : null;
      this.children.set(parent, [...(this.children.get(parent) || []), row]);
    }
    this.#pinned(shown);
    this.#groups(this.children.get(null) || []);
  }

  /** The same, grown into this height.
   * @param {number} room @returns {RowLines} */
  grown(room) {
    const rows = this.rows().reduce((sum, line) => sum + line.height, 0);
    return this.height < room && rows ? new RowLines(this.state, this.known, Math.min(2, 1 + (room - this.height) / rows)) : this;
  }

  /** The title of the group that a row is of, or ''.
   * @param {RowInfo} row */
  groupOf(row) {
    return this.state.rows.groups[row.group ?? -1]?.title || '';
  }

  /** @param {RowInfo[]} shown */
  #pinned(shown) {
    const pins = this.state.pinned.flatMap((pin) => shown.filter((row) => row.id === pin.row).map((row) => ({ row, name: pin.name })));
    if (!pins.length || !this.#heading('pinned', 'Pinned', 1, 'pinned')) return;
    for (const { row, name } of pins) this.#add(row, { group: 'pinned', level: 2, depth: 0 }, name, false);
  }

  /** @param {RowInfo[]} top */
  #groups(top) {
    for (let from = 0, to = 0; from < top.length; from = to) {
      const group = top[from].group ?? -1;
      while (to < top.length && (top[to].group ?? -1) === group) to++;
      this.#group(top.slice(from, to), this.state.rows.groups[group], `part${group}`);
    }
  }

  /** A process of one thread is that thread's row.
   * @param {RowInfo[]} rows @param {import('./server.js').Group|undefined} group @param {string} key */
  #group(rows, group, key) {
    if (!group) return this.#kinds(rows, '', 1);
    const threads = rows.filter((row) => row.kind === 'thread');
    if (group.process && threads.length === 1 && rows[0] === threads[0]) {
      if (this.#folds(rows[0])) this.folded++;
      else this.#row(rows[0], { group: key, level: 1, depth: 0 }, rows.slice(1), processName(group.title, rows[0].name));
    } else if (this.#heading(key, group.title, 1, group.closed ? 'closed' : 'part', true)) this.#kinds(rows, `${key}-`, 2);
    else this.#close(rows);
  }

  /** Threads with which a group begins need no heading.
   * @param {RowInfo[]} top @param {string} before of the keys @param {number} level */
  #kinds(top, before, level) {
    for (const kind of new Set(top.map((row) => row.kind))) {
      const rows = top.filter((row) => row.kind === kind);
      const kept = rows.filter((row) => !this.#folds(row));
      const folded = rows.length - kept.length;
      this.folded += folded;
      if (before && kind === 'thread' && top[0].kind === kind) {
        this.#rows(kept, { group: before.slice(0, -1), level, depth: 0 });
        continue;
      }
      const count = folded ? ` · ${kept.length} of ${rows.length}` : rows.length > 8 ? ` · ${rows.length}` : '';
      const title = (this.titles.get(kind) || kind) + count;
      const group = before + kind;
      const open = this.#heading(group, title, level, kind);
      this.#close(rows);
      if (open) this.#rows(kept, { group, level: level + 1, depth: 0 });
    }
  }

  /** Flows of rows that are not shown end at what they are closed in.
   * @param {RowInfo[]} rows */
  #close(rows) {
    const { key, open, top, height } = this.lines[this.lines.length - 1];
    for (const row of rows) {
      if (!open) this.closedIn.set(row.id, key);
      if (!this.atPin.has(row.id)) this.places.set(row.id, top + height / 2);
      this.#close(this.children.get(row.id) || []);
    }
  }

  /** @param {string} key @param {string} kind @returns {boolean} */
  #isOpen(key, kind) {
    const isClosed = CLOSED_AT_FIRST.includes(kind) || (kind === 'events' && this.hasOthers);
    return this.state.toggled.includes(key) === (isClosed && !this.isFiltered);
  }

  /** @param {string} key @param {string} title @param {number} level @param {string} kind @param {boolean} [isPart] @returns {boolean} whether it is open */
  #heading(key, title, level, kind, isPart = false) {
    const open = this.#isOpen(key, kind);
    const height = level > 1 && kind !== 'part' ? INNER_HEIGHT : GROUP_HEIGHT;
    this.lines.push({ kind: 'group', key, title, level, isPart, open, top: this.height, height });
    this.height += height;
    return open;
  }

  /** With nothing in view, of its children neither.
   * @param {RowInfo} row @returns {boolean} */
  #folds(row) {
    return this.state.fold && this.known.empty.has(row.id) && (this.children.get(row.id) || []).every((child) => this.#folds(child));
  }

  /** @param {RowInfo[]} rows @param {Place} place */
  #rows(rows, place) {
    for (const row of this.#ordered(rows)) this.#row(row, place, [], '');
  }

  /** A row, and when it is open those below it.
   * @param {RowInfo} row @param {Place} place @param {RowInfo[]} others of its process @param {string} title of that */
  #row(row, place, others, title) {
    const open = this.#add(row, place, '', true, title);
    const children = this.children.get(row.id) || [];
    const kept = children.filter((child) => !this.#folds(child));
    this.folded += children.length - kept.length;
    this.#close([...children, ...others]);
    if (open && place.depth < 64) this.#rows(kept, { group: place.group, level: place.level + 1, depth: place.depth + 1 });
    if (open && others.length) this.#kinds(others, `${place.group}-`, place.level + 1);
  }

  /** @param {RowInfo} row @param {Place} place @param {string} life @param {boolean} nested @param {string} [process] the title of that, if the row is all of it
   * @returns {boolean} */
  #add(row, place, life, nested, process = '') {
    const [least, leastInk] = HEIGHTS[row.kind] || HEIGHTS.thread;
    const height = Math.floor(least * Math.min(this.growth, MOST_GROWTH[row.kind] || 2));
    const ink = height - least + leastInk;
    const open = this.#isOpen(String(row.id), '');
    const children = nested ? (this.children.get(row.id) || []).length : 0;
    const name = row.name + (this.numbers.get(row.id) || '');
    const shown = life || process || name || this.spans.get(row.id) || '';
    const above = row.name || row.parent === null ? '' : this.byId.get(row.parent)?.name;
    const title = [above, row.name || shown, this.groupOf(row)].filter(Boolean).join(', ');
    this.lines.push({ kind: 'row', row, name: shown, title, life, key: `${place.group}.${row.id}`, ...place, children, open, isPart: Boolean(process), top: this.height, height, ink });
    if (!nested) this.atPin.add(row.id);
    if (!nested || !this.atPin.has(row.id)) this.places.set(row.id, this.height + height / 2);
    this.height += height;
    return open;
  }

  /** @param {RowInfo[]} rows */
  #ordered(rows) {
    const { order } = this.state;
    const { shares } = this.known;
    if (order === 'name') return [...rows].sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
    if (order === 'share') return [...rows].sort((a, b) => (shares.get(b.id) || 0) - (shares.get(a.id) || 0));
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
