"""What `eleengine play` says and understands, in English and in Chinese."""

from __future__ import annotations

import os
import tomllib
import unicodedata
from importlib.resources import files

from ..._internal.system import system_language

LANGUAGES = ("en", "zh", "zh-hant")

#: What may be typed for each command, in any language; the first words are those that help shows.
COMMANDS: dict[str, tuple[str, ...]] = {
    "undo": ("undo", "悔棋", "takeback", "back"),
    "hint": ("hint", "提示"),
    "draw": ("draw", "提和", "求和", "和棋"),
    "resign": ("resign", "认输", "認輸"),
    "level": ("level", "级别", "級別", "等级", "等級"),
    "switch": ("switch", "换边", "換邊"),
    "board": ("board", "棋盘", "棋盤"),
    "moves": ("moves", "棋谱", "棋譜"),
    "fen": ("fen",),
    "save": ("save", "保存", "儲存", "存盘", "存盤"),
    "load": ("load", "打开", "開啟", "打開"),
    "new": ("new", "新局", "重来", "重來"),
    "help": ("help", "帮助", "幫助", "?"),
    "quit": ("quit", "退出", "exit", "q"),
}
COMMAND_OF: dict[str, str] = {word: name for name, words in COMMANDS.items() for word in words}

# The characters of the Chinese texts that differ, after the words that do.
_WORDS = {"文件": "檔案", "保存": "儲存", "打开": "開啟"}
_TRADITIONAL = str.maketrans(
    "红执级别请输帮没现继续时动读开启记认换边盘谱显会数对结离将胜里无还军着残库荐种词“”",
    "紅執級別請輸幫沒現繼續時動讀開啟記認換邊盤譜顯會數對結離將勝裡無還軍著殘庫薦種詞「」",
)


def texts(language: str) -> dict[str, str]:
    """All that is said, by name, but the ends of games: they are `Verdict.text`."""
    found = tomllib.loads(files(__package__).joinpath("play_words.toml").read_text(encoding="utf-8"))
    words = found["en" if language == "en" else "zh"]
    return {name: _in_script(text, language) for name, text in words.items()}


def _in_script(text: str, language: str) -> str:
    """What is said in the characters of a language: traditional ones for zh-hant."""
    if language != "zh-hant":
        return text
    for word, traditional in _WORDS.items():
        text = text.replace(word, traditional)
    return text.translate(_TRADITIONAL)


def language_of_player() -> str:
    """That of the environment: "zh" or "zh-hant" for the Chinese ones, "en" for all others."""
    names = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    name = next(filter(None, names), None) or system_language()
    if not name.startswith("zh"):
        return "en"
    return "zh-hant" if any(region in name for region in ("TW", "HK", "MO", "Hant")) else "zh"


def library_language(language: str) -> str:
    """The name that the library has for a language: "zh-Hant" for zh-hant."""
    return "zh-Hant" if language == "zh-hant" else language


def command(text: str) -> tuple[str, str]:
    """The command that the text begins with and the rest of it; ("", text) if it begins with none."""
    first, *rest = text.split(maxsplit=1) or [""]
    name = COMMAND_OF.get(unicodedata.normalize("NFKC", first).casefold(), "")
    return (name, "".join(rest)) if name else ("", text)
