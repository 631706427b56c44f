"""Write the matches of docs/strength.csv into the pages that show them: python tools/strength.py.

The table stands between two comments in each page. A match is a line: opponent, limit for a move, our wins,
draws and losses, Elo with its 95 % interval (of pairs, as `eleengine match` tells it), our build, the day.
"""

import csv
from pathlib import Path

ROOT = Path(__file__).parent.parent
MATCHES = ROOT / "docs" / "strength.csv"
HEADS = {
    "README.md": ("Against", "Limit a move", "Games", "Score", "Elo, 95 % interval", "Our build", "Played"),
    "README.zh.md": ("对手", "每步限制", "局数", "得分率", "等级分差，95% 区间", "本引擎的版本", "日期"),
    "docs/strength.zh.md": (
        "对手", "每步限制", "胜、和、负", "得分率", "等级分差，95% 区间", "本引擎的版本", "日期",
    ),
    "docs/strength.md": (
        "Against", "Limit a move", "Won, drawn, lost", "Score", "Elo, 95 % interval", "Our build", "Played",
    ),
}  # fmt: skip
BEGIN, END = "<!-- strength.csv -->\n\n", "\n<!-- end -->"


def cells(match, *, whole):
    """A match as the cells of its row; whole: with wins, draws and losses."""
    results = [int(match[name]) for name in ("wins", "draws", "losses")]
    games = sum(results)
    score = (results[0] + results[1] / 2) / games
    elo = "{:+.0f} [{:+.0f}, {:+.0f}]".format(*(float(match[name]) for name in ("elo", "low", "high")))
    return [
        match["opponent"],
        match["limit"],
        "+{} ={} −{}".format(*results) if whole else str(games),
        f"{100 * score:.1f} %",
        elo.replace("-", "−").replace("inf", "∞"),
        match["build"],
        match["played"],
    ]


def written(page):
    """The page's text with the table as it should be."""
    heads = HEADS[page]
    with open(MATCHES, encoding="utf-8", newline="") as file:
        rows = [cells(match, whole=page.startswith("docs/")) for match in csv.DictReader(file)]
    table = "\n".join(f"| {' | '.join(row)} |" for row in (heads, ["---"] * len(heads), *rows))
    if page.endswith(".zh.md"):
        table = table.replace(" %", "%")  # Chinese has no space there
    before, begin, rest = (ROOT / page).read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise SystemExit(f"{page} has no place for the table: {BEGIN.strip()} and {END.strip()}")
    return f"{before}{begin}{table}\n{end}{after}"


if __name__ == "__main__":
    for page in HEADS:
        (ROOT / page).write_text(written(page), encoding="utf-8")
