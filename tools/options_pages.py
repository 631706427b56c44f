"""Write a page for each command with the help of its parsers: python tools/options_pages.py FOLDER.

`docs/conf.py` puts them into the site. They are not in git: options have their one home in the parsers.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from eleengine.commands import COMMANDS, GROUPS, import_command

MOST_LINES = 300  # of a page; ten screens have some 350

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


def pages(name: str) -> dict[str, str]:
    """The pages of a command in Markdown by their names: one, or one for each job of a command with many."""
    command = import_command(name)
    parser = argparse.ArgumentParser(prog=f"eleengine {name}", description=command.__doc__)
    command.add_arguments(parser)
    first, *jobs = [(each.prog, f"```text\n{each.format_help()}```\n") for each in parsers(parser)]
    head = f"# {name}\n\n{first[1]}"
    if sum(text.count("\n") for _, text in jobs) < MOST_LINES:
        return {name: "\n".join([head, *(f"## {title}\n\n{text}" for title, text in jobs)])}
    files = {title.removeprefix("eleengine ").replace(" ", "-"): (title, text) for title, text in jobs}
    listed = "\n".join(files)
    return {name: f"{head}\n```{{toctree}}\n{listed}\n```\n"} | {
        file: f"# {title}\n\n{text}" for file, (title, text) in files.items()
    }


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
        for file, text in pages(name).items():
            (folder / f"{file}.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
