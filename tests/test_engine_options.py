"""The table of the engine's options: every front end offers each of them with the same range and default."""

import argparse

import pytest

from eleengine import Engine
from eleengine.commands import analyse, bench, board, play
from eleengine.engines.engine_options import OFF_IN_UCI, OPTIONS, THREADS, automatic_threads, find, key
from eleengine.engines.options import Option, find_option, option_key
from eleengine.ucci.options import UcciOptions
from eleengine.ucci.replies import ProtocolError

OURS = [option for option in OPTIONS if option.attribute]
VALUES = [option for option in OURS if option.type not in ("button", "string")]
COMMANDS = {"play": play, "analyse": analyse, "bench": bench, "board": board}


def spellings(option):
    names = {option.ucci, option.uci, option.attribute, *option.also} - {""}
    return names | {name.upper() for name in names} | {name.replace(" ", "_") for name in names}


def in_range(option):
    """Some values of the option, the default last; of threads no more than any test machine can have."""
    if option.type == "check":
        return [not option.default, option.default]
    if option.type == "combo":
        return [*option.choices, option.default]
    top = {"hashsize": 3, "threads": min(2, option.max)}.get(option.ucci, option.max)
    return [max(1, option.min), top, engine_default(option) or 1]


def engine_default(option):
    return option.default if option.library is None else option.library


@pytest.fixture(scope="module")
def engine():
    with Engine(hash_mib=1) as engine:
        yield engine


def test_no_name_is_that_of_two_options():
    names = [{key(name) for name in spellings(option)} for option in OPTIONS]
    assert sum(map(len, names)) == len(set().union(*names))
    assert all(find(name) is option for option in OPTIONS for name in spellings(option))


@pytest.mark.parametrize("option", VALUES, ids=lambda option: option.ucci)
def test_the_engine_takes_every_spelling(engine, option):
    for name in spellings(option):
        for value in in_range(option):
            for given in (value, str(value)):
                engine.configure({name: given})
                found = getattr(engine, option.attribute)
                assert found == (value or option.zero) or (option.attribute == "seed" and not value), name
    for word, choice in option.words.items():
        engine.configure({option.ucci: word.upper()})
        assert getattr(engine, option.attribute) == choice


@pytest.mark.parametrize("option", VALUES, ids=lambda option: option.ucci)
def test_nobody_takes_what_is_out_of_range(engine, option):
    for value in (option.min - 1, option.max + 1) if option.type == "spin" else ("perhaps", ""):
        with pytest.raises(ValueError, match=f"{option.attribute} must be "):
            engine.configure({option.ucci: value})
        values = UcciOptions()
        if option.type == "spin":
            _, found, warning = values.read([option.ucci, str(value)])
            assert warning == f"warning option {option.ucci} clamped to {found}"
            assert found in (option.min, option.max)
        else:
            with pytest.raises(ProtocolError):
                values.read([option.ucci, value])


def test_what_zero_stands_for():
    with Engine(hash_mib=1, threads=0, no_capture_limit=0) as engine:
        assert (engine.threads, engine.no_capture_limit) == (automatic_threads(), 100_000)
        engine.configure({"hashsize": "0"})
        assert engine.hash_mib == 64 == find("Hash").default


def test_the_engine_has_these_defaults():
    with Engine() as engine:
        for option in OURS:
            described = engine.options[option_key(option.name)]
            assert described.type == option.type
            if option.type == "spin":
                assert (described.min, described.max) == (option.min, option.max)
            if option.type == "combo":
                assert described.var == option.choices
            if option in VALUES:
                assert described.default == str(engine_default(option)).lower()
                assert (getattr(engine, option.attribute) or 0) == (engine_default(option) or 0)
    assert set(engine.options) == {option_key(option.name) for option in OURS}


@pytest.mark.parametrize("dialect", ["ucci", "uci"])
def test_handshakes_have_these_ranges_and_defaults(dialect):
    said = {
        option_key(option.name): option
        for option in map(Option.read, filter(None, (option.line(dialect) for option in OPTIONS)))
    }
    shown = [option for option in OPTIONS if (option.shown if dialect == "ucci" else option.uci)]
    assert len(said) == len(shown)
    for option in shown:
        line = said[option_key(option.ucci if dialect == "ucci" else option.uci)]
        assert line.type == option.type
        if option.type == "spin" and not (dialect == "uci" and option.ucci in ("threads", "hashsize")):
            assert (line.min, line.max, line.default) == (option.min, option.max, str(option.default))
        if option.type == "combo":
            assert {option.read(word) for word in (*line.var, "alwaysdraw") if word != "alwaysdraw"} | (
                {"alwaysdraw"} & set(option.choices)
            ) == set(option.choices)
            assert option.read(line.default) == option.default
            assert option.ucci != "repetition" or line.var == (
                "asianrule", "computer", "simple", "chineserule", "axfbook", "checkban"
            )  # fmt: skip
        if option.type == "check" and not (dialect == "uci" and option.ucci in OFF_IN_UCI):
            assert line.default == str(option.default).lower()
    if dialect == "uci":  # where 0 is no word for "automatic"
        assert (said["threads"].min, said["threads"].default) == (1, str(automatic_threads()))


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_have_these_ranges(name, capsys):
    parser = argparse.ArgumentParser()
    COMMANDS[name].add_arguments(parser)
    arguments = {string: action for action in parser._actions for string in action.option_strings}
    found = [option for option in OPTIONS if option.argument in arguments]
    assert THREADS in found
    for option in found:
        action = arguments[option.argument]
        if option.type == "combo":
            assert (tuple(action.choices), action.default) == (option.choices, option.default)
        if option.type != "spin":
            continue
        for value in (option.min, option.max):
            args = parser.parse_args([option.argument, str(value)])
            assert getattr(args, action.dest) == (value or option.zero)
        for value in (option.min - 1, option.max + 1):
            with pytest.raises(SystemExit):
                parser.parse_args([f"{option.argument}={value}"])
    if name in ("play", "analyse"):
        args = parser.parse_args([])
        assert (args.hash, args.threads, args.network) == (
            find("Hash").default, THREADS.library, find("EvalFile").default
        )  # fmt: skip


def test_options_of_other_programs_are_found_by_the_same_names():
    theirs = {option_key(name): Option(name, "spin") for name in ("Hash", "Skill Level", "EvalFile")}
    for name in ("hashsize", "hash_mib", "HASH"):
        assert find_option(theirs, name).name == "Hash"
    assert find_option(theirs, "skilllevel").name == "Skill Level"
    assert find_option(theirs, "network").name == "EvalFile"
    assert find_option(theirs, "threads") is None
