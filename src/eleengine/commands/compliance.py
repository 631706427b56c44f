"""Check whether a program keeps the rules of UCI or UCCI, for authors of engines.

Exit status: 1 if it breaks one.
"""

from __future__ import annotations

import argparse

from ..engines import EngineError
from ..lab.match.compliance import Check, check_engine
from ..lab.match.spec import PlayerSpec, ProgramSpec
from . import CommandError, input_errors


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "words",
        nargs="+",
        metavar="WORD",
        help="the program in the words of match: cmd=COMMAND, and if wanted proto=uci|ucci, dir=, env.NAME=",
    )


def run(args: argparse.Namespace) -> int:
    with input_errors(EngineError, ValueError):
        spec = PlayerSpec.from_words(args.words)
        if not isinstance(spec, ProgramSpec):
            raise CommandError("name the program: cmd=COMMAND")
        protocol = spec.protocol
        if protocol is None:
            with spec.start() as engine:
                protocol = engine.protocol
    print(f"{spec.name}, {protocol.upper()}")
    found = check_engine(spec.command, protocol, cwd=spec.cwd, env=spec.env, report=show)
    faults = sum(check.verdict == "fault" for check in found)
    print(f"{len(found)} checks, {faults or 'no'} fault{'' if faults == 1 else 's'}")
    return 1 if faults else 0


def show(check: Check) -> None:
    detail = f": {check.detail}" if check.detail else ""
    print(f"{check.verdict:<8}{check.name}{detail}", flush=True)
