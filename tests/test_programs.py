"""The theses' programs: options, engines, players of matches and in the terminal, programs for GUIs."""

import json
import sys
from contextlib import contextmanager

import pytest
from support import call, raises
from ucci_client import Engine, field

from eleengine import Board, Limit, Move, __version__
from eleengine.engines import EngineError, ExternalEngine
from eleengine.engines.external.named import NAMED, full_command
from eleengine.lab.match.spec import PlayerSpec
from eleengine.papers import PROGRAMS, ThesisEngine, ThesisSearch
from eleengine.papers.engine import allowed_moves
from eleengine.papers.programs import OPTIONS, read
from eleengine.papers.ucci import conversation
from eleengine.score import ucci_points

MIDDLEGAME = "r1bakab1r/9/1cn2cn2/p1p1p3p/6p2/2P6/P3P1P1P/1C2C1N2/8R/RNBAKAB2 b"
MATE_IN_1 = "3k5/R8/8R/9/9/9/9/9/9/5K3 w"
COMMAND = [sys.executable, "-m", "eleengine", "papers", "engine"]


# Options


def test_options_are_those_of_the_search():
    """Each is read from every word that it offers, and the search takes it; together they are the search."""
    for program in PROGRAMS.values():
        arguments = program.search()
        assert {option.name for option in OPTIONS} == arguments.keys()
        ThesisSearch(hash_mib=1, **arguments)
    for option in OPTIONS:
        words = {"check": ("false", "true"), "spin": ("1",), "string": ("1,2,3,4,5,6",)}
        for word in option.choices or words[option.type]:
            ThesisSearch(hash_mib=1, **{option.name: read(option, word)})


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("killers", "on", "killers must be one of off, after, before, not 'on'"),
        ("table", "2", "table must be true or false, not '2'"),
        ("grain", "0", r"grain must be 1\.\.1000, not '0'"),
        ("values", "1,x", "values must be six numbers such as"),
    ],
)
def test_bad_options_are_named(name, text, message):
    [option] = [option for option in OPTIONS if option.name == name]
    raises(ValueError, message, read, option, text)


def test_the_program_of_zou_is_the_hybrid_pvs():
    """Figure 4.1 and chapters 4.1 and 5: what it is made of, and what of the other thesis it has not."""
    options = PROGRAMS["thesis"].search()
    parts = {
        "algorithm": "pvs", "table": True, "layers": 1, "table_move": True, "captures": "material",
        "killers": "after", "history": "power", "alpha_killers": True, "alpha_moves": False,
        "null_move": "adaptive", "extensions": "exchange", "quiescence": False,
        "internal_deepening": False, "evaluation": "sources", "split": "pv", "schedule": "static",
        "shared_table": False, "own_order": False, "regroup": False,
    }  # fmt: skip
    assert options.items() >= parts.items()


# The engine


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_mate_is_played(name):
    board = Board(MATE_IN_1)
    with ThesisEngine(name, hash_mib=1) as engine:
        result = engine.play(board, Limit(depth=3))
        assert str(result.info["score"].red()) == "#+1"
        board.push(result.move)
        assert board.outcome().winner
        assert engine.play(board, Limit(depth=3)).move is None


def test_limits():
    engine = ThesisEngine(hash_mib=1)
    board = Board()
    assert engine.play(board, Limit(depth=3)).info["depth"] == 3
    assert engine.play(board, Limit(mate=2)).info["depth"] == 3
    assert engine.play(board, Limit(nodes=2000)).info["nodes"] < 10_000
    assert engine.play(board, Limit(red_clock=1, black_clock=100)).move in board.legal_moves
    for limit in (Limit(), Limit(black_clock=1)):
        raises(ValueError, "a search needs a limit that ends it", engine.play, board, limit)
    raises(ValueError, "no program 'zou': thesis, engine-thesis", ThesisEngine, "zou")
    raises(ValueError, "no option 'skill'", ThesisEngine, skill=3)


def test_what_is_reported_is_what_is_returned():
    infos = []
    result = ThesisEngine("engine-thesis", hash_mib=1).play(Board(), Limit(depth=3), report=infos.append)
    assert [info["depth"] for info in infos] == [1, 2, 3]
    assert infos[-1] == result.info and result.info["pv"] == [result.move]


def test_a_move_that_loses_by_repetition_is_not_played():
    """Red may not check for ever: the check that would repeat the position a third time is left out."""
    board = Board("3k5/9/9/9/9/9/p8/9/R8/5K3 w")
    for text in ("a1d1", "d9e9", "d1e1", "e9d9", "e1d1", "d9e9", "d1e1", "e9d9"):
        board.push_iccs(text)
    check = Move.from_iccs("e1d1")
    assert check in board.legal_moves and check not in allowed_moves(board)
    assert set(allowed_moves(board)) < set(board.legal_moves)
    before = board.copy()
    before.pop()
    assert set(allowed_moves(before)) == set(before.legal_moves)
    engine = ThesisEngine(hash_mib=1)
    assert engine.play(board, Limit(depth=2)).move != check
    assert engine.play(board, Limit(depth=2), root_moves=[check]).move == check


# Matches


def test_players_of_words():
    spec = PlayerSpec.from_words(["name=thesis", "option.killers=before", "nodes=3000"])
    assert (spec.command, spec.options) == (("thesis",), {"killers": "before"})
    assert PlayerSpec.from_dict(spec.to_dict()) == spec
    assert PlayerSpec.from_words(["program=engine-thesis"]).name == "engine-thesis"
    assert PlayerSpec.from_words(["program=thesis", "name=no table"]).name == "no table"
    assert PlayerSpec.from_words(["cmd=thesis"]).name == "thesis"
    assert PlayerSpec.from_words(["name=thesis", "cmd=engine"]).command == ("engine",)
    for words, message in (
        (["program=zou"], "unknown; the words are"),
        (["program=thesis", "cmd=engine"], "are two players"),
    ):
        raises(ValueError, message, PlayerSpec.from_words, words)


@pytest.mark.system
def test_options_that_a_program_has_not_are_named():
    for word, message in (
        ("option.skill=3", "has no option 'skill'"),
        ("option.killers=banana", "option killers must be one of after, off, before, not 'banana'"),
        ("option.regroup=perhaps", "option regroup must be true or false, not 'perhaps'"),
        ("option.rule_set=fide", "Repetition Rule must be one of asianrule, .* not 'fide'"),
    ):
        raises(EngineError, message, PlayerSpec.from_words(["name=thesis", word]).start)


def test_names_are_those_of_the_programs():
    """The product knows the names alone, and where a command is wanted they stand for one."""
    assert list(NAMED) == list(PROGRAMS)
    command = full_command(["engine-thesis", "--killers", "off"])
    assert command[0] == sys.executable and command[-4:] == ["--program", "engine-thesis", "--killers", "off"]
    assert full_command(["./thesis"]) == ["./thesis"]


@pytest.mark.system
def test_versions_of_a_program_are_told_apart():
    plain, other = (
        PlayerSpec.from_words(["name=thesis", *words]).identity() for words in ([], ["option.history=off"])
    )
    assert plain["name"] == f"eleengine thesis {__version__}" and plain["nodes"] != other["nodes"]


@pytest.mark.system
def test_a_match(tmp_path):
    journal = tmp_path / "match.jsonl"
    words = ["-e", "name=thesis", "nodes=1500", "-e", "name=engine-thesis", "nodes=1500"]
    options = ["--pairs", "1", "--openings", "openings", "--max-plies", "40", "--journal", journal]
    first = call("match", *words, *options, "--json")
    assert (first.returncode, first.stderr) == (0, "")
    assert '"faults": {}' in first.stdout and '"games": 2' in first.stdout
    again = call("match", *words, *options, "--json")
    assert json.loads(again.stdout)["pairings"] == json.loads(first.stdout)["pairings"]


# In the terminal


def test_play():
    common = ["--time", "0.01", "--letters", "latin", "--language", "en"]
    result = call("papers", "play", *common, "--killers", "before", text="h2e2\nlevel 3\nh0g2\nquit\n")
    assert result.stdout.count(f"eleengine thesis {__version__} plays ") == 2
    assert " has no levels" in result.stdout
    result = call("play", "--engine", "engine-thesis", *common, text="h2e2\nquit\n")
    assert result.stdout.count(f"eleengine engine-thesis {__version__} plays ") == 1
    assert "--level: must be a whole number from 0 to 20" in call("play", "--level", "thesis").stderr
    assert "cannot start /no/engine" in call("play", "--engine", "/no/engine", *common).stderr
    assert "--killers: killers must be one of off, after" in call("papers", "play", "--killers", "on").stderr


# For a GUI


@pytest.mark.system
@pytest.mark.parametrize("protocol", ["ucci", "uci"])
def test_a_gui_drives_it(protocol):
    command = [*COMMAND, "--program", "engine-thesis", "--history", "power"]
    with ExternalEngine(command, protocol=protocol) as engine:
        assert engine.name == f"eleengine engine-thesis {__version__}"
        assert engine.options["algorithm"].default == "pvs"
        assert engine.options["history"].default == "power"
        engine.configure({"killers": "before", "layers": 2, "algorithm": "mtdf"})
        board = Board()
        board.push_iccs("h2e2")
        result = engine.play(board, Limit(depth=3))
        assert result.move in board.legal_moves
        assert result.info["depth"] == 3 and result.info["nodes"] > 100
        assert engine.play(Board(MATE_IN_1), Limit(depth=4)).move in Board(MATE_IN_1).legal_moves
        only = list(board.legal_moves)[:2]
        assert engine.play(board, Limit(nodes=2000), root_moves=only).move in only
        engine.configure({"history": "power"})
        nodes = []
        for _ in range(2):  # it forgets what it has learnt
            engine.new_game()
            nodes.append(engine.play(board, Limit(depth=3)).info["nodes"])
        assert nodes[0] == nodes[1]
        with engine.analysis(board) as analysis:
            assert next(iter(analysis))["depth"] >= 1
        assert analysis.wait().move in board.legal_moves


@contextmanager
def talking(program="thesis"):
    """A conversation with a thesis's program in this process."""
    make = conversation(PROGRAMS[program], hash_mib=1)
    engine = Engine(hash_mib=None, book=True, make=make)
    yield engine
    engine.quit()


def talk(*lines):
    """What is said in answer to the lines, each obeyed when the search before it has ended."""
    with talking() as engine:
        engine.send("setoption batch true", *lines, "quit")
        engine.expect("bye")
        texts = engine.texts()
    return texts[texts.index("ucciok") + 1 :]


def test_a_conversation():
    found = talk(
        *("isready", "position startpos moves h2e2 h2e2", "position fen 9 w", "setoption killers maybe"),
        *("hello", "setoption debug on", "setoption nothing 3"),
        *("position fen 3k4R/R8/9/9/9/9/9/9/9/5K3 b", "go depth 2", "position startpos", "go depth 2"),
    )
    assert found[:2] == ["readyok", "info message error move h2e2 illegal ply 2"]
    assert found[2].startswith("info message error fen ")
    assert found[3] == "info message error option killers bad value"
    assert found[4] == "info message error unknown command hello"
    assert found[5] == "info message note unknown option nothing"
    assert found[6:8] == ["info depth 0 score -10000", "nobestmove"]
    assert found[8].startswith("info depth 1 score ") and found[10].startswith("bestmove ")
    assert found[11:] == ["bye"]


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_new_game_forgets_the_one_before(program):
    with talking(program) as engine:
        nodes = []
        for game in ((), (), ("setoption newgame",)):
            engine.best(*game, "position startpos", "go depth 3")
            nodes.append(field(engine.texts()[-2], "nodes"))
        assert nodes[0] == nodes[2] != nodes[1]


@pytest.mark.parametrize("position", ["fen bad/fen w", "startpos moves h2e2 h2e2", "startpos moves h2"])
def test_after_a_refused_position_nothing_is_played(position):
    found = talk("position fen 3k5/9/9/9/R8/9/9/9/4K4/9 w", f"position {position}", "go depth 2")
    assert found[-2:] == ["nobestmove", "bye"] and "info message error no valid position" in found
    assert not [line for line in found if line.startswith("bestmove")]


def test_ponderhit_starts_the_clock():
    """Nothing is said before it, and then the time for the move is thought, not for ever."""
    with talking() as engine:
        for hit in ("ponderhit", "ponderhit draw", "stop"):
            engine.send(f"position fen {MIDDLEGAME}", "go ponder time 200 movestogo 1")
            assert not [line for line in engine.quiet(0.4) if "bestmove" in line]
            engine.best(hit)


def test_a_table_of_256_mib():
    with talking("engine-thesis") as engine:
        engine.send("setoption hashsize 256")
        assert engine.sync() == []


def test_probe_tells_what_the_table_holds():
    found = talk("probe startpos", "go depth 3", "probe startpos", "probe fen bad/fen w")
    line = next(line for line in found if line.startswith("info depth 3 "))
    score, move = line.split()[4], line.split()[-1]
    known = f"lowerbound {score} depth 3 upperbound {score} depth 3"
    answers = [line for line in found if line.startswith("pophash")]
    assert answers == ["pophash", f"pophash bestmove {move} {known}", "pophash"]
    with talking("engine-thesis") as engine:
        engine.send("eval", "setoption evaluation sources", "eval")
        values = [engine.expect("info message note evaluation").split()[-1] for _ in range(2)]
    board = Board()
    quarter, whole = (ThesisEngine("engine-thesis", hash_mib=1, evaluation=name).evaluate(board)
                      for name in ("tapered", "sources"))  # fmt: skip
    assert values == [str(ucci_points(value)) for value in (quarter, whole)]


@pytest.mark.parametrize("rules, move", [("axf", "e1e9"), ("alwaysdraw", "e1d1")])
def test_the_rules_of_repetition_can_be_chosen(rules, move):
    """One move gives the rook away; the other is a check too many, which not all rules forbid."""
    position = "position fen 3k5/9/9/9/9/9/p8/9/R8/5K3 w moves a1d1 d9e9 d1e1 e9d9 e1d1 d9e9 d1e1 e9d9"
    lines = talk(f"setoption repetition {rules}", position, "go depth 2 searchmoves e1d1 e1e9")
    assert lines[-2] == f"bestmove {move}"


def test_an_endless_search_waits_for_stop():
    with talking() as engine:
        engine.send("position startpos", "go infinite", "position startpos moves h2e2", "go depth 1")
        assert engine.expect("info message error") == "info message error busy go refused"
        engine.best("stop")
        assert engine.best("go depth 1")[1] > "4"  # black moves: the position was put off until then


def test_banned_moves_are_not_played():
    board = Board(MATE_IN_1)
    kept = next(move.iccs() for move in board.legal_moves)
    banned = [move.iccs() for move in board.legal_moves if move.iccs() != kept]
    found = talk(f"position fen {MATE_IN_1}", f"banmoves {' '.join(banned)}", "go depth 3")
    assert f"bestmove {kept}" in found
