"""Random calls of the classes and functions of the core, and of those built on them, from several threads.

    python tests/fuzz_api.py --seconds 3600

Any exception will do; what must not happen is that the interpreter crashes, hangs for twenty minutes or
raises a SystemError. Arguments are of the types that the stub and the annotations name, or of any other one
time in ten, and results of calls are arguments of later ones. It is of most use with the sanitizers
(CONTRIBUTING.md). With --log the last lines of the file are the calls that were being made when it ended.
"""

import argparse
import ast
import faulthandler
import inspect
import random
import sys
import threading
import time
import types
from array import array
from pathlib import Path

import eleengine
from eleengine import Board, SquareSet, _core, notation, rules

HANG = 1200  # seconds: also on a busy machine, with sanitizers
POOL = 12  # values kept of each type
LARGE = 1_000_000  # entries of a table that is not worth its memory here
INTEGERS = (-1, 0, 1, 2, 3, 4, 5, 7, 8, 9, 22, 40, 60, 64, 89, 90, 91, 127, 128, 255, 256, 1000, 8100, 32767,
            2**31 - 1, 2**31, -(2**31), 2**32, 2**63 - 1, 2**63, 2**64, -(2**70), True)  # fmt: skip
#: Arguments that cost time or memory: sound values, beside ones out of range.
SMALL = {
    "hash_mib": (1, 1, 2, 0, -1, 2**40), "mib": (1, 1, 2, 0, -1, 2**40),
    "depth": (1, 1, 2, 0, -1, 2**40), "threads": (1, 1, 2, 3, 0, -1, 2**40), "nodes": (1, 50, 500),
    "multipv": (1, 2, 200, 0), "mate": (0, 1, 2), "max_plies": (1, 30, 60, 0),
    "hidden": (64, 128, 0, 63, 2**20), "maximum_ms": (0, 1, 20), "scale": (0.1, 1, 0),
    "counted_checks": (0, 3, 10), "count": (1, 2, 3), "most": (1, 5),
    "time": (0.01, 0, -1, float("nan")), "random_min": (0, 3), "random_max": (3, 10),
    "balance": (30_000,), "size": (10, 200, 0, -1),
}  # fmt: skip
TEXTS = (
    Board().fen(), "3k5/R8/8R/9/9/9/9/9/9/5K3 w - - 0 1", "9/9/9/9/9/9/9/9/9/9 b",
    "4k4/9/9/9/9/9/9/9/9/4K4 w - - 119 9",
    "rnb1kabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 3 7", "h2e2", "b0c2",
    "h10g8", "0000", "", "炮二平五", "C2.5", "+C=5", "k", "R", "a0", "i9", "P-", "N-", "A-",
    "C-AABB", "RNCPPPPP-RRNNCC", "xor", "checksums", "pvs", "mtdf", "abdada", "split",
    "hybrid", "auto", "off", "before", "static", "dynamic", "sources", "engine", "exact", "lower",
    "axf", "cxa", "\0", "\ud800", "车" * 300, "9" * 5000,
)  # fmt: skip


class Failure(Exception):
    """What a callback raises."""


def fail(*arguments):
    raise Failure


def functions():
    """(name, function, owner of a method, parameters) of all that is called, by stub and annotations."""
    stub = Path(eleengine.__file__).with_name("_core.pyi")
    for node in ast.parse(stub.read_text()).body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, getattr(_core, node.name), None, stub_parameters(node, 0)
        elif isinstance(node, ast.ClassDef) and isinstance(getattr(_core, node.name, None), type):
            owner = getattr(_core, node.name)
            if issubclass(owner, Exception):
                continue
            yield node.name, owner, None, []
            yield node.name, types.MethodType(owner.__new__, owner), None, []
            for method in node.body:
                if not isinstance(method, ast.FunctionDef):
                    continue
                words = {getattr(word, "id", getattr(word, "attr", "")) for word in method.decorator_list}
                if method.name in ("__new__", "__init__"):
                    yield node.name, owner, None, stub_parameters(method, 1)
                elif "staticmethod" in words:
                    yield method.name, getattr(owner, method.name), None, stub_parameters(method, 0)
                elif "property" in words:
                    yield method.name, "get", owner, []
                elif "setter" in words:
                    yield method.name, "set", owner, stub_parameters(method, 1)
                else:
                    yield method.name, None, owner, stub_parameters(method, 1)
    for owner in (Board, SquareSet):
        yield owner.__name__, owner, None, parameters(owner.__init__)
        for name, member in inspect.getmembers(owner):
            if inspect.isfunction(member) and not name.startswith("__"):
                yield name, None, owner, parameters(member)
    for module in (notation, rules):
        for name, member in inspect.getmembers(module, inspect.isfunction):
            if member.__module__ == module.__name__ and not name.startswith("_"):
                yield name, member, None, parameters(member)


def stub_parameters(node, skip):
    """(name, annotation, only by its name, optional) of each parameter."""
    given = node.args
    first = [*given.posonlyargs, *given.args]
    needed = len(first) - len(given.defaults)
    found = [(p.arg, ast.unparse(p.annotation), False, i >= needed) for i, p in enumerate(first) if i >= skip]
    keywords = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    return found + [(p.arg, ast.unparse(p.annotation), True, default is not None) for p, default in keywords]


def parameters(function):
    return [
        (p.name, str(p.annotation), p.kind is p.KEYWORD_ONLY, p.default is not p.empty)
        for p in inspect.signature(function).parameters.values()
        if p.name != "self" and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    ]


class Fuzzer:
    """One thread's calls; the pool is shared."""

    def __init__(self, seed, pool, calls, log):
        self.choice = random.Random(seed)
        self.pool, self.calls, self.log = pool, calls, log
        self.done = self.raised = 0

    def one_of(self, kind):
        return self.choice.choice(self.pool.get(kind) or [None])

    def keep(self, value):
        for kind in type(value).__mro__[:-1]:
            if kind.__module__.startswith("eleengine"):
                kept = self.pool.setdefault(kind.__name__, [])
                if len(kept) < POOL:
                    kept.append(value)
                else:
                    kept[self.choice.randrange(POOL)] = value

    def value(self, name, annotation):
        """An argument, of another type one time in ten."""
        choice = self.choice
        if choice.random() < 0.1:
            annotation, name = choice.choice(("int", "str", "bytes", "None", "BaseBoard", "Move")), ""
        if name in SMALL:
            return choice.choice(SMALL[name])
        if "Callable" in annotation:
            return choice.choice((None, fail, self.edit, lambda *arguments: None))
        kinds = [kind for kind in self.pool if kind in annotation]
        if kinds and choice.random() < 0.9:
            found = self.one_of(choice.choice(kinds))
            return [found, self.one_of("Move")] if "Iterable" in annotation else found
        if "bool" in annotation:
            return choice.random() < 0.5
        if "int" in annotation or "Square" in annotation:
            return choice.choice(INTEGERS) if choice.random() < 0.5 else choice.randrange(-2, 100)
        if "float" in annotation:
            return choice.choice((0.0, 1.0, -1.0, 1e308, float("nan"), float("inf"), 400.0))
        if "str" in annotation:
            return choice.choice(TEXTS)
        if "bytes" in annotation:
            return self.one_of("bytes") if choice.random() < 0.7 else choice.randbytes(choice.randrange(80))
        if "_Numbers" in annotation:
            size = choice.choice((0, 1, 2, len(self.one_of("Traces")), len(_core.shipped_weights()) // 2))
            return array(choice.choice("bBhHiIqQd"), [0]) * size
        return choice.choice((None, (), [], {}, 1.5, "x", b"", object(), self.one_of("Board")))

    def edit(self, *arguments):
        """A callback that changes what is in use."""
        board = self.one_of("Board")
        self.choice.choice((board.clear, board.reset, board.pop))()

    def call(self):
        """One call; False if it would cost too much."""
        name, function, owner, wanted = self.choice.choice(self.calls)
        positional, keywords = [], {}
        for parameter, annotation, by_name, optional in wanted:
            if optional and parameter not in SMALL and self.choice.random() < 0.6:
                if by_name:
                    continue
                break
            argument = self.value(parameter, annotation)
            if by_name:
                keywords[parameter] = argument
            else:
                positional.append(argument)
        if name == "search":
            keywords["depth" if owner is _core.ThesisSearch else "nodes"] = self.choice.choice((1, 2))
            keywords.pop("ponder", None)
        if name in ("perft", "divide") and positional and positional[0] in range(3, 61):
            positional[0] = 2  # more is allowed, and would take for ever
        target = None
        if owner is not None:
            target = self.one_of(owner.__name__)
            if target is None:
                return False
            if getattr(target, "entries", 0) > LARGE or (name == "add" and len(target) > 30_000):
                return False
        self.log(f"{self.choice.getrandbits(16):04x} {owner} {name} {positional!r:.300} {keywords!r:.300}")
        if function == "get":
            result = getattr(target, name)
        elif function == "set":
            result = setattr(target, name, *positional)
        else:
            result = (function or getattr(target, name))(*positional, **keywords)
        if isinstance(result, types.GeneratorType):
            result = [value for value, _ in zip(result, range(100), strict=False)]
        self.keep(result)
        repr(result)
        return True

    def run(self, is_over):
        while not is_over(self):
            try:
                self.done += self.call()
            except SystemError:
                raise
            except Exception:
                self.done += 1
                self.raised += 1


def first_values():
    board = Board()
    game = _core.SelfPlay(nodes=20, max_plies=30).play(board, 1)
    samples, traces = _core.Samples(), _core.Traces()
    samples.add(board, game[2], game[3], 1)
    traces.add(board, game[2], game[3], 1, 0)
    trainer = _core.Trainer(samples, hidden=64, unit_cp=400)
    table, tables = _core.EndgameTable("P-"), _core.EndgameTables()
    table.solve(tables)
    values = [
        board, Board(TEXTS[1]), Board(None), *board.legal_moves, board.legal_moves, SquareSet([4]),
        _core.Piece(5, True), samples, traces, trainer, table, _core.EndgameTable("N-"), tables,
        _core.EndgameTables(), _core.Searcher(hash_mib=1), _core.Searcher(hash_mib=1, threads=2),
        *_core.Searcher(hash_mib=1).search(board, depth=1), _core.ThesisSearch(hash_mib=1),
        _core.ThesisTable(), _core.Context(), _core.SelfPlay(nodes=20, max_plies=20), _core.shipped_network(),
    ]  # fmt: skip
    data = [*game[2:4], trainer.state, _core.shipped_weights(), _core.shipped_network().file, b""]
    return values, {"bytes": data}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--threads", type=int, default=3)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    log_file = argparse.FileType("w", encoding="utf-8")
    parser.add_argument(
        "--log", type=log_file, metavar="FILE", help="write each call to it before it is made"
    )
    args = parser.parse_args()
    print(f"seed {args.seed}", flush=True)
    lock = threading.Lock()

    def log(line):
        if args.log:
            with lock:
                args.log.write(ascii(line) + "\n")
                args.log.flush()

    faulthandler.enable()
    faulthandler.dump_traceback_later(args.seconds + HANG, exit=True)
    values, pool = first_values()
    calls = list(functions())
    fuzzers = [Fuzzer(args.seed + number, pool, calls, log) for number in range(args.threads)]
    for value in values:
        fuzzers[0].keep(value)
    deadline = time.monotonic() + args.seconds
    failures = []

    def work(fuzzer):
        try:
            fuzzer.run(lambda fuzzer: failures or time.monotonic() > deadline)
        except BaseException as error:
            failures.append(error)
            raise

    threads = [threading.Thread(target=work, args=(fuzzer,)) for fuzzer in fuzzers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    done, raised = (sum(getattr(fuzzer, name) for fuzzer in fuzzers) for name in ("done", "raised"))
    print(f"{done} calls of {len(calls)} functions, of which {raised} raised an exception")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
