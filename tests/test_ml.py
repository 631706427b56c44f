"""Positions as arrays, against the boards themselves; files of games as batches; environments."""

import concurrent.futures
import copy
import gc
import math
import os
import pickle
import sys
import tempfile
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from network_reference import read, rows_seen
from support import CHECKOUT, raises, run_command
from test_board import choices, play

from eleengine import (
    BLACK,
    COLORS,
    RED,
    SQUARES,
    STARTING_FEN,
    Board,
    IllegalMoveError,
    Move,
    square_mirror,
    square_mirror_files,
)
from eleengine.__main__ import main
from eleengine._core import NO_SCORE, BoardBatch, shipped_network
from eleengine.lab.data.gamefile import PackedGame, Reason, Writer, pack
from eleengine.lab.data.gametools import read_records
from eleengine.records import Game

np = pytest.importorskip("numpy")

from eleengine import ml  # noqa: E402

END = Board("3k5/4P4/9/9/9/9/9/9/9/3RK4 b")


def boards_of(choices, most=4):
    """The last positions of a game."""
    board = play(choices)
    boards = [board]
    while board.ply and len(boards) < most:
        board = board.copy()
        board.pop()
        boards.append(board)
    return boards


def seen(square, turn, mirror):
    square = square if turn == RED else square_mirror(square)
    return square_mirror_files(square) if mirror else square


@given(choices)
def test_planes_masks_and_evaluations_are_those_of_the_boards(choices):
    boards = boards_of(choices)
    positions = ml.Positions(boards)
    network = shipped_network()
    known, seen_there = ([board.fen().split()[:5] for board in side] for side in (boards, positions))
    assert known == seen_there  # all but the number of the move
    assert positions.evaluate().tolist() == [network.evaluate(board) for board in boards]
    assert positions.turns().tolist() == [board.turn for board in boards]
    for mirror in (False, True):
        planes, legal = positions.planes(mirror=mirror), positions.legal_moves(mirror=mirror)
        for i, board in enumerate(boards):
            pieces = {
                (kind - 1 + 7 * (color != board.turn), *divmod(seen(square, board.turn, mirror), 9))
                for color in COLORS for kind in range(1, 8) for square in board.pieces(kind, color)
            }  # fmt: skip
            assert set(map(tuple, np.argwhere(planes[i]).tolist())) == pieces
            found = {ml.policy_move(n, board.turn, mirror=mirror) for n in np.flatnonzero(legal[i]).tolist()}
            assert found == set(board.legal_moves)
            numbers = {ml.policy_index(move, board.turn, mirror=mirror) for move in found}
            assert numbers == set(np.flatnonzero(legal[i]).tolist())


@given(choices)
def test_mirrored_arrays_are_those_of_the_mirrored_board(choices):
    board = play(choices)
    here, there = ml.Positions([board]), ml.Positions([board.mirror_files()])
    assert (here.planes(mirror=True) == there.planes()).all()
    assert (here.legal_moves(mirror=True) == there.legal_moves()).all()
    turned = ml.Positions([board.swap_colors()])
    assert (here.planes() == turned.planes()).all() and (here.legal_moves() == turned.legal_moves()).all()
    assert (np.sort(here.features()) == np.sort(turned.features())).all()


@given(choices)
def test_features_are_the_rows_of_the_reference(choices):
    boards = boards_of(choices)
    for board, rows in zip(boards, ml.Positions(boards).features().tolist(), strict=True):
        pieces, _ = read(board)
        for perspective, numbers in zip((board.turn, not board.turn), rows, strict=True):
            assert sorted(n for n in numbers if n >= 0) == sorted(rows_seen(pieces, perspective))


def test_every_move_of_composed_positions_has_a_number():
    board = Board("2A1k4/9/9/1B5B1/9/9/1A7/9/9/3K5 w")
    legal = ml.Positions([board]).legal_moves()[0]
    assert legal.sum() == board.legal_moves.count()
    assert ml.PLANES[0] == "own king" and ml.PLANES[13] == "enemy pawn"
    raises(ValueError, "no piece moves like a0b7", ml.policy_index, Move.from_iccs("a0b7"), RED)
    for index in (-1, ml.POLICY_SIZE):
        raises(IndexError, "a policy has the moves 0 to", ml.policy_move, index, RED)


def test_threads_fill_the_same_arrays():
    positions = ml.Positions(boards_of(range(0, 3000, 7), most=400))
    positions = positions[np.arange(5000) % len(positions)]
    for name in ("planes", "features", "legal_moves", "evaluate"):
        one, three = (getattr(positions, name)(threads=n) for n in (1, 3))
        assert (one == three).all(), name


def test_what_belongs_to_a_position():
    positions = ml.Positions()
    positions.add(Board(), move=Move.from_iccs("h2e2"), score=-20, result="1-0")
    positions.add(END, result="1-0")
    positions.add(END, score=-29_998, result="1/2-1/2")
    assert positions.results().tolist() == [1, -1, 0]
    assert positions.scores()[[0, 2]].tolist() == [-20, -29_998] and math.isnan(positions.scores()[1])
    assert positions.moves().tolist() == [ml.policy_index(Move.from_iccs("h2e2"), RED), -1, -1]
    assert positions.moves(mirror=True)[0] == ml.policy_index(Move.from_iccs("b2e2"), RED)
    assert positions[-1] == END and positions[::2].results().tolist() == [1, 0]
    assert positions[np.array([True, False, True])].results().tolist() == [1, 0]
    positions = ml.Positions()
    for board in (Board(), END):
        positions.add(board, result="1/2-1/2")
    assert not np.signbit(positions.results()).any()


@pytest.mark.parametrize(
    ("add", "error", "message"),
    [
        (lambda p: p.add(Board(None)), ValueError, "cannot be played"),
        (lambda p: p.add(Board(), move=Move.from_iccs("a0a9")), IllegalMoveError, "illegal move a0a9"),
        (lambda p: p.add(Board(), result="won"), ValueError, "one of 0-1, .* not 'won'"),
        (lambda p: p.add(Board(), score=30_001), ValueError, "score must be -30000..30000"),
        (lambda p: p.add(Board(), score=-30_001), ValueError, "score must be -30000..30000"),
        (lambda p: p.add(Board(), score=1.5), TypeError, "score must be an integer"),
        (lambda p: p.add(Board(), ply=1.5), TypeError, "ply must be an integer"),
        (lambda p: p.add(Board(), game=1.5), TypeError, "integer"),
        (lambda p: p.add("text"), TypeError, "a position is a Board, not str"),
        (lambda p: ml.policy_index("h2e2", True), TypeError, "a move is a Move, not str"),
        (lambda p: p.add(Board(), game=10**30), ValueError, "the number of a game must be"),
        (lambda p: p[5], IndexError, "position 5 of 0"),
        (lambda p: p[np.array([0])], IndexError, "position 0 of 0"),
        (lambda p: ml.Positions([Board()]).planes(threads=0), ValueError, "threads must be 1"),
    ],
)
def test_bad_input_is_named(add, error, message):
    positions = ml.Positions()
    raises(error, message, add, positions)
    assert len(positions) == 0


def test_positions_are_chosen_as_numpy_chooses():
    n = 300
    positions, numbers = ml.Positions(), np.arange(n, dtype=np.float32)
    for number in range(n):
        positions.add(END, score=number)
    mask = numbers % 3 == 0
    for index in (
        [0, -1, 7, 7], [n - 1, -n], [], mask, list(mask), np.zeros(n, bool), np.array([5, 250], np.uint8),
        np.array([-3, 100], np.int8), np.array([1, 2], np.uint64), slice(None, None, -7), slice(5, 2),
        slice(-4, 999),
    ):  # fmt: skip
        assert positions[index].scores().tolist() == numbers[index].tolist(), index
    for index in (
        [n], [-n - 1], [0.0], [0.5], mask[1:], np.ones(n + 1, bool), np.ones((n, 1), bool),
        np.array([2**64 - n - 1], np.uint64), ["0"],
    ):  # fmt: skip
        with pytest.raises(IndexError):
            numbers[index]
        with pytest.raises(IndexError):
            positions[index]
    with pytest.raises(IndexError, match="one row"):
        positions[[[0]]]


def test_an_integer_of_any_kind_chooses_a_board():
    positions = ml.Positions([Board(), END])
    for kind in (int, np.int8, np.int64, np.uint16, np.array):
        assert isinstance(positions[kind(1)], Board) and positions[kind(1)] == END
    assert positions[np.int64(-2)] == positions[-2] == Board() and positions[np.argmax([0, 1])] == END
    for index in (2, -3, np.int64(-3), 1 << 70, -(1 << 70)):
        with pytest.raises(IndexError, match=f"position {index} of 2"):
            positions[index]
    for index in (1.0, np.float64(1), None, "1"):
        with pytest.raises(TypeError):
            positions[index]


def test_positions_of_a_game():
    game = Game(headers={"Result": "0-1"})
    game.play("炮二平五").play("马8进7").play("马二进三")
    positions = ml.Positions()
    assert positions.add_game(game, first_ply=1) == 2
    assert positions.results().tolist() == [1, -1] and positions.turns().tolist() == [BLACK, RED]
    assert ml.policy_move(int(positions.moves()[0]), BLACK) == Move.from_iccs("h9g7")


def described(positions):
    """All that is known about each position."""
    columns = [getattr(positions, name)() for name in ("moves", "scores", "results", "plies", "games")]
    known = [np.nan_to_num(column, nan=-7).tolist() for column in columns]
    return list(zip(map(Board.fen, positions), *known, strict=True))


@given(choices, choices)
def test_positions_are_copied_pickled_saved_and_joined_whole(one, two):
    positions = ml.Positions()
    for headers, moves in (({"Red": "甲", "Result": "1-0"}, one), ({"Red": "b", "Event": "E"}, two)):
        game = Game(headers=headers)
        game.play_line(play(moves).move_stack)
        positions.add_game(game)
    positions.add(END, score=12)
    before = described(positions)
    path = os.path.join(tempfile.mkdtemp(), "a.positions")
    positions.save(path)
    for other in (
        pickle.loads(pickle.dumps(positions)), copy.copy(positions), copy.deepcopy(positions),
        ml.Positions(positions), ml.Positions.load(path), positions + ml.Positions(),
    ):  # fmt: skip
        assert described(other) == before and other.headers == positions.headers
        other.add(Board())
    assert described(positions) == described(positions[:]) == before
    both = positions + positions
    games = [game + 2 if game >= 0 else -1 for game in positions.games().tolist()]
    assert both.games().tolist() == positions.games().tolist() + games
    assert both.header("Red").tolist() == 2 * positions.header("Red").tolist()
    assert described(both)[: len(before)] == before
    raises(FileExistsError, "", positions.save, path)


def test_games_and_plies_of_positions():
    positions = ml.Positions()
    for name in ("a", "b"):
        game = Game(headers={"Red": name})
        game.play_line(["h2e2", "h9g7", "h0g2"])
        positions.add_game(game, first_ply=1)
    positions.add(END, game=7, ply=30)
    assert positions.games().tolist() == [0, 0, 1, 1, 7] and positions.plies().tolist() == [1, 2, 1, 2, 30]
    assert positions.header("Red").tolist() == ["a", "a", "b", "b", ""]
    assert positions[2:].headers == {1: {"Red": "b", "Opening": "Central Cannon"}}
    one, two = positions.split(0.34, seed=3)
    assert {len(one), len(two)} <= {1, 2, 3, 4} and not set(one.games()) & set(two.games())
    positions.add(END)
    assert positions.games()[-1] == positions.plies()[-1] == -1
    for share, message in ((1.5, "share must be 0 to 1"), (0.5, "not every position has a game")):
        raises(ValueError, message, positions.split, share)
    for options in ({"game": -1}, {"ply": 65535}, {"ply": -1}):
        raises(ValueError, "must", positions.add, END, **options)


def test_the_opening_is_the_one_of_the_record_or_of_the_moves():
    positions, openings = ml.Positions(), []
    for told in (None, "", "?", "中炮局"):
        game = Game(headers={} if told is None else {"Opening": told})
        positions.add_game(game.play_line(["h2e2", "h9g7", "h0g2", "b9c7"]).game())
        openings.append(game.opening().text() if told in (None, "", "?") else told)
        assert game.headers.get("Opening") == told  # the game is as it was
    assert positions.header("Opening")[::4].tolist() == openings
    nameless = Game("3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1")
    positions.add_game(nameless.play_line(["e1e2"]).game())
    assert positions.header("Opening")[-1] == ""


def test_nothing_is_joined_with_nothing_and_numbers_stay_in_range():
    nothing = ml.Positions() + ml.Positions(ml.Positions())
    assert len(nothing) == 0 and len(pickle.loads(pickle.dumps(nothing))) == 0
    positions = ml.Positions()
    positions.add(END, game=2**63 - 2)
    assert (positions + ml.Positions()).games().tolist() == [2**63 - 2]
    with pytest.raises(OverflowError, match="more than 64 bits"):
        positions + positions
    assert len(positions) == 1


@given(st.integers(0, 111), st.integers(0, 255))
def test_bytes_that_are_no_positions_are_refused_or_sound(at, value):
    """Whatever comes in can be read by everything, and nothing else is kept."""
    data = bytearray(ml.Positions([Board(), END])._array.tobytes())
    data[at] = value
    positions = ml.Positions()
    try:
        positions._array.frombytes(bytes(data))
    except ValueError as error:
        assert "position 0 of the bytes cannot be played" in str(error)
    else:
        assert positions[1] == END and positions.legal_moves().any() and positions.planes().any()
        assert positions.evaluate().shape == positions.moves().shape == (2,)
    raises(ValueError, "no whole number of positions", positions._array.frombytes, bytes(data[:-1]))


def test_files_that_hold_no_positions_are_named(tmp_path):
    path = tmp_path / "a"
    for data in (b"", b"text", pickle.dumps([1])):
        path.write_bytes(data)
        raises(ValueError, "no file of positions", ml.Positions.load, path)
    np.savez(tmp_path / "b.npz", positions=np.zeros(5, np.uint8))
    raises(ValueError, "no file of positions", ml.Positions.load, tmp_path / "b.npz")


@given(choices)
def test_legal_indices_and_labels_are_those_of_the_moves(choices):
    board = play(choices)
    numbers = ml.legal_indices(board).tolist()
    moves = {ml.policy_move(n, board.turn) for n in numbers}
    assert moves == set(board.legal_moves) and numbers == sorted(numbers)
    labels = ml.label_numbers(board.turn)[numbers].tolist()
    assert {ml.LABELS[n] for n in labels} == {move.iccs() for move in moves}
    assert ml.policy_numbers(board.turn)[labels].tolist() == numbers


def test_labels_are_those_of_the_alphazero_programs():
    assert len(ml.LABELS) == len(set(ml.LABELS)) == 2086
    assert ml.LABELS[:9] == ("a0b0", "a0c0", "a0d0", "a0e0", "a0f0", "a0g0", "a0h0", "a0i0", "a0a1")
    assert ml.LABELS[2086 - 48 :][:3] == ("d7e8", "e8d7", "e8f9") and ml.LABELS[-2:] == ("g9i7", "i7g9")
    for turn in COLORS:
        assert (ml.policy_numbers(turn) < 0).sum() == 24


@pytest.mark.system
@pytest.mark.parametrize("fill", ["planes", "features", "legal_moves", "evaluate"])
def test_other_threads_run_while_arrays_are_filled(fill):
    """The main thread counts meanwhile; with the GIL held it would not get a turn."""
    positions = ml.Positions(boards_of(range(0, 3000, 7), most=400))
    positions = positions[np.arange(100_000) % len(positions)]
    array = getattr(positions, fill)()
    begun, ended = threading.Event(), threading.Event()

    def work():
        begun.set()
        for _ in range(3):
            getattr(positions, fill)()
        ended.set()

    turns, switch = 0, sys.getswitchinterval()
    sys.setswitchinterval(60)  # nobody gets a turn who is not let
    thread = threading.Thread(target=work)
    try:
        thread.start()
        begun.wait()
        while not ended.is_set():
            turns += 1
            time.sleep(0)  # lets the other go on
    finally:
        sys.setswitchinterval(switch)
        thread.join()
    assert turns > 100 and len(array) == 100_000


def test_positions_may_be_added_while_others_read_them():
    """Either it works or it is refused, and nothing breaks."""
    positions = ml.Positions([Board()] * 20_000)
    refused = []

    def read_on():
        for _ in range(5):
            assert (positions.planes(threads=2).sum(axis=(1, 2, 3)) == 32).all()
            assert positions.turns().all()

    def add_more():
        for _ in range(3000):
            try:
                positions.add(Board())
            except RuntimeError as error:
                refused.append(str(error))

    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        done = [pool.submit(work) for work in (read_on, read_on, add_more)]
    for future in done:
        future.result()
    assert len(positions) == 23_000 - len(refused)
    assert set(refused) <= {"positions cannot be added while another thread reads them"}


def test_an_array_may_have_fewer_rows_than_there_are_positions_by_now():
    positions = ml.Positions(boards_of(range(0, 40, 2), most=10))
    whole, part = positions.planes(), np.empty((7, 14, 10, 9), np.uint8)
    positions._array.planes(part)
    assert (part == whole[:7]).all()
    kinds = (np.int16, np.int16, np.uint8, bool, np.uint16, np.int64)
    columns = [np.empty(7, kind) for kind in kinds]
    positions._array.columns(*columns)
    assert (columns[3] == positions.turns()[:7]).all()
    for wrong in (np.empty((len(positions) + 1, 1260), np.uint8), np.empty(1261, np.uint8)):
        raises(ValueError, "1260 numbers for each of", positions._array.planes, wrong)
    with pytest.raises(ValueError, match="turns must have 7 numbers, not 6"):
        positions._array.columns(*columns[:3], columns[3][:6], *columns[4:])


# Files of games


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """200 short games, which their first score tells apart."""
    path = str(tmp_path_factory.mktemp("games") / "some.games")
    with Writer(path, {"made by": "a test"}) as writer:
        for number in range(200):
            moves = pack(["h2e2", "h9g7", "h0g2"])
            scores = (number, NO_SCORE, -number)
            writer.append(PackedGame(number % 3, Reason.UNKNOWN, moves, scores))
    return path


def test_positions_are_read_from_files_of_games_and_records(file, tmp_path):
    positions = ml.read_positions(file)
    assert len(positions) == 600 and positions.results()[:9].tolist() == [-1, 1, -1, 0, 0, 0, 1, -1, 1]
    assert positions.scores()[0::3].tolist() == list(range(200))
    assert len(ml.read_positions(file, first_ply=2)) == 200
    assert len(ml.read_positions(file, searched=True)) == 400
    record = tmp_path / "a.pgn"
    record.write_text('[Red "a"]\n[Result "1-0"]\n\n1. 炮二平五 {+34/8 0.1s} 马8进7 1-0\n', encoding="utf-8")
    with pytest.warns(UserWarning, match="a.pgn: 1 games are left out; game 1: the result is not known"):
        bad = tmp_path / "bad" / "a.pgn"
        bad.parent.mkdir()
        bad.write_text('[Red "a"]\n\n1. 炮二平五 *\n', encoding="utf-8")
        assert len(ml.read_positions(bad)) == 0
    read_too = ml.read_positions(record, file)
    assert read_too.header("Red")[:3].tolist() == ["a", "a", ""] and read_too.games()[-1] == 200
    assert len(read_too) == 602 and read_too.scores()[0] == 34 and read_too.results()[1] == -1


def test_games_that_a_library_marks_as_deleted_are_not_read():
    library = CHECKOUT / "tests" / "records" / "library.cbl.xz"
    with pytest.warns(UserWarning, match="2 games are left out; game 2: the result is not known"):
        assert len(ml.read_positions(library)) == 8  # those of game 1; game 3 is deleted
    faults = []
    assert len(list(read_records(str(library), lambda number, _: faults.append(number)))) == 1
    assert faults == [2, 4]


def numbers_of(batches):
    """The games whose first positions come, in order."""
    return [int(n) for batch in batches for n, turn in zip(batch["scores"], batch["turns"], strict=True)
            if turn and n >= 0 and n != 0]  # fmt: skip


def batches_of(file, **options):
    return ml.GameBatches([file], batch=64, fields=("scores", "turns", "moves"), window=256, **options)


def test_batches_mix_all_positions_in_an_order_that_the_seed_decides(file):
    whole = list(batches_of(file, seed=1))
    assert sum(len(batch["moves"]) for batch in whole) == 600
    assert {len(batch["moves"]) for batch in whole[:-1]} == {64}
    assert sorted(numbers_of(whole)) == list(range(1, 200)) != numbers_of(whole)
    assert numbers_of(batches_of(file, seed=1)) == numbers_of(whole) != numbers_of(batches_of(file, seed=2))
    assert numbers_of(batches_of(file, seed=1, epoch=1)) != numbers_of(whole)
    parts = [numbers_of(batches_of(file, seed=1, shard=(i, 3))) for i in range(3)]
    assert sorted(n for part in parts for n in part) == list(range(1, 200)) and all(parts)
    assert sum(len(batch["moves"]) for batch in batches_of(file, searched=True)) == 400


def test_batches_of_records_are_shared_by_games_and_keep_their_headers(tmp_path):
    record = tmp_path / "a.pgn"
    games = [f'[Red "r{n}"]\n[Result "1-0"]\n\n1. 炮二平五 马8进7 1-0\n' for n in range(9)]
    record.write_text("\n".join(games), encoding="utf-8")
    paths, found = [record, record], []
    for part in range(2):
        shares = ml.GameBatches(paths, fields=("games", "plies"), headers=["Red"], shard=(part, 2), batch=4)
        for batch in shares:
            found += zip(batch["games"].tolist(), batch["plies"].tolist(), batch["Red"].tolist(), strict=True)
    expected = [(n + (index << 32), ply, f"r{n}") for index in range(2) for n in range(9) for ply in range(2)]
    assert sorted(found) == expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fields": ["plane"]}, "unknown field 'plane': there are planes, features"),
        ({"batch": 0}, r"batch must be 1 to window \(131072\), not 0"),
        ({"shard": (2, 2)}, r"shard must be \(i, n\)"),
        ({"paths": []}, "no paths"),
    ],
)
def test_bad_arguments_of_batches_are_named(options, message):
    raises(ValueError, message, ml.GameBatches, **{"paths": ["x.games"], **options})
    raises(TypeError, r"several, as in \['x.games'\]", ml.GameBatches, "x.games")


@pytest.mark.slow
def test_workers_of_pytorch_share_the_games(file):
    data = pytest.importorskip("torch.utils.data")
    from eleengine.ml.torch import GameBatches

    def numbers(workers):
        batches = GameBatches([file], batch=64, fields=("scores", "turns", "moves"), window=256, seed=1)
        loader = data.DataLoader(
            batches, batch_size=None, num_workers=workers,
            multiprocessing_context="spawn" if workers else None,
        )  # fmt: skip
        return numbers_of(loader)

    assert numbers(0) == numbers_of(batches_of(file, seed=1))
    found = numbers(2)
    assert sorted(found) == list(range(1, 200)) and found == numbers(2)

    batches = GameBatches([file], batch=64, fields=("scores", "turns", "moves"), window=256, seed=1)
    loader = data.DataLoader(
        batches, batch_size=None, num_workers=1, persistent_workers=True, multiprocessing_context="spawn"
    )
    orders = []
    for epoch in (0, 1, 0):
        batches.epoch = epoch
        orders.append(numbers_of(loader))
    assert orders[0] == orders[2] != orders[1]


def test_positions_are_exported(file, tmp_path, capsys):
    def export(out, *options):
        status = main(["data", "export", file, str(tmp_path / out), *options])
        return status, *capsys.readouterr()

    assert export("a.npz", "--first-ply", "1", "--fields", "moves,scores") == (0, "400 positions\n", "")
    found = np.load(tmp_path / "a.npz")
    assert sorted(found) == ["moves", "scores"] and found["scores"].shape == (400,)
    assert export("c.npz", "--headers", "Red")[0] == 0
    found = np.load(tmp_path / "c.npz")
    assert set(found) == {"planes", "moves", "scores", "results", "games", "plies", "Red"}
    assert found["games"][-1] == 199
    status, _, error = export("a.npz")
    assert status and "a.npz" in error  # it is there already
    for out, options, message in (
        ("a.csv", (), "must end in .npz or .parquet"),
        ("b.npz", ("--fields", "x"), "'x'"),
    ):
        status, _, error = export(out, *options)
        assert status and message in error and not (tmp_path / out).exists()


def test_what_is_left_out_of_an_export_is_told_as_by_other_commands(tmp_path):
    (tmp_path / "a.pgn").write_text("1. h2e2 *\n")
    found = run_command("data", "export", "a.pgn", "a.npz", cwd=tmp_path)
    told = "eleengine: a.pgn: 1 games are left out; game 1: the result is not known\n"
    assert (found.returncode, found.stdout, found.stderr) == (0, "0 positions\n", told)


def test_positions_are_exported_as_a_table(file, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    assert main(["data", "export", file, str(tmp_path / "a.parquet")]) == 0
    table = parquet.read_table(tmp_path / "a.parquet").to_pylist()
    assert len(table) == 600 and table[0]["move"] == "h2e2" and Board(table[1]["fen"]).turn == BLACK
    assert (table[3]["score"], table[1]["score"], table[0]["result"]) == (1, None, -1)
    assert (table[4]["game"], table[4]["ply"], table[4]["turn"]) == (1, 1, "black")


def test_positions_are_a_stream_of_arrow():
    pyarrow = pytest.importorskip("pyarrow")
    positions = ml.Positions()
    positions.add_game(Game(headers={"Red": "Hu", "Result": "1-0"}).play_line(["h2e2", "h9g7"]).game())
    table = pyarrow.table(positions)
    assert table.equals(ml.to_arrow(positions, ["Red", "Result", "Opening"]))
    assert table["Red"].to_pylist() == ["Hu", "Hu"] and table["Opening"].to_pylist() == 2 * ["Central Cannon"]
    assert table["move"].to_pylist() == ["h2e2", "h9g7"] and table["result"].to_pylist() == [1, -1]


@given(choices)
def test_the_fens_of_positions_are_those_of_their_boards(choices):
    boards = boards_of(choices)
    assert ml.Positions(boards).fens() == [board.fen() for board in ml.Positions(boards)]


# Many boards


@pytest.mark.parametrize("rule_set", ["axf", "cxa"])
def test_many_boards_play_as_single_ones(rule_set):
    """Few moves to choose from, so that positions repeat; the results are those of boards of their own."""
    fen = "3ak4/9/9/9/9/9/9/9/5R3/3K5 w"
    boards, rng = ml.Boards(30, fen=fen, rule_set=rule_set, max_plies=60), np.random.default_rng(1)
    alone = [Board(fen) for _ in range(30)]
    seen = set()
    for _ in range(100):
        masks = boards.positions().legal_moves()
        actions = np.array([rng.choice(np.flatnonzero(mask)[:3]) for mask in masks])
        results = boards.play(actions, threads=2)
        for i, board in enumerate(alone):
            turn = board.turn
            board.push(ml.policy_move(int(actions[i]), turn))
            outcome = board.outcome(rule_set=rule_set)
            end = math.nan
            if outcome is not None:
                end = 0 if outcome.winner is None else 1 if outcome.winner == turn else -1
                seen.add(str(outcome.termination))
            elif board.ply == 60:
                end = 0
            assert (results[i] == end) or (math.isnan(end) and math.isnan(results[i])), (i, board.fen())
            if not math.isnan(end):
                alone[i] = Board(fen)
    assert len(seen) > 1
    positions = boards.positions()
    assert [boards.board(i) for i in range(30)] == alone and positions.games().tolist() == list(range(30))
    assert positions.plies().tolist() == [board.ply for board in alone]


def test_bad_actions_of_many_boards_are_named_and_nothing_is_played():
    boards = ml.Boards(3)
    good = ml.policy_index(Move.from_iccs("h2e2"), RED)
    for actions, message in (
        ([good, good, -1], "board 2: action -1 is no legal move"),
        ([good, 0, ml.POLICY_SIZE], "board 1"),
        ([good, good], "3 boards need"),
        ([0.5] * 3, "3 boards need"),
    ):
        raises(ValueError, message, boards.play, actions)
    assert boards.positions().plies().tolist() == [0, 0, 0] and len(boards) == 3
    raises(ValueError, "threads", boards.play, [good] * 3, threads=0)
    for options in ({"n": 0}, {"n": 1, "rule_set": "x"}, {"n": 1, "max_plies": 0}, {"n": 1, "fen": "9 w"}):
        raises(ValueError, "", ml.Boards, **options)
    for one in (boards, BoardBatch(STARTING_FEN, 3)):
        for index in (-4, 3, 255):
            raises(IndexError, "", one.board, index)


# Environments


def test_the_environment_of_pettingzoo_passes_its_tests():
    tests = pytest.importorskip("pettingzoo.test")
    from eleengine.ml.pettingzoo import env, raw_env

    tests.api_test(env(), num_cycles=300)
    tests.seed_test(env, num_cycles=100)
    game = raw_env(fen="3k5/4P4/9/9/9/9/9/9/5R3/4K4 w", render_mode="ansi")
    game.reset()
    mask = game.observe("black")["action_mask"]
    assert game.agent_selection == "red" and mask.sum() == 0 and "k" in game.render()
    assert (game.observe("black")["observation"] == ml.Positions([game.board.swap_colors()]).planes()[0][
        [*range(7, 14), *range(7)], ::-1]).all()  # fmt: skip
    game.step(ml.policy_index(Move.from_iccs("f1d1"), RED))
    assert game.rewards == {"red": 1, "black": -1} and all(game.terminations.values())


def test_the_environment_of_gymnasium_is_registered_and_plays_to_the_end():
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    name = "eleengine.ml.gymnasium:eleengine/Xiangqi-v0"
    with gymnasium.make(name, skill=0, render_mode="ansi") as game:
        check_env(game.unwrapped, skip_render_check=True)
    with gymnasium.make(name, skill=0, agent=None, max_plies=20) as game:
        starts = set()
        for seed in (1, 2, 3, 4, 1):
            observation, _ = game.reset(seed=seed)
            assert game.observation_space.contains(observation) and observation["action_mask"].any()
            starts.add((seed, game.unwrapped.board.fen()))
        assert len(starts) == 4  # seed 1 twice the same
        for _ in range(10):
            action = int(np.flatnonzero(observation["action_mask"])[0])
            observation, reward, terminated, truncated, _ = game.step(action)
        assert (reward, terminated, truncated) == (0, False, True)
    fen = "3k5/4P4/9/9/9/9/9/9/5R3/4K4 w"
    with gymnasium.make(name, fen=fen) as game:
        _, info = game.reset(seed=1)
        mask = info["action_mask"]
        assert (mask == game.unwrapped.action_masks()).all() and mask.sum() == 22
        illegal = int(np.flatnonzero(mask == 0)[0])
        _, *ended, info = game.step(illegal)
        assert ended == [-1, True, False] and info["illegal"] == ml.policy_move(illegal, RED).iccs()
        game.reset(seed=1)
        assert game.step(ml.policy_index(Move.from_iccs("f1d1"), RED))[1:3] == (1, True)


def test_the_game_of_openspiel_passes_its_simulation():
    pyspiel = pytest.importorskip("pyspiel")
    import eleengine.ml.openspiel  # noqa: F401

    pyspiel.random_sim_test(pyspiel.load_game("eleengine_xiangqi(max_plies=30)"), 2, True, False)
    game = pyspiel.load_game("eleengine_xiangqi", {"fen": "3k5/4P4/9/9/9/9/9/9/5R3/4K4 w"})
    state = game.new_initial_state()
    assert state.legal_actions() == ml.legal_indices(state.board).tolist() and state.current_player() == 0
    mate = ml.policy_index(Move.from_iccs("f1d1"), RED)
    assert state.action_to_string(0, mate) == "f1d1"
    child = state.child(mate)
    assert child.is_terminal() and child.returns() == [1, -1] and not state.is_terminal()
    raises(ValueError, "rule_set", pyspiel.load_game, "eleengine_xiangqi", {"rule_set": "x"})


def test_memory_is_given_back():
    positions = ml.Positions([Board()] * 1000)
    taken = positions[np.arange(1000)]
    del positions
    gc.collect()
    assert taken[999] == Board() and len(SQUARES) == 90


def test_what_would_be_taken_for_something_else_is_refused():
    positions = ml.Positions([Board()])
    for fill in (positions.planes, positions.features, positions.legal_moves, positions.evaluate):
        raises(TypeError, "threads must be an integer, not float", fill, threads=1.5)
    raises(TypeError, "threads must be an integer, not float", ml.Boards(1).play, [1], threads=1.5)
    raises(TypeError, "first_ply must be an integer, not float", positions.add_game, Game(), first_ply=1.5)
    raises(TypeError, "a color is RED", ml.policy_index, Move.from_iccs("h2e2"), "red")
    raises(TypeError, "a color is RED", ml.policy_move, 0, 5)
    for name in ("paths", "fields", "headers"):
        arguments = {"paths": ["some.games"], name: "Red"}
        raises(TypeError, rf"{name} must be several, as in \['Red'\]", ml.GameBatches, **arguments)
