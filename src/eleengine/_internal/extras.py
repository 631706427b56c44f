"""How to install an optional package that is missing."""

import os


def in_windows_folder() -> bool:
    """Is this the Windows folder, which has a Python of its own and no pip?"""
    return os.path.isfile(os.path.join(os.path.dirname(os.path.dirname(__file__)), "files.txt"))


def install_hint(extra: str) -> str:
    """What to do to get the packages of an extra.

    >>> install_hint("png")
    'pip install "eleengine[png]"'
    """
    if in_windows_folder():
        return f"this folder does not have it; eleengine[{extra}] in a Python of your own does"
    return f'pip install "eleengine[{extra}]"'
