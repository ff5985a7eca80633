// The height of the statistics, by pointer or keys.

/** @param {HTMLElement} splitter @param {HTMLElement} panel */
export function listenToSplitter(splitter, panel) {
  /** @param {number} height */
  const set = (height) => {
    const kept = Math.round(Math.max(60, Math.min(600, innerHeight / 2, height)));
    panel.style.height = `${kept}px`;
    splitter.setAttribute('aria-valuenow', String(kept));
  };
  splitter.addEventListener('pointerdown', (event) => splitter.setPointerCapture(event.pointerId));
  splitter.addEventListener('pointermove', (event) => {
    if (splitter.hasPointerCapture(event.pointerId)) set(panel.getBoundingClientRect().bottom - event.clientY);
  });
  splitter.addEventListener('keydown', (event) => {
    const by = event.key === 'ArrowUp' ? 16 : event.key === 'ArrowDown' ? -16 : 0;
    if (by) set(panel.offsetHeight + by);
  });
}
