"""The include files of the extension: which may use which, how functions fail, what the C compiler gets."""

import re
import subprocess
import sys
from functools import cache
from itertools import groupby

import pytest
from support import CHECKOUT

CORE = CHECKOUT / "src" / "eleengine" / "_core.pyx"
INCLUDES = re.findall(r'^include "core/([\w/]+)\.pxi"', CORE.read_text(encoding="utf-8"), re.M)
TEXT = {
    include: (CORE.parent / "core" / f"{include}.pxi").read_text(encoding="utf-8") for include in INCLUDES
}
FUNCTION = r"^cdef (?:inline )?(?!struct|class|enum|extern)[^=\n(:]*?\b(\w+)\("
PARALLEL = {"prange"}  # these functions take and leave the GIL around the team of threads


@cache
def code(include):
    """An include file without comments, texts and docstrings; verbatim C is a docstring too."""
    text = re.sub(r'"""[\s\S]*?"""', "", TEXT[include])
    text = re.sub(r'"(?:\\.|[^"\\\n])*"|' + r"'(?:\\.|[^'\\\n])*'", '""', text)
    return re.sub(r"#.*", "", text)


@cache
def definitions(include):
    """C functions, tables, constants, structs and classes that an include file defines."""
    text = code(include)
    names = set(re.findall(FUNCTION, text, re.M))
    names.update(re.findall(r"^cdef [\w ]*?\b(\w+)\[", text, re.M))
    names.update(
        re.findall(r"^(?:cdef (?:struct|class|union)|ctypedef [\w ]*?|class) *\b(\w+)\b", text, re.M)
    )
    names.update(re.findall(r"^ +ctypedef [\w ]*?(\w+)(?: \"\")? *$", text, re.M))
    for block in re.findall(r"^cdef (?:enum|extern from \*):\n((?:(?:    .*)?\n)*)", text, re.M):
        names.update(re.findall(r"^    (?:[\w ]*?[ *])?(\w+)(?: = |\(|\[)", block, re.M))
    return names


@cache
def used_includes(include):
    """{other include file: names} of what one uses."""
    text = re.sub(r"^ +def \w+", "", code(include), flags=re.M)  # a method hides no function
    words = set(re.findall(r"(?<![.\w])(\w+)(?=\()|(?<![.\w])([A-Z]\w+)", text))
    words = {word for pair in words for word in pair if word} - definitions(include)  # or declared ahead
    return {other: found for other in INCLUDES if other != include and (found := words & definitions(other))}


def declared(include):
    """The include files named in its header, or all above it."""
    line = re.search(r"^# Uses: (.*?)\.(?:\s|$)", TEXT.get(include, ""), re.M)
    if line is None:
        return []
    if line[1] == "everything above":
        return INCLUDES[: INCLUDES.index(include)]
    return line[1].split(", ")


def test_definitions_are_found():
    """The tests below are blind to what this misses."""
    assert {"do_move", "rook_attacks"} <= definitions("board/position")
    assert {"ZOBRIST", "ROOK_RANK", "fill_tables"} <= definitions("base/tables")
    assert {"State", "Position", "MAX_MOVES", "KING", "make_move"} <= definitions("base/types")
    assert {"SquareBits", "set_first", "BIT", "pop_first"} <= definitions("base/bits")
    assert {"Move", "wrap_move"} <= definitions("api/move")
    assert {"SEE_VALUE", "see_ge"} <= definitions("board/see")
    used = {"base/platform", "base/bits", "base/types", "base/tables", "board/position"}
    assert set(used_includes("board/movegen")) == used


def test_includes_use_only_those_above_and_each_file_is_one():
    core = CORE.parent / "core"
    files = sorted(path.relative_to(core).with_suffix("").as_posix() for path in core.rglob("*.pxi"))
    assert sorted(INCLUDES) == files
    # So that a folder uses only folders above it.
    folders = [folder for folder, _ in groupby(INCLUDES, key=lambda include: include.split("/")[0])]
    assert len(folders) == len(set(folders))
    for number, include in enumerate(INCLUDES):
        assert set(used_includes(include)) <= set(INCLUDES[:number]), include


def test_an_include_says_what_it_is_and_uses():
    for number, include in enumerate(INCLUDES):
        assert TEXT[include].startswith(f"# {include}.pxi - "), include
        assert set(declared(include)) <= set(INCLUDES[:number]), include
        reached, rest = set(), [include]
        while rest:
            for name in declared(rest.pop()):
                if name not in reached:
                    reached.add(name)
                    rest.append(name)
        assert set(used_includes(include)) <= reached, include


def test_every_nogil_function_says_how_it_fails():
    for include in INCLUDES:
        signatures = re.findall(r"^ *cdef [^:\n]*?\([^:]*?\bnogil:", code(include), re.M)
        assert [text for text in signatures if "except" not in text] == [], include


def bodies(include):
    """{C function of the file: its text}"""
    parts = re.split(FUNCTION, code(include), flags=re.M)
    return {name: re.split(r"\n(?=\S)", text)[0] for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def calls(text):
    return set(re.findall(r"\b(\w+)\(", text))


def test_nobody_waits_for_the_gil_while_others_wait_for_the_lock():
    """Whoever calls the listener of a search may wait long; all other workers would spin meanwhile."""
    texts = {name: text for include in INCLUDES for name, text in bodies(include).items()}
    waiting = {name for name, text in texts.items() if re.search(r"\blistener\.\w+\(|\.poll\(", text)}
    assert {"report_new_best", "iterative_deepening", "check_limits"} <= waiting
    grown = True
    while grown:
        more = {name for name, text in texts.items() if name not in waiting and calls(text) & waiting}
        grown = bool(more)
        waiting |= more
    assert "search_root" in waiting
    locked = {
        (name, called)
        for name, text in texts.items()
        for held in re.findall(r"spin_take\(([\s\S]*?)spin_give\(", text)
        for called in calls(held) & waiting
    }
    assert locked == set()


def test_only_the_api_knows_python_objects():
    """`board/fen` and `board/validity` have to do with text: the exceptions."""
    objects = r"^cdef (?:inline )?(?:object|str|list|dict|tuple|bytes)\b.*"
    for include in INCLUDES:
        if not include.startswith("api/"):
            assert "cdef class" not in code(include), include
            assert re.findall(r"^ *def (\w+)", code(include), re.M) == [], include
            if include not in ("board/fen", "board/validity"):
                assert re.findall(objects, code(include), re.M) == [], include


def test_what_the_steps_of_the_search_are_worth_is_what_the_page_says():
    page = (
        (CHECKOUT / "docs" / "search-algorithm.md").read_text(encoding="utf-8").replace("\N{MINUS SIGN}", "-")
    )
    figures = [
        (include, figure)
        for include in INCLUDES
        for figure in re.findall(r"[-+]?\d+ \[[-+]\d+,\s(?:# )?[-+]\d+\](?= Elo)", TEXT[include])
    ]
    assert len(figures) > 20
    assert [(include, figure) for include, figure in figures if figure not in page] == []


def test_no_memoryviews():
    """The code that Cython adds for them swallows a Ctrl-C during the import: `except: pass`."""
    for include in INCLUDES:
        assert re.findall(r"\w\[(?:::?1?,? ?)+\] *\w", code(include)) == [], include


def test_no_name_is_a_macro_of_windows():
    """Of its header files: fields of structs keep their names in C."""
    for include in INCLUDES:
        assert re.findall(r"\b(?:near|far|small|hyper|huge|interface)\b", code(include)) == [], include


@pytest.fixture(scope="module")
def functions(tmp_path_factory):
    """{name: body} of the C functions that Cython makes of them."""
    made = CHECKOUT / "build" / "cython" / "src" / "eleengine" / "_core.c"
    newest = max(path.stat().st_mtime for path in (CORE, *(CORE.parent / "core").rglob("*.pxi")))
    if not made.exists() or made.stat().st_mtime <= newest:  # not the file of a build just made
        pytest.importorskip("Cython")
        made = tmp_path_factory.mktemp("c") / "_core.c"
        directives = "boundscheck=False,wraparound=False,initializedcheck=False,cdivision=True"
        command = [sys.executable, "-m", "cython", "-3", "-X", directives, "-o", str(made), str(CORE)]
        subprocess.run(command, check=True, capture_output=True)
    text = re.sub(r"/\*.*?\*/", "", made.read_text(encoding="utf-8"), flags=re.S)
    return dict(
        re.findall(r"^static [^;{}]*?__pyx_f_\w+?_core_(\w+)\([^;{}]*\) \{\n(.*?)^\}", text, re.M | re.S)
    )


def test_functions_without_the_gil_never_call_python(functions):
    checked = 0
    for include in INCLUDES:
        for text in re.split(r"^(?=cdef )", code(include), flags=re.M):
            name = re.match(FUNCTION, text)
            if not name or not re.match(r"[^:]*\bnogil:", text) or any(word in text for word in PARALLEL):
                continue
            assert re.findall(r"\b(?:__Pyx_|_?Py)\w+(?=\()", functions[name[1]]) == [], (include, name[1])
            checked += 1
    assert checked > 80


def test_python_calls_would_be_found(functions):
    assert re.search(r"\b(?:__Pyx_|_?Py)\w+\(", functions["board_text"])


@pytest.mark.slow
def test_cython_lint_finds_nothing(tmp_path):
    """It does not follow includes: it gets the files joined into one."""
    pytest.importorskip("cython_lint")
    whole = tmp_path / "_core.pyx"
    text = re.sub(
        r'^include "core/([\w/]+)\.pxi".*\n',
        lambda found: TEXT[found[1]],
        CORE.read_text(encoding="utf-8"),
        flags=re.M,
    )
    whole.write_text(text, encoding="utf-8")
    lint = "import sys, cython_lint.cython_lint as lint; sys.exit(lint.main())"
    result = subprocess.run(
        [sys.executable, "-c", lint, "--no-pycodestyle", str(whole)], capture_output=True, text=True
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
