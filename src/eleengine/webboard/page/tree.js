// The tree of moves and the position in it.

import { fenOf, piecesOf } from "./board.js";

/** @param {import("./state.js").App} app @returns {import("./state.js").Tree} */
export function tree(app) {
  return {
    find: (id = app.state.at) => app.state.nodes.get(id),
    node(id = app.state.at) {
      const node = app.state.nodes.get(id);
      if (!node) throw new Error(`the game has no move ${id}`);
      return node;
    },
    get position() {
      if (!app.state.position) throw new Error("no position is shown yet");
      return app.state.position;
    },
    get playing() {
      return Boolean(app.state.game && !app.state.game.result);
    },
    get turn() {
      return app.state.position?.turn ?? "red";
    },
    // What the review says of a node, unless it is hidden; its score, or that of an analysis; and the glyphs: of people,
    // and of the review where people have given none.
    judged: (node) => (app.state.reviewHidden || !node ? undefined : app.state.judged.get(node.id)),
    score(node) {
      const found = app.tree.judged(node)?.score ?? node?.score;
      if (found || !node?.move) return found;
      // The score of a position is that of its best move.
      const before = app.tree.node(node.parent);
      const isBest = before.children.some((id) => app.tree.judged(app.tree.node(id))?.better?.[0]?.[0] === node.move);
      return isBest ? app.tree.judged(before)?.score : undefined;
    },
    // Those that are signs, as the server names them
    marks(node) {
      const nags = app.tree.nags(node);
      return app.welcome.marks.filter(({ nag }) => nags.includes(nag));
    },
    nags(node) {
      const own = node.nags ?? [], nag = app.tree.judged(node)?.nag;
      return nag && !own.some((n) => n <= 6) ? [nag, ...own] : own;
    },
    // A position as far as the page knows it by itself: where the pieces stand, but no rules
    pieces(id) {
      const pieces = piecesOf(app.state.start), { path: moves } = app.writing.place(id);
      for (const move of moves) {
        const symbol = pieces.get(move.slice(0, 2));
        if (symbol) pieces.set(move.slice(2, 4), symbol).delete(move.slice(0, 2)); // not for a pass
      }
      const { number, turn } = app.tree.numbering(moves.length + 1);
      return {
        node: id, fen: `${fenOf(pieces)} ${turn === "red" ? "w" : "b"}`, turn, number,
        legal: {}, check: null, last: moves.at(-1) ?? null, outcome: null,
      };
    },
    // Whose move a ply from the start is, and its number
    numbering(ply) {
      const [, side, , , , first] = app.state.start.split(" ");
      const plies = ply - 1 + (side === "b" ? 1 : 0);
      return { number: (Number(first) || 1) + Math.floor(plies / 2), turn: plies % 2 ? "black" : "red" };
    },
    // The nodes from the start through a node to the end of its line.
    line(id = app.state.at) {
      /** @type {import("./state.js").TreeNode[]} */
      const path = [];
      for (let node = app.tree.find(id); node; node = node.parent === undefined ? undefined : app.tree.node(node.parent)) path.unshift(node);
      for (let node = app.tree.find(id); node?.children.length; ) path.push((node = app.tree.node(node.children[0])));
      return path;
    },
  };
}
