"""Options of fastchess and cutechess-cli, and their words of engines, as those of `match` and `tournament`.

`-engine`, `-each`, `-rounds`, `-concurrency`, `-srand`, `-use-affinity`, `-output` and
`-ratinginterval` are second names of our own options.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..._internal.digits import real_between, whole_between
from ..._internal.message import naming
from ...lab.match.game import COMMENTS

PGN_KEYS = (
    "notation",
    "append",
    "nodes",
    "seldepth",
    "nps",
    "hashfull",
    "tbhits",
    "pv",
    "timeleft",
    "latency",
)
TYPES = ("roundrobin", "round-robin", "gauntlet")


class FastchessAction(argparse.Action):
    """Takes our arguments for an option of theirs and its words KEY=VALUE."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        words = [values] if isinstance(values, str) else list(values or [])
        try:
            found = self.const(words)
        except ValueError as error:
            parser.error(f"argument {option_string}: {error}")
        parser.parse_args(found, namespace)


def add_fastchess_options(parser: argparse.ArgumentParser, *, tournament: bool) -> None:
    """Let the parser understand the options of fastchess that are no second names of ours."""
    options: dict[str, tuple[Callable[[list[str]], list[str]], str | int]] = {
        "-resign": (_resign, "+"),
        "-draw": (_draw, "+"),
        "-maxmoves": (_max_moves, 1),
        "-openings": (_openings, "+"),
        "-pgnout": (_pgn, "+"),
        "-log": (_log, "+"),
        "-games": (_two_games, 1),
        "-repeat": (_two_games, "*"),
        "-report": (_pentanomial, "+"),
        "-tournament": (_type if tournament else _type_of_two, 1),
        **dict.fromkeys(("-recover", "-force-concurrency", "-show-latency"), (_nothing, 0)),
        **dict.fromkeys(("-wait", "-autosaveinterval", "-scoreinterval"), (_nothing, 1)),
    }
    if not tournament:
        options["-sprt"] = (_sprt, "+")
    for name, (translation, number) in options.items():
        parser.add_argument(
            name,
            action=FastchessAction,
            const=translation,
            nargs=number,
            dest=argparse.SUPPRESS,
            help=argparse.SUPPRESS,
        )


def engine_words(words: Iterable[str]) -> tuple[list[str], float | None]:
    """The words of an engine as `PlayerSpec.from_words` knows them, and the timemargin in seconds.

    ValueError names the word that is wrong.

    >>> engine_words(["cmd=./new", "args=-q 1", "st=0.5", "tc=40/1:30+1", "timemargin=50"])
    (['time=0.5', 'tc=40/90+1', 'cmd=./new -q 1'], 0.05)
    """
    found, command, arguments, margin = [], "", "", None
    for word in words:
        key, _, value = word.partition("=")
        if key == "cmd":
            command = word
        elif key == "args":
            arguments = value
        elif key == "timemargin":
            margin = max(margin or 0.0, _real(word, value) / 1000)
        elif key in ("st", "plies"):
            found.append(f"{'time' if key == 'st' else 'depth'}={value}")
        elif key == "restart":
            if value not in ("off", "auto"):
                raise ValueError(f"{word!r}: a program is started again only when it has ended")
        elif key == "tc":
            if value not in ("inf", "infinite"):
                found.append(f"tc={_in_seconds(value)}")
        else:
            found.append(word)
    if arguments and not command:
        raise ValueError(f"'args={arguments}': there is no cmd=")
    return [*found, *([f"{command} {arguments}".rstrip()] if command else [])], margin


def _in_seconds(clock: str) -> str:
    """A clock whose time may be minutes:seconds."""
    moves, slash, rest = clock.rpartition("/")
    time, plus, increment = rest.partition("+")
    minutes, colon, seconds = time.rpartition(":")
    if colon:
        time = f"{60 * _real(clock, minutes) + _real(clock, seconds):g}"
    return f"{moves}{slash}{time}{plus}{increment}"


def _real(word: str, text: str) -> float:
    with naming(repr(word)):
        return real_between(text, 0, 10**9)


def _moves(key: str, text: str) -> int:
    with naming(key):
        return whole_between(text, 0, 10**6)


def _read(words: list[str], **defaults: str) -> dict[str, str]:
    """The values of words KEY=VALUE; ValueError for keys without a default."""
    found = dict(defaults)
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or key not in defaults:
            raise ValueError(f"{word!r}: expected {', '.join(f'{name}=' for name in defaults)}")
        found[key] = value
    return found


def _resign(words: list[str]) -> list[str]:
    given = _read(words, movecount="1", score="0", twosided="false")
    return ["--resign", given["score"], given["movecount"]] + (
        [] if given["twosided"] == "true" else ["--resign-alone"]
    )


def _draw(words: list[str]) -> list[str]:
    given = _read(words, movenumber="0", movecount="1", score="0")
    return [
        *("--draw", given["score"], given["movecount"]),
        str(2 * _moves("movenumber", given["movenumber"])),
    ]


def _max_moves(words: list[str]) -> list[str]:
    moves = _moves("-maxmoves", words[0])
    return ["--max-plies", str(2 * moves)] if moves else []


def _sprt(words: list[str]) -> list[str]:
    given = _read(words, elo0="0", elo1="0", alpha="0.05", beta="0.05", model="normalized")
    options = [item for name in ("alpha", "beta", "model") for item in (f"--{name}", given[name])]
    return ["--sprt", given["elo0"], given["elo1"], *options]


def _openings(words: list[str]) -> list[str]:
    given = _read(words, file="", format="", order="sequential", plies="", start="1")
    if given["order"] not in ("random", "sequential") or not given["file"]:
        raise ValueError("expected file=FILE, and order=random or sequential")
    order = "shuffled" if given["order"] == "random" else "file"
    found = ["--openings", given["file"], "--order", order, "--first", given["start"]]
    return [*found, "--plies", given["plies"]] if given["plies"] else found


def _pgn(words: list[str]) -> list[str]:
    """Theirs is `-pgnout FILE min fi` or `-pgnout file=FILE nodes=true ...`; ours are `COMMENTS`."""
    plain = [word for word in words if "=" not in word and word not in ("min", "fi")]
    given = _read([w for w in words if "=" in w], file="", **dict.fromkeys((*PGN_KEYS, "min"), ""))
    paths = [*plain, *([given["file"]] if given["file"] else [])]
    if len(paths) != 1:
        raise ValueError("expected the name of one file")
    more = [name for name in COMMENTS if given[name] == "true"]
    return ["--pgn", paths[0], "--pgn-scores", "pawns", *(["--pgn-comments", *more] if more else [])]


def _log(words: list[str]) -> list[str]:
    given = _read(words, file="", level="", append="", compress="", realtime="", engine="false")
    return ["--engine-log", given["file"]] if given["engine"] == "true" and given["file"] else []


def _two_games(words: list[str]) -> list[str]:
    if words not in ([], ["2"]):
        raise ValueError("must be 2: each opening is played with both colours")
    return []


def _pentanomial(words: list[str]) -> list[str]:
    if _read(words, penta="true")["penta"] != "true":
        raise ValueError("must be penta=true: results are counted by pairs of games")
    return []


def _type(words: list[str]) -> list[str]:
    if words[0] not in TYPES:
        raise ValueError(f"must be one of {', '.join(TYPES)}, not {words[0]!r}")
    return ["--gauntlet"] if words[0] == "gauntlet" else []


def _type_of_two(words: list[str]) -> list[str]:
    """All of them let two players meet."""
    _type(words)
    return []


def _nothing(words: list[str]) -> list[str]:
    return []
