"""What the library does in a second of processor time, beside other libraries in the same run.

    python tools/library_speed.py --seconds 1

Others are left out if they are missing (pip install chess pyffish cchess numpy). Positions are those of
random games, the same for all libraries of xiangqi; python-chess has random games of chess. So its numbers
say how fast a job is for who comes from there, not which library moves a piece faster.
"""

import argparse
import importlib
import random
import time
from collections.abc import Callable, Iterable
from functools import partial
from io import StringIO

from eleengine import Board, records, svg

GAMES, PLIES = 20, 60
COPIES = 50  # of the games, for headers alone
READ_COPIES = 5  # of the games, to be read whole
HEADERS = {
    "Event": "Championship", "Site": "Beijing", "Date": "2024.01.02", "Round": "3", "Result": "1-0",
    "Annotator": "somebody", "Board": "1",
}  # fmt: skip


def optional(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


chess, pgn, chess_svg = map(optional, ("chess", "chess.pgn", "chess.svg"))
pyffish, cchess, np = map(optional, ("pyffish", "cchess", "numpy"))


def random_games(board_class, seed=1):
    """Boards of random games, with their moves."""
    rng, found = random.Random(seed), []
    for _ in range(GAMES):
        board = board_class()
        for _ in range(PLIES):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
            found.append(board.copy())
    return found


def rate(job: Callable[[object], object], things: Iterable[object], seconds: float) -> float:
    """Things a second: the best of three runs over them, of at least that time together."""
    things, best, spent = list(things), 0.0, 0.0
    while spent < seconds:
        start = time.process_time()
        for thing in things:
            job(thing)
        took = max(time.process_time() - start, 1e-9)
        best, spent = max(best, len(things) / took), spent + took
    return best


def push_and_pop(board):
    move = board.peek()
    board.pop()
    board.push(move)


def with_headers(game, sides):
    """A game with nine headers."""
    game.headers.update(HEADERS | dict.fromkeys(sides, "somebody"))
    return game


def in_style(games, style):
    """The games in one text."""
    options = records.WriteOptions(style=style)
    return "\n".join(records.encode_game(game, "pgn", options).decode() for game in games)


def our_headers(text):
    return [entry.headers for entry in records.scan_games(text)]


def their_headers(text):
    file = StringIO(text)
    return list(iter(lambda: pgn.read_headers(file), None))


def our_games(text):
    return list(records.read_games(text))


def their_games(text):
    file = StringIO(text)
    return list(iter(lambda: pgn.read_game(file), None))


def jobs():
    """(what, library, job, things): the rows and columns of the table."""
    boards = random_games(Board)
    ends = boards[PLIES - 1 :: PLIES]
    games = [with_headers(records.Game.from_board(board), ("Red", "Black")) for board in ends]
    fens = [board.fen() for board in boards]
    yield from common_jobs("eleengine", Board, boards, svg.board, our_headers, in_style(games, "chinese"))
    for style in ("chinese", "wxf", "iccs"):
        text = in_style(games, style) * READ_COPIES
        yield f"PGN read, plies ({style})", "eleengine", partial(our_games, text), GAMES * PLIES * READ_COPIES
    if chess:
        theirs = random_games(chess.Board)
        ends = theirs[PLIES - 1 :: PLIES]
        games = [with_headers(pgn.Game.from_board(board), ("White", "Black")) for board in ends]
        text = "".join(f"{game}\n\n" for game in games)
        yield from common_jobs("python-chess", chess.Board, theirs, chess_svg.board, their_headers, text)
        read = partial(their_games, text * READ_COPIES)
        for style in ("chinese", "wxf", "iccs"):  # theirs is the same each time
            yield f"PGN read, plies ({style})", "python-chess", read, GAMES * PLIES * READ_COPIES
    if pyffish:
        yield "legal moves", "pyffish", lambda fen: pyffish.legal_moves("xiangqi", fen, []), fens[:200]
    if cchess:
        others = [cchess.ChessBoard(fen) for fen in fens[:200]]
        yield "legal moves", "cchess", lambda board: list(board.create_moves()), others
        yield "FEN to board", "cchess", cchess.ChessBoard, fens
        yield "board to FEN", "cchess", lambda board: board.to_fen(), others
    if np:
        from eleengine import ml

        many = ml.Positions(boards)[np.arange(50_000) % len(boards)]
        for name in ("planes", "features", "legal_moves", "evaluate"):
            yield f"ml: {name}", "eleengine", lambda name=name: getattr(many, name)(), len(many)
        if chess:
            yield "ml: planes", "python-chess", chess_planes, theirs


def common_jobs(library, board_class, boards, draw, read_headers, text):
    """What python-chess does under the same names."""
    yield "legal moves", library, lambda board: list(board.legal_moves), boards
    yield "pop and push", library, push_and_pop, boards
    yield "FEN to board", library, board_class, [board.fen() for board in boards]
    yield "board to FEN", library, board_class.fen, boards
    yield "is_checkmate", library, board_class.is_checkmate, boards
    yield "is_game_over", library, board_class.is_game_over, boards
    yield "SVG", library, draw, boards[:100]
    yield "PGN headers", library, partial(read_headers, text * COPIES), COPIES * GAMES


def chess_planes(board):
    """Twelve planes of a chess board, by the fastest way that python-chess offers."""
    masks = [board.pieces_mask(kind, color) for color in (True, False) for kind in range(1, 7)]
    data = np.frombuffer(b"".join(mask.to_bytes(8, "little") for mask in masks), np.uint8)
    return np.unpackbits(data, bitorder="little").reshape(12, 8, 8)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1.0, help="for each number (1)")
    args = parser.parse_args()
    found = {}
    for what, library, job, things in jobs():
        if isinstance(things, int):
            speed = things * rate(lambda _, job=job: job(), [None], args.seconds)
        else:
            speed = rate(job, things, args.seconds)
        found.setdefault(what, {})[library] = speed
    libraries = ("eleengine", "python-chess", "pyffish", "cchess")
    print(f"| | {' | '.join(libraries)} |")
    print("|---|" + "---|" * len(libraries))
    for what, speeds in found.items():
        print(f"| {what} | {' | '.join(f'{speeds[x]:,.0f}' if x in speeds else '-' for x in libraries)} |")


if __name__ == "__main__":
    main()
