"""Options refuse what is no number, out of range or no name of a file, in a line that names the option."""

import argparse
import re
from pathlib import Path

import pytest
from support import call, raises

from eleengine.commands import COMMANDS, import_command
from eleengine.commands.shared.outputs import named_file
from eleengine.engines.engine_options import HASH, THREADS

NEVER = ["9" * 30, "1e999", "nan", "１２", "1_000", ""]
PERHAPS = ["0", "-1"]  # good for some
ZERO = {option.argument: option.zero for option in (HASH, THREADS)}  # what 0 stands for


#: Files that a command writes, whatever it calls them, and those of them that may be stdout.
WRITTEN = ["out", "journal", "pgn", "engine_log", "checkpoint", "csv", "plot", "html", "gif"]
MAY_BE_STDOUT = [
    ("convert", "out"), ("openings", "out"), ("report", "out"), ("show", "html"), ("show", "gif"),
]  # fmt: skip
OTHERS = [("report", "journal"), ("review", "out")]  # one is read, one tells its format by its suffix


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
        if action.type not in (None, Path, named_file) and action.choices is None:
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
        if action.dest not in WRITTEN or name in MAY_BE_STDOUT + OTHERS:
            continue
        assert action.type is named_file, f"{words}: {action.dest}"
        raises(argparse.ArgumentTypeError, "", action.type, "-")
