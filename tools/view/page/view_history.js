// The views before, as entries of the browser's history: one for each time that the view rests, not for each step of a movement.

export class ViewHistory {
  constructor() {
    /** The number of the entry, and that of the last one. */
    this.at = history.state?.at ?? 0;
    this.last = this.at;
    this.view = '';
    this.address = '';
  }

  /** The address has all that is shown.
   * @param {string} view in words @param {string} address */
  rested(view, address) {
    const isNew = this.view !== '' && view !== this.view;
    // A browser takes some hundreds of changes within seconds.
    if (!isNew && address === this.address) return;
    [this.view, this.address] = [view, address];
    if (isNew) this.last = ++this.at;
    history[isNew ? 'pushState' : 'replaceState']({ at: this.at }, '', address);
  }

  /** The browser shows another entry.
   * @param {number} at @param {string} view */
  came(at, view) {
    this.at = at;
    [this.view, this.address] = [view, ''];
  }

  /** @param {1|-1} by @returns {boolean} whether there is such a view */
  step(by) {
    if (this.at + by < 0 || this.at + by > this.last) return false;
    history.go(by);
    return true;
  }
}
