"""The options of the engine's process that say what a repetition means and when a game is a draw."""

import pytest
from ucci_client import Engine, field, pv_lines

# Red's rook chases the cannon with every move.
CHASE = "position fen 4kab2/4a4/4b4/3rC2R1/9/9/4n4/4B4/4A4/4KAB1c w - - 0 1 moves"
LOOP = "h6i6 i0h0 i6h6 h0i0"


@pytest.fixture(scope="module")
def engine():
    engine = Engine()
    yield engine
    engine.quit()


def score_and_move(engine, option, *commands):
    engine.send("setoption newgame", f"setoption {option}")
    start = engine.mark()
    move = engine.best(*commands)
    return int(field(pv_lines(engine.texts(start))[-1], "score")), move


@pytest.mark.parametrize(
    "rule, punished",
    [
        *(("asianrule", True), ("chineserule", True), ("computer", True), ("simple", True)),
        *(("checkban", False), ("alwaysdraw", False)),
    ],
)
def test_the_option_repetition_says_what_a_chase_means(engine, rule, punished):
    option = f"repetition {rule}"
    score, move = score_and_move(engine, option, f"{CHASE} {LOOP} {LOOP[:-5]}", "go depth 4")
    assert (move == "h0i0" and score > 5000) is punished  # with that move Black would win by the rules
    score, move = score_and_move(engine, option, f"{CHASE} {LOOP} {LOOP} {LOOP[:9]}", "go depth 4")
    assert (move, score) == ("i6h6", 0) or punished  # with that move Red would lose
    assert move != "i6h6" or not punished


@pytest.mark.parametrize("limit, drawn", [(120, True), (119, True), (0, False), (200, False)])
@pytest.mark.parametrize("option", ["naturallimit", "drawmoves"])  # XQWizard sends the latter
def test_the_option_naturallimit_says_when_the_game_is_a_draw(engine, option, limit, drawn):
    place = "position fen 3k5/4a4/9/9/9/9/9/9/R8/4K4 w - - 118 80"
    score, _ = score_and_move(engine, f"{option} {limit}", place, "go depth 2")
    assert (abs(score) <= 1) is drawn


@pytest.mark.parametrize(
    "fen, loop",
    [  # the last move of the loop was the engine's choice where no game had gone before
        ("1P1a5/4k4/4b4/9/2b6/6N2/9/8c/4R4/5K3", "i2i0 g4i3 i0i2 i3g4"),
        ("4k4/9/3a5/9/1CP6/1n7/2p6/9/9/1N1K2B2", "c3b3 b5a5 b3c3 a5b5"),
        ("3k5/4a4/7c1/9/3N3c1/9/9/2p6/4R4/5K3", "c2b2 e1f1 b2c2 f1e1"),
    ],
)
def test_a_winner_plays_on_instead_of_repeating(engine, fen, loop):
    place = f"position fen {fen} b - - 1 1 moves {loop} {loop[:14]}"
    score, move = score_and_move(engine, "repetition asianrule", place, "go depth 6")
    assert score > 30 and move != loop[15:]
