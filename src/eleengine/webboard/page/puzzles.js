// Puzzles and endings: the card of the one that is open, and those that come after it.

import { button, clear, el } from "./dom.js";

/** @typedef {import("./state.js").Puzzle} Puzzle */

const STEP = 5; // puzzles of a streak before they grow harder
const HARDEST = 6; // level

/** @param {import("./state.js").App} app @returns {import("./state.js").App["puzzles"]} */
export function puzzles(app) {
  const { $, t, state } = app;

  // What is solved, which mistakes were made and which help was asked for
  /** @param {Puzzle} puzzle */
  function status(puzzle) {
    const solved = puzzle.ending === undefined ? 0 : app.preferences.solved(puzzle.ending);
    const goal = puzzle.ending !== undefined ? t(puzzle.kind === "win" ? "winIt" : "holdIt") : goalOf(puzzle);
    return el("p", { class: "state" },
      puzzle.state === "open" ? goal : t(puzzle.state === "solved" ? "solved" : "shown"),
      puzzle.verdict ? el("small", {}, ` ${app.words.nameOf(puzzle.verdict)}`) : null,
      puzzle.tries ? el("small", {}, ` ${t("tries", puzzle.tries)}`) : null,
      solved ? el("small", {}, ` ${t("solvedTimes", solved)}`) : null,
      puzzle.state !== "open" && puzzle.themes?.length ? el("small", {}, ` ${puzzle.themes.map(app.words.nameOf).join(" · ")}`) : null);
  }

  /** @param {Puzzle} puzzle */
  function goalOf({ side, moves, kind }) {
    if (moves) return moves === 1 ? t("mateInOne", t(side)) : t("mateIn", t(side), moves);
    return t(kind === "draw" ? "findDraw" : "findBest", t(side));
  }

  /** @param {Puzzle} puzzle */
  function heading({ number, names, moves, level = 0 }) {
    const { series } = state;
    const title = names ? app.words.nameOf(names) : (moves ? `${t("mateMoves", moves)} ${"★".repeat(level)}` : "");
    const place = series?.numbers && number !== undefined ? series.numbers.indexOf(number) + 1 : 0;
    const told = place && series?.numbers ? `${place}/${series.numbers.length}` : series && !series.numbers ? t("streakNow", series.solved) : "";
    return el("h2", {}, title, told ? el("small", {}, ` ${told}`) : null);
  }

  function draw() {
    const { puzzle, series } = state;
    const card = $("puzzle");
    card.hidden = !puzzle || app.editor.open;
    if (!puzzle || card.hidden) return;
    const done = puzzle.state !== "open", again = puzzle.ending === undefined && (!series || Boolean(series.numbers));
    const kind = done ? "primary" : "";
    clear(
      card,
      heading(puzzle),
      status(puzzle),
      done && series ? el("p", { class: "quiet", role: "status" }, seriesText(series, puzzle)) : null,
      el(
        "div",
        { class: "buttons" },
        done ? null : button("hint", t("hint"), app.actions.askHint, { key: "H" }),
        done ? null : button(null, t("solution"), () => app.actions.act("solution", () => ({ node: state.at }))),
        again ? button(null, t("again"), () => app.actions.act("puzzle", { number: puzzle.number })) : null,
        puzzle.ending !== undefined ? button("next", t("nextPosition"), () => app.actions.act("puzzle", { ending: puzzle.ending }), { kind }) : null,
        series?.over ? button("next", t("newStreak"), self.streak, { kind }) : null,
        puzzle.ending === undefined && !series?.over && !isLast(series, puzzle) ? button("next", t("nextPuzzle"), next, { kind }) : null,
      ),
    );
  }

  /** @type {(series: import("./state.js").Series | null, puzzle: Puzzle) => boolean} */
  const isLast = (series, puzzle) => series?.numbers?.at(-1) === puzzle.number && puzzle.number !== undefined;

  /** @type {(series: import("./state.js").Series, puzzle: Puzzle) => string} */
  function seriesText(series, puzzle) {
    if (series.over) return t("streakOver", series.solved, app.settings.streak ?? 0);
    return isLast(series, puzzle) ? t("setDone", series.solved, series.numbers?.length) : "";
  }

  // The next one of the set, of the streak, or of all that are unsolved
  const next = () => app.input.run(() => {
    const { puzzle, series } = state;
    if (!series) return app.actions.ask("puzzle", { choose: "next", after: puzzle?.number ?? -1 });
    if (!series.numbers) return app.actions.ask("puzzle", { choose: "random", level: Math.min(HARDEST, 1 + Math.floor(series.solved / STEP)) });
    const place = puzzle?.number === undefined ? -1 : series.numbers.indexOf(puzzle.number);
    return app.actions.ask("puzzle", { number: series.numbers[place + 1] });
  });

  /** @param {Puzzle} puzzle */
  function countEnding({ ending = 0 }) {
    const counts = app.preferences.solvedEndings();
    counts[ending] = app.preferences.solved(ending) + 1;
    app.preferences.set({ endings: Array.from(counts, (count) => count || 0).join(" ") });
  }

  /** @type {import("./state.js").App["puzzles"]} */
  const self = {
    update: draw,
    heard(puzzle, before) {
      const alone = !puzzle.tries && !puzzle.helped && puzzle.state !== "shown", { series } = state;
      const solved = puzzle.state === "solved" && before?.state === "open" && alone;
      if (solved && puzzle.ending !== undefined) countEnding(puzzle);
      if (!series || series.over) return;
      if (solved) series.solved++;
      if (!series.numbers && !alone) series.over = true;
      if (!series.numbers && series.solved > (app.settings.streak ?? 0)) app.preferences.set({ streak: series.solved });
    },
    play(numbers, first = numbers[0]) {
      state.series = { numbers, solved: 0, over: false };
      return app.actions.act("puzzle", { number: first });
    },
    streak() {
      state.series = { numbers: null, solved: 0, over: false };
      return next();
    },
    async playIds(ids) {
      const answer = await app.actions.ask("puzzles");
      const numbers = (answer?.puzzles ?? []).filter(({ id }) => ids.includes(id)).map(({ number }) => number);
      if (numbers.length) self.play(numbers); // in its turn
      else if (answer) app.view.notice(t("error_no-puzzle"), "bad");
    },
  };
  return self;
}
