// The state of the view in the fragment of the address, so that a reload or a colleague sees the same; and the token, which
// leaves the address at once.
import { Viewport } from './viewport.js';

const TOKEN = 'evt-token';

/** @typedef {import('./store.js').State} State */

/** @param {string} text @param {RegExp} form @returns {string[]} */
const listed = (text, form) => text.split(',').filter((word) => form.test(word));

/** The token, out of the fragment or of this tab's storage.
 * @returns {string} */
export function takenToken() {
  const words = new URLSearchParams(location.hash.slice(1));
  const token = words.get('k');
  if (token !== null) {
    sessionStorage.setItem(TOKEN, token);
    words.delete('k');
    history.replaceState(null, '', `${location.pathname}#${words}`);
  }
  return sessionStorage.getItem(TOKEN) || '';
}

/** @param {State} state @param {string} focus @returns {string} */
export function fragmentOf(state, focus) {
  const [from, to] = state.view.texts();
  /** @type {Record<string, string>} */ const words = {
    s: String(state.session), from, to, row: focus,
    sel: state.selection ? `${state.selection.from}..${state.selection.to}` : '',
    at: state.cursor ? `${state.cursor.row}@${state.cursor.ns}` : '',
    pin: state.pinned.map((pin) => `${pin.row}${pin.name && ':' + encodeURIComponent(pin.name)}`).join(','), hide: state.hidden.join(','),
    toggled: state.toggled.join(','), fold: state.fold ? '1' : '', filter: state.filter, stat: state.statistics,
    order: state.order === 'start' ? '' : state.order, theme: state.theme, tab: state.tab,
    marks: state.bookmarks.map((mark) => `${mark.ns}:${encodeURIComponent(mark.name)}`).join(','),
  };
  for (const name in words) if (!words[name]) delete words[name];
  return String(new URLSearchParams(words));
}

/** What the fragment asks for; words that it does not have, or has wrong, are left out.
 * @param {string} hash @param {number} width @returns {Partial<State> & {focus?: string}} */
export function parsedFragment(hash, width) {
  const words = new URLSearchParams(hash.replace(/^#/, ''));
  /** @param {string} name */ const word = (name) => words.get(name) || '';
  /** @type {Partial<State> & {focus?: string}} */ const state = { ...viewOf(word('from'), word('to'), width) };
  if (/^\d{1,6}$/.test(word('s'))) state.session = Number(word('s'));
  const selection = /^(-?\d{1,19})\.\.(-?\d{1,19})$/.exec(word('sel'));
  if (selection) state.selection = { from: BigInt(selection[1]), to: BigInt(selection[2]) };
  const cursor = /^(\d{1,9})@(-?\d{1,19})$/.exec(word('at'));
  if (cursor) state.cursor = { row: Number(cursor[1]), ns: BigInt(cursor[2]), event: null };
  state.pinned = listed(word('pin'), /^\d+(:[^%]*(%[0-9A-Fa-f]{2}[^%]*)*)?$/).flatMap((one) => named(one).map(([row, name]) => ({ row: Number(row), name })));
  state.hidden = listed(word('hide'), /^\d+$/).map(Number);
  state.toggled = listed(word('toggled'), /^[\w-]+$/);
  state.fold = word('fold') === '1';
  state.filter = word('filter');
  state.statistics = word('stat');
  state.order = word('order') === 'share' || word('order') === 'name' ? /** @type {'share'|'name'} */ (word('order')) : 'start';
  state.theme = word('theme') === 'light' || word('theme') === 'dark' ? /** @type {'light'|'dark'} */ (word('theme')) : '';
  state.tab = word('tab') === 'events' ? 'events' : '';
  state.bookmarks = listed(word('marks'), /^-?\d{1,19}:[^%]*(%[0-9A-Fa-f]{2}[^%]*)*$/).flatMap((one) => named(one).map(([ns, name]) => ({ ns: BigInt(ns), name })));
  if (word('row')) state.focus = word('row');
  return state;
}

/** @param {string} from @param {string} to @param {number} width @returns {Partial<State>} */
function viewOf(from, to, width) {
  try {
    return from && to ? { view: Viewport.parse(from, to, width) } : {};
  } catch {
    return {};
  }
}

/** A number and, behind a colon, a name.
 * @param {string} word @returns {[string, string][]} */
function named(word) {
  const [number, ...name] = word.split(':');
  try {
    return [[number, decodeURIComponent(name.join(':'))]];
  } catch {
    return [];  // not UTF-8
  }
}
