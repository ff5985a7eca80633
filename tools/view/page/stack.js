// Heights of what shares a pixel: what is there has a pixel at least, and each is within one of its share; the largest yields.

/** @param {Float64Array} shares @param {number} at first share of this pixel @param {number} keys @param {number} height
 * @param {Int32Array} heights the result, by key */
export function stackHeights(shares, at, keys, height, heights) {
  let sum = 0;
  let used = 0;
  for (let key = 0; key < keys; key++) {
    const share = shares[at + key];
    sum += share;
    used += heights[key] = share > 0 ? Math.max(1, Math.floor(share * height)) : 0;
  }
  spread(shares, at, keys, height, heights, Math.min(height, Math.round(sum * height)) - used);
}

/** @param {Float64Array} shares @param {number} at @param {number} keys @param {number} height @param {Int32Array} heights
 * @param {number} rest pixels that floor() left over, or that the least heights took too many */
function spread(shares, at, keys, height, heights, rest) {
  for (; rest > 0; rest--) heights[best(keys, (key) => (heights[key] ? shares[at + key] * height - heights[key] : -Infinity))]++;
  for (; rest < 0; rest++) {
    const largest = best(keys, (key) => heights[key]);
    if (heights[largest] <= 1) return;
    heights[largest]--;
  }
}

/** @param {number} keys @param {(key: number) => number} score */
function best(keys, score) {
  let found = 0;
  for (let key = 1; key < keys; key++) if (score(key) > score(found)) found = key;
  return found;
}
