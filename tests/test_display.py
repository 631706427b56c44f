"""What notebooks show, and what is said to who asks for a search with something else than a board."""

import io
from xml.etree import ElementTree

import pytest
from support import COMMAND, raises

from eleengine import E0, E4, BaseBoard, Board, Engine, Limit, Move, SquareSet
from eleengine._internal.display import html_table
from eleengine.engines import AsyncEngine, ExternalEngine, Searcher
from eleengine.records import Game, read_game
from eleengine.svg import Arrow

QUICK = Limit(depth=1)


def cells(html):
    """The rows of the first table, as text."""
    table = ElementTree.fromstring(f"<div>{html}</div>").find(".//table")
    return [["".join(cell.itertext()) for cell in row] for row in table]


def test_tables_hold_any_text():
    assert cells(html_table([("<b>&", 1)], head=("a", '"'))) == [["a", '"'], ["<b>&", "1"]]


def test_an_evaluation_is_a_table_that_sums_up():
    evaluation = Board("4k4/9/9/9/9/9/9/9/3R5/5K3 w").evaluation()
    rows = {row[0]: row[1:] for row in cells(evaluation._repr_html_())}
    red, black = evaluation.groups()["material"]
    assert [int(cell) for cell in rows["material"]] == [red, black, red - black]
    assert int(rows["classical score for red"][-1]) == evaluation.score.red().score()
    assert int(rows["network, for red"][-1]) == evaluation.network.score.red().score()


@pytest.mark.system
def test_infos_are_dicts_that_show_themselves():
    board = Board()
    board.push_iccs("h2e2")
    with Engine(hash_mib=1) as engine, ExternalEngine(COMMAND, protocol="uci") as other:
        [first, _] = engine.analyse(board, Limit(nodes=3000), multipv=2)
        infos = [first, engine.analyse(board, Limit(nodes=300)), other.analyse(board, Limit(nodes=300))]
        infos += other.analyse(board, Limit(nodes=300), multipv=2)
    for info in infos:
        rows = dict(cells(info._repr_html_()))
        assert isinstance(info, dict) and rows.keys() == info.keys()
        assert rows["pv"].split() == [move.iccs() for move in info["pv"]]
        assert rows["score"] == f"{info['score'].red()} for red"
    with Engine(hash_mib=1) as engine:
        assert "#+0 for red" in engine.analyse(Board("3k4R/R8/9/9/9/9/9/9/9/5K3 b"), QUICK)._repr_html_()


def test_games_show_players_moves_and_the_end():
    game = Game(headers={"Red": "Hu <1>", "Black": "Xu", "Result": "1-0"})
    node = game.play("h2e2").play("h9g7")
    html = game._repr_html_()
    page = ElementTree.fromstring(f"<div>{html}</div>")
    assert "Hu <1> – Xu 1-0" in "".join(page.itertext()) and "炮二平五 马8进7" in html
    picture = "{http://www.w3.org/2000/svg}"
    assert page.find(f"{picture}svg/{picture}desc").text == node.board().fen()
    node.arrows = (Arrow(E0, E4),)
    assert 'class="arrow' in node._repr_svg_() and 'class="arrow' not in node.parent._repr_svg_()
    assert ElementTree.fromstring(f"<div>{Game()._repr_html_()}</div>") is not None


@pytest.mark.parametrize("name", ["Red", "Title"])
def test_no_header_becomes_markup(name):
    for text in ("<svg onload=alert(1)>", "<svg ><script>alert(1)</script>", "<p>", "a & b"):
        page = ElementTree.fromstring(f"<div>{Game(headers={name: text})._repr_html_()}</div>")
        assert page[0].tag == "p" and page[0].text == f"{text} *" and len(page) == 2


def test_a_game_that_cannot_be_played_says_so():
    broken = Game(headers={"Red": "Hu"})
    node = broken.add(Move.from_iccs("a0a9"))
    unread = read_game(io.StringIO('[FEN "nonsense"]\n\n*\n'))
    lost = Game().play("h2e2")
    lost.remove()
    assert unread.error is not None
    for game, told in ((broken, "illegal move a0a9"), (unread, "invalid FEN 'nonsense'")):
        [*_, text] = ElementTree.fromstring(f"<div>{game._repr_html_()}</div>")
        assert told in text.text and "<svg" not in game._repr_html_()
        assert told in str(game) and str(game).startswith("<Game ")
    assert node._repr_svg_() is unread._repr_svg_() is lost._repr_svg_() is None


def test_sets_of_squares_show_a_board():
    assert SquareSet([E0, E4])._repr_svg_().count('class="mark"') == 2


@pytest.mark.system
async def test_who_asks_with_something_else_is_told_what_was_expected():
    with Engine(hash_mib=1) as engine, ExternalEngine(COMMAND, protocol="uci") as other:
        for method in (
            engine.play,
            engine.analyse,
            engine.analysis,
            other.play,
            other.analyse,
            other.analysis,
        ):
            with pytest.raises(TypeError, match=r"a position is a Board, not str: Board\(fen\)"):
                method("4k4/9/9/9/9/9/9/9/9/3K5 w", QUICK)
            raises(TypeError, r"a limit is a Limit, not int: Limit\(time=1\)", method, Board(), 1)
        for method in (engine.play, engine.analyse, other.play, other.analyse):
            raises(TypeError, "a limit is a Limit, not NoneType", method, Board(), None)
        raises(TypeError, "the limit depth must be a number, not '3'", engine.play, Board(), Limit(depth="3"))
        with pytest.raises(TypeError, match="a book is a Book, not str"):
            engine.book = "masters"
        assert other.play(Board(), QUICK).move and engine.play(BaseBoard(), QUICK).move
    async with AsyncEngine(Engine(hash_mib=1)) as engine:
        with pytest.raises(TypeError, match="a position is a Board"):
            await engine.play("fen", QUICK)


def test_the_bare_search_has_a_public_home():
    [line] = Searcher(hash_mib=1).search(Board(), depth=2)
    assert isinstance(line.pv[0], Move)
