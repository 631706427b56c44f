"""The conversation with a GUI: who may say what when, and who answers.

Two threads share one lock, which also keeps the lines whole:

* the reading thread (the one that calls run) obeys each command at once, or puts it off;
* the answering thread has the engine do one GoJob after the other, hears of its search at least ten times a
  second, for heartbeats, writes its terminal line, and then obeys what was put off.

A state of the protocol is: no dialect (BOOT), no job (IDLE), or a job, which is pondering, thinking
or, once something has ended its search, stopping.
"""

import threading
from collections import deque
from contextlib import suppress
from queue import Empty
from time import perf_counter

from .._core import MATE, STARTING_FEN, BaseBoard, Move
from .._internal.debug_log import DebugLog
from .._internal.system import start_without_signals
from .._version import __version__
from ..engines.strength import Resignation, accepts_draw
from ..score import to_core, ucci_points
from .engine_state import EngineState
from .go import Go, GoJob
from .options import UcciOptions
from .position import parse_move, parse_position
from .replies import ProtocolError, message, pophash, shown_score
from .report import InfoWriter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..book import Entry
    from ..engines.session import Analysis
    from ..engines.types import InfoDict

CROSSING_S = 0.3  # a `stop` so soon after a terminal line was sent before that line was read
PATIENCE_S = 0.4  # for the search to end when the process must
TICK_S = 0.1
QUIET_S = 0.1  # after the handshake, before memory is taken: options may still come
NO_MEMORY = "error out of memory: a move is all there can be, without a search"
LONGEST = 1 << 20  # bytes of a line: a game of 200,000 plies
MAX_PERFT = 5  # more would keep the reading thread busy for too long

_BOOT = frozenset(("ucci", "uci", "isready", "quit"))
_AT_ONCE = frozenset(("isready", "probe", "quit", "stop", "ponderhit"))  # also while a search runs
_REFUSED = frozenset(("ucci", "uci", "go", "d", "eval", "perft"))  # then; all else waits for its end


class Loop:
    """The engine behind a pair of pipes.

    write: gets each reply as one complete line. end_process: called by the answering thread at the end, while
    the reading one is blocked. state: makes what searches, options: its options, if it is not our engine.
    """

    def __init__(self, write: "Callable[[bytes], None]", *, newline: str = "\n",
                 end_process: "Callable[[], None]" = lambda: None,
                 state: "Callable[[UcciOptions, Callable[[str], None]], EngineState]" = EngineState,
                 options: UcciOptions | None = None) -> None:  # fmt: skip
        self._write = write
        self._newline = newline
        self._end_process = end_process
        self._lock = threading.Condition()
        self._dialect = ""
        self._options = options or UcciOptions()
        self._board = BaseBoard(STARTING_FEN)
        self._valid = True
        self._warnings: list[str] = []  # about the last position
        self._bans: set[Move] = set()
        self._first_rank = 0  # in the moves of the GUI: ranks are 0 to 9, or 1 to 10
        self._engine = state(self._options, self._send_message)
        self._resignation = Resignation()
        self._log = DebugLog()
        self._job: GoJob | None = None
        self._deferred: deque[tuple[list[str], float]] = deque()
        self._last_terminal = -CROSSING_S
        self._at_end = False  # of the input
        self._closing = False
        self._commands: dict[str, Callable[[list[str], float], None]] = {
            "ucci": lambda words, _: self._handshake("ucci"),
            "uci": lambda words, _: self._handshake("uci"),
            "isready": lambda words, _: self._isready(),
            "setoption": lambda words, _: self._setoption(words),
            "debug": lambda words, _: self._setoption(["debug", *words]),
            **dict.fromkeys(("newgame", "ucinewgame", "uccinewgame"), lambda words, _: self._newgame()),
            "position": lambda words, _: self._position(words),
            "fen": lambda words, _: self._position(["fen", *words]),
            "startpos": lambda words, _: self._position(["startpos", *words]),
            "banmoves": lambda words, _: self._banmoves(words),
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponderhit,
            "probe": lambda words, _: self._probe(words),
            "quit": lambda words, _: self._quit(),
            "d": lambda words, _: self._show_board(),
            "eval": lambda words, _: self._show_evaluation(),
            "perft": lambda words, _: self._perft(words),
        }

    # The reading thread

    def run(self, lines: "Iterable[bytes]") -> None:
        """Obey the lines until `quit` or their end."""
        worker = threading.Thread(target=self._answer_loop, name="answers", daemon=True)
        start_without_signals(worker)
        wait = False
        try:
            for line in lines:
                self.handle_line(line)
                if self._closing:
                    break
            wait = True
        finally:
            self._end(wait)
            worker.join(PATIENCE_S)

    def handle_line(self, line: bytes) -> None:
        """Obey one line, now or when the search that runs has ended."""
        received = perf_counter()
        if len(line) > LONGEST:
            line = line[:64].split(b" ")[0] + b" (too long)"  # what kind it was: a `go` must be answered
            with self._lock:
                if self._dialect:
                    self._send_error(ProtocolError("error line too long"))
        text = line.replace(b"\0", b"").decode("latin-1").strip("\r\n\t ")
        words = text.replace("\t", " ").split(" ")
        if words[0].lower() != "setoption":  # whose value, a path, may have two blanks in a row
            words = [word for word in words if word]
        with self._lock:
            self._log.write(b">>", line.rstrip(b"\r\n"))
            if any(words) and not words[0].startswith("#"):
                self._dispatch(words, received)

    def _end(self, wait: bool) -> None:
        """The input is over. In batch mode what came is finished first, if wait allows it."""
        if not self._lock.acquire(timeout=PATIENCE_S):
            return  # somebody is stuck writing to a GUI that does not read
        try:
            self._at_end = True
            if wait and self._options.flag("batch"):
                self._lock.wait_for(lambda: self._job is None or self._closing)
            self._closing = True
            if self._job is not None:
                self._job.stop()
            self._lock.notify_all()
        finally:
            self._lock.release()

    # Both threads, inside the lock

    def _dispatch(self, words: list[str], received: float) -> None:
        word = words[0].lower()
        if not self._dialect and word not in _BOOT:
            return
        if self._job is not None and self._options.flag("batch"):
            self._deferred.append((words, received))
        elif word not in self._commands:
            self._send_error(ProtocolError("error unknown command {}", words[0]))
        elif self._job is None or word in _AT_ONCE:
            self._execute(word, words[1:], received)
        elif word in _REFUSED and not self._job.stopping:
            self._send_error(ProtocolError("error busy {} refused", word))
        else:
            self._deferred.append((words, received))

    def _execute(self, word: str, words: list[str], received: float) -> None:
        try:
            self._commands[word](words, received)
        except ProtocolError as error:
            self._send_error(error)
        except Exception as error:
            self._send_internal_error(error)
            if word == "go" and self._job is None:
                self._answer_somehow(self._board)

    def _run_deferred(self) -> None:
        """Obey what was put off; in batch mode until the next search."""
        waiting, self._deferred = self._deferred, deque()
        while waiting and not self._closing and not (self._job and self._options.flag("batch")):
            self._dispatch(*waiting.popleft())
        self._deferred = waiting or self._deferred

    def _send_line(self, line: str) -> None:
        data = line.encode("ascii", "replace")
        self._log.write(b"<<", data)
        self._write(data + self._newline.encode())

    def _send_message(self, text: str) -> None:
        self._send_line(message(self._dialect, text))

    def _send_score(self, score: int) -> None:
        """That of a position that is not searched."""
        self._send_line(f"info depth 0 score {shown_score(score, self._dialect)}")

    def _send_error(self, error: ProtocolError) -> None:
        self._send_message(str(error))

    def _send_internal_error(self, error: Exception) -> None:
        """What should not happen."""
        shown = ProtocolError("error internal {}", type(error).__name__)
        self._send_message(NO_MEMORY if isinstance(error, MemoryError) else str(shown))

    def _send_note(self, text: str, echo: str = "") -> None:
        """A message that only debug mode wants."""
        if self._options.flag("debug"):
            self._send_error(ProtocolError(text, echo))

    def _text(self, move: Move) -> str:
        return move.uci(first_rank=self._first_rank)

    def _answer(self, move: Move | None, ponder: Move | None = None, tail: str = "") -> None:
        """The terminal line."""
        if move is None:
            self._send_line("bestmove (none)" if self._dialect == "uci" else "nobestmove")
        else:
            expected = f" ponder {self._text(ponder)}" if ponder else ""
            self._send_line(f"bestmove {self._text(move)}{expected}{tail}")
        self._last_terminal = perf_counter()

    # Commands

    def _handshake(self, dialect: str) -> None:
        if not self._dialect:
            self._options.set_defaults(dialect)
        self._dialect = dialect
        if dialect == "uci":
            self._send_line(f"id name {self._engine.name} {__version__}")
        else:
            self._send_line(f"id name {self._engine.name}")
            self._send_line(f"id version {__version__}")
            self._send_line("id copyright MIT licence")  # XQWizard shows these two
            self._send_line("id user everybody")
        self._send_line("id author the eleengine authors")
        for line in filter(None, (option.line(dialect) for option in self._options.table)):
            self._send_line(line)
        self._send_line(f"{dialect}ok")
        self._lock.notify_all()  # the answering thread may prepare itself

    def _isready(self) -> None:
        try:
            if self._job is None and self._dialect:
                self._engine.get()
        except MemoryError:
            self._send_message(NO_MEMORY)
        self._send_line("readyok")

    def _newgame(self) -> None:
        self._warnings = []
        self._resignation.forget()
        self._engine.new_game()

    def _setoption(self, words: list[str]) -> None:
        option, value, warning = self._options.read(words)
        if warning:
            self._send_message(warning)
        if option is None:
            named = [word for word in words if word]
            self._send_note("note unknown option {}", named[1 if named[0].lower() == "name" else 0])
            return
        if option.ucci == "newgame":
            self._newgame()
            return
        if option.ucci == "promotion" and value:
            self._send_message("warning promotion rule unsupported")
        elif option.ucci == "variant":
            self._first_rank = 1  # GUIs that choose a variant number the ranks as Fairy-Stockfish does
        elif option.ucci == "debuglogfile":
            self._open_log(str(value))
        self._engine.set(option, value)
        self._options.values[option.ucci] = value

    def _open_log(self, name: str) -> None:
        try:
            self._log.open(name, f"eleengine {__version__}")
        except OSError as error:
            raise ProtocolError(f"error debuglogfile unavailable: {error.strerror}") from None

    def _position(self, words: list[str]) -> None:
        self._valid = False
        self._board, warnings, self._first_rank = parse_position(words, self._first_rank)
        self._bans = set()
        self._valid = True
        # Not with every move of a game: what is odd in its first position has been said.
        for warning in warnings if warnings != self._warnings else ():
            self._send_message(warning)
        self._warnings = warnings

    def _need_position(self) -> None:
        """ProtocolError if the last position was refused: no answer is about an older position."""
        if not self._valid:
            raise ProtocolError("error no valid position")

    def _banmoves(self, words: list[str]) -> None:
        self._need_position()
        if not words:
            self._bans = set()
        self._bans |= self._legal_moves(words, "ban")

    def _legal_moves(self, texts: list[str], use: str) -> set[Move]:
        """The legal moves among those that the GUI names; a warning names each other one, and its use."""
        found = set()
        for text in texts:
            move = parse_move(text, self._first_rank)
            if move is not None and move in self._board.legal_moves:
                found.add(move)
            else:
                self._send_error(ProtocolError(f"warning {use} {{}} ignored", text))
        return found

    def _go(self, words: list[str], received: float) -> None:
        if words and words[0].lower() == "perft":
            self._perft(words[1:], each_move=True)
            return
        go = Go(words)
        for error in go.errors:
            self._send_error(error)
        for word in go.unknown:
            self._send_note("note unknown word {}", word)
        if not self._valid:
            self._send_message("error no valid position")
            self._answer(None)
            return
        engine = self._engine.get()
        if go.numbers.get("depth") == 0:
            self._send_score(engine.searcher.evaluate(self._board))
            self._answer(None)
            return
        batch = self._options.flag("batch") or self._at_end
        start = perf_counter() if batch else received
        job = GoJob(go, self._board, start, self._options, self._dialect, must_end=batch)
        if batch and (job.infinite or job.pondering):
            self._send_message("error unlimited search in batch mode")
            self._answer(None)
            return
        job.root_moves = self._root_moves(go)
        if not job.infinite:
            job.strength = engine.strength
        self._job = job
        self._lock.notify_all()

    def _root_moves(self, go: Go) -> list[Move] | None:
        """The moves to consider at the root, None for all."""
        moves = list(self._board.legal_moves)
        allowed = [move for move in moves if move not in self._bans]
        if moves and not allowed:
            self._send_message("note every legal move banned")
        if go.moves is not None:
            wanted = self._legal_moves(go.moves, "searchmoves")
            allowed = [move for move in allowed if move in wanted] or allowed
        return None if len(allowed) == len(moves) else allowed

    def _stop(self, words: list[str], received: float) -> None:
        job = self._job
        if job is None:
            if self._dialect == "ucci" and received - self._last_terminal >= CROSSING_S:
                self._answer(None)
        elif not job.stopping:
            job.stop()
            self._lock.notify_all()
        else:
            self._defer_with_go(["stop"], received)

    def _defer_with_go(self, words: list[str], received: float) -> None:
        """Put a command off, too, if a `go` is put off, for which it must be meant."""
        if any(others[0].lower() == "go" for others, _ in self._deferred):
            self._deferred.append((words, received))

    def _ponderhit(self, words: list[str], received: float) -> None:
        job = self._job
        if job is None:
            return
        if job.stopping:
            self._defer_with_go(["ponderhit", *words], received)
            return
        if "draw" in map(str.lower, words) or "draw" in job.go.flags:
            job.draw = True
        if job.pondering:
            job.pondering = False
            if job.analysis is not None:
                job.analysis.ponderhit()
            if job.is_due(received):
                job.stop()
            self._lock.notify_all()

    def _probe(self, words: list[str]) -> None:
        entry, text = None, ""
        try:
            board, warnings, _ = parse_position(words, self._first_rank)
            for warning in warnings:
                self._send_message(warning)
            searcher = self._engine.searcher
            entry = searcher.probe(board) if searcher is not None else None
            if entry is not None and entry[0] and entry[0] in board.legal_moves:
                text = self._text(entry[0])
        except ProtocolError as error:
            self._send_error(error)
        self._send_line("pophash" if entry is None else pophash(text, *entry[1:]))

    def _quit(self) -> None:
        if self._job is not None:
            self._job.stop()
            self._lock.notify_all()
            self._deferred.clear()
            self._lock.wait_for(lambda: self._job is None, PATIENCE_S)
        self._closing = True
        if self._dialect == "ucci":
            self._send_line("bye")
        self._lock.notify_all()

    def _show_board(self) -> None:
        self._need_position()
        board = self._board
        self._send_message(f"note fen {board.board_fen()} {'w' if board.turn else 'b'}")
        self._send_message(f"note key {board.key:016x}")
        if self._dialect == "uci":  # what scripts for Stockfish's descendants look for
            self._send_line(f"Fen: {board.fen()}")

    def _show_evaluation(self) -> None:
        self._need_position()
        score = self._engine.get().searcher.evaluate(self._board)
        self._send_message(f"note evaluation {score if self._dialect == 'uci' else ucci_points(score)}")

    def _perft(self, words: list[str], *, each_move: bool = False) -> None:
        if not words or words[0] not in map(str, range(1, MAX_PERFT + 1)):
            raise ProtocolError("error perft: bad value")
        self._need_position()
        leaves = self._board.divide(int(words[0]))
        if each_move:  # as Stockfish's descendants answer `go perft`
            for move, count in leaves.items():
                self._send_line(f"{self._text(move)}: {count}")
            self._send_line(f"Nodes searched: {sum(leaves.values())}")
        else:
            self._send_message(f"note perft {words[0]}: {sum(leaves.values())}")

    # The answering thread

    def _answer_loop(self) -> None:
        prepared = False
        with self._lock:
            while not self._closing:
                if self._job is None:
                    early = self._dialect and not prepared and self._engine.searcher is None
                    if not self._lock.wait(QUIET_S if early else None):
                        prepared = True
                        with suppress(MemoryError):  # reported when the GUI asks for something
                            self._engine.get()  # so that the first `go` need not wait for it
                    continue
                self._search(self._job)
                self._run_deferred()
                if self._closing:
                    self._end_process()
                self._lock.notify_all()

    def _search(self, job: GoJob) -> None:
        """From a job to its terminal line; the lock is released while the search runs."""
        try:
            entry = self._engine.book_entry(job.board, self._bans) if job.plays_move else None
            report = self._run_search(job) if entry is None else None
            self._lock.wait_for(lambda: not job.must_hold_answer or self._closing)
            if not self._closing and entry is not None:
                self._answer_by_book(entry)
            elif not self._closing:
                self._conclude(job, report)
        except Exception as error:
            self._send_internal_error(error)
            self._answer_somehow(job.board)
        self._job = None
        self._lock.notify_all()

    def _answer_by_book(self, entry: "Entry") -> None:
        score = "" if entry.score is None else f" score {shown_score(entry.score, self._dialect)}"
        self._send_message(f"note book move {self._text(entry.move)}")
        self._send_line(f"info depth 0{score} pv {self._text(entry.move)}")  # some clients need one
        self._answer(entry.move)

    def _run_search(self, job: GoJob) -> InfoWriter | None:
        """Let the engine search, and say what it finds meanwhile; None if there is nothing to search."""
        if job.root_moves is not None and not job.root_moves:
            return None
        if not job.board.legal_moves:
            self._send_score(-MATE)
            return None
        late_ms = int((perf_counter() - job.received) * 1000)
        how = self._dialect, job.multipv, late_ms, self._options.flag("showwdl"), self._first_rank
        report = InfoWriter(self._send_line, *how)
        job.analysis = analysis = self._engine.get().begin(
            job.board, job.limits(0 if job.pondering else late_ms), root_moves=job.root_moves,
            choose=job.strength.choose, ponder=job.pondering,
        )  # fmt: skip
        if job.stopping:
            job.stop()
        ticked = perf_counter()
        while (info := self._next_info(analysis)) is not None:
            if info:
                report.take(info)
            if (now := perf_counter()) - ticked >= TICK_S:
                ticked = now
                report.tick(analysis.progress(), int((now - job.received) * 1000))
        self._engine.report_threads()
        return report

    def _next_info(self, analysis: "Analysis") -> "InfoDict | None":
        """The next info; an empty one if there is none for a while, None at the end. Others have the lock."""
        self._lock.release()
        try:
            return analysis.get(timeout=TICK_S)
        except Empty:
            return {}  # type: ignore[return-value]
        finally:
            self._lock.acquire()

    def _conclude(self, job: GoJob, report: InfoWriter | None) -> None:
        if report is None or job.analysis is None:
            self._answer(None)
            return
        result = job.analysis.wait()
        report.close(job.analysis.multipv, result.info)
        tail = ""
        if "score" in result.info and self._dialect == "ucci":
            score, depth = to_core(result.info["score"].relative), result.info["depth"]
            if self._resignation.is_due(score, depth, job.board.turn) and self._options.flag("concede"):
                tail = " resign"
            elif job.draw and accepts_draw(score, depth):
                tail = " draw"
        self._answer(result.move, result.ponder, tail)

    def _answer_somehow(self, board: BaseBoard) -> None:
        self._answer(next((move for move in board.legal_moves if move not in self._bans), None))
