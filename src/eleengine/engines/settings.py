"""What can be set of the engine in this process: its attributes, and their names as options."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from errno import ENOENT
from operator import index
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from .._core import Context, EndgameTables, Network, Searcher, default_context, shipped_tables
from ..network import INTERNAL, choose
from ..rules import RULE_SETS, rule_set_number
from ..score import UCCI_POINT
from .engine_options import HASH, IDLE_SHARE, MASTERS, NO_CAPTURES, NOISE, OPTIONS, THREADS, find
from .options import Option, Options
from .strength import Strength, skill_of_elo

if TYPE_CHECKING:
    from random import Random

    from ..book import Lookup, Shelf
    from .engine_options import EngineOption

T = TypeVar("T")


class _Setting(Generic[T]):
    """An attribute of the engine that is no more than the value of an option; ValueError if it is none.

    TypeError for a number that is no integer.
    """

    def __set_name__(self, owner: type[EngineSettings], name: str) -> None:
        option = find(name)
        assert option is not None
        self._option = option
        self._name = f"_{name}"

    def __get__(self, engine: EngineSettings, owner: type[EngineSettings] | None = None) -> T:
        return cast(T, engine.__dict__.get(self._name, self._option.library_default))

    def __set__(self, engine: EngineSettings, value: Any) -> None:
        engine._need_open()
        engine.__dict__[self._name] = self._option.read(
            index(value) if self._option.type == "spin" else value
        )


class _OfSearcher(Generic[T]):
    """An attribute of the engine that is its searcher's; setting it waits for a search to end."""

    def __init__(
        self,
        read: Callable[[Any], Any] = lambda value: value,
        write: Callable[[Any], Any] = lambda value: value,
    ) -> None:
        self._read = read
        self._write = write

    def __set_name__(self, owner: type[EngineSettings], name: str) -> None:
        self._name = name

    def __get__(self, engine: EngineSettings, owner: type[EngineSettings] | None = None) -> T:
        return cast(T, self._read(getattr(engine._searcher, self._name)))

    def __set__(self, engine: EngineSettings, value: T) -> None:
        setattr(engine._own(), self._name, self._write(value))


def _default(option: EngineOption) -> str | None:
    """The default of the engine as `Option` has it."""
    value = option.library_default
    return None if option.type == "button" else str(value).lower() if isinstance(value, bool) else str(value)


def with_network(value: str | os.PathLike[str] | Network, context: Context | None) -> Context:
    """The context with another network."""
    context = context or default_context()
    network = value if isinstance(value, Network) else choose(value)
    return Context(weights=context.weights, parameters=context.parameters, network=network)


class EngineSettings:
    """The attributes and options of `Engine`, whose text says what they mean."""

    multipv = _Setting[int]()
    limit_strength = _Setting[bool]()
    elo = _Setting[int]()
    randomness = _Setting[str]()
    use_book = _Setting[bool]()
    overhead_ms = _Setting[int]()
    tables_mib = _Setting[int]()
    _own_book: Shelf | None = None  # opened by `configure`
    _idle: str = "none"
    parallel = _OfSearcher[str]()  #: how threads share the work
    rule_set = _OfSearcher[str](RULE_SETS.__getitem__, rule_set_number)  #: who judges repetitions
    #: Plies without a capture that draw the game in the search.
    no_capture_limit = _OfSearcher[int](write=lambda value: value or NO_CAPTURES.zero)
    tables = _OfSearcher[EndgameTables | None]()  #: the endgame tables of the search
    context = _OfSearcher[Context | None]()  #: the numbers of the search; None: the default ones
    _searcher: Searcher
    _threads: int

    def _need_open(self) -> None:
        """EngineTerminatedError if the engine is closed: what is set then would be lost."""
        raise NotImplementedError

    def _own(self) -> Searcher:
        """The searcher, once no search runs; `Engine`, which has the searches, waits for them."""
        raise NotImplementedError

    def clear(self) -> None:
        """Forget what was learnt, as for a new game. Waits for a search to end."""
        self._own().clear()

    @property
    def hash_mib(self) -> int:
        """Size of the transposition table in MiB; a new size empties it. Waits for a search to end."""
        return self._searcher.hash_mib

    @hash_mib.setter
    def hash_mib(self, value: int) -> None:
        self._own().resize(value or HASH.zero)

    @property
    def threads(self) -> int:
        """Threads that search together; `idle` leaves some of them to others."""
        return self._threads

    @threads.setter
    def threads(self, value: int) -> None:
        self._set_threads(value or THREADS.zero, self._idle)

    @property
    def idle(self) -> str:
        """How much of the threads to leave to other programs."""
        return self._idle

    @idle.setter
    def idle(self, value: str) -> None:
        if value not in IDLE_SHARE:
            raise ValueError(f"idle must be one of {', '.join(IDLE_SHARE)}, not {value!r}")
        self._set_threads(self._threads, value)

    def _set_threads(self, threads: int, idle: str) -> None:
        self._own().threads = max(1, round(threads * IDLE_SHARE[idle])) if idle != "none" else threads
        self._threads, self._idle = threads, idle

    @property
    def skill(self) -> int:
        """Strength of `play`, 0 to 20, unless `limit_strength` says that `elo` decides."""
        return self._skill

    @skill.setter
    def skill(self, value: int) -> None:
        self._need_open()
        Strength(value)  # in range?
        self._skill = index(value)

    @property
    def strength(self) -> Strength:
        """How `play` chooses by skill or elo, and randomness."""
        skill = skill_of_elo(self.elo) if self.limit_strength else self.skill
        return Strength(skill, variety=NOISE[self.randomness] * UCCI_POINT)

    @property
    def network(self) -> Network | None:
        """The network that evaluates positions; None for the classical evaluation.

        It may be set as in the constructor, and waits for a search to end then. OSError if the file cannot be
        read, NetworkError if it is no network; the engine goes on with the one it has.
        """
        return (self.context or default_context()).network

    @network.setter
    def network(self, value: str | os.PathLike[str] | Network) -> None:
        self.context = with_network(value or INTERNAL, self.context)

    @property
    def book(self) -> Lookup | Shelf | None:
        """Where `play` takes its moves from while it knows the position; TypeError for the name of a book."""
        return self._book

    @book.setter
    def book(self, value: Lookup | Shelf | None) -> None:
        self._need_open()
        if not (value is None or hasattr(value, "weighted_choice")):
            kind = type(value).__name__
            raise TypeError(f"a book is a Book, not {kind}: eleengine.book.open_book(path) opens one")
        if self._own_book is not None and self._own_book is not value:
            self._own_book.close()
            self._own_book = None
        self._book = value

    def _open_book(self, names: str) -> None:
        """Play from these files, with semicolons between them; the engine closes them."""
        from ..book import SHIPPED, Shelf, open_book

        books, fault = [], None
        for name in filter(None, map(str.strip, names.split(";"))):
            try:
                books.append(open_book(SHIPPED if name == MASTERS else name))
            except (OSError, ValueError) as error:
                fault = fault or error
        if books or not fault:
            self.book = shelf = Shelf(books) if books else None
            self._own_book = shelf
        if fault:
            raise fault

    def _load_tables(self, folder: str) -> None:
        """Load the endgame tables of the folder that fit into `tables_mib`."""
        if not folder or folder == INTERNAL:
            self.tables = shipped_tables() if folder else None
            return
        from ..tables import TableError, open_tables

        found = open_tables(folder)
        if not found.names():
            raise FileNotFoundError(ENOENT, "no tables in this folder", folder)
        try:
            self.tables = found.load_within(self.tables_mib)
        except TableError as error:
            raise ValueError(str(error)) from error

    @property
    def seed(self) -> int | None:
        """Of the choices among book moves and of a level's mistakes; setting it begins them anew."""
        return self._seed

    @seed.setter
    def seed(self, value: int | None) -> None:
        self._need_open()
        self._seed = None if value is None else index(value)
        self._random: Random | None = None

    @property
    def options(self) -> dict[str, Option]:
        """The options of `configure` by name, found in any letters; the attributes have their values.

        >>> from eleengine import Engine
        >>> Engine().options["Skill Level"]
        Option(name='Skill Level', type='spin', default='20', min=0, max=20, var=())
        """
        return Options(
            Option(
                option.name,
                option.type,
                _default(option),
                option.min if option.type == "spin" else None,
                option.max if option.type == "spin" else None,
                option.choices if option.type == "combo" else (),
            )
            for option in OPTIONS
            if option.attribute
        )

    def configure(self, options: Mapping[str, Any]) -> None:
        """Set options by name; ValueError for unknown names, or values out of range, before any is set.

        The names are those of UCI or UCCI in any letters, such as Hash, Skill Level and hashsize, or those of
        the attributes, such as hash_mib; values may be texts. `book` takes files with semicolons between
        them, "masters" for the book that comes with the engine; `tables` a folder. None presses a button.
        OSError or ValueError for a file that cannot be used; of several books the others are.
        EngineTerminatedError once the engine is closed.

        >>> from eleengine import Engine
        >>> engine = Engine()
        >>> engine.configure({"Hash": 32, "Skill Level": 5, "rule_set": "cxa", "OwnBook": "true"})
        >>> engine.hash_mib, engine.skill, engine.rule_set
        (32, 5, 'cxa')
        """
        self._own()
        found: list[tuple[str, Any]] = []
        for name, value in options.items():
            option = find(name)
            if option is None or not option.attribute:
                names = ", ".join(option.name for option in self.options.values())
                raise ValueError(f"unknown option {name!r}: the engine has {names}")
            if value is not None and (option.type != "string" or isinstance(value, (str, os.PathLike))):
                value = option.read(value)
            found.append((option.attribute, value))
        for attribute, value in found:
            self._set(attribute, value)

    def _set(self, attribute: str, value: Any) -> None:
        if attribute == "clear":
            self.clear()
        elif attribute == "seed":
            self.seed = value or None
        elif attribute == "book" and isinstance(value, str):
            self._open_book(value)
        elif attribute == "tables" and isinstance(value, str):
            self._load_tables(value)
        else:
            setattr(self, attribute, value)
