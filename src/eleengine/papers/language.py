"""The words of the reports, in English and in Chinese."""

from __future__ import annotations

from contextvars import ContextVar

LANGUAGES = ("en", "zh")
LANGUAGE: ContextVar[str] = ContextVar("LANGUAGE", default="en")
SHARE_OF_LEAVES = (
    "depth {depth}: {name}: 1/{whole:.0f} of alpha-beta's leaves, "
    "1/{last:.0f} in the last iteration (published: 1/704 at 7)"
)
NULL_MOVE_SAVES = "depth {depth}: the null move saves {saved:.0%} of the leaves (published: 71% at 7)"
TOO_MANY = "{threads} threads on {processors} processors wait for each other: no times of so many threads"
OTHER_MOVES = "depth {depth}: another move in {moves} of {n}, {values} of them with another value"

#: The reports in Chinese. Names that Chinese papers write in Latin letters stay.
ZH = {
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
        "最后一次迭代为 1/{last:.0f}（论文：深度 7 为 1/704）"
    ),
    NULL_MOVE_SAVES: "深度 {depth}：空着裁剪减少 {saved:.0%} 的叶节点（论文：深度 7 为 71%）",
    TOO_MANY: "{threads} 个线程共用 {processors} 个处理器，互相等待：时间不能代表这么多线程",
    OTHER_MOVES: "深度 {depth}：{n} 个局面中有 {moves} 个着法不同，其中 {values} 个估值也不同",
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
