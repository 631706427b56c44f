"""The words of the reports, in English and in Chinese."""

from __future__ import annotations

from contextvars import ContextVar

LANGUAGES = ("en", "zh")
LANGUAGE: ContextVar[str] = ContextVar("LANGUAGE", default="en")
SHARE_OF_LEAVES = (
    "depth {depth}: {name}: 1/{whole:.0f} of alpha-beta's leaves, "
    "1/{last:.0f} in the last iteration (the published counts: 1/704 at 7)"
)
NULL_MOVE_SAVES = (
    "depth {depth}: the null move saves {saved:.0%} of the leaves "
    "(published: nearly 70% at 7, by its counts 71%)"
)
TOO_MANY = "{threads} threads on {processors} processors wait for each other: their times say little"
GENERATION = (
    "generation {number}/{generations}, phase {phase}: best {best}, fitness {fitness:.2f}, mean {mean:.2f}"
)
OTHER_MOVES = "depth {depth}: another move in {moves} of {n}, {values} of them with another value"
DEVIATION = "  {name}: {value} (published: {known})"
ALL_OTHER_MOVES = (
    "all depths: another move in {moves} of {n}, {values} of them with another value "
    "(published for 4 threads: very few, of the same value)"
)
SIMULATED_THREADS = (
    "{threads} simulated processors against one, a visited node a microsecond; mean of {n} openings"
)

#: The reports in Chinese. Names that Chinese papers write in Latin letters stay.
ZH = {
    DEVIATION: "  {name}：{value}（论文：{known}）",
    "settings: as published": "设置：与论文相同",
    "settings: as published, but": "设置：与论文相同，但",
    "entries of the table": "表项",
    "captures are ordered by values": "吃子排序的价值",
    "history grows": "历史得分增量",
    "best moves of nodes below alpha are killers": "α 节点的最佳着法算杀手",
    "and stand in the table": "并存进置换表",
    "extensions": "延伸",
    "evaluation": "估值",
    "values are multiples of": "估值取整到",
    "MiB of a table": "置换表 MiB",
    "threads share": "线程分担",
    "schedule": "调度",
    "one table for all threads": "各线程共用一个置换表",
    "order by the thread's own history and killers": "线程只按自己的历史得分和杀手着法排序",
    "better siblings are searched again by all threads": "更好的兄弟节点由所有线程重搜",
    "half the window of the root": "根节点窗口的一半",
    "yes": "是",
    "no": "否",
    "off": "无",
    "exchange": "交换",
    "material": "子力",
    "power": "2 · 2^深度",
    "square": "深度的平方",
    "sources": "邹竞论文",
    "tapered": "引擎论文",
    "engine": "本引擎",
    "checksums": "双校验码",
    "xor": "XOR",
    "static": "静态",
    "dynamic": "动态",
    "guided": "指数",
    "pv": "最左分支",
    "dts": "任何兄弟节点",
    "tree": "根的着法",
    "window": "窗口",
    "pvs": "PVS",
    "mtdf": "MTD(f)",
    "alphabeta": "α-β",
    "minimax": "极小极大",
    "the same, aspiration window": "同上，期望窗口",
    "algorithm": "算法",
    "depth": "深度",
    "leaves": "叶节点数",
    "published": "论文",
    "ratio": "比值",
    "of a-b": "占 α-β",
    "CPU ms": "CPU 毫秒",
    "leaves/ms": "叶节点/毫秒",
    "last iteration": "最后一次迭代",
    "first cuts": "首着截断率",
    "of minimal": "与极小树之比",
    "ms, 1 thread": "单线程毫秒",
    "ms": "毫秒",
    "speed-up": "加速比",
    "efficiency": "并行效率",
    "geometric mean": "几何平均",
    "rate gain": "速率增益",
    "idle": "空闲",
    "depth, threads": "深度，线程",
    "of 1 thread": "比单线程",
    "table hits": "置换表命中",
    "depth, theirs": "深度，论文深度",
    "threads": "线程",
    "change": "变化",
    "with table": "有置换表",
    "hits": "命中率",
    "table": "置换表",
    "by piece": "按棋子排序",
    "ordered": "优化排序",
    "ordered, killers first": "杀手着法在吃子前",
    "alpha-beta": "α-β",
    "alpha-beta+table": "α-β+置换表",
    "alpha-beta+order": "α-β+启发策略",
    "MTD(f)+table+order": "MTD(f)+置换表+启发策略",
    "MTD(f)+table+order+null": "MTD(f)+置换表+启发策略+空着",
    "PVS+table+order": "PVS+置换表+启发策略",
    "PVS+table+order+null": "PVS+置换表+启发策略+空着",
    "alpha-beta+table without leaves": "α-β+置换表（不存叶节点）",
    "two checksums": "双校验码",
    "lock": "加锁",
    "two layers": "双置换表",
    "without leaves": "不存叶节点",
    "visited nodes": "访问节点数",
    "depth {depth}, mean of {n} openings, simulated processors": (
        "深度 {depth}，{n} 个开局的平均值，模拟处理器"
    ),
    "way to share the tree, processors": "并行方法，处理器数",
    "processors": "处理器数",
    "of one": "与单处理器之比",
    "thousand nodes' time": "时间（千节点）",
    "PV-split, as in the thesis": "PV 分裂（论文形式）",
    "PV-split": "PV 分裂",
    "PV-split, own order, regrouped": "PV 分裂（各自排序，重新集合）",
    "tree splitting": "树分裂",
    "window splitting": "窗口分裂",
    "tasks": "任务",
    "dynamic tree splitting": "动态树分裂",
    "MTD(f), PV-split": "MTD(f)，PV 分裂",
    "MTD(f), dynamic tree splitting": "MTD(f)，动态树分裂",
    "depth {depth}, mean of {n} openings": "深度 {depth}，{n} 个开局的平均值",
    "minimal tree by formula 2.1: {leaves} leaves": "公式 2.1 的极小树：{leaves} 个叶节点",
    SHARE_OF_LEAVES: (
        "深度 {depth}：{name} 的叶节点是 α-β 的 1/{whole:.0f}，"
        "最后一次迭代为 1/{last:.0f}（按论文的计数，深度 7 为 1/704）"
    ),
    NULL_MOVE_SAVES: (
        "深度 {depth}：空着裁剪减少 {saved:.0%} 的叶节点（论文：深度 7 将近 70%，按其计数为 71%）"
    ),
    TOO_MANY: "{threads} 个线程共用 {processors} 个处理器，互相等待：时间不能代表这么多线程",
    GENERATION: (
        "第 {number}/{generations} 代，第 {phase} 阶段：最佳 {best}，适应度 {fitness:.2f}，平均 {mean:.2f}"
    ),
    "best of generation": "各代最佳",
    "wins": "胜",
    "losses": "负",
    "draws": "和",
    "points": "得分",
    "sparring": "陪练",
    "thesis, table 5.4": "论文表 5.4",
    "piece values": "子力价值",
    "advisor": "士",
    "bishop": "象",
    "knight": "马",
    "rook": "车",
    "cannon": "炮",
    "pawn": "兵",
    "in hundredths of a rook": "以车为 100",
    "thesis, before": "论文，调整前",
    "thesis, after": "论文，调整后",
    "this run": "本次运行",
    "shipped, middle": "自带的，中局",
    "shipped, end": "自带的，残局",
    "against the shipped weights": "对自带的价值",
    "against the thesis's first values": "对论文最初的价值",
    "generation": "代",
    "value in the best individual": "最佳个体的价值",
    "points in the last tournament": "最后循环赛的得分",
    "Figure 5.7": "图 5.7",
    OTHER_MOVES: "深度 {depth}：{n} 个局面中有 {moves} 个着法不同，其中 {values} 个估值也不同",
    ALL_OTHER_MOVES: (
        "全部深度：{n} 次搜索中有 {moves} 次着法不同，其中 {values} 次估值也不同"
        "（论文 4 线程：极少，估值相同）"
    ),
    SIMULATED_THREADS: "{threads} 个模拟处理器与一个，访问一个节点算一微秒，{n} 个开局的平均值",
    "{threads} threads against one; mean of {n} openings": "{threads} 线程与单线程，{n} 个开局的平均值",
    "at about equal serial time": "单线程耗时相近的深度",
    "table 2-5: visited nodes, mean of {n} middlegames": "表 2-5：访问节点数，{n} 个中局的平均值",
    "table 2-6: visited nodes, mean of {n} middlegames": "表 2-6：访问节点数，{n} 个中局的平均值",
    "{name}: mean of {n} openings": "{name}：{n} 个开局的平均值",
    "holds": "成立",
    "does not hold": "不成立",
    ": ": "：",
    "fewer leaves from depth 3 on": "从深度 3 起叶节点更少",
    "at depth 3 the table still costs more time than it saves": "深度 3 时置换表花的时间仍多于省下的",
    "the share of hits grows with the depth": "命中率随深度提高",
    "at depth 5 at least twice as fast ({ratio:.2f})": "深度 5 时至少快一倍（{ratio:.2f}）",
    **{f"{n} threads": f"{n} 线程" for n in range(2, 257)},
    "1 thread": "1 线程",
    **{f"{n} threads, simulated": f"{n} 线程，模拟" for n in range(2, 257)},
    "1 thread, simulated": "1 线程，模拟",
    "openmp-tasks": "OpenMP 任务",
    "dotted: published": "虚线：论文",
    "table 3-1: {program}, {limit}": "表 3-1：{program}，{limit}",
    "position": "局面编号",
    "move": "着法",
    "expected": "期待着法",
    "difference": "分差",
    "published depth": "论文深度",
    "the expected move in {same} of 10 (published: 3)": "10 个局面中 {same} 个走出期待着法（论文：3 个）",
    "tables 4-1 and 4-2: {program} plays red, {limit}, {opponent} black": (
        "表 4-1、4-2：{program} 执红，{limit}，{opponent} 执黑"
    ),
    "number": "编号",
    "name": "名称",
    "result": "结果",
    "plies": "步数",
    "win": "获胜",
    "draw": "和局",
    "loss": "认输",
    "won {won} of {n} (published: {known})": "{n} 局中获胜 {won} 局（论文：{known} 局）",
    "table 4-3: {program}, {limit}, against {opponent} by depth": (
        "表 4-3：{program}，{limit}，对限定深度的 {opponent}"
    ),
    "won": "胜",
    "drawn": "和",
    "lost": "负",
    "score": "比分",
    "part": "改动",
    "Table 4.1": "表 4.1",
    "Table 4.2": "表 4.2",
    "Figure 4.5: time": "图 4.5：时间",
    "Figure 4.6: speed-up": "图 4.6：加速比",
    "Figure 4.7: efficiency": "图 4.7：并行效率",
    "Figure 4.8: evaluated leaves": "图 4.8：叶节点数",
    "Figure 4.9: table hits": "图 4.9：置换表命中",
    "Tables 2-5 and 2-6": "表 2-5、2-6",
    "Hits": "命中",
    "Leaves": "叶节点",
    "Time": "时间",
    "times": "倍",
    "speed-up / threads": "加速比 / 线程数",
    "depth {n}": "深度 {n}",
    "{n:,} nodes a move": "每步 {n:,} 个节点",
    "{n:g} s a move": "每步 {n:g} 秒",
    "plain alpha-beta": "纯 α-β",
    "no table": "无置换表",
    "no leaves in the table": "不存叶节点",
    "table in two layers": "双置换表",
    "no table move": "无置换表着法",
    "captures not ordered": "吃子不排序",
    "no killers": "无杀手着法",
    "killers first": "杀手着法最前",
    "no history": "无历史启发",
    "no null move": "无空着",
    "no extensions": "无延伸",
    "no killers below alpha": "α 节点不记杀手",
    "moves below alpha kept": "保留 α 节点着法",
    "null move verified": "空着加验证",
    "null move not verified": "空着不验证",
    "quiescence": "加静态搜索",
    "no quiescence": "无静态搜索",
    "no internal deepening": "无内部迭代加深",
    "history by 2 << depth": "历史得分 2 · 2^深度",
    "Zou's evaluation": "邹竞的估值",
    "values of table 5.5": "表 5.5 的子力",
    "published, against ElephantEye": "论文（对象眼）",
    "{program} changed, against the whole; {limit}, {n} games each": (
        "改动后的 {program} 对原程序；{limit}，各 {n} 局"
    ),
}


def tr(text: str) -> str:
    """A text of the reports in the language that is set; a text without a translation stays as it is."""
    return ZH.get(text, text) if LANGUAGE.get() == "zh" else text
