// What lies over the rows and the ruler: selection, cursor, bookmarks, and the time under the pointer.
import { extentOf } from './details.js';
import { drawFlows } from './flows.js';
import { isNamed } from './rows.js';
import { lengthText } from './time.js';
import { visible } from './text.js';
import { drawPath } from './why.js';

/** @typedef {import('./store.js').State} State
 * @typedef {import('./palette.js').Palette} Palette
 * @typedef {{width: number, height: number, ratio: number, pointer: number|null, unread: bigint|null, ahead: string[], lines: import('./rows.js').RowLine[], top: number, focus: string,
 *   flows: import('./flows.js').Flow[], path: import('./why.js').Part[], places: Map<number, number>, hits: import('./search.js').Hits}} Surface */

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} height @param {number} ratio @param {string} color */
function line(context, x, height, ratio, color) {
  context.fillStyle = color;
  context.fillRect(Math.round(x), 0, Math.max(1, Math.round(ratio)), height);
}

/** What was not read yet is no time without anything.
 * @param {CanvasRenderingContext2D} context @param {number} x @param {Palette} palette @param {number} width @param {number} height */
export function shadeFrom(context, x, palette, width, height) {
  context.fillStyle = palette.css('--grid');
  context.fillRect(Math.max(0, x), 0, width - Math.max(0, x), height);
}

/** @param {CanvasRenderingContext2D} context @param {State} state @param {Palette} palette @param {Surface} surface */
export function drawOverlay(context, state, palette, surface) {
  const { width, height, ratio, pointer } = surface;
  const { view, selection, cursor } = state;
  context.clearRect(0, 0, width, height);
  if (surface.unread !== null) shadeFrom(context, view.x(surface.unread), palette, width, height);
  drawComputing(context, view, palette, surface);
  drawFocus(context, palette, surface);
  if (selection) {
    const [from, to] = [view.x(selection.from), view.x(selection.to)];
    context.fillStyle = palette.css('--tint');
    context.fillRect(from, 0, Math.max(to - from, ratio), height);
    for (const x of [from, to]) line(context, x, height, ratio, palette.css('--accent'));
  }
  drawHits(context, state, palette, surface);
  drawSpan(context, state, palette, surface);
  drawPath(context, view, palette, surface);
  drawFlows(context, view, palette, { flows: surface.flows, places: surface.places, row: cursor ? cursor.row : null, ns: cursor ? cursor.ns : null, top: surface.top, ratio });
  for (const mark of state.bookmarks) line(context, view.x(mark.ns), height, ratio, palette.css('--mark'));
  if (cursor) line(context, view.x(cursor.ns), height, ratio, palette.css('--text'));
  if (pointer !== null) line(context, pointer, height, ratio, palette.css('--hover'));
}

/** Rows of other kinds than show what was not read yet say so.
 * @param {CanvasRenderingContext2D} context @param {import('./viewport.js').Viewport} view @param {Palette} palette @param {Surface} surface */
function drawComputing(context, view, palette, { unread, ahead, lines, top, ratio, width }) {
  if (unread === null || view.x(unread) >= width) return;
  const x = Math.max(0, view.x(unread)) + 6 * ratio;
  context.font = `${11 * ratio}px ${palette.css('--font')}`;
  context.textBaseline = 'middle';
  context.fillStyle = palette.css('--muted');
  for (const { row, top: y, height } of lines) if (!ahead.includes(row.kind)) context.fillText('computing', x, (y - top + height / 2) * ratio);
}

/** A mark at each event that was searched for, on its row or on what that is closed in.
 * @param {CanvasRenderingContext2D} context @param {State} state @param {Palette} palette @param {Surface} surface */
function drawHits(context, { view }, palette, { hits, places, top, ratio, height }) {
  const size = 4 * ratio;
  hits.ns.forEach((ns, n) => {
    const place = places.get(hits.rows[n]);
    const y = place === undefined ? -1 : (place - top) * ratio;
    if (y < 0 || y > height) return;
    const x = view.x(BigInt(ns));
    context.beginPath();
    context.moveTo(x, y - 2 * size);
    context.lineTo(x + size, y);
    context.lineTo(x, y + 2 * size);
    context.lineTo(x - size, y);
    context.closePath();
    context.fillStyle = palette.css('--hit');
    context.fill();
    context.strokeStyle = palette.css('--bg');
    context.lineWidth = ratio;
    context.stroke();
  });
}

/** A frame around the span at the cursor.
 * @param {CanvasRenderingContext2D} context @param {State} state @param {Palette} palette @param {Surface} surface */
function drawSpan(context, { view, cursor }, palette, { lines, top, ratio, width }) {
  const extent = extentOf(cursor?.event);
  const row = extent && lines.find((one) => one.row.id === cursor?.row && isNamed(one.row.kind));
  if (!row || !extent) return;
  const from = Math.max(-9, view.x(extent.from));
  const to = Math.min(width + 9, view.x(extent.to));
  context.strokeStyle = palette.css('--text');
  context.lineWidth = 2 * ratio;
  context.strokeRect(from, (row.top - top + (row.height - row.ink) / 2) * ratio, Math.max(ratio, to - from), row.ink * ratio);
}

/** Lines above and below the focused row; a tint would change the colours of its states.
 * @param {CanvasRenderingContext2D} context @param {Palette} palette @param {Surface} surface */
function drawFocus(context, palette, surface) {
  const { width, ratio, top, focus } = surface;
  const row = surface.lines.find((one) => one.key === focus);
  if (!row) return;
  context.fillStyle = palette.css('--hover');
  for (const y of [row.top, row.top + row.height - 1]) context.fillRect(0, Math.round((y - top) * ratio), width, ratio);
}

/** Where in time hits are, whatever row they are on.
 * @param {CanvasRenderingContext2D} context @param {import('./viewport.js').Viewport} view @param {Palette} palette @param {import('./search.js').Hits} hits @param {number} ratio @param {number} height */
export function drawRulerHits(context, view, palette, hits, ratio, height) {
  context.fillStyle = palette.css('--hit');
  for (const ns of hits.ns) context.fillRect(Math.round(view.x(BigInt(ns)) - ratio), height - 5 * ratio, 2 * ratio, 5 * ratio);
}

/** Length of the selection, names and distances of bookmarks, in the ruler.
 * @param {CanvasRenderingContext2D} context @param {State} state @param {Palette} palette @param {number} ratio @param {number} height */
export function drawRulerMarks(context, state, palette, ratio, height) {
  const { view, selection } = state;
  /** @param {string} text @param {number} x @param {string} color */
  const tag = (text, x, color) => {
    const width = context.measureText(text).width + 8 * ratio;
    const at = Math.max(0, Math.min(x, view.width - width));
    context.fillStyle = palette.css(color);
    context.fillRect(at, height - 15 * ratio, width, 14 * ratio);
    context.fillStyle = palette.css('--bg');
    context.fillText(text, at + 4 * ratio, height - 7.5 * ratio);
  };
  context.font = `600 ${10.5 * ratio}px ${palette.css('--font')}`;
  const marks = [...state.bookmarks].sort((a, b) => (a.ns < b.ns ? -1 : 1));
  marks.forEach((mark, n) => {
    const x = view.x(mark.ns);
    const after = n ? ` +${lengthText(Number(mark.ns - marks[n - 1].ns))}` : '';
    if (x >= 0 && x < view.width) tag(visible(mark.name) + after, x, '--mark');
  });
  if (!selection) return;
  const [from, to] = [Math.max(0, view.x(selection.from)), Math.min(view.width, view.x(selection.to))];
  if (to < 0 || from > view.width) return;
  context.fillStyle = palette.css('--accent');
  context.fillRect(from, height - 2 * ratio, Math.max(to - from, ratio), 2 * ratio);
  const text = lengthText(Number(selection.to - selection.from));
  tag(text, (from + to - context.measureText(text).width) / 2, '--accent');
}
