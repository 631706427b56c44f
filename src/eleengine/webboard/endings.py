"""What endgame tables say of a position, and the endings trainer: positions against perfect play.

They have the defending king and guards on normal posts, or, where none of these has what is wanted, anywhere.
In the trainer the person is Red and moves first: attacking in a won position, or defending a drawn one for
HOLD moves. A move that gives the result away is taken back, as in a puzzle.
"""

from __future__ import annotations

import random

from .._core import EndgameTable, Move, draws_are_certain, table_name
from .._internal.traditional import traditional
from ..board import Board
from ..pieces import BLACK, COLOR_NAMES, RED, Color
from ..records import Game
from ..squares import square_name
from ..tables import MissingTableError, TableError, Tables, open_tables
from ..tables.folder import is_near_tables
from ..tables.posts import Verdict, position, verdict
from .document import Document, parse_move
from .errors import RequestError
from .page_data import Data, move_data
from .store import Store

HOLD = 15  # moves that save a drawn ending
LONGEST = 100  # plies of a win that is asked for
TRIES = 2_000  # positions from normal posts, and ten times as many of all, until one has what is wanted
JUDGED = 500  # positions, by which the verdict of an ending is shown

#: Name of the table, what is asked for, and the ending's name: English, simplified and traditional Chinese.
ENDINGS = tuple(
    (table, kind, (english, chinese, traditional(chinese)))
    for table, kind, english, chinese in (
        ("N-A", "win", "Knight against an advisor", "单马对单士"),
        ("R-AAB", "win", "Rook against AAB", "单车对单缺象"),
        ("R-AABB", "win", "Rook against all guards", "单车对士象全"),
        ("R-AABB", "draw", "Hold all guards against a rook", "士象全守单车"),
        ("CA-AA", "win", "Cannon and advisor against two advisors", "炮单士对双士"),
        ("CA-AAB", "draw", "Hold against cannon and advisor", "单缺象守炮单士"),
        ("P-", "win", "Pawn against the bare king", "单兵对光将"),
        ("N-AA", "draw", "Hold two advisors against a knight", "双士守单马"),
        ("PP-AA", "win", "Two pawns against two advisors", "双兵对双士"),
        ("NP-AAB", "win", "Knight and pawn against AAB", "马兵对单缺象"),
        ("NP-AABB", "win", "Knight and pawn against all guards", "马兵对士象全"),
        ("NP-AABB", "draw", "Hold all guards against knight and pawn", "士象全守马兵"),
        ("CP-AABB", "win", "Cannon and pawn against all guards", "炮兵对士象全"),
        ("CC-AABB", "win", "Two cannons against all guards", "双炮对士象全"),
        ("NN-AABB", "win", "Two knights against all guards", "双马对士象全"),
        ("R-NAABB", "win", "Rook against knight and all guards", "单车对马士象全"),
    )
)


def known_data(board: Board) -> Data | None:
    """What the tables say of a position: winner, plies, the moves that keep the result; None without."""
    if not is_near_tables(board):
        return None
    tables = open_tables()
    try:
        result = tables.probe_wdl(board)
        data: Data = {
            "winner": COLOR_NAMES[board.turn if result > 0 else not board.turn] if result else None,
            "plies": abs(tables.probe_dtm(board)),
            "certain": draws_are_certain(table_name(board)),
            "keep": [],
        }
        moves = tables.probe_moves(board)
        kept = [move for move, found, _ in moves if found == result]
        if result >= 0 and len(kept) < len(moves):
            data["keep"] = [move_data(board, move) for move in kept]
    except (MissingTableError, TableError, OSError):
        return None
    return data


def ending_list() -> list[Data]:
    """Each ending with its number, names, table, and whether the table is there."""
    there = set(open_tables().names())
    return [
        {"number": number, "table": table, "kind": kind, "names": names, "there": table in there}
        for number, (table, kind, names) in enumerate(ENDINGS)
    ]


def open_ending(store: Store, number: object) -> Document:
    """A document with a random position of an ending; RequestError without it or its table."""
    if type(number) is not int or not 0 <= number < len(ENDINGS):
        raise RequestError("no-puzzle", f"there are endings 0 to {len(ENDINGS) - 1}")
    table, kind, names = ENDINGS[number]
    tables = open_tables()
    if table not in tables.names():
        raise RequestError("no-table", table)
    fen, posted = random_position(tables, table, kind, random.Random())
    document = Document(store, Game(fen, headers={"Title": names[1]}))
    document.puzzle = {
        "ending": number,
        "names": names,
        "moves": None,
        "kind": kind,
        "verdict": verdict_texts(verdict(tables, table, JUDGED), posted),
        "side": "red",
        "state": "open",
        "tries": 0,
    }
    return document


def random_position(tables: Tables, name: str, kind: str, chance: random.Random) -> tuple[str, bool]:
    """A position in which Red, to move, wins but not soon, or defends and can still lose.

    Its FEN, and whether the defender's king and guards stand on normal posts.
    """
    side = RED if kind == "win" else BLACK
    shortest = min(9, tables.file(name).facts["red"]["longest"] // 2)
    for number in range(11 * TRIES):
        posted = number < TRIES
        board = position(name, chance, side) if posted else _placed(EndgameTable(name), chance, side)
        if board is None:
            continue
        if kind == "win":
            if shortest <= tables.probe_dtm(board) <= LONGEST:
                return board.fen(), posted
        elif tables.probe_wdl(board) == 0:
            results = [result for _, result, _ in tables.probe_moves(board)]
            if 0 < results.count(0) < len(results):
                return board.mirror().fen(), posted
    raise RequestError("no-table", f"no position of {name}")


def _placed(table: EndgameTable, chance: random.Random, side: Color) -> Board | None:
    """A position of the table, of all that there are; None if the entry is none that can be played."""
    try:
        board = Board(table.fen(int(side == BLACK), chance.randrange(table.entries)))
    except ValueError:
        return None
    return None if board.status() else board


def verdict_texts(found: Verdict, posted: bool) -> tuple[str, str, str]:
    """How the ending stands for the attacker from normal posts, and whether this position is one of these."""
    won, drawn = (f"{100 * share:.0f} %" for share in (found.won, found.drawn))
    english = f"From normal posts the attacker, to move, wins {won} and draws {drawn}."
    chinese = f"守方将士象在正常位置、攻方先走时：胜 {won}，和 {drawn}。"
    if not posted:
        english += " Here they stand elsewhere."
        chinese += "本题子力散布他处。"
    return english, chinese, traditional(chinese)


def attempt(document: Document, node_id: int, text: str) -> Data:
    """Try a move: {"right": bool, "node": where the board stands then}."""
    state = document.puzzle
    assert state is not None
    tables = open_tables()
    node = document.node(node_id)
    board = node.board()
    move = parse_move(board, text)
    wanted = 1 if state["kind"] == "win" else 0
    board.push(move)
    if -tables.probe_wdl(board) != wanted:
        document.set_puzzle(tries=state["tries"] + 1)
        return {"right": False, "node": node_id}
    played = document.add(node, move)
    reply = choose_reply(tables, board)
    if reply is not None:
        board.push(reply)
        played = document.add(played, reply)
    if reply is None or not board.legal_moves or (wanted == 0 and played.ply >= 2 * HOLD):
        state["state"] = "solved"
    document.at = document.node_id(played)
    document.set_puzzle()
    return {"right": True, "node": document.at}


def choose_reply(tables: Tables, board: Board) -> Move | None:
    """The longest defence; in a drawn ending the move after which most replies lose."""
    moves = tables.probe_moves(board)
    if not moves:
        return None
    best = moves[0][1]
    if best != 0:
        return moves[0][0]
    hardest: tuple[float, Move] | None = None
    for move, result, _ in moves:
        if result != 0:
            continue
        board.push(move)
        replies = [found for _, found, _ in tables.probe_moves(board)]
        board.pop()
        share = replies.count(-1) / max(1, len(replies)) + random.random() / 1000
        if hardest is None or share > hardest[0]:
            hardest = (share, move)
    return hardest[1] if hardest else moves[0][0]


def hint(document: Document) -> Data:
    """The square of the piece that moves in best play."""
    board = document.node(document.at).board()
    moves = open_tables().probe_moves(board)
    return {"square": square_name(moves[0][0].from_square) if moves else None}


def solution(document: Document) -> int:
    """Write best play from the current position into the tree; return the node of its first move."""
    tables, node = open_tables(), document.node(document.at)
    line = tables.line(node.board()) or [move for move, _, _ in tables.probe_moves(node.board())[:1]]
    return document.show_solution(node, line)
