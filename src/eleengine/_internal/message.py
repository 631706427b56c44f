"""What is said of errors: sentences that other languages can word, and which thing is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

MessageData: TypeAlias = "list[str | int | MessageData]"


class Message(str):
    """What `pattern.format(*parts)` makes; without parts the pattern itself, which may be a Message already.

    A part that is an exception stands for what it says, as a Message, too.

    >>> error = ValueError(Message("unknown result {!r}", "2-0"))
    >>> found = Message("{}; the rest is not read", error)
    >>> found, found.pattern
    ("unknown result '2-0'; the rest is not read", '{}; the rest is not read')
    >>> found.data()
    ['{}; the rest is not read', ['unknown result {!r}', '2-0']]
    """

    __slots__ = ("parts", "pattern")

    pattern: str
    parts: tuple[str | int, ...]

    def __new__(cls, pattern: str, *parts: object) -> Message:
        if isinstance(pattern, Message) and not parts:
            return pattern
        self = super().__new__(cls, pattern.format(*parts) if parts else pattern)
        self.pattern = pattern
        self.parts = tuple(_part(part) for part in parts)
        return self

    def __reduce__(self) -> tuple[type[Message], tuple[str | int, ...]]:
        return Message, (self.pattern, *self.parts)

    def data(self) -> MessageData:
        """The pattern and the parts, as JSON has them: a part that is a Message is such a list."""
        return [self.pattern, *(part.data() if isinstance(part, Message) else part for part in self.parts)]


def _part(part: object) -> str | int:
    if isinstance(part, BaseException):
        return message_of(part)
    return part if isinstance(part, (str, int)) else str(part)


def as_text(what: str, text: object) -> str:
    """The text; TypeError, which names what it should be, for anything else."""
    if not isinstance(text, str):
        raise TypeError(f"{what} is a str, not {type(text).__name__}")
    return text


def message_of(error: BaseException) -> Message:
    """What an exception says."""
    said = getattr(error, "message", error.args[0] if error.args else "")
    return Message(said if isinstance(said, str) else str(said))


@contextmanager
def naming(name: str) -> Iterator[None]:
    """A block whose ValueError gets the name of what is wrong before its text."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
