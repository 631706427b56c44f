"""`match --config`: a configuration file of fastchess is the same match as our options."""

import argparse
import copy
import json
import sys

import pytest
from support import call

from eleengine.commands.shared.fastchess_config import read_config
from eleengine.commands.shared.match_arguments import add_plan, add_run, add_test, read_plan, read_test

UCI = f"{sys.executable} -m eleengine"


def limit(**given):
    clock = {"increment": 0, "fixed_time": 0, "time": 0, "moves": 0, "timemargin": 0}
    found = {"tc": clock, "nodes": 0, "plies": 0}
    for name, value in given.items():
        (clock if name in clock else found)[name] = value
    return found


# All keys that fastchess writes, with values of its own choosing.
CONFIG = {
    "resign": {"move_count": 3, "score": 600, "twosided": True, "enabled": True},
    "draw": {"move_number": 20, "move_count": 6, "score": 25, "enabled": True},
    "maxmoves": {"move_count": 120, "enabled": True},
    "tb_adjudication": {
        "syzygy_dirs": "",
        "max_pieces": 0,
        "ignore_50_move_rule": False,
        "enabled": False,
    },
    "opening": {"file": "openings", "format": 0, "order": 1, "plies": -1, "start": 7},
    "pgn": {"event_name": "a", "site": "?", "file": "", "notation": 0, "track_nodes": True, "min": False},
    "epd": {"file": ""},
    "sprt": {"alpha": 0.05, "beta": 0.1, "elo0": 0.0, "elo1": 5.0, "model": "normalized", "enabled": True},
    "config_name": "",
    "output": 0,
    "seed": 11640166910256665083,
    "variant": 0,
    "type": 0,
    "gauntlet_seeds": 1,
    "ratinginterval": 10,
    "scoreinterval": 1,
    "wait": 0,
    "autosaveinterval": 20,
    "games": 2,
    "rounds": 2,
    "concurrency": 2,
    "force_concurrency": False,
    "recover": True,
    "noswap": False,
    "reverse": False,
    "report_penta": True,
    "affinity": False,
    "show_latency": True,
    "log": {"file": "", "level": 2, "compress": False, "realtime": True, "engine_coms": False},
    "engines": [
        {
            "name": "one",
            "dir": "",
            "cmd": sys.executable,
            "args": "-m eleengine",
            "restart": False,
            "options": [["Hash", "32"], ["Threads", "1"]],
            "limit": limit(time=8000, increment=80, timemargin=50),
            "variant": 0,
        },
        {
            "name": "two",
            "dir": "engines",
            "cmd": "./my engine",
            "args": "",
            "restart": False,
            "options": [],
            "limit": limit(nodes=4000, plies=9),
            "variant": 0,
        },
    ],
    "stats": {"one vs two": {"wins": 0, "losses": 0, "draws": 0}},
}
OURS = [
    *("-e", "name=one", f"cmd={UCI}", "option.Hash=32", "option.Threads=1", "tc=8+0.08"),
    *("-e", "name=two", "dir=engines", 'cmd="./my engine"', "nodes=4000", "depth=9"),
    *("--margin", "0.05", "--pairs", "2", "--concurrency", "2", "--seed", str(11640166910256665083 % 2**31)),
    *("--openings", "openings", "--order", "file", "--first", "7", "--resign", "600", "3"),
    *("--draw", "25", "6", "40", "--max-plies", "240"),
    *("--sprt", "0", "5", "--alpha", "0.05", "--beta", "0.1", "--model", "normalized"),
]


def parser():
    made = argparse.ArgumentParser(prog="match")
    add_plan(made)
    add_test(made, use="")
    add_run(made)
    return made


def written(tmp_path, change=lambda config: None):
    config = copy.deepcopy(CONFIG)
    change(config)
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config))
    return str(path)


def plan_of(words):
    args = parser().parse_args(words)
    return read_plan(args, sprt=read_test(args)), args.concurrency


@pytest.mark.parametrize("words", [["--config", "{}"], ["-config", "file={}"]])
def test_a_configuration_is_the_match_of_its_options(tmp_path, words):
    path = written(tmp_path)
    assert plan_of([word.format(path) for word in words]) == plan_of(OURS)


def test_options_after_the_configuration_count(tmp_path):
    plan, _ = plan_of(["--config", written(tmp_path), "--pairs", "9", "--seed", "3"])
    assert (plan.pairs, plan.seed, len(plan.players)) == (9, 3, 2)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda c: c["resign"].update(twosided=False), ["--resign-alone"]),
        (lambda c: c.update(affinity=True), ["--own-processors"]),
        (lambda c: c["opening"].update(order=0, plies=4), ["shuffled", "--plies", "4"]),
        (lambda c: c["pgn"].update(file="a.pgn"), ["--pgn", "a.pgn"]),
        (lambda c: c["log"].update(file="a.log", engine_coms=True), ["--engine-log", "a.log"]),
        (lambda c: c["engines"][0]["limit"]["tc"].update(time=60000, moves=40), ["tc=40/60+0.08"]),
        (lambda c: c["engines"][1].update(limit=limit(fixed_time=500)), ["time=0.5"]),
        (lambda c: c.update(type=1, engines=[*c["engines"], c["engines"][0]]), ["--gauntlet"]),
    ],
)
def test_further_keys(tmp_path, change, words):
    plain = read_config(written(tmp_path))
    found = read_config(written(tmp_path, change))
    assert all(word in found for word in words) and found != plain


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c.update(rund=1, x={}), "unknown: rund"),
        (lambda c: c["sprt"].update(elo2=3), "unknown: sprt.elo2"),
        (lambda c: c["engines"][1]["limit"]["tc"].update(hours=1), "unknown: engines[1].limit.tc.hours"),
        (lambda c: c.update(games=1), "games must be 2, not 1"),
        (
            lambda c: c["engines"][0].update(variant=1),
            "engines[0].variant must be 0, not 1: the game is Xiangqi",
        ),
        (
            lambda c: c["tb_adjudication"].update(enabled=True),
            "tb_adjudication.enabled must be false, not true",
        ),
        (lambda c: c.pop("engines"), "a key is missing or of the wrong kind: 'engines'"),
        (lambda c: c["engines"][0].pop("cmd"), "a key is missing or of the wrong kind: 'cmd'"),
        (lambda c: c.update(rounds="many"), "argument --pairs/-rounds"),
        (lambda c: c["sprt"].update(model="bayesian"), "argument --model"),
        (lambda c: c.update(opening=[1]), "unknown: opening"),
        (lambda c: c.update(engines=7), "of the wrong kind"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, change, message):
    found = call("match", "--config", written(tmp_path, change))
    assert found.returncode == 2 and found.stdout == ""
    assert message in found.stderr.splitlines()[-1]


def test_what_is_no_configuration_is_refused(tmp_path):
    (tmp_path / "bad.json").write_text("{")
    (tmp_path / "list.json").write_text("[]")
    for name, message in (
        ("none.json", "No such file"),
        ("bad.json", "not JSON"),
        ("list.json", "not an object"),
    ):
        found = call("match", "--config", tmp_path / name)
        assert found.returncode == 2 and name in found.stderr and message in found.stderr
    found = call("match")
    assert found.returncode == 2 and "not 0: use -e twice" in found.stderr


def test_a_match_is_played_from_it(tmp_path):
    def quick(config):
        config["engines"] = [
            {**config["engines"][0], "name": name, "limit": limit(nodes=50)} for name in ("one", "two")
        ]
        config["sprt"]["enabled"] = False
        config["rounds"] = 1

    found = call("match", "--config", written(tmp_path, quick), "--json")
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout)["games"] == 2
