"""`eleengine analyse`, `bench`, `eval`, `play` and `solve` as programs: output, exit status, bad input."""

import doctest
import json
import os
import re
import signal
import subprocess

import pytest
from support import COMMAND, POSITIONS, START, call, fails, output, run_command, run_program, terminal

from eleengine import Board
from eleengine._internal import live
from eleengine.commands import bench
from eleengine.commands.shared import writing
from eleengine.commands.solve import read_puzzles
from eleengine.records import Game

MATE_IN_1 = "3k5/R8/8R/9/9/9/9/9/9/5K3 w"  # i7i9 is the only mate
MATED = "3k4R/R8/9/9/9/9/9/9/9/5K3 b"


@pytest.mark.system
@pytest.mark.parametrize(
    ("args", "status"),
    [(["judge", "startpos"], 0), (["judge", "startpos", "moves", "a0a9"], 2), (["perft", "--x"], 2)],
)
def test_what_other_tests_call_is_what_the_program_does(args, status):
    program, here = run_command(*args), call(*args)
    assert program.returncode == here.returncode == status
    assert (program.stdout, program.stderr) == (here.stdout, here.stderr)


@pytest.mark.parametrize("module", [writing, live])
def test_examples(module):
    assert doctest.testmod(module) == (0, doctest.testmod(module).attempted)


# Bad input


@pytest.mark.parametrize(
    "command",
    [["analyse"], ["eval"], ["play"], ["judge"], ["perft", "--depth", "2"]],
    ids=lambda command: command[0],
)
@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["start"], "invalid FEN 'start': the board needs 10 ranks separated by '/', not 1"),
        (["games/nofile.pgn"], "not 2; and there is no such file"),
        ([START.replace("K", "k")], "red has no king"),
        (["moves", "h2e2", "h2e2"], "illegal move h2e2"),
        (["startpos", "moves", "hello"], "invalid move 'hello'"),
        (["--colour"], "unrecognized arguments: --colour"),
    ],
)
def test_bad_positions_are_named(command, args, message):
    assert message in fails(*command, *args)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["analyse", "--time", "0"], "--time: must be seconds, above 0 and at most 1000000, not '0'"),
        (["analyse", "--depth", "101"], "--depth: must be a whole number from 1 to 100, not '101'"),
        (["analyse", "--nodes", "many"], "--nodes: must be a whole number"),
        (["analyse", "--multipv", "0"], "--multipv: must be a whole number from 1 to 128, not '0'"),
        (["analyse", "--notation", "german"], "--notation: invalid choice: 'german'"),
        (["bench", "--depth", "0"], "--depth: must be a whole number from 1 to 100, not '0'"),
        (["match", "--alpha", "1e999"], "--alpha: must be a number from 1e-09 to 0.49, not '1e999'"),
        (["match", "-e", "nodes=1_0", "-e", "nodes=5"], "'nodes=1_0': must be a whole number"),
        (["match", "-e", "tc=1_0", "-e", "nodes=5"], "a clock is seconds"),
        (["match", "-e", "depth=101", "-e", "nodes=5"], "'depth=101': must be a whole number from 1 to 100"),
        (["elo", "--sprt", "5", "0", "1", "2", "3"], "elo0 must be below elo1"),
        (["papers", "table", "--positions", "１"], "--positions: must be numbers such as 1,4-6, not '１'"),
        (["spsa", "--start", "{deep}"], "deep.json: not JSON: nested too deeply"),
        (["bench", "--expect", "5", "--threads", "2"], "--expect needs one thread"),
        (["openings", "{folder}"], ": Is a directory"),
        (["play", "--level", "21"], "--level: must be a whole number from 0 to 20, not '21'"),
        (["play", "--side", "white"], "--side: invalid choice: 'white'"),
        (["solve"], "the following arguments are required: FILE"),
        (["solve", "/nonexistent"], "/nonexistent: No such file or directory"),
        (["solve", ""], "eleengine: '': No such file or directory"),
        (["eval", POSITIONS / "endings.epd", "startpos"], "endings.epd: a file of records stands alone"),
        (["solve", POSITIONS / "puzzles.jsonl", "--filter", "easy"], "no puzzle has easy"),
    ],
)
def test_bad_arguments_are_named(args, message, tmp_path):
    deep = tmp_path / "deep.json"
    deep.write_text("[" * 100_000)
    places = {"{deep}": deep, "{folder}": tmp_path}
    assert message in fails(*(places.get(word, word) for word in args))


@pytest.mark.parametrize(
    "args",
    [
        ["convert", "{game}", "{mine}"], ["convert", "{mine}", "{game}", "{mine}"],
        ["review", "{game}", "--out", "{mine}"],
        ["tune", "fit", "{mine}", "--out", "{mine}"],
        ["tune", "fit", "{mine}", "--start", "{mine}", "--out", "{mine}"],
        ["tune", "fit", "{game}", "--out", "{new}", "--report", "{folder}"],
        ["nnue", "train", "{mine}", "--out", "{mine}"], ["nnue", "train", "{game}", "--out", "{mine}"],
        ["nnue", "train", "{game}", "--out", "{new}", "--report", "{folder}"],
        ["papers", "table", "--csv", "{mine}"], ["spsa", "--steps", "0", "--out", "{mine}"],
        ["spsa", "--steps", "0", "--start", "{values}", "--out", "{values}"],
        ["papers", "genetic", "--out", "{mine}"], ["book", "merge", "masters", "{mine}"],
        ["data", "merge", "{mine}", "{mine}"],
    ],
    ids=lambda args: " ".join(args[:2]),
)  # fmt: skip
def test_what_is_there_is_not_overwritten(args, tmp_path):
    """Whether it is the input or something else."""
    names = {
        "mine": tmp_path / "mine.pgn", "game": tmp_path / "game.pgn", "new": tmp_path / "new.json",
        "folder": tmp_path / "folder", "values": tmp_path / "values.json",
    }  # fmt: skip
    names["folder"].mkdir()
    for path in (names["mine"], names["game"], names["folder"] / "report.txt"):
        path.write_text('[Red "mine"]\n\n1. h2e2 h9g7 *\n')
    names["values"].write_text('{"lmr_base": 90}')
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    message = fails(*(word.format(**names) for word in args))
    why = "is read, too" if args.count(args[-1]) > 1 else "exists already"
    assert why in message or ("needs" in message and "pip install" in message), message
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == before


def test_chinese_on_an_output_without_it_is_refused():
    assert "--notation chinese: the output is ascii text" in fails(
        "analyse", "--notation", "chinese", encoding="ascii"
    )
    assert "--letters chinese: the output is iso8859-1 text" in fails(
        "play", "--letters", "chinese", encoding="latin-1"
    )
    assert "炮" not in "".join(output("analyse", "--depth", 2, encoding="ascii"))


@pytest.mark.skipif(
    "libasan" in os.environ.get("LD_PRELOAD", ""),
    reason="the address sanitizer ends programs that ask for too much",
)
@pytest.mark.parametrize("command", ["bench", "analyse", "play"])
def test_a_table_beyond_the_memory_is_named(command):
    message = fails(command, "--hash", 1 << 20, *([] if command == "play" else ["--depth", 1]))
    assert message == "eleengine: not enough memory for a table of 1048576 MiB\n"


@pytest.mark.parametrize(
    "args", [["show"], ["convert", "--to", "fen"], ["judge"], ["review", "--depth", "1"]]
)
def test_a_name_may_begin_with_a_dash_and_have_a_line_end(args, tmp_path):
    (tmp_path / "-x\n.pgn").write_text("1. h2e2 h9g7 *\n")
    result = call(*args, "--", "-x\n.pgn", *["-"] * ("convert" in args), cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.system
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no disk is always full here")
@pytest.mark.parametrize(
    "args", [["bench", "--depth", "1"], ["perft", "--depth", "2"], ["eval"], ["analyse", "--depth", "1"]]
)
def test_output_that_cannot_be_written_is_named(args):
    with open("/dev/full", "w") as full:
        result = subprocess.run([*COMMAND, *args], stdout=full, stderr=subprocess.PIPE, text=True)
    assert (result.returncode, result.stderr) == (2, "eleengine: output: No space left on device\n")


def test_any_output_takes_all_texts():
    for words in (["play", "--help"], ["play", "--level", 0]):
        assert "\\u" not in "".join(output(*words, encoding="latin-1", text="help\nquit\n"))
    assert "進" in "".join(output("analyse", "--depth", 3, "--notation", "traditional"))
    message = fails("analyse", "--notation", "traditional", encoding="gb2312")
    assert "--notation traditional: the output is gb2312 text" in message


# analyse


def test_the_best_move_is_that_of_the_last_line():
    for nodes in (20, 33_000, 41_000, 60_000):
        lines = [json.loads(line) for line in output("analyse", "--json", "--nodes", nodes, "--hash", 1)]
        assert lines[-2]["pv"][0] == lines[-1]["best"]


def test_analyse_prints_a_line_for_each_iteration():
    *lines, best = output("analyse", MATE_IN_1, "--depth", 4, "--notation", "wxf")
    finished = {line.partition("/")[0]: line for line in lines}  # before them, news of slow iterations
    assert list(finished) == [f"depth {depth}" for depth in range(1, len(finished) + 1)]
    for depth, line in enumerate(finished.values(), 1):
        assert re.fullmatch(
            rf"depth {depth}/\d+ rank 1 score mate 1 nodes \d+ nodes/s \d+ time \d+\.\d\d "
            r"move R1\+2 i7i9 line R1\+2",
            line,
        )
    assert best == "best move R1+2 i7i9"


def test_analyse_writes_json_lines():
    *infos, last = map(
        json.loads, output("analyse", "--depth", 3, "--multipv", 2, "--json", "moves", "炮二平五", "H8+7")
    )
    told = {(info["depth"], info["multipv"]) for info in infos}  # with news in between
    assert told == {(depth, rank) for depth in (1, 2, 3) for rank in (1, 2)}
    assert all(set(info["score"]) == {"cp"} for info in infos)
    assert last["best"] == infos[-2]["pv"][0]
    board = Board()
    for text in ("h2e2", "h9g7", *infos[-2]["pv"]):
        board.push_iccs(text)


def test_analyse_tells_that_a_game_is_over():
    assert output("analyse", MATED) == ["no legal move: the side to move has lost"]
    assert output("analyse", MATED, "--json") == ['{"best": null, "ponder": null}']


@pytest.mark.system
def test_the_live_table_ends_with_ctrl_c_and_gives_the_cursor_back():
    status, text = terminal("analyse", "--multipv", 2, "--time", 60, then=[("nodes/s", signal.SIGINT)])
    assert status == 130
    assert text.count(live.HIDE) == text.count(live.SHOW) == 1
    assert text.index("Red to move") < text.index(live.HIDE)
    assert text.count(live.ERASE_BELOW) >= 1
    table, last = text.split(live.SHOW)
    rows = table.split(live.ERASE_BELOW)[-1].splitlines()
    assert [row.split()[0] for row in rows] == ["score", "1", "2", "nodes"]
    assert last.startswith("best move ")


@pytest.mark.system
def test_sigterm_ends_the_program_in_a_command_that_was_typed_and_ctrl_c_the_command():
    typed = [
        ("play to play", "analyse --time 60\n"),
        ("nodes/s", signal.SIGINT),
        ("best move", "analyse --time 60\n"),
    ]
    status, text = terminal(then=[*typed, ("nodes/s", signal.SIGTERM)])
    assert status == 143 and text.count(live.HIDE) == text.count(live.SHOW) == 2


def test_lines_of_the_live_table_fit_the_terminal(monkeypatch):
    class Screen:
        text = ""
        isatty, fileno, flush = (lambda self: True), (lambda self: 1), (lambda self: None)

        def write(self, text):
            self.text += text

    monkeypatch.setattr(os, "get_terminal_size", lambda fd: os.terminal_size((10, 4)))
    screen = Screen()
    with live.LiveLines(screen) as shown:
        shown.show(["炮二平五炮二平五", "h2e2 h2e2 h2e2", "a", "b", "c"])
        shown.show(["d"])
        shown.clear()
    assert screen.text == (
        f"{live.HIDE}炮二平五\nh2e2 h2e2\na\n\x1b[3A{live.ERASE_BELOW}d\n\x1b[1A{live.ERASE_BELOW}{live.SHOW}"
    )


# bench


def test_bench_counts_the_same_nodes_in_every_process():
    lines = [output("bench", "--depth", 4) for _ in range(2)]
    assert lines[0][0] == "positions 40"
    assert lines[0][-1] == lines[1][-1] == lines[0][1].replace("nodes", "signature")
    nodes = lines[0][-1].split()[1]
    assert int(nodes) > 10_000
    assert output("bench", "--depth", 4, "--expect", nodes)[-1] == f"signature {nodes}"
    result = call("bench", "--depth", 4, "--expect", int(nodes) + 1)
    assert (result.returncode, result.stdout.splitlines()[-1]) == (1, f"wrong: expected {int(nodes) + 1}")


def test_bench_has_positions_of_all_kinds():
    boards = [Board(fen) for fen in bench.POSITIONS]
    assert len({board.fen() for board in boards}) == 40
    assert sum(board.is_check() for board in boards) >= 5
    assert all(board.legal_moves for board in boards)


# eval


def test_eval_shows_terms_and_their_sum():
    lines = output("eval", "--network", "classical", f"{START} moves h2e2")
    totals = [int(line.split()[-1]) for line in lines if line.startswith("  ") and "total" not in line]
    groups = [int(line.split()[-1]) for line in lines[3 : lines.index("", 3)] if not line.startswith("  ")]
    rest = {line[:54].strip(): int(line.split()[-1]) for line in lines[lines.index("", 3) + 1 :]}
    tempo = next(int(line.split()[-1]) for line in lines if line.startswith("tempo"))
    assert sum(totals) + tempo == sum(groups) == rest["sum"]
    *parts, red, mover = rest.values()
    assert sum(parts) == red == -mover
    assert list(rest)[-1] == "score for the side to move (black)"
    assert len(output("eval", "--network", "classical", "--trace")) > len(lines)


def test_eval_shows_what_the_network_says():
    lines = output("eval", f"{START} moves h2e2")
    classical = next(i for i, line in enumerate(lines) if line.startswith("Classical evaluation"))
    assert output("eval", "--network", "classical", f"{START} moves h2e2")[1:] == lines[classical + 1 :]
    board = Board()
    board.push_iccs("h2e2")
    score = board.evaluation().network.score.relative.score()
    assert lines[classical - 2].split()[-1] == f"{score:+}"
    pieces = [line.split() for line in lines[2:classical:2]][:10]
    assert ["".join(rank) for rank in pieces] == [
        "rnbakabnr", ".........", ".c.....c.", "p.p.p.p.p", ".........",
        ".........", "P.P.P.P.P", ".C..C....", ".........", "RNBAKABNR",
    ]  # fmt: skip


def test_eval_writes_json():
    [line] = output("eval", "--json", MATE_IN_1)
    data = json.loads(line)
    assert sum(term["total"] for term in data["terms"]) + sum(data["steps"].values()) == data["score_red"]
    assert data["terms"][0]["counts"][0]["what"] == "rook"


# solve

PUZZLES = [
    {"id": "one", "class": "checks", "fen": MATE_IN_1, "best": ["i7i9"], "win_in_plies": 1, "agreed": True},
    {"id": "two", "class": "quiet", "fen": MATE_IN_1, "best": ["a8a7"], "win_in_plies": 3},
    {"id": "three", "fen": "4k4/9/9/9/4r4/9/4R4/9/9/3K5 w", "best": ["e3e4"], "also_good": ["e3e5"]},
]
EPD = f"""
{MATE_IN_1} - - 0 1 bm R1+2; dm 1; id "four";
{MATE_IN_1} bm a8b8 a8c8
"""


@pytest.fixture
def suite(tmp_path):
    path = tmp_path / "suite"
    path.write_text("\n".join(map(json.dumps, PUZZLES)) + EPD, encoding="utf-8")
    return path


def test_solve_judges_moves_and_lengths(suite):
    *lines, counts, sums = output("solve", suite, "--depth", 3)
    assert [line.split()[0] for line in lines] == ["one", "two", "three", "four", "line"]
    assert [re.split(r"  +", line)[1] for line in lines] == [
        "right", "shorter mate", "right", "right", "wrong",
    ]  # fmt: skip
    assert "known: " in lines[4] and "known: " not in lines[0]
    assert counts == "puzzles 5, moves right 4; mates 3, found 3, length right 3"
    assert re.fullmatch(r"nodes \d+, seconds \d+\.\d\d", sums)


def test_solve_filters_and_ends_a_puzzle_at_the_known_length(suite):
    for words, names in (("checks", ["one"]), ("four", ["four"]), ("agreed", ["one"])):
        *lines, last = map(json.loads, output("solve", suite, "--depth", 1, "--filter", words, "--json"))
        assert [line["id"] for line in lines] == names
        assert last["summary"]["puzzles"] == 1
    lines = output("solve", suite, "--depth", 1, "--limit", 2, "--json")
    assert len(lines) == 3
    [line, _] = map(json.loads, output("solve", suite, "--time", 60, "--filter", "one", "--json"))
    assert (line["verdict"], line["plies"], line["known_plies"]) == ("right", 1, 1)
    assert line["right_after"] <= line["seconds"] < 30  # of 60


def test_puzzles_come_through_stdin():
    game = Game(MATE_IN_1)
    game.play("i7i9")
    for text in (f"{MATE_IN_1} bm i7i9;\n", json.dumps({"fen": MATE_IN_1, "best": ["i7i9"]}), str(game)):
        result = call("solve", "-", "--depth", 2, text=text)
        assert "puzzles 1, moves right 1" in result.stdout, text
    assert "-:1: dm must be" in call("solve", "-", text=f"{MATE_IN_1} dm soon;\n").stderr
    suite = call("perft", "--suite", "-", text=json.dumps({"id": "a", "fen": MATE_IN_1, "perft": [36]}))
    assert suite.returncode == 0, suite


def test_all_puzzles_of_this_project_are_read():
    puzzles = read_puzzles(POSITIONS / "puzzles.jsonl")
    assert len(puzzles) == 157
    assert all(puzzle.best for puzzle in puzzles)
    assert sum(puzzle.plies is not None for puzzle in puzzles) == 124


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"fen": ', "not JSON: Expecting value at column 9"),
        ('{"best": []}', '"fen" must be a text'),
        ('{"fen": "x"}', "the board needs 10 ranks separated by '/', not 1"),
        (f'{{"fen": "{MATE_IN_1} move i7i9"}}', "not an exact FEN: 'move i7i9' behind the side"),
        (f'{{"fen": "{MATE_IN_1}", "best": "i7i9"}}', '"best" must be a list of moves'),
        (f'{{"fen": "{MATE_IN_1}", "best": ["i7i0", "a8i9"]}}', "illegal move a8i9"),
        (f'{{"fen": "{MATE_IN_1}", "win_in_plies": 0}}', '"win_in_plies" must be a whole number above 0'),
        (f"{MATE_IN_1} bm xyz;", "invalid move 'xyz'"),
        (f"{MATE_IN_1} dm soon;", "dm must be a number of moves above 0, not 'soon'"),
    ],
)
def test_bad_puzzles_are_named_and_the_others_run(tmp_path, line, message):
    path = tmp_path / "suite"
    path.write_text(f"{MATE_IN_1} bm i7i9;\n\n{line}\n{MATE_IN_1} dm 1;\n", encoding="utf-8")
    result = call("solve", path, "--depth", 2)
    assert result.returncode == 1
    assert f"eleengine: {path}:3: " in result.stderr
    assert message in result.stderr
    assert "puzzles 2, moves right 2" in result.stdout


def test_a_file_without_a_puzzle_is_an_error(tmp_path):
    path = tmp_path / "suite"
    path.write_text(f"{MATE_IN_1} dm soon;\n", encoding="utf-8")
    error = fails("solve", path)
    assert f"{path}:1: dm must be" in error and f"{path}: no positions" in error


def test_games_without_a_move_to_find_are_left_out(tmp_path):
    path = tmp_path / "puzzles.pgn"
    game = f'[Game "Chinese Chess"]\n[FEN "{MATE_IN_1} - - 0 1"]\n\n'
    path.write_text(f"{game}*\n\n{game}1. i7i9 i0i1 *\n", encoding="utf-8")
    result = call("solve", path, "--depth", 2)
    assert result.returncode == 1
    left_out, warning = result.stderr.splitlines()
    assert left_out == f"eleengine: {path}: game 1 has no move to find"
    assert f"{path}: line 9: illegal move i0i1" in warning
    assert "puzzles 1, moves right 1" in result.stdout


@pytest.mark.system
def test_solve_shows_its_progress_on_a_terminal_and_ends_with_ctrl_c():
    status, text = terminal(
        "solve", POSITIONS / "puzzles.jsonl", "--time", 60, "--filter", "fun-118",
        then=[("nodes/s", signal.SIGINT)],
    )  # fmt: skip
    assert status == 130
    assert re.search(r"1/1 fun-118: depth \d+, [\d,]+ nodes, [\d,]+ nodes/s, \d+ s", text)
    assert "puzzles 0, moves right 0" in text
    assert text.count(live.HIDE) == text.count(live.SHOW) == 1


# play


def play(*args, say):
    return "\n".join(
        output("play", "--letters", "latin", "--notation", "iccs", "--level", 0, *args, text=say)
    )


def test_play_takes_moves_in_any_notation():
    text = play(say="h2e2\nfen\nundo\nC2.5\nundo\n炮二平五\nmoves\nquit\n")
    assert text.count("you play h2e2") == text.count("eleengine plays ") == 3
    assert re.search(r"^1\. h2e2 \w\d\w\d$", text, re.M)
    assert f"{START.split()[0]} b" not in text


def test_play_undo_goes_back_to_the_move_before():
    text = play(say="undo\nh2e2\nundo\nfen\n")
    assert "there is no move of yours to take back" in text
    assert text.splitlines()[-1] == START


def test_play_black_and_changed_sides():
    text = play("--side", "black", say="undo\nfen\nswitch\nmoves")
    assert "there is no move of yours to take back" in text
    assert "i h g f e d c b a" in text  # seen from Black's side
    # After the change the engine answers its own first move.
    assert text.count("eleengine plays") == 2
    assert re.search(r"^1\. \w\d\w\d \w\d\w\d$", text, re.M)


def test_play_tells_the_end_of_the_game_and_goes_on_with_undo():
    text = play(MATE_IN_1, say="i7i9\nh2e2\nundo\nfen\nnew\nquit")
    assert "Black has no legal move: checkmate." in text
    assert "the game is over: undo, new or quit" in text
    assert f"{MATE_IN_1} - - 0 1" in text.splitlines()


def test_play_has_hints_levels_and_help():
    text = play(MATE_IN_1, say="hint\nlevel\nlevel ７\nlevel high\nhelp\n\nboard\n")
    assert "hint: i7i9 (mate 1)" in text
    assert re.findall(r"^level \d+$", text, re.M) == ["level 0", "level 7", "level 7"]
    assert "a level is a whole number from 0 to 20" in text
    assert "take back your last move" in text
    assert text.count("a b c d e f g h i") == 2


def test_play_explains_what_is_not_a_move():
    text = play(say="hello\na0a9\n0000\n")
    assert "invalid move 'hello'" in text
    assert "illegal move a0a9" in text
    assert "passing is not allowed" in text
    assert "you play" not in text


@pytest.mark.system
def test_play_needs_text():
    strict = {"PYTHONIOENCODING": "utf-8:strict"}
    result = run_program(*COMMAND, "play", input=b"\xff\xfe\n", env=strict, text=False)
    assert result.returncode == 2
    assert result.stderr == b"eleengine: the input is not UTF-8 text\n"
