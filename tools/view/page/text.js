// Text of a trace is made by strangers: what could hide or reorder characters is shown as its code.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]/gu;

/** The same text with control, bidirectional and invisible characters as \u{...}.
 * @param {string} text @returns {string} */
export function visible(text) {
  return text.replace(UNSAFE, (c) => `\\u{${/** @type {number} */ (c.codePointAt(0)).toString(16)}}`);
}

/** For a command line of a POSIX shell.
 * @param {string} text @returns {string} */
export function shellQuoted(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;
}

/** @param {number|string|bigint} count @returns {string} */
export function grouped(count) {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** Three digits, with the letter of SI for thousands and more, and the unit.
 * @param {number} value @param {string} unit @returns {string} */
export function scaled(value, unit) {
  const size = Math.abs(value);
  const [letter, by] = size >= 1e12 ? ['T', 1e12] : size >= 1e9 ? ['G', 1e9] : size >= 1e6 ? ['M', 1e6] : size >= 1e4 ? ['k', 1e3] : ['', 1];
  return `${Number((value / by).toPrecision(3))} ${letter}${unit}`.trim();
}
