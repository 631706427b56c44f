"""Files of sites of the 2000s: the usual start and one line of moves, read only.

MXQ of 弈天 holds texts with their lengths, CHN of 联众 (ourgame) and CCM of 中国游戏中心 (chinagames) some
bytes a move, CHE of QQ decimal numbers. Programs do not agree on the direction of the files in CHE: here they
count from Red's left, as in XQStudio and ElephantEye; vschess writes the mirror image.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable
from typing import Final

from .._core import BaseBoard, IllegalMoveError, Move
from .._internal.message import Message
from .encoding import line_of
from .entry import warn
from .errors import RecordError
from .limits import check_nodes
from .stream import push
from .tree import Game, GameNode

_CHE_MOVE: Final = 10  # numbers: piece, 32, side, from rank, from file, to rank, to file, 0, number, 0
_CCM_MOVE: Final = 7  # bytes: 1, two unknown, from file, to file, from row, to row
_CHN_HEADER: Final = 188
_CHN_MOVE: Final = struct.Struct("<I4H20x")
_MXQ_RESULTS: Final = {"胜": "1-0", "勝": "1-0", "负": "0-1", "負": "0-1", "和": "1/2-1/2"}
_MXQ_FIRST: Final = 12  # texts before the moves


def read_che(data: bytes) -> Game:
    """The one game of a file; RecordError if it cannot be one."""
    words = data.split()
    if not all(word.isdigit() and len(word) < 6 for word in words):
        raise RecordError("not a CHE file: only whole numbers are expected", offset=0)
    numbers = [int(word) for word in words]
    if len(numbers) < 2 or numbers[0] != 1 or len(numbers) != 2 + _CHE_MOVE * numbers[1]:
        raise RecordError(
            "not a CHE file: 1, the number of moves and 10 numbers for each are expected", offset=0
        )
    moves = []
    for at in range(2, len(numbers), _CHE_MOVE):
        rank, file_from, to_rank, to_file = numbers[at + 3 : at + 7]
        moves.append((_move(file_from, 9 - rank, to_file, 9 - to_rank, 0), 0))
    return _played(Game(), moves)


def read_ccm(data: bytes) -> Game:
    """The one game of a file; RecordError if it cannot be one."""
    offsets = range(0, len(data), _CCM_MOVE)
    if not data or len(data) % _CCM_MOVE or any(data[at] != 1 for at in offsets):
        raise RecordError(
            "not a CCM file: {} bytes for each move are expected, the first of them 1", _CCM_MOVE, offset=0
        )
    return _turned(offsets, [(data[at + 3], data[at + 5], data[at + 4], data[at + 6]) for at in offsets])


def read_chn(data: bytes) -> Game:
    """The one game of a file; RecordError if it cannot be one."""
    size = _CHN_MOVE.size
    if len(data) < _CHN_HEADER + size or (len(data) - _CHN_HEADER) % size:
        message = Message("not a CHN file: {} bytes and {} for each move are expected", _CHN_HEADER, size)
        raise RecordError(message, offset=0)
    rows = _CHN_MOVE.iter_unpack(data[_CHN_HEADER:])
    return _turned(range(_CHN_HEADER, len(data), size), [(row[1], row[2], row[3], row[4]) for row in rows])


def read_mxq(data: bytes) -> Game:
    """The one game of a file; RecordError if it cannot be one."""
    texts: list[tuple[str, int]] = []
    cursor = 0
    while cursor < len(data):
        size = data[cursor]
        texts.append((data[cursor + 1 : cursor + 1 + size].decode("gb18030", "replace"), cursor))
        cursor += 1 + size
    if len(texts) < _MXQ_FIRST or texts[_MXQ_FIRST - 1][0] != "Moves":
        raise RecordError("not an MXQ file: the text 'Moves' is expected after eleven others", offset=0)
    site, date, players, red_elo, black_elo = (text for text, _ in texts[:5])
    headers = {"Date": date, "Site": site}
    if found := re.fullmatch(r"(.*)-(胜|勝|负|負|和)-(.*)", players):
        headers |= {"Red": found[1], "Black": found[3], "Result": _MXQ_RESULTS[found[2]]}
    else:
        headers["Title"] = players
    headers |= {"RedElo": red_elo, "BlackElo": black_elo, "Termination": texts[10][0]}
    game = Game(headers={name: line_of(text) for name, text in headers.items() if text.strip()})
    moves = []
    for text, offset in texts[_MXQ_FIRST:]:
        if text == "Ends":
            break
        if not re.fullmatch(r"[0-8][A-J]-[0-8][A-J]", text):
            warn(game, "{!r} is no move; the rest is not read", text[:40], offset=offset)
            break
        file_from, rank, to_file, to_rank = int(text[0]), ord(text[1]) - 65, int(text[3]), ord(text[4]) - 65
        moves.append((_move(file_from, 9 - rank, to_file, 9 - to_rank, offset), offset))
    else:
        warn(game, "the text 'Ends' is missing", offset=len(data))
    return _played(game, moves)


def _turned(offsets: range, squares: list[tuple[int, int, int, int]]) -> Game:
    """The game of moves as file, row, file, row from the top; turned round if Black's half has the first."""
    if squares[0][1] < 5:
        squares = [(8 - file, 9 - row, 8 - to_file, 9 - to_row) for file, row, to_file, to_row in squares]
    return _played(Game(), [(_move(*four, at), at) for at, four in zip(offsets, squares, strict=True)])


def _move(file: int, row: int, to_file: int, to_row: int, offset: int) -> Move:
    """The move of files from the left and rows from the top; RecordError for a square off the board."""
    if not (0 <= file < 9 and 0 <= to_file < 9 and 0 <= row < 10 and 0 <= to_row < 10):
        raise RecordError("a square off the board", offset=offset)
    return Move(9 * (9 - row) + file, 9 * (9 - to_row) + to_file)


def _played(game: Game, moves: Iterable[tuple[Move, int]]) -> Game:
    """The game with moves, each with its offset; the first illegal one ends it, with a warning."""
    game.headers.setdefault("Result", "*")
    board = BaseBoard(game.start)
    node: GameNode = game
    for move, offset in moves:
        try:
            check_nodes(board.ply)
            push(board, move)
        except (IllegalMoveError, RecordError) as error:
            warn(game, "{}; the rest is not read", error, offset=offset)
            break
        node = node.add(move)
    return game
