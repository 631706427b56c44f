"""The compiled reader of plain moves takes what notation.py reads, as it reads it, and nothing else.

With it and without it, files are the same games with the same warnings.
"""

import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import examples, raises, sample
from test_notation import texts

from eleengine import Board, Move, notation, records
from eleengine._core import BaseBoard, define_symbols, read_plain_moves
from eleengine.records import pgn

HERE = Path(__file__).parent
GAME = [
    "h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "b9c7", "c3c4", "g6g5", "b2b6", "h7i7", "h0h9", "g7h9", "b6e6",
]  # fmt: skip


def read(board, text, start=0, most=1 << 20, first_number=-1000, not_red="", not_black="", first_rank=0):
    """The moves of a text, where they end, and whether one is written as squares that may count from 1."""
    options = {"most": most, "first_number": first_number, "first_rank": first_rank}
    return read_plain_moves(board, text, start, not_red=not_red, not_black=not_black, **options)


def written(style):
    """The game in a notation, with numbers."""
    board, words = Board(), []
    for ply, iccs in enumerate(GAME):
        move = Move.from_iccs(iccs)
        words.append(f"{ply // 2 + 1}. " * (ply % 2 == 0) + style(board, move))
        board.push(move)
    return " ".join(words)


STYLES = [
    notation.wxf,
    notation.chinese,
    lambda board, move: notation.chinese(board, move, traditional=True),
    lambda board, move: notation.chinese(board, move, full_width=True),
    notation.iccs,
    lambda board, move: move.iccs(),
    lambda board, move: notation.wxf(board, move).lower(),
    lambda board, move: notation.wxf(board, move).replace(".", "=").replace("H", "N").replace("E", "B"),
]


@pytest.mark.parametrize("style", STYLES)
def test_a_game_is_one_run(style):
    text, board = written(style), BaseBoard()
    moves, end, _ = read(board, text, first_number=0)
    assert [move.iccs() for move in moves] == GAME == [move.iccs() for move in board.move_stack]
    assert end == len(text)
    assert [len(read(BaseBoard(), text, most=n)[0]) for n in (0, 1, 5)] == [0, 1, 5]


def test_a_run_ends_before_what_is_not_plain():
    text = "1. C2.5 H8+7 2. H2+3"
    for behind in ("!", "{a}", " (2. P3+1)", " $1", " 1-0", "\ud800", " 1.C9.9", ")"):
        moves, end, _ = read(BaseBoard(), text + behind)
        assert (len(moves), end) == ((2, 12) if behind in ("!", "\ud800") else (3, 20)), behind
    assert read(BaseBoard(), text, first_number=1) == ([], 0, False)  # the first number should be 2
    assert len(read(BaseBoard(), text.replace("2. H", "1. H"), first_number=0)[0]) == 2
    assert len(read(BaseBoard(), text, not_black="H")[0]) == 1
    assert len(read(BaseBoard(), text, not_red="H")[0]) == 2
    assert read(BaseBoard(), text, len(text)) == ([], len(text), False)
    raises(ValueError, "first_rank", read, BaseBoard(), text, first_rank=2)
    raises(ValueError, "cannot be played", read, BaseBoard(None), text)


def test_squares_may_count_from_1():
    assert [read(BaseBoard(), text)[2] for text in ("h2e2", "H0-G2", "b2b0", "C2.5", "H2-E2")] == [
        True, True, False, False, True
    ]  # fmt: skip
    assert read(BaseBoard(), "h3e3 h10g8", first_rank=1)[0] == [Move.from_iccs("h2e2")]


POSITIONS = sample(300)


@examples(300)
@given(texts, st.sampled_from(POSITIONS), st.integers(0, 1))
def test_what_is_taken_is_what_the_parser_reads(text, fen, first_rank):
    moves, end, _ = read(BaseBoard(fen), text, most=1, first_rank=first_rank)
    if moves:
        word = text[:end].split()[-1].lstrip("0123456789.")
        assert moves == [notation.parse(BaseBoard(fen), word, first_rank=first_rank)]


def test_nearly_all_moves_are_taken_in_every_notation():
    taken = total = 0
    for fen in POSITIONS[::3]:
        board = Board(fen)
        for move in board.legal_moves:
            for style in STYLES:
                moves, end, _ = read(BaseBoard(fen), word := style(board, move))
                assert moves in ([], [move]) and end == len(word) * len(moves)
                taken += len(moves)
                total += 1
    assert taken > 0.9 * total


# Whole files


def all_of(source):
    """The games of PGN with all that is known about them, or the error."""
    try:
        return [
            (game.to_dict(), str(game.error), [str(warning) for warning in game.warnings])
            for game in records.read_games(source, format="pgn")
        ]
    except records.RecordError as error:
        return str(error)


def assert_same(source):
    quick = all_of(source)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pgn, "read_plain_moves", lambda board, text, start, **options: ([], start, False))
        assert all_of(source) == quick


ODD = [
    *"(){};!*…（）",
    "{a}",
    "$4",
    "1-0",
    "1.",
    "2.",
    "1...",
    "12.",
    "3.C2.5",
    "炮二平五",
    "炮8平5",
    "马8进7",
]
ODD += ["傌二进三", "C2.5", "c8.5", "C8.5", "H2-E2", "h10g8", "h3e3", "h2E2"]
WORDS = st.one_of(
    st.sampled_from(ODD),
    texts,
)


@examples(100)
@given(st.sampled_from(STYLES), st.lists(st.tuples(st.integers(0, 30), WORDS), max_size=4), st.booleans())
def test_a_game_with_anything_in_it_is_the_same(style, insertions, glued):
    words = written(style).split(" ")
    for place, word in insertions:
        words.insert(place, word)
    assert_same(("" if glued else " ").join(words).encode("utf-8", "replace") + b"\n")


def test_squares_that_count_from_1_are_noticed_within_a_run():
    """The first move is legal both ways, the last one only if ranks count from 1."""
    source = b'[FEN "3k5/9/9/9/9/9/9/R3B4/R8/4K4 w"]\n\n1. a2b2 K4+1 2. R8.5 *\n'
    assert_same(source)
    assert records.read_game(source).plies() == 3


def test_files_are_the_same():
    with zipfile.ZipFile(HERE / "fuzz_corpus.zip") as corpus:
        for name in corpus.namelist():
            assert_same(corpus.read(name))
    for path in HERE.glob("records/*.pgn"):
        assert_same(path)


def test_symbols_are_checked():
    for table in ({"ab": 1}, {"\U00010000": 1}, {"K": 0}, {"K": 8}, {"K": "1"}):
        raises((TypeError, ValueError), "", define_symbols, table, {}, {}, {})
    for tables in (({}, {"1": 10}, {}, {}), ({}, {}, {"+": 2}, {}), ({}, {}, {}, {"+": -2})):
        raises(ValueError, "must be", define_symbols, *tables)
