"""`eleengine judge` tells the verdict on a game or a file of cases, and what is wrong with its input."""

import json

import pytest
from support import CHECKOUT, POSITIONS, START, call
from test_cli_perft import fails, suite

FEN = "4kab2/4a4/4b4/3rC2R1/9/9/4n4/4B4/4A4/4KAB1c w - - 0 1"
LOOP = ["h6i6", "i0h0", "i6h6", "h0i0"]
CASE = {"id": "chase", "fen": FEN, "moves": 2 * LOOP, "verdict": "red_loses", "reason": "perpetual_chase"}


@pytest.mark.parametrize("fen", [[FEN], FEN.split(), ["fen", FEN]], ids=["quoted", "words", "ucci"])
def test_judges_a_game(fen):
    result = call("judge", *fen, "moves", *LOOP, *LOOP)
    assert (result.returncode, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[:3] == [
        "verdict red_loses",
        "reason perpetual_chase",
        "Red chases the cannon i0 with the rook h6 on every move; Black does not offend.",
    ]
    assert "grades red 2, black 0" in lines
    assert lines[-4:] == ["  h6i6: i6 chases i0", "  i0h0: quiet", "  i6h6: h6 chases h0", "  h0i0: quiet"]


def test_judges_the_initial_position_by_default():
    for game in [[], ["startpos"], ["startpos", "moves", "h2e2"], [START]]:
        assert call("judge", *game).stdout.startswith("verdict none\nreason none\n")


def test_rules_and_limits_are_options():
    game = ["judge", FEN, "moves", *LOOP]
    assert call(*game).stdout.startswith("verdict none\n")
    assert call(*game, "--occurrences", 2).stdout.startswith("verdict red_loses\n")
    assert call(*game, "--occurrences", 2, "--rules", "checkban").stdout.startswith("verdict draw\n")
    limit = call(*game, "--no-capture-limit", 4)
    assert limit.stdout.startswith("verdict draw\nreason move_limit\n")
    checked = ["judge", "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 118 60", "moves", "a0a9", "d9d8"]
    assert call(*checked).stdout.startswith("verdict draw\nreason move_limit\n")
    assert call(*checked, "--counted-checks", 0).stdout.startswith("verdict none\n")
    late = ["judge", FEN.replace(" 0 1", " 500 1")]
    assert call(*late).stdout.startswith("verdict draw\nreason move_limit\n")
    assert call(*late, "--no-capture-limit", 0).stdout.startswith("verdict none\n")


def test_all_cases_of_the_project_are_right():
    result = call("judge", "--suite", POSITIONS / "repetition.jsonl")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.splitlines()[-1].split() == ["all", "219", "right", "0", "wrong"]


def test_a_wrong_case_is_told_and_fails(tmp_path):
    wrong = {**CASE, "id": "bad", "verdict": "draw", "reason": "repetition"}
    result = call("judge", "--suite", suite(tmp_path, CASE, wrong, {**CASE, "id": "r", "reason": "material"}))
    assert result.returncode == 1
    assert "bad: expected draw (repetition), found red_loses (perpetual_chase): Red chases" in result.stdout
    assert "r: expected red_loses (material), found" in result.stdout
    assert result.stdout.splitlines()[-1].split() == ["all", "1", "right", "2", "wrong"]


def test_a_wrong_disputed_case_is_only_told(tmp_path):
    result = call("judge", "--suite", suite(tmp_path, {**CASE, "tier": "disputed", "verdict": "draw"}))
    assert result.returncode == 0
    assert "chase: expected draw" in result.stdout


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["moves", "h2e2", "h2e2"], "move 2: illegal move h2e2 in "),
        (["moves", "0000"], "move 1: a game has no null moves"),
        (["--rules", "chess"], "invalid choice: 'chess'"),
        (["--occurrences", "1"], "must be a whole number from 2 to 1000"),
        (["--suite", "there-is-none", FEN], "--suite goes without a game"),
        (["--suite", "there-is-none"], "there-is-none: No such file or directory"),
    ],
)
def test_bad_input_is_named(arguments, message):
    assert message in fails("judge", *arguments)


@pytest.mark.parametrize(
    "line, message",
    [
        ({**CASE, "verdict": "won"}, '"verdict" must be one of none, draw, red_loses, black_loses'),
        ({**CASE, "moves": "h2e2"}, '"moves" must be a list of texts'),
        ({**CASE, "moves": ["a0a9"]}, "move 1: illegal move a0a9"),
        ({**CASE, "rule_set": []}, '"rule_set" must be one of axf, '),
        ({**CASE, "fen": 1}, '"fen" must be a text'),
        ({**CASE, "fen": START.split()[0]}, "not an exact FEN: the side to move is missing"),
        ({**CASE, "reason": 1}, '"reason" must be a text'),
        ("[]", "expected a JSON object"),
    ],
)
def test_bad_lines_of_a_suite_are_named_and_left_out(tmp_path, line, message):
    path = suite(tmp_path, json.dumps(CASE), line, {**CASE, "id": "after"})
    result = call("judge", "--suite", path)
    assert result.returncode == 1
    assert f"eleengine: {path}:2: {message}" in result.stderr
    assert result.stdout.splitlines()[-1].split() == ["all", "2", "right", "0", "wrong"]


def test_a_suite_without_a_good_line_is_an_error(tmp_path):
    path = suite(tmp_path, "[]", "{}")
    assert f"{path}:2: " in fails("judge", "--suite", path)


# Games


def test_the_ply_that_decided_the_game_is_told():
    result = call("judge", FEN, "moves", *LOOP, *LOOP, *LOOP[:1])
    lines = result.stdout.splitlines()
    assert lines[0] == "verdict red_loses"
    assert lines[3] == "decided at ply 8 of 9 (h0i0)"
    assert lines[4] == "at the end, after 9 plies: red_loses (perpetual_chase)"
    mate = call("judge", "3k5/4P4/9/9/9/9/9/9/9/3RK4 b").stdout.splitlines()
    assert mate[:2] == ["verdict black_loses", "reason checkmate"] and mate[3] == "decided at ply 0 of 0"
    late = "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 118 60"
    drawn = call("judge", late, "moves", "a0a7", "d9d8", "a7a8").stdout.splitlines()
    assert drawn[3:5] == ["decided at ply 2 of 3 (d9d8)", "at the end, after 3 plies: draw (move_limit)"]


def test_a_second_occurrence_is_told():
    for moves, lines in (
        (LOOP[:3], []),
        (LOOP, ["the position stands for the second time; it first did after ply 0"]),
        ([*LOOP, "h6i6"], ["the position stands for the second time; it first did after ply 1"]),
    ):
        coming = ["once more by the same moves: red_loses (perpetual_chase)"] if lines else []
        assert call("judge", FEN, "moves", *moves).stdout.splitlines()[3:-1] == lines + coming
    far = call("judge", FEN, "moves", *LOOP, *LOOP, "--occurrences", 5).stdout.splitlines()
    assert far[3:-1] == ["the position stands for the third time; it first did after ply 0"]


def test_options_may_stand_anywhere():
    for arguments in (
        ["--rules", "checkban", FEN, "moves", *LOOP, *LOOP],
        [*FEN.split(), "--rules", "checkban", "moves", *LOOP, *LOOP],
        [FEN, "moves", *LOOP, "--rules=checkban", *LOOP],
    ):
        assert call("judge", *arguments).stdout.startswith("verdict draw\nreason repetition\n")


@pytest.mark.parametrize(
    "line",
    [
        f"position fen {FEN} moves {' '.join(2 * LOOP)}",
        f"position fen {FEN} - - 0 1 MOVES {' '.join(2 * LOOP).upper()}",
        f"12:30:01.250 eleengine << position fen {FEN.split()[0]} moves {' '.join(2 * LOOP)}",
        f"Position FEN {FEN.split()[0]} W -- x y moves {' '.join(2 * LOOP)}",
    ],
)
def test_a_line_of_a_log_is_taken_as_it_is(line):
    for arguments in ([line], line.split()):
        assert call("judge", *arguments).stdout.startswith("verdict red_loses\n")


def test_what_is_wrong_in_a_line_of_a_log_is_told():
    assert "rank 9 has 8 points" in fails("judge", "position fen 8/9/9/9/9/9/9/9/9/9 w moves h2e2")


RECORDS = sorted(path for path in (CHECKOUT / "tests" / "records").iterdir() if path.suffix != ".json")


@pytest.mark.parametrize("path", RECORDS, ids=[path.name for path in RECORDS])
def test_records_of_every_format_are_judged(path):
    result = call("judge", path)
    assert result.returncode == 0
    assert result.stdout.startswith(("verdict ", "     1  "))


def test_all_games_of_a_file_are_judged(tmp_path):
    path = tmp_path / "games.txt"
    mated = "3k5/4P4/9/9/9/9/9/9/9/3RK4 b"
    games = [f"{FEN} moves {' '.join(LOOP + LOOP)} h6i6", "startpos moves h2e2", mated]
    path.write_text("\n".join(games) + "\n")
    assert call("judge", path).stdout.splitlines() == [
        "     1  red_loses (perpetual_chase) at ply 8 of 9 (h0i0)",
        "     2  none after 1 plies",
        "     3  black_loses (checkmate) at ply 0 of 0",
    ]
    assert call("judge", path, "--game", 3).stdout.startswith("verdict black_loses\n")
    assert call("judge", "-", text=games[0]).stdout.startswith("verdict red_loses\n")
    path.write_text("")
    assert "no move of a game" in fails("judge", path)


def test_a_game_that_cannot_be_judged_is_named_and_the_others_keep_their_numbers(tmp_path):
    path = tmp_path / "games.txt"
    games = ["startpos moves h2e2", "9/9 w moves h2e2", "startpos moves h2e2 0000", "startpos"]
    path.write_text("\n".join(games) + "\n")
    result = call("judge", path)
    assert result.returncode == 1
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["1", "4"]
    assert f"{path}: game 2 cannot be read" in result.stderr
    assert f"{path}: game 3: move 2: a game has no null moves" in result.stderr
