"""Nothing a GUI sends confuses the engine: item 110 of the conformance checklist, and orders of commands."""

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import examples
from ucci_client import DEAD, M2, MIDDLE, PATIENCE, START, TERMINAL, Engine, board_after, is_legal

from eleengine._core import Move
from eleengine.engines.engine_options import OPTIONS
from eleengine.ucci.go import Go
from eleengine.ucci.options import UcciOptions
from eleengine.ucci.position import parse_move, parse_position
from eleengine.ucci.replies import ProtocolError

LINES = [
    "ucci", "uci", "isready", "position startpos", "position startpos moves h2e2 h9g7", START, M2, MIDDLE,
    DEAD, "banmoves h2e2 b2e2", "banmoves", "go depth 3", "go infinite", "go ponder time 100 increment 0",
    "go nodes 100", "go time 50", "go depth 2 searchmoves h2e2 a0a1", "go movetime 20", "ponderhit",
    "ponderhit draw", "stop", "stop", "stop", "probe startpos", "probe fen x", "setoption hashsize 2",
    "setoption multipv 3", "setoption multipv 1", "setoption newgame", "setoption debug on",
    "setoption randomness small", "setoption name Skill Level value 3", "setoption skilllevel 20",
    "setoption usemillisec true", "d", "eval", "perft 1", "ucinewgame", "startpos", "#",
    "setoption threads 1", "setoption idle small", "setoption moveoverhead 10", "setoption ponder true",
]  # fmt: skip


def mutate(line, choice):
    """The line, or what noise made of it; nothing that ends the process, takes long or much memory."""
    data = bytearray(line.encode())
    for _ in range(choice.choice((0, 0, 1, 1, 2, 5))):
        at = choice.randrange(len(data) + 1)
        what = choice.random()
        if what < 0.3:
            del data[at : at + choice.randrange(1, 8)]
        elif what < 0.6:
            data[at:at] = bytes(choice.randrange(256) for _ in range(choice.randrange(1, 4)))
        elif what < 0.8:
            data[at:at] = choice.choice(LINES).encode()[: choice.randrange(20)]
        elif data:
            data[at % len(data)] = choice.randrange(256)
    line = bytes(data).replace(b"\n", b" ")
    lower = line.lower()
    harmful = (b"quit", b"batch", b"threads", b"hash", b"perft", b"multipv", b"overhead")
    if any(word in lower for word in harmful) and line.decode("latin-1") not in LINES:
        return b"isready"
    return line


def send_noise(engine, seed, count):
    choice = random.Random(seed)
    for n in range(count):
        if choice.random() < 0.1:
            line = bytes(choice.randrange(256) for _ in range(choice.randrange(40))).replace(b"\n", b" ")
        else:
            line = mutate(choice.choice(LINES), choice)
        engine.raw(line + b"\n")
        if n % 20 == 0:
            engine.sync()
            engine.send("stop")


def play_a_game(engine):
    moves = []
    while len(moves) < 6:
        move = engine.best(f"position startpos{' moves ' * bool(moves)}{' '.join(moves)}", "go depth 2")
        assert is_legal(move, *moves)
        moves.append(move)


def settle(engine):
    """End whatever runs, however many searches have been put off."""
    start = engine.mark()
    for n in range(1000):
        # A position is read when all that came before it is done.
        engine.send("stop", f"position startpos moves quiet{n}")
        time.sleep(0.02)
        if any(f" quiet{n} " in text for text in engine.texts(start)):
            return engine.skip()
    pytest.fail("the engine does not come to rest")


@pytest.mark.parametrize("count", [1000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_110_ten_thousand_lines_of_noise(count):
    engine = Engine(hash_mib=1)
    send_noise(engine, 110, count)
    settle(engine)
    engine.send("ucci", "setoption debug false", "setoption skilllevel 20", "setoption usemillisec true")
    engine.sync()
    play_a_game(engine)
    assert not any("error internal" in line for line in engine.texts())
    engine.quit()


@pytest.fixture(scope="module")
def uci():
    engine = Engine("uci", hash_mib=1)
    yield engine
    engine.quit()


SOUND = [line for line in LINES if line not in ("ucci", "uci") and "skill" not in line.lower()]


@given(st.lists(st.sampled_from(SOUND), max_size=25))
@examples(30)
def test_one_answer_for_each_go(uci, lines):
    """In UCI, where an idle stop is silent: as many answers as searches that were not refused."""
    lines = [*lines, "setoption debug off", "setoption multipv 1", "setoption randomness none"]
    start = uci.mark()
    uci.send(*lines)
    wanted = sum(line.startswith("go") for line in lines)
    deadline = time.monotonic() + PATIENCE
    while True:
        uci.send("stop")
        uci.sync()
        texts = uci.texts(start)
        refused = texts.count("info string error busy go refused")
        answers = [text for text in texts if text.startswith(TERMINAL)]
        if len(answers) >= wanted - refused:
            break
        assert time.monotonic() < deadline, texts
        time.sleep(0.01)
    assert len(answers) == wanted - refused
    assert not any("error internal" in text for text in texts)
    # What was put off has been obeyed, too: the engine is idle and sound.
    uci.skip()
    assert is_legal(uci.best("position startpos", "go depth 1"))


TWO = ("position startpos", "position startpos moves h2e2")


@given(st.lists(st.sampled_from(TWO), min_size=1, max_size=6))
@examples(20)
def test_each_answer_is_for_its_position(uci, positions):
    """However fast positions and searches follow one another."""
    lines = []
    for position in positions:
        lines += ["stop", position, "go infinite"]
    uci.skip()
    start = uci.mark()
    uci.send("go infinite", *lines, "stop")
    while len(uci.terminals(start)) < len(positions) + 1:
        uci.expect("bestmove")
    answers = [text.split()[1] for text in uci.terminals(start)[1:]]
    for position, move in zip(positions, answers, strict=True):
        assert is_legal(move, *position.split()[3:])


TEXT = st.text(st.characters(max_codepoint=255), max_size=30)
WORD = TEXT | st.sampled_from(" ".join([*LINES, *(option.ucci for option in OPTIONS)]).split())


@given(st.lists(WORD, max_size=12))
def test_positions_are_read_or_complained_about(words):
    try:
        board, _, _ = parse_position(words)
    except ProtocolError as error:
        assert_showable(str(error))
    else:
        assert board.is_playable()


@given(st.lists(WORD, max_size=12))
def test_options_are_set_or_complained_about(words):
    options = UcciOptions()
    try:
        option, value, text = options.read(words)
    except ProtocolError as error:
        option, value, text = None, "", str(error)
    if text:
        assert_showable(text)
    if option is not None and option.type == "spin":
        assert option.min <= value <= option.max


@given(st.lists(WORD | st.integers().map(str), max_size=15))
def test_go_is_always_understood_somehow(words):
    go = Go(words)
    for red in (True, False):
        found = go.limit(red, unit_ms=1000, overhead_ms=50).arguments(red)
        assert all(0 <= value < 2**63 for value in found.values())
    for error in go.errors:
        assert_showable(str(error))


@given(TEXT)
def test_moves_are_read_or_not(text):
    move = parse_move(text)
    assert move is None or (isinstance(move, Move) and str(move) == text.lower().replace("-", ""))


def assert_showable(text):
    """What may stand in a message: no words and parts of words that GUIs look for in whole lines."""
    assert text.isascii() and text.isprintable() and len(text) <= 120 and text == text.strip()
    words = text.split(" ")
    assert words[0] in ("error", "warning", "note") and len(words) == len(set(words))
    assert not set(map(str.lower, words)) & {"depth", "score", "pv", "nodes", "currmove", "message"}
    for part in ("nps", "bestmove", "draw", "resign", "ucciok", "uciok", "readyok"):
        assert part not in text.lower()


@pytest.mark.slow
def test_thousands_of_stops_at_any_moment():
    engine = Engine()
    delays = random.Random(1)
    board = board_after(fen=MIDDLE.removeprefix("position fen "))
    engine.send(MIDDLE)
    for n in range(10_000):
        engine.send("go ponder time 1000" if n % 3 == 0 else "go infinite")
        time.sleep(delays.choice((0, 0, delays.uniform(0, 0.004))))
        engine.send(*delays.choice((("stop",), ("stop", "stop"), ("ponderhit", "stop"))))
        move = engine.expect("bestmove").split()[1]
        assert Move.from_iccs(move) in board.legal_moves
    engine.sync()
    assert len(engine.terminals()) == 10_000
    engine.quit()
