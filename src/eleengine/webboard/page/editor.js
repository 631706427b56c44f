// The editor of positions: pieces go anywhere, and the server says in words what is wrong.

import { fenOf, piecesOf, START } from "./board.js";
import { button, choice, clear, el, find, findAll, svg } from "./dom.js";
import { piece } from "./pieces.js";
import { defectText } from "./problems.js";

/** @typedef {import("./board.js").Pieces} Pieces */

/** @param {import("./state.js").App} app @returns {import("./state.js").App["editor"]} */
export function editor(app) {
  const { $, t } = app;
  /** @type {Pieces} */
  let pieces = new Map();
  let turn = "w", counters = "0 1";
  let wanted = ""; // the FEN that was judged last: of the pieces, or typed
  /** @type {string | null} */
  let hand = null; // the piece to put down, "" to remove
  /** @type {import("./state.js").Answers["position"]["defects"]} */
  let defects = [];
  let playable = true; // in spite of them
  // made by build()
  let field = el("input"), sideField = el("select"), list = el("ul"), undoButton = el("button");
  /** @type {HTMLButtonElement[]} */
  let finishing = []; // the buttons
  /** @type {[pieces: Pieces, turn: string, counters: string][]} */
  let past = []; // positions to go back to

  function changed() {
    undoButton.disabled = !past.length;
    app.board.show({ pieces, legal: {}, last: null, check: null }, { animate: false });
    const fen = `${fenOf(pieces)} ${turn} - - ${counters}`;
    if (document.activeElement !== field) field.value = fen;
    judge(fen);
  }

  // Ask the server what is wrong with a position, and return its FEN if it is one.
  /** @param {string} asked */
  async function judge(asked) {
    wanted = asked;
    const answer = await app.actions.ask("position", { fen: asked });
    if (asked !== wanted) return undefined; // the next answer says it
    defects = answer?.defects ?? [];
    playable = answer?.playable ?? true;
    say();
    return answer?.fen;
  }

  function say() {
    clear(list, defects.map(([, text]) => el("li", {}, defectText(app.settings.language, text))));
    list.hidden = !defects.length;
    for (const one of finishing) one.disabled = !playable;
    const first = defects[0] && defectText(app.settings.language, defects[0][1]);
    app.view.say(!first ? t("positionRight") : playable ? t("positionOdd", first) : first);
  }

  /** @param {string} symbols */
  function palette(symbols) {
    return el(
      "div",
      { class: "palette" },
      [...symbols].map((symbol) => {
        const picture = svg("svg", { viewBox: "-30 -30 60 60", "aria-hidden": "true" }, piece(symbol, app.words.letters));
        return el("button", { type: "button", "aria-pressed": hand === symbol, "aria-label": t(`piece${symbol}`), "data-piece": symbol, onclick: (event) => event.detail && dropped(event.currentTarget) || take(symbol), onpointerdown: (event) => carry(event, symbol, picture) }, picture);
      }),
    );
  }

  /** @param {string} symbol */
  function take(symbol) {
    hand = hand === symbol ? null : symbol;
    for (const one of findAll("[data-piece]", $("editor"))) one.setAttribute("aria-pressed", String(one.dataset.piece === hand));
  }

  /** @type {EventTarget | null} */
  let carried = null;

  // A piece is dragged from the palette to a square.
  /** @param {PointerEvent} event @param {string} symbol @param {SVGElement} picture */
  function carry(event, symbol, picture) {
    const { currentTarget: source, clientX, clientY } = event;
    if (event.button !== 0 || !(source instanceof HTMLElement)) return;
    source.setPointerCapture(event.pointerId);
    const ghost = /** @type {SVGElement} */ (picture.cloneNode(true));
    ghost.classList.add("ghost");
    carried = null;
    const follow = (/** @type {PointerEvent} */ move) => {
      if (!carried && Math.hypot(move.clientX - clientX, move.clientY - clientY) < 5) return;
      if (!carried) document.body.append(ghost);
      carried = source;
      ghost.style.transform = `translate(${move.clientX}px,${move.clientY}px) translate(-50%,-50%)`;
    };
    const end = (/** @type {PointerEvent} */ up) => {
      source.removeEventListener("pointermove", follow);
      ghost.remove();
      const square = carried && up.type === "pointerup" && app.board.squareAt(app.board.spot(up));
      if (square) set(new Map(pieces).set(square, symbol));
    };
    source.addEventListener("pointermove", follow);
    source.addEventListener("pointerup", end, { once: true });
    source.addEventListener("pointercancel", end, { once: true });
  }

  // Is this the click that ends a drag?
  /** @param {EventTarget | null} source */
  function dropped(source) {
    const was = carried === source;
    carried = null;
    return was;
  }

  /** @param {Pieces} map */
  function set(map, side = turn, numbers = "0 1") {
    past.push([pieces, turn, counters]);
    pieces = map;
    turn = sideField.value = side;
    counters = numbers;
    changed();
  }

  function undo() {
    const before = past.pop();
    if (!before) return;
    [pieces, turn, counters] = before;
    sideField.value = turn;
    changed();
  }

  // The same position with the colours exchanged, seen from the other side
  function swapColours() {
    const other = (/** @type {string} */ symbol) => (symbol === symbol.toUpperCase() ? symbol.toLowerCase() : symbol.toUpperCase());
    set(new Map([...pieces].map(([square, symbol]) => [square[0] + (9 - Number(square[1])), other(symbol)])), turn === "w" ? "b" : "w");
  }

  function build() {
    field = el("input", { type: "text", "aria-label": "FEN", spellcheck: "false", maxlength: 200, oninput: read });
    list = el("ul", { class: "defects" });
    const analyse = button("edit", t("analyseThis"), () => finish(false), { kind: "primary" });
    const play = button("play", t("playThis"), () => finish(true));
    const side = choice(t("toMove"), [["w", t("red")], ["b", t("black")]], turn, (value) => set(pieces, value));
    sideField = /** @type {HTMLSelectElement} */ (find("select", side));
    undoButton = button("undo", t("undo"), undo, { kind: "small", key: "Ctrl Z" });
    finishing = [analyse, play];
    clear(
      $("editor"),
      el("h2", {}, t("edit")),
      palette("kabnrcp"),
      palette("KABNRCP"),
      el(
        "div",
        { class: "buttons" },
        el("button", { type: "button", class: "small", "data-piece": "", "aria-pressed": "false", onclick: () => take("") }, t("remove")),
        button(null, t("clearBoard"), () => set(new Map([["e0", "K"], ["e9", "k"], ["e4", "P"]])), { kind: "small" }),
        button(null, t("startPosition"), () => set(piecesOf(START)), { kind: "small" }),
        button(null, t("mirror"), () => set(new Map([...pieces].map(([s, p]) => ["ihgfedcba"["abcdefghi".indexOf(s[0])] + s[1], p]))), { kind: "small" }),
        button(null, t("swapColours"), swapColours, { kind: "small" }),
        undoButton,
      ),
      side,
      el("label", { class: "field wide" }, el("span", {}, "FEN"), field),
      list,
      el("div", { class: "buttons" }, analyse, play, button("close", t("cancel"), stop)),
    );
  }

  async function read() {
    const [board, side, , , ...numbers] = (await judge(field.value))?.split(" ") ?? [];
    if (board) set(piecesOf(board), side, numbers.join(" "));
  }

  /** @param {boolean} playing */
  async function finish(playing) {
    const start = wanted;
    if (playing) {
      app.dialogs.newGame({ fen: start, started: stop });
      return;
    }
    await app.input.run(async () => {
      if (self.open && (await app.actions.ask("new", { fen: start }))) stop();
    });
  }

  function stop() {
    self.open = false;
    app.board.free = false;
    $("editor").hidden = true;
    app.view.dress();
    app.engine.follow();
  }

  /** @type {import("./state.js").App["editor"]} */
  const self = {
    open: false,
    start() {
      if (self.open) return;
      self.open = true;
      hand = null;
      past = [];
      app.link.send("stop");
      const { fen } = app.tree.position, fields = fen.split(" ");
      pieces = piecesOf(fen);
      turn = fields[1];
      counters = fields.slice(4).join(" ");
      app.board.free = true;
      $("editor").hidden = false;
      app.board.arrows([]);
      build();
      app.view.dress();
      changed();
    },
    stop,
    undo,
    edit: (map) => set(map),
    // A piece of the palette goes to a square; true if there was one in the hand.
    place(square) {
      if (hand === null) return false;
      const map = new Map(pieces);
      if (hand === "" || map.get(square) === hand) map.delete(square);
      else map.set(square, hand);
      set(map);
      return true;
    },
  };
  return self;
}
