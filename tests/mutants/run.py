"""Mutation run: break the engine on purpose, a little at a time, and see whether the tests notice.

    python tests/mutants/run.py                        # all of mutants.toml: hours
    python tests/mutants/run.py --sample 12 --seed 3   # a dozen of them
    python tests/mutants/run.py --only 'table|clock'   # those with such names
    python tests/mutants/run.py --items                # those of docs/papers-items.toml, by its tests

Each mutant is a small change of the text of one file (mutants.toml says how it is found, so that it survives
moves of files). It is made in a copy of the checkout and tested: if it is in the core, first by the signature
of the search, then by the tests that know the place best, then by all others of the default run, until the
first one fails. That test must pass without the mutant, or it does not count. Nearly all mutants of the core
are in one build (weave.py); those that it cannot hold are built one by one at the end. Results are added to a
file; what stands in it is not run again, so an interrupted run goes on where it was. The table at the end
names the mutants that nothing has noticed.

Exit status: 0, 1 if a mutant has no place in the source any more or does not build, 2 for wrong arguments.
"""

from __future__ import annotations

import argparse
import filecmp
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import tomllib
from collections import Counter
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import NamedTuple

from weave import VARIABLE, Change, woven

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parent.parent
SOURCE = Path("src/eleengine")
TOP = SOURCE / "_core.pyx"
COPIED = (
    "src", "tests", "positions", "docs", "examples", "setup.py", "pyproject.toml", "MANIFEST.in", "LICENSE",
    "README.md", "README.zh.md", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff", "packaging",
    ".github", ".ci",
)  # fmt: skip
ITEMS = CHECKOUT / "docs" / "papers-items.toml"
CORE = (".pyx", ".pxi")
BUILD_SECONDS = 1800
BENCH_SECONDS = 120
TEST_SECONDS = 3600
ONE_TEST_SECONDS = 100  # a mutant that hangs need not be waited for as long as a slow machine
NOTICED, SURVIVED, BROKEN = "noticed", "survived", "broken"


class Mutant(NamedTuple):
    """One change: the first `old` behind the only place of `after` becomes `new`."""

    name: str
    old: str
    new: str
    after: str = ""
    tests: str = ""  # test files to run first
    alone: bool = False  # its own tests must notice it, without the signature of the search and all others
    checks: bool = False  # shows only in a build with debug checks, in which .ci/run tests as well

    @property
    def digest(self) -> str:
        """Changes when the mutant does."""
        text = "\0".join((self.after, self.old, self.new, str(self.checks)))
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def place(self, texts: dict[Path, str], number: int = 0) -> Change:
        """What it does; LookupError if it has no place, or more than one."""
        anchor = self.after or self.old
        found = [(path, text) for path, text in texts.items() if anchor in text]
        if len(found) != 1 or found[0][1].count(anchor) != 1:
            raise LookupError(f"{self.name}: {sum(text.count(anchor) for _, text in found)} places")
        path, text = found[0]
        at = text.find(self.old, text.index(anchor))
        if at < 0:
            raise LookupError(f"{self.name}: not behind its place in {path}")
        return Change(number, path, at, at + len(self.old), self.new)

    def kind(self, texts: dict[Path, str]) -> str:
        """The suffix of its file, empty if it has none."""
        try:
            return self.place(texts).path.suffix
        except LookupError:
            return ""


def read_mutants() -> list[Mutant]:
    mutants = []
    for path in (HERE / "mutants.toml", HERE / "papers.toml"):
        with open(path, "rb") as file:
            mutants += [Mutant(**entry) for entry in tomllib.load(file)["mutant"]]
    twice = [name for name, n in Counter(mutant.name for mutant in mutants).items() if n > 1]
    if twice:
        raise ValueError(f"two mutants are called {twice[0]}")
    return mutants


def read_items() -> list[Mutant]:
    """The mutants that items of the papers name, each as often as there are tests that must notice it."""
    mutants = {mutant.name: mutant for mutant in read_mutants()}
    with open(ITEMS, "rb") as file:
        items = [item for source in tomllib.load(file)["source"] for item in source["items"]]
    pairs = dict.fromkeys(
        (mutant, test)
        for item in items
        for mutant in item.get("mutant", "").split()
        for test in item["test"].split()
    )
    return [
        mutants[name]._replace(name=f"{name} {test}", tests="{}.py::{}".format(*test.split("::")), alone=True)
        for name, test in pairs
    ]


def read_sources(root: Path = CHECKOUT) -> dict[Path, str]:
    """The text of each source file, by its path from the root."""
    paths = [path for path in (root / SOURCE).rglob("*") if path.suffix in (".py", ".toml", *CORE)]
    return {path.relative_to(root): path.read_text(encoding="utf-8") for path in sorted(paths)}


def weave_all(texts: dict[Path, str], mutants: list[Mutant]) -> tuple[dict[Path, str], dict[str, int]]:
    """The sources of the core with all of the mutants that one build can hold, and the numbers of these.

    Mutants that differ in their tests only are one.
    """
    mutants = [m for m in mutants if m.kind(texts) in CORE and not m.checks]
    places = list(dict.fromkeys(mutant.place(texts) for mutant in mutants))
    changes = [place._replace(number=number) for number, place in enumerate(places, 1)]
    together, numbers = woven(texts, changes, TOP)
    found = {mutant.name: places.index(mutant.place(texts)) + 1 for mutant in mutants}
    return together, {name: number for name, number in found.items() if number in numbers}


def update(there: Path, here: Path) -> None:
    """Make `here` a copy of `there` but for what builds and runs leave behind; what is the same stays."""
    if there.is_dir():
        here.mkdir(exist_ok=True)
        names = {path.name for path in there.iterdir() if path.suffix != ".so" and path.name != "__pycache__"}
        for old in {path.name for path in here.iterdir()} - names:
            shutil.rmtree(here / old) if (here / old).is_dir() else (here / old).unlink()
        for name in names:
            update(there / name, here / name)
    elif not (here.exists() and filecmp.cmp(there, here)):
        shutil.copy2(there, here)


class Workshop:
    """A copy of the checkout, in which one mutant after the other is made and tested."""

    building = threading.Lock()

    def __init__(self, folder: Path, jobs: str, quick: bool, mutants: list[Mutant]) -> None:
        self.folder = folder
        self.jobs = jobs
        self.quick = quick
        folder.mkdir(parents=True, exist_ok=True)
        for name in COPIED:
            if (CHECKOUT / name).exists():
                update(CHECKOUT / name, folder / name)
        self.sources = read_sources(folder)
        self.together, self.numbers = weave_all(self.sources, mutants)
        self.built = False  # is the extension that of `together`?
        self.sound: set[str] = set()  # tests known to pass without mutants
        self.process: subprocess.Popen[str] | None = None

    def call(self, seconds: float, *command: str, **variables: str) -> tuple[int, str]:
        """Exit status and output; a status of its own for a command that does not end in time."""
        env = (
            os.environ | {"PYTHONPATH": str(self.folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"} | variables
        )
        self.process = subprocess.Popen(
            [sys.executable, *command],
            cwd=self.folder,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            out, _ = self.process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            out, _ = self.process.communicate()
            return -1000, out
        return self.process.returncode, out

    def kill(self) -> None:
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)

    def build(self, **switches: str) -> tuple[int, str]:
        for old in (self.folder / SOURCE).glob("_core.*.so"):
            old.unlink()  # of a build with other switches, perhaps
        return self.call(BUILD_SECONDS, "setup.py", "-q", "build_ext", "--inplace", **switches)

    def write(self, texts: dict[Path, str]) -> None:
        for path, text in texts.items():
            (self.folder / path).write_text(text, encoding="utf-8")

    def prepare(self) -> None:
        """Get the extension with all mutants that one build can hold, and that searches as without them."""
        if self.built:
            return
        texts = self.sources | self.together
        digest = hashlib.sha256((self.folder / "setup.py").read_bytes())
        for path in sorted(path for path in texts if path.suffix in CORE):
            digest.update(texts[path].encode())
        kept = self.folder.parent / digest.hexdigest()[:16]
        with self.building:
            if not kept.exists():
                self.build_together(kept)
            for old in (self.folder / SOURCE).glob("_core.*.so"):
                old.unlink()
            for file in kept.iterdir():
                shutil.copy2(file, self.folder / SOURCE)
        self.built = True

    def build_together(self, kept: Path) -> None:
        self.write(self.together)
        try:
            status, out = self.build()
        finally:
            self.write({path: self.sources[path] for path in self.together})
        if status:
            raise RuntimeError(f"the mutants of the core do not build together:\n{out[-4000:]}")
        noticed = self.signature_differs()
        if noticed:
            raise RuntimeError(f"the mutants of the core change the search when none is chosen: {noticed}")
        kept.mkdir()
        for file in (self.folder / SOURCE).glob("_core.*.so"):
            shutil.copy2(file, kept)

    def run(self, mutant: Mutant) -> tuple[str, str]:
        """(what became of it, by what)"""
        try:
            change = mutant.place(self.sources)
        except LookupError as error:
            return BROKEN, str(error)
        core = change.path.suffix in CORE
        if mutant.name in self.numbers or not core:
            self.prepare()
        if mutant.name in self.numbers:
            return self.test(mutant, core, **{VARIABLE: str(self.numbers[mutant.name])})
        text = self.sources[change.path]
        self.write({change.path: text[: change.start] + change.new + text[change.end :]})
        try:
            if core:
                self.built = False
                status, out = self.build(
                    **({"ELEENGINE_DEBUG": "1"} if mutant.checks else {"ELEENGINE_OPTIMIZE": "1"})
                )
                if status:
                    return BROKEN, "does not build: " + " | ".join(out.splitlines()[-3:])
            return self.test(mutant, core)
        finally:
            self.write({change.path: text})

    def signature_differs(self, **variables: str) -> str:
        """What a changed search is noticed by, or nothing."""
        signature = (self.folder / "tests" / "bench_signature.txt").read_text(encoding="utf-8").split()[0]
        status, _ = self.call(BENCH_SECONDS, "-m", "eleengine", "bench", "--expect", signature, **variables)
        return "signature" if status == 1 else f"bench ended with {status}" if status else ""

    def test(self, mutant: Mutant, core: bool, **variables: str) -> tuple[str, str]:
        noticed = self.signature_differs(**variables) if core and not mutant.alone else ""
        if noticed:
            if variables and noticed != "signature" and self.signature_differs():
                return BROKEN, f"{noticed}, without the mutant, too: is the machine too busy?"
            return NOTICED, noticed
        names = [*(["test_signature.py"] if core and not mutant.alone else []), *mutant.tests.split()]
        first = [
            f"tests/{name}"
            for name in dict.fromkeys(names)
            if (self.folder / "tests" / name.partition("::")[0]).exists()
        ]
        rest = [f"--ignore={name}" for name in first]
        for words in ([first] if first else []) + ([] if self.quick or mutant.alone else [rest]):
            noticed = self.failing(mutant, words, **variables)
            if noticed:
                return NOTICED, noticed
        return SURVIVED, "the tests that know the place" if self.quick else "all tests"

    def failing(self, mutant: Mutant, words: list[str], **variables: str) -> str:
        """A test that fails with the mutant and passes without; nothing if there is none."""
        words = list(words)
        while True:
            status, out = self.pytest(*words, **variables)
            if status == 0:
                return ""
            failed = re.search(r"^(?:FAILED|ERROR) (\S+?(?:\[.*?\])?)(?: - .*)?$", out, re.M)
            if failed is None:  # a crash, or a test that hung
                return f"pytest ended with {status}" if self.passes(mutant, *words) else ""
            if failed[1] in self.sound or self.passes(mutant, failed[1]):
                self.sound.add(failed[1])
                return failed[1]
            words.append(f"--deselect={failed[1]}")

    def passes(self, mutant: Mutant, *tests: str) -> bool:
        """Whether tests pass without the mutant."""
        if mutant.name not in self.numbers and mutant.kind(self.sources) in CORE:
            return True  # it would take a build to know
        change = mutant.place(self.sources)
        mutated = (self.folder / change.path).read_text(encoding="utf-8")
        self.write({change.path: self.sources[change.path]})
        try:
            return self.pytest(*tests)[0] == 0
        finally:
            self.write({change.path: mutated})

    def pytest(self, *words: str, **variables: str) -> tuple[int, str]:
        usual = ["-x", "-q", "-p", "no:cacheprovider", "--hypothesis-profile=unshrunk"]
        usual += [f"--timeout={ONE_TEST_SECONDS}", "--timeout-method=thread", f"-n{self.jobs}"]
        return self.call(TEST_SECONDS, "-m", "pytest", *usual, *words, **variables)


def read_results(path: Path) -> dict[str, dict[str, str]]:
    if not path.exists():
        return {}
    with open(path, encoding="utf-8") as file:
        return {result["name"]: result for result in map(json.loads, file)}


def table(mutants: list[Mutant], results: dict[str, dict[str, str]]) -> str:
    """A line for each mutant that was run, and the sums."""
    counts = Counter(results[mutant.name]["status"] for mutant in mutants if mutant.name in results)
    width = max(len(mutant.name) for mutant in mutants)
    lines = [
        f"{mutant.name:<{width}}  {results[mutant.name]['status']:<8}  {results[mutant.name]['by']}".rstrip()
        for mutant in mutants
        if mutant.name in results
    ]
    run = counts[NOTICED] + counts[SURVIVED]
    share = f", {100 * counts[NOTICED] / run:.0f} %" if run else ""
    lines.append(f"{counts[NOTICED]} of {run} mutants noticed{share}; {counts[BROKEN]} broken")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", metavar="REGEX", help="mutants with such names")
    parser.add_argument(
        "--items", action="store_true", help="those of docs/papers-items.toml, and only the tests named there"
    )
    parser.add_argument("--python", action="store_true", help="only those in Python files: no builds")
    parser.add_argument(
        "--quick", action="store_true", help="only the signature and the tests that know the place"
    )
    parser.add_argument("--sample", type=int, metavar="N", help="so many of them, by chance")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the chance (default: 1)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="mutants at a time (default: 1)")
    parser.add_argument("--workers", default="0", metavar="N", help="pytest-xdist processes for each of them")
    parser.add_argument("--folder", type=Path, default=CHECKOUT / "build" / "mutants", help="for the copies")
    parser.add_argument("--results", type=Path, metavar="FILE", help="default: results.jsonl in the folder")
    parser.add_argument("--again", metavar="STATUS", help="also those whose result is this one")
    parser.add_argument(
        "--list", action="store_true", help="only show the results so far, and what has no place"
    )
    args = parser.parse_args()
    results_path = args.results or args.folder / ("items.jsonl" if args.items else "results.jsonl")
    texts = read_sources()
    every = read_items() if args.items else read_mutants()
    mutants = [mutant for mutant in every if re.search(args.only or "", mutant.name)]
    if args.python:
        mutants = [mutant for mutant in mutants if mutant.kind(texts) == ".py"]
    if args.sample is not None:
        mutants = random.Random(args.seed).sample(mutants, min(args.sample, len(mutants)))
    together = weave_all(texts, every)[1]
    mutants.sort(key=lambda mutant: mutant.kind(texts) in CORE and mutant.name not in together)
    if not mutants:
        parser.error("no mutant has such a name")
    results = read_results(results_path)
    waiting: SimpleQueue[Mutant] = SimpleQueue()
    for mutant in mutants:
        known = results.get(mutant.name)
        if known is None or known["digest"] != mutant.digest or known["status"] == args.again:
            waiting.put(mutant)
    if args.list:
        for mutant in mutants:
            try:
                mutant.place(texts)
            except LookupError as error:
                results[mutant.name] = {"status": BROKEN, "by": str(error)}
    else:
        work(waiting, args, results, results_path, every)
    print(table(mutants, results))
    return int(any(results.get(mutant.name, {}).get("status") == BROKEN for mutant in mutants))


def work(
    waiting: SimpleQueue[Mutant], args: argparse.Namespace, results: dict, path: Path, every: list[Mutant]
) -> None:
    """Run what waits, so many at a time, and add the results to the file.

    every: the mutants that one build should hold.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = threading.Lock()
    shops = [
        Workshop(args.folder / f"copy{n}", args.workers, args.quick, every)
        for n in range(min(args.jobs, waiting.qsize()))
    ]

    def labour(shop: Workshop) -> None:
        while True:
            try:
                mutant = waiting.get_nowait()
            except Empty:
                return
            began = time.monotonic()
            status, by = shop.run(mutant)
            result = {
                "name": mutant.name, "digest": mutant.digest, "status": status, "by": by,
                "seconds": f"{time.monotonic() - began:.0f}",
            }  # fmt: skip
            with lock:
                results[mutant.name] = result
                with open(path, "a", encoding="utf-8") as file:
                    file.write(json.dumps(result) + "\n")
                print(f"{mutant.name}: {status} {by} ({result['seconds']} s)", flush=True)

    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    threads = [threading.Thread(target=labour, args=(shop,), daemon=True) for shop in shops]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except KeyboardInterrupt:
        for shop in shops:
            shop.kill()
        sys.exit(130)


if __name__ == "__main__":
    sys.exit(main())
