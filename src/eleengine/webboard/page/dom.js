// Making elements. Text always becomes a text node: what records say is never taken for HTML.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | false | null | undefined} Child */
/** @typedef {Child | Child[]} Children */

/**
 * Attributes, and what is done on events. Those that are null, undefined or false are left out.
 * @typedef {{ [K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K]) => unknown }} Handlers
 * @typedef {Handlers & Record<string, unknown>} Attributes
 */

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Attributes} [attributes]
 * @param {...Children} children
 */
export function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** @param {string} selector @param {ParentNode} host @returns {HTMLElement[]} */
export const findAll = (selector, host = document) => [...host.querySelectorAll(selector)].filter((found) => found instanceof HTMLElement);

// An element that is always there.
/** @param {string} selector @param {ParentNode} host */
export function find(selector, host = document) {
  const found = /** @type {HTMLElement | null} */ (host.querySelector(selector));
  if (!found) throw new Error(`the page has no ${selector}`);
  return found;
}

/** @param {Event} event */
export const targetOf = (event) => (event.target instanceof Element ? event.target : document.documentElement);

// The element with a data-NAME that an event went to, or that is around it.
/** @param {Event} event @param {string} name */
export const pressed = (event, name) => /** @type {HTMLElement | null} */ (targetOf(event).closest(`[data-${name}]`));

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Attributes} [attributes]
 * @param {...Children} children
 */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Attributes} attributes
 * @param {Children[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter(isShown).map((child) => (child instanceof Node ? child : String(child))));
  return element;
}

/** @param {Child} child @returns {child is Node | string | number} */
const isShown = (child) => child !== null && child !== undefined && child !== false;

const ICONS = {
  first: "M6 5v14M19 5l-9 7 9 7z",
  previous: "M16 5l-9 7 9 7z",
  next: "M8 5l9 7-9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
  flip: "M8 4v14M4 8l4-4 4 4M16 20V6M12 16l4 4 4-4",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.6.5.9 1.1.9 1.8h5.2c0-.7.3-1.3.9-1.8A6 6 0 0 0 12 3z",
  new: "M12 5v14M5 12h14",
  open: "M3 6h6l2 2h10v11H3z",
  save: "M12 4v11M7 11l5 5 5-5M4 20h16",
  copy: "M8 8h12v12H8zM16 8V4H4v12h4",
  edit: "M4 20l1-5L16 4l4 4L9 19z",
  practice: "M12 3a9 9 0 1 0 9 9M12 8a4 4 0 1 0 4 4M12 12l8-8M17 4v3h3",
  puzzle: "M9 4h6v3a2 2 0 1 0 4 0h1v13H4V7h5z",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4v6M9 14v6",
  help: "M9 9a3 3 0 1 1 4 3c-1 .5-1 1-1 2M12 18h.01",
  phone: "M8 3h8v18H8zM11 18h2",
  review: "M4 19l5-7 4 4 7-10",
  undo: "M9 6L4 11l5 5M4 11h10a6 6 0 0 1 0 9h-2",
  flag: "M6 21V4h12l-3 4 3 4H6",
  half: "M5 9h14M5 15h14",
  pause: "M8 5v14M16 5v14",
  play: "M7 5l12 7-12 7z",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  close: "M6 6l12 12M18 6L6 18",
};

/** @param {keyof typeof ICONS} name */
export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}

/**
 * A button with an icon and words; words that do not fit are for screen readers and the tooltip.
 * @param {keyof typeof ICONS | null} name
 * @param {string} text
 * @param {(event: MouseEvent) => unknown} action
 * @param {{ quiet?: boolean, kind?: string, key?: string }} [options]
 */
export function button(name, text, action, { quiet = false, kind = "", key = "" } = {}) {
  return el(
    "button",
    { type: "button", class: `${quiet ? "icononly" : ""} ${kind}`, title: key ? `${text} (${key})` : text, "aria-label": quiet ? text : null, onclick: action },
    name ? icon(name) : null,
    quiet ? null : el("span", {}, text),
  );
}

const FOCUSABLE = "button:not(:disabled), input, select, textarea, summary, [tabindex]";
/** @param {HTMLElement} element */
const nameOf = (element) => element.dataset.id ?? `${element.tagName} ${element.getAttribute("aria-label") ?? element.textContent}`;

// Replace what an element holds; the focus stays on what has the same name, or on the first that can have it.
/** @param {HTMLElement} element @param {...Children} children */
export function clear(element, ...children) {
  const active = document.activeElement;
  const name = active !== element && element.contains(active) && active instanceof HTMLElement ? nameOf(active) : null;
  element.replaceChildren();
  fill(element, {}, children);
  if (name === null) return;
  const targets = findAll(FOCUSABLE, element);
  (targets.find((target) => nameOf(target) === name) ?? targets[0])?.focus({ preventScroll: true });
}

// A button that opens a small panel; Escape and a press elsewhere close it (keys.js).
/** @param {string} label @param {string} text @param {...Children} children */
export function popup(label, text, ...children) {
  return el("details", { class: "popup" }, el("summary", { "aria-label": label, title: label }, text), el("div", {}, ...children));
}

/** @typedef {string | number} Value */

/**
 * @param {string} label
 * @param {(readonly Value[])[]} options of each its value and its text
 * @param {Value} value the one that is chosen
 * @param {(value: string) => unknown} change
 */
export function choice(label, options, value, change) {
  const select = el("select", { onchange: () => { change(select.value); } });
  for (const [option, text] of options) select.append(el("option", { value: option, selected: String(option) === String(value) }, text));
  return el("label", { class: "field" }, el("span", {}, label), select);
}

/** @param {string} label @param {boolean} value @param {(value: boolean) => unknown} change */
export function check(label, value, change) {
  const box = el("input", { type: "checkbox", checked: value, onchange: () => { change(box.checked); } });
  return el("label", { class: "check" }, box, el("span", {}, label));
}

// A device that is used by fingers, without a mouse beside
export const isTouch = () => matchMedia("(hover: none) and (pointer: coarse)").matches;

/**
 * @template {Element} E
 * @param {E} element
 */
export const focused = (element) => (element.setAttribute("autofocus", ""), element);

export function closeDialogs() {
  for (const box of document.querySelectorAll("dialog")) box.close();
}

// A dialog that is modal, closes with Escape, and is gone when it is closed.
/** @param {{ t: (key: string) => string }} app @param {string} title @param {...Children} children */
export function dialog({ t }, title, ...children) {
  const box = el(
    "dialog",
    { "aria-label": title },
    el("header", {}, el("h2", {}, title), button("close", t("close"), () => { box.close(); }, { quiet: true })),
    el("div", { class: "body" }, ...children),
  );
  // What opened it has the focus again; if that has been drawn anew meanwhile, what has its name or, in another
  // language, its place.
  const opener = document.activeElement;
  const place = opener instanceof HTMLElement ? findAll(FOCUSABLE).indexOf(opener) : -1;
  const name = opener instanceof HTMLElement ? nameOf(opener) : "";
  box.addEventListener("close", () => {
    const notice = box.querySelector("#notice"); // which outlives the dialog
    if (notice) find(".boardrow").append(notice);
    box.remove();
    if (place < 0 || opener?.isConnected) return;
    const targets = findAll(FOCUSABLE);
    (targets.find((target) => nameOf(target) === name) ?? targets[place])?.focus({ preventScroll: true });
  });
  // A press beside it closes it: not the end of a selection that began in it, nor the second half of the double click
  // that opened it.
  let beside = false;
  box.addEventListener("pointerdown", (event) => (beside = event.target === box));
  box.addEventListener("click", (event) => beside && event.target === box && event.detail < 2 && box.close());
  document.body.append(box);
  box.showModal();
  return box;
}
