// The winning chances over the moves of the game: one series, marks, a cursor, clicks.

import { clear, el, svg } from "./dom.js";

const HEIGHT = 100;

/** @param {import("./state.js").App} app */
export function graph(app) {
  const { $, t } = app;
  let shown = [];
  const score = (node) => app.tree.score(node);

  const label = el("output", { "aria-hidden": "true" });

  // The move that the pointer is at
  function pointed(event) {
    const box = event.currentTarget.getBoundingClientRect();
    const place = Math.round(((event.clientX - box.left) / box.width) * (shown.length - 1));
    return shown[Math.max(0, Math.min(shown.length - 1, place))];
  }

  function go(event) {
    const node = pointed(event);
    if (node) app.actions.go(node.id);
  }

  function tell(event) {
    const node = pointed(event);
    label.textContent = node?.move ? [app.moves.number(shown.indexOf(node)), app.words.nodeText(node), score(node) ? app.words.scoreText(score(node)) : ""].join(" ") : "";
  }

  return {
    update() {
      const card = $("graph");
      shown = app.tree.line(0);
      const scored = shown.filter(score).length;
      card.hidden = scored < 2 || app.editor.open || app.tree.playing || app.state.puzzle?.state === "open";
      if (card.hidden) return;
      const last = shown.length - 1;
      const x = (ply) => (1000 * ply) / Math.max(1, last);
      const y = (win) => HEIGHT * (1 - win);
      const points = [];
      shown.forEach((node, ply) => score(node) && points.push([x(ply), y(score(node).win)]));
      const path = points.map(([px, py], n) => `${n ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`).join("");
      const area = `M${points[0][0]} ${HEIGHT / 2}${path.replace("M", "L")}L${points.at(-1)[0]} ${HEIGHT / 2}z`;
      const dots = [];
      shown.forEach((node, ply) => {
        const kind = score(node) && app.tree.marks(node).find(({ words }) => words)?.name;
        // an ellipse, because the picture is stretched
        if (kind) dots.push(svg("line", { class: `dot ${kind}`, x1: x(ply), x2: x(ply), y1: y(score(node).win), y2: y(score(node).win) }));
      });
      let current = app.tree.node(); // in a variation: where it leaves the game
      while (current?.parent !== undefined && !shown.includes(current)) current = app.tree.node(current.parent);
      const here = shown.indexOf(current);
      const picture = svg(
        "svg",
        { viewBox: `0 0 1000 ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": t("graph"), onclick: go, onpointermove: tell, onpointerleave: () => (label.textContent = "") },
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
