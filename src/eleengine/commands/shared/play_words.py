"""What `eleengine play` says and understands, in English and in Chinese."""

from __future__ import annotations

import argparse
import os
import tomllib
import unicodedata
from importlib.resources import files

from ..._internal.system import system_language
from ..._internal.traditional import by_language, traditional

#: What may be typed for each command, also in traditional characters; help shows the first words.
COMMANDS: dict[str, tuple[str, ...]] = {
    "undo": ("undo", "悔棋", "takeback", "back"),
    "hint": ("hint", "提示"),
    "draw": ("draw", "提和", "求和", "和棋"),
    "resign": ("resign", "认输"),
    "level": ("level", "级别", "等级"),
    "switch": ("switch", "换边"),
    "board": ("board", "棋盘"),
    "moves": ("moves", "棋谱"),
    "fen": ("fen",),
    "save": ("save", "保存", "存盘"),
    "load": ("load", "打开", "打開"),
    "new": ("new", "新局", "重来"),
    "help": ("help", "帮助", "?"),
    "quit": ("quit", "退出", "exit", "q"),
}
COMMAND_OF: dict[str, str] = {
    word: name for name, words in COMMANDS.items() for one in words for word in (one, traditional(one))
}


def texts(language: str) -> dict[str, str]:
    """All that is said, by name, but the ends of games: they are `Verdict.text`."""
    found = tomllib.loads(files(__package__).joinpath("play_words.toml").read_text(encoding="utf-8"))
    words: dict[str, str] = by_language(found["en"], found["zh"])[language]
    return words


def add_language(parser: argparse.ArgumentParser, text: str) -> None:
    """Add `--language`, of what text says; in any letters, as for the environment."""
    languages = {name.lower(): name for name in ("en", "zh", "zh-Hant")}
    parser.add_argument(
        "--language",
        type=lambda name: languages.get(name.lower(), name),
        choices=languages.values(),
        help=text,
    )


def language_of_player() -> str:
    """That of the environment: "zh" or "zh-Hant" for the Chinese ones, "en" for all others."""
    names = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    name = next(filter(None, names), None) or system_language()
    if not name.startswith("zh"):
        return "en"
    return "zh-Hant" if any(region in name for region in ("TW", "HK", "MO", "Hant")) else "zh"


def command(text: str) -> tuple[str, str]:
    """The command that the text begins with and the rest of it; ("", text) if it begins with none."""
    first, *rest = text.split(maxsplit=1) or [""]
    name = COMMAND_OF.get(unicodedata.normalize("NFKC", first).casefold(), "")
    return (name, "".join(rest)) if name else ("", text)
