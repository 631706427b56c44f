"""The classes of the core: a wrong `self` or a wrong argument is a TypeError, never a crash."""

import copy
import functools
import pickle
import re
import subprocess
import sys
from array import array
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Event
from time import sleep

import pytest
from support import raises

from eleengine import (
    A0,
    CANNON,
    KING,
    PAWN,
    RED,
    Board,
    Engine,
    Move,
    Piece,
    SquareSet,
    _core,
    book,
    epd,
    motifs,
    network,
    notation,
    rules,
    square_distance,
    svg,
    text,
)
from eleengine.legality import why_illegal
from eleengine.openings import opening_of
from eleengine.position_text import write_position
from eleengine.records import Game, encode_game, parse_time_control
from eleengine.review import game_page, review_game

CLASSES = [
    value for value in vars(_core).values() if isinstance(value, type) and value.__module__ == _core.__name__
]
MADE_ANEW = (_core.Searcher, _core.SelfPlay, _core.Traces, _core.ThesisTable, _core.ThesisSearch)
STATIC = {"from_iccs", "from_uci", "from_symbol", "null"}


@pytest.mark.parametrize(
    "cls", [cls for cls in CLASSES if not issubclass(cls, Exception)], ids=lambda cls: cls.__name__
)
def test_methods_refuse_what_is_not_theirs(cls):
    names = [name for name in dir(cls) if not name.startswith("__") and name not in STATIC]
    for name in names:
        method = getattr(cls, name)
        if not callable(method):
            raises(TypeError, "", method.__get__, "h2e2")
            continue
        for wrong in (None, "h2e2", object()):
            for arguments in ((), (Move.null(),), (1,)):
                raises(TypeError, "", method, wrong, *arguments)


def test_what_used_to_crash():
    moves = [Move.from_iccs("h2e2"), Move.from_iccs("h9g7")]
    for attempt in (
        lambda: list(map(Board.fen, [Board(), None])),
        lambda: functools.reduce(Board.push, moves, Board()),
        lambda: Board.pop("x"),
        lambda: notation.variation_wxf(None, []),
        lambda: Move.iccs("h2e2"),
        lambda: Move(None, None),  # no pass, as it used to be
    ):
        raises((TypeError, AttributeError), "", attempt)


def test_a_view_of_moves_is_that_of_a_board():
    view = type(Board().legal_moves)
    for attempt in (view, functools.partial(view.__new__, view), lambda: view(None, True)):
        raises(TypeError, "", attempt)
    assert len(view(Board(), True)) == 44


@pytest.mark.parametrize("copied", [pickle.dumps, copy.copy, copy.deepcopy])
def test_what_cannot_be_copied_says_what_to_do(copied):
    samples = _core.Samples()
    samples.add(*a_game(), 1)
    for thing, instead in (
        (Board().legal_moves, r"take list\(moves\), or the board"),
        (_core.shipped_tables(), "each process opens the tables itself"),
        (_core.EndgameTable("P-"), r"block\(\) and keep\(\) its values"),
        (samples, r"use tobytes\(\) and frombytes\(\)"),
        (_core.Trainer(samples, hidden=64, unit_cp=100), "give its state to a new one"),
        *((cls(), "make a new one") for cls in MADE_ANEW),
        (_core.BoardBatch(Board().fen(), 2), "make a new one"),
    ):
        raises(TypeError, f"^{type(thing).__name__} cannot be copied or pickled: {instead}$", copied, thing)


def test_every_class_of_the_core_is_pickled_or_says_why_not():
    """What Python says of a class without __reduce__ names nothing to do instead."""
    silent = [cls.__name__ for cls in CLASSES if cls.__reduce__ is object.__reduce__]
    assert [name for name in silent if not name.startswith("_")] == []


def test_there_is_no_empty_piece():
    raises(TypeError, "", Piece.__new__, Piece)


@pytest.mark.parametrize("number", [-1, 90, 1 << 31, 1 << 80])
def test_operators_of_a_subclass_do_not_pass_for_its_value(number):
    class Agreeable(int):
        def __le__(self, other):
            return True

        __lt__ = __ge__ = __gt__ = __le__

    number = Agreeable(number)
    board = Board()
    for attempt in (
        lambda: board.set_piece_at(number, Piece(PAWN, RED)),
        lambda: board.piece_at(number),
        lambda: board.attackers_mask(RED, number),
        lambda: Move(number, 1),
        lambda: Piece(number, RED),
        lambda: board.is_insufficient_material(number),
        lambda: board.divide(Agreeable(max(61, number))),
        lambda: _core.Searcher(threads=Agreeable(number * 300)),
        lambda: _core.ThesisTable(mib=Agreeable(number << 16)),
    ):
        raises(ValueError, r"must be \d+\.\.\d+", attempt)
    assert board == Board()


@pytest.mark.parametrize("number", [-2, 1 << 63, 10**30, -(10**30)])
@pytest.mark.parametrize("name", ["depth", "nodes", "optimum_ms", "maximum_ms", "mate", "multipv"])
def test_a_limit_out_of_range_is_named(name, number):
    """Also beyond 64 bits."""
    searcher = _core.Searcher(hash_mib=1)
    raises(
        ValueError, rf"{name} must be [01]\.\.{2**63 - 1}, not", searcher.search, Board(), **{name: number}
    )
    assert len(searcher.search(Board(), nodes=1, **({name: (1 << 63) - 1} if name != "nodes" else {})))


def test_numbers_of_positions_out_of_range_are_named():
    positions = _core.PositionArray()
    for name in ("result", "game", "ply", "score"):
        for number in (1 << 63, 10**30, -(10**30)):
            raises(ValueError, rf"{name} must be -?\d+\.\.", positions.add, Board(), **{name: number})
    assert len(positions) == 0


def test_a_text_for_a_board_or_a_move_is_named():
    a_board, a_move = (
        r"a position is a Board, not str: Board\(fen\)",
        "a move is a Move, not str: Move.from_iccs",
    )
    with book.shipped() as masters:
        for look in (masters.find_all, masters.find, masters.get, masters.choice, masters.weighted_choice):
            raises(TypeError, a_board, look, "h2e2")
    for function in (
        svg.board, opening_of, rules.judge, text.draw, write_position, Game.from_board, book.zobrist_hash
    ):  # fmt: skip
        raises(TypeError, a_board, function, "h2e2")
    move = Move.from_iccs("h2e2")
    for function in (notation.wxf, notation.chinese, notation.uci, why_illegal):
        raises(TypeError, a_board, function, "h2e2", move)
        raises(TypeError, a_board, function, "h2e2", Move.null())
    for function in (notation.parse, notation.parse_iccs, notation.parse_wxf, notation.parse_san):
        raises(TypeError, a_board, function, "h2e2", "C2.5" if function == notation.parse_wxf else "h2e2")
    raises(TypeError, a_board, motifs.mating_patterns, "h2e2")
    raises(TypeError, a_board, motifs.explain, "h2e2", move, [])
    for function in (motifs.material, motifs.tactics):
        raises(TypeError, a_board, function, "h2e2", [move])
        raises(TypeError, a_move, function, Board(), ["h2e2"])
    raises(TypeError, a_move, notation.iccs, Board(), "h2e2")
    raises(TypeError, a_move, why_illegal, Board(), "h2e2")
    raises(TypeError, a_move, text.draw, Board(), last_move="h2e2")
    raises(TypeError, a_move, Board().is_irreversible, "h2e2")


@pytest.mark.parametrize(
    ("what", "function", "arguments"),
    [
        ("an EPD is a str", epd.split, [5]),
        ("an EPD is a str", Board.from_epd, [b"x"]),
        ("the text of operations is a str", epd.read_operations, [Board(), None]),
        ("move text is a str", notation.to_ascii, [5]),
        ("a picture is a str", svg.png, [b"x"]),
        ("the text of a picture is a str", functools.partial(svg.board, title=b"x"), []),
        ("a time control is a str", parse_time_control, [300]),
        ("a piece is a Piece, not str: Piece.from_symbol", svg.piece, ["R"]),
        ("a game is a Game, not str: read_game", Game().equals, ["x"]),
        ("a game is a Game, not str: read_game", review_game, ["game.pgn", None, None]),
        ("a game is a Game, not str: read_game", game_page, ["game.pgn"]),
        ("a game is a Game, not NoneType: read_game", encode_game, [None, "pgn"]),
        ("not int", network.load, [5]),  # a number is a file that is open
    ],
)
def test_another_type_is_named(what, function, arguments):
    raises(TypeError, what, function, *arguments)


def test_a_subclass_of_str_is_read_as_its_text():
    class Text(str):
        def __getitem__(self, key):
            raise AssertionError("not asked for")

        __len__ = split = replace = __str__ = __getitem__

    assert Board(Text(Board().fen())) == Board()
    assert Move.from_iccs(Text("h2-e2")) == Move.from_uci("h2e2")
    raises(ValueError, "invalid move 'h2e'", Move.from_iccs, Text("h2e"))


def test_numbers_and_texts_of_numpy():
    np = pytest.importorskip("numpy")
    board = Board(np.str_(Board().fen()))
    assert board == Board()
    board.push_uci(np.str_("h2e2"))
    assert board.peek() == Move(np.int64(25), np.uint8(22)) == Move.from_iccs(np.str_("h2e2"))
    for kind in (np.int64, np.int8, np.uint8):
        assert board.piece_at(kind(22)) == Piece(kind(CANNON), RED)
        assert board.pieces(kind(KING), RED) == SquareSet([kind(4)])
        assert kind(4) in SquareSet([4, kind(89)]) and SquareSet([kind(89)]).mask == 1 << 89
        assert square_distance(kind(0), kind(1)) == 1
        assert SquareSet(kind(5)) == kind(5) == SquareSet([0, 2])
        with Engine(hash_mib=kind(1), threads=kind(1), skill=kind(3)) as engine:
            assert engine.skill == 3 and type(engine.skill) is int
    assert SquareSet(np.array([3, 4])) == SquareSet([3, 4])
    for wrong in (np.float64(4), 4.0, "4"):
        assert wrong not in SquareSet([4])
        raises(TypeError, "a square must be an integer, not", board.piece_at, wrong)


def test_virtual_time_has_no_clock_before_a_search():
    searcher = _core.Searcher(hash_mib=1)
    searcher.virtual_time = True
    with pytest.raises(ValueError, match="no search in virtual time"):
        searcher.virtual_nodes  # noqa: B018
    searcher.search(Board(), depth=1)
    assert searcher.virtual_nodes[0] > 0


def test_a_level_is_an_integer():
    with Engine(hash_mib=1) as engine:
        for name in ("multipv", "seed", "threads", "hash_mib", "no_capture_limit", "elo", "overhead_ms"):
            raises(TypeError, "", setattr, engine, name, 3.7)
        for wrong, error in ((3.7, TypeError), ("3", TypeError), (21, ValueError), (-1, ValueError)):
            with pytest.raises(error, match="skill must be"):
                engine.skill = wrong
        assert engine.skill == 20


def a_game():
    """Start, moves and scores of a game, as `SelfPlay` gives them."""
    board = Board()
    moves, scores, _ = _core.SelfPlay(nodes=50).play(board, 5)[2:]
    return board, moves, scores


def in_threads(*jobs):
    """Run functions beside each other; what one raises is raised."""
    with ThreadPoolExecutor(len(jobs)) as pool:
        for future in [pool.submit(job) for job in jobs]:
            future.result()


def test_threads_fill_and_read_one_collection_of_positions():
    board, moves, scores = a_game()
    traces, samples = _core.Traces(), _core.Samples()
    quiet = traces.add(board, moves, scores, 1, 0)
    assert samples.add(board, moves, scores, 1) == quiet > 0
    weights = array("d", bytes(len(_core.shipped_weights()) * 4))
    trainer = _core.Trainer(samples, hidden=64, unit_cp=400)

    def add():
        for game in range(40):
            assert traces.add(board, moves, scores, 1, game) == quiet
            assert samples.add(board, moves, scores, 1) == quiet
            raises(ValueError, "illegal move", traces.add, board, moves + moves, scores + scores, 1, game)

    def read():
        for _ in range(40):
            with suppress(ValueError):  # there are more positions now
                traces.evaluate(weights, array("d", bytes(8 * len(traces))))
            assert len(trainer.gradient()) == len(trainer.parameters())
            trainer.losses(samples)

    in_threads(add, add, add, add, read)
    assert len(traces) == len(samples) == 161 * quiet


def test_a_trainer_keeps_to_the_samples_it_began_with():
    board, moves, scores = a_game()
    samples = _core.Samples()
    samples.add(board, moves, scores, 1)
    trainer = _core.Trainer(samples, hidden=64, unit_cp=400)
    state, gradient, n = trainer.state, trainer.gradient(), len(samples)
    for _ in range(200):
        samples.add(board, moves, scores, 1)
    assert trainer.gradient() == gradient
    raises(ValueError, rf"batch must be 1\.\.{n}, not {n + 1}", trainer.step, n + 1, 0.01)
    trainer.step(n, 0.01)
    assert trainer.passes == 1
    samples.clear()
    for attempt in (lambda: trainer.step(1, 0.01), trainer.gradient):
        raises(ValueError, "there are 0 left", attempt)
    with pytest.raises(ValueError, match="of other samples"):  # no order before the first pass
        trainer.state = bytes(16) + state[16:]


def test_a_board_may_change_while_a_search_waits_for_its_turn():
    """Searched is the board as it was, or what cannot be played is refused: never an empty board."""
    board = Board()
    searcher, thesis = _core.Searcher(hash_mib=1), _core.ThesisSearch(hash_mib=1)
    player = _core.SelfPlay(nodes=100, max_plies=10)
    done = Event()

    def edit():
        while not done.is_set():
            board.clear()
            sleep(0)
            board.reset()
            sleep(0)

    def use(function):
        for _ in range(100):
            with suppress(ValueError):  # it cannot be played
                assert function()

    with ThreadPoolExecutor(1) as editor:
        editing = editor.submit(edit)
        try:
            for job in (
                lambda: searcher.search(board, depth=2),
                lambda: thesis.search(board, depth=1),
                lambda: player.play(board, 1)[2],
            ):
                in_threads(*[functools.partial(use, job)] * 3)
        finally:
            done.set()
            editing.result()


@pytest.mark.parametrize(
    ("fen", "edit", "playable"),
    [
        (None, Board.reset, True),
        ("4k4/9/9/9/9/4P4/4P4/9/9/3K5 w", Board.clear, False),  # two pawns on a file at home: composed
    ],
)
def test_an_edit_is_seen_that_comes_while_defects_are_put_into_words(fen, edit, playable):
    board = Board(fen)
    board.set_piece_at(A0, None)  # an edit: what is known of the position is forgotten
    edits = []

    def edit_once(_, event, __):  # the words are made by Python, so another thread may run there
        if event == "call" and not edits:
            edits.append(edit(board))

    sys.setprofile(edit_once)
    try:
        found = board.is_playable()
    finally:
        sys.setprofile(None)
    assert edits
    assert not found and board.is_playable() == playable


def test_an_endgame_table_in_use_stays_as_it_is():
    table, tables = _core.EndgameTable("P-"), _core.EndgameTables()
    other = _core.EndgameTable("P-")
    seen = []

    def look(plies, found):
        seen.append(table.filled)
        for attempt in (
            lambda: table.solve(tables),
            lambda: table.block(0, 0, 0),
            lambda: table.keep(0, 0, 0, full.block(0, 0, 0)),
            table.count,
            lambda: tables.add(table),
            lambda: tables.add(full),
        ):
            raises(ValueError, "", attempt)

    full = _core.EndgameTable("N-")
    full.solve(_core.EndgameTables())
    table.solve(tables, progress=look)
    assert seen and not any(seen)
    raises(ValueError, "is filled already", table.solve, tables)
    tables.add(table)
    raises(ValueError, "the table P- has no distances", other.verify, tables, 0, 1)
    raises(ValueError, "no such rows", table.verify, tables, 0, table.entries)
    searcher = _core.Searcher(hash_mib=1)
    searcher.tables = tables

    def add(info):
        raises(ValueError, "in use", tables.add, full)

    assert searcher.search(Board("3k5/9/9/9/9/9/9/P8/9/4K4 w"), depth=2, report=add)
    tables.add(full)
    assert len(tables) == 2


@pytest.mark.system
def test_random_calls_do_no_harm():
    """Some seconds of tests/fuzz_api.py; CONTRIBUTING.md says when more."""
    script = Path(__file__).with_name("fuzz_api.py")
    done = subprocess.run(
        [sys.executable, script, "--seconds", "3", "--seed", "1"], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    calls, functions = map(int, re.findall(r"(\d+) (?:calls|functions)", done.stdout))
    assert calls > 20 and functions > 250


def test_threads_are_limited():
    """OpenMP ends the process where there is no memory for so many."""
    board, moves, scores = a_game()
    samples = _core.Samples()
    samples.add(board, moves, scores, 1)
    trainer = _core.Trainer(samples, hidden=64, unit_cp=400)
    for threads in (0, 257, 2**31 - 1):
        for attempt in (
            lambda n: trainer.losses(samples, threads=n),
            lambda n: trainer.step(1, 0.01, threads=n),
            lambda n: _core.EndgameTable("P-").solve(_core.EndgameTables(), threads=n),
        ):
            raises(ValueError, r"threads must be 1\.\.256", attempt, threads)
