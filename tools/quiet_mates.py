"""Collect quiet mates and sudden losses out of games, and measure how soon an engine sees them.

    python tools/quiet_mates.py find --each 60 GAMES... > positions/quiet-mates.jsonl
    python tools/quiet_mates.py measure positions/quiet-mates.jsonl [--engine "COMMAND"] [--nodes 500000]

GAMES are files of `eleengine datagen`, or text with a game a line: result and ICCS moves. Of each game at
most one position of a kind is taken. The kinds:

* mate: the side to move mates in 2 or 3 moves, but not by a check or capture as the first move;
* loss: the opponent threatens such a mate, and most moves are mated within three moves, but at least one
  holds: it is not mated, and no worse than LOST centipawns.

The engine's own search for mates (`go mate`) proves every mate. A mate counts as solved from the first line
on from which the engine announces a mate and never takes it back, a loss from the first line on from which
the best move is one that holds. What is not solved at the limit counts as the limit.
"""

import argparse
import json
import lzma
import random
import sys
from pathlib import Path

from eleengine import Board, Limit, Move
from eleengine._core import MATE, STARTING_FEN, Searcher
from eleengine.engines import ExternalEngine
from eleengine.lab.data.gamefile import read_games

LAST_PLIES = 8  # of a game that are searched: before its engine announced a mate, or before its end
LOST = -500  # centipawns
PROOF_NODES = 40_000
MOVE_NODES = 6_000
DEEP_NODES = 400_000  # a loss is only taken if the best move holds for these, too
SEARCHER = Searcher(hash_mib=1, threads=1)


def games_of(path):
    """Start position and moves of the decisive games of a file, up to the first mate that was announced."""
    if path.endswith(".games"):
        for game in read_games(path):
            end = next(
                (i for i, score in enumerate(game.scores or ()) if MATE - 100 < abs(score) <= MATE), None
            )
            if end is not None:
                yield game.start, game.move_list()[: end + 2]
        return
    with (lzma.open if path.endswith(".xz") else open)(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            result, *moves = line.split()
            if result != "=":
                yield STARTING_FEN, [Move.from_iccs(move) for move in moves]


def searched(board, nodes, **limits):
    SEARCHER.clear()
    [line] = SEARCHER.search(board, nodes=nodes, **limits)
    return line


def mate_in(board, moves, nodes):
    """Plies of the mate in at most so many moves that the side to move has, and the first move; or None."""
    line = searched(board, nodes, mate=moves)
    plies = MATE - line.score
    return (plies, line.pv[0]) if 0 < plies <= 2 * moves - 1 else None


def is_loud(board, move):
    return board.piece_at(move.to_square) is not None or board.gives_check(move)


def after(board, move):
    board = board.copy()
    board.push(move)
    return Board(" ".join(board.fen().split()[:4]) + " 0 1")


def quiet_mate(board):
    """Plies and first move of a mate in 2 or 3 that no check or capture begins, or None."""
    if board.is_check():
        return None
    found = mate_in(board, 3, PROOF_NODES)
    if found is None or found[0] < 3 or is_loud(board, found[1]):
        return None
    for move in board.legal_moves:
        if is_loud(board, move):
            there = after(board, move)
            if not there.legal_moves or -searched(there, MOVE_NODES).score >= MATE - 5:
                return None
    return found


def loss(board):
    """The moves that hold where most lose to a quick mate, one of them to a quiet one; or None."""
    pieces, turn = board.fen().split()[:2]
    passed = f"{pieces} {'b' if turn == 'w' else 'w'} - - 0 1"
    if board.is_check() or mate_in(Board(passed), 3, MOVE_NODES) is None:
        return None
    if abs(searched(board, MOVE_NODES).score) > -LOST:
        return None
    holding, quiet, lost = [], False, 0
    moves = list(board.legal_moves)
    for move in moves:
        if 2 * len(holding) >= len(moves):
            return None
        there = after(board, move)
        found = mate_in(there, 3, MOVE_NODES)
        if found is None:
            holding.append(move)
        else:
            lost += 1
            quiet = quiet or (found[0] >= 3 and not is_loud(there, found[1]))
    if not quiet or not holding or lost <= len(holding):
        return None
    good = [move for move in holding if -searched(after(board, move), MOVE_NODES).score > LOST]
    deep = searched(board, DEEP_NODES)
    return [move.iccs() for move in good] if deep.pv[0] in good and deep.score > LOST else None


def plain(board):
    return Board(" ".join(board.fen().split()[:4]) + " 0 1")


def find(args):
    wanted = {"mate in 2": args.each, "mate in 3": args.each, "loss": args.each}
    for path in args.games:
        left = dict(wanted)
        games = list(games_of(path))
        random.Random(1).shuffle(games)
        for number, (start, moves) in enumerate(games):
            board, boards = Board(start), []
            for move in moves:
                if not board.is_legal(move):
                    break
                boards.append(plain(board))
                board.push(move)
            seen = set()
            for position in boards[:-LAST_PLIES:-1]:
                row = None
                found = quiet_mate(position)
                if found:
                    kind = f"mate in {(found[0] + 1) // 2}"
                    row = {"best": [found[1].iccs()], "win_in_plies": found[0]}
                elif left["loss"] and (held := loss(position)):
                    kind = "loss"
                    row = {"best": held}
                if row and left[kind] and kind not in seen:
                    seen.add(kind)
                    left[kind] -= 1
                    row = {
                        "fen": position.fen(),
                        "class": kind,
                        **row,
                        "source": f"{args.source or Path(path).name}, game {number}",
                    }
                    print(json.dumps(row), flush=True)
                    print(left, file=sys.stderr)
            if not any(left.values()):
                break


def lines_of_ours(board, nodes):
    SEARCHER.clear()
    news = []
    SEARCHER.search(board, nodes=nodes, report=news.append)
    return [(line.nodes, line.pv[0].iccs(), line.score >= MATE - 100) for line in news]


def lines_of(engine, board, nodes):
    engine.new_game()
    found = []
    with engine.analysis(board, Limit(nodes=nodes)) as analysis:
        for info in analysis:
            if "pv" in info and info["pv"] and "nodes" in info and "score" in info:
                mate = info["score"].relative.mate()
                found.append((info["nodes"], info["pv"][0].iccs(), mate is not None and mate > 0))
    return found


def solved(row, lines, limit):
    """Nodes after which the lines were right and stayed so."""
    since = limit
    for nodes, move, mate in reversed(lines):
        if not (mate if "win_in_plies" in row else move in row["best"]):
            break
        since = nodes
    return min(since, limit)


def measure(args):
    engine = ExternalEngine(args.engine) if args.engine else None
    results = {}
    with open(args.file, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for row in rows:
        board = Board(row["fen"])
        lines = lines_of(engine, board, args.nodes) if engine else lines_of_ours(board, args.nodes)
        nodes = solved(row, lines, args.nodes)
        results.setdefault(row["class"], []).append(nodes)
        results.setdefault("all", []).append(nodes)
        if args.each:
            print(nodes, row["class"], row["fen"])
    if engine:
        engine.close()
    for kind, values in sorted(results.items()):
        values.sort()
        n = len(values)
        print(
            f"{kind}: {n} positions, median {values[n // 2]:,}, worst tenth from {values[n * 9 // 10]:,},"
            f" sum {sum(values):,}, {sum(v >= args.nodes for v in values)} unsolved"
        )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    jobs = parser.add_subparsers(required=True)
    job = jobs.add_parser("find")
    job.add_argument("games", nargs="+")
    job.add_argument("--each", type=int, default=40, help="positions of a kind and file")
    job.add_argument("--source", help="what to call the games")
    job.set_defaults(run=find)
    job = jobs.add_parser("measure")
    job.add_argument("file")
    job.add_argument("--engine", help="a program; without it the engine of this package")
    job.add_argument("--nodes", type=int, default=500_000)
    job.add_argument("--each", action="store_true", help="a line for each position")
    job.set_defaults(run=measure)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
