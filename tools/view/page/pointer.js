// Mouse, pen and fingers over the rows: select, move, zoom, and what the pointer is over.

/** @typedef {{down: (x: number, y: number, free: boolean) => void, drag: (x: number, free: boolean) => void, up: (x: number, y: number, moved: boolean) => void,
 *   twice: (x: number) => void, move: (pixels: number) => void, zoom: (factor: number, x: number) => void, hover: (event: PointerEvent|null, x: number, y: number) => void}} Gestures */

const CLICK = 3;

export class Pointer {
  /** @param {HTMLElement} root @param {Gestures} gestures positions are CSS pixels in root */
  constructor(root, gestures) {
    this.root = root;
    this.gestures = gestures;
    /** @type {Map<number, {x: number, y: number}>} */ this.fingers = new Map();
    /** @type {'select'|'move'|null} */ this.mode = null;
    this.start = { x: 0, y: 0 };
    this.last = 0;
    root.addEventListener('pointerdown', (event) => this.#down(event));
    root.addEventListener('pointermove', (event) => this.#move(event));
    root.addEventListener('pointerup', (event) => this.#up(event));
    root.addEventListener('pointercancel', (event) => this.#end(event));
    root.addEventListener('dblclick', (event) => this.gestures.twice(this.#at(event).x));
    root.addEventListener('pointerleave', () => this.gestures.hover(null, 0, 0));
    root.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
  }

  /** @param {MouseEvent} event */
  #at(event) {
    const { left, top } = this.root.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button > 1) return;
    event.preventDefault();
    this.root.setPointerCapture(event.pointerId);
    this.start = this.#at(event);
    this.last = this.start.x;
    this.fingers.set(event.pointerId, this.start);
    this.mode = event.button === 1 || event.pointerType === 'touch' ? 'move' : 'select';
    if (this.mode === 'select') this.gestures.down(this.start.x, this.start.y, event.altKey);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const { x, y } = this.#at(event);
    if (this.fingers.size === 2) this.#pinch(event.pointerId, x, y);
    else if (this.mode === 'select') this.gestures.drag(x, event.altKey);
    else if (this.mode === 'move') this.gestures.move(this.last - x);
    this.last = x;
    if (this.fingers.has(event.pointerId)) this.fingers.set(event.pointerId, { x, y });
    this.gestures.hover(event, x, y);
  }

  /** Two fingers keep the times that they are on.
   * @param {number} id @param {number} x @param {number} y */
  #pinch(id, x, y) {
    const before = [...this.fingers.values()];
    const after = [...this.fingers].map(([finger, place]) => (finger === id ? { x, y } : place));
    const distance = (/** @type {{x: number, y: number}[]} */ [a, b]) => Math.max(20, Math.hypot(a.x - b.x, a.y - b.y));
    const middle = (/** @type {{x: number, y: number}[]} */ [a, b]) => (a.x + b.x) / 2;
    this.gestures.move(middle(before) - middle(after));
    this.gestures.zoom(distance(before) / distance(after), middle(after));
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const { x, y } = this.#at(event);
    const moved = Math.abs(x - this.start.x) > CLICK;
    if (this.mode === 'select' || !moved) this.gestures.up(x, y, moved);
    this.#end(event);
  }

  /** @param {PointerEvent} event */
  #end(event) {
    this.fingers.delete(event.pointerId);
    this.mode = null;
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    const size = event.deltaMode ? 16 : 1;
    if (event.ctrlKey) this.gestures.zoom(Math.exp(Math.max(-100, Math.min(100, event.deltaY * size)) / 250), this.#at(event).x);
    else if (event.shiftKey || event.deltaX) this.gestures.move((event.deltaX || event.deltaY) * size);
    else return;
    event.preventDefault();
  }
}
