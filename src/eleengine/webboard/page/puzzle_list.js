// The list of puzzles and endings.

import { button, choice, clear, dialog, el } from "./dom.js";

/**
 * @param {import("./state.js").App} app
 * @returns {import("./state.js").Dialogs["puzzles"]}
 */
export function puzzleList(app) {
  const { t } = app;

  async function puzzles() {
    const list = el("ul", { class: "list" });
    const box = dialog(app, t("puzzles"), list);
    const answer = await app.actions.ask("puzzles");
    if (!answer) return box.close();
    const endings = answer.endings.map((ending) =>
      el("li", {}, el("button", { type: "button", class: "entry", disabled: !ending.there, onclick: () => (box.close(), app.actions.act("puzzle", { ending: ending.number })) }, el("span", {}, app.words.nameOf(ending.names)), el("small", {}, ending.there ? t("solvedTimes", app.preferences.solved(ending.number)) : `eleengine tables make ${ending.table}`))),
    );
    list.before(el("details", { class: "endings" }, el("summary", {}, t("endings")), el("ul", { class: "list" }, endings)));
    const solved = answer.puzzles.filter((puzzle) => puzzle.progress === "solved").length;
    /** @type {Record<string, (puzzle: import("./state.js").ListedPuzzle) => boolean>} */
    const kinds = {
      all: () => true,
      unsolved: (puzzle) => puzzle.progress !== "solved",
      short: ({ moves }) => moves !== null && moves <= 3,
      middle: ({ moves }) => moves !== null && moves > 3 && moves <= 6,
      long: ({ moves }) => moves !== null && moves > 6,
      studies: ({ moves }) => !moves,
    };
    const go = (/** @type {object} */ request) => () => (box.close(), app.actions.act("puzzle", request));
    /** @type {Record<string, string>} */
    const marks = { solved: "✓", helped: "◐", tried: "·" };
    const fill = (/** @type {string} */ kind) =>
      clear(list, answer.puzzles.filter(kinds[kind]).map((puzzle) =>
        el(
          "li",
          {},
          el(
            "button",
            { type: "button", class: "entry", onclick: go({ number: puzzle.number }) },
            el("span", {}, el("b", { class: "mark", role: "img", "aria-label": puzzle.progress ? t(`puzzle_${puzzle.progress}`) : null, "aria-hidden": puzzle.progress ? null : "true" }, marks[puzzle.progress] ?? ""), `${puzzle.number + 1}. ${puzzle.name || "–"}`),
            el("small", {}, puzzle.moves ? t("mateMoves", puzzle.moves) : t(puzzle.kind === "draw" ? "draw" : "bestMove")),
          ),
        ),
      ));
    list.before(
      el(
        "div",
        { class: "buttons" },
        button("next", t("nextUnsolved"), go({ choose: "next" }), { kind: "primary" }),
        button(null, t("randomPuzzle"), go({ choose: "random" })),
        el("span", { class: "quiet" }, t("solvedOf", solved, answer.puzzles.length)),
      ),
      choice(t("show_"), Object.keys(kinds).map((kind) => [kind, t(`kind_${kind}`)]), "all", fill),
    );
    fill("all");
  }

  return puzzles;
}
