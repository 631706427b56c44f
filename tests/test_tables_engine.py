"""What the search makes of endgame tables."""

import random

import pytest
from support import Board, call, classical
from test_tables import random_board
from ucci_client import Engine as UcciEngine

from eleengine import Engine, Limit, rules, tables
from eleengine._core import MATE, Searcher, shipped_tables
from eleengine.records import Game, encode_game
from eleengine.review import review_game
from eleengine.tables.words import describe

NAMES = ("N-A", "CA-A", "R-N", "PP-", "R-P")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    opened = tables.open_tables(tmp_path_factory.mktemp("tables"))
    for name in tables.plan(NAMES):
        opened.make(name)
    return opened


@pytest.fixture(scope="module")
def searcher(folder):
    searcher = Searcher(hash_mib=1)
    searcher.tables = folder.load_within(64)
    return searcher


def decided_boards(folder, name, rng):
    """20 positions that are won or lost, with their plies to the mate."""
    seen = 0
    while seen < 20:
        board = random_board(name, rng)
        plies = folder.probe_dtm(board)
        if plies:
            seen += 1
            yield board, plies


@pytest.mark.parametrize("name", NAMES)
def test_a_search_of_two_plies_knows_the_whole_win(folder, searcher, name):
    for board, plies in decided_boards(folder, name, random.Random(name)):
        [line] = searcher.search(board, depth=2)
        assert line.score == (MATE - plies if plies > 0 else -MATE - plies), board.fen()
        assert len(line.pv) == abs(plies)
        assert line.tbhits > 0
        for move in line.pv:
            board.push(move)
        assert not any(board.legal_moves)


def test_distances_that_are_not_in_memory_are_read_for_the_moves_of_the_root(folder):
    searcher = Searcher(hash_mib=1)
    searcher.tables = folder.load_within(1)
    table = searcher.tables["R-N"]
    for board, plies in decided_boards(folder, "R-N", random.Random(4)):
        [line] = searcher.search(board, depth=2)
        assert line.score == (MATE - plies if plies > 0 else -MATE - plies), board.fen()
        assert len(line.pv) <= abs(plies)  # no guesses from there on
        kept = {(side, n) for side in (0, 1) for n in range(table.blocks) if table.block(1, side, n)}
        near = [board]
        for move in board.legal_moves:
            near.append(board.copy())
            near[-1].push(move)
        places = [table.index(each) for each in near if tables.table_name(each) == "R-N"]
        assert kept == {(side, index // (90 * 1024)) for side, index in places}  # no more than those


def test_results_without_distances_are_wins_of_the_longest_length(folder, tmp_path):
    for name in tables.plan(["R-N"]):
        (tmp_path / f"{name}.table").write_bytes(folder.path(name).read_bytes())
    searcher, rng = Searcher(hash_mib=1), random.Random(4)
    searcher.tables = tables.open_tables(tmp_path).load_within(64)
    bound = searcher.tables["R-N"].bounds[0]
    for _ in range(20):
        board = random_board("R-N", rng)
        result = folder.probe_wdl(board)
        [line] = searcher.search(board, depth=1) or [None]
        if line is not None and result:
            assert len(line.pv) < 10  # not all the way to the end, of which nothing is known
            shortest = MATE - abs(line.score)
            assert abs(folder.probe_dtm(board)) <= shortest <= bound + 3 and (line.score > 0) == (result > 0)


def test_damaged_distances_leave_the_results(folder, tmp_path):
    for name in folder.names():
        for layer in range(3):
            data = folder.path(name, layer).read_bytes()
            path = tmp_path / folder.path(name, layer).name
            path.write_bytes(data if path.name != "R-N.dtm" else data[:-500] + bytes(500))
    searcher, rng = Searcher(hash_mib=1), random.Random(4)
    searcher.tables = tables.open_tables(tmp_path).load_within(1)
    with pytest.warns(RuntimeWarning, match=r"R-N\.dtm: block . of . is damaged: the search knows results"):
        for _ in range(20):
            searcher.search(random_board("R-N", rng), depth=1)


def test_captures_come_before_the_limit(folder, searcher):
    """The fastest mate would come too late: the advisor is captured in time, whatever it does."""
    start = Board("4ka3/9/9/9/9/9/9/9/9/N2K5 w")
    played = 119 - folder.probe_dtc(start)
    board = Board(f"4ka3/9/9/9/9/9/9/9/9/N2K5 w - - {played} 80")
    assert played + folder.probe_dtm(board) > 120
    assert not folder.is_within_limit(board, 119) and folder.is_within_limit(board, 120)
    while board.halfmove_clock:
        [line] = searcher.search(board, depth=2)
        assert line.score > MATE - 200
        board.push(line.pv[0])
        assert board.halfmove_clock < 120
        if board.halfmove_clock:
            answers = list(board.legal_moves)
            later = {}
            for move in answers:
                board.push(move)
                later[move] = folder.probe_dtc(board)
                board.pop()
            board.push(max(answers, key=lambda move: later[move]))
    assert tables.table_name(board) == "N-" and folder.probe_wdl(board) == -1


@pytest.mark.parametrize("name", ["N-A", "CA-A", "R-P"])
def test_mates_that_the_engine_proves_have_the_length_of_the_table(folder, name):
    alone = classical(hash_mib=1, tables=None)
    rng = random.Random(name)
    seen = 0
    while seen < 20:
        board = random_board(name, rng)
        plies = folder.probe_dtm(board)
        if not 0 < plies <= 5:
            continue
        seen += 1
        [line] = alone.search(board, mate=(plies + 1) // 2, depth=12)
        assert line.score == MATE - plies, board.fen()


@pytest.mark.parametrize(
    "count", [100, pytest.param(10_000, marks=[pytest.mark.slow, pytest.mark.timeout(3600)])]
)
def test_go_mate_finds_wins_in_three_moves_of_the_tables_and_no_others(count):
    """Half of the positions are random, half are won in three moves at most. Pruning misses a few."""
    opened, alone = tables.open_tables(tables.SHIPPED), Searcher(hash_mib=1, tables=None)
    rng = random.Random(count)
    names = opened.names()
    wins, found, longer = 0, 0, 0
    for number in range(count):
        board = random_board(rng.choice(names), rng)
        while number % 2 and not 0 < opened.probe_dtm(board) <= 5:
            board = random_board(rng.choice(names), rng)
        plies = opened.probe_dtm(board)
        wins += 0 < plies <= 5
        for line in alone.search(board, mate=3, depth=12):  # none where no move is left
            announced = MATE - line.score
            if announced <= 5:
                assert 0 < plies <= announced, board.fen()
                found += 1
                longer += plies < announced
    print(f"{wins} wins, {found} found, {longer} of them longer")
    assert wins > count // 2
    assert found >= 0.99 * wins
    assert longer <= 0.01 * wins


def test_a_capture_into_a_won_table_is_seen_at_once(folder, searcher):
    board = Board("4ka3/9/9/9/9/9/9/1p7/9/N2K5 w")
    assert folder.get_dtm(board) is None
    [line] = searcher.search(board, depth=3)
    board.push(line.pv[0])
    assert line.score == MATE - 1 + folder.probe_dtm(board)
    assert len(line.pv) == MATE - line.score


def test_a_drawn_root_is_played_on(folder, searcher):
    board = Board("3k5/4a4/9/9/9/2C6/9/9/9/4K4 w")
    assert folder.probe_wdl(board) == 0
    [line] = searcher.search(board, depth=5)
    assert len(line.pv) > 1
    assert abs(line.score) < 1000


@pytest.mark.parametrize(("name", "reached"), [("R-PP", "R-P"), ("R-NN", "R-N")])
def test_a_draw_is_relied_on_if_no_rule_of_repetition_changes_it(folder, searcher, name, reached):
    rng = random.Random(name)
    scores = []
    while len(scores) < 6:
        board = random_board(name, rng)
        for capture in filter(board.is_capture, list(board.legal_moves)):
            board.push(capture)
            is_drawn = tables.table_name(board) == reached and folder.probe_wdl(board) == 0
            board.pop()
            if is_drawn:
                [line] = searcher.search(board, depth=1, root_moves=[capture])
                scores.append(abs(line.score))
    assert (max(scores) <= 1) == tables.draws_are_certain(reached)


def test_the_defender_never_leaves_a_draw(folder, searcher):
    rng = random.Random(3)
    seen = 0
    while seen < 8:
        board = random_board("R-N", rng)
        results = {result for _, result, _ in folder.probe_moves(board)}
        if folder.probe_wdl(board) or len(results) < 2:
            continue
        seen += 1
        [line] = searcher.search(board, depth=3)
        board.push(line.pv[0])
        assert folder.probe_wdl(board) == 0


def test_forbidden_moves_are_not_played(folder, searcher):
    board = Board("3k5/9/3n5/9/9/9/9/9/4K4/R8 w")
    _, _, fastest = folder.probe_moves(board)[0]
    others = [move for move, _, plies in folder.probe_moves(board) if plies != fastest]
    [line] = searcher.search(board, depth=2, root_moves=others)
    after = {move: plies for move, result, plies in folder.probe_moves(board) if result == 1}
    assert after[line.pv[0]] == min(after[move] for move in others if move in after)


def test_a_win_is_not_lost_by_repetition(folder, searcher):
    """The fastest win would repeat the position a third time: another move is played, which wins as well."""
    board = Board("5k3/9/9/9/9/9/9/9/R8/3K5 w")
    best, _, _ = folder.probe_moves(board)[0]
    board.push(best)
    back = list(board.legal_moves)
    found = None
    for reply in back:
        board.push(reply)
        home = type(best)(best.to_square, best.from_square)
        if home in board.legal_moves:
            board.push(home)
            again = type(best)(reply.to_square, reply.from_square)
            if again in board.legal_moves:
                found = [reply, home, again]
            board.pop()
        board.pop()
        if found:
            break
    assert found, "the case needs moves that come back"
    board.pop()
    for _ in range(2):
        for move in (best, *found):
            board.push(move)
    [line] = searcher.search(board, depth=6)
    board.push(line.pv[0])
    assert str(rules.judge(board)) == "none"


def test_the_limit_of_moves_without_a_capture_is_heeded(searcher):
    """37 plies are not to be had where the game ends after 10 more."""
    [line] = searcher.search(Board("4ka3/9/9/9/9/9/9/9/9/N2K5 w - - 110 80"), depth=3)
    assert abs(line.score) < 20_000


@pytest.mark.parametrize("dialect", ["ucci", "uci"])
def test_the_option(folder, dialect, tmp_path):
    setting = "setoption tablepath {}" if dialect == "ucci" else "setoption name TablePath value {}"
    engine = UcciEngine(dialect)
    engine.send(setting.format(folder.folder))
    assert engine.sync() == []
    engine.send("position fen 4ka3/9/9/9/9/9/9/9/9/N2K5 w - - 0 1", "go depth 2")
    engine.expect("bestmove")
    line = engine.lines[engine.seen - 2][1]
    assert "score mate 19" in line if dialect == "uci" else "score 9963" in line
    assert len(line.partition(" pv ")[2].split()) == 37
    engine.send(setting.format(tmp_path))
    [line] = engine.sync()
    assert "error tablepath unavailable keeping the old one: no tables in" in line
    engine.quit()


@pytest.mark.parametrize("name", ["{x}", "{}{0}", "a bestmove a0a1", "damaged bestmove a0a1"])
def test_no_folder_ends_the_engine_or_speaks_for_it(tmp_path, name):
    (tmp_path / name).mkdir()
    if name.startswith("damaged"):
        (tmp_path / name / "R-N.table").write_bytes(b"what")
    engine = UcciEngine("uci")
    setting = f"setoption name TablePath value {tmp_path / name}"
    engine.send(setting)
    lines = engine.sync()
    engine.send("go infinite", setting, "stop")
    lines.append(engine.expect("info string error"))  # by the thread of the search
    assert engine.best("position startpos", "go depth 2")
    assert len(lines) == 2 and not any("bestmove" in line for line in lines)
    engine.quit()


def thrown_away(folder):
    """A won position of R-N, and a move that draws."""
    rng = random.Random(1)
    while True:
        board = random_board("R-N", rng)
        found = folder.probe_moves(board)
        drawing = [move for move, result, _ in found if result == 0]
        if folder.probe_wdl(board) == 1 and drawing:
            return board, drawing[0]


def test_a_review_says_that_a_won_ending_became_drawn(folder):
    board, move = thrown_away(folder)
    game = Game(board.fen())
    game.add(move)
    with Engine(hash_mib=1, tables=folder.load_for(board)) as engine:
        review = review_game(game, engine, Limit(depth=4))
    assert review.moves[0].ending == (1, 0)
    assert "A won ending became drawn, rules of repetition aside." in review.comment(review.moves[0])
    assert "胜局变成了和局（不计棋例）。" in review.comment(review.moves[0], "zh")


def test_commands_say_what_the_table_knows(folder, tmp_path):
    """The draws of R-N may rest on perpetual checks, and are called so."""
    board, move = thrown_away(folder)
    options = ["--tables", folder.folder]
    winner = "red" if board.turn else "black"
    known = f"table {winner} wins in {folder.probe_dtm(board)} pl"
    analysed = call("analyse", board.fen(), "--depth", 2, *options).stdout
    assert known in analysed and "table moves that keep it: " in analysed
    assert move.iccs() not in analysed.split("keep it: ")[1].splitlines()[0]
    assert "table" not in call("analyse", board.fen(), "--depth", 2, "--tables", "none").stdout
    assert known in call("judge", board.fen(), *options).stdout
    file = tmp_path / "game.pgn"
    game = Game(board.fen())
    game.add(move)
    file.write_bytes(encode_game(game, "pgn"))
    shown = call("review", file, "--depth", 4, "--language", "en", *options).stdout
    assert "A won ending became drawn, rules of repetition aside." in shown
    refused = call("analyse", board.fen(), "--tables", tmp_path)
    assert (refused.returncode, "no endgame tables" in refused.stderr) == (2, True)


def test_commands_say_that_a_win_may_come_too_late(folder, tmp_path):
    """37 plies to mate, 29 to the capture, of 120 without one."""
    fen, options = "4ka3/9/9/9/9/9/9/9/9/N2K5 w - - {} 60", ["--tables", folder.folder]
    late = "perhaps too late for the limit of 120 plies without a capture"
    for played, expected in ((91, False), (92, True)):
        position = fen.format(played)
        judged = call("judge", position, *options).stdout
        assert (f"table red wins in 37 plies, {late}\n" in judged) == expected
        probed = call("tables", "probe", position, "--folder", folder.folder).stdout.splitlines()[0]
        assert probed == "won in 37 plies, a capture within 29" + (f", {late}" if expected else "")
    assert late in call("analyse", fen.format(92), "--depth", 2, *options).stdout
    assert late not in call("judge", fen.format(92), *options, "--no-capture-limit", 0).stdout
    assert describe(folder, Board(fen.format(92)), "zh") == "红方胜，还需 37 着（可能超过 120 着的自然限着）"
    for name in folder.names():
        (tmp_path / f"{name}.table").write_bytes(folder.path(name).read_bytes())
        (tmp_path / f"{name}.dtm").write_bytes(folder.path(name, 1).read_bytes())
    without = tables.open_tables(tmp_path)  # the way to the conversion
    assert describe(without, Board(fen.format(83))) == "red wins in 37 plies"
    assert describe(without, Board(fen.format(84))) == f"red wins in 37 plies, {late}"


def test_solve_says_what_the_table_knows(folder, tmp_path):
    file = tmp_path / "puzzles.epd"
    file.write_text('4ka3/9/9/9/9/9/9/9/9/N2K5 w - - id "knight";\n', encoding="utf-8")
    options = ["--depth", 2, "--tables"]
    shown = call("solve", file, *options, folder.folder).stdout
    assert "table: red wins in 37 plies" in shown.splitlines()[0]
    assert '"table": "red wins in 37 plies"' in call("solve", file, *options, folder.folder, "--json").stdout
    assert "table" not in call("solve", file, *options, "none").stdout


def test_play_says_what_the_table_knows(folder):
    board, move = thrown_away(folder)
    words = ["play", board.fen(), "--side", "red" if board.turn else "black", "--level", 0, "--time", 0.1]
    typed = f"hint\n{move}\nquit\n"
    words += ["--tables", folder.folder, "--language"]
    english, chinese, traditional = (
        call(*words, language, text=typed).stdout for language in ("en", "zh", "zh-Hant")
    )
    winner = "red" if board.turn else "black"
    assert f"endgame table: {winner} wins in {folder.probe_dtm(board)} pl" in english
    assert "A won ending became drawn, rules of repetition aside." in english
    assert "残局库：" in chinese and "胜局变成了和局（不计棋例）。" in chinese
    assert "殘局庫：" in traditional and "勝局變成了和局（不計棋例）。" in traditional
    assert "table" not in call(*words, "en", "--tables", "none", text=typed).stdout


def test_only_tables_that_a_position_can_lead_to_are_read(folder):
    assert set(folder.load_for(Board("4ka3/9/9/9/9/9/9/9/9/N2K5 b"))) == {"N-", "N-A"}
    assert set(folder.load_for(Board("3k5/9/9/9/9/9/9/9/9/N3Kc3 w"))) == {"N-", "C-"}
    assert len(folder.load_for(Board())) == 0


def test_the_engine_of_the_library_has_tables_of_its_own_but_for_weak_levels():
    board = Board("4ka3/9/9/9/9/9/9/9/9/N2K5 w")
    with Engine(hash_mib=1) as engine:
        assert engine.tables is shipped_tables()
        with pytest.raises(ValueError, match="in use"):
            shipped_tables().add(tables.open_tables(tables.SHIPPED).load(["N-A"])["N-A"])
        assert engine.analyse(board, Limit(depth=2))["score"].pov(board.turn).mate() == 19
        engine.tables = None
        assert engine.analyse(board, Limit(depth=2))["tbhits"] == 0
    with Engine(hash_mib=1, skill=5) as engine:
        assert engine.analyse(board, Limit(depth=2))["tbhits"] > 0
        info = engine.play(board, Limit(depth=2)).info
        assert info["tbhits"] == 0
        assert not info["score"].is_mate()  # nor has it the scores of searches with tables in its memory


def test_the_engine_has_tables_of_its_own():
    engine = UcciEngine("uci")
    position = "position fen 4ka3/9/9/9/9/9/9/9/9/N2K5 w - - 0 1"
    engine.send(position, "go depth 2")
    engine.expect("bestmove")
    assert "score mate 19" in engine.lines[engine.seen - 2][1]
    engine.send("setoption name TablePath value", position, "go depth 2")
    engine.expect("bestmove")
    assert "score cp" in engine.lines[engine.seen - 2][1]
    engine.quit()
