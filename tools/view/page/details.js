// The span, the state or the event at the cursor, in words.
import { element, fill } from './dom.js';
import { Later } from './later.js';
import { STATES } from './palette.js';
import { isNamed } from './rows.js';
import { exactText, utcText } from './time.js';

/** @typedef {import('./server.js').TraceEvent} TraceEvent
 * @typedef {{from: bigint, to: bigint, open: boolean}} Extent
 * @typedef {[string, string]} Fact
 * @typedef {{go: (depth: number, ns: bigint) => void, at: (depth: number, ns: bigint, signal: AbortSignal) => Promise<TraceEvent|null>}} Outer
 *   goes to a span around the one that is shown, and asks for it */

/** From when to when the state or the span of an event is: of one that begins or ends an asynchronous span, that.
 * @param {Partial<TraceEvent>|null|undefined} event @returns {Extent|null} */
export function extentOf(event) {
  const span = event?.state ?? event?.async ?? event?.span;
  return span ? { from: BigInt(span.from), to: BigInt(span.to), open: Boolean(span.open) } : null;
}

/** @param {Extent} extent */
const lengthOf = ({ from, to, open }) => `${exactText(to - from)}${open ? ', not ended' : ''}`;

/** @param {Extent} extent @returns {Fact[]} */
const extentFacts = (extent) => [['start', exactText(extent.from)], ['duration', lengthOf(extent)]];

/** @param {string} label @param {Fact[]} facts */
function table(label, facts) {
  return element('table', { 'aria-label': label }, element('tbody', {}, ...facts.map(([name, value]) => element('tr', {}, element('th', { scope: 'row' }, name), element('td', {}, value)))));
}

/** @param {string} label @param {string} heading @param {Fact[]} facts */
const part = (label, heading, facts) => [element('h3', {}, heading), table(label, facts)];

/** @param {TraceEvent} event @returns {Fact[]} */
const fieldsOf = (event) => event.fields.map(({ name, value }) => [name, value]);

export class Details {
  /** @param {HTMLElement} section @param {HTMLElement} root the facts in it @param {Outer} outer */
  constructor(section, root, outer) {
    this.section = section;
    this.root = root;
    this.outer = outer;
    this.later = new Later(0);
  }

  /** @param {TraceEvent|null} event @param {string|undefined} kind of the row @param {string|null} startUtc */
  show(event, kind, startUtc) {
    this.section.hidden = !event;
    this.later.drop();
    if (!event) return;
    const extent = extentOf(event);
    const isSpan = kind !== undefined && isNamed(kind) && extent !== null;
    const utc = (/** @type {bigint} */ ns) => /** @type {Fact[]} */ (startUtc ? [['UTC', utcText(startUtc, ns)]] : []);
    if (isSpan) this.#showSpan(event, extent, utc(extent.from));
    else if (event.state && extent) this.#showState(event, event.state, extent, utc(extent.from));
    else fill(this.root, element('h2', {}, event.type), table('facts', [['time', exactText(BigInt(event.ns))], ['stream', event.stream], ...utc(BigInt(event.ns)), ...fieldsOf(event)]), ...this.#inSpan(event));
  }

  /** @param {TraceEvent} event @param {Extent} extent @param {Fact[]} utc */
  #showSpan(event, extent, utc) {
    const { span, async } = event;
    const name = (async ?? span)?.name ?? '';
    /** @type {Fact[]} */ const own = async ? [['id', async.id], ['began on', async.stream]] : span ? [['self time', exactText(BigInt(span.self))]] : [];
    if (span?.thread) own.push(['thread', span.thread]);
    if (span?.object) own.push(['object', span.object]);
    // What is above already is no argument: its name, and the length of what one event records as a whole.
    const isAbove = (/** @type {Fact} */ [field, value]) => value === JSON.stringify(name) || (field === 'object' && span?.object)
      || (field === 'duration' && Math.round(Number(value) * 1e9) === Number(extent.to - extent.from));
    const around = span?.around || [];
    fill(this.root, element('h2', {}, name), table('facts', [...extentFacts(extent), ...own, ...fieldsOf(event).filter((fact) => !isAbove(fact)), ...utc]),
      ...(around.length ? [element('h3', {}, around.length > 1 ? 'Enclosing spans' : 'Enclosing span'), this.#around(around)] : []));
  }

  /** @param {TraceEvent} event @param {import('./server.js').State} state @param {Extent} extent @param {Fact[]} utc */
  #showState(event, state, extent, utc) {
    /** @type {Fact[]} */ const facts = [['reason', state.reason], ['thread', state.thread], ['cpu', state.cpu], ['woken by', state.woken_by]];
    fill(this.root, element('h2', {}, state.key === null ? 'idle' : STATES[state.key].name), table('facts', [...extentFacts(extent), ...facts.filter(([, value]) => value), ...utc]),
      ...part('latest event', 'Latest event', [['type', event.type], ['time', exactText(BigInt(event.ns))], ['stream', event.stream], ...fieldsOf(event)]), ...this.#inSpan(event));
  }

  /** @param {TraceEvent} event */
  #inSpan({ span, async }) {
    if (async) return part('asynchronous span', 'Asynchronous span', [['name', async.name], ['id', async.id], ['began on', async.stream], ...extentFacts(/** @type {Extent} */ (extentOf({ async })))]);
    if (!span) return [];
    return part('its span', 'In the span', [['name', span.name], ...extentFacts(/** @type {Extent} */ (extentOf({ span }))), ['self time', exactText(BigInt(span.self))]]);
  }

  /** The innermost first. How long they are takes longer to find out.
   * @param {{name: string, from: string}[]} around */
  #around(around) {
    const items = around.map(({ name, from }, depth) => {
      const made = element('button', { type: 'button', class: 'link' }, name);
      made.addEventListener('click', () => this.outer.go(depth, BigInt(from)));
      return element('li', {}, made, element('span', { class: 'muted' }, ` since ${exactText(BigInt(from))}`));
    });
    this.later.ask(async (signal) => {
      for (let depth = around.length - 1; depth >= 0 && !signal.aborted; depth--) {
        const event = await this.outer.at(depth, BigInt(around[depth].from), signal).catch(() => null);
        const extent = extentOf(event);
        const said = items[depth].lastChild;
        if (!signal.aborted && event?.span && extent && said) said.textContent = ` ${lengthOf(extent)}, self ${exactText(BigInt(event.span.self))}, since ${exactText(extent.from)}`;
      }
    });
    return element('ol', {}, ...[...items].reverse());
  }
}
