"""Write a page for each command with the help of its parsers: python tools/options_pages.py FOLDER.

`docs/conf.py` puts them into the site. They are not in git: options have their one home in the parsers.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from eleengine.commands import COMMANDS, GROUPS, import_command

HEAD = """# All options

What `eleengine COMMAND --help` prints. [The command line](../commands.md) has examples, and
what help does not say.

"""


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The parser and those of its subcommands, however deep."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child in dict.fromkeys(action.choices.values()):
                yield from parsers(child)


def page(name: str) -> str:
    """The page of a command in Markdown."""
    command = import_command(name)
    parser = argparse.ArgumentParser(prog=f"eleengine {name}", description=command.__doc__)
    command.add_arguments(parser)
    sections = [f"```text\n{each.format_help()}```\n" for each in parsers(parser)]
    titles = [f"# {name}", *(f"## {each.prog}" for each in list(parsers(parser))[1:])]
    return "\n".join(f"{title}\n\n{text}" for title, text in zip(titles, sections, strict=True))


def write(folder: Path) -> None:
    os.environ |= {"COLUMNS": "100", "NO_COLOR": "1"}
    folder.mkdir(exist_ok=True)
    index = HEAD
    for (title, _), commands in GROUPS.items():
        index += f"## {title.capitalize()}\n\n| Command | |\n|---|---|\n"
        index += "".join(f"| [`{name}`]({name}.md) | {texts[0]} |\n" for name, texts in commands.items())
        index += "\n"
    listed = "\n".join(COMMANDS)
    index += f"```{{toctree}}\n:hidden:\n\n{listed}\n```\n"
    (folder / "index.md").write_text(index, encoding="utf-8")
    for name in COMMANDS:
        (folder / f"{name}.md").write_text(page(name), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
