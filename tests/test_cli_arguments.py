"""Options refuse what is no number, out of range or no name of a file, in a line that names the option."""

import argparse
import os
import re
from pathlib import Path

import pytest
from support import call, raises

from eleengine.__main__ import main
from eleengine.commands import COMMANDS, import_command
from eleengine.commands.shared.outputs import OutputFile, named_file
from eleengine.engines.engine_options import HASH, THREADS

NEVER = ["9" * 30, "1e999", "nan", "１２", "1_000", ""]
PERHAPS = ["0", "-1"]  # good for some
ZERO = {option.argument: option.zero for option in (HASH, THREADS)}  # what 0 stands for


#: Files that a command writes, whatever it calls them, and those of them that may be stdout.
WRITTEN = ["out", "journal", "pgn", "engine_log", "checkpoint", "csv", "plot", "html", "gif"]
MAY_BE_STDOUT = [
    ("convert", "out"), ("openings", "out"), ("report", "out"), ("show", "html"), ("show", "gif"),
    ("review", "out"),  # whose suffix tells the format
]  # fmt: skip


def arguments(parser, words):
    """The arguments of a command, and of its jobs."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, job in action.choices.items():
                yield from arguments(job, [*words, name])
        else:
            yield words, action


def options(parser, words):
    """Those that convert what they are given to a number."""
    for job, action in arguments(parser, words):
        # Choices refuse all others.
        if action.type not in (None, Path, OutputFile, named_file) and action.choices is None:
            yield job, action


def parser_of(command):
    parser = argparse.ArgumentParser(prog=command)
    import_command(command).add_arguments(parser)
    return parser


def is_good(action, text):
    """Is it taken, for what it says?"""
    try:
        number = action.type(text)
    except argparse.ArgumentTypeError:
        return False
    return number == float(text) or (text == "0" and number == ZERO.get(action.option_strings[-1]))


@pytest.mark.parametrize("command", COMMANDS)
def test_numbers_out_of_range_are_named(command):
    for words, action in options(parser_of(command), [command]):
        for text in NEVER + [text for text in PERHAPS if not is_good(action, text)]:
            raises(argparse.ArgumentTypeError, re.escape(repr(text)), action.type, text)
        name = action.option_strings[-1:]
        count = action.nargs if isinstance(action.nargs, int) else 1
        result = call(*words, *name, *["nan"] * count)
        assert (result.returncode, result.stdout) == (2, "")
        [*usage, message] = result.stderr.splitlines()
        assert message.startswith(f"eleengine {' '.join(words)}: error: argument ") and "nan" in message
        assert (name or [action.metavar])[0] in message and usage[0].startswith("usage: ")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_dash_is_stdout_or_is_refused(command):
    """It made a file of that name, or mixed what is for the file with what is for the reader."""
    for words, action in arguments(parser_of(command), [command]):
        name = (command, action.dest)
        if action.dest not in WRITTEN or name == ("report", "journal"):  # which is read
            continue
        kind = OutputFile if name in MAY_BE_STDOUT else named_file
        assert action.type is kind, f"{words}: {action.dest}"
        assert isinstance(action.type("x"), OutputFile)
    raises(argparse.ArgumentTypeError, "", named_file, "-")


@pytest.mark.parametrize(
    "words, part",
    [
        ("show x --seconds 2", "--seconds goes with --gif"),
        ("show x --html y --flip", "--flip goes with --gif"),
        ("show x --language zh", "--language goes with --html"),
        ("show x --html y --ply 3", "--ply: a page has the whole game"),
        ("show x --html y --json", "--json is for stdout"),
        ("show x --html y --gif ./y", "two outputs are one file: y, ./y"),
        ("spsa --journal y --out y", "two outputs are one file: y, y"),
        ("match -e name=a -e name=b --pgn y --engine-log ./y", "two outputs are one file: ./y, y"),
        ("papers strategies --csv y --plot y", "two outputs are one file: y, y"),
        ("convert x y.xqf --for xqwizard --to xqf", "--for xqwizard says it all"),
        ("convert x y.pgn --for xqwizard --to-encoding utf-8", "--for xqwizard says it all"),
        ("convert x y.pgn --for xqwizard --style wxf", "--for xqwizard says it all"),
        ("convert x y.xqf --to-encoding big5", "--to-encoding: XQF"),
        ("convert x y.fen --style wxf", "--style: positions"),
        ("convert x y.pgn --min-plies 9 --max-plies 3", "--min-plies 9 is more than --max-plies 3"),
        ("data filter x y --min-plies 9 --max-plies 3", "--min-plies 9 is more than --max-plies 3"),
        ("games find --since 2000 --until 1990", "--since 2000 is more than --until 1990"),
        ("book make x y --margin 50", "--margin goes with --verify"),
        ("games find Hu --ply 3", "--game and --ply go with a file"),
        ("games find --player Hu --game 2", "--game and --ply go with a file"),
        ("judge --suite x --ply 3", "--game and --ply go with a file"),
        ("perft --suite x --game 2", "--game and --ply go with a file"),
        ("perft --depth 3 --max-leaves 9", "--max-leaves goes with --suite"),
        ("elo 1 2 3 --alpha 0.1", "--alpha goes with --sprt"),
        ("match -e name=a -e name=b --model normalized", "--model goes with --sprt"),
        ("match -e name=a -e name=b --pgn-comments pv", "--pgn-comments goes with --pgn"),
        ("tournament -e name=a -e name=b --plies 4", "--plies goes with --openings"),
        ("match -e name=a -e name=b --resign-alone", "--resign-alone goes with --resign"),
        ("match -e nodes=9 -e nodes=8 --depth 3", "--tc, --time, --nodes, --depth: each engine"),
        ("report x --port 8080", "--port goes with --serve"),
        ("match -e name=a -e name=b --journal=", "--journal: the word behind it is empty"),
        ("nnue make {tmp} --games x --game-seed 3", "--game-seed goes with --positions"),
        ("nnue make {tmp} --from-manifest <internal> --epochs 2", "--from-manifest: it says"),
        ("nnue make {tmp} --from-manifest <internal> --positions 2", "--from-manifest: it says"),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(words, part, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main([word.format(tmp=tmp_path) for word in words.split()]) == 2
    out, err = capsys.readouterr()
    assert not out and err.startswith(f"eleengine: {part}") and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words",
    [
        "convert x ./x --from pgn --to pgn", "convert x link", "convert - hard", "review x --out hard",
        "report x --out link", "show x --html hard", "match -e name=a -e cmd=x --pgn x",
        "match -e name=a -e name=b --openings x --engine-log link", "openings link --start x",
        "nnue train x y --out hard", "nnue make . --games network.nnue", "data export x hard",
    ],
)  # fmt: skip
def test_no_output_is_an_input(words, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("x").write_bytes(text := b"1. h2e2 *")
    for name in ("hard", "network.nnue"):
        os.link("x", name)
    Path("link").symlink_to("x")
    force = ["--force"] * words.startswith(("convert", "review", "report", "show", "openings", "nnue train"))
    monkeypatch.setattr(os, "fstat", lambda handle: os.stat("x"))  # stdin is x
    assert main([*words.split(), *force]) == 2
    out, err = capsys.readouterr()
    assert not out and err.endswith(": is read, too: write to a different file\n")
    assert {path.read_bytes() for path in tmp_path.iterdir()} == {text}


@pytest.mark.parametrize(
    "words",
    ["match --journal", "match --openings", "review x.pgn --out", "board --folder", "games find --red"],
)
def test_an_empty_word_is_not_the_default(words, capsys):
    """As a shell gives it for a variable that is not set: the match had no journal then."""
    assert main([*words.split(), ""]) == 2
    assert capsys.readouterr().err.endswith(f"{words.split()[-1]}: the word behind it is empty\n")
