"""Files by their names: what is no file is refused, not waited for; a full disk is named with the file."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import COMMAND, ENVIRONMENT, call, raises

from eleengine import network, weights
from eleengine._internal.files import new_file, write_whole
from eleengine.book import open_book
from eleengine.commands import CommandError
from eleengine.commands.shared.outputs import check_output
from eleengine.lab.data import gamefile, gametools
from eleengine.records import read_game, read_games
from eleengine.records.formats import format_of_file
from eleengine.tables.file import TableFile

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here"),
    pytest.mark.timeout(120),
]

#: Each command that reads a file by its name, with PIPE as the file.
COMMANDS = (
    "show PIPE", "convert PIPE out.pgn", "review PIPE", "judge PIPE", "eval PIPE", "analyse PIPE --depth 1",
    "play PIPE", "judge --suite PIPE", "perft --suite PIPE", "solve PIPE", "eval --network PIPE",
    "play --book PIPE", "bench --network PIPE", "match -e name=a -e name=b --nodes 1 --openings PIPE",
    "games index PIPE --index games.index", "games find --index PIPE",
    "spsa --openings PIPE", "papers genetic --openings PIPE", "report PIPE",
    "ratings PIPE", "book show PIPE",
    "book check PIPE", "book merge PIPE out.book", "book make PIPE out.book", "data show PIPE",
    "data check PIPE", "data import PIPE out.games", "data merge PIPE out.games",
    "data filter PIPE out.games",
    "data shuffle PIPE out.games", "data export PIPE out.npz", "nnue show PIPE", "nnue check PIPE",
    "nnue compare PIPE PIPE", "nnue export PIPE out.npz", "tune fit PIPE --out out.json",
)  # fmt: skip


#: What some of them need of an extra.
NEEDED = {"papers genetic": "deap", "data export": "numpy", "tune": "scipy"}


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_refuse_a_pipe(tmp_path, command):
    for start, module in NEEDED.items():
        if command.startswith(start):
            pytest.importorskip(module, reason="needs an extra")
    os.mkfifo(tmp_path / "PIPE")
    result = call(*command.split(), cwd=tmp_path)
    assert result.returncode == 2
    assert "PIPE: a pipe, not a file" in result.stderr
    assert not list(tmp_path.glob("out.*"))


READERS = (
    lambda path: list(read_games(path)), read_game, format_of_file, open_book, network.load, TableFile,
    weights.Weights.load, gametools.is_text, gamefile.read_header,
)  # fmt: skip


@pytest.mark.parametrize("read", READERS)
def test_readers_refuse_a_pipe_and_a_device(tmp_path, read):
    os.mkfifo(tmp_path / "pipe")
    raises(OSError, "a pipe, not a file", read, str(tmp_path / "pipe"))
    raises(OSError, "a device, not a file", read, "/dev/zero")


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="no /dev/fd")
@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_what_the_shell_pipes_is_read():
    for words in (
        "show -",
        "show /dev/stdin",
        "show <(cat)",
        "convert - - --to pgn",
        "convert <(cat) - --to pgn",
    ):
        result = subprocess.run(
            ["bash", "-c", f'"$@" {words}', "bash", *COMMAND], env=ENVIRONMENT, input="1. h2e2 h9g7 *\n",
            capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        assert "炮二平五" in result.stdout, words


#: Each kind of command that writes a file, here one of more than 200 bytes.
WRITERS = (
    "convert games.pgn new.pgn", "convert games.pgn new/ --to cbr",
    "review games.pgn --depth 1 --out new.html", "show games.pgn --game 1 --html new.html",
    "book make games.pgn new.obk --min-games 1", "book make games.pgn new.yfk --min-games 1",
    "games index games.pgn --index new.index", "openings --count 4 new.epd",
    "tables make --set 1 --folder new", "datagen new.games --games 2 --nodes 50 --threads 1",
    "match -e name=a -e name=b --pairs 1 --nodes 1 --journal new.jsonl",
)  # fmt: skip


@pytest.mark.parametrize("command", WRITERS)
def test_a_full_disk_is_named_with_the_file(tmp_path, command):
    """A limit on the size of files raises the same kind of error."""
    resource = pytest.importorskip("resource", reason="no such limits here")
    game = f'[Red "{"x" * 1000}"]\n[Result "1-0"]\n\n1. h2e2 h9g7 2. h0g2 i9h9 1-0\n'
    (tmp_path / "games.pgn").write_text(game * 2)
    done = subprocess.run(
        [sys.executable, "-m", "eleengine", *command.split()], cwd=tmp_path, capture_output=True, text=True,
        env=ENVIRONMENT | {"PYTHONDONTWRITEBYTECODE": "1"},  # else those are cut off, too, and stay
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200)),
    )  # fmt: skip
    last = done.stderr.splitlines()[-1]
    assert re.fullmatch(r"eleengine: new\S+: (File too large|disk I/O error)", last), done.stderr
    assert done.returncode == 2 and not list(tmp_path.glob("**/*.part"))


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device here")
def test_a_full_device_is_named():
    with pytest.raises(OSError, match="No space left on device") as error:
        write_whole("/dev/full", b"x")
    assert error.value.filename == "/dev/full"


@pytest.mark.parametrize("name", ["x" * 250, "棋" * 80, "short"])
def test_names_may_be_as_long_as_the_system_takes(tmp_path, name):
    write_whole(tmp_path / name, b"one")
    write_whole(tmp_path / name, b"two")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [(name, b"two")]


def test_modes_are_those_of_the_file_or_of_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "new", b"")
        write_whole(tmp_path / "private", b"", private=True)
        (tmp_path / "shared").touch()
        (tmp_path / "shared").chmod(0o666)
        write_whole(tmp_path / "shared", b"")
    finally:
        os.umask(before)
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert modes == {"new": 0o640, "private": 0o600, "shared": 0o666}


def test_no_file_of_the_user_is_taken_for_a_part(tmp_path):
    (tmp_path / "x.part").write_text("mine")
    with new_file(tmp_path / "x") as part, open(part, "x") as file:
        file.write("new")
    with pytest.raises(FileNotFoundError) as error, new_file(tmp_path / "none" / "x") as part:
        Path(part).write_text("x")
    assert error.value.filename == str(tmp_path / "none" / "x")  # not that of the part
    with pytest.raises(ValueError), new_file(tmp_path / "y") as part:
        open(part, "x").close()
        raise ValueError
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"x": "new", "x.part": "mine"}


def test_the_folder_of_an_output_must_take_a_new_file(tmp_path, monkeypatch):
    (tmp_path / "there").touch()
    (tmp_path / "link").symlink_to(tmp_path / "there")
    monkeypatch.setattr(os, "access", lambda path, mode: os.path.isfile(path))  # root may do anything
    for name in ("there", "link", "new"):
        raises(CommandError, "cannot be written", check_output, tmp_path / name, force=True)


def test_what_a_killed_writer_left_is_removed_by_a_later_one(tmp_path):
    target = tmp_path / "a.pgn"
    left, fresh = (tmp_path / f".a.pgn.{digit * 12}.part" for digit in "0a")
    others = [
        tmp_path / name for name in (".b.pgn.000000000000.part", ".a.pgn.part", ".a.pgn.0.part", "a.part")
    ]
    for path in (left, fresh, *others):
        path.write_text("x")
        os.utime(path, (0, 0))
    os.utime(fresh)
    write_whole(target, b"y")
    assert set(tmp_path.iterdir()) == {target, fresh, *others}


def test_a_new_file_is_on_the_disk_before_it_gets_its_name(tmp_path, monkeypatch):
    done = []
    monkeypatch.setattr(os, "fsync", lambda handle: done.append("synced"))
    rename = os.replace
    monkeypatch.setattr(os, "replace", lambda *names: (done.append("named"), rename(*names)))
    with new_file(tmp_path / "book") as part:
        Path(part).write_text("x")
    assert done == ["synced", "named"] and (tmp_path / "book").read_text() == "x"
