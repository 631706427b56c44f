"""The documentation site: `sphinx-build -W -n docs build/site`, with the extra docs installed."""

import ast
import importlib
import inspect
import re
import sys
from pathlib import Path

from docutils.statemachine import StringList
from sphinx.ext.autosummary import Autosummary
from sphinx.search import languages
from sphinx.search.en import SearchEnglish

import eleengine
from eleengine.tables import open_tables

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

from options_pages import write as write_options  # noqa: E402
from papers_items import write as write_items  # noqa: E402
from table_page import page  # noqa: E402

text = "\n".join(page(open_tables())) + "\n"
(ROOT / "docs" / "tables-results.md").write_text(text, encoding="utf-8")
write_options(ROOT / "docs" / "options")
write_items()

project = "eleengine"
author = "the eleengine authors"
copyright = "the eleengine authors, MIT licence"
version = release = eleengine.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary"]
autosummary_generate = False  # only the tables
html_theme = "furo"
html_title = f"eleengine {version}"
html_static_path = ["static"] if (Path(__file__).parent / "static").exists() else []
templates_path = []

myst_enable_extensions = ["colon_fence", "attrs_inline"]
myst_heading_anchors = 4
suppress_warnings = ["myst.header", "ref.python"]  # names that a package exports again are no error

default_role = "code"  # a word between backquotes in a docstring is code
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_class_signature = "mixed"
autodoc_default_options = {"members": True, "undoc-members": True, "show-inheritance": True}
python_use_unqualified_type_names = True
# Types of annotations are not links: names of the standard library have no page here.
nitpick_ignore_regex = [("py:.*", ".*")]


def stub_signatures():
    """The signatures in the stub of the compiled core by qualified name: the core itself knows no types."""
    found = {}

    def visit(body, prefix):
        for node in body:
            if isinstance(node, ast.ClassDef):
                visit(node.body, f"{prefix}{node.name}.")
            elif isinstance(node, ast.FunctionDef) and not node.decorator_list:
                arguments = ast.unparse(node.args)
                for first in ("self, ", "self", "cls, ", "cls"):
                    if arguments.startswith(first):
                        arguments = arguments[len(first) :].removeprefix("/, ")
                        break
                found.setdefault(prefix + node.name, (arguments, ast.unparse(node.returns)))

    stub = Path(inspect.getfile(eleengine)).with_name("_core.pyi")
    visit(ast.parse(stub.read_text(encoding="utf-8")).body, "")
    return found


STUBS = stub_signatures()


def typed_signature(app, what, name, obj, options, signature, return_annotation):
    """What the stub says of a function of the core."""
    home = getattr(obj, "__objclass__", None)
    qualified = f"{home.__name__}.{obj.__name__}" if home else getattr(obj, "__qualname__", "")
    module = getattr(obj, "__module__", None) or getattr(home, "__module__", "")
    if what in ("function", "method") and str(module).startswith("eleengine._core") and qualified in STUBS:
        arguments, returned = STUBS[qualified]
        return f"({arguments})", returned
    return None


ARGUMENT = re.compile(r"(\w+(?:, \w+)*): (.*)")


def arguments_as_list(app, what, name, obj, options, lines):
    """Our docstrings list arguments and errors in lines of "name: text": show them as a list."""
    shown = []
    listed = False
    for i, line in enumerate(lines):
        after = lines[i + 1] if i + 1 < len(lines) else ""
        found = ARGUMENT.fullmatch(line)
        ends = not after or after.startswith(" ") or ARGUMENT.fullmatch(after)
        if found and ends and (listed or not shown or not shown[-1]):
            shown += ["* ``" + found[1].replace(", ", "``, ``") + "``: " + found[2]]
            listed = True
        elif listed and line.startswith(" "):
            shown.append("  " + line.strip())
        else:
            shown += [""] * (listed and bool(line)) + [line]
            listed = False
    lines[:] = shown


class NameTable(Autosummary):
    """A table of the public names of the modules and classes in its lines, each with its summary."""

    def run(self):
        self.options["nosignatures"] = True
        names = [name for home in self.content for name in public_names(home)]
        self.content = StringList(names, source="name-table")
        return super().run()


def public_names(home):
    """The names of a module (`eleengine.board`) or class (`eleengine.board.Board`), as in the source."""
    try:
        thing = importlib.import_module(home)
    except ModuleNotFoundError:
        module, _, name = home.rpartition(".")
        thing = getattr(importlib.import_module(module), name)
    is_class = inspect.isclass(thing)
    if is_class:
        found = [name for name in vars(thing) if not name.startswith("_")]
    else:
        found = getattr(thing, "__all__", None) or [
            name
            for name, value in vars(thing).items()
            if not name.startswith("_") and getattr(value, "__module__", None) == home
        ]
    return [f"~{home}.{name}" for name in found if is_class or callable(getattr(thing, name))]


class SearchBoth(SearchEnglish):
    """English, and Chinese by pairs of characters, because a run without blanks alone would be one word."""

    def split(self, input):
        words = super().split(input)
        runs = re.findall("[\u4e00-\u9fff]{2,}", input)
        return [*words, *runs, *(run[i : i + 2] for run in runs for i in range(len(run) - 1))]


def setup(app):
    languages["en"] = SearchBoth
    app.add_directive("name-table", NameTable)
    app.connect("autodoc-process-docstring", arguments_as_list)
    app.connect("autodoc-process-signature", typed_signature)
