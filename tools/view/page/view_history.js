// The views before, for Z and shift+Z: one entry for each time that the view rests, not for each step of a movement.

/** @typedef {import('./viewport.js').Viewport} Viewport */

export class ViewHistory {
  constructor() {
    /** @type {Viewport[]} */ this.views = [];
    this.at = -1;
  }

  /** @param {Viewport} view */
  rested(view) {
    if (this.at >= 0 && this.views[this.at].equals(view)) return;
    this.views = [...this.views.slice(Math.max(0, this.at - 98), this.at + 1), view];
    this.at = this.views.length - 1;
  }

  /** @param {1|-1} by @returns {Viewport|null} */
  step(by) {
    if (!this.views[this.at + by]) return null;
    this.at += by;
    return this.views[this.at];
  }
}
