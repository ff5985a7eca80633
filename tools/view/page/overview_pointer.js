// The window of the overview under the pointer: its edges resize the view, the rest moves it, a click beside it brings it there.
import { Viewport } from './viewport.js';

/** @param {HTMLElement} root @param {import('./store.js').Store} store @param {import('./surfaces.js').Surfaces} surfaces */
export function listenToOverview(root, store, surfaces) {
  const { overview } = surfaces;
  let part = '';
  let last = 0n;
  /** @param {PointerEvent} event */
  const at = (event) => (event.clientX - root.getBoundingClientRect().left) * surfaces.ratio;
  /** @param {number} x */
  const time = (x) => overview.viewport(store, surfaces.width).time(x);

  root.addEventListener('pointerdown', (event) => {
    root.setPointerCapture(event.pointerId);
    part = overview.part(store, at(event), surfaces.width, surfaces.ratio);
    last = time(at(event));
    const { from, to } = store.state.view.range();
    if (part === 'outside') store.showRange({ from: last - (to - from) / 2n, to: last + (to - from) / 2n });
  });
  root.addEventListener('pointermove', (event) => {
    const x = at(event);
    if (!part) root.style.cursor = { from: 'ew-resize', to: 'ew-resize', window: 'grab', outside: 'pointer' }[overview.part(store, x, surfaces.width, surfaces.ratio)];
    else drag(time(x));
  });
  root.addEventListener('pointerup', () => { part = ''; });
  root.addEventListener('pointercancel', () => { part = ''; });

  /** @param {bigint} ns */
  function drag(ns) {
    const { from, to } = store.state.view.range();
    const by = ns - last;
    last = ns;
    if (part === 'from' && ns < to) store.show(Viewport.of(ns, to, surfaces.width));
    else if (part === 'to' && ns > from) store.show(Viewport.of(from, ns, surfaces.width));
    else if (part === 'window' || part === 'outside') store.show(Viewport.of(from + by, to + by, surfaces.width));
  }
}
