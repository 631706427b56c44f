"""The conversation with a GUI: who may say what when, and who answers.

Three threads share one lock, which also keeps the lines whole:

* the reading thread (the one that calls run) obeys each command at once, or puts it off;
* the searching thread, one for the life of the process, runs one Job after the other, writes its
  terminal line, and then obeys what was put off;
* the beating thread looks in ten times a second while a search runs, for heartbeats.

A state of the protocol is: no dialect (BOOT), no job (IDLE), or a job, which is pondering, thinking
or, once something has ended its search, stopping.
"""

import signal
import sys
import threading
from collections import deque
from contextlib import contextmanager
from time import perf_counter

from .. import __version__
from .._core import MATE, STARTING_FEN, BaseBoard, Move, Searcher
from ..engines.strength import Strength, accepts_draw
from ..rules import RULE_SETS
from ..score import MATE_FROM, UCCI_POINT, ucci_points
from ..system import memory_mib
from .go import Go, budget
from .options import DEFAULT_HASH_MIB, DEFAULT_THREADS, NOISE, RULES, Option, Options, option_lines
from .position import read_move, read_place
from .replies import Complaint, message, pophash, score_text
from .report import Report, is_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from .._core import SearchInfo
    from ..engines.types import SearchArguments

AUTHOR = "the eleengine authors"
CROSSING_S = 0.3  # a `stop` so soon after a terminal line was sent before that line was read
PATIENCE_S = 0.4  # for the search to end when the process must
TICK_S = 0.1
QUIET_S = 0.1  # after the handshake, before memory is taken: options may still come
STACK_BYTES = 16 << 20  # of the searching thread; some systems give threads very little
DEFAULT_MS = 5000  # for a `go` without any usable limit
MAX_PERFT = 5  # more would keep the reading thread busy for too long
CONCEDE_DEPTH, CONCEDE_VALUE, CONCEDE_TIMES = 8, -600, 4  # to resign: depth, UCCI points, searches in a row
NO_LIMIT = 100_000  # plies without a capture, for naturallimit 0
IDLE_SHARE = {"none": 1.0, "small": 0.75, "medium": 0.5, "large": 0.25}  # of the threads

# What to do with a command while a search runs.
NOW, LATER, BUSY = range(3)
_POLICY = {
    "isready": NOW, "probe": NOW, "quit": NOW, "stop": NOW, "ponderhit": NOW,
    "setoption": LATER, "position": LATER, "fen": LATER, "startpos": LATER, "banmoves": LATER,
    "newgame": LATER, "ucinewgame": LATER, "uccinewgame": LATER, "debug": LATER,
    "ucci": BUSY, "uci": BUSY, "go": BUSY, "d": BUSY, "eval": BUSY, "perft": BUSY,
}  # fmt: skip
_BOOT = frozenset(("ucci", "uci", "isready", "quit"))


class Job:
    """A `go` that was accepted, until its terminal line is written."""

    def __init__(self, go: Go, board: BaseBoard, received: float) -> None:
        self.go = go
        self.board = board
        self.received = received
        self.infinite = go.infinite
        self.pondering = go.ponder
        self.draw = go.draw and not go.ponder
        self.root_moves: list[Move] | None = None  # None: all
        self.optimum_ms = 0
        self.maximum_ms = 0
        self.nodes = go.nodes
        self.strength = Strength()
        self.report: Report | None = None  # once the search has begun
        self.searching = False
        self.stopping = False

    @property
    def holding(self) -> bool:
        """Must the answer wait for `stop` or `ponderhit`?"""
        return (self.infinite or self.pondering) and not self.stopping


class Loop:
    """The engine behind a pair of pipes.

    write: gets each reply as one complete line. leave: ends the process from the searching thread
    while the reading one is blocked.
    """

    def __init__(self, write: "Callable[[bytes], None]", *, newline: str = "\n",
                 leave: "Callable[[], None]" = lambda: None) -> None:  # fmt: skip
        self._write = write
        self._newline = newline
        self._leave = leave
        self._lock = threading.Condition()
        self._dialect = ""
        self._options = Options()
        self._board = BaseBoard(STARTING_FEN)
        self._valid = True
        self._bans: set[Move] = set()
        self._searcher: Searcher | None = None
        self._job: Job | None = None
        self._deferred: deque[tuple[list[str], float]] = deque()
        self._last_terminal = -CROSSING_S
        self._lost = 0  # searches in a row with a hopeless score
        self._lost_side = True
        self._at_end = False  # of the input
        self._closing = False
        self._commands: dict[str, Callable[[list[str], float], None]] = {
            "ucci": lambda words, _: self._handshake("ucci"),
            "uci": lambda words, _: self._handshake("uci"),
            "isready": lambda words, _: self._isready(),
            "setoption": lambda words, _: self._setoption(words),
            "debug": lambda words, _: self._setoption(["debug", *words]),
            "newgame": lambda words, _: self._newgame(),
            "ucinewgame": lambda words, _: self._newgame(),
            "uccinewgame": lambda words, _: self._newgame(),
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
        worker = threading.Thread(target=self._work, name="search", daemon=True)
        with signals_for_this_thread():
            size = threading.stack_size(STACK_BYTES)
            worker.start()
            threading.stack_size(size)
            threading.Thread(target=self._beat, name="heartbeat", daemon=True).start()
        wait = False
        try:
            for line in lines:
                self.obey(line)
                if self._closing:
                    break
            wait = True
        finally:
            self._end(wait)
            worker.join(PATIENCE_S)

    def obey(self, line: bytes) -> None:
        """Obey one line, now or when the search that runs has ended."""
        received = perf_counter()
        text = line.replace(b"\0", b"").decode("latin-1").strip("\r\n\t ")
        words = [word for word in text.replace("\t", " ").split(" ") if word]
        if words and not words[0].startswith("#"):
            with self._lock:
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
            if self._job is not None and self._searcher is not None:
                self._searcher.stop()
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
            self._complain(Complaint("error unknown command {}", words[0]))
        elif self._job is None or _POLICY[word] == NOW:
            self._execute(word, words[1:], received)
        elif _POLICY[word] == LATER or self._job.stopping:
            self._deferred.append((words, received))
        else:
            self._complain(Complaint("error busy {} refused", word))

    def _execute(self, word: str, words: list[str], received: float) -> None:
        try:
            self._commands[word](words, received)
        except Complaint as complaint:
            self._complain(complaint)
        except Exception as error:
            self._complain(Complaint("error internal {}", type(error).__name__))
            if word == "go" and self._job is None:
                self._answer(self._any_move(self._board, self._bans))

    def _obey_deferred(self) -> None:
        """Obey what was put off; in batch mode until the next search."""
        waiting, self._deferred = self._deferred, deque()
        while waiting and not self._closing and not (self._job and self._options.flag("batch")):
            self._dispatch(*waiting.popleft())
        if waiting:
            self._deferred = waiting

    def _say(self, line: str) -> None:
        self._write((line + self._newline).encode("ascii", "replace"))

    def _tell(self, text: str) -> None:
        self._say(message(self._dialect, text))

    def _complain(self, complaint: Complaint) -> None:
        self._tell(str(complaint))

    def _note(self, text: str, echo: str = "") -> None:
        """A message that only debug mode wants."""
        if self._options.flag("debug"):
            self._complain(Complaint(text, echo))

    def _answer(self, move: Move | None, ponder: Move | None = None, tail: str = "") -> None:
        """The terminal line."""
        if move is None:
            self._say("bestmove (none)" if self._dialect == "uci" else "nobestmove")
        else:
            self._say(f"bestmove {move}{f' ponder {ponder}' if ponder else ''}{tail}")
        self._last_terminal = perf_counter()

    # Commands

    def _handshake(self, dialect: str) -> None:
        self._dialect = dialect
        if dialect == "uci":
            self._say(f"id name eleengine {__version__}")
        else:
            self._say("id name eleengine")
            self._say(f"id version {__version__}")
        self._say(f"id author {AUTHOR}")
        for line in option_lines(dialect):
            self._say(line)
        self._say(f"{dialect}ok")
        self._lock.notify_all()  # the searching thread may prepare itself

    def _isready(self) -> None:
        if self._job is None and self._dialect:
            self._need_searcher()
        self._say("readyok")

    def _newgame(self) -> None:
        self._lost = 0
        if self._searcher is not None:
            self._searcher.clear()

    def _setoption(self, words: list[str]) -> None:
        hash_mib = self._options.number("hashsize")
        option, warning = self._options.assign(words)
        if warning:
            self._tell(warning)
        if option is None:
            self._note("note unknown option {}", words[1] if words[0].lower() == "name" else words[0])
        else:
            self._apply(option, hash_mib)

    def _apply(self, option: Option, old_hash_mib: int) -> None:
        """Let an option that was set take effect."""
        if option.name == "newgame":
            self._newgame()
        elif option.name == "hashsize":
            wanted = self._hash_mib()
            try:
                if wanted > memory_mib() * 3 // 4:  # the system would promise it, then kill the process
                    raise MemoryError
                if self._searcher is not None:
                    self._searcher.resize(wanted)
            except MemoryError:
                self._options.restore("hashsize", old_hash_mib)
                raise Complaint(f"error hashsize {wanted} unavailable keeping {self._hash_mib()}") from None
        elif option.name in ("threads", "idle") and self._searcher is not None:
            try:
                self._searcher.threads = self._threads()
            except MemoryError:
                raise Complaint(f"error threads unavailable keeping {self._searcher.threads}") from None
        elif option.name in ("parallel", "repetition", "naturallimit") and self._searcher is not None:
            self._set_up(self._searcher)
        elif option.name == "promotion" and self._options.flag("promotion"):
            self._tell("warning promotion rule unsupported")

    def _hash_mib(self) -> int:
        return self._options.number("hashsize") or DEFAULT_HASH_MIB

    def _threads(self) -> int:
        wanted = self._options.number("threads") or DEFAULT_THREADS
        return max(1, min(256, round(wanted * IDLE_SHARE[self._options.word("idle")])))

    def _set_up(self, searcher: Searcher) -> None:
        searcher.parallel = self._options.word("parallel")
        searcher.rule_set = RULE_SETS.index(RULES[self._options.word("repetition")])
        searcher.no_capture_limit = self._options.number("naturallimit") or NO_LIMIT

    def _need_searcher(self) -> Searcher:
        """The searcher, made when it is first needed: the handshake should not wait for its memory."""
        if self._searcher is None:
            wanted = self._hash_mib()
            try:
                self._searcher = Searcher(hash_mib=wanted, threads=self._threads())
            except MemoryError:
                self._options.restore("hashsize", DEFAULT_HASH_MIB)
                self._searcher = Searcher(hash_mib=DEFAULT_HASH_MIB, threads=self._threads())
                self._tell(f"error hashsize {wanted} unavailable keeping {DEFAULT_HASH_MIB}")
            self._set_up(self._searcher)
        return self._searcher

    def _position(self, words: list[str]) -> None:
        self._valid = False
        board, warning = read_place(words)
        self._board = board
        self._bans = set()
        self._valid = True
        if warning:
            self._tell(warning)

    def _banmoves(self, words: list[str]) -> None:
        if not self._valid:
            raise Complaint("error no valid position")
        if not words:
            self._bans = set()
        for word in words:
            move = read_move(word)
            if move is not None and move in self._board.legal_moves:
                self._bans.add(move)
            else:
                self._complain(Complaint("warning ban {} ignored", word))

    def _go(self, words: list[str], received: float) -> None:
        go = Go(words)
        for complaint in go.complaints:
            self._complain(complaint)
        for word in go.unknown:
            self._note("note unknown word {}", word)
        if not self._valid:
            self._tell("error no valid position")
            self._answer(None)
            return
        searcher = self._need_searcher()
        if go.numbers.get("depth") == 0:
            self._say(f"info depth 0 score {score_text(self._dialect, searcher.evaluate(self._board))}")
            self._answer(None)
            return
        batch = self._options.flag("batch") or self._at_end
        job = Job(go, self._board, perf_counter() if batch else received)
        self._set_limits(job)
        if batch and (job.infinite or job.pondering):
            self._tell("error unlimited search in batch mode")
            self._answer(None)
            return
        job.root_moves = self._root_moves(go)
        searcher.arm()
        self._job = job
        self._lock.notify_all()

    def _set_limits(self, job: Job) -> None:
        go, options = job.go, self._options
        job.optimum_ms, job.maximum_ms = budget(
            go, job.board.turn, usemillisec=options.flag("usemillisec"),
            overhead_ms=options.number("moveoverhead"), ponder=options.flag("ponder"),
        )  # fmt: skip
        if job.infinite:
            job.optimum_ms = job.maximum_ms = 0
        elif not (go.depth or go.nodes or go.mate or job.maximum_ms):
            if self._dialect == "uci" and go.is_bare:
                job.infinite = True
            else:
                job.maximum_ms = DEFAULT_MS
        if not job.infinite:
            variety = NOISE[options.word("randomness")] * UCCI_POINT
            job.strength = Strength(options.number("skilllevel"), variety=variety)
            job.nodes = job.strength.limited(job.nodes)

    def _root_moves(self, go: Go) -> list[Move] | None:
        """The moves to consider at the root, None for all."""
        moves = list(self._board.legal_moves)
        allowed = [move for move in moves if move not in self._bans]
        if moves and not allowed:
            self._tell("note every legal move banned")
        if go.moves is not None:
            wanted = set(map(read_move, go.moves))
            allowed = [move for move in allowed if move in wanted] or allowed
        return None if len(allowed) == len(moves) else allowed

    def _stop(self, words: list[str], received: float) -> None:
        job = self._job
        if job is None:
            if self._dialect == "ucci" and received - self._last_terminal >= CROSSING_S:
                self._answer(None)
        elif not job.stopping:
            self._stop_search(job)
        elif self._go_waits():
            self._deferred.append((["stop"], received))

    def _stop_search(self, job: Job) -> None:
        job.stopping = True
        if self._searcher is not None:
            self._searcher.stop()
        self._lock.notify_all()

    def _go_waits(self) -> bool:
        """Has a `go` been put off, for which a `stop` or `ponderhit` must be meant?"""
        return any(words[0].lower() == "go" for words, _ in self._deferred)

    def _ponderhit(self, words: list[str], received: float) -> None:
        job = self._job
        if job is None:
            return
        if job.stopping:
            if self._go_waits():
                self._deferred.append((["ponderhit", *words], received))
            return
        if "draw" in map(str.lower, words) or job.go.draw:
            job.draw = True
        if job.pondering:
            job.pondering = False
            assert self._searcher is not None
            self._searcher.ponderhit()
            if job.optimum_ms and (received - job.received) * 1000 >= job.optimum_ms:
                self._stop_search(job)  # the time spent so far is enough
            self._lock.notify_all()

    def _probe(self, words: list[str]) -> None:
        found = None
        try:
            board, warning = read_place(words)
        except Complaint as complaint:
            self._complain(complaint)
        else:
            if warning:
                self._tell(warning)
            entry = self._searcher.probe(board) if self._searcher is not None else None
            if entry is not None:
                move, score, depth, bound = entry
                found = (str(move) if move in board.legal_moves else "", score, depth, bound)
        self._say(pophash(found))

    def _quit(self) -> None:
        if self._job is not None:
            if not self._job.stopping:
                self._stop_search(self._job)
            self._deferred.clear()
            self._lock.wait_for(lambda: self._job is None, PATIENCE_S)
        self._closing = True
        if self._dialect == "ucci":
            self._say("bye")
        self._lock.notify_all()

    def _show_board(self) -> None:
        board = self._board
        self._tell(f"note fen {board.board_fen()} {'w' if board.turn else 'b'}")
        self._tell(f"note key {board.key:016x}")

    def _show_evaluation(self) -> None:
        score = self._need_searcher().evaluate(self._board)
        self._tell(f"note evaluation {score if self._dialect == 'uci' else ucci_points(score)}")

    def _perft(self, words: list[str]) -> None:
        plies = int(words[0]) if words and words[0] in map(str, range(1, MAX_PERFT + 1)) else 0
        if not plies:
            raise Complaint("error perft: bad value")
        self._tell(f"note perft {plies}: {self._board.perft(plies)}")

    # The searching thread

    def _work(self) -> None:
        with self._lock:
            while not self._closing:
                if self._job is None:
                    early = self._dialect and self._searcher is None
                    if not self._lock.wait(QUIET_S if early else None):
                        self._need_searcher()  # so that the first `go` need not wait for it
                    continue
                self._search(self._job)
                self._obey_deferred()
                if self._closing:
                    self._leave()
                self._lock.notify_all()

    def _search(self, job: Job) -> None:
        """From a job to its terminal line; the lock is released while the search runs."""
        try:
            lines = self._think(job)
            self._lock.wait_for(lambda: not job.holding or self._closing)
            if not self._closing:
                self._conclude(job, lines)
        except Exception as error:
            self._complain(Complaint("error internal {}", type(error).__name__))
            self._answer(self._any_move(job.board, self._bans))
        self._job = None
        self._lock.notify_all()

    def _think(self, job: Job) -> "list[SearchInfo]":
        if job.root_moves is not None and not job.root_moves:
            return []
        if not job.board.legal_moves:
            self._say(f"info depth 0 score {score_text(self._dialect, -MATE)}")
            return []
        assert self._searcher is not None
        searcher, go, options = self._searcher, job.go, self._options
        multipv = options.number("multipv")
        late_ms = int((perf_counter() - job.received) * 1000)
        charged_ms = 0 if job.pondering else late_ms
        job.report = report = Report(self._say, self._dialect, multipv, late_ms, options.flag("showwdl"))

        def tell(info: "SearchInfo") -> None:
            with self._lock:
                report.take(info)

        limits: SearchArguments = {
            "depth": go.depth,
            "nodes": job.nodes,
            "mate": go.mate,
            "optimum_ms": max(1, job.optimum_ms - charged_ms) if job.optimum_ms else 0,
            "maximum_ms": max(1, job.maximum_ms - charged_ms) if job.maximum_ms else 0,
            "multipv": max(multipv, job.strength.lines),
        }
        ponder = job.pondering
        job.searching = True
        self._lock.notify_all()  # the beating thread
        self._lock.release()
        try:
            return searcher.search(job.board, root_moves=job.root_moves, ponder=ponder, report=tell, **limits)
        finally:
            self._lock.acquire()
            job.searching = False

    def _conclude(self, job: Job, lines: "list[SearchInfo]") -> None:
        if not lines:
            self._answer(None)
            return
        known = [line for line in lines if is_known(line)]
        best = job.strength.choose(known) if known else lines[0]
        assert job.report is not None
        job.report.close(lines, best)
        move, ponder = best.pv[0], best.pv[1] if len(best.pv) > 1 else None
        self._answer(move, ponder, self._tail(job, best) if known and self._dialect == "ucci" else "")

    def _tail(self, job: Job, best: "SearchInfo") -> str:
        """What to add to the best move: giving up, or yes to an offered draw."""
        certain = best.depth >= CONCEDE_DEPTH or best.score <= -MATE_FROM
        hopeless = certain and ucci_points(best.score) < CONCEDE_VALUE
        self._lost = self._lost + 1 if hopeless and job.board.turn == self._lost_side else int(hopeless)
        self._lost_side = job.board.turn
        if self._options.flag("concede") and self._lost >= CONCEDE_TIMES:
            return " resign"
        if job.draw and accepts_draw(best.score, best.depth):
            return " draw"
        return ""

    @staticmethod
    def _any_move(board: BaseBoard, bans: set[Move]) -> Move | None:
        return next((move for move in board.legal_moves if move not in bans), None)

    # The beating thread

    def _beat(self) -> None:
        with self._lock:
            while not self._closing:
                job = self._job
                if job is None or not job.searching:
                    self._lock.wait()
                elif not self._lock.wait(TICK_S) and job.searching:
                    assert job.report is not None and self._searcher is not None
                    nodes, move, number = self._searcher.progress()
                    elapsed = int((perf_counter() - job.received) * 1000)
                    job.report.tick(nodes, elapsed, self._searcher.hashfull, move, number)


@contextmanager
def signals_for_this_thread() -> "Iterator[None]":
    """Threads started meanwhile get no signals: only in the reading thread can these interrupt the read."""
    if sys.platform == "win32":  # signals are always the main thread's there
        yield
    else:
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
        yield
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
