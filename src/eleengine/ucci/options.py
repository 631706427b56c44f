"""The options of the engine: what they are called, what they take, what they hold.

Every option has a UCCI name; those shown in a handshake have a name in that dialect. Names are
compared without regard to case, blanks and underscores, so that `Clear Hash` finds `newgame`.
"""

from .._core import PARALLEL, openmp_enabled
from .._internal.processors import usable_processors
from ..engines.strength import LADDER, skill_of_elo
from ..network import INTERNAL
from .replies import ProtocolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

DEFAULT_HASH_MIB = 64
DEFAULT_THREADS = min(8, usable_processors()) if openmp_enabled() else 1
SHIPPED_TABLES = "<internal>"  # the folder of those that come with the engine
SHIPPED_BOOK = "masters"  # how the book that comes with the engine is called
OFF_IN_UCI = frozenset(("usebook",))  # GUIs of UCI have books of their own, and analyse by `go` as well
MAX_TEXT = 1024  # characters of a string option
_TRUE = frozenset(("true", "on", "yes", "1"))
_FALSE = frozenset(("false", "off", "no", "0"))
LEVELS = ("none", "small", "medium", "large")
#: Noise on the scores of root moves, in UCCI points.
NOISE = {"none": 0, "tiny": 1, "small": 3, "medium": 7, "large": 15, "huge": 31}

#: Rules that judge repetitions, as UCCI has named them and as rules.py does.
RULES = {
    "asianrule": "axf",
    "chineserule": "cxa",
    "computer": "computer",
    "simple": "simple",
    "checkban": "checkban",
    "alwaysdraw": "alwaysdraw",
}
#: As GUIs for Pikafish call them. SkyRule: of the site Tiantian; the nearest of ours.
OTHER_RULES = {"computerrule": "computer", "skyrule": "asianrule"}


class UcciOption:
    """One option.

    also: other words for choices. ucci: does the UCCI handshake show it? uci: its name in the UCI handshake,
    if shown. alias: further names, separated by commas.
    """

    def __init__(
        self, name: str, kind: str, default: bool | int | str = "", *, low: int = 0, high: int = 0,
        choices: tuple[str, ...] = (), also: "dict[str, str] | None" = None,
        ucci: bool = True, uci: str = "", alias: str = "",
    ) -> None:  # fmt: skip
        self.name = name
        self.kind = kind
        self.default = default
        self.low = low
        self.high = high
        self.choices = choices
        self.also: dict[str, str] = also or {}
        self.ucci = ucci
        self.uci = uci
        self.names: set[str] = {key(n) for n in (name, uci, *alias.split(",")) if n}

    def describe(self, *, uci: bool = False) -> str:
        """The part of the option line behind `type`."""
        if self.kind == "check":
            on = self.default and not (uci and self.name in OFF_IN_UCI)
            return f"check default {'true' if on else 'false'}"
        if self.kind == "spin":
            default, low = self.default, self.low
            if uci and self.name in ("hashsize", "threads"):  # 0 is "automatic" in UCCI
                default, low = default or DEFAULT_THREADS, 1
            return f"spin default {default} min {low} max {self.high}"
        if self.kind == "combo":
            # A GUI ends its game wherever it reads "draw": that rule is obeyed, but not announced.
            # Some take the first choice for the default, whatever is said before.
            names = sorted(self.choices, key=lambda choice: choice != self.default)
            shown = (f"var {choice}" for choice in names if "draw" not in choice)
            return " ".join((f"combo default {self.default}", *shown))
        if self.kind == "string" and (self.default or uci):
            return f"string default {self.default or '<empty>'}"
        return self.kind

    def read(self, text: str) -> bool | int | str:
        """The value in text; ProtocolError if it is unusable. A number may be out of range."""
        if not text and self.kind != "string":
            raise ProtocolError(f"error option {self.name} needs value")
        lower = text.lower()
        if self.kind == "check" and (lower in _TRUE or lower in _FALSE):
            return lower in _TRUE
        if self.kind == "spin" and (number := integer(text)) is not None:
            return number
        if self.kind == "combo" and (choice := self.also.get(lower, lower)) in self.choices:
            return choice
        if self.kind == "string" and len(text) <= MAX_TEXT:
            return "" if text == "<empty>" else text
        raise ProtocolError(f"error option {self.name} bad value")


def key(name: str) -> str:
    """How names are compared."""
    return name.lower().replace(" ", "").replace("_", "")


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


def _hidden(
    name: str, kind: str, default: bool | str = "", choices: tuple[str, ...] = (), alias: str = ""
) -> UcciOption:
    """An option that GUIs send although nothing here depends on it."""
    return UcciOption(name, kind, default, choices=choices, ucci=False, alias=alias)


TABLE = (
    UcciOption("usemillisec", "check", True),
    UcciOption("batch", "check", False),
    UcciOption("debug", "check", False),
    UcciOption("ponder", "check", False, uci="Ponder"),
    UcciOption("hashsize", "spin", DEFAULT_HASH_MIB, low=0, high=65536, uci="Hash"),
    UcciOption("threads", "spin", 0, low=0, high=256 if openmp_enabled() else 1, uci="Threads"),
    UcciOption("parallel", "combo", "auto", choices=PARALLEL, uci="Parallel"),
    UcciOption("idle", "combo", "none", choices=LEVELS),
    UcciOption("randomness", "combo", "none", choices=tuple(NOISE)),
    UcciOption("multipv", "spin", 1, low=1, high=128, uci="MultiPV"),
    UcciOption("moveoverhead", "spin", 50, low=0, high=5000, uci="Move Overhead"),
    UcciOption("skilllevel", "spin", 20, low=0, high=20, uci="Skill Level"),
    UcciOption("limitstrength", "check", False, ucci=False, uci="UCI_LimitStrength"),
    UcciOption("elo", "spin", 1500, low=0, high=LADDER[-1], ucci=False, uci="UCI_Elo"),
    UcciOption("concede", "check", False),
    UcciOption(
        "repetition", "combo", "asianrule", choices=tuple(RULES), also=OTHER_RULES, uci="Repetition Rule"
    ),
    UcciOption("naturallimit", "spin", 120, low=0, high=100_000, uci="Natural Limit", alias="drawmoves"),
    UcciOption("usebook", "check", True, uci="OwnBook", alias="loadbook"),
    UcciOption("bookfiles", "string", SHIPPED_BOOK, uci="BookFile"),
    UcciOption("bookseed", "spin", 0, low=0, high=10**9, uci="Book Seed"),
    UcciOption("evalfile", "string", INTERNAL, uci="EvalFile"),
    UcciOption("tablepath", "string", SHIPPED_TABLES, uci="TablePath", alias="egtbpaths"),
    UcciOption("tablememory", "spin", 256, low=0, high=65536, uci="TableMemory"),
    UcciOption("debuglogfile", "string", uci="Debug Log File"),
    UcciOption("newgame", "button", uci="Clear Hash"),
    UcciOption("variant", "combo", "xiangqi", choices=("xiangqi",), ucci=False, uci="UCI_Variant"),
    UcciOption("showwdl", "check", False, ucci=False, uci="UCI_ShowWDL"),
    _hidden("useegtb", "check", True),
    _hidden("evalapi", "string"),
    _hidden("promotion", "check", False),
    _hidden("pruning", "combo", "large", LEVELS),
    _hidden("knowledge", "combo", "large", LEVELS),
    _hidden("style", "combo", "normal", ("solid", "normal", "risky")),
    _hidden("selectivity", "string"),
    _hidden("usehash", "string"),
)
_BY_NAME = {name: option for option in TABLE for name in option.names}


def find(words: list[str]) -> tuple[UcciOption | None, str]:
    """The option and the value that the words behind `setoption` name; None for an unknown option."""
    uci = [word.lower() for word in words[:1]] == ["name"]
    if len(words) < 1 + uci:
        raise ProtocolError("error option needs value")
    if uci:
        lower = [word.lower() for word in words]
        end = lower.index("value", 1) if "value" in lower else len(words)
        return _BY_NAME.get(key("".join(words[1:end]))), " ".join(words[end + 1 :])
    for n in (1, 2):  # `setoption Clear Hash` is met as well
        option = _BY_NAME.get(key("".join(words[:n])))
        if option is not None:
            return option, " ".join(words[n:])
    return None, ""


class UcciOptions:
    """The values of all options.

    >>> options = UcciOptions()
    >>> option, warning = options.assign(["name", "Hash", "value", "99999"])
    >>> option.name, warning, options.number("hashsize")
    ('hashsize', 'warning option hashsize clamped to 65536', 65536)
    """

    def __init__(self) -> None:
        self._values = {option.name: option.default for option in TABLE}

    def flag(self, name: str) -> bool:
        return self._values[name] is True

    def number(self, name: str) -> int:
        return int(self._values[name])

    def word(self, name: str) -> str:
        return str(self._values[name])

    def skill(self) -> int:
        """The level to play at: the one nearest to UCI_Elo if strength is limited so, else Skill Level."""
        return skill_of_elo(self.number("elo")) if self.flag("limitstrength") else self.number("skilllevel")

    def values(self) -> dict[str, bool | int | str]:
        """All values by name, as they are now."""
        return dict(self._values)

    def assign(self, words: list[str]) -> tuple[UcciOption | None, str]:
        """Obey the words behind `setoption`: the option, None if it is unknown, and a warning or "".

        ProtocolError if the value cannot be used.
        """
        option, text = find(words)
        if option is None or option.kind == "button":
            return option, ""
        value = option.read(text)
        warning = ""
        if option.kind == "spin":
            clamped = max(option.low, min(option.high, int(value)))
            if clamped != value:
                warning = f"warning option {option.name} clamped to {clamped}"
            value = clamped
        self._values[option.name] = value
        return option, warning

    def set_defaults(self, dialect: str) -> None:
        """Give all options the values that the handshake of the dialect announces."""
        for option in TABLE:
            off = dialect == "uci" and option.name in OFF_IN_UCI
            self._values[option.name] = False if off else option.default

    def restore(self, name: str, value: bool | int | str) -> None:
        """Put back a value that turned out not to be available."""
        self._values[name] = value


def option_lines(dialect: str) -> "Iterator[str]":
    """The option lines of a handshake."""
    for option in TABLE:
        if dialect == "ucci" and option.ucci:
            yield f"option {option.name} type {option.describe()}"
        if dialect == "uci" and option.uci:
            yield f"option name {option.uci} type {option.describe(uci=True)}"
