"""Matches: the plan, several games at once, journals and interruptions, the commands."""

import json
import os
import platform
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support import COMMAND, FAIRY, raises, terminal, wait_until

from eleengine import STARTING_FEN, Board, Limit, Move
from eleengine.__main__ import main
from eleengine._internal.benchmark import speed
from eleengine._internal.system import lock_file
from eleengine.engines import EngineError, ExternalEngine, PlayResult
from eleengine.jobs.executor import WorkerError
from eleengine.jobs.identity import differences
from eleengine.jobs.journal import Chain, parsed
from eleengine.lab.data.gametools import comment_score
from eleengine.lab.match.adjudication import Adjudication, tables_digest
from eleengine.lab.match.folder import journal_row
from eleengine.lab.match.game import PlayedGame
from eleengine.lab.match.journal import MatchJournal, read_match
from eleengine.lab.match.openings import read_openings, vary
from eleengine.lab.match.outputs import game_lines, player_lines, summary_lines
from eleengine.lab.match.plan import MatchPlan
from eleengine.lab.match.play import check_tables, play_match
from eleengine.lab.match.probe import probe
from eleengine.lab.match.report import as_markdown, report
from eleengine.lab.match.results import MatchResults
from eleengine.lab.match.spec import EngineSpec, PlayerSpec, ProgramSpec
from eleengine.lab.match.stats import Sprt
from eleengine.position_text import read_position
from eleengine.records import read_games
from eleengine.records.pgn import parse

ROOT = Path(__file__).parent.parent
OPENINGS = ROOT / "positions" / "openings.epd"
BAD = f"{sys.executable} {Path(__file__).with_name('bad_engine.py')}"
WEAK, STRONG = EngineSpec("weak", limit=Limit(nodes=20), hash_mib=1), EngineSpec("strong", hash_mib=1)
FENS = tuple(read_openings(OPENINGS)[:7])


def small(**changes):
    plan = {"players": (STRONG, WEAK), "openings": FENS, "limit": Limit(nodes=150), "pairs": 3}
    return MatchPlan(**{**plan, **changes})


def drawn(match, number, result="1/2-1/2", reason="repetition"):
    task = match.task(number)
    names = [match.players[index].name for index in (task.red, task.black)]
    return PlayedGame(*names, STARTING_FEN, (), 0, result, reason)


# The plan


def test_each_opening_is_played_with_both_colours():
    match = small(pairs=10)
    for number in range(0, match.games, 2):
        first, second = match.task(number), match.task(number + 1)
        assert first.pair == second.pair
        assert (first.red, first.black) == (second.black, second.red) == first.pairing


def test_each_opening_is_used_before_one_is_used_again():
    match = small(pairs=14)
    used = [match.opening(pair) for pair in range(14)]
    assert sorted(used[:7]) == sorted(FENS)
    assert sorted(text.partition(" moves ")[0] for text in used[7:]) == sorted(FENS)
    assert used[:7] != [small(seed=2).opening(pair) for pair in range(7)]


def test_openings_that_are_used_again_are_varied():
    """Players that always play the same moves must not play the same games."""
    match = small(openings=(STARTING_FEN,))
    openings = [match.opening(pair) for pair in range(40)]
    assert openings == [match.opening(pair) for pair in range(40)]
    assert openings[0] == STARTING_FEN
    assert len(set(openings)) >= 39
    for text in openings[1:]:
        board = read_position(text)
        assert board.ply == 4
        assert not board.is_check()
        assert not any(board.see_ge(move, 1) for move in board.legal_moves if board.is_capture(move))
    assert small(openings=(STARTING_FEN,), random_plies=0).opening(7) == STARTING_FEN


def test_openings_without_sound_moves_stay_as_they_are():
    forked = "3k5/9/9/9/n7n/9/9/9/9/R3K3R b"  # one of the knights is lost
    assert vary(forked, 1, random.Random(1)) == forked


def test_each_meets_each_or_the_first_meets_all():
    players = tuple(EngineSpec(name) for name in "abcd")
    match = small(players=players)
    assert len(match.pairings) == 6
    assert match.games == 6 * 3 * 2
    met = [match.task(number).pairing for number in range(match.games)]
    assert all(met.count(pairing) == 6 for pairing in match.pairings)
    assert small(players=players, gauntlet=True).pairings == [(0, 1), (0, 2), (0, 3)]


def test_a_longer_plan_begins_with_the_shorter_one():
    short, long = small(), small(pairs=300)
    assert [short.task(n) for n in range(6)] == [long.task(n) for n in range(6)]
    assert [short.opening(n) for n in range(20)] == [long.opening(n) for n in range(20)]


@pytest.mark.parametrize(
    "changes, part",
    [
        ({"players": (STRONG,)}, "two players or more"),
        ({"players": (STRONG, STRONG)}, "of different names, not strong, strong"),
        ({"limit": None}, "strong has no limit"),
        ({"pairs": 0}, "a pair of games"),
        ({"openings": ()}, "needs an opening"),
        ({"sprt": Sprt(9, 5)}, "elo0 must be below elo1"),
        ({"sprt": Sprt(0, 5), "players": tuple(map(EngineSpec, "abc"))}, "for two players"),
    ],
)
def test_bad_plans_are_refused(changes, part):
    raises(ValueError, part, small, **changes)


# Counting


def test_pairs_are_counted_in_the_order_of_the_plan():
    match = small()
    results = MatchResults(match)
    for number in (2, 3, 1):
        results.add(number, drawn(match, number, "1-0"))
        assert results.counts[0, 1] == [0, 0, 0, 0, 0]
    results.add(0, drawn(match, 0, "1-0"))
    assert results.counts[0, 1] == [0, 0, 2, 0, 0]
    results.add(4, drawn(match, 4, "1-0"))
    results.add(5, drawn(match, 5, "0-1"))
    assert results.counts[0, 1] == [0, 0, 2, 0, 1]
    assert results.wins((0, 1)) == (4, 0, 2)
    assert results.done


def test_nothing_is_counted_after_the_verdict():
    match = small(sprt=Sprt(0, 200), pairs=100)
    results = MatchResults(match)
    for number in range(200):
        results.add(number, drawn(match, number, "0-1" if number % 2 else "1-0"))
    assert results.verdict == "H1"
    assert sum(results.counts[0, 1]) < 30
    assert results.counted == 2 * sum(results.counts[0, 1]) == len(results.games())


def test_faults_and_rule_losses_are_named():
    match = small()
    results = MatchResults(match)
    ends = [("0-1", "crash"), ("0-1", "crash"), ("1-0", "perpetual_chase"), ("1/2-1/2", "repetition")]
    for number, (result, reason) in enumerate(ends):
        results.add(number, drawn(match, number, result, reason))
    assert results.faults() == {"strong": {"crash": 1}, "weak": {"crash": 1}}
    assert results.rule_losses() == {"weak": {"perpetual_chase": 1}}
    assert results.reasons() == {"crash": 2, "perpetual_chase": 1, "repetition": 1}


# Playing


@pytest.mark.parametrize("skill", ["20", "8"])
def test_matches_repeat_exactly(skill):
    """However many games run at once."""
    match = small(players=(EngineSpec("a", options={"skill": skill}, hash_mib=1), WEAK))
    once, again = play_match(match), play_match(match, concurrency=3)
    assert once.records == again.records
    assert len(once.records) == 6
    assert once.counts == again.counts


def test_more_nodes_win():
    results = play_match(small(pairs=2))
    [won, _, lost] = results.wins((0, 1))
    assert won > lost
    assert results.faults() == {}
    speeds = results.speeds()
    assert speeds["weak"]["depth"] < speeds["strong"]["depth"]
    assert speeds["weak"]["moves"] + speeds["strong"]["moves"] == sum(r.plies for r in results.games())


def test_an_sprt_ends_the_match():
    match = small(pairs=200, sprt=Sprt(0, 400), limit=Limit(nodes=300))
    results = play_match(match, concurrency=2)
    assert results.verdict == "H1"
    assert results.done
    alone = play_match(match)
    assert alone.counts == results.counts
    # The next games may have ended before the deciding one was counted.
    assert results.counted <= len(alone.records) <= results.counted + 2 < 100


@pytest.mark.skipif(not FAIRY, reason="needs fairy-stockfish")
def test_whole_games_against_fairy_stockfish():
    """Its rules and ours agree on every move and every mate."""
    fairy = ProgramSpec("fairy", (FAIRY,), limit=Limit(nodes=300), threads=1, hash_mib=4)
    results = play_match(small(players=(STRONG, fairy), pairs=2), concurrency=2)
    assert results.faults() == {}
    for record in results.games():
        outcome = record.board().outcome()
        assert outcome is None or record.reason == outcome.termination.name.lower()
    assert results.speeds()["fairy"]["depth"] > 2


@pytest.mark.system
def test_bad_engines_lose_all_games_but_the_match_goes_on():
    bad = ProgramSpec("bad", (*BAD.split(), "crash", "1"), protocol="uci")
    results = play_match(small(players=(STRONG, bad), pairs=2))
    assert results.faults() == {"bad": {"crash": 4}}
    assert results.counts[0, 1] == [0, 0, 0, 0, 2]


def test_errors_of_a_player_end_the_match():
    with pytest.raises(ValueError, match="unknown option 'colour'"):
        play_match(small(players=(STRONG, EngineSpec("b", options={"colour": "1"}))), concurrency=2)


@pytest.mark.system
def test_games_under_way_are_ended_with_the_match():
    """The first game to end is a short one; another would take minutes."""

    def report(results, number):
        raise RuntimeError("enough")

    match = small(openings=("4k4/9/9/9/9/9/9/9/3R5/R2K5 w", STARTING_FEN), limit=Limit(time=1), pairs=2)
    start = time.monotonic()
    raises(RuntimeError, "enough", play_match, match, concurrency=3, reports=[report])
    assert time.monotonic() - start < 100


# Journals


def keep(path, match, **arguments):
    with MatchJournal(path, match) as journal:
        return play_match(match, journal=journal, **arguments)


def games_of(path):
    lines = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    assert len({line["game"] for line in lines}) == len(lines)
    return {line["game"]: (line["moves"], line["result"], line["reason"]) for line in lines}


def test_an_interrupted_match_goes_on(tmp_path):
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    keep(whole, small())

    def cut(results, number):
        raise InterruptedError

    played = 0
    for _ in range(20):
        try:
            results = keep(parts, small(), concurrency=2, reports=[cut])
            break
        except InterruptedError:
            assert len(games_of(parts)) > played  # a game that was over is never lost
            played = len(games_of(parts))
    assert results.done
    assert games_of(parts) == games_of(whole)


def test_a_finished_match_can_be_made_longer(tmp_path):
    journal = tmp_path / "match.jsonl"
    keep(journal, small(pairs=1))
    before = journal.read_bytes()
    assert len(keep(journal, small(pairs=1)).records) == 2
    assert journal.read_bytes() == before
    assert len(keep(journal, small(pairs=2)).records) == 4
    assert journal.read_bytes().startswith(before)


@pytest.mark.parametrize("cut", [1, 30])
def test_a_line_that_was_cut_off_is_dropped(tmp_path, cut):
    journal = tmp_path / "match.jsonl"
    keep(journal, small(pairs=1))
    whole = journal.read_bytes()
    journal.write_bytes(whole[:-cut])
    keep(journal, small(pairs=1))
    assert games_of(journal).keys() == {0, 1}
    first = whole[: whole.index(b"\n") // 2]
    journal.write_bytes(first)  # within the plan
    assert len(keep(journal, small(pairs=1)).records) == 2


@pytest.mark.parametrize(
    "changes, part",
    [
        ({"limit": Limit(nodes=151)}, "with other limit$"),
        ({"seed": 2, "openings": FENS[:2]}, "with other openings, seed$"),
        ({"players": (WEAK, STRONG)}, "with other players$"),
    ],
)
def test_a_journal_of_another_match_is_refused(tmp_path, changes, part):
    journal = tmp_path / "match.jsonl"
    keep(journal, small(pairs=1))
    before = journal.read_bytes()
    with pytest.raises(ValueError, match=f"match.jsonl:1: the journal is of a match {part}"):
        MatchJournal(journal, small(**changes))
    assert journal.read_bytes() == before


@pytest.mark.parametrize("text", ["something\n", "something", '{"format": 1}\n', "\xff\n", "[]\n"])
def test_other_files_are_refused_and_left_alone(tmp_path, text):
    file = tmp_path / "file.txt"
    file.write_bytes(text.encode("latin-1"))
    raises(ValueError, r"file\.txt", MatchJournal, file, small())
    assert file.read_bytes() == text.encode("latin-1")


@pytest.fixture(scope="module")
def four_games(tmp_path_factory):
    """The lines of a journal."""
    journal = tmp_path_factory.mktemp("four") / "match.jsonl"
    keep(journal, small(pairs=2))
    return journal.read_bytes().splitlines(keepends=True)


def test_games_of_a_journal_beyond_the_plan_are_named(tmp_path, capsys):
    match = ["match", *words("a", 5), *words("b", 5), "--max-plies", 2, "--journal", tmp_path / "j"]
    for pairs, message in (2, ""), (1, "2 of its games do not count: they are beyond --pairs 1"):
        status, out, err = run(capsys, *match, "--pairs", pairs)
        assert status == 0 and f"{2 * pairs} games" in out
        assert err.rstrip().endswith(message) and bool(err) == bool(message)


def test_a_bit_that_has_changed_is_noticed(four_games, tmp_path):
    """Only in the end of the last line it may be taken for a line that was cut off."""
    whole = b"".join(four_games)
    rng = random.Random(1)
    for place in [*(rng.randrange(len(whole)) for _ in range(150)), *range(len(whole) - 20, len(whole))]:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << rng.randrange(8)
        journal = tmp_path / "match.jsonl"
        journal.write_bytes(damaged)
        try:
            with MatchJournal(journal, small(pairs=2)) as found:
                assert place == len(whole) - 1 and sorted(found.records) == [0, 1, 2]
        except ValueError as error:
            assert str(error).startswith(f"{journal}:")
            assert journal.read_bytes() == damaged


def test_lines_that_are_missing_doubled_or_moved_are_noticed(four_games, tmp_path):
    plan, one, two, three, four = four_games
    journal = tmp_path / "match.jsonl"
    for lines in ([plan, two], [plan, one, one, two], [plan, two, one], [plan, one, two, four, three]):
        journal.write_bytes(b"".join(lines))
        with pytest.raises(ValueError, match=r"match.jsonl:[234]: damaged: its checksum is another one"):
            MatchJournal(journal, small(pairs=2))


@pytest.mark.parametrize(
    "change",
    [
        {"game": -1}, {"game": True}, {"game": "0"}, {"game": None}, {"game": 0.0}, {"moves": 5},
        {"moves": ["h2e2"]}, {"moves": "h2e22"}, {"result": []}, {"result": "2-0"}, {"red": 5}, {"fen": None},
        {"book": "x"}, {"notes": 1}, {"notes": [[1]]}, {"notes": [["", 1, 2, "x"]]},
    ],
)  # fmt: skip
def test_a_sound_line_that_is_no_game_is_refused(four_games, tmp_path, change):
    journal = tmp_path / "match.jsonl"
    journal.write_bytes(b"".join(four_games[:2]))
    with MatchJournal(journal, small(pairs=2)) as found:
        game = {"game": 1, **found.records[0].to_dict(), **change}
        found._write(game)
    raises(ValueError, r"match.jsonl:3: ", MatchJournal, journal, small(pairs=2))


@pytest.mark.parametrize("path", ["/dev/full", "/dev/zero", "/dev/null"])
def test_a_journal_is_a_plain_file(path):
    if not os.path.exists(path):
        pytest.skip(f"there is no {path}")
    raises(ValueError, f"{path}: a journal must be a plain file", MatchJournal, path, small())


def test_two_matches_cannot_share_a_journal(tmp_path):
    pytest.importorskip("fcntl")
    with (
        MatchJournal(tmp_path / "a", small()),
        pytest.raises(ValueError, match="another match is writing it"),
    ):
        MatchJournal(tmp_path / "a", small())


# Openings and words


def test_openings_of_epd(tmp_path):
    file = tmp_path / "some.epd"
    file.write_text(
        "# a comment\n\n"
        '4k4/9/9/9/9/9/9/9/3R5/R2K5 w - - bm d1d9; id "x";\n'
        "4k4/9/9/9/9/9/9/9/3R5/R2K5 b - - 7 12\n"
    )
    assert read_openings(file) == [
        "4k4/9/9/9/9/9/9/9/3R5/R2K5 w - - 0 1",
        "4k4/9/9/9/9/9/9/9/3R5/R2K5 b - - 7 12",
    ]


def test_openings_of_pgn(tmp_path):
    file = tmp_path / "some.pgn"
    file.write_text('1. h2e2 h9g7 2. h0g2 *\n\n[Red "x"]\n\n1. b2e2 *\n')
    assert read_openings(file) == [f"{STARTING_FEN} moves h2e2 h9g7 h0g2", f"{STARTING_FEN} moves b2e2"]
    assert read_openings(file, plies=1) == [f"{STARTING_FEN} moves h2e2", f"{STARTING_FEN} moves b2e2"]
    assert read_openings(file, plies=0) == [STARTING_FEN] * 2


@pytest.mark.parametrize("encoding", ["utf-8-sig", "gb18030", "utf-16", "utf-16-be"])
def test_openings_in_any_encoding(tmp_path, encoding):
    (tmp_path / "a.epd").write_bytes(f'{STARTING_FEN} c0 "炮二平五";\r\n# 开局\r\n'.encode(encoding))
    assert read_openings(tmp_path / "a.epd") == [STARTING_FEN]


@pytest.mark.parametrize(
    "name, text, part",
    [
        ("a.epd", "\n9/9 w\n", "a.epd:2: "),
        ("a.epd", "4k4/9/9/9/9/9/9/9/9/3K5 w\n", r"a.epd:1: the game is over \(insufficient_material\)"),
        ("a.epd", "# nothing\n", "a.epd: no openings"),
        ("a.epd", f"{STARTING_FEN} move h2e2\n", "a.epd:1: not an exact FEN: 'move h2e2' behind the side"),
        ("a.pgn", "1. h2e2\nh2e2\n", "a.pgn: line 2: illegal move"),
        ("a.epd", f"{STARTING_FEN}\n\xff\xff", "a.epd: not a text"),
        ("a.epd", f"{STARTING_FEN}\n\0", "a.epd: byte 0: a binary file"),
    ],
)
def test_bad_openings_are_named(tmp_path, name, text, part):
    (tmp_path / name).write_bytes(text.encode("latin-1"))
    raises(ValueError, part, read_openings, tmp_path / name)


def test_a_player_in_words():
    words = "name=x proto=ucci dir=/d env.A=1 threads=2 hash=8 option.Use_Book=false tc=8+0.1 depth=9"
    assert PlayerSpec.from_words([*words.split(), "cmd=a 'b c'"]) == ProgramSpec(
        "x", ("a", "b c"), protocol="ucci", cwd="/d", env={"A": "1"}, threads=2, hash_mib=8,
        options={"Use_Book": "false"},
        limit=Limit(red_clock=8, black_clock=8, red_inc=0.1, black_inc=0.1, depth=9),
    )  # fmt: skip


def test_every_player_has_one_thread_and_a_named_hash(monkeypatch):
    """Unless it says otherwise, by a word or by an option; what it has is in the journal."""

    def of(*words):
        spec = PlayerSpec.from_words(["name=a", *words])
        assert PlayerSpec.from_dict(json.loads(json.dumps(spec.to_dict()))) == spec
        return spec.threads, spec.hash_mib

    assert of() == of("cmd=a") == (1, 16)
    assert of("cmd=a", "threads=3") == (3, 16) and of("cmd=a", "option.HashSize=9") == (1, None)
    assert of("cmd=a", "option.Threads=2", "option.Hash=8") == (None, None)
    assert PlayerSpec.from_dict({"name": "a", "command": ["a"]}).threads is None  # as 0.1 wrote it
    told = []
    monkeypatch.setattr(ExternalEngine, "configure", lambda self, options: told.append(dict(options)))
    PlayerSpec.from_words([f"cmd={sys.executable} -m eleengine"]).start().close()
    assert told[-2:] == [{"threads": 1}, {"hash": 16}]


def test_the_players_are_shown_and_why_their_games_do_not_repeat():
    players = [PlayerSpec.from_words(words.split()) for words in (
        "name=ours nodes=9", "name=own cmd=p option.Threads=2 nodes=9", "name=b cmd=p tc=8+0.08 threads=2",
    )]  # fmt: skip
    shown = player_lines(MatchPlan(tuple(players)), [{}, {"nodes": "varies: 8 and 9"}, {"nodes": "8"}])
    assert shown == [
        "ours: eleengine, 1 thread, 16 MiB hash, 9 nodes a move",
        "own: p, its own threads, 16 MiB hash, Threads=2, 9 nodes a move; "
        "games do not repeat: its own threads, nodes varies: 8 and 9",
        "b: p, 2 threads, 16 MiB hash, 8+0.08; games do not repeat: 2 threads, time",
    ]


def test_what_varies_says_how():
    """The second of three runs has other nodes in the last search."""
    nodes = iter([*range(7), 9, *range(4)])

    class Varying:
        def __enter__(self):
            return self

        def __exit__(self, *error):
            pass

        def new_game(self):
            pass

        def play(self, board, limit, timeout):
            return PlayResult(Move.from_iccs("h2e2"), None, info={"nodes": next(nodes) % 4})

    found = probe(Varying)
    assert found["nodes"] == "varies: 3 and 1 for one search"
    assert not found["move"].startswith("varies")
    assert not differences(found, {**found, "nodes": "1"}) and differences(found, {**found, "move": "1"})


@pytest.mark.parametrize("program, skill", [
    ([], "skill"), ([], "skilllevel"), ([], "Skill Level"),
    pytest.param([f"cmd={sys.executable} -m eleengine"], "skill", marks=pytest.mark.system),
])  # fmt: skip
def test_an_option_means_the_same_here_and_in_another_program(program, skill):
    """The level shows: it thinks less than it is asked to."""
    words = ["name=a", f"option.{skill}=0", "option.rule_set=cxa", *program]
    with PlayerSpec.from_words(words).start() as engine:
        assert engine.play(Board(), Limit(nodes=100_000)).info["nodes"] < 20_000
    with pytest.raises((ValueError, EngineError), match=r"a: .*'nonsense'.* Skill Level"):
        PlayerSpec.from_words([*words, "option.nonsense=3"]).start()
    with pytest.raises((ValueError, EngineError), match=r"a: .* must be one of .* not 'fide'"):
        PlayerSpec.from_words([*words[:2], "option.rule_set=fide", *program]).start()


@pytest.mark.parametrize(
    "word, part",
    [
        ("fast", "expected KEY=VALUE"),
        ("speed=9", "unknown; the words are"),
        ("proto=xboard", "unknown"),
        ("threads=0", "a whole number from 1 to"),
        ("nodes=1e3", "a whole number"),
        ("time=-1", "must be seconds"),
        ("tc=5:0", "a clock is seconds"),
        ("tc=10+", "a clock is seconds"),
        ("tc=40/60+", "a clock is seconds"),
        ("tc=10++1", "a clock is seconds"),
        ("cmd='", "No closing quotation"),
        ("option.=3", "unknown"),
        ("proto=uci", "which cmd= names"),
        ("dir=/nonexistent", "which cmd= names"),
        ("env.X=1", "which cmd= names"),
        ("name=a\nb", "cannot be named"),
        ("hash=8", "there is 'hash=16' already"),
    ],
)
def test_bad_words_are_named(word, part):
    raises(ValueError, part, PlayerSpec.from_words, ["hash=16", word])


@pytest.mark.system
def test_books_are_off_in_matches():
    ours = (sys.executable, "-m", "eleengine")
    for options, by_book in (({}, False), ({"UseBook": "true"}, True)):
        with ProgramSpec("ours", command=ours, protocol="ucci", options=options).start() as engine:
            assert ("nodes" not in engine.play(Board(), Limit(depth=2)).info) == by_book
    player = EngineSpec("ours").open()
    player.new_game(1)
    assert player.play(Board(), Limit(depth=2)).info["nodes"] > 0
    player = EngineSpec("ours", options={"book": "masters"}).open()
    replies = []
    for seed in (1, 1, 2):
        player.new_game(seed)
        replies.append([player.play(Board(), Limit(depth=2)) for _ in range(9)])
    assert replies[0] == replies[1] != replies[2]
    assert not any("nodes" in reply.info for reply in replies[0])
    assert player.play(Board("3k5/R8/8R/9/9/9/9/9/9/5K3 w"), Limit(depth=2)).info["nodes"] > 0
    raises(ValueError, "BOOK", EngineSpec("ours", options={"book": __file__}).open)


# The commands


def run(capsys, *argv):
    status = main([str(word) for word in argv])
    out, err = capsys.readouterr()
    return status, out, err


def words(name, nodes, *more):
    return "-e", f"name={name}", f"nodes={nodes}", "hash=1", *more


SHORT = ["match", *words("a", 30), *words("b", 20), "--pairs", 1, "--max-plies", 6]


def test_match_tells_plays_and_writes(tmp_path, capsys):
    pgn, journal = tmp_path / "games.pgn", tmp_path / "match.jsonl"
    command = [
        "match", *words("a", 100), *words("b", 30), "--openings", OPENINGS, "--pairs", 2,
        "--sprt", "-400", 400, "--pgn", pgn, "--journal", journal, "--style", "wxf",
    ]  # fmt: skip
    status, out, err = run(capsys, *command)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert [line.partition(":")[0] for line in lines[:2]] == ["a", "b"]
    del lines[:2]
    assert lines[0].startswith("   1 a - b ") and ", LLR " in lines[6]
    assert re.fullmatch(r"a v b: 4 games, won \d, drawn \d, lost \d, [\d.]+ %, draws [\d.]+ %", lines[4])
    assert re.fullmatch(r"pairs 2-0 \d, 1.5-0.5 \d, 1-1 \d, 0.5-1.5 \d, 0-2 \d", lines[5])
    assert re.match(r"Elo .* \[.*\], normalised .*, LOS ", lines[6])
    assert any(line.startswith("SPRT [-400, 400] (logistic): ") for line in lines)
    assert any(line.startswith("ended by: ") for line in lines)
    written = list(read_games(pgn))
    assert [game.headers["Red"] for game in written] == ["a", "b", "a", "b"]
    assert [game.headers["Round"] for game in written] == ["1.1", "1.2", "2.1", "2.2"]
    assert [game.headers["TimeControl"] for game in written][:2] == [
        "100 nodes a move - 30 nodes a move", "30 nodes a move - 100 nodes a move",
    ]  # fmt: skip
    assert {game.headers["Event"] for game in written} == {"a v b"}
    assert {game.headers["Date"] for game in written} <= {f"{day:%Y.%m.%d}" for day in days()}
    fens = read_openings(OPENINGS)
    for game in written:
        assert game.start == Board(fens[int(game.headers["Opening"]) - 1]).fen()
    assert any(line.endswith("] corrected for stopping by the test") for line in out.splitlines())

    status, again, _ = run(capsys, *command)
    assert (status, again.splitlines()[2:6]) == (0, lines[4:8])
    lines = [[*game.mainline_moves()] for game in read_games(pgn)]
    assert lines == [[*game.mainline_moves()] for game in written]


def days():
    """Today, and yesterday for who runs at midnight."""
    return date.today(), date.today() - timedelta(1)


def test_openings_in_the_order_of_the_file_and_from_an_offset():
    plan = small(order="file", first=2, pairs=7)
    found = [plan.opening(pair) for pair in range(7)]
    assert found[:5] == list(FENS[2:])
    assert [plan.opening_number(pair) for pair in range(7)] == [2, 3, 4, 5, 6, 0, 1]
    assert found[5:] != list(FENS[:2])  # the second time round there are other moves after them
    shuffled, later = small(pairs=7), small(first=3, pairs=4)
    assert [later.opening(pair) for pair in range(4)] == [shuffled.opening(pair) for pair in range(3, 7)]
    raises(ValueError, "there is no opening 8: there are 7", small, first=7)


def test_a_plan_comes_back_from_its_data():
    players = (
        STRONG,
        ProgramSpec("x", ("a", "b c"), protocol="ucci", env={"A": "1"}, limit=Limit(red_clock=3)),
    )
    for plan in (
        small(),
        small(players=players, sprt=Sprt(0, 5), adjudication=Adjudication(600, resign_alone=True), hang=600.0,
              order="file", first=1, scale_to=10**6),
    ):  # fmt: skip
        assert MatchPlan.from_dict(json.loads(json.dumps(plan.to_dict())), plan.pairs) == plan


def test_times_are_those_of_the_machine_that_is_named(monkeypatch):
    monkeypatch.setattr("eleengine.lab.match.plan.speed", lambda: 250_000)
    limit = Limit(red_clock=60, black_clock=60, red_inc=0.5, nodes=100)
    plan = small(players=(replace(STRONG, limit=limit), WEAK), scale_to=10**6, pairs=1)
    seen = []

    class Spy:
        name = "spy"

        def new_game(self, seed):
            pass

        def play(self, board, limit):
            seen.append(limit)
            return PlayResult(None, None)

        def end_game(self):
            seen.append("end")

    plan.play(0, {0: Spy(), 1: Spy()})
    given = Limit(red_clock=240, black_clock=None, red_inc=2.0, black_inc=0.0, nodes=100)
    assert seen == [given, "end", "end"]


@pytest.mark.slow
def test_the_speed_of_a_machine_is_that_of_bench(capsys):
    assert main(["bench"]) == 0
    told = float(re.search(r"nodes/s (\d+)", capsys.readouterr().out)[1])
    assert speed() == pytest.approx(told, rel=0.8)


@pytest.mark.system
def test_a_match_is_broken_off_after_faults(tmp_path, capsys, monkeypatch):
    """Even if the disk is slow and the games are short."""
    journal = tmp_path / "m.jsonl"
    append = MatchJournal.append
    monkeypatch.setattr(MatchJournal, "append", lambda self, games: (time.sleep(0.3), append(self, games)))
    command = ["match", "-e", "name=bad", f"cmd={BAD} illegal 3", "nodes=9", *words("b", 50), "--pairs", 50,
               "--max-faults", 3, "--journal", journal]  # fmt: skip
    status, out, err = run(capsys, *command)
    assert status == 1
    assert "broken off after 3 games lost by faults" in err
    assert "faults: bad: illegal_move " in out
    before = len(games_of(journal))
    assert 3 <= before <= 6  # of 100; some end while the third is being written
    assert run(capsys, *command)[0] == 1
    assert len(games_of(journal)) == before  # it stays so


@pytest.mark.system
def test_a_fault_counts_without_the_other_game_of_its_pair(capsys):
    # A second for each move of b: the other game has not ended when the first is counted.
    command = ["match", "-e", "name=bad", f"cmd={BAD} illegal 3", "nodes=9", "-e", "name=b", "time=1",
               "--max-faults", 1]  # fmt: skip
    status, out, err = run(capsys, *command)
    assert (status, err) == (1, "eleengine: broken off after 1 games lost by faults\n")
    assert out.splitlines()[-2:] == [
        "bad v b: no pair of games has ended yet", "faults: bad: illegal_move 1",
    ]  # fmt: skip
    status, out, _ = run(capsys, *command, "--json")
    assert (status, json.loads(out)["faults"]) == (1, {"bad": {"illegal_move": 1}})


def test_two_outputs_can_be_one_device(capsys):
    assert run(capsys, *SHORT, "--pgn", os.devnull, "--engine-log", os.devnull)[0] == 0


@pytest.mark.system
@pytest.mark.skipif(sys.platform != "linux", reason="there is no way")
def test_games_stay_on_processors_of_their_own(tmp_path):
    there = os.sched_getaffinity(0)
    told = tmp_path / "told"
    program = tmp_path / "engine.py"
    program.write_text(
        f"import os\nopen({str(told)!r}, 'a').write(f'{{sorted(os.sched_getaffinity(0))}}\\n')\n"
        f"import runpy, sys\nsys.argv = ['bad', 'fine']\n"
        f"runpy.run_path({str(Path(__file__).with_name('bad_engine.py'))!r}, run_name='__main__')\n"
    )
    players = (ProgramSpec("p", (sys.executable, str(program)), limit=Limit(depth=1)), WEAK)
    plan = small(players=players, pairs=1, adjudication=Adjudication(max_plies=4))
    play_match(plan, concurrency=1, own_processors=True)
    assert [json.loads(line) for line in told.read_text().splitlines()] == [[min(there)]]
    assert os.sched_getaffinity(0) == there
    with pytest.raises(ValueError, match=r"processors are needed, and there are"):
        play_match(plan, concurrency=len(there) + 1, own_processors=True)


def test_words_for_each_engine_come_before_its_own(tmp_path, capsys):
    journal = tmp_path / "m.jsonl"
    status, _, err = run(capsys, "match", "-e", "name=a", "-e", "name=b", "nodes=30",
                         "--each", "nodes=20", "hash=1", "--pairs", 1, "--journal", journal)  # fmt: skip
    assert status == 0, err
    players = [(player.limit, player.hash_mib) for player in read_match(journal).plan.players]
    assert players == [(Limit(nodes=20), 1), (Limit(nodes=30), 1)]


@pytest.mark.system
def test_a_log_of_engines_has_both_sides_of_the_talk(tmp_path, capsys):
    log = tmp_path / "engines.log"
    status, _, err = run(capsys, "match", "-e", "name=bad", f"cmd={BAD} fine", "-e", "name=ours",
                         "--nodes", 20, "--pairs", 1, "--max-plies", 4, "--engine-log", log)  # fmt: skip
    assert status == 0, err
    text = log.read_text()
    number = re.findall(r"(\d+) is bad$", text, re.M)[-1]
    assert re.search(rf" {number} position fen .*\n.* {number} go ", text)
    assert re.search(rf" {number} << bestmove ", text)
    refused = run(capsys, "match", "-e", "name=a", "-e", "name=b", "--nodes", 20, "--engine-log", tmp_path)
    assert refused[0] == 2 and str(tmp_path) in refused[2]


@pytest.mark.system
def test_programs_ponder_while_the_other_thinks(tmp_path, capsys):
    """Two that play and expect the first legal move: all thoughts are hit but the last of a game."""
    log = tmp_path / "log"
    first, second = ([f"name={name}", f"cmd={BAD} ponders"] for name in "pq")
    status, _, err = run(capsys, "match", "-e", *first, "ponder=true", "-e", *second, "--tc", "30+1",
                         "--pairs", 1, "--max-plies", 8, "--engine-log", log)  # fmt: skip
    assert status == 0, err
    text = log.read_text()
    assert "name Ponder value true" in text
    assert (text.count(" go ponder "), text.count(" ponderhit\n")) == (8, 6)
    refused = run(capsys, "match", "-e", *first, "ponder=true", "-e", *second, "--nodes", 5)
    assert refused[0] == 2 and "p cannot ponder without a clock" in refused[2]
    refused = run(capsys, "match", "-e", "name=a", "ponder=true", "-e", *second, "--tc", 1)
    assert refused[0] == 2 and "a: only programs named with cmd= can ponder" in refused[2]


# Reports


def reported(tmp_path, capsys, *arguments):
    journal = tmp_path / "m.jsonl"
    assert run(capsys, *arguments, "--journal", journal)[0] in (0, 1)
    status, text, err = run(capsys, "report", journal)
    assert (status, err) == (0, "")
    page = tmp_path / "m.html"
    assert run(capsys, "report", journal, "--out", page) == (0, "", "")
    return text, page.read_text(encoding="utf-8")


def test_a_report_tells_what_the_match_told(tmp_path, capsys):
    command = ["match", *words("a", 200), *words("<b|>", 30), "--openings", OPENINGS, "--pairs", 4,
               "--sprt", "-90", 90, "--order", "file"]  # fmt: skip
    journal = tmp_path / "m.jsonl"
    text, page = reported(tmp_path, capsys, *command)
    told = json.loads(run(capsys, *command, "--journal", journal, "--json")[1])
    [pairing] = told["pairings"]
    cells = [told["games"], pairing["wins"], pairing["draws"], pairing["losses"], *reversed(pairing["pairs"])]
    assert text.startswith("# a v \\<b\\|\\>\n")
    assert f"| a v \\<b\\|\\> | {' | '.join(map(str, cells))} |" in text
    assert f"| LLR | {told['sprt']['llr']:.2f} (-2.94, 2.94) |" in text
    assert "<td>a v &lt;b|&gt;</td>" + "".join(f"<td>{cell}</td>" for cell in cells) in page
    assert "| command line | eleengine " in text and f"| machine at the start | {platform.node()}, " in text
    assert "eleengine, 1 thread, 1 MiB hash, 200 nodes a move" in text
    curve = ElementTree.fromstring(re.search("<svg.*</svg>", page, re.S)[0])
    [line] = [part for part in curve.iter() if part.tag.endswith("polyline")]
    heights = [float(point.split(",")[1]) for point in line.get("points").split()]
    bounds = {part.text: float(part.get("y")) for part in curve.iter() if part.tag.endswith("text")}
    assert len(heights) == told["games"] // 2 + 1
    assert heights[0] == bounds["0.00"]
    per_unit = (bounds["-2.94"] - bounds["2.94"]) / (2 * 2.9444)
    assert bounds["0.00"] - heights[-1] == pytest.approx(told["sprt"]["llr"] * per_unit, abs=0.2)
    assert text.count("*") >= len(heights)  # the same curve in letters


def test_a_report_of_a_tournament_under_way(tmp_path, capsys):
    players = [*words("a", 90), *words("b", 30), *words("c", 20)]
    text, page = reported(tmp_path, capsys, "tournament", *players, "--pairs", 2)
    assert text.startswith("# Tournament of 3 engines\n")
    assert re.search(r"\| 1 \| [abc] \| \+\d+ \| ", text)
    assert "<svg" not in page
    journal = tmp_path / "m.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:2]) + lines[2][:50])
    assert "No pair of games has ended yet." in run(capsys, "report", journal)[1]
    assert journal.read_bytes().endswith(lines[2][:50])  # it is only read


def test_a_report_names_builds_and_machines_if_there_are_several(four_games, tmp_path):
    (tmp_path / "j").write_bytes(b"".join(four_games))
    found = read_match(tmp_path / "j")
    assert "games by" not in as_markdown(report(found))
    found.results.records[1] = replace(found.results.records[1], host="other", build="0.1 abc")
    text = as_markdown(report(found))
    assert re.search(r"\| games by machine \| \S+ \(3\), other \(1\) \|", text)
    assert re.search(r"\| games by build of eleengine \| \S+ \w+ \(3\), 0\.1 abc \(1\) \|", text)


def test_a_move_is_explained_by_the_journal(four_games, tmp_path, capsys):
    """By what its player saw, what the other one had expected, and what that one saw after it."""
    (tmp_path / "j").write_bytes(b"".join(four_games))
    record = read_match(tmp_path / "j").results.records[1]
    assert [note.pv.split()[0] for note in record.notes] == [m.iccs() for m in record.moves[record.book :]]
    assert max(len(note.pv.split()) for note in record.notes) in range(3, 11)

    status, out, _ = run(capsys, "report", tmp_path / "j", "--game", 2)
    shown = [re.split(" {2,}", line.strip()) for line in out.splitlines()[2:]]
    assert [(int(row[0]), row[1], row[4]) for row in shown] == [
        (record.book + n, record.moves[record.book + n - 1].iccs(), f"{note.nodes:,}")
        for n, note in enumerate(record.notes, 1)
    ]
    ply = record.book + 3
    status, out, _ = run(capsys, "report", tmp_path / "j", "--game", 2, "--ply", ply)
    board = record.board(ply - 1)
    mover, other = (record.red, record.black) if board.turn else (record.black, record.red)
    lines = out.splitlines()[1:]
    assert lines[0] == f"position  {board.fen()}"
    assert f"{mover}, plays {record.moves[ply - 1].iccs()}" in lines[1]
    for line, title, name, note in zip(lines[2:], ("before", "move", "after"), (other, mover, other),
                                       record.notes[1:], strict=False):  # fmt: skip
        assert line.startswith(f"{title:<9} {name}: ") and line.endswith(f" ms: {note.pv}")
    for bad, part in ((("--game", 9), "no game 9: 4 have ended"), (("--ply", 1), "--ply goes with --game"),
                      (("--game", 1, "--ply", 9999), "there is no ply 9999"),
                      (("--game", 1, "--serve"), "leave out")):  # fmt: skip
        status, out, err = run(capsys, "report", tmp_path / "j", *bad)
        assert (status, out) == (2, "") and part in err


def test_a_journal_without_lines_of_moves_is_read(four_games, tmp_path, capsys):
    """As 0.1 and builds before 0.2 wrote it."""
    chain = Chain()
    plan, *games = map(parsed, four_games)
    for game in games:
        del game["ended"]
        game["notes"] = [note[:4] for note in game["notes"]]
    (tmp_path / "j").write_bytes(b"".join(map(chain.sealed, (plan, *games))))
    assert "no line" in run(capsys, "report", tmp_path / "j", "--game", 1, "--ply", 9)[1]


def test_what_a_player_does_not_say_is_not_shown_as_nothing(four_games, tmp_path, capsys):
    """Its moves may have neither depth nor nodes; the other ones count."""
    (tmp_path / "j").write_bytes(b"".join(four_games))
    records = dict(read_match(tmp_path / "j").results.records)
    for number, record in records.items():
        notes = [
            note if name == "strong" and ply > 1 else note._replace(depth=0, nodes=0)
            for ply, note in enumerate(record.notes)
            for name in [(record.red, record.black)[(ply + record.book + (" b " in record.fen)) % 2]]
        ]
        records[number] = replace(record, notes=tuple(notes))
    results = MatchResults(small(pairs=2), records)
    speeds = results.speeds()
    assert speeds["weak"].keys() == {"moves", "seconds", "longest"}
    assert speeds["strong"]["depth"] >= 1 and speeds["strong"]["nps"] > 0
    [line] = [line for line in summary_lines(results.summary()) if line.startswith("weak: ")]
    assert line.endswith(", depth ?, ? nodes/s")

    lines = [parsed(four_games[0]), *({"game": n, **record.to_dict()} for n, record in records.items())]
    (tmp_path / "j").write_bytes(b"".join(map(Chain().sealed, lines)))
    text = run(capsys, "report", tmp_path / "j")[1]
    assert re.search(r"\| weak \| [\d.]+ \| \d+ \| \? \| \? \|", text)
    game = run(capsys, "report", tmp_path / "j", "--game", 1)[1]
    assert re.search(r" \? +\? +[\d.]+  ", game) and not re.search(r" 0 +0 +[\d.]+  ", game)
    ply = records[0].book + 2
    assert "depth ?, ? nodes" in run(capsys, "report", tmp_path / "j", "--game", 1, "--ply", ply)[1]


def test_the_comments_of_a_pgn_file_are_chosen(tmp_path, capsys):
    journal, pgn = tmp_path / "j", tmp_path / "g.pgn"
    command = [*SHORT, "--journal", journal]
    assert run(capsys, *command, "--pgn", pgn, "--pgn-comments", "pv", "nodes")[0] == 0
    records = read_match(journal).results.records
    for number, game in enumerate(read_games(pgn)):
        comments = [node.comment for node in game.mainline()]
        told = [re.sub(r"[0-9.]+s", "s", note.comment(["nodes", "pv"])) for note in records[number].notes]
        assert [re.sub(r"[0-9.]+s", "s", comment) for comment in comments] == told
        for note, text in zip(records[number].notes, comments, strict=True):
            assert f', n={note.nodes}, pv="' in text
        assert [comment_score(text) for text in comments] == [note.score for note in records[number].notes]
    status, _, err = run(capsys, *command, "-pgnout", f"file={tmp_path / 'f.pgn'}", "nps=true", "tbhits=true")
    assert status == 0, err
    assert re.search(r"\{\+?\S+ [0-9.]+s, nps=\d+, tbhits=0\}", (tmp_path / "f.pgn").read_text())


def test_the_line_of_a_game_is_short_and_the_table_comes_now_and_then(tmp_path, capsys):
    names = ("n" * 60 + "1", "m" * 60 + "2")
    bad = PlayedGame(*names, STARTING_FEN, (), 0, "1/2-1/2", "insufficient_material", "why\nnot")
    line, detail = game_lines(9_999_999, bad)
    assert len(line) <= 100 and "n1 - m" in line and detail.strip() == "why not"
    status, out, _ = run(capsys, "match", *words("a", 50), *words("b", 20), "--pairs", 5, "--max-plies", 4,
                         "--rating-interval", 2)  # fmt: skip
    assert status == 0 and max(map(len, out.splitlines())) <= 130
    kinds = ["g" if re.match(r" *\d+ [ab] - [ab] ", line) else "t" if line.startswith("Elo ") else ""
             for line in out.splitlines()]  # fmt: skip
    assert "".join(kinds) == "ggggtggggtggt"


def test_a_queue_is_worked_off_and_its_folder_is_a_list(tmp_path, capsys):
    """A line that cannot be played is reported and left out; a match that is being played, too."""
    queue, folder = tmp_path / "lab" / "night.queue", tmp_path / "lab"
    folder.mkdir()
    engines = "-e name=a nodes=9 -e name=b nodes=5 --max-plies 4 --pairs 2 --json"
    queue.write_text(f"""# of tonight
        {engines} --journal {folder}/one.jsonl
        {engines}
        eleengine match {engines} --journal {folder}/two.jsonl --sprt -9 9  # the same under test
        {engines} --journal {folder}/three.jsonl --pears 3
        tournament -e name=c nodes=5 {engines} --pairs 1 --journal={folder}/four.jsonl
        {engines} --journal {folder}/taken.jsonl
    """)
    with open(folder / "taken.jsonl", "w") as taken:
        assert lock_file(taken)
        status, out, err = run(capsys, "match", "--queue", queue)
    assert status == 2
    assert f"{queue}:3: a match of a queue needs --journal FILE" in err and "--pears" in err
    assert "taken.jsonl: another match is writing it" in err
    assert [json.loads(line)["games"] for line in out.splitlines() if line.startswith("{")] == [4, 4, 6]
    began = read_match(folder / "two.jsonl").began
    assert began["command"].endswith("two.jsonl --sprt -9 9") and began["games"] == "4"
    again, out, _ = run(capsys, "match", "--queue", queue)
    # All that are done show their result, and the last is played.
    assert again == 2 and sum(line.startswith("{") for line in out.splitlines()) == 4

    (folder / "taken.jsonl").unlink()
    (folder / "other.jsonl").write_text("{}\n")
    (folder / "bad.jsonl").write_text('{"format": "eleengine match 4"}\n')
    text = run(capsys, "report", folder)[1]
    rows = {row[0]: row[1:] for line in text.splitlines() if (row := line.strip("| ").split(" | "))[1:]}
    assert rows["one.jsonl"][:3] == ["a v b", "ended", "4 of 4"]
    assert rows["two.jsonl"][1] == "ended" or "accepted" in rows["two.jsonl"][1]
    assert rows["two.jsonl"][5].endswith("(-2.94, 2.94)")
    assert rows["four.jsonl"][:3] == ["a v b v c", "ended", "6 of 6"] or rows["four.jsonl"][2] == "6 of 6"
    assert rows["taken.jsonl"][1] == "waits in night.queue"
    assert rows["bad.jsonl"][1].startswith("cannot be read")
    assert "other.jsonl" not in text
    for more, part in (("--json", "--queue stands alone"), ("--pairs=3", "--queue stands alone")):
        assert part in run(capsys, "match", "--queue", queue, more)[2]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "gb18030", "utf-16"])
def test_a_queue_is_read_as_editors_write_it(tmp_path, capsys, encoding):
    queue = tmp_path / "night.queue"
    line = f"-e name=甲 -e name=乙 --nodes 5 --max-plies 4 --pairs 1 --journal {tmp_path}/j.jsonl\n"
    queue.write_bytes(line.encode(encoding))
    status, out, err = run(capsys, "match", "--queue", queue)
    assert (status, err) == (0, "") and "甲 v 乙: 2 games" in out
    queue.write_bytes(b"\0\xff")
    assert f"{queue}: not a text in UTF-8" in run(capsys, "match", "--queue", queue)[2]


def test_a_match_names_the_tables_that_end_its_games(tmp_path, capsys):
    openings, journal = tmp_path / "o.epd", tmp_path / "m.jsonl"
    openings.write_text("3ak4/4a4/4b4/p8/9/9/9/9/9/R3K4 w\n")
    command = ["match", *words("a", 400), *words("b", 400), "--pairs", 1, "--openings", openings]
    pgn = tmp_path / "g.pgn"
    status, out, err = run(capsys, *command, "--tables", "shipped", "--journal", journal, "--pgn", pgn)
    assert status == 0, err
    assert out.count("(table_adjudication, ") == 2 and pgn.read_text().count('"table_adjudication"') == 2
    rules = read_match(journal).plan.adjudication
    assert (rules.tables, rules.tables_digest) == ("shipped", tables_digest("shipped"))
    assert f"endgame tables of shipped ({rules.tables_digest})" in run(capsys, "report", journal)[1]
    assert "other adjudication" in run(capsys, *command, "--journal", journal)[2]
    check_tables(rules)
    raises(WorkerError, "other endgame tables in shipped", check_tables, replace(rules, tables_digest="0"))
    raises(WorkerError, "no endgame tables", check_tables, replace(rules, tables=str(tmp_path)))
    assert "no endgame tables: make some" in run(capsys, *command, "--tables", tmp_path)[2]
    assert "tables" not in MatchPlan.to_dict(small())["adjudication"]  # as versions before wrote it


def test_a_match_that_went_on_with_more_games_has_them_in_its_plan(tmp_path, capsys):
    """A journal of an older version does not say how many."""
    command = ["match", "-e", "name=a", "-e", "name=b", "--nodes", 9, "--max-plies", 4, "--journal"]
    for pairs in (2, 5):
        assert run(capsys, *command, tmp_path / "j", "--pairs", pairs)[0] == 0
        row = journal_row(read_match(tmp_path / "j"))
        assert row[1:3] == ("ended", f"{2 * pairs} of {2 * pairs}")
    lines = (tmp_path / "j").read_bytes().splitlines(keepends=True)
    (tmp_path / "open").write_bytes(b"".join(lines[:7]))
    assert journal_row(read_match(tmp_path / "open"))[1:3] == ("open", "6 of 10")
    chain = Chain()
    older = [chain.sealed({k: v for k, v in parsed(line).items() if k != "planned"}) for line in lines]
    (tmp_path / "older").write_bytes(b"".join(older))
    assert journal_row(read_match(tmp_path / "older"))[1:3] == ("open", "10")


def test_games_an_hour_are_those_of_the_last_games(four_games, tmp_path):
    """However long ago the others were."""
    (tmp_path / "j").write_bytes(b"".join(four_games))
    match = read_match(tmp_path / "j")
    records = match.results.records
    for number, ended in zip(range(4), (1, 10**9, 10**9 + 30, 10**9 + 60), strict=True):
        records[number] = replace(records[number], ended=ended)
    assert journal_row(match)[-2] == "0"  # of 4 games in thirty years
    del records[0]
    assert journal_row(match)[-2] == "120"


@pytest.mark.parametrize("text, part", [
    ("", ":1: not a journal of a match"), ("{}\n", ":1: not a journal"), ("[]\n", ":1: "), ("x\n", ":1: "),
    ('{"format": "eleengine match 3"}\n', ":1: damaged"),
])  # fmt: skip
def test_what_is_no_journal_has_no_report(tmp_path, capsys, text, part):
    (tmp_path / "j").write_text(text)
    status, out, err = run(capsys, "report", tmp_path / "j")
    assert (status, out) == (2, "")
    assert part in err


@pytest.mark.parametrize("command", ["report", "ratings"])
def test_a_journal_of_a_kind_that_was_removed_is_refused(four_games, tmp_path, capsys, command):
    """Read as if each had met each, its games would be of other players."""
    chain = Chain()
    plan, *games = map(parsed, four_games)
    (tmp_path / "j").write_bytes(b"".join(map(chain.sealed, (plan | {"swiss": 3}, *games))))
    status, out, err = run(capsys, command, tmp_path / "j")
    assert (status, out) == (2, "")
    assert "j:1: of a kind of match that this version does not have: swiss" in err


@pytest.mark.system
@pytest.mark.skipif(os.name == "nt", reason="there are no such terminals")
def test_match_shows_a_table_on_a_terminal():
    status, text = terminal("match", *words("a", 30), *words("b", 20), "--pairs", 1)
    assert status == 0
    assert "1 of 2 games" in text
    assert text.index("\x1b[J") < text.rindex("a v b: 2 games")
    assert text.rstrip().endswith("nodes/s\x1b[?25h") or text.rstrip().endswith("nodes/s")


def test_tournament_makes_a_table(capsys):
    argv = ["tournament", *words("x", 60), *words("y", 40), *words("z", 20), "--pairs", 1]
    status, out, _ = run(capsys, *argv)
    assert status == 0
    table = out[out.index("rating") :].splitlines()
    assert {line.split()[-1] for line in table[1:4]} == {"x", "y", "z"}
    assert out.count("points") == 1
    status, out, _ = run(capsys, *argv, "--gauntlet", "--json")
    assert [pairing["players"] for pairing in json.loads(out)["pairings"]] == [["x", "y"], ["x", "z"]]
    assert len(json.loads(out)["ratings"]) == 3


def test_engines_without_names_are_told_apart(capsys):
    _, out, _ = run(capsys, "match", "-e", "hash=1", "-e", "hash=1", "--nodes", 20, "--pairs", 1)
    assert "eleengine #1 v eleengine #2" in out


@pytest.mark.system
def test_faults_give_status_1(capsys):
    bad = ["-e", "name=bad", f"cmd={BAD} illegal 2", "proto=uci"]
    status, out, _ = run(capsys, "match", *words("a", 30), *bad, "--nodes", 30, "--pairs", 1)
    assert status == 1
    assert "faults: bad: illegal_move 2" in out
    assert re.search(r"\(illegal_move, 3 plies\)\n     (bad: |Bad played a0a9)", out)


@pytest.mark.parametrize(
    "argv, part",
    [
        (["match", "-e", "name=a"], "a match is between two engines, not 1"),
        (["tournament", "-e", "name=a"], "a tournament is between two engines"),
        (["match", "-e", "name=a", "-e", "name=b"], "a has no limit"),
        (["match", "-e", "cmd=/no/engine", "-e", "name=b", "--nodes", "5"], "cannot start /no/engine"),
        (["match", "-e", "name=a", "-e", "option.x=3", "--nodes", "5"], "unknown option 'x'"),
        ([*SHORT, "--openings", "/no/x.epd"], "/no/x.epd"),
        ([*SHORT, "--journal", "/no/x"], "/no/x: No such"),
        ([*SHORT, "--pgn", __file__], "is there already"),
    ],
)
def test_bad_commands_give_status_2(capsys, argv, part):
    before = Path(__file__).read_bytes()
    status, out, err = run(capsys, *argv)
    assert (status, out) == (2, "")
    assert part in err
    assert Path(__file__).read_bytes() == before


def test_a_pgn_file_of_something_else_is_left_alone(tmp_path, capsys):
    journal, pgn = tmp_path / "match.jsonl", tmp_path / "games.pgn"
    command = [*SHORT, "--journal", journal]
    assert run(capsys, *command, "--pgn", pgn)[0] == 0
    games = pgn.read_text()
    pgn.write_text(games[:-30])  # cut off in its last game
    assert run(capsys, *command, "--pgn", pgn)[0] == 0
    lines = [[*game.mainline_moves()] for game in read_games(pgn)]
    assert lines == [[*game.mainline_moves()] for game in parse(games, strict=True)]
    other = '[Red "a"]\n[Black "b"]\n\n1. a3a4 a6a5 *\n'  # of the same players
    edited = [games.replace("{", f"{more}{{", 1) for more in ("$1 ", "{well played} ", "(1. A4+5) ")]
    for text in ("important\n", "\n\n", games.replace('"a"', '"c"'), games + games, other, *edited):
        pgn.write_text(text)
        status, _, err = run(capsys, *command, "--pgn", pgn)
        assert status == 2 and "holds more than the games of" in err
        assert pgn.read_text() == text


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no disk is always full here")
def test_a_pgn_file_that_cannot_be_written_is_named(tmp_path, capsys):
    for more in ([], ["--journal", tmp_path / "match.jsonl"]):
        status, _, err = run(capsys, *SHORT, *more, "--pgn", "/dev/full")
        assert (status, err) == (2, "eleengine: /dev/full: No space left on device\n")


@pytest.mark.system
def test_a_match_that_nobody_reads_ends_quietly():
    process = start(*SHORT, "--pairs", 50)
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(timeout=60) == 141


def start(*argv):
    command = [*COMMAND, *map(str, argv)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_games(journal, count):
    wait_until(lambda: journal.exists() and journal.read_bytes().count(b"\n") > count)


@pytest.mark.system
@pytest.mark.skipif(os.name == "nt", reason="there are no such signals")
@pytest.mark.parametrize(
    "name", ["SIGTERM", *(pytest.param(name, marks=pytest.mark.slow) for name in ("SIGHUP", "SIGQUIT"))]
)
def test_a_terminated_queue_ends_its_match_and_its_engines(tmp_path, name):
    """Those that do not end with their input, too; no other match begins."""
    journal, stubborn, queue = (tmp_path / name for name in ("match.jsonl", "stubborn.sh", "night.queue"))
    stubborn.write_text(f"{BAD} good\necho $$ > {tmp_path}/outlived\nexec sleep 60\n")
    played = shlex.join(map(str, [*words("a", 30), "-e", f"cmd=sh {stubborn}", "proto=uci", "--nodes", 30]))
    queue.write_text(f"{played} --journal {journal}\n{played} --journal {tmp_path}/next.jsonl\n")
    number = getattr(signal, name)
    before = signal.signal(number, signal.SIG_DFL)  # under nohup it would be ignored
    try:
        process = start("match", "--queue", queue)
    finally:
        signal.signal(number, before)
    wait_for_games(journal, 1)
    process.send_signal(number)
    assert process.wait(timeout=20) == 128 + number
    assert not (tmp_path / "next.jsonl").exists()
    with pytest.raises((FileNotFoundError, ProcessLookupError)):
        os.kill(int((tmp_path / "outlived").read_text()), 0)


@pytest.mark.system
@pytest.mark.skipif(os.name == "nt", reason="there are no such signals")
def test_ctrl_c_ends_with_the_result_so_far(tmp_path):
    journal = tmp_path / "match.jsonl"
    bad = ["-e", "name=slow", f"cmd={BAD} good", "proto=uci"]
    words_of_both = [*words("a", 30), *bad, "--nodes", 30, "--pairs", 500]
    process = start("match", *words_of_both, "--journal", journal, "--concurrency", 2)
    wait_for_games(journal, 3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (130, "")
    assert any(line.startswith("a v slow: ") for line in out.splitlines()), out
    assert games_of(journal)


def test_a_match_does_not_go_on_with_another_engine(tmp_path, monkeypatch):
    for _ in range(2):
        MatchJournal(tmp_path / "journal", small()).close()
    monkeypatch.setattr("eleengine.lab.match.spec.engine_identity", lambda context: {"version": "0.0"})
    raises(ValueError, "a match with other engines", MatchJournal, tmp_path / "journal", small())


def test_the_names_of_fastchess_are_understood(capsys):
    """As docs/fastchess.md says: the same match by their names and by ours."""
    engines = ["name=a", "nodes=50"], ["name=b", "nodes=60"]

    def results(engine, each, pairs, games, seed):
        words = [word for words in engines for word in (engine, *words)]
        options = [each, "hash=1", pairs, "1", games, "1", seed, "3", "--max-plies", "20", "--json"]
        assert main(["match", *words, *options]) == 0
        found = json.loads(capsys.readouterr().out)
        return found["pairings"], found["reasons"]

    ours = results("-e", "--each", "--pairs", "--concurrency", "--seed")
    assert results("-engine", "-each", "-rounds", "-concurrency", "-srand") == ours
