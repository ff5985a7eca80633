// The parts of the page, and what each does when another changes.
import { Actions } from './actions.js';
import { TileCache } from './cache.js';
import { Dialogs } from './dialogs.js';
import { byId, fill } from './dom.js';
import { EmbeddedServer } from './embedded.js';
import { listenToKeys } from './keys.js';
import { Loader } from './loader.js';
import { showHeader, showLegend, showNotices } from './notices.js';
import { listenToOverview } from './overview_pointer.js';
import { Panel } from './panel.js';
import { Pointer } from './pointer.js';
import { Selecting } from './selecting.js';
import { Server, Unauthorized } from './server.js';
import { listenToSplitter } from './splitter.js';
import { Store } from './store.js';
import { Surfaces } from './surfaces.js';
import { grouped } from './text.js';
import { lengthText } from './time.js';
import { Tooltip, pixelFacts } from './tooltip.js';
import { Tree } from './tree.js';
import { fragmentOf, parsedFragment, takenToken } from './url_state.js';
import { ViewHistory } from './view_history.js';

const ARRANGING = ['rows', 'pinned', 'hidden', 'closed', 'order'];

class Page {
  constructor() {
    this.store = new Store();
    this.server = EmbeddedServer.ofPage() || new Server(takenToken());
    this.cache = new TileCache(this.server, { arrived: () => this.surfaces.draw(), failed: (error) => this.failed(error) });
    this.tree = new Tree(byId('tree', HTMLElement), { toggle: (key) => this.actions.toggle(key), focused: () => this.#focused() });
    /** @type {number|null} */ this.pointerX = null;
    this.surfaces = new Surfaces(this.store, this.cache, { painted: (facts) => this.#painted(facts), focus: () => this.tree.focus, pointer: () => this.pointerX });
    this.panel = new Panel(this.server, { title: byId('panel-title', HTMLElement), tables: byId('tables', HTMLElement), event: byId('event', HTMLElement) });
    this.loader = new Loader(this.store, this.server, this.cache);
    this.tooltip = new Tooltip(byId('tooltip', HTMLElement));
    this.history = new ViewHistory();
    this.actions = new Actions({ store: this.store, server: this.server, tree: this.tree, panel: this.panel, history: this.history, dialogs: new Dialogs(),
      announce: (text) => this.announce(text), pointer: () => this.pointerX, describe: (row, ns) => this.describe(row, ns), find: byId('find', HTMLInputElement) });
    /** @type {Map<number, number>} */ this.shares = new Map();
  }

  /** @param {string} text */
  announce(text) {
    fill(byId('live', HTMLElement), text);
    fill(byId('status', HTMLElement), text);
  }

  /** @param {unknown} error */
  failed(error) {
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

  async start() {
    showLegend();
    showNotices(this.store.state);
    this.#listen();
    const { focus, ...state } = parsedFragment(location.hash, 1);
    this.tree.focus = focus || '';
    this.store.watch((changed) => this.#changed(changed));
    this.store.set({ theme: state.theme });
    try {
      await this.loader.open(state.session || 0);
      this.store.set({ ...state, session: this.store.state.session });
      this.surfaces.observe(() => this.#resized(Boolean(state.view)));
      if (state.cursor) await this.actions.at(state.cursor.row, state.cursor.ns, 'at');
      await this.loader.follow(() => this.surfaces.draw());
    } catch (error) {
      this.failed(error);
    }
  }

  /** @param {boolean} hasView */
  #resized(hasView) {
    const { view } = this.store.state;
    const { width } = this.surfaces;
    if (view.width === 1 && !hasView) this.store.showRange(this.store.whole);
    this.store.set({ view: this.store.state.view.resized(width) });
  }

  /** @param {Set<string>} changed */
  #changed(changed) {
    const { state } = this.store;
    if (changed.has('theme')) this.#theme();
    if (ARRANGING.some((name) => changed.has(name))) {
      this.surfaces.arrange(this.shares);
      this.tree.show(this.surfaces.lines.lines, state.pinned.map(String));
    }
    if (changed.has('trace') || changed.has('session')) this.#header();
    if (['trace', 'rows', 'message', 'hidden'].some((name) => changed.has(name))) showNotices(state);
    if (changed.has('cursor')) this.panel.event(state.cursor?.event || null, this.store.session?.start_utc || null);
    this.surfaces.draw();
  }

  #header() {
    const { state, session, whole } = this.store;
    showHeader(state);
    fill(byId('whole-name', HTMLElement), state.rows.rows.find((row) => row.kind === 'cpus')?.name || 'Whole session');
    fill(byId('whole-length', HTMLElement), lengthText(Number(whole.to - whole.from)));
    if (session) fill(byId('status', HTMLElement), `${grouped(session.events)} events`);
  }

  #theme() {
    const { theme } = this.store.state;
    const isDark = theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
    this.surfaces.recolor();
  }

  /** All that is in view is exact.
   * @param {Map<number, import('./painter.js').Facts>} facts */
  #painted(facts) {
    const { state } = this.store;
    this.tree.facts(facts);
    for (const [row, fact] of facts) this.shares.set(row, fact.share);
    this.history.rested(state.view);
    history.replaceState(null, '', `#${fragmentOf(state, this.tree.focus)}`);
    this.panel.show(state.session, state.selection || state.view.range(), Boolean(state.selection), state.trace?.generation || 0);
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
      move: (pixels) => store.show(store.state.view.moved(pixels * surfaces.ratio)),
      zoom: (factor, x) => store.show(store.state.view.zoomed(factor, x * surfaces.ratio)),
      hover: (event, x, y) => this.#hover(event, x * surfaces.ratio, rowsY(y)),
    });
    listenToOverview(byId('overview', HTMLElement), store, surfaces);
    listenToSplitter(byId('splitter', HTMLElement), byId('panel', HTMLElement));
    listenToKeys(actions, this.tree.root, (error) => this.failed(error));
    this.#listenToHeader();
  }

  #listenToHeader() {
    const find = byId('find', HTMLInputElement);
    find.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.#guarded(this.actions.search(event.shiftKey ? 'previous' : 'next'));
      if (event.key === 'Escape') find.blur();
    });
    byId('theme', HTMLButtonElement).addEventListener('click', () => this.actions.theme());
    byId('help', HTMLButtonElement).addEventListener('click', () => document.dispatchEvent(new KeyboardEvent('keydown', { key: '?' })));
    const sessions = byId('sessions', HTMLSelectElement);
    sessions.addEventListener('change', () => this.#guarded(this.#session(Number(sessions.value))));
    for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)']) matchMedia(query).addEventListener('change', () => this.#theme());
  }

  /** @param {number} session */
  async #session(session) {
    await this.loader.open(session);
    this.store.set({ selection: null, cursor: null, pinned: [], hidden: [], closed: [] });
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
    this.tree.focusOn(line.key);
    await this.actions.at(line.row.id, this.store.state.view.time(x), 'at');
  }

  /** @param {PointerEvent|null} event @param {number} x @param {number} y */
  #hover(event, x, y) {
    this.pointerX = event ? x : null;
    this.surfaces.drawOver();
    const line = event && !event.buttons ? this.surfaces.lines.at(y) : undefined;
    if (!event || !line) return this.tooltip.hide();
    this.tooltip.show(line, this.surfaces.placed(line.row.id), x, this.store.state.view, this.store.state.rows.names, { x: event.clientX, y: event.clientY });
  }
}

new Page().start();
