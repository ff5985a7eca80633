import { visible } from './text.js';

/** The element of index.html with this id.
 * @template {HTMLElement} T @param {string} id @param {new () => T} type @returns {T} */
export function byId(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no ${id}`);
  return found;
}

/** A new element; every text in it is shown with visible().
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Record<string, string>} attributes @param {(Node|string)[]} children
 * @returns {HTMLElementTagNameMap[K]} */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const name in attributes) made.setAttribute(name, attributes[name]);
  made.append(...children.map((child) => (typeof child === 'string' ? visible(child) : child)));
  return made;
}

/** @param {Element} parent @param {(Node|string)[]} children */
export function fill(parent, ...children) {
  parent.replaceChildren(...children.map((child) => (typeof child === 'string' ? visible(child) : child)));
}

/** The context of a canvas, whose size in device pixels becomes that given.
 * @param {HTMLCanvasElement} canvas @param {number} width @param {number} height */
export function sized(canvas, width, height) {
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) throw new Error('this browser has no canvas');
  return context;
}

/** A canvas that is not in the page.
 * @param {number} width @param {number} height */
export function newCanvas(width, height) {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  return canvas;
}
