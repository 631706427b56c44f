"""Write src/eleengine/glyphs/characters.json: the outlines of the characters that a Xiangqi board shows.

Run by hand when a character is added; needs fonttools and "Noto Serif CJK SC Bold":

    python tools/extract_glyphs.py /usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc

An outline is SVG path data with whole numbers. The em is 256 units, the middle of the character lies at 0 0,
and y points down.
"""

import json
import sys
from pathlib import Path

from fontTools.pens.basePen import BasePen
from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTCollection

FACE = "Noto Serif CJK SC"
PIECES = "帅仕相马车炮兵将士象卒帥俥傌將馬車砲"
RIVER = "楚河汉界漢"
FILES = "一二三四五六七八九"
LATIN = "0123456789abcdefghiABCEHKNPR"
EM = 256
TARGET = Path(__file__).parent.parent / "src" / "eleengine" / "glyphs" / "characters.json"


class PathPen(BasePen):
    """Draws as relative path data with whole numbers; each is the difference of rounded points, so that
    nothing adds up."""

    def __init__(self, glyphs, scale, middle):
        super().__init__(glyphs)
        self.scale, self.middle = scale, middle
        self.words, self.at = [], (0, 0)

    def _point(self, point):
        return (
            round((point[0] - self.middle[0]) * self.scale),
            round((self.middle[1] - point[1]) * self.scale),
        )

    def _add(self, letter, *points):
        x, y = self.at
        numbers = [n for px, py in map(self._point, points) for n in (px - x, py - y)]
        if letter == "l" and 0 in numbers:
            letter, numbers = ("v", numbers[1:]) if numbers[0] == 0 else ("h", numbers[:1])
        text = "".join(str(n) if n < 0 or not i else f" {n}" for i, n in enumerate(numbers))
        self.words.append(letter + text)
        self.at = self._point(points[-1])

    def _moveTo(self, point):
        self.at = (0, 0)
        x, y = self._point(point)
        self.words.append(f"M{x}{y}" if y < 0 else f"M{x} {y}")
        self.at = self.start = (x, y)

    def _lineTo(self, point):
        if self._point(point) != self.at:
            self._add("l", point)

    def _curveToOne(self, first, second, point):
        self._add("c", first, second, point)

    def _closePath(self):
        self.words.append("z")
        self.at = self.start


def outline(glyphs, name, char, em):
    bounds = BoundsPen(glyphs)
    glyphs[name].draw(bounds)
    left, bottom, right, top = bounds.bounds
    height = 0.36 * em if char.isascii() else (bottom + top) / 2  # letters keep their line
    pen = PathPen(glyphs, EM / em, ((left + right) / 2, height))
    glyphs[name].draw(pen)
    return "".join(pen.words)


def main(path):
    [font] = [font for font in TTCollection(path).fonts if font["name"].getBestFamilyName() == FACE]
    names, glyphs = font.getBestCmap(), font.getGlyphSet()
    notice = {
        "name": "eleengine characters: outlines of characters for Xiangqi boards",
        "copyright": font["name"].getDebugName(0),
        "licence": "SIL Open Font License 1.1, see OFL.txt",
        "em": EM,
    }
    chars = sorted(set(PIECES + RIVER + FILES + LATIN))
    paths = {char: outline(glyphs, names[ord(char)], char, font["head"].unitsPerEm) for char in chars}
    text = json.dumps({**notice, "paths": paths}, ensure_ascii=False, indent=0)
    TARGET.write_text(text + "\n", encoding="utf-8")
    print(f"{TARGET}: {len(paths)} characters, {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main(sys.argv[1])
