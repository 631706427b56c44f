"""The encodings of texts: Unicode, GB 18030, Big5, Windows-1252 and 1258, by which of them decodes."""

from __future__ import annotations

import re
import unicodedata
from os import PathLike
from typing import Final

from .packing import read_bytes
from .words import FIGURES, PIECES

MARK: Final = b"\xef\xbb\xbf"  # of UTF-8, at the beginning of a text: nothing is guessed
_MOVE = re.compile(rf"[前中后後{FIGURES}{PIECES}]{{2}}[进進退平]")
_BESIDE_LETTERS = re.compile(rb"[A-Za-z][a-z][\xc0-\xff]|[\xc0-\xff][a-z]{2}")
_FOUR_BYTES = re.compile(rb"[\x81-\xfe][0-9][\x81-\xfe][0-9]")  # a rare character of GB 18030
_WIDE = {  # how texts of two or four bytes a character begin; a mark of UTF-32 begins with that of UTF-16
    "utf-32": re.compile(rb"\xff\xfe\0\0|\0\0\xfe\xff"),
    "utf-16": re.compile(rb"\xff\xfe|\xfe\xff"),
    "utf-32-le": re.compile(rb"([\t\n\r -~]\0\0\0){4}"),
    "utf-32-be": re.compile(rb"(\0\0\0[\t\n\r -~]){4}"),
    "utf-16-le": re.compile(rb"([\t\n\r -~]\0){4}"),
    "utf-16-be": re.compile(rb"(\0[\t\n\r -~]){4}"),
}
_OF_RECORDS = re.compile("[炮馬車兵卒將帥紅黑先勝和象棋]")
# What shows that bytes are UTF-8 and not GB 18030, in which a character has two bytes, seldom four.
_MUCH_CHINESE = re.compile("(?:[\u2e80-\uffef][^\u2e80-\uffef]*){5}")
_WIDE_LETTER = re.compile("[\u0800-\ufffc\U00010000-\U0010ffff]")
_WORD = re.compile(r"[^\W\d_a-zA-Z]+[^\W\d_]*|[a-zA-Z]+[^\W\d_a-zA-Z][^\W\d_]*")
_INSIDE = re.compile("[a-zA-Z][\u00c0-\u024f]+[a-z]")  # a letter with an accent within a word
_ALPHABET = re.compile("[\u0370-\u04ff\u3040-\u30ff]{2}")  # Greek, Cyrillic and Japanese letters
_VIETNAMESE = re.compile("[aeiouyâêôăơư][\u0300\u0301\u0303\u0309\u0323]", re.IGNORECASE)  # of Windows-1258


def decode(data: bytes) -> str:
    """Decode bytes from the encoding that they seem to have; bytes that do not decode become U+FFFD.

    >>> [decode("炮二平五 馬8進7".encode(name)) for name in ("utf-8", "utf-8-sig", "gb18030", "big5")]
    ['炮二平五 馬8進7', '炮二平五 馬8進7', '炮二平五 馬8進7', '炮二平五 馬8進7']
    >>> decode("José Müller".encode("latin-1"))
    'José Müller'
    """
    if name := utf_16_or_32(data):
        return data.decode(name, "replace").removeprefix("\ufeff")
    name = "" if data.isascii() else "utf-8-sig" if data.startswith(MARK) else guess(data)
    text = data.decode(name or "ascii", "replace").removeprefix("\ufeff")
    return unicodedata.normalize("NFC", text) if name == "cp1258" else text


def check_encoding(name: str) -> None:
    """ValueError unless Python knows an encoding of texts, for any bytes, by this name."""
    # hex and rot13 are for no texts, idna and punycode not for such bytes.
    try:
        b"\x80".decode(name, "replace")
    except (LookupError, UnicodeError):
        raise ValueError(f"unknown encoding {name!r}") from None


def read_lines(path: str | PathLike[str]) -> list[str]:
    """Return the lines of a file of text ("-" is stdin); OSError, ValueError as for `split_lines`."""
    return split_lines(read_bytes(path), path)


def split_lines(data: bytes, path: str | PathLike[str]) -> list[str]:
    """Return the lines of a text, decoded as by `decode`; ValueError, which names the path, if it is none."""
    text = decode(data)
    if "\0" in text or "\ufffd" in text:
        raise ValueError(f"{path}: not a text in UTF-8, UTF-16, GB 18030 or Big5")
    return text.splitlines()


def utf_16_or_32(data: bytes) -> str:
    """Return "utf-16", "utf-32" or one of the names for a given byte order; "" for all other encodings.

    The mark at the beginning decides. Without one, the first characters do if they are ASCII.

    >>> [utf_16_or_32("1. C2.5".encode(name)) for name in ("utf-16", "utf-16-be", "utf-32-le", "utf-8")]
    ['utf-16', 'utf-16-be', 'utf-32-le', '']
    """
    return next((name for name, start in _WIDE.items() if start.match(data)), "")


def guess(data: bytes, usual: str = "") -> str:
    """Return the encoding of a text: "utf-8-sig", "gb18030", "big5", "cp1252" or "cp1258".

    Bytes above 127 that stand alone are Western or Vietnamese letters, for Chinese characters have two bytes.
    Big5 mostly decodes as GB 18030, too, into nonsense: the decoding with more moves is taken, then the one
    with more of the characters that are frequent. So do many characters of GB 18030 as UTF-8: see `_utf_8`.
    usual: the encoding that the format prescribes, taken unless one of the others fits clearly better.
    """
    if usual:
        if _utf_8(data) and _MUCH_CHINESE.search(data.decode("utf-8", "replace")):
            return "utf-8-sig"
        moves, bad, frequent = _sense(data, usual)
        more_moves, _, more_frequent = _sense(data, "big5")
        is_big5 = (
            more_frequent > 0.7 and frequent < 0.5 and _OF_RECORDS.search(data.decode("big5", "replace"))
        )
        if bad > -2 and not (more_moves > moves or is_big5):
            return usual
    elif _utf_8(data):
        return "utf-8-sig"
    best = max(("gb18030", "big5"), key=lambda name: _sense(data, name))
    if _sense(data, best)[0] or not _is_single_byte(data):
        return best
    return "cp1258" if _VIETNAMESE.search(data.decode("cp1258", "replace")) else "cp1252"


def is_sure(data: bytes) -> bool:
    """Is the encoding of a text beyond doubt, as far as a guess can be?"""
    name = guess(data)
    if name == "utf-8-sig":
        return _utf_8(data) > 1
    if name == "cp1258":
        return True
    if name == "cp1252" or is_utf_8(data):
        return False
    rival = "big5" if name == "gb18030" else "gb18030"
    moves, bad, frequent = _sense(data, name)
    _, other_bad, other = _sense(data, rival)
    if not moves and other_bad == 0 and _ALPHABET.search(data.decode(rival)):
        return False
    return moves > 0 or (bad == 0 and frequent > 0.5 and (other_bad < 0 or frequent > other))


def is_utf_8(data: bytes) -> bool:
    """Do the bytes decode as UTF-8, whatever that makes of them?"""
    try:
        data.decode()
        return True
    except UnicodeDecodeError:
        return False


def _utf_8(data: bytes) -> int:
    """Is it UTF-8, but for some bytes that were lost or cut? 0 no, 1 perhaps, 2 yes.

    Many characters of GB 18030 are letters of scripts in UTF-8 that no record has: 杀 is the bytes of U+0271.
    A short text is believed to be UTF-8 if there are Chinese characters in it, or words of some alphabet.
    """
    if data.startswith(MARK):
        return 2
    text = data.decode("utf-8", "replace")
    lost = text.count("\ufffd") - data.count(b"\xef\xbf\xbd")
    if lost:
        return 2 if sum(map("\u0800".__le__, text)) > 5 * lost else 0
    if text.isascii() or _MUCH_CHINESE.search(text):
        return 2
    if wide := _WIDE_LETTER.findall(text):
        _, bad, frequent = _sense(data, "gb18030")
        ours = sum(_is_frequent(char.encode("gb18030", "replace"), "gb18030") for char in wide) / len(wide)
        return 2 if bad or ours >= frequent else 0
    words = _WORD.findall(text)
    if any(map(_INSIDE.search, words)) or sum(len(word) for word in words if _is_alphabetic(word)) > 20:
        return 2
    return int(any(map(_is_alphabetic, words)))


def _is_alphabetic(word: str) -> bool:
    """Is it a word of a Latin alphabet, or at least three letters of a second alphabet?"""
    scripts = {unicodedata.name(letter, "").partition(" ")[0] for letter in word}
    return len(scripts) == 1 and (len(word) > 2 or (len(word) == 2 and scripts == {"LATIN"}))


def _is_single_byte(data: bytes) -> bool:
    """Do most bytes above 127 stand alone, some of them beside small letters?

    The second byte of a Chinese character may be ASCII, but seldom are there two small letters.
    """
    data = _FOUR_BYTES.sub(b"", data)
    runs = [len(run) for run in re.findall(rb"[\x80-\xff]+", data)]
    return runs.count(1) * 2 > len(runs) and bool(_BESIDE_LETTERS.search(data))


def _sense(data: bytes, name: str) -> tuple[int, int, float]:
    """How much bytes look like a record: moves, failures, the share of frequent characters."""
    text = data.decode(name, "replace")
    pairs = [char.encode(name, "replace") for char in text if not char.isascii()]
    frequent = sum(1 for pair in pairs if len(pair) == 2 and _is_frequent(pair, name))
    return len(_MOVE.findall(text)), -text.count("\ufffd"), frequent / max(1, len(pairs))


def _is_frequent(pair: bytes, name: str) -> bool:
    """Is the character one of the frequent ones of its encoding, or a sign of GB 2312?"""
    if name == "gb18030":
        is_letter = pair[0] == 0xA8 and pair[1] <= 0xBA  # of pinyin, such as é
        return pair[1] >= 0xA1 and (0xA1 <= pair[0] <= 0xA3 or 0xB0 <= pair[0] <= 0xD7 or is_letter)
    return 0xA4 <= pair[0] <= 0xC6


def one_line_end(text: str) -> str:
    """The text with "\\n" at the ends of lines, where it has CR LF or CR."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def line_of(text: str) -> str:
    """The text in one line, without spaces around it."""
    return " ".join(text.splitlines()).strip()


def cut(text: str, size: int, encoding: str) -> bytes:
    """Return the text in an encoding, cut between characters to the number of bytes.

    >>> cut("象棋", 3, "gb18030").decode("gb18030")
    '象'
    """
    data = text.encode(encoding, "replace")[:size]
    while data:
        try:
            data.decode(encoding)
            break
        except UnicodeDecodeError as error:
            data = data[: error.start]
    return data
