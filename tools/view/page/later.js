// Work that is done after a pause, unless other work is asked for meanwhile: only the last is done.

export class Later {
  /** @param {number} pause in milliseconds */
  constructor(pause) {
    this.pause = pause;
    this.timer = 0;
    this.abort = new AbortController();
  }

  /** Nothing is to be done any more, and requests under way end. */
  drop() {
    clearTimeout(this.timer);
    this.abort.abort();
    this.abort = new AbortController();
  }

  /** @param {(signal: AbortSignal) => unknown} work */
  ask(work) {
    this.drop();
    const { signal } = this.abort;
    this.timer = setTimeout(() => work(signal), this.pause);
  }
}
