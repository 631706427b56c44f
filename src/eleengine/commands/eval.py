"""Show the static evaluation of a position: by the network, and the classical one term by term."""

from __future__ import annotations

import argparse
import json

from ..evaluation import Evaluation, evaluate
from ..squares import SQUARE_NAMES
from .shared.arguments import add_network, add_position, read_board, read_context


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    add_network(parser)
    parser.add_argument("--trace", action="store_true", help="show what was counted for each classical term")
    parser.add_argument("--json", action="store_true", help="as one JSON object, with all counts")


def run(args: argparse.Namespace) -> int:
    board = read_board(args)
    evaluation = evaluate(board, context=read_context(args))
    if args.json:
        print(json.dumps(data(evaluation)))
        return 0
    if evaluation.network:
        print(evaluation.network.table(board))
        print("\nClassical evaluation", end=": ")
    print(evaluation.table(counts=args.trace))
    return 0


def data(evaluation: Evaluation) -> dict[str, object]:
    network = evaluation.network
    return {
        "score": evaluation.score.relative.score(),
        "score_red": evaluation.score.red().score(),
        "phase": evaluation.phase,
        "terms": [
            {**term._asdict(), "total": term.total, "counts": [count._asdict() for count in term.counts]}
            for term in evaluation.terms
        ],
        "steps": dict(evaluation.steps),
        "network": network
        and {
            "score": network.score.relative.score(),
            "score_red": network.score.red().score(),
            "worths": {SQUARE_NAMES[square]: worth for square, worth in network.worths.items()},
        },
    }
