// All dialogs; those that are small stand here.

import { button, check, choice, dialog, el, isTouch, svg } from "./dom.js";
import { newGameDialog } from "./new_game.js";
import { opening } from "./opening.js";
import { puzzleList } from "./puzzle_list.js";
import { saving } from "./saving.js";
import { fingersList, keysTable, LANGUAGES } from "./texts.js";
import { NOTATIONS } from "./words.js";

/** @param {import("./state.js").App} app @returns {import("./state.js").Dialogs} */
export function dialogs(app) {
  const { t } = app;

  function settings() {
    const { settings: now } = app;
    const set = (/** @type {keyof import("./state.js").Settings} */ name) => (/** @type {string | boolean} */ value) => {
      app.preferences.set({ [name]: value });
      if (name === "language") {
        box.addEventListener("close", settings); // when what opened it has the focus again
        box.close();
      }
    };
    const byLanguage = [["", t("asLanguage")]];
    const box = dialog(
      app,
      t("settings"),
      el(
        "div",
        { class: "form" },
        choice(t("language"), Object.entries(LANGUAGES), now.language, set("language")),
        choice(t("notation"), [...byLanguage, ...NOTATIONS.map((name) => [name, t(`notation_${name}`)])], now.notation, set("notation")),
        choice(t("pieces"), [...byLanguage, ...(app.about?.letters ?? []).map((name) => [name, t(`letters_${name}`)])], now.letters, set("letters")),
        choice(t("scores"), [["red", t("scoreRed")], ["mover", t("scoreMover")]], now.score, set("score")),
        choice(t("theme"), ["auto", "light", "dark"].map((name) => [name, t(`theme_${name}`)]), now.theme, set("theme")),
        check(t("large"), now.large, set("large")),
        check(t("sounds"), now.sound, set("sound")),
        check(t("showArrows"), now.arrows, set("arrows")),
      ),
    );
  }

  // The addresses of this board for phones: the owner's, or those that only look on
  async function phone({ watch = false } = {}) {
    const answer = await app.actions.ask("phone", { watch });
    if (!answer) return;
    const other = watch ? null : el("div", { class: "buttons" }, button("phone", t("watch"), () => (box.close(), phone({ watch: true }))));
    const box = dialog(app, t(watch ? "watch" : "phone"), el("p", {}, t(watch ? "watchHelp" : "phoneHelp")), answer.addresses.flatMap(addressOf), el("p", { class: "quiet" }, t(watch ? "watchWarning" : "phoneWarning")), other);
  }

  /** @param {{ url: string, rows?: string[] }} address */
  function addressOf({ url, rows }) {
    const field = el("input", { type: "text", readonly: true, value: url, "aria-label": t("address"), onfocus: () => { field.select(); } });
    return [...(rows ? [qrCode(rows)] : []), field];
  }

  // The address of something on this board: of a position, or of a set of puzzles
  /** @param {string} fragment */
  async function share(fragment) {
    const own = [{ url: `${location.origin}/#${app.link.token}&${fragment}` }];
    const answer = app.about?.phone ? await app.actions.ask("phone", { fragment }) : { addresses: own };
    if (!answer) return;
    const copy = button("copy", t("copy"), () => app.dialogs.copy(answer.addresses[0].url), { kind: "primary" });
    dialog(app, t("share"), el("p", {}, t(app.about?.phone ? "shareHelp" : "shareHere")), answer.addresses.flatMap(addressOf), el("div", { class: "buttons" }, copy));
  }

  /** @param {string[]} rows */
  function qrCode(rows) {
    const cells = rows.flatMap((row, y) => [...row].map((dark, x) => (dark === "1" ? `M${x} ${y}h1v1h-1z` : "")));
    const size = rows.length + 8;
    return svg("svg", { class: "qr", viewBox: `-4 -4 ${size} ${size}`, role: "img", "aria-label": t("qrCode") }, svg("rect", { x: -4, y: -4, width: size, height: size, fill: "#fff" }), svg("path", { d: cells.join(""), fill: "#000" }));
  }

  function help() {
    dialog(
      app,
      t(isTouch() ? "fingerHelp" : "help"),
      isTouch() ? el("ul", { class: "fingers" }, fingersList(app.settings.language).map((text) => el("li", {}, text))) : el("table", { class: "keys" }, keysTable(app.settings.language).map(({ key, text }) => el("tr", {}, el("th", { scope: "row" }, key.split(" ").map((part) => el("kbd", {}, part))), el("td", {}, text)))),
      el("p", { class: "quiet" }, `eleengine ${app.about?.version ?? ""}. ${t("about")}`),
    );
  }

  /** @param {string} question @param {() => unknown} action */
  function confirm(question, action) {
    const box = dialog(app, t("really"), el("p", {}, question), el("div", { class: "buttons" }, button(null, t("yes"), () => (box.close(), action()), { kind: "primary" }), button(null, t("no"), () => box.close())));
  }

  return {
    newGame: newGameDialog(app), ...opening(app), ...saving(app), puzzles: puzzleList(app), settings, help, phone, share, confirm,
  };
}
