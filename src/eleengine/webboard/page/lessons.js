// Learning: the review of a game, finding the better move, and puzzles.

import { button, choice, clear, el } from "./dom.js";

const MARKED = [2, 4, 6];

export function lessons(app) {
  const { $, t, state } = app;

  const isMistake = (node) => (node.nags ?? []).some((nag) => MARKED.includes(nag));
  const mover = (node) => {
    const fields = state.start.split(" ");
    let ply = 0;
    for (let n = node; n.parent !== undefined; n = app.node(n.parent)) ply++;
    return (ply % 2 === 1) === (fields[1] !== "b") ? "red" : "black";
  };

  // Puzzles

  function drawPuzzle() {
    const { puzzle } = state;
    const card = $("puzzle");
    card.hidden = !puzzle || app.editor.open;
    if (card.hidden) return;
    const side = t(puzzle.side);
    const goal = puzzle.moves ? t("mateIn", side, puzzle.moves) : t(puzzle.kind === "draw" ? "findDraw" : "findBest", side);
    const done = puzzle.state !== "open";
    clear(
      card,
      el("h2", {}, puzzle.name),
      el("p", { class: "state" }, done ? t(puzzle.state === "solved" ? "solved" : "shown") : goal, puzzle.tries ? el("small", {}, ` ${t("tries", puzzle.tries)}`) : null),
      el(
        "div",
        { class: "buttons" },
        done ? null : button("hint", t("hint"), () => app.hint(), { key: "H" }),
        done ? null : button(null, t("solution"), () => app.ask("solution")),
        button(null, t("again"), () => app.ask("puzzle", { number: puzzle.number })),
        puzzle.number + 1 >= (puzzle.of ?? Infinity) ? null : button("next", t("nextPuzzle"), () => app.ask("puzzle", { number: puzzle.number + 1 }), { kind: done ? "primary" : "" }),
      ),
    );
  }

  // Review

  function review() {
    app.engineOn = false;
    app.ask("review", { seconds: app.settings.reviewSeconds ?? 0.5 });
    state.reviewing = { done: 0, of: 0 };
    state.summary = null;
    self.update();
  }

  async function page() {
    const file = await app.ask("report_page", { language: app.settings.language.slice(0, 2) });
    if (file) app.dialogs.download(file);
  }

  function drawLesson() {
    const card = $("learn");
    const { reviewing, summary, learn } = state;
    card.hidden = app.editor.open || app.playing || !(reviewing || summary || learn || canReview());
    if (card.hidden) return;
    if (reviewing) {
      clear(
        card,
        el("p", { class: "state" }, t("reviewing", reviewing.done, reviewing.of || "…")),
        el("progress", { max: reviewing.of || 1, value: reviewing.done, "aria-label": t("review") }),
        el("div", { class: "buttons" }, button("close", t("cancel"), () => app.ask("cancel"))),
      );
    } else if (learn) {
      drawLearn(card, learn);
    } else {
      const rows = summary
        ? ["red", "black"].map((side) => {
            const found = summary[side];
            return el("tr", {}, el("th", { scope: "row" }, t(side)), el("td", {}, found.accuracy === null ? "–" : `${found.accuracy} %`), el("td", { class: "inaccuracy" }, String(found.inaccuracies)), el("td", { class: "mistake" }, String(found.mistakes)), el("td", { class: "blunder" }, String(found.blunders)));
          })
        : null;
      const mistakes = app.line(0).filter(isMistake).length;
      const table = rows
          ? el("table", { class: "summary" }, el("thead", {}, el("tr", {}, el("td"), [t("accuracy"), "?!", "?", "??"].map((text, n) => el("th", { scope: "col", title: n ? t(["", "inaccuracies", "mistakes", "blunders"][n]) : null }, text)))), el("tbody", {}, rows))
          : null;
      clear(
        card,
        el(
          "div",
          { class: "reviewed" },
          table,
          el(
          "div",
          { class: "buttons" },
          button("review", t(mistakes || summary ? "reviewAgain" : "review"), review, { kind: summary || mistakes ? "" : "primary" }),
          choice(t("perMove"), [0.1, 0.5, 2, 10].map((seconds) => [seconds, `${seconds} s ${t("perMove")}`]), app.settings.reviewSeconds ?? 0.5, (value) => app.set({ reviewSeconds: Number(value) })),
          mistakes ? button("previous", t("previousMistake"), () => self.nextMistake(-1), { quiet: true, key: "Shift ←" }) : null,
          mistakes ? button("next", t("nextMistake"), () => self.nextMistake(1), { quiet: true, key: "Shift →" }) : null,
          mistakes ? button("hint", t("learn"), start) : null,
          summary ? button("save", t("reviewPage"), page) : null,
          ),
        ),
      );
    }
  }

  const canReview = () => (app.node(0)?.children.length ?? 0) > 0 && app.line(0).length > 4 && !state.puzzle;

  // Finding the better move

  function start() {
    const all = app.line(0).filter(isMistake);
    const persons = state.game ? Object.entries(state.game.players).filter(([, player]) => player === null).map(([side]) => side) : [];
    const own = persons.length === 1 ? all.filter((node) => mover(node) === persons[0]) : all;
    if (!own.length) return app.notice(t("noMistakes"));
    app.engineOn = false;
    state.learn = { nodes: own.map((node) => node.id), place: 0, state: "ask" };
    ask();
  }

  function ask() {
    const node = app.node(state.learn.nodes[state.learn.place]);
    state.learn.state = "ask";
    app.go(node.parent);
    self.update();
  }

  function drawLearn(card, learn) {
    const node = app.node(learn.nodes[learn.place]);
    const text = { ask: t("playedInstead", app.nodeText(node)), good: t("good"), bad: t("notBetter"), shown: t("betterWas") }[learn.state];
    const more = learn.place + 1 < learn.nodes.length;
    clear(
      card,
      el("h2", {}, t("learn"), el("small", {}, ` ${learn.place + 1}/${learn.nodes.length}`)),
      el("p", { class: `state ${learn.state}` }, text),
      el(
        "div",
        { class: "buttons" },
        learn.state === "ask" || learn.state === "bad" ? button("hint", t("show"), show) : null,
        more ? button("next", t("nextOne"), () => (learn.place++, ask()), { kind: learn.state === "good" || learn.state === "shown" ? "primary" : "" }) : null,
        button("close", t("finish"), stop),
      ),
    );
    app.say(text);
  }

  function better() {
    // the review has put the better line beside the mistake
    const node = app.node(state.learn.nodes[state.learn.place]);
    const siblings = app.node(node.parent).children.map((id) => app.node(id));
    return siblings.find((other) => other.id !== node.id);
  }

  function show() {
    const found = better();
    state.learn.state = "shown";
    if (found) app.go(found.id);
    app.moves.update();
    self.update();
  }

  function stop() {
    state.learn = null;
    app.dress();
  }

  const self = {
    review,
    update() {
      drawPuzzle();
      drawLesson();
    },
    async guess(move) {
      const { learn } = state;
      const node = app.node(learn.nodes[learn.place]);
      if (learn.state === "good" || learn.state === "shown" || state.at !== node.parent) return app.draw();
      const answer = await app.ask("guess", { node: state.at, move });
      if (!answer || state.learn !== learn) return app.draw();
      learn.state = answer.good ? "good" : "bad";
      if (answer.good) await app.ask("move", { node: node.parent, move });
      else app.draw();
      app.moves.update();
      self.update();
    },
    nextMistake(way) {
      const line = app.line();
      const here = line.findIndex((node) => node.id === state.at);
      const found = way > 0 ? line.slice(here + 1).find(isMistake) : line.slice(0, Math.max(0, here)).findLast(isMistake);
      if (found) app.go(found.id);
    },
  };
  return self;
}
