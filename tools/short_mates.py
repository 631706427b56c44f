"""Collect mates in one, two and three moves out of games, each proven to have one key move.

    python tools/short_mates.py --each 400 GAMES... > positions/mates.jsonl

GAMES are files of `eleengine datagen`, or text with a game a line: result and ICCS moves (`.xz` too). Of each
game at most one position of a length is taken, and no two with the same pieces around the mated king.

Trying all moves of both sides proves each mate, and that every other first move takes longer. Themes are the
names of `eleengine.motifs` for the last position.
"""

import argparse
import json
import lzma
import sys
from collections import Counter
from pathlib import Path

from eleengine import Board, Move, motifs
from eleengine._core import MATE, STARTING_FEN, Searcher
from eleengine.lab.data.gamefile import DRAWN, read_games
from eleengine.squares import square_file, square_rank

LAST_PLIES = 7  # of a game that are looked at: most end when a mate is seen
QUICK_NODES = 4_000

QUICK = Searcher(hash_mib=4, threads=1)


def games_of(path):
    """Number in the file, start position and moves of its decisive games."""
    if path.endswith(".games"):
        for number, game in enumerate(read_games(path), 1):
            if game.result != DRAWN:
                yield number, game.start, game.move_list()
        return
    with (lzma.open if path.endswith(".xz") else open)(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            result, *moves = line.split()
            if result != "=":
                yield number, STARTING_FEN, [Move.from_iccs(move) for move in moves]


def fresh(board):
    """The position as the start of a game: without a history that a rule could look at."""
    return Board(" ".join(board.fen().split()[:2]) + " - - 0 1")


def is_lost(board, plies):
    """Is the side to move mated within this many plies, whatever it plays? Tries all moves of both sides."""
    moves = list(board.legal_moves)
    if not moves or plies < 2:
        return not moves
    for move in moves:
        board.push(move)
        holds = not keys(board, plies - 1, most=1)
        board.pop()
        if holds:
            return False
    return True


def keys(board, plies, *, most=2):
    """The first moves that force mate within this many plies, at most `most` of them; checks are tried
    first.
    """
    found = []
    for move in sorted(board.legal_moves, key=lambda move: not board.gives_check(move)):
        board.push(move)
        if is_lost(board, plies - 1):
            found.append(move)
        board.pop()
        if len(found) == most:
            break
    return found


def puzzle(board):
    """Length in moves and line of the mate in at most 3 with one key move; or None."""
    QUICK.clear()
    lines = QUICK.search(board, nodes=QUICK_NODES, mate=3, multipv=2)
    if not lines or not 0 < MATE - lines[0].score <= 5:
        return None
    if len(lines) > 1 and 0 < MATE - lines[1].score <= MATE - lines[0].score:
        return None
    plies = MATE - lines[0].score
    if len(keys(board, plies)) != 1 or keys(board, plies - 2, most=1):
        return None
    return (plies + 1) // 2, lines[0].pv


def difficulty(board, moves, line):
    """From 1 to 5: longer, quieter, and with more checks to choose from is harder."""
    first = line[0]
    checks = sum(board.gives_check(move) for move in board.legal_moves)
    level = moves
    level += not board.gives_check(first)
    level += board.gives_check(first) and checks > 3
    level += moves > 1 and board.piece_at(first.to_square) is None and is_given(board, line)
    return min(level, 5)


def is_given(board, line):
    """Is a piece given away by the first move?"""
    return len(line) > 1 and line[1].to_square == line[0].to_square


def surroundings(board):
    """What stands around the king that is to be mated, so that no two puzzles are the same picture."""
    loser = not board.turn
    king = board.king(loser)
    near = []
    for square in range(90):
        piece = board.piece_at(square)
        if (
            piece
            and abs(square_file(square) - square_file(king)) <= 2
            and abs(square_rank(square) - square_rank(king)) <= 2
        ):
            near.append((square - king, piece.piece_type, piece.color == loser))
    attackers = Counter(piece.piece_type for piece in board.piece_map().values() if piece.color != loser)
    return tuple(near), tuple(sorted(attackers.items()))


def found_in(path, source, each, counts, seen, found):
    for number, start, moves in games_of(path):
        board = Board(start)
        boards = []
        for move in moves:
            boards.append(fresh(board))
            board.push(move)
        boards.append(fresh(board))
        taken = set()
        for there in reversed(boards[-LAST_PLIES:]):
            if not any(there.legal_moves):
                continue
            result = puzzle(there)
            if result is None or result[0] in taken or counts[result[0]] >= each:
                continue
            length, line = result
            picture = surroundings(there)
            if picture in seen:
                continue
            seen.add(picture)
            taken.add(length)
            counts[length] += 1
            last = there.copy()
            for move in line:
                last.push(move)
            themes = sorted({motif.name for motif in motifs.mating_patterns(last)})
            found.append(
                {
                    "fen": there.fen(),
                    "class": "checks" if there.gives_check(line[0]) else "quiet",
                    "win_in_plies": 2 * length - 1,
                    "best": [line[0].iccs()],
                    "line": [move.iccs() for move in line],
                    "themes": themes,
                    "level": difficulty(there, length, line),
                    "source": f"{source}, game {number}",
                }
            )
            print(dict(counts), file=sys.stderr)
        if all(counts[length] >= each for length in (1, 2, 3)):
            return


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+")
    parser.add_argument("--each", type=int, default=400, help="positions of a length")
    parser.add_argument("--source", default="", help="where the games are from (default: the file's name)")
    args = parser.parse_args()
    counts, seen, found = Counter(), set(), []
    for path in args.files:
        found_in(path, args.source or Path(path).name, args.each, counts, seen, found)
    found.sort(key=lambda one: (one["win_in_plies"], one["level"]))
    for length in (1, 2, 3):
        these = [one for one in found if one["win_in_plies"] == 2 * length - 1]
        for number, one in enumerate(these, 1):
            print(json.dumps({"id": f"mate-{length}-{number:03}", **one}, ensure_ascii=False))


if __name__ == "__main__":
    main()
