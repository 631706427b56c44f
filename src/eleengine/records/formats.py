"""The formats: by what they are known, who reads and who writes them; and reading files of them."""

from __future__ import annotations

import codecs
import io
import os
import re
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, TextIO, TypeAlias, TypeGuard, cast, overload

from .._internal.files import plain_file
from . import cbf, cbl, cbr, dhtmlxq, movetext, pfc, pgn, pgn_games, pgn_writer, position, sites, wxf, xqf
from .chess_names import Headers
from .encoding import MARK, check_encoding, decode, guess, is_sure, is_utf_8, utf_16_or_32
from .entry import RecordEntry
from .errors import RecordError, of_source
from .limits import limits
from .packing import BUFFER, is_packed, opened, read_up_to, unpacked
from .tree import Game
from .words import has_moves

#: A path ("-" is stdin), a text of several lines, bytes, or an open file, binary or text.
Source: TypeAlias = str | PathLike[str] | bytes | BinaryIO | TextIO
Loss: TypeAlias = Callable[[str], object]
Scan: TypeAlias = Callable[[BinaryIO], Iterator[RecordEntry]]

BINARY: Final = ("xqf", "cbr", "cbl", "mxq", "chn", "ccm", "che")

_HEAD = 4096  # bytes by which a format is known, or more if they are there
_CUT = re.compile(rb"[\xc0-\xff][\x80-\xbf]{0,2}\Z")


class WriteOptions(NamedTuple):
    """How games are written.

    style: of the moves where there is a choice: "chinese", "traditional", "wxf" or "iccs".
    encoding: of texts: "utf-8", "gb18030" or "big5"; the last two with CR LF, for programs of Windows.
    variations, comments: whether they are written.
    """

    style: str = "chinese"
    encoding: str = "utf-8"
    variations: bool = True
    comments: bool = True


class Format(NamedTuple):
    """A format.

    name: how commands call it. title: in words. suffixes: of its files.
    scan: finds the games of a file. encode: writes one; None if it is only read.
    holds: which of "variations", "comments", "starting comments" (of variations), "games" (more than one in a
    file) and "counters" (the moves and plies that the start position has behind it) it can hold.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    scan: Scan
    encode: Callable[[Game, WriteOptions, Loss], bytes] | None = None
    holds: frozenset[str] = frozenset()


def _of_one_game(
    read: Callable[[bytes], Game], *, line: int | None = None, offset: int | None = None
) -> Scan:
    """What scans files of one game, which is read at once; line, offset: as for `RecordEntry`."""

    def scan(file: BinaryIO) -> Iterator[RecordEntry]:
        game = read(file.read())
        yield RecordEntry(game.headers, lambda: game, line=line, offset=offset)

    return scan


def _text(text: str, options: WriteOptions, loss: Loss) -> bytes:
    """The text in the encoding that is asked for."""
    if options.encoding != "utf-8":
        text = text.replace("\n", "\r\n")
    data = text.encode(options.encoding, "replace")
    if data.decode(options.encoding) != text:
        loss(f"characters that {options.encoding} has not become question marks")
    elif decode(data) != text:  # a reader would guess another encoding
        if options.encoding == "utf-8":
            return MARK + data
        loss(f"a reader has to be told that the encoding is {options.encoding}")
    return data


def _pgn(game: Game, options: WriteOptions, loss: Loss) -> bytes:
    text = pgn_writer.text_of(
        game, style=options.style, variations=options.variations, comments=options.comments, loss=loss
    )
    return _text(f"{text}\n", options, loss)


_ALL: Final = frozenset({"variations", "comments", "games", "counters"})

FORMATS: Final = {
    format.name: format
    for format in (
        Format("pgn", "PGN", (".pgn",), pgn.scan, _pgn, _ALL | {"starting comments"}),
        Format(
            "xqf", "XQF (XQStudio)", (".xqf",), xqf.scan,
            lambda game, _, loss: xqf.encode(game, loss), _ALL - {"games", "counters"},
        ),
        Format(
            "dhtmlxq", "DhtmlXQ (UBB)", (".ubb", ".dhtmlxq"), dhtmlxq.scan,
            lambda game, options, loss: _text(dhtmlxq.text_of(game, loss), options, loss), _ALL,
        ),
        Format(
            "cbr", "CBR (CCBridge)", (".cbr",), cbr.scan,
            lambda game, _, loss: cbr.encode(game, loss), _ALL - {"games", "counters"},
        ),
        Format("cbl", "CBL (library of CCBridge)", (".cbl",), cbl.scan),
        Format(
            "text", "text move list", (".txt",), _of_one_game(movetext.read, line=1),
            lambda game, options, loss: _text(movetext.text_of(game, options.style, loss), options, loss),
            frozenset({"counters"}),
        ),
        Format(
            "wxf", "WXF file", (".wxf",), _of_one_game(lambda data: wxf.parse(decode(data)), line=1),
            lambda game, options, loss: _text(wxf.text_of(game, loss), options, loss),
        ),
        Format(
            "fen", "positions with moves", (".fen", ".epd"), position.scan,
            lambda game, options, loss: _text(f"{position.text_of(game, loss)}\n", options, loss),
            frozenset({"games", "counters"}),
        ),
        Format("cbf", "CBF (CCBridge's XML)", (".cbf",), _of_one_game(cbf.read, line=1)),
        Format("pfc", "PFC (鹏飞)", (".pfc",), _of_one_game(pfc.read, line=1)),
        Format("mxq", "MXQ (弈天)", (".mxq",), _of_one_game(sites.read_mxq, offset=0)),
        Format("chn", "CHN (联众)", (".chn",), _of_one_game(sites.read_chn, offset=0)),
        Format("ccm", "CCM (中国游戏中心)", (".ccm",), _of_one_game(sites.read_ccm, offset=0)),
        Format("che", "CHE (QQ)", (".che",), _of_one_game(sites.read_che, offset=0)),
    )
}  # fmt: skip
_BY_SUFFIX: Final = {suffix: format for format in FORMATS.values() for suffix in format.suffixes}
_ONLY_BY_NAME: Final = ("mxq", "chn", "ccm", "che")  # nothing in them identifies them
_NO_SUFFIX_TELLS: Final = ("text", "wxf", "dhtmlxq", "fen")  # without their marks the contents decide
_STRANGERS: Final = (  # first bytes, what the file is
    (b"CCBridge\x15", "this is a packed CBL, which is not read: save the library unpacked in CCBridge"),
    (b"SQLite format 3\0", "this is an SQLite database, perhaps an opening book: see eleengine book"),
    (b"PK\x03\x04", "this is a ZIP archive: unpack it first"),
    (b"Rar!", "this is a RAR archive: unpack it first"),
    (b"7z\xbc\xaf", "this is a 7-Zip archive: unpack it first"),
    (b"%PDF", "this is a PDF document"),
    (b"\x89PNG", "this is a picture"),
    (b"GIF8", "this is a picture"),
    (b"\xff\xd8\xff", "this is a picture"),
)
_READ_BY_NOBODY: Final = {
    ".xqr": "XQR", ".txq": "TXQ (TCHESS)", ".egf": "EGF (XieXie)", ".xqb": "XQB",
}  # fmt: skip


def format_of(head: bytes, name: str = "") -> Format:
    """The format of a file by its `head_of` and its name; RecordError for a stranger."""
    for magic, what in _STRANGERS:
        if head.startswith(magic):
            raise RecordError(what, offset=0)
    if head.startswith(cbl.MAGIC):
        return FORMATS["cbl"]
    if head.startswith(cbr.MAGIC):
        return FORMATS["cbr"]
    if head.startswith(xqf.MAGIC) and (len(head) >= xqf.HEADER or b"\0" in head):
        return FORMATS["xqf"]
    suffix = Path(name).suffix.lower()
    if suffix in _BY_SUFFIX and _BY_SUFFIX[suffix].name in _ONLY_BY_NAME:
        return _BY_SUFFIX[suffix]
    text = decode(head).replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff \t\n")
    is_pgn = re.match(r'\[[ \t]*\w+[ \t]+"', text) is not None  # it may speak of other formats
    if not is_pgn and dhtmlxq.is_begun(text):
        return FORMATS["dhtmlxq"]
    if not is_pgn and re.search(r"\[DHJHtmlXQ", text, re.IGNORECASE):
        raise RecordError("DHJHtmlXQ (广东象棋网) is not read", line=1)
    if text.startswith("<"):
        if "<ChineseChessRecord" in text:
            return FORMATS["cbf"]
        if re.match(r"(?:<\?[^>]*>|<!(?:[^>\[]|\[[^\]]*\])*>|\s)*<n\s[^>]*\bversion=", text):
            return FORMATS["pfc"]
    if re.search(r'^[ \t]*\[[ \t]*\w+[ \t]+"', text, re.MULTILINE):
        return FORMATS["pgn"]
    if re.search(r"(?:^|FORMAT.*\s)START[ \t]*\{", text, re.MULTILINE) or re.match(r"FORMAT\s+WXF", text):
        return FORMATS["wxf"]
    if suffix in _READ_BY_NOBODY:
        raise RecordError("the format {} is not read", _READ_BY_NOBODY[suffix])
    if "\0" in text:
        known = ", ".join(format.name for format in FORMATS.values())
        raise RecordError("a binary file of no known format: those are {}", known, offset=0)
    if suffix in _BY_SUFFIX and _BY_SUFFIX[suffix].name not in _NO_SUFFIX_TELLS:
        return _BY_SUFFIX[suffix]
    lines = [line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#")]
    if lines and position.is_position(lines[0]):
        has_moves_below = len(lines) > 1 and position.is_fen(lines[0]) and has_moves(lines[1])
        return FORMATS["text" if has_moves_below and not position.is_position(lines[1]) else "fen"]
    if suffix in _BY_SUFFIX and _BY_SUFFIX[suffix].name == "fen":
        return FORMATS["fen"]
    return FORMATS["text"]


def format_of_file(path: str | PathLike[str]) -> Format:
    """The format of a file, packed or not; OSError, RecordError as for `format_of`."""
    with opened(path) as (contents, name):
        return format_of(head_of(contents.peek(_HEAD)), name)


def named(format: str) -> Format:
    """Return the format with a name such as "xqf"; ValueError for an unknown one."""
    if format not in FORMATS:
        raise ValueError(f"unknown format {format!r}: expected one of {', '.join(FORMATS)}")
    return FORMATS[format]


def has_suffix(name: str) -> bool:
    """Return whether a name ends as those of records do."""
    return Path(name).suffix.lower() in _BY_SUFFIX


def by_name(name: str) -> Format:
    """The format that a file of this name is to have; ValueError if its suffix is of no format."""
    suffix = Path(name).suffix.lower()
    if suffix not in _BY_SUFFIX:
        written = ", ".join(sorted(suffix for suffix, format in _BY_SUFFIX.items() if format.encode))
        raise ValueError(f"{name}: the suffix {suffix!r} tells no format that is written: {written}")
    return _BY_SUFFIX[suffix]


# Reading


def scan_games(
    source: Source, *, format: str | None = None, encoding: str | None = None
) -> Iterator[RecordEntry]:
    """The games of a file as entries, which know their headers and read their moves when they are asked to.

    source: a path ("-" is stdin), the bytes themselves, a text with at least one line end, or an open file,
        binary or text. What gzip, xz or bzip2 packed is unpacked on the way.
    format: a name of `FORMATS`, if the first bytes shall not decide.
    encoding: of the texts, as Python calls it, if it shall not be guessed ("latin-1", "cp1258", ...).
    OSError; RecordError if it is no record at all, or not one that is read; ValueError for an unknown format
    or encoding.
    """
    if encoding is not None:
        check_encoding(encoding)
    name, file = _open(source)
    buffered: io.BufferedReader = io.BufferedReader(cast(io.RawIOBase, file), BUFFER)
    try:
        with of_source(name or None):
            yield from _scan(buffered, name, format, encoding)
    except UnicodeError as error:  # UTF-16 and UTF-32 without a mark of their byte order
        raise RecordError(str(error), source=name or None) from None
    finally:
        buffered.detach()
        if file is not source:  # who opened a file closes it
            file.close()


def _scan(
    file: io.BufferedReader, name: str, format: str | None, encoding: str | None
) -> Iterator[RecordEntry]:
    contents, name = unpacked(file, name)
    buffered, head = cast(BinaryIO, contents), head_of(contents.peek(_HEAD))
    found = named(format) if format else format_of(head, name)
    if found.name in BINARY:
        if found.name != "cbl":
            buffered = io.BytesIO(_read_whole(buffered, found))
        yield from xqf.scan(buffered, encoding or "") if found.name == "xqf" else found.scan(buffered)
        return
    mark = MARK if encoding is not None or head.startswith(MARK) else b""  # of UTF-8
    if encoding is not None:
        buffered = cast(BinaryIO, codecs.EncodedFile(buffered, "utf-8", encoding, "replace"))
        head = b""
    if _is_unusual(head):
        wide = utf_16_or_32(head)
        buffered = cast(BinaryIO, _Rewritten(buffered, wide))
        mark, head = MARK if wide else mark, head.replace(b"\r", b"\n")
    if found.name == "pgn":
        entries = pgn.scan(buffered, mark)
    elif found.name == "fen":
        entries = position.scan(buffered, mark)
    else:
        entries = found.scan(io.BytesIO(mark + _read_whole(buffered, found)))
    if not mark and not is_sure(head):
        for entry in islice(entries, 1):
            entry.take_note(RecordError("the encoding of the texts is a guess: {}", guess(head), line=1))
            yield entry
    yield from entries


def _is_unusual(head: bytes) -> bool:
    """Must a text be rewritten before it is read: UTF-16, UTF-32, or lines that end with CR alone?"""
    return bool(utf_16_or_32(head)) or (b"\r" in head and b"\n" not in head)


class _Rewritten:
    """A text as UTF-8, or in its own encoding of one byte or more, with "\\n" at the ends of lines."""

    def __init__(self, file: BinaryIO, wide: str) -> None:
        self._file = file
        self._encoding = "utf-8" if wide else "latin-1"  # with which bytes stay what they are
        decoder = codecs.getincrementaldecoder(wide or "latin-1")("replace")
        self._decoder = io.IncrementalNewlineDecoder(decoder, translate=True)

    def read(self, size: int = -1) -> bytes:
        """Some bytes, also if fewer or more have been asked for; none at the end."""
        while True:
            data = self._file.read(size)
            text = self._decoder.decode(data, final=not data)
            if text or not data:
                return text.encode(self._encoding, "surrogatepass")


def _read_whole(file: BinaryIO, format: Format) -> bytes:
    """All bytes of a file; RecordError if there are too many, of one game or of several."""
    largest = limits.file if "games" in format.holds or format.name in ("pgn", "cbl") else limits.game
    data = read_up_to(file, largest + 1)
    if len(data) > largest:
        raise RecordError("a {} file of more than {} MiB is not read", format.name, largest >> 20)
    return data


def head_of(data: bytes) -> bytes:
    """The first bytes of a file, by which its format is known; without a character of UTF-8 that is cut."""
    head = data[:BUFFER]
    return head[:-3] + _CUT.sub(b"", head[-3:]) if len(head) >= _HEAD else head


def _open(source: Source) -> tuple[str, BinaryIO]:
    if isinstance(source, bytes):
        return "", io.BytesIO(source)
    if isinstance(source, str) and _is_record(source):
        return "", io.BytesIO(MARK + source.encode("utf-8", "surrogatepass"))
    if isinstance(source, str | PathLike):
        if str(source) == "-":
            return "", io.BytesIO(sys.stdin.buffer.read())
        return str(source), cast(BinaryIO, open(plain_file(source), "rb", buffering=0))
    if not hasattr(source, "read"):
        kind = type(source).__name__
        raise TypeError(f"a record is a path, a text of several lines, bytes or an open file, not {kind}")
    if _is_text(source):
        data = _as_bytes(source.read())
        return _name_of(source), io.BytesIO(MARK + data if is_utf_8(data) else data)
    return _name_of(source), cast(BinaryIO, source)


def _is_record(text: str) -> bool:
    """Is it a record itself, and no path?"""
    return "\n" in text and not os.path.exists(text)  # a name may have one


def _name_of(source: Source) -> str:
    """The name of a file; "" without one: a pipe or temporary file has a number, or None."""
    if isinstance(source, str | PathLike):
        return "" if isinstance(source, str) and _is_record(source) else str(source)
    name = getattr(source, "name", "")
    return name if isinstance(name, str) else ""


def _is_text(file: object) -> bool:
    """Is it an open file of text?"""
    return isinstance(file, io.TextIOBase) or isinstance(getattr(file, "encoding", None), str)


def _as_bytes(text: str | bytes, encoding: str | None = None) -> bytes:
    """The bytes of a text; what a file of text could not decode is as it was there.

    encoding: of bytes, which become UTF-8.
    """
    if isinstance(text, bytes):
        return text if encoding is None else text.decode(encoding, "replace").encode()
    return text.encode("utf-8", "surrogateescape")


def read_games(
    source: Source, *, format: str | None = None, encoding: str | None = None, strict: bool = False
) -> Iterator[Game]:
    """The games of a file, one after the other; those that a library marks as deleted are left out.

    What is wrong with a game is in its `warnings`; strict raises the first RecordError instead.
    The rest as for `scan_games`.
    """
    for entry in _kept(source, format, encoding):
        yield _read(entry, source, strict=strict)


def _read(entry: RecordEntry, source: Source, *, strict: bool) -> Game:
    with of_source(_name_of(source) or None):
        return entry.game(strict=strict)


@overload
def read_game(
    source: str | PathLike[str] | bytes,
    *, format: str | None = None, encoding: str | None = None, strict: bool = False,
) -> Game: ...  # fmt: skip
@overload
def read_game(
    source: BinaryIO | TextIO,
    *, format: str | None = None, encoding: str | None = None, strict: bool = False,
) -> Game | None: ...  # fmt: skip
def read_game(
    source: Source, *, format: str | None = None, encoding: str | None = None, strict: bool = False
) -> Game | None:
    """The first game of a file; RecordError if there is none; the rest as for `read_games`.

    Of an open file of PGN that can seek, only this game is read: the next call reads the next game. An open
    file without another game is None.

    >>> pgn = io.StringIO('[Red "Hu"]\\n\\n1. C2.5 *\\n\\n[Red "Xu"]\\n\\n1. P7+1 *\\n')
    >>> while (game := read_game(pgn)) is not None:
    ...     print(game.headers["Red"])
    Hu
    Xu
    """
    for entry in _next_entries(source, format, encoding):
        return _read(entry, source, strict=strict)
    if _is_open(source):
        return None
    raise RecordError("no game", source=_name_of(source) or None)


def read_headers(
    source: Source, *, format: str | None = None, encoding: str | None = None
) -> dict[str, str] | None:
    """The headers of the game that `read_game` would read, which is passed over; None without a game."""
    for entry in _next_entries(source, format, encoding):
        return Headers({"Result": "*", **entry.headers})
    return None


def skip_game(source: BinaryIO | TextIO, *, format: str | None = None, encoding: str | None = None) -> bool:
    """Pass over the game that `read_game` would read; False if there is none."""
    return read_headers(source, format=format, encoding=encoding) is not None


def _is_open(source: Source) -> TypeGuard[BinaryIO | TextIO]:
    return not isinstance(source, str | bytes | PathLike)


def _next_entries(source: Source, format: str | None, encoding: str | None) -> Iterator[RecordEntry]:
    """The first game, or several; of an open file of PGN one, and the file is left where the next begins."""
    if not (_is_open(source) and hasattr(source, "seekable") and source.seekable()):
        yield from _kept(source, format, encoding)
        return
    file = source
    start = file.tell()
    head = head_of(_as_bytes(file.read(_HEAD)))
    file.seek(start)
    name = _name_of(file)
    if not head:
        return
    kind = named(format) if format else None
    if is_packed(head) or _is_unusual(head) or (kind or format_of(head, name)).name != "pgn":
        yield from _kept(file, format, encoding)
        return

    def whole_lines(size: int) -> bytes:
        text = cast(BinaryIO, file).read(size)
        return _as_bytes(text + cast(BinaryIO, file).readline(limits.game + 1), encoding)

    mark = MARK if encoding is not None or (_is_text(file) and is_utf_8(head)) else b""
    entries = pgn.scan_blocks(pgn_games.blocks(whole_lines), mark)
    first, second = next(entries, None), next(entries, None)
    file.seek(start)
    if second is None:
        file.seek(0, io.SEEK_END)
    else:
        for _ in range((second.line or 1) - 1):
            file.readline()
    if first is not None:
        yield first


def _kept(source: Source, format: str | None, encoding: str | None) -> Iterator[RecordEntry]:
    return (entry for entry in scan_games(source, format=format, encoding=encoding) if not entry.deleted)
