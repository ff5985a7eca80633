// Requests to the server that sent this page. Its token is in the fragment once, and in this tab's storage afterwards.
import { decodedTile } from './protocol.js';

/** @typedef {{name: string, from: string, to: string, until?: string, ahead?: string[], events: string, lost: string, start_utc: string|null, files: string[], merged: boolean, notes: string[], warnings: string[], statistics: import('./panel.js').Statistics[]}} Session
 *   ahead: kinds of rows that show what was not read yet; files: as command lines name those that it is in; merged: it was made of all their sessions
 *   states, bands, kinds: the words for them, by their numbers in tiles and of rows
 *   live: of a trace that is followed, whether its program goes on; late: events that came after later ones
 * @typedef {{generation: number, live: 'running'|'ended'|null, late?: string}} Growth
 * @typedef {{version: number, title: string, states: string[], bands: string[], kinds: {kind: string, title: string}[], sessions: Session[], complete: boolean, progress: number, generation: number, live?: 'running'|'ended'|null, late?: string}} Trace
 * @typedef {{id: number, parent: number|null, kind: string, name: string, of?: number, unit?: string|null, group?: number|null}} RowInfo
 * @typedef {{title: string, process?: boolean, closed?: boolean}} Group of rows; closed: at first
 * @typedef {{generation: number, finest: number, rows: RowInfo[], groups: Group[], names: string[]}} Rows
 * @typedef {{name: string, from: string}} Outer
 * @typedef {{name: string, from: string, to: string, self: string, open?: boolean, thread?: string, object?: string, around?: Outer[]}} Span around: the outermost first
 * @typedef {{name: string, id: string, stream: string, from: string, to: string, open?: boolean}} AsyncSpan that the event begins or ends
 * @typedef {{key: number|null, from: string, to: string, open?: boolean, reason: string, thread: string, cpu: string, woken_by: string}} State of a thread or cpu, which is idle without a key
 * @typedef {{ns: string, stream: string, type: string, text: string, fields: {name: string, value: string}[], span: Span|null, async?: AsyncSpan, state?: State}} TraceEvent
 * @typedef {{generation: number, progress: number, complete: boolean}} Progress */

export class Unauthorized extends Error {}

/** What a file that was made of the page does not have. */
export class NotInFile extends Error {}

export class Server {
  /** @param {string} token */
  constructor(token) {
    this.token = token;
  }

  /** @param {string} path @param {Record<string, string|number|bigint>} query @param {AbortSignal} [signal] */
  async answer(path, query, signal) {
    const words = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
    const url = `/v1/${path}${words.length ? '?' : ''}${words.join('&')}`;
    const answer = await fetch(url, { headers: { 'X-Evt-Token': this.token }, signal, cache: 'no-store' });
    if (answer.status === 401) throw new Unauthorized();
    if (!answer.ok) throw new Error(`the server answered ${answer.status} to ${path}: ${(await answer.text()).trim().slice(0, 200)}`);
    return answer;
  }

  /** @param {string} path @param {Record<string, string|number|bigint>} query @param {AbortSignal} [signal] */
  async json(path, query = {}, signal) {
    return (await this.answer(path, query, signal)).json();
  }

  /** @param {Record<string, string|number>} query @param {AbortSignal} signal */
  async tile(query, signal) {
    return decodedTile(await (await this.answer('tiles', query, signal)).arrayBuffer());
  }

  /** Events around a time.
   * @param {Record<string, string|number|bigint>} query @returns {Promise<import('./event_list.js').Answer>} */
  async events(query) {
    return this.json('events', query);
  }

  /** What leads from row to row in a range.
   * @param {Record<string, string|number|bigint>} query @param {AbortSignal} [signal] @returns {Promise<import('./flows.js').Answer>} */
  async flows(query, signal) {
    return this.json('flows', query, signal);
  }

  /** What a span was spent on.
   * @param {Record<string, string|number|bigint>} query @param {AbortSignal} [signal] @returns {Promise<import('./why.js').Answer>} */
  async why(query, signal) {
    return this.json('why', query, signal);
  }

  /** What matches a query: one event, and how many there are.
   * @param {Record<string, string|number|bigint>} query @returns {Promise<import('./search.js').Found>} */
  async find(query) {
    return this.json('find', query);
  }

  /** When and where events match in a range.
   * @param {Record<string, string|number|bigint>} query @param {AbortSignal} [signal] @returns {Promise<import('./search.js').Hits>} */
  async matches(query, signal) {
    return this.json('matches', query, signal);
  }

  /** Each message of the stream of progress, until it ends. EventSource cannot send the token.
   * @param {(progress: Progress) => void} each */
  async progress(each) {
    const stream = (await this.answer('progress', {})).body;
    if (!stream) return;
    const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (rest + part.value).split('\n');
      rest = lines.pop() || '';
      for (const line of lines) if (line.startsWith('data:')) each(JSON.parse(line.slice(5)));
    }
  }
}
