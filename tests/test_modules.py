"""The packages and modules around the core: which may use which, as docs/architecture.md draws it."""

import ast
import functools
import importlib
import re
from dataclasses import is_dataclass
from enum import Enum
from graphlib import TopologicalSorter
from inspect import isclass
from typing import is_typeddict

import pytest
from support import CHECKOUT

SOURCES = CHECKOUT / "src" / "eleengine"
MAP = (CHECKOUT / "docs" / "architecture.md").read_text(encoding="utf-8")
LINES = re.search(r"## The packages around it.*?```\n(.*?)```", MAP, re.S)[1].splitlines()
FLOOR = {name.rstrip("/").replace("/", "."): n for n, line in enumerate(LINES) for name in line.split()}


def module_name(path):
    parts = path.relative_to(SOURCES).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {
    module_name(path): path
    for path in SOURCES.rglob("*.py")
    if path.parent != SOURCES or path.stem != "__init__"
}


@functools.cache
def parsed(path):
    return ast.parse(path.read_text(encoding="utf-8"))


@functools.cache
def imports(module, *, everywhere=False):
    """Modules of the package that a module imports when it is imported itself; lazy imports may go up.

    everywhere: also in functions and for types alone.
    """
    path = FILES[module]
    here = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    found = set()
    rest = list(parsed(path).body)
    while rest:
        node = rest.pop()
        is_lazy = isinstance(node, ast.FunctionDef) or (
            isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        )
        if is_lazy and not everywhere:
            continue
        if isinstance(node, ast.ImportFrom) and node.level:
            base = here[: len(here) + 1 - node.level] + (node.module.split(".") if node.module else [])
            for alias in node.names:
                whole = ".".join([*base, alias.name])
                found.add(whole if whole in FILES else ".".join(base))
        for field in ("body", "orelse", "handlers", "finalbody"):
            rest += getattr(node, field, [])
    return found & FILES.keys()


def place(module):
    """The entry of the map that the module belongs to: a package or a module."""
    parts = module.split(".")
    return next((name for n in range(len(parts), 0, -1) if (name := ".".join(parts[:n])) in FLOOR), None)


MODULES = [name for name in FILES if name not in ("_internal", "lab", "engines")]


def test_a_module_uses_only_what_stands_below():
    assert [name for name in MODULES if not place(name)] == [], "docs/architecture.md does not tell where"
    wrong = [
        f"{module} imports {other}"
        for module in MODULES
        for other in imports(module) & set(MODULES)
        if place(other) != place(module) and FLOOR[place(other)] <= FLOOR[place(module)]
    ]
    assert wrong == []


@pytest.mark.parametrize("everywhere", [False, True])
def test_nothing_is_imported_in_a_circle(everywhere):
    graph = {module: imports(module, everywhere=everywhere) for module in FILES}
    assert list(TopologicalSorter(graph).static_order())


def test_nothing_imports_the_papers():
    """The theses' programs reach the product as UCCI programs, by the names of engines/external/named."""
    users = [module for module in FILES if "papers" in {place(m) for m in imports(module, everywhere=True)}]
    assert [module for module in users if place(module) != "papers"] == []
    assert users, "imports() does not see them"


def test_imports_are_found():
    """The tests above are blind to what this misses."""
    assert {"engines.session", "engines.strength", "rules"} <= imports("engines.local")
    assert "svg" not in imports("board")
    assert "engines.external" in imports("lab.match.spec")


REFERENCE = "".join(
    path.read_text(encoding="utf-8") for path in (CHECKOUT / "docs" / "reference").glob("*.md")
)
PUBLIC = sorted(set(re.findall(r"automodule:: eleengine\.(\S+)", REFERENCE)))


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_module_says_what_is_public_in_it(name):
    """So that `import *` brings nothing that the module itself has imported from elsewhere."""
    module = pytest.importorskip(f"eleengine.{name}", reason="needs an extra", exc_type=ImportError)
    if name == "ml":  # imports it when it is used
        pytest.importorskip("numpy")
    public = module.__all__
    assert len(set(public)) == len(public) > 0 and [n for n in public if not hasattr(module, n)] == []
    foreign = {
        alias.asname or alias.name
        for node in ast.walk(parsed(FILES[name]))
        if isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and not node.level)
        for alias in node.names
    }
    assert foreign & set(public) == set()


def is_value(cls):
    """Does an object of the class never change, as its kind shows?"""
    return (
        issubclass(cls, (BaseException, Enum, str, tuple))
        or getattr(cls, "_is_protocol", False)
        or is_typeddict(cls)
        or (is_dataclass(cls) and cls.__dataclass_params__.frozen)
    )


def test_the_guide_tells_which_threads_may_use_each_class():
    text = (CHECKOUT / "docs" / "library.md").read_text(encoding="utf-8")
    table = re.search(r"\n## Threads, processes and copies\n+(.*?)\n\n[^|]", text, re.S)[1]
    told = re.findall(r"`([A-Z]\w+)`", table)
    classes, missing = set(), []
    for name in PUBLIC:
        try:
            module = importlib.import_module(f"eleengine.{name}")
            classes |= {thing for public in module.__all__ if isclass(thing := getattr(module, public))}
        except ModuleNotFoundError:  # of an extra
            missing.append(name)
    found = {cls.__name__ for cls in classes if cls.__module__.startswith("eleengine") and not is_value(cls)}
    expected = found | {"Move", "Piece", "Board", "BaseBoard"}
    if missing:  # the table has the classes of these modules, which could not be imported
        told = [name for name in told if name in expected]
    assert sorted(told) == sorted(expected)


def test_every_folder_of_modules_is_a_package():
    """Another one would be left out of the wheel."""
    folders = {path.parent for path in SOURCES.rglob("*.py")}
    assert [folder for folder in folders if not (folder / "__init__.py").exists()] == []


def test_every_entry_of_the_map_is_there():
    assert [
        name
        for name in FLOOR
        if name != "_core" and name not in FILES and not (SOURCES / name.replace(".", "/")).is_dir()
    ] == []


TOOLS = sorted((CHECKOUT / "tools").rglob("*.py"))


def test_tools_import_what_is_there():
    """Nothing else runs all of them, and a name of the package may change."""
    nodes = [node for path in TOOLS for node in ast.walk(parsed(path))]
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "eleengine":
            module = importlib.import_module(node.module)
            for alias in node.names:
                if not hasattr(module, alias.name):
                    importlib.import_module(f"{node.module}.{alias.name}")
