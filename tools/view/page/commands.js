// Command lines for what is shown, as a shell takes them.
import { shellQuoted } from './text.js';
import { optionText, utcText } from './time.js';

/** @typedef {import('./server.js').Session} Session */

/** A time as the options of `evt` take it: those with a minus count from the end, so before the start it is a date.
 * @param {Session} session @param {bigint} ns @returns {string|null} null where the start has none */
function timeOption(session, ns) {
  if (ns >= 0n) return optionText(ns);
  return Number(session.start_utc) ? utcText(String(session.start_utc), ns) : null;
}

/** A command on a range of a session: of a timeline that was made of several sessions, behind the command that makes it.
 * @param {Session} session @param {{from: bigint, to: bigint}} range @param {string} command @returns {string} */
export function onRange(session, range, command) {
  const from = range.from > BigInt(session.from) ? timeOption(session, range.from) : null;
  const to = timeOption(session, range.to);
  const options = [...(from === null ? [] : [`--from=${from}`]), ...(to === null ? [] : [`--to=${to}`])];
  const files = fileWords(session.files);
  const words = [command, ...options, session.merged ? 'merged.evt' : files].join(' ');
  return session.merged ? `evt merge -o merged.evt ${files}; ${words}` : words;
}

/** A name that begins as options do is in this folder; `-` is standard input.
 * @param {string[]} files @returns {string} */
export const fileWords = (files) => files.map((file) => shellQuoted(file.length > 1 && file[0] === '-' ? `./${file}` : file)).join(' ');
