"""Positions: items 51 to 67 of the conformance checklist."""

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import examples
from ucci_client import START, Engine, board_after, field, is_legal, pv_lines, within

from eleengine._core import STARTING_FEN, BaseBoard, Move
from eleengine.ucci.position import parse_move

BOARD = STARTING_FEN.split()[0]
CHECKED = "position fen 4k4/9/9/9/9/9/9/4r4/9/R3K4 w - - 0 1"


@pytest.fixture(scope="module")
def engine():
    engine = Engine()
    yield engine
    engine.quit()


def rank(n, row):
    """The start position with another row at that rank."""
    rows = BOARD.split("/")
    rows[9 - n] = row
    return "/".join(rows)


def side_to_move(engine, *commands):
    """Who moves after the commands: 'red' or 'black', by the answer; no complaint may come."""
    engine.send(*commands)
    assert engine.sync() == []
    move = engine.best("go depth 1")
    fits = {"red": is_legal(move), "black": is_legal(move, "h2e2")}
    return next(side for side, fit in fits.items() if fit)


def test_051_startpos_is_its_fen(engine):
    answers = []
    engine.send("setoption threads 1")  # several may search otherwise each time
    for position in ("position startpos", START):
        engine.send("setoption newgame", position)
        engine.sync()
        start = engine.mark()
        move = engine.best("go depth 4")
        lines = pv_lines(engine.texts(start))
        # The last line of each depth: how many come before it depends on the time that passes.
        last = {field(line, "depth"): line.split(" time ")[0].split(" nps ")[0] for line in lines}
        answers.append((move, last))
    assert answers[0] == answers[1]


def test_052_other_letters(engine):
    fen = STARTING_FEN.replace("n", "h").replace("N", "H").replace("b", "e", 2).replace("B", "E")
    assert fen.split()[0] == "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR"
    assert side_to_move(engine, f"position fen {fen}") == "red"


@pytest.mark.parametrize("letter, side", [*((c, "red") for c in "rRwW"), *((c, "black") for c in "bB")])
def test_053_side_letters(engine, letter, side):
    moved = board_after("h2e2").board_fen() if side == "black" else BOARD
    assert side_to_move(engine, f"position fen {moved} {letter}") == side


@pytest.mark.parametrize("text", [
    f"{BOARD} r moves h2e2", f"{BOARD} w -- 0 1  moves  h2e2  ", f"{BOARD} w - - 0 1 - - 0 1 moves h2e2",
    f"{BOARD}\tw\t-\t-\t0\t1\tMOVES\th2e2", f"{BOARD} w - - 999999999999999999999999 1 moves h2e2",
    f"{BOARD} w - - x y moves h2e2", f"{BOARD} w - - 5 99999999 moves h2e2",
])  # fmt: skip
def test_054_055_056_rough_fens(engine, text):
    assert side_to_move(engine, f"position fen {text}") == "black"


@pytest.mark.parametrize("move", ["h2e2", "H2E2", "h2-e2", "H2-E2"])
def test_057_move_spellings(engine, move):
    assert side_to_move(engine, f"position startpos moves {move}") == "black"


@pytest.mark.parametrize(
    "text", ["position startpos moves", f"{START} moves  ", "startpos", f"fen {STARTING_FEN}"]
)
def test_058_moves_without_moves(engine, text):
    assert side_to_move(engine, text) == "red"


@pytest.mark.system
def test_059_two_thousand_moves(engine):
    line = "position startpos moves" + " h2h3 h7h6 h3h2 h6h7" * 500
    engine.sync()
    times = []
    for _ in range(3):
        sent = engine.send(line, "isready")
        times.append(engine.expect_timed("readyok")[0] - sent)
    assert min(times) < 0.05
    assert is_legal(engine.best("go depth 1"))


def test_059_a_long_game_is_searched_deeply(engine):
    engine.best("position startpos moves" + " h2h3 h7h6 h3h2 h6h7" * 500, "go depth 6")


def test_060_067_captures_in_the_list_and_answers_for_the_same_side(engine):
    moves = ["h2e2", "h9g7", "e2e6", "g7e6"]
    engine.send(f"position startpos moves {' '.join(moves)}")
    assert engine.sync() == []
    assert is_legal(engine.best("go depth 1"), *moves)
    engine.send("position startpos moves h2e2")
    assert is_legal(engine.best("go depth 1"), "h2e2")
    assert is_legal(engine.best("go depth 1"), "h2e2")


@pytest.mark.parametrize("fen, text", [
    ("9/9/9 w", "ranks"),
    (BOARD + "/9/9 w", "ranks"),
    ("nonsense", "ranks"),
    (rank(7, "1c5c") + " w", "rank 7 width"),
    (rank(7, "1c5c2") + " w", "rank 7 width"),
    (rank(7, "1c5c01") + " w", "rank 7 width"),
    (rank(1, "") + " w", "rank 1 width"),
    (rank(7, "1c5x1") + " w", "letter x"),
    (rank(7, "1c5x1") + " w", "letter x"),
    (rank(7, "1c5?1") + " w", "letter"),
    (rank(9, "rnba1abnr") + " w", "kings"),
    (rank(8, "4k4") + " w", "kings"),
    ("3k5/9/9/9/9/9/9/9/9/2K6 w", "palace"),
    ("3k5/9/9/9/9/9/4K4/9/9/9 w", "palace"),
    ("3k5/9/9/9/PPPPPPPPP/PPPPPPPPP/9/9/9/4K4 w", "count red"),
    ("4k4/9/9/9/9/9/9/9/9/4K4 w", "king capturable"),
    ("3k5/9/9/9/9/9/9/9/9/3RK4 w", "king capturable"),
    (BOARD + " x", "side x"),
    (BOARD + " depth", "side"),
])  # fmt: skip
def test_061_defective_boards(engine, fen, text):
    engine.send(f"position fen {fen}")
    assert engine.sync() == [f"info message error fen {text}"]
    commands = ("banmoves h2e2", "d", "eval", "perft 1", "go perft 1", "go depth 1")
    engine.send(*commands)
    assert [engine.expect("info") for _ in commands] == ["info message error no valid position"] * 6
    engine.expect("nobestmove")
    engine.best("position startpos", "go depth 1")


@pytest.mark.parametrize("fen, warnings", [
    ("3k5/9/9/9/9/9/9/9/3A5/4K4 w", "advisor d1"),
    ("3k1a3/9/9/9/9/9/9/9/4b4/4K4 w", "elephant e1"),
    ("3k5/9/9/9/2B6/9/9/9/9/4K4 w", "elephant c5"),
    ("3k5/9/9/9/9/9/1P7/9/9/4K4 w", "pawn b3"),
    ("3k5/9/9/9/9/9/9/P8/9/4K4 w", "pawn a2"),
    ("3k5/9/9/1p7/9/9/9/9/9/4K4 w", "pawn b6"),
    ("3k5/9/9/9/9/P8/P8/9/9/4K4 w", "pawn a3"),
    ("3k5/9/RR7/R8/9/9/9/9/9/4K4 w", "count R"),
    ("3k5/9/9/9/9/ppppp4/p8/9/9/4K4 w", "count p"),
    ("3k2p2/4P4/9/9/9/2B1cnN2/9/7CR/4p4/2Cp1K3", ["side missing", "pawn g9"]),
    ("3kppp2/9/9/9/9/9/9/9/9/3AKA3 w", ["pawn e9", "pawn f9", "pawn g9"]),
])  # fmt: skip
def test_composed_positions_are_warned_about_and_played(engine, fen, warnings):
    engine.send("setoption newgame", f"position fen {fen}", f"position fen {fen}")
    said = [warnings] if isinstance(warnings, str) else warnings
    assert engine.sync() == [f"info message warning fen {warning}" for warning in said]
    move = engine.best("go depth 2")
    assert is_legal(move, fen=" ".join([*fen.split(), "w"][:2]))
    engine.send(f"position fen {fen} moves {move}")
    assert engine.sync() == []  # it was said when the game began


def test_061_side_missing(engine):
    for _ in range(2):  # and once more in the next game
        engine.send("setoption newgame", f"position fen {BOARD}")
        assert engine.sync() == ["info message warning fen side missing"]
    assert is_legal(engine.best("go depth 1"))


@pytest.mark.parametrize("moves, text", [
    ("h2e2 h2e2 h9g7", "move h2e2 illegal ply 2"),
    ("h2e2 zz99", "move zz99 malformed ply 2"),
    ("h2e2 0000", "move 0000 malformed ply 2"),
    ("h2e2 e0e0", "move e0e0 malformed ply 2"),
    ("e0e5", "move e0e5 illegal ply 1"),
    ("bestmove", "move malformed ply 1"),
])  # fmt: skip
def test_062_063_bad_moves(engine, moves, text):
    engine.send(f"position startpos moves {moves}")
    assert engine.sync() == [f"info message error {text}"]
    assert engine.answer("go depth 1") == "nobestmove"
    engine.send("position startpos")


@pytest.mark.parametrize("moves, rank", [
    ("h2e2 h9g7 h0g2", 0), ("h3e3 h10g8 h1g3", 1), ("b0c2 b9c7 c2b0", 0),
])  # fmt: skip
def test_a_position_with_the_moves_that_led_to_it_is_that_position(engine, moves, rank):
    """pikafish-terminal sends both; with them repetitions are seen, too."""
    board = BaseBoard()
    for text in moves.split():
        board.push(parse_move(text, rank))
    engine.send(f"position fen {board.board_fen()} b moves {moves}")
    assert engine.sync() == ["info message warning fen already after the moves"]
    assert board.is_legal(parse_move(engine.best("go depth 2"), rank))
    engine.send(f"position fen {board.board_fen()} w moves {moves}")  # it is not Red's turn after them
    assert "illegal ply" in engine.sync()[0]
    assert engine.answer("go depth 1") == "nobestmove"
    engine.send("position startpos")


@pytest.mark.parametrize("text", [
    "position", "position foo", "position fen", "position fen moves h2e2", "position startpos h2e2", "fen",
    "position moves",
])  # fmt: skip
def test_064_incomplete(engine, text):
    engine.send(text)
    assert engine.sync() == ["info message error position incomplete"]
    assert engine.answer("go infinite") == "nobestmove"
    engine.send("position startpos")


def test_065_check_is_answered(engine):
    move = engine.best(CHECKED, "go depth 3")
    assert is_legal(move, fen=CHECKED.removeprefix("position fen "))


def test_066_start_position_before_any_other():
    engine = Engine()
    assert is_legal(engine.best("go depth 1"))
    engine.quit()


def test_a_rejected_position_keeps_nothing_but_the_flag(engine):
    engine.send("position startpos moves h2e2", "position fen junk", "position startpos moves h2e2")
    engine.expect("info message")
    assert is_legal(engine.best("go depth 1"), "h2e2")


@given(seed=st.integers(0, 2**32), cut=st.integers(0, 40))
@examples(20)
def test_positions_of_random_games(engine, seed, cut):
    """Wherever a game goes, FEN and moves from any point of it are taken and answered legally."""
    choice = random.Random(seed)
    board, fens = BaseBoard(STARTING_FEN), []
    while len(fens) < 50 and board.legal_moves:
        fens.append(board.fen())
        board.push(choice.choice(list(board.legal_moves)))
    if not board.legal_moves:
        return
    cut = min(cut, len(fens) - 1)
    moves = " ".join(map(str, board.move_stack[cut:]))
    engine.send(f"position fen {fens[cut]} moves {moves}")
    assert engine.sync() == []
    assert Move.from_iccs(engine.best("go depth 1")) in board.legal_moves


@pytest.mark.parametrize(("quiet", "drawn"), [(0, False), (100, False), (119, True)])
def test_the_plies_without_a_capture_are_those_of_the_fen(engine, quiet, drawn):
    engine.best(f"position fen 3ak1b2/4a4/4b4/9/9/9/9/9/2R6/4K4 w - - {quiet} 60", "go depth 3")
    assert (abs(int(field(pv_lines(engine.texts())[-1], "score"))) <= 1) == drawn


@pytest.mark.system
def test_reading_a_position_is_quick(engine):
    moves = ("h2e2", "h9g7", "h0g2", "i9h9")
    began = time.monotonic()
    for _ in range(200):
        engine.send(f"position startpos moves {' '.join(moves)}")
    engine.sync()
    assert time.monotonic() - began < within(2)
    assert is_legal(engine.best("go depth 1"), *moves)
