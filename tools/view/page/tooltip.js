// What is under the pointer: row, time with its uncertainty, and the shares of the states in this pixel.
import { extentOf } from './details.js';
import { element, fill } from './dom.js';
import { Later } from './later.js';
import { BANDS, HUES, SPARKS, STATES } from './palette.js';
import { classCounts, pixelCounts, placedRanges, stackShares, valueBands } from './resample.js';
import { isNamed } from './rows.js';
import { scaled } from './text.js';
import { exactText, lengthText } from './time.js';

const REST_MS = 60;

/** @typedef {import('./resample.js').Placed} Placed
 * @typedef {import('./rows.js').RowLine} RowLine */

/** The tiles with their origin moved, so that the asked pixel is pixel 0.
 * @param {Placed[]} tiles @param {number} x */
const shifted = (tiles, x) => tiles.map((tile) => ({ ...tile, left: tile.left - x }));

/** @param {number} share */
const percent = (share) => (share > 0.9985 ? 'all' : share < 0.005 ? '<1 %' : `${(share * 100).toFixed(1)} %`);

/** A column of a tile that lies in two pixels has a part of its events in each; there is never a part of one.
 * @param {number} count */
const whole = (count) => (count > 0 ? Math.max(1, Math.round(count)) : 0);

/** Lines of a tooltip: a name, a value, and the class of the colour beside them.
 * @param {RowLine} line @param {Placed[]} placed @param {number} x @param {string[]} names @returns {{name: string, value: string, style: string}[]} */
export function pixelFacts(line, placed, x, names) {
  const tiles = shifted(placed, x);
  const kind = tiles[0]?.content.kind;
  const { unit } = line.row;
  if (kind === 'counts') return [{ name: unit ? 'amount' : { mark: 'marks', samples: 'samples' }[line.row.kind] || 'events', value: scaled(whole(pixelCounts(tiles, 1)[0]), unit || ''), style: '' }];
  if (kind === 'classes') return sparkFacts(classCounts(tiles, 1, SPARKS.length));
  if (kind === 'values') return valueFacts(valueBands(tiles, 1), unit || '');
  const isSpan = isNamed(line.row.kind);
  const shares = stackShares(tiles, 1, isSpan ? HUES : STATES.length);
  const under = (/** @type {{from: number, to: number}} */ range) => range.to > 0 && range.from < 1;
  const labels = placedRanges(tiles, (content) => content.labels, (one) => one.name).filter(under).slice(0, 4);
  const bands = placedRanges(tiles, (content) => content.bands, (one) => one.kind).filter(under);
  return [
    ...labels.map((label) => ({ name: names[label.name] ?? '?', value: '', style: isSpan && labels.length === 1 ? `hue${shares.indexOf(Math.max(...shares))}` : '' })),
    ...(isSpan ? spanFacts(labels, shares) : stateFacts(line, shares)),
    ...bands.map((band) => ({ name: BANDS[band.name], value: '', style: 'lost' })),
  ];
}

/** Where several spans share the pixel, how much of it they have.
 * @param {unknown[]} labels @param {Float64Array} shares */
function spanFacts(labels, shares) {
  const share = shares.reduce((a, b) => a + b, 0);
  return labels.length === 1 || !share ? [] : [{ name: 'spans', value: percent(share), style: '' }];
}

/** @param {Float64Array} counts */
function sparkFacts(counts) {
  const facts = SPARKS.flatMap((spark, key) => (counts[key] > 0 ? [{ name: spark.name, value: scaled(whole(counts[key]), ''), style: `spark${key}` }] : []));
  return facts.length ? facts : [{ name: 'no sparks', value: '', style: '' }];
}

/** @param {RowLine} line @param {Float64Array} shares */
function stateFacts(line, shares) {
  const of = line.row.of || 1;
  return STATES.flatMap((state, key) => (shares[key] > 0
    ? [{ name: state.name, value: of > 1 ? `${(shares[key] * of).toFixed(2)} of ${of}` : percent(shares[key]), style: `state${key}` }] : []));
}

/** @param {Float64Array} band @param {string} unit */
function valueFacts(band, unit) {
  if (!band[3]) return [{ name: 'no value', value: '', style: '' }];
  return ['least', 'greatest', 'mean'].map((name, n) => ({ name, value: `${Number(band[n].toPrecision(7))} ${unit}`, style: '' }));
}

/** @param {string} style a class, or the colour of a span */
function swatch(style) {
  const made = element('i', { class: `swatch ${style}` });
  if (style.startsWith('hue')) made.style.background = `var(--${style})`;
  return made;
}

export class Tooltip {
  /** @param {HTMLElement} root @param {(row: number, ns: bigint, signal: AbortSignal) => Promise<import('./server.js').TraceEvent|null>} spanAt */
  constructor(root, spanAt) {
    this.root = root;
    this.spanAt = spanAt;
    this.later = new Later(REST_MS);
  }

  hide() {
    this.root.hidden = true;
    this.later.drop();
  }

  /** Once the pointer rests on a span, its length.
   * @param {number} row @param {bigint} ns */
  #askLength(row, ns) {
    this.later.ask(async (signal) => {
      const event = await this.spanAt(row, ns, signal).catch(() => null);
      const extent = extentOf(event);
      if (signal.aborted || !event || !extent) return;
      const name = (event.async ?? event.span)?.name || '';
      for (const one of this.root.querySelectorAll('div')) if (one.textContent === name) one.remove();
      this.root.append(element('div', {}, element('span', {}, name), element('b', {}, `${lengthText(Number(extent.to - extent.from))}${extent.open ? ', not ended' : ''}`)));
    });
  }

  /** @param {RowLine} line @param {Placed[]} tiles @param {number} x in device pixels @param {import('./viewport.js').Viewport} view
   * @param {string[]} names @param {{x: number, y: number}} pointer in the window */
  show(line, tiles, x, view, names, pointer) {
    this.later.drop();
    const half = view.scale / 2;
    fill(this.root, element('strong', {}, line.title || line.name), element('span', { class: 'muted' }, `${exactText(view.time(x + 0.5))} ± ${lengthText(Math.max(half, 0.5))}`),
      ...pixelFacts(line, tiles, Math.floor(x), names).map((fact) => element('div', {}, swatch(fact.style), element('span', {}, fact.name),
        element('b', {}, fact.value))));
    this.root.hidden = false;
    if (isNamed(line.row.kind)) this.#askLength(line.row.id, view.time(x));
    const { width, height } = this.root.getBoundingClientRect();
    this.root.style.left = `${Math.min(pointer.x + 14, innerWidth - width - 8)}px`;
    this.root.style.top = `${pointer.y + 18 + height > innerHeight ? pointer.y - height - 10 : pointer.y + 18}px`;
  }
}
