"""`eleengine play`: what is typed, what is kept, in which language; and the board in colors."""

import os
import re
import signal
import time

import pytest
from support import call
from test_commands import MATE_IN_1, output, terminal

from eleengine import BLACK, Board, records
from eleengine.commands.shared import play_words


def play(*args, say, **options):
    words = ("--letters", "latin", "--level", 0, "--time", 0.2, *args)
    return "\n".join(output("play", *words, text=say, **options))


def test_resigning_ends_the_game_and_can_be_taken_back():
    text = play(say="resign\nh2e2\nresign\ndraw\nundo 3\nundo\nh2e2\nquit")
    assert text.count("nothing may follow undo: 3") == 1
    assert text.count("You have resigned: black wins.") == 1
    assert text.count("the game is over") == 3
    assert "you play" in text


@pytest.mark.parametrize(
    ("fen", "side", "answer"),
    [
        ("3k5/9/9/9/9/9/9/9/4A4/4K3r w", "red", "declines"),  # the engine is about to mate
        ("3k5/9/9/9/9/9/9/r7r/9/4K4 b", "black", "accepts"),  # the engine is about to be mated
    ],
)
def test_a_draw_is_taken_by_the_side_that_stands_worse(fen, side, answer):
    text = play(fen, "--side", side, say="draw\nquit")
    assert f"eleengine {answer}" in text


@pytest.mark.parametrize("language", ["zh", "zh-Hant"])
def test_everything_is_said_in_the_players_language(language):
    words = play_words.texts(language)
    text = play("--language", language, say="帮助\n提示\n悔棋\n认输\n炮二平五\n退出\n")
    for name in ("no_undo", "over"):
        assert words[name] in text
    assert words["help"].splitlines()[-1] in text
    assert "eleengine plays" not in text and "you play" not in text


def test_all_languages_say_the_same_things_with_the_same_places():
    fields = re.compile(r"{(\w+)")
    english = play_words.texts("en")
    for language in ("zh", "zh-Hant"):
        other = play_words.texts(language)
        assert set(english) <= set(other)
        for name in english:
            assert sorted(fields.findall(english[name])) == sorted(fields.findall(other[name])), name


def test_traditional_text_has_no_simplified_characters():
    for text in play_words.texts("zh-Hant").values():
        text.encode("big5")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("undo", ("undo", "")),
        ("悔棋", ("undo", "")),
        ("Level 7", ("level", "7")),
        ("等级　７", ("level", "７")),
        ("save 对局（先胜）.pgn", ("save", "对局（先胜）.pgn")),
        ("炮二平五", ("", "炮二平五")),
        ("undone", ("", "undone")),
    ],
)
def test_words_are_known_in_every_language(text, expected):
    assert play_words.command(text) == expected


def test_the_language_is_that_of_the_environment(monkeypatch):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for value, language in (("zh_CN.UTF-8", "zh"), ("zh_TW", "zh-Hant"), ("de_DE.UTF-8", "en"), ("C", "en")):
        monkeypatch.setenv("LANG", value)
        assert play_words.language_of_player() == language


def test_colors_are_around_the_pieces_and_nothing_else():
    board = Board()
    for letters in ("latin", "chinese", "traditional"):
        for perspective in (BLACK, not BLACK):
            plain = board.text(letters=letters, perspective=perspective)
            painted = board.text(letters=letters, perspective=perspective, colors=True)
            assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == plain
            assert painted.count("\x1b[1;31m") == painted.count("\x1b[1m") == 16
    red = re.findall(r"\x1b\[1;31m(.)", Board().text(colors=True))
    assert sorted(red) == sorted("RNBAKABNRCCPPPPP")


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    return tmp_path


@pytest.mark.system
def test_an_unfinished_game_goes_on_at_the_next_start(home):
    status, text = terminal("play", "--level", 0, then=[("red> ", "h2e2\n"), ("red> ", "\x04")])
    assert status == 0 and text.count("red> ") == 2
    assert "you play 炮二平五 h2e2" in text and "The game is kept" in text
    finished = [("will not be kept", "i7i9\n"), ("game over> ", "quit\n")]
    assert "checkmate" in terminal("play", MATE_IN_1, then=finished)[1]
    typed = [("red> ", "moves\n"), ("red> ", "\x04")]
    status, text = terminal("play", "--level", 0, then=typed)
    assert status == 0 and "Your last game was not finished: it goes on (2 plies)" in text
    assert "1. 炮二平五" in text
    assert terminal("play", "--level", 0, "--side", "black", then=[("black> ", "\x04")])[0] == 0
    typed = [("red> ", "new\n"), ("red> ", "\x04")]
    assert terminal("play", "--level", 0, "--side", "red", then=typed)[0] == 0
    status, text = terminal("play", "--level", 0, then=[("red> ", "quit\n")])
    assert "not finished" not in text  # the new one has no moves


@pytest.mark.system
@pytest.mark.parametrize(
    "content", [b"", b"[]", b'{"game": 5}', b'{"game": {"fen": "x"}}', b"\xff", b"[" * 10_000]
)
def test_a_damaged_game_is_named_and_harms_nothing(home, content):
    folder = home / "eleengine"
    folder.mkdir()
    (folder / "play.json").write_bytes(content)
    status, text = terminal("play", then=[("red> ", "fen\n"), ("red> ", "quit\n")])
    assert status == 0 and "cannot be read" in text and "rnbakabnr/9/1c5c1" in text


@pytest.mark.system
def test_a_game_that_cannot_be_kept_is_told(home, monkeypatch):
    (home / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "file"))
    status, text = terminal("play", "--level", 0, then=[("red> ", "h2e2\n"), ("red> ", "quit\n")])
    assert status == 0 and "The game could not be kept" in text and "eleengine: Not a directory" in text


@pytest.mark.system
def test_ctrl_c_makes_the_engine_move_and_at_the_prompt_it_asks_once(home):
    status, text = terminal(
        "play", "--no-book", "--level", 20, "--time", 1000, "--side", "black",
        then=[("thinks", signal.SIGINT), ("black> ", signal.SIGINT), ("quit leaves", signal.SIGINT)],
    )  # fmt: skip
    assert status == 0
    assert text.count("eleengine plays") == 1


def test_the_engine_has_a_book_unless_told_otherwise(tmp_path):
    (tmp_path / "junk").write_bytes(b"hello")
    failed = call("play", "--book", tmp_path / "junk", text="quit")
    assert failed.returncode == 2 and "junk: not a BOOK.DAT" in failed.stderr
    begun = time.monotonic()
    play("--side", "black", "--level", 20, "--time", 600, say="quit")  # at once, so not by a search
    assert time.monotonic() - begun < 120


@pytest.mark.system
def test_the_board_stands_before_the_engine_thinks(home):
    status, text = terminal(
        "play", "--no-book", "--level", 20, "--time", 1000, "--side", "black",
        then=[("thinks", signal.SIGINT), ("black> ", "quit\n")],
    )  # fmt: skip
    assert status == 0 and text.index("楚") < text.index("thinks")


@pytest.mark.system
def test_a_finished_game_is_not_kept(home):
    status, text = terminal("play", MATE_IN_1, then=[("red> ", "i7i9\n"), ("game over> ", "quit\n")])
    assert status == 0 and "checkmate" in text and "kept" not in text
    assert not os.listdir(home / "eleengine")


@pytest.mark.system
def test_bare_eleengine_says_on_a_terminal_how_to_use_it():
    status, text = terminal(then=[("help for all commands", "quit\n")])
    assert status == 0 and "UCCI" in text


@pytest.mark.parametrize("name", ["game.pgn", "game.xqf", "对局.pgn"])
def test_a_game_is_saved_and_goes_on_from_the_file(tmp_path, name):
    path = tmp_path / name
    text = play(say=f"h2e2\nsave {path}\nnew\nh2h3\nload {path}\nmoves\nundo\nfen\nquit", encoding="utf-8")
    assert f"saved: {path}" in text and f"loaded: {path}, 2 plies" in text
    assert re.search(r"^1\. C2\.5 ", text, re.M)
    assert text.splitlines()[-1].startswith("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w")
    assert records.read_game(path).plies() == 2


def test_a_file_of_before_is_not_saved_over(tmp_path):
    path = tmp_path / "games.pgn"
    records.write_games(path, [records.Game(), records.Game()])
    before = path.read_bytes()
    mine = tmp_path / "mine.pgn"
    text = play(say=f"h2e2\nload {path}\nsave {path}\nsave {mine}\nh2e2\nsave {mine}\nquit", encoding="utf-8")
    assert f"{path} exists already" in text and path.read_bytes() == before
    assert text.count(f"saved: {mine}") == 2 and records.read_game(mine).plies() == 2


def test_files_that_cannot_be_saved_or_loaded_are_named_and_the_game_goes_on(tmp_path):
    broken = tmp_path / "broken.xqf"
    broken.write_bytes(b"XQ")
    short = tmp_path / "short.pgn"
    short.write_text("1. h2e2 a0a9\n")
    two = tmp_path / "two.pgn"
    two.write_text('[Red "a"]\n\n1. h2e2 *\n\n[Red "b"]\n\n1. b2e2 *\n')
    files = [f"save {tmp_path}/no/x.pgn", "save x.nothing", f"load {broken}", f"load {tmp_path}/none"]
    text = play(say="\n".join(["h2e2", "save", *files, f"load {two}", f"load {short}", "moves"]))
    assert "which file? save FILE" in text
    for named in ("no/x.pgn", "nothing", "broken.xqf", "none"):
        assert named in text
    assert "none: No such file or directory" in text and "Errno" not in text
    assert text.count("The file has more games") == 1
    assert f"loaded: {short}, 1 plies" in text and "line 1: illegal move a0a9" in text
    assert re.search(r"^1\. C2\.5 ", text.splitlines()[-1])
