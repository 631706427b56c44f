// The page: what the server tells becomes state, state becomes pictures, and what the user does goes to the server.

import { BoardView, piecesOf } from "./board.js";
import { book } from "./book.js";
import { comments } from "./comments.js";
import { dialogs } from "./dialogs.js";
import { button, clear, el, findAll, icon } from "./dom.js";
import { editor } from "./editor.js";
import { engine } from "./engine.js";
import { explorer } from "./explorer.js";
import { game } from "./game.js";
import { graph } from "./graph.js";
import { InputQueue } from "./input.js";
import { keyboard } from "./keys.js";
import { lessons } from "./lessons.js";
import { Link, session } from "./link.js";
import { moves } from "./moves.js";
import { loadPieces, piece } from "./pieces.js";
import { problem } from "./problems.js";
import { play as sound } from "./sound.js";
import { newState } from "./state.js";
import { explain, LANGUAGES, outcomeText, pieceName, texts } from "./texts.js";
import { writing } from "./writing.js";

/** @type {import("./state.js").Settings} */
const DEFAULTS = {
  language: navigator.languages.map(languageOf).find(Boolean) ?? "en",
  notation: "", letters: "", score: "red", sound: false, theme: "auto", arrows: true,
  lines: 3, threads: 1, hash: 64, engine: 0, level: 8, clock: "none", warn: "off", flipped: false,
};

function languageOf(tag) {
  const low = tag.toLowerCase();
  if (low.startsWith("zh")) return /hant|tw|hk|mo/.test(low) ? "zh-Hant" : "zh-Hans";
  return low.startsWith("en") ? "en" : null;
}

const $ = (id) => document.getElementById(id);

/** @type {import("./state.js").App} */
export const app = {
  settings: { ...DEFAULTS },
  chosen: {},
  unsaved: {},
  about: null,
  state: newState(),
  engineOn: false,
  input: new InputQueue(),
  heading: null,
  goes: 0,
  preview: null,
  hinted: null,
  taken: false,
  noticeTimer: 0,
  views: [],
  $,

  t: (key, ...values) => texts(app.settings.language, key, values),

  // What is spoken of

  get notation() {
    return app.settings.notation || { en: "wxf", "zh-Hans": "chinese", "zh-Hant": "traditional" }[app.settings.language];
  },
  get letters() {
    return app.settings.letters || { en: "learner", "zh-Hans": "chinese", "zh-Hant": "traditional" }[app.settings.language];
  },
  node: (id = app.state.at) => app.state.nodes.get(id),
  moveText: ([iccs, ...texts]) =>
    app.notation === "iccs" ? iccs.toUpperCase() : texts[["chinese", "traditional", "wxf"].indexOf(app.notation)],
  nodeText: (node) => app.moveText([node.move, ...node.texts]),
  get playing() {
    return Boolean(app.state.game && !app.state.game.result);
  },
  get turn() {
    return app.state.position?.turn ?? "red";
  },
  // The nodes from the start through a node to the end of its line.
  line(id = app.state.at) {
    const path = [];
    for (let node = app.node(id); node; node = node.parent === undefined ? null : app.node(node.parent)) path.unshift(node);
    for (let node = app.node(id); node?.children.length; ) path.push((node = app.node(node.children[0])));
    return path;
  },

  // What the user wants

  async ask(type, message = {}) {
    try {
      return await app.link.ask(type, message);
    } catch (error) {
      app.notice(problem(app.settings.language, error), "bad");
      app.draw();
      return null;
    }
  },
  // An action of the user, in its turn.
  act: (type, message) => app.input.run(() => app.ask(type, typeof message === "function" ? message() : message)),
  go: (id) => app.input.run(() => app.show(id), { step: true }),
  async show(id) {
    if (id === undefined || !app.state.nodes.has(id)) return;
    app.preview = null;
    app.heading = id;
    const number = ++app.goes;
    await app.ask("go", { node: id });
    if (number === app.goes) app.heading = null;
  },
  // Where the next step begins: keys come faster than boards, and each goes on from the one before.
  get place() {
    return app.state.nodes.has(app.heading) ? app.heading : app.state.at;
  },
  move: (from, to) => app.input.run(() => (app.state.learn ? app.lessons.guess(from + to) : app.play(from + to))),
  async play(move) {
    const answer = await app.ask("move", { node: app.state.at, move });
    if (answer?.right === false) {
      app.notice(app.t("wrong"), "bad");
      app.say(app.t("wrong"));
    } else if (answer?.right && app.state.puzzle?.state === "open") {
      app.notice(app.t("right"), "good");
    }
    return answer;
  },
  // A piece that should move but cannot, or not to a square: say why.
  async why(square, symbol, to) {
    const side = symbol && (symbol === symbol.toUpperCase() ? "red" : "black");
    if (side !== app.turn || app.editor.open || !Object.keys(app.legal()).length) return;
    const { position } = app.state;
    const answer = await app.ask("why", { node: position.node, square, to });
    if (!answer?.reason || app.state.position !== position) return;
    app.notice(app.t(`why_${answer.reason}`));
    app.say(app.t(`why_${answer.reason}`));
  },
  step: (way) => app.input.run(() => app.show(app.target(way)), { step: true }),
  // The node that a step leads to
  target(way) {
    const node = app.node(app.place);
    if (way === "previous") return node.parent;
    if (way === "next") return node.children[0];
    if (way === "first") return 0;
    if (way === "last") return app.line(node.id).at(-1).id;
    // the variation above or below
    const siblings = app.node(node.parent)?.children ?? [];
    return siblings[siblings.indexOf(node.id) + (way === "up" ? -1 : 1)];
  },
  // how often each ending was solved without a mistake: numbers in one text, as settings are plain
  solvedEndings: () => Array.from((app.settings.endings ?? "").split(" "), Number),
  solved: (ending) => app.solvedEndings()[ending] || 0,
  nameOf([english, simplified, traditional]) {
    return { en: english, "zh-Hant": traditional }[app.settings.language] ?? simplified;
  },
  // The board is turned for the document that is open, not for all that come.
  flip(flipped = !app.settings.flipped) {
    app.settings.flipped = flipped;
    app.dress();
  },
  set(changes) {
    Object.assign(app.settings, changes);
    Object.assign(app.chosen, changes); // what nobody has chosen goes on following the browser
    app.unsaved = { ...app.unsaved, ...changes };
    app.remember();
    app.dress();
  },
  // Without a connection the next one does it.
  async remember() {
    const { unsaved } = app;
    const saved = await app.link.ask("remember", { settings: app.chosen }).catch(() => null);
    if (saved && app.unsaved === unsaved) app.unsaved = {};
  },
  // It takes a while, in which the user may go on.
  askHint: () => app.input.run(() => void app.hint()),
  async hint() {
    const { position, puzzle } = app.state;
    if (puzzle?.state !== "open") app.notice(app.t("thinking"));
    const answer = await app.ask("hint", { node: position.node });
    if (!answer || app.state.position !== position) return; // it was meant for another position
    if (puzzle?.state === "open") {
      if (answer.square) app.board.select(answer.square);
      else app.notice(app.t("noHint"));
      return;
    }
    const [move] = answer.line;
    app.hinted = [move[0].slice(0, 2), move[0].slice(2, 4), "hinted"];
    app.notice(app.t("hintIs", app.moveText(move)), "good");
    app.say(app.t("hintIs", app.moveText(move)));
    app.drawArrows();
  },

  // What is said

  say(text) {
    $("status").textContent = text;
  },
  // A message for a while; it goes with the position that it was said of, and stands in the open dialog if there is one.
  notice(text, kind = "", { stays = false } = {}) {
    clearTimeout(app.noticeTimer);
    const card = $("notice");
    const host = [...document.querySelectorAll("dialog[open] header")].at(-1);
    if (host) host.after(card);
    else document.querySelector(".boardrow").append(card);
    card.className = `card notice ${kind}`;
    card.hidden = !text;
    clear(card, el("span", {}, text ?? ""), button("close", app.t("close"), () => app.notice(""), { quiet: true }));
    if (text && !stays) app.noticeTimer = setTimeout(() => app.notice(""), 9000);
  },

  // Pictures

  draw({ animate = true } = {}) {
    const { position } = app.state;
    if (!position || app.editor?.open) return;
    const [badge] = findAll(".previewed");
    badge.hidden = !app.preview;
    badge.textContent = app.preview ? app.t("preview", app.preview.length) : "";
    $("board").classList.toggle("previewing", Boolean(app.preview));
    if (app.preview) {
      const pieces = piecesOf(position.fen);
      for (const move of app.preview) {
        pieces.set(move.slice(2, 4), pieces.get(move.slice(0, 2)));
        pieces.delete(move.slice(0, 2));
      }
      app.board.show({ pieces, legal: {}, last: app.preview.at(-1), check: null }, { animate });
    } else {
      app.board.show({ pieces: piecesOf(position.fen), legal: app.legal(), last: position.last, check: position.check }, { animate });
    }
    app.drawArrows();
  },
  legal() {
    const { position, game, at } = app.state;
    if (position.outcome && !app.state.learn) return {};
    if (app.playing && (at !== game.node || game.players[game.turn] !== null)) return {};
    return position.legal;
  },
  drawArrows() {
    if (app.editor?.open) return;
    const list = [];
    if (!app.preview) {
      const { info, at } = app.state;
      if (app.engineOn && app.settings.arrows && info?.node === at && !app.playing) {
        info.lines.slice(0, 3).forEach((line, n) => {
          const move = line.moves[0]?.[0];
          if (move) list.unshift([move.slice(0, 2), move.slice(2, 4), n ? "candidate" : "best", 1 - n * 0.4]);
        });
      }
      const { learn, game } = app.state;
      const mistake = learn || app.engineOn ? null : app.lessons.mistake();
      for (const [line, color] of mistake ? [[mistake.refutation, "red"], [mistake.better, "green"]] : []) {
        if (line.length) list.push([line[0][0].slice(0, 2), line[0][0].slice(2, 4), color]);
      }
      const refutation = game?.judged?.held && app.state.at === game.node && game.judged.refutation[0]?.[0];
      if (refutation) list.push([refutation.slice(0, 2), refutation.slice(2, 4), "red"]);
      if (learn && (learn.state === "ask" || learn.state === "bad" || learn.state === "judging")) {
        const { move } = app.node(learn.nodes[learn.place]);
        list.push([move.slice(0, 2), move.slice(2, 4), "red"]);
      }
      for (const arrow of app.node()?.arrows ?? []) list.push(arrow);
      if (app.hinted) list.push(app.hinted);
    }
    app.board.arrows(list);
  },

  // Everything that depends on language and settings
  dress() {
    const { settings } = app;
    document.documentElement.lang = settings.language;
    document.documentElement.dataset.theme = settings.theme;
    for (const element of findAll("[data-label]")) element.setAttribute("aria-label", app.t(element.dataset.label));
    toolbar();
    navigation();
    app.board.configure({ flipped: settings.flipped, letters: app.letters, notation: app.notation });
    app.board.grid.setAttribute("aria-label", app.t("board"));
    app.board.label();
    update();
    if (app.state.position && app.state.nodes.size && !app.editor.open) app.say(positionText().text); // in the language and notation chosen now
  },
};

function toolbar() {
  const { t } = app;
  const open = (name) => () => app.dialogs[name]();
  clear(
    document.querySelector(".tools"),
    button("new", t("newGame"), open("newGame"), { kind: "primary" }),
    button("open", t("open"), open("open")),
    button("save", t("save"), open("save")),
    button("edit", t("edit"), () => app.input.run(app.editor.start)),
    button("puzzle", t("puzzles"), open("puzzles")),
    app.about?.phone ? button("phone", t("phone"), open("phone"), { quiet: true }) : null,
    button("settings", t("settings"), open("settings"), { quiet: true }),
    button("help", t("help"), open("help"), { quiet: true, key: "?" }),
  );
}

function navigation() {
  const { t } = app;
  clear(
    $("navigation"),
    button("first", t("first"), () => app.step("first"), { quiet: true, key: "Home" }),
    button("previous", t("previous"), () => app.step("previous"), { quiet: true, key: "←" }),
    button("next", t("next"), () => app.step("next"), { quiet: true, key: "→" }),
    button("last", t("last"), () => app.step("last"), { quiet: true, key: "End" }),
    el("span", { class: "space" }),
    button("flip", t("flip"), () => app.input.run(() => app.flip()), { quiet: true, key: "F" }),
    button("hint", t("hint"), app.askHint, { quiet: true, key: "H" }),
  );
}

// All panels
function update() {
  if (!app.about || !app.state.position) return;
  app.views.forEach((view) => view.update());
  app.draw();
  document.title = [app.state.headers.Title || players(), "eleengine"].filter(Boolean).join(" – ");
}

function players() {
  const { Red, Black } = app.state.headers;
  return Red || Black ? `${Red ?? "?"} – ${Black ?? "?"}` : "";
}

// What is true of the position: the move that led to it, check, whose turn it is, or how the game ended
function positionText() {
  const { position, game } = app.state;
  const node = app.node();
  const parts = node?.move ? [app.nodeText(node)] : [];
  const outcome = game?.result && app.state.at === game.node ? game.result : position.outcome;
  if (outcome) parts.push(outcomeText(app.settings.language, outcome));
  else {
    if (position.check) parts.push(app.t("check"));
    parts.push(app.t(position.turn === "red" ? "redToMove" : "blackToMove"));
  }
  return { text: parts.join(app.settings.language === "en" ? ". " : "。"), outcome };
}

// The same for eyes and ears
function announcePosition(before) {
  const { position } = app.state;
  const node = app.node();
  const { text, outcome } = positionText();
  app.say(text);
  if (!app.settings.sound || !node?.move || before === app.state.at) return;
  const taken = before !== undefined && app.node(before)?.id === node.parent && app.taken;
  sound(outcome ? "end" : position.check ? "check" : taken ? "capture" : "move");
}

// Events from the server. They fill the state; it is drawn when all that one change has caused is there.

let due = null; // "now", "soon" or nothing has to be drawn

const EVENTS = {
  welcome(message) {
    app.about = message;
    app.chosen = { ...message.settings, ...app.unsaved };
    if (Object.keys(app.unsaved).length) app.remember();
    app.state.reviewing = null; // a review ends with the connection that asked for it
    Object.assign(app.settings, app.chosen, { flipped: app.settings.flipped });
    app.dress();
  },
  document(message) {
    const { state } = app;
    if (state.doc !== message.doc) {
      Object.assign(state, { info: null, learn: null, summary: null, reviewing: null, position: null });
      app.hinted = app.preview = null;
      const persons = Object.entries(message.game?.players ?? {}).filter(([, player]) => player === null);
      app.settings.flipped = persons.length === 1 && persons[0][0] === "black";
      state.mySide = persons.length === 1 ? /** @type {import("./state.js").Side} */ (persons[0][0]) : "both";
      if (app.editor.open) app.editor.stop();
      app.board.configure({ flipped: app.settings.flipped });
      app.notice("");
      session?.setItem("doc", message.doc);
    }
    Object.assign(state, { doc: message.doc, headers: message.headers, start: message.start, game: message.game, puzzle: message.puzzle, warnings: message.warnings, summary: message.review ?? null });
    const old = state.nodes;
    state.nodes = new Map();
    for (const node of message.nodes) place(node);
    // A move of a lesson may have been deleted; when the game was read from its file again, numbers may be other moves'.
    if (!state.learn?.nodes.every((id) => state.nodes.get(id)?.move === old.get(id)?.move && state.nodes.has(id))) state.learn = null;
    if (!state.nodes.has(state.at)) state.at = 0;
    state.version++;
    if (message.trouble) EVENTS.trouble({ message: message.trouble });
    due = "now";
  },
  node({ node }) {
    place(node);
    app.state.version++;
    due ??= "soon";
  },
  board(message) {
    const { state } = app;
    const old = state.position && piecesOf(state.position.fen);
    if (state.at !== message.node) app.notice("");
    state.at = message.node;
    state.position = message;
    app.taken = old && piecesOf(message.fen).size < old.size;
    app.hinted = null;
    app.preview = null;
    due = "now";
  },
  headers({ headers }) {
    app.state.headers = headers;
    due = "now";
  },
  game({ game: played }) {
    app.state.game = played;
    app.state.gameSince = performance.now();
    due = "now";
  },
  puzzle({ puzzle }) {
    if (puzzle?.ending !== undefined && puzzle.state === "solved" && app.state.puzzle?.state === "open" && !puzzle.tries) {
      const counts = app.solvedEndings();
      counts[puzzle.ending] = app.solved(puzzle.ending) + 1;
      app.set({ endings: Array.from(counts, (count) => count || 0).join(" ") });
    }
    app.state.puzzle = puzzle;
    due = "now";
  },
  info(message) {
    app.state.info = message;
    app.engine.update();
    app.gauge();
    app.drawArrows();
  },
  analysed({ node }) {
    if (app.state.info?.node === node) app.state.info.done = true;
    app.engine.update();
  },
  reviewed(message) {
    app.state.reviewing = message;
    app.lessons.update();
    app.graph.update();
  },
  review({ summary }) {
    app.state.reviewing = null;
    app.state.summary = summary;
    due = "now";
  },
  renamed({ doc }) {
    app.state.doc = doc;
    session?.setItem("doc", doc);
  },
  trouble({ message }) {
    app.notice(message ? app.t("cannotSave", message) : "", "bad", { stays: true });
  },
  error(message) {
    app.notice(problem(app.settings.language, message), "bad");
  },
};

// A node of the tree; it keeps the place that it has.
function place(node) {
  const { nodes } = app.state;
  const old = nodes.get(node.id);
  node.children = old?.children ?? [];
  nodes.set(node.id, node);
  if (node.parent !== undefined && !old) nodes.get(node.parent).children.push(node.id);
}

let pending = false;

// Draw once for all events of a frame.
function soon() {
  if (pending) return;
  pending = true;
  requestAnimationFrame(() => {
    pending = false;
    update();
  });
}

function receive(messages) {
  const { at, position, game } = app.state;
  for (const message of messages) EVENTS[message.type]?.(message);
  if (messages.some(({ type }) => type === "welcome")) app.writing.resend();
  const wanted = due;
  due = null;
  if (wanted === "soon") soon();
  if (wanted !== "now") return;
  const { state } = app;
  if (state.position !== position) app.engine.follow();
  update();
  if (state.position !== position) announcePosition(at);
  else if (game && !game.result && state.game?.result) announcePosition();
}

function connected(how) {
  const cover = $("offline");
  cover.hidden = how === "open";
  if (how !== "open") clear(cover, el("p", {}, app.t(how === "lost" ? "connectionLost" : "connectionRefused")));
}

// The winning chances beside the board
app.gauge = () => {
  const { info, at, position } = app.state;
  const line = app.engineOn && info?.node === at ? info.lines[0] : app.node()?.score;
  const outcome = position?.outcome;
  const win = outcome ? { red: 1, black: 0 }[outcome.winner] ?? 0.5 : line?.win;
  const gauge = $("gauge");
  gauge.classList.toggle("unknown", win === undefined);
  gauge.classList.toggle("flipped", app.settings.flipped);
  gauge.style.setProperty("--win", `${100 * (win ?? 0.5)}%`);
  const text = win === undefined || outcome ? "" : app.scoreText(line).replace(/(\.\d)\d$/, "$1");
  gauge.querySelector("span").textContent = text;
  gauge.setAttribute("aria-label", text ? `${app.t("score")} ${text}` : app.t("score"));
};

// A score as the user wants to see it: from Red's side, or from that of who is to move
app.scoreText = (score, turn = app.turn) => {
  const sign = app.settings.score === "red" || turn === "red" ? 1 : -1;
  if (score.mate === "given") return "#";
  if (score.mate !== undefined) return `${sign * score.mate < 0 ? "−" : "+"}#${Math.abs(score.mate)}`;
  const value = (sign * score.cp) / 100;
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(2)}`;
};

async function start() {
  const token = location.hash.slice(1);
  await loadPieces();
  app.board = new BoardView($("board"), {
    move: (from, to) => app.move(from, to),
    input: (action) => app.input.run(action),
    arrow(from, to, color) {
      const node = app.node();
      const old = node.arrows ?? [];
      const rest = old.filter(([a, b]) => a !== from || b !== to);
      const same = old.some(([a, b, c]) => a === from && b === to && c === color);
      app.writing.write(app.writing.place(node.id), { arrows: same ? rest : [...rest, [from, to, color]] });
    },
    why: (square, symbol, to) => app.why(square, symbol, to),
    edit: (pieces) => app.editor.edit(pieces),
    place: (square) => app.editor.place(square),
    describe: (square, symbol) => pieceName(app.settings.language, square, symbol),
  });
  document.querySelector(".logo").append(piece("B", "symbols"));
  for (const [name, make] of Object.entries({ book, explorer, dialogs, editor, engine, game, graph, lessons, moves, comments })) app[name] = make(app);
  app.views = [app.game, app.lessons, app.engine, app.book, app.explorer, app.moves, app.comments, app.graph, { update: app.gauge }];
  app.writing = writing(app, soon);
  keyboard(app);
  app.dress();
  app.link = new Link(token, () => ({ doc: app.state.doc ?? session?.getItem("doc") ?? undefined }), receive, connected);
}

// An installed page has an address that lasts, and says itself when the board does not run.
const prepareOffline = () => navigator.serviceWorker?.register("offline.js");
if (matchMedia("(display-mode: standalone)").matches) prepareOffline();
addEventListener("appinstalled", () => {
  app.link.send("installed");
  app.link.keep();
  prepareOffline();
});

start();
addEventListener("hashchange", () => location.reload()); // the address of a new start, in the window of the old one
export { explain, icon, LANGUAGES };

// The engine does not go on for ever in a tab that nobody sees.
document.addEventListener("visibilitychange", () => app.link && app.engineOn && app.engine.follow());
