"""Reviews: planted blunders are found, interrupted ones go on, and what is written is read back."""

import asyncio
import json
import math
import re
import statistics
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import CHROMIUM, CHROMIUM_FLAGS, COMMAND, call, needs_chromium, raises

from eleengine import BLACK, RED, Board, Engine, Limit, Move
from eleengine.book import Entry
from eleengine.commands import review as review_command
from eleengine.engines import ExternalEngine
from eleengine.records import Arrow, Game, read_game, write_games
from eleengine.review import (
    MoveReview,
    ReviewJournal,
    evaluate_move,
    game_page,
    result,
    review_game,
    winning_chances,
)
from eleengine.review.accuracy import side_accuracy
from eleengine.review.chances import points_lost
from eleengine.score import Cp, Mate, MateGiven, PovScore
from eleengine.tables import words

MASTERS = Path(__file__).parent / "records" / "game.iccs.pgn"
LIMIT = Limit(nodes=4000)
CHECKING = "R2k5/9/9/9/9/9/9/9/9/4K4 b"


@pytest.fixture(scope="module")
def engine():
    with Engine() as engine:
        yield engine


def planted(ply, move):
    """A master game whose move after so many plies is another one, the last but its answer."""
    board = Board()
    for played in list(read_game(MASTERS).mainline_moves())[:ply]:
        board.push(played)
    board.push_iccs(move)
    return Game.from_board(board, {"Red": "甲", "Black": "乙", "Result": "*"})


def hanging_moves(board):
    """Moves that lose at least a knight by exchanges alone."""
    return [move for move in board.legal_moves if not board.see_ge(move, -350) and not board.is_capture(move)]


@pytest.mark.parametrize("ply", [16, 25, 34])
def test_planted_blunders_are_found(engine, ply):
    board = Board()
    for move in list(read_game(MASTERS).mainline_moves())[:ply]:
        board.push(move)
    bad = hanging_moves(board)[0]
    review = review_game(planted(ply, bad.iccs()), engine, LIMIT)
    found = review.moves[ply]
    assert (found.move, found.mark) == (bad, "blunder") and found.loss >= 0.2
    assert found.better and found.better[0] != bad
    board.push(bad)
    assert found.refutation[0] in board.legal_moves
    assert review.marked(found.side, "blunder") >= 1
    assert review.annotated().plies() == ply + 1 and "Then" in review.comment(found)
    assert "後續" in review.comment(found, "zh-Hant") and "后续" in review.comment(found, "zh")
    assert review.accuracy[found.side] < 100


def test_moves_of_the_engine_cost_nothing(engine):
    board = Board()
    for _ in range(4):
        board.push(engine.play(board, LIMIT).move)
    review = review_game(Game.from_board(board), engine, LIMIT)
    assert all(found.loss < 0.1 for found in review.moves)


def test_only_the_side_that_is_asked_for(engine):
    raises(TypeError, "a color is RED", review_game, planted(5, "a9a8"), engine, LIMIT, sides=["red"])
    raises(TypeError, "a color is RED", result.build_review, planted(5, "a9a8"), [], ["black"])
    review = review_game(planted(5, "a9a8"), engine, LIMIT, sides=[RED])
    assert review.accuracy[RED] is not None and review.accuracy[BLACK] is None
    assert all(found.mark is None and found.loss == 0 for found in review.moves if found.side == BLACK)


def test_missed_mates_and_the_end(engine):
    game = Game("3k5/R8/8R/9/9/9/9/2r6/1r7/5K3 w")
    game.play_line(["i7i6", "c2c0"])
    review = review_game(game, engine, Limit(depth=4))
    assert review.moves[0].mark is not None and review.moves[0].mate == 1
    assert "mate in 1" in review.comment(review.moves[0]) and "1 步杀" in review.comment(
        review.moves[0], "zh"
    )
    game = Game("3k5/R8/8R/9/9/9/9/9/9/5K3 w")
    game.play("i7i9")
    review = review_game(game, engine, Limit(depth=4))
    assert review.moves[0].mark is None and review.end.text().startswith("checkmate: Black has no legal move")
    assert review.to_dict()["moves"][0]["chances"] == 1


def test_mates_in_one_that_are_left_count_though_others_stay(engine):
    """Red has a mate in one on each move and plays another until it mates at last."""
    game = Game("3k5/R8/8R/9/9/9/9/9/9/5K3 w")
    game.play_line(["i7i6", "d9e9", "i6i7", "e9d9", "i7i9"])
    review = review_game(game, engine, Limit(depth=4))
    assert [found.mark for found in review.moves[::2]] == ["missed_mate", "missed_mate", None]
    assert review.accuracy[RED] < 85


def test_a_move_that_ends_the_game_by_repetition_is_judged_by_the_rules(engine):
    """Whoever goes on checking loses by it, whatever a search thinks of the position."""
    board = Board(CHECKING)
    while not board.repetition():
        board.push_iccs(("d9d8", "a9a8", "d8d9", "a8a9")[board.ply % 4])
    last = board.pop()

    async def search(position):
        return engine.analyse(position, Limit(depth=3))

    found = asyncio.run(evaluate_move(board, last, search, result_at=lambda position: 1))
    assert found.verdict.winner == (not found.side) and found.mark == "blunder"
    assert found.ending == (1, -1) and found.ply == board.ply + 1


def accuracy_by_hand(chances, side):
    """The published formula of lichess in its own order: windows of all positions first."""
    size = max(2, min(8, (len(chances) - 1) // 10))
    windows = [chances[:size]] * (size - 2) + [chances[n : n + size] for n in range(len(chances) - size + 1)]
    weights = [max(0.5, min(12, statistics.pstdev(window))) for window in windows]
    found = []
    for ply in range(side, len(chances) - 1, 2):
        lost = max(0, chances[ply] - chances[ply + 1] if side == 0 else chances[ply + 1] - chances[ply])
        value = 103.1668100711649 * math.exp(-0.04354415386753951 * lost) - 3.166924740191411
        found.append((max(0, min(100, value)), weights[ply]))
    weighted = sum(a * w for a, w in found) / sum(w for _, w in found)
    return (weighted + len(found) / sum(1 / max(1, a) for a, _ in found)) / 2


@given(st.lists(st.integers(-400, 400), min_size=3, max_size=120))
def test_accuracy_is_that_of_lichess(scores):
    """In positions that are not decided; what counts beyond is in `points_lost`."""
    moves = []
    for ply, (before, after) in enumerate(pairwise(scores), 1):
        one, two = PovScore(Cp(before), RED), PovScore(Cp(after), RED)
        side = ply % 2 == 1
        lost = max(0.0, winning_chances(one.pov(side)) - winning_chances(two.pov(side)))
        move = Move.from_iccs("h2e2")
        moves.append(
            MoveReview(ply, side, move, one, two, 1, (), (), lost, None, None, False, None, lost=lost)
        )
    chances = [100 * winning_chances(Cp(score)) for score in scores]
    for number, side in enumerate((RED, not RED)):
        assert side_accuracy(moves, side) == pytest.approx(accuracy_by_hand(chances, number))


def test_what_is_lost_in_a_lost_position_counts():
    def lost(before, after):
        return points_lost(PovScore(before, RED), PovScore(after, RED), RED)

    assert lost(Cp(-1500), Cp(-2500)) > lost(Cp(-1500), Cp(-1600)) > lost(Cp(-1500), Cp(-1500)) == 0
    assert lost(Cp(-900), Mate(-1)) > 0.1 and lost(Cp(300), Cp(-300)) > 0.5


def test_a_mark_that_a_person_has_given_stays(engine):
    board = Board()
    for move in list(read_game(MASTERS).mainline_moves())[:16]:
        board.push(move)
    game = planted(16, hanging_moves(board)[0].iccs())
    game.end().nags = (1, 14)
    game.headers["Annotator"] = "Hu"
    review = review_game(game, engine, LIMIT)
    annotated = review.annotated()
    assert review.moves[-1].mark == "blunder" and annotated.end().nags == {1, 14}
    again = review._replace(game=annotated).annotated()
    assert annotated.headers["Annotator"] == again.headers["Annotator"] == "Hu; eleengine"


def test_what_the_rules_say(engine):
    game = Game("4kab2/4a4/4b4/3rC2R1/9/9/4n4/4B4/4A4/4KAB1c w")
    game.play_line(2 * ["h6i6", "i0h0", "i6h6", "h0i0"])
    review = review_game(game, engine, Limit(depth=2))
    assert review.end.text().startswith("perpetual chase: Red chases the cannon i0")
    assert review.moves[-1].after.red() == Mate(0)
    said = review.annotated(language="zh").end().comment
    assert said == "红方长捉，黑方胜"
    assert review.to_dict()["end"] == review.end.text()


@pytest.mark.parametrize(
    "weights, scores",
    [
        ([1, 1, 1], [None, None, None]),
        ([1, 0, 0], [40, 20, 15]),  # too weak for the engine to play, but theory
    ],
)
def test_moves_of_a_book_are_not_judged(engine, weights, scores):
    class Book:
        def find_all(self, board):
            known = ["h2e2", "h9g7", "b7b0"] if board.ply != 2 else []  # the game comes back to it
            told = zip(known, weights, scores, strict=False)
            return [Entry(Move.from_iccs(text), weight, score=score) for text, weight, score in told]

    game = Game()
    game.play_line(["h2e2", "h9g7", "e2e6", "b7b0"])
    review = review_game(game, engine, LIMIT, book=Book())
    assert review.book_plies == 2
    assert [found.in_book for found in review.moves] == [True, True, False, False]
    assert "book ends" in review.comment(review.moves[1])
    assert review.moves[2].mark is not None


@pytest.mark.parametrize("weight, score", [(0, None), (1, -60)])
def test_moves_that_a_book_thinks_bad_are_judged(engine, weight, score):
    class Book:
        def find_all(self, board):
            return [
                Entry(Move.from_iccs("h2e2"), weight, score=score),
                Entry(Move.from_iccs("h9g7"), weight, score=score),
                Entry(Move.from_iccs("b2e2"), 1, score=40),
            ]

    game = Game()
    game.play_line(["h2e2", "h9g7"])
    assert review_game(game, engine, LIMIT, book=Book()).book_plies == 0


def test_an_interrupted_review_goes_on(engine, tmp_path):
    game = read_game(MASTERS)
    list(game.mainline())[6].remove()

    class Interrupted(Exception):
        pass

    def stop(done, of):
        if done == 4:
            raise Interrupted

    path = tmp_path / "review.jsonl"
    with ReviewJournal(path, game, LIMIT, engine) as journal, pytest.raises(Interrupted):
        review_game(game, engine, LIMIT, journal=journal, report=stop)
    assert len(path.read_text().splitlines()) == 5
    with ReviewJournal(path, game, LIMIT, engine) as journal:
        whole = review_game(game, engine, LIMIT, journal=journal)
    closed = Engine()
    closed.close()
    with ReviewJournal(path, game, LIMIT, engine) as journal:  # nothing is left to search
        assert review_game(game, closed, LIMIT, journal=journal) == whole
    raises(ValueError, "other limit", ReviewJournal, path, game, Limit(nodes=5), engine)
    with Engine(network="classical") as other, pytest.raises(ValueError, match="other engine"):
        ReviewJournal(path, game, LIMIT, other)
    with Engine(rule_set="simple") as other, pytest.raises(ValueError, match="other rules"):
        ReviewJournal(path, game, LIMIT, other)


def test_chances():
    assert winning_chances(Cp(0)) == 0.5 and winning_chances(MateGiven) == 1
    assert winning_chances(Mate(-1)) == 0
    values = [winning_chances(Cp(cp)) for cp in range(-2000, 2001, 100)]
    assert values == sorted(values) and values[0] + values[-1] == pytest.approx(1)


def test_any_engine_reviews(engine):
    """Another program knows neither our rule sets nor our tables."""
    game = Game()
    game.play_line(["h2e2", "h9g7"])
    with ExternalEngine(COMMAND, protocol="uci", timeout=60) as other:
        review = review_game(game, other, Limit(depth=1))
    assert [found.move for found in review.moves] == list(game.mainline_moves())
    assert review.moves[1].after == engine.analyse(game.end().board(), Limit(depth=1))["score"]


def test_a_game_without_moves_is_refused(engine):
    raises(ValueError, "without moves", review_game, Game(), engine, LIMIT)


@pytest.fixture
def blunder(tmp_path):

    path = tmp_path / "blunder.pgn"
    game = Game(headers={"Red": "</script><b>", "Black": "乙", "Result": "0-1"})
    game.play_line(["h2e2", "h9g7", "e2e6", "g7e6"])
    write_games(path, [game])
    return path


def test_the_command_writes_all_kinds(done, blunder, tmp_path):
    names = ["r.pgn", "r.xqf", "r.ubb", "r.json", "r.html"]
    outs = [word for name in names for word in ("--out", tmp_path / name)]
    written = done("review", blunder, "--nodes", 3000, "--notation", "wxf", *outs)
    assert "blunder" in written.out and "2. C5+4 e2e6" in written.out and "Red    accuracy" in written.out
    for name in names[:3]:
        game = read_game(tmp_path / name, strict=True)
        move = game.children[0].children[0].children[0]
        assert move.nags == {4} and move.eval is not None and "Blunder" in move.comment
        assert len(move.parent.children) == 2
    data = json.loads((tmp_path / "r.json").read_text())
    assert data["moves"][2]["mark"] == "blunder" and data["marks"]["red"]["blunder"] == 1
    assert data == json.loads(done("review", blunder, "--nodes", 3000, "--json").out)


SIMPLIFIED = re.compile("[红准确错杀缓损应评标记终开库马车进后]")


@pytest.mark.parametrize("said", ["environment", "arguments"])
def test_all_that_is_said_is_in_traditional_characters(done, blunder, tmp_path, monkeypatch, said):
    monkeypatch.setenv("LC_ALL", "zh_TW.UTF-8" if said == "environment" else "en_US.UTF-8")
    asked = ["--language", "zh-Hant"] if said == "arguments" else []
    outs = [word for name in ("r.pgn", "r.html") for word in ("--out", tmp_path / name)]
    table = done("review", blunder, "--nodes", 3000, *asked, *outs).out
    for word in ("著法", "漏著", "炮五進四", "馬", "失炮", "紅方 準確率", "開局庫"):
        assert word in table
    text = (tmp_path / "r.pgn").read_text(encoding="utf-8")
    for word in ("開局庫至此", "漏著，勝率損失", "應走馬", "失炮。"):
        assert word in text
    assert not SIMPLIFIED.search(table + text)
    assert '<html lang="zh-Hant">' in (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "炮五进四" in done("review", blunder, "--nodes", 100, *asked, "--notation", "chinese").out


def test_every_language_has_all_words():
    for tables in (result._WORDS, review_command.WORDS, words._KNOWN, words._SIDES, words._CHANGES):
        english, *others = (set(table) for table in tables.values())
        assert len(others) == 2 and all(other == english for other in others)
    assert len(words._ASIDE) == 3


def test_what_the_format_of_the_review_loses_is_reported(done, tmp_path):
    game = Game("3ak4/9/9/9/9/9/9/9/9/R4K3 b - - 5 9", headers={"ECCO": "C48"})
    game.play("e9e8")
    write_games(tmp_path / "game.pgn", [game])
    losses = ["the move counters", "no header ECCO", "no header BlackAccuracy"]
    for suffix, lost in (("xqf", losses), ("pgn", [])):
        written = done("review", tmp_path / "game.pgn", "--nodes", 10, "--out", tmp_path / f"r.{suffix}").err
        assert len(written.splitlines()) == len(lost) and all(part in written for part in lost)


def test_the_opening_is_judged_only_if_that_is_wanted(done, blunder):
    assert "the opening book ends after 2 plies" in done("review", blunder, "--nodes", 500).out
    data = json.loads(done("review", blunder, "--nodes", 500, "--no-book", "--json").out)
    assert data["book_plies"] == 0 and not any(move["book"] for move in data["moves"])


def test_the_network_of_the_arguments_judges(done, blunder):
    network, classical = (
        json.loads(done("review", blunder, "--nodes", 500, "--json", "--network", name).out)
        for name in ("<internal>", "classical")
    )
    assert network != classical


@pytest.mark.parametrize(
    "words, part",
    [
        (["{file}", "--out", "{dir}/x.wxf"], "cannot hold an annotated game"),
        (["{file}", "--out", "{dir}/x.doc"], "tells no format"),
        (["{file}", "--out", "{dir}/no/x.pgn"], "no: No such directory"),
        (["{file}", "--out", "{file}"], "blunder.pgn: is read, too"),
        (["{file}", "--game", "7"], "there is no game 7"),
        (["{dir}/empty.pgn"], "without moves"),
        (["{dir}/pass.pgn", "--out", "{dir}/x.xqf"], "the format cannot hold a pass"),
        (["{file}", "--book", "{file}"], "blunder.pgn"),
        (["{file}", "--book", "{dir}/none"], "none: No such file"),
        (["{file}", "--network", "{dir}/none"], "none: No such file"),
        (["{file}", "--journal", "{dir}/pass.pgn"], "pass.pgn: not a journal of a review"),
    ],
)
def test_bad_arguments(done, blunder, tmp_path, words, part):
    (tmp_path / "empty.pgn").write_text('[Red "a"]\n\n*\n')
    (tmp_path / "pass.pgn").write_text("1. h2e2 -- *")
    before = blunder.read_bytes()
    places = {"file": blunder, "dir": tmp_path}
    assert part in done("review", *(word.format(**places) for word in words), "--nodes", 100, status=2).err
    assert blunder.read_bytes() == before


@pytest.mark.system
@needs_chromium
def test_the_page_in_a_browser(done, blunder, tmp_path):
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    out = tmp_path / "review.html"
    done("review", blunder, "--nodes", 3000, "--out", out, "--language", "zh")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
        page = browser.new_page()
        troubles, requests = [], []
        page.on("console", lambda message: troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(out.as_uri())
        assert page.title() == "</script><b> - 乙" and page.locator("#board .put").count() == 32
        assert "初始局面" in page.locator("#said").text_content()
        page.locator("#moves button").nth(2).click()
        said = page.locator("#said").text_content()
        assert "漏着" in said and "应走" in said
        assert page.locator("#board .put").count() == 31 + 2  # a piece is gone, the move is ringed
        page.locator("#lines button").first.click()
        assert page.locator("#lines .here").count() == 1
        page.locator("#zh-Hant").click()
        said = page.locator("#said").text_content()
        assert "漏著" in said and "應走" in said and "紅方勝率" in said
        assert page.locator("#moves button").nth(2).text_content() == "炮五進四??"
        assert "準確率" in page.locator("#sums").text_content()
        page.locator("#en").click()
        assert "Blunder" in page.locator("#said").text_content()
        assert page.locator("#moves button").nth(2).text_content() == "C5+4??"
        page.keyboard.press("ArrowRight")
        assert page.locator("#moves .here").text_content().startswith("H7+5")
        page.keyboard.press("Home")
        box = page.locator("#graph").bounding_box()
        page.mouse.click(box["x"] + box["width"] * 0.99, box["y"] + 20)
        assert page.locator("#moves .here").get_attribute("data-ply") == "4"
        page.locator("#turn").click()
        assert page.locator("#board .put").count() > 30
        browser.close()
    assert troubles == [] and [url for url in requests if not url.startswith("data:")] == [out.as_uri()]


def shared_game():
    game = Game(headers={"Red": "Hu <b>", "Black": "Xu"}, comment="a start")
    first = game.play("h2e2", comment="the usual </script> move")
    first.nags, first.arrows = (1,), (Arrow.of("h9g7"),)
    game.play("b2e2").play("b9c7").parent.play("h7e7")
    first.play("h9g7")
    return game


def test_a_game_without_a_review_is_one_page():
    text = game_page(shared_game(), language="en")
    assert "<title>Hu &lt;b&gt; - Xu</title>" in text and text.count("</script>") == 2
    data = json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', text)[1])
    assert data["comment"]["en"] == "a start" and data["fen"] == Board().fen()
    assert [move["en"] for move in data["moves"]] == ["C2.5", "H8+7"]
    assert data["moves"][0]["sign"] == "!" and data["moves"][0]["arrows"] == [["h9", "g7", "green"]]
    lines = [[move["move"] for move in line] for line in data["moves"][0]["variations"]]
    assert lines == [["b2e2", "b9c7"], ["h7e7"]]
    assert data["moves"][0]["variations"][1][0]["fen"].split()[1] == "w"
    raises(ValueError, "language", game_page, Game(), language="fr")


def test_show_writes_the_page(tmp_path):
    path, out = tmp_path / "a.pgn", tmp_path / "a.html"
    path.write_text(str(shared_game()), encoding="utf-8")
    done = call("show", path, "--html", out, "--language", "zh")
    assert (done.returncode, done.stderr) == (0, "")
    text = out.read_text(encoding="utf-8")
    assert '<html lang="zh">' in text and "炮二平五" in text
    assert call("show", path, "--html", out).returncode == 2
