// The keys, in one table: what they do and what the help shows of them.

/** @typedef {import('./actions.js').Actions} Actions
 * @typedef {(actions: Actions, shift: boolean) => unknown} Run
 * @typedef {{keys: string, does: string, on: Record<string, Run>}} Key */

/** @type {Run} */ const zoomIn = (a) => a.zoom(0.75);
/** @type {Run} */ const zoomOut = (a) => a.zoom(1 / 0.75);
/** @type {Run} */ const left = (a) => a.move(-0.1);
/** @type {Run} */ const right = (a) => a.move(0.1);

/** @type {Key[]} */
const KEYS = [
  { keys: 'W S', does: 'zoom in and out at the pointer', on: { w: zoomIn, s: zoomOut, ArrowUp: zoomIn, ArrowDown: zoomOut } },
  { keys: 'A D', does: 'move left and right; also the arrow keys, outside the list of rows', on: { a: left, d: right, ArrowLeft: left, ArrowRight: right } },
  { keys: 'F', does: 'zoom to the selection or span; again: whole trace', on: { f: (a) => a.focus() } },
  { keys: '0', does: 'whole trace', on: { 0: (a) => a.fit() } },
  { keys: 'End', does: 'the end of a growing trace, outside the list of rows', on: { End: (a) => a.parts.live().goOn() } },
  { keys: 'Z shift+Z', does: 'previous and next view, like back and forward in the browser', on: { z: (a, shift) => a.back(shift ? 1 : -1) } },
  { keys: '. ,', does: 'next and previous span or event of the row; in the list of rows ← and →', on: { '.': (a) => a.step('next'), ',': (a) => a.step('previous') } },
  { keys: '[ ]', does: 'follow a flow of the cursor’s row to its source, to its target', on: { '[': (a) => a.follow(-1), ']': (a) => a.follow(1) } },
  { keys: 'Enter', does: 'in the list of rows: read out the event at the cursor', on: {} },
  { keys: 'R', does: 'select the range of the span or state', on: { r: (a) => a.range() } },
  { keys: 'M', does: 'bookmark', on: { m: (a) => a.bookmark() } },
  { keys: 'N shift+N', does: 'next and previous mark or bookmark', on: { n: (a, shift) => a.nextMark(shift ? -1 : 1) } },
  { keys: 'G', does: 'go to a time', on: { g: (a) => a.go() } },
  { keys: '/', does: 'search; Enter and shift+Enter: next and previous match', on: { '/': (a) => a.parts.search.box.focus() } },
  { keys: 'B', does: 'filter rows by their names', on: { b: (a) => a.parts.filter.focus() } },
  { keys: 'P', does: 'pin the row, or in a shared row the thread at the cursor or pointer', on: { p: (a) => a.pin() } },
  { keys: 'K J', does: 'pinned row up and down', on: { k: (a) => a.shift(-1), j: (a) => a.shift(1) } },
  { keys: 'H shift+H', does: 'hide the row, show all rows', on: { h: (a, shift) => (shift ? a.showAll() : a.hide()) } },
  { keys: 'V', does: 'fold rows with nothing in view', on: { v: (a) => a.fold() } },
  { keys: 'L', does: 'list of events: ↑ and ↓ choose, Enter goes there; again: statistics', on: { l: (a) => a.parts.tabs().next() } },
  { keys: 'E', does: 'open or close the group', on: { e: (a) => a.toggleCurrent() } },
  { keys: 'O', does: 'order rows by start, running time in view, name', on: { o: (a) => a.order() } },
  { keys: 'C', does: 'copy time, commands for the range, tables', on: { c: (a) => a.copy() } },
  { keys: 'T', does: 'light or dark', on: { t: (a) => a.theme() } },
  { keys: '?', does: 'this list', on: { '?': (a) => a.parts.dialogs.help(helpLines()) } },
  { keys: 'Esc', does: 'clear the selection and the cursor', on: { Escape: (a) => a.escape() } },
];
/** @type {Map<string, Run>} */ const RUNS = new Map(KEYS.flatMap((key) => Object.entries(key.on)));
const POINTER = [
  ['drag', 'select; edges snap to changes of the row within 6 pixels, except with alt'], ['middle shift+wheel', 'move'], ['ctrl+wheel', 'zoom'], ['click', 'the span, state or event there'], ['double-click', 'zoom to the span or state'],
];

/** @returns {import('./dialogs.js').Help[]} */
function helpLines() {
  return [...KEYS, ...POINTER.map(([keys, does]) => ({ keys, does }))];
}

/** In the list of rows the arrows go from row to row and from event to event.
 * @param {string} key @param {Actions} actions @returns {(() => unknown)|undefined} */
function treeKey(key, actions) {
  /** @type {Record<string, () => unknown>} */ const keys = {
    ArrowUp: () => actions.parts.tree.step(-1), ArrowDown: () => actions.parts.tree.step(1),
    ArrowLeft: () => actions.step('previous'), ArrowRight: () => actions.step('next'),
    Home: () => actions.parts.tree.step(-Infinity), End: () => actions.parts.tree.step(Infinity),
    Enter: () => (actions.row ? actions.readOut() : actions.toggleCurrent()), ' ': () => actions.toggleCurrent(),
  };
  return keys[key];
}

/** @param {Actions} actions @param {HTMLElement} tree @param {(error: unknown) => void} failed */
export function listenToKeys(actions, tree, failed) {
  document.addEventListener('keydown', async (event) => {
    const target = event.target instanceof Element ? event.target : document.body;
    // With AltGr some keyboards type brackets.
    const isCommand = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph');
    if (isCommand || actions.parts.dialogs.isOpen || target.closest('input, select, [role=separator]')) return;
    if (target.closest('button') && (event.key === 'Enter' || event.key === ' ')) return;
    const found = RUNS.get(event.key?.length === 1 ? event.key.toLowerCase() : event.key);
    const run = (tree.contains(target) && treeKey(event.key, actions)) || (found && (() => found(actions, event.shiftKey)));
    if (!run) return;
    event.preventDefault();
    try {
      await run();
    } catch (error) {
      failed(error);
    }
  });
}
