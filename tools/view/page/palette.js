// Colours of the style sheet as pixels, and the texture that each state has beside its colour.
import { newCanvas } from './dom.js';

/** @typedef {(x: number, y: number, unit: number) => boolean} Texture whether a pixel has ink; y from below
 * @typedef {{name: string, color: string, texture: Texture|null, bar: boolean}} Look
 * @typedef {{pixel: number, texture: Texture|null, bar: boolean}} Ink */

/** @type {Texture} */ const rising = (x, y, unit) => (x - y + 65536 * unit) % (6 * unit) < 1.5 * unit;
/** @type {Texture} */ const falling = (x, y, unit) => (x + y) % (4 * unit) < 2 * unit;
/** @type {Texture} */ const dots = (x, y, unit) => x % (3 * unit) < unit && y % (3 * unit) < unit;
/** @type {Texture} */ const lines = (_, y, unit) => y % (3 * unit) < unit;

/** By key of the protocol; the trace has the words for them.
 * @type {Look[]} */
export const STATES = [
  { name: '', color: '--running', texture: null, bar: false },
  { name: '', color: '--collecting', texture: null, bar: false },
  { name: '', color: '--collecting', texture: falling, bar: false },
  { name: '', color: '--collecting', texture: dots, bar: false },
  { name: '', color: '--could', texture: null, bar: false },
  { name: '', color: '--outside', texture: rising, bar: false },
  { name: '', color: '--waits', texture: null, bar: true },
  { name: '', color: '--muted', texture: dots, bar: false },
];
/** What becomes of sparks, by class of the protocol.
 * @type {Look[]} */
export const SPARKS = [
  { name: 'created', color: '--hue8', texture: null, bar: false },
  { name: 'converted', color: '--running', texture: null, bar: false },
  { name: 'overflowed', color: '--lost', texture: null, bar: false },
  { name: 'dud', color: '--hue10', texture: dots, bar: false },
  { name: 'fizzled', color: '--hue10', texture: falling, bar: false },
  { name: 'collected', color: '--collecting', texture: null, bar: false },
];
/** @type {string[]} */ export const BANDS = [];
/** @param {{states: string[], bands: string[]}} trace */
export function takeWords({ states, bands }) {
  STATES.forEach((look, key) => { look.name = states[key]; });
  BANDS.splice(0, BANDS.length, ...bands);
}

const FORCED = [null, falling, rising, dots, lines, rising, null, dots];
export const HUES = 12;

/** @param {string} css @returns {number} as a little-endian pixel of ImageData */
function pixelOf(css) {
  const context = newCanvas(1, 1).getContext('2d');
  if (!context) return 0;
  context.fillStyle = css;
  context.fillRect(0, 0, 1, 1);
  return new Uint32Array(context.getImageData(0, 0, 1, 1).data.buffer)[0];
}

export class Palette {
  constructor() {
    const style = getComputedStyle(document.documentElement);
    /** @param {string} name @returns {string} */
    this.css = (name) => style.getPropertyValue(name).trim();
    const forced = matchMedia('(forced-colors: active)').matches;
    this.isForced = forced;
    /** Changes whenever a picture made with the palette would. */
    this.id = `${this.css('--bg')}${this.css('--running')}${forced}`;
    /** @type {Ink[]} */ this.states = STATES.map((look, key) =>
      ({ pixel: pixelOf(this.css(look.color)), texture: forced ? FORCED[key] : look.texture, bar: look.bar }));
    /** @type {Ink[]} */ this.spans = Array.from({ length: HUES }, (_, hue) =>
      ({ pixel: pixelOf(this.css(`--hue${hue}`)), texture: forced ? lines : null, bar: false }));
    /** @type {Ink[]} */ this.classes = SPARKS.map((look, key) => ({ pixel: pixelOf(this.css(look.color)), texture: forced ? FORCED[key] : look.texture, bar: false }));
    this.band = pixelOf(this.css('--band'));
    this.line = pixelOf(this.css('--accent'));
    this.count = pixelOf(this.css('--count'));
    this.lost = pixelOf(this.css('--lost'));
    this.stopped = pixelOf(this.css('--muted'));
    this.unread = pixelOf(this.css('--bg'));
  }

  /** @param {number} kind a band of the protocol @returns {Ink} */
  bandInk(kind) {
    if (kind === 3) return { pixel: this.unread, texture: lines, bar: false };
    return { pixel: kind ? this.stopped : this.lost, texture: rising, bar: false };
  }
}
