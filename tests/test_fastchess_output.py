"""What `match` prints and writes for programs that read fastchess, and the options that they give it."""

import argparse
import json
import math
import re
import sys
from pathlib import Path

import pytest
from support import CHECKOUT, call

from eleengine import STARTING_FEN, Limit
from eleengine._core import MATE
from eleengine.commands.match import add_plan, add_run, add_test, read_plan
from eleengine.lab.data.gametools import comment_score
from eleengine.lab.match.fastchess import MatchOutput, NormalEstimate, ending
from eleengine.lab.match.game import PlayedGame
from eleengine.lab.match.plan import MatchPlan
from eleengine.lab.match.results import MatchResults
from eleengine.lab.match.spec import EngineSpec
from eleengine.lab.match.stats import Sprt

BAD = f"{sys.executable} {Path(__file__).with_name('bad_engine.py')}"
ENDS = {  # of a pair: results of the first player as Red and as Black
    "LL": ("0-1", "1-0"),
    "LD": ("0-1", "1/2-1/2"),
    "WL": ("1-0", "1-0"),
    "DD": ("1/2-1/2", "1/2-1/2"),
    "WD": ("1/2-1/2", "0-1"),
    "WW": ("1-0", "0-1"),
}


def plan_of(pairs, names=("new", "old"), **changes):
    players = tuple(EngineSpec(name, threads=1, hash_mib=16) for name in names)
    return MatchPlan(players, limit=Limit(nodes=500), pairs=pairs, **changes)


def played(plan, ends):
    """The results after pairs with these ends, and the records by number."""
    results, number = MatchResults(plan), 0
    for end in ends:
        for result in ENDS[end]:
            task = plan.task(number)
            red, black = (plan.players[index].name for index in (task.red, task.black))
            reason = "checkmate" if result != "1/2-1/2" else "repetition"
            results.add(number, PlayedGame(red, black, STARTING_FEN, (), 0, result, reason))
            number += 1
    return results


# Figures of fastchess alpha 1.8.2, compiled: pairs LL, LD, WL, DD, WD, WW; Elo, nElo, LOS of five counts; Elo
# and LOS of three.
INF, NAN = math.inf, math.nan
FIGURES = [
    ((34, 54, 40, 23, 64, 75), (55.58, 27.65, 57.94, 28.28, 100.00), (55.58, 24.17, 100.00)),
    ((1, 1, 0, 3, 0, 1), (-29.02, 186.20, -33.75, 196.58, 36.83), (-29.02, 132.98, 32.60)),
    ((15, 19, 20, 35, 28, 36), (58.45, 35.14, 66.22, 38.93, 99.96), (58.45, 30.84, 99.99)),
    ((0, 3, 1, 0, 0, 0), (-136.97, 88.43, -425.52, 240.76, 0.03), (-136.97, 241.58, 6.38)),
    ((0, 0, 2, 2, 1, 4), (190.85, 160.99, 260.58, 160.50, 99.93), (190.85, 167.55, 99.90)),
    ((0, 0, 1, 1, 0, 3), (240.82, NAN, 300.89, 215.34, 99.69), (240.82, NAN, 99.79)),
    ((0, 0, 0, 4, 0, 0), (0, 0, NAN, NAN, NAN), (0, 0, NAN)),
    ((0, 0, 0, 0, 0, 3), (INF, NAN, INF, NAN, 100), (INF, NAN, 100)),
    ((0, 2, 0, 0, 0, 0), (-190.85, 0, -INF, NAN, 0), (-190.85, 457.95, 2.28)),
]


@pytest.mark.parametrize(("six", "five", "three"), FIGURES)
def test_figures_are_those_of_fastchess(six, five, three):
    ll, ld, wl, dd, wd, ww = six
    found = NormalEstimate.of([ll, ld, wl + dd, wd, ww])
    assert [*map(hundredths, found[:4]), hundredths(100 * found.los)] == pytest.approx(five, nan_ok=True)
    found = NormalEstimate.of([2 * ll + ld + wl, ld + wd + 2 * dd, 2 * ww + wd + wl])
    values = [hundredths(found.elo), hundredths(found.error), hundredths(100 * found.los)]
    assert values == pytest.approx(three, nan_ok=True)


def hundredths(value):
    return float(f"{value:.2f}")


def test_without_games_nothing_is_said():
    assert all(map(math.isnan, NormalEstimate.of([0] * 5)))


ENDS_OF_9 = ["WL", "DD", "WW", "WW", "DD", "WL", "WW", "WD", "WW"]
FASTCHESS = """\
Finished game 18 (old vs new): 0-1 {Black mates}
--------------------------------------------------
Results of new vs old (500 nodes, 1t, 16MB, openings.epd):
Elo: 190.85 +/- 160.99, nElo: 260.58 +/- 160.50
LOS: 99.93 %, DrawRatio: 44.44 %, PairsRatio: inf
Games: 18, Wins: 11, Losses: 2, Draws: 5, Points: 13.5 (75.00 %)
Ptnml(0-2): [0, 0, 4, 1, 4], WL/DD Ratio: 1.00
LLR: 0.13 (4.5%) (-2.94, 2.94) [0.00, 5.00]
--------------------------------------------------
Tournament finished
Finished match
Total Time: 00:00:00 (hours:minutes:seconds)
"""


def test_the_lines_of_a_match():
    sprt = Sprt(0, 5)
    results = played(plan_of(9, sprt=sprt), ENDS_OF_9)
    before = played(plan_of(9, sprt=sprt), ENDS_OF_9[:8])
    output = MatchOutput(before, interval=9, book="books/openings.epd")
    first, *_ = output.game(results, 16)
    assert first == "Finished game 17 (new vs old): 1-0 {White mates}"
    found = [*output.game(results, 17), *output.end(results.summary())]
    # The LLR has tests of its own.
    numbers = re.compile(r"LLR: (-?[\d.]+) \((-?[\d.]+)%\)")
    low, high = sprt.bounds
    for line in found:
        if match := numbers.search(line):
            llr = sprt.llr([0, 0, 4, 1, 4])
            assert match[1] == f"{llr:.2f}" and match[2] == f"{100 * llr / high:.1f}" and low == -high
    ours, theirs = ([numbers.sub("LLR", line) for line in lines] for lines in (found, FASTCHESS.splitlines()))
    assert ours == theirs


def test_results_come_after_each_interval_and_at_the_end():
    plan = plan_of(7)
    output, lines = MatchOutput(MatchResults(plan), interval=3), []
    for pairs in range(1, 8):
        results = played(plan, ENDS_OF_9[:pairs])
        lines += [*output.game(results, 2 * pairs - 2), *output.game(results, 2 * pairs - 1)]
    lines += output.end(results.summary())
    games = [line.split(",")[0] for line in lines if line.startswith("Games: ")]
    assert games == ["Games: 6", "Games: 12", "Games: 14"]


def test_a_pair_that_ends_late_takes_no_result_away():
    """Pairs are counted in the order of the plan: the first one may let several results come at once."""
    plan = plan_of(6)
    whole = played(plan, ENDS_OF_9[:6])
    results, lines = MatchResults(plan), []
    output = MatchOutput(results, interval=2)
    for number in (*range(1, 12), 0):
        results.add(number, whole.records[number])
        lines += output.game(results, number)
    games = [line.split(",")[0] for line in lines if line.startswith("Games: ")]
    assert games == ["Games: 4", "Games: 8", "Games: 12"]
    assert "Ptnml(0-2): [0, 0, 2, 0, 0], WL/DD Ratio: 1.00" in lines  # after the first two pairs


def test_a_test_that_ended_says_so():
    results = played(plan_of(60, sprt=Sprt(0, 200)), ["WW"] * 60)
    assert results.verdict == "H1"
    lines = list(MatchOutput(results).end(results.summary()))
    assert lines[-3] == "SPRT ([0.00, 200.00]) completed - H1 was accepted"
    half = played(plan_of(60), ["WW"] * 3)
    assert "Tournament was interrupted." in MatchOutput(half).end(half.summary())


def test_several_players_are_ranked():
    plan = plan_of(2, ("first", "second", "third"))
    results = played(plan, ["DD", "WD", "DD", "DD", "WW", "WD"])
    lines = list(MatchOutput(MatchResults(plan)).end(results.summary()))
    assert " ".join(lines[1].split()) == "Rank Name Elo +/- nElo +/- Games Score Draw Ptnml(0-2)"
    assert [line.split()[:2] for line in lines[2:5]] == [["1", "first"], ["2", "second"], ["3", "third"]]
    counts = [line.rstrip()[-15:] for line in lines[2:5]]
    assert counts == ["[0, 0, 2, 1, 1]", "[0, 0, 3, 1, 0]", "[1, 2, 1, 0, 0]"]
    assert " 68.8%      50.0% " in lines[2] and " 8 " in lines[2]


@pytest.mark.parametrize(
    ("result", "reason", "words"),
    [
        ("1-0", "checkmate", "White mates"),
        ("0-1", "stalemate", "Black wins by stalemate"),
        ("0-1", "time_forfeit", "White loses on time"),
        ("1-0", "crash", "Black disconnects"),
        ("1-0", "no_answer", "Black's connection stalls"),
        ("0-1", "illegal_move", "White makes an illegal move"),
        ("1-0", "perpetual_chase", "White wins by perpetual chase"),
        ("1/2-1/2", "repetition", "Draw by 3-fold repetition"),
        ("1/2-1/2", "draw_adjudication", "Draw by adjudication"),
        ("1/2-1/2", "no_capture_limit", "Draw by no capture limit"),
    ],
)
def test_how_a_game_ended(result, reason, words):
    assert ending(PlayedGame("a", "b", STARTING_FEN, (), 0, result, reason)) == words


# A whole match, read as workers of testing frameworks read fastchess


GAMES = re.compile(r"Games: (\d+), Wins: (\d+), Losses: (\d+), Draws: (\d+), Points: (\d+\.\d+) \(")
PTNML = re.compile(r"Ptnml\(0-2\): \[(\d+), (\d+), (\d+), (\d+), (\d+)\]")
FINISHED = re.compile(r"Finished game (\d+) \((\S+) vs (\S+)\): (1-0|0-1|1/2-1/2) \{(.+)\}")
WORDS = ["-each", "option.skill=9", "-openings", "file=openings", "order=random", "-rounds", "6", "-repeat"]
SHORT = ["-maxmoves", "30", "-recover", "-srand", "5"]


def read_as_a_worker(text):
    """Five counts from the lines of games, and from the last result."""
    halves = {"0-1": 0, "1/2-1/2": 1, "1-0": 2}
    games = {int(line[1]): line[4] for line in FINISHED.finditer(text)}
    pairs = [0] * 5
    for number in range(1, len(games), 2):
        pairs[halves[games[number]] + 2 - halves[games[number + 1]]] += 1
    wins = list(map(int, GAMES.findall(text)[-1][:4]))
    last = list(map(int, PTNML.findall(text)[-1]))
    assert 2 * sum(last) == wins[0] == sum(wins[1:])
    return pairs, last


def test_workers_read_a_match(tmp_path):
    names = ["-engine", "name=new", "nodes=60", "-engine", "name=old", "nodes=25"]
    rest = [*WORDS, *SHORT, "-output", "format=fastchess", "-ratinginterval", "2", "-concurrency", "2"]
    journal = ["--journal", tmp_path / "match.jsonl"]
    found = call("match", *names, *rest, *journal)
    assert (found.returncode, found.stderr) == (0, "")
    pairs, last = read_as_a_worker(found.stdout)
    assert pairs == last and sum(last) == 6 and found.stdout.count("Results of new vs old (") == 3
    assert found.stdout.splitlines()[-2] == "Finished match"
    again = call("match", *names, *rest, *journal, "--json")  # all of it comes from the journal
    assert (again.returncode, json.loads(again.stdout)["pairings"][0]["pairs"]) == (0, last)


@pytest.mark.parametrize(("fault", "words"), [("crash", "disconnects"), ("illegal", "makes an illegal move")])
def test_faults_are_named_as_workers_look_for_them(fault, words):
    bad = ["name=bad", f"cmd={sys.executable}", f"args={BAD.split()[1]} {fault} 3"]
    rest = ["-each", "nodes=30", "proto=uci", "-rounds", "1", "-output", "format=fastchess"]
    found = call("match", "-engine", "name=a", "-engine", *bad, *rest)
    assert found.returncode == 1, found.stderr
    lines = FINISHED.findall(found.stdout)
    assert [line[3:] for line in lines] == [("1-0", f"Black {words}"), ("0-1", f"White {words}")]
    assert f"  Crashed: {2 * (fault == 'crash')}" in found.stdout.splitlines()


# Options


MANUALS = (  # every option and word of an engine in those of fastchess 1.8.2 and cutechess-cli
    "-engine -each -pgnout -epdout -openings -sprt -draw -resign -maxmoves -tb -tbpieces -tbignore50 "
    "-tbadjudicate -autosaveinterval -log -config -report -output -concurrency -crc32 "
    "-force-concurrency -games -rounds -wait -noswap -reverse -ratinginterval -scoreinterval -srand "
    "-seeds -recover -variant -tournament -quick -check-mate-pvs -show-latency -debug -testEnv -strict "
    "-startup-ms -ucinewgame-ms -ping-ms -use-affinity -event -site --compliance -outcomeinterval "
    "-bookmode -repeat -resultformat -engines cmd= name= args= arg= tc= timemargin= st= nodes= "
    "restart= plies= depth= proto= dir= option. conf= stderr= initstr= trust book= bookdepth= whitepov "
    "ponder tscale= debug"
)


def test_each_option_of_the_manuals_has_its_row():
    page = (CHECKOUT / "docs" / "fastchess.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line[:1] == "|"]
    words = {word for row in rows for quoted in re.findall(r"`([^`]+)`", row) for word in quoted.split()}
    words |= {"option." for word in words if word.startswith("option.")}
    assert sorted(set(MANUALS.split()) - words) == []


def parser():
    made = argparse.ArgumentParser(prog="match")
    add_plan(made)
    add_test(made, use="")
    add_run(made)
    return made


ENGINES = ["-engine", "cmd=./new", "name=new", "-engine", "cmd=./old", "name=old"]


def plan_and_args(words):
    args = parser().parse_args([*ENGINES, *words])
    return args, read_plan(args)


def test_what_all_programs_are_told_does_not_bother_our_engine():
    plan = read_plan(parser().parse_args([*ENGINES, "-engine", "name=ours", "-each", "proto=uci", "nodes=9"]))
    assert [getattr(player, "protocol", None) for player in plan.players] == ["uci", "uci", None]


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("-resign movecount=3 score=600", "--resign 600 3 --resign-alone"),
        ("-resign movecount=3 score=600 twosided=true", "--resign 600 3"),
        ("-draw movenumber=34 movecount=8 score=20", "--draw 20 8 68"),
        ("-maxmoves 60", "--max-plies 120"),
        ("-openings file=openings format=epd order=random start=3", "--openings openings --first 3"),
        ("-openings file=openings plies=4", "--openings openings --order file --plies 4"),
        ("-each st=0.5 timemargin=250", "--each time=0.5 --margin 0.25"),
        ("-each tc=40/1:30+0.5", "--each tc=40/90+0.5"),
        ("-each tc=inf plies=7 restart=off", "--each depth=7"),
        ("-pgnout file=a.pgn notation=san nodes=true", "--pgn a.pgn --pgn-scores pawns --pgn-comments nodes"),
        ("-pgnout a.pgn fi", "--pgn a.pgn --pgn-scores pawns"),
        ("-log file=a.log level=trace engine=true", "--engine-log a.log"),
        ("-log file=a.log", ""),
        ("-recover -wait 10 -games 2 -repeat -report penta=true -tournament gauntlet -rounds 7", "--pairs 7"),
        ("-output format=fastchess -ratinginterval 5", "--output fastchess --rating-interval 5"),
    ],
)
def test_their_options_are_ours(theirs, ours):
    limit = [] if "-each" in theirs else ["--nodes", "50"]
    found, plan = plan_and_args([*theirs.split(), *limit])
    wanted, same = plan_and_args([*ours.split(), *limit])
    assert plan == same
    for args in (found, wanted):
        args.each, args.margin = [], 0  # in the plan
    assert found == wanted


def test_comments_are_those_of_fastchess(tmp_path):
    """A score in pawns or plies to mate, a depth and seconds; they are read as the same centipawns."""
    theirs, ours = tmp_path / "theirs.pgn", tmp_path / "ours.pgn"
    openings = tmp_path / "openings.epd"
    openings.write_text(f"{STARTING_FEN}\n4k4/9/9/9/9/9/9/9/3R5/R2K5 w\n")  # and a mate in two
    words = ["match", "-e", "name=a", "-e", "name=b", "--nodes", "150", "--pairs", "2", "--json"]
    words += ["--openings", openings]
    assert call(*words, "-pgnout", f"file={theirs}", "nodes=true").returncode == 0
    assert call(*words, "--pgn", ours).returncode == 0
    comments = [re.findall(r"\{([^}]*)\}", path.read_text()) for path in (theirs, ours)]
    forms = re.compile(r"([+-]M\d+|[+-]\d+\.\d\d|0\.00)/\d+ \d+\.\d{3}s, n=\d+")
    assert len(comments[0]) == len(comments[1]) > 20 and all(map(forms.fullmatch, comments[0]))
    assert any(text[1] == "M" for text in comments[0])
    for text, same in zip(*comments, strict=True):
        if "M" in text:
            assert abs(int(same.split("/")[0])) == MATE - int(text[2:].split("/")[0])
        else:
            assert comment_score(text) == comment_score(same)


def test_an_sprt_is_theirs(tmp_path):
    words = ["-e", "name=a", "-e", "name=b", "--nodes", "20", "--max-plies", "10", "--pairs", "1", "--json"]
    test = ["-sprt", "elo0=-3", "elo1=1.5", "alpha=0.1", "beta=0.02"]
    found = json.loads(call("match", *words, *test).stdout)["sprt"]
    values = {"elo0": -3, "elo1": 1.5, "alpha": 0.1, "beta": 0.02, "model": "normalized"}
    assert found.items() >= values.items()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("-resign moves=3", "argument -resign: 'moves=3': expected movecount=, score=, twosided="),
        ("-resign movecount=x score=5", "argument --resign"),
        ("-draw movenumber=-1", "movenumber: must be a whole number from 0 to 1000000, not '-1'"),
        ("-maxmoves many", "-maxmoves: must be a whole number"),
        ("-openings file=openings order=back", "order=random or sequential"),
        ("-openings format=epd", "expected file=FILE"),
        ("-games 1", "argument -games: must be 2"),
        ("-report penta=false", "must be penta=true"),
        ("-tournament pyramid", "must be one of roundrobin, round-robin, gauntlet, not 'pyramid'"),
        ("-pgnout a.pgn b.pgn", "expected the name of one file"),
        ("-each timemargin=x", "'timemargin=x': must be a number from 0 to 1000000000, not 'x'"),
        ("-each restart=on", "'restart=on': a program is started again only"),
        ("-each args=-x", "'args=-x': there is no cmd="),
        ("-each tc=x:3", "'x:3': must be a number"),
        ("-each hash=8 hash=9", "'hash=9': there is 'hash=8' already"),
        ("-each option.skill=3 option.Skill=4", "'option.Skill=4': there is 'option.skill=3' already"),
        ("-output format=cutechess", "invalid choice: 'cutechess'"),
    ],
)
def test_what_is_wrong_with_their_options_is_named(words, message):
    found = call("match", "-e", "name=a", "-e", "name=b", "--nodes", "20", *words.split())
    assert found.returncode == 2 and message in found.stderr.splitlines()[-1], found.stderr
