"""From files of games to a network file that says how it was made and can be made again."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import asdict
from typing import Any, NamedTuple

from ..._core import Network
from ..._version import __version__
from .file import quantised
from .samples import GameSource, collect, read_source
from .training import TrainingRun, TrainingSettings, train

#: Of networks that learnt from nothing but the engine's own games; others have what their author says.
OWN_LICENSE = "MIT; trained only on games of eleengine against itself"


class Recipe(NamedTuple):
    """All that a network is made of; the text of its file."""

    games: list[GameSource]
    settings: TrainingSettings
    first_ply: int = 0
    made_by: str = f"eleengine {__version__} nnue"
    start: str | None = None  #: digest of the network that training began with; None: random numbers
    license: str = ""  #: "" if nobody has given one
    sources: tuple[str, ...] = ()  #: of games that the engine did not play against itself

    def text(self, run: TrainingRun) -> dict[str, Any]:
        """For the network's file: the recipe and what came of it."""
        return {
            "made by": self.made_by,
            **({"license": self.license} if self.license else {}),
            **({"sources": list(self.sources)} if self.sources else {}),
            "games": [source.to_dict() for source in self.games],
            "settings": asdict(self.settings),
            "first_ply": self.first_ply,
            **({"start": self.start} if self.start else {}),
            "positions": {"fitted": run.samples[0], "held out": run.samples[1]},
            "loss": {"held out": round(run.best.loss, 6), "step": run.best.step, "of": run.steps},
        }


def recipe_of(
    paths: Iterable[str],
    settings: TrainingSettings,
    *,
    first_ply: int = 0,
    start: Network | None = None,
    license: str = "",
) -> Recipe:
    """The recipe of a new network; OSError or GameFileError for a file of games that cannot be read."""
    games = [read_source(path) for path in paths]
    names = [f"games {one.games_sha256[:16]}" for one in games]
    sources = [s for one, name in zip(games, names, strict=True) for s in foreign_sources(one.header, name)]
    if start is not None:
        sources += _sources_of_network(start)
    return Recipe(
        games,
        settings,
        first_ply,
        start=None if start is None else start.digest,
        license=license or ("" if sources else OWN_LICENSE),
        sources=tuple(dict.fromkeys(sources)),
    )


def foreign_sources(header: dict[str, Any], name: str) -> list[str]:
    """Where games come from that the engine did not play against itself, by the header of their file.

    name: for games whose header names no source.

    >>> foreign_sources({"made by": "eleengine 0.2.0 datagen"}, "games a")
    []
    >>> foreign_sources({"made by": "eleengine 0.2.0 data import", "source": "a club"}, "games b")
    ['a club']
    """
    if re.fullmatch(r"eleengine \S+ datagen", str(header.get("made by"))):
        return []
    parts = header.get("of")  # of a file made from others
    if isinstance(parts, list) and parts and all(isinstance(part, dict) for part in parts):
        return [source for part in parts for source in foreign_sources(part, name)]
    return [str(header.get("source") or name)]


def _sources_of_network(network: Network) -> list[str]:
    """The same of a network that training begins with."""
    try:
        told = json.loads(network.text)
        own = told["license"] == OWN_LICENSE and "sources" not in told
        return [] if own else [str(name) for name in told["sources"]]
    except (ValueError, KeyError, TypeError):
        return [f"network {network.digest[:16]}"]


def read_recipe(data: bytes) -> tuple[Recipe, str | None]:
    """The recipe in a network file or in its text alone, and the digest of the network if it is a file.

    ValueError if there is no recipe.
    """
    digest = None
    text: str | bytes = data
    if data[:1] != b"{":
        network = Network(data)
        digest, text = network.digest, network.text
    try:
        told = json.loads(text)
        recipe = Recipe(
            [GameSource(**one) for one in told["games"]],
            TrainingSettings(**told["settings"]),
            int(told["first_ply"]),
            str(told["made by"]),
            str(told["start"]) if "start" in told else None,
            str(told.get("license", "")),
            tuple(map(str, told.get("sources", ()))),
        )
    except (ValueError, KeyError, TypeError):
        raise ValueError("it does not tell how it was made") from None
    return recipe, digest


def find_games(recipe: Recipe, folders: Sequence[str]) -> list[str]:
    """Paths of the recipe's files of games, by their contents; ValueError names one that is not there."""
    found = []
    inside = [entry.path for folder in folders for entry in os.scandir(folder) if entry.is_file()]
    for source in recipe.games:
        same = [path for path in inside if source.is_file(path)]
        if not same:
            name = f"{source.file or 'a file'} with the games of checksum {source.games_sha256}"
            raise ValueError(f"{name} is not in {', '.join(folders)}")
        found.append(same[0])
    return found


def make(
    paths: list[str],
    settings: TrainingSettings,
    *,
    first_ply: int = 0,
    again: Recipe | None = None,
    start: Network | None = None,
    license: str = "",
    threads: int = 1,
    checkpoint: str | None = None,
    folder: str | None = None,
    show_samples: Callable[[int, int], None] = lambda games, samples: None,
    show_run: Callable[[TrainingRun, int], None] = lambda run, step: None,
) -> tuple[bytes, TrainingRun]:
    """The bytes of the network file that these games and settings make, and its training.

    Equal games and settings make equal bytes on all machines. again: the recipe of the file that is made
    again, for the names of its maker and its games; None: those of now. start: the network that training
    begins with. license: of a new network, by its author; "": that of the project if the engine played all
    games against itself, otherwise none. folder: as for collect(). The rest as for train().
    """
    recipe = again or recipe_of(paths, settings, first_ply=first_ply, start=start, license=license)
    with closing(collect(paths, first_ply=first_ply, folder=folder, show=show_samples)) as sets:
        run = train(sets, settings, start=start, threads=threads, checkpoint=checkpoint, show=show_run)
    return quantised(run.parameters, settings.hidden, settings.unit_cp, recipe.text(run)), run
