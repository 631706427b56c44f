// The page of a match: the report anew every few seconds, and a game on the board.

const PAUSE = 3000; // milliseconds between two questions
const SHOWN = 300; // games in the list

const token = location.hash.slice(1);
const at = (id) => document.getElementById(id);
let shown = null; // the game on the board: number, moves, ply

async function ask(path) {
  const answer = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
  if (answer.status === 403) throw new Error("This address is not the one that eleengine has printed.");
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error);
  return found;
}

async function attempt(work) {
  try {
    await work();
    at("status").textContent = "";
  } catch (error) {
    at("status").textContent = error instanceof TypeError ? "eleengine does not answer." : error.message;
  }
}

async function refresh() {
  await attempt(async () => {
    const found = await ask("match");
    at("report").innerHTML = found.report; // whatever is not ours in it is escaped
    list(found.games);
  });
  setTimeout(refresh, PAUSE);
}

function button(text, current, act) {
  const made = document.createElement("button");
  made.textContent = text;
  if (current) made.setAttribute("aria-current", "true");
  made.addEventListener("click", act);
  return made;
}

function list(games) {
  const rows = games.slice(0, SHOWN);
  if (rows.length === at("list").childElementCount && rows[0]?.[1] === at("list").firstChild?.textContent) return;
  at("list").replaceChildren(
    ...rows.map(([number, line]) => button(line, number === shown?.number, () => attempt(() => open(number)))),
  );
}

async function open(number) {
  shown = { number, ply: 0, ...(await ask(`games/${number}`)) };
  at("game").hidden = false;
  at("title").textContent = `Game ${number + 1}: ${shown.title} (${shown.end})`;
  await show(shown.moves.length);
  at("game").scrollIntoView();
}

async function show(ply) {
  const { number, moves } = shown;
  shown.ply = Math.max(0, Math.min(moves.length, ply));
  const found = await ask(`games/${number}/${shown.ply}`);
  const [move, comment] = moves[shown.ply - 1] ?? ["opening", ""];
  at("board").src = `data:image/svg+xml,${encodeURIComponent(found.svg)}`;
  at("board").alt = `position after ${shown.ply} plies`;
  at("note").textContent = `${shown.ply}. ${move} ${comment}`;
  at("moves").replaceChildren(
    ...moves.map(([text], index) => {
      const item = document.createElement("li");
      item.append(button(text, index + 1 === shown.ply, () => attempt(() => show(index + 1))));
      return item;
    }),
  );
}

const STEPS = {
  first: () => 0,
  back: () => shown.ply - 1,
  on: () => shown.ply + 1,
  last: () => shown.moves.length,
};
const KEYS = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last" };

at("steps").addEventListener("click", ({ target }) => {
  const step = STEPS[target.dataset.step];
  if (step && shown) attempt(() => show(step()));
});
addEventListener("keydown", (event) => {
  const step = STEPS[KEYS[event.key]];
  if (!step || !shown || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  attempt(() => show(step()));
});

refresh();
