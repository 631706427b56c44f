"""Who plays, in words: the players of a match as the command line and journals name them.

>>> spec = PlayerSpec.from_words(["name=new", "hash=32", "nodes=2000", "option.skill=10"])
>>> spec.hash_mib, spec.limit, spec.options
(32, Limit(nodes=2000), {'skill': '10'})
>>> spec.open().name
'new'
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self

from ..._internal.digits import real, whole
from ..._internal.system import split_command
from ...engines import AnyEngine, Engine, EngineError, ExternalEngine, Limit, external
from ...engines.external import Protocol
from ...engines.external.named import NAMED
from ...jobs.identity import Identity, engine_identity, files_identity, program_identity
from ...network import NetworkError
from .player import Player
from .probe import DEPTH, probe

logger: logging.Logger = logging.getLogger(external.__name__)

WORDS = """\
name=NAME           how tables call the player
cmd=COMMAND         another program, quoted as for a shell; without it the engine of this process plays
program=NAME        one that comes with eleengine: thesis or engine-thesis (docs/papers.md); cmd=NAME
                    and, without a cmd=, name=NAME say so, too
proto=uci|ucci      its protocol (default: found out)
dir=PATH            its folder
env.NAME=VALUE      a variable of its environment
threads=N hash=MIB  (default: 1 and 16)
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
    base_text, _, inc_text = rest.partition("+")
    try:
        base, inc, moves = real(base_text), real(inc_text or "0"), whole(moves_text) if slash else None
    except ValueError:
        base, inc, moves = -1.0, -1.0, None
    if not (0 < base <= 1e6 and 0 <= inc <= 1e6 and (moves is None or 1 <= moves <= 1000)):
        raise ValueError(
            f"a clock is seconds, seconds+increment as in 8+0.08, or moves/seconds as in 40/60, not {text!r}"
        )
    return Limit(red_clock=base, black_clock=base, red_inc=inc, black_inc=inc, remaining_moves=moves)


OWN_THREADS, OWN_HASH_MIB = 1, 16  # of players that are no other programs
NAMED_DEPTH = 4  # of searches that identify a program of ours: they are quick, and show any change


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """A player that can be made anywhere, any number of times.

    command: of another program, or one of `NAMED`; None for the engine of this process. options: by name, any
    case.
    threads, hash_mib: None leaves them as they are in another program.
    limit: of its own, None for that of the match.
    ponder: think while the opponent does; for another program with a clock.
    """

    name: str
    command: tuple[str, ...] | None = None
    protocol: Protocol | None = None
    cwd: str | None = None
    env: dict[str, str] = field(default_factory=dict)
    threads: int | None = None
    hash_mib: int | None = None
    options: dict[str, str] = field(default_factory=dict)
    limit: Limit | None = None
    ponder: bool = False

    def __post_init__(self) -> None:
        if not (self.name.strip() and self.name.isprintable()):
            raise ValueError(f"a player cannot be named {self.name!r}")
        if self.ponder and self.command is None:
            raise ValueError(f"{self.name}: only programs named with cmd= can ponder")

    @classmethod
    def from_words(cls, words: Iterable[str]) -> Self:
        """The player that the words KEY=VALUE describe (`WORDS`); ValueError names the word that is wrong."""
        words = list(words)
        given: dict[str, Any] = {"env": {}, "options": {}}
        limits: dict[str, Any] = {}
        for word in words:
            key, equals, value = word.partition("=")
            group, dot, name = key.partition(".")
            if not equals or not value:
                raise ValueError(f"{word!r}: expected KEY=VALUE, as in name=new")
            if dot and group in ("env", "option") and name:
                given["options" if group == "option" else group][name] = value
            elif key in ("name", "dir"):
                given["cwd" if key == "dir" else key] = value
            elif key == "cmd":
                given["command"] = tuple(_split(word, value))
            elif key == "ponder" and value in ("true", "false"):
                given[key] = value == "true"
            elif key == "program" and value in NAMED:
                given["program"] = value
            elif key == "proto" and value in ("uci", "ucci"):
                given["protocol"] = value
            elif key in ("threads", "hash"):
                given["hash_mib" if key == "hash" else key] = _whole(word, 1, 1 << 20)
            elif key in ("nodes", "depth"):
                limits[key] = _whole(word, 1, 10**15 if key == "nodes" else 100)
            elif key == "time":
                limits[key] = _seconds(word)
            elif key == "tc":
                limits.update({k: v for k, v in parse_clock(value)._asdict().items() if v is not None})
            else:
                raise ValueError(f"{word!r}: unknown; the words are\n{WORDS}")
        if limits:
            given["limit"] = Limit(**limits)
        if "program" in given and "command" in given:
            raise ValueError(f"program={given['program']} and cmd= are two players: leave one of them out")
        name = given.pop("program", given.get("name"))
        if name in NAMED:
            given.setdefault("command", (name,))
        command = given.get("command")
        if command is None and (foreign := list(filter(is_of_program, words))):
            raise ValueError(f"{foreign[0]!r}: is for another program, which cmd= names")
        default = os.path.basename(command[0]) if command else "eleengine"
        given.setdefault("name", default)
        return cls(**given)

    def renamed(self, name: str) -> Self:
        """The same player under another name."""
        return replace(self, name=name)

    def open(self, *, hang: float = 600.0) -> Player:
        """A new player; EngineError or ValueError if it cannot be made or takes an option not.

        An external program is started by its first game. hang: as for `Player`.
        """
        player = Player(self.name, self.start, hang=hang, ponder=self.ponder)
        if self.command is None:
            player.engine()  # what is wrong with it is no fault of its play
        return player

    def start(self) -> AnyEngine:
        """The running engine with its options set; EngineError says what went wrong, ValueError of ours."""
        return self._own_engine() if self.command is None else self.program()

    def _own_engine(self) -> Engine:
        engine = Engine(hash_mib=self.hash_mib or OWN_HASH_MIB, threads=self.threads or OWN_THREADS)
        try:
            engine.configure(self.options)
        except (OSError, NetworkError) as error:
            raise EngineError(f"{self.name}: {error}") from None
        except ValueError as error:
            raise ValueError(f"{self.name}: {error}") from None
        return engine

    def program(self) -> ExternalEngine:
        """The running program, as `start`, of a player that is one."""
        assert self.command is not None
        engine = ExternalEngine(self.command, protocol=self.protocol, cwd=self.cwd, env=self.env)
        logger.debug("%d is %s", engine.pid, self.name)
        try:
            options = {**_without_book(engine.options, self.options), **self.options}
            if self.ponder and "ponder" in engine.options:
                options = {"ponder": "true", **options}
            engine.configure(options)
            for value, names in ((self.threads, ("threads",)), (self.hash_mib, ("hash", "hashsize"))):
                found = [name for name in names if name in engine.options]
                if value is not None and found:
                    engine.configure({found[0]: value})
                elif value is not None and (names[0], value) != ("threads", 1):
                    raise ValueError(f"{engine.name} has no option {names[0]!r}")
        except (ValueError, EngineError) as error:
            engine.kill()
            raise EngineError(f"{self.name}: {error}") from None
        return engine

    def identity(self) -> Identity:
        """The identity of the player's version; made once for that. Errors as for `open`.

        Of another program it says what it answers to `probe`: what a launcher or a worker starts under the
        same name is another engine if it plays in another way.
        """
        files = files_identity(self.options, cwd=self.cwd)
        if self.command is None:
            with self._own_engine() as own:
                return {**engine_identity(own.context), **files}
        with self.program() as engine:
            name = engine.name
        depth = NAMED_DEPTH if self.command[0] in NAMED else DEPTH
        answers = probe(self._single_threaded().program, depth=depth)
        return {"name": name, **self.program_identity(), **files, **answers}

    def program_identity(self) -> Identity:
        """What can be said of the program without starting it."""
        if self.command is None:
            return {}
        return program_identity(self.command, cwd=self.cwd, env=self.env)

    def _single_threaded(self) -> Self:
        options = {name: value for name, value in self.options.items() if name.lower() != "threads"}
        return replace(self, threads=1, options=options)

    def to_dict(self) -> dict[str, Any]:
        """What differs from the defaults, as JSON data."""
        data = {name: value for name, value in asdict(self).items() if value not in (None, {}, False)}
        if self.limit is not None:
            data["limit"] = limit_data(self.limit)
        if self.command is not None:
            data["command"] = list(self.command)
        return data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """The player of `to_dict`; TypeError if that is not one."""
        given = dict(data)
        if "limit" in data:
            given["limit"] = Limit(**data["limit"])
        if "command" in data:
            given["command"] = tuple(data["command"])
        return cls(**given)


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


def limit_data(limit: Limit) -> dict[str, Any]:
    """A limit as JSON data."""
    return {name: value for name, value in limit._asdict().items() if value is not None}


def _split(word: str, value: str) -> list[str]:
    try:
        command = split_command(value)
    except ValueError as error:
        raise ValueError(f"{word!r}: {error}") from None
    if not command:
        raise ValueError(f"{word!r}: no program")
    return command


def _whole(word: str, low: int, high: int) -> int:
    try:
        number = whole(word.partition("=")[2])
    except ValueError:
        number = low - 1
    if not low <= number <= high:
        raise ValueError(f"{word!r}: expected a whole number from {low} to {high}")
    return number


def _seconds(word: str) -> float:
    try:
        number = real(word.partition("=")[2])
    except ValueError:
        number = 0.0
    if not 0 < number <= 10**6:
        raise ValueError(f"{word!r}: expected seconds, above 0 and at most 1000000")
    return number
