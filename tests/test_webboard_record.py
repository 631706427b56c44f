"""The record of games against the levels."""

import json

import pytest

pytest.importorskip("starlette", reason="needs the extra board")
pytest.importorskip("httpx2", reason="Starlette's test client needs httpx2")

from webboard_support import PERSONS, paging, serving

from eleengine.webboard.record import Record, next_level
from eleengine.webboard.store import Store

GAME = {"players": {"red": None, "black": 0}, "levels": {"black": 3}}


@pytest.fixture
def page(tmp_path):
    with serving(tmp_path) as (client, workspace), paging(client) as page:
        page.store = workspace.store
        yield page


def finished(page, **how):
    page.ask("new", **GAME, **how)
    page.ask("game", action="resign")
    return page.result()["record"]


def test_games_are_counted_and_a_level_is_suggested(page, tmp_path):
    assert page.welcome["record"] == {}
    for lost in range(1, 4):
        assert finished(page) == {"level": 3, "sums": [0, 0, lost], "next": 3 - lost // 3, "helped": False}
    assert Record(Store(tmp_path)).levels() == {3: [0, 0, 3]}


def test_games_with_help_stopped_or_between_persons_are_not_counted(page):
    page.ask("new", **GAME)
    page.ask("move", node=0, move="h2e2")
    page.ask("game", action="takeback")
    page.ask("game", action="resign")
    found = page.result()["record"]
    assert found["sums"] == [0, 0, 0] and found["helped"]
    page.ask("new", **GAME)
    page.ask("game", action="stop")
    assert page.result()["record"]["sums"] == [0, 0, 0]
    page.ask("new", players=PERSONS)
    page.ask("game", action="resign")
    assert page.result()["record"] is None


def test_each_game_is_counted_though_it_begins_where_another_one_did(page):
    page.ask("new")
    for number in (1, 2):
        page.ask("play", node=0, **GAME)
        page.ask("game", action="resign")
        found = page.result()["record"]
        assert found["sums"] == [0, 0, number]
    page.ask("game", action="takeback")  # there is no move: nothing is taken back
    page.ask("play", node=0, **GAME)
    page.ask("move", node=0, move="h2e2")
    page.ask("game", action="resign")
    page.ask("game", action="takeback")
    assert Record(page.store).levels() == {3: [0, 0, 2]}


def test_help_after_the_end_changes_nothing_and_help_before_it_is_kept(page):
    key = page.ask("new", **GAME)["doc"]
    page.ask("game", action="resign")
    page.ask("hint", node=0)
    assert not page.shown(key)["game"]["record"]["helped"]
    key = page.ask("new", **GAME)["doc"]
    page.ask("hint", node=0)
    page.ask("new")  # which closes the game
    page.ask("show", doc=key)
    page.ask("game", action="resign")
    assert page.result()["record"]["helped"]


def test_a_damaged_record_is_read_as_far_as_it_goes(tmp_path):
    entries = {"a": {"level": 2, "points": 1}, "b": {"level": 99, "points": 1}, "c": [], "d": {"points": 0}}
    entries["e"] = {"level": 2, "points": [1]}
    (tmp_path / "record").write_text(json.dumps(entries))
    record = Record(Store(tmp_path))
    assert record.levels() == {2: [1, 0, 0]}
    record.add("a", 2, 0.5)
    assert record.levels() == {2: [0, 1, 0]}


@pytest.mark.parametrize(
    ("level", "played", "wanted"),
    [(8, [1], 8), (8, [1, 1], 9), (8, [1, 0, 1], 9), (8, [1, 1, 0], 8), (8, [0, 0], 8), (20, [1, 1], 20)],
)
def test_the_level_to_try_next(level, played, wanted):
    assert next_level(level, played) == wanted
