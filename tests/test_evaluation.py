"""The trace of the evaluation explains the score to the centipawn."""

import pytest
from support import sample

from eleengine import Board
from eleengine._core import Searcher, eval_trace
from eleengine.evaluation import evaluate

POSITIONS = sample(400)


def test_the_counts_times_their_weights_are_the_sums():
    """A term that the trace does not know would be missing here."""
    for fen in POSITIONS:
        trace = eval_trace(Board(fen))
        mg = sum((red - black) * weight for _, _, red, black, weight, _ in trace["counts"])
        eg = sum((red - black) * weight for _, _, red, black, _, weight in trace["counts"])
        assert (mg, eg) == (trace["mg"], trace["eg"]), fen


def test_terms_and_steps_sum_up_to_the_score_of_the_search():
    searcher = Searcher(hash_mib=1)
    for fen in POSITIONS:
        board = Board(fen)
        evaluation = evaluate(board)
        total = sum(term.total for term in evaluation.terms) + sum(value for _, value in evaluation.steps)
        assert total == evaluation.score.red().score(), fen
        assert evaluation.score.relative.score() == searcher.evaluate(board), fen


def test_every_term_has_a_group():
    groups = {term.group for fen in POSITIONS for term in evaluate(Board(fen)).terms}
    assert groups == {
        "material", "piece squares", "mobility", "attack on the king", "threats", "structure", "imbalance",
        "tempo",
    }  # fmt: skip


def test_scaling_and_the_move_limit_are_steps_of_their_own():
    board = Board("3k5/4a4/3a5/9/2b6/9/9/4C4/9/4K4 w - - 0 1")
    names, values = zip(*evaluate(board).steps, strict=True)
    assert names[1].startswith("winning chances") and not names[1].endswith("64/64")
    assert values[1] < 0 == values[2]
    board = Board("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/1NBAKABNR w - - 80 60")
    assert evaluate(board).steps[2][1] > 0  # Red is behind: the drift helps


def test_exchanged_colors_exchange_the_columns():
    for fen in POSITIONS[::10]:
        board = Board(fen)
        ours, theirs = evaluate(board), evaluate(board.swap_colors())
        assert theirs.score.relative == ours.score.relative, fen
        # The order of the counts may differ, and with it the order of the terms.
        columns = {(term.group, term.name): (term.black, term.red) for term in theirs.terms}
        assert {(term.group, term.name): (term.red, term.black) for term in ours.terms} == columns, fen


def test_the_table_shows_each_term_and_count():
    evaluation = Board().evaluation()
    lines = evaluation.table(counts=True).splitlines()
    for term in evaluation.terms:
        assert any(line.startswith(f"  {term.name} ") for line in lines)
        for count in term.counts:
            assert any(line.startswith(f"    {count.what} ") for line in lines)
    assert str(evaluation) == evaluation.table()


def test_a_position_that_is_not_valid_is_refused():
    with pytest.raises(ValueError, match="red has no king"):
        Board("4k4/9/9/9/9/9/9/9/9/9 w", validate=False).evaluation()
