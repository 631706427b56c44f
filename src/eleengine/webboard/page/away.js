// Games that an installed page keeps in the browser: without the board they can be opened and stepped through.

const MOST = 100; // games, last shown first
const DELAY = 500; // milliseconds from a change until it is kept

/** @typedef {import("./events.js").ServerEvent} ServerEvent */
/** @typedef {import("./state.js").Listed} Listed */

/**
 * @param {import("./state.js").App} app
 * @param {(messages: ServerEvent[]) => void} receive
 * @returns {import("./state.js").App["away"]}
 */
export function away(app, receive) {
  const cache = () => caches.open("games");
  /** @param {string} name */
  const read = async (name) => (await (await cache()).match(`/games/${name}`))?.json();
  /** @param {string} name @param {unknown} value */
  const write = async (name, value) => (await cache()).put(`/games/${name}`, new Response(JSON.stringify(value)));
  let timer = 0;
  /** @type {string | null} */
  let last = null;

  // The game as the server would send it, without what goes on in it
  async function save() {
    const { doc, headers, start, at, summary, nodes } = app.state;
    if (!doc || nodes.size < 2) return;
    const line = app.tree.line(0);
    /** @type {Listed} */
    const listed = {
      doc, red: headers.Red ?? "", black: headers.Black ?? "", title: headers.Title ?? headers.Event ?? "", result: headers.Result ?? "*",
      plies: line.length - 1, changed: Date.now() / 1000, fen: app.tree.pieces(line[line.length - 1].id).fen.split(" ")[0],
    };
    const document = { type: "document", doc, headers, start, at, nodes: [...nodes.values()], game: null, puzzle: null, review: summary, history: null };
    await write(doc, [{ ...app.about, type: "welcome" }, document, { type: "board", ...app.tree.pieces(at) }]);
    const lines = [listed, ...(await self.list()).filter((other) => other.doc !== doc)];
    for (const old of lines.splice(MOST)) await (await cache()).delete(`/games/${old.doc}`);
    await write("list", lines);
  }

  const self = {
    keep() {
      if (!app.about?.installed || !app.link?.open) return;
      clearTimeout(timer);
      if (last === app.state.doc) timer = setTimeout(save, DELAY);
      else save(); // the next game may come before
      last = app.state.doc;
    },
    /** @returns {Promise<Listed[]>} */
    list: async () => (await read("list")) ?? [],
    async show(doc = "") {
      const messages = await read(doc || ((await self.list())[0]?.doc ?? ""));
      if (messages && !app.link.open) receive(messages);
    },
  };
  return self;
}
