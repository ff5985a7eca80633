// Questions and lists in front of the page: names and times, what can be copied, the keys.
import { byId, element, fill } from './dom.js';
import { visible } from './text.js';

/** @typedef {{keys: string, does: string}} Help
 * @typedef {{name: string, text: string}} Copyable */

export class Dialogs {
  constructor() {
    this.dialog = byId('dialog', HTMLDialogElement);
    this.dialog.addEventListener('click', (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
  }

  get isOpen() {
    return this.dialog.open;
  }

  /** @param {string} title @param {Node[]} children */
  #open(title, ...children) {
    const close = element('button', { type: 'button', 'aria-label': 'close' }, '✕');
    close.addEventListener('click', () => this.dialog.close());
    fill(this.dialog, element('header', {}, element('h2', { id: 'dialog-title' }, title), close), ...children);
    this.dialog.returnValue = '';
    this.dialog.showModal();
  }

  /** @param {string} title @param {string} hint @param {string} value @returns {Promise<string|null>} */
  ask(title, hint, value = '') {
    const input = element('input', { type: 'text', 'aria-label': title, value, autocomplete: 'off' });
    const form = element('form', {}, input, element('button', { type: 'submit' }, 'OK'));
    this.#open(title, form, element('p', { class: 'muted' }, hint));
    input.select();
    return new Promise((resolve) => {
      let answer = /** @type {string|null} */ (null);
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        answer = input.value;
        this.dialog.close();
      });
      this.dialog.addEventListener('close', () => resolve(answer), { once: true });
    });
  }

  /** @param {Copyable[]} list @param {(text: string, name: string) => void} copy */
  copy(list, copy) {
    this.#open('Copy', ...list.map(({ name, text }) => {
      const code = element('code');
      code.textContent = text.replace(/[^\t\n]+/g, (words) => visible(words));
      const button = element('button', { type: 'button', class: 'copy' }, element('b', {}, name), code);
      button.addEventListener('click', () => {
        this.dialog.close();
        copy(text, name);
      });
      return button;
    }));
  }

  /** @param {Help[]} list */
  help(list) {
    const rows = list.map(({ keys, does }) => element('tr', {}, element('th', { scope: 'row' }, ...keys.split(' ').map((key) => element('kbd', {}, key))), element('td', {}, does)));
    this.#open('Keys and pointer', element('table', { class: 'help', 'aria-labelledby': 'dialog-title' }, element('tbody', {}, ...rows)));
  }
}
