// What is said of a move: its comment and its mark.

import { clear, el, findAll } from "./dom.js";

/** @param {import("./state.js").App} app @returns {import("./state.js").Panel} */
export function comments(app) {
  const { $, t } = app;
  let row = el("div"); // made by build()
  let dressed = "";
  let node = -1; // that the fields belong to
  /** @type {string | null} */
  let doc = null;

  /** @param {"starting_comment" | "comment"} name */
  function field(name) {
    let timer = 0;
    /** @type {import("./state.js").Place | null} */
    let written = null; // the place of what is in it and has not been sent

    function save() {
      if (!written) return;
      const place = written, text = area.value;
      const shown = app.writing.find(place);
      written = null;
      if (shown && text === (shown[name] ?? "")) return;
      if (shown) shown[name] = text; // the field says what it says; the server tells everybody
      app.state.version++;
      app.writing.write(place, name === "comment" ? { comment: text } : { starting_comment: text });
    }

    // Who writes a long comment and closes the window does not leave the field before.
    function soon() {
      written ??= app.writing.place(node);
      clearTimeout(timer);
      timer = setTimeout(save, 500);
    }
    addEventListener("pagehide", save);
    const area = el("textarea", { rows: 1, maxlength: 20000, onchange: save, oninput: soon });
    return { name, area, save };
  }

  const before = field("starting_comment"), fields = [before, field("comment")];
  before.area.classList.add("before");

  /** @param {number} nag */
  const toggle = (nag) => app.input.run(() => {
    for (const { save } of fields) save(); // what is written comes before what is marked
    const nags = app.tree.find()?.nags ?? [];
    const changes = { nags: nags.includes(nag) ? nags.filter((n) => n !== nag) : [...nags.filter((n) => n > 6), nag] };
    return app.writing.write(app.writing.place(app.state.at), changes);
  });

  function build() {
    for (const { name, area } of fields) {
      area.placeholder = t(name);
      area.setAttribute("aria-label", t(name));
    }
    // A press on a mark leaves the focus where it is, or the field would shrink and the mark move away below it.
    row = el("div", { class: "marks", role: "group", "aria-label": t("mark"), onpointerdown: (event) => event.preventDefault() }, app.welcome.marks.map(({ nag, sign }) =>
      el("button", { type: "button", class: "small", "data-mark": nag, onclick: () => toggle(nag) }, sign),
    ));
    clear($("comment"), ...fields.map(({ area }) => area), row);
  }

  return {
    update() {
      const { state } = app;
      $("comment").hidden = app.editor.open || app.tree.playing || state.puzzle?.state === "open" || Boolean(state.learn);
      if (app.settings.language !== dressed) {
        build();
        dressed = app.settings.language;
      }
      const shown = app.tree.find();
      const moved = node !== state.at || doc !== state.doc;
      node = state.at;
      doc = state.doc;
      for (const { name, area, save } of fields) {
        if (!moved && document.activeElement === area) continue;
        save();
        area.value = shown?.[name] ?? "";
      }
      const isVariation = shown?.move !== undefined && app.tree.node(shown.parent).children[0] !== shown.id;
      before.area.hidden = !isVariation && !shown?.starting_comment;
      const nags = shown?.nags ?? [];
      row.hidden = !state.at;
      for (const one of findAll("[data-mark]", row)) one.setAttribute("aria-pressed", String(nags.includes(Number(one.dataset.mark))));
    },
  };
}
