"""A match that a configuration file of fastchess describes, as arguments of `match` and `tournament`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import Any

from ..._files import plain_file
from .. import CommandError

TAKEN = {  # keys that become arguments
    "resign": ("move_count", "score", "twosided", "enabled"),
    "draw": ("move_number", "move_count", "score", "enabled"),
    "maxmoves": ("move_count", "enabled"),
    "opening": ("file", "order", "plies", "start"),
    "pgn": ("file",),
    "sprt": ("alpha", "beta", "elo0", "elo1", "model", "enabled"),
    "log": ("file", "engine_coms"),
    "engines[]": ("name", "dir", "cmd", "args", "options"),
    "engines[].limit": ("nodes", "plies"),
    "engines[].limit.tc": ("increment", "fixed_time", "time", "moves", "timemargin"),
    "": ("seed", "type", "rounds", "concurrency", "affinity", "engines"),
}
WITHOUT_MEANING = {  # keys that change nothing of the games here
    "opening": ("format",),
    "pgn": (
        *("additional_lines_rgx", "event_name", "site", "notation", "append_file", "min", "crc"),
        *(
            f"track_{what}"
            for what in ("nodes", "seldepth", "nps", "hashfull", "tbhits", "timeleft", "latency", "pv")
        ),
    ),
    "epd": ("append_file",),
    "log": ("level", "append_file", "compress", "realtime"),
    "tb_adjudication": ("syzygy_dirs", "max_pieces", "ignore_50_move_rule"),
    "engines[]": ("restart", "recover"),
    "": (
        *(
            "config_name",
            "output",
            "ratinginterval",
            "scoreinterval",
            "autosaveinterval",
            "force_concurrency",
        ),
        *("recover", "report_penta", "show_latency", "check_mate_pvs", "test_env", "affinity_cpus"),
        *("stats", "reverse", "wait"),
    ),
}
REFUSED = {  # keys that must have this value, and why
    "games": (2, "each opening is played with both colours"),
    "noswap": (False, "each opening is played with both colours"),
    "gauntlet_seeds": (1, "a gauntlet is of the first engine"),
    "variant": (0, "the game is Xiangqi"),
    "engines[].variant": (0, "the game is Xiangqi"),
    "tb_adjudication.enabled": (False, "games end by the rules"),
    "epd.file": ("", "final positions are in the journal"),
}
SEEDS = 2**31


class ConfigAction(argparse.Action):
    """Takes the arguments of a configuration file; those after it on the command line count."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        path = str(values).removeprefix("file=")
        try:
            words = read_config(path)
        except OSError as error:
            parser.error(f"{path}: {error.strerror}")
        except (ValueError, CommandError) as error:
            parser.error(f"{path}: {error}")
        parser.parse_args(words, namespace)


def read_config(path: str) -> list[str]:
    """The arguments that say the same as the file. ValueError names the key that is wrong; OSError."""
    with open(plain_file(path), encoding="utf-8") as file:
        try:
            found = json.load(file)
        except ValueError as error:
            raise ValueError(f"not JSON: {error}") from None
    if not isinstance(found, dict):
        raise ValueError("not an object of JSON")
    _check(found)
    try:
        return list(_arguments(found))
    except (TypeError, AttributeError, KeyError, ValueError) as error:
        raise ValueError(f"a key is missing or of the wrong kind: {error}") from None


def _check(found: dict[str, Any]) -> None:
    """ValueError names unknown keys, and settings that do not exist here."""
    known = {
        f"{group}.{key}".lstrip(".")
        for keys in (TAKEN, WITHOUT_MEANING)
        for group, names in keys.items()
        for key in names
    }
    unknown = []
    for key, value in _leaves(found, known):
        general = key if key in REFUSED else _general(key)
        if general in REFUSED:
            wanted, why = REFUSED[general]
            if value != wanted:
                raise ValueError(f"{key} must be {json.dumps(wanted)}, not {json.dumps(value)}: {why}")
        elif general not in known:
            unknown.append(key)
    if unknown:
        raise ValueError(f"unknown: {', '.join(unknown)}")


def _leaves(value: object, known: set[str], key: str = "") -> Iterator[tuple[str, object]]:
    """The keys of nested objects with dots and numbers, and their values."""
    if isinstance(value, dict) and _general(key) not in known:
        for name, inner in value.items():
            yield from _leaves(inner, known, f"{key}.{name}".lstrip("."))
    elif key == "engines" and isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _leaves(inner, known, f"engines[{number}]")
    else:
        yield key, value


def _general(key: str) -> str:
    """The key of every engine."""
    head, bracket, rest = key.partition("[")
    return f"{head}[]{rest.partition(']')[2]}" if bracket else key


def _arguments(found: dict[str, Any]) -> Iterator[str]:
    engines = found["engines"]
    for engine in engines:
        yield from ("--engine", *_words(engine))
    margins = {engine.get("limit", {}).get("tc", {}).get("timemargin", 0) for engine in engines}
    if any(margins):
        yield from ("--margin", _seconds(max(margins)))
    if found.get("type") == 1 and len(engines) > 2:
        yield "--gauntlet"
    for key, option in (("rounds", "--pairs"), ("concurrency", "--concurrency")):
        if key in found:
            yield from (option, str(found[key]))
    if "seed" in found:
        yield from ("--seed", str(found["seed"] % SEEDS))
    if found.get("affinity"):
        yield "--own-processors"
    opening = found.get("opening", {})
    if opening.get("file"):
        yield from (
            "--openings",
            opening["file"],
            "--order",
            "file" if opening.get("order") == 1 else "shuffled",
        )
        yield from ("--first", str(opening.get("start", 1)))
        if opening.get("plies", -1) >= 0:
            yield from ("--plies", str(opening["plies"]))
    if (resign := found.get("resign", {})).get("enabled"):
        yield from ("--resign", str(resign["score"]), str(resign["move_count"]))
        if not resign.get("twosided"):
            yield "--resign-alone"
    if (draw := found.get("draw", {})).get("enabled"):
        yield from (
            "--draw",
            str(draw["score"]),
            str(draw["move_count"]),
            str(2 * draw.get("move_number", 0)),
        )
    if (longest := found.get("maxmoves", {})).get("enabled"):
        yield from ("--max-plies", str(2 * longest["move_count"]))
    if (sprt := found.get("sprt", {})).get("enabled"):
        yield from ("--sprt", str(sprt["elo0"]), str(sprt["elo1"]))
        yield from ("--alpha", str(sprt["alpha"]), "--beta", str(sprt["beta"]), "--model", sprt["model"])
    if path := found.get("pgn", {}).get("file"):
        yield from ("--pgn", path)
    if (log := found.get("log", {})).get("file") and log.get("engine_coms"):
        yield from ("--engine-log", log["file"])


def _words(engine: dict[str, Any]) -> Iterator[str]:
    """An engine, as `PlayerSpec.from_words` reads it."""
    program = f'"{engine["cmd"]}"' if " " in engine["cmd"] else engine["cmd"]
    yield f"cmd={program} {engine.get('args', '')}".rstrip()
    for key in ("name", "dir"):
        if engine.get(key):
            yield f"{key}={engine[key]}"
    for name, value in engine.get("options", []):
        yield f"option.{name}={value}"
    limit = engine.get("limit", {})
    clock = limit.get("tc", {})
    if clock.get("time"):
        moves = f"{clock['moves']}/" if clock.get("moves") else ""
        yield f"tc={moves}{_seconds(clock['time'])}+{_seconds(clock.get('increment', 0))}"
    if clock.get("fixed_time"):
        yield f"time={_seconds(clock['fixed_time'])}"
    for key, word in (("nodes", "nodes"), ("plies", "depth")):
        if limit.get(key):
            yield f"{word}={limit[key]}"


def _seconds(milliseconds: float) -> str:
    return f"{milliseconds / 1000:g}"
