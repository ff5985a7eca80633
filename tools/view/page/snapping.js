// Edges of a selection go to where a row changes, when that is near.
import { extentOf } from './details.js';

/** @typedef {{level: number, index: number, starts: Uint16Array}} Runs */

/** The time of the change nearest to this pixel, and how exactly the tile knows it.
 * @param {import('./viewport.js').Viewport} view @param {Runs[]} tiles @param {number} x @param {number} radius in pixels
 * @returns {{ns: bigint, slack: bigint}|null} */
export function nearestChange(view, tiles, x, radius) {
  let found = null;
  let least = radius;
  for (const { level, index, starts } of tiles) {
    const { left, column } = view.place(level, index);
    for (let run = 1; run + 1 < starts.length; run++) {
      const distance = Math.abs(left + starts[run] * column - x);
      if (distance > least) continue;
      least = distance;
      found = { ns: (BigInt(index) * 1024n + BigInt(starts[run])) << BigInt(level), slack: (1n << BigInt(level)) - 1n };
    }
  }
  return found;
}

/** The exact time of a change that a tile knows to a column.
 * @param {import('./server.js').Server} server @param {number} session @param {number} row
 * @param {{ns: bigint, slack: bigint}} change @returns {Promise<bigint>} */
export async function exactChange(server, session, row, change) {
  if (!change.slack) return change.ns;
  const [low, high] = [change.ns - change.slack - 1n, change.ns + change.slack];
  const next = (await server.json('event', { s: session, row, ns: low, find: 'next' })).event;
  if (next && BigInt(next.ns) <= high) return BigInt(next.ns);
  // Of a row of spans that is where one begins; here it may be where one ends.
  const span = extentOf((await server.json('event', { s: session, row, ns: high, find: 'at' })).event);
  return [span?.from, span?.to].find((ns) => ns !== undefined && ns > low && ns <= high) ?? change.ns;
}
