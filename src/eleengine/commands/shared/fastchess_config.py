"""A config.json of fastchess: read, as arguments of `match` and `tournament`, and written, with results."""

from __future__ import annotations

import argparse
import json
import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..._internal.files import plain_file, replaced
from ...engines import Limit
from ...lab.match.plan import MatchPlan
from ...lab.match.results import MatchResults
from ...lab.match.spec import PlayerSpec
from .. import CommandError
from .fastchess_output import stats
from .outputs import check_output

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
            "scoreinterval",
            "autosaveinterval",
            "force_concurrency",
        ),
        *("recover", "report_penta", "show_latency", "check_mate_pvs", "test_env", "affinity_cpus"),
        *("stats", "reverse", "wait", "output", "ratinginterval"),
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
        given = [values] if isinstance(values, str) else list(values or [])
        path = ""
        for word in given:
            key, equals, value = word.partition("=")
            if equals and key == "outname":
                namespace.config_out = value
            elif equals and key in ("discard", "stats"):  # results go on by the journal
                continue
            else:
                path = word.removeprefix("file=")
        if not path:
            return
        try:
            words = read_config(path)
        except OSError as error:
            parser.error(f"{path}: {error.strerror}")
        except (ValueError, CommandError) as error:
            parser.error(f"{path}: {error}")
        parser.parse_args(words, namespace)


def read_config(path: str) -> list[str]:
    """The arguments that say the same as the file. ValueError names the key that is wrong; OSError."""
    with open(plain_file(path), encoding="utf-8-sig") as file:
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


# Writing

FORMATS = {".epd": 0, ".pgn": 1}  # of openings; 2: none of them


def check_config_out(path: str) -> None:
    """CommandError if it cannot be written, or what is there is no config.json of fastchess; OSError."""
    check_output(path, force=True)
    if not os.path.exists(path) or not os.path.isfile(path) or not os.path.getsize(path):
        return
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError:
        found = None
    if not isinstance(found, dict) or not {"engines", "stats"} <= found.keys():
        raise CommandError(f"{path}: is there already, and is no config.json of fastchess")


def write_config(path: str, args: argparse.Namespace, results: MatchResults) -> None:
    """Write the settings and counts of a match; OSError."""
    text = json.dumps(config(args, results), indent=4, ensure_ascii=False)
    with replaced(path) as file:  # a file name that is no text has lone surrogates: their escapes are JSON
        file.write(text.encode(errors="backslashreplace") + b"\n")


def config(args: argparse.Namespace, results: MatchResults) -> dict[str, Any]:
    """The settings and counts of a match with all keys that fastchess has.

    args: of the command that plays it, for what the plan does not say, such as the names of files.
    """
    plan = results.plan
    names = [player.name for player in plan.players]
    rules, sprt = plan.adjudication, plan.sprt
    tests = {"alpha": 0.0, "beta": 0.0, "elo0": 0.0, "elo1": 0.0, "model": "normalized"}
    if sprt is not None:
        tests = dict(sprt._asdict())
    pgn_keys = ("nodes", "seldepth", "nps", "hashfull", "tbhits", "timeleft", "latency", "pv")
    return {
        "resign": {
            "move_count": rules.resign_moves,
            "score": rules.resign_score or 0,
            "twosided": not rules.resign_alone,
            "enabled": rules.resign_score is not None,
        },
        "draw": {
            "move_number": rules.draw_ply // 2,
            "move_count": rules.draw_moves,
            "score": rules.draw_score or 0,
            "enabled": rules.draw_score is not None,
        },
        "maxmoves": {"move_count": rules.max_plies // 2, "enabled": True},
        "tb_adjudication": {
            "syzygy_dirs": "",
            "max_pieces": 0,
            "ignore_50_move_rule": False,
            "enabled": False,
        },
        "opening": {
            "file": args.openings or "",
            "format": FORMATS.get(Path(args.openings or "").suffix.lower(), 2),
            "order": int(plan.order == "file"),
            "plies": -1 if args.plies is None else args.plies,
            "start": plan.first + 1,
        },
        "pgn": {
            "additional_lines_rgx": [],
            "event_name": " v ".join(names),
            "site": "?",
            "file": args.pgn or "",
            "notation": 2,
            "append_file": True,
            **{f"track_{name}": False for name in pgn_keys},
            "min": False,
            "crc": False,
        },
        "epd": {"file": "", "append_file": True},
        "sprt": {**tests, "enabled": sprt is not None},
        "config_name": args.config_out or "",
        "output": int(args.output == "cutechess"),
        "seed": plan.seed,
        "variant": 0,
        "type": int(plan.gauntlet),
        "gauntlet_seeds": 1,
        "ratinginterval": args.rating_interval,
        "scoreinterval": 1,
        "wait": 0,
        "autosaveinterval": 0,
        "games": 2,
        "rounds": plan.pairs,
        "concurrency": args.concurrency,
        "force_concurrency": False,
        "recover": True,
        "noswap": False,
        "reverse": False,
        "report_penta": True,
        "affinity": args.own_processors,
        "check_mate_pvs": False,
        "show_latency": False,
        "log": {
            "file": args.engine_log or "",
            "append_file": True,
            "level": 2,
            "compress": False,
            "realtime": True,
            "engine_coms": args.engine_log is not None,
        },
        "engines": [_engine(player, plan) for player in plan.players],
        "stats": {f"{names[a]} vs {names[b]}": stats(results, (a, b)) for a, b in plan.pairings},
    }


def _engine(player: PlayerSpec, plan: MatchPlan) -> dict[str, Any]:
    """A player; that of this process by the name of its command."""
    command, *arguments = player.command or ("eleengine",)
    options = [[name, value] for name, value in player.options.items()]
    for name, given in (("Threads", player.threads), ("Hash", player.hash_mib)):
        if given is not None:
            options.append([name, str(given)])
    limit = player.limit or plan.limit or Limit()
    clock = {
        "increment": round(1000 * (limit.red_inc or 0)),
        "fixed_time": round(1000 * (limit.time or 0)),
        "time": round(1000 * (limit.red_clock or 0)),
        "moves": limit.remaining_moves or 0,
        "timemargin": round(1000 * plan.margin),
    }
    return {
        "name": player.name,
        "dir": player.cwd or "",
        "cmd": command,
        "args": shlex.join(arguments),
        "restart": False,
        "options": options,
        "limit": {"tc": clock, "nodes": limit.nodes or 0, "plies": limit.depth or 0},
        "variant": 0,
    }
