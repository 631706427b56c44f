"""The board as a picture: SVG text, for notebooks, web pages and files.

>>> from eleengine import Board, svg
>>> board = Board()
>>> move = board.push_wxf("C2.5")
>>> picture = svg.board(board, size=400, last_move=move, arrows=[svg.Arrow.of("h9g7", "blue")])
>>> picture.startswith("<svg ") and picture.endswith("</svg>")
True

Elements carry classes (``board``, ``grid``, ``river``, ``coordinate``, ``piece red rook``, ``last-move``,
``check``, ``fill``, ``mark``, ``arrow``, ``annotation``), so that a style sheet may change how they look.
Characters are drawn as outlines: no font is needed, and the picture is the same everywhere.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import NamedTuple

from . import glyphs
from ._core import BaseBoard, Move, Piece, as_board, check_color
from ._internal.extras import install_hint
from ._internal.message import as_text
from .marks import MARKS
from .pieces import COLOR_NAMES, PIECE_NAMES, RED, Color
from .squares import FILE_NAMES, SQUARES, Square, parse_square, square_name

__all__ = ["COLORS", "Arrow", "SvgWrapper", "board", "gif", "piece", "png"]

MAX_PIXELS = 100_000_000  # of a PNG: 400 MB of memory while it is drawn
MAX_SIZE = 100_000  # pixels of width
CELL = 60  # distance of two neighbouring points
LETTERS = ("chinese", "traditional", "latin", "symbols", "learner")
#: What `board` and `piece` draw with; the argument colors replaces some of them.
COLORS = {
    "board": "#ecc88c", "line": "#6b4a24", "piece": "#fdf3dc", "rim": "#a8763a", "red": "#b01e17",
    "black": "#22302c", "last-move": "#2a6fb0", "check": "#c8321e", "mark": "#2e8b57",
}  # fmt: skip
_ARROW_COLORS = {"green": "#2e8b57", "red": "#c8321e", "blue": "#2a6fb0", "yellow": "#e0a800"}
_MARK_COLORS = {mark.sign: mark.color for mark in MARKS}
#: How marks are drawn: a path for each character.
_SIGNS = {"!": "M0 -6V1M0 5.5V5.6", "?": "M-3.4 -3.2a3.4 3.4 0 1 1 5 3Q0 .8 0 2.2M0 5.5V5.6"}
_COLOR_OF_LETTER = {color[0].upper(): color for color in _ARROW_COLORS}
_RIVER = {"chinese": "楚河汉界", "traditional": "楚河漢界", "learner": "楚河汉界"}
_STARS = (19, 25, 64, 70, *range(27, 36, 2), *range(54, 63, 2))  # where cannons and pawns start


class Arrow(NamedTuple):
    """An arrow from one square to another, or a ring if they are the same.

    color: green, red, blue, yellow, or any color of SVG.
    """

    tail: Square
    head: Square
    color: str = "green"

    @classmethod
    def of(cls, move: Arrow | Move | str | tuple[Square, Square], color: str = "green") -> Arrow:
        """The arrow of a move, given as a Move, ICCS text or two squares; the ring of a text such as h2h2.

        An Arrow keeps its color. ValueError for another text.
        """
        if isinstance(move, str):
            if ring := re.fullmatch(r"([a-i][0-9])-?\1", move, re.IGNORECASE):
                square = parse_square(ring[1].lower())
                return cls(square, square, color)
            move = Move.from_iccs(move)
        if isinstance(move, Move):
            return cls(move.from_square, move.to_square, color)
        tail, head, *own = move
        return cls(tail, head, *own or [color])

    @classmethod
    def from_pgn(cls, text: str) -> Arrow:
        """Read an arrow such as Gh2e2 or a ring such as Re4, as %cal and %csl of PGN have them.

        ValueError for another text.

        >>> Arrow.from_pgn("Gh2e2"), Arrow.from_pgn("Re4").pgn()
        (Arrow(tail=25, head=22, color='green'), 'Re4')
        """
        if not re.fullmatch(r"[GRBY]([a-i][0-9]){1,2}", text):
            raise ValueError(f"no arrow of PGN: {text[:20]!r}; expected a text such as 'Gh2e2' or 'Re4'")
        return cls(parse_square(text[1:3]), parse_square(text[-2:]), _COLOR_OF_LETTER[text[0]])

    def pgn(self) -> str:
        """Return the arrow as %cal and %csl of PGN have it; colors that PGN lacks become green."""
        letter = self.color[:1].upper() if self.color in _ARROW_COLORS else "G"
        head = "" if self.tail == self.head else square_name(self.head)
        return f"{letter}{square_name(self.tail)}{head}"


class SvgWrapper(str):
    """A picture as SVG text, which notebooks show."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def board(
    board: BaseBoard | None = None,
    *,
    size: int | None = None,
    last_move: Move | str | None = None,
    check: Square | None = None,
    arrows: Iterable[Arrow | Move | str | tuple[Square, Square]] = (),
    fill: Mapping[Square, str] | None = None,
    squares: Iterable[Square] | None = None,
    annotations: Mapping[Square, str] | None = None,
    orientation: Color = RED,
    coordinates: bool = True,
    letters: str = "chinese",
    colors: Mapping[str, str] | None = None,
    title: str | None = None,
    style: str | None = None,
    lastmove: Move | str | None = None,
    flipped: bool = False,
) -> SvgWrapper:
    """The board as an SVG document; an empty board without one.

    size: width in pixels, 1 to 100,000 (the height follows); without it the picture fills what it is put in.
    last_move: a move or ICCS text, whose squares to bracket. check: the square of a king to ring.
    arrows: Arrows, moves, ICCS texts, or pairs of squares. fill: colors to put under squares.
    squares: those to mark.
    annotations: signs for corners of squares: "!", "?", "!!", "??", "!?" or "?!".
    orientation: the color at the bottom.
    coordinates: files as in Chinese notation, or ICCS files and ranks with latin letters and symbols.
    letters: what stands on the pieces: "chinese" (simplified), "traditional", "latin" (K A B N R C P),
        "symbols" (crown, shield, elephant, horse, tower, cannon, pawn), or "learner" (simplified characters
        with a latin letter in the corner).
    colors: any of `COLORS` to replace. title: for screen readers; by default whose turn it is.
    style: CSS to include. lastmove: `last_move` under its name in python-chess. flipped: the other color at
        the bottom, for its sake, too.

    ValueError for a size out of range, a square off the board, another orientation, other letters, an
    unknown color, or text that XML cannot hold.
    """
    view = _View(not check_color(orientation) if flipped else orientation, letters, colors)
    margin = CELL if coordinates else 2 * CELL // 3
    width, height = 8 * CELL + 2 * margin, 9 * CELL + 2 * margin
    body = [
        f'<rect class="board" x="{-margin}" y="{-margin}" width="{width}" height="{height}" rx="8" '
        f'fill="{view.colors["board"]}"/>',
        *view.grid(),
    ]
    if coordinates:
        body += view.coordinates()
    for square, color in (fill or {}).items():
        body.append(view.fill(square, color))
    if board:
        pieces = zip(SQUARES, map(as_board(board).piece_at, SQUARES), strict=True)
        body += [view.piece(piece, *view.point(square)) for square, piece in pieces if piece is not None]
    if check is not None:
        body.append(view.ring(check, "check", view.colors["check"]))
    if last_move := last_move or lastmove:
        last = Arrow.of(last_move)
        body += [view.brackets(last.tail), view.brackets(last.head)]
    body += [view.mark(square) for square in squares or ()]
    for arrow in arrows:
        body.append(view.arrow(Arrow.of(arrow)))
    body += [view.annotation(square, sign) for square, sign in (annotations or {}).items()]
    if title is None:
        title = f"Xiangqi board, {COLOR_NAMES[board.turn]} to move" if board else "Xiangqi board, empty"
    head = [
        f"<title>{_escaped(title)}</title>",
        f"<desc>{board.fen()}</desc>" if board else "",
        f"<style>{_escaped(style)}</style>" if style else "",
    ]
    return _document((-margin, -margin, width, height), size, head, view, body)


def piece(
    piece: Piece,
    *,
    size: int | None = None,
    letters: str = "chinese",
    colors: Mapping[str, str] | None = None,
) -> SvgWrapper:
    """One piece as an SVG document; arguments and errors as for `board`.

    >>> from eleengine import Piece
    >>> "<title>red rook</title>" in piece(Piece.from_symbol("R"), size=40)
    True
    """
    if not isinstance(piece, Piece):
        kind = type(piece).__name__
        raise TypeError(f"a piece is a Piece, not {kind}: Piece.from_symbol makes one of a letter")
    view = _View(RED, letters, colors)
    title = f"<title>{COLOR_NAMES[piece.color]} {PIECE_NAMES[piece.piece_type]}</title>"
    half = CELL // 2
    return _document((-half, -half, CELL, CELL), size, [title], view, [view.piece(piece, 0, 0)])


def png(picture: str, *, scale: float = 1) -> bytes:
    """The PNG file of a picture made here, with scale times as many pixels as its size says.

    ImportError without the package resvg_py: ``pip install "eleengine[png]"``. ValueError for a scale
    that is not above 0 and at most 100, more than 100 million pixels, or a picture that cannot be read.
    """
    if not 0 < scale <= 100:
        raise ValueError(f"the scale must be above 0 and at most 100, not {scale!r}")
    pixels = _pixels(picture) * scale * scale
    if pixels > MAX_PIXELS:
        raise ValueError(f"a picture of {pixels:.3g} pixels is too large: at most {MAX_PIXELS:,} are drawn")
    try:
        import resvg_py
    except ImportError:
        raise ImportError(f"PNG pictures need the package resvg_py: {install_hint('png')}") from None
    return bytes(resvg_py.svg_to_bytes(svg_string=picture, zoom=scale, skip_system_fonts=True))


def gif(pictures: Iterable[str], *, seconds: float = 1, scale: float = 1) -> bytes:
    """The animated GIF of pictures made here, all of one size, which begins again at its end.

    seconds: that each picture is shown, 0.02 to 60; the last one three times as long. scale: as for `png`.
    ImportError without the packages resvg_py and pillow: ``pip install "eleengine[gif]"``. ValueError for no
    picture, several sizes, seconds out of range, and as for `png`.
    """
    if not 0.02 <= seconds <= 60:
        raise ValueError(f"the seconds must be 0.02 to 60, not {seconds!r}")
    try:
        from PIL import Image
    except ImportError:
        raise ImportError(f"GIF pictures need the package pillow: {install_hint('gif')}") from None
    files = [png(picture, scale=scale) for picture in pictures]
    if not files:
        raise ValueError("a GIF needs at least one picture")

    def frames() -> Iterator[Image.Image]:
        return (Image.open(io.BytesIO(file)).convert("RGB") for file in files)

    small = [
        frame.resize((frame.width // 4 + 1, frame.height // 4 + 1), Image.Resampling.NEAREST)
        for frame in frames()
    ]
    if len({frame.size for frame in frames()}) > 1:
        raise ValueError("all pictures of a GIF must have the same size")
    # One palette for all: what does not move keeps its colors, and takes no bytes.
    samples = Image.new("RGB", (small[0].width, small[0].height * len(small)))
    for number, frame in enumerate(small):
        samples.paste(frame, (0, number * small[0].height))
    palette = samples.quantize(128, method=Image.Quantize.MAXCOVERAGE)
    first, *rest = (frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames())
    shown = [round(1000 * seconds)] * len(rest) + [round(3000 * seconds)]
    out = io.BytesIO()
    first.save(out, "GIF", save_all=True, append_images=rest, duration=shown, loop=0, optimize=False)
    return out.getvalue()


def _pixels(picture: str) -> float:
    """How many pixels a picture made here has at scale 1."""
    root = as_text("a picture", picture).partition(">")[0]
    found = re.search(r' width="([\d.]+)" height="([\d.]+)"', root)
    if found is None:
        found = re.search(r' viewBox="\S+ \S+ ([\d.]+) ([\d.]+)"', root)
    return float(found[1]) * float(found[2]) if found else 0.0


def _document(
    box: tuple[int, int, int, int], size: int | None, head: list[str], view: _View, body: list[str]
) -> SvgWrapper:
    if size is not None and not 1 <= size <= MAX_SIZE:
        raise ValueError(f"the size must be 1 to {MAX_SIZE:,} pixels, not {size!r}")
    width, height = box[2:]
    pixels = "" if size is None else f' width="{size}" height="{_num(size * height / width)}"'
    view_box = " ".join(map(str, box))
    root = f'<svg xmlns="http://www.w3.org/2000/svg" role="img"{pixels} viewBox="{view_box}">'
    return SvgWrapper("".join([root, *head, "<defs>", *view.outlines.values(), "</defs>", *body, "</svg>"]))


def _star(x: int, y: int) -> list[str]:
    """Four small corners round a point, two at the edge."""
    sides = [side for side in (-1, 1) if 0 <= x + side * CELL <= 8 * CELL]
    return [f"M{x + 4 * dx} {y + 13 * dy}v{-9 * dy}h{9 * dx}" for dx in sides for dy in (-1, 1)]


class _View:
    """Draws on points as one side sees them, and collects the outlines that are used."""

    def __init__(self, orientation: Color, letters: str, colors: Mapping[str, str] | None) -> None:
        if orientation not in (RED, not RED):
            raise ValueError(f"the orientation must be RED or BLACK, not {orientation!r}")
        if letters not in LETTERS:
            raise ValueError(f"letters must be one of {', '.join(LETTERS)}, not {letters!r}")
        if unknown := set(colors or ()) - set(COLORS):
            raise ValueError(f"unknown color {min(unknown)!r}: expected one of {', '.join(COLORS)}")
        self.orientation = orientation
        self.letters = letters
        self.colors = {name: _escaped(color) for name, color in {**COLORS, **(colors or {})}.items()}
        self.outlines: dict[str, str] = {}

    @property
    def western(self) -> bool:
        """Are files and ranks those of ICCS?"""
        return self.letters in ("latin", "symbols")

    def point(self, square: Square) -> tuple[int, int]:
        square_name(square)  # ValueError off the board
        column, row = square % 9, 9 - square // 9
        if self.orientation != RED:
            column, row = 8 - column, 9 - row
        return column * CELL, row * CELL

    # Outlines: each is written once, under a name that no other outline has on any page

    def character(self, x: int, y: int, char: str, size: float, color: str, name: str = "") -> str:
        """A character with its middle on a point."""
        code = f"ele-{ord(char):x}"
        self.outlines[code] = f'<path id="{code}" d="{glyphs.characters()[char]}"/>'
        return self._use(code, x, y, size, color, name)

    def symbol(self, letter: str, size: float, color: str) -> str:
        code = f"ele-{letter}"
        layers = (
            f'<path d="{path}"{" fill=" + chr(34) + "currentColor" + chr(34) if kind == "paper" else ""}/>'
            for kind, path in glyphs.symbols()[letter]
        )
        self.outlines[code] = f'<g id="{code}">{"".join(layers)}</g>'
        return self._use(code, 0, 0, size, color, "", self.colors["piece"])

    @staticmethod
    def _use(code: str, x: float, y: float, size: float, color: str, name: str, paper: str = "") -> str:
        class_ = f' class="{name}"' if name else ""
        under = f' color="{paper}"' if paper else ""
        translation = f"translate({_num(x)} {_num(y)})" if x or y else ""
        return (
            f'<use{class_} href="#{code}" transform="{translation}scale({round(size / glyphs.EM, 4)})" '
            f'fill="{color}"{under}/>'
        )

    # The board

    def grid(self) -> list[str]:
        """Lines, palaces, stars and the river, the same from both sides."""
        right, bottom, bank = 8 * CELL, 9 * CELL, 4 * CELL
        lines = [f"M0 {y}H{right}" for y in range(0, bottom + 1, CELL)]
        lines += [f"M{x} 0V{bank}M{x} {bank + CELL}V{bottom}" for x in range(CELL, right, CELL)]
        lines.append(f"M0 0V{bottom}M{right} 0V{bottom}")
        for top in (0, 7 * CELL):
            lines.append(f"M{3 * CELL} {top}l{2 * CELL} {2 * CELL}M{5 * CELL} {top}l{-2 * CELL} {2 * CELL}")
        for star in _STARS:
            lines += _star(star % 9 * CELL, star // 9 * CELL)
        color = self.colors["line"]
        words = [
            self.character(int(x * CELL), int(4.5 * CELL), char, 34, color, "river")
            for x, char in zip((1.5, 2.5, 5.5, 6.5), _RIVER.get(self.letters, ""), strict=False)
        ]
        return [
            f'<g class="grid" fill="none" stroke="{color}" stroke-width="1.5">'
            f'<path d="{"".join(lines)}"/>'
            f'<rect x="-5" y="-5" width="{right + 10}" height="{bottom + 10}" stroke-width="3"/></g>',
            *words,
        ]

    def coordinates(self) -> list[str]:
        """The numbers or letters: files below and above, ranks left and right."""
        labels = []
        for file in range(9):
            x = self.point(file)[0]
            if self.western:
                below = above = FILE_NAMES[file]
            else:
                below, above = "九八七六五四三二一"[file], "123456789"[file]
            if self.orientation != RED:
                below, above = above, below
            labels += [(x, 9 * CELL + 46, below), (x, -46, above)]
        if self.western:
            for rank in range(10):
                y = self.point(9 * rank)[1]
                labels += [(-46, y, str(rank)), (8 * CELL + 46, y, str(rank))]
        return [
            self.character(x, y, text, 17 if text.isascii() else 16, self.colors["line"], "coordinate")
            for x, y, text in labels
        ]

    def piece(self, piece: Piece, x: int, y: int) -> str:
        ink = self.colors[COLOR_NAMES[piece.color]]
        letter = piece.symbol().upper()
        ring = 23
        if self.letters == "symbols":
            face = self.symbol(letter, 40, ink)
        elif self.letters == "latin":
            face = self.character(0, 0, letter, 40, ink)
        elif self.letters == "learner":
            ring = 25
            face = self.character(-3, -4, piece.chinese(), 31, ink) + self.character(14, 13, letter, 16, ink)
        else:
            face = self.character(0, 0, piece.chinese(traditional=self.letters == "traditional"), 34.5, ink)
        return (
            f'<g class="piece {COLOR_NAMES[piece.color]} {PIECE_NAMES[piece.piece_type]}" '
            f'transform="translate({x} {y})">'
            f'<circle cx="1.5" cy="2.5" r="27" opacity=".3"/>'
            f'<circle r="27" fill="{self.colors["piece"]}" stroke="{self.colors["rim"]}" stroke-width="1.5"/>'
            f'<circle r="{ring}" fill="none" stroke="{ink}" stroke-width="1.5"/>{face}</g>'
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
        color = self.colors["last-move"]
        return f'<path class="last-move" d="{corners}" fill="none" stroke="{color}" stroke-width="3"/>'

    def mark(self, square: Square) -> str:
        x, y = self.point(square)
        return (
            f'<circle class="mark" cx="{x}" cy="{y}" r="9" fill="{self.colors["mark"]}" stroke="#fff" '
            'opacity=".85"/>'
        )

    def annotation(self, square: Square, sign: str) -> str:
        """A sign of PGN in a disc on the corner of a square."""
        if sign not in _MARK_COLORS:
            raise ValueError(f"an annotation is one of {', '.join(_MARK_COLORS)}, not {sign!r}")
        x, y = self.point(square)
        width = 3.5 * (len(sign) - 1)
        strokes = "".join(
            f'<path d="{_SIGNS[char]}" transform="translate({_num(7 * number - width)} 0)"/>'
            for number, char in enumerate(sign)
        )
        return (
            f'<g class="annotation" transform="translate({x + 21} {y - 21})" fill="none" stroke="#fff" '
            f'stroke-width="2.4" stroke-linecap="round"><circle r="12" fill="{_MARK_COLORS[sign]}" '
            f'stroke-width="1.5"/>{strokes}</g>'
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


def _num(value: float) -> str:
    return f"{round(value, 2):g}"


def _color(color: str) -> str:
    return _escaped(_ARROW_COLORS.get(color, color))


def _escaped(text: str) -> str:
    for char in as_text("the text of a picture", text):
        if not (char.isprintable() or char in "\t\n\r"):
            raise ValueError(f"XML cannot hold the character {char!r}")
    return escape(text)
