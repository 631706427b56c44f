"""Pondering, draws: items 92 to 96 of the conformance checklist."""

import time

import pytest
from ucci_client import MIDDLE, PROMPT, START, TERMINAL, within

LOST = "position fen 2b1ka3/4a4/4b4/9/9/9/9/4r3r/3n5/3K5 w - - 0 1"
EVEN = "position fen 3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1"


@pytest.mark.system
def test_092_093_pondering_is_free_and_time_counts_from_the_hit(engine):
    engine.send(START, "go ponder time 1000 increment 0")
    time.sleep(1.2)
    assert engine.terminals() == []
    sent = engine.send("stop")
    assert engine.expect_timed("bestmove")[0] - sent < within(PROMPT)
    engine.send(MIDDLE, "go ponder time 10000 increment 0")
    time.sleep(0.8)  # the aim for this clock is a third of a second
    assert len(engine.terminals()) == 1
    sent = engine.send("ponderhit")
    assert engine.expect_timed("bestmove")[0] - sent < within(PROMPT)
    engine.send(MIDDLE, "go ponder movetime 600")
    time.sleep(1)
    sent = engine.send("ponderhit")
    came, _ = engine.expect_timed("bestmove")
    assert 0.3 < came - sent < within(0.6)


@pytest.mark.system
def test_094_a_finished_ponder_search_waits(engine):
    engine.send("go ponder depth 3")
    engine.expect("info depth 3")
    before = engine.cpu()
    assert not any(line.startswith(TERMINAL) for line in engine.quiet(1))
    assert engine.cpu() - before < 0.03
    sent = engine.send("ponderhit")
    assert engine.expect_timed("bestmove")[0] - sent < within(PROMPT)


@pytest.mark.system
def test_095_ponderhit_at_once(engine):
    for _ in range(20):
        sent = engine.send(MIDDLE, "go ponder time 100 movestogo 1", "ponderhit")
        assert engine.expect_timed("bestmove")[0] - sent < 0.1 + within(PROMPT)
    assert len(engine.terminals()) == 20


def test_095_stop_at_once(engine):
    for _ in range(20):
        engine.send("go ponder time 10000", "stop")
        engine.expect("bestmove")


def test_096_draw_offers(engine):
    assert engine.answer(LOST, "go draw nodes 20000").endswith(" draw")  # it saves from a mate in sight
    assert engine.answer(EVEN, "go draw depth 8").endswith(" draw")
    assert not engine.answer(EVEN, "go depth 8").endswith(" draw")
    engine.send("go ponder depth 8")
    engine.expect("info depth 8")
    engine.send("ponderhit draw")
    assert engine.expect("bestmove").endswith(" draw")
    engine.send("go ponder draw depth 8")
    engine.expect("info depth 8")
    engine.send("ponderhit")
    assert engine.expect("bestmove").endswith(" draw")


def test_096_no_draw_when_winning(engine):
    won = "position fen 3k5/9/9/9/9/9/9/9/4C4/R3K4 w - - 0 1"
    assert not engine.answer(won, "go draw depth 8").endswith("draw")


def test_a_draw_offer_while_thinking_is_noted(engine):
    engine.send(EVEN, "go movetime 400", "ponderhit draw")
    assert engine.expect("bestmove").endswith(" draw")


def test_ponderhit_while_stopping_is_swallowed(engine):
    engine.send("go ponder infinite", "stop", "ponderhit")
    engine.expect("bestmove")
    assert engine.quiet(0.3) == []
