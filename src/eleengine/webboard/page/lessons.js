// Learning: the review of a game, and finding the better move.

import { button, choice, clear, el, popup } from "./dom.js";

/** @typedef {import("./state.js").Side} Side */
/** @typedef {import("./state.js").TreeNode} TreeNode */
/** @typedef {import("./state.js").Lesson} Lesson */

/** @param {import("./state.js").App} app @returns {import("./state.js").App["lessons"]} */
export function lessons(app) {
  const { $, t, state } = app;
  const SIDES = /** @type {const} */ (["both", "red", "black"]);

  /** @param {TreeNode} node */
  const isMistake = (node) => app.tree.marks(node).some(({ words }) => words);

  /** @param {TreeNode} node @returns {Side} */
  const mover = (node) => app.tree.numbering(app.writing.place(node.id).path.length).turn;

  // Review

  const review = () => app.input.run(async () => {
    app.engineOn = false;
    state.reviewing = { done: 0, of: 0 };
    state.reviewHidden = false;
    self.update();
    if (await app.actions.ask("review", { seconds: app.settings.reviewSeconds ?? 0.5 })) return;
    state.reviewing = null;
    self.update();
  });

  const page = () => app.dialogs.fetch("report_page", { language: app.settings.language });

  function drawLesson() {
    const card = $("learn");
    const { reviewing, summary, learn } = state;
    card.hidden = app.editor.open || app.tree.playing || Boolean(state.puzzle);
    if (card.hidden) return;
    if (reviewing) {
      clear(
        card,
        el(
          "div",
          { class: "reviewed" },
          el("span", { class: "state" }, t("reviewing", reviewing.done, reviewing.of || "…")),
          el("progress", { max: reviewing.of || 1, value: reviewing.done, "aria-label": t("review") }),
          button("close", t("cancel"), () => app.actions.ask("cancel")),
        ),
      );
      return;
    }
    if (learn) return drawLearn(card, learn);
    const perMove = choice(t("perMove"), [0.1, 0.5, 2, 10].map((seconds) => [seconds, `${seconds} s ${t("perMove")}`]), app.settings.reviewSeconds ?? 0.5, (value) => app.preferences.set({ reviewSeconds: Number(value) }));
    if (!summary) {
      const start = button("review", t("review"), review, { kind: app.state.game?.result ? "primary" : "" });
      start.disabled = !canReview();
      clear(card, el("div", { class: "reviewed" }, start, perMove));
      return;
    }
    if (state.reviewHidden) {
      clear(card, el("div", { class: "reviewed" }, button("review", t("showReview"), () => hide(false))));
      return;
    }
    clear(
      card,
      el(
        "div",
        { class: "reviewed" },
        el("div", { class: "summary" }, [chip("red", summary.red), chip("black", summary.black)]),
        el("span", { class: "space" }),
        button("previous", t("previousMistake"), () => self.nextMistake(-1), { quiet: true, key: "Shift ←" }),
        button("next", t("nextMistake"), () => self.nextMistake(1), { quiet: true, key: "Shift →" }),
        button("hint", t("learn"), () => start(ownMistakes()), { kind: "learn" }),
        popup(
          t("moreReview"),
          "⋯",
          choice(t("iPlayed"), SIDES.map((side) => [side, t(side)]), state.mySide, (side) => {
            state.mySide = SIDES.find((one) => one === side) ?? "both";
            app.preferences.flip(side === "black");
          }),
          perMove,
          button("review", t("reviewAgain"), review),
          button(null, t("hideReview"), () => hide(true)),
          button("close", t("dropReview"), () => app.actions.act("drop_review")),
          button("save", t("reviewPage"), page),
        ),
      ),
      drawJudgement(),
    );
  }

  /** @param {boolean} hidden */
  function hide(hidden) {
    state.reviewHidden = hidden;
    app.view.update();
  }

  // What is said of the shown move: of a mistake what it costs, why, and what was better
  function drawJudgement() {
    const found = self.mistake();
    const judged = app.tree.judged(app.tree.find());
    if (!found) return el("div", { class: "why quiet" }, state.at && judged ? app.words.judgement(judged, app.tree.node()) : "");
    const cost = found.mate ? t("missedMate", found.mate) : t("costs", found.loss);
    const why = found.why?.[app.settings.language];
    const better = found.better.length ? t("betterMove", app.words.moveText(found.better[0])) : "";
    const text = [[cost, why].filter(Boolean).join(app.settings.language === "en" ? ", " : "，"), better].filter(Boolean).join(app.settings.language === "en" ? ". " : "。");
    return el(
      "div",
      { class: "why" },
      el("span", { class: "said", title: text }, text),
      found.refutation.length ? button(null, t("refutation"), () => app.actions.act("line", { node: state.at, moves: found.refutation.map(([move]) => move) }), { kind: "small" }) : null,
      button(null, t("tryIt"), () => start([app.tree.node()]), { kind: "small" }),
    );
  }

  // A side's accuracy, and how many marks of each kind it got
  /** @param {Side} side @param {import("./state.js").SideSummary} found */
  function chip(side, found) {
    const counts = app.welcome.marks.flatMap(({ name, words }) => (words && name in found.marks ? `${app.words.nameOf(words)} ${found.marks[name]}` : []));
    const accuracy = found.accuracy === null ? "–" : `${found.accuracy} %`;
    const title = [`${t(side)}: ${t("accuracy")} ${accuracy}`, ...counts].join(", ");
    return el("span", { class: `chip ${side}`, role: "img", title, "aria-label": title }, accuracy);
  }

  const canReview = () => app.tree.line(0).length > 4 && !state.puzzle;

  // Finding the better move

  function ownMistakes() {
    const all = app.tree.line(0).filter((node) => app.tree.judged(node)?.mark);
    return state.mySide !== "both" ? all.filter((node) => mover(node) === state.mySide) : all;
  }

  /** @param {TreeNode[]} own */
  const start = (own) => app.input.run(() => {
    if (!own.length) return app.view.notice(t("noMistakes"));
    app.engineOn = false;
    state.learn = { nodes: own.map((node) => node.id), place: 0, state: "ask", found: new Set(), helped: new Set() };
    return ask(state.learn);
  });

  const next = () => app.input.run(() => {
    const { learn } = state;
    if (!learn || learn.place + 1 >= learn.nodes.length) return;
    learn.place++;
    return ask(learn);
  });

  /** @param {Lesson} learn */
  function ask(learn) {
    const node = app.tree.node(learn.nodes[learn.place]);
    learn.state = "ask";
    const going = app.actions.show(node.parent);
    self.update();
    return going;
  }

  /** @param {HTMLElement} card @param {Lesson} learn */
  function drawLearn(card, learn) {
    const node = app.tree.node(learn.nodes[learn.place]);
    const question = t("playedInstead", t(mover(node)), app.words.nodeText(node));
    const text = { ask: question, judging: t("judging"), good: t("good"), bad: `${t("notBetter")} ${question}`, shown: t("betterWas"), end: t("learnt", learn.nodes.length, learn.found.size, learn.helped.size) }[learn.state];
    if (learn.state === "end") {
      clear(card, el("h2", {}, t("learn")), el("p", { class: "state good" }, text), el("div", { class: "buttons" }, button("close", t("finish"), stop, { kind: "primary" })));
      return;
    }
    const more = learn.place + 1 < learn.nodes.length;
    clear(
      card,
      el("h2", {}, t("learn"), el("small", {}, ` ${learn.place + 1}/${learn.nodes.length}`)),
      el("p", { class: `state ${learn.state}` }, text),
      el(
        "div",
        { class: "buttons" },
        learn.state === "ask" || learn.state === "bad" ? button("hint", t("show"), () => show(learn)) : null,
        more ? button("next", t("nextOne"), next, { kind: learn.state === "good" || learn.state === "shown" ? "primary" : "" }) : null,
        button("close", t("finish"), () => app.input.run(() => (learn.found.size + learn.helped.size ? end(learn) : stop()))),
      ),
    );
    app.view.say(text);
  }

  /** @param {Lesson} learn */
  const show = (learn) => app.input.run(() => {
    const node = app.tree.node(learn.nodes[learn.place]);
    learn.state = "shown";
    if (!learn.found.has(node.id)) learn.helped.add(node.id);
    const better = app.tree.judged(node)?.better;
    const going = better?.length && app.actions.ask("line", { node: node.parent, moves: better.map(([move]) => move) });
    app.moves.update();
    self.update();
    return going;
  });

  /** @param {Lesson} learn */
  function end(learn) {
    learn.state = "end";
    app.view.draw();
    self.update();
  }

  function stop() {
    state.learn = null;
    app.view.dress();
  }

  /** @type {import("./state.js").App["lessons"]} */
  const self = {
    review,
    update: drawLesson,
    async guess(move) {
      const { learn } = state;
      if (!learn) return;
      const node = app.tree.node(learn.nodes[learn.place]);
      if (["good", "shown", "judging", "end"].includes(learn.state) || state.at !== node.parent) return app.view.draw();
      learn.state = "judging";
      self.update();
      const answer = await app.actions.ask("guess", { node: state.at, move });
      if (state.learn !== learn) return app.view.draw();
      learn.state = !answer ? "ask" : answer.good ? "good" : "bad";
      if (answer?.good) learn.found.add(node.id);
      if (answer?.good) await app.actions.ask("move", { node: node.parent, move });
      else app.view.draw();
      app.moves.update();
      self.update();
    },
    // What the review says of the shown move, if it is a mistake of the main line
    mistake() {
      const place = state.reviewHidden ? -1 : (state.summary?.nodes ?? []).findIndex(({ id }) => id === state.at);
      return state.summary?.mistakes.find(({ ply }) => ply === place) ?? null;
    },
    nextMistake: (way) => app.input.run(() => {
      const line = app.tree.line(app.actions.place);
      const here = line.findIndex((node) => node.id === app.actions.place);
      const found = way > 0 ? line.slice(here + 1).find(isMistake) : line.slice(0, Math.max(0, here)).findLast(isMistake);
      return found && app.actions.show(found.id);
    }, { step: true }),
  };
  return self;
}
