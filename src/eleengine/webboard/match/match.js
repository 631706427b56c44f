// The page of a match: the report anew every few seconds, and a game on the board; or a list of matches.

const PAUSE = 3000; // milliseconds between two questions
const SHOWN = 300; // games in the list

const token = location.hash.slice(1);
const at = (id) => document.getElementById(id);
let shown = null; // the game on the board: number, moves, ply
let journal = null; // that was chosen in the list of a folder
let listed = null; // the lines of the list

async function ask(path) {
  const query = journal ? `?journal=${encodeURIComponent(journal)}` : "";
  const answer = await fetch(path + query, { headers: { authorization: `Bearer ${token}` } });
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

async function update() {
  const asked = journal;
  const found = await ask("match");
  if (asked !== journal) return;
  at("report").innerHTML = found.report; // whatever is not ours in it is escaped
  at("what").textContent = found.journals.length ? "Open a match" : "Games on the board";
  list(found);
}

async function refresh() {
  await attempt(update);
  setTimeout(refresh, PAUSE);
}

function choose(name) {
  journal = name;
  shown = null;
  at("game").hidden = true;
  return update();
}

function button(text, current, act) {
  const made = document.createElement("button");
  made.textContent = text;
  if (current) made.setAttribute("aria-current", "true");
  made.addEventListener("click", act);
  return made;
}

function list({ games, journals }) {
  const rows = [
    ...(journal ? [["All matches", () => choose(null)]] : []),
    ...journals.map((name) => [name, () => choose(name)]),
    ...games.slice(0, SHOWN).map(([number, line]) => [line, () => open(number), number === shown?.number]),
  ];
  const lines = rows.map(([line]) => line).join("\n");
  if (lines === listed) return;
  listed = lines;
  at("list").replaceChildren(...rows.map(([line, act, current]) => button(line, current, () => attempt(act))));
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
