r"""The board drawn with characters, for terminals, logs and plain text.

>>> from eleengine import Board
>>> board = Board()
>>> move = board.push_iccs("h2e2")
>>> print(board.text(last_move=move))
9  r-n-b-a-k-a-b-n-r
   | | | |\|/| | | |
8  +-+-+-+-+-+-+-+-+
   | | | |/|\| | | |
7  +-c-+-+-+-+-+-c-+
   | | | | | | | | |
6  p-+-p-+-p-+-p-+-p
   | | | | | | | | |
5  +-+-+-+-+-+-+-+-+
   |~~~~~~~~~~~~~~~|
4  +-+-+-+-+-+-+-+-+
   | | | | | | | | |
3  P-+-P-+-P-+-P-+-P
   | | | | | | | | |
2  +-C-+-+(C)+-+-*-+
   | | | |\|/| | | |
1  +-+-+-+-+-+-+-+-+
   | | | |/|\| | | |
0  R-N-B-A-K-A-B-N-R
   a b c d e f g h i
"""

from __future__ import annotations

from ._core import BaseBoard, Move, as_board, as_move, check_color
from .pieces import RED, Color
from .squares import FILE_NAMES

__all__ = ["draw"]

# Lines between the ranks, by the rank below; plain ones elsewhere.
_PLAIN = " | | | | | | | | | "
_BETWEEN = {
    8: r" | | | |\|/| | | | ",
    7: r" | | | |/|\| | | | ",
    4: " |~~~~~~~~~~~~~~~| ",
    1: r" | | | |\|/| | | | ",
    0: r" | | | |/|\| | | | ",
}
_TURNED = str.maketrans("()", ")(")  # read from right to left

# All these are two columns wide in every font, unlike the characters for drawing boxes.
_WIDE = str.maketrans(" -|+/\\*()", "　－｜＋／＼＊（）")
_SYMBOLS = "KABNRCPkabnrcp"
# Simplified characters are the same for both sides' rooks, knights and cannons: here each has its own.
_PIECES = {
    "chinese": str.maketrans(_SYMBOLS, "帅仕相傌俥炮兵将士象马车砲卒"),
    "traditional": str.maketrans(_SYMBOLS, "帥仕相傌俥炮兵將士象馬車砲卒"),
}
_RIVER = {
    "chinese": "　｜　　楚　河　　　　　汉　界　　｜",
    "traditional": "　｜　　楚　河　　　　　漢　界　　｜",
}
_RED_PIECE, _BLACK_PIECE, _PLAIN_INK = "\x1b[1;31m", "\x1b[1m", "\x1b[0m"
_RED_FILES = "　九　八　七　六　五　四　三　二　一"  # as Red sees them
_BLACK_FILES = "　９　８　７　６　５　４　３　２　１"  # as Black sees them


def draw(
    board: BaseBoard,
    *,
    letters: str = "latin",
    coordinates: bool = True,
    last_move: Move | None = None,
    perspective: Color = RED,
    colors: bool = False,
) -> str:
    """The board as lines of text.

    letters: "latin" for those of FEN; "chinese" (simplified) or "traditional" for characters, everything
        then being of double width, so that it aligns in any font.
    coordinates: ICCS squares with latin letters, the files of Chinese notation with characters.
    last_move: a star marks where it started, parentheses the piece.
    perspective: the color at the bottom.
    colors: pieces in red and in black (bold, for terminals may be black themselves), by ANSI escape codes.

    ValueError for other letters.
    """
    if letters != "latin" and letters not in _PIECES:
        raise ValueError(f"letters must be 'latin', 'chinese' or 'traditional', not {letters!r}")
    lines = []
    board = as_board(board)
    if last_move is not None:
        as_move(last_move)
    for rank in range(9, -1, -1):
        lines += [_rank_line(board, rank, last_move), _BETWEEN.get(rank - 1, _PLAIN)]
    del lines[-1]
    if check_color(perspective) != RED:
        lines = [line[::-1].translate(_TURNED) for line in reversed(lines)]
    if letters != "latin":
        lines = [line.translate(_WIDE).translate(_PIECES[letters]) for line in lines]
        lines[9] = _RIVER[letters]
    if colors:
        paint = _paint(letters)
        lines[::2] = [line.translate(paint) for line in lines[::2]]
    if letters != "latin":
        if coordinates:
            near, far = (_RED_FILES, _BLACK_FILES) if perspective == RED else (_BLACK_FILES, _RED_FILES)
            lines = ["　" + far[:0:-1], *lines, near]
    elif coordinates:
        lines = _with_squares(lines, perspective)
    return "\n".join(line.rstrip() for line in lines)


def _paint(letters: str) -> dict[int, str]:
    """Each piece's character with the escape codes of its color around it."""
    shown = _SYMBOLS if letters == "latin" else _SYMBOLS.translate(_PIECES[letters])
    return {
        ord(char): f"{_RED_PIECE if symbol.isupper() else _BLACK_PIECE}{char}{_PLAIN_INK}"
        for char, symbol in zip(shown, _SYMBOLS, strict=True)
    }


def _rank_line(board: BaseBoard, rank: int, last_move: Move | None) -> str:
    chars = list(" +-+-+-+-+-+-+-+-+ ")
    for file in range(9):
        square, at = 9 * rank + file, 1 + 2 * file
        piece = board.piece_at(square)
        if piece:
            chars[at] = piece.symbol()
        if last_move:
            if square == last_move.from_square and not piece:
                chars[at] = "*"
            if square == last_move.to_square:
                chars[at - 1], chars[at + 1] = "(", ")"
    return "".join(chars)


def _with_squares(lines: list[str], perspective: Color) -> list[str]:
    """Rank digits at the left and file letters below."""
    files, top, step = (FILE_NAMES, 9, -1) if perspective == RED else (FILE_NAMES[::-1], 0, 1)
    margins = [f"{top + step * (i // 2)} " if i % 2 == 0 else "  " for i in range(19)]
    return [*map("".join, zip(margins, lines, strict=True)), "   " + " ".join(files)]
