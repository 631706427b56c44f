"""Fit the weights of the evaluation to games."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from .._internal.files import write_whole
from .._internal.live import Progress
from ..lab.data.gamefile import read_header
from ..lab.data.gametools import merged
from ..weights import Weights
from . import add_number, add_real, input_errors, need
from .shared.outputs import add_force, check_output, check_report, named_file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    jobs = parser.add_subparsers(dest="job", required=True, metavar="JOB")
    fit = jobs.add_parser("fit", help="fit all weights to files of games")
    fit.add_argument("files", nargs="+", metavar="GAMES")
    fit.add_argument("--out", type=named_file, required=True, metavar="JSON", help="weights file to write")
    fit.add_argument("--report", metavar="FOLDER", help="write report.txt, fit.json and fit.png there")
    add_force(fit)
    fit.add_argument("--start", metavar="JSON", help="weights to begin with (default: the shipped ones)")
    text = "share of the search's score in the target, 0 to 1, beside the result"
    add_real(fit, "--mix", 0, 1, default=0.7, help=text)
    text = "centipawns that a weight is expected to change; less keeps it closer"
    add_real(fit, "--prior", 0.001, 10**6, default=20.0, metavar="CP", help=text)
    add_number(fit, "--first-ply", 0, 10**6, default=0, help="leave out the plies before, of all games")
    add_number(fit, "--iterations", 1, 10**6, default=300, help="at most")
    text = "end after N iterations without a gain on held-out games"
    add_number(fit, "--patience", 1, 10**6, default=20, help=text)


def run(args: argparse.Namespace) -> int:
    with input_errors():
        return run_fit(args)


def run_fit(args: argparse.Namespace) -> int:
    need("numpy", "scipy", *(["matplotlib"] if args.report else []), extra="lab", what="tune")
    from ..lab.tune import gradient

    check_output(args.out, force=args.force)
    if args.report:
        check_report(Path(args.report), ("report.txt", "fit.json", "fit.png"), force=args.force)
    settings = gradient.FitSettings(args.mix, args.prior, args.iterations, args.patience)
    start = Weights.load(args.start) if args.start else Weights.shipped()
    began = time.monotonic()
    with Progress() as progress:
        sets = gradient.divide(
            merged(args.files),
            first_ply=args.first_ply,
            context=start.context(),
            show=lambda games, n: progress.tell(lambda _: f"{games:,} games, {n:,} quiet positions"),
        )
    with Progress() as progress:
        found = gradient.fit(
            sets,
            settings,
            start=start,
            show=lambda i, train, held_out: progress.tell(
                lambda _: f"iteration {i}: mean loss {train:.6f}, held out {held_out:.6f}"
            ),
        )
    found.after.save(args.out)
    text = gradient.report(found, sets)
    if args.report:
        folder = Path(args.report)
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / "report.txt", text.encode())
        data = {
            "files": [{"file": path, **read_header(path)} for path in args.files],
            "first_ply": args.first_ply,
            "mix": settings.mix,
            "prior": settings.prior,
            "scale": found.scale,
            "positions": found.positions,
            "best": found.best,
            "curve": found.curve,
            "rounded": found.rounded,
        }
        write_whole(folder / "fit.json", (json.dumps(data, indent=1) + "\n").encode())
        gradient.plot(found, sets, str(folder / "fit.png"))
    print(text, end="")
    print(f"{time.monotonic() - began:.0f} s; written to {args.out}")
    return 0
