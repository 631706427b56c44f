"""What the tests of the core share: data, random positions, and a board seen from outside."""

import codecs
import io
import json
import os
import random
import shutil
import subprocess
import sys
import time
from contextlib import chdir
from pathlib import Path

import pytest
from hypothesis import settings

import eleengine
from eleengine import STARTING_FEN, Board, Move, Piece
from eleengine.__main__ import main
from eleengine._core import Context, Searcher

START = STARTING_FEN
CHECKOUT = Path(__file__).resolve().parent.parent
POSITIONS = CHECKOUT / "positions"
RED, BLACK = True, False
KING, ADVISOR, BISHOP, KNIGHT, ROOK, CANNON, PAWN = range(1, 8)
COLORS = (RED, BLACK)
PIECE_TYPES = range(KING, PAWN + 1)
LETTERS = "KABNRCPkabnrcp"

CHROMIUM = shutil.which("chromium")
CHROMIUM_FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None or "asan" in os.environ.get("LD_PRELOAD", ""),
    reason="needs chromium (Debian: apt install chromium), which does not run with asan",
)

MIDDLEGAMES = (
    "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 w",
    "2bak4/4a4/4c4/8p/4N4/p1r3P2/P1P1P3P/2C1C4/4A4/1RBAK1B2 w",
    "r1b1kab1r/4a4/6nc1/p3p1p1p/1cR2n3/9/P5P1P/1CN1B2CN/4A4/R3KAB2 b",
)


def _why_missing():
    try:
        os.stat(CHECKOUT / "no such file")
    except OSError as error:
        return error.strerror


MISSING_FILE = _why_missing()  # in the words of the system


def classical(**options):
    """A Searcher with the classical evaluation, for tests whose numbers rest on it."""
    return Searcher(context=Context(network=None), **options)


def scaled(quick):
    """How often to try something: `quick` times; 20 times that with the profile deep, a fifth with few."""
    return max(1, quick * settings.default.max_examples // 50)


#: Parameters of a search in which nothing is pruned, reduced, extended, learned or taken from the
#: transposition table: its scores are properties of the position and the depth.
FULL_WIDTH = {
    "table_cut_depth": 100, "draw_noise": 0, "correction_step": 0, "fail_high_reduction": 0,
    "quiescence_margin": 30000, "quiescence_checks": 0, "quiescence_evasions": 128,
    "rfp_max_depth": 0, "null_min_depth": 100, "probcut_min_depth": 100, "iir_min_depth": 100,
    "singular_min_depth": 100, "late_max_depth": 0, "quiet_max_depth": -1, "exchange_max_depth": 0,
    "lmr_min_depth": 100, "checkmate_early": 0, "checkmate_parts": 1_000_000_000,
    "proof_parts": 1_000_000_000,
}  # fmt: skip


def full_width(network=..., **options):
    """A Searcher to compare others with: see FULL_WIDTH. network: as of Context."""
    return Searcher(context=Context(network=network, parameters=FULL_WIDTH), **options)


def examples(quick, **more):
    """Settings of hypothesis with `quick` examples in the usual profile."""
    return settings(max_examples=scaled(quick), **more)


# Random play in several tempers: how much more often a move that ... is chosen.
STYLES = {
    "uniform": {},
    "checking": {"check": 30},
    "capturing": {"capture": 6},
    "quiet": {"quiet": 20},
    "cannons": {"cannon": 30},
    "evasive": {"check": 12, "quiet": 4},
}


PIPES = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
COMMAND = [sys.executable, "-m", "eleengine"]
FAIRY = shutil.which("fairy-stockfish") or shutil.which("fairy-stockfish", path="/usr/games")
# A program that greets as engines do and does nothing else; what it does with a word is written behind it.
DEAF = """
import select, sys, time
for line in sys.stdin:
    word = line.split()[0]
    if word in ("uci", "ucci"): print(word + "ok", flush=True)
    if word == "isready": print("readyok", flush=True)
"""
# The package under test, also from another folder than this one.
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(eleengine.__file__).resolve().parent.parent)}


def call(*args, text="", encoding="utf-8", cwd=None):
    """`eleengine args` in this process, without the time that a program takes to start; what it wrote, and
    its exit status. encoding: of its output.
    """
    before = sys.stdin, sys.stdout, sys.stderr
    name = codecs.lookup(encoding).name
    # Lines end as those of a program that is read as text, also on Windows.
    given, *written = (
        io.TextIOWrapper(io.BytesIO(data), name, newline="\n") for data in (text.encode(name), b"", b"")
    )
    with chdir(cwd or "."):
        sys.stdin, (sys.stdout, sys.stderr) = given, written
        try:
            status = main([str(arg) for arg in args])
        except SystemExit as ended:  # argparse
            status = ended.code
        finally:
            sys.stdin, sys.stdout, sys.stderr = before
    for stream in written:
        stream.flush()
    out, err = (stream.buffer.getvalue().decode(name) for stream in written)
    return subprocess.CompletedProcess(args, status, out, err)


def output(*args, **options):
    """The lines of a call that must go well."""
    result = call(*args, **options)
    assert (result.returncode, result.stderr) == (0, ""), result
    return result.stdout.splitlines()


def fails(*args, **options):
    """The message of a call that must end with status 2, without a traceback or any result."""
    result = call(*args, **options)
    assert (result.returncode, result.stdout) == (2, ""), result
    return result.stderr


def run_command(*args, cwd=None):
    """`eleengine args` as a program; it must not end with a traceback."""
    result = subprocess.run(
        [*COMMAND, *map(str, args)], capture_output=True, text=True, timeout=240, cwd=cwd, env=ENVIRONMENT
    )
    assert "Traceback" not in result.stderr, result.stderr
    return result


def run_program(*command, env=(), **options):
    """A program that ends by itself: what it wrote, and its exit status. env: more variables."""
    usual = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "timeout": 240}
    return subprocess.run(list(map(str, command)), env=os.environ | dict(env), **usual | options)


def terminal(*args, then=(), cwd=None):
    """(exit status, what is written) of `eleengine args` as a program whose streams are all a terminal.

    Its environment is that of this moment, with what a test has set.
    then: (text to wait for, text to type or a signal to send) one after the other.
    """
    import pty
    import select

    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, *map(str, args)], stdin=theirs, stdout=theirs, stderr=theirs, cwd=cwd,
        env={**os.environ, "PYTHONPATH": ENVIRONMENT["PYTHONPATH"],
             "PYTHONIOENCODING": "utf-8", "TERM": "xterm", "COLUMNS": "200"},
    ) as process:  # fmt: skip
        os.close(theirs)
        then = list(then)
        written, seen = b"", 0
        try:
            while True:
                if not select.select([ours], [], [], 120)[0]:
                    process.kill()  # it waits for something that was not typed
                if not (part := os.read(ours, 65536)):
                    break
                written += part
                if then and then[0][0].encode() in written[seen:]:
                    seen = len(written)
                    time.sleep(0.3)
                    action = then.pop(0)[1]
                    if isinstance(action, str):
                        os.write(ours, action.encode())
                    else:
                        process.send_signal(action)
        except OSError:  # how Linux says that the other end is closed
            pass
    os.close(ours)
    return process.returncode, written.decode()


def run_python(text, *args, **options):
    """What a new process of Python does with a program text."""
    return run_program(sys.executable, "-c", text, *args, **options)


def raises(error, text, call, /, *args, **options):
    """What is called must raise such an error, with such a text: a regular expression, empty for any."""
    with pytest.raises(error, match=text or None):
        call(*args, **options)


def wait_until(claim, *args, seconds=120):
    """Wait until something holds."""
    deadline = time.monotonic() + seconds
    while not claim(*args):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def perft_cases():
    with open(POSITIONS / "perft.jsonl", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def square(name):
    return 9 * int(name[1]) + "abcdefghi".index(name[0])


def square_name(s):
    return "abcdefghi"[s % 9] + str(s // 9)


def squares_of(mask):
    return [s for s in range(mask.bit_length()) if mask >> s & 1]


def home(kind, color):
    """Squares where a piece may ever stand, from the rules' own words."""
    places = {
        KING: "d0 e0 f0 d1 e1 f1 d2 e2 f2",
        ADVISOR: "d0 f0 e1 d2 f2",
        BISHOP: "c0 g0 a2 e2 i2 c4 g4",
        PAWN: " ".join(f"{f}{r}" for r in range(3, 10) for f in ("acegi" if r < 5 else "abcdefghi")),
    }
    named = [square(name) for name in places[kind].split()] if kind in places else list(range(90))
    return named if color == RED else [flip_square(s) for s in named]


def mirror_square(s):
    return 9 * (s // 9) + 8 - s % 9


def flip_square(s):
    return 9 * (9 - s // 9) + s % 9


def mirror(fen):
    """The position seen in a mirror: file a becomes file i."""
    board, rest = fen.split(" ", 1)
    return "/".join(row[::-1] for row in board.split("/")) + " " + rest


def flip(fen):
    """The position with colours exchanged: rank 0 becomes rank 9."""
    board, side, rest = fen.split(" ", 2)
    return "/".join(reversed(board.split("/"))).swapcase() + f" {'b' if side == 'w' else 'w'} {rest}"


def make_fen(pieces, turn):
    """FEN of {square: letter}."""
    rows = []
    for rank in range(9, -1, -1):
        row = "".join(pieces.get(9 * rank + file, ".") for file in range(9))
        for run in range(9, 0, -1):
            row = row.replace("." * run, str(run))
        rows.append(row)
    return "/".join(rows) + f" {'w' if turn == RED else 'b'} - - 0 1"


def weight(board, move, style):
    found = 1
    if "check" in style and board.gives_check(move):
        found += style["check"]
    if board.is_capture(move):
        found += style.get("capture", 0)
    else:
        found += style.get("quiet", 0)
    if "cannon" in style and board.piece_type_at(move.from_square) == CANNON:
        enemy = board.king(not board.turn)
        if move.to_square % 9 == enemy % 9 or move.to_square // 9 == enemy // 9:
            found += style["cannon"]
    return found


def play(board, rng, plies, style):
    """Play random legal moves, yielding the board before each and at the end."""
    for _ in range(plies):
        yield board
        moves = list(board.legal_moves)
        if not moves:
            return
        if style:
            [move] = rng.choices(moves, [weight(board, move, style) for move in moves])
        else:
            move = rng.choice(moves)
        board.push(move)
    yield board


def random_endgame(rng, n_pieces):
    """A valid position of about that many pieces, kings included."""
    while True:
        pieces = {}
        for color in COLORS:
            pieces[rng.choice(home(KING, color))] = "K" if color == RED else "k"
        for letter in rng.choices("AaBbNNnnRRrrCCccPPpp", k=n_pieces - 2):
            place = rng.choice(home(LETTERS.index(letter) % 7 + 1, letter.isupper()))
            pieces.setdefault(place, letter)
        board = Board(make_fen(pieces, rng.choice(COLORS)), validate=False)
        if board.is_valid():  # not too many of a kind, nor the wrong side in check
            return board


def random_siege(rng):
    """A valid position with cannons, rooks and knights around the kings and screens on their lines."""
    while True:
        kings = {color: rng.choice(home(KING, color)) for color in COLORS}
        pieces = {}
        for color in COLORS:
            king = kings[not color]
            lines = [s for s in range(90) if (s % 9 == king % 9) != (s // 9 == king // 9)]
            near = [s for s in range(90) if abs(s % 9 - king % 9) <= 2 and abs(s // 9 - king // 9) <= 2]
            letters = "".join(rng.sample("CCRNNPPAB", rng.randint(2, 6)))
            for letter in letters if color == RED else letters.lower():
                kind = LETTERS.index(letter) % 7 + 1
                places = set(near if kind in (KNIGHT, PAWN) else lines).intersection(home(kind, color))
                place = rng.choice(sorted(places) or home(kind, color))
                pieces[place] = letter
        pieces.update({kings[color]: "K" if color == RED else "k" for color in COLORS})
        board = Board(make_fen(pieces, rng.choice(COLORS)), validate=False)
        if board.is_valid():
            return board


def random_composed(rng):
    """A playable position of any pieces on any squares, such as no game leads to."""
    while True:
        pieces = {}
        for color in COLORS:
            letters = rng.choices(rng.choice(["AABBNRCPP", "RRNC", "PPPAB", "RC"]), k=rng.randint(0, 15))
            for letter in letters if color == RED else map(str.lower, letters):
                pieces.setdefault(rng.randrange(90), letter)
        for color in COLORS:
            pieces[rng.choice(home(KING, color))] = "K" if color == RED else "k"
        board = Board(make_fen(pieces, rng.choice(COLORS)), validate=False)
        if board.is_playable():
            return board


def random_positions(seed, count, kind):
    """Yield count boards (each valid until the next) of a kind: a style of play, or one of OTHER_KINDS."""
    rng = random.Random(seed)
    while count > 0:
        if kind in STYLES:
            boards = play(Board(), rng, 150, STYLES[kind])
        elif kind == "endgames":
            boards = play(random_endgame(rng, rng.randint(3, 12)), rng, 12, STYLES[rng.choice(list(STYLES))])
        elif kind == "sieges":
            boards = play(random_siege(rng), rng, 5, STYLES[rng.choice(list(STYLES))])
        else:
            boards = play(random_composed(rng), rng, 8, STYLES[rng.choice(list(STYLES))])
        for board in boards:
            yield board
            count -= 1
            if count == 0:
                return


OTHER_KINDS = ("endgames", "sieges", "composed")
KINDS = [*STYLES, *OTHER_KINDS]


def sample(count, seed=1):
    """FENs of about count positions, of all kinds alike."""
    return [board.fen() for kind in KINDS for board in random_positions(seed, count // len(KINDS), kind)]


def position_of(board):
    """Everything that can be asked about the position itself."""
    return {
        "fen": board.fen(),
        "key": board.key,
        "turn": board.turn,
        "mailbox": [str(board.piece_at(s) or ".") for s in range(90)],
        "pieces": [board.pieces_mask(kind, color) for kind in PIECE_TYPES for color in COLORS],
        "occupied": [board.occupied_mask(color) for color in (None, RED, BLACK)],
        "attacks": [board.attacks_mask(s) for s in range(90)],
        "kings": [board.king(color) for color in COLORS],
        "checkers": board.checkers_mask(),
        "blockers": board.blockers_mask(),
        "check": board.is_check(),
        "clock": board.halfmove_clock,
        "number": board.fullmove_number,
    }


def state_of(board):
    """The position, its legal moves, and the moves that led to it."""
    found = position_of(board)
    found.update(
        legal=[str(move) for move in board.legal_moves],
        ply=board.ply,
        stack=[str(move) for move in board.move_stack],
    )
    return found


ALL_MOVES = [Move(src, dst) for src in range(90) for dst in range(90)]
ALL_PIECES = [Piece.from_symbol(letter) for letter in LETTERS]


class Wrapped:
    """An object that looks like another, some of whose methods are exchanged."""

    def __init__(self, other):
        self._other = other

    def __getattr__(self, name):
        return getattr(self._other, name)
