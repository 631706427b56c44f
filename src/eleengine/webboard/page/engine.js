// The engine's panel: on and off, settings, lines to preview and to play.

import { button, check, choice, clear, el, find, findAll, popup, pressed } from "./dom.js";

/** @typedef {import("./state.js").Info} Info */
/** @typedef {import("./state.js").Line} Line */

/** @param {number} n */
const count = (n) => (n >= 1e6 ? `${(n / 1e6).toFixed(1)} M` : n >= 1e3 ? `${(n / 1e3).toFixed(0)} k` : String(n));
const SHOWN = 16; // moves of a line; those that do not fit are seen when it is unfolded

/** @param {import("./state.js").App} app @returns {import("./state.js").App["engine"]} */
export function engine(app) {
  const { $, t } = app;
  // Its lasting parts, made again when the settings change
  let panel = { node: 0, numbers: el("span"), known: el("p"), rows: el("ol"), power: el("input"), name: el("span"), lines: el("select") };
  /** @type {WeakMap<Element, string[]>} */
  const moves = new WeakMap(); // of each row that has a line
  let dressed = "";

  // The number of the engine that was chosen; of ours if the board was started without that one.
  const chosen = () => Math.max(0, app.welcome.engines.indexOf(app.settings.engine));

  // Ask for what is shown: called when the position, the settings or the switch change.
  function follow() {
    const { at, position } = app.state;
    if (app.engineOn && !document.hidden && !app.tree.playing && !app.editor.open && position) {
      const { lines, threads, hash } = app.settings;
      app.link.send("analyse", { node: at, lines, threads, hash, engine: chosen() });
    } else app.link?.send("stop");
    app.book?.follow();
    app.explorer?.follow();
  }

  function build() {
    const { settings, welcome: about } = app;
    const range = (/** @type {number} */ n) => [...Array(n).keys()].map((i) => [i + 1, i + 1]);
    /** @type {[number, string][]} */
    const powers = [];
    for (let mib = 16; mib <= about.limits.hash; mib *= 2) powers.push([mib, `${mib} MiB`]);
    const prefer = (/** @type {Partial<import("./state.js").Settings>} */ changes) => {
      app.preferences.set(changes);
      follow();
    };
    const change = (/** @type {"lines" | "threads" | "hash"} */ name) => (/** @type {string} */ value) => prefer({ [name]: Number(value) });
    const lines = choice(t("lines"), range(about.limits.lines), settings.lines, change("lines"));
    panel = {
      node: 0, numbers: el("span", { class: "numbers" }), known: el("p", { class: "known" }), rows: el("ol", { class: "lines" }),
      power: el("input", { type: "checkbox", role: "switch", onchange: () => self.toggle() }), name: el("span"),
      lines: /** @type {HTMLSelectElement} */ (find("select", lines)),
    };
    clear(
      $("engine"),
      el(
        "header",
        {},
        el("label", { class: "switch" }, panel.power, panel.name),
        panel.numbers,
        button("practice", t("practice"), () => app.dialogs.newGame({ practice: true }), { quiet: true, kind: "bare" }),
        popup(
          t("engineSettings"),
          "⚙",
          about.engines.length > 1 ? choice(t("engine"), about.engines.map((name) => [name, name]), about.engines[chosen()], (engine) => prefer({ engine })) : null,
          lines,
          choice(t("threads"), range(about.limits.threads), settings.threads, change("threads")),
          choice(t("hash"), powers, settings.hash, change("hash")),
          check(t("showArrows"), settings.arrows, (value) => app.preferences.set({ arrows: value })),
          button(null, t("findMate"), app.actions.askMate),
        ),
      ),
      panel.known,
      panel.rows,
    );
  }

  // A row of the lines. It is made once and filled again and again, so that a click meets what was pointed at.
  function row() {
    const score = el("button", { type: "button", class: "score", title: t("playLine"), "data-ply": 1 });
    const steps = [...Array(SHOWN).keys()].map((n) => el("button", { type: "button", class: "step", "data-ply": n + 1, tabindex: -1 }));
    const unfold = el("button", { type: "button", class: "unfold", "aria-expanded": "false", "aria-label": t("unfold"), title: t("unfold"), onclick: () => {
      const open = item.classList.toggle("unfolded");
      unfold.setAttribute("aria-expanded", String(open));
      for (const step of steps) step.tabIndex = open ? 0 : -1;
    } }, "▾");
    const item = el("li", { class: "blank" }, score, el("span", { class: "pv" }, steps), unfold);
    return item;
  }

  /** @param {Element} item @param {Line} data @param {number} depth */
  function fill(item, data, depth) {
    const [score, line] = item.children;
    moves.set(item, data.moves.map(([iccs]) => iccs));
    score.className = `score ${data.win >= 0.5 ? "red" : "black"}`;
    item.classList.toggle("old", data.depth < depth); // the new depth has not come to it yet
    set(score, app.words.scoreText(data));
    findAll(".step", line).forEach((step, n) => {
      step.hidden = n >= data.moves.length;
      if (!step.hidden) set(step, moveNumber(n) + app.words.moveText(data.moves[n]));
    });
  }

  // "12. " before a move of Red and before the first one
  /** @param {number} n */
  function moveNumber(n) {
    const { number, turn } = app.tree.position;
    const black = turn === "black" ? 1 : 0;
    if ((n + black) % 2 === 0) return `${number + (n + black) / 2}. `;
    return n ? "" : `${number}… `;
  }

  /** @param {Element} element @param {string} text */
  function set(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }

  // As many rows as there are to be lines, so that nothing below moves; what is out of date is pale.
  /** @param {Info | null} info */
  function show(info) {
    const { rows } = panel;
    const number = app.engineOn ? app.settings.lines : 0;
    while (rows.children.length > number) rows.lastChild?.remove();
    while (rows.children.length < number) rows.append(row());
    rows.classList.toggle("stale", !info);
    if (!info) return;
    panel.node = info.node;
    [...rows.children].forEach((item, n) => {
      item.classList.toggle("blank", !info.lines[n]);
      if (info.lines[n]) fill(item, info.lines[n], info.depth ?? 0);
      else moves.delete(item);
    });
  }

  // What the last move did to an ending, and what an endgame table says of the position
  /** @param {Info["known"]} known */
  function knownText(known) {
    const change = app.tree.judged(app.tree.find())?.ending?.join("_") ?? "";
    const said = ["1_0", "1_-1", "0_-1"].includes(change) ? [t(`ending_${change}`)] : [];
    if (known) {
      said.push(known.winner ? t("knownWin", t(known.winner), known.plies) : t(known.certain ? "knownDraw" : "knownAside"));
      if (known.keep.length) said.push(t("knownKeep", known.keep.map(app.words.moveText).join(" ")));
    }
    return said.join(" ");
  }

  // The moves of a line as far as to the one that a pointer is at
  /** @param {Event} event */
  function lineMoves(event) {
    const target = pressed(event, "ply"), row = target?.closest("li");
    if (!row || panel.rows.classList.contains("stale")) return undefined;
    return moves.get(row)?.slice(0, Number(target?.dataset.ply));
  }

  // Looking at a line shows it on the board; a click plays it.
  $("engine").addEventListener("click", (event) => {
    const found = lineMoves(event);
    app.view.preview = null;
    if (found?.length) app.actions.act("line", { node: panel.node, moves: found });
  });
  // A pointer that rests while lines change below it means nothing: only one that moves asks for a preview.
  let pointer = "";
  $("engine").addEventListener("pointermove", (event) => {
    const place = `${event.clientX} ${event.clientY}`;
    if (event.pointerType === "touch" || place === pointer) return;
    pointer = place;
    app.view.previewLine(lineMoves(event));
  });
  $("engine").addEventListener("pointerleave", () => app.view.previewLine());

  /** @type {import("./state.js").App["engine"]} */
  const self = {
    follow,
    update() {
      $("engine").hidden = app.tree.playing || app.editor.open || Boolean(app.state.learn) || app.state.puzzle?.state === "open";
      if ($("engine").hidden || !app.about) return;
      const look = JSON.stringify([app.settings.language, app.about.engines, app.about.limits]);
      if (look !== dressed) {
        build();
        dressed = look;
      }
      panel.power.checked = app.engineOn;
      panel.lines.value = String(app.settings.lines);
      set(panel.name, `${t("engine")}: ${app.about.engines[chosen()]}`);
      const { info, at } = app.state;
      const current = info?.node === at && app.engineOn ? info : null;
      panel.numbers.textContent = current?.depth ? `${t("depth")} ${current.depth}/${current.seldepth} · ${count(current.nodes ?? 0)} · ${count(current.nps ?? 0)}/s` : app.engineOn ? "…" : "";
      set(panel.known, knownText(current?.known));
      if (!app.view.preview) show(current);
    },
    toggle() {
      if (app.tree.playing) return;
      if (!app.link.open) app.view.notice(t("error_lost"), "bad");
      app.engineOn = app.link.open && !app.engineOn;
      follow();
      self.update();
      app.view.gauge();
      app.view.drawArrows();
    },
    lines(n) {
      app.preferences.set({ lines: n });
      follow();
    },
    playBest() {
      const move = app.state.info?.node === app.state.at && app.state.info.lines[0]?.moves[0]?.[0];
      return app.engineOn && move ? app.actions.ask("move", { node: app.state.at, move }) : app.actions.step("next");
    },
    read() {
      const { info, at } = app.state;
      const best = info?.node === at && info.lines[0];
      app.view.say(best ? `${app.words.scoreText(best)} ${best.moves.slice(0, 6).map(app.words.moveText).join(" ")}` : t("noLines"));
    },
  };
  return self;
}
