"""The opening book of a conversation: the files that the GUI names, and the choice among their moves."""

from ..engines.engine_options import MASTERS, EngineOption
from .options import UcciOptions
from .paths import find_path
from .replies import ProtocolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from random import Random

    from .._core import Move
    from ..book import Entry, Shelf
    from .job import GoJob


class OpeningBook:
    """A book that obeys options; it is opened when the first move is asked for, or when files are named."""

    def __init__(self, options: UcciOptions) -> None:
        self._options = options
        self._shelf: Shelf | None = None
        self._random: Random | None = None

    def apply(self, option: EngineOption) -> None:
        """Let an option that was set take effect; ProtocolError if it cannot."""
        if option.ucci == "bookfiles":
            self._open(self._options.word("bookfiles"))
        elif option.ucci in ("bookseed", "newgame"):
            self.rewind()

    def rewind(self) -> None:
        """Let the choices of the seed begin again."""
        self._random = None

    def choose(self, job: "GoJob", bans: "Collection[Move]") -> "Entry | None":
        """A move for the job that is not banned, or None; ProtocolError if a book cannot be read any more."""
        if not (job.plays_move and self._options.flag("usebook")):
            return None
        if self._shelf is None:
            self._open(self._options.word("bookfiles"))
        if self._random is None:
            from random import Random

            self._random = Random(self._options.number("bookseed") or None)
        assert self._shelf is not None
        try:
            return self._shelf.weighted_choice(job.board, exclude_moves=bans, random=self._random)
        except ValueError:
            self._open("")
            raise ProtocolError("error book file unreadable") from None

    def _open(self, names: str) -> None:
        """Use the files named, separated by semicolons; none for "".

        ProtocolError if one cannot be read: the others are used, and if there is none, the books before.
        """
        from ..book import SHIPPED, Shelf, open_book

        books = []
        failed = False
        for name in filter(None, map(str.strip, names.split(";"))):
            try:
                books.append(open_book(SHIPPED if name == MASTERS else find_path(name)))
            except (OSError, ValueError):
                failed = True
        if books or not failed or self._shelf is None:
            if self._shelf is not None:
                self._shelf.close()
            self._shelf = Shelf(books)
        if failed:
            raise ProtocolError("error book file unreadable")
