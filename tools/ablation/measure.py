"""Measure what each part of the search is worth: games of the engine without it against the whole engine.

    python tools/ablation/measure.py ../ablation                        # every part of parts.toml
    python tools/ablation/measure.py ../ablation --only 'null|ProbCut' --pairs 200
    python tools/ablation/measure.py ../ablation --only ProbCut --sprt -5 0 --pairs 10000  # may it go?

A part is switched off by changes of the source (parts.toml). One build in the folder holds all of them, made
as for the mutants of the tests (tests/mutants/weave.py): an environment variable of the process says which
part is off. Each part plays both colours of `--pairs` openings at equal nodes, so the clock and the load of
the machine do not matter. Each match has a journal in the folder, and an interrupted run goes on. Prints a
line of a table for each part: Elo of the engine without it, with its interval of 95 %.
docs/search-algorithm.md has the results.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "tests" / "mutants"))

from run import COPIED, SOURCE, TOP, Mutant, read_sources  # noqa: E402  of the mutants
from weave import VARIABLE, woven  # noqa: E402

from eleengine.lab.match.journal import read_match  # noqa: E402
from eleengine.lab.match.stats import estimate  # noqa: E402

PARTS = Path(__file__).with_name("parts.toml")


def read_parts():
    """Names of the parts and their changes."""
    with open(PARTS, "rb") as file:
        return {
            part["name"]: [Mutant(part["name"], **change) for change in part["change"]]
            for part in tomllib.load(file)["part"]
        }


def weave_parts():
    """The sources of the core that hold all parts, and the number of each. LookupError."""
    sources = read_sources(ROOT)
    parts = read_parts()
    changes = [
        change.place(sources, number) for number, part in enumerate(parts.values(), 1) for change in part
    ]
    texts, _ = woven(sources, changes, TOP)
    for number, (name, part) in enumerate(parts.items(), 1):  # woven() leaves out what it cannot hold
        if sum(len(re.findall(rf"ele_mutant == {number}\b", text)) for text in texts.values()) != len(part):
            raise LookupError(f"{name}: a change cannot be chosen at run time")
    return texts, {name: number for number, name in enumerate(parts, 1)}


def build(folder, texts):
    """A copy of the checkout with the texts, built."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        elif (ROOT / name).exists():
            shutil.copy2(ROOT / name, folder / name)
    for path, text in texts.items():
        (folder / path).write_text(text, encoding="utf-8")
    subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=folder, check=True)


def play(args, build_folder, number, journal):
    """The match of the engine without a part against the whole engine."""
    program = [f"cmd={sys.executable} -m eleengine", f"env.PYTHONPATH={build_folder / 'src'}", "hash=16"]
    words = [sys.executable, "-m", "eleengine", "match"]
    words += ["-e", "name=without", *program, f"env.{VARIABLE}={number}", "-e", "name=whole", *program]
    words += ["--nodes", str(args.nodes), "--pairs", str(args.pairs), "--openings", str(args.openings)]
    words += ["--concurrency", str(args.concurrency), "--resign", "600", "3", "--journal", str(journal)]
    if args.sprt:
        words += ["--sprt", *args.sprt, "--draw", "10", "8", "80"]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    subprocess.run(words, env=environment, stdout=subprocess.DEVNULL, check=True)
    return read_match(journal).results


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="of the build and the journals; made if it is missing")
    parser.add_argument("--only", default="", metavar="REGEX", help="parts with such names")
    parser.add_argument("--pairs", type=int, default=150)
    parser.add_argument("--nodes", type=int, default=4000)
    parser.add_argument("--openings", type=Path, default=ROOT / "positions" / "openings.epd")
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--sprt", nargs=2, metavar=("LOW", "HIGH"), help="end by a test of these Elo")
    args = parser.parse_args()
    texts, numbers = weave_parts()
    build_folder = args.folder.resolve() / "build"
    if not list((build_folder / SOURCE).glob("_core.*.so")):
        args.folder.mkdir(parents=True, exist_ok=True)
        build(build_folder, texts)
    for name, number in numbers.items():
        if re.search(args.only, name):
            journal = args.folder / f"{re.sub(r'[^a-z]+', '-', name.lower())}.jsonl"
            results = play(args, build_folder, number, journal)
            found = estimate(results.counts[0, 1])
            print(
                f"| {name} | {results.counted} | {found.elo:+.0f} [{found.low:+.0f}, {found.high:+.0f}] |",
                flush=True,
            )


if __name__ == "__main__":
    main()
