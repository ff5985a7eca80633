// The parts of the page, and what each does when another changes.
import { Actions } from './actions.js';
import { Arranging } from './arranging.js';
import { TileCache } from './cache.js';
import { Details, extentOf } from './details.js';
import { Dialogs } from './dialogs.js';
import { byId, fill } from './dom.js';
import { EmbeddedServer } from './embedded.js';
import { EventList } from './event_list.js';
import { Flows } from './flows.js';
import { listenToKeys } from './keys.js';
import { Live } from './live.js';
import { Loader } from './loader.js';
import { showHeader, showLegend, showNotices } from './notices.js';
import { listenToOverview } from './overview_pointer.js';
import { Panel } from './panel.js';
import { Pointer } from './pointer.js';
import { isNamed, overviewRow } from './rows.js';
import { Search } from './search.js';
import { Selecting } from './selecting.js';
import { NotInFile, Server, Unauthorized } from './server.js';
import { listenToSplitter } from './splitter.js';
import { placedRanges } from './resample.js';
import { Store } from './store.js';
import { Surfaces } from './surfaces.js';
import { Tables } from './table.js';
import { Tabs } from './tabs.js';
import { grouped } from './text.js';
import { lengthText } from './time.js';
import { Tooltip, pixelFacts } from './tooltip.js';
import { Tree } from './tree.js';
import { fragmentOf, parsedFragment, takenToken } from './url_state.js';
import { ViewHistory } from './view_history.js';
import { Why } from './why.js';

const ARRANGING = ['rows', 'pinned', 'hidden', 'toggled', 'fold', 'order', 'filter'];
const SAID_MS = 5000;
const LATE_MS = 300;  // details that take longer are said to be computed
const HIT_PX = 3;  // between marks of matches on a row

/** Out of a box, which is empty then: a browser empties it without a word when it has lost the focus.
 * @param {HTMLInputElement} box */
function leave(box) {
  box.value = '';
  box.dispatchEvent(new Event('input'));
  box.blur();
}

class Page {
  constructor() {
    this.store = new Store();
    this.server = EmbeddedServer.ofPage() || new Server(takenToken());
    this.cache = new TileCache(this.server, { arrived: () => this.#arrived(), failed: (error) => this.failed(error) });
    /** @type {Tree} */ this.tree = new Tree(byId('tree', HTMLElement), { toggle: (key) => this.actions.toggle(key), focused: () => this.#focused() });
    /** @type {number|null} */ this.pointerX = null;
    this.legend = '';
    this.arranging = new Arranging(this.store, this.cache);
    this.flows = new Flows(this.server, { changed: () => this.#showFlows(), failed: (error) => this.failed(error) });
    /** @type {Surfaces} */ this.surfaces = new Surfaces(this.store, this.cache, this.arranging, { painted: (facts) => this.#painted(facts),
      focus: () => (this.store.state.cursor || this.tree.hasFocus ? this.tree.focus : ''), pointer: () => this.pointerX, flows: () => this.flows.shown, path: () => this.why.path, hits: () => this.search.hits });
    /** @type {number|null} */ this.hovered = null;
    /** @type {Search} */ this.search = new Search(this.server, byId('find', HTMLInputElement), byId('found', HTMLElement), { changed: () => this.surfaces.draw(), failed: (error) => this.failed(error) });
    const tables = new Tables(byId('tables', HTMLElement), { go: (ns) => this.actions.goTo(ns), copied: (text, what) => this.actions.copied(text, what) });
    this.panel = new Panel(this.server, tables, { title: byId('panel-title', HTMLElement), kinds: byId('kinds', HTMLElement), tables: byId('tables', HTMLElement) },
      (statistics) => this.store.set({ statistics }));
    /** @type {Why} */ this.why = new Why(byId('why', HTMLElement), this.server, { changed: () => this.surfaces.drawOver(), failed: (error) => this.failed(error) });
    this.details = new Details(byId('event', HTMLElement), byId('facts', HTMLElement), { go: (depth, ns) => this.#guarded(this.actions.outer(depth, ns)), at: (depth, ns, signal) => this.actions.outerAt(depth, ns, signal) });
    this.loader = new Loader(this.store, this.server, this.cache);
    this.live = new Live(this.store, this.server, this.loader);
    this.tooltip = new Tooltip(byId('tooltip', HTMLElement), (row, ns, signal) => this.actions.spanAt(row, ns, signal));
    this.said = 0;
    this.history = new ViewHistory();
    this.eventList = new EventList(byId('event-list', HTMLElement), this.server, { whole: () => this.store.whole, failed: (error) => this.failed(error),
      chosen: (event) => this.#guarded(this.actions.choose(event)) });
    this.tabs = new Tabs(['statistics', 'events'].map((name) => ({ tab: byId(`tab-${name}`, HTMLElement), panel: byId(name, HTMLElement) })), () => this.#tabbed());
    /** @type {Actions} */ this.actions = new Actions({ store: this.store, server: this.server, flows: this.flows, tree: this.tree, panel: this.panel,
      history: this.history, dialogs: new Dialogs(), arranging: this.arranging, tabs: () => this.tabs, search: this.search, filter: byId('filter', HTMLInputElement), announce: (text) => this.announce(text), pointer: () => this.pointerX, live: () => this.live, describe: (row, ns) => this.describe(row, ns),
      lifeAt: (row, ns) => this.lifeAt(row, ns), closedIn: (row) => this.surfaces.lines.closedIn.get(row) });
  }

  /** @param {string} text */
  announce(text) {
    fill(byId('live', HTMLElement), text);
    const status = byId('status', HTMLElement);
    fill(status, text);
    status.hidden = !text;
    clearTimeout(this.said);
    this.said = setTimeout(() => { status.hidden = true; }, SAID_MS);
  }

  /** @param {unknown} error */
  failed(error) {
    if (error instanceof NotInFile) return this.announce(error.message);
    const sentence = error instanceof Unauthorized ? 'This page has no valid token. Open the URL that evt view printed.'
      : error instanceof TypeError ? 'The server does not answer. Has evt view ended?' : error instanceof Error ? error.message : String(error);
    this.store.set({ message: sentence });
  }

  /** What is at a time of a row, in words.
   * @param {number} row @param {bigint} ns @returns {string} */
  describe(row, ns) {
    const line = this.surfaces.lines.rows().find((one) => one.row.id === row);
    if (!line) return '';
    const x = Math.floor(this.store.state.view.x(ns));
    return pixelFacts(line, this.surfaces.placed(row), x, this.store.state.rows.names).map((fact) => `${fact.name} ${fact.value}`.trim()).join(', ');
  }

  /** The name of what a row has at a time, such as the thread of a lane.
   * @param {number} row @param {bigint} ns @returns {string} */
  lifeAt(row, ns) {
    const x = this.store.state.view.x(ns);
    const labels = placedRanges(this.surfaces.placed(row), (content) => content.labels, (one) => one.name);
    const label = labels.find((one) => one.from <= x + 1 && one.to > x - 1);
    return label ? this.store.state.rows.names[label.name] || '' : '';
  }

  async start() {
    this.#notices();
    this.#listen();
    const { focus, ...state } = parsedFragment(location.hash, 1);
    this.tree.focus = focus || '';
    this.store.watch((changed) => this.#changed(changed));
    this.store.set({ theme: state.theme });
    try {
      await this.loader.open(state.session || 0);
      if (this.store.session) byId('tables', HTMLElement).setAttribute('aria-busy', 'true');
      this.store.set({ ...state, session: this.store.state.session });
      byId('filter', HTMLInputElement).value = this.store.state.filter;
      this.surfaces.observe(() => this.#resized(Boolean(state.view)));
      if (state.tab) this.tabs.choose(1);
      if (state.cursor) await this.actions.at(state.cursor.row, state.cursor.ns, 'at');
      await this.loader.follow(() => this.surfaces.draw());
      if (!state.view) this.live.goOn();
      await this.live.run();
    } catch (error) {
      this.failed(error);
    }
  }

  /** @param {boolean} hasView */
  #resized(hasView) {
    const { view } = this.store.state;
    const { width } = this.surfaces;
    if (view.width === 1 && !hasView) this.store.showRange(this.store.whole);
    if (this.surfaces.hasOtherRoom) this.#arrange();
    this.store.set({ view: this.store.state.view.resized(width) });
  }

  #arrived() {
    this.#legend();
    this.surfaces.draw();
  }

  #legend() {
    const { states, sparks, bands } = this.cache.seen;
    const hasSpans = this.store.state.rows.rows.some((row) => isNamed(row.kind));
    const legend = `${states} ${sparks} ${bands} ${hasSpans}`;
    if (legend !== this.legend) showLegend(this.cache.seen, hasSpans);
    this.legend = legend;
  }

  /** @param {Set<string>} changed */
  #changed(changed) {
    const { state } = this.store;
    if (changed.has('theme')) this.#theme();
    if (ARRANGING.some((name) => changed.has(name))) this.#arrange();
    if (changed.has('session')) this.#legend();
    if (changed.has('trace') || changed.has('session')) this.#header();
    if (['trace', 'rows', 'message', 'hidden', 'dismissed'].some((name) => changed.has(name))) this.#notices();
    if (changed.has('view')) this.live.viewed();
    if ((changed.has('cursor') && state.cursor) || (changed.has('selection') && state.selection)) this.live.hold();
    if (changed.has('live') || changed.has('trace')) this.live.show();
    if (changed.has('cursor')) {
      const kind = state.rows.rows.find((row) => row.id === state.cursor?.row)?.kind;
      this.details.show(state.cursor?.event || null, kind, this.store.session?.start_utc || null);
      this.why.show(state.session, state.cursor?.row ?? -1, kind === 'span' ? extentOf(state.cursor?.event) : null);
      this.#listEvents();
    }
    this.surfaces.draw();
  }

  /** Rows in their places, with those in view where they were. */
  #arrange() {
    const top = this.surfaces.arrange(this.tree.focus);
    this.tree.show(this.surfaces.lines.lines, this.store.state.pinned.map((pin) => pin.row));
    this.surfaces.scroll.scrollTop = top;
    const none = byId('no-rows', HTMLElement);
    none.hidden = Boolean(this.surfaces.lines.lines.length) || !this.store.state.filter;
    fill(none, `No row has “${this.store.state.filter}” in its name.`);
    this.#showFold();
  }

  #notices() {
    showNotices(this.store.state, (sentence) => this.store.set({ message: this.store.state.message === sentence ? '' : this.store.state.message, dismissed: [...this.store.state.dismissed, sentence] }));
  }

  #header() {
    const { state, session, whole } = this.store;
    showHeader(state);
    const row = overviewRow(state.rows.rows);
    fill(byId('whole-name', HTMLElement), row?.name || 'Whole session');
    fill(byId('whole-length', HTMLElement), lengthText(Number(whole.to - whole.from)));
    if (session) fill(byId('total', HTMLElement), `${grouped(session.events)} events`);
  }

  #theme() {
    const { theme } = this.store.state;
    const isDark = theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
    this.surfaces.recolor();
  }

  /** All that is in view is exact.
   * @param {Map<number, import('./painter.js').Facts>} facts @returns {boolean} whether the rows have their places for this view */
  #painted(facts) {
    const { state } = this.store;
    this.tree.facts(facts);
    if (this.live.isOn) return this.#settle();
    this.history.rested(this.#viewWords(), `#${fragmentOf(state, this.tree.focus)}`);
    const range = state.selection || state.view.range();
    this.panel.show({ session: state.session, range, isSelection: Boolean(state.selection), all: this.store.session?.statistics || [], chosen: state.statistics });
    this.search.look(state.session, state.view.range(), BigInt(Math.max(1, Math.ceil(state.view.scale * HIT_PX))));
    this.#askFlows();
    return this.#settle();
  }

  /** Rows have their places for what is in view.
   * @returns {boolean} whether they have them already */
  #settle() {
    if (this.live.isOn) this.panel.rest();
    const { isNew, isComplete } = this.arranging.look(this.#kept());
    if (isNew) {
      this.#arrange();
      this.surfaces.draw();
    }
    return isComplete && !isNew;
  }

  #viewWords() {
    return `${this.store.state.session} ${this.store.state.view.texts()}`;
  }

  /** Back and forward of the browser: to the view of that time. An address that was typed has all that is shown.
   * @param {PopStateEvent} event */
  async #came(event) {
    const { focus, ...state } = parsedFragment(location.hash, this.surfaces.width);
    if ((state.session || 0) !== this.store.state.session) await this.#session(state.session || 0);
    if (event.state) this.store.set(state.view ? { view: state.view } : {});
    else this.store.set({ ...state, session: this.store.state.session });
    this.history.came(event.state?.at ?? this.history.at, this.#viewWords());
  }

  /** Rows that do not fold: pinned, of the cursor, and that which the keyboard is on.
   * @returns {Set<number>} */
  #kept() {
    const { pinned, cursor } = this.store.state;
    const { current, root } = this.tree;
    const kept = pinned.map((pin) => pin.row);
    if (cursor) kept.push(cursor.row);
    if (current?.kind === 'row' && root.contains(document.activeElement)) kept.push(current.row.id);
    return new Set(kept);
  }

  #showFold() {
    const { folded } = this.surfaces.lines;
    const fold = byId('fold', HTMLButtonElement);
    fold.setAttribute('aria-checked', String(this.store.state.fold));
    fill(fold, this.store.state.fold ? `Empty rows folded: ${grouped(folded)}` : 'Fold empty rows');
  }

  #askFlows() {
    const { state } = this.store;
    const row = this.hovered ?? state.cursor?.row;
    const known = state.rows.rows.find((one) => one.id === row);
    const range = state.selection || state.view.range();
    const { unread } = this.store;
    // Of what was not read yet it is not known where they lead.
    if (unread === null || range.to <= unread) this.flows.show(state.session, range, known?.id ?? null, unread === null);
    this.#showFlows();
  }

  #showFlows() {
    const name = this.store.state.rows.rows.find((row) => row.id === this.flows.row)?.name || 'this row';
    fill(byId('flows', HTMLElement), this.flows.words(name));
    this.surfaces.drawOver();
  }

  #tabbed() {
    this.store.set({ tab: this.tabs.chosen ? 'events' : '' });
    this.#listEvents();
  }

  /** The list of events goes to the cursor, or to where the view begins. */
  #listEvents() {
    const { session, trace, cursor, view } = this.store.state;
    if (byId('events', HTMLElement).hidden || !trace) return;
    this.eventList.show(session, trace.generation, cursor?.event ? BigInt(cursor.event.ns) : cursor?.ns ?? view.range().from, cursor?.event || null);
  }

  #focused() {
    this.surfaces.draw();
  }

  #listen() {
    const { store, surfaces, actions } = this;
    const stage = byId('stage', HTMLElement);
    const selecting = new Selecting(store, this.server, surfaces);
    const rowsY = (/** @type {number} */ y) => y + surfaces.scroll.scrollTop;
    new Pointer(stage, {
      down: (x, y, free) => selecting.begin(x * surfaces.ratio, rowsY(y), free),
      drag: (x, free) => selecting.drag(x * surfaces.ratio, free),
      up: (x, y, moved) => this.#guarded(moved ? selecting.end() : this.#clicked(x * surfaces.ratio, rowsY(y))),
      twice: (x) => this.actions.zoomToSpan(x * surfaces.ratio),
      move: (pixels) => store.show(store.state.view.moved(pixels * surfaces.ratio)),
      zoom: (factor, x) => store.show(store.state.view.zoomed(factor, x * surfaces.ratio)),
      hover: (event, x, y) => this.#hover(event, x * surfaces.ratio, rowsY(y)),
    });
    listenToOverview(byId('overview', HTMLElement), store, surfaces);
    listenToSplitter(byId('splitter', HTMLElement), byId('panel', HTMLElement));
    document.addEventListener('keydown', () => this.tooltip.hide());
    listenToKeys(actions, this.tree.root, (error) => this.failed(error));
    this.#listenToHeader();
  }

  #listenToHeader() {
    const find = byId('find', HTMLInputElement);
    find.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.#guarded(this.actions.find(event.shiftKey ? 'previous' : 'next'));
      if (event.key === 'Escape') leave(find);
    });
    find.addEventListener('input', () => { if (!find.value) this.search.clear(); });
    const filter = byId('filter', HTMLInputElement);
    filter.addEventListener('input', () => this.store.set({ filter: filter.value }));
    filter.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') leave(filter);
      if (event.key === 'Enter') filter.blur();
    });
    // What was said is about what was done before.
    for (const kind of ['keydown', 'pointerdown']) addEventListener(kind, () => this.announce(''), true);
    addEventListener('popstate', (event) => this.#guarded(this.#came(event)));
    byId('fold', HTMLButtonElement).addEventListener('click', () => this.actions.fold());
    byId('theme', HTMLButtonElement).addEventListener('click', () => this.actions.theme());
    byId('help', HTMLButtonElement).addEventListener('click', () => document.dispatchEvent(new KeyboardEvent('keydown', { key: '?' })));
    const sessions = byId('sessions', HTMLSelectElement);
    sessions.addEventListener('change', () => this.#guarded(this.#session(Number(sessions.value))));
    for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)']) matchMedia(query).addEventListener('change', () => this.#theme());
  }

  /** @param {number} session */
  async #session(session) {
    await this.loader.open(session);
    this.search.clear();
    this.store.set({ selection: null, cursor: null, pinned: [], hidden: [], toggled: [] });
    this.actions.fit();
  }

  /** @param {Promise<unknown>} work */
  #guarded(work) {
    work.catch((error) => this.failed(error));
  }

  /** @param {number} x @param {number} y */
  async #clicked(x, y) {
    const line = this.surfaces.lines.at(y);
    this.store.set({ selection: null });
    if (!line) return;
    // Not the list of rows but the picture has the keyboard, so that arrows move it.
    this.surfaces.scroll.focus({ preventScroll: true });
    this.tree.choose(line.key);
    const details = byId('event', HTMLElement);
    const late = setTimeout(() => {
      details.hidden = false;
      details.setAttribute('aria-busy', 'true');
    }, LATE_MS);
    try {
      await this.actions.clicked(line.row.id, this.store.state.view.time(x));
    } finally {
      clearTimeout(late);
      details.setAttribute('aria-busy', 'false');
      details.hidden = !this.store.state.cursor?.event;
    }
  }

  /** @param {number|null} row */
  #hoverRow(row) {
    if (row === this.hovered) return;
    this.hovered = row;
    if (this.flows.all.more) this.#askFlows();
  }

  /** @param {PointerEvent|null} event @param {number} x @param {number} y */
  #hover(event, x, y) {
    this.pointerX = event ? x : null;
    this.surfaces.drawOver();
    const line = event && !event.buttons ? this.surfaces.lines.at(y) : undefined;
    this.#hoverRow(line ? line.row.id : null);
    if (!event || !line) return this.tooltip.hide();
    this.tooltip.show(line, this.surfaces.placed(line.row.id), x, this.store.state.view, this.store.state.rows.names, { x: event.clientX, y: event.clientY });
  }
}

new Page().start();
