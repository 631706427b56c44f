// The page: what the server tells becomes state, state becomes pictures, and what the user does goes to the server.

import { actions } from "./actions.js";
import { away } from "./away.js";
import { BoardView, START } from "./board.js";
import { book } from "./book.js";
import { comments } from "./comments.js";
import { dialogs } from "./dialogs.js";
import { clear, el, find } from "./dom.js";
import { editor } from "./editor.js";
import { engine } from "./engine.js";
import { events } from "./events.js";
import { explorer } from "./explorer.js";
import { game } from "./game.js";
import { graph } from "./graph.js";
import { InputQueue } from "./input.js";
import { keyboard } from "./keys.js";
import { lessons } from "./lessons.js";
import { Link, session } from "./link.js";
import { moves } from "./moves.js";
import { loadPieces, piece } from "./pieces.js";
import { preferences } from "./preferences.js";
import { premove } from "./premove.js";
import { puzzles } from "./puzzles.js";
import { pieceName, texts } from "./texts.js";
import { tree } from "./tree.js";
import { view } from "./view.js";
import { words } from "./words.js";
import { writing } from "./writing.js";

/** @type {import("./state.js").Settings} */
const DEFAULTS = {
  language: navigator.languages.map(languageOf).find(Boolean) ?? "en",
  notation: "", letters: "", score: "red", sound: true, large: false, theme: "auto", arrows: true,
  lines: 3, threads: 1, hash: 64, engine: "", level: 8, clock: "none", warn: "off", flipped: false,
};

/** @param {string} tag @returns {import("./state.js").Language | null} */
function languageOf(tag) {
  const low = tag.toLowerCase();
  if (low.startsWith("zh")) return /hant|tw|hk|mo/.test(low) ? "zh-Hant" : "zh-Hans";
  return low.startsWith("en") ? "en" : null;
}

/** @returns {import("./state.js").State} */
const newState = () => ({
  doc: null, nodes: new Map(), version: 0, headers: {}, start: "", at: 0, position: null, game: null, gameSince: 0,
  puzzle: null, series: null, info: null, learn: null, reviewing: null, summary: null, judged: new Map(),
  reviewHidden: false, history: null, mySide: "both", file: null,
});

const core = {
  $: (/** @type {string} */ id) => find(`#${id}`),
  /** @type {import("./state.js").Translate} */
  t: (key, ...values) => texts(app.settings.language, key, values),
  settings: { ...DEFAULTS },
  /** @type {import("./state.js").Welcome | null} */
  about: null,
  get welcome() {
    if (!core.about) throw new Error("the server has not said what it is yet");
    return core.about;
  },
  state: newState(),
  engineOn: false,
  input: new InputQueue(),
};

export const app = /** @type {import("./state.js").App} */ (core); // the parts come in start()

// The token stands in the address, and behind it what a link asks for: #TOKEN&set=mate-1-001,mate-1-002
const parts = location.hash.slice(1).split("&");
const token = parts.find((part) => !part.includes("=")) ?? "";
let linked = new URLSearchParams(parts.filter((part) => part.includes("=")).join("&"));

// Open what a link asks for, once.
function follow() {
  const set = linked.get("set"), fen = linked.get("fen"), moves = linked.get("moves");
  linked = new URLSearchParams();
  if (set) app.input.run(() => app.puzzles.playIds(set.split(",")));
  else if (fen || moves) app.dialogs.openText([fen ?? `${START} w`, moves && `moves ${moves.replaceAll(".", " ")}`].filter(Boolean).join(" "));
  else return;
  history.replaceState(null, "", `#${token}`);
}

let met = false; // has the board answered since the page was opened?

/** @param {import("./link.js").How} how */
function connected(how) {
  met ||= how === "open";
  const cover = app.$("offline");
  cover.hidden = how === "open";
  if (how === "open") follow();
  else clear(cover, el("p", {}, app.t(how === "refused" ? "connectionRefused" : met ? "connectionLost" : "notRunning")));
  if (how === "lost" && !app.about) app.away.show().catch(() => {}); // where nothing is kept there is nothing to show
}

async function start() {
  await loadPieces();
  Object.assign(app, {
    words: words(app), tree: tree(app), actions: actions(app), preferences: preferences(app), view: view(app), book: book(app),
    explorer: explorer(app), dialogs: dialogs(app), editor: editor(app), engine: engine(app), game: game(app),
    graph: graph(app), lessons: lessons(app), moves: moves(app), comments: comments(app), puzzles: puzzles(app),
    premove: premove(app),
  });
  app.board = new BoardView(app.$("board"), {
    move: app.actions.move,
    input: (action) => app.input.run(action),
    arrow(from, to, color) {
      const node = app.tree.node();
      const old = node.arrows ?? [];
      const rest = old.filter(([a, b]) => a !== from || b !== to);
      const same = old.some(([a, b, c]) => a === from && b === to && c === color);
      app.writing.write(app.writing.place(node.id), { arrows: same ? rest : [...rest, [from, to, color]] });
    },
    why: app.actions.why,
    edit: app.editor.edit,
    place: app.editor.place,
    describe: (square, symbol) => pieceName(app.settings.language, square, symbol),
    premove: app.premove.enter,
    cancel: app.premove.cancel,
  });
  find(".logo").append(piece("B", "symbols"));
  app.view.panels = [app.premove, app.game, app.puzzles, app.lessons, app.engine, app.book, app.explorer, app.moves, app.comments, app.graph, { update: app.view.gauge }];
  const { receive, soon } = events(app);
  app.away = away(app, receive);
  app.writing = writing(app, soon);
  keyboard(app);
  app.view.dress();
  app.link = new Link(token, () => ({ doc: app.state.doc ?? session?.getItem("doc") ?? undefined }), receive, connected);
}

// An installed page has an address that lasts, and opens when the board does not run.
const prepareOffline = () => navigator.serviceWorker?.register("offline.js");
if (matchMedia("(display-mode: standalone)").matches) prepareOffline();
addEventListener("appinstalled", () => {
  app.link.send("installed");
  app.link.keep();
  app.welcome.installed = true;
  app.away.keep();
  prepareOffline();
});

start();
addEventListener("hashchange", () => location.reload()); // the address of a new start, in the window of the old one

// The engine does not go on for ever in a tab that nobody sees.
document.addEventListener("visibilitychange", () => app.link && app.engineOn && app.engine.follow());
