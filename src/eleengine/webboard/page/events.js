// Events from the server. They fill the state; it is drawn when all that one change has caused is there.

import { piecesOf } from "./board.js";
import { session } from "./link.js";
import { problem } from "./problems.js";

/** @typedef {import("./state.js").State} State */

/**
 * What the server tells, by type. done: whether this is the last one.
 * @typedef {{
 *   welcome: import("./state.js").Welcome,
 *   document: Pick<State, "headers" | "start" | "game" | "puzzle" | "history"> & {
 *     doc: string, nodes: NewNode[], review: State["summary"], trouble?: string },
 *   node: { node: NewNode }, board: import("./state.js").Position, headers: Pick<State, "headers">, game: Pick<State, "game">,
 *   puzzle: Pick<State, "puzzle">, info: import("./state.js").Info,
 *   reviewed: { node: number, score: import("./state.js").Score, done: number, of: number }, history: Pick<State, "history">,
 *   opening: { games: number }, drawing: { done: number, of: number }, review: Pick<State, "summary">, renamed: { doc: string }, trouble: { message: string }, error: import("./state.js").Failure,
 * }} Events
 * @typedef {Omit<import("./state.js").TreeNode, "children">} NewNode
 */

/** @typedef {{ [K in keyof Events]: Events[K] & { type: K, re?: number } }[keyof Events]} ServerEvent */

/** @param {import("./state.js").App} app */
export function events(app) {
  /** @type {"now" | "soon" | null} */
  let due = null; // what has to be drawn

  /** @type {{ [K in keyof Events]: (message: Events[K]) => void }} */
  const EVENTS = {
    welcome(message) {
      app.about = message;
      const { unsaved } = app.preferences; // what nobody has chosen goes on following the browser
      if (Object.keys(unsaved).length) app.preferences.remember();
      app.state.reviewing = app.state.file = null; // a review ends with the connection that asked for it, as does a file
      Object.assign(app.settings, message.settings, unsaved, { flipped: app.settings.flipped });
      app.view.dress();
    },
    document(message) {
      const { state } = app;
      if (state.doc !== message.doc) {
        Object.assign(state, { info: null, learn: null, summary: null, reviewing: null, reviewHidden: false, position: null, file: null });
        app.view.hinted = app.view.preview = null;
        const persons = Object.entries(message.game?.players ?? {}).filter(([, player]) => player === null);
        app.settings.flipped = persons.length === 1 && persons[0][0] === "black";
        state.mySide = persons.length === 1 ? /** @type {import("./state.js").Side} */ (persons[0][0]) : "both";
        if (app.editor.open) app.editor.stop();
        app.board.configure({ flipped: app.settings.flipped });
        app.view.notice("");
        session?.setItem("doc", message.doc);
      }
      if (!message.puzzle) state.series = null;
      const { doc, headers, start, game, puzzle, history } = message;
      Object.assign(state, { doc, headers, start, game, puzzle, history });
      takeReview(message.review);
      const old = state.nodes;
      state.nodes = new Map();
      for (const node of message.nodes) place(node);
      // A move of a lesson may have been deleted; when the game was read from its file again, numbers may be other moves'.
      if (!state.learn?.nodes.every((id) => state.nodes.get(id)?.move === old.get(id)?.move && state.nodes.has(id))) state.learn = null;
      if (!state.nodes.has(state.at)) state.at = 0;
      state.version++;
      if (message.trouble) EVENTS.trouble({ message: message.trouble });
      due = "now";
    },
    node({ node }) {
      const old = app.state.nodes.get(node.id), before = old && saidOf(old);
      place(node);
      if (before && before === saidOf(node)) return rescored(app.tree.node(node.id));
      if (old && old.comment === node.comment && old.starting_comment === node.starting_comment) app.moves.change(app.tree.node(node.id));
      else app.state.version++;
      due ??= "soon";
    },
    board(message) {
      const { state } = app;
      const old = state.position && piecesOf(state.position.fen);
      if (state.at !== message.node) app.view.notice("");
      state.at = message.node;
      state.position = message;
      app.view.taken = old && piecesOf(message.fen).size < old.size;
      app.view.hinted = null;
      app.view.preview = null;
      due = "now";
    },
    headers({ headers }) {
      app.state.headers = headers;
      due = "now";
    },
    game({ game: played }) {
      app.state.game = played;
      if (played?.record && app.about) app.about.record[played.record.level] = played.record.sums;
      app.state.gameSince = performance.now();
      due = "now";
    },
    puzzle({ puzzle }) {
      const before = app.state.puzzle;
      app.state.puzzle = puzzle;
      if (puzzle) app.puzzles.heard(puzzle, before);
      due = "now";
    },
    info(message) {
      app.state.info = message;
      app.engine.update();
      app.view.gauge();
      app.view.drawArrows();
    },
    drawing({ done, of }) {
      app.dialogs.drawing(done, of);
    },
    opening({ games }) {
      app.dialogs.reading(games);
    },
    reviewed(message) {
      if (!message.done) app.state.judged = new Map();
      app.state.reviewing = message;
      app.state.judged.set(message.node, { id: message.node, score: message.score });
      app.lessons.update();
      app.graph.update();
    },
    history({ history }) {
      app.state.history = history;
      due = "now";
    },
    review({ summary }) {
      app.state.reviewing = null;
      takeReview(summary);
      app.state.version++;
      due = "now";
    },
    renamed({ doc }) {
      app.view.notice(app.t("changedElsewhere"), "bad", { stays: true });
      app.state.doc = doc;
      session?.setItem("doc", doc);
    },
    trouble({ message }) {
      app.view.notice(message ? app.t("cannotSave", message) : "", "bad", { stays: true });
    },
    error(message) {
      app.view.notice(problem(app.settings.language, message), "bad");
    },
  };

  // All of a node but its score
  /** @param {NewNode} node */
  const saidOf = (node) => JSON.stringify({ ...node, score: null, children: null });

  // An analysis has found another score: only what shows it is drawn.
  /** @param {import("./state.js").TreeNode} node */
  function rescored(node) {
    app.moves.change(node);
    app.graph.update();
    if (node.id === app.state.at) app.view.gauge();
    app.away.keep();
  }

  /** @param {State["summary"]} summary */
  function takeReview(summary) {
    app.state.summary = summary ?? null;
    app.state.judged = new Map((summary?.nodes ?? []).map((node) => [node.id, node]));
  }

  // A node of the tree; it keeps the place that it has.
  /** @param {NewNode} node */
  function place(node) {
    const { nodes } = app.state;
    const old = nodes.get(node.id);
    nodes.set(node.id, Object.assign(node, { children: old?.children ?? [] }));
    if (node.parent !== undefined && !old) app.tree.node(node.parent).children.push(node.id);
  }

  let pending = false;

  // Draw once for all events of a frame.
  function soon() {
    if (pending) return;
    pending = true;
    requestAnimationFrame(() => {
      pending = false;
      app.view.update();
    });
  }

  /**
   * @template {keyof Events} K
   * @param {Events[K] & { type: K }} message
   */
  const take = (message) => EVENTS[message.type]?.(message);

  /** @param {ServerEvent[]} messages */
  function receive(messages) {
    const { at, position, game } = app.state;
    for (const message of messages) take(message);
    if (messages.some(({ type }) => type === "welcome")) {
      app.writing.resend();
      app.actions.resume();
    }
    if (due) app.away.keep();
    const wanted = due;
    due = null;
    if (wanted === "soon") soon();
    if (wanted !== "now") return;
    const { state } = app;
    if (state.position !== position) app.engine.follow();
    app.view.update();
    if (state.position !== position) app.view.announcePosition(at);
    else if (game && !game.result && state.game?.result) app.view.announcePosition();
  }

  return { receive, soon };
}
