// Ticks of the time scale. When the offset is long against the steps, it is given once and the ticks count from it.
import { exactText, stepOf } from './time.js';

const LEAST_GAP = 110;

/** @typedef {{x: number, text: string}} Tick
 * @param {import('./viewport.js').Viewport} view @param {number} ratio device pixels of a CSS pixel
 * @returns {{base: string, ticks: Tick[], minor: number[]}} */
export function ticksOf(view, ratio) {
  const step = stepOf(view.scale * LEAST_GAP * ratio);
  const { from, to } = view.range();
  const first = from / step * step - step;
  const base = from > step * 200n ? baseOf(from, step) : 0n;
  const ticks = [];
  const minor = [];
  for (let ns = first; ns <= to; ns += step) {
    ticks.push({ x: view.x(ns), text: base ? `+${exactText(ns - base)}` : exactText(ns) });
    if (step % 5n === 0n) for (let part = 1n; part < 5n; part++) minor.push(view.x(ns + (step / 5n) * part));
  }
  return { base: base ? exactText(base) : '', ticks, minor };
}

/** A round time before the view, so that ticks have few digits.
 * @param {bigint} from @param {bigint} step */
function baseOf(from, step) {
  let round = step * 10n;
  while (from / round > 1000n && round < step * 100n) round *= 10n;
  return (from / round) * round;
}

/** @param {CanvasRenderingContext2D} context @param {import('./viewport.js').Viewport} view @param {import('./palette.js').Palette} palette
 * @param {number} ratio @param {number} height */
export function drawRuler(context, view, palette, ratio, height) {
  const { base, ticks, minor } = ticksOf(view, ratio);
  context.fillStyle = palette.css('--bg');
  context.fillRect(0, 0, view.width, height);
  context.fillStyle = palette.css('--muted');
  for (const x of minor) context.fillRect(Math.round(x), height - 4 * ratio, ratio, 4 * ratio);
  for (const { x } of ticks) context.fillRect(Math.round(x), height - 9 * ratio, ratio, 9 * ratio);
  context.font = `${11 * ratio}px ${palette.css('--font')}`;
  context.textBaseline = 'middle';
  const baseWidth = base ? context.measureText(base).width + 20 * ratio : 0;
  for (const { x, text } of ticks) if (x + 5 * ratio >= baseWidth && x + context.measureText(text).width + 5 * ratio < view.width) context.fillText(text, x + 5 * ratio, 11 * ratio);
  if (!base) return;
  context.fillStyle = palette.css('--text');
  context.fillText(base, 6 * ratio, 11 * ratio);
}
