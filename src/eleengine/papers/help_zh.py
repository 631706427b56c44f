"""The help of `eleengine papers` in Chinese: its lines, whose characters are two columns wide."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable

from .._internal.live import width

GLUED = "，。：；、）"  # begin no line
OPENING = "（"  # ends none


def translate(parser: argparse.ArgumentParser, texts: dict[str, str]) -> None:
    """Put a parser's help, and that of its jobs, into other words; a text that is not there stays."""

    def said(text: str | None) -> str | None:
        return text and texts.get(text, text)

    parser.description, parser.epilog = said(parser.description), said(parser.epilog)
    raw = parser.formatter_class is argparse.RawDescriptionHelpFormatter
    parser.formatter_class = _RawChineseHelp if raw else _ChineseHelp
    for group in parser._action_groups:
        group.title = said(group.title)
    for action in parser._actions:
        action.help = said(action.help)
        if isinstance(action, argparse._SubParsersAction):
            for choice in action._choices_actions:
                choice.help = said(choice.help)
            for job in action.choices.values():
                translate(job, texts)


def wrapped(text: str, columns: int) -> list[str]:
    """Lines of at most that width, broken between words and between Chinese characters.

    >>> wrapped("着法的顺序：表 2-5、2-6", 12)
    ['着法的顺序：', '表 2-5、2-6']
    """
    lines = [""]
    for piece in re.findall(rf"[{OPENING}]?(?:[!-~]+|[^!-~\s])[{GLUED}]*|\s+", text):
        if lines[-1] and width(lines[-1]) + width(piece.strip()) > columns:
            lines[-1] = lines[-1].rstrip()
            lines.append("")
        lines[-1] += piece if lines[-1] else piece.lstrip()
    return [line.rstrip() for line in lines]


class _ChineseHelp(argparse.HelpFormatter):
    """Chinese words around the help, whose characters are two columns wide."""

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        super().add_usage(usage, actions, groups, "用法：" if prefix is None else prefix)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrapped(text, width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines = [line for part in text.split("\n\n") for line in [*wrapped(part.strip(), width), ""]]
        return "\n".join(indent + line for line in lines[:-1])


class _RawChineseHelp(argparse.RawDescriptionHelpFormatter, _ChineseHelp):
    """The same where lines are broken already."""
