"""Engines under the names of python-chess: the one in this process, and other programs.

>>> from eleengine import Board
>>> from eleengine.engines import Engine, Limit
>>> with Engine() as engine:
...     engine.play(Board(), Limit(nodes=500)).move in Board().legal_moves
True
"""

from .._internal.lazy import import_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .._core import Searcher
    from ..score import PovWdl, Wdl
    from .aio import AsyncAnalysis, AsyncEngine, popen_ucci, popen_uci
    from .external import ExternalAnalysis, ExternalEngine, IllegalReplyError
    from .local import Engine
    from .options import Option
    from .session import Analysis
    from .types import (
        AnyAnalysis,
        AnyEngine,
        EngineError,
        EngineTerminatedError,
        EngineTimeoutError,
        InfoDict,
        Limit,
        PlayResult,
    )

__all__ = [
    "Analysis", "AnyAnalysis", "AnyEngine", "AsyncAnalysis", "AsyncEngine", "Engine", "EngineError",
    "EngineTerminatedError", "EngineTimeoutError", "ExternalAnalysis", "ExternalEngine",
    "IllegalReplyError", "InfoDict", "Limit", "Option", "PlayResult", "PovWdl", "Searcher", "Wdl",
    "popen_ucci", "popen_uci",
]  # fmt: skip

# Imported when first asked for, because the UCCI engine, which needs the clock only, starts fast.
_MODULES = {
    "Analysis": "session", "AnyAnalysis": "types", "AnyEngine": "types",
    "AsyncAnalysis": "aio", "AsyncEngine": "aio", "Engine": "local",
    "EngineError": "types", "EngineTerminatedError": "types", "EngineTimeoutError": "types",
    "ExternalAnalysis": "external", "ExternalEngine": "external", "IllegalReplyError": "external",
    "InfoDict": "types", "Limit": "types", "Option": "options", "PlayResult": "types", "PovWdl": "types",
    "Searcher": "local", "Wdl": "types", "popen_ucci": "aio", "popen_uci": "aio",
}  # fmt: skip


def __getattr__(name: str) -> object:
    return import_name(__name__, _MODULES, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
