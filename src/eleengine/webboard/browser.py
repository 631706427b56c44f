"""Open the page in the user's browser, without the token in the list of processes."""

from __future__ import annotations

import os
import tempfile
import threading
import webbrowser
from contextlib import suppress
from html import escape
from pathlib import Path

TEXT_BROWSERS = {"www-browser", "links", "elinks", "lynx", "w3m", "browsh"}


def open_page(url: str, folder: Path) -> Path | None:
    """Open an address in a browser, and return the file that led there; None if there is no browser for it.

    Other users see the arguments of the browser. So it is given a file that only this user can read, which
    forwards to the address. The browser runs beside the caller: some do not return until they are closed.
    OSError if the file cannot be written.
    """
    try:
        name = os.path.basename(getattr(webbrowser.get(), "name", ""))
    except webbrowser.Error:
        return None
    if name in TEXT_BROWSERS:  # which cannot run the page
        return None
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, path = tempfile.mkstemp(prefix="open-", suffix=".html", dir=folder)  # of mode 0600
    with open(handle, "w", encoding="utf-8") as file:
        address = escape(url)
        file.write(
            '<!doctype html><meta charset="utf-8"><title>eleengine</title>'
            f'<meta http-equiv="refresh" content="0;url={address}"><a href="{address}">eleengine</a>\n'
        )
    threading.Thread(target=_open, args=(Path(path).as_uri(),), daemon=True).start()
    return Path(path)


def _open(uri: str) -> None:
    with suppress(webbrowser.Error, OSError):
        webbrowser.open(uri)
