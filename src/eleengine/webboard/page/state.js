// What the page knows, as types: one object, which the events of the server fill and the panels draw (main.js).
// They are checked by tsc --checkJs and not served; what they describe is made in page_data.py, document.py and
// live_game.py.

/** @typedef {"red" | "black"} Side */
/** @typedef {"en" | "zh-Hans" | "zh-Hant"} Language */
/** @typedef {[iccs: string, simplified: string, traditional: string, wxf: string]} MoveTexts */
/** @typedef {[from: string, to: string, color: string]} Arrow */
/** A name in three languages. @typedef {[english: string, simplified: string, traditional: string]} Names */

/** A score for Red; win: Red's winning chances from 0 to 1. cp: centipawns. mate: moves to it, "given" on the board.
 * @typedef {{ win: number, cp?: number, mate?: number | "given" }} Score */

/** A position of the tree and the move that led to it; the start, 0, has neither parent nor move.
 * score: of an analysis. opening: the name of the position. @typedef {{
 *   id: number, parent?: number, move?: string, texts?: string[], children: number[],
 *   comment?: string, starting_comment?: string, nags?: number[], arrows?: Arrow[], score?: Score,
 *   opening?: Names,
 * }} TreeNode */

/**
 * How a game ended; offences: of a repetition, with the pieces as FEN letter and square.
 * @typedef {{
 *   winner: Side | null, reason: string, explanation?: string,
 *   offences?: { side: Side, kind: string, chases: { victim: Placed, attackers: Placed[] }[] }[],
 * }} Outcome
 * @typedef {[symbol: string, square: string]} Placed
 */

/** The position that is shown. number: of the next move. legal: from each square to which. check: the king's square.
 * last: the move that led here. @typedef {{
 *   node: number, fen: string, turn: Side, number: number, legal: Record<string, string[]>,
 *   check: string | null, last: string | null, outcome: Outcome | null,
 * }} Position */

/** @typedef {Score & { depth: number, moves: MoveTexts[] }} Line */

/** What an analysis reports of a node; known: what an endgame table says. @typedef {{
 *   node: number, over?: boolean, depth?: number, seldepth?: number, nodes?: number, nps?: number,
 *   lines: Line[],
 *   known?: { winner: Side | null, plies: number, certain: boolean, keep: MoveTexts[] } | null,
 * }} Info */

/** What the coach says of a person's last move; held: the engine waits with its answer. @typedef {{
 *   node: number, held: boolean, book?: boolean, mark?: string | null, loss?: number,
 *   why?: Record<string, string> | null, better?: MoveTexts[], refutation?: MoveTexts[],
 * }} Judged */

/** A game that is played here, or was. start, node: where it began and has come to. players: null for a person, else
 * the number of an engine, whose name is in names. found: what two engines thought at their last moves. premoves: where pieces can be sent ahead.
 * @typedef {{
 *   start: number, node: number, turn: Side, players: Record<Side, number | null>, names: Partial<Record<Side, string>>, levels: Record<Side, number>,
 *   clock: { base: number, increment: number, red: number, black: number, runs: Side | null } | null,
 *   moveTime: number, paused: boolean, thinking: boolean, result: Outcome | null, warn: string,
 *   judged: Judged | null, record: { level: number, sums: number[], next: number, helped: boolean } | null,
 *   found: Record<Side, Line | null>, premoves: Record<string, string[]>,
 * }} LiveGame */

/** A puzzle, by its number, or an ending against perfect play. @typedef {{
 *   number?: number, ending?: number, names?: Names | null, verdict?: Names,
 *   moves: number | null, kind: string, side: Side, state: "open" | "solved" | "shown", tries: number, helped?: boolean,
 *   level?: number, themes?: Names[],
 * }} Puzzle */

/** @typedef {{ accuracy: number | null, marks: Record<string, number> }} SideSummary */
/** Puzzles one after the other: a set, by their numbers, or a streak, which is over at the first mistake. solved: alone.
 * @typedef {{ numbers: number[] | null, solved: number, over: boolean }} Series */

/** A mistake of the main line; loss: in per cent. mate: moves to the one that was missed. @typedef {{
 *   ply: number, loss: number, mate: number | null, why: Record<string, string> | null,
 *   better: MoveTexts[], refutation: MoveTexts[],
 * }} Mistake */

/** What a review says of a position and the move that led to it. better: the first move of the better line. nag: the
 * glyph of its mark. ending: results before and after the move by endgame tables, for the mover. @typedef {{
 *   id: number, score: Score, loss?: number, better?: MoveTexts[], book?: boolean, mark?: string, nag?: number,
 *   ending?: [number, number],
 * }} ReviewedNode */

/** @typedef {Record<Side, SideSummary> & { mistakes: Mistake[], nodes: ReviewedNode[] }} Summary */

/** @typedef {{ what: string, count: number }} Change */

/** "Find the better move": the mistakes that are asked, and which were found alone or with help. @typedef {{
 *   nodes: number[], place: number, state: "ask" | "judging" | "good" | "bad" | "shown" | "end",
 *   found: Set<number>, helped: Set<number>,
 * }} Lesson */

/** version: grows with each change of the tree. at: the node that is shown. reviewing: how far a review has come.
 * file: which game of the file that was opened last is shown. gameSince: when the game was heard of last, on the clock of the page. mySide: whose mistakes are asked.
 * @typedef {{
 *   doc: string | null, nodes: Map<number, TreeNode>, version: number, headers: Record<string, string>, start: string,
 *   at: number, position: Position | null, game: LiveGame | null, gameSince: number, puzzle: Puzzle | null, series: Series | null,
 *   info: Info | null, learn: Lesson | null, reviewing: { done: number, of: number } | null, summary: Summary | null,
 *   judged: Map<number, ReviewedNode>, reviewHidden: boolean, history: { undo: Change | null, redo: Change | null } | null,
 *   mySide: Side | "both", file: { games: number, at: number } | null,
 * }} State */

/** What the user has chosen. notation, letters: "" for those of the language. endings: how often each was solved. streak: the longest.
 * @typedef {{
 *   language: Language, notation: string, letters: string, score: "red" | "mover", sound: boolean, large: boolean, theme: string,
 *   arrows: boolean, lines: number, threads: number, hash: number, engine: string, level: number, levelRed?: number,
 *   levelBlack?: number, clock: string, warn: string, side?: Side | "random" | "both" | "none", flipped: boolean,
 *   reviewSeconds?: number, endings?: string,
 *   streak?: number,
 * }} Settings */

/** A mark of a move; words: what several are called, of those that reviews give.
 * @typedef {{ name: string, sign: string, nag: number, words: Names | null }} Mark */

/** The first message of the server. watching: this page only looks on. levels: Elo of each, null where none is known.
 * @typedef {{
 *   version: string, engines: string[], levels: (number | null)[], record: Record<string, number[]>, marks: Mark[], letters: string[], formats: string[],
 *   limits: { threads: number, hash: number, lines: number, file: number }, book: boolean, phone: boolean,
 *   installed: boolean, settings: Partial<Settings>, watching?: boolean,
 * }} Welcome */

/**
 * The place of a move in a game, by the moves that lead to it, and what is said there.
 * @typedef {{ doc: string, path: string[] }} Place
 * @typedef {{ comment?: string, starting_comment?: string, nags?: number[], arrows?: Arrow[], name?: string, value?: string }} Changes
 * @typedef {Place & { type: "annotate" | "header", changes: Changes }} Writing
 */

/** A game of a list. @typedef {{
 *   doc: string, red: string, black: string, title: string, result: string, plies: number, person?: Side | null,
 *   changed?: number, fen?: string, state?: string, reviewed?: boolean, puzzle?: boolean, opening?: Names | null,
 * }} Listed */

/** The kept games; unread: the files of others, which are damaged. @typedef {{ documents: Listed[], unread?: string[] }} Kept */

/** What a reader of files says, as a pattern with its parts. @typedef {[pattern: string, ...parts: unknown[]]} Said */
/** @typedef {{ reason: Said, line?: number, game?: number }} Warning */
/** @typedef {{ warnings?: Warning[], unsaid?: number }} Warned unsaid: how many warnings there are beside these */
/** @typedef {{ name: string, kind: string, data: string, text?: string, losses: Said[] }} SavedFile */
/** @typedef {{ move: MoveTexts, opening: Names | null, games: number, points: number | null }} BookEntry */
/** @typedef {[red: number, draws: number, black: number, unknown: number]} Results */

/** Games of the index in a position; move: null where games end. @typedef {{
 *   indexed: boolean, results: Results, moves: { move: MoveTexts | null, opening: Names | null, games: number, results: Results }[],
 *   games: { id: number, ply: number, red: string, black: string, result: string, date: string, event: string,
 *     file: string }[],
 * }} GamesHere */

/** @typedef {{
 *   number: number, id: string, names: Names | null, moves: number | null, kind: string, level: number, themes: string[],
 *   progress: string,
 * }} ListedPuzzle */
/** @typedef {{ number: number, names: Names, table: string, there: boolean }} ListedEnding */

/** What the server answers, by the type of the request. @typedef {{
 *   open: Warned & { games?: Listed[], again?: boolean, doc?: string }, choose: Warned, documents: Kept,
 *   forget: Kept, rename: Kept, show: object, index: Warned & { games: number, new: number },
 *   games: GamesHere, indexed: object, book: { entries: BookEntry[] }, new: { doc: string }, play: object,
 *   game: { accepted?: boolean }, go: object, move: { right?: boolean, node?: number }, line: object,
 *   why: { reason: string | null }, undo: { node: number, what: string }, delete: { count: number }, promote: object,
 *   hint: { square?: string, line: MoveTexts[] }, mate: { line: MoveTexts[], mate: number }, guess: { good: boolean }, review: object, cancel: object,
 *   drop_review: object, report_page: SavedFile, game_page: SavedFile, save: SavedFile, picture: SavedFile,
 *   gif: SavedFile, position: { fen?: string, defects: [number, Said][], playable: boolean }, puzzle: object, solution: object,
 *   puzzles: { puzzles: ListedPuzzle[], themes: Record<string, Names>, endings: ListedEnding[] },
 *   sheet: SavedFile, remember: object, annotate: object, header: object,
 *   phone: { addresses: { url: string, rows: string[] }[] },
 * }} Answers */

/** What went wrong. @typedef {{
 *   code: string, message?: string, defects?: [number, Said][], reason?: Said, line?: number, move?: string,
 * }} Failure */

/** @typedef {{ update: () => void }} Panel */
/** @typedef {Panel & { box: HTMLElement, follow: () => void }} TabPanel */
/** @typedef {{ fen?: string | null, started?: (() => void) | null, practice?: boolean, level?: number | null }} Wanted */

/** What opens in front of the page. @typedef {{
 *   newGame: (wanted?: Wanted) => void, open: () => unknown, reading: (games: number) => void, turn: (way: number) => unknown, openFiles: (files: File[]) => unknown,
 *   openText: (text: string) => unknown, save: () => void,
 *   fetch: (type: "sheet" | "gif" | "game_page" | "report_page", message: object) => Promise<SavedFile | null>, drawing: (done: number, of: number) => void, copy: (text: string) => unknown, puzzles: () => unknown, settings: () => void, help: () => void,
 *   phone: () => unknown, share: (fragment: string) => unknown, confirm: (question: string, action: () => unknown) => void,
 * }} Dialogs */

/**
 * The page by subject; main.js makes the parts. What the user can do is in `actions`, in the order of `input`; what is
 * seen and said in `view`; the other parts are panels. `$` finds an element of index.html.
 * @typedef {{
 *   settings: Settings, about: Welcome | null, readonly welcome: Welcome, state: State, engineOn: boolean,
 *   input: import("./input.js").InputQueue, $: (id: string) => HTMLElement, t: Translate,
 *   words: Words, tree: Tree, actions: Actions, preferences: Preferences, view: View,
 *   board: import("./board.js").BoardView, link: import("./link.js").Link, dialogs: Dialogs,
 *   game: Panel & { takeBack: () => unknown },
 *   premove: Panel & { readonly move: string | null, readonly text: string | null, readonly targets: Record<string, string[]>,
 *     enter: (from: string, to: string) => void, cancel: () => void },
 *   editor: { open: boolean, start: () => void, stop: () => void, undo: () => void,
 *     edit: (pieces: Map<string, string>) => void, place: (square: string) => boolean },
 *   engine: Panel & { follow: () => void, toggle: () => void, lines: (n: number) => void, playBest: () => unknown,
 *     read: () => void },
 *   book: TabPanel, explorer: TabPanel,
 *   moves: Panel & { change: (node: TreeNode) => void, type: () => void, turn: () => void, number: (ply: number) => string },
 *   lessons: Panel & { review: () => unknown, guess: (move: string) => Promise<void>, mistake: () => Mistake | null,
 *     nextMistake: (way: number) => unknown },
 *   comments: Panel, graph: Panel,
 *   away: { keep: () => void, list: () => Promise<Listed[]>, show: (doc?: string) => Promise<void> },
 *   puzzles: Panel & { heard: (puzzle: Puzzle, before: Puzzle | null) => void, streak: () => unknown,
 *     play: (numbers: number[], first?: number) => unknown, playIds: (ids: string[]) => Promise<void> },
 *   writing: { find: (place: Place) => TreeNode | undefined, place: (id: number) => Place, resend: () => void,
 *     write: (place: Place, changes: Changes, type?: Writing["type"]) => unknown },
 * }} App
 * @typedef {(key: string, ...values: unknown[]) => string} Translate
 */

/** @typedef {{
 *   readonly notation: string, readonly letters: string, moveText: (move: MoveTexts | string[]) => string,
 *   nodeText: (node: TreeNode) => string, nameOf: (names: Names) => string,
 *   scoreText: (score: Score, turn?: Side) => string,
 *   judgement: (judged: { book?: boolean, better?: MoveTexts[], mark?: string | null, loss?: number }, node: TreeNode) => string,
 * }} Words */

/** @typedef {{
 *   find: (id?: number) => TreeNode | undefined, node: (id?: number) => TreeNode, readonly position: Position, pieces: (id: number) => Position, numbering: (ply: number) => { number: number, turn: Side }, line: (id?: number) => TreeNode[], readonly playing: boolean, readonly turn: Side,
 *   judged: (node?: TreeNode) => ReviewedNode | undefined, score: (node?: TreeNode) => Score | undefined,
 *   nags: (node: TreeNode) => number[], marks: (node: TreeNode) => Mark[],
 * }} Tree */

/** act: a request in its turn, ask: one at once. goes: how many steps were asked for; heading: where the last one goes,
 * until its board has come. away: where one went without a connection. @typedef {{
 *   heading: number | null, goes: number, away: Place | null, look: (id: number) => void, resume: () => void, readonly place: number, target: (way: string) => number | undefined,
 *   ask: <K extends keyof Answers>(type: K, message?: object) => Promise<Answers[K] | null>,
 *   act: <K extends keyof Answers>(type: K, message?: object | (() => object)) => Promise<Answers[K] | null>,
 *   go: (id: number) => unknown, show: (id: number | undefined) => Promise<void>, step: (way: string) => unknown,
 *   move: (from: string, to: string) => unknown, play: (move: string) => Promise<Answers["move"] | null>,
 *   why: (square: string, symbol?: string, to?: string) => Promise<void>, askHint: () => unknown, undo: (redo?: boolean) => unknown,
 *   hint: () => Promise<void>, askMate: () => unknown, mate: () => Promise<void>,
 * }} Actions */

/** unsaved: settings that the user has set and the server may not have. @typedef {{
 *   unsaved: Partial<Settings>, set: (changes: Partial<Settings>) => void,
 *   remember: () => Promise<void>, flip: (flipped?: boolean) => void, solvedEndings: () => number[],
 *   solved: (ending: number) => number,
 * }} Preferences */

/** preview: a line that is shown on the board; previewLine: shows one, or none. tell: notice and say. hinted: an arrow. taken: whether the last move took a piece.
 * @typedef {{
 *   preview: string[] | null, hinted: Arrow | null, taken: boolean | null, noticeTimer: number, panels: Panel[],
 *   update: () => void, announcePosition: (before?: number) => void, say: (text: string) => void,
 *   tell: (text: string, kind?: string) => void, previewLine: (moves?: string[]) => void,
 *   notice: (text: string, kind?: string, options?: { stays?: boolean, action?: HTMLElement | null }) => void,
 *   draw: (options?: { animate?: boolean }) => void, legal: () => Record<string, string[]>, drawArrows: () => void,
 *   dress: () => void, gauge: () => void,
 * }} View */

export {};
