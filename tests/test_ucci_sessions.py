"""Random sessions: commands in wild orders, whose answers are checked by another program's rules.

ELEENGINE_TEST_SESSIONS: how many in each dialect, 12 by default; ELEENGINE_TEST_SEED: 0 by default.
"""

import os
import random
import re
import time
from functools import cache

import pytest
from support import POSITIONS, sample
from ucci_client import TERMINAL, Engine, field, pv_lines

from eleengine import Board, Move

pytestmark = pytest.mark.system

pyffish = pytest.importorskip("pyffish")

SESSIONS = int(os.environ.get("ELEENGINE_TEST_SESSIONS", "12"))
SEED = int(os.environ.get("ELEENGINE_TEST_SEED", "0"))
SHORT = 2  # moves of a mate that is looked for by brute force
OPTIONS = {
    "MultiPV": ("1", "1", "2", "5"), "Threads": ("1", "2", "3"), "Hash": ("1", "2", "8"),
    "Skill Level": ("20", "20", "0", "12"), "Repetition Rule": ("asianrule", "chineserule", "ComputerRule"),
    "Natural Limit": ("0", "40", "120"), "Parallel": ("abdada", "hybrid", "auto"),
    "UCI_ShowWDL": ("true", "false"), "UCI_LimitStrength": ("false", "true"), "UCI_Elo": ("0", "1500"),
    "Clear Hash": (None,), "TablePath": ("", "<internal>"), "Ponder": ("true", "false"),
}  # fmt: skip
NUMBERS = "depth|seldepth|multipv|nodes|nps|time|hashfull|tbhits|currmovenumber"
MOVE = r"[a-i]\d[a-i]\d"
INFO = re.compile(
    rf"info (?:(?:string|message) .+|(?:(?:{NUMBERS}) \d+ ?|currmove {MOVE} ?|wdl \d+ \d+ \d+ ?"
    rf"|score (?:cp |mate )?-?\d+ ?|(?:upper|lower)bound ?)+(?:pv(?: {MOVE})+)?)"
)


@cache
def fens():
    """Positions of random games, and of files: openings, middlegames, endings and mates."""
    files = ("openings", "middlegames", "endings", "quiet-mates")
    paths = [path for name in files for path in POSITIONS.glob(f"{name}.*")]
    texts = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    return [*sample(120, seed=36), *re.findall(r"(?:[A-Za-z1-9]+/){9}[A-Za-z1-9]+ [wb]", texts)]


def random_board(chance):
    """A position with the game that led to it, sometimes a long one or one that repeats itself."""
    board = Board() if chance.random() < 0.3 else Board(chance.choice(fens()))
    there_and_back = chance.random() < 0.3
    for _ in range(chance.choice((0, 0, 1, 5, 30, 200))):
        moves = list(board.legal_moves)
        if not moves:  # it is over: sometimes that is the question
            if board.ply and chance.random() < 0.7:
                board.pop()
            break
        move = chance.choice(moves)
        if there_and_back and board.ply >= 2:
            back = Move(board.move_stack[-2].to_square, board.move_stack[-2].from_square)
            move = back if back in moves else move
        board.push(move)
    return board


def position(board):
    moves = " ".join(map(str, board.move_stack))
    return f"position fen {board.root().fen()}" + f" moves {moves}" * bool(moves)


def set_option(engine, chance):
    name = chance.choice(list(OPTIONS))
    value = chance.choice(OPTIONS[name])
    engine.send(f"setoption name {name}" + f" value {value}" * (value is not None))


def go(chance, dialect):
    """A `go`, and the line that follows it if it must be ended."""
    mine = chance.randrange(1, 2000)
    clock = f"time {mine} increment 10 opptime {mine} oppincrement 10"
    if dialect == "uci":
        clock = f"wtime {mine} btime {chance.randrange(1, 2000)} winc 10 binc 10"
    return chance.choice([
        (f"go depth {chance.randrange(1, 9)}", []),
        (f"go nodes {chance.randrange(1, 20_000)}", []),
        (f"go movetime {chance.randrange(1, 120)}", []),
        (f"go {clock}", []),
        (f"go mate {chance.randrange(1, 3)} nodes 20000", []),
        ("go infinite", ["stop"]),
        (f"go ponder {clock}", [chance.choice(("ponderhit", "stop"))]),
    ])  # fmt: skip


def wins(board, moves):
    """Can the side to move mate or stalemate in so many of its moves?"""
    return any(after(board, move, lambda board: loses(board, moves - 1)) for move in list(board.legal_moves))


def loses(board, moves):
    """Is the side to move mated whatever it plays, by so many moves of the other one?"""
    replies = list(board.legal_moves)
    return not replies or (
        moves > 0 and all(after(board, move, lambda board: wins(board, moves)) for move in replies)
    )


def after(board, move, is_so):
    board.push(move)
    try:
        return is_so(board)
    finally:
        board.pop()


def legal_texts(board):
    """The legal moves of Fairy-Stockfish, whose ranks count from 1."""
    return pyffish.legal_moves("xiangqi", board.fen(), [])


def check(board, lines, answer, banned):
    """The lines of one search and its answer; returns how many short mates were announced."""
    proven = 0
    assert [line for line in lines if line.startswith("info") and not INFO.fullmatch(line)] == []
    for line in pv_lines(lines):
        if line.startswith(("info string", "info message")):
            continue
        end, first, *rest = board.copy(stack=False), *line.split(" pv ")[1].split()
        end.push_uci(first, first_rank=0)  # IllegalMoveError
        moves = int(field(line, "mate")) if " score mate " in line else 0
        if 0 < abs(moves) <= SHORT and "bound" not in line:
            assert loses(end, moves - 1) if moves > 0 else wins(end, -moves), line
            assert moves != -1 or " multipv 1 " not in line or loses(board.copy(stack=False), 1), line
            proven += 1
        for text in rest:
            end.push_uci(text, first_rank=0)
    words = answer.split()
    if words in (["bestmove", "(none)"], ["nobestmove"]):
        assert legal_texts(board) == []
        return proven
    assert words[0] == "bestmove" and words[2:3] in ([], ["ponder"])
    best = Move.from_iccs(words[1])
    assert best.uci(first_rank=1) in legal_texts(board) and best not in banned
    if words[2:]:
        end = board.copy()
        end.push(best)
        assert Move.from_iccs(words[3]).uci(first_rank=1) in legal_texts(end)
    return proven


def take_answers(engine, start, searches):
    """The lines since start and where the answers are in them, when each `go` has got one or was refused."""
    deadline = time.monotonic() + 120
    while True:
        engine.sync()
        lines = engine.texts(start)
        ends = [number for number, line in enumerate(lines) if line.startswith(TERMINAL)]
        refused = sum("error busy go refused" in line for line in lines)
        if len(ends) >= searches - refused:
            assert len(ends) == searches - refused
            return lines, ends
        assert time.monotonic() < deadline, lines
        time.sleep(0.01)


def run_session(dialect, seed, steps):
    """How many short mates were announced, all of which are true."""
    chance, proven = random.Random(f"{dialect} {seed}"), 0
    engine = Engine(dialect, hash_mib=1)
    for _ in range(steps):
        while chance.random() < 0.4:
            set_option(engine, chance)
        if chance.random() < 0.2:
            engine.send("setoption newgame" if dialect == "ucci" else "ucinewgame")
        board = random_board(chance)
        command, end = go(chance, dialect)
        start, searches, banned = engine.mark(), 1, []
        engine.send(position(board))
        if dialect == "ucci" and board.legal_moves.count() > 3 and chance.random() < 0.2:
            banned = chance.sample(list(board.legal_moves), 3)
            engine.send(f"banmoves {' '.join(map(str, banned))}")
        engine.send(command)
        while chance.random() < 0.4:  # while it searches: obeyed, put off or refused
            more = chance.choice(("isready", "go depth 1", "d", "probe startpos", "option"))
            if more == "option":
                set_option(engine, chance)
            else:
                engine.send(more)
                searches += more.startswith("go")
        time.sleep(chance.choice((0, 0, chance.uniform(0, 0.05))))
        engine.send(*end)
        lines, ends = take_answers(engine, start, searches)
        for first, last in zip([0, *ends], ends, strict=False):
            proven += check(board, lines[first:last], lines[last], banned)
        assert not any("internal" in line for line in lines), lines
    engine.quit()
    return proven


@pytest.mark.slow
@pytest.mark.timeout(240 * SESSIONS)
@pytest.mark.parametrize("dialect", ["ucci", "uci"])
def test_every_answer_of_random_sessions_is_right(dialect):
    proven = [run_session(dialect, seed, 40) for seed in range(SEED, SEED + SESSIONS)]
    assert any(proven) or dialect == "ucci"  # which has no word for mates


@pytest.mark.parametrize("dialect", ["ucci", "uci"])
def test_every_answer_of_a_short_random_session_is_right(dialect):
    run_session(dialect, 99, 8)
