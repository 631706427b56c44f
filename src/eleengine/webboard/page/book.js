// The moves of the opening book, on a tab of the moves' card.

import { clear, el, pressed } from "./dom.js";

/** @typedef {import("./state.js").Position} Position */

const SHOWN = 12;

/** @param {import("./state.js").App} app @returns {import("./state.js").TabPanel} */
export function book(app) {
  const { t } = app;
  const rows = el("tbody");
  const head = el("thead");
  /** @type {{ position: Position | null, entries: import("./state.js").BookEntry[] }} */
  let found = { position: null, entries: [] };

  /** @param {Position} position */
  async function ask(position) {
    try {
      const { entries } = await app.link.ask("book", { node: position.node });
      if (position !== app.state.position) return;
      found = { position, entries };
      self.update();
    } catch {
      // the connection is lost, which the page says elsewhere
    }
  }

  const named = (/** @type {import("./state.js").BookEntry} */ { opening }) => opening && el("small", {}, app.words.nameOf(opening));

  /** @type {import("./state.js").TabPanel} */
  const self = {
    box: el("div", { class: "bookbox", hidden: true, onclick: (event) => {
      const move = pressed(event, "book")?.dataset.book;
      if (move && found.position) app.actions.act("move", { node: found.position.node, move });
    } }, el("table", { class: "book" }, head, rows)),
    follow() {
      if (app.about?.book && !self.box.hidden && !app.tree.playing && app.state.position) ask(app.state.position);
    },
    update() {
      if (self.box.hidden) return;
      const entries = found.position === app.state.position ? found.entries : [];
      const total = entries.reduce((sum, entry) => sum + entry.games, 0);
      clear(head, el("tr", {}, ["bookMove", "bookGames", "bookShare", "bookPoints"].map((name) => el("th", { scope: "col" }, t(name)))));
      clear(
        rows,
        entries.slice(0, SHOWN).map((entry) => {
          const share = el("meter", { min: 0, max: 1, value: total ? entry.games / total : 0, "aria-label": t("bookShare") });
          return el("tr", {}, el("td", {}, el("button", { type: "button", class: "step", "data-book": entry.move[0] }, app.words.moveText(entry.move)), named(entry)), el("td", { class: "count" }, String(entry.games)), el("td", { class: "share" }, share), el("td", { class: "count" }, entry.points === null ? "" : `${Math.round(100 * entry.points)} %`));
        }),
        entries.length ? null : el("tr", {}, el("td", { colspan: 4, class: "empty" }, t(app.tree.playing ? "notWhilePlaying" : "bookEmpty"))),
      );
    },
  };
  return self;
}
