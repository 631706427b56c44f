"""A game that is played on a document: players, clocks, moves and the end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any, Protocol

from .._core import MATE, Move
from ..board import Board
from ..book import Book
from ..engines.strength import TOP_SKILL, accepts_draw
from ..engines.types import EngineError, InfoDict, Limit
from ..pieces import BLACK, COLOR_NAMES, RED, Color
from ..records import Eval, Game, GameNode
from .coach import HELD, judge
from .errors import RequestError
from .page_data import Data, infos_data, premoves_data, verdict_data
from .pool import Pool, PoolJob
from .record import Record
from .store import new_key

BOOK_LEVEL = 5  # lower levels play openings of their own
BOOK_PAUSE = 0.3  # seconds for a move of the book, so that it is seen
MOVE_TIME = 2.0  # seconds of an engine for a move in a game without a clock
DRAW_FROM_PLY = 30  # before that an engine declines
DRAW_LIMIT = Limit(time=0.5)
GONE = -1
_RESULTS = {"red": "1-0", "black": "0-1", None: "1/2-1/2"}  # by the winner


class Clock:
    """Two clocks, in seconds: what each side has left, and since when one runs."""

    def __init__(self, base: float, increment: float) -> None:
        self.base = base
        self.increment = increment
        self.left: dict[Color, float] = {RED: base, BLACK: base}
        self.side: Color | None = None
        self._since = 0.0

    def now(self, side: Color) -> float:
        """What a side has left at this moment, not below 0."""
        spent = monotonic() - self._since if side == self.side else 0.0
        return max(0.0, self.left[side] - spent)

    def start(self, side: Color) -> None:
        self.stop()
        self.side, self._since = side, monotonic()

    def stop(self) -> None:
        if self.side is not None:
            self.left[self.side] = self.now(self.side)
            self.side = None

    def data(self) -> Data:
        return {
            "base": self.base,
            "increment": self.increment,
            "red": round(self.now(RED), 3),
            "black": round(self.now(BLACK), 3),
            "runs": None if self.side is None else COLOR_NAMES[self.side],
        }


class GameTree(Protocol):
    """The tree that a game is played on, as far as a game needs it."""

    game: Game

    def node_id(self, node: GameNode) -> int: ...
    def add(self, parent: GameNode, move: Move, *, main: bool = False) -> GameNode: ...
    def broadcast(self, message: Data) -> None: ...
    def broadcast_node(self, node: GameNode) -> None: ...
    def show(self, node_id: int) -> None: ...
    def changed(self) -> None: ...


class LiveGame:
    """A game that is being played, or was played, on a document.

    players: for each side None for a person or the number of an engine, `GONE` for one that this server does
    not have; names: of these engines, by which they are found again. levels: of the engines, 0 to 20.
    node: the position that the game has come to. result: how it ended, None while it goes on.
    """

    def __init__(
        self,
        document: GameTree,
        node: GameNode,
        players: dict[Color, int | None],
        levels: dict[Color, int],
        clock: Clock | None,
        move_time: float = MOVE_TIME,
    ) -> None:
        self.document = document
        self.start: GameNode = node
        self.node: GameNode = node
        self.players = players
        self.names: dict[Color, str] = {}
        self.levels = levels
        self.clock = clock
        self.move_time = move_time
        self.result: Data | None = None
        self.paused: bool = True
        self.by_hand: bool = False  # paused by a person, not because nobody looks
        self.pools: Sequence[Pool] = ()
        self.book: Book | None = None
        self.warn = "off"  # of which mistakes of a person: a key of coach.HELD
        self.judged: Data | None = None  # a person's last move; if it is held, the engine waits
        self.found: dict[Color, Data | None] = {RED: None, BLACK: None}  # by two engines: score, depth, line
        self.record: Record | None = None  # of the person's games
        self.helped = False  # by a hint, a move taken back, or the coach: such a game is not counted
        self.is_own = True  # the document's: else headers and main line are another game's, and stay
        self.key: str = new_key()  # in the record: one document may have many games, one after the other
        self._shown: GameNode | None = None  # where pages were brought last
        self._accepted: GameNode | None = None  # a move that stays in spite of its warning
        self._job: PoolJob | None = None
        self._task: asyncio.Task[None] | None = None
        self._flag: asyncio.TimerHandle | None = None

    @property
    def over(self) -> bool:
        return self.result is not None

    @property
    def thinking(self) -> bool:
        """Is it an engine's move, or the coach's word?"""
        return self._task is not None

    @property
    def turn(self) -> Color:
        return self.node.turn

    def is_person(self, side: Color) -> bool:
        return self.players[side] is None

    @property
    def person(self) -> Color | None:
        """The side of the one person in a game against an engine, None in any other game."""
        return None if self.is_person(RED) == self.is_person(BLACK) else RED if self.is_person(RED) else BLACK

    def data(self) -> Data:
        """For the page."""
        return {
            "start": self.document.node_id(self.start),
            "node": self.document.node_id(self.node),
            "turn": COLOR_NAMES[self.turn],
            "players": {COLOR_NAMES[side]: engine for side, engine in self.players.items()},
            "names": {COLOR_NAMES[side]: name for side, name in self.names.items()},
            "levels": {COLOR_NAMES[side]: level for side, level in self.levels.items()},
            "clock": self.clock.data() if self.clock else None,
            "moveTime": self.move_time,
            "paused": self.paused,
            "thinking": self.thinking,
            "result": self.result,
            "warn": self.warn,
            "judged": self.judged,
            "record": self._record_data(),
            "found": {COLOR_NAMES[side]: found for side, found in self.found.items()},
            "premoves": self._premoves(),
        }

    def _premoves(self) -> dict[str, list[str]]:
        """Where a person's pieces can be sent while the other side thinks."""
        if self.over or self.paused or not self.is_person(not self.turn):
            return {}
        return premoves_data(self.node.board())

    def broadcast(self) -> None:
        """Send all pages the state of the game, and bring them to its position if this is a new one."""
        if self._shown is not self.node:
            self._shown = self.node
            self.document.show(self.document.node_id(self.node))
        self.document.broadcast({"type": "game", "game": self.data()})

    # Going on and waiting

    def resume(self, *, by_hand: bool = False) -> None:
        """Let clocks and engines run."""
        if self.over or not self.paused or (self.by_hand and not by_hand):
            return
        if self.by_hand:
            self.document.changed()
        self.paused = self.by_hand = False
        self._go_on()

    def pause(self, *, by_hand: bool = False) -> None:
        """Stop clocks and engines."""
        if self.over or self.paused:
            return
        self._halt()
        self.paused, self.by_hand = True, by_hand
        if by_hand or self.clock:  # the time that was used counts, though the game is read from its file next
            self.document.changed()
        self.broadcast()

    def close(self) -> None:
        """End all work: the server goes."""
        if self.clock and not (self.over or self.paused):
            self.document.changed()
        self._halt()
        self.paused = True

    def _halt(self) -> None:
        if self.clock:
            self.clock.stop()
        if self._flag:
            self._flag.cancel()
            self._flag = None
        if self.judged is not None and self.judged["held"]:
            self.judged = None
        if self._job is not None:
            self._job.stop()
            self._job = None
        if self._task is not None:
            if self._task is not asyncio.current_task():  # which ends by itself
                self._task.cancel()
            self._task = None

    def _go_on(self) -> None:
        """The next move is due: look whether the game is over, start the clock, let an engine think."""
        board = self.node.board()
        verdict = board.repetition()
        if verdict:
            self.end(verdict_data(board, verdict))
            return
        if self.clock:
            side = self.turn
            self.clock.start(side)
            self._flag = asyncio.get_running_loop().call_later(self.clock.now(side) + 0.01, self._fall, side)
        if not self.is_person(self.turn):
            self._task = asyncio.create_task(self._engine_move(board))
        self.broadcast()

    def _fall(self, side: Color) -> None:
        self.end({"winner": COLOR_NAMES[not side], "reason": "time"})

    # Moves

    def push(self, move: Move, score: Eval | None = None) -> GameNode:
        """Play a legal move of the side to move; score: what an engine thinks of it.

        RequestError if the tree is full; the game stands as before then.
        """
        mover = self.turn
        node = self.document.add(self.node, move, main=self.is_own)
        if self.is_person(mover):
            self.judged = None
        self._halt()
        if self.clock:
            self.clock.left[mover] += self.clock.increment
            node.clock = round(self.clock.left[mover], 1)
        if score is not None:
            node.eval = score
            self.document.broadcast_node(node)
        self.node = node
        self.document.changed()
        self._go_on()
        return node

    async def _engine_move(self, board: Board) -> None:
        """Let the engine move; if that fails, the game waits for a person, who asks the engine again."""
        try:
            await self._answer(board)
        except (EngineError, ValueError) as error:
            self.pause(by_hand=True)
            code = getattr(error, "code", "engine")
            self.document.broadcast({"type": "error", "code": code, "message": str(error)})

    async def _answer(self, board: Board) -> None:
        side = self.turn
        number = self.players[side]
        assert number is not None
        if self.is_person(not side) and self._accepted is not self.node and await self._must_wait():
            return
        if number == GONE:
            raise RequestError("no-engine", self.names[side])
        pool = self.pools[number]
        limit = Limit(time=self.move_time)
        if self.clock:
            limit = Limit(
                red_clock=max(0.05, self.clock.now(RED)),
                black_clock=max(0.05, self.clock.now(BLACK)),
                red_inc=self.clock.increment,
                black_inc=self.clock.increment,
            )
        started = monotonic()
        if (known := self._book_move(board, pool, side)) is not None:
            await asyncio.sleep(BOOK_PAUSE)
            self.found[side] = None
            self.push(known)
            return
        self._job = job = pool.submit(
            PoolJob(board, limit, skill=self.levels[side] if pool.weak else TOP_SKILL)
        )
        result = await job.result
        score = None
        if not (self.is_person(RED) or self.is_person(BLACK)):
            score = self._note(board, result.info)
            if not self.clock:
                await asyncio.sleep(self.move_time - (monotonic() - started))  # for who looks on
        if result.move is not None:
            self.push(result.move, score)
        elif result.resigned:
            self.end({"winner": COLOR_NAMES[not side], "reason": "resigned"})
        else:
            raise EngineError("the engine answered without a move")

    def _note(self, board: Board, info: InfoDict) -> Eval | None:
        """Keep what an engine thinks, for who looks on; return its score."""
        lines = infos_data(board, [info])
        self.found[board.turn] = lines[0] if lines else None
        return Eval(info["score"], info.get("depth") or None) if "score" in info else None

    async def _must_wait(self) -> bool:
        """Judge a person's move: True if the engine is to wait with its answer."""
        try:
            judged = await judge(self.node, self.warn, self.pools[0], self.book)
        except (EngineError, ValueError):
            return False  # the game goes on without a coach
        if judged is None:
            return False
        held: bool = judged["held"]
        self.note_help()
        if held:
            self._halt()
        self.judged = {"node": self.document.node_id(self.node), **judged}
        self.broadcast()
        return held

    def accept(self) -> None:
        """Let a move stay in spite of its warning."""
        if self.judged is not None and self.judged["held"]:
            self.judged["held"] = False
            self._halt()
            self._accepted = self.node
            self._go_on()

    def find_engines(self, names: list[str]) -> None:
        """Take the engines of this server, which may have others than the one that the game began on."""
        for side, number in self.players.items():
            if number is not None:
                name = self.names.setdefault(side, names[min(number, len(names) - 1)])
                self.players[side] = names.index(name) if name in names else GONE

    def _book_move(self, board: Board, pool: Pool, side: Color) -> Move | None:
        """What our own engine plays from the book, if its level has heard of openings."""
        if self.book is None or not pool.weak or self.levels[side] < BOOK_LEVEL:
            return None
        entry = self.book.weighted_choice(board)
        return entry.move if entry else None

    def take_back(self) -> None:
        """Back to the last move of a person, or by one move between persons or engines."""
        path = self._moves()
        while path:
            last = path.pop()
            if self.person in (None, not last.turn):
                self._halt()
                self.result = self.judged = None
                self.helped = True
                if self.record is not None:
                    self.record.remove(self.key)
                self._set_result(None)
                assert last.parent is not None
                self.node = last.parent
                self._restore_clocks()
                self.paused = self.by_hand = False
                self.document.changed()
                self._go_on()
                return
        raise RequestError("nothing-to-take-back", "there is no move to take back")

    def _moves(self) -> list[GameNode]:
        """The moves of the game so far."""
        return [node for node in self.node.path() if node not in self.start.path()]

    def _restore_clocks(self) -> None:
        """Set the clocks to what they showed in the position: one may have run out since."""
        if self.clock:
            self.clock.left = {RED: self.clock.base, BLACK: self.clock.base}
            for node in self._moves():
                if node.clock is not None:
                    self.clock.left[not node.turn] = node.clock

    # The end

    def end(self, result: Data) -> None:
        """The game is over: winner ("red", "black" or None for a draw) and reason."""
        self._halt()
        self.result = result
        self._count(result)
        self._set_result("*" if result["reason"] == "stopped" else _RESULTS[result["winner"]])
        self.document.changed()
        self.broadcast()

    @property
    def level(self) -> int | None:
        """The level of our engine that a person plays against, None in any other game."""
        if self.person is None or self.players[not self.person] != 0:
            return None
        return self.levels[not self.person]

    def note_help(self) -> None:
        """The person has got help: the game is not counted. After its end that alters nothing."""
        if not self.over:
            self.helped = True
            self.document.changed()

    def _count(self, result: Data) -> None:
        person, level = self.person, self.level
        if person is None or level is None or self.record is None:
            return
        if not self.helped and result["reason"] != "stopped":
            points = {COLOR_NAMES[person]: 1, None: 0.5}.get(result["winner"], 0)
            self.record.add(self.key, level, points)

    def _record_data(self) -> Data | None:
        if self.level is None or self.record is None or self.result is None:
            return None
        return {**self.record.data(self.level), "helped": self.helped}

    def _set_result(self, text: str | None) -> None:
        """Put the result into the headers, or take it out of them; not of another game."""
        if not self.is_own:
            return
        headers = self.document.game.headers
        if text is None:
            headers.pop("Result", None)
        else:
            headers["Result"] = text
        self.document.broadcast({"type": "headers", "headers": headers})

    def resign(self) -> None:
        """The person gives up; between two persons the side to move does."""
        side = self.turn if self.person is None else self.person
        self.end({"winner": COLOR_NAMES[not side], "reason": "resigned"})

    async def offer_draw(self) -> bool:
        """Two persons agree at once; an engine does after a while, when it is not better."""
        if self.is_person(RED) and self.is_person(BLACK):
            self.end({"winner": None, "reason": "agreed"})
            return True
        if self.node.ply < DRAW_FROM_PLY or self.person is None:
            return False
        node, engine = self.node, not self.person
        info = (await self.pools[0].search(PoolJob(node.board(), DRAW_LIMIT))).info
        if self.node is not node or self.over or "score" not in info:
            return False
        score = info["score"].pov(engine).score(mate_score=MATE)
        if not accepts_draw(score or 0, info.get("depth", 0)):
            return False
        self.end({"winner": None, "reason": "agreed"})
        return True

    # Keeping

    def to_dict(self, node_id: Callable[[GameNode], int]) -> Data:
        """For the file of the document."""
        return {
            "start": node_id(self.start),
            "node": node_id(self.node),
            "players": [self.players[RED], self.players[BLACK]],
            "names": [self.names.get(RED), self.names.get(BLACK)],
            "levels": [self.levels[RED], self.levels[BLACK]],
            "clock": self.clock.data() if self.clock else None,
            "move_time": self.move_time,
            "by_hand": self.by_hand,
            "warn": self.warn,
            "helped": self.helped,
            "own": self.is_own,
            "key": self.key,
            "result": self.result,
        }

    @classmethod
    def from_dict(cls, document: GameTree, data: dict[str, Any], nodes: list[GameNode]) -> LiveGame | None:
        """The game of such data; None if it is damaged: the tree is kept anyway."""
        with suppress(KeyError, IndexError, TypeError, ValueError):
            clock = None
            if data["clock"]:
                clock = Clock(float(data["clock"]["base"]), float(data["clock"]["increment"]))
                clock.left = {RED: float(data["clock"]["red"]), BLACK: float(data["clock"]["black"])}
            red, black = (None if number is None else int(number) for number in data["players"])
            red_level, black_level = (int(level) for level in data["levels"])
            play = cls(
                document,
                nodes[data["start"]],
                {RED: red, BLACK: black},
                {RED: red_level, BLACK: black_level},
                clock,
                float(data["move_time"]),
            )
            for side, name in zip((RED, BLACK), data.get("names", ()), strict=False):
                if isinstance(name, str):
                    play.names[side] = name
            play.node = play._shown = nodes[data["node"]]
            play.by_hand = bool(data["by_hand"])
            play.result = data["result"]
            play.helped = data.get("helped") is True
            play.is_own = data.get("own") is not False
            play.key = str(data.get("key") or play.key)
            if data.get("warn") in HELD:
                play.warn = data["warn"]
            return play
        return None
