// The winning chances over the moves of the game: one series, marks, a cursor, clicks.

import { clear, el, svg } from "./dom.js";

const HEIGHT = 100;
/** @typedef {import("./state.js").TreeNode} TreeNode */

/** @param {import("./state.js").App} app @returns {import("./state.js").Panel} */
export function graph(app) {
  const { $, t } = app;
  /** @type {TreeNode[]} */
  let shown = [];

  const label = el("output", { "aria-hidden": "true" });

  // The move that the pointer is at
  /** @param {MouseEvent} event */
  function pointed(event) {
    if (!(event.currentTarget instanceof Element)) return undefined;
    const box = event.currentTarget.getBoundingClientRect();
    const place = Math.round(((event.clientX - box.left) / box.width) * (shown.length - 1));
    return shown[Math.max(0, Math.min(shown.length - 1, place))];
  }

  /** @param {MouseEvent} event */
  function go(event) {
    const node = pointed(event);
    if (node) app.actions.go(node.id);
  }

  /** @param {MouseEvent} event */
  function tell(event) {
    const node = pointed(event), score = app.tree.score(node);
    label.textContent = node?.move ? [app.moves.number(shown.indexOf(node)), app.words.nodeText(node), score ? app.words.scoreText(score) : ""].join(" ") : "";
  }

  return {
    update() {
      const card = $("graph");
      shown = app.tree.line(0);
      const scored = shown.flatMap((node, ply) => {
        const win = app.tree.score(node)?.win;
        return win === undefined ? [] : { node, ply, win };
      });
      card.hidden = scored.length < 2 || app.editor.open || app.tree.playing || app.state.puzzle?.state === "open";
      if (card.hidden) return;
      const last = shown.length - 1;
      const x = (/** @type {number} */ ply) => (1000 * ply) / Math.max(1, last);
      const y = (/** @type {number} */ win) => HEIGHT * (1 - win);
      const path = scored.map(({ ply, win }, n) => `${n ? "L" : "M"}${x(ply).toFixed(1)} ${y(win).toFixed(1)}`).join("");
      const ends = [scored[0], scored[scored.length - 1]].map(({ ply }) => x(ply));
      const area = `M${ends[0]} ${HEIGHT / 2}${path.replace("M", "L")}L${ends[1]} ${HEIGHT / 2}z`;
      const dots = scored.flatMap(({ node, ply, win }) => {
        const kind = app.tree.marks(node).find(({ words }) => words)?.name;
        // an ellipse, because the picture is stretched
        return kind ? svg("line", { class: `dot ${kind}`, x1: x(ply), x2: x(ply), y1: y(win), y2: y(win) }) : [];
      });
      let current = app.tree.find(); // in a variation: where it leaves the game
      while (current?.parent !== undefined && !shown.includes(current)) current = app.tree.node(current.parent);
      const here = current ? shown.indexOf(current) : -1;
      const picture = svg(
        "svg",
        { viewBox: `0 0 1000 ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": t("graph"), onclick: go, onpointermove: tell, onpointerleave: () => { label.textContent = ""; } },
        svg("rect", { class: "ground", width: 1000, height: HEIGHT }),
        svg("path", { class: "area", d: area }),
        svg("line", { class: "middle", x1: 0, x2: 1000, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
        svg("path", { class: "curve", d: path }),
        dots,
        here >= 0 ? svg("line", { class: "cursor", x1: x(here), x2: x(here), y1: 0, y2: HEIGHT }) : null,
      );
      clear(card, el("div", { class: "ends" }, el("span", {}, t("redWins")), el("span", {}, t("blackWins"))), picture, label);
    },
  };
}
