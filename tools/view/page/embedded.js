// In a file that was made by evt view -o: what a server answers, out of the file itself. It has the coarser levels of detail, for
// a small session its events and spans, and statistics of whole sessions.
import { fileWords, onRange } from './commands.js';
import { decodedTile } from './protocol.js';
import { NotInFile, Server } from './server.js';
import { lengthText } from './time.js';

const MOST_TILES = 16;
const MOST_PARTS = 8;
const NO_EVENTS = { events: [], is_first: true, is_last: true };
const NO_FLOWS = { flows: [], more: 0 };

/** Texts are bytes that are deflated, in base64.
 * @typedef {{sizes: number[], data: string}} Part tiles one behind another
 * @typedef {{level: number, first: number, parts: Part[]}} Level
 * @typedef {{rows: string, stats: Record<string, string>, empty: string, events: string, flows: string, levels: Level[]}} EmbeddedSession
 * @typedef {{trace: string, files: string, sessions: EmbeddedSession[]}} Data
 * @typedef {{types: {name: string, fields: string[]}[], streams: string[], ns: (string|number)[], stream: number[], type: number[], row: (number|null)[],
 *   values: (string|null)[][], groups: number[], members: number[][], names?: string[], threads?: string[], objects?: string[], spans?: (string|number)[][], words?: string[], states?: (string|number)[][]}} EventLists
 * @typedef {{row: number, from: bigint, to: bigint, self: number, event: number, name: string, thread: string, object: string, open: boolean}} ListedSpan
 * @typedef {Omit<import('./server.js').State, 'from'|'to'> & {from: bigint, to: bigint}} ListedState
 * @typedef {import('./server.js').TraceEvent} TraceEvent */

/** @param {string} text @returns {Promise<ArrayBuffer>} */
function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  const { DecompressionStream } = /** @type {any} */ (globalThis);  // younger than Debian's tsc
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).arrayBuffer();
}

/** @param {string} text */
const unpackedJson = async (text) => JSON.parse(new TextDecoder().decode(await unpacked(text)));

/** The rows of 1-3,7.
 * @param {string} text @returns {number[]} */
function unranged(text) {
  return text.split(',').flatMap((word) => {
    const [first, last] = word.split('-').map(Number);
    return Array.from({ length: (last ?? first) - first + 1 }, (_, n) => first + n);
  });
}

/** The most recent of what takes time to make.
 * @template T */
class Recent {
  /** @param {number} most */
  constructor(most) {
    this.most = most;
    /** @type {Map<string, T>} */ this.made = new Map();
  }

  /** @param {string} key @param {() => T} make @returns {T} */
  get(key, make) {
    const found = this.made.get(key) ?? make();
    this.made.delete(key);
    this.made.set(key, found);
    for (const oldest of this.made.keys()) if (this.made.size > this.most) this.made.delete(oldest);
    return found;
  }
}

/** How many elements of a sorted list are before the first for which the test fails.
 * @template T @param {ArrayLike<T>} list @param {(one: T) => boolean} isBefore @returns {number} */
function countBefore(list, isBefore) {
  let low = 0;
  for (let high = list.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (isBefore(list[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The events of a session, in order. */
class Events {
  /** @param {EventLists} lists @param {import('./server.js').RowInfo[]} rows */
  constructor(lists, rows) {
    this.lists = lists;
    this.rows = rows;
    let sum = 0n;
    this.ns = lists.ns.map((gap) => (sum += BigInt(gap)));
    /** @type {Map<number, number[]>} */ this.members = new Map();
    /** By rows, in the order of their begins.
     * @type {Map<number, ListedSpan[]>} */ this.spans = new Map((lists.spans || []).map((list) => [Number(list[0]), spansOf(lists, list)]));
    /** The same.
     * @type {Map<number, ListedState[]>} */ this.states = new Map((lists.states || []).map((list) => [Number(list[0]), statesOf(lists, list)]));
    /** @type {string[]|null} */ this.texts = null;
    /** That matched last. */ this.found = { query: '', places: /** @type {number[]} */ ([]) };
  }

  /** @param {number} row @returns {number[]} its events, by their places */
  ofRow(row) {
    const group = this.lists.groups[row];
    const known = this.members.get(group);
    if (known) return known;
    let sum = 0;
    const members = (this.lists.members[group] || []).map((gap) => (sum += gap));
    this.members.set(group, members);
    return members;
  }

  /** @param {number} at @returns {string} */
  text(at) {
    const type = this.lists.types[this.lists.type[at]];
    const values = this.lists.values[at];
    return [type.name, ...type.fields.flatMap((name, n) => (values[n] === null ? [] : [`${name}=${values[n]}`]))].join(' ');
  }

  /** @param {number|undefined} at @returns {TraceEvent|null} */
  event(at) {
    if (at === undefined) return null;
    const type = this.lists.types[this.lists.type[at]];
    const fields = type.fields.map((name, n) => ({ name, value: this.lists.values[at][n] ?? '' }));
    return { ns: String(this.ns[at]), stream: this.lists.streams[this.lists.stream[at]], type: type.name, text: this.text(at), fields, span: null };
  }

  /** The rows of spans of the threads of a row, the outermost first.
   * @param {number|null} row @returns {number[]} */
  #lane(row) {
    const of = this.rows.find((one) => one.id === row);
    const first = of && (of.parent ?? of.id);
    return of && ['span', 'thread'].includes(of.kind) ? this.rows.filter((one) => one.kind === 'span' && (one.parent === first || one.id === first)).map((one) => one.id) : [];
  }

  /** @param {ListedSpan} span @param {number[]} lane @returns {import('./server.js').Span} */
  #described(span, lane) {
    const around = lane.slice(0, lane.indexOf(span.row)).flatMap((row) => {
      const outer = this.#latest(row, span.from, 'at');
      return outer && outer.to >= span.to ? [{ name: outer.name, from: String(outer.from) }] : [];
    });
    return { name: span.name, from: String(span.from), to: String(span.to), self: String(span.self), thread: span.thread, object: span.object, open: span.open, around };
  }

  /** An event of a row with the innermost span that it is in.
   * @param {number|undefined} at @param {number|null} row @returns {TraceEvent|null} */
  #within(at, row) {
    const event = this.event(at);
    const lane = this.#lane(row);
    const spans = event ? lane.map((one) => this.#latest(one, BigInt(event.ns), 'at')).filter((span) => span && span.to >= BigInt(event.ns)) : [];
    const span = spans[spans.length - 1];
    return event && span ? { ...event, span: this.#described(span, lane) } : event;
  }

  /** @param {number} row @param {bigint} ns @param {string} find */
  #latest(row, ns, find) {
    const spans = this.spans.get(row) || [];
    const before = countBefore(spans, (one) => (find === 'previous' ? one.from < ns : one.from <= ns));
    return /** @type {ListedSpan|undefined} */ (spans[find === 'next' ? before : before - 1]);
  }

  /** @param {number} row @param {bigint} ns @param {string} find at, next or previous */
  onRow(row, ns, find) {
    if (this.rows.find((one) => one.id === row)?.kind === 'span') {
      const span = this.#latest(row, ns, find);
      const event = this.event(span?.event);
      return { event: span && event && { ...event, span: this.#described(span, this.#lane(row)) } };
    }
    const members = this.ofRow(row);
    const before = countBefore(members, (at) => (find === 'previous' ? this.ns[at] < ns : this.ns[at] <= ns));
    const event = this.#within(members[find === 'next' ? before : before - 1], row);
    const states = this.states.get(row) || [];
    const state = find === 'at' ? states[countBefore(states, (one) => one.from <= ns) - 1] : undefined;
    return { event: event && state && state.to > ns ? { ...event, state: { ...state, from: String(state.from), to: String(state.to) } } : event };
  }

  /** @param {bigint} ns @param {number} before @param {number} after how many events */
  around(ns, before, after) {
    const place = countBefore(this.ns, (one) => one < ns);
    const first = Math.max(0, place - before);
    const end = Math.min(this.ns.length, place + after);
    const events = Array.from({ length: end - first }, (_, n) => ({ ...this.event(first + n), row: this.lists.row[first + n] }));
    return { events, is_first: first === 0, is_last: end === this.ns.length };
  }

  /** The events that have a text, by their places.
   * @param {string} query @returns {number[]} */
  matching(query) {
    if (this.found.query !== query) {
      this.texts ??= this.ns.map((_, at) => this.text(at));
      this.found = { query, places: this.texts.flatMap((text, at) => (text.includes(query) ? [at] : [])) };
    }
    return this.found.places;
  }

  /** @param {Record<string, string|number|bigint>} query @returns {import('./search.js').Found} */
  find(query) {
    const places = this.matching(String(query.q));
    const count = places.length;
    if (!count) return { count, error: null, event: null };
    const isNext = query.dir === 'next';
    const before = query.place === undefined ? countBefore(places, (at) => (isNext ? this.ns[at] <= BigInt(query.from) : this.ns[at] < BigInt(query.from))) : 0;
    const place = query.place === undefined ? (before + (isNext ? 0 : count - 1)) % count : Number(query.place) % count;
    const row = this.lists.row[places[place]];
    return { count, error: null, place, row, event: this.#within(places[place], row) };
  }

  /** @param {Record<string, string|number|bigint>} query @returns {import('./search.js').Hits} */
  hits(query) {
    const [from, to] = [BigInt(query.from), BigInt(query.to)];
    /** @type {Map<number, bigint>} */ const latest = new Map();
    const seen = this.matching(String(query.q)).filter((at) => {
      const [ns, row] = [this.ns[at], this.lists.row[at]];
      if (row === null || ns < from || ns > to) return false;
      const before = latest.get(row);
      if (before !== undefined && ns - before < BigInt(query.step)) return false;
      latest.set(row, ns);
      return true;
    });
    return { ns: seen.map((at) => String(this.ns[at])), rows: seen.map((at) => Number(this.lists.row[at])) };
  }
}

/** @param {EventLists} lists @param {(string|number)[]} list @returns {ListedSpan[]} */
function spansOf(lists, list) {
  const found = [];
  let from = 0n;
  for (let n = 1; n < list.length; n += 8) {
    const [length, self, event, name, thread, open, object] = list.slice(n + 1, n + 8).map(Number);
    from += BigInt(list[n]);
    found.push({ row: Number(list[0]), from, to: from + BigInt(length), self, event, name: lists.names?.[name] ?? '', thread: lists.threads?.[thread] ?? '', object: lists.objects?.[object] ?? '', open: open === 1 });
  }
  return found;
}

/** @param {EventLists} lists @param {(string|number)[]} list @returns {ListedState[]} */
function statesOf(lists, list) {
  const found = [];
  let from = 0n;
  for (let n = 1; n < list.length; n += 8) {
    from += BigInt(list[n]);
    const [reason, thread, cpu, woken_by] = list.slice(n + 4, n + 8).map((place) => lists.words?.[Number(place)] ?? '');
    found.push({ key: /** @type {number|null} */ (list[n + 3]), from, to: from + BigInt(list[n + 1]), open: list[n + 2] === 1, reason, thread, cpu, woken_by });
  }
  return found;
}

export class EmbeddedServer extends Server {
  /** @param {Data} data */
  constructor(data) {
    super('');
    this.data = data;
    /** @type {Recent<Promise<import('./protocol.js').Tile>>} */ this.tiles = new Recent(MOST_TILES);
    /** @type {Recent<Promise<ArrayBuffer>>} */ this.parts = new Recent(MOST_PARTS);
    /** @type {Map<number, Promise<Events>>} */ this.lists = new Map();
    /** @type {Recent<Promise<import('./flows.js').Answer>>} */ this.allFlows = new Recent(1);
    /** @type {Promise<import('./server.js').Trace>} */ this.trace = this.#trace();
  }

  /** @returns {EmbeddedServer|null} null in the page of a server */
  static ofPage() {
    const found = document.getElementById('embedded');
    return found ? new EmbeddedServer(JSON.parse(found.textContent || '')) : null;
  }

  /** @returns {Promise<string>} the command for the same page with all of it */
  async #command() {
    return `evt view ${fileWords((await unpackedJson(this.data.files)).names)}`;
  }

  async #trace() {
    /** @type {import('./server.js').Trace} */ const trace = await unpackedJson(this.data.trace);
    const command = await this.#command();
    trace.sessions.forEach((session, n) => {
      const finest = this.#finest(n);
      const missing = [...(finest ? [`detail finer than ${lengthText(2 ** finest)}`] : []), ...(this.data.sessions[n].events ? [] : ['single events', 'flows'])];
      if (missing.length) session.notes.push(`Not in this file: ${missing.join(', ')}; all of it: ${command}`);
    });
    return trace;
  }

  /** @param {number} session */
  #finest(session) {
    return Math.min(...this.data.sessions[session].levels.map((one) => one.level));
  }

  /** @param {string} path @param {Record<string, string|number|bigint>} query */
  async json(path, query = {}) {
    if (path === 'trace') return this.trace;
    const session = Number(query.s);
    const embedded = this.data.sessions[session];
    if (path === 'rows') return { ...await unpackedJson(embedded.rows), finest: this.#finest(session) };
    if (path === 'stats') return this.#stats(session, BigInt(query.from), BigInt(query.to), String(query.of));
    if (path === 'event') return this.#event(session, Number(query.row), BigInt(query.ns), String(query.find));
    if (path === 'events') return embedded.events ? (await this.#eventsOf(session)).around(BigInt(query.at), Number(query.before), Number(query.after)) : NO_EVENTS;
    if (path === 'flows') return embedded.flows ? this.#touching(session, query) : NO_FLOWS;
    if (path === 'matches') return embedded.events ? (await this.#eventsOf(session)).hits(query) : { ns: [], rows: [] };
    if (path === 'why') throw new NotInFile(`what spans waited for is not in this file; ${await this.#command()} has it`);
    return this.#found(session, query);
  }

  /** @param {number} session @param {number} row @param {bigint} ns @param {string} find */
  async #event(session, row, ns, find) {
    if (!this.data.sessions[session].events) throw new NotInFile(`spans and events are not in this file; all of it: ${await this.#command()}`);
    return (await this.#eventsOf(session)).onRow(row, ns, find);
  }

  /** @param {number} session */
  #eventsOf(session) {
    const { events: packed, rows } = this.data.sessions[session];
    const events = this.lists.get(session) || Promise.all([unpackedJson(packed), unpackedJson(rows)]).then(([lists, all]) => new Events(lists, all.rows));
    this.lists.set(session, events);
    return events;
  }

  /** The flows that touch a range, of one row if there is one.
   * @param {number} session @param {Record<string, string|number|bigint>} query */
  async #touching(session, query) {
    const all = await this.allFlows.get(String(session), () => unpackedJson(this.data.sessions[session].flows));
    const isOfRow = (/** @type {import('./flows.js').Answer['flows'][0]} */ flow) => query.row === undefined || flow.from_row === Number(query.row) || flow.to_row === Number(query.row);
    const flows = all.flows.filter((flow) => isOfRow(flow) && BigInt(flow.from) <= BigInt(query.to) && BigInt(flow.to) >= BigInt(query.from));
    return { flows: flows.slice(0, Number(query.limit)), more: Math.max(0, flows.length - Number(query.limit)) + all.more };
  }

  /** @param {number} session @param {Record<string, string|number|bigint>} query @returns {Promise<import('./search.js').Found>} */
  async #found(session, query) {
    const isText = !/[=<>~]/.test(String(query.q));
    if (isText && this.data.sessions[session].events) return (await this.#eventsOf(session)).find(query);
    const what = isText ? 'events are not in this file' : 'a file finds text only';
    return { count: 0, event: null, error: `${what}; for conditions too: ${await this.#command()}` };
  }

  /** Those of the whole session; of other ranges they are computed from the trace.
   * @param {number} session @param {bigint} from @param {bigint} to @param {string} name */
  async #stats(session, from, to, name) {
    const of = (await this.trace).sessions[session];
    const last = BigInt(of.to);
    const isWhole = from === BigInt(of.from) && (to === last || to === from + 1n && last <= to);
    const stats = this.data.sessions[session].stats[name];
    if (isWhole && stats) return unpackedJson(stats);
    const command = onRange(of, { from, to }, of.statistics.find((one) => one.name === name)?.command || 'evt stats');
    throw new Error(`this file has ${isWhole ? 'no room for these' : 'those of the whole session only'}; of this range: ${command}`);
  }

  /** @param {Record<string, string|number>} query */
  async tile(query) {
    const level = Number(query.l);
    const index = Number(query.i);
    const whole = await this.tiles.get(`${query.s}/${level}/${index}`, () => this.#tile(Number(query.s), level, index));
    return { ...whole, level, index, rows: unranged(String(query.r)).map((row) => whole.rows[row]) };
  }

  /** All rows of a tile.
   * @param {number} session @param {number} number of the level @param {number} index */
  async #tile(session, number, index) {
    const { levels, empty } = this.data.sessions[session];
    const level = levels.find((one) => one.level === number);
    if (!level) throw new Error(`this file has no columns of ${lengthText(2 ** number)}`);
    let before = index - level.first;
    for (let n = 0; before >= 0 && n < level.parts.length; n++) {
      const { sizes, data } = level.parts[n];
      if (before >= sizes.length) { before -= sizes.length; continue; }
      const at = sizes.slice(0, before).reduce((sum, size) => sum + size, 0);
      return decodedTile((await this.parts.get(`${session}/${number}/${n}`, () => unpacked(data))).slice(at, at + sizes[before]));
    }
    return decodedTile(await unpacked(empty));
  }

  /** All that there will be is in the file. */
  async progress() {}
}
