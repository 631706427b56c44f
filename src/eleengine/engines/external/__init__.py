"""Engines that are other programs: anything that speaks UCCI or UCI, driven like `eleengine.Engine`.

>>> import sys
>>> from eleengine import Board, Limit
>>> with ExternalEngine([sys.executable, "-m", "eleengine"], protocol="uci") as engine:
...     engine.configure({"hash": 4})
...     result = engine.play(Board(), Limit(nodes=500))
>>> engine.id["author"], result.move in Board().legal_moves
('the eleengine authors', True)

What is said goes to the logger of this module at the level DEBUG, after << what came from the engine.
"""

from ..options import Option
from ..types import EngineTimeoutError
from .analysis import ExternalAnalysis
from .dialect import Protocol
from .driver import ExternalEngine, IllegalReplyError

__all__ = [
    "EngineTimeoutError",
    "ExternalAnalysis",
    "ExternalEngine",
    "IllegalReplyError",
    "Option",
    "Protocol",
]
