"""The network: equal to a reference in Python, symmetric, the same by whatever way a board came; its file."""

import hashlib
import random
import struct
import threading
from array import array

import pytest
from network_reference import Reference
from support import MIDDLEGAMES, call, play, raises, random_composed, random_endgame, sample
from ucci_client import MIDDLE
from ucci_client import Engine as UcciEngine

from eleengine import Board, Engine, Limit
from eleengine._core import (
    NETWORK_HEADER,
    NETWORK_KIND,
    PIECES_KIND,
    Context,
    Network,
    NetworkError,
    Searcher,
    network_arrays,
    network_digest,
    shipped_network,
)
from eleengine.evaluation import evaluate
from eleengine.lab.network.file import packed
from eleengine.network import CLASSICAL, INTERNAL, choose, load
from eleengine.pieces import BLACK, CANNON, KNIGHT, PAWN, RED, ROOK

SHIPPED = shipped_network()


def made(
    hidden=64, seed=1, number=lambda rng, name, most: rng.randint(-most, most), kind=NETWORK_KIND, version=2
):
    """A network of random numbers, as bytes."""
    rng = random.Random(seed)
    most = {"bias": 767, "rows": 1000}
    arrays = {
        name: array(
            "h" if size == 2 else "i",
            [number(rng, name, most.get(name, 475 if size == 2 else 200_000)) for _ in range(count)],
        )
        for name, count, size in network_arrays(hidden, kind[0], version=version)
    }
    factor = 256 if version == 2 else 100
    return packed(arrays, hidden, 376, {"made by": "a test"}, kind=kind, version=version, factor=factor)


def positions(count, seed=3):
    rng = random.Random(seed)
    endgames = [random_endgame(rng, rng.randint(3, 9)) for _ in range(count)]
    return [Board(fen) for fen in sample(count)] + endgames + [random_composed(rng) for _ in range(count)]


@pytest.mark.parametrize(
    "arguments",
    [
        None,
        {"hidden": 64},
        {"hidden": 128, "seed": 2},
        {"hidden": 64, "seed": 4, "kind": PIECES_KIND},
        {"hidden": 64, "seed": 5, "version": 1},
    ],
    ids=["shipped", "64", "128", "pieces", "version 1"],
)
def test_the_engine_says_what_the_reference_says(arguments):
    network = Network(made(**arguments)) if arguments else SHIPPED
    reference = Reference(network.file)
    for board in positions(15 if network is SHIPPED else 30):
        assert network.evaluate(board) == reference.evaluate(board), board.fen()


@pytest.mark.parametrize("hidden", [-1, 0, 1025, 2**31 - 1, 2**70])
def test_arrays_of_no_network_are_refused(hidden):
    raises(ValueError, r"hidden must be 1\.\.1024", network_arrays, hidden)
    with pytest.raises(ValueError, match=r"inputs must be 1\.\."):
        network_arrays(128, -(2**31))  # whose product is no number of C


def test_rounding_costs_little():
    reference = Reference(SHIPPED.file)
    errors = []
    for fen in sample(90):
        board = Board(fen)
        pieces = sum(board.piece_at(i) is not None for i in range(90))
        if pieces > 12 and board.no_capture_plies() == 0:  # no endgame, no drift: the score is the output
            errors.append(abs(SHIPPED.evaluate(board) - reference.real(board)))
    assert len(errors) > 10
    assert sum(errors) / len(errors) < 3 and max(errors) < 15


def test_symmetric_in_colours_and_files():
    for network in (SHIPPED, Network(made(64, 7))):
        for board in positions(300):
            score = network.evaluate(board)
            assert network.evaluate(board.swap_colors()) == score, board.fen()
            assert network.evaluate(board.mirror_files()) == score, board.fen()


def test_the_way_to_a_board_does_not_matter():
    """Sums carried along over pieces taken and put back are those of each board by itself."""
    network = Network(made(64, 5))
    for board in positions(150, seed=8):
        for place, score in network.without_each(board).items():
            other = board.copy(stack=False)
            other.remove_piece_at(place)
            if other.is_playable():  # it may give a check that cannot be
                assert network.evaluate(other) == score, (board.fen(), place)


def test_saturated_weights_do_not_overflow():
    for rows, weights in ((1, 1), (1, -1), (-1, 1)):
        signs = {"bias": rows, "rows": rows}
        most = {"first bias": 1 << 27, "second bias": 1 << 27}
        file = made(
            1024,
            number=lambda rng, name, usual, signs=signs, sign=weights, most=most: (
                signs.get(name, sign) * most.get(name, usual)
            ),
        )
        network = Network(file)
        reference = Reference(file)
        for fen in MIDDLEGAMES:
            assert network.evaluate(Board(fen)) == reference.evaluate(Board(fen))


def test_a_piece_more_is_worth_more():
    rng = random.Random(11)
    worse = dict.fromkeys((ROOK, CANNON, KNIGHT, PAWN), 0)
    sums = dict.fromkeys(worse, 0)
    boards = 0
    while boards < 200:
        board = Board()
        for _ in play(board, rng, rng.randint(4, 16), {}):
            pass
        if board.is_check():
            continue
        boards += 1
        score, without = SHIPPED.evaluate(board), SHIPPED.without_each(board)
        for kind in worse:
            own = [
                s
                for s in without
                if board.piece_at(s).piece_type == kind and board.piece_at(s).color == board.turn
            ]
            enemy = [
                s
                for s in without
                if board.piece_at(s).piece_type == kind and board.piece_at(s).color != board.turn
            ]
            for place in own:
                worse[kind] += without[place] < score
                sums[kind] += score - without[place]
            for place in enemy:
                worse[kind] += without[place] > score
                sums[kind] += without[place] - score
            worse[kind] -= len(own) + len(enemy)
    assert worse[ROOK] == worse[CANNON] == worse[KNIGHT] == 0
    assert worse[PAWN] > -500  # of nearly 2000: on the edge a pawn may be in the way
    assert sums[ROOK] > sums[CANNON] > 0 and sums[ROOK] > sums[KNIGHT] > 0
    assert sums[PAWN] / 10 < sums[KNIGHT] / 4 and sums[PAWN] > 0


def test_damaged_files_are_refused():
    for place in range(NETWORK_HEADER):
        file = bytearray(SHIPPED.file)
        file[place] ^= 0x10
        with pytest.raises(NetworkError):
            print("byte", place, "changed:", Network(bytes(file)))
    file = made(64)
    for length in [*range(0, 200, 7), *range(1024, len(file), 1024), len(file) - 1]:
        raises(NetworkError, "", Network, file[:length])
    raises(NetworkError, "checksum", Network, file + b"\0")
    beyond = {"bias": 768, "rows": 1001, "first bias": (1 << 27) + 1, "second bias": -(1 << 27) - 1}
    beyond |= dict.fromkeys(("first weights", "second weights", "output weights"), 476)
    for name, most in beyond.items():
        file = made(64, number=lambda rng, at, _, name=name, most=most: most if at == name else 0)
        raises(NetworkError, "", Network, file)
    file = made(64, number=lambda rng, at, _: (1 << 24) if at == "first bias" else 0, version=1)
    assert Network(file)
    file = made(64, number=lambda rng, at, _: (1 << 25) if at == "first bias" else 0, version=1)
    raises(NetworkError, "beyond", Network, file)


def signed(file):
    """The file with a checksum that is right."""
    return file[: NETWORK_HEADER - 32] + network_digest(file) + file[NETWORK_HEADER:]


@pytest.mark.parametrize(
    ("offset", "value", "reason"),
    [
        (8, 3, "version 3"),
        (12, 63, "63 hidden"),
        (12, 128, "has .* bytes, not"),
        (12, 1 << 31, "hidden neurons"),
        (16, 1260, "another kind"),
        (40, 0, "out of range"),
        (40, 255, "out of range"),
        (44, 0, "out of range"),
        (48, 0, "out of range"),
        (52, 1 << 30, "bytes, not"),
        (52, 0xFFFFFFFF, "bytes, not|out of range"),
    ],
)
def test_headers_that_cannot_be_are_refused(offset, value, reason):
    file = bytearray(made(64))
    struct.pack_into("<I", file, offset, value)
    raises(NetworkError, reason, Network, signed(bytes(file)))


def test_foreign_files(tmp_path):
    path = tmp_path / "x.nnue"
    for data, reason in (
        (b"", "not a network file"),
        (b"elennue1\1", "ends"),
        (b"elenn", "not a network file"),
        (b"PK\3\4" * 100, "not a network file"),
    ):
        path.write_bytes(data)
        raises(NetworkError, f"x.nnue: .*({reason})", load, path)
    raises(FileNotFoundError, "", load, tmp_path / "none.nnue")
    with open(tmp_path / "film", "wb") as file:
        file.truncate((64 << 20) + 1)
    raises(NetworkError, r"film: no network is larger than 64 MiB", load, tmp_path / "film")


def test_the_digest_is_that_of_all_other_bytes():
    file = SHIPPED.file
    assert SHIPPED.digest == hashlib.sha256(file[:96] + file[128:]).hexdigest()
    assert len(file) <= 4 << 20


def test_names():
    assert choose(INTERNAL) == SHIPPED
    assert choose(CLASSICAL) is None
    assert Context().network == SHIPPED
    assert Context(network=None).network is None
    assert Context(weights=Context().weights).network is None  # weights are for the classical evaluation


def test_an_engine_takes_networks(tmp_path):
    path = tmp_path / "other.nnue"
    path.write_bytes(made(64))
    board = Board()
    with Engine(network=path) as engine, Engine(network=CLASSICAL) as other:
        assert engine.network == load(path) and other.network is None
        assert other.play(board, Limit(depth=6)) is not None
        engine.network = INTERNAL
        assert engine.network == SHIPPED
        path.write_bytes(b"damage")
        with pytest.raises(NetworkError):
            engine.network = path
        assert engine.network == SHIPPED
    raises(ValueError, "not both", Engine, network=CLASSICAL, context=Context())


def test_searches_with_two_networks_run_beside_each_other():
    """Each search finds what it finds alone."""
    contexts = [Context(network=SHIPPED), Context(network=Network(made(64, 9))), Context(network=None)]
    boards = [Board(fen) for fen in MIDDLEGAMES]

    def look(context):
        searcher = Searcher(hash_mib=1, context=context)
        found = []
        for board in boards:
            searcher.clear()
            [line] = searcher.search(board, depth=6)
            found.append((line.nodes, line.score, line.pv[0]))
        return found

    alone = [look(context) for context in contexts]
    assert len({tuple(found) for found in alone}) == 3
    together = [None] * 3
    threads = [
        threading.Thread(target=lambda i=i: together.__setitem__(i, look(contexts[i]))) for i in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone


def test_another_network_forgets_what_the_last_one_learnt():
    board = Board()
    searcher = Searcher(hash_mib=4, context=Context(network=None))
    [fresh] = searcher.search(board, depth=7)
    searcher.context = Context(network=SHIPPED)
    searcher.search(board, depth=7)
    searcher.context = Context(network=None)
    [again] = searcher.search(board, depth=7)
    assert (again.nodes, again.score) == (fresh.nodes, fresh.score)


def test_evaluation_shows_both():
    board = Board("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABN1 w")
    evaluation = board.evaluation()
    assert evaluation.network.score.relative.score() == SHIPPED.evaluate(board)
    assert evaluation.score.relative.score() == Searcher(context=Context(network=None)).evaluate(board)
    for place, worth in evaluation.network.worths.items():
        other = board.copy(stack=False)
        piece = other.remove_piece_at(place)
        without = SHIPPED.evaluate(other) * (1 if board.turn == RED else -1)
        assert evaluation.network.score.red().score() - without == worth
        assert piece.color in (RED, BLACK)
    assert evaluate(board, context=Context(network=None)).network is None


def test_eval_command():
    text = call("eval").stdout
    assert "Network" in text and "Classical evaluation" in text
    assert "Network" not in call("eval", "--network", CLASSICAL).stdout


def test_bench_tells_networks_apart(tmp_path):
    path = tmp_path / "n.nnue"
    path.write_bytes(made(64))
    lines = [call("bench", "--depth", "3", "--network", name).stdout for name in (INTERNAL, CLASSICAL, path)]
    assert len({text.split("signature")[1] for text in lines}) == 3


@pytest.mark.parametrize("dialect", ["ucci", "uci"])
def test_evalfile(dialect, tmp_path):
    """A network set between and during searches counts from the next one; a bad file leaves the old one."""
    good, bad = tmp_path / "good one.nnue", tmp_path / "bad.nnue"
    good.write_bytes(made(64))
    bad.write_bytes(made(64)[:-1])
    setting = "setoption evalfile {}" if dialect == "ucci" else "setoption name EvalFile value {}"
    engine = UcciEngine(dialect)

    def nodes():
        engine.send("setoption name Clear Hash", MIDDLE, "go depth 6")
        engine.expect("bestmove")
        return engine.lines[engine.seen - 2][1].split(" nodes ")[1].split()[0]

    def set_to(name):
        engine.send(setting.format(name))
        return engine.sync()

    shipped = nodes()
    assert set_to(good) == []
    other = nodes()
    assert set_to(CLASSICAL) == []
    classical = nodes()
    assert len({shipped, other, classical}) == 3
    for name in (bad, tmp_path / "none"):
        [line] = set_to(name)
        assert "evalfile" in line and "old one" in line
        assert nodes() == classical
    engine.send(MIDDLE, "go infinite", setting.format(good))
    engine.send("stop")
    engine.expect("bestmove")
    assert nodes() == other
    assert set_to(INTERNAL) == []
    assert nodes() == shipped
    engine.quit()


def test_handshakes_tell_of_evalfile():
    ucci = UcciEngine("ucci")
    assert "option evalfile type string default <internal>" in [line for _, line in ucci.lines]
    ucci.quit()
    uci = UcciEngine("uci")
    assert "option name EvalFile type string default <internal>" in [line for _, line in uci.lines]
    uci.quit()
