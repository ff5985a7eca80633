// Sentences on what is missing: the strip under the header, and the middle of a page that has nothing to show.
import { byId, element, fill } from './dom.js';
import { BANDS, SPARKS, STATES } from './palette.js';
import { grouped } from './text.js';

/** Whether a sentence is about what is wrong or missing, a normal fact, or about what goes on.
 * @typedef {'warning'|'note'|'reading'} Weight */

/** @param {import('./store.js').State} state @returns {[Weight, string][]} */
function stripSentences({ trace, session: number, message, hidden, dismissed }) {
  const session = trace?.sessions[number];
  const lost = BigInt(session?.lost || 0);
  const warnings = session?.warnings || [];
  /** @type {[Weight, string][]} */ const all = [
    ...(message ? [message] : []).map((text) => /** @type {[Weight, string]} */ (['warning', text])),
    ...(trace && !trace.complete ? [/** @type {[Weight, string]} */ (['reading', loading(trace)])] : []),
    ...(lost && !warnings.length ? [`${grouped(lost)} event${lost === 1n ? ' is' : 's are'} lost; hatching shows where`] : warnings).map((text) => /** @type {[Weight, string]} */ (['warning', text])),
    ...growthSentences(trace),
    ...(session?.notes || []).map((text) => /** @type {[Weight, string]} */ (['note', text])),
    ...(hidden.length ? [/** @type {[Weight, string]} */ (['note', `${hidden.length} row${hidden.length === 1 ? ' is' : 's are'} hidden; shift+H shows all`])] : []),
  ];
  return all.filter(([, text]) => text === message || !dismissed.includes(text));
}

/** Of a trace that is followed.
 * @param {import('./server.js').Trace|null} trace @returns {[Weight, string][]} */
function growthSentences(trace) {
  const late = BigInt(trace?.late || 0);
  /** @type {string[]} */ const sentences = [];
  if (trace?.live === 'ended') sentences.push('The program has ended.');
  if (late) sentences.push(`${grouped(late)} event${late === 1n ? '' : 's'} arrived after later ones were shown.`);
  return sentences.map((text) => ['note', text]);
}

/** @param {import('./server.js').Trace} trace */
const loading = (trace) => `Loading ${Math.floor(trace.progress * 100)} %`;

/** @param {import('./store.js').State} state @returns {string[]} */
function noticeSentences(state) {
  const { trace, rows } = state;
  if (!trace) return state.message ? [state.message] : ['Opening the trace…'];
  if (!trace.sessions.length) return trace.complete ? ['This trace has no sessions.'] : [loading(trace)];
  if (rows.rows.length) return [];
  return trace.complete ? ['This session has no events.', 'There is nothing to draw.'] : [loading(trace)];
}

/** @param {import('./store.js').State} state @param {(sentence: string) => void} dismiss */
export function showNotices(state, dismiss) {
  const strip = byId('strip', HTMLElement);
  const sentences = stripSentences(state);
  strip.hidden = !sentences.length;
  fill(strip, ...sentences.map(([weight, text]) => {
    const close = element('button', { type: 'button', 'aria-label': 'dismiss this note' }, '✕');
    close.addEventListener('click', () => dismiss(text));
    return element('div', { class: weight }, element('span', { role: weight === 'warning' ? 'alert' : 'status' }, text), ...(weight === 'reading' ? [] : [close]));
  }));
  const notice = byId('notice', HTMLElement);
  const words = noticeSentences(state);
  notice.hidden = !words.length;
  fill(notice, ...words.map((word, n) => element('span', n ? { class: 'muted' } : {}, word)));
}

/** What occurs, and nothing else.
 * @param {{states: number, sparks: number, bands: number}} seen @param {boolean} hasSpans */
export function showLegend(seen, hasSpans) {
  const entry = (/** @type {string} */ style, /** @type {string} */ name) => element('li', {}, element('i', { class: `swatch ${style}` }), name);
  const states = [0, 1, 2, 3, 4, 6, 5, 7].filter((key) => seen.states >> key & 1).map((key) => entry(`state${key}`, STATES[key].name));
  const bands = BANDS.flatMap((name, kind) => (seen.bands >> kind & 1 ? [entry(`band${kind}`, name)] : []));
  const sparks = SPARKS.flatMap((spark, key) => (seen.sparks >> key & 1 ? [entry(`spark${key}`, spark.name)] : []));
  byId('legend', HTMLElement).className = sparks.length ? 'long' : '';
  fill(byId('legend', HTMLElement), ...states, ...(hasSpans ? [entry('spans', 'spans, a colour for each name')] : []), ...bands, ...(sparks.length ? [element('li', {}, 'Sparks:'), ...sparks] : []));
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
