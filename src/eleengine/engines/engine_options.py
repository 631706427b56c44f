"""The options of our engine, in one table: their names in Python, UCI, UCCI and on the command line.

`Engine`, the program for GUIs and the commands take types, ranges and defaults from here.

>>> find("Skill_Level") is find("skilllevel") is find("SKILL")
True
>>> find("hash_mib").read("32"), find("OwnBook").read("off"), find("repetition").read("ChineseRule")
(32, False, 'cxa')
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import NamedTuple, TypeVar

from .._core import PARALLEL, openmp_enabled
from .._internal.processors import usable_processors
from ..network import CLASSICAL, INTERNAL
from ..rules import NO_CAPTURE_LIMIT, RULE_SETS
from .strength import LADDER, TOP_SKILL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Value = bool | int | str

T = TypeVar("T")

MASTERS = "masters"  # the book that comes with the engine
LIBRARY_OVERHEAD_MS = 10  # from the call of a function to its search, and back
MOST_THREADS = 256 if openmp_enabled() else 1
NO_LIMIT = 100_000  # plies without a capture: longer than any game
IDLE_SHARE = {"none": 1.0, "small": 0.75, "medium": 0.5, "large": 0.25}  # of the threads
#: Noise on the scores of root moves, in UCCI points.
NOISE = {"none": 0, "tiny": 1, "small": 3, "medium": 7, "large": 15, "huge": 31}
OFF_IN_UCI = ("usebook",)  # GUIs of UCI have books of their own, and analyse by `go` as well
MOST_CHARACTERS = 1024  # of a text
TRUE = frozenset(("true", "on", "yes", "1"))
FALSE = frozenset(("false", "off", "no", "0"))


def automatic_threads() -> int:
    """What 0 threads stands for: one for each processor that can be used, at most 8."""
    return min(8, usable_processors()) if openmp_enabled() else 1


class EngineOption(NamedTuple):
    """One option."""

    ucci: str  #: its name in UCCI; all have one
    type: str  #: check, spin, combo, string or button, as UCI has them
    default: Value = ""  #: of the program
    min: int = 0
    max: int = 0
    choices: tuple[str, ...] = ()  #: of a combo; of a string, texts that name no file
    uci: str = ""  #: its name in UCI, if it has one
    attribute: str = ""  #: of `Engine`, where it is no matter of the program alone
    argument: str = ""  #: of commands
    library: Value | None = (
        None  #: default of `Engine` and of commands, if it is another: they share the machine
    )
    zero: int = 0  #: what 0 stands for
    words: Mapping[str, str] = {}  #: of GUIs for choices, the usual ones first
    also: tuple[str, ...] = ()  #: more names
    shown: bool = True  #: in the handshake of UCCI

    @property
    def name(self) -> str:
        """Its name in UCI, else in UCCI."""
        return self.uci or self.ucci

    @property
    def library_default(self) -> Value:
        """The default of `Engine`."""
        return self.default if self.library is None else self.library

    def default_in(self, dialect: str) -> Value:
        """What the program says and takes in a dialect, "ucci" or "uci"."""
        return False if dialect == "uci" and self.ucci in OFF_IN_UCI else self.default

    def word(self, choice: object) -> str:
        """What GUIs call a choice."""
        return next((word for word, other in self.words.items() if other == choice), str(choice))

    def read(self, value: object) -> Value:
        """The value that an object or a text stands for, in range; ValueError."""
        found = self.parse(value)
        if self.type == "spin" and not self.min <= int(found) <= self.max:
            raise self._error(value)
        return found

    def parse(self, value: object) -> Value:
        """As `read`, but a number may be out of range."""
        text = os.fspath(value) if isinstance(value, os.PathLike) else str(value)
        lower = text.lower()
        if self.type == "check" and lower in TRUE | FALSE:
            return lower in TRUE
        if self.type == "spin" and (number := integer(text)) is not None:
            return number
        if self.type == "combo" and (choice := self.words.get(lower, lower)) in self.choices:
            return choice
        if self.type == "string" and len(text) <= MOST_CHARACTERS:
            return "" if text == "<empty>" else text
        if self.type == "button":
            return ""
        raise self._error(value)

    def line(self, dialect: str) -> str:
        """The option in the handshake of a dialect, "" if it is not shown there."""
        uci, default, low = dialect == "uci", self.default_in(dialect), self.min
        if not (self.uci if uci else self.shown):
            return ""
        text = self.type
        if self.type == "check":
            text += f" default {str(default).lower()}"
        elif self.type == "spin":
            if uci and self.zero and not low and self.ucci in ("hashsize", "threads"):
                default, low = default or self.zero, 1  # 0 is "automatic" in UCCI
            text += f" default {default} min {low} max {self.max}"
        elif self.type == "combo":
            # A GUI ends its game wherever it reads "draw": that rule is obeyed, but not announced.
            # Some take the first choice for the default, whatever is said before.
            names = sorted(self.choices, key=lambda choice: choice != default)
            shown = (f"var {self.word(choice)}" for choice in names if "draw" not in choice)
            text = " ".join((f"combo default {self.word(default)}", *shown))
        elif self.type == "string" and (default or uci):
            text += f" default {default or '<empty>'}"
        return f"option name {self.uci} type {text}" if uci else f"option {self.ucci} type {text}"

    def _error(self, value: object) -> ValueError:
        ranges = {
            "check": "true or false",
            "spin": f"{self.min}..{self.max}",
            "combo": f"one of {', '.join(self.choices)}",
            "string": f"a text of at most {MOST_CHARACTERS} characters",
        }
        name = self.attribute or self.name
        shown = value if isinstance(value, int) else repr(str(value)[:40])
        return ValueError(f"{name} must be {ranges[self.type]}, not {shown}")


def integer(text: str) -> int | None:
    """A decimal integer with an optional sign, or None; huge ones are cut to 18 digits' worth.

    >>> integer("-12"), integer("1.5"), integer("9" * 5000)
    (-12, None, 1000000000000000000)
    """
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not (digits.isascii() and digits.isdigit()):
        return None
    digits = digits.lstrip("0")
    value = 10**18 if len(digits) > 18 else int(digits or "0")
    return -value if text[0] == "-" else value


# The words of GUIs for rule sets: UCCI's, and those of programs for Pikafish (SkyRule: of the site Tiantian).
_RULE_WORDS = {
    "asianrule": "axf", "chineserule": "cxa", "computer": "computer", "computerrule": "computer",
    "skyrule": "axf",
}  # fmt: skip

HASH = EngineOption(
    "hashsize", "spin", 64, 0, 1 << 20, uci="Hash", attribute="hash_mib", argument="--hash",
    library=16, zero=64,
)  # fmt: skip
THREADS = EngineOption(
    "threads", "spin", 0, 0, MOST_THREADS, uci="Threads", attribute="threads", argument="--threads",
    library=1, zero=automatic_threads(),
)  # fmt: skip
SKILL = EngineOption(
    "skilllevel", "spin", TOP_SKILL, 0, TOP_SKILL, uci="Skill Level", attribute="skill", argument="--level"
)
MULTIPV = EngineOption("multipv", "spin", 1, 1, 128, uci="MultiPV", attribute="multipv")
NO_CAPTURES = EngineOption(
    "naturallimit", "spin", NO_CAPTURE_LIMIT, 0, NO_LIMIT, uci="Natural Limit",
    attribute="no_capture_limit", zero=NO_LIMIT, also=("drawmoves",),
)  # fmt: skip


def _accepted(
    ucci: str, type: str, default: Value = "", choices: tuple[str, ...] = (), also: tuple[str, ...] = ()
) -> EngineOption:
    """An option that GUIs send although nothing here depends on it."""
    return EngineOption(ucci, type, default, choices=choices, also=also, shown=False)


_LEVELS = ("none", "small", "medium", "large")

#: In the order of the handshake.
OPTIONS = (
    EngineOption("usemillisec", "check", True),
    EngineOption("batch", "check", False),
    EngineOption("debug", "check", False),
    EngineOption("ponder", "check", False, uci="Ponder"),
    HASH,
    THREADS,
    EngineOption(
        "parallel", "combo", "auto", choices=PARALLEL, uci="Parallel", attribute="parallel",
        argument="--parallel",
    ),
    EngineOption("idle", "combo", "none", choices=tuple(IDLE_SHARE), attribute="idle"),
    EngineOption("randomness", "combo", "none", choices=tuple(NOISE), attribute="randomness"),
    MULTIPV,
    EngineOption(
        "moveoverhead", "spin", 50, 0, 5000, uci="Move Overhead", attribute="overhead_ms",
        library=LIBRARY_OVERHEAD_MS,
    ),
    SKILL,
    EngineOption(
        "limitstrength", "check", False, uci="UCI_LimitStrength", attribute="limit_strength", shown=False
    ),
    EngineOption("elo", "spin", 1500, 0, LADDER[-1], uci="UCI_Elo", attribute="elo", shown=False),
    EngineOption("concede", "check", False),
    EngineOption(
        "repetition", "combo", RULE_SETS[0], choices=RULE_SETS, words=_RULE_WORDS, uci="Repetition Rule",
        attribute="rule_set",
    ),
    NO_CAPTURES,
    EngineOption("usebook", "check", True, uci="OwnBook", attribute="use_book", also=("loadbook",)),
    EngineOption(
        "bookfiles", "string", MASTERS, choices=(MASTERS,), uci="BookFile", attribute="book",
        argument="--book", library="",
    ),
    EngineOption("bookseed", "spin", 0, 0, 10**9, uci="Book Seed", attribute="seed"),
    EngineOption(
        "evalfile", "string", INTERNAL, choices=(INTERNAL, CLASSICAL), uci="EvalFile", attribute="network",
        argument="--network",
    ),
    EngineOption(
        "tablepath", "string", INTERNAL, choices=(INTERNAL,), uci="TablePath", attribute="tables",
        also=("egtbpaths",),
    ),
    EngineOption("tablememory", "spin", 256, 0, 65536, uci="TableMemory", attribute="tables_mib"),
    EngineOption("debuglogfile", "string", uci="Debug Log File"),
    EngineOption("newgame", "button", uci="Clear Hash", attribute="clear"),
    EngineOption("variant", "combo", "xiangqi", choices=("xiangqi",), uci="UCI_Variant", shown=False),
    EngineOption("showwdl", "check", False, uci="UCI_ShowWDL", shown=False),
    _accepted("useegtb", "check", True),
    _accepted("evalapi", "string"),
    _accepted("promotion", "check", False),
    _accepted("pruning", "combo", "large", _LEVELS),
    _accepted("knowledge", "combo", "large", _LEVELS),
    _accepted("style", "combo", "normal", ("solid", "normal", "risky")),
    _accepted("selectivity", "string"),
    _accepted("usehash", "string"),
)  # fmt: skip


def key(name: str) -> str:
    """How names are compared: without regard to case, blanks and underscores."""
    return name.lower().replace(" ", "").replace("_", "")


def by_name(options: Iterable[EngineOption]) -> dict[str, EngineOption]:
    """Options by all their names, as `key` makes them."""
    return {
        key(name): option
        for option in options
        for name in (option.ucci, option.uci, option.attribute, *option.also)
        if name
    }


_BY_NAME = by_name(OPTIONS)


def find(name: str) -> EngineOption | None:
    """The option of that name in Python, UCI or UCCI, or None."""
    return _BY_NAME.get(key(name))


def words_of(option: EngineOption, choice: str) -> set[str]:
    """The words of all engines for what is one choice of ours; none if it is not."""
    with suppress(ValueError):
        found = option.parse(choice)
        return {str(found), *(word for word, other in option.words.items() if other == found)}
    return set()


def names_of(option: EngineOption) -> set[str]:
    """All names of an option, as `key` makes them."""
    return {name for name, other in _BY_NAME.items() if other is option}


def with_room(make: Callable[[int, int], T], hash_mib: int, threads: int) -> tuple[T, int, int]:
    """What make makes of both, or of less if there is no room, and the two numbers. MemoryError."""
    sizes = sorted({size for size in (hash_mib, HASH.zero, 1) if size <= hash_mib}, reverse=True)
    for size, n in ((size, n) for n in dict.fromkeys((threads, 1)) for size in sizes):
        try:
            return make(size, n), size, n
        except MemoryError:
            continue
    raise MemoryError("no memory for a search")
