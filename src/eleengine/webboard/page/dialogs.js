// Dialogs: a new game, opening and saving, puzzles, settings, help.

import { piecesOf } from "./board.js";
import { button, check, choice, clear, dialog, el, findAll, svg } from "./dom.js";
import { problem, recordProblem } from "./problems.js";
import { keysTable, LANGUAGES, levelName, playerName } from "./texts.js";

const CLOCKS = { none: null, "3+2": [180, 2], "5+3": [300, 3], "10+5": [600, 5], "15+10": [900, 10], "30+0": [1800, 0] };
const LETTERS = ["chinese", "traditional", "learner", "latin", "symbols"];

// Which of the kept games are listed
const KEPT = {
  all: () => true,
  running: ({ state }) => state === "running",
  lost: ({ state }) => state === "lost",
  reviewed: ({ reviewed }) => reviewed,
  puzzles: ({ puzzle }) => puzzle,
};

const ROWS = 300; // of a list of games

const focused = (element) => (element.setAttribute("autofocus", ""), element);

/** @param {import("./state.js").App} app */
export function dialogs(app) {
  const { t, state } = app;
  const show = (title, ...children) => dialog(title, t("close"), ...children);

  // fen, started: a position of the editor, and what to do when its game has begun. practice: from the shown
  // position, for the side to move, with each move judged.
  function newGame({ fen = null, started = null, practice = false } = {}) {
    const { settings, about } = app;
    const wanted = {
      side: practice ? app.turn : settings.side ?? "red",
      from: fen ? "fen" : practice ? "here" : "start",
      coach: practice ? "each" : settings.warn,
      clock: practice ? "none" : settings.clock,
      engines: { red: 0, black: 0 }, // of the sides that no person plays
      levels: { red: settings.levelRed ?? settings.level, black: settings.levelBlack ?? settings.level },
    };
    const body = el("div", { class: "form" });

    // An engine and, if it is ours, its level
    function opponent(side, both) {
      const names = about.engines.map((name, n) => [n, name]);
      const name = both ? t(side) : t("engine");
      const chosen = wanted.engines[side];
      const rows = names.length > 1 ? [choice(name, names, chosen, (value) => ((wanted.engines[side] = Number(value)), draw()))] : [];
      if (chosen !== 0) return rows;
      const text = (level) => [level, levelName(settings.language, level), about.levels[level] === null ? "" : t("levelElo", about.levels[level])].filter((part) => part !== "").join(" · ");
      const shown = el("output", {}, text(wanted.levels[side]));
      const slider = el("input", {
        type: "range", min: 0, max: about.levels.length - 1, value: wanted.levels[side], "aria-label": both ? t("levelOf", t(side)) : t("level"), "aria-valuetext": text(wanted.levels[side]),
        oninput: () => {
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
      const sides = [["red", t("playRed")], ["black", t("playBlack")], ["random", t("playRandom")], ["both", t("twoPersons")], ["none", t("engines")]];
      const { side } = wanted;
      const against = { red: ["black"], black: ["red"], random: ["black"], both: [], none: ["red", "black"] }[side];
      clear(
        body,
        choice(t("sides"), sides, side, (value) => ((wanted.side = value), draw())),
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
      const player = (color) => (side === color || side === "both" ? null : engines[color]);
      const clock = CLOCKS[wanted.clock];
      const one = side === "red" || side === "black"; // person
      const rules = {
        players: { red: player("red"), black: player("black") },
        levels,
        clock: clock && { base: clock[0], increment: clock[1] },
        moveTime: side === "none" ? 1 : 2,
        warn: one ? wanted.coach : "off",
      };
      if (side === "none") app.set({ side, levelRed: levels.red, levelBlack: levels.black });
      else if (!practice) app.set({ side: wanted.side, level: levels.red, warn: wanted.coach, clock: wanted.clock });
      box.close();
      await app.input.run(async () => {
        app.engineOn = false;
        state.learn = null;
        const here = wanted.from === "here";
        if (here) app.flip(side === "black");
        const answer = await (here ? app.ask("play", { node: state.at, ...rules }) : app.ask("new", { ...rules, ...(fen ? { fen } : {}) }));
        if (answer) started?.();
        app.engine.follow();
      });
    }

    function analyse() {
      box.close();
      return app.act("new");
    }

    draw();
    const box = show(
      practice ? t("practice") : t("newGame"),
      body,
      el("div", { class: "buttons" }, focused(button("play", t("start"), start, { kind: "primary" })), fen || practice ? null : button("edit", t("emptyAnalysis"), analyse)),
    );
  }

  // Opening

  // Open a text or file and, if it has several games, wait for a choice under the heading.
  /** @returns {Promise<{ said: string, kind?: string, failed?: boolean }>} */
  async function opened(request, heading = "") {
    let answer;
    try {
      answer = await app.input.run(() => app.link.ask("open", request));
    } catch (error) {
      return failed(problem(app.settings.language, error));
    }
    for (const box of findAll("dialog")) /** @type {HTMLDialogElement} */ (box).close(); // the game is below them
    if (answer.games) await gamesOf(answer.games, heading);
    if (answer.again) return { said: t("openedAgain") };
    if (!answer.warnings?.length) return { said: "" };
    return { said: t("warnings", answer.warnings.map((warning) => recordProblem(app.settings.language, warning)).join("\n")), kind: "bad" };
  }

  const failed = (said) => ({ said, kind: "bad", failed: true });

  async function openText(text) {
    const { said, kind } = await opened({ text });
    if (said) app.notice(said, kind);
  }

  function title(game) {
    const name = (side) => playerName(app.settings.language, game[side]) || (game.person === side ? t("you") : "?");
    const names = game.red || game.black || game.person ? `${name("red")} – ${name("black")}` : "";
    return [names, game.title].filter(Boolean).join(" · ") || t("untitled");
  }

  function gameRow(game, action, more = null) {
    const when = game.changed ? new Date(1000 * game.changed).toLocaleString(app.settings.language, { dateStyle: "medium", timeStyle: "short" }) : "";
    const text = [game.result === "*" ? "" : game.result, game.plies === 1 ? t("ply") : t("plies", game.plies), when].filter(Boolean).join(" · ");
    return el("li", {}, el("button", { type: "button", class: "entry", onclick: action }, game.fen ? thumbnail(game.fen) : null, el("span", {}, title(game)), el("small", {}, text)), more);
  }

  // The first games of a list, which may have thousands
  function rows(list, games, row) {
    const more = games.length - ROWS;
    const last = games.length ? more > 0 && t("moreFound", more) : t("nothingFound");
    clear(list, games.slice(0, ROWS).map(row), last ? el("li", { class: "empty" }, last) : null);
  }

  // A small board: discs without characters
  function thumbnail(fen) {
    const discs = [...piecesOf(fen)].map(([square, symbol]) => svg("circle", { class: symbol === symbol.toUpperCase() ? "red" : "black", cx: "abcdefghi".indexOf(square[0]) + 0.5, cy: 9.5 - Number(square[1]), r: 0.42 }));
    return svg("svg", { class: "thumbnail", viewBox: "0 0 9 10", "aria-hidden": "true" }, svg("rect", { class: "wood", width: 9, height: 10, rx: 0.4 }), discs);
  }

  function gamesOf(games, heading) {
    const filter = el("input", { type: "search", placeholder: t("search"), "aria-label": t("search"), oninput: draw });
    const list = el("ul", { class: "list" });
    function draw() {
      const word = filter.value.toLowerCase();
      const found = games.filter((game) => title(game).toLowerCase().includes(word));
      rows(list, found, (game) => gameRow(game, () => (box.close(), app.act("choose", { game: Number(game.doc) }))));
    }
    const box = show([heading, t("gamesInFile", games.length)].filter(Boolean).join(": "), el("div", { class: "search" }, filter, button("new", t("addGames"), () => addGames("file"))), list);
    draw();
    return new Promise((closed) => box.addEventListener("close", closed));
  }

  // Put games into the index, where the tab of games finds them.
  async function addGames(what) {
    const added = await app.ask("index", { what });
    if (!added) return;
    app.notice(t("gamesAdded", added.games, added.new), "good");
    app.explorer.follow();
  }

  // Open files one after the other; the last one stays on the board.
  async function openFiles(files) {
    const found = [];
    for (const file of files) found.push({ name: file.name, ...(await openFile(file, files.length > 1 ? file.name : "")) });
    if (found.length < 2) return found[0]?.said && app.notice(found[0].said, found[0].kind);
    const read = t("filesRead", found.filter((one) => !one.failed).length, found.length);
    const trouble = found.filter(({ kind }) => kind === "bad");
    if (trouble.length) show(t("open"), el("p", {}, read), el("ul", { class: "files" }, trouble.map(({ name, said }) => el("li", {}, `${name}: ${said}`))));
    else app.notice(read, "good");
  }

  async function openFile(file, heading) {
    if (file.size > app.about.limits.file) return failed(t("tooLarge"));
    const buffer = await file.arrayBuffer().catch(() => null);
    if (!buffer) return failed(t("unreadable"));
    const bytes = new Uint8Array(buffer);
    let binary = "";
    for (let i = 0; i < bytes.length; i += 32768) binary += String.fromCharCode(...bytes.subarray(i, i + 32768));
    return opened({ name: file.name.slice(0, 200), data: btoa(binary) }, heading);
  }

  async function open() {
    const file = el("input", { type: "file", "aria-label": t("chooseFile"), multiple: true, onchange: () => openFiles([...file.files]), onclick: () => (file.value = "") }); // so that the same file can be chosen again
    const text = el("textarea", { rows: 4, placeholder: t("pasteHere"), "aria-label": t("pasteHere") });
    const list = el("ul", { class: "list" });
    const search = el("input", { type: "search", placeholder: t("search"), "aria-label": t("search"), oninput: () => draw() });
    let kept = [], kind = "all";
    const box = show(
      t("open"),
      el("p", { class: "quiet" }, t("openHelp")),
      file,
      text,
      el("div", { class: "buttons" }, button("open", t("openText"), () => openText(text.value), { kind: "primary" })),
      el("h3", {}, t("kept")),
      el("div", { class: "search" }, search, choice(t("show_"), Object.keys(KEPT).map((kind) => [kind, t(`kept_${kind}`)]), "all", (value) => ((kind = value), draw()))),
      list,
    );
    const actions = (game) => [
      button("edit", t("rename"), () => rename(game), { quiet: true }),
      game.doc === state.doc ? el("span", { class: "gap" }) : button("close", t("delete"), () => confirm(t("reallyDelete"), async () => fill(await app.ask("forget", { doc: game.doc }))), { quiet: true }),
    ];
    function rename(game) {
      const field = el("input", { type: "text", maxlength: 500, value: game.title, "aria-label": t("headerTitle") });
      const asked = show(t("rename"), el("form", { onsubmit: async (event) => {
        event.preventDefault();
        asked.close();
        fill(await app.ask("rename", { doc: game.doc, title: field.value }));
      } }, focused(field), button(null, t("ok"), () => asked.querySelector("form").requestSubmit(), { kind: "primary" })));
      field.select();
    }
    function draw() {
      const word = search.value.toLowerCase();
      const found = kept.filter((game) => KEPT[kind](game) && `${title(game)} ${game.result}`.toLowerCase().includes(word));
      rows(list, found, (game) => gameRow(game, () => (box.close(), app.act("show", { doc: game.doc })), actions(game)));
    }
    const fill = (answer) => {
      if (!answer) return;
      kept = answer.documents;
      draw();
    };
    fill(await app.ask("documents"));
  }

  // Saving

  // "Hu – Xu 2026-01-02.pgn" if that is known, else what the server says
  function fileName(name) {
    const { Red, Black, Title, Date: date } = state.headers;
    const title = Red && Black ? `${Red} – ${Black}` : Title;
    if (!title) return name;
    return `${[title, /\d{4}/.test(date ?? "") ? date.replaceAll(".", "-") : ""].filter(Boolean).join(" ").replace(/[\\/:*?"<>|\x00-\x1f]/g, "_").slice(0, 80)}${name.slice(name.lastIndexOf("."))}`;
  }

  function download({ name, kind, data }) {
    const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
    downloadBlob(name, new Blob([bytes], { type: kind }));
  }

  function downloadBlob(name, blob) {
    const link = el("a", { download: fileName(name), href: URL.createObjectURL(blob) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      app.notice(t("copied"), "good");
    } catch {
      const area = el("textarea", { rows: 8, readonly: true, "aria-label": t("copy") });
      area.value = text;
      show(t("copy"), area);
      area.select();
    }
  }

  const picture = () => app.act("picture", () => ({ node: state.at, letters: app.letters, flipped: app.settings.flipped }));

  // The picture of the position as a PNG, drawn by the browser; null if the server cannot be reached
  async function pngPicture() {
    const file = await picture();
    if (!file) return null;
    const image = new Image();
    image.src = `data:${file.kind};base64,${file.data}`;
    await image.decode();
    const canvas = el("canvas", { width: 2 * image.width, height: 2 * image.height });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  }

  async function copyPicture() {
    const blob = await pngPicture();
    if (!blob) return;
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
      app.notice(t("copied"), "good");
    } catch {
      app.notice(t("cannotCopy"), "bad"); // over plain HTTP browsers have no clipboard
    }
  }

  function save() {
    const wanted = { format: "pgn", notation: app.notation };
    const place = app.writing.place(0);
    const header = (name, value) => app.writing.write(place, { name, value }, "header");
    const headers = ["Title", "Event", "Date", "Red", "Black", "Result"].map((name) => {
      const input = name === "Result"
        ? el("select", { onchange: (event) => header(name, event.target.value) }, ["*", "1-0", "0-1", "1/2-1/2"].map((value) => el("option", { value, selected: (state.headers.Result ?? "*") === value }, value)))
        : el("input", { type: "text", value: state.headers[name] ?? "", maxlength: 500, onchange: (event) => header(name, event.target.value) });
      return el("label", { class: "field" }, el("span", {}, t(`header${name}`)), input);
    });
    const ask = () => app.act("save", wanted);
    const box = show(
      t("save"),
      el("p", { class: "quiet" }, t("savedAlways")),
      el("div", { class: "form two" }, headers),
      el(
        "div",
        { class: "form two" },
        choice(t("format"), app.about.formats.map((name) => [name, t(`format_${name}`)]), wanted.format, (value) => (wanted.format = value)),
        choice(t("notation"), ["chinese", "traditional", "wxf", "iccs"].map((name) => [name, t(`notation_${name}`)]), wanted.notation, (value) => (wanted.notation = value)),
      ),
      el(
        "div",
        { class: "buttons" },
        button("save", t("download"), async () => {
          const file = await ask();
          if (file) download(file), box.close();
        }, { kind: "primary" }),
        button("copy", t("copyGame"), async () => {
          const file = await ask();
          if (file?.text !== undefined) copy(file.text);
          else if (file) app.notice(t("notText"), "bad");
        }),
        button("new", t("addGame"), () => addGames("game")),
        button("copy", t("copyFen"), () => copy(state.position.fen)),
        button("copy", t("copyPicture"), copyPicture),
        button("save", t("reviewPage"), async () => {
          const file = await app.ask("game_page", { language: app.settings.language });
          if (file) download(file);
        }),
        button("save", "GIF", async () => {
          app.notice(t("makingGif"));
          const file = await app.ask("gif", { letters: app.letters, flipped: app.settings.flipped });
          if (file) app.notice(""), download(file);
        }),
        button("save", "SVG", async () => {
          const file = await picture();
          if (file) download(file);
        }),
        button("save", "PNG", async () => {
          const blob = await pngPicture();
          if (blob) downloadBlob("board.png", blob);
        }),
      ),
    );
  }

  async function puzzles() {
    const list = el("ul", { class: "list" });
    const box = show(t("puzzles"), list);
    const answer = await app.ask("puzzles");
    if (!answer) return box.close();
    const endings = answer.endings.map((ending) =>
      el("li", {}, el("button", { type: "button", class: "entry", disabled: !ending.there, onclick: () => (box.close(), app.act("puzzle", { ending: ending.number })) }, el("span", {}, app.nameOf(ending.names)), el("small", {}, ending.there ? t("solvedTimes", app.solved(ending.number)) : `eleengine tables make ${ending.table}`))),
    );
    list.before(el("details", { class: "endings" }, el("summary", {}, t("endings")), el("ul", { class: "list" }, endings)));
    const solved = answer.puzzles.filter((puzzle) => puzzle.progress === "solved").length;
    const kinds = {
      all: () => true,
      unsolved: (puzzle) => puzzle.progress !== "solved",
      short: ({ moves }) => moves && moves <= 3,
      middle: ({ moves }) => moves > 3 && moves <= 6,
      long: ({ moves }) => moves > 6,
      studies: ({ moves }) => !moves,
    };
    const go = (request) => () => (box.close(), app.act("puzzle", request));
    const marks = { solved: "✓", helped: "◐", tried: "·" };
    const fill = (kind) =>
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

  function settings() {
    const { settings: now } = app;
    const set = (name) => (value) => {
      app.set({ [name]: value });
      if (name === "language") {
        box.close();
        settings();
      }
    };
    const byLanguage = [["", t("asLanguage")]];
    const box = show(
      t("settings"),
      el(
        "div",
        { class: "form" },
        choice(t("language"), Object.entries(LANGUAGES), now.language, set("language")),
        choice(t("notation"), [...byLanguage, ...["chinese", "traditional", "wxf", "iccs"].map((name) => [name, t(`notation_${name}`)])], now.notation, set("notation")),
        choice(t("pieces"), [...byLanguage, ...LETTERS.map((name) => [name, t(`letters_${name}`)])], now.letters, set("letters")),
        choice(t("scores"), [["red", t("scoreRed")], ["mover", t("scoreMover")]], now.score, set("score")),
        choice(t("theme"), ["auto", "light", "dark"].map((name) => [name, t(`theme_${name}`)]), now.theme, set("theme")),
        check(t("sounds"), now.sound, set("sound")),
        check(t("showArrows"), now.arrows, set("arrows")),
      ),
    );
  }

  async function phone() {
    const answer = await app.ask("phone");
    if (!answer) return;
    const { url, rows } = answer;
    const cells = rows.flatMap((row, y) => [...row].map((dark, x) => (dark === "1" ? `M${x} ${y}h1v1h-1z` : "")));
    const size = rows.length + 8;
    show(
      t("phone"),
      svg("svg", { class: "qr", viewBox: `-4 -4 ${size} ${size}`, role: "img", "aria-label": t("qrCode") }, svg("rect", { x: -4, y: -4, width: size, height: size, fill: "#fff" }), svg("path", { d: cells.join(""), fill: "#000" })),
      el("p", {}, t("phoneHelp")),
      el("input", { type: "text", readonly: true, value: url, "aria-label": t("address") }),
      el("p", { class: "quiet" }, t("phoneWarning")),
    );
  }

  function help() {
    show(
      t("help"),
      el("table", { class: "keys" }, keysTable(app.settings.language).map(([key, text]) => el("tr", {}, el("th", { scope: "row" }, key.split(" ").map((part) => el("kbd", {}, part))), el("td", {}, text)))),
      el("p", { class: "quiet" }, `eleengine ${app.about?.version ?? ""}. ${t("about")}`),
    );
  }

  function confirm(question, action) {
    const box = show(t("really"), el("p", {}, question), el("div", { class: "buttons" }, button(null, t("yes"), () => (box.close(), action()), { kind: "primary" }), button(null, t("no"), () => box.close())));
  }

  return {
    newGame, open, save, puzzles, settings, help, phone, confirm, openFiles, openText, download,
  };
}
