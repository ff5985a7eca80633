// Flows from row to row, such as wake-ups: all of the range if they are few, else those of one row; and the way along them.
import { Later } from './later.js';
import { grouped } from './text.js';

const MOST = 300;
const MANY = 24;
const PAUSE_MS = 150;
const MOST_ON_THE_WAY = 10000;

/** @typedef {{kind: string, from_row: number, from: string, to_row: number, to: string}} Flow
 * @typedef {{flows: Flow[], more: number}} Answer
 * @typedef {import('./store.js').Range} Range
 * @typedef {{all: Answer, row: number|null, ofRow: Answer|null}} Shown row: whose flows are shown alone */

const NONE = { flows: [], more: 0 };

export class Flows {
  /** @param {import('./server.js').Server} server @param {{changed: () => void, failed: (error: unknown) => void}} observer */
  constructor(server, observer) {
    this.server = server;
    this.observer = observer;
    /** @type {Answer} */ this.all = NONE;
    /** @type {Answer} */ this.ofRow = NONE;
    /** @type {number|null} */ this.row = null;
    this.asked = '';
    this.asking = ''; // what is on its way
    this.later = new Later(PAUSE_MS);
  }

  /** Those to draw.
   * @returns {Flow[]} */
  get shown() {
    return this.all.more ? this.ofRow.flows : this.all.flows;
  }

  /** In words, what is shown and how much is not; '' without flows.
   * @param {string} name of the row */
  words(name) {
    const { all, ofRow, row } = this;
    const total = all.flows.length + all.more;
    const flows = (/** @type {number} */ n) => `${grouped(n)} flow${n === 1 ? '' : 's'}`;
    if (!all.more) return total ? flows(total) : '';
    if (row === null) return `${flows(total)}: choose a row to see its own`;
    return `${flows(ofRow.flows.length)} of ${name}${ofRow.more ? ` and ${grouped(ofRow.more)} more` : ''}; ${flows(total)} in all`;
  }

  /** Asks after a pause, unless the same was asked before, though there may be no answer yet.
   * @param {number} session @param {Range} range @param {number|null} row @param {boolean} isComplete there are no more rows */
  show(session, range, row, isComplete) {
    const key = `${session} ${range.from} ${range.to} ${isComplete}`;
    const isKnown = key === this.asked && (row === this.row || !this.all.more);
    const question = isKnown ? '' : `${key} ${row}`;
    if (question && question === this.asking) return;
    this.asking = question;
    if (question) return this.later.ask((signal) => this.#ask(key, session, range, row, signal));
    this.later.drop();
    this.row = row;
  }

  /** @param {string} key @param {number} session @param {Range} range @param {number|null} row @param {AbortSignal} signal */
  async #ask(key, session, range, row, signal) {
    try {
      const query = { s: session, from: range.from, to: range.to, limit: MOST };
      const all = key === this.asked ? this.all : await this.server.flows(query, signal);
      const ofRow = all.more && row !== null ? await this.server.flows({ ...query, row }, signal) : NONE;
      Object.assign(this, { asked: key, asking: '', all, ofRow, row });
      this.observer.changed();
    } catch (error) {
      if (signal.aborted) return;
      this.asking = '';
      this.observer.failed(error);
    }
  }

  /** The next flow that leaves a row at or after a time, or the one before that arrives there. The times asked for grow until there is one,
   * and shrink where an answer was not complete.
   * @param {number} session @param {number} row @param {bigint} ns @param {1|-1} by @param {Range} whole @param {bigint} step the first reach
   * @returns {Promise<Flow|null>} */
  async along(session, row, ns, by, whole, step) {
    const most = by > 0 ? whole.to - ns : ns - whole.from;
    let without = -1n;
    for (let reach = 0n; ; ) {
      const [from, to] = by > 0 ? [ns, ns + reach] : [ns - reach, ns];
      const { flows, more } = await this.server.flows({ s: session, from, to, row, limit: MOST_ON_THE_WAY });
      if (more && reach - without > 1n) {
        reach = without + (reach - without) / 2n;
        continue;
      }
      const found = nearest(flows, row, ns, by);
      if (found || reach >= most) return found;
      without = reach;
      reach = reach * 8n + step > most ? most : reach * 8n + step;
    }
  }
}

/** @param {Flow[]} flows @param {number} row @param {bigint} ns @param {1|-1} by @returns {Flow|null} */
function nearest(flows, row, ns, by) {
  /** @type {Flow|null} */ let found = null;
  for (const flow of flows) {
    const at = BigInt(by > 0 ? flow.from : flow.to);
    if ((by > 0 ? flow.from_row : flow.to_row) !== row || (by > 0 ? at < ns : at > ns)) continue;
    const best = found && BigInt(by > 0 ? found.from : found.to);
    if (best === null || (by > 0 ? at < best : at > best)) found = flow;
  }
  return found;
}

/** How each kind is drawn: colour of the style sheet, dashes in CSS pixels.
 * @type {Record<string, [string, number[]]>} */
const LOOKS = { wake: ['--text', []], steal: ['--mark', [5, 3]], message: ['--accent', [2, 3]] };

/** @typedef {{flows: Flow[], row: number|null, ns: bigint|null, places: Map<number, number>, top: number, ratio: number}} Drawn row and ns of the cursor, whose flows are strong */

/** Curves from row to row, with a head at their ends.
 * @param {CanvasRenderingContext2D} context @param {import('./viewport.js').Viewport} view @param {import('./palette.js').Palette} palette @param {Drawn} drawn */
export function drawFlows(context, view, palette, { flows, row, ns, places, top, ratio }) {
  context.save();
  // Many are thin and pale, so that what they lie over is seen.
  const size = flows.length > MANY ? 0.6 : 1;
  const pale = Math.max(0.12, Math.min(1, MANY / flows.length));
  for (const flow of flows) {
    const [from, to] = [places.get(flow.from_row), places.get(flow.to_row)];
    if (from === undefined || to === undefined) continue;
    const isStrong = (row === flow.from_row && ns === BigInt(flow.from)) || (row === flow.to_row && ns === BigInt(flow.to));
    const [color, dashes] = LOOKS[flow.kind] || LOOKS.wake;
    const width = isStrong ? 2.5 : 1.25 * size;
    // Below is the same in the page's colour, so that it is seen on ink too.
    for (const [ink, more] of /** @type {[string, number][]} */ ([['--bg', 2.5 * size], [isStrong ? '--accent' : color, 0]])) {
      context.strokeStyle = context.fillStyle = palette.css(ink);
      const isOfRow = row === flow.from_row || row === flow.to_row;
      context.globalAlpha = isStrong || isOfRow ? 1 : row === null ? pale : 0.6 * pale;
      context.lineWidth = (width + more) * ratio;
      context.setLineDash(more ? [] : dashes.map((length) => length * ratio));
      curve(context, view.x(BigInt(flow.from)), (from - top) * ratio, view.x(BigInt(flow.to)), (to - top) * ratio, ratio * (isStrong ? 1 : size), more * ratio / 2);
    }
  }
  context.restore();
}

/** @param {CanvasRenderingContext2D} context @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 @param {number} ratio @param {number} more around its ends */
function curve(context, x0, y0, x1, y1, ratio, more) {
  const bend = Math.max(12 * ratio, Math.min(60 * ratio, Math.abs(x1 - x0) / 2));
  const head = 6 * ratio + more;
  context.beginPath();
  context.moveTo(x0, y0);
  context.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1, y1);
  context.stroke();
  context.setLineDash([]);
  context.beginPath();
  context.moveTo(x1 + more, y1);
  context.lineTo(x1 - head, y1 - head * 0.7);
  context.lineTo(x1 - head, y1 + head * 0.7);
  context.fill();
  context.beginPath();
  context.arc(x0, y0, 2 * ratio + more, 0, 7);
  context.fill();
}
