// The moves: the main line in two columns, variations below the move that they replace.

import { button, clear, el, findAll, popup, pressed } from "./dom.js";

/** @typedef {import("./state.js").TreeNode} TreeNode */

/** @param {import("./state.js").App} app @returns {import("./state.js").App["moves"]} */
export function moves(app) {
  const { $, t } = app;
  let box = el("div"), field = el("input"), undo = el("button"), about = el("p"); // made by build()
  /** @type {HTMLElement[]} */
  let tabs = [];
  /** @type {Record<string, HTMLElement>} */
  let views = {};
  let chosen = "moves";

  /** @param {TreeNode} node */
  const mark = (node) => app.tree.marks(node).map(({ sign }) => sign).join("");

  /** @param {TreeNode} node */
  function button_(node) {
    const judged = app.tree.marks(node).find(({ words }) => words), score = app.tree.score(node);
    return el(
      "button",
      { type: "button", class: `mv ${judged?.name ?? ""}`, "data-id": node.id, tabindex: -1 },
      app.words.nodeText(node),
      mark(node) ? el("b", {}, mark(node)) : null,
      score ? el("small", {}, app.words.scoreText(score)) : null,
    );
  }

  /** @param {TreeNode} node */
  function note(node, text = node.comment) {
    return text ? [el("div", { class: "note" }, text)] : [];
  }

  // The main line into out; a line is walked without recursion, only variations recurse.
  /** @param {number | undefined} first @param {number} ply @param {HTMLElement[]} out */
  function walk(first, ply, out) {
    /** @type {HTMLElement | null} */
    let row = null;
    for (let id = first; id !== undefined; ply++) {
      const node = app.tree.node(id);
      const siblings = app.tree.node(node.parent).children;
      const { number, turn } = app.tree.numbering(ply), red = turn === "red";
      if (node.starting_comment) {
        out.push(...note(node, node.starting_comment));
        row = null;
      }
      if (!row || red) {
        row = el("div", { class: "row" }, el("span", { class: "no" }, `${number}.`), red ? null : el("span", { class: "gap" }, "…"));
        out.push(row);
      }
      row.append(button_(node));
      const others = siblings[0] === id ? siblings.slice(1) : [];
      if (others.length || node.comment) {
        out.push(...note(node));
        for (const other of others) {
          const block = el("div", { class: "variation" });
          runningLine(other, ply, block);
          out.push(block);
        }
        row = null;
      }
      if (row && !red) row = null;
      id = node.children[0];
    }
  }

  // A variation as running text, with those inside it in parentheses
  /** @param {number | undefined} first @param {number} ply @param {HTMLElement} block */
  function runningLine(first, ply, block) {
    let numbered = false;
    for (let id = first; id !== undefined; ply++) {
      const node = app.tree.node(id);
      const red = app.tree.numbering(ply).turn === "red";
      if (node.starting_comment) block.append(el("span", { class: "note" }, node.starting_comment), " ");
      if (red || !numbered) block.append(el("span", { class: "no" }, self.number(ply)));
      block.append(button_(node), " ");
      numbered = true;
      if (node.comment) {
        block.append(el("span", { class: "note" }, node.comment), " ");
        numbered = false;
      }
      const siblings = app.tree.node(node.parent).children;
      if (id !== first && siblings[0] === id) {
        for (const other of siblings.slice(1)) {
          const inner = el("span", { class: "inner" }, "(");
          runningLine(other, ply, inner);
          inner.append(")");
          block.append(inner, " ");
          numbered = false;
        }
      }
      id = node.children[0];
    }
  }

  function build() {
    box = el("div", { class: "tree", onclick: (event) => {
      const move = pressed(event, "id");
      if (move) app.actions.go(Number(move.dataset.id));
    } });
    field = el("input", {
      type: "text", placeholder: t("typeMove"), "aria-label": t("typeMove"), autocomplete: "off", spellcheck: "false",
    });
    const form = el(
      "form",
      {
        /** @param {SubmitEvent} event */
        async onsubmit(event) {
          event.preventDefault();
          const text = field.value.trim();
          field.value = "";
          if (text && !(await app.input.run(() => app.actions.play(text)))) field.value ||= text; // to be corrected
        },
      },
      field,
    );
    /** @param {"main" | "promote"} how */
    const promote = (how) => () => {
      tools.open = false;
      app.input.run(() => app.state.at && app.actions.ask("promote", { node: app.state.at, how }));
    };
    const remove = () => {
      tools.open = false;
      app.input.run(async () => {
        const answer = app.state.at && (await app.actions.ask("delete", { node: app.state.at }));
        if (answer) app.view.notice(answer.count === 1 ? t("deletedOne") : t("deleted", answer.count), "", { action: button("undo", t("undo"), () => app.actions.undo(), { kind: "small" }) });
      });
    };
    const tools = popup(
      t("moreMoves"),
      "⋯",
      button(null, t("promote"), promote("promote")),
      button(null, t("mainLine"), promote("main")),
      button(null, t("delete"), remove),
    );
    views = { moves: box, ...(app.about?.book ? { book: app.book.box } : {}), games: app.explorer.box };
    tabs = Object.keys(views).map((name) => el("button", { type: "button", class: "tab", "data-tab": name, onclick: () => choose(name) }, t(`${name}Tab`)));
    undo = button("undo", t("undo"), () => app.actions.undo(), { quiet: true, kind: "bare", key: "Ctrl Z" });
    about = el("p", { class: "about" });
    clear($("moves"), el("div", { class: "treetools" }, tabs, form, undo, tools), about, Object.values(views));
    choose(chosen);
    new ResizeObserver(scroll).observe(box);
  }

  /** @param {string} name */
  function choose(name) {
    chosen = name in views ? name : "moves";
    for (const [other, view] of Object.entries(views)) view.hidden = other !== chosen;
    for (const tab of tabs) tab.setAttribute("aria-pressed", String(tab.dataset.tab === chosen));
    for (const view of [app.book, app.explorer]) {
      view.update();
      view.follow();
    }
  }

  // What the game is: title, event and date, and its place in the file
  function describe() {
    const { headers, file } = app.state;
    const said = [headers.Title, headers.Event, headers.Date].filter((text) => text && !/^[?.*]+$/.test(text)).join(" · ");
    const place = file && el("small", {}, t("gameOfFile", file.at + 1, file.games));
    /** @param {number} way */
    const turn = (way) => button(way > 0 ? "next" : "previous", t(way > 0 ? "nextGame" : "previousGame"), () => app.dialogs.turn(way), { quiet: true, kind: "bare", key: way > 0 ? "PgDn" : "PgUp" });
    about.hidden = !said && !file;
    clear(about, el("span", { title: said }, said), place, file ? [turn(-1), turn(1)] : null);
  }

  // Keep the current move in sight.
  function scroll() {
    const here = box.querySelector(".here");
    if (!here) return;
    const top = here.getBoundingClientRect().top - box.getBoundingClientRect().top;
    if (top < 0 || top > box.clientHeight - 40) box.scrollTop += top - box.clientHeight / 2;
  }

  let dressed = "";
  /** @type {string | null} */
  let shown = null;
  /** @type {import("./state.js").App["moves"]} */
  const self = {
    // What stands before the move of a ply of the main line: "12." or "12…"
    number(ply) {
      const { number, turn } = app.tree.numbering(ply);
      return turn === "red" ? `${number}.` : `${number}…`;
    },
    update() {
      const { state } = app;
      $("moves").hidden = app.editor.open;
      $("moves").classList.toggle("learning", ["ask", "bad", "judging"].includes(state.learn?.state ?? ""));
      const look = app.settings.language + Boolean(app.about?.book);
      if (look !== dressed) {
        build();
        dressed = look;
        shown = null;
      }
      describe();
      undo.disabled = !state.history?.undo || app.tree.playing;
      const tree = `${state.doc} ${state.reviewHidden} ${app.words.notation} ${app.settings.score} ${state.version} ${state.headers.Result}`;
      if (tree !== shown) {
        shown = tree;
        /** @type {HTMLElement[]} */
        const out = [];
        const root = app.tree.find(0);
        if (root) out.push(...note(root));
        if (root?.children.length) walk(root.children[0], 1, out);
        else out.push(el("p", { class: "empty" }, t("noMoves")));
        const { Result } = state.headers;
        if (root?.children.length && Result && Result !== "*") out.push(el("p", { class: "outcome" }, Result.replace("1/2-1/2", "½ – ½").replace(/(\d)-(\d)/, "$1 – $2")));
        clear(box, out);
      }
      // One tab stop for the whole list: the current move, or the first one.
      const old = box.querySelector(".here");
      old?.classList.remove("here");
      old?.removeAttribute("aria-current");
      box.querySelector('.mv[tabindex="0"]')?.setAttribute("tabindex", "-1");
      const [here] = findAll(`[data-id="${state.at}"]`, box);
      (here ?? box.querySelector(".mv"))?.setAttribute("tabindex", "0");
      if (here) {
        here.classList.add("here");
        here.setAttribute("aria-current", "step");
        if (box.contains(document.activeElement)) here.focus({ preventScroll: true });
        scroll();
      } else if (!state.at) box.scrollTop = 0;
    },
    // Another score or mark: the row stays
    change(node) {
      const [old] = findAll(`[data-id="${node.id}"]`, box);
      if (!old) return;
      const fresh = button_(node), here = old.classList.contains("here");
      old.className = fresh.className;
      old.classList.toggle("here", here);
      old.replaceChildren(...fresh.childNodes);
    },
    type() {
      field.focus();
    },
    // The next tab: moves, book, games
    turn() {
      const names = Object.keys(views);
      choose(names[(names.indexOf(chosen) + 1) % names.length]);
    },
  };
  return self;
}
