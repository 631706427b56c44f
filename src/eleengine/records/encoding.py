"""The encodings of Chinese texts: UTF-8, GB 18030 and Big5, told apart by what can be read."""

from __future__ import annotations

import codecs
import re

_MOVE = re.compile(r"[前中后後一二三四五六七八九1-9１-９帅帥将將仕士相象马馬傌车車俥炮砲包兵卒]{2}[进進退平]")
_COMMON = re.compile("[炮马馬车車兵卒将將帅帥红紅黑先胜勝和]")


def decode(data: bytes) -> str:
    """The text of bytes in UTF-8, GB 18030 or Big5; bytes that are none of these become U+FFFD.

    >>> [decode("炮二平五 馬8進7".encode(name)) for name in ("utf-8", "utf-8-sig", "gb18030", "big5")]
    ['炮二平五 馬8進7', '炮二平五 馬8進7', '炮二平五 馬8進7', '炮二平五 馬8進7']
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    return data.decode(guess(data), "replace")


def guess(data: bytes) -> str:
    """The encoding of a text: "utf-8-sig", "gb18030" or "big5".

    Big5 mostly decodes as GB 18030, too, into nonsense: the decoding in which more moves appear is taken,
    then the one with more of the characters that records are full of.
    """
    try:
        data.decode("utf-8-sig")
        return "utf-8-sig"
    except UnicodeDecodeError:
        pass
    return max(("gb18030", "big5"), key=lambda name: _sense(data.decode(name, "replace"), name == "big5"))


def _sense(text: str, rare: bool) -> tuple[int, int, int]:
    """How much a text looks like a record."""
    return len(_MOVE.findall(text)), -text.count("\ufffd"), len(_COMMON.findall(text)) - 2 * rare


def line_of(text: str) -> str:
    """The text in one line, without spaces around it."""
    return " ".join(text.splitlines()).strip()


def cut(text: str, size: int, encoding: str) -> bytes:
    """The text in an encoding, in at most so many bytes, cut between characters.

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
