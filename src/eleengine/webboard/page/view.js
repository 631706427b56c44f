// What is shown and said: the board with its arrows, the notice, the panels, the status for screen readers.

import { piecesOf } from "./board.js";
import { button, clear, el, find, findAll, icon, isTouch, popup, targetOf } from "./dom.js";
import { play as sound } from "./sound.js";
import { outcomeText } from "./texts.js";

/** @param {import("./state.js").App} app @returns {import("./state.js").View} */
export function view(app) {
  const narrow = matchMedia("(max-width: 860px) and (min-height: 561px)"); // as in style.css
  narrow.addEventListener("change", () => app.view.dress());

  function toolbar() {
    const { t } = app;
    /** @param {"newGame" | "open" | "save" | "puzzles" | "phone" | "settings" | "help"} name */
    const open = (name) => () => app.dialogs[name]();
    const quiet = !narrow.matches; // in the menu of a narrow screen they have words
    const puzzles = button("puzzle", t("puzzles"), open("puzzles"));
    const save = button("save", t("save"), open("save"));
    const edit = button("edit", t("edit"), () => app.input.run(app.editor.start));
    const others = [
      app.about?.phone ? button("phone", t("phone"), open("phone"), { quiet }) : null,
      button("settings", t("settings"), open("settings"), { quiet }),
      button("help", t(isTouch() ? "fingerHelp" : "help"), open("help"), { quiet, key: "?" }),
    ];
    if (app.about?.watching) clear(find(".tools"), el("span", { class: "following" }, t("following")), others);
    else if (quiet) clear(find(".tools"), button("new", t("newGame"), open("newGame"), { kind: "primary" }), button("open", t("open"), open("open")), save, edit, puzzles, others);
    else {
      const more = popup(t("more"), "", save, edit, others);
      const summary = find("summary", more);
      // Closed before the action begins: a dialog gives the focus back to what can be seen.
      more.addEventListener("click", (event) => targetOf(event).closest("button") && (summary.focus(), more.removeAttribute("open")), true);
      summary.append(icon("more"), el("span", {}, t("more")));
      clear(find(".tools"), button("new", t("barPlay"), open("newGame")), puzzles, button("open", t("barOpen"), open("open")), button("review", t("analyseThis"), analyse), more);
    }
  }

  // Switch the engine on, where it is seen
  function analyse() {
    if (app.tree.playing) return app.view.notice(app.t("error_game-running"));
    app.engine.toggle();
    app.$("engine").scrollIntoView({ block: "nearest" });
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
      app.about?.watching ? null : button("hint", t("hint"), app.actions.askHint, { quiet: true, key: "H" }),
      el("span", { class: "opening" }),
    );
  }

  // All panels
  function update() {
    if (!app.about || !app.state.position) return;
    app.view.panels.forEach((view) => view.update());
    app.view.draw();
    drawOpening();
    document.title = [app.state.headers.Title || players(), "eleengine"].filter(Boolean).join(" – ");
  }

  // The name of the opening as far as to the shown move
  function drawOpening() {
    const [place] = findAll(".opening");
    let node = app.tree.find();
    while (node?.parent !== undefined && !node.opening) node = app.tree.node(node.parent);
    place.title = place.textContent = node?.opening && !app.state.puzzle ? app.words.nameOf(node.opening) : "";
  }

  function players() {
    const { Red, Black } = app.state.headers;
    return Red || Black ? `${Red ?? "?"} – ${Black ?? "?"}` : "";
  }

  // What is true of the position: the move that led to it, check, whose turn it is, or how the game ended
  function positionText() {
    const { game } = app.state, { position } = app.tree;
    const node = app.tree.find();
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
  /** @param {number} [before] */
  function announcePosition(before) {
    const { position } = app.tree;
    const node = app.tree.find();
    const { text, outcome } = positionText();
    app.view.say(text);
    const called = el("p", { class: "called", "aria-hidden": "true" });
    find(".called").replaceWith(called); // a new one, which is seen for a moment again
    called.textContent = position.check && !outcome && before !== app.state.at ? app.t("check") : "";
    if (!app.settings.sound || !node?.move || before === app.state.at) return;
    const taken = before !== undefined && before === node.parent && app.view.taken;
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
    tell(text, kind) {
      app.view.notice(text, kind);
      app.view.say(text);
    },
    previewLine(moves) {
      const line = moves?.length ? moves : null;
      if (line?.join() === app.view.preview?.join()) return;
      app.view.preview = line;
      app.view.draw();
    },
    // A message for a while; it goes with the position that it was said of, and stands in the open dialog if there is one.
    notice(text, kind = "", { stays = false, action = null } = {}) {
      clearTimeout(app.view.noticeTimer);
      const card = app.$("notice");
      const host = [...document.querySelectorAll("dialog[open] header")].at(-1);
      if (host) host.after(card);
      else find(".boardrow").append(card);
      card.className = `card notice ${kind}`;
      card.hidden = !text;
      clear(card, el("span", {}, text ?? ""), action, button("close", app.t("close"), () => app.view.notice(""), { quiet: true }));
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
          pieces.set(move.slice(2, 4), pieces.get(move.slice(0, 2)) ?? "");
          pieces.delete(move.slice(0, 2));
        }
        app.board.show({ pieces, legal: {}, last: app.view.preview.at(-1) ?? null, check: null }, { animate });
      } else {
        const { targets: ahead, move: premove } = app.premove;
        app.board.show({ pieces: piecesOf(position.fen), legal: app.view.legal(), last: position.last, check: position.check, ahead, premove }, { animate });
      }
      app.view.drawArrows();
    },
    legal() {
      const { game, at } = app.state, { position } = app.tree;
      if (app.about?.watching || (position.outcome && !app.state.learn)) return {};
      if (game && !game.result && (at !== game.node || game.players[game.turn] !== null)) return {};
      return position.legal;
    },
    drawArrows() {
      if (app.editor?.open) return;
      /** @type {import("./board.js").DrawnArrow[]} */
      const list = [];
      /** @param {(string[] | string | undefined)[] | undefined} moves @param {string} name */
      const point = (moves, name, width = 1) => {
        const move = moves?.[0] instanceof Array ? moves[0][0] : moves?.[0];
        if (move) list.push([move.slice(0, 2), move.slice(2, 4), name, width]);
      };
      if (!app.view.preview) {
        const { info, at } = app.state;
        if (app.engineOn && app.settings.arrows && info?.node === at && !app.tree.playing) {
          // the best one over the others
          for (const n of [2, 1, 0]) point(info.lines[n]?.moves, n ? "candidate" : "best", 1 - n * 0.4);
        }
        const { learn, game } = app.state;
        const mistake = learn || app.engineOn ? null : app.lessons.mistake();
        point(mistake?.refutation, "red");
        point(mistake?.better, "green");
        if (game?.judged?.held && app.state.at === game.node) point(game.judged.refutation, "red");
        if (learn && (learn.state === "ask" || learn.state === "bad" || learn.state === "judging")) {
          point([app.tree.node(learn.nodes[learn.place]).move], "red");
        }
        for (const arrow of app.tree.find()?.arrows ?? []) list.push(arrow);
        if (app.view.hinted) list.push(app.view.hinted);
        if (app.premove.move) point([app.premove.move], "premove");
      }
      app.board.arrows(list);
    },
    // Everything that depends on language and settings
    dress() {
      const { settings } = app;
      document.documentElement.lang = settings.language;
      document.documentElement.dataset.theme = settings.theme;
      document.documentElement.classList.toggle("large", settings.large);
      document.body.classList.toggle("watching", Boolean(app.about?.watching));
      for (const element of findAll("[data-label]")) element.setAttribute("aria-label", app.t(element.dataset.label ?? ""));
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
      const line = app.engineOn && info?.node === at ? info.lines[0] : app.tree.score(app.tree.find());
      const outcome = position?.outcome;
      const win = outcome ? (outcome.winner ? { red: 1, black: 0 }[outcome.winner] : 0.5) : line?.win;
      const gauge = app.$("gauge");
      gauge.classList.toggle("unknown", win === undefined);
      gauge.classList.toggle("flipped", app.settings.flipped);
      gauge.style.setProperty("--win", `${100 * (win ?? 0.5)}%`);
      const text = !line || outcome ? "" : app.words.scoreText(line).replace(/(\.\d)\d$/, "$1");
      find("span", gauge).textContent = text;
      gauge.setAttribute("aria-label", text ? `${app.t("score")} ${text}` : app.t("score"));
    },
  };
}
