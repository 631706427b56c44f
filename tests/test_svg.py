"""Pictures are well-formed XML, the same every time, and show what they were asked to show."""

import io
import json
import math
import os
import shutil
import subprocess
import sys
from importlib import resources
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import call, raises
from test_board import choices, play

from eleengine import (
    A0,
    BLACK,
    COLOR_NAMES,
    E0,
    E4,
    E9,
    H2,
    I9,
    PIECE_NAMES,
    RED,
    SQUARES,
    Board,
    Move,
    Piece,
    SquareSet,
    glyphs,
    svg,
)
from eleengine.records import Game

FILE = resources.files(glyphs) / "characters.json"

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
    st.sampled_from(svg.LETTERS),
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
    western = letters in ("latin", "symbols")
    assert len(elements(picture, "coordinate")) == coordinates * (38 if western else 18)
    assert len(elements(picture, "river")) == (0 if western else 4)
    outlines = {f"#{e.get('id')}" for e in elements(picture) if e.get("id")}
    assert {e.get("href") for e in uses(picture)} == outlines
    assert "<text" not in picture  # outlines only: no font is needed


def uses(picture):
    return [e for e in elements(picture) if e.tag.endswith("}use")]


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
    [
        ("chinese", "车马车马"), ("traditional", "俥傌車馬"), ("latin", "RNRN"),
        ("learner", ["车R", "马N", "车R", "马N"]), ("symbols", "RNRN"),
    ],
)  # fmt: skip
def test_letters_are_those_asked_for(letters, texts):
    picture = svg.board(Board("r2kn4/9/9/9/9/9/9/9/9/R4K2N w"), letters=letters)
    pieces = [(color, kind) for color in ("red", "black") for kind in ("rook", "knight")]
    for (color, kind), text in zip(pieces, texts, strict=True):
        [piece] = [e for e in elements(picture, kind) if color in e.get("class").split()]
        shown = [e.get("href") for e in piece if e.tag.endswith("}use")]
        assert shown == [f"#ele-{char}" if letters == "symbols" else f"#ele-{ord(char):x}" for char in text]


def test_every_piece_has_its_outline():
    """The names of outlines are told apart by what they are, whatever else is on the page."""
    for letters in svg.LETTERS:
        outlines = {}
        for symbol in "KABNRCPkabnrcp":
            picture = svg.piece(Piece.from_symbol(symbol), letters=letters)
            [title] = [e.text for e in elements(picture) if e.tag.endswith("}title")]
            piece = Piece.from_symbol(symbol)
            assert title == f"{COLOR_NAMES[piece.color]} {PIECE_NAMES[piece.piece_type]}"
            for e in elements(picture):
                if e.get("id"):
                    text = ElementTree.tostring(e)
                    assert outlines.setdefault(e.get("id"), text) == text
    assert json.loads(FILE.read_text(encoding="utf-8"))["em"] == glyphs.EM


def test_colors_replace_those_of_the_board_and_others_are_refused():
    picture = svg.board(Board(), colors={"board": "#fff", "red": "crimson"}, last_move=Move.from_iccs("h2e2"))
    assert [e.get("fill") for e in elements(picture, "board")] == ["#fff"]
    inks = {e.get("fill") for piece in elements(picture, "red") for e in piece if e.tag.endswith("}use")}
    assert inks == {"crimson"} and "#b01e17" not in picture
    with pytest.raises(ValueError, match="unknown color 'bord': expected one of board, line"):
        svg.board(colors={"bord": "#fff"})


def test_screen_readers_hear_an_image_with_a_title():
    root = ElementTree.fromstring(svg.board(Board("4k4/9/9/9/9/9/9/9/4R4/3K5 b")))
    assert root.get("role") == "img" and root[0].text == "Xiangqi board, black to move"
    assert ElementTree.fromstring(svg.board(title="<&>"))[0].text == "<&>"


def test_the_board_draws_its_last_move_and_its_check_and_none_no_pieces():
    board = Board("4k4/9/9/9/9/9/9/9/4R4/3K5 b")
    assert len(elements(board.svg(), "check")) == 1 and not elements(board.svg(), "last-move")
    assert not elements(board.svg(check=None), "check")
    board.push_iccs("e9f9")
    assert len(elements(board.svg(), "last-move")) == 2 and board._repr_svg_() == board.svg(size=400)
    assert not elements(svg.board(), "piece")
    assert svg.board(squares=SquareSet([E4])).count('class="mark"') == 1


def pixels(png):
    image = pytest.importorskip("matplotlib.image")
    return image.imread(io.BytesIO(png))


def rsvg(picture, tmp_path):
    """The PNG that librsvg makes where no font is installed."""
    program = shutil.which("rsvg-convert")
    if program is None:
        pytest.skip("needs rsvg-convert (Debian: librsvg2-bin)")
    fonts = tmp_path / "fonts.conf"
    fonts.write_text("<fontconfig></fontconfig>")
    done = subprocess.run(
        [program], input=picture.encode(), capture_output=True, check=True,
        env={**os.environ, "FONTCONFIG_FILE": str(fonts)},
    )  # fmt: skip
    return done.stdout


def resvg(picture, tmp_path):
    pytest.importorskip("resvg_py")
    return svg.png(picture)


@pytest.mark.parametrize("render", [rsvg, resvg])
@pytest.mark.parametrize("letters", svg.LETTERS)
def test_pieces_are_seen_and_told_apart_without_fonts(render, letters, tmp_path):
    seen = {}
    for symbol in "KABNRCPkabnrcp":
        picture = svg.piece(Piece.from_symbol(symbol), size=60, letters=letters)
        image = pixels(render(picture, tmp_path))
        assert image.shape[:2] == (60, 60)
        middle = image[14:46, 14:46, :3]
        ink = (middle.sum(axis=2) < 1.8).mean()
        assert 0.1 < ink < 0.75, symbol
        seen[symbol] = middle
    for one in seen:
        for two in seen:
            # Latin letters and symbols of both sides differ by their color only.
            assert one == two or abs(seen[one] - seen[two]).mean() > 0.02, (one, two)


def test_a_png_has_the_pixels_asked_for():
    pytest.importorskip("resvg_py")
    assert pixels(Board().png(size=200)).shape[:2] == (220, 200)
    assert pixels(Board().png(size=200, scale=2.5)).shape[:2] == (550, 500)
    raises(ValueError, "the scale must be above 0", Board().png, scale=0)


def test_without_the_converter_the_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    raises(ImportError, r'pip install "eleengine\[png\]"', Board().png)


def test_signs_stand_on_corners_of_squares():
    picture = svg.board(annotations={E4: "??", H2: "!"})
    found = ElementTree.fromstring(picture).findall(".//{*}g[@class='annotation']")
    assert [len(one.findall("{*}path")) for one in found] == [2, 1]
    assert found[0].get("transform") == "translate(261 279)"
    raises(ValueError, "an annotation is one of", svg.board, annotations={E4: "="})


@pytest.fixture
def annotated():
    game = Game()
    first = game.play("h2e2")
    first.nags, first.arrows = (4,), (svg.Arrow.of("h9g7", "yellow"),)
    first.play("h9g7").play("h0g2")
    return game


def test_a_gif_shows_what_the_pictures_show(annotated):
    """Its frames, put together, are nearly those that the PNG files have; arrows and signs are there."""
    numpy = pytest.importorskip("numpy")
    image = pytest.importorskip("PIL.Image")
    pytest.importorskip("resvg_py")
    nodes = [annotated, *annotated.mainline()]
    assert 'class="annotation"' in nodes[1].svg() and 'class="arrow"' in nodes[1].svg()
    with image.open(io.BytesIO(annotated.gif(seconds=0.5, size=200))) as moving:
        assert (moving.format, moving.size, moving.n_frames) == ("GIF", (200, 220), 4)
        assert moving.info["loop"] == 0
        for number, node in enumerate(nodes):
            moving.seek(number)
            assert moving.info["duration"] == (1500 if number == 3 else 500)
            frame = numpy.asarray(moving.convert("RGB"), int)
            right = numpy.asarray(image.open(io.BytesIO(svg.png(node.svg(size=200)))).convert("RGB"), int)
            difference = abs(frame - right).max(axis=2)
            assert difference.mean() < 4 and (difference > 48).mean() < 0.002, number
    with image.open(io.BytesIO(annotated.children[0].gif(size=100))) as rest:
        assert rest.n_frames == 3


def test_a_gif_that_cannot_be_made_is_refused(annotated, monkeypatch, tmp_path):
    pytest.importorskip("PIL")
    for bad in ({"seconds": 0}, {"seconds": 61}, {"scale": 0}, {"letters": "greek"}):
        raises(ValueError, "", annotated.gif, **bad)
    raises(ValueError, "at least one", svg.gif, [])
    pytest.importorskip("resvg_py")
    raises(ValueError, "same size", svg.gif, [svg.board(size=100), svg.board(size=120)])
    monkeypatch.setitem(sys.modules, "PIL", None)
    raises(ImportError, r'pip install "eleengine\[gif\]"', annotated.gif)
    (tmp_path / "a.pgn").write_text(str(annotated), encoding="utf-8")
    done = call("show", tmp_path / "a.pgn", "--gif", tmp_path / "a.gif")
    assert done.returncode == 2 and "eleengine[gif]" in done.stderr and not (tmp_path / "a.gif").exists()


def test_show_writes_a_gif(annotated, tmp_path):
    image = pytest.importorskip("PIL.Image")
    pytest.importorskip("resvg_py")
    path, out = tmp_path / "a.pgn", tmp_path / "a.gif"
    path.write_text(str(annotated), encoding="utf-8")
    done = call("show", path, "--gif", out, "--size", "90", "--flip", "--letters", "latin", "--ply", "1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with image.open(out) as moving:
        assert (moving.n_frames, moving.width) == (3, 90)
    again = call("show", path, "--gif", out)
    assert again.returncode == 2 and "--force replaces it" in again.stderr


def test_arrows_are_moves_pairs_or_arrows_with_a_color():
    arrows = [Move.from_iccs("h2e2"), (H2, E4), svg.Arrow(A0, I9, "red"), svg.Arrow.of("a0a9", "#123456"),
              svg.Arrow(E9, E9, "blue")]  # fmt: skip
    drawn = elements(svg.board(arrows=arrows), "arrow")
    assert [e.tag.rpartition("}")[2] for e in drawn] == ["polygon"] * 4 + ["circle"]
    assert [e.get("fill") for e in drawn[:4]] == ["#2e8b57", "#2e8b57", "#c8321e", "#123456"]
    assert svg.board(arrows=["h2e2"]) == svg.board(arrows=[Move.from_iccs("h2e2")])
    assert svg.board(last_move="h2e2") == svg.board(last_move=Move.from_iccs("h2e2"))
    assert svg.Arrow.of([H2, E4], "red") == svg.Arrow.of(svg.Arrow(H2, E4, "red"), "blue") == (H2, E4, "red")
    game = Game()
    game.set_arrows(["h2e2", (H2, E4)])
    assert game.arrows == (svg.Arrow.of("h2e2"), svg.Arrow(H2, E4))


def test_a_flipped_board_has_the_other_color_at_the_bottom():
    for orientation in (RED, BLACK):
        assert svg.board(orientation=orientation, flipped=True) == svg.board(orientation=not orientation)


def test_an_arrow_points_at_its_head_and_a_move_that_stays_is_a_ring():
    assert svg.Arrow.of("h2h2", "red") == svg.Arrow.of("H2-H2", "red") == svg.Arrow(H2, H2, "red")
    for text in ("h2", "j2j2", "h2h", "h2-h2-", ""):
        raises(ValueError, "invalid move", svg.Arrow.of, text)
    [arrow] = elements(svg.board(arrows=[(A0, 81)]), "arrow")
    points = [tuple(map(float, point.split(","))) for point in arrow.get("points").split()]
    assert min(points, key=lambda point: point[1]) == (0, 2) and max(y for _, y in points) == 528


def test_size_style_and_position_are_written_into_the_picture():
    assert 'width="400"' in svg.board(size=400) and 'width="400"' not in svg.board()
    root = ElementTree.fromstring(svg.board(size=600))
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("600", "660", "-60 -60 600 660")
    root = ElementTree.fromstring(svg.board(Board(), style=".piece > circle { fill: white }"))
    text = {e.tag.rpartition("}")[2]: e.text for e in root if e.tag.endswith(("style", "desc"))}
    assert text["style"] == ".piece > circle { fill: white }"
    assert text["desc"] == Board().fen()


@pytest.mark.parametrize(
    "options",
    [
        {"letters": "greek"}, {"check": 90}, {"squares": [-1]}, {"fill": {90: "red"}}, {"arrows": [(0, 90)]},
        {"size": -5}, {"size": 0}, {"size": 100_001}, {"size": math.nan}, {"orientation": "red"},
        {"orientation": None}, {"fill": {0: "\0"}}, {"style": "\x1b"}, {"style": "\ud800"},
        {"arrows": [svg.Arrow(0, 1, "\ufffe")]},
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_refused(options):
    told = r"letters must|square must|cannot hold|unknown color|size must be 1 to|must be RED or BLACK"
    raises(ValueError, told, svg.board, **options)
    raises(ValueError, told, Board().svg, **options)


def test_a_size_out_of_range_is_refused_everywhere():
    pytest.importorskip("resvg_py")
    pytest.importorskip("PIL")
    for size in (-5, 0, 1 << 40):
        for draw in (
            Board().png,
            Game().gif,
            Game().svg,
            lambda size: svg.piece(Piece.from_symbol("R"), size=size),
        ):
            raises(ValueError, "the size must be 1 to 100,000 pixels", draw, size=size)
    raises(TypeError, "", svg.board, size='1" onload="alert(1)')


def test_a_picture_is_shown_in_notebooks():
    for picture in (svg.board(), svg.piece(Piece.from_symbol("R")), Board().svg()):
        assert isinstance(picture, str) and picture._repr_svg_() == picture


def test_pictures_of_too_many_pixels_are_refused():
    for picture, scale in ((svg.board(), 100), (svg.board(size=100_000), 1)):
        raises(ValueError, "pixels is too large", svg.png, picture, scale=scale)


@pytest.mark.parametrize("text", ["Gh2e2", "Re4", "Ba0i9", "Yi9"])
def test_arrows_of_pgn(text):
    assert svg.Arrow.from_pgn(text).pgn() == text


@pytest.mark.parametrize("text", ["", "G", "h2e2", "Gh2e", "Xh2e2", "Gj2e2", "Gh2e2 ", "Gh2e2e4"])
def test_what_is_no_arrow_of_pgn(text):
    raises(ValueError, "no arrow", svg.Arrow.from_pgn, text)
