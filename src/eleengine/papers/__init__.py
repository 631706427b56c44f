"""The papers' algorithms, programs and experiments; docs/papers.md explains them.

`ThesisSearch` searches with the algorithms of the texts that the engine began with, `ThesisTable` is their
table, `ThesisInfo` what an iteration has found. `ThesisEngine` plays as the program of a thesis, one of
`PROGRAMS`.
"""

from .._core import ThesisInfo, ThesisSearch, ThesisTable
from .engine import ThesisEngine
from .programs import PROGRAMS, Program

__all__ = ["PROGRAMS", "Program", "ThesisEngine", "ThesisInfo", "ThesisSearch", "ThesisTable"]
