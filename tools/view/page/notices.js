// Sentences on what is missing: the strip under the header, and the middle of a page that has nothing to show.
import { byId, element, fill } from './dom.js';
import { BANDS, SPARKS, STATES } from './palette.js';
import { grouped } from './text.js';

/** @param {import('./store.js').State} state @returns {string[]} */
function stripSentences(state) {
  const { trace, message, hidden } = state;
  const session = trace?.sessions[state.session];
  const lost = BigInt(session?.lost || 0);
  return [
    ...(message ? [message] : []),
    ...(trace && !trace.complete ? [`Reading: ${Math.floor(trace.progress * 100)} %. What is in view becomes complete as it is read.`] : []),
    ...(lost ? [`${grouped(lost)} event${lost === 1n ? ' was' : 's were'} lost; hatching shows where.`] : []),
    ...(session?.notes || []),
    ...(hidden.length ? [`${hidden.length} row${hidden.length === 1 ? ' is' : 's are'} hidden; shift+H shows all.`] : []),
  ];
}

/** @param {import('./store.js').State} state @returns {string[]} */
function noticeSentences(state) {
  const { trace, rows } = state;
  if (!trace) return state.message ? [state.message] : ['Opening the trace…'];
  if (!trace.sessions.length) return trace.complete ? ['This trace has no sessions.'] : [`Reading: ${Math.floor(trace.progress * 100)} %`];
  if (rows.rows.length) return [];
  return trace.complete ? ['This session has no events.', 'There is nothing to draw.'] : [`Reading: ${Math.floor(trace.progress * 100)} %`];
}

/** @param {import('./store.js').State} state */
export function showNotices(state) {
  const strip = byId('strip', HTMLElement);
  const sentences = stripSentences(state);
  strip.hidden = !sentences.length;
  strip.className = state.trace && !state.trace.complete ? 'reading' : '';
  fill(strip, sentences.join(' · '));
  // What is longer than the strip scrolls, by keys too.
  if (strip.scrollHeight > strip.clientHeight) strip.tabIndex = 0;
  else strip.removeAttribute('tabindex');
  const notice = byId('notice', HTMLElement);
  const words = noticeSentences(state);
  notice.hidden = !words.length;
  fill(notice, ...words.map((word, n) => element('span', n ? { class: 'muted' } : {}, word)));
}

/** What occurs, and nothing else.
 * @param {{states: number, sparks: number, bands: number}} seen */
export function showLegend(seen) {
  const entry = (/** @type {string} */ style, /** @type {string} */ name) => element('li', {}, element('i', { class: `swatch ${style}` }), name);
  const states = [0, 1, 2, 3, 4, 6, 5, 7].filter((key) => seen.states >> key & 1).map((key) => entry(`state${key}`, STATES[key].name));
  const bands = BANDS.flatMap((name, kind) => (seen.bands >> kind & 1 ? [entry(`band${kind}`, name)] : []));
  const sparks = SPARKS.flatMap((spark, key) => (seen.sparks >> key & 1 ? [entry(`spark${key}`, spark.name)] : []));
  byId('legend', HTMLElement).className = sparks.length ? 'long' : '';
  fill(byId('legend', HTMLElement), ...states, ...bands, ...(sparks.length ? [element('li', {}, 'Sparks:'), ...sparks] : []));
}

/** @param {import('./store.js').State} state */
export function showHeader(state) {
  const { trace } = state;
  fill(byId('title', HTMLElement), trace?.title || '');
  document.title = `evt view${trace ? ' ' + (byId('title', HTMLElement).textContent || '') : ''}`;
  const select = byId('sessions', HTMLSelectElement);
  select.hidden = !trace || trace.sessions.length < 2;
  fill(select, ...(trace?.sessions || []).map((session, n) => element('option', { value: `${n}` }, session.name)));
  select.value = String(state.session);
}
