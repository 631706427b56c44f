// Taking copies: files of a game, pictures of a position, the clipboard.

import { START } from "./board.js";
import { button, check, choice, clear, dialog, el } from "./dom.js";
import { said } from "./problems.js";
import { NOTATIONS } from "./words.js";

/**
 * @param {import("./state.js").App} app
 * @returns {Pick<import("./state.js").Dialogs, "save" | "fetch" | "copy" | "drawing">}
 */
export function saving(app) {
  const { t, state } = app;

  // "Hu – Xu 2026-01-02.pgn" if that is known, else what the server says
  /** @param {string} name */
  function fileName(name) {
    const { Red, Black, Title, Date: date } = state.headers;
    const title = Red && Black ? `${Red} – ${Black}` : Title;
    if (!title) return name;
    return `${[title, /\d{4}/.test(date ?? "") ? date.replaceAll(".", "-") : ""].filter(Boolean).join(" ").replace(/[\\/:*?"<>|\x00-\x1f]/g, "_").slice(0, 80)}${name.slice(name.lastIndexOf("."))}`;
  }

  /** @param {import("./state.js").SavedFile} file */
  function download({ name, kind, data }) {
    const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
    downloadBlob(name, new Blob([bytes], { type: kind }));
  }

  /** @param {string} name @param {Blob} blob */
  function downloadBlob(name, blob) {
    const link = el("a", { download: fileName(name), href: URL.createObjectURL(blob) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  /** @param {string} text */
  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      app.view.notice(t("copied"), "good");
    } catch {
      const area = el("textarea", { rows: 8, readonly: true, "aria-label": t("copy") });
      area.value = text;
      dialog(app, t("copy"), area);
      area.select();
    }
  }

  // The line to the shown position, as a link opens it
  function fragment() {
    const { path: moves } = app.writing.place(state.at);
    const usual = state.start.startsWith(`${START} w`);
    return [usual ? "" : `fen=${encodeURIComponent(state.start)}`, moves.length || usual ? `moves=${moves.join(".")}` : ""].filter(Boolean).join("&");
  }

  const picture = () => app.actions.act("picture", () => ({ node: state.at, letters: app.words.letters, flipped: app.settings.flipped }));

  /**
   * The picture of the position as a PNG, drawn by the browser; null if the server cannot be reached
   * @returns {Promise<Blob | null>}
   */
  async function pngPicture() {
    const file = await picture();
    if (!file) return null;
    const image = new Image();
    image.src = `data:${file.kind};base64,${file.data}`;
    await image.decode();
    const canvas = el("canvas", { width: 2 * image.width, height: 2 * image.height });
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  }

  async function copyPicture() {
    const blob = await pngPicture();
    if (!blob) return;
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
      app.view.notice(t("copied"), "good");
    } catch {
      app.view.notice(t("cannotCopy"), "bad"); // over plain HTTP browsers have no clipboard
    }
  }

  const bar = el("progress", { max: 1 }), share = el("small", { "aria-hidden": "true" }); // of the GIF that is made

  const showDrawing = () => app.view.notice(t("makingGif"), "", { stays: true, action: el("label", { class: "check" }, bar, share) });

  // How far the GIF is: it says so until it is there, after other notices, too.
  /** @param {number} done @param {number} of */
  function drawing(done, of) {
    bar.value = done / of;
    share.textContent = `${Math.floor((100 * done) / of)} %`;
    if (app.$("notice").hidden) showDrawing();
  }

  async function saveGif() {
    bar.setAttribute("aria-label", t("makingGif"));
    drawing(0, 1);
    showDrawing();
    const file = await app.dialogs.fetch("gif", { letters: app.words.letters, flipped: app.settings.flipped });
    if (file && bar.isConnected) app.view.notice("");
  }

  function save() {
    const wanted = { format: "pgn", language: app.settings.language, notation: app.words.notation, review: Boolean(state.summary) && !state.reviewHidden };
    const losses = el("div", { class: "losses", role: "status" });
    // What the format cannot hold is said before anything is saved.
    async function weigh(change = {}) {
      app.view.notice("");
      const { format } = Object.assign(wanted, change);
      const file = await ask();
      if (format !== wanted.format || !file) return;
      const lost = file.losses.map((loss) => el("li", {}, said(app.settings.language, loss)));
      clear(losses, ...(lost.length ? [el("p", { class: "state bad" }, t("losses", t(`format_${format}`))), el("ul", { class: "files" }, lost)] : []));
    }
    const place = app.writing.place(0);
    const header = (/** @type {string} */ name, /** @type {string} */ value) => app.writing.write(place, { name, value }, "header");
    const headers = ["Title", "Event", "Date", "Red", "Black", "Result"].map((name) => {
      const change = (/** @type {Event} */ { currentTarget: field }) => {
        if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) header(name, field.value);
      };
      const input = name === "Result"
        ? el("select", { onchange: change }, ["*", "1-0", "0-1", "1/2-1/2"].map((value) => el("option", { value, selected: (state.headers.Result ?? "*") === value }, value)))
        : el("input", { type: "text", value: state.headers[name] ?? "", maxlength: 500, onchange: change });
      return el("label", { class: "field" }, el("span", {}, t(`header${name}`)), input);
    });
    const ask = () => app.actions.act("save", wanted);
    const box = dialog(
      app,
      t("save"),
      el("p", { class: "quiet" }, t("savedAlways")),
      el("div", { class: "form two" }, headers),
      el(
        "div",
        { class: "form two" },
        choice(t("format"), app.welcome.formats.map((name) => [name, t(`format_${name}`)]), wanted.format, (value) => weigh({ format: value })),
        choice(t("notation"), NOTATIONS.map((name) => [name, t(`notation_${name}`)]), wanted.notation, (value) => weigh({ notation: value })),
        state.summary ? check(t("withReview"), wanted.review, (value) => weigh({ review: value })) : null,
      ),
      losses,
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
          else if (file) app.view.notice(t("notText"), "bad");
        }),
        button("copy", t("copyFen"), () => copy(app.tree.position.fen)),
        button("copy", t("copyPicture"), copyPicture),
        button("save", t("reviewPage"), () => app.dialogs.fetch("game_page", { language: app.settings.language })),
        button("save", "GIF", saveGif),
        button("save", "SVG", async () => {
          const file = await picture();
          if (file) download(file);
        }),
        button("save", "PNG", async () => {
          const blob = await pngPicture();
          if (blob) downloadBlob("board.png", blob);
        }),
        button("copy", t("share"), () => app.dialogs.share(fragment())),
      ),
    );
    weigh();
  }

  return {
    save, copy, drawing,
    // Ask for a file, and save it.
    async fetch(type, message) {
      const file = await app.actions.ask(type, message);
      if (file) download(file);
      return file;
    },
  };
}
