"""Single games of the lab: who judges, who is at fault, what is written down."""

import json
import platform
import sys
from functools import partial
from pathlib import Path

import pytest
from support import raises

from eleengine import BLACK, RED, Board, Engine, Limit, Move, __version__
from eleengine.engines import ExternalEngine, PlayResult
from eleengine.jobs.identity import build_identity
from eleengine.lab.match import game
from eleengine.lab.match.adjudication import Adjudication
from eleengine.lab.match.game import FAULTS, PlayedGame, play_game
from eleengine.lab.match.player import Player, PlayerError
from eleengine.position_text import read_position
from eleengine.records.pgn import parse
from eleengine.records.pgn_writer import text_of
from eleengine.score import Cp, PovScore

BAD = [sys.executable, str(Path(__file__).with_name("bad_engine.py"))]
NODES = Limit(nodes=200)
ROOKS = "4k4/9/9/9/9/9/9/9/3R5/R2K5 w"  # Red mates in two
BLACK_ROOKS = "r2k5/3r5/9/9/9/9/9/9/9/4K4 b"
CHASE = "4kab2/4a4/4b4/3rC2R1/9/9/4n4/4B4/4A4/4KAB1c w"


class Scripted:
    """Plays the moves it was given, then the first legal one, and says these scores."""

    def __init__(self, name, moves=(), score=None, seconds=0.0, clock=None):
        self.name, self.score, self.seconds, self.clock = name, score, seconds, clock
        self.script = [Move.from_iccs(move) for move in moves]
        self.seeds, self.limits = [], []

    def new_game(self, seed):
        self.seeds.append(seed)
        self.rest = iter(self.script)

    def play(self, board, limit):
        self.limits.append(limit)
        clock = limit.red_clock if board.turn == RED else limit.black_clock
        if self.clock:
            self.clock[0] += self.seconds
        assert clock is None or clock >= 0
        score = self.score(board) if callable(self.score) else self.score
        info = {"depth": 1, "nodes": 1}
        if score is not None:
            info["score"] = PovScore(Cp(score), board.turn)
        return PlayResult(next(self.rest, None) or next(iter(board.legal_moves)), None, info)

    def abort(self):
        pass

    def close(self):
        pass


def our(name, **options):
    return Player(name, partial(Engine, hash_mib=1, **options))


@pytest.fixture(scope="module")
def ours():
    return our("ours")


def bad(fault, plies=0, grace=10.0):
    def start():
        engine = ExternalEngine([*BAD, fault, str(plies)], protocol="uci", timeout=60)
        engine.new_game()
        engine.timeout = grace
        return engine

    return Player(fault, start, hang=0.5)


@pytest.fixture
def clock(monkeypatch):
    """The clock of the games: it stands still but for the seconds that scripted players take."""
    now = [0.0]
    monkeypatch.setattr(game, "perf_counter", lambda: now[0])
    return now


def test_a_game_is_played_to_its_end(ours):
    record = play_game(ours, our("second"), limit=NODES)
    board = record.board()
    outcome = board.outcome()
    assert (record.red, record.black) == ("ours", "second")
    assert outcome is not None or record.reason == "max_plies"
    if outcome is not None:
        assert (record.result, record.reason) == (outcome.result(), outcome.termination.name.lower())
    assert len(record.notes) == record.plies == board.ply
    assert all(note.depth >= 1 and 0 < note.nodes < 1000 for note in record.notes)


@pytest.mark.parametrize("red", [True, False])
def test_mates_and_their_colours(ours, red):
    players = (ours, Scripted("other")) if red else (Scripted("other"), ours)
    record = play_game(*players, ROOKS if red else BLACK_ROOKS, limit=NODES)
    assert (record.result, record.reason, record.loser) == ("1-0" if red else "0-1", "checkmate", "other")
    assert record.points == red


def test_perpetual_chases_and_checks_are_lost_by_the_rules():
    chaser, chased = Scripted("chaser", ["h6i6", "i6h6"] * 9), Scripted("chased", ["i0h0", "h0i0"] * 9)
    record = play_game(chaser, chased, CHASE, limit=NODES)
    assert (record.result, record.reason, record.loser) == ("0-1", "perpetual_chase", "chaser")
    record = play_game(chaser, chased, CHASE, limit=NODES, rule_set="alwaysdraw")
    assert (record.result, record.reason) == ("1/2-1/2", "repetition")
    checker, king = Scripted("checker", ["a8a9", "a9a8"] * 9), Scripted("king", ["e9e8", "e8e9"] * 9)
    record = play_game(checker, king, "4k4/R8/9/9/9/9/4p4/9/9/3K5 w", limit=NODES)
    assert (record.result, record.reason, record.loser) == ("0-1", "perpetual_check", "checker")


@pytest.mark.system
@pytest.mark.parametrize(
    "fault, reason",
    [
        ("crash", "crash"),
        ("hang", "no_answer"),
        ("illegal", "illegal_move"),
        ("garbage", "illegal_move"),
        ("none", "no_move"),
        ("stillborn", "crash"),
    ],
)
def test_faults_lose_and_are_named(ours, fault, reason):
    player = bad(fault, plies=2)
    record = play_game(ours, player, limit=NODES)
    assert (record.result, record.reason, record.loser) == ("1-0", reason, fault)
    assert record.plies == (0 if fault == "stillborn" else 3)
    assert record.reason in FAULTS
    assert record.detail
    player.close()


@pytest.mark.parametrize("players, result", [(("liar", "fair"), "0-1"), (("fair", "liar"), "1-0")])
def test_whoever_plays_an_illegal_move_loses(players, result):
    red, black = (Scripted(name, ["e4e5"] if name == "liar" else []) for name in players)
    record = play_game(red, black, limit=NODES)
    assert (record.result, record.reason, record.loser) == (result, "illegal_move", "liar")
    assert record.detail.startswith("liar: e4e5 in ")


@pytest.mark.system
def test_a_player_goes_on_after_its_fault(ours):
    player = bad("crash", plies=1)
    for _ in range(2):
        record = play_game(ours, player, limit=NODES)
        assert (record.reason, record.plies) == ("crash", 1)
    player.close()


@pytest.mark.system
def test_resigning(ours):
    player = bad("resign", plies=1)
    record = play_game(ours, player, limit=NODES)
    assert (record.result, record.reason) == ("1-0", "resignation")
    player.close()


@pytest.mark.system
def test_time_forfeits(ours):
    late = bad("late", plies=1)
    record = play_game(ours, late, limit=(NODES, Limit(time=0.1)), margin=0.2)
    assert (record.result, record.reason) == ("1-0", "time_forfeit")
    assert "for a move" in record.detail
    late.close()
    hanging = bad("hang", plies=1, grace=0.2)
    record = play_game(ours, hanging, limit=(NODES, Limit(time=0.1)))
    assert (record.result, record.reason) == ("1-0", "time_forfeit")
    hanging.close()


def test_clocks_run(clock):
    red, black = Scripted("red", seconds=0.25, clock=clock), Scripted("black", seconds=1.5, clock=clock)
    limit = Limit(red_clock=1, black_clock=3, red_inc=0.5, black_inc=0.25)
    play_game(red, black, limit=limit, adjudication=Adjudication(max_plies=6))
    assert [limit.red_clock for limit in red.limits] == [1, 1.25, 1.5]
    assert [limit.black_clock for limit in black.limits] == [3, 1.75, 0.5]
    assert red.limits[1] == Limit(red_clock=1.25, black_clock=1.75, red_inc=0.5, black_inc=0.25)


@pytest.mark.parametrize("margin, plies", [(0, 2), (0.25, 4)])
def test_the_flag_falls(clock, margin, plies):
    """Half a second for three quarters and two quarters of increment: a quarter less with each move."""
    red = Scripted("red", seconds=0.75, clock=clock)
    limit = Limit(red_clock=1, black_clock=1, red_inc=0.25)
    record = play_game(red, Scripted("black"), limit=limit, margin=margin)
    assert (record.result, record.reason) == ("0-1", "time_forfeit")
    assert record.plies == plies
    assert record.detail == f"red: 0.750 s for a move, {0.5 if plies == 2 else 0.25:.3f} s on the clock"


def test_a_move_may_be_late_by_the_margin(clock):
    red = Scripted("red", seconds=0.75, clock=clock)
    for margin, reason in ((0.25, "max_plies"), (0.2, "time_forfeit")):
        short = {"limit": Limit(time=0.5), "adjudication": Adjudication(max_plies=4)}
        assert play_game(red, Scripted("black"), margin=margin, **short).reason == reason


def ended(red, black, rules):
    """How a game ends whose players say these scores."""
    players = Scripted("red", score=red), Scripted("black", score=black)
    record = play_game(*players, limit=NODES, adjudication=rules)
    return record.result, record.reason, record.plies


def test_both_must_agree_that_a_game_is_lost():
    rules = Adjudication(resign_score=500, resign_moves=3)
    assert ended(600, -600, rules) == ("1-0", "win_adjudication", 6)
    assert ended(-600, 700, rules) == ("0-1", "win_adjudication", 6)
    assert ended(600, -499, rules)[1] != "win_adjudication"
    alone = Adjudication(resign_score=500, resign_moves=3, resign_alone=True)
    assert ended(0, -500, alone) == ("1-0", "win_adjudication", 6)


@pytest.mark.parametrize("guards, limit, result", [
    ("2bak4/4a4/4b4", 120, "1/2-1/2"),  # all guards on normal posts
    ("3ak4/4a4/4b4", 120, "1-0"), ("3ak4/4a4/4b4", None, "1-0"),
    ("3ak4/4a4/4b4", 5, None),  # a win that the limit does not allow
])  # fmt: skip
@pytest.mark.parametrize("red", [True, False])
def test_tables_end_a_game_after_a_capture(guards, limit, result, red):
    """For either side, if the limit allows the win."""
    start = Board(f"{guards}/p8/9/9/9/9/9/R3K4 w")
    board = start if red else start.mirror()
    quiet, waits, capture = ("a0a1", "a6a5", "a1a5") if red else ("a9a8", "a3a4", "a8a4")
    attacker, defender = Scripted("attacker", [quiet, capture]), Scripted("defender", [waits])
    record = play_game(
        *((attacker, defender) if red else (defender, attacker)), board, limit=NODES, no_capture_limit=limit,
        adjudication=Adjudication(tables="shipped", max_plies=4),
    )  # fmt: skip
    if result == "1-0" and not red:
        result = "0-1"
    wanted = (result, "table_adjudication", 3) if result else ("1/2-1/2", "max_plies", 4)
    assert (record.result, record.reason, record.plies) == wanted


def test_tables_end_no_game_without_a_capture():
    """A position before may come again, and the count to the limit has begun."""
    rules = Adjudication(tables="shipped", max_plies=2)
    start = Board("3ak4/4a4/4b4/9/9/9/9/9/9/R3K4 w")
    players = Scripted("a", ["a0a1"]), Scripted("b", ["e7c9"])
    record = play_game(*players, start, limit=NODES, adjudication=rules)
    assert (record.reason, record.plies) == ("max_plies", 2)


def test_both_must_agree_that_a_game_is_drawn():
    rules = Adjudication(draw_score=10, draw_moves=2, draw_ply=9)
    assert ended(7, -10, rules) == ("1/2-1/2", "draw_adjudication", 9)
    assert ended(0, None, rules)[1] != "draw_adjudication"


def test_long_games_end(ours):
    record = play_game(ours, ours, limit=NODES, adjudication=Adjudication(max_plies=10))
    assert (record.result, record.reason, record.plies) == ("1/2-1/2", "max_plies", 10)


@pytest.mark.parametrize("skill", [20, 7])
def test_equal_seeds_give_equal_games(skill):
    """Also between players that have played before, with a table full of other games."""
    first, second = (our("x", skill=skill) for _ in range(2))
    other = our("y", skill=12)
    play_game(second, other, limit=NODES, seed=99)
    games = [play_game(player, other, limit=NODES, seed=5) for player in (first, second)]
    assert games[0] == games[1]
    assert [n[:3] for n in games[0].notes] == [n[:3] for n in games[1].notes]
    if skill < 20:
        assert play_game(first, other, limit=NODES, seed=6) != games[0]


def test_players_get_seeds_of_their_own():
    red, black = Scripted("red"), Scripted("black")
    for seed in (0, 1, 2):
        play_game(red, black, ROOKS, limit=NODES, seed=seed)
    assert len({*red.seeds, *black.seeds}) == 6


def test_an_aborted_player_plays_no_more():
    player = our("x")
    player.abort()
    raises(PlayerError, "", player.play, Board(), NODES)


def test_openings_with_moves(ours):
    board = read_position(f"{Board().fen()} moves h2e2 马8进7")
    assert [str(move) for move in board.move_stack] == ["h2e2", "h9g7"]
    record = play_game(
        ours, ours, f"{Board().fen()} moves h2e2", limit=NODES, adjudication=Adjudication(max_plies=3)
    )
    assert (record.book, record.plies, len(record.moves)) == (1, 3, 4)
    assert record.board().turn == RED
    assert record == play_game(
        ours, ours, record_start(record), limit=NODES, adjudication=Adjudication(max_plies=3)
    )


def record_start(record):
    board = Board(record.fen)
    for move in record.moves[: record.book]:
        board.push(move)
    return board


@pytest.mark.parametrize(
    "arguments, part",
    [
        ({"opening": "nonsense"}, "FEN"),
        ({"opening": "4k4/9/9/9/9/9/9/9/9/3K5 w"}, "the game is over in the opening"),
        ({"limit": Limit()}, "never ends"),
        ({"limit": Limit(red_clock=1)}, "never ends"),
        ({"adjudication": Adjudication(max_plies=0)}, "max_plies must be at least 1"),
        ({"adjudication": Adjudication(resign_score=-5)}, "resign_score must be at least 1"),
    ],
)
def test_bad_arguments_are_refused(ours, arguments, part):
    raises(ValueError, part, play_game, ours, ours, **{"limit": NODES, **arguments})


@pytest.mark.system
def test_records_survive_json_and_pgn(ours):
    record = play_game(ours, bad("illegal", plies=7), limit=NODES)
    back = PlayedGame.from_dict(json.loads(json.dumps(record.to_dict())))
    assert back == record
    assert (back.detail, back.book) == (record.detail, record.book)
    assert [note[:3] for note in back.notes] == [note[:3] for note in record.notes]
    [read] = parse(text_of(record.game(), style="chinese"), strict=True)
    assert (tuple(read.mainline_moves()), read.result, read.headers["Termination"]) == (
        record.moves, record.result, "illegal_move",
    )  # fmt: skip
    assert read.children[0].comment.endswith("s")


def test_a_game_names_the_machine_and_the_build_that_judged_it(ours):
    data = play_game(ours, ours, ROOKS, limit=NODES).to_dict()
    assert data["host"] == platform.node()
    assert data["build"] == f"{__version__} {build_identity()['sources'][:8]}"
    assert PlayedGame.from_dict(data).to_dict() == data


def test_bad_players_are_refused():
    raises(ValueError, r"skill must be 0\.\.20", our("x", skill=21).engine)
    raises(ValueError, "rule_set must be one of", our("x", rule_set="fide").engine)


def test_black_may_begin(ours):
    record = play_game(
        ours, ours, Board().fen().replace(" w ", " b "), limit=NODES, adjudication=Adjudication(max_plies=1)
    )
    assert Board(record.fen).turn == BLACK


def test_a_clock_of_milliseconds_ends_the_game():
    """It once stood for no limit, and the game hung."""
    a, b = our("a"), our("b")
    record = play_game(a, b, limit=Limit(red_clock=0.002, black_clock=0.002), margin=0.0)
    assert record.reason == "time_forfeit"


def test_clocks_of_moves_get_their_time_again(clock):
    """Two moves a second: with 0.6 s a move the third would be too much, but for the next period."""
    limit = Limit(red_clock=1.3, black_clock=1.3, remaining_moves=2)
    told = []

    class Watching(Player):
        def play(self, board, limit):
            told.append((board.turn, round(limit.red_clock, 6), limit.remaining_moves))
            clock[0] += 0.6
            return super().play(board, Limit(nodes=1))

    record = play_game(
        *(Watching(name, partial(Engine, hash_mib=1)) for name in "ab"), limit=limit, margin=0.0,
        adjudication=Adjudication(max_plies=8),
    )  # fmt: skip
    assert record.reason == "max_plies"
    assert [(clock, moves) for red, clock, moves in told if red] == [(1.3, 2), (0.7, 1), (1.4, 2), (0.8, 1)]
