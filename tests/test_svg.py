"""Pictures are well-formed XML, the same every time, and show what they were asked to show."""

from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_board import choices, play

from eleengine import A0, BLACK, E0, E4, E9, H2, I9, RED, SQUARES, Board, Move, SquareSet, svg

squares = st.sampled_from(SQUARES)


def elements(picture, name=None):
    """The elements of a picture, or those whose class contains a word."""
    found = list(ElementTree.fromstring(picture).iter())
    return found if name is None else [e for e in found if name in e.get("class", "").split()]


@given(
    choices,
    st.lists(st.tuples(squares, squares), max_size=3),
    st.dictionaries(squares, st.text("abc#<>&\"'", max_size=8), max_size=3),
    st.sets(squares),
    st.sampled_from([RED, BLACK]),
    st.booleans(),
    st.sampled_from(["chinese", "traditional", "latin"]),
)
@settings(deadline=None)
def test_every_picture_is_well_formed_and_complete(choices, arrows, fill, marks, side, coordinates, letters):
    board = play(choices)
    options = {
        "last_move": board.peek() if board.ply else None, "arrows": arrows, "fill": fill, "squares": marks,
        "orientation": side, "coordinates": coordinates, "letters": letters, "check": E0, "size": 300,
        "style": "<&>\"'",
    }  # fmt: skip
    picture = svg.board(board, **options)
    assert picture == svg.board(board.copy(), **options)
    assert len(elements(picture, "piece")) == len(board.occupied())
    assert len(elements(picture, "red")) == len(board.occupied(RED))
    assert len(elements(picture, "last-move")) == (2 if board.ply else 0)
    assert len(elements(picture, "arrow")) == len(arrows)
    assert [e.get("fill") for e in elements(picture, "fill")] == list(fill.values())
    assert len(elements(picture, "mark")) == len(marks)
    assert len(elements(picture, "check")) == 1
    assert len(elements(picture, "coordinate")) == coordinates * (38 if letters == "latin" else 18)
    assert len(elements(picture, "river")) == (0 if letters == "latin" else 4)


def place(picture, *words):
    """Where the only element of these classes stands."""
    [element] = [e for e in elements(picture) if set(words) <= set(e.get("class", "").split())]
    return element.get("transform")


def test_the_board_is_turned_for_black():
    board = Board("4k4/9/9/9/9/9/9/9/9/R2K5 w")
    assert place(svg.board(board), "red", "rook") == "translate(0 540)"
    assert place(svg.board(board, orientation=BLACK), "red", "rook") == "translate(480 0)"
    assert place(svg.board(board), "black", "king") == "translate(240 0)"
    assert place(svg.board(board, orientation=BLACK), "black", "king") == "translate(240 540)"


@pytest.mark.parametrize(
    ("letters", "texts"),
    [("chinese", "车马车马"), ("traditional", "俥傌車馬"), ("latin", "RNRN")],
)
def test_letters_are_those_asked_for(letters, texts):
    picture = svg.board(Board("r2kn4/9/9/9/9/9/9/9/9/R4K2N w"), letters=letters)
    pieces = [(color, kind) for color in ("red", "black") for kind in ("rook", "knight")]
    for (color, kind), text in zip(pieces, texts, strict=True):
        [piece] = [e for e in elements(picture, kind) if color in e.get("class").split()]
        assert "".join(piece.itertext()) == text


def test_arrows_are_moves_pairs_or_arrows_with_a_color():
    arrows = [Move.from_iccs("h2e2"), (H2, E4), svg.Arrow(A0, I9, "red"), svg.Arrow.of("a0a9", "#123456"),
              svg.Arrow(E9, E9, "blue")]  # fmt: skip
    drawn = elements(svg.board(arrows=arrows), "arrow")
    assert [e.tag.rpartition("}")[2] for e in drawn] == ["polygon"] * 4 + ["circle"]
    assert [e.get("fill") for e in drawn[:4]] == ["#2e8b57", "#2e8b57", "#c8321e", "#123456"]


def test_an_arrow_points_at_its_head():
    [arrow] = elements(svg.board(arrows=[(A0, 81)]), "arrow")
    points = [tuple(map(float, point.split(","))) for point in arrow.get("points").split()]
    assert min(points, key=lambda point: point[1]) == (0, 2) and max(y for _, y in points) == 528


def test_size_is_the_width_in_pixels():
    assert 'width="400"' in svg.board(size=400) and "width=\"400\"" not in svg.board()
    root = ElementTree.fromstring(svg.board(size=600))
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("600", "660", "-60 -60 600 660")


def test_style_and_position_are_written_into_the_picture():
    root = ElementTree.fromstring(svg.board(Board(), style=".piece > circle { fill: white }"))
    text = {e.tag.rpartition("}")[2]: e.text for e in root}
    assert text["style"] == ".piece > circle { fill: white }"
    assert text["desc"] == Board().fen()


@pytest.mark.parametrize(
    "options",
    [
        {"letters": "greek"}, {"check": 90}, {"squares": [-1]}, {"fill": {90: "red"}}, {"arrows": [(0, 90)]},
        {"fill": {0: "\0"}}, {"style": "\x1b"}, {"style": "\ud800"}, {"arrows": [svg.Arrow(0, 1, "\ufffe")]},
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_refused(options):
    with pytest.raises(ValueError, match=r"letters must|square must|cannot hold"):
        svg.board(**options)


def test_the_empty_board_has_no_pieces():
    assert not elements(svg.board(), "piece")
    assert svg.board(squares=SquareSet([E4])).count('class="mark"') == 1
