"""The help of `eleengine papers` in Chinese: its own words, and those of options that it shares."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable

from .._internal.live import width

GLUED = "，。：；、）"  # begin no line
OPENING = "（"  # ends none

ZH_HELP = {
    # of the command and its jobs
    "Repeat the experiments of the papers that the engine started from, and play against their programs.\n\n"
    "An experiment prints our numbers beside the published ones; docs/papers.md explains all of them.\n": (
        "重做引擎起步时所依据的论文实验，并与论文的程序对弈。\n\n"
        "实验把本程序的数字与论文的数字并列；docs/papers.zh.md 有全部说明。\n"
    ),
    "positional arguments": "参数",
    "options": "选项",
    "show this help message and exit": "显示帮助并退出",
    "nine algorithms: tables 4.1 and 4.2 of Zou's thesis": "九种算法：邹竞论文表 4.1、4.2",
    "PV-split on several threads: tables 4.3 and 4.4, figures 4.5 to 4.9": (
        "多线程的 PV 分裂：表 4.3、4.4，图 4.5 至 4.9"
    ),
    "orders of moves: tables 2-5 and 2-6 of the engine thesis": "着法的顺序：引擎论文表 2-5、2-6",
    "tables of 1 to 64 MiB: what doubling them does (Zou's thesis, 2.2.4)": (
        "1 至 64 MiB 的置换表：加倍的效果（邹竞论文 2.2.4）"
    ),
    "entries with and without a lock, two layers, leaves stored or not": (
        "加锁与无锁的表项，双置换表，叶结点存或不存"
    ),
    "ways to share the tree on 1 to 16 processors, simulated (Zou's thesis, 2.3; the articles)": (
        "并行方法，模拟 1 至 16 个处理器（邹竞论文 2.3，两篇文章）"
    ),
    "alpha-beta with and without a transposition table: Li's article": "有、无置换表的 α-β：黎利辉的文章",
    "play against a thesis's program in the terminal": "在终端里与论文的程序对弈",
    "a program against an engine by depth: table 4-3 of the engine thesis": (
        "程序对限定深度的引擎：引擎论文表 4-3"
    ),
    "what a program plays in them: table 3-1 of the engine thesis": "程序在中局里的着法：引擎论文表 3-1",
    "what a program plays in them: tables 4-1 and 4-2 of the engine thesis": (
        "程序在残局里的结果：引擎论文表 4-1、4-2"
    ),
    "what each part of a program is worth in games": "程序的各部分在对局中值多少",
    "tune the piece values by games, with the genetic algorithm of Zou's thesis": (
        "用邹竞论文的遗传算法，通过对局调整子力价值"
    ),
    "a thesis's program for a GUI: UCCI and UCI": "供象棋界面使用的论文程序：UCCI 和 UCI",
    # of the experiments
    "plies (default: %(default)s)": "层数（默认 %(default)s）",
    "which of the ten, such as 1,4-6 (default: all)": "十个局面中的哪些，如 1,4-6（默认全部）",
    "searches of each, whose median counts": "每个搜索的次数，取中位数",
    "size of a table (default: %(default)s)": "置换表大小（默认 %(default)s）",
    "exactly the text's (the default), or those that search fewer leaves here; options below change either, "
    "and the tables say what is not as published": (
        "published：与原文完全相同（默认）；own：在这里叶结点更少的设置。下面的选项可改变其中任何一项，"
        "表格会写明与原文不同之处"
    ),
    "best moves of nodes below alpha are killers": "α 结点的最佳着法作杀手着法",
    "the table keeps these moves": "置换表保存这些着法",
    "values are rounded to multiples of it": "估值取它的倍数",
    "whose terms": "谁的估值项",
    "a ply more for checks and exchanges": "将军和兑子多搜索一层",
    "of the table": "置换表的表项",
    "rows to search (default: all)": "要搜索的行（默认全部）",
    "write every search to the file": "把每次搜索写入文件",
    "show what --csv wrote earlier, without searching": "不搜索，显示先前用 --csv 写下的结果",
    "of the tables (default: the user's)": "表格的语言（默认用户的语言）",
    "draw to a .png, .svg or .pdf file (needs matplotlib)": "画入 .png、.svg 或 .pdf 文件（需要 matplotlib）",
    "replace files that are there already": "覆盖已有的文件",
    "threads": "线程",
    "thread counts (default: 1,2,4)": "线程数（默认 1,2,4）",
    "thread counts (default: 1,2,4,8,16)": "线程数（默认 1,2,4,8,16）",
    "of OpenMP, chunks of 1 (the thesis: static)": "OpenMP 的调度，块大小为 1（论文：static）",
    "what threads share: brothers along the leftmost branch (the thesis; the default), moves of the root, "
    "windows, or any brothers: of the deepest search, as tasks, or as tasks of OpenMP itself": (
        "线程分担什么：最左分支上的兄弟结点（论文，默认）、根结点的着法、窗口，或任何兄弟结点："
        "取自最深的搜索、作为任务，或作为 OpenMP 自己的任务"
    ),
    "simulate as many processors as threads: a visited node takes a microsecond, on any machine": (
        "模拟与线程同样多的处理器：访问一个结点算一微秒，任何机器上都一样"
    ),
    "of the search (default: pvs)": "搜索算法（默认 pvs）",
    "half the window of the root, around the value expected (default: all the way)": (
        "根结点窗口的一半，以预期估值为中心（默认全开）"
    ),
    "a table for each thread, which all read (the thesis; the default), or one for all": (
        "每个线程一个置换表，互相可读（论文，默认），或共用一个"
    ),
    "whose history and killers order moves: all threads' (the thesis; the default) or its own": (
        "按谁的历史和杀手着法排序：所有线程的（论文，默认）或自己的"
    ),
    "a sibling that turns out better is searched again by all threads, not by its finder alone": (
        "更好的兄弟结点由所有线程一起重新搜索，而不是只由发现它的线程"
    ),
    "whose settings (default: engine-thesis)": "谁的设置（默认 engine-thesis）",
    # of the programs
    "other than the program has it": "与原程序不同的设置",
    "whose (%(default)s)": "谁的程序（%(default)s）",
    "of the search": "搜索算法",
    "a transposition table": "置换表",
    "of the table: 2 keeps the deepest and the newest result": "置换表的层数：2 保存最深的和最新的结果",
    "are leaves in the table, too?": "叶结点是否也存入置换表",
    "the table's move is searched first": "先搜索置换表着法",
    "by which values captures are ordered": "按哪种价值排列吃子",
    "behind the good captures or before all": "杀手着法在好吃子之后，或在一切之前",
    "how it grows: by 2 << depth or depth * depth": "历史分的增量：2 << 深度，或深度的平方",
    "the best move of a node below alpha is a killer, too": "α 结点的最佳着法也作杀手着法",
    "and stands in the table": "并存入置换表",
    "a side passes": "空着裁剪",
    "a node without a table move is searched two plies less first": "没有置换表着法的结点先少搜索两层",
    "leaves are searched on by good captures": "叶结点继续搜索好吃子",
    "of exchanges, or of forced moves": "兑子延伸，或强制着法延伸",
    "of advisor, bishop, knight, rook, cannon, pawn": "士、象、马、车、炮、兵的价值",
    "how several threads share the tree": "多个线程怎样分担博弈树",
    "of OpenMP, for several threads": "多线程时 OpenMP 的调度",
    "one table for all threads, or one for each that all read": (
        "所有线程共用一个置换表，或各有一个、互相可读"
    ),
    "half the window of the root; 0: all of it": "根结点窗口的一半；0：全开",
    "a thread orders moves by its own history and killers only": "线程只按自己的历史和杀手着法排序",
    "all threads search a better move again together": "所有线程一起重新搜索更好的着法",
    # of play
    "of a file of records": "棋谱文件",
    "a FEN or startpos (the default), and moves in any notation; or a file of records, - for stdin": (
        "FEN 或 startpos（默认），后接任何记谱法的着法；或棋谱文件，- 表示标准输入"
    ),
    "which game (1)": "第几局（1）",
    "the position after N plies (default: the last)": "第 N 步之后的局面（默认最后）",
    "yours (default: red)": "您执哪方（默认红方）",
    "strength of the engine, 0 to 20 (default: %(default)s)": "引擎的强度，0 至 20（默认 %(default)s）",
    "another UCCI or UCI engine to play against, without levels: a command, or thesis or engine-thesis (the "
    "theses' programs)": (
        "另一个 UCCI 或 UCI 引擎作对手，不分级别：一条命令，或 thesis、engine-thesis（论文的程序）"
    ),
    "of the engine for a move (default: 3 seconds)": "引擎每步的时间（默认 3 秒）",
    "of the board (default: chinese if the output can show it)": "棋盘的文字（能显示时默认中文）",
    "of what is said (default: that of the environment)": "提示的语言（默认环境的语言）",
    "the engine's opening book (default: the shipped one)": "引擎的开局库（默认自带的）",
    "use none": "不用开局库",
    "network that evaluates, or classical for the evaluation without one (default: <internal>)": (
        "估值用的神经网络，或 classical（不用网络的传统估值）（默认 <internal>）"
    ),
    "default: %(default)s; 0: one for each processor, at most 8": (
        "默认 %(default)s；0：每个处理器一个，至多 8 个"
    ),
    "size of the transposition table (default: %(default)s; 0: 64)": (
        "置换表大小（默认 %(default)s；0 表示 64）"
    ),
    "folder of endgame tables, none for none (default: your own)": (
        "残局库的文件夹，none 表示不用（默认您自己的）"
    ),
    "of moves, beside ICCS (default: chinese if the output can show it, otherwise wxf)": (
        "ICCS 之外的记谱法（能显示时默认中文，否则 wxf）"
    ),
    # of games
    "(%(default)s)": "（%(default)s）",
    "write the rows of the table to the file": "把表格的各行写入文件",
    "of games (%(default)s)": "对局的对数（%(default)s）",
    "games at once": "同时进行的对局数",
    "of the openings": "开局的随机种子",
    "of a game, then drawn (%(default)s)": "一局的步数上限，到时判和（%(default)s）",
    "(default: 4-7)": "（默认 4-7）",
    "of the program for a move (20)": "程序每步的时间（20）",
    "of the program instead": "改用程序的结点数",
    "as for match -e, such as cmd=eleeye depth=5 (default: this engine)": (
        "与 match -e 相同，如 cmd=eleeye depth=5（默认本引擎）"
    ),
    "for a move (20)": "每步的时间（20）",
    "plies a move instead": "改用每步的层数",
    "a move (%(default)s)": "每步的结点数（%(default)s）",
    # of genetic
    "Tune the piece values by games with an adaptive genetic algorithm.\n\nFirst every individual plays a "
    "sparring partner and parents are drawn by roulette, then groups play\ntournaments and their champions "
    "breed. At the end the best individuals of ten generations and the partner\nplay each other. "
    "docs/tuning-by-games.md says how to use it.\n": (
        "用自适应遗传算法，通过对局调整子力价值。\n\n"
        "先由每个个体与陪练对局，用轮盘赌选出父母；然后分组循环赛，由各组冠军繁殖。\n"
        "最后，十代的最佳个体与陪练互相对局。用法见 docs/tuning-by-games.md。\n"
    ),
    "genetic algorithm": "遗传算法",
    "games": "对局",
    "where the games are played": "在哪里对局",
    "results": "结果",
    "individuals (%(default)s)": "个体数（%(default)s）",
    "in both phases (%(default)s)": "两个阶段的代数（%(default)s）",
    "generations of the first phase, against the partner (%(default)s)": (
        "第一阶段的代数，对陪练（%(default)s）"
    ),
    "of the second phase (%(default)s)": "第二阶段的组数（%(default)s）",
    "of games in each meeting (%(default)s)": "每次相遇的对局对数（%(default)s）",
    "whose values: this engine's, or those of the thesis's own program (%(default)s)": (
        "谁的子力价值：本引擎的，或论文程序的（%(default)s）"
    ),
    "see below (default: the same search with the piece values with which the thesis began)": (
        "见下文（默认：同样的搜索，用论文最初的子力价值）"
    ),
    "EPD or game records (default: 500 positions of 8 random moves, level for a search)": (
        "EPD 或棋谱（默认：500 个随机走 8 步、搜索认为均势的局面）"
    ),
    "then drawn (%(default)s)": "步数上限，到时判和（%(default)s）",
    "of all chance (%(default)s)": "一切随机数的种子（%(default)s）",
    "JSON lines: all results; a run that was interrupted goes on": (
        "JSON 行格式的全部结果；中断的运行从这里继续"
    ),
    "processes of this machine (default: %(default)s; more need Dask)": (
        "本机的进程数（默认 %(default)s；更多需要 Dask）"
    ),
    "a Dask cluster: address or file of its scheduler": "Dask 集群：调度器的地址或文件",
    "the piece values, as JSON": "子力价值，写成 JSON",
    "values and points by generation, as a picture (needs matplotlib)": (
        "各代的价值和得分，画成图（需要 matplotlib）"
    ),
    "of games in each meeting of the last tournament (%(default)s)": (
        "最后循环赛每次相遇的对局对数（%(default)s）"
    ),
    "play so many pairs of games against the shipped values, and against the thesis's first ones": (
        "与自带的价值和论文最初的价值各下这么多对棋"
    ),
}

#: What `lab.match.spec.WORDS` says.
ZH_WORDS = """\
陪练的写法：
name=NAME           表格中的名称
cmd=COMMAND         另一个程序，引号用法同命令行；没有时由本进程的引擎下
program=NAME        eleengine 自带的程序：thesis 或 engine-thesis（docs/papers.zh.md）；
                    cmd=NAME，或没有 cmd= 时的 name=NAME，也是这个意思
proto=uci|ucci      它的协议（默认自动识别）
dir=PATH            它的文件夹
env.NAME=VALUE      它的一个环境变量
threads=N hash=MIB  （默认 1 和 16）
option.NAME=VALUE   任何选项，也可以是本进程引擎的，如 network、skill、rule_set，以及
                    book=PATH（masters 为 eleengine 自带的）；其他程序的开局库默认关闭，
                    用 option.usebook=true 或 option.OwnBook=true 打开
ponder=true         对方思考时也思考：有棋钟的其他程序
tc=[MOVES/]BASE[+INC] time=S nodes=N depth=N   自己的限制：棋钟，或每步的限制"""


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
