"""What a conversation says and reads of the options, which are those of a table: the engine's by default."""

from ..engines.engine_options import HASH, OPTIONS, THREADS, EngineOption, by_name, key
from .replies import ProtocolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..engines.engine_options import Value

OFF_IN_UCI = ("usebook",)  # GUIs of UCI have books of their own, and analyse by `go` as well


def describe(option: EngineOption, *, uci: bool = False) -> str:
    """The part of the option line behind `type`."""
    default, low = option.default, option.min
    if option.type == "check":
        on = default and not (uci and option.ucci in OFF_IN_UCI)
        return f"check default {'true' if on else 'false'}"
    if option.type == "spin":
        if uci and option in (HASH, THREADS):  # 0 is "automatic" in UCCI
            default, low = default or option.zero, 1
        return f"spin default {default} min {low} max {option.max}"
    if option.type == "combo":
        # A GUI ends its game wherever it reads "draw": that rule is obeyed, but not announced.
        # Some take the first choice for the default, whatever is said before.
        names = sorted(option.choices, key=lambda choice: choice != default)
        shown = (f"var {option.word(choice)}" for choice in names if "draw" not in choice)
        return " ".join((f"combo default {option.word(default)}", *shown))
    if option.type == "string" and (default or uci):
        return f"string default {default or '<empty>'}"
    return option.type


def option_lines(dialect: str, options: "Iterable[EngineOption]" = OPTIONS) -> "Iterator[str]":
    """The option lines of a handshake."""
    for option in options:
        if dialect == "ucci" and option.shown:
            yield f"option {option.ucci} type {describe(option)}"
        if dialect == "uci" and option.uci:
            yield f"option name {option.uci} type {describe(option, uci=True)}"


def read_setting(words: list[str], names: "Mapping[str, EngineOption]") -> tuple[EngineOption | None, str]:
    """The option and the value that the words behind `setoption` name; None for an unknown option."""
    lower = [word.lower() for word in words]
    if lower[:1] == ["name"]:
        end = lower.index("value", 1) if "value" in lower else len(words)
        found = [("".join(words[1:end]), words[end + 1 :])] if len(words) > 1 else []
    else:
        found = [("".join(words[:n]), words[n:]) for n in (1, 2) if len(words) >= n]  # `setoption Clear Hash`
    if not found:
        raise ProtocolError("error option needs value")
    known = ((option, " ".join(text)) for name, text in found if (option := names.get(key(name))))
    return next(known, (None, ""))


class UcciOptions:
    """The values of all options of a table, by their names in UCCI.

    >>> options = UcciOptions()
    >>> option, warning = options.assign(["name", "Hash", "value", "9999999"])
    >>> option.ucci, warning, options.number("hashsize")
    ('hashsize', 'warning option hashsize clamped to 1048576', 1048576)
    """

    def __init__(self, table: "Iterable[EngineOption]" = OPTIONS) -> None:
        self.table = tuple(table)
        self._names = by_name(self.table)
        self._values = {option.ucci: option.default for option in self.table}

    def flag(self, name: str) -> bool:
        return self._values[name] is True

    def number(self, name: str) -> int:
        return int(self._values[name])

    def word(self, name: str) -> str:
        return str(self._values[name])

    def values(self) -> "dict[str, Value]":
        """All values by name, as they are now."""
        return dict(self._values)

    def assign(self, words: list[str]) -> tuple[EngineOption | None, str]:
        """Obey the words behind `setoption`: the option, None if it is unknown, and a warning or "".

        ProtocolError if the value cannot be used.
        """
        option, text = read_setting(words, self._names)
        if option is None or option.type == "button":
            return option, ""
        if not text and option.type != "string":
            raise ProtocolError(f"error option {option.ucci} needs value")
        try:
            value = option.parse(text)
        except ValueError:
            raise ProtocolError(f"error option {option.ucci} bad value") from None
        warning = ""
        if option.type == "spin":
            clamped = max(option.min, min(option.max, int(value)))
            if clamped != value:
                warning = f"warning option {option.ucci} clamped to {clamped}"
            value = clamped
        self._values[option.ucci] = value
        return option, warning

    def set_defaults(self, dialect: str) -> None:
        """Give all options the values that the handshake of the dialect announces."""
        off = OFF_IN_UCI if dialect == "uci" else ()
        self._values = {option.ucci: False if option.ucci in off else option.default for option in self.table}

    def restore(self, name: str, value: "Value") -> None:
        """Put back a value that turned out not to be available."""
        self._values[name] = value
