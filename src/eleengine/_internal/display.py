"""Tables for notebooks, which show what a method _repr_html_ returns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def html_table(rows: Iterable[Sequence[object]], *, head: Sequence[object] = ()) -> str:
    """The cells as an HTML table.

    >>> html_table([("depth", 9)])
    '<table><tr><td>depth</td><td>9</td></tr></table>'
    """
    lines = [_row(head, "th")] if head else []
    return f"<table>{''.join([*lines, *(_row(row, 'td') for row in rows)])}</table>"


def _row(cells: Sequence[object], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(str(cell))}</{tag}>' for cell in cells)}</tr>"
