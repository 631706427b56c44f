// The board: draws a position, takes moves by click, drag, touch and keyboard, and arrows by the right button.

import { el, pressed, svg } from "./dom.js";
import { character, isWestern, piece } from "./pieces.js";

const CELL = 60;
/** The pieces of the usual start */
export const START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
const FILES = "abcdefghi";
const STARS = [19, 25, 64, 70, 27, 29, 31, 33, 35, 54, 56, 58, 60, 62];
const COLORS = ["green", "red", "blue", "yellow"];
const HOLD = 500; // milliseconds after which a finger draws
/** @type {Record<string, [file: number, rank: number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** @typedef {Map<string, string>} Pieces FEN letters by square */
/**
 * ahead: where pieces can be sent before it is their turn. premove: one that was.
 * @typedef {{
 *   pieces: Pieces, legal: Record<string, string[]>, last: string | null, check: string | null,
 *   ahead?: Record<string, string[]>, premove?: string | null,
 * }} Shown
 */
/** @typedef {[from: string, to: string, name: string, width?: number]} DrawnArrow of a class; width: from 0 to 1 */
/** @typedef {{ x: number, y: number, scale: number }} Spot */

/**
 * input: calls what a press or key means in its turn. why: a piece was asked for that cannot move there.
 * @typedef {{
 *   input: (action: () => unknown) => unknown, move: (from: string, to: string) => unknown,
 *   arrow: (from: string, to: string, color: string) => unknown, edit: (pieces: Pieces) => void,
 *   why: (square: string, symbol?: string, to?: string) => unknown, place: (square: string) => boolean,
 *   describe: (square: string, symbol?: string) => string, premove: (from: string, to: string) => unknown,
 *   cancel: () => unknown,
 * }} BoardHandlers
 */

/**
 * A piece in the hand. again: it was selected before. aim: the square below it.
 * @typedef {{
 *   square: string, element: SVGElement, from: Spot, moved: boolean, again: boolean, finger?: boolean, aim?: string | null,
 * }} Held
 */

/** @param {string} fen */
export function piecesOf(fen) {
  /** @type {Pieces} */
  const pieces = new Map();
  fen.split(" ")[0].split("/").forEach((row, index) => {
    let file = 0;
    for (const char of row) {
      if (char >= "1" && char <= "9") file += Number(char);
      else pieces.set(FILES[file++] + (9 - index), char);
    }
  });
  return pieces;
}

/** @param {Pieces} pieces */
export function fenOf(pieces) {
  const rows = [];
  for (let rank = 9; rank >= 0; rank--) {
    let row = "", empty = 0;
    for (const file of FILES) {
      const symbol = pieces.get(file + rank);
      if (!symbol) empty++;
      else {
        row += (empty || "") + symbol;
        empty = 0;
      }
    }
    rows.push(row + (empty || ""));
  }
  return rows.join("/");
}

export class BoardView {
  /** @param {HTMLElement} host @param {BoardHandlers} handlers */
  constructor(host, handlers) {
    this.handlers = handlers;
    this.flipped = false;
    this.letters = "chinese";
    this.notation = "chinese"; // whose files stand at the edges
    /** @type {Shown} */
    this.shown = { pieces: new Map(), legal: {}, last: null, check: null };
    /** @type {Map<string, { symbol: string, element: SVGElement }>} */
    this.elements = new Map();
    /** @type {string | null} */
    this.selected = null;
    /** @type {Held | null} */
    this.held = null;
    /** @type {string | null} */
    this.drawing = null; // where an arrow begins
    /** @type {string | null} */
    this.tapped = null; // by a finger that may be about to scroll
    this.hold = 0; // timer
    /** @type {DrawnArrow[]} */
    this.list = [];
    /** @type {DrawnArrow | null} */
    this.sketch = null; // the arrow that is being drawn
    /** @type {Map<string, HTMLElement>} */
    this.cell = new Map();
    this.focus = "e0";
    this.free = false; // the editor: any piece goes anywhere
    this.svg = svg("svg", { viewBox: "-60 -60 600 660", class: "boardview", "aria-hidden": "true" });
    const layer = (/** @type {string} */ name) => svg("g", { class: name });
    this.layers = {
      ground: layer("ground"), under: layer("under"), pieces: layer("pieces"), over: layer("over"), aim: layer("aim"),
      arrows: layer("arrows"), held: layer("held"),
    };
    this.svg.append(...Object.values(this.layers));
    this.grid = el("div", { class: "grid", role: "grid" });
    host.append(el("div", { class: "boardbox" }, this.svg, this.grid));
    this.listen();
    this.ground();
  }

  // Geometry

  /** @param {string} square */
  point(square) {
    let column = FILES.indexOf(square[0]), row = 9 - Number(square[1]);
    if (this.flipped) [column, row] = [8 - column, 9 - row];
    return [column * CELL, row * CELL];
  }

  // Where a pointer is, in units of the picture
  /** @param {PointerEvent} event */
  spot(event) {
    const box = this.svg.getBoundingClientRect();
    const scale = 600 / box.width;
    return { x: (event.clientX - box.left) * scale - CELL, y: (event.clientY - box.top) * scale - CELL, scale };
  }

  /** @param {{ x: number, y: number }} spot */
  squareAt({ x, y }) {
    let column = Math.round(x / CELL), row = Math.round(y / CELL);
    if (column < 0 || column > 8 || row < 0 || row > 9) return null;
    if (this.flipped) [column, row] = [8 - column, 9 - row];
    return FILES[column] + (9 - row);
  }

  // Drawing

  ground() {
    const lines = [];
    for (let y = 0; y <= 540; y += CELL) lines.push(`M0 ${y}H480`);
    for (let x = CELL; x < 480; x += CELL) lines.push(`M${x} 0V240M${x} 300V540`);
    lines.push("M0 0V540M480 0V540M180 0l120 120M300 0l-120 120M180 420l120 120M300 420l-120 120");
    for (const star of STARS) {
      const x = (star % 9) * CELL, y = Math.floor(star / 9) * CELL;
      for (const dx of [-1, 1]) {
        if (x + dx * CELL < 0 || x + dx * CELL > 480) continue;
        for (const dy of [-1, 1]) lines.push(`M${x + 4 * dx} ${y + 13 * dy}v${-9 * dy}h${9 * dx}`);
      }
    }
    const ground = this.layers.ground;
    ground.replaceChildren(
      svg("rect", { class: "wood", x: -60, y: -60, width: 600, height: 660, rx: 10 }),
      svg("path", { class: "files", d: lines.join("") }),
      svg("rect", { class: "frame", x: -5, y: -5, width: 490, height: 550 }),
    );
    const western = isWestern(this.letters);
    const coordinates = this.notation === "iccs";
    const river = western ? "" : this.letters === "traditional" ? "楚河漢界" : "楚河汉界";
    [...river].forEach((char, n) => ground.append(svg("g", { class: "word" }, character(char, 34, [90, 150, 330, 390][n], 270))));
    for (let file = 0; file < 9; file++) {
      const x = (this.flipped ? 8 - file : file) * CELL;
      let below = coordinates ? FILES[file] : (this.notation === "wxf" ? "987654321" : "九八七六五四三二一")[file];
      let above = coordinates ? FILES[file] : "123456789"[file];
      if (this.flipped) [below, above] = [above, below];
      for (const [char, y] of /** @type {[string, number][]} */ ([[below, 586], [above, -46]])) {
        ground.append(svg("g", { class: "word" }, character(char, /\w/.test(char) ? 17 : 16, x, y)));
      }
    }
    if (coordinates) {
      for (let rank = 0; rank < 10; rank++) {
        const y = (this.flipped ? rank : 9 - rank) * CELL;
        for (const x of [-46, 526]) ground.append(svg("g", { class: "word" }, character(String(rank), 17, x, y)));
      }
    }
    this.cells();
  }

  // The keyboard's grid: 90 points with one tab stop.
  cells() {
    const rows = [];
    this.cell.clear();
    for (let row = 0; row < 10; row++) {
      const cells = [];
      for (let column = 0; column < 9; column++) {
        const square = this.flipped ? FILES[8 - column] + row : FILES[column] + (9 - row);
        const cell = el("div", { role: "gridcell", tabindex: square === this.focus ? 0 : -1, "data-square": square });
        this.cell.set(square, cell);
        cells.push(cell);
      }
      rows.push(el("div", { role: "row" }, cells));
    }
    this.grid.replaceChildren(...rows);
    this.label();
  }

  label() {
    for (const [square, cell] of this.cell) {
      cell.setAttribute("aria-label", this.handlers.describe(square, this.shown.pieces.get(square)));
      cell.setAttribute("aria-selected", String(square === this.selected));
    }
  }

  /** @param {{ flipped?: boolean, letters?: string, notation?: string }} look */
  configure({ flipped = this.flipped, letters = this.letters, notation = this.notation }) {
    const changed = flipped !== this.flipped || letters !== this.letters || notation !== this.notation;
    const redraw = letters !== this.letters;
    this.flipped = flipped;
    this.letters = letters;
    this.notation = notation;
    if (!changed) return;
    this.ground();
    if (redraw) {
      this.letGo();
      this.layers.pieces.replaceChildren();
      this.elements.clear();
    }
    this.show(this.shown, { animate: false });
  }

  /** @param {Shown} shown @param {{ animate?: boolean }} [options] */
  show(shown, { animate = true } = {}) {
    const { selected } = this, old = this.shown;
    const same = selected && shown.pieces.get(selected) === old.pieces.get(selected) && (old.ahead?.[selected] || samePieces(shown.pieces, old.pieces));
    this.shown = shown;
    // News that move no piece do not take away the one that somebody is about to move, nor does the answer to wait for.
    if (this.free || !same || !this.movable(selected)) this.letGo();
    this.layers.pieces.classList.toggle("still", !animate);
    /** @type {{ square: string, symbol: string, element: SVGElement }[]} */
    const spare = [];
    for (const [square, { symbol, element }] of this.elements) {
      if (shown.pieces.get(square) !== symbol) {
        spare.push({ square, symbol, element });
        this.elements.delete(square);
      }
    }
    for (const [square, symbol] of shown.pieces) {
      let found = this.elements.get(square);
      if (!found) {
        const index = spare.findIndex((item) => item.symbol === symbol);
        if (index >= 0) [found] = spare.splice(index, 1);
        else {
          const element = svg("g", { class: "at" }, piece(symbol, this.letters));
          found = { symbol, element };
          this.layers.pieces.append(element);
        }
        this.elements.set(square, { symbol, element: found.element });
      }
      if (!(this.held?.moved && this.held.square === square)) this.put(found.element, square);
    }
    for (const { element } of spare) element.remove();
    this.marks();
    this.label();
  }

  /** @param {SVGElement} element @param {string} square */
  put(element, square) {
    const [x, y] = this.point(square);
    element.style.transform = `translate(${x}px,${y}px)`;
  }

  marks() {
    const { last, check, premove } = this.shown;
    const under = [], over = [];
    if (last) for (const square of [last.slice(0, 2), last.slice(2, 4)]) under.push(this.brackets(square, "last"));
    if (check) under.push(this.circle(check, 31, "check"));
    if (premove) for (const square of [premove.slice(0, 2), premove.slice(2)]) under.push(this.circle(square, 31, "premove"));
    if (this.selected) {
      under.push(this.circle(this.selected, 31, "selected"));
      for (const square of this.targets(this.selected)) {
        over.push(this.shown.pieces.has(square) ? this.circle(square, 30, "take") : this.circle(square, 8, "target"));
      }
    }
    this.layers.under.replaceChildren(...under);
    this.layers.over.replaceChildren(...over);
  }

  /** @param {string} square @param {number} r @param {string} name */
  circle(square, r, name) {
    const [cx, cy] = this.point(square);
    return svg("circle", { class: name, cx, cy, r });
  }

  /** @param {string} square @param {string} name */
  brackets(square, name) {
    const [x, y] = this.point(square);
    const d = [[-1, -1], [-1, 1], [1, -1], [1, 1]]
      .map(([dx, dy]) => `M${x + 29 * dx} ${y + 16 * dy}V${y + 29 * dy}H${x + 16 * dx}`)
      .join("");
    return svg("path", { class: name, d });
  }

  /** @param {DrawnArrow[]} list */
  arrows(list) {
    this.list = list;
    this.layers.arrows.replaceChildren(
      ...[...list, ...(this.sketch ? [this.sketch] : [])].map(([from, to, name, width = 1]) => {
        if (from === to) return this.circle(from, 29, `ring-arrow ${name}`);
        const [x, y] = this.point(from), [tx, ty] = this.point(to);
        const length = Math.hypot(tx - x, ty - y), ux = (tx - x) / length, uy = (ty - y) / length;
        const w = 2.5 + 3 * width, barb = w * 2.6, neck = length - 14 - barb;
        const outline = [[10, w], [neck, w], [neck, barb], [length - 6, 0], [neck, -barb], [neck, -w], [10, -w]];
        const points = outline.map(([way, side]) => `${x + way * ux - side * uy},${y + way * uy + side * ux}`).join(" ");
        return svg("polygon", { class: `arrow ${name}`, points });
      }),
    );
  }

  // Input

  listen() {
    const box = this.svg;
    const { input } = this.handlers;
    /**
     * @param {"pointerdown" | "pointermove" | "pointerup" | "pointercancel"} name
     * @param {(event: PointerEvent, spot: Spot) => void} action
     */
    const listen = (name, action) => box.addEventListener(name, (event) => {
      if (!event.isPrimary) return; // one finger moves; others would take its piece away from it
      const spot = this.spot(event); // now: the board may have another place when its turn comes
      input(() => action(event, spot));
    });
    box.addEventListener("pointerdown", (event) => box.setPointerCapture(event.pointerId));
    listen("pointerdown", (event, spot) => this.down(event, spot));
    listen("pointermove", (event, spot) => this.drag(event, spot));
    listen("pointerup", (event, spot) => this.up(event, spot));
    listen("pointercancel", () => this.cancel());
    box.addEventListener("contextmenu", (event) => event.preventDefault());
    // A finger that draws scrolls nothing.
    box.addEventListener("touchmove", (event) => this.drawing && event.preventDefault(), { passive: false });
    this.grid.addEventListener("keydown", (event) => this.key(event));
    this.grid.addEventListener("focusin", (event) => {
      const square = pressed(event, "square")?.dataset.square;
      if (square) this.rove(square);
    });
    // The grid lies over the picture for the keyboard only.
  }

  /** @param {string} square */
  targets(square) {
    return this.shown.legal[square] ?? this.shown.ahead?.[square] ?? [];
  }

  /** @param {string} square */
  movable(square) {
    return this.free ? this.shown.pieces.has(square) : this.targets(square).length > 0;
  }

  // A press takes a premove back; on its own points it does nothing else.
  /** @param {string} square */
  cancels(square) {
    const { premove } = this.shown;
    if (premove) this.handlers.cancel();
    return premove?.slice(0, 2) === square || premove?.slice(2) === square;
  }

  /** @param {PointerEvent} event @param {Spot} spot */
  down(event, spot) {
    const square = this.squareAt(spot);
    if (!square) return;
    if (event.button === 2) {
      this.drawing = square;
      return;
    }
    if (event.button !== 0) return;
    if (event.pointerType === "touch" && !this.free) this.hold = setTimeout(() => this.draw(square), HOLD);
    // A finger on an empty point may be about to scroll the page: it counts when it is lifted there.
    if (event.pointerType === "touch" && !this.shown.pieces.has(square)) {
      this.tapped = square;
      return;
    }
    if (this.cancels(square) || (this.free && this.handlers.place(square))) return;
    if (this.selected && this.selected !== square && this.take(square)) return;
    const again = this.selected === square;
    if (!this.choose(square)) return;
    const found = this.elements.get(square);
    if (found) this.held = { square, element: found.element, from: spot, moved: false, again };
  }

  // A finger has rested on a point: what it does next is an arrow.
  /** @param {string} square */
  draw(square) {
    if (this.held?.moved) return;
    this.letGo();
    this.tapped = null;
    this.drawing = square;
    this.sketch = [square, square, COLORS[0]];
    this.marks();
    this.arrows(this.list);
    navigator.vibrate?.(20);
  }

  /** @param {PointerEvent} event @param {Spot} spot */
  drag(event, spot) {
    if (this.drawing) {
      const to = this.squareAt(spot);
      this.sketch = to && to !== this.drawing ? [this.drawing, to, colorOf(event)] : null;
      this.arrows(this.list);
      return;
    }
    const held = this.held;
    if (!held && this.squareAt(spot) !== this.tapped) clearTimeout(this.hold);
    if (!held) return;
    if (!held.moved && Math.hypot(spot.x - held.from.x, spot.y - held.from.y) < 5 * spot.scale) return;
    if (!held.moved) {
      clearTimeout(this.hold);
      held.moved = true;
      held.finger = event.pointerType === "touch";
      held.element.classList.add("lifted");
      held.element.classList.toggle("finger", held.finger);
      this.layers.held.append(held.element);
    }
    const above = held.finger ? 40 * spot.scale : 0; // a finger would hide the piece
    held.element.style.transform = `translate(${spot.x}px,${spot.y - above}px)`;
    const square = this.squareAt(spot);
    if (square !== held.aim) {
      held.aim = square;
      this.layers.aim.replaceChildren(...(square ? [this.circle(square, 31, "aim")] : []));
    }
  }

  /** @param {PointerEvent} event @param {Spot} spot */
  up(event, spot) {
    clearTimeout(this.hold);
    if (this.drawing) {
      const to = this.squareAt(spot);
      if (to) this.handlers.arrow(this.drawing, to, colorOf(event));
      this.drawing = this.sketch = null;
      this.arrows(this.list);
      return;
    }
    if (this.tapped) {
      const square = this.tapped;
      this.tapped = null;
      if (this.squareAt(spot) === square) this.press(square);
      return;
    }
    const held = this.held;
    if (!held) return;
    this.release();
    if (!held.moved) {
      if (held.again) this.select(null);
      return;
    }
    const square = this.squareAt(spot);
    if (this.free) this.edit(held.square, square);
    else if (square && square !== held.square && !this.take(square, { dropped: true })) this.handlers.why(held.square, this.shown.pieces.get(held.square), square);
  }

  // The browser has taken the pointer for something else.
  cancel() {
    clearTimeout(this.hold);
    this.release();
    this.drawing = this.sketch = this.tapped = null;
    this.arrows(this.list);
  }

  letGo() {
    this.release();
    this.selected = null;
  }

  // Put a held piece back.
  release() {
    if (!this.held) return;
    const { element, square, moved } = this.held;
    this.held = null;
    this.layers.aim.replaceChildren();
    if (!moved) return;
    this.layers.pieces.classList.add("still");
    element.classList.remove("lifted", "finger");
    this.layers.pieces.append(element);
    this.put(element, square);
  }

  /** @param {string | null} square */
  select(square) {
    this.selected = square;
    this.marks();
    this.label();
  }

  // Select a piece if it can move; if it cannot, or the selected one cannot come here, somebody says why.
  /** @param {string} square */
  choose(square) {
    // What the selected piece cannot take is no piece to send ahead.
    const movable = this.movable(square) && !(this.selected && this.shown.legal[this.selected] && this.shown.ahead?.[square]);
    if (!movable) this.refuse(square);
    this.select(movable ? square : null);
    return movable;
  }

  /** @param {string} square */
  refuse(square) {
    const { pieces } = this.shown, from = this.selected, own = from && pieces.get(from), other = pieces.get(square);
    if (from && own && square !== from && !(other && isRed(own) === isRed(other))) this.handlers.why(from, own, square);
    else this.handlers.why(square, other);
  }

  // The selected piece goes to a square, if it may.
  /** @param {string} square @param {{ dropped?: boolean }} [options] */
  take(square, { dropped = false } = {}) {
    const from = this.selected, symbol = from && this.shown.pieces.get(from);
    if (!from || !symbol) return false;
    if (this.free) return this.edit(from, square);
    if (!this.targets(from).includes(square)) return false;
    if (!this.shown.legal[from]) {
      const friend = this.shown.pieces.get(square);
      if (!dropped && friend && isRed(friend) === isRed(symbol)) return false; // it is selected instead
      this.select(null);
      this.handlers.premove(from, square);
      return true;
    }
    this.select(null);
    // Shown at once; the answer of the server draws the truth.
    const pieces = new Map(this.shown.pieces);
    pieces.set(square, symbol);
    pieces.delete(from);
    this.show({ pieces, legal: {}, last: from + square, check: null }, { animate: !dropped });
    this.handlers.move(from, square);
    return true;
  }

  /**
   * @param {string} from
   * @param {string | null} to null: off the board
   */
  edit(from, to) {
    const pieces = new Map(this.shown.pieces);
    const symbol = pieces.get(from);
    pieces.delete(from);
    if (to && symbol) pieces.set(to, symbol);
    this.selected = null;
    this.handlers.edit(pieces);
    return true;
  }

  /** @param {string} square */
  rove(square) {
    this.cell.get(this.focus)?.setAttribute("tabindex", "-1");
    this.focus = square;
    this.cell.get(square)?.setAttribute("tabindex", "0");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const steps = STEPS[event.key];
    if (steps && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
      const way = this.flipped ? -1 : 1;
      const file = FILES.indexOf(this.focus[0]) + way * steps[0], rank = Number(this.focus[1]) + way * steps[1];
      if (file >= 0 && file < 9 && rank >= 0 && rank < 10) this.cell.get(FILES[file] + rank)?.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      const square = this.focus;
      this.handlers.input(() => this.press(square));
    } else if (event.key === "Escape" && this.selected) this.select(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Enter on a point, or a tap on an empty one
  /** @param {string} square */
  press(square) {
    if (this.cancels(square) || (this.free && this.handlers.place(square))) return; // that was all
    if (this.selected === square) this.select(null);
    else if (!(this.selected && this.take(square))) this.choose(square);
  }
}

/** @param {string} symbol */
const isRed = (symbol) => symbol === symbol.toUpperCase();

/** @param {Pieces} some @param {Pieces} others */
function samePieces(some, others) {
  return some.size === others.size && [...some].every(([square, symbol]) => others.get(square) === symbol);
}

/** @param {PointerEvent} event */
const colorOf = (event) => COLORS[(event.shiftKey || event.ctrlKey ? 1 : 0) + (event.altKey ? 2 : 0)];
