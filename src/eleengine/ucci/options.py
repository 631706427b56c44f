"""The options as a conversation has them: those of a table, the engine's by default."""

from ..engines.engine_options import OPTIONS, EngineOption, by_name, key
from .replies import ProtocolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..engines.engine_options import Value


class UcciOptions:
    """The values of all options of a table, by their names in UCCI.

    >>> option, value, warning = UcciOptions().read(["name", "Hash", "value", "9999999"])
    >>> option.ucci, value, warning
    ('hashsize', 1048576, 'warning option hashsize clamped to 1048576')
    """

    def __init__(self, table: "Iterable[EngineOption]" = OPTIONS) -> None:
        self.table = tuple(table)
        self._names = by_name(self.table)
        self.values: dict[str, Value] = {}
        self.set_defaults("ucci")

    def set_defaults(self, dialect: str) -> None:
        """Give all options the values that the handshake of the dialect announces."""
        self.values |= {option.ucci: option.default_in(dialect) for option in self.table}

    def flag(self, name: str) -> bool:
        return self.values[name] is True

    def number(self, name: str) -> int:
        return int(self.values[name])

    def read(self, words: list[str]) -> "tuple[EngineOption | None, Value, str]":
        """What the words behind `setoption` ask for: the option, its value in range, and a warning or "".

        words: empty ones stand for further blanks, which a path may have. The option is None if it is
        unknown. ProtocolError if the value cannot be used.
        """
        option, text = self._find(words)
        if option is None or option.type == "button":
            return option, "", ""
        if not text and option.type != "string":
            raise ProtocolError(f"error option {option.ucci} needs value")
        try:
            value = option.parse(text)
        except ValueError:
            raise ProtocolError(f"error option {option.ucci} bad value") from None
        if option.type == "spin" and value != (clamped := max(option.min, min(option.max, int(value)))):
            return option, clamped, f"warning option {option.ucci} clamped to {clamped}"
        return option, value, ""

    def _find(self, words: list[str]) -> tuple[EngineOption | None, str]:
        """The option and the text of its value."""
        words = " ".join(words).strip().split(" ")
        lower = [word.lower() for word in words]
        if lower[0] == "name":
            end = lower.index("value", 1) if "value" in lower else len(words)
            found = [("".join(words[1:end]), words[end + 1 :])] if len(words) > 1 else []
        else:  # `setoption Clear Hash`
            found = [("".join(words[:n]), words[n:]) for n in range(1, len(words) + 1)[:3] if words[0]]
        if not found:
            raise ProtocolError("error option needs value")
        known = (
            (option, " ".join(text).strip()) for name, text in found if (option := self._names.get(key(name)))
        )
        return next(known, (None, ""))
