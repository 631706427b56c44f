"""The board as a picture: SVG text, for notebooks, web pages and files.

>>> from eleengine import Board, svg
>>> board = Board()
>>> move = board.push_wxf("C2.5")
>>> picture = svg.board(board, size=400, last_move=move, arrows=[svg.Arrow.of("h9g7", "blue")])
>>> picture.startswith("<svg ") and picture.endswith("</svg>")
True

Elements carry classes (``board``, ``grid``, ``river``, ``coordinate``, ``piece red rook``, ``last-move``,
``check``, ``fill``, ``mark``, ``arrow``), so that a style sheet may change how they look.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from html import escape
from typing import NamedTuple

from ._core import BaseBoard, Move
from .squares import (
    COLOR_NAMES,
    FILE_NAMES,
    PIECE_NAMES,
    RED,
    SQUARES,
    Color,
    Square,
    square_name,
)

CELL = 60  # distance of two neighbouring points
_FONTS = (
    "KaiTi, 'Kaiti SC', STKaiti, BiauKai, 'AR PL UKai CN', 'Noto Serif CJK SC', 'Noto Serif SC', "
    "'Source Han Serif SC', 'Songti SC', SimSun, serif"
)
_LATIN_FONTS = "Georgia, 'DejaVu Serif', serif"
_INK = {RED: "#b01e17", not RED: "#22302c"}
_LINE = "#6b4a24"
_COLORS = {"green": "#2e8b57", "red": "#c8321e", "blue": "#2a6fb0", "yellow": "#e0a800"}
_RIVER = {"chinese": "楚河汉界", "traditional": "楚河漢界", "latin": ""}
_STARS = (19, 25, 64, 70, *range(27, 36, 2), *range(54, 63, 2))  # where cannons and pawns start


class Arrow(NamedTuple):
    """An arrow from one square to another, or a ring if they are the same.

    color: green, red, blue, yellow, or any color of SVG.
    """

    tail: Square
    head: Square
    color: str = "green"

    @classmethod
    def of(cls, move: Move | str, color: str = "green") -> Arrow:
        """The arrow of a move, given as a Move or as ICCS text."""
        if isinstance(move, str):
            move = Move.from_iccs(move)
        return cls(move.from_square, move.to_square, color)


def board(
    board: BaseBoard | None = None,
    *,
    size: int | None = None,
    last_move: Move | None = None,
    check: Square | None = None,
    arrows: Iterable[Arrow | Move | tuple[Square, Square]] = (),
    fill: Mapping[Square, str] | None = None,
    squares: Iterable[Square] | None = None,
    orientation: Color = RED,
    coordinates: bool = True,
    letters: str = "chinese",
    style: str | None = None,
) -> str:
    """The board as an SVG document; an empty board without one.

    size: width in pixels (the height follows); without it the picture fills what it is put in.
    last_move: the two squares to bracket. check: the square of a king to ring.
    arrows: Arrows, moves, or pairs of squares. fill: colors to put under squares. squares: those to mark.
    orientation: the color at the bottom.
    coordinates: files as in Chinese notation, or ICCS files and ranks with latin letters.
    letters: what stands on the pieces: "chinese" (simplified), "traditional" or "latin".
    style: CSS to include.

    ValueError for a square off the board, other letters, or text that XML cannot hold.
    """
    if letters not in _RIVER:
        raise ValueError(f"letters must be 'chinese', 'traditional' or 'latin', not {letters!r}")
    view = _View(orientation, letters)
    margin = CELL if coordinates else 2 * CELL // 3
    width, height = 8 * CELL + 2 * margin, 9 * CELL + 2 * margin
    pixels = "" if size is None else f' width="{size}" height="{_num(size * height / width)}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg"{pixels} viewBox="{-margin} {-margin} {width} {height}">',
        f"<desc>{board.fen()}</desc>" if board else "",
        f"<style>{_escaped(style)}</style>" if style else "",
        f'<rect class="board" x="{-margin}" y="{-margin}" width="{width}" height="{height}" rx="8" '
        'fill="#ecc88c"/>',
        *_grid(letters),
    ]
    if coordinates:
        parts += view.coordinates()
    for square, color in (fill or {}).items():
        parts.append(view.fill(square, color))
    if board:
        parts += [view.piece(board, square) for square in SQUARES if board.color_at(square) is not None]
    if check is not None:
        parts.append(view.ring(check, "check", _COLORS["red"]))
    if last_move:
        parts += [view.brackets(square) for square in (last_move.from_square, last_move.to_square)]
    parts += [view.mark(square) for square in squares or ()]
    for arrow in arrows:
        parts.append(view.arrow(Arrow.of(arrow) if isinstance(arrow, Move) else Arrow(*arrow)))
    return "".join(parts) + "</svg>"


def _grid(letters: str) -> list[str]:
    """Lines, palaces, stars and the river, the same from both sides."""
    right, bottom, bank = 8 * CELL, 9 * CELL, 4 * CELL
    lines = [f"M0 {y}H{right}" for y in range(0, bottom + 1, CELL)]
    lines += [f"M{x} 0V{bank}M{x} {bank + CELL}V{bottom}" for x in range(CELL, right, CELL)]
    lines.append(f"M0 0V{bottom}M{right} 0V{bottom}")
    for top in (0, 7 * CELL):
        lines.append(f"M{3 * CELL} {top}l{2 * CELL} {2 * CELL}M{5 * CELL} {top}l{-2 * CELL} {2 * CELL}")
    for star in _STARS:
        lines += _star(star % 9 * CELL, star // 9 * CELL)
    words = [
        _letter(int(x * CELL), int(4.5 * CELL), char, 32, _LINE, "river", _FONTS)
        for x, char in zip((1.5, 2.5, 5.5, 6.5), _RIVER[letters], strict=False)
    ]
    return [
        f'<g class="grid" fill="none" stroke="{_LINE}" stroke-width="1.5">'
        f'<path d="{"".join(lines)}"/>'
        f'<rect x="-5" y="-5" width="{right + 10}" height="{bottom + 10}" stroke-width="3"/></g>',
        *words,
    ]


def _star(x: int, y: int) -> list[str]:
    """Four small corners round a point, two at the edge."""
    sides = [side for side in (-1, 1) if 0 <= x + side * CELL <= 8 * CELL]
    return [f"M{x + 4 * dx} {y + 13 * dy}v{-9 * dy}h{9 * dx}" for dx in sides for dy in (-1, 1)]


class _View:
    """Draws on points as one side sees them."""

    def __init__(self, orientation: Color, letters: str) -> None:
        self.orientation = orientation
        self.letters = letters

    def point(self, square: Square) -> tuple[int, int]:
        square_name(square)  # ValueError off the board
        column, row = square % 9, 9 - square // 9
        if self.orientation != RED:
            column, row = 8 - column, 9 - row
        return column * CELL, row * CELL

    def coordinates(self) -> list[str]:
        """Where the numbers or letters go: files below and above, ranks left and right."""
        places = []
        for file in range(9):
            x = self.point(file)[0]
            if self.letters == "latin":
                below = above = FILE_NAMES[file]
            else:
                below, above = "九八七六五四三二一"[file], "１２３４５６７８９"[file]
            if self.orientation != RED:
                below, above = above, below
            places += [(x, 9 * CELL + 46, below), (x, -46, above)]
        if self.letters == "latin":
            for rank in range(10):
                y = self.point(9 * rank)[1]
                places += [(-46, y, str(rank)), (8 * CELL + 46, y, str(rank))]
        return [
            _letter(x, y, text, 17, _LINE, "coordinate", _LATIN_FONTS if self.letters == "latin" else _FONTS)
            for x, y, text in places
        ]

    def piece(self, board: BaseBoard, square: Square) -> str:
        piece = board.piece_at(square)
        assert piece is not None
        ink = _INK[piece.color]
        if self.letters == "latin":
            letter = _letter(0, 0, piece.symbol().upper(), 32, ink, "", _LATIN_FONTS, bold=True)
        else:
            name = piece.chinese(traditional=self.letters == "traditional")
            letter = _letter(0, 0, name, 35, ink, "", _FONTS, bold=True)
        x, y = self.point(square)
        return (
            f'<g class="piece {COLOR_NAMES[piece.color]} {PIECE_NAMES[piece.piece_type]}" '
            f'transform="translate({x} {y})">'
            f'<circle cx="1.5" cy="2.5" r="27" opacity=".3"/>'
            f'<circle r="27" fill="#fdf3dc" stroke="#a8763a" stroke-width="1.5"/>'
            f'<circle r="23" fill="none" stroke="{ink}" stroke-width="1.5"/>{letter}</g>'
        )

    def fill(self, square: Square, color: str) -> str:
        x, y = self.point(square)
        half = CELL // 2
        return (
            f'<rect class="fill" x="{x - half}" y="{y - half}" width="{CELL}" height="{CELL}" rx="6" '
            f'fill="{_color(color)}" opacity=".5"/>'
        )

    def ring(self, square: Square, name: str, color: str) -> str:
        x, y = self.point(square)
        return (
            f'<circle class="{name}" cx="{x}" cy="{y}" r="29" fill="none" stroke="{color}" '
            f'stroke-width="6" opacity=".75"/>'
        )

    def brackets(self, square: Square) -> str:
        x, y = self.point(square)
        corners = "".join(
            f"M{x + 29 * dx} {y + 17 * dy}V{y + 29 * dy}H{x + 17 * dx}" for dx in (-1, 1) for dy in (-1, 1)
        )
        blue = _COLORS["blue"]
        return f'<path class="last-move" d="{corners}" fill="none" stroke="{blue}" stroke-width="3"/>'

    def mark(self, square: Square) -> str:
        x, y = self.point(square)
        return (
            f'<circle class="mark" cx="{x}" cy="{y}" r="9" fill="{_COLORS["green"]}" stroke="#fff" '
            'opacity=".85"/>'
        )

    def arrow(self, arrow: Arrow) -> str:
        color = _color(arrow.color)
        if arrow.tail == arrow.head:
            return self.ring(arrow.tail, "arrow", color)
        (x, y), (to_x, to_y) = self.point(arrow.tail), self.point(arrow.head)
        length = math.hypot(to_x - x, to_y - y)
        ux, uy = (to_x - x) / length, (to_y - y) / length
        # Seen along the arrow: start and neck of the shaft, barbs, tip, as (way, to the side).
        outline = [(12, 5), (length - 26, 5), (length - 26, 15), (length - 2, 0)]
        outline += [(way, -side) for way, side in outline[2::-1]]
        points = " ".join(
            f"{_num(x + way * ux - side * uy)},{_num(y + way * uy + side * ux)}" for way, side in outline
        )
        return f'<polygon class="arrow" points="{points}" fill="{color}" opacity=".75"/>'


def _letter(
    x: int, y: int, text: str, size: int, color: str, name: str, fonts: str, *, bold: bool = False
) -> str:
    """Text with its middle on a point."""
    weight = ' font-weight="bold"' if bold else ""
    class_ = f' class="{name}"' if name else ""
    return (
        f'<text{class_} x="{x}" y="{_num(y + 0.36 * size)}" font-size="{size}" text-anchor="middle"{weight} '
        f'font-family="{fonts}" fill="{color}">{text}</text>'
    )


def _num(value: float) -> str:
    return f"{round(value, 2):g}"


def _color(color: str) -> str:
    return _escaped(_COLORS.get(color, color))


def _escaped(text: str) -> str:
    for char in text:
        if not (char.isprintable() or char in "\t\n\r"):
            raise ValueError(f"XML cannot hold the character {char!r}")
    return escape(text)
