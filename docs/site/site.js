// The menu of narrow screens, the search, and which section is in view. Without it the pages are readable all the same.
"use strict";

const top_ = document.currentScript.dataset.top;
const kMostFound = 30;
const kInTitle = 30; // the least rank of what has all words in its title

const menu = document.getElementById("menu");
menu.addEventListener("click", () => {
  const open = document.body.classList.toggle("menu-open");
  menu.setAttribute("aria-expanded", String(open));
});
document.getElementById("navigation").addEventListener("click", (event) => {
  if (event.target.closest("a")) document.body.classList.remove("menu-open");
});

// The index is fetched when somebody searches first; as a script, since pages that are opened from disk may fetch nothing else.
let loading = null;
function loadIndex() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${top_}/search.js`;
    script.onload = () => resolve(window.searchIndex.map(([title, place, link, text]) => ({title, place, link, text, low: title.toLowerCase(), all: `${title} ${text}`.toLowerCase()})));
    script.onerror = () => reject(new Error("the index of the search cannot be loaded"));
    document.head.append(script);
  });
  return loading;
}

// How well an entry fits: names before headings before text with all words together, before other text; 0 if a word is missing.
function rank(entry, words) {
  if (!words.every((word) => entry.all.includes(word))) return 0;
  const whole = words.join(" ");
  const last = entry.low.split("::").pop();
  if (entry.low === whole || last === whole) return 100;
  if (entry.low.startsWith(whole) || last.startsWith(whole)) return 60;
  if (words.every((word) => entry.low.includes(word))) return kInTitle;
  return entry.all.includes(whole) ? 2 : 1;
}

const field = document.getElementById("search");
const found = document.getElementById("found");
let chosen = -1;

function excerpt(entry, words) {
  const text = entry.text.toLowerCase();
  const whole = text.indexOf(words.join(" "));
  const at = whole < 0 ? text.indexOf(words[0]) : whole;
  if (at < 0) return "";
  const begin = Math.max(0, at - 40);
  const end = at + 80;
  return `${begin > 0 ? "…" : ""}${entry.text.slice(begin, end)}${end < text.length ? "…" : ""}`;
}

function element(name, text, className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
}

function show(entries, words) {
  chosen = -1;
  field.removeAttribute("aria-activedescendant");
  found.replaceChildren(...entries.map((entry, i) => {
    const item = document.createElement("li");
    item.id = `found-${i}`;
    item.setAttribute("role", "option");
    const link = element("a", "");
    link.href = `${top_}/${entry.link}`;
    link.tabIndex = -1;
    link.append(element("b", entry.title), element("span", entry.place, "place"), element("span", excerpt(entry, words), "excerpt"));
    item.append(link);
    return item;
  }));
  if (entries.length === 0) found.append(element("li", "Nothing found", "none"));
  found.hidden = words.length === 0;
  field.setAttribute("aria-expanded", String(!found.hidden));
}

async function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter((word) => word);
  if (words.length === 0) return show([], words);
  let entries;
  try {
    entries = await loadIndex();
  } catch (error) {
    found.replaceChildren(element("li", error.message, "none"));
    found.hidden = false;
    return;
  }
  const ranked = entries.map((entry) => ({entry, rank: rank(entry, words)})).filter((each) => each.rank > 0);
  // Of names the shortest first, of text in the order of the documents.
  ranked.sort((a, b) => b.rank - a.rank || (a.rank < kInTitle ? 0 : a.entry.title.length - b.entry.title.length));
  show(ranked.slice(0, kMostFound).map((each) => each.entry), words);
}

function choose(step) {
  const items = found.querySelectorAll("[role=option]");
  if (items.length === 0) return;
  items[chosen]?.removeAttribute("aria-selected");
  chosen = (chosen + step + items.length + (chosen < 0 && step < 0 ? 1 : 0)) % items.length;
  items[chosen].setAttribute("aria-selected", "true");
  items[chosen].scrollIntoView({block: "nearest"});
  field.setAttribute("aria-activedescendant", items[chosen].id);
}

field.addEventListener("focus", () => loadIndex().catch(() => {}));
field.addEventListener("input", search);
field.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    choose(event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "Enter") {
    found.querySelectorAll("a")[Math.max(chosen, 0)]?.click();
  } else if (event.key === "Escape") {
    field.value = "";
    show([], []);
    field.blur();
  }
});
found.addEventListener("click", (event) => {
  if (event.target.closest("a")) show([], []);
});
document.addEventListener("click", (event) => {
  if (!event.target.closest(".search")) show([], []);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input")) return;
  event.preventDefault();
  field.focus();
});

// Which section of the page is in view.
const links = new Map([...document.querySelectorAll('#navigation a[href^="#"]')].map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
const headings = [...links.keys()].map((id) => document.getElementById(id)).filter((heading) => heading);
let current = null;
function follow() {
  const above = headings.filter((heading) => heading.getBoundingClientRect().top < 120).pop();
  const link = above ? links.get(above.id) : null;
  if (link === current) return;
  current?.classList.remove("in-view");
  link?.classList.add("in-view");
  current = link;
}
addEventListener("scroll", follow, {passive: true});
follow();
document.querySelector('#navigation [aria-current], #navigation .within')?.scrollIntoView({block: "nearest"});
