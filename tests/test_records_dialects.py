"""Whole files in the dialects of other programs: long games, whose moves Fairy-Stockfish writes.

Headers and layouts are those of pychess.org, of WinBoard with engines such as Cyclone, of XieXie, and of
collections in full-width letters. The games are our own.
"""

import random
import re
from array import array

import pytest

from eleengine import Board, Move
from eleengine._core import SelfPlay
from eleengine.records import read_games

pyffish = pytest.importorskip("pyffish")

FILES = (0, pytest.param(1, marks=pytest.mark.slow))  # seeds of files
GAMES = 13  # of a file
RESULTS = ("0-1", "1/2-1/2", "1-0")
ENDINGS = (
    "3ak4/4a4/4b4/4C4/4P4/2B3p2/4p4/4BA3/3KA4/9 w - - 0 1",
    "2bakab2/9/4c4/p3p3p/2p3p2/9/P1P1P1P1P/4C4/9/2BAKAB2 b - - 3 20",
)


def games(seed, *, starts=(None,)):
    """(FEN or None, moves, result) of games that the engine plays against itself."""
    player = SelfPlay(nodes=60, max_plies=160)
    for number in range(GAMES):
        fen = starts[number % len(starts)]
        result, _, moves, _, _ = player.play(Board(fen) if fen else Board(), 1000 * seed + number)
        codes = array("H", moves)
        yield fen, [Move(code & 127, code >> 7) for code in codes], RESULTS[result]


def texts(fen, moves, notation):
    """The moves as Fairy-Stockfish writes them."""
    found = [move.uci(first_rank=1) for move in moves]
    return pyffish.get_san_moves("xiangqi", fen or pyffish.start_fen("xiangqi"), found, False, notation)


def numbered(words, first=1, is_black=False):
    """Words of a PGN with move numbers; each move may be several words."""
    for number, word in enumerate(words, is_black):
        if number % 2 == 0 or number == is_black:
            yield f"{first + number // 2}{'...' if number % 2 else '.'}"
        yield word


def wrapped(words, width=79):
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(lines)


def where(fen):
    """Number of the first move, and whether it is black's."""
    return (int(fen.split()[5]), fen.split()[1] == "b") if fen else (1, False)


def pychess(chance, fen, moves, result):
    """Letters as in Fairy-Stockfish, or H and E; ranks 1 to 10; one line for all moves."""
    words = texts(fen, moves, pyffish.NOTATION_SAN)
    if chance.random() < 0.5:
        words = [word.translate(str.maketrans("NB", "HE")) for word in words]
    if chance.random() < 0.5:
        words = [f"{word} {{[%clk 0:{chance.randrange(60):02}:{chance.randrange(60):02}]}}" for word in words]
    position = f'[FEN "{fen}"]\n[SetUp "1"]\n' if fen else ""
    return (
        '[Event "PyChess rated game"]\n[Site "https://www.pychess.org/abcd1234"]\n[Date "2022.01.02"]\n'
        f'[Round "-"]\n[White "one"]\n[Black "two"]\n[Result "{result}"]\n[TimeControl "900+10"]\n'
        f'[WhiteElo "1500?"]\n[BlackElo "1600"]\n[Variant "Xiangqi"]\n{position}\n'
        f"{' '.join(numbered(words, *where(fen)))} {result}\n\n\n"
    )


def winboard(chance, fen, moves, result):
    """Ranks 0 to 9, H and E, scores and times of the engine in comments, wrapped lines."""
    words = [
        re.sub("10|[1-9]", lambda rank: str(int(rank[0]) - 1), word).translate(str.maketrans("NB", "HE"))
        for word in texts(fen, moves, pyffish.NOTATION_SAN)
    ]
    for number in range(chance.randrange(8), len(words)):
        score = chance.uniform(-5, 5)
        words[number] += f" {{{score:+.2f}/{chance.randrange(9, 30)} 0:{chance.randrange(60):02}}}"
    position = f'[FEN "{fen}"]\n[SetUp "1"]\n' if fen else ""
    first, is_black = where(fen)
    comment = "{--------------\n r n b . k\n black to play\n--------------}\n" if fen else ""
    body = wrapped(" ".join(numbered(words, first, is_black)).split())
    return (
        '[Event "Computer Chess Game"]\n[Site "HOST"]\n[Date "2013.03.01"]\n[Round "-"]\n[White "Cyclone"]\n'
        f'[Black "ElephantEye"]\n[Result "{result}"]\n[TimeControl "300"]\n[Variant "xiangqi"]\n{position}'
        f'[Annotator "1. +0.38   1... +0.00"]\n\n{comment}'
        f"{body}\n{{Xboard adjudication: Checkmate}} {result}\n\n"
    )


def wxf_words(fen, moves):
    return texts(fen, moves, pyffish.NOTATION_XIANGQI_WXF)


def xiexie(chance, fen, moves, result):
    """A WXF file: marks behind moves or before the next number, remarks between them."""
    rows = []
    for number, word in enumerate(wxf_words(fen, moves)):
        word = word.replace("=", ".") + chance.choice(["", "", "", "!", "?", "!!", "?!"])
        if number % 2 == 0:
            rows.append(
                f"{chance.choice(['', '', '!', '!!', '?']) if rows else ''}{number // 2 + 1}.  {word}"
            )
        else:
            rows[-1] += f"  {word}     "
        if chance.random() < 0.05:
            rows[-1] += " /*Book: 12 games;\n best 2. H2+3}*/ "
    letters = str.maketrans("NBnb", "HEhe")
    position = f"FEN     \t{fen.split()[0].translate(letters)} {fen.split()[1]}\n" if fen else ""
    return (
        "FORMAT  \tWXF\nGAME    \t\nRED     \tXieXie;;;\nBLACK   \tB;1500;team;\nDATE    \t24-12-2022\n"
        f"RESULT\t{result}\n{position}/*Time control G5 inc. 20 seconds.*/\n\nSTART{{\n "
        + "\n ".join(rows)
        + "\n}END\n"
    )


def fullwidth(chance, fen, moves, result):
    """PGN in WXF, all letters, figures and signs of moves full-width, lines as Windows ends them."""
    words = ["".join(chr(ord(sign) + 0xFEE0) for sign in word) for word in wxf_words(fen, moves)]
    position = f'[FEN "{fen}"]\n' if fen else ""
    return (
        '[Game "Chinese Chess"]\n[Event "第一届比赛"]\n[Site "广州"]\n[Date "1998.??.??"]\n[Round "01"]\n'
        f'[RedTeam "甲队"]\n[Red "甲"]\n[BlackTeam "乙队"]\n[Black "乙"]\n[Result "{result}"]\n'
        f'[ECCO "A00"]\n[Opening "未知"]\n{position}\n'
        f"{wrapped(numbered(words, *where(fen)), 40)}\n{result}\n\n"
    ).replace("\n", "\r\n")


@pytest.mark.parametrize("seed", FILES)
@pytest.mark.parametrize("write", [pychess, winboard, fullwidth])
def test_a_file_of_games_is_read_whole(tmp_path, write, seed):
    chance = random.Random(seed)
    played = list(games(seed, starts=(None, None, *ENDINGS)))
    path = tmp_path / "games.pgn"
    path.write_bytes("".join(write(chance, *game) for game in played).encode())
    check(played, list(read_games(path)))


@pytest.mark.parametrize("seed", FILES)
def test_files_of_xiexie_are_read_whole(tmp_path, seed):
    chance = random.Random(seed)
    played = list(games(seed, starts=(None, None, ENDINGS[0])))
    found = []
    for number, game in enumerate(played):
        path = tmp_path / f"{number}.wxf"
        path.write_text(xiexie(chance, *game), encoding="utf-8")
        found += read_games(path)
    check(played, found)


def check(played, found):
    assert len(found) == len(played)
    plies = 0
    for (fen, moves, result), game in zip(played, found, strict=True):
        assert [str(warning) for warning in game.warnings] == []
        assert game.start.split()[:2] == (fen or Board().fen()).split()[:2]
        assert list(game.mainline_moves()) == moves
        assert game.result == result
        plies += len(moves)
    assert plies > 40 * len(played)
