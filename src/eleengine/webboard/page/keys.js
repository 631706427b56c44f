// Everything by keyboard; the board's own keys are in board.js.

import { findAll, targetOf } from "./dom.js";

/** @param {import("./state.js").App} app */
export function keyboard(app) {
  const keys = {
    ArrowLeft: () => app.step("previous"),
    ArrowRight: () => app.step("next"),
    ArrowUp: () => app.step("up"),
    ArrowDown: () => app.step("down"),
    Home: () => app.step("first"),
    End: () => app.step("last"),
    " ": () => (app.playing || app.state.puzzle?.state === "open" ? app.hint() : app.engine.playBest()),
    e: () => app.engine.toggle(),
    f: () => app.flip(),
    h: () => app.hint(),
    c: () => app.moves.type(),
    b: () => app.moves.turn(),
    l: () => app.engine.read(),
    n: () => app.dialogs.newGame(),
    o: () => app.dialogs.open(),
    s: () => app.dialogs.save(),
    "?": () => app.dialogs.help(),
    Escape: () => {
      if (app.preview) (app.preview = null), app.draw();
    },
  };
  for (const n of [1, 2, 3, 4, 5]) keys[n] = () => app.engine.lines(n);

  const openPopups = () => /** @type {HTMLDetailsElement[]} */ (findAll("details.popup[open]"));
  document.addEventListener("pointerdown", (event) => {
    for (const one of openPopups()) if (!one.contains(targetOf(event))) one.open = false;
  });

  document.addEventListener("keydown", (event) => {
    const [open] = event.key === "Escape" ? openPopups() : [];
    if (open) {
      open.open = false;
      open.querySelector("summary").focus();
      event.preventDefault();
      return;
    }
    const busy = targetOf(event).closest("input, textarea, select, dialog");
    if (busy || event.altKey) return;
    const control = event.ctrlKey || event.metaKey;
    if (control && event.key === "z") {
      event.preventDefault();
      if (app.editor.open) app.editor.undo();
      else app.game.takeBack();
    } else if (control) {
      return;
    } else if (event.shiftKey && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      event.preventDefault();
      app.lessons.nextMistake(event.key === "ArrowLeft" ? -1 : 1);
    } else {
      if (app.editor.open && event.key === "Escape") return app.editor.stop();
      const action = keys[event.key] ?? keys[event.key.toLowerCase()];
      const onButton = targetOf(event).closest("button, a, summary") && (event.key === " " || event.key === "Enter");
      if (!action || onButton || app.editor.open) return;
      event.preventDefault();
      action();
    }
  });

  // What is pasted or dropped is opened.
  document.addEventListener("paste", (event) => {
    if (targetOf(event).closest?.("input, textarea")) return;
    const [file] = event.clipboardData.files;
    const text = event.clipboardData.getData("text");
    if (file) app.dialogs.openFile(file);
    else if (text.trim()) app.dialogs.openText(text);
  });
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("dropping");
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    const [file] = event.dataTransfer.files;
    const text = event.dataTransfer.getData("text");
    if (file) app.dialogs.openFile(file);
    else if (text) app.dialogs.openText(text);
  });
}
