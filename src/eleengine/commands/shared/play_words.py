"""What `eleengine play` says and understands, in English and in Chinese."""

from __future__ import annotations

import os
import unicodedata

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

_EN = {
    "red": "red",
    "black": "black",
    "greeting": "You play {side} at level {level}. Type a move, or help.",
    "greeting_engine": "You play {side} against {engine}. Type a move, or help.",
    "resumed": "Your last game was not finished: it goes on ({plies} plies). Type new to start again.",
    "unread": "The last game cannot be read: {error}",
    "help": (
        "a move      in any notation: {examples}\n"
        "undo        take back your last move\n"
        "hint        what the engine would play\n"
        "draw        offer a draw\n"
        "resign      give up\n"
        "level N     strength of the engine, 0 to {top}\n"
        "switch      change sides\n"
        "board       draw the board\n"
        "moves       the game so far\n"
        "fen         the position\n"
        "save FILE   keep the game: .pgn, .xqf and others\n"
        "load FILE   go on with a game from a file, in any format\n"
        "new         start again\n"
        "quit        leave; an unfinished game goes on at the next start\n"
        "Ctrl-C while the engine thinks: it plays what it has found."
    ),
    "you": "you play {move}",
    "engine": "{engine} plays {move}",
    "thinks": "{engine} thinks ... {seconds:.1f} s (Ctrl-C: move now)",
    "check": "{side} is in check",
    "over": "the game is over: undo, new or quit",
    "over_prompt": "game over",
    "no_undo": "there is no move of yours to take back",
    "no_move": "there is no move",
    "hint": "hint: {move}{score}",
    "table": "endgame table: {known}",
    "pass": "passing is not allowed",
    "try_help": "(help lists what can be typed)",
    "bad_level": "a level is a whole number from 0 to {top}",
    "no_level": "{engine} has no levels: eleengine alone has them",
    "level": "level {level}",
    "no_moves": "no moves yet",
    "draw_yes": "eleengine accepts: the game is drawn.",
    "draw_no": "eleengine declines the draw.",
    "resigned": "You have resigned: {side} wins.",
    "engine_resigned": "The engine has resigned: {side} wins.",
    "saved": "saved: {path}",
    "loaded": "loaded: {path}, {plies} plies",
    "need_file": "which file? {command} FILE",
    "exists": "{path} exists already: choose a different name",
    "leave": "quit leaves (Ctrl-C once more, too); the game is kept",
    "kept": "The game is kept; it goes on at the next start.",
}

_ZH = {
    "red": "红方",
    "black": "黑方",
    "greeting": "您执{side}，引擎级别 {level}。请输入着法，或输入“帮助”。",
    "greeting_engine": "您执{side}，对手是 {engine}。请输入着法，或输入“帮助”。",
    "resumed": "上一局没有下完，现在继续（已走 {plies} 着）。输入“新局”重新开始。",
    "unread": "上一局无法读取：{error}",
    "help": (
        "着法        各种记谱法均可：{examples}\n"
        "悔棋        收回您的上一步\n"
        "提示        引擎推荐的着法\n"
        "提和        请求和棋\n"
        "认输        认输\n"
        "级别 N      引擎的棋力，0 到 {top}\n"
        "换边        交换红黑\n"
        "棋盘        显示棋盘\n"
        "棋谱        显示着法\n"
        "fen         显示局面的 FEN\n"
        "保存 文件   保存对局：.pgn、.xqf 等\n"
        "打开 文件   继续文件里的对局，格式不限\n"
        "新局        重新开始\n"
        "退出        没下完的棋下次启动时继续\n"
        "引擎思考时按 Ctrl-C：立即走子。"
    ),
    "you": "您走 {move}",
    "engine": "{engine} 走 {move}",
    "thinks": "{engine} 思考中…… {seconds:.1f} 秒（Ctrl-C：立即走子）",
    "check": "{side}被将军",
    "over": "对局已结束：悔棋、新局或退出",
    "over_prompt": "对局结束",
    "no_undo": "您还没有可以收回的着法",
    "no_move": "没有可走的着法",
    "hint": "提示：{move}{score}",
    "table": "残局库：{known}",
    "pass": "不能停着",
    "try_help": "（输入“帮助”查看可用的词）",
    "bad_level": "级别是 0 到 {top} 的整数",
    "no_level": "{engine} 没有级别",
    "level": "引擎级别 {level}",
    "no_moves": "还没有走棋",
    "draw_yes": "引擎同意和棋。",
    "draw_no": "引擎不同意和棋。",
    "resigned": "您认输了：{side}胜。",
    "engine_resigned": "引擎认输：{side}胜。",
    "saved": "已保存：{path}",
    "loaded": "已打开：{path}，{plies} 着",
    "need_file": "请指定文件：{command} 文件",
    "exists": "{path} 已存在，请换别的文件名",
    "leave": "输入“退出”离开（再按一次 Ctrl-C 也行）；对局会保留",
    "kept": "对局已保留，下次启动时继续。",
}

# The characters above that differ, after the words that do.
_WORDS = {"文件": "檔案", "保存": "儲存", "打开": "開啟"}
_TRADITIONAL = str.maketrans(
    "红执级别请输帮没现继续时动读开启记认换边盘谱显会数对结离将胜里无还军着残库荐种词“”",
    "紅執級別請輸幫沒現繼續時動讀開啟記認換邊盤譜顯會數對結離將勝裡無還軍著殘庫薦種詞「」",
)


def texts(language: str) -> dict[str, str]:
    """All that is said, by name, but the ends of games: they are `Verdict.text`."""
    return _EN if language == "en" else {name: _in_script(text, language) for name, text in _ZH.items()}


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
    first, _, rest = unicodedata.normalize("NFKC", text).partition(" ")
    name = COMMAND_OF.get(first.casefold(), "")
    return (name, rest.strip()) if name else ("", text)
