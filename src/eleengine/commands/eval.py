"""Show the static evaluation of a position, term by term."""

from __future__ import annotations

import argparse
import json

from ..evaluation import Evaluation
from .shared.arguments import add_position, read_board


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    parser.add_argument("--trace", action="store_true", help="show what was counted for each term")
    parser.add_argument("--json", action="store_true", help="as one JSON object, with all counts")


def run(args: argparse.Namespace) -> int:
    evaluation = read_board(args).evaluation()
    if args.json:
        print(json.dumps(data(evaluation)))
    else:
        print(evaluation.table(counts=args.trace))
    return 0


def data(evaluation: Evaluation) -> dict[str, object]:
    return {
        "score": evaluation.score.relative.score(),
        "score_red": evaluation.score.red().score(),
        "phase": evaluation.phase,
        "terms": [
            {**term._asdict(), "total": term.total, "counts": [count._asdict() for count in term.counts]}
            for term in evaluation.terms
        ],
        "steps": dict(evaluation.steps),
    }
