// What the user writes about a game: comments, marks, arrows, headers. It is kept until the server has it; without a
// connection it waits for the next one. Each says what something is, so to send it twice does no harm.

import { failureOf } from "./link.js";
import { problem } from "./problems.js";

/** @typedef {import("./state.js").Writing} Writing */

/**
 * @param {import("./state.js").App} app
 * @param {() => void} redraw
 * @returns {import("./state.js").App["writing"]}
 */
export function writing(app, redraw) {
  const { t } = app;
  /** @type {Set<Writing>} */
  const kept = new Set();

  // A move is found by those that lead to it: its number changes when the server reads the game again.
  /** @param {import("./state.js").Place} place */
  function find({ doc, path }) {
    let node = doc === app.state.doc ? app.tree.find(0) : undefined;
    for (const move of path) node = node?.children.map((id) => app.tree.node(id)).find((child) => child.move === move);
    return node;
  }

  /** @param {Writing} writing @param {import("./state.js").TreeNode} node */
  function show({ type, changes }, node) {
    if (type === "header") app.state.headers[changes.name ?? ""] = changes.value ?? "";
    else Object.assign(node, changes);
    app.state.version++;
    redraw();
  }

  // Returns whether the server has it.
  /** @param {Writing} writing */
  async function send(writing) {
    const { type, doc, changes } = writing;
    const node = find(writing);
    try {
      if (!node) throw { code: "unsaved", message: changes.comment ?? changes.starting_comment ?? changes.value ?? t(changes.nags ? "mark" : "arrow") };
      await app.link.ask(type, { ...changes, doc, node: node.id });
    } catch (thrown) {
      const error = failureOf(thrown), waits = error.code === "lost";
      if (waits && node) show(writing, node);
      else kept.delete(writing);
      app.view.draw();
      app.view.notice(waits ? t("waits") : problem(app.settings.language, error), "bad", { stays: !node });
      return false;
    }
    kept.delete(writing);
    return true;
  }

  addEventListener("beforeunload", (event) => kept.size && event.preventDefault());

  return {
    find,
    place(id) {
      const path = [];
      for (let node = app.tree.node(id); node.move !== undefined; node = app.tree.node(node.parent)) path.unshift(node.move);
      return { doc: app.state.doc ?? "", path };
    },
    write(place, changes, type = "annotate") {
      const writing = { ...place, type, changes };
      kept.add(writing);
      return app.input.run(() => send(writing));
    },
    // There is a connection again, and the game has come with it.
    resend() {
      const waiting = [...kept];
      if (!waiting.length) return;
      for (const writing of waiting) {
        const node = find(writing);
        if (node) show(writing, node);
      }
      app.input.run(async () => {
        const sent = [];
        for (const writing of waiting) sent.push(await send(writing));
        if (sent.every(Boolean)) app.view.notice(t("sent"), "good");
      });
    },
  };
}
