"""MXQ, files of the site 弈天: texts with their lengths, the usual start, one line of moves, read only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO, Final

from .._internal.message import Message
from .encoding import line_of
from .entry import RecordEntry, warn
from .errors import RecordError
from .stream import move_of, play
from .tree import Game

_RESULTS: Final = {"胜": "1-0", "勝": "1-0", "负": "0-1", "負": "0-1", "和": "1/2-1/2"}
_FIRST_MOVE: Final = 12  # texts before the moves


def scan(file: BinaryIO) -> Iterator[RecordEntry]:
    """The one game of a file; RecordError if it cannot be one."""
    data = file.read()
    texts: list[tuple[str, int]] = []
    cursor = 0
    while cursor < len(data):
        size = data[cursor]
        texts.append((data[cursor + 1 : cursor + 1 + size].decode("gb18030", "replace"), cursor))
        cursor += 1 + size
    if len(texts) < _FIRST_MOVE or texts[_FIRST_MOVE - 1][0] != "Moves":
        raise RecordError("not an MXQ file: the text 'Moves' is expected after eleven others", offset=0)
    site, date, players, red_elo, black_elo = (text for text, _ in texts[:5])
    headers = {"Date": date, "Site": site}
    if found := re.fullmatch(r"(.*)-(胜|勝|负|負|和)-(.*)", players):
        headers |= {"Red": found[1], "Black": found[3], "Result": _RESULTS[found[2]]}
    headers |= {"RedElo": red_elo, "BlackElo": black_elo, "Termination": texts[10][0]}
    game = Game(headers={name: line_of(text) for name, text in headers.items() if text.strip()})
    game.headers.setdefault("Result", "*")
    moves = []
    for text, offset in texts[_FIRST_MOVE:]:
        if text == "Ends":
            break
        if not re.fullmatch(r"[0-8][A-J]-[0-8][A-J]", text):
            warn(game, Message("{!r} is no move; the rest is not read", text[:40]), offset=offset)
            break
        file_from, rank, to_file, to_rank = int(text[0]), ord(text[1]) - 65, int(text[3]), ord(text[4]) - 65
        moves.append((move_of(file_from, 9 - rank, to_file, 9 - to_rank, offset), offset))
    else:
        warn(game, "the text 'Ends' is missing", offset=len(data))
    play(game, moves)
    yield RecordEntry(game.headers, lambda: game, offset=0)
