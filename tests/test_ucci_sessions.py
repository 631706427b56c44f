"""Random sessions: valid commands in wild orders; each answer is checked by another program's rules.

ELEENGINE_TEST_SESSIONS: how many, 20 by default; ELEENGINE_TEST_SEED: 0 by default.
"""

import os
import random
import time

import pytest
from support import sample
from ucci_client import Engine, pv_lines

from eleengine import STARTING_FEN, Board, Move

pytestmark = pytest.mark.system

pyffish = pytest.importorskip("pyffish")

FENS = sample(120, seed=36)
OPTIONS = {
    "MultiPV": ("1", "1", "2", "5"), "Threads": ("1", "2", "3"), "Hash": ("1", "2", "8"),
    "Skill Level": ("20", "20", "0", "12"), "Repetition Rule": ("asianrule", "chineserule", "ComputerRule"),
    "Natural Limit": ("0", "40", "120"), "Parallel": ("lazy", "hybrid"), "UCI_ShowWDL": ("true", "false"),
    "UCI_LimitStrength": ("false", "true"), "UCI_Elo": ("0", "1500"), "Clear Hash": (None,),
    "TablePath": ("", "<internal>"), "Ponder": ("true", "false"),
}  # fmt: skip
SESSIONS = int(os.environ.get("ELEENGINE_TEST_SESSIONS", "20"))
SEED = int(os.environ.get("ELEENGINE_TEST_SEED", "0"))
SHORT = 2  # moves of a mate that is looked for by brute force


def random_board(chance):
    """A position with the game that led to it, sometimes a long one or one that repeats itself."""
    board = Board(STARTING_FEN if chance.random() < 0.5 else chance.choice(FENS))
    there_and_back = chance.random() < 0.3
    for _ in range(chance.choice((0, 1, 5, 30, 200))):
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
    moves = " ".join(move.uci() for move in board.move_stack)
    return f"position fen {board.root().fen()}" + f" moves {moves}" * bool(moves)


def legal_texts(board):
    """The legal moves of Fairy-Stockfish, with its ranks."""
    return pyffish.legal_moves("xiangqi", board.fen(), [])


def mates(board, moves):
    """Does the side to move mate, or stalemate, with so many moves of its own?"""
    for move in list(board.legal_moves):
        board.push(move)
        answers = list(board.legal_moves)
        forced = not answers or (moves > 1 and all(mated(board, answer, moves - 1) for answer in answers))
        board.pop()
        if forced:
            return True
    return False


def mated(board, answer, moves):
    board.push(answer)
    try:
        return mates(board, moves)
    finally:
        board.pop()


def set_option(engine, chance):
    name = chance.choice(list(OPTIONS))
    value = chance.choice(OPTIONS[name])
    engine.send(f"setoption name {name}" + f" value {value}" * (value is not None))


def go(chance):
    """A `go`, and the lines that follow it until it must end."""
    kind = chance.randrange(7)
    if kind == 0:
        return f"go depth {chance.randrange(1, 9)}", []
    if kind == 1:
        return f"go nodes {chance.randrange(1, 20_000)}", []
    if kind == 2:
        return f"go movetime {chance.randrange(1, 120)}", []
    if kind == 3:
        return f"go wtime {chance.randrange(1, 2000)} btime {chance.randrange(1, 2000)} winc 10 binc 10", []
    if kind == 4:
        return f"go mate {chance.randrange(1, 3)} nodes 20000", []
    if kind == 5:
        return "go infinite", ["stop"]
    return "go ponder wtime 500 btime 500", [chance.choice(("ponderhit", "stop"))]


def check(board, lines, answer):
    """The lines of one search and its answer."""
    legal = legal_texts(board)
    for line in pv_lines(lines):
        after = board.copy(stack=False)
        for text in line.split(" pv ")[1].split():
            after.push_uci(text, first_rank=0)  # IllegalMoveError
        if "score mate " in line and 0 < int(line.split("score mate ")[1].split()[0]) <= SHORT:
            assert mates(board.copy(stack=False), int(line.split("score mate ")[1].split()[0])), line
    words = answer.split()
    if words[1] == "(none)":
        assert legal == [] and words == ["bestmove", "(none)"]
        return
    best = Move.from_uci(words[1], first_rank=0)
    assert best.uci(first_rank=1) in legal
    if words[2:]:
        assert words[2] == "ponder"
        after = board.copy()
        after.push(best)
        assert Move.from_uci(words[3], first_rank=0).uci(first_rank=1) in legal_texts(after)


def take_answers(engine, start, searches):
    """The lines since start and where the answers are in them, when each `go` has got one or was refused."""
    deadline = time.monotonic() + 120
    while True:
        engine.sync()
        lines = engine.texts(start)
        ends = [number for number, line in enumerate(lines) if line.startswith("bestmove")]
        if len(ends) >= searches - lines.count("info string error busy go refused"):
            return lines, ends
        assert time.monotonic() < deadline, lines
        time.sleep(0.01)


def run_session(seed, steps):
    chance = random.Random(seed)
    engine = Engine("uci", hash_mib=1)
    for _ in range(steps):
        while chance.random() < 0.4:
            set_option(engine, chance)
        if chance.random() < 0.2:
            engine.send("ucinewgame")
        board = random_board(chance)
        command, after = go(chance)
        start = engine.mark()
        engine.send(position(board), command)
        searches = 1
        while chance.random() < 0.4:  # while it searches: obeyed, put off or refused
            more = chance.choice(("isready", "go depth 1", "d", "probe startpos", "option"))
            if more == "option":
                set_option(engine, chance)
            else:
                engine.send(more)
                searches += more.startswith("go")
        engine.send(*after)
        lines, ends = take_answers(engine, start, searches)
        assert len(ends) == searches - lines.count("info string error busy go refused")
        for first, end in zip([0, *ends], ends, strict=False):
            check(board, lines[first:end], lines[end])
        assert not any("internal" in line for line in lines), lines
    engine.quit()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SEED, SEED + SESSIONS))
def test_every_answer_of_a_random_session_is_right(seed):
    run_session(seed, 40)


def test_every_answer_of_a_short_random_session_is_right():
    run_session(99, 8)
