"""The options of engines, in the words of UCI and UCCI."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from .._internal.digits import whole
from .engine_options import FALSE, TRUE, find, key, names_of, words_of


class Option(NamedTuple):
    """An option as an engine declares it in its greeting: name, type, default, bounds, choices."""

    name: str
    type: str  #: check, spin, combo, button, string or, in UCCI, label
    default: str | None = None
    min: int | None = None
    max: int | None = None
    var: tuple[str, ...] = ()  #: choices of a combo

    @classmethod
    def read(cls, line: str) -> Option | None:
        """Return the option of a line of the handshake, or None if it has none.

        >>> Option.read("option usemillisec type check default true")
        Option(name='usemillisec', type='check', default='true', min=None, max=None, var=())
        >>> Option.read("option name Style type combo default Solid Play var Solid Play var Risky").var
        ('Solid Play', 'Risky')
        """
        line = " ".join(line.split())  # some engines write tabs, or blanks as they like
        found = re.match(r"option (?:name )?(.+?) type (\S+)(.*)", line)
        if found is None:
            return None
        name, kind, rest = found.groups()
        default = re.search(r" default(?: (.*?))??(?= (?:min|max|var) |$)", rest)
        bounds = {key: int(value) for key, value in re.findall(r" (min|max) (-?[0-9]{1,30})(?= |$)", rest)}
        var = tuple(re.findall(r" var (.*?)(?= (?:default|var) |$)", rest))
        return cls(
            name, kind, (default[1] or "") if default else None, bounds.get("min"), bounds.get("max"), var
        )

    def is_managed(self) -> bool:
        """False, because `configure` sets any option; python-chess sets some by itself."""
        return False

    def text(self, value: str | int | bool | None) -> str:
        """Return the value as the engine gets it; ValueError for one that the option cannot have.

        >>> Option("Repetition Rule", "combo", var=("AsianRule", "ChineseRule")).text("cxa")
        'ChineseRule'
        """
        text = str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)
        if self.type == "spin":
            try:
                number = whole(text)
            except ValueError:
                raise ValueError(f"option {self.name} must be a whole number, not {text[:40]!r}") from None
            if (self.min is not None and number < self.min) or (self.max is not None and number > self.max):
                raise ValueError(f"option {self.name} must be {self.min}..{self.max}, not {number}")
        if self.type == "combo" and self.var:
            return self._choice(text)
        if self.type == "check":
            if text.lower() not in TRUE | FALSE:
                raise ValueError(f"option {self.name} must be true or false, not {text!r}")
            return str(text.lower() in TRUE).lower()
        return text

    def _choice(self, text: str) -> str:
        """The choice that is meant, in the engine's letters: also by the words of our own option."""
        wanted = {text.lower(), *(words_of(ours, text) if (ours := find(self.name)) is not None else ())}
        for choice in self.var:
            if choice.lower() in wanted:
                return choice
        raise ValueError(f"option {self.name} must be one of {', '.join(self.var)}, not {text!r}")


class Options(dict[str, Option]):
    """The options of an engine by name, which is found in any letters, with blanks or underscores.

    >>> options = Options([Option("Skill Level", "spin"), Option("Hash", "spin")])
    >>> options["Skill Level"] is options["skill_level"], "HASH" in options, options.get("Threads")
    (True, True, None)
    >>> list(options)
    ['skill level', 'hash']
    """

    __slots__ = ()

    def __init__(self, options: Iterable[Option] = ()) -> None:
        super().__init__((option_key(option.name), option) for option in options)

    def __getitem__(self, name: str) -> Option:
        return super().__getitem__(option_key(name))

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and super().__contains__(option_key(name))

    def get(self, name: str, default: Any = None) -> Any:
        """The option of that name, or the default."""
        return super().get(option_key(name), default)


def option_key(name: str) -> str:
    """A name as options are found by: UCCI writes _ where UCI has a blank, and either any letters."""
    return name.lower().replace("_", " ")


def find_option(options: Mapping[str, Option], name: str) -> Option | None:
    """The option of that name, in any letters, or of the same name in another protocol.

    >>> find_option({"hashsize": Option("hashsize", "spin")}, "Hash").name
    'hashsize'
    """
    if (found := options.get(option_key(name))) is not None or (ours := find(name)) is None:
        return found
    names = names_of(ours)
    return next((option for other, option in options.items() if key(other) in names), None)
