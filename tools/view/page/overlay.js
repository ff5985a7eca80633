// What lies over the rows and the ruler: selection, cursor, bookmarks, and the time under the pointer.
import { drawFlows } from './flows.js';
import { lengthText } from './time.js';
import { visible } from './text.js';

/** @typedef {import('./store.js').State} State
 * @typedef {import('./palette.js').Palette} Palette
 * @typedef {{width: number, height: number, ratio: number, pointer: number|null, unread: bigint|null, lines: import('./rows.js').RowLine[], top: number, focus: string,
 *   flows: import('./flows.js').Flow[], places: Map<number, number>}} Surface */

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
  drawFocus(context, palette, surface);
  if (selection) {
    const [from, to] = [view.x(selection.from), view.x(selection.to)];
    context.fillStyle = palette.css('--tint');
    context.fillRect(from, 0, Math.max(to - from, ratio), height);
    for (const x of [from, to]) line(context, x, height, ratio, palette.css('--accent'));
  }
  drawFlows(context, view, palette, { flows: surface.flows, places: surface.places, row: cursor ? cursor.row : null, ns: cursor ? cursor.ns : null, top: surface.top, ratio });
  for (const mark of state.bookmarks) line(context, view.x(mark.ns), height, ratio, palette.css('--mark'));
  if (cursor) line(context, view.x(cursor.ns), height, ratio, palette.css('--text'));
  if (pointer !== null) line(context, pointer, height, ratio, palette.css('--hover'));
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
    context.fillStyle = palette.css('--ontop');
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
