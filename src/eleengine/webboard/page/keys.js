// Everything by keyboard; the board's own keys are in board.js.

import { find, findAll, targetOf } from "./dom.js";

/** @type {Record<string, string>} */
const STEPS = { ArrowLeft: "previous", ArrowRight: "next", ArrowUp: "up", ArrowDown: "down", Home: "first", End: "last" };

/** @param {import("./state.js").App} app */
export function keyboard(app) {
  /** @type {Record<string, () => unknown>} */
  const keys = {
    " ": () => (app.tree.playing || app.state.puzzle?.state === "open" ? app.actions.askHint() : app.engine.playBest()),
    e: () => app.engine.toggle(),
    f: () => app.preferences.flip(),
    h: () => app.actions.askHint(),
    l: () => app.engine.read(),
    Escape: () => {
      app.board.select(null);
      app.premove.cancel();
      app.view.previewLine();
    },
  };
  // What takes the focus does so at once: text may follow.
  /** @type {Record<string, () => unknown>} */
  const fields = {
    c: () => app.moves.type(),
    b: () => app.moves.turn(),
    n: () => app.dialogs.newGame(),
    o: () => app.dialogs.open(),
    s: () => app.dialogs.save(),
    "?": () => app.dialogs.help(),
    PageUp: () => app.dialogs.turn(-1),
    PageDown: () => app.dialogs.turn(1),
  };
  /** @param {Record<string, () => unknown>} actions @param {string} key */
  const chosen = (actions, key) => actions[key] ?? actions[key.toLowerCase()];
  for (const n of [1, 2, 3, 4, 5]) keys[n] = () => app.engine.lines(n);

  const openPopups = () => /** @type {HTMLDetailsElement[]} */ (findAll("details.popup[open]"));
  document.addEventListener("pointerdown", (event) => {
    for (const one of openPopups()) if (!one.contains(targetOf(event))) one.open = false;
  });

  document.addEventListener("keydown", (event) => {
    const [open] = event.key === "Escape" ? openPopups() : [];
    if (open) {
      open.open = false;
      find("summary", open).focus();
      event.preventDefault();
      return;
    }
    const busy = targetOf(event).closest("input:not([type=checkbox]), textarea, select, dialog");
    // Who has typed goes back to the keys of the page; Escape closes a dialog by itself.
    if (event.key === "Escape" && busy instanceof HTMLElement && !busy.closest("dialog")) busy.blur();
    if (busy || event.altKey) return;
    const control = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (control && (key === "z" || key === "y")) {
      event.preventDefault();
      const redo = key === "y" || event.shiftKey;
      app.input.run(() => (app.editor.open ? app.editor.undo() : app.tree.playing ? app.game.takeBack() : app.actions.undo(redo)));
    } else if (control) {
      return;
    } else if (event.shiftKey && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      event.preventDefault();
      app.lessons.nextMistake(event.key === "ArrowLeft" ? -1 : 1);
    } else {
      if (app.editor.open && event.key === "Escape") return app.editor.stop();
      if (event.key.startsWith("Page") && !app.state.file) return; // the page scrolls
      const step = STEPS[event.key], action = chosen(keys, event.key), field = chosen(fields, event.key);
      if (app.about?.watching && !(step || "f?".includes(key))) return;
      const onButton = targetOf(event).closest("button, a, summary, input") && (event.key === " " || event.key === "Enter");
      if (!(step || action || field) || onButton || app.editor.open) return;
      event.preventDefault();
      if (step) app.actions.step(step);
      else if (field) field();
      else app.input.run(() => app.editor.open || action());
    }
  });

  // What is pasted or dropped is opened.
  /** @param {DataTransfer | null} data */
  function open(data) {
    const files = [...(data?.files ?? [])], text = data?.getData("text") ?? "";
    if (files.length) app.dialogs.openFiles(files);
    else if (text.trim()) app.dialogs.openText(text);
  }
  document.addEventListener("paste", (event) => targetOf(event).closest("input, textarea") || open(event.clipboardData));
  // Words that are dragged within a text field stay its own.
  /** @param {DragEvent} event */
  const isWriting = (event) => !event.dataTransfer?.types.includes("Files") && targetOf(event).closest("input, textarea");
  document.addEventListener("dragover", (event) => {
    if (isWriting(event)) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("dropping");
  });
  document.addEventListener("drop", (event) => {
    document.body.classList.remove("dropping");
    if (isWriting(event)) return;
    event.preventDefault();
    open(event.dataTransfer);
  });
}
