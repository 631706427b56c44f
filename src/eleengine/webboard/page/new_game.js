// A new game: who plays, against which level, with which clock.

import { button, choice, clear, dialog, el, focused } from "./dom.js";
import { levelName } from "./texts.js";

/** @typedef {import("./state.js").Side} Side */

const SIDES = /** @type {const} */ ([["red", "playRed"], ["black", "playBlack"], ["random", "playRandom"], ["both", "twoPersons"], ["none", "engines"]]);

/** @type {Record<typeof SIDES[number][0], Side[]>} who plays as an engine */
const AGAINST = { red: ["black"], black: ["red"], random: ["black"], both: [], none: ["red", "black"] };

/** @type {Record<string, [base: number, increment: number] | null>} seconds */
const CLOCKS = { none: null, "3+2": [180, 2], "5+3": [300, 3], "10+5": [600, 5], "15+10": [900, 10], "30+0": [1800, 0] };

/** @param {import("./state.js").App} app @returns {import("./state.js").Dialogs["newGame"]} */
export function newGameDialog(app) {
  const { t, state } = app;

  // fen, started: a position of the editor, and what to do when its game has begun. practice: from the shown
  // position, for the side to move, with each move judged.
  /** @param {import("./state.js").Wanted} [wanted] */
  function newGame({ fen = null, started = null, practice = false, level = null } = {}) {
    const { settings, welcome: about } = app;
    const wanted = {
      side: practice ? app.tree.turn : settings.side ?? "red",
      from: fen ? "fen" : practice ? "here" : "start",
      coach: practice ? "each" : settings.warn,
      clock: practice ? "none" : settings.clock,
      engines: { red: 0, black: 0 }, // of the sides that no person plays
      levels: { red: level ?? settings.levelRed ?? settings.level, black: level ?? settings.levelBlack ?? settings.level },
    };
    const body = el("div", { class: "form" });

    // An engine and, if it is ours, its level
    /** @param {Side} side @param {boolean} both */
    function opponent(side, both) {
      const names = about.engines.map((name, n) => [n, name]);
      const name = both ? t(side) : t("engine");
      const chosen = wanted.engines[side];
      const rows = names.length > 1 ? [choice(name, names, chosen, (value) => ((wanted.engines[side] = Number(value)), draw()))] : [];
      if (chosen !== 0) return rows;
      const text = (/** @type {number} */ level) => [level, levelName(settings.language, level), about.levels[level] === null ? "" : t("levelElo", about.levels[level]), about.record[level] && !both ? t("recordShort", ...about.record[level]) : ""].filter((part) => part !== "").join(" · ");
      const shown = el("output", {}, text(wanted.levels[side]));
      const slider = el("input", {
        type: "range", min: 0, max: about.levels.length - 1, value: wanted.levels[side], "aria-label": both ? t("levelOf", t(side)) : t("level"), "aria-valuetext": text(wanted.levels[side]),
        oninput() {
          const level = Number(slider.value);
          if (both) wanted.levels[side] = level;
          else wanted.levels = { red: level, black: level };
          shown.textContent = text(level);
          slider.setAttribute("aria-valuetext", text(level));
        },
      });
      return [...rows, el("label", { class: "field level" }, el("span", {}, both && names.length < 2 ? name : t("level")), slider, shown)];
    }

    function draw() {
      const sides = SIDES.map(([side, text]) => [side, t(text)]);
      const { side } = wanted;
      const against = AGAINST[side];
      clear(
        body,
        choice(t("sides"), sides, side, (value) => {
          wanted.side = SIDES.find(([one]) => one === value)?.[0] ?? "red";
          draw();
        }),
        against.flatMap((other) => opponent(other, side === "none")),
        against.length ? el("p", { class: "quiet small" }, t("eloHelp")) : null,
        against.length === 1 ? choice(t("coach"), ["off", "blunders", "mistakes", "each"].map((name) => [name, t(`coach_${name}`)]), wanted.coach, (value) => (wanted.coach = value)) : null,
        practice ? el("p", { class: "quiet small" }, t("practiceHelp")) : null,
        choice(t("clock"), Object.keys(CLOCKS).map((name) => [name, name === "none" ? t("noClock") : name]), wanted.clock, (value) => (wanted.clock = value)),
        fen || practice ? null : choice(t("from"), [["start", t("startPosition")], ["here", t("thisPosition")]], wanted.from, (value) => (wanted.from = value)),
      );
    }

    async function start() {
      const { levels, engines } = wanted;
      const side = wanted.side === "random" ? (Math.random() < 0.5 ? "red" : "black") : wanted.side;
      if (wanted.side === "random") engines.red = engines.black; // the one opponent that was chosen
      const player = (/** @type {Side} */ color) => (side === color || side === "both" ? null : engines[color]);
      const clock = CLOCKS[wanted.clock];
      const one = side === "red" || side === "black"; // person
      const rules = {
        players: { red: player("red"), black: player("black") },
        levels,
        clock: clock && { base: clock[0], increment: clock[1] },
        moveTime: side === "none" ? 1 : 2,
        warn: one ? wanted.coach : "off",
      };
      if (side === "none") app.preferences.set({ side, levelRed: levels.red, levelBlack: levels.black });
      else if (!practice) app.preferences.set({ side: wanted.side, level: levels.red, warn: wanted.coach, clock: wanted.clock });
      box.close();
      await app.input.run(async () => {
        app.engineOn = false;
        state.learn = null;
        const here = wanted.from === "here";
        if (here) app.preferences.flip(side === "black");
        const answer = await (here ? app.actions.ask("play", { node: state.at, ...rules }) : app.actions.ask("new", { ...rules, ...(fen ? { fen } : {}) }));
        if (answer) started?.();
        app.engine.follow();
      });
    }

    function analyse() {
      box.close();
      return app.actions.act("new");
    }

    draw();
    const box = dialog(
      app,
      practice ? t("practice") : t("newGame"),
      body,
      el("div", { class: "buttons" }, focused(button("play", t("start"), start, { kind: "primary" })), fen || practice ? null : button("edit", t("emptyAnalysis"), analyse)),
    );
  }

  return newGame;
}
