"""Every option that takes a number refuses what is none, or out of range, in a line that names the option."""

import argparse
import re
from importlib import import_module
from pathlib import Path

import pytest
from support import call

from eleengine.commands import COMMANDS

NEVER = ["9" * 30, "1e999", "nan", "１２", "1_000", ""]
PERHAPS = ["0", "-1"]  # good for some


def options(parser, words):
    """The arguments of a command, and of its jobs, that convert what they are given."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, job in action.choices.items():
                yield from options(job, [*words, name])
        elif action.type not in (None, Path) and action.choices is None:  # choices refuse all others
            yield words, action


def is_good(convert, text):
    try:
        return float(text) == convert(text)
    except argparse.ArgumentTypeError:
        return False


@pytest.mark.parametrize("command", COMMANDS)
def test_numbers_out_of_range_are_named(command):
    parser = argparse.ArgumentParser(prog=command)
    import_module(f"eleengine.commands.{command}").add_arguments(parser)
    for words, action in options(parser, [command]):
        for text in NEVER + [text for text in PERHAPS if not is_good(action.type, text)]:
            with pytest.raises(argparse.ArgumentTypeError, match=re.escape(repr(text))):
                action.type(text)
        name = action.option_strings[-1:]
        count = action.nargs if isinstance(action.nargs, int) else 1
        result = call(*words, *name, *["nan"] * count)
        assert (result.returncode, result.stdout) == (2, "")
        [*usage, message] = result.stderr.splitlines()
        assert message.startswith(f"eleengine {' '.join(words)}: error: argument ") and "nan" in message
        assert (name or [action.metavar])[0] in message and usage[0].startswith("usage: ")
