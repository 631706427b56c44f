// The list of puzzles and endings: chosen by length, difficulty and theme, in sets to solve, print and hand out.

import { button, check, choice, clear, dialog, el } from "./dom.js";

/** @typedef {import("./state.js").ListedPuzzle} Listed */

const SET = 12; // puzzles

/** @type {Record<string, (moves: number) => boolean>} 0 moves: not a mate */
const LENGTHS = {
  all: () => true,
  one: (moves) => moves === 1,
  two: (moves) => moves === 2,
  three: (moves) => moves === 3,
  middle: (moves) => moves > 3 && moves <= 6,
  long: (moves) => moves > 6,
  studies: (moves) => moves === 0,
};

/** @type {Record<string, string>} */
const MARKS = { solved: "✓", helped: "◐", tried: "·" };

/** @param {import("./state.js").App} app @returns {import("./state.js").Dialogs["puzzles"]} */
export function puzzleList(app) {
  const { t } = app;
  const wanted = { length: "all", level: 0, theme: "", unsolved: false, set: 0 }; // kept while the page is open

  /** @param {Listed} puzzle */
  const isWanted = ({ moves, level, themes, progress }) =>
    LENGTHS[wanted.length](moves ?? 0) && (!wanted.level || level === wanted.level) && (!wanted.theme || themes.includes(wanted.theme)) && !(wanted.unsolved && progress === "solved");

  async function puzzles() {
    const list = el("ul", { class: "list" });
    const box = dialog(app, t("puzzles"), list);
    const answer = await app.actions.ask("puzzles");
    if (!answer) return box.close();
    const { puzzles: all, themes } = answer;
    const solved = all.filter((puzzle) => puzzle.progress === "solved").length;
    const title = el("span", { class: "quiet" }), tools = el("div", { class: "buttons" });

    const start = (/** @type {() => unknown} */ action) => () => {
      box.close();
      app.state.series = null;
      action();
    };
    /** @type {(puzzle: Listed, numbers: number[]) => HTMLElement} */
    const row = ({ number, names, moves, kind, level, progress }, numbers) => {
      const mark = el("b", { class: "mark", role: "img", "aria-label": progress ? t(`puzzle_${progress}`) : null, "aria-hidden": progress ? null : "true" }, MARKS[progress] ?? "");
      const goal = moves ? t("mateMoves", moves) : t(kind === "draw" ? "draw" : "bestMove");
      return el("li", {}, el("button", { type: "button", class: "entry", onclick: start(() => app.puzzles.play(numbers, number)) },
        el("span", {}, mark, `${number + 1}. ${names ? app.words.nameOf(names) : goal}`), el("small", {}, [names ? goal : "", "★".repeat(level)].filter(Boolean).join(" · "))));
    };

    // One set of those that are wanted
    function fill(change = {}) {
      Object.assign(wanted, { set: 0 }, change);
      const found = all.filter(isWanted), sets = Math.max(1, Math.ceil(found.length / SET));
      wanted.set = Math.min(sets - 1, Math.max(0, wanted.set));
      const shown = found.slice(SET * wanted.set, SET * (wanted.set + 1)), numbers = shown.map(({ number }) => number);
      title.textContent = t("setOf", wanted.set + 1, sets, found.length);
      const step = (/** @type {"previous" | "next"} */ way) => button(way, t(way === "next" ? "nextSet" : "previousSet"), () => fill({ set: wanted.set + (way === "next" ? 1 : -1) }), { quiet: true });
      clear(tools, step("previous"), title, step("next"), shown.length ? [
        button("play", t("solveSet"), start(() => app.puzzles.play(numbers)), { kind: "small" }),
        button("save", t("printSet"), () => print(numbers), { kind: "small" }),
        button("copy", t("linkSet"), () => app.dialogs.share(`set=${shown.map(({ id }) => id).join(",")}`), { kind: "small" }),
      ] : null);
      const others = found.map(({ number }) => number);
      clear(list, shown.map((puzzle) => row(puzzle, others)), shown.length ? null : el("li", { class: "empty" }, t("nothingFound")));
    }

    function print(/** @type {number[]} */ numbers) {
      const { words, settings } = app;
      app.dialogs.fetch("sheet", { numbers, language: settings.language, letters: words.letters, notation: words.notation });
    }

    const levels = [[0, t("anyLevel")], ...[1, 2, 3, 4, 5, 6].map((level) => [level, "★".repeat(level)])];
    const names = [["", t("anyTheme")], ...Object.entries(themes).map(([theme, names]) => [theme, app.words.nameOf(names)])];
    list.before(
      endingList(answer.endings, start),
      el(
        "div",
        { class: "buttons" },
        button("next", t("nextUnsolved"), start(() => app.actions.act("puzzle", { choose: "next" })), { kind: "primary" }),
        button(null, t("randomPuzzle"), start(() => app.actions.act("puzzle", { choose: "random" }))),
        button("practice", t("streak"), start(() => app.puzzles.streak())),
        el("span", { class: "quiet" }, t("solvedOf", solved, all.length), app.settings.streak ? ` · ${t("bestStreak", app.settings.streak)}` : null),
      ),
      el("div", { class: "form two" },
        choice(t("show_"), Object.keys(LENGTHS).map((kind) => [kind, t(`kind_${kind}`)]), wanted.length, (length) => fill({ length })),
        choice(t("difficulty"), levels, wanted.level, (level) => fill({ level: Number(level) })),
        choice(t("themeOf"), names, wanted.theme, (theme) => fill({ theme })),
        check(t("onlyUnsolved"), wanted.unsolved, (unsolved) => fill({ unsolved }))),
      tools,
    );
    fill({ set: wanted.set });
  }

  /** @type {(endings: import("./state.js").ListedEnding[], start: (action: () => unknown) => () => void) => HTMLElement} */
  const endingList = (endings, start) =>
    el("details", { class: "endings" }, el("summary", {}, t("endings")), el("ul", { class: "list" }, endings.map((ending) =>
      el("li", {}, el("button", { type: "button", class: "entry", disabled: !ending.there, onclick: start(() => app.actions.act("puzzle", { ending: ending.number })) },
        el("span", {}, app.words.nameOf(ending.names)),
        el("small", {}, ending.there ? t("solvedTimes", app.preferences.solved(ending.number)) : t("needsTable", ending.table)))))));

  return puzzles;
}
