"""Puzzles on paper: diagrams with a line to write on, and the solutions on a page of their own."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from .._core import Move
from .._internal.traditional import by_language
from ..board import Board
from ..pieces import RED
from .page_data import line_data
from .puzzles import puzzle_level, puzzle_moves

_TEXTS = by_language(
    ("Puzzles", "Solutions", ("Red to move", "Black to move"), "mate in {}", "draw", "best move"),
    ("残局练习", "答案", ("红先", "黑先"), "{} 步杀", "和棋", "最佳着法"),
)
_COLUMNS = ("iccs", "chinese", "traditional", "wxf")
_STYLE = """
@page { margin: 12mm; }
body { margin: 0 auto; max-width: 190mm; color: #000; background: #fff; }
body { font: 11pt/1.4 system-ui, "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", sans-serif; }
h1 { font-size: 15pt; margin: 0 0 4mm; }
main { display: grid; grid-template-columns: repeat(3, 1fr); gap: 6mm; }
figure { margin: 0; break-inside: avoid; }
svg { display: block; width: 100%; height: auto; }
figcaption { display: flex; justify-content: space-between; margin-bottom: 1mm; }
p { margin: 4mm 0 0; border-bottom: 1px solid #888; }
section { break-before: page; padding-top: 8mm; }
"""


def puzzle_sheet(puzzles: Sequence[dict[str, Any]], *, language: str, letters: str, notation: str) -> str:
    """Return puzzles as one HTML page to print.

    language: "en", "zh" or "zh-Hant". letters: of the pieces, as for `svg.board`. notation: of the
    solutions, "chinese", "traditional", "wxf" or "iccs".
    """
    title, solutions, sides, mate, draw, best = _TEXTS[language]
    figures: list[str] = []
    answers: list[str] = []
    for puzzle in puzzles:
        board = Board(puzzle["fen"])
        moves = puzzle_moves(puzzle)
        goal = mate.format(moves) if moves else draw if puzzle["class"] == "draw" else best
        side = sides[0 if board.turn == RED else 1]
        about = f"{side}{', ' if language == 'en' else '，'}{goal}"
        figures.append(
            f"<figure><figcaption><b>{len(figures) + 1}. {about}</b><span>{'★' * puzzle_level(puzzle)}</span>"
            f"</figcaption>{board.svg(letters=letters, size=240)}<p>&nbsp;</p></figure>"
        )
        line = [Move.from_iccs(text) for text in puzzle.get("line") or puzzle["best"][:1]]
        texts = [texts[_COLUMNS.index(notation)] for texts in line_data(board, line, len(line))]
        answers.append(f"<li>{escape(' '.join(texts))} <small>{escape(puzzle['id'])}</small></li>")
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head><meta charset="utf-8"><title>{title}</title>\n'
        f"<style>{_STYLE}</style></head>\n<body>\n<h1>{title}</h1>\n<main>\n"
        + "\n".join(figures)
        + f"\n</main>\n<section><h1>{solutions}</h1>\n<ol>\n"
        + "\n".join(answers)
        + "\n</ol></section>\n</body>\n</html>\n"
    )
