"""XML read as a row of events, without recursion and without entities of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from xml.parsers import expat

from .errors import RecordError
from .limits import limits

_PIECE = 1 << 16  # bytes that are parsed before their events are handed on


class Event(NamedTuple):
    """The start of an element, with its attributes, or its end, with its text."""

    kind: str
    name: str
    attributes: dict[str, str]
    text: str
    line: int


def events(data: bytes) -> Iterator[Event]:
    """The elements of a document.

    RecordError if it is not well formed, declares entities, or has more than twice as many elements as a game
    may have moves.
    """
    parser = expat.ParserCreate()
    parser.buffer_text = True
    found: list[Event] = []
    texts: list[list[str]] = []
    count = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > 2 * limits.nodes:
            raise RecordError("XML of more than {:,} elements is not read", 2 * limits.nodes)
        texts.append([])
        found.append(Event("start", name, attributes, "", parser.CurrentLineNumber))

    def end(name: str) -> None:
        found.append(Event("end", name, {}, "".join(texts.pop()), parser.CurrentLineNumber))

    def text(piece: str) -> None:
        texts[-1].append(piece)

    def entity(*_: object) -> None:
        raise RecordError("XML with entities of its own is not read", line=parser.CurrentLineNumber)

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = entity
    try:
        for at in range(0, len(data), _PIECE):
            parser.Parse(data[at : at + _PIECE])
            yield from found
            found.clear()
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise RecordError("XML: {}", expat.ErrorString(error.code), line=error.lineno) from None
    except (ValueError, LookupError) as error:
        if isinstance(error, RecordError):
            raise
        raise RecordError("XML: {}", error, line=1) from None
