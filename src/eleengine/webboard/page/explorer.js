// The reader's own games in this position: moves, results and which games, on a tab of the moves' card.

import { button, clear, el, pressed, svg } from "./dom.js";
import { failureOf } from "./link.js";
import { problem } from "./problems.js";
import { playerName } from "./texts.js";

const PAGE = 20; // games that are listed at first
/** @type {import("./state.js").GamesHere} */
const NONE = { indexed: false, results: [0, 0, 0, 0], moves: [], games: [] };
const RESULTS = ["1-0", "1/2-1/2", "0-1", "*"];

/** @param {import("./state.js").App} app @returns {import("./state.js").TabPanel} */
export function explorer(app) {
  const { t } = app;
  /** @typedef {import("./state.js").GamesHere} GamesHere */
  /** @typedef {{ doc: string | null, node: number }} Origin */

  /** @type {{ player: string, since: number | null, until: number | null, result: string | null }} */
  const where = { player: "", since: null, until: null, result: null };
  const head = el("thead"), rows = el("tbody"), list = el("ul", { class: "list" }), sum = el("p", { class: "quiet", role: "status" });
  const scrolled = el("div", { class: "found" }, el("table", { class: "book" }, head, rows), sum, list);
  let dressed = "", limit = PAGE, waiting = 0;
  /** @type {GamesHere & Origin | null} */
  let found = null;
  /** @type {Origin | null} */
  let origin = null; // where a game of the list was opened from

  async function ask() {
    const { doc, at: node } = app.state, number = ++waiting;
    self.box.classList.add("old");
    try {
      const answer = await app.link.ask("games", { node, limit, ...where });
      if (number !== waiting) return; // another was asked for since
      found = { ...answer, doc, node };
      draw();
    } catch (error) {
      const failure = failureOf(error);
      if (number !== waiting || failure.code === "lost") return;
      found = null;
      draw(problem(app.settings.language, failure));
    }
  }

  let timer = 0;
  /** @param {Partial<typeof where>} wanted */
  const change = (wanted) => {
    Object.assign(where, wanted);
    limit = PAGE;
    clearTimeout(timer);
    timer = setTimeout(ask, 200);
  };

  function build() {
    const year = (/** @type {"since" | "until"} */ name) => {
      const field = el("input", { type: "number", class: "year", min: 1, max: 9999, placeholder: t(name), "aria-label": t(name), value: where[name], oninput: () => { change({ [name]: field.validity.valid && field.value ? Number(field.value) : null }); } });
      return field;
    };
    const player = el("input", { type: "search", maxlength: 100, placeholder: t("player"), "aria-label": t("player"), value: where.player, oninput: () => { change({ player: player.value }); } });
    const result = el("select", { "aria-label": t("headerResult"), onchange: () => { change({ result: result.value || null }); } }, ["", ...RESULTS].map((value) => el("option", { value, selected: value === (where.result ?? "") }, value || t("anyResult"))));
    const filters = el("div", { class: "filters" }, player, year("since"), year("until"), result);
    clear(head, el("tr", {}, ["bookMove", "bookGames", "results"].map((name) => el("th", { scope: "col", class: name === "bookGames" ? "count" : null }, t(name)))));
    clear(self.box, filters, scrolled);
  }

  // Red's wins, draws and Black's wins as one bar
  /** @param {import("./state.js").Results} results */
  function bar([red, draws, black]) {
    const all = red + draws + black || 1;
    let x = 0;
    const part = (/** @type {string} */ name, /** @type {number} */ count) => {
      const width = (100 * count) / all;
      x += width;
      return svg("rect", { class: name, x: x - width, width, height: 10 });
    };
    const text = t("resultBar", red, draws, black);
    return svg("svg", { class: "results", viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img", "aria-label": text }, svg("title", {}, text), part("red", red), part("draw", draws), part("black", black));
  }

  /** @param {GamesHere["moves"][number]} counted */
  const row = ({ move, opening, games, results }) =>
    el("tr", {}, el("td", {}, move ? el("button", { type: "button", class: "step", "data-move": move[0] }, app.words.moveText(move)) : el("span", { class: "quiet" }, t("gameEnd")), opening ? el("small", {}, app.words.nameOf(opening)) : null), el("td", { class: "count" }, String(games)), el("td", { class: "share" }, bar(results)));

  /** @param {GamesHere["games"][number]} game */
  function gameRow(game) {
    // Who plays against a level without a name is the reader.
    const name = (/** @type {string} */ one, /** @type {string} */ other) => playerName(app.settings.language, one) || (/, level \d+$/.test(other) ? t("you") : "?");
    const names = `${name(game.red, game.black)} – ${name(game.black, game.red)}`;
    const about = [game.result === "*" ? "" : game.result, game.date, game.event].filter(Boolean).join(" · ");
    return el("li", {}, el("button", { type: "button", class: "entry", "data-game": game.id, "data-ply": game.ply, title: game.file }, el("span", {}, names), el("small", {}, about)));
  }

  function draw(trouble = "") {
    self.box.classList.remove("old");
    const { moves, games, results, indexed } = app.tree.playing || found?.doc !== app.state.doc || !found ? NONE : found;
    const all = results.reduce((a, b) => a + b, 0);
    clear(rows, moves.map(row));
    scrolled.tabIndex = moves.length ? -1 : 0; // without a button in it keys could not scroll it
    sum.textContent = trouble || (app.tree.playing ? t("notWhilePlaying") : !indexed ? t("noIndex") : all ? t(all === 1 ? "gameHere" : "gamesHere", all) : t("noGamesHere"));
    clear(
      list,
      origin && origin.doc !== app.state.doc ? el("li", {}, button("previous", t("backThere"), () => app.input.run(back))) : null,
      games.map(gameRow),
      games.length < all && limit < 200 ? el("li", {}, button(null, t("moreGames"), () => ((limit = Math.min(200, limit * 3)), ask()))) : null,
    );
  }

  /** @param {DOMStringMap} game */
  async function open({ game, ply }) {
    const from = origin && origin.doc !== app.state.doc ? origin : { doc: app.state.doc, node: app.state.at };
    if (await app.actions.ask("indexed", { game: Number(game), ply: Number(ply) })) origin = from;
  }

  // A move of the list goes from the position that the list belongs to.
  /** @param {string | undefined} move */
  function play(move) {
    if (found && found.doc === app.state.doc) app.actions.act("move", { node: found.node, move });
  }

  function back() {
    const from = origin;
    origin = null;
    return from && app.actions.ask("show", from);
  }

  /** @type {import("./state.js").TabPanel} */
  const self = {
    box: el("div", { class: "bookbox explorer", hidden: true, onclick: (event) => {
      const step = pressed(event, "move"), game = pressed(event, "game");
      if (step) play(step.dataset.move);
      else if (game) app.input.run(() => open(game.dataset));
    } }),
    follow() {
      if (!self.box.hidden && !app.tree.playing && app.state.position) ask();
    },
    update() {
      if (self.box.hidden) return;
      const look = `${app.settings.language} ${app.words.notation} ${app.tree.playing}`;
      if (look === dressed) return;
      const ended = !app.tree.playing && dressed.endsWith("true"); // a game
      dressed = look;
      build();
      draw();
      if (ended) ask();
    },
  };
  return self;
}
