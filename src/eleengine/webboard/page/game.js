// A game: the players and their clocks beside the board, and what a player may do.

import { button, clear, el, svg } from "./dom.js";
import { piece } from "./pieces.js";
import { outcomeText, playerName } from "./texts.js";

/** @typedef {import("./state.js").Side} Side */
/** @typedef {import("./state.js").LiveGame} LiveGame */

/** @type {Side[]} */
const SIDES = ["red", "black"];

/** @param {number} seconds */
function time(seconds) {
  const whole = Math.ceil(seconds - 0.001), tenths = Math.max(0, Math.ceil(10 * seconds - 0.01));
  const hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
  const rest = String(whole % 60).padStart(2, "0");
  if (tenths < 100) return `0:0${(tenths / 10).toFixed(1)}`;
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/** @param {import("./state.js").App} app @returns {import("./state.js").App["game"]} */
export function game(app) {
  const { $, t, state } = app;
  /** @type {Partial<Record<Side, HTMLElement | null>>} */
  let clocks = {};
  /** @type {number | null} */
  let warned = null; // the node whose warning has been brought into sight

  /** @param {Side} side */
  function name(side) {
    const told = playerName(app.settings.language, state.headers[side === "red" ? "Red" : "Black"] ?? "");
    const played = state.game;
    if (!played || (played.start !== 0 && told)) return told;
    return person(played, side);
  }

  /** @param {LiveGame} played @param {Side} side */
  function person({ players, names, levels }, side) {
    const number = players[side];
    if (number === null) return t(Object.values(players).some((player) => player !== null) ? "you" : side);
    const level = number === 0 ? ` · ${t("level")} ${levels[side]}` : "";
    return names[side] + level;
  }

  // The person's results at the level of the game, and why this game may not be among them
  /** @param {NonNullable<LiveGame["record"]>} record */
  function recordText({ level, sums, helped }) {
    return [t("recordAt", level, ...sums), helped ? t("notCounted") : ""].join(" ");
  }

  // What a move costs that the engine has not answered yet, and why
  /** @param {import("./state.js").Judged} judged @param {string} move */
  function warning({ loss, mark, refutation = [], why }, move) {
    const english = app.settings.language === "en";
    const cost = t(mark === "missed_mate" ? "warnedMate" : "warned", move, loss);
    const said = [cost, why?.[app.settings.language]].filter(Boolean).join(english ? ", " : "，") + (english ? ". " : "。");
    return said + (refutation.length ? t("warnedAnswer", refutation.slice(0, 4).map(app.words.moveText).join(" ")) : "");
  }

  // What two engines think: the score, the depth and the line of each at its last move
  /** @param {LiveGame["found"]} found */
  function thoughts(found) {
    const rows = SIDES.flatMap((side) => {
      const line = found[side];
      if (!line) return [];
      const { depth, moves } = line;
      return el("li", { class: side }, el("b", {}, app.words.scoreText(line, side)), el("small", {}, `${t("depth")} ${depth}`), el("span", {}, moves.slice(0, 6).map(app.words.moveText).join(" ")));
    });
    return rows.length ? el("ul", { class: "thoughts" }, rows) : null;
  }

  /** @param {HTMLElement} element @param {Side} side */
  function bar(element, side) {
    const played = state.game;
    const text = name(side);
    element.hidden = !text && !played?.clock;
    const turn = played && !played.result && played.turn === side;
    const clock = played?.clock ? el("span", { class: `clock ${turn && !played.paused ? "runs" : ""}`, role: "timer" }) : null;
    const king = svg("svg", { viewBox: "-30 -30 60 60", "aria-hidden": "true" }, piece(side === "red" ? "K" : "k", app.words.letters));
    clear(element, el("span", { class: "face" }, king), el("span", { class: "name" }, text), turn && played.thinking ? el("span", { class: "dots", title: t("thinking") }, "…") : null, clock);
    element.classList.toggle("turn", Boolean(turn));
    clocks[side] = clock;
  }

  function tick() {
    const clock = state.game?.clock;
    if (!clock) return;
    for (const side of SIDES) {
      const spent = clock.runs === side ? (performance.now() - state.gameSince) / 1000 : 0;
      const left = Math.max(0, clock[side] - spent);
      const shown = clocks[side];
      if (!shown) continue;
      shown.textContent = time(left);
      shown.classList.toggle("low", left < 20);
    }
  }
  setInterval(tick, 100);

  /** @param {string} action */
  const act = (action) => async () => {
    const answer = await app.actions.act("game", { action });
    if (action === "draw" && answer) app.view.notice(t(answer.accepted ? "drawAccepted" : "drawDeclined"));
  };

  /** @param {string} question @param {string} action */
  const sure = (question, action) => () => app.dialogs.confirm(question, act(action));

  return {
    takeBack: act("takeback"),
    update() {
      /** @type {Side[]} */
      const [above, below] = app.settings.flipped ? ["red", "black"] : ["black", "red"];
      clocks = {};
      bar($("above"), above);
      bar($("below"), below);
      tick();
      const card = $("game");
      const played = state.game;
      const outcome = state.position?.outcome;
      card.hidden = !(played || outcome) || app.editor.open || Boolean(state.learn);
      if (card.hidden) return;
      if (!played) {
        clear(card, outcome ? el("p", { class: "result" }, outcomeText(app.settings.language, outcome)) : null);
        return;
      }
      const persons = Object.values(played.players).filter((player) => player === null).length;
      if (played.result) {
        const { record } = played;
        clear(
          card,
          el("p", { class: "result" }, outcomeText(app.settings.language, played.result)),
          record ? el("p", { class: "quiet" }, recordText(record)) : null,
          el(
            "div",
            { class: "buttons" },
            record ? button("play", t("tryLevel", record.next), () => app.dialogs.newGame({ level: record.next }), { kind: "primary" }) : null,
            button("new", t("newGame"), () => app.dialogs.newGame()),
            persons && played.result.reason !== "time" ? button("undo", t("takeBack"), act("takeback")) : null,
          ),
        );
        return;
      }
      if (played.judged?.held) {
        const { better = [], node } = played.judged;
        const show = better.length ? button("hint", t("showBetter"), () => { show?.replaceWith(el("span", { class: "state good", role: "status" }, t("betterMove", app.words.moveText(better[0])))); }) : null;
        clear(
          card,
          el("p", { class: "state bad", role: "alert" }, warning(played.judged, app.words.nodeText(app.tree.node(played.node)))),
          el("div", { class: "buttons" }, button("undo", t("takeBack"), act("takeback"), { kind: "primary", key: "Ctrl Z" }), button("play", t("goOn"), act("accept")), show),
        );
        if (warned !== node) card.scrollIntoView({ block: "nearest" }); // on a small screen it stands below the board
        warned = node;
        return;
      }
      warned = null;
      const away = state.at !== played.node;
      const mine = played.players[played.turn] === null;
      const text = played.paused ? t("paused") : away ? t("lookingBack") : !mine ? t("thinkingOf", person(played, played.turn)) : persons === 2 ? t(played.turn === "red" ? "redToMove" : "blackToMove") : t("yourTurn");
      clear(
        card,
        el("p", { class: "state" }, text, away ? button(null, t("backToGame"), () => app.actions.go(played.node), { kind: "small" }) : null),
        app.premove.text ? el("p", { class: "state" }, app.premove.text, button(null, t("cancel"), app.premove.cancel, { kind: "small", key: "Esc" })) : null,
        played.warn === "each" ? el("p", { class: `judged ${played.judged?.mark ? "bad" : "good"}`, "aria-live": "polite" }, played.judged ? app.words.judgement(played.judged, app.tree.node(played.judged.node)) : "") : null,
        persons ? null : thoughts(played.found),
        el(
          "div",
          { class: "buttons" },
          persons ? button("undo", t("takeBack"), act("takeback"), { key: "Ctrl Z" }) : null,
          persons ? button("hint", t("hint"), app.actions.askHint, { key: "H" }) : null,
          persons ? button("half", t("offerDraw"), act("draw")) : null,
          persons ? button("flag", t("resign"), sure(t("reallyResign"), "resign")) : null,
          played.paused ? button("play", t("resume"), act("resume")) : button("pause", t("pause"), act("pause")),
          button("close", t("endGame"), sure(t("reallyEnd"), "stop")),
        ),
      );
    },
  };
}
