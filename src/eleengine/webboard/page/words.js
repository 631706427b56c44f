// Moves, scores and names as the user has chosen to read them.

export const NOTATIONS = ["chinese", "traditional", "wxf", "iccs"];
const NOTATION = { en: "wxf", "zh-Hans": "chinese", "zh-Hant": "traditional" };
const LETTERS = { en: "learner", "zh-Hans": "chinese", "zh-Hant": "traditional" };

/** @param {import("./state.js").App} app @returns {import("./state.js").Words} */
export function words(app) {
  return {
    get notation() {
      return app.settings.notation || NOTATION[app.settings.language];
    },
    get letters() {
      return app.settings.letters || LETTERS[app.settings.language];
    },
    moveText: ([iccs, ...texts]) =>
      app.words.notation === "iccs" ? iccs.toUpperCase() : texts[NOTATIONS.indexOf(app.words.notation)],
    nodeText: (node) => app.words.moveText([node.move ?? "", ...(node.texts ?? [])]),
    nameOf([english, simplified, traditional]) {
      return { en: english, "zh-Hans": simplified, "zh-Hant": traditional }[app.settings.language];
    },
    // What is said of a move: by the coach in a game, and by a review
    judgement({ book, better: [better] = [], mark, loss }, node) {
      const move = app.words.nodeText(node);
      if (book) return app.t("judged_book", move);
      if (!better) return app.t("judged_best", move);
      if (mark) return app.t("judged_odd", move, loss, app.words.moveText(better));
      return loss ? app.t("judged_near", move, loss, app.words.moveText(better)) : app.t("judged_good", move, app.words.moveText(better));
    },
    // A score as the user wants to see it: from Red's side, or from that of who is to move
    scoreText(score, turn = app.tree.turn) {
      const sign = app.settings.score === "red" || turn === "red" ? 1 : -1;
      if (score.mate === "given" || score.mate === 0) return app.t("mated");
      if (score.mate !== undefined) return `${sign * score.mate < 0 ? "−" : "+"}#${Math.abs(score.mate)}`;
      const value = (sign * (score.cp ?? 0)) / 100;
      return `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(2)}`;
    },
  };
}
