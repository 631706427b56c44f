"""Programs of the kinds that people write with python-chess, typed as they would type them.

Of the ten kinds two more run elsewhere: a maker of puzzles (test_examples.py) and an environment of
PettingZoo (test_ml.py).
"""

import asyncio
import multiprocessing
import sys
import threading
import urllib.request
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import pytest

import eleengine
from eleengine import BLACK, RED, Board, Engine, IllegalMoveError, Limit, Move, book, engines, records, svg
from eleengine.engines import AsyncEngine, ExternalEngine
from eleengine.score import Cp, PovScore

MATE = "3k5/R8/8R/9/9/9/9/9/9/5K3 w"
GAMES = """[Event "a"]
[Red "x"]
[Result "1-0"]

1. C2.5 {[%eval 0.3]} H8+7 {[%eval 0.2]} (1... C8.5 {[%eval 0.4]} 2. H2+3) 2. H2+3 {[%eval -1.5]} 1-0

[Event "b"]
[Red "y"]
[Result "0-1"]

1. h2e2 h9g7 {[%eval 2.1]} 2. h0g2 i9h9 0-1
"""


# 1 A search of one's own


VALUES = {"k": 0, "a": 2, "b": 2, "n": 4, "r": 9, "c": 4.5, "p": 1}


def value(board):
    """Material and mobility for the side to move."""
    total = sum(
        VALUES[piece.symbol().lower()] * (1 if piece.color == board.turn else -1)
        for piece in board.piece_map().values()
    )
    own = board.legal_moves.count()
    board.push(Move.null())
    total += 0.01 * (own - board.legal_moves.count())
    board.pop()
    return total


def negamax(board, depth, alpha, beta):
    """The score for the side to move, and the line that leads to it."""
    if board.is_game_over():
        return (-1000 + board.ply if board.is_checkmate() or board.is_stalemate() else 0), []
    if depth == 0:
        return value(board), []
    line = []
    for move in sorted(board.legal_moves, key=board.is_capture, reverse=True):
        board.push(move)
        score, rest = negamax(board, depth - 1, -beta, -alpha)
        board.pop()
        if -score > alpha:
            alpha, line = -score, [move, *rest]
        if alpha >= beta:
            break
    return alpha, line


def test_a_search_of_ones_own_wins():
    board = Board(MATE)
    score, line = negamax(board, 2, -10_000, 10_000)
    assert score > 900 and board.ply == 0 and board == Board(MATE)
    for move in line:
        board.push(move)
    assert board.outcome().winner == RED and board.result() == "1-0"


# 2 Positions and results for learning, from a file read game by game


def test_a_data_set_is_made_of_an_open_file():
    file, rows = StringIO(GAMES), []
    while (game := records.read_game(file)) is not None:
        result = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}[game.headers["Result"]]
        board = game.board()
        for move in game.mainline_moves():
            board.push(move)
            rows.append(
                (bytes(piece_code(board, square) for square in eleengine.SQUARES), board.turn, result)
            )
    assert [row[1:] for row in rows] == [(BLACK, 1), (RED, 1), (BLACK, 1)] + [(BLACK, -1), (RED, -1)] * 2
    assert rows[0][0] == rows[3][0] and len(rows[0][0]) == 90 and sum(map(bool, rows[0][0])) == 32


def piece_code(board, square):
    piece = board.piece_at(square)
    return 0 if piece is None else piece.piece_type + (0 if piece.color == RED else 8)


# 3 A UCI engine


ENGINE = """
import random, sys
from eleengine import Board
board = Board()
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("id name random\\nid author nobody\\nuciok")
    elif words[0] == "isready":
        print("readyok")
    elif words[0] == "position":
        board = Board() if words[1] == "startpos" else Board(" ".join(words[2:8]))
        for text in words[words.index("moves") + 1 :] if "moves" in words else []:
            board.push_uci(text)
    elif words[0] == "go":
        move = max(board.legal_moves, key=lambda move: (board.is_capture(move), random.random()))
        print(f"info depth 1 score cp {len(board.move_stack)} pv {move.uci()}\\nbestmove {move.uci()}")
    elif words[0] == "quit":
        break
    sys.stdout.flush()
"""


@pytest.mark.system
def test_an_engine_of_ones_own_plays_against_ours(tmp_path):
    program = tmp_path / "engine.py"
    program.write_text(ENGINE)
    board = Board()
    with ExternalEngine.popen_uci([sys.executable, str(program)]) as red, Engine() as black:
        assert red.id["name"] == "random"
        while not board.is_game_over() and len(board.move_stack) < 12:
            engine = red if board.turn == RED else black
            board.push(engine.play(board, Limit(nodes=300)).move)
        opening = Board()
        for text in ("h2e2", "h9g7"):
            opening.push_uci(text)
        info = red.analyse(opening, Limit(depth=1))
    assert info["score"] == PovScore(Cp(2), RED) and info["pv"][0] in opening.legal_moves
    assert records.Game.from_board(board).end().ply == len(board.move_stack) > 3  # ours may have mated


# 4 Pictures of boards over HTTP


class Pictures(BaseHTTPRequestHandler):
    def do_GET(self):
        query = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        try:
            board = Board(query["fen"])
            picture = svg.board(
                board,
                orientation=BLACK if query.get("orientation") == "black" else RED,
                size=int(query.get("size", 360)),
                last_move=board.parse_uci(query["next"]) if "next" in query else None,
                check=board.king(board.turn) if board.is_check() else None,
                arrows=[svg.Arrow.from_pgn(arrow) for arrow in query.get("arrows", "").split(",") if arrow],
            )
        except (KeyError, ValueError) as error:
            self.send_error(400, str(error).splitlines()[0])
            return
        self.send_response(200)
        self.send_header("Content-Type", "image/svg+xml")
        self.end_headers()
        self.wfile.write(picture.encode())

    def log_message(self, *words):
        pass


def test_pictures_are_served():
    with ThreadingHTTPServer(("127.0.0.1", 0), Pictures) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        base = f"http://127.0.0.1:{server.server_port}/board.svg?fen="

        def get(query):
            with urllib.request.urlopen(base + query.replace(" ", "%20"), timeout=60) as answer:
                return answer.read().decode()

        plain = get("3k5/9/9/9/9/9/9/9/3R5/5K3 b")
        rich = get("3k5/9/9/9/9/9/9/9/3R5/5K3 b&next=d9e9&arrows=Gd1d9,Re0&size=200&orientation=black")
        assert ElementTree.fromstring(rich).get("width") == "200" and "last-move" in rich and "check" in plain
        for bad in ("x", "3k5/9/9/9/9/9/9/9/3R5/5K3 b&next=a0a1", "3k5/9/9/9/9/9/9/9/3R5/5K3 b&arrows=Gz"):
            with pytest.raises(urllib.error.HTTPError) as caught:
                get(bad)
            assert caught.value.code == 400
            caught.value.close()
        server.shutdown()


# 5 Won, drawn and lost by the score of the engine


def test_results_are_counted_by_scores():
    counts = Counter()
    for game in records.read_games(StringIO(GAMES)):
        for node in game.mainline():
            if node.eval is not None:
                counts[game.result, node.eval.score.red().score() // 100] += 1
    assert counts == {("1-0", 0): 2, ("1-0", -2): 1, ("0-1", 2): 1}


# 6 The tree of an opening book


def tree(opened, board, depth, lines):
    """Lines of a book with their share of the weights, deepest first visited."""
    entries = opened.find_all(board)
    total = sum(entry.weight for entry in entries)
    for entry in entries:
        text = board.wxf(entry.move)
        board.push(entry.move)
        lines[" ".join(map(str, board.move_stack))] = (text, entry.weight / total)
        if depth > 1:
            tree(opened, board, depth - 1, lines)
        board.pop()


def test_the_tree_of_a_book_is_walked():
    lines = {}
    with book.shipped() as opened:
        tree(opened, Board(), 2, lines)
    first = [share for name, (_, share) in lines.items() if " " not in name]
    assert sum(first) == pytest.approx(1) and max(first) == lines["h2e2"][1] > 0.3
    assert any(name.startswith("h2e2 ") for name in lines) and lines["h2e2"][0] == "C2.5"


# 7 A game annotated with an engine's variations: what python-chess does with visitors, too


def test_a_game_is_annotated_and_written():
    game = records.read_game(StringIO(GAMES))
    with Engine() as engine:
        for node in list(game.mainline()):
            before = node.parent.board()
            info = engine.analyse(before, Limit(nodes=500))
            if info["pv"][0] != node.move:
                node.parent.play_line(info["pv"][:2]).comment = f"{info['score'].red()}"
                node.nags.add(records.NAG_DUBIOUS_MOVE)
    again = records.read_game(str(game))
    assert again.equals(game) and list(again.mainline_moves()) == list(game.mainline_moves())

    # The visitor: lines in WXF, without comments, a bracket where a variation begins and ends.
    words = []
    for node, board in game.walk():
        if node.move is None:
            continue
        after, move = board.copy(), board.peek()
        after.pop()
        words.append(
            "(" * node.starts_variation() + after.wxf(move) + ")" * (node.is_end() and not node.is_mainline())
        )
    variations = sum(node.starts_variation() for node in game.nodes())
    text = " ".join(words)
    assert text.count("(") == variations == text.count(")") >= 1 and text.startswith("C2.5")


# 8 Games sent to workers


def count_captures(game):
    board, found = game.board(), 0
    for move in game.mainline_moves():
        found += board.is_capture(move)
        board.push(move)
    return found, game


@pytest.mark.slow
def test_workers_take_games_and_give_them_back():
    board = Board()
    while len(board.move_stack) < 300 and board.legal_moves:
        moves = sorted(board.legal_moves, key=str)
        board.push(moves[(7 * board.ply) % len(moves)])
    games = [records.Game.from_board(board), *records.read_games(StringIO(GAMES))]
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = list(pool.map(count_captures, games))
    assert all(back.equals(game) for (_, back), game in zip(found, games, strict=True))
    assert found[0][0] == count_captures(games[0])[0]


# 9 A suite of EPD


SUITE = f"""{MATE} - - bm i7i9; id "mate";
{MATE} - - am a8b8 i7i8; id "not another";
"""


def test_a_suite_is_run():
    passed = {}
    with Engine() as engine:
        for line in SUITE.splitlines():
            board, operations = Board.from_epd(line)
            move = engine.play(board, Limit(nodes=5000)).move
            good = move in operations["bm"] if "bm" in operations else move not in operations["am"]
            passed[operations["id"]] = good
    assert passed == {"mate": True, "not another": True}


# 10 A bot of a chat, which answers with a picture


async def answer(engine, board, text):
    """The move of the bot and the picture after it, or what is wrong with the message."""
    try:
        board.push(eleengine.notation.parse(board, text))
    except (IllegalMoveError, ValueError) as error:
        return f"no: {error}", b""
    result = await engine.play(board, Limit(nodes=300))
    said = board.chinese(result.move)
    board.push(result.move)
    return said, board.png(scale=1)


def test_a_bot_of_a_chat_answers_with_pictures():
    pytest.importorskip("resvg_py")

    async def chat():
        board = Board()
        async with AsyncEngine(Engine()) as engine:
            said = [await answer(engine, board, text) for text in ("炮二平五", "a0a9", "what?", "H2+3")]
        return board, said

    board, said = asyncio.run(chat())
    assert [picture[:4] for _, picture in said] == [b"\x89PNG", b"", b"", b"\x89PNG"]
    assert board.ply == 4 and "illegal move" in said[1][0] and "invalid move" in said[2][0]


# Four engines at once, in each way that Python has


def best(_):
    """The move of an engine of this process."""
    with Engine(hash_mib=1) as engine:
        return engine.play(Board(MATE), Limit(nodes=3000)).move


@pytest.mark.system
@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_four_engines_in_processes(method):
    """Also beside one that this process has: after a fork it is no engine, and a new one is."""
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} here")
    with Engine(hash_mib=1) as engine:
        engine.play(Board(), Limit(nodes=100))
        with ProcessPoolExecutor(4, mp_context=multiprocessing.get_context(method)) as pool:
            assert list(pool.map(best, range(4))) == [Move.from_iccs("i7i9")] * 4
        assert engine.play(Board(MATE), Limit(nodes=3000)).move == Move.from_iccs("i7i9")


@pytest.mark.system
def test_four_engines_under_asyncio():
    async def think():
        started = [AsyncEngine(Engine(hash_mib=1)) for _ in range(3)]
        _, engine = await engines.popen_uci([sys.executable, "-m", "eleengine"])
        started.append(engine)
        board = Board(MATE)
        plays = await asyncio.gather(*(engine.play(board, Limit(nodes=3000)) for engine in started))
        analyses = [await engine.analysis(board, Limit(nodes=3000)) for engine in started]
        ends = await asyncio.gather(*(analysis.wait() for analysis in analyses))
        await asyncio.gather(*(engine.quit() for engine in started))
        return [result.move for result in [*plays, *ends]]

    assert asyncio.run(think()) == [Move.from_iccs("i7i9")] * 8
