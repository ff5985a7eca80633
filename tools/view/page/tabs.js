// The tabs of the panel: one is shown; arrows go from tab to tab.

/** @typedef {{tab: HTMLElement, panel: HTMLElement}} Tab */

export class Tabs {
  /** @param {Tab[]} tabs @param {(panel: HTMLElement) => void} shown */
  constructor(tabs, shown) {
    this.tabs = tabs;
    this.shown = shown;
    tabs.forEach(({ tab }, n) => {
      tab.addEventListener('click', () => this.choose(n));
      tab.addEventListener('keydown', (event) => {
        const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!by) return;
        event.preventDefault();
        event.stopPropagation();
        this.choose((n + by + tabs.length) % tabs.length);
        this.tabs[this.chosen].tab.focus();
      });
    });
  }

  get chosen() {
    return this.tabs.findIndex(({ panel }) => !panel.hidden);
  }

  /** The next one, with the keyboard in it. */
  next() {
    this.choose((this.chosen + 1) % this.tabs.length);
    /** @type {HTMLElement|null} */ (this.tabs[this.chosen].panel.querySelector('[tabindex]'))?.focus();
  }

  /** @param {number} chosen */
  choose(chosen) {
    this.tabs.forEach(({ tab, panel }, n) => {
      panel.hidden = n !== chosen;
      tab.setAttribute('aria-selected', String(n === chosen));
      tab.tabIndex = n === chosen ? 0 : -1;
    });
    this.shown(this.tabs[chosen].panel);
  }
}
