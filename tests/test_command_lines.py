"""The command lines of the pages: each is run, made short where it takes long, or a table says why not."""

import io
import lzma
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest
from support import CHECKOUT, POSITIONS

import eleengine
from eleengine.__main__ import main
from eleengine.records import Game, write_games

PAGES = (
    "README.md", "README.zh.md", "docs/commands.md", "docs/commands.zh.md", "docs/gui.md", "docs/board.md",
    "docs/board.zh.md", "CONTRIBUTING.md",
)  # fmt: skip
LIBRARY = CHECKOUT / "tests/records/library.cbl.xz"
NETWORK = next(Path(eleengine.__file__).parent.glob("*.nnue"))
FEN = "3k5/9/9/9/9/9/9/9/4R4/4K4 w"
WORDS = {  # what a line says, and what is typed here: something for a placeholder, or what takes less time
    '"FEN moves 着法 …"': f'"{FEN} moves e1e5"',
    "FEN": f'"{FEN}"',
    "MOVE...": "e1e5",
    "moves h2e2 h9g7 ...": "moves e1e5",
    "cmd=./myengine": f'"cmd={sys.executable} -m eleengine"',
    "cmd=fairy-stockfish": "",
    "-e cmd=eleeye proto=ucci": "",
    "nodes=5000": "nodes=50",
    "--nodes 2000": "--nodes 50 --pairs 1",
    "--pairs 100": "--pairs 1",
    "--pairs 20": "--pairs 1",
    "--game 12 --ply 30": "--game 1 --ply 8",
    "--time 0.1": "--nodes 50",
    "--time 30": "--time 0.2",
    "--time 10": "--time 0.2",
    "--time 5": "--time 0.2",
    "--count 5000": "--count 2 --nodes 100",
    "solve puzzles": "solve puzzles.jsonl",
    "--suite positions/repetition.jsonl": "--suite repetition.jsonl",
    "analyse startpos": "analyse --time 0.2 startpos",
    "analyse game.xqf": "analyse --time 0.2 game.xqf",
    "eleengine review": "eleengine review --nodes 200",
    "eleengine bench": "eleengine bench --depth 2",
    "perft --depth 4": "perft --depth 2",
}
TYPED = {"play": "quit\n"}  # by the user of a command that asks
NOT_RUN = {  # what a line holds, and why it is not run here
    "pip install": ".ci/bare runs the two commands of the README; the others fetch the same packages",
    "python3 -m venv": "the same",
    "eleengine board": "it serves until it is ended: test_webboard.py",
    "--serve": "the same: test_report_server.py",
    "--engine pikafish": "a program of others",
    "eleengine spsa": "it plays games for hours: test_spsa.py",
    "--plot": "it draws, and searches for minutes: test_papers.py",
    "--gif": "it needs fonts: test_records_gif.py",
    "readlink": "the shell's own", "export PATH": "the shell's own", "apt install": "the system's own",
    "xboard": "test_ucci_clients.py plays with it", "| eleengine": "test_ucci_handshake.py",
    "#!/bin/sh": "a script",
    "git ": "the author's own", "pytest": "that is this", "ruff": "by .ci/run", "mypy": "by .ci/run",
    "cython-lint": "by .ci/run", "tools/prose.py": "by .ci/run", "tests/mutants": "by .ci/run, or for hours",
    ".ci/run": "it runs this", "setup.py": "a build", "rm -f": "for a build", "LD_PRELOAD": "by .ci/run",
}  # fmt: skip
OUTPUTS = ("--out", "--journal", "--pgn", "--html")


def command_lines():
    """Every command and its page; a line that goes on in the next one is one."""
    found = {}
    for page in PAGES:
        text = (CHECKOUT / page).read_text(encoding="utf-8")
        for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S):
            if language == "sh" or block.startswith("eleengine "):
                for line in block.replace("\\\n", " ").splitlines():
                    line = " ".join(line.partition("  #")[0].split())
                    if line:
                        found.setdefault(line, page)
    return found


LINES = command_lines()
RUN = [
    pytest.param(line, marks=[pytest.mark.system] if "compliance" in line else [])  # another process
    for line in LINES
    if not any(part in line for part in NOT_RUN)
]


def a_game():
    game = Game(headers={"Red": "胡荣华", "Black": "Pikafish", "Result": "1-0"})
    game.play_line(["h2e2", "h9g7", "h0g2", "i9h9", *["a0a1", "a9a8", "a1a0", "a8a9"] * 7])
    return game


def make_inputs(command, words, folder, journal):
    """The files that the line reads; those that it writes are not there yet."""
    names = [word for word in words if re.fullmatch(r"[\w/*]+\.[a-z]\w*", word)]
    written = {words[number + 1] for number, word in enumerate(words[:-1]) if word in OUTPUTS}
    if command == "convert":
        written.add(next(word for word in reversed(words) if word in names or word.endswith("/")))
    elif command == "openings":
        written.add(names[0])
    for name in names:
        path = folder / name.replace("*", "one")
        if name in written or path.exists():
            continue
        path.parent.mkdir(exist_ok=True)
        if name in ("repetition.jsonl", "puzzles.jsonl"):
            cases = (POSITIONS / name).read_text(encoding="utf-8").splitlines(keepends=True)
            path.write_text("".join(cases[:2]), encoding="utf-8")
        elif name.endswith(".jsonl"):
            shutil.copy(journal, path)
        elif name.endswith(".queue"):
            path.write_text("-e name=a -e name=b --nodes 5 --max-plies 2 --pairs 1 --journal night.jsonl")
        elif name.endswith(".nnue"):
            shutil.copy(NETWORK, path)
        elif name.endswith(".cbl"):
            path.write_bytes(lzma.decompress(LIBRARY.read_bytes()))
        else:
            write_games(path, [a_game()])


@pytest.fixture(scope="module")
def journal(tmp_path_factory):
    """Of a match of two games."""
    path = tmp_path_factory.mktemp("match") / "games.jsonl"
    engines = ["-e", "name=Pikafish", "-e", "name=b"]
    assert main(["match", *engines, "--nodes", "30", "--pairs", "1", "--journal", str(path)]) == 0
    return path


@pytest.mark.parametrize("line", RUN)
def test_a_command_line_of_the_pages_runs(line, journal, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "positions").symlink_to(POSITIONS)
    for old, new in WORDS.items():
        line = line.replace(old, new)
    program, command, *words = shlex.split(line)
    assert program == "eleengine"
    make_inputs(command, words, tmp_path, journal)
    before = set(tmp_path.rglob("*"))
    capsys.readouterr()
    monkeypatch.setattr(sys, "stdin", io.StringIO(TYPED.get(command, "")))
    status = main([command, *(word.replace("*", "one") for word in words)])
    printed = capsys.readouterr()
    assert status == 0, printed.err
    assert printed.out or set(tmp_path.rglob("*")) > before


def test_elo_prints_what_the_page_shows(capsys):
    page = (CHECKOUT / "docs/commands.md").read_text(encoding="utf-8")
    _, _, rest = page.partition("## elo\n")
    [command, shown] = re.findall(r"^```\n(.*?)^```$", rest, re.M | re.S)[:2]
    assert main(shlex.split(command)[1:]) == 0
    assert capsys.readouterr().out == shown


def test_what_is_not_run_is_on_a_page():
    for part in NOT_RUN:
        assert any(part in line for line in LINES), part
