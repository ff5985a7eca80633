// The span or the event at the cursor, in words.
import { element, fill } from './dom.js';
import { isNamed } from './rows.js';
import { exactText, utcText } from './time.js';

/** @typedef {import('./server.js').TraceEvent} TraceEvent
 * @typedef {{from: bigint, to: bigint, open: boolean}} Extent */

/** From when to when the span of an event is: of one that begins or ends an asynchronous span, that.
 * @param {TraceEvent|null|undefined} event @returns {Extent|null} */
export function extentOf(event) {
  const span = event?.async ?? event?.span;
  return span ? { from: BigInt(span.from), to: BigInt(span.to), open: Boolean(span.open) } : null;
}

/** @param {Extent} extent @returns {[string, string][]} */
function extentFacts({ from, to, open }) {
  return [['start', exactText(from)], ['duration', `${exactText(to - from)}${open ? ', not ended' : ''}`]];
}

export class Details {
  /** @param {HTMLElement} root @param {(depth: number, ns: bigint) => void} outer goes to a span around the one that is shown */
  constructor(root, outer) {
    this.root = root;
    this.outer = outer;
  }

  /** @param {TraceEvent|null} event @param {string|undefined} kind of the row @param {string|null} startUtc */
  show(event, kind, startUtc) {
    this.root.hidden = !event;
    if (!event) return;
    const { span, async } = event;
    const extent = extentOf(event);
    const isSpan = kind !== undefined && isNamed(kind) && extent !== null;
    /** @type {[string, string][]} */ const facts = isSpan ? extentFacts(extent) : [['time', exactText(BigInt(event.ns))]];
    if (isSpan && !async && span) facts.push(['self time', exactText(BigInt(span.self))]);
    if (isSpan && async) facts.push(['id', async.id], ['began on', async.stream]);
    if (isSpan && span?.thread) facts.push(['thread', span.thread]);
    if (!isSpan) facts.push(['stream', event.stream]);
    if (startUtc) facts.push(['UTC', utcText(startUtc, isSpan ? extent.from : BigInt(event.ns))]);
    const name = (async ?? span)?.name ?? '';
    // What is above already is no argument: its name, and the length of what one event records as a whole.
    const isAbove = (/** @type {{name: string, value: string}} */ field) => isSpan
      && (field.value === JSON.stringify(name) || (field.name === 'duration' && Math.round(Number(field.value) * 1e9) === Number(extent.to - extent.from)));
    const fields = event.fields.filter((field) => !isAbove(field));
    facts.push(...fields.map((field) => /** @type {[string, string]} */ ([field.name, field.value])));
    const around = isSpan ? span?.around || [] : [];
    fill(this.root, element('h2', {}, isSpan ? name : event.type), table('facts', facts),
      ...(!isSpan && async && extent ? [element('h3', {}, 'Asynchronous span'), table('asynchronous span', [['name', async.name], ['id', async.id], ['began on', async.stream], ...extentFacts(extent)])] : []),
      ...(!isSpan && span && !async && extent ? [element('h3', {}, 'In the span'), table('its span', [['name', span.name], ...extentFacts(extent), ['self time', exactText(BigInt(span.self))]])] : []),
      ...(around.length ? [element('h3', {}, around.length > 1 ? 'Inside of these spans' : 'Inside of this span'), this.#around(around)] : []));
  }

  /** The innermost first.
   * @param {{name: string, from: string}[]} around */
  #around(around) {
    return element('ol', {}, ...around.map((one, depth) => {
      const made = element('button', { type: 'button', class: 'link' }, one.name);
      made.addEventListener('click', () => this.outer(depth, BigInt(one.from)));
      return element('li', {}, made, element('span', { class: 'muted' }, ` since ${exactText(BigInt(one.from))}`));
    }).reverse());
  }
}

/** @param {string} label @param {[string, string][]} facts */
function table(label, facts) {
  return element('table', { 'aria-label': label }, element('tbody', {}, ...facts.map(([name, value]) => element('tr', {}, element('th', { scope: 'row' }, name), element('td', {}, value)))));
}
