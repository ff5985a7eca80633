// Times are BigInt nanoseconds since the session's start; lengths may have fractions and are numbers.
const UNITS = /** @type {[string, number][]} */ ([['s', 1e9], ['ms', 1e6], ['us', 1e3], ['ns', 1]]);

/** The largest unit of which this length has at least one.
 * @param {number} ns */
function unitOf(ns) {
  return UNITS.find(([, size]) => Math.abs(ns) >= size) || UNITS[3];
}

/** Three digits.
 * @param {number} ns @returns {string} */
export function lengthText(ns) {
  const [name, size] = unitOf(ns);
  const value = ns / size;
  return `${Math.abs(value) >= 1e3 ? value.toFixed(0) : Number(value.toPrecision(3))} ${name}`;
}

/** Every digit of a whole number of nanoseconds, in the unit whose number has digits before the point.
 * @param {bigint} ns @returns {string} */
export function exactText(ns) {
  const [name, size] = unitOf(Number(ns));
  const digits = Math.round(Math.log10(size));
  const sign = ns < 0n ? '-' : '';
  const text = String(ns < 0n ? -ns : ns).padStart(digits + 1, '0');
  const fraction = text.slice(text.length - digits).replace(/0+$/, '');
  return `${sign}${text.slice(0, text.length - digits)}${digits && fraction ? '.' + fraction : ''} ${name}`;
}

/** A time as the options of `evt` take it.
 * @param {bigint} ns @returns {string} */
export const optionText = (ns) => exactText(ns).replace(' ', '');

/** What a user writes: 1.5 (seconds), 200ms, 3us, 12 ns.
 * @param {string} text @returns {bigint|null} */
export function parsedTime(text) {
  const found = /^\s*(-?)(\d*)\.?(\d*)\s*(s|ms|us|µs|ns)?\s*$/.exec(text.replace(/,/g, ''));
  if (!found || !(found[2] + found[3])) return null;
  const digits = { s: 9, ms: 6, us: 3, 'µs': 3, ns: 0 }[/** @type {'s'} */ (found[4] || 's')];
  const ns = BigInt(found[2] + found[3].slice(0, digits).padEnd(digits, '0'));
  return found[1] ? -ns : ns;
}

/** The smallest step of 1, 2 or 5 times a power of ten that is at least this long.
 * @param {number} least */
export function stepOf(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return BigInt(power * ([1, 2, 5, 10].find((n) => n * power >= least) || 10));
}

/** @param {string} startUtc nanoseconds since 1970 @param {bigint} ns @returns {string} */
export function utcText(startUtc, ns) {
  const at = BigInt(startUtc) + ns;
  const second = at / 1000000000n;
  return `${new Date(Number(second) * 1000).toISOString().slice(0, 19)}.${String(at % 1000000000n).padStart(9, '0')}Z`;
}
