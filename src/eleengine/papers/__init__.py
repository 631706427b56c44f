"""The papers' algorithms, programs and experiments; docs/papers.md explains them.

`SeedSearch` searches with the algorithms of the texts that the engine began with, `SeedTable` is their table,
`SeedInfo` what an iteration has found. `ThesisEngine` plays as the program of a thesis, one of `PROGRAMS`.
"""

from .._core import SeedInfo, SeedSearch, SeedTable
from .engine import ThesisEngine
from .programs import PROGRAMS, Program

__all__ = ["PROGRAMS", "Program", "SeedInfo", "SeedSearch", "SeedTable", "ThesisEngine"]
