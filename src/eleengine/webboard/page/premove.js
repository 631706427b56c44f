// A move that is entered while the other side thinks: it is played as soon as it can be, or dropped with the reason.

import { pointName, pieceName } from "./texts.js";

/** @param {import("./state.js").App} app @returns {import("./state.js").App["premove"]} */
export function premove(app) {
  const { t, state } = app;
  /** @type {{ doc: string | null, node: number, from: string, to: string } | null} */
  let entered = null; // node: where the game stood

  /** @param {number} node @param {string} square @param {string} to */
  async function refuse(node, square, to) {
    const answer = await app.actions.ask("why", { node, square, to });
    if (answer) app.view.tell(t("premoveDropped", answer.reason ? t(`why_${answer.reason}`) : ""), "bad");
  }

  /** @type {import("./state.js").App["premove"]} */
  const self = {
    get move() {
      return entered && entered.from + entered.to;
    },
    get text() {
      const { language } = app.settings;
      return entered && t("premove", `${pieceName(language, entered.from, app.board.shown.pieces.get(entered.from))} – ${pointName(language, entered.to)}`);
    },
    get targets() {
      const { game, at } = state;
      return game && at === game.node && !app.about?.watching ? game.premoves : {};
    },
    enter(from, to) {
      if (!state.game) return;
      entered = { doc: state.doc, node: state.game.node, from, to };
      app.view.update();
      app.view.say(self.text ?? "");
    },
    cancel() {
      if (!entered) return;
      entered = null;
      app.view.update();
      app.view.say(t("premoveCancelled"));
    },
    update() {
      const { game } = state;
      if (!entered || (entered.doc === state.doc && app.tree.playing && game?.node === entered.node)) return; // its time has not come
      const { doc, node, from, to } = entered;
      entered = null;
      if (doc !== state.doc || !game || game.result) return;
      if (app.tree.node(game.node).parent !== node) return app.view.tell(t("premoveTakenBack"), "bad");
      if (app.tree.position.legal[from]?.includes(to)) app.input.run(() => app.actions.play(from + to));
      else refuse(game.node, from, to);
    },
  };
  return self;
}
