"""The search against plain full-width search on mates, and against itself."""

import json
import os
import random
import signal
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import MIDDLEGAMES, classical, examples, full_width, raises, random_endgame

from eleengine import Board, Engine, Limit, Move
from eleengine._core import MATE, Searcher, ThesisSearch
from eleengine.position_text import read_position

POSITIONS = Path(__file__).parent.parent / "positions"


SEARCHER = Searcher(hash_mib=1)


def puzzles(**wanted):
    for line in (POSITIONS / "puzzles.jsonl").read_text(encoding="utf-8").splitlines():
        puzzle = json.loads(line)
        if all(puzzle.get(key) == value for key, value in wanted.items()):
            yield puzzle


def search(board, *, hash_mib=4, threads=1, **limits):
    return Searcher(hash_mib=hash_mib, threads=threads).search(board, **limits)


def mate_plies(score):
    """Plies to the mate that a score announces, negative for the mated side; 0 without one."""
    if score >= MATE - 1000:
        return MATE - score
    return -(MATE + score) if score <= -(MATE - 1000) else 0


def shortest_mate(board, plies):
    """Plies to the fastest win of the side to move within so many plies, by trying everything; 0 without."""
    best = 0
    for move in board.legal_moves:
        board.push(move)
        needed = 1 if not board.legal_moves else 0
        if not needed and plies >= 3:
            longest = 0
            for reply in board.legal_moves:
                board.push(reply)
                rest = shortest_mate(board, plies - 2)
                board.pop()
                if not rest:
                    longest = 0
                    break
                longest = max(longest, rest)
            needed = longest + 2 if longest else 0
        board.pop()
        if needed and (not best or needed < best):
            best = needed
            if best == 1:
                break
    return best


def test_the_selective_depth_counts_what_quiescence_adds():
    [line] = search(Board(MIDDLEGAMES[2]), depth=6)
    assert line.depth == 6 < line.seldepth


@given(st.integers(0, 10**9))
@examples(25)
def test_mates_in_two_are_real_and_not_missed(seed):
    board = random_endgame(random.Random(seed), 4 + seed % 6)
    if not board.legal_moves:
        return
    [line] = search(board, nodes=200_000, mate=2)
    known = shortest_mate(board, 3)
    announced = mate_plies(line.score)
    if known or 0 < announced <= 3:
        assert announced == known, board.fen()


def longest_defence(board, plies):
    """Plies until the side to move is mated whatever it plays, if that is within so many; else 0."""
    longest = 0
    for move in board.legal_moves:
        board.push(move)
        needed = shortest_mate(board, plies - 1)
        board.pop()
        if not needed:
            return 0
        longest = max(longest, needed + 1)
    return longest


@given(st.integers(0, 10**9))
@examples(10)
def test_announced_mates_have_the_right_length(seed):
    """Of the winner in so many plies, then of the loser, along a line of random moves and mates."""
    board = random_endgame(random.Random(seed), 4 + seed % 4)
    for _ in range(3):
        if not board.legal_moves:
            return
        [line] = search(board, nodes=60_000)
        announced = mate_plies(line.score)
        if announced > 0 and announced <= 5:
            assert announced == shortest_mate(board, announced), board.fen()
        if -4 <= announced < 0:
            assert -announced == longest_defence(board, -announced), board.fen()
        if abs(announced) > 1:
            copy = board.copy()
            for move in line.pv:
                copy.push(move)
            assert len(line.pv) < abs(announced) or not copy.legal_moves
        board.push(line.pv[0])


@pytest.mark.parametrize(
    "fen, plies",
    [
        ("3N5/9/5k3/9/9/9/9/9/N8/p3K4 b", -6),
        ("2P6/3k5/9/2P6/9/2B6/9/9/9/5K3 b", -6),
        ("9/9/5k3/9/9/9/5Np2/7r1/3K5/9 b", 7),
    ],
)
def test_the_first_mate_that_is_announced_has_its_length(fen, plies):
    """Trying everything, which takes long, gives the same lengths."""
    announced = 0
    for depth in range(1, 16):
        [line] = Searcher(hash_mib=1).search(Board(fen), depth=depth, nodes=30_000)
        announced = announced or mate_plies(line.score)
    assert announced == plies


@pytest.mark.parametrize(
    "fen, plies",
    [
        ("2Nk5/9/4P4/9/9/9/1r7/9/8r/2B2KB2 b", 3),  # a mate in seven is found first
        ("2Nk5/9/4P4/9/9/9/1r7/9/4r4/2B2KB2 w", -2),
    ],
)
def test_a_mate_that_pruning_hid_is_found_in_the_end(fen, plies):
    for lines in (1, 2):
        best = search(Board(fen), depth=20, multipv=lines)[0]
        assert mate_plies(best.score) == plies
        assert len(best.pv) == abs(plies)


@pytest.mark.parametrize(
    "fen",
    [
        "9/9/3k5/1c7/3N5/9/4P4/9/4K4/9 w",  # a mate in seven is found before the one in six
        "6R2/4a1n2/4k4/9/9/9/9/9/3K5/9 w",
        "9/3ka4/9/9/9/9/1c7/9/4K4/9 b",
        "3k5/9/4b4/9/9/8R/9/B8/5K3/9 w",
    ],
)
def test_a_mate_longer_than_the_one_asked_for_does_not_end_the_search(fen):
    [line] = search(Board(fen), nodes=60_000)
    [asked] = search(Board(fen), nodes=60_000, mate=1)
    assert 1 < mate_plies(asked.score) <= mate_plies(line.score)


@pytest.mark.parametrize(
    "puzzle",
    [p for p in puzzles(length_agreed=True) if p["win_in_plies"] <= 9],
    ids=lambda puzzle: puzzle["id"],
)
def test_short_mates_are_announced_exactly(puzzle):
    moves = (puzzle["win_in_plies"] + 1) // 2
    [line] = search(Board(puzzle["fen"]), hash_mib=16, nodes=3_000_000, mate=moves)
    assert mate_plies(line.score) == puzzle["win_in_plies"]
    board = Board(puzzle["fen"])
    for move in line.pv:
        board.push(move)
    assert len(line.pv) < puzzle["win_in_plies"] or not board.legal_moves


CHECKS = {puzzle["id"]: puzzle for puzzle in puzzles(**{"class": "checks"}, length_agreed=True)}
SIEGE = CHECKS["fun-055"]  # a mate in eight by checks


@pytest.mark.parametrize("name", ["fun-061", "fun-080", "fun-135", "fun-169", "fun-192"])
def test_long_mates_by_checks_are_found_with_few_nodes(name):
    puzzle = CHECKS[name]
    moves = (puzzle["win_in_plies"] + 1) // 2
    [line] = classical(hash_mib=4).search(Board(puzzle["fen"]), nodes=3_000_000, mate=moves)
    assert mate_plies(line.score) == puzzle["win_in_plies"]
    board = Board(puzzle["fen"])
    for move in line.pv:
        board.push(move)
    assert len(line.pv) < puzzle["win_in_plies"] or not board.legal_moves


@pytest.mark.parametrize(("parallel", "threads"), [("hybrid", 1), ("hybrid", 2), ("abdada", 2)])
def test_a_proven_mate_remains(parallel, threads):
    """The next iterations need not see it again, and do not when they cannot see so far."""
    searcher, plies = Searcher(hash_mib=4, threads=threads), []
    searcher.parallel = parallel
    searcher.search(Board(SIEGE["fen"]), depth=12, report=lambda info: plies.append(mate_plies(info.score)))
    first = next(i for i, found in enumerate(plies) if found > 0)
    assert threads > 1 or first < 8  # at which depth two threads see it is chance
    assert first < len(plies) - 1
    assert set(plies[first:]) == {SIEGE["win_in_plies"]}


def test_a_proven_mate_is_of_one_search():
    """Not of the same searcher's next one, of the same position without the move."""
    searcher, board = Searcher(hash_mib=4), Board(SIEGE["fen"])
    [line] = searcher.search(board, depth=6)
    assert mate_plies(line.score) == SIEGE["win_in_plies"]
    others = [move for move in board.legal_moves if move != line.pv[0]]
    [line] = searcher.search(board, depth=6, root_moves=others)
    assert line.pv[0] in others and line.score < 0


def test_checks_are_not_tried_for_weak_levels_nor_without_pruning():
    """Weak levels overlook long mates as people do; they ask for several lines, as an analysis may."""
    board, plies = Board(SIEGE["fen"]), SIEGE["win_in_plies"]
    assert mate_plies(search(board, nodes=1500)[0].score) == plies
    assert all(mate_plies(line.score) <= 0 for line in search(board, nodes=1500, multipv=4))
    assert mate_plies(search(board, depth=30, mate=8, nodes=200_000, multipv=2)[0].score) == plies
    assert not mate_plies(full_width(hash_mib=4).search(board, depth=3)[0].score)


def test_a_stalemate_of_many_pieces_is_seen():
    """Black is far ahead, but most of his pieces cannot move: he can neither pass nor stand pat."""
    board = Board("9/4k1P2/4b4/9/9/6B2/9/4BA3/4Cnppc/3Knrrpp w")
    [line] = classical().search(board, depth=6)
    assert mate_plies(line.score) == 3
    [line] = search(board, nodes=20_000)  # the depth hangs on how far behind the network sees Red
    assert mate_plies(line.score) == 3


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_mates_are_found_with_every_table_size_and_number_of_threads(threads):
    for fen in ["3k5/R8/8R/9/9/9/9/9/9/5K3 w", "3k5/9/9/9/9/9/9/8R/7R1/4K4 w"]:
        known = shortest_mate(Board(fen), 3)
        assert known
        for hash_mib in (1, 64):
            [line] = search(Board(fen), hash_mib=hash_mib, threads=threads, depth=8)
            assert mate_plies(line.score) == known


def test_one_thread_repeats_itself_also_after_its_memory_is_cleared():
    board = Board()
    runs = [search(board, depth=9)[0] for _ in range(2)]
    assert (runs[0].nodes, runs[0].score, runs[0].pv) == (runs[1].nodes, runs[1].score, runs[1].pv)
    searcher, board = Searcher(hash_mib=4), Board()
    first = searcher.search(board, depth=8)[0].nodes
    searcher.search(Board("3k5/R8/8R/9/9/9/9/9/9/5K3 w"), depth=8)
    searcher.clear()
    assert searcher.search(board, depth=8)[0].nodes == first


@given(st.integers(0, 10**9))
@examples(25)
def test_exchanged_colors_and_mirrored_files_evaluate_the_same(seed):
    board = random_endgame(random.Random(seed), 4 + seed % 26)
    assert len({SEARCHER.evaluate(b) for b in (board, board.swap_colors(), board.mirror_files())}) == 1


def test_lines_are_legal_ranked_and_distinct():
    board = Board()
    lines = search(board, depth=8, multipv=5)
    assert [line.multipv for line in lines] == [1, 2, 3, 4, 5]
    assert len({line.pv[0] for line in lines}) == 5
    assert [line.score for line in lines] == sorted((line.score for line in lines), reverse=True)
    for line in lines:
        copy = board.copy()
        for move in line.pv:
            copy.push(move)


def test_only_the_given_root_moves_are_searched():
    wanted = [Move.from_iccs("a0a1"), Move.from_iccs("i3i4")]
    lines = search(Board(), depth=6, multipv=4, root_moves=wanted)
    assert {line.pv[0] for line in lines} == set(wanted)
    assert search(Board(), depth=3, root_moves=[]) == []


@pytest.mark.parametrize("nodes", [1, 100, 1000, 50_000])
def test_node_limits_are_kept(nodes):
    [line] = search(Board(), nodes=nodes)
    assert line.nodes <= nodes + 64
    assert abs(line.score) < 2000 and line.pv[0] in Board().legal_moves


def test_a_limit_reached_does_not_end_the_next_search():
    searcher = Searcher(hash_mib=4)
    searcher.search(Board(), nodes=1000)
    assert searcher.search(Board(), depth=6)[0].depth == 6


@pytest.mark.system
def test_stop_from_another_thread_is_prompt():
    searcher = Searcher(hash_mib=4)
    begun, stopped = threading.Event(), []

    def stop():
        begun.wait()
        time.sleep(0.3)
        stopped.append(time.process_time())  # of this program alone, however busy the machine is
        searcher.stop()

    thread = threading.Thread(target=stop)
    thread.start()
    searcher.search(Board(), report=lambda info: begun.set())
    assert time.process_time() - stopped[0] < 0.5
    thread.join()


@pytest.mark.parametrize("nodes", range(9_000, 33_000, 2000))
def test_a_stop_does_not_leave_a_move_that_has_just_turned_out_to_be_lost(nodes):
    """The best move so far, d2g2, is mated in four plies at depth 10; what others bring is not known yet."""
    board = Board("3ak1b2/4a4/2n1b1n1c/p1p2R2p/4C1N2/9/4P1P1P/3cC1N2/5K3/2r2AB2 b")
    [line] = classical(hash_mib=16).search(board, nodes=nodes)
    assert line.score > -1000
    assert str(line.pv[0]) != "d2g2"


def test_an_exception_in_the_report_ends_the_search():
    def report(info):
        raise KeyError(info.depth)

    searcher = Searcher(hash_mib=4)
    raises(KeyError, "", searcher.search, Board(), depth=20, report=report)
    assert searcher.search(Board(), depth=4)[0].depth == 4


SEARCHER_CALLS = (
    lambda searcher: searcher.search(Board(), depth=1),
    lambda searcher: searcher.clear(),
    lambda searcher: searcher.resize(1),
    *(
        lambda searcher, name=name, value=value: setattr(searcher, name, value)
        for name, value in {
            "threads": 2, "parallel": "hybrid", "virtual_time": False, "rule_set": 1,
            "no_capture_limit": 100, "context": None, "tables": None,
        }.items()
    ),
)  # fmt: skip


@pytest.mark.timeout(60)
@pytest.mark.parametrize("call", SEARCHER_CALLS)
def test_the_report_of_a_search_cannot_wait_for_it(call):
    searcher = Searcher(hash_mib=1)
    with pytest.raises(RuntimeError, match=r"its report.* may call stop\(\)"):
        searcher.search(Board(), depth=20, report=lambda info: call(searcher))
    call(searcher)


@pytest.mark.timeout(60)
def test_the_report_of_a_search_may_stop_it_and_use_another_one():
    searcher, other = Searcher(hash_mib=1), Searcher(hash_mib=1)

    def report(info):
        assert searcher.progress()[0] > 0
        assert other.search(Board(), depth=2)
        searcher.stop()

    assert searcher.search(Board(), depth=60, report=report)


@pytest.mark.timeout(60)
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs signal.setitimer")
@pytest.mark.parametrize("make", [lambda: Searcher(hash_mib=1), lambda: ThesisSearch(hash_mib=1)])
def test_the_handler_of_a_signal_cannot_wait_for_the_search(make):
    searcher = make()
    before = signal.signal(signal.SIGVTALRM, lambda *_: searcher.clear())
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.05)
        raises(RuntimeError, "the handler of a signal", searcher.search, Board(), depth=50)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    searcher.clear()


@pytest.mark.timeout(60)
def test_the_report_of_the_papers_search_cannot_wait_for_it():
    searcher = ThesisSearch(hash_mib=1)
    with pytest.raises(RuntimeError, match=r"its report.* may call stop\(\)"):
        searcher.search(Board(), depth=6, report=lambda info: searcher.clear())
    assert searcher.search(Board(), depth=6, report=lambda info: searcher.stop())


@pytest.mark.parametrize(
    ("fen", "plies"),
    [("9/5k3/b8/3P2R2/9/9/9/5A3/5K3/2CA5 b", 8), ("3ak4/9/9/9/4P4/4r1B2/9/9/4K4/5nB2 w", 10)],
)
def test_a_stop_does_not_shorten_the_mate_of_the_loser(fen, plies):
    """Where every move has turned out to be lost, others than the first one may last longer."""
    for nodes in range(2000, 16000, 1000):
        line = search(Board(fen), nodes=nodes)[0]
        announced = -mate_plies(line.score)
        assert announced == 0 or announced >= plies, nodes


def test_material_that_cannot_win_is_a_draw():
    [line] = search(Board("3ak4/4a4/4b4/9/9/9/9/4B4/4A4/3K1A3 w"), depth=6)
    assert abs(line.score) <= 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "puzzle",
    [p for p in puzzles(length_agreed=True) if p["win_in_plies"] <= 15],
    ids=lambda puzzle: puzzle["id"],
)
def test_mates_are_found_in_time(puzzle):
    [line] = search(Board(puzzle["fen"]), hash_mib=64, maximum_ms=20_000)
    assert mate_plies(line.score) > 0


WON_BY_RULES = MATE - 1000 - 2  # one ply away: next to the mates


def repetitions(loser_moves_last):
    """Games of the core tier whose last move completes a loss by the rules, of its side or of the other."""
    for line in (POSITIONS / "repetition.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case["tier"] != "core" or case["reason"] not in ("perpetual_check", "perpetual_chase"):
            continue
        board = Board(case["fen"])
        for text in case["moves"][:-1]:
            board.push_iccs(text)
        loser = case["verdict"] == "red_loses"
        if (board.turn == loser) == loser_moves_last and board.legal_moves.count() > 1:
            yield pytest.param(board, Move.from_iccs(case["moves"][-1]), id=case["id"])


@pytest.mark.parametrize(("board", "move"), [*repetitions(loser_moves_last=True)])
def test_a_repetition_that_loses_by_the_rules_is_avoided(board, move):
    [line] = search(board, depth=4)
    assert line.pv[0] != move
    [line] = search(board, depth=4, root_moves=[move])
    assert line.score == -WON_BY_RULES


@pytest.mark.parametrize(("board", "move"), [*repetitions(loser_moves_last=False)])
def test_a_repetition_that_wins_by_the_rules_is_entered(board, move):
    [line] = search(board, depth=4)
    assert line.score == WON_BY_RULES


def test_a_restricted_root_leaves_no_value_for_the_position():
    """What the best of some moves is worth is not what the position is worth, for whoever comes by later."""
    fen = "C1baka1r1/2c1n4/c7b/4p1P1p/2p6/9/P3PR2P/Nr2B1N2/5R3/2BAKA3 w"
    poor, threat = Move.from_iccs("h9h6"), Move.from_iccs("f3f5")
    after = Board(fen)
    after.push(threat)
    for wanted in ([poor], [move for move in after.legal_moves if move != search(after, depth=6)[0].pv[0]]):
        searcher = Searcher(hash_mib=4)
        searcher.search(after, depth=8, root_moves=wanted)
        assert searcher.probe(after) is None or searcher.probe(after)[2] == 0  # its evaluation at most
        [line] = searcher.search(Board(fen), depth=8)
        assert mate_plies(line.score) == 0


def test_a_count_beyond_the_limit_begins_anew_at_the_root():
    """A GUI without the limit, or one that counts otherwise, asks for a move: not for any move."""
    for count in (120, 121, 400):
        board = Board(f"4k4/9/9/9/9/9/9/9/3R5/R2K5 w - - {count} 60")
        [line] = search(board, depth=10)
        assert mate_plies(line.score) == 3
    board = Board("4k4/9/9/9/9/9/9/9/3R5/R2K5 w - - 118 60")  # here the limit comes before the mate
    assert search(board, depth=6)[0].score in range(-1, 2)


def test_lines_after_a_stop_are_best_first_and_have_the_depths_they_were_searched_to():
    for fen in (Board().fen(), "C1baka1r1/2c1n4/c7b/4p1P1p/2p6/9/P3PR2P/Nr2B1N2/5R3/2BAKA3 w"):
        best = {}  # depth -> first move and score of the iterations that were finished

        def take(info, best=best):
            if info.multipv == 1:
                best[info.depth] = info.pv[0], info.score

        search(Board(fen), depth=9, multipv=4, report=take)
        deeper = same = 0
        for nodes in range(200, 6000, 97):
            lines = search(Board(fen), nodes=nodes, multipv=4)
            scores, depths = [line.score for line in lines], [line.depth for line in lines]
            assert scores == sorted(scores, reverse=True)
            assert len({line.pv[0] for line in lines}) == 4
            assert max(depths) - min(depths) <= 1 or min(depths) == 1
            deeper += depths[0] > depths[-1]
            # If its iteration went on to the next line, the best one says what a search that goes on says.
            if depths[0] == depths[1] and best[depths[0]][0] == lines[0].pv[0]:
                assert scores[0] == best[depths[0]][1]
                same += 1
        assert deeper > 10 and same > 10


@pytest.mark.skipif(
    "libasan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer keeps memory that was given back"
)
def test_a_table_has_its_memory_before_the_first_search():
    """Otherwise the system provides it, page by page, while the clock runs."""

    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

    if not Path("/proc/self/statm").exists():
        pytest.skip("no /proc")
    before = resident()
    searcher = Searcher(hash_mib=128)
    assert resident() - before > 120 << 20
    searcher.resize(1)
    assert resident() - before < 20 << 20
    searcher.resize(192)
    assert resident() - before > 180 << 20


@pytest.mark.system
def test_an_empty_table_is_not_cleared_again():
    searcher = Searcher(hash_mib=256)

    def seconds():
        began = time.process_time()
        searcher.clear()
        return time.process_time() - began

    empty = min(seconds() for _ in range(5))
    searcher.search(Board(), depth=1)
    assert empty < seconds() / 2


def test_clearing_leaves_other_threads_running():
    searcher = Searcher(hash_mib=256)
    turns = 0
    done = threading.Event()

    def count():
        nonlocal turns
        while not done.is_set():
            turns += 1

    thread = threading.Thread(target=count)
    thread.start()
    try:
        seen = []
        for _ in range(5):
            searcher.search(Board(), depth=1)
            before = turns
            searcher.clear()
            seen.append(turns - before)
            assert searcher.probe(Board()) is None
        assert max(seen) > 100
    finally:
        done.set()
        thread.join()


@pytest.mark.system
def test_a_new_game_is_part_of_the_time_of_its_search():
    searcher = Searcher(hash_mib=4)
    searcher.search(Board(), depth=6)
    [line] = searcher.search(Board(), depth=6, new_game=True)
    assert line.nodes == search(Board(), depth=6)[0].nodes  # nothing was known
    big = Searcher(hash_mib=1024)
    big.search(Board(), depth=1)
    [line] = big.search(Board(), maximum_ms=60_000, depth=1, new_game=True)
    assert line.time_ms >= 5  # the table was emptied after the clock had been started


def test_a_clock_that_has_run_out_leaves_time_for_depth_1():
    """As on a busy machine: the table is emptied for longer than the search may take."""
    searcher = Searcher(hash_mib=256)
    searcher.search(Board(), depth=1)
    for fen in (Board().fen(), *MIDDLEGAMES[:3]):
        [line] = searcher.search(Board(fen), maximum_ms=1, new_game=True)
        assert line.nodes >= Board(fen).legal_moves.count()


@pytest.mark.system
def test_ponderhit_without_arm_does_not_reach_the_next_search():
    searcher = Searcher(hash_mib=1)

    def ponder(seconds):
        start = time.perf_counter()
        threading.Timer(seconds, searcher.ponderhit).start()
        searcher.search(Board(), ponder=True, maximum_ms=50)
        return time.perf_counter() - start

    ponder(0.05)
    assert ponder(0.4) > 0.4


def test_the_search_looks_back_a_bounded_number_of_plies():
    """A game of many reversible plies must not slow down each node; a judge looks at all of it."""
    ring = [f"a{r}" for r in range(1, 9)] + ["b8", "c8"] + [f"d{r}" for r in range(8, 0, -1)] + ["c1", "b1"]
    line = [f"i{r}" for r in range(1, 8)]
    for plies, far in ((2 * 7 * 20, True), (2 * 7 * 4, False)):  # until everything stands as before
        board = Board("4k4/9/9/9/9/9/9/9/R7r/3K5 w")
        red = ring if far else ring[:4]
        for ply in range(2 * plies):
            squares, step = (line, ply // 2) if ply % 2 else (red, ply // 2)
            here, there = squares[step % len(squares)], squares[(step + 1) % len(squares)]
            board.push(Move.from_iccs(here + there))
        assert board._search_verdict(0, limit=100_000) == 1  # a draw: the third time
        assert board._search_verdict(1, limit=100_000) == (0 if far else 1)


# Out of games with 200 nodes a move; their last moves but one were played with up to 14 pawns ahead.
CHASES = [
    "r2akabnr/9/1cn1b2c1/p1p1p3p/6p2/2P6/P3P1P1P/2NC3C1/9/1RBAKABNR b - - 0 1 moves c7b9 d2g2 d9e8 g2f2 "
    "a9a8 h0g2 a8d8 c0e2 d8d1 d0e1 b7b1 h2h1 d1d5 b0b1 b9a7 h1g1 h9g7 g3g4 i9h9 g4g5 e7g5 i0h0 h7h1 g2f4 "
    "d5d7 b1b8 g5e7 f2g2 g7f5 g2f2 f5g7 f2g2 g7f5",
    "r1bakab1r/9/1c2c1n2/p3p1p1p/2pn5/6P2/P1P1P3P/NC2B1NC1/R8/2BAKA2R w - - 0 1 moves b2b4 e7f7 b4a4 b7a7 "
    "a1f1 i9h9 f1f7 h9h2 f7g7 h2g2 g7g9 d5e3 g9g6 e6e5 i0h0 e5e4 h0h3 g2f2 d0e1 f2f1 g6i6 a9b9 a4a7 c9a7 "
    "i6e6 d9e8 h3g3 b9b4 e6e7 a7c9 e7c7 e8d9 c7c9 b4b5 c9c7 f9e8 c7e7 b5b4 c3c4 c5c4 e7e4 e3c2 g4g5 c2e1 "
    "f0e1 c4d4 e4e6 b4b1 e2g4 b1b2 g4e2 b2b1 e1f0 b1b5 e6d6 d4e4 d6e6 e4d4 e6d6 d4e4",
]


@pytest.mark.parametrize("game", CHASES)
@pytest.mark.parametrize("nodes", [30, 100, 200, 1000])
def test_no_reply_ends_a_won_game(game, nodes):
    """By which a perpetual chase is lost: the table does not know of it, and quiet replies are pruned."""
    board = read_position(game)
    with Engine(hash_mib=1) as engine:
        for back in range(6, -1, -2):
            early = read_position(game)
            for _ in range(back):
                early.pop()
            played = engine.play(early, Limit(nodes=nodes), game=1)
    assert played.info["score"].relative.score() > 0
    board.push(played.move)
    for reply in board.legal_moves:
        board.push(reply)
        assert board.outcome() is None
        board.pop()


def test_a_search_that_is_cut_keeps_its_line():
    """That of the last whole iteration, if its move is still the best: it has the reply to ponder about."""
    searcher, cut = classical(hash_mib=4), 0
    for fen in MIDDLEGAMES[:8]:
        whole = {}  # by depth
        searcher.clear()
        searcher.search(
            Board(fen), depth=8, report=lambda info, whole=whole: whole.update({info.depth: info})
        )
        for nodes in range(600, whole[8].nodes, 200):
            board = Board(fen)
            searcher.clear()
            [line] = searcher.search(board, nodes=nodes)
            before = max((info for info in whole.values() if info.nodes < nodes), key=lambda info: info.depth)
            if line.depth > before.depth and line.pv[0] == before.pv[0]:
                cut += 1
                # An iteration may find a new line before it is cut: more than a move and its refutation.
                assert line.pv[: len(before.pv)] == before.pv or len(line.pv) > 2, (fen, nodes)
            assert len(line.pv) > 1
            for move in line.pv:
                assert move in board.legal_moves
                board.push(move)
    assert cut > 20
