"""The page itself: its settings, its installation, and its address for a phone."""

from __future__ import annotations

from contextlib import suppress
from math import inf

from .. import lan
from ..board_page import BoardPage
from ..errors import RequestError
from ..page_data import Data
from ..request import Request
from .registry import handles

MAX_SETTINGS = 40
MAX_VALUE = 300  # characters: the name of a file, which an engine may have, and a number
MAX_FRAGMENT = 1500  # characters, which a QR code holds


@handles("remember")
async def remember(page: BoardPage, request: Request) -> None:
    """Keep settings beside those that other pages have set: few, small and plain."""
    store = page.workspace.store
    settings = store.kept("settings") | request.part("settings").data
    if len(settings) > MAX_SETTINGS or not all(
        _is_plain(value) and len(name) <= 40 for name, value in settings.items()
    ):
        raise RequestError("bad-message", "settings are up to 40 short names with plain values")
    with suppress(OSError):
        store.keep("settings", settings)


def _is_plain(value: object) -> bool:
    return (
        len(value) <= MAX_VALUE
        if isinstance(value, str)
        else value is None or (isinstance(value, (int, float)) and -inf < value < inf)  # JSON has no others
    )


@handles("installed")
async def installed(page: BoardPage, request: Request) -> None:
    """A browser has installed the page: later starts take the same port."""
    port = page.workspace.port
    if port is not None:
        with suppress(OSError):
            page.workspace.store.keep("port", {"port": port})


@handles("phone")
async def phone(page: BoardPage, request: Request) -> Data:
    """The addresses of the page in the local network, and their QR codes.

    fragment: what a link asks the page to open. watch: for pages that only look on.
    """
    workspace = page.workspace
    if not workspace.lan_origins:
        raise RequestError("refused", "only eleengine board --lan is reached from a phone")
    fragment = request.text("fragment", MAX_FRAGMENT, "")
    options = workspace.options
    token = options.watch_token if request.get("watch") is True else options.token
    urls = [f"{origin}/#{token}{fragment and '&'}{fragment}" for origin in workspace.lan_origins]
    return {"addresses": [{"url": url, "rows": lan.qr_rows(url)} for url in urls]}
