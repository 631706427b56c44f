"""Verdicts on repetition: the published cases, their mirror images, and a slow oracle."""

import json
import math
import random
from collections import Counter
from pathlib import Path

import pytest
import slow_rules
from hypothesis import given
from hypothesis import strategies as st
from support import examples, flip, mirror, raises

from eleengine import Board, Move, Piece, Termination, rules

DATA = Path(__file__).parent.parent / "positions" / "repetition.jsonl"
CASES = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
LOOPS = [case for case in CASES if "levels" in case]  # those that reach a third occurrence
OTHER_COLOUR = {"red_loses": "black_loses", "black_loses": "red_loses"}


def as_it_is(fen, moves):
    return fen, moves


def mirrored(fen, moves):
    files = str.maketrans("abcdefghi", "ihgfedcba")
    return mirror(fen), [move.translate(files) for move in moves]


def with_colours_swapped(fen, moves):
    ranks = str.maketrans("0123456789", "9876543210")
    return flip(fen), [move.translate(ranks) for move in moves]


VIEWS = [as_it_is, mirrored, with_colours_swapped]


def play(fen, moves):
    board = Board(fen)
    for move in moves:
        board.push(Move.from_iccs(move))
    return board


def core_judgement(board, rule_set, occurrences=3):
    """In the form of slow_rules.judge."""
    facts = board._judge_repetition(rules.RULE_SETS.index(rule_set), occurrences)
    return facts and (["none", "draw", "red_loses", "black_loses"][facts[1]], facts[2], facts[3])


def assert_agrees_with_oracle(board, rule_sets=("axf", "axfbook", "computer", "simple"), case=""):
    for rule_set in rule_sets:
        for times in (2, 3):
            found = core_judgement(board, rule_set, times)
            assert found == slow_rules.judge(board, rule_set, times), (case, rule_set, times)
    facts = board._judge_repetition(rules.RULE_SETS.index("axf"), 2)
    if facts:
        game = slow_rules.Game(board)
        for (checks, chases, _), (_, check, found) in zip(
            facts[-1], slow_rules.chases(game, game.window(2)), strict=True
        ):
            assert checks == check
            assert {
                (slow_rules.square_of(attacker), slow_rules.square_of(victim)): direct
                for attacker, victim, direct in chases
            } == found
    facts = board._judge_repetition(rules.RULE_SETS.index("computer"), 2)
    if facts:
        for (_, chases, _), found in zip(
            facts[-1], slow_rules.chases_computer(game, game.window(2)), strict=True
        ):
            assert {
                (slow_rules.square_of(attacker), slow_rules.square_of(victim))
                for attacker, victim, _ in chases
            } == found, (case, "computer")


@pytest.mark.parametrize("view", VIEWS)
def test_cases(view):
    wrong = []
    for case in CASES:
        verdict = play(*view(case["fen"], case["moves"])).repetition(case["rule_set"])
        expected = case["verdict"]
        if view is with_colours_swapped:
            expected = OTHER_COLOUR.get(expected, expected)
        is_right = (str(verdict), verdict.reason) == (expected, case["reason"])
        if "levels" in case and case["rule_set"] == "axf":
            red, black = case["levels"]["red"], case["levels"]["black"]
            is_right &= verdict.grades == ((black, red) if view is with_colours_swapped else (red, black))
        if not is_right:
            wrong.append((case["tier"], case["id"], str(verdict), verdict.reason, verdict.grades))
    assert wrong == []


def test_an_exposure_that_is_not_punished_says_why():
    """The exception of the Asian rules: the other side was never idle."""
    fen = "3akab2/c2R1R2c/4b4/9/9/9/9/4B4/4K4/2B6 w"
    verdict = play(fen, 2 * ["d8d6", "d9e8", "d6d8", "e8d9", "f8f6", "f9e8", "f6f8", "e8f9"]).repetition()
    assert "Black checks or chases on every move, too, and so the exposure is not" in verdict.explanation
    for case in CASES:
        verdict = rules.judge(play(case["fen"], case["moves"]))
        excused = str(verdict) == "draw" and verdict.grades is not None and sorted(verdict.grades) == [0, 1]
        assert excused is ("not punished" in verdict.explanation), case["id"]


def test_what_is_only_exposed_is_not_named_beside_what_is_chased():
    """Black's moves uncover the cannon on i1, too, but they chase the one on a1."""
    [case] = [case for case in CASES if case["id"] == "mutual-chase-10"]
    verdict = play(case["fen"], case["moves"]).repetition()
    assert str(verdict.chases[1]) == "(Chase(a1 by d1, f1),)"
    assert verdict.explanation.endswith(
        "chases the cannon a1 with the rook d1 and the rook f1 on every move."
    )


def test_other_rule_sets_give_the_verdicts_of_their_engines():
    for case in LOOPS:
        board = play(case["fen"], case["moves"])
        for rule_set in ("computer", "simple", "cxa"):
            if rule_set in case["by_rule_set"]:
                found = str(rules.judge(board, rule_set))
                assert found == case["by_rule_set"][rule_set], (case["id"], rule_set)


@pytest.mark.parametrize("view", VIEWS)
def test_no_case_is_decided_before_the_third_occurrence(view):
    undecided = 0
    for case in CASES:
        fen, moves = view(case["fen"], case["moves"])
        board = Board(fen)
        seen = Counter([(board.board_fen(), board.turn)])
        for move in moves[:-1]:
            board.push(Move.from_iccs(move))
            here = board.board_fen(), board.turn
            seen[here] += 1
            verdict = rules.judge(board)
            if verdict.reason != "material":  # bare from the start
                assert bool(verdict) is (seen[here] >= 3), f"{case['id']} after {move}"
                undecided += not verdict
    assert undecided > 1000


@pytest.mark.parametrize("part", range(8))  # for several processes
def test_oracle_agrees_on_the_cases(part):
    for case in LOOPS[part::8]:
        assert_agrees_with_oracle(play(case["fen"], case["moves"]), slow_rules.GRADES, case["id"])


EXPOSURE, EXPOSURE_MOVES = "2r6/{}/7R1/9/1Nn4R1/3c5/9/9/9/{} w - - 0 1", ["b5c7", "c5d7", "c7b5", "d7c5"] * 2


@pytest.mark.parametrize(
    ("rank", "king", "verdict"), [("1r2k4", "5K3", "draw"), ("1r3k3", "3K5", "black_loses")]
)
def test_a_check_excuses_an_exposure_and_an_idle_move_does_not(rank, king, verdict):
    """Black cuts off the knight's protection each time; Red chases the cannon, and checks or does nothing."""
    board = play(EXPOSURE.format(rank, king), EXPOSURE_MOVES)
    assert str(rules.judge(board)) == verdict
    assert_agrees_with_oracle(board)


edits = st.lists(st.tuples(st.integers(0, 89), st.sampled_from("RNCABPrncabp-")), max_size=4)


def altered(fen, moves, edits):
    """The game with pieces put on or taken off, or None if it cannot be played so."""
    board = Board(fen)
    for square, letter in edits:
        old = board.piece_at(square)
        if square not in (board.king(True), board.king(False)):
            board.set_piece_at(square, None if letter == "-" else Piece.from_symbol(letter))
            if not board.is_playable():
                board.set_piece_at(square, old)
    for text in moves:
        move = Move.from_iccs(text)
        if not board.is_playable() or not board.is_legal(move):
            return None
        board.push(move)
    return board


@given(st.integers(0, 10**9))
@examples(2)
def test_oracle_agrees_on_altered_cases(seed):
    """What was protected, pinned or attacked is no longer so: in one example each case, seen in some way."""
    rng = random.Random(seed)
    for case in LOOPS:
        changes = [(rng.randrange(90), rng.choice("RNCABPrncabp-")) for _ in range(rng.randrange(4))]
        board = altered(*rng.choice(VIEWS)(case["fen"], case["moves"]), changes)
        if board:
            assert_agrees_with_oracle(board, case=(case["id"], changes))


# Cases and others in which the grade of one side is that of exposure, and of the other 0.
EXPOSURES = [
    *((case["fen"], case["moves"]) for case in LOOPS if sorted(case["levels"].values()) == [0, 1]),
    *((EXPOSURE.format(*kings), EXPOSURE_MOVES) for kings in (("1r2k4", "5K3"), ("1r3k3", "3K5"))),
]


@given(st.sampled_from(EXPOSURES), st.sampled_from(VIEWS), edits)
@examples(30)
def test_oracle_agrees_where_a_side_only_exposes(game, view, edits):
    """Whether that is excused depends on what the other side does."""
    board = altered(*view(*game), edits)
    if board:
        assert_agrees_with_oracle(board)


@given(st.sampled_from(LOOPS), edits)
@examples(20)
def test_oracle_agrees_on_altered_cases_by_chinese_rules(case, edits):
    board = altered(case["fen"], case["moves"], edits)
    if board:
        assert_agrees_with_oracle(board, ["cxa"])


@given(st.sampled_from([case["fen"] for case in CASES]), st.lists(st.integers(0, 2**16), max_size=40))
@examples(25)
def test_oracle_agrees_in_games(fen, choices):
    """Games in which a side often takes its last move back, so that positions repeat."""
    board = Board(fen)
    for choice in choices:
        moves = list(board.legal_moves)
        if not moves:
            return
        move = moves[choice // 4 % len(moves)]
        if board.ply >= 2 and choice % 4:
            last = board.move_stack[-2]
            back = Move(last.to_square, last.from_square)
            move = back if board.is_legal(back) else move
        board.push(move)
        assert_agrees_with_oracle(board)


def test_one_more_round_changes_nothing():
    for case in LOOPS:
        board = play(case["fen"], case["moves"])
        before = rules.judge(board)
        for move in board.move_stack[-len(before.moves) :]:
            board.push(move)
        after = rules.judge(board)
        assert (str(after), after.grades) == (str(before), before.grades), case["id"]


def positions_before(fen, wanted):
    """Up to that many (fen, move): positions from which a quiet move leads to the given one."""
    board = Board(fen)
    board.turn = not board.turn
    found = []
    if not board.is_playable():  # the move gave check
        return found
    for move in board.pseudo_legal_moves:
        if board.is_capture(move) or board.piece_type_at(move.from_square) in (1, 7):  # king, pawn
            continue
        earlier = board.copy()
        earlier.set_piece_at(move.to_square, earlier.remove_piece_at(move.from_square))
        back = Move(move.to_square, move.from_square)
        if earlier.is_playable() and earlier.is_legal(back):
            found.append((earlier.fen(), back.iccs()))
    return found[:: max(1, len(found) // wanted)][:wanted]


def test_the_move_into_the_cycle_changes_nothing():
    tried = 0
    for case in LOOPS:
        for fen, move in positions_before(case["fen"], 4):
            verdict = rules.judge(play(fen, [move, *case["moves"]]), case["rule_set"])
            assert (str(verdict), verdict.reason) == (case["verdict"], case["reason"]), (case["id"], move)
            tried += 1
    assert tried > 2 * len(LOOPS)


def test_judging_leaves_the_board_alone():
    def state(board):
        masks = [board.checkers_mask(), board.blockers_mask(), board.occupied_mask()]
        return board.fen(), board.key, board.move_stack, masks

    for case in LOOPS:
        board = play(case["fen"], case["moves"])
        before = state(board)
        for rule_set in rules.RULE_SETS:
            rules.judge(board, rule_set)
        assert state(board) == before


DIAGRAM_33 = "4kab2/4a4/4b4/3rC2R1/9/9/4n4/4B4/4A4/4KAB1c w - - 0 1"
LOOP_33 = ["h6i6", "i0h0", "i6h6", "h0i0"]


@pytest.mark.parametrize("occurrences", [2, 3, 4])
def test_occurrences_are_a_parameter(occurrences):
    board = play(DIAGRAM_33, (LOOP_33 * occurrences)[: 4 * (occurrences - 1) - 1])
    assert str(rules.judge(board, occurrences=occurrences)) == "none"
    board.push(Move.from_iccs(LOOP_33[-1]))
    verdict = rules.judge(board, occurrences=occurrences)
    assert str(verdict) == "red_loses"
    assert len(verdict.moves) == 4 * (occurrences - 1)


def test_the_no_capture_limit_is_a_parameter():
    board = Board("4k4/9/9/9/9/9/9/9/9/R4K3 w - - 99 60")
    board.push(Move.from_iccs("a0a1"))
    assert str(rules.judge(board)) == "none"
    assert rules.judge(board, no_capture_limit=100).reason == "move_limit"
    board = Board("4k4/9/9/9/9/9/9/9/9/R4K3 w - - 130 70")
    assert rules.judge(board).reason == "move_limit"
    assert str(rules.judge(board, no_capture_limit=None)) == "none"


def test_free_checks_put_the_limit_off():
    board = play("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 118 60", ["a0a9", "d9d8"])
    assert rules.judge(board).reason == "move_limit"
    assert rules.judge(board, counted_checks=0).reason == "none"


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"rule_set": "chess"}, "rule_set must be one of axf, computer, .*, not 'chess'"),
        ({"occurrences": 1}, "occurrences must be 2..1000, not 1"),
        ({"counted_checks": -1}, "counted_checks must not be negative, but is -1"),
        ({"no_capture_limit": 0}, "the no-capture limit must be at least 1 ply or None, not 0"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    raises(ValueError, message, rules.judge, Board(), **arguments)


def test_a_count_is_a_whole_number():
    for name in ("no_capture_limit", "counted_checks"):
        for number in (1.5, math.nan):
            raises(TypeError, "cannot be interpreted as an integer", rules.judge, Board(), **{name: number})
    for method in (Board().no_capture_plies, Board().is_repetition):
        raises(TypeError, "must be an integer, not float", method, 1.5)
        raises(ValueError, "must be [01]..100000, not -1", method, -1)


def test_a_verdict_names_chaser_and_victim():
    verdict = rules.judge(play(DIAGRAM_33, LOOP_33 * 2))
    [chase] = verdict.chases[0]
    assert (chase.victim, chase.attackers, chase.direct) == (8, (61,), True)  # i0 by h6
    assert verdict.chases[1] == ()
    assert [str(note) for note in verdict.moves[:2]] == ["h6i6: i6 chases i0", "i0h0: quiet"]
    assert verdict.winner is False
    assert not verdict.mutual


def test_outcome_tells_of_repetition():
    board = play(DIAGRAM_33, LOOP_33 * 2)
    outcome = board.outcome()
    assert (outcome.termination, outcome.winner) == (Termination.PERPETUAL_CHASE, False)
    assert (board.result(), board.is_game_over()) == ("0-1", True)
    assert board.result(rule_set="checkban") == "1/2-1/2"
    assert board.outcome(rule_set="alwaysdraw").termination == Termination.REPETITION
    assert board.outcome(occurrences=4) is None
    for case in CASES:
        assert bool(play(case["fen"], case["moves"]).outcome()) is (case["verdict"] != "none")


def test_protocol_rule_sets_ignore_what_their_names_say():
    for case in LOOPS:
        board = play(case["fen"], case["moves"])
        assert str(rules.judge(board, "alwaysdraw")) == "draw"
        loses = case["verdict"] if case["reason"] == "perpetual_check" else "draw"
        assert str(rules.judge(board, "checkban")) == loses


def test_by_the_letter_of_the_book_advisors_and_bishops_do_not_chase_protected_rooks():
    for case in LOOPS:
        verdict = str(rules.judge(play(case["fen"], case["moves"]), "axfbook"))
        disputed = case["category"] == "elephant-threat-on-protected-rook"
        if case["rule_set"] == "axf":
            assert verdict == ("draw" if disputed else case["verdict"]), case["id"]


NONE, DRAW, LOSS, WIN, NOT_FINAL, UNSAFE = 0, 1, 2, 3, 4, 8


@pytest.mark.parametrize(
    "plies, ply, verdict",
    [
        (3, 3, NONE),
        (4, 4, NONE),  # the root itself again: once in the game is no repetition
        (4, 5, LOSS | NOT_FINAL),  # an earlier node below the root
        (5, 4, NONE),
        (5, 5, WIN | NOT_FINAL),
        (8, 1, LOSS),  # for the third time, wherever the root was
        (8, 9, LOSS),
        (9, 1, WIN),
    ],
)
def test_the_search_is_told_of_a_lost_repetition(plies, ply, verdict):
    board = play(DIAGRAM_33, (LOOP_33 * 3)[:plies])
    assert board._search_verdict(ply) == verdict


def test_the_search_is_told_of_draws():
    quiet = play("4k4/9/9/9/9/9/9/9/9/R4K3 w - - 0 1", ["a0a1", "e9e8", "a1a0", "e8e9"])
    assert quiet._search_verdict(4) == NONE
    assert quiet._search_verdict(5) == DRAW
    assert Board("4ka3/9/4b4/9/9/9/9/4B4/4A4/3K5 w")._search_verdict(1) == DRAW
    limit = Board("4k4/9/9/9/9/9/9/9/9/R4K3 w - - 120 70")
    assert limit._search_verdict(1) == DRAW
    assert limit._search_verdict(1, limit=121) == NONE
    mated = Board("3aka3/4P4/9/9/9/9/9/9/9/3K1R3 b - - 120 70")
    assert mated.is_checkmate() is (mated._search_verdict(1) == NONE)


def test_the_search_is_told_of_draws_that_other_referees_punish():
    [case] = [case for case in CASES if case["id"] == "pinned-piece-08"]
    assert (case["verdict"], case["by_rule_set"]["simple"]) == ("draw", "black_loses")
    board = play(case["fen"], [*case["moves"], case["moves"][0]])  # Black repeats once more
    assert board._search_verdict(1) == DRAW | UNSAFE
    assert board._search_verdict(2) == DRAW
    assert board._search_verdict(1, rule_set=rules.RULE_SETS.index("alwaysdraw")) == DRAW
    board.push(Move.from_iccs(case["moves"][1]))
    assert board._search_verdict(1) == DRAW  # Red has nothing to fear


def test_nothing_repeats_across_a_pass_or_without_the_moves():
    board = play("4k4/9/9/9/9/9/9/9/9/R4K3 w - - 0 1", ["a0a1", "e9e8", "a1a0", "e8e9"])
    board.push(Move.null())
    board.push(Move.null())
    assert board._search_verdict(9) == NONE
    assert str(rules.judge(board, occurrences=2)) == "none"
    board = play(DIAGRAM_33, LOOP_33 * 2)
    assert str(rules.judge(board.copy(stack=7))) == "none"
    assert str(rules.judge(board.copy(stack=8))) == "red_loses"


@pytest.mark.parametrize(
    ("fen", "moves", "verdict"),
    [
        ("3k5/9/3r5/2p6/1N5N1/3R4C/9/9/3K5/2p6 b", "d7d5 b5a7 d5d7 a7b5", "draw"),
        ("3k5/9/3r5/2p6/1N5N1/3R4C/9/9/3K5/2p6 b", "d7d5 h5i7 d5d7 i7h5", "black_loses"),
        ("3k5/7r1/3P4b/n8/9/2R3Pc1/4N4/4BA2B/9/n4K3 w", "c4a4 a6c7 a4c4 c7a6", "draw"),
        ("3k5/7r1/3P4b/n8/9/2R3Pc1/4N4/4BA2B/9/n4K3 w", "c4a4 a0c1 a4c4 c1a0", "red_loses"),
        ("5k3/1n7/P8/1r7/1P6c/2B6/9/8B/4A3R/3AK4 b", "b6a6 a7b7 a6b6 b7a7", "draw"),
    ],
)
def test_a_slider_between_two_pieces_chases_the_one_that_elephanteye_sees_first(fen, moves, verdict):
    """Rule set simple: rank 0's side before rank 9's, file i's before file a's."""
    board = play(fen, moves.split() * 2)
    assert core_judgement(board, "simple")[0] == verdict
    assert_agrees_with_oracle(board)
