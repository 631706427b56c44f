"""Ten programs as they are written for python-chess, and how many of their lines run here unchanged.

The moves in them are those of xiangqi. The three renames of the guide are made by `renamed`: the side that
begins is RED, `san` is WXF, and the modules have other names. A line that does not run raises an error that
names what to use, or says what is wrong.
"""

# ruff: noqa: E501

import ast
import asyncio
import importlib
import inspect
import io
import random
import re
import subprocess
import sys

import pytest

from eleengine import book

#: By what they are; the games are xiangqi, all else is as for python-chess.
PROGRAMS = {}

PROGRAMS["a bot that plays on a server"] = """
import chess, chess.engine, chess.polyglot
engine = chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=60)
engine.configure({name: 16 for name, option in engine.options.items() if name == "hash" and not option.is_managed()})
board = chess.Board()
for move in "h2e2 h9g7".split(): board.push_uci(move)
time_limit = chess.engine.Limit(white_clock=60, black_clock=60, white_inc=0.1, black_inc=0.1, clock_id="real time")
time_limit.depth = 3
time_limit.nodes = None
result = engine.play(board, time_limit, info=chess.engine.INFO_ALL, ponder=False, root_moves=list(board.legal_moves))
result.draw_offered = abs(result.info["score"].white().score(mate_score=10000)) < 5
result.resigned = result.info["score"].relative < chess.engine.Cp(-2000)
board.push(result.move)
board.is_fivefold_repetition() or board.is_game_over()
board.can_claim_threefold_repetition()
board.is_fifty_moves()
engine.send_game_result(board)
engine.send_opponent_information(opponent=None)
engine.quit()
"""

PROGRAMS["a board in a web page"] = """
import chess, chess.svg
board = chess.Board()
board.push_san("C2.5")
legal = [board.san(move) for move in board.legal_moves]
picture = chess.svg.board(board, lastmove=board.peek(), size=350, check=board.king(board.turn) if board.is_check() else None)
chess.svg.board(board, orientation=chess.BLACK, arrows=[chess.svg.Arrow(chess.square(7, 2), chess.square(4, 2), color="red")])
chess.svg.board(board, colors={"square light": "#ffce9e", "square dark": "#d18b47"})
chess.svg.board(board, squares=board.attacks(chess.square(4, 2)), fill={chess.square(4, 2): "#cc0000"}, flipped=True)
state = {"fen": board.fen(), "turn": "white" if board.turn == chess.WHITE else "black", "over": board.is_game_over()}
move = board.parse_san("H8+7")
board.push(move) if move in board.legal_moves else None
print(board.unicode())
history = [str(move) for move in board.move_stack]
board.variation_san([chess.Move.from_uci("h0g2")])
board.pop()
"""

PROGRAMS["a finder of tactics"] = """
import chess, chess.engine, chess.pgn
engine = chess.engine.SimpleEngine.popen_uci(COMMAND)
game = chess.pgn.read_game(FILE)
node = game
previous = chess.engine.PovScore(chess.engine.Cp(0), chess.WHITE)
while not node.is_end(): node = node.next()
info = engine.analyse(node.board(), chess.engine.Limit(depth=3), info=chess.engine.INFO_SCORE | chess.engine.INFO_PV)
swing = abs(info["score"].white().score(mate_score=1000) - previous.white().score(mate_score=1000))
info["score"].is_mate() or info["score"].white().mate()
lines = engine.analyse(node.board(), chess.engine.Limit(depth=3), multipv=2)
only_move = lines[0]["score"].relative.score(mate_score=1000) - lines[1]["score"].relative.score(mate_score=1000) > 200
puzzle = chess.pgn.Game.from_board(node.board())
puzzle.headers["FEN"] = node.board().fen()
puzzle.end().add_line(info["pv"][:2])
puzzle.setup(game.board())
chess.popcount(board_mask) if (board_mask := node.board().occupied_co[chess.WHITE]) else 0
node.board().is_pinned(chess.WHITE, chess.square(4, 0))
engine.close()
"""

PROGRAMS["a table of games"] = """
import chess, chess.pgn
headers = chess.pgn.read_headers(FILE)
event, date = headers["Event"], headers["Date"]
FILE.seek(0)
rows = []
while (game := chess.pgn.read_game(FILE)) is not None: rows.append((game.headers["White"], game.headers["Result"], list(game.mainline_moves())))
FILE.seek(0)
game = chess.pgn.read_game(FILE)
broken = [error for error in game.errors]
first = [node.san() for node in game.mainline()]
names = [node.uci() for node in game.mainline()]
length = game.end().ply()
sides = [node.turn() for node in game.mainline()]
backwards = [move for move in reversed(game.mainline_moves())]
clocks = [node.clock() for node in game.mainline()]
empty = not game.end().mainline_moves()
FILE.seek(0)
chess.pgn.skip_game(FILE)
chess.pgn.read_headers(FILE)
"""

PROGRAMS["a table of positions"] = """
import chess, chess.pgn
game = chess.pgn.read_game(FILE)
board = game.board()
rows = []
for move in game.mainline_moves(): rows.append((board.fen(), board.san(move), board.lan(move))); board.push(move)
material = {color: sum(len(board.pieces(kind, color)) for kind in chess.PIECE_TYPES) for color in chess.COLORS}
active = [len(board.attackers(chess.WHITE, square)) for square in chess.SQUARES]
masks = [board.kings, board.rooks, board.knights, board.pawns]
key = board._transposition_key()
mirrored = board.transform(chess.flip_vertical)
score = [node.eval() for node in game.mainline()]
"""

PROGRAMS["games against itself, with a book"] = """
import random, chess, chess.polyglot
board = chess.Board()
reader = chess.polyglot.open_reader(BOOK)
entry = reader.find(board)
board.push(entry.move)
reader.choice(board, minimum_weight=1, random=random.Random(1)).move
reader.weighted_choice(board).move
reader.get(board, minimum_weight=1)
heaviest = next(reader.find_all(board))
moves = {entry.move: entry.weight for entry in reader.find_all(board, minimum_weight=2)}
learned = [entry.learn for entry in reader.find_all(board)]
chess.polyglot.zobrist_hash(board)
reader.close()
board.reset_board()
game = chess.Board()
while not game.is_game_over() and len(game.move_stack) < 4: game.push(random.choice(list(game.legal_moves)))
"""

PROGRAMS["an analyser with a cache"] = """
import chess, chess.engine
transport, engine = await chess.engine.popen_uci(COMMAND)
board = chess.Board()
cache = {}
cache[board.fen()] = await engine.analyse(board, chess.engine.Limit(time=0.05), game="a")
best = cache[board.fen()]["pv"][0]
with await engine.analysis(board, chess.engine.Limit(depth=3)) as analysis: infos = [info async for info in analysis if info.get("depth", 0)]
deepest = max(info["depth"] for info in infos)
final = await analysis.wait()
result = await engine.play(board, chess.engine.Limit(time=0.05), info=None)
expectation = cache[board.fen()]["score"].white().wdl().expectation()
engine.id["name"]
transport.get_pid()
await engine.quit()
"""

PROGRAMS["a bot of a chat"] = """
import chess
board = chess.Board()
try: board.push_san("R1.9")
except ValueError as error: answer = str(error)
try: board.push_uci("a0a5")
except chess.IllegalMoveError as error: answer = str(error)
text = "\\n".join(str(board).split("\\n")[::-1])
board.push_san("C2.5")
said = board.san_and_push(board.parse_san("h9g7"))
board.turn == chess.WHITE and board.fullmove_number == 2
board.piece_at(chess.parse_square("e2")).symbol()
chess.piece_name(board.piece_type_at(chess.parse_square("e2")))
board.outcome() is None or board.outcome().result()
board.push(chess.Move.from_uci("a0a5"))
"""

PROGRAMS["a queue of games that are annotated"] = """
import chess, chess.pgn, chess.engine
game = chess.pgn.read_game(FILE)
seen = {game: 1}
node = game.variation(0)
side = game.add_variation(chess.Move.from_uci("b2e2"), comment="the other side", starting_comment="or", nags={chess.pgn.NAG_GOOD_MOVE})
side.nags.add(chess.pgn.NAG_SPECULATIVE_MOVE)
game.has_variation(side.move) and side in game.variations
main = node.add_main_variation(chess.Move.from_uci("i9h9"))
main.set_eval(chess.engine.PovScore(chess.engine.Cp(20), chess.WHITE), 12)
main.set_clock(60.5)
main.set_arrows([chess.svg.Arrow(0, 9)])
main.eval_depth() == 12 and main.is_main_variation()
node.remove_variation(main)
side.root() is game
side.parent.promote_to_main(side)
game.accept(chess.pgn.StringExporter(headers=True, variations=True, comments=True))
bare = chess.pgn.Game.without_tag_roster()
print(game, file=OUT, end="\\n\\n")
"""

PROGRAMS["a count of lost centipawns"] = """
import subprocess, chess, chess.engine, chess.pgn
engine = chess.engine.SimpleEngine.popen_uci(COMMAND, stderr=subprocess.DEVNULL)
game = chess.pgn.read_game(FILE)
losses = {chess.WHITE: [], chess.BLACK: []}
limit = chess.engine.Limit(depth=2)
board = game.board()
before = engine.analyse(board, limit)["score"].white().score(mate_score=1000)
for node in game.mainline(): board.push(node.move); after = engine.analyse(board, limit)["score"].white().score(mate_score=1000); losses[not board.turn].append(before - after); before = after
average = {color: sum(values) / len(values) for color, values in losses.items()}
winning = chess.engine.Cp(300).wdl().winning_chance()
chess.engine.MateGiven > chess.engine.Mate(3) > chess.engine.Cp(900)
with engine.analysis(board, limit) as analysis: last = [info for info in analysis][-1]
engine.quit()
"""

#: Lines that raise an error here, by what is in them: what the error says.
REFUSED = {
    "can_claim_threefold_repetition()": "use repetition()",
    "is_fifty_moves()": "use no_capture_plies",
    "send_opponent_information": "engines do not learn of it",
    "square light": "unknown color",
    "game.end().ply()": "not callable",
    "node.turn()": "not callable",
    "node.clock()": "not callable",
    "node.eval()": "not callable",
    "flip_vertical": "use square_mirror",
    "next(reader.find_all": "not an iterator",
    "entry.learn": "use games and points",
    "push(chess.Move.from_uci('a0a5'))": "illegal move a0a5",
    "game.accept(": "use walk()",
}

GAMES = """[Red "a"]
[Black "b"]
[Result "1-0"]

1. C2.5 {[%eval 0.3] [%clk 0:01:00]} H8+7 {[%clk 0:00:59]} 2. H2+3 1-0

[Red "c"]
[Result "0-1"]

1. h2e2 h9g7 0-1
"""


def renamed(program):
    """The program with the renames of the guide: imports, the side that begins, headers that name it."""
    homes = {"engine": "engines", "pgn": "records", "polyglot": "book", "svg": "svg"}
    program = re.sub(
        r"chess\.(engine|pgn|polyglot|svg)\b", lambda found: f"eleengine.{homes[found[1]]}", program
    )
    program = re.sub(r"\bchess\b(?!-)", "eleengine", program)
    return program.replace("WHITE", "RED").replace("white_", "red_").replace('"White"', '"Red"')


def names_of_python_chess():
    """What modules, classes and instances of python-chess have."""
    chess = pytest.importorskip("chess")
    found = {"engine", "pgn", "polyglot", "svg"}
    for name in ("chess", "chess.engine", "chess.pgn", "chess.polyglot", "chess.svg"):
        module = importlib.import_module(name)
        for thing in [module, *(value for value in vars(module).values() if inspect.isclass(value))]:
            found |= {*dir(thing), *inspect.get_annotations(thing)}
    return found | {*vars(chess.Board()), *vars(chess.engine.Limit()), *vars(chess.pgn.Game())}


def test_the_programs_are_written_with_names_of_python_chess():
    """Of attributes, those that Python's own things have are left out."""
    known = names_of_python_chess() | {
        *dir(str),
        *dir(list),
        *dir(dict),
        *dir(io.StringIO),
        *dir(random),
        *dir(subprocess),
    }
    used = {
        node.attr
        for text in PROGRAMS.values()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute)
    }
    assert used - known == set()


@pytest.mark.system
def test_ten_programs_run_but_for_a_few_lines(capsys):
    """Each statement is run by itself, so that all that fail are found."""
    failed, lines = {}, 0
    with asyncio.Runner() as runner:
        for text in PROGRAMS.values():
            space = {
                "COMMAND": [sys.executable, "-m", "eleengine"], "BOOK": book.SHIPPED, "FILE": io.StringIO(GAMES),
                "OUT": io.StringIO(),
            }  # fmt: skip
            for line, node in zip(original(text), ast.parse(renamed(text)).body, strict=True):
                lines += not isinstance(node, ast.Import)
                code = compile(ast.Module([node], []), line, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
                try:
                    result = eval(code, space)
                    if inspect.iscoroutine(result):
                        runner.run(result)
                except Exception as error:
                    failed[line] = f"{error}"
    unexpected = {
        line: said
        for line, said in failed.items()
        if not any(part in line and why in said for part, why in REFUSED.items())
    }
    assert unexpected == {}
    assert (len(failed), len(REFUSED), lines) == (13, 13, 144)


def original(text):
    return [ast.unparse(node) for node in ast.parse(text).body]
