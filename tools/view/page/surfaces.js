// The canvases of the page: their sizes in device pixels, and when each is drawn again.
import { byId, sized } from './dom.js';
import { Overview } from './overview.js';
import { drawOverlay, drawRulerHits, drawRulerMarks } from './overlay.js';
import { Palette } from './palette.js';
import { RowLines, overviewRow } from './rows.js';
import { drawRuler } from './ruler.js';
import { Scene, wanted } from './scene.js';
import { lengthText } from './time.js';

/** @typedef {import('./store.js').Store} Store
 * @typedef {import('./painter.js').Facts} Facts */

export class Surfaces {
  /** @param {Store} store @param {import('./cache.js').TileCache} cache @param {import('./arranging.js').Arranging} arranging
   * @param {{painted: (facts: Map<number, Facts>) => boolean, focus: () => string, pointer: () => number|null, flows: () => import('./flows.js').Flow[], path: () => import('./why.js').Part[], hits: () => import('./search.js').Hits}} page
   *   painted: all that is in view is exact; whether nothing else is awaited */
  constructor(store, cache, arranging, page) {
    this.store = store;
    this.cache = cache;
    this.arranging = arranging;
    this.page = page;
    this.scroll = byId('scroll', HTMLElement);
    this.stage = byId('stage', HTMLElement);
    this.rulerCanvas = byId('ruler-canvas', HTMLCanvasElement);
    this.overCanvas = byId('over-canvas', HTMLCanvasElement);
    this.rowsCanvas = byId('rows-canvas', HTMLCanvasElement);
    this.overview = new Overview(byId('overview-canvas', HTMLCanvasElement), cache);
    this.scene = new Scene(this.rowsCanvas, cache, (facts) => this.#painted(facts));
    this.palette = new Palette();
    this.lines = new RowLines(store.state, arranging.known);
    this.ratio = 1;
    this.width = 1;
    this.height = 1;
    this.isOverviewComplete = false;
    this.pending = 0;
    /** The view that was exact last.
     * @type {import('./viewport.js').Viewport|null} */ this.rested = null;
  }

  /** Calls back when the sizes of the canvases are known, and each time that they change.
   * @param {() => void} resized */
  observe(resized) {
    const rows = new ResizeObserver((entries) => {
      const box = entries[0].devicePixelContentBoxSize?.[0];
      const css = entries[0].contentRect;
      if (!css.width || !css.height) return;
      this.ratio = devicePixelRatio;
      // The box knows how edges were rounded; where it counts other pixels than the ratio, as an emulated screen does, it is of no use.
      const size = (/** @type {number|undefined} */ exact, /** @type {number} */ length) => (
        exact !== undefined && Math.abs(exact - length * this.ratio) < 2 ? exact : Math.round(length * this.ratio));
      this.width = size(box?.inlineSize, css.width);
      this.height = size(box?.blockSize, css.height);
      resized();
    });
    const fit = () => { this.stage.style.height = `${Math.max(40, this.scroll.clientHeight - this.#above())}px`; };
    new ResizeObserver(fit).observe(this.scroll);
    fit();
    try {
      rows.observe(this.rowsCanvas, { box: 'device-pixel-content-box' });
    } catch {
      rows.observe(this.rowsCanvas);  // a browser without this box
    }
    this.scroll.addEventListener('scroll', () => this.draw());
  }

  /** Height of overview and ruler, in CSS pixels. */
  #above() {
    return byId('overview', HTMLElement).offsetHeight + byId('ruler', HTMLElement).offsetHeight;
  }

  /** Colours, after the theme changed. */
  recolor() {
    this.palette = new Palette();
    this.draw();
  }

  /** The row with the focus keeps its place on the screen, if it is there.
   * @param {string} focus @returns {number} where to scroll to when the list of rows is there */
  arrange(focus) {
    const place = () => this.lines.lines.find((line) => line.key === focus);
    const before = place();
    const top = this.scroll.scrollTop;
    this.lines = new RowLines(this.store.state, this.arranging.known).grown(this.height / this.ratio);
    const after = place();
    const isSeen = before && before.top >= top && before.top < top + this.height / this.ratio;
    return isSeen && after ? top + after.top - before.top : top;
  }

  /** Whether rows have other heights in the room that there is now. */
  get hasOtherRoom() {
    return this.lines.growth > 1 || this.lines.height < this.height / this.ratio;
  }

  /** All of the page's pictures, at the next frame. */
  draw() {
    delete document.documentElement.dataset.ready;
    if (!this.pending) this.pending = requestAnimationFrame(() => this.#draw());
  }

  get visibleLines() {
    return this.lines.visible(this.scroll.scrollTop, this.height / this.ratio);
  }

  #draw() {
    this.pending = 0;
    const { store, width, height, ratio } = this;
    const { view, rows } = store.state;
    if (!store.state.trace || width === 1 || view.width !== width) return;
    const lines = this.visibleLines;
    const frame = { lines, top: this.scroll.scrollTop, finest: rows.finest, names: rows.names, ratio, width, height };
    const row = overviewRow(rows.rows);
    this.#want();
    this.scene.show(view, frame, this.palette);
    this.isOverviewComplete = this.overview.draw(store, row, this.palette, width, Math.round((byId('overview', HTMLElement).offsetHeight - 1) * ratio), ratio);
    this.drawRuler();
    this.drawOver();
    const range = view.range();
    this.rowsCanvas.setAttribute('aria-label', `timeline from ${lengthText(Number(range.from))}, ${lengthText(view.span / 1024)} long, ${lines.length} rows in view; the list of rows has the same by keys`);
  }

  /** Asks for the tiles of what is shown, and when the view rests for those that the places of rows depend on. */
  #want() {
    const { view, rows } = this.store.state;
    const row = overviewRow(rows.rows);
    const whole = row ? this.overview.wants(this.store, row.id, this.width) : [];
    const shown = [...new Set(this.visibleLines.map((line) => line.row.id))];
    this.cache.want([...whole, ...wanted(view, rows.finest, shown), ...(this.rested?.equals(view) ? this.arranging.wants() : [])]);
  }

  drawRuler() {
    const { store, ratio, width } = this;
    const height = Math.round(29 * ratio);
    const context = sized(this.rulerCanvas, width, height);
    drawRuler(context, store.state.view, this.palette, ratio, height);
    drawRulerHits(context, store.state.view, this.palette, this.page.hits(), ratio, height);
    drawRulerMarks(context, store.state, this.palette, ratio, height);
  }

  /** Cheap: called for each movement of the pointer. */
  drawOver() {
    const { width, height, ratio } = this;
    if (this.overCanvas.width !== width || this.overCanvas.height !== height) {
      this.overCanvas.width = width;
      this.overCanvas.height = height;
    }
    const context = this.overCanvas.getContext('2d');
    if (context) drawOverlay(context, this.store.state, this.palette, { width, height, ratio, pointer: this.page.pointer(), unread: this.store.unread, ahead: this.store.session?.ahead || [], lines: this.visibleLines, top: this.scroll.scrollTop,
      focus: this.page.focus(), flows: this.page.flows(), path: this.page.path(), places: this.lines.places, hits: this.page.hits() });
  }

  /** @param {Map<number, Facts>} facts */
  #painted(facts) {
    this.rested = this.store.state.view;
    const isSettled = this.page.painted(facts);
    if (!isSettled) this.#want();
    if (isSettled && this.isOverviewComplete && !this.pending) document.documentElement.dataset.ready = '';
  }

  /** @param {number} row @returns {import('./resample.js').Placed[]} the row's tiles at rest */
  placed(row) {
    const { frame } = this.scene;
    return frame ? this.scene.placed(this.store.state.view, frame, row) : [];
  }
}
