"""Files of games in and out, and pictures."""

from __future__ import annotations

import asyncio
import base64
import binascii

from ... import svg
from ...pieces import BLACK, RED, Color
from .. import files
from ..board_page import BoardPage
from ..errors import RequestError
from ..page_data import Data
from ..request import Request
from ..summaries import summary
from ..workspace import MAX_FILE
from .registry import handles

GIF_SIZE = 480  # pixels
PICTURE_SIZE = 720


@handles("open")
async def open_file(page: BoardPage, request: Request) -> Data:
    """A pasted text or a dropped file: opens its game, or lists its games to choose from.

    quiet: the page goes on showing what it shows, as this is one file of several.
    """
    if "text" in request:
        data = request.text("text", MAX_FILE).encode()
        name = "text"
    else:
        name = request.text("name", 200)
        try:
            data = base64.b64decode(request.text("data", MAX_FILE * 4 // 3 + 4), validate=True)
        except binascii.Error:
            raise RequestError("bad-message", "the data is not base64") from None
    if len(data) > MAX_FILE:
        raise RequestError("too-large", f"a file may have {MAX_FILE >> 20} MiB")
    loop = asyncio.get_running_loop()
    page.is_opening = True

    def report(count: int) -> bool:
        loop.call_soon_threadsafe(page.send_newest, "opening", {"type": "opening", "games": count})
        return page.is_opening

    page.opened, left_out = await asyncio.to_thread(files.open_games, data, name, report)
    page.send_newest("opening", None)
    page.opened_name = request.text("name", 200, "")
    if len(page.opened) == 1:
        answer = open_game(page, page.opened[0], quiet=request.get("quiet") is True)
        return answer | files.said_of(page.opened, left_out)
    games = [
        summary(str(n), game.headers, game.plies, opening=game.opening) for n, game in enumerate(page.opened)
    ]
    return {"games": games, **files.said_of([], left_out)}


@handles("cancel_open")
async def cancel_open(page: BoardPage, request: Request) -> None:
    """Give the file up that is being read."""
    page.is_opening = False


@handles("choose")
async def choose(page: BoardPage, request: Request) -> Data:
    if not page.opened:
        raise RequestError("bad-message", "no file has been opened")
    return open_game(page, page.opened[request.number("game", 0, len(page.opened) - 1)])


def open_game(page: BoardPage, opened: files.OpenedGame, *, quiet: bool = False, source: str = "") -> Data:
    """Show a game of a file: the document that it was opened as before, or a new one."""
    workspace, source = page.workspace, source + opened.source
    document = workspace.find_source(source)
    again = document is not None
    if document is None:
        document = workspace.create(opened.game())
        document.source = source
        document.file = page.opened_name if source == opened.source else ""
        document.changed()
        document.save()  # so that the index has it at once
    with workspace.working_on(document):
        if not quiet:
            page.show(document)
    return {**files.said_of([opened]), "doc": document.key} | ({"again": True} if again else {})


@handles("save")
async def save(page: BoardPage, request: Request) -> Data:
    """The game as the bytes of a file; with what the review says of it, if that is wanted."""
    document = page.document
    game = document.reviewed_game(request.language()) if request.get("review") is True else document.game
    kind = request.choice("format", files.formats())
    return files.write_game(game, kind, request.choice("notation", files.NOTATIONS, files.NOTATIONS[0]))


@handles("picture")
async def picture(page: BoardPage, request: Request) -> Data:
    """The position as an SVG file."""
    node = request.node(page.document)
    letters, orientation = _look(request)
    text = node.board().svg(letters=letters, orientation=orientation, arrows=node.arrows, size=PICTURE_SIZE)
    return files.download("board.svg", "image/svg+xml", text.encode())


@handles("gif")
async def gif(page: BoardPage, request: Request) -> Data:
    """The main line as an animated GIF."""
    letters, orientation = _look(request)
    game, loop = page.document.game.copy(), asyncio.get_running_loop()

    def report(done: int, of: int) -> None:
        message = {"type": "drawing", "done": done, "of": of}
        loop.call_soon_threadsafe(page.send_newest, "drawing", message)

    try:
        data = await asyncio.to_thread(
            game.gif, size=GIF_SIZE, letters=letters, orientation=orientation, progress=report
        )
    except ImportError as error:
        raise RequestError("no-gif", str(error)) from None
    page.send_newest("drawing", None)
    return files.download("game.gif", "image/gif", data)


def _look(request: Request) -> tuple[str, Color]:
    """Letters and orientation of a picture."""
    return request.choice("letters", svg.LETTERS), BLACK if request.get("flipped") is True else RED
