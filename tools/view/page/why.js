// What the span at the cursor was spent on, and the way from row to row of what it waited for.
import { element, fill } from './dom.js';
import { Later } from './later.js';
import { NotInFile } from './server.js';

const PAUSE_MS = 50;

/** @typedef {{row: number, from: string, to: string}} Part of the way
 * @typedef {{causes: {time: string, share: string, what: string, level: number}[], path: Part[], notes: string[]}} Answer
 * @typedef {import('./details.js').Extent} Extent */

export class Why {
  /** @param {HTMLElement} root behind the details @param {import('./server.js').Server} server @param {{changed: () => void, failed: (error: unknown) => void}} observer */
  constructor(root, server, observer) {
    this.root = root;
    this.server = server;
    this.observer = observer;
    /** @type {Part[]} */ this.path = [];
    this.later = new Later(PAUSE_MS);
  }

  /** Nothing without an extent.
   * @param {number} session @param {number} row @param {Extent|null} extent */
  show(session, row, extent) {
    this.path = [];
    this.later.drop();
    fill(this.root);
    if (!extent || extent.open) return;
    this.later.ask(async (signal) => {
      try {
        this.#shown(await this.server.why({ s: session, row, from: extent.from, to: extent.to }, signal));
      } catch (error) {
        if (!signal.aborted && !(error instanceof NotInFile)) this.observer.failed(error);
      }
    });
  }

  /** @param {Answer} answer */
  #shown({ causes, path, notes }) {
    const rows = causes.map(({ time, share, what, level }) => element('tr', {}, element('td', { class: 'whole' }, time), element('td', { class: 'whole' }, share), element('td', {}, '\u2003'.repeat(level) + what)));
    fill(this.root, element('h3', {}, 'Why'), ...(rows.length ? [element('table', { 'aria-label': 'why' }, element('tbody', {}, ...rows))] : []), ...notes.map((note) => element('p', {}, note)));
    this.path = path;
    this.observer.changed();
  }
}

/** A line on the row that the time belongs to, and from row to row where that changes.
 * @param {CanvasRenderingContext2D} context @param {import('./viewport.js').Viewport} view @param {import('./palette.js').Palette} palette
 * @param {{path: Part[], places: Map<number, number>, top: number, ratio: number}} drawn */
export function drawPath(context, view, palette, { path, places, top, ratio }) {
  if (path.length < 2) return;
  context.save();
  context.lineJoin = 'round';
  // Below is the same in the page's colour, so that it is seen on ink too.
  for (const [ink, width] of /** @type {[string, number][]} */ ([['--bg', 4.5], ['--accent', 2]])) {
    context.strokeStyle = palette.css(ink);
    context.lineWidth = width * ratio;
    context.beginPath();
    let isBegun = false;
    for (const part of path) {
      const place = places.get(part.row);
      if (place === undefined) continue;
      const y = (place - top) * ratio;
      if (isBegun) context.lineTo(view.x(BigInt(part.from)), y);
      else context.moveTo(view.x(BigInt(part.from)), y);
      context.lineTo(view.x(BigInt(part.to)), y);
      isBegun = true;
    }
    context.stroke();
  }
  context.restore();
}
