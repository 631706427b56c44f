// Opening files, texts and kept games.

import { piecesOf } from "./board.js";
import { button, choice, clear, closeDialogs, dialog, el, focused, isTouch, svg } from "./dom.js";
import { failureOf } from "./link.js";
import { problem, recordProblem } from "./problems.js";
import { playerName } from "./texts.js";

/** @typedef {import("./state.js").Listed} Listed */
/** @typedef {import("./state.js").Kept} Kept */
/** @typedef {{ said: string, kind?: string, failed?: boolean }} Read what there is to say of a file */

/** @type {Record<string, (game: Listed) => boolean | undefined>} Which of the kept games are listed */
const KEPT = {
  all: () => true,
  running: ({ state }) => state === "running",
  lost: ({ state }) => state === "lost",
  reviewed: ({ reviewed }) => reviewed,
  puzzles: ({ puzzle }) => puzzle,
};

const ROWS = 60; // of a list, which may have thousands, that are there at a time
const HEIGHT = 48; // pixels of a row, as in style.css

/**
 * @param {import("./state.js").App} app
 * @returns {Pick<import("./state.js").Dialogs, "open" | "openFiles" | "openText" | "turn" | "reading">}
 */
export function opening(app) {
  const { t, state } = app;

  // Open a text or file and, if it has several games, wait for a choice; of one among several files keep all games.
  /** @param {object} request @returns {Promise<Read>} */
  async function opened(request) {
    /** @type {import("./state.js").Answers["open"]} */
    let answer;
    const ask = () => app.link.ask("open", request);
    /** @type {import("./state.js").Warned} */
    let added = {};
    try {
      answer = await ("quiet" in request ? ask() : app.input.run(ask));
      state.file = null; // the server has this file now
      if ("quiet" in request && answer.games) added = await app.link.ask("index");
    } catch (error) {
      return failed(problem(app.settings.language, failureOf(error)));
    } finally {
      shut();
    }
    const said = [warned(answer), warned(added)];
    if ("quiet" in request) {
      last = answer.doc ?? last;
    } else {
      closeDialogs(); // the game is below them
      if (answer.games) {
        await gamesOf(answer.games, said[0]);
        return { said: "" };
      }
    }
    const kind = said.some(Boolean) ? "bad" : undefined;
    if (answer.again) said.unshift(t("openedAgain"));
    return { said: said.filter(Boolean).join("\n"), kind };
  }

  // What could not be read, "" if there is nothing
  /** @param {import("./state.js").Warned} answer */
  function warned({ warnings = [], unsaid }) {
    if (!warnings.length) return "";
    const lines = warnings.map((warning) => recordProblem(app.settings.language, warning));
    return t("warnings", [...lines, ...(unsaid ? [t("moreWarnings", unsaid)] : [])].join("\n"));
  }

  /** @param {string} said @returns {Read} */
  const failed = (said) => ({ said, kind: "bad", failed: true });

  /** @param {number} bytes */
  function tooLarge(bytes) {
    const most = app.about?.limits.file ?? Infinity;
    return bytes > most ? t("tooLarge", most / 2 ** 20) : "";
  }

  /** @param {string} text */
  async function openText(text) {
    const refused = tooLarge(new Blob([text]).size);
    if (refused) return app.view.notice(refused, "bad");
    reading = { name: "", number: 1, of: 1, wanted: true, shown: false };
    const { said, kind } = await opened({ text });
    if (said) app.view.notice(said, kind);
  }

  /** @param {Listed} game */
  function title(game) {
    const name = (/** @type {import("./state.js").Side} */ side) => playerName(app.settings.language, game[side]) || (game.person === side ? t("you") : "?");
    const names = game.red || game.black || game.person ? `${name("red")} – ${name("black")}` : "";
    return [names, game.title].filter(Boolean).join(" · ") || t("untitled");
  }

  /** @param {Listed} game */
  const searched = (game) => `${title(game)} ${game.opening ? app.words.nameOf(game.opening) : ""} ${game.result}`.toLowerCase();

  /** @param {Listed} game @param {() => unknown} action @param {...import("./dom.js").Child} more */
  function gameRow(game, action, ...more) {
    const when = game.changed ? new Date(1000 * game.changed).toLocaleString(app.settings.language, { dateStyle: "medium", timeStyle: "short" }) : "";
    const text = [game.opening && app.words.nameOf(game.opening), game.result === "*" ? "" : game.result, game.plies === 1 ? t("ply") : t("plies", game.plies), when].filter(Boolean).join(" · ");
    return el("li", {}, el("button", { type: "button", class: "entry", onclick: action }, game.fen ? thumbnail(game.fen) : null, el("span", {}, title(game)), el("small", {}, text)), ...more);
  }

  // A list of games, of which only those in sight are there
  /** @param {HTMLElement} list @param {Listed[]} games @param {(game: Listed) => HTMLElement} row */
  function rows(list, games, row) {
    let first = -1;
    /** @param {number} count */
    const gap = (count) => {
      const rest = el("li", { "aria-hidden": "true" });
      rest.style.height = `${count * HEIGHT}px`;
      return count > 0 ? rest : null;
    };
    function draw() {
      const wanted = Math.max(0, Math.min(games.length - ROWS, Math.floor(list.scrollTop / HEIGHT) - ROWS / 3));
      if (first >= 0 && Math.abs(wanted - first) < ROWS / 6) return;
      first = wanted;
      const shown = games.slice(first, first + ROWS).map(row);
      clear(list, gap(first), shown, gap(games.length - first - ROWS), games.length ? null : el("li", { class: "empty" }, t("nothingFound")));
    }
    list.scrollTop = 0;
    list.onscroll = draw;
    draw();
  }

  // A small board: discs without characters
  /** @param {string} fen */
  function thumbnail(fen) {
    const discs = [...piecesOf(fen)].map(([square, symbol]) => svg("circle", { class: symbol === symbol.toUpperCase() ? "red" : "black", cx: "abcdefghi".indexOf(square[0]) + 0.5, cy: 9.5 - Number(square[1]), r: 0.42 }));
    return svg("svg", { class: "thumbnail", viewBox: "0 0 9 10", "aria-hidden": "true" }, svg("rect", { class: "wood", width: 9, height: 10, rx: 0.4 }), discs);
  }

  /**
   * @param {Listed[]} games
   * @param {string} left what there is to say of others in the file
   */
  function gamesOf(games, left) {
    const filter = el("input", { type: "search", placeholder: t("search"), "aria-label": t("search"), oninput: draw });
    const list = el("ul", { class: "list games" });
    function draw() {
      const word = filter.value.toLowerCase();
      const found = games.filter((game) => searched(game).includes(word));
      rows(list, found, (game) => gameRow(game, () => (box.close(), choose(games.length, Number(game.doc)))));
    }
    const box = dialog(app, t("gamesInFile", games.length), el("div", { class: "search" }, filter, button("new", t("addGames"), addGames)), list);
    draw();
    if (left) app.view.notice(left, "bad", { stays: true });
    return new Promise((closed) => box.addEventListener("close", closed));
  }

  // Show a game of the file that was opened last.
  /** @param {number} games @param {number} at */
  async function choose(games, at) {
    const answer = await app.actions.act("choose", { game: at });
    if (!answer) return;
    state.file = { games, at };
    app.view.update();
    const said = warned(answer);
    if (said) app.view.notice(said, "bad");
  }

  // The next game of the file, or the one before
  function turn(/** @type {number} */ way) {
    const { file } = state, at = (file?.at ?? 0) + way;
    if (file && at >= 0 && at < file.games) return choose(file.games, at);
    app.view.notice(t("noMoreGames"));
  }

  // Put all games of the file into the index, where the tab of games finds them.
  async function addGames() {
    const added = await app.actions.ask("index");
    if (!added) return;
    const said = warned(added);
    app.view.notice([t("gamesAdded", added.games, added.new), said].filter(Boolean).join("\n"), said ? "bad" : "good");
    app.explorer.follow();
  }

  /** What is being read, of how many files, and whether it is still wanted */
  let reading = { name: "", number: 1, of: 1, wanted: true, shown: false };
  let last = ""; // the game that was read last of several files

  // How far the reading has come, with a way to end it
  function read(games = 0) {
    const { name, number, of } = reading;
    const text = [of > 1 ? t("readingFile", number, of, name) : "", games ? t("readingGames", games) : ""].filter(Boolean).join(" ");
    if (!text) return;
    reading.shown = true;
    app.view.notice(text, "", { stays: true, action: button("close", t("cancel"), () => {
      reading.wanted = false;
      app.link.send("cancel_open");
    }, { kind: "small" }) });
  }

  function shut() {
    if (reading.shown && reading.of === 1) app.view.notice("");
    reading.shown &&= reading.of > 1;
  }

  // Open files one after the other; the last one comes on the board, which can be used meanwhile.
  /** @param {File[]} files */
  async function openFiles(files) {
    const found = [];
    last = "";
    reading = { name: "", number: 0, of: files.length, wanted: true, shown: false };
    for (const file of files) {
      Object.assign(reading, { name: file.name, number: reading.number + 1 });
      read();
      found.push({ name: file.name, ...(await openFile(file, files.length > 1)) });
      if (!reading.wanted) break;
    }
    if (files.length < 2) return found[0]?.said && app.view.notice(found[0].said, found[0].kind);
    closeDialogs();
    if (last) await app.actions.act("show", { doc: last });
    const said = t("filesRead", found.filter((one) => !one.failed).length, files.length);
    const trouble = found.filter(({ kind }) => kind === "bad");
    app.view.notice(trouble.length ? "" : said, "good");
    if (trouble.length) dialog(app, t("open"), el("p", {}, said), el("ul", { class: "files" }, trouble.map(({ name, said }) => el("li", {}, `${name}: ${said}`))));
  }

  /** @param {File} file @param {boolean} quiet */
  async function openFile(file, quiet) {
    const refused = tooLarge(file.size);
    if (refused) return failed(refused);
    const buffer = await file.arrayBuffer().catch(() => null);
    if (!buffer) return failed(t("unreadable"));
    const bytes = new Uint8Array(buffer);
    let binary = "";
    for (let i = 0; i < bytes.length; i += 32768) binary += String.fromCharCode(...bytes.subarray(i, i + 32768));
    return opened({ name: file.name.slice(-200), data: btoa(binary), ...(quiet && { quiet }) });
  }

  async function open() {
    const file = el("input", { type: "file", "aria-label": t("chooseFile"), multiple: true, onchange: () => { openFiles([...(file.files ?? [])]); }, onclick: () => { file.value = ""; } }); // so that the same file can be chosen again
    const text = el("textarea", { rows: 4, placeholder: t("pasteHere"), "aria-label": t("pasteHere") });
    const list = el("ul", { class: "list games" }), unread = el("p", { class: "defects", hidden: true });
    const search = el("input", { type: "search", placeholder: t("search"), "aria-label": t("search"), oninput: () => draw() });
    /** @type {Listed[]} */
    let kept = [];
    let kind = "all";
    const box = dialog(
      app,
      t("open"),
      el("p", { class: "quiet" }, t(isTouch() ? "openHelpTouch" : "openHelp")),
      file,
      text,
      el("div", { class: "buttons" }, button("open", t("openText"), () => openText(text.value), { kind: "primary" })),
      el("h3", {}, t("kept")),
      el("div", { class: "search" }, search, choice(t("show_"), Object.keys(KEPT).map((kind) => [kind, t(`kept_${kind}`)]), "all", (value) => ((kind = value), draw()))),
      unread,
      list,
    );
    const actions = (/** @type {Listed} */ game) => [
      button("edit", t("rename"), () => rename(game), { quiet: true }),
      game.doc === state.doc ? el("span", { class: "gap" }) : button("close", t("delete"), () => app.dialogs.confirm(t("reallyDelete"), async () => fill(await app.actions.ask("forget", { doc: game.doc }))), { quiet: true }),
    ];
    /** @param {Listed} game */
    function rename(game) {
      const field = el("input", { type: "text", maxlength: 500, value: game.title, "aria-label": t("headerTitle") });
      const asked = dialog(app, t("rename"), el("form", { onsubmit: async (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        asked.close();
        if (field.value !== game.title) fill(await app.actions.ask("rename", { doc: game.doc, title: field.value }));
      } }, focused(field), button(null, t("ok"), () => field.form?.requestSubmit(), { kind: "primary" })));
      field.select();
    }
    function draw() {
      const word = search.value.toLowerCase();
      const found = kept.filter((game) => KEPT[kind](game) && searched(game).includes(word));
      rows(list, found, (game) => gameRow(game, () => (box.close(), app.link.open ? app.actions.act("show", { doc: game.doc }) : app.away.show(game.doc)), ...actions(game)));
    }
    const fill = (/** @type {Kept | null} */ answer) => {
      if (!answer) return;
      kept = answer.documents;
      const files = answer.unread ?? [];
      unread.hidden = !files.length;
      unread.textContent = t("unreadKept", files.length, files.slice(0, 5).join(", "));
      draw();
    };
    fill(app.link.open || !app.about?.installed ? await app.actions.ask("documents") : { documents: await app.away.list() });
  }

  return { open, openFiles, openText, turn, reading: read };
}
