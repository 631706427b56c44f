"""One page: its requests, their answers and the events that it is sent.

A request is a JSON object with a ``type``, and an ``id`` if the page wants an answer: ``{"re": id, ...}``, or
``{"type": "error", "re": id, "code", "message"}``. An event has no ``re``.

What one request causes, its answer included, goes to the page as one list, and the page applies it at once.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import traceback
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from .. import svg
from .._core import STARTING_FEN, Move
from .._internal.message import Message, message_of
from ..board import Board
from ..engines.strength import TOP_SKILL
from ..engines.types import EngineError, InfoDict, Limit
from ..games import GameFilter
from ..legality import why_illegal
from ..pieces import BLACK, COLOR_NAMES, RED
from ..records import RESULTS, Eval, Game
from ..review import game_page
from ..squares import parse_square
from . import coach, endings, explorer, files, lan, puzzles, review
from .document import Document, parse_move, summary
from .errors import RequestError
from .live_game import Clock, LiveGame
from .page_data import (
    LANGUAGES,
    Data,
    infos_data,
    is_complete,
    line_data,
    move_texts,
    score_data,
    true_lines,
)
from .pool import Pool, PoolJob
from .store import is_key
from .workspace import MAX_FILE, MAX_LINES, Workspace

HINT = Limit(time=1.5)
GUESS = Limit(time=0.5)
KEPT_DEPTH = 8  # plies that an analysis must have seen for its score to stay
MAX_CONCURRENT = 16  # requests of a page that wait for engines
LETTERS = svg.LETTERS
ACTIONS = ("resign", "draw", "takeback", "pause", "resume", "stop", "accept")  # in a game


Handler = Callable[["Connection", Data], Awaitable[Data | None]]
HANDLERS: dict[str, Handler] = {}


def request(name: str) -> Callable[[Handler], Handler]:
    """Register a method of `Connection` as the handler of a request."""

    def register(handler: Handler) -> Handler:
        HANDLERS[name] = handler
        return handler

    return register


class Connection:
    """A page and the document that it looks at.

    send: puts a message into the queue of the socket; send_newest keeps only the last one of its kind.
    """

    def __init__(
        self,
        workspace: Workspace,
        send: Callable[[Data], None],
        send_newest: Callable[[str, Data | None], None],
    ) -> None:
        self.workspace = workspace
        self.send = send
        self.send_newest = send_newest
        self.document: Document | None = None
        self._closed = False
        self._analysis: PoolJob | None = None
        self._analysed = 0  # its node
        self._found: InfoDict | None = None  # the best line so far
        self._last_lines: list[InfoDict] = []  # of the last depth that was complete
        self._reviewing: asyncio.Task[None] | None = None
        self._opened: list[files.OpenedGame] = []  # games of the last file, to choose from
        self._opened_name = ""

    # Coming and going

    def start(self, message: Data) -> None:
        """Show a document: the one that the page had, else the last one, else a new one."""
        workspace = self.workspace
        wanted = message.get("doc")
        document = workspace.find(wanted) if is_key(wanted) else None
        if document is None and message.get("new") is not True:
            document = workspace.last_changed()
        self.send({"type": "welcome", **workspace.server_info()})
        self.show(document or workspace.create())

    def close(self) -> None:
        """The page has gone."""
        self._closed = True
        self._stop_analysis()
        if self._reviewing is not None:
            self._reviewing.cancel()
        if self.document is not None:
            self.document.remove_page(self.send)
            self.workspace.release(self.document)

    def show(self, document: Document) -> None:
        """Look at another document, unless the page went while a request was under way."""
        if self._closed:
            return
        if self.document is not document:
            self._stop_analysis()
            if self._reviewing is not None:
                self._reviewing.cancel()
            if self.document is not None:
                self.document.remove_page(self.send)
                self.workspace.release(self.document)
            self.document = document
        self.send(document.data())
        document.add_page(self.send)

    def _show_node(self, name: int) -> None:
        self._document.show(name, self.send)

    @property
    def _document(self) -> Document:
        assert self.document is not None
        return self.document

    @property
    def _own_pool(self) -> Pool:
        return self.workspace.pools[0]

    # Requests

    async def handle(self, message: object) -> None:
        """Do what the page asks for, and answer."""
        answer_to = message.get("id") if isinstance(message, dict) else None
        if not (answer_to is None or type(answer_to) is int):
            answer_to = None
        try:
            if not isinstance(message, dict) or not isinstance(message.get("type"), str):
                raise RequestError("bad-message", "a message is an object with a type")
            handler = HANDLERS.get(message["type"])
            if handler is None:
                raise RequestError("bad-message", f"unknown type {message['type']!r:.40}")
            with self.workspace.working_on(self._document):
                answer = await handler(self, message)
        except RequestError as error:
            self._error(answer_to, error.code, str(error), **error.details)
        except EngineError as error:
            self._error(answer_to, "engine", str(error))
        except (ValueError, MemoryError) as error:
            said = message_of(error)
            self._error(answer_to, "refused", said, reason=said.data())
        except Exception as error:  # a fault of ours: the page must not wait without end
            traceback.print_exception(error)
            self._error(answer_to, "internal", f"{type(error).__name__}: {error}")
        else:
            if answer_to is not None:
                self.send({"re": answer_to, **(answer or {})})

    def _error(self, answer_to: int | None, code: str, message: str, **details: Any) -> None:
        data: Data = {"type": "error", "code": code, "message": message[:500], **details}
        if answer_to is not None:
            data["re"] = answer_to
        self.send(data)

    # Moving in the tree

    @request("go")
    async def _go(self, message: Data) -> None:
        self._show_node(_number(message, "node", 0, 1 << 30))

    @request("move")
    async def _move(self, message: Data) -> Data:
        document = self._document
        name = _number(message, "node", 0, 1 << 30)
        text = _text(message, "move", 20)
        live_game = document.live_game
        if document.puzzle is not None and document.puzzle["state"] == "open":
            if "ending" in document.puzzle:
                answer = endings.attempt(document, name, text)
            else:
                answer = await puzzles.attempt(document, name, text, self._own_pool)
            document.show(answer["node"], self.send)
            return answer
        if live_game is not None and not live_game.over:
            if document.node(name) is not live_game.node:
                raise RequestError("game-running", "the game goes on at its last move")
            if not live_game.is_person(live_game.turn):
                raise RequestError("not-your-turn", "it is the engine's turn")
            move = parse_move(live_game.node.board(), text)
            live_game.resume(by_hand=True)
            if live_game.over:
                return {"node": name}
            played = live_game.push(move)
            return {"node": document.node_id(played)}
        node = document.move(name, text)
        self._show_node(document.node_id(node))
        return {"node": document.at}

    @request("line")
    async def _line(self, message: Data) -> Data:
        """Play several moves: a line of the engine."""
        document = self._document
        self._refuse_during_game()
        moves = message.get("moves")
        if not isinstance(moves, list) or not all(isinstance(m, str) for m in moves) or len(moves) > 64:
            raise RequestError("bad-message", "moves are a list of at most 64 texts")
        name = _number(message, "node", 0, 1 << 30)
        for text in moves:
            name = document.node_id(document.move(name, text))
        self._show_node(name)
        return {"node": name}

    def _refuse_during_game(self) -> None:
        live_game = self._document.live_game
        if live_game is not None and not live_game.over:
            raise RequestError("game-running", "a game is being played here")

    @request("promote")
    async def _promote(self, message: Data) -> None:
        how = _choice(message, "how", ("main", "promote", "demote"))
        self._document.reorder(_number(message, "node", 0, 1 << 30), how)

    @request("delete")
    async def _delete(self, message: Data) -> Data:
        return {"node": self._document.delete(_number(message, "node", 0, 1 << 30))}

    @request("annotate")
    async def _annotate(self, message: Data) -> None:
        self._check_document(message)
        self._document.annotate(_number(message, "node", 0, 1 << 30), message)

    @request("header")
    async def _header(self, message: Data) -> None:
        self._check_document(message)
        self._document.set_header(_text(message, "name", 60), _text(message, "value", 500))

    def _check_document(self, message: Data) -> None:
        """A text that somebody has written about one game does not go to another."""
        if message.get("doc", self._document.key) != self._document.key:
            raise RequestError("unknown-document", "this was written about another game")

    # Documents

    @request("documents")
    async def _documents(self, message: Data) -> Data:
        self.workspace.save()
        return {"documents": await asyncio.to_thread(self.workspace.summaries)}

    @request("show")
    async def _show(self, message: Data) -> None:
        key = message.get("doc")
        document = self.workspace.find(key) if is_key(key) else None
        if document is None:
            raise RequestError("unknown-document", "there is no such game")
        self.show(document)
        if "node" in message:
            self._show_node(_number(message, "node", 0, 1 << 30))

    @request("forget")
    async def _forget(self, message: Data) -> Data:
        key = message.get("doc")
        if is_key(key):
            assert isinstance(key, str)
            self.workspace.delete(key)
        return {"documents": self.workspace.summaries()}

    @request("rename")
    async def _rename(self, message: Data) -> Data:
        key = message.get("doc")
        if not is_key(key):
            raise RequestError("unknown-document", "there is no such game")
        assert isinstance(key, str)
        self.workspace.rename(key, _text(message, "title", 500))
        return {"documents": await asyncio.to_thread(self.workspace.summaries)}

    @request("new")
    async def _new(self, message: Data) -> Data:
        """A new document: analysis, or a game when players are given."""
        fen = _text(message, "fen", 200) if message.get("fen") else STARTING_FEN
        board = _checked(fen)
        document = self.workspace.create(Game(STARTING_FEN if board == Board() else board.fen()))
        if "players" in message:
            document.live_game = self._make_live_game(document, 0, message)
        if not document.is_empty:
            document.changed()
        self.show(document)
        return {"doc": document.key}

    @request("play")
    async def _play(self, message: Data) -> None:
        """A game from a position of this document."""
        document = self._document
        self._refuse_during_game()
        name = _number(message, "node", 0, 1 << 30)
        if document.board(name).is_game_over():
            raise RequestError("game-over", "the game is over here")
        self._stop_analysis()
        document.puzzle = None
        document.live_game = live_game = self._make_live_game(document, name, message)
        self._show_node(name)
        live_game.resume()
        document.changed()

    def _make_live_game(self, document: Document, name: int, message: Data) -> LiveGame:
        players, levels = message.get("players"), message.get("levels", {})
        if not isinstance(players, dict) or not isinstance(levels, dict):
            raise RequestError("bad-message", "players and levels are objects")
        engines = len(self.workspace.pools)
        sides, strengths = {}, {}
        for side in (RED, BLACK):
            color = COLOR_NAMES[side]
            engine = players.get(color)
            if engine is not None and not (type(engine) is int and 0 <= engine < engines):
                raise RequestError(
                    "bad-message", f"players are null or the number of an engine below {engines}"
                )
            sides[side] = engine
            strengths[side] = _number({color: levels.get(color, TOP_SKILL)}, color, 0, TOP_SKILL)
        clock = None
        if message.get("clock"):
            times = message["clock"]
            if not isinstance(times, dict):
                raise RequestError("bad-message", "a clock is an object")
            clock = Clock(
                _number(times, "base", 1, 24 * 3600, float), _number(times, "increment", 0, 3600, float)
            )
        move_time = _number({"moveTime": message.get("moveTime", 2)}, "moveTime", 0.05, 600, float)
        live_game = LiveGame(document, document.node(name), sides, strengths, clock, move_time)
        live_game.warn = _choice({"warn": message.get("warn", "off")}, "warn", tuple(coach.HELD))
        self.workspace.equip(live_game)
        if name == 0:
            names = self.workspace.engine_names()
            for side in (RED, BLACK):
                number = sides[side]
                if number is not None:
                    level = f", level {strengths[side]}" if self.workspace.pools[number].weak else ""
                    document.game.headers[COLOR_NAMES[side].title()] = names[number] + level
        return live_game

    # The game

    @request("game")
    async def _game(self, message: Data) -> Data:
        live_game = self._document.live_game
        if live_game is None:
            raise RequestError("no-game", "no game is being played here")
        action = _choice(message, "action", ACTIONS)
        if action == "takeback":
            live_game.take_back()
            return {}
        if live_game.over:
            raise RequestError("game-over", "the game is over")
        if action == "resign":
            live_game.resign()
        elif action == "draw":
            return {"accepted": await live_game.offer_draw()}
        elif action == "accept":
            live_game.accept()
        elif action == "pause":
            live_game.pause(by_hand=True)
        elif action == "resume":
            live_game.resume(by_hand=True)
        else:
            live_game.end({"winner": None, "reason": "stopped"})
        return {}

    @request("hint")
    async def _hint(self, message: Data) -> Data:
        document = self._document
        if document.puzzle is not None and document.puzzle["state"] == "open":
            return endings.hint(document) if "ending" in document.puzzle else puzzles.hint(document)
        board = document.board(_number(message, "node", 0, 1 << 30))
        info = (await self._own_pool.search(PoolJob(board, HINT))).info
        if not info.get("pv"):
            raise RequestError("game-over", "there is no move")
        score = score_data(info["score"]) if "score" in info else {}
        return {"line": line_data(board, info["pv"][:1]), **score}

    # Analysis

    @request("analyse")
    async def _analyse(self, message: Data) -> None:
        """Analyse a node until the next request; the page drops reports on nodes that it no longer shows."""
        document = self._document
        self._stop_analysis()
        name = _number(message, "node", 0, 1 << 30)
        pools, about = self.workspace.pools, self.workspace.limits()
        pool = pools[_number({"engine": message.get("engine", 0)}, "engine", 0, len(pools) - 1)]
        board = document.board(name)
        if board.is_game_over():
            self.send_newest("info", {"type": "info", "node": name, "over": True, "lines": []})
            return
        known = endings.known_data(board)
        job = PoolJob(
            board,
            None,
            lines=_number({"lines": message.get("lines", 1)}, "lines", 1, MAX_LINES),
            threads=_number({"threads": message.get("threads", 1)}, "threads", 1, about["threads"]),
            hash_mib=_number({"hash": message.get("hash", 64)}, "hash", 1, about["hash"]),
        )
        job.report = lambda infos: self._report(job, name, board, known, infos)
        self._analysis, self._analysed, self._found = pool.submit(job), name, None
        self._last_lines = []
        task = asyncio.ensure_future(job.result)
        task.add_done_callback(lambda done: self._analysis_ended(job, name, done))

    def _report(
        self, job: PoolJob, name: int, board: Board, known: Data | None, infos: list[InfoDict]
    ) -> None:
        if self._analysis is not job or not infos:
            return
        self._found = best = infos[0]
        lines = true_lines(infos, self._last_lines, job.lines)
        if is_complete(lines):
            self._last_lines = lines
        self.send_newest(
            "info",
            {
                "type": "info",
                "node": name,
                "depth": best.get("depth", 0),
                "seldepth": best.get("seldepth", 0),
                "nodes": best.get("nodes", 0),
                "nps": best.get("nps", 0),
                "hashfull": best.get("hashfull", 0),
                "time": round(best.get("time", 0), 2),
                "lines": infos_data(board, lines),
                "known": known,
            },
        )

    def _analysis_ended(self, job: PoolJob, name: int, done: asyncio.Future[Any]) -> None:
        if self._analysis is not job or done.cancelled():
            return
        self._analysis = None
        if error := done.exception():
            self._error(None, "engine", str(error))
        self._keep_score(name)
        self.send({"type": "analysed", "node": name})

    def _stop_analysis(self) -> None:
        if self._analysis is not None:
            self._analysis.stop()
            self._analysis = None
            self._keep_score(self._analysed)
        self.send_newest("info", None)

    def _keep_score(self, name: int) -> None:
        """What an analysis has found stays with its node, unless a deeper one has said more."""
        found, self._found = self._found, None
        if self.document is None or found is None or name not in self.document.nodes:
            return
        node, depth = self.document.nodes[name], found.get("depth", 0)
        known = node.eval.depth or 0 if node.eval is not None else 0
        if "score" in found and depth >= max(KEPT_DEPTH, known):
            node.eval = Eval(found["score"], depth)
            self.document.broadcast_node(node)

    @request("stop")
    async def _stop(self, message: Data) -> None:
        self._stop_analysis()

    # Review

    @request("review")
    async def _review(self, message: Data) -> None:
        """Judge the main line; goes on until it is done, cancelled, or the page shows something else."""
        document = self._document
        self._refuse_during_game()
        if not document.game.children:
            raise RequestError("nothing-to-review", "there are no moves to review")
        if document.reviewing is not None and not document.reviewing.done():  # by another page, perhaps
            raise RequestError("busy", "a review is running")
        seconds = _number({"seconds": message.get("seconds", 0.5)}, "seconds", 0.01, 60, float)
        self._stop_analysis()
        self._reviewing = asyncio.create_task(self._do_review(document, Limit(time=seconds)))
        document.reviewing = self._reviewing

    async def _do_review(self, document: Document, limit: Limit) -> None:
        with self.workspace.working_on(document):
            try:
                await review.review(document, self._own_pool, limit, self.workspace.options.book)
            except RequestError as error:
                self._error(None, error.code, str(error))
                document.broadcast({"type": "review", "summary": None})
            except (EngineError, ValueError) as error:
                self._error(None, "engine", str(error))
                document.broadcast({"type": "review", "summary": None})
            except asyncio.CancelledError:
                document.broadcast({"type": "review", "summary": None})
            finally:
                document.changed()

    @request("game_page")
    async def _game_page(self, message: Data) -> Data:
        """The game as one HTML page, with its review if there is one."""
        document, language = self._document, _language(message)
        found = document.review
        text = found.html(language=language) if found else game_page(document.game, language=language)
        return {"name": "game.html", "kind": "text/html", "data": base64.b64encode(text.encode()).decode()}

    @request("gif")
    async def _gif(self, message: Data) -> Data:
        """The main line as an animated GIF."""
        document = self._document
        options: Data = {
            "letters": _choice(message, "letters", LETTERS),
            "orientation": BLACK if message.get("flipped") is True else RED,
        }
        game = document.game.copy()
        try:
            data = await asyncio.to_thread(game.gif, size=480, **options)
        except ImportError as error:
            raise RequestError("no-gif", str(error)) from None
        return {"name": "game.gif", "kind": "image/gif", "data": base64.b64encode(data).decode()}

    @request("report_page")
    async def _report_page(self, message: Data) -> Data:
        """The last review as one HTML page."""
        found = self._document.review
        if found is None:
            raise RequestError("nothing-to-review", "there is no review yet")
        text = found.html(language=_language(message))
        return {
            "name": "review.html",
            "kind": "text/html",
            "data": base64.b64encode(text.encode()).decode(),
        }

    @request("cancel")
    async def _cancel(self, message: Data) -> None:
        if self._reviewing is not None:
            self._reviewing.cancel()

    @request("guess")
    async def _guess(self, message: Data) -> Data:
        """Is a move as good as the best one? For "find the better move"."""
        document = self._document
        node = document.node(_number(message, "node", 0, 1 << 30))
        board = node.board()
        move = board.parse_iccs(_text(message, "move", 8))
        good = await review.is_good(node, move, self._own_pool, GUESS)
        return {"good": good, "move": [move.iccs(), *move_texts(board, move)]}

    # Puzzles

    @request("puzzles")
    async def _puzzles(self, message: Data) -> Data:
        return {"puzzles": puzzles.puzzle_list(self.workspace.store), "endings": endings.ending_list()}

    @request("puzzle")
    async def _puzzle(self, message: Data) -> Data:
        if "ending" in message:
            document = endings.open_ending(self.workspace.store, message["ending"])
        else:
            number = message.get("number")
            if "choose" in message:
                how = _choice(message, "choose", ("next", "random"))
                number = puzzles.choose_puzzle(
                    self.workspace.store,
                    how,
                    _number({"after": message.get("after", -1)}, "after", -1, 1 << 20),
                )
            document = puzzles.open_puzzle(self.workspace.store, number)
        self.workspace.register(document)
        self.show(document)
        return {}

    @request("solution")
    async def _solution(self, message: Data) -> Data:
        document = self._document
        if document.puzzle is None:
            raise RequestError("bad-message", "this is not a puzzle")
        name = endings.solution(document) if "ending" in document.puzzle else puzzles.solution(document)
        self._show_node(name)
        return {"node": name}

    @request("why")
    async def _why(self, message: Data) -> Data:
        """Why a piece of the side to move cannot move, or not to a square."""
        board = self._document.board(_number(message, "node", 0, 1 << 30))
        square = parse_square(_text(message, "square", 2))
        if "to" in message:
            return {"reason": why_illegal(board, Move(square, parse_square(_text(message, "to", 2))))}
        piece = board.piece_at(square)
        if piece is None or piece.color != board.turn:
            return {"reason": None}
        return {"reason": coach.why_immovable(board, square)}

    @request("installed")
    async def _installed(self, message: Data) -> None:
        """A browser has installed the page: later starts take the same port."""
        port = self.workspace.port
        if port is not None:
            with suppress(OSError):
                self.workspace.store.save_port(port)

    @request("phone")
    async def _phone(self, message: Data) -> Data:
        """The address of the page in the local network, and its QR code."""
        url = self.workspace.lan_url
        if url is None:
            raise RequestError("refused", "only eleengine board --lan is reached from a phone")
        return {"url": url, "rows": lan.qr_rows(url)}

    # Positions and files

    @request("position")
    async def _position(self, message: Data) -> Data:
        """What is wrong with a position of the editor, and whether it can be played nevertheless."""
        try:
            board = Board(_text(message, "fen", 200), validate=False)
        except ValueError as error:
            return {"defects": [[0, message_of(error).data()]], "playable": False}
        obstacles = board.obstacles()
        others = [defect for defect in board.defects() if defect not in obstacles]
        return {
            "fen": board.fen(),
            "defects": _defects_data([*obstacles, *others]),
            "playable": not obstacles,
        }

    @request("open")
    async def _open(self, message: Data) -> Data:
        """A pasted text or a dropped file: opens its game, or lists its games to choose from."""
        if "text" in message:
            data = _text(message, "text", MAX_FILE).encode()
            name = "text"
        else:
            name = _text(message, "name", 200)
            try:
                data = base64.b64decode(_text(message, "data", MAX_FILE * 4 // 3 + 4), validate=True)
            except binascii.Error:
                raise RequestError("bad-message", "the data is not base64") from None
        if len(data) > MAX_FILE:
            raise RequestError("too-large", f"a file may have {MAX_FILE >> 20} MiB")
        self._opened = await asyncio.to_thread(files.open_games, data, name)
        self._opened_name = name
        if len(self._opened) == 1:
            return self._open_game(self._opened[0])
        return {"games": [summary(str(n), game.headers, game.plies) for n, game in enumerate(self._opened)]}

    @request("choose")
    async def _choose(self, message: Data) -> Data:
        if not self._opened:
            raise RequestError("bad-message", "no file has been opened")
        return self._open_game(self._opened[_number(message, "game", 0, len(self._opened) - 1)])

    def _open_game(self, opened: files.OpenedGame) -> Data:
        document = self.workspace.find_source(opened.source)
        if document is not None:
            self.show(document)
            return {"warnings": opened.warnings, "again": True}
        document = self.workspace.create(opened.game())
        document.warnings = opened.warnings
        document.source = opened.source
        document.changed()
        self.show(document)
        return {"warnings": opened.warnings}

    # The index of games

    @request("games")
    async def _games(self, message: Data) -> Data:
        """The moves, results and games of a position in the index."""
        board = self._document.board(_number(message, "node", 0, 1 << 30))
        result = message.get("result")
        where = GameFilter(
            player=_text({"player": message.get("player", "")}, "player", 100),
            since=_number(message, "since", 1, 9999) if message.get("since") is not None else None,
            until=_number(message, "until", 1, 9999) if message.get("until") is not None else None,
            result=_choice(message, "result", RESULTS) if result is not None else None,
        )
        limit = _number({"limit": message.get("limit", 20)}, "limit", 0, explorer.MAX_GAMES)
        return await asyncio.to_thread(explorer.explore, self.workspace.options.games, board, where, limit)

    @request("indexed")
    async def _indexed(self, message: Data) -> Data:
        """Open a game of the index at a position of its main line."""
        number, ply = _number(message, "game", 1, 1 << 62), _number(message, "ply", 0, 1 << 20)
        path = self.workspace.options.games
        game = await asyncio.to_thread(explorer.indexed_game, path, number)
        answer = self._open_game(files.packed(game))
        nodes = [self._document.game, *self._document.game.mainline()]
        self._show_node(self._document.node_id(nodes[min(ply, len(nodes) - 1)]))
        return answer

    @request("index")
    async def _index(self, message: Data) -> Data:
        """Add games to the index: all of the file that was opened last, or the one that is shown."""
        if _choice(message, "what", ("file", "game")) == "file":
            games, source = [opened.game() for opened in self._opened], self._opened_name
        else:
            games, source = [self._document.game.copy()], "eleengine board"
        return await asyncio.to_thread(explorer.add, self.workspace.options.games, games, source)

    @request("save")
    async def _save(self, message: Data) -> Data:
        """The game as the bytes of a file."""
        document = self._document
        return files.write_game(
            document.game,
            _choice(message, "format", tuple(files.formats())),
            _choice({"notation": message.get("notation", "chinese")}, "notation", files.NOTATIONS),
        )

    @request("picture")
    async def _picture(self, message: Data) -> Data:
        """The position as an SVG file."""
        document = self._document
        board = document.board(_number(message, "node", 0, 1 << 30))
        options: Data = {
            "letters": _choice(message, "letters", LETTERS),
            "orientation": BLACK if message.get("flipped") is True else RED,
            "arrows": document.node(message["node"]).arrows,
            "size": 720,
        }
        data = base64.b64encode(board.svg(**options).encode()).decode()
        return {"name": "board.svg", "kind": "image/svg+xml", "data": data}

    @request("remember")
    async def _remember(self, message: Data) -> None:
        """Keep the settings of the page: few, small and plain."""
        settings = message.get("settings")
        if (
            not isinstance(settings, dict)
            or len(settings) > 40
            or not all(_is_plain(value) and len(name) <= 40 for name, value in settings.items())
        ):
            raise RequestError("bad-message", "settings are up to 40 short names with plain values")
        with suppress(OSError):
            self.workspace.store.save_settings(settings)

    @request("book")
    async def _book(self, message: Data) -> Data:
        """The moves of the opening book."""
        board = self._document.board(_number(message, "node", 0, 1 << 30))
        return {"entries": self.workspace.book_entries(board)}


def _is_plain(value: object) -> bool:
    return len(value) <= 80 if isinstance(value, str) else value is None or isinstance(value, (int, float))


def _number(message: Data, name: str, low: float, high: float, kind: type = int) -> Any:
    """A number of a message; RequestError if it is missing, of another kind or out of range."""
    value = message.get(name)
    right = type(value) is int or (kind is float and type(value) is float)
    if not right or not low <= value <= high:  # type: ignore[operator]
        raise RequestError("bad-message", f"{name} must be a number from {low} to {high}")
    return value


def _text(message: Data, name: str, max_length: int) -> str:
    value = message.get(name)
    if not isinstance(value, str) or len(value) > max_length:
        raise RequestError("bad-message", f"{name} must be text of at most {max_length} characters")
    return value


def _choice(message: Data, name: str, choices: tuple[str, ...]) -> str:
    value = message.get(name)
    if not isinstance(value, str) or value not in choices:
        raise RequestError("bad-message", f"{name} must be one of {', '.join(choices)}")
    return value


def _language(message: Data) -> str:
    """What the library calls the language of the page."""
    return LANGUAGES[_choice(message, "language", tuple(LANGUAGES))]


def _checked(fen: str) -> Board:
    """The position of a FEN; RequestError names everything that keeps it from being played."""
    try:
        board = Board(fen, validate=False)
    except ValueError as error:
        defects = [[0, message_of(error).data()]]
        raise RequestError("bad-position", str(error), defects=defects) from None
    if obstacles := board.obstacles():
        raise RequestError("bad-position", obstacles[0][1], defects=_defects_data(obstacles))
    return board


def _defects_data(defects: list[tuple[int, str]]) -> list[list[Any]]:
    return [[flag, Message(text).data()] for flag, text in defects]


async def handle_requests(connection: Connection, requests: asyncio.Queue[object]) -> None:
    """Handle requests in their order; those that wait for an engine do not hold up the others."""
    running: set[asyncio.Task[None]] = set()
    try:
        while True:
            if len(running) >= MAX_CONCURRENT:
                await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            task = asyncio.create_task(connection.handle(await requests.get()))
            running.add(task)
            task.add_done_callback(running.discard)
            await asyncio.sleep(0)  # it runs until it waits for something
    finally:
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running)
