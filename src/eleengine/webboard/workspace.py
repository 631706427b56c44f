"""What the pages of a server share: documents, engines, options and limits."""

from __future__ import annotations

import secrets
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path

from .. import svg
from .._internal.processors import usable_processors
from .._version import __version__
from ..board import Board
from ..book import Book
from ..engines.strength import LADDER
from ..games import default_path
from ..records import Game
from . import explorer, files
from .document import Document, Send
from .errors import RequestError
from .live_game import LiveGame
from .page_data import Data, marks_data, move_data, opening_after
from .pool import Pool, make_pools
from .record import Record
from .store import Store
from .summaries import is_digest, stored_summary

MAX_FILE = 8 << 20  # bytes of a file from a page
MAX_LINES = 5  # of an analysis
MAX_LISTED = 20_000  # documents in the list
SUMMARY = 4  # the version of their lines; a new version makes all lines anew


@dataclass(kw_only=True)
class BoardOptions:
    """The options of a server.

    token: the secret of its pages; `watch_token` is that of pages that only look on.
    folder: where documents are saved. engines: commands of other programs.
    hash_mib, threads: the largest values that a page may ask for. book: openings, for games and the panel.
    games: the file of the index of games. lan: this machine's addresses in
    the networks to listen to, none for 127.0.0.1 alone.
    """

    folder: Path
    token: str = field(default_factory=partial(secrets.token_urlsafe, 16))
    watch_token: str = field(default_factory=partial(secrets.token_urlsafe, 16))
    engines: Sequence[str] = ()
    hash_mib: int = 256
    threads: int = field(default_factory=usable_processors)
    book: Book | None = None
    games: Path = field(default_factory=default_path)
    lan: Sequence[str] = ()


class Workspace:
    """Documents, engines and limits, which all pages share."""

    def __init__(self, options: BoardOptions) -> None:
        self.options = options
        self.store: Store = Store(options.folder)
        self.record: Record = Record(self.store)
        self.pools: list[Pool] = []
        self.documents: list[Document] = []  # the open ones; not by key, which may change
        self._passed_over: set[str] = set()  # keys of files that could not be read
        self._indexed: dict[str, tuple[int, int]] = {}  # the stamps of what is in the index
        self._summaries: dict[str, Data] = {}  # lines of the list, by key, with what the file looked like
        self.port: int | None = None  # that is listened to
        self.lan_origins: list[str] = []  # of the page for phones
        self.sockets = 0  # of pages with the token
        self.watchers: set[Send] = set()  # pages that only look on
        self._followed = Document(self.store)  # what they see: what another page showed last

    def start(self) -> None:
        self.pools = make_pools(self.options.engines, hash_mib=min(64, self.options.hash_mib))

    async def stop(self) -> None:
        for document in list(self.documents):
            if document.live_game is not None:
                document.live_game.close()
            document.save()
        for document in self.documents:
            if document.save_error is not None:
                with suppress(OSError):  # the terminal may have gone
                    print(f"not saved: {document.save_error}", file=sys.stderr)
        for pool in self.pools:
            await pool.close()

    @property
    def is_unsaved(self) -> bool:
        """Is there a document that could not be saved yet?"""
        return any(document.save_error is not None for document in self.documents)

    def server_info(self) -> Data:
        return {
            "version": __version__,
            "engines": self.engine_names(),
            "levels": [*LADDER, None],  # Elo over level 0; of full strength none is known
            "record": {str(level): sums for level, sums in self.record.levels().items()},
            "marks": marks_data(),
            "limits": self.limits(),
            "letters": list(svg.LETTERS),
            "formats": files.formats(),
            "book": self.options.book is not None,
            "phone": bool(self.lan_origins),
            "installed": self.port is not None and self.port == self.store.port(),
            "settings": self.store.kept("settings"),
        }

    def engine_names(self) -> list[str]:
        """Name the engines, each differently."""
        return numbered([pool.name for pool in self.pools])

    def limits(self) -> dict[str, int]:
        return {
            "threads": self.options.threads,
            "hash": self.options.hash_mib,
            "lines": MAX_LINES,
            "file": MAX_FILE,
        }

    # Pages that only look on

    @contextmanager
    def watching(self, send: Send) -> Iterator[None]:
        """A block in which a page sees what the others show; it learns nothing else of its owner."""
        own = {"record": {}, "settings": {}, "book": False, "phone": False, "installed": False}
        send({"type": "welcome", **self.server_info(), **own, "watching": True})
        self._followed.send_whole(send)
        self.watchers.add(send)
        try:
            yield
        finally:
            self.watchers.discard(send)

    def follow(self, document: Document) -> None:
        """Show the pages that look on this document from now on."""
        if document is self._followed:
            return
        self._followed.watchers = ()
        self._followed, document.watchers = document, self.watchers
        for send in self.watchers:
            document.send_whole(send)

    # Documents

    def create(self, game: Game | None = None) -> Document:
        document = Document(self.store, game)
        self.documents.append(document)
        return document

    def find(self, key: object) -> Document | None:
        """Return the document of a key, from memory or from its file."""
        document = self._open_one(key)
        if document is not None:
            return document
        try:
            document = Document.load(self.store, str(key))
        except Exception as error:  # whatever is wrong with a file, the others can be read
            self._pass_over(str(key), error)
            return None
        if document.live_game is not None:
            self.equip(document.live_game)
        self.documents.append(document)
        return document

    def _open_one(self, key: object) -> Document | None:
        return next((document for document in self.documents if document.key == key), None)

    def _pass_over(self, key: str, error: Exception) -> None:
        """Report once that a file cannot be read, if there is one."""
        if not isinstance(error, FileNotFoundError) and key not in self._passed_over:
            self._passed_over.add(key)
            path = self.options.folder / f"{key}.json"
            print(f"not read: {path}: {type(error).__name__}: {error}", file=sys.stderr)

    def equip(self, live_game: LiveGame) -> None:
        """Give a game the engines and the book that it plays with."""
        live_game.pools, live_game.book = self.pools, self.options.book
        live_game.record = self.record
        live_game.find_engines(self.engine_names())

    def last_changed(self) -> Document | None:
        """Return the document that was changed last, unless a page has one open."""
        if any(document.has_pages for document in self.documents):
            return None
        for key in islice(self.store.stamps(), 5):
            if (found := self.find(key)) is not None:
                return found
        return None

    def release(self, document: Document) -> None:
        """Close a document that no page shows and nothing works on, if it is in its file."""
        if document.has_pages or document.workers:
            return
        document.save()
        if not document.is_unsaved:
            self.documents = [other for other in self.documents if other is not document]

    @contextmanager
    def working_on(self, document: Document) -> Iterator[None]:
        """A block that may change a document: it stays open meanwhile, though all pages leave it.

        Otherwise the next page would read it from its file, and the two would overwrite each other.
        """
        document.workers += 1
        try:
            yield
        finally:
            document.workers -= 1
            self.release(document)

    def save(self) -> None:
        """Save what has changed: the list of documents is one of files."""
        for document in list(self.documents):
            document.save()

    def summaries(self) -> list[Data]:
        """List the saved documents, last changed first."""
        stamps = self.store.stamps()
        known = self._summaries or self.store.kept("summaries")
        found = {}
        for key, (changed, size) in islice(stamps.items(), MAX_LISTED):
            stamp = f"{SUMMARY} {changed} {size}"
            line = known.get(key)
            if isinstance(line, dict) and line.get("stamp") == stamp and is_digest(line.get("digest", "")):
                found[key] = line
                continue
            try:
                data = self.store.peek(key)
                document = Document.from_dict(self.store, key, data)  # only what can be opened is listed
                found[key] = stored_summary(document, data.get("changed")) | {"stamp": stamp}
            except Exception as error:
                self._pass_over(key, error)
        if found != known:
            with suppress(OSError):
                self.store.keep("summaries", found)
        self._summaries = found
        return list(found.values())

    def listed(self) -> Data:
        """List the saved documents, and the files among them that cannot be read."""
        documents = self.summaries()
        unread = [
            key for key in self.store.stamps() if key in self._passed_over and key not in self._summaries
        ]
        return {"documents": documents, "unread": [f"{key}.json" for key in unread]}

    def index_kept(self) -> None:
        """Bring the index of games up to date with the saved documents; what hinders it is reported."""
        stamps, path = self.store.stamps(), self.options.games
        if stamps == self._indexed and path.exists():
            return
        kept = {line["digest"]: line["doc"] for line in self.summaries() if line["digest"]}
        self._indexed = stamps
        if not kept and not path.exists():
            return
        try:
            explorer.mirror(path, {digest: partial(self._kept_game, key) for digest, key in kept.items()})
        except RequestError as error:
            print(f"not indexed: {error}", file=sys.stderr)

    def _kept_game(self, key: str) -> Game:
        return Game.from_dict(self.store.peek(key)["game"])

    def find_source(self, source: str) -> Document | None:
        """Return the document that a game was opened as before."""
        for document in self.documents:
            if document.source == source:
                return document
        for line in self.summaries():
            if line["source"] == source:
                return self.find(line["doc"])
        return None

    def rename(self, key: str, title: object) -> None:
        """Give a document another title; RequestError if there is none, or the title is no text."""
        document = self.find(key)
        if document is None:
            raise RequestError("unknown-document", "there is no such game")
        with self.working_on(document):
            document.set_header("Title", title)
            document.save()

    def delete(self, key: str) -> None:
        """Delete a saved document; RequestError if a page shows it or something works on it."""
        document = self._open_one(key)
        if document is not None and (document.has_pages or document.workers):
            raise RequestError("in-use", "a page shows this game")
        if document is not None:
            document.discard_changes()
            self.release(document)
        self.store.delete(key)

    def book_entries(self, board: Board) -> list[Data]:
        """List the book's moves of a position, with games and the mover's share of the points."""
        book = self.options.book
        if book is None:
            return []
        return [
            {
                "move": move_data(board, entry.move),
                "opening": opening_after(board, entry.move),
                "games": entry.games,
                "points": round(entry.points, 3) if entry.games else None,
            }
            for entry in book.find_all(board)[:20]
        ]


def numbered(names: list[str]) -> list[str]:
    """Number names that are the same.

    >>> numbered(["eleengine", "pikafish", "eleengine"])
    ['eleengine', 'pikafish', 'eleengine (2)']
    """
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(f"{name} ({seen[name]})" if seen[name] > 1 else name)
    return found
