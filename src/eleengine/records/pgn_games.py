"""Where the games of a PGN file begin and end, found without reading their moves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from .encoding import decode
from .limits import check_headers, check_text, limits

_JOINED = 1 << 22  # bytes: a comment over several paragraphs with header lines is not longer
HEAD = re.compile(  # all before the moves; a remark only if another header follows
    r"(?:[\ufeff \t\r]*(?:[\[%].*)?\n|(?:;.*\n)+(?=[ \t]*\[))*(?:[\ufeff \t\r]*[\[%].*)?"
)
_BLANK = b"\xef\xbb\xbf \t\r\n\f\v"  # with the mark of UTF-8
_FIRST = (b"game", b"event")  # with these the headers of a game begin
# Lines in brackets without a gap. "\n" comes first because that is found fast.
_LINES = re.compile(rb"\n((?:(?:\xef\xbb\xbf)*[ \t\r]*\[.*\n?)+)")
_BYTES_HEADER = re.compile(rb"^(?:\xef\xbb\xbf)*[ \t\r]*\[[ \t\r]*([A-Za-z][\w.:+-]*)\s", re.MULTILINE)
TOKEN = re.compile(
    r"""(?P<comment>\{[^}\\]*(?:\\(?:\}(?=[^{}]*\}))?[^}\\]*)*\}|;[^\n]*|^%[^\n]*)
      | (?P<open>[(（]) | (?P<close>[)）])
      | (?P<word>[^\s{}();（）]+)
      | (?P<stray>[{}])""",
    re.VERBOSE | re.MULTILINE,
)


def blocks(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """What a file holds, in blocks: small ones first, for who wants one game only."""
    size = 1 << 12
    while block := read(size):
        yield block
        size = min(2 * size, 1 << 17)


def game_texts(blocks: Iterator[bytes], mark: bytes = b"") -> Iterator[tuple[int, bytes]]:
    """The games of a text that comes in blocks, each with the number of its first line.

    mark: that of UTF-8 if it is known that the text is; each game begins with it. RecordError for one that is
    too large.
    """
    return _joined(_chunks(blocks), mark)


def _whole_lines(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """The blocks cut at ends of lines; not a line that is longer than a game may be."""
    waiting = b""
    for block in blocks:
        whole, end, rest = block.rpartition(b"\n")
        if end or len(waiting) > limits.game:
            yield b"".join([waiting, whole, end])
            waiting = rest
        else:
            waiting += block
    if waiting:
        yield waiting


def _chunks(blocks: Iterator[bytes]) -> Iterator[tuple[int, bytes]]:
    """The text cut where another game's headers begin; each part with the number of its first line."""
    text = b"\n"  # a line end before the first line, as before every other
    first = 1
    for block in _whole_lines(blocks):
        text += block
        start = 1
        for offset in _cuts(text, first):
            part, start = text[start:offset], offset
            lines = part.count(b"\n")
            check_text(len(part), lines, line=first)
            yield first, part
            first += lines
        text = text[start - 1 :]
        check_text(len(text), text.count(b"\n"), line=first)
    if len(text) > 1:
        yield first, text[1:]


def _cuts(text: bytes, first: int) -> Iterator[int]:
    """Where in a text the headers of another game begin: after something else, or again.

    text: a line end, and lines. first: the number of the first one. RecordError: too many headers of a game.
    """
    start = end = 1  # of the game, of the headers before
    count = 0  # of its headers
    body = blank = False  # seen since the headers before
    for lines in _LINES.finditer(text):
        if gap := text[end : lines.start(1)]:
            if b"%" in gap or b";" in gap:
                others = [line.strip() for line in gap.split(b"\n")[:-1] if line[:1] not in (b"%", b";")]
                blank = blank or not all(others)
                body = body or any(others)
            elif gap.isspace():
                blank = True
            else:
                body = True
        end = lines.end()
        if body and _BYTES_HEADER.match(text, lines.start(1)):
            start = lines.start(1)
            yield start
            body = blank = False
            count = 0
            if lines[1].lower().count(b"game") < 2:
                continue
        names = {name.lower() for name in _BYTES_HEADER.findall(text, start, lines.start(1))}
        for found in _BYTES_HEADER.finditer(text, lines.start(1), end):
            name = found[1].lower()
            if body or (names and blank and name in _FIRST) or (name in names and (blank or name == b"game")):
                start = found.start()
                yield start
                names, body, count = set(), False, 0
            names.add(name)
            count += 1
            if count > limits.headers:
                check_headers(count, line=first + text.count(b"\n", 1, found.start()))
            blank = False


def _joined(chunks: Iterator[tuple[int, bytes]], mark: bytes) -> Iterator[tuple[int, bytes]]:
    """The chunks with the mark, joined where a comment has been cut; those without any text left out."""
    for first, data in chunks:
        if data.count(b"{") == data.count(b"}") or not _is_open(
            text := decode(mark + data), moves_start(text)
        ):
            if data.strip(_BLANK):
                yield first, mark + data
            continue
        parts = [(first, data)]
        size = len(data)
        is_open = True
        while is_open and size < _JOINED and (found := next(chunks, None)):
            parts.append(found)
            size += len(found[1])
            text = decode(mark + found[1])
            is_open = "}" not in text or _is_open(text, text.index("}") + 1)
        if not is_open:
            parts = [(first, b"".join(data for _, data in parts))]
        # otherwise a comment that one of the parts leaves open is not closed in a later one either
        yield from ((first, mark + data) for first, data in parts)


def _is_open(text: str, start: int) -> bool:
    """Does the text, read from a place outside comments, end within one?"""
    return any(found["stray"] == "{" for found in TOKEN.finditer(text, start))


def moves_start(text: str) -> int:
    """Where the moves begin: braces in headers are no comments."""
    found = HEAD.match(text)
    return found.end() if found else 0
