"""Who plays, in words: the players of a match as the command line and journals name them.

>>> spec = PlayerSpec.from_words(["name=new", "hash=32", "nodes=2000", "option.skill=10"])
>>> type(spec).__name__, spec.hash_mib, spec.limit, spec.options
('EngineSpec', 32, Limit(nodes=2000), {'skill': '10'})
>>> spec.open().name
'new'
"""

from __future__ import annotations

import logging
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self

from ..._internal.digits import real, seconds, whole, whole_between
from ..._internal.message import naming
from ..._internal.system import split_command
from ...engines import AnyEngine, Engine, EngineError, ExternalEngine, Limit, external
from ...engines.external import Protocol
from ...engines.external.named import NAMED
from ...jobs.identity import Identity, engine_identity, files_identity, program_identity
from ...network import NetworkError
from .player import Player
from .probe import DEPTH, probe

__all__ = ["EngineSpec", "PlayerSpec", "ProgramSpec", "by_key", "is_of_program", "parse_clock"]

logger: logging.Logger = logging.getLogger(external.__name__)

WORDS = """\
name=NAME           how tables call the player
cmd=COMMAND         another program, quoted as for a shell; without it the engine of this process plays
program=NAME        one that comes with eleengine: thesis or engine-thesis (docs/papers.md); cmd=NAME
                    and, without a cmd=, name=NAME say so, too
proto=uci|ucci      its protocol (default: found out)
dir=PATH            its folder
env.NAME=VALUE      a variable of its environment
threads=N hash=MIB  (default: 1 and 16, also of other programs; with more threads games do not repeat)
option.NAME=VALUE   any option, also of the engine of this process, such as network, skill, rule_set, and
                    book=PATH (masters for the one that comes with eleengine); books of other programs
                    are off without option.usebook=true or option.OwnBook=true
ponder=true         think while the opponent does: another program with a clock
tc=[MOVES/]BASE[+INC] time=S nodes=N depth=N   a limit of its own: a clock, or for each move"""


def parse_clock(text: str) -> Limit:
    """The limit of a clock for both sides: [moves/]seconds[+increment]; ValueError.

    >>> parse_clock("8+0.08")
    Limit(red_clock=8.0, black_clock=8.0, red_inc=0.08, black_inc=0.08)
    >>> parse_clock("40/60").remaining_moves
    40
    """
    moves_text, slash, rest = text.rpartition("/")
    base_text, *inc_texts = rest.split("+")
    try:
        base, moves = real(base_text), whole(moves_text) if slash else None
        (inc,) = map(real, inc_texts or ["0"])
    except ValueError:
        base, inc, moves = -1.0, -1.0, None
    if not (0 < base <= 1e6 and 0 <= inc <= 1e6 and (moves is None or 1 <= moves <= 1000)):
        raise ValueError(
            f"a clock is seconds, seconds+increment as in 8+0.08, or moves/seconds as in 40/60, not {text!r}"
        )
    return Limit(red_clock=base, black_clock=base, red_inc=inc, black_inc=inc, remaining_moves=moves)


THREADS, HASH_MIB = 1, 16  # of every player, unless it says something else
#: By field, the options of programs that mean the same.
_OPTIONS = {"threads": ("threads",), "hash_mib": ("hash", "hashsize")}
NAMED_DEPTH = 4  # of searches that identify a program of ours: they are quick, and show any change


@dataclass(frozen=True, slots=True)
class PlayerSpec(ABC):
    """A player that can be made anywhere, any number of times.

    threads, hash_mib: None leaves those of another program as they are, for the options to set them.
    options: by name in any letters, of UCI, UCCI or `Engine`. limit: of its own, None for that of the match.
    """

    name: str
    threads: int | None = field(default=THREADS, kw_only=True)
    hash_mib: int | None = field(default=HASH_MIB, kw_only=True)
    options: dict[str, str] = field(default_factory=dict, kw_only=True)
    limit: Limit | None = field(default=None, kw_only=True)
    ponder: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        if not (self.name.strip() and self.name.isprintable()):
            raise ValueError(f"a player cannot be named {self.name!r}")

    @staticmethod
    def from_words(words: Iterable[str]) -> EngineSpec | ProgramSpec:
        """The player that the words KEY=VALUE describe (`WORDS`); ValueError names the word that is wrong."""
        words = list(words)
        by_key(words)
        given: dict[str, Any] = {}
        for word in words:
            key, _, value = word.partition("=")
            group, _, name = key.partition(".")
            if not value:
                raise ValueError(f"{word!r}: expected KEY=VALUE, as in name=new")
            if group in ("env", "option") and name:
                given.setdefault("options" if group == "option" else group, {})[name] = value
                continue
            with naming(repr(word)):
                if key in _LIMITS:
                    found = _LIMITS[key](value).given()
                    given["limit"] = given.get("limit", Limit()).replace(**found)
                else:
                    field_name, read = _FIELDS.get(key, ("", _one_of()))
                    given[field_name] = read(value)
        if "program" in given and "command" in given:
            raise ValueError(f"program={given['program']} and cmd= are two players: leave one of them out")
        name = given.pop("program", given.get("name"))
        if name in NAMED:
            given.setdefault("command", (name,))
        if command := given.get("command"):
            own = {option.lower() for option in given.get("options", {})}
            unset = {name: None for name, options in _OPTIONS.items() if own.intersection(options)}
            given = {**unset, **given}
            return ProgramSpec(**{"name": os.path.basename(command[0]), **given})
        if foreign := list(filter(is_of_program, words)):
            raise ValueError(f"{foreign[0]!r}: is for another program, which cmd= names")
        return EngineSpec(**{"name": "eleengine", **given})

    def renamed(self, name: str) -> Self:
        """The same player under another name."""
        return replace(self, name=name)

    def open(self, *, hang: float = 600.0) -> Player:
        """A new player, started by its first game. hang: as for `Player`."""
        return Player(self.name, self.start, hang=hang, ponder=self.ponder)

    @abstractmethod
    def start(self) -> AnyEngine:
        """The running engine with its options set. EngineError; ValueError for an option of ours."""

    @abstractmethod
    def identity(self) -> Identity:
        """The identity of the player's version; made once for that. Errors as for `start`."""

    def program_identity(self) -> Identity:
        """What can be said of a program without starting it."""
        return {}

    def to_dict(self) -> dict[str, Any]:
        """What differs from the defaults, as JSON data; of another program also its threads and hash."""
        data = {
            one.name: list(value) if isinstance(value, tuple) else value
            for one in fields(self)
            if (value := getattr(self, one.name)) not in (one.default, {})
            or (one.name in _OPTIONS and isinstance(self, ProgramSpec))
        }
        if self.limit is not None:
            data["limit"] = self.limit.given()
        return data

    @staticmethod
    def from_dict(data: dict[str, Any]) -> EngineSpec | ProgramSpec:
        """The player of `to_dict`; TypeError if that is not one."""
        given = dict(data)
        if "limit" in data:
            given["limit"] = Limit(**data["limit"])
        if "command" in data:
            # Journals of 0.1 do not have those that were left as they are.
            return ProgramSpec(**{**dict.fromkeys(_OPTIONS), **given, "command": tuple(data["command"])})
        return EngineSpec(**given)


@dataclass(frozen=True, slots=True)
class EngineSpec(PlayerSpec):
    """The engine of this process."""

    threads: int = field(default=THREADS, kw_only=True)
    hash_mib: int = field(default=HASH_MIB, kw_only=True)

    def __post_init__(self) -> None:
        PlayerSpec.__post_init__(self)
        if self.ponder:
            raise ValueError(f"{self.name}: only programs named with cmd= can ponder")

    def open(self, *, hang: float = 600.0) -> Player:
        """As `PlayerSpec.open`, but started at once: what is wrong with it is no fault of its play."""
        player = PlayerSpec.open(self, hang=hang)
        player.engine()
        return player

    def start(self) -> Engine:
        """The engine; EngineError for a file that cannot be used, ValueError for another option."""
        engine = Engine(hash_mib=self.hash_mib, threads=self.threads)
        try:
            engine.configure(self.options)
        except (OSError, NetworkError) as error:
            raise EngineError(f"{self.name}: {error}") from None
        except ValueError as error:
            raise ValueError(f"{self.name}: {error}") from None
        return engine

    def identity(self) -> Identity:
        """The engine's, and that of the files of its options."""
        with self.start() as engine:
            return {**engine_identity(engine.context), **files_identity(self.options)}


@dataclass(frozen=True, slots=True)
class ProgramSpec(PlayerSpec):
    """Another program.

    command: or one of `NAMED`.
    ponder: think while the opponent does, with a clock.
    """

    command: tuple[str, ...]
    protocol: Protocol | None = field(default=None, kw_only=True)
    cwd: str | None = field(default=None, kw_only=True)
    env: dict[str, str] = field(default_factory=dict, kw_only=True)

    def start(self) -> ExternalEngine:
        """The running program with its options set; EngineError says what went wrong."""
        engine = ExternalEngine(self.command, protocol=self.protocol, cwd=self.cwd, env=self.env)
        logger.debug("%d is %s", engine.pid, self.name)
        try:
            options = {**_without_book(engine.options, self.options), **self.options}
            if self.ponder and "ponder" in engine.options:
                options = {"ponder": "true", **options}
            engine.configure(options)
            for value, default, names in (
                (self.threads, THREADS, _OPTIONS["threads"]),
                (self.hash_mib, HASH_MIB, _OPTIONS["hash_mib"]),
            ):
                found = [name for name in names if name in engine.options]
                if value is not None and found:
                    engine.configure({found[0]: value})
                elif value not in (None, default):
                    raise ValueError(f"{engine.name} has no option {names[0]!r}")
        except (ValueError, EngineError) as error:
            engine.kill()
            raise EngineError(f"{self.name}: {error}") from None
        return engine

    def identity(self) -> Identity:
        """What the program is, and what it answers to `probe`.

        What a launcher or a worker starts under the same name is another engine if it plays in another way.
        """
        with self.start() as engine:
            name = engine.name
        options = {name: value for name, value in self.options.items() if name.lower() != "threads"}
        depth = NAMED_DEPTH if self.command[0] in NAMED else DEPTH
        answers = probe(replace(self, threads=1, options=options).start, depth=depth)
        files = files_identity(self.options, cwd=self.cwd)
        return {"name": name, **self.program_identity(), **files, **answers}

    def program_identity(self) -> Identity:
        """What can be said of the program without starting it."""
        return program_identity(self.command, cwd=self.cwd, env=self.env)


def by_key(words: Iterable[str]) -> dict[str, str]:
    """The words KEY=VALUE by key, options in any letters; ValueError for a key that comes again."""
    found: dict[str, str] = {}
    for word in words:
        key = word.partition("=")[0]
        key = key if key.startswith("env.") else key.lower()
        if key in found:
            raise ValueError(f"{word!r}: there is {found[key]!r} already")
        found[key] = word
    return found


def is_of_program(word: str) -> bool:
    """Does the word mean something for another program alone?

    >>> [is_of_program(word) for word in ("dir=/tmp", "env.A=1", "proto=uci", "hash=8")]
    [True, True, True, False]
    """
    return word.startswith(("dir=", "env.", "proto="))


def _without_book(there: Iterable[str], given: Iterable[str]) -> dict[str, str]:
    """The option that keeps a program from playing by a book of its own, unless the settings name it."""
    names = {name.lower().replace(" ", "") for name in given}
    return {name: "false" for name in ("usebook", "ownbook") if name in there and name not in names}


def _one_of(*choices: str) -> Callable[[str], str]:
    def read(value: str) -> str:
        if value not in choices:
            raise ValueError(f"unknown; the words are\n{WORDS}")
        return value

    return read


def _command(value: str) -> tuple[str, ...]:
    if not (command := split_command(value)):
        raise ValueError("no program")
    return tuple(command)


_LIMITS: dict[str, Callable[[str], Limit]] = {
    "tc": parse_clock,
    "time": lambda value: Limit(time=seconds(value)),
    "nodes": lambda value: Limit(nodes=whole_between(value, 1, 10**15)),
    "depth": lambda value: Limit(depth=whole_between(value, 1, 100)),
}
#: By word, the field and what reads it.
_FIELDS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "name": ("name", str),
    "cmd": ("command", _command),
    "program": ("program", _one_of(*NAMED)),
    "proto": ("protocol", _one_of("uci", "ucci")),
    "dir": ("cwd", str),
    "threads": ("threads", lambda value: whole_between(value, 1, 1 << 20)),
    "hash": ("hash_mib", lambda value: whole_between(value, 1, 1 << 20)),
    "ponder": ("ponder", lambda value: _one_of("true", "false")(value) == "true"),
}
