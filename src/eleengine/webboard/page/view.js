// What is shown and said: the board with its arrows, the notice, the panels, the status for screen readers.

import { piecesOf } from "./board.js";
import { button, clear, el, findAll, isTouch } from "./dom.js";
import { play as sound } from "./sound.js";
import { outcomeText } from "./texts.js";

/** @param {import("./state.js").App} app */
export function view(app) {
  function toolbar() {
    const { t } = app;
    const open = (name) => () => app.dialogs[name]();
    clear(
      document.querySelector(".tools"),
      button("new", t("newGame"), open("newGame"), { kind: "primary" }),
      button("open", t("open"), open("open")),
      button("save", t("save"), open("save")),
      button("edit", t("edit"), () => app.input.run(app.editor.start)),
      button("puzzle", t("puzzles"), open("puzzles")),
      app.about?.phone ? button("phone", t("phone"), open("phone"), { quiet: true }) : null,
      button("settings", t("settings"), open("settings"), { quiet: true }),
      button("help", t(isTouch() ? "fingerHelp" : "help"), open("help"), { quiet: true, key: "?" }),
    );
  }

  function navigation() {
    const { t } = app;
    clear(
      app.$("navigation"),
      button("first", t("first"), () => app.actions.step("first"), { quiet: true, key: "Home" }),
      button("previous", t("previous"), () => app.actions.step("previous"), { quiet: true, key: "←" }),
      button("next", t("next"), () => app.actions.step("next"), { quiet: true, key: "→" }),
      button("last", t("last"), () => app.actions.step("last"), { quiet: true, key: "End" }),
      el("span", { class: "space" }),
      button("flip", t("flip"), () => app.input.run(() => app.preferences.flip()), { quiet: true, key: "F" }),
      button("hint", t("hint"), app.actions.askHint, { quiet: true, key: "H" }),
    );
  }

  // All panels
  function update() {
    if (!app.about || !app.state.position) return;
    app.view.panels.forEach((view) => view.update());
    app.view.draw();
    document.title = [app.state.headers.Title || players(), "eleengine"].filter(Boolean).join(" – ");
  }

  function players() {
    const { Red, Black } = app.state.headers;
    return Red || Black ? `${Red ?? "?"} – ${Black ?? "?"}` : "";
  }

  // What is true of the position: the move that led to it, check, whose turn it is, or how the game ended
  function positionText() {
    const { position, game } = app.state;
    const node = app.tree.node();
    const parts = node?.move ? [app.words.nodeText(node)] : [];
    const outcome = game?.result && app.state.at === game.node ? game.result : position.outcome;
    if (outcome) parts.push(outcomeText(app.settings.language, outcome));
    else {
      if (position.check) parts.push(app.t("check"));
      parts.push(app.t(position.turn === "red" ? "redToMove" : "blackToMove"));
    }
    return { text: parts.join(app.settings.language === "en" ? ". " : "。"), outcome };
  }

  // The same for eyes and ears
  function announcePosition(before) {
    const { position } = app.state;
    const node = app.tree.node();
    const { text, outcome } = positionText();
    app.view.say(text);
    if (!app.settings.sound || !node?.move || before === app.state.at) return;
    const taken = before !== undefined && app.tree.node(before)?.id === node.parent && app.view.taken;
    sound(outcome ? "end" : position.check ? "check" : taken ? "capture" : "move");
  }

  return {
    preview: null,
    hinted: null,
    taken: false,
    noticeTimer: 0,
    panels: [],
    update,
    announcePosition,
    say(text) {
      app.$("status").textContent = text;
    },
    // A message for a while; it goes with the position that it was said of, and stands in the open dialog if there is one.
    notice(text, kind = "", { stays = false, undo = false } = {}) {
      clearTimeout(app.view.noticeTimer);
      const card = app.$("notice");
      const host = [...document.querySelectorAll("dialog[open] header")].at(-1);
      if (host) host.after(card);
      else document.querySelector(".boardrow").append(card);
      card.className = `card notice ${kind}`;
      card.hidden = !text;
      clear(card, el("span", {}, text ?? ""), undo ? button("undo", app.t("undo"), () => app.actions.undo(), { kind: "small" }) : null, button("close", app.t("close"), () => app.view.notice(""), { quiet: true }));
      if (text && !stays) app.view.noticeTimer = setTimeout(() => app.view.notice(""), 9000);
    },
    draw({ animate = true } = {}) {
      const { position } = app.state;
      if (!position || app.editor?.open) return;
      const [badge] = findAll(".previewed");
      badge.hidden = !app.view.preview;
      badge.textContent = app.view.preview ? app.t("preview", app.view.preview.length) : "";
      app.$("board").classList.toggle("previewing", Boolean(app.view.preview));
      if (app.view.preview) {
        const pieces = piecesOf(position.fen);
        for (const move of app.view.preview) {
          pieces.set(move.slice(2, 4), pieces.get(move.slice(0, 2)));
          pieces.delete(move.slice(0, 2));
        }
        app.board.show({ pieces, legal: {}, last: app.view.preview.at(-1), check: null }, { animate });
      } else {
        app.board.show({ pieces: piecesOf(position.fen), legal: app.view.legal(), last: position.last, check: position.check }, { animate });
      }
      app.view.drawArrows();
    },
    legal() {
      const { position, game, at } = app.state;
      if (position.outcome && !app.state.learn) return {};
      if (app.tree.playing && (at !== game.node || game.players[game.turn] !== null)) return {};
      return position.legal;
    },
    drawArrows() {
      if (app.editor?.open) return;
      const list = [];
      if (!app.view.preview) {
        const { info, at } = app.state;
        if (app.engineOn && app.settings.arrows && info?.node === at && !app.tree.playing) {
          info.lines.slice(0, 3).forEach((line, n) => {
            const move = line.moves[0]?.[0];
            if (move) list.unshift([move.slice(0, 2), move.slice(2, 4), n ? "candidate" : "best", 1 - n * 0.4]);
          });
        }
        const { learn, game } = app.state;
        const mistake = learn || app.engineOn ? null : app.lessons.mistake();
        for (const [line, color] of mistake ? [[mistake.refutation, "red"], [mistake.better, "green"]] : []) {
          if (line.length) list.push([line[0][0].slice(0, 2), line[0][0].slice(2, 4), color]);
        }
        const refutation = game?.judged?.held && app.state.at === game.node && game.judged.refutation[0]?.[0];
        if (refutation) list.push([refutation.slice(0, 2), refutation.slice(2, 4), "red"]);
        if (learn && (learn.state === "ask" || learn.state === "bad" || learn.state === "judging")) {
          const { move } = app.tree.node(learn.nodes[learn.place]);
          list.push([move.slice(0, 2), move.slice(2, 4), "red"]);
        }
        for (const arrow of app.tree.node()?.arrows ?? []) list.push(arrow);
        if (app.view.hinted) list.push(app.view.hinted);
      }
      app.board.arrows(list);
    },
    // Everything that depends on language and settings
    dress() {
      const { settings } = app;
      document.documentElement.lang = settings.language;
      document.documentElement.dataset.theme = settings.theme;
      for (const element of findAll("[data-label]")) element.setAttribute("aria-label", app.t(element.dataset.label));
      toolbar();
      navigation();
      app.board.configure({ flipped: settings.flipped, letters: app.words.letters, notation: app.words.notation });
      app.board.grid.setAttribute("aria-label", app.t("board"));
      app.board.label();
      update();
      if (app.state.position && app.state.nodes.size && !app.editor.open) app.view.say(positionText().text); // in the language and notation chosen now
    },
    // The winning chances beside the board
    gauge() {
      const { info, at, position } = app.state;
      const line = app.engineOn && info?.node === at ? info.lines[0] : app.tree.score(app.tree.node());
      const outcome = position?.outcome;
      const win = outcome ? { red: 1, black: 0 }[outcome.winner] ?? 0.5 : line?.win;
      const gauge = app.$("gauge");
      gauge.classList.toggle("unknown", win === undefined);
      gauge.classList.toggle("flipped", app.settings.flipped);
      gauge.style.setProperty("--win", `${100 * (win ?? 0.5)}%`);
      const text = win === undefined || outcome ? "" : app.words.scoreText(line).replace(/(\.\d)\d$/, "$1");
      gauge.querySelector("span").textContent = text;
      gauge.setAttribute("aria-label", text ? `${app.t("score")} ${text}` : app.t("score"));
    },
  };
}
