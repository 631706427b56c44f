// What the user can do: steps, moves, hints, and requests in their order.

import { button } from "./dom.js";
import { failureOf } from "./link.js";
import { problem } from "./problems.js";

/** @param {import("./state.js").App} app @returns {import("./state.js").Actions} */
export function actions(app) {
  return {
    heading: null,
    goes: 0,
    away: null,
    async ask(type, message = {}) {
      try {
        return await app.link.ask(type, message);
      } catch (error) {
        app.view.notice(problem(app.settings.language, failureOf(error)), "bad");
        app.view.draw();
        return null;
      }
    },
    // An action of the user, in its turn.
    act: (type, message) => app.input.run(() => app.actions.ask(type, typeof message === "function" ? message() : message)),
    go: (id) => app.input.run(() => app.actions.show(id), { step: true }),
    async show(id) {
      if (id === undefined || !app.state.nodes.has(id)) return;
      app.view.preview = null;
      if (!app.link.open || app.link.watching) return app.actions.look(id);
      app.actions.heading = id;
      const number = ++app.actions.goes;
      await app.actions.ask("go", { node: id });
      if (number === app.actions.goes) app.actions.heading = null;
    },
    // A step without a connection: the pieces are shown, and the server hears of it when it is back. Who only looks on
    // is at the place of the other page again when that one moves.
    look(id) {
      Object.assign(app.state, { at: id, position: app.tree.pieces(id) });
      if (!app.link.watching) app.actions.away = app.writing.place(id);
      app.view.update();
    },
    resume() {
      const node = app.actions.away && app.writing.find(app.actions.away);
      app.actions.away = null;
      if (node) app.actions.go(node.id);
    },
    // Where the next step begins: keys come faster than boards, and each goes on from the one before.
    get place() {
      const { heading } = app.actions;
      return heading !== null && app.state.nodes.has(heading) ? heading : app.state.at;
    },
    move: (from, to) => app.input.run(() => (app.state.learn ? app.lessons.guess(from + to) : app.actions.play(from + to))),
    async play(move) {
      const answer = await app.actions.ask("move", { node: app.state.at, move });
      if (answer?.right === false) {
        app.view.tell(app.t("wrong"), "bad");
      } else if (answer?.right && app.state.puzzle?.state === "open") {
        app.view.notice(app.t("right"), "good");
      }
      return answer;
    },
    // A piece that should move but cannot, or not to a square: say why.
    async why(square, symbol, to) {
      if (!app.link.open) return app.view.notice(app.t("error_lost"), "bad");
      const side = symbol && (symbol === symbol.toUpperCase() ? "red" : "black");
      if (side !== app.tree.turn || app.editor.open || !Object.keys(app.view.legal()).length) return;
      const { position } = app.tree;
      const answer = await app.actions.ask("why", { node: position.node, square, to });
      if (!answer?.reason || app.state.position !== position) return;
      app.view.tell(app.t(`why_${answer.reason}`));
    },
    step: (way) => app.input.run(() => app.actions.show(app.actions.target(way)), { step: true }),
    // The node that a step leads to
    target(way) {
      const node = app.tree.find(app.actions.place);
      if (!node) return undefined;
      if (way === "previous") return node.parent;
      if (way === "next") return node.children[0];
      if (way === "first") return 0;
      if (way === "last") return app.tree.line(node.id).at(-1)?.id;
      // the variation above or below
      const siblings = app.tree.node(node.parent).children;
      return siblings[siblings.indexOf(node.id) + (way === "up" ? -1 : 1)];
    },
    // Take the last change of the game back, or redo it.
    undo: (redo = false) => app.input.run(async () => {
      const change = await app.actions.ask("undo", { redo });
      if (!change) return;
      if (change.node !== app.state.at) await app.actions.show(change.node);
      app.view.notice(app.t(redo ? "redone" : "undone", app.t(`change_${change.what}`)), "good");
    }),
    // It takes a while, in which the user may go on.
    askHint: () => app.input.run(() => void app.actions.hint()),
    async hint() {
      const { puzzle } = app.state, { position } = app.tree;
      if (puzzle?.state !== "open") app.view.notice(app.t("thinking"));
      const answer = await app.actions.ask("hint", { node: position.node });
      if (!answer || app.state.position !== position) return; // it was meant for another position
      if (puzzle?.state === "open") {
        if (answer.square) app.board.select(answer.square);
        else app.view.notice(app.t("noHint"));
        return;
      }
      const [move] = answer.line;
      app.view.hinted = [move[0].slice(0, 2), move[0].slice(2, 4), "hinted"];
      app.view.tell(app.t("hintIs", app.words.moveText(move)), "good");
      app.view.drawArrows();
    },
    askMate: () => app.input.run(() => void app.actions.mate()),
    async mate() {
      const { position } = app.tree, { node } = position;
      app.view.notice(app.t("thinking"));
      const answer = await app.actions.ask("mate", { node });
      if (!answer || app.state.position !== position) return;
      const moves = answer.line.map(([move]) => move);
      if (!moves.length) return app.view.notice(app.t("noMate"));
      const show = button(null, app.t("show"), () => app.actions.act("line", { node, moves }), { kind: "small" });
      app.view.notice(app.t("mateFound", answer.mate, app.words.moveText(answer.line[0])), "good", { action: show });
    },
  };
}
