// Text of a trace is made by strangers: what could hide or reorder characters is shown as its code.
// A test compares the list with that of the command line.
const UNSAFE = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb\p{Cs}]/gu;

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

/** What an event states, without its type.
 * @param {{type: string, text: string}} event @returns {string} */
export const statedBy = ({ type, text }) => (text.startsWith(`${type} `) || text === type ? text.slice(type.length + 1) : text);

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
