"""The papers' algorithms and their experiments; docs/papers.md explains them.

`SeedSearch` searches with the algorithms of the texts that the engine began with, `SeedTable` is their table,
`SeedInfo` what an iteration has found.
"""

from .._core import SeedInfo, SeedSearch, SeedTable

__all__ = ["SeedInfo", "SeedSearch", "SeedTable"]
