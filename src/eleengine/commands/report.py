"""Write a report of a match or tournament from its journal.

It says what was found, with the curve of the sequential test, under which conditions, by which engines, and
how the games ended. The match may still be under way.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from .._files import replaced
from ..lab.match.journal import read_match
from . import CommandError, input_errors
from .shared.match_report import as_html, as_markdown, report
from .shared.outputs import add_force, check_output

FORMS = {".md": as_markdown, ".html": as_html}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("journal", metavar="JOURNAL", help="of eleengine match or tournament")
    parser.add_argument("--out", metavar="FILE", help="FILE.md or FILE.html (default: Markdown on stdout)")
    add_force(parser)


def run(args: argparse.Namespace) -> int:
    suffix = ".md" if args.out is None else Path(args.out).suffix.lower()
    if suffix not in FORMS:
        raise CommandError(f"{args.out}: a report is a file .md or .html")
    with input_errors():
        if args.out and os.path.exists(args.out) and os.path.samefile(args.out, args.journal):
            raise CommandError(f"{args.out}: is the journal")
        if args.out:
            check_output(args.out, force=args.force)
        text = FORMS[suffix](report(read_match(args.journal)))
        with replaced(args.out or "-") as file:
            file.write(text.encode())
    return 0
