"""What must hold in every position and game, whatever the moves."""

import copy
import math
import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import (
    ALL_MOVES,
    ALL_PIECES,
    BLACK,
    CANNON,
    COLORS,
    KING,
    PIECE_TYPES,
    RED,
    START,
    Board,
    Move,
    Piece,
    examples,
    flip,
    flip_square,
    home,
    make_fen,
    mirror,
    mirror_square,
    position_of,
    raises,
    random_endgame,
    sample,
    squares_of,
    state_of,
)

from eleengine._core import Searcher

SAMPLE = sample(480)
HEAVY = sample(80, seed=2)  # for tests of all 8100 moves

# A game: where it starts, and a choice among the legal moves of each ply. Shrinks to a few plies.
games = st.tuples(st.sampled_from([START, *SAMPLE[::7]]), st.lists(st.integers(0, 10**6), max_size=80))


def next_move(board, choice):
    """A legal move, or now and then a pass where one is allowed; None at the end of the game."""
    moves = list(board.legal_moves)
    if not moves:
        return None
    if choice % 16 == 15 and not board.is_check():
        return Move.null()
    return moves[choice % len(moves)]


def play_out(game):
    fen, choices = game
    board = Board(fen)
    for choice in choices:
        move = next_move(board, choice)
        if move is None:
            break
        board.push(move)
    return board


# Making and unmaking moves


@given(games)
def test_pop_restores_everything(game):
    fen, choices = game
    board = Board(fen)
    before = []
    for choice in choices:
        move = next_move(board, choice)
        if move is None:
            break
        before.append((state_of(board), move))
        board.push(move)
        assert board.peek() == move
    while before:
        state, move = before.pop()
        assert board.pop() == move
        assert state_of(board) == state
    assert board.ply == 0
    raises(IndexError, "", board.pop)
    raises(IndexError, "", board.peek)


@given(games)
def test_what_moves_update_equals_what_fen_sets_up(game):
    fen, choices = game
    board = Board(fen)
    for choice in choices:
        assert position_of(board) == position_of(Board(board.fen()))
        move = next_move(board, choice)
        if move is None:
            break
        board.push(move)
    assert position_of(board) == position_of(Board(board.fen()))


@given(games)
def test_a_move_changes_two_squares_and_the_counters(game):
    board = play_out(game)
    for move in board.legal_moves:
        before = position_of(board)
        capture = board.is_capture(move)
        board.push(move)
        after = position_of(board)
        expected = list(before["mailbox"])
        expected[move.to_square], expected[move.from_square] = expected[move.from_square], "."
        assert after["mailbox"] == expected
        assert after["turn"] is not before["turn"]
        assert after["clock"] == (0 if capture else before["clock"] + 1)
        assert after["number"] == before["number"] + (before["turn"] == BLACK)
        assert after["key"] != before["key"]
        board.pop()


def test_the_key_depends_on_pieces_and_side_only():
    keys = {}
    for fen in SAMPLE:
        board = Board(fen)
        assert keys.setdefault(board.key, fen.split()[:2]) == fen.split()[:2]
        assert Board(" ".join(fen.split()[:2])).key == board.key
    assert len(keys) > 400


@given(games)
def test_the_evaluation_after_moves_equals_that_of_the_fen(game):
    """Material, square values and phase are updated by each move and restored with it."""
    fen, choices = game
    searcher = Searcher(hash_mib=1)
    board = Board(fen)
    values = [searcher.evaluate(board)]
    for choice in choices:
        # No checks: the evaluation knows how many of them do not count, FEN does not.
        moves = [move for move in board.legal_moves if not board.gives_check(move)]
        if not moves:
            break
        board.push(moves[choice % len(moves)])
        values.append(searcher.evaluate(board))
        assert values[-1] == searcher.evaluate(Board(board.fen()))
    while board.ply:
        assert searcher.evaluate(board) == values.pop()
        board.pop()
    assert [searcher.evaluate(board)] == values


# The no-capture count


def play_checks(rng, captures, counted=10):
    """A game of many checks, its count asserted at each ply; the most checks of a side, answers by check.

    captures: the part of the plies that may capture. counted: how many checks of a side count.
    """
    counted = math.inf if counted is None else counted
    board = random_endgame(rng, 7)
    checks = {RED: 0, BLACK: 0}
    count = most = answered = 0
    for _ in range(120):
        moves = list(board.legal_moves)
        if not moves:
            break
        quiet = [m for m in moves if not board.is_capture(m)]
        kept = moves if rng.random() < captures else quiet or moves
        forcing = [m for m in kept if board.gives_check(m)] or kept
        move = rng.choice(forcing if rng.random() < 0.9 else kept)
        us, was_check, capture = board.turn, board.is_check(), board.is_capture(move)
        board.push(move)
        if capture:
            count, checks = 0, {RED: 0, BLACK: 0}
        else:
            checks[us] += board.is_check()
            spent = board.is_check() and checks[us] > counted
            answer = was_check and checks[not us] > counted
            count += not (spent or answer)
            most = max(most, checks[us])
            answered += answer and board.is_check() and not spent
        found = [board.no_capture_plies(None if counted == math.inf else counted)]
        if counted == 10:
            found.append(board.no_capture_plies())
        assert set(found) == {count}, (board.root().fen(), board.move_stack)
    return most, answered


@examples(60)
@given(st.integers(0, 2**32), st.sampled_from([0, 1, 2, 10, 10, None]))
def test_of_each_sides_checks_and_their_answers_only_some_count(seed, counted):
    play_checks(random.Random(seed), 0.02, counted)


def test_games_have_many_checks_and_answers_by_check():
    rng = random.Random(7)
    most, answered = zip(*(play_checks(rng, 0) for _ in range(25)), strict=True)
    assert max(most) > 20 and any(answered)


# What moves are


@examples(72)
@given(st.sampled_from(HEAVY))
def test_move_questions_agree_with_the_lists_for_all_moves(fen):
    board = Board(fen)
    legal, pseudo = set(board.legal_moves), set(board.pseudo_legal_moves)
    assert legal <= pseudo
    assert board.pseudo_legal_moves.count() == len(pseudo)
    for asked, known, moves in (
        (board.is_legal, legal, board.legal_moves),
        (board.is_pseudo_legal, pseudo, board.pseudo_legal_moves),
    ):
        assert {move for move in ALL_MOVES if asked(move)} == known
        assert all(move in moves for move in known)
        assert not any(move in moves for move in ALL_MOVES[::7] if move not in known)


def test_questions_about_illegal_moves_are_errors():
    board = Board()
    for text in ("a0a9", "e5e6", "a9a8", "e0d0"):
        move = Move.from_iccs(text)
        for ask in (board.push, board.gives_check, board.see, lambda m: board.see_ge(m, 0)):
            raises(ValueError, f"illegal move {text} in {START.split()[0]}", ask, move)
    assert board == Board()


# Symmetry


def moved(move, square):
    return Move(square(move.from_square), square(move.to_square))


@pytest.mark.parametrize(
    ("image", "square"),
    [
        (mirror, mirror_square),
        (flip, flip_square),
        (lambda fen: flip(mirror(fen)), lambda s: flip_square(mirror_square(s))),
    ],
    ids=["mirrored", "flipped", "turned"],
)
def test_images_have_the_same_moves_checks_and_exchanges(image, square):
    for fen in SAMPLE:
        board, other = Board(fen), Board(image(fen))
        assert image(image(fen)) == fen
        assert other.is_check() == board.is_check()
        assert other.is_checkmate() == board.is_checkmate()
        assert other.is_stalemate() == board.is_stalemate()
        for view in ("legal_moves", "pseudo_legal_moves"):
            assert {moved(m, square) for m in getattr(board, view)} == set(getattr(other, view))
        assert squares_of(other.blockers_mask()) == sorted(map(square, squares_of(board.blockers_mask())))
        for move in board.legal_moves:
            twin = moved(move, square)
            assert other.gives_check(twin) == board.gives_check(move)
            assert other.is_capture(twin) == board.is_capture(move)
            assert other.see(twin) == board.see(move), (fen, move)


# Passing


def test_a_pass_gives_the_move_away_and_nothing_else():
    for fen in SAMPLE:
        board = Board(fen)
        if board.is_check():
            raises(ValueError, "cannot pass while in check", board.push, Move.null())
            continue
        before = state_of(board)
        board.push(Move.null())
        fields = fen.split()
        fields[1] = "b" if fields[1] == "w" else "w"
        passed = Board(" ".join([*fields[:4], str(int(fields[4]) + 1), str(board.fullmove_number)]))
        assert position_of(board) == position_of(passed)
        assert board.pop() == Move.null()
        assert state_of(board) == before


# Copies, equality, pickling


@given(games, st.data())
def test_copies_keep_the_moves_asked_for_and_go_their_own_way(game, data):
    board = play_out(game)
    before = state_of(board)
    for stack in (True, False, data.draw(st.integers(0, board.ply + 2))):
        other = board.copy(stack=stack)
        kept = min(board.ply, board.ply if stack is True else int(stack))
        assert other == board
        assert type(other) is type(board)
        assert position_of(other) == position_of(board)
        assert other.move_stack == board.move_stack[board.ply - kept :]
        walked = board.copy()
        while other.ply:
            assert other.pop() == walked.pop()
            assert position_of(other) == position_of(walked)
        for move in list(other.legal_moves)[:1]:
            other.push(move)
        other.clear()
        assert state_of(board) == before


@given(games)
def test_copy_deepcopy_pickle_and_root(game):
    board = play_out(game)
    for other in (copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert other is not board
        assert state_of(other) == state_of(board)
    root = board.root()
    assert root.ply == 0
    assert root.fen() == Board(game[0]).fen()
    for move in board.move_stack:
        root.push(move)
    assert state_of(root) == state_of(board)


def test_unpickled_moves_and_pieces_are_equal():
    for thing in (*ALL_MOVES[::97], *ALL_PIECES):
        other = pickle.loads(pickle.dumps(thing))
        assert (other, hash(other), str(other)) == (thing, hash(thing), str(thing))


def test_equal_boards_have_equal_pieces_side_and_counters():
    fen = "4k4/9/9/9/9/9/9/9/4A4/3AK4 w - - 3 7"
    board = Board(fen)
    assert board == Board(fen)
    for changed in (
        fen.replace("3AK4", "4K4"),
        fen.replace("w", "b"),
        fen.replace("3 7", "4 7"),
        fen.replace("3 7", "3 8"),
    ):
        assert board != Board(changed)
    assert board != fen
    raises(TypeError, "unhashable", hash, board)


def test_boards_of_long_games_keep_every_state():
    board = Board("4k4/9/9/9/9/9/9/9/9/3K4R w")
    cycle = [Move.from_iccs(text) for text in ("i0i1", "e9e8", "i1i0", "e8e9")]
    keys = []
    for ply in range(1000):
        keys.append(board.key)
        board.push(cycle[ply % 4])
    assert len(set(keys)) == 4
    assert (board.halfmove_clock, board.fullmove_number, board.ply) == (1000, 501, 1000)
    for key in reversed(keys):
        board.pop()
        assert board.key == key


# Editing


def edit(board, pieces, place, piece):
    board.set_piece_at(place, piece)
    if piece is None:
        pieces.pop(place, None)
    else:
        pieces[place] = piece.symbol()


@given(st.lists(st.tuples(st.integers(0, 89), st.sampled_from([None, *ALL_PIECES])), max_size=40))
def test_an_edited_board_equals_a_fresh_one(edits):
    board, pieces = Board(), {}
    board.clear()
    for place, piece in edits:
        edit(board, pieces, place, piece)
        fresh = Board(make_fen(pieces, RED), validate=False)
        assert board == fresh
        assert board.key == fresh.key
        found, expected = position_of(board), position_of(fresh)
        if max(board.pieces_mask(KING, color).bit_count() for color in COLORS) > 1:
            for name in ("kings", "checkers", "blockers", "check"):  # of which king, is open
                del found[name], expected[name]
        assert found == expected


@given(
    st.lists(st.tuples(st.sampled_from([4, 13, 3]), st.sampled_from([None, Piece(KING, RED)])), max_size=8)
)
def test_a_board_knows_its_king_whatever_kings_came_and_went(edits):
    board = Board("4k4/9/9/9/9/9/9/9/9/9 w", validate=False)
    for place, piece in edits:
        board.set_piece_at(place, piece)
        kings = squares_of(board.pieces_mask(KING, RED))
        assert board.king(RED) in (kings or [None])
        if kings == [3]:
            assert board.defects() == []
            assert [str(move) for move in board.legal_moves] == ["d0d1"]  # on e0 it would face the other king


@given(games, st.data())
def test_editing_a_game_gives_the_board_of_its_fen(game, data):
    board = play_out(game)
    place = data.draw(st.sampled_from(squares_of(board.occupied_mask())))
    removed = board.piece_at(place)
    fen = board.fen()
    assert board.remove_piece_at(place) == removed
    assert (board.ply, board.move_stack) == (0, [])
    assert board.remove_piece_at(place) is None
    board.set_piece_at(place, removed)
    assert position_of(board) == position_of(Board(fen))
    assert [str(m) for m in board.legal_moves] == [str(m) for m in Board(fen).legal_moves]


def test_the_turn_can_be_set_before_the_first_move():
    for fen in SAMPLE[::9]:
        board = Board(fen)
        board.push(next(iter(board.legal_moves), None) or pytest.skip("over"))
        moved_on = board.fen()
        board.turn = board.turn
        assert (board.fen(), board.ply) == (moved_on, 1)
        with pytest.raises(ValueError, match=r"push\(Move.null\(\)\)"):
            board.turn = not board.turn
        assert (board.fen(), board.ply) == (moved_on, 1)
        board.clear_stack()
        assert (board.fen(), board.ply) == (moved_on, 0)
        board.turn = not board.turn
        fields = moved_on.split()
        fields[1] = "w" if fields[1] == "b" else "b"
        assert position_of(board) == position_of(Board(" ".join(fields), validate=False))


def test_pieces_and_masks_tell_the_same():
    for fen in SAMPLE[::5]:
        board = Board(fen)
        for s in range(90):
            piece = board.piece_at(s)
            assert board.piece_type_at(s) == (piece.piece_type if piece else None)
            assert board.color_at(s) == (piece.color if piece else None)
            for kind in PIECE_TYPES:
                for color in COLORS:
                    assert board.pieces_mask(kind, color) >> s & 1 == (piece == Piece(kind, color))


@pytest.mark.parametrize("bad", [-1, 90, 127, 1 << 40])
def test_squares_off_the_board_are_refused(bad):
    board = Board()
    for ask in (
        board.piece_at,
        board.piece_type_at,
        board.color_at,
        board.attacks_mask,
        lambda s: board.attackers_mask(RED, s),
        lambda s: board.set_piece_at(s, None),
        lambda s: Move(s, 0),
        lambda s: Move(0, s),
    ):
        raises(ValueError, f"a square must be 0..89, not {bad}", ask, bad)
        raises(TypeError, "", ask, "a0")


def test_every_piece_can_stand_and_move_where_the_rules_say():
    """Each piece alone with the kings reaches home squares only, and all of them."""
    for kind in PIECE_TYPES:
        for color in COLORS:
            reached = set()
            for s in range(90):
                board = Board("9/9/9/9/9/9/9/9/9/9 w", validate=False)
                board.set_piece_at(s, Piece(kind, color))
                for target in squares_of(board.attacks_mask(s)):
                    if s in home(kind, color):
                        assert target in home(kind, color)
                        reached.add(target)
            start = {s for s in home(kind, color) if kind == 7 and (s // 9 in (3, 6))}
            if kind != CANNON:  # it captures nothing without a screen
                assert reached | start == set(home(kind, color))
